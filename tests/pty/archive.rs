//! An archive by FTP as newer servers speak it (MLSD, EPSV), with whatever a test wants in it.

use std::io::{BufRead, BufReader, Result, Write};
use std::net::{TcpListener, TcpStream};

/// Answers one visitor. `data` gives what is sent for `MLSD` and `RETR`, each with what stands behind it.
pub fn answer(visitor: &TcpStream, data: impl Fn(&str, &str) -> Vec<u8>) -> Result<()> {
    let (mut out, mut way) = (visitor, None::<TcpListener>);
    out.write_all(b"220 ready\r\n")?;
    for line in BufReader::new(visitor).lines() {
        let line = line?;
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let reply = match verb {
            "USER" => "331 password".into(),
            "PASS" => "230 in".into(),
            "FEAT" => "211-Features\r\n MLST type*;size*;modify*;\r\n EPSV\r\n UTF8\r\n211 End".into(),
            "PWD" => "257 \"/\"".into(),
            "TYPE" | "OPTS" | "CWD" => "200 fine".into(),
            "EPSV" => {
                let listener = TcpListener::bind("127.0.0.1:0")?;
                let port = listener.local_addr()?.port();
                way = Some(listener);
                format!("229 here (|||{port}|)")
            }
            "MLSD" | "RETR" => {
                out.write_all(b"150 coming\r\n")?;
                if let Some(way) = way.take() {
                    way.accept()?.0.write_all(&data(verb, rest))?;
                }
                "226 all of it".into()
            }
            _ => "502 what?".into(),
        };
        out.write_all(format!("{reply}\r\n").as_bytes())?;
    }
    Ok(())
}

//! Servers with one page each, for as long as the tests run; the number is their port.

use crate::archive;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

fn serve(visit: impl Fn(TcpStream) -> std::io::Result<()> + Send + Sync + Copy + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for visitor in listener.incoming().flatten() {
            // Visitors go when they have seen enough.
            std::thread::spawn(move || visit(visitor));
        }
    });
    port
}

/// What is said, line by line, in upper case.
fn lines(stream: &TcpStream) -> std::io::Result<impl Iterator<Item = String> + use<>> {
    let lines = BufReader::new(stream.try_clone()?).lines().map_while(Result::ok);
    Ok(lines.map(|line| line.to_ascii_uppercase()))
}

/// An archive of one directory.
pub fn ftp(listing: &'static str) -> u16 {
    serve(|visitor| archive::answer(&visitor, |_, _| listing.replace('\n', "\r\n").into_bytes()))
}

/// A news server with one group.
pub fn news(overview: &'static str) -> u16 {
    serve(|mut stream| {
        stream.write_all(b"200 The news of the burrow\r\n")?;
        let count = overview.lines().count();
        for line in lines(&stream)? {
            let answer = match line.split(' ').next().unwrap_or_default() {
                "MODE" => "200 posting allowed".into(),
                "CAPABILITIES" => "101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\nLIST ACTIVE OVERVIEW.FMT\r\n.".into(),
                "GROUP" => format!("211 {count} 1 {count} rec.walking.hills"),
                "OVER" | "XOVER" => format!("224 these\r\n{}.", overview.replace('\n', "\r\n")),
                "QUIT" => return stream.write_all(b"205 bye\r\n"),
                _ => "500 unknown".into(),
            };
            stream.write_all(format!("{answer}\r\n").as_bytes())?;
        }
        Ok(())
    })
}

/// A site of one page.
pub fn web(page: &'static str) -> u16 {
    serve(|mut stream| {
        for line in lines(&stream)? {
            if line.is_empty() {
                let head =
                    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", page.len());
                stream.write_all((head + page).as_bytes())?;
            }
        }
        Ok(())
    })
}

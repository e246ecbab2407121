//! The big directory of an FTP server: from real servers where their packages are, and from one here that knows to the
//! moment when it sends the first octet of a listing.

#[path = "../../tests/real/ftp/content.rs"]
mod content;
#[path = "../../tests/real/ftp/servers.rs"]
#[expect(dead_code, reason = "no journeys, no logins, no TLS")]
pub mod servers;

use crate::servers::packages;
use servers::{Server, proftpd, vsftpd};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// The servers, by name, where `WAYFARER_SERVERS` names their packages.
pub fn real() -> Vec<(&'static str, Server)> {
    let packages = packages("directories of real FTP servers");
    packages.map_or(Vec::new(), |packages| vec![("vsftpd", vsftpd(&packages)), ("proftpd", proftpd(&packages))])
}

/// The directory on one of them.
pub fn big(server: &Server) -> String {
    server.url("pub/big/")
}

/// A server on loopback, and when it sent the first octet of its last listing.
pub struct Archive {
    /// The directory.
    pub url: String,
    began: Arc<Mutex<Option<Instant>>>,
}

impl Archive {
    /// Serves a directory of so many entries until the program ends.
    pub fn serve(entries: usize) -> io::Result<Archive> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("ftp://{}/", listener.local_addr()?);
        let began = Arc::default();
        let listing: Arc<Vec<u8>> = Arc::new((0..entries).flat_map(line).collect());
        let archive = Archive { url, began: Arc::clone(&began) };
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (began, listing) = (Arc::clone(&began), Arc::clone(&listing));
                // A reader that goes away is no error here.
                thread::spawn(move || answer(&stream, &listing, &began));
            }
        });
        Ok(archive)
    }

    /// When the first octet of the last listing was sent.
    pub fn began(&self) -> Option<Instant> {
        *self.began.lock().ok()?
    }
}

fn line(number: usize) -> Vec<u8> {
    let size = 17 + number % 5000;
    format!("-rw-r--r--    1 ftp      ftp      {size:>8} Dec 25  2024 file-{number:05}.txt\r\n").into_bytes()
}

fn answer(control: &TcpStream, listing: &[u8], began: &Mutex<Option<Instant>>) -> io::Result<()> {
    let say = |words: &str| (&mut &*control).write_all(format!("{words}\r\n").as_bytes());
    let passive = TcpListener::bind("127.0.0.1:0")?;
    let port = passive.local_addr()?.port();
    say("220 ready")?;
    for command in BufReader::new(control).lines() {
        match command?.split(' ').next().unwrap_or_default() {
            "USER" => say("331 password?")?,
            "PASS" => say("230 in")?,
            "EPSV" => say(&format!("229 here (|||{port}|)"))?,
            "PASV" => say(&format!("227 here (127,0,0,1,{},{})", port / 256, port % 256))?,
            "PWD" => say("257 \"/\"")?,
            "CWD" | "TYPE" => say("200 yes")?,
            "LIST" => {
                let (mut data, _) = passive.accept()?;
                say("150 here it comes")?;
                if let Ok(mut began) = began.lock() {
                    *began = Some(Instant::now());
                }
                data.write_all(listing)?;
                drop(data);
                say("226 done")?;
            }
            "QUIT" => return say("221 bye"),
            _ => say("502 no")?,
        }
    }
    Ok(())
}

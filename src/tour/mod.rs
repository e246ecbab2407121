//! The tour: small gopher, FTP, news, web and Gemini servers inside the program, for as long as it is held, and what they serve, which is
//! `assets/tour`. They listen on 127.0.0.1 only, on ports that were free, take a bounded number of connections, and refuse being
//! reachable from elsewhere, writing to disk, and reading anything but what is embedded.

mod ftp;
mod gemini;
mod gopher;
mod news;
mod visitor;
mod web;

use std::io;
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// How often a port that is taken is tried again, and how long after.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// The ports of the servers; what is served names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doors {
    /// Of the gopher server.
    pub gopher: u16,
    /// Of the FTP server.
    pub ftp: u16,
    /// Of the news server.
    pub news: u16,
    /// Of the web server.
    pub web: u16,
    /// Of the Gemini server.
    pub gemini: u16,
}

impl Doors {
    /// All five.
    pub fn ports(&self) -> [u16; 5] {
        [self.gopher, self.ftp, self.news, self.web, self.gemini]
    }

    /// A text of `assets/tour` with `{gopher}`, `{ftp}`, `{news}`, `{web}` and `{gemini}` made into `127.0.0.1:PORT`, and with `{gopher-port}`
    /// made into the port alone (a menu's fields).
    pub fn fill(&self, text: &str) -> String {
        let doors = [
            ("gopher", self.gopher),
            ("ftp", self.ftp),
            ("news", self.news),
            ("web", self.web),
            ("gemini", self.gemini),
        ];
        doors.iter().fold(text.to_owned(), |text, (name, port)| {
            text.replace(&format!("{{{name}}}"), &format!("{}:{port}", Ipv4Addr::LOCALHOST))
                .replace(&format!("{{{name}-port}}"), &port.to_string())
        })
    }
}

/// The servers while they run; dropping it stops them and everything that they have begun.
#[derive(Debug)]
pub struct Tour {
    doors: Doors,
    _servers: JoinSet<()>,
}

impl Tour {
    /// Starts the servers on ports that are free. Fails when no port can be listened on.
    pub async fn open() -> io::Result<Tour> {
        Tour::open_at(Doors { gopher: 0, ftp: 0, news: 0, web: 0, gemini: 0 }).await
    }

    /// Starts the servers on these ports. Fails when one of them is taken.
    pub async fn open_at(doors: Doors) -> io::Result<Tour> {
        let (gopher, ftp) = (listen(doors.gopher).await?, listen(doors.ftp).await?);
        let (news, web) = (listen(doors.news).await?, listen(doors.web).await?);
        let (gemini, keys) = (listen(doors.gemini).await?, gemini::keys()?);
        let port = |listener: &TcpListener| listener.local_addr().map(|address| address.port());
        let doors = Doors {
            gopher: port(&gopher)?,
            ftp: port(&ftp)?,
            news: port(&news)?,
            web: port(&web)?,
            gemini: port(&gemini)?,
        };
        let mut servers = JoinSet::new();
        servers.spawn(gopher::serve(gopher, doors));
        servers.spawn(ftp::serve(ftp, doors));
        servers.spawn(news::serve(news, doors));
        servers.spawn(web::serve(web, doors));
        servers.spawn(gemini::serve(gemini, keys));
        Ok(Tour { doors, _servers: servers })
    }

    /// Where the servers listen.
    pub fn doors(&self) -> Doors {
        self.doors
    }
}

/// Percent-decoding: `%` and two digits are an octet.
fn decoded(text: &str) -> Vec<u8> {
    let octets = text.as_bytes();
    let mut out = Vec::with_capacity(octets.len());
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        let code = octets.get(at + 1..at + 3).filter(|_| octet == b'%');
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        out.push(code.unwrap_or(octet));
        at += if code.is_some() { 3 } else { 1 };
    }
    out
}

/// Listens on a port of this machine. One that this program has just closed is taken for a moment more while a child of it starts:
/// until the child is the program that it will be, it has what its parent had.
async fn listen(port: u16) -> io::Result<TcpListener> {
    for _ in 0..TRIES {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => tokio::time::sleep(PAUSE).await,
            other => return other,
        }
    }
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

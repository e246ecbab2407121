//! Servers of every protocol whose answers a check makes up, and which keep each octet that they were sent.

use crate::door::Door;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long a server waits for a client that says nothing; only a check that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(30);

trait Duplex: Read + Write + Send {}
impl<T: Read + Write + Send> Duplex for T {}

/// A connection, from the server's side.
pub struct Visit {
    stream: Box<dyn Duplex>,
    raw: TcpStream,
    waiting: Vec<u8>,
    number: usize,
    heard: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Visit {
    /// The next line without its end; none when the other side has gone.
    pub fn line(&mut self) -> Option<String> {
        let line = self.until(b"\n")?;
        let text: String = line.iter().map(|&octet| octet as char).collect();
        Some(text.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// What comes up to an end, which may be the first that a client says.
    pub fn until(&mut self, end: &[u8]) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = self.waiting.windows(end.len()).position(|here| here == end) {
                return Some(self.waiting.drain(..at + end.len()).collect());
            }
            self.more()?;
        }
    }

    /// Waits for something; none when the other side has gone.
    pub fn more(&mut self) -> Option<()> {
        let mut octets = [0; 4096];
        let count = self.stream.read(&mut octets).ok().filter(|count| *count > 0)?;
        self.waiting.extend_from_slice(&octets[..count]);
        self.heard.lock().unwrap()[self.number].extend_from_slice(&octets[..count]);
        Some(())
    }

    /// Answers; whether the other side was there to hear it.
    pub fn say(&mut self, octets: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(octets.as_ref()).is_ok() && self.stream.flush().is_ok()
    }

    /// Begins TLS, as a server that was asked for it does.
    pub fn secure(&mut self, tls: Arc<ServerConfig>) {
        let clear = self.raw.try_clone().unwrap();
        self.stream = Box::new(StreamOwned::new(ServerConnection::new(tls).unwrap(), clear));
    }

    /// Reads what was sent and not looked at, then says that nothing more comes.
    fn close(mut self) {
        let _ = self.raw.shutdown(Shutdown::Write);
        let _ = self.raw.set_read_timeout(Some(Duration::from_secs(5)));
        while self.more().is_some() {}
    }
}

/// A running server.
pub struct Host {
    pub port: u16,
    heard: Arc<Mutex<Vec<Vec<u8>>>>,
    _door: Door,
}

impl Host {
    /// A server that does with each visit as it is told.
    pub fn start(serve: impl Fn(&mut Visit) + Send + Sync + 'static) -> Host {
        Host::at(TcpListener::bind("127.0.0.1:0").unwrap(), None, serve)
    }

    /// The same on a port of the check's choice, perhaps over TLS.
    pub fn at(
        listener: TcpListener,
        tls: Option<Arc<ServerConfig>>,
        serve: impl Fn(&mut Visit) + Send + Sync + 'static,
    ) -> Host {
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (door, visitors) = Door::open(listener);
        let (kept, serve) = (Arc::clone(&heard), Arc::new(serve));
        std::thread::spawn(move || {
            for (number, raw) in visitors.enumerate() {
                kept.lock().unwrap().push(Vec::new());
                let (heard, serve, tls) = (Arc::clone(&kept), Arc::clone(&serve), tls.clone());
                std::thread::spawn(move || {
                    let _ = raw.set_read_timeout(Some(PATIENCE));
                    let _ = raw.set_nodelay(true);
                    let clear = raw.try_clone().unwrap();
                    let stream: Box<dyn Duplex> = match tls {
                        None => Box::new(clear),
                        Some(tls) => Box::new(StreamOwned::new(ServerConnection::new(tls).unwrap(), clear)),
                    };
                    let mut visit = Visit { stream, raw, waiting: Vec::new(), number, heard };
                    serve(&mut visit);
                    visit.close();
                });
            }
        });
        Host { port, heard, _door: door }
    }

    /// What was sent to it, visit by visit.
    pub fn heard(&self) -> Vec<Vec<u8>> {
        self.heard.lock().unwrap().clone()
    }

    /// A gopher server: the request line gives the answer.
    pub fn gopher(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Host {
        Host::start(move |visit| {
            if let Some(line) = visit.line() {
                let answer = answer(&line);
                visit.say(answer);
            }
        })
    }

    /// A web server: target and head give the answer, one for each connection.
    pub fn web(answer: impl Fn(&str, &str) -> Vec<u8> + Send + Sync + 'static) -> Host {
        Host::start(move |visit| serve_web(visit, &answer))
    }

    /// An FTP server: verb, argument and the user of the session give an answer in place of the usual one.
    pub fn ftp(answer: impl Fn(&str, &str, &str) -> Option<Said> + Send + Sync + 'static) -> Host {
        Host::start(move |visit| serve_ftp(visit, &answer))
    }

    /// A news server: a command and the group of the session give an answer in place of the usual one; the empty
    /// command is the greeting.
    pub fn news(answer: impl Fn(&str, &str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Host {
        Host::start(move |visit| serve_news(visit, &answer))
    }
}

/// Serves one request of the web.
pub fn serve_web(visit: &mut Visit, answer: &dyn Fn(&str, &str) -> Vec<u8>) {
    if let Some(head) = visit.until(b"\r\n\r\n") {
        let head = String::from_utf8_lossy(&head).into_owned();
        let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
        visit.say(answer(&target, &head));
    }
}

/// An answer of HTTP whose head has more fields, each with its line end.
pub fn page(fields: impl AsRef<[u8]>, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    [length.as_bytes(), fields.as_ref(), b"\r\n", body].concat()
}

/// A page of HTML.
pub fn html(body: impl AsRef<[u8]>) -> Vec<u8> {
    page("Content-Type: text/html; charset=utf-8\r\n", body)
}

/// What an FTP server says to a command.
pub enum Said {
    /// A reply, with its line ends.
    Reply(Vec<u8>),
    /// Data, between the usual replies.
    Data(Vec<u8>),
}

/// Serves a session of FTP.
pub fn serve_ftp(visit: &mut Visit, answer: &dyn Fn(&str, &str, &str) -> Option<Said>) {
    let (mut line, mut user, mut offered) = (String::new(), String::new(), None::<TcpListener>);
    loop {
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let verb = verb.to_ascii_uppercase();
        if verb == "USER" {
            user = rest.to_owned();
        }
        let own = answer(&verb, rest, &user);
        let data = match own {
            Some(Said::Reply(reply)) => {
                visit.say(reply);
                None
            }
            Some(Said::Data(data)) => Some(data),
            None => {
                let usual: &str = match verb.as_str() {
                    "" => "220 ready\r\n",
                    "USER" => "331 who says so?\r\n",
                    "PASS" => "230 welcome\r\n",
                    "PWD" => "257 \"/\"\r\n",
                    "CWD" => "250 there you are\r\n",
                    "TYPE" | "OPTS" => "200 so be it\r\n",
                    "EPSV" => {
                        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
                        let port = listener.local_addr().unwrap().port();
                        offered = Some(listener);
                        visit.say(format!("229 come (|||{port}|)\r\n"));
                        ""
                    }
                    "RETR" | "LIST" => "data",
                    _ => "500 what?\r\n",
                };
                (usual == "data").then(|| b"a text\r\n".to_vec()).or_else(|| {
                    visit.say(usual);
                    None
                })
            }
        };
        if let Some(data) = data {
            visit.say("150 here it comes\r\n");
            if let Some((mut wire, _)) = offered.take().and_then(|listener| listener.accept().ok()) {
                let _ = wire.write_all(&data);
            }
            visit.say("226 that was all\r\n");
        }
        match visit.line() {
            Some(next) => line = next,
            None => return,
        }
    }
}

/// Serves a session of news.
pub fn serve_news(visit: &mut Visit, answer: &dyn Fn(&str, &str) -> Option<Vec<u8>>) {
    let (mut line, mut group) = (Some(String::new()), String::new());
    while let Some(said) = line {
        if let Some(name) = said.strip_prefix("GROUP ") {
            group = name.to_owned();
        }
        let own = answer(&said, &group);
        let verb = said.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        let usual = || -> Vec<u8> {
            match verb.as_str() {
                "" => "200 ready\r\n",
                "MODE" => "200 go on\r\n",
                "DATE" => "111 20250102030405\r\n",
                "GROUP" => "211 1 1 1 group\r\n",
                "AUTHINFO" if said.to_ascii_uppercase().contains("USER") => "381 who says so?\r\n",
                "AUTHINFO" => "281 welcome\r\n",
                "QUIT" => "205 bye\r\n",
                _ => "500 what?\r\n",
            }
            .into()
        };
        let closes = own.as_ref().is_some_and(|own| own.starts_with(b"400"));
        if !visit.say(own.unwrap_or_else(usual)) || closes || verb == "QUIT" {
            return;
        }
        line = visit.line();
    }
}

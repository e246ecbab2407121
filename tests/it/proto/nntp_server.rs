//! A news server: what it does for a command is a list of steps, the same on every visit or not, and every command is kept.

use super::server::PATIENCE;
use crate::door::Door;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// One thing that it does.
#[derive(Debug, Clone)]
pub enum Do {
    /// Sends.
    Say(Vec<u8>),
    /// Sends octet by octet.
    Trickle(Vec<u8>),
    /// Sends the same again and again until the other side has had enough.
    Forever(Vec<u8>),
    /// Begins TLS.
    Secure,
    /// Deflates from here on.
    Deflate,
    /// Waits until the other side closes.
    Wait,
    /// Closes.
    Close,
}

pub fn say(octets: impl AsRef<[u8]>) -> Vec<Do> {
    vec![Do::Say(octets.as_ref().to_vec())]
}

/// Answers by the whole line, its first two words, its first word; "" is the greeting, "." what is said to an article.
pub type Answers<'a> = &'a [(&'a str, Vec<Do>)];

/// A running server.
pub struct News {
    pub port: u16,
    log: Arc<Log>,
    _door: Door,
}

#[derive(Default)]
struct Log {
    /// What was sent in each visit, and how many visits go on.
    visits: Mutex<(Vec<Vec<Vec<u8>>>, usize)>,
    ended: Condvar,
}

impl News {
    pub fn start(answers: Answers) -> News {
        News::run(&[answers], None)
    }

    /// A server with other answers on each visit; the last ones stay.
    pub fn changing(visits: &[Answers]) -> News {
        News::run(visits, None)
    }

    /// TLS from the first octet.
    pub fn implicit(answers: Answers, config: Arc<ServerConfig>) -> News {
        let greeting = answers.iter().find(|(line, _)| line.is_empty());
        let greeting = greeting.map_or(say("200 ready\r\n"), |(_, steps)| steps.clone());
        let greeting = ("", [vec![Do::Secure], greeting].concat());
        let others = answers.iter().filter(|(line, _)| !line.is_empty()).cloned();
        News::run(&[&std::iter::once(greeting).chain(others).collect::<Vec<_>>()], Some(config))
    }

    pub fn run(visits: &[Answers], tls: Option<Arc<ServerConfig>>) -> News {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Log::default());
        let owned =
            |answers: &Answers| answers.iter().map(|(line, steps)| ((*line).to_owned(), steps.clone())).collect();
        let visits: Vec<Vec<_>> = visits.iter().map(owned).collect();
        let kept = log.clone();
        let (door, visitors) = Door::open(listener);
        std::thread::spawn(move || {
            for (number, tcp) in visitors.enumerate() {
                tcp.set_read_timeout(Some(PATIENCE)).unwrap();
                tcp.set_nodelay(true).unwrap();
                {
                    let mut visits = kept.visits.lock().unwrap();
                    visits.0.push(Vec::new());
                    visits.1 += 1;
                }
                let answers = visits[number.min(visits.len() - 1)].clone();
                let (log, tls) = (kept.clone(), tls.clone());
                std::thread::spawn(move || {
                    Visit { io: Io::Clear(tcp), flate: None, input: Vec::new(), tls, answers }.serve(&log, number);
                    log.visits.lock().unwrap().1 -= 1;
                    log.ended.notify_all();
                });
            }
        });
        News { port, log, _door: door }
    }

    pub fn url(&self, path: &str) -> String {
        format!("news://127.0.0.1:{}/{path}", self.port)
    }

    /// Waits for the end of all visits; what each was sent, one character for each octet.
    pub fn visits(self) -> Vec<Vec<String>> {
        let visits = self.log.visits.lock().unwrap();
        let (visits, late) = self.log.ended.wait_timeout_while(visits, PATIENCE, |visits| visits.1 > 0).unwrap();
        assert!(!late.timed_out(), "a visit does not end: {:?}", visits.0);
        let text = |line: &Vec<u8>| line.iter().map(|&octet| octet as char).collect();
        visits.0.iter().map(|lines| lines.iter().map(text).collect()).collect()
    }

    /// The commands of the only visit.
    pub fn commands(self) -> Vec<String> {
        let visits = self.visits();
        assert_eq!(visits.len(), 1, "{visits:?}");
        visits[0].clone()
    }
}

enum Io {
    Clear(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
    Gone,
}

struct Visit {
    io: Io,
    flate: Option<(Decompress, Compress)>,
    input: Vec<u8>,
    tls: Option<Arc<ServerConfig>>,
    answers: Vec<(String, Vec<Do>)>,
}

impl Visit {
    fn serve(mut self, log: &Log, number: usize) {
        let mut line = Some(String::new());
        while let Some(command) = line {
            for step in self.answer(&command) {
                if !self.take(step) {
                    return self.close();
                }
            }
            let end: &[u8] = if command == "POST" && self.answers_with_340() { b"\r\n.\r\n" } else { b"\r\n" };
            line = self.until(end).map(|octets| {
                log.visits.lock().unwrap().0[number].push(octets.clone());
                if end.len() > 2 { ".".into() } else { octets.iter().map(|&octet| octet as char).collect() }
            });
        }
    }

    fn answers_with_340(&self) -> bool {
        !self.answers.iter().any(|(line, _)| line == "POST")
    }

    fn answer(&self, line: &str) -> Vec<Do> {
        let mut words = line.splitn(3, ' ');
        let verb = words.next().unwrap();
        let two = format!("{verb} {}", words.next().unwrap_or_default());
        let own = |key: &str| self.answers.iter().find(|(line, _)| line == key).map(|(_, steps)| steps.clone());
        own(line).or_else(|| own(&two)).or_else(|| own(verb)).unwrap_or_else(|| match (verb, two.as_str()) {
            ("", _) => say("200 ready\r\n"),
            ("MODE", _) => say("200 go on\r\n"),
            ("GROUP", _) => say("211 2 1 2 group\r\n"),
            ("OVER" | "XOVER", _) => say(OVERVIEW),
            ("ARTICLE", _) => say("220 1 article\r\nSubject: x\r\n\r\n..dots\r\n.\r\n"),
            ("DATE", _) => say("111 20250102030405\r\n"),
            ("POST", _) => say("340 send it\r\n"),
            (".", _) => say("240 taken\r\n"),
            (_, "AUTHINFO USER") => say("381 who says so?\r\n"),
            (_, "AUTHINFO PASS") => say("281 welcome\r\n"),
            (_, "LIST ACTIVE") => say("215 list\r\na.b 0000000009 0000000003 y\r\na.c 0 1 m\r\n.\r\n"),
            (_, "LIST NEWSGROUPS") => say("215 list\r\na.b\tAbout b.\r\na.c  About  c.\r\n.\r\n"),
            _ => say("500 what?\r\n"),
        })
    }

    fn take(&mut self, step: Do) -> bool {
        match step {
            Do::Say(octets) => self.send(&octets),
            Do::Trickle(octets) => octets.chunks(1).all(|octet| self.send(octet)),
            Do::Forever(octets) => {
                while self.send(&octets) {}
                false
            }
            Do::Secure => {
                let Io::Clear(tcp) = std::mem::replace(&mut self.io, Io::Gone) else { return false };
                let connection = ServerConnection::new(self.tls.clone().expect("a certificate")).unwrap();
                self.io = Io::Tls(Box::new(StreamOwned::new(connection, tcp)));
                true
            }
            Do::Deflate => {
                self.flate = Some((Decompress::new(false), Compress::new(Compression::fast(), false)));
                true
            }
            Do::Wait => {
                while self.more() {}
                false
            }
            Do::Close => false,
        }
    }

    fn send(&mut self, octets: &[u8]) -> bool {
        let mut coded = Vec::with_capacity(octets.len() + 1024);
        let octets = match &mut self.flate {
            None => octets,
            Some((_, deflate)) => {
                deflate.compress_vec(octets, &mut coded, FlushCompress::Sync).unwrap();
                &coded
            }
        };
        match &mut self.io {
            Io::Clear(tcp) => tcp.write_all(octets).is_ok(),
            Io::Tls(tls) => tls.write_all(octets).is_ok() && tls.flush().is_ok(),
            Io::Gone => false,
        }
    }

    fn more(&mut self) -> bool {
        let mut buffer = [0; 4096];
        let read = match &mut self.io {
            Io::Clear(tcp) => tcp.read(&mut buffer),
            Io::Tls(tls) => tls.read(&mut buffer),
            Io::Gone => return false,
        };
        let Ok(count @ 1..) = read else { return false };
        match &mut self.flate {
            None => self.input.extend_from_slice(&buffer[..count]),
            Some((inflate, _)) => {
                self.input.reserve(64 * 1024);
                inflate.decompress_vec(&buffer[..count], &mut self.input, FlushDecompress::Sync).unwrap();
            }
        }
        true
    }

    /// What comes before this end.
    fn until(&mut self, end: &[u8]) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = self.input.windows(end.len()).position(|window| window == end) {
                let octets = self.input[..at].to_vec();
                self.input.drain(..at + end.len());
                return Some(octets);
            }
            if !self.more() {
                return None;
            }
        }
    }

    fn close(&mut self) {
        match &mut self.io {
            Io::Clear(tcp) => drop(tcp.shutdown(Shutdown::Write)),
            Io::Tls(tls) => {
                tls.conn.send_close_notify();
                let _ = tls.flush();
            }
            Io::Gone => {}
        }
    }
}

/// Two lines in the usual order.
pub const OVERVIEW: &str = "224 here\r\n\
    1\tOne\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t\t100\t3\tXref: h group:1\r\n\
    2\tRe: One\tyou@h\tThu, 2 Jan 2025 11:00:00 GMT\t<2@h>\t<1@h>\t200\t4\tXref: h group:2 other:7\r\n\
    .\r\n";

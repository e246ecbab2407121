//! An FTP server for so many connections: what it does for a command is a list of steps, and every command is kept.

use super::server::PATIENCE;
use crate::door::Door;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};

/// One thing that it does.
#[derive(Debug, Clone)]
pub enum Do {
    /// Answers on the control connection.
    Say(Vec<u8>),
    /// Opens a port for data and says so; `{port}`, `{p1}` and `{p2}` stand for it.
    Offer(&'static str),
    /// Sends so much data.
    Data(Vec<u8>),
    /// Ends the data connection.
    EndData,
    /// Sends the same data again and again until the other side has had enough.
    DataForever(Vec<u8>),
    /// Answers with the same again and again until the other side has had enough.
    SayForever(Vec<u8>),
    /// Takes what is sent, to its end.
    Take,
    /// Takes so many octets of what is sent.
    TakeSome(usize),
    /// Answers otherwise from now on to a command.
    Then(&'static str, Vec<Do>),
    /// Begins TLS.
    Secure,
    /// Waits until the other side closes.
    Wait,
    /// Closes everything.
    Close,
}

pub fn say(octets: impl AsRef<[u8]>) -> Vec<Do> {
    vec![Do::Say(octets.as_ref().to_vec())]
}

/// A whole transfer.
pub fn transfer(octets: impl AsRef<[u8]>) -> Vec<Do> {
    let say = |words: &str| Do::Say(words.into());
    vec![say("150 here it comes\r\n"), Do::Data(octets.as_ref().to_vec()), Do::EndData, say("226 that was all\r\n")]
}

/// A whole transfer the other way.
pub fn take() -> Vec<Do> {
    vec![Do::Say("150 go ahead\r\n".into()), Do::Take, Do::EndData, Do::Say("226 got it\r\n".into())]
}

/// Its own answers to some commands, named by the whole line, its verb, or "" for the greeting.
pub type Answers<'a> = [(&'a str, Vec<Do>)];

/// A running server.
pub struct Ftp {
    pub port: u16,
    /// For each connection.
    commands: Arc<Mutex<Vec<Vec<Vec<u8>>>>>,
    /// What was sent to it, of all data connections.
    taken: Arc<Mutex<Vec<u8>>>,
    done: Receiver<()>,
    _door: Door,
}

impl Ftp {
    /// A server for one connection.
    pub fn start(answers: &Answers<'_>) -> Ftp {
        Ftp::run(&[answers], here(), None)
    }

    /// A server for several connections, one after the other or at once.
    pub fn several(connections: &[&Answers<'_>]) -> Ftp {
        Ftp::run(connections, here(), None)
    }

    /// A server that has a certificate, for `Do::Secure` and the data connections after it.
    pub fn secure(answers: &Answers<'_>, config: Arc<ServerConfig>) -> Ftp {
        Ftp::run(&[answers], here(), Some(config))
    }

    /// A server for one connection, on a port that was found before, with TLS from the first octet.
    pub fn implicit(listener: TcpListener, answers: &Answers<'_>, config: Arc<ServerConfig>) -> Ftp {
        let greeting = ("", vec![Do::Secure, Do::Say("220 ready\r\n".into())]);
        Ftp::run(&[&[&[greeting], answers].concat()], listener, Some(config))
    }

    fn run(connections: &[&Answers<'_>], listener: TcpListener, tls: Option<Arc<ServerConfig>>) -> Ftp {
        let port = listener.local_addr().unwrap().port();
        let commands = Arc::new(Mutex::new(vec![Vec::new(); connections.len()]));
        let (finished, done) = channel();
        let log = commands.clone();
        let taken = Arc::new(Mutex::default());
        let kept = Arc::clone(&taken);
        let own = |answers: &&Answers<'_>| answers.iter().map(|(l, steps)| ((*l).to_owned(), steps.clone())).collect();
        let connections: Vec<Vec<_>> = connections.iter().map(own).collect();
        let (door, visitors) = Door::open(listener);
        std::thread::spawn(move || {
            for ((at, answers), tcp) in connections.into_iter().enumerate().zip(visitors) {
                tcp.set_read_timeout(Some(PATIENCE)).unwrap();
                tcp.set_nodelay(true).unwrap();
                let host = tcp.local_addr().unwrap().ip();
                let control = BufReader::new(Stream::Clear(tcp));
                let (offered, data, secure, taken) = (None, None, false, Arc::clone(&kept));
                let visit = Visit { host, control, offered, data, taken, secure, tls: tls.clone(), answers };
                let (log, finished) = (log.clone(), finished.clone());
                std::thread::spawn(move || {
                    visit.serve(&|octets| log.lock().unwrap()[at].push(octets));
                    drop(finished);
                });
            }
        });
        Ftp { port, commands, taken, done, _door: door }
    }

    pub fn url(&self, path: &str) -> String {
        format!("ftp://127.0.0.1:{}/{path}", self.port)
    }

    /// What was sent to it.
    pub fn taken(&self) -> Vec<u8> {
        self.taken.lock().unwrap().clone()
    }

    /// Waits for the end of all connections; the commands that matter, one character for each octet.
    pub fn commands(self) -> Vec<String> {
        self.connections().concat()
    }

    /// The same for each connection.
    pub fn connections(self) -> Vec<Vec<String>> {
        const LEFT_OUT: &[&str] = &["SYST", "FEAT", "OPTS UTF8 ON", "PWD", "EPSV", "PASV"];
        let mut all = self.every_command();
        all.iter_mut().for_each(|lines| lines.retain(|line| !LEFT_OUT.contains(&line.as_str())));
        all
    }

    /// Waits for the end of all connections; all commands.
    pub fn all_commands(self) -> Vec<String> {
        self.every_command().concat()
    }

    fn every_command(self) -> Vec<Vec<String>> {
        let hangs = self.done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        assert!(!hangs, "the visits do not end: {:?}", self.commands.lock().unwrap());
        let commands = self.commands.lock().unwrap();
        let text = |line: &Vec<u8>| line.iter().map(|&octet| octet as char).collect();
        commands.iter().map(|lines| lines.iter().map(text).collect()).collect()
    }
}

fn here() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

#[derive(Debug)]
enum Stream {
    Clear(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
    Gone,
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Stream::Clear(tcp) => tcp.read(buffer),
            Stream::Tls(tls) => tls.read(buffer),
            Stream::Gone => Ok(0),
        }
    }
}

impl Stream {
    fn send(&mut self, octets: &[u8]) -> bool {
        match self {
            Stream::Clear(tcp) => tcp.write_all(octets).is_ok(),
            Stream::Tls(tls) => tls.write_all(octets).is_ok() && tls.flush().is_ok(),
            Stream::Gone => false,
        }
    }

    fn close(&mut self) {
        match self {
            Stream::Clear(tcp) => drop(tcp.shutdown(Shutdown::Write)),
            Stream::Tls(tls) => {
                tls.conn.send_close_notify();
                let _ = tls.flush();
            }
            Stream::Gone => {}
        }
        *self = Stream::Gone;
    }
}

fn tls(tcp: TcpStream, config: Arc<ServerConfig>) -> Stream {
    Stream::Tls(Box::new(StreamOwned::new(ServerConnection::new(config).unwrap(), tcp)))
}

struct Visit {
    /// Where it is reached, for data as well.
    host: IpAddr,
    control: BufReader<Stream>,
    offered: Option<TcpListener>,
    data: Option<Stream>,
    taken: Arc<Mutex<Vec<u8>>>,
    secure: bool,
    tls: Option<Arc<ServerConfig>>,
    answers: Vec<(String, Vec<Do>)>,
}

impl Visit {
    fn serve(mut self, log: &dyn Fn(Vec<u8>)) {
        let mut line = String::new();
        loop {
            for step in self.answer(&line) {
                if !self.take(step) {
                    self.control.get_mut().close();
                    return;
                }
            }
            let mut octets = Vec::new();
            if self.control.read_until(b'\n', &mut octets).unwrap_or(0) == 0 {
                return;
            }
            octets.truncate(octets.len().saturating_sub(2));
            line = octets.iter().map(|&octet| octet as char).collect();
            log(octets);
        }
    }

    fn answer(&self, line: &str) -> Vec<Do> {
        let verb = line.split(' ').next().unwrap();
        let own = |key: &str| self.answers.iter().find(|(line, _)| line == key).map(|(_, steps)| steps.clone());
        own(line).or_else(|| own(verb)).unwrap_or_else(|| match verb {
            "" => say("220 ready\r\n"),
            "USER" => say("331 who says so?\r\n"),
            "PASS" => say("230 welcome\r\n"),
            "CWD" => say("250 there you are\r\n"),
            "TYPE" | "PBSZ" | "PROT" => say("200 so be it\r\n"),
            "EPSV" => vec![Do::Offer("229 come (|||{port}|)\r\n")],
            "PASV" => vec![Do::Offer("227 come (127,0,0,1,{p1},{p2})\r\n")],
            "RETR" => transfer("a text\r\n"),
            "LIST" => transfer("-rw-r--r--   1 ftp  ftp   14 Nov 21 03:01 index.txt\r\n"),
            _ => say("500 what?\r\n"),
        })
    }

    fn take(&mut self, step: Do) -> bool {
        match step {
            Do::Say(octets) => self.control.get_mut().send(&octets),
            Do::Offer(words) => {
                let listener = TcpListener::bind((self.host, 0)).unwrap();
                let port = listener.local_addr().unwrap().port();
                self.offered = Some(listener);
                let [p1, p2] = port.to_be_bytes();
                let words = words.replace("{port}", &port.to_string());
                let words = words.replace("{p1}", &p1.to_string()).replace("{p2}", &p2.to_string());
                self.control.get_mut().send(words.as_bytes())
            }
            Do::Data(octets) => self.data().send(&octets),
            Do::EndData => {
                self.data().close();
                self.data = None;
                true
            }
            Do::Take => {
                let mut octets = Vec::new();
                let whole = self.data().read_to_end(&mut octets).is_ok();
                self.taken.lock().unwrap().extend(octets);
                whole
            }
            Do::TakeSome(count) => {
                let mut octets = vec![0; count];
                let came = self.data().read_exact(&mut octets).is_ok();
                self.taken.lock().unwrap().extend(octets);
                came
            }
            Do::Then(key, steps) => {
                self.answers.retain(|(line, _)| line != key);
                self.answers.push((key.to_owned(), steps));
                true
            }
            Do::DataForever(octets) => {
                while self.data().send(&octets) {}
                true
            }
            Do::SayForever(octets) => {
                while self.control.get_mut().send(&octets) {}
                false
            }
            Do::Secure => {
                let Stream::Clear(tcp) = std::mem::replace(self.control.get_mut(), Stream::Gone) else { return false };
                *self.control.get_mut() = tls(tcp, self.tls.clone().expect("a certificate"));
                self.secure = true;
                true
            }
            Do::Wait => {
                let _ = self.control.read_to_end(&mut Vec::new());
                false
            }
            Do::Close => false,
        }
    }

    fn data(&mut self) -> &mut Stream {
        if self.data.is_none() {
            let (tcp, _) = self.offered.take().expect("a port for data").accept().unwrap();
            tcp.set_read_timeout(Some(PATIENCE)).unwrap();
            self.data = Some(if self.secure { tls(tcp, self.tls.clone().unwrap()) } else { Stream::Clear(tcp) });
        }
        self.data.as_mut().unwrap()
    }
}

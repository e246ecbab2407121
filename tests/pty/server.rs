//! A small gopher server for journeys: selectors lead to answers, each visit has a thread of its own.

use crate::door::Door;
use std::collections::HashMap;
use std::io::Write;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// What a selector leads to.
#[derive(Debug, Clone)]
pub enum Answer {
    /// All of it, and the end.
    Whole(Vec<u8>),
    /// A part, then nothing until the test releases the server, then the rest.
    Stalled(Vec<u8>, Vec<u8>),
    /// A part, then a reset connection.
    Dropped(Vec<u8>),
    /// The same again and again until the other side has had enough.
    Endless(Vec<u8>),
}

/// `Answer::Whole`, shorter.
pub fn whole(octets: impl AsRef<[u8]>) -> Answer {
    Answer::Whole(octets.as_ref().to_vec())
}

/// A running server.
pub struct Server {
    port: u16,
    shared: Arc<Shared>,
    _door: Door,
}

#[derive(Default)]
struct Shared {
    answers: Mutex<HashMap<Vec<u8>, Answer>>,
    asked: Mutex<Vec<String>>,
    released: Mutex<bool>,
    changed: Condvar,
}

impl Server {
    /// A server with answers by selector; `{port}` in an answer is its own port.
    pub fn start(answers: Vec<(&str, Answer)>) -> Server {
        Server::on(TcpListener::bind("127.0.0.1:0").unwrap(), answers)
    }

    /// The same on a port of the test's choice.
    pub fn on(listener: TcpListener, answers: Vec<(&str, Answer)>) -> Server {
        let port = listener.local_addr().unwrap().port();
        let (door, visitors) = Door::open(listener);
        let server = Server { port, shared: Arc::default(), _door: door };
        for (selector, answer) in answers {
            server.answer(selector, answer);
        }
        let shared = Arc::clone(&server.shared);
        std::thread::spawn(move || {
            for visitor in visitors {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || serve(&visitor, &shared));
            }
        });
        server
    }

    /// Answers a selector so from now on.
    pub fn answer(&self, selector: &str, answer: Answer) {
        let own = |octets: Vec<u8>| replace(&octets, b"{port}", self.port.to_string().as_bytes());
        let answer = match answer {
            Answer::Whole(all) => Answer::Whole(own(all)),
            Answer::Stalled(part, rest) => Answer::Stalled(own(part), own(rest)),
            Answer::Dropped(part) => Answer::Dropped(own(part)),
            Answer::Endless(part) => Answer::Endless(own(part)),
        };
        self.shared.answers.lock().unwrap().insert(selector.into(), answer);
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// A URL on this server; `path` begins with the type.
    pub fn url(&self, path: &str) -> String {
        format!("gopher://127.0.0.1:{}/{path}", self.port)
    }

    /// Lets all that is stalled go on, now and later.
    pub fn release(&self) {
        *self.shared.released.lock().unwrap() = true;
        self.shared.changed.notify_all();
    }

    /// Every line that was asked so far.
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap().clone()
    }
}

fn serve(visitor: &TcpStream, shared: &Shared) {
    // Looked at, not taken: what is left unread makes a close a reset.
    let mut request = [0; 4096];
    let line = loop {
        let Ok(seen @ 1..) = visitor.peek(&mut request) else { return };
        if let Some(end) = request[..seen].windows(2).position(|two| two == b"\r\n") {
            break request[..end].to_vec();
        }
    };
    shared.asked.lock().unwrap().push(String::from_utf8_lossy(&line).into_owned());
    let answer = shared.answers.lock().unwrap().get(&line).cloned();
    let mut out = visitor;
    match answer {
        None => {
            let _ = out.write_all(b"3Nothing of this name here\t\terror.invalid\t1\r\n.\r\n");
        }
        Some(Answer::Whole(all)) => {
            let _ = out.write_all(&all);
        }
        Some(Answer::Stalled(part, rest)) => {
            let _ = out.write_all(&part);
            let held = shared.released.lock().unwrap();
            drop(shared.changed.wait_while(held, |released| !*released).unwrap());
            let _ = out.write_all(&rest);
        }
        Some(Answer::Dropped(part)) => {
            let _ = out.write_all(&part);
            return;
        }
        Some(Answer::Endless(part)) => while out.write_all(&part).is_ok() {},
    }
    let _ = std::io::Read::read(&mut out, &mut request[..line.len() + 2]);
    let _ = out.shutdown(Shutdown::Write);
}

fn replace(octets: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some(at) = rest.windows(from.len()).position(|here| here == from) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    out.extend_from_slice(rest);
    out
}

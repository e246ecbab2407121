//! A small web server for runs of the program: paths lead to answers, each visit is one connection.

use crate::door::Door;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A running server.
pub(super) struct Web {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
    _door: Door,
}

impl Web {
    /// A server with answers by path: status line with further fields, and body. Whatever else is not found.
    pub(super) fn start(answers: &[(&str, &str, &str)]) -> Web {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let owned = |(path, head, body): &(&str, &str, &str)| (path.to_string(), head.to_string(), body.to_string());
        let (answers, seen): (Vec<_>, _) = (answers.iter().map(owned).collect(), Arc::clone(&heads));
        let (door, visitors) = Door::open(listener);
        std::thread::spawn(move || {
            for mut stream in visitors {
                let lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
                let head: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
                let Some(path) = head.first().and_then(|first| first.split(' ').nth(1)) else { continue };
                let found = answers.iter().find(|(known, _, _)| known == path);
                let (status, body) =
                    found.map_or(("404 Not Found", "no"), |(_, status, body)| (status.as_str(), body.as_str()));
                let media = if status.contains("Content-Type") { "" } else { "Content-Type: text/html\r\n" };
                seen.lock().expect("the heads").push(head.join("\n"));
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status}\r\n{media}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
            }
        });
        Web { port, heads, _door: door }
    }

    /// A URL on it.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The heads of all requests so far.
    pub(super) fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("the heads").clone()
    }

    /// The paths that were asked for so far.
    pub(super) fn asked(&self) -> Vec<String> {
        self.heads().iter().filter_map(|head| head.split(' ').nth(1)).map(str::to_owned).collect()
    }
}

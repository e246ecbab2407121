//! A visitor who says whatever it likes.

use crate::proto::client::in_one;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use wayfarer::proto::{Context, Request};
use wayfarer::tour::{Doors, Tour};
use wayfarer::url::Url;

/// Runs something while the servers do.
pub fn on_tour<T, F: Future<Output = T>>(visit: impl FnOnce(Doors) -> F) -> T {
    in_one(async {
        let tour = Tour::open().await.unwrap();
        let seen = visit(tour.doors()).await;
        drop(tour);
        seen
    })
}

/// What an address brings.
pub async fn fetch(url: &str) -> crate::proto::client::Outcome {
    fetch_as(&Request::new(Url::parse(url).unwrap())).await
}

/// Likewise, on a connection of its own.
pub async fn fetch_as(request: &Request) -> crate::proto::client::Outcome {
    let context: Context = crate::proto::client::context();
    crate::proto::client::converse(request, &context, wayfarer::proto::Verdict::Accept, |_| {}).await
}

/// A raw connection.
pub struct Raw(BufReader<TcpStream>);

impl Raw {
    /// Connects, and hears the greeting.
    pub async fn to(port: u16) -> (Raw, String) {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let mut raw = Raw(BufReader::new(stream));
        let greeting = raw.line().await;
        (raw, greeting)
    }

    /// A line without its end, octets as characters.
    pub async fn line(&mut self) -> String {
        let mut line = Vec::new();
        self.0.read_until(b'\n', &mut line).await.unwrap();
        let line = line.strip_suffix(b"\r\n").unwrap_or_else(|| panic!("no line: {line:?}"));
        line.iter().map(|octet| char::from(*octet)).collect()
    }

    /// Says octets as they are.
    pub async fn send(&mut self, octets: &[u8]) {
        self.0.write_all(octets).await.unwrap();
    }

    /// Says a line and hears one.
    pub async fn ask(&mut self, line: &str) -> String {
        self.send(line.as_bytes()).await;
        self.send(b"\r\n").await;
        self.line().await
    }

    /// The last line of an FTP reply.
    pub async fn last(&mut self, line: &str) -> String {
        let mut heard = self.ask(line).await;
        while heard.as_bytes()[3] == b'-' || !heard.as_bytes()[..3].iter().all(u8::is_ascii_digit) {
            heard = self.line().await;
        }
        heard
    }

    /// The lines of a block after its first line, unstuffed.
    pub async fn block(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line().await {
                line if line == "." => return lines,
                line => lines.push(line.strip_prefix('.').map(str::to_owned).unwrap_or(line)),
            }
        }
    }

    /// Everything until the end.
    pub async fn rest(&mut self) -> Vec<u8> {
        let mut octets = Vec::new();
        self.0.read_to_end(&mut octets).await.unwrap();
        octets
    }
}

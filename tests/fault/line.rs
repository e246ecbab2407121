//! A connection of a server: in clear text or over TLS, read by lines.

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// Only a server that nobody lets go of waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

enum Io {
    Clear(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
}

/// A connection.
pub struct Line {
    io: Io,
    raw: TcpStream,
}

impl Line {
    pub fn new(tcp: TcpStream) -> Line {
        tcp.set_read_timeout(Some(PATIENCE)).unwrap();
        tcp.set_write_timeout(Some(PATIENCE)).unwrap();
        tcp.set_nodelay(true).unwrap();
        let raw = tcp.try_clone().unwrap();
        Line { io: Io::Clear(tcp), raw }
    }

    /// Where it was reached.
    pub fn ip(&self) -> IpAddr {
        self.raw.local_addr().unwrap().ip()
    }

    /// Goes over to TLS.
    pub fn secure(self, config: &Arc<ServerConfig>) -> Line {
        let Io::Clear(tcp) = self.io else { return self };
        let connection = ServerConnection::new(Arc::clone(config)).unwrap();
        Line { io: Io::Tls(Box::new(StreamOwned::new(connection, tcp))), raw: self.raw }
    }

    /// Sends; false when nobody takes it.
    pub fn send(&mut self, octets: impl AsRef<[u8]>) -> bool {
        let octets = octets.as_ref();
        match &mut self.io {
            Io::Clear(tcp) => tcp.write_all(octets).is_ok(),
            Io::Tls(tls) => tls.write_all(octets).is_ok() && tls.flush().is_ok(),
        }
    }

    fn read(&mut self, octets: &mut [u8]) -> usize {
        let read = match &mut self.io {
            Io::Clear(tcp) => tcp.read(octets),
            Io::Tls(tls) => tls.read(octets),
        };
        read.unwrap_or(0)
    }

    /// The next line, without its end; `None` at the end.
    pub fn line(&mut self) -> Option<String> {
        let (mut line, mut octet) = (Vec::new(), [0]);
        while self.read(&mut octet) == 1 {
            if octet == *b"\n" {
                return Some(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            line.push(octet[0]);
        }
        None
    }

    /// The next octet; `None` at the end.
    pub fn octet(&mut self) -> Option<u8> {
        let mut octet = [0];
        (self.read(&mut octet) == 1).then_some(octet[0])
    }

    /// So many octets; false at the end.
    pub fn take(&mut self, count: usize) -> bool {
        (0..count).all(|_| self.read(&mut [0]) == 1)
    }

    /// Waits until the other side has had enough.
    pub fn wait(&mut self) {
        while self.read(&mut [0; 4096]) > 0 {}
    }

    /// Ends as an honest server does.
    pub fn close(mut self) {
        if let Io::Tls(tls) = &mut self.io {
            tls.conn.send_close_notify();
            let _ = tls.flush();
        }
        let _ = self.raw.shutdown(Shutdown::Write);
        self.wait();
    }

    /// Ends without a goodbye.
    pub fn abandon(self) {
        let _ = self.raw.shutdown(Shutdown::Write);
    }

    /// Ends so that the other side's next step fails.
    pub fn reset(self) {
        let Line { io, raw } = self;
        let tcp = match io {
            Io::Clear(tcp) => tcp,
            Io::Tls(tls) => tls.sock,
        };
        drop(raw);
        // Its own socket type alone can be told to leave without waiting.
        let socket = tokio::net::TcpSocket::from_std_stream(tcp);
        socket.set_zero_linger().unwrap();
    }
}

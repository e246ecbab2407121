//! A server that follows a script: each visit is a list of steps, and all that it was sent can be looked at afterwards.

use crate::door::Door;
use rcgen::{Certificate, CertifiedKey, KeyPair};
use rustls::{ServerConfig, ServerConnection, StreamOwned, SupportedProtocolVersion};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Only a test that fails waits so long.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// One thing that a server does.
#[derive(Debug, Clone)]
pub enum Step {
    /// Reads until a line feed.
    Line,
    /// Reads until an empty line.
    Head,
    /// Reads so many octets.
    Octets(usize),
    /// Sends.
    Send(Vec<u8>),
    /// Sends octet by octet.
    Trickle(Vec<u8>),
    /// Sends the same again and again until the other side has had enough.
    Forever(Vec<u8>),
    /// Does nothing until the test lets it go on.
    Stall,
    /// Closes without having read what was sent, which resets the connection.
    Reset,
    /// Reads until the other side closes.
    Drain,
    /// Closes TCP, and TLS without its goodbye.
    Abandon,
}

/// A port where nobody listens, and nobody else can, for as long as it is held.
pub struct DeadPort(tokio::net::TcpSocket);

impl DeadPort {
    pub fn new() -> DeadPort {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        DeadPort(socket)
    }

    pub fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }
}

/// `Step::Send`, shorter.
pub fn send(octets: impl AsRef<[u8]>) -> Step {
    Step::Send(octets.as_ref().to_vec())
}

/// A running server; each visit is one connection.
pub struct Server {
    pub port: u16,
    received: Arc<Mutex<Vec<Vec<u8>>>>,
    release: Sender<()>,
    done: Receiver<()>,
    thread: JoinHandle<()>,
    _door: Door,
}

/// A self-made certificate for the loopback.
pub fn certificate() -> Arc<ServerConfig> {
    let CertifiedKey { cert, signing_key } = made();
    presenting(&cert, &signing_key, rustls::ALL_VERSIONS)
}

/// As [`certificate`], but without the certificate's key.
pub fn stolen(version: &'static SupportedProtocolVersion) -> Arc<ServerConfig> {
    presenting(&made().cert, &made().signing_key, &[version])
}

fn made() -> CertifiedKey<KeyPair> {
    rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap()
}

fn presenting(cert: &Certificate, key: &KeyPair, versions: &[&'static SupportedProtocolVersion]) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = rustls::pki_types::PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let key = provider.key_provider.load_private_key(key).unwrap();
    let shown = rustls::sign::CertifiedKey::new(vec![cert.der().clone()], key);
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(rustls::sign::SingleCertAndKey::from(shown)));
    Arc::new(config)
}

impl Server {
    /// A server in clear text.
    pub fn start(visits: Vec<Vec<Step>>) -> Server {
        Server::run(TcpListener::bind("127.0.0.1:0").unwrap(), visits, None)
    }

    /// A server over TLS.
    pub fn secure(visits: Vec<Vec<Step>>, config: Arc<ServerConfig>) -> Server {
        Server::run(TcpListener::bind("127.0.0.1:0").unwrap(), visits, Some(config))
    }

    /// A server on a port that was found before.
    pub fn run(listener: TcpListener, visits: Vec<Vec<Step>>, tls: Option<Arc<ServerConfig>>) -> Server {
        let port = listener.local_addr().unwrap().port();
        let received = Arc::new(Mutex::new(Vec::new()));
        let (release, released) = channel();
        let (finished, done) = channel();
        let log = received.clone();
        let (door, visitors) = Door::open(listener);
        let thread = std::thread::spawn(move || {
            for (steps, tcp) in visits.into_iter().zip(visitors) {
                // A script that waits for what never comes fails instead of hanging.
                tcp.set_read_timeout(Some(PATIENCE)).unwrap();
                log.lock().unwrap().push(Vec::new());
                visit(tcp, &steps, tls.clone(), &log, &released);
            }
            drop(finished);
        });
        Server { port, received, release, done, thread, _door: door }
    }

    /// A gopher URL on this server; `path` begins with the type.
    pub fn url(&self, path: &str) -> String {
        format!("gopher://127.0.0.1:{}/{path}", self.port)
    }

    /// Lets one stall go on.
    pub fn release(&self) {
        self.release.send(()).unwrap();
    }

    /// Waits for the script's end; what came in each visit.
    pub fn received(self) -> Vec<Vec<u8>> {
        drop(self.release);
        let hangs = self.done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        assert!(!hangs, "the script is not at its end: {:?}", self.received.lock().unwrap());
        self.thread.join().unwrap();
        self.received.lock().unwrap().clone()
    }

    /// What came in the only visit.
    pub fn line(self) -> String {
        let visits = self.received();
        assert_eq!(visits.len(), 1);
        String::from_utf8(visits[0].clone()).unwrap()
    }
}

fn visit(
    tcp: TcpStream,
    steps: &[Step],
    tls: Option<Arc<ServerConfig>>,
    log: &Mutex<Vec<Vec<u8>>>,
    released: &Receiver<()>,
) {
    tcp.set_nodelay(true).unwrap();
    match tls {
        None => {
            follow(&mut &tcp, &tcp, steps, log, released);
            // A plain close would be a reset where something was left unread.
            if !matches!(steps.last(), Some(Step::Reset)) {
                let _ = tcp.shutdown(Shutdown::Write);
            }
        }
        Some(config) => {
            let raw = tcp.try_clone().unwrap();
            let mut stream = StreamOwned::new(ServerConnection::new(config).unwrap(), tcp);
            follow(&mut stream, &raw, steps, log, released);
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    }
}

fn follow(
    stream: &mut (impl Read + Write),
    raw: &TcpStream,
    steps: &[Step],
    log: &Mutex<Vec<Vec<u8>>>,
    released: &Receiver<()>,
) {
    let keep = |octets: &[u8]| log.lock().unwrap().last_mut().unwrap().extend_from_slice(octets);
    for step in steps {
        let ok = match step {
            Step::Line => take(stream, &keep, |octets| octets.ends_with(b"\n")),
            Step::Head => take(stream, &keep, |octets| octets.ends_with(b"\r\n\r\n")),
            Step::Octets(count) => take(stream, &keep, |octets| octets.len() >= *count),
            Step::Drain => take(stream, &keep, |_| false),
            Step::Send(octets) => stream.write_all(octets).is_ok(),
            Step::Trickle(octets) => octets.chunks(1).all(|octet| stream.write_all(octet).is_ok()),
            Step::Forever(octets) => {
                while stream.write_all(octets).is_ok() {}
                false
            }
            Step::Stall => released.recv().is_ok(),
            Step::Abandon => {
                let _ = stream.flush();
                let _ = raw.shutdown(Shutdown::Both);
                false
            }
            Step::Reset => {
                // Something unread must be there for the close to be a reset.
                let _ = raw.peek(&mut [0]);
                false
            }
        };
        let _ = stream.flush();
        if !ok {
            return;
        }
    }
}

/// Reads until there is enough; false at the end or a failure.
fn take(stream: &mut impl Read, keep: &impl Fn(&[u8]), enough: impl Fn(&[u8]) -> bool) -> bool {
    let mut octets = Vec::new();
    let mut octet = [0];
    while !enough(&octets) {
        match stream.read(&mut octet) {
            Ok(1..) => {
                octets.push(octet[0]);
                keep(&octet);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => return false,
        }
    }
    true
}

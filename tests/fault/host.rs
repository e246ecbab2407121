//! A host with its fault: a port where nobody listens, where nobody is let in, or where a server goes wrong.

use crate::door::Door;
use crate::fault::Fault;
use crate::line::Line;
use crate::pem::pem;
use crate::space::{Case, Space, serve};
use rcgen::CertifiedKey;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};

/// A name that no service of names is asked for: its first label is too long for any.
pub fn nowhere() -> String {
    "x".repeat(64) + ".invalid"
}

/// Where a case takes place.
pub struct Host {
    pub name: String,
    pub port: u16,
    case: Arc<Mutex<Case>>,
    _holds: Holds,
}

/// What keeps it as it is.
enum Holds {
    Nothing,
    /// The port is taken, and nobody listens.
    Dead {
        _socket: tokio::net::TcpSocket,
    },
    /// The queue is full.
    Full {
        _listener: tokio::net::TcpListener,
        _queue: [TcpStream; 2],
    },
    Open {
        _door: Door,
    },
}

/// The certificate of all hosts, and what a program must trust for it.
pub struct Identity {
    pub config: Arc<ServerConfig>,
    pub pem: String,
}

impl Identity {
    pub fn new() -> Identity {
        let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
        let CertifiedKey { cert, signing_key } = rcgen::generate_simple_self_signed(names).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        Identity { config: Arc::new(config), pem: pem("CERTIFICATE", cert.der()) }
    }
}

impl Host {
    pub fn start(case: Case, identity: &Identity) -> Host {
        let case_now = Arc::new(Mutex::new(case));
        let place = place(case.space);
        let here = || place.ip().to_string();
        let (name, port, holds) = match case.fault {
            Fault::NoHost => (nowhere(), 7070, Holds::Nothing),
            Fault::Refused => {
                let socket = tokio::net::TcpSocket::new_v4().unwrap();
                socket.bind(place).unwrap();
                (here(), socket.local_addr().unwrap().port(), Holds::Dead { _socket: socket })
            }
            Fault::NoAccept => {
                let listener = full(place);
                let address = listener.local_addr().unwrap();
                let queue = [TcpStream::connect(address).unwrap(), TcpStream::connect(address).unwrap()];
                (here(), address.port(), Holds::Full { _listener: listener, _queue: queue })
            }
            _ => {
                let listener = TcpListener::bind(place).unwrap();
                let port = listener.local_addr().unwrap().port();
                let (door, visitors) = Door::open(listener);
                let (case, config) = (Arc::clone(&case_now), Arc::clone(&identity.config));
                std::thread::spawn(move || {
                    for visitor in visitors {
                        let (case, config) = (*case.lock().unwrap(), Arc::clone(&config));
                        std::thread::spawn(move || serve(case, Line::new(visitor), &config));
                    }
                });
                (here(), port, Holds::Open { _door: door })
            }
        };
        Host { name, port, case: case_now, _holds: holds }
    }

    /// From now on it does this.
    pub fn turn(&self, case: Case) {
        *self.case.lock().unwrap() = case;
    }
}

/// Where a server of a space listens: FTP is secure at once on one port only, so each has an address of its own for it.
fn place(space: Space) -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(1);
    let [one, other] = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    let own = u8::try_from(std::process::id() % 250 + 2).unwrap();
    match space {
        Space::FtpsImplicit => (Ipv4Addr::new(127, own, one, other), 990).into(),
        _ => (Ipv4Addr::LOCALHOST, 0).into(),
    }
}

/// Whether the system lets us listen there.
pub fn is_possible(space: Space) -> bool {
    TcpListener::bind(place(space)).inspect_err(|error| eprintln!("SKIPPED {}: {error}", space.name())).is_ok()
}

/// A queue of one, which two fill.
fn full(place: SocketAddr) -> tokio::net::TcpListener {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(place).unwrap();
        socket.listen(1).unwrap()
    })
}

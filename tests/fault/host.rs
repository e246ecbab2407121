//! A host with its fault: a port where nobody listens, where nobody is let in, or where a server goes wrong.

use crate::door::Door;
use crate::fault::Fault;
use crate::line::Line;
use crate::space::{Case, serve};
use rcgen::CertifiedKey;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use std::net::{TcpListener, TcpStream};
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
    Dead { _socket: tokio::net::TcpSocket },
    /// The queue is full.
    Full { _listener: tokio::net::TcpListener, _queue: [TcpStream; 2] },
    Open { _door: Door },
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
        Identity { config: Arc::new(config), pem: cert.pem() }
    }
}

impl Host {
    pub fn start(case: Case, identity: &Identity) -> Host {
        let case_now = Arc::new(Mutex::new(case));
        let here = || "127.0.0.1".to_owned();
        let (name, port, holds) = match case.fault {
            Fault::NoHost => (nowhere(), 7070, Holds::Nothing),
            Fault::Refused => {
                let socket = tokio::net::TcpSocket::new_v4().unwrap();
                socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
                (here(), socket.local_addr().unwrap().port(), Holds::Dead { _socket: socket })
            }
            Fault::NoAccept => {
                let listener = full();
                let address = listener.local_addr().unwrap();
                let queue = [TcpStream::connect(address).unwrap(), TcpStream::connect(address).unwrap()];
                (here(), address.port(), Holds::Full { _listener: listener, _queue: queue })
            }
            _ => {
                let listener = TcpListener::bind("127.0.0.1:0").unwrap();
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

/// A queue of one, which two fill.
fn full() -> tokio::net::TcpListener {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        socket.listen(1).unwrap()
    })
}

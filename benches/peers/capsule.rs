//! A capsule of Gemini space on loopback, whose key no authority vouches for, as is the custom there.

use crate::programs::Player;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// Serves pages until the program ends: `/COUNT` has so many links. Returns host and port.
pub fn serve() -> Result<String, Box<dyn Error>> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec!["localhost".into(), "127.0.0.1".into()])?;
    let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key.into())?;
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let config = Arc::clone(&config);
            // A reader that goes away is no error here.
            thread::spawn(move || answer(stream, config).ok());
        }
    });
    Ok(address)
}

fn answer(stream: TcpStream, config: Arc<ServerConfig>) -> Result<(), Box<dyn Error>> {
    let mut reader = BufReader::new(StreamOwned::new(ServerConnection::new(config)?, stream));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let links: usize = request.trim_end().rsplit('/').next().unwrap_or_default().parse()?;
    let mut page = String::from("20 text/gemini\r\n");
    for number in 0..links {
        writeln!(page, "=> /files/item-{number:08}.gmi This is item {number:08} of the page")?;
    }
    let mut stream = reader.into_inner();
    stream.write_all(page.as_bytes())?;
    stream.conn.send_close_notify();
    Ok(stream.flush()?)
}

/// The page of so many links that a program is given.
pub fn page(player: &Player, server: &str, links: usize) -> Option<String> {
    player.peer.capsules.then(|| format!("gemini://{server}/{links}"))
}

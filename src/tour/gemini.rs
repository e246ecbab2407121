//! The Gemini server of the tour (protocol specification 0.24.1): one address in, one page out, over TLS with a key that lasts as
//! long as the program runs. Refuses: other addresses than its pages and its two questions.

use super::visitor::{Heard, Visitor, receive};
use rcgen::{CertificateParams, DnType, KeyPair, PKCS_ECDSA_P256_SHA256};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::io::{Error, Result};
use std::net::Ipv4Addr;
use std::sync::{Arc, OnceLock};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// Octets of an address, and the line's end (section 2).
const LINE: usize = 1026;
/// The name in the certificate: no host has it.
const NAME: &str = "the tour";

const ANSWER: &str = include_str!("../../assets/tour/gemini/answer.gmi");
const WHISPER: &str = include_str!("../../assets/tour/gemini/whisper.gmi");
const INDEX: &str = include_str!("../../assets/tour/gemini/index.gmi");
const STAYS: &str = include_str!("../../assets/tour/gemini/stays.gmi");
const NEW: &str = include_str!("../../assets/tour/gemini/new.gmi");
const END: &str = include_str!("../../assets/tour/gemini/end.gmi");

/// What the server proves itself by: the same for the whole run, since a visitor remembers it.
///
/// # Errors
/// The system gives no random numbers.
pub(super) fn keys() -> Result<TlsAcceptor> {
    static KEYS: OnceLock<TlsAcceptor> = OnceLock::new();
    if let Some(keys) = KEYS.get() {
        return Ok(keys.clone());
    }
    let made = made()?;
    Ok(KEYS.get_or_init(|| made).clone())
}

fn made() -> Result<TlsAcceptor> {
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(Error::other)?;
    let mut asked = CertificateParams::new([Ipv4Addr::LOCALHOST.to_string()]).map_err(Error::other)?;
    asked.distinguished_name.push(DnType::CommonName, NAME);
    let certificate = asked.self_signed(&key).map_err(Error::other)?.der().clone();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(vec![certificate], key));
    Ok(TlsAcceptor::from(Arc::new(config.map_err(Error::other)?)))
}

/// Serves until it is dropped.
pub(super) async fn serve(listener: TcpListener, keys: TlsAcceptor) {
    receive(listener, move |visitor| visit(visitor, keys.clone())).await;
}

async fn visit(visitor: Visitor, keys: TlsAcceptor) -> Result<()> {
    let mut visitor = visitor.through(&keys).await?;
    let answer = match visitor.hear(LINE).await? {
        Heard::Line(line) => answer(&String::from_utf8_lossy(&line)),
        Heard::TooLong => "59 No address is as long as that\r\n".into(),
        Heard::Nothing => return Ok(()),
    };
    visitor.say(answer.as_bytes()).await?;
    visitor.part().await
}

/// What is answered to an address: the head and the page.
fn answer(address: &str) -> String {
    let page = |text: &str| format!("20 text/gemini; lang=en\r\n{text}");
    let Some((_, place)) = address.split_once("://") else { return "59 That is no address\r\n".into() };
    let path = place.find('/').map_or("/", |at| &place[at..]);
    match path.split_once('?').unwrap_or((path, "")) {
        ("/", _) => page(INDEX),
        ("/stays", _) => page(STAYS),
        ("/new", _) => page(NEW),
        ("/end", _) => page(END),
        ("/ask", "") => "10 What are you looking for?\r\n".into(),
        ("/ask", words) => page(&ANSWER.replace("{words}", &read(words))),
        ("/whisper", "") => "11 Say something that is between us\r\n".into(),
        ("/whisper", words) => page(&WHISPER.replace("{count}", &read(words).chars().count().to_string())),
        _ => "51 There is nothing of this name here\r\n".into(),
    }
}

/// Words of an address, on one line.
fn read(words: &str) -> String {
    String::from_utf8_lossy(&super::decoded(words)).split_whitespace().collect::<Vec<_>>().join(" ")
}

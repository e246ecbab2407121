//! TLS: web roots and the system's vouch first; where they do not, the first certificate seen is pinned and a change refused.
//!
//! Self-signed certificates are the custom in gopher space, so a failed check of the chain is no end, but a certificate that
//! differs from the remembered one is. Every certificate is remembered, those of authorities too, so that a host that once had
//! one cannot be taken over by a self-made one. Signatures are always checked. Refuses: clear text in place of TLS.

use super::exceptions::Exceptions;
use super::identities::Identity;
use super::net::{self, Endpoint};
use super::pins::{Known, Pins, Unreadable};
use super::verifier::{Say, Verifier};
use super::{Certificate, FetchError, Kind, PinnedCertificate, RefusedCertificate, Security, Trust};
use crate::disk::Kept;
use rustls::client::WebPkiServerVerifier;
use rustls::crypto::{self, CryptoProvider};
use rustls::pki_types::ServerName;
use rustls::{CertificateError, ClientConfig, Error, HandshakeKind, RootCertStore};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// What all TLS connections share: roots, read at the first use, and pins. Clones share.
#[derive(Clone, Default)]
pub struct Tls(Arc<Shared>);

#[derive(Default)]
struct Shared {
    pins: Pins,
    /// One certificate is judged at a time: of two first ones of a host only one is the first.
    judging: Mutex<()>,
    authority: OnceLock<Authority>,
    exceptions: Exceptions,
    roots: Roots,
}

/// Whose word on a certificate counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Roots {
    /// The authorities of the web.
    #[default]
    Web,
    /// Those, and the ones that this machine trusts.
    Machine,
}

/// The roots, ready to check a chain.
struct Authority {
    provider: Arc<CryptoProvider>,
    verifier: Arc<WebPkiServerVerifier>,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("pins", &self.0.pins).finish_non_exhaustive()
    }
}

impl Tls {
    /// Keeps the pins in a file; without one they last as long as the program runs.
    pub fn new(pins: Option<Kept>, roots: Roots) -> Tls {
        Tls(Arc::new(Shared { pins: Pins::new(pins), roots, ..Shared::default() }))
    }

    /// Knows the pins of a file, and keeps those of this run to itself.
    pub fn reading(pins: Option<PathBuf>, roots: Roots) -> Tls {
        Tls(Arc::new(Shared { pins: Pins::reading(pins), roots, ..Shared::default() }))
    }

    /// Reads the pins once: what is wrong with their file is among the complaints then.
    pub fn look(&self) {
        self.0.pins.look();
    }

    /// What went wrong with the pins' file since the last call: bad lines.
    pub fn complaints(&self) -> Vec<String> {
        self.0.pins.complaints()
    }

    /// What the web's own client needs: chains are checked against web roots and the system's, and nothing is pinned, since
    /// self-signed certificates are not the custom there; the reader may trust one until the end. Reads the disk.
    ///
    /// # Errors
    /// TLS cannot be set up, in words.
    pub fn web(&self) -> Result<ClientConfig, String> {
        let authority = self.0.authority()?;
        let mut config = ClientConfig::builder_with_provider(authority.provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Verifier {
                authorities: authority.verifier.clone(),
                say: self.0.exceptions.clone(),
            }))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }

    /// The reader trusts a certificate of a host of the web until the program ends.
    pub fn trust(&self, host: &str, fingerprint: &str) {
        self.0.exceptions.trust(host, fingerprint);
    }

    /// The reader trusts another certificate of a server (`host:port`) than the one that was pinned. Never waits for a disk.
    pub fn pin(&self, server: &str, certificate: &Certificate) {
        self.0.pins.remember(server, certificate);
    }

    /// The certificate of a host of the web that was refused last.
    pub(super) fn refused(&self, host: &str) -> Option<Certificate> {
        self.0.exceptions.refused(host)
    }

    /// Who vouches for a certificate that a host of the web has shown and that was taken.
    pub(super) fn vouches(&self, host: &str, fingerprint: &str) -> Trust {
        if self.0.exceptions.trusts(host, fingerprint) { Trust::Reader } else { Trust::Authority }
    }

    /// Makes a connection secure. `name` is the host as TLS wants it.
    ///
    /// # Errors
    /// The server does not speak TLS, proves nothing, or shows another certificate than before.
    pub async fn secure(
        &self,
        tcp: TcpStream,
        name: &str,
        endpoint: &Endpoint,
    ) -> Result<(TlsStream<TcpStream>, Security), FetchError> {
        self.session(name, endpoint).await?.secure(tcp).await
    }

    /// What several connections to one server share (FTP's). `name` is the host as TLS wants it.
    ///
    /// # Errors
    /// TLS has no way to name the host, or cannot be set up.
    pub async fn session(&self, name: &str, endpoint: &Endpoint) -> Result<Session, FetchError> {
        self.session_as(name, endpoint, None).await
    }

    /// As [`Tls::session`]; a server that asks who is there is shown a certificate.
    ///
    /// # Errors
    /// As [`Tls::session`].
    pub(super) async fn session_as(
        &self,
        name: &str,
        endpoint: &Endpoint,
        identity: Option<&Identity>,
    ) -> Result<Session, FetchError> {
        let server = ServerName::try_from(name.to_owned()).map_err(|_| {
            FetchError::new(Kind::Secure, format!("TLS has no way to name the host {}.", endpoint.host))
        })?;
        let (who, endpoint) = (who(name, endpoint.port), endpoint.clone());
        let (preparing, identity, asked) = (self.0.clone(), identity.cloned(), who.clone());
        // Reading the system's roots takes some 10 ms: not in the way of the keyboard.
        let prepared = tokio::task::spawn_blocking(move || preparing.prepare(identity.as_ref(), &asked)).await;
        let (config, witness) = prepared.map_err(|error| not_set_up(&error))?.map_err(|error| not_set_up(&error))?;
        let connector = TlsConnector::from(Arc::new(config));
        Ok(Session { tls: self.clone(), connector, witness, server, who, endpoint, judged: OnceLock::new() })
    }
}

/// One server's connections: the first is judged by authorities and pins, the others must be the same server's.
pub struct Session {
    tls: Tls,
    connector: TlsConnector,
    witness: Arc<Verifier<Witness>>,
    server: ServerName<'static>,
    /// Its name among the pins.
    who: String,
    endpoint: Endpoint,
    judged: OnceLock<Security>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("place", &self.endpoint).field("judged", &self.judged).finish_non_exhaustive()
    }
}

impl Session {
    /// Makes a connection secure.
    ///
    /// # Errors
    /// The server does not speak TLS, proves nothing, or shows another certificate than before.
    pub async fn secure(&self, tcp: TcpStream) -> Result<(TlsStream<TcpStream>, Security), FetchError> {
        let endpoint = &self.endpoint;
        let connected = self.connector.connect(self.server.clone(), tcp).await;
        let stream = match connected {
            Ok(stream) => stream,
            Err(error) => return Err(self.refusal().await.unwrap_or_else(|| refused(endpoint, &error))),
        };
        let facts = stream.get_ref().1;
        if let Some(judged) = self.judged.get()
            && facts.handshake_kind() == Some(HandshakeKind::Resumed)
        {
            return Ok((stream, judged.clone()));
        }
        let Some(certificate) = facts.peer_certificates().and_then(<[_]>::first) else {
            return Err(FetchError::new(Kind::Secure, format!("{endpoint} showed no certificate.")));
        };
        let certificate = Certificate::read(certificate);
        let security = match self.judged.get() {
            Some(judged) if judged.certificate == certificate => judged.clone(),
            Some(_) => {
                let detail = format!("REFUSED: {endpoint} showed another certificate on its second connection.");
                return Err(FetchError::new(Kind::Secure, detail));
            }
            // The handshake is done, so the server has the certificate's key; nothing of the request is sent yet. Another
            // certificate than the pinned one was refused within it, but what was first here may be second by now.
            None => {
                let security = self.judge(certificate).await?;
                self.judged.get_or_init(|| security).clone()
            }
        };
        Ok((stream, security))
    }

    /// What to say of a certificate that the handshake was ended for, where the disk may block.
    async fn refusal(&self) -> Option<FetchError> {
        let shown = self.witness.say.refused.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let (judging, endpoint, who) = (self.tls.0.clone(), self.endpoint.clone(), self.who.clone());
        tokio::task::spawn_blocking(move || judging.compare(&endpoint, &who, &shown).err()).await.ok()?
    }

    /// Compares with the pin, where the disk may block.
    async fn judge(&self, certificate: Certificate) -> Result<Security, FetchError> {
        let vouched = self.witness.say.vouched.get().is_some();
        let (judging, endpoint, who) = (self.tls.0.clone(), self.endpoint.clone(), self.who.clone());
        let shown = certificate.clone();
        let judged = tokio::task::spawn_blocking(move || judging.judge(&endpoint, &who, &shown, vouched)).await;
        let trust = judged.map_err(|error| not_set_up(&error))??;
        Ok(Security { trust, certificate })
    }
}

impl Shared {
    fn authority(&self) -> Result<&Authority, String> {
        if let Some(authority) = self.authority.get() {
            return Ok(authority);
        }
        let made = Authority::load(self.roots)?;
        Ok(self.authority.get_or_init(|| made))
    }

    fn prepare(
        &self,
        identity: Option<&Identity>,
        who: &str,
    ) -> Result<(ClientConfig, Arc<Verifier<Witness>>), String> {
        let authority = self.authority()?;
        let pin = match self.pins.known(who) {
            Ok(known) => Pin::of(known),
            Err(_) => Pin::Unreadable,
        };
        let say = Witness { pin, vouched: OnceLock::new(), refused: Mutex::new(None) };
        let witness = Arc::new(Verifier { authorities: authority.verifier.clone(), say });
        // Sessions are resumed within one `Session` only, since a resumed one shows no certificate to compare: each has a
        // configuration of its own, so its store begins empty.
        let config = ClientConfig::builder_with_provider(authority.provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(witness.clone());
        let config = match identity.map(Identity::for_tls) {
            None => config.with_no_client_auth(),
            Some((chain, key)) => config.with_client_auth_cert(chain, key).map_err(|error| error.to_string())?,
        };
        Ok((config, witness))
    }

    /// Compares with the pin and remembers.
    fn judge(&self, endpoint: &Endpoint, who: &str, shown: &Certificate, vouched: bool) -> Result<Trust, FetchError> {
        let _alone = self.judging.lock().unwrap_or_else(PoisonError::into_inner);
        if vouched {
            let known = self.pins.known(who);
            if known.is_ok_and(|known| known.is_none_or(|pin| pin.certificate.fingerprint != shown.fingerprint)) {
                self.pins.remember(who, shown);
            }
            return Ok(Trust::Authority);
        }
        let trust = self.compare(endpoint, who, shown)?;
        if trust == Trust::FirstUse {
            self.pins.remember(who, shown);
        }
        Ok(trust)
    }

    /// Compares a certificate that no authority vouches for with the pin.
    fn compare(&self, endpoint: &Endpoint, who: &str, shown: &Certificate) -> Result<Trust, FetchError> {
        match self.pins.known(who) {
            Err(error) => Err(self.unreadable(endpoint, who, &error, shown)),
            Ok(None) => Ok(Trust::FirstUse),
            Ok(Some(pin)) if pin.certificate.fingerprint == shown.fingerprint => Ok(Trust::Pinned),
            Ok(Some(pin)) => Err(self.changed(endpoint, who, pin, shown)),
        }
    }

    fn unreadable(&self, endpoint: &Endpoint, who: &str, error: &Unreadable, shown: &Certificate) -> FetchError {
        let file = self.pins.file().map(|file| file.display().to_string()).unwrap_or_default();
        let known = match error {
            Unreadable::File(error) => {
                format!("what was known of it cannot be read from {file} ({})", net::words(error))
            }
            Unreadable::Line(why) => format!("what was known of it cannot be read from {file} ({why})"),
            Unreadable::Nameless(why) => {
                format!("it may have been known by another one: whose line this was in {file} cannot be read ({why})")
            }
        };
        let detail = format!("REFUSED: no authority vouches for {endpoint}, and {known}.");
        if let Unreadable::File(_) = error {
            return FetchError::new(Kind::Secure, detail).hint(format!("Make {file} readable, then try again."));
        }
        let hint = "Mend the line, or take it out, and try again. Or ask the server's owner for the fingerprint: if this one is \
                    right, \":trust\" takes it.";
        let first = RefusedCertificate { certificate: shown.clone(), pin: None, first: Some(who.into()) };
        FetchError { certificate: Some(Box::new(first)), ..FetchError::new(Kind::Secure, detail).hint(hint) }
    }

    fn changed(&self, endpoint: &Endpoint, who: &str, pin: Known, shown: &Certificate) -> FetchError {
        let detail = format!(
            "REFUSED: the certificate of {endpoint} has changed, and no authority vouches for the new one. Somebody may be \
             listening in, or the server has a new key. Known since {}: {}. Shown now: {}.",
            pin.since, pin.certificate.fingerprint, shown.fingerprint
        );
        let hint = "Ask the server's owner for the fingerprint. If the new one is right, \":trust\" takes it in place of the old.";
        let pin = PinnedCertificate { server: who.into(), certificate: pin.certificate, since: pin.since };
        let certificate =
            Some(Box::new(RefusedCertificate { certificate: shown.clone(), pin: Some(pin), first: None }));
        FetchError { certificate, ..FetchError::new(Kind::Secure, detail).hint(hint) }
    }
}

impl Authority {
    fn load(roots: Roots) -> Result<Authority, String> {
        let provider = Arc::new(crypto::ring::default_provider());
        let mut store = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        if roots == Roots::Machine {
            // Bad certificates in the system's store are the system's matter.
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider.clone())
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Authority { provider, verifier })
    }
}

/// What is known of a server before it shows a certificate.
#[derive(Debug)]
enum Pin {
    /// Nothing: any is the first.
    None,
    /// The fingerprint of the pinned one.
    Known(String),
    /// Nobody can say.
    Unreadable,
}

impl Pin {
    fn of(known: Option<Known>) -> Pin {
        known.map_or(Pin::None, |pin| Pin::Known(pin.certificate.fingerprint))
    }
}

/// Remembers whether the authorities vouched. One for each [`Session`].
#[derive(Debug)]
struct Witness {
    pin: Pin,
    vouched: OnceLock<()>,
    /// The certificate that a handshake was ended for.
    refused: Mutex<Option<Certificate>>,
}

impl Say for Witness {
    /// Ends the handshake for another certificate than the pinned one: whoever shows it would see the reader's own next. No
    /// approval of any other yet: [`Shared::judge`] remembers it before anything is sent.
    fn judge(&self, said: Result<(), Error>, _: &ServerName<'_>, certificate: &[u8]) -> Result<(), Error> {
        if said.is_ok() {
            self.vouched.get_or_init(|| ());
            return Ok(());
        }
        let shown = Certificate::read(certificate);
        let fits = match &self.pin {
            Pin::None => true,
            Pin::Known(fingerprint) => *fingerprint == shown.fingerprint,
            Pin::Unreadable => false,
        };
        if fits {
            return Ok(());
        }
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(shown);
        Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
    }
}

/// The name of a server among the pins: as the resolver has it, so that no other spelling of a host passes for a new one.
pub(super) fn who(name: &str, port: u16) -> String {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    if name.contains(':') { format!("[{name}]:{port}") } else { format!("{name}:{port}") }
}

/// What may be tried where TLS does not come about, in spaces that have a scheme for clear text.
pub(super) const IN_CLEAR_TEXT: &str =
    "The same address without the \"s\" in its scheme goes in clear text, readable on the way, if you want that.";

/// How the sentence ends that is said of a server which answers TLS with something else.
pub(super) const NO_TLS: &str = "does not speak TLS, so nothing was sent to it.";

fn not_set_up(error: &dyn fmt::Display) -> FetchError {
    FetchError::new(Kind::Secure, format!("TLS could not be set up ({error})."))
}

fn refused(endpoint: &Endpoint, error: &std::io::Error) -> FetchError {
    let reason = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
    let detail = match reason {
        Some(Error::InvalidMessage(_)) => format!("{endpoint} {NO_TLS}"),
        Some(reason) => format!("{endpoint} and Wayfarer could not agree on TLS ({reason})."),
        None if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            format!("{endpoint} ended the connection while it was being made secure.")
        }
        None => format!("{endpoint} ended the connection while it was being made secure ({}).", net::words(error)),
    };
    FetchError::new(Kind::Secure, detail).hint(IN_CLEAR_TEXT)
}

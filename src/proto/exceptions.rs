//! Certificates of the web that the reader trusts although no authority vouches for them: each exactly as it was shown, for its
//! host, until the program ends. Signatures are checked all the same. Refuses: pinning, and trusting anything unasked.

use super::tls::fingerprint;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What is trusted, and what was refused last. Clones share.
#[derive(Debug, Clone, Default)]
pub(super) struct Exceptions(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// Hosts, lower case, and fingerprints.
    trusted: BTreeSet<(String, String)>,
    /// The fingerprint refused last, by host.
    refused: BTreeMap<String, String>,
}

impl Exceptions {
    fn with<T>(&self, act: impl FnOnce(&mut Known) -> T) -> T {
        // A panic elsewhere leaves plain sets behind.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The reader trusts this certificate of a host.
    pub fn trust(&self, host: &str, fingerprint: &str) {
        self.with(|known| known.trusted.insert((name(host), fingerprint.to_owned())));
    }

    /// Whether the reader trusts this certificate of a host.
    pub fn trusts(&self, host: &str, fingerprint: &str) -> bool {
        self.with(|known| known.trusted.contains(&(name(host), fingerprint.to_owned())))
    }

    /// The fingerprint of the certificate of a host that was refused last.
    pub fn refused(&self, host: &str) -> Option<String> {
        self.with(|known| known.refused.get(&name(host)).cloned())
    }
}

/// A host as it stands here: without the brackets of a URL.
fn name(host: &str) -> String {
    host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase()
}

/// Checks chains as the authorities do, then asks the exceptions.
#[derive(Debug)]
pub(super) struct Lenient {
    pub verifier: Arc<WebPkiServerVerifier>,
    pub exceptions: Exceptions,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let judged = self.verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        judged.or_else(|error| {
            let (host, shown) = (server_name.to_str(), fingerprint(end_entity));
            if self.exceptions.trusts(&host, &shown) {
                return Ok(ServerCertVerified::assertion());
            }
            self.exceptions.with(|known| known.refused.insert(name(&host), shown));
            Err(error)
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}

//! Certificates checked by authorities, with a say for somebody else where those do not vouch. Signatures are checked in any case.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use std::fmt::Debug;
use std::sync::Arc;

/// Whoever has the last word on a certificate.
pub(super) trait Say: Debug + Send + Sync {
    /// What becomes of a certificate that a host has shown, when this is what the authorities say.
    fn judge(&self, said: Result<(), Error>, host: &ServerName<'_>, certificate: &[u8]) -> Result<(), Error>;
}

/// The authorities, and who has the last word.
#[derive(Debug)]
pub(super) struct Verifier<S> {
    pub authorities: Arc<WebPkiServerVerifier>,
    pub say: S,
}

impl<S: Say> ServerCertVerifier for Verifier<S> {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let said = self.authorities.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        self.say.judge(said.map(|_| ()), server_name, end_entity).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.authorities.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.authorities.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.authorities.supported_verify_schemes()
    }
}

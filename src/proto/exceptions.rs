//! Certificates of the web that the reader trusts although no authority vouches for them: each exactly as it was shown, for its
//! host, until the program ends. Refuses: pinning, and trusting anything unasked.

use super::Certificate;
use super::verifier::Say;
use rustls::Error;
use rustls::pki_types::ServerName;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What is trusted, and what was refused last. Clones share.
#[derive(Debug, Clone, Default)]
pub(super) struct Exceptions(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// Hosts, lower case, and fingerprints.
    trusted: BTreeSet<(String, String)>,
    /// The one refused last, by host.
    refused: BTreeMap<String, Certificate>,
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

    /// The certificate of a host that was refused last.
    pub fn refused(&self, host: &str) -> Option<Certificate> {
        self.with(|known| known.refused.get(&name(host)).cloned())
    }
}

/// A host as it stands here: without the brackets of a URL.
fn name(host: &str) -> String {
    host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase()
}

impl Say for Exceptions {
    fn judge(&self, said: Result<(), Error>, host: &ServerName<'_>, certificate: &[u8]) -> Result<(), Error> {
        said.or_else(|error| {
            let (host, shown) = (host.to_str(), Certificate::read(certificate));
            if self.trusts(&host, &shown.fingerprint) {
                return Ok(());
            }
            self.with(|known| known.refused.insert(name(&host), shown));
            Err(error)
        })
    }
}

//! The settings and their defaults.

use std::time::Duration;

/// Everything the reader may set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// Limits and times.
    pub limits: Limits,
}

/// Times and sizes that keep a bad server from hurting. Hitting one gives a sentence and keeps what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// For a connection to open, TLS included.
    pub connect: Duration,
    /// For the server to send something, each time.
    pub silence: Duration,
    /// Octets of one page.
    pub page: u64,
    /// Octets of one line of a protocol.
    pub line: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connect: Duration::from_secs(20), silence: Duration::from_secs(60), page: 1 << 30, line: 64 * 1024 }
    }
}

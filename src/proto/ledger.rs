//! What left this machine for one fetch, written down where it leaves: whom it went to and what was sent there, each try, mirror
//! and kept connection in turn. The anatomy (`=`) shows it, so that nobody plans anew what was sent and errs.
//!
//! Refuses: passwords. Whoever writes a line here has taken them out.

use super::net::Endpoint;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Octets of all lines that are kept.
const KEPT: usize = 16 * 1024;
/// Places that are kept.
const PLACES: usize = 50;

/// What went to one place, over one connection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dispatch {
    /// The host as it was asked for by name, IPv6 in brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The address that answered, where it is known.
    pub address: Option<String>,
    /// Whether it is over TLS, from the first octet or from some command on.
    pub tls: bool,
    /// Why it went there, where the URL alone does not say: "the proxy", "a mirror", "on a kept connection".
    pub why: Option<String>,
    /// What was written, in order: commands without their CR LF, a gopher request whole, an HTTP head line by line; octets
    /// as `wayfarer url request` spells them.
    pub lines: Vec<String>,
    /// How many lines more there were.
    pub more: usize,
    /// What came of it, where that is not simply the answer: "302 Found", a refusal.
    pub came: Option<String>,
}

/// Where a fetch writes down what it sends. Clones write into the same one.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger(Arc<Mutex<Entries>>);

#[derive(Debug, Default)]
struct Entries {
    sent: Vec<Dispatch>,
    octets: usize,
    /// Something was written since it was last read.
    fresh: bool,
}

impl Ledger {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        // Whoever panicked left nothing half done here.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last(&self, change: impl FnOnce(&mut Dispatch)) {
        let mut entries = self.entries();
        entries.fresh = true;
        if let Some(last) = entries.sent.last_mut() {
            change(last);
        }
    }

    /// A connection to a place is begun, or one that stands is used again.
    pub fn goes_to(&self, endpoint: &Endpoint, address: Option<String>) {
        let mut entries = self.entries();
        entries.fresh = true;
        if entries.sent.len() >= PLACES {
            entries.sent.remove(1);
        }
        let (host, port) = (endpoint.host.clone(), endpoint.port);
        entries.sent.push(Dispatch { host, port, address, ..Dispatch::default() });
    }

    /// The address that answered.
    pub fn reached(&self, address: String) {
        self.last(|dispatch| dispatch.address = Some(address));
    }

    /// The connection is secure from now on.
    pub fn secured(&self) {
        self.last(|dispatch| dispatch.tls = true);
    }

    /// Why it goes there.
    pub fn because(&self, why: impl Into<String>) {
        self.last(|dispatch| dispatch.why = Some(why.into()));
    }

    /// What came of it.
    pub fn came(&self, what: impl Into<String>) {
        self.last(|dispatch| dispatch.came = Some(what.into()));
    }

    /// No connection came about: what was to be written has not left.
    pub fn unsent(&self) {
        self.last(|dispatch| {
            (dispatch.lines, dispatch.more) = (Vec::new(), 0);
            dispatch.came = Some("no connection came about: nothing was sent".into());
        });
    }

    /// A line is written, passwords taken out.
    pub fn wrote(&self, line: String) {
        let room = KEPT.saturating_sub(self.entries().octets);
        let (fits, octets) = (line.len() <= room, line.len());
        self.last(|dispatch| if fits { dispatch.lines.push(line) } else { dispatch.more += 1 });
        self.entries().octets += if fits { octets } else { 0 };
    }

    /// The first line of the request turned out to go out in other words; what asks a proxy for a way is another request.
    pub fn corrected(&self, change: impl FnOnce(&mut String)) {
        let is_first = |line: &&mut String| !line.starts_with("CONNECT ");
        let after_way = |line: &&mut String| line.ends_with(" HTTP/1.1");
        self.last(|dispatch| dispatch.lines.iter_mut().filter(is_first).find(after_way).map_or((), change));
    }

    /// All of it, when something was written since the last time.
    pub fn news(&self) -> Option<Vec<Dispatch>> {
        let mut entries = self.entries();
        std::mem::take(&mut entries.fresh).then(|| entries.sent.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_bounds_and_says_what_is_missing() {
        let ledger = Ledger::default();
        assert_eq!(ledger.news(), None);
        for port in 0..200 {
            ledger.goes_to(&Endpoint { host: "h".into(), port }, None);
        }
        for _ in 0..100 {
            ledger.wrote("x".repeat(1000));
        }
        let sent = ledger.news().unwrap();
        assert_eq!((sent.len(), sent[0].port, sent[PLACES - 1].port), (PLACES, 0, 199));
        assert_eq!((sent[PLACES - 1].lines.len(), sent[PLACES - 1].more), (16, 84));
        assert_eq!(ledger.news(), None);
        ledger.wrote("short".into());
        assert!(ledger.news().is_some());
    }
}

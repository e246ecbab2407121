//! Forgetting: one page, a host, a span of time, everything.

use super::{Visit, Visits};
use crate::url::{Url, equal, scheme};

/// What is to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forget {
    /// The page of this URL.
    Page(Url),
    /// Every page of this host, lower case, and every one whose address names it; empty for what has no host.
    Host(String),
    /// Every page that was visited since this time, in seconds since 1970.
    Since(i64),
    /// All.
    All,
}

impl Forget {
    /// Whether it concerns words that were kept elsewhere, at a time where that is known: an address, or a text that names the
    /// host.
    pub fn concerns(&self, text: &str, time: Option<i64>) -> bool {
        match self {
            Forget::Page(url) => Url::parse(text).is_ok_and(|other| equal::of_page(&other) == equal::of_page(url)),
            Forget::Host(host) => names(text, host),
            Forget::Since(since) => time.is_some_and(|time| time >= *since),
            Forget::All => true,
        }
    }
}

/// Whether a text has a host's name in it, which is not a part of another's.
fn names(text: &str, host: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    !host.is_empty()
        && text.match_indices(host).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + host.len()..]);
            let longer = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(part));
            !before.ends_with(|c| part(c) || c == '.') && !after.starts_with(part) && !longer
        })
}

impl Visits {
    /// Forgets; says how many pages are gone.
    pub fn forget(&mut self, what: &Forget) -> usize {
        let gone = self.concerned(what);
        self.forget_rows(&gone);
        self.seen.clear();
        self.revision += 1;
        gone.len()
    }

    /// How many pages would be gone.
    pub fn count(&self, what: &Forget) -> usize {
        self.concerned(what).len()
    }

    fn concerned(&self, what: &Forget) -> Vec<usize> {
        let page = match what {
            Forget::Page(url) => return self.row(url).into_iter().collect(),
            Forget::Host(_) | Forget::Since(_) | Forget::All => |visit: Visit<'_>| match what {
                Forget::Host(name) => host(visit.url) == *name || names(visit.url, name),
                Forget::Since(time) => visit.time >= *time,
                Forget::All | Forget::Page(_) => true,
            },
        };
        self.pages.oldest().filter(|(_, visit)| page(*visit)).map(|(number, _)| number).collect()
    }
}

/// The host of a URL, lower case; empty when it has none.
pub(super) fn host(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.and_then(|url| scheme::place(&url).host().map(str::to_ascii_lowercase)).unwrap_or_default()
}

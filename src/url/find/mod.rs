//! URLs in plain text: wrappers, `URL:`, line breaks, hyphens, quote prefixes, trailing punctuation (TXT-01 … 16).
//!
//! Every plain-text page runs through here, so the search goes from one telling byte (`:`, `.`, `@`) to the next,
//! allocates nothing until something is found, and reads no byte more than a fixed number of times, whatever the text.
//! Refuses: URLs that continue on the next line without a wrapper, and any judgement whether a URL may be followed.

mod bare;
pub(super) mod known;
pub(super) mod weak;
pub(super) mod wrapped;

use super::Url;
use std::ops::Range;

/// A URL found in text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The bytes of the text that show it, wrappers and `URL:` excluded, line breaks included.
    pub range: Range<usize>,
    /// The URL with wrappers and white space removed.
    pub url: String,
    /// Other readings that the reader may be offered (hyphen dropped, white space kept).
    pub alternatives: Vec<String>,
    /// Whether it is a URL for sure, or only looks like one (bare `www.…`, addresses and message-ids in `<>`; D39).
    pub sure: bool,
}

/// How far before a colon the `<` of its wrapper may stand: `URL:`, the longest scheme, a line break in between.
const WRAPPER_REACH: usize = 64;

/// Every URL in `text`, in order. `text` should be whole paragraphs: a wrapped URL is never sought across an empty line.
pub fn find(text: &str) -> Vec<Found> {
    let mut search = Search { text, found: Vec::new(), done: 0, tried: usize::MAX };
    for at in memchr::memchr3_iter(b':', b'.', b'@', text.as_bytes()) {
        if at >= search.done {
            search.look(at);
        }
    }
    search.found
}

/// What one look came to: a URL or none, and the offset from which the search goes on.
struct Look {
    found: Option<Found>,
    resume: usize,
}

struct Search<'a> {
    text: &'a str,
    found: Vec<Found>,
    /// Everything before this offset has been decided.
    done: usize,
    /// The last `<` that was read as a wrapper; each is read once.
    tried: usize,
}

impl Search<'_> {
    fn look(&mut self, at: usize) {
        let look = match self.text.as_bytes()[at] {
            b':' => self.colon(at),
            b'.' => weak::host(self.text, at, self.done),
            _ => weak::address(self.text, at, self.done),
        };
        if let Some(look) = look {
            self.done = look.resume;
            self.found.extend(look.found);
        }
    }

    fn colon(&mut self, at: usize) -> Option<Look> {
        let bytes = self.text.as_bytes();
        let floor = self.done.max(at.saturating_sub(WRAPPER_REACH));
        if let Some(open) = memchr::memrchr(b'<', &bytes[floor..at]).map(|n| floor + n)
            && open != self.tried
        {
            self.tried = open;
            if let Some(look) = wrapped::angle(self.text, open) {
                return Some(look);
            }
        }
        let (start, shape) = known::before_colon(bytes, at)?;
        if start < self.done {
            return None;
        }
        wrapped::quoted(self.text, start).or_else(|| bare::read(self.text, start, at, shape))
    }
}

/// A URL with nowhere to go is none: `http://` alone, or a port that is no port.
fn usable(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    if known::needs_host(url.scheme()) && url.authority().is_some() {
        return url.host().is_some_and(|host| !host.is_empty());
    }
    url.as_str().len() > url.scheme().len() + 1
}

//! Where a feed ends: whether all of it has come, and what of one that is cut can be read.

use memchr::memmem::rfind;

/// First elements, what their entries end with, and what closes all that is open around those.
const CLOSERS: &[(&str, &str, &str)] = &[
    ("rss", "</item>", "</channel></rss>"),
    ("feed", "</entry>", "</feed>"),
    ("atom:feed", "</atom:entry>", "</atom:feed>"),
    ("rdf:RDF", "</item>", "</rdf:RDF>"),
];

/// Whether the end of the first element has not come.
pub(super) fn is_missing(feed: &[u8], first: &str) -> bool {
    let last = rfind(feed, b"</").map(|at| &feed[at + 2..]);
    closers(first).is_some() && last.is_none_or(|last| !last.starts_with(first.as_bytes()) || !last.contains(&b'>'))
}

/// A feed that is cut, up to its last whole entry and closed there; `None` where none is whole.
pub(super) fn mended(feed: &[u8], first: &str) -> Option<Vec<u8>> {
    let (_, entry, closing) = closers(first)?;
    let end = rfind(feed, entry.as_bytes())? + entry.len();
    Some([&feed[..end], closing.as_bytes()].concat())
}

fn closers(first: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    CLOSERS.iter().find(|(known, ..)| *known == first)
}

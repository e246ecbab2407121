//! Equivalence of URLs, for visited links and caches only (NORM-01 … 07); never to rewrite what is sent.

use super::Url;

/// The normal form: equal exactly for equivalent URLs. A key, not something to send.
pub fn normal(url: &Url) -> String {
    url.as_str().into()
}

/// Whether two URLs are equivalent by the rules of their scheme.
pub fn equivalent(a: &Url, b: &Url) -> bool {
    normal(a) == normal(b)
}

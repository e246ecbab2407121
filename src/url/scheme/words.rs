//! Words that a URL lacks, as part of it, so that it can be kept and opened again (GOP-07, GOP-08).

use super::{dict, one_line};
use crate::url::{Url, UrlError, escape};

/// A URL for which [`super::Act::Ask`] is planned, with the words that were given, as octets.
///
/// # Errors
/// Words that make no URL.
pub fn with_words(url: &Url, words: &[u8]) -> Result<Url, UrlError> {
    match super::name(url.scheme()) {
        "dict" => dict::with_word(url, words),
        "whois" | "whois++" => one_line::with_words(url, words),
        _ => searched(url, words),
    }
}

/// A gopher URL with its search part set; selector and Gopher+ part stay exactly as written.
fn searched(url: &Url, words: &[u8]) -> Result<Url, UrlError> {
    let text = url.without_fragment();
    let mut pieces = tab_pieces(text.as_str());
    let selector = pieces.next().unwrap_or_default();
    let plus = pieces.nth(1).map(|plus| format!("%09{plus}")).unwrap_or_default();
    Url::parse(format!("{selector}%09{}{plus}", escape::encode(words, b"")))
}

/// The pieces of a gopher URL between its first two coded TABs (D15).
fn tab_pieces(text: &str) -> impl Iterator<Item = &str> {
    text.splitn(3, "%09")
}

//! The media type of octets that nobody named: what the format room makes of name and content, weighed against each other.

use crate::format::guess::{BINARY, LOOK, by_content, by_name, is_shown, is_text};
use crate::format::media;

/// Whether octets that begin so are no text.
pub fn is_binary(start: &[u8]) -> bool {
    !is_text(&start[..start.len().min(LOOK)])
}

/// The type that the first octets prove, if they prove one.
pub fn by_magic(start: &[u8]) -> Option<&'static str> {
    Some(by_content(start)).filter(|found| !matches!(*found, media::PLAIN | BINARY))
}

/// The type of a file: the name's word, unless the content contradicts it.
pub fn of_file(name: &str, start: &[u8]) -> String {
    let magic = by_magic(start);
    let readable = !is_binary(start) && magic.is_none();
    match by_name(name) {
        Some(named) if is_shown(&named) && !readable => magic.unwrap_or(BINARY).into(),
        Some(named) if named.starts_with("image/") && magic.is_some_and(|m| m.starts_with("image/")) => {
            magic.unwrap_or(BINARY).into()
        }
        // Some application's own type, but text all the same.
        Some(named) if !is_shown(&named) && readable => media::PLAIN.into(),
        Some(named) => named,
        None if !readable => magic.unwrap_or(BINARY).into(),
        None if is_html(start) => "text/html".into(),
        None => media::PLAIN.into(),
    }
}

fn is_html(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    [b"<!doctype html".as_slice(), b"<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag)))
}

//! Where a refused text breaks which rule: the octets to point at, and the section or the rule behind them.

use super::escape::{escape_at, is_hidden};
use super::locator::{split_authority, split_server};
use super::{Parts, UrlError, scheme, split};
use std::ops::Range;

/// What is wrong with a text, for programs and for pointing at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind of error in one word, always the same for the same mistake.
    pub kind: &'static str,
    /// The octets of the text; empty where something is missing.
    pub at: Range<usize>,
    /// The section of a specification, or the rule of `docs/rules.md`.
    pub rule: &'static str,
}

impl UrlError {
    /// The kind of error in one word (`bad-port`), for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            UrlError::NoScheme(_) => "no-scheme",
            UrlError::BadScheme(_) => "bad-scheme",
            UrlError::BadPort(_) => "bad-port",
            UrlError::BadHost(_) => "bad-host",
            UrlError::NoHost(_) => "no-host",
            UrlError::Malformed(_) => "malformed",
            UrlError::Refused(_) => "refused",
            UrlError::NoBase(_) => "no-base",
            UrlError::OpaqueBase { .. } => "opaque-base",
            UrlError::Unsupported(_) => "unsupported",
            UrlError::TooLong(_) => "too-long",
        }
    }
}

/// Finds in a text what an error about it complains of.
pub fn locate(text: &str, error: &UrlError) -> Fault {
    let whole = 0..text.len();
    let Parts { scheme, authority, .. } = split(text);
    let hier = scheme.map_or(0, |scheme| scheme.len() + 1);
    let (at, rule) = match error {
        UrlError::NoScheme(_) => (0..text.find(['/', '?', '#']).unwrap_or(text.len()), "RFC 3986, 3"),
        UrlError::BadScheme(_) => (bad_scheme(scheme.unwrap_or_default()), "RFC 3986, 3.1"),
        UrlError::Unsupported(_) => (0..scheme.map_or(text.len(), str::len), "scripts are never run"),
        UrlError::BadHost(_) => (bad_host(host(text).unwrap_or(whole), text), "RFC 3986, 3.2.2"),
        UrlError::BadPort(_) => (port(text).unwrap_or(whole), "RFC 3986, 3.2.3"),
        UrlError::NoHost(_) => {
            let at = hier + if authority.is_some() { 2 } else { 0 };
            (at..at, "RFC 1738, 3.1")
        }
        UrlError::NoBase(_) => (whole, "RFC 3986, 5.1"),
        UrlError::OpaqueBase { .. } => (whole, "RFC 3986, 5.1"),
        UrlError::TooLong(length) => ((64 << 20).min(*length)..*length, "at most 64 MiB"),
        UrlError::Malformed(_) | UrlError::Refused(_) => refused(text, scheme.unwrap_or_default(), hier, error),
    };
    Fault { kind: error.kind(), at: at.start.min(text.len())..at.end.min(text.len()), rule }
}

/// What a scheme's own rules refuse: line breaks first, then what the sentence names, else all behind the scheme.
fn refused(text: &str, scheme: &str, hier: usize, error: &UrlError) -> (Range<usize>, &'static str) {
    let sentence = error.to_string();
    if sentence.contains("a NUL") || sentence.contains("a carriage return") || sentence.contains("a line feed") {
        return (line_break(text).unwrap_or(hier..text.len()), "SEC-03");
    }
    if sentence.contains("backslash") {
        let at = text.find('\\').unwrap_or(hier);
        return (at..at + 1, "RFC 3986, 3.2");
    }
    let words = sentence.strip_prefix("refused: ").unwrap_or(&sentence);
    if words.starts_with("port ") {
        return (port(text).unwrap_or(hier..text.len()), "SEC-01");
    }
    if words.starts_with("the host begins") {
        let host = host(text).unwrap_or(hier..text.len());
        return (host.start..host.start + 1, "TEL-05");
    }
    let end = text.find('#').unwrap_or(text.len());
    let rest = split(text).authority.map_or(hier, |site| hier + 2 + site.len()).min(end);
    (if rest == end { hier..end } else { rest..end }, scheme::section(scheme))
}

fn bad_scheme(scheme: &str) -> Range<usize> {
    let good = |(at, c): (usize, char)| {
        c.is_ascii_alphabetic() || (at > 0 && (c.is_ascii_digit() || matches!(c, '+' | '-' | '.')))
    };
    let bad = scheme.char_indices().find(|&(at, c)| !good((at, c)));
    bad.map_or(0..scheme.len(), |(at, c)| at..at + c.len_utf8())
}

/// Where the host stands.
fn host(text: &str) -> Option<Range<usize>> {
    let parts = split(text);
    let site = parts.authority?;
    let start = parts.scheme.map_or(0, |scheme| scheme.len() + 1) + 2;
    let (info, server) = split_authority(site);
    let start = start + info.map_or(0, |info| info.len() + 1);
    Some(start..start + split_server(server).0.len())
}

/// Where the port stands.
fn port(text: &str) -> Option<Range<usize>> {
    let host = host(text)?;
    let (_, server) = split_authority(split(text).authority?);
    let port = split_server(server).1?;
    Some(host.end + 1..host.end + 1 + port.len())
}

/// The first character that no host has, or all of it.
fn bad_host(host: Range<usize>, text: &str) -> Range<usize> {
    let odd = |c: char| is_hidden(c) || "\"<>^`{|}[]\\".contains(c);
    let bracketed = text[host.clone()].starts_with('[');
    match text[host.clone()].char_indices().find(|&(_, c)| odd(c)) {
        Some((at, c)) if !bracketed => host.start + at..host.start + at + c.len_utf8(),
        _ => host,
    }
}

/// The first line break or NUL, plain or escaped.
fn line_break(text: &str) -> Option<Range<usize>> {
    let breaks = |b: u8| matches!(b, b'\r' | b'\n' | 0);
    let bytes = text.as_bytes();
    (0..bytes.len()).find_map(|at| match escape_at(bytes, at) {
        Some(octet) if breaks(octet) => Some(at..at + 3),
        _ => breaks(bytes[at]).then(|| at..at + 1),
    })
}

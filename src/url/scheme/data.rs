//! `data:` (RFC 2397): a document inside its own URL, decoded with a bound.

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, show};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The most octets that a document inside a URL may have.
pub const LIMIT: usize = 16 << 20;

/// The media type when none is written.
const DEFAULT_MEDIA: &str = "text/plain;charset=US-ASCII";

/// A document that came inside a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Data {
    /// The media type with its parameters.
    pub media: String,
    /// The document.
    pub body: Vec<u8>,
}

impl Data {
    /// Decodes the document.
    ///
    /// # Errors
    /// No comma, more than [`LIMIT`] octets, or base64 that is none.
    pub fn of(url: &Url) -> Result<Data, UrlError> {
        let (head, _) = split(url)?;
        let (media, base64) = media(head);
        let text = url.without_fragment();
        let raw = &text.as_str()[url.scheme().len() + 1 + head.len() + 1..];
        // Each octet takes one character at least, four of base64 make three.
        let least = if base64 { raw.len() / 12 * 3 } else { raw.len() / 3 };
        if least > LIMIT {
            return Err(too_large());
        }
        let body = escape::decode(raw);
        let body = if base64 { decode_base64(&body)? } else { body };
        if body.len() > LIMIT {
            return Err(too_large());
        }
        Ok(Data { media, body })
    }
}

fn too_large() -> UrlError {
    UrlError::Refused(format!("the document inside the URL is larger than {} MiB", LIMIT >> 20))
}

/// What stands before the comma, and how long the rest is.
fn split(url: &Url) -> Result<(&str, usize), UrlError> {
    let comma = url.path().find(',').filter(|_| url.authority().is_none());
    let comma = comma.ok_or_else(|| UrlError::Malformed("a data URL needs a comma before its data".into()))?;
    let rest = url.path().len() - comma - 1 + url.query().map_or(0, |query| query.len() + 1);
    Ok((&url.path()[..comma], rest))
}

/// The media type, completed, and whether the data is base64.
fn media(head: &str) -> (String, bool) {
    let stripped = head.rsplit_once(';').filter(|(_, last)| last.trim().eq_ignore_ascii_case("base64"));
    let media = show::octets(&escape::decode(stripped.map_or(head, |(media, _)| media).trim()));
    let media = match media.as_bytes().first() {
        None => DEFAULT_MEDIA.into(),
        Some(b';') => format!("text/plain{media}"),
        Some(_) => media,
    };
    (media, stripped.is_some())
}

/// Base64 with white space ignored and final `=` optional, as browsers take it; the URL alphabet as well.
fn decode_base64(text: &[u8]) -> Result<Vec<u8>, UrlError> {
    let bad = || UrlError::Malformed("the data is not base64".into());
    let mut digits: Vec<u8> = text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    for _ in 0..2 {
        if digits.len() % 4 != 1 && digits.last() == Some(&b'=') {
            digits.pop();
        }
    }
    if digits.len() % 4 == 1 {
        return Err(bad());
    }
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits = 0u32;
        for &b in group {
            bits = bits << 6 | u32::from(sextet(b).ok_or_else(bad)?);
        }
        let [_, octets @ ..] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        out.extend_from_slice(&octets[..group.len() * 3 / 4]);
    }
    Ok(out)
}

fn sextet(b: u8) -> Option<u8> {
    Some(match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Data,
    paths: Paths::Segments,
    parts: |url| {
        let (head, rest) = split(url)?;
        let (media, base64) = media(head);
        let coding = if base64 { "base64" } else { "escaped" };
        Ok(vec![
            Part { kind: PartKind::Type, label: "media type", text: media },
            Part { kind: PartKind::Extra, label: "data", text: format!("{rest} characters, {coding}") },
        ])
    },
    fields: |url| {
        let data = Data::of(url)?;
        Ok(json!({ "media": data.media, "length": data.body.len() }))
    },
    plan: |url| Data::of(url).map(|_| Plan { act: Act::Internal, confirm: None }),
    up: |_| None,
    root: |_| None,
};

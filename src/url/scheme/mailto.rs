//! `mailto:` (RFC 6068): addresses and the few headers that are safe to fill in; nothing is retrieved (MAIL-01 … 05).

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// Headers that a link may fill in; all others are dropped (D19).
const SAFE: &[&str] = &["subject", "body", "cc", "keywords", "in-reply-to"];

/// The fields of a mailto URL, as text for a composing program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailto {
    /// The addresses, those of `to` headers included.
    pub to: Vec<String>,
    /// Safe headers in the URL's order, names in lower case. Line breaks occur in `body` only.
    pub headers: Vec<(String, String)>,
    /// The names of headers that were dropped, for the reader.
    pub dropped: Vec<String>,
}

impl Mailto {
    /// Reads a mailto URL. `+` is a plus (RFC 6068, 5).
    ///
    /// # Errors
    /// A server, which mail does not have (GEN-30); CR, LF or NUL in an address or a header other than the body.
    pub fn of(url: &Url) -> Result<Mailto, UrlError> {
        if url.authority().is_some() {
            return Err(UrlError::Malformed("mailto: has no server: the address stands right after the colon".into()));
        }
        let mut mailto = Mailto { to: Vec::new(), headers: Vec::new(), dropped: Vec::new() };
        // two colons are a misprint of 1994 (MAIL-05)
        mailto.add_addresses(url.path().strip_prefix(':').unwrap_or(url.path()))?;
        for pair in url.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = text(&escape::decode(name)).to_ascii_lowercase();
            match name.as_str() {
                "to" => mailto.add_addresses(value)?,
                "body" => mailto.headers.push((name, body(value)?)),
                safe if SAFE.contains(&safe) => {
                    let value = text(&wire::decode("mail header", value)?);
                    mailto.headers.push((name, value));
                }
                _ => mailto.dropped.push(show::octets(name.as_bytes())),
            }
        }
        Ok(mailto)
    }

    /// The URL that says this and nothing else: what was dropped is not in it.
    ///
    /// # Errors
    /// None that a mail can be: it is made of what was read.
    pub fn url(&self) -> Result<Url, UrlError> {
        let encode = |text: &str| escape::encode(text.as_bytes(), b"");
        let to: Vec<String> = self.to.iter().map(|to| escape::encode(to.as_bytes(), b"!$'*+@")).collect();
        let pairs = self.headers.iter().map(|(name, value)| format!("{name}={}", encode(value)));
        let query = pairs.collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        Url::parse(format!("mailto:{}{mark}{query}", to.join(",")))
    }

    /// Splits at commas before decoding: an escaped comma belongs to an address.
    fn add_addresses(&mut self, raw: &str) -> Result<(), UrlError> {
        for address in raw.split(',').filter(|address| !address.is_empty()) {
            self.to.push(text(&wire::decode("mail address", address)?));
        }
        Ok(())
    }
}

/// The body may have lines, written `%0D%0A`; it may not have a NUL.
fn body(raw: &str) -> Result<String, UrlError> {
    let octets = escape::decode(raw);
    let unbroken: Vec<u8> = octets.iter().copied().filter(|b| !matches!(b, b'\r' | b'\n')).collect();
    wire::check("mail body", &unbroken)?;
    Ok(text(&octets))
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Mail,
    paths: Paths::Segments,
    parts: |url| {
        let mailto = Mailto::of(url)?;
        let mut parts = Vec::new();
        if !mailto.to.is_empty() {
            let to = show::octets(mailto.to.join(", ").as_bytes());
            parts.push(Part { kind: PartKind::Path, label: "to", text: to });
        }
        for (name, value) in &mailto.headers {
            // One line is enough for a bar; the composing program shows the rest.
            let line = value.lines().next().unwrap_or_default();
            let label = SAFE.iter().find(|safe| *safe == name).copied().unwrap_or("header");
            parts.push(Part { kind: PartKind::Extra, label, text: show::octets(line.as_bytes()) });
        }
        Ok(parts)
    },
    fields: |url| {
        let mailto = Mailto::of(url)?;
        let lines = |text: &str| text.split('\n').map(shown_line).collect::<Vec<_>>().join("\n");
        Ok(json!({
            "to": mailto.to.iter().map(|to| show::field(to.as_bytes())).collect::<Vec<_>>(),
            "headers": mailto.headers.iter().map(|(name, value)| json!([name, lines(value)])).collect::<Vec<_>>(),
        }))
    },
    plan: |url| Mailto::of(url).map(|_| Plan { act: Act::Handler("mailto"), confirm: None }),
    up: |_| None,
    root: |_| None,
};

/// A line of a body; line breaks stay what they are, other controls are spelled out.
fn shown_line(line: &str) -> String {
    match line.strip_suffix('\r') {
        Some(line) => show::field(line.as_bytes()) + "\r",
        None => show::field(line.as_bytes()),
    }
}

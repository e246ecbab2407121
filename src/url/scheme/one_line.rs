//! `finger:` (draft-ietf-uri-url-finger; RFC 1288), `whois:` (RFC 3912) and `whois++:` (RFC 1835): one line for a server, which
//! answers with a text.
//!
//! Refuses: line breaks in the line. A question that one host is to pass on to another (RFC 1288, 2.5.2) needs the reader's word.

use super::{Act, Ask, Part, PartKind, Paths, Plan, Ways, known, server, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The line that a URL stands for, without its end.
fn line(url: &Url) -> Result<Vec<u8>, UrlError> {
    wire::decode("query", &super::joined_path(url)?)
}

/// As [`line()`], for finger: `W user` asks for more (`/W user` on the wire), and `user@host` is read as logins are written.
fn question(url: &Url) -> Result<Vec<u8>, UrlError> {
    let line = line(url)?;
    if line.is_empty() {
        return Ok(wire::decode_opt("user name", url.user())?.unwrap_or_default());
    }
    Ok(if line.starts_with(b"W ") { [b"/", line.as_slice()].concat() } else { line })
}

/// The same question, with all that the server knows wanted (`/W`), or without it where it was wanted.
pub fn in_full(url: &Url) -> Option<Url> {
    let asked = question(url).ok().filter(|_| url.is("finger"))?;
    let path = match asked.strip_prefix(b"/W ") {
        Some(short) => escape::encode(short, escape::PATH),
        None => format!("W%20{}", escape::encode(&asked, escape::PATH)),
    };
    let host = url.authority()?.rsplit('@').next()?;
    Url::parse(format!("{}://{host}/{path}", url.scheme())).ok()
}

/// The URL with words for what it lacks.
pub(super) fn with_words(url: &Url, words: &[u8]) -> Result<Url, UrlError> {
    let authority = url.authority().unwrap_or_default();
    Url::parse(format!("{}://{authority}/{}", url.scheme(), escape::encode(words, escape::PATH)))
}

fn send(url: &Url, mut bytes: Vec<u8>, doubt: Option<String>) -> Result<Plan, UrlError> {
    let server = server::server(url)?;
    bytes.extend_from_slice(b"\r\n");
    let words: Vec<String> = server.confirm.into_iter().chain(doubt).collect();
    let confirm = (!words.is_empty()).then(|| words.join(" "));
    Ok(Plan { act: Act::Octets { host: server.host, port: server.port, tls: false, bytes }, confirm })
}

fn parts(query: &[u8]) -> Vec<Part> {
    let part = Part { kind: PartKind::Query, label: "query", text: show::octets(query) };
    if query.is_empty() { Vec::new() } else { vec![part] }
}

pub(super) const WHOIS: Ways = Ways {
    paths: Paths::Own,
    parts: |url| Ok(parts(&line(url)?)),
    fields: |url| Ok(json!({ "query": show::field(&line(url)?) })),
    plan: |url| {
        let words = line(url)?;
        if words.is_empty() {
            return Ok(Plan { act: Act::Ask(Ask::Search), confirm: server::server(url)?.confirm });
        }
        send(url, words, None)
    },
    up: |_| None,
    root: |url| (url.authority().is_some() && url.path().len() > 1).then(|| super::with_path(url, "/")).flatten(),
    ..known::OTHER
};

pub(super) const FINGER: Ways = Ways {
    parts: |url| Ok(parts(&line(url)?)),
    fields: |url| Ok(json!({ "query": show::field(&question(url)?) })),
    plan: |url| {
        let question = question(url)?;
        let onward = question.iter().rposition(|octet| *octet == b'@').map(|at| show::octets(&question[at + 1..]));
        let host = show::component(url.host().unwrap_or_default());
        let doubt = onward.map(|other| format!("{host} is to pass the question on to {other}."));
        send(url, question, doubt)
    },
    up: |url| (WHOIS.root)(url),
    ..WHOIS
};

//! `gemini:` (protocol specification 0.24.1, 2 and 5.1): the URL itself goes to the server, on one line, always over TLS.
//!
//! `titan:` sends a file to a place of the same space; what is said of that stands behind semicolons of its line.
//!
//! Refuses: users and passwords, which the protocol does not have, and lines longer than a server takes.

use super::{Act, Ask, Family, Part, PartKind, Paths, Plan, Ways, http, server, show, wire};
use crate::url::{Url, UrlError, equal, escape};
use serde_json::json;

/// Octets of a URL that a server takes.
pub const LONGEST: usize = 1024;

/// The URL as it stands on the request line: without the fragment and the usual port, a path where there is none, names beyond
/// ASCII as Punycode (D27).
///
/// # Errors
/// A user, no usable host, or a line that is too long.
pub fn line(url: &Url) -> Result<String, UrlError> {
    line_of(url, LONGEST, "Gemini")
}

/// The same for servers of another kind, which take so many octets.
pub(super) fn line_of(url: &Url, longest: usize, whose: &str) -> Result<String, UrlError> {
    if url.authority().is_some_and(|authority| authority.contains('@')) {
        let why = "logs nobody in: leave out what stands before the @ of the address";
        return Err(UrlError::Refused(format!("{} {why}", url.scheme())));
    }
    let server = server::server(url)?;
    let port = match super::default_port(url.scheme()) {
        Some(own) if own == server.port => String::new(),
        _ => format!(":{}", server.port),
    };
    let scheme = url.scheme().to_ascii_lowercase();
    let host = match server.host.starts_with('[') {
        true => server.host.to_ascii_lowercase(),
        false => equal::host(&server.host),
    };
    let line = [&scheme, "://", &host, &port, &escape::make_target(url.path(), url.query())].concat();
    if line.len() > longest {
        let why =
            format!("{} octets are more than the {longest} that a {whose} server takes of an address", line.len());
        return Err(UrlError::Refused(why));
    }
    wire::check("address", line.as_bytes())?;
    match line.bytes().all(|b| b.is_ascii_graphic()) {
        true => Ok(line),
        false => Err(UrlError::BadHost(server.host)),
    }
}

/// The URL that answers a server's question with words: they are its query (3.2.1).
///
/// # Errors
/// Never for a URL that was one.
pub(super) fn answering(url: &Url, words: &[u8]) -> Result<Url, UrlError> {
    let text = url.without_fragment();
    let bare = text.as_str().split('?').next().unwrap_or_default();
    // Stars are stars: they stand for what nobody may see.
    Url::parse(format!("{bare}?{}", escape::encode(words, b"*")))
}

/// What a `titan:` URL may say behind semicolons.
const SAID: [&str; 3] = [";mime=", ";size=", ";token="];

/// A path without what is said behind its semicolons.
fn bare(path: &str) -> &str {
    let end = SAID.iter().filter_map(|name| path.find(name)).min().unwrap_or(path.len());
    &path[..end]
}

/// Where a file goes in place of a page.
///
/// # Errors
/// Never for a URL of Gemini space.
pub fn upload_place(url: &Url) -> Result<Url, UrlError> {
    let path = if url.path().is_empty() { "/" } else { bare(url.path()) };
    Url::parse(format!("titan://{}{path}", url.authority().unwrap_or_default()))
}

/// A place for files, with what lets the reader change it.
///
/// # Errors
/// Never for a URL of Gemini space.
pub fn with_token(url: &Url, token: &str) -> Result<Url, UrlError> {
    Url::parse(format!("{};token={}", upload_place(url)?, escape::encode(token.as_bytes(), b"*")))
}

/// The line before a file of a type and a size.
///
/// # Errors
/// As [`line()`].
pub fn upload(url: &Url, media: &str, size: usize) -> Result<String, UrlError> {
    let token = url.path().rsplit_once(";token=").map(|(_, token)| token.split(';').next().unwrap_or_default());
    let token = token.map(|token| format!(";token={token}")).unwrap_or_default();
    let said = format!("{};mime={};size={size}{token}", upload_place(url)?, escape::encode(media.as_bytes(), b"/"));
    line(&Url::parse(said)?)
}

pub(super) const TITAN: Ways = Ways {
    parts: |url| {
        let mut parts = vec![Part { kind: PartKind::Path, label: "path", text: show::component(bare(url.path())) }];
        if url.path().contains(";token=") {
            parts.push(Part { kind: PartKind::Password, label: "token", text: "***".into() });
        }
        Ok(parts)
    },
    plan: |url| {
        line(url)?;
        Ok(Plan { act: Act::Ask(Ask::File), confirm: server::server(url)?.confirm })
    },
    ..WAYS
};

pub(super) const WAYS: Ways = Ways {
    family: Family::Gemini,
    paths: Paths::Segments,
    parts: http::parts,
    fields: |url| Ok(json!({ "request": line(url)? })),
    plan: |url| {
        let mut bytes = line(url)?.into_bytes();
        bytes.extend_from_slice(b"\r\n");
        let server = server::server(url)?;
        let act = Act::Octets { host: server.host, port: server.port, tls: true, bytes };
        Ok(Plan { act, confirm: server.confirm })
    },
    up: http::up,
    root: http::root,
};

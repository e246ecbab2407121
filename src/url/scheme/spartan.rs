//! `spartan:` (Spartan 3.0): host, path and the length of what is sent on one line, in clear text; what is sent is the query, decoded.
//! An empty query asks for words first: so are the input lines of its pages written.

use super::{Act, Ask, Family, Paths, Plan, Ways, http, server, wire};
use crate::url::{Url, UrlError, equal, escape};
use serde_json::json;

/// The request: its line, and what follows it.
fn request(url: &Url) -> Result<Vec<u8>, UrlError> {
    if url.authority().is_some_and(|authority| authority.contains('@')) {
        let why = "spartan logs nobody in: leave out what stands before the @ of the address";
        return Err(UrlError::Refused(why.into()));
    }
    let host = server::host(url)?;
    let name = if host.starts_with('[') { host.clone() } else { equal::host(&host) };
    // A server of another protocol would take each line for a command.
    let data = wire::decode("query", url.query().unwrap_or_default())?;
    let line = format!("{name} {} {}", escape::make_target(url.path(), None), data.len());
    wire::check("address", line.as_bytes())?;
    if !line.is_ascii() || name.contains(' ') {
        return Err(UrlError::BadHost(host));
    }
    Ok([line.as_bytes(), b"\r\n", &data].concat())
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Spartan,
    paths: Paths::Segments,
    parts: http::parts,
    fields: |_| Ok(json!({})),
    plan: |url| {
        let (bytes, server) = (request(url)?, server::server(url)?);
        let act = match url.query() {
            Some("") => Act::Ask(Ask::Search),
            _ => Act::Octets { host: server.host, port: server.port, tls: false, bytes },
        };
        Ok(Plan { act, confirm: server.confirm })
    },
    up: http::up,
    root: http::root,
};

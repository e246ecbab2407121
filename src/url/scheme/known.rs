//! Schemes that are known by name but have no protocol here (MISC-01 … 09): parsed, explained, offered to a handler.

use super::{Act, Family, Paths, Plan, Ways, http, name, server, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// Whatever else: generic parts, and a handler or an explanation.
pub(super) const OTHER: Ways = Ways {
    family: Family::Other,
    paths: Paths::Segments,
    parts: http::parts,
    fields: |_| Ok(json!({})),
    plan: |url| {
        // The handler is a program or a gateway; neither may be given an option or a broken line as a host.
        let host = url.host().unwrap_or_default();
        wire::check("host", host.as_bytes())?;
        if !host.is_empty() {
            server::check_host(host)?;
        }
        let confirm = match super::default_port(url.scheme()) {
            Some(own) if !host.is_empty() => server::server_at(url, own)?.confirm,
            _ => None,
        };
        Ok(Plan { act: Act::Handler(name(url.scheme())), confirm })
    },
    up: http::up,
    root: http::root,
};

/// `cso:` and `ph:`: a phone book, which gopher knows as an item of type 2 (RFC 2378).
pub(super) const PHONE_BOOK: Ways = Ways {
    plan: |url| {
        let server = server::server(url)?;
        let query = wire::decode("query", &super::joined_path(url)?)?;
        let query = if query.is_empty() { String::new() } else { format!("%09{}", escape::encode(&query, b"")) };
        let book = Url::parse(format!("gopher://{}:{}/2{query}", server.host, server.port))?;
        Ok(Plan { act: Act::Open(book), confirm: server.confirm })
    },
    up: |_| None,
    root: |_| None,
    ..OTHER
};

/// Schemes that run programs of a page, or ask another browser about itself: never.
pub(super) const NEVER: Ways = Ways {
    family: Family::Nowhere,
    plan: |url| Err(UrlError::Unsupported(show::component(url.scheme()))),
    up: |_| None,
    root: |_| None,
    ..OTHER
};

/// `URL:` is no scheme but a prefix of the drafts: what follows it is opened (D23, MISC-08).
pub(super) const PREFIX: Ways = Ways {
    plan: |url| {
        let rest = url.as_str()[url.scheme().len() + 1..].trim();
        match Url::parse(rest) {
            Ok(inner) if !inner.is("url") => Ok(Plan { act: Act::Open(inner), confirm: None }),
            Ok(_) => Err(UrlError::Malformed("the prefix \"URL:\" stands twice".into())),
            Err(error) => Err(error),
        }
    },
    up: |_| None,
    root: |_| None,
    ..OTHER
};

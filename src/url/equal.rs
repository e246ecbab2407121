//! Equivalence of URLs, for visited links and caches only (NORM-01 … 07; RFC 3986, 6.2); never to rewrite what is sent.
//!
//! Case of scheme, host and escapes, escaped unreserved characters, default ports, and each scheme's own rules. Dot
//! segments are left alone: a text that was opened directly was sent with them.

use super::escape::{escape_at, is_reserved, is_unreserved, push_escape, would_complete_escape};
use super::locator::{port_number, split_authority, split_server};
use super::scheme::{Family, table};
use super::{Parts, Url, scheme};
use std::net::Ipv6Addr;

/// The normal form: equal exactly for equivalent URLs. A key, not something to send: it may hold a password.
pub fn normal(url: &Url) -> String {
    let Parts { authority, path, query, fragment, .. } = url.parts();
    let scheme = url.scheme().to_ascii_lowercase();
    let mut out = format!("{scheme}:");
    match authority {
        Some(authority) => push_authority(&mut out, &scheme, authority),
        // file:/x names what file:///x names (FILE-04)
        None if scheme == "file" && path.starts_with('/') => out.push_str("//"),
        None => {}
    }
    push_path(&mut out, &scheme, authority.is_some(), path);
    for (mark, part) in [('?', query), ('#', fragment)] {
        if let Some(part) = part {
            out.push(mark);
            fold(&mut out, part);
        }
    }
    out
}

/// Whether two URLs are equivalent by the rules of their scheme.
pub fn equivalent(a: &Url, b: &Url) -> bool {
    a == b || normal(a) == normal(b)
}

fn push_authority(out: &mut String, scheme: &str, authority: &str) {
    out.push_str("//");
    let (info, server) = split_authority(authority);
    if let Some(info) = info {
        fold(out, info);
        out.push('@');
    }
    let (host, port) = split_server(server);
    let address = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::parse::<Ipv6Addr>);
    if let Some(Ok(address)) = address {
        out.push_str(&format!("[{address}]"));
    } else if !(scheme == "file" && host.eq_ignore_ascii_case("localhost")) {
        let mut folded = String::new();
        fold(&mut folded, host);
        // again, for the case of the escapes that are left
        fold(out, &folded.to_ascii_lowercase());
    }
    let Some(port) = port.filter(|port| !port.is_empty()) else { return };
    match port_number(port) {
        Some(number) if scheme::default_port(scheme) == Some(number) => {}
        Some(number) => out.push_str(&format!(":{number}")),
        None => {
            out.push(':');
            fold(out, port);
        }
    }
}

/// The path, with the scheme's own rules (NORM-05).
fn push_path(out: &mut String, scheme: &str, site: bool, path: &str) {
    match table::family(scheme) {
        Family::Gopher if site && matches!(path, "" | "/") => out.push_str("/1"),
        Family::Ftp => {
            // typecodes are letters of either case (FTP-11)
            let (name, code) = match path.len().checked_sub(";type=x".len()).and_then(|at| path.split_at_checked(at)) {
                Some((name, code)) if code.to_ascii_lowercase().starts_with(";type=") => (name, code),
                _ => (path, ""),
            };
            fold(out, if site && path.is_empty() { "/" } else { name });
            fold(out, &code.to_ascii_lowercase());
        }
        _ if site && path.is_empty() => out.push('/'),
        _ => fold(out, path),
    }
}

/// Appends a component with unreserved characters plain (NORM-03), reserved ones as they are (NORM-04), all others
/// escaped, in upper case (D41). A `%` that begins no escape stays, so that it never equals `%25`.
fn fold(out: &mut String, component: &str) {
    let bytes = component.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match (escape_at(bytes, at), bytes[at]) {
            (Some(octet), _) if is_unreserved(octet) && !would_complete_escape(out, octet) => out.push(octet as char),
            (Some(octet), _) => push_escape(out, octet),
            (None, b) if b == b'%' || is_unreserved(b) || (is_reserved(b) && !b"[]#".contains(&b)) => {
                out.push(b as char);
            }
            (None, b) => push_escape(out, b),
        }
        at += if escape_at(bytes, at).is_some() { 3 } else { 1 };
    }
}

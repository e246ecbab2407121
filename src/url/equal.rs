//! Equivalence of URLs (NORM-01 … 07; RFC 3986, 6.2), for visited links and caches; never to rewrite what is sent.
//!
//! Two URLs are equivalent when their normal forms are one text: case of scheme, host and escapes, escaped unreserved
//! characters, dot segments, default ports, names beyond ASCII as Punycode, and each scheme's own rules. A normal form is
//! itself a URL, which is its own normal form.
//!
//! Where a path is no hierarchy its dots are data (gopher, news), and so they are in FTP, where each segment is a command of
//! its own: URLs that send different octets to such servers are never equivalent.

use super::escape::{decode, escape_at, is_reserved, is_unreserved, push_escape, would_complete_escape};
use super::locator::{port_number, split_authority, split_server};
use super::resolve::{has_dots, push_hierarchy};
use super::scheme::ftp::split_typecode;
use super::scheme::gopher_item::{ItemKind, item};
use super::scheme::news::Range;
use super::scheme::{Family, Paths, table};
use super::{Parts, Url, scheme};
use std::borrow::Cow;
use std::net::Ipv6Addr;

/// The normal form: equal exactly for equivalent URLs. It may hold a password.
pub fn normal(url: &Url) -> Cow<'_, str> {
    form(url.as_str(), url.parts())
}

/// The normal form of what is retrieved: without the fragment.
pub fn of_page(url: &Url) -> Cow<'_, str> {
    let parts = url.parts();
    let length = url.as_str().len() - parts.fragment.map_or(0, |fragment| fragment.len() + 1);
    form(&url.as_str()[..length], Parts { fragment: None, ..parts })
}

/// Whether two URLs are equivalent by the rules of their scheme.
pub fn equivalent(a: &Url, b: &Url) -> bool {
    a == b || normal(a) == normal(b)
}

/// What a scheme makes of its paths, as far as equivalence is concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind<'a> {
    scheme: &'a str,
    family: Family,
    /// Whether `.` and `..` are steps, not names.
    dots: bool,
}

impl Kind<'_> {
    fn of(scheme: &str) -> Kind<'_> {
        let family = table::family(scheme);
        Kind {
            scheme,
            family,
            dots: table::paths(scheme) != Paths::Own && !matches!(family, Family::Ftp | Family::Sftp),
        }
    }

    fn is_urn(self) -> bool {
        self.scheme.eq_ignore_ascii_case("urn")
    }
}

fn form<'a>(text: &'a str, parts: Parts<'_>) -> Cow<'a, str> {
    let kind = Kind::of(parts.scheme.unwrap_or_default());
    if is_normal(kind, parts) { Cow::Borrowed(text) } else { Cow::Owned(written(kind, parts, text.len())) }
}

/// Whether a URL is its own normal form and nothing needs a closer look; for most it is.
fn is_normal(kind: Kind<'_>, parts: Parts<'_>) -> bool {
    let Parts { authority, path, query, fragment, .. } = parts;
    let lower = |text: &str| !text.bytes().any(|b| b.is_ascii_uppercase());
    let site = match authority {
        Some(site) => {
            let (info, server) = split_authority(site);
            let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'_');
            path.starts_with('/') && server.bytes().all(plain) && info.is_none_or(is_folded)
        }
        None => true,
    };
    let own = match kind.family {
        Family::Gopher => authority.is_none() || path != "/" || query.is_some(),
        Family::Ftp => !path.contains(';') && query.is_none(),
        Family::File => authority.is_some_and(|host| host != "localhost"),
        Family::Mail => path.rsplit_once('@').is_none_or(|(_, domain)| lower(domain)) && !path.contains([',', '%']),
        _ => !kind.is_urn() || lower(path),
    };
    site && own
        && lower(kind.scheme)
        && !(kind.dots && path.starts_with('/') && has_dots(path))
        && [Some(path), query, fragment].into_iter().flatten().all(is_folded)
}

/// Whether [`fold`] would leave a component alone, as far as one look tells.
fn is_folded(component: &str) -> bool {
    let bytes = component.as_bytes();
    let settled = |at: usize| match bytes[at] {
        b'%' => {
            let upper = |at: usize| bytes.get(at).is_some_and(|b| !b.is_ascii_lowercase());
            escape_at(bytes, at).is_some_and(|octet| !is_unreserved(octet)) && upper(at + 1) && upper(at + 2)
        }
        b'[' | b']' | b'#' => false,
        b => is_unreserved(b) || is_reserved(b),
    };
    (0..bytes.len()).all(settled)
}

fn written(kind: Kind<'_>, parts: Parts<'_>, length: usize) -> String {
    let Parts { authority, path, query, fragment, .. } = parts;
    let mut out = String::with_capacity(length + 16);
    out.push_str(kind.scheme);
    out.make_ascii_lowercase();
    out.push(':');
    match authority {
        Some(authority) => push_authority(&mut out, kind, authority, path),
        // file:/x names what file:///x names (FILE-04)
        None if kind.family == Family::File && path.starts_with('/') => out.push_str("//"),
        None => {}
    }
    let site = out.contains("://");
    let query = push_path(&mut out, kind, site, path, query);
    for (mark, part) in [('?', query), ('#', fragment)] {
        if let Some(part) = part {
            out.push(mark);
            fold(&mut out, part);
        }
    }
    out
}

fn push_authority(out: &mut String, kind: Kind<'_>, authority: &str, path: &str) {
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
    } else if !(kind.family == Family::File && host.eq_ignore_ascii_case("localhost")) {
        match kind.family {
            // a URL, in which case counts
            Family::Archive => fold(out, host),
            _ => push_host(out, host),
        }
    }
    let Some(port) = port.filter(|port| !port.is_empty()) else { return };
    match port_number(port) {
        Some(number) if scheme::default_port(kind.scheme) == Some(number) && !names_port(kind, path) => {}
        Some(number) => out.push_str(&format!(":{number}")),
        None => {
            out.push(':');
            fold(out, port);
        }
    }
}

/// Whether a path names an item of gopher that lies behind another port than gopher's where none is written.
fn names_port(kind: Kind<'_>, path: &str) -> bool {
    let octet = |path: &str| escape_at(path.as_bytes(), 0).or(path.bytes().next());
    let first = path.strip_prefix('/').and_then(octet);
    kind.family == Family::Gopher
        && first.is_some_and(|octet| matches!(item(octet).kind, ItemKind::Session | ItemKind::PhoneBook))
}

/// A host as it is dialled: in lower case, what is beyond ASCII as Punycode.
pub(super) fn host(host: &str) -> String {
    let mut out = String::with_capacity(host.len());
    push_host(&mut out, host);
    out
}

/// A name in lower case, what is beyond ASCII as Punycode (D27); what is no such name, in upper case escapes.
fn push_host(out: &mut String, host: &str) {
    let is_name =
        |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') || !c.is_ascii());
    if host.bytes().any(|b| b == b'%' || !b.is_ascii())
        && let Ok(name) = String::from_utf8(decode(host))
        && !name.is_ascii()
        && is_name(&name)
        && let Ok(ascii) = idna::domain_to_ascii(&name)
        // compatibility forms of delimiters come out as delimiters
        && is_name(&ascii)
        && ascii.is_ascii()
        && !ascii.is_empty()
    {
        return out.push_str(&ascii);
    }
    if let Some((address, zone)) = host.strip_prefix('[').and_then(|host| host.split_once("%25"))
        && address.parse::<Ipv6Addr>().is_ok()
        && zone.bytes().all(|b| b == b']' || is_unreserved(b))
    {
        // The names of a machine's own wires may differ by case (RFC 6874, 2).
        out.push('[');
        out.push_str(&address.to_ascii_lowercase());
        out.push_str("%25");
        return out.push_str(zone);
    }
    let mut folded = String::with_capacity(host.len());
    fold(&mut folded, host);
    // again, for the case of the escapes that are left
    folded.make_ascii_lowercase();
    fold(out, &folded);
}

/// The path, with the scheme's own rules (NORM-05), and the query that is left: where `?` is data (D16), there is none.
fn push_path<'a>(out: &mut String, kind: Kind<'_>, site: bool, path: &str, query: Option<&'a str>) -> Option<&'a str> {
    match kind.family {
        Family::Gopher if site && matches!(path, "" | "/") && query.is_none() => out.push_str("/1"),
        // no URL of its scheme, which it must not become
        Family::Gopher | Family::Ftp | Family::News | Family::Nntp if site && path.is_empty() && query.is_some() => {}
        Family::Ftp => {
            push_ftp(out, if site && path.is_empty() { "/" } else { path }, query);
            return None;
        }
        Family::News => {
            push_groups(out, if site && path.is_empty() { "/" } else { path }, query);
            return None;
        }
        Family::Mail if !path.starts_with('/') => push_addresses(out, path),
        _ if kind.is_urn() && !path.starts_with('/') => push_name(out, path),
        // no path is the user's own directory
        Family::Sftp if path.is_empty() => {}
        _ if site && path.is_empty() => out.push('/'),
        _ if kind.dots && path.starts_with('/') => {
            let mut folded = String::with_capacity(path.len());
            fold(&mut folded, path);
            push_hierarchy(out, &folded, site);
        }
        _ => fold(out, path),
    }
    query
}

/// Typecodes are letters of either case (FTP-11). One that only decoding would make is part of the name.
fn push_ftp(out: &mut String, path: &str, query: Option<&str>) {
    let joined = joined(path, query);
    let name = joined.rfind('/').map_or(0, |slash| slash + 1);
    let (name, code) = match split_typecode(&joined[name..]) {
        (segment, Some(code)) => (&joined[..name + segment.len()], format!(";type={}", code.code())),
        _ => (&*joined, String::new()),
    };
    let start = out.len();
    fold(out, name);
    let segment = out[start..].rfind('/').map_or(start, |slash| start + slash + 1);
    if code.is_empty()
        && split_typecode(&out[segment..]).1.is_some()
        && let Some(at) = out[segment..].rfind(';')
    {
        out.replace_range(segment + at..=segment + at, "%3B");
    }
    out.push_str(&code);
}

/// A path with the query that is part of it (D16).
fn joined<'a>(path: &'a str, query: Option<&str>) -> Cow<'a, str> {
    query.map_or(Cow::Borrowed(path), |query| format!("{path}?{query}").into())
}

/// Groups, and articles of a group by their numbers, which no escaped spelling of numbers names.
fn push_groups(out: &mut String, path: &str, query: Option<&str>) {
    let path = joined(path, query);
    let numbered = |path: &str| {
        let inner = path.strip_prefix('/').unwrap_or(path);
        inner.rsplit_once('/').is_some_and(|(group, last)| !group.is_empty() && Range::of(last).is_some())
    };
    let start = out.len();
    fold(out, &path);
    if numbered(&out[start..])
        && !numbered(&path)
        && let Some(slash) = out[start..].rfind('/')
    {
        out.replace_range(start + slash..=start + slash, "%2F");
    }
}

/// Addresses: whose case counts before the `@` only (RFC 6068, 2; RFC 5321, 2.4).
fn push_addresses(out: &mut String, path: &str) {
    for (i, address) in path.split(',').enumerate() {
        if i > 0 {
            out.push(',');
        }
        match address.rsplit_once('@') {
            Some((local, domain)) => {
                fold(out, local);
                out.push('@');
                push_host(out, domain);
            }
            None => fold(out, address),
        }
    }
}

/// A URN: a namespace in letters of either case, and a name whose escapes are compared but not decoded (RFC 8141, 3.1).
fn push_name(out: &mut String, path: &str) {
    let nid = path.find(':').unwrap_or(path.len());
    let start = out.len();
    out.push_str(&path[..nid]);
    out[start..].make_ascii_lowercase();
    let rest = &path.as_bytes()[nid..];
    let mut at = 0;
    while at < rest.len() {
        let octet = escape_at(rest, at);
        match (octet, rest[at]) {
            (None, b) if b == b'%' || is_unreserved(b) || (is_reserved(b) && !b"[]#".contains(&b)) => {
                out.push(b as char)
            }
            (octet, b) => push_escape(out, octet.unwrap_or(b)),
        }
        at += if octet.is_some() { 3 } else { 1 };
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

//! `Url` (absolute) and `Reference` (absolute or relative): text exactly as written, components as ranges.

use super::split::{Cuts, mark};
use super::{Parts, UrlError, escape, scheme, secret, split};
use std::fmt;
use std::hash::{Hash, Hasher};

/// An absolute URL, kept exactly as written. Equal only when every byte is (see [`super::equal`] for equivalence).
#[derive(Clone)]
pub struct Url {
    text: String,
    ends: Ends,
}

/// A URL reference as a document wrote it, absolute or relative (RFC 3986, 4.1).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Reference {
    text: String,
}

/// [`Cuts`] of an absolute URL, at half the size: a page may hold a million of them.
#[derive(Clone, Copy)]
struct Ends {
    scheme: u32,
    hier: u32,
    path: u32,
    query: u32,
}

/// The longest text that is taken for a URL, in octets: room for a document inside a `data:` URL, far from what [`Ends`]
/// could not measure.
const MAX_LEN: usize = 64 << 20;

/// For the cuts of a text of at most [`MAX_LEN`] bytes that has a scheme.
#[expect(clippy::cast_possible_truncation, reason = "no text of a URL is longer than MAX_LEN")]
impl From<Cuts> for Ends {
    fn from(Cuts { scheme, hier, path, query, .. }: Cuts) -> Ends {
        let scheme = scheme.unwrap_or_default() as u32;
        Ends { scheme, hier: hier as u32, path: path as u32, query: query as u32 }
    }
}

impl Ends {
    fn cuts(self) -> Cuts {
        let Ends { scheme, hier, path, query } = self;
        Cuts {
            scheme: Some(scheme as usize),
            hier: hier as usize,
            path: path as usize,
            query: query as usize,
            marks: 0,
        }
    }
}

impl Url {
    /// Takes a text as an absolute URL; a `String` is not copied. White space and wrappers are not removed (see
    /// [`super::complete`]).
    ///
    /// # Errors
    /// As [`Url::check`].
    pub fn parse(text: impl Into<String>) -> Result<Url, UrlError> {
        let text = text.into();
        let ends = Ends::from(examine(&text)?);
        Ok(Url { text, ends })
    }

    /// A text that was put together from the parts of a good URL, and where they end.
    ///
    /// # Errors
    /// It grew too long.
    pub(super) fn assembled(text: String, cuts: Cuts) -> Result<Url, UrlError> {
        if text.len() > MAX_LEN { Err(UrlError::TooLong(text.len())) } else { Ok(Url { text, ends: Ends::from(cuts) }) }
    }

    /// The parts of a text that [`Url::parse`] would take, without keeping or copying it.
    ///
    /// # Errors
    /// No scheme or a bad one (GEN-02), a control, space or invisible character in the host, more than 4 GiB of text.
    /// Where the scheme is known to name a server: a port that is no port (GEN-31), brackets round anything but an IP
    /// address, a character that no host has. The site of any other scheme is opaque (GEN-19).
    pub fn check(text: &str) -> Result<Parts<'_>, UrlError> {
        examine(text).map(|cuts| cuts.parts(text))
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The five generic parts.
    pub fn parts(&self) -> Parts<'_> {
        self.ends.cuts().parts(&self.text)
    }

    /// The scheme as written; compare with [`Url::is`].
    pub fn scheme(&self) -> &str {
        &self.text[..self.ends.scheme as usize]
    }

    /// Whether the scheme is `name`, letters of either case (GEN-03).
    pub fn is(&self, name: &str) -> bool {
        self.scheme().eq_ignore_ascii_case(name)
    }

    /// What stands between `//` and the path.
    pub fn authority(&self) -> Option<&str> {
        self.ends.cuts().authority(&self.text)
    }

    /// The user name, still escaped; empty differs from undefined (GEN-10).
    pub fn user(&self) -> Option<&str> {
        let info = split_authority(self.authority()?).0?;
        Some(info.split_once(':').map_or(info, |(user, _)| user))
    }

    /// The password, still escaped. Never show it.
    pub fn password(&self) -> Option<&str> {
        let info = split_authority(self.authority()?).0?;
        info.split_once(':').map(|(_, password)| password)
    }

    /// The host as written, IPv6 in its brackets.
    pub fn host(&self) -> Option<&str> {
        self.host_and_port().map(|(host, _)| host)
    }

    /// The port as written: undefined, empty or digits.
    pub fn port_text(&self) -> Option<&str> {
        self.host_and_port().and_then(|(_, port)| port)
    }

    fn host_and_port(&self) -> Option<(&str, Option<&str>)> {
        Some(split_server(split_authority(self.authority()?).1))
    }

    /// The port to connect to: as written, else the scheme's default (GEN-17).
    pub fn port(&self) -> Option<u16> {
        match self.port_text() {
            Some(port) if !port.is_empty() => port_number(port),
            _ => scheme::default_port(self.scheme()),
        }
    }

    /// The path, slash included.
    pub fn path(&self) -> &str {
        &self.text[self.ends.hier as usize..self.ends.path as usize]
    }

    /// The query without its `?`.
    pub fn query(&self) -> Option<&str> {
        self.ends.cuts().query(&self.text)
    }

    /// The fragment without its `#`; never sent to a server.
    pub fn fragment(&self) -> Option<&str> {
        self.ends.cuts().fragment(&self.text)
    }

    /// The same URL without fragment: what is retrieved.
    pub fn without_fragment(&self) -> Url {
        Url { text: self.text[..self.ends.query as usize].into(), ends: self.ends }
    }

    /// The same URL with another fragment.
    pub fn with_fragment(&self, fragment: Option<&str>) -> Url {
        let mut url = self.without_fragment();
        if let Some(fragment) = fragment {
            url.text.push('#');
            url.text.push_str(fragment);
        }
        url
    }

    /// Whether relative references make sense here: a site, or a path that begins with a slash (REL-16, REL-17).
    pub fn has_hierarchy(&self) -> bool {
        let parts = self.parts();
        parts.authority.is_some() || parts.path.starts_with('/')
    }

    /// The text with any password replaced by `***`: the only form for screens, logs and stores (SEC-04).
    pub fn redacted(&self) -> String {
        secret::hide(&self.text, secret::of_url(&self.text))
    }

    /// The text without any password: what may be kept and given away, and still works (SEC-04).
    pub fn without_secrets(&self) -> String {
        secret::without(self)
    }

    /// The token of a `titan:` URL, as written; `None` when there is none or it is empty.
    pub fn token(&self) -> Option<&str> {
        secret::token(&self.text).map(|range| &self.text[range])
    }
}

/// Splits and judges an absolute URL (errors: see [`Url::check`]).
#[inline]
fn examine(text: &str) -> Result<Cuts, UrlError> {
    if text.len() > MAX_LEN {
        return Err(UrlError::TooLong(text.len()));
    }
    let cuts = Cuts::of(text);
    let Some(scheme) = cuts.scheme.map(|end| &text[..end]) else {
        return Err(UrlError::NoScheme(text.into()));
    };
    if !text.as_bytes()[0].is_ascii_alphabetic() || cuts.marks & mark::NO_SCHEME != 0 {
        return Err(UrlError::BadScheme(scheme.into()));
    }
    if cuts.marks != 0 {
        check_authority(text, cuts)?;
    }
    Ok(cuts)
}

/// The part of [`Url::check`] that a plain host name does not need.
fn check_authority(text: &str, cuts: Cuts) -> Result<(), UrlError> {
    let Parts { scheme: Some(scheme), authority: Some(authority), .. } = cuts.parts(text) else { return Ok(()) };
    let has = |mark: u8| cuts.marks & mark != 0;
    let (_, server) = split_authority(authority);
    let (host, port) = split_server(server);
    // an @ further on: a login with a raw / ? or # in its password, which begins in what looks like host and port
    let quote = |part: &str| if text[cuts.hier..].contains('@') { "***".to_owned() } else { part.to_owned() };
    if has(mark::ODD) && host.chars().any(escape::is_hidden) {
        return Err(UrlError::BadHost(quote(host)));
    }
    let port_fits = !has(mark::COLON) || port.is_none_or(|port| port.is_empty() || port_number(port).is_some());
    if (port_fits && !has(mark::ODD | mark::BRACKET)) || scheme::default_port(scheme).is_none() {
        return Ok(());
    }
    if has(mark::ODD) && authority.contains('\\') {
        // browsers end the site at a backslash, RFC 3986 does not: two readers, two hosts
        return Err(UrlError::Refused("a backslash in the site makes its host ambiguous".into()));
    }
    if has(mark::ODD) && host.contains(['"', '<', '>', '^', '`', '{', '|', '}']) {
        return Err(UrlError::BadHost(quote(host)));
    }
    if has(mark::BRACKET) && server.contains(['[', ']']) && !is_ip_literal(host) {
        return Err(UrlError::BadHost(quote(server)));
    }
    match port {
        Some(port) if !port_fits => Err(UrlError::BadPort(quote(port))),
        _ => Ok(()),
    }
}

/// Login (before the last `@`, a host has none) and server of an authority (GEN-09).
pub(super) fn split_authority(authority: &str) -> (Option<&str>, &str) {
    match memchr::memrchr(b'@', authority.as_bytes()) {
        Some(at) => (Some(&authority[..at]), &authority[at + 1..]),
        None => (None, authority),
    }
}

/// Host and port of what follows the login; the colons inside an IPv6 address are its own.
pub(super) fn split_server(server: &str) -> (&str, Option<&str>) {
    let after_bracket = memchr::memrchr(b']', server.as_bytes()).map_or(0, |at| at + 1);
    match memchr::memchr(b':', &server.as_bytes()[after_bracket..]) {
        Some(colon) => (&server[..after_bracket + colon], Some(&server[after_bracket + colon + 1..])),
        None => (server, None),
    }
}

/// 1 … 65535 in decimal, zeros in front allowed (RFC 3986, 3.2.3), a sign not.
pub(super) fn port_number(port: &str) -> Option<u16> {
    let digits = port.bytes().all(|b| b.is_ascii_digit());
    port.parse().ok().filter(|&number| digits && number > 0)
}

/// `[…]` round an IPv6 address, with or without zone (RFC 6874), or a future one (RFC 3986, 3.2.2).
fn is_ip_literal(host: &str) -> bool {
    let Some(inside) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return false };
    let (address, zone) = inside.split_once('%').map_or((inside, None), |(address, zone)| (address, Some(zone)));
    let future = || inside.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.'));
    match zone {
        Some(zone) => !zone.is_empty() && address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            address.parse::<std::net::Ipv6Addr>().is_ok()
                || future().is_some_and(|(version, rest)| {
                    !version.is_empty() && version.bytes().all(|b| b.is_ascii_hexdigit()) && !rest.is_empty()
                })
        }
    }
}

impl Reference {
    /// Any text is a reference; whether it resolves is known with a base only.
    pub fn new(text: impl Into<String>) -> Reference {
        Reference { text: text.into() }
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The five generic parts.
    pub fn parts(&self) -> Parts<'_> {
        split(&self.text)
    }
}

impl PartialEq for Url {
    fn eq(&self, other: &Url) -> bool {
        self.text == other.text
    }
}

impl Eq for Url {}

impl Hash for Url {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The text as written, without a copy.
impl From<Url> for String {
    fn from(url: Url) -> String {
        url.text
    }
}

impl std::str::FromStr for Url {
    type Err = UrlError;
    fn from_str(text: &str) -> Result<Url, UrlError> {
        Url::parse(text)
    }
}

/// The text as written, passwords included: for requests, never for the screen.
impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Url({})", self.redacted())
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reference({})", secret::redact(&self.text))
    }
}

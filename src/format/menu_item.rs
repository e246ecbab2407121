//! A line of a gopher menu: its fields as octets, and the URL it stands for (RFC 1436, 3.8; GOP-10, GOP-12, GPP-01).
//!
//! Everything between selector and URL stays octets: what is escaped here is what the server gets back.

use super::charset::Charset;
use crate::doc::Marker;
use crate::url::Url;
use crate::url::scheme::gopher::Gopher;
use crate::url::scheme::{self, Family};
use memchr::memchr;

/// What a line of a type is on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A link.
    Link,
    /// A link that may be a URL in disguise (`URL:` selectors).
    Disguise,
    /// A link to be opened by a terminal program: the scheme.
    Session(&'static str),
    /// Text without a link.
    Info,
    /// An error message.
    Error,
    /// Another place of the item before.
    Mirror,
}

/// Look and shape of an item type.
#[rustfmt::skip]
pub(super) fn look(kind: u8) -> (Marker, Shape) {
    match kind {
        b'0' => (Marker::Text, Shape::Link),
        b'1' => (Marker::Menu, Shape::Link),
        b'2' => (Marker::PhoneBook, Shape::Link),
        b'3' => (Marker::Error, Shape::Error),
        b'4' => (Marker::BinHex, Shape::Link),
        b'5' => (Marker::Archive, Shape::Link),
        b'6' => (Marker::Uuencode, Shape::Link),
        b'7' => (Marker::Search, Shape::Link),
        b'8' => (Marker::Telnet, Shape::Session("telnet")),
        b'9' => (Marker::Binary, Shape::Link),
        b'+' => (Marker::Other, Shape::Mirror),
        b'T' => (Marker::Telnet, Shape::Session("tn3270")),
        b'g' | b'I' | b'p' | b':' => (Marker::Image, Shape::Link),
        b'i' => (Marker::Blank, Shape::Info),
        b'h' => (Marker::Html, Shape::Disguise),
        b'w' => (Marker::Url, Shape::Disguise),
        b's' | b'S' | b'<' => (Marker::Sound, Shape::Link),
        b';' => (Marker::Movie, Shape::Link),
        b'd' | b'P' | b'r' | b'x' => (Marker::Document, Shape::Link),
        b'M' => (Marker::Mime, Shape::Link),
        b'c' | b'e' => (Marker::Calendar, Shape::Link),
        b'!' | b'q' | b'Q' => (Marker::Search, Shape::Link),
        _ => (Marker::Other, Shape::Link),
    }
}

/// The fifth field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plus {
    /// No Gopher+ item.
    None,
    /// A Gopher+ item: attributes can be asked for.
    Item,
    /// A Gopher+ item that wants a form filled in first.
    Form,
}

/// The fields of a menu line. `None` is a field that the line does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item<'a> {
    pub kind: u8,
    pub display: &'a [u8],
    pub selector: &'a [u8],
    pub host: Option<&'a [u8]>,
    pub port: Option<&'a [u8]>,
    pub plus: Plus,
}

impl<'a> Item<'a> {
    /// Reads a line without its end; `None` when it has no TAB, or begins with white space, and so is no item.
    pub fn of(line: &'a [u8]) -> Option<Item<'a>> {
        let tab = memchr(b'\t', line)?;
        let (&kind, display) = line[..tab].split_first().filter(|(kind, _)| **kind != b' ')?;
        let mut rest = Some(&line[tab + 1..]);
        let mut field = || {
            let all = rest?;
            let (field, after) = match memchr(b'\t', all) {
                Some(tab) => (&all[..tab], Some(&all[tab + 1..])),
                None => (all, None),
            };
            rest = after;
            Some(field)
        };
        let selector = field().unwrap_or_default();
        let (host, port) = (field().map(<[u8]>::trim_ascii), field().map(<[u8]>::trim_ascii));
        let plus = match field().and_then(|f| f.trim_ascii_start().first()) {
            Some(b'+') => Plus::Item,
            Some(b'?') => Plus::Form,
            _ => Plus::None,
        };
        Some(Item { kind, display, selector, host, port, plus })
    }

    /// The look of an item of type `h`, which stands for a URL: of a page of its server, of an item of gopher space by the type in its
    /// address, or of an address elsewhere.
    pub fn look_of_page(&self, url: &str) -> Marker {
        if !url.starts_with("gopher") {
            return Marker::Url;
        }
        let named = || Gopher::of(&Url::parse(url).ok()?).ok();
        match self.disguised().and_then(|_| named()).map(|gopher| look(gopher.item)) {
            None => Marker::Html,
            Some((marker, Shape::Link | Shape::Session(_) | Shape::Disguise)) => marker,
            Some(_) => Marker::Url,
        }
    }

    /// The URL that hides in the selector (`URL:…`, `/URL:…`; the old `GET /path` of web servers behind a gopher menu).
    fn disguised(&self) -> Option<&'a [u8]> {
        let selector = self.selector.strip_prefix(b"/").unwrap_or(self.selector);
        let (head, url) = selector.split_at_checked(4)?;
        head.eq_ignore_ascii_case(b"URL:").then_some(url.trim_ascii()).filter(|url| !url.is_empty())
    }
}

/// What is wrong with an item's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    /// Nothing.
    None,
    /// The port is no port; the default was taken.
    Port,
}

/// Which ports are written into a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ports {
    /// Those that are not the default.
    Odd,
    /// Every one.
    All,
}

/// The port of CSO phone books (RFC 2378).
const CSO_PORT: u16 = 105;

/// The server whose menu is read: missing fields mean it, and its TLS is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    host: String,
    port: u16,
    tls: bool,
}

impl Server {
    /// The server of a URL; a menu that did not come from a server has an empty host.
    pub fn of(url: &Url) -> Server {
        let gopher = scheme::family(url) == Family::Gopher;
        let tls = gopher && scheme::is_secure(url);
        let host = if gopher { url.host().unwrap_or_default() } else { "" };
        Server { host: host.into(), port: if gopher { url.port().unwrap_or(70) } else { 70 }, tls }
    }

    /// Writes the URL of an item, taken as type `kind`.
    pub fn reference(&self, item: &Item, kind: u8, charset: Charset, out: &mut String) -> Flaw {
        out.clear();
        match look(kind).1 {
            Shape::Disguise => {
                if let Some(url) = item.disguised() {
                    unspaced_into(&charset.decode(url), out);
                    return Flaw::None;
                }
                if let Some(path) = item.selector.strip_prefix(b"GET ").filter(|p| p.starts_with(b"/")) {
                    out.push_str("http://");
                    let flaw = self.address(item, 80, Ports::Odd, out).1;
                    unspaced_into(&charset.decode(path.trim_ascii()), out);
                    return flaw;
                }
                self.gopher(item, kind, out)
            }
            Shape::Session(scheme) => {
                out.push_str(scheme);
                out.push_str("://");
                if !item.selector.is_empty() {
                    escape_into(item.selector, &USER, out);
                    out.push('@');
                }
                let flaw = self.address(item, 23, Ports::Odd, out).1;
                out.push('/');
                flaw
            }
            _ => self.gopher(item, kind, out),
        }
    }

    fn gopher(&self, item: &Item, kind: u8, out: &mut String) -> Flaw {
        out.push_str("gopher://");
        // Phone books have a port of their own, so theirs is always written.
        let (same, flaw) = match kind {
            b'2' => self.address(item, CSO_PORT, Ports::All, out),
            _ => self.address(item, 70, Ports::Odd, out),
        };
        if same && self.tls {
            out.insert("gopher".len(), 's');
        }
        out.push('/');
        // GOP-02: the root menu needs neither type nor selector.
        if kind != b'1' || !item.selector.is_empty() || item.plus == Plus::Form {
            escape_into(&[kind], &KIND, out);
            escape_into(item.selector, &PATH, out);
        }
        if item.plus == Plus::Form {
            out.push_str("%09%09%3F");
        }
        flaw
    }

    /// Writes host and port; says whether they are this very server's.
    fn address(&self, item: &Item, default: u16, ports: Ports, out: &mut String) -> (bool, Flaw) {
        let named = item.host.filter(|host| !host.is_empty());
        let home = named.is_none_or(|host| host.eq_ignore_ascii_case(self.host.as_bytes()));
        let fallback = if home && default == 70 { self.port } else { default };
        let (port, flaw) = match item.port.filter(|port| !port.is_empty()) {
            None => (fallback, Flaw::None),
            Some(digits) => match number(digits) {
                Some(port) => (port, Flaw::None),
                // Servers write 0 for "the usual one" in telnet items.
                None if digits == b"0" && default != 70 => (default, Flaw::None),
                None => (default, Flaw::Port),
            },
        };
        match named {
            None => out.push_str(&self.host),
            Some(host) => host_into(host, out),
        }
        if port != default || ports == Ports::All {
            out.push(':');
            push_number(port, out);
        }
        (home && port == self.port, flaw)
    }
}

/// A port: digits from 1 to 65535.
fn number(digits: &[u8]) -> Option<u16> {
    let mut number = 0u32;
    for digit in digits {
        let value = digit.checked_sub(b'0').filter(|value| *value < 10)?;
        number = number.checked_mul(10)?.checked_add(u32::from(value))?;
    }
    u16::try_from(number).ok().filter(|port| *port > 0)
}

fn push_number(number: u16, out: &mut String) {
    let mut divisor = 10_000;
    while divisor > number && divisor > 1 {
        divisor /= 10;
    }
    while divisor > 0 {
        out.push(char::from(b'0' + (number / divisor % 10) as u8));
        divisor /= 10;
    }
}

/// A host as a menu writes it: IPv6 gets its brackets, anything that is no host name is escaped and thus harmless.
fn host_into(host: &[u8], out: &mut String) {
    let inside = host.strip_prefix(b"[").and_then(|h| h.strip_suffix(b"]"));
    let six = memchr(b':', host).is_some()
        && std::str::from_utf8(inside.unwrap_or(host)).is_ok_and(|h| h.parse::<core::net::Ipv6Addr>().is_ok());
    match six {
        true => {
            out.push('[');
            out.push_str(&String::from_utf8_lossy(inside.unwrap_or(host)));
            out.push(']');
        }
        false => escape_into(host, &HOST, out),
    }
}

/// Escapes the white space and controls of a URL that a server wrote out (TXT-14), and nothing else.
fn unspaced_into(url: &str, out: &mut String) {
    for c in url.chars() {
        match c {
            ' ' | '"' | '<' | '>' | '\u{7F}' | '\0'..='\u{1F}' => escape_into(&[c as u8], &[false; 256], out),
            c => out.push(c),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "below 256")]
const fn kept(extra: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut octet = 0;
    while octet < 256 {
        table[octet] = (octet as u8).is_ascii_alphanumeric();
        octet += 1;
    }
    let mut at = 0;
    while at < extra.len() {
        table[extra[at] as usize] = true;
        at += 1;
    }
    table
}

/// RFC 3986's path characters, less `?` and what would end the path.
pub(super) static PATH: [bool; 256] = kept(b"-._~!$&'()*+,;=:@/");
/// What a type is written with: little is safe at the beginning of a path.
static KIND: [bool; 256] = kept(b"-._~+!*");
static USER: [bool; 256] = kept(b"-._~!$&'()*+,;=");
static HOST: [bool; 256] = kept(b"-._~");

/// Escapes every octet that is not to be kept.
pub(super) fn escape_into(octets: &[u8], keep: &[bool; 256], out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut from = 0;
    for (at, &octet) in octets.iter().enumerate() {
        if keep[usize::from(octet)] {
            continue;
        }
        out.push_str(std::str::from_utf8(&octets[from..at]).unwrap_or_default());
        out.push('%');
        out.push(char::from(HEX[usize::from(octet >> 4)]));
        out.push(char::from(HEX[usize::from(octet & 15)]));
        from = at + 1;
    }
    out.push_str(std::str::from_utf8(&octets[from..]).unwrap_or_default());
}

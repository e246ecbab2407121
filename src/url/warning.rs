//! What a reader should know of a URL before following it: where its octets stand and what is odd about them.
//!
//! Nothing here refuses anything: what is refused or asked about is a plan's to say (`scheme::plan`). One pass over the text
//! for each kind; a URL in which nothing is odd allocates nothing.

use super::Url;
use super::escape::{decode, escape_at, is_hidden, is_printable};
use super::locator::{split_authority, split_server};
use super::scheme::{self, Family, table};
use std::net::Ipv4Addr;
use std::ops::Range;

/// A kind of warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// A port that is refused or asked about (SEC-01).
    OddPort,
    /// A user that could be taken for the host.
    UserLooksLikeHost,
    /// A password in the URL (SEC-04).
    Password,
    /// A user in an http URL (RFC 1738, 3.3; D11).
    HttpUser,
    /// A host whose letters are of several scripts, or look like others (UTS 39).
    Confusable,
    /// A host that is no usual name (GEN-13), or a number that some read as an address.
    OddHost,
    /// A host with a dot at its end: the same for names, another for cookies and certificates.
    TrailingDot,
    /// What decodes to an escape again.
    DoubleEscape,
    /// An escaped slash in a path of segments.
    EscapedSlash,
    /// A `%` that begins no escape (ESC-16).
    StrayPercent,
    /// A backslash, which browsers take for a slash.
    Backslash,
    /// A control, or a character that shows as nothing, plain or escaped.
    Hidden,
    /// A scheme that nothing answers to any more.
    DeadScheme,
    /// A value in the query that its name says to be secret.
    SecretInQuery,
}

impl WarningKind {
    /// The kind in one word, for programs.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::OddPort => "odd-port",
            WarningKind::UserLooksLikeHost => "user-looks-like-host",
            WarningKind::Password => "password",
            WarningKind::HttpUser => "http-user",
            WarningKind::Confusable => "confusable-host",
            WarningKind::OddHost => "odd-host",
            WarningKind::TrailingDot => "trailing-dot",
            WarningKind::DoubleEscape => "double-escape",
            WarningKind::EscapedSlash => "escaped-slash",
            WarningKind::StrayPercent => "stray-percent",
            WarningKind::Backslash => "backslash",
            WarningKind::Hidden => "hidden-character",
            WarningKind::DeadScheme => "dead-scheme",
            WarningKind::SecretInQuery => "secret-in-query",
        }
    }
}

/// Something odd about a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What kind of thing.
    pub kind: WarningKind,
    /// Its octets in the URL's text.
    pub at: Range<usize>,
    /// One clause for the reader, without passwords and safe to show.
    pub text: String,
}

/// All that is odd about a URL, in the order of its text.
pub fn warnings(url: &Url) -> Vec<Warning> {
    let mut found = Vec::new();
    if scheme::is_dead(url.scheme()) {
        let text = format!("nothing answers to {}: any more, but a gateway", url.scheme().to_ascii_lowercase());
        found.push(Warning { kind: WarningKind::DeadScheme, at: 0..url.scheme().len(), text });
    }
    site(url, &mut found);
    octets(url, &mut found);
    query(url, &mut found);
    found.sort_by_key(|warning| warning.at.start);
    found
}

fn site(url: &Url, found: &mut Vec<Warning>) {
    let Some(authority) = url.authority().filter(|authority| !authority.is_empty()) else { return };
    let start = url.scheme().len() + 3;
    let (info, server) = split_authority(authority);
    if let Some(info) = info {
        login(url, start, info, found);
    }
    let start = start + info.map_or(0, |info| info.len() + 1);
    let (host, port) = split_server(server);
    if let Some(text) = port.and_then(|_| scheme::port_doubt(url)) {
        let at = start + host.len() + 1..start + server.len();
        found.push(Warning { kind: WarningKind::OddPort, at, text });
    }
    let at = start..start + host.len();
    if host.len() > 1 && host.ends_with('.') {
        let text = "a dot at the end: the same host, but another name to cookies and certificates".into();
        found.push(Warning { kind: WarningKind::TrailingDot, at: at.end - 1..at.end, text });
    }
    if table::default_port(url.scheme()).is_some() {
        if let Some(text) = odd_host(host) {
            found.push(Warning { kind: WarningKind::OddHost, at: at.clone(), text });
        }
        if let Some(text) = confusable(host) {
            found.push(Warning { kind: WarningKind::Confusable, at, text });
        }
    }
}

fn login(url: &Url, start: usize, info: &str, found: &mut Vec<Warning>) {
    let (user, password) = info.split_once(':').map_or((info, None), |(user, password)| (user, Some(password)));
    let at = start..start + user.len();
    let shown = scheme::plain(user);
    let host = scheme::plain(url.host().unwrap_or_default());
    if looks_like_host(&shown) {
        let text = format!("\"{shown}\" is a user, not the host; the host is \"{host}\"");
        found.push(Warning { kind: WarningKind::UserLooksLikeHost, at: at.clone(), text });
    }
    if scheme::family(url) == Family::Web {
        let text = "http URLs have no user (RFC 1738, 3.3); browsers drop it or hide it".into();
        found.push(Warning { kind: WarningKind::HttpUser, at: at.clone(), text });
    }
    if let Some(password) = password.filter(|password| !password.is_empty()) {
        let seen = "whoever sees this URL sees the password";
        let text = match scheme::family(url) {
            // D43
            Family::Session => format!("{seen}; it is not sent from here"),
            _ if scheme::is_secure(url) => seen.into(),
            _ => format!("{seen}, and {}: sends it in clear text", url.scheme()),
        };
        found.push(Warning { kind: WarningKind::Password, at: at.end + 1..at.end + 1 + password.len(), text });
    }
}

/// Top levels that tell a host from a user's name with a dot in it.
const TOP_LEVELS: &[&str] = &["com", "org", "net", "edu", "gov", "mil", "int", "info", "example"];

fn looks_like_host(user: &str) -> bool {
    let name = user.split(['/', ':', '@', '?', '#']).next().unwrap_or_default();
    let top = name.rsplit('.').next().unwrap_or_default();
    let known = |top: &str| TOP_LEVELS.iter().any(|known| known.eq_ignore_ascii_case(top));
    let named = name.contains('.') && (known(top) || (top.len() == 2 && top.bytes().all(|b| b.is_ascii_alphabetic())));
    named || name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) || name.parse::<Ipv4Addr>().is_ok()
}

/// Whether a host is labels between single dots, none with a hyphen at an end, the last without a digit at its beginning. Most
/// are.
fn is_usual(host: &str) -> bool {
    let mut before = b'.';
    let mut last = 0;
    for b in host.bytes() {
        match (before, b) {
            (b'.', b'.' | b'-') | (b'-', b'.') => return false,
            (b'.', _) => last = b,
            _ => {}
        }
        before = b;
    }
    !matches!(before, b'.' | b'-') && !last.is_ascii_digit()
}

/// What is odd about a host that is written without letters beyond ASCII (GEN-13).
fn odd_host(host: &str) -> Option<String> {
    if is_usual(host) || host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() {
        return None;
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.split('.').any(str::is_empty) {
        return Some("two dots in a row: no name has an empty label".into());
    }
    if name.split('.').any(|label| label.starts_with('-') || label.ends_with('-')) {
        return Some("a label that begins or ends with a hyphen".into());
    }
    let number = |label: &str| {
        let hex = label.strip_prefix("0x").or_else(|| label.strip_prefix("0X"));
        hex.map_or_else(
            || !label.is_empty() && label.bytes().all(|b| b.is_ascii_digit()),
            |hex| hex.bytes().all(|b| b.is_ascii_hexdigit()),
        )
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    match number(last) {
        true if name.split('.').count() <= 4 && name.split('.').all(number) => {
            Some("a number, which browsers read as an IPv4 address and others as a name".into())
        }
        true => Some("the last label is a number, which tells addresses from names; this is neither".into()),
        false if name.contains('.') && last.starts_with(|c: char| c.is_ascii_digit()) => {
            Some("the last label begins with a digit, as no name's does (RFC 1738, 3.1)".into())
        }
        false => None,
    }
}

/// Scripts that hosts are confused in; the rest is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    EastAsian,
    Other,
}

impl Script {
    fn of(c: char) -> Option<Script> {
        Some(match c {
            'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
            c if c.is_ascii() || !c.is_alphabetic() => return None,
            '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Script::Greek,
            '\u{400}'..='\u{52F}' | '\u{1C80}'..='\u{1C8F}' => Script::Cyrillic,
            '\u{530}'..='\u{58F}' => Script::Armenian,
            '\u{590}'..='\u{5FF}' => Script::Hebrew,
            '\u{600}'..='\u{77F}' => Script::Arabic,
            '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7AF}' | '\u{20000}'..='\u{3FFFF}' => {
                Script::EastAsian
            }
            _ => Script::Other,
        })
    }

    fn word(self) -> &'static str {
        match self {
            Script::Latin => "Latin",
            Script::Greek => "Greek",
            Script::Cyrillic => "Cyrillic",
            Script::Armenian => "Armenian",
            Script::Hebrew => "Hebrew",
            Script::Arabic => "Arabic",
            Script::EastAsian => "East Asian",
            Script::Other => "other",
        }
    }
}

/// Letters of Cyrillic and Greek, and the Latin ones that they look like (UTS 39, confusables).
const LOOKALIKES: &[(&str, &str)] = &[
    ("асԁеһіјӏорԛѕԝхуүҽпгѵьӕ", "acdehijlopqswxyyenrvbæ"),
    ("αγικνορσυχωητϲϳ", "ayiknopouxwntcj"),
    // An ɡ that is Latin, but no g.
    ("ɡ", "g"),
];

/// The Latin letter that a letter looks like.
fn looks_like(c: char) -> Option<char> {
    LOOKALIKES.iter().find_map(|(letters, latin)| latin.chars().nth(letters.chars().position(|other| other == c)?))
}

fn confusable(host: &str) -> Option<String> {
    if host.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.') {
        return None;
    }
    let written = match host.bytes().any(|b| b == b'%') {
        true => String::from_utf8(decode(host)).ok()?,
        false => host.into(),
    };
    let coded = written.split('.').any(|label| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--")));
    if written.is_ascii() && !coded {
        return None;
    }
    let (name, _) = idna::domain_to_unicode(&written);
    for label in name.split('.') {
        let scripts = || label.chars().filter_map(Script::of);
        let Some(first) = scripts().next() else { continue };
        // Latin beside East Asian letters is everyday writing
        let mixed = |script: &Script| *script != first && ![*script, first].contains(&Script::EastAsian);
        if let Some(other) = scripts().find(mixed) {
            return Some(format!(
                "{} and {} letters in one name: \"{}\"",
                first.word(),
                other.word(),
                scheme::plain(label)
            ));
        }
        let seen: Option<String> =
            label.chars().map(|c| if c.is_alphabetic() { looks_like(c) } else { Some(c) }).collect();
        if let Some(seen) = seen.filter(|_| first != Script::Latin) {
            return Some(format!(
                "{} letters that all look like Latin ones: \"{}\" is not \"{seen}\"",
                first.word(),
                scheme::plain(label)
            ));
        }
    }
    None
}

/// What is odd about single octets behind the site.
fn octets(url: &Url, found: &mut Vec<Warning>) {
    let text = url.as_str();
    let start = url.scheme().len() + 1 + url.authority().map_or(0, |authority| authority.len() + 2);
    let end = start + url.path().len();
    let bytes = text.as_bytes();
    let mut seen = [false; 5];
    let mut warn = |place: usize, kind, at: Range<usize>, text: &str| {
        if !std::mem::replace(&mut seen[place], true) {
            found.push(Warning { kind, at, text: text.into() });
        }
    };
    for at in memchr::memchr2_iter(b'%', b'\\', &bytes[start..]).map(|at| start + at) {
        match (escape_at(bytes, at), bytes[at]) {
            (Some(b'%'), _) if escape_again(bytes, at) => {
                warn(0, WarningKind::DoubleEscape, at..at + 5, "escaped twice: it decodes to an escape");
            }
            (Some(b'/'), _) if at < end && scheme::is_divided(url) => {
                warn(
                    1,
                    WarningKind::EscapedSlash,
                    at..at + 3,
                    "an escaped slash is part of a name and divides nothing",
                );
            }
            (Some(octet), _) if octet < b' ' && octet != b'\t' || octet == 0x7F => {
                warn(4, WarningKind::Hidden, at..at + 3, "an escaped control");
            }
            (None, b'%') => warn(2, WarningKind::StrayPercent, at..at + 1, "a % that begins no escape"),
            (_, b'\\') => {
                warn(3, WarningKind::Backslash, at..at + 1, "a backslash, which browsers take for a slash in http");
            }
            _ => {}
        }
    }
    if is_printable(&bytes[start..]) {
        return;
    }
    if let Some((at, c)) = text[start..].char_indices().find(|&(_, c)| c != ' ' && is_hidden(c)) {
        let at = start + at;
        warn(4, WarningKind::Hidden, at..at + c.len_utf8(), "a character that a screen does not show");
    }
}

/// Whether the escaped percent sign at `at` goes on as an escape.
fn escape_again(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 3..at + 5).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Names whose values nobody should read over a shoulder.
const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "pass",
    "pwd",
    "passphrase",
    "secret",
    "client_secret",
    "token",
    "access_token",
    "auth",
    "api_key",
    "apikey",
    "key",
    "sid",
    "session",
    "sessionid",
    "jsessionid",
    "phpsessid",
    "sig",
    "signature",
];

fn query(url: &Url, found: &mut Vec<Warning>) {
    let Some(query) = url.query().filter(|_| scheme::has_query(url)) else { return };
    let mut at = url.as_str().len() - url.fragment().map_or(0, |fragment| fragment.len() + 1) - query.len();
    for pair in query.split('&') {
        if let Some((name, value)) = pair.split_once('=').filter(|(_, value)| !value.is_empty())
            && let plain = scheme::plain(name)
            && SECRET_NAMES.iter().any(|known| known.eq_ignore_ascii_case(&plain))
        {
            let from = at + name.len() + 1;
            let text = format!("\"{plain}\" says that its value is secret; URLs are not");
            found.push(Warning { kind: WarningKind::SecretInQuery, at: from..from + value.len(), text });
        }
        at += pair.len() + 1;
    }
}

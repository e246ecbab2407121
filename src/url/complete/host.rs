//! Text that has the form of a host: which scheme it suggests, and what else it may be (ABBR-01 … 04).

use super::{Completed, Leaning, file_ending, first_segment, parse_typed};
use crate::url::find::weak;
use crate::url::scheme::{self, Family, gopher_item, news, table};
use crate::url::{Url, UrlError};
use std::borrow::Cow;

/// A first label of a host name that tells the scheme (ABBR-01, ABBR-04).
pub(in crate::url) struct Abbreviation {
    pub(in crate::url) label: &'static str,
    pub(in crate::url) scheme: &'static str,
    /// Whether plain text is searched for it too (D39); words that begin group names as well are not.
    pub(in crate::url) in_text: bool,
}

const fn row(label: &'static str, scheme: &'static str, in_text: bool) -> Abbreviation {
    Abbreviation { label, scheme, in_text }
}

/// Heuristics change (ABBR-03): this table is where. A news server as a whole has no other URL than `news://host/`, which
/// is written nowhere else (D18).
pub(in crate::url) const ABBREVIATIONS: &[Abbreviation] = &[
    row("www", "http", true),
    row("ftp", "ftp", true),
    row("gopher", "gopher", true),
    row("news", "news", false),
    row("nntp", "news", false),
    row("gemini", "gemini", false),
];

/// Ports that tell the scheme where no name does.
const PORTS: &[(u16, &str)] = &[
    (21, "ftp"),
    (23, "telnet"),
    (70, "gopher"),
    (79, "finger"),
    (119, "news"),
    (210, "wais"),
    (443, "https"),
    (563, "snews"),
    (990, "ftps"),
    (1525, "prospero"),
    (1965, "gemini"),
    (8443, "https"),
];

/// First words of group names that are far likelier a group than a host.
#[rustfmt::skip]
const HIERARCHIES: &[&str] = &[
    "alt", "aus", "bit", "bofh", "comp", "de", "eternal-september", "fido7", "fj", "fr", "free", "gmane", "gnu",
    "humanities", "it", "linux", "local", "misc", "mozilla", "news", "nl", "pl", "rec", "sci", "soc", "talk", "uk",
    "z-netz",
];

/// What a host's port or first label says of it, or else the reader's leaning.
struct Guess {
    scheme: String,
    note: String,
    /// Neither port nor name says anything.
    bare: bool,
}

/// `host`, `host:port`, `user@host`, each with or without a path.
pub(super) fn reading(text: &str, leaning: &Leaning<'_>) -> Option<Result<Completed, UrlError>> {
    let bare = text.strip_prefix("//").unwrap_or(text);
    let (authority, rest) = bare.split_at(first_segment(bare).len());
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    let (host, port) = split_port(server)?;
    // a port or "//" makes a host of a single name too: "myserver:70"
    let said_so = port.is_some() || text.starts_with("//");
    if !(is_host(host) || (said_so && is_label(host) && host.starts_with(|c: char| c.is_alphabetic()))) {
        return None;
    }
    let bare_colon = port == Some("") && rest.starts_with('/');
    let has_user = authority.contains('@');
    // only the web's hosts have no users, and only they are left where nothing tells
    let leaning = if has_user { &Leaning::NONE } else { leaning };
    let guess = match guess(host, port, rest, leaning) {
        // "host:/path" is how anonymous FTP is cited (FTP-24)
        guess if bare_colon && guess.bare => told("ftp", "host:/path → ftp".into()),
        // RFC 1738, 3.3: http has no user
        guess if has_user && guess.scheme == "http" => match opaque(authority, "http") {
            Some(mail) if rest.is_empty() && port.is_none() && !text.starts_with("//") => {
                let ftp = Url::parse(format!("ftp://{authority}/")).ok();
                return Some(Ok(Completed {
                    url: mail,
                    alternatives: ftp.into_iter().collect(),
                    note: Some("user@host → mailto".into()),
                }));
            }
            _ => told("ftp", "a user, which http has none of → ftp".into()),
        },
        guess => guess,
    };
    let authority = if bare_colon { authority.trim_end_matches(':') } else { authority };
    let slash = if rest.starts_with('/') { "" } else { "/" };
    let url = |scheme: &str| parse_typed(&format!("{scheme}://{authority}{slash}{}", path(scheme, rest)));
    Some(url(&guess.scheme).map(|first| {
        let group = (rest.is_empty() && port.is_none()).then(|| {
            // what the name leaves open may be a group, whatever the reader leans to
            opaque(authority, if guess.bare { "http" } else { &guess.scheme })
        });
        let group = group.flatten();
        let other = match &*guess.scheme {
            "http" => "https",
            _ if guess.bare && leaning.secures(host, port) => "https",
            _ => "http",
        };
        let is_web = scheme::is_of_the_web(&guess.scheme);
        let web = (!has_user && (port.is_none() || bare_colon || (guess.bare && !is_web))).then_some(other);
        let gopher = scheme::of(Family::Gopher, false);
        let gopher = (guess.bare && table::family(&guess.scheme) != Family::Gopher).then_some(gopher);
        let mut alternatives: Vec<Url> = web.into_iter().chain(gopher).filter_map(|other| url(other).ok()).collect();
        let is_likelier_a_group = HIERARCHIES.iter().any(|word| starts_with_label(host, word));
        let at = if is_likelier_a_group || has_user { 0 } else { alternatives.len() };
        alternatives.splice(at..at, group);
        Completed { url: first, alternatives, note: Some(guess.note) }
    }))
}

/// What stands behind a host as a scheme has it. In gopher space that begins with the type of an item: who leaves it out means a
/// menu, or a file of the kind that its name says.
fn path<'t>(scheme: &str, rest: &'t str) -> Cow<'t, str> {
    let first = rest.strip_prefix('/').map(first_segment).filter(|first| !first.is_empty());
    let Some(first) = first.filter(|_| table::family(scheme) == Family::Gopher) else { return rest.into() };
    let mut octets = first.bytes();
    let (item, second) = (octets.next().unwrap_or_default(), octets.next());
    let is_typed = gopher_item::item(item).octet != 0
        && match second {
            None => true,
            // "/11/x" is how old servers call their menus
            Some(second) if first.len() == 2 && second == item => true,
            Some(second) => b"0179".contains(&item) && !second.is_ascii_digit(),
        };
    if is_typed {
        return rest.into();
    }
    let name = rest.split(['?', '#']).next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    format!("/{}{rest}", file_ending(name).map_or('1', |(_, item)| *item)).into()
}

/// Whether a text is a host, with or without a port.
pub(super) fn has_form(server: &str) -> bool {
    split_port(server).is_some_and(|(host, _)| is_host(host))
}

/// A bare host may be a group, and with a user a mail address.
fn opaque(authority: &str, scheme: &str) -> Option<Url> {
    if authority.contains('@') {
        return weak::split_address(authority).and_then(|_| Url::parse(weak::mail_url(authority)).ok());
    }
    let is_group = |b: u8| b.is_ascii_alphanumeric() || b"+-._".contains(&b);
    let may_be_group =
        matches!(table::family(scheme), Family::Web | Family::News) && !starts_with_label(authority, "www");
    let letter = authority.starts_with(|c: char| c.is_ascii_alphabetic());
    (may_be_group && letter && authority.contains('.') && authority.bytes().all(is_group))
        .then(|| news::group_url(authority.as_bytes()).ok())
        .flatten()
}

/// The host and the port, if there is one; an IPv6 address keeps its brackets.
fn split_port(server: &str) -> Option<(&str, Option<&str>)> {
    let after_bracket = server.rfind(']').map_or(0, |i| i + 1);
    match server[after_bracket..].find(':') {
        Some(colon) => {
            let colon = after_bracket + colon;
            Some((&server[..colon], Some(&server[colon + 1..])))
        }
        None if server.is_empty() => None,
        None => Some((server, None)),
    }
}

fn told(scheme: &str, note: String) -> Guess {
    Guess { scheme: scheme.into(), note, bare: false }
}

fn guess(host: &str, port: Option<&str>, rest: &str, leaning: &Leaning<'_>) -> Guess {
    let number = port.and_then(|port| port.parse::<u16>().ok());
    if let Some((port, scheme)) = PORTS.iter().find(|(port, _)| number == Some(*port)) {
        return told(scheme, format!("port {port} → {scheme}"));
    }
    match ABBREVIATIONS.iter().find(|row| starts_with_label(host, row.label)) {
        Some(row) => told(row.scheme, format!("{} → {}", row.label, row.scheme)),
        None => {
            let (scheme, note) = leaning.scheme(host, number, rest);
            Guess { scheme, note, bare: true }
        }
    }
}

fn starts_with_label(host: &str, label: &str) -> bool {
    host.split_once('.').is_some_and(|(first, _)| first.eq_ignore_ascii_case(label))
}

/// Whether a word has the form of a host: `localhost`, an address, or labels with a dot between them (GEN-13 … 16, D27).
fn is_host(host: &str) -> bool {
    if host.eq_ignore_ascii_case("localhost") || scheme::is_loopback(host) {
        return true;
    }
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let top = name.rsplit('.').next().unwrap_or_default();
    let top_is_name = top.starts_with(|c: char| c.is_alphabetic());
    let named = name.contains('.') && name.split('.').all(is_label) && top_is_name;
    named || name.parse::<std::net::Ipv4Addr>().is_ok()
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && label
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_' || (!c.is_ascii() && c.is_alphanumeric()))
}

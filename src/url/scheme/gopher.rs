//! `gopher:` and `gophers:` (RFC 1738, 3.4; RFC 4266): type, selector, search, Gopher+ string, as octets.
//!
//! The path is decoded once, to octets, and only then split at TAB (D15); `?` and what follows belong to it (D16).
//! Refuses: interpreting selectors, except for "one level up", which is a guess and says so.

use super::gopher_item::{ItemKind, item};
use super::gopher_plus::{self, Answer, Wish};
use super::{Act, Ask, Family, Part, PartKind, Paths, Plan, Ways, server, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

pub use super::gopher_item as items;
pub use super::gopher_plus as plus;

/// The port of CSO phone books (RFC 2378).
const CSO_PORT: u16 = 105;

/// The fields of a gopher URL, decoded. Text only for display: selectors are octets (CHR-08).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gopher {
    /// One octet; `1` when the path is empty (GOP-02).
    pub item: u8,
    /// The selector.
    pub selector: Vec<u8>,
    /// The search words, when the URL has that part.
    pub search: Option<Vec<u8>>,
    /// The Gopher+ string, when the URL has that part.
    pub plus: Option<Vec<u8>>,
}

impl Gopher {
    /// Reads the gopher path of a URL (`?` and what follows re-joined, D16).
    ///
    /// # Errors
    /// CR, LF or NUL in selector or search (SEC-03; the one exception is D14).
    pub fn of(url: &Url) -> Result<Gopher, UrlError> {
        let octets = escape::decode(&super::joined_path(url)?);
        let Some((&item, rest)) = octets.split_first() else {
            return Ok(Gopher::root());
        };
        if matches!(item, b'\t' | b'\r' | b'\n' | 0) {
            return Err(UrlError::Malformed("the path does not begin with a gopher type".into()));
        }
        let mut fields = rest.splitn(3, |b| *b == b'\t').map(<[u8]>::to_vec);
        let gopher =
            Gopher { item, selector: fields.next().unwrap_or_default(), search: fields.next(), plus: fields.next() };
        gopher.check()?;
        Ok(gopher)
    }

    /// The top menu of a server.
    pub fn root() -> Gopher {
        Gopher::new(b'1', Vec::new())
    }

    /// An item as a menu names it.
    pub fn new(item: u8, selector: Vec<u8>) -> Gopher {
        Gopher { item, selector, search: None, plus: None }
    }

    fn check(&self) -> Result<(), UrlError> {
        wire::check("selector", &self.selector)?;
        self.search.as_deref().map_or(Ok(()), |search| wire::check("search", search))?;
        self.plus.as_deref().map_or(Ok(()), gopher_plus::check)
    }

    /// Builds the URL of these fields on a host; `tls` makes it `gophers:`. The octets come back by [`Gopher::of`].
    ///
    /// # Errors
    /// A host or a port that is none, TAB in selector or search, CR, LF or NUL in any field (except a filled form).
    pub fn url(&self, host: &str, port: u16, tls: bool) -> Result<Url, UrlError> {
        let path = self.path()?;
        // Sessions and phone books have default ports of their own, so theirs is always written out.
        let own = !matches!(item(self.item).kind, ItemKind::Session | ItemKind::PhoneBook);
        let scheme = if tls { "gophers" } else { "gopher" };
        let host = bracketed(host)?;
        match (port, path.as_str()) {
            (0, _) => Err(UrlError::BadPort("0".into())),
            (70, path) if own => Url::parse(format!("{scheme}://{host}/{path}")),
            (port, path) => Url::parse(format!("{scheme}://{host}:{port}/{path}")),
        }
    }

    /// The gopher path without its slash.
    fn path(&self) -> Result<String, UrlError> {
        self.check()?;
        let tab = |field: &[u8]| field.contains(&b'\t');
        if tab(&self.selector)
            || self.search.as_deref().is_some_and(tab)
            || matches!(self.item, b'\t' | b'\r' | b'\n' | 0)
        {
            return Err(UrlError::Malformed("a TAB stands inside a gopher field".into()));
        }
        if *self == Gopher::root() {
            return Ok(String::new());
        }
        let mut path = escape::encode(&[self.item], b"+!*") + &escape::encode(&self.selector, escape::PATH);
        // GOP-14: the search part is written whenever a Gopher+ string follows, even if it is empty.
        if self.search.is_some() || self.plus.is_some() {
            path.push_str("%09");
            path.push_str(&escape::encode(self.search.as_deref().unwrap_or_default(), escape::PATH));
        }
        if let Some(plus) = &self.plus {
            path.push_str("%09");
            path.push_str(&escape::encode(plus, escape::PATH));
        }
        Ok(path)
    }

    /// The request line, CR LF included (GOP-06, GOP-07, D13).
    pub fn request(&self) -> Vec<u8> {
        let searched = self.search.as_deref().is_some_and(|search| !search.is_empty());
        self.bytes(searched || self.item == b'7')
    }

    /// As [`Gopher::request`], with the search field sent even if it is empty: the second try of D13.
    pub fn request_two_tabs(&self) -> Vec<u8> {
        self.bytes(true)
    }

    /// `search_field`: whether the search goes before a Gopher+ string.
    fn bytes(&self, search_field: bool) -> Vec<u8> {
        let mut out = self.selector.clone();
        let before_plus = self.plus.is_some() && search_field;
        if before_plus || (self.plus.is_none() && self.search.is_some()) {
            out.push(b'\t');
            out.extend_from_slice(self.search.as_deref().unwrap_or_default());
        }
        match self.plus.as_deref() {
            Some(b"?") => out.extend_from_slice(b"\t!+ASK"),
            Some(plus) => {
                out.push(b'\t');
                out.extend_from_slice(plus);
            }
            None => {}
        }
        // A filled form brings its own last line.
        if !self.is_filled_form() {
            out.extend_from_slice(b"\r\n");
        }
        out
    }

    /// Whether the request fetches a form that is to be filled, not the item itself (GPP-03).
    pub fn wants_form(&self) -> bool {
        self.plus.as_deref() == Some(b"?")
    }

    /// Whether the request carries the answers to a form (GPP-08).
    pub fn is_filled_form(&self) -> bool {
        self.plus.as_deref().is_some_and(|plus| matches!(gopher_plus::wish(plus), Wish::Filled { .. }))
    }

    /// The same item, searched for words.
    pub fn searching(&self, words: &str) -> Gopher {
        Gopher { search: Some(words.as_bytes().to_vec()), plus: None, ..self.clone() }
    }

    /// The same item with a Gopher+ string (`!`, `$`, `?`, `+view lang`).
    pub fn asking(&self, plus: &[u8]) -> Gopher {
        Gopher { search: Some(self.search.clone().unwrap_or_default()), plus: Some(plus.to_vec()), ..self.clone() }
    }

    /// The same item with its form filled, in a view and a language that may both be empty.
    ///
    /// # Errors
    /// A line break or a NUL in a line of an answer.
    pub fn filled(&self, view: &str, language: &str, answers: &[Answer]) -> Result<Gopher, UrlError> {
        Ok(self.asking(&gopher_plus::fill(view, language, answers)?))
    }

    /// One level up, taking `/` for the delimiter, which is a custom and no rule; `None` at the top.
    pub fn up(&self) -> Option<Gopher> {
        let trimmed = self.selector.strip_suffix(b"/").unwrap_or(&self.selector);
        if trimmed.is_empty() {
            return (*self != Gopher::root()).then(Gopher::root);
        }
        let cut = trimmed.iter().rposition(|b| *b == b'/').unwrap_or(0);
        let mut selector = trimmed[..cut].to_vec();
        // The first servers put the type before the path ("0/Weather/Oslo"): the menu above is "1/Weather".
        if trimmed.first() == Some(&self.item) && trimmed.get(1) == Some(&b'/') {
            match selector.len() {
                0 | 1 => selector.clear(),
                _ => selector[0] = b'1',
            }
        }
        Some(Gopher::new(b'1', selector))
    }

    /// The URL of another scheme that the item stands for: `URL:` items, telnet, tn3270 (GOP-10).
    ///
    /// `port` is the one that the menu or the URL wrote, if it did.
    pub fn opens(&self, host: &str, port: Option<u16>) -> Option<Result<Url, UrlError>> {
        let session = |scheme| {
            let login =
                if self.selector.is_empty() { String::new() } else { escape::encode(&self.selector, b"") + "@" };
            let host = bracketed(host)?;
            match port.filter(|port| *port != 23 && *port != 0) {
                Some(port) => Url::parse(format!("{scheme}://{login}{host}:{port}/")),
                None => Url::parse(format!("{scheme}://{login}{host}/")),
            }
        };
        match self.item {
            b'8' => Some(session("telnet")),
            b'T' => Some(session("tn3270")),
            b'h' => {
                let selector = self.selector.strip_prefix(b"/").unwrap_or(&self.selector);
                let (prefix, target) = selector.split_at_checked(4)?;
                // Escapes in the target are the target's own; only what no URL may hold is escaped here.
                prefix
                    .eq_ignore_ascii_case(b"URL:")
                    .then(|| Url::parse(escape::encode(target.trim_ascii(), b"%:/?#[]@!$&'()*+,;=")))
            }
            _ => None,
        }
    }
}

/// A host as a menu names it, with brackets if it is an IPv6 address.
fn bracketed(host: &str) -> Result<String, UrlError> {
    let host = match host.parse::<std::net::Ipv6Addr>() {
        Ok(_) => format!("[{host}]"),
        Err(_) => host.to_owned(),
    };
    if host.is_empty() {
        return Err(UrlError::NoHost("gopher".into()));
    }
    server::check_host(&host)?;
    Ok(host)
}

/// What following a gopher URL would do, where `form` is the item whose form the reader has just filled.
///
/// A filled form goes to port 70, or to the server that asked (D14); the reader confirms.
///
/// # Errors
/// As [`super::plan`].
pub fn plan_filled(url: &Url, form: Option<&Url>) -> Result<Plan, UrlError> {
    let gopher = Gopher::of(url)?;
    let written = server::explicit_port(url);
    if let Some(target) = gopher.opens(url.host().unwrap_or_default(), written) {
        return Ok(Plan { act: Act::Open(target?), confirm: None });
    }
    let kind = item(gopher.item).kind;
    let server = server::server_at(url, port_of(kind))?;
    let mut confirm = server.confirm.clone();
    if gopher.is_filled_form() {
        let asked = form.is_some_and(|form| same_server(form, url));
        if server.port != 70 && !asked {
            return Err(UrlError::Refused(format!(
                "a filled form goes to port 70 or to the server that asked, not to port {}",
                server.port
            )));
        }
        confirm =
            Some(format!("Send the answers of this form to {} port {}?", show::component(&server.host), server.port));
    }
    let act = match (kind, &gopher.search) {
        (ItemKind::PhoneBook, None) => Act::Ask(Ask::PhoneBook),
        (ItemKind::PhoneBook, Some(query)) => Act::Commands {
            host: Some(server.host),
            port: server.port,
            commands: vec![format!("query {}", wire::latin1(query)), "quit".into()],
        },
        (ItemKind::Search, None) => Act::Ask(Ask::Search),
        _ => Act::Octets { host: server.host, port: server.port, tls: url.is("gophers"), bytes: gopher.request() },
    };
    Ok(Plan { act, confirm })
}

/// The port of the service that an item is of.
pub(super) fn own_port(url: &Url) -> u16 {
    Gopher::of(url).map_or(70, |gopher| port_of(item(gopher.item).kind))
}

fn port_of(kind: ItemKind) -> u16 {
    if kind == ItemKind::PhoneBook { CSO_PORT } else { 70 }
}

fn same_server(a: &Url, b: &Url) -> bool {
    let host = |url: &Url| url.host().unwrap_or_default().to_ascii_lowercase();
    host(a) == host(b) && a.port() == b.port() && a.is("gophers") == b.is("gophers")
}

/// The URL of other fields on the same server.
fn elsewhere(url: &Url, gopher: &Gopher) -> Option<Url> {
    gopher.url(url.host()?, url.port()?, url.is("gophers")).ok()
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Gopher,
    paths: Paths::Own,
    parts: |url| {
        let gopher = Gopher::of(url)?;
        let row = item(gopher.item);
        let word = match row.kind {
            ItemKind::Unknown => format!("{} {}", row.word, show::octets(&[gopher.item])),
            _ => row.word.into(),
        };
        let mut parts = vec![Part { kind: PartKind::Type, label: "type", text: word }];
        if !gopher.selector.is_empty() {
            parts.push(Part { kind: PartKind::Path, label: "selector", text: show::octets(&gopher.selector) });
        }
        if let Some(search) = gopher.search.filter(|search| !search.is_empty() || gopher.plus.is_none()) {
            parts.push(Part { kind: PartKind::Query, label: "search", text: show::octets(&search) });
        }
        if let Some(plus) = gopher.plus {
            parts.push(Part { kind: PartKind::Extra, label: "Gopher+", text: gopher_plus::words(&plus) });
        }
        Ok(parts)
    },
    fields: |url| {
        let gopher = Gopher::of(url)?;
        Ok(json!({
            "type": show::field(&[gopher.item]),
            "selector": show::field(&gopher.selector),
            "search": gopher.search.as_deref().map(show::field),
            "plus": gopher.plus.as_deref().map(show::field),
        }))
    },
    plan: |url| plan_filled(url, None),
    up: |url| elsewhere(url, &Gopher::of(url).ok()?.up()?),
    root: |url| elsewhere(url, &Gopher::root()),
};

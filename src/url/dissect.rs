//! A URL in the order of its octets: each part as written, what it decodes to, what of it is sent, and who says so.

use super::locator::{split_authority, split_server};
use super::scheme::ftp::split_typecode;
use super::scheme::{self, Family};
use super::{Url, escape};
use std::borrow::Cow;
use std::ops::Range;

/// A part of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its name, in the scheme's own words.
    pub name: &'static str,
    /// Its octets in the URL's text, delimiters left out.
    pub at: Range<usize>,
    /// What of it is sent, or done with it; `None` where nothing is.
    pub sent: Option<String>,
    /// The sections that say what it is.
    pub section: &'static str,
}

impl Piece {
    /// The part as written.
    pub fn raw<'a>(&self, url: &'a Url) -> &'a str {
        &url.as_str()[self.at.clone()]
    }

    /// What it decodes to, in the spelling of [`scheme::field`].
    pub fn decoded<'a>(&self, url: &'a Url) -> Cow<'a, str> {
        scheme::plain(self.raw(url))
    }
}

/// All parts of a URL, from left to right. What is sent is what the scheme does without asking, and holds no password.
pub fn dissect(url: &Url) -> Vec<Piece> {
    let mut cutter = Cutter { url, pieces: Vec::with_capacity(8) };
    let mut at = url.scheme().len();
    cutter.push("scheme", 0, at, None, "RFC 3986, 3.1; RFC 1738, 2.1");
    at += 1;
    if let Some(authority) = url.authority() {
        cutter.site(at + 2, authority);
        at += 2 + authority.len();
    }
    let end = url.as_str().len() - url.fragment().map_or(0, |fragment| fragment.len() + 1);
    cutter.inside(at, end);
    if url.fragment().is_some() {
        cutter.push("fragment", end + 1, url.as_str().len(), None, "RFC 3986, 3.5");
    }
    cutter.pieces
}

struct Cutter<'a> {
    url: &'a Url,
    pieces: Vec<Piece>,
}

impl Cutter<'_> {
    fn push(&mut self, name: &'static str, from: usize, to: usize, sent: Option<String>, section: &'static str) {
        self.pieces.push(Piece { name, at: from..to, sent, section });
    }

    fn site(&mut self, start: usize, authority: &str) {
        let (info, server) = split_authority(authority);
        let family = scheme::family(self.url);
        if let Some(info) = info {
            let user = info.split(':').next().unwrap_or_default();
            let sent = match family {
                Family::Ftp => Some(format!("USER {}", scheme::plain(user))),
                Family::News | Family::Nntp => Some(format!("AUTHINFO USER {}", scheme::plain(user))),
                Family::Web => Some("Authorization, to this origin only".into()),
                _ => None,
            };
            self.push("user", start, start + user.len(), sent, "RFC 3986, 3.2.1; RFC 1738, 3.1");
            if user.len() < info.len() {
                let sent = match family {
                    Family::Ftp => Some("PASS ***".into()),
                    Family::News | Family::Nntp => Some("AUTHINFO PASS ***".into()),
                    _ => None,
                };
                let from = start + user.len() + 1;
                self.push("password", from, start + info.len(), sent, "RFC 3986, 3.2.1; RFC 1738, 3.1");
            }
        }
        let start = start + info.map_or(0, |info| info.len() + 1);
        let (host, port) = split_server(server);
        let literal = host.starts_with('[');
        let dialled = (!literal && (!host.is_ascii() || host.contains('%'))).then(|| super::equal::host(host));
        let section = match literal && host.contains('%') {
            true => "RFC 3986, 3.2.2; RFC 6874, 2",
            false => "RFC 3986, 3.2.2; RFC 1738, 3.1",
        };
        self.push("host", start, start + host.len(), dialled, section);
        if let Some(port) = port {
            let from = start + host.len() + 1;
            self.push("port", from, from + port.len(), None, "RFC 3986, 3.2.3; RFC 1738, 3.1");
        }
    }

    /// Path and query, by the scheme's own division.
    fn inside(&mut self, from: usize, to: usize) {
        let section = scheme::section(self.url.scheme());
        let text = &self.url.as_str()[from..to];
        let slash = usize::from(self.url.authority().is_some() && text.starts_with('/'));
        match scheme::family(self.url) {
            Family::Gopher if text.len() > slash => self.gopher(from + slash, to, section),
            Family::Ftp if text.len() > slash => self.ftp(from + slash, to, section),
            Family::Gopher | Family::Ftp => {}
            Family::News => self.news(from + slash, to, section),
            Family::Nntp => {
                let group = text[slash..].find('/').map_or(to, |at| from + slash + at);
                self.push("group", from + slash, group, Some(self.line("GROUP", from + slash, group)), section);
                if group < to {
                    self.push("number", group + 1, to, Some(self.line("ARTICLE", group + 1, to)), section);
                }
            }
            family => {
                let web = matches!(family, Family::Web | Family::Gemini | Family::Guppy);
                let mark =
                    self.url.query().filter(|_| scheme::has_query(self.url)).map_or(to, |query| to - query.len() - 1);
                let sent = |text: &str| (web && !escape::is_settled(text)).then(|| escape::make_safe(text));
                if from < mark {
                    let path = &self.url.as_str()[from..mark];
                    let name = if self.url.authority().is_some() || path.starts_with('/') { "path" } else { "rest" };
                    self.push(name, from, mark, sent(path), section);
                }
                if mark < to {
                    let sent = sent(&self.url.as_str()[mark..to]).map(|safe| safe[1..].to_owned());
                    self.push("query", mark + 1, to, sent, "RFC 3986, 3.4");
                }
            }
        }
    }

    fn line(&self, verb: &str, from: usize, to: usize) -> String {
        format!("{verb} {}", scheme::plain(&self.url.as_str()[from..to]))
    }

    /// Type, selector, search, Gopher+ string; between them escaped or plain TABs.
    fn gopher(&mut self, from: usize, to: usize, section: &'static str) {
        let text = &self.url.as_str()[from..to];
        let first = match escape::escape_at(text.as_bytes(), 0) {
            Some(_) => 3,
            None => text.chars().next().map_or(0, char::len_utf8),
        };
        self.push("type", from, from + first, None, section);
        let mut start = from + first;
        for name in ["selector", "search", "Gopher+"] {
            let rest = &self.url.as_str()[start..to];
            let tab = rest.find('\t').map(|at| (at, 1)).into_iter().chain(rest.find("%09").map(|at| (at, 3))).min();
            let (length, mark) = tab.filter(|_| name != "Gopher+").unwrap_or((rest.len(), 0));
            let raw = &rest[..length];
            let sent = match name {
                "selector" => scheme::plain(raw).into_owned(),
                _ => format!("\\t{}", scheme::plain(raw)),
            };
            self.push(name, start, start + length, Some(sent), section);
            start += length + mark;
            if mark == 0 {
                break;
            }
        }
    }

    fn ftp(&mut self, from: usize, to: usize, section: &'static str) {
        let text = self.url.as_str();
        let name = text[from..to].rfind('/').map_or(from, |slash| from + slash + 1);
        let (segment, code) = split_typecode(&text[name..to]);
        let end = name + segment.len();
        let mut start = from;
        while start < name {
            let slash = text[start..name].find('/').map_or(name, |at| start + at);
            self.push("cwd", start, slash, Some(self.line("CWD", start, slash)), section);
            start = slash + 1;
        }
        let directory = code.is_some_and(|code| code.command().is_none());
        match (directory, segment.is_empty()) {
            (true, false) => self.push("name", name, end, Some(self.line("CWD", name, end)), section),
            (false, false) => self.push("name", name, end, Some(self.line("RETR", name, end)), section),
            _ => {}
        }
        if let Some(code) = code {
            let sent = code.command().unwrap_or_else(|| "MLSD, else LIST, else NLST".into());
            self.push("typecode", end + 1, to, Some(sent), section);
        }
    }

    fn news(&mut self, from: usize, to: usize, section: &'static str) {
        let text = &self.url.as_str()[from..to];
        if text.contains('@') || text.contains("%40") {
            let sent = format!("ARTICLE <{}>", scheme::plain(text).trim_matches(['<', '>']));
            return self.push("message-id", from, to, Some(sent), section);
        }
        let sent = match text {
            // all groups
            "*" => Some("LIST ACTIVE".into()),
            _ => text.contains(['*', '?']).then(|| self.line("LIST ACTIVE", from, to)),
        };
        let sent = if text.is_empty() { None } else { sent.or_else(|| Some(self.line("GROUP", from, to))) };
        self.push("group", from, to, sent, section);
    }
}

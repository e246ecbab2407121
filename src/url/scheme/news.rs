//! `news:` and `snews:` (RFC 1738, 3.6; RFC 5538): a group, several groups, or an article, from the reader's server.
//!
//! `?` and `/` are data (D16). A server in the URL is read (D18); nothing here writes one.

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, server, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// What a news URL names. Octets, since groups and ids are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// `news:*`: every group.
    All,
    /// The groups that match a wildmat (`comp.lang.*`).
    Groups(Vec<u8>),
    /// One group.
    Group(Vec<u8>),
    /// Some articles of a group, by their numbers: `news:comp.lang.c/1-30`, which lynx knows.
    Part(Vec<u8>, Range),
    /// One article by its message-id, without `< >`.
    Article(Vec<u8>),
}

/// Numbers of articles, in one group on one server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The first, never 0.
    pub first: u64,
    /// The last, not less than the first; `None` for all from the first on.
    pub last: Option<u64>,
}

impl Range {
    /// Reads `first-last` or `first-`; `None` where a text is no range.
    pub(in crate::url) fn of(text: &str) -> Option<Range> {
        let (first, last) = text.split_once('-')?;
        let first = number(first)?;
        let last = if last.is_empty() { None } else { Some(number(last)?) };
        last.is_none_or(|last| last >= first).then_some(Range { first, last })
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.last {
            Some(last) => write!(f, "{}-{last}", self.first),
            None => write!(f, "{}-", self.first),
        }
    }
}

/// An article's number, never 0 (NNTP-06). RFC 5538, 4 has 16 digits at most; servers that count further than that name such
/// articles all the same.
pub(super) fn number(text: &str) -> Option<u64> {
    let digits = (1..=20).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number > 0)
}

impl News {
    /// Reads a news URL.
    ///
    /// # Errors
    /// CR, LF or NUL (SEC-03); a group or an id that is none, for example with a space in it.
    pub fn of(url: &Url) -> Result<News, UrlError> {
        let raw = super::joined_path(url)?;
        if raw.contains('@') || raw.contains("%40") {
            return Ok(News::Article(message_id("message-id", &raw)?));
        }
        if let Some((name, range)) = raw.rsplit_once('/').and_then(|(name, range)| Some((name, Range::of(range)?)))
            && !name.is_empty()
        {
            return Ok(News::Part(group(name)?, range));
        }
        let name = group(&raw)?;
        Ok(match name.as_slice() {
            b"" | b"*" => News::All,
            pattern if pattern.iter().any(|b| b"*?".contains(b)) => News::Groups(name),
            _ => News::Group(name),
        })
    }

    /// The commands that retrieve it, after the greeting.
    pub fn commands(&self) -> Vec<String> {
        let mut out = vec!["MODE READER".to_owned()];
        match self {
            News::All => out.extend(["LIST ACTIVE".into(), "LIST NEWSGROUPS".into()]),
            News::Groups(pattern) => {
                let pattern = wire::latin1(pattern);
                out.extend([format!("LIST ACTIVE {pattern}"), format!("LIST NEWSGROUPS {pattern}")]);
            }
            News::Group(group) => out.extend(group_commands(group, None)),
            News::Part(group, range) => out.extend(group_commands(group, Some(*range))),
            News::Article(id) => out.push(format!("ARTICLE <{}>", wire::latin1(id))),
        }
        out
    }
}

/// The commands that show what a group holds, or a part of it.
pub(super) fn group_commands(group: &[u8], range: Option<Range>) -> [String; 2] {
    let range = range.map_or("low-high".into(), |range| range.to_string());
    [format!("GROUP {}", wire::latin1(group)), format!("OVER {range} | XOVER {range}")]
}

/// A group's name or a wildmat, decoded; a space would make it two arguments.
pub(super) fn group(raw: &str) -> Result<Vec<u8>, UrlError> {
    let name = wire::decode("group", raw)?;
    if matches!(name.as_slice(), b"." | b"..") || name.iter().any(|b| *b <= b' ' || *b == 0x7F) {
        return Err(UrlError::Malformed(format!("\"{}\" is not the name of a newsgroup", show::octets(&name))));
    }
    Ok(name)
}

/// A message-id or content-id, decoded, without `< >` around it.
pub(super) fn message_id(what: &str, raw: &str) -> Result<Vec<u8>, UrlError> {
    let id = wire::decode(what, raw)?;
    let inner = id.strip_prefix(b"<").and_then(|id| id.strip_suffix(b">")).unwrap_or(&id);
    if inner.is_empty() || inner.iter().any(|b| *b <= b' ' || *b == 0x7F || b"<>".contains(b)) {
        return Err(UrlError::Malformed(format!("\"{}\" is not a {what}", show::octets(&id))));
    }
    Ok(inner.to_vec())
}

/// The URL of a group or of a wildmat.
///
/// # Errors
/// A name that no group can have.
pub fn group_url(name: &[u8]) -> Result<Url, UrlError> {
    let raw = escape::encode(name, b"+*");
    group(&raw)?;
    Url::parse(format!("news:{raw}"))
}

/// The URL of an article by its message-id, with or without `< >` (NNTP-05: the only form that is worth passing on).
///
/// # Errors
/// An id that is none.
pub fn article_url(id: &[u8]) -> Result<Url, UrlError> {
    // RFC 5538, 2.4: `/ ? # [ ] %` are escaped; the rest of RFC 3986's path characters stay readable.
    let raw = escape::encode(&message_id("message-id", &escape::encode(id, b""))?, escape::NEWS_ID);
    if !raw.contains('@') {
        return Err(UrlError::Malformed(format!("\"{}\" is not a message-id", show::octets(id))));
    }
    Url::parse(format!("news:{raw}"))
}

/// The URL of an article on the server of another URL of news; without a server where that is none.
pub fn article_at(of: &Url, id: &[u8]) -> Option<Url> {
    at_server_of(of, &escape::encode(id, escape::NEWS_ID))
}

/// The URL of a group, or of a wildmat, likewise.
pub fn group_at(of: &Url, name: &[u8]) -> Option<Url> {
    at_server_of(of, &escape::encode(name, b"+*"))
}

/// The URL of what is written as `rest`, likewise.
pub fn at_server_of(of: &Url, rest: &str) -> Option<Url> {
    let news = super::family(of).is_news();
    let scheme = super::of(Family::News, news && super::is_secure(of));
    let server = of.authority().filter(|authority| news && !authority.is_empty());
    Url::parse(format!("{scheme}:{}{rest}", server.map(|server| format!("//{server}/")).unwrap_or_default())).ok()
}

/// One level up among group names: `comp.lang.c` → `comp.lang.*` → `comp.*` → `*`.
pub(super) fn wider(name: &[u8]) -> Vec<u8> {
    let stem = name.strip_suffix(b".*").unwrap_or(name);
    match stem.iter().rposition(|b| *b == b'.') {
        Some(dot) => [&stem[..dot], b".*"].concat(),
        None => b"*".to_vec(),
    }
}

/// The same place on the same server with other groups.
fn elsewhere(url: &Url, groups: &[u8]) -> Option<Url> {
    let slashes = url.authority().map(|authority| format!("//{authority}/")).unwrap_or_default();
    Url::parse(format!("{}:{slashes}{}", url.scheme(), escape::encode(groups, b"+*"))).ok()
}

/// Where news comes from: the URL's server, else the configured one.
pub(super) fn plan(url: &Url, mut commands: Vec<String>) -> Result<Plan, UrlError> {
    if url.authority().is_none() {
        let port = super::default_port(url.scheme()).unwrap_or(119);
        return Ok(Plan { act: Act::Commands { host: None, port, commands }, confirm: None });
    }
    let server = server::server(url)?;
    // After the first command, by which the server says what it wants (RFC 4643, 2.3).
    let at = commands.len().min(1);
    commands.splice(at..at, login(url)?);
    let act = Act::Commands { host: Some(server.host), port: server.port, commands };
    Ok(Plan { act, confirm: server.confirm })
}

/// The login that a URL holds.
fn login(url: &Url) -> Result<Vec<String>, UrlError> {
    let (user, password) = (wire::decode_opt("user", url.user())?, wire::decode_opt("password", url.password())?);
    let Some(user) = user.filter(|user| !user.is_empty()) else { return Ok(Vec::new()) };
    let password = password.map_or_else(|| "<ask>".into(), |password| show::octets(&password));
    Ok(vec![format!("AUTHINFO USER {}", show::octets(&user)), format!("AUTHINFO PASS {password}")])
}

pub(super) const WAYS: Ways = Ways {
    family: Family::News,
    paths: Paths::Own,
    parts: |url| {
        let part = |label, text| Part { kind: PartKind::Name, label, text };
        Ok(match News::of(url)? {
            News::All => vec![part("groups", "all groups".into())],
            News::Groups(pattern) => vec![part("groups", show::octets(&pattern))],
            News::Group(name) => vec![part("group", show::octets(&name))],
            News::Part(name, range) => vec![part("group", show::octets(&name)), part("articles", range.to_string())],
            News::Article(id) => vec![part("message-id", show::octets(&id))],
        })
    },
    fields: |url| {
        Ok(match News::of(url)? {
            News::All => json!({ "group": "*" }),
            News::Groups(name) | News::Group(name) => json!({ "group": show::field(&name) }),
            News::Part(name, range) => json!({ "group": show::field(&name), "range": range.to_string() }),
            News::Article(id) => json!({ "message_id": format!("<{}>", show::field(&id)) }),
        })
    },
    plan: |url| plan(url, News::of(url)?.commands()),
    up: |url| match News::of(url).ok()? {
        News::All | News::Article(_) => None,
        News::Groups(name) | News::Group(name) => elsewhere(url, &wider(&name)),
        News::Part(name, _) => elsewhere(url, &name),
    },
    root: |url| elsewhere(url, b"*"),
};

//! `nntp:` and `nntps:` (RFC 1738, 3.7; RFC 5538): articles by their numbers, which only one server
//! understands.
//!
//! `nntp:group/number` means the configured server (D17). In the number's place there may be words that are sought (`sought`).

use super::news::{self, Range};
use super::sought::{ENCODED, Sought};
use super::{Family, Part, PartKind, Paths, Ways, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The fields of an NNTP URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nntp {
    /// The group.
    pub group: Vec<u8>,
    /// The article's number on that server, never 0; `None` for the group itself.
    pub number: Option<u64>,
    /// Some articles of the group: `nntp://host/group/1-30`.
    pub range: Option<Range>,
    /// What is sought in its articles: `nntp:group/subject=words`.
    pub sought: Option<Sought>,
}

impl Nntp {
    /// Reads the fields of an NNTP URL.
    ///
    /// # Errors
    /// No group; a number that is none (NNTP-06); CR, LF or NUL anywhere.
    pub fn of(url: &Url) -> Result<Nntp, UrlError> {
        let path = super::joined_path(url)?;
        let (group, number) = path.split_once('/').unwrap_or((&path, ""));
        let group = news::group(group)?;
        if group.is_empty() {
            return Err(UrlError::Malformed("an nntp URL needs a group".into()));
        }
        let number = wire::decode("article number", number)?;
        let text = std::str::from_utf8(&number).unwrap_or_default();
        if let Some(sought) = Sought::of(text) {
            return Ok(Nntp { group, number: None, range: None, sought: Some(sought?) });
        }
        let (one, range) = (news::number(text), Range::of(text));
        if one.is_none() && range.is_none() && !number.is_empty() {
            return Err(UrlError::Malformed(format!("\"{}\" is not an article number", show::octets(&number))));
        }
        Ok(Nntp { group, number: one, range, sought: None })
    }

    /// Whether more than one group is sought through.
    pub fn is_everywhere(&self) -> bool {
        self.sought.is_some() && is_wildmat(&self.group)
    }

    /// Whether no server can tell it, so that what is kept is looked through: texts, and more than one group.
    pub fn is_of_kept(&self) -> bool {
        self.is_everywhere() || self.sought.as_ref().is_some_and(|sought| sought.part.header().is_none())
    }

    /// The commands that retrieve it, after the greeting; GROUP comes first (NNTP-04).
    pub fn commands(&self) -> Vec<String> {
        if let Some(sought) = &self.sought {
            return self.seeking(sought);
        }
        let [group, overview] = news::group_commands(&self.group, self.range);
        let last = self.number.map_or(overview, |number| format!("ARTICLE {number}"));
        vec!["MODE READER".into(), group, last]
    }

    /// The commands by which words are sought; none where only what is kept is looked through.
    fn seeking(&self, sought: &Sought) -> Vec<String> {
        if self.is_of_kept() {
            return Vec::new();
        }
        let [group, overview] = news::group_commands(&self.group, None);
        let mut commands = vec!["MODE READER".into(), group];
        match (sought.part.header(), sought.pattern()) {
            (Some(header), Some(pattern)) => {
                commands.push(format!("XPAT {header} low-high {pattern}"));
                commands.push(format!("XPAT {header} low-high {ENCODED}"));
                commands.push(format!("OVER found | XOVER found | {overview}"));
            }
            _ => commands.push(overview),
        }
        commands
    }
}

/// Whether a name stands for several groups.
fn is_wildmat(name: &[u8]) -> bool {
    name.iter().any(|octet| b"*?".contains(octet))
}

/// The URL under which words are found in a group, or in all that fit a wildmat, on the server of another URL of news.
pub fn search_at(of: &Url, group: &[u8], sought: &Sought) -> Option<Url> {
    let scheme = super::of(Family::Nntp, super::family(of).is_news() && super::is_secure(of));
    let server = of.authority().filter(|authority| super::family(of).is_news() && !authority.is_empty());
    let server = server.map(|server| format!("//{server}/")).unwrap_or_default();
    let (group, words) = (escape::encode(group, b"+*"), escape::encode(sought.words.as_bytes(), b"+"));
    Url::parse(format!("{scheme}:{server}{group}/{}={words}", sought.part.name())).ok()
}

/// What a URL seeks.
pub fn sought(url: &Url) -> Option<Nntp> {
    (super::family(url) == Family::Nntp).then(|| Nntp::of(url).ok()).flatten().filter(|nntp| nntp.sought.is_some())
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Nntp,
    paths: Paths::Own,
    parts: |url| {
        let nntp = Nntp::of(url)?;
        let mut parts = vec![Part { kind: PartKind::Name, label: "group", text: show::octets(&nntp.group) }];
        parts.extend(nntp.number.map(|n| Part { kind: PartKind::Name, label: "article", text: n.to_string() }));
        parts.extend(nntp.range.map(|r| Part { kind: PartKind::Name, label: "articles", text: r.to_string() }));
        let part = |sought: Sought| (sought.part.name(), sought.words);
        parts.extend(nntp.sought.map(part).map(|(label, text)| Part { kind: PartKind::Name, label, text }));
        Ok(parts)
    },
    fields: |url| {
        let nntp = Nntp::of(url)?;
        let mut fields = json!({ "group": show::field(&nntp.group), "number": nntp.number });
        if let Some(range) = nntp.range {
            fields["range"] = range.to_string().into();
        }
        if let Some(sought) = nntp.sought {
            fields["sought"] = json!({ "in": sought.part.name(), "words": sought.words });
        }
        Ok(fields)
    },
    plan: |url| news::plan(url, Nntp::of(url)?.commands()),
    up: |url| {
        let nntp = Nntp::of(url).ok()?;
        let group = escape::encode(&nntp.group, b"+*");
        let inside = nntp.number.is_some() || nntp.range.is_some() || nntp.sought.is_some();
        match (inside, url.authority()) {
            (true, Some(_)) => super::with_path(url, &format!("/{group}")),
            (true, None) => super::with_path(url, &group),
            (false, None) => news::group_url(&news::wider(&nntp.group)).ok(),
            (false, Some(_)) => None,
        }
    },
    root: |url| url.authority().is_none().then(|| Url::parse("news:*").ok()).flatten(),
};

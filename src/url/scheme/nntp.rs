//! `nntp:` and `nntps:` (RFC 1738, 3.7; RFC 5538): an article by its number, which only one server understands.
//!
//! `nntp:group/number` means the configured server (D17).

use super::news;
use super::{Part, PartKind, Ways, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The fields of an NNTP URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nntp {
    /// The group.
    pub group: Vec<u8>,
    /// The article's number on that server, never 0; `None` for the group itself.
    pub number: Option<u64>,
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
        let digits =
            std::str::from_utf8(&number).ok().filter(|n| n.len() <= 16 && n.bytes().all(|b| b.is_ascii_digit()));
        match digits.map(str::parse::<u64>) {
            Some(Ok(n)) if n > 0 => Ok(Nntp { group, number: Some(n) }),
            _ if number.is_empty() => Ok(Nntp { group, number: None }),
            _ => Err(UrlError::Malformed(format!("\"{}\" is not an article number", show::octets(&number)))),
        }
    }

    /// The commands that retrieve it, after the greeting; GROUP comes first (NNTP-04).
    pub fn commands(&self) -> Vec<String> {
        let [group, overview] = news::group_commands(&self.group);
        let last = self.number.map_or(overview, |number| format!("ARTICLE {number}"));
        vec!["MODE READER".into(), group, last]
    }
}

pub(super) const WAYS: Ways = Ways {
    parts: |url| {
        let nntp = Nntp::of(url)?;
        let mut parts = vec![Part { kind: PartKind::Name, label: "group", text: show::octets(&nntp.group) }];
        parts.extend(nntp.number.map(|n| Part { kind: PartKind::Name, label: "article", text: n.to_string() }));
        Ok(parts)
    },
    fields: |url| {
        let nntp = Nntp::of(url)?;
        Ok(json!({ "group": show::field(&nntp.group), "number": nntp.number }))
    },
    plan: |url| news::plan(url, Nntp::of(url)?.commands()),
    up: |url| {
        let nntp = Nntp::of(url).ok()?;
        let group = escape::encode(&nntp.group, b"+*");
        match (nntp.number, url.authority()) {
            (Some(_), Some(_)) => super::with_path(url, &format!("/{group}")),
            (Some(_), None) => super::with_path(url, &group),
            (None, None) => news::group_url(&news::wider(&nntp.group)).ok(),
            (None, Some(_)) => None,
        }
    },
    root: |url| url.authority().is_none().then(|| Url::parse("news:*").ok()).flatten(),
};

//! `nntp:` and `nntps:` (RFC 1738, 3.7; RFC 5538): articles by their numbers, which only one server
//! understands.
//!
//! `nntp:group/number` means the configured server (D17).

use super::news::{self, Range};
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
        let (one, range) = (news::number(text), Range::of(text));
        if one.is_none() && range.is_none() && !number.is_empty() {
            return Err(UrlError::Malformed(format!("\"{}\" is not an article number", show::octets(&number))));
        }
        Ok(Nntp { group, number: one, range })
    }

    /// The commands that retrieve it, after the greeting; GROUP comes first (NNTP-04).
    pub fn commands(&self) -> Vec<String> {
        let [group, overview] = news::group_commands(&self.group, self.range);
        let last = self.number.map_or(overview, |number| format!("ARTICLE {number}"));
        vec!["MODE READER".into(), group, last]
    }
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Nntp,
    paths: Paths::Own,
    parts: |url| {
        let nntp = Nntp::of(url)?;
        let mut parts = vec![Part { kind: PartKind::Name, label: "group", text: show::octets(&nntp.group) }];
        parts.extend(nntp.number.map(|n| Part { kind: PartKind::Name, label: "article", text: n.to_string() }));
        parts.extend(nntp.range.map(|r| Part { kind: PartKind::Name, label: "articles", text: r.to_string() }));
        Ok(parts)
    },
    fields: |url| {
        let nntp = Nntp::of(url)?;
        let mut fields = json!({ "group": show::field(&nntp.group), "number": nntp.number });
        if let Some(range) = nntp.range {
            fields["range"] = range.to_string().into();
        }
        Ok(fields)
    },
    plan: |url| news::plan(url, Nntp::of(url)?.commands()),
    up: |url| {
        let nntp = Nntp::of(url).ok()?;
        let group = escape::encode(&nntp.group, b"+*");
        let inside = nntp.number.is_some() || nntp.range.is_some();
        match (inside, url.authority()) {
            (true, Some(_)) => super::with_path(url, &format!("/{group}")),
            (true, None) => super::with_path(url, &group),
            (false, None) => news::group_url(&news::wider(&nntp.group)).ok(),
            (false, Some(_)) => None,
        }
    },
    root: |url| url.authority().is_none().then(|| Url::parse("news:*").ok()).flatten(),
};

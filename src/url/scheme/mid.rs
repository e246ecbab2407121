//! `mid:` and `cid:` (RFC 2392): a message by its id, a part of a message by its own; both found in what is open.

use super::news::{article_url, message_id};
use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, show};
use crate::url::{Url, UrlError};
use serde_json::json;

/// What a `mid:` or `cid:` URL names; ids without `< >`, to be compared octet by octet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mid {
    /// The message; `None` for the one at hand (`cid:`).
    pub message: Option<Vec<u8>>,
    /// The part of it.
    pub content: Option<Vec<u8>>,
}

impl Mid {
    /// Reads either scheme. Everything after the colon belongs to the ids, `?` too.
    ///
    /// # Errors
    /// An id that is none; CR, LF or NUL in it.
    pub fn of(url: &Url) -> Result<Mid, UrlError> {
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let raw = format!("{}{query}", url.path());
        if url.is("cid") {
            return Ok(Mid { message: None, content: Some(message_id("content-id", &raw)?) });
        }
        let (message, content) = raw.split_once('/').map_or((raw.as_str(), None), |(m, c)| (m, Some(c)));
        Ok(Mid {
            message: Some(message_id("message-id", message)?),
            content: content.map(|content| message_id("content-id", content)).transpose()?,
        })
    }
}

/// What is done with a message that is none of those open: it is fetched as an article, by its id.
pub fn at_hand(url: &Url, plan: Plan) -> Plan {
    let article = || article_url(&Mid::of(url).ok()?.message?).ok();
    match plan.act {
        Act::Handler(_) if super::family(url) == Family::Message => match article() {
            Some(article) => Plan { act: Act::Open(article), ..plan },
            None => plan,
        },
        _ => plan,
    }
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Message,
    paths: Paths::Segments,
    parts: |url| {
        let mid = Mid::of(url)?;
        let part = |label, id: Vec<u8>| Part { kind: PartKind::Name, label, text: show::octets(&id) };
        let message = mid.message.map(|id| part("message-id", id));
        Ok(message.into_iter().chain(mid.content.map(|id| part("content-id", id))).collect())
    },
    fields: |url| {
        let mid = Mid::of(url)?;
        let id = |id: Option<Vec<u8>>| id.map(|id| format!("<{}>", show::field(&id)));
        Ok(match mid.message {
            None => json!({ "content_id": id(mid.content) }),
            message => json!({ "message_id": id(message), "content_id": id(mid.content) }),
        })
    },
    plan: |url| Mid::of(url).map(|_| Plan { act: Act::Handler(super::name(url.scheme())), confirm: None }),
    up: |_| None,
    root: |_| None,
};

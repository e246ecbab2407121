//! `urn:` (RFC 8141): names, not locators; never relative, never a host (MISC-03).

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, show};
use crate::url::{Url, UrlError};
use serde_json::json;

/// The two parts of a name, raw: their case and their escapes belong to the namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Urn<'a> {
    /// The namespace; letters of either case.
    pub nid: &'a str,
    /// The name in it.
    pub nss: &'a str,
}

impl<'a> Urn<'a> {
    /// Reads a name; components after `?` stay in [`Url::query`].
    ///
    /// # Errors
    /// No namespace, or no name in it.
    pub fn of(url: &'a Url) -> Result<Urn<'a>, UrlError> {
        match url.path().split_once(':') {
            Some((nid, nss)) if url.authority().is_none() && !nid.is_empty() && !nss.is_empty() => Ok(Urn { nid, nss }),
            _ => Err(UrlError::Malformed("a urn is a namespace, a colon and a name".into())),
        }
    }
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Other,
    paths: Paths::Segments,
    parts: |url| {
        let urn = Urn::of(url)?;
        let mut parts = vec![
            Part { kind: PartKind::Type, label: "namespace", text: show::component(urn.nid) },
            Part { kind: PartKind::Name, label: "name", text: show::component(urn.nss) },
        ];
        if let Some(query) = url.query() {
            parts.push(Part { kind: PartKind::Query, label: "query", text: show::component(query) });
        }
        Ok(parts)
    },
    fields: |url| {
        let urn = Urn::of(url)?;
        Ok(json!({ "nid": show::field(urn.nid.as_bytes()), "nss": show::field(urn.nss.as_bytes()) }))
    },
    plan: |url| Urn::of(url).map(|_| Plan { act: Act::Handler("urn"), confirm: None }),
    up: |_| None,
    root: |_| None,
};

//! `http:` and `https:` (RFC 1738, 3.3; RFC 9110): the path is the server's, sent as written but for unsafe characters.

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, server, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The fields of an HTTP URL.
#[derive(Clone, PartialEq, Eq)]
pub struct Http {
    /// For Basic authentication with this origin only (D11).
    pub user: Option<Vec<u8>>,
    /// As `user`.
    pub password: Option<Vec<u8>>,
    /// The path and the query as they are sent (HTTP-03 … 05), still escaped.
    pub target: String,
    /// Whether it goes over TLS.
    pub tls: bool,
}

impl Http {
    /// Reads the fields of an HTTP URL.
    ///
    /// # Errors
    /// CR, LF or NUL in user or password.
    pub fn of(url: &Url) -> Result<Http, UrlError> {
        Ok(Http {
            user: wire::decode_opt("user name", url.user())?,
            password: wire::decode_opt("password", url.password())?,
            target: escape::make_target(url.path(), url.query()),
            tls: url.is("https"),
        })
    }
}

/// Never the password.
impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let password = self.password.as_ref().map(|_| "***");
        write!(f, "Http {{ {:?} {password:?} {:?} {:?} }}", self.user, self.target, self.tls)
    }
}

/// The URL that asks a searchable document for words: spaces become `+`, a plus `%2B` (HTTP-09).
///
/// # Errors
/// Never for a URL that was one.
pub fn searching(url: &Url, words: &str) -> Result<Url, UrlError> {
    let query =
        words.split_whitespace().map(|word| escape::encode(word.as_bytes(), b"*")).collect::<Vec<_>>().join("+");
    let text = url.without_fragment();
    let bare = text.as_str().split('?').next().unwrap_or_default();
    Url::parse(format!("{bare}?{query}"))
}

/// The parts of any hierarchical URL: path and query.
pub(super) fn parts(url: &Url) -> Result<Vec<Part>, UrlError> {
    let mut parts = Vec::new();
    if !url.path().is_empty() {
        parts.push(Part { kind: PartKind::Path, label: "path", text: show::component(url.path()) });
    }
    if let Some(query) = url.query() {
        parts.push(Part { kind: PartKind::Query, label: "query", text: show::component(query) });
    }
    Ok(parts)
}

/// One level up in a hierarchical path: first the query goes, then segment by segment.
pub(super) fn up(url: &Url) -> Option<Url> {
    let path = url.path();
    if url.query().is_some() {
        return super::with_path(url, path);
    }
    let inner = path.strip_suffix('/').unwrap_or(path);
    let slash = inner.rfind('/')?;
    super::with_path(url, &inner[..=slash])
}

/// The top of a hierarchical path.
pub(super) fn root(url: &Url) -> Option<Url> {
    (url.authority().is_some() || url.path().starts_with('/')).then(|| super::with_path(url, "/")).flatten()
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Web,
    paths: Paths::Repeated,
    parts,
    fields: |_| Ok(json!({})),
    plan: |url| {
        let http = Http::of(url)?;
        let server = server::server(url)?;
        let request = ["GET ", &http.target, " HTTP/1.1"].concat();
        let act = Act::Http { host: server.host, port: server.port, request };
        Ok(Plan { act, confirm: server.confirm })
    },
    up,
    root,
};

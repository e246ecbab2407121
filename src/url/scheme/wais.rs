//! `wais:` (RFC 1738, 3.9; RFC 4156): a database, a search in it, or a document. Reached by a gateway only.

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, server, show, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The fields of a WAIS URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wais {
    /// The database.
    pub database: Vec<u8>,
    /// What of it.
    pub form: Form,
}

/// The three forms of a WAIS URL (WAIS-01).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The search interface.
    Database,
    /// The answers to a search.
    Search(Vec<u8>),
    /// One document.
    Document {
        /// Its type, which the client must know beforehand (WAIS-04).
        wtype: Vec<u8>,
        /// Its identifier, opaque (D22).
        wpath: Vec<u8>,
        /// The identifier's fields, if it is written as `digits=value;…` (WAIS-03).
        fields: Vec<(u32, Vec<u8>)>,
    },
}

impl Wais {
    /// Reads the fields of a WAIS URL.
    ///
    /// # Errors
    /// No database, a type without a document, CR, LF or NUL in database, search or type.
    pub fn of(url: &Url) -> Result<Wais, UrlError> {
        let path = url.path().strip_prefix('/').unwrap_or(url.path());
        let mut segments = path.splitn(3, '/');
        let database = wire::decode("database", segments.next().unwrap_or_default())?;
        if database.is_empty() {
            return Err(UrlError::Malformed("a wais URL needs a database".into()));
        }
        let form = match (segments.next().filter(|wtype| !wtype.is_empty()), segments.next(), url.query()) {
            (None, _, None) => Form::Database,
            (None, _, Some(search)) => Form::Search(wire::decode("search", search)?),
            (Some(wtype), Some(wpath), query) => {
                let wpath = query.map_or(wpath.to_owned(), |query| format!("{wpath}?{query}"));
                Form::Document {
                    wtype: wire::decode("type", wtype)?,
                    wpath: escape::decode(&wpath),
                    fields: split_fields(&wpath).unwrap_or_default(),
                }
            }
            (Some(_), None, _) => {
                return Err(UrlError::Malformed("a wais URL with a type needs a document after it".into()));
            }
        };
        Ok(Wais { database, form })
    }
}

/// The fields of an identifier; separated before they are decoded, so that an escaped `;` stays inside one.
fn split_fields(wpath: &str) -> Option<Vec<(u32, Vec<u8>)>> {
    let inner = wpath.strip_suffix(';')?;
    let field = |field: &str| {
        let (number, value) = field.split_once('=')?;
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        Some((number.parse().ok().filter(|_| digits)?, escape::decode(value)))
    };
    inner.split(';').map(field).collect()
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Other,
    paths: Paths::Own,
    parts: |url| {
        let wais = Wais::of(url)?;
        let part = |kind, label, octets: &[u8]| Part { kind, label, text: show::octets(octets) };
        let mut parts = vec![part(PartKind::Name, "database", &wais.database)];
        match &wais.form {
            Form::Database => {}
            Form::Search(search) => parts.push(part(PartKind::Query, "search", search)),
            Form::Document { wtype, wpath, .. } => {
                parts.push(part(PartKind::Type, "type", wtype));
                parts.push(part(PartKind::Path, "document", wpath));
            }
        }
        Ok(parts)
    },
    fields: |url| {
        let wais = Wais::of(url)?;
        let database = show::field(&wais.database);
        Ok(match wais.form {
            Form::Database => json!({ "form": "database", "database": database }),
            Form::Search(search) => json!({ "form": "search", "database": database, "search": show::field(&search) }),
            Form::Document { wtype, wpath, fields } => {
                let mut document = json!({ "form": "document", "database": database, "wtype": show::field(&wtype) });
                if fields.is_empty() {
                    document["wpath"] = show::field(&wpath).into();
                } else {
                    document["fields"] =
                        fields.iter().map(|(number, value)| json!([number, show::field(value)])).collect();
                }
                document
            }
        })
    },
    plan: |url| {
        Wais::of(url)?;
        Ok(Plan { act: Act::Handler("wais"), confirm: server::server(url)?.confirm })
    },
    up: |url| {
        let wais = Wais::of(url).ok()?;
        let database = format!("/{}", escape::encode(&wais.database, b""));
        (wais.form != Form::Database).then(|| super::with_path(url, &database)).flatten()
    },
    root: |url| {
        let database = escape::encode(&Wais::of(url).ok()?.database, b"");
        super::with_path(url, &format!("/{database}"))
    },
};

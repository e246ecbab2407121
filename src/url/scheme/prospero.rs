//! `prospero:` (RFC 1738, 3.11; RFC 4157): a name on a host, with fields or a version. Reached by a gateway only.

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, server, show};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The fields of a Prospero URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prospero {
    /// The host-specific object name; it may begin with `/`.
    pub hsoname: Vec<u8>,
    /// `;field=value`, in order.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// The version after `%00`, as the first drafts wrote it (D21).
    pub version: Option<Vec<u8>>,
}

impl Prospero {
    /// Reads the fields of a Prospero URL.
    ///
    /// # Errors
    /// No name, or a line break in any field; the one NUL is the older form's delimiter.
    pub fn of(url: &Url) -> Result<Prospero, UrlError> {
        let path = super::joined_path(url)?;
        let mut pieces = path.split(';');
        let name = escape::decode(pieces.next().unwrap_or_default());
        let mut halves = name.splitn(2, |b| *b == 0);
        let hsoname = halves.next().unwrap_or_default().to_vec();
        let (version, attribute) = halves.next().map(split_version).unzip();
        if hsoname.is_empty() {
            return Err(UrlError::Malformed("a prospero URL needs an object name".into()));
        }
        let attribute = attribute.filter(|attribute| !attribute.is_empty()).map(|name| (name, Vec::new()));
        let fields: Vec<_> = attribute
            .into_iter()
            .chain(pieces.map(|piece| {
                let (field, value) = piece.split_once('=').unwrap_or((piece, ""));
                (escape::decode(field), escape::decode(value))
            }))
            .collect();
        let all = [&hsoname].into_iter().chain(&version).chain(fields.iter().flat_map(|(name, value)| [name, value]));
        all.into_iter().try_for_each(|octets| super::wire::check("object name", octets))?;
        Ok(Prospero { hsoname, fields, version })
    }
}

/// The version after the NUL, and the attribute after its number (PROS-04); what begins with no number is the version.
fn split_version(after: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let digits = after.iter().take_while(|b| b.is_ascii_digit()).count();
    let (version, attribute) = after.split_at(if digits == 0 { after.len() } else { digits });
    (version.to_vec(), attribute.strip_prefix(b"\0").unwrap_or(attribute).to_vec())
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Other,
    paths: Paths::Own,
    parts: |url| {
        let prospero = Prospero::of(url)?;
        let mut parts = vec![Part { kind: PartKind::Path, label: "object", text: show::octets(&prospero.hsoname) }];
        for (field, value) in &prospero.fields {
            let text = format!("{}={}", show::octets(field), show::octets(value));
            parts.push(Part { kind: PartKind::Extra, label: "field", text });
        }
        if let Some(version) = &prospero.version {
            parts.push(Part { kind: PartKind::Extra, label: "version", text: show::octets(version) });
        }
        Ok(parts)
    },
    fields: |url| {
        let prospero = Prospero::of(url)?;
        let fields = prospero.fields.iter().map(|(name, value)| json!([show::field(name), show::field(value)]));
        Ok(json!({
            "hsoname": show::field(&prospero.hsoname),
            "fields": fields.collect::<Vec<_>>(),
            "version": prospero.version.as_deref().map(show::field),
        }))
    },
    plan: |url| {
        Prospero::of(url)?;
        Ok(Plan { act: Act::Handler("prospero"), confirm: server::server(url)?.confirm })
    },
    up: |_| None,
    root: |_| None,
};

//! `about:` (RFC 6694): pages of the program itself, by name.

use super::{Act, Part, PartKind, Plan, Ways, show};
use crate::url::{Url, UrlError};
use serde_json::json;

/// The name of a built-in page, in lower case and without its query.
///
/// # Errors
/// A name with anything but letters, digits and `-`.
pub fn page(url: &Url) -> Result<String, UrlError> {
    let name = url.path();
    if url.authority().is_some() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Err(UrlError::Malformed(format!("\"{}\" is not the name of a built-in page", show::component(name))));
    }
    Ok(name.to_ascii_lowercase())
}

pub(super) const WAYS: Ways = Ways {
    parts: |url| Ok(vec![Part { kind: PartKind::Name, label: "page", text: page(url)? }]),
    fields: |url| Ok(json!({ "page": page(url)? })),
    plan: |url| page(url).map(|_| Plan { act: Act::Internal, confirm: None }),
    up: |_| None,
    root: |_| None,
};

//! `about:` (RFC 6694): pages of the program itself, by name.

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, show};
use crate::url::{Url, UrlError, escape};
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

/// The host whose cookies `about:cookies?forget=HOST` forgets.
pub fn forgets(url: &Url) -> Option<String> {
    let host = url.query()?.strip_prefix("forget=")?;
    let cookies = page(url).is_ok_and(|name| name == "cookies");
    cookies.then(|| String::from_utf8_lossy(&escape::decode(host)).into_owned())
}

pub(super) const WAYS: Ways = Ways {
    family: Family::About,
    paths: Paths::Segments,
    parts: |url| Ok(vec![Part { kind: PartKind::Name, label: "page", text: page(url)? }]),
    fields: |url| Ok(json!({ "page": page(url)? })),
    plan: |url| {
        let forget = forgets(url).map(|host| format!("Forget the cookies of {}?", show::component(&host)));
        page(url).map(|_| Plan { act: Act::Internal, confirm: forget })
    },
    up: |_| None,
    root: |_| None,
};

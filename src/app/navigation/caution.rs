//! What the reader should know of an address with a login in it before it is asked for: who is asked, and how the password goes
//! (SEC-04, D11).

use crate::doc::sanitise;
use crate::url::Url;
use crate::url::scheme;
use crate::url::warning::{WarningKind, warnings};

/// One sentence; `None` for an address without a login to be told of.
pub(in crate::app) fn of(url: &Url) -> Option<String> {
    let kinds: Vec<WarningKind> = warnings(url).into_iter().map(|warning| warning.kind).collect();
    let has = |kind| kinds.contains(&kind);
    if ![WarningKind::Password, WarningKind::HttpUser, WarningKind::UserLooksLikeHost].into_iter().any(has) {
        return None;
    }
    let host = url.host().unwrap_or_default();
    let mut words = format!("the host is what comes after the @: {}", sanitise(host));
    if has(WarningKind::Password) {
        words.push_str(match scheme::is_secure(url) {
            true => "; the password goes over TLS, and stands in the address",
            false => "; the password goes in clear text, readable on the way",
        });
    } else if has(WarningKind::HttpUser) {
        words.push_str("; the web's addresses have no user (RFC 1738, 3.3)");
    }
    Some(words)
}

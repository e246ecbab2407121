//! What of an address may be shown, kept and given away.

use crate::doc::sanitise;
use crate::url::Url;
use crate::url::escape::make_safe;

/// Whether a URL carries the answers of a form (GPP-08): the only kind that holds coded line breaks.
pub(in crate::app) fn is_filled_form(url: &str) -> bool {
    url.to_ascii_lowercase().contains("%0d%0a")
}

/// A URL that still works, but gives no password away and holds nothing that a terminal would obey where it is pasted.
pub(in crate::app) fn shareable(url: &Url) -> String {
    let text = match url.password() {
        Some(_) => url.redacted().replacen(":***@", "@", 1),
        None => url.redacted(),
    };
    if sanitise(&text) == text && !text.contains('\t') { text } else { make_safe(&text) }
}

/// The host under whose name the reader's choices for a page are kept; empty for files and for the program's own pages.
pub(in crate::app) fn host(url: &Url) -> String {
    url.host().unwrap_or_default().to_ascii_lowercase()
}

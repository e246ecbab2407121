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
    let text = url.without_secrets();
    if sanitise(&text) == text && !text.contains('\t') { text } else { make_safe(&text) }
}

/// The host under whose name the reader's choices for a page are kept; empty for files and for the program's own pages.
pub(in crate::app) fn host(url: &Url) -> String {
    url.host().unwrap_or_default().to_ascii_lowercase()
}

/// The folder that a page stands in: its URL up to the last slash of the path, with nothing after it.
pub(in crate::app) fn folder(url: &Url) -> Option<String> {
    let page = url.without_fragment();
    let query = url.query().map_or(0, |query| query.len() + 1);
    let bare = page.as_str().len().saturating_sub(query);
    // The slashes before a host begin no path.
    let last = url.path().rfind('/')?;
    Some(page.as_str().get(..(bare + last + 1).checked_sub(url.path().len())?)?.to_owned())
}

/// Where the reader's choices hold that are for more than a page: its host; of a file its folder, for all files have no host.
pub(in crate::app) fn place(url: &Url) -> String {
    let folder = if url.is("file") { folder(url) } else { None };
    folder.unwrap_or_else(|| host(url))
}

/// What such a place is called.
pub(in crate::app) fn kind_of_place(url: &Url) -> &'static str {
    if url.is("file") { "folder" } else { "host" }
}

//! The rows of `url check`: a link, where it stands, how it was resolved, what became of it.

use super::answer::visible;
use super::json::Object;
use crate::url::{Url, redact};

/// A link that was checked.
pub(in crate::shell) struct LinkRow<'a> {
    /// The page that it stands on.
    pub(in crate::shell) page: &'a Url,
    /// The line of the page's source, where it was found there.
    pub(in crate::shell) line: Option<usize>,
    /// The reference as written.
    pub(in crate::shell) reference: &'a str,
    /// The layer of the base in force, and the base.
    pub(in crate::shell) base: Option<(&'static str, &'a Url)>,
    /// What it was resolved to.
    pub(in crate::shell) url: Option<&'a Url>,
    /// What became of it, in a word.
    pub(in crate::shell) result: &'static str,
    /// Why.
    pub(in crate::shell) detail: &'a str,
}

/// The row as a line, for programs or for people.
pub(in crate::shell) fn link_row(row: &LinkRow<'_>, json: bool) -> String {
    let line = row.line.map(|line| line.to_string());
    if !json {
        let place = line.map(|line| format!(":{line}")).unwrap_or_default();
        let url = row.url.map_or_else(|| redact(row.reference), Url::redacted);
        let why = if row.detail.is_empty() { String::new() } else { format!("  ({})", row.detail) };
        return visible(&format!("{:<11} {}{place}: {url}{why}", row.result, row.page.redacted())).into_owned();
    }
    let mut out = Object::with_capacity(256);
    out.text("page", row.page.as_str());
    out.raw("line", line.as_deref().unwrap_or("null"));
    out.text("reference", row.reference);
    out.option("layer", row.base.map(|(layer, _)| layer));
    out.option("base", row.base.map(|(_, base)| base.as_str()));
    out.option("url", row.url.map(Url::as_str));
    out.text("result", row.result);
    out.text("detail", row.detail);
    out.done()
}

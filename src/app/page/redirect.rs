//! Where redirects lead, for pages and files alike (SEC-12, FRAG-08).

use crate::proto::{FetchError, Kind, Moved};
use crate::url;
use crate::url::scheme::Family;
use crate::url::{Url, scheme};

/// Redirects that are followed in a row.
pub const MOST: u8 = 20;

/// Where a redirect leads; a fragment that it does not replace goes along (FRAG-08).
///
/// # Errors
/// The server's reference makes no URL.
pub fn target(moved: &Moved, fragment: Option<&str>) -> Result<Url, FetchError> {
    url::redirect(&moved.from.with_fragment(fragment), &moved.to).map_err(|error| {
        let detail = format!("The server says \"{}\" and names a place that is no address: {error}.", moved.status);
        FetchError::new(Kind::Malformed, detail).tried(moved.from.redacted())
    })
}

/// Whether a redirect is followed without a question.
pub fn is_ordinary(from: &Url, to: &Url) -> bool {
    let web = |url: &Url| scheme::family(url) == Family::Web;
    web(from) && web(to)
}

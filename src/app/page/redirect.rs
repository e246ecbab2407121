//! Where redirects lead, for pages and files alike (SEC-12, FRAG-08).

use crate::proto::{FetchError, Kind, Moved};
use crate::url;
use crate::url::scheme::Family;
use crate::url::scheme::about::{Kept, New};
use crate::url::{Url, scheme};

/// Redirects that are followed in a row.
pub const MOST: u8 = 20;
/// The same in Gemini space, where no more are thought to be honest (Gemini 0.24.1, 3.2.3).
const MOST_OF_GEMINI: u8 = 5;

/// How many redirects are followed in a row, by who sent the last one.
pub fn most(from: &Url) -> u8 {
    if matches!(scheme::family(from), Family::Gemini | Family::Spartan | Family::Guppy) { MOST_OF_GEMINI } else { MOST }
}

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
    let place = |url| scheme::family(&scheme::place(url));
    match (place(from), place(to)) {
        (Family::Web, Family::Web) | (Family::Gemini, Family::Gemini) => true,
        (Family::Spartan, Family::Spartan) | (Family::Guppy, Family::Guppy) => true,
        // Only the program itself sends on from there.
        (Family::About, Family::About | Family::Gemini) => true,
        // What was kept of the web leads on within its file.
        _ if !to_file(from) && !to_file(to) && scheme::place(from) == scheme::place(to) => true,
        // To what the reader has put by.
        (Family::About, _) if matches!(Kept::of(from), Some(Kept::Next { .. })) => !scheme::is_here(to),
        // To what is new in what they are subscribed to.
        (Family::About, _) if matches!(New::of(from), Some(New::Next(_))) => scheme::is_of_network(to),
        // What a recursive listing names is where it came from; only the program itself says so.
        _ => scheme::family(from) == Family::Archive && to_file(to) && scheme::is_of_one_server(from, to),
    }
}

/// Whether a URL is one of a server's own, not of what is in an archive there.
fn to_file(to: &Url) -> bool {
    scheme::family(to) != Family::Archive
}

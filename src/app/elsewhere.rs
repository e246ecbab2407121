//! Redirects: a server says that something is elsewhere, and whether to go there is decided here (UX, security rule 3).
//!
//! From the web to the web it is followed, twenty times at most; anything else asks, with the whole target shown; a file of
//! this machine is refused. The place that answers at last is the page's URL and its retrieval base (HTTP-10, BASE-06).

use super::opening::{self, Aim, Consent, Opening};
use super::question::{self, choice};
use super::{App, Effect, Hop, Overlay, Pending, Sent};
use crate::proto::{Again, FetchError, Kind, Moved};
use crate::url::{self, Url};

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
    let web = |url: &Url| url.is("http") || url.is("https");
    web(from) && web(to)
}

/// Goes on to where a server sends.
pub(super) fn go(app: &mut App, opening: Opening, moved: &Moved) -> Vec<Effect> {
    let to = match target(moved, opening.url.fragment()) {
        Ok(to) => to,
        Err(error) => return opening::explain(app, &opening, error),
    };
    if opening.hops.len() >= usize::from(MOST) {
        let detail = format!("It leads from one address to the next, more than {MOST} times.");
        let error = FetchError::new(Kind::TooManyRedirects, detail).tried(opening.public().redacted());
        return opening::explain(app, &opening, error.hint(format!("The next one would be {}", to.redacted())));
    }
    let mut hops = opening.hops.clone();
    hops.push(Hop { from: moved.from.clone(), status: moved.status.clone() });
    let ordinary = is_ordinary(&moved.from, &to);
    // A body goes on only where the server wants it to, and the reader too; what a URL said in secret never does.
    let whole = moved.again == Again::Same && ordinary;
    let sent = opening.sent.clone().filter(|sent| whole && matches!(sent, Sent::Body(_)));
    let doubt = sent.as_ref().map(|_| {
        let host = moved.from.host().unwrap_or_default();
        format!("{host} wants the form to be sent on to another place ({}).", moved.status)
    });
    let (consent, mirrors) = (Consent::Followed, Vec::new());
    let onward = Opening { url: to, shown: None, hops, consent, mirrors, form: None, sent, doubt, ..opening };
    if ordinary {
        return opening::go(app, onward);
    }
    if onward.url.is("file") {
        let detail = "A server of the network leads to a file of this machine; that is not followed.";
        let error = FetchError::new(Kind::Unsafe, detail).tried(moved.from.redacted());
        return opening::explain(app, &onward, error.hint(format!("It would be {}", onward.url.redacted())));
    }
    ask(app, onward, moved)
}

fn ask(app: &mut App, onward: Opening, moved: &Moved) -> Vec<Effect> {
    let host = moved.from.host().unwrap_or_default();
    let what = if onward.aim == Aim::File { "The file" } else { "The page" };
    let question = Overlay::Question {
        text: vec![format!("{what} is elsewhere, says {host} ({}):", moved.status), onward.url.redacted()],
        choices: vec![choice('y', "go there"), choice('n', "stay here")],
        pending: Pending::Open(onward.public().clone()),
    };
    app.tab.held.push(onward);
    question::raise(app, question);
    Vec::new()
}

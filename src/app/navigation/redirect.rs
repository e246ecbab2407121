//! Redirects: a server says that something is elsewhere, and whether to go there is decided here (SEC-12).
//!
//! From the web to the web it is followed, twenty times at most, and within Gemini space five times; anything else asks, with
//! the whole target shown; a file of this machine is refused, unless another one leads there, and so is what this program would do.
//! The place that answers at last is the page's URL and its retrieval base (HTTP-10, BASE-06).

use crate::app::hands::question::choice;
use crate::app::page::redirect::{is_ordinary, most, target};
use crate::app::state::Cx;
use crate::app::{Aim, Consent, Effect, Hop, Loading, Opening, Overlay, Pending, Sent, navigation};
use crate::proto::{Again, DONE, FetchError, Kind, Moved, Redirected, Request};
use crate::url::scheme::about::{Kept, New};
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};
use std::sync::Arc;

/// Goes on to where a server sends.
pub(in crate::app) fn go(cx: &mut Cx<'_>, loading: Loading, moved: &Moved) -> Vec<Effect> {
    let Loading { mut opening, request, .. } = loading;
    // A server that was sent a password may repeat it in what it leads to.
    let login = cx.sight().login_for(&opening.url).map(|login| login.password);
    let written = opening.url.password().map(escape::decode);
    for password in login.into_iter().chain(written) {
        opening.veil.add(&String::from_utf8_lossy(&password));
    }
    let to = match target(moved, opening.url.fragment()) {
        Ok(to) => to,
        Err(error) => return navigation::explain(cx, &opening, error),
    };
    let next =
        matches!(New::of(&moved.from), Some(New::Next(_))) || matches!(Kept::of(&moved.from), Some(Kept::Next { .. }));
    if next && moved.status != DONE {
        // How far the reader is with what is new, or was put by.
        cx.say(moved.status.clone());
    }
    if moved.again == Again::Kept {
        cx.say(moved.status.clone());
    }
    let shown = opening.veil.url(&to);
    let most = most(&moved.from);
    if opening.hops.len() >= usize::from(most) {
        let detail = format!("It leads from one address to the next, more than {most} times.");
        let error = FetchError::new(Kind::TooManyRedirects, detail).tried(opening.public().redacted());
        return navigation::explain(
            cx,
            &opening,
            error.hint(format!("The next one would be {}", shown.as_ref().unwrap_or(&to).redacted())),
        );
    }
    let dispatched = std::mem::take(&mut opening.dispatched);
    let mut hops = opening.hops.clone();
    let from = opening.answered(moved.from.clone());
    let by_address = is_by_address(&request, moved);
    hops.push(Hop { from: from.clone(), status: moved.status.clone(), dispatched, by_address });
    // What is kept asks nobody.
    let ordinary = is_ordinary(&moved.from, &to) || moved.again == Again::Kept;
    // A body goes on only where the server wants it to, and the reader too; what a URL said in secret never does.
    let whole = moved.again == Again::Same && ordinary;
    let body = opening.sent.clone().filter(|sent| whole && matches!(sent, Sent::Body(_)));
    let doubt = body.as_ref().map(|_| {
        let host = moved.from.host().unwrap_or_default();
        format!("{host} wants the form to be sent on to another place ({}).", moved.status)
    });
    let (consent, mirrors) = (Consent::Followed, Vec::new());
    let sent = body.or_else(|| shown.is_some().then(|| Sent::Secret(to.clone())));
    let told = shown.clone();
    let onward = Opening { url: to, shown, told, hops, consent, mirrors, form: None, sent, doubt, ..opening };
    if ordinary {
        return navigation::go(cx, onward);
    }
    let never = match &onward.url {
        url if scheme::is_here(url) && scheme::family(&moved.from) != Family::File => Some("a file of this machine"),
        url if acts(url) => Some("something that only you can ask this program for"),
        _ => None,
    };
    if let Some(what) = never {
        let detail = format!("A server of the network leads to {what}; that is not followed.");
        let error = FetchError::new(Kind::Unsafe, detail).tried(from.redacted());
        let error = error.hint(format!("It would be {}", onward.public().redacted()));
        // The place is the server's: what is tried again there asks the server, and what it leads to is its word.
        return navigation::explain(cx, &Opening { url: from, shown: None, told: None, ..onward }, error);
    }
    ask(cx, onward, moved)
}

/// Whether an address of the network alone led somewhere, and that may be kept.
pub(in crate::app) fn is_by_address(request: &Request, moved: &Moved) -> bool {
    let plain = request.is_by_address() && !moved.unkept && moved.again != Again::Kept;
    plain && scheme::is_of_network(&request.url) && request.url.user().is_none()
}

/// The address that the reader asked for, where by such ones alone servers led to another.
pub(super) fn redirected(opening: &Opening) -> Option<Arc<Redirected>> {
    // What this program leads to by itself was asked for there.
    let hops = opening.hops.rsplit(|hop| !scheme::is_of_network(&hop.from)).next()?;
    let (first, more) = hops.split_first().filter(|_| hops.iter().all(|hop| hop.by_address))?;
    let redirected = Redirected { from: first.from.clone(), said: first.status.clone() };
    Some(Arc::new(more.iter().fold(redirected, |led, hop| led.on(&hop.status))))
}

/// Whether a page of the program's own would do something.
fn acts(url: &Url) -> bool {
    scheme::family(url) == Family::About && !scheme::plan(url).is_ok_and(|plan| plan.confirm.is_none())
}

fn ask(cx: &mut Cx<'_>, onward: Opening, moved: &Moved) -> Vec<Effect> {
    let host = moved.from.host().unwrap_or_default();
    let what = if onward.aim == Aim::File { "The file" } else { "The page" };
    // Of a file of this machine no server says it.
    let moved = match host {
        "" => format!("{what} is elsewhere: {}", moved.status),
        host => format!("{what} is elsewhere, says {host} ({})", moved.status),
    };
    // Whatever a link there would ask is asked here, and agreed to with it.
    let said = match navigation::warned(cx.sight(), &onward) {
        Some(warning) => format!("{moved}. {}", onward.veil.over(warning)),
        None => format!("{moved}:"),
    };
    let question = Overlay::Question {
        text: vec![said, onward.public().redacted()],
        choices: vec![choice('y', "go there"), choice('n', "stay here")],
        pending: Pending::Open(Box::new(onward)),
    };
    cx.hands.queue(question);
    Vec::new()
}

//! Redirects of downloads: within the web, Gemini, Spartan or Guppy space they are followed, like those of pages; any other fails with
//! the target shown, so that the reader may open it themselves. What the servers were told in secret is hidden in both.

use super::{failed, queue, running};
use crate::app::page::redirect;
use crate::app::page::veil::Veil;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, Purpose, Sight};
use crate::proto::{Login, Moved, Request};
use crate::url::{Url, scheme};
use std::time::Duration;

/// A server says that a file is elsewhere.
pub(super) fn moved(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, moved: &Moved) -> Vec<Effect> {
    let waiting = cx.transfers.waiting.iter().position(|w| w.id == id);
    let hops = match waiting {
        Some(at) => cx.transfers.waiting[at].hops,
        None => running(cx, id).map_or(0, |download| download.hops),
    };
    let Some((request, veil)) = told(cx.sight(), id) else { return Vec::new() };
    let to = match onward(moved, hops, &veil) {
        Ok(to) => to,
        Err(sentence) => return failed(cx, id, elapsed, sentence),
    };
    let login = cx.sight().login_as(request.private, &to);
    if let Some(at) = waiting {
        let new = cx.job(Errand::File);
        let waiting = &mut cx.transfers.waiting[at];
        waiting.request = redirected(&request, &veil, to, login);
        (waiting.id, waiting.hops, waiting.veil) = (new, hops + 1, veil);
        for prompt in cx.hands.prompts_mut().filter(|prompt| prompt.purpose == Purpose::Body(id)) {
            prompt.purpose = Purpose::Body(new);
        }
        return vec![Effect::Fetch { id: new, request: cx.transfers.waiting[at].request.clone() }];
    }
    let Some(at) = cx.transfers.downloads.iter().position(|d| d.id == id) else { return Vec::new() };
    let download = &mut cx.transfers.downloads[at];
    download.request = redirected(&request, &veil, to, login);
    (download.hops, download.veil) = (hops + 1, veil);
    vec![queue::begin(cx, at)]
}

/// What the fetch of a file asked for, and all that servers were told in secret until then.
pub(super) fn told(sight: Sight<'_>, id: JobId) -> Option<(Request, Veil)> {
    let waiting = sight.transfers.waiting.iter().find(|w| w.id == id).map(|w| (&w.request, &w.veil));
    let running = || sight.transfers.downloads.iter().find(|d| d.id == id).map(|d| (&d.request, &d.veil));
    let (request, veil) = waiting.or_else(running)?;
    let mut veil = veil.clone();
    veil.add_login_of(&request.url);
    if let Some(login) = &request.login {
        veil.add_login(&request.url, &login.user, &login.password);
    }
    Some((request.clone(), veil))
}

/// The same file at its new place; a login or a filled form is not for other servers.
fn redirected(request: &Request, veil: &Veil, to: Url, login: Option<Login>) -> Request {
    let told = veil.url(&to);
    Request { url: to, told, login, body: None, mirrors: Vec::new(), ..request.clone() }
}

pub(super) fn onward(moved: &Moved, hops: u8, veil: &Veil) -> Result<Url, String> {
    let to = redirect::target(moved, None).map_err(|error| error.detail)?;
    let shown = veil.url(&to).unwrap_or_else(|| to.clone()).redacted();
    let most = redirect::most(&moved.from);
    if hops >= most {
        return Err(format!("It leads from one address to the next, more than {most} times."));
    }
    let safe = scheme::plan(&to).is_ok_and(|plan| plan.confirm.is_none());
    if redirect::is_ordinary(&moved.from, &to) && safe { Ok(to) } else { Err(format!("It is elsewhere: {shown}")) }
}

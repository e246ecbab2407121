//! Redirects of downloads: within the web, Gemini or Spartan space they are followed, like those of pages; any other fails with
//! the target shown, so that the reader may open it themselves.

use super::{failed, queue, running};
use crate::app::page::redirect;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, Purpose};
use crate::proto::{Moved, Request};
use crate::url::{Url, scheme};
use std::time::Duration;

/// A server says that a file is elsewhere.
pub(super) fn moved(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, moved: &Moved) -> Vec<Effect> {
    let waiting = cx.transfers.waiting.iter().position(|w| w.id == id);
    let hops = match waiting {
        Some(at) => cx.transfers.waiting[at].hops,
        None => running(cx, id).map_or(0, |download| download.hops),
    };
    let to = match onward(moved, hops) {
        Ok(to) => to,
        Err(sentence) => return failed(cx, id, elapsed, sentence),
    };
    let login = cx.sight().login_for(&to);
    if let Some(at) = waiting {
        let new = cx.job(Errand::File);
        let waiting = &mut cx.transfers.waiting[at];
        waiting.request = redirected(&waiting.request, to, login);
        (waiting.id, waiting.hops) = (new, hops + 1);
        for prompt in cx.hands.prompts_mut().filter(|prompt| prompt.purpose == Purpose::Body(id)) {
            prompt.purpose = Purpose::Body(new);
        }
        return vec![Effect::Fetch { id: new, request: cx.transfers.waiting[at].request.clone() }];
    }
    let Some(at) = cx.transfers.downloads.iter().position(|d| d.id == id) else { return Vec::new() };
    let download = &mut cx.transfers.downloads[at];
    download.request = redirected(&download.request, to, login);
    download.hops = hops + 1;
    vec![queue::begin(cx, at)]
}

/// The same file at its new place; a login or a filled form is not for other servers.
fn redirected(request: &Request, to: Url, login: Option<crate::proto::Login>) -> Request {
    Request { url: to, login, body: None, mirrors: Vec::new(), ..request.clone() }
}

fn onward(moved: &Moved, hops: u8) -> Result<Url, String> {
    let to = redirect::target(moved, None).map_err(|error| error.detail)?;
    let shown = to.redacted();
    let most = redirect::most(&moved.from);
    if hops >= most {
        return Err(format!("It leads from one address to the next, more than {most} times."));
    }
    let safe = scheme::plan(&to).is_ok_and(|plan| plan.confirm.is_none());
    if redirect::is_ordinary(&moved.from, &to) && safe { Ok(to) } else { Err(format!("It is elsewhere: {shown}")) }
}

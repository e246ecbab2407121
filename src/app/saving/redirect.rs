//! Redirects of downloads: from the web to the web they are followed, like those of pages; any other fails with the target
//! shown, so that the reader may open it themselves.

use super::super::elsewhere::{self, MOST};
use super::super::{App, Effect, FetchId, login};
use super::{Purpose, failed, queue, running};
use crate::proto::{Moved, Request};
use crate::url::{Url, scheme};
use std::time::Duration;

/// A server says that a file is elsewhere.
pub(super) fn moved(app: &mut App, id: FetchId, elapsed: Duration, moved: &Moved) -> Vec<Effect> {
    let waiting = app.waiting.iter().position(|w| w.id == id);
    let hops = match waiting {
        Some(at) => app.waiting[at].hops,
        None => running(app, id).map_or(0, |download| download.hops),
    };
    let to = match onward(moved, hops) {
        Ok(to) => to,
        Err(sentence) => return failed(app, id, elapsed, sentence),
    };
    let login = login::of(app, &to);
    if let Some(at) = waiting {
        let new = app.fresh();
        let waiting = &mut app.waiting[at];
        waiting.request = redirected(&waiting.request, to, login);
        (waiting.id, waiting.hops) = (new, hops + 1);
        if app.purpose == Some(Purpose::Body(id)) {
            app.purpose = Some(Purpose::Body(new));
        }
        return vec![Effect::Fetch { id: new, request: app.waiting[at].request.clone() }];
    }
    let Some(at) = app.downloads.iter().position(|d| d.id == id) else { return Vec::new() };
    let download = &mut app.downloads[at];
    download.request = redirected(&download.request, to, login);
    download.hops = hops + 1;
    vec![queue::begin(app, at)]
}

/// The same file at its new place; a login or a filled form is not for other servers.
fn redirected(request: &Request, to: Url, login: Option<crate::proto::Login>) -> Request {
    Request { url: to, login, body: None, mirrors: Vec::new(), ..request.clone() }
}

fn onward(moved: &Moved, hops: u8) -> Result<Url, String> {
    let to = elsewhere::target(moved, None).map_err(|error| error.detail)?;
    let shown = to.redacted();
    if hops >= MOST {
        return Err(format!("It leads from one address to the next, more than {MOST} times."));
    }
    let safe = scheme::plan(&to).is_ok_and(|plan| plan.confirm.is_none());
    if elsewhere::is_ordinary(&moved.from, &to) && safe { Ok(to) } else { Err(format!("It is elsewhere: {shown}")) }
}

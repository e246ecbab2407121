//! `about:later`, which the shell writes: taking a row off the list, and putting it back.

use crate::app::motion::{focus, window};
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, Sight};
use crate::format::media;
use crate::proto::Request;
use crate::url::scheme::about::Kept;

/// Rows that can be put back.
const MOST: usize = 20;

/// Whether it is in view.
pub(in crate::app) fn is_open(sight: Sight<'_>) -> bool {
    let entry = sight.entry();
    let own = entry.and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media::OWN);
    own && entry.is_some_and(|entry| Kept::of(&entry.url) == Some(Kept::Later))
}

/// `remove`: the row under focus goes.
pub(super) fn remove(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(link) = window::focus(cx.sight()) else {
        cx.say("no page is under focus");
        return Vec::new();
    };
    let Some(url) = focus::target(cx) else { return Vec::new() };
    let title = cx.entry().and_then(|entry| Some(entry.document()?.link_text(link).to_owned())).unwrap_or_default();
    let dropped = &mut cx.library.own.dropped;
    dropped.push((url.clone(), title));
    let over = dropped.len().saturating_sub(MOST);
    dropped.drain(..over);
    ask(cx, &Kept::Drop(url))
}

/// `undo`: what went last is put by again.
pub(super) fn undo(cx: &mut Cx<'_>) -> Vec<Effect> {
    match cx.library.own.dropped.pop() {
        Some((url, title)) => ask(cx, &Kept::Put { url, title, links: false, back: true }),
        None => {
            cx.say("nothing to take back");
            Vec::new()
        }
    }
}

fn ask(cx: &mut Cx<'_>, asked: &Kept) -> Vec<Effect> {
    let Ok(url) = asked.url() else { return Vec::new() };
    let id = cx.job(Errand::PutBy(matches!(asked, Kept::Drop(_))));
    vec![Effect::Fetch { id, request: Request::new(url) }]
}

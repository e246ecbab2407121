//! Where the focus lands on a group's page: on the article that was read last, on the reader's own one, where it was before the page
//! came again.

use super::{Name, fresh, group_of, held, score, server_of, shown};
use crate::app::motion::{arrangement, focus};
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::news::{Last, Posted};
use crate::app::{Effect, PageState};
use crate::format::media;
use crate::url::Url;

/// Back on the group's page the focus is on the article that was read last; on one that was fetched again on the article that had it.
pub(super) fn refocus(cx: &mut Cx<'_>) {
    let at = cx.tab.at;
    let here = cx.entry().and_then(|entry| entry.page.as_deref());
    let Some(page) = here.filter(|page| page.head.media == media::NEWSGROUP) else { return };
    // Where a page comes again the reader is brought to their place first.
    let settled = page.is_arranged() && cx.tab.arriving.iter().all(|arriving| arriving.at != at);
    if cx.news.last.as_ref().is_none_or(|last| last.opens && !settled) {
        return;
    }
    let Some(last) = cx.news.last.take() else { return };
    let Some(name) = Name::of(&last.url) else { return };
    if last.opens && held::unfold_for(cx, &name) {
        cx.news.last = Some(Last { opens: false, ..last });
        return;
    }
    if let Some(shown) = held::shown_at(cx, &name) {
        focus::go_to(cx, shown);
    }
}

/// A page is about to be fetched again: the article under focus is to have it then, too.
pub(in crate::app) fn keep_focus(cx: &mut Cx<'_>, at: usize) {
    let entry = cx.tab.history.get(at);
    let page = entry.and_then(|entry| entry.page.as_deref()).filter(|page| page.head.media == media::NEWSGROUP);
    let focus = entry.and_then(crate::app::Entry::given_focus);
    let reference = page.zip(focus).and_then(|(page, focus)| page.given().reference(focus));
    if let Some(Ok(url)) = reference.map(Url::parse) {
        cx.news.last = Some(Last { url, opens: true });
    }
}

/// An article was posted: the page of its group that is in view or behind it lacks it.
pub(in crate::app) fn posted(cx: &mut Cx<'_>, to: &Url, groups: &[&str], id: Option<Vec<u8>>) {
    let server = server_of(cx.sight(), to);
    let is_its = |url: &Url| {
        server_of(cx.sight(), url) == server
            && group_of(url).is_some_and(|name| groups.iter().any(|group| group.as_bytes() == name))
    };
    let behind = cx.tab.history.iter().enumerate().take(cx.tab.at + 1).rev();
    let page = behind.filter(|(_, entry)| entry.page.as_deref().is_some_and(|p| p.head.media == media::NEWSGROUP));
    let page = page.map(|(at, entry)| (at, entry.url.clone())).find(|(_, url)| is_its(url));
    cx.news.posted = page.map(|(at, url)| Posted { at, url, id, asked: false });
}

/// What follows once the page in view is arranged: the focus goes to where it was, and to the reader's own article, for which the
/// group's page is fetched again.
pub(in crate::app) fn settle(cx: &mut Cx<'_>) -> Vec<Effect> {
    refocus(cx);
    fresh::stand(cx);
    let mut effects = seek_posted(cx);
    // Rules have come, or gone, and what they kill is known only now.
    if score::pass_killed(cx) {
        effects.extend(super::tend(cx));
        effects.extend(arrangement::tend(cx));
    }
    // A thread has opened for it, perhaps.
    if cx.page_mut().is_some_and(|page| page.arrangement.stale) {
        effects.extend(arrangement::tend(cx));
        refocus(cx);
        fresh::stand(cx);
        effects.extend(seek_posted(cx));
    }
    effects
}

/// Back on the group's page it is fetched again, and the focus goes to the reader's own article.
fn seek_posted(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let (here, own) = (cx.tab.at, entry.url.clone());
    // Until the page is arranged a new article has no line on it.
    let arriving = entry.page.as_deref().is_none_or(|page| page.state == PageState::Arriving || !page.is_arranged());
    if arriving || cx.tab.loading.is_some() || cx.hands.mode() != crate::keys::Mode::Page {
        return Vec::new();
    }
    let Some(posted) = cx.news.posted.as_mut().filter(|posted| posted.at == here && posted.url == own) else {
        return Vec::new();
    };
    if !std::mem::replace(&mut posted.asked, true) {
        let url = posted.url.clone();
        cx.intend(Intent::Again(url));
        return Vec::new();
    }
    let at = posted.at;
    let Some(Posted { id: Some(id), url, .. }) = cx.news.posted.take() else { return Vec::new() };
    if held::unfold_for(cx, &Name::Id(id.clone())) {
        cx.news.posted = Some(Posted { at, url, id: Some(id), asked: true });
        return Vec::new();
    }
    let Some(held) = held::of(cx.sight(), at) else { return Vec::new() };
    let Some(own) = held::find(cx.sight(), &held, &Name::Id(id)).map(|at| held.articles[at]) else {
        cx.say("the server does not list your article yet");
        return Vec::new();
    };
    // It may be narrowed to what it is not among.
    if let Some(link) = shown(cx.sight(), own.link) {
        cx.news.last = None;
        focus::go_to(cx, link);
    }
    let (Some(server), Some(number)) = (held.server, own.number.filter(|_| !cx.tab.private)) else { return Vec::new() };
    // Who wrote it has read it.
    cx.news.change(&server, |newsrc| newsrc.change(&held.group, |read| read.insert(number)));
    super::tend(cx)
}

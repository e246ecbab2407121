//! Copies that are kept of pages: shown in the place of one that cannot be had, or of all (`offline`); what is put by to be read
//! later; words that are looked for in them.
//!
//! The store itself is the shell's. What is asked of it are addresses (`about:search`, `about:later`, `about:store`), and copies by
//! [`crate::proto::Request::kept`].

use super::{arrival, go, journey, subscriptions};
use crate::app::motion::window;
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::state::desk::is_of_tour;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, Linking, Opening, Page, PageId, PageState, PromptKind, Sight, internal};
use crate::proto::{DONE, FetchEvent, KeptCopy, Request, Verdict};
use crate::url::scheme;
use crate::url::scheme::about::Kept;
use crate::url::{Resolved, Url};
use jiff::Timestamp;

/// `offline`: from now on only copies are shown, and nobody is asked; or again as before.
pub(in crate::app) fn offline(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let offline = !cx.desk.choices.offline;
    cx.desk.choices.offline = offline;
    cx.say(match offline {
        true => "offline: kept copies of pages are shown, and nobody is asked",
        false => "online: pages are fetched from where they are",
    });
    Vec::new()
}

/// How long ago something came, in words.
pub(in crate::app) fn ago(sight: Sight<'_>, time: Timestamp) -> String {
    crate::format::ago(seconds_since(sight, time))
}

/// How long ago that was, in seconds.
pub(in crate::app) fn seconds_since(sight: Sight<'_>, time: Timestamp) -> i64 {
    let now = sight.desk.now.as_ref().map_or(time, jiff::Zoned::timestamp);
    now.as_second().saturating_sub(time.as_second())
}

/// The page of others that is awaited, where a copy of it may have been kept.
pub(super) fn awaited(sight: Sight<'_>) -> Option<Url> {
    let loading = sight.tab.loading.as_ref()?;
    let request = &loading.request;
    let may_be = !request.unkept && !request.private && scheme::is_of_network(&request.url);
    may_be.then(|| loading.opening.public().clone())
}

/// `kept`: the copy of the page that is awaited, or was until the reader stopped that; else of the one in view.
pub(in crate::app) fn copy(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let given_up = cx.tab.given_up.as_ref().filter(|(at, _)| *at == cx.tab.at).map(|(_, url)| url.clone());
    match awaited(cx.sight()).or(given_up) {
        Some(url) => go(cx, Opening { kept: KeptCopy::Only, ..Opening::followed(url) }),
        None => of_page(cx),
    }
}

/// The copy of the page in view.
fn of_page(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(url) = cx.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    let opening = Opening { kept: KeptCopy::Only, ..arrival::again(cx.sight(), url) };
    go(cx, opening)
}

/// Shows the copy that the page of a failure offers, or that of what is not opened by itself, where a URL is that of its link. On any other page it does nothing of the
/// kind: a page of somebody else's cannot ask for copies.
pub(super) fn act(cx: &mut Cx<'_>, url: &Url) -> Option<Vec<Effect>> {
    let (entry, waits) = (cx.entry()?, cx.tab.coming);
    let page = entry.page.as_deref()?;
    let offered = matches!(&page.state, PageState::Failed(error) if error.kept.is_some() || waits && entry.restored);
    (offered && Kept::of(url) == Some(Kept::Copy)).then(|| of_page(cx))
}

/// `search WORDS`: pages and items of menus with these words.
pub(in crate::app) fn search(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if words.trim().is_empty() {
        cx.hands.ask(PromptKind::Command, ":", "search ", None);
        return Vec::new();
    }
    own(cx, &Kept::Search(words.trim().into()))
}

/// `later`: the page in view is put by, to be read later; `later link`: the link under focus; `later links`: the page, and what it links to
/// on its host is fetched for that, of `about:new` all that is new; `later drop`: not any more.
pub(in crate::app) fn later(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if cx.tab.private {
        cx.say("nothing of a private tab is kept");
        return Vec::new();
    }
    let found = match words.trim() {
        "" | "links" | "drop" => cx.entry().map(|entry| (entry.url.clone(), entry.title())),
        "link" => linked(cx.sight()),
        _ => {
            cx.say("later puts this page by, later links with what it links to on its host, later link the link; later drop takes it out");
            return Vec::new();
        }
    };
    let Some((url, title)) = found else {
        cx.say("no link is under focus");
        return Vec::new();
    };
    let (drops, links) = (words.trim() == "drop", words.trim() == "links");
    let all_new = links && subscriptions::is_open(cx.sight());
    if let Some(why) = unfit(cx.sight(), &url, drops).filter(|_| !all_new) {
        cx.say(why);
        return Vec::new();
    }
    let asked = if drops { Kept::Drop(url) } else { Kept::Put { url, title, links, back: false } };
    let Ok(url) = asked.url() else { return Vec::new() };
    let id = cx.job(Errand::PutBy(drops));
    vec![Effect::Fetch { id, request: Request::new(url) }]
}

/// Why an address cannot be put by.
fn unfit(sight: Sight<'_>, url: &Url, drops: bool) -> Option<&'static str> {
    if !scheme::is_of_network(url) {
        return Some(
            "only pages are put by of which copies may be kept: of the web, gopher, FTP, news, Gemini and the like",
        );
    }
    if url.password().is_some() || sight.veil().url(url).is_some() {
        return Some("its address holds a secret: it is not put by");
    }
    (is_of_tour(&sight.desk.tour, url) && !drops).then_some("its address is of this run only, so it is not put by")
}

/// Asks which of the kept pages link to the page in view, where that is anybody's.
pub(in crate::app) fn ask_linking(cx: &mut Cx<'_>) -> Option<Effect> {
    let entry = cx.entry().filter(|entry| scheme::is_of_network(&entry.url))?;
    let (page, url) = (entry.page.as_deref()?.id, Url::parse(address::shareable(&entry.url)).ok()?);
    let request = Request { private: cx.tab.private, ..Request::new(Kept::Linked(url.without_fragment()).url().ok()?) };
    Some(Effect::Fetch { id: cx.job(Errand::Linked(page)), request })
}

/// What of them there is: no page is wanted, but what is said of it.
pub(in crate::app) fn linking(cx: &mut Cx<'_>, id: JobId, page: PageId, event: FetchEvent) -> Vec<Effect> {
    let FetchEvent::Head(head) = event else { return Vec::new() };
    let row = |line: &String| {
        let (url, title) = line.split_once(' ').unwrap_or((line, ""));
        Some(Linking { url: Url::parse(url).ok()?, title: title.to_owned() })
    };
    let found = cx.tab.history.iter_mut().filter_map(|entry| entry.page.as_deref_mut()).find(|known| known.id == page);
    if let Some(page) = found {
        page.linked = head.lines.iter().filter_map(row).collect();
    }
    vec![Effect::Verdict { id, verdict: Verdict::Refuse }]
}

/// Where the link under focus leads, and its words.
fn linked(sight: Sight<'_>) -> Option<(Url, String)> {
    let (focus, entry) = (window::focus(sight)?, sight.entry()?);
    match sight.link(focus)?.target {
        Ok(Resolved::Url(url)) => Some((url, sight.veiled(entry.document()?.link_text(focus).to_owned()))),
        _ => None,
    }
}

/// What came of it.
pub(in crate::app) fn put_by(cx: &mut Cx<'_>, id: JobId, drops: bool, event: FetchEvent) -> Vec<Effect> {
    match event {
        // No page is wanted, and one that waited for its verdict would wait for good.
        FetchEvent::Head(_) => return vec![Effect::Verdict { id, verdict: Verdict::Refuse }],
        FetchEvent::Moved(moved) => {
            let shown = internal::later::is_open(cx.sight());
            let undo = cx.sight().key_on_own("undo").filter(|_| shown);
            let undo = undo.map(|key| format!("; {key} puts it back")).unwrap_or_default();
            match drops {
                true => cx.say(format!("not among what you read later any more{undo}")),
                false if moved.status == DONE => cx.say("put by, to be read later: about:later has it"),
                false => cx.say(moved.status),
            }
            if shown {
                return journey::reload(cx, "");
            }
        }
        FetchEvent::Failed(error) => cx.complain(error.detail),
        _ => {}
    }
    Vec::new()
}

/// `next-later`: the next page that was put by; the one in view is read, but where it could not be had.
pub(in crate::app) fn next(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let missed = cx.entry().and_then(|entry| entry.page.as_deref()).is_some_and(Page::is_error);
    let after = put_by_as(cx.sight());
    own(cx, &Kept::Next { after, missed })
}

/// What is in view by the address that was put by, which may have led on to it; one that holds a secret was never put by.
fn put_by_as(sight: Sight<'_>) -> Option<Url> {
    let entry = sight.entry().filter(|entry| entry.page.is_some())?;
    let mut way = entry.hops.iter().map(|hop| &hop.from).chain([&entry.url]);
    let secret = |url: &Url| url.password().is_some() || sight.veil().url(url).is_some();
    way.find(|url| scheme::is_of_network(url)).filter(|url| !secret(url)).cloned()
}

fn own(cx: &mut Cx<'_>, asked: &Kept) -> Vec<Effect> {
    match asked.url() {
        Ok(url) => internal::go(cx, url.as_str()),
        Err(_) => Vec::new(),
    }
}

//! Subscriptions: what is looked at for what is new, and reading that.
//!
//! The list and what was found are the shell's, which is asked by addresses of `about:new`, so that all running copies have the same.
//! What it has found is told as [`crate::app::Known::New`]; the page about it in view is fetched again then.

use super::journey;
use crate::app::motion::{focus, window};
use crate::app::state::Cx;
use crate::app::state::desk::is_of_tour;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, Label, PageState, Sight, internal, news};
use crate::format::{count, media};
use crate::opml;
use crate::proto::{FetchEvent, Request, Verdict};
use crate::subscriptions::refusal;
use crate::url::scheme::about::New;
use crate::url::{Resolved, Url};

/// `subscribe`: to the page in view, a web page by its feed if it names one; `subscribe link`: to what the link under focus leads to,
/// which in a list of feeds is meant anyway; `subscribe ADDRESS`.
pub(in crate::app) fn subscribe(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let found = match words.trim() {
        "" if is_list(cx.sight()) => linked(cx.sight()),
        "" => here(cx.sight()),
        "link" => linked(cx.sight()),
        address => named(address).map(|(url, _)| {
            let title = cx.library.visits.of(&url).map(|visit| visit.title.to_owned());
            (url, title.unwrap_or_default())
        }),
    };
    match found {
        Some((url, title)) => add(cx, url, title),
        None => {
            cx.say(match words.trim() {
                "" | "link" => "no link is under focus",
                _ => "subscribe takes this page, subscribe link the link, subscribe ADDRESS an address",
            });
            Vec::new()
        }
    }
}

/// `unsubscribe`: from the page in view, on `about:new` from the source under focus; `unsubscribe ADDRESS`.
pub(in crate::app) fn unsubscribe(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let url = match words.trim() {
        "" => of_row(cx).or_else(|| here(cx.sight()).map(|(url, _)| url)),
        address => named(address).map(|(url, _)| url),
    };
    match url {
        Some(url) if url.is("about") => {
            cx.say("the row of a source, or the place itself, is unsubscribed from");
            Vec::new()
        }
        Some(url) if url.password().is_some() => {
            cx.say("its address holds a secret: it was never subscribed to");
            Vec::new()
        }
        Some(url) => ask(cx, &New::Drop(url)),
        None => Vec::new(),
    }
}

/// `undo` on `about:new`: what was unsubscribed from last is subscribed to again, what was marked last is as before.
pub(in crate::app) fn undo(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    ask(cx, &New::Undo)
}

/// The source that is under focus on `about:new`, or the one that the page is about.
fn of_row(cx: &mut Cx<'_>) -> Option<Url> {
    let shown = shown(cx.sight())?;
    let target = window::focus(cx.sight()).is_some().then(|| focus::target(cx)).flatten();
    match (target.as_ref().and_then(New::of), shown) {
        (Some(New::Of(url)), _) | (_, New::Of(url)) => Some(url),
        _ => None,
    }
}

/// `new`, `new time`, `new list`: what is new.
pub(in crate::app) fn open(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    match words.trim() {
        "" => own(cx, &New::BySource),
        "time" => own(cx, &New::ByTime),
        "list" => own(cx, &New::List),
        _ => {
            cx.say("new shows what is new by source, new time by time, new list all that you are subscribed to");
            Vec::new()
        }
    }
}

/// `next-new`: the next item that is new, after the one in view.
pub(in crate::app) fn next(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    // The address that the item has may have led on to the one in view, and about:new to both.
    let here = cx.entry().and_then(|entry| {
        let mut way = entry.hops.iter().map(|hop| &hop.from).chain([&entry.url]);
        way.find(|url| refusal(url).is_none()).cloned()
    });
    own(cx, &New::Next(here))
}

/// `check-new`: all sources are looked at now.
pub(in crate::app) fn check(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if cx.desk.choices.offline {
        cx.say("nobody is asked while you are offline");
        return Vec::new();
    }
    cx.say("looking for what is new");
    ask(cx, &New::Check)
}

/// `catch-up` on `about:new`: all that is new is marked read, of one source where its page is in view.
pub(in crate::app) fn all_read(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    match shown(cx.sight()) {
        Some(New::Of(url)) => ask(cx, &New::Read(Some(url))),
        _ => ask(cx, &New::Read(None)),
    }
}

/// `mark` on `about:new`: the item under focus becomes read, or unread if it is.
pub(in crate::app) fn mark(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    marked(cx, false)
}

/// `mark-unread`: the same unread, whatever it was.
pub(in crate::app) fn mark_unread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    marked(cx, true)
}

fn marked(cx: &mut Cx<'_>, unread: bool) -> Vec<Effect> {
    let target = window::focus(cx.sight()).is_some().then(|| focus::target(cx)).flatten();
    match target.filter(|url| refusal(url).is_none()) {
        Some(url) => ask(cx, &New::Mark { url, unread }),
        None => {
            cx.say("no item is under focus");
            Vec::new()
        }
    }
}

/// Whether `about:new` is in view.
pub(in crate::app) fn is_open(sight: Sight<'_>) -> bool {
    shown(sight).is_some()
}

/// What of it is in view.
fn shown(sight: Sight<'_>) -> Option<New> {
    let entry = sight.entry()?;
    let own = entry.page.as_deref().is_some_and(|page| page.head.media == media::OWN);
    New::of(&entry.url).filter(|_| own)
}

/// Does what a link of `about:new` stands for, where that page is in view: its own links ask nothing. On any other page they do.
pub(super) fn act(cx: &mut Cx<'_>, url: &Url) -> Option<Vec<Effect>> {
    shown(cx.sight())?;
    match New::of(url)? {
        New::Check => Some(check(cx, "")),
        asked @ (New::Read(_) | New::Drop(_) | New::Undo | New::Mark { .. }) => Some(ask(cx, &asked)),
        _ => None,
    }
}

/// Whether a list of feeds is in view, whose rows are meant and not itself.
fn is_list(sight: Sight<'_>) -> bool {
    let page = sight.entry().and_then(|entry| entry.page.as_deref());
    page.and_then(|page| page.source.as_deref()).is_some_and(|octets| {
        let begins = octets.get(..octets.len().min(4096)).unwrap_or_default();
        opml::is_opml(&String::from_utf8_lossy(begins))
    })
}

/// The page in view; of one that names a feed, that.
fn here(sight: Sight<'_>) -> Option<(Url, String)> {
    let entry = sight.entry()?;
    let title = match entry.label() {
        Label::Title(title) => title,
        Label::Url(_) => String::new(),
    };
    let feed = entry.page.as_deref().into_iter().flat_map(|page| &page.given().related);
    let feed = feed.filter(|related| related.label == "Feed").find_map(|related| {
        match entry.bases.resolve(&related.reference) {
            Ok(Resolved::Url(url)) if refusal(&url).is_none() => Some(url),
            _ => None,
        }
    });
    // A feed calls itself what it is called.
    Some(feed.map_or_else(|| (entry.url.clone(), title), |feed| (feed, String::new())))
}

/// Where the link under focus leads, and its words.
fn linked(sight: Sight<'_>) -> Option<(Url, String)> {
    let (focus, entry) = (window::focus(sight)?, sight.entry()?);
    match sight.link(focus)?.target {
        Ok(Resolved::Url(url)) => Some((url, entry.document()?.link_text(focus).to_owned())),
        _ => None,
    }
}

/// What was typed.
fn named(address: &str) -> Option<(Url, String)> {
    Url::parse(address).ok().map(|url| (url, String::new()))
}

fn add(cx: &mut Cx<'_>, url: Url, title: String) -> Vec<Effect> {
    let url = news::shareable(cx.sight(), &url).into_owned();
    if cx.tab.private {
        cx.say("nothing of a private tab is kept");
        return Vec::new();
    }
    if let Some(why) = refusal(&url) {
        cx.say(why);
        return Vec::new();
    }
    if cx.sight().veil().url(&url).is_some() {
        cx.say("its address holds a secret: it is not subscribed to");
        return Vec::new();
    }
    if is_of_tour(&cx.desk.tour, &url) {
        cx.say("its address is of this run only, so it is not subscribed to");
        return Vec::new();
    }
    let title = cx.sight().veiled(title);
    ask(cx, &New::Add { url, title })
}

/// Has the shell do it; what came of it is told.
fn ask(cx: &mut Cx<'_>, asked: &New) -> Vec<Effect> {
    let Ok(url) = asked.url() else { return Vec::new() };
    let private = cx.tab.private;
    let id = cx.job(Errand::Subscription(match asked {
        New::Drop(_) => "on about:new brings it back",
        New::Read(_) | New::Mark { .. } => "takes it back",
        _ => "",
    }));
    vec![Effect::Fetch { id, request: Request { private, ..Request::new(url) } }]
}

/// What came of it; `back` is what the key for that does.
pub(in crate::app) fn told(cx: &mut Cx<'_>, id: JobId, back: &str, event: FetchEvent) -> Vec<Effect> {
    match event {
        // What is done is said, not shown.
        FetchEvent::Head(_) => return vec![Effect::Verdict { id, verdict: Verdict::Refuse }],
        FetchEvent::Moved(moved) => {
            let undo = cx.desk.key_on_new("undo").filter(|_| !back.is_empty());
            let undo = undo.map(|key| format!("; {key} {back}")).unwrap_or_default();
            cx.say(moved.status + &undo);
        }
        FetchEvent::Failed(error) => cx.complain(error.detail),
        _ => {}
    }
    Vec::new()
}

/// The shell has found something, or something was read.
pub(in crate::app) fn known(cx: &mut Cx<'_>, unread: u64, fresh: u64) {
    cx.library.new.unread = unread;
    cx.library.new.revision += 1;
    if fresh > 0 && cx.hands.note.is_none() {
        let items = if fresh == 1 { "item is" } else { "items are" };
        let many = count(usize::try_from(fresh).unwrap_or(usize::MAX));
        cx.say(format!("{many} {items} new: about:new"));
    }
}

/// Fetches the page in view again when it does not say any more what is new.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    let revision = cx.library.new.revision;
    if let Some(loading) = &cx.tab.loading {
        if New::of(&loading.opening.url).is_some() {
            // What is told from now on it may not say.
            cx.library.new.coming.get_or_insert(revision);
        }
        return Vec::new();
    }
    if shown(cx.sight()).is_none() {
        return Vec::new();
    }
    let page = cx.entry().and_then(|entry| entry.page.as_deref()).filter(|page| page.state == PageState::Complete);
    let Some(id) = page.map(|page| page.id) else { return Vec::new() };
    let coming = cx.library.new.coming.take();
    let says = match cx.library.new.shown.replace((id, revision)) {
        Some((page, before)) if page == id => Some(before),
        // One that came while the reader was elsewhere may say what was.
        _ => coming,
    };
    if says == Some(revision) {
        return Vec::new();
    }
    cx.library.new.coming = Some(revision);
    journey::reload(cx, "")
}

fn own(cx: &mut Cx<'_>, asked: &New) -> Vec<Effect> {
    match asked.url() {
        Ok(url) => internal::go(cx, url.as_str()),
        Err(_) => Vec::new(),
    }
}

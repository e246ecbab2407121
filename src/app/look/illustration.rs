//! Pictures in the text of a page: one key shows that of the link under focus below it, and takes it away again.
//!
//! None is fetched without that key, unless the settings say that a page shows those of its own server; one of another server is
//! asked about. Each is read and drawn by whoever works beside the keyboard. What they hold counts to the memory of the page.

use crate::app::hands::question::choice;
use crate::app::motion::{focus, scroll};
use crate::app::navigation;
use crate::app::navigation::redirect::is_by_address;
use crate::app::page::Hop;
use crate::app::page::illustration::{Here, Illustration, Stage};
use crate::app::page::redirect;
use crate::app::state::Cx;
use crate::app::state::desk::is_of_tour;
use crate::app::state::jobs::{Errand, Gathered};
use crate::app::{Effect, JobId, Opening, Overlay, Page, PageId, PageState, Pending, Sight};
use crate::config::PicturesInText;
use crate::doc::{LinkId, sanitise};
use crate::format::is_picture;
use crate::picture::{Decode, Draw, Drawing, Picture};
use crate::proto::{FetchEvent, Redirected, Request, Verdict};
use crate::url::scheme::{self, Act, Family};
use crate::url::{Resolved, Url};
use crate::work::Work;
use std::sync::Arc;

/// The most of them on a page.
const MOST: usize = 40;
/// The most octets of the file of one.
const LARGEST: usize = 16 << 20;
/// Of those that are shown without having been asked for: how many come at once, and how many octets in all.
const AT_ONCE: usize = 2;
const MOST_UNASKED: usize = 32 << 20;
/// How many of a page's images are looked at for that: those of other servers are passed over between two keys.
const LOOKED_AT: usize = 1000;
/// What is said of another link.
const NONE: &str = "This link leads to no picture.";
/// The most characters of why there is none.
const SAID: usize = 400;
/// Redirects of one that are followed.
const HOPS: u8 = 5;

/// `picture`: shows that of the link under focus in the text, or takes it away.
pub(in crate::app) fn picture(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if !cx.desk.draws_pictures() {
        cx.say("no pictures are drawn here");
        return Vec::new();
    }
    let Some(shown) = cx.entry().and_then(|entry| entry.focus) else {
        cx.say("no link under focus");
        return Vec::new();
    };
    let Some(given) = cx.entry().and_then(|entry| entry.given_link(shown)) else { return Vec::new() };
    if let Some(effects) = take_away(cx, given) {
        return effects;
    }
    // Rows of news are written anew whenever they are arranged, and lead to articles.
    if cx.page_mut().is_some_and(|page| page.roll().is_some()) {
        cx.complain(NONE);
        return Vec::new();
    }
    let full = cx.page_mut().is_none_or(|page| page.arrangement.illustrations.all.len() >= MOST);
    if full {
        cx.complain(format!("This page shows {MOST} pictures already; take one away first."));
        return Vec::new();
    }
    match address(cx.sight(), given) {
        Ok(url) => ask(cx, shown, given, url),
        Err(sentence) => {
            cx.complain(sentence);
            Vec::new()
        }
    }
}

/// Takes the picture of a link away, if it is shown.
fn take_away(cx: &mut Cx<'_>, given: LinkId) -> Option<Vec<Effect>> {
    let page = cx.page_mut()?;
    let all = &mut page.arrangement.illustrations.all;
    let at = all.iter().position(|one| one.link == given)?;
    let one = all.remove(at);
    page.illustrate();
    Some(if let Stage::Coming(id) = one.stage { vec![Effect::Cancel(id)] } else { Vec::new() })
}

/// The address of the picture that a link of the page as it was written stands for, or leads to.
fn address(sight: Sight<'_>, given: LinkId) -> Result<Url, String> {
    let none = || NONE.to_string();
    let (entry, page) = sight.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))).ok_or_else(none)?;
    let document = page.given();
    let image = document.images.binary_search_by_key(&given, |(link, _)| *link).ok();
    let own = image.map(|at| document.images[at].1.as_str()).filter(|reference| !reference.is_empty());
    let reference = own.or_else(|| document.reference(given)).ok_or_else(none)?;
    let bases = document.inset(given).map_or(&entry.bases, |(_, bases)| bases);
    let bases = if own.is_some() { bases } else { &entry.bases };
    match bases.resolve(reference) {
        Ok(Resolved::Url(url)) => match is_place(sight, &url) {
            Ok(true) => Ok(url),
            Ok(false) => Err(none()),
            Err(sentence) => Err(sight.veiled(sentence)),
        },
        Ok(Resolved::SameDocument { .. }) => Err(none()),
        Err(error) => Err(sight.veiled(error.to_string())),
    }
}

/// Whether something can be fetched from there without asking the reader for words. An error says why nothing ever is.
fn is_place(sight: Sight<'_>, url: &Url) -> Result<bool, String> {
    let plan = sight.desk.settings.http.proxies.plan(url);
    let acts = |act| match act {
        Act::Octets { .. } | Act::Commands { .. } | Act::Http { .. } | Act::Ssh { .. } | Act::File(_) => true,
        Act::Internal => url.is("data") || scheme::family(url) == Family::Archive,
        Act::Open(_) | Act::Ask(_) | Act::Handler(_) => false,
    };
    let act = plan.map_err(|error| error.to_string())?.act;
    Ok(acts(act) && crate::proto::find(url.scheme()).is_some())
}

/// Whether a page shows something of its own: of its server, or what stands in its very text.
fn is_own(page: &Url, url: &Url) -> bool {
    url.is("data") || scheme::is_of_one_server(page, url)
}

/// Fetches it; of another server, or one that a link would be warned of, after a yes.
fn ask(cx: &mut Cx<'_>, shown: LinkId, given: LinkId, url: Url) -> Vec<Effect> {
    let Some((page, id)) = cx.entry().and_then(|entry| Some((entry.url.clone(), entry.page.as_deref()?.id))) else {
        return Vec::new();
    };
    let opening = focus::opening(cx.sight(), shown, url.clone());
    let warning = navigation::warned(cx.sight(), &opening);
    let own = is_own(&page, &url);
    if own && warning.is_none() {
        return fetch(cx, id, given, url, true);
    }
    let mut text = Vec::new();
    if !own {
        text.push(match url.host() {
            Some(host) if !host.is_empty() => {
                let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
                format!("The picture is not of this page's server, but of {}.", sanitise(&format!("{host}{port}")))
            }
            _ => "The picture is not of this page's server.".into(),
        });
    }
    text.extend(warning.map(|words| opening.veil.over(words)));
    text.push(cx.sight().veiled(url.redacted()));
    let pending = Pending::Picture(id, given, Box::new(url));
    cx.hands.raise(Overlay::Question { text, choices: vec![choice('y', "show it"), choice('n', "leave it")], pending });
    Vec::new()
}

/// The reader agreed to have it fetched.
pub(in crate::app) fn agreed(cx: &mut Cx<'_>, page: PageId, link: LinkId, url: Url) -> Vec<Effect> {
    fetch(cx, page, link, url, true)
}

/// Begins to fetch it, where that page is still in view and does not show it.
fn fetch(cx: &mut Cx<'_>, page: PageId, link: LinkId, url: Url, asked: bool) -> Vec<Effect> {
    let here = cx.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|at| at.id == page);
    let known = cx.page_mut().is_some_and(|page| page.arrangement.illustrations.of(link).is_some());
    if !here || known {
        return Vec::new();
    }
    let (id, effect) = request(cx, url.clone(), None);
    if let Some(page) = cx.page_mut() {
        let one =
            Illustration { link, url, asked, hops: 0, redirected: None, stage: Stage::Coming(id), awaited: asked };
        page.arrangement.illustrations.unasked += usize::from(!asked);
        page.arrangement.illustrations.all.push(one);
        page.illustrate();
    }
    if asked {
        // Its place may be below the screen.
        cx.say("the picture comes below its link");
    }
    vec![effect]
}

fn plain(cx: &Cx<'_>, url: Url) -> Request {
    let (led, unkept) = (navigation::led(cx.tab.origin()), is_of_tour(&cx.desk.tour, &url));
    let (login, private) = (cx.sight().login_for(&url), cx.tab.private);
    Request { login, private, led, unkept, ..Request::new(url) }
}

fn request(cx: &mut Cx<'_>, url: Url, redirected: Option<Arc<Redirected>>) -> (JobId, Effect) {
    let request = Request { redirected, ..plain(cx, url) };
    let id = cx.job(Errand::Illustration(Gathered::default()));
    (id, Effect::Fetch { id, request })
}

/// The page in whose text a picture comes under a number.
fn page_of<'c>(cx: &'c mut Cx<'_>, id: JobId) -> Option<&'c mut Page> {
    let mut pages = cx.tab.history.iter_mut().filter_map(|entry| entry.page.as_deref_mut());
    pages.find(|page| page.arrangement.illustrations.coming().any(|coming| coming == id))
}

/// There is none. What is said of that may quote the server: it becomes text of the page like any other, in a line.
fn misses(cx: &mut Cx<'_>, id: JobId, sentence: String) {
    let sentence = cx.sight().veiled(sentence);
    let sentence = sanitise(&sentence).replace('\t', " ").chars().take(SAID).collect();
    if let Some(page) = page_of(cx, id) {
        if let Some(one) = page.arrangement.illustrations.coming_mut(id) {
            one.stage = Stage::Missing(sentence);
        }
        page.illustrate();
    }
}

/// Takes what its fetch says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    if page_of(cx, id).is_none() {
        return vec![Effect::Cancel(id)];
    }
    match event {
        FetchEvent::Head(head) => {
            if !may_be_picture(&head.media) {
                let status = head.status.as_ref().map(|status| format!(" ({status})")).unwrap_or_default();
                misses(cx, id, format!("There is no picture there, but {}{status}.", head.media));
                return vec![Effect::Verdict { id, verdict: Verdict::Refuse }];
            }
            vec![Effect::Verdict { id, verdict: Verdict::Accept }]
        }
        FetchEvent::Body(octets) => {
            let Some(Errand::Illustration(body)) = cx.jobs.errand_mut(id) else { return Vec::new() };
            body.take(&octets, LARGEST);
            let cut = body.cut;
            let spent =
                page_of(cx, id).is_some_and(|page| page.arrangement.illustrations.came(id, octets.len(), MOST_UNASKED));
            if !cut && !spent {
                return Vec::new();
            }
            let sentence = match cut {
                true => format!("The file of this picture is larger than {} MB.", LARGEST >> 20),
                false => format!("Pictures of more than {} MB are not shown unasked.", MOST_UNASKED >> 20),
            };
            misses(cx, id, sentence);
            vec![Effect::Cancel(id)]
        }
        FetchEvent::End(_) => read(cx, id),
        FetchEvent::Failed(error) => {
            misses(cx, id, error.detail);
            Vec::new()
        }
        FetchEvent::Moved(moved) => {
            let to = redirect::target(&moved, None).ok().filter(|to| may_move(cx.sight(), &moved.from, to));
            let one = page_of(cx, id).and_then(|page| page.arrangement.illustrations.coming_mut(id));
            let (hops, before) = one.map(|one| (one.hops, one.redirected.clone())).unzip();
            let by_address = is_by_address(&plain(cx, moved.from.clone()), &moved);
            let redirected = match (before.flatten(), hops) {
                (Some(led), _) => Some(Redirected::clone(&led).on(&moved.status)),
                (None, Some(0)) => Some(Redirected { from: moved.from.clone(), said: moved.status.clone() }),
                _ => None,
            };
            let redirected = redirected.filter(|_| by_address).map(Arc::new);
            match (to, hops) {
                (Some(to), Some(hops)) if hops < HOPS => {
                    let (next, effect) = request(cx, to.clone(), redirected.clone());
                    if let Some(one) = page_of(cx, id).and_then(|page| page.arrangement.illustrations.coming_mut(id)) {
                        (one.url, one.hops, one.stage) = (to, hops + 1, Stage::Coming(next));
                        one.redirected = redirected;
                    }
                    vec![Effect::Cancel(id), effect]
                }
                (to, _) => {
                    let sentence = match to {
                        Some(_) => format!("The picture was elsewhere {HOPS} times in a row; its link shows where."),
                        None => "The picture is elsewhere; follow its link.".into(),
                    };
                    misses(cx, id, sentence);
                    vec![Effect::Cancel(id)]
                }
            }
        }
        FetchEvent::Unchanged => {
            misses(cx, id, "The server sent no picture.".into());
            vec![Effect::Cancel(id)]
        }
        FetchEvent::Stage(_) | FetchEvent::Sent(_) => Vec::new(),
    }
}

/// Whether a picture may be elsewhere: on the same server, and nowhere that a redirect of a page would be asked about.
fn may_move(sight: Sight<'_>, from: &Url, to: &Url) -> bool {
    let opening = Opening {
        hops: vec![Hop { from: from.clone(), status: String::new(), dispatched: Vec::new(), by_address: false }],
        ..Opening::followed(to.clone())
    };
    is_own(from, to) && is_place(sight, to) == Ok(true) && navigation::warned(sight, &opening).is_none()
}

/// What servers call a file of which they know nothing.
const OCTETS: &str = "application/octet-stream";

/// Whether what a server says of a file leaves open that it is a picture.
pub fn may_be_picture(media: &str) -> bool {
    is_picture(media) || media.starts_with("image/") || media == OCTETS
}

/// All of its file is here: it is read.
fn read(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let Some(Errand::Illustration(Gathered { octets, .. })) = cx.jobs.end(id) else { return Vec::new() };
    let most = cx.desk.settings.limits.memory;
    let Some(page) = page_of(cx, id) else { return Vec::new() };
    let room = most.saturating_sub(page.memory());
    let next = cx.job(Errand::Decode);
    if let Some(one) = page_of(cx, id).and_then(|page| page.arrangement.illustrations.coming_mut(id)) {
        one.stage = Stage::Coming(next);
    }
    vec![Effect::Work { id: next, work: Work::Decode(Box::new(Decode { octets, room })) }]
}

/// It is read, or cannot be.
pub(in crate::app) fn decoded(cx: &mut Cx<'_>, id: JobId, picture: Result<Picture, String>) {
    let picture = match picture {
        Ok(picture) => picture,
        Err(sentence) => return misses(cx, id, sentence),
    };
    if let Some(page) = page_of(cx, id) {
        if let Some(one) = page.arrangement.illustrations.coming_mut(id) {
            one.stage = Stage::Here(Here { picture, drawing: None, tried: None, job: None });
        }
        page.illustrate();
    }
}

/// Some of it is drawn.
pub(in crate::app) fn drawn(cx: &mut Cx<'_>, id: JobId, drawing: Option<Drawing>) {
    let pages = cx.tab.history.iter_mut().filter_map(|entry| entry.page.as_deref_mut());
    for one in pages.flat_map(|page| &mut page.arrangement.illustrations.all) {
        if let Stage::Here(here) = &mut one.stage
            && here.job == Some(id)
        {
            here.job = None;
            here.drawing = drawing;
            return;
        }
    }
}

/// Before the page is arranged: room for its pictures where the screen has changed, and those that it shows by itself.
pub(in crate::app) fn prepare(cx: &mut Cx<'_>) -> Vec<Effect> {
    let room = cx.sight().illustration_room();
    if let Some(page) = cx.page_mut().filter(|page| page.arrangement.illustrations.room != room) {
        page.arrangement.illustrations.room = room;
        if !page.arrangement.illustrations.all.is_empty() {
            page.illustrate();
        }
    }
    match cx.desk.settings.pictures_in_text {
        PicturesInText::Asked => Vec::new(),
        PicturesInText::Host if !cx.desk.draws_pictures() => Vec::new(),
        PicturesInText::Host => unasked(cx),
    }
}

/// Fetches the next pictures of the page that are of its own server, a few at a time.
fn unasked(cx: &mut Cx<'_>) -> Vec<Effect> {
    let mut effects = Vec::new();
    while let Some(link) = next_unasked(cx.sight()) {
        let Some((url, id)) = cx.entry().and_then(|entry| Some((entry.url.clone(), entry.page.as_deref()?.id))) else {
            break;
        };
        if let Some(page) = cx.page_mut() {
            page.arrangement.illustrations.looked += 1;
        }
        let is_long = cx.entry().is_some_and(|entry| {
            let given = entry.page.as_deref().map(Page::given);
            given.is_some_and(|given| given.is_long(link, &entry.bases))
        });
        let Some(picture) = (!is_long).then(|| address(cx.sight(), link).ok()).flatten() else { continue };
        let shown = cx.page_mut().and_then(|page| page.shown_link(link)).unwrap_or(link);
        let opening = focus::opening(cx.sight(), shown, picture.clone());
        // Opening a copy asks nobody.
        let is_copy = cx.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.kept.is_some());
        let may = is_own(&url, &picture) && (!is_copy || picture.is("data"));
        if may && navigation::warned(cx.sight(), &opening).is_none() {
            effects.extend(fetch(cx, id, link, picture, false));
        }
    }
    effects
}

/// The next of its images that a page is to show by itself, if there is room for one now.
fn next_unasked(sight: Sight<'_>) -> Option<LinkId> {
    let entry = sight.entry().filter(|entry| scheme::family(&entry.url) == Family::Web)?;
    let page = entry.page.as_deref().filter(|page| page.state == PageState::Complete)?;
    let shown = &page.arrangement.illustrations;
    let may = shown.coming().count() < AT_ONCE
        && shown.all.len() < MOST
        && shown.unasked < MOST
        && shown.looked < LOOKED_AT
        && shown.octets < MOST_UNASKED;
    let (link, _) = page.given().images.get(shown.looked).filter(|_| may)?;
    Some(*link)
}

/// Brings what has come for the reader on the screen, where they still stand at its link: its place may be below the last row.
fn reveal(cx: &mut Cx<'_>) {
    let arranged = cx.page_mut().filter(|page| page.is_arranged());
    let Some(one) = arranged.and_then(|page| page.arrangement.illustrations.awaited_mut()) else { return };
    one.awaited = false;
    let given = one.link;
    let Some(entry) = cx.entry().filter(|entry| entry.given_focus() == Some(given)) else { return };
    let shown = entry.page.as_deref().and_then(|page| page.arrangement.shown.as_ref());
    if let (Some(link), Some(below)) = (entry.focus, shown.and_then(|shown| shown.inserted_below(given))) {
        scroll::reveal_below(cx, link, below);
    }
}

/// Has what is to be seen of the pictures in the text drawn, where it is not, and forgets what was drawn of those that are not seen.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    reveal(cx);
    let (placed, graphics) = (cx.sight().illustrations(), cx.sight().desk.graphics());
    let mut effects = Vec::new();
    let Some(page) = cx.page_mut() else { return effects };
    for one in &mut page.arrangement.illustrations.all {
        if let Stage::Here(here) = &mut one.stage
            && here.job.is_none()
            && !placed.iter().any(|placed| placed.link == one.link)
        {
            (here.drawing, here.tried) = (None, None);
        }
    }
    for placed in placed {
        let due = cx.page_mut().and_then(|page| page.picture_in_text(placed.link)).and_then(|here| {
            let due = here.job.is_none() && here.tried != Some((placed.frame, graphics));
            due.then(|| here.picture.clone())
        });
        let Some(picture) = due else { continue };
        let id = cx.job(Errand::Picture);
        let page = cx.page_mut();
        let here = page.and_then(|page| page.arrangement.illustrations.here_mut(placed.link));
        if let Some(here) = here {
            (here.job, here.tried) = (Some(id), Some((placed.frame, graphics)));
        }
        let draw = Draw { picture, frame: placed.frame, graphics, number: super::picture::number(id) };
        effects.push(Effect::Work { id, work: Work::Draw(Box::new(draw)) });
    }
    effects
}

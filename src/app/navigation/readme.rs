//! What a directory says of itself: its README, fetched when the reader asks and shown below the listing, as a fold.

use super::intake;
use crate::app::motion::{arrangement, focus, window};
use crate::app::state::jobs::{Errand, Gathered, Readme};
use crate::app::state::{COMING, Cx};
use crate::app::{Effect, Entry, JobId, Page, PageState, Sight, page};
use crate::doc::{Document, FoldKind, LinkId, sanitise};
use crate::format::{Below, is_page};
use crate::proto::{End, FetchEvent, Request, Verdict};
use crate::url::escape;
use crate::url::scheme::{self, Family};
use crate::work::Work;
use std::sync::Arc;

/// Names by custom, in small letters, the likeliest first; `*` stands for any end.
const NAMES: &[&str] = &[
    "readme",
    "readme.txt",
    "readme.md",
    "readme*",
    "read.me*",
    "_readme*",
    "00readme*",
    "00-readme*",
    "00_readme*",
    "0readme*",
    "!readme*",
    "index",
    "00index*",
    "00-index*",
    "index.txt",
    ".message",
    "welcome.msg",
];
/// Octets of it that are shown.
const MOST: usize = 1 << 20;

/// Shows the README of the directory in view, or folds it away.
pub(in crate::app) fn readme(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let is_tree = scheme::family(&entry.url) == Family::Archive && scheme::archive::words(&entry.url).is_some();
    let Some(page) = entry.page.as_deref().filter(|page| page.has_rows() && !is_tree) else {
        cx.say("only directories have a README");
        return Vec::new();
    };
    if let Some(head) = page.given().folds.iter().find(|fold| fold.kind == FoldKind::Details).map(|fold| fold.head) {
        arrangement::toggle_given(cx, head);
        return Vec::new();
    }
    if page.state == PageState::Arriving || coming(cx.sight()).is_some() {
        cx.say(COMING);
        return Vec::new();
    }
    match ask(cx, false) {
        Some((name, effect)) => {
            cx.say(format!("fetching {name}"));
            vec![effect]
        }
        None => {
            cx.say("this directory has no README");
            Vec::new()
        }
    }
}

/// The directory at a place was fetched again: so is the README that was shown below it.
pub(super) fn again(cx: &mut Cx<'_>, at: usize) -> Option<Effect> {
    let page = cx.tab.history.get_mut(at)?.page.as_deref_mut()?;
    page.arrangement.readme.take()?;
    (at == cx.tab.at).then(|| ask(cx, true)).flatten().map(|(_, effect)| effect)
}

/// Asks for the README of the directory in view, with its name; nothing where it has none.
fn ask(cx: &mut Cx<'_>, again: bool) -> Option<(String, Effect)> {
    let entry = cx.entry()?;
    let given = entry.page.as_deref()?.given();
    let link = find(given)?;
    let (name, url) = (given.link_text(link).to_owned(), given.link_url(link, &entry.bases)?);
    let directory = Some(entry.url.clone()).filter(|directory| scheme::is_of_one_server(directory, &url))?;
    let request = Request { login: cx.sight().login_for(&url), private: cx.tab.private, ..Request::new(url) };
    let readme = Readme { directory, name: name.clone(), body: Gathered::default(), again };
    let id = cx.job(Errand::Readme(Box::new(readme)));
    Some((name, Effect::Fetch { id, request }))
}

/// What stands below a page, to be written there again.
pub(super) fn below(sight: Sight<'_>, page: &Page) -> Option<Below> {
    page.arrangement.readme.as_deref().map(|readme| written(sight, readme))
}

/// How it is written below a listing.
fn written(sight: Sight<'_>, readme: &page::Readme) -> Below {
    let input = intake::intake(sight, &readme.head.media, &readme.head).input;
    Below { title: format!("┄ {}", sanitise(&readme.name)), input, octets: Arc::clone(&readme.octets) }
}

/// The likeliest README among the files of a directory.
fn find(directory: &Document) -> Option<LinkId> {
    let rank = |link: &LinkId| {
        let reference = directory.reference(*link)?;
        // What a listing of a server names is there, by its whole address.
        let name = if reference.contains("://") { reference.rsplit('/').next()? } else { reference };
        let name = escape::decode(name).to_ascii_lowercase();
        NAMES.iter().position(|known| match known.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning.as_bytes()) && !name.ends_with(b"/"),
            None => name == known.as_bytes(),
        })
    };
    let ranked = (0..directory.link_count()).map(LinkId).filter_map(|link| Some((rank(&link)?, link)));
    ranked.min().map(|(_, link)| link)
}

/// The README on its way to the tab in view.
fn coming(sight: Sight<'_>) -> Option<JobId> {
    sight.jobs.find(sight.tab.id, |errand| matches!(errand, Errand::Readme(_)))
}

/// The reader does not want to wait for it.
pub(in crate::app) fn give_up(cx: &mut Cx<'_>) -> Option<Effect> {
    coming(cx.sight()).map(Effect::Cancel)
}

/// Takes what its fetch says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Head(head) => {
            let shows = is_page(&head.media) || intake::packed(&head).is_some();
            let Some(Errand::Readme(readme)) = cx.jobs.errand_mut(id) else { return Vec::new() };
            if shows {
                readme.body.head = Some(*head);
                return vec![Effect::Verdict { id, verdict: Verdict::Accept }];
            }
            let words = format!("{} is no text: {}", readme.name, head.media);
            cx.complain(words);
            vec![Effect::Verdict { id, verdict: Verdict::Refuse }]
        }
        FetchEvent::Body(octets) => {
            let Some(Errand::Readme(readme)) = cx.jobs.errand_mut(id) else { return Vec::new() };
            readme.body.take(&octets, MOST);
            if readme.body.cut {
                let mut effects = show(cx, id, Some("only its beginning is shown".into()));
                effects.push(Effect::Cancel(id));
                return effects;
            }
            Vec::new()
        }
        FetchEvent::End(End { cut }) => show(cx, id, cut),
        FetchEvent::Failed(error) => {
            cx.complain(error.detail);
            Vec::new()
        }
        FetchEvent::Moved(_) | FetchEvent::Unchanged => {
            if let Some(Errand::Readme(readme)) = cx.jobs.end(id) {
                cx.complain(format!("{} is elsewhere; follow its link", readme.name));
            }
            vec![Effect::Cancel(id)]
        }
        FetchEvent::Stage(_) | FetchEvent::Sent(_) => Vec::new(),
    }
}

/// Has it written below the listing, unless the reader has gone.
fn show(cx: &mut Cx<'_>, id: JobId, cut: Option<String>) -> Vec<Effect> {
    let Some(Errand::Readme(readme)) = cx.jobs.end(id) else { return Vec::new() };
    let Readme { directory, name, body: Gathered { head: Some(head), octets, .. }, again } = *readme else {
        return Vec::new();
    };
    let here = |entry: &&Entry| entry.url == directory;
    let page = cx.entry().filter(here).and_then(|entry| entry.page.as_deref()).filter(|page| page.has_rows());
    let Some(given) = page.map(|page| Arc::clone(&page.given)) else { return Vec::new() };
    let said = (!again).then(|| cut.unwrap_or_else(|| format!("{name} is below the listing")));
    let readme = Arc::new(page::Readme { name, head, octets: octets.into() });
    let work = Work::Append(Arc::clone(&given), Box::new(written(cx.sight(), &readme)));
    let id = cx.job(Errand::Below(given, readme, said));
    vec![Effect::Work { id, work }]
}

/// Has it begin at the top of the screen, as far as there is more below it.
fn begin_at(cx: &mut Cx<'_>, title: LinkId) {
    let place = window::document(cx.sight()).and_then(|document| document.link_anchor(title));
    if let Some(place) = place {
        let top = cx.sight().entry().map_or(place, |entry| entry.top);
        if top < place {
            window::look_at(cx, place.min(window::bottom(cx.sight())));
        }
    }
    focus::go_to(cx, title);
}

/// It is written below the listing: the page shows it, if it is the same page.
pub(in crate::app) fn appended(
    cx: &mut Cx<'_>,
    before: &Arc<Document>,
    readme: Arc<page::Readme>,
    said: Option<String>,
    document: Arc<Document>,
) -> Vec<Effect> {
    let title = document.folds.get(before.folds.len()).map(|fold| fold.head);
    let Some(page) = cx.page_mut().filter(|page| Arc::ptr_eq(&page.given, before)) else { return Vec::new() };
    page.given = document;
    page.arrangement.readme = Some(readme);
    page.arrangement.grow();
    let effects = arrangement::tend(cx);
    let Some(said) = said else { return effects };
    let shown = title.and_then(|title| cx.page_mut()?.shown_link(title));
    if let Some(link) = shown {
        begin_at(cx, link);
    }
    cx.say(said);
    effects
}

//! Articles of a group into one file (`application/mbox`, RFC 4155): those that are marked, else those of the thread under focus; or of
//! the whole page; or the article in view.
//!
//! They are fetched one after the other, and written when the last has come; one that is gone is left out, and that is said.

use crate::app::motion::marking;
use crate::app::state::Cx;
use crate::app::state::jobs::{Collecting, Errand};
use crate::app::{Effect, JobId, Page, Sight};
use crate::doc::LinkId;
use crate::format::{Listed, Roll, count, mbox, media};
use crate::proto::{FetchEvent, Kind, Request, Verdict};
use crate::url::Url;
use std::collections::{BTreeSet, HashSet};

/// Articles in one go.
const MOST: usize = 1000;
/// Octets of one article, and of all.
const LARGEST: usize = 32 << 20;
const ALL: usize = 64 << 20;

/// `save-mailbox`: the marked articles, else the thread under focus, or the article in view; `save-mailbox all`: the page.
pub(in crate::app) fn save(cx: &mut Cx<'_>, what: &str) -> Vec<Effect> {
    if is_under_way(cx.sight()) {
        cx.complain("articles are being fetched already; Esc stops that");
        return Vec::new();
    }
    let Some((name, mut left)) = wanted(cx.sight(), what.trim() == "all") else {
        cx.complain("a mailbox is made of an article, or of a thread of a group: put the focus on one");
        return Vec::new();
    };
    let all = left.len();
    left.truncate(MOST);
    if all > MOST {
        cx.say(format!("only the first {} of {} articles", count(MOST), count(all)));
    }
    left.reverse();
    if what.trim() != "all" {
        marking::drop_all(cx);
    }
    let path = format!("{}/{name}.mbox", cx.desk.settings.downloads);
    next(cx, Collecting { all: left.len(), left, path, ..Collecting::default() })
}

fn is_under_way(sight: Sight<'_>) -> bool {
    sight.jobs.find_any(|errand| matches!(errand, Errand::Collect(_))).is_some()
}

/// The group, and the addresses of its articles that are wanted.
fn wanted(sight: Sight<'_>, all: bool) -> Option<(String, Vec<Url>)> {
    let entry = sight.entry()?;
    let page = entry.page.as_deref()?;
    if page.is_article() && page.head.media == media::MESSAGE {
        return Some(("article".into(), vec![entry.url.clone()]));
    }
    let Roll::Articles { group, articles, .. } = page.roll()? else { return None };
    let given = page.given();
    let url = |link: LinkId| Url::parse(given.reference(link)?).ok();
    let own = |articles: &[Listed]| articles.iter().filter_map(|article| url(article.link)).collect::<Vec<_>>();
    let urls = match all {
        true => own(&articles),
        false if marking::is_marked(sight) => {
            let marked: HashSet<LinkId> = entry.marked.links().collect();
            let rows = (0..articles.len()).filter(|at| marked.contains(&articles[*at].link));
            let places: BTreeSet<usize> = rows.flat_map(|at| at..end_of_row(page, &articles, at)).collect();
            places.into_iter().filter_map(|at| url(articles[at].link)).collect()
        }
        false => {
            let focus = entry.given_focus()?;
            let thread = articles.iter().find(|article| article.link == focus)?.thread;
            let end = articles[thread..].iter().position(|article| article.thread != thread);
            own(&articles[thread..end.map_or(articles.len(), |end| thread + end)])
        }
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".-_+".contains(c) { c } else { '_' };
    let name: String = String::from_utf8_lossy(&group).chars().map(plain).take(100).collect();
    let name = name.trim_start_matches('.');
    let name = if name.is_empty() { "articles" } else { name };
    Some((name.into(), urls)).filter(|(_, urls)| !urls.is_empty())
}

/// Where the row of an article ends: behind what is folded away under it.
fn end_of_row(page: &Page, articles: &[Listed], at: usize) -> usize {
    let own = articles[at];
    let below = |article: &&Listed| article.thread == own.thread && (own.thread == at || article.depth > own.depth);
    let folded = |article: &&Listed| page.shown_link(article.link).is_none();
    at + 1 + articles[at + 1..].iter().take_while(|article| below(article) && folded(article)).count()
}

/// The next article is fetched, or all are written.
fn next(cx: &mut Cx<'_>, mut collecting: Collecting) -> Vec<Effect> {
    let Some(url) = collecting.left.pop() else { return write(cx, collecting) };
    cx.say(format!("article {} of {}", count(collecting.all - collecting.left.len()), count(collecting.all)));
    let request = Request { login: cx.sight().login_for(&url), private: cx.tab.private, ..Request::new(url) };
    vec![Effect::Fetch { id: cx.job(Errand::Collect(Box::new(collecting))), request }]
}

/// What a fetch says of one.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let Some(Errand::Collect(collecting)) = cx.jobs.errand_mut(id) else { return Vec::new() };
    let whole = match event {
        FetchEvent::Head(_) => return vec![Effect::Verdict { id, verdict: Verdict::Accept }],
        FetchEvent::Body(octets) => {
            collecting.article.take(&octets, LARGEST);
            return Vec::new();
        }
        FetchEvent::Stage(_) | FetchEvent::Sent(_) => return Vec::new(),
        FetchEvent::End(end) => end.cut.is_none() && !collecting.article.cut,
        FetchEvent::Failed(error) if error.kind == Kind::NeedsLogin => {
            cx.jobs.end(id);
            cx.complain(format!("no mailbox was written: {}", error.detail));
            return Vec::new();
        }
        FetchEvent::Failed(_) | FetchEvent::Moved(_) | FetchEvent::Unchanged => false,
    };
    let Some(Errand::Collect(mut collecting)) = cx.jobs.end(id) else { return Vec::new() };
    let article = std::mem::take(&mut collecting.article).octets;
    if whole && !article.is_empty() {
        let now = cx.desk.now.as_ref().map(|now| now.timestamp().strftime("%a %b %e %H:%M:%S %Y").to_string());
        mbox::write(&article, "-", &now.unwrap_or_else(|| "Thu Jan  1 00:00:00 1970".into()), &mut collecting.octets);
    } else {
        collecting.missing += 1;
    }
    if collecting.octets.len() > ALL {
        collecting.missing += collecting.left.len();
        collecting.left.clear();
    }
    next(cx, *collecting)
}

fn write(cx: &mut Cx<'_>, collecting: Collecting) -> Vec<Effect> {
    let Collecting { path, octets, missing, .. } = collecting;
    if octets.is_empty() {
        cx.complain("none of these articles could be fetched: no mailbox was written");
        return Vec::new();
    }
    if missing > 0 {
        cx.complain(format!("left out of the mailbox, as they could not be fetched: {}", count(missing)));
    }
    super::write(cx, path, octets)
}

/// Esc.
pub(in crate::app) fn stop(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let id = cx.jobs.find(cx.tab.id, |errand| matches!(errand, Errand::Collect(_)))?;
    cx.jobs.end(id);
    cx.say("stopped: no mailbox was written");
    Some(vec![Effect::Cancel(id)])
}

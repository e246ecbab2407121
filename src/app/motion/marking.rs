//! Rows of directories, menus and newsgroups that are marked, one by one, as a range or by a glob, for what is done with all of them: saved
//! into one folder, copied, piped.

use super::focus;
use crate::app::page::Marked;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, MarkRows};
use crate::app::{Effect, Page, PageState, Sight};
use crate::doc::{Document, LinkId};
use crate::format::{count, media};
use crate::stop::Stop;
use crate::url::{Resolved, Url};
use crate::work::{FindLinks, LinkPattern, Work};
use jiff::civil::Date;
use std::sync::Arc;

/// What a page without such rows says.
const NO_ROWS: &str = "only rows of directories, menus and newsgroups are marked";

/// The octets that a link of the page as it was written stands for, where it is a row.
fn row(page: &Page, given: LinkId) -> Option<Option<u64>> {
    let block = page.given().link_anchor(given)?.block;
    match page.head.media.as_str() {
        media::DIRECTORY => page.rows.as_ref()?.size_at(block),
        media::MENU => Some(None),
        // Its first block is the heading, and each article is a row with one link.
        media::NEWSGROUP => (block == given.0 + 1).then_some(None),
        _ => None,
    }
}

/// Whether the page in view has rows to be marked.
pub(in crate::app) fn has_rows(sight: Sight<'_>) -> bool {
    let page = sight.entry().and_then(|entry| entry.page.as_deref()).filter(|page| !page.is_error());
    let has = |media: &str| matches!(media, media::DIRECTORY | media::MENU | media::NEWSGROUP);
    page.is_some_and(|page| has(&page.head.media))
}

/// `mark-row`: the row under focus, or no longer, and on to the next.
pub(in crate::app) fn mark_row(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if !has_rows(cx.sight()) {
        cx.say(NO_ROWS);
        return Vec::new();
    }
    let Some(entry) = cx.entry_mut() else { return Vec::new() };
    let (Some(shown), Some(given), Some(page)) = (entry.focus, entry.given_focus(), entry.page.as_deref()) else {
        cx.say("no row under focus");
        return Vec::new();
    };
    let last = page.document().link_count();
    match row(page, given) {
        Some(_) if entry.marked.remove(given) => {}
        Some(octets) => {
            if !entry.marked.add(given, octets) {
                too_many(cx);
                return Vec::new();
            }
        }
        None => cx.say("the way up is no row to be marked"),
    }
    if shown.0 + 1 < last {
        focus::go_to(cx, LinkId(shown.0 + 1));
    }
    Vec::new()
}

/// `mark-rows GLOB`, `mark-rows all`, `new` (since the last time), `invert`, `here` (from the row marked last to this one), `since 2026-11-12`, `none`.
pub(in crate::app) fn mark_rows(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if !has_rows(cx.sight()) {
        cx.say(NO_ROWS);
        return Vec::new();
    }
    match words.trim() {
        "" => cx.complain("mark-rows *.txt, all, new, invert, here, since 2026-11-12 or none"),
        "none" => {
            if let Some(entry) = cx.entry_mut() {
                entry.marked = Marked::default();
            }
            cx.say("no row is marked any more");
        }
        "here" => range(cx),
        "new" => fresh(cx),
        "all" => return seek(cx, LinkPattern::Glob("*".into()), MarkRows::Add),
        "invert" => return seek(cx, LinkPattern::Glob("*".into()), MarkRows::Turn),
        words if words.starts_with("since ") => since(cx, words["since ".len()..].trim()),
        glob => return seek(cx, LinkPattern::Glob(glob.into()), MarkRows::Add),
    }
    Vec::new()
}

/// The rows from the one that was marked last to the one under focus, as they are shown.
fn range(cx: &mut Cx<'_>) {
    let Some(entry) = cx.entry() else { return };
    let from = entry.marked.last().and_then(|given| entry.page.as_deref()?.shown_link(given));
    let (Some(from), Some(to)) = (from, entry.focus) else {
        cx.say("no row was marked yet that is shown; the range begins at the one marked last");
        return;
    };
    let shown = (from.min(to).0..=from.max(to).0).take(Marked::MOST + 1).map(LinkId).collect::<Vec<_>>();
    take(cx, &shown, MarkRows::Add);
}

/// The entries of a directory that it did not have the last time.
fn fresh(cx: &mut Cx<'_>) {
    let Some(entry) = cx.entry() else { return };
    let Some(page) = entry.page.as_deref() else { return };
    let shown: Vec<LinkId> = entry.fresh.iter().filter_map(|given| page.shown_link(*given)).collect();
    take(cx, &shown, MarkRows::Add);
}

/// The entries of a directory that were changed on a day or later.
fn since(cx: &mut Cx<'_>, day: &str) {
    let Ok(day) = day.parse::<Date>() else {
        cx.complain("mark-rows since a day: 2026-11-12");
        return;
    };
    let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return };
    let given = page.given();
    let blocks = page.rows.as_ref().map_or_else(Vec::new, |rows| rows.since(day, Marked::MOST + 1));
    let links = blocks.into_iter().map(|block| given.link_from(given.block_range(block).start));
    let shown: Vec<LinkId> = links.filter_map(|given| page.shown_link(given)).collect();
    take(cx, &shown, MarkRows::Add);
}

/// Has the rows looked through, at once where they are few.
fn seek(cx: &mut Cx<'_>, pattern: LinkPattern, how: MarkRows) -> Vec<Effect> {
    let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    let document = match how {
        MarkRows::Again => page.given_document(),
        MarkRows::Add | MarkRows::Turn => page.document(),
    };
    // One more tells that there are too many; the way up is no row, and the rows that turn are counted when they have.
    let most = if how == MarkRows::Turn { 2 * Marked::MOST + 2 } else { Marked::MOST + 2 };
    let find = FindLinks { document: Arc::clone(document), pattern, from: 0, most };
    let work = Work::FindLinks(find);
    let effects: Vec<Effect> = cx
        .jobs
        .all_of(cx.tab.id, |errand| matches!(errand, Errand::Marking(..)))
        .into_iter()
        .map(Effect::Cancel)
        .collect();
    let (small, Work::FindLinks(find)) = (work.is_small(), work) else { return effects };
    if small {
        let links = find.run(&Stop::new()).unwrap_or_default();
        take(cx, &links, how);
        return effects;
    }
    let id = cx.job(Errand::Marking(Arc::clone(&find.document), how));
    effects.into_iter().chain([Effect::Work { id, work: Work::FindLinks(find) }]).collect()
}

/// They were looked through, on another thread.
pub(in crate::app) fn found(cx: &mut Cx<'_>, document: &Arc<Document>, how: MarkRows, links: &[LinkId]) {
    let page = cx.entry().and_then(|entry| entry.page.as_deref());
    let same = page.is_some_and(|page| match how {
        MarkRows::Again => Arc::ptr_eq(page.given_document(), document),
        MarkRows::Add | MarkRows::Turn => Arc::ptr_eq(page.document(), document),
    });
    match (same, how) {
        (true, how) => take(cx, links, how),
        // looked for again as soon as it is in view
        (false, MarkRows::Again) => {}
        (false, _) => cx.say("the page is another one by now; no row was marked"),
    }
}

fn take(cx: &mut Cx<'_>, links: &[LinkId], how: MarkRows) {
    let Some(entry) = cx.entry_mut() else { return };
    let Some(page) = entry.page.as_deref() else { return };
    let shown = how != MarkRows::Again;
    let given = |link: &LinkId| if shown { entry.given_link(*link) } else { Some(*link) };
    let rows: Vec<(LinkId, Option<u64>)> =
        links.iter().filter_map(given).filter_map(|given| Some((given, row(page, given)?))).collect();
    let (mut full, mut done) = (false, 0_usize);
    for (given, octets) in rows {
        if how == MarkRows::Turn && entry.marked.remove(given) {
            continue;
        }
        full |= !entry.marked.add(given, octets);
        done += usize::from(!full);
    }
    if how == MarkRows::Again {
        entry.marked.found();
        return;
    }
    match (full, done) {
        (true, _) => too_many(cx),
        (false, 0) if how == MarkRows::Add => cx.say("no row fits that"),
        (false, 1) => cx.say("1 row marked"),
        (false, done) => cx.say(format!("{} rows marked", count(done))),
    }
}

fn too_many(cx: &mut Cx<'_>) {
    let most = count(Marked::MOST);
    cx.complain(format!("{most} rows are marked at most; a directory with all below it is saved by download-tree"));
}

/// Finds what was marked before the page in view was fetched again.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let Some(carried) = entry.marked.carried() else { return Vec::new() };
    let whole = entry.page.as_deref().is_some_and(|page| page.state != PageState::Arriving);
    if !whole || !has_rows(cx.sight()) {
        return Vec::new();
    }
    let under_way = |errand: &Errand| matches!(errand, Errand::Marking(_, MarkRows::Again));
    if cx.jobs.find(cx.tab.id, under_way).is_some() {
        return Vec::new();
    }
    let carried = Arc::clone(carried);
    seek(cx, LinkPattern::References(carried), MarkRows::Again)
}

/// The links of the marked rows, of the document as it was written, in the order in which they are shown; those that a filter
/// hides come last.
pub(in crate::app) fn marked(sight: Sight<'_>) -> Vec<LinkId> {
    let Some(entry) = sight.entry() else { return Vec::new() };
    let Some(page) = entry.page.as_deref() else { return Vec::new() };
    let mut rows: Vec<(bool, LinkId, LinkId)> = entry
        .marked
        .links()
        .map(|given| match page.shown_link(given) {
            Some(shown) => (false, shown, given),
            None => (true, given, given),
        })
        .collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, _, given)| given).collect()
}

/// Where the marked rows lead, in that order, each with the octets that it stands for, where that is known; what leads nowhere is
/// left out.
pub(in crate::app) fn targets(sight: Sight<'_>) -> Vec<(Url, LinkId, Option<u64>)> {
    let Some(entry) = sight.entry() else { return Vec::new() };
    let Some(page) = entry.page.as_deref() else { return Vec::new() };
    let target = |given: LinkId| match page.given().link(given, &entry.bases)?.target {
        Ok(Resolved::Url(url)) => Some((url, given, row(page, given)?)),
        _ => None,
    };
    marked(sight).into_iter().filter_map(target).collect()
}

/// Whether a row of the page in view is a link to something else that lies there.
pub(in crate::app) fn is_link(sight: Sight<'_>, given: LinkId) -> bool {
    let page = sight.entry().and_then(|entry| entry.page.as_deref());
    let at = |page: &Page| page.rows.as_ref()?.is_link_at(page.given().link_anchor(given)?.block).then_some(());
    page.and_then(at).is_some()
}

/// Whether rows of the page in view are marked.
pub(in crate::app) fn is_marked(sight: Sight<'_>) -> bool {
    sight.entry().is_some_and(|entry| !entry.marked.is_empty())
}

/// The marks have served.
pub(in crate::app) fn drop_all(cx: &mut Cx<'_>) {
    if let Some(entry) = cx.entry_mut() {
        entry.marked = Marked::default();
    }
}

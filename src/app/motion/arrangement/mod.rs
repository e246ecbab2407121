//! How the page is arranged: sorted, narrowed, folded. The reader stays with the line and the link they look at.
//!
//! `order` is what the reader says of rows, `columns` of tables, `folds` of folds, `threads` of the threads of newsgroups, `hold` keeps them where they are.
//! After every message [`tend`] compares what is shown with what is wished for and has the difference arranged; the old
//! arrangement stays in view until the new one is there.

mod columns;
mod folds;
mod hold;
mod order;
mod threads;

pub(in crate::app) use folds::{folds, headers, reader, toggle, toggle_given, turn_quotes};
pub use order::default_order;
pub(in crate::app) use order::{filter, narrow, sort, wishes};

use super::window;
use crate::app::page::arrangement::Work;
use crate::app::page::{Folding, address};
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, ListKind, Overlay, Page, PromptKind, Sight};
use crate::format::{Plan, media, message};
use crate::stop::Stop;
use crate::work;
use hold::Hold;

/// Has what the page in view lacks of the arrangement that is wished for made, and shows what is made.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    if let Some(folding) = folding(cx.sight())
        && let Some(page) = cx.page_mut()
    {
        page.fold_by(folding);
    }
    let mut effects = forsake(cx.sight());
    // What the reader is typing or choosing names links by their numbers: they may not change now.
    if names_links(cx.sight()) {
        return effects;
    }
    if let Some(page) = cx.page_mut()
        && let Some(Work::Made(plan)) = page.arrangement.work.take_if(|work| matches!(work, Work::Made(_)))
    {
        show(cx, |page| page.show(*plan));
    }
    if cx.page_mut().is_some_and(|page| page.wants_arranging() && page.is_due()) {
        effects.extend(begin(cx));
    }
    effects.extend(behind(cx));
    effects
}

/// Has a group arranged that still comes, or came, while its articles are read: what is next among them is known by that. It is shown
/// when the reader is back on its page.
fn behind(cx: &mut Cx<'_>) -> Option<Effect> {
    let key = cx.key_for("follow").unwrap_or_default();
    let due = |page: &Page| page.head.media == media::NEWSGROUP && page.has_grown();
    let at = (0..cx.tab.at).rev().find(|at| cx.tab.history[*at].page.as_deref().is_some_and(due))?;
    let entry = &mut cx.tab.history[at];
    let here = entry.given_focus();
    let page = entry.page.as_deref_mut()?;
    let arrange = page.arrange(&key, here);
    if arrange.is_small() {
        page.made(arrange.run(&Stop::new())?);
        return None;
    }
    let id = cx.job(Errand::Arrangement);
    cx.tab.history[at].page.as_deref_mut()?.arrangement.work = Some(Work::Under(id));
    Some(Effect::Work { id, work: work::Work::Arrange(Box::new(arrange)) })
}

/// How the reader wants the folds of the page in view.
fn folding(sight: Sight<'_>) -> Option<Folding> {
    let page = sight.entry()?.page.as_deref().filter(|page| !page.given().folds.is_empty())?;
    let reader = &sight.desk.reader;
    let asides_hidden = !reader.is_empty() && reader.contains(&address::place(&page.head.url));
    let folding = if message::is_message(&page.head.media) { sight.desk.folding } else { Folding::default() };
    Some(Folding { asides_hidden, ..folding })
}

/// Begins to arrange the page in view; what is short is done at once.
fn begin(cx: &mut Cx<'_>) -> Option<Effect> {
    let key = cx.key_for("follow").unwrap_or_default();
    let here = cx.entry().and_then(crate::app::Entry::given_focus);
    let arrange = cx.page_mut()?.arrange(&key, here);
    if arrange.is_small() {
        let plan = arrange.run(&Stop::new())?;
        show(cx, |page| page.show(plan));
        return None;
    }
    let id = cx.job(Errand::Arrangement);
    cx.page_mut()?.arrangement.work = Some(Work::Under(id));
    Some(Effect::Work { id, work: work::Work::Arrange(Box::new(arrange)) })
}

/// Gives up what is being made for pages that are gone, or that the reader wishes for otherwise now.
fn forsake(sight: Sight<'_>) -> Vec<Effect> {
    let under = sight.jobs.all_of(sight.tab.id, |errand| matches!(errand, Errand::Arrangement));
    let pages = || sight.tab.history.iter().filter_map(|entry| entry.page.as_deref());
    let wanted = |id: &JobId| pages().any(|page| page.arrangement.job() == Some(*id) && !page.arrangement.stale);
    under.into_iter().filter(|id| !wanted(id)).map(Effect::Cancel).collect()
}

/// A page was arranged. It is shown when it is in view.
pub(in crate::app) fn arranged(cx: &mut Cx<'_>, id: JobId, plan: Plan) {
    let mut pages = cx.tab.history.iter_mut().filter_map(|entry| entry.page.as_deref_mut());
    if let Some(page) = pages.find(|page| page.arrangement.job() == Some(id)) {
        page.made(plan);
    }
}

/// A page could not be arranged: it stays as it is.
pub(in crate::app) fn failed(cx: &mut Cx<'_>, id: JobId) {
    let mut pages = cx.tab.history.iter_mut().filter_map(|entry| entry.page.as_deref_mut());
    if let Some(page) = pages.find(|page| page.arrangement.job() == Some(id)) {
        page.arrangement.work = None;
    }
}

/// The page in view is shown in another way; the reader stays with the line and the link they look at.
fn show(cx: &mut Cx<'_>, show: impl FnOnce(&mut Page)) {
    let hold = Hold::of(cx.sight());
    if let Some(page) = cx.page_mut() {
        show(page);
    }
    if let Some(hold) = hold {
        hold.restore(cx);
    }
    cx.tab.found = None;
    cx.tab.matches = cx.tab.search.is_some().then(Default::default);
    window::settle(cx);
}

/// Whether something on the screen means links or lines of the page by number.
pub(in crate::app) fn names_links(sight: Sight<'_>) -> bool {
    let typed = sight.hands.prompt().is_some_and(|prompt| matches!(prompt.kind, PromptKind::Number | PromptKind::Hint));
    typed
        || sight
            .hands
            .overlays()
            .iter()
            .any(|overlay| matches!(overlay, Overlay::List { kind: ListKind::Links | ListKind::Headings, .. }))
}

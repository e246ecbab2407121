//! Words that are sought stand in threads that are folded, too: those open, and of what is not shown at all that is said.

use super::held::{self, Held, block_of};
use super::shown;
use crate::app::state::Cx;
use crate::app::{Page, Sight};
use crate::doc::{Document, LinkId};
use crate::keys::{Mode, shown as shown_keys};
use crate::news::subject;
use std::collections::HashMap;

/// What became of the matches on a group's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Threads open for them.
    Opens,
    /// All are in threads that the page leaves out.
    LeftOut,
    /// Neither.
    Here,
}

/// Once words were looked for in all of a group's page.
pub(super) fn tend(cx: &mut Cx<'_>) {
    let Some(starts) = cx.tab.threaded.take() else { return };
    if unfold(cx, &starts) == Found::LeftOut {
        let words = cx.tab.search.as_ref().map(|search| search.words().to_owned()).unwrap_or_default();
        let keys = cx.desk.keymap.keys_for(Mode::News, "unread-only");
        let key = keys.first().map(|keys| format!("; {} shows all", shown_keys(keys))).unwrap_or_default();
        cx.tab.awaited = false;
        cx.complain(format!("\"{words}\" is only in threads that this page leaves out{key}"));
    }
}

/// Opens the folded threads that hold matches, which begin at these places of the document as it was written. An answer whose
/// subject is that of its thread is found by the thread's row, and killed articles stay where they are.
fn unfold(cx: &mut Cx<'_>, starts: &[u32]) -> Found {
    let Some(held) = held::of(cx.sight(), cx.tab.at) else { return Found::Here };
    let places: HashMap<LinkId, usize> =
        held.articles.iter().zip(0..).map(|(article, at)| (article.link, at)).collect();
    let (mut inside, mut here, mut left_out) = (Vec::new(), false, false);
    for start in starts {
        let Some(given) = given(cx.sight()) else { return Found::Here };
        let block = given.anchor_at(*start as usize).block;
        let Some(at) = block.checked_sub(1).and_then(|link| places.get(&LinkId(link)).copied()) else {
            // The heading, and what stands behind the articles.
            here = true;
            continue;
        };
        let (article, head) = (held.articles[at], held.articles[held.articles[at].thread]);
        if article.killed {
            continue;
        }
        match (shown(cx.sight(), article.link), shown(cx.sight(), head.link)) {
            (Some(_), _) => here = true,
            (None, None) => left_out = true,
            (None, Some(_)) if repeats(given, *start, block, head.link) => {}
            (None, Some(_)) => inside.push(at),
        }
    }
    inside.dedup();
    match (open(cx, &held, &inside), here, left_out) {
        (true, ..) => Found::Opens,
        (false, false, true) => Found::LeftOut,
        _ => Found::Here,
    }
}

/// Opens the threads of some articles, and in them what was closed above one.
fn open(cx: &mut Cx<'_>, held: &Held, places: &[usize]) -> bool {
    let Some(page) = cx.page_mut().filter(|_| !places.is_empty()) else { return false };
    let mut wishes = page.arrangement.wishes.clone();
    let closed: Vec<usize> = (0..held.articles.len())
        .filter(|at| wishes.reading.folds.get(&block_of(held.articles[*at].link)) == Some(&false))
        .collect();
    for at in places {
        wishes.reading.folds.insert(block_of(held.articles[held.articles[*at].thread].link), true);
    }
    for above in closed {
        let below = held.below(above);
        let first = places.partition_point(|at| *at < below.start);
        if places.get(first).is_some_and(|at| below.contains(at)) {
            wishes.reading.folds.insert(block_of(held.articles[above].link), true);
        }
    }
    let changes = wishes.reading.folds != page.arrangement.wishes.reading.folds;
    if changes {
        page.wish(wishes);
    }
    changes
}

/// Whether a match in a row is in a subject that says nothing else than that of its thread.
fn repeats(given: &Document, start: u32, block: u32, head: LinkId) -> bool {
    let own = given.link_text(LinkId(block - 1));
    let within = (start as usize) < given.block_range(block).start + own.len();
    within && subject(own).base == subject(given.link_text(head)).base
}

fn given(sight: Sight<'_>) -> Option<&Document> {
    sight.entry().and_then(|entry| entry.page.as_deref()).map(Page::given)
}

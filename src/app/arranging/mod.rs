//! How the page is arranged: sorted, narrowed, folded. The reader stays with the line and the link they look at.
//!
//! `order` is what the reader says of rows, `folds` of folds, `place` keeps them where they are.
//! After every message [`tend`] compares what is shown with what is wished for and works on the difference, at most a few
//! milliseconds at once; the old arrangement stays in view until the new one is there.

mod folds;
mod order;
mod place;

pub(super) use folds::{Folding, folds, headers, toggle, toggle_given, turn_quotes};
pub use order::default_order;
pub(super) use order::{filter, narrow, sort, wishes};

use super::{App, Effect, ListKind, Overlay, Page, PageState, PromptKind, reading};
use crate::doc::{Arranged, Document, Folded, LinkId, Shift};
use crate::format::{Plan, Step, Wishes, message};
use crate::url::BaseStack;
use place::Hold;
use std::collections::BTreeSet;

/// Rows worked on at once.
const STEP: usize = 1 << 14;
/// From so many lines on they lie too far apart in memory to copy as many at once.
const LONG: usize = 1 << 17;
/// A page of at most this many lines is arranged anew whenever more of it comes; a longer one each time it has doubled, or
/// has grown by a quarter if what comes waits for that.
const SMALL: u32 = 1 << 12;

/// How a page is shown.
#[derive(Debug, Default)]
pub struct Arrangement {
    /// What the reader wishes.
    pub wishes: Wishes,
    /// Folds that are not as they were written, by number.
    pub toggled: BTreeSet<u32>,
    /// How the folds of messages were to be when it was last looked, and how many there were.
    folding: (Folding, usize),
    /// What is shown, unless it is the document as it was written.
    pub shown: Option<Arranged>,
    /// Rows that pass the filter, and rows in all.
    pub counts: (usize, usize),
    /// How many of them the reader has not read, where that is known.
    pub unread: Option<usize>,
    /// Blocks of the document that are accounted for.
    covered: u32,
    /// How many there were when all of it was arranged.
    whole: u32,
    /// What is shown is not what is wished for.
    stale: bool,
    /// The parser writes the rows, from what comes after them as well.
    written: bool,
    /// What has just come is shown when all is arranged anew, and not before.
    waits: bool,
    work: Option<Work>,
}

/// An arrangement in the making.
#[derive(Debug)]
enum Work {
    /// The parser orders the rows.
    Ordering,
    /// What is needed to copy blocks is looked up.
    Preparing { plan: Plan, folded: Folded, fresh: Arranged },
    /// Blocks are copied.
    Copying { plan: Plan, at: usize, folded: Folded, fresh: Arranged },
    /// It is ready to be shown; `None` is the document as it was written.
    Ready { plan: Plan, fresh: Option<Arranged> },
}

impl Arrangement {
    /// An arrangement by wishes, of a page of which nothing has come yet.
    pub fn by(wishes: Wishes) -> Arrangement {
        Arrangement { wishes, stale: true, ..Arrangement::default() }
    }

    fn anew(&mut self) {
        self.stale = true;
        self.work = None;
    }
}

impl Page {
    /// The document as it was written.
    pub fn given(&self) -> &Document {
        self.builder.document()
    }

    /// What a shown link says in the document within the document that it stands in, and the bases there.
    pub(super) fn inset(&self, link: LinkId) -> Option<(&str, &BaseStack)> {
        let given = match &self.arrangement.shown {
            Some(shown) => shown.given_link(link)?,
            None => link,
        };
        self.given().inset(given)
    }

    /// Shows it in another way.
    pub(super) fn wish(&mut self, wishes: Wishes) {
        self.arrangement.wishes = wishes;
        self.arrangement.anew();
    }

    /// Whether its rows have an order of their own.
    pub fn has_rows(&self) -> bool {
        self.parser.as_ref().is_some_and(|parser| !parser.orders().is_empty())
    }

    /// Shows other text in the place of a link of the document as it was written; says what moved of what is shown.
    pub(super) fn rewrite(&mut self, link: LinkId, text: &str) -> Option<Shift> {
        let given = self.builder.document_mut().rewrite(link, text);
        if self.arrangement.work.is_some() {
            self.arrangement.anew();
        }
        match &mut self.arrangement.shown {
            Some(shown) => shown.rewrite(link, text),
            None => given,
        }
    }

    /// The number by which a link of the document as it was written is shown.
    pub(super) fn shown_link(&self, given: LinkId) -> Option<LinkId> {
        self.arrangement.shown.as_ref().map_or(Some(given), |shown| shown.shown_link(given))
    }

    /// Whether there is work to do. Pages without rows, folds and filters never have any.
    fn wants_arranging(&self) -> bool {
        let arrangement = &self.arrangement;
        let plain = !self.has_rows() && self.given().folds.is_empty() && arrangement.wishes.filter.is_empty();
        if plain && arrangement.shown.is_none() {
            return false;
        }
        arrangement.work.is_some() || arrangement.stale || self.settled_blocks() > arrangement.covered || self.is_due()
    }

    /// Whether what is shown is what is wished for.
    pub(super) fn is_arranged(&self) -> bool {
        !self.wants_arranging()
    }

    /// Blocks that will not grow any more.
    fn settled_blocks(&self) -> u32 {
        let blocks = self.given().blocks().len() as u32;
        let grows = self.state == PageState::Arriving && !self.has_rows();
        blocks.saturating_sub(u32::from(grows))
    }

    fn is_due(&self) -> bool {
        let (blocks, whole) = (self.settled_blocks(), self.arrangement.whole);
        let arriving = self.state == PageState::Arriving;
        let enough = if self.arrangement.waits { whole / 4 } else { whole };
        blocks > whole && (!arriving || blocks <= SMALL || blocks - whole >= enough)
    }

    /// Nothing more will come: rows that the parser writes can say all there is to say only now.
    pub(super) fn completed(&mut self) {
        if self.arrangement.written {
            self.arrangement.anew();
        }
    }

    /// What has come since the last arrangement is shown below it.
    pub(super) fn append(&mut self, key: &str) {
        let to = self.settled_blocks();
        let (given, arrangement) = (self.builder.document(), &mut self.arrangement);
        let from = arrangement.covered;
        if from >= to {
            return;
        }
        arrangement.covered = to;
        let Some(shown) = &mut arrangement.shown else { return };
        let plan = plan(&mut self.parser, &arrangement.wishes, given, from, usize::MAX);
        arrangement.waits = matches!(plan, Step::Waits);
        if let Step::Ready(plan) = plan {
            let folded = Folded::of(given, &arrangement.toggled);
            let blocks: Vec<u32> = plan.blocks.into_iter().filter(|block| *block < to).collect();
            shown.extend(given, &blocks, &folded, key);
            shown.facts(given);
            arrangement.counts.0 += plan.passed;
            arrangement.counts.1 += plan.rows;
        }
    }

    /// Goes on with the arrangement for one step; true when a new one is ready. `here` is the link under focus.
    fn work(&mut self, key: &str, here: Option<LinkId>) -> bool {
        let to = self.settled_blocks();
        let whole = self.state != PageState::Arriving;
        let due = self.is_due();
        let (given, arrangement) = (self.builder.document(), &mut self.arrangement);
        if arrangement.work.is_none() && (arrangement.stale || due) {
            arrangement.stale = false;
            arrangement.wishes.reading.here = here;
            arrangement.work = Some(Work::Ordering);
        }
        let Some(work) = arrangement.work.take() else { return false };
        let next = match work {
            Work::Ordering => match plan(&mut self.parser, &arrangement.wishes, given, 0, STEP) {
                Step::More | Step::Waits => Work::Ordering,
                Step::Ready(mut plan) => {
                    plan.covers = plan.covers.min(to);
                    if let Some(fresh) = plan.written.take() {
                        arrangement.written = true;
                        let fresh = fresh.folded(given, &Folded::of(given, &arrangement.toggled), key);
                        arrangement.work = Some(Work::Ready { plan, fresh: Some(fresh) });
                        return true;
                    }
                    plan.blocks.retain(|block| *block < plan.covers);
                    let folded = Folded::of(given, &arrangement.toggled);
                    let as_given = folded.is_empty()
                        && plan.blocks.len() as u32 == plan.covers
                        && (whole || arrangement.wishes.is_plain())
                        && plan.blocks.is_sorted();
                    match as_given {
                        true => Work::Ready { plan, fresh: None },
                        false => {
                            let fresh = Arranged::with_room(given, plan.blocks.len());
                            prepare(given, plan, folded, fresh)
                        }
                    }
                }
            },
            Work::Preparing { plan, folded, fresh } => prepare(given, plan, folded, fresh),
            Work::Copying { plan, at, folded, mut fresh } => {
                let rows = if given.blocks().len() < LONG { STEP } else { STEP / 4 };
                let end = plan.blocks.len().min(at + rows);
                fresh.extend(given, &plan.blocks[at..end], &folded, key);
                if end < plan.blocks.len() {
                    Work::Copying { plan, at: end, folded, fresh }
                } else {
                    fresh.facts(given);
                    if whole {
                        fresh.shrink();
                    }
                    Work::Ready { plan, fresh: Some(fresh) }
                }
            }
            ready @ Work::Ready { .. } => ready,
        };
        let ready = matches!(next, Work::Ready { .. });
        arrangement.work = Some(next);
        ready
    }

    /// Shows the arrangement that is ready.
    fn swap(&mut self) {
        let arrangement = &mut self.arrangement;
        match arrangement.work.take() {
            Some(Work::Ready { plan, fresh }) => {
                arrangement.shown = fresh;
                arrangement.counts = (plan.passed, plan.rows);
                arrangement.unread = plan.unread;
                (arrangement.covered, arrangement.whole) = (plan.covers, plan.covers);
            }
            work => arrangement.work = work,
        }
    }
}

fn prepare(given: &Document, plan: Plan, folded: Folded, mut fresh: Arranged) -> Work {
    match fresh.prepare(given, STEP) {
        true => Work::Copying { plan, at: 0, folded, fresh },
        false => Work::Preparing { plan, folded, fresh },
    }
}

fn plan(
    parser: &mut Option<Box<dyn crate::format::Parser>>,
    wishes: &Wishes,
    given: &Document,
    from: u32,
    budget: usize,
) -> Step {
    match parser {
        Some(parser) => parser.arrange(wishes, given, from, budget),
        None => Step::Ready(Plan::filtered(given, from, &crate::doc::Filter::new(&wishes.filter))),
    }
}

/// Works on what the page in view lacks of the arrangement that is wished for.
pub(super) fn tend(app: &mut App) -> Vec<Effect> {
    let waits = names_links(app);
    let key = app.key_for("follow").unwrap_or_default();
    let folding = app.folding;
    if let Some(page) = app.page_mut().filter(|page| message::is_message(&page.head.media)) {
        page.fold_by(folding);
    }
    let here = app.entry().and_then(super::Entry::given_focus);
    let Some(page) = app.page_mut().filter(|page| page.wants_arranging()) else { return Vec::new() };
    page.append(&key);
    if waits {
        // What the reader is typing or choosing names links by their numbers: they may not change now.
        return Vec::new();
    }
    // As much as goes unnoticed; short pages are done with it.
    let mut left = STEP;
    while let Some(page) = app.page_mut().filter(|page| page.wants_arranging()) {
        if left == 0 {
            return vec![Effect::Slice];
        }
        left = left.saturating_sub(page.given().blocks().len().max(STEP / 64));
        if page.work(&key, here) {
            show(app);
        }
    }
    Vec::new()
}

/// Whether something on the screen means links or lines of the page by number.
fn names_links(app: &App) -> bool {
    let typed = app.prompt.as_ref().is_some_and(|prompt| matches!(prompt.kind, PromptKind::Number | PromptKind::Hint));
    typed
        || app
            .overlays
            .iter()
            .any(|overlay| matches!(overlay, Overlay::List { kind: ListKind::Links | ListKind::Headings, .. }))
}

/// The arrangement that is ready takes the old one's place.
fn show(app: &mut App) {
    let hold = Hold::of(app);
    if let Some(page) = app.page_mut() {
        page.swap();
    }
    if let Some(hold) = hold {
        hold.restore(app);
    }
    app.tab.found = None;
    app.tab.matches = app.tab.search.is_some().then(Default::default);
    reading::settle(app);
}

impl App {
    pub(super) fn page_mut(&mut self) -> Option<&mut Page> {
        self.entry_mut()?.page.as_deref_mut()
    }

    /// Whether more of the page in view is coming.
    pub(super) fn is_arriving(&self) -> bool {
        let state = self.entry().and_then(|entry| entry.page.as_deref()).map(|page| &page.state);
        state == Some(&PageState::Arriving)
    }
}

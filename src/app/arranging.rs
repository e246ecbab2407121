//! How the page is arranged: sorted, narrowed, folded. The reader stays with the line and the link they look at.
//!
//! After every message [`tend`] compares what is shown with what is wished for and works on the difference, at most a few
//! milliseconds at once; the old arrangement stays in view until the new one is there.

use super::arrival::Place;
use super::asking::ask;
use super::{
    App, Effect, Entry, Kept, ListKind, Overlay, Page, PageState, PromptKind, SiteChoice, focus, own, reading,
};
use crate::config::{Settings, SortBy};
use crate::doc::{Anchor, Arranged, Document, FoldKind, Folded, LinkId, Shift};
use crate::format::{Order, Plan, Step, Wishes, media, message};
use std::collections::BTreeSet;

/// Rows worked on at once.
const STEP: usize = 1 << 14;
/// A page of at most this many lines is arranged anew whenever more of it comes; a longer one each time it has doubled.
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
    /// Blocks of the document that are accounted for.
    covered: u32,
    /// How many there were when all of it was arranged.
    whole: u32,
    /// What is shown is not what is wished for.
    stale: bool,
    /// The parser writes the rows, from what comes after them as well.
    written: bool,
    work: Option<Work>,
}

/// Which folds of messages the reader wants otherwise than they are written, from message to message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Folding {
    /// Quoted text is out of sight.
    pub quotes_hidden: bool,
    /// All headers are in sight.
    pub headers_shown: bool,
}

impl Folding {
    /// Whether folds of a kind are to be open; `None` where the reader has no wish.
    fn opens(self, kind: FoldKind) -> Option<bool> {
        match kind {
            FoldKind::Quote => Some(!self.quotes_hidden),
            FoldKind::Headers => Some(self.headers_shown),
            FoldKind::Signature | FoldKind::Details | FoldKind::Notice => None,
        }
    }
}

/// An arrangement in the making.
#[derive(Debug)]
enum Work {
    /// The parser orders the rows.
    Ordering,
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

    /// Shows it in another way.
    pub(super) fn wish(&mut self, wishes: Wishes) {
        self.arrangement.wishes = wishes;
        self.arrangement.anew();
    }

    /// Opens and closes the folds that have come, and all of a kind whose wish has changed.
    pub(super) fn fold_by(&mut self, folding: Folding) {
        let (before, seen) = self.arrangement.folding;
        let folds = &self.builder.document().folds;
        if (before, seen) == (folding, folds.len()) {
            return;
        }
        self.arrangement.folding = (folding, folds.len());
        let mut changed = false;
        for (number, fold) in folds.iter().enumerate() {
            let Some(opens) = folding.opens(fold.kind) else { continue };
            if number >= seen || before.opens(fold.kind) != Some(opens) {
                let number = number as u32;
                let toggled = &mut self.arrangement.toggled;
                changed |= if fold.open == opens { toggled.remove(&number) } else { toggled.insert(number) };
            }
        }
        // what comes is folded as it is appended
        if changed && (seen == 0 || self.arrangement.shown.is_none() || before != folding) {
            self.arrangement.anew();
        }
    }

    /// The number of the fold whose head is a shown link.
    fn fold(&self, link: LinkId) -> Option<u32> {
        let shown = self.arrangement.shown.as_ref();
        self.fold_of(shown.map_or(Some(link), |shown| shown.given_link(link))?)
    }

    fn fold_of(&self, head: LinkId) -> Option<u32> {
        self.given().folds.iter().position(|fold| fold.head == head).map(|number| number as u32)
    }

    fn toggle(&mut self, fold: u32) {
        if !self.arrangement.toggled.remove(&fold) {
            self.arrangement.toggled.insert(fold);
        }
        self.arrangement.anew();
    }

    /// Whether following a shown link opens or closes a fold.
    pub fn is_fold(&self, link: LinkId) -> bool {
        self.fold(link).is_some()
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

    /// Blocks that will not grow any more.
    fn settled_blocks(&self) -> u32 {
        let blocks = self.given().blocks().len() as u32;
        let grows = self.state == PageState::Arriving && !self.has_rows();
        blocks.saturating_sub(u32::from(grows))
    }

    fn is_due(&self) -> bool {
        let (blocks, whole) = (self.settled_blocks(), self.arrangement.whole);
        let arriving = self.state == PageState::Arriving;
        blocks > whole && (!arriving || blocks <= SMALL || blocks / 2 >= whole)
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
        let folded = Folded::of(given, &arrangement.toggled);
        if let Step::Ready(plan) = plan {
            let blocks: Vec<u32> = plan.blocks.into_iter().filter(|block| *block < to).collect();
            shown.extend(given, &blocks, &folded, key);
            shown.facts(given);
            arrangement.counts.0 += plan.passed;
            arrangement.counts.1 += plan.rows;
        }
    }

    /// Goes on with the arrangement for one step; true when a new one is ready.
    fn work(&mut self, key: &str) -> bool {
        let to = self.settled_blocks();
        let whole = self.state != PageState::Arriving;
        let due = self.is_due();
        let (given, arrangement) = (self.builder.document(), &mut self.arrangement);
        if arrangement.work.is_none() && (arrangement.stale || due) {
            arrangement.stale = false;
            arrangement.work = Some(Work::Ordering);
        }
        let Some(work) = arrangement.work.take() else { return false };
        let next = match work {
            Work::Ordering => match plan(&mut self.parser, &arrangement.wishes, given, 0, STEP) {
                Step::More => Work::Ordering,
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
                            Work::Copying { plan, at: 0, folded, fresh }
                        }
                    }
                }
            },
            Work::Copying { plan, at, folded, mut fresh } => {
                let end = plan.blocks.len().min(at + STEP);
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
                (arrangement.covered, arrangement.whole) = (plan.covers, plan.covers);
            }
            work => arrangement.work = work,
        }
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

impl Page {
    /// Where a place of the document as it was written is shown.
    pub(super) fn shown(&self, given: Place) -> Place {
        let Some(shown) = self.arrangement.shown.as_ref().filter(|_| given.top != Anchor::default()) else {
            return given;
        };
        let top = shown.shown_anchor(given.top).unwrap_or_default();
        Place { top, focus: given.focus.and_then(|link| shown.shown_link(link)), ..given }
    }
}

impl Entry {
    /// Where the reader looks, in the document as it was written. The start stays the start.
    pub(super) fn given_place(&self) -> Place {
        if let Some(place) = self.wanted.filter(|_| self.page.as_ref().is_none_or(Page::is_error)) {
            return place;
        }
        let place = Place { top: self.top, focus: self.focus, left: self.left };
        match self.page.as_ref().and_then(|page| page.arrangement.shown.as_ref()) {
            Some(shown) => Place {
                top: if self.top == Anchor::default() { self.top } else { shown.given_anchor(self.top) },
                focus: self.focus.and_then(|link| shown.given_link(link)),
                ..place
            },
            None => place,
        }
    }

    /// The page goes or is read again: the place outlives its arrangement.
    pub(super) fn as_given(&mut self) {
        let place = self.given_place();
        (self.top, self.focus) = (place.top, place.focus);
    }

    /// The page was fetched again: it is shown as it was before.
    pub(super) fn arrange_as(&mut self, old: Option<Page>) {
        if let (Some(old), Some(page)) = (old, &mut self.page)
            && old.head.media == page.head.media
        {
            let mut wishes = old.arrangement.wishes;
            // Rows may have other numbers now.
            wishes.reading.toggled.clear();
            page.arrangement = Arrangement::by(wishes);
        }
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
        if page.work(&key) {
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

/// Where the reader is, in the document as it was written.
struct Hold {
    top: Anchor,
    focus: Option<LinkId>,
    /// The row of the screen where the link under focus begins.
    row: usize,
    /// They stand where they came in and have not moved.
    at_start: bool,
}

impl Hold {
    fn of(app: &App) -> Option<Hold> {
        let entry = app.entry()?;
        let page = entry.page.as_ref()?;
        let seen = reading::on_screen(app);
        let row = seen.iter().find(|seen| Some(seen.link) == entry.focus).map_or(0, |seen| seen.row);
        let shown = page.arrangement.shown.as_ref();
        Some(Hold {
            top: shown.map_or(entry.top, |shown| shown.given_anchor(entry.top)),
            focus: entry.focus.and_then(|link| shown.map_or(Some(link), |shown| shown.given_link(link))),
            row,
            at_start: entry.top == Anchor::default()
                && entry.focus == seen.first().map(|seen| seen.link)
                && app.tab.found.is_none(),
        })
    }

    /// Brings the same link to the same row, else the same line to the top.
    fn restore(self, app: &mut App) {
        let layout = app.layout();
        let arriving = app.is_arriving();
        let Some(page) = app.entry().and_then(|entry| entry.page.as_ref()) else { return };
        let document = page.document();
        if document.blocks().is_empty() || self.at_start && arriving {
            if let Some(entry) = app.entry_mut() {
                (entry.top, entry.focus) = (Anchor::default(), None);
            }
            return;
        }
        let shown = page.arrangement.shown.as_ref();
        let focus = self.focus.and_then(|link| shown.map_or(Some(link), |shown| shown.shown_link(link)));
        let place = focus.and_then(|link| document.link_anchor(link));
        let top = shown.map_or(Some(self.top), |shown| shown.shown_anchor(self.top));
        let top = match (place, top) {
            (Some(place), _) => layout.up(document, place, self.row),
            (None, Some(top)) => top,
            (None, None) => Anchor::default(),
        };
        let top = layout.line_start(document, top).min(reading::bottom(app));
        if let Some(entry) = app.entry_mut() {
            (entry.top, entry.focus) = (top, focus);
        }
    }
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

/// The order of a media type's rows: that of directories is in the settings, groups are threads.
pub fn default_order(settings: &Settings, media: &str) -> Order {
    match settings.sort {
        _ if media == media::NEWSGROUP => Order::Thread,
        _ if media == media::NEWSGROUPS => Order::Given,
        SortBy::Given => Order::Given,
        SortBy::Name => Order::Name,
        SortBy::Size => Order::Size,
        SortBy::Date => Order::Date,
        SortBy::Kind => Order::Kind,
    }
}

/// How the pages of a host are to be ordered.
pub(super) fn wishes(app: &App, host: &str, media: &str) -> Wishes {
    let order = default_order(&app.settings, media);
    let kept = app.orders.get(&host.to_ascii_lowercase()).and_then(|words| parse(words));
    // A host may have pages of other kinds, with other rows.
    let offered: &[Order] = match media {
        media::NEWSGROUP => &[Order::Thread, Order::Date, Order::Given],
        media::NEWSGROUPS => &[Order::Name, Order::Size, Order::Given],
        _ => &[Order::Given, Order::Name, Order::Size, Order::Date, Order::Kind],
    };
    kept.filter(|kept| offered.contains(&kept.order)).unwrap_or(Wishes { order, ..Wishes::default() })
}

/// `name`, or `name reverse`.
fn parse(words: &str) -> Option<Wishes> {
    let mut words = words.split_whitespace();
    let name = words.next()?;
    let (_, order) = Order::ALL.iter().find(|(known, _)| *known == name)?;
    match (words.next(), words.next()) {
        (None, _) => Some(Wishes { order: *order, ..Wishes::default() }),
        (Some("reverse"), None) => Some(Wishes { order: *order, reverse: true, ..Wishes::default() }),
        _ => None,
    }
}

/// `sort name`, `sort size reverse`, `sort reverse`: for this page, and from now on for its host's.
pub(super) fn sort(app: &mut App, words: &str) -> Vec<Effect> {
    let Some(page) = app.page_mut() else { return Vec::new() };
    if !page.has_rows() {
        app.say("this page has no rows to sort");
        return Vec::new();
    }
    let now = &page.arrangement.wishes;
    let wished = match words.trim() {
        "reverse" => Some(Wishes { reverse: !now.reverse, ..now.clone() }),
        words => parse(words).map(|wished| Wishes { order: wished.order, reverse: wished.reverse, ..now.clone() }),
    };
    let offered = page.parser.as_ref().map_or(&[][..], |parser| parser.orders());
    let offered: Vec<&str> = [Order::Given].iter().chain(offered).map(|order| order.name()).collect();
    let Some(wished) = wished.filter(|wished| offered.contains(&wished.order.name())) else {
        app.complain(format!("sort {}; sort reverse turns it round", offered.join(", sort ")));
        return Vec::new();
    };
    let host = page.head.url.host().unwrap_or_default().to_ascii_lowercase();
    let name = wished.order.name();
    let words = if wished.reverse { format!("{name} reverse") } else { name.to_owned() };
    page.arrangement.wishes = wished;
    page.arrangement.anew();
    app.say(match words.as_str() {
        "given" => "in the server's own order".into(),
        words => format!("sorted by {words}"),
    });
    app.orders.insert(host.clone(), words.clone());
    vec![Effect::Keep(Kept::Site { host, choice: SiteChoice::Order(words) })]
}

/// `filter` asks for words; `filter WORDS` shows only the lines that hold them.
pub(super) fn filter(app: &mut App, words: &str) -> Vec<Effect> {
    if app.page_mut().is_none() {
        return Vec::new();
    }
    if !words.trim().is_empty() {
        narrow(app, words);
        return Vec::new();
    }
    let now = own::words(app).or_else(|| Some(app.page_mut()?.arrangement.wishes.filter.clone())).unwrap_or_default();
    ask(app, PromptKind::Filter, "only", &now, None);
    Vec::new()
}

/// Shows only what holds the words.
pub(super) fn narrow(app: &mut App, words: &str) {
    if own::is_open(app) {
        return own::narrow(app, words);
    }
    reading::take_over(app);
    if let Some(page) = app.page_mut().filter(|page| page.arrangement.wishes.filter != words) {
        page.arrangement.wishes.filter = words.into();
        page.arrangement.anew();
    }
}

/// Opens or closes the fold of a head; false when the link is none.
pub(super) fn toggle(app: &mut App, link: LinkId) -> bool {
    let Some(page) = app.page_mut() else { return false };
    let Some(number) = page.fold(link) else { return false };
    page.toggle(number);
    true
}

/// The same for a head by its number in the document as it was written.
pub(super) fn toggle_given(app: &mut App, head: LinkId) {
    if let Some(page) = app.page_mut()
        && let Some(number) = page.fold_of(head)
    {
        page.toggle(number);
    }
}

/// All header fields of a message, or only the chosen ones, and so of the messages after it. What is opened is brought on
/// the screen.
pub(super) fn headers(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(page) = app.page_mut() else { return Vec::new() };
    let folds = (0..).zip(page.given().folds.iter()).filter(|(_, fold)| fold.kind == FoldKind::Headers);
    let folds: Vec<(u32, bool, LinkId)> = folds.map(|(number, fold)| (number, fold.open, fold.head)).collect();
    let Some((first, written, head)) = folds.first().copied() else {
        app.say("only messages have headers");
        return Vec::new();
    };
    let opens = written == page.arrangement.toggled.contains(&first);
    for (number, written, _) in folds {
        if (written != page.arrangement.toggled.contains(&number)) != opens {
            page.toggle(number);
        }
    }
    page.arrangement.folding.0.headers_shown = opens;
    let focus = opens && page.arrangement.shown.is_none();
    app.folding.headers_shown = opens;
    if focus {
        focus::go_to(app, head);
    }
    Vec::new()
}

/// `folds` opens all, or closes all when all are open; `folds open`, `folds close`.
pub(super) fn folds(app: &mut App, words: &str) -> Vec<Effect> {
    let Some(page) = app.page_mut() else { return Vec::new() };
    let folds: Vec<(u32, bool)> = (0..).zip(page.given().folds.iter().map(|fold| fold.open)).collect();
    let toggled = &page.arrangement.toggled;
    let open = |number: &u32, written: bool| written != toggled.contains(number);
    let opens = match words.trim() {
        "open" => true,
        "close" => false,
        "" => folds.iter().any(|(number, written)| !open(number, *written)),
        _ => {
            app.complain("folds open, folds close");
            return Vec::new();
        }
    };
    if folds.is_empty() {
        app.say("nothing is folded on this page");
        return Vec::new();
    }
    page.arrangement.toggled = folds.iter().filter(|(_, open)| *open != opens).map(|(number, _)| *number).collect();
    page.arrangement.anew();
    app.say(if opens { "everything is open" } else { "everything is folded" });
    Vec::new()
}

/// Shows all quotes of a message, or hides all when all are shown, and so in the messages after it; true when they are shown
/// now, nothing where there are none that can be hidden.
pub(super) fn turn_quotes(app: &mut App) -> Option<bool> {
    let page = app.page_mut()?;
    let folds = (0..).zip(&page.given().folds).filter(|(_, fold)| fold.kind == FoldKind::Quote);
    let folds: Vec<(u32, bool)> = folds.map(|(number, fold)| (number, fold.open)).collect();
    if folds.is_empty() {
        return None;
    }
    let toggled = &page.arrangement.toggled;
    let opens = folds.iter().any(|(number, written)| *written == toggled.contains(number));
    page.arrangement.folding.0.quotes_hidden = !opens;
    for (number, written) in &folds {
        match *written == opens {
            true => page.arrangement.toggled.remove(number),
            false => page.arrangement.toggled.insert(*number),
        };
    }
    page.arrangement.anew();
    app.folding.quotes_hidden = !opens;
    Some(opens)
}

impl App {
    pub(super) fn page_mut(&mut self) -> Option<&mut Page> {
        self.entry_mut()?.page.as_mut()
    }

    /// Whether more of the page in view is coming.
    pub(super) fn is_arriving(&self) -> bool {
        let state = self.entry().and_then(|entry| entry.page.as_ref()).map(|page| &page.state);
        state == Some(&PageState::Arriving)
    }
}

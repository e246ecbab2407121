//! How a page is shown: what the reader wishes of its rows and folds, and what came of that.

use super::entry::{Page, PageState, Place};
use super::folds::Folding;
use super::illustration::Illustrations;
use super::pictured::Pictured;
use crate::app::JobId;
use crate::doc::Arranged;
use crate::doc::{Anchor, Document, LinkId, Shift};
use crate::format::{Arrange, Kin};
use crate::format::{Learnt, Plan, Roll, Wishes};
use crate::proto::Head;
use crate::url::BaseStack;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// A long page that grows is put in order anew whenever it has grown by one part in so many.
const PART: usize = 8;
/// Or after so long.
const LATEST: Duration = Duration::from_secs(2);

/// How a page is shown.
#[derive(Debug, Default)]
pub struct Arrangement {
    /// What the reader wishes.
    pub wishes: Wishes,
    /// Folds that are not as they were written, by number.
    pub toggled: BTreeSet<u32>,
    /// How the folds were to be when it was last looked, and how many there were.
    pub(in crate::app) folding: (Folding, usize),
    /// What is shown, unless it is the document as it was written.
    pub shown: Option<Arranged>,
    /// Rows that pass the filter, and rows in all.
    pub counts: (usize, usize),
    /// How many of them the reader has not read, where that is known.
    pub unread: Option<usize>,
    /// What the page holds, where it is one of news.
    pub(in crate::app) roll: Option<Roll>,
    /// What was learnt when it was arranged.
    pub(in crate::app) learnt: Learnt,
    /// What is shown is not what is wished for, and nobody is at work on that.
    pub(in crate::app) stale: bool,
    /// The page has grown since anybody began to work on it.
    pub(in crate::app) grown: bool,
    /// How long the page was when that was begun last, and when it was.
    pub(in crate::app) begun: (usize, Duration),
    pub(in crate::app) work: Option<Work>,
    /// Of a picture, how it is looked at.
    pub picture: Pictured,
    /// The pictures in its text.
    pub illustrations: Illustrations,
    /// What stands below it of another page.
    pub(in crate::app) readme: Option<Arc<Readme>>,
}

/// What a directory says of itself, shown below its listing.
#[derive(Debug)]
pub(in crate::app) struct Readme {
    /// Its name.
    pub name: String,
    /// What its fetch said of it.
    pub head: Head,
    /// What it is.
    pub octets: Arc<[u8]>,
}

/// An arrangement in the making.
#[derive(Debug)]
pub(in crate::app) enum Work {
    /// It is being made under this number.
    Under(JobId),
    /// It is made, and not shown yet.
    Made(Box<Plan>),
}

impl Arrangement {
    /// An arrangement by wishes, of a page of which nothing has come yet, nor of its pictures.
    pub fn by(wishes: Wishes) -> Arrangement {
        Arrangement { wishes, stale: true, ..Arrangement::default() }
    }

    /// The same for a page that says the same; what is being made is made of the other one.
    pub(in crate::app) fn twin(&self) -> Arrangement {
        let illustrations = self.illustrations.twin();
        let without = illustrations.all.len() < self.illustrations.all.len();
        Arrangement {
            wishes: self.wishes.clone(),
            toggled: self.toggled.clone(),
            folding: self.folding,
            shown: self.shown.clone(),
            counts: self.counts,
            unread: self.unread,
            roll: self.roll.clone(),
            learnt: self.learnt.clone(),
            stale: self.stale || self.work.is_some() || without,
            grown: self.grown,
            begun: self.begun,
            work: None,
            picture: Pictured { job: None, tried: None, ..self.picture.clone() },
            illustrations,
            readme: self.readme.clone(),
        }
    }

    /// What is shown is not what is wished for any more; nor is what is being made.
    pub(in crate::app) fn anew(&mut self) {
        self.stale = true;
        self.work = None;
    }

    /// There is more of the page.
    pub(in crate::app) fn grow(&mut self) {
        self.grown = true;
    }

    /// How much memory it holds, in octets.
    pub(in crate::app) fn memory(&self) -> usize {
        let readme = self.readme.as_ref().map_or(0, |readme| readme.octets.len());
        self.shown.as_ref().map_or(0, Arranged::memory) + self.learnt.memory() + self.illustrations.memory() + readme
    }

    pub(in crate::app) fn job(&self) -> Option<JobId> {
        match self.work {
            Some(Work::Under(id)) => Some(id),
            Some(Work::Made(_)) | None => None,
        }
    }
}

impl Page {
    /// Where a place of the document as it was written is shown.
    pub(in crate::app) fn shown(&self, given: Place) -> Place {
        let Some(shown) = self.arrangement.shown.as_ref().filter(|_| given.top != Anchor::default()) else {
            return given;
        };
        let top = shown.shown_anchor(given.top).unwrap_or_default();
        Place { top, focus: given.focus.and_then(|link| shown.shown_link(link)), ..given }
    }

    /// Whether a place of the document as it was written is in it and shown.
    pub(in crate::app) fn shows(&self, given: Anchor) -> bool {
        let shown = self.arrangement.shown.as_ref();
        given == Anchor::default() || shown.is_none_or(|shown| shown.shown_anchor(given).is_some())
    }

    /// The document as it was written.
    pub fn given(&self) -> &Document {
        &self.given
    }

    /// The same, to be looked at elsewhere.
    pub(in crate::app) fn given_document(&self) -> &Arc<Document> {
        &self.given
    }

    /// What a shown link says in the document within the document that it stands in, and the bases there.
    pub(in crate::app) fn inset(&self, link: LinkId) -> Option<(&str, &BaseStack)> {
        let given = match &self.arrangement.shown {
            Some(shown) => shown.given_link(link)?,
            None => link,
        };
        self.given().inset(given)
    }

    /// Shows it in another way.
    pub(in crate::app) fn wish(&mut self, wishes: Wishes) {
        self.arrangement.wishes = wishes;
        self.arrangement.anew();
    }

    /// Whether its rows have an order of their own.
    pub fn has_rows(&self) -> bool {
        self.rows.is_some()
    }

    /// What a page of news holds, in the order in which it is read; `None` for other pages.
    pub(in crate::app) fn roll(&self) -> Option<Roll> {
        let arrangement = &self.arrangement;
        let now = || self.rows.as_ref()?.roll(&arrangement.wishes, &arrangement.learnt);
        arrangement.roll.clone().or_else(now)
    }

    /// Of a group's page: what stands near an article by its id.
    pub(in crate::app) fn kin(&self, id: &[u8]) -> Option<Kin> {
        self.rows.as_ref()?.kin(id, &self.arrangement.learnt)
    }

    /// Shows other text in the place of a link of the document as it was written; says what moved of what is shown.
    pub(in crate::app) fn rewrite(&mut self, link: LinkId, text: &str) -> Option<Shift> {
        let given = Arc::make_mut(&mut self.given).rewrite(link, text);
        // What is being made has the old text.
        if self.arrangement.work.is_some() {
            self.arrangement.anew();
        }
        match &mut self.arrangement.shown {
            Some(shown) => shown.rewrite(link, text),
            None => given,
        }
    }

    /// The same in a document that is not shown yet.
    pub(in crate::app) fn rewrite_given(&mut self, link: LinkId, text: &str) {
        Arc::make_mut(&mut self.given).rewrite(link, text);
    }

    /// The number by which a link of the document as it was written is shown.
    pub(in crate::app) fn shown_link(&self, given: LinkId) -> Option<LinkId> {
        self.arrangement.shown.as_ref().map_or(Some(given), |shown| shown.shown_link(given))
    }

    /// Whether there is work to do. Pages without rows, folds, filters and sorted tables never have any.
    pub(in crate::app) fn wants_arranging(&self) -> bool {
        let arrangement = &self.arrangement;
        // what stands around the content is open, unless the reader says otherwise
        let folds = !arrangement.toggled.is_empty() || self.given().folds.iter().any(|fold| !fold.kind.is_aside());
        let (wishes, pictures) = (&arrangement.wishes, &arrangement.illustrations.all);
        let plain =
            !self.has_rows() && !folds && wishes.filter.is_empty() && wishes.table.is_none() && pictures.is_empty();
        if plain && arrangement.shown.is_none() {
            return false;
        }
        arrangement.stale || arrangement.grown || arrangement.work.is_some()
    }

    /// Whether what is shown is what is wished for.
    pub(in crate::app) fn is_arranged(&self) -> bool {
        !self.wants_arranging()
    }

    /// Whether it is to be arranged now: at once by other wishes, and now and then while it grows.
    pub(in crate::app) fn is_due(&self) -> bool {
        self.arrangement.stale || self.arrangement.work.is_none() && self.has_grown()
    }

    /// Whether there is more of it than was put in order, now and then while it grows, and nobody is at work on that.
    pub(in crate::app) fn has_grown(&self) -> bool {
        let (before, then) = self.arrangement.begun;
        let size = self.given().blocks().len();
        let often = size >= before + before / PART || self.elapsed >= then + LATEST;
        let free = self.arrangement.grown && self.arrangement.job().is_none();
        free && (self.state != PageState::Arriving || often)
    }

    /// Whether all that has come of it is known in its order.
    pub(in crate::app) fn is_settled(&self) -> bool {
        self.state != PageState::Arriving && !self.arrangement.grown && self.arrangement.job().is_none()
    }

    /// It was arranged, and is not shown so yet. What it holds is known at once.
    pub(in crate::app) fn made(&mut self, plan: Plan) {
        let arrangement = &mut self.arrangement;
        (arrangement.roll, arrangement.learnt) = (plan.roll.clone(), plan.learnt.clone());
        arrangement.work = Some(Work::Made(Box::new(plan)));
    }

    /// What is to be done to arrange it. `here` is the link under focus.
    pub(in crate::app) fn arrange(&mut self, key: &str, here: Option<LinkId>) -> Arrange {
        let arrangement = &mut self.arrangement;
        arrangement.wishes.reading.here = here;
        (arrangement.stale, arrangement.grown, arrangement.work) = (false, false, None);
        arrangement.begun = (self.given.blocks().len(), self.elapsed);
        Arrange {
            given: Arc::clone(&self.given),
            rows: self.rows.clone(),
            wishes: arrangement.wishes.clone(),
            toggled: arrangement.toggled.clone(),
            below: arrangement.illustrations.below(),
            key: key.into(),
            learnt: arrangement.learnt.clone(),
        }
    }

    pub(in crate::app) fn show(&mut self, plan: Plan) {
        let Plan { shown, passed, rows, unread, roll, learnt } = plan;
        let arrangement = &mut self.arrangement;
        arrangement.counts = (passed, rows);
        (arrangement.shown, arrangement.unread, arrangement.roll, arrangement.learnt) = (shown, unread, roll, learnt);
    }
}

//! What becomes of a page's tree while it grows: the document that the walk writes, and what is noted on the way.
//!
//! The walk goes on after a tag, never in the middle of a text, so a document never depends on how its octets were cut. After
//! tags within lines it goes on every now and then only: most of them settle nothing.

use super::dom::Dom;
use super::head::Head;
use super::name::Tag;
use super::walk::{End, Walk};
use crate::doc::Builder;
use std::cell::{Cell, RefCell};

/// The tags within lines after which the walk goes on.
const MOST_WAITING: u32 = 16;

/// A page that is being written.
pub(super) struct Page {
    pub walk: RefCell<Walk>,
    out: RefCell<Builder>,
    /// Tags were left out because the page nests too deep.
    pub deep: Cell<bool>,
    /// The first charset that the page declares.
    pub declared: RefCell<Option<String>>,
    /// Tags that the walk did not follow yet.
    waiting: Cell<u32>,
}

impl Page {
    pub fn new(head: Head) -> Page {
        Page {
            walk: RefCell::new(Walk::new(head)),
            out: RefCell::default(),
            deep: Cell::new(false),
            declared: RefCell::default(),
            waiting: Cell::new(0),
        }
    }

    /// Gives the document to the walk, or takes it back.
    pub fn exchange(&self, out: &mut Builder) {
        std::mem::swap(&mut *self.out.borrow_mut(), out);
    }

    /// Walks the tree as far as it is settled, or to its end.
    pub fn walk(&self, dom: &mut Dom, end: End) {
        self.walk.borrow_mut().advance(dom, &mut self.out.borrow_mut(), end);
    }

    /// Follows a tag that the tree has taken.
    pub fn follow(&self, dom: &mut Dom, name: Tag) {
        self.waiting.set(self.waiting.get() + 1);
        if !name.is_phrase() || self.waiting.get() >= MOST_WAITING {
            self.waiting.set(0);
            self.walk(dom, End::More);
        }
    }

    /// Writes what still waits when everything was walked.
    pub fn finish(&self, out: &mut Builder) {
        self.walk.borrow_mut().finish(out);
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.walk.borrow().memory()
    }
}

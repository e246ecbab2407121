//! What a page hides where no fold can stand: within a line, in a table, in a link. It waits for the end of the block or of
//! the table, and then stands behind a single closed fold after it that says what hid it, each element on a line of its own.

use super::dom::{Dom, Id, NONE};
use super::element::Exit;
use super::flow::{Style, White};
use super::name::Tag;
use super::table::Grid;
use super::walk::{Frame, Walk};
use crate::doc::Builder;
use crate::role::Role;
use std::collections::VecDeque;

/// The most reasons that are named on a line.
const MOST_REASONS: usize = 3;

/// What waits to be shown.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    waiting: VecDeque<(Id, Tag, Style)>,
    /// What hid it, each reason once.
    why: Vec<String>,
    /// Its fold has begun: what is hidden in it stands in the same.
    open: bool,
    /// The content of the page was to begin when the fold began.
    content: bool,
}

impl Gathered {
    /// Takes an element that is hidden.
    pub fn take(&mut self, id: Id, tag: Tag, why: &str, style: Style) {
        let block = if style.heading > 0 { Role::Text } else { style.block };
        self.waiting.push_back((id, tag, Style { link: None, heading: 0, caption: None, block, ..style }));
        if self.why.len() <= MOST_REASONS && !self.why.iter().any(|known| known == why) {
            self.why.push(why.into());
        }
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.waiting.capacity() * size_of::<(Id, Tag, Style)>()
    }

    fn reasons(&mut self) -> String {
        let mut why = std::mem::take(&mut self.why);
        if why.len() > MOST_REASONS {
            why[MOST_REASONS] = "…".into();
        }
        why.join(", ")
    }
}

impl Walk {
    /// Begins the fold of what waits, before the block ends or another begins; says whether it has begun, and is walked now.
    pub(super) fn reveal(&mut self, out: &mut Builder) -> bool {
        let data = self.flow.is_in_cell() || self.grids.iter().any(|grid| matches!(grid, Grid::Data(_)));
        if self.gathered.open || data {
            return false;
        }
        let Some((_, _, style)) = self.gathered.waiting.front().copied() else { return false };
        let why = self.gathered.reasons();
        self.gathered.content = self.flow.take_content();
        if !self.begin_hidden(&why, style, out) {
            self.gathered.waiting.clear();
            return false;
        }
        self.gathered.open = true;
        self.push(Frame { id: NONE, last: NONE, settled: true, style, exit: Exit::Gathered });
        true
    }

    /// Goes into the next element in the fold; ends it after the last one.
    pub(super) fn reveal_next(&mut self, dom: &Dom, out: &mut Builder) {
        self.flow.end_block();
        if let Some((id, tag, style)) = self.gathered.waiting.pop_front() {
            if let Some((style, exit)) = self.enter_shown(dom, id, tag, Style { white: White::Fold, ..style }, out) {
                self.push(Frame { id, last: NONE, settled: true, style, exit });
            }
            return;
        }
        self.pop();
        out.end_fold();
        self.gathered.open = false;
        self.gathered.why.clear();
        if std::mem::take(&mut self.gathered.content) {
            self.flow.begin_content();
        }
    }
}

//! `Layout`: the lines of a document at a width, only near the place that is asked for.
//!
//! Every question costs as much as the lines it is about plus one block (one chunk of a long block, see [`super::wrap`]),
//! wherever in the document it is asked. Nothing is remembered between questions.

use super::table::Known;
use super::unit::{Shown, Unit};
use super::{Anchor, Document, LinkId, Marks, columns};
use crate::doc::index;
use crate::role::Role;
use crate::stop::Stop;
use std::borrow::Cow;
use std::ops::Range;

/// Whether long lines of `Line` blocks wrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// They wrap at the width.
    #[default]
    On,
    /// They run on; the reader scrolls sideways.
    Off,
    /// They wrap at the width, but a URL that is longer stays whole and runs over the edge, for programs that read the text; in
    /// the columns of tables any word does.
    WholeUrls,
}

/// How a document is set. Plain data: making one costs nothing, so a resize is just another layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the page.
    pub width: u16,
    /// Columns of prose, where the page is wider; `None` sets it as wide as the page. Prose is what flows (paragraphs, items,
    /// headings, rules), and lines of a text that are much longer and that nobody set by hand.
    pub measure: Option<u16>,
    /// Wrap of `Line` blocks. Tables are as wide as their words need, whatever it is.
    pub wrap: Wrap,
    /// How markers are written.
    pub marks: Marks,
}

/// A piece of a line in one look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'a> {
    /// What is shown: sliced from the document where possible; TABs are spaces already.
    pub text: Cow<'a, str>,
    /// Its look.
    pub role: Role,
    /// The link it belongs to.
    pub link: Option<LinkId>,
    /// Octet offset in the document's text of its first octet, when it is a verbatim slice of it.
    pub at: Option<u32>,
    /// The row of a figure, whose link it has; then it is blank.
    pub row: Option<u16>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// The place of its first character.
    pub anchor: Anchor,
    /// What stands on it, left to right.
    pub segments: Vec<Segment<'a>>,
}

/// Where in the document the screen stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScrollPosition {
    /// The whole document is on the screen.
    All,
    /// The first line is.
    Top,
    /// The last line is.
    Bottom,
    /// Of the text that is not on the screen, this many parts of a hundred are above it.
    Percent(u8),
}

impl std::fmt::Display for ScrollPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ScrollPosition::All => f.write_str("All"),
            ScrollPosition::Top => f.write_str("Top"),
            ScrollPosition::Bottom => f.write_str("Bot"),
            ScrollPosition::Percent(part) => write!(f, "{part}%"),
        }
    }
}

impl Segment<'_> {
    /// The columns it takes.
    pub fn width(&self) -> usize {
        columns(&self.text)
    }

    /// The octets of the document's text it shows, when it is a verbatim slice of it.
    pub fn range(&self) -> Option<Range<usize>> {
        self.at.map(|at| at as usize..at as usize + self.text.len())
    }
}

impl Line<'_> {
    /// The columns it takes.
    pub fn width(&self) -> usize {
        self.segments.iter().map(Segment::width).sum()
    }

    /// The octets of the document's text within which its verbatim segments are. In tables they need not be in order.
    pub fn range(&self) -> Option<Range<usize>> {
        let ranges = self.segments.iter().filter_map(Segment::range);
        ranges.reduce(|all, next| all.start.min(next.start)..all.end.max(next.end))
    }
}

impl Layout {
    /// Whether what only eyes need is drawn: bullets, bars beside quotes, an indent before program text, columns of tables beside
    /// each other. Who copies a text or listens to it has none of it.
    pub(super) fn is_drawn(&self) -> bool {
        self.marks != Marks::Plain && self.wrap != Wrap::WholeUrls
    }

    /// The lines from the one that holds `from`, at most `rows`.
    pub fn lines<'a>(&self, document: &'a Document, from: Anchor, rows: usize) -> Vec<Line<'a>> {
        let mut lines = Vec::with_capacity(rows.min(512));
        self.each_line(document, from, rows, |shown| lines.push(shown.line(None)));
        lines
    }

    /// As [`Layout::lines`], with lines that do not wrap, and tables that are wider than the page, shown from a column on; of a
    /// table there is always as much to see as fits. A wide character that the left edge cuts is a space; one that the right
    /// edge would cut is not shown.
    pub fn lines_scrolled<'a>(&self, document: &'a Document, from: Anchor, rows: usize, column: u16) -> Vec<Line<'a>> {
        let mut lines = Vec::with_capacity(rows.min(512));
        self.each_line(document, from, rows, |shown| lines.push(shown.line(Some(column))));
        lines
    }

    /// The columns of the widest of these lines, were the screen wide enough for lines that do not wrap and for tables.
    pub fn widest(&self, document: &Document, from: Anchor, rows: usize) -> usize {
        let mut widest = 0;
        self.each_line(document, from, rows, |shown| widest = widest.max(shown.width()));
        widest
    }

    /// Whether the lines around a place may run on past the edge of the page.
    pub fn is_wide_at(&self, document: &Document, place: Anchor) -> bool {
        clamp(document, place).is_some_and(|place| Unit::new(self, document, place.block, &mut None).is_wide())
    }

    /// The column where a place stands, were the screen wide enough for lines that do not wrap and for tables.
    pub fn column_of(&self, document: &Document, place: Anchor) -> usize {
        let Some(place) = clamp(document, place) else { return 0 };
        let start = self.line_start(document, place);
        Unit::new(self, document, place.block, &mut None).column_of(start, place)
    }

    /// The line start `count` lines below the line that holds `from`; stops at the last line.
    pub fn down(&self, document: &Document, from: Anchor, count: usize) -> Anchor {
        self.step(document, from, count).0
    }

    /// The line start `count` lines above the line that holds `from`; stops at the first line.
    pub fn up(&self, document: &Document, from: Anchor, count: usize) -> Anchor {
        let Some(from) = clamp(document, from) else { return Anchor::default() };
        let mut known = None;
        let mut unit = Unit::new(self, document, from.block, &mut known);
        let mut starts = Vec::new();
        let mut above = unit.starts_until(from, &mut starts);
        let mut left = count;
        loop {
            if let Some(at) = starts.len().checked_sub(left.saturating_add(1)) {
                return starts[at];
            }
            left -= starts.len();
            above = match (above, unit.blocks().start.checked_sub(1)) {
                (Some(place), _) => unit.starts_until(place, &mut starts),
                (None, Some(block)) => {
                    unit = Unit::new(self, document, block, &mut known);
                    unit.starts_until(Anchor { block: u32::MAX, offset: u32::MAX }, &mut starts)
                }
                (None, None) => return Anchor::default(),
            };
        }
    }

    /// The line start such that the last line of the document is the last of `rows` lines.
    pub fn bottom(&self, document: &Document, rows: usize) -> Anchor {
        self.up(document, Anchor { block: u32::MAX, offset: u32::MAX }, rows.saturating_sub(1))
    }

    /// The start of the line that holds `anchor`.
    pub fn line_start(&self, document: &Document, anchor: Anchor) -> Anchor {
        self.up(document, anchor, 0)
    }

    /// Where the screen stands, by the amount of text above and below it.
    pub fn percent(&self, document: &Document, top: Anchor, rows: usize) -> ScrollPosition {
        let first = self.line_start(document, top);
        let rows = rows.max(1);
        let (end, steps) = self.step(document, first, rows);
        match (first == Anchor::default(), steps < rows) {
            (true, true) => ScrollPosition::All,
            (true, false) => ScrollPosition::Top,
            (false, true) => ScrollPosition::Bottom,
            (false, false) => {
                // a block counts one more than its text, as its line break would, or blank lines would count nothing
                let weight = |anchor: Anchor| document.offset_of(anchor) as u64 + u64::from(anchor.block);
                let above = weight(first);
                let below = (document.text().len() as u64 + document.blocks().len() as u64).saturating_sub(weight(end));
                ScrollPosition::Percent((above * 100 / (above + below).max(1)).min(99) as u8)
            }
        }
    }

    /// The line start at most `count` lines below the line that holds `from`, and how many lines below it is.
    fn step(&self, document: &Document, from: Anchor, count: usize) -> (Anchor, usize) {
        let mut found = (Anchor::default(), 0);
        let mut seen = 0;
        self.each_line(document, from, count.saturating_add(1), |shown| {
            found = (shown.anchor(), seen);
            seen += 1;
        });
        found
    }

    /// The whole document as it reads on paper, a line break behind each line and no spaces before it; `None` when that was given
    /// up.
    pub fn print(&self, document: &Document, stop: &Stop) -> Option<String> {
        /// Lines between two looks at whether they are still wanted.
        const PIECE: usize = 256;
        let (mut text, mut seen) = (String::new(), 0_usize);
        self.lines_while(document, Anchor::default(), usize::MAX, |shown| {
            let start = text.len();
            shown.line(None).segments.iter().for_each(|segment| text.push_str(&segment.text));
            text.truncate(text.trim_end().len().max(start));
            text.push('\n');
            seen += 1;
            !seen.is_multiple_of(PIECE) || !stop.is_given_up()
        });
        stop.go_on()?;
        Some(text)
    }

    /// Visits the lines from the one that holds `from`.
    fn each_line<'a>(&self, document: &'a Document, from: Anchor, rows: usize, mut visit: impl FnMut(Shown<'_, 'a>)) {
        self.lines_while(document, from, rows, |shown| {
            visit(shown);
            true
        });
    }

    /// Visits them for as long as that is wanted.
    fn lines_while<'a>(
        &self,
        document: &'a Document,
        from: Anchor,
        rows: usize,
        mut visit: impl FnMut(Shown<'_, 'a>) -> bool,
    ) {
        if rows == 0 || clamp(document, from).is_none() {
            return;
        }
        let mut start = self.line_start(document, from);
        let (mut left, mut known): (usize, Known) = (rows, None);
        while (start.block as usize) < document.blocks().len() {
            let unit = Unit::new(self, document, start.block, &mut known);
            for shown in unit.from(start).take(left) {
                if !visit(shown) {
                    return;
                }
                left -= 1;
            }
            if left == 0 {
                return;
            }
            start = Anchor { block: unit.blocks().end, offset: 0 };
        }
    }
}

/// An anchor within the document; `None` when the document is empty.
fn clamp(document: &Document, anchor: Anchor) -> Option<Anchor> {
    let last = index(document.blocks().len()).checked_sub(1)?;
    Some(if anchor.block > last { Anchor { block: last, offset: u32::MAX } } else { anchor })
}

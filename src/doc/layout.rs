//! `Layout`: the lines of a document at a width, only near the place that is asked for.

use super::{Anchor, Document, LinkId, Marks};
use crate::role::Role;
use std::borrow::Cow;

/// Whether long lines of `Line` blocks wrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// They wrap at the width.
    #[default]
    On,
    /// They run on; the reader scrolls sideways.
    Off,
}

/// How a document is set. Plain data: making one costs nothing, so a resize is just another layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the page.
    pub width: u16,
    /// Wrap of `Line` blocks.
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
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// The place of its first character.
    pub anchor: Anchor,
    /// What stands on it, left to right.
    pub segments: Vec<Segment<'a>>,
}

impl Layout {
    /// The lines from the one that holds `from`, at most `rows`.
    pub fn lines<'a>(&self, document: &'a Document, from: Anchor, rows: usize) -> Vec<Line<'a>> {
        (from.block..document.blocks().len() as u32)
            .take(rows)
            .map(|block| Line {
                anchor: Anchor { block, offset: 0 },
                segments: vec![Segment {
                    text: Cow::Borrowed(document.block_text(block)),
                    role: document.blocks()[block as usize].role,
                    link: None,
                    at: Some(document.blocks()[block as usize].start),
                }],
            })
            .collect()
    }

    /// The line start `count` lines below the line that holds `from`; stops at the last line.
    pub fn down(&self, document: &Document, from: Anchor, count: usize) -> Anchor {
        let last = document.blocks().len().saturating_sub(1);
        Anchor { block: (from.block as usize + count).min(last) as u32, offset: 0 }
    }

    /// The line start `count` lines above the line that holds `from`; stops at the first line.
    pub fn up(&self, document: &Document, from: Anchor, count: usize) -> Anchor {
        let _ = document;
        Anchor { block: from.block.saturating_sub(count as u32), offset: 0 }
    }

    /// The line start such that the last line of the document is the last of `rows` lines.
    pub fn bottom(&self, document: &Document, rows: usize) -> Anchor {
        let last = Anchor { block: document.blocks().len().saturating_sub(1) as u32, offset: u32::MAX };
        self.up(document, last, rows.saturating_sub(1))
    }

    /// The start of the line that holds `anchor`.
    pub fn line_start(&self, document: &Document, anchor: Anchor) -> Anchor {
        self.up(document, anchor, 0)
    }
}

//! The pictures in the text of the page in view, where they stand on the screen.

use super::Sight;
use crate::app::Page;
use crate::app::page::illustration::Room;
use crate::doc::{Canvas, LinkId};
use crate::picture::{Drawing, Frame, Protocol};

/// What is seen of a picture in a text.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The link that names it, in the document as it was written.
    pub(in crate::app) link: LinkId,
    /// Where it begins on the page as it is seen: column, row.
    pub at: (u16, u16),
    /// Columns and rows that are seen.
    pub cells: (u16, u16),
    /// Rows of it above these.
    pub above: u16,
    /// What is to be drawn: all of it, or what is seen where no part of that can be put on the screen.
    pub(in crate::app) frame: Frame,
    /// What was drawn of it last.
    pub drawing: Option<Drawing>,
}

impl Placed {
    /// Whether this is what is to be drawn: what is painted past the cells must be, what is cells must be as large.
    pub fn is_drawn(&self, drawing: &Drawing) -> bool {
        if drawing.is_past_cells() { drawing.frame == self.frame } else { drawing.frame.cells == self.frame.cells }
    }
}

impl<'a> Sight<'a> {
    fn illustrated(self) -> Option<&'a Page> {
        let page = self.entry()?.page.as_deref()?;
        (!page.arrangement.illustrations.all.is_empty() && self.desk.draws_pictures()).then_some(page)
    }

    /// How large cells are, and the rows that a picture in a text may take: it is seen whole, with the line that names it.
    pub(in crate::app) fn illustration_room(self) -> Room {
        let rows = u16::try_from(self.page_rows().saturating_sub(1)).unwrap_or(u16::MAX).max(1);
        (self.desk.graphics().cell, rows)
    }

    /// Those that are on the screen, from top to bottom.
    pub fn illustrations(self) -> Vec<Placed> {
        let Some((page, entry)) = self.illustrated().zip(self.entry()) else { return Vec::new() };
        let document = page.document();
        let figures = document.figures();
        let lines = self.layout().lines_scrolled(document, entry.top, self.page_rows(), entry.left);
        let mut placed: Vec<Placed> = Vec::new();
        for (y, line) in (0_u16..).zip(&lines) {
            let mut x = 0_u16;
            for segment in &line.segments {
                let columns = crate::doc::cells(segment.width());
                if let (Some(row), Some(link)) = (segment.row, segment.link)
                    && let Some(figure) = figures.iter().find(|figure| figure.link == link)
                    && let Some(given) = entry.given_link(link)
                {
                    match placed.iter_mut().rev().find(|placed| placed.link == given) {
                        Some(placed) => placed.cells.1 += 1,
                        None => placed.extend(self.placed(page, given, figure.canvas, (x, y), (columns, row))),
                    }
                }
                x = x.saturating_add(columns);
            }
        }
        let protocol = self.desk.graphics().protocol;
        for one in &mut placed {
            let Some(figure) = figures.iter().find(|figure| entry.given_link(figure.link) == Some(one.link)) else {
                continue;
            };
            // What is cells is drawn once and put there in part.
            let rows = match protocol {
                Protocol::Blocks | Protocol::Kitty => 0..figure.canvas.cells(one.cells.0.into()).1,
                Protocol::Sixel | Protocol::Iterm2 => one.above..one.above + one.cells.1,
            };
            one.frame = figure.canvas.frame(one.cells.0, rows);
        }
        placed
    }

    /// The first row that is seen of a picture; nothing where it stands in a table that is wider than the screen, and is cut.
    fn placed(
        self,
        page: &Page,
        link: LinkId,
        canvas: Canvas,
        at: (u16, u16),
        (columns, above): (u16, u16),
    ) -> Option<Placed> {
        let here = page.picture_in_text(link)?;
        let whole = canvas.cells(columns.into()).0 == columns;
        let frame = canvas.frame(columns, 0..1);
        whole.then(|| Placed { link, at, cells: (columns, 1), above, frame, drawing: here.drawing.clone() })
    }

    /// Whether there is a picture on the screen, or may be one: the page is one, or shows some in its text.
    pub fn has_pictures(self) -> bool {
        let shows = |page: &Page| !page.document().figures().is_empty();
        self.picture().is_some() || self.illustrated().is_some_and(shows)
    }
}

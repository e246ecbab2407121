//! The picture that is the page in view, and the room that it has.

use super::{Desk, Sight};
use crate::app::{Page, PageState, Pictured};
use crate::config::Pictures;
use crate::doc::ScrollPosition;
use crate::picture::{Frame, Graphics, Picture, Protocol};

impl Desk {
    /// What the terminal can show, or is to be shown by the settings.
    pub fn graphics(&self) -> Graphics {
        let (can, cell) = self.graphics;
        let wanted = match self.settings.pictures {
            Pictures::Auto => can,
            Pictures::Kitty => Protocol::Kitty,
            Pictures::Sixel => Protocol::Sixel,
            Pictures::Iterm2 => Protocol::Iterm2,
            Pictures::Blocks | Pictures::Never => Protocol::Blocks,
        };
        Graphics::new(wanted, cell)
    }

    /// Whether pictures are drawn at all.
    pub(in crate::app) fn draws_pictures(&self) -> bool {
        self.settings.pictures != Pictures::Never && !self.settings.speech
    }
}

impl<'a> Sight<'a> {
    fn pictured_page(self) -> Option<&'a Page> {
        self.entry()?.page.as_deref().filter(|page| page.given.picture.is_some() && self.desk.draws_pictures())
    }

    /// The picture that the page in view is, where it is drawn.
    pub fn picture(self) -> Option<&'a Picture> {
        self.pictured_page()?.given.picture.as_ref()
    }

    /// How it is looked at, and what was drawn of it.
    pub fn pictured(self) -> Option<&'a Pictured> {
        self.pictured_page().map(|page| &page.arrangement.picture)
    }

    /// Columns and rows for it, below the words of the page and what may be said of their end.
    pub(in crate::app) fn picture_room(self) -> (u16, u16) {
        let rows = self.page_rows();
        (self.page_columns(), u16::try_from(rows).unwrap_or(u16::MAX).saturating_sub(self.picture_top()))
    }

    /// Rows of the page above it.
    pub fn picture_top(self) -> u16 {
        let Some(page) = self.pictured_page() else { return 0 };
        let words = self.layout().lines(&page.given, Default::default(), self.page_rows()).len();
        let torn = usize::from(page.state != PageState::Complete);
        u16::try_from(words + torn).unwrap_or(u16::MAX)
    }

    /// Where in the page the screen stands: in its text, or from the top of its picture to its foot.
    pub fn position(self) -> Option<ScrollPosition> {
        let entry = self.entry()?;
        let Some((picture, frame)) = self.picture().zip(self.picture_frame()) else {
            return Some(self.layout().percent(entry.document()?, entry.top, self.page_rows()));
        };
        let (above, all) = (frame.part[1], picture.height());
        let below = all.saturating_sub(above + frame.part[3]);
        Some(match (above, below) {
            (0, 0) => ScrollPosition::All,
            (0, _) => ScrollPosition::Top,
            (_, 0) => ScrollPosition::Bottom,
            (above, below) => {
                let part = u64::from(above) * 100 / (u64::from(above) + u64::from(below));
                ScrollPosition::Percent(u8::try_from(part).unwrap_or(99).min(99))
            }
        })
    }

    /// What of it is to be drawn.
    pub(in crate::app) fn picture_frame(self) -> Option<Frame> {
        let picture = self.picture()?;
        let (size, cell) = ((picture.width(), picture.height()), self.desk.graphics().cell);
        self.pictured()?.view.frame(size, self.picture_room(), cell)
    }
}

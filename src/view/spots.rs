//! What stands where on the screen that was drawn last, for the mouse; and where the focus is, for the terminal's cursor: readers
//! of braille and of speech know by it what a key would act on.

use crate::app::Spot;
use ratatui::layout::{Position, Rect};

/// The spots of a screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spots {
    places: Vec<(Rect, Spot)>,
    focus: Option<Position>,
}

impl Spots {
    /// Something stands there now, over whatever did before.
    pub(super) fn mark(&mut self, area: Rect, spot: Spot) {
        if !area.is_empty() {
            self.places.push((area, spot));
        }
    }

    /// The focus is there, over wherever it was below.
    pub(super) fn focus_at(&mut self, x: u16, y: u16) {
        self.focus = Some(Position { x, y });
    }

    /// Where the focus is: what a key acts on, or where letters go.
    pub fn focus(&self) -> Option<Position> {
        self.focus
    }

    /// What stands at a place.
    pub fn at(&self, column: u16, row: u16) -> Option<Spot> {
        let holds = |area: &Rect| area.contains(Position { x: column, y: row });
        self.places.iter().rev().find(|(area, _)| holds(area)).map(|(_, spot)| *spot)
    }
}

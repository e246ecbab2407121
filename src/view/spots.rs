//! What stands where on the screen that was drawn last, for the mouse.

use crate::app::Spot;
use ratatui::layout::{Position, Rect};

/// The spots of a screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spots(Vec<(Rect, Spot)>);

impl Spots {
    /// Something stands there now, over whatever did before.
    pub(super) fn mark(&mut self, area: Rect, spot: Spot) {
        if !area.is_empty() {
            self.0.push((area, spot));
        }
    }

    /// What stands at a place.
    pub fn at(&self, column: u16, row: u16) -> Option<Spot> {
        let holds = |area: &Rect| area.contains(Position { x: column, y: row });
        self.0.iter().rev().find(|(area, _)| holds(area)).map(|(_, spot)| *spot)
    }
}

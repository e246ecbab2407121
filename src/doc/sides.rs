//! `Sides`: which edge a block keeps to, and where the bars of the quotes stand that it is in; one octet for both.

use super::Align;

/// Which edge of the page, or of the cell that it stands in, a block keeps to in flowing text, and the bars of quotes before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sides(u8);

/// Bits of the edge.
const EDGE: u8 = 0b11;
/// Levels of indent at which bars are kept: of quotes further in there are none.
const LEVELS: u8 = 6;

impl Sides {
    /// The left edge, and no bars.
    pub const NONE: Sides = Sides(0);

    /// The indent that holds all bars, in levels.
    pub fn levels(self) -> u8 {
        self.bars().last().map_or(0, |level| level + 1)
    }

    /// The edge.
    pub fn align(self) -> Align {
        match self.0 & EDGE {
            0 => Align::Left,
            1 => Align::Right,
            _ => Align::Center,
        }
    }

    /// The same with another edge.
    pub fn with(self, align: Align) -> Sides {
        Sides(self.0 & !EDGE | align as u8)
    }

    /// The same with one bar more, at a level of indent.
    pub fn barred(self, level: u8) -> Sides {
        if level < LEVELS { Sides(self.0 | 1 << (level + 2)) } else { self }
    }

    /// The bars that two have in common, without an edge: what goes on from one block to the next.
    pub fn common(self, other: Sides) -> Sides {
        Sides(self.0 & other.0 & !EDGE)
    }

    /// The same with all bars so many levels further in.
    pub(super) fn shifted(self, levels: u8) -> Sides {
        let bars = u16::from(self.0 & !EDGE) << levels.min(LEVELS);
        Sides(self.0 & EDGE | u8::try_from(bars & u16::from(u8::MAX)).unwrap_or(0))
    }

    /// The levels at which bars stand, from the left.
    pub(super) fn bars(self) -> impl Iterator<Item = u8> {
        (0..LEVELS).filter(move |level| self.0 & 1 << (level + 2) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_and_bars_share_an_octet() {
        let sides = Sides::default().barred(1).with(Align::Center).barred(3).barred(7);
        assert_eq!((sides.align(), sides.bars().collect::<Vec<_>>()), (Align::Center, vec![1, 3]));
        assert_eq!(sides.shifted(2).bars().collect::<Vec<_>>(), [3, 5]);
        assert_eq!(sides.shifted(9).bars().count(), 0);
        let common = sides.common(Sides::default().barred(3));
        assert_eq!((common.align(), common.bars().collect::<Vec<_>>()), (Align::Left, vec![3]));
        assert_eq!(sides.with(Align::Right).align(), Align::Right);
    }
}

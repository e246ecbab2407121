//! How a picture is looked at: how large, and which part of it; and what that comes to in the cells of a screen.

/// How large a picture may be, in hundredths of what fits into the width.
const ZOOMS: [u32; 13] = [10, 17, 25, 35, 50, 70, 100, 150, 200, 300, 400, 800, 1600];
/// That which fits.
const FITS: usize = 6;
/// A place in a picture from edge to edge.
const WHOLE: u64 = 10_000;

/// How a picture is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Which of [`ZOOMS`].
    zoom: usize,
    /// What of the picture is left and above of what is seen, in parts of [`WHOLE`].
    left: u64,
    top: u64,
}

/// Into the width, from its beginning.
impl Default for View {
    fn default() -> View {
        View { zoom: FITS, left: 0, top: 0 }
    }
}

/// A step of the reader's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Larger.
    In,
    /// Smaller.
    Out,
    /// As at first.
    Fit,
    /// Along it, in halves of what is seen: to the right, down.
    By(i32, i32),
}

/// What of a picture is drawn, and how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Columns and rows that it takes.
    pub cells: (u16, u16),
    /// Pixels that it takes of the screen.
    pub pixels: (u32, u32),
    /// The part of the picture: where it begins, and how large that is.
    pub part: [u32; 4],
}

impl View {
    /// How large the picture is shown, in hundredths of what fits into the width.
    pub fn percent(self) -> u32 {
        ZOOMS.get(self.zoom).copied().unwrap_or(100)
    }

    /// The view of a picture of so many pixels after a step, in a room of so many columns and rows, whose cells are so large.
    #[must_use]
    pub fn after(self, step: Step, size: (u32, u32), room: (u16, u16), cell: (u16, u16)) -> View {
        let (full, seen) = (self.full(size, room, cell), self.seen(size, room, cell));
        let middle = |start: u64, full: u64, seen: u64| start + share(seen / 2, full);
        match step {
            Step::Fit => View::default(),
            Step::In | Step::Out => {
                let zoom =
                    if step == Step::In { (self.zoom + 1).min(ZOOMS.len() - 1) } else { self.zoom.saturating_sub(1) };
                // what is in the middle stays there
                let (x, y) = (middle(self.left, full.0, seen.0), middle(self.top, full.1, seen.1));
                let there = View { zoom, ..self };
                let (full, seen) = (there.full(size, room, cell), there.seen(size, room, cell));
                let start = |at: u64, full: u64, seen: u64| at.saturating_sub(share(seen / 2, full));
                View { left: start(x, full.0, seen.0), top: start(y, full.1, seen.1), zoom }.within(full, seen)
            }
            Step::By(right, down) => {
                let by = |start: u64, steps: i32, full: u64, seen: u64| {
                    let way = share(seen / 2, full).max(1).saturating_mul(u64::from(steps.unsigned_abs()));
                    if steps < 0 { start.saturating_sub(way) } else { start.saturating_add(way) }
                };
                let (left, top) = (by(self.left, right, full.0, seen.0), by(self.top, down, full.1, seen.1));
                View { left, top, ..self }.within(full, seen)
            }
        }
    }

    /// What is drawn of a picture of so many pixels; `None` where there is no room.
    pub fn frame(self, size: (u32, u32), room: (u16, u16), cell: (u16, u16)) -> Option<Frame> {
        if [room.0, room.1, cell.0, cell.1].contains(&0) || size.0 == 0 || size.1 == 0 {
            return None;
        }
        let (full, seen) = (self.full(size, room, cell), self.seen(size, room, cell));
        let view = self.within(full, seen);
        // where a part of the picture begins that is seen, and how much of it that is
        let part = |start: u64, full: u64, seen: u64, size: u32| {
            let size = u64::from(size);
            let length = (seen * size).div_ceil(full).clamp(1, size);
            let from = if start < last(full, seen) { start * size / WHOLE } else { size };
            (narrow(from.min(size - length)), narrow(length))
        };
        let ((x, width), (y, height)) =
            (part(view.left, full.0, seen.0, size.0), part(view.top, full.1, seen.1, size.1));
        let cells = |seen: u64, cell: u16| u16::try_from(seen.div_ceil(u64::from(cell))).unwrap_or(u16::MAX);
        let pixels = (narrow(seen.0), narrow(seen.1));
        Some(Frame { cells: (cells(seen.0, cell.0), cells(seen.1, cell.1)), pixels, part: [x, y, width, height] })
    }

    /// Pixels of all of it on the screen.
    fn full(self, (width, height): (u32, u32), room: (u16, u16), cell: (u16, u16)) -> (u64, u64) {
        let (width, height) = (u64::from(width).max(1), u64::from(height));
        let fits = width.min(u64::from(room.0) * u64::from(cell.0));
        let wide = (fits * u64::from(self.percent()) / 100).max(1);
        (wide, (wide * height / width).max(1))
    }

    /// Pixels of what is seen of it.
    fn seen(self, size: (u32, u32), room: (u16, u16), cell: (u16, u16)) -> (u64, u64) {
        let full = self.full(size, room, cell);
        let most = |room: u16, cell: u16| (u64::from(room) * u64::from(cell)).max(1);
        (full.0.min(most(room.0, cell.0)), full.1.min(most(room.1, cell.1)))
    }

    /// The same, where nothing is seen beyond an edge.
    fn within(self, full: (u64, u64), seen: (u64, u64)) -> View {
        View { left: self.left.min(last(full.0, seen.0)), top: self.top.min(last(full.1, seen.1)), ..self }
    }
}

/// Where what is seen begins at the very end.
fn last(full: u64, seen: u64) -> u64 {
    (full - seen.min(full)) * WHOLE / full
}

/// A part of all, in parts of [`WHOLE`].
fn share(part: u64, all: u64) -> u64 {
    part * WHOLE / all.max(1)
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

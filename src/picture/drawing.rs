//! A part of a picture as a terminal gets it: written once for a size, and put on the screen as often as that is drawn.

use super::{Frame, Graphics, Picture, Protocol};
use crate::stop::Stop;
use image::imageops::{self, FilterType};
use image::{DynamicImage, GenericImageView, Rgba, RgbaImage};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::Widget;
use ratatui_image::Image;
use ratatui_image::protocol::Protocol as Written;
use ratatui_image::protocol::halfblocks::Halfblocks;
use ratatui_image::protocol::iterm2::Iterm2;
use ratatui_image::protocol::kitty::Kitty;
use ratatui_image::protocol::sixel::Sixel;
use std::fmt;
use std::sync::Arc;

/// What ends a command of kitty's protocol.
const END_OF_COMMAND: &str = "\x1b\\";

/// A picture to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// Which.
    pub picture: Picture,
    /// What of it.
    pub frame: Frame,
    /// For what.
    pub graphics: Graphics,
    /// The number by which a terminal knows it that keeps pictures; no two have the same.
    pub number: u32,
}

/// What was drawn. Copies are the same.
#[derive(Clone)]
pub struct Drawing {
    /// What of the picture it is.
    pub frame: Frame,
    /// For what.
    pub graphics: Graphics,
    number: u32,
    written: Arc<Written>,
}

/// Two are the same that have the same number and show the same.
impl PartialEq for Drawing {
    fn eq(&self, other: &Drawing) -> bool {
        (self.frame, self.graphics, self.number) == (other.frame, other.graphics, other.number)
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} for {:?}", self.frame, self.graphics)
    }
}

impl Draw {
    /// Draws it; nothing where it cannot be written. `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Option<Drawing>> {
        stop.go_on()?;
        let pixels = DynamicImage::ImageRgba8(self.pixels());
        stop.go_on()?;
        let Draw { frame, graphics, number, .. } = *self;
        let size = Size::new(frame.cells.0, frame.cells.1);
        // None of the ways through another program: what that makes of it is not ours to say.
        let written = match graphics.protocol {
            Protocol::Blocks => Halfblocks::new(pixels, size).map(Written::Halfblocks),
            Protocol::Kitty => Kitty::new(pixels, size, number, false, true, false).map(Written::Kitty),
            Protocol::Sixel => Sixel::new(pixels, size, false).map(Written::Sixel),
            Protocol::Iterm2 => Iterm2::new(pixels, size, false).map(Written::ITerm2),
        };
        Some(written.ok().map(|written| Drawing { frame, graphics, number, written: Arc::new(written) }))
    }

    /// The pixels of the screen, on white paper where the picture lets that shine through.
    fn pixels(&self) -> RgbaImage {
        let Frame { part: [x, y, width, height], pixels: (wide, high), .. } = self.frame;
        let part = self.picture.pixels.view(x, y, width, height);
        let mut scaled = match wide < width || high < height {
            true => imageops::thumbnail(&*part, wide, high),
            false => imageops::resize(&*part, wide, high, FilterType::Triangle),
        };
        for Rgba([red, green, blue, alpha]) in scaled.pixels_mut() {
            let share = u16::from(*alpha);
            let over = |colour: u8| (u16::from(colour) * share + 255 * (255 - share)) / 255;
            let clear = |colour: u8| u8::try_from(over(colour)).unwrap_or(u8::MAX);
            (*red, *green, *blue, *alpha) = (clear(*red), clear(*green), clear(*blue), u8::MAX);
        }
        scaled
    }
}

impl Drawing {
    /// Whether nothing may be written over it: the terminal paints it past the cells.
    pub fn is_past_cells(&self) -> bool {
        matches!(self.graphics.protocol, Protocol::Sixel | Protocol::Iterm2)
    }

    /// Puts what is below some of its rows at the upper left of an area: nothing of what is painted past the cells.
    pub fn put_below(&self, rows: u16, area: Rect, cells: &mut Buffer) {
        if rows == 0 {
            return self.put(area, cells);
        }
        let (width, height) = self.frame.cells;
        if self.is_past_cells() || rows >= height {
            return;
        }
        let mut whole = Buffer::empty(Rect { x: 0, y: 0, width, height });
        self.put(whole.area, &mut whole);
        // What is said to the terminal once stands in the first cell.
        let sent = whole[(0, 0)].symbol().rfind(END_OF_COMMAND).map(|at| at + END_OF_COMMAND.len());
        let mut sent = sent.map(|end| whole[(0, 0)].symbol()[..end].to_owned());
        let area = area.intersection(cells.area);
        for y in 0..area.height.min(height - rows) {
            for x in 0..area.width.min(width) {
                let mut cell = whole[(x, y + rows)].clone();
                if let Some(sent) = sent.take() {
                    let symbol = sent + cell.symbol();
                    cell.set_symbol(&symbol);
                }
                cells[(area.x + x, area.y + y)] = cell;
            }
        }
    }

    /// About how many octets of memory it takes, by the pixels that it is of.
    pub fn memory(&self) -> usize {
        let (wide, high) = self.frame.pixels;
        (wide as usize).saturating_mul(high as usize).saturating_mul(4)
    }

    /// Its number.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Puts it at the upper left of an area, as far as there is room; what is painted past the cells only whole.
    pub fn put(&self, area: Rect, cells: &mut Buffer) {
        let area = area.intersection(cells.area);
        let whole = self.frame.cells.0 <= area.width && self.frame.cells.1 <= area.height;
        if !area.is_empty() && (whole || !self.is_past_cells()) {
            let area =
                Rect { width: area.width.min(self.frame.cells.0), height: area.height.min(self.frame.cells.1), ..area };
            Image::new(&self.written).allow_clipping(true).render(area, cells);
        }
    }
}

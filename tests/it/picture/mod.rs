//! Pictures: octets into pixels, what of them is seen, and what terminals are given.

mod decoding;
mod drawing;
mod looking;
mod terminals;

pub use image::ImageFormat;
use image::{DynamicImage, Rgb, RgbImage};
use std::io::Cursor;

/// A picture whose colours go from black at the left to red, and from above down to blue.
pub fn pixels(width: u32, height: u32) -> DynamicImage {
    let share = |at: u32, of: u32| u8::try_from(at * 255 / (of - 1).max(1)).unwrap();
    let of = |x, y| Rgb([share(x, width), 0, share(y, height)]);
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, of))
}

/// The same as a file.
pub fn file(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut octets = Cursor::new(Vec::new());
    pixels(width, height).write_to(&mut octets, format).unwrap();
    octets.into_inner()
}

/// As PNG.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    file(width, height, ImageFormat::Png)
}

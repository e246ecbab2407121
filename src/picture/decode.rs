//! Octets of a file → pixels, within bounds.
//!
//! The format is told by how the octets begin, whatever the file is called. Of a file with many pictures the first is read. Size and
//! memory are judged before anything is unpacked, with what unpacking needs beside the pixels. What breaks off is shown as far as it
//! came.

use crate::stop::{Stop, guarded};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

/// The media types of what is read here.
pub const TYPES: &[&str] = &[
    "image/png",
    "image/x-png",
    "image/apng",
    "image/jpeg",
    "image/jpg",
    "image/pjpeg",
    "image/gif",
    "image/webp",
    "image/bmp",
    "image/x-bmp",
    "image/x-ms-bmp",
];

/// What is read, and what it is called.
const FORMATS: &[(ImageFormat, &str)] = &[
    (ImageFormat::Png, "PNG"),
    (ImageFormat::Jpeg, "JPEG"),
    (ImageFormat::Gif, "GIF"),
    (ImageFormat::WebP, "WebP"),
    (ImageFormat::Bmp, "BMP"),
];

/// The most pixels of a picture: what a camera of today makes, and a second of work.
pub const MOST_PIXELS: u64 = 32_000_000;

/// A picture in pixels. Copies share them.
#[derive(Clone, PartialEq)]
pub struct Picture {
    /// The name of its format.
    pub format: &'static str,
    /// Why it is not whole, in words of ours.
    pub remark: Option<&'static str>,
    pub(super) pixels: Arc<DynamicImage>,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} x {}", self.format, self.width(), self.height())
    }
}

impl Picture {
    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.pixels.width()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.pixels.height()
    }

    /// Octets of memory.
    pub fn memory(&self) -> usize {
        self.pixels.as_bytes().len()
    }
}

/// The most pixels that are kept of a picture in the text of a page: it is never drawn larger than the page.
pub const MOST_IN_TEXT: u64 = 2_000_000;

/// A picture to be read for the text of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Decode {
    /// Its file.
    pub octets: Vec<u8>,
    /// The memory that there is for it.
    pub room: usize,
}

impl Decode {
    /// Reads it, and makes it smaller where it is large; `None` when that was given up.
    pub fn run(self, stop: &Stop) -> Option<Result<Picture, String>> {
        stop.go_on()?;
        let read = decode(&self.octets, self.room);
        stop.go_on()?;
        Some(read.map(|picture| picture.within(MOST_IN_TEXT)))
    }
}

impl Picture {
    /// The same in no more than so many pixels.
    fn within(self, most: u64) -> Picture {
        let (width, height) = (u64::from(self.width()), u64::from(self.height()));
        if width * height <= most {
            return self;
        }
        // Both sides become shorter by the same part, and each keeps a pixel.
        let wide = (most * width / height).isqrt().clamp(1, most).min(width);
        let high = (most / wide).min(wide * height / width).max(1);
        let narrow = |side: u64| u32::try_from(side).unwrap_or(1);
        let pixels = self.pixels.thumbnail_exact(narrow(wide), narrow(high));
        Picture { pixels: Arc::new(pixels), ..self }
    }
}

/// Whether octets begin as those of a picture that is read here.
pub fn is_picture(octets: &[u8]) -> bool {
    image::guess_format(octets).is_ok_and(|known| FORMATS.iter().any(|(kind, _)| *kind == known))
}

/// Reads a picture that may take so many octets of memory, all that is needed for a moment included.
///
/// # Errors
/// A sentence says why there is none.
pub fn decode(octets: &[u8], room: usize) -> Result<Picture, String> {
    // What reads strangers' octets is others' code: where it breaks, it is the picture that is.
    guarded(|| read(octets, room)).unwrap_or_else(|| Err("This picture is broken: nothing of it can be shown.".into()))
}

fn read(octets: &[u8], room: usize) -> Result<Picture, String> {
    let known = image::guess_format(octets).ok();
    let Some((kind, format)) = FORMATS.iter().find(|(kind, _)| Some(*kind) == known) else {
        let names: Vec<&str> = FORMATS.iter().map(|(_, name)| *name).collect();
        return Err(format!("This is no picture of a kind that is shown here ({}).", names.join(", ")));
    };
    let broken = || format!("This {format} picture is broken: nothing of it can be shown.");
    let mut reader = ImageReader::with_format(Cursor::new(octets), *kind);
    reader.limits(allowed(room));
    let mut decoder = reader.into_decoder().map_err(|_| broken())?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(format!("This {format} picture is empty: it says that it has {width} x {height} pixels."));
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MOST_PIXELS {
        let most = MOST_PIXELS / 1_000_000;
        return Err(format!(
            "This {format} picture has {width} x {height} pixels; more than {most} million are not shown."
        ));
    }
    let (colour, octets_wanted) = (decoder.color_type(), decoder.total_bytes());
    let orientation = decoder.orientation().ok();
    let turns = orientation.is_some_and(|orientation| orientation != Orientation::NoTransforms);
    // A turned picture is written anew, when all that was needed to unpack it is gone.
    let beside = beside(*kind, octets).max(u64::from(turns));
    let size = usize::try_from(octets_wanted).ok();
    let Some(size) = size.filter(|_| octets_wanted.saturating_mul(1 + beside) <= room as u64) else {
        return Err(format!(
            "This {format} picture has {width} x {height} pixels, and no memory is left for them (limits.memory)."
        ));
    };
    let _ = decoder.set_limits(allowed(room.saturating_sub(size)));
    let mut octets_of_pixels = vec![0; size];
    let read = decoder.read_image(&mut octets_of_pixels);
    if read.is_err() && octets_of_pixels.iter().all(|octet| *octet == 0) {
        return Err(broken());
    }
    let ends = read.is_ok() && (*kind != ImageFormat::Jpeg || has_end(octets));
    let mut pixels = in_octets(colour, width, height, octets_of_pixels).ok_or_else(broken)?;
    if let Some(orientation) = orientation {
        pixels.apply_orientation(orientation);
    }
    let remark = (!ends).then_some("It breaks off: what came of it is shown.");
    Ok(Picture { format, remark, pixels: Arc::new(pixels) })
}

/// What a decoder may ask for.
fn allowed(room: usize) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(room as u64);
    limits
}

/// How often the size of its pixels a decoder needs at most beside them: the frame within the screen of a GIF, the planes of a WebP, all
/// coefficients of a progressive JPEG in two octets each.
fn beside(kind: ImageFormat, octets: &[u8]) -> u64 {
    match kind {
        ImageFormat::Gif | ImageFormat::WebP => 1,
        ImageFormat::Jpeg if is_progressive(octets) => 2,
        _ => 0,
    }
}

/// Whether a JPEG is progressive: by the marker of its frame (SOF2 and its like, ISO 10918-1 B.1.1.3), before any scan.
fn is_progressive(octets: &[u8]) -> bool {
    let mut at = 2;
    while let Some([0xFF, marker, rest @ ..]) = octets.get(at..) {
        match (marker, rest) {
            // fill octets, and markers that stand alone
            (0xFF, _) => at += 1,
            (0x01 | 0xD0..=0xD8, _) => at += 2,
            (0xC2 | 0xC6 | 0xCA | 0xCE, _) => return true,
            (0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF | 0xDA, _) => return false,
            (_, [high, low, ..]) => at += 2 + usize::from(u16::from_be_bytes([*high, *low])).max(2),
            _ => return false,
        }
    }
    // It may be one whose frame is not where it should be.
    true
}

/// Whether a JPEG comes to its end (EOI, ISO 10918-1 B.1.1.3): the library makes up what is missing. Before the last scan (SOS) it is
/// the end of a smaller picture within it.
fn has_end(octets: &[u8]) -> bool {
    let last = memchr::memmem::rfind(octets, &[0xFF, 0xDA]).unwrap_or_default();
    memchr::memmem::find(&octets[last..], &[0xFF, 0xD9]).is_some()
}

/// Pixels as a decoder left them, with an octet for each colour.
fn in_octets(colour: image::ColorType, width: u32, height: u32, octets: Vec<u8>) -> Option<DynamicImage> {
    use image::{ColorType, ImageBuffer};
    // in place: there is no room for both
    let pairs = |mut octets: Vec<u8>| -> Vec<u8> {
        for at in 0..octets.len() / 2 {
            octets[at] = u16::from_ne_bytes([octets[2 * at], octets[2 * at + 1]]).to_be_bytes()[0];
        }
        octets.truncate(octets.len() / 2);
        octets.shrink_to_fit();
        octets
    };
    Some(match colour {
        ColorType::L8 => DynamicImage::ImageLuma8(ImageBuffer::from_raw(width, height, octets)?),
        ColorType::La8 => DynamicImage::ImageLumaA8(ImageBuffer::from_raw(width, height, octets)?),
        ColorType::Rgb8 => DynamicImage::ImageRgb8(ImageBuffer::from_raw(width, height, octets)?),
        ColorType::Rgba8 => DynamicImage::ImageRgba8(ImageBuffer::from_raw(width, height, octets)?),
        ColorType::L16 => DynamicImage::ImageLuma8(ImageBuffer::from_raw(width, height, pairs(octets))?),
        ColorType::La16 => DynamicImage::ImageLumaA8(ImageBuffer::from_raw(width, height, pairs(octets))?),
        ColorType::Rgb16 => DynamicImage::ImageRgb8(ImageBuffer::from_raw(width, height, pairs(octets))?),
        ColorType::Rgba16 => DynamicImage::ImageRgba8(ImageBuffer::from_raw(width, height, pairs(octets))?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_progressive_jpeg_is_known_before_it_is_unpacked() {
        let jpeg =
            |frame: u8| [b"\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xdb\x00\x03c\xff", &[frame][..], b"\x00\x02"].concat();
        assert!(is_progressive(&jpeg(0xC2)) && !is_progressive(&jpeg(0xC0)) && !is_progressive(&jpeg(0xC1)));
        assert!(is_progressive(b"\xff\xd8"), "what hides its frame is taken for the worse");
        assert_eq!((beside(ImageFormat::Jpeg, &jpeg(0xC2)), beside(ImageFormat::Jpeg, &jpeg(0xC0))), (2, 0));
    }
}

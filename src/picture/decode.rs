//! Octets of a file → pixels, within bounds.
//!
//! The format is told by how the octets begin, whatever the file is called. Of a file with many pictures the first is read. Size and
//! memory are judged before anything is unpacked. What breaks off is shown as far as it came.

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

/// Reads a picture that may take so many octets of memory.
///
/// # Errors
/// A sentence says why there is none.
pub fn decode(octets: &[u8], room: usize) -> Result<Picture, String> {
    let known = image::guess_format(octets).ok();
    let Some((kind, format)) = FORMATS.iter().find(|(kind, _)| Some(*kind) == known) else {
        let names: Vec<&str> = FORMATS.iter().map(|(_, name)| *name).collect();
        return Err(format!("This is no picture of a kind that is shown here ({}).", names.join(", ")));
    };
    let broken = || format!("This {format} picture is broken: nothing of it can be shown.");
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(room as u64);
    let mut reader = ImageReader::with_format(Cursor::new(octets), *kind);
    reader.limits(limits);
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
    let size = usize::try_from(octets_wanted).ok().filter(|size| *size <= room);
    let Some(size) = size else {
        return Err(format!(
            "This {format} picture has {width} x {height} pixels, and no memory is left for them (limits.memory)."
        ));
    };
    let orientation = decoder.orientation().ok();
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

/// Whether a JPEG comes to its end (EOI, ISO 10918-1 B.1.1.3): the library makes up what is missing. Before the last scan (SOS) it is
/// the end of a smaller picture within it.
fn has_end(octets: &[u8]) -> bool {
    let last = memchr::memmem::rfind(octets, &[0xFF, 0xDA]).unwrap_or_default();
    memchr::memmem::find(&octets[last..], &[0xFF, 0xD9]).is_some()
}

/// Pixels as a decoder left them, with an octet for each colour.
fn in_octets(colour: image::ColorType, width: u32, height: u32, octets: Vec<u8>) -> Option<DynamicImage> {
    use image::{ColorType, ImageBuffer};
    let pairs = |octets: Vec<u8>| -> Vec<u8> {
        let of = |pair: &[u8]| u16::from_ne_bytes([pair[0], pair[1]]).to_be_bytes()[0];
        octets.chunks_exact(2).map(of).collect()
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

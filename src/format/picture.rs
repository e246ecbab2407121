//! A picture → `Document`: what it is in words, and its pixels, for whoever can show them.
//!
//! Its octets wait until the last has come; then they are read, within the memory that the page may hold. Refuses: drawing.

use super::{Input, Parser, count, human};
use crate::doc::{BlockKind, Builder};
use crate::picture::{self, decode};
use crate::role::Role;

/// Whether a media type is a picture that is shown.
pub fn is_picture(media: &str) -> bool {
    picture::TYPES.contains(&media)
}

/// Reads a picture.
#[derive(Debug, Default)]
pub struct Picture {
    octets: Vec<u8>,
}

impl Picture {
    /// A parser for a picture.
    pub fn new(_: &Input) -> Picture {
        Picture::default()
    }
}

impl Parser for Picture {
    fn feed(&mut self, octets: &[u8], _: &mut Builder) {
        self.octets.extend_from_slice(octets);
    }

    fn finish(&mut self, out: &mut Builder) {
        let octets = std::mem::take(&mut self.octets);
        match decode(&octets, out.room()) {
            Ok(picture) => {
                let size = |pixels: u32| count(pixels as usize);
                let (width, height) = (size(picture.width()), size(picture.height()));
                let mut said =
                    format!("{} picture, {width} x {height}, {}", picture.format, human(octets.len() as u64));
                if let Some(remark) = picture.remark {
                    said.push_str(". ");
                    said.push_str(remark);
                }
                out.block(BlockKind::Paragraph, Role::Dim);
                out.text(&said);
                out.document_mut().picture = Some(picture);
            }
            Err(sentence) => {
                out.block(BlockKind::Paragraph, Role::Warning);
                out.text(&sentence);
            }
        }
    }

    fn memory(&self) -> usize {
        self.octets.capacity()
    }
}

//! The texts that the transfer encodings of a message hide, undone line by line, so that what is found in them can be said to
//! stand on a line of the message as it came.

use super::page::About;
use super::transfer::Transfer;
use super::tree::{Kind, Tree};
use std::ops::Range;

/// A text of a message that came encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// Its octets in the message, as they came.
    pub body: Range<usize>,
    /// The same without the encoding, in the charset of the part.
    pub text: Vec<u8>,
    /// Where each line of the message begins: in the text, and in the message.
    lines: Vec<(usize, usize)>,
}

impl Encoded {
    /// The line of the message, by its octets, in which an octet of the text stands.
    pub fn line(&self, at: usize) -> Range<usize> {
        let next = self.lines.partition_point(|(text, _)| *text <= at);
        let start = self.lines[..next].last().map_or(self.body.start, |(_, source)| *source);
        let end = self.lines.get(next).map_or(self.body.end, |(_, source)| *source);
        start..end
    }
}

/// The encoded texts of a message, in their order; those in a part that is encoded as a whole (a forwarded message) are left out.
pub fn encoded(octets: &[u8]) -> Vec<Encoded> {
    let tree = Tree::read(octets);
    let text = |part: usize| {
        let entity = tree.get(part);
        let body = tree.body_range(part).filter(|_| entity.kind == Kind::Leaf && entity.media.starts_with("text/"))?;
        let mut transfer = match Transfer::of(&About::of(&tree, part).encoding).0 {
            Transfer::Identity => return None,
            other => other,
        };
        let (mut text, mut lines, mut at) = (Vec::new(), Vec::new(), body.start);
        for line in octets[body.clone()].split_inclusive(|b| *b == b'\n') {
            lines.push((text.len(), at));
            transfer.feed(line, &mut |more| text.extend_from_slice(more));
            at += line.len();
        }
        transfer.finish(&mut |more| text.extend_from_slice(more));
        Some(Encoded { body, text, lines })
    };
    (0..tree.len()).filter_map(text).collect()
}

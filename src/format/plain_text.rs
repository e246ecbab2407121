//! HTML as plain text, where only text will do: the quote in an answer, a title or summary of a feed. A library sets it:
//! lists with their marks, quotes with theirs, tables in columns.
//!
//! It recurses into what it is given and takes a multiple of its memory, so it is given the structure of the page alone, of
//! bounded depth and length.

use super::charset::Said;
use super::html::Html;
use super::{Input, media};
use crate::url::Url;
use html2text::config;

/// The most octets of a page's structure.
const MOST: usize = 512 << 10;
/// The columns of lines that do not wrap.
const UNWRAPPED: usize = 100_000;

/// The lines of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlainText {
    /// The lines, not sanitised.
    pub lines: Vec<String>,
    /// Each is a paragraph, an item or the like as a whole; not so where columns are set.
    pub flows: bool,
}

/// A page, given whole, as text; what holds tables within some columns.
pub fn plain_text(octets: &[u8], charset: Option<Said>, url: &Url, width: usize) -> PlainText {
    let input =
        Input { media: media::HTML.into(), charset, url: url.clone(), groups: Default::default(), notices: Vec::new() };
    let (structure, document) = Html::structure(&input, octets, MOST);
    let flows = !structure.contains("<table");
    let width = if flows { UNWRAPPED } else { width };
    let set = config::plain_no_decorate().allow_width_overflow().no_table_borders();
    match set.string_from_read(structure.as_bytes(), width) {
        Ok(text) => PlainText { lines: text.lines().map(|line| line.trim_end().to_owned()).collect(), flows },
        // what it cannot set is at least quoted
        Err(_) => {
            let blocks = 0..crate::format::index(document.blocks().len());
            PlainText { lines: blocks.map(|block| document.block_text(block).to_owned()).collect(), flows: true }
        }
    }
}

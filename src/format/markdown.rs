//! `text/markdown` → `Document`, by way of HTML: a library turns CommonMark (with tables, footnotes and strikethrough) into
//! HTML, and that is read like any page. Refuses: HTML of its own dialect beyond what the HTML format bounds anyway.

use super::charset::{Decoder, Judge, Said};
use super::html::Html;
use super::{Input, Parser, human, media};
use crate::doc::Builder;
use pulldown_cmark::{Options, html};

/// Octets of Markdown that are read; a page is not a book collection. The library takes up to 145 octets for each of them.
const MOST: usize = 4 << 20;
/// What a character that may mean something takes while the page is made, in octets.
const MARK: usize = 192;

/// Reads Markdown. Links to headings and references to links may point forward, so nothing is shown before the end.
pub struct Markdown {
    decoder: Decoder,
    text: String,
    /// Characters of it that may mean something.
    marks: usize,
    /// Octets that are still read.
    room: usize,
    cut: bool,
    page: Html,
}

impl Markdown {
    /// A parser; Markdown is UTF-8 unless said otherwise.
    pub fn new(input: &Input) -> Markdown {
        let utf8 = Said::from("utf-8");
        let decoder = Decoder::by(Judge::new(Some(input.charset.as_ref().unwrap_or(&utf8)), input.url.host()));
        let page = Html::new(&Input { media: media::HTML.into(), charset: Some("utf-8".into()), ..input.clone() });
        Markdown { decoder, text: String::new(), marks: 0, room: MOST, cut: false, page }
    }
}

impl Parser for Markdown {
    fn feed(&mut self, octets: &[u8], _: &mut Builder) {
        let (taken, rest) = octets.split_at(octets.len().min(self.room));
        self.decoder.feed(taken, &mut self.text);
        self.marks += taken.iter().filter(|octet| **octet == b'\n' || octet.is_ascii_punctuation()).count();
        self.room -= taken.len();
        self.cut |= !rest.is_empty();
    }

    fn finish(&mut self, out: &mut Builder) {
        self.decoder.finish(&mut self.text);
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_HEADING_ATTRIBUTES;
        let mut page = String::new();
        html::push_html(&mut page, pulldown_cmark::Parser::new_ext(&self.text, options));
        self.text = String::new();
        self.page.feed(page.as_bytes(), out);
        self.page.finish(out);
        let document = out.document_mut();
        if self.cut {
            document.cut = Some(format!("only the first {} of Markdown are read", human(MOST as u64)));
        }
        self.decoder.tell(document);
        if document.title.is_none() {
            let first = document.headings().next().map(|(block, _)| document.block_text(block).trim().to_owned());
            document.entitle(&first.unwrap_or_default());
        }
    }

    fn memory(&self) -> usize {
        self.text.capacity() + self.marks * MARK
    }
}

//! The tree of a page written as HTML again, with nothing but what a plain text shows of it: paragraphs, lists, quotes,
//! preformatted lines, tables. What nests deeper than anybody writes is written without its tags, so whoever reads this
//! (`plain_text`) may recurse.
//! Refuses: links, looks, fields, and what a page hides.

use super::Html;
use super::dom::{Dom, Id, NONE, ROOT};
use super::hidden::is_hidden;
use super::math::linear;
use super::name::{Attr, Tag};
use super::table::span;
use crate::doc::{Builder, Document};
use crate::format::{Input, Parser};

/// How deep elements nest.
const DEEPEST: usize = 48;
/// The most columns or rows in which a cell stands.
const MOST_SPANNED: usize = 64;

impl Html {
    /// A page, given whole, as structure, of which what is beyond `most` octets is left out; and as a document.
    pub fn structure(input: &Input, octets: &[u8], most: usize) -> (String, Document) {
        let mut html = Html::new(input);
        let mut out = Builder::new();
        html.feed(octets, &mut out);
        html.finish(&mut out);
        let mut writer = Writer { text: String::new(), open: Vec::new() };
        writer.write(&html.syntax.dom(), most);
        (writer.text, out.finish())
    }
}

struct Writer {
    text: String,
    /// The elements whose end is to be written.
    open: Vec<(Id, &'static str)>,
}

impl Writer {
    fn write(&mut self, dom: &Dom, most: usize) {
        let mut at = ROOT;
        while self.text.len() < most {
            let into = self.enter(dom, at);
            if into && dom.first(at) != NONE {
                at = dom.first(at);
                continue;
            }
            self.leave(at);
            while dom.after(at) == NONE {
                at = dom.parent(at);
                if at == NONE || at == ROOT {
                    return;
                }
                self.leave(at);
            }
            at = dom.after(at);
        }
    }

    /// Writes a text, or the beginning of an element; says whether what stands in it is written.
    fn enter(&mut self, dom: &Dom, id: Id) -> bool {
        let tag = dom.tag(id);
        if is_hidden(dom, id) {
            return false;
        }
        match tag {
            Tag::Other => self.words(dom.text(id)),
            Tag::Head | Tag::Script | Tag::Style | Tag::Template | Tag::Noembed | Tag::Noframes | Tag::Rp => {
                return false;
            }
            Tag::Select | Tag::Textarea | Tag::Datalist | Tag::Svg | Tag::Iframe => return false,
            Tag::Math => {
                self.words(&linear(dom, id));
                return false;
            }
            Tag::Br => self.text.push_str("<br>"),
            Tag::Hr => self.text.push_str("<p>---</p>"),
            Tag::Img => self.words(dom.attr(id, Attr::Alt).unwrap_or_default()),
            _ => {}
        }
        if let Some(name) = name(tag).filter(|_| self.open.len() < DEEPEST) {
            self.text.extend(["<", name]);
            self.attributes(dom, id, tag);
            self.text.push('>');
            self.open.push((id, name));
        }
        true
    }

    fn attributes(&mut self, dom: &Dom, id: Id, tag: Tag) {
        let mut number = |name: &str, value: usize| self.text.push_str(&format!(" {name}={value}"));
        match tag {
            Tag::Td | Tag::Th => {
                number("colspan", span(dom, id, Attr::Colspan).min(MOST_SPANNED));
                number("rowspan", span(dom, id, Attr::Rowspan).min(MOST_SPANNED));
            }
            Tag::Ol => {
                let start = dom.attr(id, Attr::Start).and_then(|start| start.trim().parse::<u16>().ok());
                number("start", start.unwrap_or(1).into());
            }
            _ => {}
        }
    }

    fn leave(&mut self, id: Id) {
        if let Some((_, name)) = self.open.pop_if(|(open, _)| *open == id) {
            self.text.extend(["</", name, ">"]);
        }
    }

    fn words(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '&' => self.text.push_str("&amp;"),
                c => self.text.push(c),
            }
        }
    }
}

/// What an element is for a plain text; `None` when only what stands in it counts.
fn name(tag: Tag) -> Option<&'static str> {
    Some(match tag {
        Tag::Table => "table",
        Tag::Tr => "tr",
        Tag::Td | Tag::Th => "td",
        Tag::Ul | Tag::Dir | Tag::Menu => "ul",
        Tag::Ol => "ol",
        Tag::Li => "li",
        Tag::Dl => "dl",
        Tag::Dt => "dt",
        Tag::Dd => "dd",
        Tag::Blockquote => "blockquote",
        Tag::Pre | Tag::Listing | Tag::Xmp => "pre",
        Tag::P | Tag::Caption | Tag::Figure | Tag::Fieldset => "p",
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => "p",
        Tag::Address | Tag::Article | Tag::Aside | Tag::Body | Tag::Center | Tag::Details | Tag::Div => "div",
        Tag::Figcaption | Tag::Footer | Tag::Form | Tag::Header | Tag::Hgroup | Tag::Legend | Tag::Main => "div",
        Tag::Nav | Tag::Section | Tag::Search | Tag::Summary => "div",
        _ => return None,
    })
}

//! What a drawing (SVG) says in words: its name, what is written in it, and its links.

use super::dom::{Dom, Id, Kind, NONE};
use super::media::{file_name, words};
use super::name::{Attr, Tag};

/// The words of a drawing.
#[derive(Debug, Default)]
pub(super) struct Drawing<'a> {
    pub name: Option<String>,
    /// Its texts, with commas between them.
    pub written: String,
    /// References, and what they are called.
    pub links: Vec<(&'a str, String)>,
}

impl<'a> Drawing<'a> {
    /// Reads a drawing; within a link it has none of its own.
    pub fn of(dom: &'a Dom, id: Id, links: bool) -> Drawing<'a> {
        let mut drawing = Drawing { name: words(dom.attr(id, Attr::AriaLabel)), ..Drawing::default() };
        let mut node = dom.following(id, id, true);
        // a part that is read, what comes after it, and its words so far
        let (mut part, mut end, mut text) = (Tag::Other, NONE, String::new());
        while node != NONE {
            if node == end {
                drawing.take(part, &std::mem::take(&mut text));
                (part, end) = (Tag::Other, NONE);
            }
            let kind = dom.kind(node);
            let mut within = true;
            match kind {
                Kind::Element(Tag::A) if links && dom.has(node, Attr::Href) => {
                    drawing.take_link(dom, node);
                    within = false;
                }
                Kind::Element(tag) if part != Tag::Other => text.push_str(if tag.is_phrase() { "" } else { " " }),
                Kind::Element(tag @ (Tag::Text | Tag::Title | Tag::Desc | Tag::ForeignObject)) => {
                    part = tag;
                    end = dom.following(node, id, false);
                }
                Kind::Text if part != Tag::Other => text.push_str(dom.text(node)),
                // no browser draws it, but it is there to be read
                Kind::Text if matches!(dom.tag(dom.parent(node)), Tag::Svg | Tag::A) => {
                    drawing.take(Tag::Text, dom.text(node));
                }
                _ => {}
            }
            node = dom.following(node, id, within);
        }
        drawing.take(part, &text);
        drawing
    }

    fn take(&mut self, part: Tag, text: &str) {
        let Some(words) = words(Some(text)) else { return };
        if self.name.is_none() && part == Tag::Title {
            self.name = Some(words);
        } else if self.name.as_ref() != Some(&words) {
            self.written.push_str(if self.written.is_empty() { "" } else { ", " });
            self.written.push_str(&words);
        }
    }

    fn take_link(&mut self, dom: &'a Dom, link: Id) {
        let reference = dom.attr(link, Attr::Href).unwrap_or_default();
        let mut text = String::new();
        for node in dom.within(link) {
            match dom.kind(node) {
                Kind::Text => text.push_str(dom.text(node)),
                Kind::Element(tag) if !tag.is_phrase() => text.push(' '),
                Kind::Element(_) => {}
            }
        }
        let own = || [Attr::AriaLabel, Attr::Title].iter().find_map(|name| words(dom.attr(link, *name)));
        let name = words(Some(&text)).or_else(own).or_else(|| file_name(reference));
        self.links.push((reference, name.unwrap_or_else(|| "link".into())));
    }
}

//! An HTML part as plain text, links kept: tags go, blocks become paragraphs. The page itself is a link away.
//!
//! References are resolved by the part's own bases, `<base>` included. One that leads to another part leads there, one that
//! leads nowhere stays as it is written.

use super::index::{Index, Lead};
use super::tree::Tree;
use crate::doc::{BlockKind, Builder, LinkId, Marker, sanitise};
use crate::role::Role;
use crate::url::BaseStack;

/// The longest tag, in octets; a `<` that begins a longer one is text.
const LONGEST_TAG: usize = 8 * 1024;
/// The longest paragraph, in octets.
const LONGEST: usize = 64 * 1024;

/// Elements that begin and end a paragraph.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "center",
    "dd",
    "dir",
    "div",
    "dl",
    "dt",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tr",
    "ul",
];
/// Elements whose content is not text.
const HIDDEN: &[&str] = &["script", "style", "title", "template"];

/// Writes one part.
pub(super) struct Stripped<'a> {
    pub tree: &'a Tree<'a>,
    pub index: &'a Index,
    pub part: usize,
    pub bases: BaseStack,
    pub indent: u8,
    /// The text since the last tag, and whether a paragraph has begun.
    text: String,
    begun: bool,
    link: Option<Target>,
}

/// The link that is being written.
struct Target {
    reference: String,
    role: Role,
    id: Option<LinkId>,
}

impl<'a> Stripped<'a> {
    /// A part, with the indent of its blocks.
    pub fn new(tree: &'a Tree<'a>, index: &'a Index, part: usize, indent: u8) -> Stripped<'a> {
        let bases = index.bases(part);
        Stripped { tree, index, part, bases, indent, text: String::new(), begun: false, link: None }
    }

    /// Writes the text of a page.
    pub fn write(mut self, html: &str, out: &mut Builder) {
        let mut rest = html;
        // how much is left after the next `>`: without it, every `<` would look for it anew
        let mut after_next = html.len() + 1;
        while let Some(open) = memchr::memchr(b'<', rest.as_bytes()) {
            self.push(&rest[..open], out);
            rest = &rest[open..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = comment.split_once("-->").map_or("", |(_, after)| after);
                continue;
            }
            let begins = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
            if after_next > rest.len() {
                after_next = memchr::memchr(b'>', rest.as_bytes()).map_or(0, |next| rest.len() - next);
            }
            let near = after_next > 0 && rest.len() - after_next < LONGEST_TAG;
            let Some(end) = Some(rest).filter(|_| begins && near).and_then(tag_end) else {
                self.push("<", out);
                rest = &rest[1..];
                continue;
            };
            let tag = &rest[1..end - 1];
            rest = &rest[end..];
            let name = name_of(tag);
            if HIDDEN.contains(&name.as_str()) {
                rest = after_element(rest, &name);
            }
            self.tag(&name, tag, out);
        }
        self.push(rest, out);
        self.flush(out);
    }

    fn push(&mut self, text: &str, out: &mut Builder) {
        for word in unescaped(text).split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let blank = word.ends_with(|c: char| c.is_ascii_whitespace());
            self.text.push_str(word.trim_end_matches(|c: char| c.is_ascii_whitespace()));
            if blank && !self.text.ends_with(' ') && (self.begun || !self.text.is_empty()) {
                self.text.push(' ');
            }
            if self.text.len() > LONGEST {
                self.flush(out);
                self.begun = false;
            }
        }
    }

    /// Writes the text so far.
    fn flush(&mut self, out: &mut Builder) {
        if self.text.trim().is_empty() && !self.begun {
            return self.text.clear();
        }
        if !std::mem::replace(&mut self.begun, true) {
            out.marked(BlockKind::Paragraph, Role::Text, Marker::None, self.indent);
        }
        let text = sanitise(&self.text);
        match &mut self.link {
            Some(Target { role, id: Some(id), .. }) => out.link_more(&text, *role, *id),
            Some(link) => link.id = Some(out.link(&text, link.role, &link.reference)),
            None => out.text(&text),
        }
        self.text.clear();
    }

    fn tag(&mut self, name: &str, tag: &str, out: &mut Builder) {
        match name {
            "a" => {
                self.flush(out);
                self.link = attribute(tag, "href").map(|href| self.target(&href));
            }
            "/a" => {
                self.flush(out);
                self.link = None;
            }
            "img" => self.image(tag, out),
            "base" => {
                if let Some(href) = attribute(tag, "href") {
                    // a base that is none leaves the outer ones in force
                    let _ = self.bases.set_document_base(&href);
                }
            }
            "td" | "th" | "/td" | "/th" => self.push(" ", out),
            other if BLOCKS.contains(&other.trim_start_matches('/')) => {
                self.flush(out);
                self.begun = false;
            }
            _ => {}
        }
    }

    fn image(&mut self, tag: &str, out: &mut Builder) {
        let Some(src) = attribute(tag, "src") else { return };
        let alt = attribute(tag, "alt").filter(|alt| !alt.trim().is_empty()).unwrap_or_else(|| "image".into());
        self.flush(out);
        let target = self.target(&src);
        let outer = self.link.replace(target);
        self.text = format!("[{}]", alt.replace(['\r', '\n', '\t'], " "));
        self.flush(out);
        self.link = outer;
    }

    fn target(&self, reference: &str) -> Target {
        let reference = reference.trim().replace(['\r', '\n', '\t'], "");
        let (reference, role) = match self.index.lead(self.tree, self.part, &self.bases, &reference) {
            Lead::Part(url) | Lead::Url(url) => (url.to_string(), Role::Link),
            Lead::Fragment | Lead::Nowhere => (reference, Role::LinkBroken),
        };
        Target { reference, role, id: None }
    }
}

/// Past the `>` of a tag; a `>` within quotes is not it.
fn tag_end(text: &str) -> Option<usize> {
    let bytes = &text.as_bytes()[..text.len().min(LONGEST_TAG)];
    let mut quote = None;
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') if bytes[at - 1] == b'=' => quote = Some(*byte),
            (Some(open), byte) if open == *byte => quote = None,
            _ => {}
        }
    }
    // a quote that nobody closed
    memchr::memchr(b'>', bytes).map(|end| end + 1)
}

/// The text after an element's end tag.
fn after_element<'a>(text: &'a str, name: &str) -> &'a str {
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&text.as_bytes()[at..], b"</").map(|found| at + found) {
        let tag = &text[found + 2..];
        if tag.get(..name.len()).is_some_and(|t| t.eq_ignore_ascii_case(name)) {
            return tag.split_once('>').map_or("", |(_, after)| after);
        }
        at = found + 2;
    }
    ""
}

/// A tag's name in lower case, with its slash.
fn name_of(tag: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '/';
    tag.chars().take(16).take_while(|c| is_name(*c)).collect::<String>().trim_end_matches('/').to_ascii_lowercase()
}

/// An attribute's value.
fn attribute(tag: &str, wanted: &str) -> Option<String> {
    let mut rest = tag.get(name_of(tag).len()..)?;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '=')?;
        let (name, after) = rest.split_at(end);
        rest = after.trim_start();
        let Some(value) = rest.strip_prefix('=').map(str::trim_start) else { continue };
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            _ => value.split_at(value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len())),
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(unescaped(value));
        }
        rest = after;
    }
}

/// Text with the character references that matter replaced.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let within = &rest[1..rest.floor_char_boundary(12)];
        match within.split_once(';').and_then(|(name, _)| Some((character(name)?, name.len() + 2))) {
            Some((c, len)) => {
                out.push(c);
                rest = &rest[len..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn character(name: &str) -> Option<char> {
    const NAMES: &[(&str, char)] =
        &[("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", '\u{A0}')];
    let number = match name.strip_prefix('#') {
        Some(hex) if hex.starts_with(['x', 'X']) => u32::from_str_radix(&hex[1..], 16).ok(),
        Some(decimal) => decimal.parse().ok(),
        None => return NAMES.iter().find(|(known, _)| *known == name).map(|(_, c)| *c),
    };
    // line ends made of references would cut lines
    number.and_then(char::from_u32).map(|c| if matches!(c, '\r' | '\n') { ' ' } else { c })
}

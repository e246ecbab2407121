//! Octets that have become text → tokens.
//!
//! html5ever's tokenizer reads character by character, which took half of a page's time. So tags as nearly every page writes
//! them, and the text between them, become tokens here. Whatever is out of the ordinary (comments, declarations, raw text,
//! references beyond the common ones, broken tags, a tag that the piece ends in) is left to html5ever from there on until a
//! tag or a comment has ended: only then is its tokenizer known to stand between tags, where every piece of it begins.
//! Both ways give the same tokens, so it does not matter which of them read a page, or how it was cut.
//!
//! Attributes that mean nothing here are not taken.

use super::dom::Dom;
use super::guard::{Guard, Last};
use super::name::{Attr, Tag as Known};
use super::page::Page;
use super::syntax::Syntax;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{EndTag, StartTag, Tag, TagKind, Token, TokenSink, Tokenizer, TokenizerOpts};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::{memchr, memchr2, memchr3};
use std::borrow::Cow;
use std::cell::RefMut;

/// References that pages are full of, after their `&`.
const REFERENCES: &[(&str, &str)] = &[
    ("lt;", "<"),
    ("gt;", ">"),
    ("amp;", "&"),
    ("quot;", "\""),
    ("#39;", "'"),
    ("#x27;", "'"),
    ("nbsp;", "\u{a0}"),
    ("mdash;", "—"),
    ("ndash;", "–"),
    ("hellip;", "…"),
    ("copy;", "©"),
];
/// The most octets of a tag that may stand between attributes. html5ever compares each attribute with all before it.
pub(super) const MOST_SEPARATORS: usize = 8192;
/// Ends a tag wherever in it html5ever is.
pub(super) const CLOSE: &str = "\"'>";

/// Whether an octet may stand between attributes.
pub(super) fn separates(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'"' | b'\'')
}

/// Who reads next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    Shortcut,
    Html5ever,
    /// html5ever, which has not come to the end of the tag that it began with: octets so far, those that may stand between
    /// attributes.
    Tag(usize, usize),
    /// The rest of a tag is left out.
    Nobody,
}

/// Reads text into tokens.
pub(super) struct Lexer {
    tokenizer: Tokenizer<Guard>,
    queue: BufferQueue,
    reader: Reader,
    /// Octets that html5ever may hold, as it has made nothing of them: of a comment, a tag, a declaration.
    waiting: usize,
    /// A tag was too long to be read to its end.
    cut: bool,
}

impl Lexer {
    pub fn new(guard: Guard) -> Lexer {
        let opts = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
        Lexer {
            tokenizer: Tokenizer::new(guard, opts),
            queue: BufferQueue::default(),
            reader: Reader::Shortcut,
            waiting: 0,
            cut: false,
        }
    }

    /// What takes the tokens.
    pub fn guard(&self) -> &Guard {
        &self.tokenizer.sink
    }

    /// Gives html5ever the text up to the next end of a tag; says how much that was.
    fn long_way(&mut self, text: &StrTendril, from: usize) -> usize {
        let rest = &text.as_bytes()[from..];
        let mut len = memchr(b'>', rest).map_or(rest.len(), |end| end + 1);
        if let Reader::Tag(fed, separators) = self.reader {
            let declares = fed < 2 && matches!(rest.get(1 - fed), Some(b'!' | b'?'));
            let mut places = rest[..len].iter().enumerate().filter(|(_, byte)| separates(byte)).map(|(at, _)| at);
            if declares {
                self.reader = Reader::Html5ever;
            } else if let Some(place) = places.clone().nth(MOST_SEPARATORS - separators) {
                len = place;
                self.reader = Reader::Nobody;
                self.cut = true;
            } else {
                self.reader = Reader::Tag(fed + len, separators + places.by_ref().count());
            }
        }
        self.guard().last.set(Last::None);
        self.feed(cut(text, from, len));
        self.waiting = if self.guard().last.get() == Last::None { self.waiting + len } else { 0 };
        match (self.guard().last.get(), self.reader) {
            (Last::Ended, _) => self.reader = Reader::Shortcut,
            (Last::Text, _) => self.reader = Reader::Html5ever,
            (Last::None, Reader::Nobody) => self.feed(StrTendril::from_slice(CLOSE)),
            (Last::None, _) => {}
        }
        len
    }

    fn feed(&self, text: StrTendril) {
        self.queue.push_back(text);
        // it stops at the end of each script; there is nothing to run
        while !self.queue.is_empty() {
            let _ = self.tokenizer.feed(&self.queue);
        }
    }

    /// Leaves out the rest of a tag; says how much that was.
    fn pass(&mut self, rest: &str) -> usize {
        match memchr(b'>', rest.as_bytes()) {
            Some(end) => {
                let raw = self.guard().last.get() == Last::Text;
                self.reader = if raw { Reader::Html5ever } else { Reader::Shortcut };
                end + 1
            }
            None => rest.len(),
        }
    }

    /// Reads as much as there is out of what is ordinary; says how much that was.
    fn shortcut(&mut self, text: &StrTendril, from: usize) -> usize {
        let all = text.as_bytes();
        let mut at = from;
        while at < all.len() {
            let plain = memchr3(b'<', b'&', b'\0', &all[at..]).map_or(all.len(), |end| at + end);
            let plain = memchr(b'\r', &all[at..plain]).map_or(plain, |end| at + end);
            if plain > at {
                self.give(Token::CharacterTokens(cut(text, at, plain - at)));
                at = plain;
            }
            let read = match all.get(at) {
                None => break,
                Some(b'<') => self.tag(text, at),
                Some(b'&') => self.reference(&text[at + 1..]).map(|len| len + 1),
                // one line break
                Some(b'\r') if all.get(at + 1) == Some(&b'\n') => Some(1),
                Some(_) => None,
            };
            let Some(read) = read else {
                self.reader = if all[at] == b'<' { Reader::Tag(0, 0) } else { Reader::Html5ever };
                break;
            };
            at += read;
        }
        at - from
    }

    fn give(&self, token: Token) {
        // raw text, the one thing that would change how to go on, is not begun here
        let _ = self.tokenizer.sink.process_token(token, 0);
    }

    /// Reads a reference after its `&`.
    fn reference(&self, rest: &str) -> Option<usize> {
        let (name, meant) = reference(rest)?;
        self.give(Token::CharacterTokens(StrTendril::from_slice(meant)));
        Some(name)
    }

    /// Reads a tag, which begins at an offset.
    fn tag(&self, text: &StrTendril, from: usize) -> Option<usize> {
        // of a longer one somebody has to count what stands between attributes
        let cursor = Cursor { text, at: from + 1, classes: self.guard().wants_classes() };
        let (tag, end) = cursor.tag().filter(|(_, end)| end - from <= MOST_SEPARATORS)?;
        self.give(Token::TagToken(tag));
        Some(end - from)
    }
}

impl Syntax for Lexer {
    fn read(&mut self, text: &str) {
        let text = StrTendril::from_slice(text);
        let mut at = 0;
        while at < text.len() {
            at += match self.reader {
                Reader::Shortcut => self.shortcut(&text, at),
                Reader::Nobody => self.pass(&text[at..]),
                _ => self.long_way(&text, at),
            }
        }
    }

    fn end(&mut self) {
        self.tokenizer.end();
        self.guard().walk();
    }

    fn page(&self) -> &Page {
        &self.guard().page
    }

    fn dom(&self) -> RefMut<'_, Dom> {
        self.guard().dom()
    }

    fn is_cut(&self) -> bool {
        self.cut
    }

    fn memory(&self) -> usize {
        self.waiting + self.guard().memory()
    }
}

/// The octets of a common reference after its `&`, and what it means.
fn reference(rest: &str) -> Option<(usize, &'static str)> {
    REFERENCES.iter().find(|(name, _)| rest.starts_with(name)).map(|(name, meant)| (name.len(), *meant))
}

/// A place within a tag.
struct Cursor<'a> {
    text: &'a StrTendril,
    at: usize,
    /// Classes matter.
    classes: bool,
}

impl<'a> Cursor<'a> {
    /// The tag whose name, or whose slash, is here; and where it ends. `None` when it is none of the plain ones.
    fn tag(mut self) -> Option<(Tag, usize)> {
        let kind = if self.take(b'/') { EndTag } else { StartTag };
        let name = self.name(|byte| byte.is_ascii_alphanumeric())?;
        let (name, known) = (LocalName::from(&*name), Known::named(&name));
        let plain = !name.starts_with(|c: char| c.is_ascii_digit()) && !known.holds_raw_text();
        if !plain || matches!(known, Known::Template | Known::Noscript) {
            return None;
        }
        // other characters belong to the name
        if !matches!(self.peek()?, b' ' | b'\n' | b'\t' | b'\x0c' | b'/' | b'>') {
            return None;
        }
        let attrs = self.attributes(kind)?;
        let self_closing = kind == StartTag && self.take(b'/');
        let tag = Tag { kind, name, self_closing, attrs, had_duplicate_attributes: false };
        self.take(b'>').then_some((tag, self.at))
    }

    fn attributes(&mut self, kind: TagKind) -> Option<Vec<Attribute>> {
        let mut attrs: Vec<Attribute> = Vec::new();
        loop {
            self.skip_white();
            if matches!(self.peek()?, b'>' | b'/') {
                return Some(attrs);
            }
            if kind == EndTag {
                return None;
            }
            let name = self.name(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'))?;
            let known = match Attr::named(&name) {
                Attr::Class if !self.classes => Attr::Other,
                known => known,
            };
            let value = if self.take(b'=') { self.value(known != Attr::Other)? } else { StrTendril::new() };
            let local = LocalName::from(&*name);
            if known != Attr::Other && attrs.iter().all(|attr| attr.name.local != local) {
                attrs.push(Attribute { name: QualName::new(None, ns!(), local), value });
            }
        }
    }

    /// The value after an equals sign; of one that is not `wanted` only its end matters.
    fn value(&mut self, wanted: bool) -> Option<StrTendril> {
        let rest = &self.text.as_bytes()[self.at..];
        let (start, len) = match rest.first()? {
            quote @ (b'"' | b'\'') => (self.at + 1, memchr(*quote, &rest[1..])?),
            _ => {
                let len = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?;
                let odd = |byte: &u8| matches!(byte, b'"' | b'\'' | b'<' | b'=' | b'`');
                if len == 0 || rest[..len].iter().any(odd) {
                    return None;
                }
                (self.at, len)
            }
        };
        self.at = start + len + usize::from(start > self.at);
        if !wanted {
            return Some(StrTendril::new());
        }
        match memchr3(b'&', b'\0', b'\r', &self.text.as_bytes()[start..start + len]) {
            None => Some(cut(self.text, start, len)),
            Some(_) => resolved(&self.text[start..start + len]),
        }
    }

    /// A name, in lower case.
    fn name(&mut self, belongs: impl Fn(u8) -> bool) -> Option<Cow<'a, str>> {
        let rest: &'a str = &self.text[self.at..];
        let len = rest.bytes().position(|byte| !belongs(byte))?;
        self.at += len;
        let name = rest.get(..len).filter(|name| !name.is_empty())?;
        Some(match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => name.to_ascii_lowercase().into(),
            false => name.into(),
        })
    }

    fn skip_white(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\x0c')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }
}

/// A piece of a text, which shares its octets.
#[expect(clippy::cast_possible_truncation, reason = "a tendril is never longer than 4 GiB")]
fn cut(text: &StrTendril, from: usize, len: usize) -> StrTendril {
    text.subtendril(from as u32, len as u32)
}

/// A value with common references in it; `None` when there is anything else in it.
fn resolved(value: &str) -> Option<StrTendril> {
    let mut parts = value.split('&');
    let mut out = StrTendril::from_slice(parts.next()?);
    for part in parts {
        let (len, meant) = reference(part)?;
        out.push_slice(meant);
        out.push_slice(&part[len..]);
    }
    memchr2(b'\0', b'\r', value.as_bytes()).is_none().then_some(out)
}

#[cfg(test)]
mod tests {
    use super::super::head::Head;
    use super::*;
    use html5ever::tokenizer::TokenSinkResult;
    use proptest::prelude::*;
    use std::cell::RefCell;

    /// Writes down the tokens, with only those attributes that are taken, text in one piece.
    #[derive(Default)]
    struct Scribe(RefCell<Vec<String>>);

    impl Scribe {
        fn note(&self, token: &Token) {
            let mut said = self.0.borrow_mut();
            match token {
                Token::CharacterTokens(text) => match said.last_mut() {
                    Some(last) if last.starts_with("text ") => last.push_str(text),
                    _ => said.push(format!("text {text}")),
                },
                Token::TagToken(tag) => {
                    let kept = tag.attrs.iter().filter(|attr| Attr::named(&attr.name.local) != Attr::Other);
                    let attrs: Vec<_> = kept.map(|attr| format!("{}={}", attr.name.local, attr.value)).collect();
                    said.push(format!("{:?} {} {attrs:?} {}", tag.kind, tag.name, tag.self_closing));
                }
                Token::ParseError(_) => {}
                token => said.push(format!("{token:?}")),
            }
        }
    }

    impl TokenSink for Scribe {
        type Handle = ();

        fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
            self.note(&token);
            TokenSinkResult::Continue
        }
    }

    fn by_html5ever(page: &str) -> Vec<String> {
        let tokenizer = Tokenizer::new(Scribe::default(), TokenizerOpts { discard_bom: false, ..Default::default() });
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(page));
        let _ = tokenizer.feed(&queue);
        tokenizer.end();
        tokenizer.sink.0.take()
    }

    /// A tag by the shortcut, and what html5ever says to as much text; nothing when the shortcut leaves it to html5ever.
    fn both(page: &str) -> Option<(Vec<String>, Vec<String>)> {
        let text = StrTendril::from_slice(page);
        let (tag, end) = Cursor { text: &text, at: 1, classes: true }.tag()?;
        let scribe = Scribe::default();
        scribe.note(&Token::TagToken(tag));
        scribe.note(&Token::EOFToken);
        Some((scribe.0.take(), by_html5ever(&page[..end])))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_shortcut_reads_tags_as_html5ever_does(
            tag in "</?(a|IMG|h1|x9|p)([ \n/]{0,2}(href|ID|class|x-y)( ?=[ ]?(\"[a>&;/ ']{0,5}\"|'[a&lt;\"]{0,5}'|[ab/&=;]{0,3}))?){0,4}[ /]{0,2}>",
        ) {
            if let Some((ours, theirs)) = both(&tag) {
                prop_assert_eq!(ours, theirs, "{}", tag);
            }
        }
    }

    #[test]
    fn plain_tags_are_read_by_the_shortcut() {
        for tag in
            ["<p>", "</P >", "<br/>", "<a href=x>", "<a class='a > b' HREF=\"?a&amp;b\" id=y hidden>", "<a id=x id=y>"]
        {
            let (ours, theirs) = both(tag).unwrap_or_default();
            assert!(!ours.is_empty(), "{tag}");
            assert_eq!(ours, theirs, "{tag}");
        }
        for odd in
            ["<a href=\"x", "<a href=x\"y>", "<a = b>", "<9>", "<p-q>", "<title>", "</p id=x>", "<a href='&eacute;'>"]
        {
            assert_eq!(both(odd), None, "{odd}");
        }
    }

    #[test]
    fn references_mean_what_they_do_for_html5ever() {
        for (name, meant) in REFERENCES {
            assert_eq!(by_html5ever(&format!("&{name}"))[0], format!("text {meant}"));
        }
    }

    fn read(pieces: &[&str]) -> Lexer {
        let mut lexer = Lexer::new(Guard::new(Head::default()));
        pieces.iter().for_each(|piece| lexer.read(piece));
        lexer
    }

    #[test]
    fn html5ever_hands_back_after_a_tag() {
        for (pieces, reader) in [
            (&["x<p>y"][..], Reader::Shortcut),
            (&["<!-- > -->y"], Reader::Shortcut),
            (&["<!doctype html>y"], Reader::Shortcut),
            (&["<p title='", ">", "'>y"], Reader::Shortcut),
            (&["<title>x", "<b></title>y"], Reader::Shortcut),
            (&["<title>x<b>"], Reader::Html5ever),
            (&["&eacute; x"], Reader::Html5ever),
            (&["&eacute; x<b>y"], Reader::Shortcut),
            (&["<", "!-- x"], Reader::Html5ever),
        ] {
            assert_eq!(read(pieces).reader, reader, "{pieces:?}");
        }
    }

    #[test]
    fn a_tag_of_attributes_without_end_is_cut() {
        let attributes: String = (0..100_000).map(|n| format!(" a{n}=x")).collect();
        for begins in ["<p", "<p \"", "<"] {
            let lexer = read(&[begins, "p", &attributes, ">x<i>"]);
            assert!(lexer.cut && lexer.reader == Reader::Shortcut, "{begins}");
        }
        assert!(!read(&["<p title='", &"x".repeat(1 << 20), "'>"]).cut);
    }
}

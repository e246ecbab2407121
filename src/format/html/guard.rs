//! What stands between tokens and html5ever's tree: it keeps hostile nesting out and lets the walk follow the parse.
//!
//! html5ever searches its stack of open elements for most tags, so the time of a page grows with its depth; it has no bound
//! of its own. Browsers have one, 512, and so have we. Formatting elements that are never closed are opened again in
//! every paragraph; of these only a few are kept in hand.

use super::dom::Dom;
use super::head::Head;
use super::name::Tag;
use super::page::Page;
use super::sink::{Handle, Sink};
use super::walk::End;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{self, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{Tracer, TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, local_name};
use std::cell::{Cell, RefMut};

/// The most elements that are open at a time.
pub(super) const DEEPEST: usize = 512;
/// The most formatting elements in hand before another one is taken; one that is open counts twice.
const MOST_FORMATS: usize = 32;
/// The longest name of a place on a formatting element.
const LONGEST_ID: usize = 256;

/// Takes tokens.
pub(super) struct Guard {
    tree: TreeBuilder<Handle, Sink>,
    /// What html5ever held when it was counted last.
    counted: Cell<Count>,
    /// How many elements had been made then.
    made: Cell<usize>,
    /// No tag was taken since.
    exact: Cell<bool>,
    /// What becomes of the tree.
    pub page: Page,
    /// A tag that closes itself ends its element, as the page's author meant it.
    like_xml: bool,
    /// What came last.
    pub last: Cell<Last>,
    /// What text since the last tag takes that the tree was not given: html5ever holds that of tables.
    loose: Cell<usize>,
}

/// A kind of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    None,
    /// A tag, a comment, a declaration: something that ends where it says.
    Ended,
    /// Text, or the beginning of raw text.
    Text,
}

/// How many elements html5ever has in hand.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    all: usize,
    formats: usize,
}

impl Guard {
    pub fn new(head: Head) -> Guard {
        let opts = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
        Guard {
            tree: TreeBuilder::new(Sink::new(), opts),
            counted: Cell::default(),
            made: Cell::new(0),
            exact: Cell::new(false),
            page: Page::new(head),
            like_xml: false,
            last: Cell::new(Last::None),
            loose: Cell::new(0),
        }
    }

    /// The same for a page that was meant to be XHTML: `<script/>` holds nothing there.
    pub fn like_xml(head: Head) -> Guard {
        Guard { like_xml: true, ..Guard::new(head) }
    }

    /// The end of an element whose tag closes itself, where that means something. In drawings and formulas html5ever sees to it.
    fn end_of(&self, tag: &tokenizer::Tag, name: Tag) -> Option<Token> {
        let closes = self.like_xml && tag.self_closing && tag.kind == tokenizer::StartTag;
        let foreign = || {
            matches!(name, Tag::Svg | Tag::Math) || self.tree.adjusted_current_node_present_but_not_in_html_namespace()
        };
        (closes && !name.is_void() && !foreign()).then(|| {
            let (kind, name) = (tokenizer::EndTag, tag.name.clone());
            let attrs = Vec::new();
            Token::TagToken(tokenizer::Tag { kind, name, self_closing: false, attrs, had_duplicate_attributes: false })
        })
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.loose.get() + self.page.memory() + self.tree.sink.memory()
    }

    /// Whether it matters to which classes an element belongs.
    pub fn wants_classes(&self) -> bool {
        !self.tree.sink.sheet.borrow_mut().is_empty()
    }

    /// Gives html5ever a token that is no tag; of a text it is seen whether the tree is given that.
    fn text(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let Token::CharacterTokens(text) = &token else { return self.tree.process_token(token, line) };
        let (len, before) = (text.len(), self.tree.sink.texts.get());
        let result = self.tree.process_token(token, line);
        if self.tree.sink.texts.get() == before {
            self.loose.set(self.loose.get() + len + 2 * size_of::<StrTendril>());
        }
        result
    }

    /// The tree.
    pub fn dom(&self) -> RefMut<'_, Dom> {
        self.tree.sink.dom.borrow_mut()
    }

    /// Walks the tree to its end.
    pub fn walk(&self) {
        self.page.walk(&mut self.dom(), End::Last);
    }

    /// Whether a tag has to be left out.
    fn refuses(&self, tag: &tokenizer::Tag, name: Tag) -> bool {
        let full = match is_format(&tag.name) {
            true => self.in_hand(|count| count.formats, MOST_FORMATS),
            // what holds raw text ends by itself, and the tokenizer must know of it
            false if name.is_void() || name.holds_raw_text() => false,
            false => self.in_hand(|count| count.all, DEEPEST),
        };
        self.page.deep.set(self.page.deep.get() || (full && !is_format(&tag.name)));
        full
    }

    /// Whether html5ever holds too much. Counted only when it might: an element that was made is open once and may be in the
    /// list of formatting elements once.
    fn in_hand(&self, part: impl Fn(Count) -> usize, most: usize) -> bool {
        let made = self.tree.sink.made.get();
        if part(self.counted.get()) + 2 * (made - self.made.get()) < most {
            return false;
        }
        if !self.exact.replace(true) {
            let counter = Counter::default();
            self.tree.trace_handles(&counter);
            self.counted.set(counter.0.get());
            self.made.set(made);
        }
        part(self.counted.get()) >= most
    }
}

#[derive(Default)]
struct Counter(Cell<Count>);

impl Tracer for Counter {
    type Handle = Handle;

    fn trace_handle(&self, node: &Handle) {
        let Count { all, formats } = self.0.get();
        self.0.set(Count { all: all + 1, formats: formats + usize::from(is_format(node.local())) });
    }
}

/// Elements that html5ever opens again where they were not closed. Not `a`: one ends where the next begins.
fn is_format(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("b")
            | local_name!("code")
            | local_name!("em")
            | local_name!("i")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

/// Formatting elements that look like nothing here.
fn is_plain(name: &LocalName) -> bool {
    matches!(*name, local_name!("font") | local_name!("nobr") | local_name!("big"))
}

impl TokenSink for Guard {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let mut tag = match token {
            Token::TagToken(tag) => tag,
            token => {
                match token {
                    Token::CommentToken(_) | Token::DoctypeToken(_) => {
                        self.last.set(Last::Ended);
                        self.loose.set(0);
                    }
                    Token::ParseError(_) => {}
                    _ => self.last.set(Last::Text),
                }
                return self.text(token, line);
            }
        };
        self.last.set(Last::Ended);
        self.loose.set(0);
        let name = Tag::named(&tag.name);
        if is_plain(&tag.name) || (tag.kind == tokenizer::StartTag && self.refuses(&tag, name)) {
            return TokenSinkResult::Continue;
        }
        if is_format(&tag.name) {
            // they are copied wherever the element is opened again
            tag.attrs.retain(|attr| attr.name.local == local_name!("id") && attr.value.len() <= LONGEST_ID);
        }
        self.exact.set(false);
        let end = self.end_of(&tag, name);
        let mut result = match self.tree.process_token(Token::TagToken(tag), line) {
            TokenSinkResult::EncodingIndicator(name) => {
                self.page.declared.borrow_mut().get_or_insert_with(|| name.to_string());
                TokenSinkResult::Continue
            }
            result => result,
        };
        if let Some(end) = end {
            let _ = self.tree.process_token(end, line);
            result = TokenSinkResult::Continue;
        }
        if matches!(result, TokenSinkResult::RawData(_) | TokenSinkResult::Plaintext) {
            self.last.set(Last::Text);
        }
        self.page.follow(&mut self.dom(), name);
        result
    }

    fn end(&self) {
        self.tree.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.tree.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use html5ever::buffer_queue::BufferQueue;
    use html5ever::tokenizer::{Tokenizer, TokenizerOpts};

    fn read(page: &str) -> Tokenizer<Guard> {
        let tokenizer = Tokenizer::new(Guard::new(Head::default()), TokenizerOpts::default());
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(page));
        while !queue.is_empty() {
            let _ = tokenizer.feed(&queue);
        }
        tokenizer
    }

    fn count(guard: &Guard) -> Count {
        let counter = Counter::default();
        guard.tree.trace_handles(&counter);
        counter.0.get()
    }

    #[test]
    fn no_element_stands_deeper_than_browsers_let_it() {
        for name in
            ["div", "table", "ul", "b", "font", "a", "span", "x-own", "svg", "button", "form", "template", "option"]
        {
            let page = read(&format!("<{name}>").repeat(20_000));
            assert!(count(&page.sink).all <= DEEPEST + 8, "{name}: {:?}", count(&page.sink));
        }
        let deep = read(&"<div>".repeat(600));
        assert!(deep.sink.page.deep.get());
        assert!(!read(&"<div>".repeat(400)).sink.page.deep.get());
    }

    #[test]
    fn what_is_never_closed_is_not_opened_again_without_end() {
        let page = |n: usize| (0..n).map(|n| format!("<p><b id=x{n}><i><u><s><tt>x")).collect::<String>();
        let guard = read(&page(2000)).sink;
        assert!(count(&guard).formats <= 2 * MOST_FORMATS, "{:?}", count(&guard));
        assert!(guard.tree.sink.made.get() <= 2000 * (MOST_FORMATS + 6), "{}", guard.tree.sink.made.get());
    }
}

//! The walk over the tree: from node to node in document order, writing as it goes, while the parser is still at work.
//!
//! A node is settled when something came after it, or after what it stands in: the parser adds to it no more. The walk writes settled
//! nodes. It goes into an element that is not settled when that is a plain container, or when the element has grown so
//! large that nobody should wait for its end; what the parser moves after that stays where it was written.
//! The walk keeps its own stack, so no page is too deep for it, and enters a node once, so it always ends.

use super::dom::{Dom, Id, Kind, NONE, ROOT};
use super::element::{Exit, begins_block};
use super::field::Fields;
use super::flow::{Flow, Style};
use super::gathered::Gathered;
use super::head::Head;
use super::hidden::is_hidden;
use super::label;
use super::labelled::Ids;
use super::landmark::Landmarks;
use super::list::List;
use super::name::Tag;
use super::table::Grid;
use crate::doc::Builder;
use std::collections::HashSet;

/// How many nodes an element may grow before the walk goes into it.
const PATIENCE: usize = 4096;
/// How often children that were moved are looked for.
const MOST_SEARCHES: u32 = 1000;

/// Whether more of the page may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    More,
    Last,
}

/// An element that the walk is in.
#[derive(Debug)]
pub(super) struct Frame {
    pub id: Id,
    /// The child that was handled last.
    pub last: Id,
    /// The parser is done with it.
    pub settled: bool,
    /// How its text looks.
    pub style: Style,
    /// What is to be done at its end.
    pub exit: Exit,
}

/// The state of a walk.
pub(super) struct Walk {
    stack: Vec<Frame>,
    searches: u32,
    pub flow: Flow,
    pub head: Head,
    pub lists: Vec<List>,
    pub grids: Vec<Grid>,
    /// Elements that the page hides and that a fold stands for, outermost first; and whether the content was to begin there.
    pub hidden: Vec<(Id, bool)>,
    pub gathered: Gathered,
    /// By element `<details>` that the walk is in, the summary that its fold waits for.
    pub summaries: Vec<Option<Id>>,
    pub landmarks: Landmarks,
    pub fields: Fields,
    /// Octets of pages within the page that were read so far; and whether this is one.
    pub inner: usize,
    pub is_inner: bool,
    /// Elements that name others.
    pub ids: Ids,
    /// Abbreviations that were spelled out.
    pub spelled: HashSet<String>,
}

impl Walk {
    pub fn new(head: Head) -> Walk {
        let root = Frame { id: ROOT, last: NONE, settled: false, style: Style::PLAIN, exit: Exit::Nothing };
        Walk {
            stack: vec![root],
            searches: 0,
            flow: Flow::default(),
            head,
            lists: Vec::new(),
            grids: Vec::new(),
            hidden: Vec::new(),
            gathered: Gathered::default(),
            summaries: Vec::new(),
            landmarks: Landmarks::default(),
            inner: 0,
            is_inner: false,
            fields: Fields::default(),
            ids: Ids::default(),
            spelled: HashSet::new(),
        }
    }

    /// Writes everything in a style.
    pub fn begin_with(&mut self, style: Style) {
        self.stack.iter_mut().for_each(|frame| frame.style = style);
    }

    /// Goes on as far as the tree is settled; at the end of the page, to its end.
    pub fn advance(&mut self, dom: &mut Dom, out: &mut Builder, end: End) {
        while let Some(top) = self.stack.last() {
            let (id, style, exit) = (top.id, top.style, top.exit);
            if exit == Exit::Gathered {
                self.reveal_next(dom, out);
                continue;
            }
            let next = self.next(dom);
            if next == NONE {
                if end == End::More && !self.is_settled(dom) {
                    return;
                }
                if exit.ends_block() && self.reveal(out) {
                    continue;
                }
                self.leave(dom, out);
                if exit == Exit::Table {
                    self.reveal(out);
                }
                continue;
            }
            let settled = end == End::Last || dom.is_followed(next, PATIENCE) || self.is_settled(dom);
            let tag = match dom.kind(next) {
                _ if !settled && !may_enter(dom, next) => return,
                Kind::Text => {
                    self.text(dom, next, id, style, out);
                    continue;
                }
                Kind::Element(tag) => tag,
            };
            if begins_block(tag) && !self.flow.is_marked() && self.reveal(out) {
                continue;
            }
            self.handled(dom, next);
            if let Some((style, exit)) = self.enter(dom, next, tag, style, out) {
                label::pass(dom, next, tag);
                self.stack.push(Frame { id: next, last: NONE, settled, style, exit });
            }
        }
    }

    /// How much is held that grows with the page, in octets.
    pub fn memory(&self) -> usize {
        self.spelled.len() * 64 + self.ids.memory() + self.gathered.memory()
    }

    /// Writes what still waits when everything was walked.
    pub fn finish(&mut self, out: &mut Builder) {
        self.flow.settle(out);
        self.fields.finish(out);
    }

    fn text(&mut self, dom: &mut Dom, node: Id, parent: Id, style: Style, out: &mut Builder) {
        self.handled(dom, node);
        // between rows and cells there is nothing but blanks
        if self.takes_text(dom.tag(parent)) {
            self.flow.text(style, dom.text(node), out);
        }
    }

    fn takes_text(&self, parent: Tag) -> bool {
        let between = matches!(parent, Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr | Tag::Frameset);
        !between && !matches!(parent, Tag::Head | Tag::Html)
    }

    fn handled(&mut self, dom: &mut Dom, node: Id) {
        dom.see(node);
        if let Some(top) = self.stack.last_mut() {
            top.last = node;
        }
    }

    /// The next child of the innermost element that was not handled yet.
    fn next(&mut self, dom: &Dom) -> Id {
        let Some(top) = self.stack.last_mut() else { return NONE };
        let mut next = match top.last {
            NONE => dom.first(top.id),
            last if dom.parent(last) == top.id => dom.after(last),
            _ if self.searches < MOST_SEARCHES => {
                self.searches += 1;
                dom.first(top.id)
            }
            _ => NONE,
        };
        while next != NONE && dom.is_seen(next) {
            top.last = next;
            next = dom.after(next);
        }
        next
    }

    /// Whether the parser is done with the innermost element.
    fn is_settled(&mut self, dom: &Dom) -> bool {
        let first = self.stack.iter().rposition(|frame| frame.settled).unwrap_or(0);
        let (mut settled, mut parent) = (false, NONE);
        for frame in &mut self.stack[first..] {
            // what stands in it tells nothing of an element that was moved out
            if parent != NONE && dom.parent(frame.id) != parent {
                let ancestors = std::iter::successors(Some(frame.id), |id| Some(dom.parent(*id)));
                settled = ancestors.take_while(|id| *id != NONE).any(|id| dom.is_followed(id, PATIENCE));
            }
            settled |= frame.settled || dom.is_followed(frame.id, PATIENCE);
            (frame.settled, parent) = (settled, frame.id);
        }
        settled
    }

    /// Goes into an element.
    pub fn push(&mut self, frame: Frame) {
        self.stack.push(frame);
    }

    /// Leaves the innermost element without a word.
    pub fn pop(&mut self) {
        self.stack.pop();
    }

    fn leave(&mut self, dom: &Dom, out: &mut Builder) {
        if let Some(frame) = self.stack.pop() {
            self.exit(dom, frame, out);
        }
    }
}

/// Whether the walk goes into an element whose end has not come.
fn may_enter(dom: &Dom, node: Id) -> bool {
    let Kind::Element(tag) = dom.kind(node) else { return false };
    match tag {
        // what it hides is looked at before it is gone into
        _ if is_hidden(dom, node) => dom.len() - node as usize > PATIENCE,
        Tag::Html | Tag::Body | Tag::Div | Tag::Section | Tag::Article | Tag::Main | Tag::Header | Tag::Footer => true,
        Tag::Nav | Tag::Aside | Tag::Center | Tag::Form | Tag::Fieldset | Tag::Figure | Tag::Frameset => true,
        Tag::Ul | Tag::Li | Tag::Dl | Tag::Dt | Tag::Dd | Tag::Dir | Tag::Menu | Tag::Blockquote | Tag::Pre => true,
        Tag::Noscript | Tag::Search | Tag::Hgroup | Tag::Address => true,
        Tag::Head | Tag::Select | Tag::Datalist | Tag::Textarea | Tag::Title | Tag::Svg => false,
        _ => dom.len() - node as usize > PATIENCE,
    }
}

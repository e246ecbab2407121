//! The parts of a message: where each begins and ends, found in one pass (RFC 2046, 5.1 and 5.2).
//!
//! Boundaries of all open multiparts are looked for together, so that the depth costs nothing and an outer boundary ends
//! what is inside, closed or not. Refuses: decoding of what is shown (transfer encodings are undone when a part is asked
//! for), except for composite parts that somebody encoded all the same.

use super::head::{self, Head};
use super::name::PartName;
use super::parameters::Parameters;
use super::transfer::Transfer;
use crate::format::index;
use crate::format::media;
use memchr::{memchr, memmem};
use std::ops::Range;

/// The deepest part that is looked into.
pub(super) const DEEPEST: usize = 100;
/// The most parts of a message.
pub(super) const MOST: usize = 10_000;
/// How many layers of encoded composite parts are decoded: each costs a copy.
const ENCODED: u8 = 3;
/// The longest boundary (RFC 2046 says 70) with white space after it.
const LONGEST_BOUNDARY: usize = 1000;

/// What a part is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Octets.
    Leaf,
    /// Parts.
    Multipart,
    /// One message, its only child.
    Message,
    /// It would hold parts, but is too deep.
    TooDeep,
}

/// One part, or the message itself.
#[derive(Debug, Clone)]
pub(super) struct Entity {
    /// Which octets the ranges are of: 0 for the message's, others for decoded ones.
    source: usize,
    head: Range<usize>,
    body: Range<usize>,
    /// The part that it is in.
    pub parent: Option<usize>,
    /// The parts in it.
    pub children: Vec<usize>,
    /// Its number among its parent's children, from 1.
    pub place: u32,
    pub depth: usize,
    pub kind: Kind,
    /// Its media type, lower case.
    pub media: String,
    encoded: u8,
}

/// The parts of a message in the order of their heads; the message is number 0.
pub(super) struct Tree<'a> {
    octets: &'a [u8],
    decoded: Vec<Vec<u8>>,
    entities: Vec<Entity>,
    /// Parts were left out because there are too many.
    pub cut: bool,
}

/// A multipart whose end has not come.
struct Open {
    entity: usize,
    boundary: Vec<u8>,
}

/// What the lines are part of.
#[derive(Clone, Copy)]
enum State {
    /// The head of a part, from this octet on.
    Head(usize, usize),
    /// The body of a part.
    Body(usize),
    /// Between the parts of a multipart, or after them.
    Between,
}

impl<'a> Tree<'a> {
    /// Reads a message.
    pub fn read(octets: &'a [u8]) -> Tree<'a> {
        let mut tree = Tree { octets, decoded: Vec::new(), entities: Vec::new(), cut: false };
        tree.push(None, 0, 0, 0);
        if is_headless(octets) {
            let line = &octets[2..memchr(b'\n', octets).unwrap_or(octets.len())];
            tree.entities[0].media = "multipart/mixed".into();
            tree.entities[0].kind = Kind::Multipart;
            tree.scan(0, State::Between, vec![Open { entity: 0, boundary: line.trim_ascii_end().to_vec() }]);
        } else {
            tree.scan(0, State::Head(0, 0), Vec::new());
        }
        tree.decode_composites();
        tree
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// One of them.
    pub fn get(&self, entity: usize) -> &Entity {
        &self.entities[entity]
    }

    /// A part's head.
    pub fn head(&self, entity: usize) -> Head<'_> {
        let entity = &self.entities[entity];
        Head::read(&self.source(entity.source)[entity.head.clone()])
    }

    /// A part's body as it came.
    pub fn body(&self, entity: usize) -> &[u8] {
        let entity = &self.entities[entity];
        &self.source(entity.source)[entity.body.clone()]
    }

    /// Where a part's body is in the message; `None` in what was decoded before it was read.
    pub fn body_range(&self, entity: usize) -> Option<Range<usize>> {
        let entity = &self.entities[entity];
        (entity.source == 0).then(|| entity.body.clone())
    }

    /// A part with its head.
    pub fn whole(&self, entity: usize) -> &[u8] {
        let entity = &self.entities[entity];
        &self.source(entity.source)[entity.head.start..entity.body.end]
    }

    /// A part's name by its number; the body of a message that has no parts is its part 1.
    pub fn name(&self, entity: usize) -> PartName {
        let mut numbers: Vec<u32> = self.outward(entity).map(|e| self.entities[e].place).collect();
        numbers.pop();
        numbers.reverse();
        if entity == 0 && self.entities[0].kind == Kind::Leaf {
            numbers.push(1);
        }
        PartName::Number(numbers)
    }

    /// A part, what it is in, what that is in, up to the message.
    pub fn outward(&self, entity: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(entity), |e| self.entities[*e].parent)
    }

    /// The part with a number. The body of a message that has no parts is its part 1.
    pub fn by_number(&self, numbers: &[u32]) -> Option<usize> {
        let mut at = 0;
        for (i, number) in numbers.iter().enumerate() {
            let entity = &self.entities[at];
            match entity.children.get(usize::try_from(*number).ok()?.checked_sub(1)?) {
                Some(child) => at = *child,
                None if entity.kind == Kind::Leaf && *number == 1 && i + 1 == numbers.len() => return Some(at),
                None => return None,
            }
        }
        Some(at)
    }

    fn source(&self, source: usize) -> &[u8] {
        match source {
            0 => self.octets,
            n => self.decoded.get(n - 1).map_or(&[], Vec::as_slice),
        }
    }

    /// Adds a part whose head begins at an octet; `None` when there is no room for it.
    fn push(&mut self, parent: Option<usize>, source: usize, at: usize, encoded: u8) -> Option<usize> {
        if self.entities.len() >= MOST {
            self.cut = true;
            return None;
        }
        let number = self.entities.len();
        let (mut depth, mut place) = (0, 1);
        if let Some(parent) = parent {
            let parent = &mut self.entities[parent];
            parent.children.push(number);
            depth = parent.depth + 1;
            place = index(parent.children.len());
        }
        let (kind, media, children) = (Kind::Leaf, media::PLAIN.to_owned(), Vec::new());
        let (head, body) = (at..at, at..at);
        self.entities.push(Entity { source, head, body, parent, children, place, depth, kind, media, encoded });
        Some(number)
    }

    /// Reads a source from a state to its end.
    fn scan(&mut self, source: usize, mut state: State, mut open: Vec<Open>) {
        let marker = memmem::Finder::new(b"\n--");
        let mut at = match state {
            State::Head(_, from) => from,
            _ => 0,
        };
        let end = self.source(source).len();
        while at < end {
            let octets = self.source(source);
            // only boundaries matter outside heads
            if !matches!(state, State::Head(..)) && !octets[at..].starts_with(b"--") {
                match marker.find(&octets[at..]).filter(|_| !open.is_empty()) {
                    Some(found) => at += found + 1,
                    None => break,
                }
                continue;
            }
            let next = memchr(b'\n', &octets[at..]).map_or(end, |line| at + line + 1);
            let line = &octets[at..next];
            if let Some((level, closes)) = boundary(line, &open) {
                self.close(state, source, at);
                open.drain(level + 1..).for_each(|inner| self.end(inner.entity, at));
                state = if closes {
                    open.drain(level..).for_each(|closed| self.end(closed.entity, next));
                    State::Between
                } else {
                    let encoded = self.entities[open[level].entity].encoded;
                    let part = self.push(Some(open[level].entity), source, next, encoded);
                    part.map_or(State::Between, |part| State::Head(part, next))
                };
            } else if let State::Head(part, from) = state {
                let blank = line == b"\n" || line == b"\r\n";
                if blank || next - from > head::LONGEST {
                    let body = if blank { next } else { at };
                    self.entities[part].head = from..at;
                    self.entities[part].body = body..body;
                    state = self.begin_body(part, source, body, &mut open);
                }
            }
            at = next;
        }
        self.close(state, source, end);
        // multiparts that nobody closed
        for open in open {
            self.end(open.entity, end);
        }
    }

    /// Decides what a part is, now that its head is whole.
    fn begin_body(&mut self, part: usize, source: usize, at: usize, open: &mut Vec<Open>) -> State {
        let head = self.head(part);
        let mut content = head.get("content-type").map(Parameters::read).unwrap_or_default();
        let identity = is_identity(&head);
        if !content.value.contains('/') {
            let digest = self.entities[part].parent.is_some_and(|p| self.entities[p].media == "multipart/digest");
            content.value = if digest { media::MESSAGE } else { media::PLAIN }.into();
        }
        let boundary = content.get("boundary").unwrap_or_default().trim_end().as_bytes().to_vec();
        let entity = &mut self.entities[part];
        entity.media = content.value;
        let composite = match entity.media.as_str() {
            multipart if multipart.starts_with("multipart/") && !boundary.is_empty() => Kind::Multipart,
            message if holds_message(message) => Kind::Message,
            _ => return State::Body(part),
        };
        if entity.depth >= DEEPEST {
            entity.kind = Kind::TooDeep;
            return State::Body(part);
        }
        if !identity {
            return State::Body(part);
        }
        entity.kind = composite;
        let encoded = entity.encoded;
        match composite {
            Kind::Multipart => {
                open.push(Open { entity: part, boundary });
                State::Between
            }
            _ => self.push(Some(part), source, at, encoded).map_or(State::Between, |child| State::Head(child, at)),
        }
    }

    /// Ends what the lines were part of before an octet, and the messages it is the end of.
    fn close(&mut self, state: State, source: usize, at: usize) {
        let part = match state {
            State::Between => return,
            State::Body(part) => part,
            State::Head(part, from) => {
                // no empty line came: all of it is head
                self.entities[part].head = from..at.max(from);
                self.entities[part].body = at.max(from)..at.max(from);
                let mut none = Vec::new();
                self.begin_body(part, source, at.max(from), &mut none);
                part
            }
        };
        // the line end before a boundary belongs to the boundary
        let octets = self.source(source);
        let line_end = match &octets[..at] {
            _ if at == octets.len() => 0,
            [.., b'\r', b'\n'] => 2,
            [.., b'\n'] => 1,
            _ => 0,
        };
        self.end(part, at - line_end);
    }

    /// Sets the end of a part, and of the messages around it that end with it, up to the next multipart.
    fn end(&mut self, part: usize, at: usize) {
        let mut next = Some(part);
        while let Some(number) = next {
            let entity = &mut self.entities[number];
            entity.body.end = at.max(entity.body.start);
            let source = entity.source;
            next = entity.parent.filter(|p| {
                let parent = &self.entities[*p];
                parent.kind == Kind::Message && parent.source == source
            });
        }
    }

    /// Composite parts may not be encoded (RFC 2045, 6.4), and some are.
    fn decode_composites(&mut self) {
        let mut at = 0;
        while at < self.entities.len() {
            let entity = &self.entities[at];
            let head = self.head(at);
            let composite = entity.media.starts_with("multipart/") || holds_message(&entity.media);
            if entity.kind == Kind::Leaf && composite && !is_identity(&head) && entity.encoded < ENCODED {
                let content = head.get("content-type").map(Parameters::read).unwrap_or_default();
                let encoding = head.text("content-transfer-encoding", None).unwrap_or_default();
                let octets = Transfer::of(&encoding).0.whole(self.body(at));
                self.decode_composite(at, octets, content.get("boundary").unwrap_or_default());
            }
            at += 1;
        }
    }

    fn decode_composite(&mut self, part: usize, octets: Vec<u8>, boundary: &str) {
        self.decoded.push(octets);
        let source = self.decoded.len();
        let encoded = self.entities[part].encoded + 1;
        let before = self.entities.len();
        if holds_message(&self.entities[part].media) {
            self.entities[part].kind = Kind::Message;
            if let Some(child) = self.push(Some(part), source, 0, encoded) {
                self.scan(source, State::Head(child, 0), Vec::new());
            }
        } else if !boundary.is_empty() {
            self.entities[part].kind = Kind::Multipart;
            let body = self.entities[part].body.clone();
            let open = Open { entity: part, boundary: boundary.trim_end().as_bytes().to_vec() };
            self.scan(source, State::Between, vec![open]);
            // its own body is still where it was
            self.entities[part].body = body;
        }
        for entity in &mut self.entities[before..] {
            entity.encoded = encoded;
        }
    }
}

/// Whether a body stands in its message as it is.
fn is_identity(head: &Head) -> bool {
    let encoding = head.text("content-transfer-encoding", None).unwrap_or_default();
    matches!(Transfer::of(&encoding).0, Transfer::Identity)
}

/// Whether octets begin with a boundary: a multipart whose head stayed with the protocol that brought it.
pub(super) fn is_headless(octets: &[u8]) -> bool {
    octets.starts_with(b"--") && octets.get(2).is_some_and(|b| !b.is_ascii_whitespace())
}

/// Media types whose body is a message with a head of its own.
pub(super) fn holds_message(media: &str) -> bool {
    matches!(media, "message/rfc822" | "message/news" | "message/global" | "message/x-rot13")
}

/// The open multipart that a line is a boundary of, the innermost first, and whether it closes it.
fn boundary(line: &[u8], open: &[Open]) -> Option<(usize, bool)> {
    let name = line.strip_prefix(b"--").filter(|name| name.len() <= LONGEST_BOUNDARY)?.trim_ascii_end();
    let closed = name.strip_suffix(b"--");
    let level = open.iter().rposition(|o| o.boundary == name || closed == Some(&o.boundary))?;
    Some((level, open[level].boundary != name))
}

//! The tree of a page: nodes in one vector, their texts in one string. Plain data without pointers; nothing recurses.
//!
//! Only what a reader of text can make use of is kept: no comments, no scripts, no styles, no attributes without meaning.
//! A tree that has reached [`MOST_NODES`] or [`MOST_TEXT`] takes no more, and says so.

use super::name::{Attr, Tag};
use crate::format::index;

/// The number of a node.
pub(super) type Id = u32;

/// No node.
pub(super) const NONE: Id = u32::MAX;
/// The document.
pub(super) const ROOT: Id = 0;

/// The most nodes that are kept.
const MOST_NODES: usize = 4 << 20;
/// The most octets of text and of attributes that are kept, each.
const MOST_TEXT: usize = 256 << 20;
/// The most octets of a title that are kept: no more of one is ever shown.
const MOST_TITLE: usize = 64 << 10;
/// The most attributes of one element that are kept.
const MOST_ATTRIBUTES: usize = 64;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Element(Tag),
    Text,
}

/// A node and its neighbours.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: Id,
    before: Id,
    after: Id,
    first: Id,
    last: Id,
    kind: Kind,
    /// The walk has entered it.
    seen: bool,
    /// It stands before a table that was there when it came.
    fostered: bool,
    /// Of a text, its octets; of an element, its attributes.
    start: u32,
    len: u32,
}

/// An attribute: where its value stands.
#[derive(Debug, Clone, Copy)]
struct Held {
    name: Attr,
    start: u32,
    len: u32,
}

/// A tree.
pub(super) struct Dom {
    nodes: Vec<Node>,
    text: String,
    held: Vec<Held>,
    values: String,
    /// The forms that fields belong to, by field.
    owners: Vec<(Id, Id)>,
    /// What was put into the tree last, or grew last.
    latest: Id,
    /// How many nodes, and octets of each kind, there is room for.
    room: (usize, usize),
    /// Something was left out because there was no room for it.
    pub full: bool,
}

impl Dom {
    /// The document, and limbo.
    pub fn new() -> Dom {
        Dom::with_room(MOST_NODES, MOST_TEXT)
    }

    fn with_room(nodes: usize, octets: usize) -> Dom {
        let mut dom = Dom {
            nodes: Vec::new(),
            text: String::new(),
            held: Vec::new(),
            values: String::new(),
            owners: Vec::new(),
            latest: NONE,
            room: (nodes, octets),
            full: false,
        };
        dom.add(Kind::Element(Tag::Other), 0, 0);
        dom
    }

    fn add(&mut self, kind: Kind, start: u32, len: u32) -> Id {
        let (parent, before, after, first, last) = (NONE, NONE, NONE, NONE, NONE);
        self.nodes.push(Node { parent, before, after, first, last, kind, seen: false, fostered: false, start, len });
        index(self.nodes.len() - 1)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.text.capacity()
            + self.held.capacity() * size_of::<Held>()
            + self.values.capacity()
            + self.owners.capacity() * size_of::<(Id, Id)>()
    }

    /// Whether there is room for another node.
    fn has_room(&mut self) -> bool {
        let room = self.nodes.len() < self.room.0;
        self.full |= !room;
        room
    }

    /// Adds an element that stands nowhere yet; `None` when there is no room.
    pub fn element(&mut self, tag: Tag) -> Option<Id> {
        let start = index(self.held.len());
        self.has_room().then(|| self.add(Kind::Element(tag), start, 0))
    }

    /// Gives an element an attribute, unless it has it. Only the element that was added last can have more.
    pub fn hold(&mut self, id: Id, name: Attr, value: &str) {
        let Some(node) = self.nodes.get_mut(id as usize) else { return };
        let fits = self.values.len() + value.len() <= self.room.1;
        self.full |= !fits;
        let last = (node.start + node.len) as usize == self.held.len() && (node.len as usize) < MOST_ATTRIBUTES;
        if !fits || !last {
            return;
        }
        node.len += 1;
        self.held.push(Held { name, start: index(self.values.len()), len: index(value.len()) });
        self.values.push_str(value);
    }

    /// Moves the attributes of an element where more can follow them.
    pub fn reopen(&mut self, id: Id) {
        let Some(node) = self.nodes.get_mut(id as usize) else { return };
        let range = node.start as usize..(node.start + node.len) as usize;
        node.start = index(self.held.len());
        self.held.extend_from_within(range);
    }

    fn get(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// Whether the node is in the tree's memory.
    pub fn knows(&self, id: Id) -> bool {
        (id as usize) < self.nodes.len()
    }

    /// What a node is.
    pub fn kind(&self, id: Id) -> Kind {
        self.get(id).map_or(Kind::Element(Tag::Other), |node| node.kind)
    }

    /// What element a node is; a text is none that matters.
    pub fn tag(&self, id: Id) -> Tag {
        match self.kind(id) {
            Kind::Element(tag) => tag,
            Kind::Text => Tag::Other,
        }
    }

    /// The octets of a text.
    pub fn text(&self, id: Id) -> &str {
        match self.get(id) {
            Some(Node { kind: Kind::Text, start, len, .. }) => &self.text[*start as usize..(start + len) as usize],
            _ => "",
        }
    }

    /// An attribute's value.
    pub fn attr(&self, id: Id, name: Attr) -> Option<&str> {
        let node = self.get(id).filter(|node| node.kind != Kind::Text)?;
        let held = &self.held[node.start as usize..(node.start + node.len) as usize];
        let held = held.iter().find(|held| held.name == name)?;
        Some(&self.values[held.start as usize..(held.start + held.len) as usize])
    }

    /// Whether an element has an attribute.
    pub fn has(&self, id: Id, name: Attr) -> bool {
        self.attr(id, name).is_some()
    }

    /// Whether an element has any attribute that is kept.
    pub fn is_bare(&self, id: Id) -> bool {
        self.get(id).is_none_or(|node| node.len == 0)
    }

    /// Gives a field to a form. Fields come in the order in which they were made.
    pub fn own(&mut self, field: Id, form: Id) {
        if self.knows(field) {
            self.owners.push((field, form));
        }
    }

    /// The form that a field belongs to.
    pub fn owner(&self, field: Id) -> Option<Id> {
        self.owners.binary_search_by_key(&field, |(field, _)| *field).ok().map(|at| self.owners[at].1)
    }

    /// The node it stands in, or [`NONE`].
    pub fn parent(&self, id: Id) -> Id {
        self.get(id).map_or(NONE, |node| node.parent)
    }

    /// The node after it, or [`NONE`].
    pub fn after(&self, id: Id) -> Id {
        self.get(id).map_or(NONE, |node| node.after)
    }

    /// The node before it, or [`NONE`].
    pub fn before(&self, id: Id) -> Id {
        self.get(id).map_or(NONE, |node| node.before)
    }

    /// The first node in it, or [`NONE`].
    pub fn first(&self, id: Id) -> Id {
        self.get(id).map_or(NONE, |node| node.first)
    }

    /// The nodes in it.
    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(Some(self.first(id)), |id| Some(self.after(*id))).take_while(|id| *id != NONE)
    }

    /// The node that follows in document order within `top`, or [`NONE`]; `into` its children or past them.
    pub fn following(&self, id: Id, top: Id, into: bool) -> Id {
        if into && self.first(id) != NONE {
            return self.first(id);
        }
        let mut id = id;
        while id != top && id != NONE {
            if self.after(id) != NONE {
                return self.after(id);
            }
            id = self.parent(id);
        }
        NONE
    }

    /// Every node within one, in document order.
    pub fn within(&self, top: Id) -> impl Iterator<Item = Id> + '_ {
        let next = move |id: Id| Some(self.following(id, top, true));
        std::iter::successors(next(top), move |id| next(*id)).take_while(|id| *id != NONE)
    }

    /// All text within a node.
    pub fn all_text(&self, top: Id) -> String {
        self.some_text(top, usize::MAX)
    }

    /// The text within a node, up to so many octets.
    pub fn some_text(&self, top: Id, most: usize) -> String {
        let mut out = String::new();
        for id in self.within(top) {
            let text = self.text(id);
            out.push_str(&text[..text.floor_char_boundary(most - out.len())]);
            if out.len() + 4 > most {
                break;
            }
        }
        out
    }

    /// Whether the walk has entered a node.
    pub fn is_seen(&self, id: Id) -> bool {
        self.get(id).is_none_or(|node| node.seen)
    }

    /// Notes that the walk has entered a node.
    pub fn see(&mut self, id: Id) {
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.seen = true;
        }
    }

    /// Says of what came last that it stands before a table that was there already.
    pub fn foster_latest(&mut self) {
        self.edit(self.latest, |node| node.fostered = true);
    }

    /// Whether something came after a node, so that the parser is done with it. Of what was put before a table that was there
    /// already the table tells nothing: the parser is done with that when what came last went elsewhere, and nobody waits
    /// for more than `patience` nodes.
    pub fn is_followed(&self, id: Id, patience: usize) -> bool {
        let fostered = |id: Id| self.get(id).is_some_and(|node| node.fostered);
        let (after, beside) = (self.after(id), self.parent(id));
        if after == NONE || !fostered(id) || fostered(after) || self.after(after) != NONE {
            return after != NONE;
        }
        let mut up = std::iter::successors(Some(self.latest), |id| Some(self.parent(*id)));
        self.len() - id as usize > patience || up.find(|up| [id, beside, NONE].contains(up)) != Some(id)
    }

    /// The last cell of a table, made if its last row or the table has none.
    pub fn last_cell(&mut self, table: Id) -> Id {
        let last = |dom: &Dom, id: Id| dom.get(id).map_or(NONE, |node| node.last);
        let part = last(self, table);
        let part = if matches!(self.tag(part), Tag::Tbody | Tag::Thead | Tag::Tfoot) { part } else { table };
        let row = last(self, part);
        let row = if self.tag(row) == Tag::Tr { row } else { self.append(Tag::Tr, part) };
        let cell = last(self, row);
        if matches!(self.tag(cell), Tag::Td | Tag::Th) { cell } else { self.append(Tag::Td, row) }
    }

    fn append(&mut self, tag: Tag, parent: Id) -> Id {
        let id = self.element(tag).unwrap_or(NONE);
        self.insert(id, parent, NONE);
        id
    }

    /// Takes a node from where it stands.
    pub fn detach(&mut self, id: Id) {
        let Some(node) = self.get(id).copied() else { return };
        match self.nodes.get_mut(node.before as usize) {
            Some(before) => before.after = node.after,
            None => self.edit(node.parent, |parent| parent.first = node.after),
        }
        match self.nodes.get_mut(node.after as usize) {
            Some(after) => after.before = node.before,
            None => self.edit(node.parent, |parent| parent.last = node.before),
        }
        self.edit(id, |node| (node.parent, node.before, node.after) = (NONE, NONE, NONE));
    }

    fn edit(&mut self, id: Id, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(id as usize) {
            change(node);
        }
    }

    /// Puts a node into another one, before one of its children or (`NONE`) last.
    pub fn insert(&mut self, id: Id, parent: Id, after: Id) {
        if !self.knows(id) || !self.knows(parent) {
            return;
        }
        self.detach(id);
        self.latest = id;
        let before = match self.get(after) {
            Some(after) => after.before,
            None => self.nodes[parent as usize].last,
        };
        self.edit(id, |node| (node.parent, node.before, node.after) = (parent, before, after));
        match self.nodes.get_mut(before as usize) {
            Some(before) => before.after = id,
            None => self.nodes[parent as usize].first = id,
        }
        match self.nodes.get_mut(after as usize) {
            Some(after) => after.before = id,
            None => self.nodes[parent as usize].last = id,
        }
    }

    /// Puts text into a node, before one of its children or (`NONE`) last. Text that goes on where the last text ended
    /// stays in one node, however it was cut, unless the walk has passed that.
    pub fn write(&mut self, text: &str, parent: Id, after: Id) {
        if !self.knows(parent) || self.tag(parent).is_silent() {
            return;
        }
        if self.text.len() + text.len() > self.room.1 {
            self.full = true;
            return;
        }
        let before = self.get(after).map_or(self.nodes[parent as usize].last, |after| after.before);
        let end = index(self.text.len());
        let titled = || self.get(before).is_some_and(|node| node.len as usize > MOST_TITLE);
        if self.tag(parent) == Tag::Title && titled() {
            return;
        }
        let goes_on = |node: &Node| node.kind == Kind::Text && node.start + node.len == end && !node.seen;
        if self.get(before).is_some_and(goes_on) {
            self.latest = before;
            self.edit(before, |node| node.len += index(text.len()));
        } else if self.has_room() {
            let id = self.add(Kind::Text, end, index(text.len()));
            self.insert(id, parent, after);
        } else {
            return;
        }
        self.text.push_str(text);
    }

    /// Moves all children of a node to the end of another's.
    pub fn move_children(&mut self, from: Id, to: Id) {
        while self.knows(to) && self.first(from) != NONE {
            self.insert(self.first(from), to, NONE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_takes_no_more_than_it_has_room_for() {
        let mut dom = Dom::with_room(4, 10);
        let div = dom.element(Tag::Div).unwrap_or(NONE);
        dom.insert(div, ROOT, NONE);
        dom.hold(div, Attr::Id, "12345");
        dom.hold(div, Attr::Name, "123456");
        dom.write("12345", div, NONE);
        dom.write("12345", div, NONE);
        dom.write("6", div, NONE);
        assert!(dom.full);
        assert_eq!((dom.all_text(div).as_str(), dom.attr(div, Attr::Name)), ("1234512345", None));
        assert!(dom.element(Tag::Br).is_some());
        assert_eq!(dom.element(Tag::Br), None);
        assert_eq!(dom.len(), 4);
    }

    #[test]
    fn an_element_holds_so_many_attributes() {
        let mut dom = Dom::new();
        let div = dom.element(Tag::Div).unwrap_or(NONE);
        (0..100).for_each(|_| dom.hold(div, Attr::Id, "x"));
        assert_eq!(dom.held.len(), MOST_ATTRIBUTES);
    }

    #[test]
    fn nodes_are_moved_and_taken_out() {
        let mut dom = Dom::new();
        let ids: Vec<Id> = (0..4).filter_map(|_| dom.element(Tag::B)).collect();
        let [a, b, c, d] = ids[..] else { return };
        [a, b, c].iter().for_each(|id| dom.insert(*id, ROOT, NONE));
        dom.insert(c, ROOT, a);
        assert_eq!(dom.children(ROOT).collect::<Vec<_>>(), [c, a, b]);
        dom.detach(a);
        assert_eq!(dom.children(ROOT).collect::<Vec<_>>(), [c, b]);
        dom.move_children(ROOT, d);
        assert_eq!((dom.first(ROOT), dom.children(d).collect::<Vec<_>>()), (NONE, vec![c, b]));
        dom.write("x", d, b);
        assert_eq!(dom.all_text(d), "x");
        assert_eq!(dom.within(d).count(), 3);
    }
}

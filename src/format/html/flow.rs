//! Text as it flows into blocks: white space folded over the borders of elements, blank lines between blocks, markers,
//! links and names of places waiting for the text they belong to.

use crate::doc::{Align, BlockKind, Builder, LinkId, Marker, Sides, sanitise};
use crate::role::Role;

/// The most names of places that are kept.
const MOST_NAMES: usize = 200_000;
/// The longest name of a place, in octets.
const LONGEST_NAME: usize = 1024;
/// The longest reference, in octets.
const LONGEST_REFERENCE: usize = 4 << 20;
/// The deepest indent, in levels.
const DEEPEST: u8 = 100;

/// What becomes of white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum White {
    Fold,
    Keep,
}

/// How text looks, given the elements it stands in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Its own look, if it differs from its block's.
    pub role: Option<Role>,
    /// The look of its block.
    pub block: Role,
    /// Level of the heading it stands in; 0 is none.
    pub heading: u8,
    /// The table above which it stands as the caption.
    pub caption: Option<u16>,
    /// The indent of its block, in levels.
    pub indent: u8,
    pub white: White,
    /// Which edge its block keeps to.
    pub align: Align,
    /// The bars of the quotes that it stands in.
    pub bars: Sides,
    /// Its link, as an index into [`Flow::links`].
    pub link: Option<usize>,
}

impl Style {
    pub const PLAIN: Style = Style {
        role: None,
        block: Role::Text,
        heading: 0,
        caption: None,
        indent: 0,
        white: White::Fold,
        align: Align::Left,
        bars: Sides::NONE,
        link: None,
    };

    /// The style some levels further in.
    pub fn indented(self, levels: u8) -> Style {
        Style { indent: self.indent.saturating_add(levels).min(DEEPEST), ..self }
    }

    /// The style of a quote.
    pub fn quoted(self) -> Style {
        let bars = self.bars.barred(self.indent.saturating_add(1));
        Style { block: Role::Quote, bars, ..self.indented(2) }
    }

    /// The style with a look. In headings only links look otherwise.
    pub fn with(self, role: Role) -> Style {
        if self.heading > 0 { self } else { Style { role: Some(role), ..self } }
    }
}

/// A link that is open.
#[derive(Debug)]
pub(super) struct OpenLink {
    pub reference: String,
    /// Its number, as soon as some of its text is written.
    pub id: Option<LinkId>,
}

/// What stands before an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    Bullet,
    /// A number with its full stop, and the columns it hangs in.
    Number(String, u8),
}

/// What the text ends with that was written last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Edge {
    /// White space, or something that what follows may lean on.
    #[default]
    Free,
    Text,
    Link,
    /// A field or a picture.
    Field,
}

/// What is known of the page around a cell.
#[derive(Debug)]
pub(super) struct Outside {
    begun: bool,
}

/// Writes text into blocks.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// A block is open.
    open: bool,
    /// How many cells of tables it stands in.
    cells: u32,
    /// White space has come since the last word.
    space: bool,
    edge: Edge,
    /// The bars of the block that was written last.
    bars: Sides,
    /// A blank line comes before the next block.
    gap: bool,
    /// No blank line before the next block.
    tight: bool,
    /// Something is written.
    begun: bool,
    mark: Option<(Mark, u8)>,
    names: Vec<String>,
    named: usize,
    /// The content of the page begins with the next text.
    content: bool,
    /// The links that are open, outermost first.
    pub links: Vec<OpenLink>,
    folded: String,
}

impl Flow {
    /// Ends the block: what is written next begins another.
    pub fn end_block(&mut self) {
        (self.open, self.space) = (false, false);
    }

    /// Begins a row of a table.
    pub fn begin_row(&mut self, out: &mut Builder) {
        self.unmark(out);
        self.end_block();
        self.before(Sides::NONE, out);
    }

    /// Begins a cell, which is like a page of its own: no blank line comes before its first block.
    pub fn begin_cell(&mut self, out: &mut Builder) -> Outside {
        self.unmark(out);
        self.end_block();
        self.cells += 1;
        (self.gap, self.tight) = (false, false);
        Outside { begun: std::mem::replace(&mut self.begun, false) }
    }

    /// Ends it.
    pub fn end_cell(&mut self, outside: Outside) {
        self.end_block();
        self.cells -= 1;
        (self.gap, self.tight) = (false, false);
        self.begun |= outside.begun;
    }

    /// Whether what is written stands in a cell.
    pub fn is_in_cell(&self) -> bool {
        self.cells > 0
    }

    /// Ends the block, with a blank line after it.
    pub fn gap(&mut self) {
        self.end_block();
        self.gap |= !self.tight;
    }

    /// Ends the block; the next one follows without a blank line, even if it is one of those that have them.
    pub fn tight(&mut self) {
        self.end_block();
        self.tight = true;
    }

    /// Ends the line. A line that never began is blank.
    pub fn line_break(&mut self, style: Style, out: &mut Builder) {
        if !self.open && self.begun {
            self.gap();
        } else if !self.open {
            self.begin(style, out);
        }
        self.end_block();
    }

    /// Names the place of the next text.
    pub fn name(&mut self, name: &str) {
        if !name.is_empty() && name.len() <= LONGEST_NAME && self.named < MOST_NAMES {
            self.named += 1;
            self.names.push(name.into());
        }
    }

    /// The content of the page begins with the next text.
    pub fn begin_content(&mut self) {
        self.content = true;
    }

    /// The content of the page does not begin with the next text after all; says whether it was to.
    pub fn take_content(&mut self) -> bool {
        std::mem::take(&mut self.content)
    }

    /// Whether a mark waits for the text of its item.
    pub fn is_marked(&self) -> bool {
        self.mark.is_some()
    }

    /// Puts a mark before the next block, which stands at an indent.
    pub fn mark(&mut self, mark: Mark, indent: u8, out: &mut Builder) {
        self.unmark(out);
        self.end_block();
        self.mark = Some((mark, indent));
    }

    /// Forgets the bullet of an item without text; a number is written.
    pub fn unmark_item(&mut self, out: &mut Builder) {
        self.mark.take_if(|(mark, _)| *mark == Mark::Bullet);
        self.unmark(out);
    }

    /// Writes the mark of an item without text.
    pub fn unmark(&mut self, out: &mut Builder) {
        if let Some((_, indent)) = self.mark {
            self.begin(Style { indent, ..Style::PLAIN }, out);
            self.end_block();
        }
    }

    /// Opens a link, which ends with [`Flow::close_link`].
    pub fn open_link(&mut self, reference: &str) -> usize {
        // White space around it is left out where it is resolved, so that the reader can see that.
        let reference = if reference.len() > LONGEST_REFERENCE { String::new() } else { reference.replace('\r', "") };
        self.links.push(OpenLink { reference, id: None });
        self.links.len() - 1
    }

    /// Closes the innermost link; gives its number, if any of it was written.
    pub fn close_link(&mut self) -> Option<LinkId> {
        self.links.pop().and_then(|link| link.id)
    }

    /// A rule.
    pub fn rule(&mut self, style: Style, out: &mut Builder) {
        self.unmark(out);
        self.gap();
        self.before(style.bars, out);
        out.marked(BlockKind::Rule, Role::Rule, Marker::None, style.indent);
        out.bars(style.bars);
        self.settle(out);
        self.gap();
    }

    /// Writes text of the page.
    pub fn text(&mut self, style: Style, text: &str, out: &mut Builder) {
        match style.white {
            White::Fold => self.fold(style, text, out),
            White::Keep => self.keep(style, text, out),
        }
    }

    /// Writes words of our own, or of an attribute, as they are.
    pub fn literal(&mut self, style: Style, text: &str, out: &mut Builder) {
        self.word_gap(style, out);
        self.write(style, text, out);
    }

    fn fold(&mut self, style: Style, text: &str, out: &mut Builder) {
        let white = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
        self.space |= self.open && white(text.as_bytes().first());
        let mut folded = std::mem::take(&mut self.folded);
        folded.clear();
        for word in text.split_ascii_whitespace() {
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.push_str(word);
        }
        if !folded.is_empty() {
            self.word_gap(style, out);
            self.write(style, &folded, out);
            self.space = white(text.as_bytes().last());
        }
        self.folded = folded;
        if self.folded.capacity() > 1 << 20 {
            self.folded = String::new();
        }
    }

    fn keep(&mut self, style: Style, text: &str, out: &mut Builder) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                if !self.open {
                    self.begin(style, out);
                }
                self.end_block();
            }
            if !line.is_empty() {
                self.write(style, line, out);
            }
        }
    }

    /// The space between two words. It belongs to a link only if both do.
    fn word_gap(&mut self, style: Style, out: &mut Builder) {
        if std::mem::take(&mut self.space) && self.open {
            let begun = |at: &usize| self.links.get(*at).is_some_and(|link| link.id.is_some());
            self.write(Style { role: None, link: style.link.filter(begun), ..style }, " ", out);
        }
    }

    fn write(&mut self, style: Style, text: &str, out: &mut Builder) {
        if !self.open {
            self.begin(style, out);
        }
        self.part(style, text, out);
        self.settle(out);
        let text = &sanitise(text);
        let link = style.link.and_then(|at| self.links.get_mut(at));
        match (link, style.role) {
            (Some(link), role) => {
                let role = role.filter(|role| matches!(role, Role::Image | Role::Field)).unwrap_or(Role::Link);
                match link.id {
                    Some(id) => out.link_more(text, role, id),
                    None => link.id = Some(out.link(text, role, &link.reference)),
                }
            }
            (None, Some(role)) => out.styled(text, role),
            (None, None) => out.text(text),
        }
        self.edge = match text.chars().next_back() {
            _ if matches!(style.role, Some(Role::Field | Role::Image)) => Edge::Field,
            None | Some(' ' | '\t' | '(' | '[' | '{' | '"' | '“' | '‘' | '/') => Edge::Free,
            Some(last) if style.link.is_some() && last.is_alphanumeric() => Edge::Link,
            Some(_) => Edge::Text,
        };
    }

    /// Keeps what is written next from touching what was written last.
    pub fn apart(&mut self) {
        self.space |= self.open && self.edge != Edge::Free;
    }

    /// Whether a link leads where the link before it does.
    fn goes_on(&self, style: Style, out: &Builder) -> bool {
        let before = out.document().link_count().checked_sub(1).and_then(|last| out.document().reference(LinkId(last)));
        style.link.and_then(|at| self.links.get(at)).is_some_and(|link| before == Some(link.reference.as_str()))
    }

    /// Keeps fields and pictures from touching words, and links from touching each other: nobody could tell where one ends.
    fn part(&mut self, style: Style, text: &str, out: &mut Builder) {
        let begins = style.link.is_some_and(|at| self.links.get(at).is_some_and(|link| link.id.is_none()));
        let field = matches!(style.role, Some(Role::Field | Role::Image));
        let touches = match self.edge {
            Edge::Free => false,
            Edge::Text => field,
            // signs tell where a link ends; the same reference again is a link that the parser had to part
            Edge::Link => begins && text.starts_with(char::is_alphanumeric) && !self.goes_on(style, out),
            Edge::Field => begins || text.starts_with(char::is_alphanumeric),
        };
        if touches && style.white == White::Fold && !text.starts_with(' ') {
            out.text(" ");
        }
    }

    /// Writes the blank line before a block.
    fn before(&mut self, bars: Sides, out: &mut Builder) {
        if std::mem::take(&mut self.gap) && self.begun {
            let common = self.bars.common(bars);
            // within a quote its bar goes on
            out.marked(BlockKind::Paragraph, Role::Text, Marker::None, common.levels());
            out.bars(common);
        }
        self.bars = bars;
        self.begun = true;
        self.tight = false;
    }

    /// Begins a block.
    pub fn begin(&mut self, style: Style, out: &mut Builder) {
        self.before(style.bars, out);
        self.open = true;
        (self.space, self.edge) = (false, Edge::Free);
        let kind = match style {
            Style { white: White::Keep, .. } => BlockKind::Preformatted,
            Style { heading: 1.., .. } => BlockKind::Heading(style.heading),
            Style { caption: Some(table), .. } => BlockKind::Caption(table),
            _ => BlockKind::Paragraph,
        };
        match self.mark.take() {
            None => out.marked(kind, style.block, Marker::None, style.indent),
            Some((Mark::Bullet, indent)) => out.marked(kind, style.block, Marker::Bullet, indent),
            Some((Mark::Number(number, hang), indent)) if kind == BlockKind::Paragraph => {
                out.marked(BlockKind::Item(hang), style.block, Marker::None, indent);
                out.styled(&number, Role::Marker);
                out.text(" ");
            }
            Some((Mark::Number(number, _), indent)) => {
                out.marked(BlockKind::Paragraph, style.block, Marker::None, indent);
                out.bars(style.bars);
                out.styled(&number, Role::Marker);
                out.marked(kind, style.block, Marker::None, style.indent);
            }
        }
        out.align(style.align);
        out.bars(style.bars);
    }

    /// Names the places that wait for text.
    pub fn settle(&mut self, out: &mut Builder) {
        self.names.drain(..).for_each(|name| out.anchor(&name));
        if std::mem::take(&mut self.content) {
            out.begin_content();
        }
    }
}

/// A reference without what HTML lets stand around and in it: blanks at its ends, line breaks and TABs within.
pub(super) fn clean_reference(reference: &str) -> String {
    let reference = reference.trim_matches(|c: char| c.is_ascii_whitespace());
    match memchr::memchr3(b'\t', b'\n', b'\r', reference.as_bytes()) {
        None => reference.into(),
        Some(_) => reference.replace(['\t', '\n', '\r'], ""),
    }
}

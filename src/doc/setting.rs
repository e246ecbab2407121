//! `Setting`: one block at a width. Where its lines start, and what stands on each.

use super::Marks;
use super::columns::columns;
use super::document::{Align, Anchor, Block, BlockKind, Document};
use super::figure::{self, Figure};
use super::layout::{Layout, Line, Segment, Wrap};
use super::marker::{BESIDE_MARGIN, Marker};
use super::segments::{blank, fold, runs, skip, slice, tabbed_cluster, tabbed_columns};
use super::wrap::{self, Break, Space, UNWRAPPED_CHUNK, WRAPPED_CHUNK, tab_columns};
use crate::doc::index;
use crate::role::Role;
use std::borrow::Cow;
use std::ops::Range;

/// Columns that are kept for text however deep the indent.
pub(super) const LEAST_TEXT: usize = 10;
/// The narrowest that a caption is set, if there is room.
const LEAST_CAPTION: usize = 30;
/// Columns of a box that can be ticked: its words stand behind it.
const BOX: usize = 3;
/// Cells of a row for whose separators room is kept.
const CELLS: usize = 16;

/// How a block's text becomes lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// It wraps.
    Wrapped(Space),
    /// It runs on past the right edge.
    Clipped,
    /// It is one line of its own making.
    Single,
    /// Its lines are the rows of a picture; where nothing is drawn there are none.
    Rows,
}

/// One block at a width.
#[derive(Debug, Clone)]
pub(super) struct Setting<'a> {
    document: &'a Document,
    number: u32,
    block: Block,
    text: &'a str,
    /// Octet offset of the block's text in the document's.
    base: usize,
    flow: Flow,
    width: usize,
    indent: usize,
    margin: usize,
    /// Columns by which all lines but the first stand further to the right: under their text.
    hang: usize,
    /// What it is the caption of.
    over: Option<Over>,
    marks: Marks,
    /// URLs are not broken.
    whole: bool,
    /// What only eyes need is drawn.
    drawn: bool,
    /// Levels of indent that are those of the table it stands in.
    outer: u8,
}

/// Where the table of a caption stands.
#[derive(Debug, Clone, Copy)]
struct Over {
    /// Twice its middle column.
    middle: usize,
    /// The columns there are.
    room: usize,
}

/// The range of one line in its block.
pub(super) type Piece = Range<usize>;

/// The lines of a block from a line start on.
pub(super) struct Pieces<'s, 'a> {
    setting: &'s Setting<'a>,
    at: Option<usize>,
    chunk_end: usize,
}

impl<'a> Setting<'a> {
    /// A block, which must exist, of a document.
    pub fn new(layout: &Layout, document: &'a Document, number: u32) -> Setting<'a> {
        let block = document.blocks()[number as usize];
        let range = document.block_range(number);
        let (text, base) = (&document.text()[range.clone()], range.start);
        let page = usize::from(layout.width).max(1);
        let runs_on = block.kind == BlockKind::Line && layout.wrap == Wrap::Off;
        let measure = layout.measure.map(usize::from).filter(|measure| !runs_on && is_prose(&block, text, *measure));
        let width = measure.map_or(page, |measure| measure.clamp(1, page));
        let margin = match block.kind {
            BlockKind::Item(hang) if width >= usize::from(hang) + BESIDE_MARGIN => usize::from(hang),
            BlockKind::Item(_) => 0,
            BlockKind::Labelled(hang) => usize::from(hang).min(width / 4),
            _ => block.marker.margin(layout.marks, width),
        };
        let drawn = layout.is_drawn();
        let beside = if drawn { beside_code(&block, text, width) } else { 0 };
        let indent = (usize::from(block.indent) * 2 + beside).min(width.saturating_sub(margin + LEAST_TEXT));
        let flow = match block.kind {
            BlockKind::Line | BlockKind::Preformatted if layout.wrap == Wrap::Off => Flow::Clipped,
            BlockKind::Line | BlockKind::Preformatted => Flow::Wrapped(Space::Keep),
            BlockKind::Entry | BlockKind::Labelled(_) => Flow::Wrapped(Space::Keep),
            BlockKind::Paragraph | BlockKind::Heading(_) | BlockKind::Item(_) => Flow::Wrapped(Space::Fold),
            BlockKind::Caption(_) => Flow::Wrapped(Space::Fold),
            // Told in a row, TABs are commas and take no room of their own.
            BlockKind::Row if layout.marks == Marks::Plain && !document.columns.is_empty() => {
                Flow::Wrapped(Space::Fold)
            }
            BlockKind::Row if layout.marks == Marks::Plain => Flow::Wrapped(Space::Keep),
            BlockKind::Row | BlockKind::Rule => Flow::Single,
            BlockKind::Figure(_) => Flow::Rows,
        };
        let hang = match block.kind {
            BlockKind::Line | BlockKind::Preformatted | BlockKind::Entry => hang(text),
            _ => 0,
        };
        // where there is little room, none of it is given away
        let hang = if 2 * hang <= width - indent - margin { hang } else { 0 };
        let (marks, whole, outer) = (layout.marks, layout.wrap == Wrap::WholeUrls, 0);
        let over = None;
        let mut setting = Setting {
            document,
            number,
            block,
            text,
            base,
            flow,
            width,
            indent,
            margin,
            hang,
            over,
            marks,
            whole,
            drawn,
            outer,
        };
        if let BlockKind::Caption(table) = block.kind {
            let table =
                document.tables.get(usize::from(table)).map_or(0, |table| table.width(setting.room(), layout.wrap));
            setting.stand_over(table);
        }
        setting
    }

    /// As [`Setting::new`] for a block in a cell, which is as wide as the layout, of a table at an indent.
    pub fn in_cell(layout: &Layout, document: &'a Document, number: u32, indent: u8) -> Setting<'a> {
        let mut setting = Setting::new(layout, document, number);
        let levels = usize::from(setting.block.indent.saturating_sub(indent));
        setting.outer = indent;
        setting.indent = (levels * 2).min(setting.width.saturating_sub(setting.margin + LEAST_TEXT));
        setting
    }

    /// A caption is set within the columns of its table, unless these are few.
    fn stand_over(&mut self, table: usize) {
        let room = self.room();
        let width = table.max(LEAST_CAPTION).min(room);
        self.over = Some(Over { middle: 2 * self.block.sides.align().lead(room.saturating_sub(table)) + table, room });
        self.width -= room - width;
    }

    /// The number of the block.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The place of an offset into the block.
    pub fn anchor(&self, offset: usize) -> Anchor {
        Anchor { block: self.number, offset: index(offset) }
    }

    /// Whether its lines run on past the edge.
    pub fn is_clipped(&self) -> bool {
        self.flow == Flow::Clipped
    }

    /// The columns before a line of a block that does not keep to the left edge.
    fn lead(&self, start: usize) -> usize {
        if self.block.sides.align() == Align::Left && self.over.is_none() {
            return 0;
        }
        let taken = self.pieces(start).next().map_or(0, |line| columns(self.text[line].trim_end()));
        match self.over {
            Some(Over { middle, room }) => (middle.saturating_sub(taken) / 2).min(room.saturating_sub(taken)),
            None => self.block.sides.align().lead(self.room_at(start).saturating_sub(taken)),
        }
    }

    /// Columns for text.
    fn room(&self) -> usize {
        (self.width - self.indent - self.margin).max(1)
    }

    /// Columns for the text of the line that starts at an offset: an item's number and a label stand in the margin.
    fn room_at(&self, start: usize) -> usize {
        match start {
            _ if self.is_told() => {
                let (room, cells) =
                    (self.room(), self.text.bytes().filter(|octet| *octet == b'\t').take(CELLS).count());
                room - cells.min(room / 3)
            }
            0 => self.room() + self.label().min(self.margin),
            _ => (self.room() - self.hang).max(1),
        }
    }

    /// Whether it is a row whose columns have names, and is told as one thing: a file, an article.
    fn is_told(&self) -> bool {
        self.block.kind == BlockKind::Row && self.marks == Marks::Plain && !self.document.columns.is_empty()
    }

    /// The cells of a line of such a row, those that say something.
    fn tell(&self, line: Piece, out: &mut Vec<Segment<'a>>) {
        let (mut at, room, begins) = (line.start, self.room_at(line.start), out.len());
        for cell in self.text[line].split('\t') {
            let inked = cell.trim_end().len();
            if inked > 0 {
                let between =
                    Segment { text: Cow::Borrowed(", "), role: self.block.role, link: None, at: None, row: None };
                out.extend(Some(between).filter(|_| out.len() > begins));
                self.keep(at..at + inked, 0, room, out);
            }
            at += cell.len() + 1;
        }
    }

    /// The columns of an item's number and the space after it, or of a label.
    fn label(&self) -> usize {
        match self.block.kind {
            BlockKind::Item(_) => self.text.find(' ').map_or(0, |end| columns(&self.text[..end]) + 1),
            BlockKind::Labelled(_) => self.margin,
            _ => 0,
        }
    }

    fn chunk(&self, offset: usize) -> Range<usize> {
        match self.flow {
            Flow::Wrapped(_) => wrap::chunk(self.text, offset, WRAPPED_CHUNK, self.whole),
            Flow::Clipped => wrap::chunk(self.text, offset, UNWRAPPED_CHUNK, false),
            Flow::Single | Flow::Rows => 0..self.text.len(),
        }
    }

    /// The picture that it is.
    fn figure(&self) -> Option<&'a Figure> {
        match self.block.kind {
            BlockKind::Figure(number) => self.document.figures().get(usize::from(number)),
            _ => None,
        }
    }

    /// The columns and rows of the picture that it is.
    fn cells(&self) -> (u16, u16) {
        let figure = self.figure().filter(|_| self.drawn);
        figure.map_or((0, 0), |figure| figure.canvas.cells(self.room()))
    }

    /// The lines from a line start on.
    pub fn pieces(&self, from: usize) -> Pieces<'_, 'a> {
        Pieces { setting: self, at: Some(from), chunk_end: self.chunk(from).end }
    }

    /// Adds the line starts of the chunk that holds an offset, up to the line that holds it; says where the chunk
    /// starts.
    pub fn starts_until(&self, offset: usize, starts: &mut Vec<Anchor>) -> usize {
        if self.flow == Flow::Rows {
            let (_, rows) = self.cells();
            let upto = rows.min(figure::row_at(offset, rows).saturating_add(1));
            starts.extend((0..upto).map(|row| self.anchor(figure::place_of(row, rows))));
            return 0;
        }
        let chunk = self.chunk(offset);
        let mut pieces = self.pieces(chunk.start);
        while let Some(start) = pieces.at.filter(|at| *at <= offset && (*at < chunk.end || *at == chunk.start)) {
            starts.push(self.anchor(start));
            pieces.next();
        }
        chunk.start
    }

    /// The line from one place to another as it is told, one thing a line: up to the end of a cell, behind a field, before a box with
    /// its words; `None` where it holds no more than one thing.
    fn thing(&self, line: &Piece) -> Option<Break> {
        let text = self.text.get(line.clone()).filter(|_| self.marks == Marks::Plain)?;
        let parted = |end: usize| {
            let rest = &self.text[line.start + end..];
            let next = rest.find(|c: char| !matches!(c, ' ' | '\t'))?;
            Some(Break { end, next: end + next })
        };
        if self.block.kind == BlockKind::Row {
            if self.is_told() {
                return None;
            }
            let first = text.find(|c: char| c != '\t')?;
            return parted(first + text[first..].find('\t')?);
        }
        let fields = self.document.spans_in(self.base + line.start..self.base + line.end);
        let at = |offset: u32| (offset as usize).saturating_sub(self.base + line.start).min(text.len());
        let fields = fields.iter().filter(|span| span.role == Role::Field && span.link.is_some());
        let mut fields = fields.map(|span| at(span.start)..at(span.end)).peekable();
        let mut boxed = false;
        while let Some(field) = fields.next() {
            let is_box = columns(&text[field.clone()]) == BOX;
            if (is_box || boxed) && !text[..field.start].trim().is_empty() {
                return parted(text[..field.start].trim_end_matches([' ', '\t']).len());
            }
            boxed = is_box;
            if !is_box {
                // what stands right behind it, a full stop or a star, is no thing of its own
                let end = text[field.end..].find([' ', '\t']).map_or(text.len(), |blank| field.end + blank);
                return parted(fields.peek().map_or(end, |next| end.min(next.start)));
            }
        }
        None
    }

    /// The columns of a line, were there no right edge.
    pub fn unclipped_width(&self, start: usize, end: usize) -> usize {
        match self.flow {
            Flow::Clipped => self.indent + self.margin + tabbed_columns(&self.text[start..end]),
            _ => self.line(start, end, Some(0)).width(),
        }
    }

    /// One line, of which lines that run on are shown from `column` on; of tables the whole line without one.
    pub fn line(&self, start: usize, end: usize, column: Option<u16>) -> Line<'a> {
        let mut segments = Vec::with_capacity(2);
        self.left(start == 0, &mut segments);
        match (self.block.kind, self.flow) {
            (BlockKind::Row, Flow::Single) => {
                let room = (self.room(), self.width);
                super::row::set(self.document, self.base, self.text, room, self.block.role, &mut segments);
            }
            (BlockKind::Row, _) if self.is_told() => self.tell(start..end, &mut segments),
            (BlockKind::Rule, _) if self.marks == Marks::Plain => {}
            (BlockKind::Rule, _) => {
                segments.push(Segment { text: rule(self.room()), role: Role::Rule, link: None, at: None, row: None });
            }
            (_, Flow::Rows) => {
                let (cells, rows) = self.cells();
                let row = Some(figure::row_at(start, rows));
                let (text, link) = (Cow::Owned(" ".repeat(cells.into())), self.figure().map(|figure| figure.link));
                segments.push(Segment { text, role: Role::Text, link, at: None, row });
            }
            (_, Flow::Wrapped(Space::Fold)) => {
                blank(self.lead(start), self.block.role, None, &mut segments);
                fold(self.document, self.block.role, self.base + start..self.base + end, &mut segments);
            }
            (_, Flow::Clipped) => self.clip(start, end, usize::from(column.unwrap_or(0)), &mut segments),
            (BlockKind::Entry, _) => {
                // a link is underlined, which blanks at its end would show
                let inked = self.text[start..end].trim_end_matches([' ', '\t']).len();
                self.keep(start..start + inked, 0, self.room_at(start), &mut segments);
            }
            _ => self.keep(start..end, 0, self.room_at(start), &mut segments),
        }
        Line { anchor: self.anchor(start), segments }
    }

    /// Indent and margin.
    fn left(&self, first: bool, out: &mut Vec<Segment<'a>>) {
        if let BlockKind::Item(_) | BlockKind::Labelled(_) = self.block.kind {
            let hanging = if first { self.label().min(self.margin) } else { 0 };
            return self.inset(self.margin - hanging, out);
        }
        let hang = if first || self.flow == Flow::Clipped { 0 } else { self.hang };
        let word = match self.block.marker {
            _ if !first => Cow::Borrowed(""),
            Marker::Bullet if self.drawn && self.margin > 0 => Cow::Borrowed(Marker::Bullet.glyph()),
            marker => marker.text(self.marks, self.margin),
        };
        let ink = word.trim_end();
        if ink.is_empty() {
            return self.inset(self.margin + hang, out);
        }
        // right-aligned, with one space before the text
        let cols = columns(ink);
        self.inset(self.margin.saturating_sub(cols + 1), out);
        out.push(Segment { text: Cow::Owned(ink.to_owned()), role: Role::Marker, link: None, at: None, row: None });
        blank(self.margin.saturating_sub(cols).min(1), self.block.role, None, out);
    }

    /// The indent with the bars of quotes, and so many columns more.
    fn inset(&self, more: usize, out: &mut Vec<Segment<'a>>) {
        let mut at = 0;
        for level in self.block.sides.bars().filter(|level| self.drawn && *level >= self.outer) {
            let column = usize::from(level - self.outer) * 2;
            if column + 1 >= self.indent {
                break;
            }
            blank(column - at, self.block.role, None, out);
            out.push(Segment { text: Cow::Borrowed("│"), role: Role::Rule, link: None, at: None, row: None });
            at = column + 1;
        }
        blank(self.indent - at + more, self.block.role, None, out);
    }

    /// A line whose white space counts: its text starts at a column and must end before another; only TABs care.
    fn keep(&self, piece: Piece, column: usize, limit: usize, out: &mut Vec<Segment<'a>>) {
        let tabbed = memchr::memchr(b'\t', &self.text.as_bytes()[piece.clone()]).is_some();
        let mut column = column;
        for (range, role, link) in runs(self.document, self.block.role, self.base + piece.start..self.base + piece.end)
        {
            let text = &self.document.text()[range.clone()];
            if !tabbed {
                slice(text, range.start, role, link, out);
                continue;
            }
            let mut at = range.start;
            for (number, part) in text.split('\t').enumerate() {
                if number > 0 {
                    let cols = tab_columns(column).min(limit.saturating_sub(column));
                    blank(cols, role, link, out);
                    column += cols;
                    at += 1;
                }
                slice(part, at, role, link, out);
                column += columns(part);
                at += part.len();
            }
        }
    }

    /// The part of a line that runs on which stands on the screen.
    fn clip(&self, start: usize, end: usize, left: usize, out: &mut Vec<Segment<'a>>) {
        let text = &self.text[start..end];
        let (skipped, mut column) = skip(text, left);
        let role = self.block.role;
        if column > left {
            blank((column - left).min(self.room()), role, None, out);
        }
        let right = left + self.room();
        let from = column;
        let mut at = skipped;
        while at < text.len() && column < right {
            let (len, cols) = tabbed_cluster(&text[at..], column);
            let tab = text.as_bytes()[at] == b'\t';
            if column + cols > right && !tab {
                break;
            }
            at += len;
            column += cols;
        }
        // marks without a column of their own that follow the last character are part of its grapheme already
        self.keep(start + skipped..start + at, from, right, out);
    }
}

impl Iterator for Pieces<'_, '_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let start = self.at?;
        if self.setting.flow == Flow::Rows {
            let (_, rows) = self.setting.cells();
            let next = figure::row_at(start, rows) + 1;
            self.at = (next < rows).then(|| figure::place_of(next, rows));
            return (rows > 0).then_some(start..start);
        }
        let text = self.setting.text;
        if start >= self.chunk_end && start < text.len() {
            self.chunk_end = self.setting.chunk(start).end;
        }
        let rest = &text[start..self.chunk_end];
        let (end, next) = match self.setting.flow {
            Flow::Wrapped(space) if !rest.is_empty() => {
                let line = wrap::break_line(
                    &text[..self.chunk_end],
                    start,
                    self.setting.room_at(start),
                    space,
                    self.setting.whole,
                );
                let line = self.setting.thing(&(start..start + line.end)).unwrap_or(line);
                (start + line.end, (start + line.next).min(self.chunk_end))
            }
            _ => (self.chunk_end, self.chunk_end),
        };
        self.at = (next < text.len()).then_some(next);
        Some(start..end)
    }
}

/// Whether a block is set by the measure of prose. A line of a text is where its author did not end it: a third longer, it was set
/// by hand for a wider page; with TABs, wide gaps or lines drawn in it, it is a table or a picture.
fn is_prose(block: &Block, text: &str, measure: usize) -> bool {
    /// Octets that are looked at; more columns than a screen has.
    const BEGINNING: usize = 1024;
    match block.kind {
        BlockKind::Entry => matches!(block.marker, Marker::Bullet | Marker::None),
        BlockKind::Paragraph | BlockKind::Heading(_) | BlockKind::Rule => true,
        BlockKind::Item(_) | BlockKind::Labelled(_) => true,
        BlockKind::Line if block.marker == Marker::None && text.len() > measure => {
            let text = text[..text.floor_char_boundary(BEGINNING)].trim();
            let is_drawn = |c: char| c == '\t' || ('\u{2500}'..'\u{2600}').contains(&c);
            columns(text) > measure + measure / 3 && !text.contains("   ") && !text.contains(is_drawn)
        }
        _ => false,
    }
}

/// The columns by which program text and drawings stand further in; none where a line would not fit any more for that alone.
fn beside_code(block: &Block, text: &str, width: usize) -> usize {
    const BESIDE: usize = 2;
    if block.kind != BlockKind::Preformatted || block.role != Role::CodeBlock {
        return 0;
    }
    let taken = usize::from(block.indent) * 2 + if text.len() > 4 * width { width + 1 } else { tabbed_columns(text) };
    if taken <= width && taken + BESIDE > width { 0 } else { BESIDE }
}

/// The columns before the text of a line: its indent, the marks of quotes, and the bullet or number of an item.
fn hang(text: &str) -> usize {
    /// Digits of an item's number.
    const NUMBER: usize = 3;
    /// Octets of indent and mark.
    const LONGEST: usize = 128;
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let octets = text.as_bytes();
    let blanks = |from: usize| octets[from..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
    let mut at = blanks(0);
    while octets.get(at) == Some(&b'>') {
        at += 1;
        at += blanks(at);
    }
    let digits = octets[at..].iter().take(NUMBER + 1).take_while(|octet| octet.is_ascii_digit()).count();
    let mark = match octets[at..] {
        [b'*' | b'-' | b'+', ..] => 1,
        _ if (1..=NUMBER).contains(&digits) && matches!(octets.get(at + digits), Some(b'.' | b')')) => digits + 1,
        _ => ['•', '◦', '‣', '·', '–', '—']
            .iter()
            .find(|mark| text[at..].starts_with(**mark))
            .map_or(0, |mark| mark.len_utf8()),
    };
    let gap = blanks(at + mark);
    if mark > 0 && gap > 0 {
        at += mark + gap;
    }
    tabbed_columns(&text[..at])
}

pub(super) fn rule(cols: usize) -> Cow<'static, str> {
    Cow::Owned("─".repeat(cols))
}

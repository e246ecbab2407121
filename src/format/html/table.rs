//! Tables. One that holds data becomes rows of cells, which the document sets in columns at the width of the screen; one
//! that only places things on a page is taken apart, and its cells follow each other.

use super::dom::{Dom, Id, Kind, NONE};
use super::element::Exit;
use super::flow::Style;
use super::name::{Attr, Tag};
use super::walk::Walk;
use crate::doc::{Align, Builder, Part};
use crate::role::Role;

/// The most columns; what stands further right goes into the last one.
const MOST_COLUMNS: usize = 64;
/// The longest text of a cell of data, in octets.
const LONGEST_CELL: usize = 600;
/// The longest text of a single row that is set in columns.
const LONGEST_ROW: usize = 100;

/// Titles are looked for in so many nodes of a table.
const TITLES_WITHIN: usize = 2000;

/// A table that the walk is in.
#[derive(Debug)]
pub(super) enum Grid {
    /// It places things.
    Layout,
    /// It stands in a cell of data.
    Flat,
    Data(Rows),
}

/// Where the walk is in a table of data.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Its number in the document.
    table: u16,
    /// The indent of its rows.
    indent: u8,
    /// Where it stands between the edges of the page.
    place: Align,
    /// The row has begun.
    begun: bool,
    /// The column of the last cell, and the one after it.
    at: usize,
    next: usize,
    /// Rows that cells from above still reach into, by column; and those that cells of this row will.
    above: Vec<u32>,
    below: Vec<u32>,
    /// How many columns cells begin in.
    furthest: usize,
    /// A row had more columns than there can be.
    crowded: bool,
}

impl Walk {
    /// Begins a table or a part of one.
    pub(super) fn enter_table_part(
        &mut self,
        dom: &Dom,
        id: Id,
        tag: Tag,
        style: Style,
        out: &mut Builder,
    ) -> Option<(Style, Exit)> {
        match (tag, self.grids.last_mut()) {
            (Tag::Table, _) => return Some(self.enter_table(dom, id, style, out)),
            (Tag::Caption, grid) => {
                let caption = match grid {
                    Some(Grid::Data(rows)) => Some(rows.table),
                    _ => None,
                };
                self.flow.end_block();
                let place = match grid {
                    Some(Grid::Data(rows)) => rows.place,
                    _ => style.align,
                };
                return Some((Style { caption, align: place, ..style.with(Role::Strong) }, Exit::Block));
            }
            (Tag::Tbody | Tag::Thead | Tag::Tfoot, _) => return Some((style, Exit::Nothing)),
            (Tag::Tr, Some(Grid::Data(rows))) => {
                rows.begin_row();
                return Some((style, Exit::Row));
            }
            (Tag::Td | Tag::Th, Some(Grid::Data(rows))) => {
                let (columns, height) = (span(dom, id, Attr::Colspan), span(dom, id, Attr::Rowspan));
                let (begins, tabs) = rows.begin_cell(usize::from(columns).min(MOST_COLUMNS), usize::from(height));
                let (table, indent, column, end) = (rows.table, rows.indent, rows.at, rows.next);
                let place = rows.place;
                if begins {
                    self.flow.begin_row(Style { indent, align: place, ..Style::PLAIN }, table, out);
                }
                match tabs {
                    0 if !begins => self.flow.crowd_cell(),
                    _ => self.flow.begin_cell(tabs, out),
                }
                let align = align(dom, id).unwrap_or(Align::Left);
                if begins {
                    out.part(table, Part::Row);
                }
                out.part(table, Part::Cell { columns, rows: height, align });
                out.cell(table, column, end - column, Some(align).filter(|align| *align != Align::Left));
                let style = if tag == Tag::Th { style.with(Role::TableHead) } else { style };
                return Some((style, Exit::Cell));
            }
            _ => self.flow.end_block(),
        }
        Some((style, Exit::Block))
    }

    fn enter_table(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) -> (Style, Exit) {
        let place = align(dom, id).unwrap_or(style.align);
        if self.flow.is_in_row() {
            self.grids.push(Grid::Flat);
        } else if let Some(table) = is_data(dom, id).then(|| out.table()).flatten() {
            self.flow.gap();
            self.grids.push(Grid::Data(Rows { table, indent: style.indent, place, ..Rows::default() }));
        } else {
            self.flow.end_block();
            self.grids.push(Grid::Layout);
        }
        (Style { align: Align::Left, ..style }, Exit::Table)
    }

    /// Ends a table, a row or a cell.
    pub(super) fn exit_table_part(&mut self, exit: Exit, out: &mut Builder) {
        match exit {
            Exit::Row => {
                if let Some(Grid::Data(rows)) = self.grids.last_mut()
                    && rows.end_row()
                {
                    out.part(rows.table, Part::End);
                    out.end_row(rows.table);
                    self.flow.end_row();
                }
            }
            Exit::Table => match self.grids.pop() {
                Some(Grid::Data(rows)) => {
                    if !rows.crowded {
                        out.end_table(rows.table, rows.furthest);
                    }
                    self.flow.gap();
                }
                _ => self.flow.end_block(),
            },
            Exit::Cell => {
                if let Some(Grid::Data(rows)) = self.grids.last() {
                    out.part(rows.table, Part::End);
                }
            }
            _ => {}
        }
    }

    /// Notes an element that begins in a cell of data.
    pub(super) fn begin_part(&self, dom: &Dom, id: Id, tag: Tag, out: &mut Builder) {
        let Some(table) = self.data_table() else { return };
        let flat = matches!(self.grids.last(), Some(Grid::Flat));
        let part = match tag {
            Tag::Tr if flat => Part::Row,
            Tag::Td | Tag::Th if flat => {
                let (columns, rows) = (span(dom, id, Attr::Colspan), span(dom, id, Attr::Rowspan));
                Part::Cell { columns, rows, align: Align::Left }
            }
            Tag::Br => Part::Break,
            _ => match kind(tag) {
                Some(Part::Numbers(_)) => {
                    let start = dom.attr(id, Attr::Start).and_then(|start| start.trim().parse().ok());
                    Part::Numbers(start.unwrap_or(1))
                }
                Some(part) => part,
                None => return,
            },
        };
        out.part(table, part);
    }

    /// Notes its end.
    pub(super) fn end_part(&self, tag: Tag, out: &mut Builder) {
        let flat = matches!(self.grids.last(), Some(Grid::Flat));
        let ends = match tag {
            Tag::Tr | Tag::Td | Tag::Th | Tag::Table => flat,
            _ => kind(tag).is_some(),
        };
        if let Some(table) = self.data_table().filter(|_| ends) {
            out.part(table, Part::End);
        }
    }

    /// The table of data in one of whose cells the walk is.
    fn data_table(&self) -> Option<u16> {
        self.grids.iter().rev().filter(|_| self.flow.is_in_row()).find_map(|grid| match grid {
            Grid::Data(rows) => Some(rows.table),
            _ => None,
        })
    }
}

/// What an element in a cell is to the table's layout; rows and cells of tables within it are none here.
fn kind(tag: Tag) -> Option<Part> {
    match tag {
        Tag::Ul | Tag::Dir | Tag::Menu => Some(Part::Bullets),
        Tag::Ol => Some(Part::Numbers(1)),
        Tag::Li => Some(Part::Item),
        Tag::Table => Some(Part::Table),
        Tag::P => Some(Part::Apart),
        Tag::Div | Tag::Dl | Tag::Dt | Tag::Dd | Tag::Center | Tag::Address | Tag::Section | Tag::Article => {
            Some(Part::Block)
        }
        Tag::Caption | Tag::Figure | Tag::Figcaption | Tag::Form | Tag::Header | Tag::Footer => Some(Part::Block),
        _ => None,
    }
}

/// In how many columns or rows a cell stands.
fn span(dom: &Dom, id: Id, name: Attr) -> u16 {
    dom.attr(id, name).and_then(count).unwrap_or(1).clamp(1, 65534) as u16
}

/// Which edge an element's text keeps to, by its own word, its style, or the row it is a cell of.
pub(super) fn align(dom: &Dom, id: Id) -> Option<Align> {
    let attr = |id| dom.attr(id, Attr::Align).and_then(edge);
    let style = || {
        let rules = dom.attr(id, Attr::Style)?.split(';').filter_map(|rule| rule.split_once(':'));
        rules.filter(|rule| rule.0.trim().eq_ignore_ascii_case("text-align")).find_map(|rule| edge(rule.1))
    };
    let row = || Some(dom.parent(id)).filter(|parent| dom.tag(*parent) == Tag::Tr).and_then(attr);
    attr(id).or_else(style).or_else(row)
}

fn edge(word: &str) -> Option<Align> {
    let word = word.trim();
    const EDGES: [(&str, Align); 7] = [
        ("left", Align::Left),
        ("right", Align::Right),
        ("center", Align::Center),
        ("middle", Align::Center),
        ("justify", Align::Left),
        ("start", Align::Left),
        ("end", Align::Right),
    ];
    EDGES.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, edge)| edge)
}

impl Rows {
    fn begin_row(&mut self) {
        (self.begun, self.at, self.next) = (false, 0, 0);
    }

    /// Finds a cell its column; says whether it begins the row, and how many columns it is from the cell before it.
    fn begin_cell(&mut self, columns: usize, rows: usize) -> (bool, usize) {
        let begins = !std::mem::replace(&mut self.begun, true);
        let from = if begins { 0 } else { self.at };
        let mut at = self.next;
        while self.above.get(at).is_some_and(|left| *left > 0) {
            at += 1;
        }
        self.crowded |= at >= MOST_COLUMNS;
        at = at.min(MOST_COLUMNS - 1);
        let end = (at + columns).min(MOST_COLUMNS);
        if self.below.len() < end {
            self.below.resize(end, 0);
        }
        self.below[at..end].fill(rows as u32 - 1);
        self.furthest = self.furthest.max(at + 1);
        (self.at, self.next) = (at, end);
        (begins, at - from)
    }

    /// Whether there was anything in the row.
    fn end_row(&mut self) -> bool {
        self.above.resize(self.below.len().max(self.above.len()), 0);
        for (column, left) in self.above.iter_mut().enumerate() {
            let new = self.below.get_mut(column).map_or(0, std::mem::take);
            *left = left.saturating_sub(1).max(new);
        }
        std::mem::take(&mut self.begun)
    }
}

fn count(text: &str) -> Option<usize> {
    let text = text.trim_ascii();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text[..digits.min(9)].parse().ok()
}

/// Whether a table holds data: several columns of short cells. Cells with lists and tables in them are data only in a table
/// that has titles of columns or rows, or a caption: what has none was most likely made to place things on a page.
fn is_data(dom: &Dom, table: Id) -> bool {
    let titled = dom.within(table).take(TITLES_WITHIN).any(|id| {
        let tag = dom.tag(id);
        matches!(tag, Tag::Th | Tag::Caption | Tag::Thead) && own_table(dom, id) == table
    });
    let (mut rows, mut columns, mut widest) = (0, 0, 0usize);
    let (mut all, mut cell, mut breaks) = (0, 0, 0);
    for id in dom.within(table) {
        match dom.kind(id) {
            Kind::Text => {
                cell += dom.text(id).trim_ascii().len();
                all += dom.text(id).trim_ascii().len();
            }
            Kind::Element(tag) => match tag {
                Tag::Tr => (rows, columns) = (rows + 1, 0),
                Tag::Td | Tag::Th => {
                    (columns, cell, breaks) = (columns + 1, 0, 0);
                    widest = widest.max(columns);
                }
                Tag::Table | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Dir if titled => {}
                Tag::P | Tag::Br | Tag::Div if titled => {}
                Tag::P | Tag::Br | Tag::Div => breaks += 1,
                Tag::Table | Tag::Pre | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Blockquote | Tag::Hr | Tag::Dir => {
                    return false;
                }
                Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::Details | Tag::Iframe => return false,
                Tag::Menu | Tag::Fieldset | Tag::Listing | Tag::Xmp | Tag::Plaintext => return false,
                _ => {}
            },
        }
        if cell > LONGEST_CELL || breaks > 3 {
            return false;
        }
    }
    widest >= 2 && (rows > 1 || all <= LONGEST_ROW)
}

/// The table that a part of one stands in.
fn own_table(dom: &Dom, part: Id) -> Id {
    let mut at = dom.parent(part);
    while at != NONE && dom.tag(at) != Tag::Table {
        at = dom.parent(at);
    }
    at
}

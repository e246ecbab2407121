//! Tables. One that holds data becomes rows of cells, which the document sets in columns at the width of the screen; one
//! that only places things on a page is taken apart, and its cells follow each other.

use super::dom::{Dom, Id, Kind, NONE};
use super::element::Exit;
use super::flow::{Outside, Style, White};
use super::list::List;
use super::name::{Attr, Tag};
use super::walk::Walk;
use crate::doc::{Align, Builder, most_columns};
use crate::role::Role;

/// The longest text of a cell of data, in octets: of a table that has titles; of others; and of those with so many rows of
/// several cells that they hardly place anything.
const LONGEST_TITLED: usize = 16 << 10;
const LONGEST_CELL: usize = 600;
const LONGEST_REGULAR: usize = 4 << 10;
const REGULAR: usize = 5;
/// The most ends of lines and paragraphs in such a short cell.
const MOST_BREAKS: usize = 3;
/// The longest preformatted text of a cell.
const LONGEST_LINES: usize = 32 << 10;
/// The longest text of a single row that is set in columns.
const LONGEST_ROW: usize = 100;

/// Titles are looked for in so many nodes of a table.
const TITLES_WITHIN: usize = 2000;

/// A table that the walk is in.
#[derive(Debug)]
pub(super) enum Grid {
    /// It places things.
    Layout,
    Data(Rows),
}

/// Where the walk is in a table of data.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Its number in the document.
    table: u16,
    /// Where it stands between the edges of the page.
    place: Align,
    /// How many rows have ended.
    ended: usize,
    /// The column after the last cell.
    next: usize,
    /// By column, the row past the last one that a cell of several rows stands in.
    taken: Vec<usize>,
    /// The last column was taken before.
    crowded: bool,
    /// How it was before its cell began.
    around: Option<Around>,
}

/// What goes on after a cell.
#[derive(Debug)]
struct Around {
    lists: Vec<List>,
    flow: Outside,
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
            (Tag::Caption, Some(Grid::Data(rows))) => {
                let (caption, align) = (Some(rows.table), rows.place);
                self.flow.end_block();
                return Some((Style { caption, align, ..style.with(Role::Strong) }, Exit::Block));
            }
            (Tag::Caption, _) => {
                self.flow.end_block();
                return Some((style.with(Role::Strong), Exit::Block));
            }
            (Tag::Tbody | Tag::Thead | Tag::Tfoot, _) => return Some((style, Exit::Nothing)),
            (Tag::Tr, Some(Grid::Data(rows))) => {
                self.flow.begin_row(out);
                rows.begin_row();
                let table = rows.table;
                out.begin_row(table, dom.tag(dom.parent(id)) == Tag::Tfoot);
                return Some((style, Exit::Row));
            }
            (Tag::Td | Tag::Th, Some(Grid::Data(rows))) => {
                let (columns, height) = (span(dom, id, Attr::Colspan), span(dom, id, Attr::Rowspan));
                if let Some(column) = rows.begin_cell(columns, height) {
                    let part = dom.parent(dom.parent(id));
                    let title = tag == Tag::Th || dom.tag(part) == Tag::Thead;
                    out.begin_cell(rows.table, column, columns, height, title);
                }
                rows.around = Some(Around { lists: std::mem::take(&mut self.lists), flow: self.flow.begin_cell(out) });
                let block = if style.heading > 0 { Role::Text } else { style.block };
                let style = Style { caption: None, heading: 0, white: White::Fold, block, ..style };
                return Some((if tag == Tag::Th { style.with(Role::TableHead) } else { style }, Exit::Cell));
            }
            _ => self.flow.end_block(),
        }
        Some((style, Exit::Block))
    }

    fn enter_table(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) -> (Style, Exit) {
        let place = align(dom, id).unwrap_or(style.align);
        let lines = has_border(dom, id);
        if let Some(table) = is_data(dom, id).then(|| out.table(place, style.indent, lines)).flatten() {
            self.flow.gap();
            self.grids.push(Grid::Data(Rows { table, place, ..Rows::default() }));
        } else {
            self.flow.end_block();
            self.grids.push(Grid::Layout);
        }
        (Style { align: Align::Left, ..style }, Exit::Table)
    }

    /// Ends a table, a row or a cell.
    pub(super) fn exit_table_part(&mut self, exit: Exit, out: &mut Builder) {
        match (exit, self.grids.last_mut()) {
            (Exit::Cell, Some(Grid::Data(rows))) => {
                self.flow.unmark(out);
                if let Some(around) = rows.around.take() {
                    self.lists = around.lists;
                    self.flow.end_cell(around.flow);
                }
            }
            (Exit::Row, Some(Grid::Data(rows))) => {
                rows.end_row();
                out.end_row(rows.table);
            }
            (Exit::Table, _) => match self.grids.pop() {
                Some(Grid::Data(rows)) => {
                    self.flow.end_block();
                    out.end_table(rows.table);
                    self.flow.gap();
                }
                _ => self.flow.end_block(),
            },
            _ => {}
        }
    }
}

/// In how many columns or rows a cell stands.
pub(super) fn span(dom: &Dom, id: Id, name: Attr) -> usize {
    dom.attr(id, name).and_then(count).unwrap_or(1).clamp(1, 65534)
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
        (self.next, self.crowded) = (0, false);
    }

    /// Finds a cell its column; `None` when the last one is taken already: it follows what stands there.
    fn begin_cell(&mut self, columns: usize, rows: usize) -> Option<usize> {
        let mut at = self.next;
        while self.taken.get(at).is_some_and(|until| *until > self.ended) {
            at += 1;
        }
        let most = most_columns(self.table);
        if at >= most - 1 && std::mem::replace(&mut self.crowded, true) {
            return None;
        }
        let at = at.min(most - 1);
        let end = (at + columns).min(most);
        if rows > 1 {
            self.taken.resize(self.taken.len().max(end), 0);
            self.taken[at..end].fill(self.ended + rows);
        }
        self.next = end;
        Some(at)
    }

    fn end_row(&mut self) {
        self.ended += 1;
    }
}

fn count(text: &str) -> Option<usize> {
    let text = text.trim_ascii();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text[..digits.min(9)].parse().ok()
}

/// Whether a table is to have lines between its cells.
fn has_border(dom: &Dom, table: Id) -> bool {
    dom.attr(table, Attr::Border).is_some_and(|border| count(border) != Some(0))
}

/// Whether a table holds data: several columns of cells. One that has a border, titles of columns or rows, or a caption, may
/// hold anything in them. One without is data if its cells are short, but for preformatted lines, and hold no tables and the
/// like; lists and longer texts are data if row after row has several cells. Else it was most likely made to place things on a
/// page.
fn is_data(dom: &Dom, table: Id) -> bool {
    let titled = has_border(dom, table)
        || dom.within(table).take(TITLES_WITHIN).any(|id| {
            let tag = dom.tag(id);
            matches!(tag, Tag::Th | Tag::Caption | Tag::Thead) && own_table(dom, id) == table
        });
    let most = if titled { LONGEST_TITLED } else { LONGEST_REGULAR };
    let (mut rows, mut regular, mut columns, mut widest) = (0, 0, 0, 0usize);
    let (mut all, mut cell, mut longest, mut breaks) = (0, 0, 0, 0);
    let (mut lines, mut preformatted, mut flowing) = (0, false, false);
    for id in dom.within(table) {
        match dom.kind(id) {
            Kind::Text if preformatted => lines += dom.text(id).len(),
            Kind::Text => {
                let text = dom.text(id).trim_ascii().len();
                (cell, all) = (cell + text, all + text);
            }
            Kind::Element(tag) => match tag {
                Tag::Tr => (rows, columns) = (rows + 1, 0),
                Tag::Td | Tag::Th => {
                    // more than stand side by side
                    if columns >= most_columns(0) {
                        return false;
                    }
                    (columns, cell, breaks) = (columns + 1, 0, 0);
                    (lines, preformatted) = (0, false);
                    widest = widest.max(columns);
                    regular += usize::from(columns == 2);
                }
                Tag::Pre | Tag::Listing | Tag::Xmp => preformatted = true,
                _ if titled => {}
                Tag::P | Tag::Br | Tag::Div => breaks += 1,
                Tag::Ul | Tag::Ol | Tag::Dl | Tag::Dir | Tag::Menu => flowing = true,
                Tag::Table | Tag::Blockquote | Tag::Details | Tag::Iframe | Tag::Fieldset | Tag::Plaintext => {
                    return false;
                }
                _ => {}
            },
        }
        (longest, flowing) = (longest.max(cell), flowing | (breaks > MOST_BREAKS));
        if longest > most || lines > LONGEST_LINES {
            return false;
        }
    }
    let plain = longest <= LONGEST_CELL && !flowing;
    widest >= 2 && (titled || if plain { rows > 1 || all <= LONGEST_ROW } else { regular >= REGULAR })
}

/// The table that a part of one stands in.
fn own_table(dom: &Dom, part: Id) -> Id {
    let mut at = dom.parent(part);
    while at != NONE && dom.tag(at) != Tag::Table {
        at = dom.parent(at);
    }
    at
}

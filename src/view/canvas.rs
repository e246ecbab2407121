//! Cells: text in a role at a place, clipped by columns, so that wide characters never break a line or a border.

use super::spots::Spots;
use crate::app::Veil;
use crate::doc::{beginning, carries, cells, columns, ending};
use crate::role::Role;
use crate::theme::{Colour, Style, Theme};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use unicode_segmentation::UnicodeSegmentation;

/// The cells of a frame and the theme they are drawn by.
pub struct Canvas<'a> {
    /// The frame's cells.
    pub cells: &'a mut Buffer,
    /// Role → style.
    pub theme: &'a Theme,
    /// What stands where.
    pub spots: Spots,
    /// Nothing is drawn that is no words: for who listens.
    pub plain: bool,
    /// Something lies over the page, or may.
    pub covered: bool,
    /// What servers were told in secret, which no line that is typed in shows.
    pub veil: Veil,
}

/// A glyph and what stands for it without Unicode.
#[derive(Debug, Clone, Copy)]
pub struct Glyph(pub &'static str, pub &'static str);

/// Points at the link under focus and at the row chosen in a list.
pub const POINTER: Glyph = Glyph("▸", ">");
/// Points at the link under focus from behind, where no room is before it.
pub const POINTER_BEHIND: Glyph = Glyph("◂", "<");
/// At the item of a list that is read in the other pane, where the pointer is elsewhere.
pub const READ_BESIDE: Glyph = Glyph("▹", "-");
/// Before a row that is marked.
pub const MARKED: Glyph = Glyph("*", "*");
/// Before a row that is new.
pub const NEW: Glyph = Glyph("•", "+");
/// Before the URL that a link leads to.
pub const ARROW: Glyph = Glyph("→", "->");
/// Between short facts.
pub const DOT: Glyph = Glyph("·", "-");
/// Where text was left out.
pub const ELLIPSIS: Glyph = Glyph("…", "~");
/// A chosen answer, and one that is not.
pub const CHOSEN: Glyph = Glyph("●", "*");
/// See [`CHOSEN`].
pub const OPEN: Glyph = Glyph("○", "o");
/// Before the number of tabs that are left out at the left, and behind that of those at the right.
pub const MORE: [Glyph; 2] = [Glyph("‹", "<"), Glyph("›", ">")];
/// Something is coming to a tab.
pub const COMING: Glyph = Glyph("↓", "v");
/// A tab of which nothing is kept.
pub const PRIVATE: Glyph = Glyph("◆", "#");
/// Where a page ends too early, at both sides of the reason.
pub const TEAR: Glyph = Glyph("┄┄┄", "---");
/// The screen's share of the page, in the scrollbar.
pub const THUMB: Glyph = Glyph("█", "#");
/// Horizontal and vertical border.
pub const BORDERS: [Glyph; 2] = [Glyph("─", "-"), Glyph("│", "|")];
/// Corners, from the upper left one clockwise.
pub const CORNERS: [Glyph; 4] = [Glyph("┌", "+"), Glyph("┐", "+"), Glyph("┘", "+"), Glyph("└", "+")];

/// What stands for a glyph where it is heard.
fn spoken(glyph: &str) -> &'static str {
    match glyph {
        "→" => "to",
        "…" => "...",
        "●" => "chosen:",
        "○" => "or:",
        "·" => ",",
        "↓" => " loading",
        "◆" => "private",
        "*" => "marked ",
        "•" => "new ",
        _ => "",
    }
}

impl Canvas<'_> {
    /// The glyph for this terminal.
    pub fn glyph(&self, glyph: Glyph) -> &'static str {
        match self.plain {
            true => spoken(glyph.0),
            false if self.theme.unicode => glyph.0,
            false => glyph.1,
        }
    }

    /// Empties an area and gives it a role's ground.
    pub fn fill(&mut self, area: Rect, role: Role) {
        let area = area.intersection(self.cells.area);
        if area.is_empty() {
            return;
        }
        let mut blank = Cell::EMPTY;
        paint(&mut blank, self.theme.style(role));
        for y in area.top()..area.bottom() {
            self.claim(area.left(), y);
            let start = self.cells.index_of(area.left(), y);
            if let Some(row) = self.cells.content.get_mut(start..start + usize::from(area.width)) {
                row.fill(blank.clone());
            }
        }
    }

    /// Writes text from column `x` on, before column `end`; gives the column after it. What does not fit is left out, and
    /// nothing is written after a wide character that did not fit.
    pub fn put(&mut self, x: u16, y: u16, end: u16, text: &str, role: Role) -> u16 {
        self.put_from(x, y, end, text, 0, role)
    }

    /// As [`Canvas::put`], leaving out the first `skip` columns of the text.
    pub fn put_from(&mut self, x: u16, y: u16, end: u16, text: &str, skip: usize, role: Role) -> u16 {
        let style = self.theme.style(role);
        let end = end.min(self.cells.area.right());
        let (mut x, mut skip) = (x, skip);
        if x < end && !text.is_empty() {
            self.claim(x, y);
        }
        if text.bytes().all(|octet| matches!(octet, b' '..=b'~')) {
            return self.put_columns(x, y, end, text.get(skip..).unwrap_or_default(), style);
        }
        for grapheme in text.graphemes(true) {
            // it is for the layout, not for whoever copies from the screen
            let grapheme = match grapheme {
                "\u{a0}" => " ",
                // where a name is typed, each is one letter, as it is for whoever types
                octet if octet.starts_with(carries) => "\u{fffd}",
                grapheme => grapheme,
            };
            let width = cells(columns(grapheme));
            if width == 0 {
                continue;
            }
            let grapheme = held(grapheme);
            if skip > 0 {
                // A wide character cut by the left edge leaves a blank.
                let cut = cells(usize::from(width).saturating_sub(skip));
                skip = skip.saturating_sub(usize::from(width));
                for _ in 0..cut {
                    x = self.set(x, y, end, " ", 1, style);
                }
                continue;
            }
            if x + width > end {
                return end.max(x);
            }
            x = match (self.theme.unicode || grapheme.is_ascii(), width) {
                (true, _) => self.set(x, y, end, grapheme, width, style),
                (false, _) => plain(grapheme, width).chars().fold(x, |x, c| {
                    let mut octets = [0; 4];
                    self.set(x, y, end, c.encode_utf8(&mut octets), 1, style)
                }),
            };
        }
        x
    }

    /// Writes text in which each octet is a column, as most of it is: no clusters need be looked for.
    fn put_columns(&mut self, x: u16, y: u16, end: u16, text: &str, style: Style) -> u16 {
        let room = text.len().min(usize::from(end.saturating_sub(x)));
        if room == 0 || !(self.cells.area.top()..self.cells.area.bottom()).contains(&y) || x < self.cells.area.left() {
            return x + cells(room);
        }
        let start = self.cells.index_of(x, y);
        let row = self.cells.content.iter_mut().skip(start);
        for (cell, octet) in row.zip(text.bytes().take(room)) {
            cell.set_char(char::from(octet));
            paint(cell, style);
        }
        x + cells(room)
    }

    /// Writes text that ends at column `end`, as much of it as there is room after `from`; gives the column it begins at.
    pub fn put_right(&mut self, from: u16, y: u16, end: u16, text: &str, role: Role) -> u16 {
        let start = end.saturating_sub(cells(columns(text))).max(from);
        self.put(start, y, end, text, role);
        start
    }

    fn set(&mut self, x: u16, y: u16, end: u16, symbol: &str, width: u16, style: Style) -> u16 {
        for (i, at) in (x..(x + width).min(end)).enumerate() {
            if let Some(cell) = self.cells.cell_mut((at, y)) {
                cell.set_symbol(if i == 0 { symbol } else { " " });
                paint(cell, style);
            }
        }
        x + width
    }

    /// Lays a role over what stands in an area: its ground, and its attributes besides those that are there.
    pub fn tint(&mut self, area: Rect, role: Role) {
        let style = self.theme.style(role);
        let plain = colour_of(self.theme.style(Role::Text).background).unwrap_or(Color::Reset);
        for position in area.intersection(self.cells.area).positions() {
            if let Some(cell) = self.cells.cell_mut(position) {
                if let Some(ground) =
                    colour_of(style.background).filter(|_| cell.bg == plain || cell.bg == Color::Reset)
                {
                    cell.bg = ground;
                }
                cell.modifier.insert(attributes(style));
            }
        }
    }

    /// Shows where letters go, where the terminal's cursor is elsewhere.
    pub fn caret(&mut self, x: u16, y: u16) {
        if let Some(cell) = self.cells.cell_mut((x, y)) {
            cell.modifier.toggle(Modifier::REVERSED);
        }
    }

    /// Makes a cell free to be written: a wide character that begins before it would swallow it.
    fn claim(&mut self, x: u16, y: u16) {
        if let Some(before) = x.checked_sub(1)
            && let Some(cell) = self.cells.cell_mut((before, y))
            && columns(cell.symbol()) > 1
        {
            cell.set_symbol(" ");
        }
    }
}

/// Gives a cell a style; a colour that the style leaves to the terminal stays as it is on the ground below.
fn paint(cell: &mut Cell, style: Style) {
    if let Some(colour) = colour_of(style.foreground) {
        cell.fg = colour;
    }
    if let Some(colour) = colour_of(style.background) {
        cell.bg = colour;
    }
    cell.modifier = attributes(style);
}

fn attributes(style: Style) -> Modifier {
    let mut attributes = Modifier::empty();
    attributes.set(Modifier::BOLD, style.bold);
    attributes.set(Modifier::DIM, style.dim);
    attributes.set(Modifier::ITALIC, style.italic);
    attributes.set(Modifier::UNDERLINED, style.underline);
    attributes.set(Modifier::REVERSED, style.reverse);
    attributes
}

/// The colour of a cell; `None` for the terminal's own.
pub fn colour_of(colour: Colour) -> Option<Color> {
    match colour {
        Colour::Default => None,
        Colour::Ansi(n) | Colour::Indexed(n) => Some(Color::Indexed(n)),
        Colour::Rgb(r, g, b) => Some(Color::Rgb(r, g, b)),
    }
}

/// The text, or its beginning with an ellipsis, in at most `width` columns.
pub fn shortened(text: &str, width: usize, ellipsis: Glyph, unicode: bool) -> String {
    if columns(text) <= width {
        return text.into();
    }
    let mark = if unicode { ellipsis.0 } else { ellipsis.1 };
    let mut out = beginning(text, width.saturating_sub(1)).to_string();
    if width > 0 {
        out.push_str(mark);
    }
    out
}

/// The text, or both of its ends with an ellipsis between, in at most `width` columns: both ends of a path tell more than its
/// middle.
pub fn both_ends(text: &str, width: usize, ellipsis: Glyph, unicode: bool) -> String {
    if columns(text) <= width || width == 0 {
        return beginning(text, width).into();
    }
    let mark = if unicode { ellipsis.0 } else { ellipsis.1 };
    let keep = width - 1;
    let head = beginning(text, keep / 3);
    format!("{head}{mark}{}", ending(text, keep - columns(head)))
}

/// A grapheme with at most thirty marks, which is more than any language writes (UAX #15, 13): thousands in one cell would all
/// go to the terminal with every frame.
fn held(grapheme: &str) -> &str {
    const CHARACTERS: usize = 31;
    let end = if grapheme.len() <= CHARACTERS { None } else { grapheme.char_indices().nth(CHARACTERS) };
    end.map_or(grapheme, |(end, _)| &grapheme[..end])
}

/// What stands for a grapheme where only ASCII can be shown: something near for what is common in text, else question
/// marks, always of the same width.
fn plain(grapheme: &str, width: u16) -> String {
    const LATIN: &[u8] = b"AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty";
    let c = grapheme.chars().next().unwrap_or('?');
    let near = match c {
        // A letter with combining marks.
        ' '..='~' => c,
        'À'..='ÿ' => LATIN.get(c as usize - 0xC0).map_or('?', |b| char::from(*b)),
        '\u{A0}' | '\u{2000}'..='\u{200A}' => ' ',
        '‘' | '’' | '‚' | '′' | '´' => '\'',
        '“' | '”' | '„' | '″' | '«' | '»' => '"',
        '‐'..='―' | '─' | '━' | '┄' | '┅' | '┈' | '═' | '−' => '-',
        '│' | '┃' | '║' | '┆' | '┊' => '|',
        '•' | '●' | '■' | '▪' | '◆' => '*',
        '·' | '…' => '.',
        '▾' | '▼' | '↓' => 'v',
        '→' | '▸' | '▶' | '►' | '›' => '>',
        '←' | '◂' | '◀' | '◄' | '‹' => '<',
        '┌'..='╬' => '+',
        '█' | '▓' | '▒' | '░' | '▀' | '▄' => '#',
        '©' => 'c',
        _ => return "?".repeat(usize::from(width)),
    };
    std::iter::repeat_n(near, usize::from(width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas(width: u16, unicode: bool, draw: impl Fn(&mut Canvas<'_>)) -> String {
        let mut cells = Buffer::empty(Rect::new(0, 0, width, 1));
        let mut theme = Theme::default();
        theme.unicode = unicode;
        draw(&mut Canvas {
            cells: &mut cells,
            theme: &theme,
            spots: Spots::default(),
            plain: false,
            covered: false,
            veil: Veil::default(),
        });
        cells.content().iter().map(Cell::symbol).collect()
    }

    #[test]
    fn wide_characters_are_never_cut_in_half() {
        // The blank after a wide character is the cell it covers.
        assert_eq!(canvas(5, true, |c| assert_eq!(c.put(0, 0, 5, "日本語", Role::Text), 5)), "日 本  ");
        assert_eq!(canvas(5, true, |c| assert_eq!(c.put_from(0, 0, 5, "日本x", 1, Role::Text), 4)), " 本 x ");
        assert_eq!(
            canvas(4, true, |c| {
                c.put(0, 0, 4, "日本", Role::Text);
                c.put(1, 0, 4, "|", Role::Text);
            }),
            " |本 "
        );
        assert_eq!(
            canvas(4, true, |c| {
                c.put(0, 0, 4, "日本", Role::Text);
                c.fill(Rect::new(3, 0, 1, 1), Role::Bar);
            }),
            "日   "
        );
    }

    #[test]
    fn without_unicode_everything_is_ascii_and_keeps_its_columns() {
        let shown = canvas(20, false, |c| assert_eq!(c.put(0, 0, 20, "Ünï “日” e\u{301}─…", Role::Text), 12));
        assert_eq!(shown, "Uni \"??\" e-.        ");
        assert!(shown.is_ascii());
    }

    #[test]
    fn text_is_shortened_by_columns() {
        assert_eq!(shortened("日本語", 5, ELLIPSIS, true), "日本…");
        assert_eq!(shortened("日本語", 4, ELLIPSIS, false), "日~");
        assert_eq!(shortened("abc", 3, ELLIPSIS, true), "abc");
        assert_eq!(shortened("abc", 0, ELLIPSIS, true), "");
        assert_eq!(ending("a日本", 4), "日本");
        assert_eq!(ending("a日本", 3), "本");
    }
}

//! Rows of the help: keys, what they do, the name of the command; abreast of each other as far as the screen has room. No word of
//! theirs is cut. Refuses: what is told.

use crate::app::Sight;
use crate::doc::{BlockKind, Builder, Marker, columns, sanitise};
use crate::role::Role;

/// Columns for the keys, on a screen of so many at least.
const KEYS: usize = 18;
const WIDE: u16 = 60;
/// Columns of a screen on which there are two columns of rows, and on which the names of commands have room in both.
const TWO: u16 = 80;
const NAMED: u16 = 140;
/// Columns of the screen that the box of the help takes, and those between two rows.
const BOX: usize = 6;
const GAP: usize = 3;

/// Keys, what they do, a name: each in its look.
type Line = [(String, Role); 3];

/// What a key or a command does.
pub(super) struct Row {
    keys: String,
    what: String,
    name: String,
}

impl Row {
    pub(super) fn new(keys: &str, (what, name): (&str, &str)) -> Row {
        let what = sanitise(what).into_owned();
        let (keys, name) = match (keys.is_empty(), name.is_empty()) {
            // What has no key can be typed.
            (true, false) => (format!(":{name}"), String::new()),
            _ => (keys.to_owned(), name.to_owned()),
        };
        Row { keys, what, name }
    }

    /// One line of it, keys of so many columns first.
    fn line(&self, keys: usize) -> Line {
        let name = if self.name.is_empty() { String::new() } else { format!("  {}", self.name) };
        let keys = if keys > 0 { format!("{:<keys$} ", self.keys) } else { format!("{}  ", self.keys) };
        [(keys, Role::OverlayKey), (self.what.clone(), Role::Overlay), (name, Role::OverlayDim)]
    }

    /// The lines of a column, keys of so many columns first, all of them of no more than so many; `None` where a word is longer.
    fn lines(&self, keys: usize, all: usize, named: bool) -> Option<Vec<Line>> {
        let room = all.saturating_sub(keys + 2);
        let (names, told) = (wrapped(&self.keys, keys)?, wrapped(&self.what, room)?);
        let part = |lines: &[String], at: usize| lines.get(at).cloned().unwrap_or_default();
        let line = |at: usize| {
            let keys = format!("{:<keys$}  ", part(&names, at));
            [(keys, Role::OverlayKey), (part(&told, at), Role::Overlay), (String::new(), Role::OverlayDim)]
        };
        let mut lines: Vec<Line> = (0..names.len().max(told.len())).map(line).collect();
        // Its name stands behind what it does, or below that.
        let at = told.len().saturating_sub(1);
        match lines.get_mut(at).filter(|_| named && !self.name.is_empty()) {
            Some(last) if columns(&last[1].0) + 2 + columns(&self.name) <= room => {
                last[2].0 = format!("  {}", self.name)
            }
            Some(_) if columns(&self.name) > room => return None,
            Some(_) => {
                let below = line(at + 1);
                lines.truncate(at + 1);
                lines.push([below[0].clone(), (String::new(), Role::Overlay), (self.name.clone(), Role::OverlayDim)]);
                lines.extend((at + 2..names.len()).map(line));
            }
            None => {}
        }
        Some(lines)
    }
}

/// A text in lines of at most `width` columns, parted between words and behind strokes.
fn wrapped(text: &str, width: usize) -> Option<Vec<String>> {
    let mut lines: Vec<String> = vec![String::new()];
    for (number, word) in text.split(' ').enumerate() {
        for (at, piece) in word.split_inclusive('/').enumerate() {
            let gap = if at == 0 && number > 0 { " " } else { "" };
            let line = lines.last_mut()?;
            if columns(piece) > width {
                return None;
            } else if columns(line) + gap.len() + columns(piece) <= width {
                *line += gap;
                *line += piece;
            } else {
                lines.push(piece.to_owned());
            }
        }
    }
    Some(lines)
}

/// Rows below each other, or in two columns, the left one first. Where it is to be `named`, or there is much room, each row has the
/// name of its command.
pub(super) fn put(sight: Sight<'_>, rows: &[Row], named: bool, out: &mut Builder) {
    let (screen, speech) = (sight.desk.screen.columns, sight.desk.settings.speech);
    let half = (usize::from(screen).saturating_sub(BOX + GAP)) / 2;
    let keys = if screen >= WIDE { KEYS } else { 0 };
    if speech {
        for row in rows {
            let name = if row.name.is_empty() { String::new() } else { format!(", {}", row.name) };
            let keys = format!("{}: ", row.keys);
            let line = [(keys, Role::OverlayKey), (row.what.clone(), Role::Overlay), (name, Role::OverlayDim)];
            write((&line, None), 0, 0, out);
        }
    } else if screen >= TWO && (!named || screen >= NAMED) {
        let longest = rows.iter().map(|row| columns(&row.keys)).max().unwrap_or(0);
        let set = rows.iter().map(|row| (row, row.lines(longest.min(half / 3), half, screen >= NAMED)));
        let set: Vec<_> = set.collect();
        for rows in set.chunk_by(|one, next| one.1.is_some() == next.1.is_some()) {
            let parts: Vec<_> = rows.iter().filter_map(|(_, lines)| lines.as_deref()).collect();
            columns_of(&parts, half, out);
            rows.iter()
                .filter(|(_, lines)| lines.is_none())
                .for_each(|(row, _)| write((&row.line(keys), None), 1, 0, out));
        }
    } else {
        rows.iter().for_each(|row| write((&row.line(keys), None), 1, 0, out));
    }
}

fn width(line: &Line) -> usize {
    line.iter().map(|(words, _)| columns(words)).sum()
}

/// Rows of lines in two columns that are as long as each other, as far as rows stay whole.
fn columns_of(rows: &[&[Line]], half: usize, out: &mut Builder) {
    let all: usize = rows.iter().map(|lines| lines.len()).sum();
    let mut at = 0;
    let left = rows.iter().take_while(|lines| {
        let begins = at;
        at += lines.len();
        2 * begins < all
    });
    let (left, right) = rows.split_at(left.count());
    let (left, right) = (left.concat(), right.concat());
    for (at, line) in left.iter().enumerate() {
        write((line, right.get(at)), 1, half + GAP, out);
    }
}

/// Writes a line, and one beside it at a column.
fn write((line, beside): (&Line, Option<&Line>), indent: u8, column: usize, out: &mut Builder) {
    out.marked(BlockKind::Line, Role::Overlay, Marker::None, indent);
    let gap = beside.map(|_| (" ".repeat(column.saturating_sub(width(line))), Role::Overlay));
    for (words, role) in line.iter().chain(&gap).chain(beside.into_iter().flatten()) {
        match role {
            Role::Overlay => out.text(words),
            role => out.styled(words, *role),
        }
    }
}

//! Overstruck text (manual pages, printer files): `_ BS x` is underlined, `x BS x` is bold, anything else overtypes.

use crate::doc::sanitise_into;
use crate::role::Role;

/// A piece of text with a look of its own, as octet offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Styled {
    pub start: usize,
    pub end: usize,
    pub role: Role,
}

/// Reads one line; appends its text and the looks of its pieces.
pub(super) fn read_into(line: &str, out: &mut String, styled: &mut Vec<Styled>) {
    let mut cells: Vec<(char, Role)> = Vec::with_capacity(line.len());
    let mut at = 0;
    for c in line.chars() {
        match cells.get_mut(at) {
            _ if c == '\x08' => {
                at = at.saturating_sub(1);
                continue;
            }
            Some(cell) => *cell = struck(*cell, c),
            None => cells.push((c, Role::Text)),
        }
        at += 1;
    }
    let mut run = String::new();
    for piece in cells.chunk_by(|a, b| a.1 == b.1) {
        run.clear();
        run.extend(piece.iter().map(|cell| cell.0));
        let start = out.len();
        sanitise_into(&run, out);
        let role = piece[0].1;
        if role != Role::Text && out.len() > start {
            styled.push(Styled { start, end: out.len(), role });
        }
    }
}

/// What a cell shows after another character is struck over it.
fn struck((under, role): (char, Role), over: char) -> (char, Role) {
    match (under, over) {
        (u, o) if u == o => (u, Role::Strong),
        ('_', o) => (o, Role::Emphasis),
        (u, '_') => (u, Role::Emphasis),
        // nroff's bullet.
        ('+', 'o') | ('o', '+') => ('•', role),
        (_, o) => (o, role),
    }
}

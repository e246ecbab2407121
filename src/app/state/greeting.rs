//! What a reader who has never been here is told: three lines below the first page, in the keys as they are bound, until the
//! first key that does something.

use super::desk::Desk;
use crate::doc::cells;

/// A screen of fewer rows is needed for the page.
const FEWEST: u16 = 9;

/// What a line says where there is room, and where there is little. `{command}` stands for the command's key.
const LINES: [[&str; 2]; 3] = [
    [
        "Wayfarer, for all that a URL can name: {open} opens an address, {follow} follows a link",
        "Wayfarer: {open} opens a URL, {follow} a link",
    ],
    ["{help} shows the keys that work where you are; once more, all of them", "{help} shows the keys that work here"],
    [
        "{home} is the home page; its first link is a tour of it all, without a network",
        "{home} is the home page; a tour begins there",
    ],
];

impl Desk {
    /// The lines of the greeting that fit into so many columns, none without one.
    pub fn greeting(&self, columns: usize) -> Vec<String> {
        let fits = |line: &String| crate::doc::columns(line) <= columns;
        let short = |[long, short]: &[&str; 2]| self.with_keys(long).filter(fits).or(self.with_keys(short));
        LINES.iter().take(self.greeting_rows().into()).filter_map(short).collect()
    }

    /// Rows that the greeting takes.
    pub fn greeting_rows(&self) -> u16 {
        if self.greets && self.screen.rows >= FEWEST { cells(LINES.len()) } else { 0 }
    }

    /// A text with keys in the places of their commands; `None` when one of them has no key.
    fn with_keys(&self, text: &str) -> Option<String> {
        let mut pieces = text.split(['{', '}']);
        let mut said = pieces.next().unwrap_or_default().to_owned();
        while let Some(command) = pieces.next() {
            said.push_str(&self.key_for(command)?);
            said.push_str(pieces.next().unwrap_or_default());
        }
        Some(said)
    }
}

//! Answers as RFC 1436 has them: menus, texts in lines with a lone dot after them, octets until the connection closes.

use super::item::{Body, FOUND, Item, STOPS};
use crate::tour::Doors;

/// An item.
pub(super) fn plain(item: &Item, doors: &Doors) -> Vec<u8> {
    match item.body {
        Body::Menu(lines) => lined(&menu(&doors.fill(lines), doors)),
        Body::Octets(octets) => octets.to_vec(),
        Body::Text(text) => lined(&doors.fill(text)),
        Body::Views(views) => lined(views.first().map_or("", |(_, text)| text)),
        Body::Search => found("", doors),
        Body::Form => error("This item asks questions first, by Gopher+"),
    }
}

/// An error, as a menu of one line.
pub(super) fn error(words: &str) -> Vec<u8> {
    lined(&format!("3{words}\t\terror.invalid\t1"))
}

/// The stops of which every word is said.
pub(super) fn found(words: &str, doors: &Doors) -> Vec<u8> {
    lined(&found_menu(words, doors))
}

/// The same as a menu without its frame.
pub(super) fn found_menu(words: &str, doors: &Doors) -> String {
    let wanted = words.to_lowercase();
    let names = |line: &&str| {
        let display = line.split('\t').next().unwrap_or_default().get(1..).unwrap_or_default().to_lowercase();
        wanted.split_whitespace().all(|word| display.contains(word))
    };
    let stops = doors.fill(STOPS);
    let rows: Vec<&str> = stops.lines().filter(names).collect();
    let shown: String = words.chars().filter(|c| !c.is_control()).take(100).collect();
    let head = match rows.len() {
        0 => format!("No stop is about \"{shown}\". Try base, or form, or stop."),
        1 => format!("One line is about \"{shown}\"."),
        count => format!("{count} lines are about \"{shown}\"."),
    };
    menu(&format!("{head}\n\n{}\n{}", rows.join("\n"), doors.fill(FOUND)), doors)
}

/// A menu whose lines of information have been given what all lines have.
pub(super) fn menu(lines: &str, doors: &Doors) -> String {
    let line = |line: &str| match line.contains('\t') {
        true => format!("{line}\n"),
        false => format!("i{line}\t\t127.0.0.1\t{}\n", doors.gopher),
    };
    lines.lines().map(line).collect()
}

/// Text in lines, those that begin with a dot protected, and the lone dot (RFC 1436, 3.2).
fn lined(text: &str) -> Vec<u8> {
    let dot = |line: &str| if line.starts_with('.') { "." } else { "" };
    let mut out: String = text.lines().map(|line| format!("{}{line}\r\n", dot(line))).collect();
    out.push_str(".\r\n");
    out.into_bytes()
}

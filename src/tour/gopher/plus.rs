//! Answers of Gopher+ (July 1993): a head that counts the octets, attributes (2.5, 2.6), views (2.7), forms (2.8).

use super::answer::{found_menu, menu};
use super::item::{self, Body, Item, QUESTIONS};
use crate::tour::Doors;
use crate::tour::visitor::{Heard, Visitor};
use std::io::Result;

/// Lines that the answers to the form may take.
const LINES: usize = 500;
/// Who looks after everything here, and since when.
const ADMIN: &str = " Admin: The tour of Wayfarer <tour@example.org>\r\n Mod-Date: 1 March 1993 <19930301090000>\r\n";

/// A body with its head.
pub(super) fn counted(body: &[u8]) -> Vec<u8> {
    let mut out = format!("+{}\r\n", body.len()).into_bytes();
    out.extend_from_slice(body);
    out
}

/// An error by its code: 1 for what is not available.
pub(super) fn refusal(code: u8, words: &str) -> Vec<u8> {
    format!("--1\r\n{code} The tour of Wayfarer <tour@example.org>\r\n{words}\r\n.\r\n").into_bytes()
}

/// An item in a view, the usual one when none is named.
pub(super) fn view(item: &Item, wanted: &str, words: &str, doors: &Doors) -> Vec<u8> {
    let wanted = wanted.trim();
    let fits = |view: &str| {
        let media = view.split(' ').next().unwrap_or_default();
        wanted.is_empty() || view.eq_ignore_ascii_case(wanted) || media.eq_ignore_ascii_case(wanted)
    };
    let Some(view) = item.views().into_iter().find(|view| fits(view)) else {
        return refusal(
            1,
            "This item cannot be had so; ask for its attributes to see in which views it can, or what it asks.",
        );
    };
    match item.body {
        Body::Menu(lines) => counted(crlf(&menu(&doors.fill(lines), doors)).as_bytes()),
        Body::Search => counted(crlf(&found_menu(words, doors)).as_bytes()),
        Body::Text(text) => counted(crlf(&doors.fill(text)).as_bytes()),
        Body::Octets(octets) => counted(octets),
        Body::Views(views) => {
            let text = views.iter().find(|(name, _)| *name == view).map_or("", |(_, text)| text);
            counted(crlf(text).as_bytes())
        }
        Body::Form => refusal(1, "This item asks questions first."),
    }
}

/// What is known of an item.
pub(super) fn attributes(item: &Item, doors: &Doors) -> String {
    let Item { kind, selector, title, body } = item;
    let mark = if matches!(body, Body::Form) { '?' } else { '+' };
    let rows: String = item.views().iter().map(|view| format!(" {view}: <{}b>\r\n", size(item, view))).collect();
    let views = if rows.is_empty() { rows } else { format!("+VIEWS:\r\n{rows}") };
    let more = match body {
        Body::Views(_) => "+ABSTRACT:\r\n One item, one selector, several forms of it. Every view below is a link\r\n \
             with an address of its own.\r\n"
            .into(),
        Body::Form => format!("+ASK:\r\n{}", crlf(QUESTIONS)),
        _ => String::new(),
    };
    format!("+INFO: {kind}{title}\t{selector}\t127.0.0.1\t{}\t{mark}\r\n+ADMIN:\r\n{ADMIN}{more}{views}", doors.gopher)
}

/// The same of each item of a menu that is one of this server's own.
pub(super) fn all_attributes(item: &Item, doors: &Doors) -> String {
    let Body::Menu(lines) = item.body else { return attributes(item, doors) };
    let selectors = lines.lines().filter_map(|line| line.split('\t').nth(1));
    selectors.filter_map(item::find).map(|item| attributes(item, doors)).collect()
}

/// How long a view is, in octets; nobody can tell of an answer.
fn size(item: &Item, view: &str) -> usize {
    match item.body {
        Body::Menu(text) | Body::Text(text) => text.len(),
        Body::Octets(octets) => octets.len(),
        Body::Views(views) => views.iter().find(|(name, _)| *name == view).map_or(0, |(_, text)| text.len()),
        Body::Search | Body::Form => 0,
    }
}

/// Hears the block of answers that follows the line of a filled form: a head, then lines until a lone dot. `None` when it is
/// no such block, or too long.
///
/// # Errors
/// The connection breaks.
pub(super) async fn answers(visitor: &mut Visitor, most: usize) -> Result<Option<Vec<String>>> {
    let mut lines = Vec::new();
    if visitor.hear(most).await? != Heard::Line(b"+-1".to_vec()) {
        return Ok(None);
    }
    while lines.len() < LINES {
        match visitor.hear(most).await? {
            Heard::Line(line) if line == b"." => return Ok(Some(lines)),
            Heard::Line(line) => {
                let line = String::from_utf8_lossy(&line).into_owned();
                lines.push(line.strip_prefix('.').map_or(line.clone(), Into::into));
            }
            Heard::TooLong | Heard::Nothing => return Ok(None),
        }
    }
    Ok(None)
}

/// What is said to somebody who filled in the form, in the order of its questions.
pub(super) fn thanks(lines: &[String], doors: &Doors) -> String {
    let mut lines = lines.iter().map(String::as_str);
    let mut said = String::new();
    for question in QUESTIONS.lines() {
        let Some((kind, rest)) = question.trim().split_once(": ").or_else(|| question.trim().split_once(':')) else {
            continue;
        };
        let words = rest.split('\t').next().unwrap_or_default().trim_end_matches(":0");
        let answer = match kind {
            "Note" => continue,
            "AskL" => {
                let count = lines.next().and_then(|count| count.trim().parse().ok()).unwrap_or(0).min(LINES);
                lines.by_ref().take(count).collect::<Vec<_>>().join("\r\n      ")
            }
            "AskP" => format!("{} letters", lines.next().unwrap_or_default().chars().count()),
            "Select" if lines.next() == Some("1") => "yes".into(),
            "Select" => "no".into(),
            _ => lines.next().unwrap_or_default().to_owned(),
        };
        said.push_str(&format!("  {words}\r\n      {answer}\r\n"));
    }
    let text = "Thank you. This is what came behind the selector:\n\n{said}\nThe address of this page shows that a form was filled, not how; and\n\
                R, which fetches a page again, would ask you before it sends again.\n\n\
                Stop 7, FTP: <ftp://{ftp}/>\n";
    crlf(&doors.fill(text)).replace("{said}", &said)
}

fn crlf(text: &str) -> String {
    text.lines().map(|line| format!("{line}\r\n")).collect()
}

//! `url find`: the URLs in a text, paragraph by paragraph, so that a text of any size takes little memory.
//!
//! Mailboxes, HTML and gopher menus are texts with habits of their own: a mailbox counts its messages, HTML writes `&amp;`, a
//! menu names its items by columns. Refuses: decoding what a mail has encoded; that is a page's to do.

use super::answer::visible;
use super::json::{Object, push_text};
use super::talk::Talk;
use crate::url::find::{Found, find};
use crate::url::scheme::gopher::Gopher;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

/// A paragraph that has become this long is searched as it is; only a URL wrapped across its end is missed.
const LONG_PARAGRAPH: usize = 4 << 20;

/// How a found URL is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub(super) json: bool,
    /// Whether its line and column go before it.
    pub(super) places: bool,
}

pub(super) fn search<I: Read, O: Write, E: Write>(
    talk: &mut Talk<I, O, E>,
    manner: Manner,
    file: Option<&str>,
) -> io::Result<u8> {
    match file {
        None | Some("-") => find_in(&mut talk.stdin, &mut talk.stdout, manner)?,
        Some(name) => match File::open(name) {
            Ok(file) => find_in(&mut BufReader::new(file), &mut talk.stdout, manner)?,
            Err(error) => return talk.complain(&format!("error: {}: {error}", visible(name)), 1),
        },
    }
    talk.status()
}

/// What kind of text it is, by how it begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    Plain,
    Mailbox,
    Html,
}

impl Habit {
    fn of(beginning: &[u8]) -> Habit {
        let text = beginning.trim_ascii_start();
        let begins = |word: &[u8]| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        match () {
            () if beginning.starts_with(b"From ") => Habit::Mailbox,
            () if begins(b"<!doctype html") || begins(b"<html") => Habit::Html,
            // A piece of a page.
            () if text.starts_with(b"<") && memchr::memmem::find(text, b" href=").is_some() => Habit::Html,
            () => Habit::Plain,
        }
    }
}

/// Where in the whole text a place is; it only goes forward, so that counting stays linear.
struct Place {
    offset: usize,
    line: usize,
    column: usize,
    message: usize,
}

impl Place {
    /// Goes on over a text.
    fn over(&mut self, text: &str) {
        self.offset += text.len();
        for c in text.chars() {
            self.column += 1;
            if c == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            }
        }
    }
}

fn find_in(text: &mut dyn BufRead, stdout: &mut dyn Write, manner: Manner) -> io::Result<()> {
    let mut paragraph = Vec::new();
    let mut place = Place { offset: 0, line: 1, column: 1, message: 0 };
    let mut habit = None;
    loop {
        let begins = paragraph.len();
        let more = text.read_until(b'\n', &mut paragraph)? > 0;
        let blank = paragraph[begins..].iter().all(u8::is_ascii_whitespace);
        if !more || blank || paragraph.len() > LONG_PARAGRAPH {
            let habit = *habit.get_or_insert_with(|| Habit::of(&paragraph));
            if habit == Habit::Mailbox && paragraph.starts_with(b"From ") {
                place.message += 1;
            }
            let text = String::from_utf8_lossy(&paragraph);
            let mut done = 0;
            for found in items(&text).unwrap_or_else(|| find(&text)) {
                place.over(&text[done..found.range.start]);
                print_found(stdout, &found, &place, habit, manner)?;
                place.over(&text[found.range.clone()]);
                done = found.range.end;
            }
            place.over(&text[done..]);
            paragraph.clear();
        }
        if !more {
            return Ok(());
        }
    }
}

/// The items of a gopher menu, where every line is one.
fn items(text: &str) -> Option<Vec<Found>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\r', '\n']);
        if line == "." || line.is_empty() {
            continue;
        }
        let mut cells = line.split('\t');
        let (shown, selector, host, port) = (cells.next()?, cells.next()?, cells.next()?, cells.next()?);
        let port: u16 = port.trim().parse().ok()?;
        let item = *shown.as_bytes().first().filter(|b| b.is_ascii())?;
        let gopher = Gopher::new(item, selector.into());
        let named = gopher.opens(host, Some(port)).unwrap_or_else(|| gopher.url(host, port, false));
        if let Some(url) = named.ok().filter(|_| !matches!(item, b'i' | b'3')) {
            let range = start..start + line.len();
            found.push(Found { range, url: url.as_str().into(), alternatives: Vec::new(), sure: true });
        }
    }
    (at > 0).then_some(found).filter(|found| !found.is_empty())
}

fn print_found(out: &mut dyn Write, found: &Found, place: &Place, habit: Habit, manner: Manner) -> io::Result<()> {
    let url = if habit == Habit::Html { found.url.replace("&amp;", "&") } else { found.url.clone() };
    if manner.json {
        let mut row = Object::with_capacity(128 + url.len());
        row.text("url", &url);
        row.raw("sure", if found.sure { "true" } else { "false" });
        row.list("alternatives", Some(found.alternatives.iter()), |out, other| push_text(out, other));
        row.range("range", &(place.offset..place.offset + found.range.len()));
        row.number("line", place.line);
        row.number("column", place.column);
        match place.message {
            0 => row.raw("message", "null"),
            number => row.number("message", number),
        }
        writeln!(out, "{}", row.done())
    } else if found.sure {
        if manner.places {
            write!(out, "{}:{}: ", place.line, place.column)?;
        }
        writeln!(out, "{}", visible(&url))
    } else {
        Ok(())
    }
}

//! `url find`: the URLs in a text, paragraph by paragraph, so that a text of any size takes little memory.
//!
//! Mailboxes, HTML and gopher menus are texts with habits of their own: a mailbox counts its messages and hides texts by transfer
//! encodings, HTML writes `&amp;`, a menu names its items by columns. A paragraph of more than 4 MiB is searched in pieces, and so is
//! a message of more than 32 MiB, whose later texts are not decoded. Refuses: going into attached files and encoded messages.

use super::answer::visible;
use super::json::{Object, push_text};
use super::talk::Talk;
use crate::format::message::{Encoded, encoded};
use crate::url::find::{Found, find};
use crate::url::scheme::gopher::Gopher;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::Range;

/// A paragraph that has become this long is searched as it is; only a URL wrapped across its end is missed, and of a line that
/// is as long one that goes on behind it.
const LONG_PARAGRAPH: usize = 4 << 20;
/// A message of a mailbox that has become this long is searched, and what is left of it as plain text.
const LONG_MESSAGE: usize = 32 << 20;

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
        Some(name) => {
            let wrong = |error: &io::Error| format!("error: {}: {error}", visible(name));
            let mut text = match File::open(name) {
                Ok(file) => BufReader::new(Readable { file, failed: None }),
                Err(error) => return talk.complain(&wrong(&error), 1),
            };
            find_in(&mut text, &mut talk.stdout, manner)?;
            if let Some(error) = &text.get_ref().failed {
                return talk.complain(&wrong(error), 1);
            }
        }
    }
    talk.status()
}

/// A file that ends where it cannot be read, so that nobody takes that for a trouble of writing.
struct Readable {
    file: File,
    failed: Option<io::Error>,
}

impl Read for Readable {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self.file.read(room) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.failed = Some(error);
                Ok(0)
            }
            other => other,
        }
    }
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

fn find_in(text: &mut dyn BufRead, out: &mut dyn Write, manner: Manner) -> io::Result<()> {
    let mut line = Vec::new();
    read_line(text, LONG_PARAGRAPH, &mut line)?;
    let place = Place { offset: 0, line: 1, column: 1, message: 0 };
    let mut search = Search { out, manner, place, habit: None };
    if !line.starts_with(b"From ") {
        return search.paragraphs(text, line);
    }
    search.habit = Some(Habit::Mailbox);
    while !line.is_empty() {
        let mut message = std::mem::take(&mut line);
        search.place.message += usize::from(message.starts_with(b"From "));
        let mut blank = false;
        while message.len() < LONG_MESSAGE {
            let read = read_line(text, LONG_MESSAGE, &mut line)?;
            if !read || (blank && line.starts_with(b"From ")) {
                break;
            }
            blank = line.trim_ascii().is_empty();
            message.append(&mut line);
        }
        search.message(&message)?;
        if line.is_empty() && message.len() >= LONG_MESSAGE {
            read_line(text, LONG_MESSAGE, &mut line)?;
        }
    }
    Ok(())
}

/// Reads on to the end of a line, or so far that there are so many octets; whether there was anything.
fn read_line(text: &mut dyn BufRead, most: usize, line: &mut Vec<u8>) -> io::Result<bool> {
    let room = u64::try_from(most.saturating_sub(line.len()).max(1)).unwrap_or(u64::MAX);
    Ok(text.take(room).read_until(b'\n', line)? > 0)
}

/// A search through a text from its beginning to its end.
struct Search<'a> {
    out: &'a mut dyn Write,
    manner: Manner,
    place: Place,
    habit: Option<Habit>,
}

impl Search<'_> {
    /// Searches a text, of which something may have been read already.
    fn paragraphs(&mut self, text: &mut dyn BufRead, mut paragraph: Vec<u8>) -> io::Result<()> {
        if paragraph.is_empty() {
            read_line(text, LONG_PARAGRAPH, &mut paragraph)?;
        }
        let mut begins = 0;
        while paragraph.len() > begins {
            let blank = paragraph[begins..].iter().all(u8::is_ascii_whitespace);
            if blank || paragraph.len() >= LONG_PARAGRAPH {
                // A line that is cut is cut between words, where it has any.
                let whole = blank || paragraph.ends_with(b"\n");
                let end = paragraph.iter().rposition(|b| b.is_ascii_whitespace()).filter(|_| !whole);
                let rest = paragraph.split_off(end.map_or(paragraph.len(), |at| at + 1));
                self.paragraph(&paragraph)?;
                paragraph = rest;
            }
            begins = paragraph.len();
            read_line(text, LONG_PARAGRAPH, &mut paragraph)?;
        }
        self.paragraph(&paragraph)
    }

    fn paragraph(&mut self, octets: &[u8]) -> io::Result<()> {
        let habit = *self.habit.get_or_insert_with(|| Habit::of(octets));
        let text = String::from_utf8_lossy(octets);
        let mut done = 0;
        for found in items(&text).unwrap_or_else(|| find(&text)) {
            self.place.over(&text[done..found.range.start]);
            let range = self.place.offset..self.place.offset + found.range.len();
            print_found(self.out, &found, (&self.place, range), habit, self.manner)?;
            self.place.over(&text[found.range.clone()]);
            done = found.range.end;
        }
        self.place.over(&text[done..]);
        Ok(())
    }

    /// Searches a message of a mailbox: what came encoded by its text, all else as it stands.
    fn message(&mut self, octets: &[u8]) -> io::Result<()> {
        let mut at = 0;
        for part in encoded(octets) {
            if part.body.start >= at {
                self.paragraphs(&mut &octets[at..part.body.start], Vec::new())?;
                self.encoded(octets, &part)?;
                at = part.body.end;
            }
        }
        self.paragraphs(&mut &octets[at..], Vec::new())
    }

    /// Searches a text that came encoded. What is found there stands on the lines of the message that hold it.
    fn encoded(&mut self, octets: &[u8], part: &Encoded) -> io::Result<()> {
        let (text, habit) = (same_length(&part.text), Habit::of(&part.text));
        let mut done = part.body.start;
        for found in find(&text) {
            let last = found.range.end.saturating_sub(1);
            let lines = part.line(found.range.start).start..part.line(last).end;
            let start = lines.start.max(done);
            self.place.over(&String::from_utf8_lossy(&octets[done..start]));
            done = start;
            let range = self.place.offset..self.place.offset + lines.end.saturating_sub(start);
            print_found(self.out, &found, (&self.place, range), habit, self.manner)?;
        }
        self.place.over(&String::from_utf8_lossy(&octets[done..part.body.end]));
        Ok(())
    }
}

/// Octets as a text of as many, in which what is no UTF-8 is marked.
fn same_length(octets: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(octets) {
        Ok(text) => text.into(),
        Err(_) => {
            let chunks = octets.utf8_chunks();
            chunks.fold(String::new(), |text, chunk| text + chunk.valid() + &"?".repeat(chunk.invalid().len())).into()
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

fn print_found(
    out: &mut dyn Write,
    found: &Found,
    (place, range): (&Place, Range<usize>),
    habit: Habit,
    manner: Manner,
) -> io::Result<()> {
    let url = if habit == Habit::Html { found.url.replace("&amp;", "&") } else { found.url.clone() };
    if manner.json {
        let mut row = Object::with_capacity(128 + url.len());
        row.text("url", &url);
        row.raw("sure", if found.sure { "true" } else { "false" });
        row.list("alternatives", Some(found.alternatives.iter()), |out, other| push_text(out, other));
        row.range("range", &range);
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

//! How an answer begins: a Gopher+ head, an error of either kind, or just the item (Gopher+ 2.3; RFC 1436, 3.8).

use super::frame::Framing;
use crate::proto::{FetchError, Kind};
use crate::url::scheme::gopher::Gopher;

/// A Gopher+ head is a sign and a number; a first line longer than this is none.
const HEAD: usize = 32;

/// Lines that may be an error in place of a text are not longer than this.
const COMPLAINT: usize = 4096;

/// As much of an error as stands in a sentence, in characters.
const WORDS: usize = 400;

/// How much of the beginning is looked at to tell text from binary.
const SNIFF: usize = 512;

/// What sort of beginning is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A menu: shown from its first octet.
    Menu,
    /// Anything else: an error in its place is possible, and its kind may have to be sniffed.
    Item,
}

/// What the beginning was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    /// A Gopher+ head of so many octets, and how the body is framed.
    Head(usize, Framing),
    /// A Gopher+ error of so many octets, and how its text is framed.
    Refusal(usize, Framing),
    /// Lines with type 3 in place of the item: the words of the first.
    Complaint(String),
    /// The item itself.
    Plain,
    /// Not enough has come to tell.
    Unclear,
}

/// Whether the request was for Gopher+.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// RFC 1436.
    Plain,
    /// Gopher+; a plain answer is possible all the same.
    Plus,
}

/// Judges the beginning; `ended` when no more will come.
pub fn opening(start: &[u8], ended: bool, expected: Expected, dialect: Dialect) -> Opening {
    if dialect == Dialect::Plus {
        match head(start, ended) {
            Opening::Plain => {}
            known => return known,
        }
    }
    // A menu shows its own errors; only a Gopher+ request may need another try.
    if start.first() == Some(&b'3') && (expected == Expected::Item || dialect == Dialect::Plus) {
        return complaint(start, ended);
    }
    if ended || !start.is_empty() && (expected == Expected::Menu || start.contains(&b'\n') || start.len() >= SNIFF) {
        Opening::Plain
    } else {
        Opening::Unclear
    }
}

/// `+n`, `+-1`, `+-2` and the same with `-` for errors; some servers end the line with LF alone.
fn head(start: &[u8], ended: bool) -> Opening {
    let sign = match start.first() {
        None if !ended => return Opening::Unclear,
        Some(sign @ (b'+' | b'-')) => *sign,
        _ => return Opening::Plain,
    };
    let Some(lf) = start.iter().take(HEAD).position(|b| *b == b'\n') else {
        let number = start[1..].iter().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'\r' | b' '));
        return if number && start.len() < HEAD && !ended { Opening::Unclear } else { Opening::Plain };
    };
    let framing = match start[1..lf].trim_ascii() {
        b"-1" => Framing::Dotted,
        b"-2" => Framing::UntilClose,
        digits if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            match std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()) {
                Some(count) => Framing::Exactly(count),
                None => return Opening::Plain,
            }
        }
        _ => return Opening::Plain,
    };
    if sign == b'+' { Opening::Head(lf + 1, framing) } else { Opening::Refusal(lf + 1, framing) }
}

/// A whole answer of lines `3words TAB selector TAB host TAB port`, perhaps with the lone dot. Some servers, Bucktooth for one, add
/// lines of type i that say more.
fn complaint(start: &[u8], ended: bool) -> Opening {
    if start.len() > COMPLAINT {
        return Opening::Plain;
    }
    let (mut said, mut over) = (None, false);
    let start = in_lines(start);
    for line in start.split_inclusive(|b| *b == b'\n') {
        let whole = ended || line.ends_with(b"\n");
        let may_be = !over && (said.is_none() || matches!(line.first(), Some(b'.' | b'3' | b'i')));
        match row(line) {
            _ if !may_be => return Opening::Plain,
            _ if !whole => return Opening::Unclear,
            Some(words) => said = said.or(Some(words)),
            None if said.is_some() && line.trim_ascii_end() == b"." => over = true,
            None => return Opening::Plain,
        }
    }
    match said {
        Some(words) if over || ended => Opening::Complaint(words),
        _ => Opening::Unclear,
    }
}

/// Octets with LF at the end of each line, whatever ended it.
fn in_lines(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    for (at, octet) in octets.iter().enumerate() {
        match octet {
            b'\r' if octets.get(at + 1) == Some(&b'\n') => {}
            b'\r' => out.push(b'\n'),
            octet => out.push(*octet),
        }
    }
    out
}

/// The words of a line that leads nowhere. A table's only row may begin with 3 as well, but hardly ends with a host and a port.
fn row(line: &[u8]) -> Option<String> {
    let line = line.strip_prefix(b"3").or_else(|| line.strip_prefix(b"i"))?;
    let mut fields = line.split(|b| *b == b'\t').map(<[u8]>::trim_ascii);
    let (words, _, _, port) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    (!port.is_empty() && port.iter().all(u8::is_ascii_digit)).then(|| String::from_utf8_lossy(words).into_owned())
}

/// A Gopher+ error.
pub struct Refusal {
    /// For the reader, in the server's words.
    pub failure: FetchError,
    /// The item was understood (try later, moved): asking in other words is no use.
    pub settled: bool,
}

/// Reads a Gopher+ error's text: `code admin`, then lines; for code 3 the new place.
pub fn refusal(text: &[u8], tls: bool) -> Refusal {
    let text = in_lines(text);
    let text = String::from_utf8_lossy(&text);
    // A server that counts its octets may send the lone dot all the same.
    let mut lines = text.lines().filter(|line| *line != ".");
    let first = lines.next().unwrap_or_default().trim();
    let (code, admin) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
    let mut said: Vec<&str> = lines.map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let (kind, meaning) = match code {
        "1" => (Kind::NotFound, "The server says that this item is not available"),
        "2" => (Kind::Said, "The server says to try again later"),
        "3" => (Kind::Said, "The server says that this item has moved"),
        _ => (Kind::Said, "The server answered with an error"),
    };
    let moved = if code == "3" { said.first().and_then(|line| descriptor(line, tls)) } else { None };
    if moved.is_some() {
        said.remove(0);
    }
    let words = if said.is_empty() { String::new() } else { format!(": {}", brief(&said.join(" "))) };
    let failure = FetchError::new(kind, format!("{meaning}{words}"));
    let failure = match (moved, admin.trim()) {
        (Some(url), _) => failure.hint(format!("It is now at {url}")),
        (None, "") => failure,
        (None, admin) => failure.hint(format!("Whoever looks after it: {}", brief(admin))),
    };
    Refusal { failure, settled: matches!(code, "2" | "3") }
}

/// As much of a server's words as stands in a sentence.
fn brief(words: &str) -> String {
    match words.char_indices().nth(WORDS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.into(),
    }
}

/// The URL of a menu line, with or without `+INFO:` before it.
fn descriptor(line: &str, tls: bool) -> Option<String> {
    let line = line.trim_start().trim_start_matches("+INFO:").trim_start();
    let mut fields = line.split('\t');
    let item = *fields.next()?.as_bytes().first()?;
    let selector = fields.next()?.as_bytes().to_vec();
    let host = fields.next()?;
    let port = fields.next()?.trim().parse().ok()?;
    let gopher = Gopher { item, selector, search: None, plus: None };
    gopher.url(host, port, tls).ok().map(|url| url.to_string())
}

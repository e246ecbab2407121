//! `caps.txt` → `Document`: what a gopher server says of itself, line by line. No standard has it; Overbite began it, and
//! `CapsVersion=1` with the names of [`KNOWN`] is what servers send.
//! Refuses: to act on any of it. A path's parts are what the server's menus say, whatever stands here.

use super::gemtext::labelled;
use super::plain::{Piece, TextLines, write_linked};
use super::{Input, Parser};
use crate::doc::{BlockKind, Builder, sanitise};
use crate::role::Role;

/// What servers tell, and how a reader calls that.
const KNOWN: &[(&str, &str)] = &[
    ("CapsVersion", "version"),
    ("ExpireCapsAfter", "seconds"),
    ("PathDelimeter", "delimiter"),
    ("PathDelimiter", "delimiter"),
    ("PathIdentity", "here"),
    ("PathParent", "above"),
    ("PathEscapeCharacter", "escape"),
    ("ServerSoftware", "software"),
    ("ServerSoftwareVersion", "release"),
    ("ServerArchitecture", "machine"),
    ("ServerDescription", "about"),
    ("ServerGeolocationString", "place"),
    ("ServerAdmin", "admin"),
    ("ServerDefaultEncoding", "charset"),
    ("ServerTLSPort", "TLS port"),
];

/// Reads a `caps.txt`.
pub struct Caps {
    lines: TextLines,
    state: State,
}

struct State {
    host: String,
    /// Whether it is a `caps.txt`; not known before its first line.
    known: Option<bool>,
    piece: Piece,
}

impl Caps {
    /// A parser for what a host sent.
    pub fn new(input: &Input) -> Caps {
        let host = input.url.host().unwrap_or("this server").to_owned();
        Caps { lines: TextLines::of(input), state: State { host, known: None, piece: Piece::new() } }
    }
}

impl Parser for Caps {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line| self.state.line(line, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line| self.state.line(line, out));
        self.state.piece.take(out);
        self.lines.tell(out.document_mut());
    }

    fn memory(&self) -> usize {
        self.lines.memory()
    }

    fn holds_back(&self) -> bool {
        true
    }
}

impl State {
    fn line(&mut self, line: &str, out: &mut Builder) {
        let words = line.trim_matches(['\u{feff}', ' ', '\t']);
        match self.known {
            None if words.is_empty() || words.starts_with('#') => {}
            None => {
                let known = words.eq_ignore_ascii_case("CAPS");
                self.known = Some(known);
                self.begin(known, out);
                if !known {
                    self.piece.line(line, out);
                }
            }
            Some(true) => told(words, out),
            Some(false) => self.piece.line(line, out),
        }
    }

    fn begin(&self, known: bool, out: &mut Builder) {
        let title = match known {
            true => format!("What {} says of itself", self.host),
            false => format!("{} has no caps.txt", self.host),
        };
        let title = sanitise(&title);
        out.document_mut().entitle(&title);
        out.block(BlockKind::Heading(1), Role::Heading);
        out.text(&title);
        out.block(BlockKind::Paragraph, Role::Text);
        if !known {
            out.text("This is what it sent in place of one:");
            out.block(BlockKind::Paragraph, Role::Text);
        }
    }
}

/// `Name=value`; comments and empty lines say nothing.
fn told(words: &str, out: &mut Builder) {
    let Some((name, value)) = words.split_once('=').filter(|_| !words.starts_with('#')) else { return };
    let (name, value) = (name.trim(), value.trim());
    if value.is_empty() {
        return;
    }
    let known = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    labelled(known.map_or(name, |(_, words)| words), out);
    write_linked(&sanitise(value), out);
}

//! Multi-line blocks (RFC 3977, 3.1.1): dots taken off again, the end found, however the octets are cut.

use memchr::memchr;

/// What ends a line for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endings {
    /// CR LF only, as the specification says. An article may hold a bare LF, and what follows it is no beginning of a line:
    /// else an article could end its own block and answer in the server's place.
    CrLf,
    /// LF too, for servers whose own replies end so.
    Lf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the beginning of a line.
    Start,
    /// After a dot there.
    Dot,
    /// After a dot and a CR there.
    DotCr,
    /// In a line.
    Inside,
    /// In a line, after a CR.
    Cr,
}

/// A block on its way.
#[derive(Debug)]
pub(super) struct Block {
    state: State,
    endings: Endings,
}

/// How far a block has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// More is to come; all octets were taken.
    More,
    /// It ended after so many octets.
    Ended(usize),
}

impl Block {
    pub fn new(endings: Endings) -> Block {
        Block { state: State::Start, endings }
    }

    /// Takes octets and puts out the block's, with their line ends.
    pub fn feed(&mut self, octets: &[u8], out: &mut Vec<u8>) -> Progress {
        let mut at = 0;
        while let Some(&octet) = octets.get(at) {
            match (self.state, octet) {
                (State::Start, b'.') => self.state = State::Dot,
                // A stuffed dot loses the first of its two.
                (State::Dot, b'.') => self.put(octet, out),
                (State::Dot, b'\r') => self.state = State::DotCr,
                (State::Dot, b'\n') if self.endings == Endings::Lf => return Progress::Ended(at + 1),
                (State::DotCr, b'\n') => return Progress::Ended(at + 1),
                // A dot that is alone was never stuffed; it belongs to the text.
                (State::Dot, _) => {
                    out.push(b'.');
                    self.put(octet, out);
                }
                (State::DotCr, _) => {
                    out.extend_from_slice(b".\r");
                    self.put(octet, out);
                }
                (State::Start | State::Cr, _) => self.put(octet, out),
                (State::Inside, _) => {
                    at += self.run(&octets[at..], out);
                    continue;
                }
            }
            at += 1;
        }
        Progress::More
    }

    fn put(&mut self, octet: u8, out: &mut Vec<u8>) {
        out.push(octet);
        self.state = match octet {
            b'\r' => State::Cr,
            b'\n' if self.state == State::Cr || self.endings == Endings::Lf => State::Start,
            _ => State::Inside,
        };
    }

    /// Puts out the rest of a line; how many octets that were.
    fn run(&mut self, octets: &[u8], out: &mut Vec<u8>) -> usize {
        let end = memchr(b'\n', octets).map_or(octets.len(), |lf| lf + 1);
        out.extend_from_slice(&octets[..end]);
        self.state = match &octets[..end] {
            [.., b'\r', b'\n'] => State::Start,
            [.., b'\n'] if self.endings == Endings::Lf => State::Start,
            [.., b'\r'] => State::Cr,
            _ => State::Inside,
        };
        end
    }
}

/// An article as it goes over the wire: lines end with CR LF, dots are stuffed, the end is marked.
pub(super) fn stuffed(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len() + 64);
    let text = octets.strip_suffix(b"\n").unwrap_or(octets);
    for line in text.split(|octet| *octet == b'\n') {
        if line.starts_with(b".") {
            out.push(b'.');
        }
        out.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b".\r\n");
    out
}

/// How much of the end of a line is kept that is too long.
const TAIL: usize = 8 * 1024;

/// Cuts a block into lines without their ends. What is too long for a line is dropped, the line with it, or loses its middle.
pub(super) struct Lines {
    held: Vec<u8>,
    longest: usize,
    /// A line that is too long is given with its beginning and its end.
    shortens: bool,
    /// The line that is held is too long.
    long: bool,
    /// The end of a line of which the beginning is held, and whether something between the two was dropped.
    tail: Vec<u8>,
    gap: bool,
    /// How many lines were dropped.
    pub dropped: u64,
}

impl Lines {
    /// Drops lines that are too long.
    pub fn new(longest: usize) -> Lines {
        Lines { held: Vec::new(), longest, shortens: false, long: false, tail: Vec::new(), gap: false, dropped: 0 }
    }

    /// Gives those as well, without their middle.
    pub fn shortening(longest: usize) -> Lines {
        Lines { shortens: true, ..Lines::new(longest) }
    }

    /// Gives each line that is complete.
    pub fn feed(&mut self, octets: &[u8], each: &mut dyn FnMut(&[u8])) {
        let mut rest = octets;
        while let Some(lf) = memchr(b'\n', rest) {
            let (line, next) = (&rest[..lf], &rest[lf + 1..]);
            rest = next;
            if self.held.is_empty() && !self.long && line.len() <= self.longest {
                each(line.strip_suffix(b"\r").unwrap_or(line));
                continue;
            }
            self.hold(line);
            if self.long && !self.shortens {
                self.dropped += 1;
            } else {
                if self.gap {
                    self.held.push(b' ');
                }
                self.held.append(&mut self.tail);
                each(self.held.strip_suffix(b"\r").unwrap_or(&self.held));
            }
            self.held.clear();
            self.tail.clear();
            (self.long, self.gap) = (false, false);
        }
        self.hold(rest);
    }

    /// Holds a piece of a line, or of one that is too long its beginning and its end.
    fn hold(&mut self, piece: &[u8]) {
        let (fits, over) = piece.split_at(piece.len().min(self.longest - self.held.len()));
        self.held.extend_from_slice(fits);
        self.long |= !over.is_empty();
        if self.shortens {
            self.tail.extend_from_slice(over);
            if self.tail.len() > 2 * TAIL {
                self.tail.drain(..self.tail.len() - TAIL);
                self.gap = true;
            }
        }
    }
}

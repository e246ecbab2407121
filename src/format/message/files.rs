//! Files inside texts: uuencoded ones and yEnc (yenc-draft 1.3), found line by line as a body comes.
//!
//! They are never decoded into the page: it gets one line for each, and the octets are decoded again when they are asked
//! for. `begin 644 x` alone is prose; a line of uuencoded data must follow. Two full lines of such data are a file whose beginning is in
//! another article, where the body holds no other.

use super::octet_lines::{Begins, OctetLines};
use super::uuencode::{self, Uu};
use super::yenc::{self, YEnc};

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    /// The name that it gives itself; not sanitised.
    pub name: Vec<u8>,
    /// How it is encoded, in words.
    pub encoding: &'static str,
    /// Decoded octets.
    pub size: u64,
    /// What is wrong with it or special about it, in words.
    pub remarks: Vec<String>,
    /// Of a part, the octets of the whole file, as it says.
    pub whole: Option<u64>,
    /// Of a part, how many parts there are, as it says.
    pub parts: Option<u64>,
}

/// What a body consists of.
pub(super) enum Piece<'a> {
    /// Octets of text, line ends included.
    Text(&'a [u8]),
    /// A file ended here.
    File(File),
}

/// What the lines are part of.
enum State {
    Text,
    /// A line that begins a uuencoded file if the next line is data.
    Maybe(Vec<u8>),
    /// A line of uuencoded data without a beginning, which is in another article if the next line is data, too.
    Further(Vec<u8>),
    Uu(Uu),
    YEnc(YEnc),
}

/// Finds the files of a body.
pub(super) struct Files {
    lines: OctetLines,
    state: State,
    /// How many files have begun.
    count: u32,
    /// The number of the file whose octets are wanted.
    wanted: u32,
    /// Its octets.
    kept: Vec<u8>,
}

impl Files {
    /// Finds files, and keeps the octets of the one with a number (from 1; 0 keeps none).
    pub fn new(wanted: u32) -> Files {
        Files { lines: OctetLines::default(), state: State::Text, count: 0, wanted, kept: Vec::new() }
    }

    /// The octets of the wanted file.
    pub fn kept(self) -> Vec<u8> {
        self.kept
    }

    /// Gives the pieces of the next octets.
    pub fn feed(&mut self, octets: &[u8], each: &mut dyn FnMut(Piece)) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.feed(octets, &mut |line, begins| self.line(line, begins, each));
        self.lines = lines;
    }

    /// Gives what was held.
    pub fn finish(&mut self, each: &mut dyn FnMut(Piece)) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.finish(&mut |line, begins| self.line(line, begins, each));
        match std::mem::replace(&mut self.state, State::Text) {
            State::Text => {}
            State::Maybe(line) | State::Further(line) => each(Piece::Text(&line)),
            State::Uu(uu) => each(Piece::File(uu.file())),
            State::YEnc(yenc) => each(Piece::File(yenc.file())),
        }
    }

    fn line(&mut self, line: &[u8], begins: Begins, each: &mut dyn FnMut(Piece)) {
        match std::mem::replace(&mut self.state, State::Text) {
            State::Text => self.text(line, begins, each),
            State::Maybe(first) if uuencode::is_data(line) => {
                self.count += 1;
                self.state = State::Uu(Uu::new(&first));
                self.line(line, begins, each);
            }
            State::Further(first) if uuencode::is_full(line) => {
                self.count += 1;
                let mut uu = Uu::further();
                let _ = uu.line(&first, self.sink());
                self.state = State::Uu(uu);
                self.line(line, begins, each);
            }
            State::Maybe(first) | State::Further(first) => {
                each(Piece::Text(&first));
                self.text(line, begins, each);
            }
            State::Uu(mut uu) => match uu.line(line, self.sink()) {
                uuencode::Took::Data => self.state = State::Uu(uu),
                uuencode::Took::End => each(Piece::File(uu.file())),
                uuencode::Took::Nothing => {
                    each(Piece::File(uu.file()));
                    self.text(line, begins, each);
                }
            },
            State::YEnc(mut yenc) => match yenc.line(line, begins, self.sink()) {
                yenc::Took::Data => self.state = State::YEnc(yenc),
                yenc::Took::End => each(Piece::File(yenc.file())),
            },
        }
    }

    fn text(&mut self, line: &[u8], begins: Begins, each: &mut dyn FnMut(Piece)) {
        if begins == Begins::Within {
            each(Piece::Text(line));
        } else if uuencode::begins(line) {
            self.state = State::Maybe(line.to_vec());
        } else if self.count == 0 && uuencode::is_full(line) {
            self.state = State::Further(line.to_vec());
        } else if let Some(yenc) = YEnc::begin(line) {
            self.count += 1;
            self.state = State::YEnc(yenc);
        } else {
            each(Piece::Text(line));
        }
    }

    /// Where the octets of the file at hand go, if anywhere.
    fn sink(&mut self) -> Option<&mut Vec<u8>> {
        (self.count == self.wanted).then_some(&mut self.kept)
    }
}

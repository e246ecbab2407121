//! Octets → lines of octets, each with the charset to read it by, for formats whose fields are octets (menus, listings).
//!
//! The charset is chosen as in [`super::charset`]; a line of pure ASCII never waits for it, and a line that is valid UTF-8
//! is read as that whatever was guessed from other lines, unless those were drawings. A line longer than
//! [`LONGEST`] octets is cut.

use super::Input;
use super::charset::{Charset, Judge, Said, Tail, escapes};
use crate::doc::Builder;
use encoding_rs::{Decoder, Encoding, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr2};

/// The longest line, in octets.
pub const LONGEST: usize = 64 * 1024;

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endings {
    /// LF, and CR LF.
    Lf,
    /// LF, CR LF, and CR alone.
    Any,
}

/// Cuts a stream of octets into lines.
pub struct Lines {
    endings: Endings,
    charset: Option<Charset>,
    judge: Judge,
    /// The beginning of a line whose end has not come, or lines that wait for the charset.
    held: Vec<u8>,
    stage: Stage,
    /// The last line ended with CR: an LF that follows belongs to it.
    after_cr: bool,
    /// Reads octets that come in pairs (UTF-16), which have no line ends of their own.
    wide: Option<Decoder>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// A byte order mark may stand here.
    Start,
    Lines,
    /// Lines are held because they decide the charset.
    Judging,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("stage", &self.stage).field("held", &self.held.len()).finish_non_exhaustive()
    }
}

impl Lines {
    /// Lines of a body.
    pub(super) fn new(input: &Input, endings: Endings) -> Lines {
        Lines::said(input.charset.as_ref(), input, endings)
    }

    /// Lines of a body of which this is said.
    pub(super) fn said(said: Option<&Said>, input: &Input, endings: Endings) -> Lines {
        Lines::of(said, input.url.host(), endings)
    }

    /// Lines of which this is said, from this host.
    pub fn of(said: Option<&Said>, host: Option<&str>, endings: Endings) -> Lines {
        let mut judge = Judge::new(said, host);
        let charset = judge.at_once();
        Lines { endings, charset, judge, held: Vec::new(), stage: Stage::Start, after_cr: false, wide: None }
    }

    /// Lines whose charset is for whoever takes them to tell.
    pub(super) fn unjudged(input: &Input, endings: Endings) -> Lines {
        Lines { charset: Some(Charset::Utf8), ..Lines::said(None, input, endings) }
    }

    /// Gives every line that is complete, without its end.
    pub fn feed(&mut self, octets: &[u8], each: &mut dyn FnMut(&[u8], Charset)) {
        match self.wide.as_mut().map(|wide| narrowed(wide, octets, false)) {
            Some(text) => self.take(text.as_bytes(), each),
            None => self.take(octets, each),
        }
    }

    fn take(&mut self, octets: &[u8], each: &mut dyn FnMut(&[u8], Charset)) {
        let mut octets = octets;
        if self.stage == Stage::Start || self.stage == Stage::Judging {
            self.held.extend_from_slice(octets);
            return self.held_again(Tail::More, each);
        }
        if !self.held.is_empty() {
            let end = self.end_of_line(octets).map_or(octets.len(), |(_, next)| next);
            self.held.extend_from_slice(&octets[..end]);
            octets = &octets[end..];
            self.held_again(Tail::More, each);
            if self.stage == Stage::Judging {
                self.held.extend_from_slice(octets);
                return self.held_again(Tail::More, each);
            }
        }
        // Whatever is still held has no line end in it, so nothing is left to read.
        let taken = self.run(octets, Tail::More, each);
        self.held.extend_from_slice(&octets[taken..]);
        if self.stage == Stage::Judging {
            self.held_again(Tail::More, each);
        }
    }

    /// Gives the last line, if the stream did not end with a line end.
    pub fn finish(&mut self, each: &mut dyn FnMut(&[u8], Charset)) {
        if let Some(text) = self.wide.as_mut().map(|wide| narrowed(wide, &[], true)) {
            self.held.extend_from_slice(text.as_bytes());
        }
        self.held_again(Tail::Last, each);
    }

    /// Whether octets are held until there are enough to tell their charset.
    pub(super) fn is_judging(&self) -> bool {
        self.stage == Stage::Judging
    }

    /// How much is held, in octets.
    pub(super) fn memory(&self) -> usize {
        self.held.capacity()
    }

    /// Tells the reader what they should know of the charset.
    pub(super) fn tell(&self, strays: bool, out: &mut Builder) {
        let document = out.document_mut();
        document.notes.append(&mut self.judge.notes(strays));
        document.charset = Some(self.judge.used());
    }

    /// Reads the held octets once more, now that there are more of them.
    fn held_again(&mut self, tail: Tail, each: &mut dyn FnMut(&[u8], Charset)) {
        const MARK: &[u8] = &[0xEF, 0xBB, 0xBF];
        const WIDE: [(&[u8], &Encoding); 2] = [(&[0xFF, 0xFE], UTF_16LE), (&[0xFE, 0xFF], UTF_16BE)];
        let mut held = std::mem::take(&mut self.held);
        let mut taken = 0;
        if self.stage == Stage::Start {
            let begins = |mark: &[u8]| mark.len() > held.len() && mark.starts_with(&held);
            if tail == Tail::More && (MARK.starts_with(&held) || WIDE.iter().any(|(mark, _)| begins(mark))) {
                self.held = held;
                // The whole mark alone is as good as nothing: the next octet settles it.
                return;
            }
            self.stage = Stage::Lines;
            if held.starts_with(MARK) {
                taken = MARK.len();
                self.charset = Some(Charset::Utf8);
                self.judge.marked(Charset::Utf8);
            } else if let Some((mark, encoding)) = WIDE.iter().find(|(mark, _)| held.starts_with(mark)) {
                self.charset = Some(Charset::Utf8);
                self.judge.marked(Charset::Web(encoding));
                let mut wide = encoding.new_decoder_without_bom_handling();
                held = narrowed(&mut wide, &held[mark.len()..], tail == Tail::Last).into_bytes();
                self.wide = Some(wide).filter(|_| tail == Tail::More);
            }
        }
        loop {
            if self.stage == Stage::Judging {
                let first = held[taken..].iter().position(|b| !b.is_ascii()).unwrap_or(held.len() - taken);
                let Some(charset) = self.judge.judge(&held[taken + first..], tail) else { break };
                self.charset = Some(charset);
                self.stage = Stage::Lines;
            }
            taken += self.run(&held[taken..], tail, each);
            if self.stage != Stage::Judging {
                break;
            }
        }
        held.drain(..taken);
        self.held = held;
    }

    /// Gives lines until the octets end or a line must wait for its charset; returns how many octets were taken.
    fn run(&mut self, octets: &[u8], tail: Tail, each: &mut dyn FnMut(&[u8], Charset)) -> usize {
        let mut taken = 0;
        while taken < octets.len() {
            let rest = &octets[taken..];
            if std::mem::take(&mut self.after_cr) && rest[0] == b'\n' {
                taken += 1;
                continue;
            }
            let (end, next) = match self.end_of_line(&rest[..rest.len().min(LONGEST + 1)]) {
                Some(found) => found,
                None if rest.len() > LONGEST => (LONGEST, LONGEST),
                None if tail == Tail::Last => (without_cr(rest), rest.len()),
                None => break,
            };
            let line = &rest[..end];
            let charset = match self.charset {
                Some(Charset::Web(_)) if self.judge.overrules(line) => Charset::Utf8,
                // Among lines of UTF-8 one that is none is what was said, if anything was.
                Some(Charset::Utf8) if self.judge.says_more() && std::str::from_utf8(line).is_err() => {
                    self.judge.fallback()
                }
                Some(Charset::Utf8) => {
                    self.judge.meet(line);
                    Charset::Utf8
                }
                Some(charset) => charset,
                None if line.is_ascii() => match escapes(line, Tail::Last).filter(|_| self.judge.may_be_escaped()) {
                    Some((_, Some(charset))) => {
                        self.judge.escaped(charset);
                        self.charset = Some(charset);
                        charset
                    }
                    _ => Charset::Utf8,
                },
                None => {
                    self.stage = Stage::Judging;
                    break;
                }
            };
            self.after_cr = self.endings == Endings::Any && next > end && rest[next - 1] == b'\r';
            each(line, charset);
            taken += next;
        }
        taken
    }

    /// Where the first line ends, and where the next one starts.
    fn end_of_line(&self, octets: &[u8]) -> Option<(usize, usize)> {
        match self.endings {
            Endings::Any => memchr2(b'\r', b'\n', octets).map(|end| (end, end + 1)),
            Endings::Lf => memchr(b'\n', octets).map(|lf| (without_cr(&octets[..lf]), lf + 1)),
        }
    }
}

/// Octets of UTF-16 as UTF-8; half a character is kept for what follows.
fn narrowed(wide: &mut Decoder, octets: &[u8], last: bool) -> String {
    let mut text = String::with_capacity(wide.max_utf8_buffer_length(octets.len()).unwrap_or_default());
    // There is room for all of it.
    let _ = wide.decode_to_string(octets, &mut text, last);
    text
}

/// The length of a line without the CRs at its end; files that were converted twice have two.
fn without_cr(line: &[u8]) -> usize {
    line.iter().rposition(|b| *b != b'\r').map_or(0, |at| at + 1)
}

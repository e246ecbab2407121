//! Decoding of a stream whose charset is found on the way.

use super::hz::Hz;
use super::judge::{ASCII, Judge, WINDOW};
use super::{Charset, Said, Tail, detect};
use crate::doc::{Document, ReadBy};
use crate::format::codepage::{self, CodePage};
use crate::format::utf7::Utf7;
use encoding_rs::{CoderResult, Decoder as WebDecoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr2_iter};

/// How a [`Decoder`] reads just now.
enum Stage {
    /// The first octets: a byte order mark?
    Start,
    /// Nothing but ASCII so far.
    Ascii,
    /// The octets held decide the charset.
    Judging,
    Utf8,
    Page(&'static CodePage),
    Web(Box<WebDecoder>),
    /// A guess, beside which lines may be UTF-8.
    Lines(Box<WebDecoder>),
    Utf7(Utf7),
    Hz(Hz),
}

/// Decodes a stream of octets.
pub struct Decoder {
    stage: Stage,
    judge: Judge,
    strays: bool,
    /// Octets that cannot be decoded yet.
    held: Vec<u8>,
}

impl Decoder {
    /// A decoder of what this is declared of.
    pub fn new(charset: Option<&str>) -> Decoder {
        Decoder::by(Judge::new(charset.map(Said::from).as_ref(), None))
    }

    /// A decoder that a judge tells what to do.
    pub(in crate::format) fn by(judge: Judge) -> Decoder {
        Decoder { stage: Stage::Start, judge, strays: false, held: Vec::new() }
    }

    /// Decodes the next octets, appending to `out`.
    pub fn feed(&mut self, octets: &[u8], out: &mut String) {
        self.take(octets, Tail::More, out);
    }

    /// Decodes what was held.
    pub fn finish(&mut self, out: &mut String) {
        self.take(&[], Tail::Last, out);
    }

    /// The text's own word, as far as it has come; false when it was read as something else already.
    pub(in crate::format) fn declare(&mut self, name: &str) -> bool {
        let in_time = self.judge.declare(name);
        if in_time
            && matches!(self.stage, Stage::Ascii | Stage::Judging)
            && let Some(charset) = self.judge.at_once()
        {
            self.stage = stage(charset);
        }
        in_time
    }

    /// Whether escape sequences that come next may mean something.
    pub(in crate::format) fn may_be_escaped(&self) -> bool {
        matches!(self.stage, Stage::Start | Stage::Ascii) && self.judge.may_be_escaped()
    }

    /// Where the next two octets stand that may begin an escape sequence.
    pub(in crate::format) fn next_escape(&self, octets: &[u8]) -> Option<usize> {
        if !self.may_be_escaped() {
            return None;
        }
        let begins = |at: &usize| matches!(octets[*at..], [0x1B, b'$' | b'(', ..] | [b'~', b'{', ..]);
        memchr2_iter(0x1B, b'~', octets).find(begins)
    }

    /// What the text is read by, as far as that is known.
    pub(in crate::format) fn used(&self) -> Option<ReadBy> {
        self.judge.knows().then(|| self.judge.used())
    }

    /// Tells the reader what they should know of the charset, each thing once.
    pub(in crate::format) fn tell(&self, document: &mut Document) {
        for note in self.notes() {
            if !document.notes.contains(&note) {
                document.notes.push(note);
            }
        }
        if document.charset.as_ref().is_none_or(|before| before.name == ASCII) {
            document.charset = Some(self.judge.used());
        }
    }

    /// What the reader should know of the charset; complete after the end.
    pub fn notes(&self) -> Vec<String> {
        self.judge.notes(self.strays)
    }

    fn take(&mut self, octets: &[u8], tail: Tail, out: &mut String) {
        if self.held.is_empty() {
            return self.step(octets, tail, out);
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(octets);
        self.step(&all, tail, out);
    }

    fn step(&mut self, octets: &[u8], tail: Tail, out: &mut String) {
        match &mut self.stage {
            Stage::Start => self.start(octets, tail, out),
            Stage::Ascii => self.ascii(octets, tail, out),
            Stage::Judging => match self.judged(octets, tail) {
                false => self.held = octets.to_vec(),
                true => self.step(octets, tail, out),
            },
            Stage::Utf8 => {
                self.judge.meet(octets);
                let (taken, strays) = utf8_into(octets, tail, self.judge.fallback(), out);
                self.strays |= strays;
                self.held = octets[taken..].to_vec();
            }
            Stage::Page(page) => codepage::decode_into(page, octets, out),
            Stage::Web(decoder) => web_into(decoder, octets, tail, out),
            Stage::Lines(decoder) => self.held = lines_into(decoder, &self.judge, octets, tail, out),
            Stage::Utf7(utf7) => {
                utf7.feed(octets, out);
                if tail == Tail::Last {
                    utf7.finish(out);
                }
            }
            Stage::Hz(hz) => {
                hz.feed(octets, out);
                if tail == Tail::Last {
                    hz.finish(out);
                }
            }
        }
    }

    /// Passes ASCII on, up to the first octet that is none or an escape that means something.
    fn ascii(&mut self, octets: &[u8], tail: Tail, out: &mut String) {
        let ascii = Encoding::ascii_valid_up_to(octets);
        let escape = if self.judge.may_be_escaped() { detect::escapes(&octets[..ascii], tail) } else { None };
        let (plain, charset) = escape.unwrap_or((ascii, None));
        out.push_str(std::str::from_utf8(&octets[..plain]).unwrap_or_default());
        let rest = &octets[plain..];
        match charset {
            Some(charset) => {
                self.judge.escaped(charset);
                self.stage = stage(charset);
            }
            // Half an escape waits, unless what follows is none.
            None if escape.is_some() && ascii == octets.len() => {
                self.held = rest.to_vec();
                return;
            }
            None if rest.is_empty() => return,
            None => {
                out.push_str(std::str::from_utf8(&octets[plain..ascii]).unwrap_or_default());
                self.stage = Stage::Judging;
                return self.step(&octets[ascii..], tail, out);
            }
        }
        self.step(rest, tail, out);
    }

    /// Decides by the octets held, if they are enough.
    fn judged(&mut self, octets: &[u8], tail: Tail) -> bool {
        let charset = self.judge.judge(octets, tail);
        if let Some(charset) = charset {
            self.stage = match stage(charset) {
                Stage::Web(decoder) if self.judge.is_guessed() => Stage::Lines(decoder),
                stage => stage,
            };
        }
        charset.is_some()
    }

    /// The byte order mark wins over everything said; half of one is waited for.
    fn start(&mut self, octets: &[u8], tail: Tail, out: &mut String) {
        const MARKS: [(&[u8], &Encoding); 3] =
            [(&[0xEF, 0xBB, 0xBF], UTF_8), (&[0xFF, 0xFE], UTF_16LE), (&[0xFE, 0xFF], UTF_16BE)];
        if octets.is_empty() {
            return;
        }
        if let Some((mark, web)) = MARKS.iter().find(|(mark, _)| octets.starts_with(mark)) {
            let charset = if *web == UTF_8 { Charset::Utf8 } else { Charset::Web(web) };
            self.judge.marked(charset);
            self.stage = stage(charset);
            return self.step(&octets[mark.len()..], tail, out);
        }
        if tail == Tail::More && MARKS.iter().any(|(mark, _)| mark.starts_with(octets)) {
            self.held = octets.to_vec();
            return;
        }
        self.stage = self.judge.at_once().map_or(Stage::Ascii, stage);
        self.step(octets, tail, out);
    }
}

fn stage(charset: Charset) -> Stage {
    match charset {
        Charset::Utf8 => Stage::Utf8,
        Charset::Page(_, page) => Stage::Page(page),
        Charset::Web(web) => Stage::Web(Box::new(web.new_decoder_without_bom_handling())),
        Charset::Utf7 => Stage::Utf7(Utf7::default()),
        Charset::Hz => Stage::Hz(Hz::default()),
    }
}

/// Decodes UTF-8, stray octets by another charset; returns how many octets were taken and whether there were strays.
pub(super) fn utf8_into(octets: &[u8], tail: Tail, fallback: Charset, out: &mut String) -> (usize, bool) {
    let mut taken = 0;
    let mut strays = false;
    while taken < octets.len() {
        let (valid, bad) = match std::str::from_utf8(&octets[taken..]) {
            Ok(text) => (text, 0),
            Err(e) => {
                let good = &octets[taken..taken + e.valid_up_to()];
                let bad = e.error_len().or((tail == Tail::Last).then_some(octets.len() - taken - good.len()));
                // The good part was just found good, so nothing is lost here.
                let Some(bad) = bad else {
                    out.push_str(std::str::from_utf8(good).unwrap_or_default());
                    return (taken + good.len(), strays);
                };
                (std::str::from_utf8(good).unwrap_or_default(), bad)
            }
        };
        out.push_str(valid);
        taken += valid.len();
        strays |= bad > 0;
        out.push_str(&fallback.decode(&octets[taken..taken + bad]));
        taken += bad;
    }
    (taken, strays)
}

/// Decodes a text whose charset is a guess, line by line from the first octet that is not ASCII; returns what waits for its
/// line's end, which a long line does not.
fn lines_into(decoder: &mut WebDecoder, judge: &Judge, octets: &[u8], tail: Tail, out: &mut String) -> Vec<u8> {
    let mut rest = octets;
    loop {
        let (plain, others) = rest.split_at(Encoding::ascii_valid_up_to(rest));
        web_into(decoder, plain, Tail::More, out);
        let within = &others[..others.len().min(WINDOW)];
        let end = match memchr(b'\n', within) {
            Some(end) => end + 1,
            None if within.len() < WINDOW && tail == Tail::More => return others.to_vec(),
            None => within.len(),
        };
        if end == 0 {
            web_into(decoder, &[], tail, out);
            return Vec::new();
        }
        line_into(decoder, judge, &others[..end], out);
        rest = &others[end..];
    }
}

fn line_into(decoder: &mut WebDecoder, judge: &Judge, line: &[u8], out: &mut String) {
    match std::str::from_utf8(line) {
        Ok(text) if judge.overrules(line) => out.push_str(text),
        _ => web_into(decoder, line, Tail::More, out),
    }
}

fn web_into(decoder: &mut WebDecoder, mut octets: &[u8], tail: Tail, out: &mut String) {
    loop {
        out.reserve(decoder.max_utf8_buffer_length(octets.len()).unwrap_or(octets.len() * 3 + 16));
        let (result, read, _) = decoder.decode_to_string(octets, out, tail == Tail::Last);
        octets = &octets[read..];
        if result == CoderResult::InputEmpty {
            return;
        }
    }
}

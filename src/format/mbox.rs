//! Mailboxes in one file (`application/mbox`, RFC 4155): where a message begins, what of its text is quoted for that, and the line of
//! an overview that its header makes.
//!
//! Written is "mboxrd": a line of `From ` behind any number of `>` gets one more, so that nothing is lost. Read is that, and the older
//! ways too, as far as they can be told: a message begins behind an empty line with `From `, a time and a year. All is octets, and
//! however they are cut, no more than the beginning of a line is held.
//! Refuses: `Content-Length` (a lie in one message would swallow the next), and whatever is no line of header.

use memchr::memchr;

/// Octets of a line by which is told what it is.
const TOLD: usize = 512;
/// Octets that are kept of one field of a header.
const FIELD: usize = 8 * 1024;
/// Fields that make a line of the overview.
const FIELDS: &[&[u8]] = &[b"subject", b"from", b"date", b"message-id", b"references", b"in-reply-to"];

/// Whether octets begin as a mailbox does: with such a line, and a header behind it.
pub fn is_mbox(beginning: &[u8]) -> bool {
    let Some(end) = memchr(b'\n', beginning) else { return false };
    let next = &beginning[end + 1..];
    let name = next.iter().take_while(|b| b.is_ascii_graphic() && **b != b':').count();
    is_envelope(&beginning[..end]) && (next.is_empty() || name > 0 && next.get(name) == Some(&b':'))
}

/// Whether a line begins a message: `From `, whoever, a time such as `10:00`, a year (RFC 4155, appendix A).
pub fn is_envelope(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else { return false };
    let digits = |word: &[u8], count: usize| word.len() >= count && word[..count].iter().all(u8::is_ascii_digit);
    let mut words = rest[..rest.len().min(TOLD)].split(u8::is_ascii_whitespace);
    let time = words.any(|word| word.len() >= 5 && digits(word, 2) && word[2] == b':' && digits(&word[3..], 2));
    time && words.any(|word| word.len() == 4 && digits(word, 4))
}

/// Puts one more `>` before a line that could be taken for the beginning of a message, and for one that was so quoted.
pub fn quote(line: &[u8], out: &mut Vec<u8>) {
    if line[line.iter().take_while(|b| **b == b'>').count()..].starts_with(b"From ") {
        out.push(b'>');
    }
    out.extend_from_slice(line);
}

/// A message as it stands in a mailbox: the line before it, its own lines quoted and ended by LF, an empty line behind it. `time` is
/// as RFC 4155 has it (`Thu Jan  2 10:00:00 2025`).
pub fn write(message: &[u8], sender: &str, time: &str, out: &mut Vec<u8>) {
    let plain = |b: &u8| b.is_ascii_graphic();
    let sender: Vec<u8> = sender.bytes().filter(plain).take(TOLD / 2).collect();
    let sender = if sender.is_empty() { b"-".as_slice() } else { &sender };
    out.extend_from_slice(b"From ");
    out.extend_from_slice(sender);
    out.push(b' ');
    out.extend_from_slice(time.as_bytes());
    out.push(b'\n');
    let message = message.strip_suffix(b"\n").unwrap_or(message);
    for line in message.split(|b| *b == b'\n') {
        quote(line.strip_suffix(b"\r").unwrap_or(line), out);
        out.push(b'\n');
    }
    out.push(b'\n');
}

/// Cuts octets into lines. Of one that is long the rest comes in pieces, of which only the first `begins`.
#[derive(Debug, Default)]
pub struct Pieces {
    /// The beginning of a line, of which too little has come to tell what it is.
    held: Vec<u8>,
    /// A line that has begun goes on.
    inside: bool,
}

/// Some of a line, its end included where it has come.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    /// Its octets.
    pub octets: &'a [u8],
    /// Whether it is a line's beginning; then it is all of it or long enough to tell what it is.
    pub begins: bool,
}

impl Pieces {
    /// Takes octets.
    pub fn feed(&mut self, mut octets: &[u8], take: &mut dyn FnMut(Piece<'_>)) {
        while !octets.is_empty() {
            let end = memchr(b'\n', octets).map(|at| at + 1);
            let (now, later) = octets.split_at(end.unwrap_or(octets.len()));
            octets = later;
            if self.inside {
                self.inside = end.is_none();
                take(Piece { octets: now, begins: false });
                continue;
            }
            if self.held.is_empty() && (end.is_some() || now.len() >= TOLD) {
                self.inside = end.is_none();
                take(Piece { octets: now, begins: true });
                continue;
            }
            self.held.extend_from_slice(now);
            if end.is_some() || self.held.len() >= TOLD {
                self.inside = end.is_none();
                take(Piece { octets: &self.held, begins: true });
                self.held.clear();
            }
        }
    }

    /// The end has come.
    pub fn finish(&mut self, take: &mut dyn FnMut(Piece<'_>)) {
        if !self.held.is_empty() {
            take(Piece { octets: &self.held, begins: true });
            self.held.clear();
        }
    }
}

/// The octets of a line without its end.
fn bare(octets: &[u8]) -> &[u8] {
    let octets = octets.strip_suffix(b"\n").unwrap_or(octets);
    octets.strip_suffix(b"\r").unwrap_or(octets)
}

/// What is known of a message from its header.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    fields: [Vec<u8>; FIELDS.len()],
    /// The field that a folded line goes on with.
    open: Option<usize>,
    /// The header is over.
    body: bool,
    lines: u64,
    size: u64,
}

impl Summary {
    /// Takes the next piece of the message.
    pub fn take(&mut self, piece: Piece<'_>) {
        self.size += piece.octets.len() as u64;
        if self.body {
            self.lines += u64::from(piece.begins);
            return;
        }
        let line = bare(piece.octets);
        let folded = !piece.begins || line.first().is_some_and(|b| matches!(b, b' ' | b'\t'));
        match self.open {
            _ if piece.begins && line.is_empty() => self.body = true,
            Some(field) if folded => self.add(field, line),
            None if folded => {}
            _ => {
                let name = line.iter().position(|b| *b == b':').unwrap_or(0);
                let known = FIELDS.iter().position(|known| known.eq_ignore_ascii_case(&line[..name]));
                // Of two the first counts.
                self.open = known.filter(|at| self.fields[*at].is_empty());
                if let Some(field) = self.open {
                    self.add(field, line[name + 1..].trim_ascii());
                }
            }
        }
    }

    fn add(&mut self, field: usize, octets: &[u8]) {
        let held = &mut self.fields[field];
        let room = FIELD.saturating_sub(held.len());
        held.extend_from_slice(&octets[..octets.len().min(room)]);
    }

    /// Whether there is a header at all.
    pub fn is_message(&self) -> bool {
        self.fields.iter().any(|field| !field.is_empty())
    }

    /// The line of an overview: under which number the message stands, and where it is to be had.
    pub fn line(&self, number: u64, size: Option<u64>, place: &str) -> Vec<u8> {
        let [subject, from, date, id, references, answers] = &self.fields;
        let references = if references.is_empty() { answers } else { references };
        let (size, lines) = (size.unwrap_or(self.size).to_string(), self.lines.to_string());
        let mut line = number.to_string().into_bytes();
        for field in [subject, from, date, id, references].map(Vec::as_slice).into_iter().chain([
            size.as_bytes(),
            lines.as_bytes(),
            place.as_bytes(),
        ]) {
            line.push(b'\t');
            line.extend(field.iter().map(|b| if b.is_ascii_control() { b' ' } else { *b }));
        }
        line.push(b'\n');
        line
    }
}

/// The messages of a mailbox, as the lines of an overview.
#[derive(Debug, Default)]
pub struct Overviews {
    pieces: Pieces,
    scan: Scan,
}

#[derive(Debug, Default)]
struct Scan {
    /// Octets before the next piece.
    at: u64,
    /// The message that is being read, and where it begins.
    message: Option<(u64, Summary)>,
    /// The line before was empty, or there was none.
    parted: bool,
}

impl Overviews {
    /// For a mailbox from its beginning.
    pub fn new() -> Overviews {
        Overviews { pieces: Pieces::default(), scan: Scan { parted: true, ..Scan::default() } }
    }

    /// Takes octets; writes the lines of the messages that end in them. `place` says where the message is that begins at an octet.
    pub fn feed(&mut self, octets: &[u8], place: &dyn Fn(u64) -> String, out: &mut Vec<u8>) {
        let Overviews { pieces, scan } = self;
        pieces.feed(octets, &mut |piece| scan.take(piece, place, out));
    }

    /// The end has come.
    pub fn finish(&mut self, place: &dyn Fn(u64) -> String, out: &mut Vec<u8>) {
        let Overviews { pieces, scan } = self;
        pieces.finish(&mut |piece| scan.take(piece, place, out));
        scan.end(place, out);
    }
}

impl Scan {
    fn take(&mut self, piece: Piece<'_>, place: &dyn Fn(u64) -> String, out: &mut Vec<u8>) {
        let begins = piece.begins && self.parted && is_envelope(bare(piece.octets));
        if begins {
            self.end(place, out);
            self.message = Some((self.at, Summary::default()));
        } else if let Some((_, summary)) = &mut self.message {
            summary.take(piece);
        }
        self.parted = piece.begins && bare(piece.octets).is_empty();
        self.at += piece.octets.len() as u64;
    }

    fn end(&mut self, place: &dyn Fn(u64) -> String, out: &mut Vec<u8>) {
        if let Some((at, summary)) = self.message.take() {
            // Numbers begin with one.
            out.extend(summary.line(at + 1, None, &place(at)));
        }
    }
}

/// One message of a mailbox, from the line before it on.
#[derive(Debug, Default)]
pub struct Single {
    pieces: Pieces,
    state: State,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The line before it is to come.
    #[default]
    Before,
    Inside,
    /// An empty line has come, which parts it from the next message unless something else follows.
    Parted,
    /// Long: what follows is of the same line.
    Over,
    /// No message begins here.
    Wrong,
}

impl Single {
    /// Takes octets; writes those of the message, unquoted.
    pub fn feed(&mut self, octets: &[u8], out: &mut Vec<u8>) {
        let Single { pieces, state } = self;
        pieces.feed(octets, &mut |piece| state.take(piece, out));
    }

    /// The end has come.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        let Single { pieces, state } = self;
        pieces.finish(&mut |piece| state.take(piece, out));
    }

    /// Whether the message has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Over | State::Wrong)
    }

    /// Whether no message begins there.
    pub fn is_wrong(&self) -> bool {
        self.state == State::Wrong
    }
}

impl State {
    fn take(&mut self, piece: Piece<'_>, out: &mut Vec<u8>) {
        let line = bare(piece.octets);
        let begins = piece.begins && is_envelope(line);
        match *self {
            State::Over | State::Wrong => return,
            State::Before => {
                *self = if begins { State::Inside } else { State::Wrong };
                return;
            }
            State::Parted if begins => {
                *self = State::Over;
                return;
            }
            State::Parted => out.push(b'\n'),
            State::Inside => {}
        }
        if piece.begins && line.is_empty() && piece.octets.ends_with(b"\n") {
            *self = State::Parted;
            return;
        }
        *self = State::Inside;
        let quoted = piece.begins
            && line.first() == Some(&b'>')
            && line[line.iter().take_while(|b| **b == b'>').count()..].starts_with(b"From ");
        out.extend_from_slice(&piece.octets[usize::from(quoted)..]);
    }
}

//! Where a gopher body ends and what of its octets belongs to the wire only (RFC 1436, 3.2 and Appendix; Gopher+ 2.3).
//!
//! The same octets come out however they are cut. Refuses: sockets.

use memchr::memchr2;

/// How much text is held back while it is unknown whether the server doubles dots: only from the first line that begins with
/// two dots, and only until this much has come.
const DOUBT: usize = 256 * 1024;

/// How a body is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Raw octets until the server closes.
    UntilClose,
    /// So many octets.
    Exactly(u64),
    /// Lines until a lone dot, which must come; dots at the beginning of lines are doubled.
    Dotted,
    /// As servers really send text: until the server closes, perhaps with a lone dot at the end, and only then with dots doubled.
    Text,
}

/// Whether the body goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// More may come.
    More,
    /// It is complete; what follows is not part of it.
    Done,
}

/// A body being taken out of its frame.
#[derive(Debug)]
pub struct Frame {
    framing: Framing,
    /// Octets taken in, for what was promised.
    taken: u64,
    at_line_start: bool,
    /// The beginning of a line that may be the lone dot: `.`, `.` CR, `.` CR LF, `.` LF.
    dot: Vec<u8>,
    /// Text since the first line with two dots, while it is unknown whether they mean one.
    held: Option<Vec<u8>>,
    /// Doubt has ended: dots are what they are.
    plain: bool,
}

impl Frame {
    /// A body with nothing taken in.
    pub fn new(framing: Framing) -> Frame {
        Frame { framing, taken: 0, at_line_start: true, dot: Vec::new(), held: None, plain: false }
    }

    /// Takes octets in and adds those of the body to `out`.
    pub fn feed(&mut self, octets: &[u8], out: &mut Vec<u8>) -> Flow {
        match self.framing {
            Framing::UntilClose => {
                out.extend_from_slice(octets);
                Flow::More
            }
            Framing::Exactly(promised) => {
                let left = promised - self.taken;
                let take = octets.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                out.extend_from_slice(&octets[..take]);
                self.taken += take as u64;
                if self.taken == promised { Flow::Done } else { Flow::More }
            }
            Framing::Dotted => self.feed_dotted(octets, out),
            Framing::Text => {
                self.feed_text(octets, out);
                Flow::More
            }
        }
    }

    /// Takes the end; says what is missing.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Option<String> {
        match self.framing {
            Framing::UntilClose => None,
            Framing::Exactly(promised) if self.taken < promised => {
                Some(format!("the server promised {promised} octets and sent {}", self.taken))
            }
            Framing::Exactly(_) => None,
            Framing::Dotted if matches!(self.dot.as_slice(), b"." | b".\r") => None,
            Framing::Dotted => Some("the server closed the connection before the end of its answer".into()),
            Framing::Text => {
                let terminated = !std::mem::take(&mut self.dot).is_empty();
                if let Some(held) = self.held.take() {
                    if terminated { undouble(&held, out) } else { out.extend_from_slice(&held) }
                }
                None
            }
        }
    }

    /// Whether all that belongs to the body has come, even if the server keeps the connection open.
    pub fn is_terminated(&self) -> bool {
        self.framing == Framing::Text && self.dot.ends_with(b"\n")
    }

    fn feed_dotted(&mut self, octets: &[u8], out: &mut Vec<u8>) -> Flow {
        let mut rest = octets;
        while let Some(&octet) = rest.first() {
            match (self.dot.as_slice(), octet) {
                (b"", b'.') if self.at_line_start => self.dot.push(b'.'),
                (b"", _) => {
                    let end = memchr2(b'\n', b'\r', rest).map_or(rest.len(), |end| end + 1);
                    out.extend_from_slice(&rest[..end]);
                    self.at_line_start = ends_line(rest[end - 1]);
                    rest = &rest[end..];
                    continue;
                }
                (_, b'\n') => return Flow::Done,
                (b".", b'\r') => self.dot.push(b'\r'),
                _ => {
                    // The first dot was there to protect the line.
                    out.extend_from_slice(&self.dot[1..]);
                    self.dot.clear();
                    self.at_line_start = false;
                    continue;
                }
            }
            rest = &rest[1..];
        }
        Flow::More
    }

    fn feed_text(&mut self, octets: &[u8], out: &mut Vec<u8>) {
        let mut rest = octets;
        while let Some(&octet) = rest.first() {
            match (self.dot.as_slice(), octet) {
                (b"", b'.') if self.at_line_start => self.dot.push(b'.'),
                (b"", _) => {
                    let end = line_with_dot(rest);
                    self.text(&rest[..end], out);
                    self.at_line_start = ends_line(rest[end - 1]);
                    rest = &rest[end..];
                    continue;
                }
                (b"." | b".\r", b'\n') | (b".", b'\r') => self.dot.push(octet),
                (dot, _) => {
                    // Not the last line, so an ordinary one.
                    self.at_line_start = dot.last().is_some_and(|last| ends_line(*last));
                    if dot == b"." && octet == b'.' && !self.plain && self.held.is_none() {
                        self.held = Some(Vec::new());
                    }
                    let dot = std::mem::take(&mut self.dot);
                    self.text(&dot, out);
                    continue;
                }
            }
            rest = &rest[1..];
        }
    }

    fn text(&mut self, text: &[u8], out: &mut Vec<u8>) {
        let Some(held) = &mut self.held else {
            out.extend_from_slice(text);
            return;
        };
        // Room is counted octet by octet, so that cuts make no difference.
        let room = (DOUBT - held.len()).min(text.len());
        held.extend_from_slice(&text[..room]);
        if held.len() == DOUBT {
            out.append(held);
            out.extend_from_slice(&text[room..]);
            self.held = None;
            self.plain = true;
        }
    }
}

/// Whether an octet ends a line: on old Macintoshes CR did so alone, and the LF behind it elsewhere begins with no dot.
fn ends_line(octet: u8) -> bool {
    matches!(octet, b'\n' | b'\r')
}

/// The length of the text up to and with the line break before the first line that begins with a dot.
fn line_with_dot(text: &[u8]) -> usize {
    let begins = |at: &usize| *at > 0 && ends_line(text[at - 1]);
    memchr::memchr_iter(b'.', text).find(begins).unwrap_or(text.len())
}

/// Removes one dot of the lines that begin with two.
fn undouble(text: &[u8], out: &mut Vec<u8>) {
    for line in text.split_inclusive(|b| *b == b'\n') {
        out.extend_from_slice(if line.starts_with(b"..") { &line[1..] } else { line });
    }
}

//! Answers of HTTP as they are kept: a head, and a body in the codings in which it came (RFC 9112, 6 and 7; RFC 9110, 8.4).

use super::unpacking::Unpacking;
use super::{Fault, Why};
use crate::stop::Stop;
use crate::unpack::Packing;
use std::io::{self, BufRead, BufReader, Read};

/// Digits of the length of a chunk, and what may stand behind it on its line.
const LINE: u64 = 4096;
/// Content codings within one another.
const MOST: usize = 4;

/// What must be undone of a body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Codings {
    chunked: bool,
    /// From the outermost on.
    packed: Vec<Coding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Known(Packing),
    Foreign,
}

/// What the head of an answer says.
#[derive(Default)]
pub(super) struct Answer {
    /// `404 Not Found`; nothing where it is simply what was asked for.
    pub status: Option<String>,
    pub media: String,
    /// Where a redirect leads, as written.
    pub moved: Option<String>,
    pub codings: Codings,
}

impl Answer {
    pub(super) fn read(head: &[u8]) -> Answer {
        let first = head.split(|octet| *octet == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first);
        let status = first.split_once(' ').map_or("", |(_, status)| status.trim());
        let mut answer = Answer::default();
        let mut location = None;
        for (name, value) in fields(head) {
            let text = String::from_utf8_lossy(value).trim().to_owned();
            match name.to_ascii_lowercase().as_slice() {
                b"content-type" => answer.media = text,
                b"location" => location = Some(text),
                b"transfer-encoding" => answer.codings.chunked |= text.to_ascii_lowercase().contains("chunked"),
                b"content-encoding" => {
                    let codings = text.split(',').map(|coding| coding.trim().to_ascii_lowercase());
                    let known = codings.filter(|coding| !coding.is_empty() && coding != "identity");
                    answer.codings.packed.extend(known.map(|coding| match coding.as_str() {
                        "gzip" | "x-gzip" => Coding::Known(Packing::Gzip),
                        "deflate" => Coding::Known(Packing::Deflate),
                        "compress" | "x-compress" => Coding::Known(Packing::Compress),
                        "zstd" => Coding::Known(Packing::Zstd),
                        _ => Coding::Foreign,
                    }));
                }
                _ => {}
            }
        }
        answer.codings.packed.reverse();
        answer.codings.packed.truncate(MOST);
        if !status.is_empty() && !status.starts_with('2') {
            answer.moved = location.filter(|_| status.starts_with('3'));
            answer.status = Some(status.chars().take(200).collect());
        }
        answer
    }
}

/// The fields of a head, as lines after its first one; what goes on in the next line is of the first alone.
pub(super) fn fields(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let lines = head.split(|octet| *octet == b'\n').skip(1).map(<[u8]>::trim_ascii_end);
    lines.filter(|line| !line.first().is_none_or(u8::is_ascii_whitespace)).filter_map(|line| {
        let colon = memchr::memchr(b':', line)?;
        Some((line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()))
    })
}

impl Codings {
    pub(super) fn is_none(&self) -> bool {
        !self.chunked && self.packed.is_empty()
    }

    /// The body without them.
    pub(super) fn undo(&self, octets: Box<dyn Read + Send>, stop: &Stop) -> Result<Box<dyn Read + Send>, Fault> {
        let mut octets = octets;
        if self.chunked {
            octets = Box::new(Dechunked::new(octets));
        }
        for coding in &self.packed {
            octets = match coding {
                Coding::Known(packing) => Box::new(Unpacking::new(octets, *packing, stop.clone())),
                Coding::Foreign => {
                    let says = "This answer is compressed in a way that is not known here.";
                    return Err(Fault::new(Why::Foreign, says));
                }
            };
        }
        Ok(octets)
    }
}

/// A body whose chunks are joined. What does not begin as a chunk was joined by whoever kept it.
struct Dechunked<R> {
    octets: BufReader<R>,
    state: State,
    /// What was looked at and is no head of a chunk.
    begun: io::Cursor<Vec<u8>>,
}

#[derive(Clone, Copy)]
enum State {
    Start,
    /// So many octets of a chunk are left.
    Chunk(u64),
    Plain,
    End,
}

impl<R: Read> Dechunked<R> {
    fn new(octets: R) -> Dechunked<R> {
        Dechunked { octets: BufReader::new(octets), state: State::Start, begun: io::Cursor::default() }
    }

    /// The length of the next chunk.
    fn length(&mut self) -> io::Result<Option<u64>> {
        self.line().map(|line| digits(&line))
    }

    /// The next line, in however many pieces it comes.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        (&mut self.octets).take(LINE).read_until(b'\n', &mut line)?;
        Ok(line)
    }
}

fn digits(line: &[u8]) -> Option<u64> {
    let digits = line.split(|octet| *octet == b';').next().unwrap_or_default().trim_ascii();
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

impl<R: Read> Read for Dechunked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.state {
                State::Plain => {
                    let begun = self.begun.read(out)?;
                    return if begun > 0 { Ok(begun) } else { self.octets.read(out) };
                }
                State::End => return Ok(0),
                State::Start => {
                    let line = self.line()?;
                    self.state = match digits(&line).filter(|_| line.ends_with(b"\n")) {
                        Some(0) => State::End,
                        Some(length) => State::Chunk(length),
                        None => State::Plain,
                    };
                    if matches!(self.state, State::Plain) {
                        self.begun = io::Cursor::new(line);
                    }
                }
                State::Chunk(0) => {
                    let mut end = Vec::new();
                    (&mut self.octets).take(2).read_until(b'\n', &mut end)?;
                    self.state = match self.length()? {
                        Some(0) => State::End,
                        Some(length) => State::Chunk(length),
                        None => return Err(Fault::broken("The chunks of this answer are broken here.").into()),
                    };
                }
                State::Chunk(left) => {
                    let most = usize::try_from(left).unwrap_or(usize::MAX).min(out.len());
                    let count = self.octets.read(&mut out[..most])?;
                    if count == 0 {
                        let broken = Fault::broken("This answer ends within a chunk.");
                        return if most == 0 { Ok(0) } else { Err(broken.into()) };
                    }
                    self.state = State::Chunk(left - count as u64);
                    return Ok(count);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Octets that come one by one.
    struct Dripping<'a>(&'a [u8]);

    impl Read for Dripping<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(out.len()).min(1);
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn chunks_are_known_in_whatever_pieces_they_come() {
        for (octets, wanted) in [
            (&b"5\r\nhello\r\n3;x=y\r\nyou\r\n0\r\n\r\n"[..], &b"helloyou"[..]),
            (b"hello\nyou", b"hello\nyou"),
            (b"12", b"12"),
            (b"", b""),
        ] {
            let mut joined = Vec::new();
            Dechunked::new(Dripping(octets)).read_to_end(&mut joined).unwrap();
            assert_eq!(joined, wanted);
        }
    }
}

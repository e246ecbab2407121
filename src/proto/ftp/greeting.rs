//! The greeting, up to its last line (RFC 959, 4.2).
//!
//! Its lines come when the server likes, with other codes inside ("221 Baker Street") and slowly: the limit counts from the last
//! octets, and there is one for all of it. The library takes the first code with a blank for the end, so it is given the last line
//! alone. Refuses: to hear replies after the greeting, which are the library's.

use crate::config::Limits;
use crate::proto::net::Lost;
use std::io::ErrorKind;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// Looked at at once.
const PIECE: usize = 8 * 1024;
/// The most octets of a greeting.
const MOST: usize = 256 * 1024;
/// How many times the limit of silence the whole of it may take.
const WHOLE: u32 = 10;
/// A code and the sign behind it.
const CODE: usize = 4;

/// How hearing it ended.
pub(super) enum Heard {
    /// These are all of its lines but the last, which is still to be read.
    ButTheLast(Vec<u8>),
    /// It stopped after these, without a last line.
    Stopped(Vec<u8>, Lost),
    /// It has no end.
    TooLong,
}

/// Reads all lines but the last.
pub(super) async fn hear(tcp: &mut TcpStream, limits: &Limits) -> Heard {
    let mut lines = Lines::default();
    let whole = Instant::now() + limits.silence * WHOLE;
    let mut piece = vec![0; PIECE];
    loop {
        let limit = whole.min(Instant::now() + limits.silence);
        let read = match timeout_at(limit, tcp.peek(&mut piece)).await {
            Err(_) if limit == whole => return Heard::TooLong,
            Err(_) => Err(Lost::Silence(limits.silence)),
            // The library says what is wrong with no greeting at all.
            Ok(Ok(0)) if lines.before.is_empty() => return Heard::ButTheLast(lines.before),
            Ok(Ok(0)) => Err(Lost::Broken(ErrorKind::UnexpectedEof.into())),
            Ok(Ok(count)) => Ok(count),
            Ok(Err(error)) => Err(Lost::Broken(error)),
        };
        let count = match read {
            Ok(count) => count,
            Err(lost) => return Heard::Stopped(lines.before, lost),
        };
        let inner = lines.inner(&piece[..count]);
        if inner > 0
            && let Err(error) = tcp.read_exact(&mut piece[..inner]).await
        {
            return Heard::Stopped(lines.before, Lost::Broken(error));
        }
        lines.before.extend_from_slice(&piece[..inner]);
        if inner < count {
            return Heard::ButTheLast(lines.before);
        }
        if lines.before.len() > MOST {
            return Heard::TooLong;
        }
    }
}

/// The lines before the last.
#[derive(Default)]
struct Lines {
    before: Vec<u8>,
    /// The code that the first line has.
    code: Option<[u8; 3]>,
    /// The end of what was read is within a line that is not the last.
    within: bool,
}

impl Lines {
    /// How many of these octets belong to lines that are certainly not the last. A line of which too little has come is left.
    fn inner(&mut self, octets: &[u8]) -> usize {
        let mut at = 0;
        while at < octets.len() {
            let rest = &octets[at..];
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let whole = rest[..end].ends_with(b"\n");
            if !self.within && !self.is_inner(&rest[..end], whole) {
                return at;
            }
            self.within = !whole;
            at += end;
        }
        at
    }

    fn is_inner(&mut self, line: &[u8], whole: bool) -> bool {
        if line.len() < CODE && !whole {
            return self.code.is_some_and(|code| !code.starts_with(line));
        }
        match (self.code, line) {
            (Some(code), [a, b, c, b' ', ..]) => code != [*a, *b, *c],
            (Some(_), _) => true,
            (None, [a, b, c, b'-', ..]) if [a, b, c].iter().all(|digit| digit.is_ascii_digit()) => {
                self.code = Some([*a, *b, *c]);
                true
            }
            (None, _) => false,
        }
    }
}

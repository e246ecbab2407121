//! A visit on the wire: command lines in, status lines and blocks out, articles in.

use super::post::{LARGEST, post};
use super::session::{Act, Session};
use super::store::Store;
use crate::tour::visitor::{Heard, Visitor};
use jiff::Timestamp;
use std::io::Result;
use std::sync::{Arc, Mutex};

/// Octets of a command (RFC 3977, 3.1), and of a line of an article (RFC 5536, 2.2).
const COMMAND: usize = 510;
const LINE: usize = 998;
/// Lines that are heard of an article that is too large before its writer is left alone.
const ENDLESS: usize = 100_000;

/// Serves one visitor.
pub(super) async fn visit(mut visitor: Visitor, store: Arc<Mutex<Store>>) -> Result<()> {
    let mut session = Session::new(store);
    visitor.say(b"200 Wayfarer's tour: two newsgroups, on this machine only\r\n").await?;
    loop {
        let line = match visitor.hear(COMMAND).await? {
            Heard::Line(line) => line,
            Heard::TooLong => {
                visitor.say(b"501 That line is longer than any command\r\n").await?;
                continue;
            }
            Heard::Nothing => return visitor.say(b"400 You have said nothing for long\r\n").await,
        };
        match session.take(&String::from_utf8_lossy(&line), Timestamp::now()) {
            Act::Say(said) => visitor.say(format!("{said}\r\n").as_bytes()).await?,
            Act::Block(said, lines) => visitor.say(&stuffed(&said, &lines)).await?,
            Act::Hear(said) => {
                visitor.say(format!("{said}\r\n").as_bytes()).await?;
                let said = match article(&mut visitor).await? {
                    Article::Whole(octets) => match post(&mut session.store(), &octets, Timestamp::now()) {
                        Ok(id) => format!("240 It is there: {id}\r\n"),
                        Err(words) => format!("441 {words}\r\n"),
                    },
                    Article::TooLarge => {
                        format!("441 An article has {LARGEST} octets at most here, and a line {LINE}.\r\n")
                    }
                    Article::Broken => return Ok(()),
                };
                visitor.say(said.as_bytes()).await?;
            }
            Act::Leave(said) => return visitor.say(format!("{said}\r\n").as_bytes()).await,
        }
    }
}

/// A status line and a block: a line that begins with a dot has one more, a dot alone ends it (RFC 3977, 3.1.1).
fn stuffed(said: &str, lines: &[u8]) -> Vec<u8> {
    let mut out = format!("{said}\r\n").into_bytes();
    for line in lines.split_inclusive(|octet| *octet == b'\n') {
        if line.starts_with(b".") {
            out.push(b'.');
        }
        out.extend_from_slice(line);
    }
    out.extend_from_slice(b".\r\n");
    out
}

/// What a visitor has written.
enum Article {
    /// Lines that end with LF.
    Whole(Vec<u8>),
    TooLarge,
    Broken,
}

/// Hears an article to its end, also where it is too large, since what follows would be taken for commands.
async fn article(visitor: &mut Visitor) -> Result<Article> {
    let mut octets = Vec::new();
    let mut fits = true;
    for _ in 0..ENDLESS {
        match visitor.hear(LINE).await? {
            Heard::Line(line) if line == b"." => {
                return Ok(if fits { Article::Whole(octets) } else { Article::TooLarge });
            }
            Heard::Line(line) => {
                fits &= octets.len() + line.len() < LARGEST;
                if fits {
                    octets.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
                    octets.push(b'\n');
                }
            }
            Heard::TooLong => fits = false,
            Heard::Nothing => return Ok(Article::Broken),
        }
    }
    Ok(Article::Broken)
}

//! CSO phone books (gopher type 2, RFC 2378): a query, numbered lines, a last line of 200 or more, `quit`.

use super::{CHUNK, Talk};
use crate::format::media;
use crate::proto::net::Wire;
use crate::proto::relay::{Relay, Room};
use crate::proto::{End, FetchError, Stage, Verdict};
use crate::url::scheme::command_text;
use memchr::memchr;

/// Sends the commands one after the other, each when the one before is answered; the answers are the body.
pub(super) async fn ask(commands: Vec<String>, mut wire: Wire, mut talk: Talk<'_>) -> Result<End, FetchError> {
    let mut commands = commands.iter();
    let Some(query) = commands.next() else { return Ok(End::default()) };
    let endpoint = talk.call.endpoint.clone();
    talk.exchange.ledger.wrote(command_text(query));
    wire.write(&line(query)).await.map_err(|lost| lost.error(&endpoint))?;
    talk.exchange.stage(Stage::Waiting).await?;
    let mut buffer = vec![0; CHUNK];
    let mut count = wire.read(&mut buffer).await.map_err(|lost| lost.error(&endpoint))?;
    let head = talk.head(&wire, media::PHONE_BOOK.into(), None);
    let mut relay = Relay::new(talk.exchange, &head.media, &talk.context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let mut watch = Watch::new(talk.context.limits.line);
    while count > 0 {
        let (taken, seen) = watch.feed(&buffer[..count]);
        if relay.pass(buffer[..taken].to_vec()).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
        match seen {
            Seen::Last => {
                for command in commands {
                    // The answer is complete; whether the server hears the farewell does not matter.
                    talk.exchange.ledger.wrote(command_text(command));
                    let _ = wire.write(&line(command)).await;
                }
                return Ok(End::default());
            }
            Seen::TooLong => return Ok(End { cut: Some("a line of the answer is too long".into()) }),
            Seen::More => {}
        }
        count = match wire.read(&mut buffer).await {
            Ok(count) => count,
            Err(lost) => return Ok(End { cut: Some(lost.remark(relay.sent())) }),
        };
    }
    Ok(End { cut: Some("the server closed the connection before the end of its answer".into()) })
}

/// A command as octets: each code point is one (the plan keeps it so).
fn line(command: &str) -> Vec<u8> {
    let mut octets: Vec<u8> = command.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    octets.extend_from_slice(b"\r\n");
    octets
}

/// Watches for the last line: a number of 200 or more that no `-` precedes.
struct Watch {
    line: Vec<u8>,
    limit: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    More,
    Last,
    TooLong,
}

impl Watch {
    fn new(limit: usize) -> Watch {
        Watch { line: Vec::new(), limit }
    }

    /// Takes octets; says how many belong to the answer.
    fn feed(&mut self, octets: &[u8]) -> (usize, Seen) {
        let mut taken = 0;
        while let Some(lf) = memchr(b'\n', &octets[taken..]) {
            self.line.extend_from_slice(&octets[taken..taken + lf]);
            taken += lf + 1;
            let last = is_last(&self.line);
            self.line.clear();
            if last {
                return (taken, Seen::Last);
            }
        }
        self.line.extend_from_slice(&octets[taken..]);
        (octets.len(), if self.line.len() > self.limit { Seen::TooLong } else { Seen::More })
    }
}

fn is_last(line: &[u8]) -> bool {
    let digits: Vec<u8> = line.iter().copied().take_while(u8::is_ascii_digit).collect();
    let code: Option<u16> = std::str::from_utf8(&digits).ok().and_then(|d| d.parse().ok());
    code.is_some_and(|code| (200..600).contains(&code))
}

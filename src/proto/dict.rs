//! DICT on the wire (RFC 2229): a greeting, a command and its answer, the farewell.
//!
//! The body is what the server says, line by line, from the first answer to the last; `format/dict.rs` reads it. Refuses: answers
//! that are none, and to be told of a word that is not there without asking for words like it.

use super::net::{self, Channel, Endpoint, Wire};
use super::relay::{Relay, Room};
use super::said::{sentence, text};
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Stage, Verdict};
use crate::format::media;
use crate::url::scheme::dict::Dict;
use crate::url::scheme::{self, Act, command_text};
use memchr::memchr;

/// Octets read at once.
const CHUNK: usize = 16 * 1024;
/// No database has the word.
const NO_MATCH: u16 = 552;

/// Fetches what a dictionary server says.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(async move {
        let Act::Commands { host: Some(host), port, .. } = scheme::plan(&request.url)?.act else {
            return Err(FetchError::new(Kind::Malformed, "This address has no word to look up.")
                .tried(format!("nothing: {}", request.url.redacted())));
        };
        let endpoint = Endpoint { host, port };
        let dict = Dict::of(&request.url)?;
        let commands = dict.commands()?;
        let asked: Vec<String> = commands.iter().map(|command| String::from_utf8_lossy(command).into_owned()).collect();
        let tried = format!("{endpoint}, {}", asked.join(", "));
        let wire = net::open(&endpoint, Channel::Clear, exchange, context).await.map_err(|e| e.tried(tried.clone()))?;
        let near = dict.near().map(|near| near.commands()).transpose()?.unwrap_or_default();
        let talk = Talk { wire, lines: Lines::new(context.limits.line), endpoint };
        talk.run(request, exchange, context, (commands, near)).await.map_err(|error| error.tried(tried))
    })
}

struct Talk {
    wire: Wire,
    lines: Lines,
    endpoint: Endpoint,
}

/// Why there is no next line.
enum Over {
    /// The server closed.
    Closed,
    /// A line is too long.
    TooLong,
    /// The connection gave nothing more.
    Lost(net::Lost),
}

impl Talk {
    async fn run(
        mut self,
        request: &Request,
        exchange: &mut Exchange,
        context: &Context,
        (commands, near): (Vec<Vec<u8>>, Vec<Vec<u8>>),
    ) -> Result<End, FetchError> {
        exchange.stage(Stage::Waiting).await?;
        let greeting = self.line().await.map_err(|over| self.failure(over, true))?;
        match code(&greeting) {
            Some(200..=299) => {}
            Some(code) => return Err(said(code, &greeting)),
            None => return Err(nonsense(&self.endpoint)),
        }
        let mut commands = commands.into_iter();
        let Some(first) = commands.next() else { return Ok(End::default()) };
        self.say(&first, exchange).await?;
        let status = self.line().await.map_err(|over| self.failure(over, false))?;
        match code(&status) {
            None => return Err(nonsense(&self.endpoint)),
            Some(code @ (400..=551 | 553..)) if !matches!(code, 554 | 555) => return Err(said(code, &status)),
            Some(_) => {}
        }
        let mut lines = vec![format!("answered by {}", self.wire.peer)];
        lines.push(text(&greeting).trim_end().to_owned());
        let media = request.media.as_deref().unwrap_or(media::DICT);
        let head = Head { charset: Some("utf-8".into()), lines, ..Head::new(request.url.without_fragment(), media) };
        let ledger = exchange.ledger.clone();
        let mut relay = Relay::new(exchange, media, &context.limits);
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        let (mut rest, mut near, mut line, mut in_text) = (commands, near.into_iter(), status, false);
        loop {
            let code = if in_text { None } else { code(&line) };
            let is_end = in_text && line.trim_ascii_end() == b".";
            if relay.pass(line).await? == Room::Full {
                return Ok(End { cut: Some(relay.cut()) });
            }
            match code {
                // 150 is followed by answers of their own; every other such code by a text.
                Some(100..=199) => in_text = code != Some(150),
                Some(code) => {
                    let next = if code == NO_MATCH { near.next().or_else(|| rest.next()) } else { rest.next() };
                    let command = next.as_deref().unwrap_or(b"QUIT");
                    ledger.wrote(command_text(&text_of(command)));
                    let written = self.wire.write(&[command, b"\r\n"].concat()).await;
                    if next.is_none() {
                        // All of it is here; whether the server hears the farewell does not matter.
                        return Ok(End::default());
                    }
                    if let Err(lost) = written {
                        return Ok(End { cut: Some(lost.remark(relay.sent())) });
                    }
                }
                None if is_end => in_text = false,
                None if in_text => {}
                None => return Ok(End { cut: Some("the server's answer makes no sense".into()) }),
            }
            line = match self.line().await {
                Ok(line) => line,
                Err(over) => {
                    let cut = match over {
                        Over::Closed => "the server closed the connection before the end of its answer".into(),
                        Over::TooLong => "a line of the answer is too long".into(),
                        Over::Lost(lost) => lost.remark(relay.sent()),
                    };
                    // The half of a line that has come is part of the text; half an answer says nothing.
                    let half = self.lines.rest();
                    if in_text && half != b"." && !half.is_empty() && relay.pass(half).await? == Room::Full {
                        return Ok(End { cut: Some(relay.cut()) });
                    }
                    return Ok(End { cut: Some(cut) });
                }
            };
        }
    }

    async fn say(&mut self, command: &[u8], exchange: &mut Exchange) -> Result<(), FetchError> {
        exchange.ledger.wrote(command_text(&text_of(command)));
        let line = [command, b"\r\n"].concat();
        self.wire.write(&line).await.map_err(|lost| lost.error(&self.endpoint))?;
        Ok(exchange.stage(Stage::Waiting).await?)
    }

    /// The next line, its end included.
    async fn line(&mut self) -> Result<Vec<u8>, Over> {
        loop {
            if let Some(line) = self.lines.next() {
                return Ok(line);
            }
            if self.lines.is_too_long() {
                return Err(Over::TooLong);
            }
            let mut buffer = vec![0; CHUNK];
            match self.wire.read(&mut buffer).await {
                Ok(0) => return Err(Over::Closed),
                Ok(count) => self.lines.held.extend_from_slice(&buffer[..count]),
                Err(lost) => return Err(Over::Lost(lost)),
            }
        }
    }

    /// Nothing usable has come.
    fn failure(&self, over: Over, greeting: bool) -> FetchError {
        let endpoint = &self.endpoint;
        match over {
            Over::Lost(lost) if greeting => lost.no_greeting(endpoint),
            Over::Lost(lost) => lost.error(endpoint),
            Over::TooLong => nonsense(endpoint),
            // Something came, but no line.
            Over::Closed if !self.lines.held.is_empty() => nonsense(endpoint),
            Over::Closed if greeting => {
                FetchError::new(Kind::Broken, format!("{endpoint} closed the connection instead of greeting."))
            }
            Over::Closed => {
                FetchError::new(Kind::Broken, format!("{endpoint} closed the connection instead of answering."))
            }
        }
    }
}

/// Octets that have come, cut into lines.
struct Lines {
    held: Vec<u8>,
    /// Where the next line begins.
    at: usize,
    limit: usize,
}

impl Lines {
    fn new(limit: usize) -> Lines {
        Lines { held: Vec::new(), at: 0, limit }
    }

    fn next(&mut self) -> Option<Vec<u8>> {
        let end = memchr(b'\n', &self.held[self.at..]).map(|lf| self.at + lf + 1);
        match end {
            Some(end) => {
                let line = self.held[self.at..end].to_vec();
                self.at = end;
                Some(line)
            }
            None => {
                self.held.drain(..self.at);
                self.at = 0;
                None
            }
        }
    }

    /// What has come behind the last whole line.
    fn rest(&mut self) -> Vec<u8> {
        let rest = self.held.split_off(self.at.min(self.held.len()));
        (self.held, self.at) = (Vec::new(), 0);
        rest
    }

    fn is_too_long(&self) -> bool {
        self.held.len() > self.limit
    }
}

/// The code that a line begins with.
fn code(line: &[u8]) -> Option<u16> {
    let (code, rest) = line.split_at_checked(3)?;
    let digits = code.iter().all(u8::is_ascii_digit) && rest.first().is_none_or(u8::is_ascii_whitespace);
    std::str::from_utf8(code).ok().filter(|_| digits)?.parse().ok().filter(|code| (100..600).contains(code))
}

/// Octets as code points, which is how commands are kept as text.
fn text_of(command: &[u8]) -> String {
    command.iter().map(|octet| char::from(*octet)).collect()
}

fn said(code: u16, line: &[u8]) -> FetchError {
    let words = text(line.get(3..).unwrap_or_default().trim_ascii());
    let error = FetchError::new(Kind::Said, format!("The server says: {}", sentence(code, &words)));
    match code {
        550 => error.hint("Its front page lists the databases that it has."),
        551 => error.hint("Its front page lists the ways to compare words that it has."),
        _ => error,
    }
}

fn nonsense(endpoint: &Endpoint) -> FetchError {
    FetchError::new(Kind::Malformed, format!("{endpoint} does not answer as a dictionary server does."))
}

//! A session: greeting, MODE READER, TLS, login; then commands, replies and blocks, each with a limit of time.
//!
//! Refuses: clear text where TLS was asked for, by STARTTLS as well (RFC 4642), and passwords where a server says that they
//! must not go in clear text (483).

use super::block::{Block, Endings, Lines, Progress};
use super::command::{self, Command, Follows};
use super::login;
use super::reply::{Reply, text};
use super::server::{Channel, Key};
use super::stream::Stream;
use crate::proto::ledger::Ledger;
use crate::proto::log::Log;
use crate::proto::net::{self, Lost};
use crate::proto::{Context, Exchange, FetchError, Kind, Security, Stage};
use memchr::memchr;
use std::io::{Error, ErrorKind};
use std::time::Duration;

/// The longest command, its end included (RFC 3977, 3.1).
const LONGEST_COMMAND: usize = 512;
/// The longest block that is read whole: capabilities, the format of overviews, one article's headers.
const SMALL: usize = 256 * 1024;
/// How long a kept connection may be silent before it is given up for a new one: networks forget idle connections.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// A reply, good or a refusal.
pub(super) type Heard = Result<Reply, Reply>;

/// Whether a server lets its visitors post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Posting {
    Allowed,
    Refused,
}

/// How often a connection was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    First,
    /// Kept from before, and not heard of since.
    Again,
    /// Kept from before, and alive.
    Alive,
}

/// An open session.
pub(super) struct Session {
    stream: Stream,
    /// Whose it is.
    pub key: Key,
    /// TLS facts; `None` in clear text.
    pub security: Option<Security>,
    /// What was said in this visit.
    pub log: Log,
    /// Whether posting is allowed, as far as the server said.
    pub posting: Posting,
    /// The group that is chosen.
    pub group: Option<Vec<u8>>,
    capabilities: Option<Vec<Vec<u8>>>,
    deflated: bool,
    silence: Duration,
    longest: usize,
    endings: Endings,
    block: Option<Block>,
    /// Replies that are still to come.
    waiting: usize,
    usage: Use,
    broken: bool,
    peer: String,
}

/// Dials, hears the greeting, makes it secure, logs in.
pub(super) async fn open(key: &Key, exchange: &mut Exchange, context: &Context) -> Result<Session, FetchError> {
    let dialled = net::dial(&key.endpoint, exchange, context).await?;
    let (silence, name, peer) = (context.limits.silence, dialled.name, dialled.peer.to_string());
    let mut session = Session {
        stream: Stream::new(dialled.tcp, silence),
        key: key.clone(),
        security: None,
        log: Log::of(&exchange.ledger),
        posting: Posting::Allowed,
        group: None,
        capabilities: None,
        deflated: false,
        silence,
        longest: context.limits.line,
        endings: Endings::CrLf,
        block: None,
        waiting: 1,
        usage: Use::First,
        broken: false,
        peer,
    };
    session.log.note(format!("answered by {}", session.peer));
    if key.channel == Channel::Tls {
        session = session.secured(&name, exchange, context).await?;
    }
    let greeting = session.listen(&command::GREETING).await?;
    let greeting = session.good(&command::GREETING, greeting, "")?;
    session.posting = if greeting.code == 201 { Posting::Refused } else { Posting::Allowed };
    let barred = session.mode_reader().await?;
    if key.channel == Channel::StartTls {
        session.ask_for_tls().await?;
        session = session.secured(&name, exchange, context).await?;
    }
    if let Some(login) = &key.login {
        login::login(&mut session, login).await?;
        if barred.is_some() {
            // It wanted the login before anything else.
            session.mode_reader().await?;
        }
    } else if let Some(reply) = barred {
        return Err(session.refused(&command::MODE_READER, &reply, ""));
    }
    Ok(session)
}

impl Session {
    async fn secured(self, name: &str, exchange: &mut Exchange, context: &Context) -> Result<Session, FetchError> {
        exchange.stage(Stage::Securing).await?;
        let Session { stream, key, .. } = self;
        let (stream, security) = stream.secure(&context.tls, name, &key.endpoint, context.limits.connect).await?;
        exchange.ledger.secured();
        Ok(Session { stream, key, security: Some(security), ..self })
    }

    /// MODE READER; a reply that demands a login first.
    async fn mode_reader(&mut self) -> Result<Option<Reply>, FetchError> {
        let command = &command::MODE_READER;
        self.send(command, b"").await?;
        match self.listen(command).await? {
            Ok(reply) => self.posting = if reply.code == 201 { Posting::Refused } else { Posting::Allowed },
            Err(reply) if matches!(reply.code, 480 | 483) => return Ok(Some(reply)),
            Err(reply) if matches!(reply.code, 400 | 502) => return Err(self.refused(command, &reply, "")),
            // A server that never does anything but serve readers may not know it.
            Err(_) => {}
        }
        Ok(None)
    }

    async fn ask_for_tls(&mut self) -> Result<(), FetchError> {
        self.send(&command::STARTTLS, b"").await?;
        let Err(reply) = self.listen(&command::STARTTLS).await? else { return Ok(()) };
        let detail = format!(
            "{} offers no TLS: {} Nothing more was said to it in clear text.",
            self.key.endpoint,
            reply.words()
        );
        Err(FetchError::new(Kind::Secure, detail)
            .hint("The setting news.starttls = false goes on in clear text, readable on the way, if you want that."))
    }

    /// A kept session is used again.
    pub fn again(&mut self, ledger: &Ledger) {
        self.usage = Use::Again;
        ledger.goes_to(&self.key.endpoint, Some(self.peer.clone()));
        ledger.because("on a connection that was kept");
        self.log = Log::of(ledger);
        if self.security.is_some() {
            self.log.secured();
        }
        self.log.note(format!("on a connection that was kept, answered by {}", self.peer));
    }

    /// Whether a kept session was given up by the server: nothing was heard of it since.
    pub fn is_dead(&self) -> bool {
        self.usage == Use::Again
    }

    /// Whether it can be kept: nothing is on its way.
    pub fn is_idle(&self) -> bool {
        !self.broken && self.waiting == 0 && self.block.is_none() && self.stream.input().is_empty()
    }

    /// It is not used again, since what is heard on it makes no sense.
    pub fn distrust(&mut self) {
        self.broken = true;
    }

    /// Sends a command.
    ///
    /// # Errors
    /// One that is too long for a line, or a broken connection.
    pub async fn send(&mut self, command: &Command, argument: &[u8]) -> Result<(), FetchError> {
        let mut line = command.verb.as_bytes().to_vec();
        if !argument.is_empty() {
            line.push(b' ');
            line.extend_from_slice(argument);
        }
        if argument.iter().any(|octet| matches!(octet, b'\r' | b'\n' | 0)) {
            return Err(FetchError::new(Kind::Unsafe, "A name with a line break or a NUL is not sent."));
        }
        if line.len() + 2 > LONGEST_COMMAND {
            let detail = format!("{} takes no more than {LONGEST_COMMAND} octets of a command.", self.key.endpoint);
            return Err(FetchError::new(Kind::TooLarge, detail));
        }
        let secret = command.verb == command::AUTHINFO_PASS.verb;
        match secret {
            true => self.log.sent(&format!("{} ***", command.verb)),
            false => self.log.sent(&line.iter().map(|octet| char::from(*octet)).collect::<String>()),
        }
        self.log.command(if secret { format!("{} ***", command.verb) } else { text(&line) });
        line.extend_from_slice(b"\r\n");
        self.waiting += 1;
        self.write(command, &line).await
    }

    /// Sends octets that are no command: an article.
    pub async fn write(&mut self, command: &Command, octets: &[u8]) -> Result<(), FetchError> {
        if let Err(lost) = self.stream.write(octets).await {
            return Err(self.lost(command, &lost));
        }
        Ok(())
    }

    /// Expects a reply that no command asked for.
    pub fn expect(&mut self) {
        self.waiting += 1;
    }

    /// Hears the reply to a command. What every command may be answered (the end of the session, a demand for a login or
    /// for TLS) is an error, any other refusal is the caller's matter.
    ///
    /// # Errors
    /// As said, and no reply, or none that is one.
    pub async fn hear(&mut self, command: &Command) -> Result<Heard, FetchError> {
        match self.listen(command).await? {
            Err(reply) if matches!(reply.code, 400 | 480 | 483) => Err(self.refused(command, &reply, "")),
            heard => Ok(heard),
        }
    }

    /// Sends a command and hears the reply.
    pub async fn ask(&mut self, command: &Command, argument: &[u8]) -> Result<Heard, FetchError> {
        self.send(command, argument).await?;
        self.hear(command).await
    }

    /// As [`Session::hear`], but every refusal is the caller's matter.
    pub async fn listen(&mut self, command: &Command) -> Result<Heard, FetchError> {
        self.stream.silence = match self.usage {
            Use::Again => self.silence.min(SIGN_OF_LIFE),
            _ => self.silence,
        };
        let line = match self.line().await {
            Ok(Some(line)) => line,
            Ok(None) => {
                self.broken = true;
                let detail = format!("{} answers without an end{}.", self.key.endpoint, to(command));
                return Err(FetchError::new(Kind::TooLarge, detail));
            }
            Err(lost) => return Err(self.lost(command, &lost)),
        };
        self.waiting = self.waiting.saturating_sub(1);
        self.log.note(text(line.trim_ascii_end()));
        let Some(reply) = Reply::of(&line) else {
            self.broken = true;
            let detail = match command.verb {
                "" => format!("{} does not greet as a news server does.", self.key.endpoint),
                verb => format!("{} answers {verb} in a way that NNTP does not know.", self.key.endpoint),
            };
            return Err(FetchError::new(Kind::Malformed, detail));
        };
        self.stream.silence = self.silence;
        match reply.code {
            // What no row knows may be a word that no command asked for: the next reply could be another command's.
            400 => self.broken = true,
            code if !command.knows(code) => self.broken = true,
            _ if self.usage == Use::Again => self.usage = Use::Alive,
            _ => {}
        }
        if !command.expects(reply.code) {
            return Ok(Err(reply));
        }
        if command.follows == Follows::Block {
            self.endings = if line.ends_with(b"\r\n") { Endings::CrLf } else { Endings::Lf };
            self.block = Some(Block::new(self.endings));
        }
        Ok(Ok(reply))
    }

    /// A line with its end; `None` when it is too long.
    async fn line(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        let mut seen = 0;
        loop {
            if let Some(lf) = memchr(b'\n', &self.stream.input()[seen..]) {
                let line = self.stream.input()[..=seen + lf].to_vec();
                self.stream.take(line.len());
                return Ok(Some(line));
            }
            seen = self.stream.input().len();
            if seen > self.longest {
                return Ok(None);
            }
            if self.stream.fill().await? == 0 {
                return Err(closed());
            }
        }
    }

    /// The next octets of the block that follows a good reply, dots taken off; whether more is to come.
    ///
    /// # Errors
    /// Silence, or a connection that ended before the block did.
    pub async fn block(&mut self, out: &mut Vec<u8>) -> Result<bool, Lost> {
        let Some(block) = &mut self.block else { return Ok(false) };
        if self.stream.input().is_empty() {
            match self.stream.fill().await {
                Ok(1..) => {}
                lost => {
                    self.broken = true;
                    return Err(lost.err().unwrap_or_else(closed));
                }
            }
        }
        let taken = match block.feed(self.stream.input(), out) {
            Progress::More => self.stream.input().len(),
            Progress::Ended(count) => {
                self.block = None;
                count
            }
        };
        self.stream.take(taken);
        Ok(self.block.is_some())
    }

    /// A small block as lines.
    ///
    /// # Errors
    /// A broken connection, or a block without an end.
    pub async fn lines(&mut self, command: &Command) -> Result<Vec<Vec<u8>>, FetchError> {
        self.lines_within(command, SMALL).await
    }

    /// A block of at most so many octets as lines.
    ///
    /// # Errors
    /// As for [`Session::lines`].
    pub async fn lines_within(&mut self, command: &Command, most: usize) -> Result<Vec<Vec<u8>>, FetchError> {
        let (mut out, mut found) = (Vec::new(), Vec::new());
        let mut cutter = Lines::new(self.longest);
        let mut octets = 0;
        loop {
            let more = match self.block(&mut out).await {
                Ok(more) => more,
                Err(lost) => return Err(self.lost(command, &lost)),
            };
            octets += out.len();
            cutter.feed(&out, &mut |line| found.push(line.to_vec()));
            out.clear();
            if !more {
                return Ok(found);
            }
            if octets > most {
                self.broken = true;
                let detail = format!("{} answers without an end{}.", self.key.endpoint, to(command));
                return Err(FetchError::new(Kind::TooLarge, detail));
            }
        }
    }

    /// What the server says that it can, asked once. Servers from before RFC 3977 do not know the question.
    pub async fn capabilities(&mut self) -> Result<&[Vec<u8>], FetchError> {
        if self.capabilities.is_none() {
            let lines = match self.ask(&command::CAPABILITIES, b"").await? {
                Ok(_) => self.lines(&command::CAPABILITIES).await?,
                Err(_) => Vec::new(),
            };
            self.capabilities = Some(lines);
        }
        Ok(self.capabilities.as_deref().unwrap_or_default())
    }

    /// Whether the server says that it can something: `label`, or `argument` of it.
    pub async fn offers(&mut self, label: &str, argument: &str) -> Result<bool, FetchError> {
        let is =
            |word: Option<&[u8]>, wanted: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(wanted.as_bytes()));
        let lines = self.capabilities().await?;
        Ok(lines.iter().any(|line| {
            let mut words = line.split(u8::is_ascii_whitespace);
            is(words.next(), label) && words.any(|word| is(Some(word), argument))
        }))
    }

    /// It turned out that the server cannot what it says: it is not asked again on this connection.
    pub fn offers_no_longer(&mut self, label: &str, argument: &str) {
        for line in self.capabilities.iter_mut().flatten() {
            let mut words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).collect();
            if words.first().is_some_and(|word| word.eq_ignore_ascii_case(label.as_bytes())) {
                words.retain(|word| !word.eq_ignore_ascii_case(argument.as_bytes()));
                *line = words.join(&b' ');
            }
        }
    }

    /// Whether the server says that it can something as a whole.
    pub async fn can(&mut self, label: &str) -> Result<bool, FetchError> {
        let is = |line: &Vec<u8>| line.split(u8::is_ascii_whitespace).next().map(<[u8]>::to_ascii_uppercase);
        Ok(self.capabilities().await?.iter().any(|line| is(line).as_deref() == Some(label.as_bytes())))
    }

    /// Begins to deflate, where it is offered. After the login, since nothing secret may be deflated (RFC 8054, 6).
    pub async fn compress(&mut self) -> Result<(), FetchError> {
        if self.deflated || !self.offers("COMPRESS", "DEFLATE").await? {
            return Ok(());
        }
        self.deflated = true;
        if self.ask(&command::COMPRESS, b"").await?.is_ok() {
            self.stream.deflate();
        }
        Ok(())
    }

    /// A good reply, or the refusal as an error about `what`.
    pub fn good(&self, command: &Command, heard: Heard, what: &str) -> Result<Reply, FetchError> {
        heard.map_err(|reply| self.refused(command, &reply, what))
    }

    /// A refusal in words; `what` was asked for (`"comp.lang.c"`), where the table's words have a place for it.
    pub fn refused(&self, command: &Command, reply: &Reply, what: &str) -> FetchError {
        let (kind, meaning) = command.refusal(reply.code);
        let meaning = match what {
            "" => meaning.replace(" {}", ""),
            what => meaning.replace("{}", what),
        };
        let verb = if kind == Kind::Unsupported { format!(" {}", command.verb) } else { String::new() };
        let detail = format!("{} {meaning}{verb}: {}", self.key.endpoint, reply.words());
        let error = FetchError::new(kind, detail);
        match reply.code {
            400 => error.hint("Reload in a minute or two."),
            483 if self.security.is_none() => {
                error.hint("Give the address with nntps:, or set news.starttls = true to make such connections secure.")
            }
            _ => error,
        }
    }

    /// A connection that fails before the reply to a command.
    pub fn lost(&mut self, command: &Command, lost: &Lost) -> FetchError {
        self.broken = true;
        let endpoint = &self.key.endpoint;
        if command.verb.is_empty() && self.usage == Use::First && self.waiting > 0 {
            let came = self.stream.input().len();
            if came == 0 {
                return lost.no_greeting(endpoint);
            }
            let detail = format!("{endpoint} does not greet as a news server does: {came} octets came, and no line.");
            return FetchError::new(Kind::Malformed, detail);
        }
        match lost {
            Lost::Silence(time) => {
                let detail = format!("{endpoint} did not answer{} within {}.", to(command), net::seconds(*time));
                FetchError::new(Kind::TimedOut, detail)
            }
            Lost::Broken(error) if error.kind() == ErrorKind::UnexpectedEof => FetchError::new(
                Kind::Broken,
                format!("{endpoint} closed the connection instead of answering{}.", to(command)),
            ),
            Lost::Broken(error) => {
                let words = net::words(error);
                FetchError::new(Kind::Broken, format!("{endpoint} broke the connection{} ({words}).", at(command)))
            }
        }
    }

    /// What was tried, for error pages.
    pub fn tried(&self) -> String {
        format!("{}{}: {}", self.key.endpoint, self.key.channel.words(), self.log.commands())
    }
}

fn closed() -> Lost {
    Lost::Broken(Error::new(ErrorKind::UnexpectedEof, "the server closed it"))
}

fn to(command: &Command) -> String {
    if command.verb.is_empty() { String::new() } else { format!(" {}", command.verb) }
}

fn at(command: &Command) -> String {
    if command.verb.is_empty() { String::new() } else { format!(" at {}", command.verb) }
}

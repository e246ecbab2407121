//! FTP on the wire: RFC 959 as RFC 1738 (3.2) uses it, over TLS by RFC 4217 for `ftps:`.
//!
//! What goes there is one file at a time, which the reader has agreed to ([`put`]). Passive data connections only, and those to the control connection's host (SEC-08); after a visit without anything odd
//! the connection is kept for the next one (D33). What a URL means as commands is `url::scheme::ftp`'s knowledge. Refuses:
//! any other change of what is there, PORT, and clear text in place of TLS.

mod aside;
mod begun;
mod data;
mod directory;
mod facts;
mod file;
mod greeting;
mod kept;
mod log;
mod login;
mod notices;
mod open;
mod put;
mod reply;
mod secure;
mod session;
mod standing;
mod steps;
mod sum;
mod targets;
mod telnet;
mod times;

pub use self::begun::Begun;
pub use self::kept::Connections;

use self::facts::Facts;
use self::kept::Slot;
use self::login::Identity;
use self::reply::{Reply, line, text};
use self::session::Session;
use self::times::Tries;
use super::net::Endpoint;
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Listed, Request, Resume, Stage, tls};
use crate::config::FtpTls;
use crate::url::Url;
use crate::url::scheme::ftp::{Ftp, Typecode};
use crate::url::scheme::{self, Act};

/// The port on which FTP is spoken over TLS from the first octet.
const IMPLICIT: u16 = 990;
/// FTP's own port.
const USUAL: u16 = 21;

/// As octets; what is no text, and most text too, is fetched so.
const IMAGE: &str = "TYPE I";

/// How a session is secured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Channel {
    /// Not at all.
    Clear,
    /// AUTH TLS where FEAT lists it.
    Offered,
    /// AUTH TLS after the greeting (RFC 4217).
    Explicit,
    /// TLS from the first octet.
    Implicit,
    /// AUTH TLS where the server greets; TLS from the first octet where it says nothing, which is how one waits for TLS.
    Awaited,
}

impl Channel {
    /// For what was tried.
    fn words(self) -> &'static str {
        match self {
            Channel::Clear | Channel::Offered => "",
            Channel::Explicit => " with AUTH TLS",
            Channel::Implicit | Channel::Awaited => " over TLS",
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Way {
    endpoint: Endpoint,
    channel: Channel,
}

/// `ftps:` is TLS from the first octet on its own port, and on any other what the server waits for; where the URL writes no port and nobody listens on 990, AUTH TLS on the usual port, which is what most servers have.
fn ways(url: &Url, endpoint: Endpoint, tls: FtpTls) -> Vec<Way> {
    let channel = match (tls, endpoint.port) {
        (_, IMPLICIT) if scheme::is_secure(url) => Channel::Implicit,
        (_, USUAL) if scheme::is_secure(url) => Channel::Explicit,
        _ if scheme::is_secure(url) => Channel::Awaited,
        (FtpTls::Never, _) => Channel::Clear,
        (FtpTls::Offered, _) => Channel::Offered,
        (FtpTls::Always, _) => Channel::Explicit,
    };
    let explicit = |port| Way { endpoint: Endpoint { port, ..endpoint.clone() }, channel: Channel::Explicit };
    let other = match channel {
        Channel::Implicit => url.port_text().is_none().then(|| explicit(USUAL)),
        // It was only slow to greet.
        Channel::Awaited => Some(explicit(endpoint.port)),
        _ => None,
    };
    [Way { endpoint, channel }].into_iter().chain(other).collect()
}

/// Fetches a file or a directory.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let url = request.url.without_fragment();
    let Act::Commands { host: Some(host), port, .. } = scheme::plan(&url)?.act else {
        return Err(FetchError::new(Kind::Malformed, format!("{} names no FTP server.", url.redacted())));
    };
    let ftp = Ftp::of(&url)?;
    let identity = Identity::of(request.login.as_ref(), &ftp, &context.ftp)?;
    let mut slot = context.connections.slot(&host, context.ftp.connections, request.saved, exchange).await?;
    let ways = ways(&url, Endpoint { host, port }, context.ftp.tls);
    let file = match &request.put {
        Some(put) => Some(put::Outgoing::look(put, &url).await?),
        None => None,
    };
    let errand = Errand { url: &url, ftp: &ftp, request, file: file.as_ref(), context };
    let mut before: Option<FetchError> = None;
    let mut tries = Tries::new(errand.copy());
    loop {
        if let Some(mut session) = slot.kept(&ways, &identity).await {
            exchange.stage(Stage::Waiting).await?;
            let way = ftp.directory().unwrap_or_else(|| ftp.cwd.iter().map(Vec::as_slice).collect());
            // What was told of the file before is none of this one's, also where the session cannot begin again.
            tries.begin(&slot, &mut session);
            let outcome = match session.begin_again(&exchange.ledger, &way).await {
                Ok(()) => errand.run(&mut session, exchange).await,
                Err(error) => Err(error),
            };
            tries.ended(&slot, &session, outcome.as_ref().err());
            // That a kept connection fails is no verdict on the file: what was asked on it is suspected, and a new one asks for less.
            match outcome {
                Err(error) if session.is_dead() => exchange.ledger.came(format!("{} Asked anew.", error.detail)),
                outcome => return settle(slot, session, identity, outcome),
            }
        }
        // No login is sent a second time: there is none of this user's to go on with.
        if let Some(error) = before.take_if(|error| matches!(error.kind, Kind::NeedsLogin | Kind::NeedsAccount)) {
            return Err(error);
        }
        slot.make_room().await;
        let entered = match connect(&url, &ways, exchange, context).await {
            Ok(mut session) => match enter(&mut session, &identity, &url, exchange).await {
                Ok(()) => Ok(session),
                Err(error) if error.tried.is_empty() => Err(error.tried(session.tried())),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        let refused = match entered {
            Ok(mut session) => {
                tries.begin(&slot, &mut session);
                let outcome = errand.run(&mut session, exchange).await;
                let goes_on = tries.ended(&slot, &session, outcome.as_ref().err());
                if let Err(error) = &outcome
                    && goes_on
                {
                    exchange.ledger.came(format!("{} Asked anew, for less at a time.", error.detail));
                    continue;
                }
                return settle(slot, session, identity, outcome);
            }
            Err(error) => error,
        };
        // Servers that want no second one say so in one way or another; it is no failure as long as the first one serves.
        if !may_be_crowded(&refused) {
            return Err(refused);
        }
        let detail = refused.detail.clone();
        slot = match slot.behind_others(exchange).await? {
            Some(slot) => slot,
            None => return Err(refused),
        };
        exchange.ledger.came(format!("{detail} Asked on the other connection."));
        before = Some(refused);
    }
}

/// Whether a server that refuses a connection so may have room for fewer.
fn may_be_crowded(error: &FetchError) -> bool {
    matches!(error.kind, Kind::Crowded | Kind::Said | Kind::NeedsLogin | Kind::Refused | Kind::Broken)
}

/// Opens a connection by the first way on which anybody listens.
async fn connect(url: &Url, ways: &[Way], exchange: &mut Exchange, context: &Context) -> Result<Session, FetchError> {
    let mut tried = String::new();
    let mut left = ways.iter();
    loop {
        let Some(way) = left.next() else {
            return Err(FetchError::new(Kind::Malformed, format!("{} names no FTP server.", url.redacted())));
        };
        let failure = match open::open(way, exchange, context).await {
            Ok(session) => return Ok(session),
            Err(failure) => failure,
        };
        exchange.ledger.came(failure.detail.clone());
        let then = if tried.is_empty() { "" } else { "; then " };
        tried.push_str(&format!("{then}{}{}", way.endpoint, way.channel.words()));
        let goes_on = match way.channel {
            Channel::Awaited => failure.detail.ends_with(tls::NO_TLS),
            _ => matches!(failure.kind, Kind::Refused | Kind::TimedOut),
        };
        if !goes_on || left.as_slice().is_empty() {
            let explicit = matches!(way.channel, Channel::Explicit | Channel::Awaited);
            let hintless = failure.kind == Kind::Secure && failure.hint.is_none() && explicit;
            let failure = if hintless { failure.hint(in_the_clear(url)) } else { failure };
            return Err(failure.tried(tried));
        }
    }
}

/// What to do when a server has no TLS.
fn in_the_clear(url: &Url) -> &'static str {
    if scheme::is_secure(url) {
        "The same address without the \"s\" in its scheme goes in clear text, readable on the way, if you want that."
    } else {
        "The setting ftp.tls = \"never\" lets ftp: addresses go in clear text, readable on the way, if you want that."
    }
}

/// Logs in and learns what there is.
async fn enter(
    session: &mut Session,
    identity: &Identity,
    url: &Url,
    exchange: &mut Exchange,
) -> Result<(), FetchError> {
    exchange.stage(Stage::Waiting).await?;
    login::login(session, identity, url).await?;
    session.knows = !identity.is_anonymous();
    session.look_around().await
}

/// Keeps the connection if the visit ended as it should, and says what was tried if it did not.
fn settle(
    slot: Slot,
    session: Session,
    identity: Identity,
    outcome: Result<End, FetchError>,
) -> Result<End, FetchError> {
    match outcome {
        Err(error) => {
            let error = if error.tried.is_empty() && error.kind != Kind::NeedsConsent {
                error.tried(session.tried())
            } else {
                error
            };
            // A server that has said no is asked for the next file on the same connection: whoever closes it and comes again
            // may be one visitor too many, until the server has noticed.
            if session.is_sound() {
                slot.keep(session, identity);
            }
            Err(error)
        }
        Ok(End { cut: None }) if session.is_sound() => {
            slot.keep(session, identity);
            outcome
        }
        _ => outcome,
    }
}

/// What is wanted, whichever connection gets it.
struct Errand<'a> {
    url: &'a Url,
    ftp: &'a Ftp,
    request: &'a Request,
    file: Option<&'a put::Outgoing>,
    context: &'a Context,
}

impl Errand<'_> {
    /// By what the copy, or the part, that is here is known.
    fn copy(&self) -> Option<&str> {
        self.request.resume.as_ref().map(|resume| resume.validator.as_str()).or(self.request.unless.as_deref())
    }

    async fn run(&self, session: &mut Session, exchange: &mut Exchange) -> Result<End, FetchError> {
        let (url, ftp, media) = (self.url.clone(), self.ftp.clone(), self.request.media.clone());
        let (resume, listed, hidden) = (self.request.resume.as_ref(), self.request.listed, self.request.hidden);
        let (unless, sum, targets) = (self.request.unless.as_deref(), self.request.sum, self.request.targets);
        let (file, arrived, context) = (self.file, None, self.context);
        Visit {
            url,
            ftp,
            media,
            resume,
            unless,
            listed,
            hidden,
            targets,
            sum,
            file,
            arrived,
            session,
            exchange,
            context,
        }
        .run()
        .await
    }
}

/// A URL, a session, and all that the answer needs.
struct Visit<'a> {
    url: Url,
    ftp: Ftp,
    media: Option<String>,
    resume: Option<&'a Resume>,
    /// By what a copy that is here is known.
    unless: Option<&'a str>,
    /// Whether hidden files are asked for.
    hidden: bool,
    /// Whether it is asked where links lead.
    targets: bool,
    /// Whether the server's own checksum is asked for.
    sum: bool,
    listed: Option<Listed>,
    /// What is to go into the directory.
    file: Option<&'a put::Outgoing>,
    /// What is to be told of a file that has gone there.
    arrived: Option<String>,
    session: &'a mut Session,
    exchange: &'a mut Exchange,
    context: &'a Context,
}

impl Visit<'_> {
    async fn run(mut self) -> Result<End, FetchError> {
        if self.sum {
            return self.sum().await;
        }
        let ftp = self.ftp.clone();
        match ftp.directory() {
            Some(segments) => {
                let entered = self.descend(&segments).await;
                entered.map_err(|error| perhaps_file(error, &self.url))?;
                if let Some(file) = self.file {
                    self.put(file).await?;
                }
                self.session.list_as_text().await?;
                self.list().await
            }
            None => {
                self.descend(&ftp.cwd.iter().map(Vec::as_slice).collect::<Vec<_>>()).await?;
                self.retrieve(ftp.name.as_deref().unwrap_or_default(), ftp.typecode).await
            }
        }
    }

    /// One CWD for each segment (FTP-08). An empty one is sent as it is, since the specification says so; where that is
    /// refused, the first is taken for the root and others for nothing (D08).
    ///
    /// A kept connection that stands on the way goes on from there: these are the same commands, and it has sent the first.
    async fn descend(&mut self, segments: &[&[u8]]) -> Result<(), FetchError> {
        let gone = self.session.stands_on(segments);
        for (at, segment) in segments.iter().enumerate().skip(gone) {
            let mut reply = self.session.enter(segment).await?;
            if segment.is_empty() && !reply.is_done() {
                if at > 0 {
                    self.session.stays();
                    continue;
                }
                reply = self.session.enter(b"/").await?;
                self.session.stands_for(segment);
            }
            if !reply.is_done() {
                return Err(no_directory(segment, &reply));
            }
        }
        Ok(())
    }

    /// RETR, and where that is refused, CWD and a listing: a name without a slash may be a directory's (D10), or a link to
    /// one. A typecode says that a file is wanted, and nothing else is given.
    async fn retrieve(mut self, name: &[u8], typecode: Option<Typecode>) -> Result<End, FetchError> {
        let command = typecode.and_then(Typecode::command).unwrap_or_else(|| IMAGE.into());
        if let Some(reply) = self.session.transfer_as(&command).await? {
            let detail = format!("The server does not transfer files as \"{command}\": {}", reply.words());
            return Err(FetchError::new(Kind::Said, detail).hint("Try the address without its \";type=\"."));
        }
        // As text a file has another length than on the server's disk, and no octet that could be counted to.
        // Whoever goes on in the middle has to know how the file is now, and not how it was when it was listed.
        // The same goes for whoever has a copy of it.
        let mut refusal = None;
        let facts = match self.listed.filter(|_| self.resume.is_none() && self.unless.is_none()) {
            _ if command != IMAGE => Facts::default(),
            Some(listed) if listed.modified.is_none() && self.session.asks_aside(name) => {
                let (outcome, Facts { time, .. }) = self.session.data_and_time(name).await?;
                let facts = Facts { time, ..Facts::listed(listed) };
                match outcome {
                    Ok(data) => return self.file(name, facts, 0, data).await,
                    Err(reply) => refusal = Some(reply),
                }
                facts
            }
            listed => self.facts(name, listed.map(Facts::listed).unwrap_or_default()).await?,
        };
        if self.unless.is_some_and(|copy| facts.are_of(copy)) {
            self.exchange.unchanged().await?;
            return Ok(End::default());
        }
        let start = facts.start(self.resume);
        let known = facts.length.is_some();
        if start > 0 && facts.length == Some(start) {
            return self.nothing_left(name, facts, start).await;
        }
        let retrieve = line("RETR", name);
        if start > 0
            && let Ok(data) = self.session.data(&retrieve, start).await?
        {
            return self.file(name, facts, start, data).await;
        }
        // From the beginning, too where the server goes on nowhere else.
        let refusal = match refusal {
            Some(reply) => reply,
            None => match self.session.data(&retrieve, 0).await? {
                Ok(data) => return self.file(name, facts, 0, data).await,
                Err(reply) => reply,
            },
        };
        // What some servers take for somebody's home may be a name like any other.
        if name.starts_with(b"~") && refusal.may_be_directory() {
            let plain = [b"./", name].concat();
            self.session.times.told = None;
            let facts = match self.listed {
                _ if command != IMAGE => Facts::default(),
                listed => self.facts(&plain, listed.map(Facts::listed).unwrap_or_default()).await?,
            };
            if let Ok(data) = self.session.data(&line("RETR", &plain), 0).await? {
                return self.file(name, facts, 0, data).await;
            }
        }
        if !refusal.may_be_directory() || !self.session.enter(name).await?.is_done() {
            return Err(no_file(name, known, &refusal));
        }
        match typecode {
            None => self.list().await,
            Some(_) => Err(FetchError::new(Kind::NotFound, format!("\"{}\" is a directory there.", text(name)))
                .hint("Its address ends in a slash, and in no \";type=\".")),
        }
    }

    /// What is not known yet of a file's length and the time of its last change, from servers that have commands for them.
    async fn facts(&mut self, name: &[u8], mut facts: Facts) -> Result<Facts, FetchError> {
        let offers = self.session.offers;
        if offers.size && facts.length.is_none() {
            facts.length = self.session.ask(&line("SIZE", name)).await?.number();
        }
        // What has no length is hardly a file.
        if offers.mdtm && facts.time.is_none() && (facts.length.is_some() || !offers.size) {
            facts.time = self.session.time(name).await?;
        }
        Ok(facts)
    }

    fn head(&mut self, url: Url, media: String) -> Head {
        let Session { security, log, notices, knows, .. } = &mut *self.session;
        let (security, lines, unkept) = (security.clone(), log.take_lines(), *knows);
        Head { security, lines, unkept, notices: notices.take(), ..Head::new(url, media) }
    }
}

fn no_directory(segment: &[u8], reply: &Reply) -> FetchError {
    let name = text(segment);
    if reply.denies() {
        return FetchError::new(
            Kind::Denied,
            format!("The server does not let you into \"{name}\": {}", reply.words()),
        );
    }
    // Other refusals say nothing of what is there.
    let (kind, sentence) = match reply.code {
        550 => (Kind::NotFound, format!("There is no directory \"{name}\" there")),
        _ => (Kind::Said, format!("The server does not go into \"{name}\"")),
    };
    FetchError::new(kind, format!("{sentence}: {}", reply.words()))
}

/// A slash at the end says that it is a directory, and whoever wrote it may have been wrong.
fn perhaps_file(error: FetchError, url: &Url) -> FetchError {
    let file = url.as_str().strip_suffix('/').filter(|_| url.path().len() > 1).and_then(|file| Url::parse(file).ok());
    match file {
        Some(file) if error.kind == Kind::NotFound => error.hint(format!("If it is a file, it is {}", file.redacted())),
        _ => error,
    }
}

/// `known` is whether the server has told how long it is.
fn no_file(name: &[u8], known: bool, reply: &Reply) -> FetchError {
    let name = text(name);
    let (kind, what) = match reply.code {
        _ if reply.denies() => (Kind::Denied, "does not let you read"),
        // It knows how long it is, and then says that there is none: what is wrong is not its permissions.
        550 if known && reply.mentions(&["no such", "not found", "does not exist"]) => {
            let detail =
                format!("The server lists \"{name}\", and does not find it when asked for it: {}", reply.words());
            return FetchError::new(Kind::NotFound, detail);
        }
        550 if known => {
            let detail = format!("\"{name}\" is there, but may not be read: {}", reply.words());
            return FetchError::new(Kind::Denied, detail);
        }
        550 => (Kind::NotFound, "has no"),
        _ => (Kind::Said, "does not send"),
    };
    FetchError::new(kind, format!("The server {what} \"{name}\": {}", reply.words()))
}

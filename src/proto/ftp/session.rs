//! A control connection and its data connections, each step with a limit of time.
//!
//! The library's own commands are not used beyond opening: they keep no words of the server's, collect listings whole, and
//! take names for UTF-8. Refuses: active mode, and any address but the control connection's for data.

use super::log::Log;
use super::reply::Reply;
use super::secure::{Secure, Told};
use crate::config::Limits;
use crate::proto::net::{self, Dialled, Lost, Place};
use crate::proto::{Context, Exchange, FetchError, Kind, Security, Stage};
use std::io::{Error, ErrorKind, Result as IoResult};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use suppaftp::tokio::{AsyncRustlsFtpStream, AsyncRustlsStream, TransferStream};
use suppaftp::types::Response;
use suppaftp::{Encoding, FtpError, FtpResult, Mode, Status};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How a session is secured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    /// Not at all.
    Clear,
    /// AUTH TLS after the greeting (RFC 4217).
    Explicit,
    /// TLS from the first octet.
    Implicit,
}

impl Channel {
    /// For what was tried.
    pub fn words(self) -> &'static str {
        match self {
            Channel::Clear => "",
            Channel::Explicit => " with AUTH TLS",
            Channel::Implicit => " over TLS",
        }
    }
}

/// One character for each octet: file names are octets, whatever charset they are in.
#[derive(Debug)]
struct Raw;

impl Encoding for Raw {
    fn decode(&self, octets: &[u8]) -> String {
        super::reply::raw(octets)
    }

    fn encode(&self, text: &str) -> IoResult<Vec<u8>> {
        let octet = |c| u8::try_from(c).map_err(|_| Error::from(ErrorKind::InvalidInput));
        text.chars().map(octet).collect()
    }
}

/// What FEAT lists, of the things that are used here.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Offers {
    pub mlsd: bool,
    pub size: bool,
    pub mdtm: bool,
}

/// An open session.
pub(super) struct Session {
    stream: AsyncRustlsFtpStream,
    limits: Limits,
    mode: Mode,
    /// Whether the last data connection was opened.
    dialled: Arc<AtomicBool>,
    told: Arc<Told>,
    channel: Channel,
    /// The server.
    pub place: Place,
    /// TLS facts; `None` in clear text.
    pub security: Option<Security>,
    /// What was said.
    pub log: Log,
}

/// Dials, hears the greeting, makes it secure.
pub(super) async fn open(
    place: &Place,
    channel: Channel,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Session, FetchError> {
    let dialled = net::dial(place, exchange, context).await?;
    let limits = context.limits.clone();
    let told = Arc::new(Told::default());
    let mut log = Log::default();
    log.note(format!("answered by {}", dialled.peer));
    let silence = limits.silence;
    let late = |_| Lost::Silence(silence).error(place);
    let mut stream = match channel {
        Channel::Implicit => implicit(dialled, place, &told, exchange, context).await?,
        _ => {
            let greeting = timeout(silence, AsyncRustlsFtpStream::connect_with_stream(dialled.tcp)).await;
            let stream = greeting.map_err(late)?.map_err(|error| no_greeting(place, error))?;
            if channel == Channel::Explicit {
                explicit(stream, &dialled.name, place, &told, exchange, context).await?
            } else {
                stream
            }
        }
    };
    stream.set_encoding(Raw).await;
    log.reply(&stream.get_welcome_msg().unwrap_or_default().chars().map(|c| c as u8).collect::<Vec<_>>());
    // NAT routers and liars name other hosts in their answer to PASV (SEC-08).
    stream.set_passive_nat_workaround(true);
    let (stream, dialled) = with_own_dialling(stream, &limits);
    let (place, security) = (place.clone(), told.security.get().cloned());
    let mode = Mode::ExtendedPassive;
    let mut session = Session { stream, limits, mode, dialled, told, channel, place, security, log };
    if channel == Channel::Implicit {
        // Most servers take these for granted here (and some do not know them), a few begin in the clear without.
        session.ask("PBSZ 0").await?;
        session.ask("PROT P").await?;
    }
    Ok(session)
}

/// Data connections within the limit of time, noting whether they came about: the library's errors do not tell a refused
/// EPSV from a refused RETR.
fn with_own_dialling(stream: AsyncRustlsFtpStream, limits: &Limits) -> (AsyncRustlsFtpStream, Arc<AtomicBool>) {
    let flag = Arc::new(AtomicBool::new(false));
    let (noted, limit) = (Arc::clone(&flag), limits.connect);
    let stream = stream.passive_stream_builder(move |address| {
        let noted = Arc::clone(&noted);
        Box::pin(async move {
            let connected = timeout(limit, TcpStream::connect(address)).await;
            let tcp =
                connected.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into())).map_err(FtpError::ConnectionError)?;
            noted.store(true, Ordering::Release);
            Ok(tcp)
        })
    });
    (stream, flag)
}

async fn explicit(
    stream: AsyncRustlsFtpStream,
    name: &str,
    place: &Place,
    told: &Arc<Told>,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<AsyncRustlsFtpStream, FetchError> {
    exchange.stage(Stage::Securing).await?;
    let secure = Secure::new(context.tls.session(name, place).await?, Arc::clone(told));
    match timeout(context.limits.connect, stream.into_secure(secure, name)).await {
        Err(_) => Err(net::too_late(place, context.limits.connect)),
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(FtpError::UnexpectedResponse(response))) => {
            let words = Reply::of(&response.body).words();
            let detail = format!("{place} offers no TLS: {words} Nothing was asked of it in clear text.");
            Err(FetchError::new(Kind::Secure, detail).hint(
                "The same address without the \"s\" in its scheme goes in clear text, readable on the way, if you want that.",
            ))
        }
        Ok(Err(error)) => Err(told.failure.get().cloned().unwrap_or_else(|| broken(place, "AUTH TLS", &error))),
    }
}

/// The library dials for itself here, the address that has just answered.
async fn implicit(
    dialled: Dialled,
    place: &Place,
    told: &Arc<Told>,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<AsyncRustlsFtpStream, FetchError> {
    exchange.stage(Stage::Securing).await?;
    let secure = Secure::new(context.tls.session(&dialled.name, place).await?, Arc::clone(told));
    let Dialled { tcp, peer, name, .. } = dialled;
    drop(tcp);
    let limit = context.limits.connect;
    match timeout(limit, AsyncRustlsFtpStream::connect_secure_implicit(peer, secure, &name)).await {
        Err(_) => Err(net::too_late(place, limit)),
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(error)) => Err(told.failure.get().cloned().unwrap_or_else(|| no_greeting(place, error))),
    }
}

fn no_greeting(place: &Place, error: FtpError) -> FetchError {
    match error {
        FtpError::UnexpectedResponse(response) => {
            let reply = Reply::of(&response.body);
            let sentence = format!("{place} takes no visitors now: {}", reply.words());
            FetchError::new(Kind::Said, sentence).hint("Reload in a minute or two.")
        }
        FtpError::ConnectionError(error) if error.kind() != ErrorKind::InvalidData => Lost::Broken(error).error(place),
        _ => FetchError::new(Kind::Malformed, format!("{place} does not greet as an FTP server does.")),
    }
}

/// A connection that fails between a command and its answer.
fn broken(place: &Place, line: &str, error: &FtpError) -> FetchError {
    let verb = line.split(' ').next().unwrap_or_default();
    match error {
        FtpError::ConnectionError(error) if error.kind() == ErrorKind::InvalidData => {
            FetchError::new(Kind::TooLarge, format!("{place} answers {verb} without an end."))
        }
        FtpError::ConnectionError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            FetchError::new(Kind::Broken, format!("{place} closed the connection instead of answering {verb}."))
        }
        FtpError::ConnectionError(error) => {
            let words = net::words(error);
            FetchError::new(Kind::Broken, format!("{place} broke the connection at {verb} ({words})."))
        }
        FtpError::SecureError(words) => FetchError::new(Kind::Secure, words.clone()),
        _ => FetchError::new(Kind::Malformed, format!("{place} answers {verb} in a way that FTP does not know.")),
    }
}

impl Session {
    /// Sends a command and hears its answer, whatever it is.
    ///
    /// # Errors
    /// No answer, one that is none, or that the server closes the session.
    pub async fn ask(&mut self, line: &str) -> Result<Reply, FetchError> {
        self.log.command(line);
        // Nothing is expected, so that each answer comes with its words (and FEAT's whole: where its code is expected, the
        // library stops after the first line).
        match timeout(self.limits.silence, self.stream.custom_command(line, &[])).await {
            Err(_) => Err(self.silent(line)),
            Ok(Ok(response) | Err(FtpError::UnexpectedResponse(response))) => self.hear(&response),
            Ok(Err(error)) => Err(broken(&self.place, line, &error)),
        }
    }

    fn hear(&mut self, response: &Response) -> Result<Reply, FetchError> {
        let reply = self.log.reply(&response.body);
        if reply.code != 421 {
            return Ok(reply);
        }
        let (place, words) = (&self.place, reply.words());
        let detail = if reply.is_crowded() {
            format!("{place} has too many visitors now: {words}")
        } else {
            format!("{place} ends the session: {words}")
        };
        Err(FetchError::new(Kind::Said, detail).hint("Reload in a minute or two."))
    }

    fn silent(&self, line: &str) -> FetchError {
        let verb = line.split(' ').next().unwrap_or_default();
        let time = net::seconds(self.limits.silence);
        FetchError::new(Kind::TimedOut, format!("{} did not answer {verb} within {time}.", self.place))
    }

    /// What the server has beyond RFC 959. Servers that offer UTF-8 are asked for it, since IIS sends it only then.
    pub async fn offers(&mut self) -> Result<Offers, FetchError> {
        let reply = self.ask("FEAT").await?;
        if reply.offers("UTF8") {
            self.ask("OPTS UTF8 ON").await?;
        }
        // RFC 3659 (7.8): whoever lists MLST has MLSD.
        let mlsd = reply.offers("MLST") || reply.offers("MLSD");
        Ok(Offers { mlsd, size: reply.offers("SIZE"), mdtm: reply.offers("MDTM") })
    }

    /// Sends a command that is answered over a data connection: that connection, or the refusal.
    ///
    /// # Errors
    /// No answer, or no data connection.
    pub async fn data(&mut self, line: &str) -> Result<Result<Data, Reply>, FetchError> {
        self.log.command(line);
        loop {
            let outcome = self.transfer(line).await?;
            let dialled = self.dialled.swap(false, Ordering::AcqRel);
            let extended = self.mode == Mode::ExtendedPassive;
            match outcome {
                Ok((response, stream)) => {
                    self.hear(&response)?;
                    return Ok(Ok(Data { stream, silence: self.limits.silence }));
                }
                Err(FtpError::UnexpectedResponse(response)) if dialled => {
                    let reply = self.hear(&response)?;
                    if reply.code != 425 || !extended {
                        return Ok(Err(reply));
                    }
                }
                Err(error) if dialled => {
                    return Err(self.told.failure.get().cloned().unwrap_or_else(|| broken(&self.place, line, &error)));
                }
                // EPSV is unknown, answered in another charset, or leads to a closed port.
                Err(_) if extended => {}
                Err(error) => return Err(self.no_data(error)),
            }
            self.mode = Mode::Passive;
        }
    }

    async fn transfer(
        &mut self,
        line: &str,
    ) -> Result<FtpResult<(Response, TransferStream<AsyncRustlsStream>)>, FetchError> {
        self.stream.set_mode(self.mode);
        let limit = self.limits.connect + self.limits.silence;
        let ready = [Status::AlreadyOpen, Status::AboutToSend];
        match timeout(limit, self.stream.custom_data_command(line, &ready)).await {
            Err(_) => Err(self.silent(line)),
            Ok(outcome) => Ok(outcome),
        }
    }

    fn no_data(&mut self, error: FtpError) -> FetchError {
        let place = &self.place;
        let why = match &error {
            FtpError::UnexpectedResponse(response) => match self.hear(response) {
                Ok(reply) => reply.words(),
                Err(closing) => return closing,
            },
            FtpError::ConnectionError(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return FetchError::new(
                    Kind::Broken,
                    format!("{place} closed the connection instead of answering PASV."),
                );
            }
            FtpError::ConnectionError(error) => format!("the port it names does not answer ({}).", net::words(error)),
            _ => "its answer to PASV makes no sense.".into(),
        };
        let detail = format!("{} opens no second connection for the data: {why}", self.place);
        FetchError::new(Kind::Refused, detail).hint("A firewall may be in the way, here or there.")
    }

    /// What was tried, for error pages.
    pub fn tried(&self) -> String {
        let words = self.channel.words();
        format!("{}{words}: {}", self.place, self.log.commands())
    }
}

/// An open data connection.
pub(super) struct Data {
    stream: TransferStream<AsyncRustlsStream>,
    silence: std::time::Duration,
}

impl Data {
    /// Reads what there is. Zero octets are the end.
    pub async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Lost> {
        net::read(&mut self.stream, self.silence, buffer).await
    }

    /// Hears the server's word on the transfer: nothing if it is complete, else a remark.
    pub async fn finish(self) -> Option<String> {
        match timeout(self.silence, self.stream.finish()).await {
            Ok(Ok(())) => None,
            Ok(Err(FtpError::UnexpectedResponse(response))) => {
                Some(format!("the server says that it is not complete: {}", Reply::of(&response.body).words()))
            }
            Ok(Err(FtpError::ConnectionError(error))) if error.kind() != ErrorKind::InvalidData => {
                Some("the server closed the connection without saying that this is all".into())
            }
            Ok(Err(_)) => Some("the server's word on whether this is all makes no sense".into()),
            Err(_) => Some("the server did not say whether this is all".into()),
        }
    }
}

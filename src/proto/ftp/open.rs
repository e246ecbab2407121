//! Opening a control connection: dialling, the greeting, TLS.

use super::aside::Aside;
use super::greeting::{self, Heard};
use super::log::{self, Written};
use super::notices::Notices;
use super::reply::{Reply, raw};
use super::secure::{Secure, Told};
use super::session::{Session, broken};
use super::steps::Steps;
use super::telnet::Ahead;
use super::{Channel, Way};
use crate::proto::log::Log;
use crate::proto::net::{self, Dialled, Endpoint, Lost};
use crate::proto::{Context, Exchange, FetchError, Kind, Stage};
use std::io::{Error, ErrorKind, Result as IoResult};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;
use suppaftp::tokio::AsyncRustlsFtpStream;
use suppaftp::{Encoding, FtpError};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// Said where TLS is used when it is offered, and it is not.
const IN_THE_CLEAR: &str = "This server offers no TLS: what it sends can be read and changed on the way.";

/// Ports below this are those of services, mail among them: a server that names one wants this machine to knock there.
const LEAST_DATA_PORT: u16 = 1024;

/// How long a greeting is waited for on a port where the server may be waiting for TLS.
const HESITATION: Duration = Duration::from_millis(1500);

/// One character for each octet: file names are octets, whatever charset they are in.
#[derive(Debug)]
struct Raw(Written);

impl Encoding for Raw {
    fn decode(&self, octets: &[u8]) -> String {
        raw(octets)
    }

    fn encode(&self, text: &str) -> IoResult<Vec<u8>> {
        let line: IoResult<Vec<u8>> = octets(text);
        // What no octets stand for is not sent.
        line.inspect(|_| self.0.note(text))
    }
}

fn octets(text: &str) -> IoResult<Vec<u8>> {
    text.chars().map(|c| u8::try_from(c).map_err(|_| Error::from(ErrorKind::InvalidInput))).collect()
}

/// Dials, hears the greeting, makes it secure.
pub(super) async fn open(way: &Way, exchange: &mut Exchange, context: &Context) -> Result<Session, FetchError> {
    let Way { endpoint, channel } = way;
    let dialled = net::dial(endpoint, exchange, context).await?;
    let (told, log, notices) = (Arc::default(), Log::of(&exchange.ledger), Notices::default());
    let mut opening = Opening { endpoint, told, log, written: Written::default(), notices, exchange, context };
    opening.log.note(format!("answered by {}", dialled.peer));
    let implicit = match channel {
        Channel::Implicit => true,
        Channel::Awaited => !opening.speaks_first(&dialled).await,
        _ => false,
    };
    let mut stream = match channel {
        _ if implicit => opening.implicit(dialled).await?,
        Channel::Awaited => opening.greeted(dialled, Channel::Explicit).await?,
        _ => opening.greeted(dialled, *channel).await?,
    };
    // NAT routers and liars name other hosts in their answer to PASV (SEC-08).
    stream.set_passive_nat_workaround(true);
    let Opening { told, log, written, notices, .. } = opening;
    let (ahead, aside) = (Ahead::new(written.clone()), Aside::new(written.clone()));
    let steps = Steps::default();
    let stream = with_own_dialling(stream, context.limits.connect, &steps, &ahead, &aside);
    let mut session = Session::new(stream, way.clone(), context.limits.clone(), steps, told);
    (session.log, session.written, session.notices) = (log, written, notices);
    (session.ahead, session.aside) = (ahead, aside);
    match channel {
        _ if implicit => {
            // Most servers take these for granted here (and some do not know them), a few begin in the clear without.
            session.ask("PBSZ 0").await?;
            session.ask("PROT P").await?;
        }
        Channel::Offered if session.security.is_none() => session.notices.remark(IN_THE_CLEAR),
        _ => {}
    }
    Ok(session)
}

/// Data connections within the limit of time, noting whether they came about: the library's errors do not tell a refused
/// EPSV from a refused RETR. What is to be asked meanwhile is asked; the next line is due where one stands: what is to go ahead of it
/// goes.
fn with_own_dialling(
    stream: AsyncRustlsFtpStream,
    limit: Duration,
    steps: &Steps,
    ahead: &Ahead,
    aside: &Aside,
) -> AsyncRustlsFtpStream {
    let (steps, ahead, aside) = (steps.clone(), ahead.clone(), aside.clone());
    stream.passive_stream_builder(move |address| {
        let (steps, ahead, aside) = (steps.clone(), ahead.clone(), aside.clone());
        Box::pin(async move {
            steps.dials();
            if address.port() < LEAST_DATA_PORT {
                let named = format!("port {} is of a service, and none for data", address.port());
                return Err(FtpError::ConnectionError(Error::new(ErrorKind::PermissionDenied, named)));
            }
            let (connected, asked) = tokio::join!(timeout(limit, TcpStream::connect(address)), aside.ask());
            asked.map_err(FtpError::ConnectionError)?;
            let tcp =
                connected.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into())).map_err(FtpError::ConnectionError)?;
            steps.dialled();
            ahead.send().map_err(FtpError::ConnectionError)?;
            Ok(tcp)
        })
    })
}

/// A connection on its way.
struct Opening<'a> {
    endpoint: &'a Endpoint,
    told: Arc<Told>,
    log: Log,
    written: Written,
    notices: Notices,
    exchange: &'a mut Exchange,
    context: &'a Context,
}

impl Opening<'_> {
    /// Whether the server has the first word, as one that begins in clear text has.
    async fn speaks_first(&self, dialled: &Dialled) -> bool {
        let limit = HESITATION.min(self.context.limits.silence / 2);
        timeout(limit, dialled.tcp.peek(&mut [0])).await.is_ok()
    }

    /// Hears the greeting, and goes over to TLS where that is wanted.
    async fn greeted(&mut self, dialled: Dialled, channel: Channel) -> Result<AsyncRustlsFtpStream, FetchError> {
        let silence = self.context.limits.silence;
        let Dialled { mut tcp, name, .. } = dialled;
        let before = match greeting::hear(&mut tcp, &self.context.limits).await {
            Heard::ButTheLast(before) => before,
            Heard::Stopped(before, lost) => return Err(half_a_greeting(self.endpoint, &before, &lost)),
            Heard::TooLong => {
                let detail = format!("{} does not greet as an FTP server does: it does not end.", self.endpoint);
                return Err(FetchError::new(Kind::Malformed, detail));
            }
        };
        let heard = timeout(silence, AsyncRustlsFtpStream::connect_with_stream(tcp)).await;
        let greeted = heard.map_err(|_| half_a_greeting(self.endpoint, &before, &Lost::Silence(silence)))?;
        let mut stream = greeted.map_err(|error| no_greeting(self.endpoint, &before, error))?;
        self.greet(&mut stream, before).await;
        let secure = match channel {
            Channel::Explicit => true,
            Channel::Offered => self.offers_tls(&mut stream).await?,
            Channel::Clear | Channel::Implicit | Channel::Awaited => false,
        };
        if secure { self.explicit(stream, &name).await } else { Ok(stream) }
    }

    /// Takes the greeting down, with the lines that came before its last. Octets are kept as they are from here on.
    async fn greet(&mut self, stream: &mut AsyncRustlsFtpStream, before: Vec<u8>) {
        stream.set_encoding(Raw(self.written.clone())).await;
        let last = octets(stream.get_welcome_msg().unwrap_or_default()).unwrap_or_default();
        let greeting = log::reply(&mut self.log, &[before, last].concat());
        self.notices.greet(&greeting);
    }

    /// Whether the server lists AUTH TLS before anybody has logged in.
    async fn offers_tls(&mut self, stream: &mut AsyncRustlsFtpStream) -> Result<bool, FetchError> {
        const FEAT: &str = "FEAT";
        let silence = self.context.limits.silence;
        let answer = timeout(silence, stream.custom_command(FEAT, &[])).await;
        self.written.tell(&mut self.log);
        match answer {
            Err(_) => Err(Lost::Silence(silence).error(self.endpoint)),
            Ok(Ok(response) | Err(FtpError::UnexpectedResponse(response))) => {
                Ok(log::reply(&mut self.log, &response.body).offers_tls())
            }
            Ok(Err(error)) => Err(broken(self.endpoint, FEAT, &error)),
        }
    }

    async fn explicit(&mut self, stream: AsyncRustlsFtpStream, name: &str) -> Result<AsyncRustlsFtpStream, FetchError> {
        let (endpoint, context) = (self.endpoint, self.context);
        self.exchange.stage(Stage::Securing).await?;
        let secure = Secure::new(context.tls.session(name, endpoint).await?, Arc::clone(&self.told));
        let outcome = timeout(context.limits.connect, stream.into_secure(secure, name)).await;
        if self.told.security.get().is_some() {
            self.log.secured();
        }
        // Once TLS stands, the library says by itself that data go over it too.
        self.written.tell(&mut self.log);
        match outcome {
            Err(_) => Err(net::too_late(endpoint, context.limits.connect)),
            Ok(Ok(stream)) => Ok(stream),
            Ok(Err(FtpError::UnexpectedResponse(response))) => {
                let words = Reply::of(&response.body).words();
                let detail = format!("{endpoint} offers no TLS: {words} Nothing was asked of it in clear text.");
                Err(FetchError::new(Kind::Secure, detail))
            }
            Ok(Err(error)) => {
                Err(self.told.failure.get().cloned().unwrap_or_else(|| broken(endpoint, "AUTH TLS", &error)))
            }
        }
    }

    /// TLS before the greeting. The library takes no connection that stands already when it is to be secure, it dials by
    /// itself: it gets a port of this machine to dial, on which nothing is ever said, and then the connection to the server.
    async fn implicit(&mut self, dialled: Dialled) -> Result<AsyncRustlsFtpStream, FetchError> {
        let (endpoint, context) = (self.endpoint, self.context);
        self.exchange.stage(Stage::Securing).await?;
        let Dialled { tcp, name, .. } = dialled;
        let secure = Secure::new(context.tls.session(&name, endpoint).await?, Arc::clone(&self.told)).over(tcp);
        let limit = context.limits.connect;
        let opening = async {
            let door = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(FtpError::ConnectionError)?;
            let address = door.local_addr().map_err(FtpError::ConnectionError)?;
            AsyncRustlsFtpStream::connect_secure_implicit(address, secure, &name).await
        };
        match timeout(limit, opening).await {
            Err(_) => Err(net::too_late(endpoint, limit)),
            Ok(Ok(mut stream)) => {
                self.log.secured();
                self.greet(&mut stream, Vec::new()).await;
                Ok(stream)
            }
            Ok(Err(error)) => {
                Err(self.told.failure.get().cloned().unwrap_or_else(|| no_greeting(endpoint, &[], error)))
            }
        }
    }
}

/// A greeting that stopped; `before` are its lines.
fn half_a_greeting(endpoint: &Endpoint, before: &[u8], lost: &Lost) -> FetchError {
    let reply = Reply::of(before);
    match lost {
        // Some begin to greet, and change their mind.
        _ if reply.is_refusal() => no_visitors(endpoint, &reply),
        Lost::Silence(time) if !before.is_empty() => {
            let detail = format!("{endpoint} began to greet, then sent nothing for {}.", net::seconds(*time));
            FetchError::new(Kind::TimedOut, detail)
        }
        lost => lost.no_greeting(endpoint),
    }
}

fn no_visitors(endpoint: &Endpoint, reply: &Reply) -> FetchError {
    let sentence = format!("{endpoint} takes no visitors now: {}", reply.words());
    FetchError::new(Kind::Crowded, sentence).hint("Reload in a minute or two.")
}

fn no_greeting(endpoint: &Endpoint, before: &[u8], error: FtpError) -> FetchError {
    match error {
        FtpError::UnexpectedResponse(response) => {
            no_visitors(endpoint, &Reply::of(&[before, &response.body[..]].concat()))
        }
        FtpError::ConnectionError(error) if error.kind() != ErrorKind::InvalidData => {
            Lost::Broken(error).no_greeting(endpoint)
        }
        _ => FetchError::new(Kind::Malformed, format!("{endpoint} does not greet as an FTP server does.")),
    }
}

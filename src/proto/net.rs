//! Connections: looking up, dialling every address, securing, reading and writing with limits of time.
//!
//! Happy eyeballs (RFC 8305) without its address sorting: families alternate, a new attempt starts when one fails or after a
//! quarter of a second, the first to open wins. Refuses: protocols, and opening in clear text what was asked for over TLS.

use super::identities::Identity;
use super::{Context, Exchange, FetchError, Kind, Security, Stage};
use crate::url::escape;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use std::fmt;
use std::io::{Error, ErrorKind, Result as IoResult};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// How long one address may take before the next is tried beside it (RFC 8305, 5).
const STAGGER: Duration = Duration::from_millis(250);

/// A host and a port, as the URL writes them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Endpoint {
    /// The host as in the URL, IPv6 in brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} port {}", self.host, self.port)
    }
}

/// How a connection is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Clear text.
    Clear,
    /// TLS from the first octet, the key trusted on first use where no authority vouches for it.
    Tls,
}

/// What a connection reads from and writes to.
trait Duplex: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Duplex for T {}

/// An open connection with a limit of silence.
pub struct Wire {
    stream: Box<dyn Duplex>,
    silence: Duration,
    torn: bool,
    /// The address that answered.
    pub peer: SocketAddr,
    /// TLS facts; `None` in clear text.
    pub security: Option<Security>,
}

/// Why an open connection gave nothing more.
#[derive(Debug)]
pub enum Lost {
    /// Nothing came for this long.
    Silence(Duration),
    /// It broke.
    Broken(Error),
}

impl Lost {
    /// For the reader, when something usable had come before.
    pub fn remark(&self, octets: u64) -> String {
        match self {
            Lost::Silence(time) => format!("nothing came for {}", seconds(*time)),
            Lost::Broken(error) => format!("the connection broke after {octets} octets ({})", words(error)),
        }
    }

    /// As [`Lost::error`], where the server has the first word.
    pub fn no_greeting(&self, endpoint: &Endpoint) -> FetchError {
        match self {
            Lost::Broken(error) if error.kind() == ErrorKind::UnexpectedEof => {
                FetchError::new(Kind::Broken, format!("{endpoint} closed the connection instead of greeting."))
            }
            lost => lost.error(endpoint),
        }
    }

    /// As a failure, when nothing had come.
    pub fn error(&self, endpoint: &Endpoint) -> FetchError {
        match self {
            Lost::Silence(time) => {
                let detail = format!("{} accepted the connection, but sent nothing for {}.", endpoint, seconds(*time));
                FetchError::new(Kind::TimedOut, detail)
            }
            Lost::Broken(error) => FetchError::new(
                Kind::Broken,
                format!("{endpoint} broke the connection before it sent anything ({}).", words(error)),
            ),
        }
    }
}

/// Reads what there is, waiting no longer than `silence`. Zero octets are the end.
///
/// # Errors
/// Silence, or a broken connection.
pub async fn read<S: AsyncRead + Unpin>(stream: &mut S, silence: Duration, buffer: &mut [u8]) -> Result<usize, Lost> {
    // Most gopher servers (Python's `ssl`, for one) and many FTP servers close TLS without its goodbye: an end like in
    // clear text. What tells whether an FTP transfer is whole is the word on the control connection.
    Ok(read_some(stream, silence, buffer).await?.unwrap_or(0))
}

/// The same; `None` is an end of TLS without its goodbye.
async fn read_some<S: AsyncRead + Unpin>(
    stream: &mut S,
    silence: Duration,
    buffer: &mut [u8],
) -> Result<Option<usize>, Lost> {
    match timeout(silence, stream.read(buffer)).await {
        Err(_) => Err(Lost::Silence(silence)),
        Ok(Ok(count)) => Ok(Some(count)),
        Ok(Err(error)) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Ok(Err(error)) => Err(Lost::Broken(error)),
    }
}

impl Wire {
    /// Reads what there is. Zero octets are the end.
    ///
    /// # Errors
    /// Silence, or a broken connection.
    pub async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Lost> {
        let count = read_some(&mut self.stream, self.silence, buffer).await?;
        self.torn |= count.is_none();
        Ok(count.unwrap_or(0))
    }

    /// Whether it ended without the goodbye of TLS: somebody on the way may have cut it.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// Writes all of it.
    ///
    /// # Errors
    /// The other side takes nothing, or a broken connection.
    pub async fn write(&mut self, octets: &[u8]) -> Result<(), Lost> {
        let writing = async {
            self.stream.write_all(octets).await?;
            self.stream.flush().await
        };
        match timeout(self.silence, writing).await {
            Err(_) => Err(Lost::Silence(self.silence)),
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Lost::Broken(error)),
        }
    }
}

/// A connection that was just opened, nothing said yet.
pub struct Dialled {
    /// The connection.
    pub tcp: TcpStream,
    /// The address that answered.
    pub peer: SocketAddr,
    /// The host as TLS wants it.
    pub name: String,
    /// When TLS must stand as well.
    deadline: Instant,
}

/// Dials, saying each stage.
///
/// # Errors
/// No such host, refused, timed out.
pub async fn dial(endpoint: &Endpoint, exchange: &mut Exchange, context: &Context) -> Result<Dialled, FetchError> {
    let deadline = Instant::now() + context.limits.connect;
    let late = |_| too_late(endpoint, context.limits.connect);
    let name = wire_name(&endpoint.host)?;
    let addresses = timeout_at(deadline, addresses(endpoint, exchange)).await.map_err(late)??;
    exchange.stage(Stage::Connecting).await?;
    exchange.ledger.goes_to(endpoint, None);
    let (tcp, peer) = timeout_at(deadline, race(&addresses))
        .await
        .map_err(late)?
        .map_err(|error| not_connected(endpoint, &addresses, &error))?;
    exchange.ledger.reached(peer.to_string());
    Ok(Dialled { tcp, peer, name, deadline })
}

/// The addresses of a host, saying that they are looked up where they are.
///
/// # Errors
/// No such host.
pub async fn addresses(endpoint: &Endpoint, exchange: &mut Exchange) -> Result<Vec<SocketAddr>, FetchError> {
    let name = wire_name(&endpoint.host)?;
    match name.parse::<IpAddr>() {
        Ok(address) => Ok(vec![SocketAddr::new(address, endpoint.port)]),
        Err(_) => {
            exchange.stage(Stage::Resolving).await?;
            look_up(&name, endpoint).await
        }
    }
}

/// Opens a connection, saying each stage.
///
/// # Errors
/// No such host, refused, timed out, or TLS that is not to be trusted.
pub async fn open(
    endpoint: &Endpoint,
    channel: Channel,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Wire, FetchError> {
    open_as(endpoint, channel, None, exchange, context).await
}

/// As [`open`]; a server that asks who is there is shown a certificate.
///
/// # Errors
/// As [`open`].
pub async fn open_as(
    endpoint: &Endpoint,
    channel: Channel,
    identity: Option<&Identity>,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Wire, FetchError> {
    let Dialled { tcp, peer, name, deadline } = dial(endpoint, exchange, context).await?;
    let silence = context.limits.silence;
    if channel == Channel::Clear {
        return Ok(Wire { stream: Box::new(tcp), silence, torn: false, peer, security: None });
    }
    exchange.stage(Stage::Securing).await?;
    let late = |_| too_late(endpoint, context.limits.connect);
    let session = context.tls.session_as(&name, endpoint, identity).await?;
    let (stream, security) = timeout_at(deadline, session.secure(tcp)).await.map_err(late)??;
    exchange.ledger.secured();
    Ok(Wire { stream: Box::new(stream), silence, torn: false, peer, security: Some(security) })
}

/// The host as the resolver and TLS want it: no brackets, and Punycode for names beyond ASCII (D27).
pub(super) fn wire_name(host: &str) -> Result<String, FetchError> {
    if let Some(literal) = host.strip_prefix('[') {
        return Ok(literal.trim_end_matches(']').into());
    }
    let plain = escape::decode(host);
    if plain.is_ascii() && plain.iter().all(u8::is_ascii_graphic) && !plain.is_empty() {
        return Ok(String::from_utf8_lossy(&plain).into_owned());
    }
    std::str::from_utf8(&plain)
        .ok()
        .and_then(|name| idna::domain_to_ascii(name).ok())
        .filter(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic()))
        .ok_or_else(|| FetchError::new(Kind::NoSuchHost, format!("\"{host}\" cannot be a host's name.")))
}

async fn look_up(name: &str, endpoint: &Endpoint) -> Result<Vec<SocketAddr>, FetchError> {
    let nobody = || FetchError::new(Kind::NoSuchHost, format!("No host is named {}.", endpoint.host));
    let found = lookup_host((name, endpoint.port)).await.map_err(|error| {
        let answer = error.to_string();
        // The resolver's own words ("Temporary failure in name resolution") are the only sign of a network that is down.
        if answer.contains("emporary") {
            FetchError::new(Kind::NoSuchHost, format!("The name {} could not be looked up ({answer}).", endpoint.host))
                .hint("See whether this machine is connected, then try again.")
        } else {
            nobody().hint("Check the spelling of the host in the address.")
        }
    })?;
    let addresses = alternate(found.collect());
    if addresses.is_empty() { Err(nobody()) } else { Ok(addresses) }
}

/// The families in turn, beginning with that of the first address, so that one dead family costs one stagger only.
fn alternate(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let Some(first) = addresses.first().map(SocketAddr::is_ipv6) else { return addresses };
    let (one, other): (Vec<_>, Vec<_>) = addresses.into_iter().partition(|a| a.is_ipv6() == first);
    let mut others = other.into_iter();
    let mut mixed: Vec<SocketAddr> = Vec::new();
    for address in one {
        mixed.push(address);
        mixed.extend(others.next());
    }
    mixed.extend(others);
    mixed
}

async fn race(addresses: &[SocketAddr]) -> IoResult<(TcpStream, SocketAddr)> {
    let mut waiting = addresses.iter().copied();
    let mut running = FuturesUnordered::new();
    let mut failure: Option<Error> = None;
    loop {
        if let Some(address) = waiting.next() {
            running.push(async move { TcpStream::connect(address).await.map(|stream| (stream, address)) });
        } else if running.is_empty() {
            return Err(failure.unwrap_or_else(|| ErrorKind::AddrNotAvailable.into()));
        }
        let more = waiting.len() > 0;
        tokio::select! {
            Some(done) = running.next() => match done {
                Ok(opened) => return Ok(opened),
                // A refusal says more than "no route" of a family that this machine lacks.
                Err(error) if failure.as_ref().is_some_and(|f| f.kind() == ErrorKind::ConnectionRefused) => drop(error),
                Err(error) => failure = Some(error),
            },
            () = sleep(STAGGER), if more => {}
        }
    }
}

fn not_connected(endpoint: &Endpoint, addresses: &[SocketAddr], error: &Error) -> FetchError {
    let asked = match addresses {
        [] | [_] => String::new(),
        many => format!(" at any of its {} addresses", many.len()),
    };
    match error.kind() {
        ErrorKind::ConnectionRefused => {
            let detail = format!("{} refused the connection on port {}{asked}.", endpoint.host, endpoint.port);
            FetchError::new(Kind::Refused, detail)
                .hint("Nobody listens on that port now; check the port, or try later.")
        }
        ErrorKind::TimedOut => FetchError::new(
            Kind::TimedOut,
            format!("{} did not answer on port {}{asked}.", endpoint.host, endpoint.port),
        ),
        _ => FetchError::new(Kind::Refused, format!("{endpoint} cannot be reached{asked} ({}).", words(error)))
            .hint("See whether this machine is connected, then try again."),
    }
}

pub(super) fn too_late(endpoint: &Endpoint, limit: Duration) -> FetchError {
    FetchError::new(Kind::TimedOut, format!("{endpoint} did not open a connection within {}.", seconds(limit)))
        .hint("The host may be down or behind a filter; try again later.")
}

/// The system's words without the number that means nothing to a reader.
pub fn words(error: &Error) -> String {
    let text = error.to_string();
    // The library's own sentence leads to its manual.
    if text.contains("close_notify") {
        return "the server ended TLS without its goodbye".into();
    }
    if text == "tls handshake eof" {
        return "it ended while it was being made secure".into();
    }
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut letters = text[..end].chars();
    let Some(first) = letters.next() else { return String::new() };
    // What begins with capitals is a name.
    let is_name = letters.clone().next().is_some_and(char::is_uppercase);
    if is_name { text[..end].into() } else { first.to_lowercase().chain(letters).collect() }
}

/// A limit of time in a sentence: "60 s", "0.2 s".
pub(super) fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 { format!("{} s", time.as_secs()) } else { format!("{} s", time.as_secs_f32()) }
}

//! Guppy on the wire (0.4.4): the URL in one packet out, numbered packets back, each acknowledged, until an empty one ends them. What
//! is lost is sent again, by either side.
//!
//! Refuses: packets of anybody but the address that was asked, more than a few that come too early, and an answer that goes nowhere.

mod packet;

use self::packet::{Order, Packet};
use super::net::{self, Endpoint};
use super::relay::{Relay, Room};
use super::{Again, Context, End, Exchange, FetchError, Fetching, Head, Kind, Moved, Request, Stage, Verdict};
use super::{http, said};
use crate::doc::sanitise;
use crate::format::guess;
use crate::url::scheme::{self, Act, on_the_wire};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::time::{Instant, timeout_at};

/// The longest packet of UDP.
const LONGEST: usize = 64 * 1024;
/// After how long the last word is said again, at most.
const AGAIN: Duration = Duration::from_secs(1);
/// How often a host is asked that has said nothing yet.
const TRIES: u32 = 3;

/// Fetches a page.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let Act::Octets { host, port, bytes, .. } = scheme::plan(&request.url)?.act else {
        return Err(FetchError::new(Kind::Unsupported, "This address is none of a Guppy server."));
    };
    let endpoint = Endpoint { host, port };
    let told = request.told.as_ref().map(|url| on_the_wire(url.as_str().as_bytes()));
    let late = |_| net::too_late(&endpoint, context.limits.connect);
    let looking = net::addresses(&endpoint, exchange);
    let addresses = tokio::time::timeout(context.limits.connect, looking).await.map_err(late)??;
    // As long as others have to open a connection: a host that is there says something by then.
    let patience = context.limits.connect.min(context.limits.silence);
    let share = patience / u32::try_from(addresses.len().max(1)).unwrap_or(u32::MAX);
    let mut failure = None;
    for address in addresses {
        exchange.ledger.goes_to(&endpoint, Some(address.to_string()));
        exchange.ledger.wrote(told.clone().unwrap_or_else(|| on_the_wire(&bytes)));
        exchange.stage(Stage::Waiting).await?;
        let mut talk = match Talk::begin(address, bytes.clone(), share).await {
            Ok(talk) => talk,
            Err(error) => {
                failure = Some(failed(&endpoint, &error));
                continue;
            }
        };
        let mut buffer = vec![0; LONGEST];
        match talk.hear(&mut buffer, Instant::now() + share).await {
            Ok(count) => return answered(request, &endpoint, (talk, buffer, count), exchange, context).await,
            Err(error) => failure = Some(failed(&endpoint, &error)),
        }
    }
    Err(failure.unwrap_or_else(|| FetchError::new(Kind::NoSuchHost, format!("No host is named {}.", endpoint.host))))
}

/// Why there was no answer.
fn failed(endpoint: &Endpoint, error: &io::Error) -> FetchError {
    match error.kind() {
        ErrorKind::TimedOut => {
            FetchError::new(Kind::TimedOut, format!("{endpoint} has not answered, though it was asked {TRIES} times."))
                .hint("The host may be down, or its packets (UDP) filtered on the way; try again later.")
        }
        ErrorKind::ConnectionRefused => FetchError::new(Kind::Refused, format!("{endpoint} takes no packets."))
            .hint("Nobody listens on that port now; check the port, or try later."),
        _ => FetchError::new(Kind::Broken, format!("{endpoint} cannot be reached ({}).", net::words(error))),
    }
}

/// What is said to one address, and heard from it alone.
struct Talk {
    socket: UdpSocket,
    /// What was said last, and is said again until something new comes.
    last: Vec<u8>,
    again: Duration,
    next: Instant,
    /// How often it is said again at most; without end once the host has said something.
    left: u32,
}

impl Talk {
    /// A socket of its own for each session; the system passes nothing on to it that comes from elsewhere.
    async fn begin(address: SocketAddr, first: Vec<u8>, patience: Duration) -> io::Result<Talk> {
        let any: SocketAddr = match address {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(any).await?;
        socket.connect(address).await?;
        let again = AGAIN.min(patience / (TRIES + 1)).max(Duration::from_millis(10));
        socket.send(&first).await?;
        Ok(Talk { socket, last: first, again, next: Instant::now() + again, left: TRIES - 1 })
    }

    async fn say(&mut self, words: Vec<u8>) -> io::Result<()> {
        self.last = words;
        self.next = Instant::now() + self.again;
        self.left = u32::MAX;
        self.socket.send(&self.last).await.map(drop)
    }

    /// The next packet; until one comes the last word is said again.
    async fn hear(&mut self, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
        loop {
            // Whoever sends without end must not keep it from ending.
            if Instant::now() >= deadline {
                return Err(ErrorKind::TimedOut.into());
            }
            let next = if self.left > 0 { self.next.min(deadline) } else { deadline };
            match timeout_at(next, self.socket.recv(buffer)).await {
                Ok(heard) => {
                    self.left = u32::MAX;
                    return heard;
                }
                Err(_) if self.left == 0 => {}
                Err(_) => {
                    self.next = Instant::now() + self.again;
                    self.left -= 1;
                    self.socket.send(&self.last).await?;
                }
            }
        }
    }
}

/// The first packet has come.
async fn answered(
    request: &Request,
    endpoint: &Endpoint,
    (mut talk, mut buffer, mut count): (Talk, Vec<u8>, usize),
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let deadline = Instant::now() + context.limits.silence;
    let host = &endpoint.host;
    let (number, media, data) = loop {
        match packet::read(&buffer[..count]) {
            Some(Packet::Success(number, media, data)) => break (number, media.to_vec(), data.to_vec()),
            Some(Packet::Prompt(words)) => {
                let hint = "Words may also stand in the address, behind a question mark.";
                return Err(FetchError::new(Kind::NeedsWords, format!("{host} asks: {}", line(words))).hint(hint));
            }
            Some(Packet::Redirect(to)) => {
                let (from, to) = (request.url.without_fragment(), line(to));
                exchange.moved(Moved { from, to, status: "3, moved".into(), again: Again::Get, unkept: false }).await?;
                return Ok(End::default());
            }
            Some(Packet::Error(words)) => {
                return Err(FetchError::new(Kind::Said, format!("{host} says: {}", line(words))));
            }
            // It was overtaken, and comes again.
            Some(Packet::Continuation(..)) => {}
            None => {
                let why = "answered, but not in Guppy: its first packet is none of that protocol";
                return Err(FetchError::new(Kind::Malformed, format!("{endpoint} {why}.")));
            }
        }
        count = talk.hear(&mut buffer, deadline).await.map_err(|error| failed(endpoint, &error))?;
    };
    let (kind, charset) =
        http::media_type(&line(&media)).unwrap_or_else(|| (guess::OCTETS.to_owned(), Some("utf-8".into())));
    let kind = request.media.clone().unwrap_or(kind);
    let mut relay = Relay::new(exchange, &kind, &context.limits);
    let peer = talk.socket.peer_addr().map(|peer| peer.to_string()).unwrap_or_default();
    let lines = vec![format!("answered by {peer}"), format!("{number} {}", line(&media))];
    let charset = charset.or_else(|| Some("utf-8".into()));
    let head = Head { charset, lines, ..Head::new(request.url.without_fragment(), kind) };
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    page(&mut relay, &mut talk, (buffer, number, data), context.limits.silence).await
}

/// Passes the packets on in their order. What brings nothing new is no sign of life.
async fn page(
    relay: &mut Relay<'_>,
    talk: &mut Talk,
    (mut buffer, first, data): (Vec<u8>, u32, Vec<u8>),
    silence: Duration,
) -> Result<End, FetchError> {
    if relay.pass(data).await? == Room::Full {
        return Ok(End { cut: Some(relay.cut()) });
    }
    let mut order = Order::begun(first);
    let (mut deadline, mut word) = (Instant::now() + silence, acknowledged(first));
    loop {
        if !word.is_empty() && talk.say(word).await.is_err() {
            return Ok(End { cut: Some(lost(relay.sent())) });
        }
        let count = match talk.hear(&mut buffer, deadline).await {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                return Ok(End { cut: Some(format!("nothing new came for {}", net::seconds(silence))) });
            }
            Err(_) => return Ok(End { cut: Some(lost(relay.sent())) }),
        };
        word = match packet::read(&buffer[..count]) {
            Some(Packet::Continuation(number, data)) if order.take(number, data) => acknowledged(number),
            Some(Packet::Success(number, ..)) if number == first => acknowledged(number),
            _ => Vec::new(),
        };
        while let Some(data) = order.pop() {
            if data.is_empty() {
                // If it is lost the server asks into the void for a while.
                let _ = talk.say(word).await;
                return Ok(End::default());
            }
            if relay.pass(data).await? == Room::Full {
                return Ok(End { cut: Some(relay.cut()) });
            }
            deadline = Instant::now() + silence;
        }
    }
}

fn lost(octets: u64) -> String {
    format!("the server was lost after {octets} octets")
}

fn acknowledged(number: u32) -> Vec<u8> {
    format!("{number}\r\n").into_bytes()
}

/// What a server says on a line.
fn line(octets: &[u8]) -> String {
    sanitise(said::text(octets).trim()).replace('\n', " ")
}

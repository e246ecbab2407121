//! Gemini on the wire (protocol specification 0.24.1): one address out, over TLS, one status line and perhaps a page back. Titan sends
//! a file behind its line, and is answered in the same way.
//!
//! The key of a server is trusted on first use ([`super::pins`]); a certificate of the reader's goes only where they chose
//! to show it ([`super::identities`]). Refuses: clear text, asking for words, following what a server says has moved.

mod head;
mod status;

use self::head::Said;
use super::net::{self, Channel, Endpoint, Lost, Wire};
use super::relay::Relay;
use super::{Again, Content, Context, End, Exchange, FetchError, Fetching, Head, Kind, Moved, Request, Stage, Verdict};
use super::{http, tls};
use crate::format::media;
use crate::url::Url;
use crate::url::scheme::gemini::upload;
use crate::url::scheme::{self, Act, Ask, on_the_wire};

/// Read at once, and passed on at once.
const CHUNK: usize = 64 * 1024;
/// It is said at most so often how much of a file has gone.
const STEPS: u64 = 100;

/// Fetches a page.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

/// Where an address is asked for, and what is sent there.
fn call(url: &Url, body: Option<&Content>) -> Result<(Endpoint, Vec<u8>), FetchError> {
    match (scheme::plan(url)?.act, body) {
        (Act::Octets { host, port, bytes, .. }, None) => Ok((Endpoint { host, port }, bytes)),
        (Act::Ask(Ask::File), Some(content)) => {
            let line = upload(url, &content.media, content.octets.len())? + "\r\n";
            let port = url.port().unwrap_or_default();
            Ok((Endpoint { host: url.host().unwrap_or_default().into(), port }, line.into_bytes()))
        }
        (Act::Ask(_), _) => Err(FetchError::new(Kind::Unsupported, "This is a place for a file, and none was named.")),
        _ => Err(FetchError::new(Kind::Unsupported, "This address leads out of Gemini space.")),
    }
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let (endpoint, bytes) = call(&request.url, request.body.as_ref())?;
    let told = request.told.as_ref().map(|told| call(told, request.body.as_ref())).transpose()?;
    let told = told.map_or_else(|| bytes.clone(), |(_, told)| told);
    let identity = context.identity_for(&endpoint, &request.url).await?;
    let opened = net::open_as(&endpoint, Channel::Tls, identity.as_ref(), exchange, context).await;
    let mut wire = opened.map_err(without_clear_text)?;
    let mut lines = vec![format!("answered by {}", wire.peer)];
    if let Some(identity) = &identity {
        let shown = format!("with your certificate \"{}\"", identity.name);
        exchange.ledger.because(shown.clone());
        lines.push(shown);
    }
    let knows = identity.is_some();
    exchange.ledger.wrote(on_the_wire(&told));
    wire.write(&bytes).await.map_err(|lost| lost.error(&endpoint))?;
    let mut taken = Ok(());
    if let Some(content) = &request.body {
        exchange.ledger.wrote(format!("({} octets)", content.octets.len()));
        taken = upload_all(&mut wire, &content.octets, exchange).await?;
    }
    exchange.stage(Stage::Waiting).await?;
    // Whoever takes no more of a file may have said why.
    let (said, rest) = match (answer(&mut wire, &endpoint).await, taken) {
        (Ok(answered), _) => answered,
        (Err(_), Err(lost)) => return Err(lost.error(&endpoint)),
        (Err(error), Ok(())) => return Err(error),
    };
    lines.push(format!("{} {}", said.status, said.meta).trim_end().into());
    match said.status / 10 {
        2 => page(request, &said, Opened { wire, rest, lines, knows }, exchange, context).await,
        3 if said.meta.is_empty() => Err(malformed(&endpoint, "it says that this is elsewhere, and not where")),
        3 => {
            let status = if said.status == 31 { "31, for good" } else { "30, for now" };
            let from = request.url.without_fragment();
            exchange
                .moved(Moved { from, to: said.meta, status: status.into(), again: Again::Get, unkept: knows })
                .await?;
            Ok(End::default())
        }
        _ => Err(status::failure(&endpoint.host, &said)),
    }
}

/// Sends a file, and says how much of it has gone; the inner error is the server's, which may take no more.
async fn upload_all(wire: &mut Wire, octets: &[u8], exchange: &mut Exchange) -> Result<Result<(), Lost>, FetchError> {
    let (all, mut sent) = (octets.len() as u64, 0);
    let step = (all / STEPS).max(CHUNK as u64);
    let mut next = 0;
    for chunk in octets.chunks(CHUNK) {
        if sent >= next {
            exchange.stage(Stage::Sending(sent, all)).await?;
            next += step;
        }
        if let Err(lost) = wire.write(chunk).await {
            return Ok(Err(lost));
        }
        sent += chunk.len() as u64;
    }
    Ok(Ok(()))
}

/// There is no such way in this space.
fn without_clear_text(mut failure: FetchError) -> FetchError {
    if failure.hint.as_deref() == Some(tls::IN_CLEAR_TEXT) {
        failure.hint = Some("Gemini is never spoken in clear text; whoever runs the server may want to know.".into());
    }
    failure
}

fn malformed(endpoint: &Endpoint, why: &str) -> FetchError {
    FetchError::new(Kind::Malformed, format!("{endpoint} answered, but not in Gemini: {why}."))
}

/// The first line of the answer, and what came behind it.
async fn answer(wire: &mut Wire, endpoint: &Endpoint) -> Result<(Said, Vec<u8>), FetchError> {
    let (mut start, mut buffer, mut ended) = (Vec::new(), vec![0; CHUNK], false);
    loop {
        match head::read(&start, ended) {
            Ok(Some(said)) => {
                start.drain(..said.octets);
                return Ok((said, start));
            }
            Ok(None) => {}
            Err(_) if start.is_empty() => {
                return Err(FetchError::new(
                    Kind::Broken,
                    format!("{endpoint} closed the connection without an answer."),
                ));
            }
            Err(why) => return Err(malformed(endpoint, &why)),
        }
        match wire.read(&mut buffer).await {
            Ok(0) => ended = true,
            Ok(count) => start.extend_from_slice(&buffer[..count]),
            Err(lost) => return Err(lost.error(endpoint)),
        }
    }
}

/// An answer whose page begins.
struct Opened {
    wire: Wire,
    rest: Vec<u8>,
    lines: Vec<String>,
    /// The server was shown a certificate of the reader's.
    knows: bool,
}

/// Says the head and streams the page. It has no length: the end of TLS alone tells that it is whole (1.1).
async fn page(
    request: &Request,
    said: &Said,
    opened: Opened,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let Opened { mut wire, rest, lines, knows } = opened;
    // Nothing said is gemtext (3.2.2).
    let (kind, charset) = match said.meta.as_str() {
        "" => (media::GEMTEXT.to_owned(), Some("utf-8".to_owned())),
        meta => http::media_type(meta).unwrap_or_else(|| (crate::format::guess::OCTETS.to_owned(), None)),
    };
    let kind = request.media.clone().unwrap_or(kind);
    let mut relay = Relay::new(exchange, &kind, &context.limits);
    let security = wire.security.clone();
    let head = Head { charset, security, lines, unkept: knows, ..Head::new(request.url.without_fragment(), kind) };
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    relay.stream(&mut wire, rest).await
}

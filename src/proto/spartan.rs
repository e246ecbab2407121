//! Spartan on the wire (3.0): a line and perhaps some octets out, in clear text; a status line and perhaps a page back, until the
//! server closes. Refuses: following what a server says has moved.

use super::net::{self, Channel, Endpoint, Wire};
use super::relay::Relay;
use super::{Again, Context, End, Exchange, FetchError, Fetching, Head, Kind, Moved, Request, Stage, Verdict};
use super::{http, said};
use crate::format::{guess, media};
use crate::url::Url;
use crate::url::scheme::{self, Act, on_the_wire};

/// Octets of the longest first line.
const LONGEST: usize = 2 + 1024;

/// Fetches a page.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

fn call(url: &Url) -> Result<(Endpoint, Vec<u8>), FetchError> {
    match scheme::plan(url)?.act {
        Act::Octets { host, port, bytes, .. } => Ok((Endpoint { host, port }, bytes)),
        _ => {
            Err(FetchError::new(Kind::Unsupported, "This address needs words first: they go behind its question mark."))
        }
    }
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let (endpoint, bytes) = call(&request.url)?;
    let told = request.told.as_ref().map(call).transpose()?.map_or_else(|| bytes.clone(), |(_, told)| told);
    let mut wire = net::open(&endpoint, Channel::Clear, exchange, context).await?;
    exchange.ledger.wrote(on_the_wire(&told));
    wire.write(&bytes).await.map_err(|lost| lost.error(&endpoint))?;
    exchange.stage(Stage::Waiting).await?;
    let (status, meta, rest) = answer(&mut wire, &endpoint).await?;
    let lines = vec![format!("answered by {}", wire.peer), format!("{status} {meta}").trim_end().into()];
    let host = &endpoint.host;
    let words = if meta.is_empty() { ".".to_owned() } else { format!(": {meta}") };
    match status {
        2 => {
            let kind = match meta.as_str() {
                "" => (media::GEMTEXT.to_owned(), None),
                meta => http::media_type(meta).unwrap_or_else(|| (guess::OCTETS.to_owned(), None)),
            };
            page(request, kind, (wire, rest, lines), exchange, context).await
        }
        // It stays on its server.
        3 if meta.starts_with('/') && !meta.starts_with("//") => {
            let (from, status, again) = (request.url.without_fragment(), "3, moved".into(), Again::Get);
            exchange.moved(Moved { from, to: meta, status, again, unkept: false }).await?;
            Ok(End::default())
        }
        3 => Err(malformed(&endpoint, "it leads elsewhere, and not by a path")),
        4 => Err(FetchError::new(Kind::NotFound, format!("{host} says that this address is wrong{words}"))),
        _ => {
            Err(FetchError::new(Kind::Said, format!("{host} could not do what was asked{words}"))
                .hint("Try again later."))
        }
    }
}

fn malformed(endpoint: &Endpoint, why: &str) -> FetchError {
    FetchError::new(Kind::Malformed, format!("{endpoint} answered, but not in Spartan: {why}."))
}

/// Status, what follows it, and what came behind the line.
async fn answer(wire: &mut Wire, endpoint: &Endpoint) -> Result<(u8, String, Vec<u8>), FetchError> {
    let (mut start, mut buffer) = (Vec::new(), vec![0; 16 * 1024]);
    let end = loop {
        if let Some(end) = start.iter().take(LONGEST).position(|b| *b == b'\n') {
            break end;
        }
        if start.len() >= LONGEST {
            return Err(malformed(endpoint, "its first line has no end"));
        }
        match wire.read(&mut buffer).await.map_err(|lost| lost.error(endpoint))? {
            0 if start.is_empty() => {
                let detail = format!("{endpoint} closed the connection without an answer.");
                return Err(FetchError::new(Kind::Broken, detail));
            }
            0 => return Err(malformed(endpoint, "it ended within its first line")),
            count => start.extend_from_slice(&buffer[..count]),
        }
    };
    let line = start[..end].strip_suffix(b"\r").unwrap_or(&start[..end]);
    let (status, meta) = match line {
        [digit @ b'2'..=b'5'] => (digit - b'0', &[][..]),
        [digit @ b'2'..=b'5', b' ', meta @ ..] => (digit - b'0', meta),
        _ => return Err(malformed(endpoint, "its first line begins with no status")),
    };
    let meta = said::text(meta).trim().to_owned();
    if meta.chars().any(char::is_control) {
        return Err(malformed(endpoint, "its first line holds control characters"));
    }
    Ok((status, meta, start.split_off(end + 1)))
}

/// Says the head and streams the page.
async fn page(
    request: &Request,
    (kind, charset): (String, Option<String>),
    (mut wire, rest, lines): (Wire, Vec<u8>, Vec<String>),
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let kind = request.media.clone().unwrap_or(kind);
    let mut relay = Relay::new(exchange, &kind, &context.limits);
    let head = Head { charset, lines, ..Head::new(request.url.without_fragment(), kind) };
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    relay.stream(&mut wire, rest).await
}

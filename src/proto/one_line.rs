//! Finger (RFC 1288), WHOIS (RFC 3912) and Whois++ (RFC 1835) on the wire: one line out, a text back, which ends where the
//! server closes.
//!
//! Refuses: following what an answer refers to; the page shows it as a link.

use super::net::{self, Channel, Endpoint};
use super::relay::Relay;
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Stage, Verdict};
use crate::format::media;
use crate::url::scheme::{self, Act, on_the_wire};

/// Octets read at once.
const CHUNK: usize = 16 * 1024;

/// Fetches what a finger server tells of its users.
pub fn finger<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(ask(request, exchange, context, media::PLAIN))
}

/// Fetches a record of a WHOIS or Whois++ server.
pub fn whois<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(ask(request, exchange, context, media::WHOIS))
}

async fn ask(
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
    media: &'static str,
) -> Result<End, FetchError> {
    let Act::Octets { host, port, bytes, .. } = scheme::plan(&request.url)?.act else {
        return Err(FetchError::new(Kind::Malformed, "This address has no words for the server.")
            .tried(format!("nothing: {}", request.url.redacted())));
    };
    let endpoint = Endpoint { host, port };
    let tried = format!("{endpoint}, \"{}\"", String::from_utf8_lossy(bytes.trim_ascii_end()));
    talk(request, exchange, context, (&endpoint, &bytes, media)).await.map_err(|error| match error.tried.is_empty() {
        true => error.tried(tried),
        false => error,
    })
}

async fn talk(
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
    (endpoint, bytes, media): (&Endpoint, &[u8], &'static str),
) -> Result<End, FetchError> {
    let mut wire = net::open(endpoint, Channel::Clear, exchange, context).await?;
    exchange.ledger.wrote(on_the_wire(bytes));
    wire.write(bytes).await.map_err(|lost| lost.error(endpoint))?;
    exchange.stage(Stage::Waiting).await?;
    let mut buffer = vec![0; CHUNK];
    let count = wire.read(&mut buffer).await.map_err(|lost| lost.error(endpoint))?;
    if count == 0 {
        return Err(FetchError::new(Kind::Broken, format!("{endpoint} closed the connection without a word.")));
    }
    let media = request.media.as_deref().unwrap_or(media);
    let mut relay = Relay::new(exchange, media, &context.limits);
    let lines = vec![format!("answered by {}", wire.peer)];
    if relay.head(Head { lines, ..Head::new(request.url.without_fragment(), media) }).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    buffer.truncate(count);
    relay.stream(&mut wire, buffer).await
}

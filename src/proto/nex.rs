//! Nex on the wire: a path on a line out, what it names back, until the server closes. A path that is empty or ends in a slash names
//! a directory, whose links begin with `=> `; the names of others tell what they are.

use super::net::{self, Channel, Endpoint};
use super::relay::Relay;
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Stage, Verdict};
use crate::format::{guess, media};
use crate::url::Url;
use crate::url::scheme::{self, Act, on_the_wire};

/// Fetches a directory or a file.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(async move {
        let Act::Octets { host, port, bytes, .. } = scheme::plan(&request.url)?.act else {
            return Err(FetchError::new(Kind::Unsupported, "This address is no path of a nex server."));
        };
        let endpoint = Endpoint { host, port };
        let mut wire = net::open(&endpoint, Channel::Clear, exchange, context).await?;
        exchange.ledger.wrote(on_the_wire(&bytes));
        wire.write(&bytes).await.map_err(|lost| lost.error(&endpoint))?;
        exchange.stage(Stage::Waiting).await?;
        let mut buffer = vec![0; 16 * 1024];
        // There is no head: the first octets tell that there is an answer.
        let count = wire.read(&mut buffer).await.map_err(|lost| lost.error(&endpoint))?;
        let media = request.media.clone().unwrap_or_else(|| kind(&request.url, &buffer[..count]));
        let mut relay = Relay::new(exchange, &media, &context.limits);
        let lines = vec![format!("answered by {}", wire.peer)];
        let head = Head { lines, ..Head::new(request.url.without_fragment(), media) };
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        if count == 0 {
            return Ok(End { cut: Some("the server closed the connection without sending anything".into()) });
        }
        buffer.truncate(count);
        relay.stream(&mut wire, buffer).await
    })
}

/// What a path names.
fn kind(url: &Url, start: &[u8]) -> String {
    match url.path().rsplit('/').next() {
        None | Some("") => media::NEX.into(),
        Some(name) => guess::of_file(name, start),
    }
}

//! `mid:` and `cid:` URLs (RFC 2392): what the owner of the fetch has taken out of a message. Nothing is ever sent for them.

use super::relay::{Relay, Room};
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Verdict};
use std::sync::Arc;

/// Octets passed on at a time.
const PIECE: usize = 64 * 1024;

/// Passes on what the request holds.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(async move {
        let Some(held) = request.held.clone() else {
            return Err(FetchError::new(
                Kind::NotFound,
                "This names a part of a message, and no message is open here.",
            )
            .tried(format!("nothing: {}", request.url.redacted())));
        };
        let media = request.media.clone().unwrap_or_else(|| held.media.clone());
        let head = Head {
            charset: held.charset.clone(),
            filename: held.filename.clone(),
            length: Some(held.octets.len() as u64),
            within: Some(Arc::clone(&held.within)),
            ..Head::new(request.url.without_fragment(), media)
        };
        let mut relay = Relay::new(exchange, &head.media, &context.limits);
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        for piece in held.octets.chunks(PIECE) {
            if relay.pass(piece.to_vec()).await? == Room::Full {
                return Ok(End { cut: Some(relay.cut()) });
            }
        }
        Ok(End::default())
    })
}

//! `data:` URLs (RFC 2397): what the URL itself holds, as [`crate::url::scheme::data`] reads it.

use super::relay::{Relay, Room};
use super::{Context, End, Exchange, Fetching, Head, Request, Verdict};
use crate::url::scheme::data::Data;

/// Fetches what a `data:` URL holds.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(async move {
        let Data { media, body } = Data::of(&request.url)?;
        let (media, parameters) = media.split_once(';').unwrap_or((&media, ""));
        let mut named = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
        let charset = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
        let charset = charset.map(|(_, name)| name.trim().trim_matches('"').to_owned());
        let media = request.media.clone().unwrap_or_else(|| media.trim().to_ascii_lowercase());
        let length = Some(body.len() as u64);
        let head = Head { charset, length, ..Head::new(request.url.without_fragment(), media) };
        let mut relay = Relay::new(exchange, &head.media, &context.limits);
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        match relay.pass(body).await? {
            Room::Left => Ok(End::default()),
            Room::Full => Ok(End { cut: Some(relay.cut()) }),
        }
    })
}

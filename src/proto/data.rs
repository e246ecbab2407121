//! `data:` URLs (RFC 2397): the octets are in the URL itself.

use super::relay::{Relay, Room};
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Verdict};
use crate::url::{Url, escape};

/// Fetches what a `data:` URL holds.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(async move {
        let (media, charset, octets) = read(&request.url)?;
        let head = Head {
            url: request.url.without_fragment(),
            media: request.media.clone().unwrap_or(media),
            charset,
            length: Some(octets.len() as u64),
            filename: None,
            title: None,
            security: None,
            lines: Vec::new(),
        };
        let mut relay = Relay::new(exchange, &head.media, &context.limits);
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        match relay.pass(octets).await? {
            Room::Left => Ok(End::default()),
            Room::Full => Ok(End { cut: Some(relay.cut()) }),
        }
    })
}

/// Media type, charset and octets.
fn read(url: &Url) -> Result<(String, Option<String>, Vec<u8>), FetchError> {
    let mut text = url.path().to_owned();
    if let Some(query) = url.query() {
        text.push('?');
        text.push_str(query);
    }
    let Some((declared, data)) = text.split_once(',') else {
        return Err(FetchError::new(Kind::Malformed, "A data: URL needs a comma before its data."));
    };
    let mut words = declared.split(';').map(str::trim);
    let media = words.next().filter(|media| media.contains('/')).map(str::to_ascii_lowercase);
    let (mut charset, mut base64) = (None, false);
    for word in words {
        match word.split_once('=') {
            Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
                charset = Some(value.trim_matches('"').into())
            }
            None if word.eq_ignore_ascii_case("base64") => base64 = true,
            _ => {}
        }
    }
    let octets = escape::decode(data);
    let octets = match base64 {
        false => octets,
        true => decode(&octets)
            .ok_or_else(|| FetchError::new(Kind::Malformed, "The data of this data: URL are not Base64."))?,
    };
    Ok((media.unwrap_or_else(|| "text/plain".into()), charset, octets))
}

/// Base64 (RFC 4648) of either alphabet; white space and missing padding do no harm.
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    let end = text.iter().rposition(|b| !b.is_ascii_whitespace() && *b != b'=').map_or(0, |last| last + 1);
    for &b in text[..end].iter().filter(|b| !b.is_ascii_whitespace()) {
        let six = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        count += 1;
        if count == 4 {
            out.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, count) = (0, 0);
        }
    }
    match count {
        0 => Some(out),
        2 => {
            out.push((bits >> 4) as u8);
            Some(out)
        }
        3 => {
            out.extend_from_slice(&[(bits >> 10) as u8, (bits >> 2) as u8]);
            Some(out)
        }
        _ => None,
    }
}

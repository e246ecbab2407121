//! Messages of mailboxes of this machine as one page, in the order of their thread (NEWS-09): each is named by its `file:` URL, as the
//! list of its mailbox has it. One that is not there any more is told of in its place.
//!
//! Refuses: what is no file, and more of a message than is shown among others.

use super::{Exchange, FetchError, Relay, Room, Url, named, on_disk, path};
use crate::format::mbox::Single;
use crate::format::media;
use crate::format::message::conversation::{Framed, framed};
use crate::proto::{Context, End, Head, Verdict};
use crate::url::scheme::{self, Act};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// Octets of a message that is shown among others.
const LONGEST: u64 = 4 << 20;
/// Octets of a file of messages that are read at a time.
const PIECE: usize = 64 * 1024;

/// Reads the messages, one after the other.
pub(super) async fn read(
    places: &Arc<[Vec<u8>]>,
    url: Url,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let mut relay = Relay::new(exchange, media::THREAD, &context.limits);
    let head = Head { lines: vec!["from mailboxes of this machine".into()], ..Head::new(url, media::THREAD) };
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    relay.pass(format!("{}\n", places.len()).into_bytes()).await?;
    for at in 0..places.len() {
        let own = Arc::clone(places);
        let found = on_disk(context.limits.silence, move || Ok(one(&own[at]))).await;
        let octets = found.unwrap_or_else(|_| framed(&places[at], Framed::Missing));
        if relay.pass(octets).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
    }
    Ok(End::default())
}

/// A message as it stands in its thread.
fn one(place: &[u8]) -> Vec<u8> {
    let octets = message(place);
    let is_long = |octets: &Vec<u8>| octets.len() as u64 > LONGEST;
    framed(
        place,
        match &octets {
            None => Framed::Missing,
            Some(octets) if is_long(octets) => Framed::TooLong,
            Some(octets) => Framed::Article(octets),
        },
    )
}

/// The octets of a message; more than are shown where it is too long.
fn message(place: &[u8]) -> Option<Vec<u8>> {
    let url = Url::parse(std::str::from_utf8(place).ok()?).ok()?;
    let Act::File(octets) = scheme::plan(&url).ok()?.act else { return None };
    let path = path(octets).ok()?;
    // To open a pipe waits for its other end.
    if !std::fs::metadata(&path).ok()?.is_file() {
        return None;
    }
    let (mut file, mut out) = (File::open(&path).ok()?, Vec::new());
    let Some(begin) = named::message(&url) else {
        file.take(LONGEST + 1).read_to_end(&mut out).ok()?;
        return Some(out);
    };
    file.seek(SeekFrom::Start(begin)).ok()?;
    let (mut single, mut piece) = (Single::default(), vec![0; PIECE]);
    while !single.is_over() && out.len() as u64 <= LONGEST {
        match file.read(&mut piece).ok()? {
            0 => {
                single.finish(&mut out);
                break;
            }
            count => single.feed(&piece[..count], &mut out),
        }
    }
    (!single.is_wrong() && !out.is_empty()).then_some(out)
}

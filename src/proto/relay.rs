//! Passes a body on to the owner, counted, and cut at the limit of a page.

use super::net::Wire;
use super::{End, Exchange, FetchError, Head, Verdict};
use crate::config::Limits;

/// Read at once, and passed on at once.
const CHUNK: usize = 64 * 1024;
/// Why an answer over TLS may be cut.
const TORN: &str = "the server closed TLS without its goodbye, so the end may be missing";

/// A body on its way.
pub struct Relay<'a> {
    exchange: &'a mut Exchange,
    sent: u64,
    limit: u64,
}

/// Whether more may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// There is room.
    Left,
    /// The limit is reached; what was too much is dropped.
    Full,
}

impl<'a> Relay<'a> {
    /// For a body of this media type: pages have a limit, what is only saved has none.
    pub fn new(exchange: &'a mut Exchange, media: &str, limits: &Limits) -> Relay<'a> {
        Relay::resumed(exchange, media, limits, 0)
    }

    /// For the rest of a body of which so many octets were passed on.
    pub fn resumed(exchange: &'a mut Exchange, media: &str, limits: &Limits, sent: u64) -> Relay<'a> {
        Relay { exchange, sent, limit: if is_page(media) { limits.page } else { u64::MAX } }
    }

    /// Says the head and waits for the verdict.
    ///
    /// # Errors
    /// The owner has gone.
    pub async fn head(&mut self, head: Head) -> Result<Verdict, FetchError> {
        Ok(self.exchange.head(head).await?)
    }

    /// Passes octets on at once.
    ///
    /// # Errors
    /// The owner has gone.
    pub async fn pass(&mut self, mut octets: Vec<u8>) -> Result<Room, FetchError> {
        let left = self.limit - self.sent;
        let room = if octets.len() as u64 > left { Room::Full } else { Room::Left };
        if room == Room::Full {
            octets.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        }
        if !octets.is_empty() {
            self.sent += octets.len() as u64;
            self.exchange.body(octets).await?;
        }
        Ok(room)
    }

    /// Passes on what came behind the head, and all that comes until the connection ends.
    ///
    /// # Errors
    /// The owner has gone.
    pub async fn stream(&mut self, wire: &mut Wire, mut octets: Vec<u8>) -> Result<End, FetchError> {
        let mut buffer = vec![0; CHUNK];
        loop {
            if self.pass(octets).await? == Room::Full {
                return Ok(End { cut: Some(self.cut()) });
            }
            octets = match wire.read(&mut buffer).await {
                Ok(0) if wire.is_torn() => return Ok(End { cut: Some(TORN.into()) }),
                Ok(0) => return Ok(End::default()),
                Ok(count) => buffer[..count].to_vec(),
                Err(lost) => return Ok(End { cut: Some(lost.remark(self.sent())) }),
            };
        }
    }

    /// How many octets were passed on.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// What to tell the reader when the limit was reached.
    pub fn cut(&self) -> String {
        format!("cut at {}", amount(self.limit))
    }
}

/// Whether a media type is read as a page and so held in memory.
fn is_page(media: &str) -> bool {
    const PAGES: &[&str] = &[
        "text/",
        "message/",
        "application/gopher",
        "application/x-directory",
        "application/x-cso",
        "application/x-newsgroup",
    ];
    PAGES.iter().any(|start| media.starts_with(start)) || media.ends_with("xml")
}

/// An amount as the settings write it: in the largest unit that divides it.
fn amount(octets: u64) -> String {
    const UNITS: &[(u64, &str)] = &[(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(size, _)| octets >= *size && octets.is_multiple_of(*size)) {
        Some((size, unit)) => format!("{} {unit}", octets / size),
        None => format!("{octets} octets"),
    }
}

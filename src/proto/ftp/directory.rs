//! A directory: the richest listing that the server has, as lines of MLSD.

use super::Visit;
use super::data::Data;
use super::reply::{Reply, text};
use super::session::Session;
use super::targets::Doubts;
use crate::format::listing::Converter;
use crate::format::media;
use crate::proto::net::Lost;
use crate::proto::relay::{Relay, Room};
use crate::proto::{End, FetchError, Head, Kind, Verdict};
use crate::url::scheme::ftp;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::Duration;
use tokio::time::timeout;

/// Lists hidden files, too, by custom.
const ALL: &str = "LIST -a";
/// Read at once.
const CHUNK: usize = 32 * 1024;
/// How long lines are held for a server that hesitates, until it is sure how they are to be read.
const PATIENCE: Duration = Duration::from_millis(250);
/// Passed on at once; lines of bare names grow when they are converted.
const LARGEST: usize = 256 * 1024;

impl Visit<'_> {
    /// Lists the working directory (D10): MLSD where it is offered, else LIST, else NLST.
    pub(super) async fn list(mut self) -> Result<End, FetchError> {
        let url = ftp::directory(&self.url)?;
        let title = self.title();
        let (listing, refusals) = self.listing().await?;
        let arrived = self.arrived.take();
        // Where one may write there is often nothing to be seen.
        let mute = listing.is_none() && !refusals.iter().any(Reply::says_empty);
        if mute && arrived.is_none() {
            return Err(unlisted(&refusals));
        }
        let media = self.media.take().unwrap_or_else(|| media::DIRECTORY.into());
        let mut head = Head { title: Some(title), ..self.head(url, media) };
        if let Some(arrived) = arrived {
            head.nothing = mute.then(|| arrived.clone());
            head.notices.insert(0, arrived);
        }
        let mut relay = Relay::new(self.exchange, media::DIRECTORY, &self.context.limits);
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        let Some((data, mut lines, command)) = listing else { return Ok(End::default()) };
        let limit = self.context.limits.page;
        let (end, octets) = pour(self.session, data, &mut lines, &mut relay, limit).await?;
        if let Lines::Doubted(mut doubts) = lines {
            self.session.hides_targets |= doubts.is_any();
            if !self.session.hides_targets {
                return Ok(end);
            }
            let command = if self.hidden { ALL } else { "LIST" };
            let told = match end.cut {
                // Without an answer there is no word on links, and the listing is what it was.
                None => self.session.data(command, 0).await.ok().and_then(Result::ok),
                Some(_) => None,
            };
            let told = told.map(|data| (&mut *self.session, data, converter()));
            let mut out = Vec::new();
            doubts.settle(told, limit, &mut out).await;
            let full = pass(&mut out, &mut relay).await? == Room::Full;
            return Ok(if full { End { cut: Some(relay.cut()) } } else { end });
        }
        // With -a there is always the directory itself: nothing at all is what a server has that takes the sign for a name.
        if command == ALL
            && octets == 0
            && end.cut.is_none()
            && let Ok(data) = self.session.data("LIST", 0).await?
        {
            return Ok(pour(self.session, data, &mut Lines::of("LIST"), &mut relay, limit).await?.0);
        }
        Ok(end)
    }

    /// The first listing that the server gives, and what it said to the others.
    async fn listing(&mut self) -> Result<(Option<(Data, Lines, &'static str)>, Vec<Reply>), FetchError> {
        let mut refusals = Vec::new();
        // MLSD lists what is there; an argument with a sign is custom alone, and where it is refused LIST does without.
        let hidden = self.hidden.then_some(ALL);
        for command in std::iter::once("MLSD").chain(hidden).chain(["LIST", "NLST"]) {
            if command == "MLSD" && !self.session.offers.mlsd {
                continue;
            }
            match self.session.data(command, 0).await? {
                Ok(data) if command == "MLSD" && self.targets => {
                    return Ok((Some((data, Lines::Doubted(Doubts::default()), command)), refusals));
                }
                Ok(data) => return Ok((Some((data, Lines::of(command), command)), refusals)),
                Err(reply) => refusals.push(reply),
            }
            if !refusals.last().is_some_and(Reply::leaves_others) {
                break;
            }
        }
        Ok((None, refusals))
    }

    /// The place in words: `ftp.example.org/pub/docs/`.
    fn title(&self) -> String {
        let directory = self.ftp.directory();
        let mut path: Vec<&[u8]> = directory.unwrap_or_else(|| {
            let name = self.ftp.name.as_deref().unwrap_or_default();
            self.ftp.cwd.iter().map(Vec::as_slice).chain([name]).collect()
        });
        path.push(b"");
        format!("{}/{}", self.session.endpoint().host, text(&path.join(&b'/')))
    }
}

fn unlisted(refusals: &[Reply]) -> FetchError {
    let words = refusals.last().map(Reply::words).unwrap_or_default();
    let kind = if refusals.iter().any(Reply::denies) { Kind::Denied } else { Kind::Said };
    FetchError::new(kind, format!("The server does not list this directory: {words}"))
}

/// What makes lines of MLSD of a listing.
enum Lines {
    /// They are.
    Given,
    /// They are, but for links of which it is not said where they lead.
    Doubted(Doubts),
    /// They become.
    Made(Box<Converter>),
}

impl Lines {
    /// For the answer to a command.
    fn of(command: &str) -> Lines {
        match command {
            "MLSD" => Lines::Given,
            "NLST" => Lines::Made(Box::new(Converter::names())),
            _ => Lines::Made(Box::new(converter())),
        }
    }

    fn feed(&mut self, octets: &[u8], out: &mut Vec<u8>) {
        match self {
            Lines::Given => out.extend_from_slice(octets),
            Lines::Doubted(doubts) => doubts.feed(octets, out),
            Lines::Made(converter) => converter.feed(octets, out),
        }
    }

    fn settle(&mut self, out: &mut Vec<u8>) {
        if let Lines::Made(converter) = self {
            converter.settle(out);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        match self {
            Lines::Given => {}
            Lines::Doubted(doubts) => doubts.finish(out),
            Lines::Made(converter) => converter.finish(out),
        }
    }
}

fn converter() -> Converter {
    Converter::new(TimeZone::UTC.to_datetime(Timestamp::now()))
}

/// Passes a listing on; says how it ended, and how many octets came.
async fn pour(
    session: &mut Session,
    mut data: Data,
    lines: &mut Lines,
    relay: &mut Relay<'_>,
    limit: u64,
) -> Result<(End, u64), FetchError> {
    let mut buffer = vec![0; CHUNK];
    let mut out = Vec::new();
    let mut octets: u64 = 0;
    let lost: Option<Lost> = loop {
        let read = match timeout(PATIENCE, data.read(&mut buffer)).await {
            Ok(read) => read,
            Err(_) => {
                lines.settle(&mut out);
                if pass(&mut out, relay).await? == Room::Full {
                    return Ok((End { cut: Some(relay.cut()) }, octets));
                }
                data.read(&mut buffer).await
            }
        };
        match read {
            Ok(0) => break None,
            Ok(count) => {
                octets += count as u64;
                lines.feed(&buffer[..count], &mut out);
            }
            Err(lost) => break Some(lost),
        }
        // Lines that come to nothing count as well, or a listing of them would never end.
        if octets > limit || pass(&mut out, relay).await? == Room::Full {
            return Ok((End { cut: Some(relay.cut()) }, octets));
        }
    };
    lines.finish(&mut out);
    if pass(&mut out, relay).await? == Room::Full {
        return Ok((End { cut: Some(relay.cut()) }, octets));
    }
    let cut = match lost {
        Some(lost) => Some(lost.remark(octets)),
        None => session.finish(data).await,
    };
    Ok((End { cut }, octets))
}

/// Passes all of it on, in pieces.
async fn pass(out: &mut Vec<u8>, relay: &mut Relay<'_>) -> Result<Room, FetchError> {
    for piece in out.chunks(LARGEST) {
        if relay.pass(piece.to_vec()).await? == Room::Full {
            return Ok(Room::Full);
        }
    }
    out.clear();
    Ok(Room::Left)
}

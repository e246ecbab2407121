//! A body on its way to its owner, block by block, with bounds on what is read as well as on what is passed on.

use super::Visit;
use super::block::Lines;
use super::session::Session;
use crate::config::Limits;
use crate::proto::relay::{Relay, Room};
use crate::proto::{FetchError, Head, Verdict};

/// Passed on at once; lines may grow when they are put into another shape.
const LARGEST: usize = 256 * 1024;

/// A page that grows.
pub(super) struct Page<'a> {
    pub session: &'a mut Session,
    relay: Relay<'a>,
    /// Octets that were read. Lines that come to nothing count as well, or a list of them would never end.
    read: u64,
    limit: u64,
    longest: usize,
    /// Lines that were too long.
    pub dropped: u64,
}

/// How a block ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ended {
    /// As it should.
    Whole,
    /// Too early; a remark for the reader.
    Cut(String),
}

impl<'a> Page<'a> {
    /// Says the head; nothing when the owner refuses the body.
    pub async fn begin(visit: Visit<'a>, media: &str, head: Head) -> Result<Option<Page<'a>>, FetchError> {
        let limits = &visit.context.limits;
        let mut relay = Relay::new(visit.exchange, media, limits);
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(None);
        }
        Ok(Some(Page::on(visit.session, relay, limits)))
    }

    /// Goes on with a body of which so many octets were passed on before the server was asked.
    pub async fn resume(visit: Visit<'a>, media: &str, head: Head, sent: u64) -> Result<Page<'a>, FetchError> {
        let limits = &visit.context.limits;
        visit.exchange.answered(head).await?;
        let relay = Relay::resumed(visit.exchange, media, limits, sent);
        Ok(Page::on(visit.session, relay, limits))
    }

    fn on(session: &'a mut Session, relay: Relay<'a>, limits: &Limits) -> Page<'a> {
        Page { session, relay, read: 0, limit: limits.page, longest: limits.line, dropped: 0 }
    }

    /// Passes octets on.
    pub async fn pass(&mut self, octets: &[u8]) -> Result<Ended, FetchError> {
        for piece in octets.chunks(LARGEST) {
            if self.relay.pass(piece.to_vec()).await? == Room::Full {
                return Ok(Ended::Cut(self.relay.cut()));
            }
        }
        Ok(Ended::Whole)
    }

    /// Passes a block on as it is; `seen` is shown all of it.
    pub async fn octets(&mut self, seen: &mut (dyn FnMut(&[u8]) + Send)) -> Result<Ended, FetchError> {
        let mut out = Vec::new();
        loop {
            let more = self.session.block(&mut out).await;
            seen(&out);
            let passed = self.pass(&out).await?;
            out.clear();
            match more {
                _ if passed != Ended::Whole => return Ok(passed),
                Ok(true) => {}
                Ok(false) => return Ok(Ended::Whole),
                Err(lost) => return Ok(Ended::Cut(lost.remark(self.relay.sent()))),
            }
        }
    }

    /// Passes a block on line by line, each in the shape that `shape` gives it.
    pub async fn lines(&mut self, shape: &mut (dyn FnMut(&[u8], &mut Vec<u8>) + Send)) -> Result<Ended, FetchError> {
        self.cut(Lines::new(self.longest), shape).await
    }

    /// The same of overviews: of a line that is too long beginning and end are worth something.
    pub async fn overviews(
        &mut self,
        shape: &mut (dyn FnMut(&[u8], &mut Vec<u8>) + Send),
    ) -> Result<Ended, FetchError> {
        self.cut(Lines::shortening(self.longest), shape).await
    }

    async fn cut(
        &mut self,
        mut lines: Lines,
        shape: &mut (dyn FnMut(&[u8], &mut Vec<u8>) + Send),
    ) -> Result<Ended, FetchError> {
        let (mut octets, mut out) = (Vec::new(), Vec::new());
        loop {
            let more = self.session.block(&mut octets).await;
            self.read += octets.len() as u64;
            lines.feed(&octets, &mut |line| shape(line, &mut out));
            self.dropped += std::mem::take(&mut lines.dropped);
            octets.clear();
            let passed = self.pass(&out).await?;
            out.clear();
            match more {
                _ if passed != Ended::Whole => return Ok(passed),
                Err(lost) => return Ok(Ended::Cut(lost.remark(self.read))),
                Ok(false) => return Ok(Ended::Whole),
                Ok(true) if self.read > self.limit => return Ok(Ended::Cut(self.relay.cut())),
                Ok(true) => {}
            }
        }
    }
}

/// Lines that are not shown are told of.
pub(super) fn left_out(lines: u64) -> Option<String> {
    match lines {
        0 => None,
        1 => Some("one line of the answer made no sense".into()),
        many => Some(format!("{many} lines of the answer made no sense")),
    }
}

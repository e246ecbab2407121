//! An archive that stays where it is: its table and one member at a time are fetched, from servers that send parts of a file
//! (Range, RFC 9110, 14.2; REST, RFC 3659, 5).
//!
//! Only of a zip, whose table stands at its end. Each part must begin where it was asked to, of a file of the same length and the
//! same words to tell it by; else the whole is fetched, as from everybody else.

use super::octets::{Octets, Parts};
use super::shelf::Opened;
use crate::archive::{self, Archive, Member};
use crate::format::human;
use crate::proto::{Context, End, Exchange, FetchError, FetchEvent, Head, Kind, Request, Resume, Verdict};
use crate::stop::Stop;
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Octets of an archive from which on parts are worth their questions; of FTP, where each costs a login.
const WORTH: u64 = 1 << 20;
const WORTH_OF_FTP: u64 = 8 << 20;
/// What is asked for first: the end, with most tables in it.
const TAIL: u64 = 128 << 10;
/// Octets of a table at most.
const TABLE: u64 = 64 << 20;
/// What stands before a member's octets at most beside its name, and how much of a link is read.
const BEFORE: u64 = 30 + 0xFFFF;
/// Members that are asked for one by one, of an archive that could be held as well.
const MEMBERS: u64 = 32;
/// Links that are looked for one by one.
const LINKS: usize = 8;

/// An archive on a server.
#[derive(Debug, Clone)]
pub(super) struct Far {
    url: Url,
    length: u64,
    validator: String,
    /// How often a member was asked for, and how many octets came. Clones share them.
    asked: Arc<(AtomicU64, AtomicU64)>,
}

/// Who asks, and through whom.
pub(super) struct Way<'a> {
    pub request: &'a Request,
    pub exchange: &'a mut Exchange,
    pub context: &'a Context,
}

impl Far {
    /// The archive of which a server has said this, where it can and should stay there.
    pub fn of(head: &Head, url: &Url, name: &str) -> Option<Far> {
        let (length, validator) = (head.length?, head.validator.clone()?);
        let says = |line: &String| {
            let line = line.to_ascii_lowercase();
            line.strip_prefix("accept-ranges:").is_some_and(|units| units.split(',').any(|unit| unit.trim() == "bytes"))
        };
        let (worth, sends) = match scheme::family(url) {
            Family::Web => (WORTH, head.lines.iter().any(says)),
            // Of a length alone nobody knows a file again.
            Family::Ftp => (WORTH_OF_FTP, head.modified.is_some()),
            Family::Sftp => (WORTH, head.modified.is_some()),
            _ => return None,
        };
        let stays = sends && length >= worth && head.start == 0 && archive::is_zip(&head.media, name);
        stays.then(|| Far { url: url.clone(), length, validator, asked: Arc::default() })
    }

    /// Its octets.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// What is in it; `None` where it has to be fetched as a whole.
    pub async fn table(&self, way: &mut Way<'_>) -> Result<Option<Archive>, FetchError> {
        let from = self.length.saturating_sub(TAIL);
        let Some(tail) = self.part(from, self.length, way).await? else { return Ok(None) };
        let mut parts = Parts::new(self.length);
        parts.add(from, tail);
        let Ok(start) = archive::table_of_zip(&mut parts.clone()) else { return Ok(None) };
        if self.length - start.min(self.length) > TABLE {
            return Ok(None);
        }
        if start < from {
            let Some(table) = self.part(start, from, way).await? else { return Ok(None) };
            parts.add(start, table);
        }
        for left in (0..=LINKS).rev() {
            let own = parts.clone();
            let (read, own) = super::aside(move |stop: &Stop| {
                let mut own = own;
                Ok((Archive::read_zip(&mut own, stop), own))
            })
            .await?;
            let Ok(archive) = read else { return Ok(None) };
            // Where links lead stands in themselves. Of many it is not asked.
            let Some(missed) = own.missed().filter(|_| left > 0) else { return Ok(Some(archive)) };
            let until = missed.saturating_add(BEFORE).min(self.length);
            let Some(link) = self.part(missed, until, way).await? else { return Ok(None) };
            parts.add(missed, link);
        }
        Ok(None)
    }

    /// The octets of a member, where they stand in the archive; `None` where that is another by now.
    pub async fn member(
        &self,
        opened: &Opened,
        member: &Member,
        way: &mut Way<'_>,
    ) -> Result<Option<Octets>, FetchError> {
        let most = way.context.limits.memory as u64;
        let (times, octets) = (self.asked.0.fetch_add(1, Ordering::Relaxed), self.asked.1.load(Ordering::Relaxed));
        // Whoever reads it all, one after the other, has it sooner as a whole.
        if self.length <= most && (times >= MEMBERS || octets > self.length / 2) {
            return Ok(None);
        }
        let mut parts = Parts::new(self.length);
        if let Some((from, until)) = opened.archive.span(member) {
            let (from, until) = (from.min(self.length), until.min(self.length));
            if until - from > most.saturating_add(BEFORE) {
                let detail =
                    format!("This member is larger than {}, the most that is held (limits.memory).", human(most));
                return Err(FetchError::new(Kind::TooLarge, detail).hint("Save the archive, and open it from there."));
            }
            let Some(octets) = self.part(from, until, way).await? else { return Ok(None) };
            self.asked.1.fetch_add(octets.len() as u64, Ordering::Relaxed);
            parts.add(from, octets);
        }
        Ok(Some(Octets::Parts(parts)))
    }

    /// The octets from one place to another. `None` where the server sends something else.
    async fn part(&self, from: u64, until: u64, way: &mut Way<'_>) -> Result<Option<Vec<u8>>, FetchError> {
        if until <= from {
            return Ok(Some(Vec::new()));
        }
        let Way { request, exchange, context } = way;
        let (login, led) = (request.login.clone(), request.led.clone());
        let (private, unwatched) = (request.private, request.unwatched);
        let resume = Some(Resume { from, validator: self.validator.clone(), as_listed: false });
        let asked =
            Request { login, led, private, unwatched, resume, until: Some(until), ..Request::new(self.url.clone()) };
        let (mut inner, mut events, verdict) = Exchange::new(2);
        let fetch = async {
            let outcome = crate::proto::fetch(&asked, &mut inner, context).await;
            inner.close(outcome).await;
        };
        let take = self.take(from, until, exchange, &mut events, verdict);
        tokio::pin!(fetch, take);
        // The rest of what a server sends is nobody's: with the fetch its connection goes.
        tokio::select! {
            taken = &mut take => taken,
            () = &mut fetch => take.await,
        }
    }

    async fn take(
        &self,
        from: u64,
        until: u64,
        exchange: &mut Exchange,
        events: &mut tokio::sync::mpsc::Receiver<FetchEvent>,
        verdict: tokio::sync::oneshot::Sender<Verdict>,
    ) -> Result<Option<Vec<u8>>, FetchError> {
        let wanted = usize::try_from(until - from).unwrap_or(usize::MAX);
        let (mut octets, mut verdict) = (Vec::new(), Some(verdict));
        let short = |octets: &[u8]| {
            let detail = format!("{} of {wanted} octets of a part of the archive came.", octets.len());
            FetchError::new(Kind::Broken, detail)
        };
        while let Some(event) = events.recv().await {
            match event {
                FetchEvent::Stage(stage) => exchange.stage(stage).await?,
                FetchEvent::Sent(sent) => exchange.sent_for(sent).await?,
                FetchEvent::Head(head) => {
                    let same = head.length == Some(self.length) && head.validator.as_ref() == Some(&self.validator);
                    if !same || head.start != from || head.status.is_some() {
                        return Ok(None);
                    }
                    if let Some(verdict) = verdict.take() {
                        // A fetch that has just failed says so next.
                        let _ = verdict.send(Verdict::Accept);
                    }
                }
                FetchEvent::Body(piece) => {
                    octets.extend(piece);
                    if octets.len() >= wanted {
                        octets.truncate(wanted);
                        return Ok(Some(octets));
                    }
                }
                FetchEvent::Moved(_) | FetchEvent::Unchanged => return Ok(None),
                FetchEvent::End(End { cut: Some(why) }) => {
                    let error = short(&octets);
                    return Err(FetchError { detail: format!("{} {why}.", error.detail), ..error });
                }
                FetchEvent::End(End { cut: None }) => return Err(short(&octets)),
                // It refuses to begin there.
                FetchEvent::Failed(error) if error.kind == Kind::Said => return Ok(None),
                FetchEvent::Failed(error) => return Err(error),
            }
        }
        Err(short(&octets))
    }
}

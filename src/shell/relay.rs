//! What a fetch says, on its way to the browser: as it is, read as a page by a thread of its own, or into a file, as is decided
//! about its head.

use super::copies::{Keeping, Pieces};
use super::fetch::Decision;
use super::outside::Outside;
use super::page_reader::{self, Piece, Teller};
use super::place::Place;
use super::rate::Rate;
use super::save::{Saver, Writing};
use crate::app::{Destination, JobId, Msg, Transfer};
use crate::format::{Intake, media};
use crate::proto::{FetchError, FetchEvent, Head, Kind, Stage, Verdict};
use crate::stop::Stop;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// What a fetch says, on its way to the browser or into a file.
pub(super) struct Relay {
    pub(super) id: JobId,
    pub(super) started: Instant,
    pub(super) messages: mpsc::Sender<Msg>,
    pub(super) outside: Option<Outside>,
    pub(super) rate: Arc<Rate>,
    pub(super) stop: Stop,
    /// How its page is kept.
    pub(super) keeping: Option<Keeping>,
}

impl Relay {
    pub(super) async fn run(
        mut self,
        mut events: mpsc::Receiver<FetchEvent>,
        mut decisions: mpsc::UnboundedReceiver<Decision>,
        verdict: oneshot::Sender<Verdict>,
    ) {
        let (mut verdict, mut pieces) = (Some(verdict), None::<Pieces>);
        while let Some(mut event) = events.recv().await {
            pieces = pieces.and_then(|pieces| pieces.take(&event));
            if let (FetchEvent::Head(head), Some(keeping)) = (&mut event, &self.keeping) {
                keeping.offer(head).await;
            }
            let head = match &event {
                FetchEvent::Head(head) => Some(head.clone()),
                _ => None,
            };
            if let (FetchEvent::Sent(sent), Some(keeping)) = (&event, &mut self.keeping) {
                keeping.was_sent(sent);
            }
            let opens = match (&event, &self.keeping) {
                // Before it is told: what it leads to may be there sooner than this goes on.
                (FetchEvent::Moved(moved), Some(keeping)) => keeping.leads_on(moved),
                _ => false,
            };
            if !self.tell(event).await {
                return;
            }
            if let Some(keeping) = self.keeping.as_ref().filter(|_| opens) {
                keeping.was_opened(&self.messages);
            }
            let Some((answer, head)) = head.and_then(|head| Some((verdict.take()?, head))) else { continue };
            let decided = self.decision(&head, &mut decisions).await;
            let opens = head.status.is_none() && !matches!(decided, None | Some(Decided::Show(Verdict::Refuse)));
            if let Some(keeping) = self.keeping.as_ref().filter(|_| opens) {
                keeping.was_opened(&self.messages);
            }
            match decided {
                Some(Decided::Show(given)) => {
                    pieces = Pieces::new(self.keeping.clone().filter(|_| given == Verdict::Accept), &head);
                    let _ = answer.send(given);
                }
                Some(Decided::File(saver)) => return self.save(*saver, &head, answer, events).await,
                Some(Decided::Page(intake)) => {
                    let _ = answer.send(Verdict::Accept);
                    self.keeping = self.keeping.take().and_then(|keeping| keeping.of(&head));
                    return self.read(*intake, events, decisions).await;
                }
                None => return,
            }
        }
    }

    /// Has the body read as a page.
    async fn read(
        mut self,
        intake: Intake,
        mut events: mpsc::Receiver<FetchEvent>,
        mut decisions: mpsc::UnboundedReceiver<Decision>,
    ) {
        /// After so long what has come is shown as it is.
        const PAUSE: Duration = Duration::from_millis(50);
        /// From then on, before what is held back is shown as it is.
        const SILENCE: Duration = Duration::from_millis(250);
        let keeping = self.keeping.take();
        let teller = Teller { id: self.id, started: self.started, messages: self.messages.clone(), keeping };
        let pieces = page_reader::begin(intake, teller, self.stop.clone());
        let (mut flows, mut waits) = (false, false);
        loop {
            let piece = tokio::select! {
                biased;
                decision = decisions.recv() => match decision {
                    Some(Decision::Parse(intake)) => Piece::Again(intake),
                    Some(Decision::Enough) => Piece::Enough,
                    Some(Decision::Verdict(_) | Decision::Save(_)) => continue,
                    None => return,
                },
                event = events.recv() => match event {
                    Some(FetchEvent::Body(octets)) => Piece::Octets(octets),
                    Some(FetchEvent::End(end)) => Piece::End(Ok(end)),
                    Some(FetchEvent::Failed(error)) => Piece::End(Err(error)),
                    Some(event @ (FetchEvent::Sent(_) | FetchEvent::Head(_))) => {
                        if !self.tell(event).await {
                            return;
                        }
                        continue;
                    }
                    Some(_) => continue,
                    None => return,
                },
                () = tokio::time::sleep(if flows { PAUSE } else { SILENCE }), if flows || waits => {
                    if flows { Piece::Pause } else { Piece::Silence }
                }
            };
            (flows, waits) = (matches!(piece, Piece::Octets(_)), matches!(piece, Piece::Pause));
            let ends = matches!(piece, Piece::End(_) | Piece::Enough);
            if pieces.send(piece).await.is_err() || ends {
                return;
            }
        }
    }

    /// Waits for a decision that can be carried out: a file that exists already is reported and asked about again, and so is
    /// the beginning of one.
    async fn decision(&self, head: &Head, decisions: &mut mpsc::UnboundedReceiver<Decision>) -> Option<Decided> {
        loop {
            let into = match decisions.recv().await? {
                Decision::Verdict(verdict) => return Some(Decided::Show(verdict)),
                Decision::Parse(intake) => return Some(Decided::Page(intake)),
                Decision::Enough => continue,
                Decision::Save(into) => *into,
            };
            match self.open(head, into).await {
                Ok(saver) => return Some(Decided::File(Box::new(saver))),
                Err(transfer) => self.report(transfer).await,
            }
        }
    }

    async fn open(&self, head: &Head, into: Destination) -> Result<Saver, Transfer> {
        let place = Place::find(self.outside.as_ref(), into).await?;
        if place.has_beginning(head.validator.as_deref()).await {
            return Err(Transfer::Partial);
        }
        place.claim().await
    }

    /// A fetch that was begun for its file: the head needs no decision.
    pub(super) async fn into_file(
        mut self,
        saver: Saver,
        is_file: bool,
        mut events: mpsc::Receiver<FetchEvent>,
        verdict: oneshot::Sender<Verdict>,
    ) {
        let mut queued = false;
        while let Some(event) = events.recv().await {
            let head = match &event {
                FetchEvent::Head(head) => Some(head.clone()),
                _ => None,
            };
            // While it waited for its turn it was no file that comes.
            if let FetchEvent::Stage(stage) = &event
                && std::mem::replace(&mut queued, *stage == Stage::Queued)
            {
                self.started = Instant::now();
            }
            // What was taken for a file, a link most likely, is none.
            let event = match event {
                FetchEvent::Head(head) if head.media == media::DIRECTORY && (saver.place.is_in_tree || is_file) => {
                    let what = match saver.place.is_in_tree {
                        true => "It is a directory.",
                        false => "It leads to a directory; on its row, download-tree saves that.",
                    };
                    let error = FetchError::new(Kind::NoFile, what);
                    saver.leave().await;
                    self.tell(FetchEvent::Failed(error)).await;
                    return;
                }
                event => event,
            };
            // How each of thousands of files is asked for, nobody looks at.
            let of_many = saver.place.is_in_tree
                && matches!(event, FetchEvent::Stage(_) | FetchEvent::Sent(_) | FetchEvent::Head(_));
            if !of_many && !self.tell(event).await {
                break;
            }
            if let Some(head) = head {
                self.keeping.iter().for_each(|keeping| keeping.was_opened(&self.messages));
                return self.save(saver, &head, verdict, events).await;
            }
        }
        saver.leave().await;
    }

    async fn save(
        &self,
        saver: Saver,
        head: &Head,
        answer: oneshot::Sender<Verdict>,
        events: mpsc::Receiver<FetchEvent>,
    ) {
        let ended = match saver.begin(head).await {
            Ok((writing, begun)) => {
                let of_many = writing.is_in_tree() && begun == Transfer::Begun(0, None);
                if !of_many {
                    self.report(begun).await;
                }
                if writing.is_in_tree() && writing.is_undated() {
                    self.report(Transfer::Undated).await;
                }
                let _ = answer.send(Verdict::Accept);
                self.write(writing, events).await
            }
            Err(transfer) => Some(transfer),
        };
        if let Some(ended) = ended {
            self.report(ended).await;
        }
    }

    /// Writes the body; says how it ended. Progress is told while octets come, and now and then while none do, so that
    /// a rate falls that has come to nothing.
    async fn write(&self, mut writing: Writing, mut events: mpsc::Receiver<FetchEvent>) -> Option<Transfer> {
        const EVERY: Duration = Duration::from_millis(100);
        const SILENCE: Duration = Duration::from_secs(1);
        let mut reported = Instant::now();
        loop {
            let event = match timeout(SILENCE, events.recv()).await {
                Ok(event) => event?,
                Err(_) => {
                    if let Err(failed) = writing.put_down().await {
                        return Some(failed);
                    }
                    self.report(Transfer::Progress(writing.octets())).await;
                    continue;
                }
            };
            match event {
                FetchEvent::Body(octets) => {
                    let slow = reported.elapsed() >= EVERY;
                    let mut written = writing.write(&octets).await;
                    if slow && written.is_ok() {
                        written = writing.put_down().await;
                    }
                    if let Err(failed) = written {
                        return Some(failed);
                    }
                    if slow {
                        reported = Instant::now();
                        self.report(Transfer::Progress(writing.octets())).await;
                    }
                    self.rate.took(octets.len()).await;
                }
                FetchEvent::End(end) => {
                    let came = Transfer::Progress(writing.octets());
                    let ended = writing.end(end.cut).await;
                    self.report(came).await;
                    return Some(ended);
                }
                FetchEvent::Failed(error) if matches!(error.kind, Kind::TooLarge | Kind::Unsafe) => {
                    return Some(Transfer::Failed(writing.discard(error.detail).await));
                }
                FetchEvent::Failed(error) => return Some(Transfer::Failed(writing.keep(&error.detail).await)),
                _ => {}
            }
        }
    }

    async fn tell(&self, event: FetchEvent) -> bool {
        let message = Msg::Fetch { id: self.id, elapsed: self.started.elapsed(), event };
        self.messages.send(message).await.is_ok()
    }

    pub(super) async fn report(&self, transfer: Transfer) {
        let message = Msg::Transfer { id: self.id, elapsed: self.started.elapsed(), transfer };
        // When the browser has gone there is nobody to report to.
        let _ = self.messages.send(message).await;
    }
}

enum Decided {
    Show(Verdict),
    Page(Box<Intake>),
    File(Box<Saver>),
}

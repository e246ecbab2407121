//! Running fetches: one task each, which relays events to the browser or, after it said so, into a file.

use super::save::Saver;
use super::stdin::{self, Stdin};
use crate::app::{FetchId, Msg, Transfer};
use crate::proto::{self, Context, Exchange, FetchError, FetchEvent, Kind, Request, Verdict};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

/// What the browser decides about a head.
#[derive(Debug)]
pub(super) enum Decision {
    /// Show or refuse.
    Verdict(Verdict),
    /// Into this file.
    Save { path: String, replace: bool },
}

/// What all fetches share.
pub(super) struct World {
    /// Limits and trust.
    pub context: Context,
    /// Standard input, when it is one of the places.
    pub stdin: Option<Stdin>,
}

/// All running fetches.
pub(super) struct Fetches {
    running: HashMap<FetchId, Running>,
    messages: mpsc::Sender<Msg>,
    world: Arc<World>,
    /// Where relative paths of downloads begin; `None` when no file may be written.
    folder: Option<std::path::PathBuf>,
}

struct Running {
    task: AbortHandle,
    decisions: mpsc::UnboundedSender<Decision>,
}

impl Fetches {
    pub(super) fn new(messages: mpsc::Sender<Msg>, world: Arc<World>, folder: Option<std::path::PathBuf>) -> Fetches {
        Fetches { running: HashMap::new(), messages, world, folder }
    }

    /// Starts one.
    pub(super) fn start(&mut self, id: FetchId, request: Request) {
        let (decisions, inbox) = mpsc::unbounded_channel();
        let relay = Relay { id, started: Instant::now(), messages: self.messages.clone(), folder: self.folder.clone() };
        let world = Arc::clone(&self.world);
        let task = tokio::spawn(async move {
            let (exchange, events, verdict) = Exchange::new(2);
            tokio::join!(run(request, exchange, &world), relay.run(events, inbox, verdict));
        });
        self.running.retain(|_, running| !running.task.is_finished());
        self.running.insert(id, Running { task: task.abort_handle(), decisions });
    }

    /// Passes a decision on.
    pub(super) fn decide(&mut self, id: FetchId, decision: Decision) {
        if let Some(running) = self.running.get(&id) {
            // A fetch that has just failed needs no decision any more.
            let _ = running.decisions.send(decision);
        }
    }

    /// Stops one.
    pub(super) fn cancel(&mut self, id: FetchId) {
        if let Some(running) = self.running.remove(&id) {
            running.task.abort();
        }
    }
}

/// Runs the protocol of a request to its end.
pub(super) async fn run(request: Request, mut exchange: Exchange, world: &World) {
    let scheme = request.url.scheme();
    let result = match proto::find(scheme) {
        _ if request.url.as_str() == stdin::URL => match world.stdin.clone() {
            Some(stdin) => stdin.fetch(&request, &mut exchange).await,
            None => Err(FetchError::new(Kind::NotFound, "Standard input was not given; start wayfarer with \"-\".")),
        },
        Some(protocol) => (protocol.fetch)(&request, &mut exchange, &world.context).await,
        None => Err(FetchError::new(Kind::Unsupported, format!("Nothing here can fetch {scheme}: URLs."))),
    };
    exchange.close(result).await;
}

struct Relay {
    id: FetchId,
    started: Instant,
    messages: mpsc::Sender<Msg>,
    folder: Option<std::path::PathBuf>,
}

impl Relay {
    async fn run(
        self,
        mut events: mpsc::Receiver<FetchEvent>,
        mut decisions: mpsc::UnboundedReceiver<Decision>,
        verdict: oneshot::Sender<Verdict>,
    ) {
        let mut verdict = Some(verdict);
        while let Some(event) = events.recv().await {
            let is_head = matches!(event, FetchEvent::Head(_));
            if !self.tell(event).await {
                return;
            }
            let Some(answer) = verdict.take_if(|_| is_head) else { continue };
            match self.decision(&mut decisions).await {
                Some(Decided::Show(given)) => {
                    let _ = answer.send(given);
                }
                Some(Decided::File(saver)) => {
                    let _ = answer.send(Verdict::Accept);
                    return self.save(saver, events).await;
                }
                None => return,
            }
        }
    }

    /// Waits for a decision that can be carried out: a file that exists already is reported and asked about again.
    async fn decision(&self, decisions: &mut mpsc::UnboundedReceiver<Decision>) -> Option<Decided> {
        loop {
            match decisions.recv().await? {
                Decision::Verdict(verdict) => return Some(Decided::Show(verdict)),
                Decision::Save { path, replace } => match Saver::open(self.folder.as_deref(), &path, replace).await {
                    Ok(saver) => return Some(Decided::File(saver)),
                    Err(transfer) => self.report(transfer).await,
                },
            }
        }
    }

    async fn save(&self, mut saver: Saver, mut events: mpsc::Receiver<FetchEvent>) {
        const EVERY: Duration = Duration::from_millis(100);
        let mut reported = Instant::now();
        while let Some(event) = events.recv().await {
            let ended = match event {
                FetchEvent::Body(octets) => match saver.write(&octets).await {
                    Ok(()) => {
                        if reported.elapsed() >= EVERY {
                            reported = Instant::now();
                            self.report(Transfer::Progress(saver.written())).await;
                        }
                        continue;
                    }
                    Err(sentence) => Transfer::Failed(sentence),
                },
                FetchEvent::End(end) => {
                    self.report(Transfer::Progress(saver.written())).await;
                    match saver.finish().await {
                        Ok(path) => Transfer::Done(path, end.cut),
                        Err(sentence) => Transfer::Failed(sentence),
                    }
                }
                FetchEvent::Failed(error) => Transfer::Failed(saver.abandon(&error.detail).await),
                _ => continue,
            };
            return self.report(ended).await;
        }
    }

    async fn tell(&self, event: FetchEvent) -> bool {
        let message = Msg::Fetch { id: self.id, elapsed: self.started.elapsed(), event };
        self.messages.send(message).await.is_ok()
    }

    async fn report(&self, transfer: Transfer) {
        let message = Msg::Transfer { id: self.id, elapsed: self.started.elapsed(), transfer };
        // When the browser has gone there is nobody to report to.
        let _ = self.messages.send(message).await;
    }
}

enum Decided {
    Show(Verdict),
    File(Saver),
}

//! Running fetches: one task each, which relays events to the browser or, after it said so, into a file.

use super::catch_up::CatchUp;
use super::copies::Keeping;
use super::named::Guess;
use super::network::Network;
use super::outside::Outside;
use super::pages;
use super::pipe;
use super::place::Place;
use super::rate::Rate;
use super::relay::Relay;
use super::stdin::{self, Stdin};
use super::subscriptions::Subscriptions;
use super::tour::RunningTour;
use crate::app::{Destination, JobId, Msg, is_tour, may_be_file};
use crate::disk::Writer;
use crate::format::Intake;
use crate::proto::sftp::Ssh;
use crate::proto::{self, Context, Exchange, FetchError, KeptCopy, Kind, Request, Verdict, nntp};
use crate::stop::Stop;
use crate::store::Store;
use crate::url::Url;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

/// What the browser decides about a head.
#[derive(Debug)]
pub(super) enum Decision {
    /// Show or refuse.
    Verdict(Verdict),
    /// Read it as a page; said again, read all of it in this way.
    Parse(Box<Intake>),
    /// What has come of the page is enough.
    Enough,
    /// Into this file.
    Save(Box<Destination>),
}

/// What all fetches share.
pub(super) struct World {
    /// Limits and trust.
    pub context: Context,
    /// The same for private tabs: what it learns ends with the program.
    pub private: Context,
    /// Writes what is kept.
    pub writer: Arc<Writer>,
    /// Pages that were read.
    pub pages: Store,
    /// What was put by to be read later and is yet to be fetched.
    pub later: CatchUp,
    /// What the reader is subscribed to.
    pub subscriptions: Subscriptions,
    /// Standard input, when it is one of the places.
    pub stdin: Option<Stdin>,
    /// The tour, when one is taken.
    pub tour: RunningTour,
    /// Names of the command line that were taken for hosts.
    pub guesses: Vec<Guess>,
}

impl World {
    /// With the reader's `ssh`, where programs may be started. Private tabs have runs of their own.
    pub(super) fn with(mut self, ssh: &Ssh) -> World {
        self.context.ssh = ssh.clone();
        self.private.ssh = ssh.apart();
        self
    }
}

/// All running fetches.
pub(super) struct Fetches {
    /// Where they run: not on the thread of the keyboard.
    network: Arc<Network>,
    running: HashMap<JobId, Running>,
    messages: mpsc::Sender<Msg>,
    world: Arc<World>,
    /// Who writes files and starts programs; nobody when that is not allowed.
    outside: Option<Outside>,
    /// How fast files may come.
    rate: Arc<Rate>,
    /// Somebody asks the store of pages, or will.
    wants_pages: bool,
}

struct Running {
    task: AbortHandle,
    /// Ends the thread that reads its page.
    stop: Stop,
    /// Where decisions about its head go, when it waits for any.
    decisions: Option<mpsc::UnboundedSender<Decision>>,
}

impl Fetches {
    pub(super) fn new(
        network: Arc<Network>,
        messages: mpsc::Sender<Msg>,
        world: Arc<World>,
        outside: Option<Outside>,
    ) -> Fetches {
        let rate = Arc::new(Rate::new(world.context.limits.rate));
        Fetches { network, running: HashMap::new(), messages, world, outside, rate, wants_pages: false }
    }

    /// Begins what the fetches on their way will need when their pages have come.
    pub(super) fn settle(&mut self) {
        if std::mem::take(&mut self.wants_pages) {
            // Its thread may write, where those that talk to servers may not.
            self.world.pages.wake();
        }
    }

    /// Starts one.
    pub(super) fn start(&mut self, id: JobId, request: Request) {
        let (decisions, inbox) = mpsc::unbounded_channel();
        let (mut relay, world) = (self.relay(id), Arc::clone(&self.world));
        if pages::concerns(&request.url) {
            self.wants_pages = true;
            if pages::is_own(&request.url) || request.kept != KeptCopy::Unwanted {
                self.settle();
            }
            relay.keeping = Some(Keeping::new(&world.pages, &request, world.subscriptions.led()));
        }
        let stop = relay.stop.clone();
        let task = self.threads(&request.url).spawn(async move {
            let (exchange, events, verdict) = Exchange::new(2);
            while_wanted(run(request, exchange, &world), relay.run(events, inbox, verdict)).await;
        });
        self.keep(id, Running { task: task.abort_handle(), stop, decisions: Some(decisions) });
    }

    /// Starts one whose body goes into a file, from the end of what is there of it.
    pub(super) fn download(&mut self, id: JobId, request: Request, into: Destination) {
        // Of a failure it is asked whether a copy is kept.
        self.world.pages.wake();
        let (mut relay, world) = (self.relay(id), Arc::clone(&self.world));
        // Of what is new nobody asks where nothing is looked after.
        let led = world.subscriptions.led().filter(|_| pages::concerns(&request.url));
        relay.keeping = led.map(|led| Keeping::new(&world.pages, &request, Some(led)));
        let stop = relay.stop.clone();
        let task = self.threads(&request.url).spawn(async move {
            let saver = match Place::claimed(relay.outside.as_ref(), into).await {
                Ok(saver) => saver,
                Err(transfer) => return relay.report(transfer).await,
            };
            let is_file = may_be_file(&request.url);
            let request = Request { resume: saver.resume(), saved: true, ..request };
            let (exchange, events, verdict) = Exchange::new(2);
            tokio::join!(run(request, exchange, &world), relay.into_file(saver, is_file, events, verdict));
        });
        self.keep(id, Running { task: task.abort_handle(), stop, decisions: None });
    }

    /// Those by which an address is asked for: of one that goes through a proxy, those that talk to proxies.
    fn threads(&self, url: &Url) -> &Handle {
        self.network.of(self.world.context.http.settings.proxies.of(url).unwrap_or(url))
    }

    /// Runs a program whose output is a page.
    pub(super) fn pipe(&mut self, id: JobId, request: Request, program: Vec<String>, input: Vec<u8>) {
        let (decisions, inbox) = mpsc::unbounded_channel();
        let (relay, most, outside) = (self.relay(id), self.world.context.limits.page, self.outside.clone());
        let stop = relay.stop.clone();
        let task = self.network.many().spawn(async move {
            let (mut exchange, events, verdict) = Exchange::new(2);
            let run = async move {
                let result = match outside {
                    None => Err(FetchError::new(Kind::Unsafe, "No program was started: --safe forbids it.")),
                    Some(outside) => {
                        pipe::fetch(&request, &program, &outside.threads.main, input, &mut exchange, most).await
                    }
                };
                exchange.close(result).await;
            };
            while_wanted(run, relay.run(events, inbox, verdict)).await;
        });
        self.keep(id, Running { task: task.abort_handle(), stop, decisions: Some(decisions) });
    }

    fn relay(&self, id: JobId) -> Relay {
        let (started, stop) = (Instant::now(), Stop::new());
        let (messages, outside, rate) = (self.messages.clone(), self.outside.clone(), Arc::clone(&self.rate));
        Relay { id, started, messages, outside, rate, stop, keeping: None }
    }

    fn keep(&mut self, id: JobId, running: Running) {
        self.running.retain(|_, running| !running.task.is_finished());
        self.running.insert(id, running);
    }

    /// Passes a decision on.
    pub(super) fn decide(&mut self, id: JobId, decision: Decision) {
        if let Some(decisions) = self.running.get(&id).and_then(|running| running.decisions.as_ref()) {
            // A fetch that has just failed needs no decision any more.
            let _ = decisions.send(decision);
        }
    }

    /// Stops one.
    pub(super) fn cancel(&mut self, id: JobId) {
        if let Some(running) = self.running.remove(&id) {
            running.stop.give_up();
            running.task.abort();
        }
    }
}

/// Runs the protocol of a request to its end.
pub(super) async fn run(request: Request, mut exchange: Exchange, world: &Arc<World>) {
    let rather = request.kept == KeptCopy::Rather && pages::is_elsewhere(&request.url, world).await;
    let copy = rather && world.pages.when(&request.url).await.is_some();
    let request = Request { kept: if copy { KeptCopy::Only } else { request.kept }, ..request };
    let result = match &world.stdin {
        _ if pages::is_own(&request.url) => pages::page(&request, &mut exchange, world).await,
        _ if request.kept == KeptCopy::Only && pages::is_elsewhere(&request.url, world).await => {
            let own = if request.private { &world.private } else { &world.context };
            match nntp::offline(&request, &mut exchange, own).await {
                Some(shown) => shown,
                None => pages::copy(&request, &mut exchange, world).await,
            }
        }
        _ if is_tour(&request.url) => world.tour.page(&request, &mut exchange).await,
        _ if request.url.as_str() != stdin::URL => match world.tour.context_of(&request.url).await {
            Ok(context) => {
                let own = if request.private { &world.private } else { &world.context };
                proto::fetch(&request, &mut exchange, context.unwrap_or(own)).await
            }
            Err(error) => Err(error),
        },
        Some(stdin) => stdin.clone().fetch(&request, &mut exchange).await,
        None => Err(FetchError::new(Kind::NotFound, "Standard input was not given; start wayfarer with \"-\".")),
    };
    let result = match result {
        Err(error) => {
            let error = pages::offer(error, &request, &world.pages).await;
            Err(Guess::told(&world.guesses, &request.url, error))
        }
        done => done,
    };
    exchange.close(result).await;
}

/// Runs a fetch for as long as somebody takes what it says.
async fn while_wanted(fetch: impl Future<Output = ()>, relay: impl Future<Output = ()>) {
    tokio::pin!(fetch, relay);
    tokio::select! {
        () = &mut relay => {}
        () = &mut fetch => relay.await,
    }
}

//! The event loop: messages in, effects carried out, at most sixty frames a second; idle means asleep.

mod leaving;
mod lending;
mod looking;
mod upkeep;

use crate::app::{App, Choices, Effect, Kept, Msg, Remembered, Standing, update};
use crate::doc::Marks;
use crate::proto::{KeptCopy, Request};
use crate::shell::catch_up;
use crate::shell::cli::{Cli, FAILED, SHOWN, complain};
use crate::shell::clock::Clock;
use crate::shell::colour::{Looks, variable};
use crate::shell::fetch::{Decision, Fetches, World};
use crate::shell::ground::Ground;
use crate::shell::keyboard::{Hand, Keyboard};
use crate::shell::memory;
use crate::shell::network::Network;
use crate::shell::newsrc::{Job, Journals, Newsrcs};
use crate::shell::outside::{Outside, Threads};
use crate::shell::record::{RecordFile, Recorder};
use crate::shell::redraw::{Cause, Throttle};
use crate::shell::remote::{self, Door};
use crate::shell::sandbox::Sandbox;
use crate::shell::scores::ScoreFile;
use crate::shell::scratch::Scratch;
use crate::shell::session::{Found, Sessions};
use crate::shell::settings::Settings;
use crate::shell::setup::Setup;
use crate::shell::store::Store;
use crate::shell::sum::Sums;
use crate::shell::terminal::{Screen, speaks_utf8};
use crate::shell::watchdog::{Again, Watched};
use crate::shell::worker::Workers;
use crate::shell::{compose, place, prepare, save, short, ssh, subscriptions};
use crate::url::Url;
use leaving::Ends;
use looking::Questions;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// How long messages are taken in before the keyboard is looked at again.
const BUDGET: Duration = Duration::from_millis(8);
/// How long what the first page does not need waits for it.
const FIRST: Duration = Duration::from_millis(50);

/// So long the end waits for a disk to put files in order of which the beginning has come.
const LAST_FILES: Duration = Duration::from_millis(500);

/// Browses until the reader quits.
pub(super) fn run(cli: &Cli, setup: Setup, places: Vec<Url>) -> u8 {
    let sandbox = match setup.sandbox() {
        Ok(sandbox) => sandbox,
        Err(sentence) => return complain(&sentence),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let (network, runtime) = match Network::new(&sandbox).and_then(|network| Ok((Arc::new(network), runtime?))) {
        Ok(both) => both,
        Err(error) => return complain(&format!("cannot start: {error}")),
    };
    let mut files = None;
    let ended = runtime.block_on(async {
        let (mut browser, beginning) = Browser::new(cli, setup, places, &network, &sandbox)?;
        let ended = browser.run(beginning).await;
        browser.terminated |= ended.is_err();
        files = browser.outside.as_ref().map(|outside| outside.threads.clone());
        let failed = browser.end();
        match ended {
            // The terminal has gone: its window was closed while something was drawn.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => Ok(failed),
            ended => ended.map(|()| failed),
        }
    });
    files.iter().for_each(Threads::end);
    // The browser has let go of it.
    Arc::into_inner(network).into_iter().for_each(Network::shutdown);
    runtime.shutdown_background();
    files.iter().for_each(|files| files.finish(LAST_FILES));
    match ended {
        Ok(failed) => failed.iter().fold(SHOWN, |_, sentence| complain(sentence)),
        Err(error) => {
            complain(&format!("the terminal failed: {error}"));
            FAILED
        }
    }
}

struct Browser {
    /// Changed by messages alone; everything else looks at it.
    app: App,
    clock: Clock,
    /// The second that it was told last.
    second: i64,
    /// What the run is recorded with, and where to.
    recording: Option<(Recorder, RecordFile)>,
    screen: Screen,
    watched: Watched,
    again: Again,
    looks: Looks,
    /// When the terminal was asked something last.
    asked: Option<Instant>,
    /// What it was asked.
    questions: Questions,
    fetches: Fetches,
    workers: Workers,
    sums: Sums,
    keyboard: Keyboard,
    sender: mpsc::Sender<Msg>,
    inbox: mpsc::Receiver<Msg>,
    /// Where files come about; `None` when none may be written.
    outside: Option<Outside>,
    safe: bool,
    store: Store,
    settings: Settings,
    newsrcs: Newsrcs,
    sessions: Sessions,
    /// Where other programs hand addresses over.
    door: Option<Door>,
    /// The folders that it may be in, and the name of the session.
    doors: (Vec<PathBuf>, Option<String>),
    /// Removed with everything in it when the program ends.
    _scratch: Scratch,
    world: Arc<World>,
    throttle: Throttle,
    /// C-c and C-\ for another program reach us too, as long as that program has the terminal.
    interrupts: Ends,
    ends: Ends,
    /// How long nothing was to be pressed, and until when, for what waits for that.
    rest: Option<(Duration, Instant)>,
    quit: bool,
    /// They were told of what is not kept when they wanted to leave.
    warned: bool,
    /// The system wants the program to end.
    terminated: bool,
}

impl Browser {
    /// With what is to be told before anything else.
    fn new(
        cli: &Cli,
        setup: Setup,
        places: Vec<Url>,
        network: &Arc<Network>,
        sandbox: &Sandbox,
    ) -> io::Result<(Browser, Vec<Msg>)> {
        let (sender, inbox) = mpsc::channel(4);
        let folder = if setup.safe { None } else { std::env::current_dir().ok() };
        let outside = folder.map(|folder| Outside { folder, threads: Threads::of(Handle::current()) });
        let mut world = setup.world(&places, sandbox, {
            let messages = sender.clone();
            move |sentence| {
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Complaint(sentence));
            }
        })?;
        if let Some(Outside { threads, .. }) = &outside {
            let (ssh, serve) = ssh::way(setup.loaded.settings.sftp.ssh.clone());
            threads.main.spawn(serve);
            world = world.with(&ssh);
        }
        world.subscriptions.tell_to(sender.clone(), setup.offline);
        let world = Arc::new(world);
        if !setup.safe {
            if world.subscriptions.are_there() || world.later.is_owed() {
                // Its thread may write, where those that talk to servers may not.
                world.pages.wake();
            }
            tokio::spawn(subscriptions::keep_looking(Arc::clone(&world), Arc::downgrade(network)));
            tokio::spawn(catch_up::keep_fetching(Arc::clone(&world), Arc::downgrade(network)));
        }
        let writer = Arc::clone(&world.writer);
        let fetches = Fetches::new(Arc::clone(network), sender.clone(), Arc::clone(&world), outside.clone());
        let utf8 = speaks_utf8();
        let watched = Watched::new();
        watched.guard(Arc::clone(&writer))?;
        let screen = Screen::take(!utf8, setup.loaded.settings.speech, &watched)?;
        let (columns, rows) = screen.size()?;
        let app = App::new(setup.loaded.settings, setup.loaded.keymap, crate::app::Screen { columns, rows });
        let scratch = Scratch::new();
        let state = memory::folder(setup.safe);
        let journals = Journals::new(state.as_deref(), scratch.path().as_ref());
        let newsrcs = Newsrcs::new(setup.safe, journals, Arc::clone(&writer), sender.clone());
        let greets = memory::greets(state.as_deref()) && !setup.loaded.has_folder;
        let settings = Settings::new(setup.sources, setup.fixed);
        let scores = ScoreFile::of(&app.desk.settings.news.scores, setup.loaded.folder.as_deref());
        let history = app.desk.settings.history;
        let store = Store::new(state.as_deref(), history, settings.clone(), scores, writer, sender.clone());
        let (sessions, found) = match state.as_deref().filter(|_| !cli.no_session) {
            Some(folder) => Sessions::open(folder, cli.session.as_deref(), app.desk.settings.restore),
            None => (Sessions::default(), Found::default()),
        };
        let mut remembered = store.remembered();
        let term = variable("TERM").unwrap_or_default();
        let ground = Ground::of_environment(variable).or_else(|| store.ground(&term)).unwrap_or_default();
        let mut looks = Looks::new(setup.loaded.folder.as_deref(), cli.no_color, utf8, ground);
        // What is wrong with it is among the mistakes.
        looks.follow(&app.desk.settings);
        let (downloads, complaint) = store.downloads();
        remembered.remarks.extend(complaint.into_iter().chain(found.remark));
        remembered.remarks.extend(sandbox.missing.then(|| sandbox.sentence.clone()));
        let visits_coming = store.has_visits();
        let remembered = Remembered {
            downloads,
            session: found.session,
            last: found.last,
            visits_coming,
            greets,
            damage: found.flaws,
            mistakes: setup.loaded.errors,
            ..remembered
        };
        let mut choices = Choices::of(&app.desk.settings);
        if !looks.theme.unicode {
            // Glyphs would all be question marks.
            choices.marks = Marks::Words;
        }
        choices.base = setup.base;
        choices.home_folder = std::env::var("HOME").ok();
        choices.folds_case = super::place::folds_case(&super::place::expand(&app.desk.settings.downloads));
        choices.scratch = scratch.path();
        choices.shares_history = visits_coming;
        (choices.safe, choices.offline) = (setup.safe, setup.offline);
        choices.keeps_session = sessions.keeps();
        choices.keeps_last = sessions.keeps_last();
        compose::prepare(&mut choices, &app.desk.settings);
        let first = match places.first() {
            _ if cli.remote => Msg::Handed(places),
            Some(home) if cli.places.is_empty() => Msg::Resume { home: home.clone() },
            _ => Msg::Open { places, media: cli.media.clone(), charset: cli.charset.clone() },
        };
        let beginning = vec![Msg::Choices(Box::new(choices)), Msg::Remembered(Box::new(remembered)), first];
        let folders = if setup.safe { Vec::new() } else { remote::folders(state.as_deref()) };
        // A recording is of one run.
        let again = (sessions.keeps() && cli.record.is_none()).then(|| cli.without_places(std::env::args_os()));
        let recording = match &cli.record {
            Some(path) => {
                let recorder = Recorder::new(cli.record_octets);
                let file = RecordFile::new(path, Arc::clone(&world.writer), recorder.header(&app))?;
                Some((recorder, file))
            }
            None => None,
        };
        let browser = Browser {
            app,
            clock: Clock::default(),
            second: i64::MIN,
            recording,
            screen,
            keyboard: Keyboard::new(watched.clone()),
            watched,
            again,
            looks,
            asked: None,
            questions: Questions::default(),
            fetches,
            workers: Workers::new(sender.clone(), sandbox.clone()),
            sums: Sums::default(),
            sender,
            inbox,
            outside,
            safe: setup.safe,
            newsrcs,
            store,
            settings,
            sessions,
            _scratch: scratch,
            door: None,
            doors: (folders, cli.session.clone()),
            world,
            throttle: Throttle::new(Instant::now()),
            interrupts: Ends::new(SignalKind::interrupt(), SignalKind::quit())?,
            ends: Ends::new(SignalKind::terminate(), SignalKind::hangup())?,
            rest: None,
            quit: false,
            warned: false,
            terminated: false,
        };
        Ok((browser, beginning))
    }

    async fn run(&mut self, beginning: Vec<Msg>) -> io::Result<()> {
        let _survives = crate::shell::survive_a_full_disk()?;
        let mut continued = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?;
        for message in beginning {
            self.tell(message).await?;
        }
        // The fetch sets out before the first frame is drawn.
        tokio::task::yield_now().await;
        self.watched.work();
        self.frame().await?;
        // What is asked for is kept at once: the page may be the one that has to be ended by force.
        self.sessions.write(&self.app.session(), &self.world.writer);
        self.watched.watch(Arc::clone(&self.world.writer), self.again.take())?;
        let (folders, session) = std::mem::take(&mut self.doors);
        // Without one, other programs start a copy of their own.
        self.door = Door::open(&folders, session, &self.sender).ok();
        let mut settling = Some(Instant::now() + FIRST);
        while !self.quit {
            if self.watched.spoke() {
                self.screen.forget();
                self.throttle.ask(Cause::Reader);
            }
            if self.throttle.is_due(Instant::now()) {
                self.frame().await?;
                settling = settling.map(|_| Instant::now());
            }
            if settling.is_some_and(|end| end <= Instant::now()) {
                settling = None;
                self.store.load(self.world.context.tls.clone());
            }
            if settling.is_none() {
                self.fetches.settle();
            }
            let wait = self.throttle.wait(Instant::now());
            let due = self.sessions.due();
            let rest = self.rest.map(|(_, end)| end);
            self.watched.see(self.app.entry().and_then(|entry| entry.url.host()).unwrap_or_default());
            self.watched.rest();
            let message = tokio::select! {
                biased;
                hand = self.keyboard.next() => match hand {
                    Hand::Says(message) => Some(message),
                    Hand::Answers(question, words) => self.hear(question, &words)?,
                    Hand::Points { gesture, column, row } => {
                        self.screen.spot(column, row).map(|spot| Msg::Mouse(gesture, spot))
                    }
                },
                () = self.ends.told() => Some(Msg::Terminate),
                () = self.watched.noticed() => None,
                () = self.interrupts.told() => Some(Msg::Terminate),
                _ = continued.recv() => {
                    // Somebody else stopped us; the screen shows what was done meanwhile.
                    self.screen.retake()?;
                    let (columns, rows) = self.screen.size()?;
                    Some(Msg::Resize(columns, rows))
                }
                // Before what comes in, which may have no end.
                () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now).into()), if due.is_some() => {
                    self.sessions.write(&self.app.session(), &self.world.writer);
                    None
                }
                Some(message) = self.inbox.recv() => Some(message),
                () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => None,
                () = tokio::time::sleep_until(settling.unwrap_or_else(Instant::now).into()), if settling.is_some() => None,
                () = tokio::time::sleep_until(rest.unwrap_or_else(Instant::now).into()), if rest.is_some() => {
                    self.rest = None;
                    Some(Msg::Rest)
                }
            };
            self.watched.work();
            if let Some(message) = message {
                self.take(message).await?;
                let (context, mut told) = (&self.world.context, Vec::new());
                let complaints = context.tls.complaints().into_iter().chain(context.http.cookies.complaints());
                for complaint in complaints.chain(context.kept.complaints()) {
                    told.push(Msg::Complaint(complaint));
                }
                for wanting in context.http.cookies.wanting() {
                    told.push(Msg::Cookies { host: wanting.host, names: wanting.names });
                    self.throttle.ask(Cause::Page);
                }
                for message in told {
                    self.tell(message).await?;
                }
            }
        }
        self.hear_out().await;
        Ok(())
    }

    async fn frame(&mut self) -> io::Result<()> {
        self.look().await?;
        self.screen.draw(&self.app, &self.looks.theme)?;
        self.throttle.drawn(Instant::now());
        Ok(())
    }

    /// Takes a message, and what else has arrived, for as long as no frame is due and the keyboard may wait.
    async fn take(&mut self, message: Msg) -> io::Result<()> {
        let started = Instant::now();
        let mut next = Some(message);
        while let Some(message) = next.take() {
            self.throttle.ask(Cause::of(&message));
            self.terminated |= message == Msg::Terminate;
            if let Msg::Resize(..) = message {
                self.screen.forget();
            }
            let time = self.clock.now();
            if std::mem::replace(&mut self.second, time.timestamp().as_second()) != self.second {
                self.tell(Msg::Clock(time)).await?;
            }
            let resized = matches!(message, Msg::Resize(..));
            self.tell(message).await?;
            if resized && self.questions.pictures {
                // Letters may be of another size.
                let told = self.graphics();
                self.tell(told).await?;
            }
            if let Some(ports) = self.world.tour.tend(&self.app) {
                self.tell(Msg::Tour(ports)).await?;
            }
            let now = Instant::now();
            if !self.quit && now - started < BUDGET && !self.throttle.is_due(now) {
                next = self.inbox.try_recv().ok();
            }
        }
        Ok(())
    }

    /// Sees to it that the browser hears when nothing has been pressed for as long as it wants to know of.
    fn await_rest(&mut self, pressed: bool) {
        self.rest = match (self.app.rest(), self.rest) {
            (Some(wanted), Some((of, end))) if wanted == of && !pressed => Some((of, end)),
            (wanted, _) => wanted.map(|wanted| (wanted, Instant::now() + wanted)),
        };
    }

    /// Tells the browser something, and carries out what it wants.
    async fn tell(&mut self, message: Msg) -> io::Result<()> {
        let pressed = matches!(message, Msg::Key(_) | Msg::Mouse(..) | Msg::Paste(_));
        let mut effects = VecDeque::from(self.update(message));
        if self.world.subscriptions.be_offline(self.app.choices().offline) && self.world.later.is_owed() {
            // Its thread may write, where those that talk to servers may not.
            self.world.pages.wake();
            self.world.later.online();
        }
        self.await_rest(pressed);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Fetch { id, request } => self.fetches.start(id, self.offline(request)),
                Effect::Verdict { id, verdict } => self.fetches.decide(id, Decision::Verdict(verdict)),
                Effect::Save { id, into } => self.fetches.decide(id, Decision::Save(Box::new(into))),
                Effect::Download { id, request, into } => self.fetches.download(id, self.offline(request), into),
                Effect::Parse { id, intake } => self.fetches.decide(id, Decision::Parse(intake)),
                Effect::Enough(id) => self.fetches.decide(id, Decision::Enough),
                Effect::Cancel(id) => {
                    self.fetches.cancel(id);
                    self.workers.cancel(id);
                    self.sums.cancel(id);
                }
                Effect::Write { id, path, content, replace } => {
                    let outside = self.outside.clone();
                    self.answer(async move {
                        let result = save::write(outside.as_ref(), &path, &content, replace).await;
                        Msg::Wrote { id, result }
                    });
                }
                Effect::Prepare { id, plan } => {
                    let outside = self.outside.clone();
                    self.answer(async move {
                        let there = prepare::prepare(outside.as_ref(), *plan).await;
                        Msg::Prepared { id, there }
                    });
                }
                Effect::Date { id, within, folders } => {
                    let dated = prepare::date(self.outside.as_ref(), within, folders);
                    self.answer(async move { Msg::Dated { id, remarks: dated.await } });
                }
                Effect::Remove { id, path } => self.remove(id, path),
                Effect::Read { id, path } => {
                    let path = place::expand(&path);
                    self.answer(async move { Msg::Read { id, content: short::read(&path).await } });
                }
                Effect::SumTree { id, path, names } => self.sums.start_tree(id, &path, names, self.sender.clone()),
                Effect::Sum { id, path, kinds } => self.sums.start(id, &path, kinds, self.sender.clone()),
                Effect::Copy(text) => self.screen.copy(&text)?,
                Effect::Run { id, arguments } => effects.extend(self.start_program(id, arguments).await?),
                Effect::Pipe { id, request, program, input } => self.fetches.pipe(id, request, program, input),
                Effect::Work { id, work } => self.workers.start(id, work),
                Effect::ReadSettings { id } => {
                    self.looks.look_again();
                    self.store.look_at_scores();
                    let settings = self.settings.clone();
                    self.answer(async move {
                        let looked = tokio::task::spawn_blocking(move || settings.look()).await;
                        let (file, remark) = looked.unwrap_or_default();
                        Msg::Settings { id, file: Box::new(file), remark }
                    });
                }
                Effect::SyncNewsrc { server: host, ours, base } => {
                    // Nothing was marked: a page of news has come into view.
                    if Arc::ptr_eq(&ours, &base) {
                        self.store.look_at_changed_scores();
                    }
                    let path = match self.app.is_of_tour(&host) {
                        // Nobody comes there again.
                        true => place::expand(&format!("{}/newsrc", self.app.choices().scratch)),
                        false => place::expand(&self.app.desk.settings.news.newsrc_of(&host)),
                    };
                    self.newsrcs.sync(Job { server: host, path, ours, base });
                }
                Effect::Trust { server, certificate, pinned, private } => {
                    self.trust(&server, &certificate, pinned, private);
                }
                Effect::RuleCookies { host, rule } => {
                    self.world.context.http.cookies.choose(&host, rule);
                }
                Effect::Keep(Kept::Session) => self.sessions.change(Instant::now()),
                Effect::Keep(kept) => {
                    match &kept {
                        Kept::Download(kept) if kept.standing == Standing::Dropped => self.discard(kept),
                        Kept::Forget(what) => self.forget_of_web(what),
                        _ => {}
                    }
                    if let Err(sentence) = self.store.keep(kept) {
                        effects.extend(self.update(Msg::Complaint(sentence)));
                    }
                }
                Effect::Redraw => self.screen.forget(),
                Effect::Suspend => self.suspend().await?,
                Effect::Quit => effects.extend(self.leave()),
                Effect::QuitNow => self.quit = true,
            }
        }
        // What a program of the reader's came to may be a question.
        self.await_rest(false);
        Ok(())
    }

    /// What a request is while nobody is to be asked.
    fn offline(&self, request: Request) -> Request {
        let kept = if self.app.choices().offline { KeptCopy::Only } else { request.kept };
        Request { kept, ..request }
    }

    /// The one way into the browser.
    fn update(&mut self, message: Msg) -> Vec<Effect> {
        match &mut self.recording {
            Some((recorder, file)) => recorder.update(&mut self.app, message, &mut |line| file.add(line)),
            None => update(&mut self.app, message),
        }
    }

    /// Has something done meanwhile; what comes of it is told as soon as it is there.
    fn answer(&self, work: impl Future<Output = Msg> + Send + 'static) {
        let sender = self.sender.clone();
        tokio::spawn(async move {
            // When the browser has gone there is nobody to tell.
            let _ = sender.send(work.await).await;
        });
    }
}

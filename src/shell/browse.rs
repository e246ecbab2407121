//! The event loop: messages in, effects carried out, at most sixty frames a second; idle means asleep.

use super::cli::{Cli, FAILED, SHOWN, Setup, complain};
use super::fetch::{Decision, Fetches, World};
use super::frames::{Cause, Frames};
use super::keeper::Keeper;
use super::keyboard::{Hand, Keyboard};
use super::memory;
use super::newsrc::{Job, Newsrcs};
use super::session::{Found, Sessions};
use super::terminal::{Screen, speaks_utf8};
use super::{colour, compose, place, save};
use crate::app::{App, Effect, Kept, KeptDownload, Known, Msg, SiteChoice, Standing, update};
use crate::doc::Marks;
use crate::theme::Theme;
use crate::url::Url;
use crate::visits::Forget;
use futures_util::FutureExt;
use jiff::Zoned;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

/// How long messages are taken in before the keyboard is looked at again.
const BUDGET: Duration = Duration::from_millis(8);

/// Browses until the reader quits.
pub(super) fn run(cli: &Cli, setup: Setup, places: Vec<Url>) -> u8 {
    // The first message needs the system's time zone, for which a hundred folders are read: meanwhile.
    std::thread::spawn(jiff::tz::TimeZone::system);
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&format!("cannot start: {error}")),
    };
    let ended = runtime.block_on(async {
        let mut browser = Browser::new(cli, setup, &places)?;
        let ended = browser.run(cli, places).await;
        browser.terminated |= ended.is_err();
        let failed = browser.end();
        match ended {
            // The terminal has gone: its window was closed while something was drawn.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => Ok(failed),
            ended => ended.map(|()| failed),
        }
    });
    // A blocked disk read or name lookup must not keep the program from ending.
    runtime.shutdown_background();
    match ended {
        Ok(failed) => failed.iter().fold(SHOWN, |_, sentence| complain(sentence)),
        Err(error) => {
            complain(&format!("the terminal failed: {error}"));
            FAILED
        }
    }
}

/// Lets every task that can go on do so: the keyboard's is one. A long search would keep them waiting to its end.
async fn others_first() {
    tokio::task::yield_now().await;
}

struct Browser {
    app: App,
    screen: Screen,
    theme: Theme,
    fetches: Fetches,
    keyboard: Keyboard,
    sender: mpsc::Sender<Msg>,
    inbox: mpsc::Receiver<Msg>,
    /// Where relative paths begin; `None` when no file may be written.
    folder: Option<PathBuf>,
    safe: bool,
    keeper: Keeper,
    newsrcs: Newsrcs,
    sessions: Sessions,
    /// Removed with everything in it when the program ends.
    _scratch: save::Scratch,
    world: Arc<World>,
    frames: Frames,
    /// C-c for another program reaches us too, as long as that program has the terminal.
    interrupt: Signal,
    slice: bool,
    quit: bool,
    /// The system wants the program to end.
    terminated: bool,
}

impl Browser {
    fn new(cli: &Cli, setup: Setup, places: &[Url]) -> io::Result<Browser> {
        let (sender, inbox) = mpsc::channel(4);
        let folder = if setup.safe { None } else { std::env::current_dir().ok() };
        let world = Arc::new(setup.world(places, {
            let messages = sender.clone();
            move |sentence| {
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Known { known: Known::Nothing, remark: Some(sentence) });
            }
        })?);
        let writer = Arc::clone(&world.writer);
        let fetches = Fetches::new(sender.clone(), Arc::clone(&world), folder.clone());
        let utf8 = speaks_utf8();
        let theme = colour::theme(&setup.loaded, cli.no_color, utf8);
        let screen = Screen::take(!utf8)?;
        let (columns, rows) = screen.size()?;
        let mut app = App::new(setup.loaded.settings, setup.loaded.keymap, crate::app::Screen { columns, rows });
        if !theme.unicode {
            // Glyphs would all be question marks.
            app.choices.marks = Marks::Words;
        }
        app.choices.base = setup.base;
        app.choices.home_folder = std::env::var("HOME").ok();
        let scratch = save::Scratch::new();
        app.choices.scratch = scratch.path();
        compose::prepare(&mut app);
        let newsrcs = Newsrcs::new(setup.safe, Arc::clone(&writer), sender.clone());
        let state = memory::folder(setup.safe);
        if memory::greets(state.as_deref()) && !setup.loaded.has_folder {
            app.welcome();
        }
        let keeper = Keeper::new(state.as_deref(), app.settings.history, writer, sender.clone());
        let remembered = keeper.remembered();
        app.words = remembered.words;
        app.charsets = remembered.charsets;
        app.orders = remembered.orders;
        app.listed = remembered.visits;
        let (earlier, complaint) = keeper.downloads();
        app.restore_downloads(earlier);
        for complaint in remembered.remarks.into_iter().chain(complaint) {
            app.complain(complaint);
        }
        app.visits_coming = keeper.load();
        app.choices.shares_history = app.visits_coming;
        let (sessions, found) = match state.as_deref().filter(|_| !cli.no_session) {
            Some(folder) => Sessions::open(folder, cli.session.as_deref(), app.settings.restore),
            None => (Sessions::default(), Found::default()),
        };
        app.choices.keeps_session = sessions.keeps();
        app.restore(found.session);
        if let Some(remark) = found.remark {
            app.complain(remark);
        }
        if !found.flaws.is_empty() {
            app.show_damage(&found.flaws);
        }
        if !setup.loaded.errors.is_empty() {
            app.show_mistakes(&setup.loaded.errors);
        }
        Ok(Browser {
            app,
            screen,
            theme,
            fetches,
            keyboard: Keyboard::new(),
            sender,
            inbox,
            folder,
            safe: setup.safe,
            newsrcs,
            keeper,
            sessions,
            _scratch: scratch,
            world,
            frames: Frames::new(Instant::now()),
            interrupt: signal(SignalKind::interrupt())?,
            slice: false,
            quit: false,
            terminated: false,
        })
    }

    async fn run(&mut self, cli: &Cli, places: Vec<Url>) -> io::Result<()> {
        let _survives = super::survive_a_full_disk()?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hangup = signal(SignalKind::hangup())?;
        let mut continued = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?;
        let effects = match places.first() {
            Some(home) if cli.places.is_empty() => self.app.resume(home.clone()),
            _ => self.app.open_all(places, cli.media.as_deref()),
        };
        self.carry_out(effects).await?;
        // The fetch sets out before the first frame is drawn.
        tokio::task::yield_now().await;
        while !self.quit {
            if self.frames.is_due(Instant::now()) {
                self.screen.draw(&self.app, &self.theme)?;
                self.frames.drawn(Instant::now());
            }
            let wait = self.frames.wait(Instant::now());
            let due = self.sessions.due();
            let message = tokio::select! {
                biased;
                hand = self.keyboard.next() => match hand {
                    Hand::Says(message) => Some(message),
                    Hand::Points { gesture, column, row } => {
                        self.screen.spot(column, row).map(|spot| Msg::Mouse(gesture, spot))
                    }
                },
                _ = terminate.recv() => Some(Msg::Terminate),
                _ = hangup.recv() => Some(Msg::Terminate),
                _ = self.interrupt.recv() => Some(Msg::Terminate),
                _ = continued.recv() => {
                    // Somebody else stopped us; the screen shows what was done meanwhile.
                    self.screen.retake()?;
                    let (columns, rows) = self.screen.size()?;
                    Some(Msg::Resize(columns, rows))
                }
                Some(message) = self.inbox.recv() => Some(message),
                () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => None,
                () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now).into()), if due.is_some() => {
                    self.sessions.write(&self.app.session(), &self.world.writer);
                    None
                }
                () = others_first(), if self.slice => {
                    self.slice = false;
                    Some(Msg::Slice)
                }
            };
            if let Some(message) = message {
                self.take(message).await?;
                let context = &self.world.context;
                for complaint in context.tls.complaints().into_iter().chain(context.http.cookies.complaints()) {
                    self.app.complain(complaint);
                }
                for wanting in context.http.cookies.wanting() {
                    self.app.ask_cookies(&wanting.host, &wanting.names);
                    self.frames.ask(Cause::Page);
                }
            }
        }
        Ok(())
    }

    /// Takes a message, and what else has arrived, for as long as no frame is due and the keyboard may wait.
    async fn take(&mut self, message: Msg) -> io::Result<()> {
        let started = Instant::now();
        let mut next = Some(message);
        while let Some(message) = next.take() {
            self.frames.ask(Cause::of(&message));
            self.terminated |= message == Msg::Terminate;
            if let Msg::Resize(..) = message {
                self.screen.forget();
            }
            self.app.now = Some(Zoned::now());
            let effects = update(&mut self.app, message);
            self.carry_out(effects).await?;
            self.world.touring.tend(&mut self.app);
            let now = Instant::now();
            if !self.quit && now - started < BUDGET && !self.frames.is_due(now) {
                next = self.inbox.try_recv().ok();
            }
        }
        Ok(())
    }

    async fn carry_out(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Fetch { id, request } => self.fetches.start(id, request),
                Effect::Verdict { id, verdict } => self.fetches.decide(id, Decision::Verdict(verdict)),
                Effect::Save { id, into } => self.fetches.decide(id, Decision::Save(Box::new(into))),
                Effect::Download { id, request, into } => self.fetches.download(id, request, into),
                Effect::Cancel(id) => self.fetches.cancel(id),
                Effect::Write { path, content: Some(content), replace } => self.write(path, content, replace),
                Effect::Write { path, content: None, .. } => self.remove(&path),
                Effect::Read(path) => self.read(&path),
                Effect::Copy(text) => self.screen.copy(&text)?,
                Effect::Run(arguments) => effects.extend(self.start_program(arguments).await?),
                Effect::Pipe { id, request, program, input } => self.fetches.pipe(id, request, program, input),
                Effect::Slice => self.slice = true,
                Effect::Keep(Kept::Site { host, choice: SiteChoice::News { ours, base } }) => {
                    let path = match self.app.is_of_tour(&host) {
                        // Nobody comes there again.
                        true => place::expand(&format!("{}/newsrc", self.app.choices.scratch)),
                        false => place::expand(&self.app.settings.news.newsrc_of(&host)),
                    };
                    self.newsrcs.sync(Job { server: host, path, ours, base });
                }
                Effect::Keep(Kept::Site { host, choice: SiteChoice::Trust(fingerprint) }) => {
                    self.world.context.tls.trust(&host, &fingerprint);
                    self.world.private.tls.trust(&host, &fingerprint);
                }
                Effect::Keep(Kept::Site { host, choice: SiteChoice::Cookies(rule) }) => {
                    self.world.context.http.cookies.choose(&host, rule);
                }
                Effect::Keep(Kept::Session) => self.sessions.change(Instant::now()),
                Effect::Keep(kept) => {
                    match &kept {
                        Kept::Download(kept) if kept.standing == Standing::Dropped => self.discard(kept),
                        Kept::Forget(what) => self.forget_cookies(what),
                        _ => {}
                    }
                    if let Err(sentence) = self.keeper.keep(kept) {
                        self.app.complain(sentence);
                    }
                }
                Effect::Redraw => self.screen.forget(),
                Effect::Suspend => self.suspend().await?,
                Effect::Quit => self.quit = true,
            }
        }
        Ok(())
    }

    /// Keeps the tabs for the next time, and waits until all is written; says what could not be.
    fn end(mut self) -> Vec<String> {
        self.inbox.close();
        self.sessions.end(&self.app.session(), !self.terminated, &self.world.writer);
        self.world.context.tls.finish();
        self.world.writer.finish()
    }

    fn write(&self, path: String, content: Vec<u8>, replace: bool) {
        let (folder, sender) = (self.folder.clone(), self.sender.clone());
        tokio::spawn(async move {
            let wrote = save::write(folder.as_deref(), &path, &content, replace).await;
            // When the browser has gone there is nobody to tell.
            let _ = sender.send(Msg::Wrote(wrote)).await;
        });
    }

    /// Deletes what came of a download, as soon as its fetch has let go of it.
    fn forget_cookies(&self, what: &Forget) {
        let cookies = &self.world.context.http.cookies;
        match what {
            Forget::Host(host) => {
                cookies.forget(host);
            }
            Forget::All => cookies.forget_all(),
            // Nobody knows when they came.
            Forget::Page(_) | Forget::Since(_) => {}
        }
    }

    fn discard(&self, kept: &KeptDownload) {
        let Some(folder) = &self.folder else { return };
        let (path, origin, sender) = (folder.join(place::expand(&kept.path)), kept.url.clone(), self.sender.clone());
        tokio::spawn(async move {
            if let Err(error) = place::discard(path.clone(), origin).await {
                let remark = Some(format!("what came of {} is still there: {error}", path.display()));
                // When the browser has gone there is nobody to tell.
                let _ = sender.send(Msg::Known { known: Known::Nothing, remark }).await;
            }
        });
    }

    fn read(&self, path: &str) {
        let (path, sender) = (place::expand(path), self.sender.clone());
        tokio::spawn(async move {
            // When the browser has gone there is nobody to tell.
            let _ = sender.send(Msg::Read(save::read(&path).await)).await;
        });
    }

    fn remove(&mut self, path: &str) {
        if !self.safe
            && let Err(error) = std::fs::remove_file(place::expand(path))
        {
            self.app.complain(format!("{path} is still there: {error}."));
        }
    }

    /// Lends the terminal to a program until it ends. The event stream reads the terminal as long as it lives, so it goes.
    async fn start_program(&mut self, arguments: Vec<String>) -> io::Result<Vec<Effect>> {
        let Some((program, rest)) = arguments.split_first().filter(|_| !self.safe) else {
            let forbidden = Err("No program was started: --safe forbids it.".into());
            return Ok(update(&mut self.app, Msg::Ran(forbidden)));
        };
        self.keyboard.rest().await;
        self.screen.lend()?;
        let status = tokio::process::Command::new(program).args(rest).status().await;
        self.screen.retake()?;
        // C-c was meant for the program; what came by now is seen after a turn of the runtime.
        tokio::task::yield_now().await;
        while self.interrupt.recv().now_or_never().is_some() {}
        let ran = match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{program} ended with {status}.")),
            Err(error) => Err(format!("{program} could not be started: {error}.")),
        };
        let (columns, rows) = self.screen.size()?;
        let mut effects = update(&mut self.app, Msg::Resize(columns, rows));
        effects.extend(update(&mut self.app, Msg::Ran(ran)));
        Ok(effects)
    }

    async fn suspend(&mut self) -> io::Result<()> {
        self.keyboard.rest().await;
        self.screen.lend()?;
        // The whole job: a shell waits for all of it.
        let stopped = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
        self.screen.retake()?;
        let (columns, rows) = self.screen.size()?;
        // A new size asks for nothing but a new frame.
        update(&mut self.app, Msg::Resize(columns, rows));
        stopped.map_err(io::Error::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_does_not_wait_for_the_end_of_a_long_search() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let slices = runtime.block_on(async {
            let (sender, mut keys) = mpsc::unbounded_channel();
            tokio::spawn(async move { sender.send('k') });
            let mut slices = 0;
            while slices < 1000 {
                tokio::select! {
                    biased;
                    Some('k') = keys.recv() => break,
                    () = others_first() => slices += 1,
                }
            }
            slices
        });
        assert!(slices < 1000, "the key came after the search");
    }
}

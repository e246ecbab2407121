//! The browser between a reader and a world, both of whom do what can be done, in an order that a seed decides.

use super::broken::Break;
use super::invariants::{self, Held, Secret};
use super::messages;
use super::random::Random;
use super::tally::Tally;
use super::world::{self, Disk};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use wayfarer::app::{
    App, Choices, JobId, KeptDownload, Known, Msg, Overlay, Pending, PromptKind, Remembered, Screen, Session, Transfer,
    command_names, update,
};
use wayfarer::bookmarks::Bookmarks;
use wayfarer::config::{NewsServer, Settings};
use wayfarer::format::Reader;
use wayfarer::keys::{Code, Key, Keymap};
use wayfarer::news::Newsrc;
use wayfarer::picture::Protocol;
use wayfarer::proto::{End, FetchError, FetchEvent};
use wayfarer::shell::record::Recorder;
use wayfarer::stop::Stop;
use wayfarer::theme::Theme;
use wayfarer::url::Url;
use wayfarer::visits::Visits;
use wayfarer::work::Work;

/// Messages that are told when something is wrong, and characters of each.
const LAST: usize = 12;
const TOLD: usize = 300;

/// Something that the shell was asked for.
#[derive(Default)]
pub struct Asked {
    /// Which URL.
    pub url: Option<Url>,
    /// Where it says that it is now.
    pub moved_to: Option<Url>,
    /// Its body was asked for.
    pub accepted: bool,
    /// What comes is read as a page.
    pub reader: Option<Reader>,
    /// It was handed over with the request: what comes is a part of what has come before.
    pub is_held: bool,
    /// Nothing more is said under its number.
    pub is_over: bool,
    pub says: VecDeque<Say>,
    /// What it said last, for saying it again.
    pub last: Option<Msg>,
    pub octets: u64,
}

/// What comes next.
#[derive(Debug, Clone)]
pub enum Say {
    Event(FetchEvent),
    /// A head was said: nothing comes before the verdict.
    Wait,
    Transfer(Transfer),
    Ran(Vec<String>),
    Read(String),
    /// What there is of the page, whether it has grown or not.
    Grown,
    Worked(Box<Work>),
    /// What is known already.
    Answer(Box<Msg>),
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reads = self.reader.is_some();
        let Asked { url, accepted, is_over, says, .. } = self;
        write!(f, "{url:?}, accepted {accepted}, reads {reads}, over {is_over}, says {says:?}")
    }
}

impl Asked {
    /// A piece of a page has come.
    fn grown(&mut self, id: JobId, elapsed: Duration) -> Option<Msg> {
        let page = Box::new(self.reader.as_mut()?.grown());
        Some(Msg::Grown { id, elapsed, page })
    }

    /// A page has come to its end.
    fn whole(&mut self, id: JobId, elapsed: Duration, end: Result<End, FetchError>) -> Option<Msg> {
        let page = Box::new(self.reader.take()?.finish());
        Some(Msg::Whole { id, elapsed, page, end })
    }
}

pub struct Sim {
    pub app: App,
    pub random: Random,
    pub tally: Tally,
    pub theme: Theme,
    pub asked: BTreeMap<JobId, Asked>,
    pub secrets: Vec<Secret>,
    /// What was private once, and was asked for by a bookmark since.
    pub told: BTreeSet<String>,
    pub disk: Disk,
    pub broken: Option<Break>,
    /// How many times the program has ended and begun again.
    pub runs: u32,
    /// The run as it is recorded, where it is.
    pub recorded: Option<(Recorder, String)>,
    /// Counts what is typed, so that it is told apart.
    pub typed: u32,
    /// The message that is being taken, for whoever looks why it went wrong.
    pub last: VecDeque<String>,
    pub given: u64,
    pub quit: bool,
    /// What comes by itself.
    pub queue: VecDeque<Msg>,
    pub second: i64,
    pub bookmarks: Bookmarks,
    /// The file of settings.
    pub settings: String,
    /// The score file.
    pub scores: String,
    pub newsrcs: BTreeMap<String, Arc<Newsrc>>,
    pub words: BTreeMap<PromptKind, Vec<String>>,
    pub downloads: Vec<KeptDownload>,
    pub session: Session,
    pub visits: String,
    pub logged_in: BTreeSet<String>,
}

fn app(screen: Screen) -> App {
    let mut errors = Vec::new();
    let keymap = Keymap::preset("default", &command_names(), &mut errors).unwrap();
    let mut settings = Settings { cache: 60_000, ..Settings::default() };
    settings.news.server = NewsServer::parse("n.example").ok();
    settings.news.posting.from = "Me <me@h.example>".into();
    settings.handlers.insert("mailto".into(), vec!["mail".into()]);
    App::new(settings, keymap, screen)
}

impl Sim {
    pub fn new(seed: u64) -> Sim {
        let screen = Screen { columns: 80, rows: 24 };
        let mut disk = Disk::default();
        for (path, content) in [
            ("/home/me/notes.txt", "Notes.\n"),
            ("/home/me/b.html", "<DL><DT><A HREF=\"http://w.example/page\">Page</A></DL>"),
            ("/drafts/old.txt", "From: Me <me@h.example>\nNewsgroups: g.one\nSubject: Old\n\nWords.\n"),
        ] {
            disk.0.insert(path.into(), content.into());
        }
        let mut sim = Sim {
            app: app(screen),
            random: Random::new(seed),
            tally: Tally::default(),
            theme: Theme::default(),
            asked: BTreeMap::new(),
            secrets: Vec::new(),
            told: BTreeSet::new(),
            disk,
            broken: None,
            runs: 0,
            recorded: None,
            typed: 0,
            last: VecDeque::new(),
            given: 0,
            quit: false,
            queue: VecDeque::new(),
            second: 1_795_269_000,
            bookmarks: Bookmarks::default(),
            settings: "# mine\nwrap = true\n".into(),
            scores: String::new(),
            newsrcs: BTreeMap::new(),
            words: BTreeMap::new(),
            downloads: Vec::new(),
            session: Session::default(),
            // Some have been at many places before.
            visits: if seed % 16 == 5 { world::visits() } else { String::new() },
            logged_in: BTreeSet::new(),
        };
        sim.begin().unwrap();
        sim
    }

    /// Begins anew, and records from now on until the program ends.
    pub fn record(&mut self) -> Held {
        self.app = app(self.app.desk.screen);
        let recorder = Recorder::new(true);
        let header = recorder.header(&self.app);
        self.recorded = Some((recorder, header));
        self.begin()
    }

    /// Whether the program has ended.
    pub fn has_ended(&self) -> bool {
        self.quit
    }

    /// The program begins, with what it has left the last time.
    fn begin(&mut self) -> Held {
        self.runs += 1;
        self.app = app(self.app.desk.screen);
        if self.recorded.is_some() {
            // What a page takes of memory goes by the pieces that it came in (their room, not their length), which are others when
            // it is told again: which page goes for another is not compared.
            self.app.desk.settings.cache = u64::MAX;
        }
        (self.given, self.quit) = (0, false);
        (self.asked, self.queue) = (BTreeMap::new(), VecDeque::new());
        self.logged_in.clear();
        let choices = Choices {
            scratch: "/scratch".into(),
            drafts: "/drafts".into(),
            editor: vec!["ed".into()],
            home_folder: Some("/home/me".into()),
            keeps_session: true,
            shares_history: true,
            ..Choices::of(&self.app.desk.settings)
        };
        let remembered = Remembered {
            words: self.words.clone(),
            downloads: self.downloads.clone(),
            session: self.session.clone(),
            visits_coming: true,
            greets: self.runs == 1,
            ..Remembered::default()
        };
        self.tell(Msg::Choices(Box::new(choices)))?;
        self.tell(Msg::Graphics(Protocol::Kitty, Some((8, 16))))?;
        self.tell(Msg::Remembered(Box::new(remembered)))?;
        let bookmarks = Known::Bookmarks(Box::new(self.bookmarks.clone()));
        let visits = Known::Visits(Box::new(Visits::read(self.visits.clone().into_bytes()).unwrap().0));
        self.queue.extend([bookmarks, visits].map(|known| Msg::Known { known, remark: None }));
        match self.random.once_in(2) {
            true => self.tell(Msg::Resume { home: Url::parse("about:home").unwrap() }),
            false => {
                let places = (0..1 + self.random.below(2)).map(|_| world::place(&mut self.random)).collect();
                self.tell(Msg::Open { places, media: None, charset: None })
            }
        }
    }

    /// One thing happens.
    pub fn step(&mut self) -> Held {
        if self.quit {
            self.begin()?;
        }
        if self.app.rest().is_some() && self.random.once_in(2) {
            self.tell(Msg::Rest)?;
        }
        match self.random.below(100) {
            0..45 => self.act()?,
            45..88 => self.answer()?,
            88..92 => self.again()?,
            92 => {
                self.second += 1 + self.random.below(5000) as i64;
                let now = jiff::Timestamp::from_second(self.second).unwrap().to_zoned(jiff::tz::TimeZone::UTC);
                self.tell(Msg::Clock(now))?;
            }
            93 => {
                let (columns, rows) =
                    *self.random.pick(&[(80, 24), (40, 10), (120, 50), (1, 1), (80, 24), (20, 5), (0, 0)]);
                self.tell(Msg::Resize(columns, rows))?;
            }
            94 if self.second % 2 == 0 => self.tell(Msg::Said("2 of the pages that h links to are kept".into()))?,
            94 => self.tell(Msg::Complaint("history: the disk is full".into()))?,
            95 => self.tell(Msg::Cookies { host: "cookies.example".into(), names: vec!["a".into()] })?,
            96 if self.random.once_in(8) => self.tell(Msg::Tour(vec![4001, 4002]))?,
            97 if self.random.once_in(60) => self.tell(Msg::Terminate)?,
            _ => {
                if let Some(message) = self.queue.pop_front() {
                    self.tell(message)?;
                }
            }
        }
        self.look()
    }

    /// Tells the browser something, and begins what it asks for.
    pub fn tell(&mut self, message: Msg) -> Held {
        self.tally.message(&message);
        self.last.push_back(format!("{message:?}").chars().take(TOLD).collect());
        if self.last.len() > LAST {
            self.last.pop_front();
        }
        let mut effects = match &mut self.recorded {
            Some((recorder, text)) => recorder.update(&mut self.app, message, &mut |line| text.push_str(&line)),
            None => update(&mut self.app, message),
        };
        self.damage(&mut effects);
        effects.iter().for_each(|effect| self.tally.effect(effect));
        named("numbers_are_given_once", invariants::numbers_are_given_once(&effects, &mut self.given, &self.asked))?;
        let typed = invariants::what_was_typed_goes_where_it_was_meant(&effects, &self.secrets);
        named("what_was_typed_goes_where_it_was_meant", typed)?;
        let private = invariants::nothing_private_is_kept(&self.app, &effects, &mut self.told);
        named("nothing_private_is_kept", private)?;
        named("no_password_is_kept", invariants::no_password_is_kept(&self.app, &effects, &self.secrets))?;
        named("what_is_asked_for_makes_sense", invariants::what_is_asked_for_makes_sense(&effects, &self.asked))?;
        for effect in effects {
            self.carry_out(effect)?;
        }
        Ok(())
    }

    /// Looks whether all is as it should be.
    fn look(&mut self) -> Held {
        named("the_reader_stands_somewhere", invariants::the_reader_stands_somewhere(&self.app))?;
        // What comes goes mostly into the page in view.
        let all = self.random.once_in(8);
        let pages = invariants::answers_reach_their_askers(&self.app, &self.asked, all);
        named("answers_reach_their_askers", pages)?;
        if self.random.once_in(6) {
            let screen = self.app.desk.screen;
            let shown = invariants::every_screen_can_be_drawn(self, screen);
            named("no_password_is_shown", invariants::no_password_is_shown(&shown, &self.app, &self.secrets))?;
            for (columns, rows) in [(80, 24), (40, 10), (1, 1)] {
                let mut shown = invariants::every_screen_can_be_drawn(self, Screen { columns, rows });
                if self.broken == Some(Break::CutsScreen) {
                    shown.clear();
                }
                let whole = messages::no_message_loses_its_end(&shown, &self.app, rows);
                named("no_message_loses_its_end", whole)?;
            }
        }
        Ok(())
    }

    /// Those of whom something can come now.
    fn ready(&self) -> Vec<JobId> {
        let speaks = |asked: &Asked| asked.says.front().is_some_and(|say| !matches!(say, Say::Wait));
        self.asked.iter().filter(|(_, asked)| speaks(asked)).map(|(id, _)| *id).collect()
    }

    /// Something comes from the world.
    fn answer(&mut self) -> Held {
        let ready = self.ready();
        if ready.is_empty() {
            return Ok(());
        }
        let id = *self.random.pick(&ready);
        // Several things may come at once.
        for _ in 0..1 + self.random.below(4) {
            self.say(id)?;
        }
        Ok(())
    }

    /// The next that comes under a number.
    pub fn say(&mut self, id: JobId) -> Held {
        let elapsed = Duration::from_millis(self.random.next() % 2000);
        let (failed, shows, wrong) = (self.random.once_in(7), !self.random.once_in(3), self.wrong_number(id));
        let Some(asked) = self.asked.get_mut(&id) else { return Ok(()) };
        if matches!(asked.says.front(), None | Some(Say::Wait)) {
            return Ok(());
        }
        let say = asked.says.pop_front().unwrap();
        let message = match say {
            Say::Wait => return Ok(()),
            Say::Event(FetchEvent::Body(octets)) if asked.reader.is_some() => {
                asked.reader.iter_mut().for_each(|reader| reader.take(&world::renumbered(&octets, id, wrong)));
                asked.grown(id, elapsed).filter(|_| shows)
            }
            Say::Event(FetchEvent::End(end)) if asked.reader.is_some() => asked.whole(id, elapsed, Ok(end)),
            Say::Event(FetchEvent::Failed(error)) if asked.reader.is_some() => asked.whole(id, elapsed, Err(error)),
            Say::Grown => asked.grown(id, elapsed),
            Say::Worked(work) => work.run(&Stop::new()).map(|product| Msg::Worked { id, product }),
            Say::Event(event) => {
                if let (FetchEvent::Moved(moved), Some(url)) = (&event, &asked.url) {
                    asked.moved_to = Url::parse(moved.to.as_str()).ok().or_else(|| Some(url.clone()));
                }
                Some(Msg::Fetch { id, elapsed, event })
            }
            Say::Transfer(transfer) => {
                if let Transfer::Progress(octets) = transfer {
                    asked.octets = octets;
                }
                if let Transfer::Done(path, remark) = &transfer {
                    let octets = asked.octets;
                    self.saved(path, octets, remark.is_some());
                }
                Some(Msg::Transfer { id, elapsed, transfer })
            }
            Say::Ran(arguments) => {
                if let (false, Some(path)) = (failed, arguments.last()) {
                    let words = format!("edited {}\n", id.0);
                    self.disk.edit(path, &words);
                }
                Some(Msg::Ran { id, result: if failed { Err("it ended with 1.".into()) } else { Ok(()) } })
            }
            Say::Read(path) => {
                let content = if failed { Err(format!("{path}: no such file")) } else { self.disk.read(&path) };
                Some(Msg::Read { id, content })
            }
            Say::Answer(message) => Some(*message),
        };
        let asked = self.asked.get_mut(&id).unwrap();
        asked.is_over = asked.says.is_empty();
        let Some(message) = message else { return Ok(()) };
        asked.last = Some(message.clone());
        self.tell(message)
    }

    /// Something comes again, or under a number that nobody gave.
    fn again(&mut self) -> Held {
        let said: Vec<Msg> =
            self.asked.values().filter(|asked| asked.is_over).filter_map(|asked| asked.last.clone()).collect();
        if said.is_empty() {
            return Ok(());
        }
        let mut message = self.random.pick(&said).clone();
        if self.random.once_in(2) {
            let nobody = JobId(1_000_000);
            match &mut message {
                Msg::Fetch { id, .. } | Msg::Transfer { id, .. } | Msg::Ran { id, .. } => *id = nobody,
                Msg::Wrote { id, .. } | Msg::Read { id, .. } | Msg::Removed { id, .. } => *id = nobody,
                Msg::Dated { id, .. } => *id = nobody,
                Msg::Prepared { id, .. } | Msg::Summed { id, .. } | Msg::SummedTree { id, .. } => *id = nobody,
                Msg::Grown { id, .. } | Msg::Whole { id, .. } | Msg::Worked { id, .. } => *id = nobody,
                _ => {}
            }
        }
        self.tell(message)
    }

    /// All tabs are closed, and all that is still to come comes: nothing is left.
    pub fn close(&mut self) -> Held {
        if self.quit {
            self.begin()?;
        }
        if self.broken == Some(Break::Silent) {
            // Most of what is asked for ends with its tab; this does not.
            self.let_go()?;
            self.tell(Msg::Command("drafts".into()))?;
        }
        for _ in 0..200 {
            self.let_go()?;
            if self.app.tab_count() > 1 {
                self.tell(Msg::Command("close-tab".into()))?;
            } else {
                self.tell(Msg::Command("stop".into()))?;
            }
            let ready = self.ready();
            if ready.is_empty()
                && self.queue.is_empty()
                && self.app.tab_count() == 1
                && self.app.open_jobs().next().is_none()
            {
                break;
            }
            for id in ready {
                if self.broken != Some(Break::Silent) {
                    self.say(id)?;
                }
            }
            while let Some(message) = self.queue.pop_front() {
                self.tell(message)?;
            }
        }
        let open: Vec<(JobId, String)> = self.app.open_jobs().collect();
        named("nothing_is_left", if open.is_empty() { Ok(()) } else { Err(self.left(&open)) })
    }

    /// What is asked of the reader is answered with no, and what they were typing is thrown away.
    fn let_go(&mut self) -> Held {
        for _ in 0..50 {
            while self.app.rest().is_some() {
                self.tell(Msg::Rest)?;
            }
            let code = match self.app.hands.top() {
                None if self.app.hands.prompt().is_none() => break,
                Some(Overlay::Question { pending: Pending::Abandon(_) | Pending::Discard, .. }) => Code::Char('y'),
                _ => Code::Esc,
            };
            self.tell(Msg::Key(Key::plain(code)))?;
        }
        Ok(())
    }

    /// What is left, and what is known of it.
    fn left(&self, open: &[(JobId, String)]) -> String {
        let tabs: Vec<String> = self.app.tabs().map(|tab| format!("{:?}", tab.id)).collect();
        let known: Vec<_> = open.iter().map(|(id, _)| self.asked.get(id)).collect();
        let top = self.app.hands.top();
        format!("{open:?}: {known:?}, tabs {tabs:?}, over the page {top:?}, at {:?}", self.app.hands.prompt())
    }
}

pub fn named(name: &str, held: Held) -> Held {
    held.map_err(|wrong| format!("{name}: {wrong}"))
}

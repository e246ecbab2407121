//! The notation of the journeys: each step is a line, each expectation takes the effects that the step had.

mod expecting;

use std::collections::BTreeMap;
use std::time::Duration;
use wayfarer::app::{
    App, Choices, Effect, JobId, Kept, KeptDownload, Msg, NotWritten, Preparation, PromptKind, Remembered, Screen,
    SiteChoice, There, Transfer, command_names, update,
};
use wayfarer::config::Settings;
use wayfarer::format::{Intake, Reader, media};
use wayfarer::keys::{Code, Key, Keymap};
use wayfarer::proto::{End, FetchError, FetchEvent, Head, Request, Stage, Verdict};
use wayfarer::stop::Stop;
use wayfarer::url::Url;
use wayfarer::work::Work;

/// What messages of fetches say of the time.
const ELAPSED: Duration = Duration::from_millis(80);

pub struct Journey {
    pub app: App,
    /// Effects that no expectation has taken yet.
    pub effects: Vec<Effect>,
    /// The fetches in the order in which they were asked for.
    pub fetches: Vec<(JobId, Request)>,
    /// The downloads that were to be kept for the next run.
    pub kept: Vec<KeptDownload>,
    /// What was asked to be read, written, run, and has had no answer, in that order.
    pub reads: Vec<JobId>,
    pub writes: Vec<JobId>,
    pub runs: Vec<JobId>,
    /// What is found where a directory is to be saved; nobody answers where it is `None`.
    pub there: Option<There>,
    /// What was to be made ready for directories.
    pub prepared: Vec<Preparation>,
    /// Addresses and titles of what links to a page that is taken apart.
    pub linked: Vec<String>,
    /// Pages that are read.
    readers: BTreeMap<JobId, Reader>,
    /// What takes long is not done at once, but when the journey says so.
    pub held: bool,
    /// What is to be done then.
    pub works: Vec<(JobId, Work)>,
    /// The reader presses one key after the other and never pauses.
    pub hasty: bool,
}

pub fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// A gopher menu of rows `TYPE|text|selector`, all on one host.
pub fn menu(host: &str, rows: &[&str]) -> Vec<u8> {
    let mut out = String::new();
    for row in rows {
        let mut cells = row.splitn(3, '|');
        let (item, text, selector) = (cells.next().unwrap(), cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        out.push_str(&format!("{item}{text}\t{selector}\t{host}\t70\r\n"));
    }
    out.push_str(".\r\n");
    out.into_bytes()
}

/// A menu of `count` texts, item N leading to /0/N.
pub fn long_menu(host: &str, count: usize) -> Vec<u8> {
    let rows: Vec<String> = (1..=count).map(|n| format!("0|Item number {n}|/{n}")).collect();
    menu(host, &rows.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Lines of text without links.
pub fn lines(count: usize) -> Vec<u8> {
    (1..=count).map(|n| format!("This is line {n}.\n")).collect::<String>().into_bytes()
}

pub fn head(of: &str, media: &str) -> Head {
    Head::new(url(of), media)
}

impl Journey {
    /// An 80×24 terminal with the default keys.
    pub fn new() -> Journey {
        Journey::sized(80, 24)
    }

    pub fn sized(columns: u16, rows: u16) -> Journey {
        let mut errors = Vec::new();
        let keymap = Keymap::preset("default", &command_names(), &mut errors).unwrap();
        let app = App::new(Settings::default(), keymap, Screen { columns, rows });
        let (effects, fetches, kept) = (Vec::new(), Vec::new(), Vec::new());
        let (reads, writes, runs) = (Vec::new(), Vec::new(), Vec::new());
        let (readers, held, works, hasty) = (BTreeMap::new(), false, Vec::new(), false);
        let (there, prepared) = (Some(There::default()), Vec::new());
        Journey {
            app,
            effects,
            fetches,
            kept,
            reads,
            writes,
            runs,
            there,
            prepared,
            linked: Vec::new(),
            readers,
            held,
            works,
            hasty,
        }
    }

    /// A journey that has arrived at a menu of the host `h`.
    pub fn at(rows: &[&str]) -> Journey {
        Journey::new().open("gopher://h/").answer(media::MENU, &menu("h", rows)).quiet()
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let effect = match effect {
                Effect::Work { id, work } if self.held => {
                    self.works.push((id, work));
                    continue;
                }
                Effect::Work { id, work } => {
                    self.worked(id, work);
                    continue;
                }
                Effect::Fetch { id, request } if request.url.as_str().starts_with("about:linked?") => {
                    assert_eq!(request.private, self.app.tab.private, "{}", request.url);
                    if !self.linked.is_empty() {
                        let lines = self.linked.clone();
                        let head = Box::new(Head { lines, ..head(request.url.as_str(), media::OWN) });
                        self.tell(Msg::Fetch { id, elapsed: ELAPSED, event: FetchEvent::Head(head) });
                    }
                    let event = FetchEvent::End(End::default());
                    self.tell(Msg::Fetch { id, elapsed: ELAPSED, event });
                    continue;
                }
                Effect::Prepare { id, plan } => {
                    self.prepared.push(*plan);
                    if let Some(there) = self.there.clone() {
                        self.tell(Msg::Prepared { id, there });
                    }
                    continue;
                }
                effect => effect,
            };
            match &effect {
                Effect::Parse { id, intake } => self.parse(*id, intake),
                Effect::Enough(id) => self.whole(*id, Ok(End::default())),
                Effect::Cancel(id) => {
                    self.readers.remove(id);
                    if let Some(at) = self.works.iter().position(|(work, _)| work == id) {
                        self.works.remove(at);
                        continue;
                    }
                }
                _ => {}
            }
            if let Effect::Fetch { id, request } | Effect::Download { id, request, .. } = &effect {
                self.fetches.push((*id, request.clone()));
            }
            match &effect {
                Effect::Read { id, .. } => self.reads.push(*id),
                Effect::Write { id, .. } => self.writes.push(*id),
                Effect::Run { id, .. } => self.runs.push(*id),
                _ => {}
            }
            match effect {
                Effect::Keep(Kept::Download(kept)) => self.kept.push(*kept),
                // Every directory that was seen is known.
                Effect::Keep(Kept::Site { choice: SiteChoice::Listing(_), .. }) => {}
                effect => self.effects.push(effect),
            }
        }
        while !self.hasty && self.app.rest().is_some() {
            self.tell(Msg::Rest);
        }
    }

    /// The reader does not pause any more.
    pub fn hasty(mut self) -> Journey {
        self.hasty = true;
        self
    }

    /// The reader pauses, once, for as long as is wanted.
    pub fn pause(self) -> Journey {
        assert!(self.app.rest().is_some(), "nothing waits for a pause");
        self.send(Msg::Rest)
    }

    /// What the machine and the command line say changes.
    pub fn choose(&mut self, change: impl FnOnce(&mut Choices)) {
        let mut choices = self.app.choices().clone();
        change(&mut choices);
        self.tell(Msg::Choices(Box::new(choices)));
    }

    /// What earlier runs have left.
    pub fn remember(&mut self, remembered: Remembered) {
        self.tell(Msg::Remembered(Box::new(remembered)));
    }

    /// Words that were typed at a prompt in an earlier run.
    pub fn remember_words(&mut self, prompt: PromptKind, words: &[&str]) {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        self.remember(Remembered { words: [(prompt, words)].into(), ..Remembered::default() });
    }

    fn tell(&mut self, message: Msg) {
        let effects = update(&mut self.app, message);
        self.take(effects);
    }

    pub fn send(mut self, message: Msg) -> Journey {
        self.tell(message);
        self
    }

    /// Does what takes long.
    fn worked(&mut self, id: JobId, work: Work) {
        let product = work.run(&Stop::new()).expect("nobody gives it up");
        self.tell(Msg::Worked { id, product });
    }

    /// Does what was held back.
    pub fn work(mut self) -> Journey {
        self.held = false;
        while !self.works.is_empty() {
            let (id, work) = self.works.remove(0);
            self.worked(id, work);
        }
        self
    }

    /// What takes long is done later.
    pub fn hold(mut self) -> Journey {
        self.held = true;
        self
    }

    /// A page is read, or read again in another way.
    fn parse(&mut self, id: JobId, intake: &Intake) {
        if let Some(reader) = self.readers.get_mut(&id) {
            assert!(reader.begin_again(intake.clone()), "what has come is not kept");
            let page = Box::new(reader.grown());
            return self.tell(Msg::Grown { id, elapsed: ELAPSED, page });
        }
        self.readers.insert(id, Reader::new(intake.clone()).expect("a type that is shown"));
    }

    /// A page has come to its end.
    fn whole(&mut self, id: JobId, end: Result<End, FetchError>) {
        if let Some(reader) = self.readers.remove(&id) {
            self.tell(Msg::Whole { id, elapsed: ELAPSED, page: Box::new(reader.finish()), end });
        }
    }

    pub fn open(mut self, text: &str) -> Journey {
        let effects = self.app.open(url(text));
        self.take(effects);
        self
    }

    /// A command by its name.
    pub fn run(mut self, line: &str) -> Journey {
        let effects = self.app.run(line);
        self.take(effects);
        self
    }

    /// Keys by their names, with spaces between.
    pub fn keys(mut self, names: &str) -> Journey {
        for name in names.split(' ') {
            let key = Key::named(name).unwrap_or_else(|| panic!("no key {name}"));
            self = self.send(Msg::Key(key));
        }
        self
    }

    /// Characters, each a key.
    pub fn text(mut self, text: &str) -> Journey {
        for c in text.chars() {
            self = self.send(Msg::Key(Key::plain(Code::Char(c))));
        }
        self
    }

    pub fn resize(self, columns: u16, rows: u16) -> Journey {
        self.send(Msg::Resize(columns, rows))
    }

    pub fn last(&self) -> JobId {
        self.fetches.last().expect("a fetch").0
    }

    pub fn event(self, event: FetchEvent) -> Journey {
        let id = self.last();
        self.event_of(id, event)
    }

    /// What a fetch says; what it says of a page goes through its reader.
    pub fn event_of(mut self, id: JobId, event: FetchEvent) -> Journey {
        match (self.readers.get_mut(&id), event) {
            (Some(reader), FetchEvent::Body(octets)) => {
                reader.take(&octets);
                let page = Box::new(reader.grown());
                self.tell(Msg::Grown { id, elapsed: ELAPSED, page });
            }
            (Some(_), FetchEvent::End(end)) => self.whole(id, Ok(end)),
            (Some(_), FetchEvent::Failed(error)) => self.whole(id, Err(error)),
            (_, event) => self.tell(Msg::Fetch { id, elapsed: ELAPSED, event }),
        }
        self
    }

    pub fn stage(self, stage: Stage) -> Journey {
        self.event(FetchEvent::Stage(stage))
    }

    /// The head of the last fetch's own URL.
    pub fn head(self, media: &str) -> Journey {
        let of = self.fetches.last().expect("a fetch").1.url.as_str().to_owned();
        self.event(FetchEvent::Head(Box::new(head(&of, media))))
    }

    pub fn body(self, octets: &[u8]) -> Journey {
        self.event(FetchEvent::Body(octets.to_vec()))
    }

    pub fn end(self) -> Journey {
        self.event(FetchEvent::End(End::default()))
    }

    pub fn fail(self, error: FetchError) -> Journey {
        self.event(FetchEvent::Failed(error))
    }

    /// The whole of an answer: the fetch was sent, its head is accepted, its body comes and ends.
    pub fn answer(mut self, media: &str, octets: &[u8]) -> Journey {
        self.effects.retain(|effect| !matches!(effect, Effect::Fetch { .. }));
        self.head(media).expect_verdict(Verdict::Accept).body(octets).end()
    }

    /// An answer that ends early.
    pub fn answer_cut(mut self, media: &str, octets: &[u8]) -> Journey {
        self.effects.retain(|effect| !matches!(effect, Effect::Fetch { .. }));
        let whole = self.head(media).expect_verdict(Verdict::Accept).body(octets);
        whole.event(FetchEvent::End(End { cut: Some("broken off".into()) }))
    }

    pub fn transfer(self, transfer: Transfer) -> Journey {
        let id = self.last();
        self.send(Msg::Transfer { id, elapsed: Duration::from_secs(2), transfer })
    }

    /// The answer to the last read that has none.
    pub fn read(mut self, content: Result<Vec<u8>, String>) -> Journey {
        let id = self.reads.pop().expect("something to read");
        self.send(Msg::Read { id, content })
    }

    /// The answer to the last write that has none.
    pub fn wrote(mut self, result: Result<String, NotWritten>) -> Journey {
        let id = self.writes.pop().expect("something to write");
        self.send(Msg::Wrote { id, result })
    }

    /// The end of the last program that has none.
    pub fn ran(mut self, result: Result<(), String>) -> Journey {
        let id = self.runs.pop().expect("a program");
        self.send(Msg::Ran { id, result })
    }
}

//! A recording, shown again: what the browser was told then it is told now, and what it asks for is compared.

use super::of_settings;
use super::tape::{Step, Tape};
use super::told::Told;
use super::words::{Ink, missing};
use crate::app::{App, Effect, JobId, Msg, Screen, update};
use crate::config::Settings;
use crate::doc::sanitise;
use crate::format::{Grown, Intake, Reader};
use crate::keys::Keymap;
use crate::proto::{FetchEvent, Head, Within};
use crate::stop::Stop;
use crate::theme::Theme;
use crate::work::Work;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::Arc;

/// Cells of a screen that is drawn into a text; a larger one is nobody's.
const CELLS: u32 = 1 << 20;
/// Octets of pages that are copied to be shown before their end, altogether: a page shown at each of its octets would be a square.
const COPIES: u64 = 1 << 32;
/// Characters of a message that are shown.
pub(super) const NAME: usize = 200;
/// Characters of an effect, or of what is wrong, that are shown.
pub(super) const SHOWN: usize = 2000;

/// The browser asked for something else than then.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The line of the recording, from 1.
    pub line: usize,
    /// The message.
    pub message: String,
    /// What it asked for then.
    pub then: Option<Value>,
    /// What it asks for now.
    pub now: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |effect: &Option<Value>| {
            effect.as_ref().map_or("nothing more".into(), |effect| words(&effect.to_string(), SHOWN))
        };
        writeln!(f, "line {}: after {}", self.line, words(&self.message, NAME))?;
        writeln!(f, "  recorded: {}", shown(&self.then))?;
        write!(f, "  now:      {}", shown(&self.now))
    }
}

/// As much of a recording's words as is shown, made harmless: somebody else may have written them.
pub(super) fn words(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    sanitise(&shown).into_owned()
}

/// A browser that is told what is on a tape.
#[derive(Debug)]
pub struct Replay {
    tape: Arc<Tape>,
    settings: Settings,
    keymap: Keymap,
    app: App,
    /// The next step.
    at: usize,
    ink: Ink,
    /// Of what parts were handed over with requests.
    within: BTreeMap<JobId, Arc<Within>>,
    /// How pages are read.
    intakes: BTreeMap<JobId, Intake>,
    /// What is being worked on.
    works: BTreeMap<JobId, Work>,
}

impl Replay {
    /// At the beginning of a tape.
    pub fn new(tape: Tape, settings: Settings, keymap: Keymap) -> Replay {
        Replay::begin(Arc::new(tape), settings, keymap)
    }

    fn begin(tape: Arc<Tape>, settings: Settings, keymap: Keymap) -> Replay {
        let app = App::new(settings.clone(), keymap.clone(), tape.screen);
        let ink = Ink::new(tape.octets);
        let (within, intakes, works) = Default::default();
        Replay { tape, settings, keymap, app, at: 0, ink, within, intakes, works }
    }

    /// Whether it was recorded with these settings and keys.
    pub fn has_same_settings(&self) -> bool {
        self.tape.settings == of_settings(&self.settings, &self.keymap)
    }

    /// Whether the octets of pages are there.
    pub fn has_octets(&self) -> bool {
        self.tape.octets
    }

    /// The browser as it stands.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// How many messages it was told, and of how many.
    pub fn place(&self) -> (usize, usize) {
        (self.at, self.tape.steps.len())
    }

    /// What it was told last.
    pub fn told(&self) -> &str {
        let last = self.at.checked_sub(1).and_then(|last| self.tape.steps.get(last));
        last.map_or("nothing yet", |step| &step.name)
    }

    /// Tells it the next message; `None` at the end.
    fn step(&mut self, pages: &mut Pages) -> Option<Result<(), Box<Difference>>> {
        let tape = Arc::clone(&self.tape);
        let step = tape.steps.get(self.at)?;
        let effects = match self.message(step, pages) {
            Some(message) => {
                self.ink.begin(&self.app, &message);
                update(&mut self.app, message)
            }
            None => Vec::new(),
        };
        for effect in &effects {
            match effect {
                Effect::Fetch { id, request } => {
                    self.within.extend(request.held.as_ref().map(|held| (*id, Arc::clone(&held.within))));
                }
                Effect::Parse { id, intake } => {
                    self.intakes.insert(*id, Intake::clone(intake));
                    pages.readers.remove(id);
                }
                Effect::Work { id, work } => drop(self.works.insert(*id, work.clone())),
                _ => {}
            }
        }
        self.at += 1;
        let now: Vec<Value> = effects.iter().map(|effect| self.ink.effect(effect)).collect();
        let same = now.iter().zip(&step.effects).take_while(|(now, then)| is_same(now, then)).count();
        if same == now.len() && same == step.effects.len() {
            return Some(Ok(()));
        }
        let (then, now) = (step.effects.get(same).cloned(), now.get(same).cloned());
        Some(Err(Box::new(Difference { line: step.line, message: step.name.clone(), then, now })))
    }

    /// What it is told in a step; `None` for what came of something that it has never asked for: nobody hears of that.
    fn message(&mut self, step: &Step, pages: &mut Pages) -> Option<Msg> {
        let within = |id| self.within.get(&id).filter(|_| step.within).cloned();
        Some(match &step.told {
            Told::Message(Msg::Fetch { id, elapsed, event: FetchEvent::Head(head) }) => {
                let within = within(*id).or_else(|| head.within.clone());
                let head = Box::new(Head { within, ..Head::clone(head) });
                Msg::Fetch { id: *id, elapsed: *elapsed, event: FetchEvent::Head(head) }
            }
            Told::Message(message) => message.clone(),
            Told::Worked(id) => Msg::Worked { id: *id, product: self.works.remove(id)?.run(&Stop::new())? },
            Told::Page { id, elapsed, received, end, tentative, .. } => {
                let there = self.tape.pages.get(id).map(Vec::as_slice).unwrap_or_default();
                let mut reader = pages.read(*id, self.intakes.get(id)?, there, *received)?;
                let (id, elapsed) = (*id, *elapsed);
                match end.clone() {
                    Some(end) => {
                        self.intakes.remove(&id);
                        Msg::Whole { id, elapsed, page: Box::new(reader.finish()), end }
                    }
                    None => {
                        let page = pages.copy(&mut reader, *tentative);
                        pages.readers.insert(id, reader);
                        Msg::Grown { id, elapsed, page: Box::new(page?) }
                    }
                }
            }
        })
    }

    /// Goes to where so many messages were told.
    pub fn go(&mut self, to: usize) {
        if to < self.at {
            *self = Replay::begin(Arc::clone(&self.tape), self.settings.clone(), self.keymap.clone());
        }
        let mut pages = Pages::of(&self.tape);
        while self.at < to && self.step(&mut pages).is_some() {}
    }

    /// Goes to the end.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&mut self) -> Result<(), Box<Difference>> {
        let (mut first, mut pages) = (Ok(()), Pages::of(&self.tape));
        while let Some(result) = self.step(&mut pages) {
            first = first.and(result);
        }
        first
    }
}

/// Pages that are on their way. Each is read once, however often it is shown, while the browser goes on; it is not kept for the next
/// time, as readers cannot go to another thread.
struct Pages {
    readers: BTreeMap<JobId, Reader>,
    /// Octets that may still stand in for those that are not in the recording.
    spare: usize,
    /// Octets of pages that may still be copied to be shown before their end.
    copies: u64,
}

impl Pages {
    fn of(tape: &Tape) -> Pages {
        Pages { readers: BTreeMap::new(), spare: tape.spare, copies: COPIES }
    }

    /// Reads on to where so many octets have been received.
    fn read(&mut self, id: JobId, intake: &Intake, there: &[u8], received: u64) -> Option<Reader> {
        let mut reader = match self.readers.remove(&id) {
            Some(reader) => reader,
            // What was too much was cut when it was recorded, and pieces are not cut where they were then.
            None => Reader::new(Intake { memory: usize::MAX, ..intake.clone() })?,
        };
        let size = |octets: u64| usize::try_from(octets).unwrap_or(usize::MAX);
        let (from, to) = (size(reader.received()), size(received));
        reader.take(there.get(from..to.min(there.len())).unwrap_or_default());
        // Of what is too long to be kept there is only the beginning.
        let more = to.saturating_sub(size(reader.received())).min(self.spare);
        self.spare -= more;
        reader.take(&missing(more));
        Some(reader)
    }

    /// The page so far, while it may be copied.
    fn copy(&mut self, reader: &mut Reader, tentative: bool) -> Option<Grown> {
        self.copies = self.copies.checked_sub(reader.received())?;
        let so_far = if tentative { reader.tentative() } else { None };
        Some(so_far.unwrap_or_else(|| reader.grown()))
    }
}

/// Whether something is what was recorded, in which each star stands for any letter: a secret was hidden there, and what was told
/// then without it came by other words.
fn is_same(now: &Value, then: &Value) -> bool {
    match (now, then) {
        (Value::String(now), Value::String(then)) => {
            now == then || {
                let mut now = now.chars();
                then.chars().all(|then| now.next().is_some_and(|now| then == '*' || now == then))
                    && now.next().is_none()
            }
        }
        (Value::Array(now), Value::Array(then)) => {
            now.len() == then.len() && now.iter().zip(then).all(|(now, then)| is_same(now, then))
        }
        (Value::Object(now), Value::Object(then)) => {
            let same = |(name, now)| then.get(name).is_some_and(|then| is_same(now, then));
            now.len() == then.len() && now.iter().all(same)
        }
        _ => now == then,
    }
}

/// What a terminal of the browser's size shows, as text.
///
/// # Errors
/// It cannot be drawn.
pub fn screen(app: &App, theme: &Theme) -> io::Result<String> {
    let Screen { columns, rows } = app.desk.screen;
    if u32::from(columns) * u32::from(rows) > CELLS {
        return Err(io::Error::other(format!("a screen of {columns} columns and {rows} rows is too large")));
    }
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).map_err(io::Error::other)?;
    let frame = terminal.draw(|frame| drop(crate::view::draw(frame, app, theme))).map_err(io::Error::other)?;
    let mut text = String::new();
    for row in 0..rows {
        let mut line = String::new();
        let mut column = 0;
        while column < columns {
            let symbol = frame.buffer[(column, row)].symbol();
            line.push_str(symbol);
            // What a wide character covers is no character of its own.
            column += u16::try_from(crate::doc::columns(symbol)).unwrap_or(1).max(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    Ok(text)
}

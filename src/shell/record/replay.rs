//! A recording, shown again: what the browser was told then it is told now, and what it asks for is compared.

use super::message::{self, Told};
use super::words::{At, Ink, missing};
use super::{FORM, of_settings};
use crate::app::{App, Effect, JobId, Msg, Screen, update};
use crate::config::Settings;
use crate::doc::sanitise;
use crate::format::{Intake, Reader};
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
/// Characters of a message that are shown.
const NAME: usize = 200;
/// Characters of an effect, or of what is wrong, that are shown.
const SHOWN: usize = 2000;

/// A recording, read.
#[derive(Debug, Clone)]
pub struct Tape {
    screen: Screen,
    settings: String,
    octets: bool,
    steps: Vec<Step>,
    /// All that is there of each page. A page may have shown more than stood in the recording by then.
    pages: Arc<BTreeMap<JobId, Vec<u8>>>,
}

/// What the browser was told, and what it asked for.
#[derive(Debug, Clone)]
struct Step {
    /// Where in the file, from 1.
    line: usize,
    told: Told,
    /// The message as it is written.
    name: String,
    /// The head in it is that of something that was handed over with the request.
    within: bool,
    effects: Vec<Value>,
}

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

impl Tape {
    /// Reads a recording.
    ///
    /// # Errors
    /// The first line that makes no sense, by its number.
    pub fn read(text: &str) -> Result<Tape, String> {
        Tape::read_lines(text).map_err(|wrong| words(&wrong, SHOWN))
    }

    fn read_lines(text: &str) -> Result<Tape, String> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let (at, head) = lines.next().ok_or("line 1: the file is empty")?;
        let head: Value = parsed(at, head)?;
        let said = At { value: &head, of: "the first line" };
        match head["recording"].as_u64() {
            Some(FORM) => {}
            Some(newer) if newer > FORM => {
                return Err(format!("line {at}: a newer Wayfarer wrote this (form {newer})"));
            }
            _ => return Err(format!("line {at}: this is no recording")),
        }
        let screen = match said.at("screen").list(At::small) {
            Ok(size) if size.len() == 2 => Screen { columns: size[0], rows: size[1] },
            _ => return Err(format!("line {at}: there is no size of the screen")),
        };
        let settings = said.at("settings").text().map_err(|wrong| format!("line {at}: {wrong}"))?;
        let mut steps = lines.map(|(at, line)| Step::read(at, line)).collect::<Result<Vec<_>, _>>()?;
        let mut pages = BTreeMap::<_, Vec<u8>>::new();
        for step in &mut steps {
            if let Told::Page { id, more, .. } = &mut step.told {
                pages.entry(*id).or_default().append(more);
            }
        }
        Ok(Tape { screen, settings, octets: said.at("octets").flag(), steps, pages: Arc::new(pages) })
    }
}

/// As much of a recording's words as is shown, made harmless: somebody else may have written them.
fn words(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    sanitise(&shown).into_owned()
}

fn parsed(at: usize, line: &str) -> Result<Value, String> {
    serde_json::from_str(line).map_err(|wrong| format!("line {at}: this is no line of JSON ({wrong})"))
}

impl Step {
    fn read(at: usize, line: &str) -> Result<Step, String> {
        let mut value = parsed(at, line)?;
        let told = message::told(&value).map_err(|wrong| format!("line {at}: {wrong}"))?;
        let effects = match value.get_mut("effects").map(Value::take) {
            Some(Value::Array(effects)) => effects,
            _ => Vec::new(),
        };
        let within = value["fetch"]["head"]["within"].as_bool().unwrap_or_default();
        let name = value.as_object().and_then(|line| line.iter().next()).map(|(name, said)| format!("{name} {said}"));
        let name = name.unwrap_or_default().chars().take(NAME).collect();
        Ok(Step { line: at, told, name, within, effects })
    }
}

/// A browser that is told what is on a tape.
#[derive(Debug)]
pub struct Replay {
    tape: Tape,
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
    pub fn step(&mut self) -> Option<Result<(), Box<Difference>>> {
        let step = self.tape.steps.get(self.at)?;
        let effects = match self.message(step) {
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
                Effect::Parse { id, intake } => drop(self.intakes.insert(*id, Intake::clone(intake))),
                Effect::Work { id, work } => drop(self.works.insert(*id, work.clone())),
                _ => {}
            }
        }
        let step = self.tape.steps.get(self.at)?;
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
    fn message(&self, step: &Step) -> Option<Msg> {
        let within = |id| self.within.get(&id).filter(|_| step.within).cloned();
        Some(match &step.told {
            Told::Message(Msg::Fetch { id, elapsed, event: FetchEvent::Head(head) }) => {
                let head = Box::new(Head { within: within(*id), ..Head::clone(head) });
                Msg::Fetch { id: *id, elapsed: *elapsed, event: FetchEvent::Head(head) }
            }
            Told::Message(message) => message.clone(),
            Told::Worked(id) => Msg::Worked { id: *id, product: self.works.get(id)?.clone().run(&Stop::new())? },
            Told::Page { id, elapsed, received, end, .. } => {
                let mut reader = Reader::new(self.intakes.get(id)?.clone())?;
                let there = self.tape.pages.get(id).map(Vec::as_slice).unwrap_or_default();
                let received = usize::try_from(*received).unwrap_or(usize::MAX);
                reader.take(&there[..received.min(there.len())]);
                // Of what is too long to be kept there is only the beginning.
                reader.take(&missing(received.saturating_sub(there.len())));
                let (id, elapsed) = (*id, *elapsed);
                match end.clone() {
                    Some(end) => Msg::Whole { id, elapsed, page: Box::new(reader.finish()), end },
                    None => Msg::Grown { id, elapsed, page: Box::new(reader.grown()) },
                }
            }
        })
    }

    /// Goes to where so many messages were told.
    pub fn go(&mut self, to: usize) {
        if to < self.at {
            let Tape { screen, octets, .. } = self.tape;
            let none = Tape { screen, octets, settings: String::new(), steps: Vec::new(), pages: Arc::default() };
            let tape = std::mem::replace(&mut self.tape, none);
            *self = Replay::new(tape, self.settings.clone(), self.keymap.clone());
        }
        while self.at < to && self.step().is_some() {}
    }

    /// Goes to the end.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&mut self) -> Result<(), Box<Difference>> {
        let mut first = Ok(());
        while let Some(result) = self.step() {
            first = first.and(result);
        }
        first
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

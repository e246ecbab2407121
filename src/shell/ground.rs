//! Whether letters stand on a dark ground or on a light one: by the terminal's own word (OSC 11), else by what the environment
//! says, else by the terminal's word of the last time. Nothing waits for the word: it comes among the keys, is taken out of them, and what
//! was drawn meanwhile is drawn anew where it was wrong. So no second question has to follow to tell a terminal that has no word
//! to give. Refuses: which theme that means.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the terminal is asked with. It ends by BEL, which terminals know that know nothing else of this.
pub(super) const QUESTION: &str = "\x1b]11;?\x07";

/// What an answer begins with, after `M-]`.
const INTRODUCTION: &str = "11;";

/// Letters of an answer; none is longer.
const LONGEST: usize = 32;

/// The ground of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Ground {
    /// Light letters can be read.
    #[default]
    Dark,
    /// Dark letters can be read.
    Light,
}

impl Ground {
    /// Its name, which is that of its theme, too.
    pub(super) fn name(self) -> &'static str {
        match self {
            Ground::Dark => "dark",
            Ground::Light => "light",
        }
    }

    /// The ground of that name.
    pub(super) fn named(name: &str) -> Option<Ground> {
        [Ground::Dark, Ground::Light].into_iter().find(|ground| ground.name() == name)
    }

    /// What an environment says: `COLORFGBG`, as rxvt and Konsole set it, the number of the ground's colour last.
    pub(super) fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Option<Ground> {
        match variable("COLORFGBG")?.rsplit(';').next()?.parse() {
            Ok(7_u8 | 9..=15) => Some(Ground::Light),
            Ok(_) => Some(Ground::Dark),
            Err(_) => None,
        }
    }

    /// What an answer says: `rgb:RRRR/GGGG/BBBB`, with one to four digits each.
    fn of_answer(words: &str) -> Option<Ground> {
        let (_, channels) = words.split_once(':').filter(|(form, _)| matches!(*form, "rgb" | "rgba"))?;
        let mut parts = channels.split('/').map(|digits| {
            let bits = u32::try_from(digits.len()).ok().filter(|digits| (1..=4).contains(digits))? * 4;
            let value = u32::from_str_radix(digits, 16).ok()?;
            Some(f64::from(value) / f64::from((1_u32 << bits) - 1))
        });
        let mut next = || parts.next().flatten().map(|share| share.powf(2.2));
        let (red, green, blue) = (next()?, next()?, next()?);
        // Where black and white letters part from it equally well (WCAG 2).
        let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
        Some(if light { Ground::Light } else { Ground::Dark })
    }
}

/// Whether a terminal of this name may be asked: a few would show the question.
pub(super) fn can_be_asked(term: &str) -> bool {
    let old = ["linux", "vt", "cons", "dumb", "eterm", "ansi", "sun", "wy"];
    !term.is_empty() && !old.iter().any(|name| term.starts_with(name))
}

/// Whether an answer is awaited: the one who asks says so, the one who reads keys looks.
#[derive(Debug, Clone, Default)]
pub(super) struct Awaited(Arc<AtomicBool>);

impl Awaited {
    /// The terminal is asked.
    pub(super) fn begin(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it has been asked and has not answered.
    pub(super) fn is_open(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// No answer is awaited any more.
    pub(super) fn end(&self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// What became of something that was read.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    /// It may be a part of the answer; more has to come.
    Nothing,
    /// The answer, whole.
    Ground(Option<Ground>),
    /// The reader's, with all that was held back before.
    Typed(Vec<Event>),
}

/// Takes an answer out of the events that its letters look like: `M-]`, `11;rgb:…`, and `C-g` or `M-\` at its end. One answer to
/// one question; all else is the reader's.
#[derive(Debug, Default)]
pub(super) struct Ear {
    awaited: Awaited,
    held: Vec<Event>,
    words: String,
    /// How much was held when nothing followed for a while: what came later may be the reader's.
    torn: usize,
}

impl Ear {
    pub(super) fn new(awaited: Awaited) -> Ear {
        Ear { awaited, ..Ear::default() }
    }

    /// Takes what was read.
    pub(super) fn take(&mut self, event: Event) -> Heard {
        if self.held.is_empty() && !(self.awaited.is_open() && is_key(&event, ']', KeyModifiers::ALT)) {
            return Heard::Typed(vec![event]);
        }
        let ended = is_key(&event, 'g', KeyModifiers::CONTROL) || is_key(&event, '\\', KeyModifiers::ALT);
        if ended && self.words.starts_with(INTRODUCTION) {
            let ground = Ground::of_answer(&self.words[INTRODUCTION.len()..]);
            self.held.clear();
            self.words.clear();
            self.torn = 0;
            self.awaited.end();
            return Heard::Ground(ground);
        }
        if let (false, Event::Key(KeyEvent { code: KeyCode::Char(letter), .. })) = (self.held.is_empty(), &event) {
            self.words.push(*letter);
        }
        let begins = self.held.is_empty()
            || (is_letter(&event)
                && self.words.len() <= LONGEST
                && (INTRODUCTION.starts_with(&self.words)
                    || self.words.strip_prefix(INTRODUCTION).is_some_and(may_be_a_colour)));
        self.held.push(event);
        match begins {
            true => Heard::Nothing,
            false => {
                // What ends an answer that is none is a key, if nothing has said so before.
                self.torn = if self.torn > 0 { self.torn } else { self.held.len() - 1 };
                Heard::Typed(self.give_up())
            }
        }
    }

    /// Whether something is held that may be a part of an answer.
    pub(super) fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// Nothing follows for now: a key alone that answers begin with was pressed by the reader.
    pub(super) fn rest(&mut self) -> Vec<Event> {
        if self.words.is_empty() {
            return self.give_up();
        }
        self.torn = self.held.len();
        Vec::new()
    }

    /// Nothing follows at all: what was held back is the reader's, but for the beginning of an answer that never ends.
    pub(super) fn give_up(&mut self) -> Vec<Event> {
        let is_answer = std::mem::take(&mut self.words).starts_with(INTRODUCTION);
        let mut events = std::mem::take(&mut self.held);
        let torn = std::mem::take(&mut self.torn);
        if is_answer {
            self.awaited.end();
            events.drain(..if torn > 0 { torn.min(events.len()) } else { events.len() });
        }
        events
    }
}

fn is_key(event: &Event, letter: char, modifiers: KeyModifiers) -> bool {
    matches!(event, Event::Key(key) if key.code == KeyCode::Char(letter) && key.modifiers == modifiers
        && key.kind != KeyEventKind::Release)
}

/// Whether it is one of the letters that answers are made of.
fn is_letter(event: &Event) -> bool {
    matches!(event, Event::Key(KeyEvent { code: KeyCode::Char(letter), modifiers, .. })
        if (*modifiers - KeyModifiers::SHIFT).is_empty() && (letter.is_ascii_alphanumeric() || ";:/".contains(*letter)))
}

/// Whether words may go on to be a colour: `rgb:`, `rgba:`, and hexadecimal digits with slashes between.
fn may_be_a_colour(words: &str) -> bool {
    match words.split_once(':') {
        Some((form, digits)) => {
            ["rgb", "rgba"].contains(&form) && digits.chars().all(|c| c.is_ascii_hexdigit() || c == '/')
        }
        None => "rgba".starts_with(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letter: char, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(letter), modifiers))
    }

    /// Events as they are read; `]` is M-], `$` the end by BEL, `\` that by ST.
    fn events(text: &str) -> Vec<Event> {
        let of = |letter| match letter {
            ']' | '\\' => key(letter, KeyModifiers::ALT),
            '$' => key('g', KeyModifiers::CONTROL),
            _ => key(letter, KeyModifiers::NONE),
        };
        text.chars().map(of).collect()
    }

    /// What is heard of a text, where an answer is awaited: grounds, and the number of events that are the reader's.
    fn heard(text: &str) -> (Vec<Option<Ground>>, usize) {
        let awaited = Awaited::default();
        awaited.begin();
        let mut ear = Ear::new(awaited);
        let (mut grounds, mut typed) = (Vec::new(), 0);
        for event in events(text) {
            match ear.take(event) {
                Heard::Nothing => {}
                Heard::Ground(ground) => grounds.push(ground),
                Heard::Typed(events) => typed += events.len(),
            }
        }
        (grounds, typed + ear.rest().len())
    }

    #[test]
    fn an_answer_is_taken_out_of_the_keys() {
        let (dark, light) = (Some(Ground::Dark), Some(Ground::Light));
        for (text, grounds, typed) in [
            ("j]11;rgb:ffff/ffff/ffff$k", &[light][..], 2),
            ("]11;rgb:0000/0000/0000\\", &[dark], 0),
            ("]11;rgb:fd/f6/e3$", &[light], 0),
            ("]11;rgba:28/2a/36/ff$", &[dark], 0),
            ("]11;rgb:zz$", &[], 3),
            ("]11;rgb:ff$", &[None], 0),
            // One answer to one question.
            ("]11;rgb:f/f/f$]11;rgb:0/0/0$", &[light], 14),
            // What is typed is the reader's.
            ("]", &[], 1),
            ("]jk", &[], 3),
            ("]11j", &[], 4),
            ("]12;x", &[], 5),
            ("]11;rgb:ffff/ffff/ffff/and/so/on/without/end", &[], 20),
            // What never ends is not the reader's, and what they type behind it is not the answer's.
            ("]11;rgb:ffjk", &[], 2),
            ("]11;rgb:", &[], 0),
        ] {
            assert_eq!(heard(text), (grounds.to_vec(), typed), "{text}");
        }
        let mut ear = Ear::new(Awaited::default());
        assert_eq!(ear.take(key(']', KeyModifiers::ALT)), Heard::Typed(events("]")), "nobody asked");
    }

    #[test]
    fn keys_behind_an_answer_that_never_ends_are_not_lost() {
        let awaited = Awaited::default();
        awaited.begin();
        let mut ear = Ear::new(awaited.clone());
        let heard = |ear: &mut Ear, text: &str| -> Vec<Event> {
            let typed = |event| match ear.take(event) {
                Heard::Typed(events) => events,
                _ => Vec::new(),
            };
            events(text).into_iter().flat_map(typed).collect()
        };
        assert_eq!(heard(&mut ear, "]11;rgb:ff/"), []);
        assert_eq!(ear.rest(), [], "the rest may still come");
        assert_eq!(heard(&mut ear, "d"), [], "it may be a digit");
        assert!(ear.holds());
        assert_eq!(ear.give_up(), events("d"), "nothing came of it");
        assert!(!awaited.is_open());
        assert_eq!(heard(&mut ear, "]11;rgb:ff/"), events("]11;rgb:ff/"), "one answer to one question");
    }

    #[test]
    fn the_environment_may_know_the_ground() {
        let of = |said: &str| Ground::of_environment(|name| (name == "COLORFGBG").then(|| said.to_owned()));
        for (said, ground) in [
            ("15;0", Some(Ground::Dark)),
            ("0;15", Some(Ground::Light)),
            ("0;default;7", Some(Ground::Light)),
            ("12;8", Some(Ground::Dark)),
            ("", None),
            ("default;default", None),
        ] {
            assert_eq!(of(said), ground, "{said}");
        }
    }

    #[test]
    fn old_terminals_are_not_asked() {
        for (term, asked) in
            [("xterm", true), ("tmux-256color", true), ("linux", false), ("vt220", false), ("", false), ("dumb", false)]
        {
            assert_eq!(can_be_asked(term), asked, "{term}");
        }
    }
}

//! What the terminal says of itself when it is asked. Nothing waits for its word: it comes among the keys, is taken out of them, and
//! what was drawn meanwhile is drawn anew where it was wrong. So no second question has to follow to tell a terminal that has no word
//! to give. Refuses: what an answer means.

use super::ground;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// What a terminal is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// What its ground is (OSC 11).
    Ground,
    /// What it is called (XTVERSION).
    Name,
    /// Which terminal it is like (DECRQSS).
    Level,
}

/// How an answer comes.
struct Form {
    question: Question,
    /// The key that it looks like at its beginning, with Meta held.
    opener: char,
    /// What follows that.
    introduction: &'static str,
    /// Whether words may go on to be the rest.
    may: fn(&str) -> bool,
}

const FORMS: &[Form] = &[
    Form { question: Question::Ground, opener: ']', introduction: "11;", may: ground::may_be_a_colour },
    Form { question: Question::Name, opener: 'P', introduction: ">|", may: |_| true },
    Form { question: Question::Level, opener: 'P', introduction: "1$r", may: |_| true },
    // It does not know what was asked.
    Form { question: Question::Level, opener: 'P', introduction: "0$r", may: |_| true },
];

/// Letters of an answer; none is longer.
const LONGEST: usize = 64;

/// Whether an answer is awaited: the one who asks says so, the one who reads keys looks.
#[derive(Debug, Clone, Default)]
pub(super) struct Awaited(Arc<AtomicU8>);

impl Awaited {
    /// The terminal is asked.
    pub(super) fn begin(&self, question: Question) {
        self.0.fetch_or(1 << question as u8, Ordering::SeqCst);
    }

    /// Whether it has been asked this and has not answered.
    fn is_open(&self, question: Question) -> bool {
        self.0.load(Ordering::SeqCst) & (1 << question as u8) != 0
    }

    /// Whether it has been asked anything and has not answered.
    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// No answer to this is awaited any more.
    fn end(&self, question: Question) {
        self.0.fetch_and(!(1 << question as u8), Ordering::SeqCst);
    }

    /// No answer is awaited any more.
    pub(super) fn end_all(&self) {
        self.0.store(0, Ordering::SeqCst);
    }
}

/// What became of something that was read.
#[derive(Debug, PartialEq)]
pub(super) enum Heard {
    /// It may be a part of the answer; more has to come.
    Nothing,
    /// The answer, whole, without what introduces it.
    Answer(Question, String),
    /// The reader's, with all that was held back before.
    Typed(Vec<Event>),
}

/// Takes an answer out of the events that its letters look like: `M-]`, `11;rgb:…`, and `C-g` or `M-\` at its end; `M-P`, `>|foot…`. One answer to
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
        if self.held.is_empty() && self.forms(&event).next().is_none() {
            return Heard::Typed(vec![event]);
        }
        let ended = is_key(&event, 'g', KeyModifiers::CONTROL) || is_key(&event, '\\', KeyModifiers::ALT);
        if let Some((question, words)) = self.answer().filter(|_| ended) {
            self.held.clear();
            self.words.clear();
            self.torn = 0;
            self.awaited.end(question);
            return Heard::Answer(question, words);
        }
        if let (false, Event::Key(KeyEvent { code: KeyCode::Char(letter), .. })) = (self.held.is_empty(), &event) {
            self.words.push(*letter);
        }
        let begins = self.held.is_empty() || (is_letter(&event) && self.words.len() <= LONGEST && self.goes_on());
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

    /// How answers that are awaited come that begin so.
    fn forms(&self, opener: &Event) -> impl Iterator<Item = &'static Form> {
        let opens =
            |form: &&Form| self.awaited.is_open(form.question) && is_key(opener, form.opener, KeyModifiers::ALT);
        FORMS.iter().filter(opens).collect::<Vec<_>>().into_iter()
    }

    /// The answer that is held, as far as it has come, once it is known for one.
    fn answer(&self) -> Option<(Question, String)> {
        let said = |form: &Form| Some((form.question, self.words.strip_prefix(form.introduction)?.to_owned()));
        self.forms(self.held.first()?).find_map(said)
    }

    /// Whether what is held may go on to be an answer.
    fn goes_on(&self) -> bool {
        let may = |form: &Form| {
            form.introduction.starts_with(&self.words)
                || self.words.strip_prefix(form.introduction).is_some_and(form.may)
        };
        self.held.first().is_some_and(|opener| self.forms(opener).any(may))
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
        let answer = self.answer();
        self.words.clear();
        let mut events = std::mem::take(&mut self.held);
        let torn = std::mem::take(&mut self.torn);
        if let Some((question, _)) = answer {
            self.awaited.end(question);
            events.drain(..if torn > 0 { torn.min(events.len()) } else { events.len() });
        }
        events
    }
}

fn is_key(event: &Event, letter: char, modifiers: KeyModifiers) -> bool {
    matches!(event, Event::Key(key) if key.code == KeyCode::Char(letter) && key.modifiers - KeyModifiers::SHIFT == modifiers
        && key.kind != KeyEventKind::Release)
}

/// Whether it is one of the letters that answers are made of.
fn is_letter(event: &Event) -> bool {
    matches!(event, Event::Key(KeyEvent { code: KeyCode::Char(letter), modifiers, .. })
        if (*modifiers - KeyModifiers::SHIFT).is_empty() && (letter.is_ascii_graphic() || *letter == ' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::ground::Ground;

    fn key(letter: char, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(letter), modifiers))
    }

    /// Events as they are read; `]` is M-], `$` the end by BEL, `\` that by ST.
    fn events(text: &str) -> Vec<Event> {
        let of = |letter| match letter {
            ']' | '\\' => key(letter, KeyModifiers::ALT),
            '$' => key('g', KeyModifiers::CONTROL),
            'P' => key(letter, KeyModifiers::ALT | KeyModifiers::SHIFT),
            _ => key(letter, KeyModifiers::NONE),
        };
        text.chars().map(of).collect()
    }

    /// What is heard of a text, where an answer is awaited: grounds, and the number of events that are the reader's.
    fn heard(text: &str) -> (Vec<Option<Ground>>, usize) {
        let awaited = Awaited::default();
        awaited.begin(Question::Ground);
        let mut ear = Ear::new(awaited);
        let (mut grounds, mut typed) = (Vec::new(), 0);
        for event in events(text) {
            match ear.take(event) {
                Heard::Nothing => {}
                Heard::Answer(_, words) => grounds.push(Ground::of_answer(&words)),
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
        awaited.begin(Question::Ground);
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
        assert!(!awaited.any());
        assert_eq!(heard(&mut ear, "]11;rgb:ff/"), events("]11;rgb:ff/"), "one answer to one question");
    }

    #[test]
    fn a_terminal_that_says_its_name_types_nothing() {
        let awaited = Awaited::default();
        awaited.begin(Question::Ground);
        awaited.begin(Question::Name);
        let mut ear = Ear::new(awaited.clone());
        let mut heard = Vec::new();
        // Keys before and between; the dollar is a letter of the second answer's introduction.
        for event in events("jP>|XTerm(379)\\k]11;rgb:0/0/0\\") {
            match ear.take(event) {
                Heard::Nothing => {}
                other => heard.push(other),
            }
        }
        let answer = |question, words: &str| Heard::Answer(question, words.into());
        let typed = |letters| Heard::Typed(events(letters));
        let all = [typed("j"), answer(Question::Name, "XTerm(379)"), typed("k"), answer(Question::Ground, "rgb:0/0/0")];
        assert_eq!(heard, all);
        awaited.begin(Question::Level);
        let level = [key('P', KeyModifiers::ALT | KeyModifiers::SHIFT)].into_iter();
        let level = level.chain("1$r63;1\"p".chars().map(|letter| key(letter, KeyModifiers::NONE))).chain(events("\\"));
        let last = level.map(|event| ear.take(event)).last();
        assert_eq!(last, Some(answer(Question::Level, "63;1\"p")));
        assert!(!awaited.any());
        assert_eq!(
            ear.take(key('P', KeyModifiers::ALT)),
            Heard::Typed(vec![key('P', KeyModifiers::ALT)]),
            "nobody asked"
        );
    }
}

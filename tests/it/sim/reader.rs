//! The reader: types, presses keys that mean something where they are, points, pastes, runs commands. What is typed is marked,
//! so that it can be told where it goes.

use super::drive::Sim;
use super::invariants::{Held, Secret};
use super::world::{PLACES, place};
use ratatui::{Terminal, backend::TestBackend};
use wayfarer::app::{FieldValue, FormOwner, Gesture, Msg, Overlay, PromptKind, TextOwner};
use wayfarer::keys::{Code, Key};
use wayfarer::url::Url;
use wayfarer::view::draw;

/// Commands with what they want, as they are typed; `PLACE` is a place of the world.
const COMMANDS: &[&str] = &[
    "open PLACE",
    "new-tab PLACE",
    "follow",
    "follow-behind",
    "follow-tab",
    "back",
    "forward",
    "parent",
    "root",
    "reload",
    "stop",
    "home",
    "close-tab",
    "reopen-tab",
    "next-tab",
    "tab 1",
    "split",
    "split list",
    "split link",
    "split page",
    "split source",
    "split anatomy",
    "other-pane",
    "other-pane",
    "only",
    "sort size",
    "sort date",
    "readme",
    "folds",
    "anatomy",
    "attributes",
    "source",
    "wrap",
    "charset cp437",
    "trust",
    "set marks glyphs",
    "copy-url",
    "download",
    "download ~/Downloads/file",
    "download-tree",
    "download-tree /home/me/tree",
    "save /home/me/saved.txt",
    "save",
    "downloads",
    "where",
    "subscribe",
    "subscribe link",
    "unsubscribe",
    "new",
    "next-new",
    "check-new",
    "settings",
    "theme",
    "set wrap off",
    "set width 60",
    "keep",
    "cookies",
    "bookmark",
    "bookmarks",
    "bookmarks import /home/me/b.html",
    "bookmarks export /home/me/out.html",
    "forget host w.example",
    "forget all",
    "pipe sort",
    "pipe source sort",
    "edit-source",
    "edit-field",
    "outside",
    "followup",
    "post g.one",
    "reply-mail",
    "forward-mail",
    "drafts",
    "history",
    "places",
    "next-unread",
    "catch-up",
    "mark",
    "mark-thread",
    "mark-below",
    "mark-to-here",
    "mark-line",
    "mark-range",
    "folds",
    "subscribe",
    "unread-only",
    "score",
    "watch-thread",
    "ignore-thread",
    "sort score",
    "thread",
    "redraw",
    "suspend",
    "complaints",
    "quit",
    "quit-now",
    "edit",
    "remove",
    "undo",
    "next-page",
    "find words",
    "filter wo",
    "set-mark a",
    "go-mark a",
    "go-mark '",
    "delete-mark a",
    "marks",
    "find-typing",
    "repeat",
    "nonsense",
];

impl Sim {
    /// The reader does something.
    pub fn act(&mut self) -> Held {
        if self.app.hands.prompt().is_some() {
            return self.at_prompt();
        }
        match self.app.hands.top() {
            Some(Overlay::Form(_)) => self.at_form(),
            Some(Overlay::Question { choices, .. }) => {
                let keys: Vec<char> = choices.iter().map(|choice| choice.key).collect();
                match self.random.below(8) {
                    0 => self.press(Key::plain(Code::Esc)),
                    1 => self.point(),
                    2 => self.bound(),
                    _ => {
                        let key = *self.random.pick(&keys);
                        self.press(Key::plain(Code::Char(key)))
                    }
                }
            }
            Some(Overlay::List { .. }) => {
                let code = *self.random.pick(&[
                    Code::Down,
                    Code::Up,
                    Code::Enter,
                    Code::Enter,
                    Code::Esc,
                    Code::Char('a'),
                    Code::Char('d'),
                ]);
                self.press(Key::plain(code))
            }
            Some(Overlay::Text { .. }) => {
                let code = *self.random.pick(&[
                    Code::Char('p'),
                    Code::Char('e'),
                    Code::Char('k'),
                    Code::Down,
                    Code::Enter,
                    Code::Esc,
                    Code::Esc,
                ]);
                self.press(Key::plain(code))
            }
            None => self.at_page(),
        }
    }

    fn press(&mut self, key: Key) -> Held {
        self.tell(Msg::Key(key))
    }

    fn write(&mut self, text: &str) -> Held {
        text.chars().try_for_each(|c| self.press(Key::plain(Code::Char(c))))
    }

    /// A key that has a meaning where the reader is.
    fn bound(&mut self) -> Held {
        let modes = self.app.modes();
        let bindings = self.app.desk.keymap.bindings();
        let here: Vec<Vec<Key>> =
            bindings.iter().filter(|(mode, ..)| modes.contains(mode)).map(|(_, keys, _)| keys.clone()).collect();
        let keys = self.random.pick(&here).clone();
        keys.into_iter().try_for_each(|key| self.press(key))
    }

    /// Something on the screen is pressed.
    fn point(&mut self) -> Held {
        let screen = self.app.desk.screen;
        let mut terminal = Terminal::new(TestBackend::new(screen.columns, screen.rows)).unwrap();
        let mut spots = None;
        terminal.draw(|frame| spots = Some(draw(frame, &self.app, &self.theme))).unwrap();
        let at =
            (self.random.below(usize::from(screen.columns)) as u16, self.random.below(usize::from(screen.rows)) as u16);
        let Some(spot) = spots.and_then(|spots| spots.at(at.0, at.1)) else { return Ok(()) };
        let gestures = [
            Gesture::Press,
            Gesture::Press,
            Gesture::Press,
            Gesture::Middle,
            Gesture::Drag,
            Gesture::WheelUp,
            Gesture::WheelDown,
        ];
        let gesture = *self.random.pick(&gestures);
        self.tell(Msg::Mouse(gesture, spot))
    }

    fn at_page(&mut self) -> Held {
        match self.random.below(20) {
            0..6 => self.bound(),
            6 => self.point(),
            7 => {
                let text = format!("{}\n", self.random.pick(PLACES));
                self.tell(Msg::Paste(text))
            }
            8 => {
                let url = place(&mut self.random);
                self.tell(Msg::Go(url))
            }
            9 => {
                self.typed += 1;
                let (scheme, path) = *self.random.pick(&[
                    ("gopher", ""),
                    ("http", "form"),
                    ("ftp", "pub/"),
                    ("nntp", "g.one"),
                    ("nntp", "g.one/3"),
                ]);
                let line = format!("private {scheme}://prv{}.example/{path}", self.typed);
                self.tell(Msg::Command(line))
            }
            10 | 11 => {
                let to = self.random.pick(&["Down", "Down", "Enter", "Enter", "Enter", "j", "h", "l"]);
                self.press(Key::named(to).unwrap())
            }
            12 if self.random.once_in(2) => self.seek(),
            12 => self.press(Key::plain(Code::Char('g'))),
            13 if self.random.once_in(2) => self.save_a_directory(),
            13 => self.fill_a_form(),
            _ => {
                let place = *self.random.pick(PLACES);
                let line = self.random.pick(COMMANDS).replace("PLACE", place);
                self.tell(Msg::Command(line))
            }
        }
    }

    /// A page is opened, and what was asked for last is answered.
    fn open(&mut self, url: &str) -> Held {
        self.tell(Msg::Go(Url::parse(url).unwrap()))?;
        self.answer_the_last()
    }

    fn answer_the_last(&mut self) -> Held {
        let last = self.asked.keys().next_back().copied();
        (0..12).try_for_each(|_| last.map_or(Ok(()), |id| self.say(id)))
    }

    /// Something is sought where there may be much, or trusted where nobody is.
    fn seek(&mut self) -> Held {
        if self.random.once_in(4) {
            self.open("https://cert.example/")?;
            return self.tell(Msg::Command("trust".into()));
        }
        let places = ["gopher://h.example/0/large", "gopher://h.example/1/large", "about:history"];
        let place = *self.random.pick(&places);
        self.open(place)?;
        for _ in 0..3 {
            self.answer_the_last()?;
        }
        let line = *self.random.pick(&["find words", "filter wo", "sort name"]);
        self.tell(Msg::Command(line.into()))
    }

    /// A directory with all below.
    fn save_a_directory(&mut self) -> Held {
        let from = *self.random.pick(&["ftp://f.example/pub/", "ftp://f.example/pub/", "file:///home/me/"]);
        self.open(from)?;
        self.tell(Msg::Command("download-tree /home/me/tree".into()))?;
        for _ in 0..8 {
            self.answer_the_last()?;
        }
        if matches!(self.app.hands.top(), Some(Overlay::Text { owner: TextOwner::Plan, .. })) {
            self.press(Key::plain(Code::Enter))?;
        }
        // Often not all of them: what is left comes when it comes.
        (0..self.random.below(12)).try_for_each(|_| self.answer_the_last())
    }

    /// A form of a page, with all its fields.
    fn fill_a_form(&mut self) -> Held {
        self.open("http://w.example/form")?;
        for _ in 0..9 {
            self.press(Key::plain(Code::Down))?;
            self.press(Key::plain(Code::Enter))?;
            for _ in 0..6 {
                if self.app.hands.prompt().is_some()
                    || matches!(self.app.hands.top(), Some(Overlay::Form(_) | Overlay::List { .. }))
                {
                    self.act()?;
                }
            }
        }
        Ok(())
    }

    /// Words that are found nowhere else, for the host of this page.
    fn secret(&mut self, of: &str, host: Option<&str>, shown: bool) -> String {
        self.typed += 1;
        let words = format!("{of}{}x", self.typed);
        let host = host.unwrap_or_default().to_owned();
        self.secrets.push(Secret { words: words.clone(), host, shown });
        words
    }

    fn at_prompt(&mut self) -> Held {
        let Some(prompt) = self.app.hands.prompt() else { return Ok(()) };
        let (kind, empty, private) = (prompt.kind, prompt.input.value().is_empty(), self.app.tab.private);
        let here = self.app.entry().and_then(|entry| entry.url.host()).map(str::to_owned);
        // A server's question may come before any page of it.
        let asked = prompt.about.as_ref().and_then(|url| url.host()).map(str::to_owned);
        match self.random.below(12) {
            0 => return self.press(Key::plain(Code::Esc)),
            1 => return self.bound(),
            2 => {
                let codes = [Code::Tab, Code::Up, Code::Down, Code::Left, Code::Backspace];
                let code = *self.random.pick(&codes);
                return self.press(Key::plain(code));
            }
            3 if kind != PromptKind::Password => return self.tell(Msg::Paste("pasted\nwords".into())),
            _ => {}
        }
        let text = match kind {
            // What stands there already is the reader's.
            PromptKind::Open if !empty => String::new(),
            PromptKind::Open if private => {
                self.typed += 1;
                format!("http://prv{}.example/", self.typed)
            }
            PromptKind::Open if self.random.once_in(4) => {
                let secret = self.secret("urlpw", Some("w.example"), false);
                format!("http://me:{secret}@w.example/page")
            }
            PromptKind::Open => (*self.random.pick(PLACES)).to_owned(),
            PromptKind::Password => self.secret("pwd", asked.or(here).as_deref(), false),
            PromptKind::Command if empty => (*self.random.pick(COMMANDS)).replace("PLACE", "h.example"),
            PromptKind::Save => {
                if self.random.once_in(3) {
                    "x".into()
                } else {
                    String::new()
                }
            }
            PromptKind::Program => "see".into(),
            PromptKind::Number => "1".into(),
            PromptKind::Hint | PromptKind::SetMark | PromptKind::GoMark => "a".into(),
            PromptKind::Setting => "40".into(),
            PromptKind::Upload => "/home/me/notes.txt".into(),
            PromptKind::Search | PromptKind::Answer | PromptKind::Name => "wo".into(),
            PromptKind::Field | PromptKind::Find | PromptKind::FindLink | PromptKind::Filter => "wo".into(),
            PromptKind::Command => String::new(),
        };
        self.write(&text)?;
        match self.app.hands.prompt().is_some() {
            true => self.press(Key::plain(Code::Enter)),
            false => Ok(()),
        }
    }

    fn at_form(&mut self) -> Held {
        let Some(Overlay::Form(form)) = self.app.hands.top() else { return Ok(()) };
        let host = form.url.host().map(str::to_owned);
        let login = matches!(form.owner, FormOwner::Login(_));
        let field = form.fields.get(form.focus).map(|field| field.value.clone());
        match self.random.below(14) {
            0 => return self.press(Key::plain(Code::Esc)),
            1 => return self.bound(),
            2 => return self.point(),
            3 if !login => return self.tell(Msg::Paste("pasted\nwords".into())),
            _ => {}
        }
        match field {
            Some(FieldValue::Line { input, secret }) if input.value().is_empty() => {
                let words = match (login, secret) {
                    (true, false) => self.secret("usr", host.as_deref(), true),
                    (_, true) => self.secret("lgn", host.as_deref(), false),
                    (false, false) => "words".into(),
                };
                self.write(&words)?;
            }
            Some(FieldValue::Lines { .. }) => self.write("line")?,
            Some(FieldValue::File { .. }) => self.write("/home/me/notes.txt")?,
            Some(FieldValue::Check(_) | FieldValue::Choose { .. }) => self.press(Key::plain(Code::Char(' ')))?,
            _ => {}
        }
        let next = if self.random.once_in(3) { Code::Enter } else { Code::Tab };
        self.press(Key::plain(next))
    }
}

//! Forms that are filled in over the page, and what each is for: Gopher+ ASK forms, logins, bookmarks, fields of several
//! lines.

use super::line::{insert, request};
use super::prompt::FieldPlace;
use crate::app::{Letter, Opening};
use crate::bookmarks::Bookmark;
use crate::format::ask;
use crate::keys::{Code, Key};
use crate::url::Url;
use tui_input::Input;

/// The number of a form; never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormId(pub u64);

/// A form being filled in.
#[derive(Debug, Clone)]
pub struct Form {
    /// Its number.
    pub id: FormId,
    /// What it is for.
    pub owner: FormOwner,
    /// The reader has typed something into it.
    pub touched: bool,
    /// The item it belongs to.
    pub url: Url,
    /// Its title.
    pub title: String,
    /// Its fields, in order.
    pub fields: Vec<FormField>,
    /// Which field has the focus; `fields.len()` is the send button.
    pub focus: usize,
    /// What its button says.
    pub button: String,
}

/// What a form is for.
#[derive(Debug, Clone, PartialEq)]
pub enum FormOwner {
    /// The answers to a Gopher+ item.
    Gopher(Box<(Opening, ask::Form)>),
    /// A login, for what wants it.
    Login(Box<Wants>),
    /// A bookmark: the one to change, or none for a new one.
    Bookmark(Option<Bookmark>),
    /// A field of several lines.
    Area(Box<FieldPlace>),
    /// A base and a reference to try out: its remarks say what becomes of them, and nothing of it is kept.
    Playground,
}

/// What wants a login.
#[derive(Debug, Clone, PartialEq)]
pub enum Wants {
    /// A place.
    Place(Box<Opening>),
    /// An article that is to be sent, and the place that takes it.
    Letter(Box<Letter>, Url),
}

impl FormOwner {
    /// Whether Enter in any line sends the form.
    pub(in crate::app) fn keeps_by_line(&self) -> bool {
        matches!(self, FormOwner::Bookmark(_) | FormOwner::Playground)
    }

    /// Whether Enter in the password sends it.
    pub(in crate::app) fn keeps_by_password(&self) -> bool {
        matches!(self, FormOwner::Login(_))
    }
}

/// A field with what was filled in.
#[derive(Debug, Clone)]
pub struct FormField {
    /// The question.
    pub label: String,
    /// Its kind and value.
    pub value: FieldValue,
}

/// The kinds of fields.
#[derive(Debug, Clone)]
pub enum FieldValue {
    /// A remark, nothing to fill in.
    Note,
    /// One line; hidden for passwords.
    Line {
        /// The text.
        input: tui_input::Input,
        /// Shown as stars.
        secret: bool,
    },
    /// Several lines; Enter makes a new one.
    Lines {
        /// The lines.
        lines: Vec<tui_input::Input>,
        /// Which has the cursor.
        at: usize,
    },
    /// On or off.
    Check(bool),
    /// One of several.
    Choose {
        /// The options.
        options: Vec<String>,
        /// Which is chosen.
        chosen: usize,
    },
    /// A local file's name, to send or to store into.
    File {
        /// The path.
        input: tui_input::Input,
        /// Its content leaves this machine.
        sends: bool,
    },
}

/// What a key or Enter did to a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Entered {
    /// It is still being filled in.
    Goes,
    /// It is to be sent.
    Send,
}

impl Form {
    /// The line that has the focus.
    pub fn line(&self) -> Option<&Input> {
        match &self.fields.get(self.focus)?.value {
            FieldValue::Line { input, .. } | FieldValue::File { input, .. } => Some(input),
            FieldValue::Lines { lines, at } => lines.get(*at),
            FieldValue::Note | FieldValue::Check(_) | FieldValue::Choose { .. } => None,
        }
    }

    /// Whether a password has the focus.
    pub fn is_at_secret(&self) -> bool {
        matches!(self.fields.get(self.focus).map(|field| &field.value), Some(FieldValue::Line { secret: true, .. }))
    }

    /// Begins with the first field that can be filled in.
    pub(in crate::app) fn begun(mut self) -> Form {
        self.step(|at, _| at, |at, count| (at + 1) % count);
        self
    }

    /// Moves the focus on to something that can be filled in; past the last field is the send button.
    fn step(&mut self, first: fn(usize, usize) -> usize, onward: fn(usize, usize) -> usize) {
        let count = self.fields.len() + 1;
        let mut at = first(self.focus, count);
        while self.fields.get(at).is_some_and(|field| matches!(field.value, FieldValue::Note)) {
            at = onward(at, count);
        }
        self.focus = at;
    }

    /// To the next field.
    pub(in crate::app) fn next_field(&mut self) {
        self.step(|at, count| (at + 1) % count, |at, count| (at + 1) % count);
    }

    /// To the field before.
    pub(in crate::app) fn previous_field(&mut self) {
        self.step(|at, count| (at + count - 1) % count, |at, count| (at + count - 1) % count);
    }

    /// Down moves between the lines of a field, and chooses the option below, before it leaves it.
    pub(in crate::app) fn down(&mut self) {
        match self.focused() {
            Some(FieldValue::Lines { lines, at }) if *at + 1 < lines.len() => *at += 1,
            Some(FieldValue::Choose { options, chosen }) if *chosen + 1 < options.len() => {
                *chosen += 1;
                self.touched = true;
            }
            _ => self.next_field(),
        }
    }

    /// So does up.
    pub(in crate::app) fn up(&mut self) {
        match self.focused() {
            Some(FieldValue::Lines { at, .. }) if *at > 0 => *at -= 1,
            Some(FieldValue::Choose { chosen, .. }) if *chosen > 0 => {
                *chosen -= 1;
                self.touched = true;
            }
            _ => self.previous_field(),
        }
    }

    /// Whether the cursor is in the last line of a field of lines, or the first.
    pub(in crate::app) fn is_at_end(&self, first: bool) -> bool {
        match self.fields.get(self.focus).map(|field| &field.value) {
            Some(FieldValue::Lines { lines, at }) => {
                if first {
                    *at == 0
                } else {
                    *at + 1 >= lines.len()
                }
            }
            _ => true,
        }
    }

    fn focused(&mut self) -> Option<&mut FieldValue> {
        self.fields.get_mut(self.focus).map(|field| &mut field.value)
    }

    /// The mouse was pressed on a field, or on the button after the last one.
    pub(in crate::app) fn point_at(&mut self, field: usize) -> Entered {
        if self.fields.get(field).is_some_and(|field| matches!(field.value, FieldValue::Note)) {
            return Entered::Goes;
        }
        self.focus = field.min(self.fields.len());
        if self.focus == self.fields.len() {
            return Entered::Send;
        }
        self.toggle();
        Entered::Goes
    }

    /// The mouse was pressed on an option, or on a line, of a field.
    pub(in crate::app) fn point_at_part(&mut self, field: usize, part: usize) {
        if field >= self.fields.len() {
            return;
        }
        self.focus = field;
        match self.focused() {
            Some(FieldValue::Choose { options, chosen }) => {
                *chosen = part.min(options.len().saturating_sub(1));
                self.touched = true;
            }
            Some(FieldValue::Lines { lines, at }) => *at = part.min(lines.len().saturating_sub(1)),
            _ => {}
        }
    }

    /// Space on a box or a choice.
    fn toggle(&mut self) {
        match self.focused() {
            Some(FieldValue::Check(on)) => *on = !*on,
            Some(FieldValue::Choose { options, chosen }) => *chosen = (*chosen + 1) % options.len().max(1),
            _ => return,
        }
        self.touched = true;
    }

    /// Whether a key belongs to the field under focus before the key map sees it.
    pub(in crate::app) fn takes(&mut self, key: Key) -> bool {
        let plain = !key.control && !key.meta;
        match self.focused() {
            Some(FieldValue::Line { .. } | FieldValue::File { .. } | FieldValue::Lines { .. }) => {
                request(key).is_some()
            }
            Some(FieldValue::Check(_)) => plain && key.code == Code::Char(' '),
            Some(FieldValue::Choose { .. }) => plain && matches!(key.code, Code::Char(' ') | Code::Left | Code::Right),
            Some(FieldValue::Note) | None => false,
        }
    }

    /// A key that edits the field under focus.
    pub(in crate::app) fn edit(&mut self, key: Key) {
        let changed = match self.focused() {
            Some(FieldValue::Line { input, .. } | FieldValue::File { input, .. }) => {
                request(key).and_then(|request| input.handle(request)).is_some_and(|change| change.value)
            }
            Some(FieldValue::Lines { lines, at }) => edit_lines(lines, at, key),
            Some(FieldValue::Choose { options, chosen }) if key.code == Code::Left => {
                *chosen = (*chosen + options.len().max(1) - 1) % options.len().max(1);
                true
            }
            Some(FieldValue::Check(_) | FieldValue::Choose { .. }) => return self.toggle(),
            Some(FieldValue::Note) | None => false,
        };
        self.touched |= changed;
    }

    /// Pasted text.
    pub(in crate::app) fn paste(&mut self, text: &str) {
        match self.focused() {
            Some(FieldValue::Line { input, .. } | FieldValue::File { input, .. }) => insert(input, text),
            Some(FieldValue::Lines { lines, at }) => {
                // Terminals send line breaks as Enter does.
                let text = text.replace("\r\n", "\n").replace('\r', "\n");
                let Some(input) = lines.get_mut(*at) else { return };
                let (mut pasted, mut tail) = (text.split('\n'), String::new());
                let first = pasted.next().unwrap_or_default();
                if text.contains('\n') {
                    let cut = input.value().char_indices().nth(input.cursor()).map(|(at, _)| at);
                    let mut head = input.value().to_owned();
                    tail = cut.map(|cut| head.split_off(cut)).unwrap_or_default();
                    *input = Input::new(head);
                }
                insert(input, first);
                let new = |line| {
                    let mut input = Input::default();
                    insert(&mut input, line);
                    input
                };
                let mut more: Vec<Input> = pasted.map(new).collect();
                // What stood behind the cursor stands behind what was pasted.
                if let Some(last) = more.last_mut() {
                    let cursor = last.cursor();
                    *last = Input::new(format!("{}{tail}", last.value())).with_cursor(cursor);
                }
                let (below, count) = (lines.len().min(*at + 1), more.len());
                lines.splice(below..below, more);
                *at += count;
            }
            _ => return,
        }
        self.touched = true;
    }

    /// Enter: a new line in a field of lines, the next field, or send.
    pub(in crate::app) fn enter(&mut self) -> Entered {
        let by_line = self.owner.keeps_by_line();
        let by_password = self.owner.keeps_by_password();
        match self.focused() {
            Some(FieldValue::Line { .. }) if by_line => Entered::Send,
            Some(FieldValue::Line { secret: true, .. }) if by_password => Entered::Send,
            Some(FieldValue::Lines { lines, at }) => {
                let tail = lines.get_mut(*at).map(|line| {
                    let cut = line.value().char_indices().nth(line.cursor()).map_or(line.value().len(), |(i, _)| i);
                    let (before, after) = line.value().split_at(cut);
                    let (before, after) = (before.to_owned(), after.to_owned());
                    *line = Input::new(before);
                    after
                });
                *at += 1;
                lines.insert(*at, Input::new(tail.unwrap_or_default()).with_cursor(0));
                self.touched = true;
                Entered::Goes
            }
            Some(_) => {
                self.next_field();
                Entered::Goes
            }
            None => Entered::Send,
        }
    }

    /// What stands in its fields of one line, in order.
    pub(in crate::app) fn lines(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter_map(|field| match &field.value {
            FieldValue::Line { input, .. } => Some(input.value()),
            _ => None,
        })
    }
}

fn edit_lines(lines: &mut Vec<Input>, at: &mut usize, key: Key) -> bool {
    let joins = key.code == Code::Backspace && *at > 0 && lines.get(*at).is_some_and(|line| line.cursor() == 0);
    if joins {
        let rest = lines.remove(*at).value().to_owned();
        *at -= 1;
        if let Some(line) = lines.get_mut(*at) {
            let cursor = line.value().chars().count();
            *line = Input::new(format!("{}{rest}", line.value())).with_cursor(cursor);
        }
        return true;
    }
    match (request(key), lines.get_mut(*at)) {
        (Some(request), Some(line)) => line.handle(request).is_some_and(|change| change.value),
        _ => false,
    }
}

//! What the reader's hands are at: the prompt, what lies over the page, keys of an unfinished sequence, the note they read.
//!
//! Each prompt and overlay knows what it is for. There is one door for them: what the reader asked for by a key comes at once;
//! what comes by itself (a login, a question, a form that has arrived) waits until nothing is being typed or answered and the
//! reader has paused, and takes no key before it can have been seen, so that a key meant for something else never reaches it. The same
//! holds for warnings, whoever asked for what they warn of. Refuses to know what an answer does: it is given back with its owner.

pub mod form;
pub(super) mod line;
pub mod overlay;
pub mod prompt;
pub(super) mod question;
mod rows;

pub(super) use rows::{Row, RowsOf};
pub use rows::{RowAct, TextRows};

use crate::app::PageId;
use crate::doc::{LinkId, sanitise};
use crate::keys::{Key, Mode};
use crate::url::Url;
use crate::work::ListRows;
use form::{Form, FormId, FormOwner};
use overlay::{ListKind, Overlay};
use prompt::{Prompt, PromptKind, Purpose};
use std::collections::VecDeque;
use tui_input::Input;

/// How many complaints are kept.
const COMPLAINTS: usize = 100;
/// Octets of complaints behind which no other is put.
const LINE: usize = 300;

/// What the reader is at, or what waits for it.
#[derive(Debug, Default)]
pub struct Hands {
    /// What lies over the page, the topmost last.
    overlays: Vec<Overlay>,
    /// The prompt line, while something is asked.
    prompt: Option<Prompt>,
    /// What came by itself and waits until the hands are free, the first first.
    waiting: VecDeque<Raised>,
    /// The reader is doing something just now, and what is raised is what they asked for.
    acting: bool,
    /// The reader has pressed something lately, and not to wait for what comes of it.
    busy: bool,
    /// What is on top came by itself, and so lately that nothing that is pressed can be meant for it.
    unseen: bool,
    /// The text of the prompt has changed since it was looked at.
    changed: bool,
    /// How many parts the reader has gone on in the question on top, where it is longer than its room: counted round in a circle, and
    /// back below nothing.
    pub part: isize,
    /// Keys of an unfinished sequence.
    pub pending_keys: Vec<Key>,
    /// Digits typed before a key.
    pub count: Option<u16>,
    /// It was begun by a key of its own, and no digit of it was typed yet.
    pub(super) counts: bool,
    /// What the next key does is to be told, and not done.
    pub(super) describes: bool,
    /// A message for the line below.
    pub note: Option<Note>,
    /// The letters that lead to links, while [`prompt::PromptKind::Hint`] asks for them.
    pub hints: Vec<(String, LinkId)>,
    /// What did not work, the newest last.
    complaints: VecDeque<String>,
    /// How much ever went wrong.
    complained: u64,
    /// What would be done again, and whether it was done in a private tab.
    pub(super) again: Option<(bool, String)>,
    /// The key that ran the command.
    pub(super) pressed: Option<Key>,
    /// The key by which the reader asked for what is on top.
    asker: Option<Key>,
    /// Where in the prompt's history the reader is, and what they had typed before.
    pub(super) recalled: Option<(usize, String)>,
    /// The field that the reader has left by Esc, where typing fills fields in: what is typed is no text for it.
    pub(super) left: Option<(PageId, LinkId)>,
    /// What stands in the prompt leads nowhere, and nothing was pressed since that was said.
    pub refused: bool,
}

/// What wants the reader's hands.
#[derive(Debug)]
pub(super) enum Raised {
    /// Something over the page.
    Overlay(Overlay),
    /// A prompt.
    Prompt(Prompt),
}

/// A message for the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its kind.
    pub kind: NoteKind,
    /// One line.
    pub text: String,
}

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// A remark.
    Info,
    /// A remark on how the focus came where it is.
    Moved,
    /// Something did not work.
    Error,
}

impl Hands {
    /// Hands at just this: to look at screens.
    pub fn at(prompt: Option<Prompt>, overlays: Vec<Overlay>) -> Hands {
        Hands { prompt, overlays, ..Hands::default() }
    }

    /// What lies over the page, the topmost last.
    pub fn overlays(&self) -> &[Overlay] {
        &self.overlays
    }

    /// The topmost of it.
    pub fn top(&self) -> Option<&Overlay> {
        self.overlays.last()
    }

    /// What is asked on the line below.
    pub fn prompt(&self) -> Option<&Prompt> {
        self.prompt.as_ref()
    }

    /// What waits for free hands.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Raised> {
        self.waiting.iter()
    }

    /// The line being typed, at the prompt or in a form.
    pub fn line(&self) -> Option<&Input> {
        match (&self.prompt, self.overlays.last()) {
            (Some(prompt), _) => Some(&prompt.input),
            (None, Some(Overlay::Form(form))) => form.line(),
            _ => None,
        }
    }

    /// Whether a login is being typed.
    pub fn is_at_login(&self) -> bool {
        let form = self.overlays.last().filter(|_| self.prompt.is_none());
        matches!(form, Some(Overlay::Form(form)) if matches!(form.owner, FormOwner::Login(_)))
    }

    /// Whether what is typed now is a secret: a password, or anything of a login; keys at its button are none.
    pub fn is_at_secret(&self) -> bool {
        match (&self.prompt, self.overlays.last()) {
            (Some(prompt), _) => prompt.kind == PromptKind::Password,
            (None, Some(Overlay::Form(form))) => form.is_at_secret() || (self.is_at_login() && form.line().is_some()),
            _ => false,
        }
    }

    /// What did not work, the newest last.
    pub fn complaints(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.complaints.iter().map(String::as_str)
    }

    /// Which bindings hold: those of the prompt, of what lies over the page, or of the page.
    pub fn mode(&self) -> Mode {
        match (&self.prompt, self.overlays.last()) {
            (Some(_), _) => Mode::Prompt,
            (None, Some(_)) => Mode::Overlay,
            (None, None) => Mode::Page,
        }
    }

    /// The page below has changed by itself: what is laid over it or typed stays, and knows that it was about another page.
    pub(super) fn outlive_the_page(&mut self) {
        for overlay in self.all_mut() {
            match overlay {
                Overlay::List { kind, stale, .. } => *stale |= kind.is_of_page(),
                Overlay::Text { .. } | Overlay::Question { .. } | Overlay::Form(_) => {}
            }
        }
        let names_links = |prompt: &&mut Prompt| matches!(prompt.kind, PromptKind::Number | PromptKind::Hint);
        self.prompts_mut().filter(names_links).for_each(|prompt| prompt.purpose = Purpose::Gone);
    }

    /// Whether the reader is doing something just now.
    pub(super) fn are_acting(&self) -> bool {
        self.acting
    }

    /// Whether nothing is being typed, answered or read over the page.
    pub(super) fn are_free(&self) -> bool {
        self.prompt.is_none() && self.overlays.is_empty() && !self.is_mid_key()
    }

    /// Whether keys or digits were typed that want another key.
    pub fn is_mid_key(&self) -> bool {
        !self.pending_keys.is_empty() || self.count.is_some() || self.describes
    }

    /// Those keys, as they are named.
    pub fn begun_keys(&self) -> String {
        let count = self.count.map(|count| count.to_string());
        let keys = (!self.pending_keys.is_empty()).then(|| crate::keys::shown(&self.pending_keys));
        let describes = self.describes.then(|| "what does".to_owned());
        describes.into_iter().chain(count).chain(keys).collect::<Vec<_>>().join(" ")
    }

    /// How much ever went wrong, to tell whether something did.
    pub(super) fn complained(&self) -> u64 {
        self.complained
    }

    /// The reader begins, or has ended, to do something.
    pub(super) fn act(&mut self, acting: bool) {
        self.acting = acting;
    }

    /// Puts something over the page: at once on top of what is there when the reader asked for it, else when their hands are
    /// free.
    pub(super) fn raise(&mut self, overlay: Overlay) {
        match self.acting {
            true => {
                self.lay(overlay);
                self.asker = self.pressed;
            }
            false => self.waiting.push_back(Raised::Overlay(overlay)),
        }
    }

    /// Puts something over the page when the hands are free: at once when it is the reader's doing, but so that no key that was
    /// pressed before it can have been read answers it.
    pub(super) fn queue(&mut self, overlay: Overlay) {
        if self.acting && self.are_free() {
            self.lay(overlay);
            self.unseen = true;
            self.asker = self.pressed;
        } else {
            self.waiting.push_back(Raised::Overlay(overlay));
        }
    }

    fn lay(&mut self, overlay: Overlay) {
        self.overlays.push(overlay);
        self.part = 0;
    }

    /// Whether what is on top was asked for by a key, and this is the same again.
    pub(super) fn asks_again(&self, key: Key) -> bool {
        self.asker == Some(key)
    }

    /// Another key than that was pressed since: it says yes no more.
    pub(super) fn ask_by_letters(&mut self, key: Key) {
        self.asker.take_if(|asker| *asker != key);
    }

    /// The same, over a Gopher+ form too: it is about what was filled in there.
    pub(super) fn ask_over_form(&mut self, overlay: Overlay) {
        let at_form =
            matches!(self.overlays.last(), Some(Overlay::Form(form)) if matches!(form.owner, FormOwner::Gopher(_)));
        if at_form && self.prompt.is_none() {
            self.lay(overlay);
            self.unseen = true;
            self.asker = None;
        } else {
            self.queue(overlay);
        }
    }

    /// Opens a prompt for what its kind says; an older one gives way.
    pub(super) fn ask(&mut self, kind: PromptKind, label: &str, text: &str, about: Option<Url>) {
        self.ask_for(Purpose::Kind, kind, label, text, about);
    }

    /// Opens a prompt for something; an older one gives way to what the reader asks for, and stays when it comes by itself.
    pub(super) fn ask_for(&mut self, purpose: Purpose, kind: PromptKind, label: &str, text: &str, about: Option<Url>) {
        let prompt = Prompt { about, purpose, ..Prompt::new(kind, label, text) };
        if !self.acting {
            self.waiting.push_back(Raised::Prompt(prompt));
            return;
        }
        self.pending_keys.clear();
        self.count = None;
        self.recalled = None;
        self.prompt = Some(prompt);
        self.changed = true;
    }

    /// Opens a list.
    pub(super) fn list(&mut self, kind: ListKind, title: &str, rows: impl Into<ListRows>, selected: usize) {
        self.raise(Overlay::list(kind, title, rows.into(), selected));
    }

    /// The text of the prompt has changed: what it could become is to be looked at again.
    pub(super) fn change(&mut self) {
        self.changed = true;
    }

    /// Whether it has, once.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// The reader presses something; whether it can be meant for what is there.
    pub(super) fn press(&mut self) -> bool {
        self.busy = true;
        !self.unseen
    }

    /// The reader has pressed nothing for a while.
    pub(super) fn rest(&mut self) {
        (self.busy, self.unseen) = (false, false);
    }

    /// What the reader has pressed asks for something: until they press more they wait for it.
    pub(super) fn await_an_answer(&mut self) {
        self.busy = false;
    }

    /// The page in view has come by itself: nothing that is pressed now can be meant for it.
    pub(super) fn come_unseen(&mut self) {
        self.unseen = true;
    }

    /// Whether what is on top came too lately to be answered.
    pub fn is_unseen(&self) -> bool {
        self.unseen
    }

    /// Whether something waits for nothing but a pause of the reader's.
    pub(super) fn await_a_pause(&self) -> bool {
        self.busy && self.are_free() && !self.waiting.is_empty()
    }

    /// Gives hands that are free and rest what has waited longest.
    pub(super) fn take_next(&mut self) {
        if !self.are_free() || self.busy {
            return;
        }
        self.unseen |= !self.waiting.is_empty();
        match self.waiting.pop_front() {
            Some(Raised::Overlay(overlay)) => {
                self.lay(overlay);
                self.asker = None;
            }
            Some(Raised::Prompt(prompt)) => {
                self.recalled = None;
                self.prompt = Some(prompt);
                self.changed = true;
            }
            None => {}
        }
    }

    /// The topmost of what lies over the page, to be changed.
    pub(super) fn top_mut(&mut self) -> Option<&mut Overlay> {
        self.overlays.last_mut()
    }

    /// All that lies over the page or will, to be changed.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Overlay> {
        let waiting = self.waiting.iter_mut().filter_map(|raised| match raised {
            Raised::Overlay(overlay) => Some(overlay),
            Raised::Prompt(_) => None,
        });
        self.overlays.iter_mut().chain(waiting)
    }

    /// Takes the topmost away.
    pub(super) fn drop_top(&mut self) -> Option<Overlay> {
        self.overlays.pop()
    }

    /// A form that lies over the page, by its number.
    pub(super) fn form(&self, id: FormId) -> Option<&Form> {
        self.overlays.iter().find_map(|overlay| match overlay {
            Overlay::Form(form) if form.id == id => Some(form),
            _ => None,
        })
    }

    /// The form on top, to be changed.
    pub(super) fn form_mut(&mut self) -> Option<&mut Form> {
        match self.overlays.last_mut() {
            Some(Overlay::Form(form)) => Some(form),
            _ => None,
        }
    }

    /// Takes a form away, by its number.
    pub(super) fn drop_form(&mut self, id: FormId) -> Option<Form> {
        let is_it = |overlay: &Overlay| matches!(overlay, Overlay::Form(form) if form.id == id);
        let at = self.overlays.iter().position(is_it)?;
        match self.overlays.remove(at) {
            Overlay::Form(form) => Some(form),
            _ => None,
        }
    }

    /// Takes away the uppermost that is so.
    pub(super) fn drop_last(&mut self, is_so: impl Fn(&Overlay) -> bool) -> Option<Overlay> {
        let at = self.overlays.iter().rposition(is_so)?;
        Some(self.overlays.remove(at))
    }

    /// Takes away what is not to stay, of what is there and of what waits.
    pub(super) fn retain(&mut self, mut stays: impl FnMut(&Overlay) -> bool) {
        self.overlays.retain(&mut stays);
        self.waiting.retain(|raised| match raised {
            Raised::Overlay(overlay) => stays(overlay),
            Raised::Prompt(_) => true,
        });
    }

    /// The same for prompts.
    pub(super) fn retain_prompts(&mut self, mut stays: impl FnMut(&Prompt) -> bool) {
        self.prompt.take_if(|prompt| !stays(prompt));
        self.waiting.retain(|raised| match raised {
            Raised::Prompt(prompt) => stays(prompt),
            Raised::Overlay(_) => true,
        });
    }

    /// The prompt, to be changed.
    pub(super) fn prompt_mut(&mut self) -> Option<&mut Prompt> {
        self.prompt.as_mut()
    }

    /// Every prompt that is there or waits, to be changed.
    pub(super) fn prompts_mut(&mut self) -> impl Iterator<Item = &mut Prompt> {
        let waiting = self.waiting.iter_mut().filter_map(|raised| match raised {
            Raised::Prompt(prompt) => Some(prompt),
            Raised::Overlay(_) => None,
        });
        self.prompt.iter_mut().chain(waiting)
    }

    /// Closes the prompt and gives it back with what it was for.
    pub(super) fn take_prompt(&mut self) -> Option<Prompt> {
        (self.recalled, self.refused) = (None, false);
        self.prompt.take()
    }

    /// The prompt was closed and is wanted again, as it was.
    pub(super) fn put_back(&mut self, prompt: Prompt) {
        self.prompt = Some(prompt);
    }

    /// Takes what waits and is so.
    pub(super) fn part_waiting(&mut self, is_so: impl FnMut(&Raised) -> bool) -> VecDeque<Raised> {
        let (taken, stay): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting).into_iter().partition(is_so);
        self.waiting = stay.into();
        taken.into()
    }

    /// Puts what waited elsewhere behind what waits here.
    pub(super) fn wait_too(&mut self, raised: VecDeque<Raised>) {
        self.waiting.extend(raised);
    }

    /// Says something.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.note = Some(Note { kind: NoteKind::Info, text: sanitise(&text.into()).into_owned() });
    }

    /// Says how the focus came where it is; who listens is told where that is, too.
    pub(super) fn say_moved(&mut self, text: &str) {
        self.note = Some(Note { kind: NoteKind::Moved, text: text.into() });
    }

    /// Says that something did not work, in one line, behind what is still there to be read.
    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.complained += 1;
        self.mention(text);
    }

    /// The same of what is nobody's doing here: a file that cannot be written, a folder that cannot be read.
    pub(super) fn mention(&mut self, text: impl Into<String>) {
        let text = sanitise(&text.into()).into_owned();
        self.keep_complaint(text.clone());
        let text = match self.note.take() {
            Some(Note { kind: NoteKind::Error, text: before }) if before != text && before.len() < LINE => {
                format!("{before} · {text}")
            }
            _ => text,
        };
        self.note = Some(Note { kind: NoteKind::Error, text });
    }

    pub(in crate::app) fn keep_complaint(&mut self, text: String) {
        if self.complaints.len() == COMPLAINTS {
            self.complaints.pop_front();
        }
        self.complaints.push_back(text);
    }

    /// What was complained of elsewhere is kept here.
    pub(super) fn keep_complaints(&mut self, of: &mut Hands) {
        of.complaints.drain(..).for_each(|text| self.keep_complaint(text));
    }
}

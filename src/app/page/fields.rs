//! What the reader filled into the fields of a page, and what is sent of it.

use super::answer::{self, Answer, KeptField};
use super::entry::{Entry, PageState};
use super::opening::Opening;
use crate::app::PageId;
use crate::doc::{Document, Field, FieldKind, LineKind};
use crate::format::html::{File, Value};
use crate::format::html::{initial, standing};
use crate::proto::{Content, Put};
use crate::url::Url;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// What the reader filled in on a page, by the number of the field. Fields that are not here are as they were written.
#[derive(Clone, PartialEq, Default)]
pub struct Filled {
    pub(in crate::app) values: BTreeMap<usize, Answer>,
    /// The forms in which something was written that was not sent since.
    unsent: BTreeSet<Option<u32>>,
    /// What was answered to an item of Gopher+ in an earlier run, until its form is here again.
    pub(in crate::app) asked: Option<KeptAnswers>,
    /// How often any of it has changed.
    pub(in crate::app) changes: u64,
}

/// The answers to an item of Gopher+, as they are kept for the next run.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptAnswers {
    /// The item.
    pub url: Url,
    /// The answers that are others than the server proposes.
    pub fields: Vec<KeptField>,
}

/// How a page was asked for, where its URL does not tell.
#[derive(Debug, Clone, PartialEq)]
pub enum Sent {
    /// With a form's values as the body.
    Body(Content),
    /// With a file for the directory that it shows. It is not sent again with the page.
    File(Put),
    /// As the page of a thread, of which these are the articles, by their ids.
    Thread(Arc<[Vec<u8>]>),
    /// As a file in parts, of which these are the articles, by their ids.
    Parts(Arc<[Vec<u8>]>),
    /// By this URL, which holds a password; what is kept and shown has stars in its place.
    Secret(Url),
}

impl Sent {
    /// Whether it goes again with the page: what it brought there is there.
    pub(in crate::app) fn goes_with_the_page(&self) -> bool {
        !matches!(self, Sent::File(_))
    }
}

/// A form that was sent: where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Submitted {
    /// The page it stands on.
    pub(in crate::app) page: PageId,
    /// Its number there.
    pub(in crate::app) form: u32,
}

/// Never the values: there may be passwords among them.
impl fmt::Debug for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filled({} fields)", self.values.len())
    }
}

/// A form and the button that sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct Sender {
    pub form: u32,
    pub button: Option<usize>,
}

/// A file on its way to a place.
#[derive(Clone, PartialEq)]
pub struct Sending {
    /// The place.
    pub(in crate::app) opening: Opening,
    /// The file.
    pub(in crate::app) path: String,
    /// What stood in the file before the reader wrote there; `None` for a file of theirs.
    pub(in crate::app) fresh: Option<Vec<u8>>,
    /// What lets the reader change the place; empty for none.
    pub(in crate::app) token: String,
}

/// Never the token.
impl fmt::Debug for Sending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sending({:?} to {})", self.path, self.opening.public().redacted())
    }
}

/// A form that waits for its files.
#[derive(Debug, Clone, PartialEq)]
pub struct Uploading {
    pub(in crate::app) sender: Sender,
    /// The page it stands on.
    pub(in crate::app) page: PageId,
    /// Where the reader agreed to send it.
    pub(in crate::app) to: Url,
    pub(in crate::app) values: Vec<Value>,
    /// What has not been read: the field, and the place among the field's files; the next one last.
    pub(in crate::app) unread: Vec<(usize, usize)>,
}

impl Uploading {
    pub(in crate::app) fn file(&mut self, (number, at): (usize, usize)) -> Option<&mut File> {
        match self.values.get_mut(number)? {
            Value::Files(files) => files.get_mut(at),
            _ => None,
        }
    }
}

impl Filled {
    /// From an earlier run.
    pub(in crate::app) fn restored(fields: Vec<KeptField>, asked: Option<KeptAnswers>) -> Filled {
        let unsent = fields.iter().map(|field| field.mark.form).collect();
        let answers = fields.into_iter().map(Answer::restored);
        Filled { values: answers.map(|answer| (answer.mark.number, answer)).collect(), unsent, asked, changes: 0 }
    }

    /// What is to be kept for the next run: of the forms that were not sent all that was filled in and may be written down.
    pub(in crate::app) fn kept(&self) -> Vec<KeptField> {
        let unsent = self.values.values().filter(|answer| self.unsent.contains(&answer.mark.form));
        unsent.filter_map(Answer::kept).collect()
    }

    pub(in crate::app) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.asked.is_none()
    }

    /// A form was sent, and has arrived.
    pub(in crate::app) fn sent(&mut self, form: Option<u32>) {
        self.changes += 1;
        self.unsent.remove(&form);
    }
}

impl Entry {
    /// What stands in a field now.
    pub fn value(&self, number: usize, field: &Field) -> Value {
        let answer = self.filled.values.get(&number).and_then(|answer| answer.fit(field));
        answer.unwrap_or_else(|| initial(&field.kind))
    }

    /// What stands in all fields now, secrets as stars where they are only to be shown.
    pub(in crate::app) fn values(&self, document: &Document, secrets: Secrets) -> Vec<Value> {
        let value = |(number, field): (usize, &Field)| match self.value(number, field) {
            Value::Text(text) if secrets == Secrets::Hidden && is_secret(field) && !text.is_empty() => {
                Value::Text("***".into())
            }
            value => value,
        };
        document.fields.iter().enumerate().map(value).collect()
    }

    /// Keeps a value and shows it.
    pub(in crate::app) fn fill(&mut self, number: usize, value: Value) {
        let field = self.page.as_deref().and_then(|page| page.given().fields.get(number));
        self.filled.unsent.extend(field.map(|field| field.form));
        self.put(number, value);
    }

    fn put(&mut self, number: usize, value: Value) {
        let Some(page) = &mut self.page else { return };
        let Some(field) = page.given().fields.get(number) else { return };
        self.filled.changes += 1;
        if value == initial(&field.kind) {
            self.filled.values.remove(&number);
        } else {
            self.filled.values.insert(number, Answer::of(number, field, value.clone()));
        }
        let Some((link, text)) = field.link.zip(standing(&field.kind, &value)) else { return };
        if let Some(shift) = page.rewrite(link, &text) {
            self.top = shift.of(self.top);
        }
    }

    /// Keeps a value of a field that has not come yet.
    pub(in crate::app) fn fill_ahead(&mut self, number: usize, name: String, value: Value) {
        let answer = Answer::ahead(number, name, value);
        self.filled.changes += 1;
        self.filled.unsent.insert(answer.mark.form);
        self.filled.values.insert(number, answer);
    }

    /// Whether something was written into its fields that was not sent.
    pub(in crate::app) fn is_unsent(&self) -> bool {
        self.filled.values.values().any(|answer| self.filled.unsent.contains(&answer.mark.form))
    }

    /// The page has grown: its fields show what was filled in, as far as they have come.
    pub(in crate::app) fn show_filled(&mut self) {
        let Some(page) = &mut self.page else { return };
        for (number, answer) in &self.filled.values {
            let field = page.given().fields.get(*number);
            let shown = field.and_then(|field| field.link.zip(standing(&field.kind, &answer.fit(field)?)));
            if let Some((link, text)) = shown {
                page.rewrite_given(link, &text);
            }
        }
    }

    /// The page was fetched or read again: its fields show what was filled in, as far as they are the same fields. Gives how much
    /// has no place there any more.
    pub(in crate::app) fn refill(&mut self) -> usize {
        let Some(page) = self.page.as_deref() else { return 0 };
        // What is not all of the page has not all of its fields, and neither has the word of a server that cannot give it now.
        let whole = page.state == PageState::Complete && page.head.status.is_none();
        let fields = &page.given().fields;
        let (mut found, mut rest) = (Vec::new(), Vec::new());
        for (number, answer) in std::mem::take(&mut self.filled.values) {
            // Of a group of which one is on the others are off by that.
            let follows = whole && answer.mark.sort == answer::RADIO && answer.value == Value::On(false);
            match fields.get(number).and_then(|field| answer.fit(field)) {
                _ if follows => {}
                Some(value) => found.push((number, value)),
                None => rest.push(answer),
            }
        }
        let here: BTreeSet<usize> = found.iter().map(|(number, _)| *number).collect();
        let (moved, lost) = answer::find(fields, rest);
        found.extend(moved.into_iter().filter(|(number, _)| !here.contains(number)));
        found.extend(answer::turned_off(fields, &found));
        for (number, value) in found {
            self.put(number, value);
        }
        if whole {
            return lost.len();
        }
        for answer in lost {
            self.filled.values.entry(answer.mark.number).or_insert(answer);
        }
        0
    }
}

/// Whether passwords are to be seen by whoever reads the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Secrets {
    Sent,
    Hidden,
}

/// Whether what stands in a field is not to be seen.
pub(in crate::app) fn is_secret(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Line { kind: LineKind::Password, .. })
}

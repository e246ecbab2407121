//! What the reader filled into the fields of a page, and what is sent of it.

use super::entry::Entry;
use crate::app::PageId;
use crate::doc::{Document, Field, FieldKind, LineKind};
use crate::format::html::{File, Value};
use crate::format::html::{initial, standing};
use crate::proto::Content;
use crate::url::Url;
use std::collections::BTreeMap;
use std::fmt;

/// What the reader filled in on a page, by the number of the field. Fields that are not here are as they were written.
#[derive(Clone, PartialEq, Default)]
pub struct Filled {
    pub(in crate::app) values: BTreeMap<usize, (String, Value)>,
    /// Something was written here that was not sent since.
    pub(in crate::app) unsent: bool,
}

/// How a page was asked for, where its URL does not tell.
#[derive(Debug, Clone, PartialEq)]
pub enum Sent {
    /// With a form's values as the body.
    Body(Content),
    /// By this URL, which holds a password; what is kept and shown has stars in its place.
    Secret(Url),
}

/// A form that was sent: where it stands, and what nobody may see of its answers.
#[derive(Clone, PartialEq)]
pub struct Submitted {
    /// The page it stands on.
    pub(in crate::app) page: PageId,
    /// What was typed into its fields for passwords.
    pub(in crate::app) secrets: Vec<String>,
}

/// Never the values: there may be passwords among them.
impl fmt::Debug for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filled({} fields)", self.values.len())
    }
}

/// Never the passwords.
impl fmt::Debug for Submitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Submitted({:?}, {} secrets)", self.page, self.secrets.len())
    }
}

/// A form and the button that sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct Sender {
    pub form: u32,
    pub button: Option<usize>,
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

impl Entry {
    /// What stands in a field now.
    pub fn value(&self, number: usize, field: &Field) -> Value {
        self.filled.values.get(&number).map_or_else(|| initial(&field.kind), |(_, value)| value.clone())
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
        self.filled.unsent = true;
        self.put(number, value);
    }

    fn put(&mut self, number: usize, value: Value) {
        let Some(page) = &mut self.page else { return };
        let Some(field) = page.given().fields.get(number) else { return };
        let name = field.name.clone();
        if value == initial(&field.kind) {
            self.filled.values.remove(&number);
        } else {
            self.filled.values.insert(number, (name, value.clone()));
        }
        let Some((link, text)) = field.link.zip(standing(&field.kind, &value)) else { return };
        if let Some(shift) = page.rewrite(link, &text) {
            self.top = shift.of(self.top);
        }
    }

    /// Keeps a value of a field that has not come yet.
    pub(in crate::app) fn fill_ahead(&mut self, number: usize, name: String, value: Value) {
        self.filled.values.insert(number, (name, value));
        self.filled.unsent = true;
    }

    /// Whether something was written into its fields that was not sent.
    pub(in crate::app) fn is_unsent(&self) -> bool {
        self.filled.unsent && !self.filled.values.is_empty()
    }

    /// The page has grown: its fields show what was filled in, as far as they have come.
    pub(in crate::app) fn show_filled(&mut self) {
        let Some(page) = &mut self.page else { return };
        for (number, (name, value)) in &self.filled.values {
            let field = page.given().fields.get(*number).filter(|field| field.name == *name);
            let shown = field.and_then(|field| field.link.zip(standing(&field.kind, value)));
            if let Some((link, text)) = shown {
                page.rewrite_given(link, &text);
            }
        }
    }

    /// The page was fetched or read again: its fields show what was filled in, as far as they are the same fields.
    pub(in crate::app) fn refill(&mut self) {
        let Some(page) = &self.page else { return };
        let fields = &page.given().fields;
        let fits = |number: &usize, name: &String, value: &Value| {
            let same = |field: &&Field| field.name == *name && same_kind(&initial(&field.kind), value);
            fields.get(*number).filter(same).is_some()
        };
        let mut kept = std::mem::take(&mut self.filled.values);
        kept.retain(|number, (name, value)| fits(number, name, value));
        for (number, (_, value)) in kept {
            self.put(number, value);
        }
    }
}

pub(in crate::app) fn same_kind(a: &Value, b: &Value) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
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

//! Forms of web pages, filled in where they stand on the page (HTML, 4.10).
//!
//! A field is a link of the document; Enter on it edits it, toggles it or sends its form. What was filled in belongs to the
//! place in history and outlives the page; the document's fields stay what the page said, only their text on the page
//! changes. `editing` asks for values, `checks` looks at them, `sending` makes requests of them, `words` says what a field is.
//!
//! Refuses: scripts, and checks that servers make better (patterns, steps).

mod area;
mod checks;
mod editing;
mod sending;
mod upload;
mod words;

pub(super) use area::{Area, edit_field, edited, is_editing, is_reading, is_written, keep as keep_area, wrote};
pub(super) use editing::{chosen, is_choosing, remark, suggestions, typed};
pub(super) use sending::resent;
pub use upload::Uploading;
pub(super) use upload::{agreed as upload_agreed, complete, is_reading as is_uploading, listed, read as upload_read};
pub use words::describe;
pub(super) use words::{anatomy, label};

use super::{App, Effect, Entry, Page, searching};
use crate::doc::{Document, Field, FieldKind, LinkId};
use crate::format::html::{Value, initial, standing};
use crate::proto::Content;
use crate::url::Url;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// What the reader filled in on a page, by the number of the field. Fields that are not here are as they were written.
#[derive(Clone, PartialEq, Default)]
pub struct Filled(BTreeMap<usize, (String, Value)>);

/// Never the values: there may be passwords among them.
impl fmt::Debug for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filled({} fields)", self.0.len())
    }
}

/// How a page was asked for, where its URL does not tell.
#[derive(Debug, Clone, PartialEq)]
pub enum Sent {
    /// With a form's values as the body.
    Body(Content),
    /// By this URL, which holds a password; what is kept and shown has stars in its place.
    Secret(Url),
}

impl Entry {
    /// What stands in a field now.
    pub fn value(&self, number: usize, field: &Field) -> Value {
        self.filled.0.get(&number).map_or_else(|| initial(&field.kind), |(_, value)| value.clone())
    }

    /// What stands in all fields now, secrets as stars where they are only to be shown.
    fn values(&self, document: &Document, secrets: Secrets) -> Vec<Value> {
        let value = |(number, field): (usize, &Field)| match self.value(number, field) {
            Value::Text(text) if secrets == Secrets::Hidden && words::is_secret(field) && !text.is_empty() => {
                Value::Text("***".into())
            }
            value => value,
        };
        document.fields.iter().enumerate().map(value).collect()
    }

    /// Keeps a value and shows it.
    fn fill(&mut self, number: usize, value: Value) {
        let Some(page) = &mut self.page else { return };
        let Some(field) = page.given().fields.get(number) else { return };
        let name = field.name.clone();
        if value == initial(&field.kind) {
            self.filled.0.remove(&number);
        } else {
            self.filled.0.insert(number, (name, value.clone()));
        }
        let Some((link, text)) = field.link.zip(standing(&field.kind, &value)) else { return };
        if let Some(shift) = page.rewrite(link, &text) {
            self.top = shift.of(self.top);
        }
    }

    /// The page was fetched or read again: its fields show what was filled in, as far as they are the same fields.
    pub(super) fn refill(&mut self) {
        let Some(page) = &self.page else { return };
        let fields = &page.given().fields;
        let fits = |number: &usize, name: &String, value: &Value| {
            let same = |field: &&Field| field.name == *name && same_kind(&initial(&field.kind), value);
            fields.get(*number).filter(same).is_some()
        };
        let mut kept = std::mem::take(&mut self.filled.0);
        kept.retain(|number, (name, value)| fits(number, name, value));
        for (number, (_, value)) in kept {
            self.fill(number, value);
        }
    }
}

fn same_kind(a: &Value, b: &Value) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// Whether passwords are to be seen by whoever reads the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Secrets {
    Sent,
    Hidden,
}

/// The page in view.
fn page(app: &App) -> Option<(&Entry, &Page)> {
    let entry = app.entry()?;
    Some((entry, entry.page.as_deref()?))
}

/// A field of the page in view, by its number.
fn field(app: &App, number: usize) -> Option<&Field> {
    page(app)?.1.given().fields.get(number)
}

/// Enter on a link that is a field; `None` when it is none.
pub(super) fn follow(app: &mut App, link: LinkId) -> Option<Vec<Effect>> {
    let number = page(app)?.1.document().field_at(link)?;
    let field = field(app, number)?.clone();
    let mut effects = act(app, number, &field);
    effects.extend(searching::more(app));
    Some(effects)
}

fn act(app: &mut App, number: usize, field: &Field) -> Vec<Effect> {
    match &field.kind {
        FieldKind::Line { .. } | FieldKind::Text(_) if field.readonly => {
            app.say("this field is for reading only");
        }
        FieldKind::Line { kind, .. } => editing::ask_line(app, number, field, *kind),
        FieldKind::File { .. } => editing::ask_file(app, number, field),
        FieldKind::Text(_) => area::open(app, number, field),
        FieldKind::Select { .. } => editing::open_choices(app, number, field),
        FieldKind::Check { .. } => toggle(app, number, field),
        FieldKind::Radio { .. } => choose(app, number, field),
        FieldKind::Submit { .. } | FieldKind::Image(_) => return sending::submit(app, field.form, Some(number)),
        FieldKind::Reset => reset(app, field),
        FieldKind::Button => app.say("this button waits for a script, and none is run"),
        FieldKind::Hidden(_) => {}
    }
    Vec::new()
}

/// Keeps a value of the page in view and shows it; what was found by its place in the text is sought again.
fn set(app: &mut App, number: usize, value: Value) {
    if let Some(entry) = app.entry_mut() {
        entry.fill(number, value);
    }
    app.tab.found = None;
    app.tab.matches = app.tab.search.is_some().then(Default::default);
    super::scroll::keep_in_view(app);
}

fn toggle(app: &mut App, number: usize, field: &Field) {
    let on = app.entry().is_some_and(|entry| entry.value(number, field) == Value::On(true));
    set(app, number, Value::On(!on));
}

/// One of a group is on: the others of the same name in the same form go off.
fn choose(app: &mut App, number: usize, field: &Field) {
    let Some((entry, page)) = page(app) else { return };
    let mate = |other: &Field| {
        let kin = other.form == field.form && other.name == field.name && !field.name.is_empty();
        kin && matches!(other.kind, FieldKind::Radio { .. })
    };
    let fields = page.given().fields.iter().enumerate();
    let on: Vec<usize> = fields
        .filter(|(at, other)| *at != number && mate(other) && entry.value(*at, other) == Value::On(true))
        .map(|(at, _)| at)
        .collect();
    on.into_iter().for_each(|at| set(app, at, Value::On(false)));
    set(app, number, Value::On(true));
}

/// Everything in the form is as the page wrote it.
fn reset(app: &mut App, button: &Field) {
    let Some((entry, page)) = page(app) else { return };
    let fields = &page.given().fields;
    let of_form = |number: &&usize| fields.get(**number).is_some_and(|field| field.form == button.form);
    let changed: Vec<usize> = entry.filled.0.keys().filter(of_form).copied().collect();
    let written: Vec<Value> = changed.iter().map(|number| initial(&fields[*number].kind)).collect();
    changed.into_iter().zip(written).for_each(|(number, value)| set(app, number, value));
    app.say("everything is as the page wrote it");
}

/// The numbers of the fields that links are.
pub(super) fn by_link(document: &Document) -> HashMap<LinkId, usize> {
    document.fields.iter().enumerate().filter_map(|(number, field)| Some((field.link?, number))).collect()
}

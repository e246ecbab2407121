//! What the reader filled into one field, and by what the field is known again: when the page is fetched another time, in this
//! run or in the next.

use crate::doc::{Field, FieldKind, LineKind};
use crate::format::html::{Value, initial};
use std::collections::HashMap;
use std::fmt;

/// Octets of a field that are kept for the next run, its name included.
pub const LONGEST_KEPT: usize = 64 << 10;

/// What a radio button is called.
pub(in crate::app) const RADIO: &str = "radio";

/// By what a field is known again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct FieldMark {
    /// Its number on the page.
    pub number: usize,
    /// Its form, by number.
    pub form: Option<u32>,
    /// The name it is sent under; of a question of Gopher+ its words.
    pub name: String,
    /// What it is, in a word; empty while the field has not come.
    pub sort: String,
    /// What is sent for a box that is on: boxes and radio buttons share names.
    pub own: String,
}

/// A field of a form that was not sent, as it is kept for the next run.
#[derive(Clone, PartialEq, Eq)]
pub struct KeptField {
    /// Which one.
    pub mark: FieldMark,
    /// What stood there.
    pub value: KeptValue,
}

/// What stood in a field.
#[derive(Clone, PartialEq, Eq)]
pub enum KeptValue {
    /// A text.
    Text(String),
    /// Whether it was on.
    On(bool),
    /// What was chosen, as it is sent.
    Chosen(Vec<String>),
}

/// Never the value: nobody knows what a reader writes.
impl fmt::Debug for KeptField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeptField({:?})", self.mark)
    }
}

impl KeptField {
    /// How much it takes in a file, in octets, about.
    pub fn size(&self) -> usize {
        const FRAME: usize = 64;
        let value = match &self.value {
            KeptValue::Text(text) => text.len(),
            KeptValue::On(_) => 0,
            KeptValue::Chosen(chosen) => chosen.iter().map(|words| words.len() + 3).sum(),
        };
        FRAME + self.mark.name.len() + self.mark.own.len() + value
    }

    /// Whether it is small enough to be kept.
    pub(in crate::app) fn fits(&self) -> bool {
        self.size() <= LONGEST_KEPT
    }
}

/// What the reader filled into a field.
#[derive(Clone, PartialEq)]
pub(in crate::app) struct Answer {
    pub mark: FieldMark,
    pub value: Value,
    /// Of a choice, what is sent for it: its options may be others the next time.
    pub chosen: Vec<String>,
    /// It may be written into a file.
    pub keeps: bool,
}

impl FieldMark {
    pub(in crate::app) fn of(number: usize, field: &Field) -> FieldMark {
        let own = match &field.kind {
            FieldKind::Check { value, .. } | FieldKind::Radio { value, .. } => value.clone(),
            _ => String::new(),
        };
        FieldMark { number, form: field.form, name: field.name.clone(), sort: sort(&field.kind).into(), own }
    }

    /// What is the same of it and of the field wherever that stands in its form.
    fn key(&self) -> (Option<u32>, &str, &str, &str) {
        (self.form, &self.name, &self.sort, &self.own)
    }

    /// Whether this is the field. Of one that had not come only the name is known.
    fn is(&self, field: &Field) -> bool {
        self.name == field.name && (self.sort.is_empty() || key(field) == self.key())
    }
}

fn key(field: &Field) -> (Option<u32>, &str, &str, &str) {
    let own = match &field.kind {
        FieldKind::Check { value, .. } | FieldKind::Radio { value, .. } => value.as_str(),
        _ => "",
    };
    (field.form, &field.name, sort(&field.kind), own)
}

/// What a field is, in a word.
fn sort(kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::Line { kind, .. } => match kind {
            LineKind::Text => "text",
            LineKind::Password => "password",
            LineKind::Search => "search",
            LineKind::Email => "email",
            LineKind::Url => "url",
            LineKind::Telephone => "tel",
            LineKind::Number => "number",
            LineKind::Date => "date",
        },
        FieldKind::Text(_) => "lines",
        FieldKind::Check { .. } => "check",
        FieldKind::Radio { .. } => RADIO,
        FieldKind::Select { multiple: false, .. } => "one",
        FieldKind::Select { multiple: true, .. } => "some",
        FieldKind::File { .. } => "file",
        FieldKind::Hidden(_) => "hidden",
        FieldKind::Submit { .. } | FieldKind::Image(_) | FieldKind::Reset | FieldKind::Button => "button",
    }
}

/// Whether nothing can be filled in there.
fn is_closed(field: &Field) -> bool {
    let closed = match field.kind {
        FieldKind::Line { .. } | FieldKind::Text(_) => field.readonly,
        FieldKind::Check { .. } | FieldKind::Radio { .. } | FieldKind::Select { .. } | FieldKind::File { .. } => false,
        _ => true,
    };
    closed || field.disabled
}

/// Whether what is typed into a field may be written into a file: no password, no file's name, and nothing of which the page
/// says that it is not to be.
fn keeps(field: &Field) -> bool {
    let fits = match &field.kind {
        FieldKind::Line { kind, .. } => *kind != LineKind::Password,
        FieldKind::Text(_) | FieldKind::Check { .. } | FieldKind::Radio { .. } | FieldKind::Select { .. } => true,
        _ => false,
    };
    fits && !field.fleeting
}

impl Answer {
    /// Of a field of a page that is there.
    pub fn of(number: usize, field: &Field, value: Value) -> Answer {
        let chosen = match (&field.kind, &value) {
            (FieldKind::Select { options, .. }, Value::Chosen(on)) => {
                on.iter().filter_map(|at| options.get(*at)).map(|option| option.value.clone()).collect()
            }
            _ => Vec::new(),
        };
        Answer { mark: FieldMark::of(number, field), value, chosen, keeps: keeps(field) }
    }

    /// Of a field that has not come yet.
    pub fn ahead(number: usize, name: String, value: Value) -> Answer {
        Answer { mark: FieldMark { number, name, ..FieldMark::default() }, value, chosen: Vec::new(), keeps: false }
    }

    /// What it is for a field; `None` when it is another's, or cannot stand there any more.
    pub fn fit(&self, field: &Field) -> Option<Value> {
        let same = std::mem::discriminant(&initial(&field.kind)) == std::mem::discriminant(&self.value);
        if !same || !self.mark.is(field) || is_closed(field) {
            return None;
        }
        match (&field.kind, &self.value) {
            (FieldKind::Select { options, multiple }, Value::Chosen(on)) => {
                let sent = on.iter().map(|at| options.get(*at).map(|option| &option.value));
                if sent.eq(self.chosen.iter().map(Some)) {
                    return Some(self.value.clone());
                }
                let known: HashMap<&str, usize> = options
                    .iter()
                    .enumerate()
                    .rev()
                    .filter(|(_, o)| !o.disabled)
                    .map(|(at, o)| (o.value.as_str(), at))
                    .collect();
                let mut on =
                    self.chosen.iter().map(|value| known.get(value.as_str()).copied()).collect::<Option<Vec<_>>>()?;
                on.sort_unstable();
                on.dedup();
                (*multiple || on.len() == 1).then_some(Value::Chosen(on))
            }
            (FieldKind::Line { .. }, Value::Text(text)) if text.contains(['\r', '\n']) => None,
            _ => Some(self.value.clone()),
        }
    }

    /// As it is kept for the next run; `None` for what is not to be written down.
    pub fn kept(&self) -> Option<KeptField> {
        let value = match &self.value {
            _ if !self.keeps => return None,
            Value::Text(text) => KeptValue::Text(text.clone()),
            Value::On(on) => KeptValue::On(*on),
            Value::Chosen(_) => KeptValue::Chosen(self.chosen.clone()),
            Value::Files(_) => return None,
        };
        Some(KeptField { mark: self.mark.clone(), value }).filter(KeptField::fits)
    }

    /// From an earlier run.
    pub fn restored(kept: KeptField) -> Answer {
        let (value, chosen) = match kept.value {
            KeptValue::Text(text) => (Value::Text(text), Vec::new()),
            KeptValue::On(on) => (Value::On(on), Vec::new()),
            // Which ones these are is known when the page is there.
            KeptValue::Chosen(chosen) => (Value::Chosen(Vec::new()), chosen),
        };
        Answer { mark: kept.mark, value, chosen, keeps: true }
    }
}

/// Which fields of a page that was fetched again the answers belong to that are not where they were: a field that is the only
/// one of its form, name and kind. With the answers that have none.
pub(in crate::app) fn find(fields: &[Field], answers: Vec<Answer>) -> (Vec<(usize, Value)>, Vec<Answer>) {
    if answers.is_empty() {
        return Default::default();
    }
    let mut only: HashMap<_, Option<usize>> = HashMap::new();
    for (number, field) in fields.iter().enumerate() {
        only.entry(key(field)).and_modify(|only| *only = None).or_insert(Some(number));
    }
    let numbers: Vec<Option<usize>> =
        answers.iter().map(|answer| only.get_mut(&answer.mark.key()).and_then(Option::take)).collect();
    let (mut found, mut lost) = (Vec::new(), Vec::new());
    for (answer, number) in answers.into_iter().zip(numbers) {
        match number.and_then(|number| Some((number, answer.fit(fields.get(number)?)?))) {
            Some(place) => found.push(place),
            None => lost.push(answer),
        }
    }
    (found, lost)
}

/// Those that go off because another of their group is on among the values.
pub(in crate::app) fn turned_off(fields: &[Field], values: &[(usize, Value)]) -> Vec<(usize, Value)> {
    let radio = |number: usize| fields.get(number).filter(|field| matches!(field.kind, FieldKind::Radio { .. }));
    let group = |field: &Field| (field.form, field.name.clone());
    let on = values.iter().filter(|(_, value)| *value == Value::On(true));
    let on: HashMap<_, usize> = on.filter_map(|(number, _)| Some((group(radio(*number)?), *number))).collect();
    if on.is_empty() {
        return Vec::new();
    }
    let other = |number: &usize| {
        radio(*number)
            .filter(|field| !field.name.is_empty())
            .and_then(|field| on.get(&group(field)))
            .is_some_and(|on| on != number)
    };
    (0..fields.len()).filter(other).map(|number| (number, Value::On(false))).collect()
}

//! Forms of web pages, filled in where they stand on the page (HTML, 4.10).
//!
//! A field is a link of the document; Enter on it edits it, toggles it or sends its form. What was filled in belongs to the
//! place in history and outlives the page; the document's fields stay what the page said, only their text on the page
//! changes. `begun` says what is being typed, `live` lets typing begin it, `values` asks for values, `checks` looks at them, `submission` makes requests of them, `words` says what a field is.
//!
//! Refuses: scripts, and checks that servers make better (patterns, steps).

mod area;
mod begun;
mod checks;
pub(in crate::app) mod live;
mod submission;
mod upload;
mod values;
mod words;

pub(in crate::app) use area::{edit_field, edited, keep as keep_area, read as area_read, wrote};
pub(in crate::app) use begun::begun;
pub(in crate::app) use submission::{answered, resent};
pub(in crate::app) use upload::{agreed as upload_agreed, read as upload_read};
pub(in crate::app) use values::{chosen, is_choosing, left, remark, suggestions, typed};
pub(in crate::app) use words::anatomy;
pub use words::{describe, holds};

use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::{Effect, Entry, FieldPlace, Page, PageState, Sight, Takes};
use crate::doc::{Field, FieldKind, LineKind, LinkId};
use crate::format::html::{Value, initial};

/// The page in view.
fn page(sight: Sight<'_>) -> Option<(&Entry, &Page)> {
    let entry = sight.entry()?;
    Some((entry, entry.page.as_deref()?))
}

/// A field of the page in view, by its number.
fn field(sight: Sight<'_>, number: usize) -> Option<&Field> {
    page(sight)?.1.given().fields.get(number)
}

/// A field of the page in view as something is asked for it.
fn place(sight: Sight<'_>, number: usize) -> Option<FieldPlace> {
    let (entry, page) = page(sight)?;
    let field = page.given().fields.get(number)?;
    let (page, url, name) = (page.id, entry.url.clone(), field.name.clone());
    Some(FieldPlace { page, url, number, name, takes: takes(&field.kind)? })
}

fn takes(kind: &FieldKind) -> Option<Takes> {
    match kind {
        FieldKind::Line { kind: LineKind::Password, .. } => Some(Takes::Secret),
        FieldKind::Line { .. } => Some(Takes::Line),
        FieldKind::Text(_) => Some(Takes::Lines),
        FieldKind::File { .. } => Some(Takes::Files),
        _ => None,
    }
}

/// Where a field is that something was asked for.
enum Found {
    /// At this place of history.
    Here(usize, Box<Field>),
    /// On a page that was fetched again, at this place of history.
    Again(usize, Box<Field>),
    /// On the page of this place, once that comes.
    Ahead(usize),
    /// There is no such field any more.
    Gone,
}

/// Finds a field on its page, else on the same page fetched again: the one in view before others of this URL.
fn find(sight: Sight<'_>, place: &FieldPlace) -> Found {
    let history = &sight.tab.history;
    let field = |at: usize| history[at].page.as_deref()?.given().fields.get(place.number);
    let is_it = |field: &&Field| field.name == place.name && takes(&field.kind) == Some(place.takes);
    let same = |entry: &Entry| entry.page.as_deref().is_some_and(|page| page.id == place.page);
    if let Some(at) = history.iter().position(same) {
        return field(at).filter(is_it).map_or(Found::Gone, |field| Found::Here(at, Box::new(field.clone())));
    }
    let of_url = |at: &usize| history.get(*at).is_some_and(|entry| entry.url == place.url);
    let Some(at) = Some(sight.tab.at).filter(of_url).or_else(|| (0..history.len()).rev().find(of_url)) else {
        return Found::Gone;
    };
    let comes = history[at].page.as_deref().is_none_or(|page| page.state == PageState::Arriving);
    match field(at) {
        Some(field) if is_it(&field) => Found::Again(at, Box::new(field.clone())),
        None if comes => Found::Ahead(at),
        _ => Found::Gone,
    }
}

/// Enter on a link that is a field; `None` when it is none.
pub(in crate::app) fn follow(cx: &mut Cx<'_>, link: LinkId) -> Option<Vec<Effect>> {
    let number = page(cx.sight())?.1.document().field_at(link)?;
    cx.hands.left = None;
    let field = field(cx.sight(), number)?;
    if let FieldKind::Select { .. } = field.kind {
        // Its options may be many: they are not copied.
        values::open_choices(cx, number);
        return Some(Vec::new());
    }
    let field = field.clone();
    Some(act(cx, number, &field))
}

/// Tab in a field that is being filled in: the next field or link has the focus, and one that is typed into is filled in next.
pub(in crate::app) fn next_field(cx: &mut Cx<'_>) -> Vec<Effect> {
    let mut effects = focus::next(cx, "");
    let focused = cx.entry().and_then(|entry| entry.focus);
    let number = focused.and_then(|link| page(cx.sight())?.1.document().field_at(link));
    if let Some((number, field)) = number.and_then(|number| Some((number, field(cx.sight(), number)?.clone())))
        && matches!(field.kind, FieldKind::Line { .. })
    {
        effects.extend(act(cx, number, &field));
    }
    effects
}

fn act(cx: &mut Cx<'_>, number: usize, field: &Field) -> Vec<Effect> {
    match &field.kind {
        FieldKind::Line { .. } | FieldKind::Text(_) if field.readonly => {
            cx.say("this field is for reading only");
        }
        FieldKind::Line { kind, .. } => values::ask_line(cx, number, field, *kind),
        FieldKind::File { .. } => values::ask_file(cx, number, field),
        FieldKind::Text(_) => area::open(cx, number, field),
        FieldKind::Select { .. } => values::open_choices(cx, number),
        FieldKind::Check { .. } => toggle(cx, number, field),
        FieldKind::Radio { .. } => choose(cx, number, field),
        FieldKind::Submit { .. } | FieldKind::Image(_) => return submission::submit(cx, field.form, Some(number)),
        FieldKind::Reset => reset(cx, field),
        FieldKind::Button => cx.say("this button waits for a script, and none is run"),
        FieldKind::Hidden(_) => {}
    }
    Vec::new()
}

/// Keeps a value of the page in view and shows it; what was found by its place in the text is sought again.
fn set(cx: &mut Cx<'_>, number: usize, value: Value) {
    set_at(cx, cx.tab.at, number, value);
}

/// The same of any page in the reader's path.
fn set_at(cx: &mut Cx<'_>, at: usize, number: usize, value: Value) {
    if let Some(entry) = cx.tab.history.get_mut(at) {
        entry.fill(number, value);
    }
    if at == cx.tab.at {
        seek_again(cx);
    }
}

/// Keeps many values of the page in view; what was found is to be sought again when all are there.
fn fill(cx: &mut Cx<'_>, values: impl Iterator<Item = (usize, Value)>) {
    if let Some(entry) = cx.entry_mut() {
        values.for_each(|(number, value)| entry.fill(number, value));
    }
}

/// What was found by its place in the text is sought again.
fn seek_again(cx: &mut Cx<'_>) {
    cx.tab.found = None;
    cx.tab.matches = cx.tab.search.is_some().then(Default::default);
    crate::app::motion::scroll::keep_in_view(cx);
}

/// What a field is called that is not there any more.
const GONE: &str = "this page has no such field any more";

fn toggle(cx: &mut Cx<'_>, number: usize, field: &Field) {
    let on = cx.entry().is_some_and(|entry| entry.value(number, field) == Value::On(true));
    set(cx, number, Value::On(!on));
}

/// One of a group is on: the others of the same name in the same form go off.
fn choose(cx: &mut Cx<'_>, number: usize, field: &Field) {
    let Some((entry, page)) = page(cx.sight()) else { return };
    let mate = |other: &Field| {
        let kin = other.form == field.form && other.name == field.name && !field.name.is_empty();
        kin && matches!(other.kind, FieldKind::Radio { .. })
    };
    let fields = page.given().fields.iter().enumerate();
    let on: Vec<usize> = fields
        .filter(|(at, other)| *at != number && mate(other) && entry.value(*at, other) == Value::On(true))
        .map(|(at, _)| at)
        .collect();
    fill(cx, on.into_iter().map(|at| (at, Value::On(false))));
    set(cx, number, Value::On(true));
}

/// Everything in the form is as the page wrote it.
fn reset(cx: &mut Cx<'_>, button: &Field) {
    let Some((entry, page)) = page(cx.sight()) else { return };
    let fields = &page.given().fields;
    let of_form = |number: &&usize| fields.get(**number).is_some_and(|field| field.form == button.form);
    let changed: Vec<usize> = entry.filled.values.keys().filter(of_form).copied().collect();
    let written: Vec<Value> = changed.iter().map(|number| initial(&fields[*number].kind)).collect();
    fill(cx, changed.into_iter().zip(written));
    seek_again(cx);
    cx.say("everything is as the page wrote it");
}

/// Whether the reader is at a field of a form that they have begun to fill in.
pub(in crate::app) fn is_among_fields(sight: Sight<'_>) -> bool {
    let Some((entry, page)) = page(sight) else { return false };
    let field = entry.focus.and_then(|link| page.document().field_at(link));
    field.is_some() && !entry.filled.values.is_empty()
}

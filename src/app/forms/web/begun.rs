//! What is being typed into a field at the moment: it is kept for the next run as if it stood there already.

use super::{Found, find};
use crate::app::page::answer::Answer;
use crate::app::{FieldPlace, FieldValue, FormOwner, KeptField, Overlay, Purpose, Sight, Takes};
use crate::doc::sanitise;
use crate::format::html::Value;
use tui_input::Input;

/// The field, with its page's place in the reader's path. Passwords and files' names are never told.
pub(in crate::app) fn begun(sight: Sight<'_>) -> Option<(usize, KeptField)> {
    let (place, text) = typed(sight)?;
    let (at, field) = match find(sight, place) {
        Found::Here(at, field) | Found::Again(at, field) => (at, field),
        Found::Ahead(_) | Found::Gone => return None,
    };
    // What was only looked at was not typed.
    let before = sight.tab.history.get(at)?.value(place.number, &field);
    let same = matches!(&before, Value::Text(before) if *before == text || sanitise(before) == text);
    let answer = Answer::of(place.number, &field, Value::Text(text));
    Some((at, answer.kept().filter(|_| !same)?))
}

fn typed(sight: Sight<'_>) -> Option<(&FieldPlace, String)> {
    if let Some(prompt) = sight.hands.prompt()
        && let Purpose::Field(place) = &prompt.purpose
    {
        return Some((&**place, prompt.input.value().to_owned())).filter(|(place, _)| place.takes == Takes::Line);
    }
    sight.hands.overlays().iter().find_map(|overlay| {
        let Overlay::Form(form) = overlay else { return None };
        let (FormOwner::Area(place), true) = (&form.owner, form.touched) else { return None };
        let FieldValue::Lines { lines, .. } = &form.fields.first()?.value else { return None };
        Some((&**place, lines.iter().map(Input::value).collect::<Vec<_>>().join("\n")))
    })
}

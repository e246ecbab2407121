//! Fields that typing fills in as soon as they have the focus, where the keys say so (`fields` in key files, as lynx has it).
//!
//! Here it is said whether the field under focus takes what is typed, and how the reader goes on from it. What is typed goes where
//! Enter would have it: a line into the prompt, lines into a box. Refuses: keys that edit nothing; they mean what they mean on any
//! page.

use super::{area, field, page, values};
use crate::app::hands::line::request;
use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::{Effect, FieldPlace, FormOwner, Overlay, PromptKind, Purpose, Sight};
use crate::doc::{Field, FieldKind, LinkId};
use crate::format::html::Value;
use crate::keys::{Code, Key};

/// The field of the page in view that has the focus, where it takes what is typed: its number.
pub(in crate::app) fn at(sight: Sight<'_>) -> Option<usize> {
    let (entry, page) = page(sight)?;
    let focus = entry.focus.filter(|focus| sight.desk.keymap.fields && sight.hands.left != Some((page.id, *focus)))?;
    let number = page.document().field_at(focus)?;
    field(sight, number).filter(|field| takes(field)).map(|_| number)
}

fn takes(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Line { .. } | FieldKind::Text(_)) && !field.readonly
}

/// What is to be known of a field that takes what is typed, or would.
pub(super) fn hint(sight: Sight<'_>, link: LinkId, field: &Field) -> Option<&'static str> {
    let has_focus = sight.entry().is_some_and(|entry| entry.focus == Some(link));
    if !has_focus || !sight.desk.keymap.fields || !takes(field) {
        return None;
    }
    Some(if at(sight).is_some() { "type it in, Down leaves it" } else { "Enter fills it in" })
}

/// A key on the page: whether it edits the field under focus, which then is being filled in.
pub(in crate::app) fn begins(cx: &mut Cx<'_>, key: Key) -> bool {
    let place = page(cx.sight()).and_then(|(entry, page)| Some((page.id, entry.focus?)));
    cx.hands.left.take_if(|left| place != Some(*left));
    let Some((number, field)) = at(cx.sight()).and_then(|number| Some((number, field(cx.sight(), number)?.clone())))
    else {
        return false;
    };
    let is_empty = cx.entry().is_none_or(|entry| entry.value(number, &field) == Value::Text(String::new()));
    let types = matches!(key.code, Code::Char(_)) && !key.control && !key.meta;
    // In what is empty there is nothing to move about in.
    let edits = match field.kind {
        FieldKind::Text(_) => matches!(key.code, Code::Backspace | Code::Delete),
        _ => request(key).is_some() && !key.meta,
    };
    let begins = types || edits && !is_empty;
    if begins {
        begin(cx, number, &field);
    }
    begins
}

/// Pasted text on the page: whether it is for the field under focus, which then is being filled in.
pub(in crate::app) fn begins_pasted(cx: &mut Cx<'_>) -> bool {
    begins(cx, Key::plain(Code::Char(' ')))
}

fn begin(cx: &mut Cx<'_>, number: usize, field: &Field) {
    match field.kind {
        FieldKind::Line { kind, .. } => values::ask_line(cx, number, field, kind),
        _ => area::open(cx, number, field),
    }
}

/// The reader wants no more text to go into the field under focus by itself.
pub(in crate::app) fn leave(cx: &mut Cx<'_>) {
    if at(cx.sight()).is_some() {
        cx.hands.left = page(cx.sight()).and_then(|(entry, page)| Some((page.id, entry.focus?)));
    }
}

/// Whether what is being filled in, in the prompt or in the box on top, is a field of the page in view that takes what is typed.
pub(in crate::app) fn is_open(sight: Sight<'_>) -> bool {
    let is_here = |place: &FieldPlace| page(sight).is_some_and(|(_, page)| page.id == place.page);
    sight.desk.keymap.fields
        && match (sight.hands.prompt(), sight.hands.top()) {
            (Some(prompt), _) => match (&prompt.purpose, prompt.kind) {
                (Purpose::Field(place), PromptKind::Field | PromptKind::Password) => is_here(place),
                _ => false,
            },
            (None, Some(Overlay::Form(form))) => match &form.owner {
                FormOwner::Area(place) => is_here(place),
                _ => false,
            },
            (None, _) => false,
        }
}

/// On from a field that was filled in, or back: what has the focus next is filled in by typing, too.
pub(in crate::app) fn go_on(cx: &mut Cx<'_>, back: bool) -> Vec<Effect> {
    if back { focus::previous(cx, "") } else { focus::next(cx, "") }
}

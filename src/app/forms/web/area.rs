//! Fields of several lines: in a box over the page, or in the reader's editor.

use super::{Found, GONE, field, find, page, place, set_at};
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{
    Effect, FieldPlace, FieldValue, Form, FormField, FormOwner, NotWritten, Overlay, PromptKind, Purpose, Sight, Text,
};
use crate::doc::{Field, FieldKind, sanitise};
use crate::format::html::Value;
use crate::format::human;
use tui_input::Input;

/// Octets of a text that is edited, in the box or in an editor.
const MOST: usize = 1 << 20;

fn lines(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n").replace('\r', "\n").split('\n').map(|line| sanitise(line).into_owned()).collect()
}

fn text_of(sight: Sight<'_>, at: usize, number: usize, field: &Field) -> String {
    match sight.tab.history.get(at).map(|entry| entry.value(number, field)) {
        Some(Value::Text(text)) => text,
        _ => String::new(),
    }
}

/// The box over the page.
pub(super) fn open(cx: &mut Cx<'_>, number: usize, field: &Field) {
    let Some(place) = place(cx.sight(), number) else { return };
    let text = text_of(cx.sight(), cx.tab.at, number, field);
    if text.len() > MOST {
        cx.complain(format!("what stands there is too long to be edited: {}", human(text.len() as u64)));
        return;
    }
    let Some((entry, page)) = page(cx.sight()) else { return };
    let title = page.given().field_label(number);
    let hint = cx.key_for("edit-field").map(|key| format!("{key} on the page opens your editor")).unwrap_or_default();
    let inputs: Vec<Input> = lines(&text).into_iter().map(Input::new).collect();
    let label = sanitise(&field.hint).into_owned();
    let label = if label.is_empty() { hint } else { label };
    let fields = vec![FormField { label, value: FieldValue::Lines { lines: inputs, at: 0 } }];
    let (url, button, owner) = (entry.url.clone(), "Keep".into(), FormOwner::Area(Box::new(place)));
    let form = Form { id: cx.form_id(), owner, touched: false, url, title, fields, focus: 0, button };
    cx.hands.raise(Overlay::Form(form));
}

/// The box is closed with its text; without its field it stays, for the text would be lost.
pub(in crate::app) fn keep(cx: &mut Cx<'_>, place: &FieldPlace, form: Form) {
    let Some(FieldValue::Lines { lines, .. }) = form.fields.first().map(|field| &field.value) else { return };
    let text = lines.iter().map(Input::value).collect::<Vec<_>>().join("\n");
    if replace(cx, place, text).is_err() {
        cx.complain(GONE);
        cx.hands.raise(Overlay::Form(form));
    }
}

/// Puts a text into the field, wherever its page is in the reader's path, unless it says the same as before.
///
/// # Errors
/// The text, when there is no such field.
fn replace(cx: &mut Cx<'_>, place: &FieldPlace, text: String) -> Result<(), String> {
    let (at, field) = match find(cx.sight(), place) {
        Found::Here(at, field) | Found::Again(at, field) => (at, field),
        Found::Ahead(at) => {
            if let Some(entry) = cx.tab.history.get_mut(at) {
                entry.fill_ahead(place.number, place.name.clone(), Value::Text(text));
            }
            return Ok(());
        }
        Found::Gone => return Err(text),
    };
    let before = text_of(cx.sight(), at, place.number, &field);
    if lines(&before).join("\n") == text {
        return Ok(());
    }
    let length = text.chars().count();
    set_at(cx, at, place.number, Value::Text(text));
    if let Some(most) = field.longest.filter(|most| length > *most as usize) {
        cx.complain(format!("it has {length} characters; the page takes {most}"));
    }
    Ok(())
}

/// `edit-field`: the field under focus in the reader's editor.
pub(in crate::app) fn edit_field(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let focus = cx.entry().and_then(|entry| entry.focus);
    let number = focus.and_then(|link| page(cx.sight())?.1.document().field_at(link));
    let Some((number, field)) = number.and_then(|number| Some((number, field(cx.sight(), number)?.clone()))) else {
        cx.say("no field under focus");
        return Vec::new();
    };
    if !matches!(field.kind, FieldKind::Text(_)) || field.readonly {
        cx.say("only fields of several lines open in an editor");
        return Vec::new();
    }
    let Some(place) = place(cx.sight(), number) else { return Vec::new() };
    let content = lines(&text_of(cx.sight(), cx.tab.at, number, &field)).join("\n").into_bytes();
    // What is written survives the program, as drafts do; of a private tab nothing is to.
    let folder = if cx.tab.private { &cx.desk.choices.scratch } else { &cx.desk.choices.drafts };
    let day = cx.desk.now.as_ref().map(|now| now.strftime("%Y-%m-%d-%H%M%S").to_string()).unwrap_or_default();
    let folder = folder.clone();
    let id = cx.job(Errand::Area(Box::new(place), None));
    // One for each time: two may be on their way to the editor at once, and what a run left that was killed stays.
    vec![Effect::Write { id, path: format!("{folder}/field-{day}-{}.txt", id.0), content, replace: false }]
}

/// The text is in its file: the editor's turn.
pub(in crate::app) fn wrote(
    cx: &mut Cx<'_>,
    place: Box<FieldPlace>,
    result: Result<String, NotWritten>,
) -> Vec<Effect> {
    let path = match result {
        Ok(path) => path,
        Err(NotWritten::Exists(path)) => {
            cx.complain(format!("{path} is there already: try again"));
            return Vec::new();
        }
        Err(NotWritten::Failed(sentence)) => {
            cx.complain(format!("no file can be written for the editor: {sentence}"));
            return Vec::new();
        }
    };
    let arguments = cx.desk.choices.editor_on(path.clone());
    vec![Effect::Run { id: cx.job(Errand::Area(place, Some(path))), arguments }]
}

/// The editor has ended.
pub(in crate::app) fn edited(
    cx: &mut Cx<'_>,
    place: Box<FieldPlace>,
    path: String,
    result: Result<(), String>,
) -> Vec<Effect> {
    match result {
        Ok(()) => vec![Effect::Read { id: cx.job(Errand::Area(place, Some(path.clone()))), path }],
        Err(sentence) => {
            cx.complain(format!("{sentence} What you wrote is in {path}."));
            Vec::new()
        }
    }
}

/// What the editor left has been read.
pub(in crate::app) fn read(
    cx: &mut Cx<'_>,
    place: Box<FieldPlace>,
    path: String,
    content: Result<Vec<u8>, String>,
) -> Vec<Effect> {
    let lost = match content {
        Ok(octets) if octets.len() > MOST => Some((octets, "what the editor left is too long for a field")),
        Ok(octets) => {
            let text = String::from_utf8_lossy(&octets).into_owned();
            // Editors end the last line; the field's last line has no end.
            let text = text.strip_suffix('\n').unwrap_or(&text).replace("\r\n", "\n");
            replace(cx, &place, text).err().map(|_| (octets, GONE))
        }
        Err(sentence) => {
            cx.complain(sentence);
            // It is the only copy.
            return vec![Effect::Redraw];
        }
    };
    if let Some((octets, why)) = lost {
        cx.complain(why);
        let path = format!("{}/field.txt", cx.desk.settings.downloads);
        cx.hands.ask_for(Purpose::Text(Text::Octets(octets)), PromptKind::Save, "keep what you wrote in", &path, None);
    }
    vec![Effect::Redraw, Effect::Remove { id: cx.job(Errand::Removal(path.clone())), path }]
}

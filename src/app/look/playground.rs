//! A base and a reference to try out: what becomes of them, by which steps, and where three sets of rules part, with each letter.
//!
//! What it says is [`Comparison`]'s, as in `wayfarer url explain`; nothing is fetched before Enter.

use crate::app::motion::focus;
use crate::app::page::address::shareable;
use crate::app::state::Cx;
use crate::app::{Effect, FieldValue, Form, FormField, FormOwner, Opening, Overlay, Sight};
use crate::doc::{beginning, sanitise};
use crate::url::{CommonBase, Comparison, Url, redact};
use tui_input::Input;

/// The overlay's title.
const TITLE: &str = "Resolve";
/// Columns for the names of rows.
const LABEL: usize = 12;
/// Columns of what a row says: as much as several screens of lines hold.
const SAID: usize = 2000;

/// `resolve`, or `resolve REFERENCE`: begins with the base in force and with what the link under focus says.
pub(in crate::app) fn open(cx: &mut Cx<'_>, reference: &str) -> Vec<Effect> {
    let sight = cx.sight();
    let base = sight.entry().and_then(|entry| entry.bases.effective()).map(|(_, base)| base.clone());
    let base = base.or_else(|| sight.entry().map(|entry| entry.url.clone()));
    let written = match (reference, focus::link(sight)) {
        ("", Some(link)) => redact(&link.reference),
        (typed, _) => typed.into(),
    };
    let line = |label: &str, text: &str| FormField {
        label: label.into(),
        value: FieldValue::Line { input: Input::new(sanitise(text).into_owned()), secret: false },
    };
    let fields = vec![line("base", &base.as_ref().map(shareable).unwrap_or_default()), line("reference", &written)];
    let (id, owner, title, button) = (cx.form_id(), FormOwner::Playground, TITLE.into(), "Open".into());
    let Some(url) = base.or_else(|| Url::parse("about:home").ok()) else { return Vec::new() };
    let mut form = Form { id, owner, touched: false, url, title, fields, focus: 1, button };
    follow(&mut form);
    cx.hands.raise(Overlay::Form(form));
    Vec::new()
}

/// What a playground says follows what is typed; any other form stays as it is.
pub(in crate::app) fn follow(form: &mut Form) {
    if form.owner != FormOwner::Playground {
        return;
    }
    let rows = match typed(form) {
        Ok(compared) => said(&compared),
        Err(wrong) => vec![("base".into(), wrong)],
    };
    let note = |(name, said): (String, String)| FormField {
        label: sanitise(&format!("{name:<LABEL$} {}", beginning(&said, SAID))).into_owned(),
        value: FieldValue::Note,
    };
    // Whoever is at the button stays there.
    let at_button = form.focus >= form.fields.len();
    form.fields.truncate(2);
    form.fields.extend(rows.into_iter().map(note));
    if at_button {
        form.focus = form.fields.len();
    }
    // Nothing is lost when it closes.
    form.touched = false;
}

/// What is made of the two lines; a sentence where the base is none. Without a base the reference stands alone.
fn typed(form: &Form) -> Result<Comparison<'_>, String> {
    let mut lines = form.lines();
    let [base, reference] = [(); 2].map(|()| lines.next().unwrap_or_default());
    let base = match base.trim() {
        "" => None,
        base => Some(CommonBase::from(Url::parse(base).map_err(|error| error.to_string())?)),
    };
    Ok(Comparison::of(base.as_ref(), reference))
}

/// What is said of it: what a link leads to, what the rules make of it where they are not one, and the steps.
fn said(compared: &Comparison<'_>) -> Vec<(String, String)> {
    let leads = match &compared.url {
        Ok(url) => ("leads to".into(), url.redacted()),
        Err(error) => ("leads".into(), format!("nowhere: {error}")),
    };
    let rules = compared.rule_rows(false).into_iter().map(|(name, made)| (name.to_owned(), made));
    std::iter::once(leads).chain(rules).chain(compared.step_rows()).collect()
}

/// Enter: opens what the reference leads to.
pub(in crate::app) fn accept(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(made) = made(cx) else { return Vec::new() };
    match made {
        Ok(url) => {
            cx.hands.drop_top();
            // Its words may be a page's still.
            cx.open(Opening::followed(url));
        }
        Err(wrong) => cx.complain(wrong),
    }
    Vec::new()
}

/// Copies what the reference leads to; `None` where no playground is on top.
pub(in crate::app) fn copy(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    match made(cx)? {
        Ok(url) => {
            let text = shareable(&url);
            let shown = cx.sight().veiled(text.clone());
            cx.say(format!("copied {shown}"));
            Some(vec![Effect::Copy(text)])
        }
        Err(wrong) => {
            cx.complain(wrong);
            Some(Vec::new())
        }
    }
}

/// What the playground on top leads to, or why it leads nowhere.
fn made(cx: &mut Cx<'_>) -> Option<Result<Url, String>> {
    let form = cx.hands.form_mut().filter(|form| form.owner == FormOwner::Playground)?;
    Some(typed(form).and_then(|compared| compared.url.map_err(|error| error.to_string())))
}

/// Whether the topmost overlay is a playground.
pub(in crate::app) fn is_open(sight: Sight<'_>) -> bool {
    matches!(sight.hands.top(), Some(Overlay::Form(Form { owner: FormOwner::Playground, .. })))
}

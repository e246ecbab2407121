//! Forms over the page: Enter, sending and closing, each to the feature whose form it is.

use crate::app::forms::web::live;
use crate::app::forms::{gopher, login, web};
use crate::app::hands::form::Entered;
use crate::app::hands::question::confirm;
use crate::app::look::playground;
use crate::app::state::Cx;
use crate::app::{
    App, Consent, Effect, Form, FormId, FormOwner, Opening, Overlay, Pending, Wants, Way, internal, letters, navigation,
};
use crate::keys::Key;

/// Whether a key belongs to the form on top before the key map sees it; then it is taken.
pub(in crate::app) fn takes(cx: &mut Cx<'_>, key: Key) -> bool {
    let Some(form) = cx.hands.form_mut() else { return false };
    let takes = form.takes(key);
    if takes {
        form.edit(key);
        playground::follow(form);
    }
    takes
}

/// Does something to the form on top.
pub(in crate::app) fn with(cx: &mut Cx<'_>, act: impl FnOnce(&mut Form)) -> Vec<Effect> {
    if let Some(form) = cx.hands.form_mut() {
        act(form);
        playground::follow(form);
    }
    Vec::new()
}

/// Down and up in the form on top; to its next field or the one before where it is `whole`. Where typing fills fields in, they lead
/// from a field of lines on to what is beside it on the page.
pub(in crate::app) fn step(cx: &mut Cx<'_>, back: bool, whole: bool) -> Vec<Effect> {
    let leaves = live::is_open(cx.sight()) && cx.hands.form_mut().is_some_and(|form| whole || form.is_at_end(back));
    if !leaves {
        return with(
            cx,
            match (whole, back) {
                (true, false) => Form::next_field,
                (true, true) => Form::previous_field,
                (false, false) => Form::down,
                (false, true) => Form::up,
            },
        );
    }
    let mut effects = send(cx);
    if cx.hands.form_mut().is_none() {
        effects.extend(live::go_on(cx, back));
    }
    effects
}

/// Enter.
pub(in crate::app) fn accept(cx: &mut Cx<'_>) -> Vec<Effect> {
    entered(cx, Form::enter)
}

/// The mouse was pressed on a field, or on the button after the last one.
pub(in crate::app) fn point_at(cx: &mut Cx<'_>, field: usize) -> Vec<Effect> {
    entered(cx, |form| form.point_at(field))
}

fn entered(cx: &mut Cx<'_>, act: impl FnOnce(&mut Form) -> Entered) -> Vec<Effect> {
    let Some(form) = cx.hands.form_mut() else { return Vec::new() };
    match act(form) {
        Entered::Goes => Vec::new(),
        Entered::Send => send(cx),
    }
}

/// What is filled in goes where the form is from.
fn send(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(form) = cx.hands.form_mut() else { return Vec::new() };
    let (id, owner) = (form.id, form.owner.clone());
    match owner {
        FormOwner::Gopher(_) => gopher::send(cx),
        FormOwner::Bookmark(old) => internal::bookmarks::keep(cx, id, old),
        FormOwner::Login(wants) => match cx.hands.drop_form(id) {
            Some(form) => {
                login::keep(cx, &wants, &form);
                again(cx, *wants)
            }
            None => Vec::new(),
        },
        FormOwner::Area(spot) => {
            if let Some(form) = cx.hands.drop_form(id) {
                web::keep_area(cx, &spot, form);
            }
            Vec::new()
        }
        FormOwner::Playground => playground::accept(cx),
    }
}

/// What wanted a login is tried again with it; what left this machine for the try before is another record.
fn again(cx: &mut Cx<'_>, wants: Wants) -> Vec<Effect> {
    match wants {
        Wants::Place(opening) => navigation::go(
            cx,
            Opening { way: Way::Reload, consent: Consent::Agreed, dispatched: Vec::new(), ..*opening },
        ),
        Wants::Letter(letter, _) => letters::send(cx, *letter),
    }
}

/// Esc: a form into which nothing was typed closes; else the reader is asked, and what they typed stays until they say. Where typing
/// fills fields in, it stays in the field.
pub(in crate::app) fn dismiss(cx: &mut Cx<'_>) -> Vec<Effect> {
    if live::is_open(cx.sight()) {
        live::leave(cx);
        return send(cx);
    }
    let Some(form) = cx.hands.form_mut() else { return Vec::new() };
    let id = form.id;
    if !form.touched {
        return abandon(cx, id);
    }
    let text = vec!["Close this without keeping what you typed?".into()];
    cx.hands.raise(confirm(text, "close it", Pending::Abandon(id)));
    Vec::new()
}

/// Closes a form without sending it.
pub(in crate::app) fn abandon(cx: &mut Cx<'_>, id: FormId) -> Vec<Effect> {
    match cx.hands.drop_form(id).map(|form| form.owner) {
        Some(FormOwner::Area(_)) => cx.say("the field stays as it was"),
        Some(FormOwner::Bookmark(_)) => cx.say("nothing was changed"),
        Some(FormOwner::Login(wants)) => {
            cx.say("not logged in");
            if let Wants::Letter(letter, _) = *wants {
                letters::put_away(cx, *letter, "The server takes articles only from those it knows.");
            }
        }
        Some(FormOwner::Gopher(_)) => cx.say("the form was not sent"),
        Some(FormOwner::Playground) | None => {}
    }
    Vec::new()
}

impl App {
    /// What Tab and Esc do in the open form, in a word or two.
    pub fn form_keys_say(&self) -> (&'static str, &'static str) {
        match self.hands.top() {
            Some(Overlay::Form(Form { owner: FormOwner::Playground, .. })) => ("next field", "close"),
            _ if live::is_open(self.sight()) => ("on", "keep"),
            _ => ("next field", "cancel"),
        }
    }

    /// What Enter does in a line of the open form, in a word or two.
    pub fn enter_says(&self) -> &'static str {
        match self.hands.top() {
            Some(Overlay::Form(Form { owner: FormOwner::Playground, .. })) => "open",
            Some(Overlay::Form(form)) if form.owner.keeps_by_line() => "keep",
            _ => "go on",
        }
    }
}

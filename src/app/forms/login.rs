//! Logins that servers ask for: a form for user and password, kept in memory for the session and nowhere else (FTP-05).

use crate::app::state::Cx;
use crate::app::state::logins::{server, whose};
use crate::app::{FieldValue, Form, FormField, FormOwner, Overlay, Wants};
use crate::proto::Login;
use crate::url::escape;
use crate::url::scheme::{self, Family};
use tui_input::Input;

/// Asks who the reader is; a wrong password asks again, and a server that wants an account is told user and password once more.
pub(in crate::app) fn ask(cx: &mut Cx<'_>, wants: Wants, said: &[String], account: bool) {
    let (url, public) = match &wants {
        Wants::Place(opening) => (opening.url.clone(), opening.public().clone()),
        Wants::Letter(_, url) => (url.clone(), url.clone()),
    };
    let server = server(cx.sight(), &url);
    let before = cx.desk.logins.remove(&whose(cx.sight(), &url));
    // With an account wanted they were right so far.
    let known = |login: &Login| String::from_utf8(login.password.clone()).ok();
    let said_before = || String::from_utf8(escape::decode(url.password()?)).ok();
    let password = before.as_ref().and_then(known).or_else(said_before).filter(|_| account).unwrap_or_default();
    // Mostly it is the password that was mistyped.
    let before = before.map(|login| login.user).filter(|user| !user.is_empty());
    let user = before.unwrap_or_else(|| escape::decode(url.user().unwrap_or_default()));
    let user = crate::doc::sanitise(&String::from_utf8_lossy(&user)).into_owned();
    let focus = usize::from(!user.is_empty()) + usize::from(!user.is_empty() && !password.is_empty());
    let line = |text: String, secret| FieldValue::Line { input: Input::new(text), secret };
    let mut fields = vec![
        FormField { label: "User".into(), value: line(user, false) },
        FormField { label: "Password".into(), value: line(password, true) },
    ];
    fields.extend(account.then(|| FormField { label: "Account".into(), value: line(String::new(), true) }));
    let title = match &wants {
        Wants::Place(opening) => opening.veil.over(format!("Log in to {server}")),
        Wants::Letter(..) => format!("Log in to {server}"),
    };
    // A server of the web has many realms, and says which one this is.
    let said = if scheme::family(&url) == Family::Web { said } else { &[] };
    let note = |words: &String| FormField { label: words.clone(), value: FieldValue::Note };
    let notes: Vec<FormField> = said.iter().map(note).collect();
    let (focus, button) = (focus + notes.len(), "Log in".into());
    fields.splice(0..0, notes);
    let (id, owner) = (cx.form_id(), FormOwner::Login(Box::new(wants)));
    cx.hands.raise(Overlay::Form(Form { id, owner, touched: false, url: public, title, fields, focus, button }));
}

/// Keeps what was filled in for what wants it.
pub(in crate::app) fn keep(cx: &mut Cx<'_>, wants: &Wants, form: &Form) {
    let mut typed = form.lines().map(|line| line.as_bytes().to_vec());
    let (user, password) = (typed.next().unwrap_or_default(), typed.next().unwrap_or_default());
    let account = typed.next();
    let url = match wants {
        Wants::Place(opening) => &opening.url,
        Wants::Letter(_, url) => url,
    };
    cx.desk.logins.insert(whose(cx.sight(), url), Login { user, password, account });
}

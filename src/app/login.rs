//! Logins that servers ask for: a form for user and password, kept in memory for the session and nowhere else (FTP-05).

use super::composing;
use super::opening::{self, Consent, Opening, Way};
use super::{App, Effect, FieldValue, FormField, FormState, Overlay};
use crate::proto::Login;
use crate::url::{Url, escape, scheme};
use tui_input::Input;

/// Asks who the reader is; a wrong password asks again.
pub(super) fn ask(app: &mut App, opening: Opening, said: &[String]) {
    let server = server(app, &opening.url);
    // Mostly it is the password that was mistyped.
    let before = app.logins.remove(&whose(app, &opening.url)).map(|login| login.user).filter(|user| !user.is_empty());
    let user = before.unwrap_or_else(|| escape::decode(opening.url.user().unwrap_or_default()));
    let user = crate::doc::sanitise(&String::from_utf8_lossy(&user)).into_owned();
    let focus = usize::from(!user.is_empty());
    let line = |text: String, secret| FieldValue::Line { input: Input::new(text), secret };
    let mut fields = vec![
        FormField { label: "User".into(), value: line(user, false) },
        FormField { label: "Password".into(), value: line(String::new(), true) },
    ];
    let title = format!("Log in to {server}");
    // A server of the web has many realms, and says which one this is.
    let said = if is_web(&opening.url) { said } else { &[] };
    let note = |words: &String| FormField { label: words.clone(), value: FieldValue::Note };
    let notes: Vec<FormField> = said.iter().map(note).collect();
    let (url, focus, button) = (opening.public().clone(), focus + notes.len(), "Log in".into());
    fields.splice(0..0, notes);
    app.overlays.push(Overlay::Form(FormState { url, title, fields, focus, button }));
    app.tab.login = Some(opening);
}

/// Tries again with what was filled in.
pub(super) fn send(app: &mut App, opening: Opening) -> Vec<Effect> {
    let Some(Overlay::Form(state)) = app.overlays.pop() else { return Vec::new() };
    let mut typed = state.fields.iter().filter_map(|field| match &field.value {
        FieldValue::Line { input, .. } => Some(input.value().as_bytes().to_vec()),
        _ => None,
    });
    let (user, password) = (typed.next().unwrap_or_default(), typed.next().unwrap_or_default());
    app.logins.insert(whose(app, &opening.url), Login { user, password });
    if let Some(effects) = composing::logged_in(app) {
        return effects;
    }
    opening::go(app, Opening { way: Way::Reload, consent: Consent::Agreed, ..opening })
}

/// The login given for a URL's server in this session.
pub(super) fn of(app: &App, url: &Url) -> Option<Login> {
    app.logins.get(&whose(app, url)).cloned()
}

/// What a login is kept for: a server, and outside the web the user that the URL names, since there another user has other
/// files.
fn whose(app: &App, url: &Url) -> String {
    let user = url.user().filter(|_| !is_web(url)).map(|user| format!("{user}@")).unwrap_or_default();
    format!("{user}{}", server(app, url))
}

fn is_web(url: &Url) -> bool {
    url.is("http") || url.is("https")
}

/// A login belongs to one port of one host, and on the web to one scheme: what was typed over TLS never goes without. News
/// URLs mostly leave both to the settings.
fn server(app: &App, url: &Url) -> String {
    let tls = url.is("snews") || url.is("nntps");
    let configured = match url.host() {
        None => app.settings.news.servers_of(url).into_iter().next(),
        _ => None,
    };
    let (host, port) = match configured {
        Some(server) => (server.host.as_str(), Some(server.port(tls || server.tls))),
        None => (url.host().unwrap_or_default(), url.port()),
    };
    if is_web(url) {
        let odd = port.filter(|port| scheme::default_port(url.scheme()) != Some(*port));
        let port = odd.map(|port| format!(":{port}")).unwrap_or_default();
        return format!("{}://{}{port}", url.scheme().to_ascii_lowercase(), host.to_ascii_lowercase());
    }
    format!("{} port {}", host.to_ascii_lowercase(), port.unwrap_or_default())
}

//! Logins that servers ask for: a form for user and password, kept in memory for the session and nowhere else (FTP-05).

use super::composing;
use super::opening::{self, Consent, Opening, Way};
use super::{App, Effect, FieldValue, FormField, FormState, Overlay};
use crate::proto::Login;
use crate::url::{Url, escape};
use tui_input::Input;

/// Asks who the reader is; a wrong password asks again.
pub(super) fn ask(app: &mut App, opening: Opening) {
    let server = server(app, &opening.url);
    app.logins.remove(&server);
    let user = escape::decode(opening.url.user().unwrap_or_default());
    let user = crate::doc::sanitise(&String::from_utf8_lossy(&user)).into_owned();
    let focus = usize::from(!user.is_empty());
    let line = |text: String, secret| FieldValue::Line { input: Input::new(text), secret };
    let fields = vec![
        FormField { label: "User".into(), value: line(user, false) },
        FormField { label: "Password".into(), value: line(String::new(), true) },
    ];
    let title = format!("Log in to {server}");
    app.overlays.push(Overlay::Form(FormState { url: opening.public().clone(), title, fields, focus }));
    app.login = Some(opening);
}

/// Tries again with what was filled in.
pub(super) fn send(app: &mut App, opening: Opening) -> Vec<Effect> {
    let Some(Overlay::Form(state)) = app.overlays.pop() else { return Vec::new() };
    let typed = |at: usize| match state.fields.get(at).map(|field| &field.value) {
        Some(FieldValue::Line { input, .. }) => input.value().as_bytes().to_vec(),
        _ => Vec::new(),
    };
    let server = server(app, &opening.url);
    app.logins.insert(server, Login { user: typed(0), password: typed(1) });
    if let Some(effects) = composing::logged_in(app) {
        return effects;
    }
    opening::go(app, Opening { way: Way::Reload, consent: Consent::Agreed, ..opening })
}

/// The login given for a URL's server in this session.
pub(super) fn of(app: &App, url: &Url) -> Option<Login> {
    app.logins.get(&server(app, url)).cloned()
}

/// A login belongs to one port of one host. News URLs mostly leave both to the settings.
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
    format!("{} port {}", host.to_ascii_lowercase(), port.unwrap_or_default())
}

//! The page of an interactive service (`telnet:`, `rlogin:`, `tn3270:`): which one, whom to log in as, which program runs with
//! which arguments; where there is none, what to install and the row for the settings (TEL-02, TEL-05). Its links start the
//! program after a question, and show the password that the address advises. Refuses: running anything, and sending what is
//! advised.

use super::{arrival, journey, programs, sending};
use crate::app::internal::{self, asked, blank, schemes};
use crate::app::state::Cx;
use crate::app::{Aim, Effect, Opening, PageState, Sent, Sight};
use crate::config::Settings;
use crate::doc::sanitise;
use crate::format::media;
use crate::url::Url;
use crate::url::scheme::{self, Family, about, telnet::Telnet};

/// What is known of the machine on which the program would run.
#[derive(Debug, Clone, Copy)]
pub struct Machine<'a> {
    /// Programs that are not installed.
    pub missing: &'a [String],
    /// Whether no program may be started (`--safe`).
    pub safe: bool,
    /// Whether somebody is there to follow a link that starts it.
    pub attended: bool,
}

/// Whether a URL names such a service.
pub fn is_service(url: &Url) -> bool {
    scheme::family(url) == Family::Session
}

/// What the page of a service says, in the notation of [`media::OWN`]; a password is never in it.
pub fn service_page(settings: &Settings, url: &Url, machine: Machine<'_>) -> String {
    let name = url.scheme().to_ascii_lowercase();
    let word = |octets: &[u8]| sanitise(&String::from_utf8_lossy(octets)).into_owned();
    let service = match Telnet::of(url) {
        Ok(service) => service,
        Err(error) => return format!("# {name}\n\n{}\n", sanitise(&error.to_string())),
    };
    let host = word(service.host.as_bytes());
    let user = service.user.as_deref().filter(|user| !user.is_empty()).map(word);
    let program = settings.handler(&name);
    let command = program.map(|program| programs::command_line(url, program));
    let mut text = format!("# {host}: {name}\n\n");
    // First, so that Enter finds it on the smallest screen.
    if machine.attended && !machine.safe && matches!(command, Some(Some(_))) {
        text.push_str("=> about:service?do=start Start it in this terminal; when it ends you are back here\n\n");
    }
    text.push_str(&format!("{}\n\n", scheme::explain(&name)));
    text.push_str(&format!("service\t{name}\nhost\t{host}\nport\t{}\n", service.port));
    text.push_str(&format!("log in as\t{}\n", user.as_deref().unwrap_or("the address advises nobody")));
    if service.has_password {
        text.push_str("password\t***, advised by the address, for you to say when you are asked for it\n");
    }
    text.push_str(&match &command {
        Some(Some(command)) => format!("runs\t{}\n\n", sanitise(command)),
        Some(None) => format!("runs\tnothing; {}\n\n", programs::OPTION),
        None => "runs\tnothing: no program is named for it in the settings\n\n".into(),
    });
    if machine.safe {
        text.push_str("No program is started: --safe forbids it.\n\n");
    }
    if machine.attended && service.has_password {
        text.push_str("=> about:service?do=show Show the password\n");
    }
    let missing = program.and_then(|program| program.first()).filter(|program| machine.missing.contains(program));
    if let Some(program) = missing {
        text.push_str(&format!("\n{}\n", sanitise(&programs::not_installed(program))));
    }
    if program.is_none() || missing.is_some() {
        text.push_str(&format!("\n{}", schemes::account(&name)));
    }
    text
}

/// The service that is in view, as it would be reached.
fn in_view(sight: Sight<'_>) -> Option<Url> {
    let entry = sight.entry().filter(|entry| is_service(&entry.url))?;
    let page = entry.page.as_deref()?;
    let is_made_here = page.head.media == media::OWN && matches!(page.state, PageState::Complete);
    let reached = match &entry.sent {
        Some(Sent::Secret(url)) => url,
        _ => &entry.url,
    };
    is_made_here.then(|| reached.clone())
}

/// Opens the page of a service.
pub(in crate::app) fn open(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    let opening = Opening { media: None, aim: Aim::Page, ..opening };
    if let Some(effects) = sending::ask(cx, &opening) {
        return effects;
    }
    let mut effects = arrival::drop_loading(cx);
    let (url, page) = (opening.public().clone(), blank(cx, &opening));
    effects.extend(journey::arrive(cx, &opening, url, page, None));
    tend(cx);
    effects
}

/// Writes the page in view anew when it says something else than what is so.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) {
    let Some(url) = in_view(cx.sight()) else { return };
    let choices = &cx.desk.choices;
    let machine = Machine { missing: &choices.missing, safe: choices.safe, attended: true };
    let source = cx.sight().veil().over(service_page(&cx.desk.settings, &url, machine));
    internal::rewrite(cx, source);
}

/// Does what a link of the page in view stands for.
pub(super) fn act(cx: &mut Cx<'_>, url: &Url) -> Option<Vec<Effect>> {
    let is_own = url.is("about") && about::page(url).is_ok_and(|name| name == "service");
    let service = in_view(cx.sight()).filter(|_| is_own)?;
    match asked(url, "do")?.as_str() {
        "start" => Some(programs::start(cx, &service)),
        "show" => Some(programs::show_password(cx, &service)),
        _ => None,
    }
}

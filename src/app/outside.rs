//! Programs of the reader's own: argument vectors only, shown before they run (UX, security rule 6).

use super::asking::ask;
use super::opening::{self, Aim, Opening};
use super::question::{self, confirm};
use super::saving::{self, Purpose};
use super::{App, Effect, FetchId, Pending, PromptKind, composing, focus, piping};
use crate::doc::sanitise;
use crate::format::message;
use crate::proto::{FetchError, Kind};
use crate::url::Url;
use crate::url::scheme::mailto::Mailto;

/// Why a program is not run.
const OPTION: &str = "refused: what begins with \"-\" would be taken for an option";

/// What a program is to open.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    /// A place.
    Url(Url),
    /// A file of this machine.
    File(String),
    /// A body that waits for a verdict, and its media type.
    Body(FetchId, String),
}

impl Target {
    /// The name by which the settings list a program for it.
    fn kind(&self) -> &str {
        match self {
            Target::Url(url) => url.scheme(),
            Target::File(_) => "",
            Target::Body(_, media) => media,
        }
    }

    /// What the marks of a program's arguments stand for.
    fn marks(&self, url_as: fn(&Url) -> String) -> Vec<(&'static str, String)> {
        match self {
            Target::Url(url) => {
                let (host, user) = (url.host().unwrap_or_default(), url.user().unwrap_or_default());
                let port = url.port().map(|port| port.to_string()).unwrap_or_default();
                vec![("{host}", host.into()), ("{port}", port), ("{user}", user.into()), ("{url}", url_as(url))]
            }
            Target::File(path) => vec![("{file}", path.clone()), ("{url}", path.clone())],
            Target::Body(_, media) => vec![("{type}", media.clone())],
        }
    }

    /// The whole argument for a program that names no place for it.
    fn whole(&self, url_as: fn(&Url) -> String) -> Option<String> {
        match self {
            Target::Url(url) => Some(url_as(url)),
            Target::File(path) => Some(path.clone()),
            Target::Body(..) => None,
        }
    }

    /// The argument vector of a program, with the marks filled in. `None` when a value could be taken for an option.
    fn arguments(&self, program: &[String], url_as: fn(&Url) -> String) -> Option<Vec<String>> {
        let marks = Some(self.marks(url_as)).filter(|marks| !marks.iter().any(|(_, value)| value.starts_with('-')))?;
        let filled: Vec<String> = program.iter().map(|word| fill(word, &marks)).collect();
        let unplaced = if filled == program { self.whole(url_as) } else { None };
        Some(filled.into_iter().filter(|word| !word.is_empty()).chain(unplaced).collect())
    }

    /// The same on one line for the reader, without a password.
    fn shown(&self, program: &[String]) -> String {
        self.arguments(program, Url::redacted).map(|words| brief(&words.join(" "))).unwrap_or_default()
    }
}

/// As much of a text as a question has room for: a mail's whole text may be in a URL.
fn brief(text: &str) -> String {
    const ROOM: usize = 300;
    match text.char_indices().nth(ROOM) {
        Some((end, _)) => format!("{}… ({} more letters)", &text[..end], text[end..].chars().count()),
        None => text.into(),
    }
}

/// Puts values for marks, from left to right; a value is never looked at again.
fn fill(word: &str, marks: &[(&str, String)]) -> String {
    let (mut out, mut rest) = (String::new(), word);
    let first = |rest: &str| marks.iter().filter_map(|(mark, value)| Some((rest.find(mark)?, mark.len(), value))).min();
    while let Some((at, length, value)) = first(rest) {
        out.push_str(&rest[..at]);
        out.push_str(value);
        rest = &rest[at + length..];
    }
    out + rest
}

/// A URL whose scheme is served by a program: asked with the arguments shown, or explained when the settings list none.
pub(super) fn hand_over(app: &mut App, opening: &Opening) -> Vec<Effect> {
    let scheme = opening.url.scheme().to_ascii_lowercase();
    match app.settings.handler(&scheme).map(<[String]>::to_vec) {
        Some(program) if opening.aim == Aim::Page && scheme == "mailto" => mail(app, opening, &program),
        Some(program) if opening.aim == Aim::Page => {
            let text = format!("{} opens with a program:", opening.public().redacted());
            propose(app, vec![text], &Target::Url(opening.url.clone()), &program)
        }
        Some(_) => {
            app.complain(format!("{scheme}: opens with another program, it cannot be saved from here"));
            Vec::new()
        }
        None if scheme == "mailto" && opening.aim == Aim::Page => composing::mail(app, &opening.url),
        None => {
            let error = FetchError::new(Kind::Unsupported, crate::url::scheme::explain(&scheme))
                .tried(format!("nothing: {}", opening.public().redacted()))
                .hint(format!("Name a program for {scheme} under [handlers] in the settings."));
            opening::explain(app, opening, error)
        }
    }
}

/// A mail for the mail program: what it will say is asked about, and what a link has no business to say stays out of it
/// (RFC 6068, 4; D19).
fn mail(app: &mut App, opening: &Opening, program: &[String]) -> Vec<Effect> {
    let read = Mailto::of(&opening.url).and_then(|mailto| Ok((mailto.url()?, mailto)));
    let (url, mailto) = match read {
        Ok(read) => read,
        Err(error) => return opening::refuse(app, opening, error),
    };
    let mut text = vec![format!("A mail to {}, with a program:", brief(&mailto.to.join(", ")))];
    for (name, value) in &mailto.headers {
        let lines = value.lines().count();
        let more = if lines > 1 { format!(" … ({lines} lines)") } else { String::new() };
        let first = message::words(value.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
        text.push(format!("{name}: {}{more}", brief(&first)));
    }
    if !mailto.dropped.is_empty() {
        text.push(format!("left out, as no link may say it: {}", brief(&mailto.dropped.join(", "))));
    }
    propose(app, text, &Target::Url(url), program)
}

/// Asks whether a program may run, its arguments in sight.
fn propose(app: &mut App, mut text: Vec<String>, target: &Target, program: &[String]) -> Vec<Effect> {
    match target.arguments(program, |url| url.as_str().to_owned()) {
        Some(arguments) => {
            text.push(target.shown(program));
            let text = text.iter().map(|line| sanitise(line).into_owned()).collect();
            question::raise(app, confirm(text, "run it", Pending::Run(arguments)));
        }
        None => app.complain(OPTION),
    }
    Vec::new()
}

/// A body is in its file, and the program that the reader chose for it may open it.
pub(super) fn arrived(app: &mut App, path: String, program: &[String]) {
    let text = format!("{path} is here. Open it with this program?");
    propose(app, vec![text], &Target::File(path), program);
}

/// Asks for a program; the one that the settings list stands there already.
pub(super) fn ask_program(app: &mut App, target: Target, about: Option<Url>) {
    let listed = app.settings.handler(target.kind()).map(|program| program.join(" ")).unwrap_or_default();
    app.purpose = Some(Purpose::Program(target));
    ask(app, PromptKind::Program, "open with", &listed, about);
}

/// `outside`: the link under focus, or with `outside page` the page, with a program of the reader's choice.
pub(super) fn outside(app: &mut App, what: &str) -> Vec<Effect> {
    let page = app.entry().map(|entry| entry.url.clone());
    let link = focus::link(app).is_some();
    let url = if what.trim() == "page" || !link { page } else { focus::target(app) };
    if let Some(url) = url {
        ask_program(app, Target::Url(url.clone()), Some(url));
    }
    Vec::new()
}

/// A body that is no page goes to a program: which one?
pub(super) fn body(app: &mut App, id: FetchId) -> Vec<Effect> {
    let head = app.tab.loading.as_ref().filter(|l| l.id == id).and_then(|l| l.head.as_ref());
    if let Some((media, url)) = head.map(|head| (head.media.clone(), head.url.clone())) {
        ask_program(app, Target::Body(id, media), Some(url));
    }
    Vec::new()
}

/// What would run.
pub(super) fn remark(app: &App, text: &str) -> String {
    match &app.purpose {
        Some(Purpose::Program(target)) if !text.trim().is_empty() => {
            format!("runs: {}", target.shown(&program(app, target, text)))
        }
        Some(Purpose::Pipe(_)) if !text.trim().is_empty() => {
            format!("runs: {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        _ => "a program and its arguments".into(),
    }
}

/// The program as the settings list it when that is what stands there; else words between white space: there is no shell, so
/// no quoting either.
fn program(app: &App, target: &Target, text: &str) -> Vec<String> {
    let listed = app.settings.handler(target.kind()).filter(|program| program.join(" ") == text.trim());
    listed.map_or_else(|| text.split_whitespace().map(Into::into).collect(), <[String]>::to_vec)
}

/// The program is named.
pub(super) fn named(app: &mut App, text: &str) -> Vec<Effect> {
    if text.trim().is_empty() {
        app.complain("no program named");
        return saving::dismissed(app);
    }
    let target = match app.purpose.take() {
        Some(Purpose::Program(target)) => target,
        Some(Purpose::Pipe(input)) => return piping::named(app, text, input),
        _ => return Vec::new(),
    };
    let program = program(app, &target, text);
    match target {
        Target::Body(id, _) => match target.arguments(&program, Url::redacted) {
            Some(program) => {
                app.afterwards.insert(id, program);
                saving::keep_aside(app, id)
            }
            None => {
                app.complain(OPTION);
                saving::refuse(app, id)
            }
        },
        Target::Url(_) | Target::File(_) => propose(app, vec!["Run this program?".into()], &target, &program),
    }
}

//! Programs of the reader's own: argument vectors only, shown before they run (UX, security rule 6).

use super::asking::ask;
use super::opening::{self, Aim, Opening};
use super::question::{self, confirm};
use super::saving::{self, Purpose};
use super::{App, Effect, FetchId, Pending, PromptKind, focus};
use crate::proto::{FetchError, Kind};
use crate::url::Url;

/// A URL whose scheme is served by a program: asked with the arguments shown, or explained when the settings list none.
pub(super) fn hand_over(app: &mut App, opening: &Opening) -> Vec<Effect> {
    let url = opening.public().clone();
    let scheme = url.scheme().to_ascii_lowercase();
    let program = app.settings.handler(&scheme).map(<[String]>::to_vec);
    match (program, opening.aim) {
        (Some(template), Aim::Page) => match arguments(&template, &opening.url) {
            Some(arguments) => {
                let text = vec![format!("{} opens with a program:", url.redacted()), arguments.join(" ")];
                question::raise(app, confirm(text, "run it", Pending::Run(arguments)));
                Vec::new()
            }
            None => {
                app.complain("refused: a host or user that begins with \"-\" would be taken for an option");
                Vec::new()
            }
        },
        _ => {
            let detail = format!("Another program opens {scheme}: URLs, and the settings list none.");
            let error = FetchError::new(Kind::Unsupported, detail)
                .tried("nothing was sent")
                .hint(format!("name a program for {scheme} under [handlers] in the settings"));
            opening::explain(app, opening, error)
        }
    }
}

/// The template with the URL's parts filled in; `None` when a part could be taken for an option.
fn arguments(template: &[String], url: &Url) -> Option<Vec<String>> {
    let (host, user) = (url.host().unwrap_or_default(), url.user().unwrap_or_default());
    if host.starts_with('-') || user.starts_with('-') {
        return None;
    }
    let port = url.port().map(|port| port.to_string()).unwrap_or_default();
    let fill = |argument: &String| {
        let path = url.path();
        let parts = [("{host}", host), ("{port}", port.as_str()), ("{user}", user), ("{path}", path)];
        let marks = parts.into_iter().chain([("{url}", url.as_str())]);
        marks.fold(argument.clone(), |text, (mark, part)| text.replace(mark, part))
    };
    let filled: Vec<String> = template.iter().map(fill).filter(|argument| !argument.is_empty()).collect();
    Some(if filled == template { with_argument(template, url.as_str()) } else { filled })
}

/// The program with one argument, in its `{file}` or `{url}` place or at the end.
pub(super) fn with_argument(program: &[String], argument: &str) -> Vec<String> {
    let filled: Vec<String> =
        program.iter().map(|word| word.replace("{file}", argument).replace("{url}", argument)).collect();
    if filled != program {
        return filled;
    }
    filled.into_iter().chain([argument.to_owned()]).collect()
}

/// The program that the settings list for a scheme or media type.
fn listed(app: &App, what: &str) -> String {
    app.settings.handler(what).map(|program| program.join(" ")).unwrap_or_default()
}

/// `outside`: the link under focus, or with `outside page` the page, with a program of the reader's choice.
pub(super) fn outside(app: &mut App, what: &str) -> Vec<Effect> {
    let page = app.entry().map(|entry| entry.url.clone());
    let link = focus::link(app).is_some();
    let url = if what.trim() == "page" || !link { page } else { focus::target(app) };
    if let Some(url) = url {
        let program = listed(app, url.scheme());
        app.purpose = Some(Purpose::Program(url.as_str().to_owned()));
        ask(app, PromptKind::Program, "open with", &program, Some(url));
    }
    Vec::new()
}

/// A body that is no page goes to a program: which one?
pub(super) fn body(app: &mut App, id: FetchId) -> Vec<Effect> {
    let Some(head) = app.loading.as_ref().filter(|l| l.id == id).and_then(|l| l.head.as_ref()) else {
        return Vec::new();
    };
    let (media, url) = (head.media.clone(), head.url.clone());
    let program = listed(app, &media);
    app.purpose = Some(Purpose::ProgramBody(id));
    ask(app, PromptKind::Program, "open with", &program, Some(url));
    Vec::new()
}

/// What would run.
pub(super) fn remark(app: &App, text: &str) -> String {
    let argument = match &app.purpose {
        Some(Purpose::Program(argument)) => {
            Url::parse(argument.as_str()).map_or_else(|_| argument.clone(), |u| u.redacted())
        }
        _ => "FILE".into(),
    };
    match words(text) {
        program if program.is_empty() => "a program and its arguments".into(),
        program => format!("runs: {}", with_argument(&program, &argument).join(" ")),
    }
}

/// Words between white space; no shell, so no quoting either.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(Into::into).collect()
}

/// The program is named.
pub(super) fn named(app: &mut App, text: &str) -> Vec<Effect> {
    let program = words(text);
    if program.is_empty() {
        app.complain("no program named");
        return saving::dismissed(app);
    }
    match app.purpose.take() {
        Some(Purpose::Program(argument)) => {
            let arguments = with_argument(&program, &argument);
            let text = vec!["Run this program?".into(), arguments.join(" ")];
            question::raise(app, confirm(text, "run it", Pending::Run(arguments)));
            Vec::new()
        }
        Some(Purpose::ProgramBody(id)) => {
            app.afterwards.insert(id, program);
            saving::keep_aside(app, id)
        }
        _ => Vec::new(),
    }
}

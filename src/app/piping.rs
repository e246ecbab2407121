//! The page through a program of the reader's: its text or source goes in, what comes out is a page.
//!
//! The program is an argument vector that the reader typed themselves; no shell reads it (UX, security rule 6).

use super::asking::ask;
use super::opening::{Consent, Opening};
use super::saving::Purpose;
use super::{App, Effect, Loading, PromptKind, arrival, saving};
use crate::proto::Request;
use crate::url::{Url, escape};

/// The URL of what a program said, before the program's words.
const OUTPUT: &str = "about:output?";

/// `pipe`: the page as it reads; `pipe source`: as it was received. What follows is the program.
pub(super) fn pipe(app: &mut App, words: &str) -> Vec<Effect> {
    let Some(entry) = app.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let (source, program) = match words.split_once(char::is_whitespace).unwrap_or((words, "")) {
        ("source", rest) => (true, rest.trim()),
        _ => (false, words.trim()),
    };
    let content = match (source, &page.source) {
        (true, Some(source)) => source.clone(),
        (true, None) => {
            app.complain("this page's source was too large to keep; save it, and give the program the file");
            return Vec::new();
        }
        (false, _) => saving::text_of(page.document()).into_bytes(),
    };
    let url = entry.url.clone();
    app.purpose = Some(Purpose::Pipe(content));
    ask(app, PromptKind::Program, if source { "pipe the source to" } else { "pipe the page to" }, program, Some(url));
    if program.is_empty() { Vec::new() } else { super::asking::accept(app, "") }
}

/// The program is named: it runs, and what it says is loaded like any page.
pub(super) fn named(app: &mut App, program: &str, input: Vec<u8>) -> Vec<Effect> {
    let arguments: Vec<String> = program.split_whitespace().map(Into::into).collect();
    let url = match Url::parse(format!("{OUTPUT}{}", escape::encode(arguments.join(" ").as_bytes(), b""))) {
        Ok(url) => url,
        Err(error) => {
            app.complain(error.to_string());
            return Vec::new();
        }
    };
    let mut effects = arrival::drop_loading(app);
    let (id, request) = (app.fresh(), Request::new(url.clone()));
    app.tab.loading = Some(Loading { id, request: request.clone(), stage: None, head: None });
    app.tab.opening = Some(Opening { consent: Consent::Agreed, ..Opening::followed(url) });
    effects.push(Effect::Pipe { id, request, program: arguments, input });
    effects
}

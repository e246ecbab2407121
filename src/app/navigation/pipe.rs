//! The page through a program of the reader's: its text or source goes in, what comes out is a page.
//!
//! The program is an argument vector that the reader typed themselves; no shell reads it (SEC-11).

use super::arrival;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Printing};
use crate::app::{Consent, Effect, JobId, Loading, Opening, PageState, PromptKind, Purpose, Text, transfer};
use crate::proto::Request;
use crate::url::{Url, escape};
use std::sync::Arc;

/// The URL of what a program said, before the program's words.
const OUTPUT: &str = "about:output?";

/// `pipe`: the page as it reads; `pipe source`: as it was received. What follows is the program.
pub(in crate::app) fn pipe(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let (source, program) = match words.split_once(char::is_whitespace).unwrap_or((words, "")) {
        ("source", rest) => (true, rest.trim()),
        _ => (false, words.trim()),
    };
    let content = match (source, page.whole_source()) {
        (true, Some(source)) => Text::Octets(source.to_vec()),
        (true, None) if page.state == PageState::Arriving => {
            cx.complain("this page is still arriving; wait for its end");
            return Vec::new();
        }
        (true, None) => {
            cx.complain("this page's source was too large to keep; save it, and give the program the file");
            return Vec::new();
        }
        (false, _) => Text::Page(Arc::clone(page.document())),
    };
    let url = entry.url.clone();
    let label = if source { "pipe the source to" } else { "pipe the page to" };
    if !program.is_empty() {
        let origin = cx.tab.origin();
        return named(cx, program, content, origin);
    }
    cx.hands.ask_for(Purpose::Pipe(content, cx.tab.origin()), PromptKind::Program, label, "", Some(url));
    Vec::new()
}

/// The program is named: it runs, and what it says is loaded like any page.
/// `origin`: whose words go in.
pub(in crate::app) fn named(cx: &mut Cx<'_>, program: &str, input: Text, origin: Option<Url>) -> Vec<Effect> {
    let arguments: Vec<String> = program.split_whitespace().map(Into::into).collect();
    let url = match Url::parse(format!("{OUTPUT}{}", escape::encode(arguments.join(" ").as_bytes(), b""))) {
        Ok(url) => url,
        Err(error) => {
            cx.complain(error.to_string());
            return Vec::new();
        }
    };
    let mut effects = arrival::drop_loading(cx);
    let request = Request::new(url.clone());
    let input = match input {
        Text::Octets(input) => Ok(input),
        Text::Page(document) => transfer::print(document),
    };
    let (id, effect) = match input {
        Ok(input) => {
            let id = cx.job(Errand::Page);
            (id, Effect::Pipe { id, request: request.clone(), program: arguments, input })
        }
        Err(work) => {
            let id = cx.job(Errand::Print(Printing::Program(arguments)));
            (id, Effect::Work { id, work })
        }
    };
    let opening = Opening { consent: Consent::Agreed, origin, ..Opening::followed(url) };
    cx.tab.loading = Some(Loading { id, opening, request, stage: None, head: None });
    effects.push(effect);
    effects
}

/// The text is there for a program that was named: it runs, unless the reader has gone on since.
pub(in crate::app) fn printed(cx: &mut Cx<'_>, printed: JobId, program: Vec<String>, input: Vec<u8>) -> Vec<Effect> {
    if cx.tab.loading.as_ref().is_none_or(|loading| loading.id != printed) {
        return Vec::new();
    }
    let id = cx.job(Errand::Page);
    let Some(loading) = &mut cx.tab.loading else { return Vec::new() };
    loading.id = id;
    vec![Effect::Pipe { id, request: loading.request.clone(), program, input }]
}

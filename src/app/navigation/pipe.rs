//! The page through a program of the reader's: its text, its source or one of its tables goes in, what comes out is a page.
//!
//! The program is an argument vector that the reader typed themselves; no shell reads it (SEC-11).

use super::{arrival, reread, sending};
use crate::app::motion::marking;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Printing};
use crate::app::{Consent, Effect, JobId, Loading, Opening, PageState, PromptKind, Purpose, Sight, Text, transfer};
use crate::doc::Separated;
use crate::format::count;
use crate::proto::Request;
use crate::url::{Url, escape};
use crate::work::Print;
use std::sync::Arc;

/// The URL of what a program said, before the program's words.
const OUTPUT: &str = "about:output?";

/// What goes in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Text,
    Source,
    Table(Separated),
    /// The addresses of the marked rows.
    Marked,
}

/// `pipe`: the addresses of the marked rows, one a line, else, as by `pipe text`, the page as it reads; `pipe source`: as it was received; `pipe csv`, `pipe tsv`: the table under focus, or the next
/// one on the page. What follows is the program.
pub(in crate::app) fn pipe(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let Some(url) = cx.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    let (given, program) = match words.split_once(char::is_whitespace).unwrap_or((words, "")) {
        ("source", rest) => (Given::Source, rest.trim()),
        ("csv", rest) => (Given::Table(Separated::Comma), rest.trim()),
        ("tsv", rest) => (Given::Table(Separated::Tab), rest.trim()),
        ("text", rest) => (Given::Text, rest.trim()),
        _ if marking::is_marked(cx.sight()) => (Given::Marked, words.trim()),
        _ => (Given::Text, words.trim()),
    };
    let content = match content(cx.sight(), given) {
        Some(Ok(content)) => content,
        Some(Err(why)) => {
            cx.complain(why);
            return Vec::new();
        }
        None => return Vec::new(),
    };
    let label = match given {
        Given::Text => "pipe the page to",
        Given::Source => "pipe the source to",
        Given::Table(_) => "pipe the table to",
        Given::Marked => &format!("pipe {} addresses to", count(reread::marked(cx.sight()).0)),
    };
    if !program.is_empty() {
        let origin = cx.tab.origin();
        return named(cx, program, content, origin);
    }
    cx.hands.ask_for(Purpose::Pipe(content, cx.tab.origin()), PromptKind::Program, label, "", Some(url));
    Vec::new()
}

/// What goes in, or why it cannot; nothing without a page.
fn content(sight: Sight<'_>, given: Given) -> Option<Result<Text, &'static str>> {
    let entry = sight.entry()?;
    let page = entry.page.as_deref()?;
    let document = page.document();
    let print = |table| Text::Page(Print { document: Arc::clone(document), table });
    Some(match (given, page.whole_source()) {
        (Given::Text, _) => Ok(print(None)),
        (Given::Source, Some(source)) => Ok(Text::Octets(source.to_vec())),
        (Given::Source, None) if page.state == PageState::Arriving => {
            Err("this page is still arriving; wait for its end")
        }
        (Given::Source, None) => {
            Err("this page's source was too large to keep; save it, and give the program the file")
        }
        (Given::Marked, _) => Ok(Text::Octets((reread::marked(sight).1 + "\n").into_bytes())),
        (Given::Table(separated), _) => {
            let place = entry.focus.and_then(|link| document.link_anchor(link)).unwrap_or(entry.top);
            let table = document.table_near(place.block);
            table
                .map(|table| print(Some((table, separated))))
                .ok_or("no table on this page; one that only places things is none")
        }
    })
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
    if let Some(effects) = sending::refuse(cx) {
        return effects;
    }
    let mut effects = arrival::drop_loading(cx);
    let request = Request::new(url.clone());
    let input = match input {
        Text::Octets(input) => Ok(input),
        Text::Page(print) => transfer::print(print),
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

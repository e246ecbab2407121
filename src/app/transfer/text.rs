//! Pages and their sources written to files.

use super::name::name;
use super::{ask_name, exists};
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Aim, Consent, Effect, NotWritten, Opening, Pending, Purpose, Text};
use crate::format::media;
use crate::stop::Stop;
use crate::work::{Print, Work};
use std::sync::Arc;

/// `save`: text pages exactly as received, others as they read. `save source`, `save text` choose.
pub(in crate::app) fn save(cx: &mut Cx<'_>, what: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let as_received = what.trim() == "source" || what.trim().is_empty() && page.head.media == media::PLAIN;
    let content = match (page.whole_source(), as_received) {
        (Some(source), true) => Text::Octets(source.to_vec()),
        (None, true) => {
            let url = entry.url.clone();
            cx.open(Opening { aim: Aim::File, consent: Consent::Agreed, ..Opening::followed(url) });
            return Vec::new();
        }
        (_, false) => Text::Page(Print { document: Arc::clone(page.document()), table: None }),
    };
    let mut name = name(cx.sight(), &entry.url, Some(&page.head));
    if !as_received && !name.ends_with(".txt") {
        name.push_str(".txt");
    }
    let path = format!("{}/{name}", cx.desk.settings.downloads);
    ask_name(cx, Purpose::Text(content), &path);
    Vec::new()
}

/// A page as it reads on paper, or its table, or, of a long one, the work that makes it.
pub(in crate::app) fn print(print: Print) -> Result<Vec<u8>, Work> {
    let work = Work::Print(print.clone());
    if work.is_small() { print.run(&Stop::new()).ok_or(work) } else { Err(work) }
}

/// Writes a text to a file that is not there yet.
pub(in crate::app) fn write(cx: &mut Cx<'_>, path: String, content: Vec<u8>) -> Vec<Effect> {
    let id = cx.job(Errand::Text(path.clone(), content.clone()));
    vec![Effect::Write { id, path, content, replace: false }]
}

/// A text was written, or not.
pub(in crate::app) fn wrote(
    cx: &mut Cx<'_>,
    path: String,
    content: Vec<u8>,
    result: Result<String, NotWritten>,
) -> Vec<Effect> {
    match result {
        Ok(path) => cx.say(format!("saved {path}")),
        Err(NotWritten::Exists(found)) => cx.hands.queue(exists(&found, Pending::Overwrite(path, content))),
        Err(NotWritten::Failed(sentence)) => cx.complain(sentence),
    }
    Vec::new()
}

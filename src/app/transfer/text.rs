//! Pages and their sources written to files.

use super::name::name;
use super::{ask_name, exists, named};
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Aim, Consent, Effect, NotWritten, Opening, Pending, Purpose, Text};
use crate::format::mhtml::{self, Part};
use crate::format::{is_picture, media};
use crate::stop::Stop;
use crate::url::Layer;
use crate::work::{Print, Work};
use std::sync::Arc;

/// `save`: texts and pictures exactly as received, others as they read. `save source`, `save text` choose; `save mhtml` keeps the page as a
/// message with its address and its base. What comes behind is the file.
pub(in crate::app) fn save(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let (what, file) = words.trim().split_once(char::is_whitespace).unwrap_or((words.trim(), ""));
    if !matches!(what, "" | "text" | "source" | "mhtml") {
        cx.complain("save, save text, save source, save mhtml save this page, each with a FILE behind it or not");
        return Vec::new();
    }
    let Some(entry) = cx.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    if what == "mhtml" {
        return as_message(cx, file.trim());
    }
    let is_file = page.head.media == media::PLAIN || is_picture(&page.head.media);
    let as_received = what == "source" || what.is_empty() && is_file;
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
    into(cx, content, path, file.trim())
}

/// Puts it into the file that was named, else asks for one.
fn into(cx: &mut Cx<'_>, content: Text, proposed: String, file: &str) -> Vec<Effect> {
    if file.is_empty() {
        ask_name(cx, Purpose::Text(content), &proposed);
        return Vec::new();
    }
    named(cx, Purpose::Text(content), file)
}

/// The page in view as one message (RFC 2557), which opens with the bases that the page has here.
fn as_message(cx: &mut Cx<'_>, file: &str) -> Vec<Effect> {
    let Some((entry, page)) = cx.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))) else {
        return Vec::new();
    };
    let Some(source) = page.whole_source() else {
        cx.complain("of this page not all is held as it came: wayfarer save URL -o FILE asks for it again");
        return Vec::new();
    };
    let outer = [Layer::Entity, Layer::Retrieval].into_iter().find_map(|layer| entry.bases.get(layer));
    let base = outer.unwrap_or(&page.head.url).without_fragment();
    let location = entry.bases.get(Layer::Entity).unwrap_or(&page.head.url).without_fragment();
    let head = &page.head;
    let part = Part {
        location: &location,
        base: &base,
        media: &head.media,
        charset: head.charset.as_deref(),
        octets: source.as_ref(),
    };
    let date = cx.desk.now.as_ref().map(|now| now.strftime("%a, %d %b %Y %H:%M:%S %z").to_string());
    let message = mhtml::write(&[part], &entry.title(), &date.unwrap_or_default());
    let path = format!("{}/{}.mht", cx.desk.settings.downloads, name(cx.sight(), &entry.url, Some(&page.head)));
    into(cx, Text::Octets(message), path, file)
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

//! Pages and their sources written to files.

use super::super::opening::{self, Aim, Consent, Opening};
use super::super::{App, Effect, Pending, Transfer, question};
use super::name::name;
use super::{Purpose, ask_name, exists};
use crate::doc::{Anchor, Document, Layout, Marks, Wrap};
use crate::format::media;

/// Columns of a page saved as text.
const COLUMNS: u16 = 80;

/// `save`: text pages exactly as received, others as they read. `save source`, `save text` choose.
pub(in crate::app) fn save(app: &mut App, what: &str) -> Vec<Effect> {
    let Some(entry) = app.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let as_received = what.trim() == "source" || what.trim().is_empty() && page.head.media == media::PLAIN;
    let content = match (&page.source, as_received) {
        (Some(source), true) => source.clone(),
        (None, true) => {
            let url = entry.url.clone();
            return opening::go(app, Opening { aim: Aim::File, consent: Consent::Agreed, ..Opening::followed(url) });
        }
        (_, false) => text_of(page.document()).into_bytes(),
    };
    let mut name = name(&entry.url, Some(&page.head));
    if !as_received && !name.ends_with(".txt") {
        name.push_str(".txt");
    }
    let path = format!("{}/{name}", app.settings.downloads);
    ask_name(app, Purpose::Text(content), &path);
    Vec::new()
}

/// A document as it reads on paper.
pub(in crate::app) fn text_of(document: &Document) -> String {
    let layout = Layout { width: COLUMNS, wrap: Wrap::On, marks: Marks::Words };
    let mut text = String::new();
    for line in layout.lines(document, Anchor::default(), usize::MAX) {
        let start = text.len();
        line.segments.iter().for_each(|segment| text.push_str(&segment.text));
        text.truncate(text.trim_end().len().max(start));
        text.push('\n');
    }
    text
}

/// A text was written, or not.
pub(in crate::app) fn wrote(app: &mut App, result: Result<String, Transfer>) -> Vec<Effect> {
    let writing = app.writing.take();
    match (result, writing) {
        (Ok(path), _) => app.say(format!("saved {path}")),
        (Err(Transfer::Exists(found)), Some((path, content))) => {
            question::raise(app, exists(&found, Pending::Overwrite(path, content)));
        }
        (Err(Transfer::Failed(sentence)), _) => app.complain(sentence),
        (Err(_), _) => {}
    }
    Vec::new()
}

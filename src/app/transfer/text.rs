//! Pages and their sources written to files.

use super::name::name;
use super::{ask_name, exists};
use crate::app::state::Cx;
use crate::app::{Aim, Consent, Effect, NotWritten, Opening, Pending, Purpose};
use crate::doc::{Anchor, Document, Layout, Marks, Wrap};
use crate::format::media;

/// Columns of a page saved as text.
const COLUMNS: u16 = 80;

/// `save`: text pages exactly as received, others as they read. `save source`, `save text` choose.
pub(in crate::app) fn save(cx: &mut Cx<'_>, what: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let as_received = what.trim() == "source" || what.trim().is_empty() && page.head.media == media::PLAIN;
    let content = match (page.whole_source(), as_received) {
        (Some(source), true) => source.to_vec(),
        (None, true) => {
            let url = entry.url.clone();
            cx.open(Opening { aim: Aim::File, consent: Consent::Agreed, ..Opening::followed(url) });
            return Vec::new();
        }
        (_, false) => text_of(page.document()).into_bytes(),
    };
    let mut name = name(&entry.url, Some(&page.head));
    if !as_received && !name.ends_with(".txt") {
        name.push_str(".txt");
    }
    let path = format!("{}/{name}", cx.desk.settings.downloads);
    ask_name(cx, Purpose::Text(content), &path);
    Vec::new()
}

/// A document as it reads on paper.
pub(in crate::app) fn text_of(document: &Document) -> String {
    let layout = Layout { width: COLUMNS, wrap: Wrap::WholeUrls, marks: Marks::Words };
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

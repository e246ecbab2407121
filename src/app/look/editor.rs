//! A page's source in the reader's editor: a local file itself, of any other page a copy that goes when the program ends.

use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, NotWritten, PageState, transfer};
use crate::format::media;
use crate::url::scheme::{self, Act, Family};

/// `edit-source`.
pub(in crate::app) fn edit_source(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    // A member of an archive of this machine is no file of it.
    let is_member = scheme::family(&entry.url) == Family::Archive;
    if let (false, Ok(Act::File(path))) = (is_member, scheme::plan(&entry.url).map(|plan| plan.act)) {
        return edit_file(cx, path);
    }
    let Some(page) = &entry.page else { return Vec::new() };
    let Some(source) = page.whole_source().map(|source| source.to_vec()) else {
        cx.complain(match page.state {
            PageState::Arriving => "this page is still arriving; wait for its end",
            _ => "this page's source was too large to keep; save it, and edit the file",
        });
        return Vec::new();
    };
    let path = format!("{}/{}", cx.desk.choices.scratch, transfer::name(cx.sight(), &entry.url, Some(&page.head)));
    vec![Effect::Write { id: cx.job(Errand::SourceCopy), path, content: source, replace: true }]
}

fn edit_file(cx: &mut Cx<'_>, path: Vec<u8>) -> Vec<Effect> {
    let folder =
        cx.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media::DIRECTORY);
    match String::from_utf8(path) {
        Ok(path) if !folder => {
            let arguments = cx.desk.choices.editor_on(path);
            vec![Effect::Run { id: cx.job(Errand::SourceFile), arguments }]
        }
        Ok(_) => {
            cx.say("this is a folder; go to a file in it");
            Vec::new()
        }
        Err(_) => {
            cx.complain("the name of this file is no UTF-8, and so cannot be given to an editor");
            Vec::new()
        }
    }
}

/// The copy is there, or not.
pub(in crate::app) fn wrote(cx: &mut Cx<'_>, result: Result<String, NotWritten>) -> Vec<Effect> {
    match result {
        Ok(path) => {
            let arguments = cx.desk.choices.editor_on(path);
            return vec![Effect::Run { id: cx.job(Errand::SourceCopy), arguments }];
        }
        Err(NotWritten::Failed(sentence) | NotWritten::Exists(sentence)) => cx.complain(sentence),
    }
    Vec::new()
}

/// The editor has ended on a copy.
pub(in crate::app) fn edited_copy(cx: &mut Cx<'_>, result: Result<(), String>) -> Vec<Effect> {
    match result {
        Ok(()) => cx.say("that was a copy: what you changed in it is not kept"),
        Err(sentence) => cx.complain(sentence),
    }
    Vec::new()
}

/// The editor has ended on the page's own file.
pub(in crate::app) fn edited_file(cx: &mut Cx<'_>, result: Result<(), String>) -> Vec<Effect> {
    match result {
        Ok(()) => cx.intend(Intent::Reload),
        Err(sentence) => cx.complain(sentence),
    }
    Vec::new()
}

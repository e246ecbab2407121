//! A page's source in the reader's editor: a local file itself, of any other page a copy that goes when the program ends.

use super::{App, Effect, Transfer, journey, saving};
use crate::format::media;
use crate::url::scheme::{self, Act};

/// A source on its way to the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Editing {
    /// Its copy is being written.
    Writing,
    /// The editor has the terminal.
    Copy,
    /// The editor has the terminal, and the page's own file.
    File,
}

/// Whether its copy is being written.
pub(super) fn is_writing(app: &App) -> bool {
    app.editing == Some(Editing::Writing)
}

/// Whether the editor has the terminal.
pub(super) fn is_open(app: &App) -> bool {
    matches!(app.editing, Some(Editing::Copy | Editing::File))
}

/// `edit-source`.
pub(super) fn edit_source(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(entry) = app.entry() else { return Vec::new() };
    if let Ok(Act::File(path)) = scheme::plan(&entry.url).map(|plan| plan.act) {
        return edit_file(app, path);
    }
    let Some(page) = &entry.page else { return Vec::new() };
    let Some(source) = page.source.clone() else {
        app.complain("this page's source was too large to keep; save it, and edit the file");
        return Vec::new();
    };
    let path = format!("{}/{}", app.choices.scratch, saving::name(&entry.url, Some(&page.head)));
    app.editing = Some(Editing::Writing);
    vec![Effect::Write { path, content: Some(source), replace: true }]
}

fn edit_file(app: &mut App, path: Vec<u8>) -> Vec<Effect> {
    let folder =
        app.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.head.media == media::DIRECTORY);
    match String::from_utf8(path) {
        Ok(path) if !folder => {
            app.editing = Some(Editing::File);
            vec![Effect::Run(app.choices.editor_on(path))]
        }
        Ok(_) => {
            app.say("this is a folder; go to a file in it");
            Vec::new()
        }
        Err(_) => {
            app.complain("the name of this file is no UTF-8, and so cannot be given to an editor");
            Vec::new()
        }
    }
}

/// The copy is there, or not.
pub(super) fn wrote(app: &mut App, result: Result<String, Transfer>) -> Vec<Effect> {
    app.editing = None;
    match result {
        Ok(path) => {
            app.editing = Some(Editing::Copy);
            return vec![Effect::Run(app.choices.editor_on(path))];
        }
        Err(Transfer::Failed(sentence) | Transfer::Exists(sentence)) => app.complain(sentence),
        // What only a fetch says.
        Err(_) => {}
    }
    Vec::new()
}

/// The editor has ended.
pub(super) fn edited(app: &mut App, result: Result<(), String>) -> Vec<Effect> {
    let edited = app.editing.take();
    match (result, edited) {
        (Err(sentence), _) => app.complain(sentence),
        (Ok(()), Some(Editing::File)) => return journey::reload(app, "").into_iter().chain([Effect::Redraw]).collect(),
        (Ok(()), _) => app.say("that was a copy: what you changed in it is not kept"),
    }
    vec![Effect::Redraw]
}

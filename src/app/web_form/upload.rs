//! Files that a form sends: none is read before the reader has said yes to its name and to who will get it.

use super::super::question::{self, confirm};
use super::super::{App, Effect, Pending, Prompt, PromptKind, Tab};
use super::sending::{self, Sender};
use super::{Secrets, page};
use crate::doc::sanitise;
use crate::format::html::{File, Value};
use tui_input::Input;

/// Names offered at once.
const OFFERED: usize = 8;

/// A form that waits for its files.
#[derive(Debug, Clone, PartialEq)]
pub struct Uploading {
    sender: Sender,
    /// The place in history it belongs to.
    at: usize,
    values: Vec<Value>,
    /// What has not been read: the field, and the place among the field's files; the next one last.
    unread: Vec<(usize, usize)>,
    /// The reader has agreed.
    agreed: bool,
}

impl Uploading {
    fn file(&mut self, (number, at): (usize, usize)) -> Option<&mut File> {
        match self.values.get_mut(number)? {
            Value::Files(files) => files.get_mut(at),
            _ => None,
        }
    }
}

/// Asks before files of a form are read. `None` when it sends none.
pub(super) fn before(app: &mut App, sender: Sender) -> Option<Vec<Effect>> {
    let (entry, page) = page(app)?;
    let document = page.given();
    let mut values = entry.values(document, Secrets::Sent);
    for (value, field) in values.iter_mut().zip(&document.fields) {
        if let Value::Files(files) = value
            && (field.form != Some(sender.form) || field.disabled || field.name.is_empty())
        {
            files.clear();
        }
    }
    let (mut names, mut unread) = (Vec::new(), Vec::new());
    for (number, value) in values.iter().enumerate() {
        let Value::Files(files) = value else { continue };
        names.extend(files.iter().map(|file| file.name.clone()));
        unread.extend((0..files.len()).map(|at| (number, at)));
    }
    unread.reverse();
    if names.is_empty() {
        return None;
    }
    let to = match sending::asked(app, sender, &values)? {
        Ok(asked) if asked.content.is_some() => asked.url,
        // Such forms send no more than the names.
        Ok(_) => return None,
        Err(error) => {
            app.complain(error.to_string());
            return Some(Vec::new());
        }
    };
    let host = to.host().unwrap_or_default();
    let clear = if to.is("http") { " in clear text" } else { "" };
    let plural = if names.len() == 1 { "this file" } else { "these files" };
    let mut text = vec![format!("Read {plural} and send the content to {host}{clear}?")];
    text.extend(names);
    let at = app.tab.at;
    app.tab.uploading = Some(Uploading { sender, at, values, unread, agreed: false });
    question::raise(app, confirm(text, "send", Pending::Upload));
    Some(Vec::new())
}

/// The reader's answer.
pub(in crate::app) fn agreed(app: &mut App, yes: bool) -> Vec<Effect> {
    match &mut app.tab.uploading {
        Some(uploading) if yes => {
            uploading.agreed = true;
            go_on(app)
        }
        _ => {
            app.tab.uploading = None;
            app.say("nothing was read, nothing was sent");
            Vec::new()
        }
    }
}

/// Reads the next file, or sends the form.
fn go_on(app: &mut App) -> Vec<Effect> {
    let Some(uploading) = &mut app.tab.uploading else { return Vec::new() };
    if let Some(next) = uploading.unread.last().copied() {
        let path = uploading.file(next).map(|file| file.name.clone());
        return path.map(Effect::Read).into_iter().collect();
    }
    let Some(uploading) = app.tab.uploading.take().filter(|uploading| uploading.at == app.tab.at) else {
        return Vec::new();
    };
    sending::send(app, uploading.sender, &uploading.values)
}

/// Whether a file that has been read is for a form.
pub(in crate::app) fn is_reading(tab: &Tab) -> bool {
    tab.uploading.as_ref().is_some_and(|uploading| uploading.agreed)
}

/// A file has been read, or could not be.
pub(in crate::app) fn read(app: &mut App, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    let Some(uploading) = &mut app.tab.uploading else { return Vec::new() };
    let octets = match content {
        Ok(octets) => octets,
        Err(sentence) => {
            app.tab.uploading = None;
            app.complain(format!("Nothing was sent. {sentence}"));
            return Vec::new();
        }
    };
    if let Some(file) = uploading.unread.pop().and_then(|next| uploading.file(next)) {
        file.octets = octets;
    }
    go_on(app)
}

/// The prompt for a file's name: the folder typed so far, with its slash, and the beginning of a name in it.
fn typed(app: &App) -> Option<(String, String)> {
    let prompt = app.prompt.as_ref().filter(|prompt| prompt.kind == PromptKind::Upload)?;
    let typed = prompt.input.value();
    let (folder, name) = typed.split_at(typed.rfind('/').map_or(0, |at| at + 1));
    Some((folder.into(), name.into()))
}

/// Looks into the folder for the names that may follow. `None` in other prompts, and when names are offered already.
pub(in crate::app) fn complete(app: &mut App) -> Option<Vec<Effect>> {
    let (folder, begun) = typed(app)?;
    let entered = |prompt: &Prompt| prompt.selected.is_some() && begun.is_empty();
    if app.prompt.as_ref().is_some_and(|prompt| !prompt.completions.is_empty() && !entered(prompt)) {
        return None;
    }
    let place = if folder.is_empty() { "./".into() } else { folder.clone() };
    app.listing = Some(folder);
    Some(vec![Effect::Read(place)])
}

/// The names in the folder have come: one that fits is taken, several are offered.
pub(in crate::app) fn listed(app: &mut App, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    let Some(folder) = app.listing.take() else { return Vec::new() };
    // the reader may have typed on, or closed the prompt
    let Some((_, begun)) = typed(app).filter(|(now, _)| *now == folder) else { return Vec::new() };
    let octets = match content {
        Ok(octets) => octets,
        Err(sentence) => {
            app.complain(sentence);
            return Vec::new();
        }
    };
    let names = String::from_utf8_lossy(&octets);
    let visible = |name: &&str| name.starts_with(&begun) && (!name.starts_with('.') || begun.starts_with('.'));
    // a name that cannot be shown as it is could not be typed either
    let mut paths: Vec<String> = names
        .lines()
        .filter(visible)
        .filter(|name| sanitise(name) == *name)
        .map(|name| format!("{folder}{name}"))
        .collect();
    paths.sort_unstable();
    let remark = match paths.len() {
        0 => "no name in this folder goes on like that".into(),
        more if more > OFFERED => format!("{} more; type on", more - OFFERED),
        _ => String::new(),
    };
    let Some(prompt) = &mut app.prompt else { return Vec::new() };
    if let [path] = paths.as_slice() {
        prompt.input = Input::new(path.clone());
        return Vec::new();
    }
    if let Some(common) = common(&paths).filter(|common| common.len() > folder.len() + begun.len()) {
        prompt.input = Input::new(common.into());
    }
    prompt.remark = remark;
    paths.truncate(OFFERED);
    (prompt.completions, prompt.selected) = (paths.into_iter().map(Into::into).collect(), None);
    Vec::new()
}

/// What all paths begin with.
fn common(paths: &[String]) -> Option<&str> {
    let first = paths.first()?;
    let alike =
        |path: &String| first.chars().zip(path.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let least: usize = paths.iter().map(alike).min()?;
    first.get(..least)
}

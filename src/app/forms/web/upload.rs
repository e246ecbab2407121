//! Files that a form sends: none is read before the reader has said yes to its name and to who will get it.

use super::{page, submission};
use crate::app::hands::question::confirm;
use crate::app::page::Sender;
use crate::app::page::fields::Secrets;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, Pending, Prompt, PromptKind, Sight, Uploading};
use crate::doc::sanitise;
use crate::format::html::Value;
use tui_input::Input;

/// Names offered at once.
const OFFERED: usize = 8;

/// Asks before files of a form are read. `None` when it sends none.
pub(super) fn before(cx: &mut Cx<'_>, sender: Sender) -> Option<Vec<Effect>> {
    let (entry, page) = page(cx.sight())?;
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
    let to = match submission::asked(cx.sight(), sender, &values)? {
        Ok(asked) if asked.content.is_some() => asked.url,
        // Such forms send no more than the names.
        Ok(_) => return None,
        Err(error) => {
            cx.complain(error.to_string());
            return Some(Vec::new());
        }
    };
    let host = to.host().unwrap_or_default();
    let clear = if to.is("http") { " in clear text" } else { "" };
    let plural = if names.len() == 1 { "this file" } else { "these files" };
    let mut text = vec![format!("Read {plural} and send the content to {host}{clear}?")];
    text.extend(names);
    let page = page.id;
    let uploading = Box::new(Uploading { sender, page, to, values, unread });
    cx.hands.queue(confirm(text, "send", Pending::Upload(uploading)));
    Some(Vec::new())
}

/// The reader's answer.
pub(in crate::app) fn agreed(cx: &mut Cx<'_>, uploading: Uploading, yes: bool) -> Vec<Effect> {
    if yes {
        return go_on(cx, uploading);
    }
    cx.say("nothing was read, nothing was sent");
    Vec::new()
}

/// Reads the next file, or sends the form: that of the page, and to the place, that the reader agreed to.
fn go_on(cx: &mut Cx<'_>, mut uploading: Uploading) -> Vec<Effect> {
    if let Some(next) = uploading.unread.last().copied() {
        let Some(path) = uploading.file(next).map(|file| file.name.clone()) else { return Vec::new() };
        return vec![Effect::Read { id: cx.job(Errand::Upload(Box::new(uploading))), path }];
    }
    let here = cx.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.id == uploading.page);
    let asked = submission::asked(cx.sight(), uploading.sender, &uploading.values);
    if !here || !matches!(asked, Some(Ok(asked)) if asked.url == uploading.to) {
        cx.complain("nothing was sent: the page has changed, or is not in view any more");
        return Vec::new();
    }
    submission::send(cx, uploading.sender, &uploading.values)
}

/// A file has been read, or could not be.
pub(in crate::app) fn read(cx: &mut Cx<'_>, mut uploading: Uploading, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    match content {
        Ok(octets) => {
            if let Some(file) = uploading.unread.pop().and_then(|next| uploading.file(next)) {
                file.octets = octets;
            }
            go_on(cx, uploading)
        }
        Err(sentence) => {
            cx.complain(format!("Nothing was sent. {sentence}"));
            Vec::new()
        }
    }
}

/// The prompt for a file's name: the folder typed so far, with its slash, and the beginning of a name in it.
fn typed(sight: Sight<'_>) -> Option<(String, String)> {
    let prompt = sight.hands.prompt().filter(|prompt| prompt.kind == PromptKind::Upload)?;
    let typed = prompt.input.value();
    let (folder, name) = typed.split_at(typed.rfind('/').map_or(0, |at| at + 1));
    Some((folder.into(), name.into()))
}

/// Looks into the folder for the names that may follow. `None` in other prompts, and when names are offered already.
pub(in crate::app) fn complete(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let (folder, begun) = typed(cx.sight())?;
    let entered = |prompt: &Prompt| prompt.selected.is_some() && begun.is_empty();
    if cx.hands.prompt().is_some_and(|prompt| !prompt.completions.is_empty() && !entered(prompt)) {
        return None;
    }
    let place = if folder.is_empty() { "./".into() } else { folder.clone() };
    Some(vec![Effect::Read { id: cx.job(Errand::Names(folder)), path: place }])
}

/// The names in the folder have come: one that fits is taken, several are offered.
pub(in crate::app) fn listed(cx: &mut Cx<'_>, folder: &str, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    // the reader may have typed on, or closed the prompt
    let Some((_, begun)) = typed(cx.sight()).filter(|(now, _)| now == folder) else { return Vec::new() };
    let octets = match content {
        Ok(octets) => octets,
        Err(sentence) => {
            cx.complain(sentence);
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
    let Some(prompt) = cx.hands.prompt_mut() else { return Vec::new() };
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

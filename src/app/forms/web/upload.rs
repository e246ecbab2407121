//! Files that a form sends: none is read before the reader has said yes to its name and to who will get it.

use super::{page, submission};
use crate::app::hands::question::confirm;
use crate::app::page::Sender;
use crate::app::page::fields::Secrets;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, Pending, Uploading};
use crate::format::html::Value;

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

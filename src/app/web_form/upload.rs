//! Files that a form sends: none is read before the reader has said yes to its name and to who will get it.

use super::super::question::{self, confirm};
use super::super::{App, Effect, Pending, Tab};
use super::sending::{self, Sender};
use super::{Secrets, page};
use crate::format::html::{File, Value};

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

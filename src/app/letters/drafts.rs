//! The drafts that are kept: how many there are, said at the start; the list of them, by where they go and what they are about.

use crate::app::state::Cx;
use crate::app::state::jobs::{Drafts, Errand};
use crate::app::{Effect, Letter, ListItem, ListKind};
use crate::doc::{index, sanitise};
use crate::news::Draft;

/// Drafts that are read for the list; others stand there by the names of their files.
const READ: usize = 200;
/// Letters of where one goes.
const WHERE: usize = 30;

/// At the start: one line where something is unfinished.
pub(in crate::app) fn mention(cx: &mut Cx<'_>) {
    let key = cx.key_for("drafts").unwrap_or_else(|| ":drafts".into());
    match cx.desk.choices.unfinished {
        0 => {}
        1 => cx.say(format!("a draft of yours is not sent yet: {key}")),
        many => cx.say(format!("{many} drafts of yours are not sent yet: {key}")),
    }
}

/// `drafts`: what is kept.
pub(in crate::app) fn ask(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let path = format!("{}/", cx.desk.choices.drafts);
    vec![Effect::Read { id: cx.job(Errand::Drafts(Drafts::default())), path }]
}

/// The names of all drafts have come, or the next of them.
pub(in crate::app) fn read(cx: &mut Cx<'_>, mut drafts: Drafts, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    match drafts.left.pop() {
        Some(name) => drafts.rows.push(row(name, content.ok().as_deref(), drafts.rows.len())),
        None => {
            // A folder that is not there holds no drafts.
            let names = content.unwrap_or_default();
            let names = String::from_utf8_lossy(&names);
            drafts.left =
                names.lines().rev().filter(|name| is_draft(name) && !has_served(cx, name)).map(Into::into).collect();
            if drafts.left.is_empty() {
                cx.say("no drafts");
                return Vec::new();
            }
        }
    }
    while drafts.rows.len() >= READ
        && let Some(name) = drafts.left.pop()
    {
        let row = row(name, None, drafts.rows.len());
        drafts.rows.push(row);
    }
    if let Some(name) = drafts.left.last() {
        let path = format!("{}/{name}", cx.desk.choices.drafts);
        return vec![Effect::Read { id: cx.job(Errand::Drafts(drafts)), path }];
    }
    cx.hands.list(ListKind::Drafts, "Drafts", drafts.rows, 0);
    Vec::new()
}

/// The file is being taken away just now: what it said is posted or thrown away, and is no draft on a slow disk either.
fn has_served(cx: &Cx<'_>, name: &str) -> bool {
    let served = format!("{}/{name}", cx.desk.choices.drafts);
    cx.jobs.find_any(|errand| matches!(errand, Errand::Removal(path) if *path == served)).is_some()
}

/// A name that stands for another on the screen is none of ours.
fn is_draft(name: &str) -> bool {
    name.ends_with(".txt") && sanitise(name) == name
}

/// A row of the list: to whom and about what. The name of the file, by which it is found again, stands beside it.
fn row(name: String, content: Option<&[u8]>, at: usize) -> ListItem {
    let said = content.map(|octets| {
        let draft = Draft::read(&String::from_utf8_lossy(octets));
        let to = match draft.groups().join(", ") {
            groups if groups.is_empty() => draft.get("To").to_owned(),
            groups => groups,
        };
        let to = if to.is_empty() { "nowhere yet".into() } else { to };
        let short: String = to.chars().take(WHERE).collect();
        let more = if short.len() < to.len() { "…" } else { "" };
        let what = match draft.get("Subject") {
            "" => "(no subject)",
            subject => subject,
        };
        sanitise(&format!("{short}{more}: {what}")).into_owned()
    });
    ListItem { text: said.unwrap_or_else(|| name.clone()), detail: name, key: index(at) }
}

/// A draft of the list, by the name of its file.
pub(in crate::app) fn take_up(cx: &mut Cx<'_>, name: &str) -> Vec<Effect> {
    let path = format!("{}/{name}", cx.desk.choices.drafts);
    super::edit(cx, Letter { path, ..Letter::default() })
}

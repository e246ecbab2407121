//! `about:marks`: the reader's marks, by their letters. A row goes to its mark, in the tab in view.

use super::{Made, asked, open_one};
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{Effect, Kept, KeptMark, Sight};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::role::Role;
use crate::url::{Url, redact};

/// `marks`.
pub(in crate::app) fn open(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    super::go(cx, "about:marks")
}

/// Makes the page in view anew when it shows something else.
pub(super) fn tend(cx: &mut Cx<'_>) {
    let made = written(cx.sight(), &super::words(cx.sight()));
    super::show_other(cx, made);
}

fn written(sight: Sight<'_>, words: &str) -> Made {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let mut out = Builder::new();
    let title = "Your marks";
    out.document_mut().title = Some(title.into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text(title);
    let rows = sight.library.marks.iter().map(|(letter, mark)| {
        (letter, sanitise(&called(mark)).into_owned(), sanitise(&redact(&mark.url)).into_owned())
    });
    let rows: Vec<_> = rows
        .filter(|(letter, title, url)| {
            let text = format!("{letter} {title} {url}").to_lowercase();
            wanted.iter().all(|word| text.contains(word))
        })
        .collect();
    let said = match introduction(sight) {
        said if rows.is_empty() && !sight.library.marks.is_empty() => super::none_with(words, &said),
        said => said,
    };
    out.block(BlockKind::Line, Role::Dim);
    out.text(&said);
    let mut source = format!("{said}\n");
    for (letter, title, url) in rows {
        out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
        out.link(&format!("{letter}  {title}"), Role::Link, &format!("about:marks?go={letter}"));
        if !title.starts_with(&url) {
            out.marked(BlockKind::Entry, Role::Dim, Marker::None, 4);
            out.text(&url);
        }
        source.push_str(&format!("{letter}\t{url}\t{title}\n"));
    }
    Made { document: out.finish(), source }
}

/// What a mark is called in a list: its page, and the words at its place.
pub(in crate::app) fn called(mark: &KeptMark) -> String {
    let title = if mark.title.is_empty() { redact(&mark.url) } else { mark.title.clone() };
    if mark.words.is_empty() || mark.words == title { title } else { format!("{title} · {}", mark.words) }
}

fn introduction(sight: Sight<'_>) -> String {
    let key = |command: &str, what: &str| Some(format!("{} {what}", sight.key_on_own(command)?));
    let keys = match sight.library.marks.is_empty() {
        true => [key("set-mark", "and a letter marks a place"), key("go-mark", "and the letter goes back to it")],
        false => [key("remove", "deletes one"), key("go-mark", "and its letter goes to it")],
    };
    let keys = keys.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    if sight.library.marks.is_empty() { format!("There are none. {keys}") } else { keys }
}

/// A row goes to its mark.
pub(super) fn act(cx: &mut Cx<'_>, url: &Url) -> Option<Vec<Effect>> {
    open_one(cx.sight()).filter(|which| *which == super::Which::Marks)?;
    cx.intend(Intent::GoMark(of(url)?));
    Some(Vec::new())
}

/// The letter of a row.
fn of(url: &Url) -> Option<char> {
    let own = super::of(url) == Some(super::Which::Marks);
    asked(url, "go").filter(|_| own)?.chars().next()
}

/// The mark under focus is deleted.
pub(super) fn remove(cx: &mut Cx<'_>) -> Vec<Effect> {
    let reference = super::window::focus(cx.sight()).and_then(|link| super::reference(cx.sight(), link));
    let letter = reference.and_then(|reference| of(&Url::parse(reference).ok()?));
    match letter.and_then(|letter| Some((letter, cx.library.marks.remove(&letter)?))) {
        Some((letter, mark)) => {
            cx.library.mark_undo.push((letter, mark));
            let undo = cx.key_on_own("undo").map(|key| format!(" ({key} takes that back)")).unwrap_or_default();
            cx.say(format!("mark {letter} is deleted{undo}"));
            vec![Effect::Keep(Kept::Mark { letter, mark: None })]
        }
        None => {
            cx.say("no mark under focus");
            Vec::new()
        }
    }
}

/// The last mark that was deleted and is not back is there again.
pub(super) fn undo(cx: &mut Cx<'_>) -> Vec<Effect> {
    match cx.library.mark_undo.pop() {
        Some((letter, mark)) => {
            cx.library.marks.insert(letter, mark.clone());
            cx.say(format!("mark {letter} is back"));
            vec![Effect::Keep(Kept::Mark { letter, mark: Some(mark) })]
        }
        None => {
            cx.say("nothing to take back");
            Vec::new()
        }
    }
}

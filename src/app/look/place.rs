//! `where`: what the page is called, its address, how far down it the reader is, and which of the list it is that led there; for who
//! does not see the bar, and where that has no room for all of it.

use super::status::{self, RowCount};
use crate::app::state::Cx;
use crate::app::{Effect, Label, Sight};
use crate::doc::{ScrollPosition, sanitise};
use crate::format::count;

/// `where`.
pub(in crate::app) fn told(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let words = words(cx.sight());
    cx.say(if words.is_empty() { "nothing is open here".into() } else { words.join(", ") });
    Vec::new()
}

fn words(sight: Sight<'_>) -> Vec<String> {
    let mut words = Vec::new();
    let Some(entry) = sight.entry() else { return words };
    if let Label::Title(title) = entry.label() {
        words.push(sanitise(&title).into_owned());
    }
    words.push(sanitise(&sight.told(&entry.url)).into_owned());
    let Some(page) = entry.page.as_deref() else { return words };
    words.extend(sight.position().map(|position| match position {
        ScrollPosition::All => "all of it in view".into(),
        ScrollPosition::Top => "at the top".into(),
        ScrollPosition::Bottom => "at the end".into(),
        ScrollPosition::Percent(share) => format!("{share}% down"),
    }));
    words.extend(status::item(sight).map(|item| format!("{item} of the list before")));
    words.extend(status::rows(page).map(|rows| match rows {
        RowCount::All(rows) | RowCount::Some(rows) => rows,
    }));
    let links = page.document().link_count();
    words.extend(entry.focus.map(|link| format!("link {} of {}", count(link.0 as usize + 1), count(links as usize))));
    words
}

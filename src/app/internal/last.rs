//! `about:last`: the tabs of the last times that did not come back by themselves, the last time first. A row leads to the page
//! of its tab; the first row of each time brings all of its tabs back, with their histories and places.

use super::history::today;
use super::{Made, asked, open_one};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{Effect, KeptPlace, KeptTab, LastTabs, Sight};
use crate::date;
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::role::Role;
use crate::url::Url;

/// Tabs that the row of the start page names.
const NAMED: usize = 3;

/// `last-tabs`.
pub(in crate::app) fn open(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    super::go(cx, "about:last")
}

/// Makes the page in view anew when it shows something else.
pub(super) fn tend(cx: &mut Cx<'_>) {
    let made = written(cx.sight(), &super::words(cx.sight()));
    super::show_other(cx, made);
}

fn written(sight: Sight<'_>, words: &str) -> Made {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let mut out = Builder::new();
    let title = "The tabs of the last times";
    out.document_mut().title = Some(title.into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text(title);
    let found = |last: &LastTabs| -> Vec<(String, String)> {
        let has = |(title, url): &(String, String)| {
            let text = format!("{title} {url}").to_lowercase();
            wanted.iter().all(|word| text.contains(word))
        };
        rows(last).filter(has).collect()
    };
    let times = sight.library.last.iter().enumerate().map(|(number, last)| (number, last, found(last)));
    let times: Vec<_> = times.filter(|(.., rows)| !rows.is_empty()).collect();
    let said = match introduction(sight) {
        said if times.is_empty() && !sight.library.last.is_empty() => super::none_with(words, &said),
        said => said,
    };
    out.block(BlockKind::Line, Role::Dim);
    out.text(&said);
    let mut source = format!("{said}\n");
    for (number, last, rows) in times {
        let heading = when(sight, number, last);
        out.block(BlockKind::Line, Role::Text);
        out.block(BlockKind::Heading(2), Role::Heading);
        out.text(&heading);
        out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
        out.link(&all(last), Role::Link, &format!("about:last?bring={}", number + 1));
        source.push_str(&format!("{heading}\n"));
        for (title, url) in rows {
            out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
            out.link(&title, Role::Link, &url);
            if title != url {
                out.marked(BlockKind::Entry, Role::Dim, Marker::None, 2);
                out.text(&url);
            }
            source.push_str(&format!("{url}\t{title}\n"));
        }
    }
    Made { document: out.finish(), source }
}

fn introduction(sight: Sight<'_>) -> String {
    if sight.library.last.is_empty() {
        return "There are none: the tabs of the last time are here already, or none were kept.".into();
    }
    let key = |command: &str, what: &str| Some(format!("{} {what}", sight.key_on_own(command)?));
    let keys = [key("restore", "brings those of the last time back"), key("follow-tab", "opens one in a new tab")];
    keys.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What brings all of them back says so.
fn all(last: &LastTabs) -> String {
    match last.session.tabs.len() {
        1 => "Bring it back, with its history".into(),
        2 => "Bring both back, with their histories".into(),
        tabs => format!("Bring all {tabs} back, with their histories"),
    }
}

/// When they were there.
fn when(sight: Sight<'_>, number: usize, last: &LastTabs) -> String {
    let time = last.ended.zip(sight.desk.now.as_ref()).map(|(ended, now)| {
        let then = ended.to_zoned(now.time_zone().clone());
        format!(": {}, {}", date::day(then.date(), today(sight)), then.strftime("%H:%M"))
    });
    format!("{}{}", if number == 0 { "The last time" } else { "Before that" }, time.unwrap_or_default())
}

/// Title and address of each tab, as they may be shown.
fn rows(last: &LastTabs) -> impl Iterator<Item = (String, String)> {
    last.session.tabs.iter().filter_map(shown).map(|place| {
        let url = address::shareable(&place.url);
        let title =
            place.title.as_deref().map(|title| sanitise(title).split_whitespace().collect::<Vec<_>>().join(" "));
        (title.filter(|title| !title.is_empty()).unwrap_or_else(|| url.clone()), url)
    })
}

/// The place that a tab showed.
fn shown(tab: &KeptTab) -> Option<&KeptPlace> {
    tab.places.get(tab.at).or(tab.places.last())
}

/// The row of the start page; nothing when there are no such tabs.
pub(super) fn row(sight: Sight<'_>) -> String {
    let Some(last) = sight.library.last.first() else { return String::new() };
    let named: Vec<String> = rows(last).map(|(title, _)| title).collect();
    let more = named.len().saturating_sub(NAMED);
    let mut text = named.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(", {more} more"));
    }
    let key = sight.desk.key_for("restore").map(|key| format!(" ({key} brings them back)")).unwrap_or_default();
    format!("## The tabs of the last time{key}\n\n=> about:last {text}\n\n")
}

/// Brings back what a URL stands for, when it is that of a row of the page in view.
pub(super) fn act(cx: &mut Cx<'_>, url: &Url) -> Option<Vec<Effect>> {
    open_one(cx.sight()).filter(|which| *which == super::Which::Last)?;
    super::of(url).filter(|which| *which == super::Which::Last)?;
    let number: usize = asked(url, "bring")?.parse().ok()?;
    cx.intend(Intent::BringBack(number.checked_sub(1)?));
    Some(Vec::new())
}

/// `remove` on this page.
pub(super) fn remove(cx: &mut Cx<'_>) -> Vec<Effect> {
    cx.say("older times make room by themselves; :forget forgets pages, here too");
    Vec::new()
}

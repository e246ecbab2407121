//! The pages that a page says it is related to: the next one, the one before it; what the anatomy says of them all.

use crate::app::motion::scroll;
use crate::app::motion::window::{self, document};
use crate::app::navigation::siblings;
use crate::app::state::Cx;
use crate::app::{Effect, Entry, Label, Opening, Page, PageState, Sight, Way, news};
use crate::doc::{LinkId, Source};
use crate::format::{count, media};
use crate::url::{Resolved, Url, redact};

/// Words of links that lead on, where a page does not say which link does.
const NEXT: &[&str] = &["next", "next page", "older", "older posts"];
/// Words of links that lead back.
const PREVIOUS: &[&str] = &["previous", "prev", "previous page", "newer", "newer posts"];
/// Links at the beginning of a page, and at its end, among which one that leads on is looked for.
const LOOKED_AT: u32 = 1_000;
/// Octets of the words of such a link.
const LONGEST: usize = 256;

/// What opens the page after this one, or the one before it: as this one says, by a relation, by a link with those words, or by one
/// with the number after its own; else as the list has it from which the reader came.
pub(in crate::app) fn beside(sight: Sight<'_>, next: bool) -> Option<Opening> {
    let (label, words) = if next { ("Next", NEXT) } else { ("Previous", PREVIOUS) };
    let said = named(sight, label).or_else(|| by_words(sight, words)).or_else(|| by_number(sight, next));
    said.map(Opening::followed).or_else(|| siblings::beside(sight, next))
}

/// `next-page`: the page that this one names as the next one.
pub(in crate::app) fn next(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    go(cx, true)
}

/// `previous-page`: the one that it names as the one before.
pub(in crate::app) fn previous(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    go(cx, false)
}

fn go(cx: &mut Cx<'_>, next: bool) -> Vec<Effect> {
    match beside(cx.sight(), next) {
        Some(opening) => {
            if opening.way == Way::New && opening.listed.is_some() {
                let back = cx.key_for("back").map(|key| format!("; {key} goes back to it")).unwrap_or_default();
                cx.say(format!("what you filled in is kept on the page before{back}"));
            }
            cx.open(opening);
        }
        None => {
            let (word, end) = if next { ("next", "last") } else { ("previous", "first") };
            match cx.entry().and_then(|entry| entry.among) {
                Some(among) => cx.say(format!("this is the {end} of {}", count(among.of as usize))),
                None => cx.say(format!("neither this page nor one that led here says which page is the {word} one")),
            }
        }
    }
    Vec::new()
}

/// `go-on`: one screen down; from the end of the page to what comes after it: the page that this one names, the next item of the list
/// that led here. The first time it says so, or a key that is held down would run through pages. News is read by this key alone:
/// an article leads on to the next unread one at once, a group's page into the group, and from the last to the next group.
pub(in crate::app) fn go_on(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if let Some(effects) = news::lead_on(cx) {
        return effects;
    }
    if !is_at_end(cx.sight()) {
        return scroll::page_down(cx, words);
    }
    let read = |page: &Page| page.is_article() || page.head.media == media::THREAD;
    // Of an article that did not come there is nothing to read.
    if cx.entry().and_then(|entry| entry.page.as_deref()).is_some_and(read) || news::is_missing(cx.sight()) {
        return news::go_on(cx);
    }
    let group = news::is_group(cx.sight());
    // The end of another list is no place from which to go to another one unasked.
    let list = cx.entry().is_some_and(Entry::is_list);
    let on = if list { None } else { beside(cx.sight(), true) };
    if !group && on.is_none() {
        return scroll::page_down(cx, words);
    }
    if !std::mem::replace(&mut cx.tab.at_end, true) {
        let key = cx.key_for("go-on").unwrap_or_default();
        cx.say(format!("the end; {key} again goes on to the next{}", if group { " group" } else { "" }));
        return Vec::new();
    }
    match on {
        Some(opening) => {
            cx.open(opening);
            Vec::new()
        }
        None => news::go_on(cx),
    }
}

/// Whether the page in view is here, and the reader at its end.
pub(in crate::app) fn is_at_end(sight: Sight<'_>) -> bool {
    let arriving =
        sight.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|p| p.state == PageState::Arriving);
    let at_end = sight.entry().is_some_and(|entry| entry.top >= window::bottom(sight));
    at_end && !arriving && sight.tab.loading.is_none()
}

/// The first page of a relation that has an address.
fn named(sight: Sight<'_>, label: &str) -> Option<Url> {
    let entry = sight.entry()?;
    let related = entry.page.as_deref()?.given().related.iter().filter(|related| related.label == label);
    related.filter_map(|related| entry.bases.resolve(&related.reference).ok()).find_map(|at| match at {
        Resolved::Url(url) => Some(url),
        Resolved::SameDocument { .. } => None,
    })
}

/// Where the only link leads that says nothing but one of these words, arrows aside.
fn by_words(sight: Sight<'_>, words: &[&str]) -> Option<Url> {
    only_link(sight, |text| words.contains(&text.to_lowercase().trim_matches(|c: char| !c.is_alphanumeric())))
}

/// Where the only link leads that begins as the title of this page does, with the number after that one's: from "Chapter 3" on to
/// "Chapter 4: Oil".
fn by_number(sight: Sight<'_>, next: bool) -> Option<Url> {
    let Label::Title(title) = sight.entry()?.label() else { return None };
    let (word, number) = numbered(&title)?;
    let wanted = if next { number.checked_add(1)? } else { number.checked_sub(1)? };
    only_link(sight, |text| numbered(text).is_some_and(|(begins, number)| number == wanted && begins == word))
}

/// A word and the number behind it, with which a title begins.
fn numbered(title: &str) -> Option<(&str, u32)> {
    let (word, rest) = title.trim_start().split_once(' ')?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let ends = rest[end..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    let number = rest[..end].parse().ok().filter(|_| ends && word.chars().all(char::is_alphabetic))?;
    Some((word, number))
}

/// Where the links lead whose words are such, if that is one place. Of a page with more links than a reader goes through, those at
/// its beginning and its end are looked at: what leads on stands there, and a key waits for this.
fn only_link(sight: Sight<'_>, says: impl Fn(&str) -> bool) -> Option<Url> {
    let (entry, document) = (sight.entry()?, document(sight)?);
    let all = document.link_count();
    let end = all.saturating_sub(LOOKED_AT).max(LOOKED_AT.min(all));
    let short = |link: &LinkId| document.link_range(*link).len() <= LONGEST;
    let looked_at = (0..LOOKED_AT.min(all)).chain(end..all).map(LinkId);
    let links = looked_at.filter(short).filter(|link| says(document.link_text(*link)));
    let mut urls: Vec<Url> = links.filter_map(|link| document.link_url(link, &entry.bases)).collect();
    urls.dedup();
    if urls.len() == 1 { urls.pop() } else { None }
}

/// Each related page: what it is, where it is and who says so. Said twice, it is one row.
pub(in crate::app) fn rows(entry: &Entry) -> Vec<String> {
    let related = entry.page.as_deref().map_or(&[][..], |page| page.given().related.as_slice());
    let mut rows: Vec<(String, String, Vec<&str>)> = Vec::new();
    for related in related {
        let place = match entry.bases.resolve(&related.reference) {
            Ok(Resolved::Url(url)) => url.redacted(),
            _ => redact(&related.reference),
        };
        let title = if related.title.is_empty() { String::new() } else { format!(" \"{}\"", related.title) };
        let said = match related.source {
            Source::Header => "the server's head",
            Source::Link => "the page's head",
            Source::Anchor => "a link in its text",
        };
        let row = format!("{} {place}", related.label);
        match rows.iter_mut().find(|(known, ..)| *known == row) {
            Some((_, _, sources)) if sources.contains(&said) => {}
            Some((_, _, sources)) => sources.push(said),
            None => rows.push((row, title, vec![said])),
        }
    }
    let said =
        |(row, title, sources): (String, String, Vec<&str>)| format!("{row}{title} (says {})", sources.join(" and "));
    rows.into_iter().map(said).collect()
}

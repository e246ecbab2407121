//! How the browser stands, as plain functions: which URL the status bar shows, how far a transfer has come.

pub use crate::app::transfer::said::{download, in_list, span};

use crate::app::transfer::said::percent;
use crate::app::{Among, navigation};
use crate::app::{Download, DownloadState, Page, PageState, Sight};
use crate::format::{ago, ago_briefly, count, human, media};
use crate::url::Url;
use crate::url::scheme::{Part, PartKind};
use std::time::Duration;

/// The URL that the status bar shows: the one that is being opened, else the page's. Holds no secret of a form.
pub fn url(sight: Sight<'_>) -> Option<&Url> {
    match &sight.tab.loading {
        Some(loading) => Some(loading.opening.public()),
        None => sight.entry().map(|entry| &entry.url),
    }
}

/// Where the article in view stands, as far as its URL does not say: "wf.test 17", with the server where there are several.
pub fn article(sight: Sight<'_>) -> Option<String> {
    crate::app::news::place(sight).filter(|_| sight.tab.loading.is_none())
}

/// Where a page that is no list itself stands in the list that led there: "3 of 41".
pub fn item(sight: Sight<'_>) -> Option<String> {
    let entry = sight.entry().filter(|entry| !entry.is_list())?;
    let Among { at, of, .. } = entry.among?;
    Some(format!("{} of {}", count(at as usize), count(of as usize)))
}

/// Its labelled parts. A `cid:` says nothing of the message that it is in: where that lies stands before it, as it does of what is in an
/// archive.
pub fn parts(sight: Sight<'_>) -> Vec<Part> {
    let Some(url) = url(sight) else { return Vec::new() };
    let page = sight.entry().filter(|entry| url.is("cid") && *url == entry.url).and_then(|entry| entry.page.as_deref());
    match page.and_then(|page| page.head.within.as_deref()).filter(|within| !within.url.is("cid")) {
        Some(within) => {
            let part = sight.parts(url).into_iter().filter(|part| part.kind == PartKind::Name);
            let message = sight.veil().url(&within.url);
            sight.parts(message.as_ref().unwrap_or(&within.url)).into_iter().chain(part).collect()
        }
        None => sight.parts(url),
    }
}

/// Octets per second; `None` while nothing can be said.
pub fn rate(received: u64, elapsed: Duration) -> Option<u64> {
    let milliseconds = u64::try_from(elapsed.as_millis()).ok().filter(|ms| *ms > 0)?;
    (received > 0).then(|| received.saturating_mul(1000) / milliseconds)
}

/// How long the rest will take at the rate so far; `None` when length or rate is unknown.
pub fn remaining(received: u64, length: Option<u64>, elapsed: Duration) -> Option<Duration> {
    let rate = rate(received, elapsed).filter(|rate| *rate > 0)?;
    Some(Duration::from_secs(length?.saturating_sub(received).div_ceil(rate)))
}

/// What there is to say of a page's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowCount {
    /// All are shown: "42 entries, 18.3 MB"; or will be: "42 entries, sorting".
    All(String),
    /// A filter leaves some out: "12 of 10,000 shown".
    Some(String),
}

/// The rows of a page; `None` where rows mean nothing.
pub fn rows(page: &Page) -> Option<RowCount> {
    let arrangement = &page.arrangement;
    if !arrangement.wishes.filter.trim().is_empty() {
        let (passed, rows) = arrangement.counts;
        return Some(RowCount::Some(format!("{} of {} shown", count(passed), count(rows))));
    }
    if let Some(what) = news_rows(page).filter(|_| arrangement.shown.is_some()) {
        let (passed, rows) = arrangement.counts;
        return Some(match passed < rows {
            true => RowCount::Some(format!("{} of {} {what}s", count(passed), count(rows))),
            false => RowCount::All(format!("{} {what}{}", count(rows), if rows == 1 { "" } else { "s" })),
        });
    }
    let (entries, octets) = page.rows.as_ref()?.totals()?;
    let plural = if entries == 1 { "entry" } else { "entries" };
    // Until then the end of the page is not the end of what came.
    let sorts = page.state != PageState::Arriving && !page.is_arranged();
    let more = if sorts { "sorting".into() } else { human(octets) };
    Some(RowCount::All(format!("{} {plural}, {more}", count(entries))))
}

/// The rows that are marked and what they come to: "5 marked, 3.1 MB"; `None` where none is.
pub fn marked(sight: Sight<'_>) -> Option<String> {
    let marked = &sight.entry()?.marked;
    if marked.is_empty() {
        return None;
    }
    let ((octets, unknown), all) = (marked.sum(), marked.len());
    Some(match unknown {
        0 => format!("{} marked, {}", count(all), human(octets)),
        unknown if unknown == all => format!("{} marked", count(all)),
        unknown => format!("{} marked, {}, {} of unknown size", count(all), human(octets), count(unknown)),
    })
}

/// That a page is a copy: "kept 3 days ago", or is of what is kept so far, and the same briefly; `None` where it came from where it
/// is.
pub fn kept(sight: Sight<'_>, page: &Page) -> Option<(String, String)> {
    let more = match (page.head.kept, page.head.ahead) {
        (Some(_), _) => "",
        (None, _) if page.state == PageState::Arriving => ", being asked for",
        (None, _) => ", not brought up to date",
    };
    let seconds = navigation::kept::seconds_since(sight, page.head.kept.or(page.head.ahead)?);
    Some((format!("kept {}{more}", ago(seconds)), format!("kept {}", ago_briefly(seconds))))
}

/// How much of a group the reader has not read: "17 unread"; `None` where nothing is known of that.
pub fn unread(page: &Page) -> Option<String> {
    page.arrangement.unread.map(|unread| format!("{} unread", count(unread)))
}

/// What a row of a page of news is.
fn news_rows(page: &Page) -> Option<&'static str> {
    match page.head.media.as_str() {
        media::NEWSGROUP => Some("article"),
        media::NEWSGROUPS => Some("group"),
        _ => None,
    }
}

/// What is being saved, in a word or two: "saving 34%", "saving 1.2 MB", "saving 3 files, 34%", "saving 1 of 3 files, 34%".
pub fn saving(sight: Sight<'_>) -> Option<String> {
    let open: Vec<&Download> = sight.transfers.downloads.iter().filter(|download| download.state.is_open()).collect();
    let running: Vec<&&Download> = open.iter().filter(|download| download.state == DownloadState::Running).collect();
    let received: u64 = running.iter().fold(0, |sum, download| sum.saturating_add(download.received));
    let length = running.iter().try_fold(0_u64, |sum, download| Some(sum.saturating_add(download.length?)));
    let share = length.filter(|length| *length > 0).map(|length| format!("{}%", percent(received, length)));
    Some(match (open.len(), running.len()) {
        (0, _) => return None,
        (all, 0) => format!("{all} to save"),
        (1, _) => format!("saving {}", share.unwrap_or_else(|| human(received))),
        (all, now) => {
            let of = if now < all { format!("{now} of {all}") } else { all.to_string() };
            format!("saving {of} files{}", share.map(|share| format!(", {share}")).unwrap_or_default())
        }
    })
}

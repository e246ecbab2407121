//! How the browser stands, as plain functions: which URL the status bar shows, how far a transfer has come.

use super::{App, Download, DownloadState, Page, PageState};
use crate::format::{count, human, media};
use crate::url::Url;
use crate::url::scheme::{self, Part};
use std::time::Duration;

/// The URL that the status bar shows: the one that is being opened, else the page's. Holds no secret of a form.
pub fn url(app: &App) -> Option<&Url> {
    match &app.tab.loading {
        Some(loading) => app.tab.opening.as_ref().map(|opening| opening.public()).or(Some(&loading.request.url)),
        None => app.entry().map(|entry| &entry.url),
    }
}

/// Where the article in view stands, as far as its URL does not say: "wf.test 17", with the server where there are several.
pub fn article(app: &App) -> Option<String> {
    super::news::place(app).filter(|_| app.tab.loading.is_none())
}

/// Its labelled parts.
pub fn parts(app: &App) -> Vec<Part> {
    url(app).map(scheme::parts).unwrap_or_default()
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
pub enum Rows {
    /// All are shown: "42 entries, 18.3 MB"; or will be: "42 entries, sorting".
    All(String),
    /// A filter leaves some out: "12 of 10,000 shown".
    Some(String),
}

/// The rows of a page; `None` where rows mean nothing.
pub fn rows(page: &Page) -> Option<Rows> {
    let arrangement = &page.arrangement;
    if !arrangement.wishes.filter.trim().is_empty() {
        let (passed, rows) = arrangement.counts;
        return Some(Rows::Some(format!("{} of {} shown", count(passed), count(rows))));
    }
    if let Some(what) = news_rows(page).filter(|_| arrangement.shown.is_some()) {
        let (passed, rows) = arrangement.counts;
        return Some(match passed < rows {
            true => Rows::Some(format!("{} of {} {what}s", count(passed), count(rows))),
            false => Rows::All(format!("{} {what}{}", count(rows), if rows == 1 { "" } else { "s" })),
        });
    }
    let (entries, octets) = page.parser.as_ref()?.totals()?;
    let plural = if entries == 1 { "entry" } else { "entries" };
    // Until then the end of the page is not the end of what came.
    let sorts = page.state != PageState::Arriving && !page.is_arranged();
    let more = if sorts { "sorting".into() } else { human(octets) };
    Some(Rows::All(format!("{} {plural}, {more}", count(entries))))
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

/// How a download stands, in words.
pub fn download(download: &Download) -> String {
    let words = file(download);
    let Some(tree) = &download.tree else { return words };
    let mut files = format!("{} of {} files", count(tree.present()), count(tree.files()));
    if tree.there > 0 {
        files.push_str(&format!(" ({} were there already)", count(tree.there)));
    }
    if tree.failures() > 0 {
        files.push_str(&format!(", {} failed", count(tree.failures())));
    }
    format!("{files}, {words}")
}

fn file(download: &Download) -> String {
    match &download.state {
        DownloadState::Queued => "waiting for its turn".into(),
        DownloadState::Asking => "waiting for your answer".into(),
        DownloadState::Running => coming(download.received, download.length, download.pace.rate()),
        DownloadState::Done => format!("done, {}", human(download.received)),
        DownloadState::Cut(sentence) => format!("broke off: {sentence}"),
        DownloadState::Cancelled => "stopped".into(),
        DownloadState::Failed(sentence) => format!("failed: {sentence}"),
    }
}

/// The same in the list of downloads, where one that waits has a place.
pub fn in_list(app: &App, download: &Download) -> String {
    let waits = |d: &&Download| d.state == DownloadState::Queued;
    match app.downloads.iter().filter(waits).position(|d| d.id == download.id) {
        Some(place) => format!("waiting, number {} in line", place + 1),
        None => format!("{}{}", bar(download), self::download(download)),
    }
}

/// How much of a download is there, drawn: "[####------] ".
fn bar(download: &Download) -> String {
    const CELLS: usize = 10;
    let Some(length) = download.length.filter(|_| download.state != DownloadState::Done) else { return String::new() };
    let full = usize::try_from(percent(download.received, length)).unwrap_or_default() * CELLS / 100;
    format!("[{}{}] ", "#".repeat(full.min(CELLS)), "-".repeat(CELLS.saturating_sub(full)))
}

/// "3.1 MB of 9.8 MB, 31%, 1.2 MB/s, 6 s left".
fn coming(received: u64, length: Option<u64>, rate: Option<u64>) -> String {
    let mut text = human(received);
    if let Some(length) = length {
        text.push_str(&format!(" of {}, {}%", human(length), percent(received, length)));
    }
    if let Some(rate) = rate {
        text.push_str(&format!(", {}/s", human(rate)));
    }
    if let Some(left) = left(received, length, rate) {
        text.push_str(&format!(", {} left", span(left)));
    }
    text
}

/// How long the rest takes at a rate; `None` when length or rate is unknown.
fn left(received: u64, length: Option<u64>, rate: Option<u64>) -> Option<Duration> {
    let rate = rate.filter(|rate| *rate > 0)?;
    Some(Duration::from_secs(length?.saturating_sub(received).div_ceil(rate)))
}

/// Whole hundredths, never 100 before all is there.
fn percent(received: u64, length: u64) -> u128 {
    u128::from(received.min(length)) * 100 / u128::from(length.max(1))
}

/// What is being saved, in a word or two: "saving 34%", "saving 1.2 MB", "saving 3 files, 34%", "saving 1 of 3 files, 34%".
pub fn saving(app: &App) -> Option<String> {
    let open: Vec<&Download> = app.downloads.iter().filter(|download| download.state.is_open()).collect();
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

/// A span of time: "80 ms", "2.4 s", "3 min 20 s", "2 h 5 min".
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 => format!("{} ms", time.as_millis()),
        1..60 if time.subsec_millis() >= 100 => format!("{seconds}.{} s", time.subsec_millis() / 100),
        1..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

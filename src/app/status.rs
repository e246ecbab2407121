//! How the browser stands, as plain functions: which URL the status bar shows, how far a transfer has come.

use super::{App, Download, DownloadState, Page};
use crate::format::{count, human};
use crate::url::Url;
use crate::url::scheme::{self, Part};
use std::time::Duration;

/// The URL that the status bar shows: the one that is being opened, else the page's. Holds no secret of a form.
pub fn url(app: &App) -> Option<&Url> {
    match &app.loading {
        Some(loading) => app.opening.as_ref().map(|opening| opening.public()).or(Some(&loading.request.url)),
        None => app.entry().map(|entry| &entry.url),
    }
}

/// Its labelled parts.
pub fn parts(app: &App) -> Vec<Part> {
    url(app).map(scheme::parts).unwrap_or_default()
}

/// "34.0 kB of 120.0 kB, 1.2 MB/s".
pub fn progress(received: u64, length: Option<u64>, elapsed: Duration) -> String {
    let mut text = human(received);
    if let Some(length) = length {
        text.push_str(&format!(" of {}", human(length)));
    }
    if let Some(rate) = rate(received, elapsed) {
        text.push_str(&format!(", {}/s", human(rate)));
    }
    text
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
    /// All are shown: "42 entries, 18.3 MB".
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
    let (entries, octets) = page.parser.as_ref()?.totals()?;
    let plural = if entries == 1 { "entry" } else { "entries" };
    Some(Rows::All(format!("{} {plural}, {}", count(entries), human(octets))))
}

/// How a download stands, in words.
pub fn download(download: &Download) -> String {
    match &download.state {
        DownloadState::Running => {
            let left = remaining(download.received, download.length, download.elapsed);
            let left = left.map(|left| format!(", {} left", span(left))).unwrap_or_default();
            format!("{}{left}", progress(download.received, download.length, download.elapsed))
        }
        DownloadState::Done => format!("done, {}", human(download.received)),
        DownloadState::Cut(remark) => format!("perhaps not whole: {remark}"),
        DownloadState::Cancelled => "stopped".into(),
        DownloadState::Failed(sentence) => format!("failed: {sentence}"),
    }
}

/// What is being saved, in a word or two: "saving 34%", "saving 1.2 MB", "saving 3 files".
pub fn saving(app: &App) -> Option<String> {
    let mut running = app.downloads.iter().filter(|download| download.state == DownloadState::Running);
    let first = running.next()?;
    let more = running.count();
    Some(match first.length.filter(|length| *length > 0 && more == 0) {
        _ if more > 0 => format!("saving {} files", more + 1),
        Some(length) => format!("saving {}%", u128::from(first.received) * 100 / u128::from(length)),
        None => format!("saving {}", human(first.received)),
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

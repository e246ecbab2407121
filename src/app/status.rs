//! What the view asks about the browser, as plain functions: figures in words, and what the line below says.

use super::{App, Download, DownloadState, Note, PageState, Prompt, focus};
use crate::doc::Place;
use crate::format::human;
use crate::keys::Key;
use crate::proto::Stage;
use crate::url::scheme::{self, Part};
use crate::url::{Resolved, Url};
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

/// How far the loading has come, in words; empty when nothing is loading.
pub fn stage(app: &App) -> String {
    if let Some(loading) = &app.loading {
        let word = match (&loading.head, loading.stage) {
            (Some(_), _) => "waiting for your answer",
            (None, None | Some(Stage::Resolving)) => "looking up the host",
            (None, Some(Stage::Connecting)) => "connecting",
            (None, Some(Stage::Securing)) => "securing",
            (None, Some(Stage::Waiting)) => "waiting",
        };
        return word.into();
    }
    match app.entry().and_then(|entry| entry.page.as_ref()) {
        Some(page) if page.state == PageState::Arriving => progress(page.received, page.head.length, page.elapsed),
        _ => String::new(),
    }
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

/// Where in the page the screen stands.
pub fn place(app: &App) -> Option<Place> {
    let entry = app.entry()?;
    Some(app.layout().percent(entry.document()?, entry.top, app.page_rows()))
}

/// The size of the page in view.
pub fn size(app: &App) -> String {
    app.entry().and_then(|entry| entry.page.as_ref()).map(|page| human(page.received)).unwrap_or_default()
}

/// The time that the page in view took.
pub fn time(app: &App) -> String {
    app.entry().and_then(|entry| entry.page.as_ref()).map(|page| span(page.elapsed)).unwrap_or_default()
}

/// Which base answers for relative references: "base: retrieval", "base: none (opaque)".
pub fn base(app: &App) -> String {
    match app.entry().and_then(|entry| entry.bases.effective()) {
        Some((layer, base)) if base.has_hierarchy() => format!("base: {}", layer.name()),
        Some(_) => "base: none (opaque)".into(),
        None => "base: none".into(),
    }
}

/// Which match the reader stands on, and of how many: "3 of 17", "3 of 1200+" while counting; empty without a search.
pub fn matches(app: &App) -> String {
    let (Some(matches), Some(found)) = (&app.matches, &app.found) else { return String::new() };
    let before = matches.starts.partition_point(|start| (*start as usize) < found.start);
    let more = if matches.complete && matches.starts.len() < super::Matches::MOST { "" } else { "+" };
    format!("{} of {}{more}", before + 1, matches.starts.len())
}

/// What the line below says.
#[derive(Debug)]
pub enum Line<'a> {
    /// Something is asked.
    Prompt(&'a Prompt),
    /// Keys of an unfinished sequence.
    Keys(&'a [Key]),
    /// A message.
    Note(&'a Note),
    /// The link under focus.
    Link {
        /// Where it leads.
        target: String,
        /// The reference as written, when it was relative.
        written: Option<String>,
        /// It leads nowhere; `target` says why.
        broken: bool,
    },
    /// Nothing.
    Empty,
}

/// What the line below says now.
pub fn line(app: &App) -> Line<'_> {
    if let Some(prompt) = &app.prompt {
        return Line::Prompt(prompt);
    }
    if !app.pending_keys.is_empty() {
        return Line::Keys(&app.pending_keys);
    }
    if let Some(note) = &app.note {
        return Line::Note(note);
    }
    let Some(link) = focus::link(app) else { return Line::Empty };
    let relative = crate::url::split(&link.reference).scheme.is_none();
    let written = relative.then(|| crate::doc::sanitise(&link.reference).into_owned());
    match link.target {
        Ok(Resolved::Url(url)) => Line::Link { target: url.redacted(), written, broken: false },
        Ok(Resolved::SameDocument { fragment }) => {
            let target = fragment.map_or("the start of this page".into(), |f| format!("this page, #{f}"));
            Line::Link { target, written, broken: false }
        }
        Err(error) => Line::Link { target: error.to_string(), written, broken: true },
    }
}

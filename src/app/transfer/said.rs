//! How a download stands, or what is being sent, in words.

use super::verify;
use crate::app::{Download, DownloadState, Outgoing, Sight};
use crate::format::{count, human};
use std::time::Duration;

/// How a download stands, in words.
pub fn download(download: &Download) -> String {
    let words = file(download);
    let Some(tree) = &download.tree else { return words };
    let mut files = format!("{} of {} files", count(tree.present()), count(tree.files()));
    if tree.there > 0 {
        let were = if tree.there == 1 { "was" } else { "were" };
        files.push_str(&format!(" ({} {were} there already)", count(tree.there)));
    }
    if tree.failures() > 0 {
        files.push_str(&format!(", {} failed", count(tree.failures())));
    }
    // Where sizes are not known, files tell.
    let runs = download.state == DownloadState::Running && download.length.is_none();
    let left = u32::try_from(tree.files().saturating_sub(tree.present() + tree.failures())).unwrap_or(u32::MAX);
    let done = u32::try_from(tree.done).ok().filter(|done| runs && *done > 0);
    match done {
        Some(done) => format!("{files}, {words}, {} left", span((download.elapsed / done).saturating_mul(left))),
        None => format!("{files}, {words}"),
    }
}

pub(in crate::app) fn file(download: &Download) -> String {
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
pub fn in_list(sight: Sight<'_>, download: &Download) -> String {
    let mut waiting = sight.transfers.downloads.iter().filter(|d| d.state == DownloadState::Queued);
    row(sight, download, waiting.position(|d| d.id == download.id))
}

/// The places of all that wait, in the order of the list; for whoever writes all of it.
pub(in crate::app) fn in_line(sight: Sight<'_>) -> Vec<Option<usize>> {
    let mut places = 0..;
    let place = |download: &Download| (download.state == DownloadState::Queued).then(|| places.next()).flatten();
    sight.transfers.downloads.iter().map(place).collect()
}

/// The same of one that has this place in line, counted from 0.
pub(in crate::app) fn row(sight: Sight<'_>, download: &Download, place: Option<usize>) -> String {
    match place {
        Some(place) => format!("waiting, number {} in line", place + 1),
        None => format!("{}{}{}", bar(sight, download), self::download(download), checked(sight, download)),
    }
}

/// How far a file is that is being sent from a tab, by its place in the order from 0.
pub(in crate::app) fn sent(sight: Sight<'_>, tab: usize, outgoing: &Outgoing) -> String {
    let (host, tab) = (outgoing.to.host().unwrap_or_default(), tab + 1);
    match outgoing.gone {
        Some((sent, all)) => {
            format!("{}{} sent to {host}, tab {tab}", cells(sight, sent, all), coming(sent, Some(all), None))
        }
        None => format!("about to be sent to {host}, tab {tab}"),
    }
}

/// What came of checking it, or can be done for that.
fn checked(sight: Sight<'_>, download: &Download) -> String {
    match &download.verified {
        _ if verify::under_way(sight, download).is_some() => ", being checked".into(),
        Some(verified) => format!(" · {}", verified.said),
        None => verify::hint(download).map(|hint| format!(" · {hint}")).unwrap_or_default(),
    }
}

/// How much of a download is there, drawn: "[####------] "; not for who listens.
fn bar(sight: Sight<'_>, download: &Download) -> String {
    let length = download.length.filter(|_| download.state != DownloadState::Done);
    length.map(|length| cells(sight, download.received, length)).unwrap_or_default()
}

fn cells(sight: Sight<'_>, there: u64, all: u64) -> String {
    const CELLS: usize = 10;
    if sight.desk.settings.speech {
        return String::new();
    }
    let full = usize::try_from(percent(there, all)).unwrap_or_default() * CELLS / 100;
    format!("[{}{}] ", "#".repeat(full.min(CELLS)), "-".repeat(CELLS.saturating_sub(full)))
}

/// "3.1 MB of 9.8 MB, 31%, 1.2 MB/s, 6 s left".
pub(in crate::app) fn coming(received: u64, length: Option<u64>, rate: Option<u64>) -> String {
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
pub(in crate::app) fn left(received: u64, length: Option<u64>, rate: Option<u64>) -> Option<Duration> {
    let rate = rate.filter(|rate| *rate > 0)?;
    Some(Duration::from_secs(length?.saturating_sub(received).div_ceil(rate)))
}

/// Whole hundredths, never 100 before all is there.
pub(in crate::app) fn percent(received: u64, length: u64) -> u128 {
    u128::from(received.min(length)) * 100 / u128::from(length.max(1))
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

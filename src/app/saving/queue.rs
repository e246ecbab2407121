//! Whose turn it is: a few downloads at once, fewer from one host; the others wait in the order in which they were asked for.

use super::super::{App, Destination, Download, DownloadState, Effect, FetchId, harvest};
use super::download::{Call, Pace};
use crate::app::{Beginning, Existing};
use crate::proto::Request;
use crate::url::Url;
use std::time::Duration;

/// At most so many at once from one host, by scheme. An FTP server grants two connections: the other one is for browsing.
const BOUNDS: &[(&[&str], usize)] = &[(&["ftp", "ftps"], 1)];
/// From one host by any other scheme.
const OTHERS: usize = 4;
/// In all.
const ALL: usize = 8;

/// What shares a bound: the row of the table, and the host.
#[derive(PartialEq, Eq)]
struct Site(Option<usize>, String);

impl Site {
    fn of(url: &Url) -> Site {
        let row = BOUNDS.iter().position(|(schemes, _)| schemes.iter().any(|scheme| url.is(scheme)));
        Site(row, url.host().unwrap_or_default().to_ascii_lowercase())
    }

    fn bound(&self) -> usize {
        self.0.and_then(|row| BOUNDS.get(row)).map_or(OTHERS, |(_, bound)| *bound)
    }
}

/// Whether another one from there may begin.
pub(in crate::app) fn has_room(app: &App, url: &Url) -> bool {
    let site = Site::of(url);
    let (mut all, mut there) = (0, 0);
    let mut count = |url: &Url, times: usize| {
        all += times;
        there += if Site::of(url) == site { times } else { 0 };
    };
    app.waiting.iter().for_each(|waiting| count(&waiting.request.url, 1));
    for download in app.downloads.iter().filter(|download| download.state == DownloadState::Running) {
        count(&download.request.url, download.fetches());
    }
    all < ALL && there < site.bound()
}

/// A download that has its name and waits for its turn.
pub(in crate::app) fn add(app: &mut App, url: Url, request: Request, path: String) {
    let id = app.fresh();
    let request = Request { private: app.tab.private, ..request };
    app.downloads.push(Download {
        id,
        url,
        path,
        received: 0,
        length: None,
        elapsed: Duration::ZERO,
        state: DownloadState::Queued,
        pace: Pace::new(0),
        tree: None,
        request,
        existing: Existing::Ask,
        beginning: Beginning::Keep,
        call: Call::Bound,
        hops: 0,
        resumes: None,
        again: true,
        folder: false,
        noted: None,
        private: app.tab.private,
    });
}

/// Begins those whose turn has come.
pub(in crate::app) fn start(app: &mut App) -> Vec<Effect> {
    let mut effects = Vec::new();
    for at in 0..app.downloads.len() {
        if app.downloads[at].state == DownloadState::Queued && has_room(app, &app.downloads[at].request.url) {
            effects.push(begin(app, at));
        }
        while app.downloads[at].is_pending() && has_room(app, &app.downloads[at].request.url) {
            effects.extend(harvest::begin_next(app, at));
        }
    }
    if !effects.is_empty() {
        super::super::lists::refresh_downloads(app);
    }
    effects
}

/// Begins one, under a new number.
pub(super) fn begin(app: &mut App, at: usize) -> Effect {
    let id = app.fresh();
    let login = super::super::login::of(app, &app.downloads[at].request.url);
    let download = &mut app.downloads[at];
    let old = std::mem::replace(&mut download.id, id);
    download.request.login = login.or(download.request.login.take());
    (download.state, download.call, download.elapsed) = (DownloadState::Running, Call::Bound, Duration::ZERO);
    let effect = Effect::Download { id, request: download.request.clone(), into: destination(download) };
    rename(app, old, id);
    effect
}

/// What was to happen after the old number happens after the new one.
fn rename(app: &mut App, old: FetchId, new: FetchId) {
    if let Some(program) = app.afterwards.remove(&old) {
        app.afterwards.insert(new, program);
    }
}

/// Where a download goes.
pub(super) fn destination(download: &Download) -> Destination {
    Destination {
        path: download.path.clone(),
        within: None,
        origin: (!download.private).then(|| download.url.clone()),
        existing: download.existing.clone(),
        beginning: download.beginning,
    }
}

//! Whose turn it is: a few downloads at once, fewer from one host; the others wait in the order in which they were asked for.

use super::{kept, recursive};
use crate::app::page::veil::Veil;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::state::transfers::Call;
use crate::app::{
    Beginning, Destination, Download, DownloadState, Effect, Existing, JobId, ListedFile, Manner, Pace, Sight,
};
use crate::config::Settings;
use crate::proto::Request;
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::time::Duration;

/// How many the settings allow.
type Bound = fn(&Settings) -> usize;

/// At most so many at once from one host, by scheme. FTP has one connection more, for browsing; what is more than these waits for
/// its turn there.
const BOUNDS: &[(Family, Bound)] = &[(Family::Ftp, |settings| settings.ftp.connections)];
/// From one host by any other scheme.
const OTHERS: usize = 4;
/// In all.
const ALL: usize = 8;

/// What shares a bound: the row of the table, and the host.
#[derive(PartialEq, Eq)]
struct Site(Option<usize>, String);

impl Site {
    fn of(url: &Url) -> Site {
        let row = BOUNDS.iter().position(|(family, _)| scheme::family(url) == *family);
        Site(row, url.host().unwrap_or_default().to_ascii_lowercase())
    }

    fn bound(&self, settings: &Settings) -> usize {
        self.0.and_then(|row| BOUNDS.get(row)).map_or(OTHERS, |(_, bound)| bound(settings))
    }
}

/// How many may come at once from where this is.
pub(in crate::app) fn at_once(sight: Sight<'_>, url: &Url) -> usize {
    Site::of(url).bound(&sight.desk.settings)
}

/// Whether another one from there may begin.
pub(in crate::app) fn has_room(sight: Sight<'_>, url: &Url) -> bool {
    let (all, there) = under_way(sight, &Site::of(url));
    all < ALL && there < at_once(sight, url)
}

/// How many come, in all and from one place.
fn under_way(sight: Sight<'_>, site: &Site) -> (usize, usize) {
    let (mut all, mut there) = (0, 0);
    let mut count = |url: &Url, times: usize| {
        all += times;
        there += if Site::of(url) == *site { times } else { 0 };
    };
    sight.transfers.waiting.iter().for_each(|waiting| count(&waiting.request.url, 1));
    for download in sight.transfers.downloads.iter().filter(|download| download.state == DownloadState::Running) {
        count(&download.request.url, download.fetches());
    }
    (all, there)
}

/// Whether the next file of a directory may begin: where a protocol has turns of its own one more than may come is made ready
/// meanwhile, unless anything else comes from there or waits for it.
fn has_room_within(sight: Sight<'_>, at: usize) -> bool {
    let download = &sight.transfers.downloads[at];
    let site = Site::of(&download.request.url);
    let (all, there) = under_way(sight, &site);
    let waits = |other: &Download| other.state == DownloadState::Queued && Site::of(&other.request.url) == site;
    let alone = there == download.fetches() && !sight.transfers.downloads.iter().any(waits);
    let more = usize::from(alone && site.0.is_some());
    all < ALL + more && there < site.bound(&sight.desk.settings) + more
}

/// A download that has its name and waits for its turn. What became of an earlier try is told by this one from now on.
pub(in crate::app) fn add(cx: &mut Cx<'_>, url: Url, request: Request, path: String, beside: Vec<Url>) -> Vec<Effect> {
    let effects = kept::make_way(cx, &url, &path, request.private, false);
    push(cx, url, request, path, beside);
    effects
}

/// The same, beside what was tried earlier.
pub(super) fn push(cx: &mut Cx<'_>, url: Url, request: Request, path: String, beside: Vec<Url>) {
    let (number, id) = (cx.download_id(), cx.jobs.reserve());
    // It is as private as the tab that asked for it, whichever is in view when its head comes.
    let private = request.private;
    cx.transfers.downloads.push(Download {
        number,
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
        veil: Veil::default(),
        resumes: None,
        again: true,
        folder: false,
        noted: None,
        beside,
        verified: None,
        remarks: Vec::new(),
        manner: Manner::default(),
        private,
    });
}

/// Begins those whose turn has come: single files first, which would wait for the end of a directory otherwise.
pub(in crate::app) fn start(cx: &mut Cx<'_>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for at in 0..cx.transfers.downloads.len() {
        if cx.transfers.downloads[at].state == DownloadState::Queued
            && has_room(cx.sight(), &cx.transfers.downloads[at].request.url)
        {
            effects.push(begin(cx, at));
        }
    }
    for at in 0..cx.transfers.downloads.len() {
        effects.extend(recursive::prepare(cx, at));
        while cx.transfers.downloads[at].is_pending() && has_room_within(cx.sight(), at) {
            effects.extend(recursive::begin_next(cx, at));
        }
        effects.extend(recursive::date(cx, at));
    }
    if !effects.is_empty() {
        super::list::refresh(cx);
    }
    effects
}

/// Begins one, under a new number.
pub(super) fn begin(cx: &mut Cx<'_>, at: usize) -> Effect {
    let id = cx.job(Errand::File);
    let Request { url, private, .. } = &cx.transfers.downloads[at].request;
    let login = cx.sight().login_as(*private, url);
    let download = &mut cx.transfers.downloads[at];
    let old = std::mem::replace(&mut download.id, id);
    cx.jobs.end(old);
    download.request.login = login.or(download.request.login.take());
    download.verified = None;
    (download.state, download.call, download.elapsed) = (DownloadState::Running, Call::Bound, Duration::ZERO);
    let effect = Effect::Download { id, request: download.request.clone(), into: destination(download) };
    rename(cx, old, id);
    effect
}

/// What was to happen after the old number happens after the new one.
fn rename(cx: &mut Cx<'_>, old: JobId, new: JobId) {
    if let Some(program) = cx.transfers.afterwards.remove(&old) {
        cx.transfers.afterwards.insert(new, program);
    }
}

/// Where a download goes.
pub(super) fn destination(download: &Download) -> Destination {
    Destination {
        path: download.path.clone(),
        within: None,
        origin: (!download.private).then(|| download.url.clone()),
        existing: download.existing.clone(),
        listed: ListedFile::default(),
        beginning: download.beginning,
        runs: false,
    }
}

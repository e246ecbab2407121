//! Downloads from one run to the next: what the shell keeps of each, and what becomes of it at the next start.
//!
//! Refuses to keep what would tell a secret or send something again: an answer to a form, a URL with a password. Those are
//! listed, but cannot be begun again.

use super::{path, recursive};
use crate::app::page::address;
use crate::app::page::veil::Veil;
use crate::app::state::Cx;
use crate::app::state::transfers::Call;
use crate::app::{Beginning, Download, DownloadState, Effect, Existing, Kept, KeptDownload, Pace, Sight, Standing};
use crate::format::count;
use crate::proto::Request;
use crate::url::Url;
use crate::visits::Forget;
use std::time::Duration;

/// Letters that are kept of what there is to say of single files of one directory, and of each.
const ROOM: usize = 16 * 1024;
const LONGEST: usize = 600;

impl Standing {
    fn of(state: &DownloadState) -> Standing {
        match state {
            DownloadState::Queued | DownloadState::Asking | DownloadState::Running => Standing::Open,
            DownloadState::Done => Standing::Done,
            DownloadState::Cut(_) => Standing::Cut,
            DownloadState::Cancelled => Standing::Stopped,
            DownloadState::Failed(_) => Standing::Failed,
        }
    }
}

impl Download {
    fn kept(&self, standing: Standing) -> KeptDownload {
        let said = match &self.state {
            DownloadState::Cut(said) | DownloadState::Failed(said) => said.clone(),
            _ => String::new(),
        };
        KeptDownload {
            path: self.path.clone(),
            url: self.url.redacted(),
            standing,
            received: self.received,
            length: self.length,
            said,
            again: self.again && self.is_public(),
            folder: self.is_folder(),
            beside: self.beside.iter().filter(|url| url.password().is_none()).map(Url::redacted).collect(),
            verified: self.verified.clone(),
            remarks: self.kept_remarks(),
            manner: self.manner.clone(),
        }
    }

    /// Whether it is a directory, of this run or an earlier one.
    fn is_folder(&self) -> bool {
        self.tree.is_some() || self.folder
    }

    /// What there is to say of single files, as far as there is room for it.
    fn kept_remarks(&self) -> Vec<String> {
        let (mut kept, mut room, mut more) = (Vec::new(), ROOM, 0);
        for line in recursive::remarks(self) {
            let line: String = line.chars().take(LONGEST).collect();
            room = room.saturating_sub(line.len());
            if room > 0 { kept.push(line) } else { more += 1 }
        }
        kept.extend((more > 0).then(|| format!("and {} more", count(more))));
        kept
    }

    /// Whether it can be begun again by its URL alone, and nothing secret is in that.
    fn is_public(&self) -> bool {
        let request = &self.request;
        let same = request.url == self.url || self.hops > 0 || self.tree.is_some();
        // Where a password is hidden already there is no asking either, and a run that is told again is the same.
        let shown = self.url.password().is_none() && !address::is_filled_form(self.url.as_str());
        request.body.is_none() && request.held.is_none() && same && shown
    }
}

/// What has changed since it was last kept.
pub(in crate::app) fn keep(cx: &mut Cx<'_>) -> Vec<Effect> {
    let scratch = format!("{}/", cx.desk.choices.scratch);
    let mut effects = Vec::new();
    for download in &mut cx.transfers.downloads {
        let standing = Standing::of(&download.state);
        let kept = download.noted.as_ref().is_some_and(|(was, path, verified)| {
            *was == standing && *path == download.path && *verified == download.verified
        });
        // What another program is to open goes away when this one ends; what a private tab saves leaves a file and no more.
        if kept || download.private || download.path.starts_with(&scratch) {
            continue;
        }
        let now = (standing, download.path.clone(), download.verified.clone());
        if let Some((_, old, _)) = download.noted.replace(now)
            && old != download.path
        {
            effects.push(forget(KeptDownload { path: old, ..download.kept(standing) }));
        }
        effects.push(Effect::Keep(Kept::Download(Box::new(download.kept(standing)))));
    }
    effects
}

/// Takes those out of the list, for good, in whose place a new one is: a folder has one row, however often it is saved; of files, what
/// is not whole and came from the same address, as from another one it has an unfinished file of its own. What a private tab saves
/// tells nothing of what others saved, nor they of that.
pub(super) fn make_way(cx: &mut Cx<'_>, url: &Url, path: &str, private: bool, folder: bool) -> Vec<Effect> {
    let (url, here) = (url.redacted(), path::whole(cx.sight(), path));
    let gives_way = |sight: Sight<'_>, old: &Download| {
        let is_same = match folder {
            true => old.is_folder(),
            false => !old.is_folder() && old.state != DownloadState::Done && old.url.redacted() == url,
        };
        !old.state.is_open() && old.private == private && is_same && path::whole(sight, &old.path) == here
    };
    let mut effects = Vec::new();
    while let Some(at) = cx.transfers.downloads.iter().position(|old| gives_way(cx.sight(), old)) {
        effects.extend(remove(cx, at));
    }
    effects
}

/// Takes a download out of the list, for good.
pub(in crate::app) fn remove(cx: &mut Cx<'_>, at: usize) -> Vec<Effect> {
    let download = cx.transfers.downloads.remove(at);
    download.noted.as_ref().map(|_| forget(download.kept(Standing::Forgotten))).into_iter().collect()
}

/// Takes one out of the list that is not whole, and has what came of it deleted.
pub(super) fn discard(cx: &mut Cx<'_>, at: usize) -> Effect {
    let download = cx.transfers.downloads.remove(at);
    cx.say(format!("what came of {} is deleted", download.path));
    Effect::Keep(Kept::Download(Box::new(download.kept(Standing::Dropped))))
}

/// Takes those that have ended and came from what is to be forgotten out of the list. Of a span nothing is known.
pub(in crate::app) fn forget_those(cx: &mut Cx<'_>, what: &Forget) -> Vec<Effect> {
    let concerned = |d: &Download| !d.state.is_open() && what.concerns(d.url.as_str(), None);
    let mut effects = Vec::new();
    while let Some(at) = cx.transfers.downloads.iter().position(concerned) {
        effects.extend(remove(cx, at));
    }
    super::list::refresh(cx);
    effects
}

fn forget(kept: KeptDownload) -> Effect {
    Effect::Keep(Kept::Download(Box::new(KeptDownload { standing: Standing::Forgotten, ..kept })))
}

/// Lists the downloads of earlier runs, the oldest first, and says when some of them are not whole.
pub(in crate::app) fn restore(cx: &mut Cx<'_>, kept: Vec<KeptDownload>) {
    for kept in kept {
        let Ok(url) = Url::parse(kept.url.as_str()) else { continue };
        let state = match kept.standing {
            Standing::Open => DownloadState::Cut("Wayfarer ended before it was whole.".into()),
            Standing::Done => DownloadState::Done,
            Standing::Cut => DownloadState::Cut(kept.said),
            Standing::Stopped => DownloadState::Cancelled,
            Standing::Failed => DownloadState::Failed(kept.said),
            Standing::Forgotten | Standing::Dropped => continue,
        };
        let noted = Some((Standing::of(&state), kept.path.clone(), kept.verified.clone()));
        let (number, id) = (cx.download_id(), cx.jobs.reserve());
        cx.transfers.downloads.push(Download {
            number,
            id,
            request: Request::new(url.clone()),
            url,
            path: kept.path,
            received: kept.received,
            length: kept.length,
            elapsed: Duration::ZERO,
            state,
            pace: Pace::new(kept.received),
            tree: None,
            existing: Existing::Ask,
            beginning: Beginning::Keep,
            call: Call::Bound,
            hops: 0,
            veil: Veil::default(),
            resumes: None,
            again: kept.again,
            folder: kept.folder,
            noted,
            beside: kept.beside.iter().filter_map(|url| Url::parse(url.as_str()).ok()).collect(),
            verified: kept.verified,
            remarks: kept.remarks,
            manner: kept.manner,
            private: false,
        });
    }
    let broken = cx.transfers.downloads.iter().filter(|d| matches!(d.state, DownloadState::Cut(_))).count();
    if broken > 0 {
        let key = cx.key_for("downloads").map(|key| format!(" ({key})")).unwrap_or_default();
        let (what, verb) = if broken == 1 { ("download", "is") } else { ("downloads", "are") };
        cx.say(format!("{broken} {what} of an earlier time {verb} not whole{key}"));
    }
}

//! Downloads from one run to the next: what the shell keeps of each, and what becomes of it at the next start.
//!
//! Refuses to keep what would tell a secret or send something again: an answer to a form, a URL with a password. Those are
//! listed, but cannot be begun again.

use super::super::{App, Beginning, Effect, Existing, Kept, opening};
use super::download::{Call, Pace};
use super::{Download, DownloadState};
use crate::proto::Request;
use crate::url::Url;
use crate::visits::Forget;
use std::time::Duration;

/// What is kept of a download. The file it goes into tells it from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDownload {
    /// To where, `~` allowed at its beginning.
    pub path: String,
    /// From where, without any secret.
    pub url: String,
    /// How it stood.
    pub standing: Standing,
    /// Octets that were there.
    pub received: u64,
    /// Octets in all, when known.
    pub length: Option<u64>,
    /// Why it ended, when that was not as it should.
    pub said: String,
    /// Whether its URL is all that it takes to begin it again.
    pub again: bool,
    /// Whether it is a directory with all below it.
    pub folder: bool,
}

/// How a download stood when it was last kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It was on its way, or waited for its turn.
    Open,
    /// All was there.
    Done,
    /// It broke off.
    Cut,
    /// The reader stopped it.
    Stopped,
    /// It failed.
    Failed,
    /// The reader wants it out of the list.
    Forgotten,
    /// The same, and what came of it is to be deleted.
    Dropped,
}

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
            folder: self.tree.is_some() || self.folder,
        }
    }

    /// Whether it can be begun again by its URL alone, and nothing secret is in that.
    fn is_public(&self) -> bool {
        let request = &self.request;
        let same = request.url == self.url || self.hops > 0 || self.tree.is_some();
        let shown = self.url.redacted() == self.url.as_str() && !opening::is_filled_form(self.url.as_str());
        request.body.is_none() && request.held.is_none() && same && shown
    }
}

/// What has changed since it was last kept.
pub(in crate::app) fn keep(app: &mut App) -> Vec<Effect> {
    let scratch = format!("{}/", app.choices.scratch);
    let mut effects = Vec::new();
    for download in &mut app.downloads {
        let standing = Standing::of(&download.state);
        let kept = download.noted.as_ref().is_some_and(|(was, path)| *was == standing && *path == download.path);
        // What another program is to open goes away when this one ends; what a private tab saves leaves a file and no more.
        if kept || download.private || download.path.starts_with(&scratch) {
            continue;
        }
        if let Some((_, old)) = download.noted.replace((standing, download.path.clone()))
            && old != download.path
        {
            effects.push(forget(KeptDownload { path: old, ..download.kept(standing) }));
        }
        effects.push(Effect::Keep(Kept::Download(Box::new(download.kept(standing)))));
    }
    effects
}

/// Takes a download out of the list, for good.
pub(in crate::app) fn remove(app: &mut App, at: usize) -> Vec<Effect> {
    let download = app.downloads.remove(at);
    download.noted.as_ref().map(|_| forget(download.kept(Standing::Forgotten))).into_iter().collect()
}

/// Takes one out of the list that is not whole, and has what came of it deleted.
pub(super) fn discard(app: &mut App, at: usize) -> Effect {
    let download = app.downloads.remove(at);
    app.say(format!("what came of {} is deleted", download.path));
    Effect::Keep(Kept::Download(Box::new(download.kept(Standing::Dropped))))
}

/// Takes those that have ended and came from what is to be forgotten out of the list. Of a span nothing is known.
pub(in crate::app) fn forget_those(app: &mut App, what: &Forget) -> Vec<Effect> {
    let concerned = |d: &Download| !d.state.is_open() && what.concerns(d.url.as_str(), None);
    let mut effects = Vec::new();
    while let Some(at) = app.downloads.iter().position(concerned) {
        effects.extend(remove(app, at));
    }
    super::super::lists::refresh_downloads(app);
    effects
}

fn forget(kept: KeptDownload) -> Effect {
    Effect::Keep(Kept::Download(Box::new(KeptDownload { standing: Standing::Forgotten, ..kept })))
}

impl App {
    /// Lists the downloads of earlier runs, the oldest first, and says when some of them are not whole.
    pub fn restore_downloads(&mut self, kept: Vec<KeptDownload>) {
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
            let noted = Some((Standing::of(&state), kept.path.clone()));
            let id = self.fresh();
            self.downloads.push(Download {
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
                resumes: None,
                again: kept.again,
                folder: kept.folder,
                noted,
                private: false,
            });
        }
        let broken = self.downloads.iter().filter(|d| matches!(d.state, DownloadState::Cut(_))).count();
        if broken > 0 {
            let key = self.key_for("downloads").map(|key| format!(" ({key})")).unwrap_or_default();
            let (what, verb) = if broken == 1 { ("download", "is") } else { ("downloads", "are") };
            self.say(format!("{broken} {what} of an earlier time {verb} not whole{key}"));
        }
    }
}

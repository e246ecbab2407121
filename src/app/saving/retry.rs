//! What can be done with a row of the list of downloads: what runs can be paused, what broke off can go on, what is there can
//! be opened, shown in its folder, or told of by its path.

use super::super::opening::{self, Aim, Consent, Opening};
use super::super::outside::{self, Target};
use super::super::question::{self, choice};
use super::super::{
    App, Beginning, Choice, Download, DownloadState, Effect, FetchId, Overlay, Pending, harvest, lists, status,
};
use super::{kept, place};
use crate::url::scheme::file::File;

/// Asks what to do with a download.
pub(in crate::app) fn act_on(app: &mut App, at: usize) -> Vec<Effect> {
    let Some(download) = app.downloads.get(at) else { return Vec::new() };
    let overlay = match download.state {
        DownloadState::Running | DownloadState::Queued => {
            let text = [download.path.clone(), status::in_list(app, download)].into_iter().chain(stays(download));
            let choices = [choice('p', "pause it")].into_iter().chain(deletes(download));
            let choices = choices.chain([choice('f', "forget it"), choice('c', "leave it")]).collect();
            Overlay::Question { text: text.collect(), choices, pending: Pending::Stop(download.id) }
        }
        // Its own question is on its way.
        DownloadState::Asking => return Vec::new(),
        DownloadState::Done => there(download),
        DownloadState::Cut(_) | DownloadState::Failed(_) | DownloadState::Cancelled => broken(download),
    };
    question::raise(app, overlay);
    Vec::new()
}

/// Whether there is one unfinished file that could be deleted.
fn is_partial(download: &Download) -> bool {
    download.tree.is_none() && !download.folder && download.received > 0
}

fn stays(download: &Download) -> Option<String> {
    let name = download.path.rsplit_once('/').map_or(&*download.path, |(_, name)| name);
    match is_partial(download) {
        true => Some(format!("What came stays beside it, as {name}.part, unless you delete it.")),
        false => download.state.is_open().then(|| "What came is kept.".into()),
    }
}

fn deletes(download: &Download) -> Option<Choice> {
    is_partial(download).then(|| choice('x', "delete what came"))
}

/// What is whole.
fn there(download: &Download) -> Overlay {
    let opens = (download.tree.is_none() && !download.folder).then(|| choice('o', "open with a program"));
    let others = [choice('d', "show its folder"), choice('y', "copy its path"), choice('f', "forget it")];
    Overlay::Question {
        text: vec![download.path.clone(), status::download(download)],
        choices: opens.into_iter().chain(others).chain([choice('c', "leave it")]).collect(),
        pending: Pending::Resume(download.id),
    }
}

fn broken(download: &Download) -> Overlay {
    // What answers a form has no middle to go on from, and no second time that the reader has not agreed to (SEC-05).
    let sends = download.request.body.is_some();
    let goes_on = (!sends && download.again && download.resumes != Some(false)).then(|| choice('g', "go on"));
    // Files of a directory that are there are there, so there is no other beginning.
    let anew = (download.tree.is_none() && !download.folder && download.again)
        .then(|| choice('a', if sends { "send the form again" } else { "start anew" }));
    let failed = download.tree.as_ref().is_some_and(|tree| tree.failures() > 0);
    let list = failed.then(|| choice('l', "list what failed"));
    let others = [choice('f', "forget it"), choice('c', "leave it")];
    let form = sends.then(|| "It answers a form that was sent; to have it anew is to send the form again.".to_owned());
    let lost = (!download.again).then(|| "What it takes to ask for it again is not kept; open its page.".to_owned());
    Overlay::Question {
        text: [download.path.clone(), status::download(download)]
            .into_iter()
            .chain(form)
            .chain(lost)
            // A failure has said so.
            .chain(stays(download).filter(|_| download.state == DownloadState::Cancelled))
            .collect(),
        choices: goes_on.into_iter().chain(anew).chain(list).chain(deletes(download)).chain(others).collect(),
        pending: Pending::Resume(download.id),
    }
}

/// The answer about a download that has ended.
pub(in crate::app) fn resume(app: &mut App, id: FetchId, key: char) -> Vec<Effect> {
    let ended = |d: &Download| d.id == id && !d.state.is_open();
    let Some(at) = app.downloads.iter().position(ended) else { return Vec::new() };
    let path = place::whole(app, &app.downloads[at].path);
    let done = app.downloads[at].state == DownloadState::Done;
    let beginning = match key {
        'l' => return harvest::failures(app, id),
        'f' => return kept::remove(app, at),
        'x' if !done && is_partial(&app.downloads[at]) => {
            let effects = vec![kept::discard(app, at)];
            lists::refresh_downloads(app);
            return effects;
        }
        'o' if done => {
            let url = app.downloads[at].url.clone();
            outside::ask_program(app, Target::File(path), Some(url));
            return Vec::new();
        }
        'd' if done => return show_folder(app, at, &path),
        'y' if done => {
            app.say(format!("copied {path}"));
            return vec![Effect::Copy(path)];
        }
        _ if done => return Vec::new(),
        'g' if app.downloads[at].tree.is_some() => {
            harvest::retry(&mut app.downloads[at]);
            return Vec::new();
        }
        // Its files are listed anew; those that are there are not fetched again.
        'g' if app.downloads[at].folder => {
            let (path, url) = (Some(path), app.downloads[at].url.clone());
            let mut effects = kept::remove(app, at);
            let (aim, consent) = (Aim::Tree, Consent::Agreed);
            effects.extend(opening::go(app, Opening { aim, consent, path, ..Opening::followed(url) }));
            return effects;
        }
        'g' => Beginning::Keep,
        'a' => Beginning::Drop,
        _ => return Vec::new(),
    };
    // A newcomer to the queue: those that wait already have their turn first.
    let mut download = app.downloads.remove(at);
    (download.beginning, download.state, download.hops) = (beginning, DownloadState::Queued, 0);
    app.downloads.push(download);
    lists::refresh_downloads(app);
    Vec::new()
}

/// The folder that a file is in, or the directory itself, as a page.
fn show_folder(app: &mut App, at: usize, path: &str) -> Vec<Effect> {
    let download = &app.downloads[at];
    let above =
        if download.tree.is_some() || download.folder { Some(path) } else { path.rsplit_once('/').map(|p| p.0) };
    let folder = format!("{}/", above.unwrap_or_default().trim_end_matches('/'));
    match File::url(folder.as_bytes()) {
        Ok(url) if folder.starts_with('/') => opening::go(app, Opening::typed(url)),
        _ => {
            app.complain(format!("{path} has no folder to show"));
            Vec::new()
        }
    }
}

/// The answer about a download that runs or waits; what came stays where the shell keeps unfinished files.
pub(in crate::app) fn stop(app: &mut App, id: FetchId, key: char) -> Vec<Effect> {
    let open = |d: &Download| d.id == id && d.state.is_open();
    let Some(at) = app.downloads.iter().position(open).filter(|_| matches!(key, 'p' | 'x' | 'f')) else {
        return Vec::new();
    };
    let download = &mut app.downloads[at];
    let halted = harvest::halt(download);
    let runs = download.tree.is_none() && download.state == DownloadState::Running;
    download.state = DownloadState::Cancelled;
    app.afterwards.remove(&id);
    let mut effects = if runs { vec![Effect::Cancel(id)] } else { halted };
    match key {
        'f' => effects.extend(kept::remove(app, at)),
        'x' => effects.push(kept::discard(app, at)),
        _ => {}
    }
    lists::refresh_downloads(app);
    effects
}

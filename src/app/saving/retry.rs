//! Enter on a row of the list of downloads: what runs can be stopped, what broke off can go on.

use super::super::outside::{self, Target};
use super::super::question::{self, choice, confirm};
use super::super::{
    App, Beginning, Download, DownloadState, Effect, FetchId, Overlay, Pending, harvest, lists, status,
};

/// Asks what to do with a download.
pub(in crate::app) fn act_on(app: &mut App, at: usize) -> Vec<Effect> {
    let Some(download) = app.downloads.get(at).cloned() else { return Vec::new() };
    match download.state {
        DownloadState::Running | DownloadState::Queued => {
            let text = vec!["Stop this download? What came is kept.".into(), download.path];
            question::raise(app, confirm(text, "stop it", Pending::Stop(download.id)));
        }
        // Its own question is on its way.
        DownloadState::Asking => {}
        DownloadState::Done if download.tree.is_some() => app.say(status::download(&download)),
        DownloadState::Done => outside::ask_program(app, Target::File(download.path), Some(download.url)),
        DownloadState::Cut(_) | DownloadState::Failed(_) | DownloadState::Cancelled => {
            question::raise(app, broken(&download));
        }
    }
    Vec::new()
}

fn broken(download: &Download) -> Overlay {
    // What answers a form has no middle to go on from, and no second time that the reader has not agreed to (SEC-05).
    let sends = download.request.body.is_some();
    let goes_on = (!sends && download.resumes != Some(false)).then(|| choice('g', "go on"));
    // Files of a directory that are there are there, so there is no other beginning.
    let anew = download.tree.is_none().then(|| choice('a', if sends { "send the form again" } else { "start anew" }));
    let failed = download.tree.as_ref().is_some_and(|tree| tree.failures() > 0);
    let list = failed.then(|| choice('l', "list what failed"));
    let others = [choice('f', "forget it"), choice('c', "leave it")];
    let form = sends.then(|| "It answers a form that was sent; to have it anew is to send the form again.".to_owned());
    Overlay::Question {
        text: [download.path.clone(), status::download(download)].into_iter().chain(form).collect(),
        choices: goes_on.into_iter().chain(anew).chain(list).chain(others).collect(),
        pending: Pending::Resume(download.id),
    }
}

/// The answer about a download that broke off.
pub(in crate::app) fn resume(app: &mut App, id: FetchId, key: char) -> Vec<Effect> {
    let ended = |d: &Download| d.id == id && !d.state.is_open() && d.state != DownloadState::Done;
    let Some(at) = app.downloads.iter().position(ended) else { return Vec::new() };
    let beginning = match key {
        'l' => return harvest::failures(app, id),
        'g' if app.downloads[at].tree.is_some() => {
            harvest::retry(&mut app.downloads[at]);
            return Vec::new();
        }
        'g' => Beginning::Keep,
        'a' => Beginning::Drop,
        'f' => {
            app.downloads.remove(at);
            return Vec::new();
        }
        _ => return Vec::new(),
    };
    // A newcomer to the queue: those that wait already have their turn first.
    let mut download = app.downloads.remove(at);
    (download.beginning, download.state, download.hops) = (beginning, DownloadState::Queued, 0);
    app.downloads.push(download);
    lists::refresh_downloads(app);
    Vec::new()
}

/// Ends a download that runs or waits; what came stays where the shell keeps unfinished files.
pub(in crate::app) fn stop(app: &mut App, id: FetchId) -> Vec<Effect> {
    let open = |d: &&mut Download| d.id == id && d.state.is_open();
    let Some(download) = app.downloads.iter_mut().find(open) else { return Vec::new() };
    let halted = harvest::halt(download);
    let runs = download.tree.is_none() && download.state == DownloadState::Running;
    download.state = DownloadState::Cancelled;
    app.afterwards.remove(&id);
    lists::refresh_downloads(app);
    if runs { vec![Effect::Cancel(id)] } else { halted }
}

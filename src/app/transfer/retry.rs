//! What can be done with a row of the list of downloads: what runs can be paused, what broke off can go on, what is there can
//! be opened, shown in its folder, or told of by its path.

use super::{UNFINISHED, kept, path, recursive, said, verify};
use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::{
    Aim, Beginning, Choice, Consent, Download, DownloadId, DownloadState, Effect, Opening, Overlay, Pending, Sight,
    Target,
};
use crate::url::scheme::file::File;

/// The answer that Enter gives as well: what runs stops, what has stopped goes on.
const OBVIOUS: [&str; 2] = ["pause it (Enter)", "go on (Enter)"];

/// Asks what to do with a download.
pub(in crate::app) fn act_on(cx: &mut Cx<'_>, at: usize) -> Vec<Effect> {
    let Some(download) = cx.transfers.downloads.get(at) else {
        let sent = at.checked_sub(cx.transfers.downloads.len()).and_then(|at| cx.transfers.outgoing.get(at));
        if let Some((tab, outgoing)) = sent {
            let stops = cx.desk.key_for("stop").map(|key| format!("; {key} there stops it")).unwrap_or_default();
            let said = format!("{}, from tab {}{stops}", outgoing.far(), tab + 1);
            cx.say(said);
        }
        return Vec::new();
    };
    if let Some(overlay) = question(cx.sight(), download) {
        cx.hands.queue(overlay);
    }
    Vec::new()
}

/// What can be done with it; `None` while its own question is on its way.
fn question(sight: Sight<'_>, download: &Download) -> Option<Overlay> {
    Some(match download.state {
        DownloadState::Running | DownloadState::Queued => {
            let text = [download.path.clone(), said::in_list(sight, download)].into_iter().chain(stays(download));
            let choices = [choice('p', OBVIOUS[0])].into_iter().chain(deletes(download));
            let choices = choices.chain([choice('f', "forget it"), choice('c', "leave it")]).collect();
            Overlay::Question { text: text.collect(), choices, pending: Pending::Stop(download.number) }
        }
        DownloadState::Asking => return None,
        DownloadState::Done => there(sight, download),
        DownloadState::Cut(_) | DownloadState::Failed(_) | DownloadState::Cancelled => broken(download),
    })
}

/// The answer to an open question that Enter gives, if it is one of these.
pub(in crate::app) fn obvious(choices: &[Choice]) -> Option<char> {
    choices.iter().find(|choice| OBVIOUS.contains(&&*choice.label)).map(|choice| choice.key)
}

/// Questions about downloads that run keep up with them, and say when they have ended meanwhile.
pub(super) fn refresh(cx: &mut Cx<'_>) {
    let asked = |overlay: &Overlay| match overlay {
        Overlay::Question { pending: Pending::Stop(number), .. } => Some(*number),
        _ => None,
    };
    let open: Vec<DownloadId> = cx.hands.overlays().iter().filter_map(asked).collect();
    for number in open {
        let Some(download) = cx.transfers.downloads.iter().find(|download| download.number == number) else { continue };
        let (ended, fresh) = (!download.state.is_open(), question(cx.sight(), download));
        let Some(Overlay::Question { mut text, choices, pending }) = fresh else { continue };
        if ended {
            text.push("It has ended while you looked.".into());
        }
        if let Some(overlay) = cx.hands.all_mut().find(|overlay| asked(overlay) == Some(number)) {
            *overlay = Overlay::Question { text, choices, pending };
        }
    }
}

/// Whether there is one unfinished file that could be deleted. From where it came is noted beside it; of what a private tab
/// saves nothing is, so nobody could tell it from another's.
fn is_partial(download: &Download) -> bool {
    download.tree.is_none() && !download.folder && download.received > 0 && !download.private
}

fn stays(download: &Download) -> Option<String> {
    let name = download.path.rsplit_once('/').map_or(&*download.path, |(_, name)| name);
    match is_partial(download) {
        true => Some(format!("What came stays as {name}{UNFINISHED}.")),
        false => download.state.is_open().then(|| "What came is kept.".into()),
    }
}

fn deletes(download: &Download) -> Option<Choice> {
    is_partial(download).then(|| choice('x', "delete what came"))
}

/// What is whole.
fn there(sight: Sight<'_>, download: &Download) -> Overlay {
    let opens = (download.tree.is_none() && !download.folder).then(|| choice('o', "open with a program"));
    let checks = verify::is_whole(download).then(|| choice('v', "check it: verify"));
    let differs = recursive::remarks(download).next().is_some();
    let list = differs.then(|| choice('l', "list what is otherwise"));
    let known = download.manner.rows.as_ref().is_none_or(|rows| !rows.is_empty());
    let open = known && download.again && download.url.password().is_none();
    let again = (open && (download.tree.is_some() || download.folder))
        .then(|| choice('s', "save again: what is new or has changed"));
    let others = [choice('d', "show its folder"), choice('y', "copy its path"), choice('f', "forget it")];
    Overlay::Question {
        text: vec![download.path.clone(), said::in_list(sight, download)],
        choices: opens
            .into_iter()
            .chain(checks)
            .chain(list)
            .chain(again)
            .chain(others)
            .chain([choice('c', "leave it")])
            .collect(),
        pending: Pending::Resume(download.number),
    }
}

fn broken(download: &Download) -> Overlay {
    // What answers a form has no middle to go on from, and no second time that the reader has not agreed to (SEC-05).
    let sends = download.request.body.is_some();
    let goes_on = (!sends && download.again && download.resumes != Some(false)).then(|| choice('g', OBVIOUS[1]));
    // Files of a directory that are there are there, so there is no other beginning.
    let anew = (download.tree.is_none() && !download.folder && download.again)
        .then(|| choice('a', if sends { "send the form again" } else { "start anew" }));
    let list = recursive::remarks(download).next().map(|_| choice('l', "list what failed or is otherwise"));
    let others = [choice('f', "forget it"), choice('c', "leave it")];
    let form = sends.then(|| "It answers a form that was sent; to have it anew is to send the form again.".to_owned());
    let lost = (!download.again).then(|| "What it takes to ask for it again is not kept; open its page.".to_owned());
    Overlay::Question {
        text: [download.path.clone(), said::download(download)]
            .into_iter()
            .chain(form)
            .chain(lost)
            // A failure has said so.
            .chain(stays(download).filter(|_| download.state == DownloadState::Cancelled))
            .collect(),
        choices: goes_on.into_iter().chain(anew).chain(list).chain(deletes(download)).chain(others).collect(),
        pending: Pending::Resume(download.number),
    }
}

/// The answer about a download that has ended.
pub(in crate::app) fn resume(cx: &mut Cx<'_>, number: DownloadId, key: char) -> Vec<Effect> {
    let ended = |d: &Download| d.number == number && !d.state.is_open();
    let Some(at) = cx.transfers.downloads.iter().position(ended) else { return Vec::new() };
    let path = path::whole(cx.sight(), &cx.transfers.downloads[at].path);
    let done = cx.transfers.downloads[at].state == DownloadState::Done;
    let beginning = match key {
        'l' => return recursive::list(cx, number),
        'f' => return kept::remove(cx, at),
        'x' if !done && is_partial(&cx.transfers.downloads[at]) => {
            let effects = vec![kept::discard(cx, at)];
            super::list::refresh(cx);
            return effects;
        }
        'o' if done => {
            let url = cx.transfers.downloads[at].url.clone();
            cx.intend(Intent::AskProgram(Target::File(path), Some(url)));
            return Vec::new();
        }
        's' if done && (cx.transfers.downloads[at].tree.is_some() || cx.transfers.downloads[at].folder) => {
            return save_again(cx, at, path);
        }
        'v' if done => return verify::verify(cx, at, ""),
        'd' if done => return show_folder(cx, at, &path),
        'y' if done => {
            cx.say(format!("copied {path}"));
            return vec![Effect::Copy(path)];
        }
        _ if done => return Vec::new(),
        'g' if cx.transfers.downloads[at].tree.is_some() => {
            recursive::retry(&mut cx.transfers.downloads[at]);
            return Vec::new();
        }
        'g' if cx.transfers.downloads[at].folder => return save_again(cx, at, path),
        'g' => Beginning::Keep,
        'a' => Beginning::Drop,
        _ => return Vec::new(),
    };
    // A newcomer to the queue: those that wait already have their turn first.
    let mut download = cx.transfers.downloads.remove(at);
    (download.beginning, download.state, download.hops) = (beginning, DownloadState::Queued, 0);
    cx.transfers.downloads.push(download);
    super::list::refresh(cx);
    Vec::new()
}

/// Its files are listed anew; those that are there as they are on the server are not fetched again.
fn save_again(cx: &mut Cx<'_>, at: usize, path: String) -> Vec<Effect> {
    let (path, url) = (Some(path), cx.transfers.downloads[at].url.clone());
    let aim = if cx.transfers.downloads[at].manner.rows.is_some() { Aim::Rows } else { Aim::Tree };
    let consent = Consent::Agreed;
    cx.open(Opening { aim, consent, path, ..Opening::followed(url) });
    Vec::new()
}

/// The folder that a file is in, or the directory itself, as a page.
fn show_folder(cx: &mut Cx<'_>, at: usize, path: &str) -> Vec<Effect> {
    let download = &cx.transfers.downloads[at];
    let above =
        if download.tree.is_some() || download.folder { Some(path) } else { path.rsplit_once('/').map(|p| p.0) };
    let folder = format!("{}/", above.unwrap_or_default().trim_end_matches('/'));
    match File::url(folder.as_bytes()) {
        Ok(url) if folder.starts_with('/') => cx.open(Opening::typed(url)),
        _ => cx.complain(format!("{path} has no folder to show")),
    }
    Vec::new()
}

/// The answer about a download that runs or waits; what came stays where the shell keeps unfinished files.
pub(in crate::app) fn stop(cx: &mut Cx<'_>, number: DownloadId, key: char) -> Vec<Effect> {
    if !matches!(key, 'p' | 'x' | 'f') {
        return Vec::new();
    }
    let open = |d: &Download| d.number == number && d.state.is_open();
    let Some(at) = cx.transfers.downloads.iter().position(open) else {
        cx.say("it has ended meanwhile");
        return Vec::new();
    };
    let download = &mut cx.transfers.downloads[at];
    let id = download.id;
    let halted = recursive::halt(download);
    let runs = download.tree.is_none() && download.state == DownloadState::Running;
    download.state = DownloadState::Cancelled;
    cx.transfers.afterwards.remove(&id);
    let mut effects = if runs { vec![Effect::Cancel(id)] } else { halted };
    match key {
        'f' => effects.extend(kept::remove(cx, at)),
        'x' => effects.push(kept::discard(cx, at)),
        _ => {}
    }
    super::list::refresh(cx);
    effects
}

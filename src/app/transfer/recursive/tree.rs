//! A directory on its way into a folder: one row among the downloads, with its files fetched a few at a time.

use super::prepare;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::state::transfers::{Ground, Run};
use crate::app::transfer::kept::make_way;
use crate::app::transfer::queue::{at_once, push};
use crate::app::transfer::verify;
use crate::app::{
    Beginning, Destination, Download, DownloadId, DownloadState, Effect, Existing, JobId, Leaf, ListedFile, Manner,
    Overlay, Sight, Transfer, Tree,
};
use crate::doc::{BlockKind, Builder, sanitise};
use crate::format::count;
use crate::format::listing::Time;
use crate::proto::{FetchError, FetchEvent, Kind, Listed, Request};
use crate::role::Role;
use crate::url::Url;
use std::time::Duration;

/// So many files in a row that could not even be asked for: the server is gone, and the rest need not be tried.
const GONE: usize = 5;

/// A plan that was agreed to.
pub(super) fn add(
    cx: &mut Cx<'_>,
    root: Url,
    request: Request,
    folder: String,
    manner: Manner,
    tree: Tree,
) -> Vec<Effect> {
    let length = tree.leaves.iter().try_fold(0_u64, |sum, leaf| Some(sum.saturating_add(leaf.size?)));
    let effects = make_way(cx, &root, &folder, request.private, true);
    cx.say(format!("saving {} into {folder}", some(tree.leaves.len(), "file")));
    push(cx, root, request, folder, Vec::new());
    if let Some(download) = cx.transfers.downloads.last_mut() {
        (download.state, download.length, download.tree) = (DownloadState::Running, length, Some(Box::new(tree)));
        download.manner = manner;
    }
    effects
}

/// Begins the next file of a tree.
pub(in crate::app) fn begin_next(cx: &mut Cx<'_>, at: usize) -> Option<Effect> {
    if cx.transfers.downloads[at].tree.as_ref().is_none_or(|tree| tree.pending.is_empty()) {
        return None;
    }
    let id = cx.job(Errand::Leaf);
    let Request { url, private, .. } = &cx.transfers.downloads[at].request;
    let login = cx.sight().login_as(*private, url);
    let Download { tree, request, path, .. } = &mut cx.transfers.downloads[at];
    let tree = tree.as_mut()?;
    let number = tree.pending.pop_front()?;
    // Once: what comes from now on is of the new one.
    let anew = std::mem::take(&mut tree.leaves[number].anew);
    let leaf = &tree.leaves[number];
    let listed = leaf.size.map(|length| Listed { length, modified: leaf.modified.and_then(Time::exactly) });
    let request = Request { url: leaf.url.clone(), listed, login: login.or(request.login.clone()), ..request.clone() };
    let into = Destination {
        path: leaf.path.clone(),
        within: Some(path.clone()),
        origin: (!request.private).then(|| leaf.url.clone()),
        existing: match leaf.replaces {
            true => Existing::Replace,
            false => Existing::Compare,
        },
        listed: ListedFile { size: leaf.size, modified: leaf.modified },
        beginning: if anew { Beginning::Drop } else { Beginning::Keep },
        runs: leaf.runs,
    };
    tree.running.insert(id, Run { leaf: number, begun: 0, octets: 0, elapsed: Duration::ZERO, undated: false });
    Some(Effect::Download { id, request, into })
}

/// The row that a file's fetch belongs to.
fn row(sight: Sight<'_>, id: JobId) -> Option<usize> {
    let owns = |download: &Download| download.tree.as_ref().is_some_and(|tree| tree.running.contains_key(&id));
    sight.transfers.downloads.iter().position(owns)
}

/// What a file's fetch says before its body.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Failed(error) => {
            let gone = is_gone(&error);
            count_gone(cx, id, gone);
            if !gone && is_left_out(cx, id, &error) {
                return transfer(cx, id, elapsed, Transfer::Partial);
            }
            let effects = transfer(cx, id, elapsed, Transfer::Failed(error.detail));
            if gone { blame(cx, effects) } else { effects }
        }
        FetchEvent::Moved(_) => transfer(cx, id, elapsed, Transfer::Failed("It is elsewhere.".into())),
        _ => Vec::new(),
    }
}

/// Notes why there is no file, where the fetch is of a link, or of what a bare list of paths does not tell from an empty folder;
/// whether it is.
fn is_left_out(cx: &mut Cx<'_>, id: JobId, error: &FetchError) -> bool {
    let trees = cx.transfers.downloads.iter_mut().filter_map(|download| download.tree.as_mut());
    let found = trees.filter_map(|tree| tree.running.get(&id).map(|run| run.leaf).map(|leaf| (tree, leaf))).next();
    let Some((tree, leaf)) = found else { return false };
    let (why, Leaf { path, link, size, .. }) = (&error.detail, &tree.leaves[leaf]);
    match link {
        true => tree.left.push((leaf, format!("a link, left out: {why}"))),
        false if error.kind != Kind::NoFile || size.is_some() => return false,
        false => tree.remarks.push(format!("{path}: no file, left out: {why}")),
    }
    true
}

fn is_gone(error: &FetchError) -> bool {
    matches!(error.kind, Kind::NoSuchHost | Kind::Refused | Kind::TimedOut | Kind::Broken | Kind::Crowded)
}

/// Counts failures in a row for which the server or the way to it is to blame: what it refuses it was there to refuse.
fn count_gone(cx: &mut Cx<'_>, id: JobId, gone: bool) {
    let Some(at) = row(cx.sight(), id) else { return };
    if let Some(tree) = cx.transfers.downloads[at].tree.as_mut() {
        tree.gone = if gone { tree.gone + 1 } else { 0 };
    }
}

/// Gives up trees whose server is gone.
fn blame(cx: &mut Cx<'_>, mut effects: Vec<Effect>) -> Vec<Effect> {
    for at in 0..cx.transfers.downloads.len() {
        let Some(tree) = cx.transfers.downloads[at].tree.as_mut() else { continue };
        if tree.gone >= GONE && cx.transfers.downloads[at].state == DownloadState::Running {
            effects.extend(halt(&mut cx.transfers.downloads[at]));
            cx.transfers.downloads[at].state = DownloadState::Cut("The server cannot be reached any more.".into());
            cx.complain("download: the server cannot be reached any more; the rest waits in the list of downloads");
            super::super::refresh_list(cx);
        }
    }
    effects
}

/// How far a file has come.
pub(in crate::app) fn transfer(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, transfer: Transfer) -> Vec<Effect> {
    let Some(at) = row(cx.sight(), id) else { return Vec::new() };
    let most = at_once(cx.sight(), &cx.transfers.downloads[at].request.url);
    let download = &mut cx.transfers.downloads[at];
    let Some(tree) = &mut download.tree else { return Vec::new() };
    // Of one that waits for its turn no time passes.
    let share = u32::try_from(tree.running.len().min(most)).unwrap_or(1).max(1);
    let Some(run) = tree.running.get_mut(&id) else { return Vec::new() };
    // There is no clock here: files that come at once share the time that passes.
    download.elapsed += elapsed.saturating_sub(run.elapsed) / share;
    run.elapsed = elapsed;
    let full = if let Transfer::Full(why) = &transfer { Some(why.clone()) } else { None };
    match transfer {
        Transfer::Begun(from, _) => (run.begun, run.octets) = (from, from),
        Transfer::Undated => run.undated = true,
        Transfer::Progress(octets) => run.octets = octets,
        ended => end(tree, id, ended),
    }
    if tree.gone > 0 && tree.running.values().any(|run| run.octets > run.begun) {
        tree.gone = 0;
    }
    let coming = |sum: u64, run: &Run| sum.saturating_add(run.octets);
    download.received = tree.running.values().fold(tree.whole, coming);
    let wire = tree.running.values().fold(tree.fetched, |sum, run| sum + run.octets.saturating_sub(run.begun));
    download.pace.note(download.elapsed, wire);
    if !tree.running.contains_key(&id) {
        cx.jobs.end(id);
    }
    let effects = match full {
        Some(why) => out_of_room(cx, at, why),
        None => {
            finish(cx, at);
            Vec::new()
        }
    };
    super::super::refresh_list(cx);
    effects
}

/// No file that is left would find room: they all wait until the reader has made some.
fn out_of_room(cx: &mut Cx<'_>, at: usize, why: String) -> Vec<Effect> {
    let effects = halt(&mut cx.transfers.downloads[at]);
    cx.complain(format!("download: {why} The rest waits in the list of downloads."));
    cx.transfers.downloads[at].state = DownloadState::Cut(why);
    effects
}

fn end(tree: &mut Tree, id: JobId, ended: Transfer) {
    let Some(run) = tree.running.remove(&id) else { return };
    let came = run.octets.saturating_sub(run.begun);
    tree.fetched = tree.fetched.saturating_add(came);
    if came > 0 || !matches!(ended, Transfer::Failed(_)) {
        tree.gone = 0;
    }
    match ended {
        Transfer::Done(..) => {
            tree.done += 1;
            // Where nothing is listed there is nothing to be missed.
            if run.undated && tree.leaves[run.leaf].modified.is_some() {
                tree.timeless.push(run.leaf);
            }
            tree.replaced += usize::from(tree.leaves[run.leaf].replaces);
            tree.whole = tree.whole.saturating_add(run.octets);
        }
        Transfer::Present(_) => {
            tree.there += 1;
            tree.whole = tree.whole.saturating_add(tree.leaves[run.leaf].size.unwrap_or(0));
        }
        Transfer::Cut(why) | Transfer::Failed(why) => tree.fail(run.leaf, why),
        Transfer::Full(_) => tree.pending.push_front(run.leaf),
        Transfer::Stale(why) => {
            // Nor is the listing true of it any more: its facts are asked for.
            let leaf = &mut tree.leaves[run.leaf];
            (leaf.anew, leaf.size, leaf.modified) = (true, None, None);
            tree.fail(run.leaf, format!("{why} What came of the old one is given up when the directory goes on."));
        }
        // Of what nothing is listed it is seen as it comes; the reader is asked once, about all of them.
        Transfer::Exists(_) if tree.leaves[run.leaf].size.is_none() => tree.differ.push(run.leaf),
        Transfer::Exists(_) => tree.fail(run.leaf, "There is another file of this name; it was left as it is.".into()),
        // What is said of it was noted.
        Transfer::Partial | Transfer::Begun(..) | Transfer::Undated | Transfer::Progress(_) => {}
    }
}

/// So many of them: "1 file", "2 files".
pub(super) fn some(many: usize, what: &str) -> String {
    format!("{} {what}{}", count(many), if many == 1 { "" } else { "s" })
}

/// The last file has ended, or there is none to come.
pub(super) fn finish(cx: &mut Cx<'_>, at: usize) {
    let download = &mut cx.transfers.downloads[at];
    let Some(tree) = download.tree.as_ref().filter(|tree| tree.pending.is_empty() && tree.running.is_empty()) else {
        return;
    };
    if !tree.differ.is_empty() {
        return prepare::ask(cx, at);
    }
    let (files, failed, there) = (count(tree.files()), tree.failures(), count(tree.there));
    if let Some((_, why)) = tree.failed.first() {
        // One cause is often that of all; the others are in the list.
        let sentence = format!("{} of {files} files could not be saved: {why}", count(failed));
        download.state = DownloadState::Cut(sentence.clone());
        return cx.complain(format!("download: {sentence}"));
    }
    download.state = DownloadState::Done;
    let mut said = match tree.again {
        true => format!(
            "{} new, {} changed, {} gone, {there} as they were in {}",
            count(tree.done - tree.replaced.min(tree.done)),
            count(tree.replaced + tree.relinks),
            count(tree.others.len()),
            download.path
        ),
        false => {
            let (files, were) = (some(tree.done, "file"), if tree.there == 1 { "was" } else { "were" });
            format!("saved {files} into {}, {there} {were} there already", download.path)
        }
    };
    let (changes, left) = (tree.changes.len(), tree.left.len());
    let links = tree.left.iter().filter(|(at, _)| tree.leaves[*at].link).count();
    if links > 0 {
        said.push_str(&format!(", {} left out", some(links, "link")));
    }
    let left = left - links + tree.unlinked.len();
    if left > 0 {
        said.push_str(&format!(", {} left as {} here", count(left), if left == 1 { "it was" } else { "they were" }));
    }
    if !tree.remarks.is_empty() {
        said.push_str(&format!(", {} not saved", count(tree.remarks.len())));
    }
    if changes > 0 {
        let names = if changes == 1 { "another name" } else { "other names" };
        said.push_str(&format!(", {} under {names}", count(changes)));
    }
    if !tree.undated.is_empty() {
        let whose = if tree.undated.len() == 1 { "its time" } else { "their times" };
        said.push_str(&format!(", {} without {whose}", some(tree.undated.len(), "folder")));
    }
    if !tree.timeless.is_empty() {
        let whose = if tree.timeless.len() == 1 { "its time" } else { "their times" };
        said.push_str(&format!(", {} without {whose}", some(tree.timeless.len(), "file")));
    }
    if tree.lines().next().is_some() {
        said.push_str("; Enter on it in the list of downloads tells which");
    }
    download.beside = verify::tree::lists(tree).into_iter().collect();
    if let Some(hint) = verify::hint(download) {
        said.push_str(&format!(" · {hint}"));
    }
    cx.say(said);
}

/// Ends the fetches of a tree; their files wait again.
pub(in crate::app) fn halt(download: &mut Download) -> Vec<Effect> {
    let Some(tree) = &mut download.tree else { return Vec::new() };
    if matches!(tree.ground, Ground::Asked(_)) {
        tree.ground = Ground::Bare;
    }
    let running = std::mem::take(&mut tree.running);
    for run in running.values().rev() {
        tree.fetched = tree.fetched.saturating_add(run.octets.saturating_sub(run.begun));
        tree.pending.push_front(run.leaf);
    }
    running.into_keys().map(Effect::Cancel).collect()
}

/// What failed or was left waits again.
pub(in crate::app) fn retry(download: &mut Download) {
    let Some(tree) = &mut download.tree else { return };
    tree.wait_to_differ();
    tree.differ.clear();
    tree.pending.extend(tree.failed.drain(..).map(|(leaf, _)| leaf));
    (tree.gone, tree.dated) = (0, false);
    download.state = DownloadState::Running;
}

/// What is to be said of single files of a directory, in this run or an earlier one.
pub(in crate::app) fn remarks(download: &Download) -> impl Iterator<Item = String> {
    let lines = download.tree.iter().flat_map(|tree| tree.lines());
    lines.chain(download.remarks.iter().filter(|_| download.tree.is_none()).cloned())
}

/// Shows the files that could not be had, and why, and what is not as it is on the server.
pub(in crate::app) fn list(cx: &mut Cx<'_>, number: DownloadId) -> Vec<Effect> {
    let mut out = Builder::new();
    let Some(download) = cx.transfers.downloads.iter().find(|download| download.number == number) else {
        return Vec::new();
    };
    for line in remarks(download) {
        out.block(BlockKind::Paragraph, Role::Overlay);
        out.text(&sanitise(&line));
    }
    let title = if download.state == DownloadState::Done { "Otherwise in" } else { "Not saved into" };
    cx.hands.raise(Overlay::notice(format!("{title} {}", download.path), out.finish()));
    Vec::new()
}

//! What comes before the files of a saved directory: its folders and links are made, also those with nothing in them, and it is
//! looked what is there already. What is there as it would come is not asked for; whether another of its name is replaced, the
//! reader says. Refuses: to delete anything.

use super::tree::{finish, some};
use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::state::transfers::Ground;
use crate::app::{
    Download, DownloadId, DownloadState, Effect, Expected, JobId, Overlay, Pending, Preparation, There, Tree,
};
use crate::format::count;
use std::collections::BTreeSet;

/// Names in a question.
const SHOWN: usize = 5;

/// Has the folder of a tree that was just agreed to made ready.
pub(in crate::app) fn prepare(cx: &mut Cx<'_>, at: usize) -> Option<Effect> {
    let bare = |download: &Download| {
        download.state == DownloadState::Running
            && download.tree.as_ref().is_some_and(|tree| tree.ground == Ground::Bare)
    };
    if !bare(&cx.transfers.downloads[at]) {
        return None;
    }
    let id = cx.job(Errand::Prepare);
    let Download { tree, path, .. } = &mut cx.transfers.downloads[at];
    let tree = tree.as_mut()?;
    tree.ground = Ground::Asked(id);
    let expected =
        |leaf: &crate::app::Leaf| Expected { path: leaf.path.clone(), size: leaf.size, modified: leaf.modified };
    if let Some(again) = &tree.relinked {
        let links = again.iter().filter_map(|at| tree.links.get(*at).cloned()).collect();
        let plan = Preparation { within: path.clone(), links, replaces: true, ..Preparation::default() };
        return Some(Effect::Prepare { id, plan: Box::new(plan) });
    }
    let plan = Preparation {
        within: path.clone(),
        replaces: false,
        folders: tree.folders.clone(),
        links: tree.links.clone(),
        files: tree.leaves.iter().map(expected).collect(),
        apart: tree.apart.clone(),
        others: tree.again && tree.whole_sight,
    };
    Some(Effect::Prepare { id, plan: Box::new(plan) })
}

/// Has the folders of a tree that has ended, whatever failed in it, given their times: what came into them has changed those, and
/// does so again when it goes on.
pub(in crate::app) fn date(cx: &mut Cx<'_>, at: usize) -> Option<Effect> {
    let Download { tree, state, number, path, .. } = &mut cx.transfers.downloads[at];
    let ended = !state.is_open();
    let tree = tree.as_mut().filter(|tree| ended && !tree.dated && !tree.times.is_empty())?;
    tree.dated = true;
    let (number, within, folders) = (*number, path.clone(), tree.times.clone());
    Some(Effect::Date { id: cx.job(Errand::Date(number)), within, folders })
}

/// They have them, but for those of which it is told here.
pub(in crate::app) fn dated(cx: &mut Cx<'_>, number: DownloadId, remarks: Vec<String>) -> Vec<Effect> {
    let Some(at) = cx.transfers.downloads.iter().position(|download| download.number == number) else {
        return Vec::new();
    };
    let download = &mut cx.transfers.downloads[at];
    let Some(tree) = download.tree.as_mut().filter(|tree| tree.undated != remarks) else { return Vec::new() };
    tree.undated = remarks;
    // It is kept with what is said of it.
    download.noted = None;
    if download.state == DownloadState::Done {
        finish(cx, at);
    }
    super::super::refresh_list(cx);
    Vec::new()
}

/// The folder is ready.
pub(in crate::app) fn prepared(cx: &mut Cx<'_>, id: JobId, there: There) -> Vec<Effect> {
    let asked = |download: &Download| download.tree.as_ref().is_some_and(|tree| tree.ground == Ground::Asked(id));
    let Some(at) = cx.transfers.downloads.iter().position(asked) else { return Vec::new() };
    let Download { tree, received, .. } = &mut cx.transfers.downloads[at];
    let Some(tree) = tree else { return Vec::new() };
    tree.ground = Ground::Ready;
    if let Some(links) = tree.relinked.take() {
        tree.relinks += links.len().saturating_sub(there.remarks.len());
        tree.remarks.extend(there.remarks);
        finish(cx, at);
        super::super::refresh_list(cx);
        return Vec::new();
    }
    tree.is_there(&there.same);
    (tree.others, tree.differ, tree.elsewhere) = (there.others, there.changed, there.elsewhere);
    tree.remarks.extend(there.remarks);
    *received = tree.whole;
    if tree.differ.is_empty() && tree.elsewhere.is_empty() {
        finish(cx, at);
    } else {
        ask(cx, at);
    }
    super::super::refresh_list(cx);
    Vec::new()
}

/// Asks what becomes of what is there and not as on the server.
pub(super) fn ask(cx: &mut Cx<'_>, at: usize) {
    let Download { tree, state, number, path, .. } = &mut cx.transfers.downloads[at];
    let Some(tree) = tree else { return };
    tree.wait_to_differ();
    *state = DownloadState::Asking;
    let question = question(*number, path, tree);
    cx.hands.queue(question);
}

impl Tree {
    /// These files are there as they would come.
    fn is_there(&mut self, same: &[usize]) {
        let mut is = vec![false; self.leaves.len()];
        for at in same {
            if let Some(is) = is.get_mut(*at) {
                *is = true;
            }
        }
        let is_there = |at: &usize| is.get(*at).copied().unwrap_or_default();
        let (there, left): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending).into_iter().partition(is_there);
        self.pending = left.into();
        for at in there {
            self.there += 1;
            self.whole = self.whole.saturating_add(self.leaves[at].size.unwrap_or(0));
        }
    }

    /// What differs waits with the files that are yet to come.
    pub(super) fn wait_to_differ(&mut self) {
        let waits: BTreeSet<usize> = self.pending.iter().copied().collect();
        self.pending.extend(self.differ.iter().filter(|at| !waits.contains(at)));
    }
}

fn question(number: DownloadId, path: &str, tree: &Tree) -> Overlay {
    let fresh = (tree.pending.len() + tree.done).saturating_sub(tree.differ.len() + tree.replaced);
    let differ = tree.differ.len() + tree.elsewhere.len();
    let what = match (tree.differ.len(), tree.elsewhere.len()) {
        (_, 0) => "file",
        (0, _) => "link",
        _ => "name",
    };
    let many = format!("{} {}", some(differ, what), if differ == 1 { "is" } else { "are" });
    let names = tree.differ.iter().filter_map(|at| tree.leaves.get(*at));
    let names = names.map(|leaf| format!("  {}", leaf.path));
    let links = tree.elsewhere.iter().filter_map(|at| tree.links.get(*at));
    let names = names.chain(links.map(|(path, to)| format!("  {path}, which leads to {to} on the server"))).take(SHOWN);
    let more = (differ > SHOWN).then(|| format!("  and {} more", count(differ - SHOWN)));
    let text = [path.to_owned(), format!("{many} there already, and not as on the server:")];
    let counts = format!("{} new, {} changed, {} as they were", count(fresh), count(differ), count(tree.there));
    Overlay::Question {
        text: text.into_iter().chain(names).chain(more).chain([counts]).collect(),
        choices: vec![
            choice('r', "replace by the server's"),
            choice('l', "leave as they are here"),
            choice('c', "cancel"),
        ],
        pending: Pending::Changed(number),
    }
}

/// What becomes of files that are there and not as on the server.
pub(in crate::app) fn answered(cx: &mut Cx<'_>, number: DownloadId, key: char) -> Vec<Effect> {
    let asks = |d: &Download| d.number == number && d.state == DownloadState::Asking;
    let Some(at) = cx.transfers.downloads.iter().position(asks) else { return Vec::new() };
    let Download { tree, state, .. } = &mut cx.transfers.downloads[at];
    let Some(tree) = tree else { return Vec::new() };
    let (differ, elsewhere) = (std::mem::take(&mut tree.differ), std::mem::take(&mut tree.elsewhere));
    *state = DownloadState::Running;
    match key {
        'r' => {
            differ.iter().for_each(|at| tree.leaves[*at].replaces = true);
            if !elsewhere.is_empty() {
                (tree.relinked, tree.ground) = (Some(elsewhere), Ground::Bare);
            }
        }
        'l' => {
            let left: BTreeSet<usize> = differ.iter().copied().collect();
            tree.pending.retain(|at| !left.contains(at));
            let why = || "another file of this name is there; it was left as it is".to_owned();
            tree.left.extend(differ.into_iter().map(|at| (at, why())));
            let links = elsewhere.into_iter().filter_map(|at| tree.links.get(at));
            let words = |(path, to): &(String, String)| {
                format!("{path}: leads to {to} on the server, and elsewhere here; it was left as it was")
            };
            tree.unlinked.extend(links.map(words));
            finish(cx, at);
        }
        // Going on looks and asks again.
        _ => {
            (*state, tree.ground) = (DownloadState::Cancelled, Ground::Bare);
        }
    }
    super::super::refresh_list(cx);
    Vec::new()
}

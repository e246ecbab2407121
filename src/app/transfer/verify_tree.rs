//! `verify` of a saved directory: all its files, by the lists of checksums that are in it. The shell walks through it and compares; what
//! came of it stays with the download. Refuses: signatures of such lists, which are checked with a file that is saved by itself.

use super::{list, path, verify};
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, Tree, Verified};
use crate::sums::{Beside, of_others};
use crate::url::Url;

/// Checks the folder of the download at this place; `given` when the reader named a sum, which is that of one file.
pub(super) fn verify(cx: &mut Cx<'_>, at: usize, given: bool) -> Vec<Effect> {
    let Some(download) = cx.transfers.downloads.get(at) else { return Vec::new() };
    let (name, number) = (verify::file_name(download).to_owned(), download.number);
    if given {
        cx.complain(format!(
            "{name} is a folder: a checksum is of one file; :verify alone checks all by the lists in it"
        ));
        return Vec::new();
    }
    let (path, names) = (path::whole(cx.sight(), &download.path), download.manner.names.clone());
    let stops = cx.key_for("stop").map(|key| format!("; {key} stops")).unwrap_or_default();
    cx.say(format!("checking all files in {name}{stops}"));
    let id = cx.job(Errand::VerifyTree(number));
    list::refresh(cx);
    vec![Effect::SumTree { id, path, names }]
}

/// All is compared, or could not be.
pub(in crate::app) fn summed(cx: &mut Cx<'_>, id: JobId, result: Result<Verified, String>) -> Vec<Effect> {
    let Some(Errand::VerifyTree(number)) = cx.jobs.end(id) else { return Vec::new() };
    verify::note(cx, number, result.unwrap_or_else(|said| Verified { agrees: None, said }))
}

/// The first of a directory's files that holds checksums, a list before one of a single file.
pub(super) fn lists(tree: &Tree) -> Option<Url> {
    let holds = |path: &str| match of_others(path.rsplit('/').next().unwrap_or_default().as_bytes()) {
        Some((Beside::Sums(..), of)) => Some((of.is_some(), path.matches('/').count())),
        _ => None,
    };
    let ranked = tree.leaves.iter().filter_map(|leaf| Some((holds(&leaf.path)?, &leaf.url)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, url)| url.clone())
}

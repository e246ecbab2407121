//! `verify` of a saved directory: all its files, by the lists of checksums that are in it. The shell walks through it and compares; what
//! came of it stays with the download. Signatures of those lists go to `gpg`, if the reader wants that, one after the other, with what
//! the files were compared with. Refuses: signatures of other files in it.

use super::gpg::{self, Heard, scratch};
use super::{file_name, signed, verdict};
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Gathered, SignedLists};
use crate::app::transfer::{list, path};
use crate::app::{Compared, Effect, JobId, ListSignature, NotWritten, Pending, Tree, Verified};
use crate::doc::sanitise;
use crate::format::count;
use crate::proto::FetchEvent;
use crate::sums::{Beside, may_be_in_clear, of_others};
use crate::url::Url;

/// Names that are said of many.
const SHOWN: usize = 3;

/// Checks the folder of the download at this place; `given` when the reader named a sum, which is that of one file.
pub(super) fn verify(cx: &mut Cx<'_>, at: usize, given: bool) -> Vec<Effect> {
    let Some(download) = cx.transfers.downloads.get(at) else { return Vec::new() };
    let (name, number) = (file_name(download).to_owned(), download.number);
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
pub(in crate::app) fn summed(cx: &mut Cx<'_>, id: JobId, result: Result<Compared, String>) -> Vec<Effect> {
    let Some(Errand::VerifyTree(number)) = cx.jobs.end(id) else { return Vec::new() };
    let alone = |said| Compared { verified: Verified { agrees: None, said }, right: 0, signatures: Vec::new() };
    let Compared { verified, right, signatures } = result.unwrap_or_else(alone);
    let effects = verdict::note(cx, number, verified.clone());
    if !signatures.is_empty() && cx.transfers.downloads.iter().any(|download| download.number == number) {
        ask(
            cx,
            SignedLists {
                number,
                verified,
                right,
                vouched: Default::default(),
                good: Default::default(),
                left: signatures.into(),
                body: Gathered::default(),
            },
        );
        list::refresh(cx);
    }
    effects
}

/// Asks whether `gpg` may look at the signatures (SEC-11).
fn ask(cx: &mut Cx<'_>, lists: SignedLists) {
    let names: Vec<String> = lists.left.iter().map(|signature| sanitise(&signature.name).into_owned()).collect();
    let (first, each) = match names.len() {
        1 => ("A list in it is signed".to_owned(), "its"),
        many => (format!("{} lists in it are signed", count(many)), "each"),
    };
    let mut text = vec![format!("{first}: {}. This program looks at {each} signature:", first_of(&names))];
    // A list that stands apart is in a file for that long, the same for all of them.
    let path = scratch(cx, lists.number);
    for signed in [Some(&*path), None] {
        if lists.left.iter().any(|signature| signature.list.is_some() == signed.is_some()) {
            text.push(gpg::program(signed).join(" "));
        }
    }
    let id = cx.job(Errand::SignTree(Box::new(lists)));
    gpg::question(cx, text, Pending::Signature(id));
}

/// The reader has said whether it may.
pub(super) fn agreed(cx: &mut Cx<'_>, mut lists: Box<SignedLists>, yes: bool) -> Vec<Effect> {
    if yes {
        return next(cx, lists);
    }
    lists.left.clear();
    lists.say(None, "signatures of lists are not checked: that was left".into());
    next(cx, lists)
}

impl SignedLists {
    /// Notes what came of a signature: a good one says who vouches for the list, and nothing of files that it does not name.
    fn say(&mut self, agrees: Option<bool>, said: String) {
        let Verified { agrees: all, said: words } = &mut self.verified;
        *all = if agrees == Some(false) { agrees } else { *all };
        words.push_str(&format!("; {said}"));
    }
}

/// Has the next signature looked at, or ends.
fn next(cx: &mut Cx<'_>, mut lists: Box<SignedLists>) -> Vec<Effect> {
    let Some(signature) = lists.left.front_mut() else {
        let good = std::mem::take(&mut lists.good);
        if !good.is_empty() && lists.right > 0 {
            let which = vouched(lists.vouched.len(), lists.right);
            lists.say(None, format!("lists with a good signature name {which}"));
        }
        good.iter().for_each(|(owner, names)| lists.say(None, all_good(owner, names)));
        return verdict::note(cx, lists.number, lists.verified);
    };
    match signature.list.as_mut().map(|(_, content)| std::mem::take(content)) {
        Some(content) => {
            let path = scratch(cx, lists.number);
            gpg::put(cx, Errand::SignTree(lists), path, content)
        }
        None => look(cx, lists),
    }
}

/// The list is in its file, or is not.
pub(in crate::app) fn wrote(
    cx: &mut Cx<'_>,
    lists: Box<SignedLists>,
    result: Result<String, NotWritten>,
) -> Vec<Effect> {
    match result {
        Ok(_) => look(cx, lists),
        Err(NotWritten::Failed(sentence) | NotWritten::Exists(sentence)) => looked(cx, lists, Some(sentence)),
    }
}

fn look(cx: &mut Cx<'_>, mut lists: Box<SignedLists>) -> Vec<Effect> {
    lists.body = Gathered::default();
    let path = file(cx, &lists);
    let signature = lists.left.front_mut().map(|signature| std::mem::take(&mut signature.content));
    gpg::look(cx, Errand::SignTree(lists), path.as_deref(), signature.unwrap_or_default())
}

/// The file of the list whose signature is looked at, where that is another one.
fn file(cx: &Cx<'_>, lists: &SignedLists) -> Option<String> {
    lists.left.front()?.list.as_ref().map(|_| scratch(cx, lists.number))
}

/// The list was in a file for as long as it was looked at.
pub(super) fn removed(cx: &mut Cx<'_>, lists: &SignedLists) -> Vec<Effect> {
    let path = file(cx, lists);
    gpg::discard(cx, path)
}

/// How much of what is right is so by somebody's word.
fn vouched(named: usize, right: usize) -> String {
    match named {
        0 => "none of those that are right".into(),
        _ if named >= right => "all that are right".into(),
        _ => format!("only {} of the {} that are right", count(named), count(right)),
    }
}

/// Many good signatures of one owner are one thing to say.
fn all_good(owner: &str, names: &[String]) -> String {
    match names.len() {
        1 => format!("{} is a good signature of {owner}", first_of(names)),
        many => format!("{} good signatures of {owner}: {}", count(many), first_of(names)),
    }
}

fn first_of(names: &[String]) -> String {
    let first = names.iter().take(SHOWN).map(|name| &**name).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} and {} more", count(more)),
    }
}

/// Takes what `gpg` says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let Some(Errand::SignTree(lists)) = cx.jobs.errand_mut(id) else { return Vec::new() };
    let (failed, mut effects) = match gpg::heard(id, event, &mut lists.body) {
        Heard::More(effects) => return effects,
        Heard::End(failed, effects) => (failed, effects),
    };
    if let Some(Errand::SignTree(lists)) = cx.jobs.end(id) {
        effects.extend(looked(cx, lists, failed));
    }
    effects
}

/// The first signature is looked at, or why it could not be.
fn looked(cx: &mut Cx<'_>, mut lists: Box<SignedLists>, failed: Option<String>) -> Vec<Effect> {
    let mut effects = removed(cx, &lists);
    let Some(ListSignature { name, list, right, .. }) = lists.left.pop_front() else { return effects };
    match failed {
        Some(why) => {
            // Both from the folder.
            let by_hand = gpg::by_hand(&name, list.as_ref().map(|(list, _)| &**list));
            lists.say(None, format!("{name} is not checked: {why} {by_hand}"));
        }
        None => match signed::good(&lists.body.octets) {
            Some(owner) => {
                lists.vouched.extend(right);
                lists.good.entry(owner).or_default().push(sanitise(&name).into_owned());
            }
            None => {
                let of = list.as_ref().map_or(signed::ITSELF, |(list, _)| list);
                let (agrees, said) = signed::judged(&sanitise(&name), &sanitise(of), &lists.body.octets);
                lists.say(agrees, said);
            }
        },
    }
    effects.extend(next(cx, lists));
    effects
}

/// The first of a directory's files that holds checksums, a list before one of a single file, and both before what may be signed in
/// clear.
pub(in crate::app::transfer) fn lists(tree: &Tree) -> Option<Url> {
    let holds = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default().as_bytes();
        let worth = match of_others(name)? {
            (Beside::Sums(..), None) => 0,
            (Beside::Sums(..), Some(_)) => 1,
            (Beside::OfSums, _) if may_be_in_clear(name) => 2,
            (Beside::OfSums | Beside::Signature, _) => return None,
        };
        Some((worth, path.matches('/').count()))
    };
    let ranked = tree.leaves.iter().filter_map(|leaf| Some((holds(&leaf.path)?, &leaf.url)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, url)| url.clone())
}

//! `verify` of a saved directory: all its files, by the lists of checksums that are in it. The shell walks through it and compares; what
//! came of it stays with the download. Signatures of those lists go to `gpg`, if the reader wants that, one after the other. Refuses:
//! signatures of other files in it.

use super::verify::{GPG, MOST, OUTPUT};
use super::{list, path, signed, verify};
use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Gathered, SignedLists};
use crate::app::{Compared, Effect, JobId, ListSignature, Overlay, Pending, Tree, Verified};
use crate::doc::sanitise;
use crate::format::count;
use crate::proto::{FetchEvent, Request, Verdict};
use crate::sums::{Beside, may_be_in_clear, of_others};
use crate::url::Url;

/// Programs in a question.
const SHOWN: usize = 3;

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
pub(in crate::app) fn summed(cx: &mut Cx<'_>, id: JobId, result: Result<Compared, String>) -> Vec<Effect> {
    let Some(Errand::VerifyTree(number)) = cx.jobs.end(id) else { return Vec::new() };
    let alone = |said| Compared { verified: Verified { agrees: None, said }, signatures: Vec::new() };
    let Compared { verified, signatures } = result.unwrap_or_else(alone);
    let effects = verify::note(cx, number, verified.clone());
    if !signatures.is_empty() && cx.transfers.downloads.iter().any(|download| download.number == number) {
        ask(
            cx,
            SignedLists {
                number,
                verified,
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
    let first = match lists.left.len() {
        1 => "A list in it is signed. This program looks at its signature:".to_owned(),
        many => format!("{} lists in it are signed. This program looks at each signature:", count(many)),
    };
    let programs = lists.left.iter().take(SHOWN).map(|signature| program(signature).join(" "));
    let more = lists.left.len().saturating_sub(SHOWN);
    let more = (more > 0).then(|| format!("and {} more", count(more)));
    let text = std::iter::once(first).chain(programs).chain(more).collect();
    let id = cx.job(Errand::SignTree(Box::new(lists)));
    let choices = vec![choice('y', "run it"), choice('n', "leave it")];
    cx.hands.queue(Overlay::Question { text, choices, pending: Pending::Signature(id) });
}

fn program(signature: &ListSignature) -> Vec<String> {
    GPG.iter().map(|word| (*word).to_owned()).chain(signature.list.clone()).collect()
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
        good.iter().for_each(|(owner, names)| lists.say(None, all_good(owner, names)));
        return verify::note(cx, lists.number, lists.verified);
    };
    let (program, input) = (program(signature), std::mem::take(&mut signature.content));
    let Ok(page) = Url::parse(OUTPUT) else { return Vec::new() };
    lists.body = Gathered::default();
    vec![Effect::Pipe { id: cx.job(Errand::SignTree(lists)), request: Request::new(page), program, input }]
}

/// Many good signatures of one owner are one thing to say.
fn all_good(owner: &str, names: &[String]) -> String {
    let first = names.iter().take(SHOWN).map(|name| &**name).collect::<Vec<_>>().join(", ");
    match names.len() {
        1 => format!("{first} is a good signature of {owner}"),
        many if many > SHOWN => {
            format!("{} good signatures of {owner}: {first} and {} more", count(many), count(many - SHOWN))
        }
        many => format!("{} good signatures of {owner}: {first}", count(many)),
    }
}

/// Takes what `gpg` says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let (mut effects, failed) = match event {
        FetchEvent::Head(_) => return vec![Effect::Verdict { id, verdict: Verdict::Accept }],
        FetchEvent::Body(octets) => {
            let Some(Errand::SignTree(lists)) = cx.jobs.errand_mut(id) else { return Vec::new() };
            lists.body.take(&octets, MOST);
            if !lists.body.cut {
                return Vec::new();
            }
            (vec![Effect::Cancel(id)], Some("gpg says too much.".to_owned()))
        }
        FetchEvent::End(_) => (Vec::new(), None),
        FetchEvent::Failed(error) => (Vec::new(), Some(error.detail)),
        _ => return Vec::new(),
    };
    let Some(Errand::SignTree(mut lists)) = cx.jobs.end(id) else { return effects };
    let Some(ListSignature { name, list, .. }) = lists.left.pop_front() else { return effects };
    if failed.is_none()
        && let Some(owner) = signed::good(&lists.body.octets)
    {
        lists.good.entry(owner).or_default().push(sanitise(&name).into_owned());
        effects.extend(next(cx, lists));
        return effects;
    }
    let (agrees, said) = match failed {
        None => signed::judged(&sanitise(&name), &lists.body.octets),
        Some(why) => {
            // Both from the folder; a list stands beside its signature.
            let folder = &name[..name.rfind('/').map_or(0, |at| at + 1)];
            let list = list.as_deref().and_then(|list| list.rsplit('/').next());
            let list = list.map(|list| format!(" {folder}{list}")).unwrap_or_default();
            let hand = format!("By hand: gpg --verify {name}{list}");
            (None, format!("{name} is not checked: {why} {hand}"))
        }
    };
    lists.say(agrees, said);
    effects.extend(next(cx, lists));
    effects
}

/// The first of a directory's files that holds checksums, a list before one of a single file, and both before what may be signed in
/// clear.
pub(super) fn lists(tree: &Tree) -> Option<Url> {
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

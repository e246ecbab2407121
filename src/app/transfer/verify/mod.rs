//! `verify`: whether a file that was saved is what it should be, by what stands beside it where it came from, by a sum that the
//! reader gives, or, where there is neither, by the word of the FTP server that sent it.
//!
//! The files of sums are fetched one after the other, the best first, and whatever any of them says of the download has to be true, or
//! who adds one outvotes another; of one that is signed in clear only what is signed counts. The file is reckoned by the shell, all
//! kinds at once; a signature goes to `gpg` ([`gpg`]), and what came of all of it stays with the download ([`verdict`]). A directory is
//! checked by the lists in it ([`tree`]). Refuses: files of sums of more than [`MOST`] octets, redirects that a download
//! would not follow.

pub(super) mod gpg;
pub(super) mod signed;
pub(in crate::app) mod tree;
mod verdict;

pub(in crate::app) use gpg::{agreed, wrote};

use super::{beside, list, name, path, redirect};
use crate::app::page::veil::Veil;
use crate::app::state::Cx;
use crate::app::state::jobs::{CheckStep as Step, Errand, Gathered, Signs, Verifying, Word};
use crate::app::{Download, DownloadState, Effect, JobId, Overlay, Pending, Sight, Verified};
use crate::doc::sanitise;
use crate::format::message::{is_not_looked_at, signed_in_clear};
use crate::format::{human, media};
use crate::proto::{End, FetchEvent, Head, Listed, Request, Verdict};
use crate::sums::{self, Beside, Kind, Sum};
use crate::url::Url;
use crate::url::scheme::{self, Family};
use gpg::{ask_about, removed, scratch, signed_list, signed_name};
use std::collections::{BTreeSet, VecDeque};
use verdict::{both, compared, finish, given_up};

/// Octets of a file of sums, and of a signature.
const MOST: usize = 4 << 20;

/// What a finished download can be checked with, in words for its row and for the end of its fetch.
pub(super) fn hint(download: &Download) -> Option<String> {
    let first = download.beside.first().filter(|_| is_whole(download))?;
    let place = if is_file(download) { "beside" } else { "in" };
    let what = match beside::what(first, &download.url) {
        Some(Beside::Signature) => ", a signature",
        Some(Beside::OfSums) => ", a signed list",
        Some(Beside::Sums(..)) | None => "",
    };
    Some(format!("{} {place} it{what}: :verify checks", shown(first)))
}

/// Whether it is a file, and whole.
pub(in crate::app) fn is_file(download: &Download) -> bool {
    download.state == DownloadState::Done && download.tree.is_none() && !download.folder
}

/// Whether it is whole, a file or a directory: then it can be checked.
pub(in crate::app) fn is_whole(download: &Download) -> bool {
    download.state == DownloadState::Done
}

/// The check of a download that is under way.
pub(super) fn under_way(sight: Sight<'_>, download: &Download) -> Option<JobId> {
    sight.jobs.find_any(|errand| match errand {
        Errand::Verify(check) => check.number == download.number,
        Errand::VerifyTree(number) => *number == download.number,
        Errand::SignTree(lists) => lists.number == download.number,
        _ => false,
    })
}

/// Checks the download at this place of the list, with what stands beside it or with the sum that `words` are.
pub(in crate::app) fn verify(cx: &mut Cx<'_>, at: usize, words: &str) -> Vec<Effect> {
    let Some(download) = cx.transfers.downloads.get(at) else { return Vec::new() };
    let name = file_name(download).to_owned();
    let digits: Vec<u8> = words.bytes().filter(|octet| !octet.is_ascii_whitespace()).collect();
    let given = Sum::of(&digits);
    if given.is_none() && !digits.is_empty() {
        cx.complain("verify takes a checksum: 32, 40, 64, 96 or 128 hexadecimal digits");
        return Vec::new();
    }
    if !is_whole(download) {
        cx.complain(format!("{name} is not whole; only what is whole is checked"));
        return Vec::new();
    }
    if under_way(cx.sight(), download).is_some() {
        cx.say(format!("{name} is being checked; stop ends that"));
        return Vec::new();
    }
    if !is_file(download) {
        return tree::verify(cx, at, given.is_some());
    }
    let beside = if given.is_none() { &*download.beside } else { &[] };
    let of_download = |url: &Url| beside::what(url, &download.url);
    let is_list = |url: &Url| matches!(of_download(url), Some(Beside::Sums(..)));
    let lists: Vec<&Url> = beside.iter().filter(|url| is_list(url)).collect();
    // What signs no list that is there may be one itself, signed in clear.
    let alone = |url: &Url| {
        let name = name::last(url);
        let is_there = || lists.iter().any(|list| sums::signature_of(&name) == Some(&*name::last(list)));
        of_download(url) == Some(Beside::OfSums) && sums::may_be_in_clear(&name) && !is_there()
    };
    let (left, signatures) = beside.iter().cloned().partition(|url| is_list(url) || alone(url));
    let check = Verifying {
        number: download.number,
        url: download.url.clone(),
        path: path::whole(cx.sight(), &download.path),
        private: download.private,
        signed: false,
        left,
        signatures,
        wanted: given.into_iter().map(|sum| (sum, Word::Of("what you gave".into()))).collect(),
        lists: Vec::new(),
        clear: VecDeque::new(),
        hops: 0,
        host: None,
        veil: Veil::default(),
        body: Gathered::default(),
        agrees: None,
        said: Vec::new(),
        step: Step::Reckon,
    };
    cx.say(format!("checking {name}"));
    let nothing = check.left.is_empty() && check.signatures.is_empty() && check.wanted.is_empty();
    let effects = match nothing {
        true if scheme::family(&check.url) == Family::Ftp => ask(cx, check),
        true => reckon(cx, check),
        false => next(cx, check),
    };
    list::refresh(cx);
    effects
}

/// The reader does not want to wait for it. What was wrong until then stays so, and is told.
pub(in crate::app) fn give_up(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let id =
        cx.jobs.find_any(|errand| matches!(errand, Errand::Verify(_) | Errand::VerifyTree(_) | Errand::SignTree(_)))?;
    let asks = |over: &Overlay| matches!(over, Overlay::Question { pending: Pending::Signature(of), .. } if *of == id);
    cx.hands.retain(|over| !asks(over));
    let mut effects = vec![Effect::Cancel(id)];
    let found = match cx.jobs.end(id)? {
        Errand::Verify(check) => {
            effects.extend(removed(cx, &check));
            Some((check.number, Verified { agrees: check.agrees, said: check.said.join("; ") }))
        }
        Errand::SignTree(lists) => {
            effects.extend(tree::removed(cx, &lists));
            Some((lists.number, lists.verified))
        }
        _ => None,
    };
    effects.extend(given_up(cx, found));
    Some(effects)
}

/// Fetches the next file that may tell more, or ends.
fn next(cx: &mut Cx<'_>, mut check: Verifying) -> Vec<Effect> {
    if let Some(url) = check.left.pop_front() {
        return begin(cx, check, url);
    }
    if !check.wanted.is_empty() {
        return reckon(cx, check);
    }
    if let Some((name, message)) = check.clear.pop_front() {
        let first = format!("{name} is signed. This program looks at its signature:");
        return ask_about(cx, check, first, Step::Sign(name, Signs::Itself), message);
    }
    while let Some(url) = check.signatures.pop_front() {
        let wanted = match beside::what(&url, &check.url) {
            Some(Beside::Signature) => !check.signed,
            // What signs a list that does not name it may be one that does, signed in clear.
            Some(Beside::OfSums) => signed_list(&check, &url).is_some() || sums::may_be_in_clear(&name::last(&url)),
            Some(Beside::Sums(..)) | None => false,
        };
        if wanted {
            return begin(cx, check, url);
        }
    }
    finish(cx, check)
}

fn begin(cx: &mut Cx<'_>, mut check: Verifying, url: Url) -> Vec<Effect> {
    (check.hops, check.host) = (0, None);
    check.step = Step::Fetch(url.clone());
    fetch(cx, check, url)
}

/// Asks the server for its sum.
fn ask(cx: &mut Cx<'_>, mut check: Verifying) -> Vec<Effect> {
    check.step = Step::Ask;
    let url = check.url.clone();
    let name = last(&check).to_owned();
    let stops = cx.key_for("stop").map(|key| format!("; {key} stops")).unwrap_or_default();
    cx.say(format!("the server reckons {name}, which takes a while where it is long{stops}"));
    fetch(cx, check, url)
}

fn fetch(cx: &mut Cx<'_>, mut check: Verifying, url: Url) -> Vec<Effect> {
    check.body = Gathered::default();
    // a tab in view that is less private, or more, has logins of its own
    let login = cx.sight().login_as(check.private, &url);
    let told = check.veil.url(&url);
    check.veil.add_login_of(&url);
    if let Some(login) = &login {
        check.veil.add_login(&url, &login.user, &login.password);
    }
    let sum = matches!(check.step, Step::Ask);
    // As long as the file is that is here.
    let length = cx.transfers.downloads.iter().find(|download| download.number == check.number).map(|d| d.received);
    let listed = length.filter(|_| sum).map(|length| Listed { length, modified: None });
    let request = Request { login, told, private: check.private, sum, listed, ..Request::new(url) };
    vec![Effect::Fetch { id: cx.job(Errand::Verify(Box::new(check))), request }]
}

/// Has all kinds reckoned that somebody says, else its own to be told.
fn reckon(cx: &mut Cx<'_>, mut check: Verifying) -> Vec<Effect> {
    let said: BTreeSet<Kind> = check.wanted.iter().map(|(sum, _)| sum.kind).collect();
    let kinds = if said.is_empty() { vec![Kind::Sha256] } else { said.into_iter().collect() };
    let path = check.path.clone();
    check.step = Step::Reckon;
    vec![Effect::Sum { id: cx.job(Errand::Verify(Box::new(check))), path, kinds }]
}

/// Takes what a fetch says, or `gpg`.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, mut event: FetchEvent) -> Vec<Effect> {
    if let Some(Errand::Verify(check)) = cx.jobs.errand_mut(id) {
        event.conceal(check.veil.secrets());
    }
    let why = match event {
        FetchEvent::Head(head) => match refused(&head) {
            None => return vec![Effect::Verdict { id, verdict: Verdict::Accept }],
            Some(why) => Err((why, Effect::Verdict { id, verdict: Verdict::Refuse })),
        },
        FetchEvent::Body(octets) => {
            let Some(Errand::Verify(check)) = cx.jobs.errand_mut(id) else { return Vec::new() };
            check.body.take(&octets, MOST);
            if !check.body.cut {
                return Vec::new();
            }
            Err((format!("is longer than {}", human(MOST as u64)), Effect::Cancel(id)))
        }
        FetchEvent::End(End { cut }) => return ended(cx, id, cut),
        FetchEvent::Failed(error) => Ok(error.detail),
        FetchEvent::Moved(moved) => {
            let Some(Errand::Verify(mut check)) = cx.jobs.end(id) else { return Vec::new() };
            match redirect::onward(&moved, check.hops, &check.veil) {
                Ok(to) => {
                    check.hops += 1;
                    let other =
                        to.host().filter(|host| check.url.host().is_none_or(|own| !own.eq_ignore_ascii_case(host)));
                    check.host = other.map(|host| check.veil.over(sanitise(host).into_owned()));
                    return fetch(cx, *check, to);
                }
                Err(sentence) => return pass_over(cx, *check, &format!("cannot be fetched: {sentence}")),
            }
        }
        FetchEvent::Unchanged => Ok("says nothing new".into()),
        FetchEvent::Stage(_) | FetchEvent::Sent(_) => return Vec::new(),
    };
    let Some(Errand::Verify(check)) = cx.jobs.end(id) else { return Vec::new() };
    match why {
        // of a program
        Ok(sentence) if matches!(check.step, Step::Sign(..) | Step::Ask) => pass_over(cx, *check, &sentence),
        Ok(sentence) => pass_over(cx, *check, &format!("cannot be fetched: {sentence}")),
        Err((why, effect)) => {
            let mut effects = vec![effect];
            effects.extend(pass_over(cx, *check, &why));
            effects
        }
    }
}

/// Why an answer is no file of sums and no signature.
fn refused(head: &Head) -> Option<String> {
    let long = head.length.is_some_and(|length| length > MOST as u64);
    match &head.status {
        Some(status) => Some(format!("cannot be fetched: the server says {status}")),
        None if head.media == media::DIRECTORY => Some("is a directory".into()),
        None => long.then(|| format!("is longer than {}", human(MOST as u64))),
    }
}

/// Notes that a file told nothing, and goes on with the next.
fn pass_over(cx: &mut Cx<'_>, mut check: Verifying, why: &str) -> Vec<Effect> {
    match &check.step {
        Step::Fetch(url) => check.said.push(format!("{} {why}", shown(url))),
        Step::Ask => {
            check.said.push(why.trim_end_matches('.').to_owned());
            return reckon(cx, check);
        }
        Step::Sign(name, signs) => {
            let by_hand = gpg::by_hand(name, signed_name(&check, signs).as_deref());
            check.said.push(format!("{name} is not checked: {why} {by_hand}"));
        }
        Step::Reckon => check.said.push(why.to_owned()),
    }
    let mut effects = removed(cx, &check);
    effects.extend(next(cx, check));
    effects
}

/// All of a file beside the download is here, or of what `gpg` says.
fn ended(cx: &mut Cx<'_>, id: JobId, cut: Option<String>) -> Vec<Effect> {
    let Some(Errand::Verify(mut check)) = cx.jobs.end(id) else { return Vec::new() };
    let octets = std::mem::take(&mut check.body.octets);
    let url = match &check.step {
        Step::Fetch(url) => url.clone(),
        Step::Sign(name, signs) => {
            let of = match signs {
                Signs::Download => Some("this file".into()),
                Signs::List(..) | Signs::Itself => signed_name(&check, signs),
            };
            let (agrees, said) = signed::judged(name, of.as_deref().unwrap_or(signed::ITSELF), &octets);
            check.signed |= agrees.is_some() && *signs == Signs::Download;
            check.agrees = both(check.agrees, agrees);
            check.said.push(said);
            let mut effects = removed(cx, &check);
            effects.extend(next(cx, *check));
            return effects;
        }
        Step::Ask => {
            return match Sum::of(&octets) {
                Some(sum) => {
                    check.wanted.push((sum, Word::Server));
                    reckon(cx, *check)
                }
                None => pass_over(cx, *check, "the server has no checksum of it"),
            };
        }
        Step::Reckon => return Vec::new(),
    };
    if let Some(cut) = cut {
        return pass_over(cx, *check, &format!("came in part only: {cut}"));
    }
    // Whose word it is may matter more than where it began.
    let from = match &check.host {
        Some(host) => format!("{} (from {host})", shown(&url)),
        None => shown(&url),
    };
    let what = beside::what(&url, &check.url);
    let in_clear = what == Some(Beside::OfSums) && signed_in_clear(&octets).is_some();
    let signs = match what {
        Some(Beside::Signature) => Signs::Download,
        Some(Beside::OfSums) if !in_clear => match signed_list(&check, &url) {
            None => return pass_over(cx, *check, "holds no checksums"),
            Some(list) => Signs::List(scratch(cx, check.number), list.to_vec()),
        },
        Some(Beside::OfSums) => return listed(cx, *check, from, &url, octets, false),
        Some(Beside::Sums(_, own)) => return listed(cx, *check, from, &url, octets, own),
        None => return next(cx, *check),
    };
    let signed = signed_name(&check, &signs).unwrap_or_default();
    let first = format!("{from} signs {signed}. This program looks at it:");
    ask_about(cx, *check, first, Step::Sign(from, signs), octets)
}

/// A list of sums is here, named so; `own` when it stands for the download alone. Of one that is signed in clear nothing else counts.
fn listed(cx: &mut Cx<'_>, mut check: Verifying, from: String, url: &Url, octets: Vec<u8>, own: bool) -> Vec<Effect> {
    let clear = signed_in_clear(&octets);
    let text = clear.as_ref().map_or(&octets, |(_, text)| text);
    let said = sums::said_of(&name::last(&check.url), text, own);
    if said.is_empty() {
        return pass_over(cx, check, "does not name it");
    }
    check.wanted.extend(said.into_iter().map(|sum| (sum, Word::Of(from.clone()))));
    if let Some(why) = is_not_looked_at(&octets) {
        check.said.push(format!("the signature in {from} is not looked at: {why}"));
    }
    check.clear.extend(clear.map(|(message, _)| (from, message)));
    check.lists.push((name::last(url), octets));
    next(cx, check)
}

/// The file is reckoned, or cannot be.
pub(in crate::app) fn summed(cx: &mut Cx<'_>, id: JobId, result: Result<Vec<Sum>, String>) -> Vec<Effect> {
    let Some(Errand::Verify(mut check)) = cx.jobs.end(id) else { return Vec::new() };
    let sums = match result {
        Ok(sums) => sums,
        Err(sentence) => {
            check.said.push(sentence);
            return finish(cx, *check);
        }
    };
    let wanted = std::mem::take(&mut check.wanted);
    let (agrees, said) = match (&wanted[..], &sums[..]) {
        ([], []) => (None, Vec::new()),
        ([], [sum, ..]) => {
            let said = format!("nothing beside it to check with; its {} is {}", sum.kind.name(), sum.digits);
            (None, vec![said])
        }
        (wanted, sums) => compared(wanted, sums),
    };
    check.agrees = both(check.agrees, agrees);
    check.said.splice(0..0, said);
    next(cx, *check)
}

/// The last component of a URL's path, as text.
fn shown(url: &Url) -> String {
    sanitise(&String::from_utf8_lossy(&name::last(url))).into_owned()
}

pub(super) fn file_name(download: &Download) -> &str {
    download.path.rsplit('/').next().unwrap_or_default()
}

fn last(check: &Verifying) -> &str {
    check.path.rsplit('/').next().unwrap_or_default()
}

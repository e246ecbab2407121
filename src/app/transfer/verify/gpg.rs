//! `gpg`, which looks at the signatures that `verify` finds: of a file, of the lists in a directory, of an article.
//!
//! It is given a signature as its input, and what that signs, where it stands apart, in a file of its own for as long as it looks: what
//! was compared, not what may be there by now. It asks nobody and takes no key from anywhere. Refuses: to start it without a yes (SEC-11),
//! to pass on what it says for people.

use super::{last, pass_over, tree};
use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::state::jobs::{CheckStep as Step, Errand, Gathered, Signs, Verifying};
use crate::app::transfer::name;
use crate::app::{DownloadId, Effect, JobId, NotWritten, Overlay, Pending};
use crate::doc::sanitise;
use crate::proto::{FetchEvent, Request, Verdict};
use crate::sums;
use crate::url::Url;

/// What looks at a signature that is its input. The file follows.
const GPG: &[&str] =
    &["gpg", "--batch", "--no-tty", "--no-auto-key-retrieve", "--status-fd", "1", "--verify", "--", "-"];
/// What a page of a program's is called; nobody sees it.
const OUTPUT: &str = "about:output";
/// Octets of what it says.
const SAYS: usize = 1 << 20;

/// The program, and the file that is signed, unless that is within the signature.
pub(in crate::app::transfer) fn program(signed: Option<&str>) -> Vec<String> {
    GPG.iter().copied().chain(signed).map(Into::into).collect()
}

/// What a reader can do in its place, with the signature and the file that is signed, unless that is within.
pub(super) fn by_hand(signature: &str, signed: Option<&str>) -> String {
    let words: Vec<_> = [signature].into_iter().chain(signed).map(word).collect();
    format!("By hand: gpg --verify {}", words.join(" "))
}

/// A name as one word for `sh`, and no option.
fn word(name: &str) -> String {
    let name = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    let plain = |octet: u8| octet.is_ascii_alphanumeric() || b"._/+-".contains(&octet);
    if !name.is_empty() && name.bytes().all(plain) { name } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// Asks whether it may look.
pub(in crate::app::transfer) fn question(cx: &mut Cx<'_>, text: Vec<String>, pending: Pending) {
    let choices = vec![choice('y', "run it"), choice('n', "leave it")];
    cx.hands.queue(Overlay::Question { text, choices, pending });
}

/// Puts what is signed into its file.
pub(in crate::app::transfer) fn put(cx: &mut Cx<'_>, errand: Errand, path: String, content: Vec<u8>) -> Vec<Effect> {
    vec![Effect::Write { id: cx.job(errand), path, content, replace: true }]
}

/// Has it look at a signature.
pub(in crate::app::transfer) fn look(
    cx: &mut Cx<'_>,
    errand: Errand,
    signed: Option<&str>,
    signature: Vec<u8>,
) -> Vec<Effect> {
    let Ok(page) = Url::parse(OUTPUT) else { return Vec::new() };
    let (request, program) = (Request::new(page), program(signed));
    vec![Effect::Pipe { id: cx.job(errand), request, program, input: signature }]
}

/// How far it is.
pub(in crate::app::transfer) enum Heard {
    /// It goes on.
    More(Vec<Effect>),
    /// It has said all; else why nothing is known.
    End(Option<String>, Vec<Effect>),
}

/// Takes what it says.
pub(in crate::app::transfer) fn heard(id: JobId, event: FetchEvent, body: &mut Gathered) -> Heard {
    match event {
        FetchEvent::Head(_) => Heard::More(vec![Effect::Verdict { id, verdict: Verdict::Accept }]),
        FetchEvent::Body(octets) => {
            body.take(&octets, SAYS);
            match body.cut {
                true => Heard::End(Some("gpg says too much.".into()), vec![Effect::Cancel(id)]),
                false => Heard::More(Vec::new()),
            }
        }
        FetchEvent::End(_) => Heard::End(None, Vec::new()),
        FetchEvent::Failed(error) => Heard::End(Some(error.detail), Vec::new()),
        FetchEvent::Moved(_) | FetchEvent::Unchanged | FetchEvent::Stage(_) | FetchEvent::Sent(_) => {
            Heard::More(Vec::new())
        }
    }
}

/// Takes the file of what is signed away.
pub(in crate::app::transfer) fn discard(cx: &mut Cx<'_>, path: Option<String>) -> Vec<Effect> {
    path.map(|path| Effect::Remove { id: cx.job(Errand::Removal(path.clone())), path }).into_iter().collect()
}

/// The list that named the download and that this signs.
pub(super) fn signed_list<'a>(check: &'a Verifying, url: &Url) -> Option<&'a [u8]> {
    let signature = name::last(url);
    let signed = sums::signature_of(&signature)?;
    check.lists.iter().map(|(list, _)| &**list).find(|list| *list == signed)
}

/// Asks whether `gpg` may look at a signature.
pub(super) fn ask_about(
    cx: &mut Cx<'_>,
    mut check: Verifying,
    first: String,
    step: Step,
    signature: Vec<u8>,
) -> Vec<Effect> {
    check.step = step;
    let text = vec![first, program(signed_path(&check)).join(" ")];
    check.body.octets = signature;
    let id = cx.job(Errand::Verify(Box::new(check)));
    question(cx, text, Pending::Signature(id));
    Vec::new()
}

/// The reader has said whether `gpg` may look at the signature that is here (SEC-11).
pub(in crate::app) fn agreed(cx: &mut Cx<'_>, id: JobId, yes: bool) -> Vec<Effect> {
    let mut check = match cx.jobs.end(id) {
        Some(Errand::Verify(check)) => check,
        Some(Errand::SignTree(lists)) => return tree::agreed(cx, lists, yes),
        _ => return Vec::new(),
    };
    if !yes {
        check.body.octets.clear();
        return pass_over(cx, *check, "that was left.");
    }
    let content = |list: &[u8]| check.lists.iter().find(|(name, _)| name == list).map(|(_, content)| content.clone());
    let list = match &check.step {
        Step::Sign(_, Signs::List(path, list)) => content(list).map(|content| (path.clone(), content)),
        _ => None,
    };
    match list {
        Some((path, content)) => put(cx, Errand::Verify(check), path, content),
        None => run(cx, *check),
    }
}

/// The list of sums is in its file, or is not.
pub(in crate::app) fn wrote(cx: &mut Cx<'_>, check: Verifying, result: Result<String, NotWritten>) -> Vec<Effect> {
    match result {
        Ok(_) => run(cx, check),
        Err(NotWritten::Failed(sentence) | NotWritten::Exists(sentence)) => pass_over(cx, check, &sentence),
    }
}

fn run(cx: &mut Cx<'_>, mut check: Verifying) -> Vec<Effect> {
    let (path, signature) = (signed_path(&check).map(str::to_owned), std::mem::take(&mut check.body.octets));
    look(cx, Errand::Verify(Box::new(check)), path.as_deref(), signature)
}

/// The file that a signature covers, where it is another one.
fn signed_path(check: &Verifying) -> Option<&str> {
    match &check.step {
        Step::Sign(_, Signs::List(path, _)) => Some(path),
        Step::Sign(_, Signs::Itself) => None,
        _ => Some(&check.path),
    }
}

/// The list of sums was in a file for as long as it was looked at.
pub(super) fn removed(cx: &mut Cx<'_>, check: &Verifying) -> Vec<Effect> {
    discard(cx, if let Step::Sign(_, Signs::List(path, _)) = &check.step { Some(path.clone()) } else { None })
}

/// What a signature covers, where that is another file.
pub(super) fn signed_name(check: &Verifying, signs: &Signs) -> Option<String> {
    match signs {
        Signs::Download => Some(last(check).to_owned()),
        Signs::List(_, name) => Some(sanitise(&String::from_utf8_lossy(name)).into_owned()),
        Signs::Itself => None,
    }
}

/// The file for a list while `gpg` looks.
pub(super) fn scratch(cx: &Cx<'_>, number: DownloadId) -> String {
    format!("{}/sums-{}", cx.desk.choices.scratch, number.0)
}

//! `gpg`, which looks at the signatures that `verify` finds: of a file, of the lists in a directory, of an article.
//!
//! It is given a signature as its input, and what that signs, where it stands apart, in a file of its own for as long as it looks: what
//! was compared, not what may be there by now. It asks nobody and takes no key from anywhere. Refuses: to start it without a yes (SEC-11),
//! to pass on what it says for people.

use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Gathered};
use crate::app::{Effect, JobId, Overlay, Pending};
use crate::proto::{FetchEvent, Request, Verdict};
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
pub(in crate::app::transfer) fn removed(cx: &mut Cx<'_>, path: Option<String>) -> Vec<Effect> {
    path.map(|path| Effect::Remove { id: cx.job(Errand::Removal), path }).into_iter().collect()
}

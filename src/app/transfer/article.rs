//! `verify` in an article: whether `gpg` finds its signature right, where all of its text is signed.
//!
//! What came of it is said as long as the article is in view, and never speaks for its header, which no signature covers. Refuses: messages
//! of which only a part is signed ([`signed`]), to let a file that was saved speak for an article.

use super::verify::gpg::{self, Heard};
use super::verify::signed::told;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Gathered, SignedText};
use crate::app::{Effect, JobId, NotWritten, Page, PageState, Pending, Sight};
use crate::format::human;
use crate::format::message::{Signed, signed};
use crate::proto::FetchEvent;

/// Octets of a message that is looked over.
const MOST: usize = 1 << 20;

/// Whether an article is in view.
pub(in crate::app) fn is_here(sight: Sight<'_>) -> bool {
    sight.entry().and_then(|entry| entry.page.as_deref()).is_some_and(Page::is_article)
}

/// Has the signature of the article in view checked.
pub(in crate::app) fn verify(cx: &mut Cx<'_>) -> Vec<Effect> {
    match begun(cx) {
        Ok(text) => {
            let line = gpg::program(path(&text)).join(" ");
            let id = cx.job(Errand::Signed(Box::new(text)));
            let text = vec!["This program looks at the signature of the article:".into(), line];
            gpg::question(cx, text, Pending::SignedText(id));
        }
        Err(why) => cx.complain(format!("nothing was checked: {why}")),
    }
    Vec::new()
}

fn begun(cx: &mut Cx<'_>) -> Result<SignedText, String> {
    let page = cx.entry().and_then(|entry| entry.page.as_deref()).ok_or("there is no article")?;
    if cx.desk.choices.safe {
        return Err("--safe lets no program start".into());
    }
    if page.state == PageState::Arriving {
        return Err("the article is still arriving".into());
    }
    let source = page.whole_source().filter(|_| page.state == PageState::Complete);
    let source = source.ok_or("the article is not here to its end")?;
    if source.len() > MOST {
        return Err(format!("it is longer than {}", human(MOST as u64)));
    }
    let (page, body) = (page.id, Gathered::default());
    let folder = &cx.desk.choices.scratch;
    Ok(match signed(source)? {
        Signed::Within(input) => SignedText { page, input, apart: None, body },
        Signed::Apart(text, input) => {
            SignedText { page, input, apart: Some((format!("{folder}/signed-{}", page.0), text)), body }
        }
    })
}

/// The file for what is signed apart.
fn path(text: &SignedText) -> Option<&str> {
    text.apart.as_ref().map(|(path, _)| &**path)
}

/// The reader has said whether `gpg` may look at it (SEC-11). What is signed apart goes into a file for as long as that takes.
pub(in crate::app) fn agreed(cx: &mut Cx<'_>, id: JobId, yes: bool) -> Vec<Effect> {
    let Some(Errand::Signed(mut text)) = cx.jobs.end(id) else { return Vec::new() };
    if !yes {
        cx.say("nothing was checked");
        return Vec::new();
    }
    match text.apart.as_mut().map(|(path, text)| (path.clone(), std::mem::take(text))) {
        Some((path, content)) => gpg::put(cx, Errand::Signed(text), path, content),
        None => run(cx, text),
    }
}

/// It is in its file, or is not.
pub(in crate::app) fn wrote(cx: &mut Cx<'_>, text: Box<SignedText>, result: Result<String, NotWritten>) -> Vec<Effect> {
    match result {
        Ok(_) => run(cx, text),
        Err(NotWritten::Failed(sentence) | NotWritten::Exists(sentence)) => {
            cx.complain(format!("nothing was checked: {sentence}"));
            Vec::new()
        }
    }
}

fn run(cx: &mut Cx<'_>, mut text: Box<SignedText>) -> Vec<Effect> {
    let (path, input) = (path(&text).map(str::to_owned), std::mem::take(&mut text.input));
    gpg::look(cx, Errand::Signed(text), path.as_deref(), input)
}

/// Takes what `gpg` says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let Some(Errand::Signed(text)) = cx.jobs.errand_mut(id) else { return Vec::new() };
    let (failed, mut effects) = match gpg::heard(id, event, &mut text.body) {
        Heard::More(effects) => return effects,
        Heard::End(failed, effects) => (failed, effects),
    };
    let Some(Errand::Signed(text)) = cx.jobs.end(id) else { return Vec::new() };
    let (agrees, words) = match failed {
        Some(why) => (None, format!("nothing was checked: {why}")),
        None => told(&text.body.octets),
    };
    if cx.entry().and_then(|entry| entry.page.as_deref()).is_none_or(|page| page.id != text.page) {
        // It would be said of another.
        cx.complain("the article that was checked is not in view any more: verify it again");
    } else if agrees == Some(true) {
        cx.say(words);
    } else {
        cx.complain(words);
    }
    effects.extend(gpg::discard(cx, text.apart.map(|(path, _)| path)));
    effects
}

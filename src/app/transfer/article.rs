//! `verify` in an article: whether `gpg` finds its signature right, where all of its text is signed.
//!
//! What came of it is said as long as the article is in view, and never speaks for its header, which no signature covers. Refuses: messages
//! of which only a part is signed ([`signed`]), to let a file that was saved speak for an article.

use super::signed::told;
use super::verify::GPG;
use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Gathered, SignedText};
use crate::app::{Effect, JobId, NotWritten, Overlay, Page, PageState, Pending, Sight};
use crate::format::human;
use crate::format::message::{Signed, signed};
use crate::proto::{FetchEvent, Request, Verdict};
use crate::url::Url;

/// Octets of a message that is looked over, and of what `gpg` says.
const MOST: usize = 1 << 20;
/// What a page of a program's is called; nobody sees it.
const OUTPUT: &str = "about:output";

/// Whether an article is in view.
pub(in crate::app) fn is_here(sight: Sight<'_>) -> bool {
    sight.entry().and_then(|entry| entry.page.as_deref()).is_some_and(Page::is_article)
}

/// Has the signature of the article in view checked.
pub(in crate::app) fn verify(cx: &mut Cx<'_>) -> Vec<Effect> {
    match begun(cx) {
        Ok(text) => {
            let line = program(&text).join(" ");
            let id = cx.job(Errand::Signed(Box::new(text)));
            let text = vec!["This program looks at the signature of the article:".into(), line];
            let choices = vec![choice('y', "run it"), choice('n', "leave it")];
            cx.hands.queue(Overlay::Question { text, choices, pending: Pending::SignedText(id) });
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

/// The program that looks at it; the signature is its input.
fn program(text: &SignedText) -> Vec<String> {
    let path = text.apart.iter().map(|(path, _)| path.clone());
    GPG.iter().map(|word| (*word).to_owned()).chain(path).collect()
}

/// The reader has said whether `gpg` may look at it (SEC-11). What is signed apart goes into a file for as long as that takes.
pub(in crate::app) fn agreed(cx: &mut Cx<'_>, id: JobId, yes: bool) -> Vec<Effect> {
    let Some(Errand::Signed(mut text)) = cx.jobs.end(id) else { return Vec::new() };
    if !yes {
        cx.say("nothing was checked");
        return Vec::new();
    }
    let Some((path, content)) = text.apart.as_mut().map(|(path, text)| (path.clone(), std::mem::take(text))) else {
        return run(cx, text);
    };
    vec![Effect::Write { id: cx.job(Errand::Signed(text)), path, content, replace: true }]
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
    let Ok(page) = Url::parse(OUTPUT) else { return Vec::new() };
    let (program, input) = (program(&text), std::mem::take(&mut text.input));
    vec![Effect::Pipe { id: cx.job(Errand::Signed(text)), request: Request::new(page), program, input }]
}

/// Takes what `gpg` says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let said = match event {
        FetchEvent::Head(_) => return vec![Effect::Verdict { id, verdict: Verdict::Accept }],
        FetchEvent::Body(octets) => {
            if let Some(Errand::Signed(text)) = cx.jobs.errand_mut(id) {
                text.body.take(&octets, MOST);
            }
            return Vec::new();
        }
        FetchEvent::End(_) => None,
        FetchEvent::Failed(error) => Some((None, format!("nothing was checked: {}", error.detail))),
        FetchEvent::Moved(_) | FetchEvent::Unchanged | FetchEvent::Stage(_) | FetchEvent::Sent(_) => return Vec::new(),
    };
    let Some(Errand::Signed(text)) = cx.jobs.end(id) else { return Vec::new() };
    let (agrees, words) = said.unwrap_or_else(|| told(&text.body.octets));
    if cx.entry().and_then(|entry| entry.page.as_deref()).is_none_or(|page| page.id != text.page) {
        // It would be said of another.
        cx.complain("the article that was checked is not in view any more: verify it again");
    } else if agrees == Some(true) {
        cx.say(words);
    } else {
        cx.complain(words);
    }
    let path = text.apart.map(|(path, _)| path);
    path.map(|path| Effect::Remove { id: cx.job(Errand::Removal), path }).into_iter().collect()
}

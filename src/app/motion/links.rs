//! The next link by words of its text: what was found is told while they are typed, Enter goes there. The links of a long page
//! are looked through on another thread.

use super::{focus, window};
use crate::app::page::OngoingLinkSearch;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, PromptKind, Sight};
use crate::doc::{Document, LinkId};
use crate::stop::Stop;
use crate::work::{FindLinks, LinkPattern, Work};
use std::sync::Arc;

/// Links that are counted while words of theirs are typed.
const MOST_COUNTED: usize = 1000;

/// The words typed so far: what is said of the links that hold them.
pub(in crate::app) fn preview(cx: &mut Cx<'_>, words: &str) -> String {
    cx.tab.linked = None;
    let Some(find) = find(cx.sight(), words, MOST_COUNTED + 1) else { return String::new() };
    match at_once(&find) {
        Some(found) => said(&find.document, &found),
        None => {
            let said = format!("looking through {} links", find.document.link_count());
            later(cx, find, false);
            said
        }
    }
}

/// Enter: to the next link with the words. A match that is still sought is not gone to after that.
pub(in crate::app) fn go(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    (cx.tab.linked, cx.tab.sought) = (None, None);
    let Some(find) = find(cx.sight(), words, 1) else {
        arrive(cx, words, None);
        return Vec::new();
    };
    match at_once(&find) {
        Some(found) => arrive(cx, words, found.first().copied()),
        None => later(cx, find, true),
    }
    Vec::new()
}

/// What is sought: from behind the focus on.
fn find(sight: Sight<'_>, words: &str, most: usize) -> Option<FindLinks> {
    let document = Arc::clone(sight.entry()?.page.as_deref()?.document());
    let from = window::focus(sight).map_or(0, |link| link.0 + 1);
    (!words.is_empty()).then(|| FindLinks { document, pattern: LinkPattern::Words(words.into()), from, most })
}

/// The links, where they are few enough to be looked through at once.
fn at_once(find: &FindLinks) -> Option<Vec<LinkId>> {
    let small = Work::FindLinks(find.clone()).is_small();
    small.then(|| find.run(&Stop::new())).flatten()
}

fn later(cx: &mut Cx<'_>, find: FindLinks, goes: bool) {
    let stood = window::stand(cx.sight());
    cx.tab.linked = Some(OngoingLinkSearch { find, job: None, goes, stood });
}

fn words(find: &FindLinks) -> &str {
    match &find.pattern {
        LinkPattern::Words(words) | LinkPattern::Glob(words) => words,
        LinkPattern::References(_) => "",
    }
}

fn said(document: &Document, found: &[LinkId]) -> String {
    let Some(first) = found.first() else { return "no link says that".into() };
    let more = if found.len() > MOST_COUNTED { "+" } else { "" };
    let plural = if found.len() == 1 { "" } else { "s" };
    format!("{}{more} link{plural}: {}", found.len().min(MOST_COUNTED), document.link_text(*first).trim())
}

fn arrive(cx: &mut Cx<'_>, words: &str, found: Option<LinkId>) {
    match found {
        Some(link) => focus::go_to(cx, link),
        None => cx.complain(format!("no link says \"{words}\"")),
    }
}

/// Has the links looked through, for as long as somebody wants to know.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    let prompt = cx.hands.prompt().filter(|prompt| prompt.kind == PromptKind::FindLink);
    let typed = prompt.map(|prompt| prompt.input.value());
    cx.tab.linked.take_if(|linked| !linked.goes && typed != Some(words(&linked.find)));
    let job = cx.tab.linked.as_ref().and_then(|linked| linked.job);
    let under = cx.jobs.all_of(cx.tab.id, |errand| matches!(errand, Errand::Links));
    let mut effects: Vec<Effect> = under.into_iter().filter(|id| Some(*id) != job).map(Effect::Cancel).collect();
    let waiting = cx.tab.linked.as_ref().filter(|linked| linked.job.is_none()).map(|linked| linked.find.clone());
    if let Some(find) = waiting {
        let id = cx.job(Errand::Links);
        cx.tab.linked.iter_mut().for_each(|linked| linked.job = Some(id));
        effects.push(Effect::Work { id, work: Work::FindLinks(find) });
    }
    effects
}

/// They were looked through.
pub(in crate::app) fn found(cx: &mut Cx<'_>, id: JobId, links: &[LinkId]) {
    let Some(linked) = cx.tab.linked.take_if(|linked| linked.job == Some(id)) else { return };
    let OngoingLinkSearch { find, goes, stood, .. } = linked;
    let now = cx.entry().and_then(|entry| entry.page.as_deref()).map(|page| Arc::clone(page.document()));
    // Else the page has grown, or is in another order now.
    let same = now.is_some_and(|now| Arc::ptr_eq(&now, &find.document));
    if goes && window::stand(cx.sight()) != stood {
        cx.say("found; you went on meanwhile");
    } else if goes && same {
        arrive(cx, words(&find), links.first().copied());
    } else if goes {
        go(cx, words(&find));
    } else {
        let said = if same { said(&find.document, links) } else { preview(cx, words(&find)) };
        if let Some(prompt) = cx.hands.prompt_mut() {
            prompt.remark = said;
        }
    }
}

//! Find in page: to the next match and around, matches counted. What is long is looked through on another thread.

use super::window;
use crate::app::PageState;
use crate::app::page::OngoingSearch;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Effect, JobId, Matches, Place, PromptKind, Purpose, Sight};
use crate::doc::{Document, Search};
use crate::format::{Order, media};
use crate::stop::Stop;
use crate::work::{Count, Find, Hit, Way, Work};
use std::ops::Range;
use std::sync::Arc;

pub(in crate::app) fn find(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if words.trim().is_empty() {
        cx.hands.ask(PromptKind::Find, "find", "", None);
        return Vec::new();
    }
    start(cx, words.trim())
}

/// `find-back`: the same upwards.
pub(in crate::app) fn find_back(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if words.trim().is_empty() {
        cx.hands.ask_for(Purpose::FindBack, PromptKind::Find, "find upwards", "", None);
        return Vec::new();
    }
    start_back(cx, words.trim())
}

/// `find-typing`: each letter leads on to the first match from here.
pub(in crate::app) fn find_typing(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let from = Place { top: entry.top, focus: entry.focus, left: entry.left };
    cx.hands.ask_for(Purpose::FindTyping(from), PromptKind::Find, "find as typed", "", None);
    Vec::new()
}

/// The words typed so far: to the first match from where the reader was; in a long page only what is on the screen is highlighted.
pub(in crate::app) fn as_typed(cx: &mut Cx<'_>, words: &str, from: Place) {
    return_to(cx, from);
    if words.is_empty() {
        forget(cx, None);
        return;
    }
    preview(cx, words);
    let (Some(document), Some(search)) = (shared(cx.sight()), cx.tab.search.clone()) else { return };
    let (from, way) = (top(cx.sight()), Way::Down);
    let work = Work::Find(Find { document, search, from, way });
    let (true, Work::Find(find)) = (work.is_small(), work) else { return };
    if let Some(hit) = find.run(&Stop::new()).flatten() {
        go_to(cx, Some(hit), way);
    }
}

/// The reader is where they were before they typed.
pub(in crate::app) fn return_to(cx: &mut Cx<'_>, from: Place) {
    if let Some(entry) = cx.entry_mut() {
        (entry.top, entry.focus, entry.left) = (from.top, from.focus, from.left);
        entry.stay_within();
    }
}

/// The words are what is sought from now on; the reader stays at the match they are at.
pub(in crate::app) fn stay(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    match cx.tab.found {
        Some(_) if !words.is_empty() => {
            cx.tab.matches = Some(Matches::default());
            Vec::new()
        }
        _ => start(cx, words),
    }
}

/// The words are given; nothing typed means the last words again.
pub(in crate::app) fn start(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    begin(cx, words, Way::Down)
}

/// Nothing was typed: the last words, on from the match where the reader is.
pub(in crate::app) fn on(cx: &mut Cx<'_>) -> Vec<Effect> {
    cx.tab.back = false;
    turn(cx, Way::Down)
}

/// The words are given, to be found upwards; nothing typed means the match before.
pub(in crate::app) fn start_back(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if words.is_empty() && cx.tab.search.is_some() {
        cx.tab.back = true;
        return turn(cx, Way::Up);
    }
    begin(cx, words, Way::Up)
}

fn begin(cx: &mut Cx<'_>, words: &str, way: Way) -> Vec<Effect> {
    let last = cx.desk.words.get(&PromptKind::Find).and_then(|words| words.last().cloned()).unwrap_or_default();
    let Some(search) = Search::new(if words.is_empty() { &last } else { words }) else {
        cx.say("nothing to find");
        return Vec::new();
    };
    forget(cx, Some(search));
    cx.tab.matches = Some(Matches::default());
    cx.tab.back = way == Way::Up;
    let effect = if has_folds(cx.sight()) { unfold(cx) } else { seek(cx, top(cx.sight()), way) };
    effect.into_iter().collect()
}

fn has_folds(sight: Sight<'_>) -> bool {
    let page = sight.entry().and_then(|entry| entry.page.as_deref());
    page.is_some_and(|page| page.closed_folds().next().is_some()) || has_threads(sight)
}

/// Whether the page in view has threads that may be folded.
fn has_threads(sight: Sight<'_>) -> bool {
    let page = sight.entry().and_then(|entry| entry.page.as_deref());
    page.is_some_and(|page| {
        let wishes = &page.arrangement.wishes;
        let threads = matches!(wishes.order, Order::Thread | Order::Score) && wishes.filter.trim().is_empty();
        page.head.media == media::NEWSGROUP && threads
    })
}

/// Has the words looked for in what is folded too, before the reader goes anywhere.
fn unfold(cx: &mut Cx<'_>) -> Option<Effect> {
    let (document, search) = (Arc::clone(cx.page_mut()?.given_document()), cx.tab.search.clone()?);
    let count = Count { document, search, from: 0, most: Matches::MOST };
    let work = Work::Count(count);
    if work.is_small() {
        let Work::Count(count) = work else { return None };
        return go_on(cx, &count.run(&Stop::new())?);
    }
    let id = cx.job(Errand::Folded);
    cx.tab.unfolding = Some(id);
    Some(Effect::Work { id, work })
}

/// The words were looked for in the document as it was written.
pub(in crate::app) fn open_where(cx: &mut Cx<'_>, id: JobId, starts: &[u32]) -> Option<Effect> {
    cx.tab.unfolding.take_if(|unfolding| *unfolding == id)?;
    go_on(cx, starts)
}

/// The folds that hold the words open, and the reader goes on once that is on the screen.
fn go_on(cx: &mut Cx<'_>, starts: &[u32]) -> Option<Effect> {
    if has_threads(cx.sight()) {
        // Whoever knows threads opens them, and then there is something to go to.
        (cx.tab.threaded, cx.tab.awaited) = (Some(starts.to_vec()), true);
        return None;
    }
    let page = cx.page_mut()?;
    let given = page.given();
    let mut blocks: Vec<u32> = starts.iter().map(|start| given.anchor_at(*start as usize).block).collect();
    blocks.dedup();
    if page.unfold(&blocks) {
        cx.tab.awaited = true;
        return None;
    }
    seek(cx, top(cx.sight()), way(cx.sight(), true))
}

/// What is being typed is highlighted where it stands on the screen already. As long as that is nothing, the last search stays, to be
/// gone on with.
pub(in crate::app) fn preview(cx: &mut Cx<'_>, words: &str) {
    if words.is_empty() && cx.tab.matches.is_some() {
        return;
    }
    forget(cx, Search::new(words));
}

/// Another search, or none, takes the place of the present one.
fn forget(cx: &mut Cx<'_>, search: Option<Search>) {
    (cx.tab.search, cx.tab.matches, cx.tab.back) = (search, None, false);
    (cx.tab.found, cx.tab.sought, cx.tab.awaited, cx.tab.unfolding) = (None, None, false, None);
    cx.tab.threaded = None;
}

/// Where in the text the screen begins.
fn top(sight: Sight<'_>) -> usize {
    sight.entry().and_then(|entry| Some(entry.document()?.offset_of(entry.top))).unwrap_or_default()
}

/// The page in view, to be looked through elsewhere.
fn shared(sight: Sight<'_>) -> Option<Arc<Document>> {
    Some(Arc::clone(sight.entry()?.page.as_deref()?.document()))
}

pub(in crate::app) fn next(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let way = way(cx.sight(), true);
    turn(cx, way)
}

pub(in crate::app) fn previous(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let way = way(cx.sight(), false);
    turn(cx, way)
}

/// Where the next match is, or the one before: of what is sought upwards the next one is above.
fn way(sight: Sight<'_>, next: bool) -> Way {
    if next == sight.tab.back { Way::Up } else { Way::Down }
}

fn turn(cx: &mut Cx<'_>, way: Way) -> Vec<Effect> {
    if cx.entry().is_none() {
        return Vec::new();
    }
    if cx.tab.search.is_none() {
        // A new page, the old words.
        return start(cx, "");
    }
    if cx.tab.matches.is_none() {
        cx.tab.matches = Some(Matches::default());
    }
    if let Some(sought) = &mut cx.tab.sought {
        sought.then.push(way);
        return Vec::new();
    }
    let from = match (&cx.tab.found, way) {
        (Some(found), Way::Down) => found.end.max(found.start + 1),
        (Some(found), Way::Up) => found.start,
        (None, _) => top(cx.sight()),
    };
    seek(cx, from, way).into_iter().collect()
}

/// Goes to the next match from a text offset on; in a long page it is sought first. A link that is still sought is not gone to
/// after that.
fn seek(cx: &mut Cx<'_>, from: usize, way: Way) -> Option<Effect> {
    cx.tab.linked = None;
    let (document, search) = (shared(cx.sight())?, cx.tab.search.clone()?);
    let find = Find { document, search, from, way };
    if let Some(hit) = counted_hit(cx.sight(), &find) {
        go_to(cx, hit, way);
        return None;
    }
    let work = Work::Find(find);
    let (small, Work::Find(find)) = (work.is_small(), work) else { return None };
    if small {
        let hit = find.run(&Stop::new()).flatten();
        go_to(cx, hit, way);
        return None;
    }
    let stood = window::stand(cx.sight())?;
    let id = cx.job(Errand::Match);
    cx.tab.sought = Some(OngoingSearch { id, find: find.clone(), stood, then: Vec::new() });
    Some(Effect::Work { id, work: Work::Find(find) })
}

/// The match, where all are counted and so known.
fn counted_hit(sight: Sight<'_>, find: &Find) -> Option<Option<Hit>> {
    let known =
        sight.tab.matches.as_ref().filter(|matches| matches.complete && matches.starts.len() < Matches::MOST)?;
    let (starts, from) = (&known.starts, find.from);
    let at = starts.partition_point(|start| (*start as usize) < from);
    let (straight, around) = match find.way {
        Way::Down => (starts.get(at), starts.first()),
        Way::Up => (at.checked_sub(1).map(|at| &starts[at]), starts.last()),
    };
    let Some(start) = straight.or(around).map(|start| *start as usize) else { return Some(None) };
    let range = find.search.first_in(&find.document, start..start + 1)?;
    Some(Some(Hit { range, wrapped: straight.is_none() }))
}

/// The match that was sought.
pub(in crate::app) fn sought(cx: &mut Cx<'_>, id: JobId, hit: Option<Hit>) -> Vec<Effect> {
    let Some(OngoingSearch { find, then, stood, .. }) = cx.tab.sought.take_if(|sought| sought.id == id) else {
        return Vec::new();
    };
    let stands = |document: &Document, range: &Range<usize>| {
        find.search.first_in(document, range.start..range.start + 1).as_ref() == Some(range)
    };
    let here = shared(cx.sight()).is_some_and(|now| hit.as_ref().is_none_or(|hit| stands(&now, &hit.range)));
    let mut effects: Vec<Effect> = match here {
        true if hit.is_some() && window::stand(cx.sight()) != Some(stood) => {
            cx.say("found; you went on meanwhile: find-next goes there");
            return Vec::new();
        }
        true => {
            go_to(cx, hit, find.way);
            Vec::new()
        }
        // The page is in another order now.
        false => seek(cx, top(cx.sight()), find.way).into_iter().collect(),
    };
    for way in then {
        effects.extend(turn(cx, way));
    }
    effects
}

/// It was not found out where the match is: nobody waits for it any more.
pub(in crate::app) fn forsaken(cx: &mut Cx<'_>, id: JobId) {
    cx.tab.sought.take_if(|sought| sought.id == id);
}

fn go_to(cx: &mut Cx<'_>, hit: Option<Hit>, way: Way) {
    let Some(words) = cx.tab.search.as_ref().map(|search| search.words().to_owned()) else { return };
    match hit {
        None => {
            cx.tab.found = None;
            let arriving = cx.is_arriving();
            cx.tab.awaited = arriving;
            let where_not = if arriving { "is not in what has come so far" } else { "is not on this page" };
            cx.complain(format!("\"{words}\" {where_not}"));
        }
        Some(Hit { range: found, wrapped }) => {
            let Some(place) = window::document(cx.sight()).map(|document| document.anchor_at(found.start)) else {
                return;
            };
            window::reveal(cx, place);
            window::reveal_sideways(cx, found.clone());
            let on_link = focus_match(cx, &found);
            let line = heard(cx.sight(), &found).filter(|_| !on_link);
            cx.tab.found = Some(found);
            let around = if way == Way::Down { "end reached; on from the top" } else { "top reached; on from the end" };
            let said: Vec<&str> = wrapped.then_some(around).into_iter().chain(line.as_deref()).collect();
            if !said.is_empty() {
                cx.say(said.join(": "));
            }
        }
    }
}

/// What is told of a match to who listens: its line, or what of that stands around it.
fn heard(sight: Sight<'_>, found: &Range<usize>) -> Option<String> {
    const AROUND: usize = 100;
    let document = window::document(sight).filter(|_| sight.desk.settings.speech)?;
    let block = document.block_range(document.anchor_at(found.start).block);
    let text = document.text();
    let from = text.ceil_char_boundary(found.start.saturating_sub(AROUND).max(block.start));
    let to = text.floor_char_boundary((found.end + AROUND).min(block.end));
    let before = text.get(from..found.start)?.rsplit('\n').next()?;
    let line = text.get(found.start..to)?.split('\n').next()?;
    Some(format!("{before}{line}").trim().to_owned())
}

/// A match within a link gives it the focus, which is told; elsewhere the focus stays if it can still be seen.
fn focus_match(cx: &mut Cx<'_>, found: &Range<usize>) -> bool {
    let link = window::document(cx.sight())
        .and_then(|document| document.spans_in(found.clone()).iter().find_map(|span| span.link));
    if let (Some(link), Some(entry)) = (link, cx.entry_mut()) {
        entry.focus = Some(link);
    }
    window::settle(cx);
    link.is_some()
}

/// Has the matches of the page in view counted, as far as it has come, and takes the reader to what they were waiting for.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    let mut effects = forsake(cx.sight());
    effects.extend(count(cx));
    let over = cx
        .tab
        .matches
        .as_ref()
        .is_some_and(|matches| !matches.starts.is_empty() || matches.complete && !cx.is_arriving());
    // what was unfolded for the words is on the screen
    let unfolded = cx.page_mut().is_none_or(|page| page.state == PageState::Arriving || page.is_arranged());
    if over && unfolded && std::mem::take(&mut cx.tab.awaited) {
        cx.hands.note = None;
        effects.extend(seek(cx, top(cx.sight()), way(cx.sight(), true)));
    }
    effects
}

/// Gives up what is counted and sought for nobody any more.
fn forsake(sight: Sight<'_>) -> Vec<Effect> {
    let counting = sight.tab.matches.as_ref().and_then(|matches| matches.job);
    let sought = sight.tab.sought.as_ref().map(|sought| sought.id);
    let seeks = |errand: &Errand| matches!(errand, Errand::Count | Errand::Match | Errand::Folded);
    let own = sight.jobs.all_of(sight.tab.id, seeks);
    let wanted = [counting, sought, sight.tab.unfolding];
    own.into_iter().filter(|id| !wanted.contains(&Some(*id))).map(Effect::Cancel).collect()
}

/// Counts what is not counted yet of the page in view.
fn count(cx: &mut Cx<'_>) -> Option<Effect> {
    let (document, search) = (shared(cx.sight())?, cx.tab.search.clone()?);
    let matches = cx.tab.matches.as_mut().filter(|matches| matches.job.is_none())?;
    let (most, length) = (Matches::MOST.saturating_sub(matches.starts.len()), document.text().len());
    if most == 0 || matches.scanned >= length {
        matches.complete = true;
        return None;
    }
    matches.complete = false;
    // The end of a text that has grown since held the beginning of a match, perhaps.
    let from = document.text().floor_char_boundary(matches.scanned.saturating_sub(4 * search.words().len()));
    let past = matches.starts.last().map_or(0, |start| *start as usize + 1);
    matches.scanned = length;
    let count = Count { document, search, from: from.max(past), most };
    let work = Work::Count(count);
    if work.is_small() {
        let Work::Count(count) = work else { return None };
        matches.add(&count.run(&Stop::new())?);
        return None;
    }
    let id = cx.job(Errand::Count);
    cx.tab.matches.as_mut()?.job = Some(id);
    Some(Effect::Work { id, work })
}

/// Matches were counted.
pub(in crate::app) fn counted(cx: &mut Cx<'_>, id: JobId, starts: &[u32]) {
    if let Some(matches) = cx.tab.matches.as_mut().filter(|matches| matches.job == Some(id)) {
        matches.job = None;
        matches.add(starts);
    }
}

/// Esc on a page: the highlights go.
pub(in crate::app) fn clear(cx: &mut Cx<'_>) -> bool {
    let had = cx.tab.search.is_some();
    forget(cx, None);
    had
}

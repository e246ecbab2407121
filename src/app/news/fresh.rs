//! Rules that a group's page was not arranged by yet: what they kill is passed over at once, wherever that page is in history, and
//! when it is arranged by them the focus goes to what is left at its place. Refuses: making rules, arranging.

use super::held::{Held, of as held_at};
use super::{score, search};
use crate::app::state::Cx;
use crate::app::state::news::Stand;
use crate::app::{Page, Sight};
use crate::doc::LinkId;
use crate::format::Listed;
use crate::news::score::{Judge, Moment, ScoreText, Scores};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The rules that a group's page knows nothing of, ready to be asked.
pub(super) struct Fresh<'a> {
    page: &'a Page,
    judges: Vec<Judge>,
    kill: i32,
}

/// Those of a group whose page is in history; `None` where its page was arranged by all there are.
pub(super) fn of<'a>(sight: Sight<'a>, held: &Held) -> Option<Fresh<'a>> {
    let page = sight.tab.history.get(held.at)?.page.as_deref()?;
    // Of what was found in several groups nothing is killed.
    if search::is_everywhere(&held.url) {
        return None;
    }
    let now = Moment::of(sight.desk.now.as_ref()?);
    let all = score::scoring(sight);
    let known = page.is_arranged() && page.arrangement.wishes.reading.scoring == all;
    let scores = all.iter().filter(|_| !known).map(|scoring| &scoring.scores).chain(&sight.news.fresh);
    let judges: Vec<Judge> = scores.map(|scores| scores.judge(&held.group, now)).collect();
    let kill = sight.desk.settings.news.kill_score;
    (!judges.is_empty()).then_some(Fresh { page, judges, kill })
}

impl Fresh<'_> {
    /// Whether they kill an article of the page.
    pub fn kills(&self, article: LinkId) -> bool {
        let facts = self.page.rows.as_ref().and_then(|rows| rows.facts(self.page.given(), article));
        facts.is_some_and(|facts| self.judges.iter().any(|judge| judge.why(&facts).score <= self.kill))
    }
}

/// Whether a group's page was opened with something unread, all of which the rules have killed: as with what is read nobody stays
/// for it.
pub(super) fn is_done_away(sight: Sight<'_>, held: &Held) -> bool {
    let page = sight.tab.history.get(held.at).and_then(|entry| entry.page.as_deref());
    let Some(before) = page.and_then(|page| page.arrangement.wishes.reading.narrowed.as_ref()) else { return false };
    let new = |article: &&Listed| article.number.is_some_and(|number| !before.contains(number));
    let mut new = held.articles.iter().filter(new).peekable();
    new.peek().is_some() && new.all(|article| article.killed)
}

/// Nobody is led to what the rules kill of a group whose page is behind: it counts as read from now on.
pub(super) fn pass(cx: &mut Cx<'_>, held: &Held) {
    let Some((server, sight)) = held.server.clone().map(|server| (server, cx.sight())) else { return };
    if sight.tab.private || !sight.news.fresh.is_empty() || !sight.news.is_subscribed(&server, &held.group) {
        return;
    }
    let Some(fresh) = of(sight, held) else { return };
    let newsrc = sight.news.newsrc(&server).map(AsRef::as_ref);
    let killed = (0..held.articles.len()).filter(|at| held.is_unread(newsrc, *at));
    let killed = killed.map(|at| held.articles[at]).filter(|article| fresh.kills(article.link));
    let killed: Vec<u64> = killed.filter_map(|article| article.number).collect();
    if killed.is_empty() {
        return;
    }
    let passed = cx.news.passed.entry((server.clone(), held.group.clone())).or_default();
    killed.iter().for_each(|number| passed.insert(*number));
    cx.news.change(&server, |newsrc| {
        newsrc.change(&held.group, |read| killed.iter().for_each(|number| read.insert(*number)));
    });
}

/// What was passed, and no rule kills any more, is unread again.
pub(super) fn give_back(cx: &mut Cx<'_>, held: &Held) {
    let Some(key) = held.server.clone().map(|server| (server, held.group.clone())) else { return };
    let Some(passed) = cx.news.passed.get(&key) else { return };
    let fresh = of(cx.sight(), held);
    let is_killed = |article: &Listed| article.killed || fresh.as_ref().is_some_and(|fresh| fresh.kills(article.link));
    let was = |article: &&Listed| article.number.is_some_and(|number| passed.contains(number));
    let alive = held.articles.iter().filter(was).filter(|article| !is_killed(article));
    let alive: Vec<u64> = alive.filter_map(|article| article.number).collect();
    if alive.is_empty() {
        return;
    }
    if let Some(passed) = cx.news.passed.get_mut(&key) {
        alive.iter().for_each(|number| passed.remove(*number));
    }
    cx.news.change(&key.0, |newsrc| {
        newsrc.change(&key.1, |read| alive.iter().for_each(|number| read.remove(*number)));
    });
}

/// Whether lines that make a rule are in the score file, or on their way to it.
pub(super) fn is_there(sight: Sight<'_>, lines: &str) -> bool {
    let files = std::iter::once(&sight.news.scores).chain(&sight.news.fresh).flat_map(|scores| scores.files());
    files.into_iter().any(|file| file.text.contains(lines))
}

/// A rule is on its way to the score file: it counts from now on. What the focus is on then is what it was made of.
pub(super) fn made(cx: &mut Cx<'_>, lines: &str) -> Option<Stand> {
    let text = ScoreText { name: String::new(), text: lines.into(), includes: Vec::new() };
    cx.news.fresh.push(Arc::new(Scores::read(vec![text])));
    let held = super::held::held(cx)?;
    let page = cx.tab.history.get(held.at)?.page.as_deref()?.id;
    let stand = Stand { page, articles: held.articles, here: held.here?, come: false };
    cx.news.stand = Some(stand.clone());
    Some(stand)
}

/// A rule is taken back, which was made there.
pub(super) fn taken_back(cx: &mut Cx<'_>, lines: &str, stand: Option<Stand>) {
    cx.news.fresh.retain(|scores| !scores.files().iter().any(|file| file.text == lines));
    cx.news.stand = stand;
}

/// The score file says what it holds now.
pub(super) fn come(cx: &mut Cx<'_>) {
    cx.news.fresh.clear();
    if let Some(stand) = &mut cx.news.stand {
        stand.come = true;
    }
}

/// Once the page in view is arranged by all rules the focus goes to the first article that is left from where the reader stood.
pub(super) fn stand(cx: &mut Cx<'_>) {
    let Some(entry) = cx.entry() else { return };
    let Some(page) = entry.page.as_deref() else { return };
    let is_its = |stand: &Stand| stand.come && stand.page == page.id;
    let by_all = page.is_arranged() && page.arrangement.wishes.reading.scoring == score::scoring(cx.sight());
    if !by_all || !cx.news.stand.as_ref().is_some_and(is_its) {
        return;
    }
    let (Some(stand), Some(held)) = (cx.news.stand.take(), held_at(cx.sight(), cx.tab.at)) else { return };
    let alive = (0..).zip(held.articles.iter()).filter(|(_, article)| !article.killed);
    let alive: BTreeMap<LinkId, usize> = alive.map(|(at, article)| (article.link, at)).collect();
    let (before, after) = stand.articles.split_at(stand.here);
    let left = |article: &Listed| held.in_sight(cx.sight(), *alive.get(&article.link)?);
    if let Some(link) = after.iter().chain(before.iter().rev()).find_map(left) {
        crate::app::motion::focus::go_to(cx, link);
    }
}

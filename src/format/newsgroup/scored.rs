//! What the reader's rules give the articles of a group, and the threads without those that they kill.

use super::articles::Articles;
use crate::doc::{Document, LinkId};
use crate::format::index;
use crate::format::{Order, Reading, Wishes};
use crate::news::Forest;
use crate::news::score::{Facts, Judge, Moment, Scoring, Why};
use crate::stop::Stop;
use std::sync::Arc;

/// The scores of articles.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    /// The rules, ready for this group and this day.
    judge: Judge,
    by: Scoring,
    now: Moment,
    /// Of each article.
    points: Vec<i32>,
    /// How many articles met each rule.
    met: Vec<u32>,
}

impl PartialEq for Scored {
    fn eq(&self, other: &Scored) -> bool {
        (&self.by, self.now, &self.points) == (&other.by, other.now, &other.points)
    }
}

impl Eq for Scored {}

impl Scored {
    /// The scores of all articles, those that were known before taken over. `Some(None)` where no rule is about the group;
    /// `None` when it was given up.
    pub fn of(
        articles: &Articles,
        given: &Document,
        reading: &Reading,
        before: Option<&Arc<Scored>>,
        stop: &Stop,
    ) -> Option<Option<Arc<Scored>>> {
        let (Some(by), Some(now)) = (&reading.scoring, moment(reading)) else { return Some(None) };
        let same = |before: &&Arc<Scored>| before.by == *by && before.now.today == now.today;
        let mut scored = match before.filter(same) {
            Some(before) if before.points.len() == articles.len() => return Some(Some(Arc::clone(before))),
            Some(before) => Scored::clone(before),
            None => {
                let judge = by.scores.judge(articles.name(), now);
                Scored { judge, by: by.clone(), now, points: Vec::new(), met: vec![0; by.scores.rules().len()] }
            }
        };
        if scored.judge.is_empty() {
            return Some(None);
        }
        for article in index(scored.points.len())..index(articles.len()) {
            stop.go_on()?;
            let facts = articles.facts(given, article);
            let why = facts.map(|facts| scored.judge.why(&facts)).unwrap_or_default();
            scored.points.push(why.score);
            why.rules.iter().for_each(|rule| scored.met[*rule] += 1);
        }
        Some(Some(Arc::new(scored)))
    }

    /// An article's score.
    pub fn points(&self, article: u32) -> i32 {
        self.points.get(article as usize).copied().unwrap_or(0)
    }

    /// How many articles met each rule, and which rules those are.
    pub fn met(&self) -> (&Scoring, &[u32]) {
        (&self.by, &self.met)
    }

    /// Whether an article is not to be seen.
    pub fn is_killed(&self, article: u32) -> bool {
        self.points(article) <= self.by.kill
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        (self.points.capacity() + self.met.capacity()) * 4
    }
}

/// The threads as they are shown, and the articles that are killed, in the order of their threads.
pub(super) fn shown(forest: &Arc<Forest>, scored: Option<&Scored>, wishes: &Wishes) -> (Arc<Forest>, Arc<[u32]>) {
    let Some(scored) = scored else { return (Arc::clone(forest), Arc::default()) };
    let articles = forest.rows.iter().filter_map(|row| row.article);
    let killed: Arc<[u32]> = articles.filter(|article| scored.is_killed(*article)).collect();
    let mut shown = Arc::clone(forest);
    if !killed.is_empty() {
        shown = Arc::new(shown.without(|article| scored.is_killed(article)));
    }
    if wishes.order == Order::Score {
        shown = Arc::new(shown.best_first(|article| scored.points(article), wishes.reverse));
    }
    (shown, killed)
}

fn moment(reading: &Reading) -> Option<Moment> {
    reading.now.as_ref().map(Moment::of)
}

impl Articles {
    /// The group's name.
    fn name(&self) -> &[u8] {
        self.group.as_ref().map_or(&b""[..], |group| &group.name)
    }

    /// All that is known of an article, by the page as it was written.
    pub(in super::super) fn facts<'a>(&'a self, given: &'a Document, article: u32) -> Option<Facts<'a>> {
        let (subject, written) = (given.link_text(LinkId(article)), self.threads.date(article));
        self.told.facts(article).map(|facts| Facts { subject, written, ..facts })
    }

    /// An article's score by the reader's rules, and the rules that gave it.
    pub(in super::super) fn why(&self, given: &Document, article: u32, reading: &Reading) -> Option<Why> {
        let (by, now) = (reading.scoring.as_ref()?, moment(reading)?);
        Some(by.scores.judge(self.name(), now).why(&self.facts(given, article)?))
    }
}

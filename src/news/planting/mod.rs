//! Articles → threads, in steps: what is known of each article's place, then loops cut, missing articles passed over, threads
//! joined by their subjects, rows written. Time and memory are proportional to the articles, but for sorting them by date.
//!
//! A step takes off its budget one for each article that it looks at. More articles may come between two steps: the threads
//! are those of the articles that were there at the beginning. Nothing here recurses: threads of a million generations exist,
//! if only to break programs.

mod loops;
mod missing;
mod rows;
mod subjects;

use super::ids::NONE;
use super::thread::{Known, Threads};
use super::tree::Forest;
use crate::sorter::Sorter;
use loops::Loops;
use missing::Missing;
use rows::Rows;
use std::cmp::Ordering;
use subjects::Subjects;

/// Threads in the making.
#[derive(Debug, Clone)]
pub struct Planting {
    ground: Ground,
    stage: Stage,
}

/// Places while they become rows. A node is an id's number, or one of those after them: articles without an id of their
/// own, then missing articles that several answers with the same subject must have had.
#[derive(Debug, Clone)]
struct Ground {
    /// How many articles there were at the beginning.
    articles: usize,
    /// How many ids.
    ids: usize,
    /// Every node's article.
    article: Vec<u32>,
    /// The node that every node stands under.
    parent: Vec<u32>,
    /// The nodes that have articles, by date.
    order: Vec<u32>,
}

/// What is being done.
#[derive(Debug, Clone)]
enum Stage {
    Taking(Taking),
    Sorting(Sorter<Dated>),
    Loops(Loops),
    Missing(Missing),
    Subjects(Subjects),
    Rows(Rows),
}

/// What is known of places is taken down.
#[derive(Debug, Clone)]
struct Taking {
    /// The next node.
    at: usize,
    /// The node past the last one, once all ids were taken down: an article that loses its id after that has its node.
    end: Option<usize>,
    /// Articles that have their node: an id may go to another article meanwhile, and the one that had it is an extra then.
    seen: Vec<bool>,
    dated: Vec<Dated>,
}

/// What articles are ordered by.
#[derive(Debug, Clone, Copy)]
struct Dated {
    date: i64,
    number: u64,
    node: u32,
}

impl Planting {
    /// Begins with the articles that are here.
    pub fn of(threads: &Threads) -> Planting {
        let (articles, ids) = (threads.articles.len(), threads.places.len());
        let nodes = ids + threads.extras.len();
        let ground = Ground {
            articles,
            ids,
            article: Vec::with_capacity(nodes),
            parent: Vec::with_capacity(nodes),
            order: Vec::new(),
        };
        let taking = Taking { at: 0, end: None, seen: vec![false; articles], dated: Vec::with_capacity(articles) };
        Planting { ground, stage: Stage::Taking(taking) }
    }

    /// Goes on until about so many articles were looked at; the threads when they are done.
    pub fn step(&mut self, threads: &Threads, left: &mut usize) -> Option<Forest> {
        while *left > 0 {
            let ground = &mut self.ground;
            let next = match &mut self.stage {
                Stage::Taking(taking) => taking.step(ground, threads, left).map(Stage::Sorting),
                Stage::Sorting(sorter) => sorter.step(left, |a, b| ground.by_date(threads, a, b)).map(|dated| {
                    ground.order = dated.iter().map(|dated| dated.node).collect();
                    Stage::Loops(Loops::new(ground))
                }),
                Stage::Loops(loops) => loops.step(ground, threads, left).then(|| Stage::Missing(Missing::new(ground))),
                Stage::Missing(missing) => missing.step(ground, left).then(|| Stage::Subjects(Subjects::new(ground))),
                Stage::Subjects(subjects) => {
                    subjects.step(ground, threads, left).then(|| Stage::Rows(Rows::new(ground)))
                }
                Stage::Rows(rows) => {
                    if let Some(rows) = rows.step(ground, threads, left) {
                        return Some(Forest { rows, articles: ground.articles });
                    }
                    None
                }
            };
            if let Some(next) = next {
                self.stage = next;
            }
        }
        None
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        // The stages keep about as much as the places themselves.
        2 * (self.ground.article.capacity() + self.ground.parent.capacity() + self.ground.order.capacity()) * 4
    }
}

impl Taking {
    fn step(&mut self, ground: &mut Ground, threads: &Threads, left: &mut usize) -> Option<Sorter<Dated>> {
        if self.at == ground.ids {
            // Articles that lost their id meanwhile are extras now.
            self.end.get_or_insert(ground.ids + threads.extras.len());
        }
        let end = self.end.unwrap_or(ground.ids).min(self.at.saturating_add(*left));
        *left -= end - self.at;
        for node in self.at..end {
            let (article, said) = match node.checked_sub(ground.ids) {
                Some(extra) => (threads.extras[extra], NONE),
                None => (threads.places[node].article, threads.places[node].answers),
            };
            let known = threads.articles[..ground.articles].get(article as usize);
            match known.filter(|_| !std::mem::replace(&mut self.seen[article as usize], true)) {
                Some(Known { date, number, answers, .. }) => {
                    self.dated.push(Dated { date: *date, number: *number, node: node as u32 });
                    ground.article.push(article);
                    ground.parent.push(*answers);
                }
                None => {
                    ground.article.push(NONE);
                    ground.parent.push(if (said as usize) < ground.ids { said } else { NONE });
                }
            }
        }
        self.at = end;
        (self.end == Some(end)).then(|| Sorter::new(std::mem::take(&mut self.dated)))
    }
}

impl Ground {
    fn nodes(&self) -> usize {
        self.parent.len()
    }

    fn has_article(&self, node: u32) -> bool {
        self.article[node as usize] != NONE
    }

    /// What is known of a node's article.
    fn known<'a>(&self, threads: &'a Threads, node: u32) -> Option<&'a Known> {
        threads.articles.get(self.article[node as usize] as usize)
    }

    /// A node's id; empty where it has none of its own.
    fn id<'a>(&self, threads: &'a Threads, node: u32) -> &'a [u8] {
        if (node as usize) < self.ids { threads.ids.get(node) } else { b"" }
    }

    fn by_date(&self, threads: &Threads, a: &Dated, b: &Dated) -> Ordering {
        let ids = || self.id(threads, a.node).cmp(self.id(threads, b.node));
        (a.date, a.number).cmp(&(b.date, b.number)).then_with(ids).then(a.node.cmp(&b.node))
    }

    /// The root that an article stands for: itself, or the missing one that it answers.
    fn root_of(&self, node: u32) -> Option<u32> {
        match self.parent[node as usize] {
            NONE => Some(node),
            above => (!self.has_article(above)).then_some(above),
        }
    }
}

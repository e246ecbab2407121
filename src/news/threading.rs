//! Articles → threads (Jamie Zawinski's algorithm): what is known of each article's place, then loops cut, missing articles
//! passed over, threads joined by their subjects, rows written.
//!
//! Time and memory are proportional to the articles, but for sorting them by date. Nothing here recurses: threads of a
//! million generations exist, if only to break programs.

use super::ids::NONE;
use super::thread::{Known, Threads};
use super::tree::{Forest, ThreadRow};
use crate::stop::Stop;
use std::cmp::Reverse;

impl Threads {
    /// The threads as they are now; `None` when making them was given up.
    pub fn forest(&self, stop: &Stop) -> Option<Forest> {
        let mut places = Places::of(self);
        stop.go_on()?;
        places.sort();
        stop.go_on()?;
        places.cut_loops();
        stop.go_on()?;
        places.pass_over_missing();
        stop.go_on()?;
        places.join_by_subject();
        stop.go_on()?;
        let (rows, beginnings) = places.rows();
        stop.go_on()?;
        Some(Forest { rows: newest_first(&rows, beginnings), articles: self.len() })
    }
}

/// Where every article stands. A node is an id's number, or one of those after them: articles without an id of their own,
/// then missing articles that several answers with the same subject must have had.
struct Places<'a> {
    threads: &'a Threads,
    /// Every node's article.
    article: Vec<u32>,
    /// The node that every node stands under.
    parent: Vec<u32>,
    /// The nodes that have articles, by date.
    order: Vec<u32>,
}

/// A node that begins a thread and could join others that have its subject.
struct Root {
    node: u32,
    subject: u32,
    /// Whether it says of itself that it is an answer.
    reply: bool,
}

/// A thread among others.
struct Beginning {
    /// The number of its newest article.
    newest: u64,
    /// Its place by date.
    age: usize,
    /// Its rows.
    rows: std::ops::Range<usize>,
}

impl<'a> Places<'a> {
    /// What articles say themselves, and others of those that are missing.
    fn of(threads: &'a Threads) -> Places<'a> {
        let said = threads.places.iter().map(|place| (place.article, place.answers));
        let nodes = said.chain(threads.extras.iter().map(|article| (*article, NONE)));
        let (article, parent) = nodes
            .map(|(article, said)| {
                (article, threads.articles.get(article as usize).map_or(said, |known| known.answers))
            })
            .unzip();
        Places { threads, article, parent, order: Vec::new() }
    }

    /// Articles by date, number, id.
    fn sort(&mut self) {
        let dated = |(node, article): (u32, &u32)| {
            let known = self.threads.articles.get(*article as usize)?;
            Some((known.date, known.number, node))
        };
        let mut dated: Vec<(i64, u64, u32)> = (0..).zip(&self.article).filter_map(dated).collect();
        dated.sort_unstable_by(|a, b| {
            let ids = || self.id(a.2).cmp(self.id(b.2));
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(ids).then(a.2.cmp(&b.2))
        });
        self.order = dated.into_iter().map(|(.., node)| node).collect();
    }

    fn has_article(&self, node: u32) -> bool {
        self.article[node as usize] != NONE
    }

    /// What is known of a node's article.
    fn known(&self, node: u32) -> Option<&'a Known> {
        self.threads.articles.get(self.article[node as usize] as usize)
    }

    /// A node's id; empty where it has none of its own.
    fn id(&self, node: u32) -> &'a [u8] {
        self.threads.ids.get(node)
    }

    /// The node that an article's thread begins with, if that is the article itself or a missing one that it answers.
    fn root_of(&self, node: u32) -> Option<u32> {
        match self.parent[node as usize] {
            NONE => Some(node),
            above => (!self.has_article(above)).then_some(above),
        }
    }

    /// Of articles that answer each other in a ring the oldest one begins it, but what is only said of a missing one is
    /// disbelieved first.
    fn cut_loops(&mut self) {
        // The walk that came by a node; 0 for none.
        let mut seen = vec![0; self.parent.len()];
        for walk in 1..=index(self.parent.len()) {
            let mut node = walk - 1;
            while node != NONE && seen[node as usize] == 0 {
                seen[node as usize] = walk;
                node = self.parent[node as usize];
            }
            if node != NONE && seen[node as usize] == walk {
                let oldest = self.oldest_of_ring(node);
                self.parent[oldest as usize] = NONE;
            }
        }
    }

    fn oldest_of_ring(&self, node: u32) -> u32 {
        let rank = |node: u32| (self.known(node).map(|article| (article.date, article.number)), self.id(node));
        let (mut oldest, mut at) = (node, self.parent[node as usize]);
        while at != node {
            if rank(at) < rank(oldest) {
                oldest = at;
            }
            at = self.parent[at as usize];
        }
        oldest
    }

    /// Step 4: what is not here is passed over. It keeps its place only where it begins a thread and has several answers.
    fn pass_over_missing(&mut self) {
        let mut path = Vec::new();
        for start in 0..index(self.parent.len()) {
            let mut node = start;
            // An article, or the missing one that begins the thread.
            let end = loop {
                match self.parent[node as usize] {
                    NONE => break node,
                    above if self.has_article(above) => break above,
                    above => {
                        path.push(node);
                        node = above;
                    }
                }
            };
            path.drain(..).for_each(|node| self.parent[node as usize] = end);
        }
        let mut answers = vec![0u32; self.parent.len()];
        for node in &self.order {
            if let Some(answers) = answers.get_mut(self.parent[*node as usize] as usize) {
                *answers += 1;
            }
        }
        // The only answer to a missing article begins the thread itself.
        for node in &self.order {
            let above = self.parent[*node as usize];
            if above != NONE && self.article[above as usize] == NONE && answers[above as usize] == 1 {
                self.parent[*node as usize] = NONE;
            }
        }
    }

    /// Step 5, for answers whose References are lost: they go to the thread of their subject. Threads that do not call
    /// themselves answers stay apart, even with one subject, or each week's FAQ would be one thread for ever.
    fn join_by_subject(&mut self) {
        let mut roots = self.roots();
        // Without lost answers nothing moves.
        if !roots.iter().any(|root| root.reply) {
            return;
        }
        roots.sort_by_key(|root| root.subject);
        let mut under = vec![NONE; self.parent.len()];
        for alike in roots.chunk_by(|a, b| a.subject == b.subject).filter(|alike| alike.len() > 1) {
            let mut host = self.host_of(alike);
            for root in alike {
                match root.reply {
                    // Of several threads that could be meant, the latest one before the answer.
                    false => host = root.node,
                    true if root.node != host => under[root.node as usize] = host,
                    true => {}
                }
            }
        }
        for at in 0..self.order.len() {
            let node = self.order[at];
            // A missing one that goes takes its answers along; one that was put here stays.
            let host = self.root_of(node).and_then(|root| under.get(root as usize));
            if let Some(host) = host.filter(|host| **host != NONE) {
                self.parent[node as usize] = *host;
            }
        }
    }

    /// What begins threads, by date; a missing article has the subject of its first answer.
    fn roots(&self) -> Vec<Root> {
        let mut seen = vec![false; self.parent.len()];
        let mut roots = Vec::new();
        for node in &self.order {
            let Some((root, article)) = self.root_of(*node).zip(self.known(*node)) else { continue };
            if !std::mem::replace(&mut seen[root as usize], true) && article.subject != NONE {
                roots.push(Root { node: root, subject: article.subject, reply: article.reply });
            }
        }
        roots
    }

    /// The thread of a subject: the first that is no answer, else the first that is missing, else one that several answers
    /// must have had.
    fn host_of(&mut self, alike: &[Root]) -> u32 {
        let question = alike.iter().find(|root| !root.reply);
        let missing = || alike.iter().find(|root| !self.has_article(root.node));
        if let Some(root) = question.or_else(missing) {
            return root.node;
        }
        self.article.push(NONE);
        self.parent.push(NONE);
        index(self.parent.len()) - 1
    }

    /// The rows of all threads, threads by their oldest article, answers by date.
    fn rows(&self) -> (Vec<ThreadRow>, Vec<Beginning>) {
        let answers = Answers::of(self);
        let mut rows: Vec<ThreadRow> = Vec::with_capacity(self.order.len() + 16);
        let mut beginnings = Vec::with_capacity(answers.roots.len());
        // The nodes that the present one stands under, with their rows.
        let mut open: Vec<(u32, usize)> = Vec::new();
        for (age, root) in answers.roots.iter().enumerate() {
            let (start, mut newest, mut node) = (rows.len(), 0, *root);
            loop {
                if node != NONE {
                    newest = newest.max(self.known(node).map_or(0, |article| article.number));
                    let article = Some(self.article[node as usize]).filter(|article| *article != NONE);
                    open.push((node, rows.len()));
                    rows.push(ThreadRow { article, depth: index(open.len()) - 1, end: 0 });
                    node = answers.first[node as usize];
                    continue;
                }
                // Up from what has no more answers, to the next one that has a sibling.
                let Some((done, row)) = open.pop() else { break };
                rows[row].end = index(rows.len());
                node = if open.is_empty() { NONE } else { answers.next[done as usize] };
            }
            beginnings.push(Beginning { newest, age, rows: start..rows.len() });
        }
        (rows, beginnings)
    }
}

/// Every node's answers, by date.
struct Answers {
    /// Its first answer.
    first: Vec<u32>,
    /// Its next sibling.
    next: Vec<u32>,
    /// The nodes that begin threads, by date.
    roots: Vec<u32>,
}

impl Answers {
    fn of(places: &Places<'_>) -> Answers {
        let none = || vec![NONE; places.parent.len()];
        let (mut first, mut next, mut last) = (none(), none(), none());
        let mut roots = Vec::new();
        for &node in &places.order {
            let above = places.parent[node as usize];
            if above == NONE {
                roots.push(node);
                continue;
            }
            if !places.has_article(above) && first[above as usize] == NONE {
                roots.push(above);
            }
            match last[above as usize] {
                NONE => first[above as usize] = node,
                before => next[before as usize] = node,
            }
            last[above as usize] = node;
        }
        Answers { first, next, roots }
    }
}

/// The rows with the thread of the newest article first.
fn newest_first(rows: &[ThreadRow], mut beginnings: Vec<Beginning>) -> Vec<ThreadRow> {
    beginnings.sort_unstable_by_key(|thread| Reverse((thread.newest, thread.age)));
    let mut sorted = Vec::with_capacity(rows.len());
    for Beginning { rows: range, .. } in beginnings {
        // What stands under a row ends as far behind it as before.
        let (from, to) = (index(range.start), index(sorted.len()));
        sorted.extend(rows[range].iter().map(|row| ThreadRow { end: row.end - from + to, ..*row }));
    }
    sorted
}

/// Which of many articles: they are numbered by 32 bits, and none is taken that those could not tell apart.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

//! Articles → threads, in the order in which they are read. Nothing here recurses: threads of a million generations exist,
//! if only to break programs.

use super::ids::NONE;
use super::thread::Threads;
use std::collections::HashMap;

/// All threads, one after the other, each article before its answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forest {
    /// The rows. The thread with the newest article comes first; answers to one article stand by date, oldest first.
    pub rows: Vec<Row>,
}

/// An article's place, or that of an article which is not here and has several answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The article, by its number of arrival.
    pub article: Option<u32>,
    /// How many articles it stands under.
    pub depth: u32,
    /// The row past the last one that stands under it.
    pub end: u32,
}

impl Forest {
    /// How many articles there are.
    pub fn articles(&self) -> usize {
        self.rows.iter().filter(|row| row.article.is_some()).count()
    }

    /// The rows that begin a thread.
    pub fn roots(&self) -> impl Iterator<Item = u32> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let root = self.rows.get(next as usize)?;
            Some(std::mem::replace(&mut next, root.end))
        })
    }
}

impl Threads {
    /// The threads as they are now. Time and memory are proportional to the articles, but for sorting them by date.
    pub fn forest(&self) -> Forest {
        let mut planter = Planter::new(self);
        planter.cut_loops();
        planter.skip_the_missing();
        planter.join_by_subject();
        planter.rows()
    }
}

/// Places while they become rows. A node is an id's number, or one of those after them: articles without an id of their
/// own, then missing articles that several answers with the same subject must have had.
struct Planter<'a> {
    threads: &'a Threads,
    /// Every node's article.
    article: Vec<u32>,
    /// The node that every node stands under.
    parent: Vec<u32>,
    /// The nodes that have articles, by date.
    order: Vec<u32>,
}

/// What could join others that have its subject: a node that begins a thread.
#[derive(Debug, Clone, Copy)]
struct Root {
    node: u32,
    subject: u32,
    reply: bool,
}

impl<'a> Planter<'a> {
    fn new(threads: &'a Threads) -> Planter<'a> {
        let known = |article: &u32| threads.articles.get(*article as usize);
        let article: Vec<u32> =
            threads.places.iter().map(|p| p.article).chain(threads.extras.iter().copied()).collect();
        let said = threads.places.iter().map(|p| p.answers).chain(threads.extras.iter().map(|_| NONE));
        let parent =
            article.iter().zip(said).map(|(article, said)| known(article).map_or(said, |a| a.answers)).collect();
        let mut dated: Vec<(i64, u64, u32)> = (article.iter().enumerate())
            .filter_map(|(node, article)| known(article).map(|a| (a.date, a.number, node as u32)))
            .collect();
        dated.sort_unstable_by(|a, b| {
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| threads.ids.get(a.2).cmp(threads.ids.get(b.2)))
        });
        let order = dated.into_iter().map(|(_, _, node)| node).collect();
        Planter { threads, article, parent, order }
    }

    fn has_article(&self, node: u32) -> bool {
        self.article[node as usize] != NONE
    }

    /// Articles that answer each other in a ring: the oldest one begins it, but what is only said of a missing one is
    /// disbelieved first.
    fn cut_loops(&mut self) {
        // The walk that came by a node; 0 for none.
        let mut seen = vec![0u32; self.parent.len()];
        for start in 0..self.parent.len() as u32 {
            let mut node = start;
            while node != NONE && seen[node as usize] == 0 {
                seen[node as usize] = start + 1;
                node = self.parent[node as usize];
            }
            if node != NONE && seen[node as usize] == start + 1 {
                let oldest = self.oldest_of_ring(node);
                self.parent[oldest as usize] = NONE;
            }
        }
    }

    fn oldest_of_ring(&self, start: u32) -> u32 {
        let rank = |node: u32| {
            let known = self.threads.articles.get(self.article[node as usize] as usize);
            (known.map(|article| (article.date, article.number)), self.threads.ids.get(node))
        };
        let (mut oldest, mut node) = (start, self.parent[start as usize]);
        while node != start {
            if rank(node) < rank(oldest) {
                oldest = node;
            }
            node = self.parent[node as usize];
        }
        oldest
    }

    /// Step 4: what is not here is passed over. It keeps its place only where it begins a thread and has several answers.
    fn skip_the_missing(&mut self) {
        let mut path = Vec::new();
        for start in 0..self.parent.len() as u32 {
            let mut node = start;
            let mut above = self.parent[node as usize];
            while above != NONE && !self.has_article(above) {
                path.push(node);
                node = above;
                above = self.parent[node as usize];
            }
            // An article, or the missing one that begins the thread.
            let end = if above == NONE { node } else { above };
            path.drain(..).for_each(|below| self.parent[below as usize] = end);
        }
        let mut answers = vec![0u32; self.parent.len()];
        for &node in &self.order {
            if let Some(answers) = answers.get_mut(self.parent[node as usize] as usize) {
                *answers += 1;
            }
        }
        for &node in &self.order {
            let above = self.parent[node as usize];
            if above != NONE && !self.has_article(above) && answers[above as usize] == 1 {
                self.parent[node as usize] = NONE;
            }
        }
    }

    /// Step 5, for answers whose References are lost: they go to the thread of their subject. Threads that do not call
    /// themselves answers stay apart, even with one subject, or each week's FAQ would be one thread for ever.
    fn join_by_subject(&mut self) {
        let mut roots: Vec<Root> = Vec::new();
        let mut seen = vec![false; self.parent.len()];
        for &node in &self.order {
            let Some(root) = self.root_of(node) else { continue };
            let article = &self.threads.articles[self.article[node as usize] as usize];
            if !std::mem::replace(&mut seen[root as usize], true) && article.subject != NONE {
                roots.push(Root { node: root, subject: article.subject, reply: article.reply });
            }
        }
        if !roots.iter().any(|root| root.reply) {
            return;
        }
        roots.sort_by_key(|root| root.subject);
        let mut under = HashMap::new();
        for roots in roots.chunk_by(|a, b| a.subject == b.subject).filter(|roots| roots.len() > 1) {
            self.join(roots, &mut under);
        }
        for &node in &self.order {
            // A missing one that goes takes its answers along.
            if let Some(host) = self.root_of(node).and_then(|root| under.get(&root)) {
                self.parent[node as usize] = *host;
            }
        }
    }

    /// The root that an article stands for: itself, or the missing one that it answers.
    fn root_of(&self, node: u32) -> Option<u32> {
        match self.parent[node as usize] {
            NONE => Some(node),
            above => (!self.has_article(above)).then_some(above),
        }
    }

    /// Joins roots of one subject, which come by date.
    fn join(&mut self, roots: &[Root], under: &mut HashMap<u32, u32>) {
        let mut host = roots.iter().find(|root| !root.reply).map(|root| root.node);
        if host.is_none() {
            host = roots.iter().map(|root| root.node).find(|node| !self.has_article(*node));
        }
        let mut host = host.unwrap_or_else(|| {
            self.article.push(NONE);
            self.parent.push(NONE);
            self.parent.len() as u32 - 1
        });
        for root in roots {
            match root.reply {
                // Of several threads that could be meant, the latest one before the answer.
                false => host = root.node,
                true if root.node != host => drop(under.insert(root.node, host)),
                true => {}
            }
        }
    }

    /// Writes the rows: threads by their newest article, answers by date.
    fn rows(&self) -> Forest {
        let nodes = self.parent.len();
        let (mut first, mut last, mut next) = (vec![NONE; nodes], vec![NONE; nodes], vec![NONE; nodes]);
        let mut roots = Vec::new();
        for &node in &self.order {
            let above = self.parent[node as usize];
            if above == NONE {
                roots.push(node);
                continue;
            }
            if !self.has_article(above) && first[above as usize] == NONE {
                roots.push(above);
            }
            match last[above as usize] {
                NONE => first[above as usize] = node,
                before => next[before as usize] = node,
            }
            last[above as usize] = node;
        }
        let (mut rows, mut open) = (Vec::with_capacity(self.order.len() + 16), Vec::new());
        let mut threads: Vec<_> = (roots.iter().enumerate())
            .map(|(age, root)| {
                let start = rows.len();
                self.thread(*root, (&first, &next), &mut open, &mut rows);
                let newest = rows[start..].iter().filter_map(|row: &Row| row.article);
                let newest = newest.map(|article| self.threads.articles[article as usize].number).max();
                (newest, age, start..rows.len())
            })
            .collect();
        threads.sort_unstable_by_key(|thread| std::cmp::Reverse((thread.0, thread.1)));
        let mut sorted = Vec::with_capacity(rows.len());
        for (_, _, range) in threads {
            let (from, to) = (range.start as u32, sorted.len() as u32);
            sorted.extend(rows[range].iter().map(|row| Row { end: row.end - from + to, ..*row }));
        }
        Forest { rows: sorted }
    }

    /// Appends one thread. `open` is empty before and after.
    fn thread(&self, root: u32, (first, next): (&[u32], &[u32]), open: &mut Vec<(u32, u32)>, rows: &mut Vec<Row>) {
        let mut node = root;
        while node != NONE {
            let article = Some(self.article[node as usize]).filter(|article| *article != NONE);
            rows.push(Row { article, depth: open.len() as u32, end: 0 });
            open.push((node, rows.len() as u32 - 1));
            node = first[node as usize];
            while node == NONE
                && let Some((done, row)) = open.pop()
            {
                rows[row as usize].end = rows.len() as u32;
                node = if open.is_empty() { NONE } else { next[done as usize] };
            }
        }
    }
}

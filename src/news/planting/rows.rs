//! Threads by their newest article, answers by date.

use super::super::ids::NONE;
use super::super::thread::Threads;
use super::super::tree::Row;
use super::Ground;
use crate::sorter::Sorter;
use std::cmp::Reverse;

/// How far the rows have come.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    /// Each node's first answer, its last one so far, and its next sibling.
    first: Vec<u32>,
    last: Vec<u32>,
    next: Vec<u32>,
    /// The nodes that begin threads, by date.
    roots: Vec<u32>,
    /// The rows, threads by date.
    rows: Vec<Row>,
    stage: Stage,
}

#[derive(Debug, Clone)]
enum Stage {
    /// Nodes learn of their answers.
    Linking {
        at: usize,
    },
    Growing(Growing),
    Sorting(Sorter<Thread>),
    /// The rows `from` a thread's beginning on go where it belongs.
    Moving {
        threads: Vec<Thread>,
        at: usize,
        from: u32,
        sorted: Vec<Row>,
    },
}

/// Threads become rows, one after the other.
#[derive(Debug, Clone)]
struct Growing {
    /// The next root.
    age: usize,
    /// The node that is next; none when a thread is complete.
    node: u32,
    /// The nodes that it stands under, with their rows.
    open: Vec<(u32, u32)>,
    /// The thread that is growing.
    thread: Thread,
    threads: Vec<Thread>,
}

/// A thread among others.
#[derive(Debug, Clone, Copy, Default)]
struct Thread {
    /// The number of its newest article.
    newest: u64,
    age: usize,
    start: u32,
    end: u32,
}

impl Rows {
    pub fn new(ground: &Ground) -> Rows {
        let none = || vec![NONE; ground.nodes()];
        let rows = Vec::with_capacity(ground.order.len() + 16);
        let (first, last, next) = (none(), none(), none());
        Rows { first, last, next, roots: Vec::with_capacity(ground.order.len()), rows, stage: Stage::Linking { at: 0 } }
    }

    /// The rows when they are done.
    pub fn step(&mut self, ground: &Ground, threads: &Threads, left: &mut usize) -> Option<Vec<Row>> {
        while *left > 0 {
            let next = match &mut self.stage {
                Stage::Linking { .. } => self.link(ground, left).then(|| {
                    let (threads, open) = (Vec::with_capacity(self.roots.len()), Vec::new());
                    Stage::Growing(Growing { age: 0, node: NONE, open, thread: Thread::default(), threads })
                }),
                Stage::Growing(growing) => {
                    let links = (&*self.roots, &*self.first, &*self.next);
                    growing
                        .step(ground, threads, links, &mut self.rows, left)
                        .then(|| Stage::Sorting(Sorter::new(std::mem::take(&mut growing.threads))))
                }
                Stage::Sorting(sorter) => {
                    let newest = |thread: &Thread| Reverse((thread.newest, thread.age));
                    sorter.step(left, |a, b| newest(a).cmp(&newest(b))).map(|threads| {
                        let sorted = Vec::with_capacity(self.rows.len());
                        Stage::Moving { threads, at: 0, from: 0, sorted }
                    })
                }
                Stage::Moving { threads, at, from, sorted } => {
                    let Some(thread) = threads.get(*at) else { return Some(std::mem::take(sorted)) };
                    let start = thread.start + *from;
                    let end = thread.end.min(start.saturating_add(u32::try_from(*left).unwrap_or(u32::MAX)));
                    *left = left.saturating_sub((end - start) as usize + 1);
                    // What stands under a row ends as far behind it as before.
                    let to = sorted.len() as u32;
                    let rows = &self.rows[start as usize..end as usize];
                    sorted.extend(rows.iter().map(|row| Row { end: row.end - start + to, ..*row }));
                    (*at, *from) = if end == thread.end { (*at + 1, 0) } else { (*at, end - thread.start) };
                    None
                }
            };
            if let Some(next) = next {
                self.stage = next;
            }
        }
        None
    }

    fn link(&mut self, ground: &Ground, left: &mut usize) -> bool {
        let Stage::Linking { at } = &mut self.stage else { return true };
        while let Some(&node) = ground.order.get(*at) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            *at += 1;
            let above = ground.parent[node as usize];
            if above == NONE {
                self.roots.push(node);
                continue;
            }
            if !ground.has_article(above) && self.first[above as usize] == NONE {
                self.roots.push(above);
            }
            match self.last[above as usize] {
                NONE => self.first[above as usize] = node,
                before => self.next[before as usize] = node,
            }
            self.last[above as usize] = node;
        }
        true
    }
}

impl Growing {
    fn step(
        &mut self,
        ground: &Ground,
        threads: &Threads,
        (roots, first, next): (&[u32], &[u32], &[u32]),
        rows: &mut Vec<Row>,
        left: &mut usize,
    ) -> bool {
        loop {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            if self.node == NONE {
                // Up from what has no more answers, to the next one that has a sibling.
                if let Some((done, row)) = self.open.pop() {
                    rows[row as usize].end = rows.len() as u32;
                    self.node = if self.open.is_empty() { NONE } else { next[done as usize] };
                    if self.open.is_empty() {
                        self.threads.push(Thread { end: rows.len() as u32, ..self.thread });
                    }
                    continue;
                }
                let Some(root) = roots.get(self.age) else { return true };
                self.thread = Thread { newest: 0, age: self.age, start: rows.len() as u32, end: 0 };
                (self.node, self.age) = (*root, self.age + 1);
            }
            let node = self.node;
            let newest = ground.known(threads, node).map_or(0, |article| article.number);
            self.thread.newest = self.thread.newest.max(newest);
            let article = Some(ground.article[node as usize]).filter(|article| *article != NONE);
            rows.push(Row { article, depth: self.open.len() as u32, end: 0 });
            self.open.push((node, rows.len() as u32 - 1));
            self.node = first[node as usize];
        }
    }
}

//! Step 5, for answers whose References are lost: they go to the thread of their subject. Threads that do not call
//! themselves answers stay apart, even with one subject, or each week's FAQ would be one thread for ever.

use super::super::ids::NONE;
use super::super::thread::Threads;
use super::Ground;
use crate::sorter::Sorter;

/// How far that has come.
#[derive(Debug, Clone)]
pub(super) struct Subjects {
    stage: Stage,
    /// For each root that goes to another thread, the node that it goes under.
    under: Vec<u32>,
}

#[derive(Debug, Clone)]
enum Stage {
    /// Roots are gathered, by date.
    Gathering {
        at: usize,
        seen: Vec<bool>,
        roots: Vec<Root>,
    },
    Sorting(Sorter<Root>),
    /// Roots of one subject, from `first` on, look for the thread that they belong to.
    Joining {
        roots: Vec<Root>,
        first: usize,
        at: usize,
        search: Search,
    },
    /// Articles go where their roots go.
    Moving {
        at: usize,
    },
    Done,
}

/// What could join others that have its subject: a node that begins a thread.
#[derive(Debug, Clone, Copy)]
struct Root {
    node: u32,
    subject: u32,
    /// Its place by date.
    age: u32,
    reply: bool,
}

/// The thread of a subject.
#[derive(Debug, Clone, Copy)]
enum Search {
    /// Looking through the roots of the subject: the first that is no answer, the first that is missing.
    Open { question: u32, missing: u32 },
    /// It is this one; the roots before `end` have its subject.
    Found { host: u32, end: usize },
}

const OPEN: Search = Search::Open { question: NONE, missing: NONE };

impl Subjects {
    pub fn new(ground: &Ground) -> Subjects {
        let roots = Vec::with_capacity(ground.order.len());
        let stage = Stage::Gathering { at: 0, seen: vec![false; ground.nodes()], roots };
        Subjects { stage, under: Vec::new() }
    }

    /// True when no answer is lost any more.
    pub fn step(&mut self, ground: &mut Ground, threads: &Threads, left: &mut usize) -> bool {
        while *left > 0 {
            let next = match &mut self.stage {
                Stage::Gathering { at, seen, roots } => gather(ground, threads, (at, seen, roots), left).then(|| {
                    // Without lost answers nothing moves.
                    match roots.iter().any(|root| root.reply) {
                        true => Stage::Sorting(Sorter::new(std::mem::take(roots))),
                        false => Stage::Done,
                    }
                }),
                Stage::Sorting(sorter) => {
                    sorter.step(left, |a, b| (a.subject, a.age).cmp(&(b.subject, b.age))).map(|roots| {
                        self.under = vec![NONE; ground.nodes()];
                        Stage::Joining { roots, first: 0, at: 0, search: OPEN }
                    })
                }
                Stage::Joining { roots, first, at, search } => {
                    join(ground, &mut self.under, roots, (first, at, search), left).then_some(Stage::Moving { at: 0 })
                }
                Stage::Moving { at } => follow(ground, &self.under, at, left).then_some(Stage::Done),
                Stage::Done => return true,
            };
            if let Some(next) = next {
                self.stage = next;
            }
        }
        matches!(self.stage, Stage::Done)
    }
}

fn gather(
    ground: &Ground,
    threads: &Threads,
    (at, seen, roots): (&mut usize, &mut [bool], &mut Vec<Root>),
    left: &mut usize,
) -> bool {
    while let Some(&node) = ground.order.get(*at) {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        *at += 1;
        let Some((root, article)) = ground.root_of(node).zip(ground.known(threads, node)) else { continue };
        if !std::mem::replace(&mut seen[root as usize], true) && article.subject != NONE {
            let age = roots.len() as u32;
            roots.push(Root { node: root, subject: article.subject, age, reply: article.reply });
        }
    }
    true
}

fn join(
    ground: &mut Ground,
    under: &mut [u32],
    roots: &[Root],
    (first, at, search): (&mut usize, &mut usize, &mut Search),
    left: &mut usize,
) -> bool {
    while let Some(start) = roots.get(*first) {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let root = roots.get(*at).filter(|root| root.subject == start.subject);
        match (&mut *search, root) {
            (Search::Open { question, missing }, Some(root)) => {
                if !root.reply && *question == NONE {
                    *question = root.node;
                }
                if !ground.has_article(root.node) && *missing == NONE {
                    *missing = root.node;
                }
                *at += 1;
            }
            (Search::Open { .. }, None) if *at == *first + 1 => *first = *at,
            (Search::Open { question, missing }, None) => {
                let host = match (*question, *missing) {
                    (NONE, NONE) => ground.plant(),
                    (NONE, missing) => missing,
                    (question, _) => question,
                };
                *search = Search::Found { host, end: *at };
                *at = *first;
            }
            (Search::Found { host, end }, Some(root)) if *at < *end => {
                match root.reply {
                    // Of several threads that could be meant, the latest one before the answer.
                    false => *host = root.node,
                    true if root.node != *host => under[root.node as usize] = *host,
                    true => {}
                }
                *at += 1;
            }
            (Search::Found { .. }, _) => (*first, *search) = (*at, OPEN),
        }
        if matches!(search, Search::Open { .. }) && *at == *first {
            *search = OPEN;
        }
    }
    true
}

fn follow(ground: &mut Ground, under: &[u32], at: &mut usize, left: &mut usize) -> bool {
    while let Some(&node) = ground.order.get(*at) {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        *at += 1;
        // A missing one that goes takes its answers along; one that was put here stays.
        let host = ground.root_of(node).and_then(|root| under.get(root as usize));
        if let Some(host) = host.filter(|host| **host != NONE) {
            ground.parent[node as usize] = *host;
        }
    }
    true
}

impl Ground {
    /// A missing article that several answers must have had.
    fn plant(&mut self) -> u32 {
        self.article.push(NONE);
        self.parent.push(NONE);
        self.parent.len() as u32 - 1
    }
}

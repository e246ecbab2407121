//! Articles that answer each other in a ring: the oldest one begins it, but what is only said of a missing one is
//! disbelieved first.

use super::super::ids::NONE;
use super::super::thread::Threads;
use super::Ground;

/// Walks from every node to the beginning of its thread.
#[derive(Debug, Clone)]
pub(super) struct Loops {
    /// The walk that came by a node; 0 for none.
    seen: Vec<u32>,
    /// Where the present walk began.
    start: u32,
    /// Where it is.
    node: u32,
    ring: Option<Ring>,
}

/// A ring that a walk ran into.
#[derive(Debug, Clone, Copy)]
struct Ring {
    start: u32,
    /// Where the walk round it is.
    node: u32,
    oldest: u32,
}

impl Loops {
    pub fn new(ground: &Ground) -> Loops {
        Loops { seen: vec![0; ground.nodes()], start: 0, node: 0, ring: None }
    }

    /// True when there is no ring any more.
    pub fn step(&mut self, ground: &mut Ground, threads: &Threads, left: &mut usize) -> bool {
        while (self.start as usize) < ground.nodes() {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let node = self.node;
            match &mut self.ring {
                Some(ring) if ring.node != ring.start => {
                    if ring.rank(ground, threads, ring.node) < ring.rank(ground, threads, ring.oldest) {
                        ring.oldest = ring.node;
                    }
                    ring.node = ground.parent[ring.node as usize];
                }
                Some(ring) => {
                    ground.parent[ring.oldest as usize] = NONE;
                    self.on();
                }
                None if node == NONE => self.on(),
                None => match self.seen[node as usize] {
                    0 => {
                        self.seen[node as usize] = self.start + 1;
                        self.node = ground.parent[node as usize];
                    }
                    walk if walk == self.start + 1 => {
                        self.ring = Some(Ring { start: node, node: ground.parent[node as usize], oldest: node });
                    }
                    _ => self.on(),
                },
            }
        }
        true
    }

    /// The next walk.
    fn on(&mut self) {
        self.start += 1;
        (self.node, self.ring) = (self.start, None);
    }
}

impl Ring {
    fn rank<'a>(&self, ground: &Ground, threads: &'a Threads, node: u32) -> (Option<(i64, u64)>, &'a [u8]) {
        let known = ground.known(threads, node);
        (known.map(|article| (article.date, article.number)), ground.id(threads, node))
    }
}

//! Step 4: what is not here is passed over. It keeps its place only where it begins a thread and has several answers.

use super::super::ids::NONE;
use super::Ground;

/// How far that has come.
#[derive(Debug, Clone)]
pub(super) struct Missing {
    /// The node whose way up is looked at.
    start: u32,
    /// Where on that way it is.
    node: u32,
    /// The nodes that shall stand under the end of the way.
    path: Vec<u32>,
    /// The end, once it was found: an article, or the missing one that begins the thread.
    end: Option<u32>,
    /// How many articles answer a node.
    answers: Vec<u32>,
    /// Articles counted.
    counted: usize,
    /// Articles looked at after counting.
    lifted: usize,
}

impl Missing {
    pub fn new(ground: &Ground) -> Missing {
        let answers = vec![0; ground.nodes()];
        Missing { start: 0, node: 0, path: Vec::new(), end: None, answers, counted: 0, lifted: 0 }
    }

    /// True when all that is missing was passed over.
    pub fn step(&mut self, ground: &mut Ground, left: &mut usize) -> bool {
        self.pass_over(ground, left) && self.count(ground, left) && self.lift(ground, left)
    }

    fn pass_over(&mut self, ground: &mut Ground, left: &mut usize) -> bool {
        while (self.start as usize) < ground.nodes() {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            if let Some(end) = self.end {
                if let Some(below) = self.path.pop() {
                    ground.parent[below as usize] = end;
                } else {
                    self.start += 1;
                    (self.node, self.end) = (self.start, None);
                }
                continue;
            }
            let above = ground.parent[self.node as usize];
            if above == NONE || ground.has_article(above) {
                self.end = Some(if above == NONE { self.node } else { above });
            } else {
                self.path.push(self.node);
                self.node = above;
            }
        }
        true
    }

    fn count(&mut self, ground: &Ground, left: &mut usize) -> bool {
        while let Some(node) = ground.order.get(self.counted) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            if let Some(answers) = self.answers.get_mut(ground.parent[*node as usize] as usize) {
                *answers += 1;
            }
            self.counted += 1;
        }
        true
    }

    /// The only answer to a missing article begins the thread itself.
    fn lift(&mut self, ground: &mut Ground, left: &mut usize) -> bool {
        while let Some(node) = ground.order.get(self.lifted) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let above = ground.parent[*node as usize];
            if above != NONE && !ground.has_article(above) && self.answers[above as usize] == 1 {
                ground.parent[*node as usize] = NONE;
            }
            self.lifted += 1;
        }
        true
    }
}

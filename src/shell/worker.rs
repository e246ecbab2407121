//! Work that takes long, on threads of its own: a few, begun when they are wanted and kept.
//!
//! What the reader's keys wait for goes first, and of that what was asked last. What is given up while it waits is never begun;
//! what is given up while it runs ends soon ([`Stop`]) and says nothing.

use super::sandbox::Sandbox;
use crate::app::{JobId, Msg};
use crate::stop::{Stop, guarded};
use crate::work::{Product, Work};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// How many there are at most: one that is long leaves another for what is short.
const MOST: usize = 2;

/// The threads.
pub(super) struct Workers {
    shared: Arc<Shared>,
    messages: mpsc::Sender<Msg>,
    sandbox: Sandbox,
}

#[derive(Default)]
struct Shared {
    desk: Mutex<Desk>,
    /// Something was put on the desk.
    ready: Condvar,
}

/// What is to be done, and by whom.
#[derive(Default)]
struct Desk {
    /// The newest last.
    waiting: Vec<(JobId, Work)>,
    running: HashMap<JobId, Stop>,
    threads: usize,
    idle: usize,
}

impl Workers {
    /// The threads stay in a sandbox.
    pub(super) fn new(messages: mpsc::Sender<Msg>, sandbox: Sandbox) -> Workers {
        Workers { shared: Arc::default(), messages, sandbox }
    }

    /// Has work done; the product comes as a message.
    pub(super) fn start(&self, id: JobId, work: Work) {
        let mut desk = self.shared.desk();
        desk.waiting.push((id, work));
        if desk.idle < desk.waiting.len() && desk.threads < MOST {
            let (shared, messages, sandbox) = (Arc::clone(&self.shared), self.messages.clone(), self.sandbox.clone());
            let thread = std::thread::Builder::new().name("worker".into()).spawn(move || {
                sandbox.confine();
                shared.work(&messages);
            });
            // A system that has no more threads leaves the work to those that there are.
            desk.threads += usize::from(thread.is_ok());
        }
        drop(desk);
        self.shared.ready.notify_one();
    }

    /// Gives work up.
    pub(super) fn cancel(&self, id: JobId) {
        let mut desk = self.shared.desk();
        desk.waiting.retain(|(waiting, _)| *waiting != id);
        if let Some(stop) = desk.running.get(&id) {
            stop.give_up();
        }
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        // A panic elsewhere leaves a list behind that is whole.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does until the browser has gone.
    fn work(&self, messages: &mpsc::Sender<Msg>) {
        while !messages.is_closed() {
            let (id, work, stop) = self.next();
            // One that panics is answered, too, and this thread is there for the next.
            let product = guarded(|| work.run(&stop)).unwrap_or(Some(Product::Broken));
            self.desk().running.remove(&id);
            if let Some(product) = product.filter(|_| !stop.is_given_up()) {
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Worked { id, product });
            }
        }
    }

    /// Waits for what is to be done next.
    fn next(&self) -> (JobId, Work, Stop) {
        let mut desk = self.desk();
        loop {
            if let Some((id, work)) = desk.take() {
                let stop = Stop::new();
                desk.running.insert(id, stop.clone());
                return (id, work, stop);
            }
            desk.idle += 1;
            desk = self.ready.wait(desk).unwrap_or_else(PoisonError::into_inner);
            desk.idle -= 1;
        }
    }
}

impl Desk {
    fn take(&mut self) -> Option<(JobId, Work)> {
        let urgent = |(at, (_, work)): &(usize, &(JobId, Work))| (urgency(work), *at);
        let (at, _) = self.waiting.iter().enumerate().max_by_key(urgent)?;
        Some(self.waiting.remove(at))
    }
}

/// How soon the reader wants to see what comes of it.
fn urgency(work: &Work) -> u8 {
    match work {
        Work::Offer(_) | Work::Find(_) | Work::FindLinks(_) | Work::Narrow(_) => 2,
        Work::Take(_) | Work::Quote(_) | Work::Print(_) | Work::Draw(_) | Work::Decode(_) => 1,
        Work::List(_) | Work::Track(_) | Work::Read(_) | Work::Append(..) | Work::Arrange(_) => 1,
        Work::Count(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::{BlockKind, Builder, Document, Search};
    use crate::picture::Draw;
    use crate::role::Role;
    use crate::work::{Count, Find, Way};

    fn document(lines: usize) -> Arc<Document> {
        let mut out = Builder::new();
        for number in 0..lines {
            out.block(BlockKind::Line, Role::Text);
            out.text(&format!("line {number} of many"));
        }
        Arc::new(out.finish())
    }

    fn count(document: &Arc<Document>) -> Work {
        let search = Search::new("line").unwrap();
        Work::Count(Count { document: Arc::clone(document), search, from: 0, most: usize::MAX })
    }

    fn find(document: &Arc<Document>) -> Work {
        let search = Search::new("line").unwrap();
        Work::Find(Find { document: Arc::clone(document), search, from: 0, way: Way::Down })
    }

    #[test]
    fn the_keys_go_first_and_of_equals_the_newest() {
        let document = document(1);
        let mut desk = Desk::default();
        for (id, work) in [(1, find(&document)), (2, count(&document)), (3, find(&document)), (4, count(&document))] {
            desk.waiting.push((JobId(id), work));
        }
        let order: Vec<u64> = std::iter::from_fn(|| desk.take()).map(|(id, _)| id.0).collect();
        assert_eq!(order, [3, 1, 4, 2]);
    }

    #[test]
    fn every_product_comes_under_its_number() {
        let (sender, mut inbox) = mpsc::channel(4);
        let workers = Workers::new(sender, Sandbox::new(crate::config::Sandbox::Never).unwrap());
        let long = document(50_000);
        for id in 0..20 {
            workers.start(JobId(id), if id % 2 == 0 { count(&long) } else { find(&long) });
        }
        let mut came = Vec::new();
        while came.len() < 20 {
            let Some(Msg::Worked { id, product }) = inbox.blocking_recv() else { panic!("an end too early") };
            match product {
                Product::Counted(starts) => assert_eq!((id.0 % 2, starts.len()), (0, 50_000)),
                Product::Found(hit) => assert_eq!((id.0 % 2, hit.unwrap().range), (1, 0..4)),
                other => panic!("{other:?}"),
            }
            came.push(id.0);
        }
        came.sort_unstable();
        assert_eq!(came, (0..20).collect::<Vec<_>>());
        assert!(workers.shared.desk().threads <= MOST);
    }

    #[test]
    fn work_that_panics_is_answered_and_the_next_is_done() {
        let mut octets = std::io::Cursor::new(Vec::new());
        image::RgbImage::new(2, 2).write_to(&mut octets, image::ImageFormat::Png).unwrap();
        let picture = crate::picture::decode(&octets.into_inner(), 1 << 20).unwrap();
        let part = [0, 0, 200, 200];
        let frame = crate::picture::Frame { cells: (1, 1), pixels: (1, 2), part };
        let draw = Draw { picture, frame, graphics: Default::default(), number: 1 };
        let (sender, mut inbox) = mpsc::channel(4);
        let workers = Workers::new(sender, Sandbox::new(crate::config::Sandbox::Never).unwrap());
        for id in 0..4 {
            workers.start(JobId(id), Work::Draw(Box::new(draw.clone())));
            let Some(Msg::Worked { id: of, product }) = inbox.blocking_recv() else { panic!("an end too early") };
            assert_eq!((of, product), (JobId(id), Product::Broken));
        }
        workers.start(JobId(4), find(&document(1)));
        assert!(matches!(inbox.blocking_recv(), Some(Msg::Worked { id: JobId(4), product: Product::Found(_) })));
    }

    #[test]
    fn what_is_given_up_says_nothing() {
        let (sender, mut inbox) = mpsc::channel(4);
        let workers = Workers::new(sender, Sandbox::new(crate::config::Sandbox::Never).unwrap());
        let long = document(200_000);
        for id in 0..50 {
            workers.start(JobId(id), count(&long));
        }
        (0..50).for_each(|id| workers.cancel(JobId(id)));
        workers.start(JobId(50), find(&long));
        // A few were done before they could be given up.
        let last = loop {
            let Some(Msg::Worked { id, .. }) = inbox.blocking_recv() else { panic!("an end too early") };
            if id == JobId(50) {
                break id;
            }
        };
        assert_eq!(last, JobId(50));
        assert!(workers.shared.desk().waiting.is_empty());
    }
}

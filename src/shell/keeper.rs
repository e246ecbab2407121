//! What is kept of the reader's path, and their bookmarks: read at the start on a thread of its own, written on another, in
//! order, so that neither a large file nor another running copy that holds its lock is ever waited for.

use super::bookmarks::BookmarkFile;
use super::visits::VisitFile;
use crate::app::{Kept, Known, Msg};
use std::sync::mpsc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// How long the end of the program waits for what is still to be written.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where things to be kept are handed over.
pub(super) struct Keeper {
    /// `None` when nothing may be written.
    jobs: Option<mpsc::Sender<Kept>>,
    ended: mpsc::Receiver<()>,
    reads_visits: bool,
}

/// The files. Without a home folder there are none.
#[derive(Clone, Default)]
struct Files {
    visits: Option<VisitFile>,
    bookmarks: Option<BookmarkFile>,
}

impl Keeper {
    /// Begins to read. What is read, and what cannot be written, is told as messages. `most` is how many pages the history
    /// remembers. With `safe` nothing is written, and the history is not read either.
    pub(super) fn new(safe: bool, most: u64, messages: Sender<Msg>) -> Keeper {
        let folders = directories::ProjectDirs::from("", "", "wayfarer");
        let files = folders.map_or_else(Files::default, |folders| {
            let history = folders.state_dir().unwrap_or(folders.data_dir()).join("history");
            let keeps = !safe && most > 0;
            Files {
                visits: keeps.then(|| VisitFile::new(history, most)),
                bookmarks: Some(BookmarkFile::new(folders.data_dir().join("bookmarks.toml"))),
            }
        });
        let (jobs, inbox) = mpsc::channel();
        let (done, ended) = mpsc::channel();
        let reads_visits = files.visits.is_some();
        std::thread::spawn({
            let (files, messages) = (files.clone(), messages.clone());
            move || files.load(&messages)
        });
        std::thread::spawn(move || {
            files.write(&inbox, &messages);
            // Nobody may be waiting.
            let _ = done.send(());
        });
        Keeper { jobs: (!safe).then_some(jobs), ended, reads_visits }
    }

    /// Whether the history is being read.
    pub(super) fn reads_visits(&self) -> bool {
        self.reads_visits
    }

    /// Has something written soon.
    pub(super) fn keep(&self, kept: Kept) {
        if let Some(jobs) = &self.jobs {
            // The other side ends only after this one.
            let _ = jobs.send(kept);
        }
    }

    /// Waits until all is written, within reason. Nobody may be listening to messages any more.
    pub(super) fn finish(&mut self) {
        if self.jobs.take().is_some() {
            // A disk that hangs must not keep the program from ending.
            let _ = self.ended.recv_timeout(PATIENCE);
        }
    }
}

impl Files {
    /// Reads everything, the smaller first.
    fn load(&self, messages: &Sender<Msg>) {
        // When the browser has gone there is nobody to tell.
        if let Some(file) = &self.bookmarks {
            let (bookmarks, remark) = file.load();
            let _ = messages.blocking_send(Msg::Known { known: Known::Bookmarks(Box::new(bookmarks)), remark });
        }
        if let Some(file) = &self.visits {
            let (visits, remark) = file.load();
            let _ = messages.blocking_send(Msg::Known { known: Known::Visits(Box::new(visits)), remark });
        }
    }

    /// Writes until there is nothing more to come. What goes wrong is told once, until something goes well again.
    fn write(&self, inbox: &mpsc::Receiver<Kept>, messages: &Sender<Msg>) {
        let mut well = true;
        while let Ok(kept) = inbox.recv() {
            let bookmarks = matches!(kept, Kept::Bookmarks(_));
            let written = self.keep(kept);
            let told = match &written {
                Ok(known) => known.clone().map(|known| Msg::Known { known, remark: None }),
                // The reader has just asked for it.
                Err(remark) if well || bookmarks => {
                    Some(Msg::Known { known: Known::Nothing, remark: Some(remark.clone()) })
                }
                Err(_) => None,
            };
            well = written.is_ok();
            if let Some(told) = told {
                let _ = messages.blocking_send(told);
            }
        }
    }

    fn keep(&self, kept: Kept) -> Result<Option<Known>, String> {
        match (kept, &self.visits, &self.bookmarks) {
            (Kept::Visit { url, title, time }, Some(file), _) => file.append(&url, &title, time).map(|()| None),
            (Kept::Forget(what), Some(file), _) => file.forget(&what).map(|()| None),
            (Kept::Bookmarks(change), _, Some(file)) => {
                file.change(&change).map(|held| Some(Known::Bookmarks(Box::new(held))))
            }
            (Kept::Bookmarks(_), _, None) => Err("there is no folder to keep bookmarks in: HOME is not set".into()),
            _ => Ok(None),
        }
    }
}

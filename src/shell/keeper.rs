//! What is kept of the reader's path: read at the start on a thread of its own, written on another, in order, so that neither
//! a large file nor another running copy that holds its lock is ever waited for.

use super::visits::VisitFile;
use crate::app::{Kept, Known, Msg};
use std::path::PathBuf;
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
}

impl Keeper {
    /// Begins to read. What is read, and what cannot be written, is told as messages. `most` is how many pages the history
    /// remembers.
    pub(super) fn new(safe: bool, most: u64, messages: Sender<Msg>) -> Keeper {
        let (jobs, inbox) = mpsc::channel();
        let (done, ended) = mpsc::channel();
        let Some(history) = history_file().filter(|_| !safe && most > 0) else {
            return Keeper { jobs: None, ended };
        };
        let file = VisitFile::new(history, most);
        std::thread::spawn({
            let (file, messages) = (file.clone(), messages.clone());
            move || {
                let (visits, remark) = file.load();
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Known { known: Known::Visits(Box::new(visits)), remark });
            }
        });
        std::thread::spawn(move || {
            write(&inbox, &file, &messages);
            // Nobody may be waiting.
            let _ = done.send(());
        });
        Keeper { jobs: Some(jobs), ended }
    }

    /// Whether something is being read.
    pub(super) fn reads(&self) -> bool {
        self.jobs.is_some()
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

fn history_file() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "wayfarer")?;
    Some(folders.state_dir().unwrap_or(folders.data_dir()).join("history"))
}

/// Writes until there is nothing more to come. A file that cannot be written is told of once, until it can again.
fn write(inbox: &mpsc::Receiver<Kept>, file: &VisitFile, messages: &Sender<Msg>) {
    let mut well = true;
    while let Ok(kept) = inbox.recv() {
        let written = match kept {
            Kept::Visit { url, title, time } => file.append(&url, &title, time),
            Kept::Forget(what) => file.forget(&what),
            Kept::Words { .. } | Kept::Site { .. } => Ok(()),
        };
        if let Err(remark) = &written
            && well
        {
            let told = Msg::Known { known: Known::Nothing, remark: Some(remark.clone()) };
            let _ = messages.blocking_send(told);
        }
        well = written.is_ok();
    }
}

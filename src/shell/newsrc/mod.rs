//! Newsrc files: brought together with what the browser knows, whatever other newsreaders wrote into them meanwhile.
//!
//! `files` does it under a lock, `journals` keeps what was marked here.

mod files;
mod journals;
#[cfg(test)]
mod tests;

use crate::app::{Known, Msg};
use crate::disk::{Asked, Writer};
use crate::news::Newsrc;
use files::{Files, Synced};
pub(super) use journals::Journals;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc::Sender;

/// What is to be brought together.
pub(super) struct Job {
    /// The server, as the answer will name it.
    pub server: String,
    /// Its file.
    pub path: PathBuf,
    /// What the browser knows now.
    pub ours: Arc<Newsrc>,
    /// What it knew before.
    pub base: Arc<Newsrc>,
}

/// The store of the newsrc files.
pub(super) struct Newsrcs {
    files: Arc<Mutex<Files>>,
    writer: Arc<Writer>,
    messages: Sender<Msg>,
}

impl Newsrcs {
    /// With `safe`, files are read and never written.
    pub(super) fn new(safe: bool, journals: Journals, writer: Arc<Writer>, messages: Sender<Msg>) -> Newsrcs {
        let files = Files::new(safe, journals);
        Newsrcs { files: Arc::new(Mutex::new(files)), writer, messages }
    }

    /// Does it when what was asked before is done; [`Known::Newsrc`] tells of it, once.
    pub(super) fn sync(&self, job: Job) {
        let (files, messages) = (Arc::clone(&self.files), self.messages.clone());
        let Job { server, path, ours, base } = job;
        let mut server = Some(server);
        // What was not written goes with what is to be written next.
        self.writer.write(&path.clone(), Asked::ForAll, move || {
            let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
            let Synced { newsrc, remark, written } = files.sync(&path, &ours, &base);
            if let Some(server) = server.take() {
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Known { known: Known::Newsrc { server, newsrc }, remark });
            }
            written
        });
    }
}

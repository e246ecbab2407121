//! All that is kept of the reader: read at the start, the small files at once and the larger ones on a thread of their own;
//! written by the thread that writes all files, so that neither a slow disk nor another running copy is ever waited for.

use super::bookmarks::BookmarkFile;
use super::downloads::Downloads;
use super::ground::Ground;
use super::marks;
use super::memory::{self, Memory};
use super::scores::ScoreFile;
use super::session;
use super::settings::Settings;
use super::visits::VisitFile;
use crate::app::{Kept, KeptDownload, Known, Msg, Remembered};
use crate::bookmarks::For;
use crate::disk::{self, Asked, Lines, Writer};
use crate::proto::tls::Tls;
use crate::visits::Forget;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc::Sender;

/// Where things to be kept are handed over.
pub(super) struct Store {
    writer: Arc<Writer>,
    messages: Sender<Msg>,
    /// Nothing may be written.
    safe: bool,
    visits: Option<VisitFile>,
    bookmarks: Option<BookmarkFile>,
    settings: Settings,
    scores: Option<ScoreFile>,
    state: Option<State>,
}

/// The small files.
struct State {
    folder: PathBuf,
    memory: Memory,
    downloads: Downloads,
}

impl Store {
    /// In the folder of the reader's state, `None` when nothing may be written; `most` is how many pages the history
    /// remembers. Without that folder the history is not read either.
    pub(super) fn new(
        folder: Option<&Path>,
        most: u64,
        settings: Settings,
        scores: Option<ScoreFile>,
        writer: Arc<Writer>,
        messages: Sender<Msg>,
    ) -> Store {
        Store {
            writer,
            messages,
            safe: folder.is_none(),
            visits: folder.filter(|_| most > 0).map(|folder| VisitFile::new(folder.join("history"), most)),
            bookmarks: BookmarkFile::of_reader(For::Going),
            settings,
            scores,
            state: folder.map(|folder| State {
                folder: folder.into(),
                memory: Memory::new(folder),
                downloads: Downloads::new(folder),
            }),
        }
    }

    /// What was chosen and typed earlier.
    pub(super) fn remembered(&self) -> Remembered {
        self.state.as_ref().map(|state| state.memory.read()).unwrap_or_default()
    }

    /// The ground that this kind of terminal had last.
    pub(super) fn ground(&self, term: &str) -> Option<Ground> {
        self.state.as_ref()?.memory.ground(term)
    }

    /// Keeps it for the next time.
    pub(super) fn keep_ground(&self, term: &str, ground: Ground) {
        let Some(State { memory, .. }) = &self.state else { return };
        if memory.ground(term) != Some(ground) {
            let (lines, term, now) = (memory.grounds().clone(), term.to_owned(), Timestamp::now().as_second());
            let path = lines.path().to_path_buf();
            let work = move || memory::add(&lines, &term, ground.name(), now);
            self.writer.write(&path, Asked::ByNobody, work);
        }
    }

    /// The downloads of earlier runs, and what is wrong with their file.
    pub(super) fn downloads(&self) -> (Vec<KeptDownload>, Option<String>) {
        self.state.as_ref().map(|state| state.downloads.read()).unwrap_or_default()
    }

    /// Whether the history is among what will come.
    pub(super) fn has_visits(&self) -> bool {
        self.visits.is_some()
    }

    /// Begins to read the larger files, which come as messages, and what is wrong with the pins of `tls`; shortens those that have
    /// grown long.
    pub(super) fn load(&self, tls: Tls) {
        for file in self.state.iter().flat_map(|state| state.memory.files()) {
            let long = file.clone();
            self.writer.write(file.path(), Asked::ByNobody, move || memory::shorten(&long));
        }
        let (visits, bookmarks, messages) = (self.visits.clone(), self.bookmarks.clone(), self.messages.clone());
        let (writer, scores) = (Arc::clone(&self.writer), self.scores.clone());
        std::thread::spawn(move || {
            // When the browser has gone there is nobody to tell.
            tls.look();
            for complaint in tls.complaints() {
                let _ = messages.blocking_send(Msg::Complaint(complaint));
            }
            if let Some((scores, remark)) = scores.and_then(|file| file.load()) {
                let _ = messages.blocking_send(Msg::Known { known: Known::Scores(Arc::new(scores)), remark });
            }
            if let Some(file) = bookmarks {
                let (bookmarks, remark) = file.load();
                let _ = messages.blocking_send(Msg::Known { known: Known::Bookmarks(Box::new(bookmarks)), remark });
            }
            if let Some(file) = visits {
                let (visits, remark) = file.load();
                let pages = visits.len();
                let _ = messages.blocking_send(Msg::Known { known: Known::Visits(Box::new(visits)), remark });
                if file.is_long(pages) {
                    let path = file.path().to_path_buf();
                    writer.write(&path, Asked::ByNobody, move || file.shorten());
                }
            }
        });
    }

    /// Reads the score file again.
    pub(super) fn look_at_scores(&self) {
        self.tell_scores(|_| true);
    }

    /// The same, if another program has changed it.
    pub(super) fn look_at_changed_scores(&self) {
        self.tell_scores(ScoreFile::has_changed);
    }

    fn tell_scores(&self, wanted: fn(&ScoreFile) -> bool) {
        let Some(file) = self.scores.clone() else { return };
        let messages = self.messages.clone();
        std::thread::spawn(move || {
            if wanted(&file) {
                let (scores, remark) = file.load().unwrap_or_default();
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Known { known: Known::Scores(Arc::new(scores)), remark });
            }
        });
    }

    /// Has something written soon; what is refused at once, in a sentence.
    pub(super) fn keep(&self, kept: Kept) -> Result<(), String> {
        let now = Timestamp::now().as_second();
        match (kept, &self.state) {
            (Kept::Bookmarks(_), _) if self.safe => {
                return Err("known until the end only: --safe forbids to keep bookmarks".into());
            }
            (Kept::Bookmarks(change), _) => {
                let nowhere = "there is no folder to keep bookmarks in: HOME is not set";
                let file = self.bookmarks.clone().ok_or(nowhere)?;
                let messages = self.messages.clone();
                let path = file.path().to_path_buf();
                self.writer.write(&path, Asked::ByReader, move || {
                    let known = Known::Bookmarks(Box::new(file.change(&change)?));
                    let _ = messages.blocking_send(Msg::Known { known, remark: None });
                    Ok(())
                });
            }
            (Kept::Score(_) | Kept::Unscore(_), _) if self.safe => {
                return Err("nothing is scored: --safe forbids to write the score file".into());
            }
            (kept @ (Kept::Score(_) | Kept::Unscore(_)), _) => {
                let nowhere = "there is no score file: the setting news.scores names none, or HOME is not set";
                let file = self.scores.clone().ok_or(nowhere)?;
                let (path, messages) = (file.path().to_path_buf(), self.messages.clone());
                self.writer.write(&path, Asked::ByReader, move || {
                    let scores = match &kept {
                        Kept::Unscore(lines) => file.take_out(lines)?,
                        Kept::Score(lines) => file.add(lines)?,
                        _ => return Ok(()),
                    };
                    let known = Known::Scores(Arc::new(scores));
                    let _ = messages.blocking_send(Msg::Known { known, remark: None });
                    Ok(())
                });
            }
            (Kept::Setting { .. }, _) if self.safe => {
                return Err("it counts until the end only: --safe forbids to keep settings".into());
            }
            (Kept::Setting { name, value }, _) => {
                let nowhere = "there is no folder to keep settings in: HOME is not set";
                let path = self.settings.path().ok_or(nowhere)?.to_path_buf();
                let (settings, messages) = (self.settings.clone(), self.messages.clone());
                self.writer.write(&path, Asked::ByReader, move || {
                    let changed = settings.change(&name, value.as_ref());
                    // What the file says is known again where it stays as it was.
                    let file = changed.clone().unwrap_or_else(|_| settings.look().0);
                    let known = Known::Settings(Box::new(file));
                    let _ = messages.blocking_send(Msg::Known { known, remark: None });
                    changed.map(drop)
                });
            }
            (Kept::Visit { url, title, time, led }, _) => {
                self.with_visits(move |file| file.append(&url, &title, time, &led));
            }
            (Kept::Others, _) => {
                let messages = self.messages.clone();
                self.with_visits(move |file| {
                    if let Some(visits) = file.news() {
                        let known = Known::Others(Box::new(visits));
                        let _ = messages.blocking_send(Msg::Known { known, remark: None });
                    }
                    Ok(())
                });
            }
            (Kept::Forget(what), _) => self.forget(&what),
            (Kept::Words { prompt, words }, Some(state)) => {
                if let Some((file, name)) = state.memory.of_prompt(prompt) {
                    let lines = file.clone();
                    self.writer.write(file.path(), Asked::ByNobody, move || memory::add(&lines, name, &words, now));
                }
            }
            (Kept::Site { host, choice }, Some(state)) => {
                if let Some((file, words)) = state.memory.of_choice(&choice) {
                    let lines = file.clone();
                    self.writer.write(file.path(), Asked::ByNobody, move || memory::add(&lines, &host, &words, now));
                }
            }
            (Kept::Mark { letter, mark }, Some(state)) => {
                let (lines, mark) = (state.memory.marks().clone(), mark.as_ref().map(marks::value).unwrap_or_default());
                let path = lines.path().to_path_buf();
                let work = move || memory::add(&lines, &letter.to_string(), &mark, now);
                self.writer.write(&path, Asked::ByNobody, work);
            }
            (Kept::Download(kept), Some(State { downloads, .. })) => {
                let file = downloads.clone();
                self.writer.write(downloads.path(), Asked::ByNobody, move || file.keep(&kept));
            }
            // The session has a keeper of its own.
            (Kept::Session | Kept::Words { .. } | Kept::Site { .. } | Kept::Mark { .. } | Kept::Download(_), _) => {}
        }
        Ok(())
    }

    fn with_visits(&self, mut work: impl FnMut(&VisitFile) -> Result<(), String> + Send + 'static) {
        if let Some(file) = self.visits.clone() {
            let path = file.path().to_path_buf();
            self.writer.write(&path, Asked::ByNobody, move || work(&file));
        }
    }

    /// Forgets in every file; what is left of the words comes back.
    fn forget(&self, what: &Forget) {
        let also = what.clone();
        self.with_visits(move |file| file.forget(&also));
        let Some(State { folder, memory, downloads }) = &self.state else { return };
        for file in memory.files() {
            let (lines, what) = (file.clone(), what.clone());
            self.writer.write(file.path(), Asked::ByNobody, move || memory::forget(&lines, &what));
        }
        let asides = memory.files().map(Lines::path).into_iter().chain([downloads.path()]);
        let asides = asides.chain(self.visits.as_ref().map(VisitFile::path)).map(|path| path.with_extension("bad"));
        for aside in asides {
            let what = what.clone();
            self.writer.write(&aside.clone(), Asked::ByNobody, move || {
                disk::take_out(&aside, |line| what.concerns(line, None)).map_err(|error| disk::wrong(&aside, &error))
            });
        }
        let (sessions, also) = (folder.clone(), what.clone());
        self.writer.write(folder, Asked::ByNobody, move || {
            session::forget(&sessions, &also).map_err(|error| disk::wrong(&sessions, &error))
        });
        let (memory, messages) = (memory.clone(), self.messages.clone());
        let path = memory.files()[0].path().to_path_buf();
        self.writer.write(&path, Asked::ByNobody, move || {
            let known = Known::Words(memory.words());
            let _ = messages.blocking_send(Msg::Known { known, remark: None });
            Ok(())
        });
    }
}

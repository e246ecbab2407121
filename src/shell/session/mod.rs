//! Keeps the tabs from one run to the next: a text file for each session, written a moment after something has changed, in the
//! place of the old one in one step. A file that is damaged is kept aside before it is written over, and a session that another
//! running copy keeps is left alone.

mod record;

use self::record::Ending;
use super::newsrc::replace;
use crate::app::Session;
use crate::config::Restore;
use crate::table::ConfigError;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// The session that is meant when none is named.
const DEFAULT: &str = "default";
/// What is new waits this long, so that much of it goes into the file at once; a run that is killed loses no more.
const DELAY: Duration = Duration::from_secs(2);
/// Lines of a damaged file that are told of.
const TOLD: usize = 5;

/// The session of this run.
#[derive(Default)]
pub(super) struct Sessions {
    /// Where it is kept; `None` when it is not.
    keeping: Option<Keeping>,
}

struct Keeping {
    path: PathBuf,
    /// Locked for as long as the program runs, however it ends.
    _lock: File,
    /// When what is new is to be written.
    due: Option<Instant>,
    /// A write under way.
    writing: Option<JoinHandle<io::Result<()>>>,
    /// The last write failed, and the reader knows.
    failed: bool,
}

/// What there is to begin with.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The tabs of the last time, if they are to come back.
    pub session: Session,
    /// What is wrong with their file.
    pub flaws: Vec<ConfigError>,
    /// Why nothing is kept.
    pub remark: Option<String>,
}

/// The name of a session, which is a part of a file's name.
pub(super) fn name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let good = !text.is_empty() && text.len() <= 64 && !text.starts_with('.') && text.chars().all(fits);
    good.then(|| text.into()).ok_or_else(|| "letters, digits and - _ . make the name of a session".into())
}

impl Sessions {
    /// Takes a session in hand. One that is named comes back whatever the settings say.
    pub(super) fn open(folder: &Path, named: Option<&str>, restore: Restore) -> (Sessions, Found) {
        if named.is_none() && restore == Restore::Never {
            return (Sessions::default(), Found::default());
        }
        let nothing = |remark: String| (Sessions::default(), Found { remark: Some(remark), ..Found::default() });
        let folder = folder.join("sessions");
        let path = folder.join(format!("{}.jsonl", named.unwrap_or(DEFAULT)));
        let lock = match lock(&folder, &path.with_extension("lock")) {
            Ok(lock) => lock,
            Err(TryLockError::WouldBlock) => {
                let other = if named.is_none() { "; --session NAME keeps another" } else { "" };
                return nothing(format!("another Wayfarer keeps these tabs already: this one keeps none{other}"));
            }
            Err(TryLockError::Error(error)) => {
                return nothing(format!("the tabs cannot be kept in {}: {error}", folder.display()));
            }
        };
        let mut found = Found::default();
        match fs::read(&path) {
            Ok(octets) => {
                let record = record::read(&octets);
                found.flaws = told(&path, &record.flaws);
                if named.is_some() || restore == Restore::Always || record.ending == Ending::Open {
                    found.session = record.session;
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                return nothing(format!("{} cannot be read: {error}; the tabs are not kept", path.display()));
            }
        }
        let keeping = Keeping { path, _lock: lock, due: None, writing: None, failed: false };
        (Sessions { keeping: Some(keeping) }, found)
    }

    /// Whether anything is kept.
    pub(super) fn keeps(&self) -> bool {
        self.keeping.is_some()
    }

    /// There is something new.
    pub(super) fn change(&mut self, now: Instant) {
        if let Some(keeping) = &mut self.keeping {
            keeping.due.get_or_insert(now + DELAY);
        }
    }

    /// When to write; `None` while nothing is new, or a write is under way.
    pub(super) fn due(&self) -> Option<Instant> {
        self.keeping.as_ref().filter(|keeping| keeping.writing.is_none())?.due
    }

    /// Begins to write.
    pub(super) fn write(&mut self, session: &Session) {
        let Some(keeping) = &mut self.keeping else { return };
        keeping.due = None;
        let (path, text) = (keeping.path.clone(), record::write(session, Ending::Open));
        keeping.writing = Some(tokio::task::spawn_blocking(move || replace(&path, text.as_bytes())));
    }

    /// Waits for the end of a write, for ever when there is none. Gives a sentence when it failed, once until another succeeds.
    pub(super) async fn written(&mut self) -> Option<String> {
        let Some(keeping) = &mut self.keeping else { return std::future::pending().await };
        let Some(writing) = &mut keeping.writing else { return std::future::pending().await };
        let written = writing.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        keeping.writing = None;
        let told = std::mem::replace(&mut keeping.failed, written.is_err());
        written.err().filter(|_| !told).map(|error| failure(&keeping.path, &error))
    }

    /// The program ends: writes what there is, and whether the reader wanted it so.
    pub(super) async fn end(mut self, session: &Session, quit: bool) -> Option<String> {
        if self.keeping.as_ref()?.writing.is_some() {
            // A failure is met again.
            self.written().await;
        }
        let keeping = self.keeping?;
        let ending = if quit { Ending::Quit } else { Ending::Open };
        let written = replace(&keeping.path, record::write(session, ending).as_bytes());
        written.err().filter(|_| !keeping.failed).map(|error| failure(&keeping.path, &error))
    }
}

fn failure(path: &Path, error: &io::Error) -> String {
    format!("the tabs cannot be kept in {}: {error}", path.display())
}

/// Holds a session for this run, so that no other writes it.
fn lock(folder: &Path, path: &Path) -> Result<File, TryLockError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    let file = made.and_then(|()| File::options().create(true).append(true).open(path)).map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}

/// What is wrong with a file, which is kept aside as it is.
fn told(path: &Path, flaws: &[(usize, String)]) -> Vec<ConfigError> {
    if flaws.is_empty() {
        return Vec::new();
    }
    let kept = match aside(path) {
        Ok(kept) => format!("the file as it was is kept as {}", kept.display()),
        Err(error) => format!("the file could not be kept aside: {error}"),
    };
    let file = path.display().to_string();
    let row =
        |(line, message): &(usize, String)| ConfigError { file: file.clone(), line: *line, message: message.clone() };
    let mut told: Vec<ConfigError> = flaws.iter().take(TOLD).map(row).collect();
    let more = flaws.len().saturating_sub(TOLD);
    let message = if more > 0 { format!("{more} more lines are no better; {kept}") } else { kept };
    told.push(ConfigError { file, line: 0, message });
    told
}

/// Copies a file beside itself, over no other.
fn aside(path: &Path) -> io::Result<PathBuf> {
    const MOST: u32 = 100;
    for number in 1..=MOST {
        let kept = path.with_extension(format!("bad-{number}"));
        let fresh = File::options().write(true).create_new(true).open(&kept);
        match fresh {
            Ok(mut fresh) => return io::copy(&mut File::open(path)?, &mut fresh).map(|_| kept),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{MOST} others are there already")))
}

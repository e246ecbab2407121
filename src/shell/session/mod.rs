//! Keeps the tabs from one run to the next: a text file for each session, written a moment after something has changed, in the
//! place of the old one in one step. A file that is damaged is kept aside before it is written over, and a session that another
//! running copy keeps is left alone.

mod fields;
mod last;
mod record;

use self::last::LastTimes;
use self::record::Ending;
use crate::app::{LastTabs, Parting, Session};
use crate::config::Restore;
use crate::disk::{self, Asked, Writer, replace};
use crate::table::ConfigError;
use crate::visits::Forget;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

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
    /// Where its tabs go when it ends while it is not kept, because another running copy keeps it.
    beside: Option<LastTimes>,
}

struct Keeping {
    path: PathBuf,
    /// Locked for as long as the program runs, however it ends.
    _lock: File,
    /// When what is new is to be written.
    due: Option<Instant>,
    /// The file is damaged and still to be kept aside before it is written over.
    damaged: Arc<AtomicBool>,
}

/// What there is to begin with.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The tabs of the last time, if they are to come back.
    pub session: Session,
    /// Those of times before that did not come back, the last first.
    pub last: Vec<LastTabs>,
    /// What is wrong with their file.
    pub flaws: Vec<ConfigError>,
    /// Why nothing is kept.
    pub remark: Option<String>,
}

/// A session as its file has it.
pub(super) fn written(session: &Session) -> String {
    record::write(session, if session.killed { Ending::Running } else { Ending::Back })
}

/// The same, read; what is damaged is left out.
pub(super) fn read(octets: &[u8]) -> Session {
    record::read(octets).session
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
        let times = LastTimes::of(&path);
        let locked = path.with_extension("lock");
        let lock = match lock(&folder, &locked) {
            Ok(lock) => lock,
            Err(TryLockError::WouldBlock) => {
                let remark = "another Wayfarer keeps these tabs; those of this one go to about:last".into();
                let found = Found { last: times.read(), remark: Some(remark), ..Found::default() };
                return (Sessions { keeping: None, beside: Some(times) }, found);
            }
            Err(TryLockError::Error(error)) => {
                return nothing(format!(
                    "{}; the tabs are not kept",
                    disk::wrong(if folder.is_dir() { &locked } else { &folder }, &error)
                ));
            }
        };
        let mut found = Found::default();
        let damaged = Arc::new(AtomicBool::new(false));
        match disk::read_file(&path) {
            Ok(octets) => {
                let record = record::read(&octets);
                found.flaws = told(&path, &record.flaws, &damaged);
                if named.is_some() || restore == Restore::Always || record.ending != Ending::Quit {
                    found.session = record.session;
                } else if !damaged.load(Relaxed) {
                    let taken = times.take(&record).map(drop);
                    found.remark = taken.err().map(|error| disk::wrong(&path, &error));
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                return nothing(format!("{}; the tabs are not kept", disk::wrong(&path, &error)));
            }
        }
        found.last = times.read();
        let keeping = Keeping { path, _lock: lock, due: None, damaged };
        (Sessions { keeping: Some(keeping), beside: None }, found)
    }

    /// Whether anything is kept.
    pub(super) fn keeps(&self) -> bool {
        self.keeping.is_some()
    }

    /// Whether the reader can bring the tabs back the next time.
    pub(super) fn keeps_last(&self) -> bool {
        self.keeps() || self.beside.is_some()
    }

    /// There is something new.
    pub(super) fn change(&mut self, now: Instant) {
        if let Some(keeping) = &mut self.keeping {
            keeping.due.get_or_insert(now + DELAY);
        }
    }

    /// When to write; `None` while nothing is new.
    pub(super) fn due(&self) -> Option<Instant> {
        self.keeping.as_ref()?.due
    }

    /// Has it written.
    pub(super) fn write(&mut self, session: &Session, writer: &Writer) {
        self.hand(session, Ending::Running, writer);
    }

    /// The program ends: has written what there is, and what is to become of it.
    pub(super) fn end(&mut self, session: &Session, parting: Parting, writer: &Writer) {
        match parting {
            Parting::Quit => self.hand(session, Ending::Quit, writer),
            Parting::Back => self.hand(session, Ending::Back, writer),
            Parting::Forget => return self.hand(&Session::default(), Ending::Quit, writer),
        }
        if let Some(times) = self.beside.take() {
            let session = session.clone();
            writer.write(&times.path(), Asked::ForAll, move || times.add(&session));
        }
    }

    fn hand(&mut self, session: &Session, ending: Ending, writer: &Writer) {
        let Some(keeping) = &mut self.keeping else { return };
        keeping.due = None;
        let (path, damaged, text) =
            (keeping.path.clone(), Arc::clone(&keeping.damaged), record::write(session, ending));
        writer.write(&keeping.path, Asked::ForAll, move || {
            let kept = if damaged.load(Relaxed) { aside(&path).map(drop) } else { Ok(()) };
            let kept = kept.inspect(|()| damaged.store(false, Relaxed));
            kept.and_then(|()| replace(&path, text.as_bytes()))
                .map_err(|error| format!("{}; the tabs are not kept yet", disk::wrong(&path, &error)))
        });
    }
}

/// Takes what is to be forgotten out of the sessions that no running copy keeps, and out of those that were kept aside.
pub(super) fn forget(folder: &Path, what: &Forget) -> io::Result<()> {
    let folder = folder.join("sessions");
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        let kind = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let whole = kind == "jsonl";
        if !whole && !kind.starts_with("bad-") && !last::is_one(&kind) {
            continue;
        }
        // What is kept by a running copy, this one too, is written by it.
        let held = whole.then(|| lock(&folder, &path.with_extension("lock")));
        if !matches!(held, Some(Err(_))) {
            disk::take_out(&path, |line| (!whole || line.contains("\"url\"")) && what.concerns(line, None))?;
        }
    }
    Ok(())
}

/// Holds a session for this run, so that no other writes it.
fn lock(folder: &Path, path: &Path) -> Result<File, TryLockError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    let file = made
        .and_then(|()| disk::open(path, File::options().create(true).append(true).mode(0o600)))
        .map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}

/// What is wrong with a file, which is kept aside as it is.
fn told(path: &Path, flaws: &[(usize, String)], damaged: &AtomicBool) -> Vec<ConfigError> {
    if flaws.is_empty() {
        return Vec::new();
    }
    let kept = match aside(path) {
        Ok(kept) => format!("the file as it was is kept as {}", kept.display()),
        Err(error) => {
            damaged.store(true, Relaxed);
            format!("the file could not be kept aside: {error}; until it is, it is not written over")
        }
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
        let fresh = File::options().write(true).create_new(true).mode(0o600).open(&kept);
        match fresh {
            Ok(mut fresh) => {
                let copied = io::copy(&mut disk::open(path, File::options().read(true))?, &mut fresh)
                    .and_then(|_| fresh.sync_data());
                if copied.is_err() {
                    // A full disk has no use for half of it.
                    let _ = fs::remove_file(&kept);
                }
                return copied.map(|()| kept);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{MOST} others are there already")))
}

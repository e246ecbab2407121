//! Unfinished files: `NAME.wayfarer-part` beside the final name, with a note `NAME.wayfarer-part.toml` that says from where it came,
//! so that a later fetch can go on from its end. No file of a server's gets such a name: it is believed. Refuses: links, files of others but for empty ones of that name, files that another
//! program is writing.
//!
//! The note is made with the first octets that stay on the disk: most files of a directory are short, and have their names
//! before any are. A file system looks long for the room of a new file where thousands of others were just taken away.

use super::outside::Threads;
use crate::app::UNFINISHED;
use crate::disk;
use crate::format::listing::Time;
use crate::proto::validator;
use jiff::Timestamp;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Names are tried up to this number: `NAME.wayfarer-part-100`.
const TRIES: u32 = 100;
/// Octets of a note that is read.
const NOTE: u64 = 64 * 1024;
/// Octets of a beginning that are held back.
const HELD: usize = 64 * 1024;
/// URLs longer than this are not noted: `data:` URLs are their content.
const LONGEST: usize = 8 * 1024;

/// What is written beside an unfinished file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    /// From where, without a password.
    pub origin: String,
    /// The server's words for this content.
    pub validator: Option<String>,
    /// How long all of it is, in octets, where the server said so.
    pub length: Option<u64>,
    /// When it was changed, as a listing had it.
    pub listed: Option<String>,
}

impl Note {
    const HEAD: &str =
        "# The beginning of a file that Wayfarer is saving. Saved again under the same name, it goes on from here.\n";

    fn new(origin: &str) -> Note {
        Note { origin: origin.into(), validator: None, length: None, listed: None }
    }

    fn read(path: &Path) -> Option<Note> {
        // A link that somebody planted is not followed, and what is no file would not end.
        fs::symlink_metadata(path).ok().filter(|facts| facts.is_file() && facts.len() <= NOTE)?;
        let mut said = String::new();
        disk::open(path, OpenOptions::new().read(true)).ok()?.take(NOTE).read_to_string(&mut said).ok()?;
        let table: toml::Table = said.parse().ok()?;
        let text = |key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let length = table.get("length").and_then(toml::Value::as_integer).and_then(|length| length.try_into().ok());
        Some(Note { origin: text("url")?, validator: text("validator"), length, listed: text("listed") })
    }

    /// Writes it where nothing is, or an older note.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut table = toml::Table::new();
        table.insert("url".into(), self.origin.clone().into());
        if let Some(validator) = &self.validator {
            table.insert("validator".into(), validator.clone().into());
        }
        if let Some(length) = self.length.and_then(|length| i64::try_from(length).ok()) {
            table.insert("length".into(), length.into());
        }
        if let Some(listed) = &self.listed {
            table.insert("listed".into(), listed.clone().into());
        }
        // A link that somebody planted is not followed.
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        // Not waited for until it is on the disk: without its note a part is taken for another's, and stays as it is.
        let written = file.write_all(format!("{}{table}", Note::HEAD).as_bytes());
        if written.is_err() {
            // Of half a note nobody could tell whose it is.
            let _ = fs::remove_file(path);
        }
        written
    }
}

/// The note of an unfinished file.
#[derive(Debug)]
struct Beside {
    path: PathBuf,
    says: Note,
    /// Whether it stands there as it is here.
    stands: bool,
}

/// An unfinished file that is ours alone as long as this lives. One without content goes with it.
#[derive(Debug)]
pub(super) struct Partial {
    /// Where it is.
    pub path: PathBuf,
    note: Option<Beside>,
    /// The same open file, by which the lock is given back: closing alone would not do as long as a child process that was
    /// just forked, or a write under way, holds it too.
    lock: Option<File>,
    /// Octets in it, with those that are held back.
    pub octets: u64,
    /// Zeros at the end that are not written: a hole, as soon as something follows. What is before them is.
    pub hole: u64,
    /// The beginning of what comes, as long as it is short: most files of a directory are written at once, when they are whole.
    held: Vec<u8>,
    /// Who may write where this thread may not.
    pub threads: Option<Threads>,
}

impl Drop for Partial {
    fn drop(&mut self) {
        let ended = self.end();
        if let Some(threads) = self.threads.take()
            && ended.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
        {
            let mut rest = Partial {
                path: PathBuf::new(),
                note: None,
                lock: None,
                octets: 1,
                hole: 0,
                held: Vec::new(),
                threads: None,
            };
            std::mem::swap(self, &mut rest);
            threads.begin(move || drop(rest));
        } else if let Some(lock) = &self.lock {
            let _ = lock.unlock();
        }
    }
}

impl Partial {
    /// Whether what stands at its path is what was written, and all of that.
    pub(super) fn is_whole(&self, file: &File) -> bool {
        file.metadata().is_ok_and(|facts| facts.len() == self.octets && is_at(&facts, &self.path))
    }

    /// The file has its final name.
    pub(super) fn named(mut self) {
        self.forget();
        self.note = None;
        // What is found under the old name from now on is another's.
        self.octets = self.octets.max(1);
    }

    /// What came of a fetch that was given up is kept, with a note of what it is. Where none can be made what is on the disk stays without
    /// one; where nothing came nothing stays.
    fn end(&mut self) -> io::Result<()> {
        if self.octets > 0
            && let Some((note, path)) = self.missing_note()
        {
            match note.write(&path) {
                Ok(()) => self.noted(),
                Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(error),
                // What is on the disk stays all the same.
                Err(_) => self.octets -= self.take_held().len() as u64,
            }
        }
        if self.octets > 0 {
            // Where the disk takes no more, what is on it.
            self.put_down()?;
            return self.lock.as_ref().filter(|_| self.hole > 0).map_or(Ok(()), |file| file.set_len(self.octets));
        }
        let gone = fs::remove_file(&self.path);
        self.forget();
        gone
    }

    /// Holds octets back, where there is room for them; whoever does so for longer than a moment may lose them.
    pub(super) fn hold(&mut self, octets: &[u8]) -> bool {
        let begins = self.octets == self.held.len() as u64;
        let fits = begins && self.lock.is_some() && self.held.len() + octets.len() <= HELD;
        if fits {
            self.held.extend_from_slice(octets);
            self.octets += octets.len() as u64;
        }
        fits
    }

    /// What is held back, for whoever writes it.
    pub(super) fn take_held(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    /// Writes what is held back.
    pub(super) fn put_down(&mut self) -> io::Result<()> {
        let held = self.take_held();
        self.lock.as_ref().map_or(Ok(()), |mut file| file.write_all(&held))
    }

    /// The note, where it does not stand there yet: it is to be written before octets that may stay.
    pub(super) fn missing_note(&self) -> Option<(Note, PathBuf)> {
        let note = self.note.as_ref().filter(|note| !note.stands)?;
        Some((note.says.clone(), note.path.clone()))
    }

    /// Whether nothing of it is on the disk but its name.
    pub(super) fn is_new(&self) -> bool {
        self.octets == 0 && self.note.as_ref().is_none_or(|note| !note.stands)
    }

    /// It was written.
    pub(super) fn noted(&mut self) {
        self.note.iter_mut().for_each(|note| note.stands = true);
    }

    fn forget(&self) {
        if let Some(note) = self.note.as_ref().filter(|note| note.stands) {
            let _ = fs::remove_file(&note.path);
        }
    }
}

/// An unfinished file, opened and locked, and what is noted of it.
#[derive(Debug)]
pub(super) struct Claim {
    /// The file.
    pub partial: Partial,
    /// It, at its end.
    pub file: File,
}

/// What stands at the place of an unfinished file.
enum Found {
    Nothing,
    /// Nothing but a name: of whoever begins at this moment, or was killed before anything came.
    Empty,
    Ours(Note),
    Another,
}

/// An unfinished file for `path`: the one that came from the same place, else a new one.
pub(super) fn claim(path: &Path, origin: Option<&str>) -> io::Result<Claim> {
    let origin = origin.filter(|origin| origin.len() <= LONGEST);
    for number in 1..=TRIES {
        let (part, note) = names(path, number);
        let claimed = match (look(&part, &note, user()), origin) {
            (Found::Nothing, _) => create(part, note, origin)?,
            (Found::Empty, _) => open(part, note, origin.map(Note::new), Some(0))?,
            (Found::Ours(noted), Some(origin)) if noted.origin == origin => open(part, note, Some(noted), None)?,
            (Found::Ours(_) | Found::Another, _) => None,
        };
        if let Some(claim) = claimed {
            return Ok(claim);
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "there are too many unfinished files of this name"))
}

/// Deletes the unfinished file for `path` from `origin`, and its note. Without one there is nothing to do.
///
/// # Errors
/// `ResourceBusy` while it is being written; what keeps it from being deleted.
pub(super) fn discard(path: &Path, origin: &str) -> io::Result<()> {
    for number in 1..=TRIES {
        let (part, note) = names(path, number);
        match look(&part, &note, user()) {
            Found::Ours(noted) if noted.origin == origin => {
                let claim = open(part, note, Some(noted), None)?.ok_or(ErrorKind::ResourceBusy)?;
                fs::remove_file(&claim.partial.path)?;
                claim.partial.forget();
                return Ok(());
            }
            Found::Ours(_) | Found::Another | Found::Empty => {}
            Found::Nothing => return Ok(()),
        }
    }
    Ok(())
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// What is noted of an unfinished file from `origin` that has content.
pub(super) fn noted(path: &Path, origin: &str) -> Option<Note> {
    (1..=TRIES).map(|number| names(path, number)).find_map(|(part, note)| match look(&part, &note, user()) {
        Found::Nothing => Some(None),
        Found::Ours(noted) if noted.origin == origin => {
            fs::metadata(&part).ok().filter(|facts| facts.len() > 0).map(|_| Some(noted))
        }
        Found::Ours(_) | Found::Another | Found::Empty => None,
    })?
}

/// A name that leaves room for what is written behind it. The end of one that is cut tells it from others; whose it is, its note
/// says.
fn short(name: &OsStr) -> OsString {
    const ROOM: usize = 255 - UNFINISHED.len() - "-100.toml".len();
    let octets = name.as_encoded_bytes();
    if octets.len() <= ROOM {
        return name.to_owned();
    }
    // FNV-1a.
    let mark = octets
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, octet| (hash ^ u64::from(*octet)).wrapping_mul(0x100_0000_01b3));
    let text = String::from_utf8_lossy(octets);
    OsString::from(format!("{}~{mark:016x}", &text[..text.floor_char_boundary(ROOM - 17)]))
}

fn names(path: &Path, number: u32) -> (PathBuf, PathBuf) {
    let mut name = short(path.file_name().unwrap_or_default());
    name.push(UNFINISHED);
    if number > 1 {
        name.push(format!("-{number}"));
    }
    let part = path.with_file_name(&name);
    name.push(".toml");
    (part, path.with_file_name(name))
}

/// What stands there of the user `own`: of what another one made, who may still have it open, nothing is gone on with.
fn look(part: &Path, note: &Path, own: u32) -> Found {
    // Asked of the system once each: a tree has thousands. What cannot be looked at is no place for anything.
    let facts = |path| match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Some(None),
        facts => facts.ok().filter(|facts| facts.uid() == own).map(Some),
    };
    let is_empty = |facts: &fs::Metadata| facts.is_file() && facts.len() == 0;
    match (facts(part), facts(note)) {
        (Some(None), Some(None)) => Found::Nothing,
        (Some(Some(part)), Some(beside)) if is_empty(&part) && beside.as_ref().is_none_or(is_empty) => Found::Empty,
        (Some(gone), Some(Some(_))) => match (gone, Note::read(note)) {
            // Its file was finished or taken away.
            (None, Some(_)) => Found::Nothing,
            (Some(_), Some(noted)) => Found::Ours(noted),
            (_, None) => Found::Another,
        },
        (Some(Some(_)), Some(None)) | (None, _) | (_, None) => Found::Another,
    }
}

fn create(path: PathBuf, note: PathBuf, origin: Option<&str>) -> io::Result<Option<Claim>> {
    let file = match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
        Err(error) => return Err(error),
    };
    // Another copy that saw it empty may have been faster. Some file systems have no locks: there it is as without them.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Ok(None);
    }
    Ok(Some(Claim::of(file, path, note, origin.map(Note::new), 0, false)))
}

/// Opens one that is there. `None` when it is a link, has another name too, is being written, or has other octets than `only`.
fn open(path: PathBuf, note: PathBuf, noted: Option<Note>, only: Option<u64>) -> io::Result<Option<Claim>> {
    let no_links = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let Ok(mut file) = OpenOptions::new().read(true).write(true).custom_flags(no_links).open(&path) else {
        return Ok(None);
    };
    if file.try_lock().is_err() {
        return Ok(None);
    }
    let facts = file.metadata()?;
    // Between the look and the lock its writer may have finished it.
    if !facts.is_file() || facts.nlink() != 1 || !is_at(&facts, &path) {
        return Ok(None);
    }
    let octets = file.seek(SeekFrom::End(0))?;
    if only.is_some_and(|only| only != octets) {
        return Ok(None);
    }
    Ok(Some(Claim::of(file, path, note, noted, octets, only.is_none())))
}

/// Whether what was opened still stands at a path.
fn is_at(facts: &fs::Metadata, path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|here| here.ino() == facts.ino() && here.dev() == facts.dev())
}

impl Claim {
    fn of(file: File, path: PathBuf, note: PathBuf, says: Option<Note>, octets: u64, stands: bool) -> Claim {
        let lock = file.try_clone().ok();
        let note = says.map(|says| Beside { path: note, says, stands });
        Claim { partial: Partial { path, note, lock, octets, hole: 0, held: Vec::new(), threads: None }, file }
    }

    /// What the server would have to have still, for the fetch to go on from the end.
    pub(super) fn validator(&self) -> Option<&str> {
        self.begun()?.validator.as_deref()
    }

    /// Whether a listing has the time that it had when the beginning came; `None` where that is not known of both.
    pub(super) fn is_as_listed(&self, now: Option<Time>) -> Option<bool> {
        Some(self.begun()?.listed.as_deref()? == now?.written())
    }

    /// How long all of it is, as far as it was said when the beginning came.
    pub(super) fn length(&self) -> Option<u64> {
        self.begun()?.length
    }

    /// Why what the server has now is other content than what came of it earlier, or may be: `rest` where it goes on from there, and may
    /// say less of the whole than at first.
    pub(super) fn is_of_another(
        &self,
        (validator, length, modified): (Option<&str>, Option<u64>, Option<Timestamp>),
        listed: Option<Time>,
        rest: bool,
    ) -> Option<&'static str> {
        const CHANGED: &str = "The file has changed on the server";
        let noted = self.begun()?;
        let as_listed = self.is_as_listed(listed);
        // A listing may be older than the file.
        let is_older = as_listed.is_some() && listed.zip(modified).is_some_and(|(listed, now)| !listed.may_be(now));
        let is_longer = rest && length.zip(noted.length).is_some_and(|(now, noted)| now != noted);
        // A listing tells the time of a file in other words when it is half a year old, or the clocks have changed.
        let is_known = validator.is_some_and(|now| noted.validator.as_deref() == Some(now) && validator::is_dated(now));
        if !is_known && (as_listed == Some(false) || is_older) || is_longer {
            return Some(CHANGED);
        }
        let (now, noted) = validator.zip(noted.validator.as_deref())?;
        // A tag and a time are not compared with each other (RFC 9110, 15.3.7: of the two the rest may have one alone).
        if now == noted || rest && now.starts_with('"') != noted.starts_with('"') {
            return None;
        }
        match validator::agree(now, noted) {
            false => Some(CHANGED),
            // Whoever goes on has seen that they may be of the same content, and so has the listing that has the time of now.
            true if rest || as_listed == Some(true) && validator::is_dated(now) => None,
            true => Some("The server does not tell any more, or did not tell before, whether the file has changed"),
        }
    }

    fn begun(&self) -> Option<&Note> {
        Some(&self.partial.note.as_ref().filter(|_| self.partial.octets > 0)?.says)
    }

    /// Gives up what came earlier.
    pub(super) fn empty(&mut self) -> io::Result<()> {
        if self.partial.octets > 0 {
            self.file.set_len(0)?;
            self.file.rewind()?;
            self.partial.octets = 0;
        }
        Ok(())
    }

    /// Notes what the server calls the content that comes now, how long it is, and when it was changed, as a listing has it.
    pub(super) fn note(
        &mut self,
        validator: Option<&str>,
        length: Option<u64>,
        listed: Option<Time>,
    ) -> io::Result<()> {
        if let Some(note) = &mut self.partial.note {
            let listed = listed.map(Time::written);
            let says = Note { validator: validator.map(Into::into), length, listed, ..note.says.clone() };
            if says == note.says {
                return Ok(());
            }
            note.says = says;
            if note.stands {
                note.says.write(&note.path)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_user_began_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let (part, note) = names(&folder.path().join("a"), 1);
        fs::write(&part, "begin").unwrap();
        Note::new("ftp://h/a").write(&note).unwrap();
        assert!(matches!(look(&part, &note, user()), Found::Ours(_)));
        assert!(matches!(look(&part, &note, user() + 1), Found::Another));
        fs::remove_file(&part).unwrap();
        assert!(matches!(look(&part, &note, user()), Found::Nothing));
        assert!(matches!(look(&part, &note, user() + 1), Found::Another));
    }
}

//! Files that are kept for the reader, and how they change: a whole file in one step, lines at a file's end all or none, both
//! under a lock that all running copies take. What cannot be written is owed, and written when there is room again.
//!
//! Refuses: knowing what is in them.

mod lines;
mod writer;

pub use lines::{Fresh, Lines};
pub use writer::{Asked, Kept, Writer};

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use std::fs::{self, File, FileType, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long another copy may hold a file: it takes as long as writing it.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether it is free.
const AGAIN: Duration = Duration::from_millis(10);

/// Octets that a file has at most; what is kept of a reader's life has a hundredth. A longer one is somebody's mistake, which nobody
/// is to wait for.
const LONGEST: u64 = 32 << 20;

/// The octets of a file; none when there is no file.
///
/// # Errors
/// It is there and cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    or_none(read_file(path))
}

/// The same, of a file that may have so many octets.
///
/// # Errors
/// As of [`read`].
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    or_none(read_up_to(path, most))
}

fn or_none(read: io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

/// What a file holds.
///
/// # Errors
/// As the system says; what is no file; one of more than 32 MiB.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, LONGEST)
}

fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path, OpenOptions::new().read(true))?;
    let too_long = || io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {} MiB", most >> 20));
    if file.metadata()?.len() > most {
        return Err(too_long());
    }
    let mut octets = Vec::new();
    // It may grow.
    file.take(most + 1).read_to_end(&mut octets)?;
    if octets.len() as u64 > most { Err(too_long()) } else { Ok(octets) }
}

/// Opens a file. What is none, such as a pipe in its place, would be waited for without end, or would not end: it is refused.
///
/// # Errors
/// As the system says; what is no file.
pub fn open(path: &Path, how: &OpenOptions) -> io::Result<File> {
    // A folder says so itself when it is read.
    open_kind(path, how, |kind| kind.is_file() || kind.is_dir())
}

fn open_kind(path: &Path, how: &OpenOptions, wanted: fn(FileType) -> bool) -> io::Result<File> {
    let refused = || io::Error::other("it is no file");
    let waits_not = OFlags::NONBLOCK.bits().cast_signed();
    let file = match how.clone().custom_flags(waits_not).open(path) {
        // A pipe that nobody reads.
        Err(error) if Errno::from_io_error(&error) == Some(Errno::NXIO) => return Err(refused()),
        opened => opened?,
    };
    if wanted(file.metadata()?.file_type()) { Ok(file) } else { Err(refused()) }
}

/// A path as the reader knows it: what is in their home begins with `~`.
pub fn shown(path: &Path) -> String {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    match home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

/// What is wrong, before all else with which file: much of a line goes into a path.
pub fn wrong(path: &Path, error: &io::Error) -> String {
    format!("{}: {}", shown(path), reason(error))
}

/// The system's words for what is wrong; its number says nothing to anybody.
pub fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    words.split(" (os error").next().unwrap_or_default().into()
}

/// Makes a folder that is its owner's alone, with those above it, unless it is there.
///
/// # Errors
/// It cannot be made.
pub fn folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Holds a file as long as what it gives lives; one that is not there is made, with its folder. Each [`replace`] puts another
/// file in its place, so that the lock counts only while the name still means the file that was locked.
///
/// # Errors
/// It cannot be opened, or another program does not let go of it.
pub fn lock(path: &Path) -> io::Result<File> {
    let begun = Instant::now();
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).map_or(Ok(()), folder)?;
    loop {
        let file = match open(path, OpenOptions::new().read(true).append(true).create(true).mode(0o600)) {
            // Whoever may only read it changes nothing, but may wait until nobody else does.
            Err(_) if path.exists() => open(path, OpenOptions::new().read(true))?,
            opened => opened?,
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, path) => return Ok(file),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(AGAIN),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(ErrorKind::TimedOut, "another program has locked it"));
            }
            // Some file systems have no locks: there it is as without them.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let place = |data: io::Result<fs::Metadata>| data.map(|data| (data.dev(), data.ino())).ok();
    place(file.metadata()) == place(fs::metadata(path))
}

/// Puts octets in a file's place in one step: however that ends, what is there is whole, the old or the new. A link stays a
/// link; who may read the file stays as it was, and one that is new is its owner's alone.
///
/// # Errors
/// The old file is as it was.
pub fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    replace_by(path, |file| file.write_all(octets))
}

/// The same for what is too long to be held in memory: `fill` writes it.
///
/// # Errors
/// The old file is as it was.
pub fn replace_by(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?.to_string_lossy().into_owned();
    let fresh = folder.join(format!("{name}{HALF}{}", std::process::id()));
    sweep(folder, &name);
    let written = write(&fresh, &path, fill).and_then(|()| fs::rename(&fresh, &path));
    if written.is_err() {
        // What is half written is of no use; if it cannot be removed either, that is no second failure.
        let _ = fs::remove_file(&fresh);
    }
    written
}

/// Between a file's name and the number of the run that writes it anew: nobody names a file of their own like this.
const HALF: &str = ".wayfarer-new-";

/// This run of the program: the number of its process, in digits.
pub fn own_run() -> String {
    std::process::id().to_string()
}

/// Whether a run of the program has ended, by the number of its process, in digits; false of what is no number.
pub fn has_ended(run: &str) -> bool {
    let run = run.parse().ok().and_then(Pid::from_raw);
    run.is_some_and(|run| test_kill_process(run) == Err(Errno::SRCH))
}

/// Removes what runs that were killed have left half written, of this file and of others of its kind beside it.
fn sweep(folder: &Path, name: &str) {
    // "a.part.toml" is of the kind ".part.toml"; what has no dot, or begins with the only one, is of none.
    let kind = name.rmatch_indices('.').map(|(at, _)| at).take_while(|at| *at > 0).take(2).last().map(|at| &name[at..]);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let beside = entry.file_name();
        let Some((of, run)) = beside.to_str().and_then(|beside| beside.rsplit_once(HALF)) else { continue };
        let ours = of == name || kind.is_some_and(|kind| of.ends_with(kind));
        if ours && has_ended(run) {
            // One that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn write(fresh: &Path, old: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    // What an earlier run of our number left there is nobody's, and no link of it is followed.
    match fs::remove_file(fresh) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(fresh)?;
    if let Ok(old) = fs::metadata(old) {
        file.set_permissions(old.permissions())?;
    }
    fill(&mut file)?;
    file.sync_data()
}

/// Adds octets at a file's end, all or none: what a full disk took half of is taken back. Whoever calls holds the lock.
///
/// # Errors
/// The file is as it was.
pub fn append(path: &Path, octets: &[u8]) -> io::Result<()> {
    let how = OpenOptions::new().create(true).append(true).mode(0o600).clone();
    let mut file = open_kind(path, &how, |kind| !kind.is_fifo())?;
    let before = file.metadata()?.len();
    let written = file.write_all(octets).and_then(|()| file.sync_data());
    if written.is_err() {
        // A line that is cut off is told of at the next start, if this fails too.
        let _ = file.set_len(before);
    }
    written
}

/// Puts lines that make no sense into a file beside theirs (`NAME.bad`), those that are not there yet.
///
/// # Errors
/// They are not kept there.
pub fn put_aside<'a>(path: &Path, lines: impl IntoIterator<Item = &'a [u8]>) -> io::Result<()> {
    let aside = path.with_extension("bad");
    let there = read(&aside)?;
    let mut octets = Vec::new();
    for line in lines.into_iter().filter(|line| !there.split(|b| *b == b'\n').any(|known| known == *line)) {
        octets.extend_from_slice(line);
        octets.push(b'\n');
    }
    if octets.is_empty() { Ok(()) } else { append(&aside, &octets) }
}

/// Takes lines out of a file; one of which nothing is left goes.
///
/// # Errors
/// The file is as it was.
pub fn take_out(path: &Path, goes: impl Fn(&str) -> bool) -> io::Result<()> {
    let octets = read(path)?;
    let stays = |line: &&[u8]| !goes(&String::from_utf8_lossy(line));
    let left: Vec<u8> = octets.split_inclusive(|b| *b == b'\n').filter(stays).flatten().copied().collect();
    match left.len() {
        length if length == octets.len() => Ok(()),
        0 => fs::remove_file(path),
        _ => replace(path, &left),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_full_disk_leaves_the_old_file_whole_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("full");
        symlink("/dev/full", &file).unwrap();
        assert_eq!(append(&file, b"a line\n").unwrap_err().kind(), ErrorKind::StorageFull);
        // Where a file cannot be made, the old one stays.
        let old = folder.path().join("old");
        fs::write(&old, "old").unwrap();
        fs::create_dir(folder.path().join(format!("old.wayfarer-new-{}", std::process::id()))).unwrap();
        assert!(replace(&old, b"new").is_err());
        assert_eq!(fs::read(&old).unwrap(), b"old");
    }

    #[test]
    fn a_file_that_is_far_too_long_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words");
        fs::File::create(&path).unwrap().set_len(LONGEST).unwrap();
        assert_eq!(read(&path).unwrap().len() as u64, LONGEST);
        fs::File::create(&path).unwrap().set_len(LONGEST + 1).unwrap();
        assert_eq!(read(&path).unwrap_err().to_string(), "it has more than 32 MiB");
        let lines = Lines::new(path.clone(), "history");
        assert!(lines.read().is_err() && lines.anew(|_| panic!("it was read")).is_err());
        assert!(lines.up_to(2 * LONGEST).read().is_ok());
    }

    #[test]
    fn what_a_killed_run_left_half_written_goes_with_the_next_writing() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = std::process::Command::new("true").spawn().unwrap();
        run.wait().unwrap();
        let (dead, alive) = (run.id(), std::os::unix::process::parent_id());
        let goes = [format!("a.part.toml.wayfarer-new-{dead}"), format!("b.part.toml.wayfarer-new-{dead}")];
        let stays = [
            format!("a.part.toml.wayfarer-new-{alive}"),
            format!("mine.toml.wayfarer-new-{dead}"),
            format!("mine.wayfarer-new-{dead}"),
            "a.part.toml.wayfarer-new-year".into(),
            "b.part.toml".into(),
        ];
        goes.iter().chain(&stays).for_each(|name| fs::write(folder.path().join(name), "half").unwrap());
        replace(&folder.path().join("a.part.toml"), b"whole").unwrap();
        for (name, there) in goes.iter().map(|name| (name, false)).chain(stays.iter().map(|name| (name, true))) {
            assert_eq!(folder.path().join(name).exists(), there, "{name}");
        }
        // A name that is all one kind is of none.
        fs::write(folder.path().join(format!(".other.wayfarer-new-{dead}")), "half").unwrap();
        replace(&folder.path().join(".newsrc"), b"whole").unwrap();
        assert!(folder.path().join(format!(".other.wayfarer-new-{dead}")).exists());
    }

    #[test]
    fn a_link_stays_a_link_and_is_locked_as_the_file_that_it_means() {
        let folder = tempfile::tempdir().unwrap();
        let (link, file) = (folder.path().join("link"), folder.path().join("file"));
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        let held = lock(&link).unwrap();
        assert!(File::open(&file).unwrap().try_lock().is_err());
        drop(held);
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        drop(lock(&link).unwrap());
    }

    #[test]
    fn lines_are_put_aside_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("words");
        for _ in 0..2 {
            put_aside(&file, [&b"odd \xFF"[..], b"odder"]).unwrap();
        }
        let aside = folder.path().join("words.bad");
        assert_eq!(fs::read(&aside).unwrap(), b"odd \xFF\nodder\n");
        take_out(&aside, |line| line == "odder\n").unwrap();
        assert_eq!(fs::read(&aside).unwrap(), b"odd \xFF\n");
        take_out(&aside, |_| true).unwrap();
        assert!(!aside.exists());
        take_out(&aside, |_| true).unwrap();
    }
}

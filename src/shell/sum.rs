//! Checksums of files of any length, reckoned on threads that may wait, a piece at a time, until they are given up.
//!
//! What changes while it is read has no sum: its length and time are looked at before and after. Refuses: what is no plain file.

use super::{place, sum_tree};
use crate::app::{JobId, Msg};
use crate::stop::Stop;
use crate::sums::{Kind, Reckoning, Sum};
use rustix::fs::OFlags;
use std::collections::HashMap;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Octets between two looks at whether it is still wanted.
const PIECE: usize = 1 << 20;

/// Those that are being reckoned; dropping it gives all of them up.
#[derive(Debug, Default)]
pub(super) struct Sums(HashMap<JobId, (Stop, JoinHandle<()>)>);

impl Sums {
    /// Begins one; what comes of it comes as a message.
    pub(super) fn start(&mut self, id: JobId, path: &str, kinds: Vec<Kind>, messages: mpsc::Sender<Msg>) {
        let (path, stop) = (place::expand(path), Stop::new());
        let wanted = stop.clone();
        let task = tokio::task::spawn_blocking(move || {
            let result = match sum(&path, &kinds, &wanted) {
                Ok(Some(sums)) => Ok(sums),
                Ok(None) => return,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Err(format!("{} is not there any more: it was moved or deleted.", path.display()))
                }
                Err(error) => Err(format!("{} cannot be read: {error}.", path.display())),
            };
            // When the browser has gone there is nobody to tell.
            let _ = messages.blocking_send(Msg::Summed { id, result });
        });
        self.0.retain(|_, (_, task)| !task.is_finished());
        self.0.insert(id, (stop, task));
    }

    /// Begins to compare all files of a folder with the lists in it.
    pub(super) fn start_tree(
        &mut self,
        id: JobId,
        path: &str,
        names: Vec<(String, String)>,
        messages: mpsc::Sender<Msg>,
    ) {
        let (path, stop) = (place::expand(path), Stop::new());
        let wanted = stop.clone();
        let task = tokio::task::spawn_blocking(move || {
            if let Some(result) = sum_tree::compare(&path, names, &wanted) {
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::SummedTree { id, result });
            }
        });
        self.0.retain(|_, (_, task)| !task.is_finished());
        self.0.insert(id, (stop, task));
    }

    /// Gives one up.
    pub(super) fn cancel(&mut self, id: JobId) {
        if let Some((stop, _)) = self.0.remove(&id) {
            stop.give_up();
        }
    }
}

impl Drop for Sums {
    fn drop(&mut self) {
        self.0.values().for_each(|(stop, _)| stop.give_up());
    }
}

/// The sums of a file, one of each kind; `None` when it was given up.
fn sum(path: &Path, kinds: &[Kind], stop: &Stop) -> io::Result<Option<Vec<Sum>>> {
    of_file(&open(path, OFlags::empty())?, kinds, stop)
}

/// A file that is read and never waited for: a pipe would wait for somebody who writes.
pub(super) fn open(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = i32::try_from((OFlags::NONBLOCK | flags).bits()).unwrap_or_default();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// The sums of an open file, which is read once; `None` when it was given up.
pub(super) fn of_file(file: &File, kinds: &[Kind], stop: &Stop) -> io::Result<Option<Vec<Sum>>> {
    let before = file.metadata()?;
    if !before.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    let sums = read(file, kinds, stop)?;
    match same(&before, &file.metadata()?) {
        true => Ok(sums),
        false => Err(io::Error::other("it changed while it was read")),
    }
}

fn read(mut file: impl Read, kinds: &[Kind], stop: &Stop) -> io::Result<Option<Vec<Sum>>> {
    let mut reckonings: Vec<Reckoning> = kinds.iter().map(|kind| Reckoning::new(*kind)).collect();
    let mut piece = vec![0; PIECE];
    loop {
        if stop.is_given_up() {
            return Ok(None);
        }
        match file.read(&mut piece) {
            Ok(0) => return Ok(Some(reckonings.into_iter().map(Sum::from).collect())),
            Ok(octets) => reckonings.iter_mut().for_each(|one| one.take(&piece[..octets])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn same(before: &Metadata, after: &Metadata) -> bool {
    before.len() == after.len() && before.modified().ok() == after.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_file_has_its_sum_and_what_is_none_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("abc"), "abc").unwrap();
        let sums = sum(&at("abc"), &[Kind::Sha256, Kind::Md5], &Stop::new()).unwrap().unwrap();
        assert_eq!((&*sums[0].digits, sums[1].kind, sums[1].digits.len()), (ABC, Kind::Md5, 32));
        assert!(sum(folder.path(), &[Kind::Sha256], &Stop::new()).is_err());
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).unwrap();
        let told = sum(&at("pipe"), &[Kind::Sha256], &Stop::new()).unwrap_err().to_string();
        assert_eq!(told, "it is no plain file");
    }

    /// Does something when it is read the second time.
    struct Meanwhile<'a>(&'a File, usize, Box<dyn Fn() + 'a>);

    impl Read for Meanwhile<'_> {
        fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1 == 2 {
                (self.2)();
            }
            self.0.read(piece)
        }
    }

    #[test]
    fn a_file_that_grows_or_shrinks_while_it_is_read_has_none() {
        let folder = tempfile::tempdir().unwrap();
        for length in [5, PIECE as u64 * 4] {
            let path = folder.path().join(format!("{length}"));
            std::fs::write(&path, vec![7; PIECE * 2]).unwrap();
            let file = File::open(&path).unwrap();
            let before = file.metadata().unwrap();
            let change = || OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
            let read = read(Meanwhile(&file, 0, Box::new(change)), &[Kind::Sha1], &Stop::new());
            assert!(read.unwrap().is_some() && !same(&before, &file.metadata().unwrap()), "{length}");
        }
    }

    #[test]
    fn what_is_given_up_is_not_read_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, vec![7; PIECE * 2]).unwrap();
        let (file, stop) = (File::open(&path).unwrap(), Stop::new());
        let mut source = Meanwhile(&file, 0, Box::new(|| stop.give_up()));
        assert!(read(&mut source, &[Kind::Sha256], &stop).unwrap().is_none());
        assert_eq!(source.1, 2);
    }
}

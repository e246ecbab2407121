//! Files that the reader asked for: written as unfinished files ([`super::partial`]) beside the final one and named when they are
//! whole, never over anything by accident.

#[cfg(test)]
mod tests;

use super::outside::Outside;
use super::partial::{Claim, Partial};
use super::place::{Place, cannot, failed, in_a_text, on_disk};
use crate::app::{NotWritten, Transfer};
use crate::disk;
use crate::format::human;
use crate::proto::{Head, Resume, validator};
use std::fs::Permissions;
use std::io;
use std::io::SeekFrom;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use tokio::fs;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

/// An unfinished file that waits for its content.
#[derive(Debug)]
pub(super) struct Saver {
    pub claim: Claim,
    pub place: Place,
}

impl Saver {
    /// From where a fetch may go on; from nowhere where nothing but a listing tells one version from another, and says what it did not say
    /// before.
    pub(super) fn resume(&self) -> Option<Resume> {
        let as_listed = self.claim.is_as_listed(self.place.listed.modified);
        let tells = |validator: &&str| as_listed != Some(false) || validator::is_dated(validator);
        let validator = self.claim.validator().filter(tells)?.to_owned();
        Some(Resume { from: self.claim.partial.octets, validator, as_listed: as_listed == Some(true) })
    }

    /// Nothing comes: what has no content goes where that may be done, for threads that read from servers may not.
    pub(super) async fn leave(self) {
        let threads = self.place.threads.clone();
        // What stays there is found again, and does no harm.
        let _ = on_disk(&threads, move || {
            drop(self);
            Ok(())
        })
        .await;
    }

    /// Content that has no head.
    fn write_anew(self) -> Writing {
        let Saver { claim: Claim { partial, file, .. }, place } = self;
        Writing { file: fs::File::from_std(file), partial, place, length: None }
    }

    /// The content begins as the head says; says what was there already, and a remark when it was given up.
    pub(super) async fn begin(mut self, head: &Head) -> Result<(Writing, Transfer), Transfer> {
        let (start, length) = (head.start, head.length);
        let (validator, modified) = (head.validator.clone(), head.modified);
        let threads = self.place.threads.clone();
        let (is_new, compares) = (self.claim.partial.is_new(), self.place.compares());
        let begin = move || {
            if let Some(stands) = self.place.stands(length, modified) {
                return Err(stands);
            }
            let had = self.claim.partial.octets;
            if start > 0 && start != had {
                let sentence = format!("The server begins at octet {start}, but {had} octets are here.");
                return Err(Transfer::Failed(sentence));
            }
            // A server may be another one of the same name, or have lost the file: what came is not given up unasked.
            let listed = self.place.listed;
            let now = (validator.as_deref(), length, modified);
            if let Some(why) = self.claim.is_of_another(now, listed.modified, start > 0) {
                let (octets, path) = (human(had), self.claim.partial.path.display());
                return Err(Transfer::Stale(format!("{why}; {octets} of the old one are in {path}.")));
            }
            // Whoever goes on in the middle may not be told again how long all of it is.
            let length = length.or(self.claim.length().filter(|_| start > 0)).or(listed.size);
            let remark = (had > 0 && start == 0).then_some("this server cannot go on in the middle; begun again");
            let anew = if start == 0 { self.claim.empty() } else { Ok(()) };
            // A server that goes on has checked the validator, even if it does not say it again, or less of it.
            let known = match self.claim.validator() {
                Some(noted) if start > 0 && validator.as_deref().is_none_or(|now| validator::agree(now, noted)) => {
                    Some(validator::fuller(validator.unwrap_or_default(), noted))
                }
                _ => validator,
            };
            anew.and_then(|()| self.claim.note(known.as_deref(), length, listed.modified))
                .map_err(|error| cannot("write", &self.claim.partial.path, &error))?;
            let Saver { claim: Claim { partial, file, .. }, mut place } = self;
            place.modified = modified.or(place.modified);
            let begun = Transfer::Begun(start, remark.map(Into::into));
            Ok((Writing { file: fs::File::from_std(file), partial, place, length }, begun))
        };
        // Of a new file nothing is on the disk that would change.
        if is_new && !compares { begin() } else { on_disk(&threads, begin).await }
    }
}

/// A file being written.
#[derive(Debug)]
pub(super) struct Writing {
    file: fs::File,
    partial: Partial,
    place: Place,
    length: Option<u64>,
}

/// Octets of zeros from which on they are a hole: a block of most file systems.
const BLOCK: usize = 4096;

impl Writing {
    /// Octets in it, earlier ones too.
    pub(super) fn octets(&self) -> u64 {
        self.partial.octets
    }

    /// Whether it is one of a saved directory.
    pub(super) fn is_in_tree(&self) -> bool {
        self.place.is_in_tree
    }

    /// Whether it gets no time but that at which it comes.
    pub(super) fn is_undated(&self) -> bool {
        self.place.modified.is_none()
    }

    /// Writes the next octets.
    pub(super) async fn write(&mut self, octets: &[u8]) -> Result<(), Transfer> {
        if self.partial.hold(octets) {
            return Ok(());
        }
        let written = self.write_on(octets).await;
        written.map_err(|error| failed(&error, self.unwritten(&error)))
    }

    async fn write_on(&mut self, octets: &[u8]) -> io::Result<()> {
        self.write_held().await?;
        match octets.len() >= BLOCK && octets.iter().all(|octet| *octet == 0) {
            true => {
                // Whoever makes the hole while octets before it were still to be written would have zeros in their place.
                self.file.flush().await?;
                self.partial.hole += octets.len() as u64;
            }
            false => self.write_behind_the_hole(octets).await?,
        }
        self.partial.octets += octets.len() as u64;
        Ok(())
    }

    /// Writes all that there will be, and waits until it is on the disk.
    async fn put(&mut self, content: &[u8]) -> io::Result<()> {
        self.file.write_all(content).await?;
        self.partial.octets = content.len() as u64;
        self.file.flush().await?;
        self.file.sync_all().await
    }

    /// Writes what was held back. A file that takes longer to come than a moment is written as it comes.
    pub(super) async fn put_down(&mut self) -> Result<(), Transfer> {
        let written = self.write_held().await;
        written.map_err(|error| failed(&error, self.unwritten(&error)))
    }

    async fn write_held(&mut self) -> io::Result<()> {
        if let Some((note, path)) = self.partial.missing_note() {
            let written = on_disk(&self.place.threads, move || Ok(note.write(&path))).await;
            written.unwrap_or_else(|_| Err(io::Error::other("the disk work was given up")))?;
            self.partial.noted();
        }
        let held = self.partial.take_held();
        if held.is_empty() { Ok(()) } else { self.file.write_all(&held).await }
    }

    fn unwritten(&self, error: &io::Error) -> String {
        format!("Cannot write {}: {}. What came is kept.", self.partial.path.display(), disk::reason(error))
    }

    async fn write_behind_the_hole(&mut self, octets: &[u8]) -> io::Result<()> {
        if self.partial.hole > 0 {
            self.file.seek(SeekFrom::Start(self.partial.octets)).await?;
            self.partial.hole = 0;
        }
        self.file.write_all(octets).await
    }

    /// All that came is in the file, a hole at its end as well.
    async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await?;
        if self.partial.hole > 0 {
            self.file.set_len(self.partial.octets).await?;
            self.partial.hole = 0;
        }
        Ok(())
    }

    /// The body has ended: gives the file its name, unless it is shorter than it should be or may be.
    pub(super) async fn end(self, cut: Option<String>) -> Transfer {
        let octets = self.partial.octets;
        let (short, long) = match self.length {
            Some(length) => (octets < length, octets > length),
            // Nobody can tell whether it was all.
            None => (cut.is_some(), false),
        };
        let sizes = format!("{} of {} came", human(octets), human(self.length.unwrap_or_default()));
        match cut {
            Some(remark) if short => Transfer::Cut(self.keep(&sentence(&remark)).await),
            None if short => Transfer::Cut(self.keep(&format!("Only {sizes}.")).await),
            cut => match self.finish().await {
                Ok(path) if long => Transfer::Done(path, Some(format!("it is longer than the server said: {sizes}"))),
                Ok(path) => Transfer::Done(path, cut),
                Err(failed) => failed,
            },
        }
    }

    /// Gives the file its name and its time; says which name.
    async fn finish(mut self) -> Result<String, Transfer> {
        let flushed = self.flush().await;
        let Writing { file, mut partial, place, .. } = self;
        let file = file.into_std().await;
        on_disk(&place.threads.clone(), move || {
            let written = flushed.and_then(|()| partial.put_down());
            if let Ok(facts) = file.metadata()
                && place.runs
            {
                let mode = facts.mode();
                // Nor is one that knows no modes.
                let _ = file.set_permissions(Permissions::from_mode(mode | (mode & 0o444) >> 2));
            }
            if let Some(modified) = place.modified {
                // A file system that knows no times is no reason to fail.
                let _ = file.set_modified(modified.into());
            }
            let settled = |()| if place.settles { file.sync_all() } else { Ok(()) };
            written.and_then(settled).map_err(|error| cannot("write", &partial.path, &error))?;
            if !partial.is_whole(&file) {
                let path = partial.path.display();
                return Err(Transfer::Failed(format!(
                    "Another program has changed {path} meanwhile; it is left as it is."
                )));
            }
            if let Some(there) = place.is_another(&partial.path) {
                partial.octets = 0;
                drop(partial);
                return Err(there);
            }
            if let Err(error) = settle(&partial.path, &place.path, place.replace()) {
                // Another running copy may have saved the same.
                if let Some(present) = place.is_there_already() {
                    partial.octets = 0;
                    drop(partial);
                    return Err(present);
                }
                if let Some((note, path)) = partial.missing_note().filter(|(note, path)| note.write(path).is_ok()) {
                    drop((note, path));
                    partial.noted();
                }
                let (path, kept) = (place.path.display(), partial.path.display());
                let reason = disk::reason(&error);
                return Err(Transfer::Failed(format!(
                    "Cannot name the file {path}: {reason}. Its content is in {kept}."
                )));
            }
            partial.named();
            Ok(in_a_text(&place.path))
        })
        .await
    }

    /// Ends a download that was refused on its way: nothing of it is left.
    pub(super) async fn discard(self, why: String) -> String {
        let Writing { mut file, mut partial, place, .. } = self;
        let _ = file.flush().await;
        let file = file.into_std().await;
        let threads = place.threads.clone();
        // What stays there is found again, and does no harm.
        let _ = on_disk(&threads, move || {
            partial.octets = 0;
            drop((file, partial));
            Ok(())
        })
        .await;
        why
    }

    /// Ends a download that broke off; what came is kept, nothing is left when nothing came.
    pub(super) async fn keep(mut self, why: &str) -> String {
        if let Err(error) = self.write_held().await {
            return format!("{why} {}", self.unwritten(&error));
        }
        let _ = self.flush().await;
        if self.partial.octets == 0 {
            return why.into();
        }
        format!("{why} What came is kept in {}.", self.partial.path.display())
    }
}

/// A remark as a sentence.
fn sentence(remark: &str) -> String {
    let mut chars = remark.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let stop = if remark.ends_with('.') { "" } else { "." };
    format!("{first}{}{stop}", chars.as_str())
}

/// Renames without ever replacing a file that appeared meanwhile, unless the reader agreed.
fn settle(partial: &Path, path: &Path, replace: bool) -> io::Result<()> {
    use std::fs::{hard_link, remove_file, rename, symlink_metadata};
    if replace {
        return rename(partial, path);
    }
    match rename_anew(partial, path) {
        // Some network mounts, and systems that cannot do it in one step.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {}
        done => return done,
    }
    match hard_link(partial, path) {
        Ok(()) => remove_file(partial),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // File systems without hard links (FAT, some network mounts).
        Err(_) if symlink_metadata(path).is_err() => rename(partial, path),
        Err(error) => Err(error),
    }
}

/// Renames what replaces nothing, in one step, where the system has one for that.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn rename_anew(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn rename_anew(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes a whole file the same careful way.
pub(super) async fn write(
    outside: Option<&Outside>,
    path: &str,
    content: &[u8],
    replace: bool,
) -> Result<String, NotWritten> {
    write_new(outside, path, content, replace).await.map_err(|transfer| match transfer {
        Transfer::Exists(path) => NotWritten::Exists(path),
        Transfer::Failed(sentence) | Transfer::Full(sentence) | Transfer::Cut(sentence) | Transfer::Stale(sentence) => {
            NotWritten::Failed(sentence)
        }
        // What only a body says on its way.
        Transfer::Partial
        | Transfer::Begun(..)
        | Transfer::Undated
        | Transfer::Progress(_)
        | Transfer::Done(..)
        | Transfer::Present(_) => NotWritten::Failed(format!("{path} was not written.")),
    })
}

async fn write_new(outside: Option<&Outside>, path: &str, content: &[u8], replace: bool) -> Result<String, Transfer> {
    whole(Place::of_text(outside, path, replace).await?.claim().await?.write_anew(), content).await
}

/// A part of what this program holds as a whole is of use to nobody, and nothing goes on from there: it goes when the rest cannot be written.
async fn whole(mut writing: Writing, content: &[u8]) -> Result<String, Transfer> {
    if let Err(error) = writing.put(content).await {
        let failed = cannot("write", &writing.place.path, &error);
        writing.discard(String::new()).await;
        return Err(failed);
    }
    writing.finish().await
}

//! All files of a folder, compared with the lists of checksums in it. What is looked at is what was found in the folder itself: names in
//! lists are looked up among that, and no link is followed. A folder below that cannot be read is told of. Refuses: folders of more than
//! [`ENTRIES`] entries, longer lists than [`LIST`], more than [`LISTS`] of all together.

use super::sum;
use crate::app::{Compared, ListSignature, Verified, is_unfinished, name_octets};
use crate::doc::carried;
use crate::format::human;
use crate::format::message::{is_not_looked_at, signed_in_clear};
use crate::stop::Stop;
use crate::sums::{Named, Tree};
use rustix::fs::OFlags;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, FileType};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Entries of a folder with all below it.
const ENTRIES: usize = 200_000;
/// Octets of one list or signature, and of all together.
const LIST: u64 = 4 << 20;
const LISTS: u64 = 64 << 20;
/// Signatures of lists that are looked at.
const SIGNATURES: usize = 100;

/// Compares them; `None` when it was given up.
pub(super) fn compare(root: &Path, names: Vec<(String, String)>, stop: &Stop) -> Option<Result<Compared, String>> {
    with_room(LISTS, root, names, stop)
}

/// The same, with room for so many octets of lists and signatures.
fn with_room(room: u64, root: &Path, names: Vec<(String, String)>, stop: &Stop) -> Option<Result<Compared, String>> {
    let Found { files, unread } = match walk(root, stop) {
        Ok(found) => found?,
        Err(error) => return Some(Err(format!("{} cannot be read: {error}.", root.display()))),
    };
    let tree = Tree::new(files, unread, names.iter().filter_map(named).collect());
    let mut reading = Reading { root, tree, room, held: room / 4, signatures: Vec::new(), more: 0 };
    for path in reading.tree.lists() {
        reading.list(&path);
        if stop.is_given_up() {
            return None;
        }
    }
    let Reading { mut tree, mut signatures, more, .. } = reading;
    match more {
        0 => {}
        1 => tree.remark_first("1 more signature of a list is not looked at".into()),
        _ => tree.remark_first(format!("{more} more signatures of lists are not looked at")),
    }
    for (path, kinds) in tree.wanted() {
        let file = sum::open(&at(root, &path), OFlags::NOFOLLOW);
        match file.and_then(|file| sum::of_file(&file, &kinds, stop)) {
            Ok(Some(sums)) => tree.reckoned(&path, &sums),
            Ok(None) => return None,
            Err(error) => tree.remark(format!("{} cannot be read: {error}", name(&path))),
        }
    }
    for (list, signature) in &mut signatures {
        signature.right = tree.right_by(*list).to_vec();
    }
    let (right, (agrees, said)) = (tree.right(), tree.verdict());
    let signatures = signatures.into_iter().map(|(_, signature)| signature).collect();
    Some(Ok(Compared { verified: Verified { agrees, said }, right, signatures }))
}

/// The lists of a folder, as they are read.
struct Reading<'a> {
    root: &'a Path,
    tree: Tree,
    /// Octets that may still be read, and those that may still be held until their signatures are looked at.
    room: u64,
    held: u64,
    /// With the numbers of the lists.
    signatures: Vec<(usize, ListSignature)>,
    /// Signatures beyond those.
    more: usize,
}

impl Reading<'_> {
    /// Takes what a list says, with its signatures.
    fn list(&mut self, path: &[u8]) {
        match self.text(path) {
            Ok(octets) => self.says(path, octets),
            Err(why) => {
                self.tree.remark(format!("{} {why}", name(path)));
                self.signed(path, None);
            }
        }
    }

    /// The same of one that holds this.
    fn says(&mut self, path: &[u8], octets: Vec<u8>) {
        // Of what is signed in clear nothing else counts.
        let (message, text) = signed_in_clear(&octets).unzip();
        if message.is_none() && self.tree.is_signature(path) {
            return self.tree.remark(format!("{} holds no checksums", name(path)));
        }
        let number = self.tree.list(path, text.as_deref().unwrap_or(&octets));
        if let Some(why) = is_not_looked_at(&octets) {
            self.tree.remark(format!("the signature in {} is not looked at: {why}", name(path)));
        }
        if let Some(content) = message {
            self.keep(number, ListSignature { name: name(path), content, list: None, right: Vec::new() });
        }
        self.signed(path, Some((number, &octets)));
    }

    /// Takes the signatures beside a list that holds this, unless nobody could read it.
    fn signed(&mut self, path: &[u8], list: Option<(usize, &[u8])>) {
        for beside in self.tree.signatures(path) {
            match (self.text(&beside), list) {
                // What is signed in clear there says itself what it signs.
                (Ok(content), _) if signed_in_clear(&content).is_some() => self.says(&beside, content),
                (Ok(content), Some((number, list))) => {
                    let list = Some((name(path), list.to_vec()));
                    self.keep(number, ListSignature { name: name(&beside), content, list, right: Vec::new() });
                }
                (Ok(_), None) => self.more += 1,
                (Err(why), _) => self.tree.remark(format!("the signature {} {why}", name(&beside))),
            }
        }
    }

    /// Keeps a signature of the list of this number until it is looked at, if there is room for it and its list.
    fn keep(&mut self, number: usize, signature: ListSignature) {
        let list = signature.list.as_ref().map_or(0, |(_, content)| content.len());
        let held = self.held.checked_sub((signature.content.len() + list) as u64);
        match held.filter(|_| self.signatures.len() < SIGNATURES) {
            Some(held) => {
                self.held = held;
                self.signatures.push((number, signature));
            }
            None => self.more += 1,
        }
    }

    /// What is in a file, as far as there is room for it; else why not, in words for behind its name.
    fn text(&mut self, path: &[u8]) -> Result<Vec<u8>, String> {
        let (most, mut octets) = (self.room.min(LIST), Vec::new());
        let file = sum::open(&at(self.root, path), OFlags::NOFOLLOW);
        let read = file.and_then(|file| file.take(most + 1).read_to_end(&mut octets));
        match read.map_err(|error| format!("cannot be read: {error}"))? as u64 {
            long if long > LIST => Err(format!("is too long: {} are read of one", human(LIST))),
            long if long > most => Err(format!("is not read: {} are read of all lists together", human(LISTS))),
            long => {
                self.room -= long;
                Ok(octets)
            }
        }
    }
}

/// What is below a folder: the paths of files, and those of folders that cannot be read, with the reasons.
#[derive(Default)]
struct Found {
    files: Vec<Vec<u8>>,
    unread: Vec<(Vec<u8>, String)>,
}

/// Goes through all below a folder; `None` when it was given up.
fn walk(root: &Path, stop: &Stop) -> io::Result<Option<Found>> {
    let (mut found, mut left, mut folders) = (Found::default(), ENTRIES, vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        let entries = match entries(&root.join(&folder), left + 1) {
            Ok(entries) => entries,
            Err(error) if folder.as_os_str().is_empty() => return Err(error),
            Err(error) => {
                found.unread.push((folder.into_os_string().into_encoded_bytes(), error.to_string()));
                continue;
            }
        };
        let many = || io::Error::other("it has more entries than are looked at");
        left = left.checked_sub(entries.len()).ok_or_else(many)?;
        if stop.is_given_up() {
            return Ok(None);
        }
        for (name, kind) in entries {
            let path = folder.join(&name);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && !is_unfinished(&name.to_string_lossy()) {
                found.files.push(path.into_os_string().into_encoded_bytes());
            }
        }
    }
    Ok(Some(found))
}

/// The entries of one folder, so many at most.
fn entries(folder: &Path, most: usize) -> io::Result<Vec<(OsString, FileType)>> {
    let entry = |entry: io::Result<DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name(), entry.file_type()?))
    };
    fs::read_dir(folder)?.take(most).map(entry).collect()
}

/// A name that something has here, as a download has it: the path with the name that the server has, and that here.
fn named((path, name): &(String, String)) -> Option<Named> {
    let (folder, own) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
    Some(Named { folder: carried(folder).into(), own: name_octets(own)?, name: carried(name).into() })
}

fn at(root: &Path, path: &[u8]) -> PathBuf {
    root.join(OsStr::from_bytes(path))
}

fn name(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

#[cfg(test)]
mod tests;

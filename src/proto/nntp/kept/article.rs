//! Articles of a server by their ids, a file each. What an id names never changes, so that nobody need be asked again.

use super::record::{self, What};
use super::{ARTICLE, Inner, file_name, fnv};
use crate::disk::{self, Lines};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Octets of an article that is kept; what is longer is a film.
const LONGEST: u64 = 8 << 20;

/// The articles of a server.
#[derive(Clone)]
pub(in crate::proto::nntp) struct Articles {
    inner: Arc<Inner>,
    folder: PathBuf,
}

impl Articles {
    pub(super) fn new(inner: Arc<Inner>, server: &str) -> Articles {
        let folder = inner.folder.join(file_name(server.as_bytes(), "")).join("articles");
        Articles { inner, folder }
    }

    /// Folders of some hundred files each: nobody reads a folder of a hundred thousand.
    fn path(&self, id: &[u8]) -> PathBuf {
        self.folder.join(format!("{:02x}", fnv(id) & 0xFF)).join(file_name(id, ARTICLE))
    }

    /// Whether an article may be kept.
    pub fn fits(&self, octets: usize) -> bool {
        octets as u64 <= LONGEST.min(self.inner.most.articles / 4)
    }

    /// An article by its id, without `< >`, and when it was kept.
    pub async fn find(&self, id: &[u8]) -> Option<(Vec<u8>, SystemTime)> {
        let (path, own) = (self.path(id), id.to_vec());
        let found = tokio::task::spawn_blocking(move || read(&path, &own)).await.ok()?;
        match found {
            Ok(Found::Whole(octets, time)) => Some((octets, time)),
            Ok(Found::Nothing) | Err(_) => None,
            Ok(Found::Damaged) => {
                // It can be had again.
                let path = self.path(id);
                self.inner.run(0, &path.clone(), move || fs::remove_file(&path));
                None
            }
        }
    }

    /// Whether an article is here, whatever it holds.
    pub fn has(&self, id: &[u8]) -> bool {
        self.path(id).exists()
    }

    /// Keeps an article.
    pub fn keep(&self, id: &[u8], octets: &[u8]) {
        if !self.fits(octets.len()) {
            return;
        }
        let (path, named) = (self.path(id), record::written(What::Named, (0, 0), &[id, b"\n"].concat()));
        let article = record::written(What::Article, (0, 0), octets);
        let whole = [kind(&path).first().as_bytes(), &named, &article].concat();
        self.inner.run(whole.len() as u64, &path.clone(), move || {
            if matches!(newer(&path), Ok(true)) {
                return Ok(());
            }
            path.parent().map_or(Ok(()), disk::folder)?;
            disk::replace(&path, &whole)
        });
    }
}

enum Found {
    Nothing,
    Damaged,
    Whole(Vec<u8>, SystemTime),
}

fn kind(path: &Path) -> Lines {
    Lines::new(path.into(), "article")
}

/// Whether a newer version of the program has written it.
fn newer(path: &Path) -> io::Result<bool> {
    let mut begins = [0; 64];
    let count = record::read_some(&disk::open(path, File::options().read(true))?, &mut begins, 0)?;
    Ok(kind(path).newer(&begins[..count]).is_some())
}

fn read(path: &Path, id: &[u8]) -> io::Result<Found> {
    let file = match disk::open(path, File::options().read(true)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        file => file?,
    };
    if newer(path)? {
        return Ok(Found::Nothing);
    }
    let (first, mut begins) = (kind(path).first(), [0; 64]);
    let count = record::read_some(&file, &mut begins, 0)?;
    if !begins[..count].starts_with(first.as_bytes()) {
        return Ok(Found::Damaged);
    }
    let walk = record::walk(&file, first.len() as u64)?;
    let [named, article] = walk.records.as_slice() else { return Ok(Found::Damaged) };
    if walk.damaged || named.what != What::Named || article.what != What::Article {
        return Ok(Found::Damaged);
    }
    match record::octets(&file, named, LONGEST)? {
        Some(name) if name.strip_suffix(b"\n") == Some(id) => {}
        Some(_) => return Ok(Found::Nothing),
        None => return Ok(Found::Damaged),
    }
    Ok(match record::octets(&file, article, LONGEST)? {
        Some(octets) => Found::Whole(octets, file.metadata()?.modified()?),
        None => Found::Damaged,
    })
}

//! A directory as lines of RFC 3659's MLSD, which is how every listing is read: names as the octets they are.
//!
//! Refuses: names that would be a path, and those that hold a line break.

use super::packet::{Answer, Attributes, Name, Verb, What};
use super::session::{Session, is_end, refusal};
use crate::proto::{FetchError, Kind};
use jiff::Timestamp;

/// Links that are asked about at a time: their names are less than the pipe holds.
const AT_ONCE: usize = 8;
/// Links of a directory that are asked about at all.
const MOST_LINKS: usize = 1000;
/// Answers of which nothing can be shown, before it is an end: names that mean nothing, or none at all.
const MOST_EMPTY: usize = 1000;

/// What comes of one question for more.
pub(super) struct Batch {
    /// Whole lines.
    pub lines: Vec<u8>,
    /// Names that have no place in a listing.
    pub left_out: usize,
}

/// A directory that is being read.
pub(super) struct Listing<'a> {
    pub session: &'a mut Session,
    /// Its path, without a slash at its end.
    pub path: Vec<u8>,
    pub handle: Vec<u8>,
    /// Links that were asked about.
    links: usize,
    /// Answers of which nothing could be shown.
    empty: usize,
}

impl<'a> Listing<'a> {
    pub async fn open(session: &'a mut Session, path: &[u8]) -> Result<Listing<'a>, FetchError> {
        let handle = session.open(Verb::OpenDir, path).await?;
        let path = path.strip_suffix(b"/").unwrap_or(path).to_vec();
        Ok(Listing { session, path, handle, links: 0, empty: 0 })
    }

    /// The next lines; `None` at the end.
    pub async fn more(&mut self) -> Result<Option<Batch>, FetchError> {
        let number = self.session.ask(Verb::ReadDir, &self.handle).await?;
        let names = match self.session.answer(number).await? {
            Answer::Names(names) => names,
            end if is_end(&end) => {
                self.session.close(&self.handle).await?;
                return Ok(None);
            }
            other => return Err(refusal(&other, &self.path)),
        };
        let all = names.len();
        let is_this = |name: &[u8]| matches!(name, b"." | b"..");
        let own = names.iter().filter(|entry| is_this(&entry.name)).count();
        let fits = |name: &[u8]| !name.is_empty() && !name.iter().any(|b| matches!(b, b'/' | b'\r' | b'\n' | 0));
        let names: Vec<Name> = names.into_iter().filter(|one| !is_this(&one.name) && fits(&one.name)).collect();
        let left_out = all - own - names.len();
        self.empty += usize::from(names.is_empty());
        if self.empty > MOST_EMPTY {
            return Err(FetchError::new(Kind::Malformed, "The server lists one nothing after another, without end."));
        }
        let targets = self.targets(&names).await?;
        let mut lines = Vec::with_capacity(names.len() * 80);
        for (entry, target) in names.iter().zip(targets) {
            facts(&entry.attributes, target.as_deref(), &mut lines);
            lines.push(b' ');
            lines.extend_from_slice(&entry.name);
            lines.extend_from_slice(b"\r\n");
        }
        Ok(Some(Batch { lines, left_out }))
    }

    /// Where those of the names lead that are links.
    async fn targets(&mut self, names: &[Name]) -> Result<Vec<Option<Vec<u8>>>, FetchError> {
        let mut targets = vec![None; names.len()];
        let is_link = |(_, entry): &(usize, &Name)| entry.attributes.what() == What::Link;
        let links: Vec<(usize, &Name)> = names.iter().enumerate().filter(is_link).collect();
        let room = MOST_LINKS.saturating_sub(self.links);
        self.links += links.len();
        for some in links[..links.len().min(room)].chunks(AT_ONCE) {
            let mut asked = Vec::with_capacity(some.len());
            for (at, entry) in some {
                let path = [&self.path[..], b"/", &entry.name].concat();
                asked.push((*at, self.session.ask(Verb::ReadLink, &path).await?));
            }
            for (at, number) in asked {
                if let Answer::Names(names) = self.session.answer(number).await?
                    && let Some(first) = names.into_iter().next()
                {
                    targets[at] = Some(first.name);
                }
            }
        }
        Ok(targets)
    }
}

/// The facts of an entry.
fn facts(attributes: &Attributes, target: Option<&[u8]>, out: &mut Vec<u8>) {
    let breaks = |b: &u8| matches!(b, b';' | b'\r' | b'\n' | 0);
    match (attributes.what(), target) {
        (What::Directory, _) => out.extend_from_slice(b"type=dir;"),
        (What::Link, Some(target)) if !target.is_empty() && !target.iter().any(breaks) => {
            out.extend_from_slice(b"type=OS.unix=slink:");
            out.extend_from_slice(target);
            out.push(b';');
        }
        (What::Link, _) => out.extend_from_slice(b"type=OS.unix=symlink;"),
        (What::Other, _) => out.extend_from_slice(b"type=OS.unix=special;"),
        (What::File | What::Unsaid, _) => {
            out.extend_from_slice(b"type=file;");
            if let Some(size) = attributes.size {
                out.extend_from_slice(format!("size={size};").as_bytes());
            }
        }
    }
    if let Some(time) = attributes.modified.and_then(|seconds| Timestamp::from_second(seconds.into()).ok()) {
        out.extend_from_slice(format!("modify={};", time.strftime("%Y%m%d%H%M%S")).as_bytes());
    }
    if let Some(mode) = attributes.mode {
        out.extend_from_slice(format!("UNIX.mode={:04o};", mode & 0o7777).as_bytes());
    }
    if let Some((owner, group)) = attributes.owner {
        out.extend_from_slice(format!("UNIX.owner={owner};UNIX.group={group};").as_bytes());
    }
}

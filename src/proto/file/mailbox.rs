//! Mailboxes of this machine: a file of messages (mbox) and a folder of them (Maildir) as the overview of a group, and a single
//! message of such a file.
//!
//! Which message of a file is meant the query of its URL says, `?message=OCTET`, the octet at which it begins: nothing before it is
//! read. All is read a piece at a time, and no more of a message than its header is held.

use super::{
    Error, Exchange, FIRST, FetchError, Kind, LARGEST, Path, PathBuf, Relay, Room, Url, failure, on_disk, piece,
};
use crate::doc::flat;
use crate::format::mbox::{Overviews, Piece, Pieces, Single, Summary};
use crate::format::media;
use crate::proto::{Context, End, Head, Verdict, net};
use crate::url::scheme::file::{File as Named, message_of};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};

/// Folders of a Maildir.
const FOLDERS: [&str; 3] = ["cur", "new", "tmp"];
/// Octets of a message that are looked at for its header.
const HEADER: u64 = 32 * 1024;
/// Messages of a Maildir that are looked at in one go.
const TOGETHER: usize = 256;

/// A mailbox as the overview of a group.
pub(super) async fn list(
    mut file: File,
    mut chunk: Vec<u8>,
    path: &Path,
    url: Url,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let mut relay = Relay::new(exchange, media::NEWSGROUP, &context.limits);
    let own = url.clone();
    if relay.head(head(path, url)).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let place = |at: u64| message_of(&own, at);
    let (mut overviews, mut size, mut out) = (Overviews::new(), FIRST, first(path));
    while !chunk.is_empty() {
        overviews.feed(&chunk, &place, &mut out);
        if relay.pass(std::mem::take(&mut out)).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
        size = (size * 2).min(LARGEST);
        (file, chunk) = match piece(file, size, context.limits.silence).await {
            Ok(next) => next,
            Err(error) => return Ok(End { cut: Some(broken(&error)) }),
        };
    }
    overviews.finish(&place, &mut out);
    match relay.pass(out).await? {
        Room::Full => Ok(End { cut: Some(relay.cut()) }),
        Room::Left => Ok(End::default()),
    }
}

/// The message of a mailbox that begins at an octet.
pub(super) async fn single(
    mut file: File,
    at: u64,
    path: &Path,
    url: Url,
    wanted: Option<String>,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let patience = context.limits.silence;
    let seek = move || {
        file.seek(SeekFrom::Start(at))?;
        Ok(file)
    };
    let nothing = || {
        let detail = format!("No message begins at octet {at} of {}.", path.display());
        FetchError::new(Kind::NotFound, detail).hint("It has changed since it was listed: list it again.")
    };
    // No file has so many.
    if i64::try_from(at).is_err() {
        return Err(nothing());
    }
    let file = on_disk(patience, seek).await.map_err(|error| failure(path, &error))?;
    let (mut file, mut chunk) = piece(file, FIRST, patience).await.map_err(|error| failure(path, &error))?;
    let (mut message, mut out) = (Single::default(), Vec::new());
    message.feed(&chunk, &mut out);
    if chunk.is_empty() || message.is_wrong() {
        return Err(nothing());
    }
    let head = Head {
        lines: vec![format!("{}, from octet {at}", path.display())],
        ..Head::new(url, wanted.unwrap_or_else(|| media::MESSAGE.into()))
    };
    let mut relay = Relay::new(exchange, &head.media, &context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let mut size = FIRST;
    loop {
        if relay.pass(std::mem::take(&mut out)).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
        if message.is_over() {
            return Ok(End::default());
        }
        size = (size * 2).min(LARGEST);
        (file, chunk) = match piece(file, size, patience).await {
            Ok(next) => next,
            Err(error) => return Ok(End { cut: Some(broken(&error)) }),
        };
        if chunk.is_empty() {
            message.finish(&mut out);
            return match relay.pass(out).await? {
                Room::Full => Ok(End { cut: Some(relay.cut()) }),
                Room::Left => Ok(End::default()),
            };
        }
        message.feed(&chunk, &mut out);
    }
}

/// Whether a folder is a Maildir.
pub(super) fn is_maildir(folder: &Path) -> bool {
    FOLDERS.iter().all(|name| folder.join(name).is_dir())
}

/// Whether a file is a message of a Maildir.
pub(super) fn is_in_maildir(file: &Path) -> bool {
    let folder = file.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "cur" || name == "new"));
    folder.and_then(Path::parent).is_some_and(is_maildir)
}

/// A Maildir as the overview of a group.
pub(super) async fn folder(
    path: &Path,
    url: Url,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let patience = context.limits.silence;
    let root = path.to_owned();
    let names = on_disk(patience, move || names(&root)).await.map_err(|error| failure(path, &error))?;
    let mut relay = Relay::new(exchange, media::NEWSGROUP, &context.limits);
    if relay.head(head(path, url)).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let mut out = first(path);
    for (at, some) in names.chunks(TOGETHER).enumerate() {
        let (some, before) = (some.to_vec(), (at * TOGETHER) as u64);
        out.extend(on_disk(patience, move || Ok(lines(&some, before))).await.map_err(|error| failure(path, &error))?);
        if relay.pass(std::mem::take(&mut out)).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
    }
    relay.pass(out).await?;
    Ok(End::default())
}

/// The messages of a Maildir in the order of their names, which begin with the time at which they came.
fn names(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for folder in &FOLDERS[..2] {
        for entry in fs::read_dir(root.join(folder))?.flatten() {
            let hidden = entry.file_name().as_encoded_bytes().first() == Some(&b'.');
            if !hidden && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                all.push(entry.path());
            }
        }
    }
    all.sort_unstable_by(|a, b| a.file_name().cmp(&b.file_name()));
    Ok(all)
}

/// The lines of some messages. One that went away meanwhile is none.
fn lines(files: &[PathBuf], before: u64) -> Vec<u8> {
    let mut out = Vec::new();
    for (file, number) in files.iter().zip(before + 1..) {
        let Ok(opened) = File::open(file) else { continue };
        let size = opened.metadata().ok().map(|facts| facts.len());
        let Ok(url) = Named::url(file.as_os_str().as_encoded_bytes()) else { continue };
        let (mut pieces, mut summary, mut octets) = (Pieces::default(), Summary::default(), Vec::new());
        if opened.take(HEADER).read_to_end(&mut octets).is_err() {
            continue;
        }
        let mut take = |piece: Piece<'_>| summary.take(piece);
        pieces.feed(&octets, &mut take);
        pieces.finish(&mut take);
        if summary.is_message() {
            out.extend(summary.line(number, size, url.as_str()));
        }
    }
    out
}

/// The first line of the overview.
fn first(path: &Path) -> Vec<u8> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = flat(&name);
    format!("{name}\t1\t0\t\tn\t-\n").into_bytes()
}

fn head(path: &Path, url: Url) -> Head {
    let title = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Head { title, lines: vec![path.display().to_string()], ..Head::new(url, media::NEWSGROUP) }
}

fn broken(error: &Error) -> String {
    format!("reading stopped here ({})", net::words(error))
}

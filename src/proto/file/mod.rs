//! `file:` URLs (RFC 1738, 3.10; RFC 8089): files of this machine as octets, folders as a listing.
//!
//! A mailbox, be it a file or a folder, is the overview of a group, as a server of news would send it.
//!
//! All disk work happens on the blocking pool, a piece at a time, so that an abandoned fetch stops at the next piece.
//! Refuses: other hosts, and whatever is neither file nor folder, since a device or a pipe may block or never end.

mod bound;
mod folder;
mod mailbox;
mod thread;

use super::relay::{Relay, Room};
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Verdict, net};
use crate::format::{guess, mbox, media};
use crate::url::Url;
use crate::url::scheme::{self, Act, file as named};
use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::timeout;

/// The first piece: enough for a screen, soon there.
const FIRST: usize = 16 * 1024;
/// The largest piece.
const LARGEST: usize = 256 * 1024;
/// What is looked at to tell the kind of a file.
const SNIFF: usize = 1024;

/// Fetches a file or a folder of this machine.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let url = request.url.without_fragment();
    let Act::File(octets) = scheme::plan(&url)?.act else {
        return Err(FetchError::new(Kind::Malformed, format!("{url} names no file.")));
    };
    if let Some(places) = &request.conversation {
        return thread::read(places, url, exchange, context).await;
    }
    let path = path(octets)?;
    if let Some(moved) = bound::out_of(request, &path, &url, context.limits.silence).await? {
        exchange.moved(moved).await?;
        return Ok(End::default());
    }
    let tried = path.display().to_string();
    let outcome = match examine(path.clone(), context.limits.silence).await {
        Ok(Found::Mailbox) if request.media.is_none() => mailbox::folder(&path, url, exchange, context).await,
        Ok(Found::Folder | Found::Mailbox) => folder::list(&path, url, request.media.clone(), exchange, context).await,
        Ok(Found::File(file)) if let Some(at) = named::message(&url) => {
            mailbox::single(file, at, &path, url, request.media.clone(), exchange, context).await
        }
        Ok(Found::File(file)) => read(file, &path, url, request.media.clone(), exchange, context).await,
        Ok(Found::Other(what)) => {
            let detail = format!("{} is {what}, not a file: reading it could take for ever.", path.display());
            Err(FetchError::new(Kind::NoFile, detail))
        }
        Err(error) => match (failure(&path, &error), nearest(path, context.limits.silence).await) {
            (failure, Some(folder)) if failure.kind == Kind::NotFound => {
                Err(failure.hint(format!("The nearest folder that exists is {}", folder.display())))
            }
            (failure, _) => Err(failure),
        },
    };
    outcome.map_err(|error| if error.tried.is_empty() { error.tried(tried) } else { error })
}

/// Octets of a path as a path of this system.
#[cfg(unix)]
pub(super) fn path(octets: Vec<u8>) -> Result<PathBuf, FetchError> {
    use std::os::unix::ffi::OsStringExt;
    Ok(PathBuf::from(std::ffi::OsString::from_vec(octets)))
}

#[cfg(not(unix))]
pub(super) fn path(octets: Vec<u8>) -> Result<PathBuf, FetchError> {
    String::from_utf8(octets)
        .map(PathBuf::from)
        .map_err(|_| FetchError::new(Kind::NotFound, "This system's file names are Unicode, and this one is not."))
}

/// What a path leads to.
enum Found {
    File(File),
    Folder,
    /// A folder of messages.
    Mailbox,
    /// In words.
    Other(&'static str),
}

async fn examine(path: PathBuf, patience: Duration) -> Result<Found, Error> {
    on_disk(patience, move || {
        let facts = std::fs::metadata(&path)?;
        if facts.is_dir() {
            return Ok(if mailbox::is_maildir(&path) { Found::Mailbox } else { Found::Folder });
        }
        // Before opening: to open a pipe waits for its other end.
        if !facts.is_file() {
            return Ok(Found::Other(special(&facts)));
        }
        File::open(&path).map(Found::File)
    })
    .await
}

#[cfg(unix)]
fn special(facts: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = facts.file_type();
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: &Metadata) -> &'static str {
    "something special"
}

/// Runs a piece of disk work where it may block, and gives it up after a while: a file system may be a dead server's.
async fn on_disk<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    match timeout(patience, tokio::task::spawn_blocking(work)).await {
        Ok(done) => done.unwrap_or_else(|error| Err(Error::other(error))),
        Err(_) => Err(ErrorKind::TimedOut.into()),
    }
}

/// The nearest folder above a path that is there.
async fn nearest(path: PathBuf, patience: Duration) -> Option<PathBuf> {
    let find = move || Ok(path.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_path_buf));
    on_disk(patience, find).await.ok().flatten()
}

fn failure(path: &Path, error: &Error) -> FetchError {
    let name = path.display();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            FetchError::new(Kind::NotFound, format!("There is no {name}."))
        }
        ErrorKind::TimedOut => FetchError::new(Kind::TimedOut, format!("Nothing came from {name} for too long."))
            .hint("If it is on a file system of another machine, that machine may be down."),
        ErrorKind::PermissionDenied => FetchError::new(Kind::Denied, format!("You may not read {name}.")),
        _ => FetchError::new(Kind::Broken, format!("{name} cannot be read ({}).", net::words(error))),
    }
}

async fn read(
    file: File,
    path: &Path,
    url: Url,
    wanted: Option<String>,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let facts = file.metadata().ok();
    let patience = context.limits.silence;
    let (mut file, mut chunk) = piece(file, FIRST, patience).await.map_err(|error| failure(path, &error))?;
    let sniffed = &chunk[..chunk.len().min(SNIFF)];
    if wanted.is_none() && mbox::is_mbox(sniffed) {
        return mailbox::list(file, chunk, path, url, exchange, context).await;
    }
    let own = path.to_owned();
    let is_message = on_disk(patience, move || Ok(mailbox::is_in_maildir(&own))).await.unwrap_or(false);
    let wanted = wanted.or_else(|| is_message.then(|| media::MESSAGE.into()));
    let media = wanted.unwrap_or_else(|| guess::of_file(name.as_deref().unwrap_or_default(), sniffed));
    // The kernel's own files (/proc) say 0 and hold more.
    let length = facts.as_ref().map(Metadata::len).filter(|length| *length >= chunk.len() as u64);
    let lines = vec![path.display().to_string()];
    let head = Head { length, filename: name, lines, ..Head::new(url, media) };
    let mut relay = Relay::new(exchange, &head.media, &context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let mut size = FIRST;
    while !chunk.is_empty() {
        if relay.pass(chunk).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
        size = (size * 2).min(LARGEST);
        (file, chunk) = match piece(file, size, patience).await {
            Ok(next) => next,
            Err(error) => return Ok(End { cut: Some(format!("reading stopped here ({})", net::words(&error))) }),
        };
    }
    Ok(End::default())
}

/// The next octets of a file, none at its end.
async fn piece(mut file: File, size: usize, patience: Duration) -> Result<(File, Vec<u8>), Error> {
    on_disk(patience, move || {
        let mut octets = vec![0; size];
        let count = loop {
            match file.read(&mut octets) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        octets.truncate(count);
        Ok((file, octets))
    })
    .await
}

//! A folder as lines of RFC 3659's MLSD, folders first, names in natural order, names as the octets they are.
//!
//! Names are read and sorted first, facts are asked for as the lines go out: a folder of 100,000 entries begins at once.

use super::{Error, Exchange, FetchError, Path, PathBuf, Url, failure, on_disk};
use crate::format::media;
use crate::proto::relay::{Relay, Room};
use crate::proto::{Context, End, Head, Verdict};
use jiff::Timestamp;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;

/// Entries in the first piece of the listing: some screens.
const FIRST: usize = 256;
/// Entries in the largest piece.
const LARGEST: usize = 4096;

/// A name, and what is known of it without asking for facts.
struct Entry {
    is_folder: bool,
    key: Vec<u8>,
    name: OsString,
}

pub(super) async fn list(
    path: &Path,
    url: Url,
    wanted: Option<String>,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let patience = context.limits.silence;
    let folder = path.to_owned();
    let mut entries = on_disk(patience, move || entries(&folder)).await.map_err(|error| failure(path, &error))?;
    // A line break ends the line of a listing, so such a name has no place in it.
    let all = entries.len();
    entries.retain(|entry| !entry.name.as_encoded_bytes().contains(&b'\n'));
    let hidden = all - entries.len();
    let head = Head {
        title: Some(path.display().to_string()),
        lines: vec![format!("{}, {all} entries", path.display())],
        ..Head::new(with_slash(&url), wanted.unwrap_or_else(|| media::DIRECTORY.into()))
    };
    let mut relay = Relay::new(exchange, &head.media, &context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let mut size = FIRST;
    while !entries.is_empty() {
        let rest = entries.split_off(entries.len().min(size));
        let (folder, some) = (path.to_owned(), entries);
        let lines = on_disk(patience, move || Ok(lines(folder, &some))).await.map_err(|error| failure(path, &error))?;
        if relay.pass(lines).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
        entries = rest;
        size = (size * 2).min(LARGEST);
    }
    let cut = match hidden {
        0 => None,
        1 => Some("one name that holds a line break is left out".into()),
        _ => Some(format!("{hidden} names that hold a line break are left out")),
    };
    Ok(End { cut })
}

/// The URL that relative links resolve against: with a slash at its end.
fn with_slash(url: &Url) -> Url {
    if url.path().ends_with('/') {
        return url.clone();
    }
    let parts = url.parts();
    let authority = parts.authority.map(|a| format!("//{a}")).unwrap_or_default();
    Url::parse(format!("{}:{authority}{}/", url.scheme(), parts.path)).unwrap_or_else(|_| url.clone())
}

fn entries(folder: &Path) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        // An entry that went away meanwhile is none.
        let Ok(entry) = entry else { continue };
        let kind = entry.file_type().ok();
        let is_folder = match kind {
            Some(kind) if kind.is_symlink() => fs::metadata(entry.path()).is_ok_and(|facts| facts.is_dir()),
            Some(kind) => kind.is_dir(),
            None => false,
        };
        let name = entry.file_name();
        entries.push(Entry { is_folder, key: natural(&name), name });
    }
    entries.sort_unstable_by(|a, b| {
        b.is_folder.cmp(&a.is_folder).then_with(|| a.key.cmp(&b.key)).then_with(|| a.name.cmp(&b.name))
    });
    Ok(entries)
}

/// A key whose plain order is the natural one: case does not count, and numbers in names go by their value.
fn natural(name: &OsStr) -> Vec<u8> {
    let lower = name.to_string_lossy().to_lowercase();
    let mut rest = lower.as_bytes();
    let mut key = Vec::with_capacity(rest.len() + 4);
    while let Some(&octet) = rest.first() {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            key.push(octet);
            rest = &rest[1..];
            continue;
        }
        let zeros = rest[..digits - 1].iter().take_while(|b| **b == b'0').count();
        // More digits, greater number: the count goes before them, and a zero keeps numbers where digits sort.
        key.push(b'0');
        key.push(u8::try_from(digits - zeros).unwrap_or(u8::MAX));
        key.extend_from_slice(&rest[zeros..digits]);
        rest = &rest[digits..];
    }
    key
}

fn lines(folder: PathBuf, entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::with_capacity(entries.len() * 80);
    for entry in entries {
        out.extend_from_slice(facts(&folder.join(&entry.name), entry.is_folder).as_slice());
        out.push(b' ');
        out.extend_from_slice(entry.name.as_encoded_bytes());
        out.extend_from_slice(b"\r\n");
    }
    out
}

/// The facts of an entry; an entry whose facts cannot be had keeps its name and its kind.
fn facts(path: &Path, is_folder: bool) -> Vec<u8> {
    let Ok(facts) = fs::symlink_metadata(path) else {
        return if is_folder { b"type=dir;".to_vec() } else { b"type=file;".to_vec() };
    };
    let kind = facts.file_type();
    let mut line = match () {
        () if kind.is_symlink() => link(path),
        () if kind.is_dir() => b"type=dir;".to_vec(),
        () if kind.is_file() => format!("type=file;size={};", facts.len()).into_bytes(),
        () => format!("type=OS.unix={};", special(&facts)).into_bytes(),
    };
    let mut more = String::new();
    if let Some(time) = facts.modified().ok().and_then(|time| Timestamp::try_from(time).ok()) {
        // Writing to a string cannot fail.
        let _ = write!(more, "modify={};", time.strftime("%Y%m%d%H%M%S"));
    }
    mode(&facts, &mut more);
    line.extend_from_slice(more.as_bytes());
    line
}

/// A link with its target, unless that would break the line.
fn link(path: &Path) -> Vec<u8> {
    let target = fs::read_link(path).map(OsString::from).unwrap_or_default();
    let target = target.as_encoded_bytes();
    if target.is_empty() || target.iter().any(|b| matches!(b, b';' | b'\r' | b'\n')) {
        return b"type=OS.unix=symlink;".to_vec();
    }
    [b"type=OS.unix=slink:", target, b";"].concat()
}

#[cfg(unix)]
fn special(facts: &fs::Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = facts.file_type();
    match () {
        () if kind.is_fifo() => "fifo",
        () if kind.is_socket() => "socket",
        () if kind.is_block_device() => "blk",
        () => "chr",
    }
}

#[cfg(unix)]
fn mode(facts: &fs::Metadata, out: &mut String) {
    use std::os::unix::fs::MetadataExt;
    let _ =
        write!(out, "UNIX.mode={:04o};UNIX.owner={};UNIX.group={};", facts.mode() & 0o7777, facts.uid(), facts.gid());
}

#[cfg(not(unix))]
fn special(_: &fs::Metadata) -> &'static str {
    "other"
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata, _: &mut String) {}

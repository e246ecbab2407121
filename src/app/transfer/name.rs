//! Names of files: one component that hides nothing and leads nowhere (SEC-13).

use crate::doc::sanitise;
use crate::proto::Head;
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};
use std::borrow::Cow;

/// Octets of a suggested file name.
const LONGEST: usize = 120;

/// A name for a file: the server's, else the last of the path, else the host.
pub(in crate::app) fn name(url: &Url, head: Option<&Head>) -> String {
    let given = head.and_then(|head| head.filename.clone()).filter(|name| !name.is_empty());
    let path = String::from_utf8_lossy(&escape::decode(url.path())).into_owned();
    let last = path.split('\t').next().unwrap_or_default().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    // A selector without slash stands right behind the type character.
    let gopher = scheme::family(url) == Family::Gopher;
    let last = if gopher && url.path().matches('/').count() == 1 { last.get(1..).unwrap_or_default() } else { last };
    let name = safe(given.as_deref().unwrap_or(last));
    match name.is_empty() {
        false => name,
        true => Some(safe(url.host().unwrap_or_default())).filter(|host| !host.is_empty()).unwrap_or("page".into()),
    }
}

/// What of a name that somebody else gave may name a file here; nothing at all, perhaps.
pub(in crate::app) fn safe(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shows = |c: &char| !c.is_control() && matches!(sanitise(c.encode_utf8(&mut [0; 4])), Cow::Borrowed(_));
    let name: String = name.chars().filter(shows).map(|c| if c == ':' { '_' } else { c }).collect();
    let mut name = name.trim_start_matches(['.', '-', ' ', '~']).trim_end().to_owned();
    name.truncate(name.floor_char_boundary(LONGEST));
    if is_ours(&name) {
        name.push('_');
    }
    name
}

/// Whether it is like a name of an unfinished file or of the note beside it: what stands in those is believed.
fn is_ours(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let part = lower.strip_suffix(".toml").unwrap_or(&lower);
    part.rsplit_once(".part").is_some_and(|(_, number)| {
        number.is_empty() || number.strip_prefix('-').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// The next free-looking name: `a.txt` → `a-2.txt` → `a-3.txt`.
pub(in crate::app) fn another(path: &str) -> String {
    let (folder, file) = path.rsplit_once('/').map_or(("", path), |(folder, file)| (folder, file));
    let (stem, suffix) = match file.find('.') {
        Some(dot) if dot > 0 => file.split_at(dot),
        _ => (file, ""),
    };
    let (stem, number) = match stem.rsplit_once('-') {
        Some((before, n)) if n.parse::<u32>().is_ok_and(|n| n < 1000) => (before, n.parse().unwrap_or(1) + 1),
        _ => (stem, 2_u32),
    };
    let slash = if folder.is_empty() && !path.starts_with('/') { "" } else { "/" };
    format!("{folder}{slash}{stem}-{number}{suffix}")
}

//! Where the files of a recursive listing are: which URL the top of its tree stands for.
//!
//! A listing that names no directory first is of the one in which it lies; so is one that lists itself in its first block, and one
//! of this machine. Else what its first heading names is looked for in that directory; from the root (`/pub:`) it is the server's own
//! root that is meant where the listing lies above or below it, and a root that nobody here sees (`/home/ftp:`) where it does not.

use crate::archive::{Archive, Fault, Found, Top, Why};
use crate::url::scheme::{self, archive::beside};
use crate::url::{Url, escape};

/// The URL of the directory that the top of a tree is, with a slash at its end and no `;`.
pub(super) fn place(archive: &Archive, top: &Top, file: &Url) -> Result<String, Fault> {
    let says = "What this listing names has no addresses here: paths of its server are no paths of directories.";
    let own = beside(file).ok_or_else(|| Fault { why: Why::Foreign, says: says.into() })?;
    let folder = escape::decode(own.path());
    let folder = trimmed(&folder);
    let local = top.absolute && scheme::place(file).is("file");
    let path = match () {
        () if local || top.path.is_empty() && !top.absolute || lists_itself(archive, file) => None,
        () if top.absolute && (is_above(folder, &top.path) || is_above(&top.path, folder)) => Some(top.path.clone()),
        () if top.absolute || ends_in(folder, &top.path) => None,
        () => Some([folder, b"/", &top.path].concat()),
    };
    let bare = own.as_str().strip_suffix(own.path()).unwrap_or_default();
    let whole = match path {
        None => own.as_str().to_owned(),
        Some(path) => match escape::encode(trimmed(&path), escape::FTP_PATH) {
            path if path.is_empty() => format!("{bare}/"),
            path => format!("{bare}/{path}/"),
        },
    };
    Ok(whole.replace(';', "%3B"))
}

fn trimmed(path: &[u8]) -> &[u8] {
    let start = path.iter().position(|octet| *octet != b'/').unwrap_or(path.len());
    let end = path.iter().rposition(|octet| *octet != b'/').map_or(start, |at| at + 1);
    &path[start..end]
}

/// Whether the first block has the listing itself, by the name that it has now or that it had before it was compressed.
fn lists_itself(archive: &Archive, file: &Url) -> bool {
    let name = escape::decode(file.path().rsplit('/').next().unwrap_or_default());
    let stem = memchr::memrchr(b'.', &name).map(|dot| &name[..dot]);
    let listed = |name: &[u8]| matches!(archive.find(name), Ok(Found::Member(_)));
    !name.is_empty() && listed(&name) || stem.is_some_and(|stem| !stem.is_empty() && listed(stem))
}

/// Whether one path is that of a directory above another one, or the same.
fn is_above(above: &[u8], path: &[u8]) -> bool {
    above.is_empty() || path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// Whether a path ends in another one, whole names of it.
fn ends_in(path: &[u8], end: &[u8]) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
}

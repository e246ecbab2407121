//! Names of files that hold the sums of others, or a signature, by custom.

use super::Kind;

/// What a file is to another that stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Beside {
    /// A signature of the file.
    Signature,
    /// A signature of a list of sums.
    OfSums,
    /// Sums; which kind, where the name tells, and whether of this file alone.
    Sums(Option<Kind>, bool),
}

/// Names of lists, in small letters, for each kind; `.txt` may follow. What ends in `.asc` is a signature of the list, or
/// the list itself, signed in clear.
const LISTS: &[(&str, Option<Kind>)] = &[
    ("md5sums", Some(Kind::Md5)),
    ("md5sum", Some(Kind::Md5)),
    ("md5", Some(Kind::Md5)),
    ("sha1sums", Some(Kind::Sha1)),
    ("sha1sum", Some(Kind::Sha1)),
    ("sha1", Some(Kind::Sha1)),
    ("sha256sums", Some(Kind::Sha256)),
    ("sha256sum", Some(Kind::Sha256)),
    ("sha256", Some(Kind::Sha256)),
    ("sha384sums", Some(Kind::Sha384)),
    ("sha512sums", Some(Kind::Sha512)),
    ("sha512sum", Some(Kind::Sha512)),
    ("sha512", Some(Kind::Sha512)),
    ("checksums", None),
    ("checksum", None),
];
/// Endings behind the whole name of a file, in small letters.
const ENDINGS: &[(&str, Beside)] = &[
    (".md5", Beside::Sums(Some(Kind::Md5), true)),
    (".md5sum", Beside::Sums(Some(Kind::Md5), true)),
    (".sha1", Beside::Sums(Some(Kind::Sha1), true)),
    (".sha1sum", Beside::Sums(Some(Kind::Sha1), true)),
    (".sha256", Beside::Sums(Some(Kind::Sha256), true)),
    (".sha256sum", Beside::Sums(Some(Kind::Sha256), true)),
    (".sha384", Beside::Sums(Some(Kind::Sha384), true)),
    (".sha512", Beside::Sums(Some(Kind::Sha512), true)),
    (".sha512sum", Beside::Sums(Some(Kind::Sha512), true)),
    (".asc", Beside::Signature),
    (".sig", Beside::Signature),
    (".sign", Beside::Signature),
    (".gpg", Beside::Signature),
];
/// The ending of what may be a signature, or what it signs and the signature behind that.
const IN_CLEAR: &str = ".asc";

/// What the file `name` is to the file `of` in the same directory; `None` when nothing is known of it.
pub fn beside(name: &[u8], of: &[u8]) -> Option<Beside> {
    if of.is_empty() || name == of {
        return None;
    }
    let ending = name.strip_prefix(of).unwrap_or_default();
    if let Some((_, beside)) = ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known.as_bytes())) {
        return Some(*beside);
    }
    list(name)
}

/// The name of the file that a file called so signs.
pub fn signature_of(name: &[u8]) -> Option<&[u8]> {
    signs(name).map(|(of, _)| of)
}

/// Whether a signature that is called so may have in it what it signs, in clear.
pub fn may_be_in_clear(name: &[u8]) -> bool {
    without(name, IN_CLEAR).is_some()
}

/// What a file called so signs, and the place of its ending among all: the first is the best.
pub(super) fn signs(name: &[u8]) -> Option<(&[u8], usize)> {
    let mut endings = ENDINGS.iter().enumerate().filter(|(_, (_, beside))| *beside == Beside::Signature);
    endings.find_map(|(at, (ending, _))| Some((without(name, ending)?, at)))
}

/// A name without this ending, whatever the letters' case, if anything is left.
fn without<'a>(name: &'a [u8], ending: &str) -> Option<&'a [u8]> {
    let at = name.len().checked_sub(ending.len()).filter(|at| *at > 0)?;
    name[at..].eq_ignore_ascii_case(ending.as_bytes()).then(|| &name[..at])
}

/// What a file is to those that stand beside it, whatever their names are; with the name of the one that it is of alone.
pub fn of_others(name: &[u8]) -> Option<(Beside, Option<&[u8]>)> {
    let row = ENDINGS.iter().find_map(|(ending, beside)| Some((*beside, Some(without(name, ending)?))));
    list(name).map(|beside| (beside, None)).or(row)
}

/// The list of sums that has this name, or the signature of one.
fn list(name: &[u8]) -> Option<Beside> {
    let signed = signature_of(name);
    // what has a longer name is no list by custom
    let short = std::str::from_utf8(signed.unwrap_or(name)).ok().filter(|_| name.len() <= 255);
    let list = short?.to_ascii_lowercase();
    let plain = list.strip_suffix(".txt").unwrap_or(&list);
    let row = LISTS.iter().find(|(known, _)| *known == plain);
    // Fedora-Server-43-1.6-x86_64-CHECKSUM, CHECKSUM.SHA256-FreeBSD-14.3-RELEASE-amd64
    let of_release = || plain.ends_with("-checksum").then_some(None);
    let of_kind = || {
        let kind = plain.strip_prefix("checksum.")?.split('-').next()?;
        Kind::named(kind.as_bytes()).map(Some)
    };
    let kind = row.map(|row| row.1).or_else(of_release).or_else(of_kind)?;
    Some(if signed.is_some() { Beside::OfSums } else { Beside::Sums(kind, false) })
}

impl Beside {
    /// How much it is worth: whoever has the choice takes the most.
    pub fn worth(self) -> (Option<Kind>, bool) {
        match self {
            Beside::Signature | Beside::OfSums => (None, false),
            // What may hold any kind mostly holds SHA-256.
            Beside::Sums(kind, own) => (kind.or(Some(Kind::Sha256)), own),
        }
    }
}

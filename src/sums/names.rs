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

/// What a file is to those that stand beside it, whatever their names are; with the name of the one that it is of alone.
pub fn of_others(name: &[u8]) -> Option<(Beside, Option<&[u8]>)> {
    let ends = |ending: &[u8]| {
        let at = name.len().checked_sub(ending.len()).filter(|at| *at > 0)?;
        name[at..].eq_ignore_ascii_case(ending).then(|| &name[..at])
    };
    let row = ENDINGS.iter().find_map(|(ending, beside)| Some((*beside, Some(ends(ending.as_bytes())?))));
    list(name).map(|beside| (beside, None)).or(row)
}

/// The list of sums that has this name, or the signature of one.
fn list(name: &[u8]) -> Option<Beside> {
    // what has a longer name is no list by custom
    let lower = std::str::from_utf8(name).ok().filter(|name| name.len() <= 255)?.to_ascii_lowercase();
    let signs = |(ending, beside): &&(&str, Beside)| *beside == Beside::Signature && lower.ends_with(ending);
    let signature = ENDINGS.iter().find(signs).map(|(ending, _)| *ending);
    let list = &lower[..lower.len() - signature.map_or(0, str::len)];
    let plain = list.strip_suffix(".txt").unwrap_or(list);
    let row = LISTS.iter().find(|(known, _)| *known == plain);
    // Fedora-Server-43-1.6-x86_64-CHECKSUM, CHECKSUM.SHA256-FreeBSD-14.3-RELEASE-amd64
    let of_release = || plain.ends_with("-checksum").then_some(None);
    let of_kind = || {
        let kind = plain.strip_prefix("checksum.")?.split('-').next()?;
        Kind::named(kind.as_bytes()).map(Some)
    };
    let kind = row.map(|row| row.1).or_else(of_release).or_else(of_kind)?;
    Some(if signature.is_some() { Beside::OfSums } else { Beside::Sums(kind, false) })
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

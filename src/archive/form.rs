//! Which archive something is: by the media type, the name, and for certain by its first octets.

use super::unpacking::some;
use super::{Fault, Source, ar, catalogue, tar, warc, zim};
use crate::format::listing::begins;
use crate::stop::Stop;
use crate::unpack::Packing;

/// Media types of zips.
const BOOK: &str = "application/epub+zip";
const ZIPS: &[&str] =
    &["application/zip", "application/x-zip", "application/x-zip-compressed", "application/java-archive", BOOK];
/// Media types of other archives.
const TYPES: &[&str] = &[
    "application/warc",
    "application/x-zim",
    "application/x-openzim",
    "application/openzim",
    "application/x-tar",
    "application/tar",
    "application/x-gtar",
    "application/x-ustar",
    "application/x-tgz",
    "application/x-gtar-compressed",
    "application/x-compressed-tar",
    "application/x-bzip-compressed-tar",
    "application/x-xz-compressed-tar",
    "application/x-zstd-compressed-tar",
    "application/x-iso9660-image",
    "application/x-cd-image",
    "application/vnd.debian.binary-package",
    "application/x-debian-package",
    "application/x-deb",
];
/// Media types that say too little: the name says the rest.
const VAGUE: &[&str] = &[
    "application/octet-stream",
    "application/x-binary",
    "binary/octet-stream",
    "application/gzip",
    "application/x-gzip",
    "application/x-compress",
    "application/x-compressed",
    "application/x-bzip",
    "application/x-bzip2",
    "application/x-xz",
    "application/zstd",
    "application/x-zstd",
];
/// Endings of archives' names.
const ENDINGS: &[&str] = &[
    ".zip", ".jar", ".epub", ".tar", ".tgz", ".taz", ".tbz", ".tbz2", ".txz", ".tzst", ".tar.gz", ".tar.z", ".tar.bz2",
    ".tar.xz", ".tar.zst", ".iso", ".deb", ".udeb", ".ipk", ".warc", ".warc.gz", ".zim",
];

/// Whether a media type, or where that says too little a file's name, is that of an archive.
pub fn is_named(media: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ZIPS.contains(&media)
        || TYPES.contains(&media)
        || VAGUE.contains(&media) && ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The same of a zip, whose table stands at its end and says all that there is to know of it. Of a book it does not: where that
/// begins stands inside.
pub fn is_zip(media: &str, name: &str) -> bool {
    const ENDINGS: [&str; 2] = [".zip", ".jar"];
    let name = name.to_ascii_lowercase();
    let is_named = ENDINGS.iter().any(|ending| name.ends_with(ending));
    !name.ends_with(".epub") && (media != BOOK && ZIPS.contains(&media) || VAGUE.contains(&media) && is_named)
}

/// A name without the ending that says which archive it is: `x` of `x.tar.gz`.
pub fn stem(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    let ending = ENDINGS.iter().filter(|ending| lower.ends_with(**ending)).map(|ending| ending.len()).max();
    Some(&name[..name.len() - ending.unwrap_or(0)]).filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// How an archive is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// tar (POSIX.1-2017, pax; GNU), compressed as a whole or not.
    Tar(Option<Packing>),
    /// zip (APPNOTE 6.3).
    Zip,
    /// The file system of a disc: ISO 9660 with the names of Rock Ridge or Joliet.
    Disc,
    /// ar, of which Debian's packages are made.
    Ar,
    /// WARC, each record compressed by gzip or none.
    Warc {
        /// Whether they are.
        packed: bool,
    },
    /// ZIM.
    Zim,
    /// A recursive listing, compressed or not.
    Catalogue(Option<Packing>),
}

impl Form {
    /// Its name: `tar, compressed by gzip`.
    pub fn name(self) -> String {
        match self {
            Form::Tar(None) => "tar".into(),
            Form::Tar(Some(packing)) => format!("tar, compressed by {}", packing.name()),
            Form::Zip => "zip".into(),
            Form::Disc => "ISO 9660".into(),
            Form::Ar => "ar".into(),
            Form::Warc { packed: false } => "WARC".into(),
            Form::Warc { packed: true } => "WARC, compressed by gzip".into(),
            Form::Zim => "ZIM".into(),
            Form::Catalogue(None) => "recursive listing".into(),
            Form::Catalogue(Some(packing)) => format!("recursive listing, compressed by {}", packing.name()),
        }
    }

    /// What the octets say of the form.
    pub(super) fn of(source: &mut dyn Source, stop: &Stop) -> Result<Form, Fault> {
        /// Where the first descriptor of a disc is, and its mark.
        const DISC: (u64, &[u8]) = (16 * 2048 + 1, b"CD001");
        let start = some(source, 0, 512)?;
        if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
            return Ok(Form::Zip);
        }
        if start.starts_with(ar::MAGIC) {
            return Ok(Form::Ar);
        }
        if start.starts_with(zim::MAGIC) {
            return Ok(Form::Zim);
        }
        if start.starts_with(warc::MAGIC) {
            return Ok(Form::Warc { packed: false });
        }
        if let Some(packing) = Packing::of(&start) {
            let inside = catalogue::beginning(source, packing, stop)?;
            if packing == Packing::Gzip && inside.starts_with(warc::MAGIC) {
                return Ok(Form::Warc { packed: true });
            }
            let tar = tar::begins(&inside) || !begins(&inside);
            return Ok(if tar { Form::Tar(Some(packing)) } else { Form::Catalogue(Some(packing)) });
        }
        if tar::begins(&start) {
            return Ok(Form::Tar(None));
        }
        if some(source, DISC.0, DISC.1.len())? == DISC.1 {
            return Ok(Form::Disc);
        }
        if catalogue::begins(source)? {
            return Ok(Form::Catalogue(None));
        }
        Err(Fault::broken(
            "This is no archive that is known here (tar, zip, ISO 9660, ar, WARC, ZIM), and no listing as ls -lR or find makes it.",
        ))
    }
}

//! A member of an archive: what is said of it, and where its octets are.

use super::{Said, sparse, warc, zim, zip};

/// What a member is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A link to a place told from the folder it stands in.
    Link(Vec<u8>),
    /// Another name of the member with this path.
    Same(Vec<u8>),
    /// A device, a pipe: nothing that could be read.
    Other,
}

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its path from the archive's root: names between slashes, none of them `.` or `..`, in octets.
    pub path: Vec<u8>,
    /// What it is.
    pub kind: Kind,
    /// Its octets, as the archive says; reading tells. The largest number where nobody says it.
    pub size: u64,
    /// The last change in seconds since 1970, where the archive says it.
    pub modified: Option<Modified>,
    /// The twelve bits of its mode, where the archive has such.
    pub mode: Option<u16>,
    /// What else the archive says of it.
    pub said: Option<Box<Said>>,
    pub(super) place: Place,
    /// Its name is in the code page of whoever made it.
    pub(super) foreign: bool,
}

impl Member {
    pub(super) fn new(kind: Kind, place: Place) -> Member {
        Member { path: Vec::new(), kind, size: 0, modified: None, mode: None, said: None, place, foreign: false }
    }
}

/// When a member was changed last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modified {
    /// Seconds since 1970.
    pub seconds: i64,
    /// By the clock of whoever made the archive, whose zone nobody knows.
    pub local: bool,
}

/// Where the octets of a member are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Nowhere, for a reason.
    Nowhere(&'static str),
    /// From here on, of the archive when it is unpacked.
    At(u64),
    /// The same, with holes between.
    Sparse(u64, Box<sparse::Map>),
    /// In a zip.
    Zip(zip::Packed),
    /// In a record of the web.
    Record(warc::Piece),
    /// In a cluster of a ZIM.
    Blob(zim::Blob),
    /// On the server that a listing is of.
    Elsewhere,
}

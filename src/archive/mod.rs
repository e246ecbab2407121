//! Archives as directories: tar (also compressed), zip, ISO 9660, and ar with Debian's packages; spaces in a file: books (EPUB),
//! encyclopaedias (ZIM), what was kept of the web (WARC); and recursive listings, of which the files are elsewhere. One file per form
//! reads what is in an archive; this one owns what they have in common: names, links,
//! lists, limits.
//!
//! An archive is hostile until it is read: a name or a link that leads out of it is left out, sizes are believed of nobody, what is
//! unpacked is counted against what it was packed in, and members that share octets are not given out.
//!
//! Refuses: to write anything, passwords, and to change an archive.

mod ar;
mod catalogue;
mod cd;
mod epub;
mod http;
mod listing;
mod members;
mod name;
mod onward;
mod record;
mod sparse;
mod start;
mod tar;
mod unpacking;
mod warc;
mod zim;
mod zip;

pub use catalogue::{Top, is_catalogue};
pub use record::{Record, write as write_record};
pub use start::{Begins, Said};
pub use unpacking::{Near, Unpacking};
pub use zim::Zim;

use crate::format::listing::begins;
use crate::stop::Stop;
use crate::unpack::Packing;
use jiff::civil::DateTime;
use members::Members;
use name::Steps;
use onward::Halts;
use sparse::Filled;
use start::Start;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use unpacking::Exactly;

/// Members of an archive that are listed at most.
pub const MOST_MEMBERS: usize = 500_000;
/// Links that are followed on the way to one member.
const MOST_LINKS: usize = 16;
/// Octets of the paths that are looked for on the way to one member, and to all that the links of one folder lead to: each step
/// looks for a longer one.
const MOST_STEPS: usize = 64 << 20;

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

/// Where the table of a zip begins, of which at least the end is there.
///
/// # Errors
/// There is none.
pub fn table_of_zip(source: &mut dyn Source) -> Result<u64, Fault> {
    zip::table(source)
}

/// A name without the ending that says which archive it is: `x` of `x.tar.gz`.
pub fn stem(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    let ending = ENDINGS.iter().filter(|ending| lower.ends_with(**ending)).map(|ending| ending.len()).max();
    Some(&name[..name.len() - ending.unwrap_or(0)]).filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// What an archive is read from: a file, or octets that are held.
pub trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

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
}

/// Why something of an archive is not given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is not in the archive.
    Missing,
    /// The octets are not what they should be.
    Broken,
    /// It is made in a way that nobody here reads: encrypted, or another compression.
    Foreign,
    /// It would lead out of the archive, or is made to do harm.
    Unsafe,
    /// It is more than may be.
    TooLarge,
    /// Nobody wants it any more.
    Stopped,
}

/// The same with a sentence for the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Of which kind it is.
    pub why: Why,
    /// The sentence; names in it are not yet safe for a screen.
    pub says: String,
}

impl Fault {
    fn new(why: Why, says: impl Into<String>) -> Fault {
        Fault { why, says: says.into() }
    }

    fn broken(says: impl Into<String>) -> Fault {
        Fault::new(Why::Broken, says)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.says)
    }
}

impl std::error::Error for Fault {}

/// A fault that came through a reader is itself again.
impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Fault::broken("The archive ends too early."),
            kind => match error.downcast::<Fault>() {
                Ok(fault) => fault,
                Err(_) => Fault::broken(format!("The archive cannot be read ({kind}).")),
            },
        }
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, fault)
    }
}

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
    /// What else the archive says of it.
    pub said: Option<Box<Said>>,
    place: Place,
    /// Its name is in the code page of whoever made it.
    foreign: bool,
}

impl Member {
    fn new(kind: Kind, place: Place) -> Member {
        Member { path: Vec::new(), kind, size: 0, modified: None, said: None, place, foreign: false }
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
enum Place {
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

/// What is in an archive.
#[derive(Debug)]
pub struct Archive {
    form: Form,
    /// In the order of their paths, each path once.
    members: Vec<Member>,
    notes: Vec<String>,
    halts: Halts,
    /// Of a recursive listing, which directory its top is.
    top: Option<Top>,
    /// Of a ZIM, how its entries are looked up: none of them is among the members.
    zim: Option<Zim>,
    start: Start,
}

/// What a path in an archive leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<'a> {
    /// A folder, by its path.
    Folder(Vec<u8>),
    /// A file.
    Member(&'a Member),
}

impl Archive {
    /// Reads what is in an archive. Which form it has its octets say. `now`, UTC, is the latest time at which it may have been made;
    /// years are inferred from it that a recursive listing leaves out.
    ///
    /// # Errors
    /// It is no archive, or cannot be read; what can be read of a broken one is listed with a note.
    pub fn read(source: &mut dyn Source, now: DateTime, stop: &Stop) -> Result<Archive, Fault> {
        let form = form(source, stop)?;
        let (mut found, mut top, mut zim) = (Members::default(), None, None);
        match form {
            Form::Tar(packing) => tar::read(source, packing, stop, &mut found)?,
            Form::Zip => zip::read(source, stop, &mut found)?,
            Form::Disc => cd::read(source, stop, &mut found)?,
            Form::Ar => ar::read(source, stop, &mut found)?,
            Form::Warc { packed } => warc::read(source, packed, stop, &mut found)?,
            Form::Zim => {
                let (tables, notes) = zim::read(source, stop)?;
                notes.into_iter().for_each(|note| found.note(note));
                zim = Some(tables);
            }
            Form::Catalogue(packing) => top = Some(catalogue::read(source, packing, now, stop, &mut found)?),
        }
        let mut archive = Archive { top, zim, ..found.archive(form) };
        if form == Form::Zip {
            match epub::read(&mut archive, source, stop) {
                Err(fault) if fault.why == Why::Stopped => return Err(fault),
                Err(fault) => archive.notes.push(format!("It cannot be opened as a book. {fault}")),
                Ok(()) => {}
            }
        }
        Ok(archive)
    }

    /// How what is in a ZIM is looked up.
    pub fn zim(&self) -> Option<&Zim> {
        self.zim.as_ref()
    }

    /// Reads what is in a zip, of which nothing is looked at but the table at its end, and where links lead.
    ///
    /// # Errors
    /// As [`Archive::read`].
    pub fn read_zip(source: &mut dyn Source, stop: &Stop) -> Result<Archive, Fault> {
        let mut found = Members::default();
        zip::read(source, stop, &mut found)?;
        Ok(found.archive(Form::Zip))
    }

    /// From where to where the octets stand that a member of a zip is made of, at most; `None` where it needs none.
    pub fn span(&self, member: &Member) -> Option<(u64, u64)> {
        match &member.place {
            Place::Zip(packed) => zip::span(packed),
            _ => None,
        }
    }

    /// Which directory the top of the tree is, where it is that of a recursive listing: nothing is in here but names, and what they
    /// name is to be looked for where the listing came from.
    pub fn top(&self) -> Option<&Top> {
        self.top.as_ref()
    }

    /// How it is made.
    pub fn form(&self) -> Form {
        self.form
    }

    /// All members, in the order of their paths.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// What the reader should know of it: what was left out, and why.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How much it holds, in octets.
    pub fn memory(&self) -> usize {
        let target = |kind: &Kind| match kind {
            Kind::Link(target) | Kind::Same(target) => target.len(),
            _ => 0,
        };
        let map = |place: &Place| if let Place::Sparse(_, map) = place { map.0.len() * 16 } else { 0 };
        let said = |member: &Member| member.said.as_ref().map_or(0, |said| said.memory());
        let each = |member: &Member| member.path.len() + target(&member.kind) + map(&member.place) + said(member);
        let names: usize = self.members.iter().map(each).sum();
        names + self.members.len() * size_of::<Member>() + self.zim.as_ref().map_or(0, Zim::memory)
    }

    /// Lets go what only whoever reads on in it wants.
    pub fn rest(&self) {
        self.halts.end();
    }

    /// Whether there is a member of just this path, wherever it leads.
    pub fn has(&self, path: &[u8]) -> bool {
        self.at(path).is_some()
    }

    fn at(&self, path: &[u8]) -> Option<&Member> {
        self.members.binary_search_by(|member| member.path.as_slice().cmp(path)).ok().map(|at| &self.members[at])
    }

    /// All that is below a folder, whose path ends without a slash.
    fn below(&self, folder: &[u8]) -> &[Member] {
        if folder.is_empty() {
            return &self.members;
        }
        let prefix = [folder, b"/"].concat();
        let start = self.members.partition_point(|member| member.path < prefix);
        let count = self.members[start..].partition_point(|member| member.path.starts_with(&prefix));
        &self.members[start..start + count]
    }

    /// What a path leads to, links followed within the archive.
    ///
    /// # Errors
    /// There is nothing; a link leads out of the archive, or in a circle.
    pub fn find(&self, path: &[u8]) -> Result<Found<'_>, Fault> {
        self.follow(path, &mut { MOST_STEPS })
    }

    /// The same with so many octets of paths to be gone through at most, which it counts.
    fn follow(&self, path: &[u8], left: &mut usize) -> Result<Found<'_>, Fault> {
        let name = || String::from_utf8_lossy(path).into_owned();
        let endless = || Fault::new(Why::Unsafe, format!("{} leads from link to link without end.", name()));
        let mut steps = Steps::new(path);
        let mut links = 0;
        while steps.next().map_err(|()| outside(&name()))? {
            *left = left.checked_sub(steps.here().len() + 64).ok_or_else(endless)?;
            let Some(member) = self.at(steps.here()) else { continue };
            let met = match &member.kind {
                // None is empty: this one was not read.
                Kind::Link(target) if target.is_empty() => {
                    return Err(Fault::new(
                        Why::Foreign,
                        format!("Where the link {} leads could not be read.", name()),
                    ));
                }
                Kind::Link(target) => steps.turn(target),
                Kind::Same(target) => steps.restart(target),
                _ => continue,
            };
            links += 1;
            if links > MOST_LINKS {
                return Err(endless());
            }
            met.map_err(|()| outside(&name()))?;
        }
        let here = steps.here();
        match self.at(here) {
            Some(Member { kind: Kind::Other, .. }) => {
                Err(Fault::new(Why::Foreign, format!("{} is a device: there is nothing to read.", name())))
            }
            Some(member) if member.kind == Kind::File => Ok(Found::Member(member)),
            Some(_) => Ok(Found::Folder(here.to_vec())),
            None if here.is_empty() || !self.below(here).is_empty() => Ok(Found::Folder(here.to_vec())),
            None => Err(Fault::new(Why::Missing, format!("There is no {} in this archive.", name()))),
        }
    }

    /// The octets of a member. They end with an error where they are not what the archive says of them.
    ///
    /// # Errors
    /// The member is encrypted, made in a way that is not known here, or made to do harm.
    pub fn open(&self, member: &Member, source: Box<dyn Source>, stop: &Stop) -> Result<Box<dyn Read + Send>, Fault> {
        match &member.place {
            Place::Elsewhere => {
                Err(Fault::new(Why::Foreign, "This is a listing: what it names is where it came from."))
            }
            Place::Nowhere(why) => Err(Fault::new(Why::Foreign, *why)),
            Place::Zip(packed) => zip::open(packed, member.size, source, stop),
            Place::Record(piece) => warc::open(piece, source, stop),
            Place::Blob(blob) => zim::open(blob, member.size, source, stop),
            Place::At(start) => Ok(Box::new(Exactly::new(self.from(*start, source, stop)?, member.size))),
            Place::Sparse(start, map) => {
                let kept = map.0.iter().map(|(_, count)| count).sum();
                let kept = Exactly::new(self.from(*start, source, stop)?, kept);
                Ok(Box::new(Filled::new(kept, sparse::Map::clone(map), member.size)))
            }
        }
    }

    /// The octets of a member of a zip, while it is being read.
    fn near<'a>(
        &self,
        member: &Member,
        source: &'a mut dyn Source,
        stop: &Stop,
    ) -> Result<Box<dyn Read + Send + 'a>, Fault> {
        match &member.place {
            Place::Zip(packed) => zip::reader(packed, member.size, source, stop),
            _ => Err(Fault::broken("This is no member of a zip.")),
        }
    }

    /// The octets from a place on.
    fn from(&self, start: u64, mut source: Box<dyn Source>, stop: &Stop) -> Result<Box<dyn Read + Send>, Fault> {
        if let Form::Tar(Some(packing)) = self.form {
            return Ok(Box::new(self.halts.from(start, source, packing, stop)?));
        }
        source.seek(SeekFrom::Start(start))?;
        Ok(Box::new(source))
    }

    /// The charset of its names, where it is that of DOS and nothing says another one.
    pub fn charset(&self) -> Option<&'static str> {
        let mut odd = self.members.iter().filter(|member| !member.path.is_ascii()).map(|member| member.foreign);
        (odd.next() == Some(true) && odd.all(|foreign| foreign)).then_some("cp437")
    }

    /// The same archive with names of DOS in characters, where others beside them are: one list has one charset.
    #[must_use]
    pub fn in_one_charset(mut self, decode: impl Fn(&[u8]) -> String) -> Archive {
        if self.charset().is_none() && self.members.iter().any(|member| member.foreign) {
            for member in self.members.iter_mut().filter(|member| member.foreign) {
                member.path = decode(&member.path).into_bytes();
                member.foreign = false;
            }
            self.members.sort_by(|a, b| a.path.cmp(&b.path));
            self.members.dedup_by(|a, b| a.path == b.path);
        }
        self
    }
}

fn outside(name: &str) -> Fault {
    Fault::new(Why::Unsafe, format!("{name} leads out of the archive; that is not followed."))
}

/// What the octets say of the form.
fn form(source: &mut dyn Source, stop: &Stop) -> Result<Form, Fault> {
    /// Where the first descriptor of a disc is, and its mark.
    const DISC: (u64, &[u8]) = (16 * 2048 + 1, b"CD001");
    let start = unpacking::some(source, 0, 512)?;
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
    if unpacking::some(source, DISC.0, DISC.1.len())? == DISC.1 {
        return Ok(Form::Disc);
    }
    if catalogue::begins(source)? {
        return Ok(Form::Catalogue(None));
    }
    Err(Fault::broken(
        "This is no archive that is known here (tar, zip, ISO 9660, ar, WARC, ZIM), and no listing as ls -lR makes it.",
    ))
}

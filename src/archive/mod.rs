//! Archives as directories: tar (also compressed), zip, ISO 9660, and ar with Debian's packages; and recursive listings, of which
//! the files are elsewhere. One file per form reads what is in an archive; this one owns what they have in common: names, links,
//! lists, limits.
//!
//! An archive is hostile until it is read: a name or a link that leads out of it is left out, sizes are believed of nobody, what is
//! unpacked is counted against what it was packed in, and members that share octets are not given out.
//!
//! Refuses: to write anything, passwords, and to change an archive.

mod ar;
mod catalogue;
mod cd;
mod name;
mod tar;
mod unpacking;
mod zip;

pub use catalogue::{Top, is_catalogue};
pub use unpacking::Unpacking;

use crate::format::listing;
use crate::stop::Stop;
use crate::unpack::Packing;
use jiff::civil::DateTime;
use name::Steps;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// Members of an archive that are listed at most.
pub const MOST_MEMBERS: usize = 500_000;
/// Octets of all their names together, targets of links among them.
const MOST_NAMES: usize = 128 << 20;
/// Links that are followed on the way to one member.
const MOST_LINKS: usize = 16;

/// Media types of archives.
const TYPES: &[&str] = &[
    "application/zip",
    "application/x-zip",
    "application/x-zip-compressed",
    "application/java-archive",
    "application/epub+zip",
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
    ".tar.xz", ".tar.zst", ".iso", ".deb", ".udeb", ".ipk",
];

/// Whether a media type, or where that says too little a file's name, is that of an archive.
pub fn is_named(media: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TYPES.contains(&media) || VAGUE.contains(&media) && ENDINGS.iter().any(|ending| name.ends_with(ending))
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
    place: Place,
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
    /// In a zip.
    Zip(zip::Packed),
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
    /// Of a recursive listing, which directory its top is.
    top: Option<Top>,
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
        let (mut found, mut top) = (Members::default(), None);
        match form {
            Form::Tar(packing) => tar::read(source, packing, stop, &mut found)?,
            Form::Zip => zip::read(source, stop, &mut found)?,
            Form::Disc => cd::read(source, stop, &mut found)?,
            Form::Ar => ar::read(source, stop, &mut found)?,
            Form::Catalogue(packing) => top = Some(catalogue::read(source, packing, now, stop, &mut found)?),
        }
        Ok(Archive { top, ..found.archive(form) })
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
        let names: usize = self.members.iter().map(|member| member.path.len() + target(&member.kind)).sum();
        names + self.members.len() * size_of::<Member>()
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
        let name = || String::from_utf8_lossy(path).into_owned();
        let mut steps = Steps::new(path);
        let mut links = 0;
        while steps.next().map_err(|()| outside(&name()))? {
            let Some(member) = self.at(steps.here()) else { continue };
            let met = match &member.kind {
                Kind::Link(target) => steps.turn(target),
                Kind::Same(target) => steps.restart(target),
                _ => continue,
            };
            links += 1;
            if links > MOST_LINKS {
                return Err(Fault::new(Why::Unsafe, format!("{} leads from link to link without end.", name())));
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

    /// All that is below a folder, folders left out, as lines of MLSD with paths for names; only those with all the words in their
    /// paths, whatever the case of their letters (ASCII).
    pub fn tree(&self, folder: &[u8], words: &[Vec<u8>]) -> Vec<u8> {
        let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let mut out = Vec::new();
        for member in self.below(folder).iter().filter(|member| member.kind != Kind::Folder) {
            let path = member.path.get(skip..).unwrap_or_default();
            let lower = if words.is_empty() { Vec::new() } else { path.to_ascii_lowercase() };
            if words.iter().all(|word| memchr::memmem::find(&lower, word).is_some()) {
                line(path, Some(member), self.is_inside(member), &mut out);
            }
        }
        out
    }

    /// Whether a link of a recursive listing leads to a folder of it, by no other link: each is looked at once for every list.
    fn is_inside(&self, member: &Member) -> bool {
        let Kind::Link(target) = &member.kind else { return false };
        let mut steps = Steps::new(&member.path);
        let mut end = || -> Result<(), ()> {
            while steps.next()? {}
            steps.turn(target)?;
            while steps.next()? {}
            Ok(())
        };
        if self.top.is_none() || end().is_err() {
            return false;
        }
        let here = steps.here();
        match self.at(here) {
            Some(member) => member.kind == Kind::Folder,
            None => here.is_empty() || !self.below(here).is_empty(),
        }
    }

    /// What is in a folder, as lines of MLSD (RFC 3659, 7): folders first, then by name.
    pub fn listing(&self, folder: &[u8]) -> Vec<u8> {
        let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let mut rows: Vec<(&[u8], Option<&Member>)> = Vec::new();
        for member in self.below(folder) {
            let rest = member.path.get(skip..).unwrap_or_default();
            let end = memchr::memchr(b'/', rest);
            let name = &rest[..end.unwrap_or(rest.len())];
            match end {
                // A folder that has no entry of its own, or whose entry came before.
                Some(_) if rows.last().is_some_and(|(last, _)| *last == name) => {}
                Some(_) => rows.push((name, None)),
                None => rows.push((name, Some(member))),
            }
        }
        // `a.txt` stands between `a` and `a/b`.
        rows.sort_by(|(a, one), (b, other)| a.cmp(b).then(one.is_none().cmp(&other.is_none())));
        rows.dedup_by(|(a, _), (b, _)| a == b);
        rows.sort_by_cached_key(|(name, member)| {
            let folder = member.is_none_or(|member| member.kind == Kind::Folder);
            (!folder, name.to_ascii_lowercase())
        });
        let mut out = Vec::with_capacity(rows.len() * 64);
        for (name, member) in rows {
            line(name, member, member.is_some_and(|member| self.is_inside(member)), &mut out);
        }
        out
    }

    /// The octets of a member. They end with an error where they are not what the archive says of them.
    ///
    /// # Errors
    /// The member is encrypted, made in a way that is not known here, or made to do harm.
    pub fn open(&self, member: &Member, source: Box<dyn Source>, stop: &Stop) -> Result<Box<dyn Read + Send>, Fault> {
        let mut source = source;
        match &member.place {
            Place::Elsewhere => {
                Err(Fault::new(Why::Foreign, "This is a listing: what it names is where it came from."))
            }
            Place::Nowhere(why) => Err(Fault::new(Why::Foreign, *why)),
            Place::Zip(packed) => zip::open(packed, member.size, source, stop),
            Place::At(start) => {
                let mut octets: Box<dyn Read + Send> = match self.form {
                    Form::Tar(Some(packing)) => {
                        source.rewind()?;
                        let mut octets = Unpacking::new(source, packing, stop.clone());
                        unpacking::skip(&mut octets, *start)?;
                        Box::new(octets)
                    }
                    _ => {
                        source.seek(SeekFrom::Start(*start))?;
                        Box::new(source)
                    }
                };
                octets = Box::new(unpacking::Exactly::new(octets, member.size));
                Ok(octets)
            }
        }
    }
}

fn outside(name: &str) -> Fault {
    Fault::new(Why::Unsafe, format!("{name} leads out of the archive; that is not followed."))
}

fn line(name: &[u8], member: Option<&Member>, inside: bool, out: &mut Vec<u8>) {
    let kind = member.map_or(&Kind::Folder, |member| &member.kind);
    match (kind, member) {
        (Kind::Folder, _) | (_, None) => out.extend(b"type=dir;"),
        (Kind::File, Some(Member { size: u64::MAX, .. })) => out.extend(b"type=file;"),
        (Kind::File, Some(member)) => out.extend(format!("type=file;size={};", member.size).bytes()),
        (Kind::Link(target) | Kind::Same(target), _) => {
            let told = !target.is_empty() && !target.iter().any(|b| matches!(b, b';' | b'\r' | b'\n'));
            match told {
                true => out.extend([b"type=OS.unix=slink:", target.as_slice(), b";"].concat()),
                false => out.extend(b"type=OS.unix=symlink;"),
            }
        }
        (Kind::Other, _) => out.extend(b"type=OS.unix=other;"),
    }
    if let Some(Modified { seconds, local }) = member.and_then(|member| member.modified)
        && let Ok(time) = jiff::Timestamp::from_second(seconds)
    {
        let fact = if local { "x.modify-local" } else { "modify" };
        out.extend(format!("{fact}={};", time.strftime("%Y%m%d%H%M%S")).bytes());
    }
    if inside {
        out.extend(b"x.inside=1;");
    }
    out.push(b' ');
    out.extend(name);
    out.push(b'\n');
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
    if let Some(packing) = Packing::of(&start) {
        let inside = catalogue::beginning(source, packing, stop)?;
        let tar = tar::begins(&inside) || !listing::begins(&inside);
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
        "This is no archive that is known here (tar, zip, ISO 9660, ar), and no listing as ls -lR makes it.",
    ))
}

/// What is read of an archive, in its own order.
#[derive(Default)]
struct Members {
    all: Vec<Member>,
    names: usize,
    /// How many names were left out because they lead out of the archive or could not be shown, and the first of them.
    unsafe_names: usize,
    first: Vec<u8>,
    full: bool,
    notes: Vec<String>,
}

impl Members {
    /// Takes a member whose name is as the archive has it.
    fn take(&mut self, raw: &[u8], mut member: Member) {
        let path = match name::clean(raw) {
            Some(path) => path,
            None => {
                self.unsafe_names += 1;
                if self.first.is_empty() {
                    self.first = raw[..raw.len().min(200)].to_vec();
                }
                return;
            }
        };
        // The root itself.
        if path.is_empty() || self.is_full() {
            return;
        }
        let target = match &member.kind {
            Kind::Link(target) | Kind::Same(target) => target.len(),
            _ => 0,
        };
        self.names += path.len() + target;
        member.path = path;
        self.all.push(member);
    }

    /// Whether no more is taken. What asks says so to the reader.
    fn is_full(&mut self) -> bool {
        self.full = self.all.len() >= MOST_MEMBERS || self.names >= MOST_NAMES;
        self.full
    }

    fn note(&mut self, words: impl Into<String>) {
        self.notes.push(words.into());
    }

    fn archive(mut self, form: Form) -> Archive {
        // What comes later under the same name is what counts.
        self.all.reverse();
        self.all.sort_by(|a, b| a.path.cmp(&b.path));
        self.all.dedup_by(|later, kept| later.path == kept.path);
        if self.unsafe_names > 0 {
            let (count, first) = (self.unsafe_names, String::from_utf8_lossy(&self.first).into_owned());
            let names = if count == 1 { "One name is".into() } else { format!("{count} names are") };
            self.notes.push(format!("{names} left out that would lead out of the archive: {first}"));
        }
        if self.full {
            self.notes.push(format!("Only the first {} members are listed.", self.all.len()));
        }
        Archive { form, members: self.all, notes: self.notes, top: None }
    }
}

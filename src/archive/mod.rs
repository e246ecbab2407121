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
mod fault;
mod form;
mod http;
mod listing;
mod member;
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
pub use fault::{Fault, Why};
pub use form::{Form, is_named, is_zip, stem};
pub use member::{Kind, Member, Modified};
pub use record::{Record, write as write_record};
pub use start::{Begins, Said};
pub use unpacking::{Near, Unpacking};
pub use zim::Zim;

use crate::stop::Stop;
use jiff::civil::DateTime;
use member::Place;
use members::Members;
use name::Steps;
use onward::Halts;
use sparse::Filled;
use start::Start;
use std::io::{Read, Seek, SeekFrom};
use unpacking::Exactly;

/// Members of an archive that are listed at most.
pub const MOST_MEMBERS: usize = 500_000;
/// Links that are followed on the way to one member.
const MOST_LINKS: usize = 16;
/// Octets of the paths that are looked for on the way to one member, and to all that the links of one folder lead to: each step
/// looks for a longer one.
const MOST_STEPS: usize = 64 << 20;

/// Where the table of a zip begins, of which at least the end is there.
///
/// # Errors
/// There is none.
pub fn table_of_zip(source: &mut dyn Source) -> Result<u64, Fault> {
    zip::table(source)
}

/// What an archive is read from: a file, or octets that are held.
pub trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

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
        let form = Form::of(source, stop)?;
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
        if archive.top.is_some() {
            catalogue::see_folders(&mut archive.members);
        }
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
        while steps.next().map_err(|()| Fault::outside(&name()))? {
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
            met.map_err(|()| Fault::outside(&name()))?;
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

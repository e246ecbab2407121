//! What FTP servers answer to LIST and NLST → entries, and entries → the lines of `application/x-directory`.
//!
//! RFC 959 leaves the form of a listing to the server, so there are as many as there were systems. The form is decided
//! once per listing ([`Listing`]), from a table with a row for each (`dialect`). Names are octets throughout. Refuses:
//! the clock (the date that years are inferred from is given), character sets, rendering.

mod changed;
mod convert;
mod cutter;
mod date;
mod dialect;
mod dos;
mod flat;
mod mainframe;
mod midrange;
pub mod mlsd;
mod plain;
mod reader;
mod recursive;
mod unix;
mod vms;
mod words;
mod zone;

pub use convert::Converter;
pub use reader::Listing;
pub use recursive::{Part, Recursive, begins};
pub use zone::have_changed;

use jiff::civil::DateTime;
use std::borrow::Cow;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A directory.
    Directory,
    /// A file.
    File,
    /// A symbolic link.
    Link,
    /// A device, socket or pipe: something that is not read.
    Other,
    /// Not said: only the name is known.
    Unknown,
    /// The listed directory itself, or its parent: not shown.
    Dots,
}

/// How exactly a time is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// To the day.
    Day,
    /// To the minute.
    Minute,
    /// To the second.
    Second,
}

/// A time as a listing tells it. What is beyond its precision is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// Date and time of day.
    pub at: DateTime,
    /// How exactly it is known.
    pub precision: Precision,
    /// Whether it is UTC; else it is in the server's zone, which listings do not tell.
    pub utc: bool,
}

/// Who may do what with an entry, as far as a listing tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access<'a> {
    /// The twelve bits of a mode, without those of the kind.
    pub mode: Option<u16>,
    /// Whose it is: a name or a number.
    pub owner: Option<&'a [u8]>,
    /// Of which group: a name or a number.
    pub group: Option<&'a [u8]>,
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its name, as octets; nothing is known of them but that there is no LF, and at least one octet.
    pub name: Cow<'a, [u8]>,
    /// Its size in octets, when known and meant (not of directories).
    pub size: Option<u64>,
    /// When it was changed.
    pub modified: Option<Time>,
    /// What a symbolic link points to, when known.
    pub target: Option<&'a [u8]>,
    /// The version of a VMS file, in digits: it is fetched by `name;version`.
    pub version: Option<&'a [u8]>,
    /// What the server calls it, the same under each of its names (RFC 3659, 7.5.2).
    pub unique: Option<&'a [u8]>,
    /// Who may do what with it.
    pub access: Access<'a>,
    /// Of the listed directory itself: the URL that its rows stand below, where that is not the page's own.
    pub place: Option<&'a [u8]>,
    /// Of a link: it leads to a directory of the page's own.
    pub inside: bool,
}

impl<'a> Entry<'a> {
    /// An entry of which only kind and name are known. `.` and `..` are dots whatever they are said to be.
    fn new(kind: Kind, name: impl Into<Cow<'a, [u8]>>) -> Entry<'a> {
        let name = name.into();
        let kind = if matches!(&*name, b"." | b"..") { Kind::Dots } else { kind };
        let access = Access::default();
        let (place, inside) = (None, false);
        Entry {
            kind,
            name,
            size: None,
            modified: None,
            target: None,
            version: None,
            unique: None,
            access,
            place,
            inside,
        }
    }

    /// The entry with its size, unless it is of a kind whose size means nothing to a reader.
    fn sized(self, size: Option<u64>) -> Entry<'a> {
        let meant = matches!(self.kind, Kind::File | Kind::Link | Kind::Unknown);
        Entry { size: size.filter(|_| meant), ..self }
    }

    /// The entry with its time.
    fn dated(self, modified: impl Into<Option<Time>>) -> Entry<'a> {
        Entry { modified: modified.into(), ..self }
    }
}

/// A line of a listing that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line<'a> {
    /// An entry.
    Entry(Entry<'a>),
    /// A line that tells of no entry: shown as it came.
    Text(&'a [u8]),
}

//! Why something of an archive is not given out, in a sentence.

use crate::format::count;
use std::{fmt, io};

/// A number as sentences have it, its thousands apart.
pub(super) fn grouped(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX))
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
    pub(super) fn new(why: Why, says: impl Into<String>) -> Fault {
        Fault { why, says: says.into() }
    }

    pub(super) fn broken(says: impl Into<String>) -> Fault {
        Fault::new(Why::Broken, says)
    }

    /// What is called so leads out of the archive.
    pub(super) fn outside(name: &str) -> Fault {
        Fault::new(Why::Unsafe, format!("{name} leads out of the archive; that is not followed."))
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

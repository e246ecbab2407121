//! Checksums: which files hold those of others, what they say of a file, and the sums themselves.
//!
//! Plain functions of names and octets. Refuses: reading files, sums that the program cannot reckon (SHA-3, BLAKE2).

mod list;
mod md5;
mod names;
mod tree;

pub use list::{each, said_of};
pub use names::{Beside, beside, may_be_in_clear, of_others, signature_of};
pub use tree::{Named, Tree};

use ring::digest::{self, Context};

/// How a sum is reckoned; the later ones are the stronger ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// MD5: two files of one sum can be made in seconds.
    Md5,
    /// SHA-1: the same, with much money.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

/// A kind, its name, its names in files, and its hexadecimal digits.
type Row = (Kind, &'static str, &'static [&'static str], usize);

const KINDS: &[Row] = &[
    (Kind::Md5, "MD5", &["md5"], 32),
    (Kind::Sha1, "SHA-1", &["sha1", "sha"], 40),
    (Kind::Sha256, "SHA-256", &["sha256", "sha2-256"], 64),
    (Kind::Sha384, "SHA-384", &["sha384", "sha2-384"], 96),
    (Kind::Sha512, "SHA-512", &["sha512", "sha2-512"], 128),
];

impl Kind {
    /// All of them, the weakest first.
    pub fn all() -> impl Iterator<Item = Kind> {
        KINDS.iter().map(|row| row.0)
    }

    /// As a reader says it.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// Whether files can be made that have the sum of another.
    pub fn is_weak(self) -> bool {
        matches!(self, Kind::Md5 | Kind::Sha1)
    }

    /// By its name in a file, whatever the letters' case: `SHA256`, `SHA2-256`, `sha-256`.
    pub fn named(name: &[u8]) -> Option<Kind> {
        let is = |known: &&str| {
            let plain = name.iter().filter(|octet| **octet != b'-').map(u8::to_ascii_lowercase);
            plain.eq(known.bytes().filter(|octet| *octet != b'-'))
        };
        KINDS.iter().find(|row| row.2.iter().any(is)).map(|row| row.0)
    }

    /// Which sum these hexadecimal digits are, by their number.
    fn of(digits: &[u8]) -> Option<Kind> {
        let row = KINDS.iter().find(|row| row.3 == digits.len())?;
        digits.iter().all(u8::is_ascii_hexdigit).then_some(row.0)
    }
}

/// A sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// How it is reckoned.
    pub kind: Kind,
    /// It, in small hexadecimal digits.
    pub digits: String,
}

impl Sum {
    /// Hexadecimal digits, whose number tells the kind.
    pub fn of(digits: &[u8]) -> Option<Sum> {
        let kind = Kind::of(digits)?;
        Some(Sum { kind, digits: String::from_utf8_lossy(digits).to_ascii_lowercase() })
    }
}

/// Octets on their way to their sum.
pub struct Reckoning(Kind, Way);

enum Way {
    Md5(md5::Md5),
    Sha(Context),
}

impl Reckoning {
    /// Of nothing yet.
    pub fn new(kind: Kind) -> Reckoning {
        let sha = |how| Way::Sha(Context::new(how));
        let way = match kind {
            Kind::Md5 => Way::Md5(md5::Md5::new()),
            Kind::Sha1 => sha(&digest::SHA1_FOR_LEGACY_USE_ONLY),
            Kind::Sha256 => sha(&digest::SHA256),
            Kind::Sha384 => sha(&digest::SHA384),
            Kind::Sha512 => sha(&digest::SHA512),
        };
        Reckoning(kind, way)
    }

    /// The next octets.
    pub fn take(&mut self, octets: &[u8]) {
        match &mut self.1 {
            Way::Md5(md5) => md5.take(octets),
            Way::Sha(sha) => sha.update(octets),
        }
    }

    /// The sum of all of them, in small hexadecimal digits.
    pub fn digits(self) -> String {
        let hex = |octets: &[u8]| octets.iter().map(|octet| format!("{octet:02x}")).collect();
        match self.1 {
            Way::Md5(md5) => hex(&md5.digest()),
            Way::Sha(sha) => hex(sha.finish().as_ref()),
        }
    }
}

impl From<Reckoning> for Sum {
    fn from(reckoning: Reckoning) -> Sum {
        Sum { kind: reckoning.0, digits: reckoning.digits() }
    }
}

/// The sum of octets, in small hexadecimal digits.
pub fn of(kind: Kind, octets: &[u8]) -> String {
    let mut reckoning = Reckoning::new(kind);
    reckoning.take(octets);
    reckoning.digits()
}

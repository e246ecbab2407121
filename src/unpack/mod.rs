//! Compressed octets → octets: gzip, zlib and raw deflate, compress (`.Z`), bzip2, xz, zstd.
//!
//! What comes out of one step is bounded, whatever goes in, so that whoever takes it can stop: a file of some kilobytes may hold
//! gigabytes. Refuses: archives, files, names, and to decide how much is enough.

mod bzip2;
mod deflate;
mod lzw;
mod xz;
mod zstd;

/// What comes out of one step at most, in octets.
pub const STEP: usize = 64 * 1024;

/// Why something is not unpacked whose window is too large.
const TOO_LARGE: &str = "asks for more memory than it may have";

/// How octets are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// gzip (RFC 1952), several members one after the other too.
    Gzip,
    /// What servers call deflate: zlib (RFC 1950), or the bare deflate of RFC 1951.
    Deflate,
    /// compress: LZW of 9 to 16 bits.
    Compress,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
    /// zstd (RFC 8878).
    Zstd,
}

impl Packing {
    /// How a beginning says that it is packed; six octets are enough. Deflate does not say it.
    pub fn of(start: &[u8]) -> Option<Packing> {
        const MAGIC: &[(&[u8], Packing)] = &[
            (b"\x1F\x8B\x08", Packing::Gzip),
            (b"\x1F\x9D", Packing::Compress),
            (b"BZh", Packing::Bzip2),
            (b"\xFD7zXZ\0", Packing::Xz),
            (b"\x28\xB5\x2F\xFD", Packing::Zstd),
        ];
        MAGIC.iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, packing)| *packing)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Deflate => "deflate",
            Packing::Compress => "compress",
            Packing::Bzip2 => "bzip2",
            Packing::Xz => "xz",
            Packing::Zstd => "zstd",
        }
    }
}

/// The octets are not what they should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken;

/// Whether octets are the last ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// More may follow.
    More,
    /// Nothing follows.
    Last,
}

/// One way of unpacking. A step takes octets from the front of `input` and adds what they hold to `out`, at most about
/// [`STEP`]; it says how many it took. One that takes and adds nothing needs more input, or has come to the end.
trait Steps: Send {
    fn step(&mut self, input: &[u8], tail: Tail, out: &mut Vec<u8>) -> Result<usize, Broken>;

    /// Whether all that began has ended, so that nothing is missing when no more comes.
    fn is_whole(&self) -> bool;

    /// Why it is broken off, where that is not for being broken.
    fn refusal(&self) -> Option<&'static str> {
        None
    }

    /// How much is held, in octets.
    fn memory(&self) -> usize;
}

/// Unpacks a stream.
pub struct Unpacker {
    steps: Box<dyn Steps>,
    /// Octets that were not taken yet, from `at` on.
    held: Vec<u8>,
    at: usize,
    tail: Tail,
}

impl Unpacker {
    /// Begins.
    pub fn new(packing: Packing) -> Unpacker {
        let steps: Box<dyn Steps> = match packing {
            Packing::Gzip => Box::new(deflate::Gzip::default()),
            Packing::Deflate => Box::new(deflate::Deflate::default()),
            Packing::Compress => Box::new(lzw::Lzw::default()),
            Packing::Bzip2 => Box::new(bzip2::Bzip2::default()),
            Packing::Xz => Box::new(xz::Xz::default()),
            Packing::Zstd => Box::new(zstd::Zstd::default()),
        };
        Unpacker { steps, held: Vec::new(), at: 0, tail: Tail::More }
    }

    /// Takes the next octets; they are unpacked by [`Unpacker::step`].
    pub fn feed(&mut self, octets: &[u8]) {
        if self.at > self.held.len() / 2 {
            self.held.drain(..self.at);
            self.at = 0;
        }
        self.held.extend_from_slice(octets);
    }

    /// Nothing more comes.
    pub fn end(&mut self) {
        self.tail = Tail::Last;
    }

    /// The next octets of what is inside, some [`STEP`] at most; none where more must be fed, or at the end.
    ///
    /// # Errors
    /// The octets are not what they should be; what came out before is good.
    pub fn step(&mut self) -> Result<Vec<u8>, Broken> {
        let mut out = Vec::new();
        loop {
            let taken = self.steps.step(&self.held[self.at..], self.tail, &mut out)?;
            self.at += taken;
            if !out.is_empty() || taken == 0 {
                return Ok(out);
            }
        }
    }

    /// Whether nothing is missing, now that nothing more comes.
    pub fn is_whole(&self) -> bool {
        self.steps.is_whole()
    }

    /// What it does that is not allowed, where it is not broken: "asks for more memory than it may have".
    pub fn refusal(&self) -> Option<&'static str> {
        self.steps.refusal()
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.held.capacity() + self.steps.memory()
    }
}

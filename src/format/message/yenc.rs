//! yEnc (yenc-draft 1.3): `=ybegin`, `=ypart`, data, `=yend` with sizes and checksums.

use super::files::File;
use super::octet_lines::Begins;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Took {
    /// It belongs to the file.
    Data,
    /// It was the end.
    End,
}

/// A file that has begun.
pub(super) struct YEnc {
    name: Vec<u8>,
    /// The number of this part, and of how many.
    part: Option<(u64, Option<u64>)>,
    /// The octets of the whole file, as it says.
    whole: u64,
    /// Where this part stands in it, as it says: its first octet and its last, from 1.
    range: Option<(u64, u64)>,
    size: u64,
    crc: Crc,
    /// An escape character ended a piece of a line.
    escape: bool,
    end: Option<End>,
}

/// What `=yend` says.
struct End {
    size: Option<u64>,
    crc: Option<u32>,
    /// The checksum of the whole file.
    whole: Option<u32>,
}

/// What a part says of itself, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its number and how many there are.
    pub part: Option<(u64, Option<u64>)>,
    /// Its first octet and its last in the file, from 1.
    pub range: Option<(u64, u64)>,
    /// The octets of the whole file.
    pub whole: u64,
    /// Whether it has its end, and size and checksum are what it says.
    pub sound: Result<(), &'static str>,
    /// The checksum of the whole file, where it says that.
    pub checksum: Option<u32>,
}

impl YEnc {
    /// The file that a line begins.
    pub fn begin(line: &[u8]) -> Option<YEnc> {
        let rest = line.strip_prefix(b"=ybegin ")?;
        // the name comes last and may hold anything
        let name = memchr::memmem::find(rest, b"name=")?;
        let (words, name) = (&rest[..name], rest[name + 5..].trim_ascii());
        let size = number(words, b"size")?;
        let part = number(words, b"part").map(|part| (part, number(words, b"total")));
        Some(YEnc {
            name: name.to_vec(),
            part,
            whole: size,
            range: None,
            size: 0,
            crc: Crc::new(),
            escape: false,
            end: None,
        })
    }

    /// Takes a line; its octets go into `out`.
    pub fn line(&mut self, line: &[u8], begins: Begins, mut out: Option<&mut Vec<u8>>) -> Took {
        if begins == Begins::Line
            && let Some(rest) = line.strip_prefix(b"=ypart ")
        {
            self.range = number(rest, b"begin").zip(number(rest, b"end"));
            return Took::Data;
        }
        if begins == Begins::Line
            && let Some(rest) = line.strip_prefix(b"=yend")
        {
            let sum = |key: &[u8]| word(rest, key).and_then(|hex| u32::from_str_radix(hex, 16).ok());
            let whole = sum(b"crc32");
            let crc = sum(b"pcrc32").or(whole.filter(|_| self.part.is_none()));
            self.end = Some(End { size: number(rest, b"size"), crc, whole });
            return Took::End;
        }
        for octet in line {
            let octet = match (octet, std::mem::take(&mut self.escape)) {
                (b'\r' | b'\n', _) => continue,
                (b'=', false) => {
                    self.escape = true;
                    continue;
                }
                (octet, true) => octet.wrapping_sub(64 + 42),
                (octet, false) => octet.wrapping_sub(42),
            };
            self.size += 1;
            self.crc.octet(octet);
            if let Some(out) = &mut out {
                out.push(octet);
            }
        }
        Took::Data
    }

    /// The name of the file.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The octets that this part should have; `None` where it does not say.
    fn expected(&self) -> Option<u64> {
        match self.part {
            None => Some(self.whole),
            Some(_) => self.range.and_then(|(begin, end)| (end + 1).checked_sub(begin)),
        }
    }

    /// What it is a part of, and whether it is as it should be.
    pub fn piece(&self) -> Piece {
        let Some(end) = &self.end else {
            let sound = Err("its end is missing");
            return Piece { part: self.part, range: self.range, whole: self.whole, sound, checksum: None };
        };
        let sizes = [self.expected(), end.size];
        let sound = if sizes.iter().flatten().any(|size| *size != self.size) {
            Err("its size is not what it says")
        } else if end.crc.is_some_and(|crc| crc != self.crc.value()) {
            Err("its checksum is wrong: it is damaged")
        } else {
            Ok(())
        };
        Piece { part: self.part, range: self.range, whole: self.whole, sound, checksum: end.whole }
    }

    /// What was found.
    pub fn file(self) -> File {
        let mut remarks = Vec::new();
        match self.part {
            Some((part, Some(total))) => remarks.push(format!("part {part} of {total}")),
            Some((part, None)) => remarks.push(format!("part {part}")),
            None => {}
        }
        let piece = self.piece();
        remarks.extend(piece.sound.err().map(str::to_owned));
        let whole = self.part.map(|_| self.whole);
        let parts = self.part.and_then(|(_, total)| total);
        File { name: self.name, encoding: "yEnc", size: self.size, remarks, whole, parts }
    }
}

/// The value of `key=value` among words.
fn word<'a>(words: &'a [u8], key: &[u8]) -> Option<&'a str> {
    let value = words.split(u8::is_ascii_whitespace).find_map(|word| word.strip_prefix(key)?.strip_prefix(b"="))?;
    std::str::from_utf8(value).ok()
}

fn number(words: &[u8], key: &[u8]) -> Option<u64> {
    word(words, key)?.parse().ok().filter(|n| *n < u64::MAX / 2)
}

/// CRC-32 (ISO 3309, ITU-T V.42), as yEnc and zip use it.
pub(super) struct Crc(u32);

/// The checksum of every octet.
#[expect(clippy::cast_possible_truncation, reason = "below 256")]
const CRCS: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = at as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
};

impl Crc {
    pub fn new() -> Crc {
        Crc(u32::MAX)
    }

    pub fn octet(&mut self, octet: u8) {
        let [.., low] = self.0.to_be_bytes();
        self.0 = self.0 >> 8 ^ CRCS[usize::from(low ^ octet)];
    }

    pub fn value(&self) -> u32 {
        !self.0
    }
}

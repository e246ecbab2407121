//! A file that was cut into several articles (yEnc-draft 1.3, 3; uuencoded files cut between lines), joined again part by part, in
//! order.
//!
//! Nothing of a part is given away before it was looked over: its number, its place in the file, its size and its checksum are what
//! they must be after the parts before it. The size and the checksum of the whole are looked at behind the last.
//! Refuses: parts out of order, holes and overlaps, more octets than a file of so many parts can have.

use super::head::{self, Head};
use super::listed::media_of;
use super::octet_lines::Begins;
use super::transfer::Transfer;
use super::uuencode::{self, Uu};
use super::words;
use super::yenc::{Crc, Took, YEnc};
use crate::format::count;
use crate::news::MOST_PARTS;

/// The most octets of an article that holds a part.
pub const LONGEST: usize = 4 << 20;

/// Parts by their numbers: `part 3`, `parts 3, 5`; of many the first ones. `None` for no part.
pub fn named(numbers: &[usize]) -> Option<String> {
    const NAMED: usize = 8;
    let list = |numbers: &[usize]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match numbers {
        [] => None,
        [one] => Some(format!("part {one}")),
        some if some.len() <= NAMED => Some(format!("parts {}", list(some))),
        many => Some(format!("parts {} and {} others", list(&many[..NAMED]), count(many.len() - NAMED))),
    }
}

/// What a file says of itself in its first part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Its name; not sanitised.
    pub name: String,
    /// Its media type, by its name.
    pub media: String,
    /// Its octets, where it says how many.
    pub size: Option<u64>,
}

/// How a file is encoded.
enum Way {
    YEnc {
        name: Vec<u8>,
        size: u64,
        crc: Box<Crc>,
        /// The checksum of the whole, as a part says.
        checksum: Option<u32>,
    },
    Uu(Uu),
}

/// Joins the parts of a file.
pub struct Joiner {
    total: u64,
    /// Parts so far.
    done: u64,
    /// Octets so far.
    octets: u64,
    way: Option<Way>,
}

impl Joiner {
    /// For a file in so many parts.
    ///
    /// # Errors
    /// There are none, or more than [`MOST_PARTS`], in a sentence.
    pub fn new(total: u64) -> Result<Joiner, String> {
        match total {
            1..=MOST_PARTS => Ok(Joiner { total, done: 0, octets: 0, way: None }),
            _ => Err(format!("A file in {total} parts is not joined: {MOST_PARTS} are the most.")),
        }
    }

    /// The octets of the part that an article holds, which is the next one.
    ///
    /// # Errors
    /// It is not, or it is not sound, in a sentence.
    pub fn part(&mut self, article: &[u8]) -> Result<Vec<u8>, String> {
        self.done += 1;
        let wrong = |why: &str| format!("Part {} of {} cannot be joined: {why}.", self.done, self.total);
        let mut scanned = 0;
        let Some(end) = head::end(article, &mut scanned) else { return Err(wrong("the article has no text")) };
        let encoding = Head::read(&article[..end.head]).text("content-transfer-encoding", None).unwrap_or_default();
        let body = Transfer::of(&encoding).0.whole(&article[end.body..]);
        let mut out = Vec::new();
        match &mut self.way {
            None => {
                let way = begin(&body, self.total, &mut out).map_err(|why| wrong(&why))?;
                self.way = Some(way);
            }
            Some(Way::YEnc { name, size, crc, checksum }) => {
                let (yenc, _) = yenc(&body, &mut out).ok_or_else(|| wrong("it holds no part of the file"))?;
                if (yenc.name(), yenc.piece().whole) != (name.as_slice(), *size) {
                    return Err(wrong("it is of another file"));
                }
                let place = (self.done, self.total, self.octets);
                *checksum = look_over(&yenc, place).map_err(|why| wrong(&why))?.or(*checksum);
                out.iter().for_each(|octet| crc.octet(*octet));
            }
            Some(Way::Uu(uu)) => {
                if uu.has_ended() {
                    return Err(wrong("the file has ended before it"));
                }
                if !more(uu, &body, &mut out) {
                    return Err(wrong("it holds no part of the file"));
                }
            }
        }
        self.octets += out.len() as u64;
        Ok(out)
    }

    /// What the file says of itself, behind its first part.
    pub fn facts(&self) -> Option<Facts> {
        let (name, size) = match self.way.as_ref()? {
            Way::YEnc { name, size, .. } => (name.as_slice(), Some(*size)),
            Way::Uu(uu) => (uu.name(), None),
        };
        let name = words::raw(name, None);
        Some(Facts { media: media_of(&name), name, size })
    }

    /// Looks the whole over.
    ///
    /// # Errors
    /// Something is missing of it, or its checksum is another one, in a sentence.
    pub fn finish(self) -> Result<(), String> {
        if self.done < self.total {
            return Err(format!("Only {} of {} parts came.", self.done, self.total));
        }
        match self.way {
            Some(Way::YEnc { size, .. }) if size != self.octets => {
                let (is, says) = (count(size_of(self.octets)), count(size_of(size)));
                Err(format!("The file has {is} octets and says that it has {says}: it is damaged."))
            }
            Some(Way::YEnc { crc, checksum: Some(checksum), .. }) if checksum != crc.value() => {
                Err("The checksum of the whole file is wrong: it is damaged.".into())
            }
            Some(Way::Uu(uu)) if !uu.has_ended() => Err("The end of the file is missing.".into()),
            _ => Ok(()),
        }
    }
}

fn size_of(octets: u64) -> usize {
    usize::try_from(octets).unwrap_or(usize::MAX)
}

/// The first part.
fn begin(body: &[u8], total: u64, out: &mut Vec<u8>) -> Result<Way, String> {
    if let Some((yenc, name)) = yenc(body, out) {
        let size = yenc.piece().whole;
        if size > total.saturating_mul(LONGEST as u64) {
            return Err("the file says that it has more octets than so many parts can hold".into());
        }
        let checksum = look_over(&yenc, (1, total, 0))?;
        let mut crc = Box::new(Crc::new());
        out.iter().for_each(|octet| crc.octet(*octet));
        return Ok(Way::YEnc { name, size, crc, checksum });
    }
    let mut lines = body.split_inclusive(|octet| *octet == b'\n').peekable();
    while let Some(line) = lines.next() {
        if uuencode::begins(line) && lines.peek().is_some_and(|next| uuencode::is_data(next)) {
            let mut uu = Uu::new(line);
            take(&mut uu, lines, out);
            return Ok(Way::Uu(uu));
        }
    }
    Err("it holds no file that is known here".into())
}

/// The yEnc file that a body holds.
fn yenc(body: &[u8], out: &mut Vec<u8>) -> Option<(YEnc, Vec<u8>)> {
    let mut lines = body.split_inclusive(|octet| *octet == b'\n');
    let mut yenc = lines.find_map(YEnc::begin)?;
    for line in lines {
        if yenc.line(line, Begins::Line, Some(out)) == Took::End {
            break;
        }
    }
    let name = yenc.name().to_vec();
    Some((yenc, name))
}

/// Whether a part is sound, and where it must be: its number, how many there are, the octets before it. Gives the checksum of the whole.
fn look_over(yenc: &YEnc, (number, total, before): (u64, u64, u64)) -> Result<Option<u32>, String> {
    let piece = yenc.piece();
    match piece.part {
        Some((says, _)) if says != number => return Err(format!("it says that it is part {says}")),
        Some((_, Some(says))) if says != total => return Err(format!("it says that there are {says} parts")),
        None => return Err("it says that it is a file of its own".into()),
        Some(_) => {}
    }
    let (first, last) = piece.range.ok_or("it does not say where in the file it belongs")?;
    if first != before + 1 {
        let how = if first <= before { "overlap" } else { "leave a hole" };
        return Err(format!("it begins at octet {first} and not at {}: the parts {how}", before + 1));
    }
    if last > piece.whole {
        return Err("it goes on behind the end of the file".into());
    }
    piece.sound.map(|()| piece.checksum).map_err(Into::into)
}

/// A part of a uuencoded file that is not the first; false where it has nothing of it.
fn more(uu: &mut Uu, body: &[u8], out: &mut Vec<u8>) -> bool {
    let of_file = |line: &[u8]| uuencode::is_full(line) || line.trim_ascii() == b"end";
    let short = |line: &[u8]| uuencode::is_data(line) && !line.trim_ascii().is_empty();
    let all = || body.split_inclusive(|octet| *octet == b'\n');
    // What is short is believed only where no line is full.
    let first = all().position(of_file).filter(|at| all().nth(*at).is_some_and(uuencode::is_full));
    match first.or_else(|| all().position(short)).or_else(|| all().position(of_file)) {
        Some(first) => {
            take(uu, all().skip(first), out);
            true
        }
        None => false,
    }
}

fn take<'a>(uu: &mut Uu, lines: impl Iterator<Item = &'a [u8]>, out: &mut Vec<u8>) {
    for line in lines {
        if uu.line(line, Some(out)) != uuencode::Took::Data {
            break;
        }
    }
}

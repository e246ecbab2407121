//! bzip2. A block is unpacked when all of it must be there: at its largest size, or at the end.
//!
//! A block is a list of symbols in Huffman codes, of which several tables take turns; symbols are places in a list whose last
//! used member moves to the front, and runs; what they stand for is a text whose rotations were sorted, which is turned back;
//! and in that, four equal octets are followed by how many more there are.

use super::{Broken, STEP, Steps, Tail};

const BEGINS: u64 = 0x3141_5926_5359;
const ENDS: u64 = 0x1772_4538_5090;
/// Symbols that one table codes before another may take its turn.
const TURN: usize = 50;
/// The longest code.
const LONGEST: usize = 20;

/// Unpacks.
#[derive(Default)]
pub(super) struct Bzip2 {
    /// The most octets of a block, once the header was read.
    size: Option<usize>,
    /// The bits taken of the next octet.
    bit: usize,
    block: Option<Block>,
    /// Streams that ended.
    streams: usize,
}

impl Steps for Bzip2 {
    fn step(&mut self, input: &[u8], tail: Tail, out: &mut Vec<u8>) -> Result<usize, Broken> {
        if let Some(block) = &mut self.block {
            if block.read(out)? {
                self.block = None;
            }
            if !out.is_empty() {
                return Ok(0);
            }
        }
        let Some(size) = self.size else {
            return match input.first_chunk::<4>() {
                Some([b'B', b'Z', b'h', level @ b'1'..=b'9']) => {
                    self.size = Some(usize::from(level - b'0') * 100_000);
                    Ok(4)
                }
                // Whatever follows the last stream is no part of it.
                Some(_) if self.streams > 0 => Ok(input.len()),
                Some(_) => Err(Broken),
                None => Ok(0),
            };
        };
        // No block is longer than its text with the tables.
        if tail == Tail::More && input.len() < size + size / 50 + 32 * 1024 {
            return Ok(0);
        }
        let mut bits = Bits { octets: input, at: self.bit };
        if input.is_empty() {
            return Ok(0);
        }
        match bits.take(48)? {
            BEGINS => {
                let mut block = Block::decode(&mut bits, size)?;
                self.block = if block.read(out)? { None } else { Some(block) };
            }
            ENDS => {
                bits.take(32)?;
                bits.at = bits.at.next_multiple_of(8);
                (self.size, self.streams) = (None, self.streams + 1);
            }
            _ => return Err(Broken),
        }
        self.bit = bits.at % 8;
        Ok(bits.at / 8)
    }

    fn is_whole(&self) -> bool {
        self.size.is_none() && self.streams > 0
    }

    fn memory(&self) -> usize {
        self.block.as_ref().map_or(0, |block| block.text.capacity() * size_of::<u32>())
    }
}

/// Bits, the highest first.
struct Bits<'a> {
    octets: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Result<u64, Broken> {
        (0..count).try_fold(0, |value, _| Ok((value << 1) | u64::from(self.bit()?)))
    }

    fn bit(&mut self) -> Result<bool, Broken> {
        let octet = self.octets.get(self.at / 8).ok_or(Broken)?;
        let bit = (octet >> (7 - self.at % 8)) & 1;
        self.at += 1;
        Ok(bit == 1)
    }

    fn number(&mut self, count: usize) -> Result<usize, Broken> {
        usize::try_from(self.take(count)?).map_err(|_| Broken)
    }
}

/// A table of codes: of each length how many there are, and the symbols in the order of their codes.
struct Codes {
    counts: [usize; LONGEST + 1],
    symbols: Vec<u16>,
}

impl Codes {
    fn read(bits: &mut Bits<'_>, symbols: usize) -> Result<Codes, Broken> {
        let mut length = bits.number(5)?;
        let mut lengths = Vec::with_capacity(symbols);
        for _ in 0..symbols {
            while bits.bit()? {
                length = if bits.bit()? { length.checked_sub(1).ok_or(Broken)? } else { length + 1 };
                if length > LONGEST {
                    return Err(Broken);
                }
            }
            if !(1..=LONGEST).contains(&length) {
                return Err(Broken);
            }
            lengths.push(length);
        }
        let mut counts = [0; LONGEST + 1];
        lengths.iter().for_each(|length| counts[*length] += 1);
        let mut symbols: Vec<u16> = (0..=u16::MAX).take(symbols).collect();
        symbols.sort_by_key(|symbol| lengths[usize::from(*symbol)]);
        Ok(Codes { counts, symbols })
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Result<usize, Broken> {
        let (mut code, mut first, mut index) = (0_usize, 0_usize, 0_usize);
        for count in &self.counts[1..] {
            code = (code << 1) | usize::from(bits.bit()?);
            if code < first + count {
                let at = (index + code).checked_sub(first).ok_or(Broken)?;
                return self.symbols.get(at).map(|symbol| usize::from(*symbol)).ok_or(Broken);
            }
            index += count;
            first = (first + count) << 1;
        }
        Err(Broken)
    }
}

/// A block, turned back, that is being read.
struct Block {
    /// Of each place its octet, and above that the place that follows it.
    text: Vec<u32>,
    at: u32,
    left: usize,
    last: Option<u8>,
    /// Equal octets so far.
    run: usize,
    crc: u32,
    wanted: u32,
}

impl Block {
    fn decode(bits: &mut Bits<'_>, size: usize) -> Result<Block, Broken> {
        let wanted = u32::try_from(bits.take(32)?).map_err(|_| Broken)?;
        if bits.bit()? {
            // Randomised blocks are of versions before 0.9.5.
            return Err(Broken);
        }
        let origin = bits.number(24)?;
        let mut list = Vec::new();
        let used = bits.number(16)?;
        for high in 0..16_u8 {
            if (used >> (15 - high)) & 1 == 1 {
                let row = bits.number(16)?;
                list.extend((0..16_u8).filter(|low| (row >> (15 - low)) & 1 == 1).map(|low| (high << 4) | low));
            }
        }
        let symbols = list.len() + 2;
        let (tables, turns) = (bits.number(3)?, bits.number(15)?);
        if list.is_empty() || !(2..=6).contains(&tables) || turns == 0 {
            return Err(Broken);
        }
        let mut order: Vec<usize> = (0..tables).collect();
        let mut selected = Vec::with_capacity(turns);
        for _ in 0..turns {
            let mut place = 0;
            while bits.bit()? {
                place += 1;
            }
            if place >= tables {
                return Err(Broken);
            }
            order[..=place].rotate_right(1);
            selected.push(order[0]);
        }
        let codes = (0..tables).map(|_| Codes::read(bits, symbols)).collect::<Result<Vec<_>, _>>()?;
        let last = Block::last_column(bits, &mut list, &codes, &selected, size)?;
        Block::turn_back(&last, origin, wanted)
    }

    /// The last octets of the sorted rotations.
    fn last_column(
        bits: &mut Bits<'_>,
        list: &mut [u8],
        codes: &[Codes],
        selected: &[usize],
        size: usize,
    ) -> Result<Vec<u8>, Broken> {
        let end = list.len() + 1;
        let mut last = Vec::new();
        let (mut run, mut weight) = (0_usize, 1_usize);
        for table in selected {
            let codes = codes.get(*table).ok_or(Broken)?;
            for _ in 0..TURN {
                let symbol = codes.symbol(bits)?;
                if symbol < 2 {
                    // Runs are numbers of base two with the digits one and two.
                    run = run.checked_add(weight << symbol).filter(|run| *run <= size).ok_or(Broken)?;
                    weight <<= 1;
                    continue;
                }
                if last.len() + run > size {
                    return Err(Broken);
                }
                last.resize(last.len() + run, list[0]);
                (run, weight) = (0, 1);
                if symbol == end {
                    return Ok(last);
                }
                list.get_mut(..symbol).ok_or(Broken)?.rotate_right(1);
                last.push(list[0]);
            }
        }
        Err(Broken)
    }

    fn turn_back(last: &[u8], origin: usize, wanted: u32) -> Result<Block, Broken> {
        let mut starts = [0_u32; 256];
        last.iter().for_each(|octet| starts[usize::from(*octet)] += 1);
        let mut sum = 0;
        for start in &mut starts {
            (*start, sum) = (sum, sum + *start);
        }
        let mut text: Vec<u32> = last.iter().map(|octet| u32::from(*octet)).collect();
        for (at, octet) in (0_u32..).zip(last) {
            let start = &mut starts[usize::from(*octet)];
            *text.get_mut(*start as usize).ok_or(Broken)? |= at << 8;
            *start += 1;
        }
        let at = text.get(origin).ok_or(Broken)? >> 8;
        Ok(Block { left: last.len(), text, at, last: None, run: 0, crc: u32::MAX, wanted })
    }

    /// Reads on; says whether it has come to the end.
    fn read(&mut self, out: &mut Vec<u8>) -> Result<bool, Broken> {
        let begins = out.len();
        while self.left > 0 && out.len() - begins < STEP {
            let entry = self.text.get(self.at as usize).ok_or(Broken)?;
            let [octet, ..] = entry.to_le_bytes();
            (self.at, self.left) = (entry >> 8, self.left - 1);
            if self.run == 4 {
                let before = self.last.unwrap_or_default();
                out.resize(out.len() + usize::from(octet), before);
                self.run = 0;
                self.last = None;
                continue;
            }
            self.run = if self.last == Some(octet) { self.run + 1 } else { 1 };
            self.last = Some(octet);
            out.push(octet);
        }
        for octet in &out[begins..] {
            self.crc = (self.crc << 8) ^ CRC[((self.crc >> 24) ^ u32::from(*octet)) as usize];
        }
        match self.left {
            0 if !self.crc != self.wanted => Err(Broken),
            left => Ok(left == 0),
        }
    }
}

/// The check of bzip2: that of Ethernet, the highest bit first.
static CRC: [u32; 256] = {
    let mut table = [0_u32; 256];
    let mut at = 0_u32;
    while at < 256 {
        let mut value = at << 24;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 0x8000_0000 == 0 { value << 1 } else { (value << 1) ^ 0x04C1_1DB7 };
            bit += 1;
        }
        table[at as usize] = value;
        at += 1;
    }
    table
};

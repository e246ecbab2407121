//! compress (`.Z`): LZW with codes of 9 to 16 bits, as Unix had it before gzip.
//!
//! Codes come in groups of eight of one width; when the width changes, or the table is cleared, the rest of a group is padding.

use super::{Broken, STEP, Steps, Tail};

/// The code that clears the table, in files that have it.
const CLEAR: usize = 256;

/// Unpacks.
pub(super) struct Lzw {
    /// The widest code, once the header was read, and whether codes clear the table.
    header: Option<(u32, bool)>,
    /// Of each code from 256 on, what it adds to which other.
    prefix: Vec<u16>,
    suffix: Vec<u8>,
    width: u32,
    /// Codes of the group that were read, in bits.
    group: usize,
    /// The bits taken of the next octet.
    bit: usize,
    previous: Option<usize>,
    first: u8,
}

impl Default for Lzw {
    fn default() -> Lzw {
        let (prefix, suffix) = (Vec::new(), Vec::new());
        Lzw { header: None, prefix, suffix, width: 9, group: 0, bit: 0, previous: None, first: 0 }
    }
}

impl Steps for Lzw {
    fn step(&mut self, input: &[u8], _: Tail, out: &mut Vec<u8>) -> Result<usize, Broken> {
        let Some((widest, clears)) = self.header else {
            let Some([0x1F, 0x9D, flags]) = input.first_chunk::<3>() else { return Ok(0) };
            let widest = u32::from(flags & 0x1F);
            if !(9..=16).contains(&widest) {
                return Err(Broken);
            }
            self.header = Some((widest, flags & 0x80 != 0));
            self.clear(flags & 0x80 != 0);
            return Ok(3);
        };
        let mut at = self.bit;
        while out.len() < STEP {
            let free = 256 + self.prefix.len();
            // Where nine bits are the most, the programs that write it go on to ten all the same.
            if free >= 1 << self.width && self.width < widest.max(10) {
                if !self.pad(&mut at, input) {
                    break;
                }
                self.width += 1;
            }
            let width = self.width as usize;
            let Some(code) = bits(input, at, width) else { break };
            at += width;
            self.group = (self.group + width) % (8 * width);
            if code == CLEAR && clears {
                if !self.pad(&mut at, input) {
                    // The padding comes later: this code is read again with it.
                    at -= width;
                    self.group = (self.group + 7 * width) % (8 * width);
                    break;
                }
                self.clear(clears);
                continue;
            }
            self.take(code, 1 << widest, clears, out)?;
        }
        self.bit = at % 8;
        Ok(at / 8)
    }

    fn is_whole(&self) -> bool {
        // Nothing says where it ends.
        self.header.is_some()
    }

    fn memory(&self) -> usize {
        self.prefix.capacity() * 2 + self.suffix.capacity()
    }
}

impl Lzw {
    fn clear(&mut self, clears: bool) {
        self.prefix.clear();
        self.suffix.clear();
        if clears {
            (self.prefix, self.suffix) = (vec![0], vec![0]);
        }
        (self.width, self.group, self.previous) = (9, 0, None);
    }

    /// Leaves out the rest of a group; false when it has not come.
    fn pad(&mut self, at: &mut usize, input: &[u8]) -> bool {
        let whole = 8 * self.width as usize;
        let rest = (whole - self.group) % whole;
        if *at + rest > input.len() * 8 {
            return false;
        }
        *at += rest;
        self.group = 0;
        true
    }

    fn take(&mut self, code: usize, most: usize, clears: bool, out: &mut Vec<u8>) -> Result<(), Broken> {
        let free = 256 + self.prefix.len();
        let begins = out.len();
        let mut at = code;
        match self.previous {
            None if code > 255 => return Err(Broken),
            // The code that is being made: the one before with its own first octet.
            Some(previous) if code == free && free < most => {
                out.push(self.first);
                at = previous;
            }
            _ if code >= free || (code == CLEAR && clears) => return Err(Broken),
            _ => {}
        }
        while at > 255 {
            out.push(*self.suffix.get(at - 256).ok_or(Broken)?);
            at = usize::from(*self.prefix.get(at - 256).ok_or(Broken)?);
        }
        self.first = u8::try_from(at).map_err(|_| Broken)?;
        out.push(self.first);
        out[begins..].reverse();
        if let Some(previous) = self.previous
            && free < most
        {
            self.prefix.push(u16::try_from(previous).map_err(|_| Broken)?);
            self.suffix.push(self.first);
        }
        self.previous = Some(code);
        Ok(())
    }
}

/// The number of so many bits, the lowest first, from a bit on.
fn bits(input: &[u8], at: usize, width: usize) -> Option<usize> {
    if at + width > input.len() * 8 {
        return None;
    }
    let octet = |n: usize| input.get(at / 8 + n).map_or(0, |octet| usize::from(*octet) << (8 * n));
    Some(((octet(0) | octet(1) | octet(2)) >> (at % 8)) & ((1 << width) - 1))
}

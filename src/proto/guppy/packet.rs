//! Packets of Guppy: a line that ends with CR LF, and what stands behind it; and the order of those of one answer.
//!
//! Refuses: keeping more than a few packets that came too early. Nothing is said of those that are refused, and their server sends
//! them again.

use std::collections::BTreeMap;

/// The numbers that packets of an answer may have.
const NUMBERS: std::ops::RangeInclusive<u32> = 6..=2_147_483_647;
/// How far ahead of the next one a packet may be that is kept.
const AHEAD: u32 = 64;

/// What a server sends.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Packet<'a> {
    /// `1`: it asks for words.
    Prompt(&'a [u8]),
    /// `3`: it is elsewhere.
    Redirect(&'a [u8]),
    /// `4`: it says why there is nothing.
    Error(&'a [u8]),
    /// The first packet of an answer: number, media type, octets.
    Success(u32, &'a [u8], &'a [u8]),
    /// A further one; without octets the end.
    Continuation(u32, &'a [u8]),
}

/// Reads a packet; `None` where it is none.
pub(super) fn read(octets: &[u8]) -> Option<Packet<'_>> {
    let end = octets.windows(2).position(|pair| pair == b"\r\n")?;
    let (line, data) = (&octets[..end], &octets[end + 2..]);
    let (first, rest) = match line.iter().position(|octet| *octet == b' ') {
        Some(at) => (&line[..at], Some(&line[at + 1..])),
        None => (line, None),
    };
    match (first, rest) {
        (b"1", Some(words)) => Some(Packet::Prompt(words)),
        (b"3", Some(to)) => Some(Packet::Redirect(to)),
        (b"4", Some(words)) => Some(Packet::Error(words)),
        (number, Some(media)) if !media.is_empty() => Some(Packet::Success(self::number(number)?, media, data)),
        (number, None) => Some(Packet::Continuation(self::number(number)?, data)),
        _ => None,
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    let all = !digits.is_empty() && digits.len() <= 10 && digits.iter().all(u8::is_ascii_digit);
    let number: u32 = std::str::from_utf8(digits).ok().filter(|_| all)?.parse().ok()?;
    NUMBERS.contains(&number).then_some(number)
}

/// The packets of an answer in their order.
#[derive(Debug)]
pub(super) struct Order {
    first: u32,
    /// The one that is wanted now.
    next: u32,
    early: BTreeMap<u32, Vec<u8>>,
}

impl Order {
    /// After the first packet.
    pub fn begun(first: u32) -> Order {
        Order { first, next: first + 1, early: BTreeMap::new() }
    }

    /// Takes a further packet; whether it is to be acknowledged: those that are here already are, again and again, since a word of
    /// that may have been lost.
    pub fn take(&mut self, number: u32, data: &[u8]) -> bool {
        if number >= self.next && number - self.next < AHEAD {
            self.early.entry(number).or_insert_with(|| data.to_vec());
            return true;
        }
        (self.first..self.next).contains(&number)
    }

    /// The next octets in order, none for the end of the answer; `None` where they have not come.
    pub fn pop(&mut self) -> Option<Vec<u8>> {
        let data = self.early.remove(&self.next)?;
        self.next += 1;
        Some(data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_its_line_and_what_stands_behind() {
        for (octets, packet) in [
            (&b"566 text/gemini\r\n# a\r\n"[..], Some(Packet::Success(566, b"text/gemini", b"# a\r\n"))),
            (b"39 text/plain\r\n", Some(Packet::Success(39, b"text/plain", b""))),
            (b"567\r\nx", Some(Packet::Continuation(567, b"x"))),
            (b"2147483647\r\n", Some(Packet::Continuation(2_147_483_647, b""))),
            (b"1 Name?\r\n", Some(Packet::Prompt(b"Name?"))),
            (b"3 /b\r\n", Some(Packet::Redirect(b"/b"))),
            (b"4 \r\n", Some(Packet::Error(b""))),
            (b"5\r\nx", None),
            (b"5 text/plain\r\nx", None),
            (b"1\r\n", None),
            (b"2147483648\r\n", None),
            (b"99999999999999999999\r\n", None),
            (b"-6\r\n", None),
            (b"+6\r\n", None),
            (b"6 \r\nx", None),
            (b"567", None),
            (b"", None),
        ] {
            assert_eq!(read(octets), packet, "{octets:?}");
        }
    }

    #[test]
    fn packets_come_in_order_and_few_are_kept() {
        let mut order = Order::begun(10);
        assert!(order.take(12, b"c") && order.take(12, b"again") && order.take(10, b"first") && !order.take(9, b""));
        assert_eq!(order.pop(), None);
        assert!(order.take(11, b"b") && order.take(11, b"other"));
        assert_eq!((order.pop(), order.pop(), order.pop()), (Some(b"b".to_vec()), Some(b"c".to_vec()), None));
        assert_eq!(order.next, 13);
        assert!(order.take(12, b"late") && !order.take(13 + AHEAD, b"far") && order.take(12 + AHEAD, b"near"));
        assert_eq!(order.early.len(), 1);
        let mut order = Order::begun(2_147_483_647);
        assert!(order.take(2_147_483_647, b"") && order.pop().is_none());
    }
}

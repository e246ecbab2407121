//! The fields of a line: words between blanks, numbers, sizes.

/// A place in a line from which words are taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    pub fn new(line: &'a [u8]) -> Words<'a> {
        Words { rest: line }
    }

    /// Everything from here on.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Everything after exactly one blank: a name that may itself begin with blanks.
    pub fn after_one_blank(&self) -> &'a [u8] {
        self.rest.split_first().map_or(&[], |(_, name)| name)
    }

    /// Everything after all blanks: a name that was aligned.
    pub fn after_blanks(&self) -> &'a [u8] {
        let at = self.rest.iter().position(|b| !is_blank(*b)).unwrap_or(self.rest.len());
        &self.rest[at..]
    }

    /// The word after the next one, without going there.
    pub fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.after_blanks();
        let end = rest.iter().position(|b| is_blank(*b)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

pub(super) fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// Whether there is nothing but blanks.
pub(super) fn blank(octets: &[u8]) -> bool {
    octets.iter().all(|b| is_blank(*b))
}

/// A number of decimal digits and nothing else.
pub(super) fn number(word: &[u8]) -> Option<u64> {
    if word.is_empty() {
        return None;
    }
    word.iter().try_fold(0u64, |sum, digit| {
        let digit = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
        sum.checked_mul(10)?.checked_add(digit)
    })
}

/// Whether there are digits and nothing else.
pub(super) fn digits(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// A size: `9730`, `9,730`, `33.5k` (of 1024), `2KB`.
pub(super) fn size(word: &[u8]) -> Option<u64> {
    if let Some(plain) = number(word) {
        return Some(plain);
    }
    if word.iter().all(|b| b.is_ascii_digit() || *b == b',') {
        return grouped(word);
    }
    let word = match word.split_last()? {
        (b'B' | b'b', rest) => rest,
        _ => word,
    };
    let (value, factor) = match word.split_last()? {
        (b'k' | b'K', rest) => (rest, 1u64 << 10),
        (b'm' | b'M', rest) => (rest, 1 << 20),
        (b'g' | b'G', rest) => (rest, 1 << 30),
        (b't' | b'T', rest) => (rest, 1 << 40),
        (digit, _) if digit.is_ascii_digit() => (word, 1),
        _ => return None,
    };
    let mut parts = value.splitn(2, |b| matches!(b, b'.' | b','));
    let whole = number(parts.next()?)?.checked_mul(factor)?;
    let Some(fraction) = parts.next() else { return Some(whole) };
    let scale = 10u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    whole.checked_add(number(fraction)?.checked_mul(factor)? / scale)
}

/// Digits with commas between groups of three.
fn grouped(word: &[u8]) -> Option<u64> {
    let mut groups = word.split(|b| *b == b',');
    let mut sum = groups.next().filter(|first| (1..=3).contains(&first.len())).and_then(number)?;
    for group in groups {
        let group = number(group).filter(|_| group.len() == 3)?;
        sum = sum.checked_mul(1000)?.checked_add(group)?;
    }
    Some(sum)
}

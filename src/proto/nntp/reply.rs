//! Replies: a code and words (RFC 3977, 3.2).

use crate::proto::said::sentence;
pub(super) use crate::proto::said::text;

/// A server's answer to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    /// The code.
    pub code: u16,
    /// The rest of the line.
    pub rest: Vec<u8>,
}

impl Reply {
    /// Reads a line; `None` when it has no code.
    pub fn of(line: &[u8]) -> Option<Reply> {
        let (code, rest) = line.split_at_checked(3)?;
        let digits = code.iter().all(u8::is_ascii_digit) && (b'1'..=b'5').contains(&code[0]);
        let ends = rest.first().is_none_or(|octet| matches!(octet, b' ' | b'\t'));
        let code = std::str::from_utf8(code).ok().filter(|_| digits && ends)?.parse().ok()?;
        Some(Reply { code, rest: rest.trim_ascii().to_vec() })
    }

    /// Code and words for a sentence: `411 No such group.`
    pub fn words(&self) -> String {
        sentence(self.code, &text(&self.rest))
    }

    /// The numbers that the words begin with; `None` where something else stands.
    pub fn number(&self, at: usize) -> Option<u64> {
        let word = self.rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(at)?;
        std::str::from_utf8(word).ok().filter(|word| word.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()
    }
}

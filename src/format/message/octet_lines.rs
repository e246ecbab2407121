//! Octets → lines of octets with their ends, however they are cut into chunks. A line that is too long is cut.

use memchr::memchr;

/// The longest line, in octets.
const LONGEST: usize = 64 * 1024;

/// Whether a piece begins a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Begins {
    /// It does.
    #[default]
    Line,
    /// It goes on with a line that was too long.
    Within,
}

/// Cuts a stream into lines.
#[derive(Default)]
pub(super) struct OctetLines {
    held: Vec<u8>,
    next: Begins,
}

impl OctetLines {
    /// Gives every line that is complete, LF included.
    pub fn feed(&mut self, octets: &[u8], each: &mut dyn FnMut(&[u8], Begins)) {
        let mut octets = octets;
        while !octets.is_empty() {
            let room = (LONGEST - self.held.len()).min(octets.len());
            let end = memchr(b'\n', &octets[..room]).map(|end| end + 1);
            let whole = end.is_some() || self.held.len() + room == LONGEST;
            let taken = end.unwrap_or(room);
            if !whole || !self.held.is_empty() {
                self.held.extend_from_slice(&octets[..taken]);
            }
            if whole {
                let line = if self.held.is_empty() { &octets[..taken] } else { self.held.as_slice() };
                each(line, self.next);
                self.next = if end.is_some() { Begins::Line } else { Begins::Within };
                self.held.clear();
            }
            octets = &octets[taken..];
        }
    }

    /// Gives the last line, if it has no end.
    pub fn finish(&mut self, each: &mut dyn FnMut(&[u8], Begins)) {
        let held = std::mem::take(&mut self.held);
        if !held.is_empty() {
            each(&held, self.next);
        }
        self.next = Begins::Line;
    }
}

//! A stream of octets → lines without their ends.

use memchr::memchr;

/// The longest line, in octets, so that what is made of it is no longer than a line of a directory page. The rest of a
/// longer one is left out.
const LONGEST: usize = 32 * 1024;

/// Cuts a stream into lines at LF, and takes CRs off their ends.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    /// The beginning of a line whose end has not come.
    held: Vec<u8>,
}

impl Cutter {
    /// Gives every line that is complete.
    pub fn feed(&mut self, mut octets: &[u8], each: &mut dyn FnMut(&[u8])) {
        while let Some(end) = memchr(b'\n', octets) {
            if self.held.is_empty() {
                each(cut(&octets[..end]));
            } else {
                self.hold(&octets[..end]);
                each(cut(&self.held));
                self.held.clear();
            }
            octets = &octets[end + 1..];
        }
        self.hold(octets);
    }

    /// Gives the last line, if the stream did not end with a line end.
    pub fn finish(&mut self, each: &mut dyn FnMut(&[u8])) {
        if !self.held.is_empty() {
            each(cut(&std::mem::take(&mut self.held)));
        }
    }

    fn hold(&mut self, octets: &[u8]) {
        let room = LONGEST.saturating_sub(self.held.len());
        self.held.extend_from_slice(&octets[..octets.len().min(room)]);
    }
}

fn cut(line: &[u8]) -> &[u8] {
    let line = &line[..line.len().min(LONGEST)];
    let end = line.iter().rposition(|b| *b != b'\r').map_or(0, |at| at + 1);
    &line[..end]
}

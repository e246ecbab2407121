//! Names of members: what may be one, and the way that a path takes through links. Nothing leads out of the archive.

use std::collections::VecDeque;

/// Octets of a name that are taken.
pub(super) const LONGEST: usize = 16 * 1024;

/// A member's path without `.`, doubled slashes and the slash at its end; `None` where it is absolute, has `..` or a drive in it,
/// or an octet that no list of names could hold (NUL, CR, LF).
pub(super) fn clean(raw: &[u8]) -> Option<Vec<u8>> {
    // First, for a long one need not be looked through.
    if raw.len() > LONGEST {
        return None;
    }
    let drive = matches!(raw, [letter, b':', ..] if letter.is_ascii_alphabetic());
    let odd = raw.iter().any(|b| matches!(b, 0 | b'\r' | b'\n'));
    if raw.starts_with(b"/") || drive || odd {
        return None;
    }
    let mut path = Vec::with_capacity(raw.len());
    for step in raw.split(|b| *b == b'/').filter(|step| !step.is_empty() && *step != b".") {
        if step == b".." {
            return None;
        }
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(step);
    }
    Some(path)
}

/// A way through an archive, step by step.
pub(super) struct Steps {
    here: Vec<u8>,
    ahead: VecDeque<Vec<u8>>,
}

impl Steps {
    pub(super) fn new(path: &[u8]) -> Steps {
        Steps { here: Vec::new(), ahead: split(path).collect() }
    }

    /// Where it has come to.
    pub(super) fn here(&self) -> &[u8] {
        &self.here
    }

    /// Goes a step; false at the end, an error where the step leads out.
    pub(super) fn next(&mut self) -> Result<bool, ()> {
        let Some(step) = self.ahead.pop_front() else { return Ok(false) };
        if step == b".." {
            return self.back().map(|()| true);
        }
        if !self.here.is_empty() {
            self.here.push(b'/');
        }
        self.here.extend_from_slice(&step);
        Ok(true)
    }

    fn back(&mut self) -> Result<(), ()> {
        if self.here.is_empty() {
            return Err(());
        }
        let end = memchr::memrchr(b'/', &self.here).unwrap_or(0);
        self.here.truncate(end);
        Ok(())
    }

    /// The last step was a link: goes on to its target from the folder it stands in.
    pub(super) fn turn(&mut self, target: &[u8]) -> Result<(), ()> {
        self.back()?;
        self.lead(target)
    }

    /// The last step was another name: goes on to the path it stands for, from the root.
    pub(super) fn restart(&mut self, target: &[u8]) -> Result<(), ()> {
        self.here.clear();
        self.lead(target)
    }

    fn lead(&mut self, target: &[u8]) -> Result<(), ()> {
        let drive = matches!(target, [letter, b':', ..] if letter.is_ascii_alphabetic());
        if target.starts_with(b"/") || drive || target.is_empty() || target.len() > LONGEST {
            return Err(());
        }
        for step in split(target).rev() {
            self.ahead.push_front(step);
        }
        Ok(())
    }
}

fn split(path: &[u8]) -> impl DoubleEndedIterator<Item = Vec<u8>> + '_ {
    path.split(|b| *b == b'/').filter(|step| !step.is_empty() && *step != b".").map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_are_none() {
        for raw in ["/etc/passwd", "../x", "a/../../x", "a/..", "C:/x", "c:x", "a\0b", "a\nb", "a\rb"] {
            assert_eq!(clean(raw.as_bytes()), None, "{raw:?}");
        }
        for (raw, path) in [("./a//b/", "a/b"), (".", ""), ("a\\b", "a\\b"), ("...", "..."), ("\x1b[2J", "\x1b[2J")] {
            assert_eq!(clean(raw.as_bytes()).as_deref(), Some(path.as_bytes()), "{raw:?}");
        }
    }
}

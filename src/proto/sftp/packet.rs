//! Packets of SFTP version 3 (draft-ietf-secsh-filexfer-02), which is what every server speaks: a length, a kind, a number,
//! fields. What is asked for here only reads.
//!
//! Refuses: to believe a length or a count before the octets are there.

/// Octets of the largest answer that is taken; OpenSSH sends no larger ones.
pub(super) const MOST: usize = 256 * 1024;

/// The version that is spoken.
pub(super) const VERSION: u32 = 3;

/// A request, by its number on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Open = 3,
    Close = 4,
    Read = 5,
    OpenDir = 11,
    ReadDir = 12,
    RealPath = 16,
    Stat = 17,
    ReadLink = 19,
}

/// SSH_FXF_READ, the only way in which files are opened here.
const READ: u32 = 1;

/// The first packet: the version, without a number.
pub(super) fn hello() -> Vec<u8> {
    framed(1, &VERSION.to_be_bytes())
}

/// A request about a path or a handle.
pub(super) fn about(verb: Verb, number: u32, what: &[u8]) -> Vec<u8> {
    let mut fields = number.to_be_bytes().to_vec();
    push(&mut fields, what);
    if verb == Verb::Open {
        fields.extend_from_slice(&READ.to_be_bytes());
        // No attributes.
        fields.extend_from_slice(&0_u32.to_be_bytes());
    }
    framed(verb as u8, &fields)
}

/// A request for octets of an open file.
pub(super) fn read(number: u32, handle: &[u8], offset: u64, length: u32) -> Vec<u8> {
    let mut fields = number.to_be_bytes().to_vec();
    push(&mut fields, handle);
    fields.extend_from_slice(&offset.to_be_bytes());
    fields.extend_from_slice(&length.to_be_bytes());
    framed(Verb::Read as u8, &fields)
}

fn push(fields: &mut Vec<u8>, text: &[u8]) {
    // Paths come from URLs and handles from packets: neither is near that length.
    fields.extend_from_slice(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes());
    fields.extend_from_slice(text);
}

fn framed(kind: u8, fields: &[u8]) -> Vec<u8> {
    let length = u32::try_from(fields.len() + 1).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], &[kind], fields].concat()
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    Status { code: u32, words: Vec<u8> },
    Handle(Vec<u8>),
    Data(Vec<u8>),
    Names(Vec<Name>),
    Attributes(Attributes),
}

/// An entry of a directory, or the one name that a link or a path stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub name: Vec<u8>,
    pub attributes: Attributes,
}

/// What is known of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Attributes {
    /// In octets.
    pub size: Option<u64>,
    /// The mode as `stat` has it, kind of file included.
    pub mode: Option<u32>,
    /// The last change, in seconds since 1970.
    pub modified: Option<u32>,
    /// Owner and group, by their numbers there.
    pub owner: Option<(u32, u32)>,
}

/// What a path leads to, by the mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Directory,
    File,
    Link,
    Other,
    Unsaid,
}

impl Attributes {
    pub fn what(&self) -> What {
        match self.mode.map(|mode| mode & 0o170_000) {
            None | Some(0) => What::Unsaid,
            Some(0o040_000) => What::Directory,
            Some(0o100_000) => What::File,
            Some(0o120_000) => What::Link,
            Some(_) => What::Other,
        }
    }
}

/// The version in the server's first packet, without its length.
pub(super) fn version(packet: &[u8]) -> Option<u32> {
    match packet.split_first() {
        Some((2, rest)) => Fields(rest).number(),
        _ => None,
    }
}

/// The number and the meaning of an answer, without its length; `None` for what makes no sense.
pub(super) fn answer(packet: &[u8]) -> Option<(u32, Answer)> {
    let (kind, rest) = packet.split_first()?;
    let mut fields = Fields(rest);
    let number = fields.number()?;
    let answer = match kind {
        // The words, and their language, are missing from old servers.
        101 => Answer::Status { code: fields.number()?, words: fields.text().unwrap_or_default().to_vec() },
        102 => Answer::Handle(fields.text()?.to_vec()),
        103 => Answer::Data(fields.text()?.to_vec()),
        104 => {
            let count = fields.number()?;
            let mut names = Vec::new();
            for _ in 0..count {
                let name = fields.text()?.to_vec();
                // The line of a long listing, made for people.
                fields.text()?;
                names.push(Name { name, attributes: fields.attributes()? });
            }
            Answer::Names(names)
        }
        105 => Answer::Attributes(fields.attributes()?),
        _ => return None,
    };
    Some((number, answer))
}

/// Fields that are still to be read.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn number(&mut self) -> Option<u32> {
        let (octets, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*octets))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    /// Section 5 of the draft.
    fn attributes(&mut self) -> Option<Attributes> {
        let flags = self.number()?;
        let has = |bit: u32| flags & bit != 0;
        let mut out = Attributes::default();
        if has(1) {
            out.size = Some(u64::from(self.number()?) << 32 | u64::from(self.number()?));
        }
        if has(2) {
            out.owner = Some((self.number()?, self.number()?));
        }
        if has(4) {
            out.mode = Some(self.number()?);
        }
        if has(8) {
            (_, out.modified) = (self.number()?, Some(self.number()?));
        }
        if has(0x8000_0000) {
            for _ in 0..self.number()? {
                self.text()?;
                self.text()?;
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_as_the_draft_has_them() {
        assert_eq!(hello(), [0, 0, 0, 5, 1, 0, 0, 0, 3]);
        assert_eq!(about(Verb::Stat, 7, b"/a"), [0, 0, 0, 11, 17, 0, 0, 0, 7, 0, 0, 0, 2, b'/', b'a']);
        let open = about(Verb::Open, 1, b"/a");
        assert_eq!(open[..5], [0, 0, 0, 19, 3]);
        assert_eq!(open[open.len() - 8..], [0, 0, 0, 1, 0, 0, 0, 0]);
        let read = read(2, b"h", 1 << 32, 9);
        assert_eq!(read, [0, 0, 0, 22, 5, 0, 0, 0, 2, 0, 0, 0, 1, b'h', 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9]);
    }

    #[test]
    fn answers_that_end_early_make_no_sense() {
        let whole = [
            &[104, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 1, b'a', 0, 0, 0, 0][..],
            &[0x80, 0, 0, 0x0F, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0x81, 0xA4],
            &[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, b'x', 0, 0, 0, 0],
        ]
        .concat();
        let attributes = Attributes { size: Some(9), mode: Some(0o100_644), modified: Some(2), owner: Some((1, 2)) };
        assert_eq!(answer(&whole), Some((5, Answer::Names(vec![Name { name: b"a".to_vec(), attributes }]))));
        assert_eq!(attributes.what(), What::File);
        for length in 0..whole.len() {
            assert_eq!(answer(&whole[..length]), None, "{length}");
        }
        // Four thousand million names, of which none is there.
        assert_eq!(answer(&[104, 0, 0, 0, 5, 0xFF, 0xFF, 0xFF, 0xFF]), None);
        assert_eq!(answer(&[103, 0, 0, 0, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0]), None);
        assert_eq!(version(&[2, 0, 0, 0, 3]), Some(3));
        assert_eq!(version(b"Welcome!"), None);
    }
}

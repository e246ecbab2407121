//! The generic split into five parts (RFC 3986, Appendix B) and its inverse.
//!
//! One pass over the bytes; every string has a split, and joining it gives the string back. Refuses: judging the parts.

/// The five parts of a URI reference, raw as written. `None` is undefined, `Some("")` is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts<'a> {
    /// Before the first colon, when that comes before any of `/?#`.
    pub scheme: Option<&'a str>,
    /// After `//`, to the next `/`, `?`, `#` or the end.
    pub authority: Option<&'a str>,
    /// Never undefined, possibly empty.
    pub path: &'a str,
    /// After `?`.
    pub query: Option<&'a str>,
    /// After `#`.
    pub fragment: Option<&'a str>,
}

impl Parts<'_> {
    /// Whether this reference stays in the document that holds it (RFC 3986, 4.4; FRAG-04).
    pub fn is_same_document(&self) -> bool {
        self.scheme.is_none() && self.authority.is_none() && self.path.is_empty() && self.query.is_none()
    }
}

/// What a scheme or an authority holds that needs a closer look; 0 for a plain host name after a plain scheme.
pub(super) mod mark {
    /// `@`
    pub const AT: u8 = 1;
    /// `:`
    pub const COLON: u8 = 2;
    /// `[` or `]`
    pub const BRACKET: u8 = 4;
    /// A control, a space, a character that no host name has, or one beyond ASCII.
    pub const ODD: u8 = 8;
    /// Before the first colon: something that no scheme has in it.
    pub const NO_SCHEME: u8 = 32;
    /// `/`, `?` or `#`: never inside an authority.
    pub(super) const END: u8 = 16;
}

#[expect(clippy::cast_possible_truncation, reason = "below 256")]
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            b'@' => mark::AT | mark::NO_SCHEME,
            b':' => mark::COLON,
            b'[' | b']' => mark::BRACKET | mark::NO_SCHEME,
            b'/' | b'?' | b'#' => mark::END,
            0..=b' ' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{'..=b'}' | 0x7F.. => mark::ODD | mark::NO_SCHEME,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'+' | b'-' | b'.' => 0,
            _ => mark::NO_SCHEME,
        };
        b += 1;
    }
    class
};

/// Where each part ends, in bytes; the marks (`:`, `//`, `?`, `#`) are found in the text again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cuts {
    /// Length of the scheme; `None` when undefined.
    pub scheme: Option<usize>,
    /// Where the path begins: the end of the authority, or of the scheme's colon.
    pub hier: usize,
    pub path: usize,
    pub query: usize,
    /// What was seen in scheme and authority, a union of [`mark`]s.
    pub marks: u8,
}

impl Cuts {
    #[inline]
    pub(super) fn of(text: &str) -> Cuts {
        let bytes = text.as_bytes();
        let mut marks = 0;
        let mut scheme = None;
        let mut hier = 0;
        for (at, &b) in bytes.iter().enumerate() {
            let class = CLASS[usize::from(b)];
            if class & (mark::COLON | mark::END) != 0 {
                if b == b':' && at > 0 {
                    scheme = Some(at);
                    hier = at + 1;
                }
                break;
            }
            marks |= class & mark::NO_SCHEME;
        }
        if bytes[hier..].starts_with(b"//") {
            hier += 2;
            while let Some(&b) = bytes.get(hier) {
                let class = CLASS[usize::from(b)];
                if class == mark::END {
                    break;
                }
                marks |= class & !mark::NO_SCHEME;
                hier += 1;
            }
        }
        let path = memchr::memchr2(b'?', b'#', &bytes[hier..]).map_or(bytes.len(), |n| hier + n);
        let query = match bytes.get(path) {
            Some(b'?') => memchr::memchr(b'#', &bytes[path..]).map_or(bytes.len(), |n| path + n),
            _ => path,
        };
        Cuts { scheme, hier, path, query, marks }
    }

    #[inline]
    pub(super) fn parts(self, text: &str) -> Parts<'_> {
        Parts {
            scheme: self.scheme.map(|end| &text[..end]),
            authority: self.authority(text),
            path: &text[self.hier..self.path],
            query: self.query(text),
            fragment: self.fragment(text),
        }
    }

    #[inline]
    pub(super) fn authority(self, text: &str) -> Option<&str> {
        let after_scheme = self.scheme.map_or(0, |end| end + 1);
        // an authority needs its two slashes; a path is never cut inside
        (self.hier > after_scheme).then(|| &text[after_scheme + 2..self.hier])
    }

    #[inline]
    pub(super) fn query(self, text: &str) -> Option<&str> {
        (self.query > self.path).then(|| &text[self.path + 1..self.query])
    }

    #[inline]
    pub(super) fn fragment(self, text: &str) -> Option<&str> {
        (text.len() > self.query).then(|| &text[self.query + 1..])
    }
}

/// Splits any text; every string has a split (GEN-04).
pub fn split(text: &str) -> Parts<'_> {
    Cuts::of(text).parts(text)
}

/// Joins the parts again, byte for byte (RFC 3986, 5.3; GEN-06).
impl std::fmt::Display for Parts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(scheme) = self.scheme {
            write!(f, "{scheme}:")?;
        }
        if let Some(authority) = self.authority {
            write!(f, "//{authority}")?;
        }
        f.write_str(self.path)?;
        if let Some(query) = self.query {
            write!(f, "?{query}")?;
        }
        if let Some(fragment) = self.fragment {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

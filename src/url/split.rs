//! The generic split into five parts (RFC 3986, Appendix B) and its inverse.

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

/// Where each part ends, in bytes; the marks (`:`, `//`, `?`, `#`) are found in the text again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    /// Length of the scheme, or `u32::MAX` when undefined.
    pub scheme: u32,
    /// Where the path begins: the end of the authority, or of the scheme's colon.
    pub hier: u32,
    pub path: u32,
    pub query: u32,
}

impl Ends {
    pub(super) fn of(text: &str) -> Ends {
        let bytes = text.as_bytes();
        let mut scheme = u32::MAX;
        let mut at = 0;
        for (i, b) in bytes.iter().enumerate() {
            match b {
                b':' if i > 0 => {
                    scheme = i as u32;
                    at = i + 1;
                    break;
                }
                b':' | b'/' | b'?' | b'#' => break,
                _ => {}
            }
        }
        let stop = |from: usize, marks: &[u8]| {
            bytes[from..].iter().position(|b| marks.contains(b)).map_or(bytes.len(), |n| from + n)
        };
        if bytes[at..].starts_with(b"//") {
            at = stop(at + 2, b"/?#");
        }
        let path = stop(at, b"?#");
        let query = if bytes.get(path) == Some(&b'?') { stop(path + 1, b"#") } else { path };
        Ends { scheme, hier: at as u32, path: path as u32, query: query as u32 }
    }

    pub(super) fn parts(self, text: &str) -> Parts<'_> {
        let scheme = (self.scheme != u32::MAX).then(|| &text[..self.scheme as usize]);
        let after_scheme = scheme.map_or(0, |s| s.len() + 1);
        let (hier, path, query) = (self.hier as usize, self.path as usize, self.query as usize);
        Parts {
            scheme,
            authority: (hier >= after_scheme + 2).then(|| &text[after_scheme + 2..hier]),
            path: &text[hier..path],
            query: (query > path).then(|| &text[path + 1..query]),
            fragment: (text.len() > query).then(|| &text[query + 1..]),
        }
    }
}

/// Splits any text; every string has a split (GEN-04).
pub fn split(text: &str) -> Parts<'_> {
    Ends::of(text).parts(text)
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

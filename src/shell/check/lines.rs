//! In which line of its source a link stands.

use crate::format::Input;
use crate::format::html::{is_html, references};
use crate::url::Url;
use crate::url::scheme::{self, Family, gopher::Gopher};
use memchr::{memchr_iter, memmem, memrchr};
use std::collections::{HashMap, VecDeque};

/// How far behind the last link the next one is looked for before the whole rest is, in octets.
const WINDOW: usize = 64 << 10;
/// How many octets may be searched in vain, for references that stand in a page in other words than they have in its links.
const PATIENCE: usize = 64 << 20;

/// The lines of a source.
pub(in crate::shell) enum Lines<'a> {
    /// Those in which each reference of a page of HTML stands.
    Html(HashMap<String, VecDeque<usize>>),
    /// Those of other formats, which have their references in order.
    Text(Text<'a>),
}

impl<'a> Lines<'a> {
    pub(in crate::shell) fn new(input: &Input, octets: &'a [u8]) -> Lines<'a> {
        if !is_html(&input.media) {
            return Lines::Text(Text { octets, at: 0, line: 1, patience: PATIENCE });
        }
        let mut lines: HashMap<String, VecDeque<usize>> = HashMap::new();
        for found in references(input, octets).all {
            let line = found.line.into_iter();
            line.for_each(|line| lines.entry(found.reference.clone()).or_default().push_back(line));
        }
        Lines::Html(lines)
    }

    /// The line of the next place where a reference stands; `None` where it is not found as written.
    pub(in crate::shell) fn of(&mut self, reference: &str) -> Option<usize> {
        match self {
            Lines::Html(lines) => lines.get_mut(reference)?.pop_front(),
            Lines::Text(text) => text.of(reference),
        }
    }
}

/// A source that is searched for the references in it, one after the other.
pub(in crate::shell) struct Text<'a> {
    octets: &'a [u8],
    at: usize,
    line: usize,
    patience: usize,
}

impl Text<'_> {
    fn of(&mut self, reference: &str) -> Option<usize> {
        let rest = &self.octets[self.at..];
        let found = place(&rest[..rest.len().min(WINDOW)], reference).or_else(|| {
            self.patience = self.patience.checked_sub(rest.len())?;
            let found = place(rest, reference)?;
            self.patience += rest.len();
            Some(found)
        })?;
        self.line += memchr_iter(b'\n', &rest[..found]).count();
        // The same reference may follow.
        self.at += found + 1;
        Some(self.line)
    }
}

/// Where a reference stands in a text.
fn place(text: &[u8], reference: &str) -> Option<usize> {
    let alone = |at: &usize| {
        let before = at.checked_sub(1).map_or(b' ', |before| text[before]);
        let after = text.get(at + reference.len()).copied().unwrap_or(b' ');
        b"\"'=:(<>[| \t\n".contains(&before) && b"\"')<>]| \t\r\n".contains(&after)
    };
    let written = || memmem::find_iter(text, reference).find(alone);
    // In a menu it is made of fields.
    let item = || {
        let url = Url::parse(reference).ok().filter(|url| scheme::family(url) == Family::Gopher)?;
        let (item, host) = (Gopher::of(&url).ok()?, url.host().unwrap_or_default().as_bytes().to_vec());
        let fields = [b"\t", item.selector.as_slice(), b"\t", &host, b"\t"].concat();
        let begins = |at: &usize| text[memrchr(b'\n', &text[..*at]).map_or(0, |end| end + 1)..].first();
        memmem::find_iter(text, &fields).find(|at| begins(at) == Some(&item.item))
    };
    if reference.is_empty() { None } else { written().or_else(item) }
}

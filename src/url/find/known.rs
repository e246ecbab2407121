//! The schemes that are recognised without a wrapper, and what has to follow their colon (TXT-01, TXT-07).

/// What must follow the colon, so that prose ("Good news:they won") is not taken for a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `//` and a host.
    Site,
    /// `/` and a path, with or without host.
    Path,
    /// A group with a dot, a message-id, `*`, or a site.
    News,
    /// An address: something, `@`, something; or header fields only.
    Address,
    /// `nid:nss`.
    Name,
    /// Digits.
    Number,
    /// Never without a wrapper; the word is too common or the URL too long.
    Wrapper,
}

/// One row per scheme.
const SCHEMES: &[(&str, Shape)] = &[
    ("http", Shape::Site),
    ("https", Shape::Site),
    ("ftp", Shape::Site),
    ("ftps", Shape::Site),
    ("sftp", Shape::Site),
    ("gopher", Shape::Site),
    ("gophers", Shape::Site),
    ("gemini", Shape::Site),
    ("titan", Shape::Site),
    ("spartan", Shape::Site),
    ("nex", Shape::Site),
    ("guppy", Shape::Site),
    ("finger", Shape::Site),
    ("telnet", Shape::Site),
    ("rlogin", Shape::Site),
    ("tn3270", Shape::Site),
    ("ssh", Shape::Site),
    ("wais", Shape::Site),
    ("prospero", Shape::Site),
    ("whois", Shape::Site),
    ("whois++", Shape::Site),
    ("z39.50r", Shape::Site),
    ("z39.50s", Shape::Site),
    ("afs", Shape::Site),
    ("nfs", Shape::Site),
    ("irc", Shape::Site),
    ("ircs", Shape::Site),
    ("git", Shape::Site),
    ("rsync", Shape::Site),
    ("dict", Shape::Site),
    ("cso", Shape::Site),
    ("ph", Shape::Site),
    ("ldap", Shape::Site),
    ("ldaps", Shape::Site),
    ("rtsp", Shape::Site),
    ("ws", Shape::Site),
    ("wss", Shape::Site),
    ("archive", Shape::Site),
    ("file", Shape::Path),
    ("news", Shape::News),
    ("snews", Shape::News),
    ("nntp", Shape::News),
    ("nntps", Shape::News),
    ("mailto", Shape::Address),
    ("mid", Shape::Address),
    ("cid", Shape::Address),
    ("sip", Shape::Address),
    ("sips", Shape::Address),
    ("xmpp", Shape::Address),
    ("urn", Shape::Name),
    ("tel", Shape::Number),
    ("sms", Shape::Number),
    ("about", Shape::Wrapper),
    ("data", Shape::Wrapper),
    ("mailserver", Shape::Wrapper),
    ("doi", Shape::Wrapper),
    ("isbn", Shape::Wrapper),
    ("x500", Shape::Wrapper),
    ("magnet", Shape::Wrapper),
];

/// How much of an opaque URL is read before it is believed.
const HEAD: usize = 128;

/// Whether the table has a scheme of that name, in letters of either case.
pub(in crate::url) fn is_known(scheme: &str) -> bool {
    shape(scheme).is_some()
}

/// Whether a URL of that scheme with an empty host leads nowhere.
pub(in crate::url) fn needs_host(scheme: &str) -> bool {
    shape(scheme) == Some(Shape::Site)
}

fn shape(scheme: &str) -> Option<Shape> {
    SCHEMES.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name)).map(|(_, shape)| *shape)
}

/// The known scheme that ends before the colon at `colon`: where it starts, and its shape, which the text fits.
pub(super) fn before_colon(bytes: &[u8], colon: usize) -> Option<(usize, Shape)> {
    let next = *bytes.get(colon + 1)?;
    let last = colon.checked_sub(1).map(|i| bytes[i].to_ascii_lowercase())?;
    if next <= b' ' || !(last.is_ascii_alphanumeric() || last == b'+') {
        return None;
    }
    let before = &bytes[..colon];
    let (name, shape) = SCHEMES.iter().find(|(name, _)| {
        name.as_bytes().last() == Some(&last)
            && before.len().checked_sub(name.len()).is_some_and(|i| {
                before[i..].eq_ignore_ascii_case(name.as_bytes()) && (i == 0 || !before[i - 1].is_ascii_alphanumeric())
            })
    })?;
    let start = compound(before, colon - name.len());
    // "fake-news:x.y" and "a.mid:x@y" are words; before a site "//" says enough
    let inside_word = start > 0 && b"+-._/@&#".contains(&before[start - 1]);
    let rest = &bytes[colon + 1..];
    if !shape.fits(rest) || (inside_word && !rest.starts_with(b"//")) {
        return None;
    }
    Some((start, *shape))
}

/// The longest scheme that is put together of others: `svn+ssh`, `git+https`.
const LONGEST_COMPOUND: usize = 32;

/// Where a scheme begins that ends in a known one behind a plus; else where the known one begins.
fn compound(before: &[u8], start: usize) -> usize {
    if start == 0 || before[start - 1] != b'+' {
        return start;
    }
    let floor = start.saturating_sub(LONGEST_COMPOUND);
    let length =
        before[floor..start].iter().rev().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
    let first = start - length;
    if length > 1 && before[first].is_ascii_alphabetic() { first } else { start }
}

impl Shape {
    fn fits(self, rest: &[u8]) -> bool {
        let head = &rest[..rest.len().min(HEAD)];
        let head = &head[..head.iter().position(|b| *b <= b' ' || b"<>\"".contains(b)).unwrap_or(head.len())];
        match self {
            Shape::Site => {
                head.starts_with(b"//")
                    && head.get(2).is_some_and(|b| b.is_ascii_alphanumeric() || !b.is_ascii() || b"[@%_".contains(b))
            }
            Shape::Path => head.starts_with(b"/") && head.len() > 1,
            Shape::News => Shape::Site.fits(head) || head.first() == Some(&b'*') || is_group_or_id(head),
            Shape::Address => around(head, b"@") || (head.starts_with(b"?") && head.contains(&b'=')),
            Shape::Name => around(head, b":"),
            Shape::Number => head.iter().filter(|b| b.is_ascii_digit()).count() > 2 && starts_like_number(head),
            Shape::Wrapper => false,
        }
    }
}

fn is_group_or_id(head: &[u8]) -> bool {
    head.first().is_some_and(|b| b.is_ascii_alphanumeric() || b"%$_".contains(b)) && around(head, b".@")
}

fn starts_like_number(head: &[u8]) -> bool {
    head.first().is_some_and(|b| b.is_ascii_digit() || *b == b'+')
}

/// Whether one of `marks` has something before it and a letter or digit after it.
fn around(head: &[u8], marks: &[u8]) -> bool {
    let begins = head.first().is_some_and(|b| !marks.contains(b));
    begins
        && head.windows(2).any(|pair| marks.contains(&pair[0]) && (pair[1].is_ascii_alphanumeric() || pair[1] == b'['))
}

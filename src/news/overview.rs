//! One line of a group's overview (RFC 3977, 8.3), with its fields in the usual order:
//! `number TAB subject TAB from TAB date TAB message-id TAB references TAB bytes TAB lines TAB xref`.
//!
//! Servers' overviews have holes: a field that is missing is empty, a number that is none is unknown. Only a line by which no
//! article could be asked for is none.

use memchr::memchr;

/// What the overview tells of an article; octets as the server sent them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overview<'a> {
    /// Its number in this group on this server; never 0.
    pub number: Option<u64>,
    /// Its subject.
    pub subject: &'a [u8],
    /// Who wrote it.
    pub from: &'a [u8],
    /// When, in some form of RFC 5322.
    pub date: &'a [u8],
    /// Its id, without `< >`; empty if there is none.
    pub message_id: &'a [u8],
    /// The articles it answers, oldest first, each in `< >`.
    pub references: &'a [u8],
    /// Its size in octets.
    pub bytes: Option<u64>,
    /// How many lines its body has.
    pub lines: Option<u64>,
    /// `host group:number …`: where else it stands.
    pub xref: &'a [u8],
}

impl<'a> Overview<'a> {
    /// Reads a line, without its end. `None` if it has neither a number nor an id.
    pub fn of(line: &'a [u8]) -> Option<Overview<'a>> {
        let mut rest = Some(line);
        let mut field = || -> &'a [u8] {
            let Some(now) = rest else { return b"" };
            let tab = memchr(b'\t', now);
            rest = tab.map(|tab| &now[tab + 1..]);
            tab.map_or(now, |tab| &now[..tab]).trim_ascii()
        };
        let overview = Overview {
            number: number(field()).filter(|n| *n > 0),
            subject: field(),
            from: field(),
            date: field(),
            message_id: references(field()).next().unwrap_or_default(),
            references: field(),
            bytes: number(field()),
            lines: number(field()),
            xref: xref(field()),
        };
        (overview.number.is_some() || !overview.message_id.is_empty()).then_some(overview)
    }
}

/// The ids of a References field, without `< >`, in order. What stands between them is passed over.
pub fn references(field: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = field;
    std::iter::from_fn(move || {
        loop {
            let start = memchr(b'<', rest)? + 1;
            let id = &rest[start..];
            // An id that was never closed: `<a@b <c@d>` holds one.
            let Some(end) = id.iter().position(|b| b"<> \t".contains(b)) else {
                rest = b"";
                continue;
            };
            rest = &id[end..];
            if id[end] == b'>' && end > 0 {
                return Some(&id[..end]);
            }
        }
    })
}

/// Digits that fit into 64 bits.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |number, digit| {
        let digit = digit.is_ascii_digit().then(|| digit - b'0')?;
        number.checked_mul(10)?.checked_add(digit.into())
    })
}

/// The field with or without its name: OVERVIEW.FMT's `full` says that it stands there (RFC 3977, 8.4), some leave it out.
fn xref(field: &[u8]) -> &[u8] {
    match field.split_at_checked(5) {
        Some((name, value)) if name.eq_ignore_ascii_case(b"xref:") => value.trim_ascii(),
        _ => field,
    }
}

//! Who a `From` field names.

use crate::format::message::words;
use memchr::memmem;
use std::borrow::Cow;

/// A text with its encoded words decoded (RFC 2047); not yet sanitised.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    match memmem::find(text.as_bytes(), b"=?") {
        Some(_) => Cow::Owned(words(text)),
        None => Cow::Borrowed(text),
    }
}

/// Who wrote an article: the name in its `From` field, in any of `Name <address>`, `"Name" <address>`, `address (Name)`; the
/// address if there is none. Not yet sanitised.
pub(super) fn author(from: &str) -> Cow<'_, str> {
    let from = from.trim();
    let name = match (from.rfind('<'), from.find('(')) {
        (Some(at), _) if !from[..at].trim().is_empty() => from[..at].trim(),
        (Some(at), _) => return Cow::Borrowed(from[at + 1..].trim_end_matches('>').trim()),
        (None, Some(at)) => match from[at + 1..].rfind(')').map(|end| from[at + 1..at + 1 + end].trim()) {
            Some(name) if !name.is_empty() => name,
            _ => from[..at].trim(),
        },
        (None, None) => from,
    };
    // Quotes around all of it; what is quoted within an address is part of that.
    let bare = name.strip_prefix('"').and_then(|name| match name.strip_suffix('"') {
        None if name.contains('"') => None,
        inner => Some(inner.unwrap_or(name)),
    });
    match decoded(bare.unwrap_or(name)) {
        name if bare.is_some() && name.contains('\\') => Cow::Owned(unquoted(&name)),
        name => name,
    }
}

/// Takes the backslashes of a quoted string away (RFC 5322, 3.2.1).
fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors() {
        const ROWS: &[(&str, &str)] = &[
            ("Reader One <one@example.org>", "Reader One"),
            ("\"One, \\\"Reader\\\" \\\\\" <one@example.org>", "One, \"Reader\" \\"),
            ("one@example.org (Reader One)", "Reader One"),
            ("one@example.org (Reader (One))", "Reader (One)"),
            ("one@example.org ()", "one@example.org"),
            ("<one@example.org>", "one@example.org"),
            ("one@example.org", "one@example.org"),
            ("=?utf-8?Q?Andr=C3=A9?= <a@b>", "André"),
            ("\"=?utf-8?Q?Andr=C3=A9?=\" <a@b>", "André"),
            ("André", "André"),
            ("\"very odd\"@example.org", "\"very odd\"@example.org"),
            ("a <b <c@d>", "a <b"),
            ("(", ""),
            (")x(", ")x"),
            ("\" <a@b>", ""),
            ("", ""),
        ];
        for (from, wanted) in ROWS {
            assert_eq!(author(from), *wanted, "{from}");
        }
    }
}

//! Passwords in URL texts: where they stand and how they are hidden (SEC-04), also where the text is no usable URL. The token of
//! a `titan:` URL is one, and so is the password of the archive that an `archive:` URL names.

use super::find::known;
use super::{Url, escape, scheme, split};
use std::ops::Range;

/// Hides the password in a text that a reader typed or a document wrote, whether or not it is a usable URL.
///
/// In a text that is no URL everything between the first colon of what looks like a login and the last `@` goes, so
/// that a password with a raw `/` or `#` in it never shows in the error that it causes.
pub fn redact(text: &str) -> String {
    hide(text, found(text))
}

/// The same in what a reader typed, who may leave the scheme out: `joe:password@host` follows the rules of a scheme `joe`, and
/// is a login all the same. A port is none, and the schemes that are known have their own rules.
pub fn redact_typed(text: &str) -> String {
    hide(text, typed(text))
}

/// Whether there is a password in it to be hidden, be it stars.
pub fn says_password(text: &str) -> bool {
    !typed(text).is_empty()
}

fn typed(text: &str) -> Vec<Range<usize>> {
    let found = found(text);
    if found.is_empty() { without_scheme(text).into_iter().collect() } else { found }
}

fn found(text: &str) -> Vec<Range<usize>> {
    found_within(text, 0)
}

fn found_within(text: &str, depth: usize) -> Vec<Range<usize>> {
    match Url::check(text) {
        Ok(_) => hidden(text, depth),
        Err(_) => {
            let named = of_archive(text, depth);
            if named.is_empty() { suspected(text).into_iter().chain(suspected_token(text)).collect() } else { named }
        }
    }
}

/// What is hidden in the text of a URL, in order.
pub(super) fn of_url(text: &str) -> Vec<Range<usize>> {
    hidden(text, 0)
}

fn hidden(text: &str, depth: usize) -> Vec<Range<usize>> {
    match named(text) {
        Some(_) => of_archive(text, depth),
        None => password(text).into_iter().chain(token(text)).collect(),
    }
}

/// Where the archive is named in an `archive:` URL: its own URL, escaped.
fn named(text: &str) -> Option<Range<usize>> {
    let begins = text.get(..ARCHIVE.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(ARCHIVE));
    let end = || text[ARCHIVE.len()..].find(['/', '?', '#']).map_or(text.len(), |end| ARCHIVE.len() + end);
    begins.then(|| ARCHIVE.len()..end())
}

/// What is hidden in the URL of the archive that an `archive:` URL names. All of it is where a login stands there, which is no such URL,
/// and where more archives are within one another than are ever opened: each would be read anew.
fn of_archive(text: &str, depth: usize) -> Vec<Range<usize>> {
    let Some(place) = named(text) else { return Vec::new() };
    let escaped = &text[place.clone()];
    if escaped.contains('@') || depth > scheme::archive::DEEPEST {
        return vec![place];
    }
    let within = within(escaped);
    let ranges = found_within(&within, depth + 1).into_iter();
    let at = |number: usize| place.start + escape::position(escaped, number);
    ranges.map(|range| at(range.start)..at(range.end)).collect()
}

/// What is escaped, in as many octets as it is decoded: other ones for those that are no text.
fn within(escaped: &str) -> String {
    let ascii = |octet: u8| if octet.is_ascii() { char::from(octet) } else { '?' };
    String::from_utf8(escape::decode(escaped))
        .unwrap_or_else(|wrong| wrong.as_bytes().iter().map(|b| ascii(*b)).collect())
}

/// The text with `***` in place of ranges, which are in order.
pub(super) fn hide(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> String {
    let (mut hidden, mut done) = (String::with_capacity(text.len()), 0);
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        if done <= range.start {
            hidden.push_str(&text[done..range.start]);
            hidden.push_str(STARS);
        }
        done = done.max(range.end);
    }
    hidden.push_str(&text[done..]);
    hidden
}

/// What stands in the place of a password.
const STARS: &str = "***";
/// What a token stands behind, and the scheme that has them.
const TOKEN: &str = ";token=";
const TITAN: &str = "titan:";
/// What the URL of an archive stands behind.
const ARCHIVE: &str = "archive://";

/// The token of a `titan:` URL, when there is one and it is not empty. All behind its name is taken for it: whoever writes a raw
/// `;` or `?` into it means that to be secret, too.
pub(super) fn token(text: &str) -> Option<Range<usize>> {
    let is_titan = text.get(..TITAN.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(TITAN));
    if is_titan { suspected_token(text) } else { None }
}

/// The same somewhere in a text.
fn suspected_token(text: &str) -> Option<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let titan = lower.find(TITAN)?;
    let start = titan + lower[titan..].find(TOKEN)? + TOKEN.len();
    (start < text.len()).then_some(start..text.len())
}

/// A URL without a password and without a token, which still leads to the same place.
pub(super) fn without(url: &Url) -> String {
    if let Some(place) = named(url.as_str()).filter(|_| !of_url(url.as_str()).is_empty()) {
        let (text, within) = (url.as_str(), Url::parse(within(&url.as_str()[place.clone()])));
        let within = within.map(|within| escape::encode(without(&within).as_bytes(), b""));
        return format!("{ARCHIVE}{}{}", within.as_deref().unwrap_or(STARS), &text[place.end..]);
    }
    let hidden = url.redacted();
    let text = match url.password() {
        Some(_) => hidden.replacen(":***@", "@", 1),
        None => hidden,
    };
    match token(&text).and_then(|token| text.get(..token.start - TOKEN.len())) {
        Some(place) => place.into(),
        None => text,
    }
}

/// The password of a URL, when there is one and it is not empty.
pub(super) fn password(text: &str) -> Option<Range<usize>> {
    let parts = split(text);
    let start = parts.scheme.map_or(0, |scheme| scheme.len() + 1);
    if let Some(authority) = parts.authority.filter(|authority| !authority.is_empty()) {
        return in_login(text, start + 2..start + 2 + authority.len());
    }
    // `http:/user:password@host/`: a login at the wrong place is one all the same
    let scheme = parts.scheme.filter(|scheme| scheme::default_port(scheme).is_some())?;
    // There a colon and an `@` without a site are a message-id's.
    if scheme::table::family(scheme).is_news() {
        return None;
    }
    let slashes = text[start..].bytes().take_while(|b| b"/\\".contains(b)).count();
    let rest = &text[start + slashes..];
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    in_login(text, start + slashes..start + slashes + end)
}

/// The password between the first colon and the last `@` of what stands where an authority stands.
fn in_login(text: &str, authority: Range<usize>) -> Option<Range<usize>> {
    let end = authority.start + text[authority.clone()].rfind('@')?;
    let start = authority.start + text[authority.start..end].find(':')? + 1;
    (start < end).then_some(start..end)
}

/// What may be a password in a text that no rule can split: all from the first colon to the last `@`, but for a colon
/// that ends a scheme.
fn suspected(text: &str) -> Option<Range<usize>> {
    let site = match text.split_once(':') {
        Some((scheme, rest)) if rest.starts_with("//") || rest.starts_with("\\\\") => match scheme {
            _ if scheme.is_empty() || scheme.contains(['%', '@', '/']) => 0,
            _ => scheme.len() + 3,
        },
        _ => 0,
    };
    in_login(text, site..text.len()).or_else(|| in_login(text, 0..text.len()))
}

/// The password of a login that stands where a scheme would.
fn without_scheme(text: &str) -> Option<Range<usize>> {
    let (name, rest) = text.split_once(':')?;
    may_be_user(name, rest).then(|| in_login(text, 0..text.len())).flatten()
}

/// Whether what stands before the first colon of a typed address may be a user, and what comes after it a password: it is no
/// scheme that is known, no host with its port, and no drive.
pub fn may_be_user(name: &str, rest: &str) -> bool {
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = port.bytes().all(|b| b.is_ascii_digit());
    let is_name = !name.is_empty() && !name.contains(|c: char| "/\\?#@[".contains(c) || c.is_whitespace());
    is_name && !is_port && !rest.starts_with(['/', '\\']) && !known::is_known(name) && !is_listed(name)
}

fn is_listed(name: &str) -> bool {
    scheme::table::family(name) != scheme::Family::Other || scheme::default_port(name).is_some()
}

//! URLs without wrapper: they end at white space or a delimiter, less the sentence's punctuation (TXT-01, TXT-07).

use super::known::Shape;
use super::{Found, Look, usable, wrapped};

/// Reads the URL whose known scheme runs from `start` to `colon`.
pub(super) fn read(text: &str, start: usize, colon: usize, shape: Shape) -> Option<Look> {
    let end = extent(text, start, colon + 1);
    let url = &text[start..end];
    if (shape == Shape::Site && end <= colon + 3) || !usable(url) {
        // the whole token is passed over, or a text made of such tokens would be read again from each of them
        return Some(Look { found: None, resume: end.max(colon + 1) });
    }
    let alternatives = continued(text, start, end).into_iter().collect();
    let found = Found { range: start..end, url: url.into(), alternatives, sure: true };
    Some(Look { found: Some(found), resume: end })
}

/// Where the URL that begins at `start` ends; the bytes up to `from` belong to it already.
pub(super) fn extent(text: &str, start: usize, from: usize) -> usize {
    let before = start.checked_sub(1).map_or(0, |i| text.as_bytes()[i]);
    trimmed(text, from, stop(text, from, before == b'\''), before)
}

/// The first character that cannot belong to the URL, or a closing bracket that was not opened in it.
fn stop(text: &str, from: usize, in_quote: bool) -> usize {
    let bytes = text.as_bytes();
    let (mut round, mut square, mut in_query) = (0usize, 0usize, false);
    let mut at = from;
    while let Some(&b) = bytes.get(at) {
        match b {
            0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'\\' | b'^' | b'{' | b'}' | b'|' => break,
            b'\'' if in_quote => break,
            b'(' => round += 1,
            b')' if round == 0 => break,
            b')' => round -= 1,
            // brackets belong to IPv6 hosts (D24); in queries they are common, and after a path they are a footnote
            b'[' if !in_query && !b"/@".contains(&bytes[at.saturating_sub(1)]) => break,
            b'[' => square += 1,
            b']' if square == 0 => break,
            b']' => square -= 1,
            b'?' => in_query = true,
            0x80.. => match text[at..].chars().next() {
                Some(c) if !is_delimiter(c) => {
                    at += c.len_utf8();
                    continue;
                }
                _ => break,
            },
            _ => {}
        }
        at += 1;
    }
    at
}

/// Takes the sentence's punctuation off the end, and the closing half of `*emphasis*` that began before the URL.
fn trimmed(text: &str, from: usize, mut end: usize, before: u8) -> usize {
    let bytes = text.as_bytes();
    while end > from {
        match bytes[end - 1] {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'(' | b'[' => end -= 1,
            mark @ (b'*' | b'_' | b'~') if mark == before => end -= 1,
            _ => break,
        }
    }
    end
}

/// Characters beyond ASCII that end a URL: white space, controls, and punctuation that no sentence puts into a name.
fn is_delimiter(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{A1}' | '\u{AB}' | '\u{BB}' | '\u{BF}'
            | '\u{60C}' | '\u{61B}' | '\u{61F}' | '\u{6D4}' | '\u{964}' | '\u{965}'
            | '\u{2000}'..='\u{206F}'       // dashes, quotes, ellipsis, zero-width and bidi controls
            | '\u{2190}'..='\u{21FF}'       // arrows
            | '\u{2500}'..='\u{259F}'       // boxes and blocks: tables drawn in text
            | '\u{2E00}'..='\u{2E7F}'
            | '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{3030}' | '\u{303D}' | '\u{30FB}'
            | '\u{FE10}'..='\u{FE1F}' | '\u{FE30}'..='\u{FE6F}' | '\u{FEFF}'
            | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}'
            | '\u{FFF0}'..='\u{FFFF}')
}

/// A URL that ends its line with a hyphen may go on in the next: the other reading, never the first (D36).
fn continued(text: &str, start: usize, end: usize) -> Option<String> {
    let bytes = text.as_bytes();
    if bytes.get(end.checked_sub(1)?) != Some(&b'-') {
        return None;
    }
    let line_end = end + bytes[end..].iter().position(|b| !b" \t\r".contains(b))?;
    if bytes[line_end] != b'\n' {
        return None;
    }
    let next = wrapped::after_prefix(bytes, line_end + 1, wrapped::quote_depth(bytes, start));
    let next_end = extent(text, next, next);
    (next_end > next).then(|| format!("{}{}", &text[start..end], &text[next..next_end]))
}

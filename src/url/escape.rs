//! Percent-escapes: octets ⇄ URL characters (RFC 3986, 2; ESC-01 … 18, CHR-01 … 09).
//!
//! Decoding happens once, inside a component that was split off before (ESC-02, ESC-03). Escapes have no charset: what
//! comes out are octets (ESC-12). The character sets are those of RFC 3986 (D24).

/// Kept in a path, and in a gopher selector, search or Gopher+ string; `?` would begin a query (GOP-04).
pub const PATH: &[u8] = b"!$&'()*+,;=:@/";
/// Kept in a query or a fragment; `#` would end it.
pub const QUERY: &[u8] = b"!$&'()*+,;=:@/?";
/// Kept in a directory or file name of an FTP path; `;` would begin a typecode (FTP-10).
pub const FTP_SEGMENT: &[u8] = b"!$&'()*+,=:@";
/// The same in a path of such names.
pub const FTP_PATH: &[u8] = b"!$&'()*+,=:@/";
/// Kept in a message-id or a group's name (RFC 5538, 2).
pub const NEWS_ID: &[u8] = b"!$&'()*+,;=:@";

/// Letters, digits and `-._~`: escaped or not, they mean the same (RFC 3986, 2.3).
pub const fn is_unreserved(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~')
}

/// The delimiters of RFC 3986, 2.2: escaped and plain ones differ.
pub const fn is_reserved(b: u8) -> bool {
    matches!(b, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@' | b'!' | b'$' | b'&' | b'\'' | b'('..=b',' | b';' | b'=')
}

/// The octet of the escape that begins at byte `at`.
pub(super) fn escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    let &[b'%', high, low] = bytes.get(at..at + 3)? else { return None };
    let digit = |b: u8| char::from(b).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Appends the escape of one octet, in upper case (D41).
pub(super) fn push_escape(out: &mut String, octet: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(HEX[usize::from(octet >> 4)] as char);
    out.push(HEX[usize::from(octet & 15)] as char);
}

/// Whether a hexadecimal digit, decoded here, would complete an escape together with a stray `%` before it.
pub(super) fn would_complete_escape(out: &str, octet: u8) -> bool {
    octet.is_ascii_hexdigit() && matches!(out.as_bytes(), [.., b'%'] | [.., b'%', _])
}

/// Whether all octets are ASCII characters that a screen shows, spaces among them. Looked at eight by eight: nearly all there is
/// is long runs of plain text.
pub fn is_printable(octets: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = octets.as_chunks::<8>();
    let shown = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        // Below a space the subtraction borrows, at DEL the addition carries; a borrow makes its neighbour look odd at worst.
        (word | word.wrapping_sub(ONES * 0x20) | word.wrapping_add(ONES)) & HIGH == 0
    };
    words.iter().all(shown) && rest.iter().all(|b| matches!(b, b' '..=b'~'))
}

/// Decodes every `%XX` once, to octets; a malformed escape stays as written (ESC-16).
pub fn decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(percent) = memchr::memchr(b'%', &bytes[at..]) {
        out.extend_from_slice(&bytes[at..at + percent]);
        at += percent;
        let octet = escape_at(bytes, at);
        out.push(octet.unwrap_or(b'%'));
        at += if octet.is_some() { 3 } else { 1 };
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Where the octet with this number, counted from 0, of what [`decode`] gives stands in the text; the text's end for those beyond.
pub(super) fn position(text: &str, number: usize) -> usize {
    let (bytes, mut at) = (text.as_bytes(), 0);
    for _ in 0..number {
        at += if escape_at(bytes, at).is_some() { 3 } else { 1 };
    }
    at.min(bytes.len())
}

/// Escapes every octet that is neither unreserved (RFC 3986, 2.3) nor in `keep`, one of this module's constants.
///
/// `decode` gives the octets back as long as `keep` has no `%` in it.
pub fn encode(octets: &[u8], keep: &[u8]) -> String {
    let mut out = String::with_capacity(octets.len());
    for &b in octets {
        if is_unreserved(b) || (b.is_ascii() && keep.contains(&b)) {
            out.push(b as char);
        } else {
            push_escape(&mut out, b);
        }
    }
    out
}

/// Escapes what may not stand in a URL and leaves escapes and delimiters alone (ESC-07, 08, 09, 11). A `%` that begins
/// no escape passes through, as browsers do it in links (ESC-16).
///
/// Takes a whole URL or reference. Letters beyond ASCII in the site stay: a host goes to the wire as punycode (D27).
pub fn make_safe(text: &str) -> String {
    safe(text, Stray::Keep)
}

/// As [`make_safe`], for what a reader typed: a `%` that begins no escape was meant as a percent sign (ESC-16).
pub fn make_safe_typed(text: &str) -> String {
    safe(text, Stray::Escape)
}

/// Octets that stand in a path and in a query as they are: an escape's too, and a `%` that begins none.
const SETTLED: [bool; 256] = {
    let mut settled = [false; 256];
    let mut b = b' ';
    while b <= b'~' {
        settled[b as usize] = is_unreserved(b) || (is_reserved(b) && !matches!(b, b'#' | b'[' | b']')) || b == b'%';
        b += 1;
    }
    settled
};

/// Whether [`make_safe`] would leave a path or a query as it is. A table, since all that is asked for goes through here.
pub(super) fn is_settled(text: &str) -> bool {
    text.bytes().all(|b| SETTLED[usize::from(b)])
}

/// What a server of the web is asked for: a path, with its slash, and a query, escaped as by [`make_safe`].
pub(super) fn make_target(path: &str, query: Option<&str>) -> String {
    let mut out = String::with_capacity(path.len() + query.map_or(0, str::len) + 2);
    if !path.starts_with('/') {
        out.push('/');
    }
    let mut push = |part: &str, keep: &[u8]| match is_settled(part) {
        true => out.push_str(part),
        false => push_safe(&mut out, part, |c| among(c, keep), Stray::Keep),
    };
    push(path, PATH);
    if let Some(query) = query {
        push("?", QUERY);
        push(query, QUERY);
    }
    out
}

/// A text as it stands in one component: its escapes stay, what is neither unreserved nor in `keep` is escaped. In a host
/// letters `beyond` ASCII stay (D27).
pub(super) fn make_part(text: &str, keep: &[u8], beyond: bool) -> String {
    let mut out = String::with_capacity(text.len());
    push_safe(&mut out, text, |c| among(c, keep) || (beyond && !(c.is_ascii() || is_hidden(c))), Stray::Escape);
    out
}

/// What becomes of a `%` that begins no escape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stray {
    Keep,
    Escape,
}

fn safe(text: &str, stray: Stray) -> String {
    const SITE: &[u8] = b"!$&'()*+,;=:@[]";
    let parts = super::split(text);
    let mut out = String::with_capacity(text.len() + 16);
    if let Some(scheme) = parts.scheme {
        push_safe(&mut out, scheme, |c| among(c, b"+"), stray);
        out.push(':');
    }
    if let Some(authority) = parts.authority {
        out.push_str("//");
        push_safe(&mut out, authority, |c| among(c, SITE) || !(c.is_ascii() || is_hidden(c)), stray);
    }
    push_safe(&mut out, parts.path, |c| among(c, PATH), stray);
    for (mark, part, keep) in [('?', parts.query, QUERY), ('#', parts.fragment, QUERY)] {
        if let Some(part) = part {
            out.push(mark);
            push_safe(&mut out, part, |c| among(c, keep), stray);
        }
    }
    out
}

fn among(c: char, keep: &[u8]) -> bool {
    u8::try_from(c).is_ok_and(|b| is_unreserved(b) || keep.contains(&b))
}

fn push_safe(out: &mut String, component: &str, keep: impl Fn(char) -> bool, stray: Stray) {
    let slash = keep('/');
    let plain = |b: u8| is_unreserved(b) || (b == b'/' && slash) || (b.is_ascii() && keep(b.into()));
    let clean = component.bytes().take_while(|b| plain(*b)).count();
    out.push_str(&component[..clean]);
    for (at, c) in component.char_indices().skip_while(|(at, _)| *at < clean) {
        let percent = c == '%' && (stray == Stray::Keep || escape_at(component.as_bytes(), at).is_some());
        if percent || keep(c) {
            out.push(c);
        } else {
            component[at..at + c.len_utf8()].bytes().for_each(|b| push_escape(out, b));
        }
    }
}

/// For the screen: unescapes only what is safe and unambiguous to show, which is letters, digits, `-._~` and visible
/// characters beyond ASCII in valid UTF-8 (ESC-18, D32). Controls, spaces, bidi controls and other invisible
/// characters come out escaped even where they were not. [`decode`] gives the same octets for both forms.
pub fn display(component: &str) -> String {
    let bytes = component.as_bytes();
    if is_printable(bytes) && memchr::memchr2(b'%', b' ', bytes).is_none() {
        return component.into();
    }
    let mut out = String::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut octets = Vec::new();
        while let Some(octet) = escape_at(bytes, at) {
            octets.push(octet);
            at += 3;
        }
        if !octets.is_empty() {
            push_shown(&mut out, &octets, &component[start..at]);
            continue;
        }
        let Some(c) = component[at..].chars().next() else { break };
        if is_hidden(c) {
            component[at..at + c.len_utf8()].bytes().for_each(|b| push_escape(&mut out, b));
        } else {
            out.push(c);
        }
        at += c.len_utf8();
    }
    out
}

/// Appends a run of escapes, decoded as far as that is safe; `written` is the run as it stood.
fn push_shown(out: &mut String, octets: &[u8], written: &str) {
    let mut at = 0;
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            let end = at + c.len_utf8();
            let plain = match u8::try_from(c) {
                Ok(b) if b.is_ascii() => is_unreserved(b) && !would_complete_escape(out, b),
                _ => !is_hidden(c),
            };
            if plain {
                out.push(c);
            } else {
                out.push_str(&written[3 * at..3 * end]);
            }
            at = end;
        }
        let end = at + chunk.invalid().len();
        out.push_str(&written[3 * at..3 * end]);
        at = end;
    }
}

/// Characters that a screen shows as nothing, as a gap, or as a change of the characters around them: controls, spaces,
/// bidi controls (CVE-2021-42574), joiners, fillers, tags, private use, noncharacters and the replacement character.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{2800}' | '\u{3164}' | '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFF}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..)
}

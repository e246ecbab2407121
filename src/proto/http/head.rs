//! What the head of an answer says: RFC 9110's fields, read with indulgence.

use crate::date;
use crate::format::html::{GOES_ON, LINKED};
use crate::url::escape;
use reqwest::header::{self, HeaderMap};
use reqwest::{Response, Version};

/// Header lines that are shown.
const LINES: usize = 200;

/// Octets as text: UTF-8 if they are, else Latin-1 (RFC 9110, 5.5).
pub(super) fn text(octets: &[u8]) -> String {
    match std::str::from_utf8(octets) {
        Ok(text) => text.trim().into(),
        Err(_) => octets.iter().map(|octet| char::from(*octet)).collect::<String>().trim().into(),
    }
}

fn field(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    headers.get(name).map(|value| text(value.as_bytes())).filter(|value| !value.is_empty())
}

/// "404 Not Found".
pub(super) fn status(answer: &Response) -> String {
    let status = answer.status();
    match status.canonical_reason() {
        Some(words) => format!("{} {words}", status.as_str()),
        None => status.as_str().into(),
    }
}

/// The head as it stands in the answer.
pub(super) fn lines(answer: &Response) -> Vec<String> {
    let version = match answer.version() {
        Version::HTTP_2 => "HTTP/2",
        Version::HTTP_10 => "HTTP/1.0",
        _ => "HTTP/1.1",
    };
    let first = match answer.version() {
        Version::HTTP_09 => "HTTP/0.9: the answer has no head, all of it is the page".into(),
        _ => format!("{version} {}", status(answer)),
    };
    // What a cookie says is a secret between the server and the jar.
    let shown = |(name, value): (&header::HeaderName, &header::HeaderValue)| {
        let value = text(value.as_bytes());
        match (name.as_str(), value.split_once('=')) {
            ("set-cookie" | "set-cookie2", Some((cookie, _))) => format!("{name}: {cookie}=***"),
            // One without a name is all value.
            ("set-cookie" | "set-cookie2", None) => format!("{name}: ***"),
            _ => format!("{name}: {value}"),
        }
    };
    std::iter::once(first).chain(answer.headers().iter().take(LINES).map(shown)).collect()
}

/// Media type and charset; `None` when the server does not know or says nonsense.
pub(super) fn media(headers: &HeaderMap) -> Option<(String, Option<String>)> {
    media_type(&field(headers, header::CONTENT_TYPE)?)
}

/// A media type and the charset among its parameters; `None` for what is none.
pub(in crate::proto) fn media_type(field: &str) -> Option<(String, Option<String>)> {
    let mut pieces = field.split(';');
    let media = pieces.next().unwrap_or_default().trim().to_ascii_lowercase();
    let unknown = ["unknown/unknown", "application/unknown", "*/*"].contains(&media.as_str());
    if unknown || media.split('/').count() != 2 || media.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let charset = pieces.find_map(|piece| {
        let (name, value) = piece.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    });
    Some((media, charset))
}

/// Whether a server forbids to keep a copy of its answer (RFC 9111, 5.2.2.5).
pub(super) fn forbids_to_keep(headers: &HeaderMap) -> bool {
    let said = headers.get_all(header::CACHE_CONTROL).iter().map(|value| text(value.as_bytes()));
    said.flat_map(|said| said.split(',').map(|word| word.trim().to_ascii_lowercase()).collect::<Vec<_>>())
        .any(|word| word == "no-store")
}

/// Whether a server forbids to tell the type of what it sends from how that begins.
pub(super) fn is_not_to_be_told(headers: &HeaderMap) -> bool {
    field(headers, header::X_CONTENT_TYPE_OPTIONS).is_some_and(|said| said.eq_ignore_ascii_case("nosniff"))
}

/// The name for saving (RFC 6266): `filename*` before `filename`. Not safe yet; whoever saves makes it so.
pub(super) fn filename(headers: &HeaderMap) -> Option<String> {
    let field = field(headers, header::CONTENT_DISPOSITION)?;
    let named = |wanted: &str| {
        parameters(&field).into_iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
    };
    let extended = named("filename*").and_then(|value| {
        let (charset, rest) = value.split_once('\'')?;
        let octets = escape::decode(rest.split_once('\'')?.1);
        match charset.eq_ignore_ascii_case("utf-8") {
            true => String::from_utf8(octets).ok(),
            false => Some(text(&octets)),
        }
    });
    extended.or_else(|| named("filename")).filter(|name| !name.is_empty())
}

/// `; name=value; name="quoted \" value"`.
fn parameters(field: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = field.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted_string(quoted),
            None => {
                let end = after.find(';').unwrap_or(after.len());
                (after[..end].trim().to_owned(), &after[end..])
            }
        };
        found.push((name.trim_matches([';', ' ', '\t']).to_owned(), value));
        rest = next.trim_start_matches([';', ' ', '\t']);
    }
    found
}

/// What stands before the closing quotation mark, and what comes after it.
fn quoted_string(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (value, &text[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, c)| c)),
            _ => value.push(c),
        }
    }
    (value, "")
}

/// A strong entity tag, else the time of the last change (RFC 9110, 13.1.5); either can be given back as it is.
pub(super) fn validator(headers: &HeaderMap) -> Option<String> {
    let tag = field(headers, header::ETAG).filter(|tag| tag.starts_with('"') && tag.ends_with('"') && tag.len() > 1);
    tag.or_else(|| field(headers, header::LAST_MODIFIED))
}

/// The first and the last octet of a part, and how long the whole is (RFC 9110, 14.4: `bytes 4-9/10`); none that cannot be.
pub(super) fn part(headers: &HeaderMap) -> Option<(u64, u64, Option<u64>)> {
    let field = field(headers, header::CONTENT_RANGE)?;
    let (range, whole) = field.strip_prefix("bytes ")?.split_once('/')?;
    let (from, last) = range.split_once('-')?;
    let (from, last) = (from.trim().parse().ok()?, last.trim().parse().ok()?);
    let whole: Option<u64> = whole.trim().parse().ok();
    (from <= last && whole.is_none_or(|whole| last < whole)).then_some((from, last, whole))
}

/// The time of the last change, in any of the three forms that dates of HTTP have (RFC 9110, 5.6.7).
pub(super) fn modified(headers: &HeaderMap) -> Option<jiff::Timestamp> {
    let field = field(headers, header::LAST_MODIFIED)?;
    date::timestamp(field.as_bytes())
}

/// A scheme of logins, and the parameters of its challenge.
pub(super) type Challenge = (String, Vec<(String, String)>);

/// The challenges of an answer (RFC 9110, 11.6.1): commas stand between them, and between the parameters of each.
pub(super) fn challenges(headers: &HeaderMap) -> Vec<Challenge> {
    let mut found: Vec<Challenge> = Vec::new();
    for value in headers.get_all(header::WWW_AUTHENTICATE).iter().take(LINES) {
        let field = text(value.as_bytes());
        let mut rest = field.trim_start_matches([',', ' ', '\t']);
        // Parameters without a scheme before them are nobody's.
        let mut before = None;
        while !rest.is_empty() {
            let end = rest.find([',', ' ', '\t', '=']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            match after.trim_start().strip_prefix('=') {
                Some(value) => {
                    let value = value.trim_start();
                    let (value, next) = match value.strip_prefix('"') {
                        Some(quoted) => quoted_string(quoted),
                        None => {
                            let end = value.find([',', ' ', '\t']).unwrap_or(value.len());
                            (value[..end].to_owned(), &value[end..])
                        }
                    };
                    if let Some((_, parameters)) = before.and_then(|at: usize| found.get_mut(at)) {
                        parameters.push((word.to_owned(), value));
                    }
                    rest = next;
                }
                None => {
                    before = Some(found.len());
                    found.push((word.to_owned(), Vec::new()));
                    rest = after;
                }
            }
            rest = rest.trim_start_matches([',', ' ', '\t']);
        }
    }
    found
}

/// A user and a password as Basic has them (RFC 7617).
pub(super) fn basic(user: &[u8], password: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = b"Basic ".to_vec();
    for three in [user, b":", password].concat().chunks(3) {
        let word =
            three.iter().chain([0, 0].iter()).take(3).fold(0, |word: usize, octet| word << 8 | usize::from(*octet));
        let letter = |at: usize| if at <= three.len() { LETTERS[word >> (18 - 6 * at) & 63] } else { b'=' };
        out.extend((0..4).map(letter));
    }
    out
}

/// What the server says besides: a page that would go on by itself, and what the page is related to (RFC 8288).
pub(super) fn notices(headers: &HeaderMap) -> Vec<String> {
    let refresh = headers.get("refresh").map(|value| text(value.as_bytes()));
    let refresh = refresh.map(|refresh| format!("{GOES_ON}{refresh}"));
    let links =
        headers.get_all(header::LINK).iter().take(LINES).map(|value| format!("{LINKED}{}", text(value.as_bytes())));
    refresh.into_iter().chain(links).collect()
}

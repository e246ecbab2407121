//! The third rule set: what the URL Standard of the WHATWG, by which browsers read, makes of a text. For comparison only.
//!
//! The library departs from the standard in four things, which are mended here. It takes a backslash for a slash whatever the
//! scheme, where the standard has that of its special schemes alone (4.4, relative state and host state); it lets a login stand
//! before no host (authority state); it finds no host behind more than two slashes (special authority ignore slashes state); and
//! it leaves out empty segments of `file:`, which is read by `file`.

mod file;

use super::escape;
use super::resolve::has_dots;
use file::File;
use std::borrow::Cow;
use std::net::Ipv4Addr;

/// A base as browsers read it, read once for all that is resolved against it.
#[derive(Debug, Clone)]
pub struct Base(Result<Read, String>);

/// What browsers read.
#[derive(Debug, Clone)]
enum Read {
    File(File),
    Other(::url::Url),
}

impl From<Read> for String {
    fn from(read: Read) -> String {
        match read {
            Read::File(file) => file.to_string(),
            Read::Other(url) => url.into(),
        }
    }
}

impl Base {
    /// Reads a base.
    pub fn of(text: &str) -> Base {
        Base(read(&cleaned(text)))
    }

    /// What browsers make of a reference; a sentence where they refuse it.
    ///
    /// # Errors
    /// The reference or the base is no URL to them.
    pub fn resolve(&self, reference: &str) -> Result<String, String> {
        let base = self.0.as_ref().map_err(String::clone)?;
        let reference = &*cleaned(reference);
        match (base, scheme(reference)) {
            (Read::File(base), None) => File::read(reference, Some(base)).map(|file| file.to_string()),
            (Read::File(base), Some((name, rest))) if is_file(name) => {
                File::read(rest, Some(base)).map(|file| file.to_string())
            }
            (Read::Other(base), None) => judged(joined(base, reference), base.is_special(), reference).map(Into::into),
            (Read::Other(base), Some((name, _))) if base.scheme().eq_ignore_ascii_case(name) => {
                judged(base.join(reference), base.is_special(), reference).map(Into::into)
            }
            _ => read(reference).map(Into::into),
        }
    }
}

/// What browsers make of a text that stands alone; a sentence where they refuse it.
///
/// # Errors
/// The text is no URL to them.
pub fn parse(text: &str) -> Result<Cow<'_, str>, String> {
    if stands(text) {
        return Ok(text.into());
    }
    read(&cleaned(text)).map(|read| Cow::Owned(read.into()))
}

/// Whether a text is a URL with a server in which, at one look, browsers change nothing; most are.
fn stands(text: &str) -> bool {
    let Some((name, rest)) = text.split_once("://").filter(|(name, _)| !is_file(name)) else { return false };
    let Some((host, rest)) = rest.find('/').and_then(|slash| rest.split_at_checked(slash)) else { return false };
    let lower = |b: u8| b.is_ascii_lowercase();
    // The last label tells names from addresses; Punycode is judged.
    let last = host.rsplit('.').next().unwrap_or_default();
    let named = host.bytes().all(|b| lower(b) || b.is_ascii_digit() || matches!(b, b'.' | b'-'))
        && last.bytes().next().is_some_and(lower)
        && !host.contains("xn--");
    name.bytes().all(lower)
        && !name.is_empty()
        && (named || host.parse::<Ipv4Addr>().is_ok())
        && escape::is_settled(rest)
        && !rest.contains('\'')
        && !has_dots(rest)
}

fn read(text: &str) -> Result<Read, String> {
    match scheme(text) {
        Some((name, rest)) if is_file(name) => File::read(rest, None).map(Read::File),
        _ => {
            let made = ::url::Url::parse(text);
            let special = made.as_ref().is_ok_and(::url::Url::is_special);
            judged(made, special, text).map(Read::Other)
        }
    }
}

fn is_file(name: &str) -> bool {
    name.eq_ignore_ascii_case("file")
}

/// A text without controls and spaces at its ends, and without line breaks and TABs (4.4, 1 to 3).
fn cleaned(text: &str) -> Cow<'_, str> {
    let inner = text.trim_matches(|c: char| c <= ' ');
    match memchr::memchr3(b'\t', b'\n', b'\r', inner.as_bytes()) {
        None => inner.into(),
        Some(_) => inner.replace(['\t', '\n', '\r'], "").into(),
    }
}

/// The scheme of a text, and what follows its colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(':')?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(plain)).then_some((name, rest))
}

/// A reference without a scheme on a base.
fn joined(base: &::url::Url, reference: &str) -> Result<::url::Url, ::url::ParseError> {
    const SLASHES: [char; 2] = ['/', '\\'];
    let slashes = reference.chars().take_while(|c| SLASHES.contains(c)).count();
    if base.is_special() {
        return match slashes {
            0 | 1 => base.join(reference),
            _ => ::url::Url::parse(&format!("{}://{}", base.scheme(), &reference[slashes..])),
        };
    }
    // A backslash at the beginning is no slash, and the library takes it for none after a dot segment.
    let (slash, rest) = reference.strip_prefix('/').map_or(("", reference), |rest| ("/", rest));
    if rest.starts_with('\\') { base.join(&format!("{slash}./{rest}")) } else { base.join(reference) }
}

/// What the library made of a text, unless the standard refuses its site.
fn judged(made: Result<::url::Url, ::url::ParseError>, special: bool, text: &str) -> Result<::url::Url, String> {
    let made = made.map_err(|error| error.to_string())?;
    let rest = scheme(text).map_or(text, |(_, rest)| rest);
    if let Some(rest) = rest.strip_prefix("//").filter(|_| !special) {
        let site = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (login, server) = site.rsplit_once('@').map_or((None, site), |(login, server)| (Some(login), server));
        if server.contains('\\') {
            return Err(::url::ParseError::InvalidDomainCharacter.to_string());
        }
        if login.is_some() && server.is_empty() {
            return Err(::url::ParseError::EmptyHost.to_string());
        }
    }
    Ok(made)
}

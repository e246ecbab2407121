//! The third rule set: what the URL Standard of the WHATWG, by which browsers read, makes of a text. For comparison only.
//!
//! The library takes a backslash for a slash whatever the scheme, and lets a login stand before no host. The standard has the one
//! of its special schemes alone (4.4, relative state and host state), and refuses the other (authority state).

use super::split;
use std::borrow::Cow;

/// A base as browsers read it, read once for all that is resolved against it.
#[derive(Debug, Clone)]
pub struct Base(Result<::url::Url, String>);

impl Base {
    /// Reads a base.
    pub fn of(text: &str) -> Base {
        Base(::url::Url::parse(text).map_err(|error| error.to_string()))
    }

    /// What browsers make of a reference; a sentence where they refuse it.
    ///
    /// # Errors
    /// The reference or the base is no URL to them.
    pub fn resolve(&self, reference: &str) -> Result<String, String> {
        let base = self.0.as_ref().map_err(String::clone)?;
        let text = if base.is_special() { reference.into() } else { with_plain_backslash(reference) };
        judged(base.join(&text), &text)
    }
}

/// What browsers make of a text that stands alone; a sentence where they refuse it.
///
/// # Errors
/// The text is no URL to them.
pub fn parse(text: &str) -> Result<String, String> {
    judged(::url::Url::parse(text), text)
}

/// A reference that begins with a backslash which is no slash, so that the library takes it for none: after a dot segment.
fn with_plain_backslash(reference: &str) -> Cow<'_, str> {
    let (slash, rest) = reference.strip_prefix('/').map_or(("", reference), |rest| ("/", rest));
    if rest.starts_with('\\') { format!("{slash}./{rest}").into() } else { reference.into() }
}

/// What the library made of a text, unless the standard refuses its site.
fn judged(made: Result<::url::Url, ::url::ParseError>, text: &str) -> Result<String, String> {
    let made = made.map_err(|error| error.to_string())?;
    let site = split(text).authority.filter(|_| !made.is_special());
    if let Some((login, server)) = site.map(|site| site.rsplit_once('@').map_or((None, site), |(a, b)| (Some(a), b))) {
        if server.contains('\\') {
            return Err(::url::ParseError::InvalidDomainCharacter.to_string());
        }
        if login.is_some() && server.is_empty() {
            return Err(::url::ParseError::EmptyHost.to_string());
        }
    }
    Ok(made.into())
}

//! Why a text is no usable URL, in sentences that never hold a password, a control character or a page of text.

use super::redact;
use std::fmt;

/// What is wrong with a URL or a reference, in words for the reader.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// No scheme, so it is a relative reference.
    #[error("\"{}\" has no scheme", shown(.0))]
    NoScheme(String),
    /// RFC 3986, 3.1.
    #[error("\"{}\" is not a scheme: a scheme is a letter followed by letters, digits, +, . or -", shown(.0))]
    BadScheme(String),
    /// The port is not a number from 1 to 65535.
    #[error("the port \"{}\" is not a number from 1 to 65535", shown(.0))]
    BadPort(String),
    /// The host holds a character that no host name has.
    #[error("the host \"{}\" is not a host name", shown(.0))]
    BadHost(String),
    /// A scheme that needs a host was given none.
    #[error("{0}: URLs need a host")]
    NoHost(String),
    /// A component does not follow the scheme's own rules; the sentence says which.
    #[error("{0}")]
    Malformed(String),
    /// Following it would be unsafe (SEC rules); the sentence says why.
    #[error("refused: {0}")]
    Refused(String),
    /// A relative reference without any base URL (BASE-07).
    #[error("\"{}\" is relative and there is no base URL", shown(.0))]
    NoBase(String),
    /// The base in force has no hierarchy (REL-16).
    #[error("\"{}\" is relative, but the base {} has no hierarchy", shown(reference), shown(base))]
    OpaqueBase {
        /// The reference as written.
        reference: String,
        /// The base in force.
        base: String,
    },
    /// Nothing here knows how to open that scheme.
    #[error("unsupported scheme: {}", shown(.0))]
    Unsupported(String),
    /// More bytes than a URL may have here (64 MiB).
    #[error("a URL of {0} bytes is too long")]
    TooLong(usize),
}

/// The sentence, so that no log gets more to see than the reader.
impl fmt::Debug for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UrlError({self})")
    }
}

/// A text as an error may quote it: no password, no control, at most two lines of a terminal.
fn shown(text: &str) -> String {
    const LONGEST: usize = 160;
    let redacted = redact(text);
    let mut quoted = String::with_capacity(redacted.len().min(LONGEST));
    for c in redacted.chars().take(LONGEST) {
        match c {
            ' ' => quoted.push(c),
            c if super::escape::is_hidden(c) => quoted.extend(c.escape_unicode()),
            c => quoted.push(c),
        }
    }
    if redacted.chars().nth(LONGEST).is_some() {
        quoted.push('…');
    }
    quoted
}

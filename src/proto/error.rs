//! `FetchError`: what was tried, what answered, in kinds that the reader would name.

use super::{Certificate, Found};
use crate::doc::conceal;
use crate::url::{UrlError, scheme};

/// The kind of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The host's name has no address.
    NoSuchHost,
    /// The host answered that nobody listens there.
    Refused,
    /// Nothing came within the time allowed.
    TimedOut,
    /// The connection ended too early.
    Broken,
    /// TLS failed or the certificate is not trusted or has changed.
    Secure,
    /// The server wants a login.
    NeedsLogin,
    /// The server wants an account besides user and password.
    NeedsAccount,
    /// The server asks for words; its question is the detail.
    NeedsWords,
    /// The same, for words that nobody else should see.
    NeedsSecret,
    /// The server wants to know the reader by a certificate, or by another one.
    NeedsCertificate,
    /// The reader is to agree first, to what [`FetchError::found`] tells.
    NeedsConsent,
    /// There is no such thing there.
    NotFound,
    /// What is there is no file, but a directory, a device or the like.
    NoFile,
    /// It exists but may not be read.
    Denied,
    /// The server takes nobody more now.
    Crowded,
    /// The server said something else; its own words are the detail.
    Said,
    /// The answer breaks the protocol.
    Malformed,
    /// A limit of size or length was hit.
    TooLarge,
    /// It leads from one address to the next without end.
    TooManyRedirects,
    /// Nothing here can open it.
    Unsupported,
    /// Refused by a safety rule.
    Unsafe,
    /// Not asked for, for a reason of our own.
    Stopped,
}

/// Why a fetch failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct FetchError {
    /// The kind.
    pub kind: Kind,
    /// One sentence: what happened. May quote remote text; show it through the sanitiser.
    pub detail: String,
    /// What was tried ("gopher.example.org port 70, selector \"/world\"").
    pub tried: String,
    /// What the reader can do next, when there is something better than trying again.
    pub hint: Option<String>,
    /// A certificate that was refused and that the reader may trust all the same.
    pub certificate: Option<Box<RefusedCertificate>>,
    /// What is to be sent, and what is in its place.
    pub found: Option<Box<Found>>,
    /// When the copy of it came that was kept, where there is one.
    pub kept: Option<jiff::Timestamp>,
}

/// A certificate that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedCertificate {
    /// It, as it was shown.
    pub certificate: Certificate,
    /// The other one that the server is known by, where its first one was pinned.
    pub pin: Option<PinnedCertificate>,
    /// The server (`host:port`) for which it would be the first one, if what is kept of first ones could be read.
    pub first: Option<String>,
}

/// What is known of a server whose certificate no authority vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedCertificate {
    /// `host:port`.
    pub server: String,
    /// Its certificate, as far as it was written down.
    pub certificate: Certificate,
    /// The day on which it was first seen, as written.
    pub since: String,
}

impl FetchError {
    /// A failure of a kind with its sentence.
    pub fn new(kind: Kind, detail: impl Into<String>) -> FetchError {
        let (tried, hint, certificate, found, kept) = (String::new(), None, None, None, None);
        FetchError { kind, detail: detail.into(), tried, hint, certificate, found, kept }
    }

    /// Says what was tried.
    pub fn tried(mut self, tried: impl Into<String>) -> FetchError {
        self.tried = tried.into();
        self
    }

    /// Hides words that nobody may see.
    pub(crate) fn conceal(&mut self, secrets: &[String]) {
        for text in [&mut self.detail, &mut self.tried].into_iter().chain(&mut self.hint) {
            veil(text, secrets);
        }
    }

    /// Says what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> FetchError {
        self.hint = Some(hint.into());
        self
    }

    /// What happened and what the reader can do, in one line, where no page tells of it.
    pub fn in_one(self) -> String {
        match self.hint {
            Some(hint) => format!("{} {hint}", self.detail),
            None => self.detail,
        }
    }

    /// The same failure with one sentence more of advice, behind what it has.
    #[must_use]
    pub(super) fn advise(self, more: &str) -> FetchError {
        let hint = self.hint.as_ref().map_or_else(|| more.to_owned(), |hint| format!("{hint} {more}"));
        self.hint(hint)
    }
}

/// Hides words that nobody may see in a text for people.
pub(super) fn veil(text: &mut String, secrets: &[String]) {
    if let Some(veiled) = conceal(text, secrets) {
        *text = veiled;
    }
}

/// A URL that may not or cannot be fetched.
impl From<UrlError> for FetchError {
    fn from(error: UrlError) -> FetchError {
        let kind = match error {
            UrlError::Refused(_) => Kind::Unsafe,
            UrlError::Unsupported(_) => Kind::Unsupported,
            _ => Kind::Malformed,
        };
        let detail = match &error {
            UrlError::Unsupported(scheme) => scheme::explain(scheme).into(),
            _ => sentence(&error.to_string()),
        };
        FetchError::new(kind, detail)
    }
}

/// Words as a sentence of their own; what begins with a name or a quoted text keeps its beginning.
fn sentence(words: &str) -> String {
    let first = words.split(' ').next().unwrap_or_default();
    let (head, rest) = match words.chars().next() {
        Some(c) if first == "refused:" || first.bytes().all(|b| b.is_ascii_lowercase()) => {
            (c.to_ascii_uppercase().to_string(), &words[c.len_utf8()..])
        }
        _ => (String::new(), words),
    };
    let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{head}{rest}{end}")
}

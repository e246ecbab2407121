//! `file:` (RFC 1738, 3.10; RFC 8089): a path of this machine, as octets. Other hosts have no way of access (D20).

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, show};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// The fields of a file URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The host, when it is not this machine.
    pub host: Option<String>,
    /// The absolute path, decoded once.
    pub path: Vec<u8>,
}

impl File {
    /// Reads the fields of a file URL. An empty host, `localhost` and no host at all mean this machine (FILE-04).
    ///
    /// # Errors
    /// A path that does not begin with `/`, an escaped `/` inside a segment, a NUL (FILE-05).
    pub fn of(url: &Url) -> Result<File, UrlError> {
        let host = url.host().filter(|host| !host.is_empty() && !host.eq_ignore_ascii_case("localhost"));
        let raw = if url.path().is_empty() && url.authority().is_some() { "/" } else { url.path() };
        if !raw.starts_with('/') {
            return Err(UrlError::Malformed("a file URL needs a path that begins with /".into()));
        }
        let mut path = Vec::with_capacity(raw.len());
        for segment in raw[1..].split('/') {
            let segment = escape::decode(segment);
            if segment.contains(&0) {
                return Err(UrlError::Refused("the path holds a NUL".into()));
            }
            if segment.contains(&b'/') {
                return Err(UrlError::Refused("a name in the path holds an escaped /".into()));
            }
            path.push(b'/');
            path.extend_from_slice(&segment);
        }
        Ok(File { host: host.map(str::to_owned), path })
    }

    /// Builds the URL of an absolute path; the octets come back by [`File::of`].
    ///
    /// # Errors
    /// A path that does not begin with `/`, or holds a NUL.
    pub fn url(path: &[u8]) -> Result<Url, UrlError> {
        if !path.starts_with(b"/") || path.contains(&0) {
            return Err(UrlError::Malformed("only an absolute path without NUL has a file URL".into()));
        }
        Url::parse(format!("file://{}", escape::encode(path, escape::PATH)))
    }
}

/// What stands in a query before the octet at which a message of a mailbox begins.
const MESSAGE: &str = "message=";

/// The URL of the message of a mailbox that begins at an octet of the file.
pub fn message_of(mailbox: &Url, at: u64) -> String {
    let parts = mailbox.parts();
    let authority = parts.authority.map(|authority| format!("//{authority}")).unwrap_or_default();
    format!("{}:{authority}{}?{MESSAGE}{at}", mailbox.scheme(), parts.path)
}

/// The octet of a mailbox at which the message begins that a URL names.
pub fn message(url: &Url) -> Option<u64> {
    let digits = url.query()?.strip_prefix(MESSAGE)?;
    Some(digits).filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()
}

/// For a file on another host: the FTP URL that might serve it (D20).
pub fn ftp_instead(url: &Url) -> Option<Url> {
    let host = File::of(url).ok().filter(|_| url.is("file"))?.host?;
    Url::parse(format!("ftp://{host}{}", url.path())).ok()
}

/// `mbox:`: a mailbox of this machine, which opens as a group does; another spelling of its `file:` URL.
pub(super) const MAILBOX: Ways = Ways {
    family: Family::Other,
    plan: |url| {
        let named = Url::parse(format!("file:{}", &url.as_str()[url.scheme().len() + 1..]))?;
        match File::of(&named)?.host {
            None if named.query().is_none() => Ok(Plan { act: Act::Open(named), confirm: None }),
            None => Err(UrlError::Malformed("an mbox URL names a mailbox, and after # a message by its id".into())),
            Some(_) => Err(UrlError::Malformed("an mbox URL names a file or a folder of this machine".into())),
        }
    },
    up: |_| None,
    root: |_| None,
    ..WAYS
};

pub(super) const WAYS: Ways = Ways {
    family: Family::File,
    paths: Paths::Repeated,
    parts: |url| {
        let path = show::octets(&File::of(url)?.path);
        let message = message(url).map(|at| format!("message at octet {at}"));
        let message = message.map(|text| Part { kind: PartKind::Query, label: "message", text });
        Ok(std::iter::once(Part { kind: PartKind::Path, label: "path", text: path }).chain(message).collect())
    },
    fields: |url| {
        let file = File::of(url)?;
        Ok(match file.host {
            None => json!({ "local": true, "fs_path": show::field(&file.path) }),
            Some(_) => json!({ "local": false }),
        })
    },
    plan: |url| {
        let file = File::of(url)?;
        match file.host {
            None => Ok(Plan { act: Act::File(file.path), confirm: None }),
            Some(host) => Err(UrlError::Malformed(format!(
                "a file URL says nothing about how to reach {}; perhaps ftp://{0}{} does",
                show::component(&host),
                show::component(url.path())
            ))),
        }
    },
    up: super::http::up,
    root: |url| super::with_path(url, "/"),
};

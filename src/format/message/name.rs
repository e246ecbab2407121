//! The names of parts, and their URLs.
//!
//! A part with a Content-ID has the URL that RFC 2392 gives it: `mid:MESSAGE-ID/CONTENT-ID`. Any other part, and a file
//! inside a text, is named by its place: `mid:MESSAGE-ID/part-2.1`, `mid:MESSAGE-ID/part-1.file-2`; the file of which a message has
//! only a part is `mid:MESSAGE-ID/joined`. A content-id has an `@`
//! in it, so no such name can be taken for one; ids without it exist all the same, and win where one is the same as a
//! place. In a message without an id, the URLs are `cid:CONTENT-ID` and `cid:part-2.1`: of the message at hand.

use crate::url::escape;
use crate::url::scheme::{self, Family, mid::Mid};
use crate::url::{Url, UrlError};
use std::fmt;

/// Which part of a message is meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PartName {
    /// By place: the numbers on the way from the message inward, from 1. No number is the message itself.
    Number(Vec<u32>),
    /// A uuencoded or yEnc file in the text of a part, from 1.
    File(Vec<u32>, u32),
    /// By Content-ID, without the brackets.
    Id(Vec<u8>),
    /// The file of which the message has a part, and others the rest: in no message whole.
    Joined,
}

/// What stands for [`PartName::Joined`].
const JOINED: &[u8] = b"joined";

/// The numbers of a place that no message has are not read: deeper than any that is looked into.
const DEEPEST: usize = super::tree::DEEPEST + 2;

impl PartName {
    /// Reads the second half of a `mid:` URL or what a `cid:` URL names.
    pub fn parse(id: &[u8]) -> PartName {
        if id == JOINED {
            return PartName::Joined;
        }
        let place = std::str::from_utf8(id).ok().and_then(|text| text.strip_prefix("part-")).and_then(place);
        place.unwrap_or_else(|| PartName::Id(id.to_vec()))
    }

    /// The part that a URL names: of the message with this id, or of the one at hand.
    ///
    /// `None` when it is no `mid:` or `cid:` URL, or that of another message.
    pub fn of_url(url: &Url, message_id: Option<&[u8]>) -> Option<PartName> {
        if scheme::family(url) != Family::Message {
            return None;
        }
        let mid = Mid::of(url).ok()?;
        if mid.message.is_some() && mid.message.as_deref() != message_id {
            return None;
        }
        Some(mid.content.map_or(PartName::Number(Vec::new()), |id| PartName::parse(&id)))
    }

    /// The part's URL, by the id of its message, if that has one.
    ///
    /// # Errors
    /// An id that no URL can hold.
    pub fn url(&self, message_id: Option<&[u8]>) -> Result<Url, UrlError> {
        let name = match self {
            PartName::Id(id) => escape::encode(id, escape::NEWS_ID),
            place => place.to_string(),
        };
        let url = match message_id {
            Some(id) => Url::parse(format!("mid:{}/{name}", escape::encode(id, escape::NEWS_ID)))?,
            None => Url::parse(format!("cid:{name}"))?,
        };
        Mid::of(&url).map(|_| url)
    }
}

/// `part-2.1`, `part-1.file-2`, or the Content-ID in brackets.
impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = |numbers: &[u32]| match numbers {
            [] => "part-0".to_owned(),
            numbers => format!("part-{}", numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".")),
        };
        match self {
            PartName::Number(place) => f.write_str(&numbers(place)),
            PartName::File(place, file) => write!(f, "{}.file-{file}", numbers(place)),
            PartName::Joined => f.write_str("joined"),
            PartName::Id(id) => write!(f, "<{}>", String::from_utf8_lossy(id)),
        }
    }
}

fn place(text: &str) -> Option<PartName> {
    let (numbers, file) = match text.split_once(".file-") {
        Some((numbers, file)) => (numbers, Some(file.parse().ok()?)),
        None => (text, None),
    };
    if numbers.split('.').count() > DEEPEST {
        return None;
    }
    let mut numbers: Vec<u32> = numbers.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
    if numbers == [0] {
        numbers.clear();
    }
    Some(match file {
        Some(file) => PartName::File(numbers, file),
        None => PartName::Number(numbers),
    })
}

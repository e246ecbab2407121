//! What stands in messages: the part that a URL names (RFC 2392), and what an answer quotes. Messages may be as large as their
//! bounds let them, so nobody who answers keys reads them.

use crate::format::charset::Said;
use crate::format::media;
use crate::format::message::{self, Part, PartName};
use crate::news::Original;
use crate::stop::Stop;
use crate::url::{EntityBase, Url};
use std::sync::Arc;

/// What a URL names, to be looked for in messages and taken out.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    /// The URL.
    pub url: Url,
    /// The message that it says it means, by its id.
    pub id: Option<Vec<u8>>,
    /// Where it is looked for, in this order.
    pub messages: Vec<Message>,
}

/// A message whose octets are here.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// All of it.
    pub octets: Arc<[u8]>,
    /// Where it came from; for one within another, that one.
    pub url: Url,
    /// What a relative base in its header is resolved by.
    pub outermost: Url,
    /// The URL stands in it, so that what names no message means this one.
    pub near: bool,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Taken {
    /// It is there.
    Part {
        /// Where its message came from.
        url: Url,
        /// The part.
        part: Box<Part>,
    },
    /// The message is there and has no such part.
    Missing,
    /// The message is not there.
    Nowhere,
}

/// A message to be answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// All of it.
    pub octets: Arc<[u8]>,
    /// What the reader says of the charset.
    pub charset: Option<Said>,
    /// Where it came from.
    pub url: Url,
}

impl Take {
    /// Looks for it; `None` when that was given up.
    pub(super) fn run(&self, stop: &Stop) -> Option<Taken> {
        let mut known = false;
        for Message { octets, url, outermost, near } in &self.messages {
            stop.go_on()?;
            let (holds, found) = match &self.id {
                Some(id) if message::message_id(octets).as_ref() != Some(id) => self.inside(octets, id, outermost),
                Some(_) => (true, self.take(octets, outermost, None)),
                None => (*near, self.take(octets, outermost, None)),
            };
            if let Some(part) = found {
                return Some(Taken::Part { url: url.clone(), part: Box::new(part) });
            }
            known |= holds;
        }
        Some(if known { Taken::Missing } else { Taken::Nowhere })
    }

    /// Whether the message of an id stands within a message, and what the URL names in it.
    fn inside(&self, octets: &[u8], id: &[u8], outermost: &Url) -> (bool, Option<Part>) {
        let Some(inner) = message::inner(octets, id, outermost) else { return (false, None) };
        let outermost = inner.base.as_ref().map_or(outermost, |base| &base.url);
        (true, self.take(&inner.octets, outermost, inner.base.as_ref()))
    }

    /// Takes what the URL names out of a message, to which the one around it may give a base.
    fn take(&self, octets: &[u8], outermost: &Url, base: Option<&EntityBase>) -> Option<Part> {
        let name = PartName::of_url(&self.url, message::message_id(octets).as_deref())?;
        if name == PartName::Number(Vec::new()) {
            let (media, octets, base) = (media::MESSAGE.into(), octets.to_vec(), base.cloned());
            return Some(Part { media, charset: None, filename: None, octets, base, siblings: None });
        }
        message::part(octets, &name, outermost)
    }
}

impl Quote {
    /// Reads it; without an author it is nothing to answer. `None` when it was given up.
    pub(super) fn run(&self, stop: &Stop) -> Option<Option<Original>> {
        stop.go_on()?;
        Some(message::original(&self.octets, self.charset.as_ref(), &self.url))
    }
}

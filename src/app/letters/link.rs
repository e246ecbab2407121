//! Whom a `mailto:` URL names (RFC 6068, 2): each address by itself, so that nothing in one of them makes another of it.

use crate::doc::sanitise;
use crate::format::message;
use crate::news::Mailbox;
use crate::url::scheme::mailto::Mailto;

/// A link that names more people than this names none: no question could name them all.
const MOST: usize = 50;
/// Letters of what is left out.
const SHOWN: usize = 60;

/// Whom the mail goes to, and what it says, `cc` written anew. What is no address is among what was dropped.
pub(in crate::app) fn read(mut mailto: Mailto) -> (Vec<Mailbox>, Mailto) {
    let mut dropped = Vec::new();
    let mut left = MOST;
    let mut one = |written: &str, found: Result<Mailbox, &str>| match found {
        Ok(found) if found.is_sendable() && left > 0 => {
            left -= 1;
            // A name is decoded when nothing can come of it any more (RFC 6068, 5: a header may hold encoded words).
            Some(Mailbox { name: sanitise(&message::words(&found.name)).into_owned(), ..found })
        }
        _ => {
            dropped.push(sanitise(&written.chars().take(SHOWN).collect::<String>()).into_owned());
            None
        }
    };
    let mut to = Vec::new();
    for written in &mailto.to {
        let mut found = Mailbox::list(written);
        let alone = if found.len() == 1 { found.pop() } else { None };
        to.extend(one(written, alone.unwrap_or(Err(written))));
    }
    for (_, value) in mailto.headers.iter_mut().filter(|(name, _)| name == "cc") {
        let written = std::mem::take(value);
        let found = Mailbox::list(&written).into_iter().filter_map(|found| {
            let words = found.as_ref().map_or_else(|words| (*words).to_owned(), ToString::to_string);
            one(&words, found)
        });
        *value = found.map(|one| one.to_string()).collect::<Vec<_>>().join(", ");
    }
    mailto.headers.retain(|(name, value)| name != "cc" || !value.is_empty());
    mailto.to = to.iter().map(ToString::to_string).collect();
    mailto.dropped.append(&mut dropped);
    (to, mailto)
}

//! Mailboxes of this machine, read as groups are: which messages they hold is known by their URLs, and what was read of them for as
//! long as the browser runs. Other programs change such files, and a Maildir says itself what is new: nothing is written down.

use super::Name;
use crate::app::Sight;
use crate::url::Url;
use crate::url::scheme::file::{File, message};
use crate::url::scheme::{self, Family};

/// Whether a name of what was read stands for a mailbox; no server is called so.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with("file:/")
}

/// The name under which it is known what of a mailbox was read: its URL.
pub(super) fn name(url: &Url) -> Option<String> {
    (scheme::family(url) == Family::File).then(|| format!("file:{}", url.path().trim_end_matches('/')))
}

/// What a mailbox is called where a group has its name.
pub(super) fn group(url: &Url) -> Option<Vec<u8>> {
    let path = File::of(url).ok()?.path;
    Some(path.rsplit(|b| *b == b'/').find(|name| !name.is_empty())?.to_vec())
}

/// The name of a message: of one in a file of them by its octet, of one in a Maildir by its folder.
pub(super) fn article(url: &Url) -> Option<Name> {
    let folder = || url.path().rsplit('/').nth(1).is_some_and(|folder| matches!(folder, "cur" | "new"));
    let is = scheme::family(url) == Family::File && (message(url).is_some() || folder());
    is.then(|| Name::Place(url.without_fragment().as_str().to_owned()))
}

/// The mailbox in a file that a message stands in.
pub(super) fn of(url: &Url) -> Option<Url> {
    message(url).filter(|_| scheme::family(url) == Family::File)?;
    File::url(&File::of(url).ok()?.path).ok()
}

/// Whether the page in view is a message of a mailbox, or the mailbox.
pub(super) fn is_here(sight: Sight<'_>) -> bool {
    sight.entry().is_some_and(|entry| scheme::family(&entry.url) == Family::File)
}

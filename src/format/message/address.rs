//! Address lists (RFC 5322, 3.4) as they are shown: who is named, by names whose encoded words are decoded, and what is none of
//! these. The list is taken apart before anything in it is decoded.

use super::words;
use crate::doc::sanitise;
use crate::news::Mailbox;
use crate::url::escape;

/// One address of a list, or words that are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// As shown: `Name <local@domain>`; not sanitised.
    pub text: String,
    /// `local@domain`, when it is one.
    pub address: Option<String>,
}

impl Address {
    /// Its URL (RFC 6068, 2).
    pub fn url(&self) -> Option<String> {
        self.address.as_ref().map(|address| format!("mailto:{}", escape::encode(address.as_bytes(), b"!$'*+@")))
    }
}

/// The addresses of an unfolded list.
pub(super) fn list(text: &str) -> Vec<Address> {
    let shown = |one: Result<Mailbox, &str>| match one {
        Ok(Mailbox { name, address }) if address.contains('@') => {
            let name = words::words(&name);
            let text = if name.is_empty() { address.clone() } else { format!("{name} <{address}>") };
            Address { text, address: Some(address) }
        }
        Ok(local) => Address { text: words::words(&local.to_string()), address: None },
        Err(text) => Address { text: words::words(text), address: None },
    };
    let list: Vec<Address> = Mailbox::list(text).into_iter().map(shown).collect();
    match (list.is_empty(), text.trim()) {
        // A group of nobody: its name is all there is.
        (true, text) if !text.trim_matches([',', ' ']).is_empty() => {
            vec![Address { text: words::words(text), address: None }]
        }
        _ => list,
    }
}

/// The mailboxes of an unfolded list, for a mail: names decoded and fit to be shown. `None` where something in it is none, or where
/// no mail could get there.
pub(super) fn mailboxes(text: &str) -> Option<Vec<Mailbox>> {
    let whole = |one: Result<Mailbox, &str>| one.ok().filter(|one| one.has_domain() && one.is_sendable());
    let named = |one: Mailbox| Mailbox { name: sanitise(&words::words(&one.name)).trim().into(), ..one };
    Mailbox::list(text).into_iter().map(|one| whole(one).map(named)).collect()
}

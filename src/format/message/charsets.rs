//! What is said of the charset of a message's parts: the reader's word, else the part's own, else that of the settings for its
//! groups, else for all texts.

use super::head::Head;
use super::text::is_ascii;
use crate::format::charset::{self, By, Charset, Groups, Said};

/// What is said besides what parts declare.
pub(super) struct Charsets {
    /// Before that.
    asked: Option<Said>,
    /// Where they declare nothing.
    otherwise: Option<Said>,
}

impl Charsets {
    /// What the reader and the settings say of a message with this header.
    pub fn of(said: Option<&Said>, groups: &Groups, head: &Head) -> Charsets {
        let said = said.cloned();
        let asked = said.clone().filter(|said| said.by != By::Default);
        let of_groups = || head.get("newsgroups").and_then(|names| groups.said_of_any(names));
        Charsets { otherwise: if asked.is_none() { of_groups().or(said) } else { None }, asked }
    }

    /// What is said of a part that declares this. ASCII says nothing of octets that are none.
    pub fn of_part(&self, declared: Option<&str>) -> Option<Said> {
        let declared = || declared.filter(|name| !is_ascii(name) || self.otherwise.is_none()).map(Said::from);
        self.asked.clone().or_else(declared).or_else(|| self.otherwise.clone())
    }
}

/// What raw octets of a header are, of whose body this is said: all of them together tell more than a name alone.
pub(super) fn of_head(head: &Head, said: Option<&Said>) -> Option<Charset> {
    let raw = head.fields.iter().map(|field| field.value).filter(|value| std::str::from_utf8(value).is_err());
    let raw = raw.collect::<Vec<_>>().join(&b'\n');
    (!raw.is_empty()).then(|| charset::judged(&raw, said))
}

//! The charset of each row of a list whose rows are from many hands: the groups of a server, each described in the charset of its
//! hierarchy. Where the reader or the protocol says one for all of them, that holds.

use super::Input;
use super::charset::{By, Charset, Groups, Judge, Said, Tail, escapes};
use crate::doc::{Builder, ReadBy};
use std::collections::BTreeSet;

/// What is known of the rows of a list.
pub(super) struct RowCharsets {
    /// The settings' word for texts that say nothing.
    otherwise: Option<Said>,
    groups: Groups,
    host: Option<String>,
    /// What rows were taken for.
    read: BTreeSet<String>,
}

impl RowCharsets {
    /// Of the list of `input`; `None` where one charset is said of all of it.
    pub fn new(input: &Input) -> Option<RowCharsets> {
        let otherwise = input.charset.clone();
        if otherwise.as_ref().is_some_and(|said| said.by != By::Default) {
            return None;
        }
        let host = input.url.host().map(str::to_owned);
        Some(RowCharsets { otherwise, groups: input.groups.clone(), host, read: BTreeSet::new() })
    }

    /// The charset of the row of a group: UTF-8 where it is that, else what its hierarchy writes, else what it looks like.
    pub fn of(&mut self, group: &[u8], row: &[u8]) -> Charset {
        let Some(first) = row.iter().position(|b| !b.is_ascii()) else {
            return escapes(row, Tail::Last).and_then(|(_, charset)| charset).unwrap_or(Charset::Utf8);
        };
        if std::str::from_utf8(row).is_ok() {
            return Charset::Utf8;
        }
        let said = self.groups.said_of(group).or_else(|| self.otherwise.clone());
        let mut judge = Judge::new(said.as_ref(), self.host.as_deref());
        let charset = judge.judge(&row[first..], Tail::Last).unwrap_or(Charset::Utf8);
        self.read.insert(judge.used().name);
        charset
    }

    /// Tells the reader what rows were read as that are not UTF-8.
    pub fn tell(&self, out: &mut Builder) {
        if self.read.is_empty() {
            return;
        }
        let names = self.read.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let document = out.document_mut();
        document.notes.push(format!("rows that are not utf-8 were read as {names}"));
        document.charset =
            Some(ReadBy { name: "utf-8".into(), why: format!("row by row; others as {names}"), otherwise: None });
    }
}

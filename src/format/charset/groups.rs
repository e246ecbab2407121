//! Which charset newsgroups write in whose articles say none: a hierarchy has its customs, and a server carries many.

use super::{By, Said};
use crate::url::Url;
use crate::url::scheme::{self, Family, fits_wildmat, news::News, nntp::Nntp};
use std::sync::Arc;

/// Charsets of groups, by wildmats (RFC 3977, 4). The last row that fits counts, so that the reader's own overrule those that come
/// with the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups(Arc<[(String, String)]>);

impl From<&[(String, String)]> for Groups {
    fn from(rows: &[(String, String)]) -> Groups {
        Groups(rows.into())
    }
}

impl Groups {
    /// What is said of texts of a group that say nothing themselves.
    pub(in crate::format) fn said_of(&self, group: &[u8]) -> Option<Said> {
        let (_, name) = self.0.iter().rev().find(|(pattern, _)| fits_wildmat(pattern.as_bytes(), group))?;
        // Such a row takes groups out of a wider one.
        (name != "auto").then(|| Said { name: name.clone(), by: By::Default })
    }

    /// The same of an article that stands in several: the first that is known counts.
    pub(in crate::format) fn said_of_any(&self, groups: &[u8]) -> Option<Said> {
        groups.split(|b| *b == b',').find_map(|group| self.said_of(group.trim_ascii()))
    }

    /// What is said of a text of a group's page: what was said already, unless that is the settings' word for all texts.
    pub(in crate::format) fn said_at(&self, url: &Url, said: Option<&Said>) -> Option<Said> {
        let said = said.cloned();
        match &said {
            Some(Said { by: By::Asked | By::Chosen | By::Declared, .. }) => said,
            _ => group_of(url).and_then(|group| self.said_of(&group)).or(said),
        }
    }
}

/// The group whose page a URL is.
fn group_of(url: &Url) -> Option<Vec<u8>> {
    match scheme::family(url) {
        Family::News => match News::of(url).ok()? {
            News::Group(name) | News::Part(name, _) => Some(name),
            News::All | News::Groups(_) | News::Article(_) => None,
        },
        Family::Nntp => Nntp::of(url).ok().map(|nntp| nntp.group),
        _ => None,
    }
}

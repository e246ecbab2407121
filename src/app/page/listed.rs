//! The list that led to a place, taken along where it is not the place before it: into a tab of its own, and past a page that the
//! reader has filled something into.

use crate::url::{BaseStack, Resolved, Url};
use std::sync::Arc;

/// A list, and which of its items is in view.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The bases of its references.
    pub(in crate::app) bases: BaseStack,
    /// What the items refer to, and how they are called.
    pub(in crate::app) items: Arc<[(String, Option<String>)]>,
    /// The item in view, from 0.
    pub(in crate::app) at: usize,
}

impl Listed {
    /// The same list at its next item, or the one before; where that leads, and how it is called.
    pub(in crate::app) fn beside(&self, next: bool) -> Option<(Listed, Url, Option<String>)> {
        let at = if next { self.at + 1 } else { self.at.checked_sub(1)? };
        let (reference, name) = self.items.get(at)?;
        match self.bases.resolve(reference).ok()? {
            Resolved::Url(url) => Some((Listed { at, ..self.clone() }, url, name.clone())),
            Resolved::SameDocument { .. } => None,
        }
    }
}

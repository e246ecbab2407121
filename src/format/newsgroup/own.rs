//! Which articles of a group are the reader's own, by the address in their `From`, and which answer one of those.

use super::articles::Articles;
use crate::format::{Reading, index};
use crate::news::Mailbox;
use crate::stop::Stop;
use std::collections::HashSet;
use std::sync::Arc;

/// What an article is to the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mine {
    /// They wrote it.
    Own,
    /// It answers one that they wrote.
    Answer,
}

/// What each article is to the reader whose address this is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    address: Arc<str>,
    articles: Vec<Option<Mine>>,
}

impl Known {
    /// Of all articles, those that were known before taken over. `Some(None)` where nobody has said who the reader is; `None` when it
    /// was given up.
    pub fn of(
        articles: &Articles,
        reading: &Reading,
        before: Option<&Arc<Known>>,
        stop: &Stop,
    ) -> Option<Option<Arc<Known>>> {
        let Some(address) = reading.own.as_ref().filter(|address| !address.is_empty()) else { return Some(None) };
        let same = |before: &&Arc<Known>| before.address == *address && before.articles.len() == articles.len();
        if let Some(before) = before.filter(same) {
            return Some(Some(Arc::clone(before)));
        }
        let mut found = Vec::with_capacity(articles.len());
        let mut ids = HashSet::new();
        for article in 0..index(articles.len()) {
            stop.go_on()?;
            let facts = articles.told.facts(article);
            let own = facts.filter(|facts| is_by(facts.from, address));
            ids.extend(own.as_ref().map(|facts| facts.message_id));
            found.push(own.map(|_| Mine::Own));
        }
        for article in 0..index(articles.len()) {
            stop.go_on()?;
            let answered = articles.told.facts(article).and_then(|facts| last(facts.references));
            let place = &mut found[article as usize];
            if place.is_none() && answered.is_some_and(|id| ids.contains(id)) {
                *place = Some(Mine::Answer);
            }
        }
        Some(Some(Arc::new(Known { address: Arc::clone(address), articles: found })))
    }

    /// What an article is to the reader, if it is anything.
    pub fn get(&self, article: u32) -> Option<Mine> {
        self.articles.get(article as usize).copied().flatten()
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        self.articles.capacity() * size_of::<Option<Mine>>()
    }
}

/// Whether a `From` names an address. Most do not hold it at all, and are not taken apart.
fn is_by(from: &str, address: &str) -> bool {
    let holds = from.as_bytes().windows(address.len()).any(|part| part.eq_ignore_ascii_case(address.as_bytes()));
    holds && Mailbox::author(from).is_some_and(|author| author.address.eq_ignore_ascii_case(address))
}

/// The last of some ids, brackets included: that of the article which is answered (RFC 5536, 3.2.10).
fn last(references: &str) -> Option<&str> {
    let references = references.trim_end();
    references.rfind('<').map(|at| &references[at..])
}

//! Threads: which article answers which, from References and subjects (Jamie Zawinski's algorithm, as in RFC 5256).
//!
//! Articles may come in any order, a slice at a time, and the threads are the same. That is so because nothing is decided
//! when an article is added except what no other article can change: an article stands under the last article of its own
//! References, and one that is known only from the References of others stands under the one before it there, as the oldest
//! article that names both has it (programs cut the middle out of References as threads grow, so the oldest knows best).
//! `threading.rs` makes threads of that when they are wanted.

use super::ids::{Ids, NONE};
use super::overview::references;
use super::subject::topic;
use std::collections::HashSet;

/// What threads need to know of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Article<'a> {
    /// Its number in the group.
    pub number: Option<u64>,
    /// Its id, without `< >`; empty if it has none.
    pub message_id: &'a [u8],
    /// Its References field, ids in `< >`.
    pub references: &'a [u8],
    /// Its subject, decoded.
    pub subject: &'a str,
    /// When it was written, in seconds since 1970.
    pub date: Option<i64>,
}

/// Articles, and what each says about its place among the others.
///
/// An article is known by a number that counts up from 0 in the order of arrival.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    pub(super) articles: Vec<Known>,
    /// Ids of articles that are here and of those that are only referred to.
    pub(super) ids: Ids,
    /// For each id, who has it, or what is said of it.
    pub(super) places: Vec<Place>,
    /// Articles without an id, or with one that another article has.
    pub(super) extras: Vec<u32>,
    extra_numbers: HashSet<u64>,
    subjects: Ids,
    /// Kept for its memory.
    scratch: Vec<u8>,
}

/// An article that is here.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Unknown dates come last among answers to the same article.
    pub date: i64,
    /// 0 if unknown.
    pub number: u64,
    /// The id of the article that it answers, by its own word.
    pub answers: u32,
    /// What it is about; none if its subject is empty.
    pub subject: u32,
    /// Whether its subject says that it is an answer.
    pub reply: bool,
}

/// An id's article; or, as long as it is not here, what others say of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub article: u32,
    /// The id that comes before it in the References of `witness`.
    pub answers: u32,
    /// The article that says so.
    witness: u32,
}

const UNKNOWN: Place = Place { article: NONE, answers: NONE, witness: NONE };

impl Threads {
    /// Takes an article, in time proportional to its References. `None` if it was here already: slices overlap, and pages
    /// are read again.
    pub fn add(&mut self, article: &Article<'_>) -> Option<u32> {
        let id = (!article.message_id.is_empty()).then(|| self.id(article.message_id)).flatten();
        if self.is_here(id, article.number) {
            return None;
        }
        let new = u32::try_from(self.articles.len()).ok().filter(|n| *n < NONE)?;
        let answers = self.refer(article, new, id);
        let (subject, reply) = self.about(article.subject);
        let (date, number) = (article.date.unwrap_or(i64::MAX), article.number.unwrap_or(0));
        self.articles.push(Known { date, number, answers, subject, reply });
        self.place(id, new);
        Some(new)
    }

    /// How many articles are here.
    pub fn len(&self) -> usize {
        self.articles.len()
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        self.ids.memory()
            + self.subjects.memory()
            + self.articles.capacity() * size_of::<Known>()
            + self.places.capacity() * size_of::<Place>()
            + self.extras.capacity() * 4
            + self.extra_numbers.capacity() * 16
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.articles.is_empty()
    }

    /// The article with an id (without `< >`).
    pub fn with_id(&self, id: &[u8]) -> Option<u32> {
        let id = self.ids.find(id)?;
        self.places.get(id as usize).map(|place| place.article).filter(|article| *article != NONE)
    }

    /// The article that one with an id (without `< >`) answers, here or not; the nearest one above that is here.
    pub fn answered_by(&self, id: &[u8]) -> Option<u32> {
        let mut at = self.ids.find(id)?;
        // References may lead round in a circle.
        for _ in 0..self.places.len() {
            let place = self.places.get(at as usize)?;
            at = match self.articles.get(place.article as usize) {
                Some(known) => known.answers,
                None => place.answers,
            };
            match self.places.get(at as usize)?.article {
                NONE => {}
                article => return Some(article),
            }
        }
        None
    }

    /// The first article that came of those that answer the one with an id.
    pub fn answer_to(&self, id: &[u8]) -> Option<u32> {
        let id = self.ids.find(id)?;
        let first = self.articles.iter().position(|article| article.answers == id)?;
        u32::try_from(first).ok()
    }

    /// An article's number in the group.
    pub fn number(&self, article: u32) -> Option<u64> {
        self.articles.get(article as usize).map(|article| article.number).filter(|number| *number > 0)
    }

    /// When an article was written, in seconds since 1970.
    pub fn date(&self, article: u32) -> Option<i64> {
        self.articles.get(article as usize).map(|article| article.date).filter(|date| *date < i64::MAX)
    }

    /// Whether two articles are about the same thing, answer words aside.
    pub fn same_subject(&self, one: u32, other: u32) -> bool {
        let about = |article: u32| self.articles.get(article as usize).map(|article| article.subject);
        about(one) == about(other)
    }

    fn id(&mut self, id: &[u8]) -> Option<u32> {
        let number = self.ids.add(id)?;
        self.places.resize(self.ids.len(), UNKNOWN);
        Some(number)
    }

    fn is_here(&self, id: Option<u32>, number: Option<u64>) -> bool {
        let holder = id.map(|id| self.places[id as usize].article).filter(|article| *article != NONE);
        let held = holder.map(|article| self.articles[article as usize].number);
        match (held, number) {
            (Some(0), _) | (Some(_), None) => true,
            (Some(held), Some(number)) => held == number || self.extra_numbers.contains(&number),
            (None, Some(number)) => id.is_none() && self.extra_numbers.contains(&number),
            (None, None) => false,
        }
    }

    /// Notes what an article's References say; gives the id that it answers itself.
    fn refer(&mut self, article: &Article<'_>, new: u32, own: Option<u32>) -> u32 {
        let mut before = NONE;
        let rank = (article.date.unwrap_or(i64::MAX), article.number.unwrap_or(0));
        for reference in references(article.references) {
            let Some(id) = self.id(reference).filter(|id| Some(*id) != own && *id != before) else { continue };
            if before != NONE && self.knows_better(rank, new, before, id) {
                let place = &mut self.places[id as usize];
                (place.answers, place.witness) = (before, new);
            }
            before = id;
        }
        before
    }

    /// Whether an article's word on what an id answers counts more than what is noted.
    fn knows_better(&self, rank: (i64, u64), new: u32, answers: u32, id: u32) -> bool {
        let noted = self.places[id as usize];
        if noted.witness == NONE {
            return true;
        }
        // References that name an id twice: the first time counts.
        let Some(witness) = self.articles.get(noted.witness as usize) else { return noted.witness != new };
        match rank.cmp(&(witness.date, witness.number)) {
            std::cmp::Ordering::Equal => self.ids.get(answers) < self.ids.get(noted.answers),
            order => order.is_lt(),
        }
    }

    /// What a subject is about, whatever its letters' case and white space, and whether it says that it is an answer.
    fn about(&mut self, text: &str) -> (u32, bool) {
        let subject = topic(text);
        if subject.base.is_empty() {
            return (NONE, subject.reply);
        }
        self.scratch.clear();
        for word in subject.base.split_whitespace() {
            match word.is_ascii() {
                true => self.scratch.extend(word.bytes().map(|b| b.to_ascii_lowercase())),
                false => self.scratch.extend_from_slice(word.to_lowercase().as_bytes()),
            }
            self.scratch.push(b' ');
        }
        (self.subjects.add(&self.scratch).unwrap_or(NONE), subject.reply)
    }

    /// Gives the article its id, unless it has none or another one has it. Of two with one id, the first number has it.
    fn place(&mut self, id: Option<u32>, new: u32) {
        let number = |article: u32| self.articles[article as usize].number;
        let extra = match id.map(|id| &mut self.places[id as usize].article) {
            None => new,
            Some(holder) if *holder == NONE => {
                *holder = new;
                return;
            }
            Some(holder) if number(new) < number(*holder) => std::mem::replace(holder, new),
            Some(_) => new,
        };
        self.extra_numbers.insert(number(extra));
        self.extras.push(extra);
    }
}

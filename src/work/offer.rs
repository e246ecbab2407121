//! What the address prompt offers: every address that is known, compared letter by letter with what is typed.
//!
//! Refuses to offer a password.

use crate::bookmarks::{Bookmark, Bookmarks};
use crate::doc::index;
use crate::stop::Stop;
use crate::url::redact;
use crate::visits::Pages;
use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::borrow::Cow;
use std::sync::Arc;

/// Octets of an address or a title that are compared.
const COMPARED: usize = 512;
/// What is typed beyond this many octets is like no address.
const LONGEST: usize = 256;
/// What each letter must score on average where they do not all stand in a row. Neighbours score 20, a name's first letter up
/// to 34; letters that happen to stand somewhere in the right order score less than 16.
const LEAST: u32 = 17;
/// For letters in a row.
const IN_A_ROW: u32 = 32;
/// For an address that begins as what is typed.
const BEGINS: u32 = 64;
/// For what the reader keeps at hand.
const AT_HAND: u32 = 8;

/// Where a known address is from. Of one address from two places the first of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A page of an open tab.
    Tab,
    /// A bookmark.
    Bookmark,
    /// A page that was visited.
    Visited,
    /// Words that were typed before.
    Typed,
    /// Nowhere: what is typed may mean this as well.
    Reading,
    /// Nowhere: what is typed may be words for a search.
    Search,
    /// A folder: it is a name there.
    File,
}

impl Origin {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Origin::Tab => "tab",
            Origin::Bookmark => "bookmark",
            Origin::Visited => "visited",
            Origin::Typed => "typed",
            Origin::Reading => "or this",
            Origin::Search => "search",
            // Its name says so.
            Origin::File => "",
        }
    }
}

/// An address that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// The address.
    pub text: Cow<'a, str>,
    /// The title of what is there; empty for none.
    pub title: Cow<'a, str>,
    /// Where it is from.
    pub origin: Origin,
}

/// Addresses to be compared with what is typed, or some of them: the history is long, and what was found among the newest is
/// there to be shown before the others are looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What is typed.
    pub text: String,
    /// Addresses that are neither bookmarks nor in the history, each source with the newest first.
    pub near: Arc<[Candidate<'static>]>,
    /// Bookmarks.
    pub bookmarks: Bookmarks,
    /// The history.
    pub pages: Pages,
    /// How many addresses are wanted.
    pub most: usize,
    /// What was found already, and where to go on.
    pub after: Offered,
    /// How many addresses are compared.
    pub compared: usize,
}

/// The addresses most like what is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The best first.
    pub found: Vec<Found>,
    /// Where to go on; `None` when all were compared, or enough.
    pub rest: Option<Rest>,
}

/// Where to go on comparing addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// So many were compared of those that are not in the history.
    few: usize,
    /// Pages of the history before this row were not.
    row: usize,
}

impl Offered {
    /// Nothing is compared yet.
    pub fn nothing() -> Offered {
        Offered { found: Vec::new(), rest: Some(Rest { few: 0, row: usize::MAX }) }
    }
}

/// An address that is like what is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    rank: u32,
    /// The address.
    pub text: String,
    /// The title of what is there; empty for none.
    pub title: String,
    /// Where it is from.
    pub origin: Origin,
    /// Which of the address's characters were typed, counted from 0, in order.
    pub matched: Vec<usize>,
    /// The same of the title.
    pub matched_title: Vec<usize>,
}

impl Offer {
    /// Compares them; `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Offered> {
        let (text, found) = (self.text.trim(), self.after.found.clone());
        let Some(Rest { mut few, mut row }) = self.after.rest.filter(|_| self.text.len() <= LONGEST) else {
            return Some(Offered { found, rest: None });
        };
        let words = text.split_whitespace().map(Word::new).collect();
        let mut best = Best { text, words, most: self.most, found, scale: Scale::new() };
        let mut left = self.compared;
        for candidate in self.few().skip(few).take(left) {
            stop.go_on()?;
            (few, left) = (few + 1, left - 1);
            best.look(candidate);
        }
        for (number, visit) in self.pages.older(row).take(left) {
            stop.go_on()?;
            (row, left) = (number, left - 1);
            best.look(Candidate { text: visit.url.into(), title: visit.title.into(), origin: Origin::Visited });
        }
        let enough = left > 0 || best.words.is_empty() && best.found.len() == self.most;
        best.show_letters();
        Some(Offered { found: best.found, rest: (!enough).then_some(Rest { few, row }) })
    }

    /// Every address that is known beside the history.
    fn few(&self) -> impl Iterator<Item = Candidate<'_>> {
        let bookmarks = self.bookmarks.iter().map(|bookmark| Candidate {
            text: (&bookmark.url).into(),
            title: with_tags(bookmark),
            origin: Origin::Bookmark,
        });
        let near = self.near.iter().map(|near| Candidate {
            text: near.text.as_ref().into(),
            title: near.title.as_ref().into(),
            origin: near.origin,
        });
        near.chain(bookmarks)
    }
}

/// A bookmark is found by its tags as by its title.
fn with_tags(bookmark: &Bookmark) -> Cow<'_, str> {
    if bookmark.tags.is_empty() {
        return (&bookmark.title).into();
    }
    let tags: String = bookmark.tags.iter().map(|tag| format!(" #{tag}")).collect();
    format!("{}{tags}", bookmark.title).trim_start().to_owned().into()
}

/// The best so far.
struct Best<'a> {
    text: &'a str,
    words: Vec<Word>,
    most: usize,
    /// The best first.
    found: Vec<Found>,
    scale: Scale,
}

impl Best<'_> {
    fn look(&mut self, candidate: Candidate<'_>) {
        let Some(mut rank) = self.rank(&candidate).filter(|_| candidate.text != self.text) else { return };
        if self.found.len() == self.most && self.found.last().is_some_and(|last| last.rank >= rank) {
            return;
        }
        // The reader may write one into the file of bookmarks.
        if redact(&candidate.text) != candidate.text {
            return;
        }
        if let Some(known) = self.found.iter().position(|known| is_same(&known.text, &candidate.text)) {
            if self.found[known].origin <= candidate.origin {
                return;
            }
            rank = rank.max(self.found.remove(known).rank);
        }
        let at = self.found.partition_point(|known| known.rank >= rank);
        let (text, title) = (candidate.text.into_owned(), candidate.title.into_owned());
        let (matched, matched_title) = (Vec::new(), Vec::new());
        self.found.insert(at, Found { rank, text, title, origin: candidate.origin, matched, matched_title });
        self.found.truncate(self.most);
    }

    /// How much it is like what is typed: every word must be found, in the address or in the title. Among equals the newest
    /// comes first.
    fn rank(&mut self, candidate: &Candidate<'_>) -> Option<u32> {
        let mut rank = 0;
        for word in &self.words {
            let [address, title] = [&candidate.text, &candidate.title].map(|text| self.scale.score(word, text));
            rank += address.max(title)?;
        }
        let begins = self.words.len() == 1 && begins(&candidate.text, self.text);
        let at_hand = !self.words.is_empty() && matches!(candidate.origin, Origin::Tab | Origin::Bookmark);
        Some(rank + if begins { BEGINS } else { 0 } + if at_hand { AT_HAND } else { 0 })
    }

    fn show_letters(&mut self) {
        for found in &mut self.found {
            found.matched = self.scale.letters(&self.words, &found.text);
            found.matched_title = self.scale.letters(&self.words, &found.title);
        }
    }
}

/// Whether an address begins with what is typed, its scheme and `www.` passed over.
fn begins(address: &str, typed: &str) -> bool {
    let is_begin = |text: &str| text.get(..typed.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(typed));
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    is_begin(address) || is_begin(rest) || rest.strip_prefix("www.").is_some_and(is_begin)
}

/// Whether two addresses lead to one page as far as can be seen: one is the other without its scheme or its last slash.
fn is_same(one: &str, other: &str) -> bool {
    let rest = |address: &str| address.split_once("://").map(|(_, rest)| rest.trim_end_matches('/').to_owned());
    let bare = |address: &str| address.trim_end_matches('/').to_owned();
    match (rest(one), rest(other)) {
        (Some(rest), None) => rest == bare(other),
        (None, Some(rest)) => rest == bare(one),
        _ => bare(one) == bare(other),
    }
}

/// A word that was typed.
#[derive(Debug)]
struct Word {
    in_a_row: Atom,
    in_order: Atom,
}

impl Word {
    fn new(word: &str) -> Word {
        let atom = |kind| Atom::new(word, CaseMatching::Ignore, Normalization::Smart, kind, false);
        Word { in_a_row: atom(AtomKind::Substring), in_order: atom(AtomKind::Fuzzy) }
    }
}

/// Compares words with texts.
struct Scale {
    matcher: Matcher,
    letters: Vec<char>,
}

impl Scale {
    fn new() -> Scale {
        Scale { matcher: Matcher::new(Config::DEFAULT), letters: Vec::new() }
    }

    /// How much of a word a text has; `None` when that is too little.
    fn score(&mut self, word: &Word, text: &str) -> Option<u32> {
        let text = Utf32Str::new(&text[..text.floor_char_boundary(COMPARED)], &mut self.letters);
        if let Some(score) = word.in_a_row.score(text, &mut self.matcher) {
            return Some(u32::from(score) + IN_A_ROW);
        }
        let score = u32::from(word.in_order.score(text, &mut self.matcher)?);
        (score >= LEAST * index(word.in_order.needle_text().len())).then_some(score)
    }

    /// Which letters of a text are those of the words, counted from 0.
    fn letters(&mut self, words: &[Word], text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for word in words {
            if self.score(word, text).is_some() {
                let text = Utf32Str::new(&text[..text.floor_char_boundary(COMPARED)], &mut self.letters);
                if word.in_a_row.indices(text, &mut self.matcher, &mut found).is_none() {
                    word.in_order.indices(text, &mut self.matcher, &mut found);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| at as usize).collect()
    }
}

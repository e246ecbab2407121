//! What the address prompt offers: every address that is known, compared letter by letter with what is typed, in slices so
//! that no key ever waits.
//!
//! Where addresses come from is [`few`], and the history, which is long. Refuses to offer a password.

use super::inspect::shareable;
use super::{App, Completion, Entry, Label, Origin, PromptKind};
use crate::bookmarks::Bookmark;
use crate::url::redact;
use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::borrow::Cow;

/// Addresses offered at once.
pub(super) const OFFERED: usize = 8;
/// Addresses compared at once.
const SLICE: usize = 4 * 1024;
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

/// An address that is known.
struct Candidate<'a> {
    text: Cow<'a, str>,
    title: Cow<'a, str>,
    origin: Origin,
}

/// Every address that is known beside the history, each source with the newest first. What was opened in private is known only
/// where it was.
fn few(app: &App) -> impl Iterator<Item = Candidate<'_>> {
    let tabs = app.tabs().enumerate().filter(|(at, tab)| *at != app.tab_at() && !tab.private);
    let tabs = tabs.filter_map(|(_, tab)| Some(shown(tab.entry()?, Origin::Tab)));
    let path = app.tab.history.iter().rev().map(|entry| shown(entry, Origin::Visited));
    let typed = app.words.get(&PromptKind::Open).into_iter().flatten().rev();
    let typed = typed.map(|words| Candidate { text: words.into(), title: "".into(), origin: Origin::Typed });
    let bookmarks = app.bookmarks.iter().map(|bookmark| Candidate {
        text: (&bookmark.url).into(),
        title: with_tags(bookmark),
        origin: Origin::Bookmark,
    });
    tabs.chain(path).chain(typed).chain(bookmarks)
}

/// A bookmark is found by its tags as by its title.
fn with_tags(bookmark: &Bookmark) -> Cow<'_, str> {
    if bookmark.tags.is_empty() {
        return (&bookmark.title).into();
    }
    let tags: String = bookmark.tags.iter().map(|tag| format!(" #{tag}")).collect();
    format!("{}{tags}", bookmark.title).trim_start().to_owned().into()
}

fn shown(entry: &Entry, origin: Origin) -> Candidate<'static> {
    let title = match entry.label() {
        Label::Title(title) => title,
        Label::Url(_) => String::new(),
    };
    Candidate { text: shareable(&entry.url).into(), title: title.into(), origin }
}

/// A search among all addresses under way.
#[derive(Debug)]
pub(super) struct Seeking {
    /// What stands before the address, as in `:open gopher://…`.
    before: String,
    text: String,
    words: Vec<Word>,
    /// So many of the few were compared.
    at: usize,
    /// The row of the history that was compared last.
    row: usize,
    /// The best so far, the best first.
    best: Vec<Found>,
    /// All were compared, or enough.
    pub ended: bool,
}

#[derive(Debug)]
struct Found {
    rank: u32,
    text: String,
    title: String,
    origin: Origin,
}

impl Seeking {
    /// A search for what is typed.
    pub fn new(before: &str, text: &str) -> Seeking {
        let (text, ended) = (text.trim(), text.len() > LONGEST);
        let words = if ended { Vec::new() } else { text.split_whitespace().map(Word::new).collect() };
        Seeking { before: before.into(), text: text.into(), words, at: 0, row: usize::MAX, best: Vec::new(), ended }
    }

    /// Goes on for a slice.
    pub fn step(&mut self, app: &App) {
        let mut scale = Scale::new();
        let mut left = SLICE;
        for candidate in few(app).skip(self.at).take(left) {
            left -= 1;
            self.at += 1;
            self.look(candidate, &mut scale);
        }
        for (row, visit) in app.visits.older(self.row).take(left) {
            left -= 1;
            self.row = row;
            let candidate = Candidate { text: visit.url.into(), title: visit.title.into(), origin: Origin::Visited };
            self.look(candidate, &mut scale);
        }
        self.ended = left > 0 || (self.words.is_empty() && self.best.len() == OFFERED);
    }

    fn look(&mut self, candidate: Candidate<'_>, scale: &mut Scale) {
        let Some(mut rank) = self.rank(&candidate, scale).filter(|_| candidate.text != self.text) else { return };
        if self.best.len() == OFFERED && self.best.last().is_some_and(|last| last.rank >= rank) {
            return;
        }
        // The reader may write one into the file of bookmarks.
        if redact(&candidate.text) != candidate.text {
            return;
        }
        if let Some(known) = self.best.iter().position(|known| is_same(&known.text, &candidate.text)) {
            if self.best[known].origin <= candidate.origin {
                return;
            }
            rank = rank.max(self.best.remove(known).rank);
        }
        let at = self.best.partition_point(|known| known.rank >= rank);
        let (text, title) = (candidate.text.into_owned(), candidate.title.into_owned());
        self.best.insert(at, Found { rank, text, title, origin: candidate.origin });
        self.best.truncate(OFFERED);
    }

    /// How much it is like what is typed: every word must be found, in the address or in the title. Among equals the newest
    /// comes first.
    fn rank(&self, candidate: &Candidate<'_>, scale: &mut Scale) -> Option<u32> {
        let mut rank = 0;
        for word in &self.words {
            let [address, title] = [&candidate.text, &candidate.title].map(|text| scale.score(word, text));
            rank += address.max(title)?;
        }
        let begins = self.words.len() == 1 && begins(&candidate.text, &self.text);
        let at_hand = !self.words.is_empty() && matches!(candidate.origin, Origin::Tab | Origin::Bookmark);
        Some(rank + if begins { BEGINS } else { 0 } + if at_hand { AT_HAND } else { 0 })
    }

    /// The best `most` so far, as rows to choose from.
    pub fn completions(&self, most: usize) -> Vec<Completion> {
        let mut scale = Scale::new();
        let before = self.before.chars().count();
        let rows = self.best.iter().take(most);
        rows.map(|found| Completion {
            text: format!("{}{}", self.before, found.text),
            title: found.title.clone(),
            origin: Some(found.origin),
            matched: scale.letters(&self.words, &found.text).into_iter().map(|at| at + before).collect(),
            matched_title: scale.letters(&self.words, &found.title),
        })
        .collect()
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
        (score >= LEAST * word.in_order.needle_text().len() as u32).then_some(score)
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

//! What was marked read here, in the order in which it was written: it tells marks that another program never saw from marks that it
//! took away.
//!
//! slrn and tin read the newsrc when they begin and write all of it when they end. What such a program leaves out of what was
//! marked here while it ran it has not seen; what it had seen and leaves out its reader made unread. In this order:
//!
//! 1. What was written while a program held the file (by its lock) that program has not seen, and what was written before it has.
//! 2. Where it lacks, of a group, what was read there before anything in this journal was, the group was made unread there.
//! 3. Else what it holds says when it read the file: at the moment that leaves the fewest marks to chance, those it holds
//!    though they came later and those it lacks though they came before; of equal ones the latest.
//! 4. Where that makes it lack the one article alone that was read last, and it brings nothing else, it was written for the sake of
//!    that.
//!
//! Refuses: files, processes, other changes than marks (whether a group is taken is what the last program says).

use super::articles::ArticleSet;
use super::newsrc::Newsrc;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Marks that are kept apart; the older ones are united by group, and go when that is not enough.
const MOST: usize = 1_000;

/// The marks of one newsrc that were made here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Journal {
    /// The older first.
    entries: Vec<Entry>,
    /// What was read of their groups before.
    before: BTreeMap<Vec<u8>, ArticleSet>,
    /// The sum of the newsrc as it was written last ([`Newsrc::plain`]).
    sum: String,
}

/// What became read of a group by one writing.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// The number of the writing.
    writing: u64,
    /// The process that held the file.
    holder: Option<String>,
    group: Vec<u8>,
    marks: ArticleSet,
}

impl Entry {
    fn missing(&self, theirs: &Newsrc) -> ArticleSet {
        theirs.read(&self.group).map_or_else(|| self.marks.clone(), |read| self.marks.difference(read))
    }
}

impl Journal {
    /// Reads it; lines that make no sense say nothing.
    pub fn parse(octets: &[u8]) -> Journal {
        let mut journal = Journal::default();
        for line in octets.split(|b| *b == b'\n') {
            let mut words = line.splitn(4, |b| *b == b' ');
            let (Some(first), Some(second)) = (words.next(), words.next()) else { continue };
            let second = String::from_utf8_lossy(second).into_owned();
            if first == b"sum" {
                journal.sum = second;
                continue;
            }
            let (Some(group), Some(ranges)) = (words.next().filter(|group| !group.is_empty()), words.next()) else {
                continue;
            };
            let (group, (marks, _)) = (group.to_vec(), ArticleSet::parse(ranges));
            if first == b"before" {
                journal.before.insert(group, marks);
                continue;
            }
            let Some(writing) = std::str::from_utf8(first).ok().and_then(|number| number.parse().ok()) else {
                continue;
            };
            let holder = Some(second).filter(|holder| holder != "-");
            journal.entries.push(Entry { writing, holder, group, marks });
        }
        journal.entries.sort_by_key(|entry| entry.writing);
        journal.tidy();
        journal
    }

    /// The octets of its file.
    pub fn write(&self) -> Vec<u8> {
        let mut out = b"# What was marked read here, for the case that another newsreader writes over it.\n".to_vec();
        let mut line = |first: &str, second: &str, group: &[u8], marks: &ArticleSet| {
            out.extend_from_slice(format!("{first} {second} ").as_bytes());
            out.extend_from_slice(group);
            out.extend_from_slice(format!(" {marks}\n").as_bytes());
        };
        self.before.iter().for_each(|(group, marks)| line("before", "-", group, marks));
        for Entry { writing, holder, group, marks } in &self.entries {
            line(&writing.to_string(), holder.as_deref().unwrap_or("-"), group, marks);
        }
        if !self.sum.is_empty() {
            out.extend_from_slice(format!("sum {}\n", self.sum).as_bytes());
        }
        out
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The newsrc was written: it held `before` and holds `now`, whose sum this is, one word; `holder` had read it and is to write it.
    pub fn wrote(&mut self, before: &Newsrc, now: &Newsrc, holder: Option<&str>, sum: String) {
        let writing = self.entries.last().map_or(1, |entry| entry.writing.saturating_add(1));
        let nothing = ArticleSet::new();
        let mut fresh = Vec::new();
        for (group, _) in now.groups() {
            let (was, is) = (before.read(group).unwrap_or(&nothing), now.read(group).unwrap_or(&nothing));
            if was == is {
                continue;
            }
            let (marks, unread) = (is.difference(was), was.difference(is));
            for entry in self.entries.iter_mut().filter(|entry| entry.group == group) {
                entry.marks = entry.marks.difference(&marks).difference(&unread);
            }
            let before = self.before.entry(group.to_vec()).or_insert_with(|| was.clone());
            *before = before.difference(&unread);
            if !marks.is_empty() {
                fresh.push(Entry { writing, holder: holder.map(str::to_owned), group: group.to_vec(), marks });
            }
        }
        self.entries.extend(fresh);
        self.sum = sum;
        self.tidy();
    }

    /// What another program wrote, with the marks that it never saw; `None` where it lacks none of those. The others that it lacks
    /// are forgotten. `ended` says of a process whether it has, `sum_of` sums.
    pub fn regain(
        &mut self,
        theirs: &Newsrc,
        ended: impl Fn(&str) -> bool,
        sum_of: impl Fn(&Newsrc) -> String,
    ) -> Option<Newsrc> {
        let nothing = ArticleSet::new();
        let holds = |group: &[u8]| theirs.read(group).unwrap_or(&nothing);
        let undone: BTreeSet<Vec<u8>> = self
            .before
            .iter()
            .filter(|(group, before)| !before.difference(holds(group)).is_empty() || theirs.read(group).is_none())
            .map(|(group, _)| group.clone())
            .collect();
        let in_doubt = |entry: &&Entry| entry.holder.is_none() && !undone.contains(&entry.group);
        // What came before the first one that a program had not seen it had seen.
        let known =
            self.entries.iter().find(|entry| entry.holder.is_some()).map_or(0, |entry| entry.writing.saturating_sub(1));
        let mut moment = moment(self.entries.iter().filter(in_doubt), theirs).max(known);
        let unseen = |entry: &Entry, moment: u64| {
            let seen = undone.contains(&entry.group) || entry.writing <= moment;
            entry.holder.is_some() || !seen
        };
        let whole = |entries: &[Entry], moment: u64| {
            let mut whole = theirs.clone();
            for entry in entries.iter().filter(|entry| unseen(entry, moment)) {
                if !entry.missing(theirs).is_empty() {
                    whole.change(&entry.group, |read| *read = read.union(&entry.marks));
                }
            }
            whole
        };
        let mut regained = whole(&self.entries, moment);
        let last = self.entries.last().map_or(0, |entry| entry.writing);
        let doubted = |entry: &&Entry| in_doubt(entry) && entry.writing > moment && !entry.missing(theirs).is_empty();
        let is_last_alone =
            |entry: &Entry| entry.writing == last && count(&entry.marks) == 1 && entry.missing(theirs) == entry.marks;
        let mut doubts = self.entries.iter().filter(doubted).peekable();
        if doubts.peek().is_some() && doubts.all(is_last_alone) && sum_of(&regained) == self.sum {
            moment = last;
            regained = whole(&self.entries, moment);
        }
        for entry in &mut self.entries {
            if !unseen(entry, moment) {
                let missing = entry.missing(theirs);
                entry.marks = entry.marks.difference(&missing);
            }
            // Its last word has come, or none will.
            if entry.holder.as_deref().is_some_and(&ended) {
                entry.holder = None;
            }
        }
        for (group, before) in &mut self.before {
            let missing = before.difference(holds(group));
            *before = before.difference(&missing);
        }
        self.tidy();
        (regained != *theirs).then_some(regained)
    }

    /// A program that held the file has ended and has written nothing.
    pub fn release(&mut self, ended: impl Fn(&str) -> bool) {
        for entry in self.entries.iter_mut().filter(|entry| entry.holder.as_deref().is_some_and(&ended)) {
            entry.holder = None;
        }
    }

    /// Nothing that is empty, and no more than is bounded.
    fn tidy(&mut self) {
        self.entries.retain(|entry| !entry.marks.is_empty());
        if self.entries.len() > MOST {
            let newer = self.entries.split_off(self.entries.len() - MOST / 2);
            let mut united: BTreeMap<Vec<u8>, Entry> = BTreeMap::new();
            for entry in std::mem::take(&mut self.entries) {
                match united.get_mut(&entry.group) {
                    Some(first) => {
                        first.marks = first.marks.union(&entry.marks);
                        first.holder = entry.holder;
                    }
                    None => drop(united.insert(entry.group.clone(), entry)),
                }
            }
            let writing = newer.first().map_or(0, |entry| entry.writing.saturating_sub(1));
            let room = MOST / 2;
            self.entries =
                united.into_values().take(room).map(|entry| Entry { writing, ..entry }).chain(newer).collect();
        }
        let named: BTreeSet<&[u8]> = self.entries.iter().map(|entry| entry.group.as_slice()).collect();
        self.before.retain(|group, _| named.contains(group.as_slice()));
    }
}

/// The writing after which the other program most likely read the file.
fn moment<'a>(entries: impl Iterator<Item = &'a Entry>, theirs: &Newsrc) -> u64 {
    let mut writings: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for entry in entries {
        let (missing, all) = (count(&entry.missing(theirs)), count(&entry.marks));
        let (lacks, holds) = writings.entry(entry.writing).or_default();
        *lacks = lacks.saturating_add(missing);
        *holds = holds.saturating_add(all - missing);
    }
    // Read before all of them: what it holds of them is chance.
    let mut chance = writings.values().map(|(_, holds)| *holds).fold(0, u64::saturating_add);
    let mut best = (chance, 0);
    for (writing, (lacks, holds)) in writings {
        chance = chance.saturating_sub(holds).saturating_add(lacks);
        if chance <= best.0 {
            best = (chance, writing);
        }
    }
    best.1
}

fn count(marks: &ArticleSet) -> u64 {
    marks.count_within(1, u64::MAX)
}

impl Newsrc {
    /// Groups and marks alone, in one order and one form, whichever program wrote them.
    pub fn plain(&self) -> String {
        let mut groups: Vec<_> = self.groups().collect();
        groups.sort_unstable_by_key(|(group, _)| *group);
        let mut out = String::new();
        for (group, subscription) in groups {
            let read = self.read(group).map(ToString::to_string).unwrap_or_default();
            // Writing to a text does not fail.
            let _ = writeln!(out, "{} {subscription:?} {read}", group.escape_ascii());
        }
        out
    }
}

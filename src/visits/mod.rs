//! Where the reader has been: every page once, under the address by which it was last visited, with its title, the time and
//! how often.
//!
//! Pages are the same when their URLs are equivalent (NORM-06); what is kept is the URL exactly as it was visited. A million
//! of them are one text and one table: the file as it was read is the text. Refuses: I/O, the clock, knowing what a page is.

mod file;
mod forget;
mod listing;

pub use file::{Flaw, Newer, line};
pub use forget::Forget;
pub use listing::{Listing, Step};

use crate::url::{Url, equal};
use std::collections::hash_map::RandomState;
use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasher;

/// A page that was visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit<'a> {
    /// Its address, exactly as it was visited last. Never a password: whoever adds it sees to that.
    pub url: &'a str,
    /// Its title; empty when it has none.
    pub title: &'a str,
    /// When it was visited last, in seconds since 1970.
    pub time: i64,
    /// How often, from 1.
    pub count: u32,
}

/// Where the reader has been.
#[derive(Debug, Clone, Default)]
pub struct Visits {
    /// URL, TAB and title of every row, somewhere.
    text: String,
    /// In the order of their times, the oldest first. A row without visits is a page that was forgotten, or visited again
    /// later: rows keep their numbers.
    rows: Vec<Row>,
    /// The row of a page, by a hash of its normal form. The key of the hash is drawn anew in each run, so that nobody can
    /// choose two URLs that are taken for one.
    by_form: HashMap<u64, u32>,
    /// Normal forms of pages that were seen and are no rows: other names of pages.
    seen: BTreeSet<String>,
    forms: RandomState,
    live: usize,
    revision: u64,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    time: i64,
    /// Where the URL begins in the text; the title stands one octet behind it.
    start: usize,
    url: u32,
    title: u32,
    count: u32,
}

impl Visits {
    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// A number that grows with every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether a page was visited, whatever its fragment.
    pub fn contains(&self, url: &Url) -> bool {
        let form = equal::normal(&url.without_fragment());
        self.by_form.contains_key(&self.forms.hash_one(&form)) || self.seen.contains(&form)
    }

    /// What is known of a page.
    pub fn of(&self, url: &Url) -> Option<Visit<'_>> {
        self.by_form.get(&self.form(url)).map(|number| self.visit(&self.rows[*number as usize]))
    }

    /// Every page, the one that was visited last first.
    pub fn newest(&self) -> impl Iterator<Item = Visit<'_>> {
        self.older(usize::MAX).map(|(_, visit)| visit)
    }

    /// The pages of the rows before one, with their rows' numbers, the one that was visited last first; from the end for a
    /// number that is too large. Rows keep their numbers whatever is added or forgotten.
    pub fn older(&self, than: usize) -> impl Iterator<Item = (usize, Visit<'_>)> {
        let rows = self.rows[..than.min(self.rows.len())].iter().enumerate().rev();
        rows.filter(|(_, row)| row.count > 0).map(|(number, row)| (number, self.visit(row)))
    }

    /// Adds a visit. What is no URL, or has a line break or TAB in it, is left out.
    pub fn add(&mut self, visit: Visit<'_>) {
        let Some(form) = Url::parse(visit.url).ok().map(|url| self.form(&url)).filter(|_| is_line(visit)) else {
            return;
        };
        let start = self.text.len();
        let [url, title] = [visit.url, visit.title].map(|text| text.len() as u32);
        self.text.extend([visit.url, "\t", visit.title]);
        // A clock that was set back does not put the newest page among the old ones.
        let time = self.rows.last().map_or(visit.time, |last| last.time.max(visit.time));
        self.place(Row { time, start, url, title, count: visit.count.max(1) }, form);
    }

    /// A page that was visited turned out to have a title.
    pub fn entitle(&mut self, url: &Url, title: &str) {
        let Some(number) = self.by_form.get(&self.form(url)).copied() else { return };
        let row = self.rows[number as usize];
        let known = self.visit(&row);
        if known.title == title || !is_line(Visit { title, ..known }) {
            return;
        }
        let start = self.text.len();
        self.text.extend_from_within(row.start..row.start + row.url as usize);
        self.text.extend(["\t", title]);
        self.rows[number as usize] = Row { start, title: title.len() as u32, ..row };
        self.revision += 1;
    }

    /// A page was seen under another of its names as well. Only this run knows of that.
    pub fn see(&mut self, url: &Url) {
        self.seen.insert(equal::normal(&url.without_fragment()));
    }

    /// Takes over what other visits know and these do not: those made while these were read from a file.
    pub fn absorb(&mut self, later: &Visits) {
        for row in later.rows.iter().filter(|row| row.count > 0) {
            let visit = later.visit(row);
            let Ok(url) = Url::parse(visit.url) else { continue };
            match self.of(&url) {
                Some(known) if known.time >= visit.time && visit.title.is_empty() => {}
                Some(known) if known.time >= visit.time => self.entitle(&url, visit.title),
                _ => self.add(visit),
            }
        }
        self.seen.extend(later.seen.iter().cloned());
        self.revision += later.revision + 1;
    }

    /// Forgets all but the newest.
    pub fn keep_newest(&mut self, most: usize) {
        let over = self.live.saturating_sub(most);
        if over > 0 {
            self.rows.iter_mut().filter(|row| row.count > 0).take(over).for_each(|row| row.count = 0);
            self.index_again();
        }
    }

    fn form(&self, url: &Url) -> u64 {
        self.forms.hash_one(equal::normal(&url.without_fragment()))
    }

    fn visit(&self, row: &Row) -> Visit<'_> {
        let (url, title) = (row.start..row.start + row.url as usize, row.start + row.url as usize + 1);
        let title = self.text.get(title..title + row.title as usize).unwrap_or_default();
        Visit { url: &self.text[url], title, time: row.time, count: row.count }
    }

    /// Puts a row at the end; what was known of its page goes with it.
    fn place(&mut self, mut row: Row, form: u64) {
        let number = self.rows.len() as u32;
        match self.by_form.insert(form, number) {
            None => self.live += 1,
            Some(before) => {
                let known = &mut self.rows[before as usize];
                // Lines of one page at one time are one visit: the later says the title that the earlier did not know.
                row.count = match row.time == known.time {
                    true => row.count.max(known.count),
                    false => row.count.saturating_add(known.count),
                };
                let before = *known;
                known.count = 0;
                if row.title == 0 && before.title > 0 {
                    self.inherit(&mut row, before);
                }
            }
        }
        self.rows.push(row);
        self.revision += 1;
    }

    /// A row without a title gets that of an earlier one; the two pieces are put together behind the text.
    fn inherit(&mut self, row: &mut Row, before: Row) {
        let title = before.start + before.url as usize + 1;
        let start = self.text.len();
        self.text.extend_from_within(row.start..row.start + row.url as usize);
        self.text.push('\t');
        self.text.extend_from_within(title..title + before.title as usize);
        (row.start, row.title) = (start, before.title);
    }

    /// Rows were forgotten.
    fn index_again(&mut self) {
        let rows = &self.rows;
        self.by_form.retain(|_, number| rows[*number as usize].count > 0);
        self.live = self.by_form.len();
        self.revision += 1;
    }
}

/// Whether a visit can be a line of the file.
fn is_line(visit: Visit<'_>) -> bool {
    ![visit.url, visit.title].iter().any(|text| text.contains(['\t', '\n', '\r']))
}

/// The same pages in the same order.
impl PartialEq for Visits {
    fn eq(&self, other: &Visits) -> bool {
        self.newest().eq(other.newest())
    }
}

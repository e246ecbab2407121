//! Where the reader has been: every page once, under the address by which it was last visited, with its title, the time and
//! how often.
//!
//! Of every visit it is known which one led to it (`trail`), as long as the file has a line for it.
//! Pages are the same when their URLs are equivalent (NORM-06); what is kept is the URL exactly as it was visited. `pages` has
//! them in pieces that other threads may read. Refuses: I/O, the clock, knowing what a page is.

mod file;
mod forget;
mod listing;
mod pages;
mod site;
mod trail;

pub use file::{Flaw, Newer, VERSION, line};
pub use forget::Forget;
pub use listing::{Listing, holds};
pub use pages::Pages;
pub use trail::{Before, Off, Station, Trail};

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
    pages: Pages,
    /// The row of a page, by a hash of its normal form. The key of the hash is drawn anew in each run, so that nobody can
    /// choose two URLs that are taken for one.
    by_form: HashMap<u64, u32>,
    /// Normal forms of pages that were seen and are no rows: other names of pages.
    seen: BTreeSet<String>,
    forms: RandomState,
    live: usize,
    revision: u64,
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
        let form = equal::of_page(url);
        self.by_form.contains_key(&self.forms.hash_one(&*form)) || self.seen.contains(&*form)
    }

    /// What is known of a page.
    pub fn of(&self, url: &Url) -> Option<Visit<'_>> {
        self.row(url).and_then(|number| self.pages.get(number))
    }

    /// The pages as they are now, for whoever looks through them.
    pub fn pages(&self) -> &Pages {
        &self.pages
    }

    /// Every page, the one that was visited last first.
    pub fn newest(&self) -> impl Iterator<Item = Visit<'_>> {
        self.pages.older(self.pages.rows()).map(|(_, visit)| visit)
    }

    /// Adds a visit of a page that the reader named. What is no URL, or has a line break or TAB in it, is left out.
    pub fn add(&mut self, visit: Visit<'_>) {
        self.add_led(visit, None);
    }

    /// Adds a visit to which another page led, where that was visited.
    pub fn add_led(&mut self, visit: Visit<'_>, led: Option<&Url>) {
        let Some(form) = Url::parse(visit.url).ok().map(|url| self.form(&url)).filter(|_| is_line(visit)) else {
            return;
        };
        // A clock that was set back does not put the newest page among the old ones.
        let time = self.pages.last().map_or(visit.time, |last| last.max(visit.time));
        let led = led.map(|led| self.form(led)).filter(|led| *led != form);
        let led = led.and_then(|led| self.by_form.get(&led)).map(|number| *number as usize);
        self.place(Visit { time, count: visit.count.max(1), ..visit }, form, led);
    }

    /// The address of the page that led to the last visit of one.
    pub fn led(&self, url: &Url) -> Option<&str> {
        let led = self.pages.led(self.row(url)?)?;
        let visit = self.pages.any(led)?;
        Url::parse(visit.url).is_ok_and(|url| self.row(&url).is_some()).then_some(visit.url)
    }

    /// The row of a page's last visit, from which its trail goes back.
    pub fn last(&self, url: &Url) -> Option<usize> {
        self.row(url)
    }

    /// A page that was visited turned out to have a title.
    pub fn entitle(&mut self, url: &Url, title: &str) {
        let Some((number, known)) = self.row(url).and_then(|number| Some((number, self.pages.get(number)?))) else {
            return;
        };
        if known.title != title && is_line(Visit { title, ..known }) {
            self.pages.entitle(number, title);
            self.revision += 1;
        }
    }

    /// A page was seen under another of its names as well. Only this run knows of that.
    pub fn see(&mut self, url: &Url) {
        self.seen.insert(equal::of_page(url).into_owned());
    }

    /// Takes over what other visits know and these do not: those made while these were read from a file.
    pub fn absorb(&mut self, later: &Visits) {
        for (_, visit) in later.pages.oldest() {
            let Ok(url) = Url::parse(visit.url) else { continue };
            match self.of(&url) {
                Some(known) if known.time >= visit.time && visit.title.is_empty() => {}
                Some(known) if known.time >= visit.time => self.entitle(&url, visit.title),
                _ => self.add_led(visit, later.led(&url).and_then(|led| Url::parse(led).ok()).as_ref()),
            }
        }
        self.seen.extend(later.seen.iter().cloned());
        self.revision += later.revision + 1;
    }

    /// Forgets all but the newest.
    pub fn keep_newest(&mut self, most: usize) {
        let over = self.live.saturating_sub(most);
        let oldest: Vec<usize> = self.pages.oldest().take(over).map(|(number, _)| number).collect();
        self.forget_rows(&oldest);
    }

    fn form(&self, url: &Url) -> u64 {
        self.forms.hash_one(&*equal::of_page(url))
    }

    /// The row of a page.
    fn row(&self, url: &Url) -> Option<usize> {
        self.by_form.get(&self.form(url)).map(|number| *number as usize)
    }

    /// Puts a visit at the end; what was known of its page goes with it.
    fn place(&mut self, visit: Visit<'_>, form: u64, led: Option<usize>) -> Option<usize> {
        let known = self.by_form.get(&form).map(|number| *number as usize);
        let before = known.and_then(|number| self.pages.get(number));
        // Lines of one page at one time are one visit: the later says the title that the earlier did not know.
        let same = before.is_some_and(|before| before.time == visit.time);
        let count = match before {
            Some(before) if same => visit.count.max(before.count),
            Some(before) => visit.count.saturating_add(before.count),
            None => visit.count,
        };
        let led = led.or_else(|| self.pages.led(known.filter(|_| same)?));
        let title = before.filter(|_| visit.title.is_empty()).map(|before| before.title.to_owned());
        let title = title.as_deref().unwrap_or(visit.title);
        let number = self.pages.push(Visit { title, count, ..visit }, led)?;
        self.by_form.insert(form, index(number));
        match known {
            Some(known) => self.pages.pass(known, number),
            None => self.live += 1,
        }
        self.revision += 1;
        Some(number)
    }

    fn forget_rows(&mut self, rows: &[usize]) {
        if rows.is_empty() {
            return;
        }
        rows.iter().for_each(|number| self.pages.drop(*number));
        let pages = &self.pages;
        self.by_form.retain(|_, number| pages.get(*number as usize).is_some());
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

/// Which of many pages: they are numbered by 32 bits, and none is taken that those could not tell apart.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

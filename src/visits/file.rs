//! The file: a line for each visit, `time TAB url TAB title`, and after another TAB how many visits it stands for when it
//! stands for several, or one where after one more TAB the address follows of the page that led there. Lines that begin with `#` are remarks; the first may say which version of the file this is.
//!
//! A line that was cut off before its second TAB is none; one that was cut off later has lost a part of a title.

use super::{Visit, Visits, index};
use crate::url::Url;
use memchr::{memchr, memchr_iter};
use std::collections::HashMap;

/// The first line of a file.
const FIRST: &str = "# wayfarer history ";
/// The version that is written here.
pub const VERSION: u32 = 2;
/// Addresses of the lines before that are at hand while a file is read.
const AT_HAND: usize = 8;
/// Earlier visits that are written beyond one for two pages.
const EARLIER: usize = 500;

/// The last second of the year 9999.
const LATEST: i64 = 253_402_300_799;

/// A line that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: &'static str,
}

/// The file is of a newer version, which is not to be touched here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Newer(pub u32);

/// The line of a visit, with its end; `led` is the address of the page that led there, or empty.
pub fn line(visit: Visit<'_>, led: &str) -> String {
    let Visit { url, title, time, count } = visit;
    match (count, led.contains(['\t', '\n', '\r'])) {
        (0 | 1, _) if led.is_empty() => format!("{time}\t{url}\t{title}\n"),
        (count, false) if !led.is_empty() => format!("{time}\t{url}\t{title}\t{}\t{led}\n", count.max(1)),
        (count, _) => format!("{time}\t{url}\t{title}\t{}\n", count.max(1)),
    }
}

impl Visits {
    /// Reads a file. Lines that make no sense are told and cost only themselves.
    ///
    /// # Errors
    /// The file says that it is of a newer version.
    pub fn read(octets: Vec<u8>) -> Result<(Visits, Vec<Flaw>), Newer> {
        let mut flaws = Vec::new();
        let first = octets.strip_prefix(FIRST.as_bytes());
        let first = first.and_then(|rest| std::str::from_utf8(rest.split(|b| *b == b'\n').next()?).ok());
        if let Some(version) = first.and_then(|version| version.trim().parse().ok()).filter(|v| *v > VERSION) {
            return Err(Newer(version));
        }
        let text = String::from_utf8(octets).unwrap_or_else(|wrong| blanked(wrong.into_bytes(), &mut flaws));
        let mut lines = rows(&text, &mut flaws);
        lines.sort_by_key(|(visit, _)| visit.time);
        flaws.sort_by_key(|flaw| flaw.line);
        let mut visits = Visits::default();
        visits.by_form.reserve(lines.len());
        // Mostly the line before, or its own way, names what led there.
        let (mut at_hand, mut next) = ([("", 0); AT_HAND], 0);
        let mut unknown = Vec::new();
        for (visit, led) in lines {
            let Ok(url) = Url::parse(visit.url) else { continue };
            let form = visits.form(&url);
            let led = (!led.is_empty()).then(|| {
                let known = at_hand.iter().find(|(url, _)| *url == led).map(|(_, form)| *form);
                known.or_else(|| Url::parse(led).ok().map(|led| visits.form(&led)))
            });
            let led = led.flatten().filter(|led| *led != form);
            let row = led.and_then(|led| visits.by_form.get(&led)).map(|row| *row as usize);
            let number = visits.place(visit, form, row);
            unknown.extend(number.zip(led).filter(|_| row.is_none()));
            at_hand[next] = (visit.url, form);
            next = (next + 1) % AT_HAND;
        }
        // Of a page that was visited again later the line may be a later one.
        for (number, led) in unknown {
            if let Some(row) = visits.by_form.get(&led) {
                visits.pages.lead(number, *row as usize);
            }
        }
        Ok((visits, flaws))
    }

    /// The lines that say the same, without the first one: one for each page, and one for each earlier visit over which a trail to
    /// a page leads, of those the newest.
    pub fn write(&self) -> String {
        let (mut out, last) = (String::new(), self.pages.last_visits());
        let is_known = |row: usize| last.get(row).copied().flatten().is_some();
        let earlier = self.pages.earlier(&last, self.live / 2 + EARLIER);
        // How many visits of a page have lines of their own.
        let mut told: HashMap<u32, u32> = HashMap::new();
        earlier
            .iter()
            .filter_map(|row| last.get(*row).copied().flatten())
            .for_each(|page| *told.entry(page).or_default() += 1);
        let mut left = earlier.into_iter().peekable();
        let mut write = |number: usize, visit: Visit<'_>| {
            let led = self.pages.led(number).filter(|led| is_known(*led)).and_then(|led| self.pages.any(led));
            out.push_str(&line(visit, led.map_or("", |led| led.url)));
        };
        for (number, visit) in self.pages.oldest() {
            while let Some(row) = left.next_if(|row| *row < number) {
                if let Some(visit) = self.pages.any(row) {
                    write(row, Visit { title: "", ..visit });
                }
            }
            let told = told.get(&index(number)).copied().unwrap_or_default();
            write(number, Visit { count: visit.count.saturating_sub(told).max(1), ..visit });
        }
        out
    }
}

/// What the lines of a file say: visits, and the addresses of the pages that led there.
fn rows<'a>(text: &'a str, flaws: &mut Vec<Flaw>) -> Vec<(Visit<'a>, &'a str)> {
    let octets = text.as_bytes();
    let ends = memchr_iter(b'\n', octets).chain((!octets.ends_with(b"\n")).then_some(octets.len()));
    let mut visits = Vec::with_capacity(text.len() / 128);
    let mut start = 0;
    for (number, end) in (1..).zip(ends) {
        match row(&text[start..end]) {
            Ok(visit) => visits.extend(visit),
            Err(what) => flaws.push(Flaw { line: number, what }),
        }
        start = end + 1;
    }
    visits
}

/// What a line says; `None` for a remark.
fn row(line: &str) -> Result<Option<(Visit<'_>, &str)>, &'static str> {
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let octets = line.as_bytes();
    let cut = "a line needs a time, an address and a title with TABs between them";
    let first = memchr(b'\t', octets).ok_or(cut)?;
    let second = first + 1 + memchr(b'\t', &octets[first + 1..]).ok_or(cut)?;
    let time: i64 = line[..first].parse().map_err(|_| "this is no time in seconds")?;
    // No visit after it could have a time of its own.
    if time > LATEST {
        return Err("this is no time of a visit");
    }
    let url = &line[first + 1..second];
    Url::check(url).map_err(|_| "this is no address")?;
    let rest = line[second + 1..].trim_end_matches('\r');
    let (title, count) = rest.split_once('\t').unwrap_or((rest, "1"));
    let (count, led) = count.split_once('\t').unwrap_or((count, ""));
    let count = count.parse().map_err(|_| "this is no number of visits")?;
    Ok(Some((Visit { time, url, title, count: u32::max(count, 1) }, led)))
}

/// The text with remarks in the place of lines that are no UTF-8.
fn blanked(mut octets: Vec<u8>, flaws: &mut Vec<Flaw>) -> String {
    for (number, line) in (1..).zip(octets.split_mut(|b| *b == b'\n')) {
        if std::str::from_utf8(line).is_err() {
            line.fill(b'#');
            flaws.push(Flaw { line: number, what: "this is not UTF-8" });
        }
    }
    String::from_utf8(octets).unwrap_or_default()
}

//! The file: a line for each visit, `time TAB url TAB title`, and after another TAB how many visits it stands for when it
//! stands for several. Lines that begin with `#` are remarks; the first may say which version of the file this is.
//!
//! A line that was cut off before its second TAB is none; one that was cut off later has lost a part of a title.

use super::{Visit, Visits};
use crate::url::Url;
use memchr::{memchr, memchr_iter};

/// The first line of a file.
const FIRST: &str = "# wayfarer history ";
/// The version that is written here.
const VERSION: u32 = 1;

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

/// The line of a visit, with its end.
pub fn line(visit: Visit<'_>) -> String {
    match visit.count {
        0 | 1 => format!("{}\t{}\t{}\n", visit.time, visit.url, visit.title),
        count => format!("{}\t{}\t{}\t{count}\n", visit.time, visit.url, visit.title),
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
        lines.sort_by_key(|visit| visit.time);
        flaws.sort_by_key(|flaw| flaw.line);
        let mut visits = Visits::default();
        visits.by_form.reserve(lines.len());
        for visit in lines {
            if let Ok(url) = Url::parse(visit.url) {
                let form = visits.form(&url);
                visits.place(visit, form);
            }
        }
        Ok((visits, flaws))
    }

    /// The lines that say the same with one for each page, without the first one.
    pub fn write(&self) -> String {
        let mut out = String::new();
        self.pages.oldest().for_each(|(_, visit)| out.push_str(&line(visit)));
        out
    }
}

/// What the lines of a file say.
fn rows<'a>(text: &'a str, flaws: &mut Vec<Flaw>) -> Vec<Visit<'a>> {
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
fn row(line: &str) -> Result<Option<Visit<'_>>, &'static str> {
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let octets = line.as_bytes();
    let cut = "a line needs a time, an address and a title with TABs between them";
    let first = memchr(b'\t', octets).ok_or(cut)?;
    let second = first + 1 + memchr(b'\t', &octets[first + 1..]).ok_or(cut)?;
    let time: i64 = line[..first].parse().map_err(|_| "this is no time in seconds")?;
    let url = &line[first + 1..second];
    Url::check(url).map_err(|_| "this is no address")?;
    let rest = line[second + 1..].trim_end_matches('\r');
    let (title, count) = rest.split_once('\t').unwrap_or((rest, "1"));
    let count = count.parse().map_err(|_| "this is no number of visits")?;
    Ok(Some(Visit { time, url, title, count: u32::max(count, 1) }))
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

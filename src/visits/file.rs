//! The file: a line for each visit, `time TAB url TAB title`, and after another TAB how many visits it stands for when it
//! stands for several. Lines that begin with `#` are remarks; the first may say which version of the file this is.
//!
//! A line that was cut off before its second TAB is none; one that was cut off later has lost a part of a title.

use super::{Row, Visit, Visits};
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
        let mut visits = Visits { rows: Vec::with_capacity(text.len() / 128), text, ..Visits::default() };
        visits.rows(&mut flaws);
        visits.rows.sort_by_key(|row| row.time);
        visits.index();
        flaws.sort_by_key(|flaw| flaw.line);
        Ok((visits, flaws))
    }

    /// The lines that say the same with one for each page, without the first one.
    pub fn write(&self) -> String {
        let mut out = String::new();
        let rows = self.rows.iter().filter(|row| row.count > 0);
        rows.for_each(|row| out.push_str(&line(self.visit(row))));
        out
    }

    fn rows(&mut self, flaws: &mut Vec<Flaw>) {
        let text = self.text.as_bytes();
        let ends = memchr_iter(b'\n', text).chain((!text.ends_with(b"\n")).then_some(text.len()));
        let mut start = 0;
        for (number, end) in (1..).zip(ends) {
            let line = &self.text[start..end];
            match row(line, start) {
                Ok(row) => self.rows.extend(row),
                Err(what) => flaws.push(Flaw { line: number, what }),
            }
            start = end + 1;
        }
    }

    /// Brings the rows, which are in order, together by page.
    fn index(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        self.by_form.reserve(rows.len());
        self.rows.reserve(rows.len());
        for row in rows {
            let url = &self.text[row.start..row.start + row.url as usize];
            if let Ok(url) = Url::parse(url) {
                let form = self.form(&url);
                self.place(row, form);
            }
        }
    }
}

/// The row of a line that stands at an offset; `None` for a remark.
fn row(line: &str, at: usize) -> Result<Option<Row>, &'static str> {
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
    let [url, title] = [url, title].map(|text| u32::try_from(text.len()).map_err(|_| "this line is too long"));
    Ok(Some(Row { time, start: at + first + 1, url: url?, title: title?, count: u32::max(count, 1) }))
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

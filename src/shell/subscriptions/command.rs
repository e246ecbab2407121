//! `wayfarer subscriptions`: the list, and those of other programs in and out. Nothing is asked of anybody.

use super::super::bookmarks::BookmarkFile;
use super::super::cli::{SHOWN, complain, print};
use crate::bookmarks::{Bookmark, Bookmarks, Change, For, Kind};
use crate::doc::sanitise;
use crate::format::count;
use crate::opml;
use crate::subscriptions::{MOST, refusal};
use crate::url::{Url, equal, scheme};
use std::collections::HashSet;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// Octets of a list that are read.
const LONGEST: u64 = 16 << 20;

/// A format in which the list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::shell) enum Format {
    /// What most readers of feeds take.
    Opml,
    /// The file of newsboat.
    Urls,
}

/// Takes what a file lists, writes the list, or says it.
pub(in crate::shell) fn run(import: Option<&Path>, export: Option<Format>) -> u8 {
    let Some(file) = BookmarkFile::of_reader(For::News) else {
        return complain("there is no folder to keep subscriptions in: HOME is not set");
    };
    if let Some(path) = import {
        return take(&file, path);
    }
    let (list, remark) = file.load();
    let status = remark.map_or(SHOWN, |remark| complain(&remark));
    // A row that was written by hand may be one that another program runs.
    let (fit, unfit): (Vec<&Bookmark>, Vec<&Bookmark>) = list.iter().partition(|row| is_fit(row));
    let text = match export {
        Some(Format::Opml) => Kind::Opml.write(fit.into_iter()),
        Some(Format::Urls) => Kind::Urls.write(fit.into_iter()),
        None => said(&list),
    };
    if export.is_some() && !unfit.is_empty() {
        complain(&left_out(unfit.len()));
    }
    // Names come from other people's lists, and this may go to a terminal.
    let text: String = text.lines().map(|line| format!("{}\n", sanitise(line))).collect();
    status.max(print(text.as_bytes()))
}

/// An address and a title a line.
fn said(list: &Bookmarks) -> String {
    let row = |Bookmark { url, title, .. }: &Bookmark| match title.is_empty() {
        true => format!("{url}\n"),
        false => format!("{url}\t{title}\n"),
    };
    list.iter().map(row).collect()
}

/// Whether a row is one that may be subscribed to.
fn is_fit(row: &Bookmark) -> bool {
    Url::parse(&*row.url).is_ok_and(|url| refusal(&url).is_none())
}

fn left_out(many: usize) -> String {
    format!("{} left out, which are no addresses of the network", count(many))
}

fn take(file: &BookmarkFile, path: &Path) -> u8 {
    let text = match text(path) {
        Ok(text) => text,
        Err(error) => return complain(&format!("{}: {error}", path.display())),
    };
    let opml = opml::is_opml(&text);
    if let Some(line) = odd_line(&text).filter(|_| !opml) {
        let said = format!(
            "line {line} is no address that this program knows, so this is no list of subscriptions; nothing was taken"
        );
        return complain(&format!("{}: {said}", path.display()));
    }
    let secrets = secrets(&text, opml);
    let found = if opml { Kind::Opml } else { Kind::Urls }.read(&text);
    let all = found.bookmarks.len() + found.odd + found.refused.values().sum::<usize>();
    let (trimmed, more) = (found.trimmed_sentence(), found.more || opml && opml::read(&text).cut);
    let rows: Vec<Bookmark> = found.bookmarks.into_iter().filter(is_fit).collect();
    let left = all - rows.len();
    let (list, remark) = file.load();
    if let Some(remark) = remark {
        complain(&remark);
    }
    let form = |row: &Bookmark| Url::parse(&*row.url).ok().map(|url| equal::normal(&url).into_owned());
    let held: HashSet<_> = list.iter().filter_map(form).collect();
    let there = list.iter().count();
    let all = rows.len();
    let mut fresh: Vec<_> =
        rows.into_iter().filter(|row| form(row).is_some_and(|form| !held.contains(&form))).collect();
    let twice = all - fresh.len();
    let over = (there + fresh.len()).saturating_sub(MOST);
    fresh.truncate(fresh.len().saturating_sub(over));
    let held = match file.change(&Change::Insert { bookmarks: fresh, before: None }) {
        Ok(held) => held.iter().count(),
        Err(sentence) => return complain(&sentence),
    };
    let mut said = format!("{} taken", count(held.saturating_sub(there)));
    if twice > 0 {
        said.push_str(&format!("; {} there already", count(twice)));
    }
    if secrets > 0 {
        said.push_str(&format!("; the passwords in {} are left out", count(secrets)));
    }
    if left > 0 {
        said.push_str(&format!("; {}", left_out(left)));
    }
    if over > 0 {
        said.push_str(&format!("; {} left out, since no more than {} are looked at", count(over), count(MOST)));
    }
    if let Some(trimmed) = trimmed {
        said.push_str(&format!("; {trimmed}"));
    }
    if more {
        said.push_str("; the file is not whole, or too long to read all of it");
    }
    print(format!("{said}\n").as_bytes())
}

/// The lines of a list of newsboat's, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(str::trim).enumerate().map(|(at, line)| (at + 1, line));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The address that a line begins with.
fn address(line: &str) -> Option<Url> {
    Url::parse(line.split_whitespace().next()?.trim_matches('"')).ok()
}

/// The first line that begins with no address of a scheme that is known here, or to newsboat.
fn odd_line(text: &str) -> Option<usize> {
    let known = |url: &Url| ["exec", "filter", "query"].iter().any(|own| url.is(own)) || !scheme::is_handed_over(url);
    lines(text).find(|(_, line)| !address(line).is_some_and(|url| known(&url))).map(|(at, _)| at)
}

/// How many addresses of a list have a password, as they stand there.
fn secrets(text: &str, opml: bool) -> usize {
    let is_one = |url: &Url| url.password().is_some();
    match opml {
        true => opml::read(text).outlines.iter().filter_map(|row| Url::parse(&*row.url).ok()).filter(is_one).count(),
        false => lines(text).take(opml::MOST).filter_map(|(_, line)| address(line)).filter(is_one).count(),
    }
}

/// What a file holds, in letters.
fn text(path: &Path) -> std::io::Result<String> {
    let mut octets = Vec::new();
    match path == Path::new("-") {
        true => std::io::stdin().lock().take(LONGEST + 1).read_to_end(&mut octets)?,
        false => std::fs::File::open(path)?.take(LONGEST + 1).read_to_end(&mut octets)?,
    };
    if octets.len() as u64 > LONGEST {
        let said = format!("it has more than {} MiB; nothing was taken", LONGEST >> 20);
        return Err(Error::new(ErrorKind::FileTooLarge, said));
    }
    Ok(String::from_utf8_lossy(&octets).into_owned())
}

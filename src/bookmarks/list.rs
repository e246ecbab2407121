//! A plain list: an address a line. What follows an address on its line is its title; lines that begin with `#` are remarks.

use super::{Bookmark, address, one_line};

pub(super) fn read(text: &str) -> (Vec<Bookmark>, usize) {
    let (mut found, mut odd) = (Vec::new(), 0);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (url, title) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match address(url) {
            Some(url) => found.push(Bookmark { url, title: one_line(title), ..Bookmark::default() }),
            None => odd += 1,
        }
    }
    (found, odd)
}

pub(super) fn write(bookmarks: &[Bookmark]) -> String {
    bookmarks.iter().map(|bookmark| format!("{}\n", bookmark.url)).collect()
}

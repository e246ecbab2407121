//! What newsboat keeps of feeds: an address a line, behind it tags, of which one that begins with `~` is the title. A word with a space
//! in it stands in quotation marks; lines that begin with `#` are remarks.

use super::exchange::TAGS;
use super::{Bookmark, address, one_line};
use crate::opml;
use crate::url::{Url, scheme};
use std::str::Chars;

/// The lines that say anything.
pub(super) fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

pub(super) fn read(text: &str) -> (Vec<Bookmark>, usize) {
    let (mut found, mut odd) = (Vec::new(), 0);
    for line in rows(text).take(opml::MOST) {
        let mut words = Words(line.chars());
        // What a program says, or a search in other feeds, is no address.
        let Some(url) = words.next().and_then(|word| address(&word)) else {
            odd += 1;
            continue;
        };
        let mut bookmark = Bookmark { url, ..Bookmark::default() };
        for word in words {
            match word.strip_prefix('~') {
                Some(title) => bookmark.title = one_line(title),
                // One more than are taken tells that there are more.
                None if bookmark.tags.len() > TAGS => {}
                None => bookmark.tags.push(one_line(&word)),
            }
        }
        found.push(bookmark);
    }
    (found, odd)
}

pub(super) fn write(bookmarks: &[Bookmark]) -> String {
    let mut out = String::new();
    // What newsboat would run, or take for a search, is none of the reader's doing there.
    let leads = |row: &&Bookmark| Url::parse(&*row.url).is_ok_and(|url| !scheme::is_handed_over(&url));
    for Bookmark { url, title, folder, tags, .. } in bookmarks.iter().filter(leads) {
        out.push_str(&url.replace(' ', "%20"));
        if !title.is_empty() {
            out.push_str(&format!(" {}", quoted(&format!("~{title}"))));
        }
        let folder = (!folder.is_empty()).then(|| folder.join("/"));
        for tag in tags.iter().chain(&folder) {
            out.push_str(&format!(" {}", quoted(tag)));
        }
        out.push('\n');
    }
    out
}

fn quoted(word: &str) -> String {
    let harmless: String = word.chars().filter(|c| !c.is_control()).collect();
    format!("\"{}\"", harmless.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The words of a line; within quotation marks a backslash takes the next letter as it is.
struct Words<'a>(Chars<'a>);

impl Iterator for Words<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let (mut word, mut begun, mut within) = (String::new(), false, false);
        while let Some(letter) = self.0.next() {
            match letter {
                '"' => (within, begun) = (!within, true),
                '\\' if within => word.extend(self.0.next()),
                letter if letter.is_whitespace() && !within => {
                    if begun {
                        break;
                    }
                }
                letter => {
                    word.push(letter);
                    begun = true;
                }
            }
        }
        begun.then_some(word)
    }
}

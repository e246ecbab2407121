//! Bookmarks as outlines of readers of feeds.

use super::{Bookmark, address, one_line};
use crate::opml::{self, Outline};

pub(super) fn read(text: &str) -> (Vec<Bookmark>, usize) {
    let (mut found, mut odd) = (Vec::new(), 0);
    for Outline { url, title, folder, tags, .. } in opml::read(text).outlines {
        match address(&url) {
            Some(url) => found.push(Bookmark { url, title: one_line(&title), folder, tags, ..Bookmark::default() }),
            None => odd += 1,
        }
    }
    (found, odd)
}

pub(super) fn write(bookmarks: &[Bookmark]) -> String {
    let row = |bookmark: &Bookmark| Outline {
        url: bookmark.url.clone(),
        title: bookmark.title.clone(),
        about: String::new(),
        folder: bookmark.folder.clone(),
        tags: bookmark.tags.clone(),
    };
    let rows: Vec<Outline> = bookmarks.iter().map(row).collect();
    opml::write("Wayfarer", rows.iter())
}

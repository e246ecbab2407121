//! Formats of others: which one a text is in, and which one a file's name asks for.

use super::{Bookmark, gophermap, html, list, outlines, urls};
use crate::opml;
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::collections::BTreeMap;

/// What was found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// The bookmarks.
    pub bookmarks: Vec<Bookmark>,
    /// How many lines or links are none.
    pub odd: usize,
    /// How many addresses were left out since nothing can be opened by them, by their scheme.
    pub refused: BTreeMap<String, usize>,
    /// Of how many rows tags or titles are left out or cut, since there are too many or they are too long.
    pub trimmed: usize,
    /// There are more rows than are read.
    pub more: bool,
}

/// Tags of a row that are taken from others, octets of one, and octets of a title.
pub(super) const TAGS: usize = 32;
const TAG: usize = 128;
const TITLE: usize = 1024;

impl Found {
    /// Said of what was refused: "3 lead nowhere (javascript:, place:)"; nothing where none was.
    pub fn refusal(&self) -> Option<String> {
        let schemes: Vec<String> = self.refused.keys().map(|scheme| format!("{scheme}:")).collect();
        let all: usize = self.refused.values().sum();
        let leads = if all == 1 { "leads" } else { "lead" };
        (all > 0).then(|| format!("{all} {leads} nowhere ({})", schemes.join(", ")))
    }

    /// Said of what was left out of rows: "of 3 not all is taken (…)"; nothing where all was.
    pub fn trimmed_sentence(&self) -> Option<String> {
        let bounds = format!("{TAGS} tags of {TAG} octets and a title of {TITLE}");
        (self.trimmed > 0).then(|| format!("of {} not all is taken (no more than {bounds})", self.trimmed))
    }
}

/// A format of bookmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What browsers export: Netscape's bookmark file.
    Browser,
    /// What lynx keeps.
    Lynx,
    /// A gopher menu.
    Gophermap,
    /// An address a line.
    List,
    /// Outlines of readers of feeds.
    Opml,
    /// What newsboat keeps: an address a line, with tags.
    Urls,
}

impl Kind {
    /// The format in the reader's words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Browser => "a browser's bookmarks",
            Kind::Lynx => "bookmarks of lynx",
            Kind::Gophermap => "a gophermap",
            Kind::List => "a list of addresses",
            Kind::Opml => "OPML",
            Kind::Urls => "newsboat's urls",
        }
    }

    /// What it cannot hold, in the reader's words.
    pub fn lacks(self) -> Option<&'static str> {
        match self {
            Kind::Browser => None,
            Kind::Lynx | Kind::Gophermap => Some("folders, tags and notes are not in it"),
            Kind::List => Some("only the addresses are in it"),
            Kind::Opml => Some("notes are not in it"),
            Kind::Urls => Some("folders are tags in it; notes, and what only other programs open, are not in it"),
        }
    }

    /// The format that a file's name asks for: `.html` is a browser's, with `lynx` in the name lynx's, `gophermap` or
    /// `.gophermap` a menu, `.opml` outlines, `urls` what newsboat keeps, `.txt` a list.
    pub fn of_name(path: &str) -> Option<Kind> {
        let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
        match name.rsplit('.').next().unwrap_or_default() {
            "html" | "htm" if name.contains("lynx") => Some(Kind::Lynx),
            "html" | "htm" => Some(Kind::Browser),
            "gophermap" => Some(Kind::Gophermap),
            "opml" => Some(Kind::Opml),
            "urls" => Some(Kind::Urls),
            "txt" => Some(Kind::List),
            _ => None,
        }
    }

    /// The format that a text is in.
    pub fn of_text(text: &str) -> Kind {
        let start: String = text.chars().take(4096).collect::<String>().to_ascii_lowercase();
        let tagged = ["<a ", "<dl", "<html", "<head", "<!doctype", "<title"].iter().any(|tag| start.contains(tag));
        if opml::is_opml(text) {
            Kind::Opml
        } else if start.contains("netscape-bookmark") || tagged && start.contains("<dl") {
            Kind::Browser
        } else if tagged {
            Kind::Lynx
        } else if text.lines().take(50).any(gophermap::is_item) {
            Kind::Gophermap
        } else {
            Kind::List
        }
    }

    /// Reads a text. Passwords are left out, and so is what leads nowhere.
    pub fn read(self, text: &str) -> Found {
        let (bookmarks, odd) = match self {
            Kind::Browser | Kind::Lynx => html::read(text),
            Kind::Gophermap => gophermap::read(text),
            Kind::List => list::read(text),
            Kind::Opml => outlines::read(text),
            Kind::Urls => urls::read(text),
        };
        let mut found = Found { odd, ..Found::default() };
        found.more = self == Kind::Urls && urls::rows(text).nth(opml::MOST).is_some();
        for mut bookmark in bookmarks {
            found.trimmed += usize::from(trim(&mut bookmark));
            match Url::parse(&bookmark.url).ok().filter(|url| scheme::family(url) == Family::Nowhere) {
                Some(url) => *found.refused.entry(url.scheme().to_ascii_lowercase()).or_default() += 1,
                None => found.bookmarks.push(bookmark),
            }
        }
        found
    }

    /// Writes bookmarks.
    pub fn write<'a>(self, bookmarks: impl Iterator<Item = &'a Bookmark>) -> String {
        // Nobody's file but the reader's own holds what they wrote into it by hand.
        let safe = bookmarks.filter_map(|b| Some(Bookmark { url: super::address(&b.url)?, ..b.clone() }));
        let bookmarks: Vec<Bookmark> = safe.collect();
        match self {
            Kind::Browser => html::browser(&bookmarks),
            Kind::Lynx => html::lynx(&bookmarks),
            Kind::Gophermap => gophermap::write(&bookmarks),
            Kind::List => list::write(&bookmarks),
            Kind::Opml => outlines::write(&bookmarks),
            Kind::Urls => urls::write(&bookmarks),
        }
    }
}

/// Leaves out tags that are too many or too long, and cuts a title that is too long; whether any was.
fn trim(bookmark: &mut Bookmark) -> bool {
    let Bookmark { title, tags, .. } = bookmark;
    let all = tags.len();
    tags.retain(|tag| tag.len() <= TAG);
    tags.truncate(TAGS);
    // What is left of a long list is kept for as long as the program runs.
    tags.shrink_to_fit();
    let long = title.len() > TITLE;
    if long {
        title.truncate(title.floor_char_boundary(TITLE));
        title.shrink_to_fit();
    }
    long || tags.len() < all
}

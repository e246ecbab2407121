//! A trail as a file for others: gemtext, Markdown, HTML or a gopher menu. What is in it are the stations and the reader's words to
//! them; where they turned off is theirs. No password is in an address, and of files of this machine there is only the name.
//! Refuses: anything of a title or an address that would be more than words or an address in the file.

use super::{line, told};
use crate::bookmarks::menu_item;
use crate::url::{Url, escape, scheme};
use crate::visits::Trail;
use std::collections::BTreeMap;

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `text/gemini`.
    Gemtext,
    /// Markdown as CommonMark has it.
    Markdown,
    /// A page of the web.
    Html,
    /// A gopher menu (RFC 1436).
    Gophermap,
}

/// What the last part of a file's name asks for.
const KINDS: [(&str, Kind); 7] = [
    ("gmi", Kind::Gemtext),
    ("gemini", Kind::Gemtext),
    ("md", Kind::Markdown),
    ("markdown", Kind::Markdown),
    ("html", Kind::Html),
    ("htm", Kind::Html),
    ("gophermap", Kind::Gophermap),
];

/// A station, as it is told to others.
struct Told {
    title: String,
    /// None of what they cannot reach.
    url: Option<String>,
    note: Option<String>,
}

impl Kind {
    /// The one that a file's name asks for, by its last part.
    pub fn of_name(path: &str) -> Option<Kind> {
        let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
        let end = name.rsplit('.').next().unwrap_or_default();
        KINDS.iter().find(|(known, _)| *known == end).map(|(_, kind)| *kind)
    }

    /// Writes it.
    pub(super) fn write(self, title: &str, trail: &Trail, notes: &BTreeMap<String, String>) -> String {
        let told = trail.stations.iter().map(|station| Told {
            title: told(&station.title, &station.url),
            url: reachable(&station.url),
            note: notes.get(&station.url).map(|note| line(note)),
        });
        match self {
            Kind::Gemtext => told.fold(format!("# {title}\n"), |out, told| out + &gemtext(&told)),
            Kind::Markdown => told.fold(format!("# {}\n\n", marked_down(title)), |out, told| out + &markdown(&told)),
            Kind::Html => {
                let title = marked_up(title);
                let head = format!(
                    "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{title}</title></head>\n<body><h1>{title}</h1>\n<ol>\n"
                );
                told.fold(head, |out, told| out + &html(&told)) + "</ol>\n</body></html>\n"
            }
            Kind::Gophermap => {
                told.fold(information(title) + &information(""), |out, told| out + &gophermap(&told)) + ".\r\n"
            }
        }
    }
}

/// An address that others may have a use for; what may not stand in one is escaped.
fn reachable(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(scheme::is_of_network)?;
    Some(escape::make_safe(&url.without_secrets()))
}

fn gemtext(told: &Told) -> String {
    let link = match &told.url {
        Some(url) => format!("\n=> {url} {}\n", told.title),
        None => format!("\n* {}\n", told.title),
    };
    link + &told.note.as_ref().map(|note| format!("> {note}\n")).unwrap_or_default()
}

/// Whatever is a sign of Markdown stands for itself.
fn marked_down(text: &str) -> String {
    text.chars().flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c])).collect()
}

fn markdown(told: &Told) -> String {
    let title = marked_down(&told.title);
    let link = match &told.url {
        // Between angle brackets an entity or a backslash would still be read.
        Some(url) => format!("1. [{title}](<{}>)\n", url.replace('&', "&amp;").replace('\\', "%5C")),
        None => format!("1. {title}\n"),
    };
    link + &told.note.as_ref().map(|note| format!("\n   {}\n", marked_down(note))).unwrap_or_default()
}

fn marked_up(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn html(told: &Told) -> String {
    let title = marked_up(&told.title);
    let link = match &told.url {
        Some(url) => format!("<a href=\"{}\">{title}</a>", marked_up(url)),
        None => title,
    };
    let note = told.note.as_ref().map(|note| format!("<br>{}", marked_up(note))).unwrap_or_default();
    format!("<li>{link}{note}</li>\n")
}

fn information(text: &str) -> String {
    format!("i{text}\t\terror.invalid\t70\r\n")
}

fn gophermap(told: &Told) -> String {
    let item = match &told.url {
        Some(url) => menu_item(url, &told.title),
        None => information(&told.title),
    };
    item + &told.note.as_deref().map(information).unwrap_or_default()
}

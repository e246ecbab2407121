//! What a page says of itself: title, base, related pages, where it wants to go next.

use super::dom::{Dom, Id};
use super::flow::clean_reference;
use super::name::{Attr, Tag};
use crate::doc::{Builder, sanitise};

/// Relations that a reader may follow, and what they are called here.
const RELATIONS: &[(&str, &str)] = &[
    ("start", "First"),
    ("first", "First"),
    ("prev", "Previous"),
    ("previous", "Previous"),
    ("next", "Next"),
    ("last", "Last"),
    ("up", "Up"),
    ("contents", "Contents"),
    ("toc", "Contents"),
    ("index", "Index"),
    ("glossary", "Glossary"),
    ("search", "Search"),
    ("help", "Help"),
    ("author", "Author"),
    ("copyright", "Copyright"),
    ("license", "License"),
];
/// The most related pages that are shown.
const MOST_RELATED: usize = 16;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 1024;

/// A related page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Related {
    pub label: String,
    pub reference: String,
}

/// What is known from the head so far.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub related: Vec<Related>,
    /// The related pages stand in the document.
    pub written: bool,
}

impl Head {
    /// Takes an element that says something of the page.
    pub fn take(&mut self, dom: &Dom, id: Id, out: &mut Builder) {
        let attr = |name| dom.attr(id, name);
        match dom.tag(id) {
            Tag::Title if out.document().title.is_none() => {
                let words = dom.all_text(id).split_ascii_whitespace().collect::<Vec<_>>().join(" ");
                let cut = words.char_indices().nth(LONGEST_TITLE).map_or(words.len(), |(at, _)| at);
                out.document_mut().title = Some(sanitise(&words[..cut]).into_owned()).filter(|t| !t.is_empty());
            }
            // only the first one counts
            Tag::Base if out.document().base.is_none() => {
                out.document_mut().base = attr(Attr::Href).map(clean_reference).filter(|base| !base.is_empty());
            }
            Tag::Link => self.relate(attr(Attr::Rel), attr(Attr::Href), attr(Attr::Title), attr(Attr::Type)),
            Tag::Meta if attr(Attr::HttpEquiv).is_some_and(|name| name.eq_ignore_ascii_case("refresh")) => {
                if let Some(said) = attr(Attr::Content) {
                    self.goes_on(said);
                }
            }
            _ => {}
        }
    }

    /// Takes what a header says of where the page wants to go next.
    pub fn goes_on(&mut self, said: &str) {
        if let Some((seconds, reference)) = refresh(said) {
            self.add(format!("Goes on after {seconds} s"), reference);
        }
    }

    fn relate(&mut self, rel: Option<&str>, href: Option<&str>, title: Option<&str>, media: Option<&str>) {
        let (Some(rel), Some(href)) = (rel.map(str::to_ascii_lowercase), href) else { return };
        let mut words = rel.split_ascii_whitespace();
        let feed = media.is_some_and(|media| media.contains("rss") || media.contains("atom") || media.contains("feed"));
        let label = match words.clone().any(|word| word == "alternate") {
            true if feed => Some("Feed"),
            true => None,
            false => words.find_map(|word| RELATIONS.iter().find(|(rel, _)| *rel == word).map(|(_, label)| *label)),
        };
        let Some(label) = label else { return };
        let title = title.map(|title| title.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
        match title.filter(|title| !title.is_empty() && title.len() <= 80) {
            Some(title) => self.add(format!("{label}: {title}"), clean_reference(href)),
            None => self.add(label.into(), clean_reference(href)),
        }
    }

    fn add(&mut self, label: String, reference: String) {
        let related = Related { label, reference };
        if !self.written && self.related.len() < MOST_RELATED && !self.related.contains(&related) {
            self.related.push(related);
        }
    }
}

/// The seconds and the reference of a refresh; one without a reference loads the page again, which the reader can do.
fn refresh(content: &str) -> Option<(String, String)> {
    let content = content.trim_ascii_start();
    let digits = content.bytes().take_while(u8::is_ascii_digit).count().min(6);
    let rest = content[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let rest = rest.trim_start_matches([';', ',', ' ', '\t', '\n', '\r']);
    let target = match rest.get(..3) {
        Some(url) if url.eq_ignore_ascii_case("url") => {
            rest[3..].trim_ascii_start().strip_prefix('=').map_or(rest, str::trim_ascii_start)
        }
        _ => rest,
    };
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    let seconds = if digits == 0 { "0" } else { &content[..digits] };
    (!target.is_empty()).then(|| (seconds.into(), clean_reference(target)))
}

#[cfg(test)]
mod tests {
    use super::refresh;

    #[test]
    fn refreshes() {
        let say = |content| refresh(content).map(|(seconds, reference)| format!("{seconds} {reference}"));
        assert_eq!(say("5; url=next.html").as_deref(), Some("5 next.html"));
        assert_eq!(say("0;URL='a b'x").as_deref(), Some("0 a b"));
        assert_eq!(say("3.5,/x").as_deref(), Some("3 /x"));
        assert_eq!(say("30"), None);
    }
}

//! What a page says of itself: title, base, related pages, where it wants to go next.

use super::dom::{Dom, Id};
use super::flow::clean_reference;
use super::linked::links;
use super::media::{LONGEST_WORDS, words};
use super::name::{Attr, Tag};
use super::{GOES_ON, LINKED};
use crate::doc::{Builder, Related, Source, sanitise};
use crate::url::{BaseStack, Resolved, Url};

/// Relations that a reader may follow, and what they are called here. Those of [`TOOLS`] stand above the page.
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
/// How the label of a place begins where the page would go by itself.
const WAITS: &str = "Goes on after";
/// What is worth a place above the page, before its own words: ways through pages, and what comes by itself.
const TOOLS: &[&str] = &["First", "Previous", "Next", "Last", "Up", "Contents", "Feed"];
/// The most related pages that are shown.
const MOST_RELATED: usize = 16;

/// What is known from the head so far.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// What the server said of related pages, before anything of the page was read.
    announced: Vec<Related>,
    /// The bases of the answer.
    bases: BaseStack,
    /// The related pages stand in the document.
    pub written: bool,
    /// What the page says of itself counts for nothing.
    mute: bool,
}

impl Head {
    /// What a server says in notices, of a page that came from a URL.
    pub fn announced(notices: &[String], url: &Url) -> Head {
        let bases = BaseStack::retrieved(url.without_fragment(), None);
        let mut announced = Vec::new();
        for notice in notices {
            if let Some(said) = notice.strip_prefix(GOES_ON) {
                announced.extend(goes_on(said, Source::Header));
            }
            for link in notice.strip_prefix(LINKED).map(links).unwrap_or_default() {
                // its base is the page's URL, whatever the page says (RFC 8288, 3.2)
                let reference = match bases.resolve(&link.reference) {
                    Ok(Resolved::Url(url)) => url.as_str().to_owned(),
                    _ => continue,
                };
                let (title, media) = (link.title.as_deref(), link.media.as_deref());
                announced.extend(relation(&link.relation, &reference, title, media, Source::Header));
            }
        }
        Head { announced, bases, ..Head::default() }
    }

    /// That of a page within another one.
    pub fn none() -> Head {
        Head { written: true, mute: true, ..Head::default() }
    }

    /// Takes an element that says something of the page.
    pub fn take(&mut self, dom: &Dom, id: Id, out: &mut Builder) {
        if self.mute {
            return;
        }
        self.begin(out);
        let attr = |name| dom.attr(id, name);
        match dom.tag(id) {
            Tag::Title if out.document().title.is_none() => {
                let words = words(Some(&dom.some_text(id, LONGEST_WORDS))).unwrap_or_default();
                out.document_mut().entitle(&sanitise(&words));
            }
            // only the first one counts
            Tag::Base if out.document().base.is_none() => {
                out.document_mut().base = attr(Attr::Href).map(clean_reference);
            }
            Tag::Link => {
                let (Some(rel), Some(href)) = (attr(Attr::Rel), attr(Attr::Href)) else { return };
                add(relation(rel, href, attr(Attr::Title), attr(Attr::Type), Source::Link), out);
            }
            Tag::Meta if attr(Attr::HttpEquiv).is_some_and(|name| name.eq_ignore_ascii_case("refresh")) => {
                if let Some(said) = attr(Attr::Content) {
                    add(goes_on(said, Source::Link), out);
                }
            }
            _ => {}
        }
    }

    /// Gives the document what the server said, which comes before what the page says.
    pub fn begin(&mut self, out: &mut Builder) {
        self.announced.drain(..).for_each(|related| add(Some(related), out));
    }

    /// What stands above the page for the reader to follow: each relation to a place once. The others are told of elsewhere.
    pub fn toolbar(&self, out: &Builder) -> Vec<(String, String)> {
        let document = out.document();
        let mut bases = self.bases.clone();
        if let Some(base) = &document.base {
            // one that is no base leaves the outer layers in force
            let _ = bases.set_document_base(base);
        }
        let place = |related: &Related| match bases.resolve(&related.reference) {
            Ok(Resolved::Url(url)) => url.as_str().to_owned(),
            _ => related.reference.clone(),
        };
        let mut shown: Vec<(&str, String)> = Vec::new();
        let mut toolbar = Vec::new();
        let tool = |related: &&Related| {
            related.source != Source::Anchor
                && (TOOLS.contains(&related.label.as_str()) || related.label.starts_with(WAITS))
        };
        for related in document.related.iter().filter(tool) {
            let key = (related.label.as_str(), place(related));
            if !shown.contains(&key) {
                shown.push(key);
                let (label, title) = (&related.label, &related.title);
                let bare = title.is_empty() || title.eq_ignore_ascii_case(label);
                let text = if bare { label.clone() } else { format!("{label}: {title}") };
                toolbar.push((text, related.reference.clone()));
            }
        }
        toolbar
    }
}

/// Adds a related page, unless the document has it or has enough of them.
fn add(related: Option<Related>, out: &mut Builder) {
    let known = &mut out.document_mut().related;
    known.extend(related.filter(|related| known.len() < MOST_RELATED && !known.contains(related)));
}

/// Where a page wants to go next by itself.
fn goes_on(said: &str, source: Source) -> Option<Related> {
    let (seconds, reference) = refresh(said)?;
    Some(Related { label: format!("{WAITS} {seconds} s"), title: String::new(), reference, source })
}

/// What relations are to the reader; nothing for those of machines.
fn relation(rel: &str, href: &str, title: Option<&str>, media: Option<&str>, source: Source) -> Option<Related> {
    let rel = rel.to_ascii_lowercase();
    let mut named = rel.split_ascii_whitespace();
    let feed = media.is_some_and(|media| media.contains("rss") || media.contains("atom") || media.contains("feed"));
    let label = match named.clone().any(|word| word == "alternate") {
        true => Some("Feed").filter(|_| feed),
        false => named.find_map(|word| RELATIONS.iter().find(|(rel, _)| *rel == word).map(|(_, label)| *label)),
    };
    let title = words(title).filter(|title| title.len() <= 80).unwrap_or_default();
    Some(Related { label: label?.into(), title, reference: clean_reference(href), source })
}

/// Notes a link in the text that leads to the next or the previous page.
pub(super) fn relate_anchor(rel: &str, href: &str, out: &mut Builder) {
    let related = relation(rel, href, None, None, Source::Anchor);
    let related = related.filter(|related| matches!(related.label.as_str(), "Next" | "Previous" | "Up" | "Contents"));
    let fresh = |related: &Related| out.document().related.iter().all(|known| known.label != related.label);
    let related = related.filter(fresh);
    add(related, out);
}

/// The seconds and the reference of a refresh; one without a reference loads the page again, which the reader can do.
pub(super) fn refresh(content: &str) -> Option<(String, String)> {
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

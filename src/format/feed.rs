//! RSS, Atom and JSON feeds → `Document`: a page of links, by way of HTML. XML that is no feed is shown as it is written, lists of feeds
//! as their links.
//!
//! A library reads the dialects. What they quote as HTML goes through the HTML format with all its bounds; titles, and summaries
//! without links, are plain text. Nothing is fetched.

use super::feed_end;
use super::html::Html;
use super::outlines::Outlines;
use super::plain::Plain;
use super::plain_text::plain_text;
use super::{Input, Parser, media};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::role::Role;
use crate::url::{BaseStack, Resolved, Url, equal};
use feed_rs::model::{Content, Entry, Feed, Link, Text};
use feed_rs::parser::ParseFeedError;
use jiff::Timestamp;
use memchr::memchr2_iter;
use std::borrow::Cow;

/// The media types of feeds, and of XML that may be one.
pub(super) const TYPES: &[&str] = &[
    "application/rss+xml",
    "application/atom+xml",
    "application/rdf+xml",
    "application/feed+json",
    "text/x-opml",
    "application/xml",
    "text/xml",
];

/// Octets of a feed that are read.
const MOST: usize = 32 << 20;
/// Columns of a summary's tables.
const COLUMNS: usize = 72;
/// Octets among which the first element is looked for.
const WINDOW: usize = 4 * 1024;

/// Reads a feed.
pub struct Feeds {
    input: Input,
    state: State,
}

enum State {
    /// Nothing but a beginning has come.
    Unclear(Vec<u8>),
    /// It is one.
    Feed(Vec<u8>, Elements),
    /// It is none.
    Other(Box<dyn Parser>),
}

/// How many elements there are, and how many of those that the library makes much of.
#[derive(Default)]
struct Elements {
    seen: usize,
    all: usize,
    large: usize,
}

impl Elements {
    /// What the library takes for an element, in octets, and for one that is an entry or a medium.
    const ONE: usize = 192;
    const LARGE: usize = 2048;
    /// The longest name that is looked at.
    const NAME: usize = 64;

    /// Counts those that have come since, as far as their names have.
    fn count(&mut self, held: &[u8]) {
        let new = &held[self.seen..];
        for at in memchr2_iter(b'<', b'{', new) {
            let name = &new[at + 1..new.len().min(at + 1 + Elements::NAME)];
            let ends = name.iter().position(|octet| !octet.is_ascii_alphanumeric() && *octet != b':');
            if ends.is_none() && name.len() < Elements::NAME && new[at] == b'<' {
                self.seen += at;
                return;
            }
            let name = name[..ends.unwrap_or(name.len())].rsplit(|octet| *octet == b':').next().unwrap_or_default();
            self.all += 1;
            let large = new[at] == b'{' || matches!(name, b"item" | b"entry" | b"content" | b"group");
            self.large += usize::from(large);
        }
        self.seen = held.len();
    }

    fn memory(&self) -> usize {
        self.all * Elements::ONE + self.large * Elements::LARGE
    }
}

impl Feeds {
    /// A parser for what may be a feed.
    pub fn new(input: &Input) -> Feeds {
        Feeds { input: input.clone(), state: State::Unclear(Vec::new()) }
    }

    fn decide(&mut self, octets: Vec<u8>, end: bool, out: &mut Builder) {
        // no more is looked at than there would be if it came octet by octet
        self.state = match looks_like_feed(&octets[..octets.len().min(WINDOW)]) {
            Some(true) => {
                let mut elements = Elements::default();
                elements.count(&octets);
                State::Feed(octets, elements)
            }
            None if !end && octets.len() < WINDOW => State::Unclear(octets),
            _ if first_element(&octets).is_some_and(|name| name.eq_ignore_ascii_case("opml")) => {
                let mut outlines: Box<dyn Parser> = Box::new(Outlines::new(&self.input));
                outlines.feed(&octets, out);
                State::Other(outlines)
            }
            _ => State::Other(self.plain(&octets, out)),
        };
    }

    fn plain(&self, octets: &[u8], out: &mut Builder) -> Box<dyn Parser> {
        let mut plain: Box<dyn Parser> = Box::new(Plain::new(&self.input));
        plain.feed(octets, out);
        plain
    }
}

impl Parser for Feeds {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        match &mut self.state {
            State::Unclear(held) => {
                held.extend_from_slice(octets);
                let held = std::mem::take(held);
                self.decide(held, false, out);
            }
            State::Feed(held, _) if held.len() + octets.len() > MOST => {
                let held = std::mem::take(held);
                let mut plain = self.plain(&held, out);
                plain.feed(octets, out);
                self.state = State::Other(plain);
            }
            State::Feed(held, elements) => {
                held.extend_from_slice(octets);
                elements.count(held);
            }
            State::Other(parser) => parser.feed(octets, out),
        }
    }

    fn finish(&mut self, out: &mut Builder) {
        if let State::Unclear(held) = &mut self.state {
            let held = std::mem::take(held);
            self.decide(held, true, out);
        }
        match &mut self.state {
            State::Feed(held, _) => {
                let held = std::mem::take(held);
                let name = first_element(&held).unwrap_or_default();
                let mut cut = feed_end::is_missing(&held, &name);
                // Of one that is cut the entries that are whole are shown.
                let whole = if cut { feed_end::mended(&held, &name) } else { None };
                match feed_rs::parser::parse(whole.as_deref().unwrap_or(&held)) {
                    Ok(feed) => page(&feed, &self.input, out),
                    Err(error) => {
                        cut |= matches!(&error, ParseFeedError::JsonSerde(error) if error.is_eof());
                        self.plain(&held, out).finish(out);
                        let why = sanitise(&error.to_string()).replace('\n', " ");
                        out.document_mut().notes.push(format!("a feed with a mistake, shown as it is written: {why}"));
                    }
                }
                if cut {
                    out.document_mut().cut = Some("its end is missing: this feed goes on".into());
                }
            }
            State::Other(parser) => parser.finish(out),
            State::Unclear(_) => {}
        }
    }

    fn memory(&self) -> usize {
        match &self.state {
            State::Unclear(held) => held.capacity(),
            State::Feed(held, elements) => held.capacity() + elements.memory(),
            State::Other(parser) => parser.memory(),
        }
    }
}

/// Whether octets begin as a feed does, whatever they were sent as.
pub fn is_feed(octets: &[u8]) -> bool {
    looks_like_feed(&octets[..octets.len().min(WINDOW)]) == Some(true)
}

/// Whether a beginning is a feed's; `None` while its first element has not come.
fn looks_like_feed(octets: &[u8]) -> Option<bool> {
    let text = String::from_utf8_lossy(octets);
    let start = text.trim_start_matches('\u{FEFF}').trim_start();
    if start.starts_with('{') {
        return start.contains("jsonfeed.org").then_some(true).or((start.len() >= WINDOW).then_some(false));
    }
    first_element(octets).map(|name| matches!(&*name, "rss" | "feed" | "rdf:RDF" | "atom:feed"))
}

/// The name of the first element of XML, as far as that begins; `None` where it has not come.
fn first_element(octets: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&octets[..octets.len().min(WINDOW)]);
    let mut rest = text.trim_start_matches('\u{FEFF}').trim_start();
    loop {
        rest = rest.trim_start();
        let end = match rest {
            "" => return None,
            comment if comment.starts_with("<!--") => "-->",
            other if other.starts_with("<?") || other.starts_with("<!") => ">",
            element => {
                let name = element.strip_prefix('<')?;
                let end = name.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?;
                return Some(name[..end].to_owned());
            }
        };
        rest = rest.split_once(end)?.1;
    }
}

/// An entry of a feed, for whoever lists what is new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEntry {
    /// What tells it from others.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Where it leads, as written.
    pub link: Option<String>,
    /// When it was published.
    pub time: Option<Timestamp>,
}

/// The entries of a feed, for whoever lists what is new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEntries {
    /// What the feed is called.
    pub title: String,
    /// They, in its order.
    pub entries: Vec<FeedEntry>,
    /// It has more than these.
    pub more: bool,
}

/// The anchor on its page of the entry of a feed that leads to an address; `None` where no entry does.
pub fn feed_entry_anchor(octets: &[u8], url: &Url, leads: &Url) -> Option<String> {
    let wanted = anchor(leads.as_str(), url)?;
    let entries = feed_entries(octets, url).ok()?.entries;
    entries.iter().filter_map(|entry| anchor(entry.link.as_deref()?, url)).any(|had| had == wanted).then_some(wanted)
}

/// The name of an entry's anchor, by where it leads (FNV-1a).
fn anchor(reference: &str, url: &Url) -> Option<String> {
    let Ok(Resolved::Url(leads)) = BaseStack::retrieved(url.without_fragment(), None).resolve(reference) else {
        return None;
    };
    let step = |hash: u64, octet: u8| (hash ^ u64::from(octet)).wrapping_mul(0x100_0000_01b3);
    Some(format!("entry-{:016x}", equal::of_page(&leads).bytes().fold(0xcbf2_9ce4_8422_2325, step)))
}

/// What the library may make of a feed of which nothing is shown, in octets of memory.
const WEIGHT: usize = 64 << 20;
/// Entries that are listed.
const ENTRIES: usize = 5_000;

/// The entries of a feed; of one that is cut, or holds too much, those that are whole, of very many the first.
///
/// # Errors
/// It has a mistake, in words.
pub fn feed_entries(octets: &[u8], url: &Url) -> Result<FeedEntries, String> {
    let name = first_element(octets).unwrap_or_default();
    let mut held = Cow::from(&octets[..octets.len().min(MOST)]);
    let mut elements = Elements::default();
    elements.count(&held);
    let mut held_back = held.len() < octets.len();
    let ends = !feed_end::is_missing(&held, &name);
    while elements.memory() > WEIGHT {
        let half = held.len() / 2;
        held = Cow::from(held[..half].to_vec());
        (elements, held_back) = (Elements::default(), true);
        elements.count(&held);
    }
    if (held_back || !ends)
        && let Some(whole) = feed_end::mended(&held, &name)
    {
        held = Cow::from(whole);
    }
    // The same in every run, and by its words where there is nothing else.
    let named = |links: &[Link], title: &Option<Text>, _: Option<&str>| {
        let words = title.as_ref().map(|title| title.content.as_str()).unwrap_or_default();
        format!("{} {words}", alternate(links).unwrap_or_default())
    };
    let parser = feed_rs::parser::Builder::new().id_generator(named).build();
    let feed = parser.parse(&*held).map_err(|error| format!("a feed with a mistake: {error}"))?;
    let input = Input {
        media: String::new(),
        charset: None,
        groups: Default::default(),
        url: url.clone(),
        notices: Vec::new(),
    };
    let title = feed.title.as_ref().map(|title| line(title, &input)).unwrap_or_default();
    let entry = |entry: &Entry| {
        let time = entry.published.or(entry.updated).and_then(|time| Timestamp::from_second(time.timestamp()).ok());
        let link = alternate(&entry.links).map(str::to_owned);
        let title = entry.title.as_ref().map(|title| line(title, &input)).filter(|title| !title.is_empty());
        let said = || {
            let summary = entry.summary.as_ref().map(|summary| line(summary, &input))?;
            Some(summary.chars().take(80).collect::<String>()).filter(|summary| !summary.is_empty())
        };
        let title = title.or_else(said).or_else(|| link.clone()).unwrap_or_else(|| "untitled".into());
        FeedEntry { id: if entry.id.trim().is_empty() { title.clone() } else { entry.id.clone() }, title, link, time }
    };
    let more = held_back || feed.entries.len() > ENTRIES;
    Ok(FeedEntries { title, entries: feed.entries.iter().take(ENTRIES).map(entry).collect(), more })
}

fn page(feed: &Feed, input: &Input, out: &mut Builder) {
    let title = feed.title.as_ref().map(|title| line(title, input)).unwrap_or_default();
    out.document_mut().entitle(&sanitise(&title));
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text(&sanitise(&title));
    if let Some(description) = &feed.description {
        quoted(description, input, out);
    }
    if let Some(home) = alternate(&feed.links) {
        link(home, home, out);
    }
    for entry in &feed.entries {
        entry_of(entry, input, out);
    }
    let count = feed.entries.len();
    out.document_mut().notes.push(format!("a feed of {count} entr{}", if count == 1 { "y" } else { "ies" }));
}

fn entry_of(entry: &Entry, input: &Input, out: &mut Builder) {
    let leads = alternate(&entry.links);
    let title = entry.title.as_ref().map(|title| line(title, input)).filter(|title| !title.is_empty());
    let title = title.or_else(|| leads.map(Into::into)).unwrap_or_else(|| "untitled".into());
    out.block(BlockKind::Heading(2), Role::Heading2);
    if let Some(name) = leads.and_then(|leads| anchor(leads, &input.url)) {
        out.anchor(&name);
    }
    match leads {
        Some(leads) => {
            out.link(&sanitise(&title), Role::Link, leads);
        }
        None => out.text(&sanitise(&title)),
    }
    byline(entry, out);
    match (&entry.summary, &entry.content) {
        (Some(summary), _) if !summary.content.trim().is_empty() => quoted(summary, input, out),
        (_, Some(Content { body: Some(body), content_type, .. })) => {
            let media = content_type.as_str();
            words(body, media.ends_with("html") || media.ends_with("xml"), input, out);
        }
        _ => {}
    }
    let enclosed = entry.links.iter().filter(|link| link.rel.as_deref() == Some("enclosure")).map(|link| &*link.href);
    let media = entry.media.iter().flat_map(|media| &media.content).filter_map(|content| content.url.as_ref());
    for file in enclosed.chain(media.map(|url| url.as_str())) {
        link(file, file, out);
    }
}

/// When it was published, and who wrote it.
fn byline(entry: &Entry, out: &mut Builder) {
    let when = entry.published.or(entry.updated).map(|time| time.format("%Y-%m-%d %H:%M").to_string());
    let who = entry.authors.iter().filter_map(|author| author.name.as_deref()).map(|name| name.trim().to_owned());
    let said: Vec<String> = when.into_iter().chain(who).filter(|words| !words.is_empty()).collect();
    if !said.is_empty() {
        out.block(BlockKind::Paragraph, Role::Dim);
        out.text(&sanitise(&said.join(" · ")));
    }
}

/// The page that a feed or an entry is about.
fn alternate(links: &[Link]) -> Option<&str> {
    let about = |link: &&Link| link.rel.as_deref().is_none_or(|rel| rel == "alternate");
    links.iter().find(about).map(|link| link.href.as_str())
}

fn link(reference: &str, label: &str, out: &mut Builder) {
    out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
    out.link(&sanitise(label), Role::Link, reference);
}

/// A text that says whether it is HTML, though many that say no are. Headings and fields of one that leads nowhere are not the
/// page's.
fn quoted(text: &Text, input: &Input, out: &mut Builder) {
    let html =
        text.content_type.as_str().ends_with("html") || text.content.contains("</") || text.content.contains("<p>");
    let leads = html && ["<a ", "<img ", "<A ", "<IMG "].iter().any(|tag| text.content.contains(tag));
    if !html || leads {
        return words(&text.content, html, input, out);
    }
    let plain = plain_text(text.content.as_bytes(), Some("utf-8".into()), &input.url, COLUMNS);
    let kind = if plain.flows { BlockKind::Paragraph } else { BlockKind::Line };
    for line in plain.lines.iter().filter(|line| !plain.flows || !line.is_empty()) {
        out.block(kind, Role::Text);
        out.text(&sanitise(line));
    }
}

/// What one entry leaves open must not swallow the next: each is a page of its own.
fn words(text: &str, html: bool, input: &Input, out: &mut Builder) {
    if html {
        let page = Input { media: media::HTML.into(), charset: Some("utf-8".into()), ..input.clone() };
        let title = out.document_mut().title.take();
        let mut html = Html::new(&page);
        html.feed(text.as_bytes(), out);
        html.finish(out);
        // Neither the feed's title nor its base is an entry's to set.
        (out.document_mut().title, out.document_mut().base) = (title, None);
        return;
    }
    for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
        out.block(BlockKind::Paragraph, Role::Text);
        out.text(&sanitise(&paragraph.replace('\n', " ")));
    }
}

/// A title's words: some feeds put HTML there.
fn line(text: &Text, input: &Input) -> String {
    let words = match text.content.contains(['<', '&']) {
        true => plain_text(text.content.as_bytes(), Some("utf-8".into()), &input.url, COLUMNS).lines.join(" "),
        false => text.content.clone(),
    };
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

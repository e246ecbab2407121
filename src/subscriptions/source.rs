//! What a page offers, by its kind: entries of a feed by their ids, items of a menu by where they lead, dated links of gemtext by the
//! same, entries of a directory by name, size and time, articles by number, headings and links of any other page, and of one that has
//! none, or is no hypertext, its lines.

use super::difference::MOST;
use crate::doc::{self, LinkId, sanitise};
use crate::format::{FeedEntries, Whole, feed_entries, human, is_feed, media};
use crate::url::scheme::{self, Family};
use crate::url::{BaseStack, Resolved, Url};
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use std::collections::HashSet;

/// What says that it is older says nothing: a clock that was never set, a year that is missing. In seconds since 1970.
const EARLIEST: i64 = 86_400;
/// Letters of a title that are kept.
const TITLE: usize = 300;
/// The longest address of an item, in octets.
const ADDRESS: usize = 4096;

/// What a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// RSS, Atom, JSON.
    Feed,
    /// A gopher menu.
    Menu,
    /// Gemtext, with dated links or without.
    Gemtext,
    /// A directory.
    Directory,
    /// A newsgroup.
    Group,
    /// Anything else.
    Page,
}

impl Kind {
    const ALL: &[(Kind, &str, &str)] = &[
        (Kind::Feed, "feed", "a feed"),
        (Kind::Menu, "menu", "a menu"),
        (Kind::Gemtext, "gemtext", "a page of gemtext"),
        (Kind::Directory, "directory", "a directory"),
        (Kind::Group, "group", "a newsgroup"),
        (Kind::Page, "page", "a page"),
    ];

    /// The word by which it is kept.
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|row| row.0 == self).map_or("page", |row| row.1)
    }

    /// In a sentence.
    pub(super) fn said(self) -> &'static str {
        Kind::ALL.iter().find(|row| row.0 == self).map_or("a page", |row| row.2)
    }

    /// Whether its items say days alone, each of them kept as the noon of that day.
    pub fn has_days(self) -> bool {
        !matches!(self, Kind::Feed | Kind::Group)
    }

    /// Whether what was this may be that from now on: whoever knows what they are is no page of a gateway.
    pub(super) fn may_become(self, other: Kind) -> bool {
        self == Kind::Page || self == Kind::Gemtext && other == Kind::Feed
    }

    /// That of a word.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    fn of(media: &str, octets: &[u8]) -> Kind {
        match media {
            media::MENU | "application/gopher+-menu" => Kind::Menu,
            media::DIRECTORY => Kind::Directory,
            media::NEWSGROUP => Kind::Group,
            _ if is_feed(octets) => Kind::Feed,
            media::GEMTEXT => Kind::Gemtext,
            _ => Kind::Page,
        }
    }
}

/// Something that a source offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What tells it from others of its source; the same in every run.
    pub key: u64,
    /// Where it leads; to its source where it says nothing that may be followed.
    pub url: Url,
    /// What it is called, on one line.
    pub title: String,
    /// What else is known of it ("5.1 MB"); empty for nothing.
    pub detail: String,
    /// When it was made, as it says, unless nothing can be of then.
    pub time: Option<Timestamp>,
}

/// What a source offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// What it is.
    pub kind: Kind,
    /// What it is called; empty for nothing.
    pub title: String,
    /// The keys of all that it has, also of what would be no item.
    pub(super) keys: Vec<u64>,
    /// The items, in its order.
    pub items: Vec<Item>,
    /// It has more than these, which were not looked at.
    pub more: bool,
    /// The items are its lines.
    pub(super) lines: bool,
}

impl Offered {
    /// How many items were looked at, where it has more.
    pub fn looked_at(&self) -> Option<usize> {
        self.more.then_some(self.keys.len())
    }
}

/// The space that an address is in, in a word.
pub fn space(url: &Url) -> String {
    match scheme::family(url) {
        Family::Web => "web".into(),
        Family::News | Family::Nntp => "news".into(),
        Family::Gopher => "gopher".into(),
        Family::Ftp => "ftp".into(),
        Family::Gemini => "gemini".into(),
        _ => sanitise(&url.scheme().to_ascii_lowercase()).into_owned(),
    }
}

/// What a page offers that was had from `url`.
///
/// # Errors
/// It says that it is not what was asked for, or cannot be read as what it is; in words.
pub fn offered(url: &Url, media: &str, page: &Whole) -> Result<Offered, String> {
    let document = &page.page.document;
    if let Some(refusal) = &document.refusal {
        return Err(line(refusal));
    }
    let octets = page.source.as_deref().unwrap_or(&page.page.beginning);
    let kind = Kind::of(media, octets);
    let source = Source { url, page, bases: bases(url, page) };
    let mut offered = match kind {
        Kind::Feed => source.feed(octets)?,
        Kind::Menu => source.links(|_| true),
        Kind::Gemtext => source.gemtext(),
        Kind::Directory => source.directory(),
        Kind::Group => source.group(),
        Kind::Page => source.page(media),
    };
    offered.kind = kind;
    if offered.title.is_empty() {
        offered.title = line(&document.title.clone().or_else(|| document.guess_title()).unwrap_or_default());
    }
    for item in &mut offered.items {
        item.time = item.time.filter(|time| time.as_second() >= EARLIEST);
    }
    offered.more |= offered.items.len() > MOST;
    offered.items.truncate(MOST);
    Ok(offered)
}

/// The bases of a page, its own word before the address that it was had from.
fn bases(url: &Url, page: &Whole) -> BaseStack {
    let mut bases = BaseStack::retrieved(url.without_fragment(), None);
    if let Some(base) = &page.page.document.base {
        // One that is none counts as none.
        let _ = bases.set_document_base(base);
    }
    bases
}

struct Source<'a> {
    url: &'a Url,
    page: &'a Whole,
    bases: BaseStack,
}

impl Source<'_> {
    fn nothing(&self) -> Offered {
        Offered {
            kind: Kind::Page,
            title: String::new(),
            keys: Vec::new(),
            items: Vec::new(),
            more: false,
            lines: false,
        }
    }

    /// With items, whose keys are all there are.
    fn with(&self, items: Vec<Item>) -> Offered {
        Offered { keys: items.iter().take(MOST).map(|item| item.key).collect(), items, ..self.nothing() }
    }

    /// Where a reference leads that may be followed without a thought: into the network, and with no secret in it.
    fn place(&self, reference: &str) -> Option<Url> {
        match self.bases.resolve(reference) {
            Ok(Resolved::Url(url)) => fit(url),
            _ => None,
        }
    }

    fn feed(&self, octets: &[u8]) -> Result<Offered, String> {
        let FeedEntries { title, entries, more } = feed_entries(octets, self.url)?;
        let items = entries.into_iter().map(|entry| {
            let url = entry.link.as_deref().and_then(|link| self.place(link));
            Item {
                key: key(&[&entry.id]),
                url: url.unwrap_or_else(|| self.url.clone()),
                title: line(&entry.title),
                detail: String::new(),
                time: entry.time,
            }
        });
        Ok(Offered { title: line(&title), more, ..self.with(items.collect()) })
    }

    /// The links whose words are wanted, by where they lead.
    fn links(&self, wanted: impl Fn(&str) -> bool) -> Offered {
        let document = &self.page.page.document;
        let mut items = Vec::new();
        let most = u32::try_from(MOST).unwrap_or(u32::MAX);
        for link in (0..document.link_count().min(most)).map(LinkId) {
            let title = line(document.link_text(link));
            let Some(url) = document.link_url(link, &self.bases).and_then(fit) else { continue };
            if !title.is_empty() && wanted(&title) {
                let (time, detail) = (dated(&title).map(|(time, _)| time), String::new());
                items.push(Item { key: key(&[url.as_str()]), url, title, detail, time });
            }
        }
        Offered { more: document.link_count() > most, ..self.with(items) }
    }

    /// The links whose words begin with a date, by the convention of Gemini space; all where there is none. What is known counts the
    /// others, too.
    fn gemtext(&self) -> Offered {
        let all = self.links(|_| true);
        let dated = |item: &Item| {
            let (time, title) = dated(&item.title)?;
            Some(Item { time: Some(time), title: title.to_owned(), ..item.clone() })
        };
        let items: Vec<Item> = all.items.iter().filter_map(dated).collect();
        if items.is_empty() { all } else { Offered { items, ..all } }
    }

    /// Entries, by name, size and time: what was replaced is new.
    fn directory(&self) -> Offered {
        let document = &self.page.page.document;
        let Some(rows) = &self.page.page.rows else { return self.nothing() };
        let mut items = Vec::new();
        for (block, stamp, _) in rows.stamps(document, MOST) {
            let link = document.link_from(document.block_range(block).start);
            let size = rows.size_at(block).flatten();
            let Some(url) = document.link_url(link, &self.bases).and_then(fit) else { continue };
            let cells: Vec<&str> = document.block_text(block).split('\t').map(str::trim).collect();
            let when = cells.last().filter(|_| cells.len() > 1).and_then(|cell| listed(cell));
            items.push(Item {
                key: key(&[&stamp.to_string(), &size.map(|size| size.to_string()).unwrap_or_default()]),
                url,
                title: line(document.link_text(link)),
                detail: size.map(human).unwrap_or_default(),
                time: when,
            });
        }
        let more = rows.totals().is_some_and(|(entries, _)| entries > MOST);
        Offered { more, ..self.with(items) }
    }

    /// Articles, by number.
    fn group(&self) -> Offered {
        let document = &self.page.page.document;
        let articles = self.page.page.rows.as_ref().map(crate::format::PageRows::dated).unwrap_or_default();
        let mut items = Vec::new();
        for (link, number, date) in &articles {
            let Some(url) = document.link_url(*link, &self.bases).and_then(fit) else { continue };
            let (title, time) =
                (line(document.link_text(*link)), date.and_then(|date| Timestamp::from_second(date).ok()));
            items.push(Item { key: *number, url, title, detail: String::new(), time });
        }
        // The newest are those that count where there are many.
        items.sort_by_key(|item| std::cmp::Reverse(item.key));
        let keys = articles.iter().map(|(_, number, _)| *number).max().into_iter().collect();
        Offered { keys, items, ..self.nothing() }
    }

    /// Headings by their words, and links; where it has none of them, its lines. Text has those anyway: what leads somewhere in it is
    /// the least of it.
    fn page(&self, media: &str) -> Offered {
        let document = &self.page.page.document;
        let heading = |(block, _)| {
            let title = line(document.block_text(block));
            let key = key(&["heading", &title]);
            (!title.is_empty()).then(|| Item { key, url: self.url.clone(), title, detail: String::new(), time: None })
        };
        let mut items: Vec<Item> = document.headings().take(MOST).filter_map(heading).collect();
        let links = self.links(|_| true);
        if items.is_empty() && (links.items.is_empty() || media == media::PLAIN) {
            return self.lines();
        }
        items.extend(links.items);
        let more = links.more || items.len() > MOST;
        items.truncate(MOST);
        Offered { more, ..self.with(items) }
    }

    /// Lines by their words, each once; one leads where the first link in it does.
    fn lines(&self) -> Offered {
        let document = &self.page.page.document;
        let blocks = u32::try_from(document.blocks().len()).unwrap_or(u32::MAX);
        let (mut items, mut known) = (Vec::new(), HashSet::new());
        for block in 0..blocks {
            let range = document.block_range(block);
            let link = document.link_from(range.start);
            let leads = document.link_range(link).start < range.end;
            let mut url = leads.then(|| document.link_url(link, &self.bases).and_then(fit)).flatten();
            for words in document.block_text(block).lines() {
                let key = key(&["line", words.trim()]);
                // Rules and the like say nothing.
                if !words.contains(char::is_alphanumeric) || !known.insert(key) {
                    continue;
                }
                if items.len() == MOST {
                    return Offered { more: true, lines: true, ..self.with(items) };
                }
                let url = url.take().unwrap_or_else(|| self.url.clone());
                let time = dated(words.trim()).map(|(time, _)| time);
                items.push(Item { key, url, title: line(words), detail: String::new(), time });
            }
        }
        Offered { lines: true, ..self.with(items) }
    }
}

/// An address of an item, where it leads into the network.
fn fit(url: Url) -> Option<Url> {
    let harmless = scheme::is_of_network(&url) && url.password().is_none() && url.as_str().len() <= ADDRESS;
    harmless.then_some(url)
}

/// The date that words begin with, at noon, and the words behind it.
fn dated(words: &str) -> Option<(Timestamp, &str)> {
    let day = words.get(..10)?.parse::<Date>().ok()?;
    let rest = &words[10..];
    let separate = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
    let title = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—' | ':' | '·' | '|'));
    let title = if title.is_empty() { words } else { title };
    noon(day).filter(|_| separate).map(|time| (time, title))
}

/// The time of a directory's row, of which the zone is not told everywhere; of a day alone its noon.
fn listed(cell: &str) -> Option<Timestamp> {
    let day = cell.get(..10)?.parse::<Date>().ok()?;
    match cell.get(10..16).and_then(|clock| clock.trim().parse::<Time>().ok()) {
        Some(clock) => Some(day.to_datetime(clock).to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp()),
        None => noon(day),
    }
}

/// A day, as a moment that is on that day nearly everywhere.
fn noon(day: Date) -> Option<Timestamp> {
    Some(day.at(12, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

/// A number that is another one as soon as one of the words is (FNV-1a).
fn key(words: &[&str]) -> u64 {
    let step = |hash: u64, octet: u8| (hash ^ u64::from(octet)).wrapping_mul(0x100_0000_01b3);
    let octets = words.iter().flat_map(|word| word.bytes().chain([0]));
    octets.fold(0xcbf2_9ce4_8422_2325, step)
}

/// Words of others as one line that may be shown and kept.
fn line(words: &str) -> String {
    let line = doc::line(&words.chars().take(4 * TITLE).collect::<String>());
    match line.char_indices().nth(TITLE) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

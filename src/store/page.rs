//! A page as it came: what of it is kept, which pages are not, and its row.

pub(super) use crate::doc::line;

use crate::doc::Document;
use crate::format::media;
use crate::proto::{Head, Redirected, Request};
use crate::url::scheme::is_of_network;
use crate::url::{BaseStack, Url, equal};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashSet};
use std::io::{Read, Write};
use std::sync::Arc;

/// Octets of a page's text that are looked through.
const TEXT: usize = 1 << 20;
/// Octets of one block of it: of a long one the beginning, so that what follows is looked through as well.
const BLOCK: usize = TEXT / 4;
/// Blocks of a page that are called new.
const FRESH: usize = 10_000;
/// Items of one menu; of one that came by itself, since it comes again and again.
const ITEMS: u32 = 20_000;
const UNREAD_ITEMS: u32 = 500;
/// Links of one page that are remembered.
const LINKS: u32 = 2_000;
/// Octets of what an answer said of itself that are kept: of its lines and notices, and of any other word.
const HEAD: usize = 16 << 10;
pub(super) const HEAD_WORD: usize = 2 << 10;
/// Octets that a copy may have, however well it was packed.
const LARGEST: u64 = 64 << 20;

/// A page that has come, whole.
#[derive(Debug, Clone)]
pub struct Seen {
    /// What was asked for.
    pub url: Url,
    /// What the answer said of itself.
    pub head: Head,
    /// Its octets.
    pub octets: Arc<[u8]>,
    /// What was read of them.
    pub document: Arc<Document>,
    /// What was sent for it, passwords taken out.
    pub sent: Vec<String>,
    /// The address that led there, where the reader asked for another.
    pub redirected: Option<Arc<Redirected>>,
    /// When it came.
    pub time: Timestamp,
    /// It came by itself: the reader has not read it.
    pub unread: bool,
}

/// The copy of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Copy {
    /// What the answer said of itself, and that it is a copy.
    pub head: Head,
    /// Its octets.
    pub octets: Vec<u8>,
}

/// Whether a page may be kept: it came from the network to a reader of whom nothing was said, in answer to its address alone.
pub fn may_be_kept(request: &Request, head: &Head) -> bool {
    let plain = head.status.is_none() && head.nothing.is_none() && head.start == 0 && head.within.is_none();
    let anybodys = !head.unkept && head.kept.is_none() && head.media != media::FORM;
    request.is_by_address() && plain && anybodys && is_of_network(&request.url) && request.url.user().is_none()
}

/// What tells a page from others.
pub(super) fn place(url: &Url) -> String {
    equal::of_page(url).into_owned()
}

/// Its host, lower case; empty where it has none.
pub(super) fn host(url: &Url) -> String {
    url.host().unwrap_or_default().to_ascii_lowercase()
}

/// The lines of a block that are looked through; of one without a line's end among them the first octets.
fn beginning(words: &str) -> &str {
    if words.len() <= BLOCK {
        return words;
    }
    let first = &words[..words.floor_char_boundary(BLOCK)];
    first.rfind('\n').map_or(first, |end| &first[..end])
}

impl Seen {
    /// What it is called; empty where it has no title.
    pub(super) fn title(&self) -> String {
        let of_document = self.document.title.as_ref().or(self.document.guessed_title.as_ref());
        line(of_document.or(self.head.title.as_ref()).map(String::as_str).unwrap_or_default())
    }

    /// Its text, line by line.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for block in 0..u32::try_from(self.document.blocks().len()).unwrap_or(u32::MAX) {
            let words = beginning(self.document.block_text(block));
            if text.len() + words.len() > TEXT {
                break;
            }
            text.push_str(words);
            text.push('\n');
        }
        text
    }

    /// The blocks with a line in them that is not in a text of before; none where there is no text of before.
    pub(super) fn fresh(&self, before: &str) -> Vec<u32> {
        let known: HashSet<&str> = before.lines().map(str::trim).collect();
        let (mut fresh, mut octets, mut last_known) = (Vec::new(), 0, 0);
        for block in 0..u32::try_from(self.document.blocks().len()).unwrap_or(u32::MAX) {
            let words = beginning(self.document.block_text(block));
            octets += words.len() + 1;
            // What of the text before was not looked at is not called new.
            if before.is_empty() || octets > TEXT || fresh.len() >= FRESH {
                break;
            }
            match words.lines().map(str::trim).any(|line| !line.is_empty() && !known.contains(line)) {
                true => fresh.push(block),
                false if words.trim().is_empty() => {}
                false => last_known = block,
            }
        }
        // Nor what may have stood behind the end of a text before that was as long as any is.
        if before.len() > TEXT / 2 && last_known > 0 {
            fresh.retain(|block| *block < last_known);
        }
        fresh
    }

    /// Address and title of what it lists, where it is a menu or a directory.
    pub(super) fn items(&self) -> Vec<(Url, String)> {
        if ![media::MENU, media::DIRECTORY].contains(&self.head.media.as_str()) {
            return Vec::new();
        }
        let bases = BaseStack::retrieved(self.head.url.without_fragment(), None);
        let most = if self.unread { UNREAD_ITEMS } else { ITEMS };
        let links = (0..self.document.link_count().min(most)).map(crate::doc::LinkId);
        let item = |link| {
            let (title, url) = (line(self.document.link_text(link)), self.document.link_url(link, &bases)?);
            (!title.is_empty() && is_of_network(&url) && url.user().is_none()).then_some((url, title))
        };
        links.filter_map(item).collect()
    }

    /// The words of what it links to in the network, each once (`links`).
    pub(super) fn targets(&self) -> String {
        let (mut bases, own) = (BaseStack::retrieved(self.head.url.without_fragment(), None), place(&self.url));
        if let Some(base) = &self.document.base {
            // One that is none leaves the address of the page.
            let _ = bases.set_document_base(base);
        }
        let links = (0..self.document.link_count().min(LINKS)).map(crate::doc::LinkId);
        let urls = links.filter(|link| !self.document.is_long(*link, &bases));
        let urls = urls.filter_map(|link| self.document.link_url(link, &bases));
        let places = urls.filter(|url| is_of_network(url) && url.user().is_none()).map(|url| place(&url));
        let words: BTreeSet<String> = places.filter(|to| *to != own).map(|to| super::links::word(&to)).collect();
        words.into_iter().collect::<Vec<_>>().join(" ")
    }

    /// The head, as it is kept.
    pub(super) fn head(&self) -> String {
        let Head { url, media, charset, validator, modified, filename, title, notices, lines, .. } = &self.head;
        let mut out = Map::new();
        out.insert("url".into(), url.as_str().into());
        out.insert("media".into(), media.as_str().into());
        let words = [
            ("charset", charset.clone()),
            ("validator", validator.clone()),
            ("modified", modified.map(|time| time.to_string())),
            ("filename", filename.clone()),
            ("title", title.clone()),
        ];
        // Of a tag half is none.
        let words =
            words.into_iter().filter_map(|(name, words)| Some((name, words.filter(|words| words.len() <= HEAD_WORD)?)));
        out.extend(words.map(|(name, words)| (name.to_owned(), words.into())));
        out.insert("notices".into(), json!(up_to(HEAD, notices)));
        out.insert("lines".into(), json!(up_to(HEAD, lines)));
        out.insert("sent".into(), json!(up_to(HEAD, &self.sent)));
        Value::Object(out).to_string()
    }
}

/// The first of some lines that have so many octets together, and how many were left out.
fn up_to(most: usize, lines: &[String]) -> Vec<String> {
    let mut octets = 0;
    let fits = |line: &&String| {
        octets += line.len() + 1;
        octets <= most
    };
    let mut kept: Vec<String> = lines.iter().take_while(fits).cloned().collect();
    if kept.len() < lines.len() {
        kept.push(format!(
            "({} more lines were not kept: they have more than {most} octets)",
            lines.len() - kept.len()
        ));
    }
    kept
}

/// The head of a copy, of what [`Seen::head`] wrote; `None` where that makes no sense.
pub(super) fn read_head(text: &str, time: Timestamp) -> Option<Head> {
    let said: Value = serde_json::from_str(text).ok()?;
    let words = |name: &str| said[name].as_str().map(str::to_owned);
    let list = |name: &str| -> Vec<String> {
        let all = said[name].as_array().map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|line| line.as_str().map(str::to_owned)).collect()
    };
    let mut lines = vec![format!("a copy that was kept at {time}; nobody was asked for this page now")];
    lines.extend(list("sent").iter().map(|line| format!("sent then: {line}")));
    lines.extend(list("lines"));
    Some(Head {
        charset: words("charset"),
        validator: words("validator"),
        modified: words("modified").and_then(|time| time.parse().ok()),
        filename: words("filename"),
        title: words("title"),
        notices: list("notices"),
        lines,
        kept: Some(time),
        ..Head::new(Url::parse(words("url")?).ok()?, words("media")?)
    })
}

/// Octets, packed with a sum.
pub(super) fn pack(octets: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    // Into memory all of it goes.
    let _ = packed.write_all(octets);
    packed.finish().unwrap_or_default()
}

/// What was packed; `None` where the sum says that it is not that.
pub(super) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    unpack_up_to(packed, LARGEST)
}

/// So much of it at most.
pub(super) fn unpack_up_to(packed: &[u8], most: u64) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    GzDecoder::new(packed).take(most).read_to_end(&mut octets).ok()?;
    Some(octets)
}

//! OPML (2.0): the outlines of a file, by which readers of feeds hand lists to each other.
//!
//! What a file declares of entities is never looked up, elements need not fit together, and what is long or deep is bounded: whatever is
//! wrong costs its row. Refuses: judging where a row leads, that is whoever's who takes it.

use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

/// Rows that are read of a file.
pub const MOST: usize = 10_000;
/// Octets of a row's title or address.
const LONGEST: usize = 4096;
/// Categories of a row.
const TAGS: usize = 64;
/// Folders within each other, and octets of a folder's name.
const DEPTH: usize = 8;
const NAME: usize = 128;

/// A row that leads somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// Where to, as written.
    pub url: String,
    /// What it is called; empty for nothing.
    pub title: String,
    /// The page that a feed is about, as written; empty where none is named.
    pub about: String,
    /// The folders it is in, the outermost first.
    pub folder: Vec<String>,
    /// Its categories.
    pub tags: Vec<String>,
}

/// What a file holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Opml {
    /// What it is called; empty for nothing.
    pub title: String,
    /// Its rows, in order.
    pub outlines: Vec<Outline>,
    /// There are more than are read, or its end is missing.
    pub cut: bool,
}

/// Whether a text is OPML, by its first element.
pub fn is_opml(text: &str) -> bool {
    let mut reader = reader(text);
    // What may stand before it is little.
    for _ in 0..64 {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) => return tag.name().0.eq_ignore_ascii_case("opml"),
            Ok(Event::Eof | Event::End(_)) | Err(_) => return false,
            Ok(_) => {}
        }
    }
    false
}

/// Reads a file.
pub fn read(text: &str) -> Opml {
    let (mut reader, mut opml) = (reader(text), Opml::default());
    // Of each outline that is open, whether it is a folder.
    let (mut open, mut folder): (Vec<bool>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut within_title, mut ended) = (false, false);
    loop {
        let before = reader.buffer_position();
        match reader.read_event() {
            Ok(Event::Start(tag)) if is_outline(&tag) => {
                let row = row(&tag);
                let leads = !row.url.is_empty();
                let is_folder = !leads && !row.title.is_empty() && row.title.len() <= NAME && folder.len() < DEPTH;
                if is_folder {
                    folder.push(row.title);
                } else if leads {
                    opml.outlines.push(Outline { folder: folder.clone(), ..row });
                }
                open.push(is_folder);
            }
            Ok(Event::Empty(tag)) if is_outline(&tag) => {
                let row = row(&tag);
                if !row.url.is_empty() {
                    opml.outlines.push(Outline { folder: folder.clone(), ..row });
                }
            }
            Ok(Event::End(tag)) => match tag.name().0 {
                "outline" => {
                    if open.pop() == Some(true) {
                        folder.pop();
                    }
                }
                "opml" => ended = true,
                _ => within_title = false,
            },
            Ok(Event::Start(tag)) => within_title = tag.name().0 == "title",
            Ok(Event::Text(words)) if within_title && opml.title.len() < LONGEST => opml.title.push_str(&words),
            Ok(Event::GeneralRef(name)) if within_title && opml.title.len() < LONGEST => {
                opml.title.push_str(&format!("&{};", &*name));
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            // A fault that can be passed over is one row's.
            Err(Error::IllFormed(_)) if reader.buffer_position() > before => {}
            Err(_) => break,
        }
        if opml.outlines.len() >= MOST || open.len() > MOST {
            ended = false;
            break;
        }
    }
    Opml { cut: !ended, title: plain(&opml.title), ..opml }
}

/// Writes a file.
pub fn write<'a>(title: &str, rows: impl Iterator<Item = &'a Outline>) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n<head><title>{}</title></head>\n<body>\n",
        escaped(title)
    );
    let mut open: &[String] = &[];
    for row in rows {
        let common = open.iter().zip(&row.folder).take_while(|(a, b)| a == b).count();
        out.push_str(&"</outline>\n".repeat(open.len() - common));
        for name in &row.folder[common..] {
            out.push_str(&format!("<outline text=\"{}\">\n", escaped(name)));
        }
        open = &row.folder;
        let title = escaped(if row.title.is_empty() { &row.url } else { &row.title });
        out.push_str(&format!(
            "<outline type=\"rss\" text=\"{title}\" title=\"{title}\" xmlUrl=\"{}\"",
            escaped(&row.url)
        ));
        if !row.about.is_empty() {
            out.push_str(&format!(" htmlUrl=\"{}\"", escaped(&row.about)));
        }
        if !row.tags.is_empty() {
            // A comma parts them.
            let tags: Vec<String> = row.tags.iter().map(|tag| tag.replace(',', " ")).collect();
            out.push_str(&format!(" category=\"{}\"", escaped(&tags.join(","))));
        }
        out.push_str("/>\n");
    }
    out.push_str(&"</outline>\n".repeat(open.len()));
    out.push_str("</body>\n</opml>\n");
    out
}

fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{FEFF}'));
    let config = reader.config_mut();
    (config.check_end_names, config.allow_unmatched_ends) = (false, true);
    reader
}

fn is_outline(tag: &BytesStart<'_>) -> bool {
    tag.name().0 == "outline"
}

/// What an outline says of itself.
fn row(tag: &BytesStart<'_>) -> Outline {
    let mut row = Outline {
        url: String::new(),
        title: String::new(),
        about: String::new(),
        folder: Vec::new(),
        tags: Vec::new(),
    };
    let (mut text, mut link) = (String::new(), String::new());
    // Without those that have a fault of their own.
    for attribute in tag.attributes().with_checks(false).flatten() {
        let value = || plain(&attribute.value);
        match attribute.key.0 {
            "xmlUrl" | "xmlurl" => row.url = value(),
            "htmlUrl" | "htmlurl" => row.about = value(),
            "category" => {
                let words = value();
                let words = words.split(',').map(|word| word.trim().trim_start_matches('/'));
                row.tags = words.filter(|word| !word.is_empty()).take(TAGS).map(str::to_owned).collect();
            }
            "url" => link = value(),
            "title" => row.title = value(),
            "text" => text = value(),
            _ => {}
        }
    }
    if row.url.is_empty() {
        row.url = link;
    }
    if row.title.is_empty() {
        row.title = text;
    }
    row
}

/// A value on one line, with what stands for the five characters of XML and for characters by number; what is too long is none.
fn plain(value: &str) -> String {
    if value.len() > LONGEST {
        return String::new();
    }
    let meant = unescape(value).map_or_else(|_| value.to_owned(), |meant| meant.into_owned());
    let words = meant.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    let harmless: String = text.chars().filter(|c| !c.is_control()).collect();
    quick_xml::escape::escape(harmless.as_str()).into_owned()
}

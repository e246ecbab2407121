//! EPUB (EPUB 3.3, OCF and packages; OPF 2.0.1): a zip with a package that says what is in it as what, in which order it is read, and
//! where its contents stand.
//!
//! A book opens at its own page of contents; where it has none, at one made of its table (NCX) and its order of reading. Refuses:
//! references that lead out of the book, and packages longer than what is read of one.

use super::{Archive, Fault, Found, Kind, Said, Source, Start, Why, name};
use crate::stop::Stop;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::HashMap;
use std::io::Read;

/// Where the place of the package is told.
const CONTAINER: &[u8] = b"META-INF/container.xml";
/// Octets of a package, or of a table of contents.
const LONGEST: u64 = 8 << 20;
/// Things that are read of each.
const MOST: usize = 20_000;
/// Letters of a title.
const TITLE: usize = 300;
/// Octets of it, with the blanks between its words.
const LABEL: usize = 4 * TITLE;

/// A thing that the package names.
struct Item {
    path: Vec<u8>,
    media: String,
    nav: bool,
}

/// What a package says.
#[derive(Default)]
struct Package {
    title: String,
    creators: Vec<String>,
    items: HashMap<String, Item>,
    /// Ids, in the order in which they are read.
    spine: Vec<String>,
    /// The id of its table of contents (NCX).
    table: Option<String>,
}

/// What a zip is as a book: as what its members are read, and where it starts. Nothing, where it is none.
///
/// # Errors
/// It says that it is a book, and cannot be read as one.
pub(super) fn read(archive: &mut Archive, source: &mut dyn Source, stop: &Stop) -> Result<(), Fault> {
    if !archive.has(CONTAINER) {
        return Ok(());
    }
    let container = text(archive, CONTAINER, source, stop)?;
    let (mut place, mut outside) = (None, false);
    walk(&container, stop, |event| match event {
        Walk::Begin(tag) if local(tag) == "rootfile" && place.is_none() => {
            let path = attribute(tag, "full-path");
            place = path.as_ref().and_then(|path| name::clean(path.as_bytes()));
            outside |= path.is_some() && place.is_none();
        }
        _ => {}
    })?;
    let place = place.ok_or_else(|| match outside {
        true => Fault::broken("It says that its package is outside of it, which is not followed."),
        false => Fault::broken("It does not say where its package is."),
    })?;
    let package = package(&text(archive, &place, source, stop)?, &place, stop)?;
    for item in package.items.values() {
        said_of(archive, &item.path, |said| said.media = Some(item.media.clone()));
    }
    let there = |item: &&Item| matches!(archive.at(&item.path), Some(member) if member.kind == Kind::File);
    let nav = package.items.values().filter(|item| item.nav).find(there);
    let chapters = package.spine.iter().filter_map(|id| package.items.get(id)).filter(there);
    let order: Vec<Vec<u8>> = chapters.map(|item| item.path.clone()).collect();
    archive.start = match nav {
        Some(nav) => Start::Member(nav.path.clone()),
        None => {
            let table = package.table.as_ref().and_then(|id| package.items.get(id)).filter(there);
            let titles = match table {
                Some(table) => {
                    titles(&text(archive, &table.path, source, stop).unwrap_or_default(), &table.path, stop)?
                }
                None => Vec::new(),
            };
            contents(archive, &package, titles)
        }
    };
    for two in order.windows(2) {
        said_of(archive, &two[0], |said| said.next = Some(two[1].clone()));
        said_of(archive, &two[1], |said| said.previous = Some(two[0].clone()));
    }
    Ok(())
}

/// Something more is said of a member.
fn said_of(archive: &mut Archive, path: &[u8], say: impl FnOnce(&mut Said)) {
    let at = archive.members.binary_search_by(|member| member.path.as_slice().cmp(path));
    if let Some(member) = at.ok().and_then(|at| archive.members.get_mut(at)) {
        say(member.said.get_or_insert_default());
    }
}

/// The page of contents of a book that has none.
fn contents(archive: &Archive, package: &Package, titles: Vec<(Vec<u8>, String)>) -> Start {
    let title = if package.title.is_empty() { "A book without a title" } else { &package.title };
    let mut out = format!("# {title}\n");
    for creator in &package.creators {
        out.push_str(&format!("{creator}\n"));
    }
    out.push('\n');
    let mut rows = 0;
    let mut row = |path: &[u8], title: &str| {
        let file = path.split(|octet| *octet == b'#').next().unwrap_or_default();
        if archive.has(file) && rows < MOST {
            rows += 1;
            out.push_str(&format!("=> {} {title}\n", reference(path)));
        }
    };
    if titles.is_empty() {
        for item in package.spine.iter().filter_map(|id| package.items.get(id)) {
            row(&item.path, &String::from_utf8_lossy(&item.path).replace(char::is_control, " "));
        }
    }
    for (path, title) in &titles {
        row(path, title);
    }
    if rows == 0 {
        return Start::None;
    }
    out.push_str("\n=> ?tree All its files\n");
    Start::Text(out.into_bytes())
}

/// A path as a link of the page at the root.
fn reference(path: &[u8]) -> String {
    let safe = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._~/#".contains(octet);
    let escaped = path.iter().map(|octet| match safe(octet) {
        true => char::from(*octet).to_string(),
        false => format!("%{octet:02X}"),
    });
    format!("./{}", escaped.collect::<String>())
}

/// The octets of a member, as characters.
fn text(archive: &Archive, path: &[u8], source: &mut dyn Source, stop: &Stop) -> Result<String, Fault> {
    let missing = || Fault::broken(format!("{} is no file in it.", String::from_utf8_lossy(path)));
    let Found::Member(member) = archive.find(path)? else { return Err(missing()) };
    let mut octets = Vec::new();
    archive.near(member, source, stop)?.take(LONGEST).read_to_end(&mut octets)?;
    let (text, ..) = encoding_rs::UTF_8.decode(&octets);
    Ok(text.into_owned())
}

/// Reads a package (EPUB 3.3, 5) that lies at a path.
fn package(text: &str, place: &[u8], stop: &Stop) -> Result<Package, Fault> {
    let mut package = Package::default();
    let mut open: Option<&str> = None;
    let mut words = String::new();
    walk(text, stop, |event| match event {
        Walk::Begin(tag) => match local(tag) {
            "title" => (open, words) = (Some("title"), String::new()),
            "creator" => (open, words) = (Some("creator"), String::new()),
            "item" if package.items.len() < MOST => {
                let path = attribute(tag, "href").and_then(|href| beside(place, &href));
                if let (Some(id), Some((path, _))) = (attribute(tag, "id"), path) {
                    let media = attribute(tag, "media-type").unwrap_or_default().trim().to_ascii_lowercase();
                    let nav =
                        attribute(tag, "properties").is_some_and(|all| all.split_whitespace().any(|p| p == "nav"));
                    package.items.insert(id, Item { path, media, nav });
                }
            }
            "spine" => package.table = attribute(tag, "toc"),
            "itemref" if package.spine.len() < MOST => package.spine.extend(attribute(tag, "idref")),
            _ => {}
        },
        Walk::Text(text) if open.is_some() && words.len() < LABEL => {
            words.push_str(&text[..text.floor_char_boundary(LABEL)]);
        }
        Walk::Text(_) => {}
        Walk::End => match open.take() {
            Some("title") if package.title.is_empty() => package.title = line(&words),
            Some("creator") if package.creators.len() < 20 => package.creators.push(line(&words)),
            _ => {}
        },
    })?;
    Ok(package)
}

/// What a table of contents leads to, and the words for it (OPF 2.0.1, 2.4.1).
fn titles(text: &str, place: &[u8], stop: &Stop) -> Result<Vec<(Vec<u8>, String)>, Fault> {
    let (mut found, mut words, mut open) = (Vec::new(), String::new(), false);
    walk(text, stop, |event| match event {
        Walk::Begin(tag) => match local(tag) {
            "navLabel" => words.clear(),
            "text" => open = true,
            "content" if found.len() < MOST => {
                if let Some((path, fragment)) = attribute(tag, "src").and_then(|src| beside(place, &src)) {
                    found.push(([path.as_slice(), fragment.as_bytes()].concat(), line(&words)));
                }
            }
            _ => {}
        },
        // One label may serve thousands: it is cut as it is read, not for each of them.
        Walk::Text(text) if open && words.len() < LABEL => words.push_str(&text[..text.floor_char_boundary(LABEL)]),
        Walk::Text(_) => {}
        Walk::End => open = false,
    })?;
    Ok(found)
}

/// Where a reference in a file of the book leads, within it, and its fragment with its `#`.
fn beside(place: &[u8], reference: &str) -> Option<(Vec<u8>, String)> {
    let (path, fragment) = match reference.split_once('#') {
        Some((path, fragment)) => (path, format!("#{fragment}")),
        None => (reference, String::new()),
    };
    if path.is_empty() || path.contains(':') || path.starts_with('/') || path.len() > name::LONGEST {
        return None;
    }
    let folder = &place[..memchr::memrchr(b'/', place).map_or(0, |end| end + 1)];
    let mut steps = name::Steps::new(&[folder, &decoded(path)].concat());
    loop {
        match steps.next() {
            Ok(true) => {}
            Ok(false) => break,
            Err(()) => return None,
        }
    }
    name::clean(steps.here()).map(|path| (path, fragment))
}

fn decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let digits = (*first == b'%').then(|| more.get(..2).and_then(|two| std::str::from_utf8(two).ok())).flatten();
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(octet) => (out.push(octet), rest = &more[2..]).1,
            None => (out.push(*first), rest = more).1,
        }
    }
    out
}

/// Words in one line.
fn line(words: &str) -> String {
    let words: Vec<&str> =
        words.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(TITLE).collect()
}

/// What is met on the way through XML.
enum Walk<'a> {
    Begin(&'a BytesStart<'a>),
    Text(&'a str),
    End,
}

/// Goes through XML to its end, or to where it is none.
///
/// # Errors
/// It was given up.
fn walk(text: &str, stop: &Stop, mut each: impl FnMut(Walk)) -> Result<(), Fault> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    while let Ok(event) = reader.read_event() {
        stop.go_on().ok_or_else(|| Fault::new(Why::Stopped, "stopped"))?;
        match event {
            Event::Start(tag) | Event::Empty(tag) => each(Walk::Begin(&tag)),
            Event::End(_) => each(Walk::End),
            Event::Text(text) => each(Walk::Text(&text.xml10_content())),
            Event::CData(text) => each(Walk::Text(&text.xml10_content())),
            Event::GeneralRef(name) => each(Walk::Text(match &*name {
                "amp" => "&",
                "lt" => "<",
                "gt" => ">",
                "quot" => "\"",
                "apos" => "'",
                _ => "\u{FFFD}",
            })),
            Event::Eof => break,
            _ => {}
        }
    }
    Ok(())
}

fn local<'a>(tag: &'a BytesStart<'a>) -> &'a str {
    tag.local_name().into_inner()
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let found = tag.attributes().with_checks(false).flatten().find(|a| a.key.local_name().into_inner() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
}

//! Names of files: one component that leads nowhere, in characters, the same for one file and for a tree (SEC-13).
//!
//! What stands in a directory keeps the name that it has there, also one with a dot in front: the reader has seen it, and a
//! folder of sources is not whole without. What somebody only suggests (a header, an address of the web, a menu) hides
//! nothing, and nothing at all goes hidden into the reader's home folder. Refuses: U+FFFD; names longer than a disk takes.

use crate::app::Sight;
use crate::archive;
use crate::config::SavedNames;
use crate::doc::{carried, carry, sanitise};
use crate::format::charset::{By, Charset, Said, known, of_line};
use crate::format::media;
use crate::proto::Head;
use crate::url::scheme::archive::Archive;
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};
use std::borrow::Cow;

/// Octets of a name that file systems hold.
const LONGEST: usize = 255;
/// What an unfinished file has behind the name that it will have.
pub const UNFINISHED: &str = ".wayfarer-part";
/// Octets of an ending that stays when a name is cut.
const ENDING: usize = 16;

/// A name for a file: as it stands in its directory, else the server's, else the last of the path, else the host.
pub(in crate::app) fn name(sight: Sight<'_>, url: &Url, head: Option<&Head>) -> String {
    let stands = stands_in_directory(url);
    let last = last(url);
    let charset = charset(sight, url, &last);
    let naming = Naming::of(sight.desk.settings.saved_names, charset);
    let given = head.and_then(|head| head.filename.as_deref()).filter(|name| !name.is_empty());
    // What has U+FFFD in it was no text to whoever said it; the path still has the octets.
    let given = given.filter(|name| !name.contains(char::REPLACEMENT_CHARACTER));
    let name = match given {
        _ if stands && !last.is_empty() => naming.kept(&last),
        Some(given) => suggested(given),
        None => suggested(&text(&last, charset)),
    };
    let name = if stands && is_home(sight, &sight.desk.settings.downloads) { seen(&name).into() } else { name };
    match name.is_empty() {
        false => name,
        true => {
            Some(suggested(url.host().unwrap_or_default())).filter(|host| !host.is_empty()).unwrap_or("page".into())
        }
    }
}

/// Whether a URL's path is made of names of files.
fn stands_in_directory(url: &Url) -> bool {
    matches!(scheme::family(url), Family::Ftp | Family::Sftp | Family::File | Family::Archive)
}

/// The last component of a URL's path.
pub(super) fn last(url: &Url) -> Vec<u8> {
    let path = url.path();
    if let ("" | "/", Ok(Archive { file, .. })) = (path, Archive::of(url))
        && scheme::family(url) == Family::Archive
    {
        // The folder for what is in an archive is called as it is, but for the ending: the archive itself may lie beside it.
        let name = last(&file);
        return std::str::from_utf8(&name).map_or(name.clone(), |name| archive::stem(name).into());
    }
    let path = if scheme::family(url) == Family::Ftp { path.split(";type=").next().unwrap_or_default() } else { path };
    let octets = escape::decode(path);
    // Behind a TAB is what is looked for.
    let search = octets.iter().position(|octet| *octet == b'\t' && !stands_in_directory(url));
    let octets = &octets[..search.unwrap_or(octets.len())];
    let end = octets.iter().rposition(|octet| *octet != b'/').map_or(0, |at| at + 1);
    let last = octets[..end].rsplit(|octet| *octet == b'/').next().unwrap_or_default();
    // A selector without slash stands right behind the type character.
    let gopher = scheme::family(url) == Family::Gopher && path.matches('/').count() == 1;
    (if gopher { last.get(1..).unwrap_or_default() } else { last }).to_vec()
}

/// The charset that a name of a place is read in: the one that its listing was read by, where that is in view.
fn charset(sight: Sight<'_>, url: &Url, name: &[u8]) -> Charset {
    let page = sight.entry().and_then(|entry| entry.page.as_deref());
    let listing = page.filter(|page| page.head.media == media::DIRECTORY && page.head.url.host() == url.host());
    let read = listing.and_then(|page| of_line(name, page.given().charset.as_ref()?));
    let said = || said(sight, url, listing.and_then(|page| page.head.charset.as_deref()));
    read.or_else(|| known(&said()?.name)).unwrap_or(Charset::Utf8)
}

/// What is said of the charset of the names of a place: the one that was chosen for it, for its directory, or for the page that
/// led there; else what its listing declares, else the settings' word.
pub(in crate::app) fn said(sight: Sight<'_>, url: &Url, declared: Option<&str>) -> Option<Said> {
    let path = url.without_fragment();
    let above = path.as_str().trim_end_matches('/').rfind('/').and_then(|at| Url::parse(&path.as_str()[..=at]).ok());
    let page = sight.entry().map(|entry| entry.url.clone()).filter(|page| page.host() == url.host());
    let places = [Some(url.clone()), above, page];
    let said = places.into_iter().flatten().filter_map(|place| sight.said_of(&place, None));
    let (chosen, default): (Vec<_>, Vec<_>) = said.partition(|said| said.by != By::Default);
    let declared = declared.map(|name| Said { name: name.into(), by: By::Declared });
    chosen.into_iter().next().or(declared).or_else(|| default.into_iter().next())
}

/// Octets as characters. Where they are no text in the charset, those beyond ASCII are written as `%E9`, so that no two names
/// become one.
pub(in crate::app) fn text(octets: &[u8], charset: Charset) -> String {
    let text = charset.decode(octets);
    if !text.contains(char::REPLACEMENT_CHARACTER) {
        return text.into_owned();
    }
    let written = |octet: &u8| if octet.is_ascii() { char::from(*octet).to_string() } else { format!("%{octet:02X}") };
    octets.iter().map(written).collect()
}

/// A name as the server has it, to be compared with the one that it is saved under: what has no look of its own is written as
/// `\x1b` or `\u{202e}`, a backslash as two. No two names are written alike.
pub(crate) fn written(octets: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(octets) else { return octets.escape_ascii().to_string() };
    let mut out = String::new();
    for c in text.chars() {
        let looks = !c.is_control() && matches!(sanitise(c.encode_utf8(&mut [0; 4])), Cow::Borrowed(_));
        match u8::try_from(c) {
            _ if c == '\\' => out.push_str("\\\\"),
            _ if looks => out.push(c),
            Ok(octet) if octet.is_ascii() => out.push_str(&format!("\\x{octet:02x}")),
            _ => out.extend(c.escape_unicode()),
        }
    }
    out
}

/// The octets of a name that is [`written`] so; `None` for what is never written.
pub(crate) fn octets(written: &str) -> Option<Vec<u8>> {
    let (mut octets, mut left) = (Vec::with_capacity(written.len()), written);
    while let Some((plain, behind)) = left.split_once('\\') {
        octets.extend_from_slice(plain.as_bytes());
        let (kind, rest) = behind.split_at_checked(1)?;
        left = rest;
        match kind {
            "x" => {
                let (digits, rest) = rest.split_at_checked(2)?;
                octets.push(u8::from_str_radix(digits, 16).ok()?);
                left = rest;
            }
            "u" => {
                let (digits, rest) = rest.strip_prefix('{')?.split_once('}')?;
                let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                octets.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                left = rest;
            }
            "t" => octets.push(b'\t'),
            "r" => octets.push(b'\r'),
            "n" => octets.push(b'\n'),
            "\\" | "'" | "\"" => octets.extend_from_slice(kind.as_bytes()),
            _ => return None,
        }
    }
    octets.extend_from_slice(left.as_bytes());
    Some(octets).filter(|octets| self::written(octets) == written)
}

/// The name of what stands in a directory, as it is there and as its listing shows it; nothing at all, perhaps. `-rf` and `~` stay,
/// as all that copies directories leaves them: a changed name breaks what refers to it, and `./*` is harmless (SEC-13).
fn kept(octets: &[u8], charset: Charset) -> String {
    let name = harmless(&text(octets, charset));
    if matches!(&*name, "." | "..") { String::new() } else { fitting(name) }
}

/// The same by the octets that are no text; a disk holds them as they are. Where those around something that was left out would
/// be a character together, the name is written as one that is no text.
fn kept_octets(octets: &[u8]) -> String {
    let mut name = Vec::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        name.extend_from_slice(harmless(chunk.valid()).as_bytes());
        name.extend_from_slice(chunk.invalid());
    }
    if name.utf8_chunks().any(|chunk| harmless(chunk.valid()) != chunk.valid()) {
        return kept(octets, Charset::Utf8);
    }
    let text = carry(&name);
    match &*name {
        b"." | b".." => String::new(),
        name if name.len() <= LONGEST && !is_unfinished(&text) => text,
        _ => fitting(text),
    }
}

/// A text as a listing shows it, in one component.
fn harmless(text: &str) -> String {
    sanitise(text).replace('/', "_").replace('\t', "\u{2409}")
}

/// How names of a directory are written on the disk.
#[derive(Debug, Clone, Copy)]
pub(in crate::app) enum Naming {
    /// In characters, which are read in this charset.
    Text(Charset),
    /// With the octets that they have there.
    Octets,
}

impl Naming {
    /// That of the settings.
    pub fn of(saved: SavedNames, charset: Charset) -> Naming {
        match saved {
            SavedNames::Utf8 => Naming::Text(charset),
            SavedNames::Octets => Naming::Octets,
        }
    }

    /// The name of what stands in a directory, as it is there and as its listing shows it; nothing at all, perhaps.
    pub fn kept(self, octets: &[u8]) -> String {
        match self {
            Naming::Text(charset) => kept(octets, charset),
            Naming::Octets => kept_octets(octets),
        }
    }

    /// Where a link leads, step by step as names are.
    pub fn target(self, octets: &[u8]) -> String {
        let step = |step: &[u8]| match step {
            b"." => ".".into(),
            b".." => "..".into(),
            name => self.kept(name),
        };
        octets.split(|octet| *octet == b'/').map(step).collect::<Vec<_>>().join("/")
    }
}

/// Whether a name on the disk is the one that these octets are.
pub(in crate::app) fn is_own(name: &str, octets: &[u8]) -> bool {
    *carried(name) == *octets
}

/// Whether somebody may have been given such a name.
pub(in crate::app) fn is_given(name: &str) -> bool {
    let octets = carried(name);
    !name.is_empty() && (kept(&octets, Charset::Utf8) == name || kept_octets(&octets) == name)
}

/// What of a name that somebody else suggests may name a file here; nothing at all, perhaps.
pub(in crate::app) fn suggested(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    fitting(seen(&shown(name)).replace(':', "_"))
}

/// A name without what hides it, or makes an option of it.
pub(in crate::app) fn seen(name: &str) -> &str {
    name.trim_start_matches(['.', '-', ' ', '~']).trim_end()
}

/// Whether a folder is the reader's home, where hidden files mean something to programs.
pub(in crate::app) fn is_home(sight: Sight<'_>, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    let home = sight.desk.choices.home_folder.as_deref().map(|home| home.trim_end_matches('/'));
    folder == "~" || home.is_some_and(|home| home == folder)
}

/// A name without controls: whole escape sequences go, and so does what has no look of its own.
fn shown(name: &str) -> String {
    const ESCAPE: char = '\u{1b}';
    let shows = |c: &char| !c.is_control() && matches!(sanitise(c.encode_utf8(&mut [0; 4])), Cow::Borrowed(_));
    let name: String = name.chars().filter(|c| *c == ESCAPE || shows(c)).collect();
    if !name.contains(ESCAPE) {
        return name;
    }
    // One that begins no sequence is left as its picture.
    sanitise(&name).chars().filter(|c| *c != '\u{241b}' && shows(c)).collect()
}

/// A name that is no longer than may be, its ending kept, and that is not one of our own.
fn fitting(mut name: String) -> String {
    if name.len() > LONGEST {
        let ending = ending(&name).to_owned();
        name.truncate(name.floor_char_boundary(LONGEST - ending.len()));
        name.push_str(&ending);
    }
    not_ours(name)
}

/// A name that means no file of ours that is not finished; also one that was cut to it.
fn not_ours(mut name: String) -> String {
    if is_unfinished(&name) {
        if name.len() >= LONGEST {
            name.pop();
        }
        name.push('_');
    }
    name
}

/// `.gz` of `a.gz`, `.tar.gz` of `a.tar.gz`; nothing where there is none that is short.
pub(in crate::app) fn ending(name: &str) -> &str {
    let dot = |name: &str| name.rfind('.').filter(|at| *at > 0);
    let Some(one) = dot(name) else { return "" };
    let two = dot(&name[..one]).filter(|two| name[*two..one].len() <= ".html".len());
    let short = |at: &usize| name.len() - at <= ENDING;
    two.filter(short).or(Some(one).filter(short)).map_or("", |at| &name[at..])
}

/// Whether it is like a name of an unfinished file or of the note beside it: what stands in those is believed.
pub fn is_unfinished(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let part = lower.strip_suffix(".toml").unwrap_or(&lower);
    part.rsplit_once(UNFINISHED).is_some_and(|(_, number)| {
        number.is_empty() || number.strip_prefix('-').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// A name with a number in front of its ending, for one that is taken.
pub(in crate::app) fn numbered(name: &str, number: u32) -> String {
    let ending = ending(name);
    let (stem, number) = (&name[..name.len() - ending.len()], format!("-{number}{ending}"));
    not_ours(format!("{}{number}", &stem[..stem.floor_char_boundary(LONGEST.saturating_sub(number.len()))]))
}

/// The next free-looking name: `a.txt` → `a-2.txt` → `a-3.txt`.
pub(in crate::app) fn another(path: &str) -> String {
    let (folder, file) = path.rsplit_once('/').map_or(("", path), |(folder, file)| (folder, file));
    let (stem, suffix) = match file.find('.') {
        Some(dot) if dot > 0 => file.split_at(dot),
        _ => (file, ""),
    };
    let (stem, number) = match stem.rsplit_once('-') {
        Some((before, n)) if n.parse::<u32>().is_ok_and(|n| n < 1000) => (before, n.parse().unwrap_or(1) + 1),
        _ => (stem, 2_u32),
    };
    let slash = if folder.is_empty() && !path.starts_with('/') { "" } else { "/" };
    format!("{folder}{slash}{stem}-{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_written_alike() {
        let names: [&[u8]; 9] = [
            b"a\\xe9b.bin",
            b"a\xe9b.bin",
            b"a\\\xe9'\"\t",
            b"a\\\\xe9",
            b"\x1b[2J",
            b"\\x1b[2J",
            "\u{202e}a".as_bytes(),
            b"\\u{202e}a",
            "caf\u{e9}".as_bytes(),
        ];
        let all: std::collections::BTreeSet<String> = names.iter().map(|name| written(name)).collect();
        assert_eq!(all.len(), names.len(), "{all:?}");
        for name in names {
            assert_eq!(octets(&written(name)).as_deref(), Some(name));
        }
        for none in ["\\", "\\q", "\\x", "\\x1", "\\x\u{e9}", "\\u{", "\\u{110000}", "\\x41", "\\u{61}"] {
            assert_eq!(octets(none), None, "{none}");
        }
    }
}

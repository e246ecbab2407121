//! Media types: by file name, by what the octets look like, and whether a type can be shown.

use super::media;
use memchr::memchr;

/// Octets of unknown kind.
pub const OCTETS: &str = "application/octet-stream";

/// Endings that the common tables lack or take for something else.
const ENDINGS: &[(&str, &str)] = &[
    ("gmi", media::GEMTEXT),
    ("gemini", media::GEMTEXT),
    ("md", "text/markdown"),
    ("markdown", "text/markdown"),
    ("rst", media::PLAIN),
    ("org", media::PLAIN),
    ("ans", media::PLAIN),
    ("nfo", media::PLAIN),
    ("diz", media::PLAIN),
    ("asc", media::PLAIN),
    ("log", media::PLAIN),
    ("me", media::PLAIN),
    ("1st", media::PLAIN),
    ("conf", media::PLAIN),
    ("cfg", media::PLAIN),
    ("ini", media::PLAIN),
    ("diff", media::PLAIN),
    ("patch", media::PLAIN),
    ("ts", media::PLAIN),
    ("go", "text/x-go"),
    ("toml", "text/x-toml"),
    ("yaml", "text/x-yaml"),
    ("yml", "text/x-yaml"),
    ("z", "application/x-compress"),
    ("gz", "application/gzip"),
    ("tgz", "application/gzip"),
    ("bz2", "application/x-bzip2"),
    ("xz", "application/x-xz"),
    ("zst", "application/zstd"),
    ("lzh", "application/x-lzh"),
    ("lha", "application/x-lzh"),
    ("arc", "application/x-arc"),
    ("zoo", "application/x-zoo"),
    ("hqx", "application/mac-binhex40"),
    ("sit", "application/x-stuffit"),
    ("uue", "text/x-uuencode"),
    ("uu", "text/x-uuencode"),
    ("eml", "message/rfc822"),
    ("mht", "message/rfc822"),
    ("mhtml", "message/rfc822"),
    ("mbox", "application/mbox"),
    ("warc", "application/warc"),
    ("zim", "application/x-zim"),
];

/// Names without an ending that are texts.
const TEXTS: &[&str] = &[
    "authors",
    "bugs",
    "changelog",
    "changes",
    "contents",
    "copying",
    "copyright",
    "credits",
    "dockerfile",
    "faq",
    "gophermap",
    "history",
    "index",
    "install",
    "install-sh",
    "licence",
    "license",
    "maintainers",
    "makefile",
    "manifest",
    "motd",
    "news",
    "notice",
    "readme",
    "thanks",
    "todo",
    "version",
];

/// Types outside `text/` whose octets are text all the same.
const TEXTUAL: &[&str] = &[
    "application/ecmascript",
    "application/javascript",
    "application/json",
    "application/ld+json",
    "application/mbox",
    "application/sql",
    "application/toml",
    "application/x-csh",
    "application/x-javascript",
    "application/x-latex",
    "application/x-perl",
    "application/x-sh",
    "application/x-tcl",
    "application/x-tex",
    "application/x-texinfo",
    "application/x-yaml",
    "application/xhtml+xml",
    "application/xml",
    "application/yaml",
    "image/svg+xml",
    "message/rfc822",
];

/// How much a beginning proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// It is that type.
    Sure,
    /// It might be a word of a text: only with octets that no text has.
    IfBinary,
    /// As that, or with these octets behind one more: a file packed well may have none in its beginning that no text has.
    Before(&'static [u8]),
}

/// How files begin, and their type.
const MAGIC: &[(&[u8], &str, Proof)] = &[
    (b"\x89PNG\r\n\x1A\n", "image/png", Proof::Sure),
    (b"GIF87a", "image/gif", Proof::Sure),
    (b"GIF89a", "image/gif", Proof::Sure),
    (b"\xFF\xD8\xFF", "image/jpeg", Proof::Sure),
    (b"BM", "image/bmp", Proof::IfBinary),
    (b"\x00\x00\x01\x00", "image/vnd.microsoft.icon", Proof::Sure),
    (b"%PDF-", "application/pdf", Proof::Sure),
    (b"%!PS", "application/postscript", Proof::Sure),
    (b"{\\rtf", "application/rtf", Proof::Sure),
    (b"PK\x03\x04", "application/zip", Proof::Sure),
    (b"PK\x05\x06", "application/zip", Proof::Sure),
    (b"\x1F\x8B", "application/gzip", Proof::Sure),
    (b"\x1F\x9D", "application/x-compress", Proof::Sure),
    (b"BZh", "application/x-bzip2", Proof::Before(b"1AY&SY")),
    (b"\xFD7zXZ\x00", "application/x-xz", Proof::Sure),
    (b"\x28\xB5\x2F\xFD", "application/zstd", Proof::Sure),
    (b"7z\xBC\xAF\x27\x1C", "application/x-7z-compressed", Proof::Sure),
    (b"Rar!\x1A\x07", "application/vnd.rar", Proof::Sure),
    (b"\x7FELF", OCTETS, Proof::Sure),
    (b"OggS", "audio/ogg", Proof::IfBinary),
    (b"ID3", "audio/mpeg", Proof::IfBinary),
    (b"fLaC", "audio/flac", Proof::IfBinary),
    (b".snd", "audio/basic", Proof::IfBinary),
    (b"WARC/", "application/warc", Proof::Sure),
    (b"ZIM\x04", "application/x-zim", Proof::Sure),
];

/// How many octets a look at the content takes.
const LOOK: usize = 1024;

/// The media type that a file name speaks for; `None` when it says nothing.
pub fn by_name(name: &str) -> Option<String> {
    let name = name.rsplit('/').next().unwrap_or(name);
    // VMS adds a version: `readme.txt;3`.
    let name = match name.rsplit_once(';') {
        Some((base, version)) if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => name,
    };
    let lower = name.trim_end_matches('~').to_ascii_lowercase();
    let (stem, ending) = lower.rsplit_once('.').unwrap_or((lower.as_str(), ""));
    if ending.is_empty() || stem.is_empty() {
        return TEXTS.contains(&lower.as_str()).then(|| media::PLAIN.into());
    }
    if let Some((_, media)) = ENDINGS.iter().find(|(known, _)| *known == ending) {
        return Some((*media).into());
    }
    match mime_guess::from_ext(ending).first_raw() {
        Some(media) => Some(media.into()),
        // `readme.unix`, `news.1994`: what counts is the stem.
        None => TEXTS.contains(&stem).then(|| media::PLAIN.into()),
    }
}

/// The media type of a beginning, where that is unmistakable.
pub fn by_magic(start: &[u8]) -> Option<&'static str> {
    match start {
        [b'R', b'I', b'F', b'F', _, _, _, _, kind @ ..] if kind.starts_with(b"WEBP") => return Some("image/webp"),
        [b'R', b'I', b'F', b'F', _, _, _, _, kind @ ..] if kind.starts_with(b"WAVE") => return Some("audio/wav"),
        _ => {}
    }
    let (magic, media, proof) = MAGIC.iter().find(|(magic, ..)| start.starts_with(magic))?;
    let proves = match proof {
        Proof::Sure => true,
        Proof::IfBinary => false,
        Proof::Before(next) => start.get(magic.len() + 1..).is_some_and(|rest| rest.starts_with(next)),
    };
    (proves || is_binary(start)).then_some(media)
}

/// Whether a beginning is no text: a NUL (UTF-16 apart), or too many controls that texts do not use.
pub fn is_binary(start: &[u8]) -> bool {
    if start.starts_with(&[0xFF, 0xFE]) || start.starts_with(&[0xFE, 0xFF]) {
        return false;
    }
    let start = &start[..start.len().min(LOOK)];
    // TAB, LF, CR, form feed, backspace (overstrike), escape (colours), 0x1A (the end of a DOS text).
    let odd = |b: &&u8| **b < 0x20 && !matches!(**b, b'\t' | b'\n' | b'\r' | 0x0C | 0x08 | 0x1B | 0x1A);
    memchr(0, start).is_some() || start.iter().filter(odd).count() * 10 > start.len()
}

/// Whether a beginning is text but for a NUL here and there, which a page passes over (HTML, 13.2.5.1).
fn is_blemished(start: &[u8]) -> bool {
    let start = &start[..start.len().min(LOOK)];
    let others: Vec<u8> = start.iter().copied().filter(|octet| *octet != 0).collect();
    let nuls = start.len() - others.len();
    (nuls <= 1 || nuls * 100 <= start.len()) && !is_binary(&others)
}

/// The media type of a file: its name's word, unless its beginning contradicts it.
///
/// Text that a name calls by some application's type (scripts, settings) is text all the same.
pub fn of_file(name: &str, start: &[u8]) -> String {
    let (named, magic) = (by_name(name), by_magic(start));
    let page = named.as_deref().is_some_and(super::html::is_html);
    let readable = magic.is_none() && (!is_binary(start) || page && is_blemished(start));
    match (named, magic) {
        (Some(named), _) if named.starts_with("text/") && !readable => magic.unwrap_or(OCTETS).into(),
        (Some(named), Some(magic)) if named.starts_with("image/") && magic.starts_with("image/") => magic.into(),
        (Some(named), _) if readable && !keeps_its_name(&named) => media::PLAIN.into(),
        (Some(named), _) => named,
        (None, Some(magic)) => magic.into(),
        (None, None) if !readable => OCTETS.into(),
        (None, None) if is_html(start) => "text/html".into(),
        (None, None) => media::PLAIN.into(),
    }
}

/// Types that are text, or begin like text, and are still shown or opened by their own name.
fn keeps_its_name(media: &str) -> bool {
    media.starts_with("text/") || media.ends_with("xml") || media == "message/rfc822"
}

/// How pages begin (MIME Sniffing, 7.1), after blanks and in any case; a blank or `>` follows, but for a comment.
const PAGES: &[&str] = &[
    "<!doctype html",
    "<html",
    "<head",
    "<script",
    "<iframe",
    "<h1",
    "<div",
    "<font",
    "<table",
    "<a",
    "<style",
    "<title",
    "<b",
    "<body",
    "<br",
    "<p",
    "<!--",
];

/// Whether a beginning is that of an HTML page.
pub(super) fn is_html(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    PAGES.iter().any(|tag| {
        let begins = start.get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag.as_bytes()));
        begins && (*tag == "<!--" || matches!(start.get(tag.len()), Some(b' ' | b'>' | b'\t' | b'\n' | b'\r' | 0x0C)))
    })
}

/// Whether a type that has no parser of its own can be shown as plain text.
pub(super) fn is_textual(media: &str) -> bool {
    media.starts_with("text/") || TEXTUAL.contains(&media) || media.ends_with("+xml") || media.ends_with("+json")
}

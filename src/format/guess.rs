//! Media types: by file name, by what the octets look like, and whether a type can be shown.

use super::media;
use memchr::memchr_iter;

/// The media type of a name without any clue.
pub const BINARY: &str = "application/octet-stream";

/// Endings that the common tables lack or take for something else.
const ENDINGS: &[(&str, &str)] = &[
    ("gmi", media::GEMTEXT),
    ("gemini", media::GEMTEXT),
    ("md", "text/markdown"),
    ("markdown", "text/markdown"),
    ("rst", media::PLAIN),
    ("org", media::PLAIN),
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
    ("rs", "text/x-rust"),
    ("go", "text/x-go"),
    ("py", "text/x-python"),
    ("pl", "text/x-perl"),
    ("sh", "text/x-shellscript"),
    ("tcl", "text/x-tcl"),
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
    ("mbox", "application/mbox"),
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
    "application/postscript",
    "application/rtf",
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

/// First octets of files, and their type.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1A\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1F\x8B", "application/gzip"),
    (b"\x1F\x9D", "application/x-compress"),
    (b"BZh", "application/x-bzip2"),
    (b"\xFD7zXZ\x00", "application/x-xz"),
    (b"\x28\xB5\x2F\xFD", "application/zstd"),
    (b"7z\xBC\xAF\x27\x1C", "application/x-7z-compressed"),
    (b"Rar!\x1A\x07", "application/vnd.rar"),
    (b"%PDF-", "application/pdf"),
    (b"\x7FELF", "application/x-executable"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b".snd", "audio/basic"),
    (b"\x00\x00\x01\x00", "image/vnd.microsoft.icon"),
];

/// How many octets a look at the content takes.
pub const LOOK: usize = 1024;

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

/// The media type that the first octets speak for, at most [`LOOK`] of them.
pub fn by_content(octets: &[u8]) -> &'static str {
    let seen = &octets[..octets.len().min(LOOK)];
    match MAGIC.iter().find(|(magic, _)| seen.starts_with(magic)) {
        Some((_, media)) => media,
        None if is_text(seen) => media::PLAIN,
        None => BINARY,
    }
}

/// Whether octets look like text: no NUL (but for UTF-16), and hardly any controls that texts do not use.
pub fn is_text(octets: &[u8]) -> bool {
    if octets.starts_with(&[0xFF, 0xFE]) || octets.starts_with(&[0xFE, 0xFF]) {
        return true;
    }
    // TAB, LF, CR, form feed, backspace (overstrike), escape (colours), 0x1A (end of a DOS text).
    let odd = |b: &&u8| **b < 0x20 && !matches!(**b, b'\t' | b'\n' | b'\r' | 0x0C | 0x08 | 0x1B | 0x1A);
    memchr_iter(0, octets).next().is_none() && octets.iter().filter(odd).count() * 50 <= octets.len()
}

/// Whether a media type is shown as a page; anything else is saved or opened outside.
pub fn is_shown(media: &str) -> bool {
    super::has_parser(media) || is_textual(media)
}

/// Whether a type that has no parser of its own can be shown as plain text.
pub(super) fn is_textual(media: &str) -> bool {
    media.starts_with("text/") || TEXTUAL.contains(&media) || media.ends_with("+xml") || media.ends_with("+json")
}

//! The media type of octets that nobody named: by file name, corrected by how they begin.

/// Octets of unknown kind.
pub const OCTETS: &str = "application/octet-stream";

/// By the name's ending.
pub fn by_name(name: &str) -> Option<String> {
    mime_guess::from_path(name).first_raw().map(str::to_ascii_lowercase)
}

/// By the first octets, where they are unmistakable.
pub fn by_magic(start: &[u8]) -> Option<&'static str> {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"\xFF\xD8\xFF", "image/jpeg"),
        (b"BM", "image/bmp"),
        (b"%PDF-", "application/pdf"),
        (b"%!PS", "application/postscript"),
        (b"{\\rtf", "application/rtf"),
        (b"PK\x03\x04", "application/zip"),
        (b"\x1F\x8B", "application/gzip"),
        (b"BZh", "application/x-bzip2"),
        (b"\xFD7zXZ\x00", "application/x-xz"),
        (b"OggS", "audio/ogg"),
        (b"ID3", "audio/mpeg"),
        (b"fLaC", "audio/flac"),
        (b"\x7FELF", OCTETS),
    ];
    match start {
        [b'R', b'I', b'F', b'F', _, _, _, _, kind @ ..] if kind.starts_with(b"WEBP") => Some("image/webp"),
        [b'R', b'I', b'F', b'F', _, _, _, _, kind @ ..] if kind.starts_with(b"WAVE") => Some("audio/wav"),
        // Two letters are a word as well: a bitmap has binary sizes after them.
        _ => MAGIC.iter().find(|(m, _)| start.starts_with(m)).map(|(_, t)| *t).filter(|t| {
            !matches!(*t, "image/bmp" | "audio/mpeg" | "application/x-bzip2" | "audio/ogg") || is_binary(start)
        }),
    }
}

/// Whether this is no text: a NUL (UTF-16 apart), or too many controls.
pub fn is_binary(start: &[u8]) -> bool {
    if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
        return false;
    }
    let start = &start[..start.len().min(1024)];
    let odd = start.iter().filter(|b| **b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0C | 0x08 | 0x1B)).count();
    start.contains(&0) || odd * 10 > start.len()
}

/// The type of a file: the name's word, unless the content contradicts it.
///
/// Text that a name calls by some application's type (scripts, settings) is text all the same.
pub fn of_file(name: &str, start: &[u8]) -> String {
    let (named, magic) = (by_name(name), by_magic(start));
    let readable = !is_binary(start) && magic.is_none();
    match named {
        Some(named) if named.starts_with("text/") && !readable => magic.unwrap_or(OCTETS).into(),
        Some(named) if named.starts_with("image/") && magic.is_some_and(|m| m.starts_with("image/")) => {
            magic.unwrap_or(OCTETS).into()
        }
        Some(named) if readable && !keeps_its_name(&named) => "text/plain".into(),
        Some(named) => named,
        None => match magic {
            Some(magic) => magic.into(),
            None if !readable => OCTETS.into(),
            None if is_html(start) => "text/html".into(),
            None => "text/plain".into(),
        },
    }
}

/// Types that are text, or begin like text, and are still shown or opened by their own name.
fn keeps_its_name(media: &str) -> bool {
    media.starts_with("text/") || media.ends_with("xml") || media == "message/rfc822"
}

fn is_html(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    [b"<!doctype html".as_slice(), b"<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag)))
}

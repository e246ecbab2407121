//! The charset that a page declares within itself: `<meta charset>`, `<meta http-equiv=content-type content>`, and the XML
//! declaration, where octets are searched that are not read yet (HTML, 13.2.3.2).

use memchr::memmem;

/// How many octets are searched.
pub(super) const WINDOW: usize = 1024;

/// The charset that the first octets declare, as the page writes it.
pub(super) fn declared(octets: &[u8]) -> Option<String> {
    let text = lower(&octets[..octets.len().min(WINDOW)]);
    xml(&text).or_else(|| meta(&text)).map(readable)
}

/// The charset that other octets declare.
pub(super) fn declared_within(octets: &[u8]) -> Option<String> {
    meta(&lower(octets)).map(readable)
}

/// What a name means that could be read: whoever could read this far did not read UTF-16.
pub(super) fn readable(name: String) -> String {
    if name.to_ascii_lowercase().starts_with("utf-16") { "utf-8".into() } else { name }
}

fn lower(octets: &[u8]) -> String {
    octets.iter().map(|octet| char::from(octet.to_ascii_lowercase())).collect()
}

fn xml(text: &str) -> Option<String> {
    let declaration = text.strip_prefix("<?xml")?.split_once("?>")?.0;
    value(declaration.split_once("encoding")?.1)
}

fn meta(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some(at) = memmem::find(rest.as_bytes(), b"<") {
        rest = &rest[at..];
        if rest.starts_with("<!--") {
            rest = &rest[rest.find("-->")?..];
            continue;
        }
        let tag = &rest[..rest.find('>').unwrap_or(rest.len())];
        rest = &rest[1..];
        if tag.strip_prefix("<meta").is_some_and(|attrs| attrs.starts_with([' ', '\t', '\n', '\r', '\x0c', '/']))
            && let Some(name) = of_meta(tag)
        {
            return Some(name);
        }
    }
    None
}

fn of_meta(tag: &str) -> Option<String> {
    let (before, after) = tag.split_once("charset")?;
    // within an attribute it counts only where it speaks of the content's type
    let within = before.contains("content") && before.contains('=');
    if within && !(tag.contains("content-type") && tag.contains("http-equiv")) {
        return None;
    }
    value(after)
}

/// The value after an equals sign, quoted or not.
fn value(text: &str) -> Option<String> {
    let text = text.trim_ascii_start().strip_prefix('=')?.trim_ascii_start();
    let end = |c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\'' | ';' | '/' | '>');
    let name = match text.chars().next()? {
        quote @ ('"' | '\'') => text[1..].split(quote).next()?.trim(),
        _ => text.split(end).next()?,
    };
    (!name.is_empty()).then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn charsets_that_pages_declare() {
        for (page, charset) in [
            ("<html><head><META CHARSET=\"KOI8-R\">", Some("koi8-r")),
            ("<meta name=x><meta charset=utf-8/>", Some("utf-8")),
            ("<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-2'>", Some("iso-8859-2")),
            ("<meta content=\"text/html; charset=big5\" http-equiv=\"content-type\">", Some("big5")),
            ("<meta name=description content=\"a charset=x\">", None),
            ("<!-- <meta charset=big5> --><meta charset=gbk>", Some("gbk")),
            ("<?xml version='1.0' encoding='Shift_JIS'?><html>", Some("shift_jis")),
            ("<meta charset=utf-16le>", Some("utf-8")),
            ("<p>charset=x</p>", None),
            ("<metaphor charset=x>", None),
            ("<meta charset=", None),
        ] {
            assert_eq!(declared(page.as_bytes()).as_deref(), charset, "{page}");
        }
    }
}

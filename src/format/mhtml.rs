//! Pages in one message (MHTML, RFC 2557), written: a multipart/related whose first part is the page and whose others are what it leads
//! to, each with the address that leads to it (Content-Location) and the base of what stands in it (Content-Base, RFC 2110).
//!
//! Read it is by `format/message`, which finds parts by their addresses and gives each the base that its headings say.

use crate::doc::flat;
use crate::url::Url;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What separates the parts: base64 knows no `_`.
const BOUNDARY: &str = "----=_Wayfarer_Part";
/// Octets of a line of base64.
const LINE: usize = 76;
/// Octets of an encoded word (RFC 2047, 2) before they are encoded.
const WORD: usize = 42;

/// A part to be written.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    /// What leads to it.
    pub location: &'a Url,
    /// What is relative in it is relative to this.
    pub base: &'a Url,
    /// Its media type.
    pub media: &'a str,
    /// Its charset, where that is known.
    pub charset: Option<&'a str>,
    /// Its octets.
    pub octets: &'a [u8],
}

/// Writes parts as one message, the page first. `date` is as RFC 5322 has it.
pub fn write(parts: &[Part], title: &str, date: &str) -> Vec<u8> {
    let media = parts.first().map_or("text/html", |page| page.media);
    let mut out = format!(
        "From: <Saved by Wayfarer>\r\nSubject: {}\r\nDate: {}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n \
         type=\"{}\";\r\n start=\"<page@saved.invalid>\";\r\n boundary=\"{BOUNDARY}\"\r\n",
        words(title),
        flat(date),
        flat(media)
    );
    for (number, part) in parts.iter().enumerate() {
        out.push_str(&format!("\r\n--{BOUNDARY}\r\nContent-Type: {}", flat(part.media)));
        if let Some(charset) = part.charset {
            out.push_str(&format!("; charset=\"{}\"", flat(charset).replace(['"', '\\'], "")));
        }
        if number == 0 {
            out.push_str("\r\nContent-ID: <page@saved.invalid>");
        }
        out.push_str("\r\nContent-Transfer-Encoding: base64");
        for (name, url) in [("Location", part.location), ("Base", part.base)] {
            out.push_str(&format!("\r\nContent-{name}: {}", flat(&url.without_secrets())));
        }
        out.push_str("\r\n\r\n");
        let text = STANDARD.encode(part.octets);
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (line, more) = rest.split_at(rest.len().min(LINE));
            out.push_str(line);
            out.push_str("\r\n");
            rest = more;
        }
    }
    out.push_str(&format!("\r\n--{BOUNDARY}--\r\n"));
    out.into_bytes()
}

/// A title as words of a field (RFC 2047).
fn words(title: &str) -> String {
    let title = flat(title);
    let title = title.trim();
    if title.is_ascii() && title.len() <= LINE && !title.contains("=?") {
        return title.to_owned();
    }
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in title.chars().take(400) {
        if word.len() + c.len_utf8() > WORD {
            out.push(std::mem::take(&mut word));
        }
        word.push(c);
    }
    out.push(word);
    let encoded = out.iter().map(|word| format!("=?utf-8?B?{}?=", STANDARD.encode(word)));
    encoded.collect::<Vec<_>>().join("\r\n ")
}

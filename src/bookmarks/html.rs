//! Bookmarks in HTML: Netscape's bookmark file, which all browsers write, and the simpler one of lynx. They are read by their
//! tags alone, as every browser reads them: no two write the same.

use super::{Bookmark, address, one_line};

/// Names within each other that are followed.
const DEPTH: usize = 32;

/// What comes next in a text.
enum Token<'a> {
    Text(&'a str),
    /// A tag's name in lower case, with `/` before it when it ends something, and the rest of it.
    Tag(String, &'a str),
}

pub(super) fn read(text: &str) -> (Vec<Bookmark>, usize) {
    let mut reader = Reader::default();
    let mut rest = text;
    while let Some(token) = next(&mut rest) {
        match token {
            Token::Text(words) => reader.words.push_str(words),
            Token::Tag(name, attributes) => reader.tag(&name, attributes),
        }
    }
    reader.end_note();
    (reader.found, reader.odd)
}

fn next<'a>(rest: &mut &'a str) -> Option<Token<'a>> {
    let text = *rest;
    if text.is_empty() {
        return None;
    }
    if let Some(comment) = text.strip_prefix("<!--") {
        *rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
        return Some(Token::Text(""));
    }
    let begins = |tag: &str| tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    if let Some(tag) = text.strip_prefix('<').filter(|tag| begins(tag)) {
        let end = end_of_tag(tag);
        *rest = tag.get(end + 1..).unwrap_or("");
        let tag = &tag[..end];
        let cut = tag.find(|c: char| c.is_whitespace()).unwrap_or(tag.len());
        return Some(Token::Tag(tag[..cut].to_ascii_lowercase(), &tag[cut..]));
    }
    let second = text.chars().next().map_or(0, char::len_utf8);
    let end = text[second..].find('<').map_or(text.len(), |at| at + second);
    *rest = &text[end..];
    Some(Token::Text(&text[..end]))
}

/// Where a tag ends, outside of quotes.
fn end_of_tag(tag: &str) -> usize {
    let mut quote = None;
    for (at, b) in tag.bytes().enumerate() {
        match (quote, b) {
            (None, b'>') => return at,
            (None, b'"' | b'\'') => quote = Some(b),
            (Some(open), b) if open == b => quote = None,
            _ => {}
        }
    }
    tag.find('>').unwrap_or(tag.len())
}

#[derive(Default)]
struct Reader {
    found: Vec<Bookmark>,
    odd: usize,
    /// Text since the last tag that counts.
    words: String,
    /// The folders around this place; `None` for a list that has no name.
    folders: Vec<Option<String>>,
    /// The name of the list that begins next.
    heading: Option<String>,
    link: Option<Bookmark>,
    /// What comes is a note on the last bookmark.
    noting: bool,
}

impl Reader {
    fn tag(&mut self, name: &str, attributes: &str) {
        match name {
            "a" => {
                self.end_note();
                let tags = attribute(attributes, "tags").unwrap_or_default();
                let tags = tags.split(',').map(one_line).filter(|tag| !tag.is_empty()).collect();
                let url = attribute(attributes, "href").and_then(|href| address(&href));
                self.odd += usize::from(url.is_none());
                let folder = self.folders.iter().flatten().cloned().collect();
                self.link = url.map(|url| Bookmark { url, tags, folder, ..Bookmark::default() });
                self.words.clear();
            }
            "/a" => {
                if let Some(link) = self.link.take() {
                    let title = one_line(&decoded(&self.words));
                    let title = if title == link.url { String::new() } else { title };
                    self.found.push(Bookmark { title, ..link });
                }
            }
            "dd" => {
                self.noting = true;
                self.words.clear();
            }
            "h1" | "h2" | "h3" | "h4" => {
                self.end_note();
                self.words.clear();
            }
            "/h3" | "/h2" | "/h4" => self.heading = Some(one_line(&decoded(&self.words))),
            "dl" => {
                self.end_note();
                let heading = self.heading.take().filter(|name| !name.is_empty());
                if self.folders.len() < DEPTH {
                    self.folders.push(heading);
                }
            }
            "/dl" => {
                self.end_note();
                self.folders.pop();
            }
            "dt" | "li" | "hr" => self.end_note(),
            _ => {}
        }
    }

    /// A note has ended; one on a folder is nobody's.
    fn end_note(&mut self) {
        if std::mem::take(&mut self.noting)
            && self.heading.is_none()
            && let Some(last) = self.found.last_mut()
        {
            last.note = one_line(&decoded(&self.words));
        }
        self.words.clear();
    }
}

/// The value of an attribute, by its name in lower case.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let key = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let mut value = "";
        if let Some(given) = rest.strip_prefix('=') {
            let given = given.trim_start();
            (value, rest) = match given.chars().next().filter(|c| matches!(c, '"' | '\'')) {
                Some(quote) => given[1..].split_once(quote).unwrap_or((&given[1..], "")),
                None => given.split_at(given.find(char::is_whitespace).unwrap_or(given.len())),
            };
        }
        if key == name {
            return Some(decoded(value));
        }
        if rest.is_empty() {
            return None;
        }
    }
}

/// Text with its character references replaced: the few that bookmark files have.
fn decoded(text: &str) -> String {
    const NAMED: [(&str, char); 6] =
        [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", ' ')];
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let named = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        let number = |name: &str| {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)
        };
        let found = named.and_then(|(name, rest)| {
            let known = NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c);
            Some((known.or_else(|| number(name))?, rest))
        });
        match found {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}

fn encoded(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// What browsers read.
pub(super) fn browser(bookmarks: &[Bookmark]) -> String {
    let mut out = String::from(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n\
         <TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n",
    );
    let all: Vec<&Bookmark> = bookmarks.iter().collect();
    folder(&all, 0, &mut out);
    out.push_str("</DL><p>\n");
    out
}

/// The bookmarks of a folder, and then the folders in it, in the order in which they first come.
fn folder(bookmarks: &[&Bookmark], depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth + 1);
    for bookmark in bookmarks.iter().filter(|bookmark| bookmark.folder.len() == depth) {
        let tags = match bookmark.tags.as_slice() {
            [] => String::new(),
            tags => format!(" TAGS=\"{}\"", encoded(&tags.join(","))),
        };
        let title = if bookmark.title.is_empty() { &bookmark.url } else { &bookmark.title };
        out.push_str(&format!("{indent}<DT><A HREF=\"{}\"{tags}>{}</A>\n", encoded(&bookmark.url), encoded(title)));
        if !bookmark.note.is_empty() {
            out.push_str(&format!("{indent}<DD>{}\n", encoded(&bookmark.note)));
        }
    }
    let mut names: Vec<&String> = Vec::new();
    for name in bookmarks.iter().filter_map(|bookmark| bookmark.folder.get(depth)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        out.push_str(&format!("{indent}<DT><H3>{}</H3>\n{indent}<DL><p>\n", encoded(name)));
        let inside = bookmarks.iter().filter(|bookmark| bookmark.folder.get(depth) == Some(name));
        let inside: Vec<&Bookmark> = inside.copied().collect();
        folder(&inside, depth + 1, out);
        out.push_str(&format!("{indent}</DL><p>\n"));
    }
}

/// What lynx reads.
pub(super) fn lynx(bookmarks: &[Bookmark]) -> String {
    let mut out = String::from(
        "<head>\n<META http-equiv=\"content-type\" content=\"text/html;charset=utf-8\">\n<title>Bookmark file</title>\n\
         </head>\n<p>\n<ol>\n",
    );
    for bookmark in bookmarks {
        let title = if bookmark.title.is_empty() { &bookmark.url } else { &bookmark.title };
        out.push_str(&format!("<LI><a href=\"{}\">{}</a>\n", encoded(&bookmark.url), encoded(title)));
    }
    out
}

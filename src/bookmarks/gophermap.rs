//! A gopher menu (RFC 1436) whose items are the bookmarks; what is not in gopher space is an `h` item with `URL:`.

use super::{Bookmark, address, one_line};
use crate::url::scheme::gopher::Gopher;
use crate::url::{Url, escape};

/// Whether a line is an item that leads somewhere.
pub(super) fn is_item(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    fields.len() >= 4 && fields[3].trim().parse::<u16>().is_ok()
}

pub(super) fn read(text: &str) -> (Vec<Bookmark>, usize) {
    let (mut found, mut odd) = (Vec::new(), 0);
    for line in text.lines().filter(|line| line.contains('\t') && !line.starts_with('i')) {
        match item(line) {
            Some(bookmark) => found.push(bookmark),
            None => odd += 1,
        }
    }
    (found, odd)
}

fn item(line: &str) -> Option<Bookmark> {
    let mut fields = line.split('\t');
    let (label, selector) = (fields.next()?, fields.next()?);
    let kind = label.bytes().next().filter(u8::is_ascii)?;
    let url = match selector.strip_prefix("URL:").or_else(|| selector.strip_prefix("/URL:")) {
        Some(url) => address(url)?,
        None => {
            let (host, port) = (fields.next()?.trim(), fields.next()?.trim().parse().ok()?);
            Gopher::new(kind, selector.as_bytes().to_vec()).url(host, port, false).ok()?.as_str().to_owned()
        }
    };
    Some(Bookmark { url, title: one_line(&label[1..]), ..Bookmark::default() })
}

pub(super) fn write(bookmarks: &[Bookmark]) -> String {
    let mut out = String::new();
    for bookmark in bookmarks {
        let title = if bookmark.title.is_empty() { bookmark.url.clone() } else { one_line(&bookmark.title) };
        out.push_str(&menu_item(&bookmark.url, &title));
    }
    out.push_str(".\r\n");
    out
}

/// The line of a menu that leads to an address, with its end; the title is one line without a TAB.
pub fn menu_item(url: &str, title: &str) -> String {
    native(url, title).unwrap_or_else(|| format!("h{title}\tURL:{url}\terror.invalid\t70\r\n"))
}

/// The item of an address in gopher space that a menu can name.
fn native(text: &str, title: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|url| url.is("gopher") && url.user().is_none())?;
    let gopher = Gopher::of(&url).ok().filter(|gopher| gopher.search.is_none() && gopher.plus.is_none())?;
    let (host, port) = (url.host()?, url.port()?);
    // Only what comes back as the same address; an information line would not come back at all.
    let same = gopher.item != b'i'
        && gopher.item.is_ascii_graphic()
        && gopher.url(host, port, false).is_ok_and(|again| again == url);
    let selector = String::from_utf8(gopher.selector).ok().filter(|_| same)?;
    // What a terminal would obey, or shows as nothing, stays escaped, in the address.
    let shows = |c: char| c == ' ' || !escape::is_hidden(c);
    selector.chars().all(shows).then_some(())?;
    Some(format!("{}{title}\t{selector}\t{host}\t{port}\r\n", char::from(gopher.item)))
}

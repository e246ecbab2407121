//! What a visitor writes (RFC 5537, 3.4 and 3.5): looked at, completed, kept in memory.

use super::article::{Article, field, is_id};
use super::store::{NAME, Store};
use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// Octets of an article.
pub(super) const LARGEST: usize = 64 * 1024;

/// Takes an article; says how it is refused, in words that follow 441.
pub(super) fn post(store: &mut Store, octets: &[u8], now: Timestamp) -> Result<String, String> {
    if store.is_full() {
        return Err("There is no room for more; all of it goes when the tour ends.".into());
    }
    if octets.contains(&0) {
        return Err("An article has no NUL in it.".into());
    }
    let head = octets.windows(2).position(|window| window == b"\n\n").map(|end| &octets[..=end]);
    let Some(head) = head.filter(|head| head.first().is_some_and(u8::is_ascii_graphic)) else {
        return Err("An article is headers, an empty line, and a text.".into());
    };
    let given = |name: &str| field(head, name).filter(|text| !text.is_empty());
    for (name, is_good) in [("From", from as fn(&str) -> bool), ("Subject", |_| true), ("Newsgroups", |_| true)] {
        match given(name) {
            None => return Err(format!("It has no {name}.")),
            Some(text) if !is_good(&text) => {
                return Err(format!("Its {name} names no address, as in \"You <you@example.org>\"."));
            }
            Some(_) => {}
        }
    }
    for name in given("Newsgroups").unwrap_or_default().split(',').map(str::trim) {
        match store.group(name).map(|group| group.status) {
            None => return Err(format!("There is no group {name} here; wayfarer.test is for trying.")),
            Some('y') => {}
            Some(_) => return Err(format!("Nobody writes to {name}; wayfarer.test is for trying.")),
        }
    }
    // What only servers say is not taken from visitors.
    if let Some(name) = ["Xref", "Lines", "Path"].iter().find(|name| given(name).is_some()) {
        return Err(format!("{name} is for the server to write."));
    }
    let id = match given("Message-ID") {
        Some(id) if is_id(&id) => id,
        Some(_) => return Err("Its Message-ID is none, as in <left@right>.".into()),
        None => format!("<{}@{NAME}>", now.as_nanosecond()),
    };
    let mut own = format!("Path: {NAME}!not-for-mail\n");
    for (name, text) in
        [("Message-ID", Some(id.clone())), ("Date", rfc2822::to_string(&now.to_zoned(jiff::tz::TimeZone::UTC)).ok())]
    {
        if let Some(text) = text.filter(|_| given(name).is_none()) {
            own.push_str(&format!("{name}: {text}\n"));
        }
    }
    let article = Article::of(&[own.as_bytes(), octets].concat()).ok_or("Its headers make no sense.")?;
    if store.add(article) { Ok(id) } else { Err("An article with that Message-ID is here already.".into()) }
}

fn from(text: &str) -> bool {
    text.split_once('@').is_some_and(|(left, right)| !left.is_empty() && !right.trim_end_matches('>').is_empty())
}

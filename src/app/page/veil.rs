//! Passwords in addresses that others write: a server that was sent one may repeat it in the redirect that it answers with, or in
//! a link of its page, or of one that it leads to. They are hidden in all that is opened in the tab where they were sent, and in
//! those that are opened from it. Refuses: the password of the URL itself, which is hidden wherever URLs are shown.

use crate::doc::{INSIDE, Read, decoded, is_word, merged, secrets_in, starred};
use crate::url::{Url, escape, split};
use memchr::memmem;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// The least octets of one that is looked for as a word; of a shorter one only a whole value, a whole query or a whole
/// segment of a path is taken for it: it stands in most addresses by chance.
const SHORT: usize = 3;

/// How many spellings are kept; the oldest go first. Nobody types that many, but redirects may name them.
const MOST: usize = 256;
/// Users of FTP whose passwords are none.
const ANONYMOUS: [&str; 2] = ["anonymous", "ftp"];

/// What servers were told in secret on the way to a page, in all its spellings.
#[derive(Clone, Default, PartialEq)]
pub struct Veil(Vec<String>);

/// Never the secrets.
impl fmt::Debug for Veil {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Veil({} secrets)", self.0.len())
    }
}

impl Veil {
    /// Hides one more.
    pub(in crate::app) fn add(&mut self, secret: &str) {
        let host = Some(secret).filter(|secret| !secret.is_ascii()).and_then(|name| idna::domain_to_ascii(name).ok());
        let lower = Some(secret.to_lowercase()).filter(|lower| !lower.eq_ignore_ascii_case(secret));
        for spelling in [Some(secret.to_owned()), lower, host].into_iter().flatten() {
            if !spelling.is_empty() && !self.0.contains(&spelling) {
                self.0.push(spelling);
            }
        }
        self.0.drain(..self.0.len().saturating_sub(MOST));
    }

    /// Hides what another one hides.
    pub(in crate::app) fn join(&mut self, other: &Veil) {
        for spelling in &other.0 {
            if !self.0.contains(spelling) {
                self.0.push(spelling.clone());
            }
        }
        self.0.drain(..self.0.len().saturating_sub(MOST));
    }

    /// Hides the password by which a server is entered. One that is the user's name too, or stands in the server's, hides nothing:
    /// all its addresses show it.
    pub(in crate::app) fn add_login(&mut self, url: &Url, user: &[u8], password: &[u8]) {
        let [user, password] = [user, password].map(|octets| String::from_utf8_lossy(octets).to_lowercase());
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let server = url.host().unwrap_or_default().to_lowercase() + &port;
        if !password.is_empty() && user != password && !server.contains(&password) && !ANONYMOUS.contains(&&*user) {
            self.add(&password);
        }
    }

    /// The same of the login that stands in a URL.
    pub fn add_login_of(&mut self, url: &Url) {
        if let Some(password) = url.password() {
            self.add_login(url, &escape::decode(url.user().unwrap_or_default()), &escape::decode(password));
        }
    }

    /// Whether there is nothing to hide.
    pub(in crate::app) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The secrets, for whoever hides them in words.
    pub fn secrets(&self) -> &[String] {
        &self.0
    }

    /// A text for people without them.
    pub fn over(&self, text: String) -> String {
        crate::doc::conceal(&text, &self.0).unwrap_or(text)
    }

    /// A reference as a page writes it, without them.
    pub fn reference(&self, text: &str) -> String {
        starred(text, &self.places(text)).unwrap_or_else(|| text.to_owned())
    }

    /// A text that is being typed, with a star for each character of them, so that the cursor keeps its place.
    pub fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let places = merged([self.places(text), secrets_in(text, &self.0)].concat());
        if places.is_empty() {
            return text.into();
        }
        let mut places = places.into_iter().peekable();
        let star = |(at, c): (usize, char)| {
            while places.next_if(|place| place.end <= at).is_some() {}
            if places.peek().is_some_and(|place| place.contains(&at)) { '*' } else { c }
        };
        text.char_indices().map(star).collect()
    }

    fn places(&self, text: &str) -> Vec<Range<usize>> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let parts = split(text);
        let scheme = parts.scheme.map_or(0, |scheme| scheme.len() + 1);
        places(text, &self.0, parts.authority.map_or(scheme, |authority| scheme + 2 + authority.len()))
    }

    /// The URL with stars for them, as they are or escaped once or twice, in any case; `None` when it has none.
    pub fn url(&self, url: &Url) -> Option<Url> {
        if self.0.is_empty() {
            return None;
        }
        let text = url.as_str();
        let start = url.scheme().len() + 1;
        let site = url.authority().map_or(start, |authority| start + 2 + authority.len());
        let own = url.password().map(|password| {
            let user = url.user().unwrap_or_default();
            let at = start + 2 + user.len() + 1;
            at..at + password.len()
        });
        let is_own =
            |place: &Range<usize>| own.as_ref().is_some_and(|own| own.start <= place.start && place.end <= own.end);
        let mut found = places(text.get(start..)?, &self.0, site - start);
        found.iter_mut().for_each(|place| *place = place.start + start..place.end + start);
        found.retain(|place| !is_own(place));
        // A port is a number that many servers have by chance.
        let port = url.authority().and_then(|authority| Some(authority.rsplit_once(':')?.1));
        let port = port.filter(|port| port.bytes().all(|octet| octet.is_ascii_digit())).map_or(0, str::len);
        found.retain(|place| place.start < site - port || place.start >= site);
        let first = found.first()?.start;
        let veiled = starred(text, &found)?;
        // A path of stars alone may be none, and neither is a port: the place is then all that is shown, or not even that.
        let place = if first < site { format!("{}://***/", url.scheme()) } else { format!("{}/", &text[..site]) };
        [veiled, place].into_iter().find_map(|shown| Url::parse(shown).ok())
    }
}

/// Where a text has secrets, in order. Its path begins at `path`.
fn places(text: &str, secrets: &[String], path: usize) -> Vec<Range<usize>> {
    let raw: Vec<Read> = text.bytes().enumerate().map(|(at, octet)| (octet, at..at + 1)).collect();
    let once = decoded(&raw);
    let twice = decoded(&once);
    let mut found: Vec<Range<usize>> = Vec::new();
    for read in [raw, once, twice] {
        let octets: Vec<u8> = read.iter().map(|(octet, _)| folded(*octet)).collect();
        for secret in secrets {
            let sought: Vec<u8> = secret.bytes().map(folded).collect();
            for at in memmem::find_iter(&octets, &sought) {
                let end = at + sought.len();
                let after = |ends: &[u8]| octets.get(end).is_none_or(|after| ends.contains(after));
                let whole = match at.checked_sub(1).map(|before| octets[before]) {
                    Some(b'=') => after(b"&;#"),
                    Some(b'?') => after(b"#"),
                    Some(b'/') => read[at].1.start > path && after(b"/?#"),
                    _ => false,
                };
                let is_word = sought.len() >= SHORT && is_word(&octets, at..end);
                if whole || is_word || secret.chars().nth(INSIDE - 1).is_some() {
                    found.push(read[at].1.start..read[end - 1].1.end);
                }
            }
        }
    }
    merged(found)
}

/// A plus in a query stands for a space, and servers do not agree where else; hosts have one case.
fn folded(octet: u8) -> u8 {
    if octet == b'+' { b' ' } else { octet.to_ascii_lowercase() }
}

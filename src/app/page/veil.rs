//! Passwords in addresses that others write: a server that was sent one may repeat it in the redirect that it answers with, or in
//! a link of its page. Refuses: the password of the URL itself, which is hidden wherever URLs are shown.

use crate::doc::{merged, starred};
use crate::url::Url;
use memchr::memmem;
use std::fmt;
use std::ops::Range;

/// Of a shorter one only a whole value is taken for it: it stands in most addresses by chance.
const SHORT: usize = 3;

/// An octet of a text, decoded or not, and where it stands there.
type Read = (u8, Range<usize>);

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
    }

    /// The secrets, for whoever hides them in words.
    pub(in crate::app) fn secrets(&self) -> &[String] {
        &self.0
    }

    /// A text for people without them.
    pub(in crate::app) fn over(&self, text: String) -> String {
        crate::doc::conceal(&text, &self.0).unwrap_or(text)
    }

    /// The URL with stars for them, as they are or escaped once or twice, in any case; `None` when it has none.
    pub(in crate::app) fn url(&self, url: &Url) -> Option<Url> {
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
        let mut found = places(text.get(start..)?, &self.0);
        found.iter_mut().for_each(|place| *place = place.start + start..place.end + start);
        found.retain(|place| !is_own(place));
        let first = found.first()?.start;
        let veiled = starred(text, &found)?;
        // A path of stars alone may be none, and neither is a port: the place is then all that is shown, or not even that.
        let place = if first < site { format!("{}://***/", url.scheme()) } else { format!("{}/", &text[..site]) };
        [veiled, place].into_iter().find_map(|shown| Url::parse(shown).ok())
    }
}

/// Where a text has secrets, in order.
fn places(text: &str, secrets: &[String]) -> Vec<Range<usize>> {
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
                let whole = at.checked_sub(1).is_some_and(|before| octets[before] == b'=')
                    && octets.get(end).is_none_or(|after| b"&;#".contains(after));
                if whole || sought.len() >= SHORT {
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

/// What is written with escapes, without one layer of them.
fn decoded(read: &[Read]) -> Vec<Read> {
    let digit = |at: usize| read.get(at).and_then(|(octet, _)| char::from(*octet).to_digit(16));
    let mut out = Vec::with_capacity(read.len());
    let mut at = 0;
    while let Some((octet, range)) = read.get(at) {
        match (octet, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((u8::try_from(high * 16 + low).unwrap_or(b'?'), range.start..read[at + 2].1.end));
                at += 3;
            }
            _ => {
                out.push((*octet, range.clone()));
                at += 1;
            }
        }
    }
    out
}

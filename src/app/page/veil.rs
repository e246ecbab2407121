//! Passwords in addresses that others write: a server that was sent one may repeat it in the redirect that it answers with.

use crate::url::Url;
use memchr::memmem;
use std::ops::Range;

/// Of a shorter one only a whole value is taken for it: it stands in most addresses by chance.
const SHORT: usize = 3;

/// An octet of a text, decoded or not, and where it stands there.
type Read = (u8, Range<usize>);

/// The URL with stars for what was typed in secret, as it is or escaped once or twice, behind its host; `None` when it has none.
pub(in crate::app) fn veiled(url: &Url, secrets: &[String]) -> Option<Url> {
    let text = url.as_str();
    let scheme = url.scheme().len();
    let start = url.authority().map_or(scheme + 1, |authority| scheme + 3 + authority.len());
    let rest = text.get(start..)?;
    let raw: Vec<Read> = rest.bytes().enumerate().map(|(at, octet)| (octet, at..at + 1)).collect();
    let once = decoded(&raw);
    let twice = decoded(&once);
    let mut found: Vec<Range<usize>> = Vec::new();
    for read in [raw, once, twice] {
        let octets: Vec<u8> = read.iter().map(|(octet, _)| spaced(*octet)).collect();
        for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
            let sought: Vec<u8> = secret.bytes().map(spaced).collect();
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
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|range| range.start);
    let (mut veiled, mut done) = (text[..start].to_owned(), 0);
    for range in found {
        if range.start >= done {
            veiled.push_str(&rest[done..range.start]);
            veiled.push_str("***");
        }
        done = done.max(range.end);
    }
    veiled.push_str(rest.get(done..).unwrap_or_default());
    // A path of stars alone may be none; the place is then all that is shown.
    Url::parse(veiled).ok().or_else(|| Url::parse(format!("{}/", &text[..start])).ok())
}

/// A plus in a query stands for a space, and servers do not agree where else.
fn spaced(octet: u8) -> u8 {
    if octet == b'+' { b' ' } else { octet }
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

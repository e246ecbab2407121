//! What only looks like a URL: bare `www.…` hosts, addresses and message-ids in `<>` (TXT-15, D39, NEWS-07).

use super::{Found, Look, bare};
use crate::url::complete::{ABBREVIATIONS, Abbreviation};
use crate::url::scheme::news;
use crate::url::{Url, escape};

/// Longer than any address, message-id or host name in use (RFC 5321, 4.5.3.1; RFC 3977, 3.6).
const LONGEST: usize = 254;

/// A host that begins with a word of [`ABBREVIATIONS`], whose first dot stands at `dot`.
pub(super) fn host(text: &str, dot: usize, floor: usize) -> Option<Look> {
    let bytes = text.as_bytes();
    let next = bytes.get(dot + 1)?;
    if !next.is_ascii_alphanumeric() {
        return None;
    }
    let row =
        ABBREVIATIONS.iter().filter(|row| row.in_text).find(|row| ends_with_word(&bytes[floor..dot], row.label))?;
    let start = dot - row.label.len();
    let rest = &bytes[dot..];
    let length = rest.iter().take(LONGEST).take_while(|b| b.is_ascii_alphanumeric() || b"-.".contains(b)).count();
    let name = text[start..dot + length].trim_end_matches(['.', '-']);
    if !is_host(name) {
        return None;
    }
    let after_name = start + name.len();
    let end = match bytes.get(after_name) {
        Some(b'/' | b'?' | b'#' | b':') => bare::extent(text, start, after_name),
        _ => after_name,
    };
    let url = expanded(row, &text[start..end], after_name < end);
    let found = Url::parse(url).ok().map(|url| Found {
        range: start..end,
        url: url.as_str().into(),
        alternatives: Vec::new(),
        sure: false,
    });
    Some(Look { found, resume: end })
}

fn expanded(row: &Abbreviation, text: &str, has_more: bool) -> String {
    let slash = if has_more && text.contains(['/', '?', '#']) { "" } else { "/" };
    format!("{}://{text}{slash}", row.scheme)
}

fn ends_with_word(before: &[u8], word: &str) -> bool {
    let Some(start) = before.len().checked_sub(word.len()) else { return false };
    before[start..].eq_ignore_ascii_case(word.as_bytes())
        && (start == 0 || !(before[start - 1].is_ascii_alphanumeric() || b".-_@/=".contains(&before[start - 1])))
}

/// At least three labels, and a top level of letters: "www.h.example", not "ftp.c" or "www.4.2".
fn is_host(name: &str) -> bool {
    let mut labels = name.rsplit('.');
    let top = labels.next().unwrap_or_default();
    top.len() > 1 && top.bytes().all(|b| b.is_ascii_alphabetic()) && name.split('.').count() > 2 && !name.contains("..")
}

/// An address or message-id in `<>` whose `@` stands at `at`.
pub(super) fn address(text: &str, at: usize, floor: usize) -> Option<Look> {
    let bytes = text.as_bytes();
    let floor = floor.max(at.saturating_sub(LONGEST));
    let open = floor + memchr::memrchr(b'<', &bytes[floor..at])?;
    let ahead = &bytes[at..bytes.len().min(at + LONGEST)];
    let close = at + memchr::memchr(b'>', ahead)?;
    let text_within = &text[open + 1..close];
    let (local, domain) = split_address(text_within)?;
    let news = news::article_url(text_within.as_bytes()).ok()?.to_string();
    let mail = is_mail_domain(domain).then(|| mail_url(text_within));
    let (url, other) = match mail {
        Some(mail) if !(looks_like_id(local) || names_an_id(text, open)) => (mail, Some(news)),
        other => (news, other),
    };
    let alternatives = other.into_iter().collect();
    let found = Found { range: open + 1..close, url, alternatives, sure: false };
    Some(Look { found: Some(found), resume: close + 1 })
}

/// The two halves of an address or message-id, when the text is nothing else.
pub(in crate::url) fn split_address(text: &str) -> Option<(&str, &str)> {
    let (local, domain) = text.split_once('@')?;
    let is_atom = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&b);
    let domain_ok = domain.bytes().all(|b| is_atom(b) || b"[]:".contains(&b));
    (!local.is_empty() && !domain.is_empty() && local.bytes().all(is_atom) && domain_ok).then_some((local, domain))
}

fn is_mail_domain(domain: &str) -> bool {
    domain.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b)) && !domain.starts_with(['.', '-'])
}

/// Whether software made this name up: people's names rarely begin with a digit or hold a `$`.
pub(in crate::url) fn looks_like_id(local: &str) -> bool {
    local.starts_with(|c: char| c.is_ascii_digit())
        || local.contains(['$', '%', '/', '='])
        || local.bytes().filter(u8::is_ascii_digit).count() > 5
        || local.split('.').filter(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())).count() > 1
}

/// Whether the words before the bracket say that a message-id follows.
fn names_an_id(text: &str, open: usize) -> bool {
    const HEADERS: &[&str] = &["message-id:", "references:", "in-reply-to:", "supersedes:", "also-control:", "cancel"];
    // "In article <…>", "wrote in <…>", "see message <…>", "Message-ID: <…>", "news:<…>"
    const WORDS: &[&str] = &["in", "article", "message", "posting", "message-id", "msgid", "msg-id", "news", "mid"];
    let floor = (open.saturating_sub(96)..=open).find(|i| text.is_char_boundary(*i)).unwrap_or(open);
    let before = &text[floor..open];
    let line = before.rsplit('\n').next().unwrap_or(before);
    let begins = |header: &str| line.get(..header.len()).is_some_and(|l| l.eq_ignore_ascii_case(header));
    let word = before.split_ascii_whitespace().next_back().unwrap_or_default();
    let says = |known: &&str| word.trim_start_matches(['(', '[']).trim_end_matches(':').eq_ignore_ascii_case(known);
    HEADERS.iter().any(|header| begins(header)) || WORDS.iter().any(says)
}

/// The `mailto:` URL of an address (RFC 6068, 2).
pub(in crate::url) fn mail_url(address: &str) -> String {
    format!("mailto:{}", escape::encode(address.as_bytes(), b"!$'*+@"))
}

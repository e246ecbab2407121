//! Message-ids of the reader's own articles (RFC 5536, 3.1.3; RFC 5537, 3.4.1).
//!
//! The right half is the domain of the author's address, or one that the settings name; the left half tells nothing of this machine,
//! nor which articles one run has written. Refuses: names that mean nothing outside a house, such as a host without a domain.

use ring::digest::{SHA256, digest};
use std::fmt::Write;

/// Octets of chance in an id, which stand in it as twice as many digits.
const CHANCE: usize = 12;
/// The longest domain (RFC 1035, 2.3.4).
const LONGEST_DOMAIN: usize = 253;
/// Last labels that only the house knows (RFC 6761, RFC 6762, RFC 8375, and in use).
const PRIVATE: &[&str] = &["localhost", "localdomain", "local", "lan", "home", "internal", "arpa"];

/// An id, brackets included, that nobody else has: `seed` is chance of this run, `number` and `time` are not used twice with it.
/// `None` where there is no chance, or `domain` may not be said.
pub fn message_id(seed: &str, number: u64, time: i64, domain: &str) -> Option<String> {
    let domain = Some(domain).filter(|domain| !seed.is_empty() && is_public(domain))?;
    let hashed = digest(&SHA256, format!("{seed} {number} {time}").as_bytes());
    let mut left = String::with_capacity(2 * CHANCE);
    for octet in hashed.as_ref().iter().take(CHANCE) {
        // Writing to a string cannot fail.
        let _ = write!(left, "{octet:02x}");
    }
    Some(format!("<{left}@{}>", domain.to_ascii_lowercase()))
}

/// Whether a name is one that others can take for somebody's: labels of letters and digits, more than one, none of a house alone.
pub fn is_public(domain: &str) -> bool {
    let label = |label: &str| {
        let plain = label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        (1..=63).contains(&label.len()) && plain && !label.starts_with('-') && !label.ends_with('-')
    };
    let last = domain.rsplit('.').next().unwrap_or_default();
    domain.len() <= LONGEST_DOMAIN
        && domain.contains('.')
        && domain.split('.').all(label)
        && !last.bytes().all(|b| b.is_ascii_digit())
        && !PRIVATE.iter().any(|private| private.eq_ignore_ascii_case(last))
}

//! A server's certificate as a reader can compare it: its fingerprint, and what it says of itself.
//!
//! What it says is claimed by whoever made it and proves nothing. Refuses: deciding whom to trust.

use ring::digest::{SHA256, digest};
use std::fmt::Write;
use std::net::IpAddr;
use x509_cert::Certificate as X509;
use x509_cert::der::{DateTime, Decode};
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::time::Time;

/// Names of hosts that are told, of the hundreds that some certificates hold.
const NAMES: usize = 4;
/// Characters of what a certificate says of itself.
const DESCRIBED: usize = 400;

/// A certificate that a server has shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Certificate {
    /// Its SHA-256, lower-case hex, as `openssl x509 -fingerprint -sha256` counts it.
    pub fingerprint: String,
    /// What it says of itself, in one line of at most 400 characters: the hosts it is for, who made it, the first and the last
    /// day on which it holds (RFC 5280 4.1.2). Empty where it cannot be read, or where nobody wrote it down.
    pub described: String,
}

impl Certificate {
    /// A certificate from its octets (DER).
    pub fn read(der: &[u8]) -> Certificate {
        let fingerprint = digest(&SHA256, der).as_ref().iter().fold(String::with_capacity(64), |mut hex, octet| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{octet:02x}");
            hex
        });
        Certificate { fingerprint, described: described(der).unwrap_or_default() }
    }

    /// A certificate of which nothing is known but its fingerprint.
    pub fn unseen(fingerprint: impl Into<String>) -> Certificate {
        Certificate { fingerprint: fingerprint.into(), described: String::new() }
    }
}

/// What a certificate says of itself.
fn described(der: &[u8]) -> Option<String> {
    let certificate = X509::from_der(der).ok()?;
    let said = certificate.tbs_certificate();
    let names = match said.get_extension::<SubjectAltName>() {
        Ok(Some((_, SubjectAltName(names)))) => names.iter().filter_map(host).collect(),
        // Self-made ones of the older kind name the host as their subject only.
        _ => Vec::new(),
    };
    let mut line = match names.as_slice() {
        [] => format!("for {}", said.subject()),
        names => format!("for {}", names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ")),
    };
    if let Some(more) = names.len().checked_sub(NAMES).filter(|more| *more > 0) {
        let _ = write!(line, " and {more} more");
    }
    let maker = match said.issuer() == said.subject() {
        true => "itself".to_owned(),
        false => said.issuer().to_string(),
    };
    let validity = said.validity();
    let (from, until) = (day(&validity.not_before), day(&validity.not_after));
    // The days first: a long name of the maker is what a short line can do without.
    let line = format!("{line}; from {from} to {until}; made by {maker}");
    Some(line.chars().map(visible).take(DESCRIBED).collect::<String>().trim_end().to_owned())
}

/// It is written into a file of lines, so it is letters of any writing and the signs of ASCII. Letters that fill a place and are
/// not seen (Hangul) would make one name look like another.
fn visible(c: char) -> char {
    let hides = matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}');
    if (c.is_alphanumeric() || c.is_ascii_graphic()) && !hides { c } else { ' ' }
}

fn host(name: &GeneralName) -> Option<String> {
    match name {
        GeneralName::DnsName(name) => Some(name.to_string()),
        GeneralName::IpAddress(octets) => match octets.as_bytes() {
            octets if octets.len() == 4 => Some(IpAddr::from(<[u8; 4]>::try_from(octets).ok()?).to_string()),
            octets => Some(IpAddr::from(<[u8; 16]>::try_from(octets).ok()?).to_string()),
        },
        _ => None,
    }
}

fn day(time: &Time) -> String {
    match time.to_date_time() {
        // RFC 5280 4.1.2.5: 99991231235959Z stands for no well-defined end.
        DateTime::INFINITY => "no end".into(),
        time => format!("{:04}-{:02}-{:02}", time.year(), time.month(), time.day()),
    }
}

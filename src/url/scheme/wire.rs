//! What may stand in a line that is sent to a server (SEC-03): no CR, LF or NUL after decoding, whatever the scheme.

use super::super::{UrlError, escape};

/// Refuses octets that would end the line early. `what` names the field for the reader ("selector").
pub(super) fn check(what: &str, octets: &[u8]) -> Result<(), UrlError> {
    let name = match octets.iter().find(|b| matches!(b, b'\r' | b'\n' | 0)) {
        None => return Ok(()),
        Some(0) => "a NUL",
        Some(b'\r') => "a carriage return",
        Some(_) => "a line feed",
    };
    Err(UrlError::Refused(format!("the {what} holds {name}, which could smuggle a command to the server")))
}

/// Decodes a raw component and refuses what [`check`] refuses.
pub(super) fn decode(what: &str, raw: &str) -> Result<Vec<u8>, UrlError> {
    let octets = escape::decode(raw);
    check(what, &octets)?;
    Ok(octets)
}

/// As [`decode`], for a component that may be undefined.
pub(super) fn decode_opt(what: &str, raw: Option<&str>) -> Result<Option<Vec<u8>>, UrlError> {
    raw.map(|raw| decode(what, raw)).transpose()
}

/// Refuses what a program could take for an option (TEL-05).
pub(super) fn check_argument(what: &str, octets: &[u8]) -> Result<(), UrlError> {
    match octets.first() {
        Some(b'-') => Err(UrlError::Refused(format!("the {what} begins with \"-\" and would be taken for an option"))),
        _ => Ok(()),
    }
}

/// One code point for each octet: how commands are kept as text.
pub(super) fn latin1(octets: &[u8]) -> String {
    octets.iter().map(|&b| b as char).collect()
}

//! What each status that brings no page means for a reader (3.2 and appendix 1): what the server said, and what to do next.

use super::head::Said;
use crate::proto::{FetchError, Kind};

/// A status: its kind, what it means (`%h` is the host), what to do.
struct Row {
    status: u8,
    kind: Kind,
    says: &'static str,
    next: &'static str,
}

const fn row(status: u8, kind: Kind, says: &'static str, next: &'static str) -> Row {
    Row { status, kind, says, next }
}

/// The first of each ten stands for all of them that are not known.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(10, Kind::NeedsWords, "%h asks", "Words may also stand in the address, behind a question mark."),
    row(11, Kind::NeedsSecret, "%h asks for something that nobody else should see", "It is sent, and kept nowhere."),
    row(40, Kind::Said, "%h cannot give this now", "Try again later."),
    row(41, Kind::Said, "%h is overloaded or under repair", "Try again later."),
    row(42, Kind::Said, "The program on %h that makes this page has failed", "Try again; whoever runs the server may want to know."),
    row(43, Kind::Said, "%h could not get this from another server", "Try again later."),
    row(44, Kind::Said, "%h wants to be asked less often", "Wait, then try again."),
    row(50, Kind::Said, "%h cannot give this, now or later", ""),
    row(51, Kind::NotFound, "There is no such page on %h", ""),
    row(52, Kind::NotFound, "This page of %h is gone for good", ""),
    row(53, Kind::Denied, "%h does not serve this address: it takes it for another server's", "Look at the host and the port in the address."),
    row(59, Kind::Said, "%h does not understand what was asked", ""),
    row(60, Kind::NeedsCertificate, "%h wants to know you by a certificate", ""),
    row(61, Kind::NeedsCertificate, "Your certificate may not see this page of %h", "Another of yours may, or %h may have to let this one in first."),
    row(62, Kind::NeedsCertificate, "%h does not accept your certificate", "It may want one that was made otherwise, or at another time; a new one may do."),
];

/// The failure that a status is.
pub(super) fn failure(host: &str, said: &Said) -> FetchError {
    let first = said.status / 10 * 10;
    let row = ROWS.iter().find(|row| row.status == said.status).or_else(|| ROWS.iter().find(|row| row.status == first));
    let Some(row) = row else {
        return FetchError::new(
            Kind::Malformed,
            format!("{host} answered with a status that means nothing here: {}.", said.status),
        );
    };
    let (mut says, mut next) = (row.says.replace("%h", host), row.next.replace("%h", host));
    let mut words = said.meta.as_str();
    if row.status == 44
        && let Ok(seconds) = words.parse::<u32>()
    {
        (next, words) = (format!("Wait for {seconds} s, then try again."), "");
    }
    match row.kind {
        Kind::NeedsWords | Kind::NeedsSecret if !words.is_empty() => says.push_str(&format!(": {words}")),
        Kind::NeedsWords => says.push_str(" for words."),
        _ if words.is_empty() => says.push_str(&format!(" ({}).", said.status)),
        _ => says.push_str(&format!(" ({}): {words}", said.status)),
    }
    let failure = FetchError::new(row.kind, says);
    if next.is_empty() { failure } else { failure.hint(next) }
}

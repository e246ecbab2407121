//! The server's own checksum of a file: HASH (draft-bryan-ftpext-hash, 3), and the commands that were there before it (`XSHA256` and
//! its like).
//!
//! It comes as a body of hexadecimal digits, and is waited for as long as a file of that length may take. Refuses: a sum of another kind than was asked for, and one of a file as text, which has
//! other octets on every machine.

use super::reply::{Reply, line};
use super::{IMAGE, Visit};
use crate::format::media;
use crate::proto::relay::Relay;
use crate::proto::{End, FetchError, Kind, Verdict};
use crate::sums::{self, Sum};
use crate::url::scheme::ftp::Typecode;
use std::time::Duration;

/// Those of before, with what they reckon.
const OLDER: &[(&str, sums::Kind)] = &[
    ("XMD5", sums::Kind::Md5),
    ("XSHA", sums::Kind::Sha1),
    ("XSHA1", sums::Kind::Sha1),
    ("XSHA256", sums::Kind::Sha256),
    ("XSHA512", sums::Kind::Sha512),
];

/// Octets of a file that the slowest of servers reckons in a second: an old disk that others read as well.
const SLOWEST: u64 = 4 << 20;
/// How long a server is waited for at most, however long the file.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// How long a server may take to reckon a file of this length: it says nothing meanwhile.
fn patience(silence: Duration, length: Option<u64>) -> Duration {
    let reckoning = length.map_or(LONGEST, |length| Duration::from_millis(length.saturating_mul(1000) / SLOWEST));
    silence.saturating_add(reckoning.min(LONGEST))
}

/// How a server reckons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reckons {
    kind: sums::Kind,
    /// The command.
    verb: &'static str,
    /// The name that HASH has for it.
    chosen: Option<String>,
}

impl Reckons {
    /// The strongest that FEAT lists.
    pub fn of(features: &Reply) -> Option<Reckons> {
        let older = OLDER.iter().filter(|row| features.offers(row.0));
        let older = older.map(|(verb, kind)| Reckons { kind: *kind, verb, chosen: None });
        let hashes = features.feature("HASH").into_iter().flat_map(|words| words.split([';', ' ']));
        let hashes = hashes.filter_map(|name| {
            let name = name.trim_end_matches('*');
            let kind = sums::Kind::named(name.as_bytes())?;
            Some(Reckons { kind, verb: "HASH", chosen: Some(name.to_owned()) })
        });
        older.chain(hashes).max_by_key(|reckons| reckons.kind)
    }

    fn line(&self, name: &[u8]) -> String {
        // They take a place in the file, too: a name with a blank stands in quotation marks.
        if self.chosen.is_none() && name.contains(&b' ') && !name.contains(&b'"') {
            return line(self.verb, &[b"\"", name, b"\""].concat());
        }
        line(self.verb, name)
    }

    /// The sum in an answer: `213 SHA-256 0-49 6ae8… name`, `250 6AE8…`.
    fn sum(&self, reply: &Reply) -> Option<Sum> {
        let words = reply.value()?.split_ascii_whitespace();
        words.filter_map(|word| Sum::of(word.as_bytes())).find(|sum| sum.kind == self.kind)
    }
}

impl Visit<'_> {
    /// Asks for the sum of the file that the URL names.
    pub(super) async fn sum(mut self) -> Result<End, FetchError> {
        let ftp = self.ftp.clone();
        let said = |detail: String| FetchError::new(Kind::Said, detail);
        let (None, Some(name)) = (ftp.directory(), ftp.name.as_deref()) else {
            return Err(said("A directory has no checksum.".into()));
        };
        if !matches!(ftp.typecode, None | Some(Typecode::Image)) {
            return Err(said("A file that came as text has other octets there.".into()));
        }
        let Some(reckons) = self.session.reckons.clone() else {
            return Err(said("The server reckons no checksums.".into()));
        };
        self.descend(&ftp.cwd.iter().map(Vec::as_slice).collect::<Vec<_>>()).await?;
        if let Some(reply) = self.session.transfer_as(IMAGE).await? {
            return Err(said(format!("The server reads no files as octets: {}", reply.words())));
        }
        if let Some(kind) = &reckons.chosen {
            let reply = self.session.ask(&line("OPTS HASH", kind.as_bytes())).await?;
            if !reply.is_done() {
                return Err(said(format!("The server does not reckon {kind}: {}", reply.words())));
            }
        }
        let limit = patience(self.context.limits.silence, self.listed.map(|listed| listed.length));
        let reply = self.session.ask_within(&reckons.line(name), limit).await?;
        let Some(sum) = reckons.sum(&reply) else {
            return Err(said(format!("The server answers {} without a checksum: {}", reckons.verb, reply.words())));
        };
        let head = self.head(self.url.clone(), media::PLAIN.into());
        let mut relay = Relay::new(self.exchange, &head.media, &self.context.limits);
        if relay.head(head).await? == Verdict::Accept {
            relay.pass(sum.digits.into_bytes()).await?;
        }
        Ok(End::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_waited_for_by_the_length_of_the_file_and_not_for_ever() {
        let seconds = |length| patience(Duration::from_secs(30), length).as_secs();
        assert_eq!([0, SLOWEST, 700 << 20].map(|length| seconds(Some(length))), [30, 31, 205]);
        assert_eq!([Some(u64::MAX), None].map(seconds), [3630, 3630]);
    }
}

//! A file, from RETR to the server's word that it was all.

use super::data::Data;
use super::facts::Facts;
use super::{Visit, text};
use crate::format::guess;
use crate::proto::relay::{Relay, Room};
use crate::proto::{End, FetchError, Head, Verdict};

/// Read at once, and passed on at once.
const CHUNK: usize = 64 * 1024;

impl Visit<'_> {
    /// Streams a file. Its beginning is read before the head is said, since names do not say everything.
    pub(super) async fn file(
        mut self,
        name: &[u8],
        facts: Facts,
        start: u64,
        mut data: Data,
    ) -> Result<End, FetchError> {
        let mut buffer = vec![0; CHUNK];
        let mut read = data.read(&mut buffer).await;
        let head = self.file_head(name, &facts, start, &buffer[..read.as_ref().copied().unwrap_or_default()]);
        let mut relay = Relay::new(self.exchange, &head.media, &self.context.limits);
        if relay.head(head).await? == Verdict::Refuse {
            self.session.leave(data).await;
            return Ok(End::default());
        }
        let lost = loop {
            match read {
                Ok(0) => break None,
                Ok(count) => {
                    if relay.pass(buffer[..count].to_vec()).await? == Room::Full {
                        return Ok(End { cut: Some(relay.cut()) });
                    }
                }
                Err(lost) => break Some(lost),
            }
            read = data.read(&mut buffer).await;
        };
        let octets = start + relay.sent();
        let why = match lost {
            Some(lost) => Some(lost.remark(octets)),
            None => self.session.finish(data).await,
        };
        Ok(End { cut: verdict(octets, start, facts.length, why) })
    }

    /// A file that is there already, whole: nothing more has to be asked for.
    pub(super) async fn nothing_left(mut self, name: &[u8], facts: Facts, start: u64) -> Result<End, FetchError> {
        let head = self.file_head(name, &facts, start, &[]);
        self.exchange.head(head).await?;
        Ok(End::default())
    }

    fn file_head(&mut self, name: &[u8], facts: &Facts, start: u64, octets: &[u8]) -> Head {
        let name = text(name.rsplit(|octet| *octet == b'/').next().unwrap_or_default());
        let media = self.media.take().unwrap_or_else(|| guess::of_file(&name, octets));
        Head {
            length: facts.length,
            start,
            validator: facts.validator(),
            modified: facts.modified(),
            filename: (!matches!(name.as_str(), "" | "." | "..")).then_some(name),
            ..self.head(self.url.clone(), media)
        }
    }
}

/// Whether that was all: the length must be right, and the server must say so.
fn verdict(octets: u64, start: u64, length: Option<u64>, why: Option<String>) -> Option<String> {
    match length {
        Some(length) if octets < length => {
            let short = format!("{octets} of {length} octets came");
            Some(why.map_or(short.clone(), |why| format!("{short}: {why}")))
        }
        Some(length) if octets > length && start > 0 => {
            Some(format!("{octets} octets instead of {length}: the server did not go on at octet {start}"))
        }
        _ => why,
    }
}

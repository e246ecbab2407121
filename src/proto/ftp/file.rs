//! A file, from RETR to the server's word that it was all.

use super::session::Data;
use super::{Visit, text};
use crate::format::guess;
use crate::proto::net::Lost;
use crate::proto::relay::{Relay, Room};
use crate::proto::{End, FetchError, Head, Verdict};

/// Read at once, and passed on at once.
const CHUNK: usize = 64 * 1024;

impl Visit<'_> {
    /// Streams a file. Its beginning is read before the head is said, since names do not say everything.
    pub(super) async fn file(mut self, name: &[u8], length: Option<u64>, mut data: Data) -> Result<End, FetchError> {
        let mut buffer = vec![0; CHUNK];
        let mut read = data.read(&mut buffer).await;
        let start = &buffer[..read.as_ref().copied().unwrap_or_default()];
        let name = text(name.rsplit(|octet| *octet == b'/').next().unwrap_or_default());
        let media = self.media.take().unwrap_or_else(|| guess::of_file(&name, start));
        let filename = (!name.is_empty()).then_some(name);
        let head = Head { length, filename, ..self.head(self.url.clone(), media) };
        let mut relay = Relay::new(self.exchange, &head.media, &self.context.limits);
        if relay.head(head).await? == Verdict::Refuse {
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
        Ok(End { cut: verdict(relay.sent(), length, lost, data).await })
    }
}

/// Whether that was all: the length must be right, and the server must say so.
async fn verdict(octets: u64, length: Option<u64>, lost: Option<Lost>, data: Data) -> Option<String> {
    let why = match lost {
        Some(lost) => Some(lost.remark(octets)),
        None => data.finish().await,
    };
    match length {
        Some(length) if octets < length => {
            let short = format!("{octets} of {length} octets came");
            Some(why.map_or(short.clone(), |why| format!("{short}: {why}")))
        }
        _ => why,
    }
}

//! The body of an answer, without its content coding (RFC 9110, 8.4.1).
//!
//! Brotli is the library's. Deflate and gzip are undone here, since servers mean two things by the one and put the other on
//! bodies that are not compressed: such a body is passed on as it came, and the head says so.

use super::failure::{self, Why};
use super::head;
use crate::unpack::{Packing, Unpacker};
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use std::time::Duration;
use tokio::time::timeout;

/// Codings that are offered.
pub(super) const OFFERED: &str = "gzip,deflate,br";
/// Those of them that are undone here.
pub(super) const UNDONE: &str = "gzip,deflate";
/// Octets that tell whether a coding is what it is called.
const TELLING: usize = 6;

/// What a coding is that is undone here, by its name.
pub(super) fn packing(coding: &str) -> Option<Packing> {
    match coding.trim() {
        "gzip" | "x-gzip" => Some(Packing::Gzip),
        "deflate" => Some(Packing::Deflate),
        _ => None,
    }
}

/// A body that comes.
pub(super) struct Body {
    answer: Response,
    silence: Duration,
    unpacker: Option<(Unpacker, Packing)>,
    /// What came before it was known how it is coded.
    first: Vec<u8>,
    /// Nothing more comes.
    ended: bool,
    /// What is to be said of the coding.
    pub remark: Option<String>,
}

impl Body {
    /// A body whose coding is looked into; where that fails, what came is still passed on.
    pub(super) async fn begin(mut answer: Response, silence: Duration, media: Option<&str>) -> Result<Body, Why> {
        let packing = coding(answer.headers(), media);
        let (mut first, mut ended) = (Vec::new(), false);
        while packing.is_some() && first.len() < TELLING && !ended {
            match chunk(&mut answer, silence).await? {
                Some(octets) => first.extend_from_slice(&octets),
                None => ended = true,
            }
        }
        let is_so = |packing: &Packing| match packing {
            Packing::Gzip => Packing::of(&first) == Some(Packing::Gzip),
            other => {
                let mut trial = Unpacker::new(*other);
                trial.feed(&first);
                trial.step().is_ok()
            }
        };
        let remark = packing.filter(|packing| !first.is_empty() && !is_so(packing));
        let remark =
            remark.map(|packing| format!("the body is not {}, although that is its content-encoding", packing.name()));
        let unpacker = packing.filter(|_| remark.is_none() && !first.is_empty());
        let mut unpacker = unpacker.map(|packing| (Unpacker::new(packing), packing));
        if let Some((unpacker, _)) = &mut unpacker {
            unpacker.feed(&std::mem::take(&mut first));
            if ended {
                unpacker.end();
            }
        }
        Ok(Body { answer, silence, unpacker, first, ended, remark })
    }

    /// The head of the answer.
    pub(super) fn answer(&self) -> &Response {
        &self.answer
    }

    /// The next octets; `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<u8>>, Why> {
        loop {
            if !self.first.is_empty() {
                return Ok(Some(std::mem::take(&mut self.first)));
            }
            if let Some((unpacker, packing)) = &mut self.unpacker {
                let broken = || Why::Coding(format!("what came is no {}", packing.name()));
                let octets = unpacker.step().map_err(|_| broken())?;
                if !octets.is_empty() {
                    return Ok(Some(octets));
                }
                if self.ended && !unpacker.is_whole() {
                    return Err(Why::Coding(format!("the end of the {} is missing", packing.name())));
                }
            }
            if self.ended {
                return Ok(None);
            }
            match (chunk(&mut self.answer, self.silence).await?, &mut self.unpacker) {
                (Some(octets), Some((unpacker, _))) => unpacker.feed(&octets),
                (Some(octets), None) => return Ok(Some(octets)),
                (None, unpacker) => {
                    self.ended = true;
                    unpacker.iter_mut().for_each(|(unpacker, _)| unpacker.end());
                }
            }
        }
    }
}

/// How a body is packed that is to be unpacked.
fn coding(headers: &HeaderMap, media: Option<&str>) -> Option<Packing> {
    let coding = headers.get(CONTENT_ENCODING).map(|value| head::text(value.as_bytes()).to_ascii_lowercase());
    match coding.as_deref().and_then(packing) {
        // A file that is compressed itself is meant: servers of old called that its coding, too.
        Some(Packing::Gzip) if media.is_some_and(|media| media.contains("gzip")) => None,
        packing => packing,
    }
}

/// Whether what comes under these headers is not the file itself but unpacked first: of a part of it nothing can be made.
pub(super) fn is_packed(headers: &HeaderMap, media: Option<&str>) -> bool {
    coding(headers, media).is_some()
}

async fn chunk(answer: &mut Response, silence: Duration) -> Result<Option<Vec<u8>>, Why> {
    match timeout(silence, answer.chunk()).await {
        Ok(Ok(octets)) => Ok(octets.map(|octets| octets.to_vec())),
        Ok(Err(error)) => Err(match failure::words(&error) {
            // The library's word for what is none.
            words if words.starts_with("brotli") => Why::Coding("what came is no brotli".into()),
            words => Why::Broken(words),
        }),
        Err(_) => Err(Why::Silence(silence)),
    }
}

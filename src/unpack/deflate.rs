//! Deflate (RFC 1951), bare, in zlib's (RFC 1950) and in gzip's (RFC 1952) wrapping.

use super::{Broken, STEP, Steps, Tail};
use flate2::{Crc, Decompress, FlushDecompress, Status};

/// One deflate stream.
struct Stream(Decompress);

impl Stream {
    /// Unpacks; says how much was taken and whether the stream ended.
    fn step(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(usize, bool), Broken> {
        out.reserve(STEP);
        let before = self.0.total_in();
        let status = self.0.decompress_vec(input, out, FlushDecompress::None).map_err(|_| Broken)?;
        let taken = usize::try_from(self.0.total_in() - before).unwrap_or(input.len());
        Ok((taken, status == Status::StreamEnd))
    }
}

/// What servers call deflate: in zlib's wrapping, or bare.
#[derive(Default)]
pub(super) struct Deflate {
    stream: Option<Stream>,
    ended: bool,
}

impl Steps for Deflate {
    fn step(&mut self, input: &[u8], _: Tail, out: &mut Vec<u8>) -> Result<usize, Broken> {
        if self.ended || input.len() < 2 && self.stream.is_none() {
            return Ok(0);
        }
        let stream = self.stream.get_or_insert_with(|| {
            // RFC 1950, 2.2: deflate with a window of at most 32 KiB, and a check of both octets.
            let wrapped = input[0] & 0x8F == 8 && u16::from_be_bytes([input[0], input[1]]).is_multiple_of(31);
            Stream(Decompress::new(wrapped))
        });
        let (taken, ended) = stream.step(input, out)?;
        self.ended = ended;
        Ok(taken)
    }

    fn is_whole(&self) -> bool {
        self.ended
    }

    fn memory(&self) -> usize {
        64 * 1024
    }
}

/// gzip.
#[derive(Default)]
pub(super) struct Gzip {
    stage: Stage,
    members: usize,
}

#[derive(Default)]
enum Stage {
    /// A header follows, or what stands behind the last member.
    #[default]
    Header,
    Body(Box<(Stream, Crc)>),
    Trailer(Crc),
    /// What follows is no member: padding, which is left out.
    Over,
}

impl Steps for Gzip {
    fn step(&mut self, input: &[u8], tail: Tail, out: &mut Vec<u8>) -> Result<usize, Broken> {
        match &mut self.stage {
            Stage::Header => match header(input) {
                Some(Ok(len)) => {
                    self.stage = Stage::Body(Box::new((Stream(Decompress::new(false)), Crc::new())));
                    Ok(len)
                }
                Some(Err(Broken)) if self.members > 0 => {
                    self.stage = Stage::Over;
                    Ok(input.len())
                }
                Some(Err(Broken)) => Err(Broken),
                None if tail == Tail::Last && self.members == 0 && !input.is_empty() => Err(Broken),
                None => Ok(0),
            },
            Stage::Body(body) => {
                let before = out.len();
                let (taken, ended) = body.0.step(input, out)?;
                body.1.update(&out[before..]);
                if ended && let Stage::Body(body) = std::mem::take(&mut self.stage) {
                    self.stage = Stage::Trailer(body.1);
                }
                Ok(taken)
            }
            Stage::Trailer(crc) => {
                let Some(trailer) = input.first_chunk::<8>() else { return Ok(0) };
                let [a, b, c, d, ..] = *trailer;
                let right = u32::from_le_bytes([a, b, c, d]) == crc.sum();
                (self.stage, self.members) = (Stage::Header, self.members + 1);
                if right { Ok(8) } else { Err(Broken) }
            }
            Stage::Over => Ok(input.len()),
        }
    }

    fn is_whole(&self) -> bool {
        matches!(self.stage, Stage::Header | Stage::Over)
    }

    fn memory(&self) -> usize {
        64 * 1024
    }
}

/// The length of a header (RFC 1952, 2.3); `None` while it is not all there.
fn header(input: &[u8]) -> Option<Result<usize, Broken>> {
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    const CRC: u8 = 2;
    /// The longest that is waited for.
    const LONGEST: usize = 256 * 1024;
    let known = input.len().min(3);
    if input[..known] != b"\x1F\x8B\x08"[..known] {
        return Some(Err(Broken));
    }
    let length = || {
        let flags = *input.get(3)?;
        let mut at = 10;
        if flags & EXTRA != 0 {
            at += 2 + usize::from(u16::from_le_bytes([*input.get(at)?, *input.get(at + 1)?]));
        }
        for text in [NAME, COMMENT] {
            if flags & text != 0 {
                at += memchr::memchr(0, input.get(at..)?)? + 1;
            }
        }
        if flags & CRC != 0 {
            at += 2;
        }
        (input.len() >= at).then_some(at)
    };
    match length() {
        Some(length) => Some(Ok(length)),
        None => (input.len() > LONGEST).then_some(Err(Broken)),
    }
}

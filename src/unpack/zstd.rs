//! zstd (RFC 8878), by a library that is given whole blocks, one at a time.

use super::{Broken, Steps, TOO_LARGE, Tail};
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::Read;

/// The largest window, in octets: that of `zstd -19` and twice more.
const WINDOW: u64 = 32 << 20;
/// The largest block (RFC 8878, 3.1.1.2.4).
const BLOCK: usize = 128 * 1024;

/// Unpacks.
pub(super) struct Zstd {
    decoder: FrameDecoder,
    /// Within a frame; whether a checksum ends it.
    frame: Option<bool>,
    /// Octets of a frame to be skipped.
    skip: usize,
    /// Its window is larger than that.
    large: bool,
}

impl Default for Zstd {
    fn default() -> Zstd {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        Zstd { decoder, frame: None, skip: 0, large: false }
    }
}

impl Steps for Zstd {
    fn step(&mut self, input: &[u8], _: Tail, out: &mut Vec<u8>) -> Result<usize, Broken> {
        if self.skip > 0 {
            let skipped = self.skip.min(input.len());
            self.skip -= skipped;
            return Ok(skipped);
        }
        let Some(checked) = self.frame else { return self.begin(input) };
        let Some([a, b, c]) = input.first_chunk::<3>() else { return Ok(0) };
        let block = u32::from_le_bytes([*a, *b, *c, 0]);
        let (last, kind) = (block & 1 == 1, (block >> 1) & 3);
        let size = if kind == 1 { 1 } else { (block >> 3) as usize };
        if size > BLOCK || kind == 3 {
            return Err(Broken);
        }
        let length = 3 + size + if last && checked { 4 } else { 0 };
        let Some(mut octets) = input.get(..length) else { return Ok(0) };
        self.decoder.decode_blocks(&mut octets, BlockDecodingStrategy::UptoBlocks(1)).map_err(|_| Broken)?;
        let ready = self.decoder.can_collect();
        out.reserve(ready);
        self.decoder.by_ref().take(ready as u64).read_to_end(out).map_err(|_| Broken)?;
        if last {
            self.frame = None;
        }
        Ok(length)
    }

    fn is_whole(&self) -> bool {
        self.frame.is_none() && self.skip == 0
    }

    fn refusal(&self) -> Option<&'static str> {
        self.large.then_some(TOO_LARGE)
    }

    fn memory(&self) -> usize {
        1 << 20
    }
}

impl Zstd {
    /// Reads the head of a frame (RFC 8878, 3.1.1.1), once it is all there.
    fn begin(&mut self, input: &[u8]) -> Result<usize, Broken> {
        let Some((magic, rest)) = input.split_first_chunk::<4>() else { return Ok(0) };
        let magic = u32::from_le_bytes(*magic);
        if magic & 0xFFFF_FFF0 == 0x184D_2A50 {
            let Some(length) = rest.first_chunk::<4>() else { return Ok(0) };
            self.skip = u32::from_le_bytes(*length) as usize;
            return Ok(8);
        }
        let Some(descriptor) = rest.first() else { return Ok(0) };
        let single = descriptor & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let content = [usize::from(single), 2, 4, 8][usize::from(descriptor >> 6)];
        let length = 5 + usize::from(!single) + dictionary + content;
        let Some(mut head) = input.get(..length) else { return Ok(0) };
        self.decoder.reset(&mut head).map_err(|error| {
            self.large = matches!(error, FrameDecoderError::WindowSizeTooBig { .. });
            Broken
        })?;
        self.frame = Some(descriptor & 4 != 0);
        Ok(length)
    }
}

//! xz, by a library that is fed piece by piece.

use super::{Broken, STEP, Steps, TOO_LARGE, Tail};
use xz4rust::{XzDecoder, XzError, XzNextBlockResult};

/// The largest dictionary, in octets: that of `xz -9`.
const DICTIONARY: usize = 64 << 20;

/// Streams that one file may have, whatever is in them. Each one begins with tables that are set anew, which costs as much as
/// unpacking some kilobytes, and an empty one has 32 octets.
const STREAMS: u64 = 2000;
/// Octets that have come out for each stream beyond those.
const EACH: u64 = 4096;

/// Unpacks.
pub(super) struct Xz {
    decoder: Box<XzDecoder<'static>>,
    whole: bool,
    streams: u64,
    given: u64,
    /// Why it is not unpacked, where it is not broken.
    refusal: Option<&'static str>,
}

impl Default for Xz {
    fn default() -> Xz {
        let decoder = XzDecoder::in_heap_with_alloc_dict_size(0, DICTIONARY);
        Xz { decoder, whole: false, streams: 0, given: 0, refusal: None }
    }
}

impl Steps for Xz {
    fn step(&mut self, input: &[u8], tail: Tail, out: &mut Vec<u8>) -> Result<usize, Broken> {
        if self.whole {
            // Zeros may stand between streams; a step that took none of them and began nothing would say that it needs more.
            let zeros = input.iter().take_while(|octet| **octet == 0).count();
            if zeros > 0 || input.is_empty() {
                return Ok(zeros);
            }
            self.streams += 1;
            if self.streams > STREAMS + self.given / EACH {
                self.refusal = Some("begins anew too often for so little in it");
                return Err(Broken);
            }
            self.decoder.reset();
            self.whole = false;
        }
        if input.is_empty() && tail == Tail::More {
            return Ok(0);
        }
        let begins = out.len();
        out.resize(begins + STEP, 0);
        let result = self.decoder.decode(input, &mut out[begins..]);
        let (taken, given) = match &result {
            Ok(XzNextBlockResult::NeedMoreData(taken, given)) => (*taken, *given),
            Ok(XzNextBlockResult::EndOfStream(taken, given)) => {
                self.whole = true;
                (*taken, *given)
            }
            Err(XzError::NeedsLargerInputBuffer) => (0, 0),
            Err(error) => {
                // 40 stands for 4 GiB, which the library does not count.
                let large = matches!(error, XzError::DictionaryTooLarge(_) | XzError::UnsupportedLzmaProperties(40));
                self.refusal = large.then_some(TOO_LARGE);
                out.truncate(begins);
                return Err(Broken);
            }
        };
        out.truncate(begins + given);
        self.given += given as u64;
        Ok(taken)
    }

    fn is_whole(&self) -> bool {
        self.whole
    }

    fn refusal(&self) -> Option<&'static str> {
        self.refusal
    }

    fn memory(&self) -> usize {
        1 << 20
    }
}

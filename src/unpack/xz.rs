//! xz, by a library that is fed piece by piece.

use super::{Broken, STEP, Steps, Tail};
use xz4rust::{XzDecoder, XzError, XzNextBlockResult};

/// The largest dictionary, in octets: that of `xz -9`.
const DICTIONARY: usize = 64 << 20;

/// Unpacks.
pub(super) struct Xz {
    decoder: Box<XzDecoder<'static>>,
    whole: bool,
    /// Its dictionary is larger than that.
    large: bool,
}

impl Default for Xz {
    fn default() -> Xz {
        Xz { decoder: XzDecoder::in_heap_with_alloc_dict_size(0, DICTIONARY), whole: false, large: false }
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
                self.large = matches!(error, XzError::DictionaryTooLarge(_) | XzError::UnsupportedLzmaProperties(40));
                out.truncate(begins);
                return Err(Broken);
            }
        };
        out.truncate(begins + given);
        Ok(taken)
    }

    fn is_whole(&self) -> bool {
        self.whole
    }

    fn asks_too_much(&self) -> bool {
        self.large
    }

    fn memory(&self) -> usize {
        1 << 20
    }
}

//! MD5 (RFC 1321), for servers whose logins know nothing better, and for files beside which nothing better stands. It tells damage,
//! and proves nothing any more.

/// The whole parts of 2³² × |sin n|.
const SINES: [u32; 64] = [
    0xd76a_a478,
    0xe8c7_b756,
    0x2420_70db,
    0xc1bd_ceee,
    0xf57c_0faf,
    0x4787_c62a,
    0xa830_4613,
    0xfd46_9501,
    0x6980_98d8,
    0x8b44_f7af,
    0xffff_5bb1,
    0x895c_d7be,
    0x6b90_1122,
    0xfd98_7193,
    0xa679_438e,
    0x49b4_0821,
    0xf61e_2562,
    0xc040_b340,
    0x265e_5a51,
    0xe9b6_c7aa,
    0xd62f_105d,
    0x0244_1453,
    0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6,
    0xc337_07d6,
    0xf4d5_0d87,
    0x455a_14ed,
    0xa9e3_e905,
    0xfcef_a3f8,
    0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942,
    0x8771_f681,
    0x6d9d_6122,
    0xfde5_380c,
    0xa4be_ea44,
    0x4bde_cfa9,
    0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6,
    0xeaa1_27fa,
    0xd4ef_3085,
    0x0488_1d05,
    0xd9d4_d039,
    0xe6db_99e5,
    0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244,
    0x432a_ff97,
    0xab94_23a7,
    0xfc93_a039,
    0x655b_59c3,
    0x8f0c_cc92,
    0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f,
    0xfe2c_e6e0,
    0xa301_4314,
    0x4e08_11a1,
    0xf753_7e82,
    0xbd3a_f235,
    0x2ad7_d2bb,
    0xeb86_d391,
];
/// How far each round turns, by its step.
const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// Octets on their way to their digest.
#[derive(Debug, Clone)]
pub(super) struct Md5 {
    state: [u32; 4],
    /// Octets so far.
    length: u64,
    /// Those that make no whole block yet.
    rest: Vec<u8>,
}

impl Md5 {
    pub(super) fn new() -> Md5 {
        Md5 { state: [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476], length: 0, rest: Vec::new() }
    }

    pub(super) fn take(&mut self, mut octets: &[u8]) {
        self.length = self.length.wrapping_add(octets.len() as u64);
        if !self.rest.is_empty() {
            let (first, others) = octets.split_at(octets.len().min(64 - self.rest.len()));
            self.rest.extend_from_slice(first);
            octets = others;
            if self.rest.len() == 64 {
                self.state = block(self.state, &self.rest);
                self.rest.clear();
            }
        }
        let mut blocks = octets.chunks_exact(64);
        for octets in &mut blocks {
            self.state = block(self.state, octets);
        }
        self.rest.extend_from_slice(blocks.remainder());
    }

    pub(super) fn digest(mut self) -> [u8; 16] {
        let bits = self.length.wrapping_mul(8);
        self.take(&[0x80]);
        while self.rest.len() != 56 {
            self.take(&[0]);
        }
        self.take(&bits.to_le_bytes());
        let mut out = [0; 16];
        for (place, word) in out.chunks_exact_mut(4).zip(self.state) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        out
    }
}

fn block(state: [u32; 4], octets: &[u8]) -> [u32; 4] {
    let mut words = [0; 16];
    for (word, octets) in words.iter_mut().zip(octets.chunks_exact(4)) {
        *word = octets.iter().rev().fold(0, |word: u32, octet| word << 8 | u32::from(*octet));
    }
    mixed(state, &words)
}

fn mixed(state: [u32; 4], words: &[u32; 16]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = state;
    for (step, sine) in SINES.iter().enumerate() {
        let (mixed, word) = match step / 16 {
            0 => (b & c | !b & d, step),
            1 => (d & b | !d & c, 5 * step + 1),
            2 => (b ^ c ^ d, 3 * step + 5),
            _ => (c ^ (b | !d), 7 * step),
        };
        let sum = a.wrapping_add(mixed).wrapping_add(*sine).wrapping_add(words[word % 16]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(TURNS[step / 16][step % 4])));
    }
    let [e, f, g, h] = state;
    [a.wrapping_add(e), b.wrapping_add(f), c.wrapping_add(g), d.wrapping_add(h)]
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_examples_of_the_standard() {
        let hex = |text: &str| {
            let mut md5 = super::Md5::new();
            // in pieces of odd lengths
            text.as_bytes().chunks(37).for_each(|piece| md5.take(piece));
            md5.digest().iter().map(|b| format!("{b:02x}")).collect::<String>()
        };
        assert_eq!(hex(""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
        assert_eq!(hex(&"1234567890".repeat(8)), "57edf4a22be3c955ac49da2e2107b67a");
        // On both sides of where the length goes into another block.
        assert_eq!(hex(&"a".repeat(55)), "ef1772b6dff9a122358552954ad0df65");
        assert_eq!(hex(&"a".repeat(56)), "3b0c8ac703f828b04c6c197006d17218");
        assert_eq!(hex(&"a".repeat(64)), "014842d480b571495a4a0363793f7367");
    }
}

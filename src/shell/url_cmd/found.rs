//! `url find`: the URLs in a text, paragraph by paragraph, so that a text of any size takes little memory.

use super::answer::visible;
use super::json::{Object, push_text};
use super::talk::Talk;
use crate::url::find::{Found, find};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

/// A paragraph that has become this long is searched as it is; only a URL wrapped across its end is missed.
const LONG_PARAGRAPH: usize = 4 << 20;

pub(super) fn search<I: Read, O: Write, E: Write>(
    talk: &mut Talk<I, O, E>,
    json: bool,
    file: Option<&str>,
) -> io::Result<u8> {
    match file {
        None | Some("-") => find_in(&mut talk.stdin, &mut talk.stdout, json)?,
        Some(name) => match File::open(name) {
            Ok(file) => find_in(&mut BufReader::new(file), &mut talk.stdout, json)?,
            Err(error) => return talk.complain(&format!("error: {}: {error}", visible(name)), 1),
        },
    }
    talk.status()
}

fn find_in(text: &mut dyn BufRead, stdout: &mut dyn Write, json: bool) -> io::Result<()> {
    let mut paragraph = Vec::new();
    let mut offset = 0;
    loop {
        let begins = paragraph.len();
        let more = text.read_until(b'\n', &mut paragraph)? > 0;
        let blank = paragraph[begins..].iter().all(u8::is_ascii_whitespace);
        if !more || blank || paragraph.len() > LONG_PARAGRAPH {
            for found in find(&String::from_utf8_lossy(&paragraph)) {
                print_found(stdout, &found, offset, json)?;
            }
            offset += paragraph.len();
            paragraph.clear();
        }
        if !more {
            return Ok(());
        }
    }
}

fn print_found(stdout: &mut dyn Write, found: &Found, offset: usize, json: bool) -> io::Result<()> {
    if json {
        let mut out = Object::new();
        out.text("url", &found.url);
        out.raw("sure", if found.sure { "true" } else { "false" });
        out.list("alternatives", Some(found.alternatives.iter()), |out, other| push_text(out, other));
        out.raw("range", &format!("[{},{}]", found.range.start + offset, found.range.end + offset));
        writeln!(stdout, "{}", out.done())
    } else if found.sure {
        writeln!(stdout, "{}", visible(&found.url))
    } else {
        Ok(())
    }
}

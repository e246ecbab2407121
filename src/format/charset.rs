//! Octets → text: which charset, and streaming decoding.
//!
//! The order: a byte order mark, then the reader's choice or the declared charset, then UTF-8 if that is what it is, then
//! CP437 where box drawing dominates, else Windows-1252.
//!
//! The guess is the same however the octets are cut into chunks, and does not hold up the first paint: ASCII passes
//! straight through. From the first other octet on, octets are kept until that line ends: if they are valid UTF-8, it is
//! UTF-8. If not, up to 4096 of them (or all there are) are kept and the drawing octets counted. Octets that turn
//! out later not to be UTF-8 are read as Windows-1252, one by one, and a note says so.

use super::codepage::{self, CP437, CP850, CodePage};
use super::utf7::Utf7;
use encoding_rs::{CoderResult, Decoder as WebDecoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memchr;
use std::borrow::Cow;

/// How many octets, from the first that is not ASCII, a guess may look at.
const WINDOW: usize = 4096;

/// A charset that can be read.
#[derive(Debug, Clone, Copy)]
pub enum Charset {
    /// UTF-8, with stray octets read as Windows-1252.
    Utf8,
    /// A code page of our own.
    Page(&'static str, &'static CodePage),
    /// One of the web's encodings.
    Web(&'static Encoding),
    /// UTF-7, which only messages may declare.
    Utf7,
}

/// A row of the charset menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The name, as [`known`] takes it.
    pub name: &'static str,
    /// What it is for, in the reader's words.
    pub label: &'static str,
}

/// Declares the charset menu from rows of `"name" "label"`.
macro_rules! choices {
    ($($name:literal $label:literal),+ $(,)?) => { &[$(Choice { name: $name, label: $label }),+] };
}

/// The charsets that the reader may choose from.
pub fn charsets() -> &'static [Choice] {
    choices! {
        "utf-8" "Unicode",
        "windows-1252" "Western European",
        "cp437" "PC (box drawing)",
        "cp850" "PC, Western European",
        "iso-8859-15" "Western European with euro",
        "macintosh" "Old Macintosh",
        "windows-1250" "Central European",
        "iso-8859-2" "Central European (ISO)",
        "windows-1251" "Cyrillic",
        "koi8-r" "Russian",
        "koi8-u" "Ukrainian",
        "ibm866" "PC, Cyrillic",
        "iso-8859-5" "Cyrillic (ISO)",
        "windows-1253" "Greek",
        "iso-8859-7" "Greek (ISO)",
        "windows-1254" "Turkish",
        "windows-1255" "Hebrew",
        "windows-1256" "Arabic",
        "windows-1257" "Baltic",
        "windows-1258" "Vietnamese",
        "windows-874" "Thai",
        "shift_jis" "Japanese (Shift JIS)",
        "euc-jp" "Japanese (EUC)",
        "iso-2022-jp" "Japanese (7 bit)",
        "gb18030" "Chinese, simplified",
        "big5" "Chinese, traditional",
        "euc-kr" "Korean",
        "utf-16le" "Unicode, 16 bit, little end first",
        "utf-16be" "Unicode, 16 bit, big end first",
    }
}

/// The charset of a name as declared or chosen; `None` for names nobody knows and for plain ASCII, which says nothing
/// about the octets that matter.
pub fn known(name: &str) -> Option<Charset> {
    let name = name.trim().trim_matches('"').to_ascii_lowercase();
    match name.as_str() {
        "ascii" | "us-ascii" => None,
        "cp437" | "ibm437" | "437" | "cspc8codepage437" => Some(Charset::Page("cp437", &CP437)),
        "cp850" | "ibm850" | "850" | "cspc850multilingual" => Some(Charset::Page("cp850", &CP850)),
        _ => match Encoding::for_label_no_replacement(name.as_bytes())? {
            web if web == UTF_8 => Some(Charset::Utf8),
            web => Some(Charset::Web(web)),
        },
    }
}

/// The charset of a name as a message declares it: [`known`], and UTF-7 (RFC 2152), in which mail was written for a while.
pub fn in_mail(name: &str) -> Option<Charset> {
    const UTF7: &[&str] =
        &["utf-7", "utf7", "unicode-1-1-utf-7", "unicode-2-0-utf-7", "x-unicode-2-0-utf-7", "csunicode11utf7"];
    let is = |known: &&str| name.trim().trim_matches('"').eq_ignore_ascii_case(known);
    if UTF7.iter().any(is) { Some(Charset::Utf7) } else { known(name) }
}

impl Charset {
    /// Its name, lower case.
    pub fn name(self) -> String {
        match self {
            Charset::Utf8 => "utf-8".into(),
            Charset::Page(name, _) => name.into(),
            Charset::Web(web) => web.name().to_ascii_lowercase(),
            Charset::Utf7 => "utf-7".into(),
        }
    }

    /// Decodes a whole piece. For UTF-8, text is owned exactly when stray octets were met.
    pub fn decode(self, octets: &[u8]) -> Cow<'_, str> {
        if let Charset::Utf8 = self
            && let Ok(text) = std::str::from_utf8(octets)
        {
            return Cow::Borrowed(text);
        }
        match self {
            Charset::Utf8 => {
                let mut out = String::with_capacity(octets.len() + 16);
                utf8_into(octets, Tail::Last, &mut out);
                Cow::Owned(out)
            }
            Charset::Page(_, page) => {
                let mut out = String::with_capacity(octets.len() + 16);
                codepage::decode_into(page, octets, &mut out);
                Cow::Owned(out)
            }
            Charset::Web(web) => web.decode_without_bom_handling(octets).0,
            Charset::Utf7 => {
                let (mut utf7, mut out) = (Utf7::default(), String::with_capacity(octets.len()));
                utf7.feed(octets, &mut out);
                utf7.finish(&mut out);
                Cow::Owned(out)
            }
        }
    }
}

/// Whether more octets may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// They may.
    More,
    /// These are the last.
    Last,
}

/// The charset of octets from the first that is not ASCII on; `None` while more must be seen.
pub(super) fn guess(window: &[u8], tail: Tail) -> Option<Charset> {
    let seen = &window[..window.len().min(WINDOW)];
    let line = memchr(b'\n', seen).map(|end| &seen[..end]);
    let whole = seen.len() == WINDOW || tail == Tail::Last;
    if line.is_none() && !whole {
        return None;
    }
    match std::str::from_utf8(line.unwrap_or(seen)) {
        Ok(_) => return Some(Charset::Utf8),
        // Cut within a character by the window itself, not by the line's end.
        Err(e) if e.error_len().is_none() && e.valid_up_to() > 0 && line.is_none() => return Some(Charset::Utf8),
        Err(_) => {}
    }
    whole.then(|| {
        let high = seen.iter().filter(|b| !b.is_ascii()).count();
        // Capitals with accents have the same octets, but seldom stand side by side.
        let drawn = seen.windows(2).filter(|w| codepage::draws(w[0]) && codepage::draws(w[1])).count();
        if drawn * 2 > high { Charset::Page("cp437", &CP437) } else { Charset::Web(WINDOWS_1252) }
    })
}

/// What the reader should know of how the text was read.
pub(super) fn notes(guessed: Option<Charset>, strays: bool, unknown: Option<&str>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(name) = unknown {
        notes.push(format!("unknown charset \"{}\"", crate::doc::sanitise(name)));
    }
    match guessed {
        None | Some(Charset::Utf8) => {}
        Some(charset) => notes.push(format!("charset guessed: {}", charset.name())),
    }
    if strays {
        notes.push("some octets are not utf-8; they were read as windows-1252".into());
    }
    notes
}

/// The charset that a name asks for, or the name itself when nobody knows it.
pub(super) fn chosen(name: Option<&str>) -> (Option<Charset>, Option<String>) {
    chosen_of(name, known)
}

fn chosen_of(name: Option<&str>, known: fn(&str) -> Option<Charset>) -> (Option<Charset>, Option<String>) {
    let charset = name.and_then(known);
    let silent = |n: &&str| n.trim().is_empty() || n.trim().to_ascii_lowercase().ends_with("ascii");
    (charset, name.filter(|n| charset.is_none() && !silent(n)).map(Into::into))
}

/// Decodes UTF-8, stray octets as Windows-1252; returns how many octets were taken and whether there were strays.
fn utf8_into(octets: &[u8], tail: Tail, out: &mut String) -> (usize, bool) {
    let mut taken = 0;
    let mut strays = false;
    while taken < octets.len() {
        let (valid, bad) = match std::str::from_utf8(&octets[taken..]) {
            Ok(text) => (text, 0),
            Err(e) => {
                let good = &octets[taken..taken + e.valid_up_to()];
                let bad = e.error_len().or((tail == Tail::Last).then_some(octets.len() - taken - good.len()));
                // The good part was just found good, so nothing is lost here.
                let Some(bad) = bad else {
                    out.push_str(std::str::from_utf8(good).unwrap_or_default());
                    return (taken + good.len(), strays);
                };
                (std::str::from_utf8(good).unwrap_or_default(), bad)
            }
        };
        out.push_str(valid);
        taken += valid.len();
        strays |= bad > 0;
        out.push_str(&WINDOWS_1252.decode_without_bom_handling(&octets[taken..taken + bad]).0);
        taken += bad;
    }
    (taken, strays)
}

/// How a [`Decoder`] reads just now.
enum Stage {
    /// The first octets: a byte order mark?
    Start,
    /// Nothing but ASCII so far, and no charset given.
    Ascii,
    /// The octets held decide the charset.
    Judging,
    Utf8,
    Page(&'static CodePage),
    Web(Box<WebDecoder>),
    Utf7(Utf7),
}

/// Decodes a stream of octets.
pub struct Decoder {
    stage: Stage,
    chosen: Option<Charset>,
    unknown: Option<String>,
    guessed: Option<Charset>,
    strays: bool,
    /// Octets that cannot be decoded yet.
    held: Vec<u8>,
}

impl Decoder {
    /// A decoder for the charset that the reader chose or the protocol declared, if any.
    pub fn new(charset: Option<&str>) -> Decoder {
        Decoder::by(chosen(charset))
    }

    /// The same for what a message declares, see [`in_mail`].
    pub(super) fn in_mail(charset: Option<&str>) -> Decoder {
        Decoder::by(chosen_of(charset, in_mail))
    }

    fn by((chosen, unknown): (Option<Charset>, Option<String>)) -> Decoder {
        Decoder { stage: Stage::Start, chosen, unknown, guessed: None, strays: false, held: Vec::new() }
    }

    /// Decodes the next octets, appending to `out`.
    pub fn feed(&mut self, octets: &[u8], out: &mut String) {
        self.take(octets, Tail::More, out);
    }

    /// Decodes what was held.
    pub fn finish(&mut self, out: &mut String) {
        self.take(&[], Tail::Last, out);
    }

    /// What the reader should know of the charset; complete after the end.
    pub fn notes(&self) -> Vec<String> {
        notes(self.guessed, self.strays, self.unknown.as_deref())
    }

    fn take(&mut self, octets: &[u8], tail: Tail, out: &mut String) {
        if self.held.is_empty() {
            return self.step(octets, tail, out);
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(octets);
        self.step(&all, tail, out);
    }

    fn step(&mut self, octets: &[u8], tail: Tail, out: &mut String) {
        match &mut self.stage {
            Stage::Start => self.start(octets, tail, out),
            Stage::Ascii => {
                let ascii = Encoding::ascii_valid_up_to(octets);
                out.push_str(std::str::from_utf8(&octets[..ascii]).unwrap_or_default());
                if ascii < octets.len() {
                    self.stage = Stage::Judging;
                    self.step(&octets[ascii..], tail, out);
                }
            }
            Stage::Judging => match guess(octets, tail) {
                None => self.held = octets.to_vec(),
                Some(charset) => {
                    self.guessed = Some(charset);
                    self.stage = stage(charset);
                    self.step(octets, tail, out);
                }
            },
            Stage::Utf8 => {
                let (taken, strays) = utf8_into(octets, tail, out);
                self.strays |= strays;
                self.held = octets[taken..].to_vec();
            }
            Stage::Page(page) => codepage::decode_into(page, octets, out),
            Stage::Web(decoder) => web_into(decoder, octets, tail, out),
            Stage::Utf7(utf7) => {
                utf7.feed(octets, out);
                if tail == Tail::Last {
                    utf7.finish(out);
                }
            }
        }
    }

    /// The byte order mark wins over everything said; half of one is waited for.
    fn start(&mut self, octets: &[u8], tail: Tail, out: &mut String) {
        const MARKS: [(&[u8], &Encoding); 3] =
            [(&[0xEF, 0xBB, 0xBF], UTF_8), (&[0xFF, 0xFE], UTF_16LE), (&[0xFE, 0xFF], UTF_16BE)];
        if octets.is_empty() {
            return;
        }
        if let Some((mark, web)) = MARKS.iter().find(|(mark, _)| octets.starts_with(mark)) {
            self.stage = if *web == UTF_8 { Stage::Utf8 } else { stage(Charset::Web(web)) };
            return self.step(&octets[mark.len()..], tail, out);
        }
        if tail == Tail::More && MARKS.iter().any(|(mark, _)| mark.starts_with(octets)) {
            self.held = octets.to_vec();
            return;
        }
        self.stage = self.chosen.map_or(Stage::Ascii, stage);
        self.step(octets, tail, out);
    }
}

fn stage(charset: Charset) -> Stage {
    match charset {
        Charset::Utf8 => Stage::Utf8,
        Charset::Page(_, page) => Stage::Page(page),
        Charset::Web(web) => Stage::Web(Box::new(web.new_decoder_without_bom_handling())),
        Charset::Utf7 => Stage::Utf7(Utf7::default()),
    }
}

fn web_into(decoder: &mut WebDecoder, mut octets: &[u8], tail: Tail, out: &mut String) {
    loop {
        out.reserve(decoder.max_utf8_buffer_length(octets.len()).unwrap_or(octets.len() * 3 + 16));
        let (result, read, _) = decoder.decode_to_string(octets, out, tail == Tail::Last);
        octets = &octets[read..];
        if result == CoderResult::InputEmpty {
            return;
        }
    }
}

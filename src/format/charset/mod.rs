//! Octets → text: which charset, and streaming decoding.
//!
//! Which charset is believed is `judge`'s, how one is guessed `detect`'s, and streams are decoded by `decoder`. The decision is
//! the same however the octets are cut into chunks, and does not hold up the first paint: ASCII passes straight through. From
//! the first other octet on, octets are kept until that line ends: if they are valid UTF-8, or something was said, that decides.
//! If not, up to 4096 of them (or all there are) are kept, and weighed: they are UTF-8 with strays, or too few to tell a charset
//! by, or the detector's. Octets of a text in UTF-8 that are none are read one by one, as what was said or as what they look
//! like, and a note says so; too few are read as Windows-1252, and UTF-8 that comes later as that; and beside a guess every line
//! that is UTF-8 stands for itself, as `evidence` weighs it.

mod decoder;
mod detect;
mod evidence;
mod groups;
mod hz;
mod judge;
mod letters;

pub use decoder::Decoder;
pub(super) use detect::escapes;
pub use groups::Groups;
pub(super) use judge::Judge;

use super::codepage::{self, CP437, CP850, CodePage};
use super::utf7::Utf7;
use crate::doc::ReadBy;
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use std::borrow::Cow;

/// What was said of a text's charset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The name, as written.
    pub name: String,
    /// By whom.
    pub by: By,
}

/// Who says which charset a text is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The reader, for this page.
    Asked,
    /// The reader, for the place that it is from.
    Chosen,
    /// The protocol, or the text itself.
    Declared,
    /// The settings, for texts that say nothing.
    Default,
}

/// What is declared.
impl<T: Into<String>> From<T> for Said {
    fn from(name: T) -> Said {
        Said { name: name.into(), by: By::Declared }
    }
}

/// A charset that can be read.
#[derive(Debug, Clone, Copy)]
pub enum Charset {
    /// UTF-8, with stray octets read as Windows-1252.
    Utf8,
    /// HZ, which is simplified Chinese in seven bits.
    Hz,
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
        "hz-gb-2312" "Chinese, simplified (7 bit)",
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
        "hz-gb-2312" | "hz" => Some(Charset::Hz),
        // What scripts want of it is not wanted here (HTML, 13.2.3.2).
        "x-user-defined" => Some(Charset::Web(WINDOWS_1252)),
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
            Charset::Hz => "hz-gb-2312".into(),
        }
    }

    /// Whether octets below 80 are ASCII in it, so that a text of nothing else is the same in all such charsets.
    fn extends_ascii(self) -> bool {
        match self {
            Charset::Utf8 | Charset::Page(..) => true,
            Charset::Web(web) => ![UTF_16BE, UTF_16LE, ISO_2022_JP].contains(&web),
            Charset::Utf7 | Charset::Hz => false,
        }
    }

    /// Whether each octet is a character, whatever stands beside it.
    fn is_of_octets(self) -> bool {
        match self {
            Charset::Page(..) => true,
            Charset::Web(web) => {
                self.extends_ascii() && ![SHIFT_JIS, EUC_JP, EUC_KR, BIG5, GBK, GB18030].contains(&web)
            }
            Charset::Utf8 | Charset::Utf7 | Charset::Hz => false,
        }
    }

    /// Text as octets of this charset; `None` where it lacks a character of it.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Charset::Utf8 => Some(text.as_bytes().to_vec()),
            Charset::Page(_, page) => text.chars().map(|c| codepage::octet(page, c)).collect(),
            // Nobody is asked anything in these, nor in UTF-16, which encodes as UTF-8.
            Charset::Utf7 | Charset::Hz => None,
            Charset::Web(web) => {
                let (octets, used, lacks) = web.encode(text);
                (!lacks && used == web).then(|| octets.into_owned())
            }
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
                decoder::utf8_into(octets, Tail::Last, Charset::Web(WINDOWS_1252), &mut out);
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
            Charset::Hz => {
                let (mut hz, mut out) = (hz::Hz::default(), String::with_capacity(octets.len()));
                hz.feed(octets, &mut out);
                hz.finish(&mut out);
                Cow::Owned(out)
            }
        }
    }
}

/// What a line was read by, or a name in it, of a text that was read by this; `None` where the text has told of none.
pub fn of_line(line: &[u8], read: &ReadBy) -> Option<Charset> {
    let charset = known(&read.name)?;
    let other = read.otherwise.as_deref().and_then(known).filter(|other| match other {
        Charset::Utf8 => evidence::overrules(line, true, charset) == Some(true),
        _ => std::str::from_utf8(line).is_err(),
    });
    Some(other.unwrap_or(charset))
}

/// Whether more octets may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// They may.
    More,
    /// These are the last.
    Last,
}

/// The text of octets of ASCII in which a charset of seven bits has its escape sequences; `None` where there are none.
pub(super) fn unescaped(octets: &[u8]) -> Option<String> {
    memchr::memchr2(0x1B, b'~', octets).filter(|_| octets.is_ascii())?;
    let (_, charset) = escapes(octets, Tail::Last)?;
    Some(charset?.decode(octets).into_owned())
}

/// The text of octets of which nothing is known, all there.
pub(super) fn guessed(octets: &[u8]) -> Cow<'_, str> {
    judged(octets, None).decode(octets)
}

/// The charset of octets of which no more than this is said, all there.
pub(super) fn judged(octets: &[u8], said: Option<&Said>) -> Charset {
    let first = octets.iter().position(|b| !b.is_ascii()).unwrap_or(octets.len());
    Judge::in_mail(said).judge(&octets[first..], Tail::Last).unwrap_or(Charset::Utf8)
}

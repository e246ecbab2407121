//! What stands in the margin of an entry: a word, a glyph or plain ASCII, by the reader's choice.

use super::columns::fitting;
use std::borrow::Cow;

/// The columns of text without which there is no margin beside it.
pub(super) const BESIDE_MARGIN: usize = 4;

/// How markers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marks {
    /// `(DIR)`; fits every terminal and screen reader.
    #[default]
    Words,
    /// One glyph.
    Glyphs,
    /// `(DIR)`, one thing a line and nothing drawn: for who listens, or reads line by line with their fingers.
    Plain,
}

/// Declares [`Marker`] from rows of `Variant "WORD" "glyph"`.
macro_rules! markers {
    ($($variant:ident $word:literal $glyph:literal),+ $(,)?) => {
        /// A kind of entry.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[repr(u8)]
        pub enum Marker {
            #[default]
            $(#[doc = concat!("`", $word, "`")] $variant),+
        }

        impl Marker {
            /// The word without brackets; empty for no marker.
            pub fn word(self) -> &'static str {
                match self { $(Marker::$variant => $word),+ }
            }

            /// The glyph.
            pub fn glyph(self) -> &'static str {
                match self { $(Marker::$variant => $glyph),+ }
            }
        }
    };
}

markers! {
    None "" "",
    /* a line of a menu that is no link: the margin stays empty */
    Blank " " " ",
    /* no arrow: that is the pointer at the link under focus */
    Menu "DIR" "/",
    Text "TXT" "≡",
    PhoneBook "CSO" "☎",
    Error "ERR" "✗",
    BinHex "HQX" "■",
    Archive "ZIP" "■",
    Uuencode "UUE" "■",
    Search "ASK" "?",
    Telnet "TEL" "»",
    Binary "BIN" "■",
    Image "IMG" "▣",
    Sound "SND" "♪",
    Movie "MOV" "▶",
    Html "HTM" "◆",
    Url "URL" "→",
    Document "DOC" "□",
    Mime "MIM" "✉",
    Form "FRM" "✎",
    Calendar "CAL" "□",
    Other "???" "·",
    Bullet "*" "•",
}

impl Marker {
    /// The columns that it takes on every line of its block, on so many.
    pub(super) fn margin(self, marks: Marks, width: usize) -> usize {
        let wanted = match (self, marks) {
            (Marker::None, _) => 0,
            (Marker::Bullet, _) | (_, Marks::Glyphs) => 2,
            (_, Marks::Words | Marks::Plain) if width >= 50 => 6,
            (_, Marks::Words | Marks::Plain) if width >= 24 => 4,
            (_, Marks::Words | Marks::Plain) => 2,
        };
        if width >= wanted + BESIDE_MARGIN { wanted } else { 0 }
    }

    /// What stands in a margin: `(DIR)`, on narrow screens `DIR`, then `D`.
    pub(super) fn text(self, marks: Marks, margin: usize) -> Cow<'static, str> {
        match (self, marks, margin) {
            (_, _, 0) | (Marker::Blank | Marker::None, ..) => Cow::Borrowed(""),
            (_, Marks::Glyphs, _) => Cow::Borrowed(self.glyph()),
            (Marker::Bullet, ..) | (_, Marks::Words | Marks::Plain, 4) => Cow::Borrowed(self.word()),
            (_, Marks::Words | Marks::Plain, 2) => Cow::Borrowed(&self.word()[..fitting(self.word(), 1).0]),
            (_, Marks::Words | Marks::Plain, _) => Cow::Owned(format!("({})", self.word())),
        }
    }
}

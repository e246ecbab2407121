//! What stands in the margin of an entry: a word, a glyph or plain ASCII, by the reader's choice.

/// How markers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marks {
    /// `(DIR)`; fits every terminal and screen reader.
    #[default]
    Words,
    /// One glyph.
    Glyphs,
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

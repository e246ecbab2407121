//! Themes: role → style, read from TOML with fallback along the dots of a role's name; glyphs and borders.
//! Refuses: I/O, terminal capabilities (the shell says how many colours there are).

use crate::role::Role;

/// A colour as themes name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's own.
    Default,
    /// One of the 16 colours.
    Ansi(u8),
    /// True colour.
    Rgb(u8, u8, u8),
}

/// How text of a role is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Text colour.
    pub foreground: Colour,
    /// Ground colour.
    pub background: Colour,
    /// Bold.
    pub bold: bool,
    /// Dim.
    pub dim: bool,
    /// Italic.
    pub italic: bool,
    /// Underlined.
    pub underline: bool,
    /// Foreground and background exchanged.
    pub reverse: bool,
}

/// A theme, complete for every role.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    styles: Vec<Style>,
    /// Whether glyphs and box drawing may be used; else ASCII.
    pub unicode: bool,
}

impl Theme {
    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

//! One key press and its name (`C-a`, `M-Left`, `F5`, `Space`, `g`).

use std::fmt;

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A character, shifted as typed.
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// TAB.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Insert.
    Insert,
    /// Arrow.
    Up,
    /// Arrow.
    Down,
    /// Arrow.
    Left,
    /// Arrow.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key from 1.
    F(u8),
}

/// A key press: which key, with Control, Meta (Alt) and, for keys that are no characters, Shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Which key.
    pub code: Code,
    /// Control held.
    pub control: bool,
    /// Meta (Alt) held.
    pub meta: bool,
    /// Shift held; always false for characters, which are shifted themselves.
    pub shift: bool,
}

impl Key {
    /// A key alone.
    pub const fn plain(code: Code) -> Key {
        Key { code, control: false, meta: false, shift: false }
    }

    /// The key of a name; `None` when there is no such name.
    pub fn named(name: &str) -> Option<Key> {
        let mut chars = name.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Some(Key::plain(Code::Char(c))),
            _ => None,
        }
    }
}

/// The name by which [`Key::named`] finds it.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.code)
    }
}

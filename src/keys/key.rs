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

    /// The key of a name; `None` when there is no such name. Names longer than one character may be written in any case.
    pub fn named(name: &str) -> Option<Key> {
        let mut key = Key::plain(Code::Esc);
        let mut rest = name;
        // A modifier is followed by something: `C--` is Control and minus, `-` alone is minus.
        while let Some((letter, after)) = rest.split_once('-').filter(|(_, after)| !after.is_empty()) {
            match letter {
                "C" if !key.control => key.control = true,
                "M" if !key.meta => key.meta = true,
                "S" if !key.shift => key.shift = true,
                _ => break,
            }
            rest = after;
        }
        key.code = code(rest)?;
        if let Code::Char(c) = key.code {
            if key.shift || c.is_control() {
                return None;
            }
            if key.control {
                // Terminals cannot tell C-A from C-a.
                key.code = Code::Char(c.to_ascii_lowercase());
            }
        }
        Some(key)
    }

    /// The keys of a sequence, names parted by white space.
    ///
    /// # Errors
    /// The name that is none.
    pub fn sequence(names: &str) -> Result<Vec<Key>, String> {
        names.split_ascii_whitespace().map(|name| Key::named(name).ok_or_else(|| name.into())).collect()
    }
}

/// Names and keys; the first name of a key is the one it is shown by.
const NAMES: &[(&str, Code)] = &[
    ("Space", Code::Char(' ')),
    ("Enter", Code::Enter),
    ("Return", Code::Enter),
    ("Esc", Code::Esc),
    ("Escape", Code::Esc),
    ("Tab", Code::Tab),
    ("Backspace", Code::Backspace),
    ("Del", Code::Delete),
    ("Delete", Code::Delete),
    ("Ins", Code::Insert),
    ("Insert", Code::Insert),
    ("Up", Code::Up),
    ("Down", Code::Down),
    ("Left", Code::Left),
    ("Right", Code::Right),
    ("Home", Code::Home),
    ("End", Code::End),
    ("PgUp", Code::PageUp),
    ("PageUp", Code::PageUp),
    ("PgDn", Code::PageDown),
    ("PageDown", Code::PageDown),
];

fn code(name: &str) -> Option<Code> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (c != ' ').then_some(Code::Char(c));
    }
    if let Some((_, code)) = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some(*code);
    }
    let number = name.strip_prefix(['F', 'f'])?;
    let plain = !number.starts_with(['0', '+']);
    number.parse().ok().filter(|n| plain && (1..=35).contains(n)).map(Code::F)
}

/// The name by which [`Key::named`] finds it.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [(self.control, "C-"), (self.meta, "M-"), (self.shift, "S-")] {
            if held {
                f.write_str(name)?;
            }
        }
        match (NAMES.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => f.write_str(name),
            (None, Code::Char(c)) => write!(f, "{c}"),
            (None, Code::F(n)) => write!(f, "F{n}"),
            (None, other) => write!(f, "{other:?}"),
        }
    }
}

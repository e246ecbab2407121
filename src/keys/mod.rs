//! Keys by name, and the key map: which command line a key sequence stands for.
//!
//! Defaults are `keys/default.toml` and the presets beside it, embedded; the reader's own file is read by the same code.
//! Refuses: I/O, knowing what commands do.

mod key;

pub use key::{Code, Key};

/// Where a key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// On a page.
    Page,
    /// In a list, text, question or form laid over the page.
    Overlay,
    /// In the prompt line; keys without a binding edit the text.
    Prompt,
}

/// What a key sequence means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// Run this command line.
    Command(String),
    /// The beginning of longer sequences: their next keys and command lines.
    Prefix(Vec<(Key, String)>),
    /// Nothing.
    Unbound,
}

/// Key sequences and their command lines, per mode.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keymap {
    bindings: Vec<(Mode, Vec<Key>, String)>,
}

impl Keymap {
    /// What a sequence means in a mode.
    pub fn lookup(&self, mode: Mode, keys: &[Key]) -> Lookup {
        let _ = (mode, keys);
        Lookup::Unbound
    }

    /// Every binding: mode, sequence, command line; in the order of the files.
    pub fn bindings(&self) -> &[(Mode, Vec<Key>, String)] {
        &self.bindings
    }

    /// Binds a sequence; an earlier binding of the same sequence goes.
    pub fn bind(&mut self, mode: Mode, keys: Vec<Key>, command: String) {
        self.bindings.retain(|(m, k, _)| (*m, k) != (mode, &keys));
        self.bindings.push((mode, keys, command));
    }

    /// The sequences that run exactly this command line in a mode, for help and hints.
    pub fn keys_for(&self, mode: Mode, command: &str) -> Vec<&[Key]> {
        self.bindings.iter().filter(|(m, _, c)| *m == mode && c == command).map(|(_, k, _)| k.as_slice()).collect()
    }
}

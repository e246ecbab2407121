//! Keys by name, and the key map: which command line a key sequence stands for, and commands of the reader's own.
//!
//! Defaults are `assets/keys/default.toml` and the presets beside it, embedded; the reader's own file is read by the same
//! code. Refuses: I/O, knowing what commands do.

mod file;
mod key;
mod keymap;
mod own;

pub use file::{PRESETS, shown};
pub use key::{Code, Key};
pub use keymap::{Keymap, Lookup, Mode};
pub use own::{MOST_STEPS, OwnCommand};

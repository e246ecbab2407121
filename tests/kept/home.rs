//! A home folder, the files of the reader in it, and numbers drawn from a seed.

use crate::terminal::Terminal;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the program keeps what it remembers.
pub const STATE: &str = ".local/state/wayfarer";
/// Where the program keeps what the reader collects.
pub const DATA: &str = ".local/share/wayfarer";

/// The program at home there.
pub fn start(home: &Path, arguments: &[&str]) -> Terminal {
    // Somebody who was here before is not greeted.
    fs::create_dir_all(home.join(STATE)).unwrap();
    Terminal::start_with(arguments, 100, 24, &[("HOME", home.to_str().unwrap()), ("TZ", "UTC"), ("EDITOR", "true")])
}

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Numbers that are the same in every run with the same seed (SplitMix64).
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(seed)
    }

    /// A number below another.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ mixed >> 31) % u64::try_from(end.max(1)).unwrap()).unwrap()
    }
}

/// A number that the environment names.
pub fn asked(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().map_or(usual, |text| text.parse().expect("a number"))
}

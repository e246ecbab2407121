//! A folder of each run's own below the reader's cache, for what is opened with other programs; it goes with the run, and with the
//! next one where a run was killed.

use crate::disk;
use std::path::{Path, PathBuf};

/// A folder of this run's own, for files that are opened with other programs; dropping it removes them.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Names the folder; it is made when the first file goes there.
    pub(super) fn new() -> Scratch {
        let folders = directories::ProjectDirs::from("", "", "wayfarer");
        let cache = folders.map_or_else(std::env::temp_dir, |folders| folders.cache_dir().to_path_buf());
        sweep(&cache);
        Scratch(cache.join(format!("outside-{}", std::process::id())))
    }

    /// The folder.
    pub(super) fn path(&self) -> String {
        self.0.display().to_string()
    }
}

/// Removes what runs that were killed have left, in the folders that are named after them.
fn sweep(cache: &Path) {
    for entry in std::fs::read_dir(cache).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_str().and_then(|name| name.strip_prefix("outside-")).is_some_and(disk::has_ended) {
            // One that stays does no harm.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Mostly it was never made.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

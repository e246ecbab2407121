//! Short files of the reader's, read whole, and the names of those in a folder.

use crate::disk;
use std::io;
use std::path::Path;
use tokio::fs;

/// Octets of a file that is read whole.
const SHORT: u64 = 16 * 1024 * 1024;
/// Names in a folder that are told, and that are looked at.
const MOST: usize = 10_000;
const LOOKED_AT: usize = 100_000;

/// Reads a short file, or the names of the files in a folder, the one changed last first, where the path ends with a slash:
/// nobody sends the names of a folder who means a file. Anything else is refused with a sentence.
pub(super) async fn read(path: &Path) -> Result<Vec<u8>, String> {
    let shown = path.display();
    let facts = fs::metadata(path).await.map_err(|error| format!("Cannot read {shown}: {}.", disk::reason(&error)))?;
    if facts.is_dir() && !path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(format!("{shown} is a folder, and a file is wanted."));
    }
    if facts.is_dir() {
        return names(path).await.map_err(|error| format!("Cannot read {shown}: {}.", disk::reason(&error)));
    }
    if !facts.is_file() || facts.len() > SHORT {
        return Err(format!("{shown} is no file of at most 16 MiB."));
    }
    fs::read(path).await.map_err(|error| format!("Cannot read {shown}: {}.", disk::reason(&error)))
}

async fn names(folder: &Path) -> io::Result<Vec<u8>> {
    let mut found = Vec::new();
    let mut entries = fs::read_dir(folder).await?;
    let mut left = LOOKED_AT;
    while let Some(entry) = entries.next_entry().await?.filter(|_| left > 0) {
        left -= 1;
        // What a link leads to counts, if that is there.
        let Ok(facts) = fs::metadata(entry.path()).await else { continue };
        let mut name = entry.file_name();
        if facts.is_dir() {
            name.push("/");
        }
        if facts.is_file() || facts.is_dir() {
            found.push((facts.modified().ok(), name));
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    let names: Vec<String> = found.into_iter().filter_map(|(_, name)| name.into_string().ok()).take(MOST).collect();
    Ok(names.join("\n").into_bytes())
}

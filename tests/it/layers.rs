//! Guards the import table of the crate documentation: Rust permits cycles between modules silently.

use std::fs;
use std::path::{Path, PathBuf};

/// A room, and which rooms it may import. `shell` may import everything.
const ROOMS: &[(&str, &[&str])] = &[
    ("url", &[]),
    ("role", &[]),
    ("table", &[]),
    ("tour", &[]),
    ("doc", &["url", "role"]),
    ("visits", &["url"]),
    ("bookmarks", &["url"]),
    ("sorter", &[]),
    ("disk", &[]),
    ("news", &["sorter"]),
    ("format", &["doc", "url", "role", "news", "sorter"]),
    ("keys", &["url", "role", "table"]),
    ("theme", &["url", "role", "table"]),
    ("config", &["url", "role", "table", "keys", "theme"]),
    ("proto", &["url", "format", "config", "disk"]),
    ("app", &["url", "role", "doc", "news", "visits", "bookmarks", "format", "proto", "keys", "theme", "config"]),
    ("view", &["app", "doc", "url", "role", "theme", "keys", "format", "config", "proto"]),
];

/// What a room must not name at all, wherever it may come from.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("url", &["std::fs", "std::io", "tokio", "Instant::now", "SystemTime", "std::process"]),
    ("doc", &["std::fs", "std::io", "std::net", "tokio", "Instant::now", "SystemTime", "ratatui", "crossterm"]),
    ("news", &["std::fs", "std::io", "std::net", "tokio", "Instant::now", "SystemTime", "ratatui", "crossterm"]),
    ("visits", &["std::fs", "std::io", "std::net", "tokio", "Instant::now", "SystemTime", "ratatui", "crossterm"]),
    ("bookmarks", &["std::fs", "std::io", "std::net", "tokio", "Instant::now", "SystemTime", "ratatui", "crossterm"]),
    ("format", &["std::fs", "std::net", "tokio", "Instant::now", "SystemTime", "ratatui", "crossterm"]),
    ("keys", &["std::fs", "std::net", "tokio", "ratatui", "crossterm"]),
    ("theme", &["std::fs", "std::net", "tokio", "ratatui", "crossterm"]),
    ("proto", &["ratatui", "crossterm"]),
    (
        "app",
        &[
            "std::fs",
            "std::net",
            "std::process",
            "std::env",
            "tokio",
            "Instant::now",
            "SystemTime",
            "ratatui",
            "crossterm",
        ],
    ),
    ("view", &["std::fs", "std::net", "std::env", "tokio", "Instant::now", "&mut App"]),
];

/// The one file of `config` that reads the disk.
const LOADER: &str = "src/config/load.rs";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that follow `crate::` in a source text, also inside `crate::{a, b::c}`.
fn imported(text: &str) -> Vec<String> {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut rooms = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            rooms.push(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut begins = true;
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if begins && c.is_alphabetic() => {
                    rooms.push(word(&group[i..]));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    rooms
}

/// The code of a file: comments gone, so that prose may name what code may not.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn no_room_imports_what_the_table_forbids() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    assert!(files.len() > 20, "the source tree was not found");
    let mut broken = Vec::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        let room = name.trim_start_matches("src/").trim_end_matches(".rs").split('/').next().unwrap().to_owned();
        let text = code(&file);
        if let Some((_, may)) = ROOMS.iter().find(|(r, _)| *r == room) {
            for import in imported(&text) {
                let known = ROOMS.iter().any(|(r, _)| *r == import) || import == "shell" || import == "tour";
                if known && import != room && !may.contains(&import.as_str()) {
                    broken.push(format!("{name}: {room} imports {import}"));
                }
            }
        }
        let forbidden = FORBIDDEN.iter().filter(|(r, _)| *r == room && name != LOADER).flat_map(|(_, words)| *words);
        broken.extend(forbidden.filter(|word| text.contains(**word)).map(|word| format!("{name}: names {word}")));
    }
    assert!(broken.is_empty(), "the import table is broken:\n{}", broken.join("\n"));
}

#[test]
fn the_guard_sees_grouped_imports() {
    let text = "use crate::{doc::{Anchor, Line}, url::Url};\nuse crate::app::App;\n";
    assert_eq!(imported(text), ["doc", "url", "app"]);
}

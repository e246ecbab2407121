//! Promise 9, a name that a server gives is one name in the folder of downloads, and writes over nothing.

use crate::host::{Host, page};
use crate::tally::Tally;
use crate::terminal::Terminal;
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub const PROMISE: &str = "9 files";

/// Names as servers give them.
fn names() -> Vec<String> {
    let mut names: Vec<String> = [
        "../up",
        "../../up",
        "..",
        ".",
        "/etc/owned",
        "/",
        "~/home",
        "~",
        ".bashrc",
        ".ssh/authorized_keys",
        "..\\up",
        "C:\\owned",
        "a/b/c",
        "-rf",
        "--help",
        "a\0b",
        "%2e%2e%2fup",
        "....//up",
        "aux",
        "con.txt",
        "a:b",
        "x.wayfarer-part",
        "x.wayfarer-part.toml",
        "\u{202e}txt.exe",
        "a\u{1b}[31m",
        " lead",
        "trail ",
        "link",
        "taken",
        "folder",
        "",
    ]
    .map(String::from)
    .to_vec();
    names.push("long".repeat(200));
    names.push("é".repeat(300));
    names
}

/// Everything below a folder with what is in it; where links lead is not gone. The program goes on meanwhile, and what it
/// writes beside a name for a moment may be gone when it is looked at.
pub fn all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut folders, mut found) = (vec![folder.to_path_buf()], BTreeMap::new());
    while let Some(folder) = folders.pop() {
        for entry in there(fs::read_dir(folder)).into_iter().flatten() {
            let path = entry.unwrap().path();
            let Some(facts) = there(fs::symlink_metadata(&path)) else { continue };
            if facts.is_dir() {
                folders.push(path);
            } else if facts.is_file()
                && let Some(content) = there(fs::read(&path))
            {
                found.insert(path, content);
            }
        }
    }
    found
}

/// What was read, or nothing where there is nothing any more.
fn there<T>(read: io::Result<T>) -> Option<T> {
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        read => Some(read.unwrap()),
    }
}

/// Names in the head of an answer and at the end of an address: where the files are afterwards, and what else there is.
pub fn named(tally: &Tally) {
    let given = names();
    let fields: Vec<String> = given
        .iter()
        .map(|name| {
            let coded: String = name.bytes().map(|octet| format!("%{octet:02X}")).collect();
            format!("Content-Type: x/y\r\nContent-Disposition: attachment; filename*=utf-8''{coded}\r\n")
        })
        .collect();
    let host = Host::web(move |target, _| {
        let number = target.rsplit('/').next().and_then(|number| number.parse::<usize>().ok());
        let fields = number.and_then(|number| fields.get(number)).map_or("Content-Type: x/y\r\n", |fields| fields);
        page(fields, "from the server")
    });
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("target"), "mine").unwrap();
    let mut terminal = Terminal::start_with(&["about:home"], 140, 40, &[]);
    terminal.see("Where to go");
    let (home, downloads) = (terminal.home().to_path_buf(), terminal.home().join("Downloads"));
    fs::create_dir(&downloads).unwrap();
    for file in [home.join(".bashrc"), downloads.join("taken"), downloads.join("a"), downloads.join("up")] {
        fs::write(file, "mine").unwrap();
    }
    fs::create_dir(downloads.join("folder")).unwrap();
    symlink(outside.path().join("target"), downloads.join("link")).unwrap();
    for (at, by_path) in (0..given.len()).flat_map(|at| [(at, false), (at, true)]) {
        if !crate::whole() && by_path == at.is_multiple_of(2) {
            continue;
        }
        let name = &given[at];
        let coded: String = name.bytes().map(|octet| format!("%{octet:02X}")).collect();
        let url = format!("http://127.0.0.1:{}/{}", host.port, if by_path { coded } else { at.to_string() });
        let before = all(&home);
        // Pasted, as addresses of thousands of letters are.
        terminal.keys("g").see("open:").keys(&format!("\x1b[200~{url}\x1b[201~")).keys("\r").see_no("open:");
        terminal.frame_that(name, |screen| {
            let screen = screen.contents();
            // The prompt says what comes next, too.
            let failed = |line: &str| ["tried ", "next "].iter().any(|label| line.trim_start().starts_with(label));
            screen.contains("This is no page") || screen.lines().any(failed)
        });
        let row = (PROMISE, "http", if by_path { "name in the address" } else { "name in the head" });
        if !terminal.screen().contains("This is no page") {
            tally.refused(row);
            terminal.keys("gabout:home\r").see("Where to go");
            continue;
        }
        terminal.keys("s").see("save as:").keys("\r");
        let done = |screen: &str| {
            screen.contains("saved ")
                || screen.contains("There is a file")
                || screen.contains("is a folder")
                || screen.contains("annot ")
        };
        terminal.frame_that(&format!("{name:?} saved or not"), |screen| done(&screen.contents()));
        let after = all(&home);
        let mut against = None;
        for (path, content) in &before {
            let ours = path.starts_with(home.join(".local")) || path.starts_with(home.join(".cache"));
            if !ours && after.get(path) != Some(content) {
                against = Some(format!("{name:?} changes {}", path.display()));
            }
        }
        for path in after.keys().filter(|path| !before.contains_key(*path)) {
            let ours = path.starts_with(home.join(".local")) || path.starts_with(home.join(".cache"));
            let file = path.file_name().unwrap().to_str().unwrap_or("-");
            let safe = !file.starts_with(['.', '-', '~', ' '])
                && file.len() < 256
                && !file.contains(|c: char| c.is_control() || crate::octets::hides(c));
            if !ours && (path.parent() != Some(&downloads) || !safe) {
                against = Some(format!("{name:?} becomes {}", path.display()));
            }
        }
        tally.judge(row, against);
        let saved = terminal.screen().contains("saved ");
        if terminal.screen().contains('┌') || !saved {
            terminal.keys("\x1b").see_no("┌").keys("z");
        }
        for path in after.keys().filter(|path| !before.contains_key(*path) && path.starts_with(&downloads)) {
            let _ = fs::remove_file(path);
        }
        terminal.keys("gabout:home\r").see("Where to go").see_no("saved ");
    }
    let target = fs::read(outside.path().join("target")).unwrap();
    tally.hold((PROMISE, "http", "through a link"), target == b"mine", || "the link was written through".into());
    terminal.keys("Q");
}

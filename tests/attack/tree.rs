//! Promise 9 for whole directories: a tree of files stays in its folder, whatever the server calls them.

use crate::files::{PROMISE, all};
use crate::host::{Host, Said};
use crate::tally::Tally;
use crate::terminal::Terminal;
use std::fs;
use std::path::Component;
use std::sync::Mutex;

/// Names in a directory, as octets; the last two are one where a disk knows no case.
fn names() -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = [
        "../up",
        "../../up",
        "..",
        ".",
        "/etc/owned",
        "~",
        ".bashrc",
        "..\\up",
        "a/b/c",
        "-rf",
        "a\x1b[31m",
        "a\u{202e}txt.exe",
        "a\u{9b}31m",
        "x.wayfarer-part",
        "x.wayfarer-part.toml",
        "con",
        " lead",
        "%2e%2e%2fup",
        "one",
        "Twin",
        "twin",
    ]
    .map(|name| name.as_bytes().to_vec())
    .to_vec();
    names.push(b"long".repeat(75));
    names.push(b"a\xff\xfeb".to_vec());
    names
}

/// Each name as a file and as a directory, by the list for people and by the one for programs.
pub fn tree(tally: &Tally) {
    for modern in [false, true] {
        let here = Mutex::new(String::new());
        let host = Host::ftp(move |verb, argument, _| {
            if verb == "CWD" {
                argument.trim_end_matches('/').clone_into(&mut here.lock().unwrap());
            }
            // Below the first directory there is nothing.
            let names = || if here.lock().unwrap().ends_with("tree") { names() } else { Vec::new() };
            let listed = |line: fn(&[u8], bool) -> Vec<u8>| {
                let both = |name: Vec<u8>| {
                    [line(&name, false), line(&[&b"d"[..], &name].concat(), true), line(&name, true)].concat()
                };
                Said::Data(names().into_iter().flat_map(both).collect())
            };
            match verb {
                "FEAT" if modern => {
                    Some(Said::Reply(b"211-Features\r\n MLST type*;size*;modify*;\r\n211 End\r\n".to_vec()))
                }
                "MLSD" if modern => Some(listed(|name, dir| {
                    [if dir { &b"type=dir; "[..] } else { b"type=file;size=8; " }, name, b"\r\n"].concat()
                })),
                "LIST" => Some(listed(|name, dir| {
                    let kind: &[u8] = if dir { b"d" } else { b"-" };
                    [kind, b"rw-r--r--   1 ftp  ftp   8 Nov 21 03:01 ", name, b"\r\n"].concat()
                })),
                _ => None,
            }
        });
        let mut terminal = Terminal::start_with(&["about:home"], 140, 40, &[]);
        terminal.see("Where to go");
        let home = terminal.home().to_path_buf();
        let downloads = home.join("Downloads");
        fs::create_dir(&downloads).unwrap();
        for file in [home.join(".bashrc"), home.join("up"), downloads.join("up"), downloads.join("a")] {
            fs::write(file, "mine").unwrap();
        }
        let before = all(&home);
        let url = format!("ftp://127.0.0.1:{}/tree/", host.port);
        terminal.keys("g").see("open:").keys(&url).keys("\r").see_no("open:").see("entries").loaded();
        terminal.keys(":download-tree\r").see("Save a directory").see("Enter start");
        terminal.keys("\r").see_that("an end", |screen| {
            ["could not be saved", "was there already", "were there already"].iter().any(|end| screen.contains(end))
        });
        let row = (PROMISE, "ftp", if modern { "names of a tree, by MLSD" } else { "names of a tree, by LIST" });
        let (after, mut saved) = (all(&home), 0);
        for (path, content) in &before {
            let ours = path.starts_with(home.join(".local")) || path.starts_with(home.join(".cache"));
            tally.hold(row, ours || after.get(path) == Some(content), || format!("{} is another", path.display()));
        }
        for path in after.keys().filter(|path| !before.contains_key(*path)) {
            let ours = path.starts_with(home.join(".local")) || path.starts_with(home.join(".cache"));
            let below = path.strip_prefix(downloads.join("tree")).unwrap_or(path);
            let is_safe = |part: Component| {
                let name = part.as_os_str().to_string_lossy();
                matches!(part, Component::Normal(_))
                    && name.len() < 256
                    && !name.contains(|c: char| c.is_control() || crate::octets::hides(c))
            };
            let harmless = ours || (below != path && below.components().all(is_safe));
            saved += usize::from(!ours);
            tally.hold(row, harmless, || format!("{} is new", path.display()));
        }
        assert!(saved > 3, "what is harmless is saved: {:?}", after.keys());
        terminal.keys("Q");
    }
}

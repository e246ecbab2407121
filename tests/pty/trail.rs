//! How the reader came to a page: walked, named, annotated, saved for others, and there again after the program was killed.

use crate::server::{Server, whole};
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::path::Path;
use std::time::{Duration, Instant};

fn start(home: &Path, arguments: &[&str]) -> Terminal {
    std::fs::create_dir_all(home.join(".local/state/wayfarer")).unwrap();
    Terminal::start_with(arguments, 80, 24, &[("HOME", home.to_str().unwrap()), ("TZ", "UTC")])
}

/// Waits until a file has all of these words.
fn kept(file: &Path, words: &[&str]) {
    let deadline = Instant::now() + Duration::from_secs(30);
    let has = |text: String| words.iter().all(|words| text.contains(words));
    while !std::fs::read_to_string(file).is_ok_and(has) {
        assert!(Instant::now() < deadline, "{}: no {words:?}", file.display());
        std::thread::yield_now();
    }
}

fn space() -> Server {
    let row = |kind: &str, name: &str, place: &str| format!("{kind}{name}\t{place}\t127.0.0.1\t{{port}}\r\n");
    let menu = row("1", "The harbour", "/harbour") + &row("0", "The mill", "/mill");
    let harbour = row("0", "The lighthouse", "/light") + &row("0", "The pier", "/pier");
    let pages = [("", menu), ("/harbour", harbour), ("/mill", "It grinds.\r\n".into())];
    let pages = pages.into_iter().chain([("/light", "It shines.\r\n".into()), ("/pier", "It is wet.\r\n".into())]);
    Server::start(pages.map(|(selector, text)| (selector, whole(text))).collect())
}

#[test]
fn a_trail_is_named_annotated_and_saved_and_outlives_the_program() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &[&server.url("1")]);
    // Off to the mill and to the pier, back each time, and on to the lighthouse.
    terminal.see("The harbour").keys("2\r").see("It grinds").keys("h").see("The harbour").keys("1\r");
    terminal.see("The pier").keys("2\r").see("It is wet").keys("h").see("The pier").keys("1\r").see("It shines");

    terminal.keys("\x1bT").see("How you came here").see("3 pages; none led to the first");
    let shown = |screen: &str| {
        let places =
            ["also  The mill", "The harbour", "also  The pier", "The lighthouse"].map(|name| screen.find(name));
        places.iter().all(Option::is_some) && places.is_sorted()
    };
    terminal.see_that("the stations, and where one turned off", shown);
    terminal.keys(":trail name Down to the sea\r").see("Down to the sea").see_no("How you came here");
    terminal.keys("'").keys("harbour\r").focused("The harbour").keys(":trail note mind the ropes\r");
    terminal.see("mind the ropes").see_that("the rest of it", shown);

    // Each kind of file has the way, its name and the note, and is read here.
    let (light, folder) = (server.url("0/light"), home.path().display());
    for (name, line) in [
        ("way.gmi", format!("=> {light} The lighthouse")),
        ("way.md", format!("[The lighthouse](<{light}>)")),
        ("way.html", format!("<a href=\"{light}\">The lighthouse</a>")),
        ("gophermap", format!("0The lighthouse\t/light\t127.0.0.1\t{}", server.port())),
    ] {
        let path = home.path().join(name);
        terminal.keys(&format!(":trail save {}\r", path.display())).see(&format!("saved {folder}/{name}"));
        let text = std::fs::read_to_string(&path).unwrap();
        for words in ["Down to the sea", "mind the ropes", line.as_str()] {
            assert!(text.contains(words), "{name} has no {words:?}:\n{text}");
        }
        assert!(!text.contains("pier"), "{name} is the way, and not where one turned off:\n{text}");
    }

    let state = home.path().join(".local/state/wayfarer");
    kept(&state.join("sessions/default.jsonl"), &["about:trail", "Down%20to%20the%20sea", "mind%20the%20ropes"]);
    kept(&state.join("history"), &["/light", "/pier", "/mill"]);
    terminal.signal(Signal::KILL).end();
    drop(server);

    let mut terminal = start(home.path(), &[]);
    terminal.see("Down to the sea").see("mind the ropes").see("3 pages").see_that("all of it", shown);
    terminal.keys(&format!("g{folder}/way.gmi\r")).see("mind the ropes").see("The lighthouse").keys("q").end();
}

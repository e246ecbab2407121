//! The tour, walked from its first page to its last as somebody does who has just installed the program.

use crate::hour::said_to_the_end;
use crate::terminal::Terminal;
use rustix::process::Signal;
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// The port in an address that the screen shows after these words.
fn port(terminal: &Terminal, before: &str) -> u16 {
    let screen = terminal.screen();
    let (_, rest) = screen.split_once(before).unwrap_or_else(|| panic!("no {before} on the screen:\n{screen}"));
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

fn answers(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// Waits until nobody listens on a port.
fn closed(port: u16) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while answers(port) {
        assert!(Instant::now() < deadline, "port {port} is still open");
        std::thread::yield_now();
    }
}

fn again(first: &Terminal, arguments: &[&str]) -> Terminal {
    Terminal::start_with(arguments, 80, 24, &[("HOME", first.home().to_str().unwrap())])
}

/// The last link of the page, followed: the next stop.
const ON: &str = "\x1b[F\r";

#[test]
fn it_is_walked_from_end_to_end() {
    // Proxies know no way into the program.
    let nobody = "http://127.0.0.1:1";
    let proxies = ["http_proxy", "ftp_proxy", "gopher_proxy", "all_proxy"].map(|name| (name, nobody));
    let mut terminal = Terminal::start_with(&["--record", "walk.jsonl", "--record-octets"], 80, 24, &proxies);
    terminal.see("The tour: 23 stops").keys("\r").see("▸Begin: stop 1").keys("\r");
    terminal
        .see("Stop 1 of 23")
        .see("▸A text to go to")
        .keys("\r")
        .see("You went from a menu")
        .keys("h")
        .see("▸A text to go to");
    terminal.see("Stop 2").keys(ON).see("Stop 2 of 23").see("/a selector: not a path? #2 ");
    terminal
        .keys("=")
        .see("Anatomy")
        .keys("\t")
        .see("sent         to 127.0.0.1")
        .see("/a selector: not a path? #2\\r\\n")
        .keys("\x1b")
        .see_no("Anatomy");
    terminal.keys("\r").see("Stop 3 of 23").keys("\r").see("Stop 4 of 23");
    terminal.keys("\r").see("search for:").keys("keys or not\r").see("No stop is about").see("?keys or not");
    terminal
        .keys("h")
        .see("Stop 4 of 23")
        .keys("\r")
        .see("search for:")
        .keys("base\r")
        .see("2 lines are about \"base\"");
    terminal
        .see("Stop 5")
        .keys(ON)
        .see("Stop 5 of 23")
        .keys("i")
        .see("Who and when")
        .see("German")
        .keys("h")
        .see("Stop 5 of 23");
    terminal.see("Stop 6").keys(ON).see("Stop 6 of 23").keys("\r").see("What shall we call you?");
    terminal
        .keys("\x15Ada\t\t \tHello there\ttea\t\r")
        .see("goes in clear text")
        .see("of this form to 127.0.0.1")
        .keys("y");
    terminal
        .see("Thank you.")
        .see("      Ada")
        .see("      yes")
        .see("      Hello there")
        .see("      3 letters")
        .see("Stop 7, FTP: ");
    terminal.keys("\r").see("README").see(" ftp ").keys("*").see("Stop 7 of 23");
    terminal.keys("'").keys("README\r\r").see("Stop 7 of 23. What an FTP address says");
    terminal.keys("'").keys("odd\r\r").see("one space first").keys("*").see("Stop 8 of 23");
    terminal
        .keys("h")
        .see("The next stops")
        .keys("'")
        .keys("shelf\r\r")
        .see("slow ruler.txt")
        .keys("*")
        .see("Stop 9 of 23");
    terminal.keys("ss").keys("*").see("kite.png").keys("h").see("The next stops");
    terminal.keys(ON).see("A name, not a place").see(" news ").keys("n").see("Stop 10 of 23");
    let words = ["Re: Stop 10:", "A name in the caf", "Stop 11 of 23", "Re: Stop 11:", "Stop 12 of 23"];
    for words in words {
        terminal.keys("n").see(words);
    }
    terminal.keys("'").keys("part 1\r\r").see(" mid  stop-12@").see("  All  ").keys("=").see("Anatomy").keys("\t");
    in_force(&mut terminal, "entity", "/travels/page.html");
    terminal.keys("\x1b").see_no("Anatomy").keys("h").see_no(" mid ").see("Stop 12 of 23");
    terminal.keys("n").see("Re: Stop 12:").keys("n").see("Stop 13 of 23");
    // Links are found in what has come, and the end is the end of that. What has come so far stands in the bar until all has.
    let arrives = |line: &str| line.starts_with(" news ") && [" B ", " kB "].iter().any(|size| line.contains(size));
    terminal
        .see_that("all of the article", |screen| !screen.lines().any(arrives))
        .keys("\x1b[F")
        .see("The web is next")
        .keys("'")
        .keys("http\r\r")
        .see("Stop 14 of 23")
        .see("written rooms/red");
    terminal.keys("t").see("The red room").see("│ 2 The red room").keys("\x17x").see("Stop 14 of 23").see_no("│ 2 ");
    terminal.loaded().keys(ON).see("Stop 15 of 23").see("base: document").keys("=").see("Anatomy").keys("\t");
    in_force(&mut terminal, "document", "/rooms/");
    terminal.keys("\x1b").see_no("Anatomy").keys("\r").see("The red room").keys("h").see("Stop 15 of 23");
    terminal.loaded().keys(ON).see("Stop 16 of 23").see("written rooms/../red").keys("\x1br");
    terminal.see("reference rooms/../red?light#door").see("/red?light#door").see("remove dot segments → /red");
    terminal.keys("\x15..\x1b[A").see_no("remove dot segments → /red").keys("/one/two/").see("/resolve/one/ ");
    terminal.keys("\x1b").see_no("leads to").see("Stop 16 of 23");
    terminal.loaded().keys(ON).see("Stop 17 of 23").keys("/Scheme\r").see("The word before the first colon");
    // Enter in the one field of text sends the form. The bar has the address before the page is there.
    terminal.loaded().keys(ON).see("Stop 18 of 23").keys("\x1b[H\rAda & co\r");
    terminal.see("It came in the query").see("?name=Ada+%26+co&by=the+web&light=yes");
    terminal.keys("h").see("Stop 18 of 23");
    terminal.keys("\x1b[H\t\t\t\t\t\t\t\r").see("It came in the body of the request:").see("your time.");
    terminal.keys("R").see("the form is sent").keys("n").see_no("the form is sent").keys("h").see("[ Send ]");
    terminal
        .loaded()
        .keys(ON)
        .see("Stop 19 of 23")
        .see("/end")
        .keys("=")
        .see("Anatomy")
        .keys("\t")
        .see("1 redirect")
        .keys("\x1b")
        .see_no("Anatomy");
    terminal
        .loaded()
        .keys(ON)
        .see("Stop 20 of 23")
        .see(" gemini ")
        .keys("=")
        .see("Anatomy")
        .see("TLS")
        .keys("\x1b")
        .see_no("Anatomy");
    terminal
        .keys("\r")
        .see("What are you looking for?")
        .keys("a red door\r")
        .see("│ a red door")
        .see("?a%20red%20door");
    terminal
        .keys("h")
        .see("Stop 20 of 23")
        .keys("\x1b[B\r")
        .see("Say something")
        .keys("sesame\r")
        .see("6 letters came");
    terminal
        .see_no("sesame")
        .loaded()
        .keys(ON)
        .see("Stop 21 of 23")
        .keys(":offline\r")
        .see("offline: kept copies")
        .keys("R")
        .see("not changed since")
        .see("  offline  ")
        .keys(":offline\r")
        .see("online: ")
        .see_no("  offline  ");
    terminal
        .keys("\x1ba")
        .see("it is not put by")
        .keys("\x1bo")
        .see("Nothing is put by")
        .keys("h")
        .see("Stop 21 of 23");
    terminal.keys(":search stop\r").see("Nothing that is kept has these words").keys("h").see("Stop 21 of 23");
    terminal.loaded().keys(ON).see("Stop 22 of 23").keys("A").see("it is not subscribed to");
    terminal.keys("\x1bJ").see("You are subscribed to nothing").keys("h").see("Stop 22 of 23");
    terminal
        .loaded()
        .keys(ON)
        .see("Stop 23 of 23")
        .keys("\r")
        .see("full-text database of the early 1990s")
        .keys("h")
        .see("Stop 23 of 23");
    terminal.loaded().keys(ON).see("Where to go").keys("q").end();
    let tape = terminal.home().join("walk.jsonl");
    said_to_the_end(&tape);
    std::fs::remove_file(tape).unwrap();
    nothing_of_it_is_kept(terminal.home());
}

/// Waits until the anatomy shows that a layer gives the base, and which one.
fn in_force(terminal: &mut Terminal, layer: &str, base: &str) {
    terminal.see_that(&format!("{layer} in force"), |screen| {
        let layers = screen.split_once("bases ").map_or("", |(_, layers)| layers);
        let line = layers.split_once(&format!(" {layer} ")).map_or("", |(_, rest)| rest);
        line.split('◀').next().is_some_and(|before| before.contains(base) && before.lines().count() <= 3)
    });
}

/// No file below a folder names one of the servers, nor is named after one.
fn nothing_of_it_is_kept(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(!path.display().to_string().contains("127.0.0.1"), "{}", path.display());
        if path.is_dir() {
            nothing_of_it_is_kept(&path);
        } else {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            assert!(!text.contains("127.0.0.1"), "{}: {text}", path.display());
        }
    }
}

#[test]
fn it_fits_a_small_screen() {
    let mut terminal = Terminal::start_with(&["about:tour"], 40, 10, &[]);
    terminal
        .see("▸Begin: stop 1")
        .keys("\r")
        .see("Stop 1 of 23")
        .see(" Top ")
        .keys(ON)
        .see("Stop 2 of 23")
        .keys("Q")
        .end();
}

#[test]
fn its_servers_go_with_the_last_tab_and_come_back_with_it() {
    let mut terminal = Terminal::start(&["--safe", "about:help", "about:tour"]);
    terminal.see("│ 2 ").keys("}").see("▸Begin: stop 1").see("→ gopher://127.0.0.1:");
    let gopher = port(&terminal, "→ gopher://127.0.0.1:");
    terminal.keys("\r").see("Stop 1 of 23");
    assert!(answers(gopher));
    terminal.keys("H").see("Where to go");
    assert!(answers(gopher), "Left leads back to it");
    terminal.keys("\x17x").see_no("│ 2 ").see("Following links");
    closed(gopher);
    // What was closed comes back, and so do they.
    terminal.keys("\x17u").see("Where to go").keys("h").see("Stop 1 of 23").keys("R").see("Stop 1 of 23");
    assert!(answers(gopher));
    terminal.keys("Q").end();
    closed(gopher);
}

#[test]
fn a_program_that_was_killed_in_the_tour_begins_it_anew() {
    let mut first = Terminal::start(&["about:tour"]);
    first.see("▸Begin: stop 1").keys("\r").see("Stop 1 of 23");
    let file = first.home().join(".local/state/wayfarer/sessions/default.jsonl");
    let deadline = Instant::now() + Duration::from_secs(30);
    while !std::fs::read_to_string(&file).is_ok_and(|text| text.contains("about:tour") && text.contains("\"end\"")) {
        assert!(Instant::now() < deadline, "the tabs are not kept");
        std::thread::yield_now();
    }
    first.signal(Signal::KILL).end();
    let mut second = again(&first, &[]);
    second.see("▸Begin: stop 1").keys("\r").see("Stop 1 of 23").keys("q").end();
    nothing_of_it_is_kept(first.home());
}

#[test]
fn it_is_printed_without_a_terminal() {
    let output = |arguments: &[&str]| {
        let home = tempfile::tempdir().unwrap();
        let run = crate::terminal::piped(home.path()).args(arguments).output().unwrap();
        assert!(run.status.success(), "{run:?}");
        String::from_utf8(run.stdout).unwrap()
    };
    assert!(output(&["--dump", "about:tour"]).contains("Begin: stop 1"));
    let links = output(&["--links", "about:tour"]);
    for scheme in ["gopher", "ftp", "news", "http"] {
        assert!(links.lines().any(|line| line.starts_with(&format!("{scheme}://127.0.0.1:"))), "{links}");
    }
}

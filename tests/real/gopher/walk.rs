//! What both servers can do: menus, texts, searches, a huge menu, a download, and what goes wrong.

use super::content;
use super::servers::{Server, gophernicus, pygopherd};
use crate::packages;
use crate::terminal::Terminal;
use crate::{arrived, focus, follow, quit};

/// A journey on each server.
macro_rules! journeys {
    ($($journey:ident)*) => {$(
        mod $journey {
            #[test]
            #[ignore = "needs the servers of tests/real/run"]
            fn gophernicus() {
                super::$journey(&super::gophernicus(&super::packages()));
            }

            #[test]
            #[ignore = "needs the servers of tests/real/run"]
            fn pygopherd() {
                super::$journey(&super::pygopherd(&super::packages()));
            }
        }
    )*};
}

journeys! { there_and_back search huge_menu download texts wrong_turns }

/// A screen at the root menu.
fn at_root(server: &Server) -> Terminal {
    let mut screen = Terminal::start(&[&server.url("")]);
    screen.see("Welcome to the burrow").see("(TXT)▸A text").see("menu");
    arrived(&mut screen);
    screen
}

/// The rows of the page, without the two of the bar.
fn page(screen: &str) -> Vec<String> {
    let mut rows: Vec<String> = screen.lines().map(|row| row.trim_end().to_owned()).collect();
    rows.truncate(22);
    rows
}

fn there_and_back(server: &Server) {
    let mut screen = at_root(server);
    let port = format!(":{}", server.address.port());
    screen.see("gopher  127.0.0.1").see(&port);
    follow(&mut screen, "A text");
    screen.see("About the burrow").see("text  /text/about.txt");
    // Two pages down, and the place is kept behind the next page as well.
    screen.keys("  ").see("Line 41 of").see_no("Line 19 of");
    let before = page(&screen.screen());
    screen.keys("H").see("about  home").see("start page");
    screen.keys("\x1b[D").see_that("the same rows as before", |now| page(now) == before);
    // The last line holds a link that the text gives away.
    screen.keys("\x1b[F").see(&format!("<URL:gopher://127.0.0.1{port}/1/files>")).keys("\r");
    screen.see("file00").see("menu  /files");
    arrived(&mut screen);
    screen.keys("h").see("Line 59 of").keys("h").see("(TXT)▸A text").keys("L").see("Line 59 of");
    // Up leads to the folder of the text, or to a refusal, but never away from the server.
    screen.keys("\x1bu").see("Welcome to the burrow");
    quit(&mut screen);
}

fn search(server: &Server) {
    let mut screen = at_root(server);
    follow(&mut screen, "Search the burrow");
    screen.see("search for:").keys("two words\r").see("You searched for: two words");
    screen.see("?two words").see("A find");
    follow(&mut screen, "A find");
    screen.see("About the burrow").keys("h").see("(TXT)▸A find");
    screen.keys("h").see("(ASK)▸Search the burrow");
    // The words are in the URL now: no question is asked.
    let url = server.url("7/cgi-bin/search%09caf%C3%A9");
    screen.keys(&format!("g{url}\r")).see("You searched for: café");
    quit(&mut screen);
}

fn huge_menu(server: &Server) {
    let mut screen = at_root(server);
    follow(&mut screen, "A huge menu");
    screen.see("(TXT)▸Item 00000 of the big menu").see("Item 00021");
    // The end of what has come so far is not the end: wait for the whole.
    arrived(&mut screen);
    screen.keys("\x1b[F").see("Item 19999 of the big menu");
    screen.keys("\x1b[H").see("(TXT)▸Item 00000 of the big menu");
    focus(&mut screen, "Item 19876 of");
    let before = page(&screen.screen());
    screen.keys("\r").see("About the burrow");
    screen.keys("\x1b[D").see_that("the same rows as before", |now| page(now) == before);
    screen.keys("\x1b[D").see("(DIR)▸A huge menu");
    quit(&mut screen);
}

fn download(server: &Server) {
    let mut screen = at_root(server);
    follow(&mut screen, "A binary file");
    screen.see("This is no page").see("s save").keys("s");
    screen.see("save as: ~/Downloads/data.bin").keys("\r").see("saved ");
    let folder = screen.home().join("Downloads");
    let saved = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(saved("data.bin") == content::binary(), "the file is byte for byte what the server has");
    // A second time nothing is overwritten without a question.
    std::fs::write(folder.join("data.bin"), "mine").unwrap();
    screen.keys("d").see("save as: ~/Downloads/data.bin").keys("\r");
    screen.see("There is a file of this name already").keys("n").see("save as: ").keys("\r");
    screen.see("saved ").see("(BIN)▸A binary file");
    assert_eq!(saved("data.bin"), b"mine");
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    let other = names.iter().find(|name| *name != "data.bin").unwrap();
    assert!(saved(other.to_str().unwrap()) == content::binary());
    quit(&mut screen);
}

fn texts(server: &Server) {
    let mut screen = at_root(server);
    follow(&mut screen, "Latin letters");
    screen.see("Latin-1: café, naïve").keys("h").focused("Latin letters");
    follow(&mut screen, "Dots");
    let dots = ["before", ".", "after one dot", ".leading dot", "end"];
    screen.see_that("each dot where it was", |now| page(now).starts_with(&dots.map(str::to_owned)));
    screen.keys("h").focused("Dots");
    follow(&mut screen, "Escapes");
    screen.see("evil ").see("red").see("text  /text/escapes.txt");
    quit(&mut screen);
    let raw = String::from_utf8_lossy(&screen.raw()).into_owned();
    for harm in ["\x1b[31m", "\x1b]0;title", "title\x07", "\u{9b}"] {
        assert!(!raw.contains(harm), "{harm:?} reached the terminal");
    }
}

fn wrong_turns(server: &Server) {
    let mut screen = at_root(server);
    screen.see("A word of warning");
    follow(&mut screen, "A closed port");
    screen.see("127.0.0.2 refused the connection").see("tried").see("R try again").see("failed");
    screen.keys("R").see("127.0.0.2 refused the connection").keys("h").see("(DIR)▸A closed port");
    // gophernicus says it in a text, pygopherd in an error item.
    follow(&mut screen, "A missing text");
    screen.see_that("a word that it is missing", |now| now.contains("not found") || now.contains("does not exist"));
    screen.keys("h").see("(TXT)▸A missing text");
    // Nothing is started without a yes.
    follow(&mut screen, "A terminal session");
    screen.see("Start it in this terminal").keys("\r");
    screen.see("opens with a program").see(&format!("telnet://{}/", server.address)).keys("n");
    screen.see_no("opens with a program").keys("h").see("(URL)▸A terminal session");
    quit(&mut screen);
}

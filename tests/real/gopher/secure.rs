//! gophers: the first key is pinned, the same one passes silently, another one is refused loudly.

use super::servers::{gophernicus, pygopherd};
use crate::packages;
use crate::terminal::Terminal;
use crate::{arrived, follow, quit};
use std::fs;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn trust_on_first_use() {
    let packages = packages();
    let mut server = pygopherd(&packages);
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let visit = |url: &str| Terminal::start_with(&[url], 80, 24, &environment);
    let url = server.tls_url("1/");

    let mut first = visit(&url);
    arrived(&mut first)
        .see("Welcome to the burrow")
        .see("gophers  127.0.0.1")
        .keys("=")
        .see("Anatomy")
        .keys("\t")
        .see("first visit");
    first.keys("\x1b").see_no("Anatomy");
    // The menu says nothing of TLS; its own server keeps it.
    follow(&mut first, "A text");
    first.see("About the burrow").see("gophers  127.0.0.1").keys("=");
    first.see("seen on earlier visits").keys("\x1b").see_no("Anatomy");
    quit(&mut first);
    let pins = home.path().join(".local/share/wayfarer/pins");
    let written = fs::read_to_string(&pins).unwrap();
    let line = written.strip_prefix("# wayfarer pins 1\n").unwrap();
    let known = line.strip_prefix(&format!("{} ", server.address)).unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!((line.lines().count(), known.len()), (1, 64), "{written}");

    let mut second = visit(&url);
    second
        .see("Welcome to the burrow")
        .see_no("certificate")
        .keys("=")
        .see("Anatomy")
        .keys("\t")
        .see("seen on earlier visits");
    // Its end stands on the next row.
    second.see(&known[..60]).keys("\x1b").see_no("Anatomy");
    quit(&mut second);

    server.change_key();
    let mut third = visit(&url);
    third.see("REFUSED").see("has changed").see(&known).see("Shown now").see(":trust");
    third.see_no("Welcome to the burrow");
    let shown = third.screen();
    let fingerprints =
        |text: &str| text.split(|c: char| !c.is_ascii_hexdigit()).filter(|word| word.len() == 64).count();
    assert_eq!(fingerprints(&shown), 2, "both fingerprints are shown:\n{shown}");
    assert_eq!(fs::read_to_string(&pins).unwrap(), written, "the old key stays pinned");
    // The way out that the page names.
    third.keys(":trust\r").see("trust it").keys("y").see("Welcome to the burrow");
    assert_ne!(fs::read_to_string(&pins).unwrap(), written, "the new key is pinned");
    quit(&mut third);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn no_clear_text_in_place_of_tls() {
    let packages = packages();
    let server = gophernicus(&packages);
    let mut screen = Terminal::start(&[&server.tls_url("1/")]);
    screen.see("does not speak TLS").see("nothing was sent").see_no("Welcome to the burrow");
    quit(&mut screen);
}

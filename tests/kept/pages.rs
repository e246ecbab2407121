//! Killed at any moment while pages are kept: what was said to be put by is put by, every copy has all of its octets, nothing is
//! taken for damaged.

use crate::home::{DATA, Draw, asked, start};
use crate::server::{Server, whole};
use rustix::process::Signal;
use std::path::Path;
use std::sync::Arc;
use wayfarer::disk::Writer;
use wayfarer::store::{Most, Store};
use wayfarer::url::Url;

/// Turns that a moment may be away.
const MOMENTS: usize = 60_000;

fn text(number: usize) -> String {
    format!("text {number} of many\r\n") + &format!("more of text {number}\r\n").repeat(3_000)
}

/// The copies that are there, and what is put by; nothing may be wrong with them.
fn there(home: &Path, urls: &[String]) -> (usize, Vec<String>) {
    let file = home.join(DATA).join("pages.db");
    let writer = Arc::new(Writer::new(|said| panic!("{said}")).unwrap());
    let store = Store::new(file.clone(), Most { octets: 1 << 30, days: 0 }, &writer, |said| panic!("{said}"));
    store.wake();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut copies = 0;
    for (number, url) in urls.iter().enumerate() {
        if let Some(copy) = runtime.block_on(store.copy(&Url::parse(url).unwrap())).unwrap() {
            copies += 1;
            assert!(copy.octets == text(number).into_bytes(), "the copy of {url} is not whole");
        }
    }
    let later = runtime.block_on(store.later()).unwrap();
    assert!(!file.with_extension("bad").exists());
    (copies, later.into_iter().map(|later| later.url.as_str().to_owned()).collect())
}

#[test]
fn nothing_that_was_put_by_is_lost_and_every_copy_is_whole() {
    let (kills, home) = (asked("WAYFARER_KILLS", 4), tempfile::tempdir().unwrap());
    let (server, mut draw) = (Server::start(vec![]), Draw::new(7));
    let urls: Vec<String> = (0..kills * 3).map(|number| server.url(&format!("0/p{number}"))).collect();
    for number in 0..urls.len() {
        server.answer(&format!("/p{number}"), whole(text(number)));
    }
    let (mut promised, mut before) = (Vec::new(), 0);
    for three in 0..kills {
        let mut terminal = start(home.path(), &["--no-session", &urls[three * 3]]);
        terminal.see(&format!("text {} of many", three * 3)).keys("\x1ba").see("put by, to be read later");
        promised.push(urls[three * 3].clone());
        for (number, url) in urls.iter().enumerate().skip(three * 3 + 1).take(2) {
            terminal.keys(&format!("g{url}\r")).see(&format!("text {number} of many"));
        }
        terminal.keys("\x1ba");
        (0..draw.below(MOMENTS)).for_each(|_| std::thread::yield_now());
        terminal.signal(Signal::KILL);
        terminal.end();
        let (copies, later) = there(home.path(), &urls);
        assert!(promised.iter().all(|url| later.contains(url)), "{promised:?} were said to be put by, {later:?} are");
        assert!(copies >= before, "{copies} copies, {before} before");
        before = copies;
    }
    assert!(before > 0, "nothing was kept");
}

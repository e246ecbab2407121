//! A whole spool, read by one key: `WAYFARER_SPOOL=20000` for as many articles.

use super::content::{ARTICLES, batch_of};
use super::servers::inn_of;
use crate::packages;
use crate::quit;
use crate::terminal::Terminal;
use std::fs;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn every_article_of_three_groups_is_read_by_space_alone() {
    const GROUPS: [&str; 3] = ["wf.links", "wf.mime", "wf.test"];
    let packages = packages();
    let count = std::env::var("WAYFARER_SPOOL").ok().and_then(|text| text.parse().ok()).unwrap_or(ARTICLES);
    let (server, home) = (inn_of(&packages, &batch_of("Nowhere.\n", count)), tempfile::tempdir().unwrap());
    let newsrc = home.path().join(".newsrc");
    fs::write(&newsrc, GROUPS.map(|group| format!("{group}:\n")).concat()).unwrap();
    let address = server.address.to_string();
    let environment = [("HOME", home.path().to_str().unwrap()), ("NNTPSERVER", &*address)];
    let mut terminal = Terminal::start_with(&["news:"], 80, 24, &environment);
    terminal.see("wf.test");
    // A screen or more for each article, and what is seen on the way to it.
    let began = std::time::Instant::now();
    for _ in 0..count * 5 {
        let before = terminal.screen();
        terminal.keys(" ").see_that("something else", |screen| screen != before);
        if terminal.screen().contains("nothing is unread") {
            break;
        }
    }
    terminal.see("nothing is unread");
    println!("{count} articles in {:.0?}", began.elapsed());
    quit(&mut terminal);
    let read = fs::read_to_string(&newsrc).unwrap();
    for group in GROUPS {
        let line = read.lines().find(|line| line.starts_with(group)).unwrap();
        let ranges = line.split_once(": ").unwrap().1;
        assert!(ranges.starts_with("1-") && !ranges.contains(','), "{read}");
    }
}

//! What other newsreaders, and other copies of this one, write into the newsrc while it is read here.

use super::news::{GROUP, LIST, Reader, reader};
use wayfarer::format::media;

/// Another program writes the file.
fn elsewhere(mut r: Reader, file: &str) -> Reader {
    r.file = file.into();
    r
}

#[test]
fn a_list_that_is_fetched_again_knows_what_was_read_elsewhere() {
    let r = reader("g.one: 1-8\ng.two: 1-17\n").list("news:").shows("g.two  3 unread");
    let r = elsewhere(r, "g.one: 1-8\ng.two: 1-19\n").keys("R");
    let r = r.then(|j| j.answer(media::NEWSGROUPS, LIST.as_bytes()));
    r.shows("g.two  1 unread").file("g.one: 1-8\ng.two: 1-19\n");
}

#[test]
fn a_group_that_is_fetched_again_knows_what_was_read_elsewhere() {
    let r = reader("g.one: 1-7\n").group("news:g.one").shows("2 unread");
    let r = elsewhere(r, "g.one: 1-8\n").keys("R").then(|j| j.answer(media::NEWSGROUP, GROUP.as_bytes()));
    r.shows("1 unread").file("g.one: 1-8\n");
}

#[test]
fn a_group_that_is_entered_and_a_list_that_is_come_back_to_know_it_too() {
    let r = reader("g.one: 1-7\ng.two: 1-17\n").list("news:");
    let r = elsewhere(r, "g.one: 1-8\ng.two: 1-17\n").keys("Tab").group("news:g.one").shows("1 unread");
    let r = elsewhere(r, "g.one: 1-8\ng.two: 1-19\n").keys("Left").at("news:").shows("g.two  1 unread");
    // From one tab to another, too, and once each.
    let r = r.keys("Home t").then(|j| j.answer(media::NEWSGROUP, GROUP.as_bytes()));
    let r = elsewhere(r, "g.one: 1-9\ng.two: 1-20\n").keys("{").at("news:").lacks("g.two  1 unread");
    elsewhere(r, "g.one: 1-7,9\ng.two: 1-20\n").keys("}").at("news:g.one").shows("1 unread");
}

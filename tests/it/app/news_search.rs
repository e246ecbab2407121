//! Words sought in news: from the command to the page, and what the keys of a group do on it.

use super::news::{GROUP, LIST, Reader, reader};
use wayfarer::format::media;

fn found(r: Reader, url: &str, how: &str) -> Reader {
    let octets = GROUP.replacen("\t6\t\n", &format!("\t\t\t-\t{how}\n"), 1);
    r.then(|j| j.expect_fetch(url).answer(media::NEWSGROUP, octets.as_bytes()))
}

#[test]
fn words_are_sought_in_the_group_in_view_or_under_focus() {
    let r = reader("g.one: 4\n").group("news:g.one").then(|j| j.run("search-news tunnels"));
    let r = found(r, "nntp:g.one/subject=tunnels", "server");
    let r = r.shows("\"tunnels\" in subjects of g.one · 3 found by the server").lacks("Lamps").lacks("Old");
    // What is between the found ones is not read because of that.
    let r = r.file("g.one: 4-7\n").at("nntp:g.one/subject=tunnels");
    // All keys of a group: the next unread article, marks.
    let r = r.keys("c").notes("this is not all of the group").keys("n").comes("2@x", "").file("g.one: 2,4-7\n");
    // From an article the group behind it is meant, on a server of its own that server.
    let r = r.then(|j| j.run("search-news author c@x"));
    found(r, "nntp:g.one/author=c%40x", "").shows("\"c@x\" in authors of g.one · 1 found in 6 articles");
    let r = reader("").group("snews://h:99/g.one").then(|j| j.run("search-news body  a  b "));
    found(r, "nntps://h:99/g.one/body=a%20b", "kept")
        .shows("\"a b\" in texts of g.one · 6 found in 6 articles kept here");
    let r = reader("g.one:\n").then(|j| j.open("news:*").answer(media::NEWSGROUPS, LIST.as_bytes()));
    r.then(|j| j.run("search-news subject lamps").expect_fetch("nntp:g.one/subject=lamps"));
}

#[test]
fn all_groups_that_are_kept_are_one_page_without_marks() {
    let r = reader("g.one: 1\n").group("news:g.one").then(|j| j.run("search-news everywhere lamps"));
    let rows = "*\t1\t0\t\t\t-\tkept\n\
        \tLamps\tE <e@x>\tWed, 04 Nov 2026 10:00:00 +0000\t<8@x>\t\t1\t1\t\n=\t120\n\n";
    let r = r.then(|j| j.expect_fetch("nntp:*/subject=lamps").answer(media::NEWSGROUP, rows.as_bytes()));
    let r = r.shows("\"lamps\" in subjects of all groups · 1 found in 121 articles kept here").lacks("unread");
    r.keys("m x h K").file("g.one: 1,5-7\n");
}

#[test]
fn a_search_says_what_it_needs() {
    let r = reader("").group("news:g.one").then(|j| j.run("search-news author"));
    let r = r.then(|j| j.shows("g.one"));
    assert!(r.j.app.hands.note.as_ref().is_some_and(|note| note.text.contains("subject, author or body")));
    let r = r.keys("M-/");
    assert!(r.j.app.hands.prompt().is_some_and(|prompt| prompt.input.value() == "search-news subject "));
}

#[test]
fn what_the_server_could_not_read_is_told() {
    let r = reader("g.one:\n").group("news:g.one").then(|j| j.run("search-news lamps"));
    found(r, "nntp:g.one/subject=lamps", "server 4").shows("2 found by the server and among 4 that are encoded");
}

/// What was read of a group is not shown less because the group shows only what is unread.
#[test]
fn what_is_found_is_shown_read_or_not() {
    let r = super::news::plain_reader("g.one: 1-9\n").group("news:g.one").then(|j| j.run("search-news lamps"));
    found(r, "nntp:g.one/subject=lamps", "server").shows("2 found by the server, 0 unread").shows("Lamps");
}

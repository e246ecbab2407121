//! What was read stays read: unread articles from one to the next, caught up with, kept in the newsrc over a restart.

use super::servers::{Server, inn};
use crate::packages;
use crate::terminal::Terminal;
use crate::{focus, quit};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A reader whose news server the environment names, with a home that outlives the program.
fn reader(server: &Server, home: &Path, page: &str) -> Terminal {
    let (address, editor) = (server.address.to_string(), home.join("editor"));
    let environment =
        [("HOME", home.to_str().unwrap()), ("NNTPSERVER", &*address), ("EDITOR", editor.to_str().unwrap())];
    Terminal::start_with(
        &["-o", "news.from=Ann <ann@example.invalid>", "-o", "news.threads=unread", page],
        80,
        24,
        &environment,
    )
}

/// A row of a group's page, by words in it.
fn row(screen: &str, words: &str) -> String {
    screen.lines().find(|row| row.contains(words)).unwrap_or_default().to_owned()
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn from_unread_to_unread_and_again_after_a_restart() {
    let packages = packages();
    let (server, home) = (inn(&packages), tempfile::tempdir().unwrap());
    let mut first = reader(&server, home.path(), "news:wf.mime");
    first.see("wf.mime · 671 articles, 671 unread").see("• Thread 1970");
    for (key, number) in [("n", 1994), ("n", 1997), ("n", 1970), ("N", 1973), ("P", 1970), ("N", 1973), ("^", 1970)] {
        first.keys(key).see(&format!("This is article {number}."));
    }
    // The way to the parent is a step of its own; the place is kept, and what was read is marked no more.
    first
        .keys("h")
        .see("This is article 1973.")
        .keys("h")
        .see("671 articles, 667 unread")
        .see_no("• Thread 1970")
        .see("• Thread 1946");
    quit(&mut first);
    let newsrc = || fs::read_to_string(home.path().join(".newsrc")).unwrap();
    assert_eq!(newsrc(), "wf.mime! 662-663,670-671\n");

    let mut second = reader(&server, home.path(), "news:wf.mime");
    second.see("671 articles, 667 unread").see_no("• Thread 1970").see("• Thread 1946");
    focus(&mut second, "Thread 1970");
    second
        .keys("e")
        .see_that("a thread folded away", |now| row(now, "Thread 1970").starts_with('▸') && !now.contains("├ ┬"));
    second.keys("n").see("This is article 1976.").keys("m").keys("h").see("671 articles, 667 unread");
    second.keys("c").see("all of wf.mime is read").see_no("• ");
    quit(&mut second);
    assert_eq!(newsrc(), "wf.mime! 1-671\n");

    let mut third = reader(&server, home.path(), "news:*");
    third.see_that("nothing new in one group", |now| {
        !row(now, "wf.mime").contains("unread") && row(now, "wf.mime").contains("671")
    });
    quit(&mut third);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn an_answer_is_posted_and_read() {
    let packages = packages();
    let (server, home) = (inn(&packages), tempfile::tempdir().unwrap());
    let editor = home.path().join("editor");
    fs::write(&editor, "#!/bin/sh\nprintf 'Well said, na\\303\\257ve reader.\\n' >> \"$1\"\n").unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o700)).unwrap();
    let mut first = reader(&server, home.path(), "news:wf.test");
    first.see("666 articles, 666 unread").keys("n").see("This is article 1992.").see("326 B").keys("Wf");
    first.see("Post this article?").see("Subject: Re: Thread 1992").see("> This is article 1992.").see("naïve");
    first.keys("s").see("posted to wf.test");
    // What the server has is what the others read: the page comes anew by itself, and one's own article is under focus, and read.
    first.keys("h").see("667 articles, 665 unread").see("+Ann◂");
    first.keys("\r").see("Well said, naïve reader.").see("> This is article 1992.").see("Ann <ann@example.invalid>");
    for words in ["This is article 1998.", "This is article 1995."] {
        first.keys("p").see(words);
    }
    quit(&mut first);

    let mut second = reader(&server, home.path(), "news:wf.test");
    second.see("667 articles, 663 unread").focused("Thread 1992").see_no("Ann  ");
    second.keys("e").see_that("one's own article, which is read", |now| {
        let row = row(now, "Ann  ");
        !row.is_empty() && !row.contains('•')
    });
    quit(&mut second);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn the_list_says_what_is_new_on_the_server() {
    let packages = packages();
    let (server, home) = (inn(&packages), tempfile::tempdir().unwrap());
    let visits = home.path().join(".local/state/wayfarer/visits");
    let mut first = reader(&server, home.path(), "news:*");
    first.see("┄ Welcome to the Wayfarer test news server.").see("Tests of reading news.").see_no("  new");
    quit(&mut first);
    let kept = fs::read_to_string(&visits).unwrap();
    let line = kept.strip_prefix("# wayfarer visits 1\n").unwrap();
    assert!(line.starts_with(&format!("{}\t20", server.address)) && line.lines().count() == 1, "{kept:?}");

    // The groups were made on the first day of 2025.
    fs::write(&visits, format!("{}\t2024-12-24T17:00:00Z\n", server.address)).unwrap();
    let mut second = reader(&server, home.path(), "news:*");
    second.see("wf.links◂ new").see("wf.mime  new").see("wf.test  new").see("┄ Welcome");
    second.see_that("new groups first", |now| !row(now, "wf.test").is_empty() && row(now, "control").is_empty());
    // What was not listed to its end was not listed.
    quit(second.loaded());
    let mut third = reader(&server, home.path(), "news:*");
    third.see("Tests of reading news.").see_no("  new");
    quit(&mut third);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn an_article_that_has_gone_is_offered_by_its_thread() {
    let packages = packages();
    let (server, home) = (inn(&packages), tempfile::tempdir().unwrap());
    let mut screen = reader(&server, home.path(), "news:wf.test");
    screen.see("wf.test · 666 articles").keys("gnews:nobody@example.invalid\r");
    screen.see("does not have the article").see("its group: news:wf.test").see_no("in its thread");
    screen.keys("gnntp:wf.test/99999\r").see("number 99999 of wf.test").see("its group: news:wf.test");
    quit(&mut screen);
}

//! Reading news: threads, quotes and headers that are folded, and articles that come later.

use super::journey::Journey;
use super::news::{GROUP, Reader, plain_reader, reader};
use wayfarer::format::media;

#[test]
fn threads_fold_and_articles_have_parents() {
    let r = reader("g.one:\n").group("news:g.one").keys("j j j").on("news:3@x");
    let r = r.keys("^").on("news:2@x").keys("^").notes("begins its thread");
    let r = r.keys("j j").on("news:4%2Fe@x").keys("e").shows("▸ • 3 unread  Tunnels").on("news:2@x").lacks("D\t");
    let r = r.keys("e").shows("▾ • Tunnels").shows("D\t");
    let r = r.keys("s d e").notes("no thread").keys("s t");
    r.keys("n").comes("2@x", "References: <1@x> <0/q@y>\r\n").keys("^").then(|j| j.expect_fetch("news:0%2Fq@y"));
}

#[test]
fn what_stands_under_an_article_folds() {
    let r = reader("g.one: 2-3\n").group("news:g.one").keys("j j j").on("news:3@x");
    let r = r.keys("e").shows("└ ▸ • 1 unread  C\t\t2\t").lacks("D\t").shows("▾   Tunnels").on("news:3@x");
    // Reading goes on into what is folded, and leads back to the head of the fold.
    let r = r.keys("n").comes("4%2Fe@x", "").keys("h").shows("└ ▸ C").on("news:3@x");
    r.keys("e").shows("└ ┬ C").shows("D\t").on("news:3@x").keys("e e").shows("D\t");
}

/// Articles of a group in threads of four, the newest first; the oldest of each comes in a later slice than the others.
fn slices(articles: std::ops::RangeInclusive<u32>) -> Vec<u8> {
    let line = |n: u32| {
        let first = (n - 1) / 4 * 4 + 1;
        let references = if n > first { format!("<{first}@x>") } else { String::new() };
        format!("{n}\tSubject {first}\tA{n} <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<{n}@x>\t{references}\t1\t1\t\n")
    };
    let (roots, others): (Vec<u32>, Vec<u32>) = articles.rev().partition(|n| n % 4 == 1);
    others.into_iter().chain(roots).map(line).collect::<String>().into_bytes()
}

#[test]
fn articles_that_come_join_their_threads_under_the_readers_eyes() {
    let r = reader("g.big:\n").then(|j| j.open("news:g.big").head(media::NEWSGROUP).body(b"g.big\t1\t40\t40\t\n"));
    let all = slices(1..=40);
    let lines: Vec<&[u8]> = all.split_inclusive(|b| *b == b'\n').collect();
    let r = r.then(|j| j.body(&lines[..30].concat())).keys("PgDn j j j");
    let place = |r: &Reader| {
        let entry = r.j.app.entry().unwrap();
        let (document, focus) = (entry.document().unwrap(), entry.focus.unwrap());
        let row = document.link_anchor(focus).unwrap().block - entry.top.block;
        (document.reference(focus).unwrap().to_owned(), row)
    };
    let before = place(&r);
    let mut r = r.shows("[Subject 37]");
    for line in &lines[30..] {
        r = r.then(|j| j.body(line));
        assert_eq!(place(&r), before);
        // Nothing stands below the threads.
        let page = r.j.page();
        let last = page.lines().last().unwrap();
        assert!(last.contains("└"), "{page}");
    }
    let r = r.shows("▾ • Subject 37\tA37\t4").then(|j| j.end());
    assert_eq!(place(&r), before);
    r.lacks("[Subject").shows("▾ • Subject 1\tA1\t4");
}

#[test]
fn what_the_reader_stands_on_stays_in_sight_when_its_thread_is_closed() {
    let r = reader("g.big: 1-9\n").then(|j| j.open("news:g.big").head(media::NEWSGROUP).body(b"g.big\t1\t9\t9\t\n"));
    let line = |n: u32, of: &str| format!("{n}\tS\tA{n} <a@x>\t\t<{n}@x>\t{of}\t1\t1\t\n").into_bytes();
    // All was read, so that threads are closed; an article that is alone is the head of one some lines later.
    let r = r.then(|j| j.body(&line(9, "<5@x>")).body(&line(8, "<4@x>"))).keys("j").on("news:8@x");
    let r = r.then(|j| j.body(&line(5, "")).body(&line(4, "")).end());
    r.on("news:8@x").shows("▾   S\tA4\t2").shows("▸   S\tA5\t2").lacks("A9");
}

#[test]
fn a_big_group_is_never_shown_without_threads() {
    let r = reader("g.big:\n").then(|j| j.open("news:g.big").head(media::NEWSGROUP).body(b"g.big\t1\t9\t9\t\n"));
    let mut r = r;
    for slice in (0..30).rev() {
        let octets = slices(slice * 1000 + 1..=slice * 1000 + 1000);
        for octets in octets.chunks(1 << 14) {
            r = r.then(|j| j.body(octets));
        }
        let page = r.j.page();
        assert!(page.lines().skip(1).all(|line| line.starts_with(['▾', ' '])), "{page}");
        let (articles, here) = (r.j.app.entry().unwrap().page.as_ref().unwrap().arrangement.counts.1, 30 - slice);
        assert!(articles <= here as usize * 1000);
    }
    let r = r.then(|j| j.end());
    let bar = |r: &Reader| {
        let page = r.j.app.entry().unwrap().page.as_ref().unwrap();
        (wayfarer::app::status::rows(page).unwrap(), wayfarer::app::status::unread(page).unwrap())
    };
    assert_eq!(bar(&r), (wayfarer::app::status::RowCount::All("30,000 articles".into()), "30,000 unread".into()));
}

#[test]
fn quoted_text_hides() {
    let r = reader("g.one:\n").group("news:g.one").keys("n").comes("8@x", "").shows("> quoted\n> quoted");
    r.keys("r")
        .notes("hidden")
        .lacks("> quoted\n> quoted")
        .shows("Hello.")
        .keys("r")
        .notes("shown")
        .shows("> quoted\n> quoted");
}

#[test]
fn quotes_and_headers_stay_as_the_reader_wants_them_from_article_to_article() {
    let r = reader("g.one:\n").group("news:g.one").keys("n").comes("8@x", "").keys("r").notes("hidden");
    let r = r.keys("n").comes("9@x", "").lacks("> quoted\n> quoted").shows("\n┄ 20 quoted lines (Enter)\n");
    let r = r.shows("\nall headers (2) (Enter)\n");
    let r = r.keys("M-h").shows("From: a@x").shows("Subject: 9@x");
    let r = r.keys("n").comes("2@x", "X-Odd: thing\r\n").lacks("> quoted\n> quoted").shows("X-Odd: thing");
    // one quote that was opened by hand is no wish; letters turned are for one article
    let r = r.keys("M-t").lacks("> quoted\n> quoted").shows("Uryyb.").keys("r").notes("shown").keys("M-h");
    let r = r.keys("n").comes("3@x", "X-Odd: thing\r\n").shows("> quoted\n> quoted").shows("Hello.").lacks("X-Odd");
    // going back the reader finds what they want now
    r.keys("r")
        .notes("hidden")
        .keys("m")
        .then(|j| j.open("news:g.one").answer(media::NEWSGROUP, GROUP.as_bytes()))
        .keys("Left")
        .lacks("> quoted\n> quoted");
}

#[test]
fn what_arrives_in_pieces_is_folded_as_the_reader_wants() {
    let quote = "> quoted\r\n".repeat(20);
    let article = format!("From: a@x\r\n\r\n{quote}\r\nOne.\r\n{quote}\r\nTwo.\r\n");
    let mut j = Journey::new().open("news:1@x").answer(media::MESSAGE, article.as_bytes()).keys("r");
    j.effects.clear();
    let mut j = j.open("news:2@x").head(media::MESSAGE);
    for piece in article.as_bytes().chunks(40) {
        j = j.body(piece);
        assert!(!j.page().contains("> quoted\n> quoted"), "{}", j.page());
    }
    j.end().shows("One.").shows("Two.").keys("r").shows("> quoted\n> quoted");
}

#[test]
fn every_quote_hides_however_short_and_a_short_one_has_a_line_only_then() {
    let j = Journey::new().open("news:1@x").answer(media::MESSAGE, b"From: a@x\n\n> one\nyes\n>> two\n> three\nno\n");
    let j = j.look(|j| assert!(!j.page().contains('┄'), "{}", j.page()));
    let j = j.keys("r").notes("hidden").look(|j| assert!(!j.page().contains("> "), "{}", j.page()));
    let j = j.shows("┄ 1 quoted line (Enter)\nyes\n┄ 2 quoted lines (Enter)\nno");
    let j = j.keys("r").notes("shown").shows("> one\nyes\n>> two\n> three\nno");
    j.look(|j| assert!(!j.page().contains('┄'), "{}", j.page()));
}

#[test]
fn without_a_quote_the_reader_is_told() {
    let j = Journey::new().open("news:1@x").answer(media::MESSAGE, b"From: a@x\n\nyes\n");
    j.keys("r").notes("nothing is quoted");
}

#[test]
fn find_opens_the_threads_that_hold_the_words() {
    let find = |r: Reader, words: &str| r.then(|j| j.keys("/").text(words).keys("Enter"));
    let r = plain_reader("").group("news:g.one").lacks("└").shows("▸").shows("Tunnels");
    // An answer's author, folded away.
    find(r, "D").shows("└").shows("▸ • 2 unread  Lamps");
    // The subject of a thread is in its own row, and nothing opens for its answers.
    let r = find(plain_reader("").group("news:g.one"), "tunnels").lacks("└");
    // The author of another answer is found in the same thread.
    find(r, "C").shows("└");
    // What the page leaves out is told of.
    let r = plain_reader("g.one: 1-4\n").group("news:g.one").lacks("Tunnels");
    find(r, "tunnels")
        .notes("\"tunnels\" is only in threads that this page leaves out; s u shows all")
        .lacks("Tunnels");
}

//! The loop in which news is read: one row a thread, only what is unread, and one key through all of it.

use super::journey::Journey;
use super::news::{GROUP, Reader, plain_reader, reader};
use std::collections::BTreeSet;
use std::sync::Arc;
use wayfarer::app::{Effect, Kept, Known, Msg, Remembered, SiteChoice};
use wayfarer::format::media;
use wayfarer::news::score::{ScoreText, Scores};

fn lines(r: &Reader) -> Vec<String> {
    r.j.page().lines().skip(1).map(|line| line.split('\t').next().unwrap_or_default().trim_end().to_owned()).collect()
}

#[test]
fn a_group_opens_with_one_row_for_each_thread_in_which_something_is_unread() {
    let r = plain_reader("g.one: 1-3,8\n").group("news:g.one");
    assert_eq!(lines(&r), ["▸ • 1 unread  Lamps", "▸ • 1 unread  Tunnels"]);
    // What is read stays until the page comes again.
    let r = r.keys("n").comes("9@x", "").keys("Left").on("news:8@x");
    assert_eq!(lines(&r), ["▸   Lamps", "▸ • 1 unread  Tunnels"]);
    let r = r.keys("R").then(|j| j.answer(media::NEWSGROUP, GROUP.as_bytes()));
    assert_eq!(lines(&r), ["▸ • 1 unread  Tunnels"]);
    // Where nothing is unread, and where the group is not taken, all is there.
    for newsrc in ["g.one: 1-9\n", "g.one! 1-3,8\n", ""] {
        assert_eq!(lines(&plain_reader(newsrc).group("news:g.one")).len(), 3, "{newsrc}");
    }
}

#[test]
fn what_of_a_group_is_shown_is_kept_for_it() {
    let kept = |words: &str| {
        let (host, choice) = ("news://s/g.one".to_owned(), SiteChoice::Show(words.into()));
        Effect::Keep(Kept::Site { host, choice })
    };
    let r = plain_reader("g.one: 1-3,8\n").group("news:g.one").keys("s u").notes("all articles");
    let r = r.then(|j| j.expect(kept("all")));
    assert_eq!(lines(&r).len(), 3);
    let r = r.then(|j| j.open("gopher://h/").answer(media::MENU, b"")).group("news:g.one");
    assert_eq!(lines(&r).len(), 3, "the next time, too");
    let mut r = plain_reader("g.one! 1-3,8\n");
    r.j.remember(Remembered { shows: [("news://s/g.one".into(), "unread".into())].into(), ..Remembered::default() });
    let r = r.group("news:g.one");
    assert_eq!(lines(&r).len(), 2);
    r.keys("s u").then(|j| j.expect(kept("all"))).keys("s u").then(|j| j.expect(kept("unread")));
}

#[test]
fn a_star_opens_and_closes_all_threads_of_a_group() {
    let r = plain_reader("g.one! 1\n").group("news:g.one").keys("Tab").on("news:2@x");
    let r = r.keys("*").notes("all threads are open").shows("D\t").shows("F\t").on("news:2@x").keys("j").on("news:3@x");
    let r = r.keys("*").notes("all threads are folded").lacks("D\t").lacks("F\t").on("news:2@x");
    // One that was opened by itself counts as one.
    let r = r.keys("e").shows("D\t").lacks("F\t").keys("*").notes("open").shows("F\t");
    let r = r.then(|j| j.run("folds close")).lacks("D\t").keys("s d *").notes("no threads to open or close");
    r.lacks("nothing is folded");
}

#[test]
fn a_star_is_quick_in_a_group_of_twenty_thousand() {
    let mut group = String::from("g.big\t1\t20000\t20000\t\n");
    for n in 1..=20_000 {
        let first = n - n % 15;
        let references = if n > first && first > 0 { format!("<{first}@x>") } else { String::new() };
        group +=
            &format!("{n}\tSubject {first}\tA <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<{n}@x>\t{references}\t1\t1\t\n");
    }
    let r = plain_reader("").then(|j| j.open("news:g.big").answer(media::NEWSGROUP, group.as_bytes()));
    let rows = |r: &Reader| r.j.page().lines().count();
    let folded = rows(&r);
    assert!((1_300..1_400).contains(&folded), "{folded}");
    let r = r.keys("*");
    assert_eq!(rows(&r), 20_001);
    let r = r.keys("*");
    assert_eq!(rows(&r), folded);
}

#[test]
fn the_key_that_asked_whether_to_go_on_says_yes() {
    let newsrc = "g.one: 1-9\ng.two: 1-17\n";
    let r = plain_reader(newsrc).group("news:g.one").keys("n").then(|j| j.asks("n again: go there."));
    r.keys("n").then(|j| j.expect_fetch("news:g.two"));
    let r = plain_reader("").then(|j| j.open("news:5@x")).comes("5@x", "Newsgroups: g.one\r\n").keys("n");
    let r = r.then(|j| j.asks("n again: open g.one."));
    // Another key does not, nor what was typed ahead with that key in it: then it is answered by its letter.
    let r = r.keys("N").then(|j| j.asks("opened from no group"));
    let r = r.then(|j| j.text(":conversation").asks("opened from no group"));
    r.keys("y").then(|j| j.expect_fetch("news:g.one"));
}

#[test]
fn the_key_that_asked_says_yes_to_no_warning() {
    let rows = b"1Odd\t/odd\th\t300\r\n.\r\n";
    let j = Journey::new().open("gopher://h/").answer(media::MENU, rows).keys("l").asks("300").keys("l").asks("300");
    j.keys("Right").asks("300").keys("Esc").free();
}

/// A spool: groups with their articles, the newest in the first slice.
struct Spool {
    groups: Vec<(&'static str, u32)>,
}

impl Spool {
    fn list(&self) -> String {
        self.groups.iter().map(|(name, count)| format!("{name}\t1\t{count}\t{count}\ty\t\n")).collect()
    }

    fn overview(&self, of: &str) -> String {
        let (name, count) = self.groups.iter().find(|(name, _)| *name == of).unwrap();
        let line = |n: u32| {
            let first = n - n % 7;
            let references = if n > first && first > 0 { format!("<{first}.{name}@x>") } else { String::new() };
            format!("{n}\tS {first}\tA <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<{n}.{name}@x>\t{references}\t1\t1\t\n")
        };
        format!("{name}\t1\t{count}\t{count}\t\n{}", (1..=*count).map(line).collect::<String>())
    }
}

#[test]
fn a_spool_is_read_from_first_to_last_by_space_alone() {
    let spool = Spool { groups: vec![("g.a", 300), ("g.b", 0), ("g.c", 1), ("g.d", 120)] };
    for listed in [true, false] {
        let mut r = plain_reader("g.a:\ng.b:\ng.c:\ng.d:\n");
        r = match listed {
            // From the list of one's groups, or from the page of the first.
            true => r.then(|j| j.open("news:").answer(media::NEWSGROUPS, spool.list().as_bytes())),
            false => r.then(|j| j.open("news:g.a").answer(media::NEWSGROUP, spool.overview("g.a").as_bytes())),
        };
        let mut read = BTreeSet::new();
        let mut pressed = 0;
        loop {
            pressed += 1;
            assert!(pressed < 3_000, "it ends");
            let before = r.j.fetches.len();
            r = r.keys("Space");
            assert!(r.j.app.hands.overlays().is_empty(), "nothing is asked in between");
            if r.j.fetches.len() == before {
                if r.j.app.hands.note.as_ref().is_some_and(|note| note.text.contains("nor in other groups")) {
                    break;
                }
                continue;
            }
            let url = r.j.fetches.last().unwrap().1.url.as_str().to_owned();
            let name = url.strip_prefix("news:").unwrap();
            r = match name.strip_suffix("@x") {
                Some(id) => {
                    assert!(read.insert(id.to_owned()), "{id} came twice");
                    let lines = if read.len() % 10 == 0 { 60 } else { 3 };
                    let body = format!("From: a@x\r\nSubject: {id}\r\n\r\n{}", "A line.\r\n".repeat(lines));
                    r.then(|j| j.answer(media::MESSAGE, body.as_bytes()))
                }
                None => {
                    let overview = spool.overview(name);
                    r.then(|j| j.answer(media::NEWSGROUP, overview.as_bytes()))
                }
            };
        }
        assert_eq!(read.len(), 421, "each once");
        // Articles of sixty lines take two or three screens; a group of its own takes one key to enter.
        assert!(pressed < 421 + 3 * 42 + 16, "{pressed}");
        r.file("g.a: 1-300\ng.b:\ng.c: 1\ng.d: 1-120\n");
    }
}

#[test]
fn space_on_the_list_of_ones_groups_goes_into_the_first_with_something_unread() {
    let r =
        plain_reader("g.two: 1-17\ng.one: 1-9\n").list("news:").keys("Space").then(|j| j.expect_fetch("news:g.two"));
    drop(r);
    let r =
        plain_reader("g.one: 1-9\ng.two: 1-17\n").list("news:").keys("Space").then(|j| j.expect_fetch("news:g.two"));
    drop(r);
    // All groups of a server are paged through, as ever.
    plain_reader("g.one: 1\n").list("news:*").keys("Space").then(|j| j.quiet().at_url("news:*"));
}

#[test]
fn space_pages_through_a_group_in_which_nothing_is_unread() {
    let rows: String = (1..=60).map(|n| format!("{n}\tS {n}\tA <a@x>\t\t<{n}@x>\t\t1\t1\t\n")).collect();
    let group = format!("g.one\t1\t60\t60\t\n{rows}");
    let r = plain_reader("g.one: 1-60\ng.two: 1\n");
    let r = r.then(|j| j.open("news:g.one").answer(media::NEWSGROUP, group.as_bytes()));
    let r = r.keys("Space Space").keys("Space").notes("the end; Space again goes on to the next group");
    r.keys("Space").then(|j| j.expect_fetch("news:g.two"));
}

#[test]
fn nothing_typed_at_the_prompt_finds_the_last_words_again() {
    let r = reader("g.one:\n").group("news:g.one").keys("/").then(|j| j.text("Tunnels")).keys("Enter");
    let at = |r: &Reader| r.j.app.tab.found.as_ref().map(|found| found.start);
    let first = at(&r);
    assert!(first.is_some());
    let group = GROUP.replace("Re: Tunnels", "Tunnels and shafts").replace("Re: Lamps", "Lamps of Tunnels");
    let r = reader("g.one:\n").then(|j| j.open("news:g.one").answer(media::NEWSGROUP, group.as_bytes()));
    let r = r.keys("/").then(|j| j.text("Tunnels")).keys("Enter");
    let first = at(&r);
    let r = r.keys("/ Enter");
    let second = at(&r);
    assert!(second > first && first.is_some(), "{first:?} {second:?}");
    // And keys of its own, where n and N go from article to article.
    let r = r.keys("F3");
    assert!(at(&r) > second);
    let r = r.keys("S-F3");
    assert_eq!(at(&r), second);
    // On another page they are the words still.
    let r = r.then(|j| j.open("gopher://h/0/a").answer("text/plain", b"one\ntwo\nTunnels\n")).keys("/ Enter");
    assert!(at(&r).is_some());
}

#[test]
fn the_focus_stays_on_its_article_when_its_page_comes_again() {
    let more = "10\tRails\tG <g@x>\tThu, 05 Nov 2026 10:00:00 +0000\t<10@x>\t\t1\t1\t\n\
        11\tRe: Tunnels\tH <h@x>\tThu, 05 Nov 2026 11:00:00 +0000\t<11@x>\t<2@x>\t1\t1\t\n";
    let fresh = format!("{GROUP}{more}").replace("\t1\t9\t6\t", "\t1\t11\t8\t");
    // On a row, in a thread that was opened, and where the server says the articles in another order.
    let turned: String = {
        let mut lines: Vec<&str> = fresh.lines().collect();
        lines[1..].reverse();
        lines.iter().map(|line| format!("{line}\n")).collect()
    };
    for fresh in [&fresh, &turned] {
        let again = |r: Reader| r.keys("R").then(|j| j.answer(media::NEWSGROUP, fresh.as_bytes()));
        let r = plain_reader("g.one: 1\n").group("news:g.one").keys("j").on("news:2@x");
        again(r).on("news:2@x").shows("Rails");
        let r = plain_reader("g.one! 1-9\n").group("news:g.one").keys("Home j j").on("news:1@x");
        again(r).on("news:1@x").shows("Rails");
        let r = plain_reader("g.one: 1\n").group("news:g.one").keys("j e j").on("news:3@x");
        again(r).on("news:3@x").shows("Rails");
    }
}

#[test]
fn groups_that_the_server_has_no_more_are_listed_as_gone() {
    let r = plain_reader("g.gone: 1-40\ng.two: 1-17\nalt.gone: 7\nalt.off! 1\n").list("news:");
    let r = r.shows("g.gone  gone\t\tthis server has no such group").shows("alt.gone  gone").lacks("alt.off");
    assert_eq!(r.j.page().lines().map(|line| line.split("  ").nth(1).unwrap_or(line)).next(), Some("g.gone"));
    // It can be let go there.
    let r = r.keys("Home u").notes("you no longer take g.gone").lacks("g.gone").shows("alt.gone");
    let r = r.file("g.gone! 1-40\ng.two: 1-17\nalt.gone: 7\nalt.off! 1\n");
    // What a part of a list does not name, or one that broke off, is not gone.
    r.list("news:g.*").lacks("gone");
    let r = plain_reader("g.gone: 1-40\n")
        .then(|j| j.open("news:").answer_cut(media::NEWSGROUPS, b"g.two\t1\t2\t2\ty\t\n"));
    r.lacks("gone");
}

#[test]
fn the_header_says_how_many_articles_are_not_listed() {
    let group = GROUP.replace("g.one\t1\t9\t6\t\n", "g.one\t1\t9\t163605\t\t1-1\n").replace("1\tOld", "2000\tOld");
    let r = plain_reader("").then(|j| j.open("news:g.one").answer(media::NEWSGROUP, group.as_bytes()));
    r.shows("g.one · 6 of 163,605 articles");
    // A count that is but a guess says nothing where all are there.
    let group = GROUP.replace("\t9\t6\t", "\t9\t8\t");
    let r = plain_reader("").then(|j| j.open("news:g.one").answer(media::NEWSGROUP, group.as_bytes()));
    r.shows("g.one · 6 articles");
}

#[test]
fn one_step_back_leads_to_the_group_whatever_was_read_in_between() {
    let r = plain_reader("g.one:\n").group("news:g.one").keys("Tab n").comes("2@x", "");
    let r = r.keys("n").comes("3@x", "References: <2@x>\r\n").keys("^").comes("2@x", "");
    // Back from it is the article that answers; but from the next unread one it is the group.
    let r = r.keys("Left").at("news:3@x").keys("^").comes("2@x", "");
    let r = r.keys("n").comes("4%2Fe@x", "").keys("n").comes("1@x", "").keys("Left").at("news:g.one");
    r.on("news:1@x");
}

/// The group of which the list says that something is unread was paged through, article by article, where all of that was killed.
#[test]
fn space_goes_on_where_all_that_was_unread_is_killed() {
    let today = |r: Reader| r.then(|j| j.send(Msg::Clock("2026-11-05T12:00:00+00:00[UTC]".parse().unwrap())));
    let killing = |r: Reader| {
        let text = "Score: =-9999\nSubject: lamps\n".into();
        let file = ScoreText { name: "scores".into(), text, includes: Vec::new() };
        let known = Known::Scores(Arc::new(Scores::read(vec![file])));
        today(r).then(|j| j.send(Msg::Known { known, remark: None }))
    };
    let r = killing(plain_reader("g.one: 1-7\ng.two: 1-17\n")).list("news:").keys("Space");
    let r = r.then(|j| j.expect_fetch("news:g.one").answer(media::NEWSGROUP, GROUP.as_bytes()));
    let r = r.shows("2 killed by score").file("g.one: 1-9\ng.two: 1-17\n");
    r.keys("Space").then(|j| j.expect_fetch("news:g.two"));
    // Where there is no other group it is paged through.
    let r = killing(plain_reader("g.one: 1-7\n")).group("news:g.one");
    r.keys("Space").then(|j| j.quiet().at_url("news:g.one"));
}

//! Where the reader has been: pages by equivalence, the file, forgetting, finding.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::random::search;
use proptest::prelude::*;
use wayfarer::stop::Stop;
use wayfarer::url::Url;
use wayfarer::visits::{Before, Flaw, Forget, Newer, Pages, Trail, Visit, Visits, line};

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn visits(rows: &[(&str, &str, i64)]) -> Visits {
    let mut visits = Visits::default();
    rows.iter().for_each(|(url, title, time)| visits.add(Visit { url, title, time: *time, count: 1 }));
    visits
}

fn shown(visits: &Visits) -> Vec<String> {
    visits.newest().map(|v| format!("{} {} {} {}", v.time, v.url, v.title, v.count)).collect()
}

#[test]
fn equivalent_urls_are_one_page_under_the_address_visited_last() {
    let v = visits(&[("HTTP://H:80/%7ea", "A", 1), ("http://h/b", "B", 2), ("http://h/~a#x", "", 3)]);
    assert_eq!(shown(&v), ["3 http://h/~a#x A 2", "2 http://h/b B 1"]);
    assert!(v.contains(&url("http://h:80/~a")) && v.contains(&url("http://h/%7Ea#y")));
    assert!(!v.contains(&url("http://h/")) && !v.contains(&url("https://h/b")));
}

#[test]
fn a_title_comes_later_and_is_no_visit() {
    let mut v = visits(&[("http://h/a", "", 1), ("http://h/b", "", 2)]);
    v.entitle(&url("http://h/a"), "A");
    v.entitle(&url("http://h/none"), "N");
    v.entitle(&url("http://h/b"), "two\nlines");
    assert_eq!(shown(&v), ["2 http://h/b  1", "1 http://h/a A 1"]);
    let (read, flaws) = Visits::read(b"1\thttp://h/a\t\n2\thttp://h/b\t\n1\thttp://h/a\tA\n".to_vec()).unwrap();
    assert_eq!((shown(&read), flaws), (shown(&v), vec![]));
}

#[test]
fn what_cannot_be_a_line_is_not_added() {
    let v = visits(&[("not a url", "", 1), ("http://h/", "a\tb", 2), ("http://h/\nx", "", 3)]);
    assert!(v.is_empty());
}

#[test]
fn a_clock_that_was_set_back_keeps_the_order() {
    let v = visits(&[("http://h/a", "", 100), ("http://h/b", "", 5)]);
    assert_eq!(v.newest().map(|v| v.url).collect::<Vec<_>>(), ["http://h/b", "http://h/a"]);
}

#[test]
fn bad_lines_are_told_with_their_numbers_and_cost_only_themselves() {
    let file =
        b"# wayfarer history 1\n5\thttp://h/five\tF\ngarbage\n7\thttp://h/seven\n\xFF\thttp://h/\t\nx\thttp://h/\t\n\
        9\tno url\t\n3\thttp://h/three\tT\t4\r\n8\thttp://h/cut\tA tit";
    let (v, flaws) = Visits::read(file.to_vec()).unwrap();
    assert_eq!(shown(&v), ["8 http://h/cut A tit 1", "5 http://h/five F 1", "3 http://h/three T 4"]);
    assert_eq!(flaws.iter().map(|flaw| flaw.line).collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
    assert_eq!(flaws[2], Flaw { line: 5, what: "this is not UTF-8" });
}

#[test]
fn a_newer_file_is_refused() {
    assert_eq!(Visits::read(b"# wayfarer history 3\n1\thttp://h/\t\n".to_vec()).unwrap_err(), Newer(3));
    assert!(Visits::read(Vec::new()).unwrap().0.is_empty());
}

#[test]
fn forgetting() {
    let all =
        [("http://a.example/1", "", 1), ("gopher://A.example/1/x", "", 5), ("file:///x", "", 6), ("http://b/", "", 9)];
    let left = |what: Forget| {
        let mut v = visits(&all);
        let (count, gone) = (v.count(&what), v.forget(&what));
        assert_eq!(count, gone);
        assert_eq!(v.len(), all.len() - gone);
        v.newest().map(|v| v.time).collect::<Vec<_>>()
    };
    assert_eq!(left(Forget::Page(url("HTTP://b"))), [6, 5, 1]);
    assert_eq!(left(Forget::Host("a.example".into())), [9, 6]);
    assert_eq!(left(Forget::Host(String::new())), [9, 5, 1]);
    assert_eq!(left(Forget::Since(6)), [5, 1]);
    assert_eq!(left(Forget::All), [0; 0]);
    let mut v = visits(&all);
    v.see(&url("http://other/"));
    v.forget(&Forget::Host("b".into()));
    assert!(!v.contains(&url("http://b/")) && v.contains(&url("file:///x")) && !v.contains(&url("http://other/")));
    v.add(Visit { url: "http://b/", title: "", time: 10, count: 1 });
    assert_eq!(v.newest().next().unwrap().count, 1, "what is forgotten does not come back");
}

#[test]
fn only_the_newest_are_kept() {
    let mut v = visits(&[("http://h/1", "", 1), ("http://h/2", "", 2), ("http://h/1", "", 3), ("http://h/4", "", 4)]);
    v.keep_newest(2);
    assert_eq!(v.newest().map(|v| v.time).collect::<Vec<_>>(), [4, 3]);
    assert!(!v.contains(&url("http://h/2")));
}

#[test]
fn what_was_visited_while_the_file_was_read_is_taken_over_once() {
    let (mut read, _) = Visits::read(b"1\thttp://h/old\tO\n7\thttp://h/new\t\n9\thttp://h/newer\t\n".to_vec()).unwrap();
    let session = visits(&[("http://h/new", "N", 7), ("http://h/newer", "", 9), ("http://h/newest", "", 11)]);
    read.absorb(&session);
    assert_eq!(
        shown(&read),
        ["11 http://h/newest  1", "9 http://h/newer  1", "7 http://h/new N 1", "1 http://h/old O 1"]
    );
}

fn found(v: &Visits, words: &str, before: Option<i64>, most: usize) -> (Vec<i64>, bool) {
    let listing = v.pages().listing(words, before, most, &Stop::new()).unwrap();
    (listing.visits().iter().map(|v| v.time).collect(), listing.has_older)
}

#[test]
fn who_looks_through_the_pages_sees_them_as_they_were() {
    let rows: Vec<String> = (0..10_000).map(|n| format!("http://h/{n}")).collect();
    let mut v = visits(&rows.iter().zip(0..).map(|(url, time)| (url.as_str(), "", time)).collect::<Vec<_>>());
    let before = v.pages().clone();
    let seen = |pages: &Pages| pages.older(usize::MAX).map(|(_, visit)| format!("{visit:?}")).collect::<Vec<_>>();
    let then = seen(&before);
    assert_eq!((before == *v.pages(), then.len()), (true, 10_000));
    v.add(Visit { url: "http://h/5", title: "Five", time: 10_000, count: 1 });
    v.entitle(&url("http://h/7000"), "Seven thousand");
    v.forget(&Forget::Since(9_000));
    assert_eq!(seen(&before), then);
    assert!(before != *v.pages());
    assert_eq!(v.pages().older(usize::MAX).count(), 8_999, "all but the last thousand, and the one visited again");
    assert_eq!(v.of(&url("http://h/7000")).unwrap().title, "Seven thousand");
    assert_eq!(v.pages().older(4_100).next().unwrap().0, 4_099);
    let stop = Stop::new();
    stop.give_up();
    assert_eq!(v.pages().listing("", None, 5, &stop), None);
}

#[test]
fn words_are_found_in_title_and_address_whatever_their_case() {
    let v = visits(&[
        ("gopher://sdf.org/", "Public access", 1),
        ("http://h/Straße", "Über alles", 2),
        ("gopher://h/1/sdf", "", 3),
    ]);
    assert_eq!(found(&v, "", None, 9).0, [3, 2, 1]);
    assert_eq!(found(&v, "SDF gopher", None, 9).0, [3, 1]);
    assert_eq!(found(&v, "über STRASSE", None, 9).0, [0; 0]);
    assert_eq!(found(&v, "üBER straße", None, 9).0, [2]);
    assert_eq!(found(&v, "access org", None, 9).0, [1]);
    assert_eq!(found(&v, "a-word-longer-than-everything-that-there-is-in-any-of-them", None, 9).0, [0; 0]);
}

#[test]
fn older_pages_begin_where_the_newer_ended() {
    let rows: Vec<String> = (0..10).map(|n| format!("http://h/{n}")).collect();
    let times = [1, 2, 3, 4, 4, 4, 7, 8, 9, 10];
    let v = visits(&rows.iter().zip(times).map(|(url, time)| (url.as_str(), "", time)).collect::<Vec<_>>());
    assert_eq!(found(&v, "", None, 3), (vec![10, 9, 8], true));
    assert_eq!(found(&v, "", Some(8), 2), (vec![7, 4, 4, 4], true), "one second is not torn apart");
    assert_eq!(found(&v, "", Some(4), 9), (vec![3, 2, 1], false));
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn a_file_says_what_was_visited(rows in prop::collection::vec((0..20u8, "[ -~äß]{0,9}", 0..50i64), 0..60)) {
        let mut lines = String::from("# wayfarer history 1\n");
        for (page, title, time) in &rows {
            lines.push_str(&line(Visit { url: &format!("http://h/{page}"), title, time: *time, count: 1 }, ""));
        }
        let (read, flaws) = Visits::read(lines.into_bytes()).unwrap();
        prop_assert!(flaws.is_empty());
        let (again, flaws) = Visits::read(read.write().into_bytes()).unwrap();
        prop_assert!(flaws.is_empty());
        prop_assert_eq!(shown(&again), shown(&read));
    }

    #[test]
    fn any_octets_are_read(octets in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok((visits, flaws)) = Visits::read(octets) {
            prop_assert!(flaws.windows(2).all(|pair| pair[0].line < pair[1].line));
            prop_assert_eq!(visits.newest().count(), visits.len());
        }
    }
}

/// Addresses of a trail, with where one turned off.
fn told(trail: &Trail) -> Vec<String> {
    let offs = |station: &wayfarer::visits::Station| {
        station.offs.iter().map(|off| format!(" +{}", off.url)).collect::<String>()
    };
    trail.stations.iter().map(|station| format!("{}{}", station.url, offs(station))).collect()
}

fn trail(visits: &Visits, to: &str) -> Trail {
    visits.pages().trail(visits.last(&url(to)).unwrap(), &Stop::new()).unwrap()
}

/// Visits of pages and of those that led there, a second apart.
fn led(rows: &[(&str, &str)]) -> Visits {
    let mut visits = Visits::default();
    for ((page, led), time) in rows.iter().zip(1..) {
        let page = format!("http://h/{page}");
        let led = (!led.is_empty()).then(|| url(&format!("http://h/{led}")));
        visits.add_led(Visit { url: &page, title: "", time, count: 1 }, led.as_ref());
    }
    visits
}

#[test]
fn a_trail_goes_back_to_where_it_began_and_tells_where_one_turned_off() {
    let v = led(&[("a", ""), ("b", "a"), ("x", "a"), ("c", "b"), ("y", "b"), ("other", ""), ("d", "c")]);
    let way = trail(&v, "http://h/c");
    assert_eq!(told(&way), ["http://h/a +http://h/x", "http://h/b +http://h/y", "http://h/c +http://h/d"]);
    assert_eq!(way.before, Before::Nothing);
    assert_eq!(told(&trail(&v, "http://h/other")), ["http://h/other"]);
}

#[test]
fn a_page_that_was_visited_again_has_the_way_of_then_on_the_way_of_then() {
    let v = led(&[("a", ""), ("b", "a"), ("a", "b"), ("z", ""), ("b", "z")]);
    assert_eq!(told(&trail(&v, "http://h/a")), ["http://h/a", "http://h/b", "http://h/a"]);
    assert_eq!(told(&trail(&v, "http://h/b")), ["http://h/z", "http://h/b +http://h/a"]);
}

#[test]
fn a_trail_outlives_the_file_and_its_being_written_anew() {
    let file = "# wayfarer history 1\n1\thttp://h/a\t\n1\thttp://h/a\tA\n2\thttp://h/b\t\t1\thttp://h/a\n2\thttp://h/b\tB\n\
        3\thttp://H:80/c\tC\t1\thttp://h/b\n4\thttp://h/b\t\t1\thttp://h/nowhere\n";
    let (v, flaws) = Visits::read(file.into()).unwrap();
    assert_eq!(flaws, []);
    let way = trail(&v, "http://h/c");
    assert_eq!(told(&way), ["http://h/a", "http://h/b", "http://H:80/c"]);
    assert_eq!(
        way.stations.iter().map(|s| (s.title.as_str(), s.time)).collect::<Vec<_>>(),
        [("A", 1), ("B", 2), ("C", 3)]
    );
    // Of b the way to c leads over a visit that is not its last.
    let (again, flaws) = Visits::read(v.write().into_bytes()).unwrap();
    assert_eq!((flaws, again.write()), (vec![], v.write()));
    assert_eq!(told(&trail(&again, "http://h/c")), ["http://h/a", "http://h/b", "http://H:80/c"]);
    let counts = |v: &Visits| v.newest().map(|visit| (visit.url.to_owned(), visit.count)).collect::<Vec<_>>();
    assert_eq!(counts(&again), counts(&v));
    let v = led(&[("a", ""), ("b", "a"), ("a", "b")]);
    let (again, _) = Visits::read(v.write().into_bytes()).unwrap();
    assert_eq!(told(&trail(&again, "http://h/a")), ["http://h/a", "http://h/b", "http://h/a"], "{}", v.write());
}

#[test]
fn a_file_that_is_written_anew_keeps_the_ways_and_nothing_else_of_earlier_visits() {
    let (mut v, mut led) = (Visits::default(), None);
    // A walk to and fro over a few pages, and one page that is named over and over.
    for (n, time) in (0..4_000_u32).zip(1..) {
        let page = format!("http://h/{}", n * 7 % 31);
        v.add_led(Visit { url: &page, title: "t", time, count: 1 }, led.as_ref());
        v.add(Visit { url: "http://h/named", title: "", time, count: 1 });
        led = Some(url(&page));
    }
    let written = v.write();
    assert!(written.lines().count() <= 32 + 16 + 500, "{} lines", written.lines().count());
    let (again, _) = Visits::read(written.into_bytes()).unwrap();
    let counts = |v: &Visits| v.newest().map(|visit| (visit.url.to_owned(), visit.count)).collect::<Vec<_>>();
    assert_eq!(counts(&again), counts(&v));
    let to = v.newest().nth(1).unwrap().url.to_owned();
    assert_eq!(trail(&again, &to), trail(&v, &to), "the last stations are what they were");
    assert_eq!(again.write().lines().filter(|line| line.contains("named")).count(), 1);
}

#[test]
fn what_is_forgotten_is_on_no_trail_nor_in_the_file() {
    let mut v = led(&[("secret", ""), ("b", "secret"), ("secret", "b"), ("c", "b")]);
    v.forget(&Forget::Page(url("http://h/secret")));
    let way = trail(&v, "http://h/c");
    assert_eq!((told(&way), way.before), (vec!["http://h/b".into(), "http://h/c".into()], Before::Forgotten));
    assert!(!v.write().contains("secret"), "{}", v.write());
    v.add(Visit { url: "http://h/secret", title: "", time: 9, count: 1 });
    assert_eq!(told(&trail(&v, "http://h/c")).len(), 2, "what led there stays forgotten");
}

#[test]
fn a_trail_of_many_visits_is_bounded() {
    let names: Vec<String> = (0..5_000).map(|n| format!("p{n}")).collect();
    let chain: Vec<(&str, &str)> =
        (0..5_000).map(|n| (names[n].as_str(), if n == 0 { "" } else { names[n - 1].as_str() })).collect();
    let way = trail(&led(&chain), "http://h/p4999");
    assert_eq!((way.before, way.stations.len() <= 200), (Before::More, true));
    // A page that leads to all others, and is come back to each time.
    let hub: Vec<(&str, &str)> = names.iter().flat_map(|name| [("hub", ""), (name.as_str(), "hub")]).collect();
    let v = led(&hub);
    let way = trail(&v, "http://h/p7");
    assert_eq!((told(&way).len(), way.stations[0].offs.len() + way.stations[0].more), (2, 4_999));
    assert_eq!(Visits::read(v.write().into_bytes()).unwrap().0.len(), 5_001);
}

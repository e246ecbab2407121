//! What was found new, shared by running copies: who looks at which source, what is unread, how much is kept.

use super::{Copy, NOW, PLENTY, place, text, url};
use std::fs;
use wayfarer::format::{Input, Intake, Reader, media};
use wayfarer::store::{Looked, Source, of_source};
use wayfarer::subscriptions::{Difference, Memory, difference, offered};
use wayfarer::url::Url;
use wayfarer::visits::Forget;

const HOUR: i64 = 3600;

/// What came of looking at a menu with so many items.
fn menu(address: &str, items: std::ops::Range<u32>, before: Option<&Memory>) -> (Looked, Memory) {
    let rows: String = items.map(|n| format!("0Item {n}\t/{n}\th\t70\r\n")).collect();
    let (groups, notices) = (Default::default(), Vec::new());
    let input = Input { media: media::MENU.into(), charset: None, url: url(address), groups, notices };
    let mut reader = Reader::new(Intake { input, title: None, keep: 4 << 20, memory: 64 << 20 }).unwrap();
    reader.take(rows.as_bytes());
    let offer = offered(&url(address), media::MENU, &reader.finish()).unwrap();
    let looked_at = offer.looked_at();
    let Difference { fresh, memory, older } = difference(before, offer).unwrap();
    (
        Looked::Had {
            title: "A menu".into(),
            fresh,
            memory: memory.clone(),
            older,
            looked_at,
            validator: Some("tag".into()),
        },
        memory,
    )
}

impl Copy {
    fn due(&self, all: &[&str], now: i64, now_all: bool) -> Vec<String> {
        let all: Vec<Url> = all.iter().map(|address| url(address)).collect();
        let due = self.runtime.block_on(self.store.take_due(all, now, now_all)).unwrap();
        due.iter().map(|url| url.as_str().to_owned()).collect()
    }

    fn looked(&self, address: &str, looked: Looked, now: i64) -> bool {
        self.runtime.block_on(self.store.looked(url(address), looked, now, HOUR)).unwrap()
    }

    fn memory(&self, address: &str) -> Option<Memory> {
        self.runtime.block_on(self.store.memory(url(address))).unwrap().map(|(memory, _)| memory)
    }

    fn titles(&self, of: Option<&str>) -> Vec<(String, bool)> {
        let found = self.runtime.block_on(self.store.found(of.map(url))).unwrap();
        found.into_iter().map(|item| (item.title, item.read)).collect()
    }

    fn source(&self, address: &str) -> Source {
        self.runtime.block_on(self.store.sources(vec![url(address)])).unwrap().remove(0)
    }
}

#[test]
fn a_source_is_looked_at_by_one_copy_and_again_when_it_is_due() {
    let (_folder, file) = place();
    let (one, two) = (Copy::of(&file, PLENTY), Copy::of(&file, PLENTY));
    let all = ["gopher://h/", "http://h/feed"];
    assert_eq!(one.due(&all, NOW, false), all);
    assert_eq!(two.due(&all, NOW, false), [""; 0], "the other copy has them");
    // One that was killed over it has it no longer.
    assert_eq!(two.due(&all, NOW + 601, false), all);
    let (had, memory) = menu("gopher://h/", 0..2, None);
    assert!(!two.looked("gopher://h/", had, NOW + 602));
    assert_eq!(one.memory("gopher://h/"), Some(memory));
    assert_eq!(one.due(&all[..1], NOW + 602 + HOUR - 1, false), [""; 0]);
    assert_eq!(one.due(&all[..1], NOW + 602 + HOUR - 1, true), ["gopher://h/"], "the reader may ask at any time");
    assert_eq!(one.due(&all[..1], NOW + 602 + 2 * HOUR, false), ["gopher://h/"]);
    // Where a look takes longer, whoever looks holds what is left.
    let left = || vec![url("gopher://h/")];
    one.runtime.block_on(one.store.hold(left(), NOW + 602 + 2 * HOUR + 500)).unwrap();
    assert_eq!(two.due(&all[..1], NOW + 602 + 2 * HOUR + 601, false), [""; 0]);
    // A clock that was set back stops nothing.
    assert_eq!(one.due(&all[..1], NOW - 40 * 86_400, false), ["gopher://h/"]);
}

/// A slip in the file of subscriptions took along for good what was known of all that stands in the row.
#[test]
fn what_is_known_of_a_source_that_is_missing_from_the_list_is_kept_for_a_month() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let all = ["gopher://h/", "http://h/feed"];
    copy.due(&all, NOW, true);
    let (first, memory) = menu("gopher://h/", 0..2, None);
    copy.looked("gopher://h/", first, NOW);
    copy.looked("gopher://h/", menu("gopher://h/", 0..4, Some(&memory)).0, NOW + 1);
    let unread = || copy.runtime.block_on(copy.store.unread()).unwrap();
    let days = |days: i64| NOW + days * 86_400;
    for now in [NOW + 2, days(20)] {
        copy.due(&all[1..], now, true);
        assert_eq!((unread(), copy.titles(None).len()), (0, 0), "it is neither counted nor shown");
        assert_eq!(copy.runtime.block_on(copy.store.next_due()).unwrap(), Some(now + 600), "nor waited for");
    }
    copy.due(&all, days(29), true);
    assert_eq!((unread(), copy.titles(None).len()), (2, 2));
    assert_ne!(copy.source("gopher://h/"), Source::default());
    // By a clock that goes on: one that leaps makes nothing go.
    for day in [30, 38, 46, 54, 59, 61] {
        copy.due(&all[1..], days(day), true);
    }
    assert_eq!((copy.source("gopher://h/"), copy.memory("gopher://h/")), (Source::default(), None));
}

#[test]
fn the_copy_of_a_source_that_is_as_it_was_is_as_new_as_the_look() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/feed", "words\n", NOW));
    copy.due(&["http://h/feed"], NOW, false);
    copy.looked("http://h/feed", Looked::Unchanged, NOW + HOUR);
    let when = || copy.runtime.block_on(copy.store.when(&url("http://h/feed"))).unwrap().as_second();
    assert_eq!(when(), NOW + HOUR);
    copy.looked("http://h/feed", Looked::Failed("gone".into()), NOW + 2 * HOUR);
    assert_eq!(when(), NOW + HOUR);
}

#[test]
fn a_source_that_fails_is_told_once_and_waits_longer_each_time() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let all = ["gopher://h/"];
    let (mut now, mut waits) = (NOW, Vec::new());
    for turn in 0..12 {
        assert_eq!(copy.due(&all, now, false), all, "{turn}");
        let first = copy.looked("gopher://h/", Looked::Failed("it was \u{1b}[31mrefused".into()), now);
        assert_eq!(first, turn == 0, "{turn}");
        let due = copy.runtime.block_on(copy.store.next_due()).unwrap().unwrap();
        waits.push(due - now);
        now = due;
    }
    assert!(waits.is_sorted() && waits[0] == HOUR && waits[1] == 2 * HOUR && waits[11] == 7 * 86_400, "{waits:?}");
    let (since, why) = copy.source("gopher://h/").failing.unwrap();
    assert!(since == NOW && why.contains("refused") && !why.contains('\u{1b}'), "{since} {why}");
    let (had, _) = menu("gopher://h/", 0..1, None);
    assert!(!copy.looked("gopher://h/", had, now));
    assert_eq!(copy.source("gopher://h/").failing, None);
}

#[test]
fn what_is_new_is_unread_until_the_reader_was_there() {
    let (_folder, file) = place();
    let (one, two) = (Copy::of(&file, PLENTY), Copy::of(&file, PLENTY));
    one.due(&["gopher://h/"], NOW, false);
    let (first, memory) = menu("gopher://h/", 0..2, None);
    one.looked("gopher://h/", first, NOW);
    assert_eq!(one.titles(None), []);
    let (second, _) = menu("gopher://h/", 0..4, Some(&memory));
    // Found by both it is there once.
    one.looked("gopher://h/", second.clone(), NOW + 1);
    two.looked("gopher://h/", second, NOW + 2);
    let unread =
        |titles: &[(&str, bool)]| titles.iter().map(|(title, read)| ((*title).to_owned(), *read)).collect::<Vec<_>>();
    assert_eq!(two.titles(None), unread(&[("Item 2", false), ("Item 3", false)]));
    let (told, answer) = std::sync::mpsc::channel();
    two.store.was_read(url("gopher://h/0/9"), |_| panic!("nothing leads there"));
    two.store.was_read(url("gopher://H:70/0/2"), move |unread| told.send(unread).unwrap());
    assert_eq!(answer.recv_timeout(std::time::Duration::from_secs(60)).unwrap(), 1);
    assert_eq!(one.titles(Some("gopher://h/")), unread(&[("Item 3", false), ("Item 2", true)]));
    one.runtime.block_on(one.store.all_read(None)).unwrap();
    assert_eq!(two.runtime.block_on(two.store.unread()).unwrap(), 0);
    // Where the reader was is forgotten with the rest; the source is known all the same.
    one.store.forget(&Forget::All, drop);
    assert_eq!(one.titles(None), []);
    assert!(one.memory("gopher://h/").is_some());
}

#[test]
fn an_item_that_says_a_day_alone_has_no_time_of_day() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.due(&["gopher://h/"], NOW, false);
    let (_, memory) = menu("gopher://h/", 0..0, None);
    let (had, _) = menu("gopher://h/", 0..3, Some(&memory));
    let Looked::Had { title, mut fresh, memory, older, looked_at, validator } = had else { panic!() };
    let noon = NOW - NOW.rem_euclid(86_400) + 43_200;
    for (item, time) in fresh.iter_mut().zip([noon - 86_400, noon - 86_400 - 60, noon]) {
        item.time = jiff::Timestamp::from_second(time).ok();
    }
    // In the morning of that day it is that day.
    copy.looked("gopher://h/", Looked::Had { title, fresh, memory, older, looked_at, validator }, noon - 3 * HOUR);
    let found = copy.runtime.block_on(copy.store.found(None)).unwrap();
    let times: Vec<(i64, bool)> = found.iter().map(|item| (item.time - noon, item.day)).collect();
    assert_eq!(times, [(0, true), (-86_400, true), (-86_460, false)]);
}

#[test]
fn what_was_marked_is_as_it_was_when_it_is_taken_back() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.due(&["gopher://h/"], NOW, false);
    let (first, memory) = menu("gopher://h/", 0..2, None);
    copy.looked("gopher://h/", first, NOW);
    copy.looked("gopher://h/", menu("gopher://h/", 0..305, Some(&memory)).0, NOW + 1);
    let mark = |number: u32, unread| {
        copy.runtime.block_on(copy.store.mark(url(&format!("gopher://h/0/{number}")), unread)).unwrap()
    };
    let unread = || copy.runtime.block_on(copy.store.unread()).unwrap();
    let back = |marked| copy.runtime.block_on(copy.store.unmark(marked)).unwrap();
    let one = mark(2, false);
    assert_eq!((one.read, one.len(), unread()), (true, 1, 199));
    let all = copy.runtime.block_on(copy.store.all_read(None)).unwrap();
    assert_eq!((all.len(), unread(), copy.source("gopher://h/").more), (199, 0, 0));
    back(all);
    // What was read before stays that.
    assert_eq!((unread(), copy.source("gopher://h/").more), (199, 103));
    back(one);
    assert_eq!(unread(), 200);
    assert!(mark(2, true).is_empty() && mark(9_999, false).is_empty());
    mark(2, false);
    let again = mark(2, true);
    assert_eq!((again.read, again.len(), unread()), (false, 1, 200));
}

#[test]
fn the_feed_of_an_item_is_known_where_a_copy_of_it_is_kept() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let feed_of = |address: &str| copy.runtime.block_on(copy.store.feed_of(url(address))).unwrap();
    copy.due(&["gopher://h/", "http://h/feed"], NOW, false);
    let (_, memory) = menu("gopher://h/", 0..0, None);
    copy.looked("gopher://h/", menu("gopher://h/", 0..1, Some(&memory)).0, NOW);
    copy.keep(text("gopher://h/", "words\n", NOW));
    assert_eq!(feed_of("gopher://h/0/0"), None, "a menu has no texts");
    let (of_feed, _) = menu("gopher://h/", 0..1, Some(&memory));
    let Looked::Had { title, fresh, memory, older, looked_at, validator } = of_feed else { panic!() };
    let memory = Memory::read(wayfarer::subscriptions::Kind::Feed, &memory.octets());
    copy.looked("http://h/feed", Looked::Had { title, fresh, memory, older, looked_at, validator }, NOW);
    assert_eq!(feed_of("gopher://h/0/0"), None, "no copy is kept");
    copy.keep(text("http://h/feed", "words\n", NOW));
    assert_eq!(feed_of("gopher://h/0/0").map(|url| url.to_string()), Some("http://h/feed".into()));
}

#[test]
fn more_than_is_kept_of_a_source_is_counted() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.due(&["gopher://h/"], NOW, false);
    let (first, memory) = menu("gopher://h/", 0..1, None);
    copy.looked("gopher://h/", first, NOW);
    let (many, memory) = menu("gopher://h/", 0..1_001, Some(&memory));
    copy.looked("gopher://h/", many, NOW + 1);
    assert_eq!((copy.titles(None).len(), copy.source("gopher://h/").more), (200, 800));
    let (more, _) = menu("gopher://h/", 0..1_011, Some(&memory));
    copy.looked("gopher://h/", more, NOW + 2);
    let titles = copy.titles(None);
    assert!(titles.len() == 200 && titles[0].0 == "Item 1001", "{:?}", titles[0]);
    assert_eq!(copy.source("gopher://h/").more, 810);
    copy.runtime.block_on(copy.store.all_read(None)).unwrap();
    assert_eq!(copy.source("gopher://h/").more, 0);
}

#[test]
fn a_source_of_which_only_the_first_items_were_looked_at_says_so() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.due(&["gopher://h/"], NOW, false);
    let looked_at = |items| {
        copy.looked("gopher://h/", menu("gopher://h/", 0..items, None).0, NOW);
        copy.source("gopher://h/").looked_at
    };
    assert_eq!((looked_at(20_000), looked_at(20_001), looked_at(3)), (None, Some(20_000), None));
}

#[test]
fn a_row_that_is_damaged_costs_itself() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.due(&["gopher://h/"], NOW, false);
    let (first, memory) = menu("gopher://h/", 0..1, None);
    copy.looked("gopher://h/", first, NOW);
    let (second, _) = menu("gopher://h/", 0..3, Some(&memory));
    copy.looked("gopher://h/", second, NOW + 1);
    assert_eq!(copy.said(), [""; 0]);
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute("UPDATE found SET url = 'no address' WHERE title = 'Item 1'", []).unwrap();
    other.execute("UPDATE sources SET known = x'0102', kind = 'odd'", []).unwrap();
    drop(other);
    let copy = Copy::of(&file, PLENTY);
    assert_eq!(copy.titles(None), [("Item 2".to_owned(), false)]);
    assert_eq!(copy.memory("gopher://h/"), None, "it is looked at as on the first day");
}

#[test]
fn what_is_known_of_a_source_that_was_given_up_comes_back_but_not_what_was_forgotten_since() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let all = ["gopher://h/", "http://h/feed"];
    let known = || {
        copy.due(&all, NOW, true);
        let (first, memory) = menu("gopher://h/", 0..2, copy.memory("gopher://h/").as_ref());
        copy.looked("gopher://h/", first, NOW);
        let (more, memory) = menu("gopher://h/", 0..4, Some(&memory));
        copy.looked("gopher://h/", more, NOW + 1);
        (copy.source("gopher://h/"), memory, copy.titles(None))
    };
    let give_up = || copy.runtime.block_on(copy.store.give_up(url("gopher://h/"))).unwrap();
    let put_back = || copy.runtime.block_on(copy.store.put_back(url("gopher://h/"))).unwrap();
    let before = known();
    assert_eq!(before.2.len(), 2, "{before:?}");
    give_up();
    assert_eq!((copy.source("gopher://h/"), copy.titles(None)), (Source::default(), Vec::new()));
    put_back();
    let after = (copy.source("gopher://h/"), copy.memory("gopher://h/").unwrap(), copy.titles(None));
    assert_eq!(after, before);
    // Once, and nothing that is not there.
    put_back();
    assert_eq!(copy.titles(None), before.2);
    give_up();
    copy.store.forget(&Forget::All, drop);
    put_back();
    assert_eq!((copy.source("gopher://h/"), copy.titles(None)), (Source::default(), Vec::new()));
}

/// It said "table sources has 10 columns but 11 values were supplied", in `about:new` too.
#[test]
fn a_store_of_before_gets_what_it_lacks() {
    let (_folder, file) = place();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let open = rusqlite::Connection::open(&file).unwrap();
    open.execute_batch(&format!(
        "PRAGMA application_id = 0x57617946; PRAGMA user_version = 1;
         CREATE TABLE pages(
             id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, url TEXT NOT NULL, scheme TEXT NOT NULL, host TEXT NOT NULL,
             time INTEGER NOT NULL, title TEXT NOT NULL, head TEXT NOT NULL, size INTEGER NOT NULL
         ) STRICT;
         CREATE INDEX pages_by_time ON pages(time);
         CREATE INDEX pages_by_host ON pages(host);
         CREATE TABLE bodies(id INTEGER PRIMARY KEY, octets BLOB NOT NULL, words BLOB NOT NULL) STRICT;
         CREATE VIRTUAL TABLE words USING fts5(title, text, content='', contentless_delete=1);
         CREATE TABLE items(
             id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT NOT NULL, title TEXT NOT NULL,
             time INTEGER NOT NULL
         ) STRICT;
         CREATE INDEX items_by_time ON items(time);
         CREATE VIRTUAL TABLE names USING fts5(title, content='', contentless_delete=1);
         CREATE TABLE sources(
             place TEXT PRIMARY KEY, title TEXT NOT NULL, kind TEXT NOT NULL, checked INTEGER NOT NULL, due INTEGER NOT NULL,
             since INTEGER NOT NULL, tries INTEGER NOT NULL, why TEXT NOT NULL, validator TEXT, known BLOB
         ) STRICT;
         INSERT INTO sources VALUES('{}', 'A menu', '', 5, 0, 0, 0, '', NULL, NULL);",
        of_source(&url("gopher://h/"))
    ))
    .unwrap();
    drop(open);
    let copy = Copy::of(&file, PLENTY);
    assert_eq!(copy.source("gopher://h/").title, "A menu");
    assert_eq!(copy.due(&["gopher://h/", "http://h/feed"], NOW, false), ["gopher://h/", "http://h/feed"]);
    let (looked, _) = menu("gopher://h/", 0..3, None);
    copy.looked("gopher://h/", looked, NOW);
    copy.keep(text("http://h/a", "a lantern", NOW));
    assert_eq!(copy.find("lantern").0, ["http://h/a"]);
    copy.store.forget(&Forget::All, drop);
    assert_eq!(copy.said(), [""; 0]);
    let open = rusqlite::Connection::open(&file).unwrap();
    let version = |name| open.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((version("user_version"), version("application_id")), (5, 0x5761_7946));
}

/// Of a damaged one all old items of all sources were new.
#[test]
fn where_one_was_damaged_the_next_look_at_the_sources_there_are_only_notes_what_there_is() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let begun = |copy: &Copy, address: &str| copy.runtime.block_on(copy.store.has_begun(url(address))).unwrap();
    let anew = |copy: &Copy| {
        let now = jiff::Timestamp::now().as_second();
        copy.runtime.block_on(copy.store.begun_anew(now)).unwrap().is_some_and(|since| now - since < 600)
    };
    let now = jiff::Timestamp::now().as_second();
    assert_eq!(copy.due(&["http://h/feed"], now, true), ["http://h/feed"]);
    assert_eq!((begun(&copy, "http://h/feed"), anew(&copy), copy.said().len()), (false, false, 0));
    drop(copy);
    fs::write(&file, b"this is no database\n".repeat(1000)).unwrap();
    let copy = Copy::of(&file, PLENTY);
    assert!(!anew(&copy), "nothing was noted yet");
    copy.due(&["http://h/feed", "gopher://h/1/map"], now, false);
    assert!(begun(&copy, "http://h/feed") && begun(&copy, "gopher://h/1/map") && anew(&copy));
    // What is added from then on is new to all.
    copy.due(&["http://h/feed", "http://h/new"], now, false);
    assert!(!begun(&copy, "http://h/new"));
    assert_eq!(copy.said().len(), 1);
}

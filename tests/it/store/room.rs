//! How much is kept.

use super::*;

#[test]
fn no_more_is_kept_than_there_is_room_for() {
    let ((_folder, file), most) = (place(), Most { octets: 2 << 20, days: 0 });
    let copy = Copy::of(&file, most);
    copy.put_by("http://h/0", NOW, false);
    let mut state = 1_u32;
    // Octets that cannot be packed.
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    for number in 0..160 {
        let octets: Vec<u8> = std::iter::repeat_with(&mut draw).take(40_000).collect();
        copy.keep(text(&format!("http://h/{number}"), &octets, NOW + number));
        // Not more than waits for the disk.
        assert!(copy.copy(&format!("http://h/{number}")).is_some(), "{number}");
    }
    let length = fs::metadata(&file).unwrap().len();
    assert!(length < 5 << 20, "{length}");
    assert!(copy.copy("http://h/159").is_some() && copy.copy("http://h/1").is_none());
    assert!(copy.copy("http://h/0").is_some(), "what was put by goes last");
    assert_eq!(copy.said(), [""; 0]);
}

/// A menu with thousands of other addresses each time left nothing of what was read.
#[test]
fn what_comes_by_itself_does_not_take_the_place_of_what_was_read() {
    let ((_folder, file), most) = (place(), Most { octets: 4 << 20, days: 0 });
    let copy = Copy::of(&file, most);
    for number in 0..20 {
        copy.keep(text(&format!("http://h/{number}"), "words that were read", NOW + number));
    }
    let long = "x".repeat(300);
    for look in 0..30 {
        let rows: String = (0..600).map(|row| format!("1row {row}\t/{look}/{row}/{long}\tevil\t70\r\n")).collect();
        let menu = seen(&format!("gopher://evil/1/{look}"), media::MENU, &rows, NOW + 100 + look);
        copy.keep(Seen { unread: true, ..menu });
        assert!(copy.copy(&format!("gopher://evil/1/{look}")).is_some(), "{look}");
    }
    let left = (0..20).filter(|number| copy.copy(&format!("http://h/{number}")).is_some()).count();
    assert_eq!((left, copy.said()), (20, Vec::new()));
    assert!(fs::metadata(&file).unwrap().len() < 24 << 20);
}

#[test]
fn what_is_too_old_goes() {
    let (_folder, file) = place();
    run(&file, TEN_DAYS, &[text("http://h/old", "words", NOW - 11 * DAY)]);
    run(&file, TEN_DAYS, &[text("http://h/between", "letters", NOW - 5 * DAY)]);
    let copy = run(&file, TEN_DAYS, &[text("http://h/new", "words", NOW)]);
    assert_eq!(copy.find("words").0, ["http://h/new"]);
}

const DAY: i64 = 86_400;
const TEN_DAYS: Most = Most { octets: 64 << 20, days: 10 };

/// A run in which some pages are read.
fn run(file: &Path, most: Most, pages: &[Seen]) -> Copy {
    let copy = Copy::of(file, most);
    for page in pages {
        copy.keep(page.clone());
        // Not more than waits for the disk.
        assert!(copy.copy(page.url.as_str()).is_some(), "{}", page.url.as_str());
    }
    assert_eq!(copy.said(), [""; 0]);
    copy
}

/// One page read with the clock 400 days ahead cost all of the store, and pages that were read with the clock years behind were gone
/// when it was right.
#[test]
fn a_clock_that_jumps_deletes_nothing_by_age() {
    for wrong in [400, -400, 20, -20, 5 * 365, -5 * 365] {
        let (_folder, file) = place();
        let menu = "0Lantern\t/l\th\t70\r\n.\r\n";
        let read = [text("http://h/a", "words", NOW), seen("gopher://h/1", media::MENU, menu, NOW)];
        run(&file, TEN_DAYS, &read);
        run(&file, TEN_DAYS, &[text("http://h/wrong", "words", NOW + wrong * DAY)]);
        let copy = run(&file, TEN_DAYS, &[text("http://h/b", "words", NOW + 60)]);
        let (mut found, items) = (copy.find("words").0, copy.find("lantern").1.len());
        found.sort();
        assert_eq!(
            (found, items),
            (["http://h/a", "http://h/b", "http://h/wrong"].map(String::from).into(), 1),
            "{wrong}"
        );
    }
}

/// For so long a pause there are two reasons, and the clock has to go on for days before the one is believed.
#[test]
fn what_became_too_old_while_nothing_was_read_goes_after_days_of_use() {
    let (_folder, file) = place();
    run(&file, TEN_DAYS, &[text("http://h/old", "words", NOW - 400 * DAY)]);
    for day in 0..9 {
        let copy = run(&file, TEN_DAYS, &[text(&format!("http://h/{day}"), "letters", NOW + day * DAY)]);
        assert!(copy.copy("http://h/old").is_some(), "{day}");
    }
    let copy = run(&file, TEN_DAYS, &[text("http://h/new", "letters", NOW + 12 * DAY)]);
    assert_eq!(copy.find("words").0, [""; 0]);
    assert!(copy.copy("http://h/8").is_some());
}

/// They stayed, and what was read since gave way.
#[test]
fn pages_that_were_read_in_the_future_give_way_before_newer_ones() {
    let ((_folder, file), most) = (place(), Most { octets: 2 << 20, days: 0 });
    let page = |name: String, time| text(&format!("http://h/{name}"), noise(time), time);
    let ahead: Vec<Seen> = (0..22).map(|n| page(format!("ahead{n}"), NOW + 90 * DAY + n)).collect();
    run(&file, most, &ahead);
    let now: Vec<Seen> = (0..30).map(|n| page(format!("now{n}"), NOW + n)).collect();
    let copy = run(&file, most, &now);
    let left = |name: &str, all| (0..all).filter(|n| copy.copy(&format!("http://h/{name}{n}")).is_some()).count();
    let (ahead, now) = (left("ahead", 22), left("now", 30));
    assert!(copy.copy("http://h/now29").is_some() && (ahead == 0 || now == 30), "{ahead} and {now}");
}

/// 40,000 octets that cannot be packed.
fn noise(seed: i64) -> Vec<u8> {
    let mut state = seed as u32 ^ 0x9E37_79B9;
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(&mut draw).take(40_000).collect()
}

/// A source whose menu had other long addresses at each look left no name of all that the reader had seen.
#[test]
fn items_that_nobody_has_seen_give_way_before_those_that_were() {
    let ((_folder, file), most) = (place(), Most { octets: 8 << 20, days: 0 });
    let menu = |number: i64, rows: String, unread: bool| Seen {
        unread,
        ..seen(&format!("gopher://h/1/{number}"), media::MENU, &rows, NOW + number)
    };
    let rows = |word: &str, number: i64, many: usize, path: &str| -> String {
        (0..many).map(|row| format!("0{word} {row} of {number}\t/{number}/{row}{path}\th\t70\r\n")).collect()
    };
    let copy = Copy::of(&file, most);
    for number in 0..20 {
        copy.keep(menu(number, rows("lantern", number, 100, ""), false));
    }
    copy.keep(menu(20, rows("quiet", 20, 50, ""), true));
    let look = |number: i64| {
        // It names what the reader has seen otherwise, too.
        let renamed = rows("renamed", number % 20, 10, "");
        Seen {
            url: url("gopher://evil/1"),
            ..menu(number, renamed + &rows("evil", number, 400, &"x".repeat(1_500)), true)
        }
    };
    for number in 100..108 {
        copy.keep(look(number));
        assert!(copy.copy("gopher://evil/1").is_some());
    }
    assert_eq!(copy.said(), [""; 0]);
    let count = |what: &str| -> i64 {
        let open = rusqlite::Connection::open(&file).unwrap();
        open.query_row(&format!("SELECT count(*) FROM items {what}"), [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count("WHERE title LIKE 'lantern%'"), 2_000);
    assert_eq!(count("WHERE title LIKE 'quiet%'"), 50, "another source has its own");
    let evil = count("WHERE title LIKE 'evil%'");
    assert!((1..800).contains(&evil), "{evil}");
    assert_eq!(count("WHERE title LIKE 'quiet%' AND id NOT IN (SELECT id FROM unseen)"), 0);
    // What the reader sees then is theirs.
    copy.keep(menu(20, rows("quiet", 20, 50, ""), false));
    assert!(copy.copy("gopher://h/1/20").is_some());
    assert_eq!(count("WHERE title LIKE 'quiet%' AND id NOT IN (SELECT id FROM unseen)"), 50);
    copy.store.forget(&Forget::All, drop);
    assert_eq!((copy.said(), count("JOIN unseen USING (id)")), (Vec::new(), 0));
}

/// Its head was written anew, and what it takes was what it had taken.
#[test]
fn what_an_unread_copy_takes_is_counted_anew_where_only_its_head_is_new() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let page = Seen { unread: true, ..text("http://h/a", "words", NOW) };
    let head = Head { lines: (0..100).map(|n| format!("{n} {}", "x".repeat(90))).collect(), ..page.head.clone() };
    let takes = |page: &Seen| {
        copy.keep(page.clone());
        assert!(copy.copy("http://h/a").is_some());
        let open = rusqlite::Connection::open(&file).unwrap();
        open.query_row("SELECT takes, octet_length(head) FROM unread JOIN pages USING (id)", [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
        })
        .unwrap()
    };
    let ((before, short), (after, long)) = (takes(&page), takes(&Seen { head, ..page.clone() }));
    assert!(long > short + 9_000, "{short} {long}");
    assert_eq!(after - before, long - short);
    assert_eq!(takes(&page), (before, short));
}

#[test]
fn one_that_is_fuller_than_it_may_be_now_makes_room_and_goes_on() {
    let (_folder, file) = place();
    let noise = |seed: u32| -> Vec<u8> {
        let mut at = seed.wrapping_mul(2_654_435_761).max(1);
        let next = || {
            at ^= at << 13;
            at ^= at >> 17;
            at ^= at << 5;
            at as u8
        };
        std::iter::repeat_with(next).take(400_000).collect()
    };
    let copy = Copy::of(&file, Most { octets: 64 << 20, days: 0 });
    for n in 0..70 {
        copy.keep(text(&format!("gopher://h/9/{n}"), noise(n), NOW));
    }
    assert_eq!(copy.said(), [""; 0]);
    drop(copy);
    // Of one of before: what makes answers come sooner finds no room either.
    let open = rusqlite::Connection::open(&file).unwrap();
    open.execute_batch("DROP INDEX items_by_host; DROP INDEX pages_by_scheme; PRAGMA user_version = 1; VACUUM;")
        .unwrap();
    drop(open);
    let copy = Copy::of(&file, Most { octets: 2 << 20, days: 0 });
    copy.keep(text("gopher://h/0/new", "a new page", NOW + 1)).put_by("gopher://h/0/later", NOW + 1, false);
    assert_eq!(copy.copy("gopher://h/0/new").as_deref(), Some(&b"a new page"[..]));
    assert_eq!((copy.later().len(), copy.said()), (1, Vec::new()));
    assert!(fs::metadata(&file).unwrap().len() < 8 << 20, "{}", fs::metadata(&file).unwrap().len());
}

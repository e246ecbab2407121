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
    let copy = Copy::of(&file, Most { octets: 64 << 20, days: 10 });
    copy.keep(text("http://h/old", "words", NOW - 11 * 86_400));
    copy.said();
    drop(copy);
    let copy = Copy::of(&file, Most { octets: 64 << 20, days: 10 });
    copy.keep(text("http://h/new", "words", NOW));
    assert_eq!(copy.find("words").0, ["http://h/new"]);
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

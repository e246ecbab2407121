//! Sets of article numbers, against a set of numbers.

use crate::random::search;
use proptest::prelude::*;
use std::collections::BTreeSet;
use wayfarer::news::ArticleSet;

#[test]
fn sets_as_newsrc_writes_them() {
    const SETS: &[(&str, &str, bool)] = &[
        ("", "", true),
        ("1-10,12", "1-10,12", true),
        (" 1 - 10 , 12 ", "1-10,12", true),
        ("12,1-10", "1-10,12", true),
        ("1-5,3-8,9", "1-9", true),
        ("0", "", true),
        ("0-3", "1-3", true),
        ("1-0", "", true),
        ("9-4,7", "7", true),
        ("1-5,x,9", "1-5,9", false),
        ("1-2-3", "", false),
        ("-5", "", false),
        ("5-", "", false),
        ("1-18446744073709551615", "1-18446744073709551615", true),
        ("1-18446744073709551616,3", "3", false),
    ];
    for (text, wanted, whole) in SETS {
        let (set, read) = ArticleSet::parse(text.as_bytes());
        assert_eq!((set.to_string().as_str(), read), (*wanted, *whole), "{text}");
    }
}

#[test]
fn the_largest_numbers_are_no_trap() {
    let mut set = ArticleSet::new();
    set.insert_range(u64::MAX - 1, u64::MAX);
    set.insert(u64::MAX);
    set.insert(0);
    assert_eq!(set.count_within(0, u64::MAX), 2);
    assert_eq!(set.unread_within(1, u64::MAX), u64::MAX - 2);
    set.insert_range(0, u64::MAX);
    assert_eq!(set.unread_within(0, u64::MAX), 0, "0 is no article");
    set.remove_range(0, u64::MAX);
    assert!(set.is_empty());
}

const MOST: u64 = 40;

fn numbers(set: &ArticleSet) -> BTreeSet<u64> {
    (0..=MOST + 5).filter(|n| set.contains(*n)).collect()
}

fn built(ranges: &[(u64, u64)]) -> ArticleSet {
    let mut set = ArticleSet::new();
    ranges.iter().for_each(|(a, b)| set.insert_range(*a, *b));
    set
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn a_set_of_ranges_is_a_set(edits in proptest::collection::vec((any::<bool>(), 0..=MOST, 0u64..6), 0..40), low in 0..MOST, high in 0..MOST) {
        let mut set = ArticleSet::new();
        let mut model = BTreeSet::new();
        for (add, first, length) in edits {
            let last = first + length;
            if add {
                set.insert_range(first, last);
                model.extend(first.max(1)..=last);
            } else {
                set.remove_range(first, last);
                model.retain(|n| !(first..=last).contains(n));
            }
            prop_assert_eq!(numbers(&set), model.clone());
            prop_assert!(set.ranges().windows(2).all(|w| w[0].1 + 1 < w[1].0), "{:?}", set.ranges());
        }
        let within = model.iter().filter(|n| (low..=high).contains(*n)).count() as u64;
        prop_assert_eq!(set.count_within(low, high), within);
        let (again, whole) = ArticleSet::parse(set.to_string().as_bytes());
        prop_assert!(whole);
        prop_assert_eq!(again, set);
    }

    #[test]
    fn union_and_difference(a in proptest::collection::vec((1..MOST, 1..MOST), 0..6), b in proptest::collection::vec((1..MOST, 1..MOST), 0..6)) {
        let (a, b) = (built(&a), built(&b));
        let (one, other) = (numbers(&a), numbers(&b));
        prop_assert_eq!(numbers(&a.union(&b)), one.union(&other).copied().collect::<BTreeSet<_>>());
        let difference = a.difference(&b);
        prop_assert_eq!(numbers(&difference), one.difference(&other).copied().collect::<BTreeSet<_>>());
        prop_assert_eq!(ArticleSet::parse(difference.to_string().as_bytes()).0, difference);
    }
}

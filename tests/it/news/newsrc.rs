//! `.newsrc`: what is not touched is written as it was.

use crate::random::search;
use proptest::prelude::*;
use wayfarer::news::{Newsrc, Subscription};

const FILE: &str = "options -a news.test\n  -b more\n# a comment\n\ncomp.lang.c: 1-10,12\nalt.test! 1-5\r\n\
    no.articles:\nbroken.set: 1-x,7\nnonsense\ncomp.lang.c: 99\nlast.group:   1 - 3 , 9";

fn parse(text: &str) -> Newsrc {
    Newsrc::parse(text.as_bytes()).0
}

fn text(newsrc: &Newsrc) -> String {
    String::from_utf8(newsrc.write()).unwrap()
}

fn read(newsrc: &Newsrc, group: &str) -> String {
    newsrc.read(group.as_bytes()).map_or("-".into(), ToString::to_string)
}

#[test]
fn groups_are_read_and_flaws_have_lines() {
    let (newsrc, flaws) = Newsrc::parse(FILE.as_bytes());
    let groups: Vec<_> = newsrc.groups().map(|(name, _)| String::from_utf8_lossy(name)).collect();
    assert_eq!(groups, ["comp.lang.c", "alt.test", "no.articles", "broken.set", "last.group"]);
    assert_eq!(newsrc.subscription(b"comp.lang.c"), Some(Subscription::Subscribed));
    assert_eq!(newsrc.subscription(b"alt.test"), Some(Subscription::Unsubscribed));
    assert_eq!(newsrc.subscription(b"other"), None);
    let sets = ["comp.lang.c", "alt.test", "no.articles", "broken.set", "last.group"].map(|group| read(&newsrc, group));
    assert_eq!(sets, ["1-10,12", "1-5", "", "7", "1-3,9"]);
    let flaws: Vec<_> = flaws.iter().map(|flaw| (flaw.line, flaw.what.as_str())).collect();
    assert_eq!(
        flaws,
        [
            (8, "broken.set: not a list of articles"),
            (9, "neither \":\" nor \"!\" after the name of a group"),
            (10, "comp.lang.c: a second line for this group; the first one counts"),
        ]
    );
    assert_eq!(text(&newsrc), FILE);
}

#[test]
fn only_what_changes_is_written_anew() {
    let mut newsrc = parse(FILE);
    newsrc.change(b"comp.lang.c", |read| read.insert(11));
    newsrc.change(b"no.articles", |_| {});
    newsrc.subscribe(b"alt.test", Subscription::Subscribed);
    newsrc.subscribe(b"new.group", Subscription::Subscribed);
    newsrc.change(b"passed.by", |read| read.insert_range(1, 4));
    newsrc.subscribe(b"bad name", Subscription::Subscribed);
    newsrc.subscribe(b"bad:name", Subscription::Subscribed);
    newsrc.subscribe(b"bad\nname", Subscription::Subscribed);
    let wanted = FILE.replace("1-10,12\n", "1-12\n").replace("alt.test! 1-5\r\n", "alt.test: 1-5\n");
    assert_eq!(text(&newsrc), wanted + "\nnew.group:\npassed.by! 1-4\n");
}

#[test]
fn two_programs_change_one_file() {
    let base = parse("a: 1-10\nb: 1-5\nc! \nd: 1\n");
    let mut ours = base.clone();
    ours.change(b"a", |read| read.insert_range(11, 20));
    ours.change(b"b", |read| read.remove(3));
    ours.subscribe(b"c", Subscription::Subscribed);
    ours.subscribe(b"n", Subscription::Subscribed);
    // The other one read on, unsubscribed, took a line out, put a group in and the lines in another order.
    let theirs = parse("options x\nb! 1-9\na: 1-15,30\nnew: 1-3\nc! 7\n");
    let merged = Newsrc::merge(&ours, &base, &theirs);
    assert_eq!(text(&merged), "options x\nb! 1-2,4-9\na: 1-20,30\nnew: 1-3\nc: 7\nn:\n");
    assert_eq!(Newsrc::merge(&base, &base, &theirs), theirs, "nothing to do again");
    assert_eq!(text(&Newsrc::merge(&ours, &base, &base)), text(&ours), "nobody else wrote");
    assert_eq!(text(&Newsrc::merge(&ours, &base, &parse(""))), "a: 11-20\nb:\nc:\nn:\n", "the file was lost");
}

#[test]
fn reading_on_here_does_not_end_a_subscription_made_elsewhere() {
    let base = parse("");
    let mut ours = base.clone();
    ours.change(b"g", |read| read.insert(5));
    let merged = Newsrc::merge(&ours, &base, &parse("g: 1\n"));
    assert_eq!(text(&merged), "g: 1,5\n");
}

#[test]
fn a_list_that_could_not_be_read_stays_as_a_remark_when_more_is_read() {
    let mut newsrc = parse("a: 1-2\nb! 1-3,7x9\0\nc: 4\n");
    newsrc.change(b"a", |read| read.insert(3));
    assert_eq!(text(&newsrc), "a: 1-3\nb! 1-3,7x9\0\nc: 4\n", "what is not changed stays");
    newsrc.change(b"b", |read| read.insert(4));
    newsrc.change(b"b", |read| read.insert(5));
    assert_eq!(text(&newsrc), "a: 1-3\n# b! 1-3,7x9\0\nb! 1-5\nc: 4\n");
    let again = parse(&text(&newsrc));
    assert_eq!(text(&again), text(&newsrc));
    // Others may have written meanwhile.
    let base = parse("b! x\n");
    let mut ours = base.clone();
    ours.change(b"b", |read| read.insert(5));
    assert_eq!(text(&Newsrc::merge(&ours, &base, &parse("b! y\n"))), "# b! y\nb! 5\n");
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn any_file_comes_back(octets in proptest::collection::vec(prop_oneof![
        4 => proptest::sample::select(b"ab.:! ,-0123456789\n\r\t#".to_vec()), 1 => any::<u8>()], 0..200)) {
        let (newsrc, _) = Newsrc::parse(&octets);
        prop_assert_eq!(newsrc.write(), octets);
    }

    #[test]
    fn other_lines_stay_whatever_is_done(names in proptest::collection::vec("[a-d]", 0..8), edits in proptest::collection::vec(("[a-f]", 1u64..30), 0..12)) {
        let file: String = names.iter().enumerate().map(|(at, name)| format!("# {at}\n{name}:  3-4\n")).collect();
        let mut newsrc = parse(&file);
        for (group, number) in &edits {
            newsrc.change(group.as_bytes(), |read| read.insert(*number));
        }
        let (again, _) = Newsrc::parse(&newsrc.write());
        for (at, name) in names.iter().enumerate() {
            let line = format!("# {at}\n{name}:");
            prop_assert!(text(&again).contains(&line));
        }
        for (group, number) in &edits {
            prop_assert!(again.read(group.as_bytes()).unwrap().contains(*number));
        }
        for (group, _) in newsrc.groups() {
            prop_assert_eq!(newsrc.read(group), again.read(group));
        }
    }
}

//! Marks that another program has not seen come back, those that it took away do not.

use wayfarer::news::{Journal, Newsrc};

fn parse(text: &str) -> Newsrc {
    Newsrc::parse(text.as_bytes()).0
}

/// One word for what a newsrc holds.
fn sum(newsrc: &Newsrc) -> String {
    newsrc.plain().replace([' ', '\n'], "_")
}

/// What the newsrc held from writing to writing, the last one with the program that held it meanwhile.
fn journal(held: &[&str], holder: Option<&str>) -> Journal {
    let mut journal = Journal::default();
    for (at, pair) in held.windows(2).enumerate() {
        let holder = holder.filter(|_| at + 2 == held.len());
        let now = parse(pair[1]);
        journal.wrote(&parse(pair[0]), &now, holder, sum(&now));
        // What is kept says the same.
        assert_eq!(Journal::parse(&journal.write()), journal);
    }
    journal
}

/// What is regained of what another program wrote.
fn regained(held: &[&str], holder: Option<&str>, theirs: &str) -> String {
    let theirs = parse(theirs);
    let mut journal = journal(held, holder);
    let regained = journal.regain(&theirs, |_| false, sum);
    // What it took away is forgotten: the same text says the same again.
    let again = journal.regain(&theirs, |_| false, sum);
    assert_eq!(again.as_ref().map(sum), regained.as_ref().map(sum));
    String::from_utf8(regained.unwrap_or(theirs).write()).unwrap()
}

#[test]
fn what_another_program_never_saw_comes_back_and_what_it_took_away_does_not() {
    let one = ["g: 1-3\n", "g: 1-4\n", "g: 1-5\n", "g: 1-6\n"];
    let catch_up = ["g: 1-3\nh: 1\n", "g: 1-5\nh: 1\n", "g: 1-900\nh: 1\n"];
    let cases: [(&[&str], &str, &str, &str); 13] = [
        (&one, "g: 1-3,9\n", "g: 1-6,9\n", "it began before all of it"),
        (&one, "g: 1-4,9\n", "g: 1-6,9\n", "it began after the first of three"),
        (&one, "g: 1-4,6,9\n", "g: 1-4,6,9\n", "it saw the last, and has made one unread that came before"),
        (&one, "g: 1-3,6,9\n", "g: 1-6,9\n", "one of three was read there, too"),
        (&one, "g: 1-5\n", "g: 1-5\n", "it was written for the sake of the last one"),
        (&one, "g: 1-4\n", "g: 1-6\n", "two are more than a slip"),
        (&one, "g:\n", "g:\n", "the whole group was made unread there"),
        (&one, "g: 2-3\n", "g: 2-3\n", "and so was what stood there before"),
        (&one, "g! 1-3\nnew: 1\n", "g! 1-6\nnew: 1\n", "whether a group is taken is its word"),
        (&one, "h: 1\n", "h: 1\n", "a group that it has no more is gone"),
        (&catch_up, "g: 1-5,7,9\nh: 1\n", "g: 1-900\nh: 1\n", "what it read of what was read here is chance"),
        (&catch_up, "g: 1-899\nh: 1\n", "g: 1-899\nh: 1\n", "part of one writing says that it saw it"),
        (&catch_up, "g: 1-5\nh: 1\n", "g: 1-900\nh: 1\n", "many are no slip, in one writing either"),
    ];
    for (held, theirs, wanted, why) in cases {
        assert_eq!(regained(held, None, theirs), wanted, "{why}");
    }
}

#[test]
fn what_was_written_while_a_program_held_the_file_it_has_not_seen() {
    let held = ["g: 1-3\n", "g: 1-3,8\n", "g: 1-3,8\nx! 7\n"];
    assert_eq!(regained(&held, Some("12"), "g: 1-3,8\n"), "g: 1-3,8\nx! 7\n", "with a group that it did not know");
    let held = ["g: 1-3\n", "g: 1-4\n"];
    assert_eq!(regained(&held, Some("12"), "g: 1-3\n"), "g: 1-4\n");
    // What was written before it began it had seen.
    let held = ["g: 1-3\n", "g: 1-4\n", "g: 1-5\n", "g: 1-6\n"];
    assert_eq!(regained(&held, Some("12"), "g: 1-4,9\n"), "g: 1-4,6,9\n", "5 was made unread there");
    let held = ["g: 1-3\n", "g: 1-4\n"];
    // As long as it runs it may write once more, and then no more.
    let mut journal = journal(&held, Some("12"));
    assert!(journal.regain(&parse("g: 1-3\n"), |_| false, sum).is_some());
    assert!(journal.regain(&parse("g: 1-3\n"), |_| true, sum).is_some());
    assert!(journal.regain(&parse("g: 1-3\n"), |_| true, sum).is_none());
    // One that ended without a word leaves marks as they are after its end.
    let mut journal = self::journal(&held, Some("12"));
    journal.release(|_| true);
    assert!(journal.regain(&parse("g: 1-3\n"), |_| true, sum).is_none());
}

#[test]
fn the_journal_is_bounded_and_keeps_what_it_unites() {
    let mut journal = Journal::default();
    let mut newsrc = parse("g:\nh:\n");
    for number in 1..=2_500 {
        let before = newsrc.clone();
        newsrc.change(if number % 2 == 0 { b"g" } else { b"h" }, |read| read.insert(number));
        journal.wrote(&before, &newsrc, None, String::new());
    }
    assert!(journal.write().len() < 60_000, "{} octets", journal.write().len());
    let regained = journal.regain(&parse("g:\nh:\nnew: 3\n"), |_| true, sum).unwrap();
    assert_eq!(regained.read(b"g"), newsrc.read(b"g"));
    for number in 0..1_300 {
        let before = newsrc.clone();
        newsrc.change(format!("group.{number}").as_bytes(), |read| read.insert(1));
        journal.wrote(&before, &newsrc, None, String::new());
    }
    assert!(journal.write().len() < 80_000, "{} octets", journal.write().len());
}

//! What is new in directories since the reader saw them last.

use super::journey::Journey;
use wayfarer::app::Remembered;
use wayfarer::format::media;

fn row(name: &str, time: &str) -> String {
    format!("type=file;size=7;modify={time}; {name}\r\n")
}

fn listing(rows: &[(&str, &str)]) -> Vec<u8> {
    rows.iter().map(|(name, time)| row(name, time)).collect::<String>().into_bytes()
}

const DAY: &str = "20250101000000";
const LATER: &str = "20250301000000";

fn seen() -> Journey {
    let j =
        Journey::new().open("ftp://h/in/").answer(media::DIRECTORY, &listing(&[("a", DAY), ("b", DAY), ("c", DAY)]));
    assert!(fresh(&j).is_empty(), "nothing is new the first time");
    j.free()
}

/// The names of what is new.
fn fresh(j: &Journey) -> Vec<String> {
    let entry = j.app.entry().unwrap();
    let given = entry.page.as_deref().unwrap().given();
    entry.fresh.iter().map(|link| given.link_text(*link).to_owned()).collect()
}

#[test]
fn a_name_or_a_time_that_was_not_there_is_new_and_can_be_marked() {
    let now = listing(&[("a", DAY), ("b", LATER), ("c", DAY), ("d", DAY)]);
    let j = seen().keys("R").answer(media::DIRECTORY, &now).notes("2 entries are new since you were here");
    assert_eq!(fresh(&j), ["b", "d"]);
    let j = j.run("mark-rows new").notes("2 rows marked");
    assert_eq!(j.app.entry().unwrap().marked.len(), 2);
    // What was seen once is not new again.
    let j = j.keys("R").answer(media::DIRECTORY, &now);
    assert!(fresh(&j).is_empty());
    j.run("mark-rows none").run("mark-rows new").notes("no row fits that");
}

#[test]
fn another_run_knows_and_a_private_tab_does_not() {
    let known = seen().app.listings();
    assert_eq!(known.len(), 1);
    let mut j = Journey::new();
    j.remember(Remembered { listings: known.clone(), ..Remembered::default() });
    let now = listing(&[("a", DAY), ("b", DAY), ("c", DAY), ("d", LATER)]);
    let j = j.open("ftp://h/in/").answer(media::DIRECTORY, &now).notes("1 entry is new");
    assert_eq!(fresh(&j), ["d"]);
    let mut j = Journey::new();
    j.remember(Remembered { listings: known.clone(), ..Remembered::default() });
    let j = j.run("private ftp://h/in/").answer(media::DIRECTORY, &now);
    assert!(fresh(&j).is_empty());
    assert_eq!(j.app.listings(), known, "nothing of it is kept");
    let j = Journey::new().open("http://h/").answer(media::DIRECTORY, &now);
    assert!(j.app.listings().is_empty());
}

#[test]
fn of_a_long_directory_the_time_tells_and_what_is_kept_is_short() {
    let name = |at: usize| format!("n{at}");
    let names: Vec<String> = (0..2000).map(name).collect();
    let rows: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), DAY)).collect();
    let j = Journey::new().open("ftp://h/in/").answer(media::DIRECTORY, &listing(&rows));
    assert!(j.app.listings().values().all(|text| text.len() < 100));
    let now = [listing(&rows), listing(&[("late", LATER), ("old", "20200101000000")])].concat();
    let j = j.keys("R").answer(media::DIRECTORY, &now);
    assert_eq!(fresh(&j), ["late"]);
    // As many as fit into a line are known one by one.
    let j = Journey::new().open("ftp://h/in/").answer(media::DIRECTORY, &listing(&rows[..480]));
    assert!(j.app.listings().values().all(|text| text.len() > 3000 && text.len() < 4096));
    let mut j = Journey::new();
    j.remember(Remembered {
        listings: [("ftp://h/in/".into(), "zz \u{e9}123456".into())].into(),
        ..Remembered::default()
    });
    let j = j.open("ftp://h/in/").answer(media::DIRECTORY, &listing(&rows[..3]));
    assert!(fresh(&j).is_empty(), "a line that makes no sense costs nothing");
}

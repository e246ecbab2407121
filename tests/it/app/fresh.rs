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
fn one_key_goes_along_the_new_rows_in_whatever_order_they_are() {
    let now = listing(&[("a", DAY), ("b", LATER), ("c", DAY), ("d", DAY)]);
    let j = seen().keys("R").answer(media::DIRECTORY, &now);
    // The way up, if there is one, is a link too.
    let at = |name: &str, j: &Journey| {
        let entry = j.app.entry().unwrap();
        let given = entry.given_link(entry.focus.unwrap()).unwrap();
        assert_eq!(entry.page.as_deref().unwrap().given().link_text(given), name);
    };
    let j = j.keys(")").look(|j| at("b", j)).keys(")").look(|j| at("d", j));
    let j = j.keys(")").notes("nothing more that is new below").look(|j| at("d", j)).keys("(").look(|j| at("b", j));
    let j = j.keys("Home").run("sort name reverse").keys("Home )").look(|j| at("d", j));
    drop(j.keys(")").look(|j| at("b", j)));
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

#[test]
fn of_a_thousand_directories_the_one_seen_longest_ago_is_forgotten() {
    let before: Vec<String> = (0..999).map(|number| format!("ftp://m/{number}/")).collect();
    let mut j = Journey::new();
    let listings = before.iter().map(|url| (url.clone(), "0 *".to_owned())).collect();
    j.remember(Remembered { listings, ..Remembered::default() });
    let now = listing(&[("a", DAY)]);
    // By their names they come before all others.
    let visited = ["ftp://a/", "ftp://b/", "ftp://c/", "ftp://m/0/"];
    let j = visited.iter().fold(j, |j, url| j.open(url).answer(media::DIRECTORY, &now).free());
    let known = j.app.listings();
    assert_eq!(known.len(), 1000);
    assert!(visited.iter().all(|url| known.contains_key(*url)), "{:?}", known.keys().take(5).collect::<Vec<_>>());
    // Of those of this run the first goes, unless it was looked at again.
    let j = j.open("ftp://a/").answer(media::DIRECTORY, &now).free();
    let j = (0..998).fold(j, |j, n| j.open(&format!("ftp://n/{n}/")).answer(media::DIRECTORY, &now).free());
    let known = j.app.listings();
    let left: Vec<bool> = visited.iter().map(|url| known.contains_key(*url)).collect();
    assert_eq!((known.len(), left), (1000, vec![true, false, false, true]));
}

/// Hidden files that were only not asked for before were marked as new.
#[test]
fn hidden_files_that_were_not_asked_for_before_are_not_new() {
    let j = seen().run("hidden").expect_fetch("ftp://h/in/");
    let now = listing(&[(".rc", DAY), ("a", DAY), ("b", DAY), ("c", DAY), ("d", DAY)]);
    let j = j.answer(media::DIRECTORY, &now);
    assert_eq!(fresh(&j), ["d"]);
    // From now on they are known, also by the next run.
    let (known, hidden) = (j.app.listings(), [String::from("h")].into());
    let mut j = Journey::new();
    j.remember(Remembered { listings: known, hidden, ..Remembered::default() });
    let now = listing(&[(".new", DAY), (".rc", DAY), ("a", DAY), ("b", DAY), ("c", DAY), ("d", DAY)]);
    let j = j.open("ftp://h/in/").answer(media::DIRECTORY, &now);
    assert_eq!(fresh(&j), [".new"]);
}

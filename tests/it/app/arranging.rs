//! Sorting, narrowing and folding: the reader stays with the line they look at.

use super::journey::{Journey, head, menu};
use wayfarer::app::status::{self, RowCount};
use wayfarer::app::{Effect, Kept, Remembered, SiteChoice};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, Head, Kind, Verdict};

const ROWS: &str = "type=file;size=300;modify=20240101000000; b10.txt\r\n\
    type=file;size=20;modify=20250101000000; B2.TXT\r\n\
    type=dir;modify=20230101000000; zoo\r\n\
    type=file;size=1000;modify=20220101000000; a.tar.gz\r\n\
    type=OS.unix=slink:b10.txt; latest\r\n\
    type=dir; Alpha\r\n";

fn directory(rows: &str) -> Journey {
    Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, rows.as_bytes())
}

/// The names on the page, in order.
fn names(j: &Journey) -> Vec<String> {
    let name = |line: &str| line.split(['\t', ' ']).next().unwrap_or_default().to_owned();
    j.page().lines().map(name).collect()
}

trait Names {
    fn names(self, expected: &str) -> Self;
    fn on(self, name: &str) -> Self;
    fn row(self, row: usize) -> Self;
}

impl Names for Journey {
    #[track_caller]
    fn names(self, expected: &str) -> Journey {
        assert_eq!(names(&self).join(" "), expected);
        self
    }

    /// The link under focus.
    #[track_caller]
    fn on(self, name: &str) -> Journey {
        let entry = self.app.entry().unwrap();
        let document = entry.document().unwrap();
        assert_eq!(entry.focus.map(|link| document.link_text(link)), Some(name));
        self
    }

    /// The row of the screen where the link under focus stands.
    #[track_caller]
    fn row(self, row: usize) -> Journey {
        let entry = self.app.entry().unwrap();
        let block = entry.document().unwrap().link_anchor(entry.focus.unwrap()).unwrap().block;
        assert_eq!((block - entry.top.block) as usize, row);
        self
    }
}

/// A root has no way up, which would stand first in any order.
#[test]
fn directories_come_first_in_every_order() {
    let rows = b"type=file;size=9;modify=20250101000000; a\r\ntype=dir;size=4096;modify=20200101000000; z\r\n\
        type=dir;modify=20260101000000; m\r\ntype=file;size=5000;modify=20100101000000; b\r\n";
    let mut j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, rows);
    j.effects.clear();
    for order in ["name", "size", "date", "kind", "name reverse", "size reverse", "date reverse"] {
        j = j.run(&format!("sort {order}"));
        let page = j.page();
        let names: Vec<&str> = page.lines().skip(1).map(|row| row.split('\t').next().unwrap()).collect();
        assert!(names[..2].iter().all(|name| name.ends_with('/')), "{order}: {names:?}");
    }
}

#[test]
fn a_directory_without_a_way_up_opens_at_its_beginning_in_the_order_shown() {
    let rows = |from: u32, to: u32| (from..to).rev().map(|n| format!("type=file; n{n:03}\r\n")).collect::<String>();
    let at = || Journey::new().open("ftp://h/");
    at().answer(media::DIRECTORY, rows(0, 90).as_bytes()).top(0).on("n000").keys("Down").on("n001");
    let j = at().head(media::DIRECTORY).body(rows(60, 90).as_bytes()).body(rows(30, 60).as_bytes()).top(0);
    let j = j.body(rows(0, 30).as_bytes()).end().top(0).on("n000");
    j.keys("PgDn PgDn").run("sort name reverse").look(|j| assert!(j.app.entry().unwrap().top.block > 0));
}

#[test]
fn directories_are_sorted_by_every_column() {
    let by = |order: &str| Effect::Keep(Kept::Site { host: "h".into(), choice: SiteChoice::Order(order.into()) });
    directory(ROWS)
        .names("../ Alpha/ zoo/ a.tar.gz B2.TXT b10.txt latest")
        .keys("s s")
        .expect(by("size"))
        .names("../ Alpha/ zoo/ a.tar.gz b10.txt B2.TXT latest")
        .keys("s r")
        .expect(by("size reverse"))
        .names("../ Alpha/ zoo/ B2.TXT b10.txt a.tar.gz latest")
        .keys("s d")
        .expect(by("date"))
        .names("../ zoo/ Alpha/ B2.TXT b10.txt a.tar.gz latest")
        .keys("s k")
        .expect(by("kind"))
        .names("../ Alpha/ zoo/ a.tar.gz B2.TXT b10.txt latest")
        .keys("s n s r")
        .expect(by("name"))
        .expect(by("name reverse"))
        .names("../ zoo/ Alpha/ latest b10.txt B2.TXT a.tar.gz")
        .keys("s o")
        .expect(by("given"))
        .names("../ b10.txt B2.TXT zoo/ a.tar.gz latest Alpha/")
        .quiet()
        .run("sort by colour")
        .notes("sort reverse turns it round");
}

#[test]
fn place_and_focus_are_kept() {
    let rows: String = (0..200).map(|n| format!("type=file;size={}; f{n}\r\n", n * 7919 % 211)).collect();
    let j = directory(&rows).keys("PgDn PgDn Down Down");
    let focus = |j: &Journey| {
        let entry = j.app.entry().unwrap();
        let document = entry.document().unwrap();
        let row = document.link_anchor(entry.focus.unwrap()).unwrap().block - entry.top.block;
        (document.link_text(entry.focus.unwrap()).to_owned(), row as usize)
    };
    let (name, row) = focus(&j);
    assert!(row > 0);
    j.keys("s s")
        .on(&name)
        .row(row)
        .keys("s n")
        .on(&name)
        .row(row)
        .keys("Enter")
        .expect_fetch(&format!("ftp://h/pub/{name}"));
}

#[test]
fn the_order_is_kept_for_the_host() {
    let j = directory(ROWS).keys("s s");
    j.open("ftp://H/other/")
        .answer(media::DIRECTORY, ROWS.as_bytes())
        .names("../ Alpha/ zoo/ a.tar.gz b10.txt B2.TXT latest");
    let mut j = Journey::new();
    j.remember(Remembered { orders: [("h".into(), "date reverse".into())].into(), ..Remembered::default() });
    let j = j.open("ftp://h/").answer(media::DIRECTORY, ROWS.as_bytes());
    let j = j.names("zoo/ Alpha/ a.tar.gz b10.txt B2.TXT latest");
    let mut j = j;
    j.remember(Remembered { orders: [("h".into(), "nonsense".into())].into(), ..Remembered::default() });
    j.open("ftp://h/x/")
        .answer(media::DIRECTORY, ROWS.as_bytes())
        .names("../ Alpha/ zoo/ a.tar.gz B2.TXT b10.txt latest");
}

#[test]
fn the_page_narrows_while_the_reader_types() {
    let j =
        directory(ROWS).keys("&").text("b").names("../ B2.TXT b10.txt").text("10").names("../ b10.txt").on("b10.txt");
    let j = j.keys("Backspace Backspace").names("../ B2.TXT b10.txt").keys("Esc").free();
    let j = j.names("../ Alpha/ zoo/ a.tar.gz B2.TXT b10.txt latest");
    let j = j.on("b10.txt").keys("Up Up").on("a.tar.gz").keys("&").text("a tar").on("a.tar.gz").keys("Enter").free();
    let j = j.names("../ a.tar.gz").keys("s r").names("../ a.tar.gz");
    j.keys("&")
        .prompts("only", "a tar")
        .keys("Esc")
        .names("../ zoo/ Alpha/ latest b10.txt B2.TXT a.tar.gz")
        .on("a.tar.gz");
}

/// What was typed then stood behind the words of the filter.
#[test]
fn words_of_a_filter_give_way_to_those_that_are_typed_and_can_be_edited() {
    let j = directory(ROWS).keys("&").text("zoo").keys("Enter").names("../ zoo/");
    let j = j.keys("&").prompts("only", "zoo").text("b1").prompts("only", "b1").names("../ b10.txt").keys("Enter");
    let j = j.keys("&").prompts("only", "b1").keys("Backspace").prompts("only", "b").text("2").prompts("only", "b2");
    let j = j.keys("Enter &").send(wayfarer::app::Msg::Paste("zoo".into())).prompts("only", "zoo").keys("Enter &");
    j.keys("Enter").names("../ zoo/");
}

#[test]
fn any_page_narrows() {
    let j = Journey::at(&["0|One|/1", "iTwo", "0|Three|/3"]).keys("&").text("t").names("Two Three");
    j.keys("Enter Enter").expect_fetch("gopher://h/0/3");
    let menu = menu("h", &["0|One|/1"]);
    Journey::new().open("gopher://h/").answer(media::MENU, &menu).keys("s n").notes("no rows").names("One");
}

#[test]
fn a_page_that_arrives_is_sorted_all_the_time() {
    let j = Journey::new().open("ftp://h/").head(media::DIRECTORY);
    let j = j.body(b"type=file; c\r\n").names("c").on("c").body(b"type=file; b\r\n").names("b c");
    let j = j.on("b").keys("Down").on("c").body(b"type=file; a\r\ntype=dir; d\r\n").names("d/ a b c").on("c");
    j.body(b"type=file; 0").end().names("d/ 0 a b c").on("c").keys("R").head(media::DIRECTORY).body(ROWS.as_bytes());
}

#[test]
fn descriptions_that_come_after_all_groups_are_shown() {
    let j = Journey::new().open("news://h/*").head(media::NEWSGROUPS);
    let j = j.body(b"b.two\t1\t9\t9\ty\t\na.one\t1\t4\t4\ty\t\n").names("a.one b.two");
    let j = j.keys("s o").names("b.two a.one").body(b"b.two\t\t\t\t\tThe second.\na.one\t\t\t\t\tThe first.\n").end();
    j.look(|j| assert!(j.page().contains("The first.") && j.page().contains("The second."), "{}", j.page()));
}

#[test]
fn a_long_page_that_arrives_is_sorted_now_and_then_and_at_the_end() {
    let rows = |range: std::ops::Range<usize>| {
        range.rev().map(|n| format!("type=file;size={n}; f{n}\r\n")).collect::<String>().into_bytes()
    };
    let mut j = Journey::new().open("ftp://h/").head(media::DIRECTORY);
    let all = rows(0..100_000);
    for chunk in all.chunks(1 << 16) {
        j = j.body(chunk);
    }
    let j = j.keys("PgDn Down");
    let name = {
        let entry = j.app.entry().unwrap();
        entry.document().unwrap().link_text(entry.focus.unwrap()).to_owned()
    };
    let j = j.end().on(&name).on(&name);
    let got = names(&j);
    assert_eq!(got.len(), 100_000);
    assert!(got.iter().enumerate().all(|(n, name)| *name == format!("f{n}")));
    let j = j.keys("s r").on(&name).keys("Home").on("f99999");
    let j = j.keys("&").text("f7777");
    assert_eq!(names(&j).len(), 11);
    j.keys("Esc").look(|j| assert_eq!(names(j).len(), 100_000));
}

#[test]
fn the_old_order_stays_in_view_until_the_new_one_is_there() {
    let rows: String = (0..100_000).map(|n| format!("type=file;size={}; f{n}\r\n", n % 1000)).collect();
    let said = |j: &Journey| status::rows(j.app.sight().entry().unwrap().page.as_ref().unwrap());
    let all = |what: &str| Some(RowCount::All(format!("100,000 entries, {what}")));
    let j = directory(&rows);
    assert_eq!(said(&j), all("50.0 MB"));
    let j = j.hold().keys("s s");
    assert_eq!(said(&j), all("sorting"));
    assert_eq!(names(&j)[1], "f0");
    let j = j.keys("Down").on("f0").work().on("f0");
    assert_eq!(names(&j)[1], "f999");
    assert_eq!(said(&j), all("50.0 MB"));
}

#[test]
fn an_order_that_nobody_wants_any_more_is_given_up() {
    let rows: String = (0..10_000).map(|n| format!("type=file;size={}; f{n}\r\n", n % 1000)).collect();
    let j = directory(&rows).hold().keys("s s").keys("s r").keys("&").text("f77");
    assert_eq!(j.works.len(), 1, "the last wish");
    let j = j.keys("Enter").work();
    assert_eq!(names(&j).len(), 112);
    let j = j.hold().keys("s n").open("gopher://h/").answer(media::PLAIN, b"Another page.");
    // Back there it is as it was wished for.
    let j = j.work().keys("h");
    assert_eq!(names(&j)[1], "f77");
    // What comes of a page that is gone is nothing to the one that took its place.
    let j = j.hold().keys("s s").keys("R").answer(media::DIRECTORY, ROWS.as_bytes()).work();
    assert!(names(&j).len() < 10);
}

#[test]
fn what_names_links_by_numbers_is_not_put_in_another_order_under_the_fingers() {
    let rows: String = (0..10_000).map(|n| format!("type=file;size={}; f{n}\r\n", n % 1000)).collect();
    let j = directory(&rows).hold().keys("s s").keys("O").work();
    assert_eq!(names(&j)[1], "f0", "a list of links is open");
    let j = j.keys("Esc");
    assert_eq!(names(&j)[1], "f999");
}

fn notices(lines: &[&str]) -> Head {
    Head { notices: lines.iter().map(|line| line.to_string()).collect(), ..head("ftp://h/", media::DIRECTORY) }
}

fn welcomed(lines: &[&str], rows: &str) -> Journey {
    let j = Journey::new().open("ftp://h/");
    j.event(FetchEvent::Head(Box::new(notices(lines)))).body(rows.as_bytes()).end()
}

#[test]
fn notices_fold() {
    let j = welcomed(&["Welcome.", "Be kind.", "Be\x1b[31m brief."], "type=file; a\r\n");
    let j = j.look(|j| assert_eq!(j.page(), "┄ Welcome. (2 more lines: Enter)\na\t\t\n")).on("┄ Welcome.");
    let j = j.keys("Enter").look(|j| assert!(j.page().starts_with("┄ Welcome.\n┄ Be kind.\n"), "{}", j.page()));
    let j = j.look(|j| assert!(!j.page().contains('\x1b'))).keys("Enter").on("┄ Welcome.").names("┄ a");
    let j = j.keys("*").names("┄ ┄ ┄ a").keys("*").names("┄ a").keys("s r").names("┄ a");
    j.keys("&").text("nothing").names("┄");
    welcomed(&["One line."], "").look(|j| assert_eq!(j.page(), "┄ One line.\n")).keys("*").notes("nothing is folded");
    welcomed(&["Empty", "here."], "").names("┄").keys("Enter").names("┄ ┄");
}

#[test]
fn a_readme_is_shown_below_the_listing() {
    let rows = "type=file; README.old\r\ntype=file; a\r\ntype=file; Readme\r\ntype=dir; readme.d\r\n";
    let listing = "../ readme.d/ a Readme README.old";
    let j = directory(rows).names(listing).keys("v").expect_fetch("ftp://h/pub/Readme");
    let j = j.answer(media::PLAIN, b"Read\nme.\n").names(&format!("{listing} ┄ Read me.")).on("┄ Readme");
    let j = j.keys("s r").names("../ readme.d/ README.old Readme a ┄ Read me.").on("┄ Readme");
    let j = j.keys("v").names("../ readme.d/ README.old Readme a ┄").keys("v").on("┄ Readme");
    let j = j.names("../ readme.d/ README.old Readme a ┄ Read me.").keys("Enter");
    j.names("../ readme.d/ README.old Readme a ┄").at_url("ftp://h/pub/");
}

/// On a listing that fills the screen nothing of it but its name was seen.
#[test]
fn a_readme_below_a_full_listing_begins_at_the_top() {
    let rows: String = (0..40).map(|n| format!("type=file; f{n}\r\n")).collect();
    let long: String = (0..60).map(|n| format!("line {n}\n")).collect();
    let j = directory(&format!("{rows}type=file; README\r\n")).keys("v");
    let j = j.answer(media::PLAIN, long.as_bytes()).on("┄ README").top(42);
    j.keys("v v").on("┄ README");
    // A short one is seen whole.
    let j = directory(&format!("{rows}type=file; README\r\n")).keys("v").answer(media::PLAIN, b"one\ntwo\n");
    let rows = u32::try_from(j.app.page_rows()).unwrap();
    j.on("┄ README").top(42 + 3 - rows);
}

#[test]
fn a_readme_that_is_none() {
    directory("type=dir; README\r\n").keys("v").quiet().notes("no README");
    Journey::at(&["0|A|/a"]).keys("v").quiet().notes("only directories");
    let j = directory("type=file; README.pdf\r\n").keys("v").expect_fetch("ftp://h/pub/README.pdf");
    let j = j.head("application/pdf").expect_verdict(Verdict::Refuse).notes("no text").quiet();
    let j = j.keys("v").expect_fetch("ftp://h/pub/README.pdf").keys("Esc").expect_cancel(2).names("../ README.pdf");
    let j = j.keys("v").expect_fetch("ftp://h/pub/README.pdf").head(media::PLAIN).body(&vec![b'x'; (1 << 20) + 1]);
    j.expect_cancel(3).notes("only its beginning").look(|j| assert!(j.page().len() < (1 << 20) + 100));
}

#[test]
fn a_readme_may_be_compressed() {
    let j = directory("type=file; README.gz\r\n").keys("v").expect_fetch("ftp://h/pub/README.gz");
    let j = j.head("application/gzip").expect_verdict(Verdict::Accept);
    let j = j.body(include_bytes!("../../data/unpack/small.gz")).end();
    j.notes("README.gz is below the listing").shows("gopher");
}

#[test]
fn a_name_that_turns_out_to_be_a_directorys_gets_its_slash() {
    let arrive = |j: Journey| {
        j.event(FetchEvent::Head(Box::new(head("ftp://h/pub/", media::DIRECTORY)))).body(ROWS.as_bytes()).end()
    };
    let there = arrive(Journey::new().open("ftp://h/pub").expect_fetch("ftp://h/pub")).at_url("ftp://h/pub/");
    // It failed at first, and is tried again in its place.
    let gone = FetchError::new(Kind::Said, "ends the session");
    let again = Journey::new().open("ftp://h/pub").fail(gone).at_url("ftp://h/pub").run("reload");
    for journey in [there, arrive(again)] {
        journey.at_url("ftp://h/pub/").look(|j| assert_eq!(j.app.tab.history.len(), 1));
    }
}

#[test]
fn a_readme_stays_below_a_listing_that_is_read_again() {
    let rows = "type=file; Readme\r\ntype=file;UNIX.mode=0644; a\r\n";
    let with = "../ a Readme ┄ Read me.";
    let j = directory(rows).keys("v").answer(media::PLAIN, b"Read\nme.\n").names(with).on("┄ Readme");
    // other columns, another charset: it is read again with the listing
    let j = j.keys("s p").names(with).on("┄ Readme").run("sort size").names(with);
    let j = j.keys("C").text("koi8-r").keys("Enter").names(with);
    // what the reader folded away stays so
    let j = j.keys("v").names("../ a Readme ┄").keys("s p").names("../ a Readme ┄").keys("v").names(with);
    // what is fetched again is so with its README, which is said nothing of
    let j = j.keys("R").expect_fetch("ftp://h/pub/").answer(media::DIRECTORY, rows.as_bytes());
    let j = j.expect_fetch("ftp://h/pub/Readme").answer(media::PLAIN, b"Read\nit.\n");
    let j = j.names("../ a Readme ┄ Read it.").keys("s h").expect_fetch("ftp://h/pub/");
    // a listing that has none any more has none below
    let j = j.answer(media::DIRECTORY, b"type=file; a\r\n").names("../ a").keys("R").expect_fetch("ftp://h/pub/");
    let j = j.answer(media::DIRECTORY, rows.as_bytes());
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Fetch { .. })));
}

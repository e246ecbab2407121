//! Archives as directories: Enter goes into them, `U` goes up and out again, links stay within.

use super::journey::{Journey, head};
use wayfarer::app::Effect;
use wayfarer::format::media;
use wayfarer::proto::{FetchEvent, Head, Verdict};

const ROOT: &str = "archive://http%3A%2F%2Fh%2Fpub%2Fx.tar.gz/";

fn at_root() -> Journey {
    let j = Journey::new().open("http://h/pub/x.tar.gz");
    let j = j.event(FetchEvent::Head(Box::new(head("http://h/pub/x.tar.gz", "application/gzip"))));
    let refused = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Refuse, .. });
    assert!(j.effects.iter().any(refused), "{:?}", j.effects);
    let j = j.expect_fetch(ROOT);
    j.answer(media::DIRECTORY, b"type=dir; d\ntype=file;size=4; top.txt\n").at_url(ROOT)
}

#[test]
fn an_archive_opens_as_a_directory_and_up_leads_out_of_it() {
    let j = at_root().run("parent").expect_fetch("http://h/pub/");
    drop(j);
    let member = format!("{ROOT}d/page.html");
    let j = at_root().open(&member).answer(media::HTML, b"<a href=/top.txt>top</a><a href=../../../x>x</a>");
    let j = j.keys("Enter").expect_fetch(&format!("{ROOT}top.txt"));
    drop(j);
    let j = at_root().open(&member).answer(media::HTML, b"<a href=../../../x>x</a>").keys("Down Enter");
    j.expect_fetch(&format!("{ROOT}x")).answer(media::PLAIN, b"x").run("parent").expect_fetch(ROOT);
}

#[test]
fn a_page_of_the_network_that_leads_into_an_archive_of_this_machine_is_asked_about() {
    let local = "archive://file%3A%2F%2F%2Fhome%2Fx.zip/a";
    let page = format!("<a href='{local}'>x</a>");
    let asked = Journey::new().open("http://h/").answer(media::HTML, page.as_bytes()).quiet().keys("Down Enter");
    asked.quiet().asks("file of this machine");
    // Within one archive nobody is asked.
    let j = Journey::new().open("archive://file%3A%2F%2F%2Fhome%2Fx.zip/").answer(media::DIRECTORY, b"type=file; a\n");
    j.keys("Down Enter").expect_fetch(local);
}

#[test]
fn the_way_up_from_the_root_of_an_archive_is_not_what_is_saved() {
    // Focus is on `../`, which leads to the directory around the archive.
    let j = at_root().keys("M-d").expect_fetch(ROOT);
    assert!(j.over().contains(ROOT), "{}", j.over());
    let j = j.head(media::DIRECTORY).body(b"type=file;size=4; top.txt\n").end();
    // The archive itself may lie there as x.tar.gz.
    assert!(j.over().contains("into ~/Downloads/x\n"), "{}", j.over());
}

#[test]
fn what_is_saved_of_an_archive_comes_in_its_order() {
    let j = at_root().keys("M-d").expect_fetch(ROOT).head(media::DIRECTORY);
    let lines = b"type=file;unique=0000000000000c00; a\ntype=OS.unix=slink:a;unique=0000000000000c00; l\n\
        type=file;unique=0000000000000200; b\ntype=file;unique=0000000000000600; c\n";
    let j = j.body(lines).end().keys("Enter");
    let paths = j.effects.iter().filter_map(|effect| match effect {
        Effect::Download { into, .. } => Some(into.path.as_str()),
        _ => None,
    });
    assert_eq!(paths.collect::<Vec<_>>(), ["b", "c", "a", "l"]);
}

#[test]
fn up_leads_to_the_row_that_one_came_from() {
    let lists = |j: Journey, lines: &[u8]| j.answer(media::DIRECTORY, lines);
    let root = "archive://ftp%3A%2F%2Fh%2Fpub%2Fb%2520c.zip/";
    let j = lists(Journey::new().open(&format!("{root}d/e/")), b"type=file; x\n").focus(0);
    let j = lists(j.run("parent").expect_fetch(&format!("{root}d/")), b"type=dir; a\ntype=dir; e\n").focus(2);
    let j = lists(j.run("parent").expect_fetch(root), b"type=dir; d\ntype=file; e\n").focus(1);
    let j = j.run("parent").expect_fetch("ftp://h/pub/");
    let j = lists(j, b"type=file; a\ntype=file; b\ntype=file; b c.zip\n").focus(3);
    // Who moves on meanwhile stays there.
    let j = j.run("parent").head(media::DIRECTORY).body(b"type=dir; a\ntype=dir; b\ntype=dir; pub\n").keys("Down");
    j.end().focus(1);
}

#[test]
fn names_of_a_zip_of_dos_are_saved_as_they_are_read() {
    let root = "archive://http%3A%2F%2Fh%2Fx.zip/";
    let dos = || FetchEvent::Head(Box::new(Head { charset: Some("cp437".into()), ..head(root, media::DIRECTORY) }));
    let j = Journey::new().open(root).event(dos()).body(b"type=file; \x81ber.txt\n").end().shows("\u{fc}ber.txt");
    let mut j = j.keys("M-d").expect_fetch(root).event(dos()).body(b"type=file; \x81ber.txt\n").end().keys("Enter");
    let paths = |j: &Journey| j.prepared.last().map(|plan| plan.files[0].path.clone());
    assert_eq!(paths(&j).as_deref(), Some("\u{fc}ber.txt"));
    // Another charset may be chosen.
    j.app.desk.settings.charset.hosts.insert("http%3a%2f%2fh%2fx.zip".into(), "cp850".into());
    j.effects.clear();
    let j = j.open(root).event(dos()).body(b"type=file; \x9B.txt\n").end();
    j.shows("\u{f8}.txt");
}

//! Rows of directories and menus that the reader marks, and what is done with all of them at once.

use super::journey::{Journey, menu};
use wayfarer::app::{DownloadState, Effect, status};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, Kind, Verdict};
use wayfarer::work::Work;

const FILES: &str = "type=dir; sub\r\n\
    type=file;size=10;modify=20200102030405; a.txt\r\n\
    type=file;size=2000;modify=20200103030405; b.gz\r\n\
    type=file;size=300;modify=20200104030405; c.txt\r\n\
    type=file; d.TXT\r\n";

fn at(lines: &str) -> Journey {
    let mut j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, lines.as_bytes());
    j.effects.clear();
    j
}

fn marked(j: &Journey) -> String {
    status::marked(j.app.sight()).unwrap_or_default()
}

/// What a copy of the marked rows puts on the clipboard.
fn copied(j: Journey) -> (Journey, String) {
    let mut j = j.keys("Y");
    let Some(Effect::Copy(text)) = j.effects.pop() else { panic!("nothing was copied: {:?}", j.effects) };
    (j, text)
}

#[test]
fn a_key_marks_a_row_and_goes_on_to_the_next() {
    // ../ is no row; then sub/, a.txt
    let j = at(FILES).keys("Down Down Ins").focus(3);
    assert_eq!(marked(&j), "1 marked, 10 B");
    let j = j.keys("c");
    assert_eq!(marked(&j), "2 marked, 2.0 kB");
    let j = j.keys("Up c");
    assert_eq!(marked(&j), "1 marked, 10 B", "the same key takes the mark away");
    assert_eq!(marked(&j.keys("u").notes("no row is marked any more")), "");
}

#[test]
fn the_way_up_is_no_row_nor_is_anything_on_a_text() {
    let j = at(FILES).keys("c").notes("the way up");
    assert_eq!(marked(&j), "");
    let j = Journey::new().open("gopher://h/0/t").answer(media::PLAIN, b"see gopher://h/1/\n").keys("c");
    assert_eq!(marked(&j.notes("only rows of directories, menus and newsgroups")), "");
}

#[test]
fn a_glob_marks_what_is_shown_and_fits() {
    let j = at(FILES).run("mark-rows *.txt").notes("3 rows marked");
    let (j, text) = copied(j);
    assert_eq!(text, "ftp://h/pub/a.txt\nftp://h/pub/c.txt\nftp://h/pub/d.TXT");
    let j = j.run("mark-rows none").run("mark-rows *.TXT").notes("1 row marked");
    let j = j.run("mark-rows none").run("mark-rows *,!*.gz,!sub");
    assert_eq!(marked(&j), "3 marked, 310 B, 1 of unknown size");
    // what a filter hides is not meant
    let j = j.run("mark-rows none").run("filter c.").run("mark-rows all");
    assert_eq!(copied(j).1, "ftp://h/pub/c.txt");
    let j = at(FILES).run("mark-rows *.txt").run("mark-rows invert");
    assert_eq!(copied(j).1, "ftp://h/pub/sub/\nftp://h/pub/b.gz");
    at(FILES).run("mark-rows *.zip").notes("no row");
    at(FILES).keys("P").prompts(":", "mark-rows ");
}

#[test]
fn what_is_newer_than_a_day_is_marked() {
    let (_, text) = copied(at(FILES).run("mark-rows since 2020-01-03").notes("2 rows marked"));
    assert_eq!(text, "ftp://h/pub/b.gz\nftp://h/pub/c.txt");
    at(FILES).run("mark-rows since 2030-01-01").notes("no row fits");
    at(FILES).run("mark-rows since when").notes("since a day");
    let j = Journey::at(&["0|since|/a"]).run("mark-rows since 2020-01-01");
    assert_eq!(marked(&j), "", "a menu tells no times");
}

#[test]
fn a_range_goes_from_the_row_marked_last_to_the_one_under_focus() {
    let j = at(FILES).keys("Down Down c Down Down I");
    assert_eq!(marked(&j), "4 marked, 2.3 kB, 1 of unknown size");
    let j = at(FILES).keys("End c Home Tab Tab I");
    assert_eq!(copied(j).1.lines().count(), 4, "upwards, too");
    at(FILES).keys("Down I").notes("no row was marked");
}

#[test]
fn marks_stay_with_their_rows_through_order_filter_and_reload() {
    let j = at(FILES).run("mark-rows a.txt").run("mark-rows b.gz").run("sort size").run("filter b");
    assert_eq!(marked(&j), "2 marked, 2.0 kB");
    let (_, text) = copied(j);
    assert_eq!(text, "ftp://h/pub/b.gz\nftp://h/pub/a.txt", "what a filter hides comes last");
    let (j, text) = copied(at(FILES).run("mark-rows a.txt").run("mark-rows b.gz").run("sort name reverse"));
    assert_eq!(text, "ftp://h/pub/b.gz\nftp://h/pub/a.txt", "in the order that is shown");
    // a.txt is gone there, b.gz another row and larger
    let now = "type=file;size=1; 0\r\ntype=file;size=5000; b.gz\r\n";
    let j = j.keys("R").answer(media::DIRECTORY, now.as_bytes());
    assert_eq!(marked(&j), "1 marked, 5.0 kB");
    assert_eq!(copied(j).1, "ftp://h/pub/b.gz");
}

#[test]
fn marks_are_of_one_page_and_are_there_when_it_is_come_back_to() {
    let j = at(FILES).run("mark-rows a.txt").keys("Home Tab Enter").answer(media::DIRECTORY, FILES.as_bytes());
    assert_eq!(marked(&j), "");
    let j = j.keys("Left");
    assert_eq!(marked(&j), "1 marked, 10 B");
    assert_eq!(marked(&j.run("new-tab ftp://h/pub/").answer(media::DIRECTORY, FILES.as_bytes())), "");
}

#[test]
fn one_save_takes_all_marked_files_into_one_folder() {
    let j = at(FILES).run("mark-rows *.txt").keys("d").quiet();
    let over = j.over();
    assert!(over.contains("3 files, 310 B and 1 of unknown size, into ~/Downloads/pub"), "{over}");
    let mut j = j.keys("Enter");
    let Effect::Download { request, into, .. } = j.effects.remove(0) else { panic!("{:?}", j.effects) };
    assert_eq!((request.url.as_str(), into.path.as_str()), ("ftp://h/pub/a.txt", "a.txt"));
    assert_eq!(into.within.as_deref(), Some("~/Downloads/pub"));
    assert_eq!((j.app.transfers.downloads.len(), &j.app.transfers.downloads[0].state), (1, &DownloadState::Running));
    assert_eq!(marked(&j), "", "what was asked for is done");
}

#[test]
fn a_folder_can_be_named_and_nothing_goes_hidden_into_the_home_folder() {
    let lines = "type=file;size=1; .bashrc\r\ntype=file;size=1; -x\r\ntype=file;size=1; ...\r\n";
    let paths = |folder: &str| {
        let mut j = at(lines).run("mark-rows all").run(&format!("download {folder}")).keys("Enter");
        let mut paths = Vec::new();
        while let Some(Effect::Download { into, .. }) = j.effects.pop() {
            assert_eq!(into.within.as_deref(), Some(folder.trim_end_matches('/')));
            paths.push(into.path);
            let last = j.last();
            let done = wayfarer::app::Transfer::Done("x".into(), None);
            j = j.send(wayfarer::app::Msg::Transfer { id: last, elapsed: std::time::Duration::ZERO, transfer: done });
        }
        paths.sort();
        paths
    };
    assert!(paths("/tmp/x/").contains(&".bashrc".to_owned()));
    assert!(paths("~").iter().all(|name| !name.starts_with(['.', '-'])));
}

#[test]
fn marked_directories_are_saved_with_all_below() {
    let j = at(FILES).run("mark-rows sub").run("mark-rows a.txt").keys("d").expect_fetch("ftp://h/pub/sub/");
    let j = j.head(media::DIRECTORY).expect_verdict(Verdict::Accept).body(b"type=file;size=5; a.txt\r\n").end();
    let over = j.over();
    assert!(over.contains("2 files in 1 directory, 15 B, into ~/Downloads/pub"), "{over}");
    let mut j = j.keys("Enter");
    let mut paths = Vec::new();
    for effect in j.effects.drain(..) {
        if let Effect::Download { into, .. } = effect {
            paths.push(into.path);
        }
    }
    assert_eq!(paths, ["a.txt", "sub/a.txt"]);
}

#[test]
fn esc_on_the_plan_keeps_the_marks() {
    let j = at(FILES).run("mark-rows *.txt").keys("d Esc").free();
    assert_eq!(marked(&j), "3 marked, 310 B, 1 of unknown size");
}

#[test]
fn of_a_menu_only_what_could_be_followed_unasked_is_saved() {
    let rows = ["0|a text|/a.txt", "1|a menu|/m", "7|a search|/s", "8|telnet|x", "9|a file|/f.zip"];
    let mut octets = menu("h", &rows);
    octets.truncate(octets.len() - 3);
    octets.extend_from_slice(
        b"0odd port\t/x\th\t25\r\n0twin\t/a.txt\tother\t70\r\nhfile\tURL:file:///etc/passwd\th\t70\r\n.\r\n",
    );
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &octets).quiet().run("mark-rows all").keys("d");
    let over = j.over();
    assert!(over.contains("4 files") && over.contains("left out: 4"), "{over}");
    assert!(over.contains("a search") && over.contains("telnet") && over.contains("odd port"), "{over}");
    let mut j = j.keys("Enter");
    let mut got = Vec::new();
    for effect in j.effects.drain(..) {
        if let Effect::Download { request, into, .. } = effect {
            assert!(request.login.is_none());
            got.push((request.url.as_str().to_owned(), into.path));
        }
    }
    assert_eq!(got[0], ("gopher://h/0/a.txt".into(), "a.txt".into()));
    assert!(got.iter().any(|(_, path)| path == "a-2.txt"), "{got:?}");
    assert!(!got.iter().any(|(url, _)| url.contains(":25") || url.starts_with("file")), "{got:?}");
}

#[test]
fn a_pipe_has_the_addresses_of_the_marked_rows() {
    let j = at(FILES).run("mark-rows *.txt").keys("!").prompts("pipe 3 addresses to", "");
    let mut j = j.text("cat").keys("Enter");
    let Some(Effect::Pipe { program, input, .. }) = j.effects.pop() else { panic!("{:?}", j.effects) };
    assert_eq!(program, ["cat"]);
    assert_eq!(String::from_utf8(input).unwrap(), "ftp://h/pub/a.txt\nftp://h/pub/c.txt\nftp://h/pub/d.TXT\n");
    // the page itself, still
    let mut j = at(FILES).run("mark-rows *.txt").run("pipe text cat");
    let Some(Effect::Pipe { input, .. }) = j.effects.pop() else { panic!("{:?}", j.effects) };
    assert!(String::from_utf8(input).unwrap().contains("b.gz"));
}

#[test]
fn addresses_that_are_copied_hold_no_password() {
    let mut j = Journey::new().open("ftp://me:secret@h/").answer(media::DIRECTORY, FILES.as_bytes());
    j.effects.clear();
    let (_, text) = copied(j.run("mark-rows *.txt"));
    assert!(text.lines().count() == 3 && !text.contains("secret"), "{text}");
}

#[test]
fn a_long_directory_is_looked_through_elsewhere_and_the_last_word_counts() {
    let lines: String = (0..50_000).map(|n| format!("type=file;size=1; {n}.txt\r\n")).collect();
    let j = at(&lines).hold().run("mark-rows *7.txt");
    assert!(matches!(j.works[..], [(_, Work::FindLinks(_))]), "{:?}", j.works.len());
    let j = j.work().notes("5,000 rows marked");
    assert_eq!(marked(&j), "5,000 marked, 5.0 kB");
    // who has gone on is not pulled back, and no other page has the marks
    let j = at(&lines).hold().run("mark-rows *7.txt").open("gopher://h/");
    let j = j.head(media::MENU).expect_verdict(Verdict::Accept).body(&menu("h", &["0|7.txt|/7.txt"])).end().work();
    assert_eq!(marked(&j), "");
    // there is a bound
    let j = at(&lines).run("mark-rows all").notes("20,000 rows are marked at most");
    assert_eq!(marked(&j), "20,000 marked, 20.0 kB");
}

#[test]
fn marks_come_back_while_a_long_directory_comes_again() {
    let lines: String = (0..50_000).map(|n| format!("type=file;size=1; {n}.txt\r\n")).collect();
    let j = at(&lines).run("mark-rows 777.txt").hold().keys("R");
    let j = j.head(media::DIRECTORY).body(lines.as_bytes());
    assert_eq!(marked(&j), "");
    let j = j.event(FetchEvent::End(wayfarer::proto::End::default())).work();
    assert_eq!(marked(&j), "1 marked, 1 B");
}

#[test]
fn marked_rows_have_the_names_that_the_page_guessed() {
    let j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, super::saved_names::GUESSED);
    let mut j = j.run("mark-rows *.txt").keys("d Enter");
    let into = |effect| match effect {
        Effect::Download { into, .. } => Some(into.path),
        _ => None,
    };
    assert!(j.effects.drain(..).filter_map(into).any(|path| path == "日本語.txt"));
}

/// Eight files had other names at the end, and nobody had said so.
#[test]
fn marked_rows_that_get_other_names_are_listed_in_the_plan_and_at_the_end() {
    let lines = "type=file;size=1; b.wayfarer-part\r\ntype=file;size=1; e\u{1b}[31msc\r\ntype=file;size=1; plain\r\n";
    let j = at(lines).run("mark-rows *").keys("d");
    let plan = j.over();
    assert!(plan.contains("2 names that cannot stay as they are"), "{plan}");
    assert!(plan.contains("b.wayfarer-part is saved as b.wayfarer-part_"), "{plan}");
    assert!(plan.contains("e\\x1b[31msc is saved as esc"), "{plan}");
    let j = saved(j.keys("Enter")).notes("2 under other names; Enter on it in the list of downloads tells which");
    let j = j.keys("D Enter").text("l");
    assert!(j.over().contains("is saved as esc"), "{}", j.over());
}

/// All files that are fetched come.
fn saved(mut j: Journey) -> Journey {
    while let Some(at) = j.effects.iter().position(|effect| matches!(effect, Effect::Download { .. })) {
        let Effect::Download { id, .. } = j.effects.remove(at) else { continue };
        let done = wayfarer::app::Transfer::Done("x".into(), None);
        j = j.send(wayfarer::app::Msg::Transfer { id, elapsed: std::time::Duration::ZERO, transfer: done });
    }
    j
}

/// A link of 10 octets to a file of 7 failed: "7 of 10 octets came".
#[test]
fn the_length_of_a_link_is_not_that_of_the_file_that_it_leads_to() {
    let lines = "type=OS.unix=slink:short.txt;size=10; link\r\ntype=file;size=7; short.txt\r\n";
    let j = at(lines).run("mark-rows *");
    assert_eq!(marked(&j), "2 marked, 7 B, 1 of unknown size");
    let j = j.keys("d Enter");
    let link = j.effects.iter().find_map(|effect| match effect {
        Effect::Download { request, into, .. } if into.path == "link" => Some(request.clone()),
        _ => None,
    });
    let link = link.unwrap();
    assert_eq!((link.url.as_str(), link.listed), ("ftp://h/pub/link;type=i", None));
}

#[test]
fn a_marked_link_that_leads_to_a_folder_is_left_out_and_it_is_said_why() {
    let j = at("type=OS.unix=slink:sub; a\r\ntype=file;size=1; b\r\n").run("mark-rows *").keys("d Enter");
    let id = j.effects.iter().find_map(|effect| match effect {
        Effect::Download { id, request, .. } if request.url.as_str() == "ftp://h/pub/a;type=i" => Some(*id),
        _ => None,
    });
    let error = FetchError::new(Kind::NotFound, "\"a\" is a directory there.");
    let j = saved(j.event_of(id.unwrap(), FetchEvent::Failed(error)));
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Done);
    assert!(j.keys("D Enter").text("l").over().contains("a: a link, left out: \"a\" is a directory there."));
}

/// Eight files became thirty.
#[test]
fn marked_rows_that_are_saved_again_are_the_same_rows() {
    let mut j = at(FILES);
    j.app.desk.settings.ftp.connections = 1;
    let j = j.run("mark-rows *.txt").run("mark-rows sub").keys("d").expect_fetch("ftp://h/pub/sub/");
    let j = j.head(media::DIRECTORY).expect_verdict(Verdict::Accept).end();
    let j = saved(j.keys("Enter"));
    let j = j.keys("D Enter").text("s").expect_fetch("ftp://h/pub/");
    let now = "type=dir; sub\r\ntype=dir; other\r\ntype=file;size=11; a.txt\r\ntype=file;size=2000; b.gz\r\n\
        type=file; d.TXT\r\n";
    let j = j.head(media::DIRECTORY).expect_verdict(Verdict::Accept).body(now.as_bytes()).end();
    let j = j.expect_fetch("ftp://h/pub/sub/").head(media::DIRECTORY).expect_verdict(Verdict::Accept).end().quiet();
    let over = j.over();
    assert!(over.contains("2 files in 2 directories, 11 B and 1 of unknown size"), "{over}");
    assert!(over.contains("c.txt is not there any more"), "{over}");
}

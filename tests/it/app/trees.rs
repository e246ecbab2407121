//! Directories saved with all that is below them.

use super::journey::{Journey, head};
use std::time::Duration;
use wayfarer::app::{Destination, DownloadState, Effect, Existing, JobId, Msg, Overlay, Transfer, status};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, Kind, Verdict};

/// In view of the directory `ftp://h/pub/` with these lines.
fn at(lines: &str) -> Journey {
    let mut j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, lines.as_bytes());
    j.effects.clear();
    j
}

/// Answers the directory that is being read.
fn lists(j: Journey, lines: &str) -> Journey {
    j.head(media::DIRECTORY).expect_verdict(Verdict::Accept).body(lines.as_bytes()).end()
}

const FILES: &str = "type=file;size=10;modify=20200102030405; a.txt\r\ntype=dir; sub\r\n";

/// A plan of two files, in sight.
fn planned() -> Journey {
    let j = at(FILES).keys("Down Down M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, FILES).expect_fetch("ftp://h/pub/sub/");
    lists(j, "type=cdir; .\r\ntype=file;size=20; b\r\ntype=OS.unix=slink:/etc; etc\r\n").quiet()
}

fn into(effect: &Effect) -> &Destination {
    let Effect::Download { into, .. } = effect else { panic!("no download: {effect:?}") };
    into
}

/// A fetch of a file ends.
fn ends(j: Journey, id: JobId, transfer: Transfer) -> Journey {
    j.send(Msg::Transfer { id, elapsed: Duration::from_secs(1), transfer })
}

fn done() -> Transfer {
    Transfer::Done("x".into(), None)
}

#[test]
fn the_plan_comes_first_and_says_what_is_left_out() {
    let j = planned();
    let plan = j.over();
    assert!(plan.contains("2 files in 2 directories, 30 B, into ~/Downloads/pub"), "{plan}");
    assert!(plan.contains("left out: 1 link") && plan.contains("sub/etc"), "{plan}");
    j.keys("Esc").quiet().free().look(|j| assert!(j.app.transfers.downloads.is_empty()));
}

#[test]
fn esc_stops_the_reading() {
    let j = at(FILES).keys("M-d").expect_fetch("ftp://h/pub/");
    let j = j.head(media::DIRECTORY).expect_verdict(Verdict::Accept).body(FILES.as_bytes());
    assert!(j.over().contains("reading directories: 1 file in 1 directory, 10 B so far"), "{}", j.over());
    let id = j.last();
    let j = j.keys("Enter").quiet().notes("still reading");
    j.keys("Esc").expect(Effect::Cancel(id)).free().event(FetchEvent::Body(FILES.into())).quiet();
}

#[test]
fn the_directory_under_focus_is_meant_else_the_page() {
    let j = at("type=dir; sub\r\ntype=file; f\r\n").keys("Tab M-d");
    j.expect_fetch("ftp://h/pub/sub/").look(|j| assert!(j.over().contains("/pub/sub/")));
    // The way up is not what is meant.
    at(FILES).keys("M-d").expect_fetch("ftp://h/pub/");
    Journey::at(&["1|Sub|/sub"]).keys("M-d").quiet().free().notes("no directory");
}

#[test]
fn files_come_one_after_the_other_as_one_row() {
    let j = planned().keys("Enter").free().notes("saving 2 files");
    let first = j.last();
    let [effect] = &j.effects[..] else { panic!("{:?}", j.effects) };
    let to = into(effect);
    assert_eq!((to.path.as_str(), to.within.as_deref()), ("a.txt", Some("~/Downloads/pub")));
    let modified = "2020-01-02T03:04:05Z".parse().unwrap();
    assert_eq!(to.existing, Existing::Compare { size: Some(10), modified: Some(modified) });
    let mut j = ends(j, first, Transfer::Progress(6));
    let said = status::download(&j.app.transfers.downloads[0]);
    assert_eq!(said, "0 of 2 files, 6 B of 30 B, 20%, 6 B/s, 4 s left");
    assert_eq!(status::saving(j.app.sight()).as_deref(), Some("saving 20%"));
    j.effects.clear();
    let j = ends(j, first, Transfer::Present("x".into()));
    assert_eq!(into(&j.effects[0]).path, "sub/b");
    let second = j.last();
    let j = ends(ends(j, second, Transfer::Progress(20)), second, done());
    let j = j.notes("saved 1 files into ~/Downloads/pub, 1 were there already");
    assert_eq!((j.app.transfers.downloads.len(), &j.app.transfers.downloads[0].state), (1, &DownloadState::Done));
    assert_eq!(j.app.transfers.downloads[0].received, 30);
}

#[test]
fn what_failed_is_listed_and_can_be_tried_again() {
    let j = planned().keys("Enter");
    let j = j.fail(FetchError::new(Kind::Denied, "You may not."));
    let last = j.last();
    let mut j = ends(j, last, done()).notes("1 of 2 files could not be saved: You may not.");
    j.effects.clear();
    let j = j.keys("D Enter").asks("1 failed").text("l");
    assert!(j.over().contains("a.txt") && j.over().contains("You may not."), "{}", j.over());
    let j = j.keys("Esc D Enter").text("g");
    assert_eq!(into(&j.effects[0]).path, "a.txt");
    let last = j.last();
    assert_eq!(ends(j, last, done()).app.transfers.downloads[0].state, DownloadState::Done);
}

#[test]
fn a_tree_is_stopped_and_goes_on_where_it_was() {
    let mut j = planned().keys("Enter");
    let first = j.last();
    j.effects.clear();
    let j = j.keys("D Enter").asks("What came is kept").text("p").expect(Effect::Cancel(first)).quiet();
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Cancelled);
    let j = j.keys("D Enter").text("g");
    assert_eq!(into(&j.effects[0]).path, "a.txt");
}

#[test]
fn a_server_that_is_gone_is_not_asked_for_every_file() {
    let lines: String = (0..50).map(|n| format!("type=file;size=1; {n}\r\n")).collect();
    let mut j = lists(at(&lines).keys("M-d").expect_fetch("ftp://h/pub/"), &lines).keys("Enter");
    let before = j.fetches.len();
    for _ in 0..50 {
        j = j.fail(FetchError::new(Kind::TimedOut, "Nothing came."));
    }
    assert_eq!(j.fetches.len() - before, 4);
    assert!(matches!(j.app.transfers.downloads[0].state, DownloadState::Cut(_)));
}

#[test]
fn hostile_names_stay_inside() {
    let names =
        ["../../x", "..", "/etc/passwd", "a\\b", "nul\0", "...", ".bashrc", "-rf", "\u{1b}[31mred", "a.part.toml"];
    let lines: String = names.iter().map(|name| format!("type=file;size=1; {name}\r\n")).collect();
    let lines = lines + "type=dir; ../up\r\ntype=dir; ..\r\ntype=dir; .git\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &lines).expect_fetch("ftp://h/pub/.git/");
    let j = lists(j, "type=file; config\r\n").quiet();
    assert!(
        j.over().contains("5 entries with a name that is unsafe here") || j.over().contains("6 entries with"),
        "{}",
        j.over()
    );
    let mut j = j.keys("Enter");
    let mut paths = Vec::new();
    while let Some(effect) = j.effects.pop() {
        paths.push(into(&effect).path.clone());
        let last = j.last();
        j = ends(j, last, done());
    }
    for path in &paths {
        let hidden =
            |part: &str| part.is_empty() || part.starts_with(['.', '-']) || part.contains(['\\', '\0', '\u{1b}']);
        assert!(!path.split('/').any(hidden), "{path:?}");
    }
    assert!(
        ["bashrc", "rf", "git/config", "a.part.toml_"].iter().all(|name| paths.iter().any(|p| p == name)),
        "{paths:?}"
    );
}

#[test]
fn names_that_become_the_same_get_numbers() {
    let lines = "type=file;size=1; .a\r\ntype=file;size=1; a\r\ntype=file;size=1; A\r\ntype=dir; -a\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).expect_fetch("ftp://h/pub/-a/");
    let mut j = lists(j, "type=file;size=1; x\r\n").keys("Enter");
    let mut paths = Vec::new();
    while let Some(effect) = j.effects.pop() {
        paths.push(into(&effect).path.clone());
        let last = j.last();
        j = ends(j, last, done());
    }
    assert_eq!(paths, ["a", "a-2", "A-3", "a-4/x"]);
}

#[test]
fn reading_has_bounds() {
    use wayfarer::app::{DEPTH, DIRECTORIES, ENTRIES};
    // Ever deeper, as a server may make it up.
    let mut j = at("").keys("M-d");
    let mut read = 0;
    while let Some(Effect::Fetch { .. }) = j.effects.pop() {
        read += 1;
        j = lists(j, "type=dir; d\r\n");
    }
    assert_eq!(read, DEPTH + 1);
    assert!(j.over().contains("1 directory too deep"), "{}", j.over());
    let wide: String = (0..DIRECTORIES + 5).map(|n| format!("type=dir; {n}\r\n")).collect();
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &wide);
    let mut j = j;
    while let Some(Effect::Fetch { .. }) = j.effects.pop() {
        j = j.fail(FetchError::new(Kind::Denied, "no"));
    }
    assert!(j.over().contains("6 entries beyond what is read at most"), "{}", j.over());
    let many: String = (0..ENTRIES + 3).map(|n| format!("type=file;size=1; {n}\r\n")).collect();
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &many);
    assert!(j.over().contains("100,000 files") && j.over().contains("3 entries beyond"), "{}", &j.over()[..200]);
}

#[test]
fn a_directory_that_cannot_be_read_is_told_of() {
    let j = at(FILES).keys("M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, FILES).expect_fetch("ftp://h/pub/sub/").fail(FetchError::new(Kind::Denied, "You may not."));
    assert!(j.over().contains("sub/: You may not."), "{}", j.over());
    // An answer from elsewhere is none.
    let j = at(FILES).keys("M-d").expect_fetch("ftp://h/pub/");
    let elsewhere = head("ftp://other/pub/", media::DIRECTORY);
    let j = j.event(FetchEvent::Head(Box::new(elsewhere))).expect_verdict(Verdict::Refuse);
    assert!(j.over().contains("no directory"), "{}", j.over());
    let j = j.keys("Enter").notes("nothing to save");
    assert!(matches!(j.app.hands.overlays().last(), Some(Overlay::Text { .. })));
}

#[test]
fn a_directory_is_downloaded_with_what_is_in_it() {
    let j = at(FILES).keys("Down d").expect_fetch("ftp://h/pub/sub/");
    lists(j, "type=file;size=20; b\r\n").quiet().look(|j| assert!(j.over().contains("1 file"), "{}", j.over()));
}

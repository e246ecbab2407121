//! Directories saved with all that is below them.

use super::journey::{Journey, head};
use std::time::Duration;
use wayfarer::app::{
    Beginning, Destination, DownloadState, Effect, Existing, JobId, ListedFile, Msg, Overlay, Remembered, There,
    Transfer, status,
};
use wayfarer::format::listing::{Precision, Time};
use wayfarer::format::{count, media};
use wayfarer::proto::{FetchError, FetchEvent, Kind, Verdict};

/// In view of the directory `ftp://h/pub/` with these lines.
pub(super) fn at(lines: &str) -> Journey {
    let mut j = Journey::new();
    // One after the other, as a server wants it that has no more room.
    j.app.desk.settings.ftp.connections = 1;
    let mut j = j.open("ftp://h/pub/").answer(media::DIRECTORY, lines.as_bytes());
    j.effects.clear();
    j
}

/// Answers the directory that is being read.
pub(super) fn lists(j: Journey, lines: &str) -> Journey {
    j.head(media::DIRECTORY).expect_verdict(Verdict::Accept).body(lines.as_bytes()).end()
}

const FILES: &str = "type=file;size=10;modify=20200102030405; a.txt\r\ntype=dir; sub\r\n";

/// A plan of two files, in sight.
pub(super) fn planned() -> Journey {
    let j = at(FILES).keys("Down Down M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, FILES).expect_fetch("ftp://h/pub/sub/");
    lists(j, "type=cdir; .\r\ntype=file;size=20; b\r\ntype=file;size=1; ../etc\r\n").quiet()
}

fn listed_at(at: &str, precision: Precision, utc: bool) -> Option<Time> {
    Some(Time { at: at.parse().unwrap(), precision, utc })
}

pub(super) fn into(effect: &Effect) -> &Destination {
    let Effect::Download { into, .. } = effect else { panic!("no download: {effect:?}") };
    into
}

pub(super) fn id(effect: &Effect) -> JobId {
    let Effect::Download { id, .. } = effect else { panic!("no download: {effect:?}") };
    *id
}

/// A fetch of a file ends.
pub(super) fn ends(j: Journey, id: JobId, transfer: Transfer) -> Journey {
    j.send(Msg::Transfer { id, elapsed: Duration::from_secs(1), transfer })
}

pub(super) fn done() -> Transfer {
    Transfer::Done("x".into(), None)
}

/// All files that are fetched come, in their turn; each with the last of its address.
fn saved(mut j: Journey) -> (Journey, Vec<(String, String)>) {
    let mut all = Vec::new();
    while let Some(at) = j.effects.iter().position(|effect| matches!(effect, Effect::Download { .. })) {
        let Effect::Download { id, request, into } = j.effects.remove(at) else { continue };
        let last = request.url.as_str().rsplit('/').next().unwrap_or_default().to_owned();
        all.push((into.path, last));
        j = ends(j, id, done());
    }
    (j, all)
}

fn paths(all: &[(String, String)]) -> Vec<&str> {
    all.iter().map(|(path, _)| path.as_str()).collect()
}

#[test]
fn what_may_be_run_there_may_be_run_here_and_a_link_says_nothing_of_that() {
    let rows = "type=file;size=1;UNIX.mode=0755; configure\r\ntype=file;size=1;UNIX.mode=0644; README\r\n\
                type=file;size=1; unknown\r\ntype=file;size=1;UNIX.mode=04711; su\r\n";
    let mut j = at(FILES);
    j.app.desk.settings.ftp.connections = 4;
    let j = lists(j.keys("Down Down M-d").expect_fetch("ftp://h/pub/"), rows).keys("Enter");
    let runs = |name: &str| {
        let mut downloads = j.effects.iter().filter(|effect| matches!(effect, Effect::Download { .. })).map(into);
        downloads.find(|into| into.path == name).map(|into| into.runs)
    };
    assert_eq!((runs("configure"), runs("README"), runs("unknown")), (Some(true), Some(false), Some(false)));
}

#[test]
fn a_plan_has_no_more_names_than_there_is_room_for() {
    // Of 255 octets each, thirty below each other; the files below them alone would be of 700 MB.
    let name = "d".repeat(255);
    let mut j = at(FILES).keys("Down Down M-d").expect_fetch("ftp://h/pub/");
    for _ in 0..30 {
        j = lists(j, &format!("type=dir; {name}\r\n"));
        j.effects.clear();
    }
    let files: String = (0..90_000).map(|n| format!("type=file;size=1; {n}\r\n")).collect();
    let j = lists(j, &files);
    let over = j.over();
    let said = over.split('\n').find(|line| line.contains("beyond what is read at most")).unwrap_or_default();
    assert!(said.contains("entries beyond what is read at most"), "{}", &over[..over.len().min(400)]);
    assert!(over.contains(" files") && !over.contains("90,000 files"), "{}", &over[..over.len().min(400)]);
}

#[test]
fn the_plan_comes_first_and_says_what_is_left_out() {
    let j = planned();
    let plan = j.over();
    assert!(plan.contains("2 files in 2 directories, 30 B, into ~/Downloads/pub"), "{plan}");
    assert!(plan.contains("left out: 1 entry with a name") && plan.contains("sub/../etc"), "{plan}");
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
fn as_many_directories_are_read_at_once_as_files_may_come() {
    let mut j = at(FILES);
    j.app.desk.settings.ftp.connections = 2;
    let j = j.keys("M-d").expect_fetch("ftp://h/pub/");
    let root = j.last();
    let j = j.head(media::DIRECTORY).body(b"type=dir; a\r\ntype=dir; b\r\ntype=dir; c\r\n");
    let j = j.event_of(root, FetchEvent::End(Default::default()));
    let ids: Vec<JobId> = j.fetches.iter().rev().take(2).map(|(id, _)| *id).collect();
    let [second, first] = ids[..] else { panic!() };
    let asked: Vec<&str> = j.fetches.iter().rev().take(2).map(|(_, request)| request.url.as_str()).collect();
    assert_eq!(asked, ["ftp://h/pub/b/", "ftp://h/pub/a/"]);
    let of = |j: Journey, id: JobId, events: Vec<FetchEvent>| events.into_iter().fold(j, |j, e| j.event_of(id, e));
    let listing = |at: &str, lines: &str| {
        vec![
            FetchEvent::Head(Box::new(head(&format!("ftp://h/pub/{at}/"), media::DIRECTORY))),
            FetchEvent::Body(lines.to_owned().into()),
        ]
    };
    // Their lines come mixed, and each goes where it belongs; names that two have are no twins.
    let j = of(j, second, listing("b", "type=file;size=1; x\r\n"));
    let mut j = of(j, first, listing("a", "type=file;size=2; x\r\n"));
    j.effects.clear();
    let j = of(j, second, vec![FetchEvent::End(Default::default())]).expect_fetch("ftp://h/pub/c/");
    let last = j.last();
    let j = of(j, last, vec![FetchEvent::Failed(FetchError::new(Kind::Denied, "You may not."))]);
    assert!(j.over().contains("reading directories: 2 files"), "{}", j.over());
    let j = of(j, first, vec![FetchEvent::End(Default::default())]);
    let plan = j.over();
    assert!(plan.contains("2 files in 3 directories, 3 B") && plan.contains("c/: You may not."), "{plan}");
    let j = j.keys("Enter");
    let is_download = |effect: &&Effect| matches!(effect, Effect::Download { .. });
    let mut paths: Vec<&str> = j.effects.iter().filter(is_download).map(|effect| into(effect).path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["a/x", "b/x"]);
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
fn files_come_as_one_row_and_one_more_is_made_ready() {
    let j = planned().keys("Enter").free().notes("saving 2 files");
    let [effect, next] = &j.effects[..] else { panic!("{:?}", j.effects) };
    let (to, first, second) = (into(effect), id(effect), id(next));
    assert_eq!((to.path.as_str(), to.within.as_deref()), ("a.txt", Some("~/Downloads/pub")));
    let modified = listed_at("2020-01-02T03:04:05", Precision::Second, true);
    assert_eq!((&to.existing, to.listed), (&Existing::Compare, ListedFile { size: Some(10), modified }));
    let mut j = ends(j, first, Transfer::Progress(6));
    let said = status::download(&j.app.transfers.downloads[0]);
    assert_eq!(said, "0 of 2 files, 6 B of 30 B, 20%, 6 B/s, 4 s left");
    assert_eq!(status::saving(j.app.sight()).as_deref(), Some("saving 20%"));
    assert_eq!(into(&j.effects[1]).path, "sub/b");
    j.effects.clear();
    let j = ends(j, first, Transfer::Present("x".into())).quiet();
    let j = ends(ends(j, second, Transfer::Progress(20)), second, done());
    let j = j.notes("saved 1 file into ~/Downloads/pub, 1 was there already");
    assert_eq!((j.app.transfers.downloads.len(), &j.app.transfers.downloads[0].state), (1, &DownloadState::Done));
    assert_eq!(j.app.transfers.downloads[0].received, 30);
}

/// A file that was asked for meanwhile finds the host as full as it may be, and no fuller.
#[test]
fn one_more_is_made_ready_of_a_directory_only_where_nothing_else_comes_from_there() {
    let lines: String = (0..6).map(|n| format!("type=file;size=1; {n}\r\n")).collect();
    let mut j = at(&lines);
    j.app.desk.settings.ftp.connections = 2;
    let mut j = lists(j.keys("M-d").expect_fetch("ftp://h/pub/"), &lines);
    j.effects.clear();
    let j = j.keys("Enter");
    let ids: Vec<JobId> = j.effects.iter().map(id).collect();
    assert_eq!(ids.len(), 3);
    let mut j = j.keys("Down Down d Enter").notes("waits for its turn");
    j.effects.clear();
    let j = ends(j, ids[0], done()).quiet();
    let j = ends(j, ids[1], done());
    let begun: Vec<&str> = j.effects.iter().map(|effect| into(effect).path.as_str()).collect();
    assert_eq!(begun, ["~/Downloads/1"], "the file, before the next of the directory");
}

#[test]
fn a_time_that_is_only_about_right_is_compared_and_not_taken_for_exact() {
    let lines = "type=file;size=10;x.modify-local=202001020304; a\r\ntype=file;size=10;x.modify-local=20200102; b\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Enter");
    let compared = j.prepared.last().unwrap().files.iter().map(|file| file.modified).collect::<Vec<_>>();
    let day = listed_at("2020-01-02T00:00", Precision::Day, false);
    assert_eq!(compared, [listed_at("2020-01-02T03:04", Precision::Minute, false), day]);
    let (_, request) = j.fetches.last().unwrap();
    assert_eq!(request.listed.map(|listed| listed.modified), Some(None));
}

/// Thousands of files had the time at which they came, and nothing was said of it.
#[test]
fn files_without_the_times_that_were_listed_are_counted() {
    let lines = "type=file;size=10;x.modify-local=20200102; a\r\ntype=file;size=10; b\r\n";
    let mut j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Enter");
    while let Some(at) = j.effects.iter().position(|effect| matches!(effect, Effect::Download { .. })) {
        let id = id(&j.effects.remove(at));
        j = ends(ends(j, id, Transfer::Undated), id, done());
    }
    j.notes("saved 2 files into ~/Downloads/pub, 0 were there already, 1 file without its time");
}

/// Four files that may not be read, and one over which the server closed: the rest was not even asked for.
#[test]
fn files_that_are_refused_say_nothing_of_a_server_that_is_gone() {
    let lines: String = (0..9).map(|number| format!("type=file;size=1; {number}\r\n")).collect();
    let mut j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &lines).keys("Enter");
    let mut asked = 0;
    while let Some(at) = j.effects.iter().position(|effect| matches!(effect, Effect::Download { .. })) {
        let id = id(&j.effects.remove(at));
        let kind = if asked == 4 { Kind::Broken } else { Kind::Denied };
        j = j.event_of(id, FetchEvent::Failed(FetchError::new(kind, "no")));
        asked += 1;
    }
    assert_eq!(asked, 9);
    j.notes("9 of 9 files could not be saved: no");
}

#[test]
fn hostile_names_stay_inside() {
    let names = [
        "../../x",
        "..",
        "/etc/passwd",
        "a\\b",
        "nul\0",
        "...",
        ".bashrc",
        "-rf",
        "\u{1b}[31mred",
        "a.wayfarer-part.toml",
    ];
    let lines: String = names.iter().map(|name| format!("type=file;size=1; {name}\r\n")).collect();
    let lines = lines + "type=dir; ../up\r\ntype=dir; ..\r\ntype=dir; .git\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &lines).expect_fetch("ftp://h/pub/.git/");
    let j = lists(j, "type=file; config\r\n").quiet();
    assert!(
        j.over().contains("4 entries with a name that is unsafe here") || j.over().contains("5 entries with"),
        "{}",
        j.over()
    );
    let over = j.over();
    assert!(
        over.contains("2 names that cannot stay")
            && over.contains("a.wayfarer-part.toml is saved as a.wayfarer-part.toml_"),
        "{over}"
    );
    let (_, all) = saved(j.keys("Enter"));
    let paths = paths(&all);
    for path in &paths {
        let leads = |part: &str| matches!(part, "" | "." | "..") || part.contains(['\0', '\u{1b}']);
        assert!(!path.split('/').any(leads), "{path:?}");
    }
    assert!(
        [".bashrc", "-rf", "a\\b", "red", ".git/config", "a.wayfarer-part.toml_"]
            .iter()
            .all(|name| paths.contains(name)),
        "{paths:?}"
    );
}

#[test]
fn names_are_kept_where_the_disk_can_hold_them() {
    let lines = "type=file;size=1; .a\r\ntype=file;size=1; a\r\ntype=file;size=1; A\r\ntype=dir; -a\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).expect_fetch("ftp://h/pub/-a/");
    let (_, all) = saved(lists(j, "type=file;size=1; x\r\n").keys("Enter"));
    assert_eq!(paths(&all), [".a", "a", "A", "-a/x"]);
}

#[test]
fn reading_has_bounds() {
    use wayfarer::app::{DEPTH, DIRECTORIES, ENTRIES};
    // The page on what is safe has the same numbers.
    let page = include_str!("../../../docs/SECURITY.md").replace('\n', " ");
    let plan = format!("{} entries in {} directories, {DEPTH} deep", count(ENTRIES), count(DIRECTORIES));
    let listed = format!("no more than {} members are read", count(wayfarer::archive::MOST_MEMBERS));
    assert!(page.contains(&plan) && page.contains(&listed), "{plan}, {listed}");
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
    let many: String = (0..ENTRIES + 1_500).map(|n| format!("type=file;size=1; {n}\r\n")).collect();
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &many);
    assert!(j.over().contains("100,000 files") && j.over().contains("1,500 entries beyond"), "{}", &j.over()[..200]);
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

#[test]
fn names_that_the_disk_cannot_hold_are_listed_in_the_plan_and_at_the_end() {
    let long = format!("{}.tar.gz", "a".repeat(300));
    let kept = format!("{}.tar.gz", "b".repeat(247));
    let lines = format!("type=file;size=1; {long}\r\ntype=file;size=1; {kept}\r\ntype=file;size=1; x\x1b[31m.txt\r\n");
    let lines = lines.replace("\\x1b", "\u{1b}");
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &lines);
    assert!(
        j.over().contains("1 name that cannot stay") || j.over().contains("2 names that cannot stay"),
        "{}",
        j.over()
    );
    assert!(!j.over().contains(&kept), "{}", j.over());
    let (j, all) = saved(j.keys("Enter"));
    let paths = paths(&all);
    assert_eq!(paths[1], format!("{}.tar.gz", "a".repeat(248)));
    assert_eq!((paths[0], paths[1].len()), (kept.as_str(), 255));
    let j = j.notes("under other names; Enter on it in the list of downloads tells which").keys("D Enter").text("l");
    assert!(j.over().contains("is saved as"), "{}", j.over());
}

#[test]
fn case_twins_stay_where_the_disk_tells_them_apart() {
    let lines = "type=file;size=1; Makefile\r\ntype=file;size=1; makefile\r\n";
    let paths = |folds: bool| {
        let mut j = at("");
        j.choose(|choices| choices.folds_case = folds);
        j.app.desk.settings.ftp.connections = 2;
        let mut j = lists(j.keys("M-d").expect_fetch("ftp://h/pub/"), lines);
        assert_eq!(j.over().contains("1 name that cannot stay"), folds, "{}", j.over());
        j.effects.clear();
        let j = j.keys("Enter");
        j.effects.iter().map(|effect| into(effect).path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(paths(false), ["Makefile", "makefile"], "both at a time");
    assert_eq!(paths(true), ["Makefile", "makefile-2"]);
}

#[test]
fn nothing_goes_hidden_into_the_home_folder() {
    let mut j = at("type=file;size=1; .bashrc\r\n");
    j.choose(|choices| choices.home_folder = Some("/home/me".into()));
    for folder in ["~", "/home/me/"] {
        j = j.run(&format!("download-tree {folder}")).expect_fetch("ftp://h/pub/");
        j = lists(j, "type=file;size=1; .bashrc\r\n");
        assert!(j.over().contains(".bashrc is saved as bashrc"), "{}", j.over());
        j = j.keys("Esc");
        j.effects.clear();
    }
}

#[test]
fn a_link_is_saved_as_the_file_that_it_leads_to_if_it_leads_to_one() {
    let lines = "type=OS.unix=slink:/etc;size=3; a\r\ntype=OS.unix=slink:b; b\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Enter");
    let [first, second] = &j.effects[..] else { panic!("{:?}", j.effects) };
    let Effect::Download { request, .. } = first else { panic!("{first:?}") };
    assert_eq!((request.url.as_str(), request.listed), ("ftp://h/pub/a;type=i", None));
    let (first, second) = (id(first), id(second));
    let j = j.event_of(first, FetchEvent::Failed(FetchError::new(Kind::NotFound, "550 no plain file")));
    let j = ends(j, second, done());
    let j = j.notes(
        "saved 1 file into ~/Downloads/pub, 0 were there already, 1 link left out; Enter on it in the list of downloads tells which",
    );
    let j = j.keys("D Enter").text("l");
    assert!(j.over().contains("a: a link, left out: 550 no plain file"), "{}", j.over());
}

/// A bare list of paths does not tell an empty folder from a file: all of the tree was said to have failed.
#[test]
fn what_turns_out_to_be_a_folder_where_nothing_is_listed_of_it_costs_only_itself() {
    let lines = "type=file; empty\r\ntype=file; a\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Enter");
    let (first, second) = (id(&j.effects[0]), id(&j.effects[1]));
    let j = j.event_of(first, FetchEvent::Failed(FetchError::new(Kind::NoFile, "It is a directory.")));
    let j = ends(j, second, done()).notes("saved 1 file into ~/Downloads/pub, 0 were there already, 1 not saved");
    let j = j.keys("D Enter").text("l");
    assert!(j.over().contains("empty: no file, left out: It is a directory."), "{}", j.over());
}

/// Files of unknown size were all said to be left out, and the directory to be saved.
#[test]
fn what_nothing_here_can_fetch_has_failed_and_is_not_left_out() {
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), "type=file; a\r\n").keys("Enter");
    let first = id(&j.effects[0]);
    let error = FetchError::new(Kind::Unsupported, "There is no ssh on this machine.");
    j.event_of(first, FetchEvent::Failed(error)).notes("1 of 1 files could not be saved: There is no ssh");
}

#[test]
fn what_a_listing_said_exactly_goes_along() {
    let j = planned().keys("Enter");
    let Effect::Download { request, .. } = &j.effects[0] else { panic!("{:?}", j.effects) };
    let listed = request.listed.unwrap();
    assert_eq!((listed.length, listed.modified.unwrap().to_string()), (10, "2020-01-02T03:04:05Z".into()));
}

#[test]
fn a_part_of_a_file_that_has_changed_is_given_up_when_the_reader_goes_on() {
    let j = planned().keys("Enter");
    let (first, second) = (id(&j.effects[0]), id(&j.effects[1]));
    let j = ends(j, first, Transfer::Stale("It has changed.".into()));
    let mut j = ends(j, second, done()).notes("1 of 2 files could not be saved: It has changed.");
    j.effects.clear();
    let mut j = j.keys("D Enter").text("g");
    let effect = &j.effects[0];
    // Nor is what was listed true of it any more.
    let Effect::Download { request, .. } = effect else { panic!("{effect:?}") };
    assert_eq!((into(effect).beginning, into(effect).listed), (Beginning::Drop, ListedFile::default()));
    assert_eq!(request.listed, None);
    // What came of the new one is gone on with.
    let anew = id(effect);
    j.effects.clear();
    let mut j = ends(j, anew, Transfer::Cut("It broke off.".into()));
    j.effects.clear();
    let j = j.keys("D Enter").text("g");
    assert_eq!(into(&j.effects[0]).beginning, Beginning::Keep);
}

/// Of a source tree nothing was made of a folder that holds nothing.
#[test]
fn folders_with_nothing_in_them_are_made() {
    let j = at("").keys("M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, "type=dir; a\r\n").expect_fetch("ftp://h/pub/a/");
    let j = lists(j, "type=dir; empty\r\n").expect_fetch("ftp://h/pub/a/empty/");
    let j = lists(j, "").quiet().keys("Enter");
    assert_eq!(j.prepared.last().unwrap().folders, ["a", "a/empty"]);
    j.notes("saved 0 files into ~/Downloads/pub");
}

/// Two folders with a file each, agreed to; the server says when they and the directory itself were changed.
pub(super) fn folders_with_times() -> Journey {
    let j = at("").keys("M-d").expect_fetch("ftp://h/pub/");
    let above = "type=pdir;modify=20010101000000; ..\r\ntype=cdir;modify=20031112102030; .\r\n";
    let rows = "type=dir;modify=20041112102030; a\r\ntype=dir;modify=20051112102030; b\r\n";
    let j = lists(j, &format!("{above}{rows}")).expect_fetch("ftp://h/pub/a/");
    let own = "type=cdir;modify=20020101000000; .\r\ntype=file;size=1; x\r\n";
    let j = lists(j, own).expect_fetch("ftp://h/pub/b/");
    lists(j, own).keys("Enter")
}

/// All folders of a saved tree had the time at which they were saved.
#[test]
fn folders_get_their_times_when_what_is_in_them_has_come() {
    let j = at("").keys("M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, "type=dir;modify=20041112102030; a\r\ntype=dir; b\r\n").expect_fetch("ftp://h/pub/a/");
    let j = lists(j, "type=file;size=1; x\r\n").expect_fetch("ftp://h/pub/b/");
    let mut j = lists(j, "").keys("Enter");
    let last = j.last();
    j.effects.clear();
    let time = listed_at("2004-11-12T10:20:30", Precision::Second, true).unwrap();
    let j = ends(j, last, done());
    let [Effect::Date { id, within, folders }] = &j.effects[..] else { panic!("{:?}", j.effects) };
    assert_eq!((&**within, &folders[..]), ("~/Downloads/pub", &[("a".into(), time)][..]));
    let id = *id;
    let j = j.keys("Down").look(|j| assert_eq!(j.effects.len(), 1, "once"));
    // One that the disk cannot hold was dropped without a word.
    let j = j.send(Msg::Dated { id, remarks: vec!["a: could not be given the time".into()] });
    let j = j.notes("saved 1 file into ~/Downloads/pub, 0 were there already, 1 folder without its time; Enter");
    assert_eq!(j.kept.last().map(|kept| &kept.remarks[..]), Some(&["a: could not be given the time".to_owned()][..]));
}

#[test]
fn links_are_followed_kept_or_left() {
    let links = "type=OS.unix=slink:b;modify=20200102030405; in\r\ntype=OS.unix=slink:../../etc; out\r\ntype=OS.unix=symlink; what\r\n";
    let lines = format!("type=file;size=1; b\r\n{links}");
    let plan = || lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &lines);
    let (mut files, mut made) = (Vec::new(), Vec::new());
    for (times, words) in [
        (0, "3 links: saved as the files that they lead to"),
        (1, "3 links: made again; not 2 that may lead outside"),
        (2, "3 links: made again, also 2 that may lead outside"),
        (3, "3 links: left out"),
    ] {
        let j = (0..times).fold(plan(), |j, _| j.keys("Tab"));
        assert!(j.over().contains(words) && j.over().contains("in → b"), "{}", j.over());
        let j = j.keys("Enter");
        let plan = j.prepared.last().unwrap();
        files.push(plan.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>());
        made.push(plan.links.clone());
    }
    let of = |links: &[(&str, &str)]| links.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect::<Vec<_>>();
    let (inside, all) = (of(&[("in", "b")]), of(&[("in", "b"), ("out", "../../etc")]));
    assert_eq!(files, [vec!["b", "in", "out", "what"], vec!["b"], vec!["b"], vec!["b"]]);
    assert_eq!(made, [vec![], inside, all, vec![]]);
    // And back, and what was not made is listed at the end.
    let j = plan().keys("S-Tab S-Tab S-Tab").keys("Enter");
    let last = j.last();
    let j = ends(j, last, done())
        .notes("2 not saved; Enter on it in the list of downloads tells which")
        .keys("D Enter")
        .text("l");
    assert!(j.over().contains("out: a link that may lead outside, to ../../etc"), "{}", j.over());
}

/// The whole directory in view was planned instead.
#[test]
fn a_link_under_focus_is_planned_as_the_folder_that_it_leads_to() {
    let j = at("type=OS.unix=slink:sub; a\r\ntype=dir; sub\r\n").keys("Down Down M-d");
    let j = j.expect_fetch("ftp://h/pub/a");
    let id = j.last();
    let j = j.event_of(id, FetchEvent::Head(Box::new(head("ftp://h/pub/a/", media::DIRECTORY))));
    let j = j.expect_verdict(Verdict::Accept).body(b"type=file;size=20; b\r\n").end();
    assert!(j.over().contains("1 file in 1 directory, 20 B, into ~/Downloads/a"), "{}", j.over());
    let (_, all) = saved(j.keys("Enter"));
    assert_eq!(paths(&all), ["b"]);
    // One that leads to a file is no directory.
    let j = at("type=OS.unix=slink:b; a\r\n").keys("Down M-d").expect_fetch("ftp://h/pub/a").head(media::PLAIN);
    j.expect_verdict(Verdict::Refuse).notes("This is no directory, but a file: d saves it.").free();
}

#[test]
fn marked_rows_are_planned_where_there_are_some() {
    let j = at(FILES).run("mark-rows a*").keys("M-d");
    assert!(j.over().contains("1 file, 10 B, into ~/Downloads/pub"), "{}", j.over());
}

#[test]
fn a_link_to_its_own_folder_is_not_saved_in_it_once_more() {
    let lines = "type=OS.unix=slink:.; self\r\ntype=OS.unix=slink:../.; up\r\ntype=OS.unix=slink:b; in\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Enter");
    let files: Vec<_> = j.prepared.last().unwrap().files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["in"]);
    let last = j.last();
    let j = ends(j, last, done()).notes("2 not saved").keys("D Enter").text("l");
    assert!(j.over().contains("self: a link to the folder that it is in"), "{}", j.over());
}

#[test]
fn the_plan_says_of_each_link_that_does_not_come_why() {
    let links = "type=OS.unix=slink:b; in\r\ntype=OS.unix=slink:/etc; out\r\ntype=OS.unix=symlink; what\r\ntype=OS.unix=slink:.; self\r\n";
    let lines = format!("type=file;size=1; b\r\n{links}");
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), &lines);
    let has = |j: &Journey, words: &[&str]| {
        words.iter().for_each(|words| assert!(j.over().contains(words), "{words}: {}", j.over()));
    };
    has(&j, &["4 files in", "in → b\n", "out → /etc (may be outside)", "what\n"]);
    has(&j, &["not 1 to folders", "self: a link to the folder that it is in"]);
    let j = j.keys("Tab");
    has(&j, &["in → b\n", "out: a link that may lead outside, to /etc; not made again"]);
    has(&j, &["what: a link; the listing does not say where it leads", "self → .\n"]);
    has(&j.keys("Tab"), &["out → /etc (may be outside)"]);
}

#[test]
fn a_link_to_a_folder_of_the_plan_is_said_to_be_left_out_and_not_asked_for() {
    let j = at("").keys("M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, "type=dir; sub\r\ntype=OS.unix=slink:sub; a\r\n").expect_fetch("ftp://h/pub/sub/");
    let j = lists(j, "type=OS.unix=slink:../sub; b\r\ntype=OS.unix=slink:../c; c\r\n");
    let over = j.over();
    assert!(over.contains("3 links: saved as the files that they lead to; not 2 to folders"), "{over}");
    assert!(over.contains("a: a link to a folder, sub; left out") && over.contains("sub/b: a link to a"), "{over}");
    let j = j.keys("Enter");
    let files: Vec<_> = j.prepared.last().unwrap().files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["sub/c"]);
}

#[test]
fn a_page_that_is_still_coming_is_no_directory_yet() {
    Journey::new().open("ftp://h/pub/").keys("M-d").notes("still coming").run("put /home/me/a").notes("still coming");
}

/// Who wrote it may have meant a file.
#[test]
fn a_line_of_a_listing_that_is_no_entry_is_listed_in_the_plan_and_at_the_end() {
    let lines = "type=file;size=1; b\r\ntype=x.text; -rw-r--r-- ? ? c.txt\r\nnothing known\r\n\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines);
    assert!(j.over().contains("left out: 2 lines of listings that name nothing"), "{}", j.over());
    assert!(j.over().contains("-rw-r--r-- ? ? c.txt") && j.over().contains("nothing known"), "{}", j.over());
    let j = j.keys("Enter");
    let last = j.last();
    let j = ends(j, last, done()).notes("2 not saved").keys("D Enter").text("l");
    assert!(j.over().contains("nothing known: left out, 1 line of listings"), "{}", j.over());
}

#[test]
fn what_was_left_out_is_listed_of_a_tree_that_was_stopped_too() {
    let lines = "type=file;size=1; b\r\ntype=OS.unix=fifo; pipe\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Enter");
    let j = j.keys("D Enter").asks("What came is kept").text("p");
    let j = j.keys("D Enter").text("l");
    assert!(j.over().contains("pipe: left out, 1 device or the like"), "{}", j.over());
}

/// Below a link that leads up a server that follows links shows itself again and again.
#[test]
fn a_directory_below_itself_is_not_read() {
    let j = at("").keys("M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, "type=dir;unique=1; a\r\n").expect_fetch("ftp://h/pub/a/");
    let j = lists(j, "type=dir;unique=1; a\r\ntype=dir;unique=2; b\r\n").expect_fetch("ftp://h/pub/a/b/");
    let j = lists(j, "").quiet();
    assert!(j.over().contains("left out: 1 directory read already"), "{}", j.over());
}

/// "esc-red.txt is saved as esc-red.txt", the plan said.
#[test]
fn a_name_is_shown_as_the_server_has_it_beside_the_one_that_it_gets() {
    let lines = "type=file;size=1; esc-\u{1b}[31mred.txt\r\n";
    let mut octets = lines.as_bytes().to_vec();
    octets.extend_from_slice(b"type=file;size=1; caf\xe9.txt\r\n");
    let j = at("").keys("M-d").expect_fetch("ftp://h/pub/");
    let j = j.head(media::DIRECTORY).expect_verdict(Verdict::Accept).body(&octets).end();
    let over = j.over();
    assert!(over.contains("esc-\\x1b[31mred.txt is saved as esc-red.txt"), "{over}");
    assert!(over.contains("caf\\xe9.txt is saved as café.txt"), "{over}");
}

/// A tree of two files was saved before, and `there` is what is found of it.
fn again(there: There) -> Journey {
    let (j, _) = saved(planned().keys("Enter"));
    let mut j = j.keys("D Enter").asks("2 of 2 files");
    j.effects.clear();
    let j = lists(j.text("s").expect_fetch("ftp://h/pub/"), FILES).expect_fetch("ftp://h/pub/sub/");
    let mut j = lists(j, "type=file;size=20; b\r\n").quiet();
    assert!(j.over().contains("saved before"), "{}", j.over());
    j.there = Some(there);
    let j = j.keys("Enter");
    assert_eq!(j.app.transfers.downloads.len(), 1, "one row for a folder");
    assert!(j.prepared.last().unwrap().others);
    j
}

#[test]
fn a_directory_saved_again_brings_what_is_new_and_tells_what_has_gone() {
    let j = again(There { same: vec![0], others: vec!["old".into()], ..There::default() });
    let [effect] = &j.effects[..] else { panic!("{:?}", j.effects) };
    assert_eq!(into(effect).path, "sub/b");
    let last = j.last();
    let j = ends(j, last, done()).notes("1 new, 0 changed, 1 gone, 1 as they were in ~/Downloads/pub");
    let j = j.keys("D Enter").text("l");
    assert!(j.over().contains("old: here, and not on the server any more"), "{}", j.over());
    again(There { same: vec![0, 1], ..There::default() }).quiet().notes("0 new, 0 changed, 0 gone, 2 as they were");
}

/// A link that the reader had made to lead elsewhere was replaced unasked, and one that leads elsewhere on the server was not counted.
#[test]
fn a_link_that_leads_elsewhere_is_replaced_after_a_question() {
    let lines = "type=file;size=1; b\r\ntype=OS.unix=slink:b; current\r\n";
    let again = || {
        let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Tab Enter");
        let last = j.last();
        let mut j = ends(j, last, done());
        j.effects.clear();
        let mut j = lists(j.keys("D Enter").text("s").expect_fetch("ftp://h/pub/"), lines);
        j.there = Some(There { same: vec![0], elsewhere: vec![0], ..There::default() });
        let j = j.keys("Enter").asks("1 link is there already, and not as on the server");
        assert!(!j.prepared.last().unwrap().replaces);
        j.asks("current, which leads to b on the server").asks("0 new, 1 changed, 1 as they were").quiet()
    };
    let mut j = again();
    j.there = Some(There::default());
    let j = j.text("r").quiet().notes("0 new, 1 changed, 0 gone, 1 as they were");
    let plan = j.prepared.last().unwrap();
    assert_eq!((plan.replaces, &plan.links, plan.files.len()), (true, &pairs(&[("current", "b")]), 0));
    let j = again()
        .text("l")
        .quiet()
        .notes("0 new, 0 changed, 0 gone, 1 as they were in ~/Downloads/pub, 1 left as it was");
    let j = j.keys("D Enter").text("l");
    assert!(j.over().contains("current: leads to b on the server, and elsewhere here"), "{}", j.over());
}

#[test]
fn what_has_changed_is_replaced_after_a_question() {
    let there = There { same: vec![0], changed: vec![1], ..There::default() };
    let j = again(there.clone()).asks("1 file is there already, and not as on the server").quiet().text("r");
    assert_eq!(into(&j.effects[0]).existing, Existing::Replace);
    let last = j.last();
    let j = ends(j, last, done()).notes("0 new, 1 changed, 0 gone, 1 as they were");
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Done);
    let j = again(there.clone()).asks("0 new, 1 changed, 1 as they were").text("l").quiet();
    let j = j.notes("0 new, 0 changed, 0 gone, 1 as they were in ~/Downloads/pub, 1 left as it was here");
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Done);
    // Neither; going on looks again.
    let mut j = again(there).asks("1 changed").text("c").quiet();
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Cancelled);
    j.there = Some(There { same: vec![0, 1], ..There::default() });
    j.keys("D Enter").text("g").notes("2 as they were");
}

/// When a directory was saved again, a followed link that was as on the server was asked about each time.
#[test]
fn a_followed_link_is_asked_about_when_it_came_and_was_another() {
    let lines = "type=file;size=1; b\r\ntype=OS.unix=slink:b; same\r\ntype=OS.unix=slink:b; other\r\n";
    let again = || {
        let (mut j, _) = saved(lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Enter"));
        j.effects.clear();
        let mut j = lists(j.keys("D Enter").text("s").expect_fetch("ftp://h/pub/"), lines);
        j.there = Some(There { same: vec![0], ..There::default() });
        let mut j = j.keys("Enter");
        let [same, other] = &j.effects[..] else { panic!("{:?}", j.effects) };
        assert_eq!((&into(other).existing, into(other).listed), (&Existing::Compare, ListedFile::default()));
        let (same, other) = (id(same), id(other));
        j.effects.clear();
        let j = ends(j, other, Transfer::Exists("other".into())).free();
        ends(j, same, Transfer::Present("same".into())).asks("  other").asks("0 new, 1 changed, 2 as they were")
    };
    let j = again().text("r");
    let [effect] = &j.effects[..] else { panic!("{:?}", j.effects) };
    assert_eq!((&*into(effect).path, &into(effect).existing), ("other", &Existing::Replace));
    let last = j.last();
    ends(j, last, done()).free().notes("0 new, 1 changed, 0 gone, 2 as they were");
    again()
        .text("l")
        .quiet()
        .free()
        .notes("0 new, 0 changed, 0 gone, 2 as they were in ~/Downloads/pub, 1 link left out");
    // Neither; going on compares again.
    let j = again().text("c").quiet();
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Cancelled);
    let j = j.keys("D Enter").text("g");
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Download { into, .. } if into.path == "other")));
}

/// The list of downloads is one file, which is written whole each time.
#[test]
fn of_very_many_files_that_were_not_saved_some_are_kept() {
    let lines: String = (0..2_000).map(|number| format!("type=OS.unix=chr; device-{number:04}\r\n")).collect();
    let j = lists(at(&lines).keys("M-d"), &format!("{lines}type=file;size=1; a\r\n")).keys("Enter");
    let last = j.last();
    let kept = ends(j, last, done()).kept.pop().unwrap().remarks;
    let length: usize = kept.iter().map(String::len).sum();
    assert!((8_000..20_000).contains(&length), "{length}");
    let told = kept.last().unwrap().strip_prefix("and ").unwrap().strip_suffix(" more").unwrap().replace(',', "");
    assert_eq!(told.parse::<usize>().unwrap() + kept.len() - 1, 2_000);
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(path, last)| ((*path).into(), (*last).into())).collect()
}

#[test]
fn a_name_that_can_stay_as_it_is_yields_to_no_other() {
    let lines =
        "type=file;size=1; \u{1b}[1mdash\r\ntype=file;size=2; dash\r\ntype=file;size=1; a\r\ntype=file;size=1; a-2\r\n";
    let j = at("").keys("M-d").expect_fetch("ftp://h/pub/").head(media::DIRECTORY);
    // It comes in pieces.
    let mut j = lines.as_bytes().chunks(7).fold(j, |j, piece| j.body(piece)).end();
    assert!(j.over().contains("\\x1b[1mdash is saved as dash-2") && j.over().contains("1 name that"), "{}", j.over());
    j.effects.clear();
    let (_, mut all) = saved(j.keys("Enter"));
    all.sort();
    assert_eq!(all, pairs(&[("a", "a"), ("a-2", "a-2"), ("dash", "dash"), ("dash-2", "%1B%5B1mdash")]));
}

#[test]
fn a_name_that_was_given_once_holds_when_the_directory_is_saved_again() {
    let list = |j: Journey, lines: &str| {
        let mut j = lists(j.keys("M-d").expect_fetch("ftp://h/pub/"), lines);
        j.effects.clear();
        let (j, mut all) = saved(j.keys("Enter"));
        all.sort();
        (j, all)
    };
    let only = "type=file;size=1; \u{1b}[1mdash\r\n";
    let both = "type=file;size=2; dash\r\ntype=file;size=1; \u{1b}[1mdash\r\n";
    let (j, all) = list(at(""), only);
    assert_eq!(all, pairs(&[("dash", "%1B%5B1mdash")]));
    // In the next run too.
    let mut next = at("");
    next.remember(Remembered { downloads: j.kept.last().cloned().into_iter().collect(), ..Remembered::default() });
    for j in [j, next] {
        let (j, all) = list(j, both);
        assert_eq!(all, pairs(&[("dash", "%1B%5B1mdash"), ("dash-2", "dash")]));
        let (j, all) = list(j, both);
        assert_eq!(all, pairs(&[("dash", "%1B%5B1mdash"), ("dash-2", "dash")]));
        // What has gone keeps no name from others; what is listed twice is saved once.
        let (_, all) = list(j, "type=file;size=2; \u{1b}[1mdash\r\ntype=file;size=2; \u{1b}[1mdash\r\n");
        assert_eq!(all, pairs(&[("dash", "%1B%5B1mdash")]));
    }
}

#[test]
fn what_becomes_of_links_holds_when_the_directory_is_saved_again() {
    let lines = "type=file;size=1; b\r\ntype=OS.unix=slink:b; in\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Tab Enter");
    let last = j.last();
    let j = ends(j, last, done());
    let mut next = at("");
    next.remember(Remembered { downloads: j.kept.last().cloned().into_iter().collect(), ..Remembered::default() });
    for mut j in [j, next] {
        j.effects.clear();
        let j = lists(j.keys("D Enter").text("s").expect_fetch("ftp://h/pub/"), lines);
        assert!(j.over().contains("1 link: made again"), "{}", j.over());
        let j = j.keys("Enter");
        assert_eq!(j.prepared.last().unwrap().links, pairs(&[("in", "b")]));
    }
    // Elsewhere nothing has been chosen.
    let j = lists(at("").run("download-tree ~/other").expect_fetch("ftp://h/pub/"), lines);
    assert!(j.over().contains("1 link: saved as the file"), "{}", j.over());
}

#[test]
fn a_name_that_can_stay_now_is_its_own_again() {
    let lines = b"type=file;size=1; caf\xe9\r\n";
    let list = |j: Journey| j.keys("M-d").expect_fetch("ftp://h/pub/").head(media::DIRECTORY).body(lines).end();
    let (mut j, _) = saved(list(at("")).keys("Enter"));
    j.app.desk.settings.saved_names = wayfarer::config::SavedNames::Octets;
    j.effects.clear();
    let j = list(j);
    assert!(!j.over().contains("cannot stay"), "{}", j.over());
    assert_eq!(j.keys("Enter").prepared.last().unwrap().files[0].path, wayfarer::doc::carry(b"caf\xe9"));
}

/// A folder of a Latin-1 or Shift-JIS server was changed from end to end.
#[test]
fn names_are_saved_with_the_octets_of_the_server_where_the_settings_say_so() {
    let mut j = at("");
    j.app.desk.settings.saved_names = wayfarer::config::SavedNames::Octets;
    let lines = b"type=dir; lat-d\xe9r\r\ntype=file;size=1; sjis-\x93\xfa\x96\x7b\r\ntype=file;size=1; \xc3\xa9\r\ntype=file;size=1; esc\x1b[1m\xe9\r\ntype=file;size=1; \xf4\x8f\xbf\xa9\r\n";
    let j = j.keys("M-d").expect_fetch("ftp://h/pub/").head(media::DIRECTORY).body(lines).end();
    let j = j.expect_fetch("ftp://h/pub/lat-d%E9r/");
    let list = |j: Journey| lists(j, "type=file;size=1; x\r\n");
    let j = list(j);
    assert!(j.over().contains("2 names that cannot stay") && !j.over().contains("sjis"), "{}", j.over());
    let carry = wayfarer::doc::carry;
    let expected =
        [carry(b"sjis-\x93\xfa\x96\x7b"), "é".into(), carry(b"esc\xe9"), "‹E9›".into(), carry(b"lat-d\xe9r/x")];
    let j = j.keys("Enter");
    let plan = j.prepared.last().unwrap();
    let mut files: Vec<_> = plan.files.iter().map(|file| file.path.clone()).collect();
    files.sort();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(files, expected);
    assert_eq!(plan.folders, [carry(b"lat-d\xe9r")]);
}

#[test]
fn a_link_that_is_made_wherever_it_leads_says_on_the_disk_what_the_plan_shows() {
    let lines = "type=OS.unix=slink:/x\u{202e}q\u{1b}[2J\u{9b}31m/../y; l\r\n";
    let j = lists(at("").keys("M-d").expect_fetch("ftp://h/pub/"), lines).keys("Tab Tab");
    assert!(j.over().contains("/x‹RLO›q/../y"), "{}", j.over());
    assert_eq!(j.keys("Enter").prepared.last().unwrap().links, [("l".to_owned(), "/x‹RLO›q/../y".to_owned())]);
}

/// A tree wrote `“ú–{Œê.txt` of what the page of its directory shows as 日本語.txt.
#[test]
fn names_of_a_directory_are_guessed_as_its_page_guesses_them() {
    use super::saved_names::GUESSED;
    let j = at("type=dir; d\r\ntype=file;size=1; caf\u{e9}\r\n").keys("Down Down M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, "type=dir; d\r\ntype=file;size=1; caf\u{e9}\r\n").expect_fetch("ftp://h/pub/d/");
    let mut j = j.head(media::DIRECTORY).expect_verdict(Verdict::Accept);
    // In pieces as they come.
    for piece in GUESSED.chunks(7) {
        j = j.body(piece);
    }
    let j = lists(j.end().expect_fetch("ftp://h/pub/d/%83t%83H%83%8B%83_/"), "type=file;size=1; x\r\n");
    let (_, all) = saved(j.keys("Enter"));
    let mut paths = paths(&all);
    paths.sort_unstable();
    assert_eq!(paths, ["café", "d/テストのファイル.txt", "d/フォルダ/x", "d/日本語.txt"]);
}

/// What the reader chose, then what the server declares, counts more than what names look like.
#[test]
fn a_guess_of_names_comes_after_what_was_chosen_and_declared() {
    use super::saved_names::GUESSED;
    let named = |chosen: Option<&str>, declared: Option<&str>| {
        let mut j = at(FILES);
        if let Some(name) = chosen {
            j.app.desk.settings.charset.hosts.insert("h".into(), name.into());
        }
        let j = j.keys("Down Down M-d").expect_fetch("ftp://h/pub/");
        let mut head = head("ftp://h/pub/", media::DIRECTORY);
        head.charset = declared.map(Into::into);
        let j = j.event(FetchEvent::Head(Box::new(head))).body(GUESSED).end();
        let j = lists(j, "");
        let (_, all) = saved(j.keys("Enter"));
        all.iter().any(|(path, _)| path == "日本語.txt")
    };
    assert!(named(None, None));
    assert!(!named(None, Some("windows-1252")));
    assert!(named(Some("shift_jis"), Some("windows-1252")));
}

/// The raw listing was saved as a file, and called done.
#[test]
fn a_link_to_a_folder_is_planned_as_the_folder_that_it_leads_to() {
    let lines = "type=OS.unix=slink:d1; todir\r\n";
    let j = at(lines).keys("Down d").expect_fetch("ftp://h/pub/todir").prompts("save as", "~/Downloads/todir");
    let id = j.last();
    let listing = || FetchEvent::Head(Box::new(head("ftp://h/pub/todir/", media::DIRECTORY)));
    let j = j.event(listing()).expect_verdict_of(id, Verdict::Refuse).expect_fetch("ftp://h/pub/todir/");
    let j = lists(j, "type=file;size=20; b\r\n");
    assert!(j.over().contains("1 file in 1 directory, 20 B, into ~/Downloads/todir"), "{}", j.over());
    assert!(j.app.transfers.downloads.is_empty());
    // Also where the name was given before the server answered.
    let j = at(lines).keys("Down d").expect_fetch("ftp://h/pub/todir").text("2").keys("Enter");
    let id = j.last();
    let j = j.event(listing()).expect_verdict_of(id, Verdict::Refuse).expect_fetch("ftp://h/pub/todir/");
    assert!(lists(j, "type=file;size=20; b\r\n").over().contains("into ~/Downloads/todir2"));
}

//! How saving a directory ends before all of it is there: it fails, is stopped, the server is gone, the disk is full.

use super::journey::Journey;
use super::trees::{at, done, ends, id, into, lists, planned};
use wayfarer::app::{DownloadState, Effect, Transfer};
use wayfarer::proto::{FetchError, FetchEvent, Kind};

#[test]
fn what_failed_is_listed_and_can_be_tried_again() {
    let j = planned().keys("Enter");
    let (first, second) = (id(&j.effects[0]), id(&j.effects[1]));
    let j = j.event_of(first, FetchEvent::Failed(FetchError::new(Kind::Denied, "You may not.")));
    let mut j = ends(j, second, done()).notes("1 of 2 files could not be saved: You may not.");
    j.effects.clear();
    let j = j.keys("D Enter").asks("1 failed").text("l");
    assert!(j.over().contains("a.txt: You may not."), "{}", j.over());
    // The next run knows it as well.
    assert_eq!(j.kept.last().map(|kept| kept.remarks.join("\n") + "\n"), Some(j.over()));
    let j = j.keys("Esc D Enter").text("g");
    assert_eq!(into(&j.effects[0]).path, "a.txt");
    let last = j.last();
    assert_eq!(ends(j, last, done()).app.transfers.downloads[0].state, DownloadState::Done);
}

/// One file that could not be had left all folders with the time at which they were saved.
#[test]
fn folders_get_their_times_whatever_failed_in_them() {
    let mut j = super::trees::folders_with_times();
    let (first, second) = (id(&j.effects[0]), id(&j.effects[1]));
    let dates = |j: &Journey| -> Vec<Vec<String>> {
        let folders = |effect: &Effect| match effect {
            Effect::Date { folders, .. } => Some(folders.iter().map(|(path, _)| path.clone()).collect()),
            _ => None,
        };
        j.effects.iter().filter_map(folders).collect()
    };
    j = ends(j, first, done());
    assert_eq!(dates(&j), [[""; 0]; 0], "there is more to come");
    j = j.event_of(second, FetchEvent::Failed(FetchError::new(Kind::Denied, "You may not.")));
    assert_eq!(dates(&j), [["a", "b", ""]]);
    // What comes at the next try changes them once more.
    j = j.keys("D Enter").text("g");
    let last = j.last();
    j = ends(j, last, done());
    assert_eq!(dates(&j), [["a", "b", ""], ["a", "b", ""]]);
    j.keys("Down").look(|j| assert_eq!(dates(j).len(), 2, "once each"));
}

#[test]
fn a_tree_is_stopped_and_goes_on_where_it_was() {
    let mut j = planned().keys("Enter");
    let (first, second) = (id(&j.effects[0]), id(&j.effects[1]));
    j.effects.clear();
    let j = j.keys("D Enter").asks("What came is kept").text("p");
    let j = j.expect(Effect::Cancel(first)).expect(Effect::Cancel(second)).quiet();
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Cancelled);
    let j = j.keys("D Enter").text("g");
    assert_eq!(into(&j.effects[0]).path, "a.txt");
}

#[test]
fn a_server_that_is_gone_or_takes_nobody_is_not_asked_for_every_file() {
    for kind in [Kind::TimedOut, Kind::Crowded] {
        let lines: String = (0..50).map(|n| format!("type=file;size=1; {n}\r\n")).collect();
        let mut j = lists(at(&lines).keys("M-d").expect_fetch("ftp://h/pub/"), &lines).keys("Enter");
        let before = j.fetches.len();
        for _ in 0..50 {
            j = j.fail(FetchError::new(kind, "Nothing came."));
        }
        assert_eq!(j.fetches.len() - before, 4);
        assert!(matches!(j.app.transfers.downloads[0].state, DownloadState::Cut(_)));
    }
}

#[test]
fn a_disk_that_is_full_is_not_told_so_by_every_file() {
    let lines: String = (0..50).map(|n| format!("type=file;size=1; {n}\r\n")).collect();
    let j = lists(at(&lines).keys("M-d").expect_fetch("ftp://h/pub/"), &lines).keys("Enter");
    let (begun, first) = (j.fetches.len(), j.last());
    let mut j = ends(j, first, Transfer::Full("Cannot write 0.part: No space left on device.".into()));
    assert_eq!(j.fetches.len(), begun, "another file was begun");
    assert!(matches!(&j.app.transfers.downloads[0].state, DownloadState::Cut(why) if why.contains("No space left")));
    j = j.notes("The rest waits in the list of downloads");
    // With room again it goes on with the file that had none.
    j.effects.clear();
    let j = j.keys("D Enter").text("g");
    assert_eq!(into(&j.effects[0]).path, "0");
}

/// Two saves wrote the same files of the same folder.
#[test]
fn a_directory_that_is_being_saved_is_not_saved_once_more() {
    let mut j = planned().keys("Enter");
    j.effects.clear();
    let j = j.keys("M-d").expect_fetch("ftp://h/pub/");
    let j = lists(j, "type=file;size=10; a.txt\r\n").keys("Enter").quiet().free();
    let j = j.notes("~/Downloads/pub is being saved already; D shows how far it is");
    assert_eq!(j.app.transfers.downloads.len(), 1);
    // Elsewhere it may go.
    let j = lists(j.run("download-tree ~/other").expect_fetch("ftp://h/pub/"), "type=file;size=10; a.txt\r\n");
    assert_eq!(j.keys("Enter").app.transfers.downloads.len(), 2);
}

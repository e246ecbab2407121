//! What becomes of newsrc files, whoever writes them.

use super::files::{Files, Synced};
use super::journals::{Journals, holder};
use super::{Job, Newsrcs};
use crate::app::Msg;
use crate::disk::Writer;
use crate::news::{Newsrc, Subscription};
use std::path::Path;
use std::sync::Arc;
use std::{fs, thread};
use tokio::sync::mpsc::Sender;

fn sync(files: &mut Files, path: &Path, ours: &Arc<Newsrc>, base: &Arc<Newsrc>) -> (Arc<Newsrc>, Option<String>) {
    let Synced { newsrc, remark, written } = files.sync(path, ours, base);
    (newsrc, remark.or(written.err()))
}

fn in_memory() -> Files {
    Files::new(false, Journals::default())
}

/// Another run, that keeps what it marks.
fn run(folder: &Path) -> Files {
    Files::new(false, Journals::new(Some(folder), Path::new("/nowhere")))
}

fn newsrcs(messages: Sender<Msg>) -> Newsrcs {
    Newsrcs::new(false, Journals::default(), Arc::new(Writer::new(|_| {}).unwrap()), messages)
}

/// What is read of `g`, after `read` was read here.
fn reading(newsrc: &Arc<Newsrc>, number: u64) -> Arc<Newsrc> {
    let mut newsrc = Newsrc::clone(newsrc);
    newsrc.change(b"g", |read| read.insert(number));
    Arc::new(newsrc)
}

#[test]
fn what_is_read_goes_into_the_file_and_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".newsrc");
    fs::write(&path, "options -x\ng: 1-3\nbroken line\nh! 7\n").unwrap();
    let mut files = in_memory();
    let (newsrc, remark) = sync(&mut files, &path, &Arc::default(), &Arc::default());
    assert!(remark.unwrap().contains(".newsrc:3: neither"));
    assert!(newsrc.read(b"g").unwrap().contains(3));
    let (newsrc, remark) = sync(&mut files, &path, &reading(&newsrc, 5), &newsrc);
    assert_eq!(remark, None, "told once");
    assert_eq!(fs::read_to_string(&path).unwrap(), "options -x\ng: 1-3,5\nbroken line\nh! 7\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    // Another program reads and subscribes; nothing of either is lost.
    fs::write(&path, "options -x\ng: 1-3,5,9\nbroken line\nh: 7-8\n").unwrap();
    let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 6), &newsrc);
    assert_eq!(fs::read_to_string(&path).unwrap(), "options -x\ng: 1-3,5-6,9\nbroken line\nh: 7-8\n");
    assert_eq!(newsrc.subscription(b"h"), Some(Subscription::Subscribed));
    assert!(newsrc.read(b"g").unwrap().contains(9));
}

#[test]
fn what_another_program_writes_that_read_the_file_before_makes_nothing_unread() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n");
    fs::write(&path, "g: 1-3\nh: 1\n").unwrap();
    let mut files = in_memory();
    let (newsrc, _) = sync(&mut files, &path, &Arc::default(), &Arc::default());
    let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 5), &newsrc);
    let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 6), &newsrc);
    // It began before 5 and 6 were read, read 9, let h go, and ends.
    fs::write(&path, "g: 1-3,9\nh! 1-2\n").unwrap();
    let (newsrc, _) = sync(&mut files, &path, &newsrc, &newsrc);
    assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3,5-6,9");
    assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,5-6,9\nh! 1-2\n");
    // One that knows of them may well make one unread again; so does the reader here, and it stays so.
    fs::write(&path, "g: 1-3,5,9\nh! 1-2\n").unwrap();
    let (newsrc, _) = sync(&mut files, &path, &newsrc, &newsrc);
    assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,5,9\nh! 1-2\n");
    let mut unread = Newsrc::clone(&newsrc);
    unread.change(b"g", |read| read.remove(2));
    sync(&mut files, &path, &Arc::new(unread), &newsrc);
    assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1,3,5,9\nh! 1-2\n");
}

#[test]
fn marks_that_another_program_never_saw_are_not_lost_though_it_saw_earlier_ones() {
    let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = folder.path().join("n");
    fs::write(&path, "g: 1-3\nh: 1\n").unwrap();
    let mut first = run(state.path());
    let (newsrc, _) = sync(&mut first, &path, &Arc::default(), &Arc::default());
    sync(&mut first, &path, &reading(&newsrc, 5), &newsrc);
    // Another program begins. A run here reads on and ends, and then the other one does.
    let mut second = run(state.path());
    let (newsrc, _) = sync(&mut second, &path, &Arc::default(), &Arc::default());
    sync(&mut second, &path, &reading(&newsrc, 6), &newsrc);
    drop(second);
    fs::write(&path, "g: 1-3,5,9\nh: 1\n").unwrap();
    let (newsrc, _) = sync(&mut run(state.path()), &path, &Arc::default(), &Arc::default());
    assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3,5-6,9");
    assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,5-6,9\nh: 1\n", "and others see it");
    // The first one is still there, and hears of it.
    let (newsrc, _) = sync(&mut first, &path, &newsrc, &newsrc);
    assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3,5-6,9");
    // What one run makes unread no other takes for lost.
    let mut unread = Newsrc::clone(&newsrc);
    unread.change(b"g", |read| read.remove(6));
    sync(&mut first, &path, &Arc::new(unread), &newsrc);
    let (newsrc, _) = sync(&mut run(state.path()), &path, &Arc::default(), &Arc::default());
    assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3,5,9");
    // A newsrc that somebody has removed begins anew.
    fs::remove_file(&path).unwrap();
    let (newsrc, _) = sync(&mut run(state.path()), &path, &Arc::default(), &Arc::default());
    assert!(newsrc.read(b"g").is_none() && !path.exists());
}

#[test]
fn what_is_marked_while_slrn_holds_the_file_slrn_has_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (path, lock) = (folder.path().join("n"), folder.path().join("n-lock"));
    // With and without a lock: one article is read, and what another program writes then lacks it, and nothing else.
    for (holder, left) in [(Some(std::os::unix::process::parent_id()), "1-3,6"), (None, "1-3")] {
        fs::write(&path, "g: 1-3\n").unwrap();
        let mut held = in_memory();
        let (newsrc, _) = sync(&mut held, &path, &Arc::default(), &Arc::default());
        match holder {
            Some(holder) => fs::write(&lock, holder.to_string()).unwrap(),
            None => fs::remove_file(&lock).unwrap(),
        }
        let (newsrc, _) = sync(&mut held, &path, &reading(&newsrc, 6), &newsrc);
        fs::write(&path, "g: 1-3\n").unwrap();
        let (newsrc, _) = sync(&mut held, &path, &newsrc, &newsrc);
        assert_eq!(newsrc.read(b"g").unwrap().to_string(), left, "{holder:?}");
    }
    // A lock whose program was killed holds nothing.
    let mut run = std::process::Command::new("true").spawn().unwrap();
    run.wait().unwrap();
    for (text, held) in [(run.id().to_string(), false), ("slrn".into(), false), (String::new(), false)] {
        fs::write(&lock, &text).unwrap();
        assert_eq!(holder(&path).is_some(), held, "{text}");
    }
}

#[test]
fn a_newsrc_below_the_folder_of_this_run_has_no_journal_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (state, scratch) = (folder.path().join("state"), folder.path().join("scratch"));
    let mut files = Files::new(false, Journals::new(Some(&state), &scratch));
    sync(&mut files, &scratch.join("n"), &reading(&Arc::default(), 2), &Arc::default());
    assert!(scratch.join("n").exists() && !state.exists());
    sync(&mut files, &folder.path().join("n"), &reading(&Arc::default(), 2), &Arc::default());
    assert_eq!(fs::read_dir(state.join("newsrcs")).unwrap().count(), 1);
}

#[test]
fn slrns_file_serves_where_there_is_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let (path, own) = (folder.path().join(".newsrc"), folder.path().join(".jnewsrc"));
    fs::write(&own, "g: 1-3\n").unwrap();
    let mut files = in_memory();
    let (newsrc, remark) = sync(&mut files, &path, &Arc::default(), &Arc::default());
    let said = remark.unwrap();
    assert!(said.starts_with("there is no ") && said.contains("those of slrn, in ") && said.ends_with(".jnewsrc"));
    let (newsrc, remark) = sync(&mut files, &path, &reading(&newsrc, 5), &newsrc);
    assert_eq!((remark, fs::read_to_string(&own).unwrap().as_str(), path.exists()), (None, "g: 1-3,5\n", false));
    // For as long as it runs; then the other one, if somebody has made it.
    fs::write(&path, "h: 1\n").unwrap();
    sync(&mut files, &path, &reading(&newsrc, 6), &newsrc);
    assert_eq!(fs::read_to_string(&own).unwrap(), "g: 1-3,5-6\n");
    let (newsrc, remark) = sync(&mut in_memory(), &path, &Arc::default(), &Arc::default());
    assert_eq!((remark, newsrc.subscription(b"h")), (None, Some(Subscription::Subscribed)));
}

#[test]
fn marks_that_come_before_the_file_was_read_are_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n");
    fs::write(&path, "g: 1-3\n").unwrap();
    let mut files = in_memory();
    let (newsrc, _) = sync(&mut files, &path, &reading(&Arc::default(), 9), &Arc::default());
    assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-3,9\n");
    assert!(newsrc.read(b"g").unwrap().contains(2));
}

#[test]
fn a_file_that_is_not_there_is_made_when_something_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("of this run").join("n");
    let mut files = in_memory();
    let (newsrc, remark) = sync(&mut files, &path, &Arc::default(), &Arc::default());
    assert_eq!((remark, path.exists()), (None, false));
    sync(&mut files, &path, &reading(&newsrc, 1), &newsrc);
    assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1\n");
}

#[test]
fn safe_reads_and_never_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n");
    fs::write(&path, "g: 1\n").unwrap();
    let mut files = Files::new(true, Journals::default());
    let (newsrc, _) = sync(&mut files, &path, &Arc::default(), &Arc::default());
    let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 2), &newsrc);
    let (newsrc, _) = sync(&mut files, &path, &reading(&newsrc, 3), &newsrc);
    assert_eq!(newsrc.read(b"g").unwrap().to_string(), "1-3", "within the run it is known");
    assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1\n");
}

#[test]
fn a_file_that_cannot_be_read_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n");
    fs::create_dir(&path).unwrap();
    let mut files = in_memory();
    let (newsrc, remark) = sync(&mut files, &path, &reading(&Arc::default(), 2), &Arc::default());
    assert!(remark.unwrap().contains("cannot be read"));
    assert!(newsrc.read(b"g").unwrap().contains(2) && path.is_dir());
}

#[cfg(unix)]
#[test]
fn links_and_rights_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("n"), folder.path().join("l"));
    fs::write(&path, "g: 1\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&path, &link).unwrap();
    let mut files = in_memory();
    let (newsrc, _) = sync(&mut files, &link, &Arc::default(), &Arc::default());
    sync(&mut files, &link, &reading(&newsrc, 2), &newsrc);
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), "g: 1-2\n");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Reads every other number, each as a job of its own, as fast as the jobs are taken.
fn reads(path: &Path, first: u64, last: u64) {
    let (messages, _inbox) = tokio::sync::mpsc::channel(1000);
    let files = newsrcs(messages);
    let mut known: Arc<Newsrc> = Arc::default();
    for number in (first..=last).step_by(2) {
        let ours = reading(&known, number);
        let base = std::mem::replace(&mut known, ours);
        files.sync(Job { server: "s".into(), path: path.into(), ours: Arc::clone(&known), base });
    }
}

#[test]
fn what_was_read_is_written_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n");
    reads(&path, 1, 99);
    let (newsrc, _) = Newsrc::parse(&fs::read(&path).unwrap());
    assert_eq!(newsrc.read(b"g").unwrap().unread_within(1, 99), 49, "every odd number is read");
}

#[test]
fn nobody_hears_of_it_and_the_end_comes_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n");
    let (messages, inbox) = tokio::sync::mpsc::channel(1);
    let files = newsrcs(messages);
    for number in 1..9 {
        let ours = reading(&Arc::default(), number);
        files.sync(Job { server: "s".into(), path: path.clone(), ours, base: Arc::default() });
    }
    drop(inbox);
    drop(files);
    assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1-8\n");
}

#[test]
fn two_copies_lose_none_of_each_others_marks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n");
    thread::scope(|scope| {
        scope.spawn(|| reads(&path, 1, 200));
        scope.spawn(|| reads(&path, 2, 200));
    });
    assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1-200\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn what_could_not_be_written_is_written_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("below").join("n");
    fs::write(folder.path().join("below"), "no folder").unwrap();
    let mut files = in_memory();
    let first = reading(&Arc::default(), 1);
    let (newsrc, remark) = sync(&mut files, &path, &first, &Arc::default());
    assert!(remark.unwrap().contains("cannot be read"));
    fs::remove_file(folder.path().join("below")).unwrap();
    fs::create_dir(folder.path().join("below")).unwrap();
    sync(&mut files, &path, &reading(&newsrc, 3), &newsrc);
    assert_eq!(fs::read_to_string(&path).unwrap(), "g! 1,3\n");
}

//! A folder before the files of a directory come: its folders and links are made, and it is looked what is there.
//!
//! Refuses: to make anything outside the folder or through a link, to replace what is there, to delete.

use super::outside::Outside;
use super::place::{below, in_a_text, is_same, on_disk, on_the_disk};
use crate::app::{Preparation, There, Transfer, is_unfinished};
use crate::format::listing::{Time, have_changed};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use tokio::sync::oneshot;

/// Entries that are looked at for what is on the disk alone.
const ENTRIES: usize = 200_000;
/// How exactly the coarsest disk holds a time.
const COARSE: Duration = Duration::from_secs(2);
/// Files of those that are named.
const NAMED: usize = 10_000;

/// Makes it ready; what could not be made is told.
pub(super) async fn prepare(outside: Option<&Outside>, plan: Preparation) -> There {
    // Each file says so itself.
    let Some(Outside { folder, threads }) = outside.cloned() else { return There::default() };
    let done = on_disk(&threads, move || Ok(run(&folder.join(super::place::expand(&plan.within)), &plan))).await;
    done.unwrap_or_else(|transfer| There { remarks: why(transfer).into_iter().collect(), ..There::default() })
}

fn why(transfer: Transfer) -> Option<String> {
    match transfer {
        Transfer::Failed(sentence) | Transfer::Full(sentence) => Some(sentence),
        _ => None,
    }
}

fn run(root: &Path, plan: &Preparation) -> There {
    let mut there = There::default();
    for folder in &plan.folders {
        // A name below it has it made.
        there.remarks.extend(below(root, &on_the_disk(folder).join("x")).err().and_then(why));
    }
    for (at, (path, target)) in plan.links.iter().enumerate() {
        match link(root, path, target, plan.replaces) {
            Ok(true) => {}
            Ok(false) => there.elsewhere.push(at),
            Err(why) => there.remarks.push(why),
        }
    }
    let mut dated = Vec::new();
    for (at, file) in plan.files.iter().enumerate() {
        let Ok(facts) = fs::symlink_metadata(root.join(on_the_disk(&file.path))) else { continue };
        match file.size {
            // Nothing is known of what would come: whoever fetches it sees.
            None => {}
            Some(_) if is_same(&facts, file.size, file.modified) => {
                there.same.push(at);
                let here = facts.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
                dated.extend(file.modified.zip(here).map(|times| (at, times)));
            }
            Some(_) => there.changed.push(at),
        }
    }
    let times: Vec<_> = dated.iter().map(|(_, times)| *times).collect();
    let differ = dated.iter().zip(have_changed(&times)).filter(|(_, changed)| *changed);
    let differ: BTreeSet<usize> = differ.map(|((at, _), _)| *at).collect();
    there.same.retain(|at| !differ.contains(at));
    there.changed.extend(differ);
    there.changed.sort_unstable();
    if plan.others {
        there.others = others(root, plan);
    }
    there
}

/// Gives folders their times, also when the program ends meanwhile; which could not have it is told. One that stands behind a link
/// keeps the one that it has.
pub(super) fn date(
    outside: Option<&Outside>,
    within: String,
    folders: Vec<(String, Time)>,
) -> impl Future<Output = Vec<String>> + use<> {
    let (done, told) = oneshot::channel();
    if let Some(Outside { folder, threads }) = outside.cloned() {
        threads.begin(move || {
            // Nobody may wait for it any more.
            let _ = done.send(give_times(&folder.join(super::place::expand(&within)), &folders));
        });
    }
    async { told.await.unwrap_or_default() }
}

fn give_times(root: &Path, folders: &[(String, Time)]) -> Vec<String> {
    let mut remarks = Vec::new();
    for (path, time) in folders {
        let mut at = root.to_path_buf();
        let is_real = on_the_disk(path).components().all(|step| {
            at.push(step);
            matches!(step, Component::Normal(_)) && fs::symlink_metadata(&at).is_ok_and(|facts| facts.is_dir())
        });
        if is_real && let Err(why) = give_time(&at, time) {
            let path = if path.is_empty() { "the directory itself" } else { path };
            let there = time.at.strftime("%Y-%m-%d %H:%M");
            remarks.push(format!("{path}: could not be given the time that it has on the server, {there}: {why}"));
        }
    }
    remarks
}

fn give_time(folder: &Path, time: &Time) -> Result<(), String> {
    let time = TimeZone::UTC.to_timestamp(time.at).map_err(|error| error.to_string())?;
    let given = fs::File::open(folder).and_then(|folder| {
        folder.set_modified(time.into())?;
        folder.metadata()?.modified()
    });
    let here = given.and_then(|here| Timestamp::try_from(here).map_err(io::Error::other));
    match here.map_err(|error| error.to_string())? {
        // Linux takes the nearest that the disk can hold, and says nothing.
        here if here.duration_since(time).unsigned_abs() > COARSE => {
            Err(format!("this disk has {} instead", here.strftime("%Y-%m-%d %H:%M")))
        }
        _ => Ok(()),
    }
}

/// Makes a link, in place of one that leads elsewhere if it may replace that; whether it is there.
fn link(root: &Path, path: &str, target: &str, replaces: bool) -> Result<bool, String> {
    let to = on_the_disk(target);
    let at = below(root, &on_the_disk(path)).map_err(|transfer| why(transfer).unwrap_or_default())?;
    match symlink(&to, &at) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => match fs::read_link(&at) {
            Ok(there) if there == to => Ok(true),
            Ok(_) if !replaces => Ok(false),
            Ok(there) => {
                let made = fs::remove_file(&at).and_then(|()| symlink(&to, &at));
                let there = there.display();
                made.map(|()| true).map_err(|error| {
                    format!("{path}: a link to {target}, no more to {there}, could not be made: {error}")
                })
            }
            Err(_) => Err(format!("{path}: a link to {target}; something else is there, and was left as it is")),
        },
        Err(error) => Err(format!("{path}: a link to {target} could not be made: {error}")),
    }
}

/// Files and folders below a folder that are none of the plan's; what a link leads to is not looked at.
fn others(root: &Path, plan: &Preparation) -> Vec<String> {
    let files = plan.files.iter().map(|file| &file.path).chain(plan.links.iter().map(|(path, _)| path));
    let known: BTreeSet<PathBuf> =
        files.chain(&plan.folders).chain(&plan.apart).map(|path| on_the_disk(path)).collect();
    let (mut others, mut left) = (Vec::new(), ENTRIES);
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            left = left.saturating_sub(1);
            if left == 0 || others.len() == NAMED {
                return others;
            }
            let (name, path) = (entry.file_name(), folder.join(entry.file_name()));
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    if !known.contains(&path) {
                        others.push(format!("{}/", in_a_text(&path)));
                    }
                    folders.push(path);
                }
                Ok(_) if !known.contains(&path) && !is_unfinished(&name.to_string_lossy()) => {
                    others.push(in_a_text(&path));
                }
                _ => {}
            }
        }
    }
    others.sort();
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Expected;
    use crate::format::listing::Precision;

    fn expected(path: &str, size: u64) -> Expected {
        Expected { path: path.into(), size: Some(size), modified: None }
    }

    #[test]
    fn folders_and_links_are_made_and_it_is_told_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("new");
        let plan = Preparation {
            within: String::new(),
            folders: ["a", "a/empty"].map(Into::into).to_vec(),
            links: [("a/up", "../b"), ("mine", "b")].map(|(path, to)| (path.into(), to.into())).to_vec(),
            files: vec![expected("b", 3), expected("a/c", 3), expected("a/new", 1)],
            replaces: true,
            apart: Vec::new(),
            others: true,
        };
        fs::create_dir_all(root.join("a")).unwrap();
        for (path, text) in [("b", "one"), ("a/c", "other"), ("gone", ""), ("a/x.wayfarer-part", ""), ("mine", "mine")]
        {
            fs::write(root.join(path), text).unwrap();
        }
        for _ in 0..2 {
            let there = run(&root, &plan);
            assert_eq!((there.same, there.changed, there.others), (vec![0], vec![1], vec!["gone".into()]));
            assert!(matches!(&there.remarks[..], [one] if one.starts_with("mine: a link to b")), "{:?}", there.remarks);
            assert!(root.join("a/empty").is_dir());
            assert_eq!(fs::read_link(root.join("a/up")).unwrap(), Path::new("../b"));
        }
        assert_eq!(fs::read(root.join("mine")).unwrap(), b"mine");
    }

    /// "Saved again", a link went on leading to where it did a year ago; then one of the reader's own was replaced unasked.
    #[test]
    fn a_link_that_leads_elsewhere_is_told_of_and_replaced_when_the_reader_wants_that() {
        let folder = tempfile::tempdir().unwrap();
        let made = |to: &str, others: bool, replaces: bool| {
            let files = vec![Expected { size: None, ..expected("followed", 0) }];
            let links = vec![("l".into(), to.into())];
            let there = run(folder.path(), &Preparation { links, files, others, replaces, ..Preparation::default() });
            assert_eq!(there.remarks, [""; 0]);
            assert_eq!(there.changed, [0; 0], "whoever fetches it sees");
            (there.elsewhere, fs::read_link(folder.path().join("l")).unwrap())
        };
        assert_eq!(made("1.0", false, false), (vec![], "1.0".into()));
        assert_eq!(made("2.0", false, false), (vec![0], "1.0".into()));
        fs::write(folder.path().join("followed"), "of the link").unwrap();
        assert_eq!(made("2.0", true, false), (vec![0], "1.0".into()));
        assert_eq!(made("2.0", true, true), (vec![], "2.0".into()));
        fs::remove_file(folder.path().join("l")).unwrap();
        fs::write(folder.path().join("l"), "mine").unwrap();
        let plan = Preparation { links: vec![("l".into(), "2.0".into())], others: true, ..Preparation::default() };
        assert_eq!(run(folder.path(), &plan).remarks.len(), 1);
        assert_eq!(fs::read(folder.path().join("l")).unwrap(), b"mine");
    }

    #[test]
    fn a_file_of_equal_size_has_changed_where_its_time_cannot_be_the_listed_one() {
        let folder = tempfile::tempdir().unwrap();
        let listed = Time { at: "2026-03-01T10:20".parse().unwrap(), precision: Precision::Minute, utc: false };
        let expected = |path: &str| Expected { modified: Some(listed), ..expected(path, 3) };
        for (path, time) in [("same", "2026-03-01T08:20:30Z"), ("older", "2026-01-01T08:20:30Z")] {
            fs::write(folder.path().join(path), "one").unwrap();
            let file = fs::File::options().write(true).open(folder.path().join(path)).unwrap();
            file.set_modified(time.parse::<jiff::Timestamp>().unwrap().into()).unwrap();
        }
        let plan = Preparation { files: ["same", "older"].map(expected).to_vec(), ..Preparation::default() };
        let there = run(folder.path(), &plan);
        assert_eq!((there.same, there.changed), (vec![0], vec![1]));
    }

    /// Files that were changed by whole quarters of an hour, also by whole hours, were kept old.
    #[test]
    fn a_file_that_is_further_from_its_listed_time_than_the_others_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let listed = Time { at: "2026-03-01T10:20".parse().unwrap(), precision: Precision::Minute, utc: false };
        let times = ["08:20:30", "07:20:30", "08:20:00", "08:05:10", "08:20:59"];
        let file = |(at, time): (usize, &&str)| {
            let path = folder.path().join(at.to_string());
            fs::write(&path, "one").unwrap();
            let time: Timestamp = format!("2026-03-01T{time}Z").parse().unwrap();
            fs::File::options().write(true).open(path).unwrap().set_modified(time.into()).unwrap();
            Expected { modified: Some(listed), ..expected(&at.to_string(), 3) }
        };
        let plan = Preparation { files: times.iter().enumerate().map(file).collect(), ..Preparation::default() };
        let there = run(folder.path(), &plan);
        assert_eq!((there.same, there.changed), (vec![0, 2, 4], vec![1, 3]));
    }

    /// A folder that had gone on the server was not told of, and a link that is left out was.
    #[test]
    fn folders_that_have_gone_are_told_of_and_what_is_left_out_is_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("old/deep")).unwrap();
        fs::create_dir(folder.path().join("new")).unwrap();
        for path in ["left", "old/a", "new/a.wayfarer-part", "new/a.wayfarer-part.toml"] {
            fs::write(folder.path().join(path), "").unwrap();
        }
        let plan = Preparation {
            folders: vec!["new".into()],
            apart: vec!["left".into()],
            others: true,
            ..Preparation::default()
        };
        assert_eq!(run(folder.path(), &plan).others, ["old/", "old/a", "old/deep/"]);
    }

    #[test]
    fn folders_get_their_times_but_not_through_a_link() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::create_dir(elsewhere.path().join("b")).unwrap();
        symlink(elsewhere.path(), folder.path().join("l")).unwrap();
        let time = Time { at: "2004-11-12T10:20".parse().unwrap(), precision: Precision::Minute, utc: false };
        let told = give_times(folder.path(), &["a", "a/b", "l", "l/b", "../x", "none"].map(|path| (path.into(), time)));
        assert_eq!(told, [""; 0]);
        let year = |path: &Path| Timestamp::try_from(fs::metadata(path).unwrap().modified().unwrap()).unwrap();
        for path in ["a", "a/b"] {
            assert_eq!(year(&folder.path().join(path)).to_string(), "2004-11-12T10:20:00Z");
        }
        assert_ne!(year(&elsewhere.path().join("b")).to_string(), "2004-11-12T10:20:00Z");
    }

    /// A folder of 1850, or of a year that no disk knows, had another time, and nothing was said.
    #[test]
    fn a_time_that_the_disk_cannot_hold_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("old")).unwrap();
        let at = |at: &str| Time { at: at.parse().unwrap(), precision: Precision::Minute, utc: false };
        let times =
            [("old", "-009999-01-02T00:00"), ("", "2004-11-12T10:20")].map(|(path, time)| (path.into(), at(time)));
        let told = give_times(folder.path(), &times);
        let [told] = &told[..] else { panic!("{told:?}") };
        assert!(told.starts_with("old: could not be given the time that it has on the server, -9999-01-02"), "{told}");
        let times = [("".into(), at("-009999-01-02T00:00"))];
        assert!(give_times(folder.path(), &times)[0].starts_with("the directory itself: could not"));
    }

    #[test]
    fn names_are_made_and_found_with_the_octets_that_they_carry() {
        use crate::doc::carry;
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let (name, gone) = (carry(b"d\xe9r"), carry(b"g\xe9ne"));
        let plan = Preparation {
            folders: vec![name.clone()],
            links: vec![(format!("{name}/l"), carry(b"f\xe9"))],
            others: true,
            ..Preparation::default()
        };
        fs::write(folder.path().join(on_the_disk(&gone)), "").unwrap();
        assert_eq!(run(folder.path(), &plan).others, [gone]);
        let made = folder.path().join(std::ffi::OsStr::from_bytes(b"d\xe9r/l"));
        assert_eq!(fs::read_link(made).unwrap().as_os_str().as_bytes(), b"f\xe9");
    }

    #[test]
    fn nothing_is_made_through_a_link() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        symlink(elsewhere.path(), folder.path().join("a")).unwrap();
        let plan = Preparation {
            folders: vec!["a/b".into()],
            links: vec![("a/l".into(), "x".into())],
            ..Preparation::default()
        };
        assert_eq!(run(folder.path(), &plan).remarks.len(), 2);
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}

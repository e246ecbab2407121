//! Files as they are written, go on and are given up.

use super::*;
use crate::app::{Beginning, Destination, Existing, ListedFile};
use crate::format::listing::{Precision, Time};
use crate::shell::outside::Threads;
use crate::url::Url;
use jiff::Timestamp;

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work)
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn into(path: &str) -> Destination {
    let origin = Some(url("ftp://me:secret@h/a"));
    Destination {
        path: path.into(),
        within: None,
        origin,
        existing: Existing::Ask,
        beginning: Beginning::Keep,
        listed: ListedFile::default(),
        runs: false,
    }
}

/// One of a directory, which is compared with what a listing says.
fn compared(path: &str) -> Destination {
    Destination { within: Some("pub".into()), existing: Existing::Compare, ..into(path) }
}

fn sized(size: Option<u64>) -> ListedFile {
    ListedFile { size, modified: None }
}

fn head(start: u64, length: Option<u64>, validator: Option<&str>) -> Head {
    let validator = validator.map(Into::into);
    Head { start, length, validator, ..Head::new(url("ftp://h/a"), "application/octet-stream") }
}

fn outside(folder: &Path) -> Outside {
    Outside { folder: folder.into(), threads: Threads::of(tokio::runtime::Handle::current()) }
}

async fn saver(folder: &Path, into: Destination) -> Result<Saver, Transfer> {
    Place::find(Some(&outside(folder)), into).await?.claim().await
}

/// As far as a fetch comes that brings `octets`.
async fn writing(folder: &Path, into: Destination, head: &Head, octets: &[u8]) -> Result<Writing, Transfer> {
    let mut writing = saver(folder, into).await?.begin(head).await?.0;
    writing.write(octets).await?;
    writing.put_down().await?;
    // The runtime writes behind; what is looked at next has to be there.
    writing.file.flush().await.unwrap();
    Ok(writing)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn nothing_is_overwritten_unasked_not_even_the_part_of_another_download() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("a.wayfarer-part"), "mine").unwrap();
    std::fs::write(at("secret"), "mine").unwrap();
    std::os::unix::fs::symlink(at("secret"), at("a.wayfarer-part-2")).unwrap();
    run(async {
        let plain = head(0, None, None);
        let one = writing(folder.path(), into("a"), &plain, b"one").await.unwrap();
        // The same URL, but its unfinished file is being written.
        let other = writing(folder.path(), into("a"), &plain, b"other").await.unwrap();
        assert!(matches!(one.end(None).await, Transfer::Done(..)));
        let Transfer::Failed(told) = other.end(None).await else { panic!("a second file of one name") };
        assert!(told.ends_with("a.wayfarer-part-4."), "{told}");
        let again = saver(folder.path(), into("a")).await.unwrap_err();
        assert!(matches!(again, Transfer::Exists(_)), "{again:?}");
        let folder = saver(folder.path(), Destination { existing: Existing::Replace, ..into(".") }).await.unwrap_err();
        assert!(matches!(folder, Transfer::Failed(_)), "{folder:?}");
    });
    for (name, content) in
        [("a.wayfarer-part", "mine"), ("secret", "mine"), ("a", "one"), ("a.wayfarer-part-4", "other")]
    {
        assert_eq!(std::fs::read_to_string(at(name)).unwrap(), content, "{name}");
    }
    assert_eq!(
        names(folder.path()),
        ["a", "a.wayfarer-part", "a.wayfarer-part-2", "a.wayfarer-part-4", "a.wayfarer-part-4.toml", "secret"]
    );
}

#[test]
fn what_broke_off_goes_on_from_its_end() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        let cut = writing(folder.path(), into("a"), &head(0, Some(9), Some("v1")), b"begin").await.unwrap();
        let Transfer::Cut(told) = cut.end(Some("the server went away".into())).await else { panic!("whole") };
        assert!(
            told.starts_with("The server went away. What came is kept in ") && told.ends_with("a.wayfarer-part."),
            "{told}"
        );
        let note = std::fs::read_to_string(folder.path().join("a.wayfarer-part.toml")).unwrap();
        assert!(note.contains("v1") && note.contains("ftp://me:***@h/a") && !note.contains("secret"), "{note}");
        let place = Place::find(Some(&outside(folder.path())), into("a")).await.unwrap();
        assert!(place.has_beginning(Some("v1")).await && place.has_beginning(None).await);
        assert!(!place.has_beginning(Some("v2")).await);
        let again = place.claim().await.unwrap();
        assert_eq!(again.resume(), Some(Resume { from: 5, validator: "v1".into(), as_listed: false }));
        let modified: Timestamp = "1993-08-11T10:20:30Z".parse().unwrap();
        let head = Head { modified: Some(modified), ..head(5, Some(9), None) };
        let (mut rest, begun) = again.begin(&head).await.unwrap();
        assert_eq!(begun, Transfer::Begun(5, None));
        rest.write(b" end").await.unwrap();
        assert!(matches!(rest.end(None).await, Transfer::Done(_, None)));
        let facts = std::fs::metadata(folder.path().join("a")).unwrap();
        assert_eq!(Timestamp::try_from(facts.modified().unwrap()).unwrap(), modified);
    });
    assert_eq!(names(folder.path()), ["a"]);
    assert_eq!(std::fs::read(folder.path().join("a")).unwrap(), b"begin end");
}

#[test]
fn what_came_of_a_file_that_changed_is_kept_until_the_reader_gives_it_up() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        drop(writing(folder.path(), into("a"), &head(0, Some(9), Some("v1")), b"begin").await.unwrap());
        let changed = head(0, Some(3), Some("v2"));
        let told = saver(folder.path(), into("a")).await.unwrap().begin(&changed).await.unwrap_err();
        let Transfer::Stale(told) = told else { panic!("{told:?}") };
        assert!(told.starts_with("The file has changed on the server; 5 B of the old one are in "), "{told}");
        assert_eq!(std::fs::read(folder.path().join("a.wayfarer-part")).unwrap(), b"begin");
        let agreed = Destination { beginning: Beginning::Drop, ..into("a") };
        let (anew, begun) = saver(folder.path(), agreed).await.unwrap().begin(&changed).await.unwrap();
        assert_eq!(begun, Transfer::Begun(0, None));
        drop(anew);
        // Of the new content nothing came, so nothing is left.
        assert_eq!(names(folder.path()), [""; 0]);
        drop(writing(folder.path(), into("a"), &head(0, None, None), b"begin").await.unwrap());
        let again = saver(folder.path(), into("a")).await.unwrap();
        assert_eq!(again.resume(), None);
        let (_, begun) = again.begin(&head(0, None, None)).await.unwrap();
        assert!(matches!(begun, Transfer::Begun(0, Some(said)) if said.contains("cannot go on in the middle")));
    });
}

/// Of two versions of one length the second's end was put behind the first's beginning, where the server tells no times; and what was
/// cut short again was taken for whole, since whoever goes on is not told how long the file is.
#[test]
fn what_a_listing_says_of_a_file_tells_whether_its_part_is_gone_on_with_and_when_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let listed = |time: &str| {
        let modified = Some(Time { at: time.parse().unwrap(), precision: Precision::Minute, utc: false });
        Destination { listed: ListedFile { size: Some(9), modified }, ..compared("a") }
    };
    let then = || listed("2026-03-01T10:20:00");
    run(async {
        drop(writing(folder.path(), then(), &head(0, None, Some("size=9")), b"begin").await.unwrap());
        let changed = saver(folder.path(), listed("2026-03-01T10:21:00")).await.unwrap();
        assert_eq!(changed.resume(), None);
        let told = changed.begin(&head(0, None, Some("size=9"))).await.unwrap_err();
        assert!(matches!(&told, Transfer::Stale(told) if told.starts_with("The file has changed")), "{told:?}");
        let newer = Head { modified: Some("2026-03-03T10:20:05Z".parse().unwrap()), ..head(5, None, Some("size=9")) };
        let told = saver(folder.path(), then()).await.unwrap().begin(&newer).await.unwrap_err();
        assert!(matches!(told, Transfer::Stale(_)), "the listing is older than the file");
        // What is half a year old is listed in other words; its own time tells.
        let exact = "size=9;modify=20260301102000";
        let was = Destination { path: "c".into(), ..then() };
        drop(writing(folder.path(), was, &head(0, Some(9), Some(exact)), b"begin").await.unwrap());
        let old = Destination { path: "c".into(), ..listed("2026-03-01T00:00:00") };
        let old = saver(folder.path(), old).await.unwrap();
        assert_eq!(old.resume().map(|resume| (resume.from, resume.as_listed)), Some((5, false)));
        let (rest, begun) = old.begin(&head(5, Some(9), Some(exact))).await.unwrap();
        assert_eq!(begun, Transfer::Begun(5, None));
        drop(rest);
        let same = saver(folder.path(), then()).await.unwrap();
        assert_eq!(same.resume(), Some(Resume { from: 5, validator: "size=9".into(), as_listed: true }));
        let dated = Some("size=9;modify=20260301102005");
        let (mut rest, begun) = same.begin(&head(5, None, dated)).await.unwrap();
        assert_eq!(begun, Transfer::Begun(5, None));
        rest.write(b" e").await.unwrap();
        let cut = rest.end(None).await;
        assert!(matches!(&cut, Transfer::Cut(told) if told.starts_with("Only 7 B of 9 B came.")), "{cut:?}");
        let again = saver(folder.path(), then()).await.unwrap().begin(&head(0, None, dated)).await.unwrap();
        assert!(matches!(&again.1, Transfer::Begun(0, Some(said)) if said.contains("cannot go on in the middle")));
        drop(again);
        drop(writing(folder.path(), into("b"), &head(0, None, dated), b"begin").await.unwrap());
        let told =
            saver(folder.path(), into("b")).await.unwrap().begin(&head(0, None, Some("size=9"))).await.unwrap_err();
        assert!(
            matches!(&told, Transfer::Stale(told) if told.starts_with("The server does not tell any more")),
            "{told:?}"
        );
    });
}

#[test]
fn the_rest_of_another_file_is_not_written_behind_what_came() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        let tag = "\"1\"";
        drop(writing(folder.path(), into("a"), &head(0, Some(9), Some(tag)), b"begin").await.unwrap());
        for (length, validator) in [(Some(9), Some("\"2\"")), (Some(10), Some(tag)), (Some(10), None)] {
            let rest = head(5, length, validator);
            let told = saver(folder.path(), into("a")).await.unwrap().begin(&rest).await.unwrap_err();
            let Transfer::Stale(told) = told else { panic!("{told:?}") };
            assert!(told.starts_with("The file has changed on the server; 5 B of the old one are in "), "{told}");
            assert_eq!(std::fs::read(folder.path().join("a.wayfarer-part")).unwrap(), b"begin");
        }
        // The rest may have the time of the last change where the whole had a tag, or neither.
        for validator in [Some("Wed, 21 Oct 2015 07:28:00 GMT"), None, Some(tag)] {
            let rest = head(5, Some(9), validator);
            let again = saver(folder.path(), Destination { beginning: Beginning::Keep, ..into("a") }).await.unwrap();
            assert_eq!(again.begin(&rest).await.unwrap().1, Transfer::Begun(5, None), "{validator:?}");
        }
    });
}

#[test]
fn what_is_held_back_is_kept_when_the_fetch_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        let place =
            || async { saver(folder.path(), into("a")).await.unwrap().begin(&head(0, Some(9), Some("v1"))).await };
        let mut given_up = place().await.unwrap().0;
        given_up.write(b"begin").await.unwrap();
        assert_eq!(
            std::fs::read(folder.path().join("a.wayfarer-part")).unwrap(),
            b"",
            "a short beginning waits for its end"
        );
        drop(given_up);
        assert_eq!(std::fs::read(folder.path().join("a.wayfarer-part")).unwrap(), b"begin");
        // What is long is written as it comes, in its order.
        let long = vec![b'x'; 100_000];
        let mut all = writing(folder.path(), into("b"), &head(0, None, None), b"").await.unwrap();
        for piece in [&b"begin"[..], &long, b"end"] {
            all.write(piece).await.unwrap();
        }
        assert!(matches!(all.end(None).await, Transfer::Done(_, None)));
        assert_eq!(std::fs::read(folder.path().join("b")).unwrap(), [&b"begin"[..], &long, b"end"].concat());
    });
}

#[test]
fn what_another_copy_saved_meanwhile_is_there_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let one = || Destination { listed: sized(Some(5)), ..compared("a") };
    run(async {
        let head = head(0, Some(5), None);
        let first = writing(folder.path(), one(), &head, b"hello").await.unwrap();
        let mut second = saver(folder.path(), one()).await.unwrap().begin(&head).await.unwrap().0;
        second.write(b"hello").await.unwrap();
        assert!(matches!(first.end(None).await, Transfer::Done(..)));
        assert!(matches!(second.end(None).await, Transfer::Present(_)));
        assert_eq!(names(&folder.path().join("pub")), ["a"]);
        // Where it is another file, what came stays, and is known again.
        let other = Destination { listed: sized(Some(4)), ..one() };
        let head = Head { length: Some(4), ..head };
        std::fs::remove_file(folder.path().join("pub/a")).unwrap();
        let mut other = saver(folder.path(), other).await.unwrap().begin(&head).await.unwrap().0;
        other.write(b"four").await.unwrap();
        std::fs::write(folder.path().join("pub/a"), "hello").unwrap();
        let Transfer::Failed(told) = other.end(None).await else { panic!("over another file") };
        assert!(told.contains(": File exists. Its content is in "), "{told}");
        assert_eq!(names(&folder.path().join("pub")), ["a", "a.wayfarer-part", "a.wayfarer-part.toml"]);
    });
}

/// A source tree that was saved could not be built: `./configure` was no program any more.
#[test]
fn what_was_one_to_run_is_one_here_for_whoever_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    run(async {
        for runs in [true, false] {
            let name = format!("runs-{runs}");
            let into = Destination { within: Some("pub".into()), runs, ..into(&name) };
            let written = writing(folder.path(), into, &head(0, Some(5), None), b"#!sh\n").await.unwrap();
            assert!(matches!(written.end(None).await, Transfer::Done(..)));
            let mode = std::fs::metadata(folder.path().join("pub").join(&name)).unwrap().permissions().mode() & 0o7777;
            assert_eq!(mode & 0o111, if runs { (mode & 0o444) >> 2 } else { 0 }, "{mode:o}");
            assert_eq!(mode & 0o7000, 0);
        }
    });
}

/// A link's target was asked about without a look, though it was the one that was here.
#[test]
fn what_no_listing_tells_of_is_compared_as_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("pub/a");
    let into = || compared("a");
    let time = |at: &str| Some(at.parse::<Timestamp>().unwrap());
    let then = time("2001-02-03T04:05:06Z");
    run(async {
        let first = Head { modified: then, ..head(0, Some(5), None) };
        let written = writing(folder.path(), into(), &first, b"hello").await.unwrap();
        assert!(matches!(written.end(None).await, Transfer::Done(..)));
        let begun = async |length, modified| {
            let told = Head { modified, ..head(0, length, None) };
            saver(folder.path(), into()).await.unwrap().begin(&told).await
        };
        assert!(matches!(begun(Some(5), then).await, Err(Transfer::Present(_))));
        for (length, modified) in [(Some(4), then), (Some(5), time("2001-02-03T04:05:07Z")), (Some(9), None)] {
            assert!(matches!(begun(length, modified).await, Err(Transfer::Exists(_))), "{length:?} {modified:?}");
        }
        // A server without times: its content tells.
        for (length, octets, same) in [(Some(5), b"hello", true), (None, b"hello", true), (None, b"jello", false)] {
            let mut writing = begun(length, None).await.unwrap().0;
            writing.write(octets).await.unwrap();
            let ended = writing.end(None).await;
            assert!(if same { matches!(ended, Transfer::Present(_)) } else { matches!(ended, Transfer::Exists(_)) });
            assert_eq!(names(&folder.path().join("pub")), ["a"]);
        }
    });
    assert_eq!(std::fs::read(at).unwrap(), b"hello");
}

#[test]
fn what_stands_in_the_place_of_a_note_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("a.wayfarer-part"), "").unwrap();
    nix::unistd::mkfifo(&at("a.wayfarer-part.toml"), nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at("a.wayfarer-part-2.toml")).unwrap();
    // Left by a run that was killed, and by a full disk: nobody's.
    std::fs::write(at("b.wayfarer-part"), "").unwrap();
    std::fs::write(at("c.wayfarer-part"), "").unwrap();
    std::fs::write(at("c.wayfarer-part.toml"), "").unwrap();
    run(async {
        for name in ["a", "b", "c"] {
            let one = writing(folder.path(), into(name), &head(0, None, None), b"octets").await.unwrap();
            assert!(matches!(one.end(None).await, Transfer::Done(..)), "{name}");
        }
    });
    assert_eq!(
        names(folder.path()),
        ["a", "a.wayfarer-part", "a.wayfarer-part-2.toml", "a.wayfarer-part.toml", "b", "c"]
    );
}

#[test]
fn what_another_program_puts_in_the_place_of_a_part_is_not_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("secret"), "secret").unwrap();
    let replaced: [&dyn Fn(&Path); 3] = [
        &|part| {
            std::fs::remove_file(part).unwrap();
            std::os::unix::fs::symlink(at("secret"), part).unwrap();
        },
        &|part| drop(std::fs::File::create(part).unwrap()),
        &|part| {
            std::fs::remove_file(part).unwrap();
            std::fs::write(part, b"hello").unwrap();
        },
    ];
    run(async {
        for replace in replaced {
            let one = writing(folder.path(), into("a"), &head(0, Some(5), None), b"hello").await.unwrap();
            replace(&one.partial.path.clone());
            let told = one.end(None).await;
            assert!(matches!(&told, Transfer::Failed(why) if why.contains("Another program has changed")), "{told:?}");
            assert!(!at("a").exists());
            let _ = (std::fs::remove_file(at("a.wayfarer-part")), std::fs::remove_file(at("a.wayfarer-part.toml")));
        }
        // What stands there and is no file is passed by.
        nix::unistd::mkfifo(&at("b.wayfarer-part"), nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
        std::fs::write(at("b.wayfarer-part.toml"), "url = \"ftp://me:***@h/a\"\nvalidator = \"v\"\n").unwrap();
        let one = writing(folder.path(), into("b"), &head(0, None, None), b"octets").await.unwrap();
        assert!(matches!(one.end(None).await, Transfer::Done(..)));
    });
    assert_eq!(std::fs::read(at("secret")).unwrap(), b"secret");
}

#[test]
fn zeros_are_holes_and_the_file_is_the_same() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let zeros = vec![0; 16 * 1024];
    run(async {
        let mut whole = writing(folder.path(), into("a"), &head(0, None, None), b"begin").await.unwrap();
        for _ in 0..1000 {
            whole.write(&zeros).await.unwrap();
        }
        whole.write(b"middle").await.unwrap();
        whole.write(&zeros).await.unwrap();
        assert!(matches!(whole.end(None).await, Transfer::Done(..)));
        let mut cut = writing(folder.path(), into("b"), &head(0, Some(1 << 20), Some("v")), b"begin").await.unwrap();
        cut.write(&zeros).await.unwrap();
        assert!(matches!(cut.end(None).await, Transfer::Cut(_)));
        let again = saver(folder.path(), into("b")).await.unwrap();
        assert_eq!(again.resume().map(|resume| resume.from), Some(5 + zeros.len() as u64));
    });
    let all = [b"begin".as_slice(), &zeros.repeat(1000), b"middle", &zeros].concat();
    assert!(std::fs::read(folder.path().join("a")).unwrap() == all);
    // A file system without holes has written them.
    let probe = std::fs::File::create(folder.path().join("probe")).unwrap();
    probe.set_len(1 << 20).unwrap();
    if probe.metadata().unwrap().blocks() == 0 {
        assert!(std::fs::metadata(folder.path().join("a")).unwrap().blocks() * 512 < 1 << 20);
    }
}

/// Of a file that came as zeros, all of them were fetched again after the program was left.
#[test]
fn zeros_that_came_stay_when_the_program_is_left_and_what_goes_on_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = vec![0; 16 * 1024];
    run(async {
        let mut left = writing(folder.path(), into("a"), &head(0, None, Some("v")), b"begin").await.unwrap();
        for octets in [&zeros[..], b"middle", &zeros, &zeros] {
            left.write(octets).await.unwrap();
        }
        let octets = left.octets();
        drop(left);
        let again = saver(folder.path(), into("a")).await.unwrap();
        assert_eq!(again.resume().map(|resume| resume.from), Some(octets));
        let (mut rest, _) = again.begin(&head(octets, None, Some("v"))).await.unwrap();
        rest.write(b"end").await.unwrap();
        assert!(matches!(rest.end(None).await, Transfer::Done(..)));
    });
    let all = [b"begin", &zeros[..], b"middle", &zeros, &zeros, b"end"].concat();
    assert!(std::fs::read(folder.path().join("a")).unwrap() == all);
}

#[test]
fn what_is_refused_on_its_way_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        let bomb = writing(folder.path(), into("a"), &head(0, Some(9), None), b"begin").await.unwrap();
        assert_eq!(bomb.discard("It is a bomb.".into()).await, "It is a bomb.");
    });
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_name_as_long_as_a_disk_takes_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("{}.tar.gz", "a".repeat(248));
    run(async {
        let whole = writing(folder.path(), into(&long), &head(0, Some(1), Some("v1")), b"x").await.unwrap();
        assert!(matches!(whole.end(None).await, Transfer::Done(_, None)));
    });
    assert_eq!(names(folder.path()), [long]);
}

#[test]
fn octets_are_not_put_where_they_do_not_belong() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        drop(writing(folder.path(), into("a"), &head(0, Some(9), Some("v1")), b"begin").await.unwrap());
        let lied = saver(folder.path(), into("a")).await.unwrap().begin(&head(7, Some(9), Some("v1"))).await;
        assert!(matches!(lied, Err(Transfer::Failed(_))));
        // Another place's beginning is not this one's.
        let other = Destination { origin: Some(url("ftp://elsewhere/a")), ..into("a") };
        assert_eq!(saver(folder.path(), other).await.unwrap().resume(), None);
        let anew = Destination { beginning: Beginning::Drop, ..into("a") };
        assert_eq!(saver(folder.path(), anew).await.unwrap().resume(), None);
        let finished = folder.path().join("b");
        std::fs::write(&finished, "whole").unwrap();
        std::fs::hard_link(&finished, folder.path().join("b.wayfarer-part")).unwrap();
        std::fs::write(folder.path().join("b.wayfarer-part.toml"), "url = \"ftp://me:***@h/a\"\nvalidator = \"v\"\n")
            .unwrap();
        std::fs::remove_file(folder.path().join("a.wayfarer-part")).unwrap_or_default();
        let linked = Destination { existing: Existing::Replace, ..into("b") };
        assert_eq!(saver(folder.path(), linked).await.unwrap().resume(), None);
        assert_eq!(std::fs::read(finished).unwrap(), b"whole");
    });
}

#[test]
fn a_full_disk_is_told_from_what_one_file_alone_meets() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        for length in [5, 200_000] {
            let mut full = writing(folder.path(), into("a"), &head(0, None, None), b"").await.unwrap();
            full.file = fs::File::from_std(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
            let written = match full.write(&vec![b'x'; length]).await {
                Ok(()) => full.put_down().await,
                refused => refused,
            };
            // What is on its way is refused when it gets there.
            let told = if let Err(told) = written { told } else { full.end(None).await };
            assert!(matches!(&told, Transfer::Full(why) if why.contains("No space left")), "{length}: {told:?}");
        }
    });
}

/// An empty part was left beside it, "what came is kept", and the next try had another name.
#[test]
fn a_text_that_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        for length in [5, 200_000] {
            let place = Place::of_text(Some(&outside(folder.path())), "trail.gmi", false).await.unwrap();
            let mut full = place.claim().await.unwrap().write_anew();
            full.file = fs::File::from_std(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
            let told = whole(full, &vec![b'x'; length]).await.unwrap_err();
            let said = format!("Cannot write {}: No space left", folder.path().join("trail.gmi").display());
            assert!(matches!(&told, Transfer::Full(why) if why.starts_with(&said)), "{length}: {told:?}");
            assert_eq!(names(folder.path()), [""; 0], "{length}");
        }
        let written = write(Some(&outside(folder.path())), "trail.gmi", b"words", false).await;
        assert_eq!((written.is_ok(), names(folder.path())), (true, vec!["trail.gmi".to_owned()]));
    });
}

#[test]
fn a_file_shorter_than_promised_is_not_taken_for_whole() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        let short = writing(folder.path(), into("a"), &head(0, Some(9), None), b"begin").await.unwrap();
        assert!(matches!(short.end(None).await, Transfer::Cut(told) if told.starts_with("Only 5 B of 9 B came.")));
        let long = writing(folder.path(), into("b"), &head(0, Some(2), None), b"begin").await.unwrap();
        assert!(matches!(long.end(None).await, Transfer::Done(_, Some(told)) if told.contains("longer")));
        let whole = writing(folder.path(), into("c"), &head(0, Some(5), None), b"begin").await.unwrap();
        assert!(matches!(whole.end(Some("no farewell".into())).await, Transfer::Done(_, Some(_))));
    });
}

#[test]
fn nothing_is_written_outside_the_chosen_folder() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("pub")).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("pub/sub")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("x"), folder.path().join("pub/x")).unwrap();
    let within = |path: &str| Destination { listed: sized(Some(5)), ..compared(path) };
    run(async {
        for path in ["../x", "/x", "a/../../x", "./../x", "sub/x", "sub/deep/x", "..", "", "a/.."] {
            let refused = saver(folder.path(), within(path)).await;
            assert!(matches!(refused, Err(Transfer::Failed(_))), "{path}: {refused:?}");
        }
        assert!(matches!(saver(folder.path(), within("x")).await, Err(Transfer::Exists(_))));
        let good = writing(folder.path(), within("a/b/c"), &head(0, None, None), b"hello").await.unwrap();
        assert!(matches!(good.end(None).await, Transfer::Done(..)));
        assert!(matches!(saver(folder.path(), within("a/b/c")).await, Err(Transfer::Present(_))));
    });
    assert_eq!(names(outside.path()), [""; 0]);
    assert_eq!(names(folder.path()), ["pub"]);
    assert_eq!(std::fs::read(folder.path().join("pub/a/b/c")).unwrap(), b"hello");
}

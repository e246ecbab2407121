//! What a damaged file costs, one of another program, and copies that run at once.

use super::*;

#[test]
fn a_damaged_one_is_put_aside_with_a_sentence() {
    for damage in ["garbage", "half", "middle", "empty"] {
        let (_folder, file) = place();
        let copy = Copy::of(&file, PLENTY);
        for number in 0..50 {
            copy.keep(text(&format!("http://h/{number}"), "many words ".repeat(500), NOW));
        }
        copy.said();
        drop(copy);
        let mut octets = fs::read(&file).unwrap();
        match damage {
            "garbage" => octets = b"this is no database\n".repeat(1000),
            "half" => octets.truncate(octets.len() / 3),
            "middle" => octets[5_000..20_000].fill(b'x'),
            _ => octets.clear(),
        }
        fs::write(&file, octets).unwrap();
        for beside in ["pages.db-wal", "pages.db-shm"] {
            let _ = fs::remove_file(file.with_file_name(beside));
        }
        fs::write(file.with_extension("bad"), "an earlier one").unwrap();
        let copy = Copy::of(&file, PLENTY);
        for number in 0..50 {
            let _ = copy.runtime.block_on(copy.store.copy(&url(&format!("http://h/{number}"))));
        }
        copy.keep(text("http://h/new", "words", NOW));
        let said = copy.said();
        assert_eq!(copy.copy("http://h/new").unwrap(), b"words", "{damage}: {said:?}");
        if damage != "empty" {
            assert!(
                said.iter().any(|said| said.contains("was damaged") && said.contains("pages.bad2")),
                "{damage}: {said:?}"
            );
            assert!(file.with_extension("bad2").exists());
            assert_eq!(fs::read(file.with_extension("bad")).unwrap(), b"an earlier one");
        }
    }
}

#[test]
fn damage_to_what_is_kept_costs_nothing_of_what_was_put_by() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW));
    copy.put_by("http://h/a", NOW, false);
    copy.put_by("gopher://h/0/b", NOW + 1, false);
    assert_eq!(copy.said(), [""; 0]);
    drop(copy);
    fs::write(&file, b"this is no database\n".repeat(1000)).unwrap();
    let copy = Copy::of(&file, PLENTY);
    let all = copy.runtime.block_on(copy.store.later()).unwrap();
    assert_eq!(all.iter().map(|later| later.url.as_str()).collect::<Vec<_>>(), ["http://h/a", "gopher://h/0/b"]);
    assert!(all.iter().all(|later| !later.here), "{all:?}");
    assert_eq!(copy.said().len(), 1);

    // A line that makes no sense costs itself, and is put aside when the file is written anew.
    let list = file.with_file_name("later");
    let mut octets = fs::read(&list).unwrap();
    octets.extend_from_slice(b"no time at all\n7\t:no address\ttitle\n\xFF");
    fs::write(&list, octets).unwrap();
    copy.put_by("gemini://h/c", NOW + 2, false);
    copy.put_by("http://h/a", NOW, true);
    assert_eq!(copy.later(), ["gopher://h/0/b", "gemini://h/c"]);
    assert_eq!(fs::read(list.with_extension("bad")).unwrap(), b"no time at all\n7\t:no address\ttitle\n\xFF\n");
    assert_eq!(fs::metadata(&list).unwrap().permissions().mode() & 0o077, 0);

    copy.store.forget(&Forget::All, drop);
    assert_eq!((copy.later().len(), list.with_extension("bad").exists()), (0, false));

    // One of a newer program is left alone.
    fs::write(&list, "# wayfarer later 2\nin another way\n").unwrap();
    assert!(copy.runtime.block_on(copy.store.later()).unwrap_err().contains("newer Wayfarer"));
    assert_eq!(fs::read(&list).unwrap(), b"# wayfarer later 2\nin another way\n");
}

#[test]
fn one_of_a_newer_program_is_left_alone() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW));
    copy.said();
    drop(copy);
    // The version stands at octet 60 (SQLite's file format, 1.3).
    let mut octets = fs::read(&file).unwrap();
    octets[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&file, &octets).unwrap();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/b", "words", NOW)).keep(text("http://h/c", "words", NOW));
    let said = copy.said();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("a newer Wayfarer wrote it"), "{said:?}");
    assert!(fs::read(&file).unwrap() == octets);
}

#[test]
fn a_file_that_cannot_be_written_is_told_of_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pages.db");
    fs::create_dir(&file).unwrap();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/b", "words", NOW)).keep(text("http://h/c", "words", NOW));
    let said = copy.said();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("pages that are read are not kept: "), "{said:?}");
}

#[test]
fn what_another_copy_has_put_aside_is_not_written_into_any_more() {
    let (_folder, file) = place();
    let one = Copy::of(&file, PLENTY);
    one.put_by("gopher://h/0/before", NOW, false);
    one.keep(text("gopher://h/0/before", "words", NOW));
    assert!(one.copy("gopher://h/0/before").is_some());
    // Another copy finds it damaged and begins anew.
    fs::rename(&file, file.with_extension("bad")).unwrap();
    for beside in ["db-wal", "db-shm"] {
        fs::remove_file(file.with_extension(beside)).unwrap_or_default();
    }
    let other = Copy::of(&file, PLENTY);
    other.put_by("gopher://h/0/theirs", NOW, false);
    one.put_by("gopher://h/0/ours", NOW + 1, false);
    one.keep(text("gopher://h/0/ours", "words", NOW));
    assert!(one.copy("gopher://h/0/ours").is_some());
    assert_eq!(other.later(), ["gopher://h/0/before", "gopher://h/0/theirs", "gopher://h/0/ours"]);
    assert!(other.copy("gopher://h/0/ours").is_some());
}

#[test]
fn copies_that_begin_at_the_same_moment_share_it() {
    for round in 0..40 {
        let (_folder, file) = place();
        let copies: Vec<_> = (0..3).map(|_| Copy::of(&file, PLENTY)).collect();
        for (which, copy) in copies.iter().enumerate() {
            copy.keep(text(&format!("http://h/{which}"), "words", NOW));
        }
        for copy in &copies {
            assert_eq!(copy.said(), [""; 0], "{round}");
        }
    }
}

#[test]
fn one_question_that_breaks_the_store_costs_no_other() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "one\n", NOW));
    copy.store.keep(text("http://h/a", "two\none\n", NOW), |_| panic!("broken"));
    copy.keep(text("http://h/b", "words", NOW));
    assert!(copy.copy("http://h/a").is_some() && copy.copy("http://h/b").is_some());
    let said = copy.said();
    assert!(said.len() == 1 && said[0].starts_with("the store of pages broke over "), "{said:?}");
}

/// What was kept last is in the log, and whoever wants to save it needs both.
#[test]
fn the_log_of_a_damaged_one_is_put_aside_with_it() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW)).said();
    drop(copy);
    fs::write(&file, b"this is no database\n".repeat(1000)).unwrap();
    let log = file.with_file_name("pages.db-wal");
    fs::write(&log, b"what was kept last").unwrap();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/b", "words", NOW));
    assert_eq!((copy.copy("http://h/b").is_some(), copy.said().len()), (true, 1));
    assert_eq!(fs::read(file.with_file_name("pages.bad-wal")).unwrap(), b"what was kept last");
    copy.store.forget(&Forget::All, drop);
    assert_eq!(copy.store.owed_to_reader(PATIENCE), [""; 0]);
    assert!(!file.with_file_name("pages.bad").exists() && !file.with_file_name("pages.bad-wal").exists());
}

#[test]
fn a_copy_that_has_the_file_open_leaves_the_log_of_the_next_alone() {
    let (_folder, file) = place();
    let one = Copy::of(&file, PLENTY);
    one.keep(text("http://h/a", "words", NOW));
    assert!(one.copy("http://h/a").is_some());
    // Another copy puts it aside as it is.
    for (from, to) in [("pages.db-wal", "pages.bad-wal"), ("pages.db-shm", "pages.bad-shm"), ("pages.db", "pages.bad")]
    {
        fs::rename(file.with_file_name(from), file.with_file_name(to)).unwrap();
    }
    let other = Copy::of(&file, PLENTY);
    other.keep(text("http://h/b", "words", NOW));
    assert!(other.copy("http://h/b").is_some());
    assert_eq!(one.said(), [""; 0]);
    assert!(file.with_file_name("pages.db-wal").exists(), "it is the other's");
    assert!(other.copy("http://h/b").is_some() && one.copy("http://h/b").is_some());
}

#[test]
fn the_database_of_another_program_is_left_alone() {
    for (made, version) in
        [("CREATE TABLE theirs(x);", 0), ("CREATE TABLE theirs(x);", 1), ("PRAGMA application_id = 7;", 0)]
    {
        let (_folder, file) = place();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let open = rusqlite::Connection::open(&file).unwrap();
        open.execute_batch(&format!("{made} PRAGMA user_version = {version};")).unwrap();
        drop(open);
        let octets = fs::read(&file).unwrap();
        let copy = Copy::of(&file, PLENTY);
        copy.keep(text("http://h/b", "words", NOW)).keep(text("http://h/c", "words", NOW));
        let said = copy.said();
        assert!(said.len() == 1 && said[0].contains("the database of another program"), "{said:?}");
        assert!(fs::read(&file).unwrap() == octets);
    }
}

#[test]
fn one_that_lacks_what_it_says_to_have_is_damaged() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW)).said();
    drop(copy);
    let open = rusqlite::Connection::open(&file).unwrap();
    open.execute_batch("DROP TABLE bodies").unwrap();
    drop(open);
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/b", "words", NOW));
    let said = copy.said();
    assert!(said.len() == 1 && said[0].contains("was damaged"), "{said:?}");
    assert!(copy.copy("http://h/b").is_some());
}

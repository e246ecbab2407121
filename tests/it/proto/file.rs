//! Files and folders of this machine.

use super::client::{Outcome, context, fetch, get, request};
use std::fs;
use std::path::Path;
use wayfarer::format::media;
use wayfarer::format::message::conversation::{Framed, framed};
use wayfarer::proto::{Kind, Request};
use wayfarer::url::escape;

fn url(path: &Path) -> String {
    format!("file://{}", escape::encode(path.as_os_str().as_encoded_bytes(), b"/"))
}

fn at(path: &Path) -> Outcome {
    get(&url(path))
}

/// The names of a listing.
fn names(outcome: &Outcome) -> Vec<String> {
    let lines = outcome.body.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    let name = |line: &[u8]| {
        let line = line.strip_suffix(b"\r").unwrap();
        let space = line.iter().position(|b| *b == b' ').unwrap();
        line[space + 1..].escape_ascii().to_string()
    };
    lines.map(name).collect()
}

#[test]
fn a_file_comes_with_its_type_and_length() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content, expected) in [
        ("a.txt", b"hello\n".as_slice(), "text/plain"),
        ("README", b"hello\n", "text/plain"),
        ("empty", b"", "text/plain"),
        ("a.html", b"<p>x", "text/html"),
        ("page", b"<!DOCTYPE HTML><p>x", "text/html"),
        ("run.sh", b"#!/bin/sh\necho\n", "text/plain"),
        ("a.json", b"{}", "text/plain"),
        ("a.bin", b"words\n", "text/plain"),
        ("a.bin", b"\0\x01", "application/octet-stream"),
        ("unknown", b"\0\x01", "application/octet-stream"),
        ("liar.txt", b"\0\0\0", "application/octet-stream"),
        ("a.png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("no name", b"\x1F\x8B\x08\0", "application/gzip"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let outcome = at(&path);
        assert_eq!((outcome.media(), outcome.body.as_slice(), outcome.cut()), (expected, content, None), "{name}");
        let head = outcome.head.unwrap();
        assert_eq!((head.length, head.filename.as_deref()), (Some(content.len() as u64), Some(name)));
    }
}

#[test]
fn a_large_file_comes_in_pieces_that_are_soon_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.txt");
    let content = b"0123456789abcde\n".repeat(100_000);
    fs::write(&path, &content).unwrap();
    let mut sizes = Vec::new();
    let outcome = super::client::watch(&request(&url(&path)), &context(), |event| {
        if let wayfarer::proto::FetchEvent::Body(octets) = event {
            sizes.push(octets.len());
        }
    });
    assert!(outcome.body == content);
    assert!(sizes.iter().all(|size| *size <= wayfarer::proto::MOST_OCTETS), "{sizes:?}");
    let mut context = context();
    context.limits.page = 100 * 1024;
    let outcome = fetch(&request(&url(&path)), &context);
    assert_eq!((outcome.body.len(), outcome.cut()), (100 * 1024, Some("cut at 100 KiB")));
}

#[test]
fn a_file_of_the_kernel_comes_though_it_says_zero() {
    let outcome = get("file:///proc/self/status");
    assert!(outcome.text().contains("Pid:"), "{:?}", outcome.failure);
    assert_eq!(outcome.head.unwrap().length, None);
}

#[test]
fn a_folder_gets_its_slash_and_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("sub")).unwrap();
    fs::write(path.join("file"), "12345").unwrap();
    let outcome = at(path);
    assert_eq!(outcome.media(), media::DIRECTORY);
    assert_eq!(outcome.head.as_ref().unwrap().url.as_str(), url(path) + "/");
    let text = outcome.text();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert!(lines[0].starts_with("type=dir;modify=2") && lines[0].ends_with("; sub"), "{text}");
    assert!(lines[1].starts_with("type=file;size=5;modify=2") && lines[1].ends_with("; file"), "{text}");
    assert!(lines[1].contains(";UNIX.mode=0"), "{text}");
    let with_slash = get(&(url(path) + "/"));
    assert_eq!(with_slash.head.unwrap().url.as_str(), url(path) + "/");
}

#[test]
fn names_come_in_natural_order_folders_first() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["file10", "file9", "File2", "apple", "Zoo", "file09", "1", "10", "2", ".hidden", "Ärger"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    for name in ["zz", "Aa"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let expected =
        ["Aa", "zz", ".hidden", "1", "2", "10", "apple", "File2", "file09", "file9", "file10", "Zoo", "\\xc3\\x84rger"];
    assert_eq!(names(&at(folder.path())), expected);
}

#[cfg(unix)]
#[test]
fn odd_names_and_links_come_as_they_are() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let odd: &[&[u8]] =
        &[b"latin \xE9", b"\x1b[2Jescape", b" leading", b"trailing ", b"semi;colon", b"tab\there", b"\xFF"];
    for name in odd {
        fs::write(path.join(OsStr::from_bytes(name)), "x").unwrap();
    }
    fs::write(path.join("line\nbreak"), "x").unwrap();
    fs::create_dir(path.join("sub")).unwrap();
    symlink("sub", path.join("to sub")).unwrap();
    symlink("/nowhere at all", path.join("dangling")).unwrap();
    symlink("a;b", path.join("semi link")).unwrap();
    let outcome = at(path);
    assert_eq!(outcome.cut(), Some("one name that holds a line break is left out"));
    let text = outcome.text();
    assert!(text.contains("type=OS.unix=slink:/nowhere at all;modify="), "{text}");
    assert!(text.contains("type=OS.unix=symlink;modify="), "{text}");
    let names = names(&outcome);
    assert_eq!(names[..2], ["sub", "to sub"], "a link to a folder stands among folders");
    for name in odd {
        assert!(names.contains(&name.escape_ascii().to_string()), "{names:?}");
        let outcome = at(&path.join(OsStr::from_bytes(name)));
        assert_eq!(outcome.text(), "x", "{:?}", outcome.failure);
    }
}

#[test]
fn a_folder_of_many_entries_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..5_000 {
        fs::write(folder.path().join(format!("n{n}")), "").unwrap();
    }
    let names = names(&at(folder.path()));
    assert_eq!(names.len(), 5_000);
    assert!(names.iter().enumerate().all(|(n, name)| *name == format!("n{n}")));
}

#[test]
fn what_is_not_there_or_no_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let missing = at(&folder.path().join("no/such/file"));
    assert_eq!(missing.failure().kind, Kind::NotFound);
    assert!(missing.failure().hint.as_deref().unwrap().ends_with(&folder.path().display().to_string()));
    let device = get("file:///dev/zero");
    assert_eq!(device.failure().kind, Kind::NoFile);
    assert!(device.words().contains("/dev/zero is a device"), "{}", device.words());
    fs::write(folder.path().join("file"), "").unwrap();
    let through = at(&folder.path().join("file/x"));
    assert_eq!(through.failure().kind, Kind::NotFound, "{}", through.words());
}

#[cfg(unix)]
#[test]
fn a_pipe_does_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    let outcome = at(&pipe);
    assert!(outcome.words().contains("a named pipe"), "{}", outcome.words());
    assert!(at(folder.path()).text().starts_with("type=OS.unix=fifo;"));
}

#[test]
fn other_hosts_are_refused_with_a_way_out() {
    let outcome = get("file://files.example.org/pub/a%20b");
    assert_eq!(outcome.failure().kind, Kind::Malformed);
    assert!(outcome.words().contains("ftp://files.example.org/pub/a%20b"), "{}", outcome.words());
    let folder = tempfile::tempdir().unwrap();
    let here = url(folder.path()).replace("file://", "file://localhost");
    assert_eq!(get(&here).media(), media::DIRECTORY);
}

const MAILBOX: &str = "From a@h Thu Jan  2 10:00:00 2025\nFrom: Ann <a@h>\nSubject: One\nMessage-ID: <1@h>\n\nFirst.\n\n\
                       From b@h Thu Jan  2 10:01:00 2025\nFrom: Bob <b@h>\nSubject: Two\nMessage-ID: <2@h>\n\n>From me.\n";

#[test]
fn messages_of_mailboxes_come_as_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my mail");
    fs::write(&path, MAILBOX).unwrap();
    let second = MAILBOX.find("From b@h").unwrap();
    let alone = folder.path().join("alone");
    fs::write(&alone, "From: C <c@h>\n\nThird.\n").unwrap();
    let mailbox = url(&path);
    let places = [0, second, 1].map(|at| format!("{mailbox}?message={at}"));
    let others = [url(&alone), url(&folder.path().join("gone")), url(folder.path()), "http://h/x".into()];
    let places: Vec<Vec<u8>> = places.into_iter().chain(others).map(String::into_bytes).collect();
    let wish =
        Request { conversation: Some(places.clone().into()), ..request(std::str::from_utf8(&places[0]).unwrap()) };
    let outcome = fetch(&wish, &context());
    assert_eq!((outcome.media(), outcome.cut()), (media::THREAD, None));
    let first: &[u8] = b"From: Ann <a@h>\nSubject: One\nMessage-ID: <1@h>\n\nFirst.\n";
    let two: &[u8] = b"From: Bob <b@h>\nSubject: Two\nMessage-ID: <2@h>\n\nFrom me.\n";
    let found =
        [Framed::Article(first), Framed::Article(two), Framed::Missing, Framed::Article(b"From: C <c@h>\n\nThird.\n")];
    let found = found.into_iter().chain([Framed::Missing, Framed::Missing, Framed::Missing]);
    let wanted: Vec<u8> = places.iter().zip(found).flat_map(|(place, found)| framed(place, found)).collect();
    assert_eq!(outcome.text(), format!("7\n{}", String::from_utf8(wanted).unwrap()));
}

#[test]
fn a_mailbox_is_a_group_and_its_messages_are_articles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my mail");
    fs::write(&path, MAILBOX).unwrap();
    let outcome = at(&path);
    assert_eq!((outcome.media(), outcome.cut()), (media::NEWSGROUP, None));
    let text = outcome.text();
    let links: Vec<&str> = text.lines().skip(1).map(|line| line.rsplit('\t').next().unwrap()).collect();
    let second = MAILBOX.find("From b@h").unwrap();
    assert_eq!(links, [format!("{}?message=0", url(&path)), format!("{}?message={second}", url(&path))]);
    let message = get(links[1]);
    assert_eq!(message.media(), media::MESSAGE);
    assert_eq!(message.text(), "From: Bob <b@h>\nSubject: Two\nMessage-ID: <2@h>\n\nFrom me.\n");
    for wrong in [1, second + 1, MAILBOX.len(), usize::MAX] {
        let words = get(&format!("{}?message={wrong}", url(&path))).words();
        assert!(words.contains("No message begins at octet"), "{wrong}: {words}");
    }
    // Asked for as text it is text, and so is what only begins like one.
    let mut plain = request(&url(&path));
    plain.media = Some("text/plain".into());
    assert_eq!(fetch(&plain, &context()).text(), MAILBOX);
    fs::write(&path, "From what I know\nthis is a letter.\n").unwrap();
    assert_eq!(at(&path).media(), media::PLAIN);
}

#[test]
fn a_maildir_is_a_group_and_its_files_are_messages() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("Mail Dir");
    for name in ["cur", "new"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    assert_eq!(at(&root).media(), media::DIRECTORY, "a folder of that name is still missing");
    fs::create_dir(root.join("tmp")).unwrap();
    fs::write(root.join("cur/17.M1.h:2,S"), "From: Ann <a@h>\nSubject: One\n\nx\n").unwrap();
    fs::write(root.join("new/18.M2.h"), "From: Bob <b@h>\nSubject: Two\n\nx\n").unwrap();
    fs::write(root.join("new/19.none"), "no header\n").unwrap();
    fs::write(root.join("tmp/20.half"), "Subject: half\n\nx\n").unwrap();
    let outcome = at(&root);
    assert_eq!(outcome.media(), media::NEWSGROUP);
    let text = outcome.text();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.iter().map(|row| row[1]).collect::<Vec<_>>(), ["One", "Two"], "{text}");
    let message = get(rows[0][8]);
    assert_eq!((message.media(), message.text().as_str()), (media::MESSAGE, "From: Ann <a@h>\nSubject: One\n\nx\n"));
    let mut listing = request(&url(&root));
    listing.media = Some(media::DIRECTORY.into());
    assert_eq!(fetch(&listing, &context()).media(), media::DIRECTORY);
}

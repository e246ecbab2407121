//! Archives of servers and of this machine, opened as directories.

use super::client::{Outcome, context, fetch, request};
use super::http::{answering, url};
use super::server::{Server, Step, send};
use crate::archive::made::{Zipped, ar, gzip, tar, tar_member, zip, zipped};
use std::fs;
use wayfarer::format::media;
use wayfarer::proto::{Context, Kind, Request};
use wayfarer::url::Url;
use wayfarer::url::scheme::archive::Archive as Named;

fn inside(file: &str, member: &str) -> Request {
    Request::new(Named::url(&Url::parse(file).unwrap(), member.as_bytes()).unwrap())
}

fn ok(body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn names(outcome: &Outcome) -> Vec<String> {
    let names = outcome.text();
    names.lines().map(|line| line.split_once("; ").unwrap().1.to_owned()).collect()
}

fn small() -> Vec<u8> {
    gzip(&tar(&[
        tar_member(b'0', "d/page.html", "", b"<a href=../top.txt>top</a> <a href=/top.txt>top</a>"),
        tar_member(b'0', "top.txt", "", b"top\n"),
        tar_member(b'0', "no/\x1b[2J", "", b"x"),
    ]))
}

#[test]
fn an_archive_of_a_server_is_walked_and_fetched_once() {
    let server = answering(ok(&small()));
    let (file, context) = (url(&server, "/x.tar.gz"), context());
    let root = fetch(&inside(&file, ""), &context);
    assert_eq!(
        (root.media(), names(&root).as_slice()),
        (media::DIRECTORY, ["d", "no", "top.txt"].map(String::from).as_slice())
    );
    assert_eq!(root.head().title.as_deref(), Some("x.tar.gz"));
    let folder = fetch(&inside(&file, "d"), &context);
    assert!(folder.head().url.as_str().ends_with("/d/"), "a folder gets its slash");
    let page = fetch(&inside(&file, "d/page.html"), &context);
    assert_eq!((page.media(), page.head().length, page.cut()), ("text/html", Some(51), None));
    assert_eq!(fetch(&inside(&file, "none"), &context).failure().kind, Kind::NotFound);
    let sent = server.line().to_lowercase();
    assert!(sent.starts_with("get /x.tar.gz http/1.1\r\n") && sent.matches("get ").count() == 1, "{sent}");
}

#[test]
fn a_bomb_on_its_way_is_refused_and_not_cut() {
    let bomb = zip(&[zipped("zeros", &vec![0; 140 << 20]), zipped("a", b"a")]);
    let server = answering(ok(&bomb));
    let outcome = fetch(&inside(&url(&server, "/x.zip"), "zeros"), &context());
    assert_eq!(outcome.failure().kind, Kind::TooLarge, "{}", outcome.words());
    assert!(outcome.end.is_none() && !outcome.body.is_empty());
}

#[test]
fn a_reload_fetches_it_again() {
    let visits = [zip(&[zipped("a", b"1")]), zip(&[zipped("a", b"2")])].map(|zip| vec![Step::Head, send(ok(&zip))]);
    let server = Server::start(visits.to_vec());
    let (file, context) = (url(&server, "/x.zip"), context());
    let again = Request { anew: true, ..inside(&file, "a") };
    let texts = [inside(&file, "a"), inside(&file, "a"), again].map(|request| fetch(&request, &context).text());
    assert_eq!(texts, ["1", "1", "2"]);
}

#[test]
fn archives_within_archives_open_to_a_depth() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.deb");
    fs::write(&path, ar(&[("data.tar.gz", &small())])).unwrap();
    let file = format!("file://{}", path.display());
    let data = inside(&file, "data.tar.gz").url;
    assert_eq!(fetch(&inside(data.as_str(), "top.txt"), &context()).text(), "top\n");
    let mut deep = Url::parse(file).unwrap();
    for _ in 0..5 {
        deep = Named::url(&deep, b"a").unwrap();
    }
    assert_eq!(fetch(&Request::new(deep), &context()).failure().kind, Kind::Unsafe);
}

#[test]
fn an_archive_of_this_machine_that_changes_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.zip");
    let (file, context) = (format!("file://{}", path.display()), context());
    for text in ["1", "two"] {
        fs::write(&path, zip(&[zipped("a", text.as_bytes())])).unwrap();
        assert_eq!(fetch(&inside(&file, "a"), &context).text(), text);
    }
}

#[test]
fn what_is_no_archive_or_too_large_fails_in_a_sentence() {
    let of = |answer: Vec<u8>, context: &Context| {
        let server = answering(answer);
        fetch(&inside(&url(&server, "/x.zip"), ""), context)
    };
    let small = Context { limits: wayfarer::config::Limits { memory: 10, ..context().limits }, ..context() };
    let lost = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec();
    for (answer, context, kind, says) in [
        (ok(b"<p>words"), context(), Kind::Malformed, "This is no archive"),
        (ok(&zip(&[zipped("a", b"1")])), small, Kind::TooLarge, "larger than 10"),
        (lost, context(), Kind::NotFound, "404"),
    ] {
        let outcome = of(answer, &context);
        assert_eq!(outcome.failure().kind, kind, "{}", outcome.words());
        assert!(outcome.words().contains(says), "{}", outcome.words());
    }
}

#[test]
fn where_an_archive_has_gone_its_member_is_looked_for() {
    let server = answering(b"HTTP/1.1 302 Found\r\nLocation: /y.zip\r\nContent-Length: 0\r\n\r\n");
    let file = url(&server, "/x.zip");
    let moved = fetch(&inside(&file, "d/a"), &context()).moved.unwrap();
    assert_eq!(moved.to, inside(&url(&server, "/y.zip"), "d/a").url.as_str());
}

#[test]
fn where_the_outermost_of_archives_has_gone_the_inner_ones_stay_between() {
    let server = answering(b"HTTP/1.1 302 Found\r\nLocation: /y.deb\r\nContent-Length: 0\r\n\r\n");
    let nested = |path: &str| inside(inside(&url(&server, path), "data.tar.gz").url.as_str(), "d/a");
    let moved = fetch(&nested("/x.deb"), &context()).moved.unwrap();
    assert_eq!(moved.to, nested("/y.deb").url.as_str());
}

#[test]
fn what_was_left_out_is_told_at_the_root_alone() {
    let names = ["../a", "/b", "d/../../c", "C:/d", "../e", "../f"];
    let bad: Vec<Vec<u8>> = names.iter().map(|name| tar_member(b'0', name, "", b"")).collect();
    let server = answering(ok(&tar(&[bad.concat(), tar_member(b'0', "d/x", "", b"x")])));
    let (file, context) = (url(&server, "/x.tar"), context());
    let said = "6 names are left out that would lead out of the archive or break a line: ../a, /b, d/../../c, C:/d, ../e and 1 more";
    assert_eq!(fetch(&inside(&file, ""), &context).head().notices, [said]);
    for below in ["d/", "d/x"] {
        assert!(fetch(&inside(&file, below), &context).head().notices.is_empty(), "{below}");
    }
}

#[test]
fn an_address_of_archives_in_archives_is_one_path() {
    let data = inside("http://h:8080/pub/x.deb", "data.tar.gz").url;
    for (url, said) in [
        (inside(data.as_str(), "usr/a b").url, "archive|http://h:8080|/pub/x.deb|/data.tar.gz/usr/a b"),
        (inside("file:///home/x.zip", "").url, "archive|file://|/home/x.zip|/"),
        (inside("http://h/get?f=/x.zip", "a").url, "archive|http://h|/get?f=/x.zip|/a"),
    ] {
        let parts = wayfarer::url::scheme::parts(&url);
        let texts: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(texts.join("|"), said);
    }
}

#[test]
fn names_in_another_charset_are_told_with_it() {
    let old = Zipped { name: b"\x81ber/a.txt".into(), host: 0, ..zipped("", b"1") };
    let server = answering(ok(&zip(&[old])));
    let (file, context) = (url(&server, "/x.zip"), context());
    let root = fetch(&inside(&file, ""), &context);
    assert_eq!(root.head().charset.as_deref(), Some("cp437"));
    let below = format!("{}%81ber/", inside(&file, "").url);
    let folder = fetch(&Request::new(Url::parse(below).unwrap()), &context);
    assert_eq!(folder.head().title.as_deref(), Some("x.zip: über"));
}

#[test]
fn an_address_of_an_archive_names_what_can_be_fetched() {
    for text in [
        "archive:///x",
        "archive://x/y",
        "archive://about%3Ahome/",
        "archive://mailto%3Aa%40b/",
        "archive://javascript%3Aalert/",
        "archive://http%3A%2F%2Fu%3Ap%40h%2Fx.zip/",
        "archive://u@http%3A%2F%2Fh%2Fx.zip/",
        "archive://http%3A%2F%2Fh%2Fx.zip/a%2fb",
        "archive://http%3A%2F%2Fh%2Fx.zip/a%00b",
        "archive://http%3A%2F%2Fh%3A25%2Fx.zip/",
    ] {
        assert!(wayfarer::url::scheme::plan(&Url::parse(text).unwrap()).is_err(), "{text}");
    }
}

/// A text called INDEX came once to be looked at, and once more to be read.
#[test]
fn what_only_has_the_name_of_a_listing_is_fetched_once() {
    let text = "What is new here, and what is not.\n";
    let server = Server::start(vec![vec![Step::Head, send(ok(text.as_bytes()))]]);
    let (file, context) = (url(&server, "/pub/INDEX"), context());
    assert_eq!(fetch(&inside(&file, ""), &context).failure().kind, Kind::Malformed);
    let as_text = || Request { media: Some(media::PLAIN.into()), ..Request::new(Url::parse(&*file).unwrap()) };
    let read = fetch(&as_text(), &context);
    assert_eq!((read.text().as_str(), read.media(), read.head().length), (text, media::PLAIN, Some(text.len() as u64)));
    assert_eq!(read.head().url.as_str(), file);
    // Whoever wants it again asks the server.
    assert!(fetch(&as_text(), &context).failure().kind != Kind::Malformed);
    assert_eq!(server.line().to_lowercase().matches("get ").count(), 1);
}

/// As much as a page may hold was kept beside the archives, for whoever might ask for it.
#[test]
fn only_what_is_short_is_put_by() {
    for (length, times) in [(4 << 20, 1), ((4 << 20) + 1, 2)] {
        let text = "x".repeat(length);
        let answer = || vec![Step::Head, send(ok(text.as_bytes()))];
        let server = Server::start(vec![answer(), answer()]);
        let (file, context) = (url(&server, "/pub/INDEX"), context());
        assert_eq!(fetch(&inside(&file, ""), &context).failure().kind, Kind::Malformed);
        let as_text = Request { media: Some(media::PLAIN.into()), ..Request::new(Url::parse(&*file).unwrap()) };
        assert_eq!(fetch(&as_text, &context).text().len(), length);
        if times == 1 {
            fetch(&as_text, &context);
        }
        assert_eq!(server.received().len(), 2, "{length}");
    }
}

const ROW: &str = "-rw-r--r-- 1 a b 5 Jan  1 1999";

#[test]
fn what_a_listing_names_is_on_the_server() {
    let text = format!("{ROW} top\nlrwxrwxrwx 1 a b 5 Jan  1 1999 out -> /etc\n\nMy Games/old:\n{ROW} doom #1;2\n");
    let server = answering(ok(&gzip(text.as_bytes())));
    let (file, context) = (url(&server, "/pub/ls-lR.gz"), context());
    let place = url(&server, "/pub/");
    let root = fetch(&inside(&file, ""), &context);
    assert_eq!(root.media(), media::DIRECTORY);
    assert!(root.text().starts_with(&format!("type=cdir;x.place={place}; .\ntype=dir; My Games\n")), "{}", root.text());
    let folder = fetch(&inside(&file, "My Games"), &context).text();
    assert!(folder.starts_with(&format!("type=cdir;x.place={place}My%20Games/; .\n")), "{folder}");
    let tree =
        |query: &str| fetch(&Request::new(Url::parse(format!("{}?{query}", inside(&file, "").url)).unwrap()), &context);
    let all = tree("tree");
    assert_eq!((all.text().lines().count(), all.head().title.as_deref()), (4, Some("ls-lR.gz, all below")));
    let found = tree("tree=DOOM%20games");
    assert_eq!((found.text().lines().count(), found.head().title.as_deref()), (2, Some("ls-lR.gz, DOOM games")));
    for (member, expected) in
        [("My Games/old/doom #1;2", "My%20Games/old/doom%20%231%3B2"), ("out", "out"), ("./top", "top")]
    {
        let moved = fetch(&inside(&file, member), &context).moved.unwrap();
        assert_eq!(moved.to, format!("{place}{expected}"));
    }
    for member in ["none", "top/"] {
        assert_eq!(fetch(&inside(&file, member), &context).failure().kind, Kind::NotFound, "{member}");
    }
    assert_eq!(server.line().to_lowercase().matches("get ").count(), 1);
}

#[test]
fn headings_say_where_the_tree_is() {
    for (file, listing, expected) in [
        // The listing's own directory: no heading, a dot, and one that lists itself.
        ("/pub/ls-lR", format!("{ROW} x\n\nd:\n"), "/pub/"),
        ("/pub/ls-lR", format!(".:\n{ROW} x\n\n./d:\n"), "/pub/"),
        ("/ls-lR.gz", format!("/home/ftp:\n{ROW} ls-lR\n"), "/"),
        ("/a/ls-lR", format!("/pub:\n{ROW} ls-lR\n"), "/a/"),
        // From the root of the server, where the listing lies above or below what it lists.
        ("/ls-lR", format!("/pub/games:\n{ROW} x\n"), "/pub/games/"),
        ("/pub/lists/ls-lR", format!("/pub:\n{ROW} x\n"), "/pub/"),
        ("/pub/ls-lR", format!("/:\n{ROW} x\n\n/d:\n{ROW} y\n"), "/"),
        // From a root that is not the server's.
        ("/pub/ls-lR", format!("/home/ftp/pub:\n{ROW} x\n"), "/pub/"),
        ("/pub/ls-lR", format!("/publication:\n{ROW} x\n"), "/pub/"),
        // Without a prefix: in the listing's directory, if it is not that very directory.
        ("/ls-lR", format!("pub:\n{ROW} x\n\npub/d:\n{ROW} y\n"), "/pub/"),
        ("/pub/ls-lR", format!("pub:\n{ROW} x\n\npub/d:\n{ROW} y\n"), "/pub/"),
        ("/pub;1/ls-lR", format!("{ROW} x\n"), "/pub%3B1/"),
    ] {
        let server = answering(ok(listing.as_bytes()));
        let root = fetch(&inside(&url(&server, file), ""), &context()).text();
        let place = format!("type=cdir;x.place={}; .", url(&server, expected));
        assert_eq!(root.lines().next(), Some(place.as_str()), "{file} {listing}");
    }
}

/// Links of the file system below a listing's folder may be as much somebody else's as the listing.
#[cfg(unix)]
#[test]
fn what_a_listing_of_this_machine_names_leads_out_of_its_folder_by_no_link() {
    let all = tempfile::tempdir().unwrap();
    let (folder, outside) = (all.path().join("mirror"), all.path().join("own"));
    fs::create_dir_all(folder.join("d")).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(folder.join("d/x"), "within\n").unwrap();
    fs::write(outside.join("secret"), "outside\n").unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("out")).unwrap();
    std::os::unix::fs::symlink("d/x", folder.join("in")).unwrap();
    let at = |name: &str| format!("file://{}/{name}", folder.display());
    let led = |name: &str| Request { led: Some(inside(&at("ls-lR"), "").url), ..request(&at(name)) };
    for within in ["d/x", "in"] {
        assert_eq!(fetch(&led(within), &context()).text(), "within\n", "{within}");
    }
    let real = format!("file://{}", outside.canonicalize().unwrap().display()).replace(' ', "%20");
    for (name, to) in [("out/secret", format!("{real}/secret")), ("out", real)] {
        let moved = fetch(&led(name), &context()).moved.expect("it is read without a question");
        let status = format!("a link leads out of {}, the folder of the listing", folder.display());
        assert_eq!((moved.to, moved.status), (to, status));
    }
    // A reader who goes there is led by nobody.
    assert_eq!(fetch(&request(&at("out/secret")), &context()).text(), "outside\n");
}

#[test]
fn a_listing_of_this_machine_names_what_is_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ls-lR");
    for listing in [format!("/etc:\n{ROW} x\n"), format!("{ROW} x\n"), format!("/:\n{ROW} x\n")] {
        fs::write(&path, listing).unwrap();
        let root = fetch(&inside(&format!("file://{}", path.display()), ""), &context()).text();
        assert!(root.starts_with(&format!("type=cdir;x.place=file://{}/; .\n", folder.path().display())), "{root}");
    }
    fs::write(&path, "no listing at all\n").unwrap();
    let failed = fetch(&inside(&format!("file://{}", path.display()), ""), &context());
    assert!(failed.words().contains(":as text"), "{}", failed.words());
}

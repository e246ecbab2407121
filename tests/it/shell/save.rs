//! `wayfarer save` with the real program: pages in one file, which opens again without a network.

use super::command_line::Place;
use super::web::Web;
use std::fs;

fn web() -> Web {
    Web::start(&[
        (
            "/d/",
            "200 OK\r\nSet-Cookie: secret=1",
            "<title>Start</title><a href=page>page</a> <a href=../moved>moved</a> <a href=gone>gone</a> <a href=http://h.invalid/>out</a>",
        ),
        ("/d/page", "200 OK", "<title>Page</title><a href=../d/>start</a><a href=deep>deep</a>"),
        ("/moved", "301 Moved Permanently\r\nLocation: /d/page2", ""),
        ("/d/page2", "200 OK", "two"),
        ("/d/deep", "200 OK", "deep"),
    ])
}

/// What the program prints, without a complaint.
fn prints(place: &Place, arguments: &[&str]) -> String {
    let (status, out, err) = place.run(arguments);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    out
}

#[test]
fn a_page_and_what_it_leads_to_open_again_from_one_file() {
    let web = web();
    let place = Place::new();
    for name in ["a.warc", "a.warc.gz", "a.mht"] {
        let (status, out, err) = place.run(&["save", "--depth", "1", &web.url("/d/"), "-o", name]);
        assert_eq!(status, 0, "{err}");
        assert!(out.contains(&format!("{name}: 3 pages and files")), "{out}");
        // Which they are.
        let named: Vec<&str> = out.lines().skip(1).map(str::trim).collect();
        assert_eq!(named, ["/d/", "/d/page", "/moved"].map(|path| web.url(path)), "{out}");
        assert_eq!(err, format!("wayfarer: {}: 404 Not Found\n", web.url("/d/gone")));
    }
    let asked = web.asked();
    assert!(!asked.contains(&"/d/deep".to_owned()), "no deeper than was said");
    assert_eq!(asked.iter().filter(|path| *path == "/robots.txt").count(), 3, "{asked:?}");
    drop(web);
    let file = format!("file://{}", place.path().join("a.warc").display());
    for name in ["a.warc", "a.warc.gz"] {
        let menu = prints(&place, &["--dump", "--links", name]);
        assert!(menu.contains("3 pages, of ") && menu.contains("/d/page2"), "{menu}");
    }
    let start = menu_link(&prints(&place, &["--links", "a.warc"]), "/2-d");
    let links = prints(&place, &["--links", &start]);
    let links: Vec<&str> = links.lines().collect();
    let inside = |link: &str| link.starts_with("archive://") && link.contains("a.warc/");
    assert!(inside(links[0]) && inside(links[1]), "{links:?}, {file}");
    assert!(links[2].starts_with("http://127.0.0.1") && links[3] == "http://h.invalid/", "{links:?}");
    assert!(prints(&place, &["--dump", links[1]]).contains("two"), "a redirect is followed in the file");
    let kept = fs::read_to_string(place.path().join("a.warc")).unwrap();
    assert!(!kept.contains("secret"), "{kept}");
    assert!(kept.contains("WARC-Block-Digest: sha256:") && kept.contains("WARC-Type: request\r\n"));
    let message = prints(&place, &["--dump", "a.mht"]);
    assert!(message.starts_with("Start\n") && message.contains("page moved gone out"), "{message}");
}

fn menu_link(links: &str, ends: &str) -> String {
    links.lines().find(|link| link.ends_with(ends)).unwrap_or_else(|| panic!("{links}")).to_owned()
}

#[test]
fn nothing_is_written_over_a_file_nor_of_what_is_not_there() {
    let web = web();
    let place = Place::new();
    place.write("there.warc", "mine");
    let fails = |page: &str, name: &str, status: i32, words: &str| {
        let (code, out, err) = place.run(&["save", &web.url(page), "-o", name]);
        assert_eq!((code, out.as_str()), (status, ""), "{err}");
        assert!(err.contains(words), "{err}");
    };
    fails("/d/", "there.warc", 1, "is there already; nothing was asked for");
    assert!(web.asked().is_empty());
    fails("/d/", "x.zip", 2, ".mht or .mhtml");
    fails("/none", "none.warc", 1, "404 Not Found; nothing was written");
    assert_eq!(fs::read(place.path().join("there.warc")).unwrap(), b"mine");
    let names: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name == "none.warc" || name == "x.zip"), "{names:?}");
}

//! Spaces in a file, opened: where they start, which bases their pages have, and what leads where.

use super::client::{Outcome, context, fetch};
use crate::archive::made::{Lead, epub, gzip, kept, response, zim};
use std::fs;
use wayfarer::format::media;
use wayfarer::proto::{Kind, Request};
use wayfarer::url::scheme::archive::Archive as Named;
use wayfarer::url::{BaseStack, Resolved, Url};

/// A file on this machine, and the URL of what is in it.
fn file(name: &str, octets: &[u8]) -> (tempfile::TempDir, Url) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, octets).unwrap();
    (folder, Url::parse(format!("file://{}", path.display())).unwrap())
}

fn get(file: &Url, member: &str) -> Outcome {
    fetch(&Request::new(Named::url(file, member.as_bytes()).unwrap()), &context())
}

/// Where a reference on a page leads.
fn leads(page: &Outcome, reference: &str) -> String {
    let within = page.head().within.clone().unwrap();
    let mut bases = BaseStack::retrieved(within.url.clone(), None);
    within.base.clone().into_iter().for_each(|base| bases.set_entity(base));
    within.siblings.clone().into_iter().for_each(|siblings| bases.set_siblings(siblings));
    match bases.resolve(reference) {
        Ok(Resolved::Url(url)) => url.to_string(),
        other => format!("{other:?}"),
    }
}

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1";

#[test]
fn what_was_kept_of_the_web_is_linked_within_its_file() {
    let records = [
        response("http://h", PAGE, b"old"),
        response("http://h/d/page", PAGE, b"<a href=../>up</a>"),
        response("http://h/d/gone", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html", b"<p>gone"),
        response("http://h/d/gone", PAGE, b"it was there"),
        response("http://h/there", "HTTP/1.1 301 Moved\r\nLocation: /d/page", b""),
        response("http://h/away", "HTTP/1.1 302 Found\r\nLocation: http://other/x", b""),
        kept("resource", "gopher://g/1/menu", "Content-Type: application/gopher-menu\r\n", b"ihello\t\t\t\r\n"),
    ];
    let (_folder, file) = file("x.warc.gz", &records.map(|record| gzip(&record)).concat());
    let root = get(&file, "");
    assert_eq!((root.media(), root.head().title.as_deref()), (media::GEMTEXT, Some("x.warc.gz")));
    assert!(root.text().contains("=> ./2-page 2024-02-03 04:05  http://h/d/page\n"), "{}", root.text());
    let page = get(&file, "2-page");
    assert_eq!((page.media(), page.head().charset.as_deref()), ("text/html", Some("latin1")));
    let base = page.head().within.as_ref().unwrap().base.clone().unwrap();
    assert_eq!((base.url.as_str(), base.from.as_str()), ("http://h/d/page", "WARC-Target-URI of record 2"));
    let member = |name: &str| Named::url(&file, name.as_bytes()).unwrap().to_string();
    for (reference, to) in [
        ("..", member("1-index")),
        ("page#x", format!("{}#x", member("2-page"))),
        ("gone", member("4-gone")),
        ("gopher://g/1/menu", member("7-menu")),
        ("other", "http://h/d/other".into()),
        ("https://h/d/page", "https://h/d/page".into()),
    ] {
        assert_eq!(leads(&page, reference), to, "{reference}");
    }
    assert_eq!(get(&file, "3-gone").head().status.as_deref(), Some("404 Not Found"));
    assert_eq!(get(&file, "5-there").moved.unwrap().to, member("2-page"));
    let away = get(&file, "6-away");
    assert!(away.moved.is_none() && away.text().ends_with("\n=> http://other/x\n"), "nobody is asked by opening it");
    assert_eq!(get(&file, "7-menu").media(), media::MENU);
}

#[test]
fn a_record_gives_no_base_on_this_machine() {
    let places = ["file:///etc/passwd", "about:home", "data:text/html,x", "archive://x/", "javascript:x", "no url"];
    let records = places.map(|place| response(place, PAGE, b"<a href=x>x</a>"));
    let (_folder, file) = file("x.warc", &records.concat());
    for number in 1..=places.len() {
        let name = get(&file, "").text();
        let name = name.lines().find_map(|line| line.strip_prefix(&format!("=> ./{number}-"))?.split(' ').next());
        let page = get(&file, &format!("{number}-{}", name.unwrap()));
        assert_eq!(page.head().within, None, "{number}");
    }
}

#[test]
fn an_encyclopaedia_opens_at_its_main_page() {
    let entries = [
        ("C/d/page", Lead::Octets(0, b"<a href=../main>m</a>")),
        ("C/main", Lead::Octets(0, b"<p>main")),
        ("W/mainPage", Lead::To(1)),
    ];
    let (_folder, file) = file("x.zim", &zim(&entries, u32::MAX, 5));
    let root = get(&file, "");
    assert_eq!((root.media(), root.text().as_str()), ("text/html", "<p>main"));
    assert_eq!(root.head().url, Named::url(&file, b"C/main").unwrap(), "its own address, for what is relative in it");
    assert_eq!(get(&file, "C/d/page").head().length, Some(21));
    assert_eq!(get(&file, "C").text(), "type=dir; d\ntype=file; main\n");
    assert_eq!(get(&file, "C/none").failure().kind, Kind::NotFound);
    assert_eq!(get(&file, "C/../../x").failure().kind, Kind::Unsafe);
}

#[test]
fn a_book_opens_at_its_contents_and_its_pages_are_xhtml() {
    let package = "<package><manifest><item id='n' properties='nav' href='nav.html' media-type='application/xhtml+xml'/></manifest></package>";
    let (_folder, file) =
        file("x.epub", &epub(package, &[("OPS/nav.html", "<html xmlns='http://www.w3.org/1999/xhtml'/>")]));
    let root = get(&file, "");
    assert_eq!(root.media(), media::XHTML);
    assert_eq!(root.head().url, Named::url(&file, b"OPS/nav.html").unwrap());
    let tree = Url::parse(format!("{}?tree", Named::url(&file, b"").unwrap())).unwrap();
    assert!(fetch(&Request::new(tree), &context()).text().contains("OPS/package.opf"));
}

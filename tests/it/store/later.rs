//! What is put by to be read later.

use super::*;

#[test]
fn what_was_put_by_in_a_database_of_before_is_in_the_file() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW)).said();
    drop(copy);
    let open = rusqlite::Connection::open(&file).unwrap();
    open.execute_batch(
        "CREATE TABLE later(place TEXT PRIMARY KEY, url TEXT NOT NULL, title TEXT NOT NULL, time INTEGER NOT NULL);
         INSERT INTO later VALUES('http://h/b', 'http://h/b', 'B', 6), ('http://h/a', 'http://h/a', 'A', 5);",
    )
    .unwrap();
    drop(open);
    let copy = Copy::of(&file, PLENTY);
    assert!(copy.copy("http://h/a").is_some());
    assert_eq!(copy.later(), ["http://h/a", "http://h/b"]);
    copy.put_by("http://h/a", NOW, true);
    drop(copy);
    assert_eq!(Copy::of(&file, PLENTY).later(), ["http://h/b"]);
}

#[test]
fn what_is_put_by_is_read_in_order() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    for (number, address) in ["gopher://h/0/b", "http://h/a", "gemini://h/c"].into_iter().enumerate() {
        copy.put_by(address, NOW + i64::try_from(number).unwrap(), false);
    }
    copy.put_by("http://h/a", NOW + 50, false);
    assert_eq!(copy.later(), ["gopher://h/0/b", "http://h/a", "gemini://h/c"]);
    copy.put_by("http://H:80/a#x", NOW, true);
    drop(copy);
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("gemini://h/c", "words", NOW));
    let all = copy.runtime.block_on(copy.store.later()).unwrap();
    assert_eq!(all.iter().map(|later| later.here).collect::<Vec<_>>(), [false, true]);
    assert_eq!(all[0].title, "title of gopher://h/0/b");
}

/// Behind a sweep of many pages it was not there when the reader left, and nobody said so.
#[test]
fn what_is_put_by_waits_for_nothing_that_is_done_with_the_database() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "one\n", NOW));
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    copy.store.keep(text("http://h/a", "two\none\n", NOW), move |_| wait.recv().unwrap());
    copy.put_by("http://h/a", NOW, false);
    assert!(fs::read_to_string(file.with_file_name("later")).unwrap().contains("http://h/a"));
    copy.put_by("http://h/b", NOW, false);
    copy.put_by("http://h/a", NOW, true);
    go_on.send(()).unwrap();
    assert_eq!(copy.later(), ["http://h/b"]);
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn what_a_page_links_to_stands_on_the_list_until_it_is_there_and_goes_with_the_page() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let later = |address: &str, wanted: Wanted, gone: bool| {
        let later = Later { url: url(address), title: "a title".into(), time: NOW, here: false, wanted, gone };
        let (told, answer) = std::sync::mpsc::channel();
        copy.store.put_by(later, move |done| told.send(done).unwrap());
        answer.recv_timeout(Duration::from_secs(60)).unwrap().unwrap();
    };
    let all = || {
        let all = copy.runtime.block_on(copy.store.later()).unwrap();
        all.into_iter().map(|later| (later.url.as_str().to_owned(), later.wanted)).collect::<Vec<_>>()
    };
    let row = |address: &str, wanted: Wanted| (address.to_owned(), wanted);
    let with = || Wanted::Beside(url("http://h/"));
    // Putting it by once more takes nothing away.
    later("http://h/", Wanted::Page, false);
    later("http://h/", Wanted::Links, false);
    later("http://h/", Wanted::Page, false);
    assert_eq!(all(), [row("http://h/", Wanted::Links)]);
    let links = ["http://h/a", "http://h/b", "http://h/c"].map(|link| Later {
        url: url(link),
        title: String::new(),
        time: NOW + 1,
        here: false,
        wanted: with(),
        gone: false,
    });
    copy.runtime.block_on(copy.store.put_linked(url("http://h/"), links.to_vec())).unwrap();
    let page = row("http://h/", Wanted::Page);
    assert_eq!(all(), [page.clone(), row("http://h/a", with()), row("http://h/b", with()), row("http://h/c", with())]);
    // One that the reader wants to read stays when its copy has come.
    later("http://h/a", Wanted::Page, false);
    later("http://h/a", with(), true);
    later("http://h/b", with(), true);
    assert_eq!(all(), [page, row("http://h/a", Wanted::Page), row("http://h/c", with())]);
    later("http://h/", Wanted::Links, true);
    assert_eq!(all(), [row("http://h/a", Wanted::Page)]);
}

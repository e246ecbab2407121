//! Bookmarks: keeping a page, the page of them, changing, ordering, importing and exporting.

use super::journey::{Journey, menu};
use wayfarer::app::{Effect, Kept, Known, Msg, NotWritten, Overlay};
use wayfarer::bookmarks::{Bookmark, Bookmarks, Change, folder};
use wayfarer::format::media;

fn mark(url: &str, title: &str, path: &str) -> Bookmark {
    Bookmark { url: url.into(), title: title.into(), folder: folder(path), ..Bookmark::default() }
}

fn some() -> Vec<Bookmark> {
    let mut c = mark("http://h/c", "Cee", "Web");
    (c.tags, c.note) = (vec!["blue".into()], "A note on it".into());
    vec![
        mark("http://h/a", "Aye", ""),
        mark("gopher://h/1/b", "", "Gopher"),
        c,
        mark("http://h/d", "Dee", "Web"),
        mark("http://h/e", "Eee", "Web/Deep"),
    ]
}

fn reader() -> Journey {
    let mut j = Journey::new();
    j.app.library.bookmarks = some().into_iter().collect();
    j
}

fn order(j: &Journey) -> Vec<String> {
    let last = |bookmark: &Bookmark| bookmark.url.rsplit('/').next().unwrap().to_owned();
    j.app.library.bookmarks.iter().map(last).collect()
}

fn keep(change: Change) -> Effect {
    Effect::Keep(Kept::Bookmarks(change))
}

#[test]
fn a_page_is_kept_with_title_folder_and_tags() {
    let j = Journey::new().open("http://me:geheim@h/page").answer(media::HTML, b"<title>Its\ntitle</title>x").keys("a");
    let j = j.keys("Tab Tab").text("News/Some where").keys("Tab").text("#one, two words").keys("Enter").free();
    let tags = vec!["one".into(), "two words".into()];
    let new = Bookmark { tags, ..mark("http://me@h/page", "Its title", "News/Some where") };
    let j =
        j.notes("put in News/Some where").expect(keep(Change::Insert { bookmarks: vec![new], before: None })).quiet();
    assert!(!j.app.library.bookmarks.write().contains("geheim"));
    // A second time it is that bookmark which is asked about.
    let j = j.keys("a C-e").text("!").keys("Enter").notes("the bookmark is changed");
    assert_eq!(j.app.library.bookmarks.iter().map(|b| b.title.as_str()).collect::<Vec<_>>(), ["Its title!"]);
    j.keys("a Esc").notes("nothing was changed").free();
}

#[test]
fn a_bookmark_that_will_not_be_kept_is_said_to_be_none_before_it_is_filled_in() {
    let title = |safe: bool| {
        let mut j = Journey::at(&["0|A|/a"]);
        j.choose(|choices| choices.safe = safe);
        let j = j.keys("a");
        match j.app.hands.overlays().last() {
            Some(Overlay::Form(form)) => form.title.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(title(false), "A new bookmark");
    assert_eq!(title(true), "A new bookmark, for this run (--safe)");
}

#[test]
fn an_address_that_is_none_is_told_and_the_form_stays() {
    let j = Journey::at(&["0|A|/a"]).keys("a Tab C-u").text("nonsense").keys("Enter").notes("the address:");
    j.keys("C-u").text("http://h/x").keys("Enter").free().notes("put among your bookmarks");
}

#[test]
fn a_link_is_kept_by_its_text() {
    let j = Journey::at(&["0|A text|/a"]).run("bookmark link").keys("Enter").free();
    assert_eq!(j.app.library.bookmarks.iter().next(), Some(&mark("gopher://h/0/a", "A text", "")));
}

#[test]
fn the_page_has_folders_that_close() {
    let j = reader().keys("B").at_url("about:bookmarks");
    let page = j.page();
    let places: Vec<usize> = [
        "5 bookmarks",
        "Aye",
        "Gopher  1",
        "gopher://h/1/b",
        "Web  3",
        "Cee  #blue",
        "A note",
        "Dee",
        "Deep  1",
        "Eee",
    ]
    .iter()
    .map(|words| page.find(words).unwrap_or_else(|| panic!("{words:?} is not in {page}")))
    .collect();
    assert!(places.is_sorted(), "{page}");
    let j = j.focus(0).keys("Down Down Down Enter").shows("Web  3 (");
    assert!(!j.page().contains("Dee"));
    j.keys("Enter").shows("Dee").keys("Down Enter").expect_fetch("http://h/c");
}

#[test]
fn typing_narrows_it() {
    let j = reader().keys("B &").text("#blue web").at_url("about:bookmarks?q=%23blue+web").shows("1 of 5 with");
    assert!(j.page().contains("Cee") && !j.page().contains("Dee"));
    j.keys("Esc").shows("Dee").at_url("about:bookmarks");
}

#[test]
fn a_bookmark_is_changed_and_moved() {
    let j = reader().keys("B").keys("Down Down Down Down").keys("M-Down");
    assert_eq!(order(&j), ["a", "b", "d", "c", "e"]);
    let (c, e) = (some()[2].clone(), some()[4].clone());
    let j = j.expect(keep(Change::Move { bookmark: c, before: Some(e) }));
    let j = j.keys("M-Down").notes("the last of its folder").keys("M-Up");
    assert_eq!(order(&j), ["a", "b", "c", "d", "e"]);
    let j = j.keys("M-Up").notes("the first of its folder").keys("e C-u").text("Sea").keys("Enter");
    let j = j.shows("Sea  #blue");
    let old = j.app.library.bookmarks.iter().nth(2).unwrap().clone();
    assert_eq!((old.title.as_str(), old.note.as_str()), ("Sea", "A note on it"));
}

#[test]
fn a_bookmark_is_deleted_and_comes_back() {
    let j = reader().keys("B").keys("x").notes("u brings it back");
    assert_eq!(order(&j), ["b", "c", "d", "e"]);
    let j = j.expect(keep(Change::Remove(some()[0].clone()))).keys("u").notes("is back").shows("Aye");
    assert_eq!(order(&j), ["a", "b", "c", "d", "e"]);
    j.keys("u").notes("no deleted bookmark is left to bring back");
    // A heading is no bookmark.
    reader().keys("B").keys("Down x").notes("no bookmark under focus").quiet();
}

#[test]
fn a_deleted_bookmark_comes_back_with_its_comments() {
    let file = "# mine\nversion = 1\n\n# the best of all\n[[bookmark]]\nurl = \"http://h/a\" # by heart\n\n[[bookmark]]\nurl = \"http://h/b\"\n";
    let mut j = Journey::new();
    j.app.library.bookmarks = Bookmarks::read(file).unwrap();
    let j = j.keys("B").keys("x");
    assert!(!j.app.library.bookmarks.write().contains("the best of all"));
    let j = j.keys("u").notes("is back");
    assert_eq!(j.app.library.bookmarks.write(), file);
    let change = j.effects.iter().find_map(|effect| match effect {
        Effect::Keep(Kept::Bookmarks(change @ Change::Restore { .. })) => Some(change.clone()),
        _ => None,
    });
    let mut on_disk = Bookmarks::read("version = 1\n\n[[bookmark]]\nurl = \"http://h/b\"\n").unwrap();
    on_disk.apply(&change.unwrap());
    assert!(on_disk.write().contains("# the best of all\n[[bookmark]]\nurl = \"http://h/a\" # by heart"));
}

#[test]
fn as_many_bookmarks_come_back_as_were_deleted() {
    let row = |name: &str| format!("\n# about {name}\n[[bookmark]]\nurl = \"http://h/{name}\" # {name} itself\n");
    let rows: String = ["a", "b", "c", "d"].map(row).concat();
    let file = format!("# mine\nversion = 1\n{rows}\n# the end\n");
    let mut j = Journey::new();
    j.app.library.bookmarks = Bookmarks::read(&file).unwrap();
    let j = j.keys("B").keys("Down x").keys("x").keys("Home x").keys("x").notes("u brings it back");
    assert!(order(&j).is_empty());
    let j = j.keys("u u").notes("is back").keys("u").notes("is back").keys("u").notes("is back");
    assert_eq!(j.app.library.bookmarks.write(), file);
    let j = j.keys("u").notes("no deleted bookmark is left to bring back");
    // The file goes the same way, whoever reads it between.
    let mut on_disk = file.clone();
    for effect in &j.effects {
        if let Effect::Keep(Kept::Bookmarks(change)) = effect {
            let mut bookmarks = Bookmarks::read(&on_disk).unwrap();
            bookmarks.apply(change);
            on_disk = bookmarks.write();
        }
    }
    assert_eq!(on_disk, file);
}

#[test]
fn what_takes_deletions_back_is_bounded() {
    let mut j = Journey::new();
    j.app.library.bookmarks = (0..300).map(|n| mark(&format!("http://h/{n}"), "", "")).collect();
    let mut j = j.keys("B");
    for _ in 0..300 {
        j = j.keys("x");
    }
    assert!(order(&j).is_empty());
    for _ in 0..300 {
        j = j.keys("u");
    }
    assert_eq!(order(&j.notes("no deleted bookmark is left to bring back")).len(), 200);
}

fn addresses(j: &Journey) -> Vec<String> {
    j.fetches.iter().map(|(_, request)| request.url.to_string()).collect()
}

#[test]
fn a_folder_opens_in_tabs() {
    let j = reader().keys("B").keys("Down Down Down T");
    assert_eq!(addresses(&j), ["http://h/c", "http://h/d", "http://h/e"], "with the folder in it");
    let j = j.notes("3 opened behind, tabs 2 to 4").at_url("about:bookmarks");
    assert_eq!((j.app.tab_at(), j.app.tab_count()), (0, 4));
    // In front it is the first one, and a folder that is closed opens as well.
    let j = reader().keys("B").keys("Down Down Down Enter").keys("t");
    assert_eq!((j.app.tab_at(), j.app.tab_count()), (1, 4));
    assert_eq!(addresses(&j.notes("3 opened, tabs 2 to 4")), ["http://h/c", "http://h/d", "http://h/e"]);
    // What is not shown is not opened.
    let j = reader().keys("B &").text("#blue").keys("Enter").keys("Home t");
    assert_eq!(addresses(&j), ["http://h/c"]);
    // Other folds are what they were.
    reader().keys("B").keys("t").expect_fetch("http://h/a");
}

#[test]
fn a_folder_of_many_asks_first() {
    let many = |count: usize| {
        let mut j = Journey::new();
        j.app.library.bookmarks = (0..count).map(|n| mark(&format!("http://h/{n}"), "", "All")).collect();
        j.keys("B")
    };
    assert_eq!(many(20).keys("T").app.tab_count(), 21);
    let asked = || many(21).keys("T").asks("Open 21 tabs, all of All?").quiet();
    assert_eq!(asked().keys("n").free().app.tab_count(), 1);
    let j = asked().keys("y").free();
    assert_eq!((j.app.tab_count(), addresses(&j).len()), (22, 21));
}

#[test]
fn a_bookmark_is_found_by_its_tags_at_the_address_prompt() {
    let j = reader().keys("g").text("#blu");
    let prompt = j.app.hands.prompt().unwrap();
    let rows: Vec<&str> = prompt.completions.iter().map(|row| row.text.as_str()).collect();
    assert_eq!(rows, ["http://h/c"]);
    assert_eq!(prompt.completions[0].title, "Cee #blue");
    j.keys("Tab Enter").expect_fetch("http://h/c");
}

#[test]
fn what_the_file_holds_is_shown_when_it_comes() {
    let j = Journey::new().keys("B").shows("There are none yet. a adds");
    let known = Known::Bookmarks(Box::new(some().into_iter().collect::<Bookmarks>()));
    let remark = Some("bookmarks.toml:3: odd".to_owned());
    let j = j.send(Msg::Known { known: known.clone(), remark }).shows("Dee").notes("bookmarks.toml:3");
    // The same again leaves the page as it is, folds and all.
    let j = j.keys("Down Enter").send(Msg::Known { known, remark: None });
    j.shows("Gopher  1 (1 more line");
}

#[test]
fn bookmarks_of_others_are_taken() {
    let file = b"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF='http://h/a'>A</A><DT><A HREF='http://h/new'>N</A>\
        <DT><A HREF='nothing'>x</A></DL>";
    let j = reader().run("bookmarks import ~/b.html").expect_read("~/b.html");
    let j = j.read(Ok(file.to_vec()));
    let j = j.notes("1 of 2 taken from a browser's bookmarks; the others were there already; 1 made no sense");
    assert_eq!(order(&j), ["a", "b", "c", "d", "e", "new"]);
    let j = j.run("bookmarks import x").read(Ok(b"place:sort=8\njavascript:x\nhttp://h/new\nhttp://h/f\n".to_vec()));
    let j = j.notes(
        "1 of 2 taken from a list of addresses; the others were there already; 2 lead nowhere (javascript:, place:)",
    );
    let j = j.run("bookmarks import x").read(Ok(b"place:sort=8\n".to_vec()));
    let j = j.notes("no bookmark is in it: 1 leads nowhere (place:).");
    let j = j.run("bookmarks import x").read(Ok(b"\n".to_vec())).notes("no bookmark is in it");
    j.run("bookmarks import x").read(Err("Cannot read x.".into())).notes("Cannot read x.");
    reader().run("bookmarks import").notes("bookmarks import FILE");
}

#[test]
fn bookmarks_are_written_for_others_and_nothing_is_replaced_unasked() {
    let j = reader().run("bookmarks export ~/urls.txt").notes("only the addresses");
    let content = b"http://h/a\ngopher://h/1/b\nhttp://h/c\nhttp://h/d\nhttp://h/e\n".to_vec();
    let j = j.expect_write("~/urls.txt", &content, false).wrote(Err(NotWritten::Exists("/home/me/urls.txt".into())));
    j.asks("/home/me/urls.txt").keys("r").expect_write("~/urls.txt", &content, true).quiet();
    reader().run("bookmarks export x.pdf").quiet().notes("The file's name says the kind");
}

#[test]
fn ten_thousand_bookmarks_are_one_page() {
    let mut j = Journey::new();
    let mark = |n: usize| mark(&format!("http://h/{n}"), &format!("Number {n}"), &format!("Folder {}", n % 50));
    j.app.library.bookmarks = (0..10_000).map(mark).collect();
    let j = j.keys("B").shows("10,000 bookmarks").shows("Number 9999");
    j.keys("&").text("number 77").shows("Number 7777");
}

#[test]
fn on_the_history_it_is_the_page_under_focus_that_is_kept() {
    let j = Journey::new().open("gopher://h/1/x").answer(media::MENU, &menu("h", &["0|A|/a"])).keys("C-h");
    let j = j.keys("a Enter");
    assert_eq!(j.app.library.bookmarks.iter().next(), Some(&mark("gopher://h/1/x", "", "")));
}

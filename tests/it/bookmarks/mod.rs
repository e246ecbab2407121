//! Bookmarks: their file, changes that can be made again, the formats of others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::random::search;
use proptest::prelude::*;
use wayfarer::bookmarks::{Bookmark, Bookmarks, Change, For, Found, Kind, Newer, folder};

fn mark(url: &str, title: &str, path: &str) -> Bookmark {
    Bookmark { url: url.into(), title: title.into(), folder: folder(path), ..Bookmark::default() }
}

fn urls(bookmarks: &Bookmarks) -> Vec<&str> {
    bookmarks.iter().map(|bookmark| bookmark.url.as_str()).collect()
}

const FILE: &str = "# About this file
version = 1

# the best
[[bookmark]]
url = \"gopher://h/1/a\" # short
title = 'A'

[[bookmark]]
  title = \"B\"   # kept
  url   = \"http://h/b\"
tags = [\"x\", \"y z\"]
folder = \"News/Servers\"
colour = \"red\"

# broken
[[bookmark]]
url = \"http://h/c
title = \"C\"

[[bookmark]]
url = \"ftp://h/d\"
folder = [\"a/b\", \"c\"]
note = \"words\"
# the end
";

#[test]
fn a_file_is_read_and_written_as_it_was() {
    let bookmarks = Bookmarks::read(FILE).unwrap();
    let read: Vec<Bookmark> = bookmarks.iter().cloned().collect();
    assert_eq!(read[0], mark("gopher://h/1/a", "A", ""));
    let b = Bookmark { tags: vec!["x".into(), "y z".into()], ..mark("http://h/b", "B", "News/Servers") };
    assert_eq!(read[1], b);
    assert_eq!(read[2].folder, ["a/b", "c"]);
    assert_eq!((read.len(), bookmarks.write().as_str()), (3, FILE));
}

#[test]
fn a_mistake_is_told_with_its_line_and_costs_only_its_bookmark() {
    let flaws = |text: &str| Bookmarks::read(text).unwrap().flaws().iter().map(ToString::to_string).collect::<Vec<_>>();
    let told = flaws(FILE);
    assert!(told.len() == 2 && told[0].starts_with("14: \"colour\"") && told[1].starts_with("18: "), "{told:?}");
    assert_eq!(flaws("[[bookmark]]\ntitle = \"x\"\n"), ["1: url = \"…\" is wanted"]);
    assert_eq!(flaws("\n\n[[bookmark]]\nurl = \"http://h/\"\ntags = \"x\"\n"), ["3: tags: a list of texts is wanted"]);
    let told = flaws("[[bookmark]]\nurl = \"no address\"\n");
    assert!(told[0].starts_with("1: url: "), "{told:?}");
    assert_eq!(Bookmarks::read("version = 2\n[[bookmark]]\n").unwrap_err(), Newer(2));
}

/// It was part of the row above, and went with it; at the beginning of the file nobody said a word of it.
#[test]
fn a_header_that_is_broken_is_told_and_its_row_goes_with_no_other() {
    for header in [
        "[[subscription]",
        "[subscription]]",
        "[subscription]",
        "[[subscriptions]]",
        "[[Subscription]]",
        "[[subs]] # x",
        "[[bookmark]]",
        "[[feed]]",
        "[[subscription",
    ] {
        let broken = format!("{header}\nurl = \"http://h/b\"\n");
        let text = format!("version = 1\n{broken}# of a\n[[subscription]]\nurl = \"http://h/a\"\n# of b\n{broken}");
        let mut list = Bookmarks::read_of(For::News, &text).unwrap();
        let told: Vec<usize> = list.flaws().iter().map(|flaw| flaw.line).collect();
        assert_eq!((urls(&list), told, list.write()), (vec!["http://h/a"], vec![2, 8], text.clone()), "{header}");
        let a = list.iter().next().unwrap().clone();
        list.apply(&Change::Remove(a));
        assert_eq!(list.write(), format!("version = 1\n{broken}# of b\n{broken}"), "{header}");
    }
    // Quotes and blanks are as good; a table within a row is that row's.
    for header in ["[[ subscription ]]", "[[\"subscription\"]]", "[[subscription]] # mine"] {
        let text =
            format!("{header}\nurl = \"http://h/a\"\n{header}\nurl = \"http://h/b\"\n[subscription.more]\nx = 1\n");
        let list = Bookmarks::read_of(For::News, &text).unwrap();
        assert_eq!((urls(&list).len(), list.flaws().len()), (2, 1), "{header}");
    }
}

#[test]
fn a_row_without_a_header_at_the_beginning_is_told() {
    let told = |text: &str| {
        let list = Bookmarks::read_of(For::News, text).unwrap();
        assert_eq!(list.write(), text);
        list.flaws().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let text = "version = 1\n\nurl = \"http://h/b\"\n[[subscription]]\nurl = \"http://h/a\"\n";
    assert_eq!(told(text), ["3: \"url\" stands above the first [[subscription]], and belongs below one"]);
    assert!(told("version = 1\nurl = \"http\n")[0].starts_with("2: "));
    assert_eq!(told("version = \"1\"\n"), ["1: version: a number is wanted"]);
    assert_eq!(told("# a word\nversion = 1\n"), [""; 0]);
}

#[test]
fn a_row_that_no_bookmark_has_is_told_and_costs_nothing() {
    let bookmarks = Bookmarks::read("[[bookmark]]\nurl = \"http://h/\" # x\ntitel = \"Two\"\n").unwrap();
    assert_eq!(urls(&bookmarks), ["http://h/"]);
    let told: Vec<String> = bookmarks.flaws().iter().map(ToString::to_string).collect();
    assert_eq!(told, ["3: \"titel\" is nothing that a bookmark has; did you mean \"title\"?"]);
}

#[test]
fn comments_behind_the_last_bookmark_and_between_two_outlive_the_one_above() {
    let text =
        "version = 1\n[[bookmark]]\nurl = \"http://h/a\"\n# of b\n\n[[bookmark]]\nurl = \"http://h/b\"\n\n# mine\n";
    let mut bookmarks = Bookmarks::read(text).unwrap();
    let old: Vec<Bookmark> = bookmarks.iter().cloned().collect();
    bookmarks.apply(&Change::Remove(old[0].clone()));
    assert_eq!(bookmarks.write(), "version = 1\n# of b\n\n[[bookmark]]\nurl = \"http://h/b\"\n\n# mine\n");
    bookmarks.apply(&Change::Remove(old[1].clone()));
    assert!(bookmarks.write().ends_with("# mine\n"), "{}", bookmarks.write());
    bookmarks.apply(&Change::Insert { bookmarks: old, before: None });
    assert!(bookmarks.write().ends_with("url = \"http://h/b\"\n# mine\n"), "{}", bookmarks.write());
}

#[test]
fn the_only_bookmark_comes_back_before_the_comments_behind_it() {
    let head = "# mine\nversion = 1\n\n";
    for (first, tail) in [("", "\n# to be sorted\n"), ("# of all\n", "# one\n\n# two"), ("", ""), ("", "# mine\n")] {
        let file = format!("{head}{first}[[bookmark]]\nurl = \"http://h/a\"\n{tail}");
        let mut bookmarks = Bookmarks::read(&file).unwrap();
        let only = bookmarks.iter().next().unwrap().clone();
        let back = bookmarks.restoring(&only);
        bookmarks.apply(&Change::Remove(only));
        // Each change is made on what the file holds then.
        let mut left = Bookmarks::read(&bookmarks.write()).unwrap();
        left.apply(&back);
        assert_eq!(left.write(), file);
    }
}

#[test]
fn a_change_leaves_comments_order_and_the_rest_alone() {
    let mut bookmarks = Bookmarks::read(FILE).unwrap();
    let old: Vec<Bookmark> = bookmarks.iter().cloned().collect();
    let new = Bookmark { title: "Bee".into(), tags: Vec::new(), ..old[1].clone() };
    assert_eq!(bookmarks.apply(&Change::Replace { old: old[1].clone(), new: new.clone() }), 1);
    let text = FILE.replace("\"B\"   # kept", "\"Bee\"   # kept").replace("tags = [\"x\", \"y z\"]\n", "");
    assert_eq!(bookmarks.write(), text);
    // The comment above a bookmark goes along with it.
    bookmarks.apply(&Change::Move { bookmark: old[0].clone(), before: Some(old[2].clone()) });
    assert_eq!(urls(&bookmarks), ["http://h/b", "gopher://h/1/a", "ftp://h/d"]);
    let written = bookmarks.write();
    assert!(written.contains("# the best\n[[bookmark]]\nurl = \"gopher://h/1/a\" # short"), "{written}");
    assert!(written.contains("url = \"http://h/c\n"), "what is broken stays: {written}");
    bookmarks.apply(&Change::Remove(old[0].clone()));
    assert_eq!(urls(&bookmarks), ["http://h/b", "ftp://h/d"]);
    let fresh = mark("http://h/new", "say \"hi\"", "a//b/");
    bookmarks.apply(&Change::Insert { bookmarks: vec![fresh.clone()], before: Some(new) });
    let again = Bookmarks::read(&bookmarks.write()).unwrap();
    assert_eq!(again.iter().next(), Some(&fresh));
    assert!(again.says_the_same(&bookmarks));
}

#[test]
fn a_change_is_made_again_on_what_somebody_else_wrote_meanwhile() {
    let ours = mark("http://h/a", "A", "x");
    let theirs = Bookmark { note: "theirs".into(), ..ours.clone() };
    let moved = mark("http://h/a", "A", "elsewhere");
    for there in [theirs, moved] {
        let mut file: Bookmarks = [mark("http://h/z", "", ""), there].into_iter().collect();
        assert_eq!(file.apply(&Change::Remove(ours.clone())), 1);
        assert_eq!(urls(&file), ["http://h/z"]);
        assert_eq!(file.apply(&Change::Remove(ours.clone())), 0, "it is gone already");
    }
}

#[test]
fn what_is_in_the_folder_already_is_not_added_again() {
    let mut bookmarks: Bookmarks = [mark("HTTP://h:80/a", "", "x")].into_iter().collect();
    let added = vec![mark("http://h/a", "", "x"), mark("http://h/a", "", "y"), mark("http://h/%61", "", "y")];
    assert_eq!(bookmarks.apply(&Change::Insert { bookmarks: added, before: None }), 1);
    assert!(bookmarks.of(&wayfarer::url::Url::parse("http://h/a").unwrap()).is_some());
}

/// What all formats can hold.
fn some() -> Vec<Bookmark> {
    vec![
        mark("gopher://gopher.floodgap.com/1/world", "Floodgap & <friends>", ""),
        mark("gopher://h:7070/0/a%20file", "A \"file\"", "Gopher"),
        mark("gopher://h/7/search%09words", "", "Gopher/Found"),
        mark("gophers://tls.example/1/", "TLS", "Gopher"),
        mark("http://h/?a=1&b=2#c", "Straße &amp; so", "Web"),
        mark("ftp://me@h/pub/;type=i", "Files", "Web"),
        mark("news:comp.lang.rust", "News", ""),
    ]
}

#[test]
fn every_format_comes_back_as_it_went() {
    let full: Vec<Bookmark> = some()
        .into_iter()
        .map(|b| Bookmark { tags: vec!["one".into(), "two words".into()], note: "a <note> & more".into(), ..b })
        .collect();
    let sorted = |mut all: Vec<Bookmark>| {
        all.sort_by(|a, b| a.url.cmp(&b.url));
        all
    };
    for (kind, name) in [
        (Kind::Browser, "~/bookmarks.html"),
        (Kind::Lynx, "lynx_bookmarks.html"),
        (Kind::Gophermap, "pub/gophermap"),
        (Kind::List, "urls.txt"),
        (Kind::Opml, "feeds.opml"),
        (Kind::Urls, "newsboat/urls"),
    ] {
        assert_eq!(Kind::of_name(name), Some(kind));
        let text = kind.write(full.iter());
        // A list with more on its lines reads as one without.
        let known = if kind == Kind::Urls { Kind::List } else { kind };
        assert_eq!(Kind::of_text(&text), known, "{text}");
        let Found { bookmarks: back, odd, .. } = kind.read(&text);
        let expected: Vec<Bookmark> = full
            .iter()
            .map(|b| match kind {
                Kind::Browser => b.clone(),
                Kind::Lynx => mark(&b.url, &b.title, ""),
                // A menu's item has to say something.
                Kind::Gophermap => mark(&b.url, if b.title.is_empty() { &b.url } else { &b.title }, ""),
                Kind::List => mark(&b.url, "", ""),
                Kind::Opml => {
                    let title = if b.title.is_empty() { &b.url } else { &b.title };
                    Bookmark { title: title.clone(), note: String::new(), ..b.clone() }
                }
                Kind::Urls => {
                    let folder = (!b.folder.is_empty()).then(|| b.folder.join("/"));
                    let tags = b.tags.iter().cloned().chain(folder).collect();
                    Bookmark { tags, ..mark(&b.url, &b.title, "") }
                }
            })
            .collect();
        assert_eq!((sorted(back.clone()), odd), (sorted(expected), 0), "{text}");
        assert_eq!(
            kind.write(back.iter()),
            kind.write(kind.read(&kind.write(back.iter())).bookmarks.iter()),
            "{kind:?}"
        );
    }
    assert_eq!(Kind::of_name("bookmarks.pdf"), None);
}

#[test]
fn what_browsers_and_lynx_wrote_is_read() {
    let firefox = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<!-- This is <A HREF=\"http://no/\"> -->\n<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>\n<DL><p>
    <DT><A HREF=\"http://h/one\" ADD_DATE=\"1\" ICON=\"data:image/png;base64,AA>A=\" TAGS=\"a,b\">One &#38; two</A>
    <DD>A note\n    <DT><H3 ADD_DATE=\"2\" PERSONAL_TOOLBAR_FOLDER=\"true\">Bar</H3>\n    <DD>About the folder\n    <DL><p>
        <DT><A HREF='javascript:alert(1)' >Script</A>\n        <DT><A HREF=\"/relative\">none</A>
        <DT><H3>Deep</H3>\n        <DL><p><DT><A HREF=http://me:geheim@h/two>Two</A></DL><p>
        <HR>\n    </DL><p>\n    <DT><A HREF=\"http://h/three\">http://h/three</A>\n</DL>";
    let Found { bookmarks: found, odd, refused, .. } = Kind::Browser.read(firefox);
    assert_eq!((odd, refused), (1, [("javascript".to_owned(), 1)].into()));
    let one =
        Bookmark { tags: vec!["a".into(), "b".into()], note: "A note".into(), ..mark("http://h/one", "One & two", "") };
    assert_eq!(found, [one, mark("http://me@h/two", "Two", "Bar/Deep"), mark("http://h/three", "", "")]);
    let lynx = "<head>\n<title>Bookmark file</title>\n</head>\n<p>You can delete links<br>\n<ol>\n\
        <LI><a href=\"gopher://h/1/x\">A menu</a>\n<LI><a href=\"http://h/\">Page</a>\n";
    assert_eq!(Kind::of_text(lynx), Kind::Lynx);
    assert_eq!(Kind::Lynx.read(lynx).bookmarks, [mark("gopher://h/1/x", "A menu", ""), mark("http://h/", "Page", "")]);
    let map = "Welcome\n\niinfo\tfake\t(NULL)\t0\r\n1Menu\t/x\th\t70\r\nhWeb\tURL:http://me:pw@h/\tx\t70\r\n0Odd\t/y\r\n.\r\n";
    assert_eq!(Kind::of_text(map), Kind::Gophermap);
    let Found { bookmarks: found, odd, .. } = Kind::Gophermap.read(map);
    assert_eq!((found, odd), (vec![mark("gopher://h/1/x", "Menu", ""), mark("http://me@h/", "Web", "")], 1));
    let list = "# mine\nhttp://h/a\n\nnonsense\ngopher://h/ With a title\n";
    assert_eq!(Kind::of_text(list), Kind::List);
    let Found { bookmarks: found, odd, .. } = Kind::List.read(list);
    assert_eq!((found, odd), (vec![mark("http://h/a", "", ""), mark("gopher://h/", "With a title", "")], 1));
}

#[test]
fn what_leads_nowhere_is_taken_from_no_format_and_is_counted() {
    for (kind, text) in [
        (Kind::List, "javascript:alert(1)\nPlace:sort=8&maxResults=10\nplace:x\nhttp://h/\n"),
        (
            Kind::Browser,
            "<DL><A HREF='javascript:alert(1)'>S</A><A HREF='place:sort=8'>R</A><A HREF='Place:x'>T</A><A HREF='http://h/'>H</A>",
        ),
        (
            Kind::Gophermap,
            "hS\tURL:javascript:alert(1)\tx\t70\nhR\tURL:place:sort=8\tx\t70\nhT\tURL:place:x\tx\t70\nhH\tURL:http://h/\tx\t70\n",
        ),
    ] {
        let found = kind.read(text);
        let urls: Vec<&str> = found.bookmarks.iter().map(|bookmark| bookmark.url.as_str()).collect();
        assert_eq!((urls, found.odd), (vec!["http://h/"], 0), "{kind:?}");
        assert_eq!(found.refusal().as_deref(), Some("3 lead nowhere (javascript:, place:)"), "{kind:?}");
    }
}

/// A line of 16 MB took gigabytes, then and at each start.
#[test]
fn of_tags_and_titles_of_others_no_more_is_taken_than_a_row_needs() {
    let (tags, long) = ("\"t\" ".repeat(1_000), "y".repeat(10_000));
    let found = Kind::Urls.read(&format!("http://h/a \"~{long}\" {tags}\nhttp://h/b {long} one\nhttp://h/c one\n"));
    let sizes: Vec<_> = found.bookmarks.iter().map(|row| (row.title.len(), row.tags.len())).collect();
    assert_eq!((sizes, found.trimmed, found.more), (vec![(1024, 32), (0, 1), (0, 1)], 2, false));
    let said = found.trimmed_sentence().unwrap();
    assert_eq!(said, "of 2 not all is taken (no more than 32 tags of 128 octets and a title of 1024)");
    let outlines = format!("<opml><body><outline xmlUrl='http://h/' category='{}'/></body></opml>", "t,".repeat(1_000));
    let found = Kind::Opml.read(&outlines);
    assert_eq!((found.bookmarks[0].tags.len(), found.trimmed), (32, 1));
    let found = Kind::Urls.read(&(0..10_001).map(|n| format!("http://h/{n}\n")).collect::<String>());
    assert_eq!((found.bookmarks.len(), found.more), (10_000, true));
}

#[test]
fn a_row_too_long_to_be_understood_is_told_and_stays_in_the_file() {
    let tags = "\"t\", ".repeat(20_000);
    let text = format!(
        "version = 1\n[[subscription]]\nurl = \"http://h/a\"\ntags = [{tags}]\n[[subscription]]\nurl = \"http://h/b\"\n"
    );
    let mut list = Bookmarks::read_of(For::News, &text).unwrap();
    assert_eq!(list.iter().map(|row| row.url.as_str()).collect::<Vec<_>>(), ["http://h/b"]);
    assert_eq!(list.flaws().iter().map(ToString::to_string).collect::<Vec<_>>(), ["2: this has more than 64 KiB"]);
    list.apply(&Change::Insert { bookmarks: vec![mark("http://h/c", "", "")], before: None });
    assert!(list.write().starts_with(&text));
}

#[test]
fn no_password_is_written_for_others() {
    let own = [mark("http://me:geheim@h/", "", "")];
    for kind in [Kind::Browser, Kind::Lynx, Kind::Gophermap, Kind::List, Kind::Opml, Kind::Urls] {
        assert!(!kind.write(own.iter()).contains("geheim"), "{kind:?}");
    }
}

/// Newsboat runs `exec:` and `filter:` lines, and looks `query:` up in other feeds.
#[test]
fn what_is_written_for_newsboat_holds_nothing_that_it_would_run() {
    let rows = ["exec:/tmp/evil.sh", "filter:/tmp/evil.sh:http://h/", "query:mine:unread = \"yes\"", "http://h/feed"];
    let rows: Vec<Bookmark> = rows.iter().map(|url| mark(url, "", "")).collect();
    assert_eq!(Kind::Urls.write(rows.iter()), "http://h/feed\n");
}

/// The tag `!` hides a feed from newsboat's list: a reader who took the file there and back saw them all.
#[test]
fn what_newsboat_hides_is_hidden_there_afterwards() {
    let Found { bookmarks, .. } = Kind::Urls.read("http://h/feed ! \"~A feed\" tag\n");
    assert_eq!(bookmarks[0].tags, ["!", "tag"]);
    let again = Kind::Urls.read(&Kind::Urls.write(bookmarks.iter())).bookmarks;
    assert_eq!(again, bookmarks);
}

/// `cat` of the file made the terminal obey them.
#[test]
fn a_menu_for_others_holds_no_controls_of_addresses() {
    for address in ["gopher://h/%1B%5B2J", "gopher://h/1/%1B%5B31m", "gopher://h/1/%E2%80%AEx", "gopher://h/1/%C2%9B"] {
        let menu = Kind::Gophermap.write([mark(address, "", "")].iter());
        assert!(!menu.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{menu:?}");
        let found = Kind::Gophermap.read(&menu).bookmarks;
        assert_eq!(found.iter().map(|bookmark| bookmark.url.as_str()).collect::<Vec<_>>(), [address]);
    }
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn any_text_is_read_by_any_format(text in "(<|>|/|&|;|=|\"|'|a|dl|dt|dd|h3| |href|\\PC|\n|\t){0,60}") {
        for kind in [Kind::Browser, Kind::Lynx, Kind::Gophermap, Kind::List, Kind::Opml, Kind::Urls, Kind::of_text(&text)] {
            kind.read(&text);
        }
        let bookmarks = Bookmarks::read(&text).unwrap();
        prop_assert!(bookmarks.iter().count() == 0);
    }

    #[test]
    fn a_file_says_what_was_put_into_it(
        rows in prop::collection::vec(("[a-z]{1,4}", "\\PC{0,8}", prop::collection::vec("[^/\\s][^/]{0,3}", 0..3), "\\PC{0,6}"), 0..8)
    ) {
        let all = rows.into_iter().map(|(page, title, folder, note)| Bookmark {
            url: format!("http://h/{page}"), title, folder, tags: vec![note.clone()], note });
        let all: Vec<Bookmark> = all.collect();
        let mut bookmarks = Bookmarks::default();
        bookmarks.apply(&Change::Insert { bookmarks: all, before: None });
        let again = Bookmarks::read(&bookmarks.write()).unwrap();
        prop_assert_eq!(again.flaws(), vec![]);
        prop_assert!(again.says_the_same(&bookmarks));
        prop_assert_eq!(again.write(), bookmarks.write());
    }
}

#[test]
fn what_a_terminal_would_obey_stands_in_the_file_by_its_number() {
    let odd = "a\u{9b}31m\u{202e}b\u{2066}\u{200f}\"\\ä";
    // A quotation mark and a backslash belong to no URL.
    let url = format!("http://h/{}", odd.replace(['"', '\\'], ""));
    let bookmark = Bookmark { folder: vec![odd.into()], note: odd.into(), ..mark(&url, odd, "") };
    let bookmarks: Bookmarks = [bookmark.clone()].into_iter().collect();
    let text = bookmarks.write();
    assert!(text.contains("a\\u009B31m\\u202Eb\\u2066\\u200F\\\"\\\\ä"), "{text}");
    assert!(!text.contains(['\u{9b}', '\u{202e}', '\u{2066}', '\u{200f}']), "{text:?}");
    assert_eq!(Bookmarks::read(&text).unwrap().iter().collect::<Vec<_>>(), [&bookmark]);
}

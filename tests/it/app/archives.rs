//! Archives as directories: Enter goes into them, `U` goes up and out again, links stay within. Listings of servers (`ls-lR`) are
//! trees whose files are on the server.

use super::journey::{Journey, head};
use wayfarer::app::{Effect, Msg};
use wayfarer::doc::LinkId;
use wayfarer::format::media;
use wayfarer::proto::{Again, FetchError, FetchEvent, Head, Kind, Moved, Verdict};
use wayfarer::url::Url;

const ROOT: &str = "archive://http%3A%2F%2Fh%2Fpub%2Fx.tar.gz/";

fn at_root() -> Journey {
    let j = Journey::new().open("http://h/pub/x.tar.gz");
    let j = j.event(FetchEvent::Head(Box::new(head("http://h/pub/x.tar.gz", "application/gzip"))));
    let refused = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Refuse, .. });
    assert!(j.effects.iter().any(refused), "{:?}", j.effects);
    let j = j.expect_fetch(ROOT);
    j.answer(media::DIRECTORY, b"type=dir; d\ntype=file;size=4; top.txt\n").at_url(ROOT)
}

#[test]
fn an_archive_opens_as_a_directory_and_up_leads_out_of_it() {
    let j = at_root().run("parent").expect_fetch("http://h/pub/");
    drop(j);
    let member = format!("{ROOT}d/page.html");
    let j = at_root().open(&member).answer(media::HTML, b"<a href=/top.txt>top</a><a href=../../../x>x</a>");
    let j = j.keys("Enter").expect_fetch(&format!("{ROOT}top.txt"));
    drop(j);
    let j = at_root().open(&member).answer(media::HTML, b"<a href=../../../x>x</a>").keys("Down Enter");
    j.expect_fetch(&format!("{ROOT}x")).answer(media::PLAIN, b"x").run("parent").expect_fetch(ROOT);
}

#[test]
fn a_page_of_the_network_that_leads_into_an_archive_of_this_machine_is_asked_about() {
    let local = "archive://file%3A%2F%2F%2Fhome%2Fx.zip/a";
    let page = format!("<a href='{local}'>x</a>");
    let asked = Journey::new().open("http://h/").answer(media::HTML, page.as_bytes()).quiet().keys("Down Enter");
    asked.quiet().asks("file of this machine");
    // Within one archive nobody is asked.
    let j = Journey::new().open("archive://file%3A%2F%2F%2Fhome%2Fx.zip/").answer(media::DIRECTORY, b"type=file; a\n");
    j.keys("Down Enter").expect_fetch(local);
}

#[test]
fn the_way_up_from_the_root_of_an_archive_is_not_what_is_saved() {
    // Focus is on `../`, which leads to the directory around the archive.
    let j = at_root().keys("M-d").expect_fetch(ROOT);
    assert!(j.over().contains(ROOT), "{}", j.over());
    let j = j.head(media::DIRECTORY).body(b"type=file;size=4; top.txt\n").end();
    // The archive itself may lie there as x.tar.gz.
    assert!(j.over().contains("into ~/Downloads/x\n"), "{}", j.over());
}

#[test]
fn the_way_up_from_an_archive_in_an_archive_is_not_what_is_saved() {
    let inner = "archive://archive%3A%2F%2Fhttp%253A%252F%252Fh%252Fx.deb%2Fdata.tar.xz/";
    let j = Journey::new().open(inner).answer(media::DIRECTORY, b"type=dir; usr\n");
    let outer = Url::parse("archive://http%3A%2F%2Fh%2Fx.deb/").unwrap();
    assert_eq!(wayfarer::url::scheme::up(&Url::parse(inner).unwrap()), Some(outer));
    drop(j.focus(0).keys("M-d").expect_fetch(inner));
}

#[test]
fn marked_rows_of_an_archive_are_saved_wherever_it_lies() {
    for place in
        ["file%3A%2F%2F%2Fhome%2Fx.zip", "http%3A%2F%2Fh%2Fx.zip", "https%3A%2F%2Fh%2Fx.zip", "ftp%3A%2F%2Fh%2Fx.zip"]
    {
        let lines = b"type=file;size=4; a\ntype=file;size=4; b\n";
        let j = Journey::new().open(&format!("archive://{place}/")).answer(media::DIRECTORY, lines).quiet();
        let over = j.run("mark-rows all").keys("d").over();
        assert!(over.contains("2 files, 8 B, into ~/Downloads/x"), "{place} {over}");
    }
}

#[test]
fn what_is_saved_of_an_archive_comes_in_its_order() {
    let j = at_root().keys("M-d").expect_fetch(ROOT).head(media::DIRECTORY);
    let lines = b"type=file;unique=0000000000000c00; a\ntype=OS.unix=slink:a;unique=0000000000000c00; l\n\
        type=file;unique=0000000000000200; b\ntype=file;unique=0000000000000600; c\n";
    let j = j.body(lines).end().keys("Enter");
    let paths = j.effects.iter().filter_map(|effect| match effect {
        Effect::Download { into, .. } => Some(into.path.as_str()),
        _ => None,
    });
    assert_eq!(paths.collect::<Vec<_>>(), ["b", "c", "a", "l"]);
}

#[test]
fn up_to_an_index_of_the_web_leads_to_the_link_that_one_came_from() {
    let page = b"<a href=/>home</a> <a href=a/>a</a> <a href=\"my%20b.txt\">my b</a> <a href=c/>c</a>";
    let j = Journey::new().open("http://h/d/my%20b.txt").answer(media::PLAIN, b"b\n").keys("U");
    j.expect_fetch("http://h/d/").answer(media::HTML, page).focus(2);
}

#[test]
fn up_leads_to_the_row_that_one_came_from() {
    let lists = |j: Journey, lines: &[u8]| j.answer(media::DIRECTORY, lines);
    let root = "archive://ftp%3A%2F%2Fh%2Fpub%2Fb%2520c.zip/";
    let j = lists(Journey::new().open(&format!("{root}d/e/")), b"type=file; x\n").focus(0);
    let j = lists(j.run("parent").expect_fetch(&format!("{root}d/")), b"type=dir; a\ntype=dir; e\n").focus(2);
    let j = lists(j.run("parent").expect_fetch(root), b"type=dir; d\ntype=file; e\n").focus(1);
    let j = j.run("parent").expect_fetch("ftp://h/pub/");
    let j = lists(j, b"type=file; a\ntype=file; b\ntype=file; b c.zip\n").focus(3);
    // Who moves on meanwhile stays there.
    let j = j.run("parent").head(media::DIRECTORY).body(b"type=dir; a\ntype=dir; b\ntype=dir; pub\n").keys("Down");
    j.end().focus(1);
}

#[test]
fn names_of_a_zip_of_dos_are_saved_as_they_are_read() {
    let root = "archive://http%3A%2F%2Fh%2Fx.zip/";
    let dos = || FetchEvent::Head(Box::new(Head { charset: Some("cp437".into()), ..head(root, media::DIRECTORY) }));
    let j = Journey::new().open(root).event(dos()).body(b"type=file; \x81ber.txt\n").end().shows("\u{fc}ber.txt");
    let mut j = j.keys("M-d").expect_fetch(root).event(dos()).body(b"type=file; \x81ber.txt\n").end().keys("Enter");
    let paths = |j: &Journey| j.prepared.last().map(|plan| plan.files[0].path.clone());
    assert_eq!(paths(&j).as_deref(), Some("\u{fc}ber.txt"));
    // Another charset may be chosen.
    j.app.desk.settings.charset.hosts.insert("http%3a%2f%2fh%2fx.zip".into(), "cp850".into());
    j.effects.clear();
    let j = j.open(root).event(dos()).body(b"type=file; \x9B.txt\n").end();
    j.shows("\u{f8}.txt");
}

/// The folder of a listing of a server: its files are there, its folders here.
const TREE: &str = "archive://ftp%3A%2F%2Fh%2Fpub%2Fls-lR.gz/";
const ROWS: &[u8] = b"type=cdir;x.place=ftp://h/pub/; .\ntype=dir; games\ntype=OS.unix=slink:games;x.inside=1; here\n\
    type=file;size=4; a:b #1.txt\ntype=OS.unix=slink:/x; out\n";

fn in_listing() -> Journey {
    let j = Journey::new().open("ftp://h/pub/ls-lR.gz");
    let j = j.event(FetchEvent::Head(Box::new(head("ftp://h/pub/ls-lR.gz", "application/gzip"))));
    j.expect_fetch(TREE).answer(media::DIRECTORY, ROWS).at_url(TREE)
}

#[test]
fn a_listing_of_a_server_opens_as_its_tree_and_files_lead_to_the_server() {
    let refs = |j: &Journey| {
        let document = j.app.entry().unwrap().document().unwrap();
        (0..document.link_count()).map(|at| document.reference(LinkId(at)).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let j = in_listing();
    assert_eq!(refs(&j), ["ftp://h/pub/", "?tree", "games/", "ftp://h/pub/a:b%20%231.txt", "here/", "ftp://h/pub/out"]);
    let j = j.run("find-link games").run("follow").expect_fetch(&format!("{TREE}games/"));
    let j = j.answer(media::DIRECTORY, b"type=cdir;x.place=ftp://h/pub/games/; .\ntype=file; foo.tar\n");
    let j = j.run("find-link foo").run("follow").expect_fetch("ftp://h/pub/games/foo.tar");
    let j = j.answer(media::PLAIN, b"x").run("back").at_url(&format!("{TREE}games/"));
    let j = j.run("parent").expect_fetch(TREE).answer(media::DIRECTORY, ROWS);
    j.run("parent").expect_fetch("ftp://h/pub/");
}

#[test]
fn all_of_a_listing_is_one_list_that_is_filtered_as_words_are_typed() {
    let j = in_listing().run("find-link one list").run("follow").expect_fetch(&format!("{TREE}?tree"));
    let j = j.answer(
        media::DIRECTORY,
        b"type=cdir;x.place=ftp://h/pub/; .\ntype=file;size=9; games/old stuff/doom.zip\ntype=file; x\n",
    );
    let j = j.keys("&").text("doom old").keys("Enter");
    let shown = j.page();
    assert!(shown.contains("doom.zip in games/old stuff\t") && !shown.contains("x\t"), "{shown}");
    let j = j.run("find-link doom").run("follow").expect_fetch("ftp://h/pub/games/old%20stuff/doom.zip");
    drop(j);
    // The same with the words in the address, from any folder of any archive.
    let j = in_listing().run("whole-tree doom & quake").expect_fetch(&format!("{TREE}?tree=doom%20%26%20quake"));
    j.answer(media::DIRECTORY, b"").run("parent").expect_fetch(TREE);
    at_root().run("whole-tree").expect_fetch(&format!("{ROOT}?tree"));
    Journey::new()
        .open("ftp://h/")
        .answer(media::DIRECTORY, b"type=file; a\n")
        .run("whole-tree")
        .quiet()
        .notes("ls-lR");
}

#[test]
fn a_listing_stays_a_text_for_who_wants_it_and_a_text_becomes_a_tree() {
    let j = in_listing().run("as text").expect_fetch("ftp://h/pub/ls-lR.gz");
    let j = j.event(FetchEvent::Head(Box::new(head("ftp://h/pub/ls-lR.gz", "application/gzip"))));
    let accepted =
        |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Accept, .. } | Effect::Parse { .. });
    assert!(j.effects.iter().any(accepted), "{:?}", j.effects);
    drop(j);
    let j = Journey::new().open("http://h/list").answer(media::PLAIN, b"./d:\n").run("as catalogue");
    drop(j.expect_fetch("archive://http%3A%2F%2Fh%2Flist/"));
    // Plain, by its name; but no page, and none of a space without directories.
    let opens = |of: &str, media: &str| {
        let j = Journey::new().open(of).event(FetchEvent::Head(Box::new(head(of, media))));
        j.fetches.last().unwrap().1.url.scheme() == "archive"
    };
    for (of, media, expected) in [
        ("http://h/ls-lR", media::PLAIN, true),
        ("http://h/ls-lR.gz", "application/gzip", true),
        ("http://h/ls-lR.gz", "text/plain", true),
        ("ftp://h/INDEX", media::PLAIN, true),
        ("ftp://h/find.txt.gz", "application/gzip", true),
        ("http://h/FILES", "text/html", false),
        ("http://h/ls-lR", "text/html", false),
        ("http://h/ls-lR.html", "text/plain", false),
        ("gopher://h/0/ls-lR", media::PLAIN, false),
    ] {
        assert_eq!(opens(of, media), expected, "{of} {media}");
    }
}

/// Many an INDEX is a text on something else.
#[test]
fn what_has_the_name_of_a_listing_and_is_none_is_shown_as_the_text_that_it_is() {
    const NONE: &str = "archive://ftp%3A%2F%2Fh%2Fpub%2FINDEX/";
    let no_listing = || FetchError::new(Kind::Malformed, "This is no archive.").hint(":as text shows it as it is.");
    let named = || {
        let j = Journey::new().open("ftp://h/pub/INDEX");
        let mut j = j.event(FetchEvent::Head(Box::new(head("ftp://h/pub/INDEX", media::PLAIN)))).expect_fetch(NONE);
        j.effects.clear();
        j
    };
    let j = named().fail(no_listing());
    let j = j.expect_fetch("ftp://h/pub/INDEX").answer(media::PLAIN, b"What is new\n").at_url("ftp://h/pub/INDEX");
    assert_eq!(j.app.tab.history.len(), 1);
    // Who asks for the tree there is told that there is none.
    let j = j.run("as catalogue").expect_fetch(NONE).fail(no_listing()).quiet().shows("This is no archive.");
    drop(j);
    // A server that is gone has said nothing of what is in it.
    named().fail(FetchError::new(Kind::Broken, "The server went away.")).quiet().at_url(NONE);
}

#[test]
fn a_listing_of_this_machine_names_files_beside_it_without_a_question() {
    let root = "archive://file%3A%2F%2F%2Fhome%2Fme%2Fls-lR/";
    let rows = |place: &str| format!("type=cdir;x.place={place}; .\ntype=file; a\n").into_bytes();
    let follow = |place: &str| {
        let j = Journey::new().open(root).answer(media::DIRECTORY, &rows(place));
        j.run("find-link a").keys("Down Down").run("follow")
    };
    drop(follow("file:///home/me/pub/").expect_fetch("file:///home/me/pub/a"));
    drop(follow("file:///home/you/").quiet().asks("file of this machine"));
    drop(follow("file:///home/me/../you/").quiet().asks("file of this machine"));
    // Where a link of the file system leads out of there the real place is asked about.
    let moved = Moved {
        from: Url::parse("file:///home/me/pub/a").unwrap(),
        to: "file:///etc/passwd".into(),
        status: "a link leads out of /home/me, the folder of the listing".into(),
        again: Again::Get,
        unkept: false,
    };
    let j = follow("file:///home/me/pub/").expect_fetch("file:///home/me/pub/a");
    assert_eq!(j.fetches.last().unwrap().1.led.as_ref().map(Url::as_str), Some(root));
    let asked = || follow("file:///home/me/pub/").event(FetchEvent::Moved(Box::new(moved.clone())));
    let j = asked().asks("a link leads out of /home/me").asks("file:///etc/passwd");
    j.send(Msg::Rest).keys("y").expect_fetch("file:///etc/passwd");
    drop(asked().send(Msg::Rest).keys("n").at_url(root));
    // A server's word is followed to no file.
    let server = Moved { from: Url::parse("http://h/").unwrap(), ..moved };
    drop(Journey::new().open("http://h/").event(FetchEvent::Moved(Box::new(server))).shows("that is not followed"));
}

#[test]
fn rows_of_a_listing_are_saved_from_the_server() {
    let j = in_listing().run("mark-rows *.txt").notes("1 row marked").keys("d");
    let j = j.keys("Enter");
    let from = |j: &Journey| {
        let request = |effect: &Effect| match effect {
            Effect::Download { request, .. } => Some(request.url.as_str().to_owned()),
            _ => None,
        };
        j.effects.iter().filter_map(request).collect::<Vec<_>>()
    };
    assert_eq!(from(&j), ["ftp://h/pub/a:b%20%231.txt"]);
    // A folder is read here, and its files come from there.
    let mut j = in_listing();
    j.effects.clear();
    let j = j.run("find-link games").run("download-tree").expect_fetch(&format!("{TREE}games/"));
    let j = j.head(media::DIRECTORY).expect_verdict(Verdict::Accept);
    let j = j.body(b"type=cdir;x.place=ftp://h/pub/games/; .\ntype=file;size=1; foo.tar\n").end().keys("Enter");
    assert_eq!(from(&j), ["ftp://h/pub/games/foo.tar"]);
}

#[test]
fn what_a_listing_sends_on_to_its_server_is_followed() {
    let from = Url::parse(format!("{TREE}x")).unwrap();
    for (to, expected) in [("ftp://h/pub/x", true), ("ftp://other/pub/x", false), ("file:///x", false)] {
        let moved =
            Moved { from: from.clone(), to: to.into(), status: "listed".into(), again: Again::Get, unkept: false };
        let j = Journey::new().open(from.as_str()).event(FetchEvent::Moved(Box::new(moved)));
        assert_eq!(j.fetches.last().unwrap().1.url.as_str() == to, expected, "{to}");
    }
}

#[test]
fn the_readme_of_a_folder_of_a_listing_comes_from_the_server() {
    let rows = b"type=cdir;x.place=ftp://h/pub/; .\ntype=dir; d\ntype=file; README\n";
    let at = |of: &str| Journey::new().open(of).answer(media::DIRECTORY, rows);
    drop(at(TREE).keys("v").expect_fetch("ftp://h/pub/README"));
    at(&format!("{TREE}?tree")).keys("v").quiet().notes("only directories have a README");
}

#[test]
fn a_plan_says_what_an_archive_says_of_all_of_it() {
    let j = at_root().keys("M-d").expect_fetch(ROOT);
    let mut head = head(ROOT, media::DIRECTORY);
    head.notices = vec!["2 members share octets with others.".into()];
    let j = j.event(FetchEvent::Head(Box::new(head))).body(b"type=file; a\ntype=file; b\n").end();
    assert!(j.over().contains("2 of unknown size") && j.over().contains("2 members share octets"), "{}", j.over());
}

//! Words in kept pages and in names of items, and what links to a page.

use super::*;

#[test]
fn words_are_found_in_pages_and_in_the_names_of_items() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let menu = "0The lantern of gopher\t/l\tother.example\t70\r\n1Caf\u{e9} menus\t/m\th\t70\r\n.\r\n";
    copy.keep(seen("gopher://h/1", media::MENU, menu, NOW));
    copy.keep(seen("http://h/a", media::HTML, "<title>Lantern</title><p>first<p>of a long night in Köln", NOW));
    copy.keep(text("gemini://g.example/b", "a lantern burns\nall night long\n", NOW));
    let (pages, items) = copy.find("lantern");
    assert_eq!(pages[0], "http://h/a", "a title counts for more");
    assert_eq!((pages.len(), items.as_slice()), (3, ["gopher://other.example/0/l".to_owned()].as_slice()));
    assert_eq!(copy.find("night lantern").0.len(), 2);
    assert_eq!(copy.find("night lantern host:G.example").0, ["gemini://g.example/b"]);
    assert_eq!(copy.find("\"long night\"").0, ["http://h/a"]);
    assert_eq!(copy.find("lantern kind:web").0, ["http://h/a"]);
    assert_eq!(copy.find("lantern kind:gopher").1, ["gopher://other.example/0/l"]);
    assert_eq!(copy.find("kind:gemini"), (vec!["gemini://g.example/b".to_owned()], vec![]));
    assert_eq!((copy.find("lantern since:7d").0.len(), copy.find("lantern before:2000").0.len()), (3, 0));
    copy.keep(text("gemini://g.example/old", "a lantern of old\n", NOW - 400 * 86_400));
    assert_eq!(copy.find("lantern kind:gemini before:100d").0, ["gemini://g.example/old"]);
    assert_eq!(copy.find("host:g.example").0, ["gemini://g.example/b", "gemini://g.example/old"]);
    assert_eq!((copy.find("koln").0.len(), copy.find("cafe").1.len(), copy.find("lant").1.len()), (1, 1, 1));
    let found =
        copy.runtime.block_on(copy.store.find(Sought { words: "LONG night köln".into(), most: 50, now: NOW })).unwrap();
    assert_eq!(found.pages[0].context, "of a long night in Köln");
    copy.keep(text("http://h/other", "a title, or near it\n", NOW));
    let all = copy.find("lantern").0;
    assert_eq!(all.len(), 4);
    for hostile in ["\"", "a AND", "(", "title:", "*", "-", "NEAR(", "\" OR \"", "' OR 1=1 --", "\0", "{x}:y", "^"] {
        let found = copy.find(&format!("lantern {hostile}")).0;
        assert!(found.iter().all(|url| all.contains(url)), "{hostile}: {found:?}");
    }
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn a_host_is_meant_with_the_port_that_is_said_and_with_any_where_none_is() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let menu = "0Lantern shop\t/s\texample.org\t7070\r\n.\r\n";
    copy.keep(seen("gopher://h/1", media::MENU, menu, NOW));
    for (n, address) in
        ["gopher://example.org:7070/0/a", "gopher://example.org/0/b", "http://example.org:707/c", "http://o:7070/d"]
            .into_iter()
            .enumerate()
    {
        copy.keep(text(address, "a lantern\n", NOW - i64::try_from(n).unwrap()));
    }
    let (pages, items) = copy.find("lantern host:Example.org:7070");
    assert_eq!(pages, ["gopher://example.org:7070/0/a"]);
    assert_eq!(items, ["gopher://example.org:7070/0/s"]);
    assert_eq!(copy.find("host:example.org:7070").0.len(), 1, "also without a word");
    assert_eq!(copy.find("lantern host:example.org:707").0, ["http://example.org:707/c"]);
    assert_eq!(copy.find("lantern host:example.org").0.len(), 3);
    // The port of the scheme need not be written.
    assert_eq!(copy.find("lantern host:example.org:70").0, ["gopher://example.org/0/b"]);
    assert_eq!(copy.find("lantern host:example.org:80").0, [""; 0]);
    assert_eq!(copy.find("lantern host:h:70").0, ["gopher://h/1"]);
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn of_very_many_that_have_a_word_the_newest_are_put_in_order() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let many: String = (0..2_100).map(|n| format!("0A lantern of number {n}\t/{n}\th\t70\r\n")).collect();
    // The first has the word and nothing else, and would be the best of all.
    let (first, last) = ("0Lantern\t/first\told.example\t70\r\n", "0Lanterns\t/last\th\t70\r\n");
    copy.keep(seen("gopher://h/1", media::MENU, format!("{first}{many}{last}.\r\n"), NOW));
    let found = copy.find("lantern").1;
    assert_eq!(found.len(), 50);
    assert!(!found.contains(&"gopher://old.example/0/first".into()), "{found:?}");
    assert_eq!(copy.find("lantern host:old.example").1, ["gopher://old.example/0/first"]);
    assert_eq!(copy.find("number 77 lantern").1, ["gopher://h/0/77"]);
    // Of a word that is everywhere there are no longer ones; of another there are.
    assert_eq!(copy.find("lantern host:h").1.iter().filter(|url| url.ends_with("/last")).count(), 0);
    assert_eq!(copy.find("lanterns").1, ["gopher://h/0/last"]);
    assert_eq!((copy.find("lanter").1.len(), copy.find("la").1.len()), (50, 0));
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn words_of_scripts_without_blanks_are_found_amid_a_sentence() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let menu = "0\u{65b0}\u{6771}\u{4eac}\u{99c5}\t/e\th\t70\r\n.\r\n";
    copy.keep(seen("gopher://m/1", media::MENU, menu, NOW));
    copy.keep(text("http://h/ja", "first\nきのう東京都へ行きました。Rustで書く\n", NOW));
    copy.keep(text("http://h/zh", "我在北京大学学习\n", NOW));
    copy.keep(text("http://h/ko", "어제서울에서 만났다\n", NOW));
    copy.keep(text("http://h/th", "ฉันอยู่กรุงเทพมหานคร\n", NOW));
    for (words, pages) in [
        ("東京", ["http://h/ja", "gopher://m/1"].as_slice()),
        ("東京都", &["http://h/ja"]),
        ("京東", &[]),
        ("行き 東京", &["http://h/ja"]),
        ("Rustで", &["http://h/ja"]),
        ("rust", &["http://h/ja"]),
        ("北京", &["http://h/zh"]),
        ("大", &["http://h/zh"]),
        ("서울", &["http://h/ko"]),
        ("กรุงเทพ", &["http://h/th"]),
    ] {
        let mut found = copy.find(words).0;
        found.sort_by_key(|url| !url.starts_with("http"));
        assert_eq!(found, pages, "{words}");
    }
    assert_eq!(copy.find("東京").1.len(), 1, "in the names of items");
    let sought = Sought { words: "東京".into(), most: 50, now: NOW };
    let found = copy.runtime.block_on(copy.store.find(sought)).unwrap();
    assert!(found.pages.iter().any(|row| row.context == "きのう東京都へ行きました。Rustで書く"), "{found:?}");
    assert_eq!(found.alone, [""; 0]);
    copy.store.finish_within(PATIENCE);
    // Before, such a line was one word of the index: so it is found as it was, and amid the line when it has been read again.
    let open = rusqlite::Connection::open(&file).unwrap();
    let old = "DELETE FROM words; INSERT INTO words(rowid, title, text) SELECT id, '', '東京都へ行きました' FROM pages WHERE host = 'm'";
    open.execute_batch(old).unwrap();
    drop(open);
    assert_eq!(copy.find("東京").0, ["gopher://m/1"]);
    assert_eq!(copy.find("東京 行き").0, [""; 0]);
    copy.keep(seen("gopher://m/1", media::MENU, format!("i東京都へ行きました\tx\th\t70\r\n{menu}"), NOW));
    assert_eq!(copy.find("東京 行き").0, ["gopher://m/1"]);
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn what_links_to_a_page_is_found_by_any_form_of_its_address() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let linking = |to: &str| -> Vec<String> {
        let rows = copy.runtime.block_on(copy.store.linking(url(to), 50)).unwrap();
        rows.into_iter().map(|row| row.url).collect()
    };
    assert_eq!(linking("http://to.example/"), [""; 0]);
    let to = "<title>x</title><base href=http://to.example/dir/><a href=../page#part>a</a><a href=../page>twice</a>";
    copy.keep(seen("http://to.example/", media::HTML, to, NOW));
    copy.keep(seen("gemini://far.example/", media::GEMTEXT, "=> http://TO.example:80/page words\n=> / self\n", NOW));
    let menu = "hpage\tURL:http://to.example/page\tx\t70\r\n1dir\t/page\tto.example\t70\r\n.\r\n";
    copy.keep(seen("gopher://menu.example/1", media::MENU, menu, NOW));
    copy.keep(text("http://no.example/", "no links", NOW));
    let all = ["gopher://menu.example/1", "gemini://far.example/", "http://to.example/"];
    assert_eq!(linking("http://to.example/page#other"), all, "other hosts first, then the newest");
    assert_eq!(linking("gopher://to.example/1/page"), ["gopher://menu.example/1"]);
    assert_eq!(linking("gemini://far.example/"), [""; 0], "a page that links to itself says nothing new");
    // What a page has lost is found no more, and what is forgotten neither.
    copy.keep(seen("gopher://menu.example/1", media::MENU, "1dir\t/page\tto.example\t70\r\n.\r\n", NOW));
    assert_eq!(linking("http://to.example/page"), all[1..]);
    copy.store.forget(&Forget::Host("far.example".into()), drop);
    assert_eq!(linking("http://to.example/page"), all[2..]);
    assert_eq!(copy.said(), [""; 0]);
}

#[test]
fn links_without_end_are_bounded_and_of_many_pages_the_newest_are_looked_at() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let many: String = (0..5_000).map(|n| format!("=> http://h/{n}\n")).collect();
    copy.keep(seen("gemini://many.example/", media::GEMTEXT, many, NOW));
    for n in 0..300 {
        copy.keep(seen(&format!("gemini://g/{n}"), media::GEMTEXT, "=> http://h/1999 x\n=> http://u:p@h/1998\n", NOW));
    }
    let linking = |to: &str| copy.runtime.block_on(copy.store.linking(url(to), 1_000)).unwrap();
    assert_eq!((linking("http://h/7").len(), linking("http://h/2000").len()), (1, 0));
    let rows = linking("http://h/1999");
    assert_eq!((rows.len(), rows[0].url.as_str()), (200, "gemini://g/299"));
    assert_eq!(linking("http://h/1998").len(), 1, "an address with a user in it is nobody else's");
}

#[test]
fn one_of_before_gets_what_makes_answers_come_sooner() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(seen("gopher://h/1", media::MENU, "0Lantern\t/l\tother.example\t70\r\n.\r\n", NOW)).said();
    drop(copy);
    let indexes = || -> Vec<String> {
        let open = rusqlite::Connection::open(&file).unwrap();
        let mut rows = open.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let all = indexes();
    let open = rusqlite::Connection::open(&file).unwrap();
    open.execute_batch("DROP INDEX items_by_host; DROP INDEX pages_by_scheme; PRAGMA user_version = 1;").unwrap();
    drop(open);
    let copy = Copy::of(&file, PLENTY);
    assert_eq!(copy.find("lantern host:other.example").1, ["gopher://other.example/0/l"]);
    assert_eq!(copy.said(), [""; 0]);
    drop(copy);
    assert_eq!(indexes(), all);
}

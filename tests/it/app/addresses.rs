//! The address prompt: what is typed is compared with what is known, explained before Enter, and short for more.

use super::journey::Journey;
use wayfarer::app::{Completion, Meaning, Msg, Origin, PromptKind, Remembered};
use wayfarer::bookmarks::Bookmarks;
use wayfarer::config;
use wayfarer::format::media;
use wayfarer::visits::Visit;

/// The addresses that are offered; searches for what was typed come behind them.
fn rows(j: &Journey) -> &[Completion] {
    let rows = &j.app.hands.prompt().unwrap().completions;
    &rows[..rows.iter().position(|row| row.origin == Some(Origin::Search)).unwrap_or(rows.len())]
}

/// The texts offered and where they are from.
fn offered(j: &Journey) -> Vec<(&str, &str)> {
    rows(j).iter().map(|row| (row.text.as_str(), row.origin.map_or("", Origin::word))).collect()
}

/// What the text means, in one line.
fn means(j: &Journey) -> String {
    match &j.app.hands.prompt().unwrap().meaning {
        None => String::new(),
        Some(Meaning::Url { parts, note }) => {
            let parts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
            format!("{} ({})", parts.join(" "), note.as_deref().unwrap_or_default())
        }
        Some(Meaning::Here(text)) => format!("here: {text}"),
        Some(Meaning::Nothing(why)) => format!("nothing: {why}"),
    }
}

/// A browser whose reader typed these addresses before, the last one last.
fn knowing(addresses: &[&str]) -> Journey {
    let mut j = Journey::new();
    j.remember_words(PromptKind::Open, addresses);
    j
}

#[test]
fn a_line_typed_before_the_program_had_the_terminal_is_entered() {
    // Its Enter came as the end of a line, which is C-j.
    Journey::new().keys("g").text("gopher://h/").keys("C-j").expect_fetch("gopher://h/").free();
    Journey::at(&["0|A text|/a"]).keys("C-j").expect_fetch("gopher://h/0/a");
}

#[test]
fn letters_in_order_find_an_address_and_scattered_ones_do_not() {
    let known =
        ["gopher://gopher.floodgap.com/", "http://barbecue.example/passport", "https://www.rust-lang.org/learn"];
    let found = |typed: &str| {
        let j = knowing(&known).keys("g").text(typed);
        let texts = rows(&j).iter().filter(|row| row.origin == Some(Origin::Typed)).map(|row| row.text.clone());
        texts.collect::<Vec<_>>()
    };
    assert_eq!(found("gfc"), [known[0]], "initials");
    assert_eq!(found("FLOODGP"), [known[0]], "a letter left out, whatever the case");
    assert_eq!(found("rust"), [known[2]], "letters somewhere in an address are not meant");
    assert_eq!(found("learn lang"), [known[2]], "words in any order");
    assert_eq!(found("learn floodgap"), [""; 0], "all of the words");
    assert_eq!(found(""), [known[2], known[1], known[0]], "the newest first");
}

#[test]
fn a_completion_knows_which_letters_were_typed() {
    let j = knowing(&["gopher://gopher.floodgap.com/"]).keys("g").text("flood gap");
    assert_eq!(rows(&j)[0].matched, (16..24).collect::<Vec<_>>());
    let j = knowing(&["gopher://h/"]).keys(":").text("open h/");
    assert_eq!((rows(&j)[0].text.as_str(), &rows(&j)[0].matched[..]), ("open gopher://h/", &[14, 15][..]));
}

#[test]
fn a_title_finds_its_page_and_goes_with_it() {
    let page = b"<title>The Tea Page</title><p>x";
    let mut j = Journey::new().open("http://h/42").answer(media::HTML, page);
    j.remember_words(PromptKind::Open, &["h/42"]);
    let j = j.keys("g").text("tea");
    assert_eq!(offered(&j), [("http://h/42", "visited")], "typed without its scheme it is the same");
    assert_eq!((rows(&j)[0].title.as_str(), &rows(&j)[0].matched_title[..]), ("The Tea Page", &[4, 5, 6][..]));
}

#[test]
fn what_begins_as_typed_comes_first_however_old() {
    let j = knowing(&["http://www.moss.example/", "http://a.example/moss", "http://b.example/x-moss"]);
    let j = j.keys("g").text("moss");
    assert_eq!(rows(&j)[0].text, "http://www.moss.example/");
}

#[test]
fn many_addresses_are_compared_elsewhere_and_add_to_the_rows() {
    let mut known = vec!["gopher://needle.example/".to_owned()];
    known.extend((0..50_000).map(|i| format!("http://host{i}.example/")));
    let mut j = Journey::new();
    j.remember(Remembered { words: [(PromptKind::Open, known)].into(), ..Remembered::default() });
    let j = j.hold().keys("g").text("needle");
    assert!(rows(&j).is_empty(), "a key does not look at all of them");
    assert_eq!(j.works.len(), 1, "only for what was typed last");
    let j = j.work();
    assert_eq!(offered(&j), [("gopher://needle.example/", "typed")]);
    j.keys("Tab Esc").free().quiet();
}

#[test]
fn rows_stay_as_they_are_once_one_is_chosen() {
    let mut known = vec!["http://www.hay.example/".to_owned()];
    known.extend((0..50_000).map(|i| format!("http://host{i}.example/hay")));
    known.push("http://hay.example/".into());
    let mut j = Journey::new();
    j.remember(Remembered { words: [(PromptKind::Open, known)].into(), ..Remembered::default() });
    let j = j.hold().keys("g").text("hay").keys("Tab");
    let before = rows(&j).to_vec();
    assert!(j.works.is_empty(), "nobody waits for more");
    let j = j.work();
    assert_eq!(rows(&j), before);
    assert_eq!(rows(&j.keys("C-u").text("hay"))[0].text, "http://hay.example/");
}

#[test]
fn a_host_is_what_it_was_when_it_was_visited() {
    let j = Journey::new().open("gopher://127.0.0.1:17070/").answer(media::MENU, b"").keys("g").text("127.0.0.1:17070");
    assert_eq!(means(&j), "gopher 127.0.0.1 17070 menu (visited → gopher)");
    j.keys("Enter").expect_fetch("gopher://127.0.0.1:17070/");
    let away = Journey::new().open("gopher://127.0.0.1:17070/").answer(media::MENU, b"");
    let away = away.open("http://h/").answer(media::HTML, b"x").keys("g").text("127.0.0.1:17070");
    assert!(offered(&away).contains(&("gopher://127.0.0.1:17070/", "visited")), "{:?}", offered(&away));
    away.keys("Enter").expect_fetch("gopher://127.0.0.1:17070/");
}

#[test]
fn from_gopher_space_a_host_is_gopher_s_and_the_web_is_offered() {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, b"").keys("g").text("1436.ninja");
    assert_eq!(offered(&j)[..1], [("https://1436.ninja/", "or this")]);
    j.keys("Enter").expect_fetch("gopher://1436.ninja/");
}

/// They stood behind those of the web.
#[test]
fn on_a_page_of_gopher_space_searches_of_that_come_first() {
    let names = |j: Journey| -> Vec<String> {
        let found = rows(&j.keys("g").text("welc")).to_vec();
        found.into_iter().map(|row| row.text).collect()
    };
    let all = |j: Journey| {
        let j = j.keys("g").text("welc");
        let rows = &j.app.hands.prompt().unwrap().completions;
        rows.iter().filter(|row| row.origin == Some(Origin::Search)).map(|row| row.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(Journey::new()), [""; 0]);
    assert_eq!(
        all(Journey::new().open("gopher://h/").answer(media::MENU, b"")),
        ["g welc", "v welc", "d welc", "w welc", "? welc"]
    );
    assert_eq!(
        all(Journey::new().open("http://h/").answer("text/html", b"x")),
        ["d welc", "w welc", "g welc", "v welc", "? welc"]
    );
}

#[test]
fn names_of_files_are_completed_where_a_path_is_typed() {
    let names =
        |j: &Journey| j.app.hands.prompt().unwrap().completions.iter().map(|row| row.text.clone()).collect::<Vec<_>>();
    let j = Journey::new().keys("g").text("/us").keys("Tab").expect_read("/");
    let j = j.read(Ok(b"var/\nusr/\nusb\n.us\n".to_vec())).prompts("open", "/us");
    assert_eq!(names(&j), ["/usb", "/usr/"]);
    let j = j.keys("Tab").prompts("open", "/usb").keys("Tab").prompts("open", "/usr/");
    // A folder that was chosen is looked into; one name that fits is taken.
    let j = j.keys("Tab").expect_read("/usr/").text("l").keys("Tab").expect_read("/usr/");
    let j = j.read(Ok(b"bin/\nlocal/\n".to_vec())).prompts("open", "/usr/local/");
    assert_eq!(means(&j), "file /usr/local/ (path → file)");
    // What comes when the reader has typed on is nobody's.
    let j = j.keys("Tab").expect_read("/usr/local/").text("x/").read(Ok(b"bin/\n".to_vec()));
    let j = j.prompts("open", "/usr/local/x/").keys("Esc");
    let j = j.keys("g").text("~/no").keys("Tab").expect_read("~/").read(Ok(b"notes.txt\n".to_vec()));
    let j = j.prompts("open", "~/notes.txt").keys("Esc");
    let j = j.keys(":").text("bookmarks import ~/b").keys("Tab").expect_read("~/");
    let j = j.read(Ok(b"bookmarks.html\n".to_vec())).prompts(":", "bookmarks import ~/bookmarks.html").keys("Esc");
    // An address relative to the page is one of its folder, and on the network nobody's.
    let j = j.open("file:///home/me/a.txt").answer(media::PLAIN, b"x").keys("g").text("./n").keys("Tab");
    let j = j.expect_read("/home/me/./").read(Ok(b"n%41\nnotes\n".to_vec())).prompts("open", "./notes").keys("Esc");
    let j = j.open("gopher://h/").answer(media::MENU, b"").keys("g").text("./n").keys("Tab").quiet();
    j.keys("C-u").text("/none").keys("Tab").expect_read("/").read(Ok(b"usr/\n".to_vec()));
}

#[test]
fn a_bare_word_shows_what_it_becomes_and_what_else_it_may_be() {
    let j = Journey::new().keys("g").text("comp.lang.rust");
    assert_eq!(means(&j), "https comp.lang.rust 443 / (no scheme → https)");
    let readings = [
        ("news:comp.lang.rust", "or this"),
        ("http://comp.lang.rust/", "or this"),
        ("gopher://comp.lang.rust/", "or this"),
    ];
    assert_eq!(offered(&j), readings);
    let j = j.keys("Tab").prompts("open", "news:comp.lang.rust");
    assert_eq!(means(&j), "news comp.lang.rust ()", "a chosen row is explained");
}

#[test]
fn an_address_is_explained_wherever_it_is_typed() {
    let j = Journey::at(&["0|A|/a"]);
    assert_eq!(means(&j.keys("g")), "");
    let typed = |keys: &str, text: &str| means(&Journey::at(&["0|A|/a"]).keys(keys).text(text));
    assert_eq!(
        typed("g", "ftp://joe:secret@h/a"),
        "ftp joe *** h 21 / a (the host is what comes after the @: h; the password goes in clear text, readable on the way)"
    );
    assert_eq!(typed("g", "#part"), "here: #part on this page");
    assert_eq!(typed("g", "rust"), "nothing: \"rust\" is no URL, host or file name");
    for command in ["open", "new-tab", "private"] {
        assert!(typed(":", &format!("{command} gopher.example.org")).starts_with("gopher gopher.example.org 70"));
    }
    assert_eq!(typed(":", "openly"), "");
    assert_eq!(typed(":", "set wrap on"), "");
}

#[test]
fn a_shortcut_puts_words_into_its_url() {
    let search = "gopher://gopher.floodgap.com/7/v2/vs";
    let j = Journey::new().keys("g").text("v some words/?#%09");
    assert!(means(&j).contains("some words/?#%09") && means(&j).ends_with("(shortcut v)"), "{}", means(&j));
    j.keys("Enter").expect_fetch(&format!("{search}%09some%20words%2F%3F%23%2509"));
    Journey::new().run("open v tea").expect_fetch(&format!("{search}%09tea"));
    Journey::new().keys("g").text("v").keys("Enter").prompts("search for (at gopher.floodgap.com)", "");
    Journey::new()
        .keys("g")
        .text("w Ä & b+c")
        .keys("Enter")
        .expect_fetch("https://en.wikipedia.org/wiki/Special:Search?search=%C3%84%20%26%20b%2Bc");
}

#[test]
fn a_question_mark_and_words_look_for_them_in_what_was_read() {
    let j = Journey::at(&["0|A text|/a"]).keys("g").text("? tall ships");
    assert!(means(&j).ends_with("(words in what you have read)"), "{}", means(&j));
    j.keys("Enter").expect_fetch("about:search?q=tall%20ships");
    // A query alone is a reference to the page in view, as ever.
    let j = Journey::new().open("http://h/a").answer(media::HTML, b"x").keys("g").text("?q=1").keys("Enter");
    j.expect_fetch("http://h/a?q=1");
    // Words that are no address may be looked for there, too.
    let j = Journey::at(&["0|A text|/a"]).keys("g").text("tall ships");
    let rows = &j.app.hands.prompt().unwrap().completions;
    assert_eq!(rows.last().unwrap().text, "? tall ships", "{rows:?}");
}

#[test]
fn shortcuts_are_the_readers() {
    let text = "[shortcuts]\nv = \"\"\nx = \"http://h/?q=%s\"\n";
    let (settings, errors) = config::read("s", text);
    assert_eq!((errors.len(), settings.shortcuts.contains_key("v")), (0, false));
    let (name, url) = settings.through_shortcut(" x  a b ").unwrap();
    assert_eq!((name, url.unwrap().as_str()), ("x", "http://h/?q=a%20b"));
    assert_eq!(settings.through_shortcut("x").unwrap().1.unwrap().as_str(), "http://h/?q=");
    assert!(settings.through_shortcut("xa b").is_none() && settings.through_shortcut("").is_none());
    for wrong in ["a = \"http://h/\"", "a = \"no url %s\"", "\"a.b\" = \"http://h/%s\"", "a = 1", "a = [\"x\"]"] {
        assert_eq!(config::read("s", &format!("[shortcuts]\n{wrong}\n")).1.len(), 1, "{wrong}");
    }
}

#[test]
fn a_pasted_address_loses_its_wrapper() {
    for (pasted, prompt) in [
        ("<URL:http://www.w3.org/\n   Addressing/>", "http://www.w3.org/Addressing/"),
        ("  \"http://test.com/\"\r\n", "http://test.com/"),
        ("< gopher://h/1/a b >", "gopher://h/1/ab"),
        ("http://h/pub/\n ietf/x.html#W", "http://h/pub/ietf/x.html#W"),
        ("URL: ftp://h/rfc/", "ftp://h/rfc/"),
        ("<id.1@h.example>", "<id.1@h.example>"),
        ("some words\nof text", "some words of text"),
        ("\"a quotation of words\"", "\"a quotation of words\""),
    ] {
        Journey::new().send(Msg::Paste(pasted.into())).prompts("open", prompt);
        Journey::new().keys("g").send(Msg::Paste(pasted.into())).prompts("open", prompt);
    }
    Journey::new().keys("g").text("v ").send(Msg::Paste("two\nwords".into())).prompts("open", "v two words");
    let joined = Journey::new().keys("g").text("view-").send(Msg::Paste("<http://h/\n x>".into()));
    joined.prompts("open", "view-http://h/x");
    Journey::new().keys(":").send(Msg::Paste("<URL:http://h/>".into())).prompts(":", "<URL:http://h/>");
}

#[test]
fn the_history_is_compared_from_the_newest_back() {
    let mut j = Journey::new();
    for i in 0..20_000 {
        let (url, title) = (format!("http://host{i}.example/"), if i == 3 { "Old tea" } else { "" });
        j.app.library.visits.add(Visit { url: &url, title, time: i, count: 1 });
    }
    let j = j.keys("g");
    assert_eq!(offered(&j)[0], ("http://host19999.example/", "visited"));
    let j = j.hold().text("tea");
    assert!(rows(&j).is_empty(), "a key does not look at all of it");
    let j = j.work();
    assert_eq!(offered(&j), [("http://host3.example/", "visited")]);
    assert_eq!(rows(&j)[0].title, "Old tea");
}

#[test]
fn bookmarks_are_offered_but_never_with_a_password() {
    let mut j = Journey::new();
    let text = "[[bookmark]]\nurl = \"gopher://moss.example/\"\ntitle = \"Moss\"\n\
                [[bookmark]]\nurl = \"ftp://joe:moss@h/\"\ntitle = \"Moss with a password\"\n";
    j.app.library.bookmarks = Bookmarks::read(text).unwrap();
    j.app.library.visits.add(Visit { url: "gopher://moss.example", title: "", time: 1, count: 1 });
    let j = j.keys("g").text("moss");
    assert_eq!(offered(&j), [("gopher://moss.example/", "bookmark")], "of one page the best place to know it from");
}

#[test]
fn an_open_tab_that_is_chosen_comes_to_the_front() {
    let j = Journey::at(&["0|A|/a"]).run("new-tab gopher://other/").answer(media::MENU, b"iX\t\t\t\r\n.\r\n");
    assert_eq!((j.app.tab_at(), j.app.tab_count()), (1, 2));
    let j = j.keys("g").text("h/");
    assert_eq!(offered(&j)[0], ("gopher://h/", "tab"));
    let fetches = j.fetches.len();
    let j = j.keys("Tab Enter").free();
    assert_eq!((j.app.tab_at(), j.fetches.len()), (0, fetches));
    // typed, it is an address like any other
    let j = j.keys("g").text("gopher://other/").keys("Enter");
    assert_eq!((j.app.tab_at(), j.fetches.len()), (0, fetches + 1));
}

#[test]
fn what_is_open_in_private_is_not_offered_elsewhere() {
    let j = Journey::at(&["0|A|/a"]).run("private gopher://secret/").answer(media::MENU, b"iX\t\t\t\r\n.\r\n");
    let j = j.run("previous-tab").keys("g").text("secret");
    assert!(rows(&j).is_empty(), "{:?}", offered(&j));
}

#[test]
fn enter_takes_the_marked_row_where_what_is_typed_is_no_address() {
    let taken = |j: &Journey| j.app.hands.prompt().unwrap().taken();
    let j = knowing(&["gopher://moss.example/1/welcome"]).keys("g").text("welc");
    assert_eq!(taken(&j), Some(0));
    j.keys("Enter").free().expect_fetch("gopher://moss.example/1/welcome");
    // What is an address is opened as it was typed.
    let j = knowing(&["gopher://moss.example/1/welcome"]).keys("g").text("moss.example");
    assert_eq!(taken(&j), None);
    j.keys("Enter").free().expect_fetch("https://moss.example/");
}

#[test]
fn down_leads_into_the_rows_and_up_out_of_them_again() {
    let at = || knowing(&["gopher://b.example/moss", "gopher://a.example/moss"]).keys("g").text("moss");
    at().keys("Down").prompts("open", "gopher://a.example/moss");
    at().keys("Down Down").prompts("open", "gopher://b.example/moss");
    at().keys("Down Down Down Down Up").prompts("open", "d moss");
    let j = at().keys("Down Up").prompts("open", "moss");
    assert_eq!(offered(&j).len(), 2, "all is as it was");
    // Above the rows are the words of before.
    at().keys("Up").prompts("open", "gopher://a.example/moss").keys("Down").prompts("open", "moss");
    at().keys("Down Down Enter").expect_fetch("gopher://b.example/moss");
}

#[test]
fn words_may_be_for_a_search_and_are_never_sent_there_unasked() {
    let j = Journey::new().keys("g").text("welc");
    let rows = &j.app.hands.prompt().unwrap().completions;
    let search = rows.iter().find(|row| row.text == "v welc").expect("a row for each shortcut");
    assert_eq!(search.title, "ask gopher.floodgap.com for \"welc\"");
    assert_eq!(j.app.hands.prompt().unwrap().taken(), None);
    let j = j.keys("Enter");
    assert!(j.app.hands.prompt().is_some_and(|prompt| prompt.input.value() == "welc" && !prompt.remark.is_empty()));
    let j = j.quiet().keys("Down");
    assert!(j.app.hands.prompt().is_some_and(|prompt| prompt.input.value() == "d welc"));
    j.keys("Enter").expect_fetch("https://lite.duckduckgo.com/lite/?q=welc");
    // Nor where it would be nonsense.
    for address in ["gopher://h:99999/", "./x", "#here"] {
        let j = Journey::new().keys("g").text(address);
        assert!(!offered(&j).iter().any(|(_, origin)| *origin == "search"), "{address}");
    }
}

#[test]
fn an_address_behind_a_command_is_taken_as_it_was_typed() {
    let j = Journey::new().open("gopher://h/1/writing2").answer("application/gopher-menu", b"iA menu\t\tx\t0\r\n.\r\n");
    let j = j.keys(":").text("open gopher://h/1/writing").keys("Enter").expect_fetch("gopher://h/1/writing");
    let j = j.answer("application/gopher-menu", b"iAnother\t\tx\t0\r\n.\r\n");
    j.keys(":").text("new-tab gopher://h/1/w").keys("Enter").expect_fetch("gopher://h/1/w");
}

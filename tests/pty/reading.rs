//! Pages as a reader meets them: open, follow, go back, find, look, search.

use crate::server::{Server, whole};
use crate::terminal::Terminal;

/// A menu, a long text, a search and a folder below.
fn space() -> Server {
    let mut menu = String::from("iWelcome to the test\t\tx\t1\r\n");
    menu += "0A long text\t/long\t127.0.0.1\t{port}\r\n";
    menu += "1Another menu\t/below\t127.0.0.1\t{port}\r\n";
    menu += "7Search the test\t/find\t127.0.0.1\t{port}\r\n";
    menu += "0A note in Greek\t/greek\t127.0.0.1\t{port}\r\n.\r\n";
    let needle = |n: u32| if n.is_multiple_of(50) { " Needle" } else { "" };
    let long: String = (1..=200).map(|n| format!("line {n} of the long text{}\r\n", needle(n))).collect();
    let below: String = (1..=60).map(|n| format!("0Entry {n}\t/e{n}\t127.0.0.1\t{{port}}\r\n")).collect();
    Server::start(vec![
        ("", whole(menu)),
        ("/long", whole(long)),
        ("/wide", whole(format!("{}far out\r\nshort\r\n", "wide ".repeat(30)))),
        ("/below", whole(below)),
        ("/e40", whole("the fortieth entry\r\n")),
        ("/find\ttwo words", whole("0Found it\t/long\t127.0.0.1\t{port}\r\n.\r\n")),
        ("/greek", whole(b"\xca\xe1\xeb\xe7\xec\xdd\xf1\xe1 \xea\xfc\xf3\xec\xe5\r\n")),
    ])
}

fn open(server: &Server, path: &str) -> Terminal {
    Terminal::start(&[&server.url(path)])
}

#[test]
fn the_start_page_needs_nothing_and_leads_on() {
    let server = space();
    let mut terminal = Terminal::start(&[]);
    terminal.see("Where to go").keys("g").see("open:").keys(&server.url("1")).keys("\r");
    terminal.see("Welcome to the test").see("(TXT)▸A long text");
    terminal.keys("H").see("Where to go");
}

#[test]
fn the_home_page_of_the_environment_is_where_home_leads() {
    let mut terminal = Terminal::start_with(&[], 80, 24, &[("WWW_HOME", "data:,a%20page%20of%20my%20own")]);
    terminal.see("a page of my own").keys("g").see("open:").keys("about:help\r").see("Following links");
    terminal.keys("H").see("a page of my own");
}

#[test]
fn a_pasted_address_is_asked_about_without_its_wrapper_and_words_find_it_again() {
    let server = space();
    let mut terminal = Terminal::start(&[]);
    let url = server.url("1/below");
    let (begin, end) = url.split_at(12);
    terminal.see("Where to go").keys(&format!("\x1b[200~<URL:{begin}\r    {end}>\x1b[201~"));
    terminal.see(&format!("open: {url}")).see("menu").keys("\r").see("Entry 22");
    terminal
        .keys("H")
        .see("Where to go")
        .keys("g")
        .see("open:")
        .keys("belw")
        .see("visited")
        .keys("\t\r")
        .see("Entry 22");
}

#[test]
fn back_keeps_the_place() {
    let server = space();
    let mut terminal = open(&server, "1/below");
    terminal.see("Entry 22").keys("40\r").see("the fortieth entry");
    let asked = server.asked().len();
    terminal.keys("h").see("▸Entry 40").see_no("Entry 1 ").keys("L").see("the fortieth entry");
    assert_eq!(server.asked().len(), asked, "a page that is kept is not asked for again");
    // A page that is asked for again keeps the place as well.
    terminal.keys("h").see("▸Entry 40").keys("R").see_that("a reload", |_| server.asked().len() > asked);
    terminal.see("▸Entry 40");
}

#[test]
fn links_by_arrow_number_and_hint() {
    let server = space();
    let mut terminal = open(&server, "1");
    terminal.see("▸A long text").keys("\x1b[B").see("▸Another menu").keys("\t").see("▸Search the test");
    terminal.keys("\x1b[Z").see("▸Another menu").keys("\r").see("Entry 22");
    terminal.keys("h").see("▸Another menu").keys("1\r").see("line 22 of");
    terminal.keys("\x1b[D").see("▸A long text").keys("f").see("hint:").keys("s").see("Entry 22");
}

#[test]
fn a_search_asks_for_words() {
    let server = space();
    let mut terminal = open(&server, "1");
    terminal.see("▸A long text").keys("3\r").see("search for:").keys("two words\r").see("▸Found it");
    assert!(server.asked().contains(&"/find\ttwo words".to_owned()), "{:?}", server.asked());
}

#[test]
fn finding_counts_and_goes_round() {
    let server = space();
    let mut terminal = open(&server, "0/long");
    terminal.see("line 22").keys("/needle\r").see("line 50 of the long text Needle").see("1/4");
    terminal.keys("n").see("2/4").see("line 100").keys("N").see("1/4").keys("N").see("4/4").see("line 200");
    terminal.keys("/hay\r").see("hay").see("line 200");
    terminal.keys("\x1b[H").see("line 1 of");
}

#[test]
fn pages_turn_and_show_how_far() {
    let server = space();
    let mut terminal = open(&server, "0/long");
    terminal.see("line 22 of").see(" Top ").keys(" ").see("line 40 of").see_no("line 10 of");
    terminal.keys("b").see("line 1 of").keys("\x1b[F").see("line 200 of").see_no(" Top ");
    terminal
        .keys(":goto 50%\r")
        .see_that("the middle", |screen| screen.contains(" 49% ") || screen.contains(" 50% "))
        .keys("\x1b[H")
        .see("line 1 of");
}

#[test]
fn the_url_is_taken_apart() {
    let server = space();
    let mut terminal = open(&server, "1");
    terminal.see("▸A long text").keys("=").see("Anatomy").see("Where the link leads");
    terminal.keys("\x1b[F").see("\"/long\\r\\n\"");
    terminal.keys("\x1b").see_no("Anatomy").see("Welcome to the test");
}

#[test]
fn help_comes_from_the_live_keys() {
    let server = space();
    let mut terminal = Terminal::start(&[]);
    std::fs::create_dir_all(terminal.home().join(".config/wayfarer")).unwrap();
    std::fs::write(terminal.home().join(".config/wayfarer/keys.toml"), "[page]\n\"F7\" = \"anatomy\"\n").unwrap();
    terminal
        .see("Where to go")
        .keys("?")
        .see("Help")
        .see("On any page")
        .keys("\x1b")
        .see_no("On any page")
        .keys("q")
        .end();
    let home = terminal.home().to_str().unwrap().to_owned();
    let mut terminal = Terminal::start_with(&[&server.url("1")], 80, 60, &[("HOME", &home)]);
    terminal.see("Welcome to the test").keys("\x1b[18~").see("Anatomy");
}

#[test]
fn source_wrap_and_charset_show_the_page_in_other_ways() {
    let server = space();
    let mut terminal = open(&server, "1");
    terminal.see("▸A long text").keys("\\").see("0A long text").see("/long").keys("\\").see("▸A long text");
    terminal.keys("g").see("open:").keys(&server.url("0/wide")).keys("\r").see("far out").see("short");
    terminal.keys("w").see_no("far out").keys(">>>>>>>>>>>>").see("far out").keys("w").see("far out").see("wide wide");
    terminal.keys("g").see("open:").keys(&server.url("0/greek")).keys("\r").see_no("wide");
    terminal.keys("C").see("windows-1253").keys("iso-8859-7").see_no("windows-1253").keys("\r").see("Καλημέρα κόσμε");
}

#[test]
fn any_size_at_any_moment() {
    let server = space();
    let mut terminal = open(&server, "1");
    terminal.see("▸A long text").loaded();
    for (keys, opened) in [("", "Welcome"), ("=", "─ Anatomy"), ("?", "─ Help"), ("g", "open:")] {
        terminal.keys(keys).resize(40, 10).resize(10, 3).resize(1, 1).resize(80, 24);
        terminal.see_that("a whole screen", |screen| screen.lines().count() >= 12).see(opened);
        // An Escape that is followed at once is a Meta: where nothing is closed by it nothing tells that it was taken.
        if !keys.is_empty() {
            terminal.keys("\x1b").see_no(opened);
        }
        terminal.see("Welcome to the test").see("→ gopher");
    }
    terminal.keys("1\r").see("line 22 of").keys("\x1b[F").see("line 200 of");
    // The same text stays on top.
    terminal.resize(40, 10).see_no("line 200 of").see("line 179 of").see("line 186 of");
    terminal.resize(10, 3).see_no("long text").resize(80, 24).see("long text").keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn the_mouse_follows_links_and_is_given_back() {
    let server = space();
    let mut terminal = Terminal::start(&["-o", "mouse=true", &server.url("1")]);
    let row = terminal.see("Another menu").screen().lines().position(|line| line.contains("Another menu")).unwrap() + 1;
    // the second link's text, as terminals report a press and the end of it
    terminal.keys(&format!("\x1b[<0;8;{row}M\x1b[<0;8;{row}m")).see("Entry 1 ");
    terminal.keys("\x1b[<65;8;4M").see_no("Entry 1 ").keys("Q").end();
    terminal.drained();
    let written = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(written.contains("\x1b[?1000h") && written.contains("\x1b[?1006h"), "{written:?}");
    assert!(written.rfind("\x1b[?1000l") > written.rfind("\x1b[?1000h"), "{written:?}");
}

#[test]
fn who_has_never_been_here_is_greeted_once() {
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let mut first = Terminal::start_with(&[], 40, 10, &environment);
    first.see("Wayfarer: g opens a URL, Enter a link").see("a tour begins there");
    first.keys("g").see_no("a tour begins").see("open:").keys("\x1b").see_no("open:").keys("q");
    assert_eq!(first.end(), 0);
    let mut second = Terminal::start_with(&[], 80, 24, &environment);
    second.see("start page").see("Where to go").see_no("a tour begins").keys("q").end();
    // Nor is one who came with settings, or who forbids that anything is kept.
    for (folder, safe) in [(".config/wayfarer", &[][..]), ("nothing", &["--safe"][..])] {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join(folder)).unwrap();
        let mut other = Terminal::start_with(safe, 80, 24, &[("HOME", home.path().to_str().unwrap())]);
        other.loaded().see("Where to go").see_no("a tour begins").keys("q").end();
    }
}

/// A press of a button where a text stands lowest, and the end of it.
fn press(terminal: &mut Terminal, button: u8, text: &str) {
    let screen = terminal.frame_that(text, |screen| screen.contents().contains(text)).screen();
    let row = screen.lines().collect::<Vec<_>>().iter().rposition(|line| line.contains(text)).unwrap();
    let column = screen.lines().nth(row).unwrap().split(text).next().unwrap().chars().count() + 1;
    let row = row + 1;
    terminal.keys(&format!("\x1b[<{button};{column};{row}M\x1b[<{button};{column};{row}m"));
}

#[test]
fn the_mouse_presses_tabs_directories_and_rows() {
    let home = tempfile::tempdir().unwrap();
    let inner = home.path().join("outer/inner");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(inner.join("note.txt"), "A note, nothing more.\n").unwrap();
    let note = inner.join("note.txt");
    // So wide that the path stands whole, and nothing moves when the time that it took comes in behind it.
    let mut terminal = Terminal::start_with(&["-o", "mouse=true", note.to_str().unwrap()], 200, 24, &[]);
    // A directory in the status bar, and the name of the file in it.
    press(terminal.see("A note"), 0, "inner/");
    press(terminal.see("../"), 1, "note.txt    22 B");
    terminal.see("opened behind, tab 2");
    press(&mut terminal, 0, "note.txt*");
    press(terminal.see("A note"), 0, " 1 /");
    // A row of a list over the page.
    terminal.see("../").see_no("A note").keys("O").see("Links  2");
    // Not the row of the page, which has the same name.
    press(terminal.see("▸ note.txt"), 0, "▸ note.txt");
    terminal.see("A note").keys("Q").end();
}

#[test]
fn the_window_is_named_after_the_page_and_gets_its_own_name_back() {
    let server = space();
    let mut terminal = open(&server, "1");
    terminal.see("Welcome to the test").keys("Q").end();
    terminal.drained();
    let written = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let at = |text: &str| written.find(text).unwrap_or_else(|| panic!("{text:?} is not in {written:?}"));
    assert!(at("\x1b[22;0t") < at("\x1b]0;Welcome to the test"));
    assert!(at(" - Wayfarer\x07") < at("\x1b[23;0t"));
    assert!(!written.contains("\x1b[?1000h"), "the mouse is the terminal's unless it is asked for");
}

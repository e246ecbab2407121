//! The program as a device hears it that speaks what is written to a terminal, in the order in which it comes.

use crate::server::{Server, whole};
use crate::terminal::Terminal;

/// What such a device says: words, a new line where the cursor goes to another place. Of all else it knows nothing.
fn heard(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let (mut said, mut rest) = (vec![String::new()], text.chars());
    while let Some(c) = rest.next() {
        if c != '\x1b' {
            said.last_mut().unwrap().push(c);
            continue;
        }
        match rest.next() {
            Some('[') => {
                let end = rest.find(|c| ('@'..='~').contains(c));
                said.extend(end.filter(|end| *end == 'H').map(|_| String::new()));
            }
            // the title of the window, a clipboard
            Some(']') => while rest.next().is_some_and(|c| c != '\x07') {},
            _ => {}
        }
    }
    said.into_iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn menu() -> Server {
    let mut menu = String::from("iWelcome to the test\t\tx\t1\r\n");
    menu += "0A long text\t/long\t127.0.0.1\t{port}\r\n";
    menu += "1Another menu\t/below\t127.0.0.1\t{port}\r\n.\r\n";
    let long: String = (1..=60).map(|n| format!("line {n} of the long text\r\n")).collect();
    Server::start(vec![("", whole(menu)), ("/long", whole(long))])
}

#[test]
fn what_is_written_can_be_listened_to() {
    let server = menu();
    let mut terminal = Terminal::start(&["--speech", &server.url("1")]);
    terminal.see("(DIR) Another menu").see("link 1 of 2: A long text, text, to").see_no("coming");
    let opened = heard(&terminal.raw());
    let at = |lines: &[String], words: &str| {
        // What the page is called is said with its address, too.
        let says = |line: &String| line.starts_with(words) && !line.starts_with("Welcome to the test, gopher://");
        lines.iter().rposition(says).unwrap_or_else(|| panic!("{words}: {lines:#?}"))
    };
    let order = ["Welcome to the test", "(TXT) A long text", "(DIR) Another menu", "link 1 of 2: A long"];
    let places: Vec<usize> = order.iter().map(|words| at(&opened, words)).collect();
    assert!(places.is_sorted(), "{places:?}: {opened:#?}");

    // A move says where it leads, and nothing else.
    let before = terminal.raw().len();
    terminal.keys("\x1b[B").see("link 2 of 2: Another menu, menu, to");
    let said = heard(&terminal.raw()[before..]);
    assert!(said.iter().all(|line| line.starts_with("link 2 of 2") || line.starts_with("gopher://")), "{said:#?}");
    let stands = terminal.cells_that("the cursor at the link", |screen| screen.cursor_position() == (2, 6));
    assert!(!stands.screen().contains('▸'));

    // A prompt and its question are one line, the last one.
    let before = terminal.raw().len();
    terminal.keys("g").see("open:");
    let said = heard(&terminal.raw()[before..]);
    assert!(said.last().is_some_and(|line| line.starts_with("open:")), "{said:#?}");
    terminal.keys("\x1b").see("link 2 of 2").keys("\x1b[A").see("link 1 of 2");

    // The next screen is all said, from the top.
    terminal.keys("\r").see("line 21 of the long text").see_no("coming");
    let before = terminal.raw().len();
    terminal.keys(" ").see("line 40 of");
    let said = heard(&terminal.raw()[before..]);
    assert!(at(&said, "line 22 of the long text") < at(&said, "line 40 of the long text"), "{said:#?}");
    let all = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let drawn = |c: char| ('\u{2500}'..'\u{2600}').contains(&c) || "▸◂•→·…".contains(c);
    assert!(!all.contains(drawn), "{:?}", all.matches(drawn).collect::<Vec<_>>());
}

/// What stands there is not written again.
#[test]
fn nothing_is_said_twice_without_need() {
    let server = menu();
    let mut terminal = Terminal::start(&["--speech", &server.url("0/long")]);
    terminal.see("line 21 of the long text").see_no("coming");
    let before = terminal.raw().len();
    // A key that does nothing but say so.
    terminal.keys("[").see("no links here");
    let said = heard(&terminal.raw()[before..]);
    assert_eq!(said, ["no links here"]);
}

/// The line of a match outside links was said by nothing.
#[test]
fn what_is_found_is_said_and_the_cursor_stands_there() {
    let server = menu();
    let mut terminal = Terminal::start(&["--speech", &server.url("0/long")]);
    terminal.see("line 21 of the long text").see_no("coming");
    let before = terminal.raw().len();
    terminal.keys("/17 of\r").see_no("find:");
    terminal.see_that("the line in the last row", |screen| screen.lines().last() == Some("line 17 of the long text"));
    let said = heard(&terminal.raw()[before..]);
    assert!(said.iter().any(|line| line.starts_with("line 17 of the long text")), "{said:#?}");
    terminal.keys("q").end();
}

/// What stood in a field, and which of how many it is, was said by nothing.
#[test]
fn fields_say_what_stands_in_them() {
    let form = "<title>A form</title><form><p><label>Name <input name=n \
                value=Ada></label><p><label><input type=checkbox name=c> I agree</label></form>";
    let server = Server::start(vec![("/form", whole(form))]);
    let mut terminal = Terminal::start(&["--speech", &server.url("h/form")]);
    terminal.see("field 1 of 2: Name, text, holds Ada").keys("\t").see("field 2 of 2: I agree, box, not checked");
    let before = terminal.raw().len();
    terminal.keys("\r").see("field 2 of 2: I agree, box, checked");
    let said = heard(&terminal.raw()[before..]);
    assert!(said.iter().any(|line| line.starts_with("field 2 of 2: I agree, box, checked")), "{said:#?}");
    terminal.keys("Q").end();
}

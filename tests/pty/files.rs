//! Files: downloads, pages saved, large texts and folders of this machine.

use crate::server::{Server, whole};
use crate::terminal::Terminal;
use std::fs;
use std::path::Path;

fn octets() -> Vec<u8> {
    (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

fn server() -> Server {
    let menu = "9A binary\t/bin/data.bin\t127.0.0.1\t{port}\r\n0A text\t/note.txt\t127.0.0.1\t{port}\r\n";
    Server::start(vec![("", whole(menu)), ("/bin/data.bin", whole(octets())), ("/note.txt", whole("a note\r\n"))])
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_binary_is_saved_whole_and_nothing_is_overwritten() {
    let server = server();
    let mut terminal = Terminal::start(&[&server.url("1")]);
    let downloads = terminal.home().join("Downloads");
    terminal.see("▸A binary").keys("d").see("save as: ~/Downloads/data.bin").keys("\r").see("saved");
    assert!(fs::read(downloads.join("data.bin")).unwrap() == octets());
    assert_eq!(names(&downloads), ["data.bin"]);
    fs::write(downloads.join("data.bin"), "mine").unwrap();
    // Followed, it asks; a file of that name is not touched; another name is offered.
    terminal.keys("\r").see("This is no page").keys("s").see("save as:").keys("\r").see("There is a file of this name");
    terminal.keys("n").see("data-2.bin").keys("\r").see("saved").see("data-2.bin");
    assert_eq!(fs::read(downloads.join("data.bin")).unwrap(), b"mine");
    assert!(fs::read(downloads.join("data-2.bin")).unwrap() == octets());
    terminal.keys("D").see("Downloads  2").keys("\x1b").see_no("Downloads  2").keys("d").see("save as:").keys("\r");
    terminal.see("There is a file of this name").keys("r").see_no("There is a file").see("saved");
    assert!(fs::read(downloads.join("data.bin")).unwrap() == octets());
    assert_eq!(names(&downloads), ["data-2.bin", "data.bin"]);
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn the_readers_own_unfinished_looking_file_is_not_touched() {
    let server = server();
    let mut terminal = Terminal::start(&[&server.url("1")]);
    let downloads = terminal.home().join("Downloads");
    fs::create_dir(&downloads).unwrap();
    fs::write(downloads.join("data.bin.wayfarer-part"), "mine").unwrap();
    terminal.see("▸A binary").keys("d").see("save as:").keys("\r").see("saved");
    assert_eq!(fs::read(downloads.join("data.bin.wayfarer-part")).unwrap(), b"mine");
    assert_eq!(names(&downloads), ["data.bin", "data.bin.wayfarer-part"]);
}

#[test]
fn a_page_is_saved_as_text() {
    let server = server();
    let mut terminal = Terminal::start(&[&server.url("1")]);
    terminal.see("▸A binary").keys("S").see("save as:").keys("\x15menu.txt\r").see("saved");
    let saved = fs::read_to_string(terminal.home().join("menu.txt")).unwrap();
    assert!(saved.contains("A binary") && saved.contains("A text"), "{saved}");
    terminal.keys("2\r").see("a note").keys("S").see("note.txt").keys("\r").see("saved");
    assert_eq!(fs::read(terminal.home().join("Downloads/note.txt")).unwrap(), b"a note\r\n");
}

#[test]
fn safe_writes_nothing() {
    let server = server();
    let mut terminal = Terminal::start(&["--safe", &server.url("1")]);
    terminal.see("▸A binary").keys("d").see("--safe forbids it").keys("q");
    assert_eq!(terminal.end(), 0);
    assert_eq!(names(terminal.home()), [""; 0]);
}

#[test]
fn quitting_asks_while_a_file_is_on_its_way() {
    let server = server();
    server.answer("/bin/data.bin", crate::server::Answer::Stalled(octets(), octets()));
    let mut terminal = Terminal::start(&[&server.url("1")]);
    terminal.see("▸A binary").keys("d").see("save as:").keys("\r").see_no("save as:").keys("q");
    terminal.see("not finished").keys("n").see_no("not finished");
    server.release();
    terminal.see("saved").keys("q");
    assert_eq!(terminal.end(), 0);
    assert_eq!(fs::read(terminal.home().join("Downloads/data.bin")).unwrap().len(), 200_000);
}

#[test]
fn a_large_text_opens_at_once_and_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.txt");
    let mut text = String::with_capacity(20 << 20);
    let mut lines = 0;
    while text.len() < 20 << 20 {
        lines += 1;
        text += &format!("line {lines} of a large text that goes on for a while without saying much\n");
    }
    fs::write(&file, text).unwrap();
    // Wide enough for all of the status bar, wherever temporary files are.
    let mut terminal = Terminal::start_with(&[file.to_str().unwrap()], 240, 24, &[]);
    terminal.see("line 22 of").see("21.0 MB").loaded().keys("\x1b[F").see(&format!("line {lines} of"));
    terminal.keys("\x1b[H").see("line 1 of").resize(40, 10).see("line 1 of").keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_folder_of_twenty_thousand_entries() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..20_000 {
        fs::File::create(folder.path().join(format!("entry-{n:05}"))).unwrap();
    }
    fs::write(folder.path().join("entry-19999"), "the last one\n").unwrap();
    // Wide enough for all of the status bar, wherever temporary files are.
    let mut terminal = Terminal::start_with(&[folder.path().to_str().unwrap()], 240, 24, &[]);
    terminal
        .see("entry-00010")
        .see("20,000 entries, 13 B")
        .keys("\x1b[F")
        .see("entry-19999")
        .keys("/entry-12345\r")
        .see("end reached");
    terminal.keys("'19999\r").see("/entry-19999 ").keys("\r").see("the last one").keys("\x1b[D").see("/entry-19999 ");
    terminal.keys("U").see_no("entry-19999");
}

#[test]
fn standard_input_is_a_page_while_the_keyboard_is_the_terminal() {
    let script = format!("printf 'piped words\\n' | '{}' -", crate::terminal::PROGRAM);
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]);
    terminal.see("piped words").keys("?").see("Help").keys("\x1b").see_no("Help").keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn what_breaks_off_stays_beside_its_name_and_begins_anew() {
    let server = server();
    let half = octets()[..50_000].to_vec();
    server.answer("/bin/data.bin", crate::server::Answer::Dropped(half.clone()));
    let mut terminal = Terminal::start(&[&server.url("1")]);
    let downloads = terminal.home().join("Downloads");
    terminal.see("▸A binary").keys("d").see("save as:").keys("\r").see("The connection broke");
    assert_eq!(names(&downloads), ["data.bin.wayfarer-part", "data.bin.wayfarer-part.toml"]);
    assert!(half.starts_with(&fs::read(downloads.join("data.bin.wayfarer-part")).unwrap()));
    let note = fs::read_to_string(downloads.join("data.bin.wayfarer-part.toml")).unwrap();
    assert!(note.contains(&server.url("9/bin/data.bin")), "{note}");
    server.answer("/bin/data.bin", whole(octets()));
    // Gopher cannot go on in the middle, so that is not offered.
    terminal
        .keys("D")
        .see("Downloads  1")
        .keys("\r")
        .see("What came is kept")
        .see("start anew")
        .see_no("go on")
        .keys("a")
        .see("saved");
    assert!(fs::read(downloads.join("data.bin")).unwrap() == octets());
    assert_eq!(names(&downloads), ["data.bin"]);
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_folder_is_saved_with_all_below_it_and_nothing_is_written_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("pub");
    fs::create_dir_all(from.join("sub/deep")).unwrap();
    for (name, text) in [("a", "one"), ("sub/b", "two"), ("sub/deep/c", "three"), ("planted/d", "four")] {
        fs::create_dir_all(from.join(name).parent().unwrap()).unwrap();
        fs::write(from.join(name), text).unwrap();
    }
    std::os::unix::fs::symlink("/etc", from.join("etc")).unwrap();
    let mut terminal = Terminal::start(&[from.to_str().unwrap()]);
    let outside = terminal.home().join("outside");
    let into = terminal.home().join("Downloads/pub");
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(&into).unwrap();
    std::os::unix::fs::symlink(&outside, into.join("planted")).unwrap();
    terminal.see("planted/").keys("\x1bd").see("1 link: saved as the files that they lead to");
    // Tab goes through what can become of it.
    terminal
        .keys("\t")
        .see("made again; not 1 that")
        .keys("\t")
        .see("made again, also 1")
        .keys("\t")
        .see("1 link: left out");
    terminal.see("4 files in 4 directories, 15 B, into ~/Downloads/pub").keys("\r");
    terminal.see("1 of 4 files could not be saved");
    assert_eq!(names(&outside), [""; 0]);
    assert_eq!(fs::read(into.join("sub/deep/c")).unwrap(), b"three");
    fs::remove_file(into.join("planted")).unwrap();
    // What is there is not fetched again, and what failed goes on.
    terminal.keys("D").see("3 of 4 files").keys("\r").see("list what failed").keys("g").see("saved 4 files into");
    assert_eq!(fs::read(into.join("planted/d")).unwrap(), b"four");
    // The count is on the screen before the reading has ended; the key to start with is not.
    terminal
        .keys("\x1bd")
        .see("Enter start")
        // What was chosen before holds.
        .see("1 link: left out")
        .see("4 files in 4")
        .keys("\r")
        .see("0 new, 0 changed, 0 gone, 4 as they were");
    assert_eq!(names(&into), ["a", "planted", "sub"]);
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}

/// Threads that read what others wrote may remove nothing.
#[test]
fn of_a_link_that_leads_to_a_folder_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("pub");
    fs::create_dir_all(from.join("sub")).unwrap();
    fs::write(from.join("a"), "one").unwrap();
    // Of one that the plan does not know nobody can tell beforehand.
    let elsewhere = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), from.join("link")).unwrap();
    let mut terminal = Terminal::start(&[from.to_str().unwrap()]);
    let into = terminal.home().join("Downloads/pub");
    terminal.see("sub/").keys("\x1bd").see("Enter start").keys("\r").see("1 link left out");
    assert_eq!(names(&into), ["a", "sub"]);
    terminal.keys("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn printed_on_a_terminal_links_can_be_opened_from_there() {
    let server = Server::start(vec![("", whole("0Fruit\t/a fruit\t127.0.0.1\t{port}\r\niend\t\tx\t1\r\n.\r\n"))]);
    let mut terminal = Terminal::start(&["--dump", &server.url("1")]);
    terminal.see("end").end();
    let written = String::from_utf8_lossy(&terminal.drained().raw()).into_owned();
    let link = format!("\x1b]8;;{}\x1b\\", server.url("0/a%20fruit"));
    assert!(written.contains(&format!("{link}Fruit\x1b]8;;\x1b\\")), "{written:?}");
}

#[test]
fn a_page_goes_through_a_program_and_none_is_started_where_that_is_forbidden() {
    let server = Server::start(vec![("/fruit", whole("pear\r\napple\r\nplum\r\n"))]);
    let mut terminal = Terminal::start(&[&server.url("0/fruit")]);
    terminal.see("pear").keys("!").see("pipe the page to:").keys("sort -r\r");
    terminal.see_that("the page in order", |screen| {
        screen.lines().map(str::trim).take(3).eq(["plum", "pear", "apple"]) && screen.contains("about  output")
    });
    terminal
        .keys("h")
        .see("/fruit")
        .keys("!")
        .see("pipe the page to:")
        .keys("ls /no/such/file\r")
        .see("ls ended with exit status")
        .see("On standard error it said:");
    // no shell reads what is typed, and a program that prints nothing has ended all the same
    terminal.keys("h").see("/fruit").keys(":pipe cat > out\r").see("cat ended with exit status: 1");
    terminal.see("cat was given > as a word. tee FILE writes");
    terminal
        .keys("h")
        .see("/fruit")
        .keys(":pipe dd of=out.txt\r")
        .see("dd ended with exit status: 0 and printed nothing.");
    terminal.see("records in");
    terminal.keys("g").see("open:").keys(&server.url("0/fruit")).keys("\r").see("apple");
    terminal.keys("!").see("pipe the page to:").keys("yes endless\r").see("endless").keys("Q").end();

    let mut terminal = Terminal::start(&["--safe", &server.url("0/fruit")]);
    terminal.see("pear").keys("!").see("--safe forbids it");
}

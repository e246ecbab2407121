//! Two panes on a terminal: a folder and the files in it.

use crate::terminal::Terminal;
use std::fs;

#[test]
fn a_folder_and_what_is_read_of_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("apples.txt", "red and green"), ("pears.txt", "yellow"), ("plums.txt", "blue")] {
        fs::write(folder.path().join(name), format!("{text}\n")).unwrap();
    }
    let mut terminal = Terminal::start(&[&format!("file://{}/", folder.path().display())]);
    terminal.see("plums.txt").keys("|").see("Enter in the list opens here").keys("j\r").see("red and green");
    // The list is there, with its place; the next of its items comes by one key.
    terminal.see("pears.txt").keys("\x1bn").see("yellow").see("▸pears.txt").keys("\x1bn").see("blue").see("▸plums.txt");
    terminal.keys("\x1bp").see("yellow");
    // The focus goes over and back, the screen becomes small and large again.
    terminal.keys("\x17w").see_that("the file's head has the pointer", |screen| {
        screen.lines().any(|row| row.starts_with('▸') && row.contains("pears.txt"))
    });
    terminal.resize(20, 5).see("2 of 2").resize(120, 24).see("plums.txt").see("yellow");
    terminal.keys("\x17w").keys("|").see("the other is tab 2").see_no("yellow").keys("Q");
    assert_eq!(terminal.end(), 0);
}

//! What the program of the packages takes of memory.

use super::server::{Server, whole};
use super::terminal::Terminal;
use std::fmt::Write as _;

/// The most memory of a small menu and its anatomy, in kB: the program's own and what is touched of its file and of the C library's, which other
/// programs have in memory as well. Without `.ci/start.symbols` it is 21,000, and how much of a file is mapped around what is touched depends a little on the machine.
const START: u64 = 16_000;

/// Run by name after `.ci/package` has built it.
#[test]
#[ignore = "measures the program of the packages"]
fn a_start_takes_no_more_memory_than_was_budgeted() {
    let menu = (0..15).fold(String::new(), |mut menu, number| {
        let _ = write!(menu, "0This is item {number}\t/{number}\t127.0.0.1\t70\r\n");
        menu
    });
    let server = Server::start(vec![("", whole(menu))]);
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/target/dist/wayfarer");
    let mut terminal = Terminal::start_program(program, &[&server.url("/")], 80, 24, &[]);
    terminal.see("item 14").loaded();
    // The store is read behind the page: what it knows of it stands in its anatomy.
    terminal.keys("=").see("Where you are");
    let status = std::fs::read_to_string(format!("/proc/{}/status", terminal.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("a start takes {peak} kB of {START}");
    assert!(peak <= START, "{peak} kB, {START} are budgeted");
}

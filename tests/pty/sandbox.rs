//! What reads from servers is kept from files and programs; the keyboard's side and the programs that it starts are not.

use crate::server::{Server, whole};
use crate::terminal::Terminal;
use std::fs;

/// The threads of a program by their names, and whether they may win rights that they do not have: one in a sandbox may not.
pub fn threads(id: u32) -> Vec<(String, bool)> {
    let folders = fs::read_dir(format!("/proc/{id}/task")).unwrap();
    let read = |folder: fs::DirEntry| {
        let name = fs::read_to_string(folder.path().join("comm")).ok()?.trim().to_owned();
        let status = fs::read_to_string(folder.path().join("status")).ok()?;
        Some((name, !status.contains("NoNewPrivs:\t1")))
    };
    folders.filter_map(|folder| read(folder.ok()?)).collect()
}

#[test]
fn what_reads_from_servers_is_in_the_sandbox_and_what_the_reader_starts_is_not() {
    let server = Server::start(vec![("/text", whole("words of a server\r\n"))]);
    let mut terminal = Terminal::start(&["about:safety"]);
    terminal.see("What you can rely on").loaded();
    // However the sentence is broken.
    let screen = terminal.screen().split_whitespace().collect::<Vec<_>>().join(" ");
    let sandboxed = screen.contains("the kernel refuses it");
    assert!(sandboxed || screen.contains("No sandbox: "), "{screen}");
    terminal.keys("g").see("open:").keys(&server.url("0/text")).keys("\r").see("words of a server").loaded();
    let all = threads(terminal.id());
    let network: Vec<bool> = all.iter().filter(|(name, _)| name == "tokio-rt-worker").map(|(_, free)| *free).collect();
    assert!(!network.is_empty(), "{all:?}");
    assert!(network.iter().all(|free| *free != sandboxed), "{all:?}");
    assert!(all.iter().any(|(name, free)| name == "wayfarer" && *free), "{all:?}");
    // A program is handed over to who may start it.
    terminal.keys("!").see("pipe the page to:").keys("tr a-z A-Z\r").see("WORDS OF A SERVER").loaded();
}

#[test]
fn it_can_be_switched_off_and_says_so() {
    let mut terminal = Terminal::start(&["-o", "sandbox=never", "about:safety"]);
    terminal.see("Nothing keeps what reads from servers").see("say so (sandbox)").loaded();
    assert!(threads(terminal.id()).iter().all(|(_, free)| *free));
}

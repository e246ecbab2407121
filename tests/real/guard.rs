//! No server outlives the tests that started it, however they end.

use crate::servers::{Guarded, PATIENCE, guarded};
use std::io::Read;
use std::process::{Command, Stdio};

/// Set in the process that is to be killed.
const HOLDS: &str = "WAYFARER_TEST_HOLDS_A_SERVER";

/// A killed run of the tests left the servers written in Python behind, and an interrupted benchmark its innd.
#[test]
fn a_server_ends_with_the_process_that_started_it() {
    if std::env::var_os(HOLDS).is_some() {
        let mut command = guarded("/bin/sh");
        let _server =
            Guarded::start(command.args(["-c", "sleep 1000 & echo running; exec sleep 1000"]).stdout(Stdio::inherit()));
        std::thread::park();
    }
    let own = "guard::a_server_ends_with_the_process_that_started_it";
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", own, "--nocapture"]).env(HOLDS, "yes").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut running = command.spawn().unwrap();
    let mut out = running.stdout.take().unwrap();
    let mut said = Vec::new();
    while !said.ends_with(b"running\n") {
        let mut octet = [0];
        out.read_exact(&mut octet).unwrap();
        said.extend(octet);
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(out.read_to_end(&mut Vec::new())));
    assert!(ended.recv_timeout(PATIENCE).is_ok(), "its output is still held open");
}

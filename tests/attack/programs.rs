//! Promise 6, programs run only when the reader says yes, with an argument vector that no address can change, and never
//! through a shell.

use crate::host::{Host, page};
use crate::tally::Tally;
use crate::terminal::Terminal;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const PROMISE: &str = "6 programs";

/// What a part of an address may hold to become an option, a command, another argument or another mark.
const ATTACKS: [&str; 24] = [
    "-oProxyCommand=touch%20owned",
    "%2doProxyCommand=touch%20owned",
    "--help",
    "-",
    "a;touch%20owned",
    "a$(touch%20owned)",
    "$(touch${IFS}owned)",
    "`touch%20owned`",
    "a|touch%20owned",
    "a&touch%20owned&",
    "a&&touch%20owned",
    "a%0atouch%20owned",
    "a%0dtouch%20owned",
    "a%00b",
    "a%09b",
    "a%20b",
    "a'b",
    "a\"b",
    "a%3e%20owned",
    "{url}",
    "{port}",
    "{file}",
    "*",
    "~",
];

/// Addresses that open with programs, `{}` for the attack, and how many arguments their programs have.
const ADDRESSES: [(&str, usize); 9] = [
    ("telnet://{}/", 2),
    ("telnet://{}:23/", 2),
    ("telnet://host:{}/", 2),
    ("telnet://{}@host/", 2),
    ("rlogin://{}@host/", 2),
    ("tn3270://{}/", 1),
    ("x-call:{}", 1),
    ("mailto:{}", 1),
    ("mailto:a@b?subject={}&attach={}", 1),
];

/// What the page of a service has for its first link.
const STARTS: &str = "Start it in this terminal";

/// A program that notes how it was called, in a folder with settings that name it.
struct Called {
    folder: tempfile::TempDir,
}

impl Called {
    fn new() -> Called {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        // Each argument ends with a NUL, each call with a line.
        let script =
            "#!/bin/sh\nexec >>\"$(dirname \"$0\")/called\"\nfor word; do printf '%s\\0' \"$word\"; done\necho\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let program = program.to_str().unwrap();
        let handler = |name: &str, arguments: &str| format!("{name:?} = [{program:?}{arguments}]\n");
        let settings = [
            "[handlers]\n".into(),
            handler("telnet", ", \"{host}\", \"{port}\""),
            handler("rlogin", ", \"{user}\", \"{host}\""),
            handler("tn3270", ", \"{host}:{port}\""),
            handler("x-call", ", \"{url}\""),
            handler("mailto", ", \"{url}\""),
            handler("image/*", ", \"{file}\""),
        ];
        fs::write(folder.path().join("settings.toml"), settings.concat()).unwrap();
        Called { folder }
    }

    fn settings(&self) -> String {
        self.folder.path().join("settings.toml").to_str().unwrap().into()
    }

    /// The argument vectors of all calls so far.
    fn calls(&self) -> Vec<Vec<String>> {
        let text = fs::read(self.folder.path().join("called")).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let words = |line: &str| line.split_terminator('\0').map(String::from).collect();
        // A call that is being written is none yet.
        let whole = text.rsplit_once("\0\n").map_or("", |(whole, _)| whole);
        whole.split("\0\n").filter(|line| !line.is_empty()).map(words).collect()
    }
}

/// What a call has to look like.
fn wrong(call: &[String], arguments: usize) -> Option<String> {
    if call.len() != arguments {
        return Some(format!("{} arguments: {call:?}", call.len()));
    }
    call.iter()
        .find(|word| word.starts_with('-') || word.contains(['\n', '\r']))
        .map(|word| format!("{word:?} is an argument"))
}

/// Whether a file that only a shell makes is anywhere.
fn owned(folders: &[&Path]) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join("owned")).find(|file| file.exists())
}

/// Every address with every attack: nothing runs before a yes, nothing after a no, and after a yes what was shown.
pub fn addresses(tally: &Tally) {
    let called = Called::new();
    let mut terminal = Terminal::start_with(&["-c", &called.settings(), "about:home"], 120, 40, &[]);
    terminal.see("Where to go");
    for (at, (address, arguments)) in ADDRESSES.iter().enumerate() {
        let step = if crate::whole() { 1 } else { 3 };
        for attack in ATTACKS.iter().skip(at % step).step_by(step) {
            let url = address.replace("{}", attack);
            let scheme = &address[..address.find(':').unwrap()];
            let before = called.calls().len();
            terminal.keys("g").see("open:").keys(&url).keys("\r");
            terminal.burst(":zzz").frame_that(&url, |screen| {
                let screen = screen.contents();
                screen.contains('┌') || screen.contains("zzz")
            });
            let row = (PROMISE, scheme, "asked before");
            tally.hold(row, called.calls().len() == before, || format!("{url} ran unasked"));
            if terminal.screen().contains(STARTS) && !terminal.screen().contains('┌') {
                // The page of a service: its first link asks.
                terminal.keys("\x1b").see_no("zzz").keys("\r").burst(":zzz").frame_that(&url, |screen| {
                    let screen = screen.contents();
                    screen.contains('┌') || screen.contains("zzz")
                });
            }
            let asked = terminal.screen().contains("run it");
            if asked && attack.len() % 2 == 0 {
                terminal.keys("n").see_no("┌");
                tally.hold((PROMISE, scheme, "no"), called.calls().len() == before, || format!("{url} ran after a no"));
            } else if asked {
                let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
                terminal.keys("y");
                while called.calls().len() == before && std::time::Instant::now() < deadline {
                    std::thread::yield_now();
                }
                let calls = called.calls();
                let against = match calls.get(before) {
                    Some(call) => wrong(call, *arguments).map(|why| format!("{url}: {why}")),
                    None => Some(format!("{url} does not run")),
                };
                tally.judge((PROMISE, scheme, "yes"), against);
                terminal.see_no("run it");
                after_a_run(&mut terminal);
            } else {
                tally.refused((PROMISE, scheme, "not run at all"));
                terminal.keys("\x1b").see_no("zzz").see_no("┌");
            }
            if terminal.screen().contains(STARTS) {
                terminal.keys("gabout:home\r").see("Where to go");
            }
        }
    }
    let owned = owned(&[terminal.home(), called.folder.path()]);
    tally.hold((PROMISE, "all", "no shell"), owned.is_none(), || format!("{owned:?}"));
    terminal.keys("Q");
}

/// Waits until the screen is the browser's again.
fn after_a_run(terminal: &mut Terminal) {
    terminal.frame_that("the browser's own screen", |screen| screen.alternate_screen());
    terminal.burst(":zzz").see("zzz").keys("\x1b").see_no("zzz");
}

/// What a server says of a file goes into no argument, and the file's name leads nowhere.
pub fn bodies(tally: &Tally) {
    let called = Called::new();
    let names =
        ["-rf", "a b;touch owned", "$(touch owned)", "../../owned", "`touch owned`", "a\u{9b}31m", "--help", "|x"];
    let host = Host::web(move |target, _| {
        let name = target.trim_matches('/').parse::<usize>().ok().and_then(|at| names.get(at)).unwrap_or(&"x");
        page(format!("Content-Type: image/x-{}\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n", "a"), "x")
    });
    for (at, name) in names.iter().enumerate() {
        let url = format!("http://127.0.0.1:{}/{at}", host.port);
        let mut terminal = Terminal::start_with(&["-c", &called.settings(), &url], 120, 40, &[]);
        terminal.see("┌");
        let before = called.calls().len();
        tally.hold((PROMISE, "http", "asked before"), before == at, || format!("{name} ran unasked"));
        terminal.keys("o").see("open with").keys("\r").see("run it").keys("y");
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
        while called.calls().len() == before && std::time::Instant::now() < deadline {
            std::thread::yield_now();
        }
        let calls = called.calls();
        let against = match calls.get(before) {
            Some(call) => wrong(call, 1).or_else(|| (!call[0].starts_with('/')).then(|| format!("{call:?}"))),
            None => Some(format!("{name} does not run")),
        };
        tally.judge((PROMISE, "http", "yes"), against);
        let owned = owned(&[terminal.home(), called.folder.path()]);
        tally.hold((PROMISE, "http", "no shell"), owned.is_none(), || format!("{owned:?}"));
    }
}

/// With --safe nothing runs, whatever is agreed to.
pub fn safe(tally: &Tally) {
    let called = Called::new();
    let mut terminal = Terminal::start_with(&["--safe", "-c", &called.settings(), "about:home"], 120, 40, &[]);
    terminal.see("Where to go");
    for (address, _) in ADDRESSES {
        let url = address.replace("{}", "host");
        terminal.keys("g").see("open:").keys(&url).keys("\r");
        terminal
            .burst(":zzz")
            .frame_that(&url, |screen| screen.contents().contains('┌') || screen.contents().contains("zzz"));
        if terminal.screen().contains("run it") {
            terminal.keys("y").see_no("run it").burst(":zzz").see("zzz");
        }
        terminal.keys("\x1b").see_no("┌").see_no("zzz");
        tally.hold((PROMISE, "all", "--safe"), called.calls().is_empty(), || format!("{url} ran"));
    }
    terminal.keys(":pipe touch owned\r:zzz").see("zzz");
    let owned = owned(&[terminal.home()]);
    tally.hold((PROMISE, "all", "--safe"), owned.is_none(), || "a pipe ran".into());
}

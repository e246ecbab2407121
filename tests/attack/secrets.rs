//! Promise 5, a password in an address is nowhere to be seen afterwards: every octet that is written and every file
//! that is kept is searched for it, in every coding.

use crate::host::{Host, Said, html, page};
use crate::tally::Tally;
use crate::terminal::{Terminal, piped};
use std::fs;
use std::path::{Path, PathBuf};

const PROMISE: &str = "5 secrets";
const PASSWORD: &str = "s3cr3tPassw0rd";

/// The password as it is, backwards through the codings that may hold it.
fn codings() -> Vec<(&'static str, Vec<u8>)> {
    let base64 = |text: &str| {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = Vec::new();
        for three in text.as_bytes().chunks(3) {
            let bits = three.iter().fold(0_u32, |bits, octet| bits << 8 | u32::from(*octet)) << (8 * (3 - three.len()));
            out.extend((0..=three.len()).map(|at| LETTERS[(bits >> (18 - 6 * at)) as usize & 63]));
        }
        out
    };
    let percent = |text: &str| text.bytes().flat_map(|octet| format!("%{octet:02x}").into_bytes()).collect();
    let hex = |text: &str| text.bytes().flat_map(|octet| format!("{octet:02x}").into_bytes()).collect();
    let upper = PASSWORD.to_ascii_uppercase();
    vec![
        ("as it is", PASSWORD.into()),
        ("in lower case", PASSWORD.to_ascii_lowercase().into()),
        ("in upper case", upper.into()),
        ("by percent", percent(PASSWORD)),
        ("in hexadecimal", hex(PASSWORD)),
        ("in base64", base64(PASSWORD)),
        ("in base64 after the user", base64(&format!("user:{PASSWORD}"))),
    ]
}

/// Where a text holds the password.
fn found(octets: &[u8]) -> Option<String> {
    codings().into_iter().find_map(|(name, coded)| {
        let at = octets.windows(coded.len()).position(|here| here == coded)?;
        let around = &octets[at.saturating_sub(60)..(at + 40).min(octets.len())];
        Some(format!("{name}: {:?}", String::from_utf8_lossy(around)))
    })
}

/// The first file below a folder that holds the password, in its name or in itself.
fn kept(folder: &Path) -> Option<String> {
    let (mut folders, mut files) = (vec![folder.to_path_buf()], Vec::<PathBuf>::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.into_iter().find_map(|file| {
        let name = found(file.as_os_str().as_encoded_bytes());
        name.or_else(|| found(&fs::read(&file).unwrap_or_default())).map(|why| format!("{}, {why}", file.display()))
    })
}

/// Servers that repeat what they are told, as far as they are told it.
fn servers() -> Vec<(&'static str, Host)> {
    let ftp = Host::ftp(|verb, rest, user| match (verb, user) {
        ("PASS", "refused") => Some(Said::Reply(format!("530 Login PASS {rest} incorrect\r\n").into_bytes())),
        ("PASS", "welcome") => Some(Said::Reply(format!("230-Your password is {rest}\r\n230 in\r\n").into_bytes())),
        ("PASS", "torn") => {
            let (head, tail) = rest.split_at(6);
            Some(Said::Reply(format!("230-It is {head}\x1b[1m{tail}\r\n230 {head}\u{ad}{tail}\r\n").into_bytes()))
        }
        ("CWD", _) => Some(Said::Reply(b"550 no\r\n".to_vec())),
        ("LIST", _) => Some(Said::Data(b"-rw-r--r--   1 ftp  ftp   14 Nov 21 03:01 file\r\n".to_vec())),
        _ => None,
    });
    let news = Host::news(|line, _| {
        let word = line.strip_prefix("AUTHINFO PASS ")?;
        Some(format!("481 {word} is wrong\r\n").into_bytes())
    });
    let web = Host::web(|target, _| {
        match target {
        "/moved" => b"HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: /page\r\n\r\n".to_vec(),
        "/elsewhere" => format!("HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: ftp://user:{PASSWORD}@h/x\r\n\r\n").into_bytes(),
        "/host" => format!("HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: http://{PASSWORD}.invalid:1/\r\n\r\n").into_bytes(),
        "/port" => format!("HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: http://127.0.0.1:{PASSWORD}/\r\n\r\n").into_bytes(),
        "/scheme" => format!("HTTP/1.1 302 {PASSWORD}\r\nConnection: close\r\nContent-Length: 0\r\nLocation: gopher://{PASSWORD}.h/0/{PASSWORD}\r\n\r\n").into_bytes(),
        "/page" => html(format!("<title>page</title><p>text <a href=\"ftp://user:{PASSWORD}@127.0.0.1:9/x\">link</a> <a href=/next>next</a>")),
        "/401" => b"HTTP/1.1 401 No\r\nConnection: close\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno".to_vec(),
        "/file" => page("Content-Type: x/y\r\n", "file"),
        _ => html("<title>next</title><p>next"),
    }
    });
    let gopher = Host::gopher(|_| b"0item\t/x\th\t70\r\n.\r\n".to_vec());
    vec![("ftp", ftp), ("news", news), ("http", web), ("gopher", gopher)]
}

/// Addresses with the password; `{}` is the server.
const ADDRESSES: [(&str, &str); 20] = [
    ("ftp", "ftp://user:{p}@{}/"),
    ("ftp", "ftp://user:{p}@{}/file"),
    ("ftp", "ftp://user:{p}@{}/missing/"),
    ("ftp", "ftp://refused:{p}@{}/"),
    ("ftp", "ftp://welcome:{p}@{}/"),
    ("ftp", "ftp://torn:{p}@{}/"),
    ("news", "news://user:{p}@{}/group"),
    ("news", "nntp://user:{p}@{}/group/1"),
    ("http", "http://user:{p}@{}/page"),
    ("http", "http://user:{p}@{}/moved"),
    ("http", "http://user:{p}@{}/elsewhere"),
    ("http", "http://user:{p}@{}/host"),
    ("http", "http://user:{p}@{}/port"),
    ("http", "http://user:{p}@{}/scheme"),
    ("http", "http://user:{p}@{}/401"),
    ("http", "http://user:{p}@{}/file"),
    ("http", "http:/user:{p}@{}/page"),
    ("gopher", "gopher://user:{p}@{}/1/"),
    ("ftp", "ftp://user:{p}@127.0.0.1:1/"),
    ("http", "http://user:{p}@host name/"),
];

fn addresses(servers: &[(&'static str, Host)]) -> Vec<(&'static str, String)> {
    let port = |protocol| servers.iter().find(|(name, _)| *name == protocol).unwrap().1.port;
    let url = |(protocol, url): &(&'static str, &str)| {
        (*protocol, url.replace("{p}", PASSWORD).replace("{}", &format!("127.0.0.1:{}", port(*protocol))))
    };
    ADDRESSES.iter().map(url).collect()
}

/// Printed in every way: what is written, and what is kept.
pub fn printed(tally: &Tally) {
    assert!(found(format!("x {PASSWORD} y").as_bytes()).is_some() && found(b"dXNlcjpzM2NyM3RQYXNzdzByZA==").is_some());
    let servers = servers();
    for (protocol, url) in addresses(&servers) {
        for option in ["--dump", "--links", "--head"] {
            let home = tempfile::tempdir().unwrap();
            let run = piped(home.path()).args([option, &url]).output().unwrap();
            let against = found(&run.stdout).or_else(|| found(&run.stderr));
            tally.judge((PROMISE, protocol, "printed"), against.map(|why| format!("{option} {url}: {why}")));
            tally.judge((PROMISE, protocol, "kept by a print"), kept(home.path()));
        }
    }
    // Everything came at least as far as the servers.
    let told = |(_, host): &(&str, Host)| host.heard().iter().any(|visit| found(visit).is_some());
    assert!(servers[..3].iter().all(told), "the servers are told it");
    // And no server is told by whom one was sent, or what for another was.
    for visit in servers[2].1.heard() {
        let referer = String::from_utf8_lossy(&visit).to_ascii_lowercase().contains("referer");
        tally.hold((PROMISE, "http", "referer"), !referer, || "a Referer was sent".into());
    }
}

/// Leaves whatever has opened, with what was typed into it.
fn leave(terminal: &mut Terminal) {
    let open = |screen: &str| screen.contains("zzz") || screen.contains('┌');
    terminal.frame_that("something to leave", |screen| open(&screen.contents()));
    terminal.keys("\x1b").frame_that("a page, or a question", |screen| {
        let screen = screen.contents();
        !open(&screen) || screen.contains("y close it")
    });
    if terminal.screen().contains("y close it") {
        terminal.keys("y").frame_that("a page", |screen| !open(&screen.contents()));
    }
}

/// On the screen: the page, its anatomy, links, history, bookmarks, downloads, complaints, the clipboard, the window's
/// title, the session and a recording.
pub fn shown(tally: &Tally) {
    let servers = servers();
    // What is no address ends the program before there is a screen.
    let starts = |url: &str| !url.starts_with("http:/user") && !url.contains("host name");
    for (protocol, url) in addresses(&servers).into_iter().filter(|(_, url)| starts(url)) {
        let mut terminal = Terminal::start_with(&["--record", "run.jsonl", "--record-octets", &url], 120, 40, &[]);
        terminal.frame_that("a page, a question or why there is none", |screen| {
            let screen = screen.contents();
            let came = ["┌", " ms", "next  ", "failed", "tried "];
            came.iter().any(|word| screen.contains(word))
        });
        terminal.burst(":zzz");
        leave(&mut terminal);
        for keys in [
            "=",
            "y",
            "Y",
            "\t",
            "=",
            "O",
            "G",
            "E",
            "a",
            "M",
            "S",
            ":complaints\r",
            ":history\r",
            ":bookmarks\r",
            "D",
            "X",
        ] {
            // Something harmless is typed behind it, so that all before it is done.
            terminal.keys(keys).burst(":zzz");
            leave(&mut terminal);
        }
        terminal.keys("Q").end();
        let raw = terminal.drained().raw();
        tally.judge((PROMISE, protocol, "on the screen"), found(&raw).map(|why| format!("{url}: {why}")));
        tally.judge((PROMISE, protocol, "kept"), kept(terminal.home()).map(|why| format!("{url}: {why}")));
    }
}

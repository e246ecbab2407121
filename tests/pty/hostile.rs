//! A server that wants the terminal: escape sequences, control characters and reordered text in every field that it fills.

use crate::server::{Answer, Server, whole};
use crate::terminal::{Terminal, piped};

/// What a server sends to take a terminal over; each holds the marker, so that its words can be found where they land.
fn attacks() -> Vec<Vec<u8>> {
    let mut attacks: Vec<Vec<u8>> = [
        "\x1b]52;c;EVILMARK\x07",
        "\x1b]0;EVILMARK\x07",
        "\x1b]8;;http://EVILMARK/\x1b\\",
        "\x1b[31mEVILMARK\x1b[0m",
        "\x1b[2J\x1b[HEVILMARK",
        "\x1bPEVILMARK\x1b\\",
        "\x1b_EVILMARK\x1b\\",
        "\x1bcEVILMARK",
        "\x1b[?1049lEVILMARK",
        "\u{9b}31mEVILMARK",
        "\u{9d}52;c;EVILMARK\u{9c}",
        "\u{202e}EVILMARK\u{202c}",
        "\u{2066}EVILMARK\u{2069}\u{200f}",
        "\x1b]2;EVILMARK",
    ]
    .into_iter()
    .map(|attack| attack.as_bytes().to_vec())
    .collect();
    // Bare C1 octets, as a Latin-1 server sends them.
    attacks.push(b"\x9b31mEVILMARK \x9d52;c;EVILMARK\x9c".to_vec());
    attacks
        .extend((0..32_u8).filter(|c| ![b'\n', b'\r', b'\t'].contains(c)).map(|c| [&[c], &b"EVILMARK"[..]].concat()));
    attacks.push(b"\x7fEVILMARK".to_vec());
    attacks
}

/// A menu with the attacks as names, selectors and hosts.
fn menu() -> Vec<u8> {
    let mut menu = Vec::new();
    for attack in attacks() {
        let kept: Vec<u8> = attack.iter().copied().filter(|c| *c != 0).collect();
        for (kind, selector, host) in [
            (&b"0"[..], &b"/x"[..], &b"127.0.0.1"[..]),
            (b"i", b"", b"x"),
            (b"1", &kept, b"127.0.0.1"),
            (b"1", b"/x", &kept),
        ] {
            menu.extend([kind, &attack, b"\t", selector, b"\t", host, b"\t{port}\r\n"].concat());
        }
    }
    menu.extend(b".\r\n");
    menu
}

fn lines() -> Vec<u8> {
    attacks().join(&b"\r\n"[..])
}

fn server() -> Server {
    let error = b"3Bad \x1b]52;c;EVILMARK\x07\x1b[31mEVILMARK\t\terror\t1\r\n.\r\n";
    let mut bin = vec![0, 1, 2, 255, 254];
    bin.extend(lines());
    Server::start(vec![
        ("", whole(menu())),
        ("/text", whole(lines())),
        ("/error", whole(error)),
        ("/bin", whole(bin)),
        ("/cut", Answer::Dropped(lines())),
        ("/plus\t!", whole(b"--1\r\n1 \x1b]0;EVILMARK\x07\r\n")),
        ("/plus\t\t+", whole(b"--1\r\n1 \x1b]0;EVILMARK\x07 \x9b31mEVILMARK, the last page\r\n")),
    ])
}

/// What was written without what we say to the terminal ourselves: titles of the window, which end in our name, and marks of
/// links. Neither holds anything that a terminal obeys. And the one question for its ground.
fn without_ours(text: &str) -> String {
    let text = text.replacen("\x1b]11;?\x07", "", 1);
    let mut parts = text.split("\x1b]8;;");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once("\x1b\\") {
            Some((url, rest)) if !url.contains(|c: char| c.is_control() || c == ' ') => out.push_str(rest),
            _ => out.push_str(&format!("\x1b]8;;{part}")),
        }
    }
    without_titles(&out)
}

fn without_titles(text: &str) -> String {
    let mut parts = text.split("\x1b]0;");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(" - Wayfarer\x07") {
            Some((title, rest)) if !title.contains(char::is_control) => out.push_str(rest),
            _ => out.push_str(&format!("\x1b]0;{part}")),
        }
    }
    out
}

/// Fails when the marker stands in what begins like a sequence, or when a control character of the server got through.
fn harmless(what: &str, written: &[u8]) {
    let text = String::from_utf8(written.to_vec()).unwrap_or_else(|_| panic!("{what}: no UTF-8 is written"));
    let text = without_ours(&text);
    let shown = |at: usize| {
        format!("{what}: {:?}", &text[text.floor_char_boundary(at.saturating_sub(40))..(at + 8).min(text.len())])
    };
    for (at, _) in text.match_indices("EVILMARK") {
        let before = &text[..at];
        let sequence = before.rfind('\x1b').map_or("", |from| &before[from..]);
        // Cursor moves and colours of our own end before the marker: CSI, parameters, one final letter.
        let ends = sequence.strip_prefix("\x1b[").and_then(|rest| rest.find(|c: char| ('@'..='~').contains(&c)));
        assert!(sequence.is_empty() || ends.is_some(), "{}", shown(at));
        let theirs = ["\x1b[31m", "\x1b[2J", "\x1b[H", "\x1b[?1049l"].contains(&sequence);
        assert!(!theirs, "{}", shown(at));
    }
    let bad = |c: char| {
        matches!(c, '\0'..='\x06' | '\x07' | '\x0b' | '\x0c' | '\x0e'..='\x1a' | '\x1c'..='\x1f' | '\x7f'..='\u{9f}')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(at) = text.find(bad) {
        panic!("{} is written: {}", text[at..].chars().next().unwrap().escape_unicode(), shown(at));
    }
    for sequence in ["\x1bc", "\x1bP", "\x1b_", "\x1b]0", "\x1b]2;", "\x1b]8", "\x1b]52"] {
        assert!(!text.contains(sequence), "{what}: {sequence:?}");
    }
}

#[test]
fn on_the_screen() {
    let server = server();
    let mut terminal = Terminal::start(&[&server.url("1")]);
    terminal.see("EVILMARK");
    for _ in 0..12 {
        // Looked at in parts, so that every name, URL and request is shown.
        terminal.keys("=").see("Anatomy").keys("\x1b[F").keys("\x1b").see_no("Anatomy").keys("\t\t\t\t\t");
    }
    terminal.keys("O").see("/ type").keys("\x1b[F").keys("\x1b").see_no("/ type").keys("\x1b[F").see(" Bot ");
    terminal.keys("\\").see("EVILMARK").keys("\\");
    // So many control characters are no text by themselves.
    terminal
        .keys("g")
        .see("open:")
        .keys(&server.url("0/text"))
        .keys("\r")
        .see("show as text")
        .keys("t")
        .see(" text  /text");
    for (path, expected) in [("1/error", "(ERR)"), ("1/cut", "cut short"), ("1/plus%09%09+", "the last page")] {
        terminal.keys("g").see("open:").keys(&server.url(path)).keys("\r").see_no("open:").see(expected);
        terminal.keys("\x1b[F").keys("w").see("long lines run on").keys("w").see("long lines wrap");
    }
    terminal.keys("C").see("windows-1252").keys("windows-1252\r").see("windows-1252").see("EVILMARK");
    terminal.keys("q").end();
    let raw = terminal.drained().raw();
    harmless("screen", &raw);
}

#[test]
fn typed_and_given_addresses_are_shown_harmlessly() {
    let server = server();
    let url = server.url("0/x%1b%5d0;EVILMARK%07%9b31mEVILMARK%e2%80%aeEVILMARK");
    let mut terminal = Terminal::start(&[&url]);
    terminal.see("Nothing of this name").keys("=").see("Anatomy").keys("\x1b").see_no("Anatomy");
    terminal.keys("S").see("save as:").keys("\x1b").see_no("save as:").keys("q").end();
    harmless("screen", &terminal.drained().raw());
}

#[test]
fn names_of_files_are_harmless() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("\x1b]0;EVILMARK\x07\x1b[31mEVILMARK\u{202e}txt.exe"), "x").unwrap();
    std::fs::write(folder.path().join("two\nlines EVILMARK"), "x").unwrap();
    let mut terminal = Terminal::start(&[folder.path().to_str().unwrap()]);
    terminal.see("EVILMARK").keys("=").see("Anatomy").keys("\x1b").see_no("Anatomy").keys("\t\r").see("x");
    terminal.keys("q").end();
    harmless("folder", &terminal.drained().raw());
}

#[test]
fn printed() {
    let (server, home) = (server(), tempfile::tempdir().unwrap());
    for option in ["--dump", "--links", "--head"] {
        for path in ["1", "0/text", "1/error", "9/bin", "1/cut", "1/plus%09%09+", "1/x%1b[31mEVILMARK%0d%0aEVILMARK"] {
            let run = piped(home.path()).args([option, &server.url(path)]).output().unwrap();
            harmless(&format!("{option} {path}"), &run.stdout);
            harmless(&format!("{option} {path} errors"), &run.stderr);
            assert!(!run.stdout.contains(&0x1b) && !run.stderr.contains(&0x1b), "{option} {path}");
        }
    }
}

#[test]
fn the_source_is_raw_only_where_no_terminal_reads_it() {
    let (server, home) = (server(), tempfile::tempdir().unwrap());
    let run = piped(home.path()).args(["--source", &server.url("0/text")]).output().unwrap();
    assert_eq!(run.stdout, lines());
    let mut terminal = Terminal::start(&["--source", &server.url("0/text")]);
    assert_eq!(terminal.end(), 0);
    let raw = terminal.drained().raw();
    harmless("source", &raw);
    assert!(!raw.contains(&0x1b) && String::from_utf8_lossy(&raw).contains("EVILMARK"));
}

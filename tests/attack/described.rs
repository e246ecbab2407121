//! Promise 1 in certificates: what one says of itself is text wherever it is told, in the file of known ones too.

use crate::octets::{self, Sink};
use crate::tally::Tally;
use crate::terminal::Terminal;
use crate::tls::{PROMISE, again, host, signed};
use crate::vector::vectors;
use rcgen::{CertificateParams, DnType, DnValue, SanType};
use rustls::ServerConfig;
use std::net::TcpListener;
use std::sync::Arc;

/// The screen, on which all of a question has room.
const WIDTH: u16 = 200;
const HEIGHT: u16 = 50;
/// Vectors in one certificate.
const AT_ONCE: usize = 12;

/// A certificate whose owner and names are these; a host's name is ASCII by its form.
fn certificate(text: &str) -> Arc<ServerConfig> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    for kind in [DnType::CommonName, DnType::OrganizationName, DnType::CountryName] {
        params.distinguished_name.push(kind, DnValue::Utf8String(text.into()));
    }
    let ascii: String = text.chars().filter(char::is_ascii).collect();
    if let (true, Ok(name)) = (text.len().is_multiple_of(2), ascii.try_into()) {
        params.subject_alt_names.push(SanType::DnsName(name));
    }
    signed(params, false)
}

/// What certificates are made of: vectors, line ends, marks without end, what no host is called.
fn texts() -> Vec<String> {
    let all: Vec<String> = vectors().iter().map(|v| String::from_utf8_lossy(&v.octets).into_owned()).collect();
    let mut texts: Vec<String> = all.chunks(AT_ONCE).map(|some| some.join("-")).collect();
    texts.push("one\r\n127.0.0.1:1 0000 today\rtwo\nthree".into());
    texts.push(format!("a{}", "\u{301}".repeat(1000)));
    texts.push("\u{115f}\u{1160}\u{3164}\u{ffa0}\u{202e}txt".into());
    texts.push("long ".repeat(1000));
    texts
}

/// A first visit, a changed certificate and the question about it: on the screen and in the file.
pub fn described(tally: &Tally) {
    let row = (PROMISE, "gophers", "names in certificates");
    let texts = texts();
    let step = if crate::whole() { 1 } else { 3 };
    let some = (0..texts.len()).filter(|at| at % step == 0 || at + 4 >= texts.len());
    for text in some.map(|at| &texts[at]) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let first = host("gophers", listener, certificate(text));
        let port = first.port;
        let url = format!("gophers://127.0.0.1:{port}/0/x");
        let mut terminal = Terminal::start_with(&[&url], WIDTH, HEIGHT, &[]);
        terminal.see("it came through").loaded().keys("=").see("Where you are").keys("\x1b").see_no("Where you are");
        drop(first);
        let second = host("gophers", again(port), certificate(&format!("{text}!")));
        terminal.keys("gabout:home\r").see("Where to go").keys(&format!("g{url}\r")).see("REFUSED");
        terminal.keys(":trust\r").see("Shown now");
        let mut taken = false;
        while !taken {
            // What has just come takes no key yet.
            terminal.keys("y").see_that("an answer", |screen| {
                taken = screen.contains("it came through");
                taken || screen.contains("press that again")
            });
        }
        terminal.keys("Q").end();
        let raw = terminal.drained().raw();
        for (_, why) in octets::foreign(&raw, Sink::Screen(WIDTH, HEIGHT)) {
            tally.fail(row, format!("{text:?} on the screen: {why}"));
        }
        let pins = std::fs::read(terminal.home().join(".local/state/wayfarer/pins"))
            .or_else(|_| std::fs::read(terminal.home().join(".local/share/wayfarer/pins")))
            .unwrap();
        let foreign = octets::foreign(&pins, Sink::Piped).into_iter().map(|(_, why)| why).next();
        let marks = String::from_utf8_lossy(&pins).chars().filter(|c| *c == '\u{301}').count();
        let lines = pins.split(|octet| *octet == b'\n').filter(|line| !line.is_empty()).count();
        let against = foreign
            .or_else(|| (lines != 2).then(|| format!("{lines} lines")))
            .or_else(|| (marks > 30).then(|| format!("{marks} marks")));
        tally.judge(row, against.map(|why| format!("{text:?} in the file: {why}")));
        drop(second);
    }
}

//! Promise 2 once more, by the fields of gopher's menus: they are octets that no address has to code.

use crate::host::Host;
use crate::lines::{PROMISE, gopher};
use crate::tally::Tally;
use crate::terminal::Terminal;

/// Fields of a menu as octets, which no address has to code; each item is followed.
pub fn followed(tally: &Tally) {
    let octets: [&[u8]; 8] =
        [b"a\rEVIL", b"a\0EVIL", b"\r", b"\0", b"a\r\0EVIL", b"a\x0b\x0cEVIL", b"a%0d%0aEVIL", b"a\xc2\x85EVIL"];
    let host = Host::gopher(|_| b"iit came through\t\t\t\r\n.\r\n".to_vec());
    let at = host.port.to_string();
    let menu = Host::gopher(move |line| {
        let attack = line.strip_prefix("/menu").and_then(|number| octets.get(number.parse::<usize>().ok()?)).unwrap();
        let port = at.as_bytes();
        [
            b"iMenu under attack\t\t\t\r\n1selector\t",
            *attack,
            b"\t127.0.0.1\t",
            port,
            b"\r\n1host\t/x\t127.0.0.1",
            *attack,
            b"\t",
            port,
            b"\r\n1port\t/x\t127.0.0.1\t",
            port,
            *attack,
            b"\r\n1plus\t/x\t127.0.0.1\t",
            port,
            b"\t+",
            *attack,
            b"\r\n.\r\n",
        ]
        .concat()
    });
    let mut terminal = Terminal::start_with(&["about:home"], 120, 50, &[]);
    terminal.see("Where to go");
    for number in 0..octets.len() {
        for item in 1..=4 {
            let url = format!("gopher://127.0.0.1:{}/1/menu{number}", menu.port);
            terminal.keys("g").see("open:").keys(&url).keys("\r").see_no("open:").see("Menu under attack").loaded();
            terminal.keys(&format!("{item}\r")).burst(":zzz").frame_that("an answer", |screen| {
                let screen = screen.contents();
                screen.contains("zzz") || screen.contains('┌')
            });
            terminal.keys("\x1b").see_no("zzz").see_no("┌").keys("gabout:home\r").see("Where to go");
            tally.harmless((PROMISE, "gopher", "menus"));
        }
    }
    terminal.keys("Q").end();
    for visit in host.heard() {
        if let Some(why) = gopher(&visit) {
            tally.fail((PROMISE, "gopher", "menus"), format!("{why}: {:?}", String::from_utf8_lossy(&visit)));
        }
    }
    assert!(!host.heard().is_empty(), "what is harmless comes through");
}

//! Promise 4, ports of other protocols are not talked to, other odd ones only after a question; and FTP's data come
//! from the server that was asked.

use crate::door::{Door, Visitors};
use crate::host::{Host, Said, html};
use crate::tally::Tally;
use crate::terminal::{Terminal, piped};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

const PROMISE: &str = "4 ports";

/// The web's list of bad ports (Fetch, 2.9), written down a second time.
const BAD: [u16; 82] = [
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
    540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
    6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// Schemes and their own ports.
const SCHEMES: [(&str, u16); 9] = [
    ("gopher", 70),
    ("gophers", 70),
    ("ftp", 21),
    ("ftps", 990),
    ("http", 80),
    ("https", 443),
    ("news", 119),
    ("nntp", 119),
    ("nntps", 563),
];

/// Whether a port is the scheme's own; FTP's own is where AUTH TLS is spoken (RFC 4217).
fn is_own(scheme: &str, own: u16, port: u16) -> bool {
    port == own || (scheme, port) == ("ftps", 21)
}

/// What a refusal says.
const REFUSED: &str = "belongs to another protocol";

/// Counts whoever comes.
fn count(visitors: Visitors, met: &AtomicUsize) {
    for _ in visitors {
        met.fetch_add(1, Ordering::SeqCst);
    }
}

/// Every bad port for every scheme, typed, and spelled so that a number is not seen at once.
pub fn typed(tally: &Tally) {
    let home = tempfile::tempdir().unwrap();
    // Those that somebody may listen on are listened on.
    let met = Arc::new(AtomicUsize::new(0));
    let listeners: Vec<Door> = BAD
        .iter()
        .filter(|port| **port > 1024)
        .filter_map(|port| TcpListener::bind(("127.0.0.1", *port)).ok())
        .map(|listener| {
            let (door, visitors) = Door::open(listener);
            let met = Arc::clone(&met);
            std::thread::spawn(move || count(visitors, &met));
            door
        })
        .collect();
    for (scheme, own) in SCHEMES {
        let bad: Vec<u16> = BAD.iter().copied().filter(|port| !is_own(scheme, own, *port)).collect();
        let zeros = ["", "0", "000"];
        let urls = bad.iter().flat_map(|port| zeros.map(|zeros| format!("{scheme}://127.0.0.1:{zeros}{port}/x")));
        let run = piped(home.path()).arg("--dump").args(urls).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        for port in bad {
            let refused = said.matches(&format!("port {port} {REFUSED}")).count();
            match refused {
                3 => (0..3).for_each(|_| tally.refused((PROMISE, scheme, "typed"))),
                _ => tally.fail((PROMISE, scheme, "typed"), format!("port {port} is refused {refused} times of 3")),
            }
        }
        let odd = ["65561", "4294967321", "+25", "%32%35", "0x19", "25%20", "\u{662}\u{665}", "-25", "25:25", "025%00"];
        let urls = odd.map(|port| format!("{scheme}://127.0.0.1:{port}/x"));
        let run = piped(home.path()).arg("--dump").args(urls).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        let dialled = said.contains("refused the connection");
        odd.iter().for_each(|_| tally.hold((PROMISE, scheme, "spelled"), !dialled, || said.to_string()));
    }
    drop(listeners);
    let met = met.load(Ordering::SeqCst);
    tally.hold((PROMISE, "all", "listened on"), met == 0, || format!("{met} visits to bad ports"));
}

/// Links and redirects: bad ports are refused, others that are reserved ask, and no is no.
pub fn followed(tally: &Tally) {
    let to = Arc::new(Mutex::new(String::new()));
    let shown = Arc::clone(&to);
    let host = Host::web(move |target, _| {
        let to = shown.lock().unwrap();
        match target {
            "/page" => html(format!("<h1>the page of {to}</h1><a href='{to}'>link</a>")),
            _ => format!("HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: {to}\r\n\r\n")
                .into_bytes(),
        }
    });
    let mut terminal = Terminal::start_with(&["about:home"], 120, 30, &[]);
    terminal.see("Where to go");
    let home = tempfile::tempdir().unwrap();
    for (at, (scheme, own)) in SCHEMES.iter().enumerate() {
        let bad = BAD.iter().copied().filter(|port| !is_own(scheme, *own, *port));
        let bad = bad.skip(at * 7).step_by(if crate::whole() { 1 } else { 13 });
        for port in bad.chain([81, 444, 999, 8]) {
            *to.lock().unwrap() = format!("{scheme}://127.0.0.1:{port}/x");
            let name = to.lock().unwrap().clone();
            let page = format!("http://127.0.0.1:{}/page", host.port);
            terminal
                .keys("g")
                .see("open:")
                .keys(&page)
                .keys("\r")
                .see_no("open:")
                .see(&format!("the page of {name}"))
                .loaded()
                .keys("\t\r");
            let asks = |screen: &str| screen.contains("is reserved and not the usual port");
            terminal.frame_that(&name, |screen| {
                let screen = screen.contents();
                asks(&screen) || screen.contains(REFUSED) || screen.contains("refused the connection")
            });
            let row = (PROMISE, *scheme, "linked");
            match terminal.screen() {
                screen if screen.contains("refused the connection") => tally.fail(row, name),
                screen if BAD.contains(&port) => tally.hold(row, screen.contains(REFUSED), || name),
                screen => {
                    tally.hold(row, asks(&screen), || name);
                    terminal.keys("n").see_no("┌");
                    tally.hold(row, terminal.screen().contains("the page"), || "no is no".into());
                }
            }
            let url = format!("http://127.0.0.1:{}/go", host.port);
            let run = piped(home.path()).args(["--dump", &url]).output().unwrap();
            let dialled = String::from_utf8_lossy(&run.stderr).contains("refused the connection");
            tally.hold((PROMISE, *scheme, "redirected"), !dialled && !run.status.success(), || format!("port {port}"));
        }
    }
    terminal.keys("Q").end();
}

/// FTP servers that send for their data to somebody else.
pub fn data_elsewhere(tally: &Tally) {
    let Ok(victim) = TcpListener::bind("127.0.0.2:0") else {
        return println!("there is no second address here, so FTP's data cannot be sent elsewhere");
    };
    let port = victim.local_addr().unwrap().port();
    let met = Arc::new(AtomicUsize::new(0));
    let (door, visitors) = Door::open(victim);
    let counted = Arc::clone(&met);
    std::thread::spawn(move || count(visitors, &counted));
    let home = tempfile::tempdir().unwrap();
    let [high, low] = port.to_be_bytes();
    for reply in [
        format!("227 come (127,0,0,2,{high},{low})\r\n"),
        format!("227 come 127,0,0,2,{high},{low}\r\n"),
        format!("229 come (|1|127.0.0.2|{port}|)\r\n"),
    ] {
        let epsv = reply.starts_with("229");
        let said = reply.clone();
        let host = Host::ftp(move |verb, _, _| match verb {
            "EPSV" if !epsv => Some(Said::Reply(b"500 what?\r\n".to_vec())),
            "EPSV" | "PASV" => Some(Said::Reply(said.clone().into_bytes())),
            "RETR" | "LIST" => Some(Said::Reply(b"425 no\r\n".to_vec())),
            _ => None,
        });
        for path in ["x", "d/"] {
            let url = format!("ftp://127.0.0.1:{}/{path}", host.port);
            let _ = piped(home.path()).args(["--timeout", "5", "--dump", &url]).output().unwrap();
            let met = met.load(Ordering::SeqCst);
            tally.hold((PROMISE, "ftp", "data from elsewhere"), met == 0, || format!("{met} visits after {reply:?}"));
        }
    }
    drop(door);
}

//! Promise 7, everything that a server can make larger, deeper or longer has an end: the program ends by itself, says
//! why or shows what it has, and takes no more memory than a small machine has.

use crate::host::{Host, Said, Visit, html, page};
use crate::tally::{Row, Tally};
use crate::terminal::PROGRAM;
use rustix::process::{Pid, Signal, kill_process};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

const PROMISE: &str = "7 limits";
/// Longer than any case takes by far; only what hangs takes so long.
const HANGS: Duration = Duration::from_secs(60);
/// Addresses that a run may use, in KiB.
const MEMORY: u32 = 3 << 20;

/// A server that overdoes something, and what it is asked for.
pub struct Case {
    protocol: &'static str,
    pub name: &'static str,
    host: Host,
    path: &'static str,
    /// What has to be said, if that can be told.
    says: &'static str,
}

impl Case {
    /// What a reader asks for to meet it.
    pub fn url(&self) -> String {
        format!("{}://127.0.0.1:{}/{}", self.protocol, self.host.port, self.path)
    }

    /// Where its server listens.
    pub fn port(&self) -> u16 {
        self.host.port
    }

    /// The row of the table in which it counts.
    pub fn row(&self, how: &'static str) -> Row {
        (PROMISE, self.protocol, how)
    }
}

/// Everything that is overdone.
pub fn cases() -> Vec<Case> {
    of_the_web().into_iter().chain(of_others()).collect()
}

fn case(protocol: &'static str, name: &'static str, path: &'static str, says: &'static str, host: Host) -> Case {
    Case { protocol, name, host, path, says }
}

/// Says the same until the other side has had enough.
fn forever(first: &'static [u8], again: &'static [u8]) -> impl Fn(&mut Visit) + Send + Sync + 'static {
    move |visit| {
        let _ = visit.more();
        visit.say(first);
        let many = again.repeat((64 << 10) / again.len().max(1));
        while visit.say(&many) {}
    }
}

/// Answers that are none yet: without end, or as many as are read in a moment.
fn interim(visit: &mut Visit) {
    let many = b"HTTP/1.1 103 Early\r\nX: y\r\n\r\n".repeat(2_000);
    let _ = visit.more();
    let mut left = if crate::whole() { usize::MAX } else { 5 };
    while left > 0 && visit.say(&many) {
        left -= 1;
    }
    while visit.more().is_some() {}
}

/// Greets, hears one command, then says the same until the other side has had enough.
fn after_greeting(
    greeting: &'static [u8],
    first: &'static [u8],
    again: &'static [u8],
) -> impl Fn(&mut Visit) + Send + Sync + 'static {
    move |visit| {
        visit.say(greeting);
        forever(first, again)(visit);
    }
}

fn web(answer: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Host {
    Host::web(move |_, _| answer())
}

/// Zeros that were packed so often.
fn bomb(kind: &str, times: usize) -> Vec<u8> {
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use std::io::Write;
    let mut octets = vec![b'0'; 32 << 20];
    for _ in 0..times {
        octets = if kind == "gzip" {
            let mut packed = GzEncoder::new(Vec::new(), Compression::best());
            packed.write_all(&octets).unwrap();
            packed.finish().unwrap()
        } else {
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
            packed.write_all(&octets).unwrap();
            packed.finish().unwrap()
        };
    }
    octets
}

fn of_others() -> Vec<Case> {
    let parts = |depth: usize| {
        let head: String =
            (0..depth).map(|at| format!("Content-Type: multipart/mixed; boundary=b{at}\r\n\r\n--b{at}\r\n")).collect();
        let article = format!("220 1 a\r\nSubject: deep\r\n{head}\r\ntext\r\n.\r\n");
        Host::news(move |line, _| line.starts_with("ARTICLE").then(|| article.clone().into_bytes()))
    };
    vec![
        case("gopher", "endless line", "0/x", "", Host::start(forever(b"", b"x"))),
        case("gopher", "endless menu", "1/x", "", Host::start(forever(b"", b"0name\tx\th\t70\r\n"))),
        case("gopher", "silence", "0/x", "sent nothing", Host::start(|visit| while visit.more().is_some() {})),
        case(
            "gopher",
            "silence midway",
            "0/x",
            "nothing came for",
            Host::start(|visit| {
                visit.say("half a li");
                while visit.more().is_some() {}
            }),
        ),
        case("gopher", "endless head of gopher+", "0/x%09%09+", "", Host::start(forever(b"+", b"1"))),
        case("ftp", "endless greeting", "x", "", Host::start(after_greeting(b"", b"220-", b"x"))),
        case("ftp", "endless lines of greeting", "x", "", Host::start(after_greeting(b"", b"220-\r\n", b"220-x\r\n"))),
        case("ftp", "endless reply", "x", "", Host::start(after_greeting(b"220 ready\r\n", b"331-", b"331-x\r\n"))),
        case("ftp", "silence", "x", "", Host::start(|visit| while visit.more().is_some() {})),
        case(
            "ftp",
            "large listing",
            "d/",
            "",
            Host::ftp(|verb, _, _| {
                (verb == "LIST")
                    .then(|| Said::Data(b"-rw-r--r--   1 ftp  ftp   14 Nov 21 03:01 name\r\n".repeat(200_000)))
            }),
        ),
        case(
            "ftp",
            "listing of one line",
            "d/",
            "",
            Host::ftp(|verb, _, _| (verb == "LIST").then(|| Said::Data(b"x".repeat(8 << 20)))),
        ),
        case("news", "endless greeting", "g", "", Host::start(after_greeting(b"", b"200 ", b"x"))),
        case(
            "news",
            "endless list",
            "*",
            "",
            Host::start(after_greeting(b"200 ready\r\n", b"200 go on\r\n215 list\r\n", b"a.b 9 3 y\r\n")),
        ),
        case("news", "silence", "g", "", Host::start(|visit| while visit.more().is_some() {})),
        case("news", "parts within parts", "a@b", "", parts(5_000)),
        case(
            "news",
            "wild numbers",
            "g",
            "",
            Host::news(|line, _| line.starts_with("GROUP").then(|| b"211 9 1 18446744073709551615 g\r\n".to_vec())),
        ),
        case(
            "news",
            "long header",
            "a@b",
            "",
            Host::news(|line, _| {
                line.starts_with("ARTICLE")
                    .then(|| [b"220 1 a\r\nSubject: ", &b"x ".repeat(1 << 20)[..], b"\r\n\r\ntext\r\n.\r\n"].concat())
            }),
        ),
    ]
}

fn of_the_web() -> Vec<Case> {
    let deep = |tag: &'static str| web(move || html(format!("<{tag}>").repeat(100_000)));
    let long = |before: &'static str, after: &'static str| {
        web(move || html([before.as_bytes(), &b"x ".repeat(400_000), after.as_bytes()].concat()))
    };
    let header = |line: &'static str, many: usize| web(move || page(line.repeat(many), "text"));
    let packed = |coding: &'static str, kind: &'static str, times| {
        let octets = bomb(kind, times);
        web(move || page(format!("Content-Type: text/plain\r\nContent-Encoding: {coding}\r\n"), &octets))
    };
    vec![
        case("http", "endless status", "x", "cut at 1 MiB", Host::start(forever(b"", b"H"))),
        case("http", "endless head", "x", "", Host::start(forever(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"))),
        case("http", "endless field", "x", "", Host::start(forever(b"HTTP/1.1 200 OK\r\nX-A: ", b"b"))),
        case("http", "interim answers", "x", "sent no answer within", Host::start(interim)),
        case("http", "silence", "x", "", Host::start(|visit| while visit.more().is_some() {})),
        case("http", "many fields", "x", "", header("X-A: b\r\n", 5_000)),
        case("http", "many cookies", "x", "", header("Set-Cookie: a=b\r\n", 150)),
        case(
            "http",
            "redirects in a circle",
            "x",
            "without end",
            web(|| b"HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: /x\r\n\r\n".to_vec()),
        ),
        case("http", "gzip bomb", "x", "", packed("gzip", "gzip", 1)),
        case("http", "gzip in gzip", "x", "", packed("gzip, gzip", "gzip", 2)),
        case("http", "deflate bomb", "x", "", packed("deflate", "deflate", 1)),
        case(
            "http",
            "no gzip at all",
            "x",
            "",
            web(|| page("Content-Type: text/plain\r\nContent-Encoding: gzip\r\n", "no gzip")),
        ),
        case("http", "deep elements", "x", "", deep("div")),
        case("http", "deep fonts", "x", "", deep("font")),
        case("http", "deep tables", "x", "", deep("table><tr><td")),
        case("http", "deep lists", "x", "", deep("ul><li")),
        case("http", "deep quotes", "x", "", deep("blockquote")),
        case("http", "wide table", "x", "", web(|| html(format!("<table><tr>{}</table>", "<td>x".repeat(50_000))))),
        case("http", "spans", "x", "", web(|| html("<table><tr><td rowspan=65534 colspan=1000>x".repeat(2_000)))),
        case("http", "long textarea", "x", "", long("<form><textarea>", "</textarea>")),
        case("http", "long option", "x", "", long("<form><select><option>", "</select>")),
        case("http", "long button", "x", "", long("<form><button>", "</button>")),
        case("http", "long title", "x", "", long("<title>", "</title>")),
        case("http", "long heading", "x", "", long("<h1>", "</h1>")),
        case("http", "long cell", "x", "", long("<table><tr><td>", "</table>")),
        case("http", "long formula", "x", "", long("<math><mi>", "</mi></math>")),
        case("http", "words before a field", "x", "", long("<form>", "<input autofocus>")),
        case(
            "http",
            "many attributes",
            "x",
            "",
            web(|| html(format!("<p {}>x", (0..50_000).map(|at| format!("a{at}=b ")).collect::<String>()))),
        ),
        case("http", "many entities", "x", "", web(|| html("&CounterClockwiseContourIntegral;".repeat(50_000)))),
        case("http", "many links", "x", "", web(|| html("<a href=x>y</a> ".repeat(50_000)))),
        case("http", "combining marks", "x", "", web(|| html("a\u{301}".to_owned() + &"\u{301}".repeat(200_000)))),
        case(
            "http",
            "feed of many",
            "x",
            "",
            web(|| {
                page(
                    "Content-Type: application/rss+xml\r\n",
                    format!(
                        "<rss version='2.0'><channel><title>t</title>{}</channel></rss>",
                        "<item><title>x</title></item>".repeat(20_000)
                    ),
                )
            }),
        ),
        case(
            "http",
            "XML of laughs",
            "x",
            "",
            web(|| {
                page(
                    "Content-Type: application/rss+xml\r\n",
                    "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'><!ENTITY e '&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;'><!ENTITY f '&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;'>]><rss version='2.0'><channel><title>&f;&f;&f;&f;</title></channel></rss>",
                )
            }),
        ),
        case(
            "http",
            "deep JSON",
            "x",
            "",
            web(|| page("Content-Type: application/feed+json\r\n", "[".repeat(1 << 20))),
        ),
        case(
            "http",
            "deep markdown",
            "x",
            "",
            web(|| page("Content-Type: text/markdown\r\n", "> ".repeat(50_000) + "x")),
        ),
    ]
}

pub fn printed_web(tally: &Tally) {
    printed(tally, of_the_web());
}

pub fn printed_others(tally: &Tally) {
    printed(tally, of_others());
}

/// Every case: printed within limits that a reader may set.
fn printed(tally: &Tally, cases: Vec<Case>) {
    let mut slowest = (Duration::ZERO, "");
    for case in cases {
        let (name, says, url, row) = (case.name, case.says, case.url(), case.row("printed"));
        let home = tempfile::tempdir().unwrap();
        let limit = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        let began = Instant::now();
        let mut program = Command::new("/bin/sh")
            .args(["-c", &limit, PROGRAM, "--timeout", "1", "-o", "limits.page=1 MiB", "--dump", &url])
            .env_clear()
            .envs([("LANG", "C.UTF-8"), ("PATH", "/usr/bin:/bin")])
            .env("HOME", home.path())
            .current_dir(home.path())
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(home.path().join("printed")).unwrap())
            .stderr(std::fs::File::create(home.path().join("said")).unwrap())
            .spawn()
            .unwrap();
        let (ended, hangs) = channel::<()>();
        let number = Pid::from_child(&program);
        let watch = std::thread::spawn(move || {
            let hangs = hangs.recv_timeout(HANGS) == Err(RecvTimeoutError::Timeout);
            if hangs {
                let _ = kill_process(number, Signal::KILL);
            }
            hangs
        });
        let status = program.wait().unwrap();
        drop(ended);
        let status = Some(status).filter(|_| !watch.join().unwrap());
        slowest = slowest.max((began.elapsed(), name));
        let said = String::from_utf8_lossy(&std::fs::read(home.path().join("said")).unwrap()).into_owned();
        let printed = std::fs::metadata(home.path().join("printed")).unwrap().len();
        match status {
            None => tally.fail(row, format!("{name}: does not end")),
            // Zero, or one with a sentence: no signal, no panic.
            Some(status) if status.code().is_none_or(|code| code > 1) => {
                tally.fail(row, format!("{name}: {status} {said}"))
            }
            Some(status) if !status.success() && !said.starts_with("wayfarer: ") => {
                tally.fail(row, format!("{name}: says nothing"))
            }
            Some(_) if !said.contains(says) => tally.fail(row, format!("{name}: does not say {says:?}: {said:?}")),
            Some(_) if printed > 4 << 20 => tally.fail(row, format!("{name}: prints {printed} octets")),
            Some(status) if status.success() => tally.harmless(row),
            Some(_) => tally.refused(row),
        }
    }
    println!("of all that is overdone {:?} took longest: {:.1} s", slowest.1, slowest.0.as_secs_f32());
}

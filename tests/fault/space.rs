//! The spaces that are tried, and how a server of each comes to the answer that the fault is in.

use crate::fault::Fault;
use crate::line::Line;
use rustls::ServerConfig;
use std::net::TcpListener;
use std::sync::Arc;

/// A space, and the way to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    Gopher,
    Gophers,
    GopherPlus,
    GopherByProxy,
    Ftp,
    FtpsExplicit,
    FtpsImplicit,
    FtpByProxy,
    Nntp,
    Nntps,
    Finger,
    Whois,
    Dict,
    Gemini,
    Http,
    Https,
    HttpByProxy,
    HttpBySocks,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    List,
    Text,
    File,
}

/// A server's part of a case.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub space: Space,
    pub kind: Kind,
    pub fault: Fault,
}

/// Items of a list, lines of a text.
pub const ROWS: usize = 60;
/// Octets of a file.
pub const OCTETS: usize = 200_000;
/// A line that is longer than any may be.
const HUGE: usize = 300_000;
/// Octets of what is without an end.
const ENDLESS: usize = 200_000_000;
/// Octets without sense.
const GARBAGE: usize = 20_000;

impl Space {
    pub const ALL: [Space; 18] = [
        Space::Gopher,
        Space::Gophers,
        Space::GopherPlus,
        Space::GopherByProxy,
        Space::Ftp,
        Space::FtpsExplicit,
        Space::FtpsImplicit,
        Space::FtpByProxy,
        Space::Nntp,
        Space::Nntps,
        Space::Finger,
        Space::Whois,
        Space::Dict,
        Space::Gemini,
        Space::Http,
        Space::Https,
        Space::HttpByProxy,
        Space::HttpBySocks,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Space::Gopher => "gopher",
            Space::Gophers => "gophers",
            Space::GopherPlus => "gopher+",
            Space::GopherByProxy => "gopher by proxy",
            Space::Ftp => "ftp",
            Space::FtpsExplicit => "ftps explicit",
            Space::FtpsImplicit => "ftps implicit",
            Space::FtpByProxy => "ftp by proxy",
            Space::Nntp => "nntp",
            Space::Nntps => "nntps",
            Space::Finger => "finger",
            Space::Whois => "whois",
            Space::Dict => "dict",
            Space::Gemini => "gemini",
            Space::Http => "http",
            Space::Https => "https",
            Space::HttpByProxy => "http by proxy",
            Space::HttpBySocks => "http by socks",
        }
    }

    /// The setting that names its proxy, and the scheme of that.
    pub fn proxy(self) -> Option<(&'static str, &'static str)> {
        match self {
            Space::GopherByProxy => Some(("http.proxies.gopher", "http")),
            Space::FtpByProxy => Some(("http.proxies.ftp", "http")),
            Space::HttpByProxy => Some(("http.proxy", "http")),
            Space::HttpBySocks => Some(("http.proxy", "socks5h")),
            _ => None,
        }
    }

    /// Whether the server can send a file that is saved.
    pub fn has_files(self) -> bool {
        !matches!(self, Space::Nntp | Space::Nntps | Space::Finger | Space::Whois | Space::Dict)
    }

    /// Whether a server says how much is to come, or that all has come.
    pub fn knows_its_end(self, kind: Kind) -> bool {
        // A text of gopher ends where the connection does, and most servers end TLS without its goodbye.
        let of_one_line = matches!(self, Space::Finger | Space::Whois);
        !of_one_line && !matches!((self, kind), (Space::Gopher | Space::Gophers, Kind::Text | Kind::File))
    }

    fn is_http(self) -> bool {
        matches!(self, Space::Http | Space::Https) || self.proxy().is_some()
    }

    fn is_secure_at_once(self) -> bool {
        matches!(self, Space::Gophers | Space::FtpsImplicit | Space::Nntps | Space::Gemini | Space::Https)
    }

    /// The address of something on a server.
    pub fn url(self, kind: Kind, host: &str, port: u16, name: &str) -> String {
        // Who asks a proxy never dials the server itself.
        let place = if self.proxy().is_some() { "far.invalid".to_owned() } else { format!("{host}:{port}") };
        let item = match kind {
            Kind::List => '1',
            Kind::Text => '0',
            Kind::File => '9',
        };
        let end = match kind {
            Kind::List => "/",
            Kind::Text => ".txt",
            Kind::File => ".bin",
        };
        match self {
            Space::Gopher | Space::GopherByProxy => format!("gopher://{place}/{item}/{name}"),
            Space::Gophers => format!("gophers://{place}/{item}/{name}"),
            Space::GopherPlus => format!("gopher://{place}/{item}/{name}%09%09+"),
            Space::Ftp | Space::FtpsExplicit | Space::FtpByProxy => format!("ftp://{place}/{name}{end}"),
            Space::FtpsImplicit => format!("ftps://{place}/{name}{end}"),
            Space::Nntp | Space::Nntps => {
                let scheme = if self == Space::Nntp { "nntp" } else { "nntps" };
                format!("{scheme}://{place}/{name}{}", if kind == Kind::List { "" } else { "/1" })
            }
            Space::Finger => format!("finger://{place}/{name}"),
            Space::Whois => format!("whois://{place}/{name}"),
            Space::Dict => format!("dict://{place}/{}:{name}", if kind == Kind::List { 'm' } else { 'd' }),
            Space::Gemini => format!("gemini://{place}/{name}{end}"),
            Space::Https => format!("https://{place}/{name}{end}"),
            Space::Http | Space::HttpByProxy | Space::HttpBySocks => format!("http://{place}/{name}{end}"),
        }
    }
}

/// Serves one visitor.
pub fn serve(case: Case, mut line: Line, tls: &Arc<ServerConfig>) {
    match case.fault {
        Fault::Reset => return line.reset(),
        Fault::Closed => return line.close(),
        Fault::Silent => return line.wait(),
        _ => {}
    }
    if case.space.is_secure_at_once() {
        line = line.secure(tls);
    }
    // A visitor who leaves early was served as well.
    let _ = match case.space {
        Space::HttpBySocks => socks(&mut line).then_some(()).and_then(|()| http(case, line)),
        space if space.is_http() => http(case, line),
        Space::Ftp | Space::FtpsExplicit | Space::FtpsImplicit => ftp(case, line, tls),
        Space::Nntp | Space::Nntps => nntp(case, line),
        Space::Finger | Space::Whois => one_line(case, line),
        Space::Dict => dict(case, line),
        Space::Gemini => gemini(case, line),
        _ => gopher(case, line),
    };
}

/// What is sent in answer.
struct Answer {
    head: String,
    body: Vec<u8>,
    tail: &'static str,
    /// What is sent again and again where there is no end.
    more: Vec<u8>,
}

impl Answer {
    fn give(&self, fault: Fault, mut line: Line) {
        let half = &self.body[..self.body.len() / 2];
        let begin = [self.head.as_bytes(), half].concat();
        match fault {
            Fault::SilentMidway => {
                line.send(begin);
                line.wait();
            }
            Fault::ResetMidway => {
                line.send(begin);
                line.reset();
            }
            Fault::ClosedMidway => {
                line.send(begin);
                line.abandon();
            }
            Fault::Garbage => {
                line.send(garbage());
                line.close();
            }
            Fault::Endless => {
                line.send(&self.head);
                let more = self.more.repeat(100);
                // As good as endless, but no disk is filled by a test that hangs.
                (0..ENDLESS / more.len()).all(|_| line.send(&more));
                line.wait();
            }
            Fault::HugeLine => {
                line.send([self.head.as_bytes(), &huge(), &self.body, self.tail.as_bytes()].concat());
                line.close();
            }
            _ => {
                line.send([self.head.as_bytes(), &self.body, self.tail.as_bytes()].concat());
                line.close();
            }
        }
    }
}

/// Octets drawn from a seed, none of them the end of a line.
pub fn garbage() -> Vec<u8> {
    let mut state = 0x9E37_79B9_u32;
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(&mut draw).filter(|octet| *octet != b'\n').take(GARBAGE).collect()
}

fn huge() -> Vec<u8> {
    [b"x".repeat(HUGE), b"\r\n".to_vec()].concat()
}

/// A row of whatever it is a list of.
fn rows(row: impl Fn(usize) -> String) -> Vec<u8> {
    (1..=ROWS).map(row).collect::<String>().into_bytes()
}

fn text() -> Vec<u8> {
    rows(|number| format!("row {number} of a text\r\n"))
}

fn file() -> Vec<u8> {
    (0..OCTETS).map(|at| u8::try_from(at % 251).unwrap()).collect()
}

fn gopher(case: Case, mut line: Line) -> Option<()> {
    line.line()?;
    let item = |number: usize| format!("0row {number} of a menu\t/x\t127.0.0.1\t70\r\n");
    let (body, tail, more) = match case.kind {
        Kind::List => (rows(item), ".\r\n", item(0).into_bytes()),
        Kind::Text => (text(), "", b"row 0 without end\r\n".to_vec()),
        Kind::File => (file(), "", vec![0; 100]),
    };
    let head = match (case.space, case.kind) {
        (Space::GopherPlus, Kind::List) => "+-1\r\n".into(),
        (Space::GopherPlus, _) if case.fault == Fault::Endless => "+-2\r\n".into(),
        (Space::GopherPlus, _) => format!("+{}\r\n", body.len()),
        _ => String::new(),
    };
    Answer { head, body, tail, more }.give(case.fault, line);
    Some(())
}

fn one_line(case: Case, mut line: Line) -> Option<()> {
    line.line()?;
    Answer { head: String::new(), body: text(), tail: "", more: b"row 0 without end\r\n".to_vec() }
        .give(case.fault, line);
    Some(())
}

fn dict(case: Case, mut line: Line) -> Option<()> {
    line.send("220 ready\r\n");
    line.line()?;
    let row = |number: usize| format!("words \"row {number} of words\"\r\n");
    let (head, body, more) = match case.kind {
        Kind::List => (format!("152 {ROWS} words\r\n"), rows(row), row(0).into_bytes()),
        _ => ("150 1\r\n151 \"row\" words \"Words\"\r\n".into(), text(), b"row 0 without end\r\n".to_vec()),
    };
    Answer { head, body, tail: ".\r\n250 ok\r\n", more }.give(case.fault, line);
    Some(())
}

fn http(case: Case, mut line: Line) -> Option<()> {
    while line.line().is_some_and(|line| !line.is_empty()) {}
    let row = |number: usize| format!("<p>row {number} of a page</p>\n");
    let (media, body, more) = match case.kind {
        Kind::List => ("text/html", rows(row), row(0).into_bytes()),
        Kind::Text => ("text/plain", text(), b"row 0 without end\r\n".to_vec()),
        Kind::File => ("application/octet-stream", file(), vec![0; 100]),
    };
    let length = match case.fault {
        Fault::Endless | Fault::HugeLine => String::new(),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nConnection: close\r\n{length}");
    // A line of the head, for once.
    let field = if case.fault == Fault::HugeLine && case.kind == Kind::List { "X-Huge: " } else { "\r\n" };
    let tail = if field == "\r\n" { "" } else { "\r\n" };
    Answer { head: head + field, body, tail, more }.give(case.fault, line);
    Some(())
}

fn gemini(case: Case, mut line: Line) -> Option<()> {
    line.line()?;
    let row = |number: usize| format!("=> /x row {number} of a page\n");
    let (media, body, more) = match case.kind {
        Kind::List => ("text/gemini", rows(row), row(0).into_bytes()),
        Kind::Text => ("text/plain", text(), b"row 0 without end\r\n".to_vec()),
        Kind::File => ("application/octet-stream", file(), vec![0; 100]),
    };
    // The first line, for once.
    let huge = case.fault == Fault::HugeLine && case.kind == Kind::List;
    let head = if huge { "20 ".into() } else { format!("20 {media}\r\n") };
    Answer { head, body, tail: "", more }.give(case.fault, line);
    Some(())
}

/// The greeting of SOCKS 5 and the request; false when it is none.
fn socks(line: &mut Line) -> bool {
    let greeting = line.octet() == Some(5) && line.octet().is_some_and(|methods| line.take(methods.into()));
    let asked = greeting && line.send([5, 0]) && line.take(4);
    let named = asked && line.octet().is_some_and(|length| line.take(usize::from(length) + 2));
    named && line.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
}

fn nntp(case: Case, mut line: Line) -> Option<()> {
    let row = |n: usize| format!("{n}\trow {n} of a group\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<{n}@h>\t\t100\t3\r\n");
    if case.fault == Fault::Garbage && case.kind == Kind::List {
        line.send(garbage());
        line.close();
        return None;
    }
    line.send("200 ready\r\n");
    loop {
        let command = line.line()?;
        let answer = match (command.split(' ').next().unwrap_or_default(), case.kind) {
            ("OVER" | "XOVER", Kind::List) => {
                Answer { head: "224 here\r\n".into(), body: rows(row), tail: ".\r\n", more: row(1).into_bytes() }
            }
            ("ARTICLE", Kind::Text) => {
                let head = "220 1 <1@h>\r\nSubject: rows\r\nFrom: me@h\r\n\r\n".into();
                Answer { head, body: text(), tail: ".\r\n", more: b"row 0 without end\r\n".to_vec() }
            }
            (verb, _) => {
                let reply = match verb {
                    "MODE" => "200 go on\r\n".into(),
                    "GROUP" => format!("211 {ROWS} 1 {ROWS} group\r\n"),
                    "DATE" => "111 20250102030405\r\n".into(),
                    _ => "500 what?\r\n".into(),
                };
                line.send(reply);
                continue;
            }
        };
        answer.give(case.fault, line);
        return Some(());
    }
}

fn ftp(case: Case, mut line: Line, tls: &Arc<ServerConfig>) -> Option<()> {
    if case.fault == Fault::Garbage && case.kind == Kind::List {
        line.send(garbage());
        line.close();
        return None;
    }
    line.send("220 ready\r\n");
    let (mut secure, mut port) = (case.space == Space::FtpsImplicit, None);
    loop {
        let command = line.line()?;
        match command.split(' ').next().unwrap_or_default() {
            "USER" => line.send("331 who says so?\r\n"),
            "PASS" => line.send("230 welcome\r\n"),
            "CWD" => line.send("250 there\r\n"),
            "PWD" => line.send("257 \"/\"\r\n"),
            "TYPE" | "PBSZ" | "PROT" => line.send("200 so be it\r\n"),
            "SIZE" if case.kind == Kind::File => line.send(format!("213 {OCTETS}\r\n")),
            "AUTH" if case.space == Space::FtpsExplicit => {
                line.send("234 come\r\n");
                line = line.secure(tls);
                secure = true;
                true
            }
            "EPSV" => {
                let listener = TcpListener::bind((line.ip(), 0)).unwrap();
                let number = listener.local_addr().unwrap().port();
                port = Some(listener);
                line.send(format!("229 come (|||{number}|)\r\n"))
            }
            "RETR" | "LIST" | "NLST" => break,
            _ => line.send("500 what?\r\n"),
        };
    }
    if case.fault == Fault::Garbage {
        line.send(garbage());
        line.close();
        return None;
    }
    line.send("150 here it comes\r\n");
    let data = Line::new(port?.accept().ok()?.0);
    let data = if secure { data.secure(tls) } else { data };
    let row = |number: usize| format!("-rw-r--r--   1 ftp  ftp   {number} Nov 21 03:01 row {number} of a folder\r\n");
    let (body, more) = match case.kind {
        Kind::List => (rows(row), row(0).into_bytes()),
        Kind::Text => (text(), b"row 0 without end\r\n".to_vec()),
        Kind::File => (file(), vec![0; 100]),
    };
    Answer { head: String::new(), body, tail: "", more }.give(case.fault, data);
    match case.fault {
        Fault::SilentMidway => line.wait(),
        Fault::ResetMidway => line.reset(),
        Fault::ClosedMidway => line.abandon(),
        _ => {
            line.send("226 that was all\r\n");
            line.close();
        }
    }
    Some(())
}

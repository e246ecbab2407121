//! Promise 2, no address says more to a server than its protocol needs: line breaks, NUL and TAB in every field of
//! every scheme, typed, linked and redirected to. The judges know what lines a protocol has, and look at each octet
//! that came.

use crate::host::{Host, Said, html};
use crate::tally::Tally;
use crate::terminal::{Terminal, piped};
use crate::tls::signed;
use rcgen::CertificateParams;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

pub const PROMISE: &str = "2 lines";

/// A field of an address: `{}` is where the attack goes, `{h}` host and port.
struct Field {
    scheme: &'static str,
    name: &'static str,
    url: &'static str,
}

const fn field(scheme: &'static str, name: &'static str, url: &'static str) -> Field {
    Field { scheme, name, url }
}

const FIELDS: &[Field] = &[
    field("gopher", "selector", "gopher://{h}/0/a{}b"),
    field("gopher", "selector of a menu", "gopher://{h}/1/a{}b"),
    field("gopher", "search", "gopher://{h}/7/s%09a{}b"),
    field("gopher", "gopher+", "gopher://{h}/0/s%09%09+a{}b"),
    field("gopher", "attributes", "gopher://{h}/0/s%09%09!a{}b"),
    field("gopher", "search by query", "gopher://{h}/7/s?a{}b"),
    field("gopher", "type", "gopher://{h}/{}x"),
    field("gopher", "login", "gopher://a{}b@{h}/0/x"),
    field("gopher", "fragment", "gopher://{h}/0/x#a{}b"),
    field("ftp", "user", "ftp://a{}b@{h}/x"),
    field("ftp", "password", "ftp://u:a{}b@{h}/x"),
    field("ftp", "folder", "ftp://{h}/a{}b/x"),
    field("ftp", "second folder", "ftp://{h}/a/c{}d/x"),
    field("ftp", "name", "ftp://{h}/x/a{}b"),
    field("ftp", "listed folder", "ftp://{h}/a{}b/"),
    field("ftp", "type", "ftp://{h}/x;type=a{}"),
    field("ftp", "type of a folder", "ftp://{h}/x;type=d{}"),
    field("ftp", "absolute folder", "ftp://{h}/%2fa{}b/x"),
    field("news", "group", "news://{h}/a{}b"),
    field("news", "pattern", "news://{h}/a{}b.*"),
    field("news", "message-id", "news://{h}/a{}b@host"),
    field("news", "message-id's host", "news://{h}/a@b{}c"),
    field("news", "user", "news://a{}b@{h}/group"),
    field("news", "password", "news://u:a{}b@{h}/group"),
    field("nntp", "group", "nntp://{h}/a{}b"),
    field("nntp", "article", "nntp://{h}/group/1{}"),
    field("nntp", "range", "nntp://{h}/group/1-2{}"),
    field("finger", "user", "finger://{h}/a{}b"),
    field("finger", "login", "finger://a{}b@{h}/"),
    field("finger", "all of a user", "finger://{h}/W%20a{}b"),
    field("whois", "words", "whois://{h}/a{}b"),
    field("whois", "words with a query", "whois://{h}/a?{}b"),
    field("dict", "word", "dict://{h}/d:a{}b"),
    field("dict", "database", "dict://{h}/d:a:b{}c"),
    field("dict", "strategy", "dict://{h}/m:a:b:c{}d"),
    field("dict", "bare word", "dict://{h}/a{}b"),
    field("gemini", "path", "gemini://{h}/a{}b"),
    field("gemini", "query", "gemini://{h}/x?a{}b"),
    field("gemini", "login", "gemini://a{}b@{h}/x"),
    field("gemini", "fragment", "gemini://{h}/x#a{}b"),
    field("http", "path", "http://{h}/a{}b"),
    field("http", "query", "http://{h}/x?a{}b"),
    field("http", "user", "http://a{}b@{h}/x"),
    field("http", "password", "http://u:a{}b@{h}/x"),
    field("http", "fragment", "http://{h}/x#a{}b"),
];

/// What is put into a field; `EVIL` is what would be said to the server by whoever succeeds.
const ATTACKS: [&str; 30] = [
    "%0d%0aEVIL%20x",
    "%0D%0AEVIL%0D%0A",
    "%0aEVIL",
    "%0dEVIL",
    "%00EVIL",
    "%00%0d%0aEVIL",
    "%0d%0a%0d%0aEVIL",
    "%0d%0a.%0d%0aEVIL",
    "%0d%0a",
    "%0a",
    "%09EVIL",
    "%09%0d%0aEVIL",
    "%250d%250aEVIL",
    "%25250d%25250aEVIL",
    "%%0d0d%%0a0aEVIL",
    "\r\nEVIL",
    "\nEVIL",
    "\rEVIL",
    "\tEVIL",
    "%0d\nEVIL",
    "%e5%98%8d%e5%98%8aEVIL",
    "%c0%8d%c0%8aEVIL",
    "%c2%85EVIL",
    "%e2%80%a8EVIL",
    "%ff%0d%ff%0aEVIL",
    "%0b%0cEVIL",
    "%u000d%u000aEVIL",
    "&#13;&#10;EVIL",
    "%22%20EVIL",
    "%5c%22%20EVIL",
];

/// Servers of all protocols, for whom nothing is wrong.
struct Servers {
    gopher: Host,
    ftp: Host,
    news: Host,
    /// Finger and WHOIS.
    line: Host,
    dict: Host,
    gemini: Host,
    web: Host,
    /// The page that the web server shows at /page, and where it sends whoever asks for /go.
    page: Arc<Mutex<(String, Vec<String>)>>,
}

impl Servers {
    fn start() -> Servers {
        let page = Arc::new(Mutex::new((String::new(), Vec::<String>::new())));
        let shown = Arc::clone(&page);
        Servers {
            gopher: Host::gopher(|_| b"iit came through\t\t\t\r\n.\r\n".to_vec()),
            ftp: Host::ftp(|verb, _, _| match verb {
                "LIST" => Some(Said::Data(b"-rw-r--r--   1 ftp  ftp   14 Nov 21 03:01 it came through\r\n".to_vec())),
                "RETR" => Some(Said::Data(b"it came through\r\n".to_vec())),
                _ => None,
            }),
            news: Host::news(|line, _| {
                let verb = line.split(' ').next().unwrap_or_default();
                Some(match verb {
                    "LIST" => b"215 list\r\nit.came.through 9 3 y\r\n.\r\n".to_vec(),
                    "GROUP" => b"211 1 1 1 group\r\n".to_vec(),
                    "OVER" => {
                        b"224 here\r\n1\tit came through\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t\t1\t3\r\n.\r\n"
                            .to_vec()
                    }
                    "ARTICLE" => b"220 1 article\r\nSubject: x\r\n\r\nit came through\r\n.\r\n".to_vec(),
                    _ => return None,
                })
            }),
            line: Host::gopher(|_| b"it came through\r\n".to_vec()),
            dict: Host::start(|visit| {
                visit.say(b"220 dict\r\n");
                while let Some(line) = visit.line() {
                    let _ = match line.split(' ').next() {
                        Some("DEFINE") => {
                            visit.say(b"150 1\r\n151 \"a\" b \"it came through\"\r\na\r\n.\r\n250 ok\r\n")
                        }
                        Some("QUIT") => break,
                        _ => visit.say(b"152 1\r\nb \"it came through\"\r\n.\r\n250 ok\r\n"),
                    };
                }
            }),
            gemini: Host::at(
                TcpListener::bind("127.0.0.1:0").unwrap(),
                Some(signed(CertificateParams::new(["127.0.0.1".to_owned()]).unwrap(), false)),
                |visit| {
                    if visit.line().is_some() {
                        visit.say("20 text/plain\r\nit came through\r\n");
                    }
                },
            ),
            web: Host::web(move |target, _| {
                let shown = shown.lock().unwrap();
                match target.strip_prefix("/go/").and_then(|number| shown.1.get(number.parse::<usize>().ok()?)) {
                    Some(to) => [
                        b"HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: ",
                        to.as_bytes(),
                        b"\r\n\r\n",
                    ]
                    .concat(),
                    None if target == "/page" => html(&shown.0),
                    None => html("<p>it came through"),
                }
            }),
            page,
        }
    }

    fn host(&self, scheme: &str) -> &Host {
        match scheme {
            "gopher" => &self.gopher,
            "ftp" => &self.ftp,
            "gemini" => &self.gemini,
            "http" => &self.web,
            "finger" | "whois" => &self.line,
            "dict" => &self.dict,
            _ => &self.news,
        }
    }

    fn url(&self, field: &Field, attack: &str) -> String {
        field.url.replace("{h}", &format!("127.0.0.1:{}", self.host(field.scheme).port)).replace("{}", attack)
    }

    /// Judges what came to all servers; what speaks against it by protocol.
    fn judge(&self, tally: &Tally, class: &'static str) {
        for (protocol, host, judge) in [
            ("gopher", &self.gopher, gopher as fn(&[u8]) -> Option<String>),
            ("ftp", &self.ftp, ftp),
            ("news", &self.news, news),
            ("gemini", &self.gemini, gemini),
            ("http", &self.web, web),
            ("finger", &self.line, gopher),
            ("dict", &self.dict, dict),
        ] {
            for visit in host.heard() {
                if let Some(why) = judge(&visit) {
                    tally.fail((PROMISE, protocol, class), format!("{why}: {:?}", String::from_utf8_lossy(&visit)));
                }
            }
        }
    }
}

/// Lines with their ends; none when something else than lines came.
fn lines(octets: &[u8]) -> Result<Vec<&[u8]>, String> {
    let mut lines = Vec::new();
    let mut rest = octets;
    while !rest.is_empty() {
        let end = rest.windows(2).position(|two| two == b"\r\n").ok_or("a line without its end")?;
        let line = &rest[..end];
        if let Some(octet) = line.iter().find(|octet| b"\r\n\0".contains(octet)) {
            return Err(format!("octet {octet:02x} within a line"));
        }
        lines.push(line);
        rest = &rest[end + 2..];
    }
    Ok(lines)
}

/// What speaks against a visit to a gopher server: it has one line.
pub fn gopher(visit: &[u8]) -> Option<String> {
    match lines(visit) {
        Ok(lines) if lines.len() > 1 => Some(format!("{} lines", lines.len())),
        Ok(_) => None,
        Err(why) => Some(why),
    }
}

/// What speaks against a visit to a dictionary: each command has its words, the last of a question between quotation marks.
fn dict(visit: &[u8]) -> Option<String> {
    let lines = match lines(visit) {
        Ok(lines) => lines,
        Err(why) => return Some(why),
    };
    let wrong = |line: &&[u8]| {
        let words = words(line);
        let wanted = match words.first().map(Vec::as_slice) {
            Some(b"DEFINE") => 3,
            Some(b"MATCH") => 4,
            Some(b"SHOW") => 2,
            Some(b"QUIT") => 1,
            _ => 0,
        };
        words.len() != wanted
    };
    lines.iter().find(|line| wrong(line)).map(|line| format!("{:?} was said", String::from_utf8_lossy(line)))
}

/// The words of a line as RFC 2229 has them: between spaces, unless quotation marks hold them together.
fn words(line: &[u8]) -> Vec<Vec<u8>> {
    let (mut words, mut word, mut quoted, mut escaped) = (Vec::new(), None::<Vec<u8>>, false, false);
    for octet in line {
        match octet {
            _ if escaped => {
                word.get_or_insert_default().push(*octet);
                escaped = false;
            }
            b'\\' => escaped = true,
            b'"' => {
                word.get_or_insert_default();
                quoted = !quoted;
            }
            b' ' | b'\t' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(*octet),
        }
    }
    words.extend(word);
    words
}

/// What speaks against a visit to a Gemini server: it has one line, an address of its own.
fn gemini(visit: &[u8]) -> Option<String> {
    let whole = visit.is_empty() || visit.starts_with(b"gemini://127.0.0.1:") && visit[..visit.len() - 2].is_ascii();
    gopher(visit).or_else(|| (!whole).then(|| "no address".into()))
}

/// Lines that begin with what this protocol says.
fn commands(visit: &[u8], verbs: &[&str]) -> Option<String> {
    let lines = match lines(visit) {
        Ok(lines) => lines,
        Err(why) => return Some(why),
    };
    let verb = |line: &[u8]| {
        String::from_utf8_lossy(line.split(|octet| *octet == b' ').next().unwrap_or_default()).into_owned()
    };
    lines
        .iter()
        .map(|line| verb(line))
        .find(|verb| !verbs.contains(&verb.as_str()))
        .map(|verb| format!("{verb:?} was said"))
}

fn ftp(visit: &[u8]) -> Option<String> {
    let verbs = [
        "USER", "PASS", "ACCT", "SYST", "FEAT", "OPTS", "PWD", "TYPE", "CWD", "EPSV", "PASV", "LIST", "NLST", "MLSD",
        "RETR", "SIZE", "MDTM", "REST", "ABOR", "QUIT", "NOOP", "CDUP",
    ];
    commands(visit, &verbs)
}

fn news(visit: &[u8]) -> Option<String> {
    let verbs = [
        "MODE",
        "CAPABILITIES",
        "AUTHINFO",
        "LIST",
        "GROUP",
        "OVER",
        "XOVER",
        "ARTICLE",
        "HEAD",
        "BODY",
        "STAT",
        "DATE",
        "QUIT",
        "LISTGROUP",
        "HDR",
        "NEXT",
        "LAST",
    ];
    commands(visit, &verbs)
}

fn web(visit: &[u8]) -> Option<String> {
    let names =
        ["host", "user-agent", "accept", "accept-encoding", "accept-language", "authorization", "connection", "cookie"];
    let lines = match lines(visit) {
        Ok(lines) => lines,
        Err(why) => return Some(why),
    };
    let (first, fields) = lines.split_first()?;
    let first = String::from_utf8_lossy(first);
    let words: Vec<&str> = first.split(' ').collect();
    if words.len() != 3 || words[0] != "GET" || words[2] != "HTTP/1.1" || words[1].contains(|c: char| c.is_control()) {
        return Some(format!("{first:?} is no request line"));
    }
    // One request for each visit: what stands behind the empty line is another.
    let fields = fields.strip_suffix(&[&b""[..]]).unwrap_or(fields);
    let name = |line: &&[u8]| {
        String::from_utf8_lossy(line.split(|octet| *octet == b':').next().unwrap_or_default()).to_ascii_lowercase()
    };
    fields
        .iter()
        .map(name)
        .find(|name| !names.contains(&name.as_str()))
        .map(|name| format!("{name:?} is no field of ours"))
}

/// The judges judge: each of these is smuggled.
fn judges_are_awake() {
    for (judge, visit) in [
        (gopher as fn(&[u8]) -> Option<String>, &b"a\r\nEVIL\r\n"[..]),
        (gopher, b"a\nEVIL\r\n"),
        (gopher, b"a\0b\r\n"),
        (gemini, b"gemini://127.0.0.1:1/\r\nEVIL\r\n"),
        (gemini, b"EVIL\r\n"),
        (ftp, b"USER a\r\nEVIL\r\n"),
        (ftp, b"CWD a\rEVIL\r\n"),
        (news, b"GROUP a\r\nEVIL x\r\n"),
        (dict, b"DEFINE ! \"a\" EVIL\r\n"),
        (dict, b"DEFINE ! \"a\\\\\" EVIL\r\n"),
        (dict, b"DEFINE ! \"a\"\r\nEVIL\r\n"),
        (dict, b"MATCH ! a b \"c\"\r\n"),
        (web, b"GET /a HTTP/1.1\r\nhost: h\r\nEVIL: 1\r\n\r\n"),
        (web, b"GET /a HTTP/1.1\r\nhost: h\r\n\r\nEVIL"),
        (web, b"GET /a b HTTP/1.1\r\nhost: h\r\n\r\n"),
    ] {
        assert!(judge(visit).is_some(), "{:?}", String::from_utf8_lossy(visit));
    }
}

/// Every field with every attack, given on the command line.
pub fn typed(tally: &Tally) {
    judges_are_awake();
    let (servers, home) = (Servers::start(), tempfile::tempdir().unwrap());
    let class = "typed";
    for field in FIELDS {
        let urls = ATTACKS.iter().map(|attack| servers.url(field, attack));
        let run = piped(home.path()).arg("--dump").args(urls).output().unwrap();
        let refused = String::from_utf8_lossy(&run.stderr).matches("wayfarer: ").count().min(ATTACKS.len());
        (0..refused).for_each(|_| tally.refused((PROMISE, field.scheme, class)));
        (refused..ATTACKS.len()).for_each(|_| tally.harmless((PROMISE, field.scheme, class)));
    }
    servers.judge(tally, class);
    for host in
        [&servers.gopher, &servers.ftp, &servers.news, &servers.line, &servers.dict, &servers.gemini, &servers.web]
    {
        assert!(!host.heard().is_empty(), "what is not refused comes through");
    }
}

/// The same as where the web redirects to; what stays on the web is followed by itself.
pub fn redirected(tally: &Tally) {
    let (servers, home) = (Servers::start(), tempfile::tempdir().unwrap());
    let class = "redirected";
    // What cannot stand in a field of HTTP is no attack.
    let fits = |attack: &&&str| !attack.contains(['\r', '\n']);
    for field in FIELDS {
        let urls: Vec<String> = ATTACKS.iter().filter(fits).map(|attack| servers.url(field, attack)).collect();
        let number = urls.len();
        servers.page.lock().unwrap().1 = urls;
        let begin = |at| format!("http://127.0.0.1:{}/go/{at}", servers.web.port);
        let run = piped(home.path()).arg("--dump").args((0..number).map(begin)).output().unwrap();
        let refused = String::from_utf8_lossy(&run.stderr).matches("wayfarer: ").count().min(number);
        (0..refused).for_each(|_| tally.refused((PROMISE, field.scheme, class)));
        (refused..number).for_each(|_| tally.harmless((PROMISE, field.scheme, class)));
    }
    servers.judge(tally, class);
    for host in [&servers.gopher, &servers.ftp, &servers.news, &servers.line, &servers.dict, &servers.gemini] {
        assert!(host.heard().is_empty(), "what leaves the web is not gone to without a question");
    }
}

/// Attacks of a field that are tried where there is little time.
const SOME: usize = 4;

/// The same as links of a page, followed by their numbers; whatever is asked is answered with yes.
pub fn linked(tally: &Tally) {
    let servers = Servers::start();
    let class = "linked";
    let start = format!("http://127.0.0.1:{}/page", servers.web.port);
    let mut terminal = Terminal::start_with(&["about:home"], 120, 50, &[]);
    terminal.see("Where to go");
    for (number, field) in FIELDS.iter().enumerate() {
        let step = if crate::whole() { 1 } else { ATTACKS.len() / SOME };
        let attacks: Vec<&str> = ATTACKS.iter().skip(number % step).step_by(step).copied().collect();
        let links: String =
            attacks.iter().map(|attack| format!("<li><a href=\"{}\">attack</a>", servers.url(field, attack))).collect();
        servers.page.lock().unwrap().0 = format!("<h1>Links under attack</h1><ol>{links}</ol>");
        for at in 1..=attacks.len() {
            terminal.keys("g").see("open:").keys(&start).keys("\r").see_no("open:").see("Links under attack").loaded();
            terminal.keys(&format!("{at}\r"));
            let row = (PROMISE, field.scheme, class);
            let what = format!("an answer for {} {:?}", field.name, attacks[at - 1]);
            // Yes to whatever is asked, a word to search for, no password.
            loop {
                let asks = ["─ Log in", "┌", "search for:"];
                terminal.frame_that(&what, |screen| {
                    let screen = screen.contents();
                    // A server without Gopher+ gives no page of attributes.
                    let none = screen.contains("does not speak Gopher+");
                    !screen.contains("Links under attack") || none || asks.iter().any(|asked| screen.contains(asked))
                });
                let screen = terminal.screen();
                match asks.iter().position(|asked| screen.contains(asked)) {
                    Some(0) => terminal.keys("\x1b").see_no("┌"),
                    Some(1) => terminal.keys("y").see_no("┌"),
                    Some(_) => terminal.keys("w\r").see_no("search for:"),
                    None => break,
                };
            }
            let shown = terminal.screen();
            if shown.contains("it came through") || shown.contains("it.came.through") {
                tally.harmless(row)
            } else {
                tally.refused(row)
            }
        }
    }
    terminal.keys("Q").end();
    servers.judge(tally, class);
}

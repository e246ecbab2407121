//! Promise 3, nothing from the network opens a file of this machine by itself, nor leaves the web by itself; followed
//! by hand it asks first. Whatever a page can hold that names another place × every spelling of a file.

use crate::host::{Host, Said, html, page};
use crate::tally::Tally;
use crate::terminal::{Terminal, piped};
use std::path::Path;
use std::sync::Arc;

const PROMISE: &str = "3 doors";
/// What stands in the file.
pub(super) const SECRET: &str = "inside of the file";
/// What stands on every page that leads there.
const HERE: &str = "this is the page";

/// Spellings of a file; `{}` is its path.
const FILES: [&str; 9] = [
    "file://{}",
    "FILE://{}",
    "file:{}",
    "file://localhost{}",
    "file://127.0.0.1{}",
    "%66ile://{}",
    " file://{} ",
    "url:file://{}",
    "fi\nle://{}",
];

/// What a page holds; `{}` is where it leads.
const CARRIERS: [(&str, &str); 24] = [
    ("link", "<a href=\"{}\">link</a>"),
    ("area", "<map name=m><area href=\"{}\" alt=link></map><img usemap=#m alt=map>"),
    ("image", "<img src=\"{}\" alt=link>"),
    ("set of images", "<img srcset=\"{} 2x\" alt=link>"),
    ("frame", "<iframe src=\"{}\"></iframe>"),
    ("object", "<object data=\"{}\">link</object>"),
    ("embedded", "<embed src=\"{}\">"),
    ("video", "<video src=\"{}\">link</video>"),
    ("audio", "<audio src=\"{}\">link</audio>"),
    ("style", "<link rel=stylesheet href=\"{}\">"),
    ("next page", "<link rel=next href=\"{}\">"),
    ("prefetch", "<link rel=prefetch href=\"{}\">"),
    ("script", "<script src=\"{}\"></script>"),
    ("refresh", "<meta http-equiv=refresh content=\"0; url={}\">"),
    ("base", "<base href=\"{}\"><img src=\"\" alt=x><a href=\"\">link</a>"),
    ("form", "<form action=\"{}\"><button>go</button></form>"),
    ("form by post", "<form method=post action=\"{}\"><button>go</button></form>"),
    ("button of its own", "<form><button formaction=\"{}\">go</button></form>"),
    ("quote", "<blockquote cite=\"{}\">quote</blockquote>"),
    ("background", "<table background=\"{}\"><tr><td>x</table>"),
    ("ping", "<a href=\"#x\" ping=\"{}\">link</a>"),
    ("drawing", "<svg><image href=\"{}\"/><a href=\"{}\">link</a></svg>"),
    ("source", "<picture><source src=\"{}\" srcset=\"{}\"><img alt=x></picture>"),
    ("manifest", "<html manifest=\"{}\">"),
];

/// Answers that are no pages of HTML, in the same way.
fn other(carrier: usize, to: &str) -> Option<Vec<u8>> {
    let moved = |status: &str| {
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\nLocation: {to}\r\n\r\n").into_bytes()
    };
    let text = |media: &str, text: String| page(format!("Content-Type: {media}\r\n"), format!("{HERE} {text}\n"));
    Some(match carrier {
        0 => moved("301 Moved"),
        1 => moved("302 Found"),
        2 => moved("303 See Other"),
        3 => moved("307 Temporary"),
        4 => moved("308 Permanent"),
        5 => page(format!("Content-Type: text/plain\r\nRefresh: 0; url={to}\r\n"), HERE),
        6 => page(format!("Content-Type: text/plain\r\nLink: <{to}>; rel=next\r\n"), HERE),
        7 => page(
            format!("Content-Type: text/html\r\nContent-Location: {to}\r\n"),
            format!("{HERE} <a href=''>link</a>"),
        ),
        8 => text("text/plain", to.into()),
        9 => text("text/markdown", format!("[link]({to}) ![image]({to})")),
        10 => text("text/gemini", format!("\n=> {to} link")),
        11 => page(
            "Content-Type: application/rss+xml\r\n",
            format!(
                "<rss version='2.0'><channel><title>{HERE}</title><link>{to}</link><item><title>x</title><link>{to}</link><enclosure url='{to}'/></item></channel></rss>"
            ),
        ),
        _ => return None,
    })
}

const OTHERS: usize = 12;

fn targets(file: &Path) -> Vec<String> {
    FILES.iter().map(|spelling| spelling.replace("{}", file.to_str().unwrap())).collect()
}

/// A web server with each carrier of each target, at /CARRIER/TARGET.
fn server(targets: Vec<String>) -> Host {
    Host::web(move |asked, _| {
        let numbers: Option<Vec<usize>> = asked.trim_matches('/').split('/').map(|part| part.parse().ok()).collect();
        let Some([carrier, target]) = numbers.as_deref() else { return html("nothing") };
        let to = &targets[*target];
        match CARRIERS.get(*carrier) {
            Some((_, holds)) => html(format!("<h1>{HERE}</h1>{}", holds.replace("{}", to))),
            None => other(carrier - CARRIERS.len(), &to.replace('\n', "")).unwrap(),
        }
    })
}

/// A file that nobody may be led to, and its spellings.
pub(super) struct Secret {
    _folder: tempfile::TempDir,
    pub(super) targets: Vec<String>,
}

impl Secret {
    pub(super) fn hidden() -> Secret {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret.txt");
        std::fs::write(&file, SECRET).unwrap();
        // A place of temporary files may have a name that has to be escaped.
        let path = file.to_str().unwrap().replace(' ', "%20");
        Secret { targets: targets(Path::new(&path)), _folder: folder }
    }
}

/// Every carrier of every target, printed.
pub fn printed(tally: &Tally) {
    let (secret, home) = (Secret::hidden(), tempfile::tempdir().unwrap());
    let given = piped(home.path()).args(["--dump", &secret.targets[0]]).output().unwrap();
    assert!(String::from_utf8_lossy(&given.stdout).contains(SECRET), "the file itself can be printed");
    let host = server(secret.targets.clone());
    for carrier in 0..CARRIERS.len() + OTHERS {
        let url = |at| format!("http://127.0.0.1:{}/{carrier}/{at}", host.port);
        for option in ["--dump", "--source", "--head"] {
            let run = piped(home.path()).arg(option).args((0..FILES.len()).map(url)).output().unwrap();
            let said = [run.stdout, run.stderr].concat();
            let shown = String::from_utf8_lossy(&said).contains(SECRET);
            for _ in 0..FILES.len() {
                tally.hold((PROMISE, "http", "by itself, printed"), !shown, || format!("carrier {carrier} {option}"));
            }
        }
    }
}

/// Follows the page's first link, if it has one, and waits until that is done: a question is there, or something else
/// is typed.
fn follow(terminal: &mut Terminal) {
    terminal.burst("\t\r:zzz").frame_that("an answer", |screen| {
        let screen = screen.contents();
        screen.contains('┌') || screen.contains("zzz") || screen.contains(SECRET)
    });
}

/// Every carrier on the screen: the file is not shown by itself; led to by hand it is asked about, and no is no.
pub fn shown(tally: &Tally) {
    let secret = Secret::hidden();
    let host = server(secret.targets.clone());
    let mut terminal = Terminal::start(&["about:home"]);
    terminal.see("Where to go");
    let mut asked = 0;
    for carrier in 0..CARRIERS.len() + OTHERS {
        let spellings: Vec<usize> = if crate::whole() { (0..FILES.len()).collect() } else { vec![0, 1 + carrier % 8] };
        for spelling in spellings {
            let name = format!("carrier {carrier}, {:?}", FILES[spelling]);
            let url = format!("http://127.0.0.1:{}/{carrier}/{spelling}", host.port);
            terminal.keys("g").see("open:").keys(&url).keys("\r").see_no("open:");
            let there = |screen: &str| screen.contains(HERE) && screen.contains(&format!("/{carrier}/{spelling}"));
            let moved = "leads to a file of this machine; that is not";
            terminal.frame_that(&name, |screen| {
                let screen = screen.contents();
                there(&screen)
                    || screen.contains(moved)
                    || screen.contains("names a place that is")
                    // What is no scheme begins a path, and there is nothing.
                    || screen.trim_start().starts_with("nothing")
                    || screen.contains('┌')
                    || screen.contains(SECRET)
            });
            let seen = !terminal.screen().contains(SECRET);
            tally.hold((PROMISE, "http", "by itself, on the screen"), seen, || name.clone());
            if !there(&terminal.screen()) {
                if terminal.screen().contains('┌') {
                    terminal.keys("n").see_no("┌");
                }
                terminal.keys("gabout:home\r").see("Where to go");
                continue;
            }
            // The page's only link or button has the focus; a page without any stays as it is.
            follow(terminal.loaded());
            asked += usize::from(terminal.screen().contains('┌'));
            tally.hold((PROMISE, "http", "by hand"), !terminal.screen().contains(SECRET), || name.clone());
            let leave = if terminal.screen().contains('┌') { "n" } else { "\x1b" };
            terminal.keys(leave).see_no("┌").see_no("zzz").keys("gabout:home\r").see("Where to go");
        }
    }
    assert!(asked > 0, "no question was asked");
}

/// From the web to other schemes: nothing is asked of their servers before a yes.
pub fn redirected(tally: &Tally) {
    let other = Arc::new(Host::gopher(|_| b"ithey were asked\r\n.\r\n".to_vec()));
    let at = format!("127.0.0.1:{}", other.port);
    let schemes = [
        "gopher://{}/1/x",
        "gopher://{}/h/URL:http://h/",
        "ftp://{}/x",
        "news://{}/g",
        "nntp://{}/g",
        "about:tour",
        "mailto:a@b",
        "telnet://{}/",
        "data:text/html,<p>they%20were%20asked",
        "javascript:alert(1)",
        "wais://{}/d",
        "finger://{}/x",
        "x-unknown:y",
        "view-source:http://{}/",
        "jar:http://{}/!x",
        "cid:x",
        "mid:x",
    ];
    let targets: Vec<String> = schemes.iter().map(|scheme| scheme.replace("{}", &at)).collect();
    let many = targets.len();
    let host = server(targets);
    let home = tempfile::tempdir().unwrap();
    for carrier in 0..CARRIERS.len() + OTHERS {
        let url = |at| format!("http://127.0.0.1:{}/{carrier}/{at}", host.port);
        let run = piped(home.path()).args(["--timeout", "1", "--dump"]).args((0..many).map(url)).output().unwrap();
        let shown = String::from_utf8_lossy(&run.stdout).contains("they were asked");
        for _ in 0..many {
            tally.hold((PROMISE, "http", "to other schemes, printed"), !shown, || format!("carrier {carrier}"));
        }
    }
    let mut terminal = Terminal::start(&["about:home"]);
    terminal.see("Where to go");
    for (target, name) in schemes.iter().enumerate() {
        let url = format!("http://127.0.0.1:{}/{}/{target}", host.port, CARRIERS.len() + target % 5);
        terminal.keys("g").see("open:").keys(&url).keys("\r").see_no("open:");
        terminal.frame_that(name, |screen| {
            let screen = screen.contents();
            screen.contains('┌') || screen.contains("tried ") || screen.contains("next ")
        });
        let question = terminal.screen().contains('┌');
        if question {
            terminal.keys("n").see_no("┌");
        }
        let shown = terminal.screen().contains("they were asked");
        tally.hold((PROMISE, "http", "to other schemes, on the screen"), !shown, || (*name).into());
        terminal.keys("gabout:home\r").see("Where to go");
    }
    let heard = other.heard();
    tally.hold((PROMISE, "http", "to other schemes, on the wire"), heard.is_empty(), || format!("{heard:?}"));
}

/// What a program made of a page is still the page's: its words open no file unasked.
pub fn piped_on(tally: &Tally) {
    let secret = Secret::hidden();
    let to = secret.targets[0].clone();
    let gopher = Host::gopher(move |_| format!("{HERE}\r\n{to}\r\n").into_bytes());
    for program in ["cat", "sort", "tac"] {
        for verb in ["pipe", "pipe source"] {
            let mut terminal =
                Terminal::start_with(&[&format!("gopher://127.0.0.1:{}/0/x", gopher.port)], 120, 24, &[]);
            terminal.see(HERE).loaded().keys(&format!(":{verb} {program}\r")).see("about  output").see(HERE).loaded();
            terminal.keys("\t\r").frame_that("a question", |screen| {
                let screen = screen.contents();
                screen.contains('┌') || screen.contains(SECRET)
            });
            let shown = terminal.screen().contains(SECRET);
            tally.hold((PROMISE, "pipe", "by hand"), !shown, || format!("{verb} {program}"));
        }
    }
}

/// The menus, texts and articles of other protocols, by hand.
pub fn elsewhere(tally: &Tally) {
    let secret = Secret::hidden();
    let to = secret.targets[0].clone();
    let path = to.trim_start_matches("file://").to_owned();
    let gopher = Host::gopher(move |line| {
        match line {
            "/url" => format!("h{HERE}\tURL:{to}\t127.0.0.1\t70\r\n.\r\n"),
            "/text" => format!("{HERE}\r\n{to}\r\n"),
            "/html" => format!("<title>x</title><p>{HERE} <a href='{to}'>link</a>"),
            "/slash" => format!("h{HERE}\t/URL:{to}\t127.0.0.1\t70\r\n.\r\n"),
            _ => format!("0{HERE}\t{path}\t\t0\r\n.\r\n"),
        }
        .into_bytes()
    });
    for selector in ["1/url", "0/text", "h/html", "1/slash", "1/local"] {
        let mut terminal =
            Terminal::start_with(&[&format!("gopher://127.0.0.1:{}/{selector}", gopher.port)], 120, 24, &[]);
        terminal.see(HERE).loaded();
        follow(&mut terminal);
        let shown = terminal.screen().contains(SECRET);
        tally.hold((PROMISE, "gopher", "by hand"), !shown, || selector.into());
    }
    let to = secret.targets[0].clone();
    let news = Host::news(move |line, _| {
        let article = format!(
            "220 1 a\r\nSubject: {HERE}\r\nArchive: <{to}>\r\nX-URL: {to}\r\nContent-Base: {to}\r\n\r\n{to}\r\n.\r\n"
        );
        line.starts_with("ARTICLE").then(|| article.into_bytes())
    });
    let mut terminal = Terminal::start_with(&[&format!("news://127.0.0.1:{}/a@b", news.port)], 120, 24, &[]);
    terminal.see(HERE).loaded();
    follow(&mut terminal);
    tally.hold((PROMISE, "news", "by hand"), !terminal.screen().contains(SECRET), || "article".into());
    // Names in a listing, and where they are said to lead, stay on their server.
    let to = secret.targets[0].clone();
    let path = to.trim_start_matches("file://").to_owned();
    let rows = [
        to.clone(),
        path.clone(),
        format!("x -> {to}"),
        format!("x -> {path}"),
        format!("../../../..{path}"),
        format!("about:tour?{to}"),
    ];
    for row in rows {
        let line = format!("lrwxrwxrwx   1 ftp  ftp   14 Nov 21 03:01 {row}\r\n");
        let ftp = Host::ftp(move |verb, _, _| (verb == "LIST").then(|| Said::Data(line.clone().into_bytes())));
        let mut terminal = Terminal::start_with(&[&format!("ftp://127.0.0.1:{}/d/", ftp.port)], 120, 24, &[]);
        terminal.see("1 entry").loaded();
        follow(&mut terminal);
        let screen = terminal.screen();
        tally.hold((PROMISE, "ftp", "by hand"), !screen.contains(SECRET), || format!("{row}: {screen}"));
    }
}

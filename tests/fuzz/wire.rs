//! Servers that say anything: what each protocol makes of broken replies, heads, listings, overviews and compressed octets. A
//! fetch ends, and what it says of itself is sane.
//!
//! A server's script is what it answers to each line that it hears, broken in places. It closes when the script is at its end, or
//! when it hears nothing more for a moment: who waits for the rest of a broken answer would wait for ever.

use super::octets::{Witness, broken, is_raw};
use super::{Dice, dice};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wayfarer::doc::sanitise;
use wayfarer::proto::{self, Context, End, Exchange, FetchError, FetchEvent, Head, Request, Verdict};
use wayfarer::url::Url;

const CASES: u32 = 120;
/// Only a fetch that hangs takes so long.
const HANG: Duration = Duration::from_secs(20);
/// How long a server listens. Where a machine is slower than this, a fetch ends sooner, and as well.
const PATIENCE: Duration = Duration::from_millis(60);

/// What a server says: first, to each line that it hears, and on the connection for data.
#[derive(Debug, Clone, Default)]
struct Script {
    greeting: Vec<u8>,
    /// By the first word of a line; by none, to any other.
    answers: Vec<(&'static str, Vec<u8>)>,
    data: Vec<u8>,
    /// It hears lines until an empty one and answers once.
    heads: bool,
}

/// A server that follows the script it was given last; visits come one after the other.
struct Server {
    port: u16,
    data: u16,
    scripts: Sender<Script>,
}

impl Server {
    fn start() -> Server {
        let (control, data) = (listener(), listener());
        let (port, data_port) = (number(&control), number(&data));
        let (scripts, given) = channel::<Script>();
        std::thread::spawn(move || {
            let (mut script, gift) = (Script::default(), giver(data));
            for visit in control.incoming().map_while(Result::ok) {
                // Another connection within one fetch hears the same.
                script = given.try_iter().last().unwrap_or(script);
                gift.lock().expect("the data").clone_from(&script.data);
                follow(visit, &script);
            }
        });
        Server { port, data: data_port, scripts }
    }
}

fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").expect("a port")
}

fn number(listener: &TcpListener) -> u16 {
    listener.local_addr().expect("an address").port()
}

fn follow(visit: TcpStream, script: &Script) {
    let _ = visit.set_read_timeout(Some(PATIENCE));
    let mut to = visit.try_clone().expect("a socket");
    let mut from = BufReader::new(visit);
    let _ = to.write_all(&script.greeting);
    let mut line = Vec::new();
    // Nobody asks so often.
    for _ in 0..200 {
        line.clear();
        match from.read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => break,
        }
        if script.heads && line != b"\r\n" {
            continue;
        }
        let verb = line.trim_ascii().split(|octet| *octet == b' ').next().unwrap_or_default();
        let answers = |known: &str| !script.heads && verb.eq_ignore_ascii_case(known.as_bytes()) || known.is_empty();
        let Some((_, answer)) = script.answers.iter().find(|(known, _)| answers(known)) else { break };
        // Where nobody is greeted, one answer is all there is.
        if to.write_all(answer).is_err() || script.greeting.is_empty() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// Sends what is to be had at the time to whoever comes for it.
fn giver(listener: TcpListener) -> Arc<Mutex<Vec<u8>>> {
    let data = Arc::new(Mutex::new(Vec::new()));
    let gift = Arc::clone(&data);
    std::thread::spawn(move || {
        for mut visitor in listener.incoming().map_while(Result::ok) {
            let octets = gift.lock().expect("the data").clone();
            let _ = visitor.write_all(&octets);
            let _ = visitor.shutdown(Shutdown::Write);
        }
    });
    data
}

/// What came of a fetch.
#[derive(Debug, Default)]
struct Outcome {
    head: Option<Head>,
    body: Vec<u8>,
    end: Option<End>,
    failure: Option<FetchError>,
}

fn fetch(url: &str, context: &Context) -> Outcome {
    let request = Request::new(Url::parse(url).expect("a URL"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (mut exchange, mut events, verdict) = Exchange::new(1);
        let running = async {
            let result = proto::fetch(&request, &mut exchange, context).await;
            exchange.close(result).await;
        };
        let (mut verdict, mut outcome) = (Some(verdict), Outcome::default());
        let owner = async {
            while let Some(event) = events.recv().await {
                match event {
                    FetchEvent::Head(head) => {
                        outcome.head = Some(*head);
                        let _ = verdict.take().expect("one head only").send(Verdict::Accept);
                    }
                    FetchEvent::Body(octets) => outcome.body.extend(octets),
                    FetchEvent::End(end) => outcome.end = Some(end),
                    FetchEvent::Failed(failure) => outcome.failure = Some(failure),
                    _ => {}
                }
            }
            outcome
        };
        tokio::time::timeout(HANG, async { tokio::join!(running, owner).1 }).await.expect("a fetch that ends")
    })
}

/// Its words are as long as can be read, once they have passed the sanitiser as all that is shown does.
fn is_sane(outcome: &Outcome, most: usize) {
    let failure =
        outcome.failure.iter().flat_map(|failure| [Some(&failure.detail), Some(&failure.tried), failure.hint.as_ref()]);
    for words in failure.flatten() {
        assert!(words.chars().count() <= 3_000, "{} characters: {words:?}", words.chars().count());
        assert!(!sanitise(words).contains(is_raw));
    }
    if let Some(head) = &outcome.head {
        assert!(!head.media.contains(|c: char| c.is_whitespace() || c.is_control()), "{:?}", head.media);
        assert!(head.notices.iter().all(|notice| notice.len() <= 300_000), "a notice that nobody can read");
    }
    assert!(outcome.body.len() <= most, "{} octets of body", outcome.body.len());
    assert!(
        outcome.end.is_some() != outcome.failure.is_some() || outcome.head.is_none(),
        "an end or a failure: {outcome:?}"
    );
}

fn context() -> Context {
    let mut context = Context::default();
    context.limits.connect = HANG;
    context.limits.silence = HANG;
    context
}

/// Runs cases of one protocol: `case` breaks something and says what is to be fetched.
fn run(what: &str, usual: u32, mut case: impl FnMut(&mut Dice, &Server) -> (Script, String)) {
    let (mut dice, cases) = dice(usual);
    let (server, mut ends) = (Server::start(), 0);
    for number in 0..cases {
        let (script, url) = case(&mut dice, &server);
        let answers = script.answers.iter().map(|(_, answer)| answer.as_slice());
        let said = [&[&*script.greeting], &*answers.collect::<Vec<_>>(), &[&*script.data]].concat().concat();
        let _witness = Witness(number, what, &said);
        server.scripts.send(script).expect("a server");
        let outcome = fetch(&url, &context());
        is_sane(&outcome, 200 * said.len() + 100_000);
        ends += u64::from(outcome.end.is_some());
    }
    assert!(ends > cases / 20 && ends < cases, "{ends} of {cases} came to an end: the scripts say something");
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Breaks an answer, or lets it be.
fn maybe(dice: &mut Dice, answer: &[u8], words: &[&[u8]]) -> Vec<u8> {
    if dice.roll(5) == 0 { broken(dice, &[answer.to_vec()], words) } else { answer.to_vec() }
}

#[test]
fn gopher_servers_may_say_anything() {
    let seeds = texts(&[
        "1Menu\t/x\th\t70\r\niwords\t\t\t\r\n.\r\n",
        "A text\r\n..dots\r\n.\r\n",
        "+-1\r\n1Menu\t/x\th\t70\t+\r\n.\r\n",
        "+23\r\nsome octets of a file.\r\n",
        "--1\r\n1 nobody <me@h>\r\nno such item\r\n.\r\n",
        "+INFO: 0Name\t/x\th\t70\t+\r\n+ADMIN:\r\n Admin: me\r\n+VIEWS:\r\n text/plain: <9k>\r\n",
        "3no such item\t\terror.host\t1\r\n",
        "<html><body>x</body></html>",
        "-200:1:  name: Me\r\n-200:1: email: me@h\r\n200:Ok.\r\n",
    ]);
    run("gopher", CASES, |dice, server| {
        let answer = broken(dice, &seeds, &[b"+", b"-", b"+-2\r\n", b"+99\r\n", b"--9\r\n", b".\r\n"]);
        let path = ["1/x", "0/x", "9/x", "1/x%09%09+", "0/x%09%09!", "7/x%09words", "2x%09me", "g/x"][dice.roll(8)];
        (
            Script { answers: vec![("", answer)], ..Script::default() },
            format!("gopher://127.0.0.1:{}/{path}", server.port),
        )
    });
}

#[test]
fn servers_of_spartan_and_nex_may_say_anything() {
    let seeds = texts(&[
        "2 text/gemini; charset=utf-8\r\n# Title\n=> /x a link\n=: y words\n",
        "2 text/plain\r\nsome words\r\n",
        "3 /there\r\n",
        "4 no such thing\r\n",
        "5 never\r\n",
        "=> x a link of nex\nwords\n",
    ]);
    run("Spartan and nex", CASES, |dice, server| {
        let answer = broken(dice, &seeds, &[b"2 ", b"3 ", b"\r", b"\n", b"=> ", b"; charset="]);
        let (scheme, path) = (["spartan", "nex"][dice.roll(2)], ["", "x", "x.bin", "dir/"][dice.roll(4)]);
        (
            Script { answers: vec![("", answer)], ..Script::default() },
            format!("{scheme}://127.0.0.1:{}/{path}", server.port),
        )
    });
}

fn compressed(octets: &[u8], gzip: bool) -> Vec<u8> {
    match gzip {
        true => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(octets).expect("memory");
            encoder.finish().expect("memory")
        }
        false => deflated(octets),
    }
}

fn deflated(octets: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(octets).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn web_servers_may_say_anything() {
    let heads = texts(&[
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Disposition: attachment; filename*=utf-8''a%0Ab; filename=\"x\\\"y\"\r\nRefresh: 5; url=/x\r\nLink: </n>; rel=next; title=\"x, \\\"y\\\"\", <p>; rel=prev\r\nETag: \"x\"\r\nLast-Modified: Fri, 15 Nov 2024 10:12:00 GMT\r\n",
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"a\", Basic realm=\"b \\\" c\"\r\nSet-Cookie: a=b; Path=/; Max-Age=9\r\n",
        "HTTP/1.1 302 Found\r\nLocation: gopher://h/1\r\n",
        "HTTP/1.1 103 Early\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n",
        "HTTP/1.0 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/99\r\n",
    ]);
    let words: &[&[u8]] = &[
        b"\r\n ",
        b"Content-Length: 5\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"; filename*=",
        b"utf-8''",
        b"; rel=",
        b"<",
        b", ",
        b"\"",
        b"Basic",
        b"HTTP/1.1 200 OK\r\n",
    ];
    run("the web", CASES, |dice, server| {
        let mut answer = broken(dice, &heads, words);
        let body = b"some words of a body\n".repeat(1 + dice.roll(200));
        match dice.roll(5) {
            0 => answer.extend([b"Content-Encoding: gzip\r\n\r\n".to_vec(), compressed(&body, true)].concat()),
            1 => answer.extend([b"Content-Encoding: deflate\r\n\r\n".to_vec(), compressed(&body, false)].concat()),
            2 => {
                let body = broken(dice, &[compressed(&body, true)], &[]);
                answer.extend([b"Content-Encoding: gzip\r\n\r\n".to_vec(), body].concat());
            }
            3 => answer.extend(broken(
                dice,
                &[b"\r\n5\r\nwords\r\n0\r\n\r\n".to_vec()],
                &[b"ffffffffffffffff\r\n", b"-1\r\n"],
            )),
            _ => answer.extend([b"\r\n".to_vec(), body].concat()),
        }
        (
            Script { answers: vec![("", answer)], heads: true, ..Script::default() },
            format!("http://127.0.0.1:{}/x", server.port),
        )
    });
}

#[test]
fn ftp_servers_may_say_anything() {
    let listing = texts(&[
        "-rw-r--r-- 1 ftp ftp 9 Nov 19 08:15 file\r\ndrwxr-xr-x 1 ftp ftp 9 Nov 19 2024 folder\r\n",
        "type=file;size=9;modify=20240102030405; file\r\ntype=dir; folder\r\n",
        "04-27-00  09:09PM       <DIR>          folder\r\n",
        "NAME.TXT;1  2/4  18-JAN-2000 12:00 [A] (RWED,RE,,)\r\n",
    ]);
    let usual: &[(&str, &str)] = &[
        ("USER", "331 password\r\n"),
        ("PASS", "230-welcome\r\n a\r\n230 in\r\n"),
        ("SYST", "215 UNIX\r\n"),
        ("FEAT", "211-Features\r\n MLSD\r\n EPSV\r\n SIZE\r\n211 End\r\n"),
        ("PWD", "257 \"/a\"\"b\" is it\r\n"),
        ("CWD", "250-read this\r\n250 there\r\n"),
        ("TYPE", "200 ok\r\n"),
        ("SIZE", "213 9\r\n"),
        ("MDTM", "213 20240102030405\r\n"),
        ("MLSD", "150 here it comes\r\n226 done\r\n"),
        ("LIST", "150 here it comes\r\n226 done\r\n"),
        ("NLST", "150 comes\r\n226 done\r\n"),
        ("RETR", "150 comes (9 octets)\r\n226 done\r\n"),
        ("QUIT", "221 bye\r\n"),
    ];
    let others: &[&[u8]] = &[
        b"200 ok\r\n",
        b"250 there\r\n",
        b"550 no such file\r\n",
        b"500 what\r\n",
        b"421 too many users\r\n",
        b"530 log in\r\n",
        b"150 comes\r\n",
        b"331 password\r\n",
    ];
    run("FTP", CASES, |dice, server| {
        let passive = format!("229 here (|||{}|)\r\n", server.data);
        let old = format!("227 here (127,0,0,1,{},{})\r\n", server.data / 256, server.data % 256);
        let passive = [("EPSV", passive.as_str()), ("PASV", old.as_str())];
        let mut answers = vec![];
        for (verb, answer) in usual.iter().chain(&passive) {
            let answer = if dice.roll(15) == 0 { others[dice.roll(others.len())] } else { answer.as_bytes() };
            answers.push((*verb, maybe(dice, answer, &[b"-", b"230-", b"\r\n", b"|||", b"\"\"", b"99999"])));
        }
        answers.push(("", others[dice.roll(others.len())].to_vec()));
        let script = Script {
            greeting: maybe(dice, b"220-hello\r\n220 ready\r\n", &[b"120 later\r\n"]),
            answers,
            data: broken(dice, &listing, &[b"\r\n", b" -> "]),
            heads: false,
        };
        let path = ["", "folder/", "file", "x;type=d", "x;type=a", "%2Fx/y/"][dice.roll(6)];
        (script, format!("ftp://127.0.0.1:{}/{path}", server.port))
    });
}

#[test]
fn news_servers_may_say_anything() {
    let usual: &[(&str, &str)] = &[
        ("MODE", "200 ready\r\n"),
        ("GROUP", "211 3 1 3 a.group\r\n"),
        ("LISTGROUP", "211 3 1 3 a.group\r\n1\r\n3\r\n.\r\n"),
        (
            "OVER",
            "224 overview\r\n1\tSubject\tMe <me@h>\tFri, 15 Nov 2024 12:00:00 +0100\t<a@b>\t<c@d>\t9\t9\tXref: h a.b:1\r\n.\r\n",
        ),
        (
            "XOVER",
            "224 overview\r\n1\tSubject\tMe <me@h>\t\t<a@b>\t<c@d>\t9\t9\r\n3\tRe: Subject\tMe\t\t<e@b>\t<a@b>\t9\t9\r\n.\r\n",
        ),
        ("LIST", "215 list\r\na.group 3 1 y\r\nb.group 9 8 m\r\nSubject:\r\nFrom:\r\nMessage-ID:\r\n.\r\n"),
        ("ARTICLE", "220 1 <a@b> article\r\nFrom: me@h\r\nSubject: x\r\n\r\n..words\r\n.\r\n"),
        (
            "CAPABILITIES",
            "101 capabilities\r\nVERSION 2\r\nREADER\r\nOVER\r\nHDR\r\nLIST ACTIVE COUNTS NEWSGROUPS\r\nCOMPRESS DEFLATE\r\n.\r\n",
        ),
        ("HDR", "225 headers\r\n1 <a@b>\r\n2 (none)\r\n.\r\n"),
        ("XHDR", "221 headers\r\n1 words\r\n.\r\n"),
        ("DATE", "111 20240102030405\r\n"),
        ("QUIT", "205 bye\r\n"),
    ];
    let others: &[&[u8]] = &[
        b"206 deflate\r\n",
        b"480 login\r\n",
        b"381 password\r\n",
        b"281 in\r\n",
        b"423 no articles\r\n",
        b"411 no such group\r\n",
        b"430 no such article\r\n",
        b"500 what\r\n",
        b"502 no\r\n",
    ];
    run("news", CASES, |dice, server| {
        let words: &[&[u8]] = &[b".\r\n", b"\r\n", b"\t", b"\t\t", b"99999999999999999999", b"(none)", b"<a@b>", b"y"];
        let mut answers = Vec::new();
        for (verb, answer) in usual {
            let answer = if dice.roll(10) == 0 { others[dice.roll(others.len())] } else { answer.as_bytes() };
            answers.push((*verb, maybe(dice, answer, words)));
        }
        if dice.roll(4) == 0 {
            // What comes after the answer is a stream of its own.
            let stream = deflated(usual[dice.roll(usual.len())].1.as_bytes());
            answers.push(("COMPRESS", [b"206 deflate\r\n".to_vec(), maybe(dice, &stream, &[])].concat()));
        }
        answers.push(("", others[dice.roll(others.len())].to_vec()));
        let greeting = maybe(dice, b"200 ready\r\n", &[b"400 later", b"201 "]);
        let path = ["a@b", "a.group/1", "a.group", "*", "a.group/1-3", ""][dice.roll(6)];
        (Script { greeting, answers, ..Script::default() }, format!("nntp://127.0.0.1:{}/{path}", server.port))
    });
}

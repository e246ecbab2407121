//! Plain gopher: requests to the octet, media types, texts, errors, limits, bad lines of communication.

use super::client::{context, fetch, get, impatient, refuse, request, watch};
use super::server::{Server, Step, send};
use wayfarer::format::media;
use wayfarer::proto::{self, Exchange, FetchEvent, Kind, Stage};
use wayfarer::url::Url;
use wayfarer::url::scheme::{self, Act};

/// `\t \r \n \xNN` as octets.
fn octets(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.bytes();
    while let Some(b) = rest.next() {
        if b != b'\\' {
            out.push(b);
            continue;
        }
        match rest.next().unwrap() {
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'n' => out.push(b'\n'),
            b'x' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                out.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
            }
            other => panic!("\\{}", other as char),
        }
    }
    out
}

/// Every row of the table: the server receives exactly these octets, or nothing is sent.
#[test]
fn the_server_receives_what_the_table_says() {
    let table = include_str!("../../data/gopher-requests.tsv");
    for row in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let (id, url, expected) = (fields[0], fields[1], fields[4]);
        if expected == "\\N" {
            let outcome = get(url);
            let refused = fields[5].starts_with("REFUSE");
            assert_eq!(outcome.failure().kind == Kind::Unsafe, refused, "{id}: {}", outcome.words());
            assert_eq!(outcome.stages, [], "{id}: nothing is sent");
            continue;
        }
        // A path without TLS shows the same octets; the TLS tests show TLS.
        let expected = octets(expected);
        let server = Server::start(vec![vec![Step::Octets(expected.len()), send("+-2\r\nok\r\n")]]);
        let (start, rest) = url.split_once("//").unwrap();
        let path = rest.find('/').map_or("", |slash| &rest[slash..]);
        assert!(start.starts_with("gopher"), "{id}");
        let outcome = get(&format!("gopher://127.0.0.1:{}{path}", server.port));
        assert!(outcome.failure.is_none(), "{id}: {:?}", outcome.failure);
        assert_eq!(server.received(), [expected], "{id}");
    }
}

#[test]
fn the_plan_is_what_is_sent() {
    let server = Server::start(vec![vec![Step::Line, send("ok\r\n")]]);
    let url = server.url("0a%2Fb%20c%FF");
    let Act::Octets { bytes, .. } = scheme::plan(&Url::parse(&url).unwrap()).unwrap().act else { panic!() };
    get(&url);
    assert_eq!(server.received(), [bytes]);
}

#[test]
fn a_menu_comes_as_it_is_with_its_stages() {
    let menu = "1World\t/world\tlocalhost\t70\r\niinfo\t\t\t\r\n.\r\n";
    let server = Server::start(vec![vec![Step::Line, send(menu)]]);
    let url = server.url("1/top");
    let outcome = get(&url);
    assert_eq!(outcome.stages, [Stage::Connecting, Stage::Waiting], "an address needs no looking up");
    assert_eq!((outcome.media(), outcome.text().as_str(), outcome.cut()), (media::MENU, menu, None));
    let head = outcome.head.unwrap();
    assert_eq!((head.url.as_str(), head.filename, head.length), (url.as_str(), None, None));
    assert_eq!(server.line(), "/top\r\n");
}

#[test]
fn a_name_is_looked_up() {
    let server = Server::start(vec![vec![Step::Line, send("hello\r\n")]]);
    let outcome = get(&format!("gopher://localhost:{}/0x", server.port));
    assert_eq!(outcome.stages, [Stage::Resolving, Stage::Connecting, Stage::Waiting]);
    assert_eq!(outcome.text(), "hello\r\n");
    server.received();
}

#[test]
fn the_media_type_comes_from_the_item_and_then_from_name_and_content() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice();
    for (path, sent, expected) in [
        ("0/a.html", b"<p>text\r\n".as_slice(), "text/plain"),
        ("0/a", b"MZ\x90\0\x03\0\0\0\x04\0", "application/octet-stream"),
        ("0/a", png, "image/png"),
        ("1/a", b"no menu at all\r\n", media::MENU),
        ("7/a%09word", b"i\t\t\t\r\n", media::MENU),
        ("h/a", b"<p>hello\r\n", "text/html"),
        ("g/a", b"GIF89a\x01\0", "image/gif"),
        ("I/a.jpeg", b"\xFF\xD8\xFF\xE0\0", "image/jpeg"),
        ("I/a", png, "image/png"),
        ("I/liar.jpg", png, "image/png"),
        ("I/a.webp", b"who knows\0", "image/webp"),
        ("9/a", b"\0\x01\x02", "application/octet-stream"),
        ("9/a.zip", b"PK\x03\x04\0", "application/zip"),
        ("9/a.txt", b"hello\r\n", "text/plain"),
        ("9/a.txt", b"\0\0\0", "application/octet-stream"),
        ("5/a.tar", b"\0\0", "application/x-tar"),
        ("s/a.wav", b"RIFF\0\0\0\0WAVE", "audio/wav"),
        ("P/a", b"%PDF-1.4\n", "application/pdf"),
        ("d/a", b"%PDF-1.4\n", "application/pdf"),
        ("x/a", b"<?xml version='1.0'?>\n", "application/xml"),
        ("Z/a", b"plain words\r\n", "text/plain"),
        ("Z/a", b"\0\0\0", "application/octet-stream"),
    ] {
        let server = Server::start(vec![vec![Step::Line, send(sent)]]);
        let outcome = get(&server.url(path));
        assert_eq!(outcome.media(), expected, "{path}");
        assert_eq!(outcome.body, sent, "{path}");
        server.received();
    }
}

#[test]
fn the_readers_choice_of_a_type_wins() {
    let server = Server::start(vec![vec![Step::Line, send("1a\tb\tc\t70\r\n")]]);
    let mut wanted = request(&server.url("1"));
    wanted.media = Some("text/plain".into());
    assert_eq!(fetch(&wanted, &context()).media(), "text/plain");
    server.received();
}

#[test]
fn a_file_keeps_its_name_for_saving() {
    let server = Server::start(vec![vec![Step::Line, send("\0")]]);
    let outcome = get(&server.url("9/pub/some%20file.bin"));
    assert_eq!(outcome.head.unwrap().filename.as_deref(), Some("some file.bin"));
    server.received();
}

#[test]
fn a_text_that_trickles_is_the_same_text() {
    let server = Server::start(vec![vec![Step::Line, Step::Trickle(b"one\r\n..two\r\nthree\r\n.\r\n".to_vec())]]);
    assert_eq!(get(&server.url("0x")).text(), "one\r\n.two\r\nthree\r\n");
    server.received();
}

#[test]
fn binary_octets_are_not_touched() {
    let octets = b"\0..\r\n..\r\n.\r\n";
    for path in ["9/x", "0/x", "I/x"] {
        let server = Server::start(vec![vec![Step::Line, send(octets)]]);
        assert_eq!(get(&server.url(path)).body, octets, "{path}");
        server.received();
    }
}

#[test]
fn one_line_of_type_3_is_an_error_and_not_a_text() {
    for answer in ["3'/x' does not exist\t\terror.host\t1\r\n", "3'/x' does not exist\t\terror.host\t1\r\n.\r\n"] {
        let server = Server::start(vec![vec![Step::Line, Step::Trickle(answer.into())]]);
        let outcome = get(&server.url("0/x"));
        assert_eq!(outcome.failure().kind, Kind::Said);
        assert_eq!(outcome.failure().detail, "The server says: '/x' does not exist");
        assert!(outcome.failure().tried.contains("selector \"/x\""), "{}", outcome.words());
        server.received();
    }
}

#[test]
fn a_text_that_only_begins_like_an_error_is_a_text() {
    for text in ["3 little pigs\r\n", "3\t2\t1\t0\r\nand more\r\n", "3\t2\t1\tx\r\n", "3", "3a\tb\tc\td\r\n.x\r\n"] {
        let server = Server::start(vec![vec![Step::Line, send(text)]]);
        assert_eq!(get(&server.url("0/x")).text(), text);
        server.received();
    }
}

#[test]
fn an_error_menu_is_a_menu() {
    let server = Server::start(vec![vec![Step::Line, send("3nothing\t\terror.host\t1\r\n.\r\n")]]);
    assert_eq!(get(&server.url("1/x")).media(), media::MENU);
    server.received();
}

#[test]
fn an_empty_answer_says_so() {
    for path in ["0/x", "1/x", "9/x"] {
        let server = Server::start(vec![vec![Step::Line]]);
        let outcome = get(&server.url(path));
        assert_eq!(outcome.cut(), Some("the server closed the connection without sending anything"), "{path}");
        server.received();
    }
}

#[test]
fn what_came_is_passed_on_while_the_server_stalls() {
    let server = Server::start(vec![vec![Step::Line, send("1a\tb\tc\t70\r\n"), Step::Stall, send("1d\te\tf\t70\r\n")]]);
    let mut pieces = 0;
    let outcome = watch(&request(&server.url("1")), &context(), |event| {
        if matches!(event, FetchEvent::Body(_)) {
            pieces += 1;
            // Only the first piece lets the server go on, so it must have come alone.
            if pieces == 1 {
                server.release();
            }
        }
    });
    assert_eq!(outcome.text(), "1a\tb\tc\t70\r\n1d\te\tf\t70\r\n");
    assert_eq!(pieces, 2);
    server.received();
}

#[test]
fn a_menu_that_ends_in_the_middle_of_a_line_is_cut_short() {
    let row = "1a\tb\tc\t70\r\n";
    for (rest, whole) in [("iPARTIAL lin", false), ("1", false), (".", true), (".\r", true), ("", true), ("..x", false)]
    {
        let server = Server::start(vec![vec![Step::Line, send(format!("{row}{rest}"))]]);
        let outcome = get(&server.url("1"));
        let cut = (!whole).then_some("the server closed the connection in the middle of a line");
        assert_eq!(outcome.cut(), cut, "{rest:?}");
    }
    // A text may lack the end of its last line.
    let server = Server::start(vec![vec![Step::Line, send("one\r\ntwo")]]);
    assert_eq!(get(&server.url("0")).cut(), None);
}

#[test]
fn silence_keeps_what_came() {
    let server = Server::start(vec![vec![Step::Line, send("1a\tb\tc\t70\r\n"), Step::Stall]]);
    let outcome = fetch(&request(&server.url("1")), &impatient());
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("1a\tb\tc\t70\r\n", Some("nothing came for 0.2 s")));
    server.received();
}

#[test]
fn silence_after_the_last_dot_is_no_loss() {
    let server = Server::start(vec![vec![Step::Line, send("text\r\n.\r\n"), Step::Stall]]);
    let outcome = fetch(&request(&server.url("0")), &impatient());
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("text\r\n", None));
    server.received();
}

#[test]
fn silence_from_the_beginning_is_an_error() {
    let server = Server::start(vec![vec![Step::Line, Step::Stall]]);
    let outcome = fetch(&request(&server.url("1/slow")), &impatient());
    assert_eq!(outcome.failure().kind, Kind::TimedOut);
    let words = outcome.words();
    assert!(words.contains("sent nothing for 0.2 s") && words.contains("selector \"/slow\""), "{words}");
    server.received();
}

#[test]
fn a_broken_connection_keeps_what_came() {
    let server = Server::start(vec![vec![send("1a\tb\tc\t70\r\n1half"), Step::Reset]]);
    let outcome = get(&server.url("1"));
    assert_eq!(outcome.text(), "1a\tb\tc\t70\r\n1half");
    let cut = outcome.cut().unwrap();
    assert!(cut.starts_with("the connection broke after 16 octets (connection reset"), "{cut}");
    server.received();
}

#[test]
fn a_connection_that_breaks_at_once_is_an_error() {
    let server = Server::start(vec![vec![Step::Reset]]);
    let outcome = get(&server.url("1"));
    assert_eq!(outcome.failure().kind, Kind::Broken, "{}", outcome.words());
    server.received();
}

#[test]
fn an_endless_menu_is_cut_at_the_limit() {
    let server = Server::start(vec![vec![Step::Line, Step::Forever(b"imore and more\t\t\t\r\n".repeat(100))]]);
    let mut context = context();
    context.limits.page = 256 * 1024;
    let outcome = fetch(&request(&server.url("1")), &context);
    assert_eq!((outcome.body.len(), outcome.cut()), (256 * 1024, Some("cut at 256 KiB")));
    server.received();
}

#[test]
fn what_is_only_saved_has_no_limit_of_pages() {
    let server = Server::start(vec![vec![Step::Line, send(vec![0; 100_000])]]);
    let mut context = context();
    context.limits.page = 1000;
    let outcome = fetch(&request(&server.url("9/x")), &context);
    assert_eq!((outcome.body.len(), outcome.cut()), (100_000, None));
    server.received();
}

#[test]
fn a_page_of_exactly_the_limit_is_whole() {
    let server = Server::start(vec![vec![Step::Line, send("0123456789")]]);
    let mut context = context();
    context.limits.page = 10;
    let outcome = fetch(&request(&server.url("0/x")), &context);
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("0123456789", None));
    server.received();
}

#[test]
fn a_search_without_words_is_not_sent() {
    let outcome = get("gopher://127.0.0.1/7/find");
    assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::Unsupported, 0));
}

#[test]
fn a_body_that_is_refused_is_not_read() {
    for path in ["1", "9/x", "2%09x"] {
        let server = Server::start(vec![vec![Step::Line, send("1a\tb\tc\t70\r\n"), Step::Drain]]);
        let outcome = refuse(&request(&server.url(path)), &context());
        assert_eq!((outcome.text().as_str(), outcome.cut()), ("", None), "{path}");
        // The connection is closed, or the script would not end.
        server.received();
    }
}

#[test]
fn a_fetch_that_is_dropped_lets_go_of_the_server() {
    let server = Server::start(vec![vec![Step::Line, send("1a\tb\tc\t70\r\n"), Step::Drain]]);
    let request = request(&server.url("1"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = context();
        let (mut exchange, mut events, _verdict) = Exchange::new(1);
        let fetching = (proto::find("gopher").unwrap().fetch)(&request, &mut exchange, &context);
        let head = async { while !matches!(events.recv().await, Some(FetchEvent::Head(_))) {} };
        tokio::select! {
            _ = fetching => panic!("it waits for the verdict"),
            () = head => {}
        }
    });
    server.received();
}

//! Pages on standard output, with the real program in pipes.

use super::command_line::{Place, fails, prints, run, server};
use super::server::{Server, whole};
use super::web::Web;
use std::io::Write;

#[test]
fn a_page_is_printed_when_asked_for_and_into_a_pipe() {
    let server = server();
    let page = "      Hello\n(TXT) A text\n(URL) The web\n";
    prints(&["-d", &server.url("1")], page);
    prints(&["--dump", &server.url("1")], page);
    prints(&[&server.url("1")], page);
    prints(&[&server.url("7/find%09words")], "(TXT) Found\n");
    prints(&[&server.url("1"), &server.url("1")], &page.repeat(2));
}

#[test]
fn texts_in_forms_are_printed_whole() {
    let shown = format!("[a (+2){}]\n  a\n  b\n  c\n\nend\n", "_".repeat(32));
    prints(&["--dump", "data:text/html,<p><textarea>a%0Ab%0Ac</textarea><div>end</div>"], &shown);
}

#[test]
fn links_alone_or_after_the_text() {
    let server = server();
    let links = format!("{}\nhttp://example.org/\n", server.url("0/text"));
    prints(&["--links", &server.url("1")], &links);
    // With the text its links have the numbers of the list.
    let links = format!("[1] {}\n[2] http://example.org/\n", server.url("0/text"));
    let text = "      Hello\n(TXT) [1]A text\n(URL) [2]The web\n\n";
    prints(&["--dump", "--links", &server.url("1")], &format!("{text}{links}"));
}

#[test]
fn every_link_is_listed_as_a_url_and_what_leads_nowhere_is_told() {
    let place = Place::new();
    let links = [
        "http://h/a b?c d#é",
        "#s",
        "",
        "10:30-notes.html",
        "http://ho st/",
        "http://bücher.example/x",
        "http://joe:pw@h/",
    ];
    place.write("page.html", links.map(|link| format!("<a href=\"{link}\">x</a>\n")).concat());
    let page = wayfarer::url::escape::make_safe(&format!("file://{}/page.html", place.path().display()));
    let folder = page.strip_suffix("page.html").unwrap();
    let (status, out, told) = place.run(&["--links", &page]);
    let expected = format!(
        "http://h/a%20b?c%20d#%C3%A9\n{page}#s\n{page}\n{folder}10:30-notes.html\nhttp://xn--bcher-kva.example/x\nhttp://joe:***@h/\n"
    );
    assert_eq!((status, out), (0, expected));
    assert!(told.contains("line 5: the link \"http://ho st/\" leads nowhere: ") && told.lines().count() == 1, "{told}");
    // One that stands twice has two lines.
    place.write("twice.html", "<a href=\"http://ho st/\">x</a>\n\n<a href=\"http://ho st/\">x</a>\n");
    let (_, _, told) = place.run(&["--links", &page.replace("page.html", "twice.html")]);
    assert!(told.contains("line 1: ") && told.contains("line 3: "), "{told}");
}

#[test]
fn source_is_every_octet_as_it_came() {
    let server = server();
    let place = Place::new();
    let run = |path: &str| {
        let done = place.start(&["--source", &server.url(path)]).wait_with_output().unwrap();
        assert!(done.status.success() && done.stderr.is_empty());
        done.stdout
    };
    assert_eq!(run("9/bin"), [0, 159, 146, 150, 0, 255]);
    assert_eq!(run("0/latin"), b"caf\xe9 \x80\r\n");
    assert!(run("1").starts_with(b"iHello\t\tx\t1\r\n0A text\t"));
}

#[test]
fn head_says_what_the_response_says_of_itself() {
    let server = server();
    let (status, out, err) = run(&["--head", &server.url("0/text")]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.starts_with(&format!("url: {}\nmedia: text/plain\n", server.url("0/text"))), "{out}");
    assert!(!out.contains("one two"), "{out}");
}

#[test]
fn width_wraps_the_dump() {
    let server = server();
    let widest = |arguments: &[&str]| {
        let (status, out, _) = run(arguments);
        assert_eq!(status, 0);
        assert_eq!(out.split_whitespace().count(), 16);
        out.lines().map(str::len).max().unwrap()
    };
    let url = server.url("0/text");
    assert!((70..=80).contains(&widest(&[&url])));
    assert!((20..=30).contains(&widest(&["--width", "30", &url])));
    assert!(widest(&["--width=300", &url]) > 90);
    for width in ["0", "-1", "x", "65536"] {
        assert_eq!(run(&["--width", width, &url]).0, 2, "{width}");
    }
}

#[test]
fn lines_of_plain_text_run_on_where_the_settings_say_so_and_prose_wraps_all_the_same() {
    let place = Place::new();
    let words = "one two three four five six seven eight";
    let page =
        format!("<p>{words}<pre>{words}\n\n{words}</pre><p>{words}<table><tr><td><pre>{words}</pre><td>x</table>");
    let printed = |wrap: &str| {
        let run = ["-o", wrap, "--dump", "--width", "20", "-T", "text/html", "-"];
        let (status, out, err) = place.feed(&run, page.as_bytes());
        assert_eq!((status, err.as_str()), (0, ""));
        out
    };
    let whole = |out: &str| out.lines().filter(|line| line.trim() == words).count();
    let (wrapped, run_on) = (printed("wrap=true"), printed("wrap=false"));
    assert_eq!((whole(&wrapped), whole(&run_on)), (0, 2), "{run_on}");
    let all = |out: &str| out.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(all(&wrapped), all(&run_on), "no word is lost");
    let text = format!("{words}\n{words}\n");
    let (_, out, _) = place.feed(&["-o", "wrap=false", "--dump", "--width", "20", "-"], text.as_bytes());
    assert_eq!(out, text);
}

#[test]
fn types_and_bases_may_be_given() {
    let place = Place::new();
    let gemtext = b"# Title\n=> /a/../b here\n=> http://example.org/ there\n";
    let arguments = ["-T", "text/gemini", "--base", "gopher://host.example/1/dir", "--links", "-"];
    let absolute = "gopher://host.example/b\nhttp://example.org/\n";
    assert_eq!(place.feed(&arguments, gemtext), (0, absolute.into(), String::new()));
    let (status, out, _) = place.feed(&["--type", "text/plain", "-"], gemtext);
    assert_eq!((status, out.as_str()), (0, "# Title\n=> /a/../b here\n=> http://example.org/ there\n"));
    let (status, out, err) = place.feed(&["--type", "audio/basic", "-"], gemtext);
    assert_eq!((status, out.as_str(), err.lines().count()), (1, "", 1), "{err}");
    let (status, out, _) = place.feed(&["--type", "image/png", "-"], &crate::picture::png(80, 60));
    assert!(status == 0 && out.starts_with("PNG picture, 80 x 60, ") && out.lines().count() == 1, "{out}");
    fails(&["--base", "relative", "about:home"], 2, "--base");
}

/// The line that stands for a fold was printed as a link to the page itself, once for each quote.
#[test]
fn folds_of_an_article_are_no_links_and_a_short_quote_has_no_line() {
    let place = Place::new();
    let article = b"Subject: s\n\n> quoted\nsee <http://x.example/>\n";
    let (_, links, _) = place.feed(&["-T", "message/rfc822", "--base", "news://h/1@x", "--links", "-"], article);
    assert_eq!(links, "http://x.example/\n");
    let (_, text, _) = place.feed(&["-T", "message/rfc822", "-"], article);
    assert_eq!(text, "s\nall headers (1)\n\n> quoted\nsee <http://x.example/>\n");
}

#[test]
fn charsets_may_be_given() {
    let server = server();
    prints(&["--charset", "windows-1252", &server.url("0/latin")], "café €\n");
    prints(&["--charset", "cp437", &server.url("0/latin")], "cafΘ Ç\n");
    prints(&["-o", "charset.default=cp437", &server.url("0/latin")], "cafΘ Ç\n");
    let place = Place::new();
    place.write("hosts.toml", "[charset.hosts]\n\"127.0.0.1\" = \"cp437\"\n");
    assert_eq!(place.run(&["-c", "hosts.toml", &server.url("0/latin")]).1, "cafΘ Ç\n");
    fails(&["--charset", "no-such", &server.url("0/latin")], 2, "--charset no-such");
}

#[test]
fn what_came_before_a_break_is_printed_and_the_status_tells() {
    let server = server();
    let (status, out, err) = run(&[&server.url("1/drop"), &server.url("1/stall"), "--timeout=1"]);
    assert_eq!((status, out.as_str()), (1, "(TXT) First\n(TXT) First\n"));
    assert_eq!(err.lines().count(), 2, "{err}");
}

#[test]
fn links_of_a_page_from_a_gateway_are_those_of_the_screen() {
    for (url, links) in [("wais://h/db?x", "wais://h/other\n"), ("urn:isbn:1", "http://127.0.0.1:{}/other\n")] {
        let page =
            whole("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 21\r\n\r\n<a href=other>o</a>  ");
        let line = format!("GET /gw.html?{} HTTP/1.1", wayfarer::url::escape::encode(url.as_bytes(), b""));
        let server = Server::start(vec![(&*line, page)]);
        let scheme = url.split(':').next().unwrap();
        let gateway = format!("gateways.{scheme}=http://127.0.0.1:{}/gw.html?%s", server.port());
        prints(&["--links", "-o", &gateway, url], &links.replace("{}", &server.port().to_string()));
    }
}

#[test]
fn a_dump_follows_the_web_and_tells_an_error_page_from_a_page() {
    let moved = |to: &str| whole(format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"));
    let page = |status: &str| {
        whole(format!("HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nwords"))
    };
    let server = Server::start(vec![
        ("GET /on HTTP/1.1", moved("/there")),
        ("GET /there HTTP/1.1", page("200 OK")),
        ("GET /gone HTTP/1.1", page("410 Gone")),
        ("GET /loop HTTP/1.1", moved("loop")),
        ("GET /file HTTP/1.1", moved("file:///etc/hostname")),
    ]);
    let base = server.url("").replace("gopher:", "http:");
    let dump = |path: &str| Place::new().run(&["--dump", &format!("{base}{path}")]);
    assert_eq!(dump("on"), (0, "words\n".into(), String::new()));
    let (status, out, error) = dump("gone");
    assert_eq!((status, out.as_str()), (1, "words\n"));
    assert!(error.ends_with("/gone: 410 Gone\n"), "{error}");
    let (status, _, error) = dump("loop");
    assert!(status == 1 && error.contains("without end"), "{error}");
    let (status, out, error) = dump("file");
    assert!(status == 1 && out.is_empty() && error.contains("leads to file:///etc/hostname"), "{error}");
}

#[test]
fn header_fields_that_are_folded_are_counted_in_a_dump() {
    let place = Place::new();
    place.write("a.eml", "Subject: s\nFrom: a@b.c\nX-Odd: thing\n\n> quoted\ntext\n-- \nsigned\n");
    let (status, out, _) = place.run(&["--dump", "a.eml"]);
    assert_eq!(status, 0);
    assert!(out.contains("all headers (3)") && !out.contains("X-Odd"), "{out}");
    // what else can be folded is whole
    assert!(out.contains("quoted") && out.contains("text") && out.contains("signed"), "{out}");
}

#[test]
fn a_part_of_a_message_is_not_printed_from_outside_of_it() {
    fails(&["--dump", "cid:1@x"], 1, "cid");
    fails(&["--dump", "mid:1@x/2@x"], 1, "print the message itself");
}

#[test]
fn a_page_that_is_printed_holds_no_more_memory_than_it_may() {
    let place = Place::new();
    place.write("a.html", format!("<p>first</p>{}<p>last", "<b>x</b>".repeat(1 << 20)));
    let (status, out, error) = place.run(&["--dump", "-o", "limits.memory=1MiB", "a.html"]);
    assert!(out.starts_with("first") && !out.contains("last"), "{out}");
    assert!(status == 1 && error.contains("a page may hold 1.0 MB of memory (limits.memory)"), "{status} {error}");
}

#[test]
fn half_of_a_packed_text_is_printed_and_the_status_tells() {
    let place = Place::new();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    (0..20_000).for_each(|line| writeln!(packer, "line {line}").unwrap());
    let whole = packer.finish().unwrap();
    place.write("x.txt.gz", &whole[..whole.len() - 12]);
    let (status, out, err) = place.run(&["--dump", "x.txt.gz"]);
    assert!(out.contains("line 1000\n"));
    assert!(status == 1 && err.contains("its end is missing: gzip says more follows"), "{status} {err}");
}

#[test]
fn what_nothing_opens_is_told_of_as_on_the_screen() {
    let (status, out, told) = run(&["--dump", "javascript:1"]);
    assert_eq!((status, out.as_str()), (1, ""), "{told}");
    assert!(told.contains("scripts are never run"), "{told}");
    let (status, out, told) = run(&["--dump", "prospero://h/x"]);
    assert!(status == 1 && told.contains("Prospero directory service"), "{told}");
    assert!(out.contains("What can be done") && out.contains("[gateways]"), "{out}");
    let (status, out, told) = run(&["--dump", "about:schemes"]);
    assert_eq!((status, told.as_str()), (0, ""));
    assert!(out.contains("Schemes of addresses") && out.contains("Never opened") && out.contains("gopher"), "{out}");
    let (status, out, _) = run(&["--dump", "about:schemes?name=wais"]);
    assert!(status == 0 && out.contains("What can be done"), "{out}");
}

#[test]
fn a_service_is_told_of_and_nothing_is_started() {
    let (status, out, told) = run(&["--dump", "telnet://guest:let%20me@bbs.example/"]);
    assert_eq!((status, told.as_str()), (0, ""), "{out}");
    for words in ["bbs.example", "port", "guest", "***", "telnet bbs.example 23"] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(!out.contains("let me") && !out.contains("let%20me") && !out.contains("Start it"), "{out}");
    let missing = ["-o", "handlers.telnet=[\"no-such-telnet\", \"{host}\"]", "--dump", "telnet://h/"];
    let (status, out, _) = run(&missing);
    assert!(status == 0 && out.contains("no-such-telnet is not installed here"), "{out}");
    assert!(out.contains("inetutils-telnet") && out.contains("[handlers]"), "{out}");
    let (_, out, _) = run(&["--safe", "--dump", "telnet://h/"]);
    assert!(out.contains("--safe forbids it"), "{out}");
    let (status, _, told) = run(&["--dump", "telnet://-oProxyCommand=x/"]);
    assert!(status == 1 && told.contains("telnet://-oProxyCommand=x/"), "{told}");
}

#[test]
fn a_password_that_a_page_repeats_is_hidden_in_its_links_as_on_the_screen() {
    let page = "<a href='/in?p=w3bsecret'>again</a> <a href='http://o.example/?W3Bsecret'>away</a>";
    let server = Web::start(&[("/", "200 OK", page)]);
    let address = server.url("/").replace("http://", "http://joe:w3bsecret@");
    for options in [&["--links"][..], &["--dump", "--links"]] {
        let (_, out, told) = run(&[options, &[address.as_str()]].concat());
        assert!(out.contains("http://o.example/?***"), "{out} {told}");
        assert!(!out.to_lowercase().contains("w3bsecret") && !told.contains("w3bsecret"), "{out} {told}");
    }
}

#[test]
fn a_message_of_a_mailbox_is_printed_by_its_id() {
    let place = Place::new();
    let one = |id: &str| {
        format!(
            "From a@x Mon Nov  2 10:00:00 2026\nFrom: a@x\nSubject: S {id}\nMessage-ID: <{id}>\n\nBody of {id}.\n\n"
        )
    };
    place.write("box", one("1@x") + &one("2@x"));
    let path = place.path().join("box").display().to_string();
    let (status, out, _) = place.run(&["--dump", &format!("mbox:{path}#2@x")]);
    assert!(status == 0 && out.contains("Body of 2@x.") && !out.contains("1@x"), "{out}");
    let (status, out, said) = place.run(&["--dump", &format!("mbox:{path}#9@x")]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(said.contains("there is no message \"9@x\" in it"), "{said}");
}

#[test]
fn every_link_shows_its_number_where_the_settings_say_so() {
    let page = "data:text/html,<p>see <a href=%23a>this</a> or <a href=%23b>that</a>";
    prints(&["-o", "numbers=true", "--dump", page], "see [1]this or [2]that\n");
    prints(&["--dump", page], "see this or that\n");
}

#[test]
fn a_page_of_the_browser_alone_is_not_denied_but_said_to_be_shown_while_browsing() {
    for own in ["bookmarks", "downloads", "history", "last", "marks", "scores", "settings", "trail", "Settings"] {
        let url = format!("about:{own}");
        let (status, out, told) = run(&["-d", &url]);
        assert_eq!((status, out.as_str()), (1, ""), "{told}");
        let lower = url.to_lowercase();
        assert!(told.contains(&format!("{lower} is shown only while browsing")), "{told}");
        assert!(told.contains(&format!("wayfarer {lower} opens it")) && !told.contains("There is no page"), "{told}");
    }
    let (_, _, told) = run(&["-d", "about:nosuch"]);
    assert!(told.contains("There is no page about:nosuch") && told.contains("about:new"), "{told}");
    assert!(told.contains("and while browsing about:bookmarks"), "{told}");
}

#[test]
fn a_page_that_is_not_there_names_those_that_are() {
    for own in ["about:settings", "about:bookmarks", "about:history", "about:last", "about:tour"] {
        fails(&["about:nosuch"], 1, own);
    }
}

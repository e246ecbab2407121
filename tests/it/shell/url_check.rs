//! `url check` with the real program, a gopher server and a web server on loopback.

use super::command_line::Place;
use super::server::{Answer, Server, whole};
use super::url_schema::holds;
use super::web::Web;
use serde_json::Value;

pub(super) fn rows(out: &str) -> Vec<(Option<u64>, String, String)> {
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        (row["line"].as_u64(), text("reference"), text("result"))
    };
    out.lines().map(row).collect()
}

/// What became of each link.
pub(super) fn results(out: &str) -> Vec<String> {
    rows(out).into_iter().map(|(_, _, result)| result).collect()
}

fn expected(rows: &[(u64, &str, &str)]) -> Vec<(Option<u64>, String, String)> {
    rows.iter().map(|(line, reference, result)| (Some(*line), (*reference).into(), (*result).into())).collect()
}

#[test]
fn every_link_of_a_page_is_told_with_its_line_and_its_fate() {
    let web = Web::start(&[
        (
            "/",
            "200 OK",
            "<base href=\"sub/\">\n<a href=\"a\">a</a>\n<a href=\"a#there\">x</a> <a href=\"a#not\">x</a>\n<a href=\"gone\">x</a>\n\
             <a href=\"moved\">x</a>\n<a href=\"#here\">x</a><a href=\"#nowhere\">x</a><p id=\"here\">x</p>\n\
             <a href=\"mailto:a@b\">x</a>\n<a href=\"file:///etc/passwd\">x</a>\n<a href=\"http://h:x/?a&amp;b\">x</a>\n",
        ),
        ("/sub/a", "200 OK", "<p id=there>x</p>"),
        ("/sub/moved", "301 Moved Permanently\r\nLocation: a", ""),
    ]);
    let place = Place::new();
    let page = web.url("/");
    let (status, out, err) = place.run(&["url", "check", "--json", "--pause", "0", &page]);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    holds("check", &out);
    assert_eq!(
        rows(&out),
        expected(&[
            (2, "a", "ok"),
            (3, "a#there", "ok"),
            (3, "a#not", "no-fragment"),
            (4, "gone", "gone"),
            (5, "moved", "moved"),
            (6, "#here", "ok"),
            (6, "#nowhere", "no-fragment"),
            (7, "mailto:a@b", "unchecked"),
            (8, "file:///etc/passwd", "refused"),
            (9, "http://h:x/?a&b", "refused"),
        ])
    );
    let first: Value = serde_json::from_str(out.lines().next().expect("a row")).expect("JSON");
    assert_eq!((first["layer"].as_str(), first["base"].as_str()), (Some("document"), Some(&*format!("{page}sub/"))));
    assert!(!web.asked().contains(&"/robots.txt".to_owned()), "few requests, and no deeper pages");
    let before = web.asked().len();
    let (_, out, _) = place.run(&["url", "check", "--json", "--no-fetch", &page]);
    assert_eq!(web.asked().len(), before + 1, "only the page itself");
    assert_eq!(rows(&out)[0].2, "unchecked");
}

#[test]
fn standard_input_is_what_it_is_said_to_be() {
    let page = b"<ul><li><a href=\"http://h/x?a&amp;b\">x</a> <a href=y>y</a></ul>";
    let check = |more: &[&str]| {
        let arguments = [&["url", "check", "--json", "--no-fetch"][..], more, &["-"]].concat();
        let (status, out, err) = Place::new().feed(&arguments, page);
        let urls = out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["url"].clone()).collect();
        (status, urls, err)
    };
    // What does not begin as pages do is text, as where it is opened.
    let (status, urls, _): (i32, Vec<Value>, String) = check(&[]);
    assert_eq!((status, urls), (0, vec!["http://h/x?a&amp;b".into()]));
    let (status, urls, err) = check(&["--type", "text/html", "--base", "http://b/c/d"]);
    assert_eq!((status, urls, err), (0, vec!["http://h/x?a&b".into(), "http://b/c/y".into()], String::new()));
    // Nothing was retrieved, so there is no base but that.
    let (status, urls, _) = check(&["-T", "text/html"]);
    assert_eq!((status, urls), (1, vec!["http://h/x?a&b".into(), Value::Null]));
    let (status, out, err) = Place::new().run(&["url", "check", "--base", "x", "-"]);
    assert_eq!((status, out.as_str(), err.contains("--base: ")), (2, "", true), "{err}");
    // It is said of the pages given, not of those that they lead to.
    let web = Web::start(&[("/", "200 OK", "<a href=t#here>x</a>"), ("/t", "200 OK", "<p id=here>x")]);
    let place = Place::new();
    let (status, out, err) =
        place.run(&["url", "check", "--json", "-T", "text/markdown", "--pause", "0", &web.url("/")]);
    assert_eq!((status, results(&out)), (0, vec!["ok".to_owned()]), "{out} {err}");
}

#[test]
fn a_message_that_is_not_open_is_looked_for_as_an_article() {
    let place = Place::new();
    let (status, out, err) = place.run(&["url", "check", "mid:a@b"]);
    assert_eq!((status, out.as_str(), err.contains("No news server is set")), (1, "", true), "{err}");
    let (status, _, err) = place.run(&["url", "check", "cid:a@b"]);
    assert_eq!((status, err.contains("only inside that message")), (1, true), "{err}");
}

#[test]
fn deeper_pages_are_read_where_robots_may() {
    let web = Web::start(&[
        ("/", "200 OK", "<a href=\"/a\">a</a><a href=\"/private/b\">b</a><a href=\"/\">me</a>"),
        ("/a", "200 OK", "<a href=\"/c\">c</a>"),
        ("/c", "200 OK", "no links"),
        ("/robots.txt", "200 OK", "User-agent: *\nDisallow: /private/\n"),
    ]);
    let page = web.url("/");
    let (status, out, err) = Place::new().run(&["url", "check", "--json", "--pause", "0", "--depth", "2", &page]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let found: Vec<String> =
        rows(&out).into_iter().map(|(_, reference, result)| format!("{reference} {result}")).collect();
    assert_eq!(found, ["/a ok", "/private/b unchecked", "/ ok", "/c ok"]);
    assert!(!web.asked().contains(&"/private/b".to_owned()));
    let (_, out, _) = Place::new().run(&["url", "check", "--json", "--pause", "0", "--max", "1", &page]);
    assert_eq!(rows(&out)[0].2, "unchecked", "{out}");
}

#[test]
fn menus_and_files_are_checked_as_pages_are() {
    let server = Server::start(vec![
        (
            "",
            whole(
                "iHello\t\tx\t1\r\n0A text\t/text\t127.0.0.1\t{port}\r\n0Lost\t/lost\t127.0.0.1\t{port}\r\n\
                   hMail\tURL:mailto:a@b\tx\t1\r\n.\r\n",
            ),
        ),
        ("/text", whole("text\r\n.\r\n")),
        ("/endless", Answer::Endless(b"x\r\n".to_vec())),
    ]);
    let place = Place::new();
    let (status, out, err) = place.run(&["url", "check", "--json", "--pause", "0", &server.url("")]);
    assert!(err.is_empty(), "{err}");
    let found = rows(&out);
    assert_eq!((found[0].0, found[0].2.as_str()), (Some(2), "ok"), "{out}");
    assert_eq!((found[1].0, found[1].2.as_str(), status), (Some(3), "error", 1), "{out}");
    assert_eq!(found[2], (Some(4), "mailto:a@b".into(), "unchecked".into()));
    place
        .write("page.html", "<a href=other.html>o</a>\n<a href=page.html#x>x</a><i id=x></i>\n<a href=lost.html>l</a>");
    place.write("other.html", "here");
    let (status, out, _) = place.run(&["url", "check", "page.html", "./page.html"]);
    assert_eq!(status, 1);
    let words: Vec<&str> = out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["ok", "ok", "gone"], "{out}");
    assert!(out.contains("page.html:3: file://"), "{out}");
    place.write("r.md", "# A heading\n\n[x](#a-heading) [y](other.html)\n");
    let (status, out, _) = place.run(&["url", "check", "r.md"]);
    assert!(status == 0 && out.starts_with("unchecked "), "{out}");
    let (status, out, err) = place.run(&["url", "check", &server.url("0/endless")]);
    assert_eq!((status, out.as_str()), (0, ""));
    assert!(err.contains("cut at 4.2 MB"), "{err}");
}

#[test]
fn half_a_line_where_a_menu_was_cut_is_no_link() {
    let menu = format!("iHello\t\tx\t1\r\n{}", "0A text\t/text\t127.0.0.1\t{port}\r\n".repeat(100));
    let server = Server::start(vec![("", whole(&menu)), ("/text", whole("text\r\n.\r\n"))]);
    let place = Place::new();
    place.write(".config/wayfarer/settings.toml", "[limits]\npage = \"1 KiB\"\n");
    let (status, out, err) = place.run(&["url", "check", "--json", "--pause", "0", &server.url("1")]);
    let known = rows(&out).iter().all(|(_, reference, result)| *reference == server.url("0/text") && result == "ok");
    assert!(status == 0 && known && !out.is_empty(), "{out}");
    assert_eq!(server.asked(), ["", "/text"]);
    assert!(err.contains("cut at 1 KiB") && err.lines().count() == 1, "{err}");
    // Where the last of a page has not come, nobody knows what places it has.
    let long = format!("<a href='#end'>x</a>{}<p id=end>x", "<p>words".repeat(200));
    place.write("page.html", &long);
    let (status, out, err) = place.run(&["url", "check", "--json", "page.html"]);
    assert_eq!((status, results(&out)), (0, vec!["unchecked".to_owned()]), "{err}");
    assert!(err.contains("cut at 1 KiB"), "{err}");
}

#[test]
fn fragments_are_looked_for_where_redirects_lead() {
    let web = Web::start(&[
        (
            "/",
            "200 OK",
            "<a href=old>x</a> <a href=old#there>x</a> <a href=old#not>x</a> <a href=named>x</a> <a href=wrong>x</a> \
             <a href=named#not>x</a> <a href=far#there>x</a> <a href=far#not>x</a>",
        ),
        ("/old", "301 Moved Permanently\r\nLocation: /new", ""),
        ("/named", "302 Found\r\nLocation: /new#there", ""),
        ("/wrong", "302 Found\r\nLocation: /new#nowhere", ""),
        ("/far", "302 Found\r\nLocation: /old", ""),
        ("/new", "200 OK", "<p id=there>x</p>"),
    ]);
    let (status, out, err) = Place::new().run(&["url", "check", "--json", "--pause", "0", &web.url("/")]);
    assert_eq!((status, err.as_str()), (1, ""));
    let fates = ["moved", "moved", "no-fragment", "moved", "no-fragment", "moved", "moved", "no-fragment"];
    assert_eq!(results(&out), fates, "{out}");
    // What is known is not asked for again.
    let asked = |path: &str| web.asked().iter().filter(|asked| *asked == path).count();
    assert_eq!([asked("/old"), asked("/named"), asked("/far")], [2, 1, 1], "{:?}", web.asked());
}

#[test]
fn what_nobody_can_ask_for_is_not_broken() {
    let place = Place::new();
    let links =
        ["javascript:void(0)", "vbscript:x", "mailto:a@b", "tel:+49-30", "sms:+1", "cid:x", "urn:isbn:1", "irc://h/c"];
    let page = |links: &[&str]| links.iter().map(|link| format!("<a href=\"{link}\">x</a>\n")).collect::<String>();
    place.write("page.html", page(&links));
    let (status, out, err) = place.run(&["url", "check", "--json", "page.html"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert_eq!(results(&out), ["unchecked"; 8], "{out}");
    // What lies in the link itself needs nobody.
    place.write("page.html", page(&["data:,x", "data:text/html;base64,@@@"]));
    let (status, out, _) = place.run(&["url", "check", "--json", "page.html"]);
    assert_eq!((status, results(&out)), (1, vec!["ok".to_owned(), "refused".to_owned()]), "{out}");
    // Words to be found in a page are for whoever shows it; of a text nobody knows what names its places.
    place.write("page.html", page(&["#:~:text=words", "page.txt#line=5"]));
    place.write("page.txt", "text");
    let (status, out, _) = place.run(&["url", "check", "--json", "page.html"]);
    assert_eq!((status, results(&out)), (0, vec!["ok".to_owned(), "unchecked".to_owned()]), "{out}");
}

#[test]
fn a_page_that_is_not_there_is_told_and_the_others_are_checked() {
    let place = Place::new();
    place.write("page.html", "<a href=page.html>x</a>");
    let (status, out, err) = place.run(&["url", "check", "./lost.html", "page.html", "/lost/page"]);
    assert_eq!((status, out.lines().count()), (1, 1), "{out}");
    let told: Vec<&str> = err.lines().collect();
    assert!(told.len() == 2 && told[0].contains("there is no file ./lost.html"), "{err}");
    assert!(told[1].contains("There is no /lost/page"), "{err}");
}

#[test]
fn bases_of_a_page_are_a_tree_of_its_entities() {
    let place = Place::new();
    place.write(
        "m.eml",
        "Content-Type: multipart/related; boundary=x\nContent-Base: http://h.example/a/\n\n--x\nContent-Type: text/html\n\
         Content-Location: b/c.html\n\n<base href=\"../d/\"><p>x</p>\n--x\nContent-Type: text/plain\n\nx\n--x--\n",
    );
    let (status, out, err) = place.run(&["url", "bases", "m.eml"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(
        lines[..6],
        [
            "  message  multipart/related",
            "    entity    http://h.example/a/  (Content-Base of the message)",
            "    part-1  text/html",
            "      entity    http://h.example/a/b/c.html  (Content-Location of part 1)",
            "      document  http://h.example/a/d/  (base href \"../d/\")",
            "    part-2  text/plain",
        ],
        "{out}"
    );
    place.write("p.html", "<base href=\"http://h.example/x/\">");
    let (_, out, _) = place.run(&["url", "bases", "p.html"]);
    assert!(out.contains("    document  http://h.example/x/  (base href \"http://h.example/x/\")\n"), "{out}");
    assert!(out.ends_with("in force   http://h.example/x/  (document)\n"), "{out}");
}

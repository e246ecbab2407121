//! `url check` with the real program, a gopher server and a web server on loopback.

use super::command_line::Place;
use super::server::{Answer, Server, whole};
use super::url_schema::holds;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

/// A web server that answers so many requests; the paths that were asked for come back.
fn web(
    answers: &'static [(&'static str, &'static str, &'static str)],
) -> (u16, std::sync::Arc<std::sync::Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = std::sync::Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
            let Some(Ok(first)) = lines.next() else { continue };
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let found = answers.iter().find(|(known, _, _)| *known == path);
            let (head, body) = found.map_or(("404 Not Found", "no"), |(_, head, body)| (*head, *body));
            seen.lock().unwrap().push(path);
            let _ = write!(
                stream,
                "HTTP/1.1 {head}\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    (port, asked)
}

fn rows(out: &str) -> Vec<(Option<u64>, String, String)> {
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        (row["line"].as_u64(), text("reference"), text("result"))
    };
    out.lines().map(row).collect()
}

fn expected(rows: &[(u64, &str, &str)]) -> Vec<(Option<u64>, String, String)> {
    rows.iter().map(|(line, reference, result)| (Some(*line), (*reference).into(), (*result).into())).collect()
}

#[test]
fn every_link_of_a_page_is_told_with_its_line_and_its_fate() {
    let (port, asked) = web(&[
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
    let page = format!("http://127.0.0.1:{port}/");
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
    assert!(!asked.lock().unwrap().contains(&"/robots.txt".to_owned()), "few requests, and no deeper pages");
    let before = asked.lock().unwrap().len();
    let (_, out, _) = place.run(&["url", "check", "--json", "--no-fetch", &page]);
    assert_eq!(asked.lock().unwrap().len(), before + 1, "only the page itself");
    assert_eq!(rows(&out)[0].2, "unchecked");
}

#[test]
fn deeper_pages_are_read_where_robots_may() {
    let (port, asked) = web(&[
        ("/", "200 OK", "<a href=\"/a\">a</a><a href=\"/private/b\">b</a><a href=\"/\">me</a>"),
        ("/a", "200 OK", "<a href=\"/c\">c</a>"),
        ("/c", "200 OK", "no links"),
        ("/robots.txt", "200 OK", "User-agent: *\nDisallow: /private/\n"),
    ]);
    let page = format!("http://127.0.0.1:{port}/");
    let (status, out, err) = Place::new().run(&["url", "check", "--json", "--pause", "0", "--depth", "2", &page]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let found: Vec<String> =
        rows(&out).into_iter().map(|(_, reference, result)| format!("{reference} {result}")).collect();
    assert_eq!(found, ["/a ok", "/private/b unchecked", "/ ok", "/c ok"]);
    assert!(!asked.lock().unwrap().contains(&"/private/b".to_owned()));
    let (_, out, _) = Place::new().run(&["url", "check", "--json", "--pause", "0", "--max", "1", &page]);
    assert_eq!(rows(&out)[0].2, "unchecked", "{out}");
}

#[test]
fn menus_and_files_are_checked_as_pages_are() {
    let server = Server::start(vec![
        ("", whole("iHello\t\tx\t1\r\n0A text\t/text\t127.0.0.1\t{port}\r\n0Lost\t/lost\t127.0.0.1\t{port}\r\n.\r\n")),
        ("/text", whole("text\r\n.\r\n")),
        ("/endless", Answer::Endless(b"x\r\n".to_vec())),
    ]);
    let place = Place::new();
    let (status, out, err) = place.run(&["url", "check", "--json", "--pause", "0", &server.url("")]);
    assert!(err.is_empty(), "{err}");
    let found = rows(&out);
    assert_eq!((found[0].0, found[0].2.as_str()), (Some(2), "ok"), "{out}");
    assert_eq!((found[1].0, status), (Some(3), i32::from(found[1].2 != "ok")), "{out}");
    place
        .write("page.html", "<a href=other.html>o</a>\n<a href=page.html#x>x</a><i id=x></i>\n<a href=lost.html>l</a>");
    place.write("other.html", "here");
    let (status, out, _) = place.run(&["url", "check", "page.html"]);
    assert_eq!(status, 1);
    let words: Vec<&str> = out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["ok", "ok", "gone"], "{out}");
    assert!(out.contains("page.html:3: file://"), "{out}");
    place.write("r.md", "# A heading\n\n[x](#a-heading) [y](other.html)\n");
    let (status, out, _) = place.run(&["url", "check", "r.md"]);
    assert!(status == 0 && out.starts_with("unchecked "), "{out}");
    let (status, out, err) = place.run(&["url", "check", &server.url("0/endless")]);
    assert_eq!((status, out.as_str()), (0, ""));
    assert!(err.contains("it does not end"), "{err}");
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

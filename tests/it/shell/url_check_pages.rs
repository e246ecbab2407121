//! What `url check` finds in pages, and what it takes for an answer.

use super::command_line::Place;
use super::server::{Server, whole};
use super::url_check::{results, rows};
use super::web::Web;
use crate::door::Door;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Checks files of a place: the exit status, and line, reference and result of each link.
fn check(place: &Place, arguments: &[&str]) -> (i32, Vec<(Option<u64>, String, String)>) {
    let (status, out, err) = place.run(&[&["url", "check", "--json", "--pause", "0"], arguments].concat());
    assert_eq!(err, "", "{out}");
    (status, rows(&out))
}

/// References and their lines, in order.
fn found(place: &Place, page: &str) -> Vec<String> {
    place.write("page.html", page);
    let (_, found) = check(place, &["page.html"]);
    let line = |line: Option<u64>| line.map_or("-".into(), |line| line.to_string());
    found.into_iter().map(|(at, reference, _)| format!("{} {reference}", line(at))).collect()
}

#[test]
fn dead_items_of_gopher_are_no_ok() {
    let server = Server::start(vec![
        (
            "",
            whole(
                ["/lost", "/said", "/bare", "/nothing", "/three"]
                    .map(|selector| format!("0x\t{selector}\t127.0.0.1\t{{port}}\r\n"))
                    .concat()
                    + "1x\t/menu\t127.0.0.1\t{port}\r\n1x\t/some\t127.0.0.1\t{port}\r\n.\r\n",
            ),
        ),
        ("/lost", whole("3 '/lost' doesn't exist!\t\terror.host\t1\r\n.\r\n")),
        // As Bucktooth explains it.
        (
            "/said",
            whole("3 '/said' doesn't exist!\t\terror.host\t1\r\niIt cannot be located.\t\terror.host\t1\r\n.\r\n"),
        ),
        ("/bare", whole("3 '/bare' doesn't exist!\r\n.\r\n")),
        ("/nothing", whole("")),
        ("/three", whole("3.14\r\n.\r\n")),
        ("/menu", whole("3'/menu' does not exist\t\terror.host\t1\r\n")),
        ("/some", whole("iSome\t\tx\t1\r\n3A part is missing\t\tx\t1\r\n.\r\n")),
    ]);
    let (status, out, err) = Place::new().run(&["url", "check", "--json", "--pause", "0", &server.url("1")]);
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(results(&out), ["error", "error", "error", "error", "ok", "error", "ok"], "{out}");
    assert!(
        out.contains("The server says: '/said' doesn't exist!") && out.contains("without sending anything"),
        "{out}"
    );
}

#[test]
fn a_service_that_is_no_web_server_is_no_ok_and_is_dialled_once() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (door, visitors) = Door::open(listener);
    let dialled = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&dialled);
    std::thread::spawn(move || {
        for mut visitor in visitors {
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = visitor.read(&mut [0; 4096]);
            let _ = visitor.write_all(b"-ERR unknown command\r\n");
            let _ = visitor.shutdown(Shutdown::Write);
        }
    });
    let place = Place::new();
    place.write("page.html", format!("<a href=http://127.0.0.1:{port}/>x</a>"));
    let (status, found) = check(&place, &["page.html"]);
    assert_eq!((status, found[0].2.as_str(), dialled.load(Ordering::SeqCst)), (1, "error", 1));
    drop(door);
}

#[test]
fn what_a_page_is_made_of_is_checked_whatever_of_it_is_shown() {
    let place = Place::new();
    let page = "<link rel=stylesheet href=no.css><link rel=preconnect href=http://h/>\n<a href=p.html><img src=missing.png></a>\n\
                <script src=no.js>\"<a href=in-script>\"</script><!-- <a href=in-comment> -->\n\
                <img srcset='a.png 1x,b.png, c.png 100w'><video poster=p.jpg src=v.mp4><track src=t.vtt></video>\n\
                <div hidden><a href=hidden.html></a></div><p style='display:none'>x <a href=none.html>x</a></p>\n\
                <svg><use xlink:href='#drawn'/><style/><a href=svg.html>x</a></svg>\n\
                <template><a href='{{later}}'>x</a></template><details><summary>s</summary></details>\n\
                <meta http-equiv=refresh content='5; url=next.html'><iframe src=f.html></iframe><object data=o.pdf></object>\n\
                <form method=get action=find.cgi><input name=q><input type=image src=go.png formaction=other.cgi></form>\n\
                <form method=post action=take.cgi><input name=x><button formaction=more.cgi>x</button></form><q cite=said.html>x</q>\n\
                <iframe srcdoc='<a href=in-srcdoc.html>x</a>'></iframe><textarea><a href=in-text></textarea>\n";
    let lines = found(&place, page);
    let expected = [
        "1 no.css",
        "2 p.html",
        "2 missing.png",
        "3 no.js",
        "4 a.png",
        "4 b.png",
        "4 c.png",
        "4 v.mp4",
        "4 p.jpg",
        "4 t.vtt",
        "5 hidden.html",
        "5 none.html",
        "6 #drawn",
        "6 svg.html",
        "8 next.html",
        "8 f.html",
        "8 o.pdf",
        "9 find.cgi",
        "9 go.png",
        "9 other.cgi",
        "10 take.cgi",
        "10 more.cgi",
        "10 said.html",
        "11 in-srcdoc.html",
    ];
    assert_eq!(lines, expected);
    let (status, found) = check(&place, &["page.html"]);
    let result = |wanted: &str| found.iter().find(|(_, reference, _)| reference == wanted).expect("a row").2.clone();
    assert_eq!(status, 1);
    assert_eq!(["no.css", "missing.png", "no.js", "find.cgi"].map(result), ["gone"; 4]);
    assert_eq!(["take.cgi", "more.cgi"].map(result), ["unchecked"; 2], "what a form would send is not sent");
}

#[test]
fn places_that_are_not_shown_have_names_all_the_same() {
    let place = Place::new();
    place.write("page.html", "<a href=#a>x</a><a href=#b>x</a><a href=#c>x</a><svg><g id=a></g></svg><p hidden id=b>");
    let (status, found) = check(&place, &["page.html"]);
    let results: Vec<_> = found.iter().map(|(_, _, result)| result.as_str()).collect();
    assert_eq!((status, results), (1, vec!["ok", "ok", "no-fragment"]));
}

#[test]
fn fields_and_folds_are_no_links() {
    let place = Place::new();
    let page = "<form><input name=a><select><option>x</select><button>go</button></form><details><summary>x</summary>y</details>";
    assert_eq!(found(&place, page), Vec::<String>::new());
}

#[test]
fn lines_are_known_however_far_links_stand_apart() {
    let place = Place::new();
    let far = format!("<a href=a>x</a>\n{}\n<a href=b>x</a>\n<a\n href=a>x</a>", "x".repeat(66_000));
    assert_eq!(found(&place, &far), ["1 a", "3 b", "4 a"]);
    // What stands in a comment or in words is no link.
    let two =
        "<p>\"two.html\"\n<!-- <a href=two.html> -->\r\n\r\n<b title='<a href=two.html>'>\r<a href=two.html>x</a>";
    assert_eq!(found(&place, two), ["5 two.html"]);
    let text = format!("http://a.invalid:x/a\n{}\nhttp://a.invalid:x/b\n", "words ".repeat(20_000));
    place.write("page.gmi", format!("=> http://a.invalid:x/a\n{text}=> http://a.invalid:x/b\n"));
    let (_, found) = check(&place, &["page.gmi"]);
    let lines: Vec<_> = found.iter().map(|(line, _, _)| *line).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(Option::is_some), "{found:?}");
}

#[test]
fn lines_of_menus_are_those_of_their_items() {
    let menu = "iHome\t\t127.0.0.1\t{port}\r\n1Home\t\t127.0.0.1\t{port}\r\n";
    let server = Server::start(vec![("/m", whole(menu)), ("", whole("ihello\t\tx\t1\r\n"))]);
    let (_, out, _) = Place::new().run(&["url", "check", "--json", "--pause", "0", &server.url("1/m")]);
    assert_eq!(rows(&out)[0].0, Some(2), "{out}");
}

#[test]
fn deeper_files_are_read_only_in_the_folders_of_those_given() {
    let place = Place::new();
    place.write(
        "site/index.html",
        "<a href=d/>x</a><a href=../outside.html>x</a><a href=x/%2e%2e/%2e%2e/outside.html>x</a>",
    );
    place.write("site/d/deep.html", "<a href=lost.html>x</a>");
    place.write("outside.html", "<a href=never.html>x</a>");
    let (status, found) = check(&place, &["--depth", "4", "site/index.html"]);
    let references: Vec<_> = found.iter().map(|(_, reference, _)| reference.as_str()).collect();
    assert_eq!(status, 1, "{references:?}");
    assert!(references.contains(&"lost.html") && !references.contains(&"never.html"), "{references:?}");
}

#[test]
fn a_mistyped_file_is_asked_of_nobody() {
    let (status, out, err) = Place::new().run(&["url", "check", "nosuch.html"]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains("there is no file nosuch.html"), "{err}");
}

#[test]
fn what_is_sent_is_never_more_than_max_and_data_needs_no_request() {
    let web = Web::start(&[
        ("/", "200 OK", "<a href=/a>x</a><a href=/b>x</a><a href=/c>x</a><a href='data:,x'>x</a>"),
        ("/a", "200 OK", ""),
        ("/b", "200 OK", ""),
        ("/c", "200 OK", ""),
        ("/robots.txt", "200 OK", ""),
    ]);
    let arguments = ["url", "check", "--json", "--pause", "0", "--max", "3", "--depth", "3", &web.url("/")];
    let (status, out, _) = Place::new().run(&arguments);
    assert_eq!((status, results(&out)), (0, ["ok", "unchecked", "unchecked", "ok"].map(str::to_owned).to_vec()));
    assert_eq!(web.asked(), ["/", "/robots.txt", "/a"]);
}

#[test]
fn only_what_is_broken_is_printed_where_that_is_asked_for() {
    let place = Place::new();
    place.write("page.html", "<a href=page.html>x</a><a href=lost.html>x</a>");
    let (status, found) = check(&place, &["--broken", "page.html"]);
    assert_eq!((status, found.len(), found[0].1.as_str()), (1, 1, "lost.html"));
}

#[test]
fn links_from_standard_input_have_the_base_that_is_given() {
    let web = Web::start(&[("/a/b", "200 OK", "")]);
    let base = web.url("/a/");
    let arguments = ["url", "check", "--json", "--pause", "0", "--base", &base, "-"];
    let (status, out, err) = Place::new().feed(&arguments, b"<!doctype html><a href=b>x</a>");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert_eq!(results(&out), ["ok"], "{out}");
}

//! `wayfarer url …`, driven as a pipe drives it: arguments and text in, text and an exit status out.

use clap::Parser;
use std::io::{self, Write};
use wayfarer::config::{NewsServer, Settings};
use wayfarer::shell::url_cmd::{self, Surroundings, UrlCommand};
use wayfarer::url::Url;

#[derive(Parser)]
#[command(name = "url")]
struct Cli {
    #[command(subcommand)]
    command: UrlCommand,
}

fn command(arguments: &[&str]) -> UrlCommand {
    let arguments = std::iter::once("url").chain(arguments.iter().copied());
    Cli::try_parse_from(arguments).expect("arguments that the command line takes").command
}

/// Status, standard output, standard error.
pub(super) fn run(arguments: &[&str], stdin: &str) -> (u8, String, String) {
    run_at(&Surroundings::default(), arguments, stdin.as_bytes())
}

pub(super) fn run_at(surroundings: &Surroundings, arguments: &[&str], stdin: &[u8]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status =
        url_cmd::run(surroundings, command(arguments), stdin, &mut out, &mut err).expect("no trouble with pipes");
    (status, String::from_utf8(out).expect("UTF-8"), String::from_utf8(err).expect("UTF-8"))
}

pub(super) fn answers(arguments: &[&str], stdin: &str, status: u8, expected: &str) {
    assert_eq!(run(arguments, stdin), (status, expected.to_string(), String::new()), "{arguments:?} {stdin:?}");
}

pub(super) fn complains(arguments: &[&str], status: u8, expected: &str) {
    assert_eq!(run(arguments, ""), (status, String::new(), expected.to_string()), "{arguments:?}");
}

#[test]
fn parse_json_gives_every_component() {
    answers(
        &["parse", "--json", "http://u:@h.example:/a%20b?#"],
        "",
        0,
        concat!(
            r#"{"url":"http://u:@h.example:/a%20b?#","scheme":"http","authority":"u:@h.example:","user":"u","password":"","#,
            r#""host":"h.example","port":"","path":"/a%20b","query":"","fragment":"","effective_port":80,"fields":{},"#,
            r#""decoded":{"user":"u","path_segments":["a b"],"query_pairs":[],"fragment":""}}"#,
            "\n"
        ),
    );
    let (status, out, _) = run(&["parse", "--json", "gopher://h/7s%09two%20words", "news:x@y", "nntp:g.h/12"], "");
    assert_eq!(status, 0);
    let objects: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        objects[0]["fields"],
        serde_json::json!({"type": "7", "selector": "s", "search": "two words", "plus": null})
    );
    assert_eq!(objects[0]["effective_port"], 70);
    assert_eq!(objects[1]["fields"], serde_json::json!({"message_id": "<x@y>"}));
    assert_eq!(objects[1]["host"], serde_json::Value::Null);
    assert_eq!(objects[2]["fields"], serde_json::json!({"group": "g.h", "number": 12}));
}

#[test]
fn parse_takes_references_too() {
    for (reference, name, value) in
        [("//g:8", "host", "g"), ("/g", "path", "/g"), ("?y", "query", "y"), ("#s", "fragment", "s"), ("", "path", "")]
    {
        let (status, out, _) = run(&["parse", "--json", reference], "");
        let object: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(status, 0, "{reference:?}");
        assert_eq!(object[name], value, "{reference:?}");
        assert_eq!(object["scheme"], serde_json::Value::Null);
        assert_eq!(object["fields"], serde_json::json!({}));
    }
}

#[test]
fn parse_says_why_a_text_is_no_url() {
    answers(
        &["parse", "--json", "http://h:8a/"],
        "",
        1,
        "{\"url\":\"http://h:8a/\",\"error\":\"the port \\\"8a\\\" is not a number from 1 to 65535\",\
         \"kind\":\"bad-port\",\"at\":[9,11],\"rule\":\"RFC 3986, 3.2.3\"}\n",
    );
    let said = "error: the port \"8a\" is not a number from 1 to 65535 (octets 10 to 11; RFC 3986, 3.2.3)\n";
    complains(&["parse", "http://h:8a/"], 1, said);
}

#[test]
fn parse_for_people_is_aligned_and_decoded() {
    answers(
        &["parse", "gopher://h:7070/1/a%20b"],
        "",
        0,
        "url            gopher://h:7070/1/a%20b\n\
         scheme         gopher\n\
         authority      h:7070\n\
         host           h\n\
         port           7070\n\
         path           /1/a%20b  (/1/a b)\n\
         effective port 7070\n\
         . type         1\n\
         . selector     /a b\n",
    );
    let (_, out, _) = run(&["parse", "x-own:%C3%A9"], "");
    assert!(out.contains("path           %C3%A9  (é)\n"), "{out}");
    let (_, out, _) = run(&["parse", "x-own:a", "x-own:b"], "");
    assert_eq!(
        out,
        "url            x-own:a\nscheme         x-own\npath           a\n\nurl            x-own:b\nscheme         x-own\npath           b\n"
    );
    answers(&["parse"], "x-own:a\n", 0, "url            x-own:a · scheme         x-own · path           a\n");
}

#[test]
fn nothing_typed_reaches_the_terminal_as_a_control() {
    let (_, out, err) = run(&["parse", "x-own:a\u{1b}[31m\u{9b}\u{202e}b"], "");
    assert!(!out.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{out:?}");
    assert!(out.contains("\\x1b[31m"), "{out:?}");
    assert_eq!(err, "");
    let (_, out, _) = run(&["parse", "--json", "x-own:a\u{1b}\u{9b}\u{202e}b"], "");
    assert!(out.contains("a\\u001b\\u009b\\u202eb"), "{out:?}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).expect("JSON")["path"], "a\u{1b}\u{9b}\u{202e}b");
    let (_, _, err) = run(&["complete", "no\u{202e}thing here"], "");
    assert!(!err.contains('\u{202e}'), "{err:?}");
}

#[test]
fn resolve_answers_line_by_line() {
    let base = ["resolve", "--base", "http://a/b/c/d;p?q"];
    let with = |more: &[&'static str]| [&base, more].concat();
    answers(
        &with(&["g", "../g", "#s", "", "news:x"]),
        "",
        0,
        "http://a/b/c/g\nhttp://a/b/g\nhttp://a/b/c/d;p?q#s\nhttp://a/b/c/d;p?q\nnews:x\n",
    );
    answers(&with(&["-"]), "g\r\n\n#s", 0, "http://a/b/c/g\nhttp://a/b/c/d;p?q\nhttp://a/b/c/d;p?q#s\n");
    answers(&with(&["--rules", "rfc2396", "?y"]), "", 0, "http://a/b/c/?y\n");
    answers(&with(&["--rules", "rfc3986", "?y"]), "", 0, "http://a/b/c/d;p?y\n");
    answers(
        &with(&["http://h:x/", "g"]),
        "",
        1,
        "error: the port \"x\" is not a number from 1 to 65535 (octet 10; RFC 3986, 3.2.3)\nhttp://a/b/c/g\n",
    );
    answers(
        &["resolve", "--base", "nobase", "g", "http://h/"],
        "",
        1,
        "error: \"nobase\" has no scheme (octets 1 to 6; RFC 3986, 3)\nhttp://h/\n",
    );
}

#[test]
fn bases_name_the_layer_that_answered() {
    let json = ["bases", "--json"];
    let with = |more: &[&'static str]| [&json, more].concat();
    let all = [
        "--embedded",
        "http://e/x/y",
        "--entity",
        "http://m/",
        "--retrieved",
        "http://r/p/q",
        "--default",
        "http://d/",
    ];
    for (drop, layer, base, url) in [
        (0, "document", "http://e/x/y", "http://e/x/g"),
        (2, "entity", "http://m/", "http://m/g"),
        (4, "retrieval", "http://r/p/q", "http://r/p/g"),
        (6, "default", "http://d/", "http://d/g"),
    ] {
        let expected = format!("{{\"layer\":\"{layer}\",\"base\":\"{base}\",\"url\":\"{url}\"}}\n");
        answers(&[&json, &all[drop..], &["g"]].concat(), "", 0, &expected);
    }
    let (status, out, _) = run(&with(&["g"]), "");
    assert_eq!(status, 1);
    assert!(out.starts_with("{\"error\":\""), "{out}");
    answers(
        &with(&["--embedded", "sub/", "--retrieved", "http://r/p/q", "g"]),
        "",
        0,
        "{\"layer\":\"document\",\"base\":\"http://r/p/sub/\",\"url\":\"http://r/p/sub/g\"}\n",
    );
    answers(
        &with(&["--retrieved", "http://r/p/q"]),
        "#s\n\n",
        0,
        "{\"same_document\":true,\"fragment\":\"s\",\"layer\":\"retrieval\",\"base\":\"http://r/p/q\"}\n\
         {\"same_document\":true,\"fragment\":null,\"layer\":\"retrieval\",\"base\":\"http://r/p/q\"}\n",
    );
    answers(
        &["bases", "--retrieved", "http://r/p/q", "g", "#s"],
        "",
        0,
        "http://r/p/g  (retrieval http://r/p/q)\n(current document)#s\n",
    );
    let (status, out, _) = run(&["bases", "--retrieved", "news:x@y", "g"], "");
    assert_eq!(status, 1);
    assert!(out.starts_with("error: "), "{out}");
}

#[test]
fn find_prints_what_is_sure() {
    let text = "see <URL:http://h.exa\n mple/> or www.h.example.\n\nthen ftp://h.example/x.\n";
    answers(&["find"], text, 0, "http://h.example/\nftp://h.example/x\n");
    answers(&["find", "-"], "nothing", 0, "");
    let (_, out, _) = run(&["find", "--json"], text);
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3);
    let range = |shown: &str| text.find(shown).map(|at| [at, at + shown.len()]);
    assert_eq!(
        lines[1],
        serde_json::json!({
            "url": "http://www.h.example/", "sure": false, "alternatives": [], "range": range("www.h.example"),
            "line": 2, "column": 12, "message": null,
        })
    );
    assert_eq!(lines[2]["range"], serde_json::json!(range("ftp://h.example/x")));
}

#[test]
fn find_reads_files_and_says_when_there_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("a.txt");
    std::fs::write(&name, b"caf\xe9 http://h.example/\n").expect("a file");
    answers(&["find", name.to_str().expect("UTF-8")], "", 0, "http://h.example/\n");
    let missing = folder.path().join("missing");
    let (status, out, err) = run(&["find", missing.to_str().expect("UTF-8")], "");
    assert_eq!((status, out.as_str(), err.lines().count()), (1, "", 1));
    assert!(err.starts_with("error: ") && err.contains("missing"), "{err}");
}

#[test]
fn complete_uses_home_and_folder() {
    let surroundings = Surroundings {
        home: Some("/home/me".into()),
        folder: Some(Url::parse("file:///work/a%20b/").expect("a URL")),
        ..Surroundings::default()
    };
    let complete = |typed: &str| run_at(&surroundings, &["complete", typed], b"");
    assert_eq!(complete("whois++://h/x"), (0, "whois++://h/x\n".into(), String::new()));
    assert_eq!(complete("www.w3.org"), (0, "https://www.w3.org/\n".into(), String::new()));
    assert_eq!(complete("sdf.org/1/users"), (0, "gopher://sdf.org/1/users\n".into(), String::new()));
    assert_eq!(complete("~/n.html"), (0, "file:///home/me/n.html\n".into(), String::new()));
    assert_eq!(complete("./x y"), (0, "file:///work/a%20b/x%20y\n".into(), String::new()));
    assert_eq!(complete("../x"), (0, "file:///work/x\n".into(), String::new()));
    complains(
        &["complete", "javascript:x"],
        1,
        "error: unsupported scheme: javascript (octets 1 to 10; scripts are never run)\n",
    );
    answers(
        &["complete"],
        "h.example:70\nhello world\n\n<1@h>\n",
        1,
        "gopher://h.example:70/\nerror: \"hello world\" is no URL, host or file name\nerror: nothing was typed\nnews:1@h\n",
    );
    answers(
        &["complete", "--json", "www.h.example"],
        "",
        0,
        "{\"url\":\"https://www.h.example/\",\"alternatives\":[\"http://www.h.example/\"],\"note\":\"www → https\"}\n",
    );
}

#[test]
fn equal_says_yes_or_no_by_its_status_too() {
    answers(&["equal", "HTTP://H.example:80/", "http://h.example/"], "", 0, "yes\n");
    answers(&["equal", "http://h/a", "http://h/b"], "", 1, "no\n");
    complains(&["equal", "http://h/", "nothing"], 1, "error: \"nothing\" has no scheme (octets 1 to 7; RFC 3986, 3)\n");
    complains(&["equal", "http://h/"], 2, "error: equal needs two URLs\n");
    answers(
        &["equal", "-"],
        "http://h/a\thttp://h/a\nhttp://h/a http://h/b\nhttp://h/a\n",
        1,
        "yes\nno\nerror: a line must hold two URLs with a tab or a space between them\n",
    );
}

#[test]
fn request_shows_what_would_be_sent() {
    answers(
        &["request", "--json", "gopher://h/7s%09a"],
        "",
        0,
        "{\"host\":\"h\",\"port\":70,\"tls\":false,\"bytes\":\"s\\\\ta\\\\r\\\\n\"}\n",
    );
    let (status, out, _) = run(&["request", "--json", "gopher://h:25/0HELO"], "");
    assert_eq!(status, 1);
    assert!(out.starts_with("{\"refused\":\""), "{out}");
    let (status, out, err) = run(&["request", "gopher://h/0x%0D%0AQUIT"], "");
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.starts_with("error: refused: "), "{err}");
    let (status, out, _) = run(&["request", "--json"], "nowhere\ngopher://h/7s\n");
    assert_eq!(status, 1);
    assert_eq!(
        out,
        "{\"error\":\"\\\"nowhere\\\" has no scheme\",\"kind\":\"no-scheme\",\"at\":[0,7],\"rule\":\"RFC 3986, 3\"}\n{\"ask\":\"search\"}\n"
    );
    answers(&["request", "gopher://h/0/x"], "", 0, "host           h\nport           70\nbytes          /x\\r\\n\n");
    answers(
        &["request"],
        "nntp://h/g.x/3\n",
        0,
        "host           h · port           119 · MODE READER · GROUP g.x · ARTICLE 3\n",
    );
}

#[test]
fn the_configured_news_server_stands_in_for_none() {
    let json = |server: Option<&str>, url: &str| {
        let server = server.map(|server| NewsServer::parse(server).expect("a server"));
        let mut surroundings = Surroundings { settings: Settings::default(), ..Surroundings::default() };
        surroundings.settings.news.server = server;
        let (status, out, _) = run_at(&surroundings, &["request", "--json", url], b"");
        assert_eq!(status, 0);
        let object: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        (object["host"].as_str().map(String::from), object["port"].as_u64())
    };
    let at = |host: &str, port| (Some(host.to_string()), Some(port));
    assert_eq!(json(None, "news:comp.lang.c"), at("<configured>", 119));
    assert_eq!(json(Some("news.h"), "news:comp.lang.c"), at("news.h", 119));
    assert_eq!(json(Some("news.h:1119"), "news:comp.lang.c"), at("news.h", 1119));
    assert_eq!(json(Some("[::1]:1119"), "nntp:comp.lang.c/1"), at("[::1]", 1119));
    assert_eq!(json(Some("[::1]"), "nntp:comp.lang.c/1"), at("[::1]", 119));
    assert_eq!(json(Some("news.h:1119"), "news://own.h/comp.lang.c"), at("own.h", 119));
}

#[test]
fn lines_that_are_not_utf8_are_answered_too() {
    let (status, out, _) = run_at(&Surroundings::default(), &["complete"], b"www.h.example\n\xff\nh.example\n");
    assert_eq!(status, 1);
    assert_eq!(
        out,
        "https://www.h.example/\nerror: the line is not UTF-8 (octet 1; RFC 3629, 3)\nhttps://h.example/\n"
    );
    for command in ["parse", "explain", "request", "bases", "complete"] {
        let (status, out, _) =
            run_at(&Surroundings::default(), &[command, "--json"], b"http://h/\xe2\x82x\nhttp://h/\n");
        let first: serde_json::Value = serde_json::from_str(out.lines().next().expect("an answer")).expect("JSON");
        let expected = serde_json::json!({
            "error": "the line is not UTF-8", "kind": "not-utf-8", "at": [9, 11], "rule": "RFC 3629, 3"
        });
        assert_eq!((status, first, out.lines().count()), (1, expected, 2), "{command}");
        super::url_schema::holds(command, &out);
    }
}

#[test]
fn answers_stay_in_order_however_many_share_them() {
    let urls: Vec<String> = (0..20_000).map(|at| format!("http://h{at}.example/{at}")).collect();
    let (status, out, _) = run(&["get", "url"], &format!("{}\n", urls.join("\n")));
    assert_eq!(status, 0);
    assert!(out.lines().eq(urls.iter().map(String::as_str)), "as many, and in order");
    let (status, out, _) = run(&["get", "host"], &format!("{}\nno url\nhttp://last/", urls.join("\r\n")));
    assert_eq!((status, out.lines().count(), out.lines().last()), (1, 20_002, Some("last")));
}

#[test]
fn a_line_without_end_is_refused_and_the_next_one_answered() {
    let mut text = vec![b'x'; (64 << 20) + 9];
    text.extend_from_slice(b"\nhttp://h/\n");
    let (status, out, _) = run_at(&Surroundings::default(), &["get", "host"], &text);
    assert_eq!((status, out.as_str()), (1, "error: a line of more than 67108864 octets is too long\nh\n"));
}

/// A pipe whose reader has gone.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_who_has_gone_is_no_error() {
    let answer =
        url_cmd::run(&Surroundings::default(), command(&["complete"]), "h.example\n".as_bytes(), Gone, io::sink());
    assert_eq!(answer.expect("a quiet end"), 0);
}

#[test]
fn wrong_usage_is_refused_by_the_command_line() {
    for arguments in
        [&["url", "resolve", "g"] as &[&str], &["url", "equal", "a", "b", "c"], &["url", "find", "a", "b"], &["url"]]
    {
        assert!(Cli::try_parse_from(arguments).is_err(), "{arguments:?}");
    }
}

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect())
}

#[test]
fn parse_agrees_with_every_example() {
    let names = ["scheme", "authority", "user", "password", "host", "port", "path", "query", "fragment"];
    for row in rows(include_str!("../../data/parse-examples.tsv")) {
        let (status, out, err) = run(&["parse", "--json"], &format!("{}\n", row[1]));
        let object: serde_json::Value = serde_json::from_str(&out).expect("one JSON object");
        assert_eq!((object["url"].as_str(), err.as_str()), (Some(row[1]), ""), "{}", row[0]);
        assert_eq!((status == 0, object.get("error").is_none()), (row[2] == "ok", row[2] == "ok"), "{}: {out}", row[0]);
        for (name, cell) in names.iter().zip(&row[3..]).filter(|_| status == 0) {
            let expected = if *cell == "\\N" { serde_json::Value::Null } else { (*cell).into() };
            assert_eq!(object[name], expected, "{} {name}", row[0]);
        }
    }
}

#[test]
fn bases_agree_with_every_example() {
    let options = ["--embedded", "--entity", "--retrieved", "--default"];
    for row in rows(include_str!("../../data/base-precedence.tsv")) {
        let given = options.iter().zip(&row[2..]).filter(|(_, cell)| **cell != "\\N");
        let mut arguments: Vec<&str> =
            ["bases", "--json"].into_iter().chain(given.flat_map(|(name, url)| [*name, *url])).collect();
        arguments.push(row[6]);
        let (status, out, _) = run(&arguments, "");
        let object: serde_json::Value = serde_json::from_str(&out).expect("one JSON object");
        match row[7] {
            "error" => assert!(status == 1 && object["error"].is_string(), "{}: {out}", row[0]),
            // a form's empty action makes a request; a reference that is empty does not
            same if same.starts_with("same document") || row[0] == "B018" => {
                assert_eq!(object["same_document"], true, "{}: {out}", row[0]);
            }
            url => assert_eq!(object["url"], url, "{}: {out}", row[0]),
        }
    }
}

#[test]
fn resolve_agrees_with_every_example() {
    for row in rows(include_str!("../../data/resolve-appendix-c.tsv")) {
        if row[3].contains("SELF-CONTRADICTION") || row[4].contains("SELF-CONTRADICTION") {
            continue; // the algorithm's answer is checked row by row in url::resolve
        }
        for (rules, expected) in [("rfc2396", row[2]), ("rfc3986", row[3])] {
            let (_, out, _) = run(&["resolve", "--base", row[0], "--rules", rules], &format!("{}\n", row[1]));
            assert_eq!(out.trim_end(), expected, "{rules}: {} + {:?}", row[0], row[1]);
        }
    }
}

#[test]
fn a_request_through_a_proxy_says_so() {
    let mut surroundings = Surroundings::default();
    let set = |name: &str| match name {
        "gopher_proxy" => Some("http://me:secret@proxy.example:3128".to_owned()),
        "no_proxy" => Some("direct.example".to_owned()),
        _ => None,
    };
    assert_eq!(surroundings.settings.http.proxies.surround(set), Vec::<String>::new());
    let request = |url: &str| run_at(&surroundings, &["request", "--json", url], b"").1;
    assert_eq!(
        request("gopher://h/0/a b#c"),
        "{\"host\":\"proxy.example\",\"port\":3128,\"request\":\"GET gopher://h/0/a%20b HTTP/1.1\"}\n"
    );
    assert!(request("gopher://direct.example/0/a").contains("\"bytes\""));
    assert!(request("gopher://h/0/a%0D%0Ab").contains("refused"), "the scheme's own rules hold");
}

//! The commands of `wayfarer url` that take URLs apart for people, change them and tell them apart.

use super::url_cmd::{answers, complains, run, run_at};
use serde_json::{Value, json};
use wayfarer::shell::url_cmd::Surroundings;
use wayfarer::visits::{Visit, Visits};

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(arguments, "").1).expect("JSON")
}

#[test]
fn parse_hides_passwords_from_people_unless_asked() {
    let url = "ftp://user%40corp:se%63ret@h/a%20b";
    let (_, out, _) = run(&["parse", url], "");
    assert!(!out.contains("se%63ret") && !out.contains("secret"), "{out}");
    assert!(out.contains("user           user%40corp  (user@corp)\n"), "{out}");
    assert!(out.contains("password       ***\n"), "{out}");
    assert!(out.contains("authority      user%40corp:***@h\n"), "{out}");
    assert!(out.contains("path           /a%20b  (/a b)\n"), "{out}");
    let (_, out, _) = run(&["parse", "--show-secrets", url], "");
    assert!(out.contains("password       se%63ret  (secret)\n"), "{out}");
    assert_eq!(object(&["parse", "--json", url])["password"], "se%63ret");
    let (_, out, _) = run(&["request", url], "");
    assert!(out.contains("PASS ***\n"), "{out}");
    assert!(run(&["request", "--show-secrets", url], "").1.contains("PASS secret\n"));
}

#[test]
fn parse_json_decodes_what_the_scheme_divides() {
    let decoded = |url: &str| object(&["parse", "--json", url])["decoded"].clone();
    assert_eq!(
        decoded("http://u%40c@h/a%2Fb/c%20d/?q=a+b&x=%26&&n#f%20g"),
        json!({
            "user": "u@c", "path_segments": ["a/b", "c d", ""],
            "query_pairs": [["q", "a b"], ["x", "&"], ["n", ""]], "fragment": "f g",
        })
    );
    assert_eq!(
        decoded("mailto:a@b?subject=a+b"),
        json!({ "user": null, "path_segments": null, "query_pairs": [["subject", "a+b"]], "fragment": null })
    );
    assert_eq!(decoded("gopher://h/0a?b")["query_pairs"], Value::Null);
    assert_eq!(decoded("gopher://h/0a/b")["path_segments"], Value::Null);
    assert_eq!(decoded("http://h")["path_segments"], json!([]));
    assert_eq!(object(&["parse", "--json", "http://h/a?b=c"])["fields"], json!({}));
    let (_, out, _) = run(&["parse", "http://h/?a=b+c"], "");
    assert!(out.contains(". pair         a = b c\n"), "{out}");
}

#[test]
fn every_refusal_names_its_octets_and_its_rule() {
    for (url, kind, at, rule) in [
        ("a_b:c", "bad-scheme", [1, 2], "RFC 3986, 3.1"),
        ("1http://h/", "bad-scheme", [0, 1], "RFC 3986, 3.1"),
        ("http://u@ho st/", "bad-host", [11, 12], "RFC 3986, 3.2.2"),
        ("http://[1::2::3]/", "bad-host", [7, 16], "RFC 3986, 3.2.2"),
        ("http://h:99999/", "bad-port", [9, 14], "RFC 3986, 3.2.3"),
        ("gopher://h/0a%0d%0Ab", "refused", [13, 16], "SEC-03"),
        ("http://h\\@i/", "refused", [8, 9], "RFC 3986, 3.2"),
        ("nntp://h/g/x#f", "malformed", [8, 12], "RFC 1738, 3.7; RFC 5538"),
        ("urn:isbn", "malformed", [4, 8], "RFC 8141"),
    ] {
        let error = object(&["parse", "--json", url]);
        let said = (&error["kind"], &error["at"], &error["rule"]);
        assert_eq!(said, (&json!(kind), &json!(at), &json!(rule)), "{url}");
        assert_eq!(error["url"], url);
    }
    complains(
        &["parse", "http://ho st/"],
        1,
        "error: the host \"ho st\" is not a host name (octet 10; RFC 3986, 3.2.2)\n",
    );
    let (status, out, _) = run(&["complete", "--json", "javascript:1"], "");
    assert_eq!(status, 1);
    assert!(out.contains("\"kind\":\"unsupported\",\"at\":[0,10]"), "{out}");
}

#[test]
fn normalise_prints_the_form_by_which_equal_compares() {
    answers(
        &["normalise"],
        "HTTP://BÜCHER.example:80/%7ea/./b\nmailto:A@B.C\nnothing\n",
        1,
        "http://xn--bcher-kva.example/~a/b\nmailto:A@b.c\nerror: \"nothing\" has no scheme (octets 1 to 7; RFC 3986, 3)\n",
    );
    answers(&["equal", "http://h/a/./b", "http://h/a/b"], "", 0, "yes\n");
}

#[test]
fn relativize_gives_what_resolves_back() {
    let base = "http://a/b/c/d;p?q";
    let all = ["http://a/b/c/g", "http://a/b/", "http://a/b/c/d;p?q#s", "http://x/y", "news:a.b"];
    let (status, out, _) = run(&[&["relativize", "--base", base][..], &all].concat(), "");
    assert_eq!((status, out.as_str()), (0, "g\n../\n#s\n//x/y\nnews:a.b\n"));
    let (_, back, _) = run(&["resolve", "--base", base, "g", "../", "//x/y", "news:a.b"], "");
    assert_eq!(back, "http://a/b/c/g\nhttp://a/b/\nhttp://x/y\nnews:a.b\n");
    complains(&["relativize", "--base", "x", "http://h/"], 1, "error: \"x\" has no scheme (octet 1; RFC 3986, 3)\n");
}

#[test]
fn diff_names_the_parts_that_differ() {
    answers(&["diff", "HTTP://H:80/%7ea", "http://h/~a"], "", 0, "same\n");
    answers(&["diff", "http://h/a?q", "https://h:81/b?q#f"], "", 1, "scheme\nport\npath\nfragment\n");
    answers(&["diff", "http://u:p@h/", "http://u:q@h/"], "", 1, "password\n");
    answers(&["diff", "-"], "http://h/a http://h/b\nhttp://h http://h/\n", 1, "path\nsame\n");
    complains(&["diff", "http://h/"], 2, "error: diff needs two URLs\n");
}

#[test]
fn get_prints_parts_with_tabs_between_them() {
    let url = "http://u%40c@h:81/a%09b?q";
    answers(&["get", "host,port,path", url, "x-own:a"], "", 0, "h\t81\t/a%09b\n\t\ta\n");
    answers(&["get", "--decoded", "user,path,fragment", url], "", 0, "u@c\t/a\\tb\t\n");
    answers(
        &["get", "effective_port,url"],
        "gopher://h/\nx\n",
        1,
        concat!("70\tgopher://h/\n", "error: \"x\" has no scheme (octet 1; RFC 3986, 3)\n"),
    );
    let (status, _, err) = run(&["get", "host,nose", url], "");
    assert_eq!(status, 2);
    assert!(err.starts_with("error: no part is called \"nose\"; there are url, scheme, "), "{err}");
}

#[test]
fn set_replaces_empties_and_removes_parts() {
    for (words, url) in [
        (&["host=i", "port=8080"] as &[&str], "http://u:p@i:8080/a?q#f"),
        (&["path=x y?z%20%"], "http://u:p@h/x%20y%3Fz%20%25?q#f"),
        (&["query=", "-fragment"], "http://u:p@h/a?"),
        (&["-host"], "http:/a?q#f"),
        (&["-user"], "http://h/a?q#f"),
        (&["user=a@b:c", "-password"], "http://a%40b%3Ac@h/a?q#f"),
        (&["authority=j:k@l:1"], "http://j:k@l:1/a?q#f"),
        (&["scheme=https", "host=[::1]"], "https://u:p@[::1]/a?q#f"),
        (&["host=bücher.example"], "http://u:p@bücher.example/a?q#f"),
        (&["query=a=b&c#d"], "http://u:p@h/a?a=b&c%23d#f"),
    ] {
        answers(&[&["set"], words, &["http://u:p@h/a?q#f"]].concat(), "", 0, &format!("{url}\n"));
    }
    answers(&["set", "host=h", "x-own:a"], "", 0, "x-own://h/a\n");
    answers(&["set", "port=1", "-"], "http://h/\nhttp://i/\n", 0, "http://h:1/\nhttp://i:1/\n");
    for words in [["scheme=1", "http://h/"], ["port=x", "http://h/"], ["-scheme", "http://h/"], ["path=//x", "x-own:a"]]
    {
        let (status, out, err) = run(&[&["set"], &words[..]].concat(), "");
        assert_eq!((status, err.as_str()), (1, ""), "{words:?} {out}");
        assert!(out.starts_with("error: "), "{out}");
    }
    let (status, _, err) = run(&["set", "nose=1", "http://h/"], "");
    assert_eq!(status, 2);
    assert!(err.starts_with("error: no part is called \"nose\""), "{err}");
}

/// The prompt and the command line have one function.
#[test]
fn complete_is_what_the_prompt_opens() {
    let mut surroundings = Surroundings::default();
    surroundings.settings.shortcuts.insert("v".into(), "gopher://gopher.floodgap.com/7/v2/vs%09%s".into());
    let complete = |typed: &str| run_at(&surroundings, &["complete", typed], b"").1;
    assert_eq!(complete("example.org"), "https://example.org/\n");
    assert_eq!(complete("v two words"), "gopher://gopher.floodgap.com/7/v2/vs%09two%20words\n");
    assert_eq!(complete("v"), "gopher://gopher.floodgap.com/7/v2/vs\n");
}

#[test]
fn complete_names_pages_of_the_history_when_asked() {
    let mut visits = Visits::default();
    visits.add(Visit { url: "gopher://gopher.floodgap.com/1/world", title: "Floodgap", time: 1, count: 1 });
    let surroundings = Surroundings { history: visits.pages().clone(), ..Surroundings::default() };
    let alternatives = |arguments: &[&str]| {
        let out = run_at(&surroundings, &[&["complete", "--json"], arguments].concat(), b"").1;
        serde_json::from_str::<Value>(&out).expect("JSON")["alternatives"].clone()
    };
    assert_eq!(
        alternatives(&["flood.example"]),
        json!(["http://flood.example/", "gopher://flood.example/", "news:flood.example"])
    );
    assert_eq!(alternatives(&["--history", "gopher.flood.example"]), json!(["http://gopher.flood.example/"]));
    assert_eq!(alternatives(&["--history", "gopher.floodgap.com"])[1], "gopher://gopher.floodgap.com/1/world");
    // A few letters of one are enough, as Enter at the prompt takes the best.
    let line = |arguments: &[&str]| run_at(&surroundings, &[&["complete"], arguments].concat(), b"");
    assert_eq!(line(&["--history", "world"]), (0, "gopher://gopher.floodgap.com/1/world\n".into(), String::new()));
    assert_eq!(line(&["world"]).0, 1, "nothing is told of the history unasked");
}

#[test]
fn request_goes_through_a_gateway_and_finds_messages_as_articles() {
    let mut surroundings = Surroundings::default();
    surroundings.settings.gateways.insert("wais".into(), "http://g.example/gw?%s".into());
    let request = |url: &str| {
        serde_json::from_str::<Value>(&run_at(&surroundings, &["request", "--json", url], b"").1).expect("JSON")
    };
    assert_eq!(
        request("wais://h/db?x"),
        json!({ "host": "g.example", "port": 80, "request": "GET /gw?wais%3A%2F%2Fh%2Fdb%3Fx HTTP/1.1" })
    );
    assert_eq!(request("mid:a@h/b@h"), json!({ "open": "news:a@h" }));
    assert_eq!(request("cid:b@h"), json!({ "handler": "cid" }));
    assert_eq!(request("prospero://h/x"), json!({ "handler": "prospero" }));
}

#[test]
fn misprints_of_the_drafts_are_read() {
    assert_eq!(object(&["parse", "--json", "mailto::a@b"])["fields"]["to"], json!(["a@b"]));
    let prospero = object(&["parse", "--json", "prospero://h/a%002attr;x=y"]);
    assert_eq!(prospero["fields"], json!({ "hsoname": "a", "fields": [["attr", ""], ["x", "y"]], "version": "2" }));
}

#[test]
fn find_says_where_in_texts_mailboxes_html_and_menus() {
    answers(
        &["find", "--where"],
        "a\n\u{e9} http://h/ ftp://h/\n\nb news:a.b\n",
        0,
        "2:3: http://h/\n2:13: ftp://h/\n4:3: news:a.b\n",
    );
    answers(
        &["find"],
        "svn+ssh://h/x git+https://h/r x+http://h/ 1+http://h/\n",
        0,
        "svn+ssh://h/x\ngit+https://h/r\nx+http://h/\nhttp://h/\n",
    );
    answers(&["find"], "<html><a href=\"http://h/?a=b&amp;c\">x</a>", 0, "http://h/?a=b&c\n");
    let menu = "iinfo\tx\terror.host\t1\r\n0About\t/a b\tgopher.example\t70\r\nhWeb\tURL:http://w.example/\tgopher.example\t70\r\n.\r\n";
    answers(&["find", "--where"], menu, 0, "2:1: gopher://gopher.example/0/a%20b\n3:1: http://w.example/\n");
    let mailbox = "From a@b Mon\nSubject: x\n\nhttp://one.example/\n\nFrom c@d Tue\n\nhttp://two.example/\n";
    let (_, out, _) = run(&["find", "--json"], mailbox);
    let told: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&told[0]["message"], &told[1]["message"], &told[1]["line"]), (&json!(1), &json!(2), &json!(8)));
}

#[test]
fn find_reads_what_mails_have_encoded() {
    let mailbox = "From a@b Mon\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n\
        see http://before.example/\n--B\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n\
        At http://long.example/a=\n/b?x=3D1 and=20\n\nnews:x.y\n--B\nContent-Type: text/html\n\
        Content-Transfer-Encoding: base64\n\nPGh0bWw+PGEgaHJlZj0iaHR0cDovL3R3by5leGFt\ncGxlLz9hJmFtcDtiIj54PC9hPg==\n\
        --B--\n\nFrom c@d Tue\nContent-Transfer-Encoding: base64\n\naHR0cDovL3RocmVlLmV4YW1wbGUv\n\n\
        From e@f Wed\n\nhttp://four.example/\n";
    let (status, out, _) = run(&["find", "--json"], mailbox);
    let told: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let rows: Vec<Value> = told.iter().map(|row| json!([row["url"], row["message"], row["line"]])).collect();
    let expected = json!([
        ["http://before.example/", 1, 5],
        ["http://long.example/a/b?x=1", 1, 10],
        ["news:x.y", 1, 13],
        ["http://two.example/?a&b", 1, 18],
        ["http://three.example/", 2, 25],
        ["http://four.example/", 3, 29],
    ]);
    assert_eq!((status, Value::from(rows)), (0, expected), "{out}");
    for row in &told {
        let at = |end: usize| row["range"][end].as_u64().and_then(|at| usize::try_from(at).ok()).expect("an octet");
        let line = mailbox[..at(0)].matches('\n').count() + 1;
        assert_eq!(Some(line as u64), row["line"].as_u64(), "{row}");
        assert!(at(0) < at(1) && at(1) <= mailbox.len(), "{row}");
    }
}

#[test]
fn find_searches_a_line_without_end_in_pieces() {
    let words = "http://h.example/some/where ".repeat((9 << 20) / 28);
    let (_, out, _) = run(&["find"], &words);
    assert!(out.lines().all(|line| line == "http://h.example/some/where"), "no URL is cut");
    assert_eq!(out.lines().count(), (9 << 20) / 28);
}

#[test]
fn a_password_in_what_is_no_url_is_told_to_nobody() {
    for text in ["http://u:geheim@[bad/x", "//u:geheim@[bad/x", "http://u:geheim@h:99999/", "http://u:ge/heim@h:x/"] {
        for command in [
            &["parse"] as &[&str],
            &["explain"],
            &["explain", "--base", "http://h/"],
            &["resolve", "--base", "http://h/"],
            &["resolve", "--rules", "whatwg", "--base", "http://h/"],
            &["bases", "--retrieved", "http://h/"],
            &["request"],
            &["complete"],
            &["normalise"],
            &["get", "host"],
            &["set", "port=1"],
            &["equal", "http://h/"],
        ] {
            let (status, out, err) = run(&[command, &[text]].concat(), "");
            let relative = text.starts_with("//");
            assert!(status == 1 || relative || command.contains(&"complete"), "{command:?} {text}: {out}{err}");
            if status == 1 {
                assert!(!format!("{out}{err}").contains("heim"), "{command:?} {text}: {out}{err}");
            }
        }
    }
}

#[test]
fn an_address_without_brackets_gets_them() {
    answers(&["set", "host=::1", "http://h:81/x"], "", 0, "http://[::1]:81/x\n");
    answers(&["set", "host=fe80::1%eth0", "http://h/"], "", 0, "http://[fe80::1%25eth0]/\n");
    answers(&["set", "host=a:1", "http://h/"], "", 1, &run(&["set", "host=a:1", "http://h/"], "").1);
}

#[test]
fn resolve_knows_three_sets_of_rules() {
    for (rules, url) in [("rfc3986", "http://h/g"), ("rfc2396", "http://h/../g"), ("whatwg", "http://h/g")] {
        answers(&["resolve", "--base", "http://h/a", "--rules", rules, "../g"], "", 0, &format!("{url}\n"));
    }
    answers(&["resolve", "--base", "http://h/a", "--rules", "whatwg", "\\\\i/x"], "", 0, "http://i/x\n");
    // A backslash is a slash in the schemes that the standard calls special, and there alone.
    for (base, reference, url) in [
        ("gopher://h/1/a", "\\\\i\\x", "gopher://h/1/\\\\i\\x"),
        ("gopher://h/1/a", "/\\i", "gopher://h/\\i"),
        ("gopher://h/1/a", "b\\i", "gopher://h/1/b\\i"),
        ("foo:/a/b", "\\c", "foo:/a/\\c"),
        ("http://h/", "foo://a\\b@h/", "foo://a%5Cb@h/"),
    ] {
        answers(&["resolve", "--base", base, "--rules", "whatwg", reference], "", 0, &format!("{url}\n"));
    }
    for refused in ["foo://h\\x/", "foo://h:1\\x/", "foo://:@/x", "foo://u@?x"] {
        let (status, out, _) = run(&["resolve", "--base", "http://h/", "--rules", "whatwg", refused], "");
        assert_eq!((status, out.starts_with("error: ")), (1, true), "{refused} {out}");
    }
}

/// As node has it, and the standard: where the library is of another opinion.
#[test]
fn files_are_resolved_as_browsers_do() {
    for (base, reference, url) in [
        ("file:///x", "////a", "file:////a"),
        ("file:///x", "..//a", "file:////a"),
        ("file:///x", "//h//a", "file://h//a"),
        ("file:////a/b", "c", "file:////a/c"),
        ("file:////a/b", "?q#f", "file:////a/b?q#f"),
        ("file:///a/b?q", "", "file:///a/b?q"),
        ("file:///a/b?q", "#", "file:///a/b?q#"),
        ("file:///a/b?q", "%2e%2E/c d?'#é", "file:///c%20d?%27#%C3%A9"),
        ("file://h/a/b", "C|", "file://h/C:"),
        ("file://h/a/b", "\\C:\\d", "file://h/C:/d"),
        ("file:///C:/x/y", "../../z", "file:///C:/z"),
        ("file:///C:/x/y", "/z", "file:///C:/z"),
        ("file:///C:/x/y", "D|/z", "file:///D:/z"),
        ("file:///x", "//C|/y", "file:///C:/y"),
        ("file:///x", "//LOCALHOST/y", "file:///y"),
        ("file:///x", "file:y", "file:///y"),
        ("http://h/", "file:y z ?", "file:///y%20z%20?"),
        ("http://h/a", "///i/x", "http://i/x"),
        ("http://h/a", "/\\/i", "http://i/"),
        ("foo:/a/b", " \\c", "foo:/a/\\c"),
        ("foo:/a/b", "1C://\\", "foo:/a/1C://\\"),
    ] {
        answers(&["resolve", "--base", base, "--rules", "whatwg", reference], "", 0, &format!("{url}\n"));
    }
}

#[test]
fn explain_goes_where_request_goes() {
    let mut surroundings = Surroundings::default();
    let set = |name: &str| (name == "gopher_proxy").then(|| "http://proxy.example:3128".to_owned());
    assert_eq!(surroundings.settings.http.proxies.surround(set), Vec::<String>::new());
    let (_, out, _) = run_at(&surroundings, &["explain", "gopher://h/0/a"], b"");
    assert!(out.contains("sends          GET gopher://h/0/a HTTP/1.1 to proxy.example:3128\n"), "{out}");
    let (_, out, _) = run(&["explain", "http://fa\u{df}.de/x"], "");
    assert!(out.contains("sends          GET /x HTTP/1.1 to xn--fa-hia.de:80\n"), "{out}");
    let (_, out, _) = run(&["explain", "news:*"], "");
    assert!(out.contains("group          6        * \u{2192} LIST ACTIVE  ["), "{out}");
    let (_, out, _) = run(&["explain", "http://[fe80::1%25eth0]/"], "");
    assert!(out.contains("[fe80::1%25eth0] = [fe80::1%eth0]  [RFC 3986, 3.2.2; RFC 6874, 2]\n"), "{out}");
    assert!(out.contains("leave it out") && !out.contains("%5B"), "{out}");
    answers(&["normalise", "HTTP://[FE80::1%25Eth0]/"], "", 0, "http://[fe80::1%25Eth0]/\n");
}

#[test]
fn a_base_that_is_none_is_passed_over_as_on_a_page() {
    answers(
        &["bases", "--json", "--embedded", "mailto:x", "--retrieved", "http://r/", "g"],
        "",
        0,
        "{\"layer\":\"retrieval\",\"base\":\"http://r/\",\"url\":\"http://r/g\",\
         \"passed_over\":[{\"layer\":\"document\",\"why\":\"mailto: URLs have no hierarchy\"}]}\n",
    );
}

#[test]
fn a_base_that_is_passed_over_is_not_passed_over_in_silence() {
    answers(
        &["bases", "--entity", "cid:x@y", "--retrieved", "http://r/", "g"],
        "",
        0,
        "http://r/g  (retrieval http://r/; not by entity: cid: URLs have no hierarchy)\n",
    );
    let (_, out, _) = run(&["bases", "--embedded", "http://ho st/", "--retrieved", "http://r/", "g"], "");
    assert!(out.starts_with("http://r/g  (retrieval http://r/; not by document: the host "), "{out}");
    answers(
        &["bases", "--embedded", "", "--retrieved", "http://r/", "g"],
        "",
        0,
        "http://r/g  (retrieval http://r/)\n",
    );
}

#[test]
fn the_login_of_a_news_url_is_planned_and_its_password_told_to_nobody() {
    let url = "nntp://u:s%65cret@h/g/5";
    let (_, out, _) = run(&["request", url], "");
    assert!(out.ends_with("MODE READER\nAUTHINFO USER u\nAUTHINFO PASS ***\nGROUP g\nARTICLE 5\n"), "{out}");
    let commands = object(&["request", "--json", url])["commands"].clone();
    assert_eq!(commands[2], "AUTHINFO PASS secret");
    let (_, out, _) = run(&["explain", url], "");
    assert!(out.contains("AUTHINFO USER u") && !out.contains("secret") && !out.contains("s%65cret"), "{out}");
    let (_, out, _) = run(&["bases", "--embedded", "http://u:secret@h/", "x"], "");
    assert!(out.contains("(document http://u:***@h/)"), "{out}");
}

#[test]
fn find_says_that_it_cannot_read_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, out, err) = run(&["find", folder.path().to_str().expect("a name")], "");
    assert!(status == 1 && out.is_empty() && err.contains("directory") && !err.contains("write"), "{err}");
}

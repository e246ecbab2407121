//! What each scheme would send, and what it refuses to: as plans and as the JSON of `wayfarer url request`.

use super::schemes::{rows, url};
use serde_json::{Value, json};
use wayfarer::url::scheme::{self, Act, Ask, request_json};
use wayfarer::url::{Url, UrlError};

#[test]
fn every_gopher_request_of_the_table() {
    let mut seen = 0;
    for row in rows(include_str!("../../data/gopher-requests.tsv")) {
        let [id, text, host, port, request, expect, ..] = row[..] else { panic!("short row {row:?}") };
        seen += 1;
        let (url, got) = (url(text), request_json(&url(text)));
        if expect.starts_with("REFUSE") {
            assert!(got.as_ref().is_err_and(|refusal| refusal["refused"].is_string()), "{id} {text}: {got:?}");
            assert!(matches!(scheme::plan(&url), Err(UrlError::Refused(_))), "{id} {text}");
            continue;
        }
        let got = got.unwrap_or_else(|refusal| panic!("{id} {text}: {refusal}"));
        let asks = request == "\\N";
        match asks {
            true if expect.starts_with("ask") => assert_eq!(got, json!({ "ask": "search" }), "{id}"),
            true => assert_eq!(got, json!({ "open": expect.rsplit("open ").next() }), "{id}"),
            false => {
                let port: u16 = port.parse().unwrap();
                let wanted = [json!(host), json!(port), json!(text.starts_with("gophers")), json!(request)];
                assert_eq!(["host", "port", "tls", "bytes"].map(|key| got[key].clone()), wanted, "{id} {text}");
            }
        }
        let confirms = expect.contains("warning") || row[7].contains("confirm");
        assert_eq!(got.get("confirm").is_some(), confirms || id == "G019", "{id} {text}");
    }
    assert_eq!(seen, 31);
}

#[test]
fn every_ftp_sequence_of_the_table() {
    let mut seen = 0;
    for row in rows(include_str!("../../data/ftp-sequences.tsv")) {
        let [id, text, host, port, strict, practical, ..] = row[..] else { panic!("short row {row:?}") };
        seen += 1;
        let commands: Value = serde_json::from_str(if practical == "=" { strict } else { practical }).unwrap();
        check_commands(id, text, host, port, &commands);
    }
    assert_eq!(seen, 32);
}

#[test]
fn every_nntp_sequence_of_the_table() {
    let mut seen = 0;
    for row in rows(include_str!("../../data/nntp-sequences.tsv")) {
        let [id, text, host, port, commands, ..] = row[..] else { panic!("short row {row:?}") };
        seen += 1;
        check_commands(id, text, host, port, &serde_json::from_str(commands).unwrap());
    }
    assert_eq!(seen, 9);
}

/// No commands mean a refusal.
fn check_commands(id: &str, text: &str, host: &str, port: &str, commands: &Value) {
    let got = request_json(&url(text));
    if commands == &json!([]) {
        assert!(got.as_ref().is_err_and(|refusal| refusal["refused"].is_string()), "{id} {text}: {got:?}");
        return;
    }
    let port: u16 = port.parse().unwrap();
    assert_eq!(got, Ok(json!({ "host": host, "port": port, "commands": commands })), "{id} {text}");
}

#[test]
fn http_sends_the_path_as_written_and_never_the_fragment() {
    for (text, host, port, request) in [
        ("http://h", "h", 80, "GET / HTTP/1.1"),
        ("http://h?search", "h", 80, "GET /?search HTTP/1.1"),
        ("https://h/a?b#c", "h", 443, "GET /a?b HTTP/1.1"),
        ("http://h/a b\u{1b}<é>%41%zz?", "h", 80, "GET /a%20b%1B%3C%C3%A9%3E%41%zz? HTTP/1.1"),
        ("http://h/a%0D%0Ab//../c", "h", 80, "GET /a%0D%0Ab//../c HTTP/1.1"),
        ("http://h/a\r\nX: y", "h", 80, "GET /a%0D%0AX:%20y HTTP/1.1"),
        ("http://[2001:db8::1]:8080/x", "[2001:db8::1]", 8080, "GET /x HTTP/1.1"),
        ("http://user:pw@h:/", "h", 80, "GET / HTTP/1.1"),
    ] {
        assert_eq!(request_json(&url(text)), Ok(json!({ "host": host, "port": port, "request": request })), "{text}");
    }
}

#[test]
fn ports_of_other_protocols_are_refused_and_reserved_ones_asked_about() {
    for text in
        ["http://h:25/", "https://h:6667/", "gopher://h:25/1", "ftp://h:22/", "nntp://h:119/g/1", "http://h:23/"]
    {
        let own = text.starts_with("nntp");
        assert_eq!(matches!(scheme::plan(&url(text)), Err(UrlError::Refused(_))), !own, "{text}");
    }
    // A scheme's own port is never a port of another protocol.
    for text in [
        "ftp://h:21/x",
        "ftps://h:990/x",
        "telnet://h:23/",
        "nntps://h:563/g",
        "finger://h:79/x",
        "nfs://h:2049/x",
        "rlogin://h:513/",
        "http://h:8080/",
    ] {
        assert_eq!(scheme::plan(&url(text)).map(|plan| plan.confirm), Ok(None), "{text}");
    }
    for text in ["http://h:81/", "gopher://h:105/1", "telnet://h:24/", "news://h:433/g", "gemini://h:300/"] {
        assert!(scheme::plan(&url(text)).unwrap().confirm.is_some(), "{text}");
        assert!(request_json(&url(text)).unwrap()["confirm"].is_string(), "{text}");
    }
}

#[test]
fn what_ftps_says_before_the_login_is_told() {
    for (text, auth) in [
        ("ftps://h/x", Some("AUTH TLS (only on port 21, where port 990 does not answer)")),
        ("ftps://h:990/x", None),
        ("ftps://h:21/x", Some("AUTH TLS")),
        ("ftps://h:2121/x", Some("AUTH TLS (unless the server waits for TLS from the first octet)")),
    ] {
        let shown = request_json(&url(text)).unwrap()["commands"].clone();
        let wanted: Vec<&str> = auth.into_iter().chain(["PBSZ 0", "PROT P", "USER anonymous"]).collect();
        assert_eq!(
            shown.as_array().unwrap()[..wanted.len()],
            wanted.iter().map(|line| json!(line)).collect::<Vec<_>>()
        );
    }
    assert_eq!(request_json(&url("ftp://h/x")).unwrap()["commands"][0], "USER anonymous");
}

#[test]
fn gopher_items_that_lead_elsewhere() {
    let open = |text: &str| request_json(&url(text)).map(|json| json["open"].clone());
    for (text, target) in [
        ("gopher://h/h/URL:https://x.example/a%2520b", "https://x.example/a%20b"),
        ("gopher://h/hurl:http://x.example/?q=a%20b%23f", "http://x.example/?q=a%20b#f"),
        ("gopher://h:23/8", "telnet://h/"),
        ("gopher://h:2323/8joe%20x", "telnet://joe%20x@h:2323/"),
        ("gopher://h/Tlogin", "tn3270://login@h/"),
    ] {
        assert_eq!(open(text), Ok(json!(target)), "{text}");
    }
    assert!(request_json(&url("gopher://h/hURL:http://x%0D%0Ay/")).is_err());
    assert!(request_json(&url("gopher://h/hURL:nothing")).is_err());
    // An ordinary web page on a gopher server is fetched.
    assert_eq!(request_json(&url("gopher://h/h/URLs.html")).unwrap()["bytes"], "/URLs.html\\r\\n");
}

#[test]
fn phone_books_ask_and_then_query_on_their_own_port() {
    assert_eq!(
        scheme::plan(&url("gopher://h:105/2")).unwrap(),
        scheme::Plan { act: Act::Ask(Ask::PhoneBook), confirm: None }
    );
    assert_eq!(
        request_json(&url("gopher://h/2%09name=foo%20bar")),
        Ok(json!({ "host": "h", "port": 105, "commands": ["query name=foo bar", "quit"] }))
    );
    assert!(request_json(&url("gopher://h:105/2%09x%0Aquit")).is_err());
}

#[test]
fn servers_of_one_line_and_dictionaries_are_sent_what_the_url_says() {
    let line = |text: &str, host: &str, port: u16, bytes: &str| {
        let sent = json!({ "host": host, "port": port, "tls": false, "bytes": bytes });
        assert_eq!(request_json(&url(text)), Ok(sent), "{text}");
    };
    line("finger://h/joe", "h", 79, "joe\\r\\n");
    line("FINGER://joe@h/", "h", 79, "joe\\r\\n");
    line("finger://h", "h", 79, "\\r\\n");
    line("finger://h/W%20joe", "h", 79, "/W joe\\r\\n");
    line("whois://h:4343/10.0.0.1?x", "h", 4343, "10.0.0.1?x\\r\\n");
    let commands = |text: &str, commands: &[&str]| {
        let sent = json!({ "host": "h", "port": 2628, "commands": commands });
        assert_eq!(request_json(&url(text)), Ok(sent), "{text}");
    };
    commands("dict://h/", &["SHOW DB", "SHOW STRAT", "QUIT"]);
    commands("dict://h/d:tea", &["DEFINE ! \"tea\"", "QUIT"]);
    commands("dict://h/d:tea:wn:2", &["DEFINE wn \"tea\"", "QUIT"]);
    commands("dict://h/m:te::prefix", &["MATCH ! prefix \"te\"", "QUIT"]);
    for text in ["whois://h/", "dict://h/d::wn", "dict://h/m::*:prefix"] {
        assert_eq!(scheme::plan(&url(text)).unwrap().act, Act::Ask(Ask::Search), "{text}");
    }
    for (text, words, full) in [
        ("whois://h/", "a b/c", "whois://h/a%20b/c"),
        ("dict://h:1/d::wn", "a:b", "dict://h:1/d:a%3Ab:wn"),
        ("dict://h/m::*:prefix", "te", "dict://h/m:te:*:prefix"),
        ("gopher://h/7s", "a b", "gopher://h/7s%09a%20b"),
    ] {
        assert_eq!(scheme::with_words(&url(text), words.as_bytes()).unwrap().as_str(), full);
    }
    let book = |text: &str| request_json(&url(text)).map(|json| json["open"].clone());
    assert_eq!(book("cso://h/"), Ok(json!("gopher://h:105/2")));
    assert_eq!(book("ph://h:1105/name=ada"), Ok(json!("gopher://h:1105/2%09name%3Dada")));
}

#[test]
fn a_question_for_another_host_is_asked_about() {
    for text in ["finger://h/joe@other", "finger://h/@other", "finger://h/a@b@other"] {
        let asked = scheme::plan(&url(text)).unwrap().confirm;
        assert_eq!(asked.as_deref(), Some("h is to pass the question on to other."), "{text}");
    }
    assert_eq!(scheme::plan(&url("finger://joe@h/")).unwrap().confirm, None);
    let full = |text: &str| scheme::in_full(&url(text)).map(|url| url.to_string());
    assert_eq!(full("finger://h:1/joe"), Some("finger://h:1/W%20joe".into()));
    assert_eq!(full("finger://joe@h/"), Some("finger://h/W%20joe".into()));
    assert_eq!(full("finger://h/W%20joe"), Some("finger://h/joe".into()));
    assert_eq!(full("gopher://h/0joe"), None);
}

#[test]
fn everything_else_is_handed_over() {
    for text in [
        "mailto:a@b",
        "telnet://h/",
        "wais://h/db",
        "prospero://h/x",
        "mid:a@b",
        "cid:a@b",
        "afs://c/p",
        "nfs://h/p",
        "urn:a:b",
        "z39.50r://h/db",
        "mailserver:x",
        "x-foo:bar",
        "NFS://h/u",
        "foo:bar",
        "file:///etc/motd",
        "data:,x",
        "about:home",
    ] {
        let scheme = text.split(':').next().unwrap().to_lowercase();
        assert_eq!(request_json(&url(text)), Ok(json!({ "handler": scheme })), "{text}");
    }
    assert_eq!(request_json(&url("javascript:alert(1)")), Err(json!({ "refused": "unsupported scheme: javascript" })));
    assert_eq!(scheme::plan(&url("file:///a%20b")).unwrap().act, Act::File(b"/a b".to_vec()));
    assert_eq!(scheme::plan(&url("about:home")).unwrap().act, Act::Internal);
}

#[test]
fn a_line_break_reaches_no_protocol() {
    for text in [
        "gopher://h/0a%0D",
        "gopher://h/7a%09%00",
        "gopher://h/0a%09%09!%0D%0A",
        "ftp://u:p%0D%0Ax@h/",
        "ftp://h/a%0Db/c",
        "ftp://h/x;type=d%0A",
        "news:g%0AQUIT",
        "news:a%00@b",
        "nntp://h/g%0D/1",
        "nntp://h/g/1%0A",
        "telnet://a%0D@h/",
        "wais://h/d%0A?x",
        "wais://h/d?x%0A",
        "prospero://h/a%0A",
        "finger://h/a%0D%0Ab",
        "finger://a%0D@h/",
        "whois://h/a%0A",
        "whois++://h/a%0A",
        "dict://h/d:a%0A",
        "dict://h/d:a:b%0D",
        "dict://h/m:a:b:c%00",
        "cso://h/a%0A",
        "mailto:a%0A@b",
        "mid:a%0D@b",
        "cid:a%0A@b",
        "http://u%0D:x@h/",
        "file:///a%00",
    ] {
        assert!(request_json(&url(text)).is_err(), "{text}");
    }
}

#[test]
fn no_request_goes_to_no_host_or_to_an_option() {
    for scheme in [
        "http", "https", "ftp", "gopher", "gophers", "nntp", "news", "telnet", "wais", "prospero", "finger", "whois",
        "dict", "cso",
    ] {
        for host in ["", "-x", "%2Dx", "a%0Ab", "a%20b", "[::g]"] {
            let text = format!("{scheme}://{host}/x");
            assert!(!Url::parse(&text).is_ok_and(|url| request_json(&url).is_ok()), "{text}");
        }
    }
    assert_eq!(request_json(&url("http:g")), Err(json!({ "refused": "http: URLs need a host" })));
}

#[test]
fn a_gemini_server_is_sent_the_address_itself() {
    let long = format!("gemini://h/{}", "x".repeat(1024 - "gemini://h/".len()));
    for (text, line) in [
        ("gemini://h", "gemini://h/"),
        ("GEMINI://H.Example:1965/a/../b?q#f", "gemini://h.example/a/../b?q"),
        ("gemini://h:1966?a b", "gemini://h:1966/?a%20b"),
        ("gemini://b\u{fc}cher.example/\u{e9}", "gemini://xn--bcher-kva.example/%C3%A9"),
        ("gemini://[::1]:300/", "gemini://[::1]:300/"),
        ("gemini://h/%0D%0Agemini://other/", "gemini://h/%0D%0Agemini://other/"),
        (&long, &long),
    ] {
        let json = request_json(&url(text)).unwrap();
        assert_eq!(json["bytes"], format!("{line}\\r\\n"), "{text}");
        assert_eq!(json["tls"], true);
    }
    for (text, why) in [
        ("gemini://me@h/", "logs nobody in"),
        ("gemini://me:pw@h/", "logs nobody in"),
        ("gemini://@h/", "logs nobody in"),
        ("gemini:///x", "need a host"),
        (&format!("{long}x"), "1025 octets"),
        ("gemini://h:25/", "port 25"),
    ] {
        let refused = request_json(&url(text)).unwrap_err()["refused"].to_string();
        assert!(refused.contains(why) && !refused.contains("pw"), "{text}: {refused}");
    }
}

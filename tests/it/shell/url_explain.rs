//! `url explain`, whose parts, warnings and rules are for the screen as well.

use super::url_cmd::{complains, run};
use crate::random::search;
use proptest::prelude::*;
use serde_json::{Value, json};
use wayfarer::url::Url;
use wayfarer::url::dissect::dissect;
use wayfarer::url::warning::warnings;

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(&[&["explain", "--json"], arguments].concat(), "").1).expect("JSON")
}

/// The parts as `name raw → decoded → sent`.
fn parts(url: &str) -> Vec<String> {
    let url = Url::parse(url).expect("a URL");
    let shown = |piece: &wayfarer::url::dissect::Piece| {
        let sent = piece.sent.as_deref().map(|sent| format!(" → {sent}")).unwrap_or_default();
        format!("{} {}{sent}", piece.name, piece.decoded(&url))
    };
    dissect(&url).iter().map(shown).collect()
}

#[test]
fn parts_are_those_of_the_scheme() {
    for (url, expected) in [
        (
            "gopher://h:71/7a%20b%09c%09+x",
            "scheme gopher|host h|port 71|type 7|selector a b → a b|search c → \\tc|Gopher+ +x → \\t+x",
        ),
        ("gopher://h", "scheme gopher|host h"),
        ("gopher://h/%a\u{20ac}", "scheme gopher|host h|type %|selector a\u{20ac} → a\u{20ac}"),
        ("gopher://h/?q", "scheme gopher|host h|type ?|selector q → q"),
        (
            "ftp://u:p@h/a%20b//c%2Fd;type=a#f",
            "scheme ftp|user u → USER u|password p → PASS ***|host h|cwd a b → CWD a b|cwd  → CWD |name c/d → RETR c/d|typecode type=a → TYPE A|fragment f",
        ),
        ("ftp://h/d;type=d", "scheme ftp|host h|name d → CWD d|typecode type=d → MLSD, else LIST, else NLST"),
        ("ftp://h/d/", "scheme ftp|host h|cwd d → CWD d"),
        ("news:a.b", "scheme news|group a.b → GROUP a.b"),
        ("news:a%20@b", "scheme news|message-id a @b → ARTICLE <a @b>"),
        ("nntp://h/g/12", "scheme nntp|host h|group g → GROUP g|number 12 → ARTICLE 12"),
        (
            "http://bücher.example/a b?c d#e",
            "scheme http|host bücher.example → xn--bcher-kva.example|path /a b → /a%20b|query c d → c%20d|fragment e",
        ),
        ("mailto:a%40b?subject=x", "scheme mailto|rest a@b|query subject=x"),
        ("urn:a:b", "scheme urn|rest a:b"),
    ] {
        assert_eq!(parts(url).join("|"), expected, "{url}");
    }
}

#[test]
fn warnings_name_what_is_odd_and_where() {
    for (url, expected) in [
        ("http://h.example/a/b?q=1#f", json!([])),
        ("gopher://h:25/1", json!([["odd-port", [11, 13]]])),
        ("http://h:81/", json!([["odd-port", [9, 11]]])),
        ("http://h:8080/", json!([])),
        ("http://www.bank.example@evil.example/", json!([["user-looks-like-host", [7, 23]], ["http-user", [7, 23]]])),
        ("ftp://joe:pw@h/", json!([["password", [10, 12]]])),
        ("http://p\u{430}ypal.example/", json!([["confusable-host", [7, 22]]])),
        ("http://xn--pypal-4ve.example/", json!([["confusable-host", [7, 28]]])),
        ("http://\u{430}\u{440}\u{440}\u{4cf}\u{435}.com/", json!([["confusable-host", [7, 21]]])),
        ("http://1.\u{3bd}\u{3bf}\u{3c5}.example/", json!([["confusable-host", [7, 23]]])),
        ("http://\u{436}\u{443}\u{43a}.example/", json!([])),
        ("gopher://h:105/2", json!([])),
        ("gopher://h:70/2", json!([["odd-port", [11, 13]]])),
        ("gopher://h:105/1", json!([["odd-port", [11, 14]]])),
        ("http://\u{441}\u{43e}\u{440}\u{435}.example/", json!([["confusable-host", [7, 23]]])),
        ("http://b\u{fc}cher.example/", json!([])),
        ("http://h/%2541", json!([["double-escape", [9, 14]]])),
        ("http://h/a%2Fb", json!([["escaped-slash", [10, 13]]])),
        ("gopher://h/0a%2Fb", json!([])),
        ("wais://h/d", json!([["dead-scheme", [0, 4]]])),
        ("http://h./", json!([["trailing-dot", [8, 9]]])),
        ("http://a..b/", json!([["odd-host", [7, 11]]])),
        ("http://-a.b/", json!([["odd-host", [7, 11]]])),
        ("http://1.2.3.4.5/", json!([["odd-host", [7, 16]]])),
        ("http://127.1/", json!([["odd-host", [7, 12]]])),
        ("http://127.0.0.1/", json!([])),
        ("http://h.9a/", json!([["odd-host", [7, 11]]])),
        ("http://h/?a=b&Password=x#f", json!([["secret-in-query", [23, 24]]])),
        ("http://h/100%", json!([["stray-percent", [12, 13]]])),
        ("http://h/a\\b", json!([["backslash", [10, 11]]])),
        ("http://h/a%1Bb", json!([["hidden-character", [10, 13]]])),
    ] {
        let found = warnings(&Url::parse(url).expect("a URL"));
        let found: Vec<Value> =
            found.iter().map(|warning| json!([warning.kind.name(), [warning.at.start, warning.at.end]])).collect();
        assert_eq!(Value::from(found), expected, "{url}");
    }
    assert!(warnings(&Url::parse("ftp://joe:pw@h/").unwrap()).iter().all(|warning| !warning.text.contains("pw")));
}

#[test]
fn the_rules_stand_side_by_side_with_the_place_where_they_part() {
    let agree = object(&["http://h/a"]);
    assert_eq!(
        (&agree["rfc3986"], &agree["whatwg"], &agree["part_at"]),
        (&json!("http://h/a"), &json!("http://h/a"), &Value::Null)
    );
    let query = object(&["--base", "http://a/b/c?q", "?y"]);
    assert_eq!(
        (&query["rfc3986"], &query["rfc2396"], &query["whatwg"], &query["part_at"]),
        (&json!("http://a/b/c?y"), &json!("http://a/b/?y"), &json!("http://a/b/c?y"), &json!(11))
    );
    assert_eq!(query["steps"][0]["number"], "5.2.2");
    let refused = object(&["http://a b.example:x/"]);
    assert_eq!(refused["kind"], "bad-host");
    assert_eq!(
        object(&["gopher://h:25/1"])["refused"].as_str().map(|why| why.starts_with("refused: port 25")),
        Some(true)
    );
}

#[test]
fn for_people_there_is_a_line_for_each_part_and_no_password() {
    let (status, out, err) = run(&["explain", "--base", "ftp://joe:secret@h/pub/", "../a%20b;type=i"], "");
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(!out.contains("secret"), "{out}");
    assert!(out.contains("password       11–16    *** → PASS ***  [RFC 3986, 3.2.1; RFC 1738, 3.1]\n"), "{out}");
    assert!(out.contains("name           20–24    a%20b = a b → RETR a b  [RFC 1738, 3.2]\n"), "{out}");
    assert!(out.contains("step 5.2.4     remove dot segments → /a%20b;type=i\n"), "{out}");
    assert!(out.contains("sends          PASS ***\n"), "{out}");
    assert!(run(&["explain", "--show-secrets", "ftp://joe:secret@h/"], "").1.contains("secret"));
    complains(&["explain", "--base", "x", "y"], 1, "error: \"x\" has no scheme (octet 1; RFC 3986, 3)\n");
}

proptest! {
    #![proptest_config(search(256))]

    /// Parts stand in order, apart from each other, and within the text, as warnings do, whatever the text.
    #[test]
    fn parts_and_warnings_stand_in_the_text(
        scheme in "http|gopher|ftp|news|nntp|mailto|x-a|wais|file",
        rest in "(//([a-c@:.]{0,6})?(\u{430}|%[0-9]{2}|:[0-9]{1,3})?)?[/%2F5\\\\a.;=?&#\u{202e}\u{e9} 09]{0,16}(;type=[adx])?(&key=[a-z])?",
    ) {
        if let Ok(url) = Url::parse(format!("{scheme}:{rest}")) {
            let mut end = 0;
            for piece in dissect(&url) {
                prop_assert!(piece.at.start >= end && piece.at.end <= url.as_str().len(), "{} {:?}", url, piece);
                prop_assert!(piece.raw(&url).len() == piece.at.len());
                end = piece.at.end;
            }
            for warning in warnings(&url) {
                prop_assert!(url.as_str().get(warning.at.clone()).is_some(), "{} {:?}", url, warning);
            }
        }
    }
}

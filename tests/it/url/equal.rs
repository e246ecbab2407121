//! Equivalence, row by row, and that the normal form is one.

use crate::random::search;
use proptest::prelude::*;
use std::borrow::Cow;
use wayfarer::url::equal::{equivalent, normal, of_page};
use wayfarer::url::scheme::{Family, family, request_json};
use wayfarer::url::{BaseStack, Resolved, Rules, Url, resolve};

const TABLE: &str = include_str!("../../data/equivalence.tsv");

#[test]
fn every_row_of_the_table() {
    let mut rows = 0;
    for line in TABLE.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, a, b, expected, ..] = cells[..] else { panic!("{line}") };
        // a side that is no URL ("invalid second": a stray %) equals nothing
        let found = match (Url::parse(a), Url::parse(b)) {
            (Ok(a), Ok(b)) => equivalent(&a, &b),
            _ => false,
        };
        assert_eq!(found, expected.starts_with("yes"), "{id}: {a} {b}: {expected}");
        rows += 1;
    }
    assert_eq!(rows, 38);
}

#[test]
fn normal_forms() {
    let rows = [
        ("HTTP://WWW.XEROX.com", "http://www.xerox.com/"),
        ("HTTP://JOE@WWW.XEROX.com:0080/%7eA%c3%a9é %", "http://JOE@www.xerox.com/~A%C3%A9%C3%A9%20%"),
        ("http://h:8080", "http://h:8080/"),
        ("http://[2001:DB8:0:0::1]:80/", "http://[2001:db8::1]/"),
        ("http://%48ost%2e/", "http://host./"),
        ("http://h/a/../b", "http://h/b"),
        ("http://h/%2E/a/.%2e/b/%2e", "http://h/b/"),
        ("foo:/a/..//b", "foo:/.//b"),
        ("foo:/.//b", "foo:/.//b"),
        ("file:/a/..//b", "file:////b"),
        ("foo:a/../b", "foo:a/../b"),
        ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
        ("http://b%C3%BCcher.example:80", "http://xn--bcher-kva.example/"),
        ("http://a\u{FF0F}b/", "http://a%EF%BC%8Fb/"),
        ("mailto:A@B.C,D@%C3%BC.X?cc=A@B.C", "mailto:A@b.c,D@xn--tda.x?cc=A@B.C"),
        ("URN:ISBN:A%2dB", "urn:isbn:A%2DB"),
        ("urn:isbn", "urn:isbn"),
        ("gopher://h/?q", "gopher://h/?q"),
        ("gopher://h:70/2", "gopher://h:70/2"),
        ("gopher://h:70/%54", "gopher://h:70/T"),
        ("gopher://h:70/1", "gopher://h/1"),
        ("gopher://h/0/./x/../y", "gopher://h/0/./x/../y"),
        ("ftp://h/a/./b", "ftp://h/a/./b"),
        ("ftp://h/x;typ%65=a", "ftp://h/x%3Btype=a"),
        ("ftp://h/x?;typ%65=a", "ftp://h/x?%3Btype=a"),
        ("ftp://h/x;TYPE=an", "ftp://h/x;type=AN"),
        ("ftp://h/x;type=a;TYPE=i", "ftp://h/x;type=a;type=i"),
        ("sftp://H:22", "sftp://h"),
        ("sftp://h/", "sftp://h/"),
        ("sftp://h/a/../%62", "sftp://h/a/../b"),
        ("news:a.b/%31-3", "news:a.b%2F1-3"),
        ("http://h?q", "http://h/?q"),
        ("gopher://H:70/", "gopher://h/1"),
        ("gophers://h:70/1", "gophers://h/1"),
        ("file://LOCALHOST/x", "file:///x"),
        ("file:/x", "file:///x"),
        ("ftp://h/x;TYPE=I", "ftp://h/x;type=i"),
        ("ftp://h/x;é", "ftp://h/x;%C3%A9"),
        ("ftp://h", "ftp://h/"),
        ("telnet://h:23", "telnet://h/"),
        ("News:A.B", "news:A.B"),
        ("x-foo://A:b:C/", "x-foo://a:b:C/"),
        ("foo:", "foo:"),
        // "%" + "%34" + "1" is not "%41"
        ("http://h/%%341", "http://h/%%341"),
    ];
    for (text, key) in rows {
        assert_eq!(normal(&Url::parse(text).unwrap()), key);
    }
}

#[test]
fn different_requests_are_not_equivalent() {
    for (a, b) in [
        ("ftp://h/a/./b", "ftp://h/a/b"),
        ("gopher://h/0a/../b", "gopher://h/0b"),
        ("gopher://h/?q", "gopher://h/1?q"),
        ("gopher://h:70/2", "gopher://h/2"),
        ("gopher://h:70/8", "gopher://h/8"),
        ("ftp://h/x;typ%65=a", "ftp://h/x;type=a"),
        ("news:a.b/%31-3", "news:a.b/1-3"),
        ("mailto:a@h", "mailto:A@h"),
        ("urn:isbn:a%2D", "urn:isbn:a-"),
        ("ftp://@h/", "ftp://h/"),
        ("ftp://u:@h/", "ftp://u@h/"),
        ("ftp://h/x;type=a", "ftp://h/x;type=i"),
        ("gopher://h/1/", "gopher://h/1"),
        ("http://h/a%26b", "http://h/a&b"),
        ("http://h/?a+b", "http://h/?a%2Bb"),
        ("http://h/", "https://h/"),
        ("http://h/%41%", "http://h/A%25"),
    ] {
        assert!(!equivalent(&Url::parse(a).unwrap(), &Url::parse(b).unwrap()), "{a} {b}");
    }
}

/// What one reader calls the same and another could not tell from it.
#[test]
fn what_resolution_makes_of_a_url_is_equivalent_to_it() {
    for (a, b) in [
        ("http://h/a/./b", "http://h/a/b"),
        ("http://h/%2E/x", "http://h/x"),
        ("file:///a/../b", "file:///b"),
        ("mailto:A@B.C", "mailto:A@b.c"),
        ("urn:ISBN:1", "urn:isbn:1"),
        ("http://xn--bcher-kva.example/", "http://bücher.example/"),
    ] {
        assert!(equivalent(&Url::parse(a).unwrap(), &Url::parse(b).unwrap()), "{a} {b}");
    }
}

#[test]
fn what_is_normal_is_not_copied() {
    for text in [
        "http://h.example/a/b?q=1&r=%20#f",
        "gopher://h/0/a%20b",
        "news:a.b.c",
        "ftp://h/pub/x",
        "mailto:joe@h.example",
        "http://joe@h/",
        "x-own:a/b",
    ] {
        assert!(matches!(normal(&Url::parse(text).unwrap()), Cow::Borrowed(_)), "{text}");
    }
    let url = Url::parse("http://h/x#f").unwrap();
    assert!(matches!(of_page(&url), Cow::Borrowed("http://h/x")));
    assert_eq!(of_page(&Url::parse("http://H/x#f").unwrap()), "http://h/x");
}

/// Texts in which what the rules are about is likely.
const URLS: &str = "(http|HTTPS|gopher|ftp|file|x-a|news|nntp|mailto|urn|prospero):\
    (//(u(:p)?@)?(h|H|b\u{fc}|b%C3%BC|localhost|\\[::1\\])(:(70|21|80|119|0*443|105)?)?)?\
    [/.a%~2eE41;?#\u{e9} @A:]{0,4}(/|%2F|/\\.\\./|/%2e/|%2E%2e/|/\\./|;type=[aAdN%41]{1,4}|%3btype=a|;typ%65=i|/1-3|/%31-3|\\?q|%09s){0,3}[/.a1-]{0,3}";

proptest! {
    #![proptest_config(search(512))]

    #[test]
    fn a_normal_form_is_its_own(text in URLS) {
        if let Ok(url) = Url::parse(text) {
            let key = Url::parse(normal(&url).into_owned());
            let Ok(key) = key else { return Err(TestCaseError::fail(format!("{url} has no URL for a normal form"))) };
            prop_assert_eq!(normal(&key), key.as_str());
            prop_assert!(equivalent(&url, &key));
        }
    }

    #[test]
    fn equivalence_is_equality_of_normal_forms(a in URLS, b in URLS) {
        if let (Ok(a), Ok(b)) = (Url::parse(a), Url::parse(b)) {
            prop_assert_eq!(equivalent(&a, &b), normal(&a) == normal(&b));
        }
    }

    /// Where dots are segments of a hierarchy, what resolution makes of a text is what opening it is.
    #[test]
    fn a_resolved_url_is_equivalent_to_what_was_resolved(text in URLS) {
        let Ok(url) = Url::parse(text.as_str()) else { return Ok(()) };
        let base = Url::parse("x-other://base/").unwrap();
        let resolved = match family(&url) {
            // each segment is a command: the directory "." need not be where one is
            Family::Ftp => return Ok(()),
            // where an escaped dot is a dot from the beginning, as pages have it
            Family::Web => BaseStack::retrieved(base, None).resolve(&text),
            _ if text.to_ascii_lowercase().contains("%2e") => return Ok(()),
            _ => resolve(&base, &text, Rules::Rfc3986),
        };
        if let Ok(Resolved::Url(resolved)) = resolved {
            prop_assert_eq!(normal(&resolved), normal(&url));
        }
    }

    #[test]
    fn what_differs_on_the_wire_is_not_equivalent(scheme in "gopher|ftp|nntp|news", rest in URLS) {
        let rest = rest.split_once(':').map_or("", |(_, rest)| rest);
        let Ok(url) = Url::parse(format!("{scheme}:{rest}")) else { return Ok(()) };
        let key = Url::parse(normal(&url).into_owned()).unwrap();
        // the host is dialled, not sent: its spellings are one
        let sent = |url: &Url| request_json(url).map(|mut sent| {
            if let Some(fields) = sent.as_object_mut() {
                fields.remove("host");
                fields.remove("confirm");
                fields.entry("open").and_modify(|open| *open = "another".into());
            }
            sent
        });
        match (sent(&url), sent(&key)) {
            (Ok(a), Ok(b)) => prop_assert_eq!(a, b, "{} {}", url, key),
            (a, b) => prop_assert_eq!(a.is_ok(), b.is_ok(), "{} {}", url, key),
        }
    }
}

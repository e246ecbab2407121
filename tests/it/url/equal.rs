//! Equivalence, row by row, and that the normal form is one.

use crate::random::search;
use proptest::prelude::*;
use wayfarer::url::Url;
use wayfarer::url::equal::{equivalent, normal};

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
        ("http://h/a/../b", "http://h/a/../b"),
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
        ("http://h/a/./b", "http://h/a/b"),
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

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn a_normal_form_is_its_own(scheme in "http|GOPHER|ftp|file|x-a|news", rest in "(//[A-c@:%]{0,6}(:[0-9]{0,3})?)?[/a~%2e41;?#é ]{0,12}") {
        if let Ok(url) = Url::parse(format!("{scheme}:{rest}")) && let Ok(key) = Url::parse(normal(&url)) {
            prop_assert_eq!(normal(&key), key.as_str());
            prop_assert!(equivalent(&url, &key));
        }
    }
}

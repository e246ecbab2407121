//! Splitting, joining, the accessors of `Url`, what is refused, and that no password shows.

use crate::random::search;
use proptest::prelude::*;
use std::collections::HashSet;
use wayfarer::url::{Parts, Reference, Url, UrlError, redact, says_password, split};

/// Text from the characters that matter to the split, so that properties meet every shape of it.
fn dense() -> impl Strategy<Value = String> {
    let pieces = [
        "a", "b1", "+", ":", "/", "//", "?", "#", "@", "[", "]", "%", "%2F", "\\", " ", "\t", "é", ".", "http:",
        "ftp://",
    ];
    proptest::collection::vec(prop::sample::select(pieces.to_vec()), 0..12).prop_map(|pieces| pieces.concat())
}

/// The split of RFC 3986, Appendix B, written a second time in the plainest way there is.
fn plain_split(text: &str) -> Parts<'_> {
    let cut = |text: &'_ str, marks: &[char]| text.find(marks).unwrap_or(text.len());
    let (scheme, rest) = match text.find([':', '/', '?', '#']) {
        Some(at) if at > 0 && text[at..].starts_with(':') => (Some(&text[..at]), &text[at + 1..]),
        _ => (None, text),
    };
    let (authority, rest) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, rest) = rest.split_at(cut(rest, &['/', '?', '#']));
            (Some(authority), rest)
        }
        None => (None, rest),
    };
    let (rest, fragment) = rest.split_once('#').map_or((rest, None), |(rest, fragment)| (rest, Some(fragment)));
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    Parts { scheme, authority, path, query, fragment }
}

proptest! {
    #![proptest_config(search(2000))]

    #[test]
    fn joining_the_split_gives_the_text_back(text in any::<String>()) {
        prop_assert_eq!(split(&text).to_string(), text.clone());
        let reference = Reference::new(text.clone());
        prop_assert_eq!(reference.as_str(), text.as_str());
        prop_assert_eq!(reference.parts(), split(&text));
    }

    #[test]
    fn joining_the_split_gives_dense_text_back(text in dense()) {
        prop_assert_eq!(split(&text).to_string(), text.clone());
        prop_assert_eq!(split(&text), plain_split(&text));
    }

    #[test]
    fn a_url_has_the_parts_of_its_text(text in dense()) {
        match Url::parse(text.clone()) {
            Ok(url) => {
                prop_assert_eq!(url.as_str(), text.as_str());
                prop_assert_eq!(url.parts(), split(&text));
                prop_assert_eq!(Url::check(&text), Ok(split(&text)));
                prop_assert_eq!(Some(url.scheme()), split(&text).scheme);
                let bare = url.without_fragment();
                prop_assert_eq!(bare.parts(), Parts { fragment: None, ..url.parts() });
                let again = Url::parse(bare.as_str());
                prop_assert_eq!(again.as_ref(), Ok(&bare));
                prop_assert_eq!(bare.with_fragment(url.fragment()), url);
            }
            Err(error) => prop_assert_eq!(Url::check(&text), Err(error)),
        }
    }

    /// Whatever stands round it, a password between the first colon and the last `@` of a login never shows. Nothing tells a user
    /// `joe` with a password that begins with `//` from a scheme and a site: there the login is that site's.
    #[test]
    fn no_password_shows(
        before in prop::sample::select(vec!["http://", "ftp://", "//", "http:", "http:/", "gopher:///", "ftp:\\\\", "x://", "", "1x://", "h ttp://"]),
        user in prop::sample::select(vec!["", "joe", "joe%40corp", "a@b"]),
        password in "([a-z@/:?# ]{0,3}QQ[a-z@:/]{0,2})",
        host in prop::sample::select(vec!["host", "host:21", "host:x", "", "[::1]:70", "ho st", "ho<st"]),
        after in prop::sample::select(vec!["", "/", "/x?y#z", "?q"]),
    ) {
        prop_assume!(!(before.is_empty() && user == "joe" && password.starts_with("//")));
        let text = format!("{before}{user}:{password}@{host}{after}");
        match Url::parse(text.clone()) {
            // with a raw / ? or # the URL is another one than was meant, and may even be a good one
            Ok(url) if url.password().is_some_and(|p| p.contains("QQ")) => {
                prop_assert!(!url.redacted().contains("QQ"), "{}", url.redacted());
                let debug = format!("{url:?}");
                prop_assert!(!debug.contains("QQ"), "{}", debug);
            }
            Ok(_) => {}
            Err(error) => {
                prop_assert!(!redact(&text).contains("QQ"), "{}", redact(&text));
                prop_assert!(!error.to_string().contains("QQ"), "{error}");
                let debug = format!("{error:?}");
                prop_assert!(!debug.contains("QQ"), "{}", debug);
            }
        }
    }
}

#[test]
fn a_user_that_is_a_scheme_is_none() {
    assert_eq!(redact("joe:// QQ:/@host"), "joe:// QQ:***@host");
}

/// url, user, password, host, port as written, port to connect to
type Row =
    (&'static str, Option<&'static str>, Option<&'static str>, Option<&'static str>, Option<&'static str>, Option<u16>);

#[test]
fn undefined_differs_from_empty() {
    let rows: &[Row] = &[
        ("ftp://@host.com/", Some(""), None, Some("host.com"), None, Some(21)),
        ("ftp://host.com/", None, None, Some("host.com"), None, Some(21)),
        ("ftp://foo:@host.com/", Some("foo"), Some(""), Some("host.com"), None, Some(21)),
        ("ftp://:pw@h", Some(""), Some("pw"), Some("h"), None, Some(21)),
        ("ftp://u%40c:p%40s%2F@host/x", Some("u%40c"), Some("p%40s%2F"), Some("host"), None, Some(21)),
        ("ftp://a@b:c@d@h:2121/", Some("a@b"), Some("c@d"), Some("h"), Some("2121"), Some(2121)),
        ("http://host:/x", None, None, Some("host"), Some(""), Some(80)),
        ("HTTP://host:0080/x", None, None, Some("host"), Some("0080"), Some(80)),
        ("http://[2001:db8::1]:8080/x", None, None, Some("[2001:db8::1]"), Some("8080"), Some(8080)),
        ("http://[2001:db8::1]/x", None, None, Some("[2001:db8::1]"), None, Some(80)),
        ("http://[fe80::1%25eth0]/", None, None, Some("[fe80::1%25eth0]"), None, Some(80)),
        ("http://[v1.x:y]/", None, None, Some("[v1.x:y]"), None, Some(80)),
        ("http://u:[x]@h/", Some("u"), Some("[x]"), Some("h"), None, Some(80)),
        ("file:///etc/motd", None, None, Some(""), None, None),
        ("mailto:a:b@c", None, None, None, None, None),
        ("http://a?u:p@h/", None, None, Some("a"), None, Some(80)),
        ("http://b\u{fc}cher_1.example/", None, None, Some("b\u{fc}cher_1.example"), None, Some(80)),
        ("x-foo://a:b:c/", None, None, Some("a"), Some("b:c"), None),
    ];
    for &(text, user, password, host, port_text, port) in rows {
        let url = Url::parse(text).unwrap();
        let found = (url.user(), url.password(), url.host(), url.port_text(), url.port());
        assert_eq!(found, (user, password, host, port_text, port), "{text}");
    }
}

#[test]
fn what_is_no_url_is_refused_in_words() {
    let rows = [
        ("", "\"\" has no scheme"),
        ("//g", "\"//g\" has no scheme"),
        ("a/b:c", "\"a/b:c\" has no scheme"),
        ("1http://x/", "\"1http\" is not a scheme: a scheme is a letter followed by letters, digits, +, . or -"),
        ("h ttp://x/", "\"h ttp\" is not a scheme: a scheme is a letter followed by letters, digits, +, . or -"),
        ("http://ho st/", "the host \"ho st\" is not a host name"),
        ("x-foo://ho\nst/", "the host \"ho\\u{a}st\" is not a host name"),
        ("http://ho\u{202e}st/", "the host \"ho\\u{202e}st\" is not a host name"),
        ("http://<host>/", "the host \"<host>\" is not a host name"),
        ("http://good.example\\@bad.example/", "refused: a backslash in the site makes its host ambiguous"),
        ("http://[::1/", "the host \"[::1\" is not a host name"),
        ("http://[::1]x/", "the host \"[::1]x\" is not a host name"),
        ("http://[host]:80/", "the host \"[host]:80\" is not a host name"),
        ("http://host:8a/", "the port \"8a\" is not a number from 1 to 65535"),
        ("http://host:0/", "the port \"0\" is not a number from 1 to 65535"),
        ("http://host:65536/", "the port \"65536\" is not a number from 1 to 65535"),
        ("http://host:+80/", "the port \"+80\" is not a number from 1 to 65535"),
        ("gopher://host:8080808080808080808/", "the port \"8080808080808080808\" is not a number from 1 to 65535"),
        ("ftp://joe:s3/cret@host/", "the port \"***\" is not a number from 1 to 65535"),
        ("//joe:secret@host/x", "\"//joe:***@host/x\" has no scheme"),
    ];
    for (text, sentence) in rows {
        assert_eq!(Url::parse(text).unwrap_err().to_string(), sentence, "{text:?}");
    }
}

#[test]
fn an_error_quotes_no_page_of_text() {
    let error = Url::parse("x/".repeat(1 << 20)).unwrap_err();
    assert!(matches!(error, UrlError::NoScheme(_)));
    assert!(error.to_string().chars().count() < 200, "{error}");
}

#[test]
fn passwords_are_hidden_and_nothing_else() {
    let rows = [
        ("ftp://joe:secret@host/x", "ftp://joe:***@host/x"),
        ("ftp://joe:s@cr:et@host:21/x", "ftp://joe:***@host:21/x"),
        ("ftp://a@b:secret@host/", "ftp://a@b:***@host/"),
        ("ftp://:secret@host", "ftp://:***@host"),
        ("ftp://joe:@host/", "ftp://joe:@host/"),
        ("ftp://joe@host/", "ftp://joe@host/"),
        ("http:/joe:secret@host/x", "http:/joe:***@host/x"),
        ("http:joe:secret@host/x", "http:joe:***@host/x"),
        ("http:///joe:secret@host/x", "http:///joe:***@host/x"),
        ("http://host:8080/@user", "http://host:8080/@user"),
        ("http://host/a:b@c", "http://host/a:b@c"),
        ("x-foo://joe:secret@host", "x-foo://joe:***@host"),
        ("file:///a:b@c", "file:///a:b@c"),
        ("mailto:a:b@c", "mailto:a:b@c"),
        ("news:%25a:b$c@d", "news:%25a:b$c@d"),
        ("snews:%25a:b$c@d", "snews:%25a:b$c@d"),
        ("snews://joe:secret@host/", "snews://joe:***@host/"),
        ("titan://h/x;mime=text/plain;token=secret;size=1", "titan://h/x;mime=text/plain;token=***"),
        ("TITAN://joe:secret@h/x;Token=sec:ret@h?secret", "TITAN://joe:***@h/x;Token=***"),
        ("titan://h/x;token=", "titan://h/x;token="),
        ("gemini://h/x;token=a", "gemini://h/x;token=a"),
        ("archive://ftp%3A%2F%2Fu%3Asec%2fret%40h%2Fa.zip/b", "archive://ftp%3A%2F%2Fu%3A***%40h%2Fa.zip/b"),
        ("ARCHIVE://ftp%3a%2f%2fu%3as\u{fc}%FF%40h/", "ARCHIVE://ftp%3a%2f%2fu%3a***%40h/"),
        ("archive://no%20url%3A%2F%2Fu%3Asecret%40h/", "archive://no%20url%3A%2F%2Fu%3A***%40h/"),
        (
            "archive://archive%3A%2F%2Fftp%253A%252F%252Fu%253Asecret%2540h%252Fa.zip%2Fb.tar/c",
            "archive://archive%3A%2F%2Fftp%253A%252F%252Fu%253A***%2540h%252Fa.zip%2Fb.tar/c",
        ),
        ("archive://ftp%3A%2F%2Fh%2Fa.zip/u:secret@h", "archive://ftp%3A%2F%2Fh%2Fa.zip/u:secret@h"),
    ];
    for (text, shown) in rows {
        assert_eq!(Url::parse(text).unwrap().redacted(), shown);
        assert_eq!(redact(text), shown);
    }
    assert_eq!(format!("{:?}", Reference::new("//joe:secret@host")), "Reference(//joe:***@host)");
    // no usable URLs: rather too much than too little
    assert_eq!(redact("open titan://h h/x;token=secret"), "open titan://h h/x;token=***");
    assert!(says_password("titan://h/x;token=secret") && !says_password("titan://h/x;token="));
    assert_eq!(redact("ftp://joe:s/e?c#r@et@host:x/"), "ftp://joe:***@host:x/");
    assert_eq!(redact("//joe:secret@host"), "//joe:***@host");
    assert_eq!(redact("ftp ://joe:secret@host"), "ftp ://joe:***@host");
}

#[test]
fn the_password_of_an_archive_within_archives_is_neither_shown_nor_kept() {
    let mut url = "ftp://u:secret@h/a.zip".to_owned();
    for depth in 0..40 {
        let within = url.replace('%', "%25").replace([':'], "%3A").replace('/', "%2F").replace('@', "%40");
        url = format!("archive://{within}/");
        let read = Url::parse(url.as_str()).unwrap();
        assert!(!read.redacted().contains("secret"), "{depth}: {}", read.redacted());
        assert!(!read.without_secrets().contains("secret"), "{depth}");
        assert!(!redact(&format!("{url} and more")).contains("secret"), "{depth}");
        if depth == 0 {
            assert_eq!(read.without_secrets(), "archive://ftp%3A%2F%2Fu%40h%2Fa.zip/");
        }
    }
}

#[test]
fn a_string_is_taken_without_copying() {
    let text = format!("data:,{}", "x".repeat(1 << 20));
    let at = text.as_ptr();
    let url = Url::parse(text).unwrap();
    assert_eq!(url.as_str().as_ptr(), at);
    assert_eq!(url.path().len(), (1 << 20) + 1);
}

#[test]
fn no_url_is_longer_than_64_mib() {
    let longest = 64 << 20;
    let mut text = format!("x:{}", "y".repeat(longest - 2));
    assert_eq!(Url::parse(text.as_str()).unwrap().path().len(), longest - 2);
    text.push('y');
    assert_eq!(Url::parse(text), Err(UrlError::TooLong(longest + 1)));
}

#[test]
fn fragments_come_and_go() {
    let url = Url::parse("http://h/a?b#c#d").unwrap();
    assert_eq!(url.without_fragment().as_str(), "http://h/a?b");
    assert_eq!(url.with_fragment(Some("")).as_str(), "http://h/a?b#");
    assert_eq!(url.with_fragment(Some("")).fragment(), Some(""));
    assert_eq!(url.with_fragment(None).fragment(), None);
    let seen = HashSet::from([url.without_fragment()]);
    assert!(seen.contains(&Url::parse("http://h/a?b").unwrap()));
}

#[test]
fn schemes_compare_without_case() {
    let url = Url::parse("Z39.50S://h/db").unwrap();
    assert!(url.is("z39.50s") && !url.is("z39.50"));
    assert_eq!(url.scheme(), "Z39.50S");
    assert_eq!(url.port(), Some(210));
}

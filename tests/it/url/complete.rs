//! What the address prompt makes of typed text.

use crate::random::search;
use proptest::prelude::*;
use wayfarer::url::complete::{Completed, Leaning, complete};
use wayfarer::url::{BaseStack, Resolved, Url, UrlError};
use wayfarer::visits::{Visit, Visits};

const TABLE: &str = include_str!("../../data/typed-input.tsv");

fn url(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}

fn typed(text: &str) -> Completed {
    complete(text, None, Some("/home/me")).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn refused(text: &str) -> UrlError {
    complete(text, None, None).expect_err(text)
}

#[test]
fn every_example_of_the_table() {
    let mut rows = 0;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (id, text, result) = (cells[0], cells[1].replace("\\n", "\n"), cells[3].replace("$HOME", "/home/me"));
        let base = (cells[2] != "\\N").then(|| url(cells[2]));
        rows += 1;
        if id == "I021" {
            // about a link, which the base stack resolves without asking this module
            let stack = BaseStack::retrieved(base.expect("I021 has a base"), None);
            assert_eq!(stack.resolve(&text), Ok(Resolved::Url(url(&result))), "{id}");
            continue;
        }
        let answer = match cells.get(6) {
            Some(leaning) => lean(leaning, &text),
            None => complete(&text, base.as_ref(), Some("/home/me")),
        };
        match result.strip_prefix("error: ") {
            Some(why) => assert!(answer.expect_err(id).to_string().contains(why), "{id}"),
            None => assert_eq!(answer.map(|completed| completed.url.to_string()), Ok(result), "{id}: {text:?}"),
        }
    }
    assert_eq!(rows, 37);
}

/// What the prompt makes of a text where the reader set, sees and visited this: `scheme=… page=… visited=…`.
fn lean(leaning: &str, text: &str) -> Result<Completed, UrlError> {
    let word = |name: &str| leaning.split(' ').find_map(|word| word.strip_prefix(name)).map(String::from);
    let mut visits = Visits::default();
    if let Some(url) = word("visited=") {
        visits.add(Visit { url: &url, title: "", time: 1, count: 1 });
    }
    let page = word("page=").map(|page| url(&page));
    let visited = |host: &str, port| visits.pages().scheme_at(host, port);
    Leaning { scheme: &word("scheme=").unwrap_or_default(), page: page.as_ref(), visited: &visited }
        .complete(text, None)
}

#[test]
fn a_bare_host_offers_gopher_and_first_where_something_says_so() {
    let readings = |leaning: &str, text: &str| {
        let completed = lean(leaning, text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        let all: Vec<String> = completed.alternatives.iter().map(Url::to_string).collect();
        format!("{} | {} | {}", completed.url, all.join(" "), completed.note.unwrap_or_default())
    };
    for (leaning, text, expected) in [
        (
            "scheme=https",
            "h.example",
            "https://h.example/ | http://h.example/ gopher://h.example/ news:h.example | no scheme → https",
        ),
        ("scheme=https", "h.example:7070/x", "http://h.example:7070/x | gopher://h.example:7070/x | no scheme → http"),
        ("scheme=https", "h.example/7/s", "gopher://h.example/7/s | https://h.example/7/s | /7 → gopher"),
        ("scheme=http", "h.example/7/s", "gopher://h.example/7/s | http://h.example/7/s | /7 → gopher"),
        ("scheme=gopher", "h.example", "gopher://h.example/ | https://h.example/ news:h.example | no scheme → gopher"),
        ("scheme=gopher", "h.example:7070", "gopher://h.example:7070/ | http://h.example:7070/ | no scheme → gopher"),
        (
            "scheme=https page=gopher://x/",
            "h.example/a",
            "gopher://h.example/1/a | https://h.example/a | as this page → gopher",
        ),
        ("scheme=https visited=gopher://h:7/1/x", "h:7", "gopher://h:7/ | http://h:7/ | visited → gopher"),
        ("scheme=https page=gopher://x/", "ftp.h.example", "ftp://ftp.h.example/ | http://ftp.h.example/ | ftp → ftp"),
        (
            "scheme=https",
            "comp.lang.rust",
            "https://comp.lang.rust/ | news:comp.lang.rust http://comp.lang.rust/ gopher://comp.lang.rust/ | no scheme → https",
        ),
    ] {
        assert_eq!(readings(leaning, text), expected, "{text:?} with {leaning}");
    }
}

/// The first letter of a folder was taken for a type.
#[test]
fn a_path_of_gopher_space_is_given_a_type_that_makes_sense() {
    for (text, expected) in [
        ("h.example:7070/two", "/1/two"),
        ("h.example:7070/two/", "/1/two/"),
        ("h.example/notes/2024.txt", "/0/notes/2024.txt"),
        ("h.example/pictures/Sea.JPG", "/I/pictures/Sea.JPG"),
        ("h.example/2024/notes", "/1/2024/notes"),
        ("h.example/10-years", "/1/10-years"),
        ("h.example/b/x.html", "/h/b/x.html"),
        ("h.example/x.tar.gz", "/9/x.tar.gz"),
        ("h.example/é", "/1/%C3%A9"),
        // as it was meant
        ("h.example/", "/"),
        ("h.example/1", "/1"),
        ("h.example/0/x", "/0/x"),
        ("h.example/I/x.txt", "/I/x.txt"),
        ("h.example/11/x", "/11/x"),
        ("h.example/0x.html", "/0x.html"),
        ("h.example?q", "/?q"),
    ] {
        let url = lean("scheme=https page=gopher://x/", text).expect("an address").url;
        let (_, path) = url.as_str().split_once("//").and_then(|(_, rest)| rest.split_once('/')).expect("a path");
        assert!(url.is("gopher") && format!("/{path}") == expected, "{text}: {url}");
    }
    let offered = lean("scheme=https", "h.example:7070/two").expect("an address").alternatives;
    assert_eq!(offered, [url("gopher://h.example:7070/1/two")]);
    for (text, expected) in [
        ("gopher.h.example/two", "gopher://gopher.h.example/1/two"),
        ("h:70/two", "gopher://h:70/1/two"),
        // what is written out is not touched
        ("gopher://h/two", "gopher://h/two"),
        ("www.h.example/two", "http://www.h.example/two"),
    ] {
        assert_eq!(typed(text).url.as_str(), expected, "{text}");
    }
}

#[test]
fn abbreviations_say_what_was_added() {
    for (text, expected, note) in [
        ("www.w3.org", "http://www.w3.org/", "www → http"),
        ("FTP.h.example/pub", "ftp://FTP.h.example/pub", "ftp → ftp"),
        ("gopher.h.example/1/x", "gopher://gopher.h.example/1/x", "gopher → gopher"),
        ("news.h.example", "news://news.h.example/", "news → news"),
        ("h.example", "http://h.example/", "no scheme → http"),
        ("h.example?q#f", "http://h.example/?q#f", "no scheme → http"),
        ("h.example.", "http://h.example./", "no scheme → http"),
        ("127.0.0.1", "http://127.0.0.1/", "no scheme → http"),
        ("//h.example/x", "http://h.example/x", "no scheme → http"),
        ("h.example:70", "gopher://h.example:70/", "port 70 → gopher"),
        ("h:70/0/x", "gopher://h:70/0/x", "port 70 → gopher"),
        ("h.example:21/pub/", "ftp://h.example:21/pub/", "port 21 → ftp"),
        ("h.example:1965", "gemini://h.example:1965/", "port 1965 → gemini"),
        ("www.h.example:8080", "http://www.h.example:8080/", "www → http"),
        ("[::1]:70", "gopher://[::1]:70/", "port 70 → gopher"),
        ("me:pw@ftp.h.example/x", "ftp://me:pw@ftp.h.example/x", "ftp → ftp"),
        ("[::1]", "http://[::1]/", "no scheme → http"),
        ("10.0.0.1:119", "news://10.0.0.1:119/", "port 119 → news"),
        ("xxx.yyy.edu:/pub/aa", "ftp://xxx.yyy.edu/pub/aa", "host:/path → ftp"),
        ("www.h.example:/pub", "http://www.h.example/pub", "www → http"),
        ("user@host.example", "mailto:user@host.example", "user@host → mailto"),
        ("user@host.example/x", "ftp://user@host.example/x", "a user, which http has none of → ftp"),
        ("user@ftp.host.example", "ftp://user@ftp.host.example/", "ftp → ftp"),
    ] {
        let completed = typed(text);
        assert_eq!(completed.url.as_str(), expected, "{text:?}");
        assert_eq!(completed.note.as_deref(), Some(note), "{text:?}");
    }
    assert_eq!(typed("http://h.example").note, None);
}

#[test]
fn files_are_told_by_their_form_and_escaped() {
    for (text, expected) in [
        ("/etc/motd", "file:///etc/motd"),
        ("/a b/100%/c#d?e", "file:///a%20b/100%25/c%23d%3Fe"),
        ("/tmp/%41", "file:///tmp/%2541"),
        ("~", "file:///home/me"),
        ("~/a b.txt", "file:///home/me/a%20b.txt"),
        ("C:\\x y\\z.txt", "file:///C:/x%20y/z.txt"),
        ("c:/x", "file:///c:/x"),
        ("/tmp/é", "file:///tmp/%C3%A9"),
    ] {
        assert_eq!(typed(text).url.as_str(), expected, "{text:?}");
    }
    assert!(matches!(refused("~/x"), UrlError::Malformed(_)));
    assert!(matches!(refused("./x"), UrlError::NoBase(_)));
    let folder = url("file:///home/me/work/");
    let relative = complete("./a b", Some(&folder), None).expect("a file");
    assert_eq!(relative.url.as_str(), "file:///home/me/work/a%20b");
}

#[test]
fn whole_urls_are_kept_and_made_safe() {
    for (text, expected) in [
        ("http://h.example/a b", "http://h.example/a%20b"),
        ("http://h.example/a%20b", "http://h.example/a%20b"),
        ("http://h.example/100%", "http://h.example/100%25"),
        ("http://h.example/é?ü#ö", "http://h.example/%C3%A9?%C3%BC#%C3%B6"),
        ("http://h.example", "http://h.example"),
        ("HTTP://H.example/", "HTTP://H.example/"),
        ("news:comp.lang.c", "news:comp.lang.c"),
        ("news:<1@h.example>", "news:1@h.example"),
        ("mailto:me@h.example?subject=a b", "mailto:me@h.example?subject=a%20b"),
        ("about:home", "about:home"),
        ("x-own:thing", "x-own:thing"),
        ("file:///etc/motd", "file:///etc/motd"),
        ("'http://h.example/'", "http://h.example/"),
        ("URL:URL: http://h.example/", "http://h.example/"),
        ("<URL: http://h.example/ >", "http://h.example/"),
        ("gopher://h.example/7/s%09two words", "gopher://h.example/7/s%09two%20words"),
        ("tel:123", "tel:123"),
    ] {
        assert_eq!(typed(text).url.as_str(), expected, "{text:?}");
    }
}

/// As in a link: otherwise one text would lead to two places, and a browser's host would be our user.
#[test]
fn a_backslash_is_typed_where_browsers_read_a_slash() {
    for (text, expected) in [
        ("http://h.example\\a", "http://h.example/a"),
        ("http:\\\\h.example\\a", "http://h.example/a"),
        ("http://h.example/a\\b?c\\d#e\\f", "http://h.example/a/b?c%5Cd#e%5Cf"),
        ("gopher://h.example/0a\\b", "gopher://h.example/0a%5Cb"),
    ] {
        assert_eq!(typed(text).url.as_str(), expected, "{text:?}");
    }
    for text in ["http://h.example\\@evil.example/", "http://evil\\@h.example/", "http://h.example\\:x@evil.example/"] {
        assert!(refused(text).to_string().contains("backslash"), "{text:?}");
    }
    let page = url("http://h.example/a/b");
    assert_eq!(complete("..\\c", Some(&page), None).expect("a neighbour").url.as_str(), "http://h.example/c");
}

#[test]
fn a_space_in_a_login_is_not_a_fault_of_the_host() {
    assert_eq!(typed("ftp://us er@h.example/").url.as_str(), "ftp://us%20er@h.example/");
    assert_eq!(refused("ftp://us er@h .example/"), UrlError::BadHost("h .example".into()));
}

/// The escaped one means the same to whoever decodes it, and is no error to whoever is strict.
#[test]
fn a_stray_percent_sign_has_the_reading_as_it_was_typed() {
    let completed = typed("http://h.example/%zz?100%#%");
    assert_eq!(completed.url.as_str(), "http://h.example/%25zz?100%25#%25");
    assert_eq!(completed.alternatives, [url("http://h.example/%zz?100%#%")]);
    assert_eq!(typed("http://h.example/%41").alternatives, []);
    assert_eq!(typed("gopher://h.example/0%zz").alternatives, [], "the same octets");
}

#[test]
fn other_readings_are_offered() {
    for (text, expected) in [
        ("comp.lang.rust", vec!["news:comp.lang.rust", "https://comp.lang.rust/", "gopher://comp.lang.rust/"]),
        ("h.example", vec!["https://h.example/", "gopher://h.example/", "news:h.example"]),
        ("www.h.example", vec!["https://www.h.example/"]),
        ("me@h.example", vec!["ftp://me@h.example/"]),
        ("xxx.yyy.edu:/pub/aa", vec!["http://xxx.yyy.edu/pub/aa"]),
        ("<9@h.example>", vec!["mailto:9@h.example"]),
        ("9403231758.AA14263@ptpc00.cern.ch", vec!["mailto:9403231758.AA14263@ptpc00.cern.ch"]),
        ("http://h.example/a b", vec!["http://h.example/ab"]),
        ("<http://h.example/a b>", vec!["http://h.example/a%20b"]),
        ("<http://h.example/a-\nb>", vec!["http://h.example/ab"]),
        ("http://h.example/", vec![]),
    ] {
        let alternatives: Vec<String> = typed(text).alternatives.iter().map(Url::to_string).collect();
        assert_eq!(alternatives, expected, "{text:?}");
    }
}

#[test]
fn with_a_base_the_relative_reading_wins_where_there_is_one() {
    let base = url("http://a/b/c/d");
    let read = |text: &str| complete(text, Some(&base), None).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    for (text, expected) in [
        ("../x", "http://a/b/x"),
        ("./x y", "http://a/b/c/x%20y"),
        ("/x", "http://a/x"),
        ("?q", "http://a/b/c/d?q"),
        ("#s", "http://a/b/c/d#s"),
        ("x/y", "http://a/b/c/x/y"),
        ("page.html", "http://a/b/c/page.html"),
        ("//g/x", "http://g/x"),
        ("www.w3.org/", "http://www.w3.org/"),
        ("ftp://h/x", "ftp://h/x"),
        ("~/x", ""),
    ] {
        if expected.is_empty() {
            assert!(complete(text, Some(&base), None).is_err(), "{text:?}");
        } else {
            assert_eq!(read(text).url.as_str(), expected, "{text:?}");
        }
    }
    assert!(read("www.w3.org/").alternatives.contains(&url("http://a/b/c/www.w3.org/")));
    assert!(read("page.html").alternatives.contains(&url("http://page.html/")));
    assert!(read("/etc/motd").alternatives.contains(&url("file:///etc/motd")));
    assert_eq!(read("../x").note.as_deref(), Some("relative to http://a/b/c/d"));
    let secret = url("http://u:pw@a/b");
    assert!(!format!("{:?}", complete("x/y", Some(&secret), None).map(|c| c.note)).contains("pw"));
    let opaque = url("news:1@h.example");
    assert_eq!(complete("www.h.example", Some(&opaque), None).map(|c| c.url), Ok(url("http://www.h.example/")));
}

#[test]
fn what_is_no_address_gets_a_reason() {
    for (text, why) in [
        ("", "nothing was typed"),
        ("  <>  ", "nothing was typed"),
        ("URL:", "nothing was typed"),
        ("hello world", "\"hello world\" is no URL, host or file name"),
        ("weather", "\"weather\" is no URL, host or file name"),
        ("3.14", "\"3.14\" is no URL, host or file name"),
        ("javascript:alert(1)", "unsupported scheme: javascript"),
        ("JavaScript:alert(1)", "unsupported scheme: javascript"),
        ("h.example:99999", "the port \"99999\" is not a number from 1 to 65535"),
        ("h.example:abc/x", "the port \"abc\" is not a number from 1 to 65535"),
        ("http://", "http: URLs need a host"),
        ("gopher:///x", "gopher: URLs need a host; did you mean gopher://x ?"),
        ("a\u{0}b", "control characters cannot be part of a URL"),
        ("../x", "\"../x\" is relative and there is no base URL"),
        ("javascript:1", "unsupported scheme: javascript"),
        ("http:/h", "http: URLs need a host; did you mean http://h ?"),
        ("gopher:h.example/1/x", "gopher: URLs need a host; did you mean gopher://h.example/1/x ?"),
        ("http//h", "\"http//h\" is no URL, host or file name; did you mean http://h ?"),
        ("::1", "\"::1\" is no URL, host or file name; did you mean http://[::1]/ ?"),
    ] {
        assert_eq!(refused(text).to_string(), why, "{text:?}");
    }
    assert!(matches!(refused("http://ho st/x"), UrlError::BadHost(_)));
}

#[test]
fn errors_repeat_neither_passwords_nor_pages() {
    for text in ["http://me:secret@ho st/", "me.me:secret@ho st", "ftp://me:secret@h:port/"] {
        assert!(!refused(text).to_string().contains("secret"), "{text:?}");
    }
    assert!(refused(&"word ".repeat(10_000)).to_string().len() < 400);
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn any_text_gets_an_answer(text in "\\PC{0,60}") {
        let base = url("http://a/b/c/d");
        for base in [None, Some(&base)] {
            if let Ok(completed) = complete(&text, base, Some("/home/me")) {
                prop_assert!(Url::parse(completed.url.as_str()).is_ok());
                prop_assert!(completed.url.as_str().bytes().all(|b| b > b' ' && b != 0x7F), "{:?}", completed);
            }
        }
    }

    /// What was completed once is not completed further.
    #[test]
    fn a_completed_address_completes_to_itself(text in "(www[.]|gopher[.]|/)?[a-z]{1,8}[.][a-z]{2,5}(:70)?(/[a-z %é]{0,9})?") {
        let first = typed(&text).url;
        prop_assert_eq!(typed(first.as_str()).url, first);
    }
}

//! URLs in plain text: the table of examples, and what a hostile text may try.

use crate::random::search;
use proptest::prelude::*;
use wayfarer::url::find::{Found, find};

const TABLE: &str = include_str!("../../data/text-extraction.tsv");

/// The tables write line breaks, tabs and backslashes as `\n`, `\t`, `\\`.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next().expect("something follows the backslash") {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
    out
}

fn sure(text: &str) -> Vec<String> {
    find(text).into_iter().filter(|found| found.sure).map(|found| found.url).collect()
}

/// The alternatives of what is sure, and what is not sure at all.
fn others(text: &str) -> Vec<String> {
    let others = |found: Found| if found.sure { found.alternatives } else { vec![found.url] };
    find(text).into_iter().flat_map(others).collect()
}

fn check_ranges(text: &str, found: &[Found]) {
    let mut end = 0;
    for found in found {
        assert!(found.range.start >= end, "{found:?} begins before {end} in {text:?}");
        assert!(found.range.start < found.range.end, "{found:?} is empty in {text:?}");
        assert!(text.get(found.range.clone()).is_some(), "{found:?} cuts a character of {text:?}");
        end = found.range.end;
    }
}

#[test]
fn every_example_of_the_table() {
    let mut rows = 0;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let text = unescape(cells[1]);
        let expected: Vec<String> = serde_json::from_str(cells[2]).expect("a JSON array");
        let alternatives: Vec<String> = serde_json::from_str(cells[3]).expect("a JSON array");
        assert_eq!(sure(&text), expected, "{}: {text:?}", cells[0]);
        assert_eq!(others(&text), alternatives, "{}: other readings of {text:?}", cells[0]);
        check_ranges(&text, &find(&text));
        rows += 1;
    }
    assert_eq!(rows, 38);
}

#[test]
fn ranges_show_the_url_without_its_wrapper() {
    let shown = |text: &'static str| -> Vec<&str> { find(text).into_iter().map(|found| &text[found.range]).collect() };
    assert_eq!(shown("a <URL: http://h.example/ > b"), ["http://h.example/"]);
    assert_eq!(shown("a <URL:ftp://h.exa\n  mple/x\n> b"), ["ftp://h.exa\n  mple/x"]);
    assert_eq!(shown("\"http://h.example/\", URL:news:a.b"), ["http://h.example/", "news:a.b"]);
    assert_eq!(shown("ask <me@h.example>, www.h.example."), ["me@h.example", "www.h.example"]);
}

#[test]
fn unwrapped_urls_end_where_a_reader_says_they_end() {
    for (text, expected) in [
        ("(http://en.example/wiki/Foo_(bar))", "http://en.example/wiki/Foo_(bar)"),
        ("http://en.example/wiki/Foo_(bar).", "http://en.example/wiki/Foo_(bar)"),
        ("see http://h.example/a(", "http://h.example/a"),
        ("[http://h.example/x] and", "http://h.example/x"),
        ("http://h.example/x[1] says", "http://h.example/x"),
        ("http://h.example/?a[]=1&b[2]=3", "http://h.example/?a[]=1&b[2]=3"),
        ("http://[::1]:7070/x, then", "http://[::1]:7070/x"),
        ("'http://h.example/x' and 'y'", "http://h.example/x"),
        ("*http://h.example/x*", "http://h.example/x"),
        ("_http://h.example/x_", "http://h.example/x"),
        ("http://h.example/*", "http://h.example/*"),
        ("http://h.example/?q=a&b=c!", "http://h.example/?q=a&b=c"),
        ("http://h.example:8080: down", "http://h.example:8080"),
        ("请看http://h.example/路径。后面", "http://h.example/路径"),
        ("“http://h.example/é”", "http://h.example/é"),
        ("http://h.example/a… and", "http://h.example/a"),
        ("│http://h.example/a│", "http://h.example/a"),
        ("http://bücher.example/", "http://bücher.example/"),
        ("href=http://h.example/x>y", "http://h.example/x"),
        ("http://h.example/a\u{202E}txt", "http://h.example/a"),
        ("gopher://h.example/0/a%20b\tnext", "gopher://h.example/0/a%20b"),
        ("HTTP://H.EXAMPLE/X", "HTTP://H.EXAMPLE/X"),
        ("whois++://h.example/q", "whois++://h.example/q"),
        ("file:/etc/motd, file:///x", "file:/etc/motd"),
        ("tel:+4912345 or", "tel:+4912345"),
        ("urn:isbn:0451450523.", "urn:isbn:0451450523"),
        ("mid:a.b@c.example", "mid:a.b@c.example"),
        ("mailto:me@h.example?subject=x", "mailto:me@h.example?subject=x"),
        ("news:x$1@h.example!", "news:x$1@h.example"),
        ("> > http://h.example/q", "http://h.example/q"),
    ] {
        assert_eq!(sure(text).first().map(String::as_str), Some(expected), "{text:?}");
    }
}

#[test]
fn prose_and_source_are_not_urls() {
    for text in [
        "Good news:they won. Note: it is 12:30, i.e. half past.",
        "fake-news:x.y xhttp://h.example/ std::vector<std::string> <std::vector>",
        "http:// alone, http://, http:///x and http://... too",
        "mailto:me about: data:x tel:me urn:isbn C:\\x <C:\\x> <12:30>",
        "<see note: this> <a b:c d> <:> <> <x:> < http >",
        "http://h.example:8a/ http://h:99999/",
        "javascript:alert(1) www.x www. www.4.2 a.www.h.example me@www.h.example",
        "\"quoted\" and \"note: this\" <!-- x: y -->",
    ] {
        assert_eq!(find(text), [], "{text:?}");
    }
}

#[test]
fn brackets_and_quotes_that_are_no_wrappers_leave_the_url_bare() {
    for (text, expected) in [
        ("if a <http://h.example/ is down\n\nnew paragraph> b", "http://h.example/"),
        ("\"http://h.example/ is down\", he said", "http://h.example/"),
        ("\"http://h.example/x", "http://h.example/x"),
        ("<http://h.example/x", "http://h.example/x"),
        ("<see http://h.example/x>", "http://h.example/x"),
        ("<a href='http://h.example/x'>", "http://h.example/x"),
        ("<http://h.example/x <b>", "http://h.example/x"),
    ] {
        assert_eq!(sure(text), [expected], "{text:?}");
    }
}

#[test]
fn wrappers_hold_breaks_anywhere() {
    for (text, expected) in [
        ("<UR\nL:ht\n  tp://h.exa\r\n  mple/x>", "http://h.example/x"),
        ("\"http://h.exa\nmple/x\"", "http://h.example/x"),
        ("| <URL:http://h.exa\n| mple/x>", "http://h.example/x"),
        ("> <http://h.example/x\n> > y", "http://h.example/x"),
        ("> <http://h.example/x\n>\n> y", "http://h.example/x"),
        ("a\n> b\n<http://h.example/x\n> y", "http://h.example/x"),
        ("<data:text/plain,a%20b>", "data:text/plain,a%20b"),
    ] {
        assert_eq!(sure(text), [expected], "{text:?}");
    }
}

#[test]
fn a_message_id_is_told_from_an_address() {
    let weak = |text: &str| find(text).into_iter().map(|found| (found.url, found.alternatives)).collect::<Vec<_>>();
    let pair = |a: &str, b: &str| vec![(a.to_string(), vec![b.to_string()])];
    assert_eq!(weak("<me@h.example>"), pair("mailto:me@h.example", "news:me@h.example"));
    assert_eq!(weak("References: <me@h.example>"), pair("news:me@h.example", "mailto:me@h.example"));
    assert_eq!(weak("In article <me@h.example>, you"), pair("news:me@h.example", "mailto:me@h.example"));
    for before in ["wrote in ", "wrote in message ", "(see article ", "Message-ID: ", "msgid:\n", "news:"] {
        assert_eq!(
            weak(&format!("{before}<me@h.example>")),
            pair("news:me@h.example", "mailto:me@h.example"),
            "{before}"
        );
    }
    for before in ["write to ", "From: Ada ", "inside ", "newsletter "] {
        assert_eq!(
            weak(&format!("{before}<me@h.example>")),
            pair("mailto:me@h.example", "news:me@h.example"),
            "{before}"
        );
    }
    assert_eq!(weak("<%25x/y$1@h>"), pair("news:%2525x%2Fy$1@h", "mailto:%2525x%2Fy$1@h"));
    assert!(find("<me@h.example>").iter().all(|found| !found.sure));
    assert_eq!(find("<a@b@c> <@h> <a@> <a b@c> a@b"), []);
}

/// A megabyte of each: a search that is not linear would not end within the test's patience.
#[test]
fn hostile_texts_take_linear_time() {
    for piece in [
        "<",
        ":",
        "\"",
        ".",
        "@",
        "\n",
        "http://",
        "\"http:",
        "<a:",
        "<url:",
        "<http://a",
        "news:",
        "mailto:",
        "a:",
        "www.",
        "<@",
        "http://a:x",
        "\"http://a\n",
        "<http://a\n",
        "> ",
        "\n> <http://a-",
        "http://a-\n",
        "http://a.b/(",
        "http://a.b/[",
        "www.a-www.b,",
        "x <a@",
        "<http://\n>\n",
        "\u{3000}",
        "é:",
        "<url:\n",
        "urn:a:",
        "http://[",
        "tel:1",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        check_ranges(&text, &find(&text));
    }
    let alone = format!("<http://a{}", " ".repeat(1_000_000));
    assert_eq!(sure(&alone), ["http://a"]);
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn any_text_gives_ranges_in_order(text in "\\PC*") {
        check_ranges(&text, &find(&text));
    }

    #[test]
    fn texts_made_of_marks_give_ranges_in_order(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<", ">", "\"", ":", "/", "//", "http", "URL:", "news:", "www.", "a.b", "@", "\n", "> ", " ", "-", "é", "。", "(", ")",
                "[", "]", "ftp://h.x/", "\r\n", "\t", "'", "#", "?", "%", "\u{0}", "\u{1F600}",
            ]),
            0..40,
        )
    ) {
        let text = pieces.concat();
        let found = find(&text);
        check_ranges(&text, &found);
        for found in found.iter().filter(|found| found.sure) {
            prop_assert!(wayfarer::url::Url::parse(found.url.as_str()).is_ok(), "{:?} in {:?}", found, text);
        }
    }

    /// What a mailer may do to a wrapped URL does not change it.
    #[test]
    fn a_wrapped_url_comes_back(
        url in "(http|ftp|gopher|wais|x-y)://[a-z][a-z0-9.]{0,20}[a-z](:[1-9][0-9]{0,3})?/[a-zA-Z0-9._~!$&'()*+,;=:@%/?#-]{0,40}",
        breaks in prop::collection::vec(0usize..60, 0..4),
        prefix in prop::sample::select(vec!["", "URL:", "url: "]),
        quote in prop::sample::select(vec!["", "> ", "> > ", "| "]),
        before in "[a-z ,.]{0,12}",
    ) {
        let mut broken = url.clone();
        let mut breaks: Vec<usize> = breaks.into_iter().filter(|at| *at < url.len()).collect();
        breaks.sort_unstable();
        breaks.dedup();
        for at in breaks.iter().rev() {
            broken.insert_str(*at, &format!("  \n{quote}  "));
        }
        let text = format!("{quote}{before} <{prefix}{broken}> after");
        prop_assert_eq!(sure(&text), vec![url], "{:?}", text);
    }
}

//! The URL room: finding, splitting, resolving, completing, comparing, showing.

use super::{Row, row, text};
use std::hint::black_box;
use wayfarer::url::complete::{complete, pasted};
use wayfarer::url::find::find;
use wayfarer::url::{
    BaseStack, Rules, Url, component, dissect, equal, escape, explain, redact, redact_typed, redirect, relativize,
    resolve, scheme, split, warning,
};

const SIZE: usize = 4 * 1024;

/// What is long: what stands before, again and again.
const LONG: &[(&str, &str, &str)] = &[
    ("segments", "http://h/", "a/"),
    ("dots", "http://h/", "./"),
    ("two dots", "http://h/", "../"),
    ("there and back", "http://h/", "a/../"),
    ("slashes", "http://h/", "/"),
    ("a segment", "http://h/", "x"),
    ("escapes", "http://h/", "%2e%2E/"),
    ("escapes of letters", "http://h/", "%41"),
    ("percent signs", "http://h/", "%"),
    ("octets beyond ASCII", "http://h/", "\u{e9}"),
    ("a query", "http://h/?", "a=b&"),
    ("a fragment", "http://h/#", "x"),
    ("parameters", "http://h/x", ";a=b"),
    ("a host", "http://", "a."),
    ("a host beyond ASCII", "http://", "\u{e9}."),
    ("a label", "http://", "a"),
    ("an address", "http://[", "1:"),
    ("a port", "http://h:", "0"),
    ("a user", "http://", "a:"),
    ("many at signs", "http://", "a@"),
    ("a scheme", "", "x"),
    ("schemes", "", "url:"),
    ("colons", "", ":"),
    ("a selector", "gopher://h/1", "/a"),
    ("a selector and words", "gopher://h/7/x%09", "a+b"),
    ("Gopher+", "gopher://h/0/x%09%09", "+a"),
    ("an FTP path", "ftp://h/", "a/"),
    ("an FTP path of escapes", "ftp://h/", "%2F"),
    ("FTP types", "ftp://h/x", ";type=a"),
    ("a group", "news:", "a."),
    ("an id", "news:", "a@"),
    ("an article", "nntp://h/a.b/", "1"),
    ("people", "mailto:", "a@b,"),
    ("fields of a mail", "mailto:a@b?", "subject=x&"),
    ("data", "data:,", "x"),
    ("data of base64", "data:;base64,", "QUJD"),
    ("parameters of data", "data:text/plain", ";a=b"),
    ("mid", "mid:", "a@b/"),
    ("urn", "urn:", "a:"),
    ("wais", "wais://h/", "a/"),
    ("prospero", "prospero://h/", "a;b=c"),
    ("telnet", "telnet://", "a:"),
    ("file", "file:///", "a/"),
    ("about", "about:", "x"),
    ("words", "", "words "),
    ("a bare host", "", "a."),
    ("a path", "", "a/"),
    ("a home", "~/", "a/"),
    ("quotes", "", "\"a\" "),
    ("lines", "", "a\n"),
    ("less-than signs", "", "<"),
];

/// Everything that is done with a text that may be a URL.
fn url(text: String) -> super::Work {
    let base = Url::parse("http://a/b/c/d;p?q").expect("a URL");
    Box::new(move || {
        black_box(split(&text).to_string());
        black_box((
            escape::decode(&text),
            escape::display(&text),
            escape::make_safe(&text),
            escape::make_safe_typed(&text),
        ));
        black_box((redact(&text), redact_typed(&text), pasted(&text, true), pasted(&text, false)));
        for rules in [Rules::Rfc3986, Rules::Rfc2396] {
            black_box((resolve(&base, &text, rules).ok(), explain(&base, &text, rules).1));
        }
        black_box((BaseStack::retrieved(base.clone(), None).resolve(&text).ok(), redirect(&base, &text).ok()));
        black_box((complete(&text, None, Some("/home/me")).ok(), complete(&text, Some(&base), None).ok()));
        if let Ok(url) = Url::parse(text.as_str()) {
            black_box((equal::normal(&url), equal::equivalent(&url, &url), url.redacted()));
            black_box((
                relativize::relativize(&base, &url),
                relativize::relativize(&url, &base),
                relativize::relativize(&url, &url),
            ));
            black_box((equal::of_page(&url), dissect::dissect(&url), warning::warnings(&url)));
            black_box(component::differences(&base, &url));
            black_box((
                scheme::parts(&url),
                scheme::plan(&url).is_ok(),
                scheme::fields(&url).is_ok(),
                scheme::request_json(&url).is_ok(),
            ));
            black_box(resolve(&url, "../../x/./y", Rules::Rfc3986).ok());
        }
    })
}

/// Texts in which URLs are looked for, beside all of the above.
const FOUND: &[(&str, &str)] = &[
    ("URLs", "http://h/x "),
    ("URLs in brackets", "<http://h/x> "),
    ("URLs that are wrapped", "<URL:http://h/x\ny> "),
    ("wrapped without end", "<URL:http://h/\n"),
    ("one wrapped without end", "x\n"),
    ("bare names", "www.h.org "),
    ("bare names and a slash", "ftp.h.org/"),
    ("addresses", "a@b.c "),
    ("parentheses", "(http://h/("),
    ("closed parentheses", "http://h/)"),
    ("hyphens at ends of lines", "http://h/x-\n"),
    ("quoted lines", "> http://h/x\n> y\n"),
    ("schemes", "http:"),
    ("news", "news:a@b "),
    ("dots", "..."),
    ("percent signs", "http://h/%"),
];

/// All of them.
pub fn rows() -> Vec<Row> {
    let long = |&(name, before, piece): &(&'static str, &'static str, &'static str)| {
        row(format!("url: {name}"), SIZE, move |octets| url(text(octets, before, piece, "")))
    };
    let found = |name: String, before: &'static str, piece: &'static str| {
        row(format!("find: {name}"), SIZE, move |octets| {
            let text = text(octets, before, piece, "");
            Box::new(move || drop(black_box(find(&text))))
        })
    };
    let mut rows: Vec<Row> = LONG.iter().map(long).collect();
    rows.extend(LONG.iter().map(|&(name, before, piece)| found(name.into(), before, piece)));
    rows.extend(FOUND.iter().map(|&(name, piece)| found(name.into(), "", piece)));
    rows.push(found("a wrapped one without end".into(), "<URL:http://h/", "x\n"));
    rows.push(found("a wrapped one that is quoted".into(), "> <URL:http://h/", "x\n> "));
    rows
}

//! The typed view of every scheme, against the table of examples from the specifications.

use crate::random::search;
use proptest::prelude::*;
use serde_json::{Value, json};
use wayfarer::url::scheme::{self, Act, Part, PartKind, data, file, ftp, http, mailto, news, telnet};
use wayfarer::url::{Url, UrlError, split};

/// The rows of a table: header and comments skipped, cells as they are.
pub fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect())
}

pub fn url(text: &str) -> Url {
    Url::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `\N` is undefined.
fn cell(cell: &str) -> Option<&str> {
    (cell != "\\N").then_some(cell)
}

/// Keys of the table that are its author's notes; they are checked by `the_notes_of_the_table`.
const NOTES: &[&str] = &["kind", "user_decoded", "password_decoded", "stripped", "normal", "redirect"];

#[test]
fn every_example_of_the_table() {
    let mut seen = 0;
    for row in rows(include_str!("../../data/parse-examples.tsv")) {
        let [id, input, ok, scheme, authority, user, password, host, port, path, query, fragment, extra, ..] = row[..]
        else {
            panic!("short row {row:?}");
        };
        seen += 1;
        let parts = split(input);
        let got = [parts.scheme, parts.authority, Some(parts.path), parts.query, parts.fragment];
        assert_eq!(got, [scheme, authority, path, query, fragment].map(cell), "{id} {input}");
        if parts.scheme.is_none() {
            continue;
        }
        let fields = match Url::parse(input) {
            Ok(url) => {
                let server = [url.user(), url.password(), url.host(), url.port_text()];
                assert_eq!(server, [user, password, host, port].map(cell), "{id} {input}");
                scheme::fields(&url)
            }
            Err(error) => Err(error),
        };
        assert_eq!(fields.is_ok(), ok == "ok", "{id} {input}: {fields:?}");
        let (Ok(fields), Ok(Value::Object(extra))) = (fields, serde_json::from_str(extra)) else { continue };
        for (key, value) in extra.iter().filter(|(key, _)| !NOTES.contains(&key.as_str())) {
            // The command line's word for an article's number is "number".
            let key = if key == "article" { "number" } else { key };
            assert_eq!(fields.get(key), Some(value), "{id} {input}: {key} in {fields}");
        }
    }
    assert_eq!(seen, 96);
}

#[test]
fn the_notes_of_the_table() {
    let login = ftp::Ftp::of(&url("ftp://user%40corp:p%3Ass@host:2121/x")).unwrap();
    assert_eq!(login.user.as_deref(), Some(&b"user@corp"[..]));
    assert_eq!(login.password.as_deref(), Some(&b"p:ss"[..]));
    assert!(!format!("{login:?}").contains("p:ss"));
    for (text, target) in [
        ("URL:http://h/", "http://h/"),
        ("url: ftp://h/x", "ftp://h/x"),
        ("gopher://host/hURL:http://x.y/", "http://x.y/"),
    ] {
        assert_eq!(scheme::plan(&url(text)).unwrap().act, Act::Open(url(target)), "{text}");
    }
    assert_eq!(news::News::of(&url("news:*")), Ok(news::News::All));
}

fn texts(text: &str) -> Vec<(PartKind, &'static str, String)> {
    scheme::parts(&url(text)).into_iter().map(|Part { kind, label, text }| (kind, label, text)).collect()
}

fn shown(text: &str) -> String {
    texts(text).into_iter().map(|(_, label, text)| format!("{label} {text}")).collect::<Vec<_>>().join(" · ")
}

#[test]
fn parts_speak_the_words_of_their_scheme() {
    for (text, parts) in [
        ("gopher://h/1/world", "scheme gopher · host h · port 70 · type menu · selector /world"),
        ("gopher://h:7070/7/v%09a%20b", "scheme gopher · host h · port 7070 · type search · selector /v · search a b"),
        ("gopher://h/0a%09%09!", "scheme gopher · host h · port 70 · type text · selector a · Gopher+ !"),
        ("gopher://h/Za", "scheme gopher · host h · port 70 · type unknown type Z · selector a"),
        ("ftp://h/pub/a%2Fb/", "scheme ftp · user anonymous · host h · port 21 · cwd /pub/a%2Fb/ · type list"),
        (
            "ftp://me:x@h/d/f;type=a",
            "scheme ftp · user me · password *** · host h · port 21 · cwd /d/ · name f · type text",
        ),
        ("http://h/a%20b?q=1#top", "scheme http · host h · port 80 · path /a%20b · query q=1 · fragment top"),
        ("nntp://h/comp.lang.c/author=c%40x+y", "scheme nntp · host h · port 119 · group comp.lang.c · author c@x+y"),
        ("nntp://h/comp.lang.c/12", "scheme nntp · host h · port 119 · group comp.lang.c · article 12"),
        ("news:comp.lang.*", "scheme news · groups comp.lang.*"),
        ("news:a@b", "scheme news · message-id a@b"),
        ("news://h:119/g", "scheme news · host h · port 119 · group g"),
        ("mailto:a@b?subject=x%20y&body=1%0D%0A2", "scheme mailto · to a@b · subject x y · body 1"),
        ("telnet://u:p@h:2323/", "scheme telnet · user u · password *** · host h · port 2323"),
        ("wais://h/db?words", "scheme wais · host h · port 210 · database db · search words"),
        ("prospero://h//n;v=3", "scheme prospero · host h · port 1525 · object /n · field v=3"),
        ("mid:a@b/c@d", "scheme mid · message-id a@b · content-id c@d"),
        ("urn:isbn:1", "scheme urn · namespace isbn · name 1"),
        ("file:///tmp/a%20b", "scheme file · path /tmp/a b"),
        ("finger://h/joe", "scheme finger · host h · port 79 · query joe"),
        ("data:,a", "scheme data · media type text/plain;charset=US-ASCII · data 1 characters, escaped"),
        ("about:home", "scheme about · page home"),
        ("x-foo:bar", "scheme x-foo · path bar"),
    ] {
        // How far a path or a query is unescaped for the screen is decided in url::escape.
        assert_eq!(shown(text).replace("/a b", "/a%20b"), parts.replace("/a b", "/a%20b"), "{text}");
    }
    assert!(texts("http://h/").contains(&(PartKind::PortDefault, "port", "80".into())));
    assert!(texts("http://h:81/").contains(&(PartKind::PortOdd, "port", "81".into())));
}

#[test]
fn parts_never_show_a_password_or_a_control() {
    let hostile = "%0D%0A%1B[31m%00%C2%9B%E2%80%AEx%7F%FF\u{1b}\u{9b}\u{202e}\u{2066}";
    for scheme in [
        "http",
        "ftp",
        "gopher",
        "mailto",
        "news",
        "nntp",
        "telnet",
        "wais",
        "file",
        "prospero",
        "mid",
        "cid",
        "afs",
        "nfs",
        "urn",
        "whois++",
        "z39.50",
        "mailserver",
        "x-a",
        "finger",
        "gemini",
        "data",
        "about",
        "foo",
        "url",
        "javascript",
    ] {
        for shape in
            ["://u:SECRET@h/1HOSTILE?HOSTILE#HOSTILE", "://HOSTILE:SECRET@h/x;HOSTILE", ":HOSTILE,HOSTILE@HOSTILE"]
        {
            let text = format!("{scheme}{}", shape.replace("HOSTILE", hostile));
            let Ok(url) = Url::parse(&text) else { continue };
            for part in scheme::parts(&url) {
                assert!(!part.text.contains("SECRET"), "{text}: {part:?}");
                assert!(
                    !part.text.chars().any(|c| c.is_control() || "\u{202e}\u{2066}".contains(c)),
                    "{text}: {part:?}"
                );
            }
            for line in scheme::plan(&url).iter().flat_map(scheme::would_send) {
                assert!(!line.contains("SECRET"), "{text}: {line:?}");
                assert!(!line.chars().any(|c| c.is_control() || "\u{202e}\u{2066}".contains(c)), "{text}: {line:?}");
            }
        }
    }
    assert!(shown("gopher://h/1a%1B%FFb").ends_with("selector a%1B%FFb"));
    // Even what breaks the rules of its scheme is shown, raw.
    assert!(shown("gopher://h/0a%0D%0AQUIT").ends_with("path /0a%0D%0AQUIT"));
}

#[test]
fn a_form_in_a_url_keeps_its_answers_off_the_screen() {
    let text = "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0AHUSH%0D%0Ax%0D%0A.%0D%0A";
    assert!(shown(text).ends_with("Gopher+ filled form, 2 lines"), "{}", shown(text));
    let lines = scheme::would_send(&scheme::plan(&url(text)).unwrap());
    assert_eq!(lines, [r#""a\t+\t1\r\n" and 17 octets of answers to h:70"#]);
}

#[test]
fn mail_headers_are_few_and_decoded_once() {
    let mail = mailto::Mailto::of(&url(
        "mailto:a%2Cb@c,d+e@f?To=g@h&subject=50%25%20%2B+1&bcc=x@y&From=z@y&body=one%0D%0Atwo&cc=i@j&attach=/etc/passwd",
    ))
    .unwrap();
    assert_eq!(mail.to, ["a,b@c", "d+e@f", "g@h"]);
    let headers = [("subject", "50% ++1"), ("body", "one\r\ntwo"), ("cc", "i@j")];
    assert_eq!(mail.headers, headers.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(mail.dropped, ["bcc", "from", "attach"]);
    assert!(matches!(mailto::Mailto::of(&url("mailto://h/a@b")), Err(UrlError::Malformed(_))), "a server");
    for bad in ["mailto:a%0D%0ABcc:x@y", "mailto:a@b?subject=x%0ABcc:y", "mailto:a@b?body=%00"] {
        assert!(matches!(mailto::Mailto::of(&url(bad)), Err(UrlError::Refused(_))), "{bad}");
    }
    let fields = scheme::fields(&url("mailto:?to=a@b.c&subject=x&body=1%0D%0A2")).unwrap();
    assert_eq!(fields, json!({ "to": ["a@b.c"], "headers": [["subject", "x"], ["body", "1\r\n2"]] }));
}

#[test]
fn news_names_groups_patterns_and_articles() {
    use news::News;
    let group = |name: &str| News::Group(name.into());
    for (text, want) in [
        ("news:comp.lang.c", group("comp.lang.c")),
        ("news:", News::All),
        ("news://h/", News::All),
        ("news://h/*", News::All),
        ("news:example.group.*", News::Groups(b"example.group.*".to_vec())),
        ("news://wild.server.example/example.group.th%3Fse", News::Groups(b"example.group.th?se".to_vec())),
        ("news:%3Ca@b%3E", News::Article(b"a@b".to_vec())),
        ("news:a%2Fb%3Fc%40d", News::Article(b"a/b?c@d".to_vec())),
        ("snews://h/alt.test", group("alt.test")),
    ] {
        assert_eq!(News::of(&url(text)), Ok(want), "{text}");
    }
    for bad in ["news:a b", "news:..", "news:a@b%3Ex", "news:a%20b@c", "news:a%09b", "nntp://h/", "nntp://h/g/0"] {
        assert!(scheme::plan(&url(bad)).is_err(), "{bad}");
    }
    assert_eq!(
        scheme::fields(&url("nntp://wild.server.example/example.group.n%2Fa/12345")).unwrap()["group"],
        "example.group.n/a"
    );
    for id in ["<a/b?c#d%e@f>", "<%hkE5.56435$sB2@news-east.example>", "x=+y@[1]"] {
        let article = news::article_url(id.as_bytes()).unwrap();
        let bare = id.trim_matches(['<', '>']);
        assert_eq!(News::of(&article), Ok(News::Article(bare.into())), "{article}");
        assert!(!article.as_str()[5..].contains(['/', '?', '#', '[', ']']), "{article}");
    }
    assert!(news::article_url(b"<a\r\nQUIT@b>").is_err());
    assert_eq!(news::group_url(b"comp.lang.c++").unwrap().as_str(), "news:comp.lang.c++");
}

#[test]
fn articles_of_a_group_are_named_by_their_numbers() {
    use news::{News, Range};
    let part = |group: &str, first, last| News::Part(group.into(), Range { first, last });
    assert_eq!(News::of(&url("news:comp.lang.c/1-30")), Ok(part("comp.lang.c", 1, Some(30))));
    assert_eq!(News::of(&url("news://h/a.b/7-")), Ok(part("a.b", 7, None)));
    assert_eq!(scheme::fields(&url("nntp://h/a.b/1-30")).unwrap()["range"], "1-30");
    assert_eq!(
        scheme::request_json(&url("nntp://h/a.b/5-")).unwrap()["commands"],
        json!(["MODE READER", "GROUP a.b", "OVER 5- | XOVER 5-"])
    );
    for (text, up) in
        [("news:a.b/1-30", "news:a.b"), ("news://h/a.b/1-30", "news://h/a.b"), ("nntp://h/a.b/1-30", "nntp://h/a.b")]
    {
        assert_eq!(scheme::up(&url(text)).unwrap().as_str(), up);
    }
    assert_eq!(shown("news:a.b/1-30"), "scheme news · group a.b · articles 1-30");
    for bad in
        ["nntp://h/g/30-1", "nntp://h/g/0-5", "nntp://h/g/-5", "nntp://h/g/1-99999999999999999999", "nntp://h/g/1-2-3"]
    {
        assert!(scheme::plan(&url(bad)).is_err(), "{bad}");
    }
}

/// A group's page lists them, so they are opened.
#[test]
fn articles_are_numbered_as_far_as_servers_count() {
    for number in ["9223372036854775800", "18446744073709551615"] {
        let asked = scheme::request_json(&url(&format!("nntp://h/g/{number}"))).unwrap();
        assert_eq!(asked["commands"], json!(["MODE READER", "GROUP g", format!("ARTICLE {number}")]));
    }
    assert!(scheme::plan(&url("nntp://h/g/18446744073709551616")).is_err());
}

#[test]
fn sessions_go_to_hosts_only() {
    let session = telnet::Telnet::of(&url("telnet://joe:pw@h:2323/")).unwrap();
    assert_eq!((session.user.as_deref(), session.has_password, session.port), (Some(&b"joe"[..]), true, 2323));
    assert_eq!(scheme::plan(&url("tn3270://h")).unwrap().act, Act::Handler("tn3270"));
    for bad in [
        "telnet://-oProxyCommand=x/",
        "telnet://%2Dx/",
        "telnet://-l@h/",
        "telnet://a%0Ab@h/",
        "telnet://u:p%0D@h/",
        "telnet://h:25/",
        "rlogin:///",
        "telnet:",
        "telnet://h%0Ax/",
        "tn3270://a%20b/",
        "telnet://[::g]/",
    ] {
        assert!(!Url::parse(bad).is_ok_and(|url| scheme::plan(&url).is_ok()), "{bad}");
    }
}

#[test]
fn file_paths_are_octets_there_and_back() {
    for path in [&b"/"[..], b"/a b#c?d%2F;e", b"/\xFF\xFE/", b"/tmp/\r\n\t", "/é/\u{202e}".as_bytes()] {
        let there = file::File::url(path).unwrap();
        assert_eq!(file::File::of(&there).unwrap().path, path, "{there}");
    }
    assert_eq!(file::File::of(&url("file:/x")).unwrap().path, b"/x");
    assert_eq!(file::File::of(&url("file://LOCALHOST/x")).unwrap(), file::File { host: None, path: b"/x".to_vec() });
    for bad in ["file:///a%2Fb", "file:///a%00b", "file:x", "file://other.host/x"] {
        assert!(scheme::plan(&url(bad)).is_err(), "{bad}");
    }
    assert_eq!(file::ftp_instead(&url("file://other.host/x")), Some(url("ftp://other.host/x")));
    assert!(file::File::url(b"relative").is_err());
}

#[test]
fn ftp_entries_come_back_as_they_were_listed() {
    let directory = url("ftp://me@h:2121/pub/doc;type=d#top");
    let entry = |name: &[u8], is_directory| ftp::entry(&directory, name, is_directory).unwrap();
    assert_eq!(entry(b"a b;c", false).as_str(), "ftp://me@h:2121/pub/doc/a%20b%3Bc");
    for name in [&b"x;type=a"[..], b"a/b", b"q?#%", b"\xFF\xE9", b"~ *!$&'()+,=:@[]"] {
        assert_eq!(ftp::Ftp::of(&entry(name, false)).unwrap().name.as_deref(), Some(name));
        assert_eq!(ftp::Ftp::of(&entry(name, true)).unwrap().cwd.last().map(Vec::as_slice), Some(name));
    }
    assert_eq!(ftp::entry(&url("ftp://h"), b"x", true).unwrap().as_str(), "ftp://h/x/");
    assert_eq!(ftp::entry(&url("ftp://h/a?b/"), b"x", false).unwrap().as_str(), "ftp://h/a?b/x");
    for bad in [&b""[..], b".", b"..", b"a\r\nDELE b", b"a\0"] {
        assert!(ftp::entry(&directory, bad, false).is_err(), "{bad:?}");
    }
}

#[test]
fn data_urls_hold_documents() {
    for (text, media, body) in [
        ("data:,a%20b?c", "text/plain;charset=US-ASCII", &b"a b?c"[..]),
        ("data:;charset=utf-8,%C3%A9#f", "text/plain;charset=utf-8", "é".as_bytes()),
        ("data:text/html;base64,PGI+aGk8L2I+", "text/html", b"<b>hi</b>"),
        ("data:text/plain;BASE64,aGk%3D", "text/plain", b"hi"),
        ("data:x/y;base64,aGk", "x/y", b"hi"),
        ("data:x/y;base64, a G\tk=", "x/y", b"hi"),
        ("data:x/y;base64,", "x/y", b""),
        ("data:x/y;base64,/-_+", "x/y", b"\xFF\xEF\xFE"),
    ] {
        let data = data::Data::of(&url(text)).unwrap();
        assert_eq!((data.media.as_str(), data.body.as_slice()), (media, body), "{text}");
    }
    for bad in [
        "data:text/html",
        "data:;base64,a",
        "data:;base64,a=b=",
        "data:;base64,a!bc",
        "data:;base64,====",
        "data://x/,a",
    ] {
        assert!(data::Data::of(&url(bad)).is_err(), "{bad}");
    }
    let bomb = format!("data:,{}", "a".repeat(data::LIMIT + 1));
    assert!(matches!(data::Data::of(&url(&bomb)), Err(UrlError::Refused(_))));
}

#[test]
fn up_and_root_follow_the_schemes_own_hierarchy() {
    for (from, up, root) in [
        ("gopher://h/0/a/b.txt", Some("gopher://h/1/a"), Some("gopher://h/")),
        ("gopher://h/1/a/", Some("gopher://h/"), Some("gopher://h/")),
        ("gopher://h", None, Some("gopher://h/")),
        ("gopher://h:7070/00/Weather/Oslo", Some("gopher://h:7070/11/Weather"), Some("gopher://h:7070/")),
        ("gopher://h/00/Weather", Some("gopher://h/"), Some("gopher://h/")),
        ("gophers://h/7/v%09words", Some("gophers://h/"), Some("gophers://h/")),
        ("gopher://h/1/%09%09!", Some("gopher://h/"), Some("gopher://h/")),
        ("ftp://u@h/a/b/", Some("ftp://u@h/a/"), Some("ftp://u@h/")),
        ("ftp://h/a/b;type=d", Some("ftp://h/a/"), Some("ftp://h/")),
        ("ftp://h/a/b", Some("ftp://h/a/"), Some("ftp://h/")),
        ("ftp://h/%2Fpub/", Some("ftp://h/%2F/"), Some("ftp://h/")),
        ("ftp://h/%2F/", None, Some("ftp://h/")),
        ("ftp://h/", None, Some("ftp://h/")),
        ("file:///a/b", Some("file:///a/"), Some("file:///")),
        ("file:///a/b/", Some("file:///a/"), Some("file:///")),
        ("file:///", None, Some("file:///")),
        ("http://h/a/b?q#f", Some("http://h/a/b"), Some("http://h/")),
        ("http://h/a/b", Some("http://h/a/"), Some("http://h/")),
        ("http://h", None, Some("http://h/")),
        ("news:comp.lang.c", Some("news:comp.lang.*"), Some("news:*")),
        ("news:comp.lang.*", Some("news:comp.*"), Some("news:*")),
        ("news:comp.*", Some("news:*"), Some("news:*")),
        ("news:*", None, Some("news:*")),
        ("news:a@b", None, Some("news:*")),
        ("nntp://h/comp.lang.c/12", Some("nntp://h/comp.lang.c"), None),
        ("nntp:comp.lang.c/12", Some("nntp:comp.lang.c"), Some("news:*")),
        ("wais://h/db?x", Some("wais://h/db"), Some("wais://h/db")),
        ("mailto:a@b", None, None),
        ("urn:a:b", None, None),
        ("foo:bar", None, None),
    ] {
        let text = |url: Option<Url>| url.map(|url| url.as_str().to_owned());
        assert_eq!(text(scheme::up(&url(from))).as_deref(), up, "up from {from}");
        assert_eq!(text(scheme::root(&url(from))).as_deref(), root, "root of {from}");
    }
}

#[test]
fn walking_up_always_ends() {
    for text in [
        "gopher://h/0a/b//c/",
        "ftp://h//a//b/%2Fc%2F/d",
        "http://h//a//b",
        "file:////",
        "news:a..b.*",
        "gemini://h/a/b?c",
    ] {
        let mut at = url(text);
        let steps = std::iter::from_fn(|| {
            at = scheme::up(&at)?;
            Some(())
        });
        assert!(steps.take(50).count() < 50, "{text}");
    }
}

#[test]
fn every_scheme_has_a_sentence_and_a_port_only_if_it_has_servers() {
    for name in ["afs", "nfs", "mid", "cid", "tn3270", "mailserver", "z39.50", "whois++", "x-any", "nonesuch", "GOPHER"]
    {
        let says = scheme::explain(name);
        assert!(says.ends_with('.') && says.len() > 20, "{name}: {says}");
    }
    assert_eq!(scheme::name("X-Foo"), "x-");
    assert_eq!(scheme::name("Gopher"), "gopher");
    for (name, port) in
        [("whois++", Some(63)), ("rlogin", Some(513)), ("HTTPS", Some(443)), ("mailto", None), ("x-a", None)]
    {
        assert_eq!(scheme::default_port(name), port, "{name}");
    }
}

#[test]
fn searching_the_web_joins_words_with_plus() {
    let found = http::searching(&url("http://h/index?old#f"), " c++  and é ").unwrap();
    assert_eq!(found.as_str(), "http://h/index?c%2B%2B+and+%C3%A9");
}

proptest! {
    #![proptest_config(search(4000))]

    /// Every question has an answer for every URL, and no answer holds a control.
    #[test]
    fn every_view_is_total(
        scheme in prop::sample::select(vec![
            "http", "ftp", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero", "mid", "cid", "nfs", "urn",
            "whois++", "x-a", "finger", "gemini", "data", "about", "foo", "URL", "javascript",
        ]),
        authority in "(//([a-z@:%\\[\\]0-9-]{0,12}))?",
        rest in "([/;?#@,:=*.+!]|%[0-9A-F]{2}|[a-z01789]|base64|URL:|;type=|\\PC){0,24}",
    ) {
        let Ok(url) = Url::parse(format!("{scheme}:{authority}{rest}")) else { return Ok(()) };
        for part in scheme::parts(&url) {
            prop_assert!(!part.text.chars().any(char::is_control), "{part:?}");
        }
        let _ = scheme::fields(&url);
        for line in scheme::plan(&url).iter().flat_map(scheme::would_send) {
            prop_assert!(!line.chars().any(char::is_control), "{line:?}");
        }
        let answer = scheme::request_json(&url).unwrap_or_else(|refusal| refusal);
        prop_assert!(answer.as_object().is_some_and(|object| !object.is_empty()));
        for other in [scheme::up(&url), scheme::root(&url)].into_iter().flatten() {
            prop_assert!(other.fragment().is_none());
            prop_assert_eq!(other.host(), url.host());
        }
    }
}

#[test]
fn only_files_of_other_hosts_are_offered_by_ftp() {
    use wayfarer::url::scheme::file::ftp_instead;
    let offered = |text: &str| ftp_instead(&Url::parse(text).unwrap()).map(|url| url.to_string());
    assert_eq!(offered("file://host/a"), Some("ftp://host/a".into()));
    assert_eq!(offered("file:///a"), None);
    assert_eq!(offered("gopher://host:1/"), None);
}

#[test]
fn what_is_sought_in_a_group_is_told_as_it_is_sent() {
    let asked = scheme::request_json(&url("nntp://h/a.b/subject=tun%20a*")).unwrap();
    assert_eq!(asked["commands"][2], "XPAT Subject low-high *[Tt][Uu][Nn]?[Aa]?*");
    assert_eq!(asked["commands"][3], "XPAT Subject low-high *=[?]*");
    assert_eq!(asked["commands"][4], "OVER found | XOVER found | OVER low-high | XOVER low-high");
    // Texts, and more than one group, are sought in what is kept.
    for kept in ["nntp://h/a.b/body=x", "nntp://h/*/subject=x"] {
        assert_eq!(scheme::request_json(&url(kept)).unwrap()["commands"], serde_json::json!([]), "{kept}");
    }
    assert_eq!(scheme::fields(&url("nntp:a.b/body=x%20y")).unwrap()["sought"]["words"], "x y");
    assert_eq!(scheme::up(&url("nntp://h/a.b/body=x")).unwrap().as_str(), "nntp://h/a.b");
    for bad in ["nntp:a.b/subject=", "nntp:a.b/subject=%20", "nntp:a.b/other=x", "nntp:a.b/subject=a%0Db"] {
        assert!(scheme::plan(&url(bad)).is_err(), "{bad}");
    }
}

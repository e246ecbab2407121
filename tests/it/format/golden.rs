//! Golden pairs: `tests/data/format/KIND.NAME.in` is read as KIND's media type and gives `….expected`.
//! `BLESS=1` writes the expectations anew; look at the difference before you keep it.

use super::{dump::dump, input, parse};
use std::path::Path;

/// The first word of a file name: what it is and where it is said to come from.
const KINDS: &[(&str, &str, &str)] = &[
    ("menu", "application/gopher-menu", "gopher://home.example/1/dir"),
    ("menu-tls", "application/gopher-menu", "gophers://home.example:7443/1/dir"),
    ("plain", "text/plain", "gopher://home.example/0/text"),
    ("directory", "application/x-directory", "file:///home/reader/"),
    ("attributes", "application/gopher+-attributes", "gopher://home.example/0/text%09%09!"),
    ("attributes-all", "application/gopher+-attributes", "gopher://home.example/1/dir%09%09$"),
    ("caps", "text/x-gopher-caps", "gopher://home.example/0/caps.txt"),
    ("caps-none", "text/x-gopher-caps", "gopher://home.example/0/caps.txt"),
    ("phone", "application/x-cso", "gopher://home.example:105/2"),
    ("whois", "text/x-whois", "whois://whois.example/wayfarer.example?x"),
    ("dict", "text/x-dict", "dict://dict.example:2629/d:tea:*"),
    ("dict-second", "text/x-dict", "dict://dict.example/d:tea:*:2"),
    ("dict-front", "text/x-dict", "dict://dict.example/"),
    ("dict-match", "text/x-dict", "dict://dict.example/m:te:*:prefix"),
    ("own", "text/x-wayfarer", "about:home"),
    ("html", "text/html", "http://home.example/folder/page.html"),
    ("xhtml", "application/xhtml+xml", "http://home.example/folder/page.xhtml"),
    ("newsgroup", "application/x-newsgroup", "news:comp.infosystems.gopher"),
    ("newsgroup-server", "application/x-newsgroup", "nntp://news.example.org:1119/empty.group"),
    ("newsgroups", "application/x-newsgroups", "news://news.example.org/*"),
    ("markdown", "text/markdown", "ftp://home.example/pub/README.md"),
    ("feed", "application/xml", "http://home.example/news/feed.xml"),
    ("gemtext", "text/gemini", "gemini://home.example/"),
    ("message", "message/rfc822", "news:1993Nov21.130211.4711@home.example"),
];

#[test]
fn golden_pairs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format");
    let mut read = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|e| e != "in") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let kind = name.split('.').next().unwrap();
        let (_, media, url) = KINDS.iter().find(|(k, ..)| *k == kind).unwrap_or_else(|| panic!("what is {name}?"));
        let got = dump(&parse(&input(media, url), &std::fs::read(&path).unwrap()));
        let expected = path.with_extension("expected");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected, &got).unwrap();
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_else(|_| panic!("{} is missing", expected.display()));
        assert_eq!(got, wanted, "{name}");
        read += 1;
    }
    assert!(read >= KINDS.len(), "only {read} pairs were found");
}

//! Media types by name and by content.

use super::input;
use wayfarer::format::guess::{BINARY, by_content, by_name, is_shown};
use wayfarer::format::parser;

#[test]
fn names_speak() {
    let names = [
        ("README", "text/plain"),
        ("/pub/Makefile", "text/plain"),
        ("readme.unix", "text/plain"),
        ("00readme.txt;3", "text/plain"),
        ("page.gmi", "text/gemini"),
        ("notes.md", "text/markdown"),
        ("menus.tar.Z", "application/x-compress"),
        ("x.tar.gz", "application/gzip"),
        ("photo.JPG", "image/jpeg"),
        ("index.html", "text/html"),
        ("a.ts", "text/plain"),
    ];
    for (name, media) in names {
        assert_eq!(by_name(name).as_deref(), Some(media), "{name}");
    }
    for name in ["unknown", "x.qqq", ".profile", "", "a."] {
        assert_eq!(by_name(name), None, "{name}");
    }
}

#[test]
fn octets_speak() {
    assert_eq!(by_content(b"\x89PNG\r\n\x1A\n\0\0"), "image/png");
    assert_eq!(by_content(b"%PDF-1.4\n"), "application/pdf");
    assert_eq!(by_content(b"GIF89a\x01\x02"), "image/gif");
    assert_eq!(by_content(b"caf\xE9 \x1B[1mbold\x1B[0m\r\n"), "text/plain");
    assert_eq!(by_content(b"N\x08NA\x08A\x0C"), "text/plain");
    assert_eq!(by_content(b"\xFF\xFEa\0b\0"), "text/plain");
    assert_eq!(by_content(b""), "text/plain");
    assert_eq!(by_content(b"abc\0def"), BINARY);
    assert_eq!(by_content(&[1, 2, 3, 4, 5, 6, 14, 15]), BINARY);
}

#[test]
fn what_is_shown_has_a_parser() {
    for media in
        ["text/plain", "application/json", "image/svg+xml", "text/x-rust", "application/gopher-menu", "text/html"]
    {
        assert!(is_shown(media) && parser(&input(media, "about:x")).is_some(), "{media}");
    }
    for media in ["image/png", BINARY, "application/zip", "audio/basic", ""] {
        assert!(!is_shown(media) && parser(&input(media, "about:x")).is_none(), "{media}");
    }
}

//! Media types by name and by content.

use super::input;
use wayfarer::format::guess::{OCTETS, by_magic, by_name, is_binary, of_file};
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
        ("index.xhtml", "application/xhtml+xml"),
        ("index.xht", "application/xhtml+xml"),
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
fn beginnings_speak() {
    assert_eq!(by_magic(b"\x89PNG\r\n\x1A\n\0\0"), Some("image/png"));
    assert_eq!(by_magic(b"%PDF-1.4\n"), Some("application/pdf"));
    assert_eq!(by_magic(b"RIFF\x01\0\0\0WEBPVP8 "), Some("image/webp"));
    assert_eq!(by_magic(b"BM\x36\0\0\0"), Some("image/bmp"));
    assert_eq!(by_magic(b"BM is a company"), None);
    // What was packed well has no octet in its beginning that no text has.
    assert_eq!(by_magic(b"BZh91AY&SY.\xFD\xCC\xF6\xFF\xFF\xFF\xFF"), Some("application/x-bzip2"));
    assert_eq!(by_magic(b"BZh91AY is no block"), None);
    for text in [&b"caf\xE9 \x1B[1mbold\x1B[0m\r\n"[..], b"N\x08NA\x08A\x0C", b"\xFF\xFEa\0b\0", b""] {
        assert!(!is_binary(text), "{text:?}");
    }
    assert!(is_binary(b"abc\0def") && is_binary(&[1, 2, 3, 4, 5, 6, 14, 15]));
}

#[test]
fn files_by_name_unless_the_content_contradicts() {
    let files: &[(&str, &[u8], &str)] = &[
        ("a.txt", b"text", "text/plain"),
        ("a.txt", b"\x89PNG\r\n\x1A\n", "image/png"),
        ("a.txt", b"\0\0\0", OCTETS),
        ("a.html", b"<p>one\0two", "text/html"),
        ("a.html", b"\0\0\0\x01", OCTETS),
        ("a.txt", b"one\0two", OCTETS),
        ("a.gif", b"\x89PNG\r\n\x1A\n", "image/png"),
        ("a.sh", b"#!/bin/sh\n", "text/plain"),
        ("a.exe", b"only words", "text/plain"),
        ("a.svg", b"<svg/>", "image/svg+xml"),
        ("README", b"words", "text/plain"),
        ("unknown", b"words", "text/plain"),
        ("unknown", b" <!DOCTYPE HTML>", "text/html"),
        ("unknown", b"\x01\x02\x03", OCTETS),
        ("x.tar.Z", b"\x1F\x9D\x90", "application/x-compress"),
    ];
    for (name, start, media) in files {
        assert_eq!(of_file(name, start), *media, "{name} {start:?}");
    }
}

#[test]
fn what_is_shown_has_a_parser() {
    for media in [
        "text/plain",
        "application/json",
        "image/png",
        "image/svg+xml",
        "text/x-rust",
        "application/gopher-menu",
        "text/html",
    ] {
        assert!(parser(&input(media, "about:x")).is_some(), "{media}");
    }
    for media in ["image/tiff", OCTETS, "application/zip", "audio/basic", ""] {
        assert!(parser(&input(media, "about:x")).is_none(), "{media}");
    }
}

//! Directories: what the golden pairs do not show.

use super::{dump::dump, input, parse};
use wayfarer::doc::LinkId;
use wayfarer::format::{human, media};
use wayfarer::url::{Resolved, Rules, Url, resolve};

#[test]
fn references_lead_to_the_very_name() {
    let base = Url::parse("file:///home/x/").unwrap();
    for name in [&b"a:b"[..], b"http://x", b"..x", b"a?b#c;type=d", b"a%2Fb", b"\xE9\t", b"~x"] {
        let line = [b"type=file; ", name, b"\r\n"].concat();
        let document = parse(&input(media::DIRECTORY, "file:///"), &line);
        let reference = document.reference(LinkId(0)).unwrap();
        let Ok(Resolved::Url(url)) = resolve(&base, reference, Rules::Rfc3986) else { panic!("{reference}") };
        let got = wayfarer::url::escape::decode(url.path().strip_prefix("/home/x/").unwrap());
        assert_eq!(got, name, "{reference}");
        assert_eq!((url.query(), url.fragment()), (None, None));
    }
}

#[test]
fn the_root_has_no_parent() {
    for (url, parent) in [("file:///", false), ("file:///a/", true), ("ftp://h", false), ("ftp://h/%2F", false)] {
        let document = parse(&input(media::DIRECTORY, url), b"");
        assert_eq!(document.link_count() == 1, parent, "{url}");
        // The bar says how many entries there are.
        assert_eq!(document.notes, [""; 0]);
    }
}

#[test]
fn names_of_several_charsets_in_one_directory() {
    let document =
        parse(&input(media::DIRECTORY, "file:///"), b"type=file; \xE9t\xE9\r\ntype=file; \xC3\xA9t\xC3\xA9\r\n");
    assert!(dump(&document).contains("{page.link #0 été}") && dump(&document).contains("{page.link #1 été}"));
}

#[test]
fn sizes_in_words() {
    let sizes = [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (31_234, "31.2 kB"),
        (99_949, "99.9 kB"),
        (99_950, "100 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (18_300_000, "18.3 MB"),
        (u64::MAX, "18.4 EB"),
    ];
    for (octets, words) in sizes {
        assert_eq!(human(octets), words);
    }
}

#[test]
fn only_an_archive_says_that_its_rows_are_elsewhere() {
    let lines = b"type=cdir;x.place=ftp://h/; .\r\ntype=file; a\r\ntype=OS.unix=slink:b;x.inside=1; l\r\n";
    for (of, expected) in [("ftp://other/", ["a", "l"]), ("archive://http%3A%2F%2Fh%2Fx/d/?tree", ["ftp://h/a", "l/"])]
    {
        let document = parse(&input(media::DIRECTORY, of), lines);
        let last = document.link_count();
        let references = [last - 2, last - 1].map(|at| document.reference(LinkId(at)).unwrap().to_owned());
        assert_eq!(references, expected, "{of}");
    }
}

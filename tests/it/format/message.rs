//! Messages: parts taken out, references found inside, bases, bounds.

use super::dump::dump;
use super::{input, parse, parse_in};
use std::path::Path;
use wayfarer::date::timestamp;
use wayfarer::doc::{Anchor, Builder, Document, FoldKind, Layout, Line, LinkId, Marks, Wrap};
use wayfarer::format::message::{PartName, part, resolve, rot13};
use wayfarer::format::{media, parser};
use wayfarer::url::{BaseStack, EntityBase, Layer, Resolved, Url, UrlError};

const FILES: &[u8] = include_bytes!("../../data/format/message.files.in");
const RELATED: &[u8] = include_bytes!("../../data/format/message.related.in");
const MIXED: &[u8] = include_bytes!("../../data/format/message.mixed.in");

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn article() -> Url {
    url("news:1@home.example")
}

fn number(place: &[u32]) -> PartName {
    PartName::Number(place.to_vec())
}

fn show(octets: &[u8]) -> Document {
    parse_in(&input(media::MESSAGE, "news:1@home.example"), octets, octets.len())
}

/// Every link of a page that names a part gives that part.
#[test]
fn every_part_that_is_listed_can_be_taken_out() {
    for (octets, id) in [(FILES, "f/1@home.example"), (RELATED, "rel@home.example"), (MIXED, "mixed@home.example")] {
        let document = show(octets);
        let links = (0..document.link_count()).map(|n| document.reference(LinkId(n)).unwrap());
        let mut taken = 0;
        for link in links.filter(|link| link.starts_with("mid:")) {
            let name = PartName::of_url(&url(link), Some(id.as_bytes())).unwrap();
            if name == PartName::Joined {
                continue;
            }
            assert!(part(octets, &name, &article()).is_some(), "{link}");
            assert_eq!(name.url(Some(id.as_bytes())).unwrap().as_str(), link);
            assert_eq!(PartName::of_url(&url(link), Some(b"other@home.example")), None);
            taken += 1;
        }
        assert!(taken >= 4, "{id}");
    }
}

#[test]
fn files_in_texts_come_out_whole() {
    let file = |n| part(FILES, &PartName::File(vec![1], n), &article());
    let hello = file(1).unwrap();
    assert_eq!((hello.octets.as_slice(), hello.filename.as_deref()), (&b"Hello, world!\n"[..], Some("hi.txt")));
    let all: Vec<u8> = (0..=255).collect();
    assert_eq!(file(2).unwrap().octets, all);
    assert_eq!(file(3).unwrap().octets, all);
    assert_eq!(file(3).unwrap().media, "application/zip");
    assert_eq!(file(5).unwrap().octets, [b'x'; 45]);
    assert_eq!(file(6), None);
    assert_eq!(file(0).unwrap().media, media::PLAIN, "no file: the text itself");
}

#[test]
fn parts_say_what_they_are() {
    let bin = part(MIXED, &number(&[2]), &article()).unwrap();
    assert_eq!((bin.media.as_str(), bin.filename.as_deref()), ("application/octet-stream", Some("very-long name.bin")));
    assert_eq!(bin.octets, [0, 1, 2, 3, 4, 5, 6, 7]);
    let inner = part(MIXED, &number(&[4]), &article()).unwrap();
    assert_eq!(inner.media, media::MESSAGE);
    assert!(inner.octets.starts_with(b"Subject: inner"));
    let digest = part(MIXED, &number(&[4, 1]), &article()).unwrap();
    assert_eq!(digest.media, "multipart/digest");
    assert!(digest.octets.starts_with(b"Subject: inner"), "with its head: it is shown by that");
    let charset = part(RELATED, &PartName::Id(b"root@home.example".to_vec()), &article()).unwrap().charset;
    assert_eq!(charset.as_deref(), Some("iso-8859-1"));
    assert_eq!(part(MIXED, &number(&[99]), &article()), None);
}

#[test]
fn names_and_urls_of_parts() {
    for (text, name) in [
        ("part-2.1", number(&[2, 1])),
        ("part-1.file-2", PartName::File(vec![1], 2)),
        ("part-0", number(&[])),
        ("part-x", PartName::Id(b"part-x".to_vec())),
        ("part-1.file-", PartName::Id(b"part-1.file-".to_vec())),
    ] {
        assert_eq!(PartName::parse(text.as_bytes()), name);
    }
    // RFC 2392, 2
    let name = PartName::Id(b"foo4%foo1@bar.net".to_vec());
    assert_eq!(name.url(None).unwrap().as_str(), "cid:foo4%25foo1@bar.net");
    assert_eq!(PartName::of_url(&url("cid:foo4%25foo1@bar.net"), None), Some(name));
    let name = PartName::Id(b"partA.960830.1639@XIson.com".to_vec());
    let named = url("mid:960830.1639@XIson.com/partA.960830.1639@XIson.com");
    assert_eq!(PartName::of_url(&named, Some(b"960830.1639@XIson.com")), Some(name));
    assert_eq!(PartName::of_url(&url("http://a/"), None), None);
    assert!(PartName::Id(b"a b".to_vec()).url(None).is_err());
}

#[test]
fn a_content_id_like_a_place_wins() {
    let octets = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-ID: <part-1>\n\ntwo\n--b--\n";
    assert_eq!(part(octets, &number(&[1]), &article()).unwrap().octets, b"two");
    assert_eq!(part(octets, &number(&[2]), &article()).unwrap().octets, b"two");
}

/// RFC 2557, 8: by Content-Location within the related multipart, by Content-ID anywhere.
#[test]
fn references_are_found_inside() {
    let root = PartName::Id(b"root@home.example".to_vec());
    let find = |text: &str| resolve(RELATED, &root, &url(text), &article());
    assert_eq!(find("http://www.example/doc/img/red.png"), Some(number(&[1])));
    assert_eq!(find("http://www.example/doc/next.html#x"), Some(number(&[4])), "a folded Content-Location");
    assert_eq!(find("http://www.example/doc/elsewhere"), None);
    assert_eq!(find("cid:dot@home.example"), Some(PartName::Id(b"dot@home.example".to_vec())));
    assert_eq!(find("cid:DOT@home.example"), None, "ids are compared as they are");
    assert_eq!(find("mid:rel@home.example/dot@home.example"), Some(PartName::Id(b"dot@home.example".to_vec())));
    assert_eq!(find("mid:other@home.example/dot@home.example"), None);
}

#[test]
fn the_innermost_related_multipart_is_searched_first() {
    let octets = b"Content-Type: multipart/related; boundary=o\n\n--o\nContent-Location: http://a/x\n\nouter\n\
        --o\nContent-Type: multipart/related; boundary=i\n\n--i\n\nroot\n--i\nContent-Location: http://a/x\n\ninner\n\
        --i--\n--o\nContent-Type: multipart/mixed; boundary=m\n\n--m\nContent-Location: http://a/y\n\ny\n--m--\n--o--\n";
    let find = |from: &[u32], to: &str| resolve(octets, &number(from), &url(to), &article());
    assert_eq!(find(&[2, 1], "http://a/x"), Some(number(&[2, 2])));
    assert_eq!(find(&[1], "http://a/x"), Some(number(&[1])));
    assert_eq!(find(&[2, 1], "http://a/y"), Some(number(&[3, 1])));
    let alone = b"Content-Type: multipart/mixed; boundary=m\n\n--m\nContent-Location: http://a/y\n\ny\n--m--\n";
    assert_eq!(resolve(alone, &number(&[1]), &url("http://a/y"), &article()), None, "not related");
}

#[test]
fn thismessage_finds_a_part_that_is_beside_and_not_related() {
    let octets = b"Content-Type: multipart/mixed; boundary=m\n\n--m\nContent-Type: text/html\n\n<a href=thismessage:/a.txt>a</a>\n\
        --m\nContent-Location: a.txt\n\ny\n--m--\n";
    assert_eq!(resolve(octets, &number(&[1]), &url("thismessage:/a.txt"), &article()), Some(number(&[2])));
    assert_eq!(resolve(octets, &number(&[1]), &url("thismessage:/b.txt"), &article()), None);
    assert!(dump(&show(octets)).contains(" cid:part-2\n"));
}

/// The base that the headings of a message give its first part.
fn base_of_part_1(octets: &[u8], retrieval: &Url) -> Option<EntityBase> {
    part(octets, &number(&[1]), retrieval)?.base
}

/// The rows of the table whose base is given by a heading (BASE-05); the others are run by the URL room.
#[test]
fn bases_of_the_table() {
    let table = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/base-precedence.tsv"));
    let mut run = 0;
    for line in table.unwrap().lines().filter(|line| line.starts_with("B01") && line.contains("MHTML")) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, case, _, base, retrieval, _, reference, expected, ..] = cells.as_slice() else { panic!("{line}") };
        let heading = if case.contains("Content-Base") { "Content-Base" } else { "Content-Location" };
        let octets = format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n{heading}: {base}\n\n.\n--b--\n");
        let retrieval = if *retrieval == "\\N" { article() } else { url(retrieval) };
        let found = base_of_part_1(octets.as_bytes(), &retrieval).unwrap();
        assert_eq!(found.from, format!("{heading} of part 1"));
        let mut stack = BaseStack::retrieved(retrieval, None);
        stack.set(Layer::Entity, Some(found.url));
        assert_eq!(stack.resolve(reference), Ok(Resolved::Url(url(expected))), "{id}");
        run += 1;
    }
    assert_eq!(run, 2, "B011 and B013");
}

/// RFC 2557, 5; in one heading Content-Base of RFC 2110 comes first (D31).
#[test]
fn bases_go_from_the_part_outward() {
    let octets = |message: &str, part: &str| {
        format!("{message}Content-Type: multipart/related; boundary=b\n\n--b\n{part}\n.\n--b--\n").into_bytes()
    };
    let base = |message: &str, part: &str, retrieval: &str| {
        let found = base_of_part_1(&octets(message, part), &url(retrieval))?;
        Some((found.url.to_string(), found.from))
    };
    let some = |url: &str, from: &str| Some((url.to_owned(), from.to_owned()));
    let (news, web) = ("news:1@home.example", "http://www.example/mail/1");
    assert_eq!(base("", "", news), None);
    assert_eq!(base("Content-Base: http://m/\n", "", news), some("http://m/", "Content-Base of the message"));
    let both = "Content-Location: http://l/x\nContent-Base: http://b/\n";
    assert_eq!(base("", both, news), some("http://b/", "Content-Base of part 1"), "in one heading");
    assert_eq!(
        base("Content-Base: http://m/\n", "Content-Location: http://l/x\n", news),
        some("http://l/x", "Content-Location of part 1"),
        "the innermost heading"
    );
    let relative = "Content-Location: img/x.html\n";
    assert_eq!(
        base("Content-Base: http://m/d/\n", relative, news),
        some("http://m/d/img/x.html", "Content-Location of part 1")
    );
    assert_eq!(base("", relative, news), None, "relative to nothing");
    assert_eq!(base("", relative, web), some("http://www.example/mail/img/x.html", "Content-Location of part 1"));
    assert_eq!(
        base("Content-Base: http://m/\n", "Content-Base: cid:x@y\n", news),
        some("http://m/", "Content-Base of the message"),
        "no hierarchy, no base"
    );
    assert_eq!(
        base("", "Content-Location: http://l/a/\n very/ long\n", news),
        some("http://l/a/very/long", "Content-Location of part 1"),
        "folded"
    );
}

#[test]
fn a_reference_without_a_base_stays_as_written() {
    let document = show(include_bytes!("../../data/format/message.nobase.in"));
    let stack = BaseStack::retrieved(article(), None);
    let link = document.link(LinkId(2), &stack).unwrap();
    assert_eq!(link.reference, "other.html");
    assert!(matches!(link.target, Err(UrlError::OpaqueBase { .. })));
}

/// RFC 2557, 5(e): parts that name each other relatively find each other, and nobody sees the base.
#[test]
fn relative_content_locations_match_without_any_base() {
    let octets = b"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\
        Content-Location: d/a.html\n\n<a href=b.html>b</a> <a href=c.html>c</a>\n--b\nContent-Location: d/b.html\n\nb\n--b--\n";
    let document = show(octets);
    let links: Vec<_> = (0..document.link_count()).map(|n| document.reference(LinkId(n)).unwrap()).collect();
    assert_eq!(links[2..], ["cid:part-2", "c.html", "cid:part-2"]);
    assert_eq!(base_of_part_1(octets, &article()), None);
}

#[test]
fn header_and_text_are_painted_before_the_end() {
    let input = input(media::MESSAGE, "news:1@home.example");
    let mut parser = parser(&input).unwrap();
    let mut out = Builder::new();
    parser.feed(b"Subject: slow\r\nFrom: a@b.example\r\n", &mut out);
    assert_eq!(out.document().blocks().len(), 0);
    parser.feed(b"\r\nfirst line\r\n", &mut out);
    assert!(out.document().text().starts_with("slowFrom: "));
    assert!(out.document().text().ends_with("first line"));
    let mut parser = wayfarer::format::parser(&input).unwrap();
    let mut out = Builder::new();
    parser.feed(b"Subject: parts\nContent-Type: multipart/mixed; boundary=b\n\n--b\n", &mut out);
    assert_eq!(out.document().title.as_deref(), Some("parts"));
}

#[test]
fn rotated_letters() {
    assert_eq!(rot13("Fcbvyre: Uryyb, 42 é"), "Spoiler: Hello, 42 é");
    let octets = b"Subject: Uryyb\n\nUryyb uggc://jjj.rknzcyr/\n";
    let document = parse(&input(media::MESSAGE_ROT13, "news:1@home.example"), octets);
    assert_eq!(document.title.as_deref(), Some("Uryyb"), "only the body is turned");
    assert!(document.text().ends_with("Hello http://www.example/"));
    assert_eq!(document.reference(LinkId(1)), Some("http://www.example/"));
}

#[test]
fn any_type_of_message_is_read() {
    for media in ["message/rfc822", "message/news", "message/partial", "multipart/mixed", "message/x-new"] {
        let document = parse(&input(media, "http://h.example/"), b"Subject: s\n\nbody\n");
        assert_eq!(document.title.as_deref(), Some("s"), "{media}");
    }
}

#[test]
fn deep_nesting_is_looked_into_up_to_a_depth() {
    let mut octets = Vec::new();
    for level in 0..5000 {
        octets.extend(format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n").bytes());
    }
    octets.extend(b"\nthe bottom\n");
    let document = show(&octets);
    assert!(document.text().contains("nested more than 100 deep"));
    assert!(!document.text().contains("the bottom"));
    let messages = "Content-Type: message/rfc822\n\n".repeat(5000);
    assert!(show(messages.as_bytes()).text().contains("nested more than 100 deep"));
}

#[test]
fn many_parts_are_counted_and_cut() {
    let octets = format!("Content-Type: multipart/mixed; boundary=b\n\n{}", "--b\n\nx\n".repeat(10_100));
    let document = show(octets.as_bytes());
    assert!(document.notes.contains(&"only the first 10,000 parts are shown".to_owned()), "{:?}", document.notes);
    assert_eq!(document.text().matches('x').count(), 9_999 + 1, "and the x of \"mixed\"");
}

#[test]
fn a_header_without_end_is_cut() {
    let octets = format!("Subject: {}\nX: y\n", "s".repeat(3_000_000));
    let document = parse_in(&input(media::MESSAGE, "news:1@home.example"), octets.as_bytes(), 60_000);
    assert!(document.title.as_ref().unwrap().len() <= 64 * 1024);
    assert!(document.notes.iter().any(|note| note.contains("longer than 1 MiB")));
    let ids = format!("References: {}\n\n", "<a@b.example> ".repeat(50_000));
    let document = show(ids.as_bytes());
    assert!(document.text().contains("(and 49,000 more)"));
    assert!(document.link_count() < 3_000);
}

/// Three hundred steps to the first article filled the screen before the text.
#[test]
fn of_a_deep_thread_the_nearest_articles_are_in_sight_and_the_others_folded() {
    let ids: String = (1..=299).map(|n| format!(" <{n}@x.example>")).collect();
    let document = show(format!("Subject: deep\nReferences:{ids}\n\nText.\n").as_bytes());
    let blocks = || (0..document.blocks().len() as u32).map(|block| document.block_text(block));
    let field = blocks().find(|text| text.starts_with("References: ")).unwrap();
    assert_eq!(field, "References: ^1 ^2 ^3 ^4 ^5 ^6 ^7 ^8 ^9 ^10 ^11 ^12 and 287 before");
    assert!(blocks().any(|text| text.starts_with("^13 ^14 ") && text.ends_with(" ^299")));
    let link = (0..document.link_count()).map(LinkId).find(|link| document.link_text(*link) == "^1").unwrap();
    assert!(document.reference(link).unwrap().contains("299@x.example"), "the nearest is the last");
    let fold = document.folds.iter().find(|fold| document.link_text(fold.head) == "and 287 before").unwrap();
    assert!(!fold.open);
    let few: String = (1..=16).map(|n| format!(" <{n}@x.example>")).collect();
    assert!(
        show(format!("References:{few}\n\nText.\n").as_bytes()).text().contains("^15 ^16"),
        "four more fold nothing"
    );
}

#[test]
fn lines_that_look_like_boundaries_cost_nothing_much() {
    let mut octets = Vec::new();
    for level in 0..90 {
        octets.extend(format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n").bytes());
    }
    octets.extend("\n--b\n--c\n<<<<\n=?=?=?\n".repeat(50_000).bytes());
    assert!(show(&octets).text().len() > 500_000);
}

#[test]
fn long_quotes_and_signatures_are_folds() {
    let octets = include_bytes!("../../data/format/message.quote.in");
    let kinds = |document: &Document| document.folds.iter().map(|fold| (fold.kind, fold.open)).collect::<Vec<_>>();
    assert_eq!(kinds(&show(octets)), [(FoldKind::Headers, false), (FoldKind::Quote, true)]);
    let endless = format!("Subject: s\n\n{}-- \nme\n-- \nagain\n", "> q\n".repeat(4_500));
    let document = show(endless.as_bytes());
    let kinds = kinds(&document);
    assert_eq!(kinds.iter().filter(|(kind, _)| *kind == FoldKind::Quote).count(), 3, "held up to 2,000 lines");
    assert_eq!(kinds.iter().filter(|(kind, _)| *kind == FoldKind::Signature).count(), 2);
    assert!(document.folds.iter().all(|fold| fold.end != u32::MAX), "every fold has an end");
}

#[test]
fn the_readers_charset_goes_before_the_declared() {
    let mut input = input(media::MESSAGE, "news:1@home.example");
    input.charset = Some("koi8-r".into());
    let document = parse(&input, b"Subject: s\nContent-Type: text/plain; charset=iso-8859-1\n\n\xF0\xD2\n");
    assert!(dump(&document).contains("Пр"));
}

/// Each of these took the square of its length, in one version or another.
#[test]
fn bodies_that_close_nothing_are_read_in_one_pass() {
    for (media, piece) in [
        ("text/html", "<a "),
        ("text/html", "<a =\""),
        ("text/html", "<!--"),
        ("text/html", "<script></x"),
        ("text/html", "<img alt='&"),
        ("text/richtext", "<"),
        ("text/enriched", "<x"),
        ("text/plain", "begin 644 x\n"),
        ("text/plain", "<a@b.c "),
        ("text/plain", "> "),
    ] {
        let octets = format!("Content-Type: {media}\n\n{}", piece.repeat(300_000 / piece.len()));
        assert!(show(octets.as_bytes()).title.is_some(), "{media} {piece}");
    }
}

#[test]
fn a_message_without_end_is_cut() {
    let mut octets = b"Content-Type: application/octet-stream\n\n".to_vec();
    octets.resize(wayfarer::format::message::LONGEST + 1000, b'x');
    for size in [octets.len(), 1 << 20] {
        let document = parse_in(&input(media::MESSAGE, "news:1@home.example"), &octets, size);
        assert_eq!(document.cut.as_deref(), Some("only the first 128 MiB of a message are read"));
        assert!(document.text().ends_with("application/octet-stream, 134 MB"));
    }
}

/// Two words of digits alone are a date and a number that software counted, not a person.
/// One date, two places: what a group's list sorts by is what the page shows.
#[test]
fn a_date_in_a_groups_list_is_one_on_the_page() {
    for (text, shown) in [
        ("Wed Jun  9 12:00:00 1993", "Wed, 9 Jun 1993 12:00"),
        ("Wednesday, 09-Jun-93 12:00:00 GMT", "Wed, 9 Jun 1993 12:00 (GMT)"),
        ("Wed, 9 Jun 1993 12:00:00 +0100 (MET)", "Wed, 9 Jun 1993 12:00 (+0100)"),
        ("some day in June 1993", "some day in June 1993"),
    ] {
        let page = dump(&show(format!("Subject: s\nDate: {text}\n\nt\n").as_bytes()));
        assert!(page.contains(&format!("page.date {shown}}}")), "{text}: {page}");
        assert_eq!(timestamp(text.as_bytes()).is_some(), text != shown, "{text}");
    }
}

#[test]
fn an_id_made_of_numbers_is_an_article() {
    let document = show(b"Subject: s\n\nsee <wf.3.3743@news.example> and <ada.2@home.example>\n");
    let links: Vec<_> = (1..document.link_count()).map(|n| document.reference(LinkId(n)).unwrap()).collect();
    assert_eq!(links, ["news:wf.3.3743@news.example", "mailto:ada.2@home.example"]);
}

/// RFC 2152: messages only, and only where they say so.
#[test]
fn utf_7_is_read_where_a_message_declares_it() {
    let text = "Content-Type: text/plain; charset=\"UTF-7\"\n\nHi Mom -+Jjo--!+AAo-second line, +ABs-[2Jx\n";
    let document = parse(&input(media::MESSAGE, "news:1@home.example"), text.as_bytes());
    assert!(document.text().contains("Hi Mom -\u{263A}-!"), "{}", document.text());
    assert!(!document.text().contains('\u{1b}'));
    let lines: Vec<&str> = (0..document.blocks().len() as u32).map(|block| document.block_text(block)).collect();
    assert!(lines.iter().any(|line| line.starts_with("second line")), "{lines:?}");
    let html = "Content-Type: text/html; charset=utf-7\n\n<p>caf+AOk- +ADw-b+AD4-\n";
    assert!(show(html.as_bytes()).text().contains("café"), "{}", show(html.as_bytes()).text());
    let mixed = format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n{html}\n--b\n{text}\n--b--\n");
    assert!(show(mixed.as_bytes()).text().contains("Mom -\u{263A}"));
    // a page of the web may declare what it will
    for of in [media::PLAIN, media::HTML] {
        let web = wayfarer::format::Input { charset: Some("utf-7".into()), ..input(of, "http://h/") };
        let document = parse(&web, b"<meta charset=utf-7>\n\ncaf+AOk-");
        assert!(document.text().contains("caf+AOk-"), "{}", document.text());
    }
    let meta = parse(&input(media::HTML, "http://h/"), b"<meta charset=utf-7><p>caf+AOk-");
    assert!(meta.text().contains("caf+AOk-"));
}

#[test]
fn a_charset_that_nobody_knows_is_guessed_and_told() {
    let document = show(b"Content-Type: text/plain; charset=x-\x1b[2Jklingon\n\nCaf\xe9\n");
    assert!(document.text().contains("Café"));
    assert!(
        document.notes.iter().any(|note| note.contains("unknown charset") && !note.contains('\u{1b}')),
        "{:?}",
        document.notes
    );
}

#[test]
fn ids_that_the_header_names_are_articles_in_the_text() {
    let head =
        "References: <root@x.example>\n <bob@x.example>\nIn-Reply-To: <bob@x.example>\nMessage-ID: <own@x.example>\n";
    let links = |document: &Document| -> Vec<String> {
        (0..document.link_count())
            .filter_map(|n| Some(document.reference(LinkId(n))?.to_owned()))
            .filter(|r| r.starts_with("mailto:"))
            .collect()
    };
    let body = "<bob@x.example> <own@x.example> <root@x.example> <ada@x.example>\n";
    let text = format!("{head}\n{body}");
    assert_eq!(links(&parse(&input(media::MESSAGE, "news:1@home.example"), text.as_bytes())), ["mailto:ada@x.example"]);
    // each message by its own header
    let digest = format!(
        "Content-Type: multipart/digest; boundary=b\n\n--b\n\n{head}\n{body}\n--b\n\nSubject: x\n\n<bob@x.example>\n--b--\n"
    );
    assert_eq!(links(&show(digest.as_bytes())), ["mailto:ada@x.example", "mailto:bob@x.example"]);
}

/// The lines of a page at a width.
fn lines(document: &Document, width: u16) -> Vec<String> {
    let layout = Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let lines = layout.lines(document, Anchor::default(), 1000);
    let text = |line: &Line<'_>| line.segments.iter().map(|segment| segment.text.as_ref()).collect::<String>();
    lines.iter().map(|line| text(line).trim_end().into()).collect()
}

#[test]
fn a_caption_in_the_second_part_stands_over_its_own_table() {
    let part = |table: &str| format!("--b\nContent-Type: text/html\n\n{table}\n");
    let captioned = part(
        "<table><caption>CAP</caption><tr><th>a wide column<th>another one<tr><td rowspan=2>both rows<td>1<tr><td>2</table>",
    );
    let narrow = part("<table><tr><th>a<th>b<tr><td>1<td>2</table>");
    let head = "From: a@h\nContent-Type: multipart/mixed; boundary=b\n\n";
    let alone = lines(&show(format!("{head}{captioned}--b--\n").as_bytes()), 60);
    let second = lines(&show(format!("{head}{narrow}{captioned}--b--\n").as_bytes()), 60);
    let caption = alone.iter().position(|line| line.trim() == "CAP").unwrap();
    assert!(alone[caption].starts_with("          "), "{:?}", alone[caption]);
    assert!(alone.iter().any(|line| line.trim_end().ends_with("both rows      1")), "{alone:?}");
    assert_eq!(second[second.len() - (alone.len() - caption)..], alone[caption..], "{second:?}");
}

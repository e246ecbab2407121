//! Overview lines, whole and broken.

use wayfarer::news::{Overview, references};

#[test]
fn a_whole_line() {
    let line = b"3000234\tI am just a test article\t\"Demo User\" <nobody@example.com>\t6 Oct 1998 04:38:40 -0500\t\
        <45223423@example.com>\t<45454@example.net> <x@y>\t1234\t17\tXref: news.example.com misc.test:3000363";
    let overview = Overview::of(line).unwrap();
    assert_eq!(overview.number, Some(3_000_234));
    assert_eq!(overview.subject, b"I am just a test article");
    assert_eq!(overview.from, b"\"Demo User\" <nobody@example.com>");
    assert_eq!(overview.date, b"6 Oct 1998 04:38:40 -0500");
    assert_eq!(overview.message_id, b"45223423@example.com");
    assert_eq!(references(overview.references).collect::<Vec<_>>(), [&b"45454@example.net"[..], b"x@y"]);
    assert_eq!((overview.bytes, overview.lines), (Some(1234), Some(17)));
    assert_eq!(overview.xref, b"news.example.com misc.test:3000363");
}

#[test]
fn broken_lines_give_what_they_have() {
    let number = |line: &[u8]| Overview::of(line).map(|o| (o.number, o.message_id.to_vec(), o.bytes, o.xref.to_vec()));
    let known = |number, id: &[u8]| Some((number, id.to_vec(), None, Vec::new()));
    assert_eq!(number(b""), None);
    assert_eq!(number(b"."), None);
    assert_eq!(number(b"0\tsubject"), None);
    assert_eq!(number(b"x\ts\tf\td\tno id"), None);
    assert_eq!(number(b"7"), known(Some(7), b""));
    assert_eq!(number(b" 7 \ts"), known(Some(7), b""));
    assert_eq!(number(b"99999999999999999999\ts\tf\td\t<a@b>"), known(None, b"a@b"));
    assert_eq!(number(b"-3\ts\tf\td\t<a@b>\t\t-1\t1.5\t"), known(None, b"a@b"));
    let extra = number(b"7\ts\tf\td\t<a@b>\t\t1\t2\txref: h g:7\tmore\tand more");
    assert_eq!(extra, Some((Some(7), b"a@b".to_vec(), Some(1), b"h g:7".to_vec())));
    assert_eq!(number(b"7\ts\tf\td\t<a@b>\t\t1\t2\th g:7").unwrap().3, b"h g:7");
}

#[test]
fn references_between_rubbish() {
    let of = |field: &str| {
        references(field.as_bytes()).map(|id| String::from_utf8_lossy(id).into()).collect::<Vec<String>>()
    };
    assert_eq!(of("<a@b><c@d>  <e@f>"), ["a@b", "c@d", "e@f"]);
    assert_eq!(of("a@b (was <c@d>) \"<e@f>\""), ["c@d", "e@f"]);
    assert_eq!(of("<a@b <c@d>"), ["c@d"]);
    assert_eq!(of("<a@b<c@d>"), ["c@d"]);
    assert_eq!(of("<> <a b@c> <unclosed@x"), Vec::<String>::new());
    assert_eq!(of(&"<".repeat(100_000)), Vec::<String>::new());
}

//! What stands in headers, as the page shows it: words, addresses, dates, names of files.

use super::{input, parse};
use wayfarer::format::media;
use wayfarer::format::message::{PartName, part};
use wayfarer::url::Url;

/// The text of the line of a header field.
fn shown(field: &str, value: &str) -> String {
    let octets = format!("{field}: {value}\n\n");
    let document = parse(&input(media::MESSAGE, "news:1@home.example"), octets.as_bytes());
    let mut lines = (0..document.blocks().len() as u32).map(|block| document.block_text(block));
    let label = format!("{field}: ");
    lines.find_map(|line| line.strip_prefix(&label)).unwrap_or_default().to_owned()
}

/// RFC 2047, 8, and what software writes.
#[test]
fn encoded_words() {
    for (written, read) in [
        ("(=?ISO-8859-1?Q?a?=)", "(a)"),
        ("(=?ISO-8859-1?Q?a?= b)", "(a b)"),
        ("(=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=)", "(ab)"),
        ("(=?ISO-8859-1?Q?a?=\n    =?ISO-8859-1?Q?b?=)", "(ab)"),
        ("(=?ISO-8859-1?Q?a_b?=)", "(a b)"),
        ("(=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=)", "(a b)"),
        ("=?utf-8?Q?=C3?= =?UTF-8?Q?=A9?=", "é"),
        ("=?iso-8859-1*fr?Q?Caf=E9?=", "Café"),
        ("=?iso-2022-jp?B?GyRCRnxLXDhsGyhC?=", "日本語"),
        ("=?utf-8?Q?a=0Ab=09c?=", "a b c"),
        ("=?utf-8?Q?=1B[2Jx?=", "x"),
        ("=?iso-8859-1?Q?Café?=", "Café"),
        ("=?utf-8?Q?Why?_How??=", "Why? How?"),
        ("=?x-klingon?Q?a=E9?=", "aé"),
        ("=?us-ascii?Q?plain?=", "plain"),
        ("=?utf-7?Q?caf+AOk-?= =?UTF-7?Q?_1_+-_1?=", "café 1 + 1"),
        ("=?unicode-1-1-utf-7?Q?+AOk?= =?unicode-1-1-utf-7?Q?AOk?=", "éAOk"),
        ("=?utf-7?B?K0Fucy1ib2R5Lg==?=", "\u{27B}body."),
        ("=?utf-8?Z?x?= =??Q?x?= =?=", "=?utf-8?Z?x?= =??Q?x?= =?="),
    ] {
        assert_eq!(shown("X-Words", written), read, "{written}");
    }
}

#[test]
fn addresses() {
    for (written, read) in [
        ("a@b.example", "a@b.example"),
        ("<a@b.example>", "a@b.example"),
        ("Ada <a@b.example>", "Ada <a@b.example>"),
        ("\"Burrow, Ada \\\"x\\\"\" <a@b.example>, c@d.example", "Burrow, Ada \"x\" <a@b.example>, c@d.example"),
        ("a@b.example (Ada (the first))", "Ada (the first) <a@b.example>"),
        ("=?utf-8?Q?Ren=C3=A9?= <a@b.example>", "René <a@b.example>"),
        ("a at b dot example", "a at b dot example"),
        ("undisclosed-recipients:;", "undisclosed-recipients:;"),
        ("Ada <nowhere>", "Ada <nowhere>"),
        (",,", ""),
    ] {
        assert_eq!(shown("To", written), read, "{written}");
    }
}

#[test]
fn dates() {
    for (written, read) in [
        ("Fri, 21 Nov 2025 14:02:59 +0100", "Fri, 21 Nov 2025 14:02 (+0100)"),
        ("21 Nov 93 14:02 MET", "Sun, 21 Nov 1993 14:02 (MET)"),
        ("Sunday, 21-Nov-93 14:02:11 GMT", "Sun, 21 Nov 1993 14:02 (GMT)"),
        ("1 January 2000", "Sat, 1 Jan 2000"),
        ("Thu,  1 Jan 1970 00:00:00 -0000 (UTC)", "Thu, 1 Jan 1970 00:00 (-0000)"),
        ("21 Nov 125 1:2 +0000", "Fri, 21 Nov 2025 01:02 (+0000)"),
        ("30 Feb 2025 12:00 GMT", "30 Feb 2025 12:00 GMT"),
        ("21 Nov 2025 25:00 GMT", "Fri, 21 Nov 2025"),
        ("yesterday", "yesterday"),
        ("1 Ünf 2025", "1 Ünf 2025"),
    ] {
        assert_eq!(shown("Date", written), read, "{written}");
    }
}

/// RFC 2231, 3 and 4, and what software writes.
#[test]
fn names_of_files() {
    for (written, read) in [
        ("name=plain.txt", Some("plain.txt")),
        ("name=\"a; b.txt\"", Some("a; b.txt")),
        ("name*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A", Some("This is ***fun***")),
        ("name*1*=%2Afun%2A%20; name*0*=us-ascii'en'This%20is%20; name*2=\"it.txt\"", Some("This is *fun* it.txt")),
        ("name=\"=?utf-8?Q?caf=C3=A9.txt?=\"", Some("café.txt")),
        ("name=old.txt; name*=utf-8''caf%C3%A9.txt", Some("café.txt")),
        ("name=\"C:\\new\\x.txt\"", Some("C:\\new\\x.txt")),
        ("name*=x'broken", Some("x'broken")),
        ("name (a comment) =x.txt (another)", Some("x.txt")),
        ("name=\"", None),
        ("noname", None),
    ] {
        let octets = format!("Content-Type: application/octet-stream; {written}\n\n");
        let from = Url::parse("news:1@home.example").unwrap();
        let part = part(octets.as_bytes(), &PartName::Number(vec![1]), &from).unwrap();
        assert_eq!(part.filename.as_deref(), read, "{written}");
    }
}

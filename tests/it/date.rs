//! Dates of forty years, and how they are said.

use jiff::civil::date;
use jiff::tz::{Offset, TimeZone};
use wayfarer::date::{read, said, timestamp};

#[test]
fn dates_in_all_their_forms() {
    const DATES: &[(&str, &str)] = &[
        ("Tue, 06 Oct 1998 04:38:40 -0500", "1998-10-06T09:38:40Z"),
        ("6 Oct 1998 04:38:40 -0500", "1998-10-06T09:38:40Z"),
        ("Fri, 20 Nov 2026 09:12:05 +0100 (CET)", "2026-11-20T08:12:05Z"),
        ("Fri, 20 Nov 2026 09:12 +0000", "2026-11-20T09:12:00Z"),
        ("20 Nov 2026 9:12:05 GMT", "2026-11-20T09:12:05Z"),
        ("Friday, 18-Nov-94 10:00:00 PST", "1994-11-18T18:00:00Z"),
        ("18 Nov 94 10:00:00 EST", "1994-11-18T15:00:00Z"),
        ("3 Jan 03 10:00:00 UT", "2003-01-03T10:00:00Z"),
        ("3 Jan 103 10:00:00 UT", "2003-01-03T10:00:00Z"),
        ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
        ("Sun Nov  6 08:49:37 MET 1994", "1994-11-06T07:49:37Z"),
        ("Sun Nov  6 08:49:37 EST 1994", "1994-11-06T13:49:37Z"),
        ("Mon, 5 September 2005 12:00:00 +0200 (MEST)", "2005-09-05T10:00:00Z"),
        ("Mon, 5 Sept 2005 12:00:00 CEST", "2005-09-05T10:00:00Z"),
        ("Mon, 5 Sep 2005 12:00:00 (a (nested) one) -0330", "2005-09-05T15:30:00Z"),
        ("Mon, 5 Sep 2005 12:00:00 GMT+2", "2005-09-05T10:00:00Z"),
        ("Mon, 5 Sep 2005 12:00:00 Q", "2005-09-05T12:00:00Z"),
        ("Mon, 5 Sep 2005 12:00:60 +9999", "2005-09-05T12:00:59Z"),
        ("Mon,5 Sep 2005 12:00:00 Z", "2005-09-05T12:00:00Z"),
        ("5 Sep 2005", "2005-09-05T00:00:00Z"),
        ("Wed Jun  9 12:00:00 1993", "1993-06-09T12:00:00Z"),
        ("mar, 5 sep 2005 12:00:00 +0200", "2005-09-05T10:00:00Z"),
        ("Mon, 5 Sep 2005\r\n\t12:00:00 W. Europe Standard Time (CEST) +0200", "2005-09-05T10:00:00Z"),
        ("Mon, 5 Sep 49 12:00", "2049-09-05T12:00:00Z"),
        ("Mon, 5 Sep 50 12:00", "1950-09-05T12:00:00Z"),
    ];
    for (text, wanted) in DATES {
        assert_eq!(timestamp(text.as_bytes()).map(|t| t.to_string()).as_deref(), Some(*wanted), "{text}");
    }
}

#[test]
fn what_is_no_date() {
    const NONE: &[&str] = &[
        "",
        "yesterday",
        "31 Feb 2001 10:00",
        "5 Sep",
        "Sep 2005",
        "32 Sep 2005",
        "5 5 5",
        "()(((",
        "\u{ff}\u{fe}",
        "99999 Jan 1",
        "5 Sep 0099",
        "Released on May 5, 1994",
        "the 5 of Sep 2005",
    ];
    for text in NONE {
        assert_eq!(timestamp(text.as_bytes()), None, "{text}");
    }
    assert_eq!(timestamp("5 ".repeat(100_000).as_bytes()), None);
    assert_eq!(timestamp("31 Dec 9999 23:59:59 -2400".as_bytes()), None, "past the end of time");
}

#[test]
fn dates_by_the_writers_clock() {
    for (text, wanted) in [
        ("Wed Jun  9 12:00:00 1993", "Wed, 9 Jun 1993 12:00"),
        ("Sun Nov  6 08:49:37 MET 1994", "Sun, 6 Nov 1994 08:49 (MET)"),
        ("Monday, 18-Nov-94 10:00:00 PST", "Fri, 18 Nov 1994 10:00 (PST)"),
        ("5 Sept 2005 9:12 -0330 (NDT)", "Mon, 5 Sep 2005 09:12 (-0330)"),
        ("5 Sep 2005 12:00:00 XYZ", "Mon, 5 Sep 2005 12:00 (XYZ)"),
        ("5 Sep 2005 12:00:00 Atlantis Time", "Mon, 5 Sep 2005 12:00"),
        ("5 Sep 2005", "Mon, 5 Sep 2005"),
    ] {
        assert_eq!(read(text.as_bytes()).map(|date| date.to_string()).as_deref(), Some(wanted), "{text}");
    }
}

#[test]
fn dates_in_the_readers_words() {
    let zone = TimeZone::fixed(Offset::constant(1));
    let now = date(2026, 11, 20).at(15, 0, 0, 0).to_zoned(zone).unwrap();
    const SAID: &[(&str, &str)] = &[
        ("20 Nov 2026 08:12:05 +0000", "09:12"),
        ("19 Nov 2026 22:59:59 +0000", "yesterday"),
        ("19 Nov 2026 23:00:00 +0000", "00:00"),
        ("18 Nov 2026 22:59:59 +0000", "Wed"),
        ("14 Nov 2026 12:00:00 +0000", "Sat"),
        ("13 Nov 2026 12:00:00 +0000", "13 Nov"),
        ("3 Mar 2026 12:00:00 +0000", "3 Mar"),
        ("31 Dec 2025 12:00:00 +0000", "2025-12-31"),
        ("1 Mar 2019 12:00:00 +0000", "2019-03-01"),
        ("20 Nov 2026 22:00:00 +0000", "23:00"),
        ("21 Nov 2026 12:00:00 +0000", "2026-11-21"),
        ("1 Jan 2038 12:00:00 +0000", "2038-01-01"),
    ];
    for (then, wanted) in SAID {
        assert_eq!(said(timestamp(then.as_bytes()).unwrap(), &now), *wanted, "{then}");
    }
}

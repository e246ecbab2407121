//! FTP files that go on where an earlier transfer ended, and what tells whether they may.

use super::client::{Outcome, context, fetch, get, request};
use super::ftp_server::{Do, Ftp, say, transfer};
use wayfarer::proto::{Head, Request, Resume};

fn features() -> (&'static str, Vec<Do>) {
    ("FEAT", say("211-x\r\n MDTM\r\n SIZE\r\n REST STREAM\r\n211 End\r\n"))
}

/// A server that knows of nine octets since 2025.
fn nine() -> Vec<(&'static str, Vec<Do>)> {
    vec![features(), ("SIZE", say("213 9\r\n")), ("MDTM", say("213 20250102030405\r\n"))]
}

fn resumed(server: &Ftp, path: &str, from: u64, validator: &str) -> Outcome {
    resumed_as(server, path, Resume { from, validator: validator.into(), as_listed: false })
}

fn resumed_as(server: &Ftp, path: &str, resume: Resume) -> Outcome {
    fetch(&Request { resume: Some(resume), ..request(&server.url(path)) }, &context())
}

const NINE: &str = "size=9;modify=20250102030405";

fn head(outcome: &Outcome) -> &Head {
    outcome.head.as_ref().unwrap()
}

#[test]
fn a_file_goes_on_where_it_ended() {
    let more = [("REST", say("350 go on\r\n")), ("RETR", transfer("text"))];
    let server = Ftp::start(&[nine(), more.to_vec()].concat());
    let outcome = resumed(&server, "motd", 5, NINE);
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("text", None));
    let head = head(&outcome);
    assert_eq!((head.start, head.length, head.validator.as_deref()), (5, Some(9), Some(NINE)));
    assert!(head.lines.join("|").contains("> EPSV|> REST 5|> RETR motd|150 "), "{:?}", head.lines);
    let commands = server.all_commands();
    assert_eq!(commands[commands.len() - 3..], ["EPSV", "REST 5", "RETR motd"]);
}

/// The end of a new version was put behind the beginning of an old one of the same length, where the server told the time of only one
/// of them. What was begun while its time could not be had was given up though the listing had the same as before.
#[test]
fn a_part_is_gone_on_with_where_its_time_says_so_or_a_listing_does() {
    const SIZE: &str = "size=9";
    let features = say("211-x\r\n SIZE\r\n REST STREAM\r\n211 End\r\n");
    let sized = || vec![("FEAT", features.clone()), ("SIZE", say("213 9\r\n"))];
    for (noted, tells, as_listed, start) in [
        (NINE, NINE, false, 5),
        (SIZE, SIZE, false, 5),
        (SIZE, NINE, false, 0),
        (NINE, SIZE, false, 0),
        (SIZE, NINE, true, 5),
        // Whoever goes on in the same run has the listing of then.
        (NINE, SIZE, true, 0),
        ("size=8", SIZE, true, 0),
        ("size=9;modify=20250102030406", NINE, true, 0),
    ] {
        let facts = if tells == NINE { nine() } else { sized() };
        let text = if start == 0 { "some text" } else { "text" };
        let more = vec![("REST", say("350 go on\r\n")), ("RETR", transfer(text))];
        let resume = Resume { from: 5, validator: noted.into(), as_listed };
        let outcome = resumed_as(&Ftp::start(&[facts, more].concat()), "motd", resume);
        let head = head(&outcome);
        let seen = (outcome.text(), outcome.cut(), head.start, head.validator.as_deref());
        assert_eq!(seen, (text.into(), None, start, Some(tells)), "{noted} {tells} {as_listed}");
    }
}

#[test]
fn the_end_is_where_length_and_start_say() {
    let cases = [
        ("te", "7 of 9 octets came"),
        ("text and more", "18 octets instead of 9: the server did not go on at octet 5"),
    ];
    for (data, wanted) in cases {
        let server = Ftp::start(&[nine(), vec![("REST", say("350 go on\r\n")), ("RETR", transfer(data))]].concat());
        assert_eq!(resumed(&server, "motd", 5, NINE).cut(), Some(wanted));
    }
}

#[test]
fn what_is_not_the_same_file_begins_anew() {
    let whole = || ("RETR", transfer("some text"));
    for (from, validator) in
        [(5, "size=8;modify=20250102030405"), (5, ""), (10, NINE), (5, "modify=20250102030406"), (0, NINE)]
    {
        let server = Ftp::start(&[nine(), vec![whole(), ("REST", say("350 go on\r\n"))]].concat());
        let outcome = resumed(&server, "motd", from, validator);
        assert_eq!((outcome.text().as_str(), outcome.cut(), head(&outcome).start), ("some text", None, 0), "{from}");
        assert!(!server.commands().iter().any(|line| line.starts_with("REST")), "{from} {validator}");
    }
    for refusal in ["502 no REST\r\n", "504 no\r\n", "501 no\r\n", "200 well\r\n"] {
        let server = Ftp::start(&[nine(), vec![whole(), ("REST", say(refusal))]].concat());
        let outcome = resumed(&server, "motd", 5, NINE);
        assert_eq!((outcome.text().as_str(), outcome.cut(), head(&outcome).start), ("some text", None, 0), "{refusal}");
    }
    // Octets of a text transfer cannot be counted.
    let server = Ftp::start(&[nine(), vec![whole()]].concat());
    let outcome = resumed(&server, "motd;type=a", 5, NINE);
    assert_eq!((outcome.text().as_str(), head(&outcome).start), ("some text", 0));
    assert_eq!((head(&outcome).length, head(&outcome).validator.as_deref()), (None, None));
}

#[test]
fn a_file_that_is_there_already_is_not_asked_for() {
    let server = Ftp::start(&nine());
    let outcome = resumed(&server, "motd", 9, NINE);
    assert_eq!((outcome.text().as_str(), outcome.cut(), head(&outcome).start), ("", None, 9));
    assert_eq!(server.commands().last().unwrap(), "MDTM motd");
}

#[test]
fn times_of_all_servers() {
    let cases = [
        ("213 20250102030405\r\n", Some("2025-01-02T03:04:05Z")),
        ("213 20250102030405.25\r\n", Some("2025-01-02T03:04:05.25Z")),
        ("213 20250102030405.1234567891\r\n", Some("2025-01-02T03:04:05.123456789Z")),
        ("213 19100010203040\r\n", None),
        ("213 191000102030405\r\n", Some("2000-01-02T03:04:05Z")),
        ("213 191250102030405\r\n", Some("2025-01-02T03:04:05Z")),
        ("213 20161231235960\r\n", Some("2016-12-31T23:59:59Z")),
        ("213 20250102030405 UTC\r\n", Some("2025-01-02T03:04:05Z")),
        ("213 20251302030405\r\n", None),
        ("213 2025010203040\u{E9}\r\n", None),
        ("213 20250102030405.00000000000000000000000000000000\r\n", None),
        ("213 00000101000000\r\n", None),
        ("213 00010101000000.5\r\n", None),
        ("213 19691231235959\r\n", None),
        ("213 19700101000000\r\n", Some("1970-01-01T00:00:00Z")),
        ("213 yesterday\r\n", None),
        ("213 \r\n", None),
        ("550 no\r\n", None),
    ];
    for (answer, wanted) in cases {
        let server = Ftp::start(&[features(), ("SIZE", say("213 8\r\n")), ("MDTM", say(answer))]);
        let outcome = get(&server.url("x"));
        assert_eq!(head(&outcome).modified.map(|time| time.to_string()).as_deref(), wanted, "{answer}");
        let validator = head(&outcome).validator.clone().unwrap();
        assert!(validator.starts_with("size=8") && validator.len() < 50, "{validator}");
    }
    let server = Ftp::start(&[]);
    assert_eq!(head(&get(&server.url("x"))).validator, None, "nothing is known");
}

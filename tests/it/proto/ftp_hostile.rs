//! FTP servers that lie, stall, stop half-way and never stop: each ends in a sentence within the limits.

use super::client::{Outcome, fetch, get, impatient, request};
use super::ftp_server::{Do, Ftp, say, transfer};
use wayfarer::proto::{Context, Kind};

fn words(text: &str) -> Do {
    Do::Say(text.into())
}

fn impatiently(server: &Ftp, path: &str) -> Outcome {
    fetch(&request(&server.url(path)), &impatient())
}

#[test]
fn pasv_leads_to_the_servers_own_host_whatever_it_says() {
    let lie = vec![Do::Offer("227 come (10,66,66,66,{p1},{p2})\r\n")];
    let server = Ftp::start(&[("EPSV", say("500 what?\r\n")), ("PASV", lie)]);
    assert_eq!(get(&server.url("x")).text(), "a text\r\n");
    let all = server.all_commands();
    assert_eq!(all[all.len() - 3..], ["EPSV", "PASV", "RETR x"]);
}

#[test]
fn epsv_that_fails_in_any_way_gives_way_to_pasv() {
    let answers: [&[u8]; 4] = [b"522 no\r\n", b"229 \xE9 (|||1|)\r\n", b"229 nothing\r\n", b"229 closed (|||1|)\r\n"];
    for epsv in answers {
        let server = Ftp::start(&[("EPSV", say(epsv)), ("LIST", transfer("")), ("NLST", transfer(""))]);
        let outcome = get(&server.url(""));
        assert_eq!((outcome.failure.as_ref(), outcome.cut()), (None, None), "{}", epsv.escape_ascii());
        assert!(server.all_commands().contains(&"PASV".into()));
    }
}

#[test]
fn no_data_connection_is_explained() {
    for pasv in ["500 what?\r\n", "227 nowhere\r\n", "227 closed (127,0,0,1,0,1)\r\n"] {
        let server = Ftp::start(&[("EPSV", say("500 what?\r\n")), ("PASV", say(pasv))]);
        let outcome = get(&server.url("x"));
        assert_eq!(outcome.failure().kind, Kind::Refused, "{pasv}");
        assert!(outcome.words().contains("second connection"), "{}", outcome.words());
    }
}

#[test]
fn stalls_end_at_the_limit_of_silence() {
    let begun = vec![words("150 here\r\n"), Do::Data(b"half a li".to_vec()), Do::Wait];
    let cases: [(&str, Vec<Do>, &str); 5] = [
        ("", vec![Do::Wait], "sent nothing for 0.2 s"),
        ("", vec![words("220-half a"), Do::Wait], "sent nothing for 0.2 s"),
        ("CWD", vec![words("250-half a multi-line\r\n"), Do::Wait], "did not answer CWD within 0.2 s"),
        ("RETR", vec![words("150"), Do::Wait], "did not answer RETR within"),
        ("RETR", begun, "nothing came for 0.2 s"),
    ];
    for (command, steps, wanted) in cases {
        let server = Ftp::start(&[(command, steps)]);
        let mut context: Context = impatient();
        context.limits.connect = std::time::Duration::from_millis(200);
        let outcome = fetch(&request(&server.url("pub/x")), &context);
        let said = match &outcome.failure {
            Some(failure) => {
                assert_eq!(failure.kind, Kind::TimedOut, "{wanted}");
                outcome.words()
            }
            None => {
                assert_eq!(outcome.text(), "half a li", "what came is kept");
                outcome.cut().unwrap().into()
            }
        };
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
}

#[test]
fn a_server_that_closes_is_explained() {
    let cases: [(&str, Vec<Do>, &str); 4] = [
        ("", vec![Do::Close], "broke the connection before it sent anything"),
        ("FEAT", vec![words("211-half\r\n"), Do::Close], "closed the connection instead of answering FEAT"),
        ("EPSV", vec![Do::Close], "closed the connection"),
        ("CWD", say("421 Idle for too long.\r\n"), "ends the session: 421 Idle for too long."),
    ];
    for (command, steps, wanted) in cases {
        let server = Ftp::start(&[(command, steps)]);
        let outcome = get(&server.url("pub/x"));
        assert!(outcome.words().contains(wanted), "{wanted}: {}", outcome.words());
    }
}

#[test]
fn only_226_says_that_it_was_all() {
    let body = || Do::Data(b"some".to_vec());
    let cases: [(Vec<Do>, Option<&str>); 6] = [
        // 226 before the data is as good as after it.
        (vec![words("150 here\r\n226 that was all\r\n"), body(), Do::EndData], None),
        (vec![words("150 here\r\n"), body(), Do::EndData, words("250 fine\r\n")], None),
        (vec![words("150 here\r\n"), body(), Do::EndData, Do::Wait], Some("did not say whether this is all")),
        (vec![words("150 here\r\n"), body(), Do::EndData, Do::Close], Some("without saying that this is all")),
        // Nobody ever takes the data connection, so it is reset.
        (vec![words("150 here\r\n"), Do::Close], Some("the connection broke after 0 octets")),
        (
            vec![words("150 here\r\n"), body(), Do::EndData, words("426 Disk on fire\r\n")],
            Some("says that it is not complete: 426 Disk on fire."),
        ),
    ];
    for (steps, wanted) in cases {
        let server = Ftp::start(&[("RETR", steps)]);
        let outcome = impatiently(&server, "x");
        match wanted {
            None => assert_eq!((outcome.text().as_str(), outcome.cut()), ("some", None)),
            Some(words) => assert!(outcome.cut().is_some_and(|cut| cut.contains(words)), "{words}: {:?}", outcome.end),
        }
    }
}

#[test]
fn a_file_shorter_than_its_size_is_cut_even_after_226() {
    let features = say("211-x\r\n SIZE\r\n211 End\r\n");
    let server = Ftp::start(&[("FEAT", features), ("SIZE", say("213 100\r\n"))]);
    let outcome = get(&server.url("x"));
    assert_eq!(outcome.cut(), Some("8 of 100 octets came"));
}

#[test]
fn endless_listings_and_texts_end_at_the_limit_of_a_page() {
    let mut context = impatient();
    context.limits.page = 100_000;
    let entry: &[u8] = b"-rw-r--r--   1 ftp  ftp   14 Nov 21 03:01 name\r\n";
    let cases = [("LIST", "", entry), ("LIST", "", b"total 1\r\n"), ("LIST", "", b"no end"), ("RETR", "x.txt", entry)];
    for (command, path, line) in cases {
        let line = line.repeat(100);
        let server = Ftp::start(&[(command, vec![words("150 here\r\n"), Do::DataForever(line)])]);
        let outcome = fetch(&request(&server.url(path)), &context);
        assert!(outcome.cut().is_some_and(|cut| cut.contains("cut at 100000 octets")), "{:?}", outcome.end);
        assert!(outcome.body.len() <= 100_000);
    }
}

#[test]
fn endless_replies_end() {
    for endless in ["250-more\r\n", "250 and no end"] {
        let server = Ftp::start(&[("CWD", vec![Do::SayForever(endless.repeat(1000).into())])]);
        let outcome = get(&server.url("pub/"));
        // An answer on one line is whole, and its rest is the next one.
        assert!(matches!(outcome.failure().kind, Kind::TooLarge | Kind::Malformed), "{:?}", outcome.failure);
    }
    let server = Ftp::start(&[("", vec![Do::SayForever(b"220-more\r\n".repeat(1000))])]);
    assert!(get(&server.url("")).words().contains("does not greet as an FTP server does"));
}

#[test]
fn what_is_no_ftp_server_is_said() {
    for greeting in ["SSH-2.0-OpenSSH_9.2\r\n", "\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"] {
        let server = Ftp::start(&[("", vec![words(greeting), Do::Close])]);
        let outcome = get(&server.url(""));
        assert_eq!(outcome.failure().kind, Kind::Malformed, "{greeting}");
        assert!(outcome.words().contains("does not greet as an FTP server does"), "{}", outcome.words());
    }
    let server = Ftp::start(&[("", say("421 Come back at night.\r\n"))]);
    assert!(get(&server.url("")).words().contains("421 Come back at night."));
}

#[test]
fn the_words_of_a_server_are_kept_within_bounds() {
    let long = format!("250-{}\r\n250 ok\r\n", "x".repeat(200_000));
    let server = Ftp::start(&[("CWD", say(long))]);
    let head = get(&server.url("a/b/c/d/")).head.unwrap();
    assert!(head.lines.iter().map(String::len).sum::<usize>() <= 64 * 1024);

    let long = format!("550 {}\r\n", "x".repeat(200_000));
    let server = Ftp::start(&[("CWD", say(long))]);
    assert!(get(&server.url("a/")).failure().detail.len() < 1000);
}

#[test]
fn an_abandoned_fetch_closes_both_connections() {
    let server = Ftp::start(&[("RETR", vec![words("150 here\r\n"), Do::DataForever(vec![b'x'; 1000]), Do::Wait])]);
    let outcome = super::client::refuse(&request(&server.url("x.zip")), &impatient());
    assert!(outcome.head.is_some() && outcome.body.is_empty());
    // The script's end shows that both were closed.
    assert_eq!(server.commands().last().unwrap(), "RETR x.zip");
}

//! FTP servers that lie, stall, stop half-way and never stop: each ends in a sentence within the limits.

use super::client::{Outcome, fetch, get, impatient, request, watch};
use super::ftp_server::{Do, Ftp, say, transfer};
use wayfarer::doc::{Builder, LinkId};
use wayfarer::format::{Input, parser};
use wayfarer::proto::{Context, FetchEvent, Kind};
use wayfarer::url::scheme::ftp::Ftp as Ftp1738;
use wayfarer::url::{Resolved, Rules, Url, resolve};

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
fn no_data_is_fetched_from_the_port_of_a_service() {
    let (epsv, pasv) = ("229 come (|||25|)\r\n", "227 come (127,0,0,1,0,25)\r\n");
    let server = Ftp::start(&[("EPSV", say(epsv)), ("PASV", say(pasv))]);
    let outcome = get(&server.url("x"));
    assert_eq!(outcome.failure().kind, Kind::Refused);
    assert!(outcome.words().contains("port 25 is of a service"), "{}", outcome.words());
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
        ("RETR", vec![words("150"), Do::Wait], "did not answer RETR within 0.2 s"),
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
        ("", vec![Do::Close], "closed the connection instead of greeting"),
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

/// Twenty-three of forty files were given up one after the other in two seconds: the tree did not stop.
#[test]
fn a_session_that_is_ended_for_haste_is_one_too_many_as_at_the_login() {
    for command in ["USER", "CWD", "TYPE", "EPSV", "RETR"] {
        let server = Ftp::start(&[(command, say("421 Too fast\r\n"))]);
        let outcome = get(&server.url("pub/x"));
        assert_eq!(outcome.failure().kind, Kind::Crowded, "{command}");
        assert!(outcome.words().contains("421 Too fast."), "{command}: {}", outcome.words());
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
fn lines_do_not_wait_for_a_server_that_hesitates() {
    let line = b"-rw-r--r--   1 ftp  ftp   14 Nov 21 03:01 first\r\n-rw-".to_vec();
    let server = Ftp::start(&[("LIST", vec![words("150 here\r\n"), Do::Data(line), Do::Wait])]);
    let mut context = impatient();
    context.limits.silence = std::time::Duration::from_secs(2);
    let mut pieces = Vec::new();
    watch(&request(&server.url("pub/")), &context, |event| {
        if let FetchEvent::Body(octets) = event {
            pieces.push(octets.escape_ascii().to_string());
        }
    });
    // The half line is not part of what came first.
    assert!(pieces[0].ends_with(" first\\r\\n"), "{pieces:?}");
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

/// Where the links of a listing lead: the commands that would be sent from the directory `pub` on, or none at all.
fn leads(body: &[u8], url: &str) -> Vec<Option<String>> {
    let input = Input {
        media: "application/x-directory".into(),
        charset: None,
        url: Url::parse(url).unwrap(),
        groups: Default::default(),
        notices: Vec::new(),
    };
    let (mut parser, mut out) = (parser(&input).unwrap(), Builder::new());
    parser.feed(body, &mut out);
    parser.finish(&mut out);
    let document = out.finish();
    let links =
        (0..document.link_count()).map(|at| document.reference(LinkId(at)).unwrap().to_owned()).filter(|r| r != "../");
    let command = |reference: &str| match resolve(&input.url, reference, Rules::Rfc3986).unwrap() {
        Resolved::Url(url) => Ftp1738::of(&url).ok().map(|ftp| {
            assert_eq!(ftp.cwd, [b"pub"], "{url}: a name is one segment, whatever it holds");
            ftp.name.unwrap().escape_ascii().to_string()
        }),
        other => panic!("{reference}: {other:?}"),
    };
    links.map(|reference| command(&reference)).collect()
}

#[test]
fn names_lead_to_nothing_but_themselves() {
    let names: &[(&[u8], Option<&str>)] = &[
        (b"../../x", Some("../../x")),
        (b"/etc/passwd", Some("/etc/passwd")),
        (b"//host/x", Some("//host/x")),
        (b"http://host/", Some("http://host/")),
        (b"\x1B]0;title\x07", Some("\\x1b]0;title\\x07")),
        (b"a;type=d", Some("a;type=d")),
        (b"a%0D%0ADELE b", Some("a%0D%0ADELE b")),
        (b"NUL\0", None),
        (b"a\rDELE b", None),
    ];
    let features = say("211-x\r\n MLST type*;\r\n211 End\r\n");
    let lines = names.iter().map(|(name, _)| [b"type=file; ", *name, b"\r\n"].concat());
    let dots = b"type=dir; ..\r\ntype=file; .\r\ntype=file; \r\n";
    let listing = [lines.collect::<Vec<_>>().concat(), dots.to_vec()].concat();
    let server = Ftp::start(&[("FEAT", features), ("MLSD", transfer(listing))]);
    let outcome = get(&server.url("pub/"));
    assert_eq!(
        leads(&outcome.body, "ftp://h/pub/"),
        names.iter().map(|(_, command)| command.map(str::to_owned)).collect::<Vec<_>>()
    );

    // Some servers give paths for names: the last part of one is the name. A name with a line feed is two.
    let nlst = b"../../x\r\n/etc/passwd\r\n.\r\n..\r\n\r\nNUL\0\r\n\x1B[31m\r\none\ntwo\r\n";
    let refused = || say("502 no\r\n");
    let server = Ftp::start(&[("LIST", refused()), ("NLST", transfer(nlst))]);
    let outcome = get(&server.url("pub/"));
    let wanted = [Some("x"), Some("passwd"), None, Some("\\x1b[31m"), Some("one"), Some("two")];
    assert_eq!(leads(&outcome.body, "ftp://h/pub/"), wanted.map(|name| name.map(str::to_owned)));
}

#[test]
fn a_name_for_saving_is_no_way_out() {
    for (path, wanted) in
        [("..%2F..%2Fx", Some("x")), ("%2Fetc%2Fpasswd", Some("passwd")), ("a%2F..", None), (".%2F.", None)]
    {
        let server = Ftp::start(&[]);
        assert_eq!(get(&server.url(path)).head.unwrap().filename.as_deref(), wanted, "{path}");
    }
}

#[test]
fn words_that_a_server_echoes_stay_on_their_line() {
    let echo = b"550 x\x1B]0;title\x07\x9B31m\0: No such file\r\n";
    let server = Ftp::start(&[("RETR", say(echo)), ("CWD x", say(echo))]);
    let outcome = get(&server.url("x"));
    let detail = wayfarer::doc::sanitise(&outcome.failure().detail).into_owned();
    assert!(!detail.chars().any(|c| c.is_control()), "{detail:?}");
    assert!(detail.contains("No such file"), "{detail}");
}

#[test]
fn half_a_reply_and_silence_end_at_the_limit() {
    let cases = [("PASS", "230-Welcome\r\n230-and"), ("FEAT", "211-x\r\n"), ("PWD", "257"), ("TYPE", "2")];
    for (command, half) in cases {
        let server = Ftp::start(&[(command, vec![words(half), Do::Wait])]);
        let outcome = impatiently(&server, "x");
        assert_eq!(outcome.failure().kind, Kind::TimedOut, "{command}");
        assert!(outcome.words().contains(&format!("did not answer {command} within 0.2 s")), "{}", outcome.words());
    }
}

//! The FTP server of the tour.

use super::wire::{Raw, fetch, fetch_as, on_tour};
use std::collections::BTreeMap;
use wayfarer::format::listing::{Entry, Kind, Line, mlsd};
use wayfarer::proto::{Login, Request, Resume};
use wayfarer::url::Url;
use wayfarer::url::scheme::ftp;

/// Every entry below a directory, as the addresses made of its listing have them: files with what they hold.
async fn walk(directory: String, found: &mut BTreeMap<String, Vec<u8>>) {
    let mut left = vec![directory];
    while let Some(directory) = left.pop() {
        let outcome = fetch(&directory).await;
        assert_eq!(outcome.media(), "application/x-directory", "{directory}");
        let here = outcome.head.as_ref().unwrap().url.clone();
        for line in outcome.body.split(|octet| *octet == b'\n').filter(|line| !line.is_empty()) {
            let line = line.strip_suffix(b"\r").unwrap();
            let Some(Line::Entry(Entry { kind, name, size, .. })) = mlsd::line(line) else { panic!("{line:?}") };
            let url = ftp::entry(&here, &name, kind == Kind::Directory).unwrap().to_string();
            match kind {
                Kind::Directory => left.push(url),
                Kind::File if url.ends_with("slow%20ruler.txt") => assert_eq!(size, Some(131_072)),
                Kind::File => {
                    let file = fetch(&url).await;
                    assert_eq!(file.failure, None, "{url}");
                    assert_eq!(Some(file.body.len() as u64), size, "{url}");
                    found.insert(url, file.body);
                }
                _ => assert!(found.insert(url.clone(), Vec::new()).is_none(), "{url} twice"),
            }
        }
    }
}

#[test]
fn every_name_of_the_archive_is_reached_by_the_address_made_of_it() {
    on_tour(async |doors| {
        let root = format!("ftp://127.0.0.1:{}", doors.ftp);
        let mut found = BTreeMap::new();
        walk(format!("{root}/"), &mut found).await;
        let text = |path: &str| {
            let file = found.get(&format!("{root}/{path}")).unwrap_or_else(|| panic!("{path}: {:?}", found.keys()));
            String::from_utf8(file.clone()).unwrap()
        };
        assert!(text("README").contains(&format!("<news://127.0.0.1:{}/wayfarer.tour>", doors.news)));
        assert!(text("odd%20names/caf%C3%A9.txt").contains("UTF-8"));
        assert!(text("odd%20names/caf%E9.txt").contains("Latin-1"));
        assert!(text("odd%20names/%FF.txt").contains("255"));
        assert!(text("odd%20names/%252F.txt").contains("%252F"));
        assert!(text("odd%20names/song%3Btype=a").contains("%3B"));
        assert!(text("odd%20names/%20one%20space%20first.txt").contains("%20"));
        assert!(text("odd%20names/http:").contains("scheme"));
        assert!(found[&format!("{root}/shelf/kite.png")].starts_with(b"\x89PNG\r\n\x1a\n"));
        assert!(found[&format!("{root}/shelf/kite.tar.gz")].starts_with(b"\x1f\x8b"));
        assert_eq!(found.keys().filter(|url| url.contains("/odd%20names/")).count(), 25);
        // What no listing leads to: the root, and who has a name.
        let mut above = BTreeMap::new();
        walk(format!("{root}/%2Fattic/"), &mut above).await;
        assert!(above.keys().eq([&format!("{root}/%2Fattic/teapot.txt")]), "{above:?}");
        assert!(fetch(&format!("{root}/attic/")).await.failure().detail.contains("no directory \"attic\""));
        let listing = fetch(&format!("{root}/%2F/")).await.text();
        assert_eq!(
            listing.lines().map(|line| line.rsplit(' ').next().unwrap()).collect::<Vec<_>>(),
            ["attic", "home", "tour"]
        );
    });
}

#[test]
fn every_line_of_the_index_is_an_entry() {
    let index = include_str!("../../../assets/tour/ftp/index.txt");
    let rows = index.lines().filter(|line| line.starts_with("/")).count();
    on_tour(async |doors| {
        let (mut raw, _) = Raw::to(doors.ftp).await;
        raw.ask("USER anonymous").await;
        raw.last("PASS x").await;
        let mut left = vec![b"/".to_vec()];
        let mut entries = 1;
        while let Some(directory) = left.pop() {
            let listing = list(&mut raw, &[b"MLSD ", &*directory].concat()).await;
            for line in listing.split(|octet| *octet == b'\n').filter(|line| !line.is_empty()) {
                entries += 1;
                if line.starts_with(b"type=dir") {
                    let Some(Line::Entry(entry)) = mlsd::line(line.strip_suffix(b"\r").unwrap()) else {
                        panic!("{line:?}")
                    };
                    left.push([&*directory, b"/", &*entry.name].concat());
                }
            }
        }
        assert_eq!(entries, rows);
    });
}

/// What a command brings over a data connection.
async fn list(raw: &mut Raw, command: &[u8]) -> Vec<u8> {
    let said = raw.ask("EPSV").await;
    let port = said.split('|').nth(3).unwrap().parse().unwrap();
    let mut data = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    raw.send(command).await;
    let said = raw.ask("").await;
    assert!(said.starts_with("150 "), "{said}");
    let mut octets = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut data, &mut octets).await.unwrap();
    let said = raw.line().await;
    assert!(said.starts_with("226 "), "{said}");
    octets
}

#[test]
fn one_archive_is_listed_in_three_forms() {
    on_tour(async |doors| {
        let (mut raw, greeting) = Raw::to(doors.ftp).await;
        assert!(greeting.starts_with("220 "), "{greeting}");
        assert_eq!(raw.ask("LIST").await, "530 Say USER and PASS first.");
        raw.ask("USER anonymous").await;
        raw.last("PASS x").await;
        let names = list(&mut raw, b"NLST shelf").await;
        assert_eq!(
            names,
            b"README\r\nastray\r\nkite.png\r\nkite.tar.gz\r\nlatest\r\nletters\r\nruler.txt\r\nslow ruler.txt\r\n"
        );
        let long = String::from_utf8(list(&mut raw, b"LIST -la shelf").await).unwrap();
        assert!(long.contains("-r--r--r-- 1 tour tour   131072 Mar 04  2026 ruler.txt\r\n"), "{long}");
        assert!(long.contains("lrwxrwxrwx 1 tour tour       11 Mar 04  2026 latest -> kite.tar.gz\r\n"), "{long}");
        let facts = String::from_utf8(list(&mut raw, b"MLSD shelf").await).unwrap();
        assert!(facts.contains("type=file;size=131072;perm=r;modify=20260304083000; ruler.txt\r\n"), "{facts}");
        assert!(facts.contains("type=OS.unix=slink:kite.tar.gz;modify=20260304085000; latest\r\n"), "{facts}");
        // A name that looks like an option is a name where it is one.
        raw.last("CWD odd names").await;
        let long = String::from_utf8(list(&mut raw, b"LIST -dash.txt").await).unwrap();
        assert!(long.ends_with(" -dash.txt\r\n") && long.lines().count() == 1, "{long}");
    });
}

#[test]
fn a_file_is_resumed_and_comes_as_text_or_octets() {
    on_tour(async |doors| {
        let root = format!("ftp://127.0.0.1:{}/shelf", doors.ftp);
        let whole = fetch(&format!("{root}/ruler.txt")).await.body;
        assert_eq!(whole.len(), 131_072);
        assert!(whole.chunks(64).enumerate().all(|(at, line)| line.starts_with(format!("{:>6} ", at * 64).as_bytes())));
        // The slow one is the same, and is not waited for: only its end is asked for.
        for (name, time) in [("ruler.txt", "20260304083000"), ("slow%20ruler.txt", "20260304084000")] {
            let resume = Resume { from: 131_000, validator: format!("size=131072;modify={time}"), as_listed: false };
            let request =
                Request { resume: Some(resume), ..Request::new(Url::parse(format!("{root}/{name}")).unwrap()) };
            let outcome = fetch_as(&request).await;
            assert_eq!(outcome.head.as_ref().unwrap().start, 131_000, "{name}");
            assert_eq!(outcome.body, whole[131_000..], "{name}");
        }
        let verse = |code: &str| fetch_owned(format!("{root}/../first%20steps/verse.txt;type={code}"));
        let (octets, text) = (verse("i").await, verse("a").await);
        assert_eq!(text, octets.replace('\n', "\r\n"));
        let (mut raw, _) = Raw::to(doors.ftp).await;
        raw.ask("USER anonymous").await;
        raw.last("PASS x").await;
        let size = |said: String| said.strip_prefix("213 ").unwrap().parse::<usize>().unwrap();
        assert_eq!(size(raw.ask("SIZE first steps/verse.txt").await), text.len(), "as text");
        raw.ask("TYPE I").await;
        assert_eq!(size(raw.ask("SIZE first steps/verse.txt").await), octets.len());
        assert_eq!(raw.ask("MDTM shelf/latest").await, "213 20260304082000", "of what the link leads to");
        raw.ask("REST 9999999").await;
        assert_eq!(raw.ask("RETR shelf/ruler.txt").await, "554 It has 131072 octets only.");
    });
}

async fn fetch_owned(url: String) -> String {
    fetch(&url).await.text()
}

#[test]
fn a_visitor_with_a_name_has_another_home() {
    on_tour(async |doors| {
        let url = format!("ftp://ada@127.0.0.1:{}/", doors.ftp);
        assert_eq!(fetch(&url).await.failure().kind, wayfarer::proto::Kind::NeedsLogin);
        let with = |password: &str| {
            let login = Login { user: b"ada".to_vec(), password: password.into(), account: None };
            Request { login: Some(login), ..Request::new(Url::parse(&url).unwrap()) }
        };
        assert!(fetch_as(&with("x")).await.failure().detail.contains("\"analytical\""));
        let outcome = fetch_as(&with("analytical")).await;
        assert!(outcome.text().ends_with(" note G.txt\r\n"), "{}", outcome.text());
        let notices = outcome.head.unwrap().notices;
        assert!(notices[0].starts_with("Good day, Ada."), "{notices:?}");
    });
}

#[test]
fn doors_have_words_and_links_lead_on() {
    on_tour(async |doors| {
        let root = format!("ftp://127.0.0.1:{}", doors.ftp);
        let notices = async |path: &str| fetch(&format!("{root}/{path}")).await.head.unwrap().notices;
        assert!(notices("").await[0].starts_with("Stop 7 of 23"));
        assert!(notices("odd%20names/").await.iter().any(|line| line.starts_with("Stop 8 of 23")));
        assert!(notices("shelf/").await.iter().any(|line| line.starts_with("Stop 9 of 23")));
        assert_eq!(
            fetch(&format!("{root}/shelf/latest")).await.body,
            fetch(&format!("{root}/shelf/kite.tar.gz")).await.body
        );
        assert!(fetch(&format!("{root}/shelf/astray")).await.failure().detail.contains("no such name"));
    });
}

#[test]
fn nothing_is_written_and_nobody_is_called() {
    on_tour(async |doors| {
        let (mut raw, _) = Raw::to(doors.ftp).await;
        raw.ask("USER ftp").await;
        raw.last("PASS x").await;
        for line in ["STOR x", "APPE README", "DELE README", "MKD x", "RNFR README", "RMD shelf"] {
            assert!(raw.ask(line).await.starts_with("550 Nothing can be written here"), "{line}");
        }
        assert!(raw.ask("PORT 127,0,0,1,0,25").await.starts_with("502 "));
        assert!(raw.ask("EPRT |1|127.0.0.1|25|").await.starts_with("502 "));
        assert!(raw.ask("RETR README").await.starts_with("425 "), "without a data connection");
        assert!(raw.ask("RETR ../../../../../etc/passwd").await.starts_with("550 "));
        assert_eq!(raw.ask("PWD").await, "257 \"/tour\" is where you are.");
    });
}

#[test]
fn hostile_lines_are_answered_and_the_session_goes_on() {
    on_tour(async |doors| {
        let (mut raw, _) = Raw::to(doors.ftp).await;
        raw.send(&[b'x'; 100_000]).await;
        assert!(raw.ask("").await.starts_with("500 That line is too long"));
        assert!(raw.ask("\0\u{1}\u{2}").await.starts_with("530 "));
        // Pipelined, in one packet, with telnet's own words before one of them.
        raw.send(b"USER ftp\r\nNOOP\r\n\xFF\xF4\xFF\xF2NOOP\r\nSYST\n").await;
        for code in ["331 ", "200 ", "200 ", "215 "] {
            assert!(raw.line().await.starts_with(code));
        }
        raw.last("PASS x").await;
        raw.send(b"CWD \xFF\xFF\"\xE9\r\n").await;
        assert_eq!(raw.line().await, "550 \"\u{FF}\u{FF}\"\"\u{E9}\": there is no such name here.");
        let deep = format!("CWD {}", "shelf/../".repeat(400));
        assert!(raw.last(&deep).await.starts_with("250 "));
        assert!(raw.ask("REST 99999999999999999999999").await.starts_with("501 "));
        assert!(raw.ask("QUIT").await.starts_with("221 "));
        assert_eq!(raw.rest().await, b"");
    });
}

#[test]
fn who_comes_when_all_places_are_taken_waits_at_the_door() {
    on_tour(async |doors| {
        let mut inside = Vec::new();
        for _ in 0..32 {
            inside.push(Raw::to(doors.ftp).await.0);
        }
        let waiting = tokio::net::TcpStream::connect(("127.0.0.1", doors.ftp)).await.unwrap();
        for raw in &mut inside {
            assert!(raw.ask("NOOP").await.starts_with("200 "));
        }
        assert!(waiting.try_read(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock));
        inside.pop();
        waiting.readable().await.unwrap();
        assert_eq!(waiting.try_read(&mut [0]).unwrap(), 1, "greeted");
    });
}

//! Files that are kept: what is broken costs no more than itself, what is read can be written, and what was written is read.

use super::dice;
use super::octets::{Witness, broken, files};
use std::sync::Arc;
use wayfarer::app::command_names;
use wayfarer::bookmarks::{Bookmark, Bookmarks, Change, Kind};
use wayfarer::config::{self, CookieRule, Settings};
use wayfarer::disk::{Kept, Writer};
use wayfarer::keys::Keymap;
use wayfarer::news::{Journal, Newsrc, Subscription};
use wayfarer::proto::Certificate;
use wayfarer::proto::http::Cookies;
use wayfarer::proto::pins::Pins;
use wayfarer::shell::record::{Replay, Tape, screen};
use wayfarer::stop::Stop;
use wayfarer::theme::{Source, Theme};
use wayfarer::visits::{Forget, Visit, Visits};

const CASES: u32 = 600;

fn seeds(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

#[test]
fn settings_keys_and_themes_hold_whatever_comes() {
    let settings =
        seeds(&[include_str!("../../assets/settings.toml"), "home = 'about:home'\n[http]\ncookies = 'never'\n"]);
    let uncommented: Vec<u8> = settings[0]
        .split(|octet| *octet == b'\n')
        .map(|line| line.strip_prefix(b"#").unwrap_or(line))
        .collect::<Vec<_>>()
        .join(&b'\n');
    let settings = [settings, vec![uncommented]].concat();
    let built_in = |folder: &str, names: &[&str]| -> Vec<Vec<u8>> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        names.iter().map(|name| std::fs::read(folder.join(format!("{name}.toml"))).expect("a built-in table")).collect()
    };
    let keys = built_in("assets/keys", wayfarer::keys::PRESETS);
    let themes = built_in("themes", Theme::BUILT_IN);
    let words: &[&[u8]] = &[
        b"[x]\n",
        b"[[x]]\n",
        b" = ",
        b"'",
        b"\"\"\"",
        b"{ a = 1 }",
        b"[1, 2]",
        b"true",
        b"# ",
        b"0x9",
        b"1979-05-27",
        b"\\u0000",
        b"inf",
        b"palette",
        b"inherits",
        b"#ffffff",
    ];
    let (mut dice, cases) = dice(CASES / 4);
    let commands = command_names();
    for case in 0..cases {
        let octets = broken(&mut dice, [&settings, &keys, &themes][(case % 3) as usize], words);
        let _witness = Witness(case, "a file of TOML", &octets);
        let text = String::from_utf8_lossy(&octets);
        let lines = text.split('\n').count();
        let (_, mut errors) = config::read("settings.toml", &text);
        Keymap::read("keys.toml", &text, "default", &commands, &mut errors);
        let mut find =
            |name: &str| (name == "own").then(|| Source { file: "own.toml".into(), text: text.clone().into_owned() });
        assert!(Theme::named("own", &mut find, &mut errors).is_some());
        assert!(errors.iter().all(|error| error.line <= lines), "{errors:?}");
        config::set_option(&mut Settings::default(), text.lines().next().unwrap_or_default(), &mut errors);
        wayfarer::keys::Key::sequence(&text).ok();
    }
}

#[test]
fn bookmarks_hold_whatever_comes() {
    let own = "version = 1\n# a remark\n[[bookmark]]\nurl = 'http://h/1'\ntitle = 'One'\nfolder = 'a/b'\ntags = ['x', 'y']\nnote = 'n'\n\n[[bookmark]]\nurl = \"gopher://h\"\n";
    let browser = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>x</TITLE>\n<DL><p>\n<DT><H3>F</H3>\n<DL><p>\n<DT><A HREF=\"http://h/\" TAGS=\"a,b\">T &amp; x</A>\n<DD>note\n</DL><p>\n</DL><p>\n";
    let seeds = seeds(&[
        own,
        browser,
        "1Menu\t/x\th\t70\r\niwords\r\n",
        "http://h/ words\nftp://h/\n",
        "<ol><LI><a href=\"http://h/\">x</a>\n</ol>",
    ]);
    let words: &[&[u8]] = &[
        b"[[bookmark]]\n",
        b"url = 'http://h/2'\n",
        b"tags = [",
        b"'''",
        b"<DL>",
        b"</DL>",
        b"<DT><A HREF='x'>",
        b"<DD>",
        b"&quot;",
    ];
    let (mut dice, cases) = dice(CASES);
    for case in 0..cases {
        let octets = broken(&mut dice, &seeds, words);
        let _witness = Witness(case, "bookmarks", &octets);
        let text = String::from_utf8_lossy(&octets);
        if let Ok(mut bookmarks) = Bookmarks::read(&text) {
            bookmarks.flaws();
            let kept = Bookmarks::read(&bookmarks.write()).expect("what was written");
            assert!(kept.says_the_same(&bookmarks), "{:?}", bookmarks.write());
            let all: Vec<Bookmark> = bookmarks.iter().cloned().collect();
            let new =
                Bookmark { url: "http://new/".into(), title: "a \"quoted\" 'title'\\".into(), ..Bookmark::default() };
            let before = all.first().cloned();
            bookmarks.apply(&Change::Insert { bookmarks: vec![new.clone()], before });
            if let Some(last) = all.last() {
                bookmarks
                    .apply(&Change::Replace { old: last.clone(), new: Bookmark { note: "n".into(), ..last.clone() } });
            }
            let kept = Bookmarks::read(&bookmarks.write()).expect("what was changed");
            // one that was broken by a stray line end may be whole now
            let still = |bookmark| kept.iter().any(|other| other == bookmark);
            assert!(bookmarks.iter().all(still), "{:?}", bookmarks.write());
            assert!(kept.iter().any(|bookmark| bookmark.url == new.url), "{:?}", bookmarks.write());
        }
        let found = Kind::of_text(&text).read(&text).bookmarks;
        for kind in [Kind::Browser, Kind::Lynx, Kind::Gophermap, Kind::List, Kind::Opml, Kind::Urls] {
            let written = kind.write(found.iter());
            let again = kind.read(&written).bookmarks;
            assert!(again.len() <= found.len(), "{kind:?}: {written:?}");
        }
    }
}

#[test]
fn newsrc_and_history_hold_whatever_comes() {
    let newsrc = seeds(&["options x\na.b: 1-10,12,99\nc.d! 1-5\ne.f:\n# words\n", "a.b: 5,3,1-2,2-9\na.b: 7\n"]);
    let journal = seeds(&["before - a.b 1-3\n1 - a.b 4-10,12\n2 77 c.d 5\nsum ab\n", "3 - e.f 1\n3 12 a.b 99\n"]);
    let visits =
        seeds(&["# wayfarer history 1\n100\thttp://h/\tTitle\n200\tgopher://h/\tOther\t7\n", "300\tftp://h/x\t\n"]);
    let (mut dice, cases) = dice(CASES);
    for case in 0..cases {
        let octets =
            broken(&mut dice, &newsrc, &[b"a.b: ", b"! ", b"1-", b",", b"18446744073709551615", b"9-1", b"\n"]);
        {
            let _witness = Witness(case, "newsrc", &octets);
            let (mut news, _) = Newsrc::parse(&octets);
            assert_eq!(
                news.write().escape_ascii().to_string(),
                octets.escape_ascii().to_string(),
                "nothing was changed"
            );
            let base = news.clone();
            news.change(b"a.b", |read| read.insert_range(20, 30));
            news.subscribe(b"new", Subscription::Subscribed);
            let merged = Newsrc::merge(&news, &base, &base);
            let (again, _) = Newsrc::parse(&merged.write());
            assert!(again.read(b"a.b").is_some_and(|read| read.contains(25)), "{}", merged.write().escape_ascii());
            assert_eq!(again.subscription(b"new"), Some(Subscription::Subscribed));
            for (group, _) in base.groups().filter(|(group, _)| *group != b"a.b") {
                assert_eq!(again.read(group), base.read(group), "{}", group.escape_ascii());
            }
        }
        let marks = broken(&mut dice, &journal, &[b"before - a.b ", b"7 12 a.b ", b"sum ", b"1-", b" ", b"\n"]);
        {
            let _witness = Witness(case, "a journal", &marks);
            let mut journal = Journal::parse(&marks);
            assert_eq!(Journal::parse(&journal.write()), journal);
            let (theirs, _) = Newsrc::parse(&octets);
            if let Some(regained) = journal.regain(&theirs, |_| case % 2 == 0, |_| "ab".into()) {
                for (group, _) in theirs.groups() {
                    let read = |newsrc: &Newsrc| newsrc.read(group).cloned().unwrap_or_default();
                    assert!(read(&theirs).difference(&read(&regained)).is_empty(), "{}", group.escape_ascii());
                }
                journal.wrote(&theirs, &regained, Some("12"), "cd".into());
                assert_eq!(Journal::parse(&journal.write()), journal);
            }
        }
        let octets = broken(
            &mut dice,
            &visits,
            &[b"\t", b"100\thttp://h/", b"-5\t", b"\t9\n", b"# wayfarer history 3\n", b"\t1\thttp://h/\n"],
        );
        let _witness = Witness(case, "a history", &octets);
        let Ok((mut visits, _)) = Visits::read(octets.clone()) else { continue };
        visits.add(Visit { url: "http://new/", title: "x", time: 5, count: 1 });
        let (again, flaws) = Visits::read(visits.write().into_bytes()).expect("what was written");
        assert_eq!((again.len(), flaws), (visits.len(), Vec::new()), "{}", visits.write());
        visits.pages().listing("h", Some(150), 10, &Stop::new());
        visits.forget(&Forget::All);
        assert!(visits.is_empty());
    }
}

#[test]
fn pins_and_cookies_hold_whatever_comes() {
    let pin = "a".repeat(64);
    let pins = seeds(&[&format!("# wayfarer pins 1\nh:443 {pin} 2026-01-02\nother:70 {pin}\n")]);
    let cookies = seeds(&[
        "# wayfarer cookies 1\nhttp://h/\ta=b; Max-Age=999999\nother\tkeep\n",
        "a=b; Domain=h; Path=/; Secure; HttpOnly; Max-Age=99\n",
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    let (pins_at, cookies_at) = (folder.path().join("pins"), folder.path().join("cookies"));
    let url = url::Url::parse("http://h/x/y").expect("a URL");
    let (mut dice, cases) = dice(CASES / 2);
    for case in 0..cases {
        let octets = broken(&mut dice, &pins, &[b"h:443 ", b"\n", b"H:443", b"# wayfarer pins 2\n"]);
        {
            let _witness = Witness(case, "pins", &octets);
            std::fs::write(&pins_at, &octets).expect("a file");
            let mut pins = Pins::new(Some(Kept {
                file: pins_at.clone(),
                writer: Arc::new(Writer::new(|_| {}).expect("a thread")),
            }));
            if pins.known("h:443").is_ok() {
                pins.remember("h:443", &Certificate::unseen("b".repeat(64)));
                // What is in memory goes into the file with the end of its writer.
                let complaints = pins.complaints();
                drop(pins);
                pins = Pins::reading(Some(pins_at.clone()));
                let known = pins.known("h:443").expect("what was written").expect("a pin");
                assert_eq!(known.certificate.fingerprint, "b".repeat(64), "{complaints:?}");
            }
            pins.complaints();
        }
        let octets = broken(
            &mut dice,
            &cookies,
            &[b"\t", b"; Domain=com", b"; Path=", b"; Expires=Fri, 31 Feb 2999", b"; Max-Age=-1", b"__Host-"],
        );
        let _witness = Witness(case, "cookies", &octets);
        std::fs::write(&cookies_at, &octets).expect("a file");
        let writer = Arc::new(Writer::new(|_| {}).expect("a thread"));
        let rules = config::Http {
            cookies: [CookieRule::Keep, CookieRule::Ask, CookieRule::Session][dice.roll(3)],
            ..config::Http::default()
        };
        let jar = Cookies::new(rules.clone(), Some(Kept { file: cookies_at.clone(), writer: Arc::clone(&writer) }));
        let fields = octets
            .split(|octet| *octet == b'\n')
            .filter_map(|line| reqwest::header::HeaderValue::from_bytes(line).ok());
        let fields: Vec<_> = fields.collect();
        reqwest::cookie::CookieStore::set_cookies(&jar, &mut fields.iter(), &url);
        if let Some(sent) = reqwest::cookie::CookieStore::cookies(&jar, &url) {
            assert!(sent.as_bytes().iter().all(|octet| *octet >= b' ' || *octet == b'\t'), "{sent:?}");
        }
        jar.wanting();
        jar.choose("h", CookieRule::Keep);
        let known = jar.sites();
        writer.finish();
        let hosts =
            |sites: Vec<wayfarer::proto::http::Site>| sites.into_iter().map(|site| site.host).collect::<Vec<_>>();
        if jar.complaints().is_empty() {
            let again = Cookies::new(
                config::Http { cookies: CookieRule::Keep, ..rules },
                Some(Kept { file: cookies_at.clone(), writer }),
            );
            let (kept, known) = (hosts(again.sites()), hosts(known));
            assert!(kept.iter().all(|host| known.contains(host)), "{kept:?} of {known:?}");
        }
    }
}

#[test]
fn recordings_hold_whatever_comes() {
    let seeds = files("journeys", "", "");
    assert!(!seeds.is_empty());
    let lines: Vec<Vec<u8>> =
        seeds.iter().flat_map(|tape| tape.split_inclusive(|octet| *octet == b'\n')).map(<[u8]>::to_vec).collect();
    let keymap = || Keymap::preset("default", &command_names(), &mut Vec::new()).unwrap_or_default();
    let theme = Theme::built_in("dark").expect("a theme");
    let (mut dice, cases) = dice(CASES / 6);
    let mut replayed = 0;
    for case in 0..cases {
        // Whole lines change places, are left out and come twice; now and then one is broken.
        let tape = &seeds[dice.roll(seeds.len())];
        let mut rows: Vec<Vec<u8>> = tape.split_inclusive(|octet| *octet == b'\n').map(<[u8]>::to_vec).collect();
        for _ in 0..dice.roll(6) {
            let (a, b) = (1 + dice.roll(rows.len()), 1 + dice.roll(rows.len()));
            let (a, b) = (a.min(rows.len() - 1), b.min(rows.len() - 1));
            match dice.roll(4) {
                0 => rows.swap(a, b),
                1 if rows.len() > 2 => drop(rows.remove(a)),
                2 => rows.insert(a, lines[dice.roll(lines.len())].clone()),
                _ => {
                    let digits: Vec<usize> = (0..rows[a].len()).filter(|at| rows[a][*at].is_ascii_digit()).collect();
                    if let Some(at) = digits.get(dice.roll(digits.len())) {
                        rows[a][*at] = b'0' + dice.roll(10) as u8;
                    }
                }
            }
        }
        let octets = if dice.roll(3) == 0 {
            broken(&mut dice, &[rows.concat()], &[b"null", b"[]", b"{}", b"\"x\"", b"-1", b"1e9"])
        } else {
            rows.concat()
        };
        let _witness = Witness(case, "a recording", &octets);
        let Ok(tape) = Tape::read(octets.as_slice()) else { continue };
        let mut replay = Replay::new(tape, Settings::default(), keymap());
        let _ = replay.check();
        screen(replay.app(), &theme).expect("a screen");
        replay.go(dice.roll(9));
        replayed += 1;
    }
    assert!(replayed > cases / 5, "{replayed} of {cases} can be read");
}

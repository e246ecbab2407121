//! Killed at any moment while news is written to the disk: no article is lost that a file had, no torn record is shown, nothing is
//! taken for damaged.

use crate::door::Door;
use crate::home::{Draw, asked, files, start};
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;
use wayfarer::disk::Writer;
use wayfarer::proto::nntp::{Kept, Most};
use wayfarer::proto::{self, Context, Exchange, FetchEvent, Head, Request, Verdict};
use wayfarer::url::Url;

/// Turns that a moment may be away.
const MOMENTS: usize = 60_000;
const CACHE: &str = ".cache/wayfarer/news";

fn line(number: u64) -> String {
    format!("{number}\tsubject {number}\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<{number}@h>\t\t100\t3\t")
}

fn article(id: &str) -> String {
    format!("Message-ID: <{id}>\r\nSubject: s\r\n\r\n{}", format!("text of {id}\r\n").repeat(2000))
}

/// A news server whose group grows.
pub fn server(most: &Arc<AtomicU64>) -> (u16, Door) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (door, visitors) = Door::open(listener);
    let most = Arc::clone(most);
    std::thread::spawn(move || {
        for visitor in visitors {
            let most = Arc::clone(&most);
            std::thread::spawn(move || serve(visitor, &most));
        }
    });
    (port, door)
}

fn serve(mut visitor: TcpStream, most: &AtomicU64) {
    let mut lines = BufReader::new(visitor.try_clone().unwrap());
    let _ = visitor.write_all(b"200 ready\r\n");
    let mut command = String::new();
    while lines.read_line(&mut command).is_ok_and(|count| count > 0) {
        let most = most.load(SeqCst);
        let (verb, argument) = command.trim_end().split_once(' ').unwrap_or((command.trim_end(), ""));
        let reply = match verb {
            "MODE" => "200 go on\r\n".into(),
            "GROUP" => format!("211 {most} 1 {most} {argument}\r\n"),
            "STAT" => format!("223 {argument} <{argument}@h>\r\n"),
            "OVER" => {
                let (first, last) = argument.split_once('-').unwrap();
                let (first, last) = (first.parse::<u64>().unwrap(), last.parse().unwrap_or(most));
                let lines: String = (first..=last.min(most)).map(|number| line(number) + "\r\n").collect();
                format!("224 here\r\n{lines}.\r\n")
            }
            "ARTICLE" => format!("220 0 {argument}\r\n{}.\r\n", article(argument.trim_matches(['<', '>']))),
            _ => "500 what?\r\n".into(),
        };
        if visitor.write_all(reply.as_bytes()).is_err() {
            return;
        }
        command.clear();
    }
}

/// What somebody sees who comes afterwards, on a copy of the folder: the head and the text.
fn seen(home: &Path, url: &str) -> (Head, String) {
    let copy = tempfile::tempdir().unwrap();
    for path in files(&home.join(CACHE)) {
        let there = copy.path().join(path.strip_prefix(home.join(CACHE)).unwrap());
        fs::create_dir_all(there.parent().unwrap()).unwrap();
        fs::copy(path, there).unwrap();
    }
    let writer = Arc::new(Writer::new(|_| {}).unwrap());
    let most = Most { overviews: 1 << 30, articles: 1 << 30 };
    let context = Context { kept: Kept::new(copy.path().into(), Arc::clone(&writer), most), ..Context::default() };
    let request = Request::new(Url::parse(url).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (head, body) = runtime.block_on(async {
        let (mut exchange, mut events, verdict) = Exchange::new(1);
        let running = async {
            let result = proto::fetch(&request, &mut exchange, &context).await;
            exchange.close(result).await;
        };
        let (mut head, mut body, mut verdict) = (None, Vec::new(), Some(verdict));
        let owner = async {
            while let Some(event) = events.recv().await {
                match event {
                    FetchEvent::Head(said) => {
                        head = Some(*said);
                        verdict.take().unwrap().send(Verdict::Accept).unwrap();
                    }
                    FetchEvent::Body(octets) => body.extend(octets),
                    FetchEvent::End(end) => assert_eq!(end.cut, None),
                    FetchEvent::Failed(error) => panic!("{error}"),
                    _ => {}
                }
            }
        };
        tokio::join!(running, owner);
        (head.unwrap(), body)
    });
    writer.finish_within(Duration::from_secs(60));
    (head, String::from_utf8(body).unwrap())
}

/// The last number that the group's file has, by its records.
fn top(home: &Path) -> u64 {
    let overview =
        files(&home.join(CACHE)).into_iter().find(|path| path.extension().is_some_and(|end| end == "overview"));
    let Some(octets) = overview.map(|path| fs::read(path).unwrap()) else { return 0 };
    let text = String::from_utf8_lossy(&octets);
    let numbers = text.lines().filter_map(|line| line.split('\t').next()?.parse::<u64>().ok());
    numbers.max().unwrap_or(0)
}

fn articles(home: &Path) -> BTreeSet<PathBuf> {
    files(&home.join(CACHE)).into_iter().filter(|path| path.extension().is_some_and(|end| end == "article")).collect()
}

#[test]
fn what_is_kept_of_news_outlives_a_kill_at_any_moment() {
    let kills = asked("WAYFARER_KILLS", 8);
    let seed = asked("WAYFARER_SEED", 14);
    let (home, most) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU64::new(40)));
    let (port, _door) = server(&most);
    let group = format!("news://127.0.0.1:{port}/g");
    let mut draw = Draw::new(seed as u64);
    let (mut known, mut had) = (0, BTreeSet::new());
    for kill in 0..kills {
        let when = format!("kill {kill} of seed {seed}");
        // A slow machine fetches more before each kill; what gives way to more than there is room for is no loss.
        let mut terminal = start(home.path(), &["--no-session", "-o", "news.keep_articles=1 GiB", &group]);
        let count = most.load(SeqCst);
        let count = if count < 1000 { count.to_string() } else { format!("{},{:03}", count / 1000, count % 1000) };
        terminal.see(&format!("{count} articles"));
        if draw.below(2) == 0 {
            let id = draw.below(40) + 1;
            terminal.keys(&format!("gnews://127.0.0.1:{port}/{id}@h\r")).see(&format!("text of {id}@h"));
            terminal.keys("h").see("articles");
        }
        // So many that a record takes some time.
        most.fetch_add((draw.below(800) as u64 + 1).min(20_000 - most.load(SeqCst)), SeqCst);
        terminal.keys(if draw.below(3) == 0 { ":fetch\r" } else { "R" });
        let moments = draw.below(MOMENTS);
        (0..moments).for_each(|_| std::thread::yield_now());
        terminal.signal(Signal::KILL).end();
        let (now, kept) = (top(home.path()), articles(home.path()));
        assert!(now >= known, "{when}: {known} were kept, {now} are");
        assert!(had.is_subset(&kept), "{when}: {had:?} {kept:?}");
        (known, had) = (now, kept);
        let (head, text) = seen(home.path(), &group);
        assert_eq!(head.notices, Vec::<String>::new(), "{when}");
        let mut rows: Vec<&str> = text.lines().skip(1).filter(|line| !line.is_empty()).collect();
        rows.sort_unstable();
        let mut wanted: Vec<String> = (1..=most.load(SeqCst)).map(line).collect();
        wanted.sort_unstable();
        assert!(rows == wanted, "{when}: {} rows of {}", rows.len(), wanted.len());
        for path in had.iter().take(5) {
            let id = path.file_stem().unwrap().to_str().unwrap();
            let (head, text) = seen(home.path(), &format!("news://127.0.0.1:{port}/{id}"));
            assert!(head.status.is_some_and(|status| status.starts_with("kept")), "{when}: {id} is not from the disk");
            assert!(text == article(id), "{when}: {id} is another");
        }
        let bad: Vec<_> =
            files(home.path()).into_iter().filter(|path| path.to_string_lossy().contains(".bad")).collect();
        assert!(bad.is_empty(), "{when}: taken for damaged: {bad:?}");
    }
    println!("{kills} kills of seed {seed}: {known} lines, {} articles kept", had.len());
}

#[test]
fn a_private_tab_keeps_no_news() {
    let (home, most) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU64::new(40)));
    let (port, _door) = server(&most);
    let mut terminal = start(home.path(), &["--no-session", "about:safety"]);
    terminal.see("What you can rely on").keys(&format!(":private news://127.0.0.1:{port}/g\r")).see("40 articles");
    terminal.keys(&format!("gnews://127.0.0.1:{port}/7@h\r")).see("text of 7@h").keys("Q");
    terminal.end();
    assert_eq!(files(&home.path().join(CACHE)), Vec::<PathBuf>::new());
    // What prints one page leaves nothing either.
    let url = format!("news://127.0.0.1:{port}/7@h");
    let printed = std::process::Command::new(env!("CARGO_BIN_EXE_wayfarer"))
        .env_clear()
        .env("HOME", home.path())
        .args(["--dump", &url])
        .output()
        .unwrap();
    assert!(
        printed.status.success() && String::from_utf8_lossy(&printed.stdout).contains("text of 7@h"),
        "{printed:?}"
    );
    assert_eq!(files(&home.path().join(CACHE)), Vec::<PathBuf>::new());
}

//! A spool of a news server, read from first to last by the space bar alone: `WAYFARER_SPOOL=20000` for as many articles.

use crate::door::Door;
use crate::terminal::Terminal;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// How many articles the spool has, unless somebody asks for more.
const USUAL: usize = 300;

/// Two groups whose threads grew at the same time, as real ones did.
struct Spool {
    groups: BTreeMap<&'static str, Vec<Article>>,
    asked: Mutex<Vec<String>>,
}

struct Article {
    number: usize,
    id: String,
    /// What it answers, and what that answered, the first one first.
    above: Vec<String>,
    lines: usize,
}

impl Spool {
    fn of(count: usize) -> Spool {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        // xorshift64: the same spool at every run.
        let mut below = move |end: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % end.max(1) as u64) as usize
        };
        let mut groups = BTreeMap::new();
        for (name, count) in [("wf.big", count - count / 10), ("wf.small", count / 10)] {
            let mut articles: Vec<Article> = Vec::new();
            let mut number = 0;
            for _ in 0..count {
                // Some numbers have no article any more.
                number += 1 + if below(9) == 0 { below(4) } else { 0 };
                let all = articles.len();
                let before = (all > 0 && below(3) > 0).then(|| &articles[all - 1 - below(all.min(80))]);
                let above = before
                    .map_or_else(Vec::new, |before| [&before.above[..], std::slice::from_ref(&before.id)].concat());
                let lines = if below(12) == 0 { 50 } else { 3 };
                articles.push(Article { number, id: format!("<{number}@{name}>"), above, lines });
            }
            groups.insert(name, articles);
        }
        Spool { groups, asked: Mutex::default() }
    }

    /// Serves it on a port, as long as the door is open.
    fn serve(self: &Arc<Spool>) -> (u16, Door) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (door, visitors) = Door::open(listener);
        let spool = Arc::clone(self);
        std::thread::spawn(move || {
            for visitor in visitors {
                let spool = Arc::clone(&spool);
                std::thread::spawn(move || spool.talk(&visitor));
            }
        });
        (port, door)
    }

    fn talk(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut out = stream;
        out.write_all(b"200 The spool\r\n")?;
        let mut group: &[Article] = &[];
        for line in BufReader::new(stream).lines() {
            let line = line?;
            let mut words = line.split(' ');
            let (verb, word) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let answer = match verb {
                "CAPABILITIES" => "101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\nLIST ACTIVE OVERVIEW.FMT\r\n.".into(),
                "MODE" => "200 posting allowed".into(),
                "GROUP" => {
                    group = self.groups.get(word).map(Vec::as_slice).unwrap_or_default();
                    let last = group.last().map_or(0, |article| article.number);
                    format!("211 {} 1 {last} {word}", group.len())
                }
                "OVER" | "XOVER" => over(group, word),
                "ARTICLE" => self.article(word),
                "QUIT" => return out.write_all(b"205 bye\r\n"),
                _ => "500 unknown".into(),
            };
            out.write_all(format!("{answer}\r\n").as_bytes())?;
        }
        Ok(())
    }

    fn article(&self, id: &str) -> String {
        let found = self.groups.iter().find_map(|(name, all)| Some((name, all.iter().find(|one| one.id == id)?)));
        let Some((name, article)) = found else { return "430 no such article".into() };
        self.asked.lock().unwrap().push(id.into());
        let body = "A line of text.\r\n".repeat(article.lines);
        format!(
            "220 0 {id}\r\nFrom: a@x\r\nNewsgroups: {name}\r\nSubject: This is {id}\r\nMessage-ID: {id}\r\n\r\n{body}."
        )
    }
}

fn over(group: &[Article], range: &str) -> String {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last): (usize, usize) = (first.parse().unwrap_or(0), last.parse().unwrap_or(usize::MAX));
    let mut out = String::from("224 these\r\n");
    for Article { number, id, above, .. } in group.iter().filter(|one| (first..=last).contains(&one.number)) {
        let clock = format!("{:02}:{:02}:{:02}", number / 3600 % 24, number / 60 % 60, number % 60);
        let subject = above.first().unwrap_or(id);
        let references = above.join(" ");
        let _ = write!(
            out,
            "{number}\tOf {subject}\ta@x\tMon, {} Nov 2026 {clock} +0000\t{id}\t{references}\t99\t3\r\n",
            2 + number / 86_400
        );
    }
    out + "."
}

#[test]
fn a_spool_is_read_from_first_to_last_by_space_alone() {
    let count = std::env::var("WAYFARER_SPOOL").ok().and_then(|text| text.parse().ok()).unwrap_or(USUAL);
    let spool = Arc::new(Spool::of(count));
    let (port, _door) = spool.serve();
    let server = format!("news.server=127.0.0.1:{port}");
    let script = format!(
        "printf 'wf.big:\\nwf.small:\\n' > .newsrc && exec {} -o {server} news:wf.big",
        crate::terminal::program()
    );
    let mut terminal = Terminal::start_program("/bin/sh", &["-c", &script], 80, 24, &[]);
    terminal.see(" unread, ");
    loop {
        let before = terminal.screen();
        terminal.keys(" ");
        // Each key leads on in an article, to the next one, or to the end; one that is pressed too early waits.
        terminal.see_that("what a key has done", |screen| screen != before);
        if terminal.screen().contains("nor in other groups") {
            break;
        }
    }
    let mut read = spool.asked.lock().unwrap().clone();
    let all = read.len();
    read.sort();
    read.dedup();
    assert_eq!((all, read.len()), (count, count), "each once");
    terminal.keys("Q").end();
    let kept = std::fs::read_to_string(terminal.home().join(".newsrc")).unwrap();
    let last = |name: &str| spool.groups[name].last().unwrap().number;
    assert_eq!(kept, format!("wf.big: 1-{}\nwf.small: 1-{}\n", last("wf.big"), last("wf.small")));
}

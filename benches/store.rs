//! A store of 100,000 pages: to fill it, to open it, to read a page back, to search, to make room; with the most memory that was held
//! at a time (of the whole process, as Linux tells it) and the octets on the disk.
//!
//! ```sh
//! cargo bench --profile dist --bench store
//! ```
//!
//! It takes some minutes, and so it runs when it is asked for by name; a number behind `--` takes so many pages. All is asked through
//! what the browser asks, one after the other; with `KEPT=FOLDER` the store stays there, and is filled once. Pages are made by a seeded generator: words as often as in a language (the second half as often
//! as the first, the third a third as often), a few hundred octets to some ten thousand, on hosts of which some have many pages. Each question is asked
//! [`TIMES`] times; the best and the worst are shown, of the time that processors were busy with it. A search is to be answered within a frame, 16 ms.
#![allow(clippy::expect_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use wayfarer::disk::Writer;
use wayfarer::format::{Input, media, parse};
use wayfarer::proto::Head;
use wayfarer::store::{Most, Seen, Sought, Store};
use wayfarer::url::Url;

const PAGES: usize = 100_000;
/// How often each question is asked.
const TIMES: usize = 9;
/// Pages that are handed over before it is waited until they are written.
const BATCH: usize = 200;
/// Different words.
const WORDS: usize = 30_000;
const HOSTS: u64 = 500;
/// When the first page came, in seconds since 1970; one came each minute.
const BEGIN: i64 = 1_600_000_000;
const FRAME: Duration = Duration::from_millis(16);
const PLENTY: Most = Most { octets: 64 << 30, days: 0 };

fn main() -> ExitCode {
    let mut given = std::env::args().skip(1);
    if !given.any(|word| word == "--bench") {
        println!("found only by `cargo bench --profile dist --bench store`");
        return ExitCode::SUCCESS;
    }
    let pages = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(PAGES);
    let home = tempfile::tempdir().expect("temporary space");
    let kept = std::env::var_os("KEPT").map(std::path::PathBuf::from);
    let file = kept.clone().unwrap_or(home.path().into()).join("pages.db");
    let words = Vocabulary::new();
    println!("{pages} pages; each question asked {TIMES} times\n");
    if !file.exists() {
        fill(&file, &words, pages);
    }
    ask(&file, &words, pages);
    if kept.is_some() {
        return ExitCode::SUCCESS;
    }
    make_room(&file, pages);
    row("most memory", &mebibytes(peak()));
    ExitCode::SUCCESS
}

/// Numbers from a seed (xorshift).
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn index(&mut self, most: usize) -> usize {
        usize::try_from(self.below(most as u64)).unwrap_or_default()
    }
}

/// Words, and how often each is used.
struct Vocabulary {
    words: Vec<String>,
    /// The sums of how often those up to each one are.
    sums: Vec<u64>,
}

impl Vocabulary {
    fn new() -> Vocabulary {
        const SYLLABLES: &[&str] = &[
            "ka", "re", "lo", "mi", "tu", "sa", "ne", "po", "vi", "da", "ge", "fo", "hu", "ru", "te", "an", "or", "is",
            "el",
        ];
        let (mut draw, mut words, mut known) = (Draw(0x2545_F491_4F6C_DD1D), Vec::new(), BTreeSet::new());
        while words.len() < WORDS {
            let word: String = (0..2 + draw.below(4)).map(|_| SYLLABLES[draw.index(SYLLABLES.len())]).collect();
            if known.insert(word.clone()) {
                words.push(word);
            }
        }
        let mut sum = 0;
        let sums = (1..=WORDS as u64).map(|rank| {
            sum += 1_000_000_000 / rank;
            sum
        });
        Vocabulary { sums: sums.collect(), words }
    }

    fn word(&self, draw: &mut Draw) -> &str {
        let at = draw.below(self.sums.last().copied().unwrap_or(1));
        &self.words[self.sums.partition_point(|sum| *sum <= at).min(WORDS - 1)]
    }

    fn line(&self, draw: &mut Draw) -> String {
        (0..3 + draw.below(10)).map(|_| self.word(draw)).collect::<Vec<_>>().join(" ")
    }
}

/// The address of a page, always the same. Of the hosts some have many pages.
fn address(number: usize) -> String {
    let mut draw = Draw((number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    draw.below(2);
    let host = draw.below(HOSTS) * draw.below(HOSTS) / HOSTS;
    match number % 4 {
        0 => format!("gopher://host{host}.example.org/0/some/way/{number}"),
        1 => format!("gemini://host{host}.example.org/way/{number}.gmi"),
        2 => format!("gopher://host{host}.example.org/1/menu/{number}"),
        _ => format!("http://host{host}.example.org/way/{number}.html"),
    }
}

fn url(text: String) -> Url {
    Url::parse(text).expect("an address")
}

/// A page of three lines to some hundred, with links to others that came before.
fn page(words: &Vocabulary, draw: &mut Draw, number: usize) -> Seen {
    let lines = 3 + (1 << draw.below(9)) / 2 + draw.below(8);
    let mut link = || address(draw.index(number + 1));
    let links = [link(), link(), address(number / 100 * 100)];
    let mut line = || words.line(draw);
    let (kind, text) = match number % 4 {
        0 => (media::PLAIN, (0..lines).map(|_| line() + "\n").collect::<String>()),
        1 => {
            let links = links.iter().map(|to| format!("=> {to} {}\n", line())).collect::<String>();
            (media::GEMTEXT, format!("# {}\n{links}", line()) + &(0..lines).map(|_| line() + "\n").collect::<String>())
        }
        2 => {
            let item = |n: u64| format!("0{}\t/0/item/{number}/{n}\titems.example.org\t70\r\n", line());
            (media::MENU, (0..lines.min(40)).map(item).collect::<String>() + ".\r\n")
        }
        _ => {
            let links = links.iter().map(|to| format!("<a href=\"{to}\">{}</a>\n", line())).collect::<String>();
            let body = (0..lines).map(|_| format!("<p>{}\n", line())).collect::<String>();
            (media::HTML, format!("<title>{}</title>{links}{body}", line()))
        }
    };
    let (url, octets) = (url(address(number)), text.into_bytes());
    let (groups, notices) = (Default::default(), Vec::new());
    let input = Input { media: kind.into(), charset: Some("utf-8".into()), url: url.clone(), groups, notices };
    Seen {
        head: Head::new(url.clone(), kind),
        url,
        document: Arc::new(parse(&input, &octets).expect("a format")),
        octets: octets.into(),
        sent: Vec::new(),
        redirected: None,
        time: jiff::Timestamp::from_second(BEGIN + number as i64 * 60).expect("a time"),
        unread: false,
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().expect("a runtime")
}

fn open(file: &Path, most: Most) -> Store {
    let writer = Arc::new(Writer::new(|said| println!("  the store says: {said}")).expect("a thread"));
    let store = Store::new(file.to_path_buf(), most, &writer, |said| println!("  the store says: {said}"));
    store.wake();
    store
}

fn close(store: Store) {
    store.finish_within(Duration::from_secs(600));
}

/// Octets of the database and what lies beside it.
fn on_disk(file: &Path) -> u64 {
    let folder = fs::read_dir(file.parent().expect("a folder")).expect("a folder");
    folder.flatten().filter_map(|entry| entry.metadata().ok()).map(|facts| facts.len()).sum()
}

/// The most memory that the process held, the library's among it; 0 where the system does not say.
fn peak() -> u64 {
    let said = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = said.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or_default() << 10
}

/// From here on it is counted anew.
fn forget_peak() {
    // Where that is not allowed it is that of all so far.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

fn row(name: &str, value: &str) {
    println!("{name:46}{value}");
}

fn seconds(time: Duration) -> String {
    format!("{:9.3} ms", time.as_secs_f64() * 1000.0)
}

fn mebibytes(octets: u64) -> String {
    format!("{:9.1} MiB", octets as f64 / f64::from(1 << 20))
}

/// Keeps them all; what makes them is not counted.
fn fill(file: &Path, words: &Vocabulary, pages: usize) {
    let (store, runtime, mut draw) = (open(file, PLENTY), runtime(), Draw(0x9E37_79B9_7F4A_7C15));
    let (mut took, mut octets, mut number) = (Duration::ZERO, 0, 0);
    forget_peak();
    while number < pages {
        let some: Vec<Seen> = (number..pages.min(number + BATCH)).map(|at| page(words, &mut draw, at)).collect();
        number += some.len();
        octets += some.iter().map(|page| page.octets.len() as u64).sum::<u64>();
        let begun = Instant::now();
        some.into_iter().for_each(|page| store.keep(page, drop));
        // Its thread does one after the other.
        let _ = runtime.block_on(store.when(&url(address(0))));
        took += begun.elapsed();
    }
    let begun = Instant::now();
    close(store);
    took += begun.elapsed();
    row("filling", &format!("{:9.0} pages a second", pages as f64 / took.as_secs_f64()));
    row("octets as they came", &mebibytes(octets));
    row("octets on the disk", &mebibytes(on_disk(file)));
    row("most memory, with what makes the pages", &mebibytes(peak()));
    println!();
}

/// The time that processors were busy with this process, where the system says it: others that run beside do not count.
fn busy() -> Option<Duration> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    let said = threads.flatten().map(|thread| fs::read_to_string(thread.path().join("schedstat")));
    let all = said.map(|said| said.ok()?.split(' ').next()?.parse::<u64>().ok());
    all.sum::<Option<u64>>().map(Duration::from_nanos)
}

/// The best and the worst of several answers, and how many rows there were.
fn time(name: &str, mut work: impl FnMut(usize) -> usize) {
    let mut all = Vec::new();
    let mut rows = 0;
    for turn in 0..TIMES {
        let (begun, before) = (Instant::now(), busy());
        rows = work(turn);
        all.push(busy().zip(before).map_or_else(|| begun.elapsed(), |(now, before)| now.saturating_sub(before)));
    }
    let (best, worst) = (all.iter().min().copied().unwrap_or_default(), all.iter().max().copied().unwrap_or_default());
    let late = if worst > FRAME { "  more than a frame" } else { "" };
    row(name, &format!("{}{}{rows:7} rows{late}", seconds(best), seconds(worst)));
}

/// What a reader asks.
fn ask(file: &Path, words: &Vocabulary, pages: usize) {
    let runtime = runtime();
    forget_peak();
    time("opened, and one page read back", |turn| {
        let store = open(file, PLENTY);
        let copy = runtime.block_on(store.copy(&url(address(turn * 7)))).expect("a copy");
        close(store);
        usize::from(copy.is_some())
    });
    let (store, mut draw) = (open(file, PLENTY), Draw(77));
    time("a page read back", |_| {
        let copy = runtime.block_on(store.copy(&url(address(draw.index(pages)))));
        usize::from(copy.expect("a copy").is_some())
    });
    let word = |at: usize| words.words[at].as_str();
    let searches = [
        ("? the most common word", word(0).to_owned()),
        ("? a common word", word(40).to_owned()),
        ("? a word of middling use", word(1_000).to_owned()),
        ("? a rare word", word(WORDS - 1).to_owned()),
        ("? the two most common words", format!("{} {}", word(0), word(1))),
        ("? a common and a rare word", format!("{} {}", word(0), word(WORDS - 1))),
        ("? five words", (0..5).map(|at| word(at * 3)).collect::<Vec<_>>().join(" ")),
        ("? two words in that order", format!("\"{} {}\"", word(1), word(60))),
        ("? the beginning of many words", word(0)[..4].to_owned()),
        ("? three letters, which no longer words answer", word(0)[..3].to_owned()),
        ("? the beginning of many words and a common word", format!("{} {}", &word(0)[..4], word(1))),
        ("? five common words in that order", format!("\"{}\"", words.words[..5].join(" "))),
        ("? a common word, on a host of many pages", format!("{} host:host0.example.org", word(0))),
        ("? a common word, on a host of few pages", format!("{} host:host400.example.org", word(0))),
        ("? a rare word, on a host of many pages", format!("{} host:host0.example.org", word(WORDS - 1))),
        ("? the beginning of many, on a host of few pages", format!("{} host:host400.example.org", &word(0)[..4])),
        ("? a common word, of one kind", format!("{} kind:gemini", word(0))),
        ("? two common words, of one kind", format!("{} {} kind:gemini", word(0), word(1))),
        ("? a common word, of the newer half", format!("{} since:2020-10-18", word(0))),
        ("? a common word, of the oldest tenth", format!("{} before:2020-09-20", word(0))),
        ("? the beginning of many, of the oldest tenth", format!("{} before:2020-09-20", &word(0)[..4])),
        ("? all of a kind", "kind:gemini".to_owned()),
        ("? nothing that is there", "xyzzyx".to_owned()),
    ];
    for (name, words) in searches {
        time(name, |_| {
            let found =
                runtime.block_on(store.find(Sought { words: words.clone(), most: 50, now: 0 })).expect("an answer");
            found.pages.len() + found.items.len()
        });
    }
    time("who links to a page of which many know", |turn| {
        let to = url(address(pages / 2 / 100 * 100 - turn * 100));
        runtime.block_on(store.linking(to, 100)).expect("an answer").len()
    });
    time("what is kept, by scheme", |_| runtime.block_on(store.sums()).expect("an answer").len());
    time("what is put by to read later", |_| runtime.block_on(store.later()).expect("an answer").len());
    close(store);
    row("most memory", &mebibytes(peak()));
    println!();
}

/// Half of the pages are too old, and then there is to be half the room.
fn make_room(file: &Path, pages: usize) {
    forget_peak();
    let words = Vocabulary::new();
    let days = u32::try_from(pages / 2 / (24 * 60)).unwrap_or(u32::MAX).max(1);
    let half = on_disk(file) / 3;
    for (name, most) in
        [("old ones gone", Most { days, ..PLENTY }), ("half the room", Most { octets: half.max(1 << 20), days: 0 })]
    {
        let (store, runtime, begun) = (open(file, most), runtime(), Instant::now());
        store.keep(page(&words, &mut Draw(5), pages), drop);
        let left = runtime.block_on(store.sums()).expect("an answer").iter().map(|sum| sum.pages).sum::<u64>();
        let took = begun.elapsed();
        close(store);
        row(name, &format!("{}{left:10} pages left, {} on the disk", seconds(took), mebibytes(on_disk(file)).trim()));
    }
}

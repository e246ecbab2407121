//! Bounded fuzz runs over all that reads what others wrote, and what is kept: the URL room here, messages, pages, pieces of them,
//! servers and files in modules. The same on every machine: seeded, stable Rust.
//!
//! `WAYFARER_CASES=1000000 cargo test --test fuzz` runs longer; `WAYFARER_SEED=random` takes another path.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod archives;
mod kept;
mod message;
mod octets;
mod pages;
mod pictures;
#[path = "../it/random.rs"]
#[expect(dead_code, reason = "properties are of the other binary")]
mod random;
mod values;
mod wire;

use std::fs;
use std::path::Path;
use wayfarer::url::complete::complete;
use wayfarer::url::find::find;
use wayfarer::url::{
    BaseStack, Reference, Resolved, Rules, Url, UrlError, dissect, equal, escape, explain, locate, relativize, resolve,
    scheme, split, warning,
};

const CASES: u32 = 20_000;
const LONGEST: usize = 400;

/// What mutations insert: the marks of the grammars, and characters that programs stumble over.
const DICTIONARY: &[&str] = &[
    ":",
    "/",
    "//",
    "?",
    "#",
    "@",
    "[",
    "]",
    "%",
    "%0",
    "%0D%0A",
    "%00",
    "%09",
    "%2F",
    "%2e%2e",
    "%FF",
    "%C3%A9",
    "..",
    "/../",
    "/./",
    ";type=a",
    ";",
    "=",
    "&",
    "+",
    "$",
    "!",
    "*",
    "<",
    ">",
    "<URL:",
    "\"",
    "'",
    "(",
    ")",
    "-\n",
    "\n",
    "\n> ",
    "\r\n",
    "\t",
    " ",
    "\u{0}",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{9b}",
    "\u{e9}",
    "e\u{301}",
    "\u{202e}",
    "\u{3002}",
    "\u{1f600}",
    "\u{feff}",
    "\u{fffd}",
    "http:",
    "http://",
    "https://",
    "ftp://",
    "gopher://",
    "gophers://",
    "news:",
    "nntp://",
    "mailto:",
    "file:///",
    "telnet://",
    "wais://",
    "prospero://",
    "mid:",
    "cid:",
    "urn:",
    "data:,",
    "about:",
    "javascript:",
    "x-y:",
    "url:",
    "www.",
    "ftp.",
    ":70",
    ":0",
    ":65536",
    ":-1",
    "[::1]",
    "[v1.x]",
    "localhost",
    "~/",
    "C:\\",
    "1",
    "7",
    "\\",
    "{",
    "|",
    "`",
];

struct Dice(u64);

impl Dice {
    /// xorshift64 (Marsaglia, 2003).
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, among: &'a [Box<T>]) -> &'a T {
        &among[self.roll(among.len())]
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        let at = self.roll(text.len() + 1);
        (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
    }
}

/// Every cell of every table, escapes resolved, and the dictionary.
fn corpus() -> Vec<Box<str>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut tables: Vec<_> =
        fs::read_dir(folder).expect("the tables").map(|entry| entry.expect("an entry").path()).collect();
    tables.sort();
    let texts = tables.iter().filter(|path| path.extension().is_some_and(|ending| ending == "tsv"));
    let texts: Vec<String> = texts.map(|path| fs::read_to_string(path).expect("a table")).collect();
    let cells = texts.iter().flat_map(|text| text.lines()).flat_map(|line| line.split('\t'));
    let mut corpus: Vec<Box<str>> = cells
        .filter(|cell| cell.len() > 1 && cell.len() <= LONGEST)
        .map(|cell| cell.replace("\\n", "\n").replace("\\t", "\t").into())
        .collect();
    corpus.sort();
    corpus.dedup();
    assert!(corpus.len() > 50, "the tables are there");
    corpus.extend(DICTIONARY.iter().map(|word| Box::from(*word)));
    corpus
}

fn mutate(dice: &mut Dice, corpus: &[Box<str>]) -> String {
    let mut text = dice.pick(corpus).to_string();
    for _ in 0..dice.roll(6) {
        let (a, b) = (dice.place(&text), dice.place(&text));
        let range = a.min(b)..a.max(b);
        match dice.roll(7) {
            0 => text.replace_range(range, ""),
            1 => text.insert_str(a, DICTIONARY[dice.roll(DICTIONARY.len())]),
            2 => text.insert_str(a, dice.pick(corpus)),
            3 => text.replace_range(range, DICTIONARY[dice.roll(DICTIONARY.len())]),
            4 => {
                let copy = text[range].to_string();
                text.insert_str(b, &copy);
            }
            5 => text = format!("<{text}>"),
            _ => text.truncate(a),
        }
    }
    let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.truncate(end);
    text
}

/// Says which text was at work when an invariant broke.
struct Witness<'a>(u64, &'a str);

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("case {}: {:?}", self.0, self.1);
        }
    }
}

/// The dice of a run of so many cases, and how many it is.
fn dice(usual: u32) -> (Dice, u64) {
    let (seed, cases) = random::seed_and_cases(usual);
    // Of nothing but zeros nothing else comes.
    (Dice(seed.max(1)), cases.into())
}

#[test]
fn the_url_room_holds_whatever_comes() {
    let corpus = corpus();
    let (mut dice, cases) = dice(CASES);
    let mut bases = vec![Url::parse("http://a/b/c/d;p?q").expect("a URL")];
    for case in 0..cases {
        let text = mutate(&mut dice, &corpus);
        let _witness = Witness(case, &text);
        let base = bases[dice.roll(bases.len())].clone();
        whole_text(&text);
        reference(&base, &text);
        match Url::parse(text.as_str()) {
            Ok(url) => {
                one_url(&url, &text);
                one_pair(&base, &url);
                let at = dice.roll(64);
                if at < bases.len() { bases[at] = url } else { bases.push(url) }
            }
            Err(error) => pointed_at(&text, &error),
        }
    }
}

fn whole_text(text: &str) {
    assert_eq!(split(text).to_string(), text, "joining what was split");
    assert_eq!(Reference::new(text).as_str(), text);
    escape::decode(text);
    escape::display(text);
    assert_eq!(escape::decode(&escape::encode(text.as_bytes(), b"")), text.as_bytes(), "unescaping what was escaped");
    let mut end = 0;
    for found in find(text) {
        assert!(found.range.start >= end && found.range.end > found.range.start, "{found:?}");
        assert!(text.get(found.range.clone()).is_some(), "{found:?} cuts a character");
        assert!(Url::parse(found.url.as_str()).is_ok(), "{found:?} is no URL");
        end = found.range.end;
    }
}

/// What an error points at is in the text.
fn pointed_at(text: &str, error: &UrlError) {
    let fault = locate(text, error);
    assert!(text.get(fault.at.clone()).is_some(), "{fault:?}");
}

fn one_url(url: &Url, text: &str) {
    assert_eq!(url.as_str(), text, "kept as written");
    assert!(equal::equivalent(url, url));
    let normal = Url::parse(equal::normal(url).into_owned()).expect("a normal form is a URL");
    assert_eq!(equal::normal(&normal), normal.as_str(), "and its own normal form");
    for piece in dissect::dissect(url) {
        piece.decoded(url);
    }
    for warning in warning::warnings(url) {
        assert!(text.get(warning.at.clone()).is_some(), "{warning:?}");
    }
    if let Err(error) = scheme::fields(url) {
        pointed_at(text, &error);
    }
    url.redacted();
    url.port();
    scheme::parts(url);
    let _ = scheme::fields(url);
    let _ = scheme::plan(url);
    let _ = scheme::request_json(url);
}

fn one_pair(base: &Url, url: &Url) {
    relativize::relativize(base, url);
    equal::equivalent(base, url);
}

fn reference(base: &Url, text: &str) {
    for rules in [Rules::Rfc3986, Rules::Rfc2396] {
        if let Ok(Resolved::Url(url)) = resolve(base, text, rules) {
            assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(&url), "what {base} made of it");
        }
        let _ = explain(base, text, rules);
    }
    let stack = BaseStack::retrieved(base.clone(), None);
    if let Ok(Resolved::Url(url)) = stack.resolve(text) {
        assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(&url), "what the stack made of it");
    }
    for base in [None, Some(base)] {
        if let Ok(completed) = complete(text, base, Some("/home/me")) {
            for url in completed.alternatives.iter().chain([&completed.url]) {
                assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(url), "completed");
            }
        }
    }
}

//! Parsing and resolving beside the crates `url` (WHATWG) and `fluent-uri` (RFC 3986), on the same 10,000 texts.
//!
//! The peers do other work as well: `url` normalises into a new text, `fluent-uri` checks every character. Like is set
//! beside like: what borrows a text with what borrows, what owns one with what owns.
#![allow(missing_docs, clippy::unwrap_used)]

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use fluent_uri::resolve::Resolver;
use std::sync::LazyLock;
use wayfarer::url::{BaseStack, Rules, Url, resolve};

const COUNT: usize = 10_000;
const BASE: &str = "http://www.example.org:8080/pub/a/b/c;p?q=1";

/// Everything that a page may link to, the same in every run; every text is good for all three.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let texts: Vec<String> = (0..COUNT as u64).map(|n| absolute(&mut Dice(n * 0x9E37_79B9 + 1))).collect();
    for text in &texts {
        Url::parse(text.as_str()).unwrap();
        url::Url::parse(text).unwrap();
        fluent_uri::Uri::parse(text.as_str()).unwrap();
    }
    texts
});

static REFERENCES: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..COUNT as u64).map(|n| relative(&mut Dice(n * 0x9E37_79B9 + 7))).collect());

/// xorshift: repeatable, and no dependency.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        for shift in [13, -7, 17] {
            self.0 ^= if shift > 0 { self.0 << shift } else { self.0 >> -shift };
        }
        (self.0 >> 11) as usize % sides
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.roll(from.len())]
    }

    fn path(&mut self, most: usize) -> String {
        let words = [
            "pub",
            "doc",
            "gopher_protocol",
            "a",
            "index.html",
            "~joe",
            "rfc1436.txt",
            "Los%20Angeles",
            "2026-11",
            "x;y=1",
        ];
        (0..1 + self.roll(most)).map(|_| format!("/{}", self.pick(&words))).collect()
    }

    fn query(&mut self, most: usize) -> String {
        let pairs = ["q=terminal+browser", "lang=en", "utf8=%E2%9C%93", "page=12", "sort=date:desc", "id=0451450523"];
        (0..1 + self.roll(most)).map(|_| self.pick(&pairs)).collect::<Vec<_>>().join("&")
    }
}

fn absolute(dice: &mut Dice) -> String {
    let host = dice.pick(&[
        "www.example.org",
        "gopher.floodgap.com",
        "h",
        "ftp.is.co.za",
        "127.0.0.1",
        "spinaltap.micro.umn.edu",
    ]);
    let path = dice.path(6);
    match dice.roll(20) {
        0..8 => format!("http://{host}{path}"),
        8 => format!("https://{host}:8443{path}?{}", dice.query(3)),
        9 => format!("http://{host}{path}?{}#top", dice.query(12)),
        10 => format!("https://joe:s%40cret@{host}{path}"),
        11 => format!("http://[2001:db8::{:x}]:8080{path}", dice.roll(0xFFFF)),
        12..15 => format!("gopher://{host}/{}{path}", dice.pick(&["0", "1", "7", "9", "h"])),
        15 => format!("gopher://{host}:7070/7{path}%09needle"),
        16 => format!("ftp://anonymous@{host}{path};type=a"),
        17 => format!("news:{}.AA{}@{host}", dice.roll(1_000_000), dice.roll(99_999)),
        18 => format!("mailto:joe@{host}"),
        _ => format!("file://{path}"),
    }
}

fn relative(dice: &mut Dice) -> String {
    let path = dice.path(4);
    match dice.roll(10) {
        0..4 => path.trim_start_matches('/').to_owned(),
        4 => path,
        5 => format!("..{path}"),
        6 => format!("../../x/.{path}?{}", dice.query(2)),
        7 => format!("?{}", dice.query(3)),
        8 => format!("//{}{path}", "www.example.net"),
        _ => absolute(dice),
    }
}

fn each<T>(bencher: Bencher, texts: &'static [String], run: impl Fn(&'static str) -> T + Sync) {
    let octets: usize = texts.iter().map(String::len).sum();
    bencher.counter(ItemsCount::new(COUNT)).counter(BytesCount::new(octets)).bench(|| {
        for text in texts {
            black_box(run(black_box(text)));
        }
    });
}

mod parse_borrowed {
    use super::*;

    #[divan::bench]
    fn wayfarer(bencher: Bencher) {
        each(bencher, &TEXTS, |text| Url::check(text).is_ok());
    }

    #[divan::bench]
    fn fluent_uri(bencher: Bencher) {
        each(bencher, &TEXTS, |text| fluent_uri::Uri::parse(text).is_ok());
    }
}

mod parse_owned {
    use super::*;

    #[divan::bench]
    fn wayfarer(bencher: Bencher) {
        each(bencher, &TEXTS, Url::parse);
    }

    #[divan::bench]
    fn fluent_uri(bencher: Bencher) {
        each(bencher, &TEXTS, |text| fluent_uri::Uri::parse(text.to_owned()));
    }

    #[divan::bench]
    fn url(bencher: Bencher) {
        each(bencher, &TEXTS, url::Url::parse);
    }
}

mod resolve_owned {
    use super::*;

    #[divan::bench]
    fn wayfarer(bencher: Bencher) {
        let base = Url::parse(BASE).unwrap();
        each(bencher, &REFERENCES, |text| resolve(&base, text, Rules::Rfc3986));
    }

    #[divan::bench]
    fn wayfarer_link(bencher: Bencher) {
        let stack = BaseStack::retrieved(Url::parse(BASE).unwrap(), None);
        each(bencher, &REFERENCES, |text| stack.resolve(text));
    }

    #[divan::bench]
    fn fluent_uri(bencher: Bencher) {
        let resolver = Resolver::with_base(fluent_uri::Uri::parse(BASE).unwrap());
        each(bencher, &REFERENCES, |text| {
            fluent_uri::UriRef::parse(text).map(|reference| resolver.resolve(&reference))
        });
    }

    #[divan::bench]
    fn url(bencher: Bencher) {
        let base = url::Url::parse(BASE).unwrap();
        each(bencher, &REFERENCES, |text| base.join(text));
    }
}

/// Whole commands as a pipe has them, 10,000 lines each.
mod command_line {
    use super::*;
    use wayfarer::shell::url_cmd::{RuleSet, Surroundings, UrlCommand, run};

    fn answer(bencher: Bencher, texts: &[String], command: impl Fn() -> UrlCommand) {
        let lines = texts.join("\n");
        let surroundings = Surroundings::default();
        bencher.counter(ItemsCount::new(texts.len())).bench_local(|| {
            run(&surroundings, command(), black_box(lines.as_bytes()), std::io::sink(), std::io::sink()).unwrap()
        });
    }

    #[divan::bench]
    fn parse_json(bencher: Bencher) {
        answer(bencher, &TEXTS, || UrlCommand::Parse { json: true, show_secrets: false, urls: Vec::new() });
    }

    #[divan::bench]
    fn normalise(bencher: Bencher) {
        answer(bencher, &TEXTS, || UrlCommand::Normalise { urls: Vec::new() });
    }

    #[divan::bench]
    fn find(bencher: Bencher) {
        answer(bencher, &TEXTS, || UrlCommand::Find { json: false, places: false, file: None });
    }

    #[divan::bench]
    fn resolve(bencher: Bencher) {
        let base = || BASE.to_owned();
        answer(bencher, &REFERENCES, || UrlCommand::Resolve {
            base: base(),
            rules: RuleSet::Rfc3986,
            references: Vec::new(),
        });
    }

    #[divan::bench]
    fn explain_json(bencher: Bencher) {
        answer(bencher, &TEXTS, || UrlCommand::Explain {
            json: true,
            base: None,
            show_secrets: false,
            items: Vec::new(),
        });
    }
}

fn main() {
    divan::main();
}

//! How fast overviews become threads and pages: growth from a thousand articles to a million.

use divan::counter::{BytesCount, ItemsCount};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;
use wayfarer::doc::Builder;
use wayfarer::format::{Arrange, Input, Learnt, Order, Wishes, media, parser};
use wayfarer::news::{Article, Overview, Threads};
use wayfarer::stop::Stop;
use wayfarer::url::Url;

fn main() {
    divan::main();
}

/// Articles of threads of about twelve, three times as wide as deep; each twentieth lacks its References.
fn overview(articles: u64) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    for n in 1..=articles {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let root = n - n % 12;
        let parent = if n % 12 == 0 { 0 } else { root + random % (n % 12) };
        let references = match parent {
            0 => String::new(),
            _ if random.is_multiple_of(20) => String::new(),
            p if p == root => format!("<{root}.abcdefgh@news.example.org>"),
            p => format!("<{root}.abcdefgh@news.example.org> <{p}.abcdefgh@news.example.org>"),
        };
        let re = if n % 12 == 0 { "" } else { "Re: " };
        let _ = write!(
            octets,
            "{n}\t{re}What became of thread {root}\tReader {} <reader@example.org>\tFri, {} Nov 2024 {:02}:12:00 +0100\t\
                <{n}.abcdefgh@news.example.org>\t{references}\t2345\t42\tXref: news.example.org a.group:{n}\r\n",
            n % 97,
            1 + n % 28,
            n % 24
        );
    }
    octets
}

const SIZES: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// From the octets of overview lines, newest first, to the threads.
#[divan::bench(args = SIZES, sample_count = 5)]
fn threads(bencher: divan::Bencher, articles: u64) {
    let octets = overview(articles);
    let lines: Vec<&[u8]> = octets.split(|b| *b == b'\n').rev().collect();
    bencher.counter(ItemsCount::new(articles)).counter(BytesCount::of_slice(&octets)).bench(|| {
        let mut threads = Threads::default();
        for overview in lines.iter().filter_map(|line| Overview::of(line)) {
            threads.add(&Article {
                number: overview.number,
                message_id: overview.message_id,
                references: overview.references,
                subject: std::str::from_utf8(overview.subject).unwrap_or_default(),
                date: overview.number.map(|number| number as i64),
            });
        }
        threads.forest(&Stop::new())
    });
}

/// The rows of a group as they come.
fn page(octets: &[u8]) -> Option<Arrange> {
    let url = Url::parse("news:a.group").ok()?;
    let mut parser = parser(&Input {
        media: media::NEWSGROUP.into(),
        charset: None,
        url,
        groups: Default::default(),
        notices: Vec::new(),
    })?;
    let mut out = Builder::new();
    parser.feed(b"a.group\t1\t1000000\t1000000\t\r\n", &mut out);
    octets.chunks(16 * 1024).for_each(|chunk| parser.feed(chunk, &mut out));
    parser.finish(&mut out);
    Some(Arrange {
        given: Arc::new(out.finish()),
        rows: parser.rows(),
        wishes: Wishes { order: Order::Thread, ..Wishes::default() },
        toggled: BTreeSet::new(),
        below: Vec::new(),
        key: String::new(),
        learnt: Learnt::Nothing,
    })
}

/// Overview lines cut into their fields.
#[divan::bench(args = [100_000], sample_count = 5)]
fn overview_lines(bencher: divan::Bencher, articles: u64) {
    let octets = overview(articles);
    bencher
        .counter(ItemsCount::new(articles))
        .counter(BytesCount::of_slice(&octets))
        .bench(|| octets.split(|b| *b == b'\n').filter_map(Overview::of).filter_map(|line| line.bytes).sum::<u64>());
}

/// From overview lines to the rows of a page, before they are put in order.
#[divan::bench(args = [1_000, 100_000, 1_000_000], sample_count = 3)]
fn group_arrives(bencher: divan::Bencher, articles: u64) {
    let octets = overview(articles);
    bencher.counter(BytesCount::of_slice(&octets)).bench(|| page(&octets));
}

/// A group's page in threads, from the beginning.
#[divan::bench(args = SIZES, sample_count = 5, sample_size = 1)]
fn group_in_threads(bencher: divan::Bencher, articles: u64) {
    let page = page(&overview(articles));
    bencher.counter(ItemsCount::new(articles)).bench_local(|| page.as_ref().and_then(|page| page.run(&Stop::new())));
}

/// The same when its threads are known already.
#[divan::bench(args = SIZES, sample_count = 5, sample_size = 1)]
fn group_in_known_threads(bencher: divan::Bencher, articles: u64) {
    let page = page(&overview(articles));
    let learnt = page.as_ref().and_then(|page| page.run(&Stop::new())).map(|plan| plan.learnt).unwrap_or_default();
    let page = page.map(|page| Arrange { learnt, ..page });
    bencher.counter(ItemsCount::new(articles)).bench_local(|| page.as_ref().and_then(|page| page.run(&Stop::new())));
}

//! How fast bytes become documents: a menu of 20,000 items, listings as long, texts of 10 MB.

use divan::counter::{BytesCount, ItemsCount};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;
use wayfarer::doc::{Anchor, Builder, Document, Layout, Marks, Wrap};
use wayfarer::format::listing::Converter;
use wayfarer::format::{Arrange, Input, Learnt, Order, Wishes, media, parser};
use wayfarer::stop::Stop;
use wayfarer::url::Url;

fn main() {
    divan::main();
}

/// As much as a socket gives at once.
const CHUNK: usize = 16 * 1024;

fn parse(media: &str, octets: &[u8]) -> Option<Document> {
    let url = Url::parse("gopher://home.example/1").ok()?;
    let mut parser =
        parser(&Input { media: media.into(), charset: None, url, groups: Default::default(), notices: Vec::new() })?;
    let mut out = Builder::new();
    octets.chunks(CHUNK).for_each(|chunk| parser.feed(chunk, &mut out));
    parser.finish(&mut out);
    Some(out.finish())
}

const LINES: usize = 20_000;

fn items(words: &str) -> Vec<u8> {
    let line = |n| format!("0{words} number {n} of many\t/folder/items/item-{n}.txt\tgopher.example.org\t70\r\n");
    (0..LINES).map(line).collect::<String>().into_bytes()
}

#[divan::bench]
fn menu(bencher: divan::Bencher) {
    let page = items("An item");
    bencher.counter(ItemsCount::new(LINES)).counter(BytesCount::of_slice(&page)).bench(|| parse(media::MENU, &page));
}

#[divan::bench]
fn menu_beyond_ascii(bencher: divan::Bencher) {
    let page = items("Ein Stück");
    bencher.counter(ItemsCount::new(LINES)).counter(BytesCount::of_slice(&page)).bench(|| parse(media::MENU, &page));
}

#[divan::bench]
fn directory(bencher: divan::Bencher) {
    let line = |n| format!("type=file;size={n};modify=20240102030405; file-{n}.txt\r\n");
    let page = (0..LINES).map(line).collect::<String>().into_bytes();
    bencher
        .counter(ItemsCount::new(LINES))
        .counter(BytesCount::of_slice(&page))
        .bench(|| parse(media::DIRECTORY, &page));
}

/// A directory of rows in no order at all.
fn shuffled(rows: usize, order: Order, filter: &str) -> Option<Arrange> {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    let octets: String = (0..rows)
        .map(|_| {
            format!(
                "type=file;size={};modify=20{:02}0102030405; file-{}.txt\r\n",
                next() % 100_000,
                next() % 30,
                next()
            )
        })
        .collect();
    let input = Input {
        media: media::DIRECTORY.into(),
        charset: None,
        url: Url::parse("ftp://h/").ok()?,
        groups: Default::default(),
        notices: Vec::new(),
    };
    let (mut parser, mut out) = (parser(&input)?, Builder::new());
    parser.feed(octets.as_bytes(), &mut out);
    parser.finish(&mut out);
    Some(Arrange {
        given: Arc::new(out.finish()),
        rows: parser.rows(),
        wishes: Wishes { order, filter: filter.into(), ..Wishes::default() },
        toggled: BTreeSet::new(),
        below: Vec::new(),
        key: String::new(),
        learnt: Learnt::Nothing,
    })
}

/// From the rows as they came to the page that is shown.
#[divan::bench(args = [
    (100_000, Order::Name, ""), (100_000, Order::Size, ""), (100_000, Order::Date, ""), (100_000, Order::Name, "777"),
    (1_000_000, Order::Name, ""), (1_000_000, Order::Size, ""), (1_000_000, Order::Name, "777"),
], sample_count = 5, sample_size = 1)]
fn arrange_rows(bencher: divan::Bencher, (rows, order, filter): (usize, Order, &str)) {
    let page = shuffled(rows, order, filter);
    bencher.bench_local(|| page.as_ref().and_then(|page| page.run(&Stop::new())));
}

/// What a unix server answers to LIST, read and written as a directory.
#[divan::bench]
fn listing(bencher: divan::Bencher) {
    let line = |n| format!("-rw-r--r--   1 ftp      ftp      {n:>12} Nov 19 08:15 file-{n}.txt\r\n");
    let octets = (0..LINES).map(line).collect::<String>().into_bytes();
    bencher.counter(ItemsCount::new(LINES)).counter(BytesCount::of_slice(&octets)).bench(|| {
        let mut converter = Converter::new(jiff::civil::date(2026, 11, 20).at(12, 0, 0, 0));
        let mut out = Vec::new();
        octets.chunks(CHUNK).for_each(|chunk| converter.feed(chunk, &mut out));
        converter.finish(&mut out);
        out
    });
}

/// Ten megabytes of a paragraph.
fn text(paragraph: &str) -> Vec<u8> {
    paragraph.repeat(10_000_000 / paragraph.len()).into_bytes()
}

const PROSE: &str = "It was the best of times, it was the worst of times, it was the age of\n\
    wisdom, it was the age of foolishness, it was the epoch of belief, it was\n\
    the epoch of incredulity: it was the season of Light, it was the season\n\
    of Darkness, it was the spring of hope, it was the winter of despair.\n\n";

#[divan::bench]
fn prose(bencher: divan::Bencher) {
    let text = text(PROSE);
    bencher.counter(BytesCount::of_slice(&text)).bench(|| parse(media::PLAIN, &text));
}

#[divan::bench]
fn prose_beyond_ascii(bencher: divan::Bencher) {
    let text = text(&PROSE.replace("times", "tïmes"));
    bencher.counter(BytesCount::of_slice(&text)).bench(|| parse(media::PLAIN, &text));
}

#[divan::bench]
fn text_with_links(bencher: divan::Bencher) {
    let text = text(&PROSE.replace("belief", "http://www.example.org/be/lief.html"));
    bencher.counter(BytesCount::of_slice(&text)).bench(|| parse(media::PLAIN, &text));
}

/// A page that is mostly words.
#[divan::bench]
fn html_of_words(bencher: divan::Bencher) {
    let page = text(&format!("<p>{PROSE}\n<h2 id=x>It was</h2><p>{PROSE}{PROSE} <a href=\"x.html\">more</a>"));
    bencher.counter(BytesCount::of_slice(&page)).bench(|| parse(media::HTML, &page));
}

/// A page that is mostly tags: code in colours.
#[divan::bench]
fn html_of_tags(bencher: divan::Bencher) {
    const CODE: &str = "<span class=\"kw\">let</span> <span class=\"ident\">number</span> = \
        <a href=\"std/option/enum.Option.html\" title=\"enum\"><span class=\"prelude-val\">Some</span></a>(<b>1</b>);\n";
    let page = text(&format!("<div class=item><pre>{}</pre></div>", CODE.repeat(20)));
    bencher.counter(BytesCount::of_slice(&page)).bench(|| parse(media::HTML, &page));
}

/// The time of an HTML page from octets to lines: all of it, parsing without the lines, and the lines alone.
#[divan::bench(args = ["all", "parse", "lines"])]
fn html_to_lines(bencher: divan::Bencher, part: &str) {
    let page =
        text(&format!("<p>{PROSE}<ul><li><a href='?a&amp;b'>one</a><li><code>two</code></ul><pre>{PROSE}</pre>"));
    let layout = Layout { width: 80, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let lines = |document: &Document| layout.lines(document, Anchor::default(), usize::MAX).len();
    let bencher = bencher.counter(BytesCount::of_slice(&page));
    let Some(document) = parse(media::HTML, &page) else { return };
    match part {
        "parse" => bencher.bench(|| parse(media::HTML, &page)),
        "lines" => bencher.bench(|| lines(&document)),
        _ => bencher.bench(|| parse(media::HTML, &page).map(|document| lines(&document))),
    }
}

/// Pages made to be slow: the longest time that the keyboard would wait for one piece of them.
#[divan::bench(sample_count = 1, sample_size = 1, args = [
    "<div>", "<b><p>", "<a><b><i><u>", "<table><tr><td>", "<table><b>x</b><p>y", "<b><div></b>x</div>", "</x></y>", "<option>",
])]
fn longest_step_of_html(bencher: divan::Bencher, piece: &str) {
    let page = format!("{}{}", "<div>".repeat(480), piece.repeat(2_000_000 / piece.len()));
    bencher.bench(|| {
        let url = Url::parse("http://h/").ok()?;
        let input =
            Input { media: media::HTML.into(), charset: None, url, groups: Default::default(), notices: Vec::new() };
        let (mut parser, mut out) = (parser(&input)?, Builder::new());
        let step = |octets| {
            let began = Instant::now();
            parser.feed(octets, &mut out);
            began.elapsed()
        };
        let longest = page.as_bytes().chunks(wayfarer::proto::MOST_OCTETS).map(step).max();
        println!("longest step of {piece} {longest:?}");
        longest
    });
}

/// The first screen of a table, at a width that it was not set at before.
#[divan::bench(args = [20, 200, 1000])]
fn html_table_set(bencher: divan::Bencher, rows: usize) {
    let row = "<tr><td>Takes a closure<td rowspan=1><p>and creates <a href=x>an iterator</a><td align=right>1997";
    let page = format!("<table><tr><th>Name<th>What<th>Since{}</table>", row.repeat(rows));
    let Some(document) = parse("text/html", page.as_bytes()) else { return };
    let width = std::cell::Cell::new(60);
    bencher.bench_local(|| {
        width.set(if width.get() == 60 { 80 } else { 60 });
        let layout = Layout { width: width.get(), measure: None, wrap: Wrap::On, marks: Marks::Words };
        layout.lines(&document, Anchor::default(), 50).len()
    });
}

#[divan::bench]
fn html_of_tables(bencher: divan::Bencher) {
    let row =
        "<tr><td>name of it</td><td align=right>12</td><td><a href=\"x\">words in a cell</a></td></tr>\n".repeat(20);
    let page = text(&format!("<table>{row}</table>"));
    bencher.counter(BytesCount::of_slice(&page)).bench(|| parse(media::HTML, &page));
}

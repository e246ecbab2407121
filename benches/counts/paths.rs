//! The hot paths, each on a small input that is the same in every run.

use std::hint::black_box;
use wayfarer::app::command_names;
use wayfarer::doc::{Anchor, BlockKind, Builder, Document, Layout, Marks, Search, Wrap, sanitise};
use wayfarer::format::listing::Converter;
use wayfarer::format::{Input, media, parser};
use wayfarer::keys::Keymap;
use wayfarer::news::{Article, Overview, Threads};
use wayfarer::role::Role;
use wayfarer::stop::Stop;
use wayfarer::theme::Theme;
use wayfarer::url::{BaseStack, Url};

/// Runs a path once.
type Run = Box<dyn Fn()>;
/// Prepares one, and says how many octets it goes through.
type Prepare = fn() -> (usize, Run);

/// All of them.
pub const PATHS: &[(&str, Prepare)] = &[
    ("url", || urls(None)),
    ("resolve", || urls(Some("http://www.example.org:8080/pub/a/b/c;p?q=1"))),
    ("menu", || page(media::MENU, repeated(400, menu_item))),
    ("listing", listing),
    ("directory", || page(media::DIRECTORY, repeated(400, fact))),
    ("overview", overview_lines),
    ("threading", threading),
    ("newsgroup", || page(media::NEWSGROUP, format!("a.group\t1\t300\t300\t\r\n{}", repeated(300, overview)))),
    ("message", || page(media::MESSAGE, message())),
    ("prose", || page(media::PLAIN, repeated(200, |n| format!("{}{PROSE}", n)))),
    ("html", || page(media::HTML, repeated(40, section))),
    ("layout", layout),
    ("find", find),
    ("sanitise", || sanitising("The hole in the ground was dug by 17 gophers; see the map.\n")),
    ("hostile", || sanitising("\x1b[1mbold\x1b[0m and \x1b]0;title\x07 \u{202e}text\u{202c}, then some more.\n")),
    ("settings", settings),
];

/// Prepares a path and runs it so many times; prints its octets.
pub fn run(name: &str, times: u32) {
    if let Some((_, prepare)) = PATHS.iter().find(|(known, _)| *known == name) {
        let (octets, run) = prepare();
        (0..times).for_each(|_| run());
        println!("{octets}");
    }
}

const PROSE: &str = " It was the best of times, it was the worst of times, it was the age of\n\
    wisdom, it was the age of foolishness, it was the epoch of belief, it was\n\
    the epoch of incredulity: see http://www.example.org/be/lief.html or ask.\n\n";

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// Every form of URL that pages are full of; the relative ones only where there is a base.
fn urls(base: Option<&str>) -> (usize, Run) {
    let host = |n: usize| ["www.example.org", "127.0.0.1", "[2001:db8::7]:8080", "h"][n % 4];
    let absolute = |n: usize| match n % 6 {
        0 | 1 => format!("http://{}/pub/doc/gopher_protocol/{n}/index.html?page={n}&lang=en#top", host(n)),
        2 => format!("gopher://{}/1/folder/Los%20Angeles/{n}", host(n)),
        3 => format!("ftp://anonymous@{}/pub/file-{n}.tar.gz;type=i", host(n)),
        4 => format!("news:{n}.AA{n}@news.example.org"),
        _ => format!("file:///home/joe/doc/rfc{n}.txt"),
    };
    let relative = |n: usize| match n % 5 {
        0 | 1 => format!("item/{n}/page.html"),
        2 => format!("../../x/./{n}?q=a+b"),
        3 => format!("#section-{n}"),
        _ => absolute(n),
    };
    match base.and_then(|base| Url::parse(base).ok()) {
        None => {
            let texts: Vec<String> = (0..300).map(absolute).collect();
            let run = move |texts: &[String]| texts.iter().for_each(|text| drop(black_box(Url::parse(text.as_str()))));
            (octets(&texts), Box::new(move || run(black_box(&texts))))
        }
        Some(base) => {
            let (texts, stack): (Vec<String>, _) = ((0..300).map(relative).collect(), BaseStack::retrieved(base, None));
            let run = move |texts: &[String]| texts.iter().for_each(|text| drop(black_box(stack.resolve(text))));
            (octets(&texts), Box::new(move || run(black_box(&texts))))
        }
    }
}

fn octets(texts: &[String]) -> usize {
    texts.iter().map(String::len).sum()
}

fn parse(media: &str, octets: &[u8]) -> Option<Document> {
    let url = Url::parse("http://home.example/1").ok()?;
    let mut parser =
        parser(&Input { media: media.into(), charset: None, url, groups: Default::default(), notices: Vec::new() })?;
    let mut out = Builder::new();
    octets.chunks(16 * 1024).for_each(|chunk| parser.feed(chunk, &mut out));
    parser.finish(&mut out);
    Some(out.finish())
}

/// From octets to a document.
fn page(media: &'static str, text: String) -> (usize, Run) {
    assert!(parse(media, text.as_bytes()).is_some_and(|page| !page.text().is_empty()), "{media}: nothing to read");
    (text.len(), Box::new(move || drop(black_box(parse(media, black_box(text.as_bytes()))))))
}

fn menu_item(n: usize) -> String {
    format!(
        "{}An item number {n} of many\t/folder/items/item-{n}.txt\tgopher.example.org\t70\r\n",
        ["0", "1", "9", "I"][n % 4]
    )
}

fn fact(n: usize) -> String {
    format!("type=file;size={};modify=20240102030405; file-{n}.txt\r\n", n * 97)
}

/// What a unix server answers to LIST.
fn listing() -> (usize, Run) {
    let text = repeated(400, |n| format!("-rw-r--r--   1 ftp      ftp      {n:>12} Nov 19 08:15 file-{n}.txt\r\n"));
    let convert = |octets: &[u8]| {
        let mut converter = Converter::new(jiff::civil::date(2026, 11, 20).at(12, 0, 0, 0));
        let mut out = Vec::new();
        converter.feed(octets, &mut out);
        converter.finish(&mut out);
        out
    };
    (text.len(), Box::new(move || drop(black_box(convert(black_box(text.as_bytes()))))))
}

/// Articles in threads of twelve, each under the middle one of those before it.
fn overview(n: usize) -> String {
    let root = n - n % 12;
    let references = match n % 12 {
        0 => String::new(),
        place => format!("<{root}.abcdefgh@news.example.org> <{}.abcdefgh@news.example.org>", root + place / 2),
    };
    let re = if n == root { "" } else { "Re: " };
    format!(
        "{n}\t{re}What became of thread {root}\tReader {} <reader@example.org>\tFri, {} Nov 2024 12:00:00 +0100\t\
         <{n}.abcdefgh@news.example.org>\t{references}\t2345\t42\tXref: news.example.org a.group:{n}\r\n",
        n % 97,
        1 + n % 28,
    )
}

fn overview_lines() -> (usize, Run) {
    let text = repeated(600, overview);
    let cut = |text: &str| {
        text.lines().filter_map(|line| Overview::of(line.as_bytes())).filter_map(|line| line.bytes).sum::<u64>()
    };
    (text.len(), Box::new(move || _ = black_box(cut(black_box(&text)))))
}

fn threading() -> (usize, Run) {
    let text = repeated(600, overview);
    let thread = |text: &str| {
        let mut threads = Threads::default();
        for overview in text.lines().rev().filter_map(|line| Overview::of(line.as_bytes())) {
            threads.add(&Article {
                number: overview.number,
                message_id: overview.message_id,
                references: overview.references,
                subject: std::str::from_utf8(overview.subject).unwrap_or_default(),
                date: overview.number.map(|number| number as i64),
            });
        }
        threads.forest(&Stop::new())
    };
    (text.len(), Box::new(move || drop(black_box(thread(black_box(&text))))))
}

/// A message of a text, an attachment and words that are encoded.
fn message() -> String {
    let quoted =
        repeated(40, |n| format!("Gr=C3=BC=C3=9Fe, Zeile {n} des Briefes, die lang ist und weich um=\r\nbrochen.\r\n"));
    let base64 = "TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmssIGFuZCB0b28gbWFueSBjb29rcyBzcG9p\r\n".repeat(40);
    format!(
        "From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\r\nSubject: =?utf-8?B?R3LDvMOfZSBhdXMgZGVtIEJhdQ==?=\r\n\
         Message-ID: <1@example.org>\r\nReferences: <a@example.org> <b@example.org>\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=\"=_x\"\r\n\r\n--=_x\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: quoted-printable\r\n\r\n{quoted}\r\n--=_x\r\nContent-Type: text/plain\r\n\
         Content-Transfer-Encoding: base64\r\n\r\n{base64}\r\n--=_x--\r\n"
    )
}

fn section(n: usize) -> String {
    format!(
        "<section id=\"s{n}\"><h2>Item {n}</h2>\n<p>Returns the <a href=\"#s{n}\">item</a> of the collection, or \
         <code>None</code> &mdash; in <em>most</em> cases.{PROSE}\n<ul><li>takes <code>&amp;self</code><li>never panics</ul>\n\
         <pre><code>let item = {n};\nassert!(true);</code></pre>\n\
         <table><tr><th>name<th>cost<tr><td>item {n}<td><a href=x.html>O(1)</a></table></section>\n"
    )
}

fn document(text: &str) -> Document {
    let mut builder = Builder::new();
    for line in text.lines() {
        builder.block(BlockKind::Line, Role::Text);
        builder.text(line);
    }
    builder.finish()
}

/// Lines at a width: words, letters beyond ASCII, and nothing to break at.
fn layout() -> (usize, Run) {
    let text = repeated(60, |n| {
        let long = "abcdefghijklmnopqrstuvwxyz".repeat(6);
        format!(
            "{n}{}Суслик вырыл нору под старым дубом, и никто не знал, куда она ведёт.\n{long}\n",
            PROSE.replace('\n', " ")
        )
    });
    let document = document(&text);
    let layout = Layout { width: 40, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let lay = move || drop(black_box(layout.lines(black_box(&document), Anchor::default(), usize::MAX)));
    (text.len(), Box::new(lay))
}

/// Words that are not there, in small letters and in large ones.
fn find() -> (usize, Run) {
    let text = repeated(2000, |n| format!("{n}{PROSE}"));
    let (document, searches) = (document(&text), ["incredible", "Belief!"].map(Search::new));
    let find = move || searches.iter().flatten().for_each(|search| _ = black_box(search.next(black_box(&document), 0)));
    (2 * text.len(), Box::new(find))
}

fn sanitising(line: &str) -> (usize, Run) {
    let text = line.repeat(2000);
    (text.len(), Box::new(move || drop(black_box(sanitise(black_box(&text))))))
}

/// What every start reads: keys and colours.
fn settings() -> (usize, Run) {
    let load = || {
        let keys = Keymap::preset(black_box("default"), &command_names(), &mut Vec::new());
        (keys, Theme::named(black_box("dark"), &mut |_| None, &mut Vec::new()))
    };
    (include_str!("../../assets/keys/default.toml").len(), Box::new(move || drop(black_box(load()))))
}

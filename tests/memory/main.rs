//! How much memory a page takes, whatever is sent: every format, with what takes most of it, is read without end under a limit,
//! by an allocator that counts. One test alone, for it counts what all threads hold.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use peak_alloc::PeakAlloc;
use wayfarer::format::{Input, Intake, Reader, media};
use wayfarer::url::Url;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What a page may hold (`limits.memory`).
const LIMIT: usize = 2 << 20;
/// So much is sent at most: formats that read less than the limit say so by themselves.
const SENT: usize = 8 << 20;
/// What comes at a time.
const CHUNK: usize = 64 << 10;
/// How many times the limit the most is that is held at a time: text that grows is moved, what was held is there while the page is
/// written from it.
const TIMES: usize = 4;

/// So many that are wrong say enough: without a limit the others take long.
const MANY: usize = 3;

/// A page without end: its name, its type, how it begins, what follows again and again (`{}` is its number), and in which
/// pieces it comes.
type Row = (&'static str, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    ("plain", media::PLAIN, "", "a line\n"),
    ("plain, empty lines", media::PLAIN, "", "\n"),
    ("plain, addresses", media::PLAIN, "", "http://h/{}\n\n"),
    ("menu", media::MENU, "", "1x\t\th\t70\n"),
    ("menu, texts", media::MENU, "", "ix\t\t\t\n"),
    ("menu, no items", media::MENU, "", "words\n"),
    ("attributes", media::ATTRIBUTES, "", "+A: x\n b\n"),
    ("caps", media::CAPS, "CAPS\n", "a=b\n"),
    ("directory", media::DIRECTORY, "", "type=file;size=1; {}\r\n"),
    ("phone book", media::PHONE_BOOK, "", "-200:{}:name: x\r\n"),
    ("dictionary", media::DICT, "151 \"a\" b \"c\"\r\n", "a {word{}} of it\r\n"),
    ("whois", media::WHOIS, "", "refer: w{}.example\n"),
    ("newsgroups", media::NEWSGROUPS, "", "a.{}\t1\t2\t\ty\tx\n"),
    ("newsgroup", media::NEWSGROUP, "g\t1\t9\t9\ty\n", "{}\ts\tf\t\t<{}@h>\t<{}@i> <{}@j>\t1\t1\t\n"),
    ("gemtext", media::GEMTEXT, "", "=> x\n"),
    ("picture", "image/gif", "GIF89a", "octets"),
    ("markdown, emphasis", "text/markdown", "", "*a* "),
    ("markdown, quotes", "text/markdown", "", "> a\n\n"),
    ("markdown, tables", "text/markdown", "|a|\n|-|\n", "|b|\n"),
    ("html, text", media::HTML, "<p>", "words of a text "),
    ("html, lines", media::HTML, "<pre>", "x\n"),
    ("html, elements", media::HTML, "", "<b>x</b>"),
    ("html, empty elements", media::HTML, "", "<i></i>"),
    ("html, paragraphs", media::HTML, "", "<p>x"),
    ("html, attributes", media::HTML, "", "<b id=a{}></b>"),
    ("html, one attribute", media::HTML, "<a href='", "0123456789"),
    ("html, comment", media::HTML, "<!--", " words "),
    ("html, script", media::HTML, "<script>", " words "),
    ("html, declaration", media::HTML, "<!DOCTYPE ", "words"),
    ("html, of the page", media::HTML, "<html id=a lang=b title=c>", "<html lang=b>"),
    ("html, title", media::HTML, "<title>", "words "),
    ("html, in a table", media::HTML, "<table>", "words &amp; "),
    ("html, before a table", media::HTML, "<table>", "<b>x</b>"),
    ("html, tables", media::HTML, "", "<table><tr><th>a<td>b</table>"),
    ("html, cells", media::HTML, "<table><tr><th>a<th>b", "<tr><td>x<td>y"),
    ("html, fields", media::HTML, "<form>", "<input name=a{} value=b>"),
    ("html, choices", media::HTML, "<form><select>", "<option>a"),
    ("html, short words", media::HTML, "", "<abbr title=w{}>x</abbr>"),
    ("html, drawing", media::HTML, "<svg>", "<title>x</title>"),
    ("html, templates", media::HTML, "", "<template>x</template>"),
    ("feed, items", "application/rss+xml", "<rss version='2.0'><channel>", "<item/>"),
    ("feed, prefixes", "application/atom+xml", "<a:feed xmlns:a='http://www.w3.org/2005/Atom'>", "<a:entry/>"),
    ("feed, entries", "application/atom+xml", "<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry/>"),
    ("feed, links", "application/atom+xml", "<feed xmlns='http://www.w3.org/2005/Atom'><entry>", "<link href='x'/>"),
    ("feed, text", "application/rss+xml", "<rss version='2.0'><channel><item><title>", "words "),
    ("list of feeds, rows", "text/x-opml", "<opml><body>", "<outline text='x' xmlUrl='h:'/>"),
    ("list of feeds, folders", "text/x-opml", "<opml><body>", "<outline text='xxxxxxxxxxxxxxxx'>"),
    ("list of feeds, title", "text/x-opml", "<opml><head><title>", "words &amp; "),
    ("feed, JSON", "application/feed+json", "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[", "{},"),
    ("message, text", media::MESSAGE, "Subject: x\n\n", "words\n"),
    ("message, header", media::MESSAGE, "Subject: x\n", "A{}: b\n"),
    ("message, parts", media::MESSAGE, "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nx\n"),
    ("message, one part", media::MESSAGE, "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", "x\n"),
    ("message, HTML", media::MESSAGE, "Content-Type: text/html\n\n", "<b>x</b>"),
    (
        "message, deep parts",
        media::MESSAGE,
        "Content-Type: multipart/mixed; boundary=b\n\n",
        "--b\nContent-Type: multipart/mixed; boundary=b{}\n\n--b{}\n",
    ),
    (
        "message, encoded parts",
        media::MESSAGE,
        "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n",
        "Cgp4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHgK\n",
    ),
    ("message, files", media::MESSAGE, "Subject: x\n\n", "begin 644 f{}\n#ABCD\n`\nend\n"),
];

/// Reads a row: whether it was cut, and the most memory that was held at a time.
fn read(row: &Row) -> (bool, usize) {
    let (name, media, before, piece) = row;
    let url = Url::parse("http://h/x").unwrap();
    let input = Input {
        media: (*media).into(),
        charset: Some("utf-8".into()),
        url,
        groups: Default::default(),
        notices: Vec::new(),
    };
    let held = MEMORY.current_usage();
    let mut reader = Reader::new(Intake { input, title: None, keep: 0, memory: LIMIT }).expect(name);
    MEMORY.reset_peak_usage();
    let (mut number, mut chunk) = (0, before.to_string());
    while !reader.is_over() && reader.received() < SENT as u64 {
        while chunk.len() < CHUNK {
            match piece.contains("{}") && *piece != "{}," {
                true => chunk.push_str(&piece.replace("{}", &number.to_string())),
                false => chunk.push_str(piece),
            }
            number += 1;
        }
        reader.take(chunk.as_bytes());
        chunk.clear();
    }
    let over = reader.finish().cut.is_some();
    (over, MEMORY.peak_usage().saturating_sub(held))
}

#[test]
fn a_page_holds_no_more_memory_than_it_may() {
    let asked = std::env::args().nth(2);
    let mut wrong = Vec::new();
    println!("\n{:28} {:>6} {:>14}", "page without end", "cut", "times the limit");
    for row in ROWS.iter().filter(|row| asked.as_ref().is_none_or(|asked| row.0.contains(asked.as_str()))) {
        let (over, peak) = read(row);
        println!("{:28} {:>6} {:14.2}", row.0, if over { "yes" } else { "no" }, peak as f64 / LIMIT as f64);
        if peak > TIMES * LIMIT {
            wrong.push(format!("{}: {} KiB", row.0, peak >> 10));
            if wrong.len() == MANY {
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "more than {TIMES} times {} KiB: {}", LIMIT >> 10, wrong.join(", "));
}

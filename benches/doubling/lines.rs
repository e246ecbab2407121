//! What comes line by line: menus, Gopher+, phone books, directories, listings, texts, Markdown, feeds, gemtext.

use super::page::{self, Shape};
use super::{Row, row, text};
use std::hint::black_box;
use wayfarer::archive::Archive;
use wayfarer::doc::sanitise;
use wayfarer::format::listing::Converter;
use wayfarer::format::{ask, charset, guess, media};
use wayfarer::proto::gopher::frame::{Frame, Framing};
use wayfarer::stop::Stop;

const SIZE: usize = 8 * 1024;
/// Of lines whose first 64 KiB are read in another way than what follows: all three inputs have many times as much.
const MANY_LINES: usize = 512 * 1024;

const MENU: &[Shape] = &[
    ("items", SIZE, "", "1Name {}\t/selector/{}\thost\t70\r\n", ""),
    ("items of Gopher+", SIZE, "", "0Name\t/x{}\thost\t70\t+\r\n", ""),
    ("questions", SIZE, "", "0Name\t/x{}\thost\t70\t?\r\n", ""),
    ("info", SIZE, "", "iSome words\t\terror.host\t1\r\n", ""),
    ("info without fields", SIZE, "", "iSome words\r\n", ""),
    ("mirrors", SIZE, "0Name\t/x\thost\t70\r\n", "+Name\t/x\thost{}\t70\r\n", ""),
    ("unknown types", SIZE, "", "zName\t/x\thost\t70\r\n", ""),
    ("links of URLs", SIZE, "", "hName\tURL:http://x/{}\thost\t70\r\n", ""),
    ("empty lines", SIZE, "", "\r\n", ""),
    ("tabs", SIZE, "", "\t", ""),
    ("lines of tabs", SIZE, "", "\t\t\t\t\t\r\n", ""),
    ("a long type", SIZE, "", "1", ""),
    ("a long name", SIZE, "1", "some words ", ""),
    ("a long info", SIZE, "i", "some words ", ""),
    ("a long selector", SIZE, "1Name\t", "/x", ""),
    ("a long selector to escape", SIZE, "1Name\t", "\u{e9} %", ""),
    ("a long URL", SIZE, "hName\tURL:http://x/", "y", ""),
    ("a long host", SIZE, "1Name\t/x\t", "host.", ""),
    ("a long port", SIZE, "1Name\t/x\thost\t", "70", ""),
    ("a long Gopher+ field", SIZE, "1Name\t/x\thost\t70\t", "+", ""),
    ("octets beyond UTF-8", SIZE, "", "iA\u{9b}\u{e9}\u{feff}\t\t\t\r\n", ""),
];

const ATTRIBUTES: &[Shape] = &[
    ("items", SIZE, "", "+INFO: 0Name {}\t/x{}\thost\t70\t+\r\n", ""),
    ("admins", SIZE, "+INFO: 0Name\t/x\thost\t70\t+\r\n+ADMIN:\r\n", " Admin: Me <me@h>\r\n", ""),
    ("views", SIZE, "+INFO: 0Name\t/x\thost\t70\t+\r\n+VIEWS:\r\n", " text/plain De_DE: <{}k>\r\n", ""),
    ("an abstract", SIZE, "+ABSTRACT:\r\n", " some words of it\r\n", ""),
    ("one long line", SIZE, "+ABSTRACT:\r\n ", "some words ", ""),
    ("questions", SIZE, "+ASK:\r\n", " Ask: Name?\tdefault{}\r\n", ""),
    ("unknown blocks", SIZE, "", "+X{}: y\r\n z\r\n", ""),
    ("a long view", SIZE, "+VIEWS:\r\n text/plain ", "De_DE ", ""),
    ("a long name of a block", MANY_LINES, "+", "X", ""),
    ("lines that belong nowhere", SIZE, "", "words\r\n", ""),
];

const ASKS: &[Shape] = &[
    ("questions", SIZE, "+ASK:\r\n", " Ask: Name?\tdefault\r\n", ""),
    ("long questions", SIZE, "+ASK:\r\n Ask: ", "some words ", ""),
    ("choices", SIZE, "+ASK:\r\n Choose: Which?", "\tone{}", ""),
    ("lines", SIZE, "+ASK:\r\n AskL: Words?", "\tline{}", ""),
    ("unknown", SIZE, "+ASK:\r\n", " x\r\n", ""),
    ("lines before it", SIZE, "", " x\r\n", ""),
];

const DICTIONARY: &[Shape] = &[
    ("definitions", SIZE, "150 9\r\n", "151 \"tea\" wn \"Words\"\r\na {drink} of {tea\r\nleaves}\r\n.\r\n", ""),
    ("words", SIZE, "152 9\r\n", "wn \"tea\"\r\n", ""),
    ("databases", SIZE, "110 9\r\n", "wn \"Words\"\r\n", ""),
    ("words in braces", SIZE, "151 \"a\" b \"c\"\r\n", "{a} ", ""),
    ("open braces", SIZE, "151 \"a\" b \"c\"\r\n", "{", ""),
    ("closed braces", SIZE, "151 \"a\" b \"c\"\r\n", "}", ""),
    ("escaped marks", SIZE, "152 9\r\nwn \"", "\\\"", ""),
    ("lines with an open brace", SIZE, "151 \"a\" b \"c\"\r\n", "{a\r\n", ""),
];

const WHOIS: &[Shape] = &[
    ("referrals", SIZE, "", "refer: whois.example.org\n", ""),
    ("a referral without end", SIZE, "refer: ", "a.b", ""),
    ("records", SIZE, "", "domain: example\nwhois:\n", ""),
];

const PHONE_BOOK: &[Shape] = &[
    ("entries", SIZE, "", "-200:{}:  name: Me\r\n", ""),
    ("fields of one", SIZE, "", "-200:1:  name: Me\r\n", ""),
    ("a long field", SIZE, "-200:1:  name: ", "some words ", ""),
    ("words", SIZE, "", "102:words\r\n", ""),
];

const DIRECTORY: &[Shape] = &[
    ("files", SIZE, "", "type=file;size={};modify=20240102030405; file-{}.txt\r\n", ""),
    ("directories", SIZE, "", "type=dir; dir{}\r\n", ""),
    ("links", SIZE, "", "type=OS.unix=slink:/a/{}; b{}\r\n", ""),
    ("a long name", SIZE, "type=file; ", "some words ", ""),
    ("a long name in one word", SIZE, "type=file; ", "x", ""),
    ("many facts", SIZE, "", "x{}=y;", ""),
    ("many types", SIZE, "", "type=file;", ""),
    ("a long number", SIZE, "size=", "9", ""),
    ("lines that are none", SIZE, "", "words\r\n", ""),
    ("names that are the same", SIZE, "", "type=file;size=1; a\r\n", ""),
];

const PLAIN: &[Shape] = &[
    ("lines", SIZE, "", "some words of a line\n", ""),
    ("empty lines", SIZE, "", "\n", ""),
    ("carriage returns", SIZE, "", "x\r", ""),
    ("one line of letters", SIZE, "", "x", ""),
    ("one line of words", SIZE, "", "some words ", ""),
    ("blanks", SIZE, "", " ", ""),
    ("blanks and a word", SIZE, "", "     x", ""),
    ("tabs", SIZE, "", "\t", ""),
    ("tabs and letters", SIZE, "", "x\t", ""),
    ("lines of tabs", SIZE, "", "\tx\t\n", ""),
    ("form feeds", SIZE, "", "\x0c", ""),
    ("combining marks", SIZE, "", "\u{301}", ""),
    ("letters with marks", SIZE, "", "e\u{301}", ""),
    ("lines of marks", SIZE, "", "e\u{301}\u{302}\u{303}\n", ""),
    ("wide letters", SIZE, "", "漢字", ""),
    ("joined emoji", SIZE, "", "👩\u{200d}", ""),
    ("flags", SIZE, "", "\u{1f1e9}", ""),
    ("hangul", SIZE, "", "\u{1100}", ""),
    ("devanagari", SIZE, "", "\u{915}\u{94d}", ""),
    ("right to left", SIZE, "", "\u{5d0}\u{5d1} ", ""),
    ("bidirectional marks", SIZE, "", "\u{202e}", ""),
    ("zero-width", SIZE, "", "\u{200b}", ""),
    ("backspaces", SIZE, "x", "\x08", ""),
    ("overstruck", SIZE, "", "x\x08x", ""),
    ("underlined", SIZE, "", "_\x08x", ""),
    ("letters, then backspaces", SIZE, "", "x", "\x08"),
    ("escapes", SIZE, "", "\x1b[1m", ""),
    ("an escape without end", SIZE, "\x1b]0;", "x", ""),
    ("escapes without end", SIZE, "", "\x1b]", ""),
    ("escape characters", SIZE, "", "\x1b", ""),
    ("colours without end", SIZE, "\x1b[", "1;", ""),
    ("URLs", SIZE, "", "http://example.org/{} ", ""),
    ("URLs on lines", SIZE, "", "see <http://example.org/{}>\n", ""),
    ("one URL", SIZE, "http://example.org/", "x", ""),
    ("one URL of parentheses", SIZE, "http://example.org/", "(", ""),
    ("parentheses that close", SIZE, "http://example.org/", ")", ""),
    ("URLs in URLs", SIZE, "", "http://", ""),
    ("wrapped URLs", SIZE, "", "<URL:http://example.org/\n{}>\n", ""),
    ("a wrapped URL without end", SIZE, "<URL:http://example.org/", "x\n", ""),
    ("wrapped URLs without end", SIZE, "", "<URL:http://example.org/\n", ""),
    ("URLs that break with a hyphen", SIZE, "", "http://example.org/x-\n", ""),
    ("bare names", SIZE, "", "www.example.org ", ""),
    ("one bare name", SIZE, "www.", "example.", ""),
    ("addresses", SIZE, "", "me@example.org ", ""),
    ("one address", SIZE, "", "me@", ""),
    ("colons", SIZE, "", ":", ""),
    ("schemes", SIZE, "", "http:", ""),
    ("slashes", SIZE, "", "/", ""),
    ("less-than signs", SIZE, "", "<", ""),
    ("ids", SIZE, "", "<a{}@b> ", ""),
    ("dots", SIZE, "", "x.", ""),
    ("quotes", SIZE, "", "> ", ""),
    ("quoted lines", SIZE, "", "> > > words\n", ""),
    ("octets of no charset", SIZE, "", "\u{80}\u{9f}", ""),
];

const MARKDOWN: &[Shape] = &[
    ("paragraphs", SIZE, "", "words\n\n", ""),
    ("one line", SIZE, "", "words ", ""),
    ("headings", SIZE, "", "# words\n", ""),
    ("underlined headings", SIZE, "", "words\n=====\n", ""),
    ("a long heading", SIZE, "# ", "words ", ""),
    ("headings with ids", SIZE, "", "# words {#x{}}\n", ""),
    ("hashes", SIZE, "", "#", ""),
    ("quotes in quotes", SIZE, "", "> ", ""),
    ("quoted lines", SIZE, "", "> words\n", ""),
    ("lists in lists", SIZE, "", "- ", ""),
    ("items", SIZE, "", "- words\n", ""),
    ("numbered items", SIZE, "", "1. words\n", ""),
    ("items that go in", 1024, "", "{:>0}- x\n", ""),
    ("tasks", SIZE, "", "- [ ] words\n", ""),
    ("emphasis that opens", SIZE, "", "*a **a ", ""),
    ("emphasis that opens and closes", SIZE, "", "*a_ ", ""),
    ("emphasis of underscores", SIZE, "", "_a __a ", ""),
    ("emphasis nested", SIZE, "", "*a **b ", "c** d* "),
    ("stars", SIZE, "", "*", ""),
    ("stars and letters", SIZE, "", "**x", ""),
    ("three stars", SIZE, "", "a***b", ""),
    ("strikes", SIZE, "", "~~a ", ""),
    ("brackets that open", SIZE, "", "[", ""),
    ("brackets that close", SIZE, "", "]", ""),
    ("links nested", SIZE, "", "[a", "](x)"),
    ("images nested", SIZE, "", "![a", "](x)"),
    ("links without targets", SIZE, "", "[a](", ""),
    ("links with targets that open", SIZE, "", "[a](<b", ""),
    ("links with titles that open", SIZE, "", "[a](b \"", ""),
    ("links", SIZE, "", "[a](b{}) ", ""),
    ("a long target", SIZE, "[a](", "x", ""),
    ("target of parentheses", SIZE, "[a](", "(", ""),
    ("references", SIZE, "", "[a{}]\n\n[a{}]: x\n\n", ""),
    ("references to one", SIZE, "[a]: x\n\n", "[a] ", ""),
    ("references to nothing", SIZE, "", "[a{}] ", ""),
    ("definitions", SIZE, "", "[a{}]: x\n", ""),
    ("definitions that open", SIZE, "", "[a]: <x\n", ""),
    ("one long definition", SIZE, "[", "a", "]: x"),
    ("one long expanded reference", SIZE, "[a]: ", "x", "\n\n[a]"),
    ("footnotes", SIZE, "", "x[^{}]\n\n[^{}]: y\n\n", ""),
    ("footnotes of one", SIZE, "[^1]: y\n\n", "x[^1] ", ""),
    ("footnotes in footnotes", SIZE, "", "[^{}]: ", ""),
    ("table rows", SIZE, "|a|b|\n|-|-|\n", "|c|d|\n", ""),
    ("table columns", SIZE, "", "|a", "|-"),
    ("tables", SIZE, "", "|a|\n|-|\n|b|\n\n", ""),
    ("short rows of a wide table", SIZE, "|a|b|c|d|e|f|g|h|\n|-|-|-|-|-|-|-|-|\n", "|x\n", ""),
    ("pipes", SIZE, "", "|", ""),
    ("code", SIZE, "", "`a` ", ""),
    ("backticks", SIZE, "", "`", ""),
    ("runs of backticks", SIZE, "", "`a``b```c", ""),
    ("fences", SIZE, "", "```\nx\n```\n", ""),
    ("a fence without end", SIZE, "```\n", "x\n", ""),
    ("indented code", SIZE, "", "    x\n", ""),
    ("blank lines in code", SIZE, "    x\n", "\n", ""),
    ("html", SIZE, "", "<b>x</b> ", ""),
    ("html blocks", SIZE, "", "<div>\n", ""),
    ("html that opens", SIZE, "", "<a ", ""),
    ("less-than signs", SIZE, "", "<", ""),
    ("comments that open", SIZE, "", "a <!-- ", ""),
    ("processing that opens", SIZE, "", "a <? ", ""),
    ("declarations that open", SIZE, "", "a <!A ", ""),
    ("cdata that opens", SIZE, "", "a <![CDATA[ ", ""),
    ("autolinks", SIZE, "", "<http://x/{}> ", ""),
    ("entities", SIZE, "", "&amp;", ""),
    ("backslashes", SIZE, "", "\\", ""),
    ("hard breaks", SIZE, "", "x  \n", ""),
    ("rules", SIZE, "", "---\n", ""),
    ("almost rules", SIZE, "", "* ", "x"),
    ("blanks", SIZE, "", " ", ""),
    ("tabs", SIZE, "", "\t", ""),
    ("lines", SIZE, "", "\n", ""),
];

/// A feed: its name, what stands before, again and again, and behind it.
type Feed = (&'static str, &'static str, &'static str, &'static str);

const RSS: &[Feed] = &[
    ("entries", "", "<item><title>x{}</title><link>http://x/{}</link></item>", ""),
    ("a long title", "<title>", "some words ", "</title>"),
    ("a long title of marks", "<title>", "&lt;", "</title>"),
    ("a long title of an entry", "<item><title>", "some words ", "</title></item>"),
    ("a long description", "<item><description>", "&lt;p&gt;words", "</description></item>"),
    ("a deep description", "<item><description>", "&lt;ul&gt;&lt;li&gt;words", "</description></item>"),
    (
        "a description of tables",
        "<item><description>&lt;table&gt;",
        "&lt;tr&gt;&lt;td&gt;words",
        "</description></item>",
    ),
    ("cdata", "<item><description><![CDATA[", "<b>words</b> ", "]]></description></item>"),
    ("descriptions", "", "<item><description>&lt;b&gt;x&lt;/b&gt; words</description></item>", ""),
    ("categories", "<item>", "<category>x{}</category>", "</item>"),
    ("elements that no dialect has", "", "<x{}>y</x{}>", ""),
    ("dates", "", "<item><pubDate>Fri, 15 Nov 2024 10:12:00 +0100</pubDate></item>", ""),
    ("comments", "", "<!--x-->", ""),
    ("nested, not closed", "", "<x>", ""),
    ("attributes", "<x ", "a{}='b' ", "/>"),
    ("namespaces", "<x ", "xmlns:a{}='b' ", "/>"),
    ("images", "", "<item><media:content url='x{}'/></item>", ""),
];

const ATOM: &[Feed] = &[
    ("entries", "", "<entry><id>{}</id><title>x</title><link href='http://x/{}'/></entry>", ""),
    ("links", "<entry>", "<link href='x{}'/>", "</entry>"),
    ("xhtml", "<entry><content type='xhtml'><div>", "<p>x</p>", "</div></content></entry>"),
    ("authors", "<entry>", "<author><name>x{}</name></author>", "</entry>"),
];

const OPML: &[Feed] = &[
    ("rows", "", "<outline text='x' xmlUrl='http://h/'/>", ""),
    ("folders", "", "<outline text='x'>", ""),
    ("references", "<outline text='", "&amp;", "' xmlUrl='h:'/>"),
];

const JSON: &[Feed] = &[
    ("entries", "", "{\"id\":\"x\",\"title\":\"y\",\"content_text\":\"z\"},", ""),
    ("entries of HTML", "", "{\"id\":\"x\",\"content_html\":\"<p>z\"},", ""),
    ("nested", "", "[", ""),
    ("a long text", "{\"id\":\"x\",\"content_text\":\"", "some words ", "\"},"),
];

/// Media types of feeds, what stands around what is in them, and that.
const FEEDS: &[(&str, &str, &str, &[Feed])] = &[
    (
        "application/rss+xml",
        "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel>",
        "</channel></rss>",
        RSS,
    ),
    ("text/x-opml", "<opml><head><title>x</title></head><body>", "</body></opml>", OPML),
    ("application/atom+xml", "<feed xmlns='http://www.w3.org/2005/Atom'><title>x</title>", "</feed>", ATOM),
    (
        "application/feed+json",
        "{\"version\":\"https://jsonfeed.org/version/1\",\"title\":\"x\",\"items\":[",
        "{\"id\":\"z\"}]}",
        JSON,
    ),
];

const XML: &[Shape] =
    &[("elements", SIZE, "<?xml version='1.0'?><x>", "<y>z</y>", ""), ("one line", SIZE, "<x ", "y ", "")];

const GEMTEXT: &[Shape] = &[
    ("links", SIZE, "", "=> x{} words\n", ""),
    ("a long link", SIZE, "=> ", "x", ""),
    ("a long label", SIZE, "=> x ", "some words ", ""),
    ("headings", SIZE, "", "# words\n", ""),
    ("items", SIZE, "", "* words\n", ""),
    ("quotes", SIZE, "", "> words\n", ""),
    ("fences", SIZE, "", "```\n", ""),
    ("one line", SIZE, "", "words ", ""),
];

/// The rows of listings: the dialect and a line of it.
const LISTINGS: &[(&str, &str)] = &[
    ("EPLF", "+i8388621.48594,m825718503,r,s280,\tname{}\r\n"),
    ("MLSD", "type=file;size={}; name{}\r\n"),
    ("unix", "-rw-r--r--   1 ftp      ftp      {} Nov 19 08:15 file-{}.txt\r\n"),
    ("unix links", "lrwxrwxrwx 1 ftp ftp 4 Nov 19 08:15 a{} -> b{}\r\n"),
    ("NetWare", "- [RWCEAFMS] Admin 7045120 Nov 11 07:12 name{}.txt\r\n"),
    ("DOS", "04-27-00  09:09PM       <DIR>          name{}\r\n"),
    ("VMS", "NAME{}.TXT;1  2/4  18-JAN-2000 12:00 [ANONYMOUS] (RWED,RE,,)\r\n"),
    (
        "VMS on two lines",
        "A_VERY_LONG_NAME_OF_A_FILE_{}.TXT;1\r\n   2/4  18-JAN-2000 12:00 [ANONYMOUS] (RWED,RE,,)\r\n",
    ),
    ("AS/400", "QSYS 77824 02/23/00 15:09:55 *DIR NAME{}/\r\n"),
    ("MVS", "WYOSPT 3420   2003/05/21  1  200  FB      80  8053  PS  NAME.N{}\r\n"),
    ("MVS members", "NAME{} 01.01 2003/05/21 2003/05/22 12:00 10 10 0 ME\r\n"),
    ("z/VM", "NAME{} EXEC V 72 9 1 9/09/98 14:32:53 NWD191\r\n"),
    ("NonStop", "NAME{} 101 1234 14-Jan-99 12:00:00 255,255 \"nunu\"\r\n"),
    ("OS-9", "0.0 04/28/00 09:09 ----r-wr 1A {} name{}\r\n"),
    ("size first", "{} Nov 19 08:15 name{}\r\n"),
    ("names", "name{}\r\n"),
    ("dls", "name{}   {}  some words of it\r\n"),
    ("dls on two lines", "a-very-long-name-of-a-file-{}\r\n        12  words\r\n"),
    ("many words", "a b c d e f g h i j k l m n o p {}\r\n"),
    ("total", "total {}\r\n"),
    ("empty", "\r\n"),
    ("one line", "word "),
    ("one line of unix", "-rw-r--r-- 1 ftp ftp 1 Nov 19 08:15 x"),
    ("one word", "x"),
    ("blanks", " "),
    ("digits", "9"),
    ("arrows", "lrwxrwxrwx 1 ftp ftp 4 Nov 19 08:15 a -> "),
];

/// All of them.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(page::rows("menu", media::MENU, MENU));
    rows.extend(page::rows("attributes", media::ATTRIBUTES, ATTRIBUTES));
    rows.extend(page::rows("phone book", media::PHONE_BOOK, PHONE_BOOK));
    rows.extend(page::rows("dictionary", media::DICT, DICTIONARY));
    rows.extend(page::rows("whois", media::WHOIS, WHOIS));
    rows.extend(page::rows("directory", media::DIRECTORY, DIRECTORY));
    rows.extend(page::rows("plain", media::PLAIN, PLAIN));
    rows.extend(page::rows("markdown", "text/markdown", MARKDOWN));
    for &(media, begins, ends, feeds) in FEEDS {
        for &(name, before, piece, after) in feeds {
            rows.push(row(format!("{media}: {name}"), SIZE, move |octets| {
                page::read(media, (text(octets, &format!("{begins}{before}"), piece, "") + after + ends).into_bytes())
            }));
        }
    }
    rows.extend(page::rows("xml", "text/xml", XML));
    rows.extend(page::rows("gemtext", media::GEMTEXT, GEMTEXT));
    rows.extend(page::rows("nex", media::NEX, GEMTEXT));
    rows.extend(page::rows("own", media::OWN, GEMTEXT));
    for &(name, octets, before, piece, after) in ASKS {
        rows.push(row(format!("ask: {name}"), octets, move |octets| {
            let text = text(octets, before, piece, after);
            Box::new(move || drop(black_box(ask::Form::of(&text))))
        }));
    }
    for (name, line) in LISTINGS {
        rows.push(row(format!("listing: {name}"), SIZE, move |octets| listing(text(octets, "", line, ""))));
    }
    for (name, before, piece) in CATALOGUES {
        let before = format!(".:\ntotal 1\n-rw-r--r-- 1 a b 5 Jan  1 1999 first\n{before}");
        rows.push(row(format!("recursive listing: {name}"), SIZE, move |octets| {
            catalogue(text(octets, &before, piece, ""))
        }));
    }
    for (name, piece) in FLAT {
        rows.push(row(format!("flat list: {name}"), SIZE, move |octets| catalogue(text(octets, "", piece, ""))));
    }
    for (name, piece) in
        [("lines", "words\r\n"), ("dots", ".\r\n"), ("double dots", "..\r\n"), ("line ends", "\r"), ("one line", "x")]
    {
        for framing in [Framing::Text, Framing::Dotted] {
            rows.push(row(format!("gopher frame: {name}, {framing:?}"), SIZE, move |octets| {
                let text = text(octets, "", piece, "");
                Box::new(move || {
                    let (mut frame, mut out) = (Frame::new(framing), Vec::new());
                    text.as_bytes().chunks(1000).for_each(|piece| _ = black_box(frame.feed(piece, &mut out)));
                    black_box(frame.finish(&mut out));
                })
            }));
        }
    }
    for choice in charset::charsets() {
        rows.push(row(format!("charset: {}", choice.name), SIZE, move |octets| {
            let text = text(octets, "", "words \u{e9}\u{9b}+2D0-\x1b$B~{}", "");
            Box::new(move || {
                let (mut decoder, mut out) = (charset::Decoder::new(Some(choice.name)), String::new());
                text.as_bytes().chunks(1000).for_each(|piece| decoder.feed(piece, &mut out));
                decoder.finish(&mut out);
                black_box(out);
            })
        }));
    }
    for (name, piece) in [
        ("escapes", "\x1b[1m"),
        ("an operating system command", "\x1b]x"),
        ("controls", "\u{9b}"),
        ("letters", "x"),
        ("marks", "\u{301}"),
    ] {
        rows.push(row(format!("sanitise: {name}"), SIZE, move |octets| {
            let text = text(octets, "", piece, "");
            Box::new(move || drop(black_box(sanitise(&text))))
        }));
    }
    for (name, piece) in [("letters", "x"), ("NULs", "\0"), ("tags", "<x>"), ("headers", "X: y\n")] {
        rows.push(row(format!("guess: {name}"), SIZE, move |octets| {
            let text = text(octets, "", piece, "");
            Box::new(move || {
                black_box(guess::of_file(&text, text.as_bytes()));
            })
        }));
    }
    rows
}

/// What a recursive listing has in it, below the first heading.
const CATALOGUES: &[(&str, &str, &str)] = &[
    ("files", "", "-rw-r--r-- 1 a b 5 Jan  1 1999 file{}\n"),
    ("folders", "", "\n./d{}:\ntotal 1\n-rw-r--r-- 1 a b 5 Jan  1 1999 file\n"),
    ("folders within folders", "\n./d/d/d/d/d/d/d/d/d/d:\n", "-rw-r--r-- 1 a b 5 Jan  1 1999 file{}\n"),
    ("empty folders", "", "\n./d{}:\n"),
    ("links", "", "lrwxrwxrwx 1 a b 5 Jan  1 1999 link{} -> ../d/e/f\n"),
    ("links in a row", "", "lrwxrwxrwx 1 a b 5 Jan  1 1999 {} -> {}0\n"),
    ("strays", "", "words\n"),
    ("one line", "", "x"),
    ("one heading", "\n", "d/"),
];

/// What a flat list of a tree has in it.
const FLAT: &[(&str, &str)] = &[
    ("paths", "./d/e{}/file\n"),
    ("paths of which each is the folder of the next", "./{}\n./{}/file\n./{}-file\n"),
    ("paths and words", "d/e{}/file.tar.gz      A file\n        and more of it\n"),
    ("find -ls", "  1   4 -rw-r--r--   1 a   b   5 Jan  1  1999 ./d/My\\ {}\\351\n"),
];

fn catalogue(text: String) -> super::Work {
    let now = jiff::civil::date(2026, 11, 20).at(12, 0, 0, 0);
    let text: std::sync::Arc<[u8]> = text.into_bytes().into();
    Box::new(move || {
        let mut source = std::io::Cursor::new(std::sync::Arc::clone(&text));
        let archive = Archive::read(&mut source, now, &Stop::new());
        black_box(archive.map(|archive| (archive.tree(b"", &[b"1".to_vec()]), archive.listing(b""))).ok());
    })
}

fn listing(text: String) -> super::Work {
    Box::new(move || {
        for mut converter in [Converter::new(jiff::civil::date(2026, 11, 20).at(12, 0, 0, 0)), Converter::names()] {
            let mut out = Vec::new();
            text.as_bytes().chunks(1000).for_each(|piece| converter.feed(piece, &mut out));
            converter.finish(&mut out);
            black_box(out);
        }
    })
}

//! Everything that is shown as a page: whatever its octets are and however they are cut, the same sane document.

use super::octets::{Witness, broken, files, is_raw};
use super::{Dice, dice};
use std::collections::BTreeSet;
use std::sync::Arc;
use wayfarer::doc::{Anchor, Builder, Document, Layout, LinkId, Marks, Search, Wrap};
use wayfarer::format::html::{initial, standing, submission};
use wayfarer::format::{Arrange, Input, Learnt, Order, PageRows, Wishes, charset, media, parser};
use wayfarer::stop::Stop;
use wayfarer::url::{BaseStack, Url};

const CASES: u32 = 300;

/// A kind of page: its media type, how the names of its seeds begin, words of its grammar, and how many octets of text one octet
/// of it may become.
struct Kind {
    media: &'static str,
    seeds: &'static str,
    words: &'static [&'static [u8]],
    most: usize,
}

const HTML: &[&[u8]] = &[
    b"<table>",
    b"<tr>",
    b"<td>",
    b"<td colspan=999 rowspan=999>",
    b"</table>",
    b"<caption>",
    b"<b>",
    b"</b>",
    b"<p>",
    b"</p>",
    b"<a href=x>",
    b"</a>",
    b"<ul>",
    b"<ol start=-9 reversed>",
    b"<li value=99999999999>",
    b"<dl><dt><dd>",
    b"<pre>",
    b"<textarea>",
    b"</textarea>",
    b"<form id=f>",
    b"</form>",
    b"<input form=f list=d name=x>",
    b"<input type=checkbox>",
    b"<input type=radio name=r>",
    b"<input type=hidden>",
    b"<button>",
    b"<select>",
    b"<select multiple>",
    b"<optgroup label=x>",
    b"<option selected>",
    b"<datalist id=d>",
    b"<fieldset><legend>",
    b"<label for=x>",
    b"<svg><title>",
    b"<math><mfrac><mi>",
    b"<msup>",
    b"<ruby><rt>",
    b"<sub>2",
    b"<details><summary>",
    b"<!--",
    b"-->",
    b"<!doctype html>",
    b"<script>",
    b"</script>",
    b"<style>",
    b"<title>",
    b"</title>",
    b"<base href=//x/>",
    b"<meta charset=utf-16>",
    b"<meta http-equiv=refresh content='0;url=x'>",
    b"<link rel=next href=x>",
    b"<iframe src=x>",
    b"<frameset><frame src=x>",
    b"<map><area href=x>",
    b"<img alt=x src=y>",
    b"<img src=y width=1>",
    b"<template>",
    b"<noscript>",
    b"<plaintext>",
    b"<object data=x>",
    b"<video src=x>",
    b"&#x9b;",
    b"&#27;",
    b"&amp",
    b"&notit;",
    b"<h1>",
    b"<hr>",
    b"<br>",
    b"<wbr>",
    b"<nobr>",
    b"<blockquote>",
    b"<center>",
    b"<abbr title=words>",
    b"<isindex>",
    b"<body hidden>",
    b"<x-own>",
];
const MESSAGE: &[&[u8]] = &[
    b"From: a@b\r\n",
    b"Subject: =?utf-8?Q?=1B?=\r\n",
    b"Content-Type: multipart/mixed; boundary=x\r\n",
    b"--x\r\n",
    b"--x--\r\n",
    b"Content-Type: text/html\r\n\r\n",
    b"Content-Type: message/rfc822\r\n\r\n",
    b"Content-Transfer-Encoding: base64\r\n",
    b"begin 644 x\r\n",
    b"end\r\n",
    b"=ybegin line=1 size=1 name=x\r\n",
    b"=yend size=1\r\n",
    b"References: <a@b> <c@d>\r\n",
    b"<a@b>",
    b"> ",
    b"-- \r\n",
    b"; format=flowed",
    b"; charset=utf-7",
    b"=E9",
    b"=\r\n",
];
const OVERVIEW: &[&[u8]] = &[
    b"\t",
    b"1\t",
    b"Re: ",
    b"<1@h>",
    b"<2@h> <1@h>",
    b"\t\t\t",
    b"=?utf-8?B?AAAA?=",
    b"Xref: h a.b:1",
    b"5\tx\ty\t\t<1@h>\t<1@h>\t9\t9\n",
];
const MENU: &[&[u8]] = &[
    b"\t",
    b"1",
    b"i",
    b"+",
    b"\t70\r\n",
    b"\t+",
    b"\t?",
    b"h\tURL:http://h/",
    b"7",
    b"8",
    b"\tTITLE\t",
    b".\r\n",
    b"+INFO: ",
    b"+ASK:\r\n",
    b" Choose: x\ty\tz\r\n",
    b" AskL: x\r\n",
    b"+VIEWS:\r\n",
    b" text/plain De_DE: <9k>\r\n",
    b"+ADMIN:\r\n",
    b"+ABSTRACT:\r\n",
];
const LINES: &[&[u8]] = &[
    b"=> ",
    b"# ",
    b"```\n",
    b"* ",
    b"> ",
    b"_\x08",
    b"x\x08x",
    b"http://h/(x",
    b"<URL:http://h/\nx>",
    b"www.h.org",
    b"a@b.c",
];
const MARKDOWN: &[&[u8]] = &[
    b"**",
    b"~~",
    b"[x](",
    b"![",
    b"[^1]",
    b"[^1]: ",
    b"[x]: ",
    b"|-|\n",
    b"```\n",
    b"<b>",
    b"<!--",
    b"# ",
    b"- [ ] ",
    b"    ",
    b"\\",
    b"<http://h/>",
    b"&#27;",
];
const OPML: &[&[u8]] = &[
    b"<outline text='x'>",
    b"</outline>",
    b"<outline xmlUrl='http://h/'/>",
    b"<title>",
    b"</opml>",
    b"&amp;",
    b"&#27;",
    b"&x;",
    b"'",
    b"<!DOCTYPE opml [<!ENTITY e 'x'>]>",
];
const FEED: &[&[u8]] = &[
    b"<item>",
    b"</item>",
    b"<entry>",
    b"<title>",
    b"</title>",
    b"<link href='x'/>",
    b"<![CDATA[",
    b"]]>",
    b"&lt;b&gt;",
    b"&#27;",
    b"<?x?>",
    b"<!DOCTYPE x [<!ENTITY e 'x'>]>",
    b"&e;",
    b"<content type='xhtml'>",
    b"<pubDate>",
    b"xmlns:x='y'",
];
const FACTS: &[&[u8]] = &[
    b"type=dir;",
    b"type=file;",
    b"size=9;",
    b"modify=20240102030405;",
    b"OS.unix=slink:/x;",
    b"type=cdir;",
    b" ",
    b";",
    b"200:1:",
    b"-200:2:  x: y\r\n",
];

const KINDS: &[Kind] = &[
    Kind { media: media::HTML, seeds: "html.", words: HTML, most: 12 },
    Kind { media: media::MENU, seeds: "menu.", words: MENU, most: 8 },
    Kind { media: media::ATTRIBUTES, seeds: "attributes.", words: MENU, most: 24 },
    Kind { media: media::FORM, seeds: "attributes.", words: MENU, most: 24 },
    Kind { media: media::DIRECTORY, seeds: "directory.", words: FACTS, most: 16 },
    Kind { media: media::PHONE_BOOK, seeds: "phone.", words: FACTS, most: 24 },
    Kind { media: media::PLAIN, seeds: "plain.", words: LINES, most: 8 },
    Kind { media: media::GEMTEXT, seeds: "gemtext.", words: LINES, most: 24 },
    Kind { media: media::NEX, seeds: "gemtext.", words: LINES, most: 24 },
    Kind { media: media::OWN, seeds: "own.", words: LINES, most: 24 },
    Kind { media: "text/markdown", seeds: "markdown.", words: MARKDOWN, most: 24 },
    Kind { media: "application/rss+xml", seeds: "feed.rss", words: FEED, most: 24 },
    Kind { media: "application/atom+xml", seeds: "feed.atom", words: FEED, most: 24 },
    Kind { media: "application/feed+json", seeds: "feed.", words: FEED, most: 24 },
    Kind { media: "text/x-opml", seeds: "feed.opml", words: OPML, most: 24 },
    Kind { media: "text/xml", seeds: "feed.", words: FEED, most: 24 },
    Kind { media: media::NEWSGROUP, seeds: "newsgroup.", words: OVERVIEW, most: 24 },
    Kind { media: media::NEWSGROUPS, seeds: "newsgroups.", words: OVERVIEW, most: 24 },
    Kind { media: media::MESSAGE, seeds: "message.", words: MESSAGE, most: 16 },
    Kind { media: media::MESSAGE_ROT13, seeds: "message.", words: MESSAGE, most: 16 },
    Kind { media: "multipart/mixed", seeds: "message.", words: MESSAGE, most: 16 },
];

fn parse(input: &Input, octets: &[u8], dice: Option<&mut Dice>) -> (Document, Option<PageRows>) {
    let (mut parser, mut out) = (parser(input).expect("the type is shown"), Builder::new());
    let mut rest = octets;
    match dice {
        None => parser.feed(octets, &mut out),
        Some(dice) => {
            let most = [1, 7, 60, 3000][dice.roll(4)];
            while !rest.is_empty() {
                let (piece, more) = rest.split_at(rest.len().min(1 + dice.roll(most)));
                parser.feed(piece, &mut out);
                rest = more;
            }
        }
    }
    parser.finish(&mut out);
    (out.finish(), parser.rows())
}

#[test]
fn pages_hold_whatever_comes() {
    let kinds: Vec<(&Kind, Vec<Vec<u8>>)> =
        KINDS.iter().map(|kind| (kind, files("format", kind.seeds, ".in"))).collect();
    assert!(kinds.iter().all(|(_, seeds)| !seeds.is_empty()), "every kind has seeds");
    let (mut dice, cases) = dice(CASES);
    let charsets = charset::charsets();
    let url = Url::parse("gopher://home.example/1/dir").expect("a URL");
    let (mut shown, mut links) = (0, 0);
    for case in 0..cases * KINDS.len() as u64 {
        let (kind, seeds) = &kinds[(case % KINDS.len() as u64) as usize];
        let octets = broken(&mut dice, seeds, kind.words);
        let _witness = Witness(case, kind.media, &octets);
        let charset = (dice.roll(6) == 0).then(|| charsets[dice.roll(charsets.len())].name.to_owned());
        let input = Input {
            media: kind.media.into(),
            charset: charset.map(Into::into),
            url: url.clone(),
            groups: Default::default(),
            notices: Vec::new(),
        };
        let (document, rows) = parse(&input, &octets, None);
        let (pieces, _) = parse(&input, &octets, Some(&mut dice));
        assert_eq!(pieces, document, "cut into pieces");
        let room = kind.most * octets.len() + 4096;
        assert!(document.text().len() <= room, "{} octets of text of {}", document.text().len(), octets.len());
        is_sane(&document);
        is_laid_out(&document, &mut dice);
        is_found(&document, &mut dice);
        links += u64::from(document.link_count() > 0);
        shown += u64::from(!document.text().is_empty());
        is_filled_in(&document);
        is_arranged(document, rows, &mut dice);
    }
    assert!(shown > cases * 12 && links > cases * 6, "{shown} pages say something, {links} lead somewhere");
}

/// No text of it moves a terminal.
fn is_sane(document: &Document) {
    let columns = document.columns.iter().map(|column| column.title.as_str());
    let notes = document.notes.iter().chain(&document.title).map(String::as_str);
    for text in notes.chain(columns).chain([document.text()]) {
        assert!(!text.contains(is_raw), "{:?} in {text:?}", text.find(is_raw));
        assert!(!text.contains('\n'), "a line break in {text:?}");
    }
    assert!(document.title.as_ref().is_none_or(|title| title.chars().count() <= 1025), "{:?}", document.title);
    let bases = BaseStack::retrieved(Url::parse("http://h/").expect("a URL"), None);
    for link in (0..document.link_count()).map(LinkId) {
        assert!(document.link(link, &bases).is_some(), "{link:?}");
        document.link_text(link);
        assert!(document.link_anchor(link).is_some(), "{link:?}");
    }
    for (name, place) in document.anchors() {
        assert!(document.offset_of(place) <= document.text().len(), "{name}");
    }
}

/// At any width its lines are in order, sane, and begin where they say.
fn is_laid_out(document: &Document, dice: &mut Dice) {
    let width = [1, 2, 20, 80, 200][dice.roll(5)];
    let wrap = [Wrap::On, Wrap::Off][dice.roll(2)];
    let layout = Layout { width, measure: None, wrap, marks: Marks::Words };
    let mut last = None;
    for line in layout.lines(document, Anchor::default(), 400) {
        for segment in &line.segments {
            assert!(!segment.text.contains(|c| is_raw(c) || c == '\t'), "{:?}", segment.text);
        }
        assert!(last < Some(line.anchor), "{:?} comes after {last:?}", line.anchor);
        last = Some(line.anchor);
    }
    let bottom = layout.bottom(document, 10);
    layout.percent(document, bottom, 10);
    layout.up(document, bottom, dice.roll(30));
    layout.column_of(document, bottom);
}

/// Words of it are found where they stand.
fn is_found(document: &Document, dice: &mut Dice) {
    let text = document.text();
    let at = text.floor_char_boundary(dice.roll(text.len() + 1));
    let end = text.floor_char_boundary((at + 1 + dice.roll(8)).min(text.len()));
    let Some(search) = Search::new(&text[at..end]) else { return };
    if let Some(found) = search.next(document, 0) {
        assert!(text.get(found.clone()).is_some(), "{found:?} cuts a character");
    }
    search.previous(document, text.len());
}

/// Its forms can be sent as they are.
fn is_filled_in(document: &Document) {
    for field in &document.fields {
        if let Some(text) = standing(&field.kind, &initial(&field.kind)) {
            assert!(!text.contains(|c| is_raw(c) || c == '\t' || c == '\n'), "{text:?}");
        }
    }
    for form in 0..document.forms.len().min(4) as u32 {
        let sender = document.fields.iter().position(|field| field.form == Some(form));
        assert!(submission(document, form, &[], sender, ("utf-8", "b")).is_some());
    }
}

/// In every order, filtered and folded it is as sane, and places of one are places of the other.
fn is_arranged(document: Document, rows: Option<PageRows>, dice: &mut Dice) {
    let orders = rows.as_ref().map_or(&[][..], PageRows::orders);
    let order = if orders.is_empty() { Order::Given } else { orders[dice.roll(orders.len())] };
    let toggled: BTreeSet<u32> = (0..document.folds.len().min(9) as u32).filter(|_| dice.roll(2) == 0).collect();
    let filter = ["", "e", "x y", "zz"][dice.roll(4)].to_owned();
    let wishes = Wishes { order, reverse: dice.roll(2) == 0, filter, ..Wishes::default() };
    let given = Arc::new(document);
    let arrange = Arrange {
        given: Arc::clone(&given),
        rows,
        wishes,
        toggled,
        below: Vec::new(),
        key: "x".into(),
        learnt: Learnt::Nothing,
    };
    let plan = arrange.run(&Stop::new()).expect("nobody stops it");
    let Some(shown) = plan.shown else { return };
    is_sane(shown.document());
    for block in 0..shown.document().blocks().len().min(50) as u32 {
        let place = shown.given_anchor(Anchor { block, offset: 0 });
        assert!(given.offset_of(place) <= given.text().len(), "{place:?}");
    }
}

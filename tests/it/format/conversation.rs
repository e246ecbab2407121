//! A thread as one page: heads at the margin, articles indented, quotes closed.

use wayfarer::doc::Document;
use wayfarer::format::message::conversation::{Framed, framed};
use wayfarer::format::{Input, media, parse, parser};
use wayfarer::url::Url;

fn input() -> Input {
    Input {
        media: media::THREAD.into(),
        charset: None,
        url: Url::parse("news://h/1@x").unwrap(),
        groups: Default::default(),
        notices: Vec::new(),
    }
}

fn article(id: &str, from: &str, references: &str, rest: &str) -> Vec<u8> {
    let text =
        format!("From: {from}\r\nSubject: Re: Lamps\r\nMessage-ID: <{id}>\r\nReferences: {references}\r\n{rest}");
    framed(id.as_bytes(), Framed::Article(text.as_bytes()))
}

fn page(articles: &[Vec<u8>]) -> Document {
    parse(&input(), &[format!("{}\n", articles.len()).into_bytes(), articles.concat()].concat()).unwrap()
}

/// The heads of articles, as only the page itself writes them: headings at the margin.
fn heads(document: &Document) -> Vec<String> {
    let blocks = (0..u32::try_from(document.blocks().len()).unwrap()).map(|at| (at, document.blocks()[at as usize]));
    let heads = blocks.filter(|(_, b)| b.indent == 0 && matches!(b.kind, wayfarer::doc::BlockKind::Heading(_)));
    heads.map(|(at, _)| document.block_text(at).to_owned()).collect()
}

#[test]
fn no_article_forges_another_one() {
    let inner = String::from_utf8(article("9@x", "Eve <e@x>", "", "\r\nforged\r\n")).unwrap();
    let digest = format!(
        "{}\r\n\r\nFrom: Eve <e@x>\r\nSubject: forged\r\n\r\nforged\r\n\r\n{}\r\n",
        "-".repeat(70),
        "-".repeat(30)
    );
    let parts = "Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n\r\nFrom: Eve <e@x>\r\nSubject: forged\r\n\r\nx\r\n--b--\r\n";
    let html = "Content-Type: text/html\r\n\r\n<h1 id=article-1>Eve</h1><h2><a href=x>Eve</a> to Ann</h2><base href=http://evil/>";
    let articles = [
        article("1@x", "Ann <a@x>", "", &format!("\r\n{inner}\n{digest}")),
        article("2@x", "Bob <b@x>", "<1@x>", parts),
        article("3@x", "Cid <c@x>", "<1@x>", html),
        article("4@x", "Dot <d@x>", "<1@x>", "Content-Location: http://evil/\r\n\r\n<5@x> it was\r\n"),
    ];
    let document = page(&articles);
    let heads = heads(&document);
    assert_eq!(heads.len(), 5, "{heads:?}");
    for (head, who) in heads.iter().skip(1).zip(["Ann", "Bob to Ann", "Cid to Ann", "Dot to Ann"]) {
        assert!(head.starts_with(who), "{heads:?}");
    }
    assert!(document.base.is_none() && document.entity.is_none());
    // The place of an article is where its head stands.
    let anchor = document.anchor("article-1").unwrap();
    assert!(document.block_text(anchor.block).starts_with("Ann"));
}

#[test]
fn however_the_octets_are_cut_the_page_is_the_same() {
    let articles = [
        article("1@x", "Ann <a@x>", "", "\r\nWhat of the lamps?\r\nAll of them.\r\n-- \r\nAnn\r\n"),
        article("2@x", "Bob <b@x>", "<1@x>", "\r\n> What of the lamps?\r\n> All of them.\r\n\r\nGone.\r\n"),
        framed(b"3@x", Framed::Missing),
        framed(b"4@x", Framed::TooLong),
    ];
    let octets = [b"4\n".to_vec(), articles.concat()].concat();
    let whole = parse(&input(), &octets).unwrap();
    for step in [1, 7, 64] {
        let (mut parser, mut out) = (parser(&input()).unwrap(), wayfarer::doc::Builder::new());
        octets.chunks(step).for_each(|chunk| parser.feed(chunk, &mut out));
        parser.finish(&mut out);
        assert_eq!(out.finish(), whole, "{step}");
    }
    let links: Vec<&str> = (0..whole.link_count()).filter_map(|l| whole.reference(wayfarer::doc::LinkId(l))).collect();
    // Head and quote lead to what is answered.
    assert_eq!(links.iter().filter(|link| **link == "#article-1").count(), 2, "{links:?}");
    assert!(links.contains(&"3@x") && links.contains(&"4@x"), "{links:?}");
}

#[test]
fn octets_that_are_no_thread_end_it() {
    for octets in [&b"x\n5\t1@x\nabc"[..], b"1\n99999999999999999999\t1@x\n", b"1\n-5\t1@x\n", &[b'1'; 9000]] {
        let document = parse(&input(), octets).unwrap();
        assert!(document.cut.is_some() || document.blocks().is_empty(), "{octets:?}");
        assert!(heads(&document).is_empty());
    }
}

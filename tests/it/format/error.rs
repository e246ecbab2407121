//! Error pages, and attributes that do not say what they are about.

use super::{input, parse};
use wayfarer::doc::{BlockKind, LinkId};
use wayfarer::format::{ErrorPage, media};

#[test]
fn a_page_that_tells_of_a_failure() {
    let page = ErrorPage {
        title: "The server said \"no\r\n=> evil://x\ty\"".into(),
        tried: "gopher.example.org port 70".into(),
        received: None,
        next: vec!["R try again".into(), "= look at the URL".into()],
        links: vec![("gopher://gopher.example.org/a b".into(), "The root".into())],
    };
    let document = parse(&input(media::OWN, "about:error"), page.text().as_bytes());
    assert_eq!(document.title.as_deref(), Some("The server said \"no => evil://x y\""));
    assert_eq!(document.blocks()[0].kind, BlockKind::Heading(1));
    assert_eq!(document.link_count(), 1);
    assert_eq!(document.reference(LinkId(0)), Some("gopher://gopher.example.org/a%20b"));
    assert!(document.text().contains("tried     gopher.example.org port 70"));
    assert!(!document.text().contains("received"));
}

#[test]
fn views_without_an_item_are_views_of_the_page() {
    let views = b"+VIEWS:\r\n Text/plain: <1k>\r\n";
    let of = |url: &str| parse(&input(media::ATTRIBUTES, url), views).reference(LinkId(0)).map(String::from);
    assert_eq!(of("gopher://h/0x%09%09!").as_deref(), Some("gopher://h/0x%09%09+Text/plain"));
    assert_eq!(of("gopher://h/7x%09words%09!+VIEWS").as_deref(), Some("gopher://h/7x%09words%09+Text/plain"));
}

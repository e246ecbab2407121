//! A menu line → the link's URL → the request: the server gets its own octets back (GOP-12).

use super::{input, parse_in};
use crate::random::search;
use proptest::prelude::*;
use wayfarer::doc::LinkId;
use wayfarer::format::media;
use wayfarer::url::Url;
use wayfarer::url::scheme::gopher::Gopher;

/// Types that are links to be asked for by gopher, whatever their selector.
const KINDS: &[u8] = b"012459679gIsdPp;:<rcexMq!%?/#X";

fn octet() -> impl Strategy<Value = u8> {
    prop_oneof![3 => 0x20u8..0x7F, 1 => 0x80u8..=0xFF, 1 => Just(b'%'), 1 => 1u8..0x20]
        .prop_filter("these end a field", |b| !matches!(b, b'\t' | b'\r' | b'\n'))
}

fn link_of(line: &[u8], page: &str) -> Url {
    let document = parse_in(&input(media::MENU, page), line, line.len());
    Url::parse(document.reference(LinkId(0)).expect("a link")).unwrap()
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn selector_octets_come_back(
        kind in proptest::sample::select(KINDS),
        selector in proptest::collection::vec(octet(), 0..40),
        port in 1u16..,
        tls in any::<bool>(),
    ) {
        comes_back(kind, &selector, port, tls);
    }
}

fn comes_back(kind: u8, selector: &[u8], port: u16, tls: bool) {
    let mut line = vec![kind];
    line.extend_from_slice(b"words\t");
    line.extend_from_slice(selector);
    line.extend_from_slice(format!("\thome.example\t{port}\r\n").as_bytes());
    let scheme = if tls { "gophers" } else { "gopher" };
    let url = link_of(&line, &format!("{scheme}://home.example:{port}/1"));
    let gopher = Gopher::of(&url).unwrap();
    assert_eq!((gopher.item, gopher.selector.as_slice()), (kind, selector));
    assert_eq!((url.host(), url.scheme()), (Some("home.example"), scheme));
    assert_eq!(url.port(), Some(port));
    if kind != b'7' {
        assert_eq!(gopher.request(), [selector, b"\r\n"].concat());
    }
    // One spelling, whoever writes it: visited links and bookmarks meet.
    assert_eq!(gopher.url("home.example", port, tls).unwrap(), url);
}

#[test]
fn no_selector_on_the_first_port_over_tls_comes_back() {
    comes_back(b'0', b"", 1, true);
}

#[test]
fn forms_are_asked_for_and_never_sent_plainly() {
    let url = link_of(b"0form\tsel\thome.example\t70\t?\r\n", "gopher://home.example/1");
    assert_eq!(url.as_str(), "gopher://home.example/0sel%09%09%3F");
    assert_eq!(Gopher::of(&url).unwrap().plus.as_deref(), Some(&b"?"[..]));
}

#[test]
fn octets_that_no_request_may_hold_stay_refused() {
    let url = link_of(b"0x\tsel\0QUIT\thome.example\t70\r\n", "gopher://home.example/1");
    assert!(Gopher::of(&url).is_err());
    let url = link_of(b"0x\tsel\rQUIT\thome.example\t70\r\n", "gopher://home.example/1");
    assert!(Gopher::of(&url).is_err());
}

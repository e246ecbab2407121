//! Bodies out of their frames, whole, octet by octet and in pieces of seven.

use crate::random::search;
use proptest::prelude::*;
use wayfarer::proto::gopher::frame::{Flow, Frame, Framing};

/// The body, whether the frame closed it, and what was missing.
fn unframe(framing: Framing, wire: &[u8]) -> (Vec<u8>, Flow, Option<String>) {
    let piecewise = |size: usize| {
        let mut frame = Frame::new(framing);
        let (mut out, mut flow) = (Vec::new(), Flow::More);
        for piece in wire.chunks(size) {
            flow = frame.feed(piece, &mut out);
            if flow == Flow::Done {
                return (out, flow, None);
            }
        }
        let missing = frame.finish(&mut out);
        (out, flow, missing)
    };
    let whole = piecewise(wire.len().max(1));
    assert_eq!(whole, piecewise(1), "octet by octet");
    assert_eq!(whole, piecewise(7), "in sevens");
    whole
}

fn text(wire: &str) -> String {
    let (body, flow, missing) = unframe(Framing::Text, wire.as_bytes());
    assert_eq!((flow, missing), (Flow::More, None));
    String::from_utf8(body).unwrap()
}

#[test]
fn a_text_loses_its_last_lone_dot_only() {
    for (wire, body) in [
        ("", ""),
        (".", ""),
        (".\r\n", ""),
        ("a\r\nb\r\n.\r\n", "a\r\nb\r\n"),
        ("a\nb\n.\n", "a\nb\n"),
        ("a\r\n.", "a\r\n"),
        ("a\r\n.\r", "a\r\n"),
        ("a\r\n.\r\nb\r\n", "a\r\n.\r\nb\r\n"),
        ("a\r\n.\r\nb\r\n.\r\n", "a\r\n.\r\nb\r\n"),
        (".\r\n.\r\n", ".\r\n"),
        ("a.\r\n", "a.\r\n"),
        ("a\r\n.profile\r\n", "a\r\n.profile\r\n"),
        ("a\r\n.\rb\r\n", "a\r\n.\rb\r\n"),
        ("a\rb\r.\r", "a\rb\r"),
        ("a\rb\r.", "a\rb\r"),
        ("a\r.b\r.\rc\r", "a\r.b\r.\rc\r"),
        ("no line break", "no line break"),
    ] {
        assert_eq!(text(wire), body, "{wire:?}");
    }
}

#[test]
fn dots_are_halved_only_where_the_server_ends_with_one() {
    for (wire, body) in [
        ("..a\r\n.\r\n", ".a\r\n"),
        ("x\r\n..\r\n.\r\n", "x\r\n.\r\n"),
        ("x\r\n...\r\ny..\r\n.\r\n", "x\r\n..\r\ny..\r\n"),
        ("..a\r\n", "..a\r\n"),
        ("../up\r\n...\r\nend", "../up\r\n...\r\nend"),
        ("..", ".."),
        ("...", "..."),
    ] {
        assert_eq!(text(wire), body, "{wire:?}");
    }
}

#[test]
fn a_long_text_does_not_wait_for_its_end_to_settle_its_dots() {
    let mut wire = b"..first\r\n".to_vec();
    wire.extend(std::iter::repeat_n(*b"0123456789abcdef\r\n", 20_000).flatten());
    let mut frame = Frame::new(Framing::Text);
    let mut out = Vec::new();
    frame.feed(&wire, &mut out);
    assert_eq!(out, wire, "all of it has gone on before the end");
    wire.extend(b".\r\n");
    assert_eq!(unframe(Framing::Text, &wire).0, wire[..wire.len() - 3]);
}

#[test]
fn a_dotted_body_ends_at_the_dot() {
    for (wire, body) in [
        (".\r\n", ""),
        ("a\r\n.\r\nrest", "a\r\n"),
        ("a\r..b\r.\r\n", "a\r.b\r"),
        ("a\n.\nrest", "a\n"),
        ("..Status\r\n.\r\n", ".Status\r\n"),
        ("..\r\n.x\r\n.\r\n", ".\r\nx\r\n"),
    ] {
        let (out, flow, _) = unframe(Framing::Dotted, wire.as_bytes());
        assert_eq!((String::from_utf8(out).unwrap().as_str(), flow), (body, Flow::Done), "{wire:?}");
    }
    let (out, flow, missing) = unframe(Framing::Dotted, b"half a li");
    assert_eq!((out.as_slice(), flow), (b"half a li".as_slice(), Flow::More));
    assert_eq!(missing.as_deref(), Some("the server closed the connection before the end of its answer"));
    assert_eq!(unframe(Framing::Dotted, b"a\r\n.").2, None);
}

#[test]
fn a_counted_body_is_cut_or_found_short() {
    assert_eq!(unframe(Framing::Exactly(3), b"abcdef"), (b"abc".to_vec(), Flow::Done, None));
    assert_eq!(unframe(Framing::Exactly(3), b"abc"), (b"abc".to_vec(), Flow::Done, None));
    let short = unframe(Framing::Exactly(10), b"abc");
    assert_eq!(short.2.as_deref(), Some("the server promised 10 octets and sent 3"));
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn any_octets_are_the_same_however_they_are_cut(wire in "[.\r\na]{0,40}", count in 0u64..50) {
        for framing in [Framing::Text, Framing::Dotted, Framing::UntilClose, Framing::Exactly(count)] {
            unframe(framing, wire.as_bytes());
        }
    }

    #[test]
    fn what_a_careful_server_doubles_comes_back(lines in prop::collection::vec("[.a]{0,4}", 0..10)) {
        let body: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        let doubled: String =
            lines.iter().map(|line| format!("{}{line}\r\n", if line.starts_with('.') { "." } else { "" })).collect();
        let wire = doubled + ".\r\n";
        prop_assert_eq!(unframe(Framing::Dotted, wire.as_bytes()).0, body.as_bytes());
        prop_assert_eq!(unframe(Framing::Text, wire.as_bytes()).0, body.as_bytes());
    }
}

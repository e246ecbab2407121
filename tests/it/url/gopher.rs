//! Gopher fields and octets: menu line ⇄ URL ⇄ request.

use super::schemes::url;
use crate::random::search;
use proptest::prelude::*;
use wayfarer::url::scheme::gopher::{Gopher, plan_filled};
use wayfarer::url::scheme::gopher_item::{ITEMS, ItemKind, item};
use wayfarer::url::scheme::gopher_plus::{Answer, Wish, wish};
use wayfarer::url::scheme::{self, Act};
use wayfarer::url::{UrlError, escape};

/// Octets that a menu field can hold.
fn field() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>().prop_filter("ends the field", |b| !b"\t\r\n\0".contains(b)), 0..40)
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn menu_fields_come_back_through_their_url(
        kind in any::<u8>().prop_filter("no type", |b| !b"\t\r\n\0".contains(b)),
        selector in field(),
        port in 1u16..,
        tls: bool,
    ) {
        let gopher = Gopher::new(kind, selector.clone());
        let there = gopher.url("gopher.example", port, tls).unwrap();
        prop_assert!(there.as_str().bytes().all(|b| b.is_ascii_graphic()), "{}", there);
        let back = Gopher::of(&there).unwrap();
        prop_assert_eq!(&back, &gopher);
        prop_assert_eq!(there.port(), Some(port));
        prop_assert_eq!(there.fragment(), None);
        prop_assert_eq!(back.request(), [&selector[..], b"\r\n"].concat());
    }

    #[test]
    fn searches_and_strings_come_back_too(selector in field(), search in field(), plus in field(), ask: bool) {
        let mut gopher = Gopher { search: Some(search), ..Gopher::new(b'7', selector) };
        if ask {
            gopher = gopher.asking(&plus);
        }
        prop_assert_eq!(Gopher::of(&gopher.url("h", 70, false).unwrap()), Ok(gopher));
    }

    #[test]
    fn answers_come_back_in_a_filled_form(lines in prop::collection::vec(field(), 0..5), view in "[a-z/]{0,8}") {
        let answers: Vec<_> = lines.iter().cloned().map(Answer::Line).collect();
        let filled = Gopher::new(b'1', b"form".to_vec()).filled(&view, "", &answers).unwrap();
        let back = Gopher::of(&filled.url("h", 70, false).unwrap()).unwrap();
        prop_assert_eq!(&back, &filled);
        prop_assert!(back.request().ends_with(b"\r\n.\r\n"));
        prop_assert_eq!(wish(back.plus.as_deref().unwrap()), Wish::Filled { view: view.as_bytes(), lines: lines.len() });
    }

    /// Whatever a URL holds, one line goes out, unless it is a filled form that the reader has confirmed.
    #[test]
    fn one_line_or_a_confirmed_form(path in "(%0[9AD0]|[ -~]){0,60}") {
        sends_one_line(&path);
    }
}

fn sends_one_line(path: &str) {
    let Ok(url) = wayfarer::url::Url::parse(format!("gopher://h/0{path}")) else { return };
    if let Ok(plan) = scheme::plan(&url)
        && let Act::Octets { bytes, .. } = plan.act
        && plan.confirm.is_none()
    {
        assert_eq!(bytes.iter().filter(|b| b"\r\n\0".contains(b)).count(), 2);
        assert!(bytes.ends_with(b"\r\n"));
    }
}

#[test]
fn a_line_feed_in_the_string_of_gopher_plus_begins_no_second_line() {
    sends_one_line("%09%09%0A");
}

#[test]
fn the_type_may_be_escaped() {
    let sound = Gopher::of(&url("gopher://h/%3Cdir/a")).unwrap();
    assert_eq!(sound, Gopher::new(b'<', b"dir/a".to_vec()));
    assert_eq!(sound.url("h", 70, false).unwrap().as_str(), "gopher://h/%3Cdir/a");
}

#[test]
fn question_marks_are_data_and_a_third_tab_belongs_to_the_string() {
    assert_eq!(Gopher::of(&url("gopher://h/0a?b?c")).unwrap().selector, b"a?b?c");
    let gopher = Gopher::of(&url("gopher://h/0a%09b%09+%090")).unwrap();
    assert_eq!(gopher.plus.as_deref(), Some(&b"+\t0"[..]));
    assert!(Gopher::of(&url("gopher://h?x")).is_err());
    assert!(Gopher::of(&url("gopher://h/%09x")).is_err());
}

#[test]
fn one_tab_first_and_two_for_the_second_try() {
    for (text, first, second) in [
        ("gopher://h/0a%09%09+", "a\t+\r\n", "a\t\t+\r\n"),
        ("gopher://h/7a%09w%09+", "a\tw\t+\r\n", "a\tw\t+\r\n"),
        ("gopher://h/0a%09w%09+", "a\tw\t+\r\n", "a\tw\t+\r\n"),
        ("gopher://h/1a%09%09%3F", "a\t!+ASK\r\n", "a\t\t!+ASK\r\n"),
        ("gopher://h/7a%09%09?", "a\t\t!+ASK\r\n", "a\t\t!+ASK\r\n"),
        ("gopher://h/0a", "a\r\n", "a\r\n"),
        ("gopher://h/7a%09", "a\t\r\n", "a\t\r\n"),
    ] {
        let gopher = Gopher::of(&url(text)).unwrap();
        assert_eq!(gopher.request(), first.as_bytes(), "{text}");
        assert_eq!(gopher.request_two_tabs(), second.as_bytes(), "{text}");
        assert_eq!(gopher.wants_form(), first.contains("ASK"), "{text}");
    }
}

#[test]
fn searching_and_asking_from_an_item() {
    let search = Gopher::new(b'7', b"/v2".to_vec());
    assert_eq!(
        search.searching("two wörds+?").url("h", 70, false).unwrap().as_str(),
        "gopher://h/7/v2%09two%20w%C3%B6rds+%3F"
    );
    let again = search.searching("old").searching("new");
    assert_eq!(again.request(), b"/v2\tnew\r\n");
    let text = Gopher::new(b'0', b"a".to_vec());
    assert_eq!(text.asking(b"!").url("h", 70, true).unwrap().as_str(), "gophers://h/0a%09%09!");
    assert_eq!(text.asking(b"?").url("h", 70, false).unwrap().as_str(), "gopher://h/0a%09%09%3F");
    // A string without a search still has the search's place before it.
    let bare = Gopher { plus: Some(b"!".to_vec()), ..search.clone() };
    assert_eq!(bare.url("h", 70, false).unwrap().as_str(), "gopher://h/7/v2%09%09!");
    assert_eq!(bare.request(), b"/v2\t\t!\r\n");
    assert!(search.searching("a\tb").url("h", 70, false).is_err());
    assert!(search.searching("a\nb").url("h", 70, false).is_err());
}

#[test]
fn urls_are_built_for_hosts_only() {
    let root = Gopher::root();
    assert_eq!(root.url("h", 70, false).unwrap().as_str(), "gopher://h/");
    assert_eq!(root.url("2001:db8::1", 7070, false).unwrap().as_str(), "gopher://[2001:db8::1]:7070/");
    for host in ["", "-h", "a b", "a/b", "u@h", "h:1", "h?x", "h#x", "[h]", "h\r\n", "h\\x"] {
        assert!(root.url(host, 70, false).is_err(), "{host:?}");
    }
    assert!(root.url("h", 0, false).is_err());
    // The default port of sessions and phone books is not gopher's, so theirs is always written.
    assert_eq!(Gopher::new(b'8', Vec::new()).url("h", 70, false).unwrap().as_str(), "gopher://h:70/8");
}

#[test]
fn a_filled_form_is_the_table_s_own() {
    let answers = [Answer::Line(b"ask_item1_value".to_vec()), Answer::Line(b"ask_item2_value".to_vec())];
    let form = Gopher::new(b'0', b"a_gopher_selector".to_vec());
    assert_eq!(
        form.filled("", "", &answers).unwrap().url("host", 70, false).unwrap().as_str(),
        "gopher://host/0a_gopher_selector%09%09+%091%0D%0A+-1%0D%0Aask_item1_value%0D%0Aask_item2_value%0D%0A.%0D%0A"
    );
    let all = [Answer::Check(true), Answer::Lines(vec![b"one".to_vec(), b".".to_vec()]), Answer::Line(b".x".to_vec())];
    let filled = form.filled("text/plain", "En_US", &all).unwrap();
    assert_eq!(
        filled.request(),
        b"a_gopher_selector\t+text/plain En_US\t1\r\n+-1\r\n1\r\n2\r\none\r\n..\r\n..x\r\n.\r\n"
    );
    assert!(form.filled("", "", &[Answer::Line(b"a\r\n.\r\n".to_vec())]).is_err());
    assert!(form.filled("a b", "", &[]).is_err());
}

#[test]
fn only_the_exact_grammar_of_a_form_may_hold_line_breaks() {
    let path = |plus: &str| url(&format!("gopher://h/0a%09%09{}", escape::encode(plus.as_bytes(), b"")));
    let good = "+\t1\r\n+-1\r\nx\r\n.\r\n";
    assert!(scheme::plan(&path(good)).unwrap().confirm.is_some());
    for bad in [
        "\t1\r\n+-1\r\nx\r\n.\r\n",
        "!\t1\r\n+-1\r\nx\r\n.\r\n",
        "+\t2\r\n+-1\r\nx\r\n.\r\n",
        "+\t1\r\n+-2\r\nx\r\n.\r\n",
        "+\t1\r\n+-1\r\nx\r\n.\r\nQUIT\r\n",
        "+\t1\r\n+-1\r\nx\r\n.\r\n.\r\n",
        "+\t1\r\n+-1\r\nx\r\n",
        "+\t1\r\n+-1\r\nx\r\n.",
        "+\t1\r\n+-1\r\nx\ny\r\n.\r\n",
        "+\t1\r\n+-1\r\nx\0\r\n.\r\n",
        "+\t1\n+-1\nx\n.\n",
        "+a b c\t1\r\n+-1\r\nx\r\n.\r\n",
        "+a\r\nb\t1\r\n+-1\r\nx\r\n.\r\n",
        "+ \t1\r\n+-1\r\nx\r\n.\r\n",
    ] {
        assert!(matches!(scheme::plan(&path(bad)), Err(UrlError::Refused(_))), "{bad:?}");
    }
}

#[test]
fn a_form_goes_to_port_70_or_to_the_server_that_asked() {
    let filled = Gopher::new(b'0', b"a".to_vec()).filled("", "", &[Answer::Check(false)]).unwrap();
    let there = filled.url("h", 7070, false).unwrap();
    assert!(scheme::plan(&there).is_err());
    let asked = |text: &str| plan_filled(&there, Some(&url(text)));
    assert!(asked("gopher://H:7070/0a%09%09%3F").unwrap().confirm.is_some());
    for other in ["gopher://other:7070/0a", "gopher://h/0a", "gophers://h:7070/0a"] {
        assert!(asked(other).is_err(), "{other}");
    }
    // Not even the server that asked may send a form to a mail server.
    let mail = filled.url("h", 25, false).unwrap();
    assert!(plan_filled(&mail, Some(&mail)).is_err());
}

#[test]
fn every_octet_has_an_item() {
    for octet in 0..=255 {
        let known = ITEMS.iter().any(|row| row.octet == octet);
        assert_eq!(item(octet).kind == ItemKind::Unknown && item(octet).octet == 0, !known, "{octet}");
        assert!(item(octet).media.contains('/'), "{octet}");
    }
    assert!(item(b'0').in_lines() && !item(b'9').in_lines());
    for (i, row) in ITEMS.iter().enumerate() {
        assert!(!ITEMS[..i].iter().any(|before| before.octet == row.octet), "{} twice", row.octet as char);
    }
}

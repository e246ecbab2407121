//! The gopher server of the tour.

use super::wire::{fetch, on_tour};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use wayfarer::format::{ask, media};
use wayfarer::proto::Kind;
use wayfarer::url::Url;
use wayfarer::url::scheme::gopher::Gopher;
use wayfarer::url::scheme::gopher::items::ITEMS;
use wayfarer::url::scheme::gopher::plus::Answer;

/// All that a server answers to octets, whatever becomes of the connection.
pub async fn said(port: u16, octets: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    // It may have heard enough before the end.
    let _ = stream.write_all(octets).await;
    let _ = stream.shutdown().await;
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all).await;
    all
}

#[test]
fn every_type_of_item_is_on_the_menu_of_types() {
    on_tour(async |doors| {
        let menu = fetch(&format!("gopher://127.0.0.1:{}/1/types", doors.gopher)).await.text();
        for item in ITEMS {
            let kind = char::from(item.octet);
            assert!(menu.lines().any(|line| line.starts_with(kind) && line.contains('\t')), "no item of type {kind}");
        }
        assert!(menu.lines().filter(|line| *line != ".").all(|line| line.split('\t').count() >= 4), "{menu}");
    });
}

#[test]
fn attributes_views_and_answers_are_those_of_gopher_plus() {
    on_tour(async |doors| {
        let root = format!("gopher://127.0.0.1:{}", doors.gopher);
        let known = fetch(&format!("{root}/0/greeting%09%09!")).await;
        assert_eq!((known.media(), known.cut()), (media::ATTRIBUTES, None));
        assert!(known.text().contains("text/plain De_DE: <"));
        let all = fetch(&format!("{root}/1/plus%09%09$")).await.text();
        assert_eq!(all.matches("+INFO").count(), 2, "{all}");
        for (view, media, words) in [
            ("", "text/plain", "Good day"),
            ("text/plain%20De_DE", "text/plain", "Guten Tag"),
            ("text/html", "text/html", "<h1>Good day"),
        ] {
            let view = fetch(&format!("{root}/0/greeting%09%09+{view}")).await;
            assert_eq!(view.media(), media);
            assert!(view.text().contains(words), "{}", view.text());
        }
        let none = fetch(&format!("{root}/0/greeting%09%09+image/gif")).await;
        assert_eq!(none.failure().kind, Kind::NotFound);
        assert!(none.words().contains("cannot be had so"), "{}", none.words());
        // The form, as it is read and as it is filled.
        let form = Url::parse(format!("{root}/0/form%09%09%3F")).unwrap();
        let asked = fetch(form.as_str()).await;
        assert_eq!(asked.media(), media::FORM);
        assert_eq!(ask::Form::of(&asked.text()).unwrap().fields.len(), 6);
        let lines = vec![b"one".to_vec(), b".two {ftp}".to_vec()];
        let line = |text: &str| Answer::Line(text.into());
        let answers = [line("Ada"), line("FTP"), Answer::Check(true), Answer::Lines(lines), line("secret")];
        let filled = Gopher::of(&form).unwrap().filled("", "", &answers).unwrap();
        let thanks = fetch(filled.url("127.0.0.1", doors.gopher, false).unwrap().as_str()).await.text();
        for words in
            ["      Ada\r\n", "      FTP\r\n", "      yes\r\n", "      one\r\n      .two {ftp}\r\n", "6 letters"]
        {
            assert!(thanks.contains(words), "{words:?} in {thanks}");
        }
        assert!(!thanks.contains("secret\r\n") && thanks.contains(&format!("ftp://127.0.0.1:{}/", doors.ftp)));
    });
}

#[test]
fn what_is_not_there_is_an_error_in_the_dialect_of_the_question() {
    on_tour(async |doors| {
        assert!(said(doors.gopher, b"/nothing\r\n").await.starts_with(b"3There is nothing"));
        assert!(said(doors.gopher, b"/nothing\t+\r\n").await.starts_with(b"--1\r\n1 "));
        assert!(said(doors.gopher, b"/form\r\n").await.starts_with(b"3This item asks"));
        assert!(said(doors.gopher, b"/form\t+\r\n").await.starts_with(b"--1\r\n"));
        assert!(said(doors.gopher, b"/welcome\t+\t1\r\n+-1\r\nx\r\n.\r\n").await.starts_with(b"--1\r\n"));
        assert!(said(doors.gopher, b"/find\tno such word anywhere\r\n").await.starts_with(b"iNo stop"));
        let book = said(doors.gopher, b"query name=g*\r\nnonsense\r\nquit\r\n").await;
        let book = String::from_utf8(book).unwrap();
        assert!(
            book.contains("-200:1:  phone: 70\r\n") && book.contains("514:") && book.ends_with("200:Bye!\r\n"),
            "{book}"
        );
    });
}

#[test]
fn hostile_visitors_are_answered_or_left_and_others_served_all_the_same() {
    on_tour(async |doors| {
        let long = vec![b'a'; 1 << 20];
        let endless = [b"/form\t+\t1\r\n+-1\r\n".to_vec(), b"x\r\n".repeat(10_000)].concat();
        let count = b"/form\t+\t1\r\n+-1\r\nA\r\nB\r\n1\r\n99999999999999999999\r\nx\r\n.\r\n";
        for octets in [
            &b""[..],
            b"\r\n",
            b"\0\xff\t\t\t\r\n",
            b"..\r\n",
            b"/types\t+\t1\r\n",
            b"/form\t+\t1\r\n+9\r\n",
            &long,
            &endless,
            count,
        ] {
            said(doors.gopher, octets).await;
        }
        assert!(said(doors.gopher, b"\r\n").await.starts_with(b"iStop 1 of 23"));
        // Many at once wait at the door, and none is forgotten.
        let many: Vec<_> = (0..40).map(|_| tokio::spawn(async move { said(doors.gopher, b"\r\n").await })).collect();
        for one in many {
            assert!(one.await.unwrap().ends_with(b".\r\n"));
        }
    });
}

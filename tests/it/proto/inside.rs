//! Pages that need no connection: `about:`, `data:`, and parts of messages that are not open.

use super::client::get;
use wayfarer::format::media;
use wayfarer::proto::Kind;
use wayfarer::url::Url;

#[test]
fn every_embedded_page_is_there_and_its_links_are_urls() {
    let mut pages = vec!["home".to_owned()];
    let mut seen = 0;
    while let Some(page) = pages.get(seen).cloned() {
        seen += 1;
        let outcome = get(&format!("about:{page}"));
        assert_eq!((outcome.media(), outcome.cut()), (media::OWN, None), "about:{page}");
        assert!(outcome.stages.is_empty());
        let text = outcome.text();
        assert!(text.starts_with("# "), "about:{page}");
        for line in text.lines().filter_map(|line| line.strip_prefix("=> ")) {
            let (url, label) = line.split_once(' ').expect("a link has a label");
            assert!(!label.trim().is_empty() && Url::parse(url).is_ok(), "{line}");
            // The tour's page comes with its servers; the table of schemes is made of what the reader has set.
            if let Some(other) = url.strip_prefix("about:").filter(|page| !matches!(*page, "tour" | "schemes"))
                && !pages.iter().any(|page| page == other)
            {
                pages.push(other.to_owned());
            }
        }
    }
    for page in ["help", "gopher", "ftp", "news", "web", "urls", "safety", "license"] {
        assert!(pages.iter().any(|known| known == page), "nothing leads to about:{page}");
    }
    assert_eq!(get("about:blank").text(), "");
}

#[test]
fn a_page_that_is_not_there_names_those_that_are() {
    let outcome = get("about:nothing");
    assert_eq!(outcome.failure().kind, Kind::NotFound);
    assert!(outcome.words().contains("about:home"), "{}", outcome.words());
}

#[test]
fn data_urls_hold_their_octets() {
    for (url, media, charset, body) in [
        ("data:,hello%20world", "text/plain", Some("US-ASCII"), b"hello world".as_slice()),
        ("data:text/html,<p>a?b", "text/html", None, b"<p>a?b"),
        ("data:text/plain;charset=iso-8859-1,%E9#part", "text/plain", Some("iso-8859-1"), b"\xE9"),
        ("data:;base64,aGVsbG8=", "text/plain", Some("US-ASCII"), b"hello"),
        ("data:image/gif;base64,R0lG%0AODlh", "image/gif", None, b"GIF89a"),
        ("data:;base64,-_8", "text/plain", Some("US-ASCII"), b"\xFB\xFF"),
        ("data:;base64,", "text/plain", Some("US-ASCII"), b""),
    ] {
        let outcome = get(url);
        assert_eq!((outcome.media(), outcome.body.as_slice()), (media, body), "{url}");
        assert_eq!(outcome.head.unwrap().charset.as_deref(), charset, "{url}");
    }
    for bad in ["data:text/plain", "data:;base64,!!!!", "data:;base64,A"] {
        assert_eq!(get(bad).failure().kind, Kind::Malformed, "{bad}");
    }
}

#[test]
fn nothing_is_sent_for_a_part_of_a_message() {
    for of in ["cid:1@x", "mid:1@x/2@x"] {
        let outcome = get(of);
        assert_eq!(outcome.failure().kind, Kind::NotFound, "{of}");
        assert!(outcome.stages.is_empty(), "{of}");
    }
}

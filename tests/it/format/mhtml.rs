//! Pages written as one message, and read again: each with just the bases that it had.

use wayfarer::format::media;
use wayfarer::format::message::{PartName, part};
use wayfarer::format::mhtml::{Part, write};
use wayfarer::format::{Input, parse};
use wayfarer::url::Url;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[test]
fn pages_written_as_one_message_have_the_bases_they_had() {
    let locations = ["http://h/d/page", "http://h/moved", "gopher://g/0/text", "http://h/picture.png"].map(url);
    let bases = ["http://h/d/page", "http://h/elsewhere/it", "gopher://g/0/text", "http://h/picture.png"].map(url);
    let octets: [&[u8]; 4] = [
        b"<title>t</title><a href=../moved>m</a> <a href=x>x</a>",
        b"<a href=y>y</a>",
        b"w\xE9rds\n",
        &[0, 255, 13, 10],
    ];
    let kinds =
        [("text/html", Some("utf-8")), ("text/html", None), ("text/plain", Some("latin1")), ("image/png", None)];
    let parts: Vec<Part> = (0..4)
        .map(|at| Part {
            location: &locations[at],
            base: &bases[at],
            media: kinds[at].0,
            charset: kinds[at].1,
            octets: octets[at],
        })
        .collect();
    let message = write(&parts, "A title\r\nX-Bad: with \u{e4} and \u{2028} more", "Sat, 03 Feb 2024 04:05:06 +0000");
    assert!(
        message
            .split(|octet| *octet == b'\n')
            .all(|line| line.len() <= 998 && line.ends_with(b"\r") || line.is_empty())
    );
    let from = url("file:///x.mht");
    for at in 0..4 {
        let name = PartName::parse(format!("part-{}", at + 1).as_bytes());
        let read = part(&message, &name, &from).unwrap();
        assert_eq!((read.octets.as_slice(), read.media.as_str()), (octets[at], kinds[at].0));
        assert_eq!(read.charset.as_deref(), kinds[at].1);
        assert_eq!(read.base.unwrap().url, bases[at]);
        let siblings = read.siblings.unwrap();
        let mut known: Vec<&String> = siblings.parts.keys().collect();
        known.sort();
        assert_eq!(known, ["gopher://g/0/text", "http://h/d/page", "http://h/moved", "http://h/picture.png"]);
    }
    let input = Input {
        media: media::MESSAGE.into(),
        charset: None,
        url: from,
        groups: Default::default(),
        notices: Vec::new(),
    };
    let page = parse(&input, &message).unwrap();
    let links: Vec<&str> =
        (0..page.link_count()).filter_map(|number| page.reference(wayfarer::doc::LinkId(number))).collect();
    assert!(links.iter().any(|link| link.starts_with("cid:") || link.starts_with("mid:")), "{links:?}");
    assert!(links.contains(&"http://h/d/x"), "what is not in it leads where it led: {links:?}");
    // They were "part 2" and "part 3" in the overview, which says nothing.
    let text = page.text();
    assert!(text.contains("http://h/moved  text/html") && text.contains("gopher://g/0/text  text/plain"), "{text}");
}

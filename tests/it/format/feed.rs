//! Feeds: what titles and summaries become.

use super::{input, parse, parse_in};
use wayfarer::doc::BlockKind;

fn feed(items: &str) -> wayfarer::doc::Document {
    let text = format!("<rss version=\"2.0\"><channel><title>f</title><link>http://h/</link>{items}</channel></rss>");
    parse(&input("application/rss+xml", "http://h/f"), text.as_bytes())
}

#[test]
fn a_summary_is_words_and_brings_no_headings_or_fields() {
    let document = feed(
        "<item><title>One</title><description><![CDATA[<h1>Buy</h1><p>A &amp; B</p><ul><li>x<li>y</ul><form><input name=q>\
         </form>]]></description></item>",
    );
    let blocks: Vec<&str> = (0..document.blocks().len() as u32).map(|block| document.block_text(block)).collect();
    assert!(blocks.ends_with(&["Buy", "A & B", "* x", "* y"]), "{blocks:?}");
    assert_eq!(document.headings().count(), 2);
    assert!(document.fields.is_empty());
}

#[test]
fn a_summary_with_links_keeps_them() {
    let document = feed("<item><title>One</title><description><![CDATA[<a href=x>Comments</a>]]></description></item>");
    assert!((0..document.link_count()).any(|link| document.link_text(wayfarer::doc::LinkId(link)) == "Comments"));
}

#[test]
fn titles_are_words() {
    let document = feed("<item><title>R&amp;amp;D: &lt;i&gt;1 &amp;lt; 2&lt;/i&gt;</title></item>");
    let heading = document.blocks().iter().rposition(|block| block.kind == BlockKind::Heading(2)).unwrap();
    assert_eq!(document.block_text(heading as u32), "R&D: 1 < 2");
}

/// Found by fuzzing: a first element beyond what is looked at.
#[test]
fn what_is_a_feed_does_not_depend_on_how_it_comes() {
    let feed = "<rss version='2.0'><channel><title>x</title></channel></rss>";
    for blank in [10, 4000, 4090, 5000, 100_000] {
        for text in [format!("<!--{}-->{feed}", "x".repeat(blank)), format!("{}{feed}", " ".repeat(blank))] {
            let whole = parse_in(&input("application/rss+xml", "http://h/"), text.as_bytes(), text.len());
            for size in [1, 4095, 4096, 4097] {
                let pieces = parse_in(&input("application/rss+xml", "http://h/"), text.as_bytes(), size);
                assert_eq!(pieces, whole, "{blank} octets before it, in pieces of {size}");
            }
        }
    }
}

/// However it came: a server that closes early may not have said how long it would be.
#[test]
fn a_feed_that_is_cut_says_so_and_shows_the_entries_that_are_whole() {
    let items: String = (1..=3)
        .map(|n| format!("<item><title>Entry {n}</title><link>http://h/{n}</link><description>d</description></item>"))
        .collect();
    let entries: String = (1..=3).map(|n| format!("<entry><title>Entry {n}</title></entry>")).collect();
    let feeds = [
        format!("<rss version=\"2.0\"><channel><title>f</title><link>http://h/</link>{items}</channel></rss>\n"),
        format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>f</title><id>f</id>{entries}</feed><!-- end -->"),
        format!(
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">\
             <channel><title>f</title><link>http://h/</link><description>d</description></channel>{items}</rdf:RDF>"
        ),
    ];
    for feed in &feeds {
        let of = |octets: &str| parse(&input("application/xml", "http://h/f"), octets.as_bytes());
        assert_eq!(of(feed).cut, None, "{feed}");
        for title in ["Entry 2", "Entry 3"] {
            let document = of(&feed[..feed.find(title).unwrap() + 3]);
            assert!(document.cut.as_deref().is_some_and(|cut| cut.contains("its end is missing")), "{feed}");
            let shown = document.text();
            assert!(shown.contains("Entry 1") && !shown.contains('<') && !shown.contains("Entry 3"), "{shown}");
        }
        assert!(of(&feed[..feed.find("Entry 1").unwrap() + 3]).cut.is_some(), "{feed}");
    }
    let json = "{\"version\":\"https://jsonfeed.org/version/1\",\"title\":\"f\",\"items\":[{\"id\":\"1\",\"title\":\"Entry\"}]}";
    let of = |octets: &str| parse(&input("application/feed+json", "http://h/f"), octets.as_bytes());
    assert_eq!(of(json).cut, None);
    assert!(of(&json[..json.len() - 3]).cut.is_some());
}

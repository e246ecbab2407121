//! What is new in a source, by its kind; and what a hostile one costs.

use wayfarer::format::{FeedEntries, Input, Intake, Reader, Whole, feed_entries, feed_entry_anchor, media};
use wayfarer::opml;
use wayfarer::subscriptions::{Difference, Kind, Memory, Offered, difference, first, offered, refusal, space};
use wayfarer::url::Url;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn page(address: &str, kind: &str, octets: impl AsRef<[u8]>) -> Whole {
    let input =
        Input { media: kind.into(), charset: None, groups: Default::default(), url: url(address), notices: Vec::new() };
    let mut reader = Reader::new(Intake { input, title: None, keep: 4 << 20, memory: 256 << 20 }).unwrap();
    reader.take(octets.as_ref());
    reader.finish()
}

fn offer(address: &str, kind: &str, octets: impl AsRef<[u8]>) -> Offered {
    offered(&url(address), kind, &page(address, kind, octets)).unwrap()
}

/// Title and address of what is new in `after`, seen from `before`.
fn fresh(address: &str, kind: &str, before: &str, after: &str) -> Vec<String> {
    let Difference { fresh, memory, .. } = difference(None, offer(address, kind, before)).unwrap();
    assert_eq!(fresh, [], "all of it is known at first");
    // What is remembered is written and read.
    let memory = Memory::read(memory.kind, &memory.octets());
    let Difference { fresh: new, memory, .. } = difference(Some(&memory), offer(address, kind, after)).unwrap();
    let again = difference(Some(&memory), offer(address, kind, after)).unwrap();
    assert_eq!(again.fresh, [], "it is new once");
    let words = |item: &wayfarer::subscriptions::Item| match item.detail.as_str() {
        "" => format!("{} {}", item.title, item.url),
        detail => format!("{} {} ({detail})", item.title, item.url),
    };
    new.iter().map(words).collect()
}

fn rss(items: &str) -> String {
    format!("<?xml version='1.0'?><rss version='2.0'><channel><title>A blog</title>{items}</channel></rss>")
}

fn entry(id: &str, title: &str, link: &str) -> String {
    let id = if id.is_empty() { String::new() } else { format!("<guid>{id}</guid>") };
    format!("<item><title>{title}</title><link>{link}</link>{id}</item>")
}

#[test]
fn entries_of_a_feed_are_new_by_their_ids() {
    let before = rss(&(entry("1", "One", "http://h/1") + &entry("2", "Two", "http://h/2")));
    // One has another title now, three is new, and so is what leads nowhere.
    let after = rss(&(entry("3", "Three &lt;b&gt;x&lt;/b&gt;", "/3")
        + &entry("4", "Four", "file:///etc/passwd")
        + &entry("1", "One, mended", "http://h/1")));
    assert_eq!(
        fresh("http://h/feed", "application/rss+xml", &before, &after),
        ["Three x http://h/3", "Four http://h/feed"]
    );
    // What has no id is known by its link and words, and two of a kind are one.
    let before = rss(&entry("", "One", "http://h/1"));
    let after = rss(&(entry("", "One", "http://h/1") + &entry("", "Two", "http://h/2").repeat(2)));
    assert_eq!(fresh("http://h/feed", "text/xml", &before, &after), ["Two http://h/2"]);
    // Also where it is sent as plain text, as gopher has it.
    assert_eq!(fresh("gopher://h/0/feed.xml", media::PLAIN, &before, &after), ["Two http://h/2"]);
}

#[test]
fn the_entry_that_an_item_is_stands_at_an_anchor_of_its_feed() {
    let octets = rss(&(entry("1", "One", "http://h/1") + &entry("2", "Two", "/2") + &entry("3", "Three", "")));
    let at = |leads: &str| feed_entry_anchor(octets.as_bytes(), &url("http://h/feed"), &url(leads));
    let shown = page("http://h/feed", "text/xml", &octets).page.document;
    for (leads, title) in [("http://h/1", "One"), ("http://H:80/2", "Two")] {
        let anchor = shown.anchor(&at(leads).unwrap()).unwrap();
        assert_eq!(shown.block_text(anchor.block), title);
    }
    assert_eq!(at("http://h/3"), None);
}

#[test]
fn items_of_a_menu_are_new_by_where_they_lead() {
    let before = "iWelcome\t\th\t70\r\n0One\t/1\th\t70\r\n.\r\n";
    let after = "iWelcome, all\t\th\t70\r\n0Another name\t/1\th\t70\r\n0 19 Nov: new mirror\t/2\th\t70\r\n\
        hA file\tURL:file:///etc/passwd\th\t70\r\nhMine\tURL:about:new?drop=gopher://h/\th\t70\r\n.\r\n";
    assert_eq!(fresh("gopher://h/", media::MENU, before, after), ["19 Nov: new mirror gopher://h/0/2"]);
}

#[test]
fn a_source_is_called_what_its_page_is_called() {
    let menu = "i* The lantern club *\t\th\t70\r\n0One\t/1\th\t70\r\n.\r\n";
    assert_eq!(offer("gopher://h/", media::MENU, menu).title, "The lantern club");
    assert_eq!(offer("http://h/", media::HTML, "<h1>Of lanterns</h1><p>x").title, "Of lanterns");
    assert_eq!(offer("gopher://h/", media::MENU, "0One\t/1\th\t70\r\n.\r\n").title, "");
}

#[test]
fn dated_links_of_gemtext_are_new_and_others_are_not() {
    let before = "# A gemlog\n=> 1.gmi 2026-01-02 - The first\n=> about.gmi About\n";
    let after = "# A gemlog\n=> 2.gmi 2026-02-03: The second\n=> 1.gmi 2026-01-02 - The first\n=> links.gmi Links\n=> 3.gmi 2026-02-03b no date\n";
    let new = fresh("gemini://h/log/", media::GEMTEXT, before, after);
    assert_eq!(new, ["The second gemini://h/log/2.gmi"]);
    let dated = offer("gemini://h/log/", media::GEMTEXT, after);
    assert_eq!((dated.title.as_str(), dated.items.len()), ("A gemlog", 2));
    assert_eq!(dated.items[0].time.unwrap().to_string(), "2026-02-03T12:00:00Z");
    // Without any date all links count.
    assert_eq!(fresh("gemini://h/", media::GEMTEXT, "=> a A\n", "=> a A\n=> b B\n"), ["B gemini://h/b"]);
}

#[test]
fn entries_of_a_directory_are_new_by_name_size_and_time() {
    let row = |name: &str, size: u64, time: &str| format!("type=file;size={size};modify={time}; {name}\r\n");
    let before =
        row("a.txt", 10, "20260101000000") + &row("b.txt", 10, "20260101000000") + &row("c", 5, "20260101000000");
    let after = row("a.txt", 10, "20260101000000")
        + &row("b.txt", 10, "20260202000000")
        + &row("c", 6, "20260101000000")
        + &row("wget-1.25.tar.gz", 5_100_000, "20260202000000");
    let new = fresh("ftp://h/pub/", media::DIRECTORY, &before, &after);
    assert_eq!(
        new,
        [
            "b.txt ftp://h/pub/b.txt (10 B)",
            "c ftp://h/pub/c (6 B)",
            "wget-1.25.tar.gz ftp://h/pub/wget-1.25.tar.gz (5.1 MB)"
        ]
    );
}

#[test]
fn files_have_the_time_that_is_listed_and_where_none_is_their_day() {
    let rows = "type=file;size=1;modify=20260102234305; a\r\ntype=file;size=1;modify=20260103; b\r\n";
    let items = offer("ftp://h/pub/", media::DIRECTORY, rows).items;
    let times: Vec<String> = items.iter().filter_map(|item| Some(item.time?.to_string())).collect();
    assert_eq!(times, ["2026-01-02T23:43:00Z", "2026-01-03T12:00:00Z"]);
}

/// "New since 0000-01-01."
#[test]
fn what_says_that_it_was_made_when_nothing_was_has_no_time() {
    let times = |address: &str, kind: &str, octets: &str| {
        let items = offer(address, kind, octets).items;
        items.iter().map(|item| item.time.map(|time| time.as_second())).collect::<Vec<_>>()
    };
    let gemtext = "=> /a 0000-01-01 A\n=> /b 0001-02-03 B\n=> /c 1970-01-01 C\n=> /d 1994-05-06 D\n";
    let known = [None, None, None, Some(768_225_600)];
    assert_eq!(times("gemini://h/", media::GEMTEXT, gemtext), known);
    let dated = |date: &str| format!("<item><title>A</title><guid>{date}</guid><pubDate>{date}</pubDate></item>");
    let items = ["Sat, 01 Jan 0000 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 06 May 1994 12:00:00 GMT"];
    let feed = rss(&items.map(dated).concat());
    assert_eq!(times("http://h/feed", "application/rss+xml", &feed), [None, None, Some(768_225_600)]);
}

#[test]
fn articles_are_new_by_their_numbers() {
    let row =
        |number: u32| format!("{number}\tSubject {number}\tme\t1 Jan 2026 00:00:00 +0000\t<{number}@x>\t\t\t\t\r\n");
    let head = |high: u32| format!("g.one\t1\t{high}\t{high}\ty\r\n");
    let before = head(8) + &row(7) + &row(8);
    let after = head(10) + &row(8) + &row(9) + &row(10);
    let new = fresh("news://h/g.one", media::NEWSGROUP, &before, &after);
    let titles: Vec<&str> = new.iter().map(|new| new.split(" news:").next().unwrap()).collect();
    assert_eq!(titles, ["Subject 10", "Subject 9"]);
    // A group that begins anew is as on the first day.
    assert_eq!(fresh("news://h/g.one", media::NEWSGROUP, &before, &(head(2) + &row(1) + &row(2))), [""; 0]);
}

#[test]
fn articles_have_the_time_at_which_they_were_written() {
    let row = |number: u32, date: &str| format!("{number}\tSubject {number}\tme\t{date}\t<{number}@x>\t\t\t\t\r\n");
    let page = "g.one\t1\t3\t3\ty\r\n".to_owned()
        + &row(1, "Thu, 2 Jan 2025 10:00:00 +0100")
        + &row(2, "no date")
        + &row(3, "1 Jan 2024 00:00:00 GMT");
    let items = offer("news://h/g.one", media::NEWSGROUP, page).items;
    let times: Vec<_> = items.iter().map(|item| (item.key, item.time.map(|time| time.to_string()))).collect();
    let told = |number, time: &str| (number, Some(time.to_owned()));
    assert_eq!(times, [told(3, "2024-01-01T00:00:00Z"), (2, None), told(1, "2025-01-02T09:00:00Z")]);
}

#[test]
fn headings_and_links_of_a_page_are_new() {
    let before = "<title>News</title><h1>News</h1><h2>Old</h2><a href=a>A</a>";
    let after = "<title>News</title><h1>News</h1><h2>Fresh</h2><p>x<h2>Old</h2><a href=a>A</a> <a href='http://o/b'>B</a> \
        <a href='javascript:x()'>C</a>";
    assert_eq!(fresh("http://h/", media::HTML, before, after), ["Fresh http://h/", "B http://o/b"]);
}

/// Two lines came to a text, and nothing was new.
#[test]
fn lines_of_a_text_are_new() {
    let before = "Log of the lantern club\n-----------------------\n\n2026-01-01 Lamps lit.\n";
    let after = "Log of the lantern club\n-----------------------\n\n2026-02-02 Oil, see <http://o/oil>.\n-----\n\n  Wicks\n\
        2026-01-01 Lamps lit.\nWicks\n";
    let new = fresh("gopher://h/0log", media::PLAIN, before, after);
    assert_eq!(new, ["2026-02-02 Oil, see <http://o/oil>. http://o/oil", "Wicks gopher://h/0log"]);
    let time = |offer: Offered| offer.items.iter().find_map(|item| item.time).map(|time| time.to_string());
    assert_eq!(time(offer("gopher://h/0log", media::PLAIN, after)).as_deref(), Some("2026-02-02T12:00:00Z"));
    // Paragraphs of a page without a heading or a link, too.
    assert_eq!(fresh("http://h/", media::HTML, "<p>One", "<p>Two<p>One"), ["Two http://h/"]);
}

/// Otherwise all of it would be new when its only link goes, or was looked at by a program that took no notice of lines.
#[test]
fn lines_that_were_not_looked_at_before_are_not_new() {
    let linked = "<p>One<a href=a>A</a>";
    assert_eq!(fresh("http://h/", media::HTML, linked, "<p>One<p>Two"), [""; 0]);
    assert_eq!(fresh("http://h/", media::HTML, "<p>One", linked), ["A http://h/a"]);
    let offer = offer("http://h/", media::PLAIN, "one\ntwo\n");
    assert_eq!(difference(Some(&Memory::read(Kind::Page, &[])), offer).unwrap().fresh, []);
}

#[test]
fn a_text_without_end_costs_little() {
    let text: String = (0..30_000).map(|n| format!("Line {n}\n")).collect();
    let offer = offer("gopher://h/0x", media::PLAIN, text);
    assert_eq!((offer.items.len(), offer.looked_at()), (20_000, Some(20_000)));
}

#[test]
fn what_became_something_else_is_told_and_not_new() {
    let before = difference(None, offer("http://h/", "text/xml", rss(&entry("1", "One", "/1")))).unwrap();
    let said = difference(Some(&before.memory), offer("http://h/", media::HTML, "<h1>Sign in</h1>")).unwrap_err();
    assert_eq!(said, "it was a feed before, and is a page now");
    let error = "3no such selector\t\terror.host\t1\r\n.\r\n";
    assert!(offered(&url("gopher://h/"), media::MENU, &page("gopher://h/", media::MENU, error)).is_err());
}

#[test]
fn what_a_gateway_stood_in_for_is_a_feed_from_then_on() {
    let portal = || offer("http://h/", media::HTML, "<h1>Welcome</h1><a href=/in>Sign in</a>");
    let feed = |items: &str| offer("http://h/", "text/xml", rss(items));
    let (one, two) = (entry("1", "One", "/1"), entry("2", "Two", "/2"));
    for before in [first(portal()), difference(None, portal()).unwrap()] {
        assert_eq!(before.fresh, [], "a page offers no items at first");
        let now = difference(Some(&before.memory), feed(&one)).unwrap();
        assert_eq!((now.fresh.len(), now.memory.kind), (1, Kind::Feed));
        // The gateway again; then what is new since.
        assert!(difference(Some(&now.memory), portal()).is_err());
        let now = difference(Some(&now.memory), feed(&(two.clone() + &one))).unwrap();
        assert_eq!(now.fresh.iter().map(|item| item.title.as_str()).collect::<Vec<_>>(), ["Two"]);
    }
    let before = difference(None, offer("gemini://h/", media::GEMTEXT, "# Soon\n")).unwrap();
    assert!(difference(Some(&before.memory), offer("gemini://h/", "text/xml", rss(&one))).is_ok());
}

#[test]
fn of_a_source_that_the_reader_never_saw_the_newest_items_are_new() {
    let all =
        |range: std::ops::Range<u32>| range.map(|n| entry(&n.to_string(), &format!("E{n}"), "/x")).collect::<String>();
    let told = first(offer("http://h/", "text/xml", rss(&all(0..3))));
    assert_eq!((told.fresh.len(), told.older), (3, 0));
    let again = difference(Some(&told.memory), offer("http://h/", "text/xml", rss(&all(0..3)))).unwrap();
    assert_eq!(again.fresh, []);
    let told = first(offer("http://h/", "text/xml", rss(&all(0..50))));
    assert_eq!((told.fresh.len(), told.older, told.fresh[0].title.as_str()), (20, 30, "E0"));
    let again = difference(Some(&told.memory), offer("http://h/", "text/xml", rss(&all(0..50)))).unwrap();
    assert_eq!(again.fresh, [], "the older ones are known");
    // By time where all have one.
    let rows =
        (1..31).map(|day| format!("type=file;size=1;modify=202601{day:02}000000; {day}\r\n")).collect::<String>();
    let told = first(offer("ftp://h/pub/", media::DIRECTORY, rows));
    assert_eq!((told.fresh.len(), told.fresh[0].title.as_str(), told.fresh[19].title.as_str()), (20, "30", "11"));
    let row = |n: u32| format!("{n}\tSubject {n}\tme\t1 Jan 2026 00:00:00 +0000\t<{n}@x>\t\t\t\t\r\n");
    let group = "g.one\t1\t8\t8\ty\r\n".to_owned() + &row(7) + &row(8);
    let told = first(offer("news://h/g.one", media::NEWSGROUP, &group));
    assert_eq!(told.fresh.len(), 2);
    let again = difference(Some(&told.memory), offer("news://h/g.one", media::NEWSGROUP, group)).unwrap();
    assert_eq!(again.fresh, []);
}

#[test]
fn a_hostile_feed_costs_little() {
    // A bomb of entities, titles with escapes, and a feed without end.
    let bomb = "<!DOCTYPE rss [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>]><rss version='2.0'><channel>\
        <title>&b;</title><item><title>\u{1b}]0;x\u{7}\u{202e}evil</title><guid>1</guid></item></channel></rss>";
    if let Ok(offer) = offered(&url("http://h/"), "text/xml", &page("http://h/", "text/xml", bomb)) {
        assert!(!offer.title.contains("aaaaaaaaaaaaaaaaaaaa"), "{}", offer.title);
    }
    let evil = rss("<item><title>a &#x202e;evil\u{9b}31m title</title><guid>1</guid></item>");
    let offer = offer("http://h/", "text/xml", evil);
    let shown = &offer.items[0].title;
    assert!(shown.contains("title") && !shown.contains(['\u{9b}', '\u{202e}']), "{shown:?}");
    let long = format!(
        "<rss version='2.0'><channel><title>{}</title>{}",
        "t".repeat(100_000),
        entry("1", "x", "/").repeat(200_000)
    );
    let FeedEntries { title, entries, more } = feed_entries(long.as_bytes(), &url("http://h/")).unwrap();
    assert!(more);
    assert!(title.len() == 100_000 && !entries.is_empty() && entries.len() <= 5_000, "{}", entries.len());
    let items = "<item/>".repeat(600_000);
    let _ = feed_entries(rss(&items).as_bytes(), &url("http://h/"));
    let entries = |count: u32| rss(&(0..count).map(|n| entry(&n.to_string(), "x", "/")).collect::<String>());
    for (count, looked_at) in [(5_000, None), (5_001, Some(5_000))] {
        let offer = self::offer("http://h/", "text/xml", entries(count));
        assert_eq!((offer.items.len(), offer.looked_at()), (5_000, looked_at));
    }
    // A feed that lacks its end may be whole all the same.
    assert!(!self::offer("http://h/", "text/xml", entries(3).replace("</channel></rss>", "")).more);
    // What is offered beyond a bound is not looked at.
    let links: String = (0..30_000).map(|n| format!("0Item {n}\t/{n}\th\t70\r\n")).collect();
    let offer = self::offer("gopher://h/", media::MENU, links);
    assert_eq!((offer.items.len(), offer.looked_at()), (20_000, Some(20_000)));
}

#[test]
fn only_what_is_of_the_network_is_subscribed_to() {
    for refused in [
        "file:///etc/passwd",
        "about:new",
        "data:,x",
        "mailto:me@h",
        "http://me:secret@h/",
        "sftp://h/",
        "telnet://h/",
        "exec:/tmp/evil.sh",
        "query:mine:unread",
        "filter:/tmp/evil.sh:http://h/",
        "tel:123",
    ] {
        assert!(refusal(&url(refused)).is_some(), "{refused}");
    }
    let spaces = [
        ("gopher://h/", "gopher"),
        ("https://h/", "web"),
        ("ftp://h/", "ftp"),
        ("news:g.one", "news"),
        ("nntp://h/g", "news"),
        ("gemini://h/", "gemini"),
    ];
    for (address, word) in spaces {
        assert_eq!((refusal(&url(address)), space(&url(address)).as_str()), (None, word), "{address}");
    }
    assert_eq!(Kind::named("feed").map(Kind::name), Some("feed"));
}

#[test]
fn a_hostile_list_of_feeds_costs_its_rows() {
    let rows = "<outline text='x' xmlUrl='http://h/feed'/>".repeat(100_000);
    let list = opml::read(&format!("<opml version='2.0'><body>{rows}</body></opml>"));
    assert!(list.outlines.len() == opml::MOST && list.cut, "{}", list.outlines.len());
    let bomb = "<!DOCTYPE opml [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>]>\
        <opml><head><title>&b;</title></head><body><outline text='&b; \u{1b}[31m x' xmlUrl='http://h/1'/>\
        <outline text='no value' xmlUrl=http://h/2><outline text='& alone' xmlUrl='http://h/3'/></outline><outline xmlUrl='http://h/4'/></body></opml>";
    let list = opml::read(bomb);
    assert!(opml::is_opml(bomb) && !list.title.contains("aaaaaaaaaa"), "{}", list.title);
    let urls: Vec<&str> = list.outlines.iter().map(|row| row.url.as_str()).collect();
    assert!(urls.starts_with(&["http://h/1"]) && urls.ends_with(&["http://h/3", "http://h/4"]), "{urls:?}");
    assert!(list.outlines.iter().all(|row| !row.title.contains('\u{1b}')), "{:?}", list.outlines);
    // Folders without end, and names as long as they like.
    let deep = "<outline text='a folder with a name'>".repeat(200_000) + "<outline xmlUrl='http://h/1'/>";
    assert!(opml::read(&format!("<opml><body>{deep}")).outlines.is_empty());
    let long = format!("<opml><body><outline text='{0}' xmlUrl='http://h/{0}'/></body></opml>", "x".repeat(100_000));
    assert_eq!(opml::read(&long).outlines, []);
    // What is written is read again, whatever is in it.
    let row = |url: &str, title: &str, folder: &[&str]| opml::Outline {
        url: url.into(),
        title: title.into(),
        about: String::new(),
        folder: folder.iter().map(|name| (*name).to_owned()).collect(),
        tags: folder.iter().map(|name| format!("of {name}")).collect(),
    };
    let rows = [
        row("http://h/?a=1&b=2", "A <b> \"c\" & 'd'", &["One", "Two"]),
        row("gemini://h/", "E", &["One"]),
        row("news:g", "F", &[]),
    ];
    assert_eq!(opml::read(&opml::write("Mine & yours", rows.iter())).outlines, rows);
}

//! The news server of the tour.

use super::wire::{Raw, fetch, on_tour};
use wayfarer::format::message::{self, PartName};
use wayfarer::url::Url;

/// The lines of a block that a command brings.
async fn block(raw: &mut Raw, line: &str) -> Vec<String> {
    let said = raw.ask(line).await;
    assert!(said.starts_with('1') || said.starts_with('2'), "{line}: {said}");
    raw.block().await
}

fn header<'a>(head: &'a [String], name: &str) -> &'a str {
    let found = head.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    found.unwrap_or_else(|| panic!("no {name} in {head:?}"))
}

#[test]
fn groups_articles_and_overviews_agree() {
    on_tour(async |doors| {
        let (mut raw, greeting) = Raw::to(doors.news).await;
        assert!(greeting.starts_with("200 "), "{greeting}");
        let mut ids = Vec::new();
        for line in block(&mut raw, "LIST ACTIVE wayfarer.*").await {
            let [name, high, low, _] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
            assert_eq!(raw.ask(&format!("GROUP {name}")).await, format!("211 {high} {low} {high} {name}"));
            let numbers = block(&mut raw, &format!("LISTGROUP {name}")).await;
            let overviews = block(&mut raw, "OVER 1-").await;
            assert_eq!((overviews.len(), numbers.len().to_string().as_str()), (numbers.len(), high));
            for overview in overviews {
                let fields: Vec<&str> = overview.split('\t').collect();
                let head = block(&mut raw, &format!("HEAD {}", fields[0])).await;
                let whole = block(&mut raw, &format!("ARTICLE {}", header(&head, "Message-ID"))).await;
                let body = block(&mut raw, &format!("BODY {}", fields[0])).await;
                assert_eq!(fields[1], header(&head, "Subject"));
                assert_eq!(fields[4], header(&head, "Message-ID"));
                assert_eq!(fields[6], whole.iter().map(|line| line.chars().count() + 2).sum::<usize>().to_string());
                assert_eq!(fields[7], body.len().to_string());
                assert_eq!(fields[8], format!("Xref: {}", header(&head, "Xref")));
                assert_eq!(header(&head, "Xref"), format!("tour.wayfarer.example {name}:{}", fields[0]));
                assert_eq!(whole, [&head[..], &[String::new()], &body].concat());
                assert!(!whole.iter().any(|line| line.contains("{news}") || line.contains("{web}")), "{whole:?}");
                ids.push(fields[4].to_owned());
            }
        }
        assert_eq!(ids.len(), 11);
        // Every article that another one answers is there.
        raw.ask("GROUP wayfarer.tour").await;
        for line in block(&mut raw, "HDR References 1-").await {
            assert!(line.split(' ').skip(1).filter(|id| !id.is_empty()).all(|id| ids.contains(&id.into())), "{line}");
        }
        assert_eq!(block(&mut raw, "XHDR :lines 10").await.len(), 1);
    });
}

#[test]
fn the_group_and_its_articles_come_by_their_addresses() {
    on_tour(async |doors| {
        let root = format!("news://127.0.0.1:{}", doors.news);
        let list = fetch(&format!("{root}/*")).await;
        assert_eq!(list.media(), "application/x-newsgroups");
        assert!(list.text().contains("wayfarer.test\t1\t1\t1\ty\t"), "{}", list.text());
        assert!(list.head.unwrap().notices[0].starts_with("Two groups"));
        let group = fetch(&format!("{root}/wayfarer.tour")).await;
        assert_eq!((group.media(), group.cut()), ("application/x-newsgroup", None));
        assert_eq!(group.text().lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count(), 10);
        let odd = fetch(&format!("{root}/50%25%2F50%3F@tour.wayfarer.example")).await;
        assert!(odd.text().contains("\r\nMessage-ID: <50%/50?@tour.wayfarer.example>\r\n"), "{}", odd.text());
        let lost = fetch(&format!("{root}/expired-long-ago@tour.wayfarer.example")).await;
        assert_eq!(lost.failure().kind, wayfarer::proto::Kind::NotFound);
        let last = fetch(&format!("{root}/stop-13@tour.wayfarer.example")).await.text();
        assert!(last.contains(&format!("<http://127.0.0.1:{}/>", doors.web)), "{last}");
    });
}

#[test]
fn a_page_in_an_article_has_the_base_that_its_heading_gives() {
    on_tour(async |doors| {
        let url = Url::parse(format!("news://127.0.0.1:{}/stop-12@tour.wayfarer.example", doors.news)).unwrap();
        let article = fetch(url.as_str()).await.body;
        let base = |name: &str| message::part(&article, &PartName::parse(name.as_bytes()), &url).unwrap().base.unwrap();
        let page = base("part-1");
        assert_eq!(page.url.as_str(), format!("http://127.0.0.1:{}/travels/page.html", doors.web));
        assert_eq!(page.from, "Content-Location of part 1");
        let shelf = base("part-3");
        assert_eq!(shelf.url.as_str(), format!("ftp://127.0.0.1:{}/shelf/", doors.ftp));
        assert_eq!(shelf.from, "Content-Base of part 3");
        // One of its references leads to a part of it, by that part's own address.
        let map = Url::parse(format!("http://127.0.0.1:{}/travels/map.txt", doors.web)).unwrap();
        let found = message::resolve(&article, &PartName::parse(b"part-1"), &map, &url);
        assert_eq!(found.map(|name| name.to_string()).as_deref(), Some("<map.12@tour.wayfarer.example>"));
    });
}

/// Says an article, its end included, and hears what becomes of it.
async fn post(raw: &mut Raw, text: &str) -> String {
    assert!(raw.ask("POST").await.starts_with("340 "));
    raw.send(text.replace('\n', "\r\n").as_bytes()).await;
    raw.ask(".").await
}

const MINE: &str = "From: Me <me@example.org>\nNewsgroups: wayfarer.test\nSubject: Trying\nReferences:\n <test@tour.wayfarer.example>\n\n..dots\nend\n";

#[test]
fn what_is_written_is_there_for_as_long_as_the_tour() {
    let mine = |id: &str| MINE.replacen("Subject", &format!("Message-ID: {id}\nSubject"), 1);
    on_tour(async |doors| {
        let (mut raw, _) = Raw::to(doors.news).await;
        let said = post(&mut raw, MINE).await;
        let id = said.strip_prefix("240 It is there: ").unwrap_or_else(|| panic!("{said}")).to_owned();
        let (mut other, _) = Raw::to(doors.news).await;
        assert_eq!(other.ask("GROUP wayfarer.test").await, "211 2 1 2 wayfarer.test");
        let overview = &block(&mut other, "OVER 2").await[0];
        assert!(overview.starts_with("2\tTrying\tMe <me@example.org>\t"), "{overview}");
        assert!(overview.contains(&format!("\t{id}\t<test@tour.wayfarer.example>\t")), "{overview}");
        assert!(overview.ends_with("\t2\tXref: tour.wayfarer.example wayfarer.test:2"), "{overview}");
        assert_eq!(block(&mut other, &format!("BODY {id}")).await, [".dots", "end"]);
        let head = block(&mut other, "HEAD 2").await;
        assert!(header(&head, "Date").ends_with(" +0000") && header(&head, "Path").ends_with("!not-for-mail"));
        let kept = post(&mut raw, &mine("<own@example.org>")).await;
        assert_eq!(kept, "240 It is there: <own@example.org>");
        for (text, why) in [
            (mine("<own@example.org>"), "here already"),
            (mine("own"), "Message-ID is none"),
            (MINE.replace("wayfarer.test", "wayfarer.test,wayfarer.tour"), "Nobody writes to wayfarer.tour"),
            (MINE.replace("wayfarer.test", "alt.test"), "no group alt.test"),
            (MINE.replace("From: Me <me@example.org>\n", ""), "no From"),
            (MINE.replace("me@example.org", "me"), "names no address"),
            (MINE.replace("Subject: Trying\n", "Subject:\n"), "no Subject"),
            (MINE.replace("Subject", "Xref: x y:1\nSubject"), "Xref is for the server"),
            (MINE.replace("\n\n", "\n"), "an empty line"),
            (format!("\n{MINE}"), "an empty line"),
            (MINE.replace("end", "e\0nd"), "no NUL"),
            (MINE.replace("end", &"x".repeat(999)), "octets at most"),
            (MINE.replace("end", &"x\n".repeat(40_000)), "octets at most"),
        ] {
            let said = post(&mut raw, &text).await;
            assert!(said.starts_with("441 ") && said.contains(why), "{why}: {said}");
        }
        assert_eq!(raw.ask("GROUP wayfarer.test").await, "211 3 1 3 wayfarer.test");
        for number in 0.. {
            let said = post(&mut raw, &mine(&format!("<{number}@example.org>"))).await;
            if said.starts_with("441 ") {
                assert!(number == 198 && said.contains("no room"), "{number}: {said}");
                break;
            }
        }
    });
    // Another tour knows nothing of it.
    on_tour(async |doors| {
        let (mut raw, _) = Raw::to(doors.news).await;
        assert_eq!(raw.ask("GROUP wayfarer.test").await, "211 1 1 1 wayfarer.test");
    });
}

#[test]
fn one_walks_through_a_group_and_asks_for_what_is_not_there() {
    on_tour(async |doors| {
        let (mut raw, _) = Raw::to(doors.news).await;
        for line in ["STAT", "NEXT", "OVER 1-", "HDR Subject", "LISTGROUP"] {
            assert!(raw.ask(line).await.starts_with("412 "), "{line}");
        }
        assert!(raw.ask("GROUP alt.test").await.starts_with("411 "));
        raw.ask("GROUP wayfarer.tour").await;
        assert_eq!(raw.ask("STAT").await, "223 1 <stop-10@tour.wayfarer.example>");
        assert!(raw.ask("LAST").await.starts_with("422 "));
        assert_eq!(raw.ask("NEXT").await, "223 2 <quoted@tour.wayfarer.example>");
        assert_eq!(raw.ask("LAST").await, "223 1 <stop-10@tour.wayfarer.example>");
        assert_eq!(raw.ask("STAT 10").await, "223 10 <stop-13@tour.wayfarer.example>");
        assert!(raw.ask("NEXT").await.starts_with("421 "));
        assert_eq!(raw.ask("STAT <test@tour.wayfarer.example>").await, "223 0 <test@tour.wayfarer.example>");
        assert!(raw.ask("STAT <x@y>").await.starts_with("430 "));
        assert!(raw.ask("STAT 11").await.starts_with("423 "));
        assert!(raw.ask("OVER 9-3").await.starts_with("423 "));
        assert!(raw.ask("OVER 3-x").await.starts_with("501 "));
        assert_eq!(block(&mut raw, "LISTGROUP wayfarer.tour 9-").await, ["9", "10"]);
        assert_eq!(block(&mut raw, "NEWGROUPS 20260101 000000 GMT").await.len(), 2);
        assert!(block(&mut raw, "NEWGROUPS 20260401 000000 GMT").await.is_empty());
        assert_eq!(block(&mut raw, "LIST NEWSGROUPS *,!*.tour").await.len(), 1);
        assert!(block(&mut raw, "LIST ACTIVE alt.*").await.is_empty());
        assert!(block(&mut raw, "CAPABILITIES").await.contains(&"OVER MSGID".into()));
    });
}

#[test]
fn hostile_lines_are_answered_and_the_session_goes_on() {
    on_tour(async |doors| {
        let (mut raw, _) = Raw::to(doors.news).await;
        raw.send(&[b'x'; 100_000]).await;
        assert!(raw.ask("").await.starts_with("501 That line is longer"));
        for line in ["", "\0", "\u{FF}\u{FE}", "ARTICLE <", "GROUP", "LIST X", "NEWGROUPS 99999999 999999"] {
            assert!(raw.ask(line).await.starts_with(['4', '5']), "{line:?}");
        }
        assert!(block(&mut raw, &format!("LIST ACTIVE {}", "*?".repeat(200))).await.is_empty());
        raw.send(b"DATE\r\nmode reader\nSTAT <test@tour.wayfarer.example>\r\nQUIT\r\n").await;
        for code in ["111 ", "200 ", "223 ", "205 "] {
            assert!(raw.line().await.starts_with(code));
        }
        assert_eq!(raw.rest().await, b"");
    });
}

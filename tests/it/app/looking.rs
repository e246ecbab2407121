//! Lists, anatomy, source, charset, attributes, the line below, status.

use super::journey::{Journey, head, lines, long_menu, menu};
use wayfarer::app::{Effect, Kept, ListKind, Msg, Overlay, PageState, SiteChoice, TextOwner, status};
use wayfarer::format::media;
use wayfarer::proto::{Certificate, FetchError, FetchEvent, Head, Kind, Security, Trust};

fn list(j: &Journey) -> (ListKind, Vec<String>) {
    match j.app.hands.overlays().last() {
        Some(over @ Overlay::List { kind, .. }) => {
            let rows = (0..over.passing()).filter_map(|at| over.passing_row(at));
            (*kind, rows.map(|item| format!("{} {}", item.text, item.detail)).collect())
        }
        other => panic!("expected a list, there is {other:?}"),
    }
}

#[test]
fn a_page_is_read_as_another_type_and_a_feed_that_came_as_a_text_says_so() {
    let feed = b"<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Log</title><item><title>One</title><link>http://h/1</link></item></channel></rss>";
    let j = Journey::new().open("gopher://h/0/rss.xml").answer(media::PLAIN, feed);
    let j = j.shows("<rss").notes("this is a feed that came as a text; :as feed reads it");
    let j = j.run("as feed").notes("read as application/rss+xml").shows("One");
    assert!(!j.page().contains("<rss"));
    let j = j.run("as text").shows("<rss").run("as nothing").notes("as what? text, html, feed");
    let j = j.run("as feed").keys("R").expect_fetch("gopher://h/0/rss.xml").answer(media::PLAIN, feed);
    j.shows("One");
}

#[test]
fn the_list_of_links_narrows_and_follows() {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 120)).keys("O");
    assert_eq!(list(&j).1.len(), 120);
    let j = j.text("number 11");
    assert_eq!(list(&j).1.len(), 11);
    assert!(list(&j).1[0].contains("gopher://h/0/11"));
    j.keys("Down Down Up Enter").expect_fetch("gopher://h/0/110").free().focus(109);
}

#[test]
fn a_list_holds_its_selection_within_its_rows() {
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, &long_menu("h", 3))
        .keys("O Up Up Enter")
        .expect_fetch("gopher://h/0/1")
        .keys("Esc O End Down PgDn Enter")
        .expect_fetch("gopher://h/0/3")
        .keys("Esc O")
        .text("no such thing")
        .keys("Enter Esc")
        .free();
}

#[test]
fn headings_lead_to_their_place() {
    let body = "# One\n".to_owned() + &"text\n".repeat(60) + "## Two\nend\n" + &"text\n".repeat(60);
    let j = Journey::new().open("file:///p.gmi").answer(media::GEMTEXT, body.as_bytes()).keys("#");
    assert_eq!(list(&j).0, ListKind::Headings);
    let j = j.text("two").keys("Enter").free();
    let entry = j.app.entry().unwrap();
    assert_eq!(entry.document().unwrap().block_text(entry.top.block), "Two");
    Journey::at(&["0|A|/a"]).keys("#").free().notes("no headings");
}

#[test]
fn the_history_of_the_session_jumps() {
    let j = Journey::at(&["0|A|/a"]).keys("Enter").answer(media::PLAIN, b"x").keys(";");
    assert_eq!(list(&j).1.len(), 2);
    j.keys("Up Enter").quiet().at_url("gopher://h/").free();
}

#[test]
fn a_list_of_the_old_page_says_so_on_the_new_one() {
    let j = Journey::at(&["0|A|/a"]).keys("Enter O").head(media::PLAIN).body(b"x").end().at_url("gopher://h/0/a");
    j.keys("Enter").free().notes("the page before");
}

#[test]
fn anatomy_takes_page_and_link_apart() {
    let rows = b"0About\t/docs/a b\th\t70\r\n.\r\n";
    let j = Journey::new().open("gopher://h:70/1/docs").answer(media::MENU, rows).keys("=");
    let text = j.over();
    for words in
        ["gopher://h:70/1/docs", "selector", "/docs", "70 (default)", "bases  ", "document  ", "entity  ", "default   "]
    {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    assert!(text.lines().any(|line| line.contains(" retrieval  gopher://h:70/1/docs  ◀ in force")), "{text}");
    let rows = ["  host       h", "  port       70 (default)", "  selector   /docs/a b  written /docs/a%20b"];
    assert!(rows.iter().all(|row| text.lines().any(|line| line == *row)), "{text}");
    let (link, page) = (text.find("Where the link leads"), text.find("Where you are"));
    assert!(link == Some(0) && page > link, "{text}");
    assert!(text.contains("\"/docs\\r\\n\" to h:70"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("written") && line.contains("gopher://h")));
    assert!(text.contains("\"/docs/a b\\r\\n\" to h:70"), "{text}");
    j.keys("y").expect(Effect::Copy("gopher://h/0/docs/a%20b".into())).keys("Enter").free().look(|j| {
        assert_eq!(j.fetches.len(), 2);
    });
}

/// A page of the web with a base, a link that is written with blanks, and a server that says much.
fn told_at_length() -> Journey {
    let lines = (1..=9).map(|n| format!("X-{n}: said")).collect();
    let head = Head { lines, ..head("http://h/a/b", "text/html") };
    let page = "<base href=http://base/c/d><a href=' ../x\ny '>x</a>";
    let mut j = Journey::new()
        .open("http://h/a/b")
        .event(FetchEvent::Head(Box::new(head)))
        .body(page.as_bytes())
        .end()
        .keys("Down =");
    j.effects.clear();
    j
}

#[test]
fn each_row_of_the_anatomy_can_be_copied() {
    // The resolved address first; then what stands below and above it.
    let copied = |j: Journey, keys: &str, of: &str| j.keys(keys).expect(Effect::Copy(of.into()));
    let j = copied(told_at_length(), "y", "http://base/xy");
    let j = copied(j, "Up y", " ../x␊y ");
    let j = copied(j, "Down Down y", "http");
    let j = copied(j, "Down y", "base");
    // The other half, and back again.
    let j = copied(j, "Tab y", "http://h/a/b");
    let j = copied(j, "Down Down y", "h");
    let j = copied(j, "Tab y", " ../x␊y ");
    let j = copied(j, "S-Tab y", "http://h/a/b");
    let j = copied(j, "End Home y", " ../x␊y ");
    j.keys("Esc").free().quiet();
}

#[test]
fn enter_on_a_base_opens_it_and_on_other_rows_follows_the_link() {
    let on = |words: &str| {
        let mut j = told_at_length();
        let steps = j.over().lines().position(|line| line.contains(words)).unwrap();
        let row = |j: &Journey| match j.app.hands.overlays().last() {
            Some(Overlay::Text { owner: TextOwner::Anatomy(rows), .. }) => rows.block().unwrap() as usize,
            other => panic!("{other:?}"),
        };
        j = j.keys("Home");
        while row(&j) < steps {
            j = j.keys("Down");
        }
        j.keys("Enter")
    };
    on("document   http://base/c/d  ").free().expect_fetch("http://base/c/d");
    on("base         document").free().expect_fetch("http://base/c/d");
    on("steps").free().expect_fetch("http://base/xy");
    // What a server says at length is folded.
    assert!(told_at_length().over().contains("X-3: said") && !told_at_length().over().contains("X-4: said"));
    let j = on("… 6 more lines");
    assert!(j.over().contains("X-9: said") && !j.over().contains("more lines"), "{}", j.over());
}

#[test]
fn what_is_left_out_of_a_reference_and_the_name_of_a_host_are_steps() {
    let said = told_at_length().over();
    assert!(said.contains("C      white space around it and line breaks in it do not count"), "{said}");
    let page = "<a href='http://bücher.example/é'>x</a>";
    let j = Journey::new().open("http://h/").answer(media::HTML, page.as_bytes()).keys("Down =");
    assert!(j.over().contains("RFC 5891  the host goes out as xn--bcher-kva.example"), "{}", j.over());
    assert!(j.over().contains("  host       bücher.example  on the wire xn--bcher-kva.example"), "{}", j.over());
    assert!(j.over().contains("  path       /é  on the wire /%C3%A9"), "{}", j.over());
    let page = "<a href='http://127.1/a%20b%2Fc'>x</a>";
    let j = Journey::new().open("http://h/").answer(media::HTML, page.as_bytes()).keys("Down =");
    assert!(j.over().contains("3.2.2  the host goes out as 127.0.0.1 (as browsers read it)"), "{}", j.over());
    assert!(j.over().contains("/a%20b%2Fc  decoded /a b/c"), "{}", j.over());
}

#[test]
fn anatomy_says_what_a_menu_says_of_attributes() {
    let menu = b"0with\t/a\th\t70\t+\r\n0without\t/b\th\t70\r\n.\r\n";
    let j = Journey::new().open("gopher://h/").answer(media::MENU, menu).keys("=");
    assert!(j.over().contains("it has Gopher+ attributes"), "{}", j.over());
    let j = j.keys("Esc j =");
    assert!(!j.over().contains("attributes"), "{}", j.over());
}

#[test]
fn anatomy_shows_the_steps_of_a_relative_link() {
    let j = Journey::new().open("file:///a/b/c.gmi").answer(media::GEMTEXT, b"=> ../x#s over there\n").keys("=");
    let text = j.over();
    assert!(text.lines().any(|line| line.starts_with("written") && line.ends_with("../x#s")), "{text}");
    assert!(text.lines().any(|line| line.starts_with("resolved") && line.ends_with("file:///a/x#s")), "{text}");
    assert!(text.lines().any(|line| line == "base         retrieval  file:///a/b/c.gmi"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("steps") && line.contains("5.2")), "{text}");
}

#[test]
fn anatomy_says_why_nothing_would_be_sent() {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, b"0Mail\tHELO\th\t25\r\n.\r\n").keys("=");
    assert!(j.over().contains("nothing: refused"), "{}", j.over());
    j.keys("Esc").free().quiet();
}

fn linked(header: &str, page: &str) -> Journey {
    let notices = vec![format!("{}{header}", wayfarer::format::html::LINKED)];
    let answered = Head { notices, ..head("http://h/book/2", "text/html") };
    Journey::new().open("http://h/book/2").event(FetchEvent::Head(Box::new(answered))).body(page.as_bytes()).end()
}

#[test]
fn anatomy_tells_what_a_page_is_related_to_and_who_says_so() {
    let page =
        "<base href=http://h/x/><link rel=next href=/book/3><link rel=up href=./ title=All><a rel=prev href=1>back</a>";
    let said = linked("<3>; rel=next, <toc>; rel=contents", page).keys("=").over();
    for row in [
        "related      Next http://h/book/3 (says the server's head and the page's head)",
        "             Contents http://h/book/toc (says the server's head)",
        "             Up http://h/x/ \"All\" (says the page's head)",
        "             Previous http://h/x/1 (says a link in its text)",
    ] {
        assert!(said.contains(row), "{row} is not in {said}");
    }
}

#[test]
fn the_next_page_is_the_one_that_is_named() {
    let opened = |j: Journey| j.expect_fetch("http://h/book/2").expect_verdict(wayfarer::proto::Verdict::Accept);
    let j = opened(linked("<3>; rel=next", "<link rel=prev href=1><p>text"));
    j.keys("M-n").expect_fetch("http://h/book/3");
    opened(linked("", "<link rel=prev href=1><p>text")).keys("M-p").expect_fetch("http://h/book/1");
    opened(linked("", "<a href=9>other</a> <a rel=next href=4>on</a>"))
        .run("next-page")
        .expect_fetch("http://h/book/4");
    // by its words, when only one link says so
    opened(linked("", "<a href=5>Next »</a>")).keys("M-n").expect_fetch("http://h/book/5");
    let two = opened(linked("", "<a href=5>Next</a> <a href=6>next</a>")).keys("M-n").quiet();
    two.notes("neither this page nor one that led here says which page is the next one");
}

#[test]
fn what_leads_on_is_looked_for_where_it_stands_on_a_page_of_very_many_links() {
    let opened = |j: Journey| j.expect_fetch("http://h/book/2").expect_verdict(wayfarer::proto::Verdict::Accept);
    let (many, on) = ("<a href=9>x</a> ".repeat(5_000), "<a href=5>Next</a> ");
    for page in [format!("{on}{many}{many}"), format!("{many}{many}{on}")] {
        opened(linked("", &page)).keys("M-n").expect_fetch("http://h/book/5");
    }
    let middle = opened(linked("", &format!("{many}{on}{many}"))).keys("M-n").quiet();
    middle.notes("neither this page nor one that led here says which page is the next one");
}

#[test]
fn anatomy_tells_of_tls() {
    let mut secure = head("gophers://h/", media::MENU);
    secure.security = Some(Security { trust: Trust::FirstUse, certificate: Certificate::unseen("ab12") });
    secure.lines = vec!["a line of the response".into()];
    let j =
        Journey::new().open("gophers://h/").event(FetchEvent::Head(Box::new(secure))).body(b".\r\n").end().keys("=");
    for words in ["first visit", "SHA-256 ab12", "a line of the response", "over TLS"] {
        assert!(j.over().contains(words), "{words}: {}", j.over());
    }
}

#[test]
fn the_anatomy_scrolls_on_a_small_screen() {
    let j = Journey::sized(30, 8)
        .open("gopher://h/")
        .answer(media::MENU, b"0A\t/a\th\t70\r\n.\r\n")
        .keys("= Down PgDn End");
    let Some(Overlay::Text { top, .. }) = j.app.hands.overlays().last() else { panic!() };
    assert!(top.block > 5);
    let j = j.keys("Home");
    let Some(Overlay::Text { top, .. }) = j.app.hands.overlays().last() else { panic!() };
    assert_eq!(top.block, 0);
}

#[test]
fn source_shows_the_octets_without_a_fetch_and_goes_back() {
    let rows = menu("h", &["0|About|/about"]);
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, &rows)
        .keys("\\")
        .quiet()
        .shows("/about")
        .state(PageState::Complete)
        .at_url("gopher://h/")
        .keys("\\")
        .quiet()
        .look(|j| assert!(!j.page().contains("/about\t")))
        .keys("L")
        .shows("/about")
        .keys("R")
        .look(|j| assert_eq!(j.fetches.last().unwrap().1.media.as_deref(), Some(media::PLAIN)));
    Journey::new().open("gopher://h/0a").answer(media::PLAIN, b"x").keys("\\").notes("its own source");
}

#[test]
fn source_of_a_page_too_large_to_keep_is_fetched() {
    let big = long_menu("h", 300_000);
    assert!(big.len() > 8 << 20);
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &big).keys("\\").expect_fetch("gopher://h/");
    assert_eq!(j.fetches[1].1.media.as_deref(), Some(media::PLAIN));
}

#[test]
fn another_charset_reads_again_without_a_fetch_and_holds_for_the_host() {
    Journey::new()
        .open("gopher://h/0a")
        .answer(media::PLAIN, b"caf\x82\n")
        .keys("C")
        .text("cp437")
        .keys("Enter")
        .expect(Effect::Keep(Kept::Site { host: "h".into(), choice: SiteChoice::Charset("cp437".into()) }))
        .quiet()
        .shows("café")
        .notes("cp437")
        .open("gopher://h/0b")
        .answer(media::PLAIN, b"\x82t\x82\n")
        .shows("été")
        .keys("C")
        .look(|j| match j.app.hands.overlays().last() {
            Some(list) => assert_eq!(list.chosen().map(|item| item.text).as_deref(), Some("cp437")),
            None => panic!("no list of charsets"),
        })
        .keys("Esc")
        .open("gopher://other/0b")
        .answer(media::PLAIN, b"caf\xe9\n")
        .shows("café")
        .run("charset klingon")
        .notes("no charset");
}

#[test]
fn the_settings_name_charsets_for_hosts() {
    let mut j = Journey::new();
    j.app.desk.settings.charset.hosts.insert("h".into(), "cp437".into());
    j.open("gopher://H/0a").answer(media::PLAIN, b"caf\x82\n").shows("café");
}

#[test]
fn a_charset_chosen_while_the_page_arrives_holds_for_the_rest() {
    let j = Journey::new().open("gopher://h/0a").head(media::PLAIN).body(b"caf\x82\n\n");
    j.run("charset cp437").body(b"\x82t\x82\n").end().shows("café").shows("été").state(PageState::Complete);
}

#[test]
fn a_page_behind_that_is_read_in_another_way_has_no_focus_on_a_link_that_is_gone() {
    let text = [lines(80), b"<http://w.example/>\n".to_vec()].concat();
    let j = Journey::new().open("gopher://h/0a").answer(media::PLAIN, &text).keys("End").focus(0);
    let j = j.hold().run("charset utf-16le").open("gopher://h/0b").answer(media::PLAIN, b"x").work();
    let page = &j.app.tab.history[0];
    let document = page.document().unwrap();
    assert_eq!((document.link_count(), page.focus), (0, None));
    assert!((page.top.block as usize) < document.blocks().len(), "{:?}", page.top);
    j.keys("h").at_url("gopher://h/0a").focus(None);
}

#[test]
fn what_the_program_writes_itself_is_in_no_other_charset() {
    let j = Journey::new().keys("B").at_url("about:bookmarks");
    let before = j.page();
    let j = j.quiet().run("charset utf-16le").quiet().notes("no other charset");
    assert_eq!(j.page(), before);
}

#[test]
fn attributes_of_link_and_page() {
    Journey::at(&["0|A|/a"])
        .keys("i")
        .expect_fetch("gopher://h/0/a%09%09!")
        .answer(media::ATTRIBUTES, b"+INFO: 0A\t/a\th\t70\t+\r\n+ADMIN:\r\n Admin: Me <me@h>\r\n")
        .at_url("gopher://h/0/a%09%09!")
        .keys("h")
        .run("attributes page")
        .expect_fetch("gopher://h/1%09%09!");
    let old = Journey::at(&["0|A|/a"]).keys("i").expect_fetch("gopher://h/0/a%09%09!");
    let old = old.fail(FetchError::new(Kind::Unsupported, "h does not speak Gopher+: it tells no attributes."));
    let old = old.at_url("gopher://h/").notes("does not speak Gopher+").free();
    assert_eq!(old.app.tab.history.len(), 1, "no place for nothing");
    Journey::new().open("file:///a").answer(media::PLAIN, b"x").keys("i").notes("only gopher");
}

#[test]
fn all_items_of_a_menu_are_a_directory_that_is_sorted() {
    let item = |name: &str, size: &str, day: &str| {
        let date = format!(" Mod-Date: x <199307{day}170201>");
        format!("+INFO: 0{name}\t/{name}\th\t70\t+\r\n+ADMIN:\r\n{date}\r\n+VIEWS:\r\n text/plain: <{size}>\r\n")
    };
    let blocks = [item("b", "2k", "03"), item("a", "1k", "01"), item("c", "3k", "02")].concat();
    let j = Journey::at(&["0|A|/a"]).keys("M-i").expect_fetch("gopher://h/1%09%09$");
    let j = j.answer(media::ATTRIBUTES, blocks.as_bytes());
    let names = |j: &Journey| {
        let document = j.app.tab.entry().unwrap().document().unwrap();
        (0..3).map(|row| document.block_text(row).chars().next().unwrap()).collect::<String>()
    };
    let j = j.run("sort size");
    assert_eq!(names(&j), "cba");
    let j = j.run("sort date");
    assert_eq!(names(&j), "bca");
    let j = j.run("sort name");
    assert_eq!(names(&j), "abc");
    j.keys("i").expect_fetch("gopher://h/0/a%09%09!");
    Journey::new().open("file:///a").answer(media::PLAIN, b"x").keys("M-i").notes("only gopher menus");
}

#[test]
fn a_server_is_asked_for_its_caps_only_when_the_reader_wants_them() {
    let j = Journey::at(&["0|A|/a"]).quiet();
    let j = j.run("caps").expect_fetch("gopher://h/0/caps.txt");
    let j = j.answer(media::CAPS, b"CAPS\r\n\r\nCapsVersion=1\r\nServerAdmin=Me <me@h.example>\r\n");
    let text = j.app.tab.entry().unwrap().document().unwrap().text().to_owned();
    assert!(text.starts_with("What h says of itself") && text.contains("Me <me@h.example>"), "{text}");
    Journey::new().open("file:///a").answer(media::PLAIN, b"x").run("caps").notes("only gopher servers");
}

#[test]
fn a_link_that_leads_nowhere_says_why() {
    Journey::new()
        .open("data:text/gemini,")
        .answer(media::GEMTEXT, b"=> c.txt see\n")
        .keys("Enter")
        .quiet()
        .notes("c.txt")
        .notes("no hierarchy");
}

#[test]
fn the_status_bar_names_the_url_that_is_coming() {
    Journey::at(&["7|Find|/f"]).keys("Enter x Enter").look(|j| {
        let parts: Vec<String> = status::parts(j.app.sight()).iter().map(|part| part.text.clone()).collect();
        assert!(parts.contains(&"x".to_owned()), "{parts:?}");
    });
}

#[test]
fn copies_are_absolute() {
    Journey::new()
        .open("file:///a/b.gmi")
        .answer(media::GEMTEXT, b"=> c.txt see\n")
        .keys("Y")
        .expect(Effect::Copy("file:///a/c.txt".into()))
        .keys("y")
        .expect(Effect::Copy("file:///a/b.gmi".into()));
}

#[test]
fn what_nobody_would_expect_is_said_on_arrival() {
    let secured = |trust| Head {
        security: Some(Security { trust, certificate: Certificate::unseen("ab") }),
        ..head("gophers://h/", media::MENU)
    };
    let arrive = |of: &str, head: Head, body: &[u8]| {
        Journey::new().open(of).event(FetchEvent::Head(Box::new(head))).body(body).end()
    };
    let menu: &[u8] = b"0Caf\xe9\t/a\th\t70\r\n.\r\n";
    arrive("gophers://h/", secured(Trust::FirstUse), menu).notes("first visit").notes("h is remembered");
    arrive("gophers://h/", secured(Trust::Pinned), menu).notes("charset guessed: windows-1252");
    arrive("gopher://h/", head("gopher://mirror:7070/1/x", media::MENU), menu)
        .notes("mirror port 7070 answered in its place");
    let plain = arrive("gopher://H:70/", head("gopher://h/", media::MENU), b"0A\t/a\th\t70\r\n.\r\n");
    assert!(plain.app.hands.note.is_none(), "{:?}", plain.app.hands.note);
}

#[test]
fn a_proxy_is_said_beforehand_and_gets_no_password() {
    let mut j = Journey::new();
    j.app.desk.settings.http.proxies.set("gopher", "http://proxy:3128").unwrap();
    j.app.desk.settings.http.proxies.set("wais", "http://proxy:3128").unwrap();
    let j = j.open("gopher://h/").expect_fetch("gopher://h/").answer(media::HTML, b"<p><a href='0/a'>A</a>").keys("=");
    let over = j.over();
    assert!(over.contains("would send   GET gopher://h/ HTTP/1.1 to proxy:3128"), "{over}");
    assert!(over.contains("would send   GET gopher://h/0/a HTTP/1.1 to proxy:3128"), "{over}");
    j.keys("Esc")
        .quiet()
        .open("wais://h/db?words")
        .expect_fetch("wais://h/db?words")
        .open("gopher://me:secret@h/")
        .quiet()
        .shows("clear text to the proxy proxy");
}

#[test]
fn a_line_or_the_lines_from_a_mark_on_are_copied_as_they_read() {
    let at = || Journey::at(&["1|One|/1", "i|between", "1|Two|/2", "1|Three|/3"]);
    at().keys("M-y").expect(Effect::Copy("(DIR) One".into())).notes("copied (DIR) One");
    let j = at().keys("M-m").notes("this line is marked; M-y copies").keys("Down M-y");
    let j = j.expect(Effect::Copy("(DIR) One\n      between\n(DIR) Two".into())).notes("copied 3 lines");
    // the mark has served; backwards it is the same
    let j = j.keys("M-y").expect(Effect::Copy("(DIR) Two".into())).keys("Down M-m Up Up M-y");
    let j = j.expect(Effect::Copy("(DIR) One\n      between\n(DIR) Two\n(DIR) Three".into()));
    j.keys("M-m M-m").notes("no line is marked").keys("M-y").expect(Effect::Copy("(DIR) One".into()));
}

#[test]
fn where_there_are_no_links_the_screen_is_what_is_copied() {
    let j = Journey::sized(40, 6).open("gopher://h/0/t").answer("text/plain", &lines(20)).quiet();
    let j = j.keys("M-y").expect(Effect::Copy("This is line 1.".into())).keys("M-m J J M-y");
    j.expect(Effect::Copy((1..=6).map(|n| format!("This is line {n}.")).collect::<Vec<_>>().join("\n")));
}

#[test]
fn what_went_wrong_is_not_lost_behind_what_goes_wrong_next() {
    let j = Journey::at(&["1|One|/1"]).run("complaints").notes("nothing went wrong so far");
    let j = j
        .send(Msg::Complaint("history: the disk is full".into()))
        .send(Msg::Complaint("cookies: the disk is full".into()));
    let j = j.notes("history: the disk is full · cookies: the disk is full").keys("Down").run("complaints");
    assert_eq!(j.over().trim(), "cookies: the disk is full\nhistory: the disk is full");
}

#[test]
fn the_anatomy_says_why_xhtml_is_read_as_html() {
    let root = "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>one";
    let at = |rest: &str| Journey::new().open("http://h/").answer(media::XHTML, format!("{root}{rest}").as_bytes());
    let said = "noted        no XML, so it is read as HTML: line 1 has </p> where </br> is due";
    let over = at("<br>two</p></body></html>").keys("=").over();
    assert!(over.contains(said), "{over}");
    assert!(!at("<br/>two</p></body></html>").keys("=").over().contains("XML"));
}

/// Enter on an article just opened wrote a mail to its author.
#[test]
fn the_first_focus_of_an_article_is_in_its_body() {
    let article = |body: &str| {
        let octets = format!("From: Ann <ann@h>\r\nNewsgroups: a.b\r\nSubject: s\r\n\r\n{body}\r\n");
        Journey::new().open("news:1@h").answer(media::MESSAGE, octets.as_bytes())
    };
    let j = article("see http://example.org/x for it");
    let target = |j: &Journey| {
        let entry = j.app.entry().unwrap();
        entry.focus.and_then(|link| entry.document().unwrap().reference(link)).map(str::to_owned)
    };
    assert_eq!(target(&j).as_deref(), Some("http://example.org/x"));
    let j =
        j.keys("Up").look(|j| assert!(target(j).is_some_and(|to| !to.starts_with("http")), "the header is there too"));
    j.keys("Down").look(|j| assert_eq!(target(j).as_deref(), Some("http://example.org/x")));
    let long: String = (0..60).map(|n| format!("line {n}\r\n")).collect();
    let j = article(&long).focus(None).keys("Enter").notes("no link under focus");
    j.keys("Space b").focus(None).keys("]").look(|j| assert!(target(j).is_some()));
}

#[test]
fn a_text_is_shown_in_its_colours_and_without() {
    let j = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, b"\x1b[31mred\x1b[0m text\n");
    let red = |j: &Journey| {
        let page = j.app.tab.entry().unwrap().page.as_deref().unwrap();
        assert_eq!(page.given().text(), "red text");
        page.given().spans_in(0..3).first().map(|span| span.role)
    };
    assert_eq!(red(&j), None);
    let j = j.notes(":colours shows them").keys("M-l").work().notes("in its colours");
    assert_eq!(red(&j), Some(wayfarer::role::Role::Red));
    let j = j.keys("M-l").work().notes("without its colours");
    assert_eq!(red(&j), None);
    Journey::at(&["0|A|/a"]).run("colours").notes("only plain texts");
}

#[test]
fn schemes_are_explained_by_what_too() {
    let j = Journey::new().run("what gopher").notes("gopher: An item of a gopher server").run("what FTPS");
    let j = j.notes("over TLS").run("what base").notes("relative link").keys(":").text("what goph");
    let rows = &j.app.hands.prompt().unwrap().completions;
    assert!(rows.iter().any(|row| row.text == "what gopher"), "{rows:?}");
    Journey::new().run("what nonsense").notes("the bar has no word \"nonsense\"");
}

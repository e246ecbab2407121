//! Pictures in the text of a page: asked for by a key, at their place, of the page's own server.

use super::journey::{Journey, head};
use crate::picture::png;
use wayfarer::app::{Msg, PageState};
use wayfarer::doc::Anchor;
use wayfarer::picture::{Decode, MOST_IN_TEXT, Protocol};
use wayfarer::proto::{Again, End, FetchError, FetchEvent, Head, Kind, Moved, Verdict};
use wayfarer::stop::Stop;

const PAGE: &[u8] =
    b"<p>Words <img src=one.png alt=one> and more.<p>Between.<p><img src=http://elsewhere/two.png alt=two><p>After.";

fn web() -> Journey {
    Journey::new().open("http://h/").answer("text/html", PAGE)
}

type Seen = ((u16, u16), (u16, u16), bool);

/// The pictures that are seen: where they begin, and their columns and rows; drawn or not.
fn seen(j: &Journey) -> Vec<Seen> {
    let of = |placed: wayfarer::app::Placed| (placed.at, placed.cells, placed.drawing.is_some());
    j.app.sight().illustrations().into_iter().map(of).collect()
}

#[test]
fn one_key_shows_a_picture_below_the_line_that_names_it_and_takes_it_away() {
    let before = web().page();
    let j = web().keys("x").expect_fetch("http://h/one.png").shows("The picture is coming.");
    let j = j.answer("image/png", &png(40, 20));
    assert_eq!(seen(&j), [((0, 1), (40, 10), true)]);
    let j = j.shows("[one]").shows("Between.");
    let rows = |j: &Journey| {
        let (sight, top) = (j.app.sight(), Anchor::default());
        sight.layout().lines(sight.entry().unwrap().document().unwrap(), top, 100).len()
    };
    assert_eq!(rows(&j), rows(&web()) + 10);
    let j = j.keys("x");
    assert!(seen(&j).is_empty());
    assert_eq!(j.page(), before, "and it is as it was");
}

#[test]
fn a_menu_a_gemtext_and_a_directory_show_the_picture_of_a_link() {
    let j = Journey::at(&["I|Picture|/p.png", "0|Text|/t.txt"]).keys("x").expect_fetch("gopher://h/I/p.png");
    let j = j.answer("image/png", &png(40, 20)).at_url("gopher://h/").shows("Text");
    assert_eq!(seen(&j).len(), 1);
    let gemtext = b"words\n=> p.jpg A picture\nwords\n";
    let j = Journey::new().open("gemini://h/").answer("text/gemini", gemtext).keys("x");
    let j = j.expect_fetch("gemini://h/p.jpg").answer("image/png", &png(40, 20)).shows("A picture");
    assert_eq!(seen(&j).len(), 1);
    let rows = b"type=file;size=9; a.png\r\ntype=file;size=9; b.txt\r\n";
    let j = Journey::new().open("ftp://h/d/").answer("application/x-directory", rows).keys("Down x");
    let j = j.expect_fetch("ftp://h/d/a.png").answer("image/png", &png(40, 20)).shows("b.txt");
    assert_eq!(seen(&j).len(), 1);
}

#[test]
fn a_picture_within_a_link_is_that_picture_and_not_where_the_link_leads() {
    let page = b"<p><a href=large.html><img src=small.png alt=small></a>";
    let j = Journey::new().open("http://h/").answer("text/html", page).keys("x").expect_fetch("http://h/small.png");
    let j = j.answer("image/png", &png(8, 8));
    j.keys("Enter").expect_fetch("http://h/large.html");
}

#[test]
fn a_picture_of_another_server_is_asked_about() {
    let j = web().keys("Tab x").asks("not of this page's server, but of elsewhere").text("n");
    assert_eq!(j.fetches.len(), 1, "{:?}", j.fetches);
    let j = j.keys("x").text("y").expect_fetch("http://elsewhere/two.png").answer("image/png", &png(8, 8));
    assert_eq!(seen(&j).len(), 1);
    let port = b"<p><img src=http://h:8080/p.png alt=p>";
    Journey::new().open("http://h/").answer("text/html", port).keys("x").asks("but of h:8080.");
    let refused = b"<p><img src=http://h:25/p.png alt=p>";
    Journey::new().open("http://h/").answer("text/html", refused).keys("x").notes("port 25");
    let file = b"<p><img src=file:///etc/passwd alt=secret>";
    let j = Journey::new().open("http://h/").answer("text/html", file).keys("x");
    j.asks("A page from the network leads to a file of this machine");
}

#[test]
fn a_redirect_to_another_server_is_not_followed() {
    let to = |to: &str, of: &str| {
        FetchEvent::Moved(Box::new(Moved {
            from: super::journey::url(of),
            to: to.into(),
            status: "302 Found".into(),
            again: Again::Get,
            unkept: false,
        }))
    };
    let j = web().keys("x").expect_fetch("http://h/one.png").event(to("/more.png", "http://h/one.png"));
    let j = j.expect_fetch("http://h/more.png").event(to("http://elsewhere/x.png", "http://h/more.png"));
    j.shows("The picture is elsewhere; follow its link.");
    let round = (0..6).fold(web().keys("x"), |j, _| j.event(to("/one.png", "http://h/one.png")));
    round.shows("The picture was elsewhere 5 times in a row; its link shows where.");
}

#[test]
fn what_is_no_picture_costs_a_sentence_at_its_place() {
    let asked = || web().keys("x").expect_fetch("http://h/one.png");
    asked().head("text/html").expect_verdict(Verdict::Refuse).shows("There is no picture there, but text/html.");
    asked().answer("image/png", b"no picture").shows("This is no picture of a kind that is shown here");
    let octets = png(300, 300);
    let j = asked().answer("image/png", &octets[..octets.len() / 2]);
    assert_eq!(seen(&j).len(), 1, "what came of it is shown");
    j.shows("It breaks off: what came of it is shown.");
    let mut bomb = png(2, 2);
    bomb[16..24].copy_from_slice(&[0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]);
    let mut sum = flate2::Crc::new();
    sum.update(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&sum.sum().to_be_bytes());
    asked().answer("image/png", &bomb).shows("60000 x 60000 pixels");
    let j = asked().answer("image/png", &png(100_000, 1));
    assert_eq!(seen(&j)[0].1.1, 1, "one row");
    let j = asked().head("image/png").body(&vec![0; 17 << 20]).shows("larger than 16 MB");
    assert!(matches!(j.app.sight().entry().unwrap().page.as_deref().unwrap().state, PageState::Complete));
}

#[test]
fn what_a_server_says_of_a_picture_becomes_text_of_one_line() {
    let words = format!("no\u{1b}[31m \u{202e}picture\nhere\t{}", "x".repeat(2000));
    let j = web().keys("x").event(FetchEvent::Failed(FetchError::new(Kind::Said, words)));
    let said = j.page();
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("picture")).collect();
    assert!(!said.contains(['\u{1b}', '\u{202e}', '\t']), "{said}");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(said.matches('x').count() < 450, "{said}");
}

#[test]
fn what_is_shown_unasked_has_a_bound_that_counts_what_came_of_it() {
    let mut j = Journey::new();
    j.app.desk.settings.pictures_in_text = wayfarer::config::PicturesInText::Host;
    let images: String = (0..60).map(|n| format!("<p><img src={n}.png alt={n}>")).collect();
    let mut j = j.open("http://h/").answer("text/html", images.as_bytes());
    let asked = |j: &Journey| j.fetches.len() - 1;
    let mut came = 0;
    while came < asked(&j) {
        let picture = j.fetches[came + 1].0;
        j = j.event_of(picture, FetchEvent::Head(Box::new(head("http://h/", "image/png"))));
        j = j.event_of(picture, FetchEvent::Body(vec![0; 17 << 20]));
        came += 1;
    }
    assert!(came <= 3, "{came} of 17 MB each");
}

#[test]
fn a_picture_that_is_taken_away_makes_room_for_none_that_nobody_asked_for() {
    let mut j = Journey::new();
    j.app.desk.settings.pictures_in_text = wayfarer::config::PicturesInText::Host;
    let images: String = (0..60).map(|n| format!("<p><img src={n}.png alt={n}>")).collect();
    let mut j = j.open("http://h/").answer("text/html", images.as_bytes());
    let mut came = 0;
    while came + 1 < j.fetches.len() {
        let picture = j.fetches[came + 1].0;
        j = j.event_of(picture, FetchEvent::Failed(FetchError::new(Kind::NotFound, "none")));
        came += 1;
    }
    assert_eq!(came, 40);
    let j = j.keys("Home Tab x");
    assert_eq!(j.fetches.len(), 41, "none is fetched by taking one away");
}

#[test]
fn another_charset_shows_no_place_of_a_picture_that_is_not_there() {
    let j = web().keys("x").answer("image/png", &png(8, 8));
    assert_eq!(seen(&j).len(), 1);
    let j = j.run("charset iso-8859-1");
    assert_eq!(seen(&j).len(), 0);
    assert_eq!(j.page(), web().page());
}

#[test]
fn what_comes_after_the_page_was_left_changes_nothing_that_is_seen() {
    let j = Journey::at(&["I|Picture|/p.png", "0|Text|/t.txt"]).keys("x").expect_fetch("gopher://h/I/p.png");
    let picture = j.last();
    let j = j.keys("Tab Enter").expect_fetch("gopher://h/0/t.txt").answer("text/plain", b"a text\r\n");
    let before = j.page();
    let j = j.event_of(picture, FetchEvent::Head(Box::new(head("gopher://h/I/p.png", "image/png"))));
    let j = j.event_of(picture, FetchEvent::Body(png(8, 8)));
    let j = j.event_of(picture, FetchEvent::End(Default::default()));
    assert_eq!(j.page(), before);
    let j = j.keys("Left").at_url("gopher://h/");
    assert_eq!(seen(&j).len(), 1, "there it is");
}

#[test]
fn the_reader_stays_in_a_picture_when_the_screen_or_the_page_changes() {
    let long: String = (0..40).map(|n| format!("<p>Line {n}.")).collect();
    let page = format!("<p><img src=a.png alt=a><p>Below.{long}<p><img src=b.png alt=b>");
    let j = Journey::sized(80, 24).open("http://h/").answer("text/html", page.as_bytes());
    let j = j.keys("x").answer("image/png", &png(80, 80));
    let rows = |j: &Journey| seen(j)[0].1.1;
    assert_eq!(rows(&j), 21, "it is seen whole, with its name");
    let j = j.keys("J J J J J");
    assert_eq!(rows(&j), 17);
    // Half as wide, and another picture comes above: the same part of it is at the top.
    let part = |j: &Journey| j.app.sight().entry().unwrap().top.offset;
    let (before, j) = (part(&j), j.resize(40, 24));
    assert!(before > 0 && part(&j).abs_diff(before) < 20, "{before} {}", part(&j));
    let above = seen(&j)[0].1.1;
    let j = j.keys("J K");
    assert_eq!((seen(&j)[0].1.1, part(&j).abs_diff(before) < 20), (above, true));
    let now = part(&j);
    let j = j.run("set width 30").send(Msg::Graphics(Protocol::Kitty, Some((1, 2))));
    assert!(part(&j).abs_diff(now) < 20, "arranged anew: {now} {}", part(&j));
}

#[test]
fn five_hundred_pictures_cost_what_is_seen_of_them() {
    let page: String = (0..500).map(|n| format!("<p><img src={n}.png alt=p{n}>")).collect();
    let mut j = Journey::new();
    j.app.desk.settings.pictures_in_text = wayfarer::config::PicturesInText::Host;
    let mut j = j.open("http://h/").answer("text/html", page.as_bytes());
    let asked = |j: &Journey| j.fetches.len();
    assert_eq!(asked(&j), 3, "two at a time");
    let mut next = 1;
    while next < asked(&j) {
        let (id, of) = (j.fetches[next].0, j.fetches[next].1.url.as_str().to_owned());
        j = j.event_of(id, FetchEvent::Head(Box::new(head(&of, "image/png"))));
        j = j.event_of(id, FetchEvent::Body(png(60, 60))).event_of(id, FetchEvent::End(Default::default()));
        next += 1;
        assert!(asked(&j) - next <= 2);
    }
    assert_eq!(asked(&j), 41, "forty at most");
    // What is not on the screen has nothing drawn.
    let drawn = j.app.sight().illustrations().len();
    assert!(drawn <= 3, "{drawn}");
}

#[test]
fn a_page_shows_none_of_another_server_by_itself() {
    let mut j = Journey::new();
    j.app.desk.settings.pictures_in_text = wayfarer::config::PicturesInText::Host;
    let j = j.open("http://h/").answer("text/html", PAGE);
    let mine: Vec<String> = j.fetches.iter().map(|fetch| format!("{fetch:?}")).collect();
    assert!(!mine.iter().any(|fetch| fetch.contains("elsewhere")), "{mine:?}");
    assert_eq!(mine.len(), 2);
}

#[test]
fn a_page_that_was_kept_asks_nobody_for_its_pictures() {
    let mut j = Journey::new();
    j.app.desk.settings.pictures_in_text = wayfarer::config::PicturesInText::Host;
    let kept = |head| Head { kept: Some(jiff::Timestamp::UNIX_EPOCH), ..head };
    let j = j.open("http://h/").event(FetchEvent::Head(Box::new(kept(head("http://h/", "text/html")))));
    let page = b"<p><img src=one.png alt=one><p><img src=data:image/png;base64,AA alt=own>".to_vec();
    let j = j.event(FetchEvent::Body(page)).event(FetchEvent::End(End::default()));
    let asked: Vec<&str> = j.fetches.iter().map(|(_, request)| request.url.as_str()).collect();
    assert_eq!(asked, ["http://h/", "data:image/png;base64,AA"]);
}

#[test]
fn a_page_of_images_of_others_is_not_looked_through_between_two_keys() {
    let mut j = Journey::new();
    j.app.desk.settings.pictures_in_text = wayfarer::config::PicturesInText::Host;
    let others = "<p><img src=http://elsewhere/x.png alt=x>".repeat(1500);
    let j = j.open("http://h/").answer("text/html", format!("{others}<p><img src=mine.png alt=mine>").as_bytes());
    assert_eq!(j.fetches.len(), 1, "its own stands behind too many of others");
}

#[test]
fn a_large_picture_is_kept_small() {
    let decode = Decode { octets: png(3000, 2000), room: 64 << 20 };
    let picture = decode.run(&Stop::new()).unwrap().unwrap();
    let pixels = u64::from(picture.width()) * u64::from(picture.height());
    assert!(pixels <= MOST_IN_TEXT && pixels > MOST_IN_TEXT * 9 / 10, "{picture:?}");
    let long = Decode { octets: png(100_000, 30), room: 64 << 20 };
    assert!(long.run(&Stop::new()).unwrap().unwrap().height() > 0);
}

#[test]
fn scrolling_draws_half_blocks_once_and_sixel_as_far_as_they_are_seen() {
    let page: String = "<p><img src=a.png alt=a>".to_string() + &"<p>Line.".repeat(60);
    let draws = |protocol| {
        let j = Journey::new().send(Msg::Graphics(protocol, Some((10, 20))));
        let j = j.open("http://h/").answer("text/html", page.as_bytes()).keys("x").answer("image/png", &png(200, 200));
        let number = |j: &Journey| j.app.sight().illustrations()[0].drawing.as_ref().unwrap().number();
        let (first, j) = (number(&j), j.keys("J"));
        let (whole, j) = (number(&j), j.keys("J J J"));
        (whole == first, number(&j) == first, seen(&j)[0])
    };
    assert_eq!(draws(Protocol::Blocks), (true, true, ((0, 0), (42, 18), true)));
    assert_eq!(draws(Protocol::Kitty), (true, true, ((0, 0), (20, 7), true)));
    assert_eq!(draws(Protocol::Sixel), (true, false, ((0, 0), (20, 7), true)), "the line that names it goes first");
}

#[test]
fn a_picture_that_was_asked_for_is_seen_where_its_link_was_on_the_last_row() {
    let mut menu: Vec<String> = (0..30).map(|n| format!("I|Picture {n}|/{n}.png")).collect();
    menu.push("i|the end|".into());
    let last = |mut j: Journey| {
        let rows = j.app.sight().page_rows();
        for _ in 1..rows {
            j = j.keys("Down");
        }
        j
    };
    let j = last(Journey::at(&rows_of(&menu))).keys("x");
    let focus = j.app.sight().entry().unwrap().focus;
    let j = j.answer("image/png", &png(40, 20));
    let rows = u16::try_from(j.app.sight().page_rows()).unwrap();
    let (at, cells, _) = seen(&j)[0];
    assert_eq!((at.1 + cells.1, cells.1), (rows, 10), "all of it, on the last rows");
    assert_eq!(j.app.sight().entry().unwrap().focus, focus);
    // So is why there is none.
    let sentence = "There is no picture there, but text/html.";
    let j = last(Journey::at(&rows_of(&menu))).keys("x").head("text/html");
    let sight = j.app.sight();
    let entry = sight.entry().unwrap();
    let lines = sight.layout().lines(entry.document().unwrap(), entry.top, rows.into());
    let last_row: String = lines.last().unwrap().segments.iter().map(|segment| &*segment.text).collect();
    assert_eq!(last_row.trim(), sentence);
    // Who went on meanwhile is left where they are.
    let j = last(Journey::at(&rows_of(&menu))).keys("x Home");
    let j = j.answer("image/png", &png(40, 20));
    assert_eq!(j.app.sight().entry().unwrap().top, Anchor::default());
}

fn rows_of(menu: &[String]) -> Vec<&str> {
    menu.iter().map(String::as_str).collect()
}

#[test]
fn after_a_page_the_focus_is_on_a_link_whose_words_are_seen() {
    let items: Vec<String> = (0..40).map(|n| format!("I|Picture {n}|/{n}.png")).collect();
    let j = Journey::at(&rows_of(&items));
    let rows = j.app.sight().page_rows();
    let j = (1..rows - 4).fold(j, |j, _| j.keys("Down")).keys("x").answer("image/png", &png(40, 20)).keys("Space");
    let sight = j.app.sight();
    let (entry, document) = (sight.entry().unwrap(), sight.entry().unwrap().document().unwrap());
    let lines = sight.layout().lines(document, entry.top, rows);
    assert!(lines[0].segments.iter().any(|segment| segment.row.is_some()), "the picture is on the first row");
    let words = |segment: &wayfarer::doc::Segment<'_>| segment.link == entry.focus && segment.row.is_none();
    assert!(lines.iter().any(|line| line.segments.iter().any(words)), "{:?}", entry.focus);
}

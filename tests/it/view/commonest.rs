//! Pictures of the screens that a reader has before them most, from the smallest window to the widest: 20×5, 40×10, 80×24, 160×50.

use super::text;
use crate::app::journey::{Journey, menu};
use crate::app::news::GROUP;
use insta::assert_snapshot;
use wayfarer::format::media;
use wayfarer::theme::Theme;

const SIZES: [(u16, u16); 4] = [(20, 5), (40, 10), (80, 24), (160, 50)];

const WORDS: &str = "Typography is the art of arranging letters and text in a way that makes the copy legible, clear \
                     and appealing to whoever reads it, for minutes or for hours.";
const LISTING: &str = "type=dir;modify=19940324000000; gopher\r\ntype=file;size=31234;modify=19911202142000; README\r\n\
                       type=file;size=1200000;modify=19930811000000; gopher_protocol-1.0.tar.gz\r\n\
                       type=OS.unix=slink:gopher;modify=19930811000000; latest\r\n";
const ARTICLE: &str = "From: Ann <ann@h.example>\r\nNewsgroups: a.b\r\nSubject: Re: Lamps\r\nMessage-ID: <2@h>\r\n\
                       References: <1@h>\r\nDate: Wed, 04 Nov 2026 10:00:00 +0000\r\n\r\nJoe wrote:\r\n> Which lamp is it?\r\n\r\n\
                       The one of http://h.example/lamps/ by the door.\r\n-- \r\nAnn\r\n";

fn taken(name: &str, stage: impl Fn(Journey) -> Journey) {
    for (columns, rows) in SIZES {
        let journey = stage(Journey::sized(columns, rows));
        assert_snapshot!(format!("{name}_{columns}x{rows}"), text(&journey.app, &Theme::default()));
    }
}

fn home(j: Journey) -> Journey {
    let text = wayfarer::proto::about::text("home").unwrap();
    j.open("about:home").answer(media::OWN, text.as_bytes())
}

fn gopher(j: Journey) -> Journey {
    let rows = ["i|Welcome to the library.", "0|About this server, and whom to write to|/about", "7|Search|/find"];
    let more = ["1|Phlogs|/phlogs", "9|An archive|/a.tar.gz", "I|A picture|/a.gif", "8|A catalogue|joe"];
    j.open("gopher://gopher.example.org/")
        .answer(media::MENU, &menu("gopher.example.org", &[&rows[..], &more].concat()))
}

fn web(j: Journey) -> Journey {
    let html = format!(
        "<title>On typography</title><h1>On typography</h1><p>{WORDS}<h2>Rules</h2><ul><li>{WORDS}<li><a href=x>One more</a></ul>\
         <blockquote><p>{WORDS}</blockquote><pre>fn main() {{}}</pre><table><tr><th>Face<th>Year<tr><td>Garamond<td>1530</table>"
    );
    j.open("http://www.example.org/typography").answer(media::HTML, html.as_bytes())
}

#[test]
fn the_screens_of_every_hour() {
    taken("home", home);
    taken("menu", gopher);
    taken("text", |j| {
        j.open("gopher://h.example/0/phlog/1.txt").answer(media::PLAIN, [WORDS, WORDS].join("\n\n").as_bytes())
    });
    taken("directory", |j| j.open("ftp://ftp.example.org/pub/").answer(media::DIRECTORY, LISTING.as_bytes()));
    taken("group", |j| j.open("nntp://h.example/g.one").answer(media::NEWSGROUP, GROUP.as_bytes()));
    taken("article", |j| j.open("nntp://h.example/a.b/7").answer(media::MESSAGE, ARTICLE.as_bytes()));
    taken("page", web);
}

#[test]
fn what_lies_over_them() {
    taken("anatomy", |j| gopher(j).keys("Down ="));
    taken("help", |j| gopher(j).keys("?"));
    taken("prompt", |j| gopher(j).keys("g").text("gopher.ex"));
    taken("settings", |j| j.open("about:settings"));
    taken("find", |j| web(j).keys("/").text("art"));
    taken("links", |j| gopher(j).keys("O"));
}

/// The mark of a row that was read is only drawn: for who listens nothing stands before its link, where the pointer would be.
#[test]
fn rows_that_were_read_are_shown_to_who_listens() {
    let mut j = Journey::sized(60, 20).open("nntp://h.example/g.one").answer(media::NEWSGROUP, GROUP.as_bytes());
    j = j.keys("c").keys("y");
    j.app.desk.settings.speech = true;
    let shown = text(&j.app, &Theme::default());
    assert!(shown.lines().filter(|line| !line.trim().is_empty()).count() > 2, "{shown}");
}

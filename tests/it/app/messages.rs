//! Messages and what is in them: `cid:` and `mid:` URLs, parts as pages and files, their bases, hostile ones.

use super::journey::{Journey, url};
use wayfarer::app::{Effect, PageState};
use wayfarer::format::media;
use wayfarer::proto::{End, FetchEvent, Head, Held, Verdict};
use wayfarer::url::Layer;

const NEWS: &str = "news:1@x";

/// A related message: HTML whose pictures are parts, by id and by Content-Location.
const RELATED: &str = "Message-ID: <1@x>\nSubject: related\nContent-Base: http://base/dir/\n\
Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\nContent-ID: <root@x>\n\n\
<p><a href=pic.gif>by place</a> <a href=other.html>elsewhere</a> <a href='cid:pic@x'>by id</a></p>\n\
--b\nContent-Type: image/gif\nContent-ID: <pic@x>\nContent-Location: pic.gif\n\
Content-Disposition: attachment; filename=\"../../.ssh/authorized_keys\"\nContent-Transfer-Encoding: base64\n\nR0lG\n--b--\n";

impl Journey {
    /// At an article that came from a URL.
    fn reading(of: &str, octets: &str) -> Journey {
        Journey::new().open(of).answer(media::MESSAGE, octets.as_bytes()).quiet()
    }

    fn held(&self) -> &Held {
        self.fetches.last().expect("a fetch").1.held.as_deref().expect("what was held")
    }

    /// The last fetch passes on what it holds.
    fn pass(mut self) -> Journey {
        self.effects.clear();
        let held = self.held().clone();
        let url = self.fetches.last().unwrap().1.url.clone();
        let head = Head {
            filename: held.filename.clone(),
            within: Some(held.within.clone()),
            ..Head::new(url, held.media.clone())
        };
        let mut told = self.event(FetchEvent::Head(Box::new(head)));
        let before = told.effects.len();
        told.effects.retain(|effect| {
            !matches!(effect, Effect::Verdict { verdict: Verdict::Accept, .. } | Effect::Parse { .. })
        });
        match told.effects.len() < before {
            true => told.body(&held.octets).event(FetchEvent::End(End::default())),
            false => told,
        }
    }

    fn base(&self, layer: Layer) -> Option<&str> {
        Some(self.app.entry()?.bases.get(layer)?.as_str())
    }
}

/// Nobody sent a page that a browser saved: it is read by the keys of pages.
#[test]
fn the_links_of_a_saved_page_are_gone_through_by_the_key_of_links() {
    let focus = |octets: &str| {
        Journey::reading("file:///a.mht", octets).keys("Tab").app.entry().unwrap().focus.map(|link| link.0)
    };
    let saved = RELATED.replace("Message-ID: <1@x>\n", "");
    assert_eq!([focus(&saved), focus(RELATED)], [Some(2), Some(1)], "the first is what shows the whole header");
}

#[test]
fn a_part_is_opened_within_its_message() {
    for of in ["cid:root@x", "mid:1@x/root@x", "mid:1%40x/part-1"] {
        Journey::reading(NEWS, RELATED)
            .open(of)
            .look(|j| assert_eq!(j.held().media, "text/html"))
            .pass()
            .at_url(of)
            .look(|j| {
                assert_eq!(j.base(Layer::Entity), Some("http://base/dir/"));
                assert_eq!(j.base(Layer::Retrieval), Some(NEWS));
                let bases = &j.app.entry().unwrap().bases;
                assert_eq!(bases.entity_origin(), Some("Content-Base of the message"));
                let leads = |reference| bases.resolve(reference).unwrap().url_in(&url(NEWS)).to_string();
                assert_eq!(leads("pic.gif"), "mid:1@x/pic@x");
                assert_eq!(leads("other.html"), "http://base/dir/other.html");
            });
    }
}

#[test]
fn parts_lead_to_parts_and_the_way_back_is_kept() {
    Journey::reading(NEWS, RELATED)
        .open("cid:root@x")
        .pass()
        .open("cid:pic@x")
        .look(|j| assert_eq!(j.held().octets, b"GIF"))
        .pass()
        .shows("This is no picture of a kind that is shown here")
        .keys("Left Left")
        .at_url(NEWS);
}

#[test]
fn the_anatomy_says_where_the_base_comes_from() {
    let journey = Journey::reading(NEWS, RELATED).keys("=");
    assert!(
        journey.over().contains("http://base/dir/ (Content-Base of the message)  ◀ in force"),
        "{}",
        journey.over()
    );
}

/// The bar said "cid  root@x", and not which file that is in.
#[test]
fn the_bar_says_where_the_message_lies_that_a_part_is_in() {
    let parts = |j: &Journey| {
        let parts = wayfarer::app::status::parts(j.app.sight());
        parts.into_iter().map(|part| part.text).collect::<Vec<_>>().join(" ")
    };
    let j = Journey::reading("file:///home/me/saved.mhtml", RELATED).open("cid:root@x").pass();
    assert_eq!(parts(&j), "file /home/me/saved.mhtml root@x");
    // What was looked for in vain is in none.
    assert_eq!(parts(&j.open("cid:none@x")), "cid none@x");
    let j = Journey::reading(NEWS, RELATED).open("mid:1@x/root@x").pass();
    assert!(parts(&j).starts_with("mid 1@x"), "{}", parts(&j));
}

#[test]
fn nothing_is_sent_for_a_cid() {
    Journey::reading(NEWS, RELATED).open("cid:none@x").quiet().shows("The message has no such part.");
    Journey::at(&["1|menu|/"]).open("cid:pic@x").quiet().shows("the page in view is no message");
    // the message was stopped before its end
    let arriving = Journey::new().open(NEWS).head(media::MESSAGE).body(RELATED.as_bytes());
    let mut arriving = arriving.open("cid:root@x");
    arriving.effects.retain(|effect| !matches!(effect, Effect::Fetch { .. } | Effect::Parse { .. } | Effect::Keep(_)));
    assert!(arriving.effects.iter().all(|effect| matches!(effect, Effect::Cancel(_))), "{:?}", arriving.effects);
    arriving.shows("still coming");
}

#[test]
fn an_article_that_is_not_here_is_fetched_by_its_id() {
    let journey = Journey::new().open("mid:1@x/pic@x").expect_fetch("news:1@x");
    let journey = journey.head(media::MESSAGE).body(RELATED.as_bytes()).end();
    assert_eq!(journey.held().media, "image/gif");
    journey.pass().shows("picture");
    Journey::new().open("mid:1@x").expect_fetch("news:1@x").quiet();
    Journey::new()
        .open("mid:1@x/none@x")
        .expect_fetch("news:1@x")
        .head(media::MESSAGE)
        .body(RELATED.as_bytes())
        .end()
        .shows("has no such part");
}

#[test]
fn a_message_that_is_fetched_for_its_part_is_private_in_a_private_tab() {
    let j = Journey::new()
        .open("gopher://h/")
        .answer("text/plain", b"x")
        .run("private")
        .text("mid:1@x/pic@x")
        .keys("Enter");
    let j = j.expect_fetch("news:1@x");
    assert!(j.fetches.last().unwrap().1.private);
}

#[test]
fn what_comes_for_a_part_must_be_a_message() {
    Journey::new().open("mid:1@x/pic@x").expect_fetch("news:1@x").head("text/plain").shows("What came is no message");
}

#[test]
fn a_part_of_another_article_is_not_looked_for_in_this_one() {
    Journey::reading(NEWS, RELATED).open("mid:2@x/pic@x").expect_fetch("news:2@x");
    // it is, when it is one of those that were read
    let other = RELATED.replace("1@x", "2@x");
    let journey = Journey::reading("news:2@x", &other).open("about:home").answer(media::PLAIN, b"x");
    assert_eq!(journey.open("mid:2@x/pic@x").held().octets, b"GIF");
}

#[test]
fn a_message_is_opened_from_memory() {
    let journey = Journey::reading("gopher://h/0/m", RELATED).open("mid:1@x");
    assert_eq!((journey.held().media.as_str(), journey.held().octets.len()), (media::MESSAGE, RELATED.len()));
    let journey = journey.pass().at_url("mid:1@x");
    assert_eq!(journey.base(Layer::Retrieval), Some("gopher://h/0/m"));
}

#[test]
fn the_name_of_a_part_leads_out_of_no_folder() {
    let journey = Journey::reading(NEWS, RELATED).run("open cid:pic@x").pass().keys("S");
    let path = journey.app.hands.prompt().unwrap().input.value().to_owned();
    assert!(path.ends_with("/authorized_keys") && !path.contains("..") && !path.contains(".ssh"), "{path}");
}

#[test]
fn a_relative_reference_without_a_base_leads_nowhere() {
    let bare = RELATED.replace("Content-Base: http://base/dir/\n", "");
    let journey = Journey::reading(NEWS, &bare).open("cid:root@x").pass();
    let bases = &journey.app.entry().unwrap().bases;
    // the part that calls itself so is found (RFC 2557's thismessage:/), any other reference has no base
    assert_eq!(bases.resolve("pic.gif").unwrap().url_in(&url(NEWS)).as_str(), "mid:1@x/pic@x");
    assert!(bases.resolve("other.html").is_err());
    assert_eq!(bases.get(Layer::Entity), None);
}

#[test]
fn ids_with_line_ends_are_refused() {
    for of in ["cid:a%0d%0ab@x", "mid:1@x/%00@x", "mid:1%0a@x"] {
        let journey = Journey::reading(NEWS, RELATED).open(of).quiet();
        assert!(matches!(journey.app.entry().unwrap().page.as_ref().unwrap().state, PageState::Failed(_)), "{of}");
    }
}

#[test]
fn a_message_that_holds_itself_is_opened_again_and_again_without_end_of_memory() {
    let inner =
        "Content-ID: <self@x>\nContent-Type: message/rfc822\n\nSubject: inner\nContent-ID: <self@x>\n\ncid:self@x\n";
    let outer = format!("Message-ID: <1@x>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n{inner}--b--\n");
    let mut journey = Journey::reading(NEWS, &outer);
    for _ in 0..20 {
        journey = journey.open("cid:self@x").pass();
        assert!(journey.held().octets.len() < outer.len());
    }
}

#[test]
fn a_part_among_thousands_is_found() {
    let parts: String = (1..=12_000).map(|n| format!("--b\nContent-ID: <{n}@x>\n\npart {n}\n")).collect();
    let octets = format!("Message-ID: <1@x>\nContent-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n");
    let journey = Journey::reading(NEWS, &octets).open("cid:9999@x");
    assert!(journey.held().octets.starts_with(b"part 9999"));
    journey.pass().keys("Left").open("cid:12000@x").shows("no such part");
}

#[test]
fn letters_are_turned_and_turned_back() {
    let article = "Message-ID: <1@x>\nSubject: Uryyb\n\nUryyb jbeyq\n";
    let journey = Journey::reading(NEWS, article).keys("M-t").shows("Hello world").notes("turned by 13");
    journey.keys("M-t").shows("Uryyb jbeyq").quiet();
    Journey::at(&["0|x|/"]).keys("M-t").notes("only messages").quiet();
}

#[test]
fn all_headers_are_shown_on_a_key() {
    let article = "Message-ID: <1@x>\nSubject: s\nX-Odd: thing\n\ntext\n";
    let journey = Journey::reading(NEWS, article);
    assert!(!journey.page().contains("X-Odd"));
    let journey = journey.keys("M-h").shows("X-Odd: thing");
    assert!(!journey.keys("M-h").page().contains("X-Odd"));
}

/// The rows of the table that are about messages, by the bases of the part's page.
#[test]
fn bases_of_the_table() {
    let table = include_str!("../../data/base-precedence.tsv");
    let mut run = 0;
    for line in table.lines().filter(|line| line.contains("MHTML") || line.starts_with("B015")) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, case, _, base, retrieval, _, reference, expected, ..] = cells.as_slice() else { panic!("{line}") };
        let heading = match (*base, case.contains("Content-Base")) {
            ("\\N", _) => String::new(),
            (base, true) => format!("Content-Base: {base}\n"),
            (base, false) => format!("Content-Location: {base}\n"),
        };
        let octets = format!(
            "Message-ID: <1@x>\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n{heading}\n\
             <a href=\"{reference}\">x</a>\n--b--\n"
        );
        let from = if *retrieval == "\\N" || retrieval.starts_with("mid:") { NEWS } else { retrieval };
        let journey = Journey::reading(from, &octets).open("cid:part-1").pass().run("top");
        let entry = journey.app.entry().unwrap();
        let link = entry.document().unwrap().link(wayfarer::doc::LinkId(0), &entry.bases).unwrap();
        match (*expected, link.target) {
            ("error", target) => assert!(target.is_err(), "{id}: {target:?}"),
            (expected, target) => assert_eq!(target.unwrap().url_in(&url(NEWS)).as_str(), expected, "{id}"),
        }
        run += 1;
    }
    assert_eq!(run, 3);
}

#[test]
fn a_reference_of_an_html_part_is_shown_as_written_when_it_leads_nowhere() {
    let article = "Message-ID: <1@x>\nContent-Type: text/html\n\n<a href=g>x</a>\n";
    let journey = Journey::reading(NEWS, article).keys("End");
    let entry = journey.app.entry().unwrap();
    let document = entry.document().unwrap();
    let last = wayfarer::doc::LinkId(document.link_count() - 1);
    let link = document.link(last, &entry.bases).unwrap();
    assert_eq!(link.reference, "g");
    assert!(link.target.is_err());
    journey.run("find-link x").run("follow").quiet().at_url(NEWS);
}

/// A digest: two messages within, one of them in Base64, the other with a part of its own.
const DIGEST: &str = "Message-ID: <1@x>\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\
Content-Base: http://base/dir/\n\nMessage-ID: <in@x>\nSubject: inner\nContent-Type: multipart/mixed; boundary=c\n\n\
--c\nContent-Type: image/gif\nContent-ID: <pic@x>\nContent-Transfer-Encoding: base64\n\nR0lG\n--c--\n\n--b\n\
Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nTWVzc2FnZS1JRDogPGVuY0B4PgoKaGVsbG8K\n--b--\n";

#[test]
fn a_message_within_a_message_is_found_by_its_id() {
    let j = Journey::reading(NEWS, DIGEST).open("mid:in@x");
    assert!(j.held().octets.starts_with(b"Message-ID: <in@x>"), "{:?}", j.held());
    let j = j.pass().at_url("mid:in@x").shows("inner");
    assert_eq!((j.base(Layer::Entity), j.base(Layer::Retrieval)), (Some("http://base/dir/"), Some(NEWS)));
    // what is in it, from it and from outside, by id and by place
    for j in [j, Journey::reading(NEWS, DIGEST)] {
        let j = j.open("mid:in@x/pic@x");
        assert_eq!(j.held().octets, b"GIF");
        assert_eq!(j.pass().text("c").open("mid:in@x/part-1").held().octets, b"GIF");
    }
    assert_eq!(Journey::reading(NEWS, DIGEST).open("mid:enc@x").held().octets, b"Message-ID: <enc@x>\n\nhello\n");
    Journey::reading(NEWS, DIGEST).open("mid:in@x/none@x").quiet().shows("The message has no such part.");
    Journey::reading(NEWS, DIGEST).open("mid:out@x").expect_fetch("news:out@x").quiet();
}

#[test]
fn parts_of_messages_that_were_opened_before_are_found() {
    let later =
        Journey::reading(NEWS, RELATED).open("news:2@x").answer(media::MESSAGE, b"Message-ID: <2@x>\n\nhello\n");
    let j = later.quiet().open("cid:pic@x");
    assert_eq!(j.held().octets, b"GIF");
    let j = j.pass().text("c");
    assert_eq!(j.open("mid:1@x/pic@x").held().octets, b"GIF");
    // a place says something in its own message only
    let later =
        Journey::reading(NEWS, RELATED).open("news:2@x").answer(media::MESSAGE, b"Message-ID: <2@x>\n\nhello\n");
    later.quiet().open("cid:part-2").quiet().shows("The message has no such part.");
}

#[test]
fn a_link_of_a_part_in_its_message_is_explained_by_the_part_s_own_bases() {
    let at = |part: &str, words: &str| {
        let j = Journey::reading(NEWS, part).keys("O").text(words).keys("enter");
        j.keys("=").over()
    };
    let elsewhere = at(RELATED, "elsewhere");
    for row in ["written      other.html", "http://base/dir/other.html", "entity     http://base/dir/ (Content-Base of"]
    {
        assert!(elsewhere.contains(row), "{row}: {elsewhere}");
    }
    let place = at(RELATED, "by place");
    for row in ["written      pic.gif", "by its Content-Location", "mid:1@x/pic@x"] {
        assert!(place.contains(row), "{row}: {place}");
    }
    // A base within the part counts before those around it; without any, the message's own is shown to nobody.
    let own = RELATED.replace("<p><a href=pic", "<base href='http://own/'><p><a href=pic");
    assert!(at(&own, "elsewhere").contains("base         document   http://own/"));
    let none = RELATED.replace("Content-Base: http://base/dir/\n", "");
    let none = at(&none, "elsewhere");
    assert!(none.contains("written      other.html") && !none.contains("thismessage"), "{none}");
}

#[test]
fn a_part_is_looked_for_beside_the_keyboard_and_given_up_by_whoever_goes_elsewhere() {
    let looked = |j: &Journey| j.fetches.iter().filter(|(_, request)| request.held.is_some()).count();
    let j = Journey::reading(NEWS, RELATED).hold().open("cid:pic@x");
    assert_eq!(looked(&j), 0, "nobody has found it yet");
    // Whoever waits gets it.
    let j = j.work();
    assert_eq!((looked(&j), j.held().octets.as_slice()), (1, &b"GIF"[..]));
    // Whoever went elsewhere, or stopped it, is not carried along.
    let j = Journey::reading(NEWS, RELATED).hold().open("cid:pic@x").open("gopher://h/1/").work();
    assert_eq!((looked(&j), j.fetches.last().unwrap().1.url.as_str()), (0, "gopher://h/1/"));
    let j = Journey::reading(NEWS, RELATED).hold().open("cid:pic@x").keys("Esc").notes("stopped").work();
    assert_eq!(looked(&j), 0);
}

#[test]
fn an_answer_is_begun_only_for_whoever_still_looks_at_the_article() {
    let article = "Message-ID: <1@x>\nFrom: a@h.example\nSubject: s\nNewsgroups: a.b\n\nwords\n";
    let j = Journey::reading(NEWS, article).hold().run("followup");
    assert!(j.writes.is_empty());
    assert!(!j.work().writes.is_empty());
    let j = Journey::reading(NEWS, article).hold().run("followup").open("gopher://h/0/a").answer(media::PLAIN, b"a");
    assert!(j.work().writes.is_empty());
}

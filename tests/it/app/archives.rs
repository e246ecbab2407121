//! Archives as directories: Enter goes into them, `^` goes up and out again, links stay within.

use super::journey::{Journey, head};
use wayfarer::app::Effect;
use wayfarer::format::media;
use wayfarer::proto::{FetchEvent, Verdict};

const ROOT: &str = "archive://http%3A%2F%2Fh%2Fpub%2Fx.tar.gz/";

fn at_root() -> Journey {
    let j = Journey::new().open("http://h/pub/x.tar.gz");
    let j = j.event(FetchEvent::Head(Box::new(head("http://h/pub/x.tar.gz", "application/gzip"))));
    let refused = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Refuse, .. });
    assert!(j.effects.iter().any(refused), "{:?}", j.effects);
    let j = j.expect_fetch(ROOT);
    j.answer(media::DIRECTORY, b"type=dir; d\ntype=file;size=4; top.txt\n").at_url(ROOT)
}

#[test]
fn an_archive_opens_as_a_directory_and_up_leads_out_of_it() {
    let j = at_root().run("parent").expect_fetch("http://h/pub/");
    drop(j);
    let member = format!("{ROOT}d/page.html");
    let j = at_root().open(&member).answer(media::HTML, b"<a href=/top.txt>top</a><a href=../../../x>x</a>");
    let j = j.keys("Enter").expect_fetch(&format!("{ROOT}top.txt"));
    drop(j);
    let j = at_root().open(&member).answer(media::HTML, b"<a href=../../../x>x</a>").keys("Down Enter");
    j.expect_fetch(&format!("{ROOT}x")).answer(media::PLAIN, b"x").run("parent").expect_fetch(ROOT);
}

#[test]
fn a_page_of_the_network_that_leads_into_an_archive_of_this_machine_is_asked_about() {
    let local = "archive://file%3A%2F%2F%2Fhome%2Fx.zip/a";
    let page = format!("<a href='{local}'>x</a>");
    let asked = Journey::new().open("http://h/").answer(media::HTML, page.as_bytes()).quiet().keys("Down Enter");
    asked.quiet().asks("file of this machine");
    // Within one archive nobody is asked.
    let j = Journey::new().open("archive://file%3A%2F%2F%2Fhome%2Fx.zip/").answer(media::DIRECTORY, b"type=file; a\n");
    j.keys("Down Enter").expect_fetch(local);
}

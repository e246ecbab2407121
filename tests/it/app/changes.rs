//! What is new in a page since the last visit: the marks, and the way from one to the next.

use super::journey::{Journey, lines, url};
use wayfarer::app::{Known, Msg};
use wayfarer::format::media;

/// What the store says of the page in view.
fn fresh(j: Journey, of: &str, octets: usize, blocks: &[u32]) -> Journey {
    let known = Known::Fresh { url: url(of), octets: octets as u64, blocks: blocks.to_vec() };
    j.send(Msg::Known { known, remark: None })
}

fn page() -> Journey {
    let text = lines(200);
    let j = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, &text);
    fresh(j, "gopher://h/0/a", text.len(), &[50, 51, 52, 120])
}

#[test]
fn the_keys_lead_through_what_is_new() {
    let j = page().keys(")").top(50).keys(")").top(120).keys(")").notes("nothing more that is new below").top(120);
    j.keys("(").top(50).keys("(").notes("nothing more that is new above").top(50).quiet();
}

#[test]
fn what_is_new_on_a_page_that_is_seen_whole_is_pointed_to() {
    let text = lines(5);
    let j = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, &text);
    let j = fresh(j, "gopher://h/0/a", text.len(), &[3]);
    j.keys(")").notes("what is new below is on the screen already, and marked").top(0).quiet();
}

#[test]
fn a_page_in_which_nothing_is_new_says_so() {
    let j = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, &lines(200));
    j.keys(")").notes("nothing here is known to be new since you read it the last time").top(0).quiet();
}

#[test]
fn marks_are_of_the_page_that_was_compared_and_of_no_other() {
    let text = lines(200);
    let j = Journey::new().open("gopher://h/0/a").answer(media::PLAIN, &text);
    let j = fresh(j, "gopher://h/0/other", text.len(), &[3]);
    let j = fresh(j, "gopher://h/0/a", text.len() + 1, &[3]);
    let j = j.keys(")").notes("nothing here is known to be new");
    // Blocks that are not there are no places.
    fresh(j, "gopher://h/0/a", text.len(), &[7, 4_000_000_000]).keys(") )").quiet();
}

#[test]
fn what_is_read_again_has_no_marks_of_before() {
    let j = page().keys("R").answer(media::PLAIN, &lines(200)).keys(")").notes("nothing here is known to be new");
    assert!(j.app.entry().unwrap().page.as_deref().unwrap().fresh_in_view().is_empty());
}

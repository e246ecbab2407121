//! Long lists to choose from: opened at once, looked through elsewhere; long texts of fields.

use super::journey::Journey;
use wayfarer::app::{Effect, Overlay};
use wayfarer::format::media;
use wayfarer::work::{ListRows, Work};

const MANY: usize = 20_000;

fn links(count: usize) -> Vec<u8> {
    (0..count).map(|number| format!("=> /{number} link {number}\n")).collect::<String>().into_bytes()
}

fn at(media: &str, page: &[u8]) -> Journey {
    Journey::new().open("http://h/").answer(media, page)
}

fn list(j: &Journey) -> &Overlay {
    j.app.hands.top().expect("a list")
}

#[test]
fn a_long_list_is_narrowed_elsewhere_and_leads_nowhere_before() {
    let j = at(media::GEMTEXT, &links(MANY)).keys("O").hold();
    let Overlay::List { items: ListRows::Links(_), .. } = list(&j) else { panic!("rows are made: {:?}", list(&j)) };
    assert_eq!(list(&j).passing(), MANY);
    let j = j.text("19999");
    assert!(list(&j).is_narrowing());
    assert_eq!(list(&j).passing(), MANY, "the rows are those of before");
    let j = j.keys("Enter").notes("still being narrowed").at_url("http://h/").quiet();
    let j = j.work();
    assert!(!list(&j).is_narrowing());
    assert_eq!(list(&j).passing(), 1);
    assert_eq!(list(&j).chosen().unwrap().detail, "http://h/19999");
    // what it begins with has been found: only that is looked through
    let j = j.hold().keys("Backspace").work();
    assert_eq!(list(&j).passing(), 12, "1999, 11999, 1999x");
    let j = j.hold().text("5");
    let Some((_, Work::Narrow(narrow))) = j.works.last() else { panic!("{:?}", j.works.last()) };
    assert_eq!(narrow.among.as_ref().map(|rows| rows.len()), Some(12));
    j.work().keys("Enter").expect_fetch("http://h/19995");
}

#[test]
fn letters_typed_on_give_up_what_is_looked_through_for_those_before() {
    let j = at(media::GEMTEXT, &links(MANY)).keys("O").hold().text("1");
    let (first, _) = j.works.last().unwrap();
    let first = *first;
    let j = j.text("2");
    assert!(j.works.len() == 1 && j.works[0].0 != first, "{:?}", j.works);
    let j = j.work();
    let Overlay::List { filter, .. } = list(&j) else { panic!() };
    assert_eq!(filter.value(), "12");
    let holds = |at: usize| list(&j).passing_row(at).unwrap().text.contains("12");
    assert!(list(&j).passing() > 100 && (0..list(&j).passing()).all(holds));
    let j = j.keys("Backspace Backspace");
    assert_eq!((list(&j).is_narrowing(), list(&j).passing()), (false, MANY));
}

#[test]
fn a_short_list_is_narrowed_at_once() {
    let j = at(media::GEMTEXT, &links(100)).hold().keys("O").text("7 ").text("9");
    assert!(j.works.is_empty() && !list(&j).is_narrowing());
    assert_eq!(list(&j).passing(), 2, "79 and 97");
}

#[test]
fn a_text_longer_than_an_editor_may_leave_is_not_put_into_a_box() {
    let page = format!("<form action=/x><textarea name=t>{}</textarea></form>", "m".repeat((1 << 20) + 1));
    at(media::HTML, page.as_bytes()).keys("Enter").notes("too long to be edited").free();
}

#[test]
fn what_is_read_over_the_page_does_not_keep_the_reader() {
    for open in ["?", "=", "O"] {
        let j = Journey::at(&["0|A|/a"]).keys(open);
        assert!(j.app.hands.top().is_some(), "{open}");
        let letter = open == "O";
        let mut j = j.keys("Q");
        assert_eq!(j.effects.contains(&Effect::Quit), !letter, "{open}");
        j.effects.clear();
    }
}

#[test]
fn one_of_thousands_that_are_all_on_puts_the_others_off() {
    let many: String = (0..5_000).map(|n| format!("<input type=radio name=r value={n} checked>")).collect();
    let j = at(media::HTML, format!("<form action=/x>{many}<input type=submit></form>").as_bytes());
    j.keys("Tab Enter End S-Tab Tab Enter").expect_fetch("http://h/x?r=1");
}

//! Long lists to choose from: opened at once, looked through elsewhere; long texts of fields.

use super::journey::Journey;
use wayfarer::app::{Effect, Msg, Overlay};
use wayfarer::doc::FieldKind;
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
        assert_eq!(j.effects.contains(&Effect::QuitNow), !letter, "{open}");
        j.effects.clear();
    }
}

#[test]
fn one_of_thousands_that_are_all_on_puts_the_one_off_that_is() {
    let many: String = (0..5_000).map(|n| format!("<input type=radio name=r value={n} checked>")).collect();
    let page = |form: &str, radios: &str| format!("<form id=f action=/x>{form}<input type=submit></form>{radios}");
    let outside = many.replace("name=r", "name=r form=f");
    for (page, arrives) in
        [(page(&many, ""), false), (page("", &outside), false), (page(&many, ""), true), (page("", &outside), true)]
    {
        let j = match arrives {
            false => at(media::HTML, page.as_bytes()),
            true => Journey::new().open("http://h/").head(media::HTML).body(page.as_bytes()).body(b"<p>more<p>"),
        };
        let document = j.app.entry().unwrap().document().unwrap();
        let on = document.fields.iter().filter(|field| matches!(field.kind, FieldKind::Radio { on: true, .. })).count();
        // As in browsers: the last that says so is on, and stands there so.
        assert_eq!((on, document.text().matches("(*)").count()), (1, 1), "{arrives}");
    }
    let j = at(media::HTML, page(&many, "").as_bytes());
    j.keys("Tab Enter End S-Tab Tab Enter").expect_fetch("http://h/x?r=1");
}

#[test]
fn the_links_of_a_long_page_are_looked_through_elsewhere_while_their_words_are_typed() {
    let sought = |j: &Journey| matches!(j.works[..], [(_, Work::FindLinks(_))]);
    let remark = |j: &Journey| j.app.hands.prompt().map(|prompt| prompt.remark.clone()).unwrap_or_default();
    let j = at(media::GEMTEXT, &links(MANY)).keys("'").hold().text("1");
    assert!(sought(&j) && remark(&j).contains("looking through 20000 links"), "{} {:?}", remark(&j), j.works);
    let first = j.works[0].0;
    let j = j.text("9999");
    assert!(sought(&j) && j.works[0].0 != first, "what was sought for a letter is given up at the next one");
    let j = j.work();
    assert_eq!(remark(&j), "1 link: link 19999");
    let j = j.hold().keys("Enter");
    assert!(sought(&j), "{:?}", j.works);
    j.work().keys("Enter").expect_fetch("http://h/19999");
    // Of a match and a link that are sought at one time, the later wins, whichever answer comes first.
    let j = at(media::GEMTEXT, &links(4 * MANY))
        .hold()
        .keys("/")
        .text("12345")
        .keys("Enter '")
        .text("19999")
        .keys("Enter")
        .work();
    j.keys("Enter").expect_fetch("http://h/19999");
    let j = at(media::GEMTEXT, &links(4 * MANY))
        .hold()
        .keys("'")
        .text("19999")
        .keys("Enter /")
        .text("12345")
        .keys("Enter")
        .work();
    j.keys("Enter").expect_fetch("http://h/12345");
    // Who goes on meanwhile is not carried away, and a prompt that is closed wants nothing more.
    let j = at(media::GEMTEXT, &links(MANY)).keys("'").text("19999").hold().keys("Enter Tab").work();
    j.notes("you went on meanwhile").keys("Enter").expect_fetch("http://h/1");
    let j = at(media::GEMTEXT, &links(MANY)).keys("'").hold().text("19").keys("Esc");
    assert!(j.works.is_empty(), "{:?}", j.works);
    let j = at(media::GEMTEXT, &links(MANY)).keys("'").text("nothing").keys("Enter").notes("no link says \"nothing\"");
    j.hold().keys("'").text("5");
    // A short page is looked through within the key.
    let j = at(media::GEMTEXT, &links(20)).keys("'").hold().text("17").look(|j| assert!(j.works.is_empty()));
    j.keys("Enter Enter").expect_fetch("http://h/17");
}

#[test]
fn addresses_that_are_long_are_not_made_out_for_each_row_and_are_looked_through_elsewhere() {
    let long = "a/".repeat(20_000);
    let page = format!("=> /{long}one a long one\n=> /two a short one\n");
    let j = at(media::GEMTEXT, page.as_bytes()).keys("O");
    assert_eq!(list(&j).passing_row(0).unwrap().detail, "an address too long to be shown here");
    assert_eq!(list(&j).passing_row(1).unwrap().detail, "http://h/two");
    let many = page.repeat(6);
    let j = at(media::GEMTEXT, many.as_bytes()).keys("O").hold().text("a/one");
    assert!(list(&j).is_narrowing(), "{:?} {}", j.works.len(), "240 kB of addresses are looked through within the key");
    assert_eq!(list(&j.work()).passing(), 6, "what is not shown is found");
}

#[test]
fn an_address_that_is_long_is_not_taken_apart() {
    let long = "a/".repeat(20_000);
    let j = at(media::GEMTEXT, format!("=> /{long}one a long one\n=> /two x\n").as_bytes()).keys("=");
    let said = |j: &Journey| match j.app.hands.top() {
        Some(Overlay::Text { document, .. }) => document.text().to_owned(),
        other => panic!("{other:?}"),
    };
    let text = said(&j);
    assert!(text.len() < 8000 && text.contains("/a/a/a/") && text.contains("40004 octets: too long"), "{text}");
    j.keys("Enter").expect_fetch(&format!("http://h/{long}one"));
    let j = Journey::new().open(&format!("http://h/{long}")).answer(media::GEMTEXT, b"x").keys("=");
    let text = said(&j);
    assert!(text.len() < 12_000 && text.contains("40009 octets: too long"), "{}", text.len());
}

#[test]
fn what_was_pasted_into_a_prompt_by_mistake_is_not_remembered() {
    use wayfarer::app::{Kept, LONGEST_WORDS};
    for (length, kept) in [(LONGEST_WORDS, true), (LONGEST_WORDS + 1, false), (1_100_000, false)] {
        let typed = "x".repeat(length);
        let j = Journey::at(&["0|A|/a"]).keys("/").send(Msg::Paste(typed)).keys("Enter");
        let is_kept = j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Words { .. })));
        assert_eq!(is_kept, kept, "{length}");
    }
}

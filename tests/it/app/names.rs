//! What pages are called that have no title: as the link was that led there.

use super::journey::{Journey, menu};
use wayfarer::app::{Effect, FieldValue, Kept, Overlay};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, Kind};

fn title(j: &Journey) -> String {
    j.app.entry().unwrap().title()
}

/// The title under which the last page was kept in history.
fn kept(j: &Journey) -> Option<&str> {
    let mut titles = j.effects.iter().filter_map(|effect| match effect {
        Effect::Keep(Kept::Visit { title, .. }) => Some(title.as_str()),
        _ => None,
    });
    titles.next_back()
}

#[test]
fn a_page_without_a_title_is_called_as_the_link_that_led_there() {
    let j = Journey::at(&["0Writing\t/w.txt", "0Other\t/o.txt"]).keys("Enter").answer(media::PLAIN, b"just words\n");
    assert_eq!((title(&j), kept(&j)), ("Writing".into(), Some("Writing")));
    // There and back, and read again.
    let j = j.keys("Left L");
    assert_eq!(title(&j), "Writing");
    let j = j.keys("R").answer(media::PLAIN, b"other words\n");
    assert_eq!(title(&j), "Writing");
    // It is the name of a bookmark, too, and of a tab.
    let j = j.keys("a");
    let Some(Overlay::Form(form)) = j.app.hands.top() else { panic!("{:?}", j.app.hands.top()) };
    let FieldValue::Line { input, .. } = &form.fields[0].value else { panic!("{:?}", form.fields) };
    assert_eq!(input.value(), "Writing");
    let j = j.keys("Esc Left Down t").answer(media::PLAIN, b"in a tab\n").keys("C-w t");
    let Some(Overlay::List { items, .. }) = j.app.hands.top() else { panic!("{:?}", j.app.hands.top()) };
    assert_eq!(items.iter().map(|item| item.text).next_back().unwrap(), "2 Other");
}

#[test]
fn a_page_that_is_gone_to_by_its_address_is_called_as_it_is_known() {
    let j = Journey::at(&["0Writing\t/w.txt"]).keys("Enter").answer(media::PLAIN, b"just words\n").keys("Left");
    let j = j.run("open gopher://h/0/w.txt").answer(media::PLAIN, b"just words\n");
    assert_eq!(title(&j), "Writing");
    let j = j.run("open gopher://h/0/x.txt").answer(media::PLAIN, b"just words\n");
    assert_eq!(title(&j), "gopher://h/0/x.txt");
}

#[test]
fn a_title_of_its_own_comes_first_and_a_guess_last() {
    let page = b"<title>Its own</title><p>x";
    let j = Journey::at(&["hThe link\t/p.html"]).keys("Enter").answer(media::HTML, page);
    assert_eq!(title(&j), "Its own");
    let inner = || menu("h", &["iThe Burrow of Somebody", "0x\t/x"]);
    let j = Journey::at(&["1Burrow\t/b"]).keys("Enter").answer(media::MENU, &inner());
    assert_eq!(title(&j), "Burrow");
    // Nothing led here.
    let j = Journey::new().open("gopher://h/1/b").answer(media::MENU, &inner());
    assert_eq!((title(&j), kept(&j)), ("The Burrow of Somebody".into(), Some("The Burrow of Somebody")));
    // A link that is called by marks alone names nothing, and nothing typed has a name.
    let j = Journey::at(&["0-->\t/w.txt"]).keys("Enter").answer(media::PLAIN, b"words\n");
    assert_eq!(title(&j), "gopher://h/0/w.txt");
    let j = Journey::new().open("gopher://h/0/w.txt").answer(media::PLAIN, b"words\n");
    assert_eq!((title(&j), kept(&j)), ("gopher://h/0/w.txt".into(), Some("")));
}

#[test]
fn a_link_that_is_called_by_its_address_gives_no_name() {
    let links = b"<a href=/one>http://h/one</a> <a href=http://h/two/>h/two</a> <a href=http://h/1>http://h/2</a>";
    let page = b"<h2>About lanterns</h2><p>x";
    for keys in ["Enter", "Tab Enter", "Tab Tab Enter"] {
        let j = Journey::new().open("http://h/").answer(media::HTML, links).keys(keys).answer(media::HTML, page);
        // The first of the page's own words that stand out do.
        assert_eq!((title(&j), kept(&j)), ("About lanterns".into(), Some("About lanterns")), "{keys}");
    }
    let j = Journey::at(&["0gopher://h/0/w.txt\t/w.txt"]).keys("Enter").answer(media::PLAIN, b"words\n");
    assert_eq!((title(&j), kept(&j)), ("gopher://h/0/w.txt".into(), Some("")));
    let inner = menu("h", &["iThe Burrow of Somebody", "0x\t/x"]);
    let j = Journey::at(&["1gopher://h/1/b\t/b"]).keys("Enter").answer(media::MENU, &inner);
    assert_eq!(title(&j), "The Burrow of Somebody");
}

#[test]
fn a_failure_is_not_called_as_the_page_that_did_not_come() {
    let error = FetchError::new(Kind::Refused, "It was refused.");
    let j = Journey::at(&["0Writing\t/w.txt"]).keys("Enter").fail(error);
    assert_ne!(kept(&j), Some("Writing"));
}

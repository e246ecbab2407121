//! Files of the reader's on their way into a directory of an FTP server: asked about by what is there, and sent by nobody else.

use super::journey::Journey;
use wayfarer::app::{Effect, Overlay, PageState};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, Found, Kind, Put, Stage, There};

const LISTING: &[u8] = b"type=file;size=7;modify=20250101000000; old.txt\r\n";

fn at() -> Journey {
    Journey::new().open("ftp://h/in/").expect_fetch("ftp://h/in/").answer(media::DIRECTORY, LISTING).quiet()
}

fn found(there: There) -> FetchError {
    let found = Found { name: "notes.txt".into(), length: 12_345, there };
    FetchError { found: Some(Box::new(found)), ..FetchError::new(Kind::NeedsConsent, "Nothing was sent.") }
}

fn asked(j: &Journey) -> Put {
    j.fetches.last().unwrap().1.put.clone().expect("a file")
}

#[test]
fn a_file_is_sent_when_the_reader_has_agreed_to_what_is_there() {
    let j = at().run("put /home/me/notes.txt").expect_fetch("ftp://h/in/");
    assert_eq!(asked(&j), Put { path: "/home/me/notes.txt".into(), agreed: None, length: None, goes_on: false });
    let j = j.fail(found(There::Nothing)).quiet();
    let j = j.asks("Read this file (12.3 kB) and send it to h?").asks("/home/me/notes.txt").asks("ftp://h/in/");
    let j = j.asks("Nothing there is called \"notes.txt\".").text("y").expect_fetch("ftp://h/in/");
    assert_eq!((asked(&j).agreed, asked(&j).length), (Some(There::Nothing), Some(12_345)));
    let j = j.stage(Stage::Sending(3000, 12_345));
    let j = j.answer(media::DIRECTORY, LISTING).at_url("ftp://h/in/").state(PageState::Complete);
    assert_eq!(j.app.tab.history.len(), 1);
    // The listing is asked for again without the file.
    let j = j.keys("R").expect_fetch("ftp://h/in/");
    assert_eq!(j.fetches.last().unwrap().1.put, None);
}

#[test]
fn what_is_there_is_replaced_or_gone_on_with_by_choice_alone() {
    let asks = |there| at().run("put ~/notes.txt").expect_fetch("ftp://h/in/").fail(found(there)).quiet();
    let j = asks(There::Other(Some(99))).asks("There is a \"notes.txt\" there (99 B): it would be replaced.");
    j.text("n").quiet().free().notes("nothing was read, nothing was sent").at_url("ftp://h/in/");
    let j = asks(There::Other(None)).text("y").expect_fetch("ftp://h/in/");
    assert_eq!(asked(&j).agreed, Some(There::Other(None)));
    // It has changed since.
    let j = j.fail(found(There::Other(Some(5)))).asks("(5 B)").text("y").expect_fetch("ftp://h/in/");
    assert_eq!(asked(&j).agreed, Some(There::Other(Some(5))));
    for (key, goes_on) in [("g", true), ("y", false)] {
        let j = asks(There::Part(5000)).asks("5.0 kB of it went there before").text(key).expect_fetch("ftp://h/in/");
        assert_eq!((asked(&j).goes_on, asked(&j).agreed), (goes_on, Some(There::Part(5000))));
    }
    let j = asks(There::Nothing).text("g");
    assert_eq!(j.fetches.len(), 2, "there is nothing to go on with");
}

#[test]
fn a_failure_leaves_the_listing_and_esc_stops() {
    let under_way = || {
        let j = at().run("put ~/a").expect_fetch("ftp://h/in/").fail(found(There::Nothing)).text("y");
        j.expect_fetch("ftp://h/in/")
    };
    under_way()
        .fail(FetchError::new(Kind::Denied, "The server does not take \"a\": 553 no."))
        .quiet()
        .notes("553 no.")
        .shows("old.txt");
    under_way().keys("Esc").expect_cancel(2).notes("stopped").shows("old.txt");
}

/// The listing stays where it is, so no page of the failure says what next.
#[test]
fn a_file_that_broke_off_on_its_way_is_told_of_with_how_it_goes_on() {
    let j = at().run("put ~/a").expect_fetch("ftp://h/in/").fail(found(There::Nothing)).text("y");
    let lost = FetchError::new(Kind::Broken, "\"a\" has not arrived whole: 426 no.").hint(":put goes on with it.");
    let j = j.expect_fetch("ftp://h/in/").fail(lost).quiet().shows("old.txt");
    let j = j.notes("\"a\" has not arrived whole: 426 no. :put goes on with it.");
    j.run("put ~/a").expect_fetch("ftp://h/in/");
}

#[test]
fn only_directories_of_ftp_take_files_and_only_where_that_is_allowed() {
    Journey::at(&["0|A|/a"]).run("put ~/a").quiet().notes("only directories of FTP servers");
    let j = Journey::new().open("ftp://h/a.txt").answer(media::PLAIN, b"a\n").quiet();
    j.run("put ~/a").quiet().notes("only directories of FTP servers");
    let mut j = at();
    j.choose(|choices| choices.safe = true);
    j.run("put ~/a").quiet().notes("Nothing was sent: --safe forbids it.");
    at().run("put").prompts("file for this directory of h", "").keys("Enter").quiet().free();
    let j = at().run("put").text("~/a").keys("Enter").expect_fetch("ftp://h/in/");
    assert!(asked(&j).path.ends_with("a"));
}

#[test]
fn what_was_sent_in_private_is_kept_nowhere() {
    let j = Journey::new().run("private ftp://h/in/").answer(media::DIRECTORY, LISTING).quiet();
    let j = j.keys(":").text("put ~/notes.txt").keys("Enter").expect_fetch("ftp://h/in/");
    assert!(j.fetches.last().unwrap().1.private);
    let j = j.fail(found(There::Nothing)).text("y").expect_fetch("ftp://h/in/");
    let j = j.answer(media::DIRECTORY, LISTING).quiet();
    assert!(!format!("{:?}", j.app.session()).contains("notes.txt"));
}

/// A page with a link, a directory behind it, and a file on its way there.
fn sending() -> Journey {
    let j = Journey::at(&["0|A text|/a"]).open("ftp://h/in/").answer(media::DIRECTORY, LISTING).quiet();
    let j = j.run("put ~/notes.txt").expect_fetch("ftp://h/in/").fail(found(There::Nothing)).quiet().text("y");
    j.expect_fetch("ftp://h/in/").stage(Stage::Sending(4_000_000, 40_000_000))
}

#[test]
fn what_is_opened_where_a_file_is_being_sent_asks_before_that_ends() {
    const FAR: &str = "4.0 MB of 40.0 MB of \"notes.txt\" have gone to h.";
    const ENDS: &str = "What is opened here ends that; what went stays there, and :put goes on with it.";
    for (asks, there) in [
        ("parent", "ftp://h/"),
        ("reload", "ftp://h/in/"),
        ("open gopher://g/", "gopher://g/"),
        ("open about:history", "about:history"),
        ("open telnet://h/", "telnet://h/"),
        ("open mid:a@b", "mid:a@b"),
        ("back", "gopher://h/"),
    ] {
        let j = sending().run(asks).quiet().asks(FAR).asks(ENDS).asks(there);
        // It goes on, and arrives.
        let j = j.text("n").quiet().free().answer(media::DIRECTORY, LISTING).quiet();
        let j = j.at_url("ftp://h/in/").state(PageState::Complete);
        assert!(j.app.tab.outgoing().is_none());
        let j = sending().run(asks).text("y").expect_cancel(3);
        assert!(j.app.tab.outgoing().is_none(), "{asks}");
    }
    sending().keys("Down Enter").quiet().asks("ftp://h/in/old.txt");
    sending().keys("U").text("y").expect_cancel(3).expect_fetch("ftp://h/");
    sending().keys("R").text("y").expect_cancel(3).expect_fetch("ftp://h/in/");
    // Back, also to a page that is kept.
    sending().keys("Left").quiet().asks(FAR).asks("gopher://h/").text("n").quiet().at_url("ftp://h/in/");
    sending().keys("Left").text("y").expect_cancel(3).at_url("gopher://h/").quiet();
    sending().run("pipe text cat").quiet().notes("have gone to h; Esc stops that");
    // What is no page of this tab ends nothing.
    sending().keys("t").expect_fetch("ftp://h/").quiet();
}

#[test]
fn a_yes_to_the_end_of_a_sending_agrees_to_nothing_else() {
    let form = "gopher://g/0/f%09%09+%091%0D%0A+-1%0D%0ANed%0D%0A.%0D%0A";
    let j = sending().run(&format!("open {form}")).quiet().asks("Send the answers of this form to g port 70?");
    // Only what has been agreed to asks whether the sending may end.
    let j = j.text("y").quiet().asks("What is opened here ends that");
    assert!(j.app.tab.outgoing().is_some());
    let j = j.text("y").expect_cancel(3);
    assert!(j.app.tab.outgoing().is_none());
}

#[test]
fn what_is_opened_where_a_file_is_being_sent_can_have_a_tab_of_its_own() {
    let j = sending().keys("U").text("t").expect_fetch("ftp://h/");
    assert_eq!((j.app.tab_count(), j.app.tab_at()), (2, 1));
    assert!(j.app.tabs().next().unwrap().outgoing().is_some());
    let j = sending().run("open about:history").text("t").at_url("about:history").quiet();
    assert_eq!(j.app.tab_count(), 2);
    // A place of the path belongs to the tab.
    let j = sending().keys("Left");
    let Some(Overlay::Question { choices, .. }) = j.app.hands.top() else { panic!("nothing is asked") };
    assert_eq!(choices.iter().map(|choice| choice.key).collect::<String>(), "yn");
}

#[test]
fn leaving_tells_of_a_file_that_is_being_sent_in_tabs_behind_too() {
    const SAID: &str = "4.0 MB of 40.0 MB of \"notes.txt\" have gone to h. Leaving ends that;";
    sending().keys("q").quiet().asks(SAID).text("n").quiet().free();
    sending().keys("q").quiet().asks(SAID).text("q").expect(Effect::Quit);
    sending().keys("t").expect_fetch("ftp://h/").keys("q").quiet().asks(SAID);
}

#[test]
fn a_tab_from_which_a_file_is_being_sent_is_not_closed() {
    let j = sending().keys("t").expect_fetch("ftp://h/").keys("M-1 C-w x").quiet();
    let j = j.notes("4.0 MB of 40.0 MB of \"notes.txt\" have gone to h; Esc stops that");
    assert_eq!(j.app.tab_count(), 2);
    let j = j.keys("Esc").expect_cancel(3).notes("stopped: 4.0 MB of 40.0 MB").notes("and :put goes on with it");
    assert_eq!(j.keys("C-w x").app.tab_count(), 1);
}

#[test]
fn what_is_being_sent_has_a_row_among_the_downloads() {
    const ROW: &str = "[#---------] 4.0 MB of 40.0 MB, 10% sent to h, tab 1";
    let row = |j: &Journey| {
        let Some(Overlay::List { items, .. }) = j.app.hands.top() else { panic!("no list") };
        items.iter().map(|item| format!("{}: {}", item.text, item.detail)).collect::<String>()
    };
    let j = sending().keys("D").quiet();
    assert_eq!(row(&j), format!("notes.txt: {ROW}"));
    let j = j.stage(Stage::Sending(8_000_000, 40_000_000));
    assert!(row(&j).contains("[##--------] 8.0 MB of 40.0 MB, 20%"), "{}", row(&j));
    j.keys("Enter").quiet().notes("8.0 MB of 40.0 MB of \"notes.txt\" have gone to h, from tab 1; Esc there stops it");
    let j = sending().run("open about:downloads").text("t").at_url("about:downloads");
    let j = j.shows("what is being sent").shows("notes.txt").shows(ROW).shows("ftp://h/in/");
    let j = j.keys("M-1 Esc").expect_cancel(3).keys("M-2").at_url("about:downloads").shows("There are none.");
    j.keys("D").notes("no downloads");
}

#[test]
fn of_a_file_for_gemini_space_nothing_is_kept_that_has_not_come_whole() {
    let j = Journey::new().open("titan://h/x;token=hunter2").text("~/a").keys("Enter").text("y").expect_read("~/a");
    let j = j.read(Ok(b"a\n".to_vec())).expect_fetch("titan://h/x;token=hunter2").stage(Stage::Sending(1, 2));
    let j = j.run("open gopher://g/").quiet().asks("1 B of 2 B of \"x\" have gone to h.");
    let j = j.asks("What is opened here ends that; nothing of it is kept there.").text("n").quiet();
    let j = j.keys("q").asks("Leaving ends that; nothing of it is kept there.").text("n").quiet();
    j.keys("Esc").notes("stopped: 1 B of 2 B of \"x\" have gone to h; nothing of it is kept there");
}

#[test]
fn a_form_with_a_file_in_it_is_being_sent_and_one_without_is_not() {
    let form = "<form method=post enctype=multipart/form-data action=http://h/up><input name=a><input type=file name=e>\
        <input type=file name=f><input type=submit></form>";
    let j =
        Journey::new().open("http://h/").answer("text/html", form.as_bytes()).keys("Down Down Enter").text("~/a.iso");
    let j = j
        .keys("Enter Down Enter")
        .text("y")
        .expect_read("~/a.iso")
        .read(Ok(vec![b'x'; 99]))
        .expect_fetch("http://h/up");
    let j = j.run("open gopher://g/").quiet().asks("\"a.iso\" is on its way to h.");
    let j = j.asks("What is opened here ends that; what became of it nobody tells then.").text("n").quiet();
    let j = j.keys("q").asks("Leaving ends that").text("n").quiet();
    j.keys("Esc").notes("stopped: \"a.iso\" is on its way to h; what became of it nobody tells then");
    let j = Journey::new().open("http://h/").answer("text/html", form.as_bytes()).keys("Down Down Down Enter");
    let j = j.expect_fetch("http://h/up");
    assert!(j.app.tab.outgoing().is_none());
    j.run("open gopher://g/").expect_fetch("gopher://g/");
}

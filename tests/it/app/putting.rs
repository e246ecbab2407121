//! Files of the reader's on their way into a directory of an FTP server: asked about by what is there, and sent by nobody else.

use super::journey::Journey;
use wayfarer::app::PageState;
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

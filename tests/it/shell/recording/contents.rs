//! What is in a recording, with the octets of what comes and without: what the papers and help say of it.

use super::{Run, replay};
use wayfarer::app::{Known, Msg};
use wayfarer::bookmarks::Bookmarks;
use wayfarer::format::media;
use wayfarer::proto::{End, FetchEvent, Head};

const PAGE: &str = "<title>zqtitle</title><form action=/in method=post enctype=multipart/form-data><input type=file name=f>\
                    <textarea name=t>zqfield</textarea><input type=submit value=Go></form><p>zqbody";

/// A run in which everything is said that may be in a recording, each with a word of its own.
fn run(octets: bool) -> String {
    let run = Run::new(octets).open("http://h/zqaddress");
    let mut head = Head::new(run.asked[0].1.url.clone(), media::HTML);
    head.lines = vec!["X-Line: zqline".into()];
    let run = run.event(FetchEvent::Head(Box::new(head))).event(FetchEvent::Body(PAGE.into()));
    let mut run = run.event(FetchEvent::End(End::default()));
    // A file to be sent, and a field that is written in an editor.
    run = run.keys("Enter").text("/zqpath").keys("Enter Down M-e");
    run = run.done(|id| Msg::Wrote { id, result: Ok("/tmp/zqdraft".into()) });
    run = run.done(|id| Msg::Ran { id, result: Ok(()) });
    run = run.done(|id| Msg::Read { id, content: Ok(b"zqeditor".to_vec()) });
    run = run.keys("Down Enter y");
    run = run.done(|id| Msg::Read { id, content: Ok(b"zqfile".to_vec()) });
    let sent = run.asked.last().unwrap().1.body.clone();
    let sent = sent.map(|body| String::from_utf8_lossy(&body.octets).into_owned()).unwrap_or_default();
    assert!(sent.contains("zqfile") && sent.contains("zqeditor"), "{sent:?}\n{}", run.shown());
    // The clipboard gets the text of a page, and an address.
    run = run.answer(media::PLAIN, "zqcopied\n").keys("M-y y");
    run = run.keys("/").text("zqtyped").keys("Enter").keys("/").tell(Msg::Paste("zqpasted".into())).keys("Esc");
    let bookmarks = Bookmarks::read("[[bookmark]]\nurl = \"http://zqbookmark/\"\n").unwrap();
    let known = Known::Bookmarks(Box::new(bookmarks));
    run.tell(Msg::Known { known, remark: None }).end()
}

/// Of each word, whether it is there.
fn has(text: &str, words: &[&str]) -> Vec<bool> {
    words.iter().map(|word| text.contains(word)).collect()
}

/// Bodies, uploads, files that are read, what an editor leaves, what is copied.
const OCTETS: &[&str] = &["zqbody", "zqfield", "zqeditor", "zqfile", "zqcopied"];
/// Addresses, titles, heads, paths, what is typed and pasted, what is kept of the reader.
const ALWAYS: &[&str] = &["zqaddress", "zqtitle", "zqline", "zqpath", "zqdraft", "zqtyped", "zqpasted", "zqbookmark"];

#[test]
fn octets_are_in_a_recording_only_if_they_are_wanted_and_all_else_always() {
    let with = run(true);
    assert_eq!(has(&with, OCTETS), [true; 5]);
    // Sent: once as it was read, once as it went out.
    assert!(with.matches("zqfile").count() > 1 && with.matches("zqeditor").count() > 1);
    assert!(with.contains("\"copy\":\"zqcopied\""), "{with}");
    if let Err(difference) = replay(&with).check() {
        panic!("{difference}");
    }
    let without = run(false);
    assert_eq!(has(&without, OCTETS), [false; 5], "{without}");
    for text in [with, without] {
        let typed = super::typed(&text);
        assert_eq!(has(&(text + &typed), ALWAYS), [true; 8]);
    }
}

#[test]
fn manual_and_help_say_what_is_in_a_recording() {
    let paper = include_str!("../../../../docs/command-line.md").replace('\n', " ");
    let (_, help, _) = super::Place::new().run(&["--help"]);
    let help: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in ["pages", "files", "editor", "clipboard"] {
        assert!(help.contains(word), "{word}: {help}");
        assert!(paper.contains(word), "{word}");
    }
    for word in ["titles", "bookmarks", "history"] {
        assert!(paper.contains(word), "{word}");
    }
}

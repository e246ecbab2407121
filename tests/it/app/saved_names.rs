//! Names under which one file is offered: those that it has, in the charset in force.

use super::journey::{Journey, head};
use wayfarer::app::{Overlay, Transfer};
use wayfarer::doc::sanitise;
use wayfarer::format::media;
use wayfarer::proto::FetchEvent;

/// What is offered for the second link of a directory with this entry: the first one leads up.
fn offered(j: Journey, name: &[u8]) -> String {
    let lines = [b"type=file;size=1; ", name, b"\r\n"].concat();
    let j = j.open("ftp://h/pub/").answer(media::DIRECTORY, &lines).keys("Down d");
    named(&j)
}

fn named(j: &Journey) -> String {
    j.app.hands.prompt().unwrap().input.value().strip_prefix("~/Downloads/").unwrap().to_owned()
}

#[test]
fn a_name_is_offered_as_the_page_shows_it() {
    for (octets, name) in [
        (&b"latin1-\xE9"[..], "latin1-é"),
        (b"utf8-\xC3\xA9", "utf8-é"),
        (b"esc\x1b[31m.txt", "esc.txt"),
        // What is no whole sequence is shown, and so it is saved.
        (b"esc\x1b", "esc\u{241b}"),
        (b"bidi\xE2\x80\xAEx", "bidi‹RLO›x"),
        (b"tab\tx", "tab\u{2409}x"),
        (b"back\\slash", "back\\slash"),
        (b".bashrc", ".bashrc"),
        (b"-rf", "-rf"),
        (b"~tilde", "~tilde"),
        (b"a -> arrow", "a -> arrow"),
        (b"trailing ", "trailing "),
        (b" lead", " lead"),
        (b"x.part", "x.part"),
        (b"x.part.toml", "x.part.toml"),
        (b"a:b", "a:b"),
        (b"a\x81\xE9b", "a‹81›éb"),
        (b"c1-\xC2\x9B31m", "c1-"),
        (b"x.wayfarer-part.toml", "x.wayfarer-part.toml_"),
    ] {
        assert_eq!(offered(Journey::new(), octets), name, "{octets:?}");
    }
}

#[test]
fn a_charset_that_was_chosen_for_the_page_names_its_files() {
    let sjis = b"sjis-\x93\xFA\x96\x7B";
    let lines = [&b"type=file;size=1; "[..], sjis, b"\r\ntype=file;size=1; caf\x82\r\n"].concat();
    let j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, &lines).run("charset shift_jis page");
    let j = j.keys("Down d");
    assert_eq!(named(&j), "caf%82", "half a letter");
    assert_eq!(named(&j.keys("Esc Down d")), "sjis-日本");
    let mut j = Journey::new();
    j.app.desk.settings.charset.hosts.insert("h".into(), "shift_jis".into());
    assert_eq!(offered(j, sjis), "sjis-日本");
}

/// What a page of names in Shift-JIS shows: nobody says of them what they are.
pub(super) const GUESSED: &[u8] = b"type=file;size=1; \x93\xFA\x96\x7B\x8C\xEA.txt\r\n\
    type=file;size=1; \x83\x65\x83\x58\x83\x67\x82\xCC\x83\x74\x83\x40\x83\x43\x83\x8B.txt\r\n\
    type=dir; \x83\x74\x83\x48\x83\x8B\x83\x5F\r\n";

/// `d` offered `“ú–{Œê.txt` where the page showed 日本語.txt.
#[test]
fn a_charset_that_the_page_guessed_names_its_files() {
    let j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, GUESSED);
    let mut j = j.shows("日本語.txt").keys("Down");
    let mut names = Vec::new();
    for _ in 0..3 {
        j = j.keys("Down d");
        names.extend(j.app.hands.prompt().is_some().then(|| named(&j)));
        j = j.keys("Esc");
    }
    names.sort();
    names.dedup();
    assert_eq!(names, ["テストのファイル.txt", "日本語.txt"]);
}

#[test]
fn the_name_that_a_server_says_of_its_own_file_does_not_mangle_it() {
    let lines = b"type=file;size=1; latin1-\xE9\r\n";
    let j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, lines).keys("Down Enter");
    let mut head = head("ftp://h/pub/latin1-%E9", "application/octet-stream");
    head.filename = Some("latin1-\u{fffd}".into());
    let j = j.event(FetchEvent::Head(Box::new(head))).text("s");
    assert_eq!(named(&j), "latin1-é");
}

#[test]
fn nothing_is_offered_hidden_for_the_home_folder() {
    let mut j = Journey::new();
    j.app.desk.settings.downloads = "~".into();
    let j = j.open("ftp://h/pub/").answer(media::DIRECTORY, b"type=file;size=1; .bashrc\r\n").keys("Down d");
    assert_eq!(j.app.hands.prompt().unwrap().input.value(), "~/bashrc");
}

#[test]
fn what_came_of_a_file_that_has_changed_is_given_up_after_a_question() {
    let j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, b"type=file;size=1; a\r\n");
    let j = j.keys("Down d Enter");
    let mut whole = head("ftp://h/pub/a", "application/octet-stream");
    whole.validator = Some("v2".into());
    let j = j.event(FetchEvent::Head(Box::new(whole)));
    let j = j.transfer(Transfer::Stale(
        "The file has changed on the server; 60 MB of the old one are in a.wayfarer-part.".into(),
    ));
    // To go on would end here again.
    let Some(Overlay::Question { choices, .. }) = j.app.hands.top() else { panic!("no question") };
    assert_eq!(choices.iter().map(|choice| choice.key).collect::<String>(), "afc");
    let j = j.asks("60 MB of the old one").text("a");
    let wayfarer::app::Effect::Download { into, .. } = j.effects.last().unwrap() else { panic!("{:?}", j.effects) };
    assert_eq!(into.beginning, wayfarer::app::Beginning::Drop);
}

#[test]
fn a_file_is_offered_with_the_octets_of_its_name_where_the_settings_say_so() {
    let mut j = Journey::new();
    j.app.desk.settings.saved_names = wayfarer::config::SavedNames::Octets;
    let name = offered(j, b"latin1-\xE9 \x1b[31m");
    assert_eq!((&*wayfarer::doc::carried(&name), name.chars().count()), (&b"latin1-\xE9 "[..], 9));
}

/// What stood around a mark that was left out was a control character together.
#[test]
fn no_octets_of_a_name_become_a_control_where_something_was_left_out() {
    for octets in [
        &b"\xC2\xC2\xAD\x9B31mcsi"[..],
        b"\xE2\x80\xE2\x80\x8E\xAErlo",
        b"\xC2\xE2\x80\x8E\x85nel",
        b"\xE2\xC2\xE2\x80\x8E\xAD\x80\xA8",
    ] {
        let mut j = Journey::new();
        j.app.desk.settings.saved_names = wayfarer::config::SavedNames::Octets;
        let name = offered(j, octets);
        let name = wayfarer::doc::carried(&name);
        let texts = name.utf8_chunks().map(|chunk| chunk.valid().to_owned()).collect::<Vec<_>>();
        assert!(texts.iter().all(|text| sanitise(text) == *text), "{}", name.escape_ascii());
    }
}

#[test]
fn a_long_name_is_not_cut_to_one_of_a_file_that_is_not_finished() {
    for end in [".wayfarer-part", ".wayfarer-part.toml", ".wayfarer-part-100.toml", ".wayfarer-part-7"] {
        for more in 1..40 {
            let name = format!("{}{end}{}", "L".repeat(255 - end.len()), "z".repeat(more));
            let name = offered(Journey::new(), name.as_bytes());
            assert!(!wayfarer::app::is_unfinished(&name) && name.len() <= 255, "{name}");
        }
    }
}

/// `d` and a saved directory gave it two names.
#[test]
fn a_blank_at_the_end_of_a_name_is_saved() {
    let j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, b"type=file;size=1; trailing \r\n");
    let head = head("ftp://h/pub/trailing%20", "application/octet-stream");
    let j = j.keys("Down d Enter").event(FetchEvent::Head(Box::new(head)));
    assert_eq!(j.app.transfers.downloads[0].path, "~/Downloads/trailing ");
}

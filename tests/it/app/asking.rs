//! Prompts: addresses, searches, commands, histories, completions, pasting.

use super::journey::{Journey, menu, url};
use wayfarer::app::{Effect, Kept, Msg, PromptKind};
use wayfarer::format::media;

fn remark(j: &Journey) -> &str {
    &j.app.hands.prompt().unwrap().remark
}

#[test]
fn an_address_is_completed_before_it_is_opened() {
    Journey::new()
        .keys("g")
        .prompts("open", "")
        .text("gopher.example.org")
        .keys("Enter")
        .free()
        .expect_fetch("gopher://gopher.example.org/")
        .expect(Effect::Keep(Kept::Words { prompt: PromptKind::Open, words: "gopher.example.org".into() }));
}

#[test]
fn a_relative_address_is_relative_to_the_page() {
    Journey::new()
        .open("file:///a/b/c.txt")
        .answer(media::PLAIN, b"x")
        .keys("g")
        .text("../d.txt")
        .keys("Enter")
        .expect_fetch("file:///a/d.txt");
}

#[test]
fn an_address_that_is_none_says_why() {
    let j = Journey::new().keys("g").text("gopher://h:99999/").keys("Enter").quiet();
    assert!(remark(&j).contains("the port"), "{}", remark(&j));
    // The word is still there to be mended.
    let j = j.prompts("open", "gopher://h:99999/").keys("Backspace Backspace Backspace Backspace Enter");
    j.free().expect_fetch("gopher://h:99");
}

#[test]
fn an_empty_address_closes_the_prompt() {
    Journey::new().keys("g Enter").free().quiet();
}

#[test]
fn completions_come_from_the_session_and_earlier_ones() {
    let mut j = Journey::at(&["0|A|/about"]).keys("Enter").answer(media::PLAIN, b"x");
    j.remember_words(PromptKind::Open, &["gopher://elsewhere/"]);
    j.keys("g")
        .text("h/")
        .look(|j| assert_eq!(j.offered(), ["gopher://h/0/about", "gopher://h/"]))
        .keys("Tab Tab")
        .prompts("open", "gopher://h/")
        .keys("S-Tab")
        .prompts("open", "gopher://h/0/about")
        .text("x")
        .prompts("open", "gopher://h/0/aboutx")
        .look(|j| assert!(j.offered().is_empty()))
        .keys("C-u")
        .text("elsew")
        .keys("Tab Enter")
        .expect_fetch("gopher://elsewhere/");
}

#[test]
fn words_typed_before_come_back_with_up() {
    let mut j = Journey::new();
    j.remember_words(PromptKind::Open, &["one", "two"]);
    j.keys("g")
        .text("dra")
        .keys("Up")
        .prompts("open", "two")
        .keys("Up Up")
        .prompts("open", "one")
        .keys("Down Down")
        .prompts("open", "dra")
        .keys("Down")
        .prompts("open", "dra");
}

#[test]
fn editing_as_in_readline() {
    Journey::new()
        .keys("g")
        .text("one two three")
        .keys("C-w")
        .prompts("open", "one two ")
        .keys("C-a Del")
        .prompts("open", "ne two ")
        .keys("C-e Backspace C-u")
        .prompts("open", "")
        .keys("C-y")
        .prompts("open", "ne two");
}

#[test]
fn letters_with_page_commands_are_text_in_a_prompt() {
    Journey::new().keys("g").text("qjk/?:=").prompts("open", "qjk/?:=").quiet();
}

#[test]
fn type_7_asks_and_the_words_become_part_of_the_url() {
    Journey::at(&["7|Find|/find"])
        .keys("Enter")
        .quiet()
        .prompts("search for", "")
        .look(|j| assert_eq!(j.app.hands.prompt().unwrap().about, Some(url("gopher://h/7/find"))))
        .text("two words%")
        .keys("Enter")
        .expect(Effect::Keep(Kept::Words { prompt: PromptKind::Search, words: "two words%".into() }))
        .expect_fetch("gopher://h/7/find%09two%20words%25")
        .answer(media::MENU, &menu("h", &["0|Hit|/hit"]))
        .at_url("gopher://h/7/find%09two%20words%25")
        .keys("R")
        .free()
        .expect_fetch("gopher://h/7/find%09two%20words%25")
        .keys("Esc h Enter Up")
        .prompts("search for", "two words%")
        .keys("Esc")
        .free();
}

#[test]
fn words_behind_a_question_mark_are_offered_as_search_words() {
    let j = Journey::at(&["0|A|/a"]).open("gopher://h/7/s?two+words%21").quiet().prompts("search for", "two words!");
    j.keys("Enter")
        .expect(Effect::Keep(Kept::Words { prompt: PromptKind::Search, words: "two words!".into() }))
        .expect_fetch("gopher://h/7/s%09two%20words%21");
}

#[test]
fn a_search_of_another_host_names_it() {
    let j = Journey::at(&["0|A|/a"]).open("gopher://other.example/7/s");
    j.quiet().prompts("search for (at other.example)", "").keys("Esc").free();
}

#[test]
fn a_typed_type_7_url_asks_too_and_words_given_do_not() {
    let label = "search for (at h)";
    Journey::new().open("gopher://h/7/find").quiet().prompts(label, "").keys("Enter").free().quiet();
    Journey::new().open("gopher://h/7/find%09words").expect_fetch("gopher://h/7/find%09words").free();
}

#[test]
fn a_phone_book_asks_for_a_query() {
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, b"2People\t\tph.example\t105\r\n.\r\n")
        .keys("Enter")
        .prompts("look up (at ph.example)", "")
        .text("name=foo")
        .keys("Enter")
        .look(|j| assert!(j.fetches.last().unwrap().1.url.as_str().ends_with("%09name%3Dfoo")));
}

#[test]
fn after_a_line_that_named_no_command_the_next_one_begins_anew() {
    let j = Journey::at(&["0|A|/a"]).keys(": x x Enter").prompts(":", "xx").keys(": d").prompts(":", "d").keys("Esc");
    // Who mends it goes on with what stands there.
    let j = j.keys(": x x Enter Backspace").prompts(":", "x").keys(":").prompts(":", "x:").keys("Esc");
    j.keys(": x x Enter y").prompts(":", "xxy").keys("Esc").quiet();
}

#[test]
fn the_command_line_completes_names_and_explains_them() {
    Journey::at(&["0|A|/a"])
        .keys(":")
        .text("down")
        .look(|j| {
            assert!(j.offered().starts_with(&["down", "download"]));
            assert!(remark(j).contains("next link"));
        })
        .keys("Tab Tab")
        .prompts(":", "download")
        .look(|j| assert!(remark(j).contains("save what the link leads to")))
        .keys("Esc : x x Enter")
        .look(|j| assert!(remark(j).contains("no command is called xx")))
        .prompts(":", "xx")
        .keys("Esc :")
        .text("open gopher://other/")
        .keys("Enter")
        .expect_fetch("gopher://other/");
}

#[test]
fn set_changes_the_session() {
    let j = Journey::at(&["0|A|/a"]).run("set wrap off").run("set marks glyphs").run("set numbers on");
    assert_eq!(j.app.choices().wrap, wayfarer::doc::Wrap::Off);
    assert_eq!(j.app.choices().marks, wayfarer::doc::Marks::Glyphs);
    assert!(j.app.desk.settings.numbers);
    let j = j.run("set sails").notes("there is no setting \"sails\"");
    j.run("set").notes("set wants the name of a setting, as in :set wrap; ");
}

#[test]
fn a_command_that_belongs_elsewhere_says_so() {
    Journey::at(&["0|A|/a"]).run("accept").notes("does nothing here");
}

#[test]
fn pasted_text_is_one_line_without_controls() {
    Journey::new()
        .send(Msg::Paste("gopher://h/0a\r\n\u{1b}[31mb\n".into()))
        .prompts("open", "gopher://h/0a [31mb")
        .keys("Esc")
        .free()
        .quiet();
}

#[test]
fn unfinished_keys_are_kept_shown_and_forgotten() {
    let mut j = Journey::at(&["0|A|/a"]);
    let keys = wayfarer::keys::Key::sequence("C-x C-f").unwrap();
    j.app.desk.keymap.bind(wayfarer::keys::Mode::Page, keys, "open".into());
    j.keys("C-x")
        .look(|j| assert_eq!(j.app.hands.pending_keys.len(), 1))
        .keys("Esc")
        .free()
        .quiet()
        .look(|j| assert!(j.app.hands.pending_keys.is_empty()))
        .keys("C-x C-q")
        .notes("has no command")
        .keys("C-x C-f")
        .prompts("open", "");
}

#[test]
fn an_unbound_key_names_the_way_to_help() {
    Journey::new().keys("M-Q").notes("? shows all keys");
}

#[test]
fn edit_this_url_and_the_links() {
    Journey::at(&["0|A|/a"]).keys("G").prompts("open", "gopher://h/").keys("Esc E").prompts("open", "gopher://h/0/a");
}

#[test]
fn quit_and_friends() {
    Journey::new()
        .keys("q")
        .expect(Effect::Quit)
        .keys("C-z")
        .expect(Effect::Suspend)
        .run("redraw")
        .expect(Effect::Redraw);
}

#[test]
fn no_password_is_remembered_however_it_is_typed() {
    let secret = "ftp://joe:pw@h/";
    let wrapped = ["  <ftp://joe:pw@h/>", "URL:ftp://joe:pw@h/", ":open ftp://joe:pw@h/", ":open <ftp://joe:pw@h/>"];
    for typed in [secret, "joe:pw@h", ":open joe:pw@h"].into_iter().chain(wrapped) {
        let (key, text) = typed.strip_prefix(':').map_or(("g", typed), |rest| (":", rest));
        let j = Journey::at(&["0|A|/a"]).keys(key).text(text).keys("Enter");
        assert!(j.app.words().values().flatten().all(|words| !words.contains("pw")), "{typed}: {:?}", j.app.words());
    }
    let j = Journey::at(&["0|A|/a"]).keys(":").text("open gopher://h/").keys("Enter");
    assert_eq!(j.app.words()[&PromptKind::Command], ["open gopher://h/"]);
}

#[test]
fn commands_complete_what_follows_them() {
    let offered = |line: &str| -> Vec<String> {
        Journey::at(&["0|A|/a"]).keys(":").text(line).offered().into_iter().map(Into::into).collect()
    };
    assert_eq!(offered("set wr"), ["set wrap on", "set wrap off"]);
    assert_eq!(offered("open h"), ["open gopher://h/"]);
    assert_eq!(offered("charset koi8-"), ["charset koi8-r", "charset koi8-u"]);
    assert_eq!(offered("quit "), [] as [&str; 0]);
}

#[test]
fn the_beginning_of_a_command_is_enough() {
    let j = Journey::at(&["0|A|/a"]).keys(":").text("q");
    assert_eq!(j.app.hands.prompt().unwrap().taken(), Some(0));
    assert!(j.keys("Enter").free().effects.contains(&Effect::Quit), "the row that is marked");
    // In the middle of a name it is not.
    let j = Journey::at(&["0|A|/a"]).keys(":").text("ink");
    assert!(!j.offered().is_empty() && j.app.hands.prompt().unwrap().taken().is_none(), "{:?}", j.offered());
}

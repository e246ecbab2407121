//! How wide prose is, and where a page stands on a wide screen.

use super::journey::Journey;
use super::pointing::screen;
use wayfarer::app::{Effect, Kept, Remembered, SiteChoice};
use wayfarer::format::media;

/// One line a paragraph, as phlogs are sent.
fn phlog() -> Vec<u8> {
    let words = "Whoever writes a phlog ends no line by hand and leaves that to the program of those who read it. ";
    format!("Title\n\n{}\n\n* {}\n", words.repeat(4), words.repeat(2)).into_bytes()
}

fn at(columns: u16, of: &str) -> Journey {
    Journey::sized(columns, 30).open(of).answer(media::PLAIN, &phlog())
}

/// The first column that text stands in, and the one past the last.
fn columns(j: &Journey) -> (usize, usize) {
    let rows: Vec<String> = screen(j).into_iter().take(20).filter(|row| !row.trim().is_empty()).collect();
    let first = rows.iter().map(|row| row.chars().take_while(|c| *c == ' ').count()).min();
    let last = rows.iter().map(|row| row.trim_end().chars().count()).max();
    (first.unwrap(), last.unwrap())
}

#[test]
fn prose_has_its_measure_and_stands_in_the_middle_of_a_wide_screen() {
    let (first, last) = columns(&at(160, "gopher://h/0a"));
    assert!(first == 42 && (110..=118).contains(&last), "{first} {last}");
    let (first, last) = columns(&at(80, "gopher://h/0a"));
    assert!(first == 0 && (70..=76).contains(&last), "{first} {last}");
    let (first, last) = columns(&at(40, "gopher://h/0a"));
    assert!(first == 0 && (34..=40).contains(&last), "{first} {last}");
}

#[test]
fn settings_say_how_wide_and_where() {
    for (settings, expected) in [
        ("width = 50", (55, 105)),
        ("width = 50\ncentre = false", (0, 50)),
        ("width = 0\nmargin = 4", (4, 156)),
        ("width = 150\nmargin = 4", (4, 154)),
    ] {
        let mut j = Journey::sized(160, 30);
        let mut errors = Vec::new();
        wayfarer::config::apply(&mut j.app.desk.settings, "settings.toml", settings, &mut errors);
        assert!(errors.is_empty(), "{errors:?}");
        let (first, last) = columns(&j.open("gopher://h/0a").answer(media::PLAIN, &phlog()));
        assert!(first == expected.0 && (expected.1 - 9..=expected.1).contains(&last), "{settings}: {first} {last}");
    }
    for wrong in ["width = 19", "width = 5000", "margin = 41", "margin = \"1\"", "centre = 3"] {
        let (mut settings, mut errors) = (wayfarer::config::Settings::default(), Vec::new());
        wayfarer::config::apply(&mut settings, "settings.toml", wrong, &mut errors);
        assert_eq!(errors.len(), 1, "{wrong}");
    }
}

#[test]
fn a_key_sets_prose_as_wide_as_the_screen_for_a_host() {
    let kept = |on| Effect::Keep(Kept::Site { host: "h".into(), choice: SiteChoice::Measure(on) });
    let j = at(160, "gopher://h/0a").keys("M-w").expect(kept(false)).notes("as wide as the screen");
    assert!(columns(&j).0 == 0 && columns(&j).1 > 150, "{:?}", columns(&j));
    let j = j.open("gopher://h/0b").answer(media::PLAIN, &phlog());
    assert!(columns(&j).1 > 150, "the choice is the host's");
    let j = j.open("gopher://other/0b").answer(media::PLAIN, &phlog());
    assert_eq!(columns(&j).0, 42);
    let j = j.open("gopher://h/0c").answer(media::PLAIN, &phlog()).keys("M-w").expect(kept(true));
    assert_eq!(columns(&j).0, 42);
    // It is known from one time to the next, and can be forgotten.
    let mut j = Journey::sized(160, 30);
    j.remember(Remembered { unmeasured: ["h".into()].into(), ..Remembered::default() });
    let j = j.open("gopher://h/0a").answer(media::PLAIN, &phlog());
    assert_eq!(columns(&j).0, 0);
    assert_eq!(columns(&j.run("forget host h").keys("y")).0, 42);
}

#[test]
fn the_reader_stays_where_they_are_when_the_measure_changes() {
    let text: String = (0..200).map(|n| format!("{n} {}\n\n", "word ".repeat(60))).collect();
    let j = Journey::sized(160, 30).open("gopher://h/0a").answer(media::PLAIN, text.as_bytes()).run("goto 50%");
    let top = j.app.entry().unwrap().top.block;
    let j = j.keys("M-w");
    assert_eq!(j.app.entry().unwrap().top.block, top);
}

#[test]
fn permissions_and_owners_are_chosen_for_a_host() {
    let kept = |on| Effect::Keep(Kept::Site { host: "h".into(), choice: SiteChoice::Owners(on) });
    let file = b"type=file;size=1;UNIX.mode=0640;UNIX.owner=ann;UNIX.group=staff; a\r\n";
    let j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, file);
    assert!(!j.page().contains("ann"));
    let j = j.keys("s p").expect(kept(true)).notes("permissions and owners");
    let page = j.page();
    assert!(page.contains("rw-r-----") && page.contains("ann:staff"), "{page}");
    let j = j.open("ftp://h/x/").answer(media::DIRECTORY, file).shows("ann:staff");
    let j = j.keys("s p").expect(kept(false));
    assert!(!j.page().contains("ann"));
    let j = j.open("ftp://other/").answer(media::DIRECTORY, file);
    assert!(!j.page().contains("ann"));
    let mut j = Journey::new();
    j.remember(Remembered { owners: ["h".into()].into(), ..Remembered::default() });
    j.open("ftp://h/").answer(media::DIRECTORY, file).shows("ann:staff");
    Journey::at(&["0|a|/a"]).keys("s p").notes("only directories");
}

#[test]
fn hidden_files_are_chosen_for_a_host_of_ftp() {
    let kept = |on| Effect::Keep(Kept::Site { host: "h".into(), choice: SiteChoice::Hidden(on) });
    let asked = |j: &Journey| j.fetches.last().map(|(_, request)| (request.url.to_string(), request.hidden));
    let j = Journey::new().open("ftp://h/pub/");
    assert_eq!(asked(&j), Some(("ftp://h/pub/".into(), false)));
    let j = j.answer(media::DIRECTORY, b"type=file; a\r\n").keys("s h").expect(kept(true));
    assert_eq!(asked(&j), Some(("ftp://h/pub/".into(), true)));
    let j = j.answer(media::DIRECTORY, b"type=file; .a\r\n").shows(".a").open("ftp://other/");
    assert_eq!(asked(&j), Some(("ftp://other/".into(), false)));
    let j = j.answer(media::DIRECTORY, b"type=file; a\r\n").open("gopher://h/0a").answer(media::PLAIN, b"text\n");
    j.keys("s h").notes("only FTP servers");
    let mut j = Journey::new();
    j.remember(Remembered { hidden: ["h".into()].into(), ..Remembered::default() });
    let j = j.open("ftp://h/x/");
    assert_eq!(asked(&j), Some(("ftp://h/x/".into(), true)));
    j.answer(media::DIRECTORY, b"type=file; a\r\n").keys("s h").expect(kept(false));
}

#[test]
fn rows_give_the_middle_of_the_screen_up_before_they_are_cut() {
    let list = |words: &str| {
        let list = format!("comp.infosystems.gopher\t1\t9\t9\ty\t{words}\ncomp.lang.c\t1\t9\t9\ty\tC.\n");
        Journey::sized(140, 20).open("news://h/*").answer(media::NEWSGROUPS, list.as_bytes())
    };
    let long = list(&"Discussion of the Gopher information service. ".repeat(2));
    let shown = screen(&long);
    let row = shown.iter().find(|row| row.contains("Discussion")).unwrap_or_else(|| panic!("{shown:#?}"));
    assert!(!row.contains('…') && row.trim_end().ends_with("service."), "{row}");
    assert!(long.app.page_left() < 4, "{shown:#?}");
    let short = list("Discussion.");
    assert_eq!(short.app.page_left(), 32, "what fits stands in the middle: {:#?}", screen(&short));
}

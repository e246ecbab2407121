//! Pages given to programs, and sources to the editor.

use super::journey::Journey;
use wayfarer::app::{Effect, PageState};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, Kind};
use wayfarer::work::Work;

trait Piping {
    fn pipes(self, program: &[&str], input: &str) -> Self;
}

impl Piping for Journey {
    /// The last effect gives a program this text; its output is awaited from then on.
    #[track_caller]
    fn pipes(mut self, program: &[&str], input: &str) -> Journey {
        let Some(Effect::Pipe { id, request, program: given, input: text }) = self.effects.pop() else {
            panic!("{:?}", self.effects)
        };
        assert_eq!(
            (given, String::from_utf8(text).unwrap().as_str()),
            (program.iter().map(|w| w.to_string()).collect(), input)
        );
        self.fetches.push((id, request));
        self
    }
}

fn at_text() -> Journey {
    Journey::new().open("gopher://h/0/list").answer("text/plain", b"pear\r\napple\r\n").quiet()
}

#[test]
fn the_page_goes_through_a_program_and_its_output_is_a_page_to_go_back_from() {
    let j = at_text().keys("!").prompts("pipe the page to", "").text("sort -r").keys("Enter");
    j.pipes(&["sort", "-r"], "pear\napple\n")
        .answer("text/plain", b"pear\napple\n")
        .at_url("about:output?sort%20-r")
        .shows("pear")
        .keys("Left")
        .at_url("gopher://h/0/list");
}

#[test]
fn the_source_goes_as_it_was_received() {
    at_text().run("pipe source wc -c").pipes(&["wc", "-c"], "pear\r\napple\r\n").quiet();
}

#[test]
fn no_shell_sees_the_words() {
    at_text().run("pipe sort; rm $HOME | x").pipes(&["sort;", "rm", "$HOME", "|", "x"], "pear\napple\n").quiet();
}

#[test]
fn a_program_that_fails_says_so_and_can_be_stopped() {
    let failed = FetchError::new(Kind::Broken, "srot could not be started: no such file.");
    at_text().run("pipe srot").pipes(&["srot"], "pear\napple\n").fail(failed).shows("srot could not be started");
    let j = at_text().run("pipe yes").pipes(&["yes"], "pear\napple\n").head("text/plain").body(b"y\ny\n").keys("Esc");
    let cut = j.state(PageState::Stopped);
    let j = at_text().run("pipe x").pipes(&["x"], "pear\napple\n").head("text/plain").body(b"y\n");
    let end = wayfarer::proto::End { cut: Some("x ended with exit status: 2".into()) };
    drop(cut);
    j.event(FetchEvent::End(end)).state(PageState::Cut("x ended with exit status: 2".into()));
}

#[test]
fn a_source_is_edited_as_a_copy_and_a_local_file_itself() {
    let mut j = at_text();
    j.choose(|choices| (choices.editor, choices.scratch) = (vec!["ed".into(), "-s".into()], "/scratch".into()));
    let j = j.run("edit-source").expect_write("/scratch/list", b"pear\r\napple\r\n", true);
    let j = j.wrote(Ok("/scratch/list".into())).expect_run(&["ed", "-s", "/scratch/list"]);
    let mut j = j.ran(Ok(())).notes("a copy").open("file:///tmp/a%20b.txt").answer("text/plain", b"x");
    j.effects.clear();
    let j = j.run("edit-source").expect_run(&["ed", "-s", "/tmp/a b.txt"]);
    j.ran(Ok(())).expect_fetch("file:///tmp/a%20b.txt");
}

#[test]
fn a_folder_is_not_edited() {
    let j = Journey::new().open("file:///tmp/").answer(media::DIRECTORY, b"").quiet();
    j.run("edit-source").notes("this is a folder").quiet();
}

#[test]
fn what_a_program_makes_of_a_page_leads_to_no_file_without_a_question() {
    let out = b"See <file:///etc/passwd> and <about:tour>.\n";
    let page = || at_text().run("pipe cat").pipes(&["cat"], "pear\napple\n").answer("text/plain", out).quiet();
    page().keys("Enter").quiet().asks("A page from the network leads to a file of this machine.");
    // Nor by way of a second program, or of another tab.
    let j = page()
        .run("pipe fmt")
        .pipes(&["fmt"], "See <file:///etc/passwd> and <about:tour>.\n")
        .answer("text/plain", out);
    j.keys("Enter").quiet().asks("leads to a file of this machine");
    page().keys("t").quiet().asks("leads to a file of this machine");
    // What is the reader's own stays so.
    let own = Journey::new().open("file:///a.txt").answer("text/plain", b"a\n").quiet();
    let j = own.run("pipe cat").pipes(&["cat"], "a\n").answer("text/plain", out);
    j.keys("Enter").free().expect_fetch("file:///etc/passwd");
    // Nobody knows whose words come through a pipe.
    let j = Journey::new().open("about:stdin").answer("text/plain", out);
    j.keys("Enter").asks("leads to a file of this machine");
}

#[test]
fn a_page_of_the_network_starts_no_servers_of_the_tour_without_a_question() {
    let page = || Journey::new().open("http://h/").answer("text/html", b"<a href='about:tour'>tour</a>").quiet();
    page().keys("Down Enter").quiet().asks("starts small servers on this machine").keys("n").free().quiet();
    page().keys("Down Enter y").expect_fetch("about:tour");
    page().run("open about:tour").free().expect_fetch("about:tour");
}

#[test]
fn a_long_page_is_written_beside_the_keyboard_for_a_program_and_for_a_file() {
    let words = b"some words of a page\n".repeat(10_000);
    let at_long = || Journey::new().open("gopher://h/0/long").answer("text/plain", &words).quiet().hold();
    let printed = |j: &Journey| matches!(j.works[..], [(_, Work::Print(_))]);
    let text = String::from_utf8(words.clone()).unwrap();
    let j = at_long().keys("!").text("wc").keys("Enter").look(|j| assert!(printed(j), "{:?}", j.works)).quiet();
    j.work().pipes(&["wc"], &text).answer("text/plain", b"10000\n").at_url("about:output?wc").shows("10000");
    // Stopped, it is not written on; nor does it come to a page that was opened meanwhile.
    at_long().run("pipe wc").look(|j| assert!(printed(j))).keys("Esc").look(|j| assert!(j.works.is_empty())).quiet();
    let j = at_long().run("pipe wc").open("gopher://h/0/b").look(|j| assert!(j.works.is_empty()));
    j.answer("text/plain", b"other").at_url("gopher://h/0/b").quiet();
    let j = at_long().run("save text").keys("Enter").look(|j| assert!(printed(j), "{:?}", j.works)).quiet();
    let mut j = j.work();
    let Some(Effect::Write { path, content, .. }) = j.effects.pop() else { panic!("{:?}", j.effects) };
    assert_eq!((path.ends_with("/long.txt"), content == words), (true, true), "{path}");
    // Saving is not given up with the page.
    let j = at_long().run("save text").keys("Enter").open("gopher://h/0/b").answer("text/plain", b"other").work();
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Write { .. })), "{:?}", j.effects);
}

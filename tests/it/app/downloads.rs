//! Bodies and texts that go into files.

use super::journey::{Journey, head, lines, menu};
use wayfarer::app::{DownloadState, Effect, Msg, Transfer, status};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, Kind, Verdict};

const BINARY: &str = "application/octet-stream";

fn save(j: &Journey, path: &str, replace: bool) -> Effect {
    Effect::Save { id: j.last(), path: path.into(), replace }
}

/// Arrived at the question about `/pub/a.tar`.
fn asked() -> Journey {
    Journey::at(&["9|Archive|/pub/a.tar"])
        .keys("Enter")
        .expect_fetch("gopher://h/9/pub/a.tar")
        .head(BINARY)
        .asks(BINARY)
}

#[test]
fn a_binary_asks_and_saves_under_a_safe_name() {
    let j = asked().look(|j| assert!(j.app.loading.as_ref().unwrap().head.is_some())).text("s").quiet();
    let j = j.prompts("save as", "~/Downloads/a.tar").keys("Enter");
    let effect = save(&j, "~/Downloads/a.tar", false);
    j.expect(effect)
        .quiet()
        .free()
        .at_url("gopher://h/")
        .transfer(Transfer::Progress(1_200_000))
        .look(|j| {
            let download = &j.app.downloads[0];
            assert_eq!(download.state, DownloadState::Running);
            assert_eq!(status::download(download), "1.2 MB, 600 kB/s");
            assert_eq!(status::saving(&j.app).as_deref(), Some("saving 1.2 MB"));
        })
        .transfer(Transfer::Done("/home/me/a.tar".into(), None))
        .notes("saved /home/me/a.tar")
        .look(|j| assert_eq!((j.app.downloads[0].state.clone(), status::saving(&j.app)), (DownloadState::Done, None)));
}

#[test]
fn a_binary_that_nobody_wants_is_refused() {
    asked().text("c").expect_verdict(Verdict::Refuse).quiet().free().at_url("gopher://h/").look(|j| {
        assert!(j.app.loading.is_none() && j.app.downloads.is_empty());
    });
    asked().keys("Esc").expect_verdict(Verdict::Refuse).quiet();
    asked().text("s").keys("Esc").expect_verdict(Verdict::Refuse).quiet().free();
}

#[test]
fn a_binary_can_be_shown_as_text() {
    asked().text("t").expect_verdict(Verdict::Accept).body(b"words\n").end().shows("words");
}

#[test]
fn a_failure_withdraws_the_question() {
    asked().fail(FetchError::new(Kind::Broken, "The server went away.")).free().shows("went away");
}

#[test]
fn a_binary_opens_with_a_program_after_it_came() {
    let j = Journey::at(&["I|Picture|/p.png"]).keys("Enter").head("image/png").text("o");
    let j = j.prompts("open with", "xdg-open {file}").keys("C-u").text("view {type} {file}").keys("Enter");
    let effect = save(&j, &format!("~/Downloads/{}/p.png", j.last().0), false);
    j.expect(effect.clone())
        .transfer(Transfer::Done("/tmp/p.png".into(), None))
        .asks("view image/png /tmp/p.png")
        .text("y")
        .expect(Effect::Run(vec!["view".into(), "image/png".into(), "/tmp/p.png".into()]));
}

#[test]
fn the_download_command_asks_for_a_name_while_the_server_thinks() {
    let j = Journey::at(&["0|Text|/t.txt"]).keys("d").expect_fetch("gopher://h/0/t.txt");
    let j = j.prompts("save as", "~/Downloads/t.txt").keys("Enter").quiet().head(media::PLAIN);
    let effect = save(&j, "~/Downloads/t.txt", false);
    j.expect(effect).quiet().at_url("gopher://h/");
    let j = Journey::at(&["0|Text|/t.txt"]).keys("d").head(media::PLAIN).keys("Enter");
    let effect = save(&j, "~/Downloads/t.txt", false);
    j.expect(effect);
}

#[test]
fn a_download_that_is_not_named_ends() {
    Journey::at(&["0|Text|/t.txt"]).keys("d Esc").expect_cancel(1);
    Journey::at(&["0|Text|/t.txt"]).keys("d").head(media::PLAIN).keys("Esc").expect_verdict(Verdict::Refuse);
}

#[test]
fn a_download_that_fails_before_its_name_closes_the_prompt() {
    Journey::at(&["0|Text|/t.txt"])
        .keys("d")
        .fail(FetchError::new(Kind::NoSuchHost, "h has no address."))
        .free()
        .notes("h has no address")
        .at_url("gopher://h/");
}

/// Arrived at the question about a file that exists.
fn exists() -> Journey {
    let j = asked().text("s").keys("Enter");
    let effect = save(&j, "~/Downloads/a.tar", false);
    j.expect(effect).transfer(Transfer::Exists("~/Downloads/a.tar".into())).asks("~/Downloads/a.tar").quiet()
}

#[test]
fn a_file_that_exists_is_replaced_only_by_consent() {
    let j = exists().text("r");
    let effect = save(&j, "~/Downloads/a.tar", true);
    j.expect(effect).quiet();
    let j = exists().text("n").prompts("save as", "~/Downloads/a-2.tar").keys("Enter");
    let effect = save(&j, "~/Downloads/a-2.tar", false);
    j.expect(effect)
        .transfer(Transfer::Exists("~/Downloads/a-2.tar".into()))
        .text("n")
        .prompts("save as", "~/Downloads/a-3.tar");
    exists().text("c").expect_verdict(Verdict::Refuse).quiet().look(|j| {
        assert_eq!(j.app.downloads[0].state, DownloadState::Cancelled);
    });
}

#[test]
fn the_list_of_downloads_keeps_up_and_stops_them() {
    let j = asked().text("s").keys("Enter D");
    let detail = |j: &Journey| j.app.overlays.last().unwrap().chosen().unwrap().detail.clone();
    let id = j.last();
    j.transfer(Transfer::Progress(5_000_000))
        .look(|j| assert!(detail(j).contains("5.0 MB"), "{}", detail(j)))
        .keys("Enter")
        .asks("Stop this download?")
        .text("y")
        .expect(Effect::Cancel(id))
        .transfer(Transfer::Progress(6_000_000))
        .look(|j| assert_eq!(j.app.downloads[0].received, 5_000_000))
        .keys("D")
        .look(|j| assert_eq!(detail(j), "stopped"));
}

#[test]
fn quit_asks_while_downloads_run() {
    asked()
        .text("s")
        .keys("Enter q")
        .asks("1 download is not finished")
        .text("n")
        .free()
        .keys("q")
        .text("y")
        .expect(Effect::Quit)
        .keys("Q")
        .expect(Effect::Quit);
}

#[test]
fn names_are_one_harmless_component() {
    let offered = |selector: &str, filename: Option<&str>| {
        let j = Journey::at(&[&format!("9|x|{selector}")]).keys("Enter");
        let of = j.fetches.last().unwrap().1.url.as_str().to_owned();
        let mut head = head(&of, BINARY);
        head.filename = filename.map(Into::into);
        let j = j.event(FetchEvent::Head(Box::new(head))).text("s");
        j.app.prompt.unwrap().input.value().strip_prefix("~/Downloads/").unwrap().to_owned()
    };
    assert_eq!(offered("/a/b/file.tar.gz", None), "file.tar.gz");
    assert_eq!(offered("/a/folder/", None), "folder");
    assert_eq!(offered("plain.bin", None), "plain.bin");
    assert_eq!(offered("", None), "h");
    assert_eq!(offered("/x", Some("../../.bashrc")), "bashrc");
    assert_eq!(offered("/x", Some("a\\b\\c.exe")), "c.exe");
    assert_eq!(offered("/x", Some("-rf \u{1b}[31m\u{202e}gnp.exe")), "rf [31mgnp.exe");
    assert_eq!(offered("/x", Some("a\u{ad}b\u{61c}\u{2028}c\u{e0041}\td")), "abcd");
    assert_eq!(offered("/%2e%2e", None), "%2e%2e");
    assert!(offered(&format!("/{}", "é".repeat(300)), None).len() <= 120);
}

#[test]
fn save_writes_text_pages_as_received_and_others_as_they_read() {
    let content = b"One.\r\nTwo \x80.\r\n";
    Journey::new()
        .open("gopher://h/0/notes.txt")
        .answer(media::PLAIN, content)
        .keys("S")
        .prompts("save as", "~/Downloads/notes.txt")
        .keys("Enter")
        .expect(Effect::Write { path: "~/Downloads/notes.txt".into(), content: content.to_vec(), replace: false })
        .send(Msg::Wrote(Err(Transfer::Exists("~/Downloads/notes.txt".into()))))
        .asks("~/Downloads/notes.txt")
        .text("r")
        .expect(Effect::Write { path: "~/Downloads/notes.txt".into(), content: content.to_vec(), replace: true })
        .send(Msg::Wrote(Ok("/home/me/notes.txt".into())))
        .notes("saved /home/me/notes.txt");
    let rows = menu("h", &["i|Welcome", "0|About|/about"]);
    let j = Journey::new().open("gopher://h/1/docs").answer(media::MENU, &rows).keys("S Enter");
    let Some(Effect::Write { path, content, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    let text = String::from_utf8(content.clone()).unwrap();
    assert_eq!(path, "~/Downloads/docs.txt");
    assert!(text.contains("Welcome") && text.contains("About") && !text.contains('\t'), "{text:?}");
    Journey::new()
        .open("gopher://h/1/docs")
        .answer(media::MENU, &rows)
        .run("save source")
        .keys("Enter")
        .expect(Effect::Write { path: "~/Downloads/docs".into(), content: rows, replace: false });
}

#[test]
fn a_page_saved_as_text_loses_nothing_of_its_long_lines() {
    let long = format!("{} the end", "word ".repeat(30));
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &menu("h", &[&format!("i{long}|")])).keys("S Enter");
    let Some(Effect::Write { content, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    assert!(String::from_utf8_lossy(content).contains("the end"));
}

#[test]
fn a_write_that_fails_otherwise_says_so() {
    Journey::new()
        .open("gopher://h/0t")
        .answer(media::PLAIN, &lines(3))
        .keys("S Enter")
        .send(Msg::Wrote(Err(Transfer::Failed("the disk is full".into()))))
        .free()
        .notes("the disk is full");
}

#[test]
fn what_cannot_be_known_is_not_said() {
    use std::time::Duration;
    assert_eq!(status::rate(1000, Duration::ZERO), None);
    assert_eq!(status::remaining(1000, None, Duration::from_secs(1)), None);
    assert_eq!(status::remaining(1000, Some(5000), Duration::from_secs(1)), Some(Duration::from_secs(4)));
    assert_eq!(status::span(Duration::from_millis(80)), "80 ms");
    assert_eq!(status::span(Duration::from_secs(200)), "3 min 20 s");
    assert_eq!(status::progress(34_000, Some(120_000), Duration::from_millis(100)), "34.0 kB of 120 kB, 340 kB/s");
}

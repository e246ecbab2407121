//! Bodies and texts that go into files.

use super::journey::{Journey, head, lines, menu};
use wayfarer::app::{
    Beginning, Destination, DownloadState, Effect, Existing, ListedFile, NotWritten, Pace, Transfer, status,
};
use wayfarer::format::media;
use wayfarer::format::message::PartName;
use wayfarer::proto::{FetchError, FetchEvent, Kind, Verdict};
use wayfarer::url::Url;

const BINARY: &str = "application/octet-stream";

fn save(j: &Journey, path: &str, replace: bool) -> Effect {
    let (id, request) = j.fetches.last().unwrap();
    let existing = if replace { Existing::Replace } else { Existing::Ask };
    let origin = request.url.clone();
    Effect::Save {
        id: *id,
        into: Destination {
            path: path.into(),
            within: None,
            origin: Some(origin),
            existing,
            beginning: Beginning::Keep,
            listed: ListedFile::default(),
            runs: false,
        },
    }
}

/// Arrived at the question about `/pub/a.lzh`.
fn asked() -> Journey {
    Journey::at(&["9|Archive|/pub/a.lzh"])
        .keys("Enter")
        .expect_fetch("gopher://h/9/pub/a.lzh")
        .head(BINARY)
        .asks(BINARY)
}

#[test]
fn a_binary_asks_and_saves_under_a_safe_name() {
    let j = asked().look(|j| assert!(j.app.tab.loading.as_ref().unwrap().head.is_some())).text("s").quiet();
    let j = j.prompts("save as", "~/Downloads/a.lzh").keys("Enter");
    let effect = save(&j, "~/Downloads/a.lzh", false);
    j.expect(effect)
        .quiet()
        .free()
        .at_url("gopher://h/")
        .transfer(Transfer::Progress(1_200_000))
        .look(|j| {
            let download = &j.app.transfers.downloads[0];
            assert_eq!(download.state, DownloadState::Running);
            assert_eq!(status::download(download), "1.2 MB, 600 kB/s");
            assert_eq!(status::saving(j.app.sight()).as_deref(), Some("saving 1.2 MB"));
        })
        .transfer(Transfer::Done("/home/me/a.lzh".into(), None))
        .notes("saved /home/me/a.lzh")
        .look(|j| {
            assert_eq!(
                (j.app.transfers.downloads[0].state.clone(), status::saving(j.app.sight())),
                (DownloadState::Done, None)
            )
        });
}

#[test]
fn a_binary_that_nobody_wants_is_refused() {
    asked().text("c").expect_verdict(Verdict::Refuse).quiet().free().at_url("gopher://h/").look(|j| {
        assert!(j.app.tab.loading.is_none() && j.app.transfers.downloads.is_empty());
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
    let j = Journey::at(&[";|Film|/p.mpg"]).keys("Enter").head("video/mpeg").text("o");
    let j = j.prompts("open with", "xdg-open {file}").keys("C-u").text("view {type} {file}").keys("Enter");
    let effect = save(&j, &format!("~/Downloads/outside/{}/p.mpg", j.last().0), false);
    j.expect(effect.clone())
        .transfer(Transfer::Done("/tmp/p.mpg".into(), None))
        .asks("view video/mpeg /tmp/p.mpg")
        .text("y")
        .expect_run(&["view", "video/mpeg", "/tmp/p.mpg"]);
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
    let effect = save(&j, "~/Downloads/a.lzh", false);
    j.expect(effect).transfer(Transfer::Exists("~/Downloads/a.lzh".into())).asks("~/Downloads/a.lzh").quiet()
}

#[test]
fn a_file_that_exists_is_replaced_only_by_consent() {
    let j = exists().text("r");
    let effect = save(&j, "~/Downloads/a.lzh", true);
    j.expect(effect).quiet();
    let j = exists().text("n").prompts("save as", "~/Downloads/a-2.lzh").keys("Enter");
    let effect = save(&j, "~/Downloads/a-2.lzh", false);
    j.expect(effect)
        .transfer(Transfer::Exists("~/Downloads/a-2.lzh".into()))
        .text("n")
        .prompts("save as", "~/Downloads/a-3.lzh");
    exists().text("c").expect_verdict(Verdict::Refuse).quiet().look(|j| {
        assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Cancelled);
    });
}

#[test]
fn the_list_of_downloads_keeps_up_and_stops_them() {
    let j = asked().text("s").keys("Enter D");
    let detail = |j: &Journey| j.app.hands.overlays().last().unwrap().chosen().unwrap().detail.clone();
    let id = j.last();
    j.transfer(Transfer::Progress(5_000_000))
        .look(|j| assert!(detail(j).contains("5.0 MB"), "{}", detail(j)))
        .keys("Enter")
        .asks("What came stays as a.lzh.wayfarer-part")
        .text("p")
        .expect(Effect::Cancel(id))
        .transfer(Transfer::Progress(6_000_000))
        .look(|j| assert_eq!(j.app.transfers.downloads[0].received, 5_000_000))
        .keys("D")
        .look(|j| assert_eq!(detail(j), "stopped"));
}

#[test]
fn enter_in_the_question_about_a_download_does_the_obvious() {
    let j = asked().text("s").keys("Enter D Enter").asks("What came is kept.");
    let id = j.last();
    j.keys("Enter").expect(Effect::Cancel(id)).keys("D Enter").asks("stopped");
    // Nothing else is done by a key that is pressed so easily.
    exists().keys("Enter").notes("answer by its letter").asks("There is a file");
}

#[test]
fn the_question_about_a_download_keeps_up_with_it_and_says_when_it_has_ended() {
    let j = asked().text("s").keys("Enter D Enter").transfer(Transfer::Progress(5_000_000)).asks("5.0 MB,");
    let j = j.transfer(Transfer::Progress(6_000_000)).asks("6.0 MB,");
    let j = j.transfer(Transfer::Done("~/Downloads/a.lzh".into(), None)).asks("It has ended while you looked.");
    // What was a way to stop it is none any more, and what deletes it neither.
    let j = j.keys("p x").asks("It has ended");
    let j = j.asks("done, ").keys("y");
    assert!(matches!(j.effects.last(), Some(Effect::Copy(path)) if path.ends_with("a.lzh")), "{:?}", j.effects);
}

#[test]
fn safe_refuses_before_it_asks() {
    let safe = || {
        let mut j = Journey::at(&["0|Text|/t.txt", "9|Binary|/b", "8|Telnet|"]);
        j.choose(|choices| choices.safe = true);
        j
    };
    for keys in ["d", "S", "M-d", "!", "X", "M-s", ": s a v e Enter"] {
        safe().keys(keys).notes("--safe forbids it").free().quiet();
    }
    safe().keys("2 Enter").head("application/octet-stream").asks("no page").keys("s").notes("--safe forbids it").free();
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
        .text("q")
        .expect(Effect::Quit)
        .keys("Q")
        .expect(Effect::QuitNow);
}

#[test]
fn names_are_one_harmless_component() {
    let offered = |selector: &str, filename: Option<&str>| {
        let j = Journey::at(&[&format!("9|x|{selector}")]).keys("Enter");
        let of = j.fetches.last().unwrap().1.url.as_str().to_owned();
        let mut head = head(&of, BINARY);
        head.filename = filename.map(Into::into);
        let j = j.event(FetchEvent::Head(Box::new(head))).text("s");
        j.app.hands.prompt().unwrap().input.value().strip_prefix("~/Downloads/").unwrap().to_owned()
    };
    assert_eq!(offered("/a/b/file.tar.lzh", None), "file.tar.lzh");
    assert_eq!(offered("/a/folder/", None), "folder");
    assert_eq!(offered("plain.bin", None), "plain.bin");
    assert_eq!(offered("", None), "h");
    assert_eq!(offered("/x", Some("../../.bashrc")), "bashrc");
    assert_eq!(offered("/x", Some("a\\b\\c.exe")), "c.exe");
    assert_eq!(offered("/x", Some("-rf \u{1b}[31m\u{202e}gnp.exe")), "rf gnp.exe");
    assert_eq!(offered("/x", Some("a\u{ad}b\u{61c}\u{2028}c\u{e0041}\td")), "abcd");
    assert_eq!(offered("/%2e%2e", None), "%2e%2e");
    // What stands in a note beside an unfinished file is believed, so nobody else writes one.
    assert_eq!(offered("/x", Some("a.wayfarer-part.toml")), "a.wayfarer-part.toml_");
    assert_eq!(offered("/x", Some("a.Wayfarer-PART-7")), "a.Wayfarer-PART-7_");
    assert_eq!(offered("/x", Some("a.part")), "a.part");
    assert!(offered(&format!("/{}", "é".repeat(300)), None).len() <= 255);
}

#[test]
fn a_page_is_saved_as_a_message_with_its_address_and_its_base() {
    let j = Journey::new().open("http://h/d/page").answer("text/html", b"<title>T</title><a href=x>x</a>");
    let j = j.run("save mhtml").prompts("save as", "~/Downloads/page.mht").keys("Enter");
    let Some(Effect::Write { path, content, replace: false, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    assert_eq!(path, "~/Downloads/page.mht");
    let (name, from) = (PartName::parse(b"part-1"), Url::parse("file:///page.mht").unwrap());
    let part = wayfarer::format::message::part(content, &name, &from).unwrap();
    assert_eq!(part.octets, b"<title>T</title><a href=x>x</a>");
    assert_eq!(part.base.unwrap().url.as_str(), "http://h/d/page");
    assert!(part.siblings.unwrap().parts.contains_key("http://h/d/page"));
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
        .expect_write("~/Downloads/notes.txt", content, false)
        .wrote(Err(NotWritten::Exists("~/Downloads/notes.txt".into())))
        .asks("~/Downloads/notes.txt")
        .text("r")
        .expect_write("~/Downloads/notes.txt", content, true)
        .wrote(Ok("/home/me/notes.txt".into()))
        .notes("saved /home/me/notes.txt");
    let rows = menu("h", &["i|Welcome", "0|About|/about"]);
    let j = Journey::new().open("gopher://h/1/docs").answer(media::MENU, &rows).keys("S Enter");
    let Some(Effect::Write { path, content, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
    let text = String::from_utf8(content.clone()).unwrap();
    assert_eq!(path, "~/Downloads/docs.txt");
    assert!(text.contains("Welcome") && text.contains("About") && !text.contains('\t'), "{text:?}");
    Journey::new().open("gopher://h/1/docs").answer(media::MENU, &rows).run("save source").keys("Enter").expect_write(
        "~/Downloads/docs",
        &rows,
        false,
    );
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
        .wrote(Err(NotWritten::Failed("the disk is full".into())))
        .free()
        .notes("the disk is full");
}

#[test]
fn what_cannot_be_known_is_not_said() {
    use std::time::Duration;
    assert_eq!(status::rate(1000, Duration::ZERO), None);
    assert_eq!(status::span(Duration::from_millis(80)), "80 ms");
    assert_eq!(status::span(Duration::from_secs(200)), "3 min 20 s");
}

/// A download of `/pub/a.lzh` that runs, after it was named.
fn started() -> Journey {
    let mut j = asked().text("s").keys("Enter");
    j.effects.clear();
    j
}

#[test]
fn what_is_there_of_a_file_is_gone_on_from() {
    let j = started();
    let first = j.last();
    let j = j.transfer(Transfer::Partial).expect(Effect::Cancel(first));
    assert_ne!(j.last(), first);
    let into = Destination {
        path: "~/Downloads/a.lzh".into(),
        within: None,
        origin: Some(super::journey::url("gopher://h/9/pub/a.lzh")),
        existing: Existing::Ask,
        beginning: Beginning::Keep,
        listed: ListedFile::default(),
        runs: false,
    };
    let effect = Effect::Download { id: j.last(), request: j.fetches.last().unwrap().1.clone(), into };
    let j = j.expect(effect).quiet();
    let mut head = head("gopher://h/9/pub/a.lzh", BINARY);
    (head.length, head.start, head.validator) = (Some(9_800_000), 3_100_000, Some("v1".into()));
    j.event(FetchEvent::Head(Box::new(head)))
        .quiet()
        .transfer(Transfer::Begun(3_100_000, None))
        .notes("resuming at 3.1 MB of 9.8 MB")
        .transfer(Transfer::Done("/home/me/a.lzh".into(), None))
        .notes("saved /home/me/a.lzh");
}

#[test]
fn octets_that_are_given_up_are_told_of() {
    started()
        .transfer(Transfer::Begun(0, Some("the file has changed on the server; begun again".into())))
        .notes("the file has changed on the server; begun again");
}

#[test]
fn what_broke_off_can_go_on_or_begin_anew_or_be_forgotten() {
    let mut whole = head("gopher://h/9/pub/a.lzh", BINARY);
    (whole.length, whole.validator) = (Some(10), Some("v1".into()));
    let broken = || {
        let (j, whole) = (Journey::at(&["9|Archive|/pub/a.lzh"]).keys("d Enter"), whole.clone());
        let mut j = j.event(FetchEvent::Head(Box::new(whole)));
        j.effects.clear();
        j.transfer(Transfer::Cut("The server went away.".into())).notes("went away").keys("D Enter").asks("a.lzh")
    };
    for (key, wanted) in [("g", Beginning::Keep), ("a", Beginning::Drop)] {
        let j = broken().text(key);
        let Some(Effect::Download { into, id, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
        assert_eq!((into.beginning, *id), (wanted, j.last()));
        assert_eq!(j.app.transfers.downloads.len(), 1);
    }
    broken().text("c").quiet().look(|j| assert_eq!(j.app.transfers.downloads.len(), 1));
    broken().text("f").quiet().look(|j| assert!(j.app.transfers.downloads.is_empty()));
}

#[test]
fn where_the_server_cannot_go_on_only_a_new_beginning_is_offered() {
    let j = started().transfer(Transfer::Cut("The server went away.".into())).keys("D Enter").asks("broke off");
    let Some(wayfarer::app::Overlay::Question { choices, .. }) = j.app.hands.overlays().last() else { panic!() };
    assert_eq!(choices.iter().map(|choice| choice.key).collect::<String>(), "afc");
}

#[test]
fn a_retried_file_that_exists_meanwhile_asks_and_goes_back_to_the_queue() {
    let j = started().transfer(Transfer::Cut("Gone.".into())).keys("D Enter").text("a");
    let j = j.transfer(Transfer::Exists("~/Downloads/a.lzh".into())).asks("There is a file");
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Asking);
    let mut j = j;
    j.effects.clear();
    let j = j.text("r");
    assert!(matches!(&j.effects[..], [Effect::Download { into, .. }] if into.existing == Existing::Replace));
}

#[test]
fn the_rate_is_that_of_the_last_seconds() {
    use std::time::Duration;
    let mut pace = Pace::new(1000);
    assert_eq!(pace.rate(), None);
    for second in 1..=20_u64 {
        pace.note(Duration::from_secs(second), 1000 + second * 1_000_000);
    }
    assert_eq!(pace.rate(), Some(1_000_000));
    for second in 21..=30 {
        pace.note(Duration::from_secs(second), 20_001_000);
    }
    assert_eq!(pace.rate(), None, "nothing came for a while");
    let mut busy = Pace::new(0);
    for n in 0..100_000 {
        busy.note(Duration::from_micros(n), n);
    }
    assert!(busy.rate().is_some_and(|rate| (1_000_000..1_020_000).contains(&rate)), "{:?}", busy.rate());
}

#[test]
fn the_status_says_how_far_and_how_long() {
    let mut whole = head("gopher://h/9/pub/a.lzh", BINARY);
    whole.length = Some(4_000_000);
    let j = Journey::at(&["9|Archive|/pub/a.lzh"]).keys("d Enter").event(FetchEvent::Head(Box::new(whole)));
    let j = j.transfer(Transfer::Progress(1_000_000));
    assert_eq!(status::download(&j.app.transfers.downloads[0]), "1.0 MB of 4.0 MB, 25%, 500 kB/s, 6 s left");
    assert_eq!(status::saving(j.app.sight()).as_deref(), Some("saving 25%"));
}

#[test]
fn files_of_the_web_follow_their_redirects_others_do_not() {
    use wayfarer::proto::{Again, Moved};
    let moved = |to: &str| {
        let from = super::journey::url("https://h/a.iso");
        FetchEvent::Moved(Box::new(Moved {
            from,
            to: to.into(),
            status: "302 Found".into(),
            again: Again::Get,
            unkept: false,
        }))
    };
    let asked = || Journey::new().open("gopher://h/").answer(media::MENU, b"hA\tURL:https://h/a.iso\th\t70\r\n.\r\n");
    let j = asked().keys("d").event(moved("https://cdn/x")).expect_fetch("https://cdn/x").keys("Enter").head(BINARY);
    assert!(matches!(j.effects.last(), Some(Effect::Save { into, .. }) if into.path == "~/Downloads/a.iso"));
    let j = j.transfer(Transfer::Cut("Gone.".into())).keys("D Enter").text("a");
    let mut j = j.event(moved("/elsewhere"));
    assert_eq!(j.fetches.last().unwrap().1.url.as_str(), "https://h/elsewhere");
    for _ in 0..30 {
        j = j.event(moved("/elsewhere"));
    }
    j.notes("from one address to the next");
    asked().keys("d").event(moved("ftp://h/a.iso")).notes("elsewhere: ftp://h/a.iso").free();
}

#[test]
fn the_page_of_downloads_is_a_place_that_keeps_up_with_them() {
    let none = Journey::new().open("about:downloads").at_url("about:downloads").shows("There are none. d saves");
    none.quiet();
    let j = Journey::at(&["9|Archive|/pub/a.lzh"]).keys("d Enter").expect_fetch("gopher://h/9/pub/a.lzh");
    let mut head = head("gopher://h/9/pub/a.lzh", BINARY);
    head.length = Some(1000);
    let j = j.event(FetchEvent::Head(Box::new(head))).transfer(Transfer::Begun(0, None));
    let j = j.open("about:downloads").at_url("about:downloads").focus(0).shows("1 download · Enter pause");
    let j = j.transfer(Transfer::Progress(300)).shows("[###-------] 300 B of 1.0 kB, 30%").focus(0);
    let mut j = j.transfer(Transfer::Progress(600)).shows("[######----] 600 B").shows("~/Downloads/a.lzh");
    j.effects.clear();
    // What can be done with it is asked here as in the list.
    let j = j.keys("x").asks("~/Downloads/a.lzh").keys("c").keys("Enter").asks("600 B").keys("p").free();
    let j = j.at_url("about:downloads").shows("stopped").keys("Left").at_url("gopher://h/").keys("L").shows("stopped");
    let j = j.keys("x").shows("There are none.");
    assert!(j.app.transfers.downloads.is_empty());
    // Nobody else's link acts on a download.
    let other = Journey::at(&["9|Archive|/pub/a.lzh"]).keys("d Enter").head(BINARY);
    let other = other.open("about:downloads?number=3").free().at_url("about:downloads?number=3");
    other.shows("1 download");
}

#[test]
fn a_row_of_the_page_of_downloads_opens_no_page_in_a_tab() {
    for command in ["follow-tab", "follow-behind"] {
        let j = Journey::at(&["9|Archive|/pub/a.lzh"]).keys("d Enter").head(BINARY).transfer(Transfer::Begun(0, None));
        let j = j.open("about:downloads").at_url("about:downloads").run(command).asks("~/Downloads/a.lzh");
        assert_eq!(j.app.tab_count(), 1, "{command}");
    }
}

#[test]
fn of_two_downloads_into_one_file_the_row_means_its_own() {
    let j = started().open("about:downloads");
    let row = |j: &Journey| {
        let document = j.app.entry().unwrap().document().unwrap();
        (0..document.link_count())
            .map(|link| document.reference(wayfarer::doc::LinkId(link)).unwrap().to_owned())
            .next()
    };
    let number = j.app.transfers.downloads[0].number.0;
    assert_eq!(row(&j), Some(format!("about:downloads?number={number}")));
}

#[test]
fn what_is_being_saved_already_says_so_when_it_is_asked_for_again() {
    let remark = |j: &Journey| j.app.hands.prompt().unwrap().remark.clone();
    let at = || Journey::at(&["9|Archive|/pub/a.lzh", "9|Other|/pub/b.lzh"]);
    let j = at().keys("d").prompts("save as", "~/Downloads/a.lzh");
    assert!(!remark(&j).contains("already"));
    // Before and after its head has come, and with a name of its own.
    let j = j.keys("Enter d").prompts("save as", "~/Downloads/a-2.lzh");
    assert!(remark(&j).contains("being saved already"));
    let j = j.keys("Esc").free();
    let j = j.keys("Down d").prompts("save as", "~/Downloads/b.lzh");
    assert!(!remark(&j).contains("already"));
}

//! Downloads from one run to the next, and what the list of them offers.

use super::journey::{Journey, head, url};
use wayfarer::app::{DownloadState, Effect, KeptDownload, Manner, Overlay, Remembered, Standing, Transfer, status};
use wayfarer::format::media;
use wayfarer::proto::{FetchEvent, Head};

const BINARY: &str = "application/octet-stream";

fn kept(standing: Standing) -> KeptDownload {
    let (path, url, said) = ("~/Downloads/a.tar".into(), "ftp://h/pub/a.tar".into(), "The server went away.".into());
    let (beside, verified) = (Vec::new(), None);
    KeptDownload {
        path,
        url,
        standing,
        received: 3,
        length: Some(10),
        said,
        again: true,
        folder: false,
        beside,
        verified,
        remarks: Vec::new(),
        manner: Manner::default(),
    }
}

/// The next run.
fn restored(kept: Vec<KeptDownload>) -> Journey {
    let mut j = Journey::at(&["9|Archive|/pub/a.tar"]);
    j.choose(|choices| choices.home_folder = Some("/home/me".into()));
    j.remember(Remembered { downloads: kept, ..Remembered::default() });
    j
}

/// What was kept, in order.
fn words(j: &Journey) -> Vec<(Standing, String)> {
    j.kept.iter().map(|kept| (kept.standing, kept.path.clone())).collect()
}

fn choices(j: &Journey) -> String {
    match j.app.hands.overlays().last() {
        Some(Overlay::Question { choices, .. }) => choices.iter().map(|choice| choice.key).collect(),
        other => panic!("no question: {other:?}"),
    }
}

#[test]
fn a_download_that_a_private_tab_asked_for_is_kept_nowhere_whichever_tab_is_in_view_when_it_answers() {
    let j = Journey::at(&["0|Text|/text"]).run("private gopher://secret/");
    let rows = super::journey::menu("secret", &["9|Archive|/a.tar"]);
    let j = j.answer(media::MENU, &rows).keys("d Enter {").head(BINARY).transfer(Transfer::Begun(0, None));
    assert!(!j.app.tab.private && j.fetches.last().unwrap().1.private);
    let saved = j.effects.iter().find_map(|effect| match effect {
        Effect::Save { into, .. } => Some(into.origin.clone()),
        _ => None,
    });
    assert_eq!((saved, j.kept.len()), (Some(None), 0), "{:?}", j.kept);
}

#[test]
fn what_came_of_a_private_download_is_not_offered_to_be_deleted_as_nothing_tells_whose_it_is() {
    let j = Journey::at(&["0|Text|/text"]).run("private gopher://secret/");
    let rows = super::journey::menu("secret", &["9|Archive|/a.tar"]);
    let j = j.answer(media::MENU, &rows).keys("d Enter {").head(BINARY).transfer(Transfer::Begun(0, None));
    let j = j.transfer(Transfer::Progress(7)).keys("D Enter").asks("What came is kept");
    assert_eq!(choices(&j), "pfc");
    let j = j.text("f");
    assert!(j.app.transfers.downloads.is_empty() && j.kept.is_empty(), "{:?}", j.kept);
}

#[test]
fn each_step_of_a_download_is_kept_once() {
    let mut j = Journey::at(&["9|Archive|/pub/a.tar"]).keys("d Enter").head(BINARY);
    j.choose(|choices| choices.home_folder = Some("/home/me".into()));
    let j = j.transfer(Transfer::Begun(0, None)).transfer(Transfer::Progress(5)).transfer(Transfer::Progress(7));
    let path = || "~/Downloads/a.tar".to_owned();
    assert_eq!(words(&j), [(Standing::Open, path())]);
    // The same name while it comes and when it is there.
    let j = j.transfer(Transfer::Done("/home/me/Downloads/a.tar".into(), None)).notes("saved ~/Downloads/a.tar");
    assert_eq!(words(&j), [(Standing::Open, path()), (Standing::Done, path())]);
    let j = j.keys("D Enter").text("f");
    assert_eq!(words(&j).last(), Some(&(Standing::Forgotten, path())));
    assert!(j.app.transfers.downloads.is_empty());
}

#[test]
fn what_is_not_whole_is_offered_at_the_next_start_and_goes_on() {
    let mut j = restored(vec![kept(Standing::Open)]).notes("1 download of an earlier time is not whole (D)").keys("D");
    let detail = j.app.hands.overlays().last().unwrap().chosen().unwrap().detail.clone();
    assert_eq!(detail, "[###-------] broke off: Wayfarer ended before it was whole.");
    j = j.keys("Enter");
    assert_eq!(choices(&j), "gaxfc");
    let j = j.text("g");
    let Some(Effect::Download { request, into, .. }) =
        j.effects.iter().find(|effect| matches!(effect, Effect::Download { .. }))
    else {
        panic!("{:?}", j.effects)
    };
    assert_eq!((request.url.as_str(), into.path.as_str()), ("ftp://h/pub/a.tar", "~/Downloads/a.tar"));
    assert_eq!(words(&j), [(Standing::Open, "~/Downloads/a.tar".into())]);
    let j = restored(vec![kept(Standing::Failed)]);
    assert_eq!(status::download(&j.app.transfers.downloads[0]), "failed: The server went away.");
}

const LINES: &str = "type=file;size=10; a.tar\r\n";

/// In view of the directory from which the one that is restored came, and of its folder.
fn beside(kept: Vec<KeptDownload>, open: &str) -> Journey {
    restored(kept).run(open).answer(media::DIRECTORY, LINES.as_bytes())
}

fn folder(standing: Standing) -> KeptDownload {
    KeptDownload { url: "ftp://h/pub/".into(), path: "~/Downloads/pub".into(), folder: true, ..kept(standing) }
}

/// The plan of the directory in view, agreed to.
fn plan_agreed(j: Journey) -> Journey {
    let j = j.keys("M-d").expect_fetch("ftp://h/pub/").head(media::DIRECTORY).body(LINES.as_bytes()).end();
    j.keys("Enter")
}

/// After a kill, what was saved once more stood beside what had broken off.
#[test]
fn what_is_saved_once_more_takes_the_place_of_what_broke_off() {
    for standing in [Standing::Open, Standing::Cut, Standing::Failed, Standing::Stopped] {
        let j = beside(vec![kept(standing)], "open ftp://h/pub/").keys("Down d Enter").head(BINARY);
        let j = j.transfer(Transfer::Begun(3, None)).transfer(Transfer::Done("~/Downloads/a.tar".into(), None));
        let [download] = &j.app.transfers.downloads[..] else { panic!("{:?}", j.app.transfers.downloads) };
        assert_eq!(download.state, DownloadState::Done);
        let told: Vec<Standing> = j.kept.iter().map(|kept| kept.standing).collect();
        assert_eq!(told, [Standing::Forgotten, Standing::Open, Standing::Done]);
        let j = plan_agreed(beside(vec![folder(standing)], "open ftp://h/pub/"));
        assert_eq!(j.app.transfers.downloads.len(), 1);
        assert_eq!(j.kept[0].standing, Standing::Forgotten);
    }
}

/// What had come of it could not be deleted any more.
#[test]
fn what_broke_off_stays_when_a_file_from_elsewhere_takes_its_name() {
    let j = restored(vec![kept(Standing::Cut)]).keys("d Enter").head(BINARY).transfer(Transfer::Begun(0, None));
    let j = j.transfer(Transfer::Done("~/Downloads/a.tar".into(), None));
    let urls: Vec<&str> = j.app.transfers.downloads.iter().map(|download| download.url.as_str()).collect();
    assert_eq!(urls, ["ftp://h/pub/a.tar", "gopher://h/9/pub/a.tar"]);
    let told: Vec<&str> = j.kept.iter().map(|kept| &*kept.url).collect();
    assert_eq!(told, ["gopher://h/9/pub/a.tar"; 2], "{:?}", j.kept);
    let j = j.keys("D Down Enter");
    assert_eq!(choices(&j), "gaxfc");
}

/// It was gone from the list, and came back at the next start.
#[test]
fn what_broke_off_stays_when_a_private_tab_saves_the_same() {
    let j = beside(vec![kept(Standing::Cut)], "private ftp://h/pub/").keys("Down d Enter").head(BINARY);
    let j = j.transfer(Transfer::Begun(0, None));
    assert_eq!((j.app.transfers.downloads.len(), j.kept.len()), (2, 0), "{:?}", j.kept);
    let j = plan_agreed(beside(vec![folder(Standing::Cut)], "private ftp://h/pub/"));
    assert_eq!((j.app.transfers.downloads.len(), j.kept.len()), (2, 0), "{:?}", j.kept);
}

#[test]
fn what_is_whole_can_be_opened_shown_and_copied() {
    let open = || restored(vec![kept(Standing::Done)]).open("about:downloads").keys("Enter").asks("done");
    assert_eq!(choices(&open()), "ovdyfc");
    open().text("y").expect(Effect::Copy("/home/me/Downloads/a.tar".into())).quiet();
    open().text("d").expect_fetch("file:///home/me/Downloads/");
    open().text("o").keys("C-u").text("tar tf").keys("Enter").asks("tar tf /home/me/Downloads/a.tar");
}

#[test]
fn a_directory_goes_on_by_being_listed_again() {
    let tree = KeptDownload { url: "ftp://h/pub/".into(), folder: true, ..kept(Standing::Open) };
    let j = restored(vec![tree]).keys("D Enter");
    assert_eq!(choices(&j), "gfc");
    j.text("g").expect_fetch("ftp://h/pub/");
}

#[test]
fn what_was_not_saved_of_a_directory_is_listed_in_the_next_run() {
    let tree = |standing| KeptDownload {
        url: "ftp://h/pub/".into(),
        folder: true,
        remarks: vec!["a.txt: You may not.".into(), "Makefile is saved as makefile-2".into()],
        ..kept(standing)
    };
    for (standing, offered) in [(Standing::Cut, "glfc"), (Standing::Done, "vlsdyfc")] {
        let j = restored(vec![tree(standing)]).keys("D Enter");
        assert_eq!(choices(&j), offered);
        let j = j.text("l");
        assert_eq!(j.over(), "a.txt: You may not.\nMakefile is saved as makefile-2\n");
    }
}

#[test]
fn enter_lets_one_go_on_that_broke_off() {
    let j = restored(vec![kept(Standing::Cut)]).keys("D Enter").asks("broke off").keys("Enter").free();
    assert!(j.app.transfers.downloads[0].state.is_open());
}

#[test]
fn secrets_and_answers_to_forms_are_not_kept() {
    // An answer to a form.
    let page =
        b"<form action=/x method=post><input type=hidden name=p value=secret><input type=submit value=Go></form>";
    let mut j = Journey::new().open("http://h/").answer(media::HTML, page).keys("Enter");
    j = j.event(FetchEvent::Head(Box::new(head("http://h/x", BINARY)))).text("s").keys("Enter");
    let of = |j: &Journey| j.kept.last().expect("something kept").clone();
    assert!(!of(&j).again && !format!("{:?}", of(&j)).contains("secret"), "{:?}", of(&j));
    // A password.
    let file = Head { length: Some(9), ..head("ftp://me:secret@h/a.lzh", BINARY) };
    let j = Journey::new().open("ftp://me:secret@h/a.lzh").event(FetchEvent::Head(Box::new(file)));
    let kept = of(&j.text("s").keys("Enter"));
    assert!(!kept.again && !kept.url.contains("secret"), "{kept:?}");
    assert!(url(&kept.url).password().is_some(), "it is shown that there was one");
    let j = restored(vec![KeptDownload { standing: Standing::Open, ..kept.clone() }]);
    let j = j.keys("D Enter").asks("is not kept");
    assert_eq!(choices(&j), "fc");
    // The same address where the password is hidden already, as in a run that was recorded.
    let file = Head { length: Some(9), ..head(&kept.url, BINARY) };
    let j = Journey::new().open(&kept.url).event(FetchEvent::Head(Box::new(file)));
    assert!(!of(&j.text("s").keys("Enter")).again);
}

#[test]
fn what_runs_can_be_paused_or_forgotten() {
    let running = || Journey::at(&["9|Archive|/pub/a.tar"]).keys("d Enter").head(BINARY).keys("D Enter");
    let j = running();
    assert_eq!(choices(&j), "pfc");
    let id = j.last();
    let j = j.text("p").expect(Effect::Cancel(id));
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Cancelled);
    assert_eq!(words(&j).last().unwrap().0, Standing::Stopped);
    let j = running().text("f");
    assert!(j.app.transfers.downloads.is_empty() && j.effects.contains(&Effect::Cancel(j.last())));
    assert_eq!(words(&j).last().unwrap().0, Standing::Forgotten);
}

#[test]
fn what_came_of_a_download_is_deleted_when_the_reader_says_so() {
    let j = Journey::at(&["9|Archive|/pub/a.tar"]).keys("d Enter").head(BINARY).transfer(Transfer::Begun(0, None));
    let j = j.transfer(Transfer::Progress(7)).keys("D Enter").asks("stays as a.tar.wayfarer-part");
    let id = j.last();
    let j = j.text("x").expect(Effect::Cancel(id)).free().notes("what came of ~/Downloads/a.tar is deleted");
    assert_eq!(words(&j).last(), Some(&(Standing::Dropped, "~/Downloads/a.tar".to_owned())));
    assert!(j.app.transfers.downloads.is_empty());
    // One that broke off earlier, too; not a directory, whose files are whole or not there.
    let j = restored(vec![kept(Standing::Cut)]).keys("D Enter");
    assert_eq!(choices(&j), "gaxfc");
    assert_eq!(words(&j.text("x")).last().unwrap().0, Standing::Dropped);
    let j = restored(vec![KeptDownload { received: 0, ..kept(Standing::Cut) }]).keys("D Enter");
    assert_eq!(choices(&j), "gafc", "nothing came");
}

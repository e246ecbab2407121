//! How many files come at once, and which wait for their turn.

use super::journey::{Journey, head};
use wayfarer::app::{DownloadState, Effect, Msg, Transfer, status};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, Kind, Verdict};

const BINARY: &str = "application/octet-stream";

/// Asks for the links numbered `1 … count` as files, each under the name offered.
fn ask_for(mut j: Journey, count: usize) -> Journey {
    for _ in 0..count {
        j = j.keys("d Enter Down");
    }
    j
}

fn states(j: &Journey) -> String {
    let letter = |d: &wayfarer::app::Download| match d.state {
        DownloadState::Running => 'r',
        DownloadState::Queued => 'q',
        DownloadState::Done => 'd',
        DownloadState::Failed(_) => 'f',
        _ => '?',
    };
    j.app.transfers.downloads.iter().map(letter).collect()
}

#[test]
fn four_at_once_from_a_host_the_others_wait_in_line_and_start_by_themselves() {
    let j = Journey::at(&["9|A|/a", "9|B|/b", "9|C|/c", "9|D|/d", "9|E|/e", "9|F|/f"]);
    let mut j = ask_for(j, 6);
    assert_eq!(j.fetches.len(), 5, "the menu and four files");
    for n in 1..5 {
        let (id, request) = j.fetches[n].clone();
        j = j.event_of(id, FetchEvent::Head(Box::new(head(request.url.as_str(), BINARY))));
    }
    assert_eq!(states(&j), "qqrrrr");
    let texts: Vec<String> = j.app.transfers.downloads.iter().map(|d| status::in_list(j.app.sight(), d)).collect();
    assert_eq!(texts[..2], ["waiting, number 1 in line", "waiting, number 2 in line"]);
    assert_eq!(status::saving(j.app.sight()).as_deref(), Some("saving 4 of 6 files"));
    let first = j.fetches[1].0;
    j.effects.clear();
    let done = Msg::Transfer {
        id: first,
        elapsed: std::time::Duration::from_secs(1),
        transfer: Transfer::Done("/home/me/a".into(), None),
    };
    let j = j.send(done);
    assert!(
        matches!(&j.effects[..], [Effect::Download { into, .. }] if into.path == "~/Downloads/e"),
        "{:?}",
        j.effects
    );
    assert_eq!(states(&j), "rqdrrr");
}

#[test]
fn two_at_a_time_from_an_ftp_server_and_eight_in_all() {
    let menu = b"hA\tURL:ftp://f/a\th\t70\r\nhB\tURL:ftp://f/b\th\t70\r\nhX\tURL:ftp://f/x\th\t70\r\nhC\tURL:ftp://g/c\th\t70\r\n.\r\n";
    let j = ask_for(Journey::new().open("gopher://h/").answer(media::MENU, menu), 4);
    let fetched: Vec<&str> = j.fetches[1..].iter().map(|(_, request)| request.url.as_str()).collect();
    assert_eq!(fetched, ["ftp://f/a", "ftp://f/b", "ftp://g/c"]);
    assert_eq!(states(&j), "q");
    let rows: String = (0..10).map(|n| format!("9F\t/{n}\th{}\t70\r\n", n / 2)).collect();
    let j = ask_for(Journey::new().open("gopher://h/").answer(media::MENU, rows.as_bytes()), 10);
    assert_eq!(j.fetches.len() - 1, 8);
    // A failure makes room as well.
    let first = j.fetches[1].0;
    let j = j.event_of(first, FetchEvent::Failed(FetchError::new(Kind::Refused, "no")));
    assert_eq!((j.fetches.len() - 1, states(&j)), (9, "rq".into()));
}

#[test]
fn two_files_of_one_name_are_offered_two_names() {
    let j = Journey::at(&["9|A|/x/a", "9|A|/y/a"]).keys("d Enter").head(BINARY).keys("Down d");
    j.prompts("save as", "~/Downloads/a-2");
}

#[test]
fn a_question_whose_turn_has_not_come_gives_the_body_back() {
    let menu = b"hA\tURL:ftp://f/a\th\t70\r\nhB\tURL:ftp://f/b\th\t70\r\n.\r\n";
    let mut j = Journey::new();
    j.app.desk.settings.ftp.connections = 1;
    let mut j = j.open("gopher://h/").answer(media::MENU, menu).keys("d Enter Down Enter").head(BINARY);
    j.effects.clear();
    let j = j.text("s").expect_verdict(Verdict::Refuse).keys("Enter").quiet().notes("waits for its turn");
    assert_eq!(states(&j), "q");
}

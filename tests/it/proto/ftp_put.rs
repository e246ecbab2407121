//! Files that go into a directory of an FTP server: looked at first, sent when that was agreed to, and believed when the server says so.

use super::client::{Outcome, context, fetch, request};
use super::ftp_server::{Do, Ftp, say, take, transfer};
use super::server::certificate;
use std::path::PathBuf;
use std::sync::Arc;
use wayfarer::config::FtpTls;

use wayfarer::disk::{Kept, Writer};
use wayfarer::proto::{Begun, Context, Kind, Put, Request, Stage, There};
use wayfarer::url::Url;

/// A folder with a file in it.
struct Here {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn here(octets: impl AsRef<[u8]>) -> Here {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, octets).unwrap();
    Here { _folder: folder, path }
}

fn wish(server: &Ftp, here: &Here, agreed: Option<There>, goes_on: bool) -> Request {
    let path = here.path.to_str().unwrap().to_owned();
    let length = agreed.and_then(|_| Some(std::fs::metadata(&path).ok()?.len()));
    Request { put: Some(Put { path, agreed, length, goes_on }), ..request(&server.url("in/")) }
}

fn put(server: &Ftp, here: &Here, agreed: Option<There>, context: &Context) -> Outcome {
    fetch(&wish(server, here, agreed, false), context)
}

fn features() -> (&'static str, Vec<Do>) {
    ("FEAT", say("211-x\r\n SIZE\r\n REST STREAM\r\n211 End\r\n"))
}

fn nothing() -> Vec<(&'static str, Vec<Do>)> {
    vec![features(), ("SIZE", say("550 no such file\r\n")), ("NLST", transfer("other.txt\r\n"))]
}

/// Takes a file, and has so many octets of it from then on.
fn takes(octets: u64) -> Vec<Do> {
    [take(), vec![Do::Then("SIZE", say(format!("213 {octets}\r\n")))]].concat()
}

fn there(outcome: &Outcome) -> There {
    assert_eq!(outcome.failure().kind, Kind::NeedsConsent, "{}", outcome.words());
    outcome.failure().found.as_ref().unwrap().there
}

#[test]
fn nothing_is_sent_before_it_is_agreed_to() {
    let server = Ftp::start(&nothing());
    let outcome = put(&server, &here("a text\n"), None, &context());
    assert_eq!(there(&outcome), There::Nothing);
    let found = outcome.failure().found.as_ref().unwrap();
    assert_eq!((found.name.as_str(), found.length), ("notes.txt", 7));
    assert!(server.taken().is_empty());
    let commands = server.commands();
    assert_eq!(commands[2..], ["CWD in", "TYPE I", "SIZE notes.txt", "NLST"]);
}

#[test]
fn a_file_goes_there_and_the_listing_tells_what_the_server_has_of_it() {
    let server = Ftp::start(&[nothing(), vec![("STOR", takes(7))]].concat());
    let outcome = put(&server, &here("a text\n"), Some(There::Nothing), &context());
    assert_eq!(server.taken(), b"a text\n");
    let head = outcome.head();
    assert_eq!(head.notices[0], "\"notes.txt\" is there: the server has 7 octets of it, as it should");
    assert!(head.url.as_str().ends_with("/in/") && outcome.text().contains("index.txt"), "{}", outcome.text());
    assert!(outcome.stages.contains(&Stage::Sending(0, 7)), "{:?}", outcome.stages);
    let commands = server.commands();
    let wanted = ["SIZE notes.txt", "NLST", "STOR notes.txt", "SIZE notes.txt", "TYPE A", "LIST"];
    assert_eq!(commands[4..], wanted, "{commands:?}");
}

#[test]
fn nothing_is_written_over_that_was_not_told_of() {
    let over = |seen: &str, listed: &'static str, agreed| {
        let answers = [features(), ("SIZE", say(seen)), ("NLST", transfer(listed)), ("STOR", takes(7))];
        let server = Ftp::start(&answers);
        let outcome = put(&server, &here("a text\n"), agreed, &context());
        (server.taken(), outcome)
    };
    // It came between the question and the answer, or is another by now.
    for agreed in [None, Some(There::Nothing), Some(There::Part(12)), Some(There::Other(Some(11)))] {
        let (taken, outcome) = over("213 12\r\n", "", agreed);
        assert_eq!((taken, there(&outcome)), (Vec::new(), There::Other(Some(12))), "{agreed:?}");
    }
    let (taken, outcome) = over("213 12\r\n", "", Some(There::Other(Some(12))));
    assert_eq!((taken.as_slice(), outcome.failure), (&b"a text\n"[..], None));
    // Of what may not be read servers tell no length, and yet its name.
    for listed in ["x\r\nnotes.txt\r\n", "/in/x\n/in/notes.txt", "./notes.txt\r\n"] {
        let (taken, outcome) = over("550 no\r\n", listed, Some(There::Nothing));
        assert_eq!((taken, there(&outcome)), (Vec::new(), There::Other(None)), "{listed}");
    }
}

#[test]
fn another_file_than_was_agreed_to_is_not_sent() {
    let (here, server) = (here("a text\n"), Ftp::start(&[nothing(), vec![("STOR", takes(7))]].concat()));
    let agreed = wish(&server, &here, Some(There::Nothing), false);
    std::fs::write(&here.path, "a longer text\n").unwrap();
    let outcome = fetch(&agreed, &context());
    assert_eq!(there(&outcome), There::Nothing);
    assert_eq!(outcome.failure().found.as_ref().unwrap().length, 14);
    assert!(server.taken().is_empty());
}

#[test]
fn a_listing_that_breaks_off_tells_nothing() {
    let broken =
        vec![Do::Say("150 here\r\n".into()), Do::Data("a\r\n".into()), Do::EndData, Do::Say("426 no\r\n".into())];
    let server = Ftp::start(&[features(), ("SIZE", say("550 no\r\n")), ("NLST", broken), ("STOR", takes(7))]);
    let outcome = put(&server, &here("a text\n"), Some(There::Nothing), &context());
    assert!(outcome.words().contains("did not say whether"), "{}", outcome.words());
    assert!(server.taken().is_empty());
}

#[test]
fn a_part_of_our_own_is_gone_on_with_and_one_of_others_is_not() {
    let text: Vec<u8> = (0..u8::MAX).cycle().take(300_000).collect();
    let (here, context) = (here(&text), context());
    let breaks = vec![
        Do::Say("150 go ahead\r\n".into()),
        Do::TakeSome(100_000),
        Do::EndData,
        Do::Say("426 the disk is full\r\n".into()),
        Do::Then("SIZE", say("213 100000\r\n")),
        Do::Then("REST", say("350 go on\r\n")),
        Do::Then("STOR", takes(300_000)),
    ];
    let first = [nothing(), vec![("STOR", breaks)]].concat();
    let again = || {
        let there = ("SIZE", say("213 100000\r\n"));
        vec![features(), there, ("REST", say("350 go on\r\n")), ("STOR", takes(300_000))]
    };
    let server = Ftp::several(&[&first, &again(), &again()]);
    let outcome = put(&server, &here, Some(There::Nothing), &context);
    assert!(outcome.words().contains("has not arrived whole: "), "{}", outcome.words());
    // A private tab does not know of it; on another server it is another file.
    let other = There::Other(Some(100_000));
    let agreed = Some(There::Part(100_000));
    assert_eq!(there(&put(&server, &here, agreed, &self::context())), other);
    let stranger = Ftp::start(&again());
    assert_eq!(there(&put(&stranger, &here, agreed, &context)), other);
    let taken = server.taken().len();
    let outcome = fetch(&wish(&server, &here, agreed, true), &context);
    assert_eq!(outcome.failure, None);
    assert!(server.taken()[taken..] == text[100_000..], "{} octets", server.taken().len() - taken);
    assert!(server.all_commands().windows(2).any(|two| two == ["REST 100000", "STOR notes.txt"]));
}

/// The program has ended since it broke off.
#[test]
fn what_an_earlier_run_sent_is_gone_on_with() {
    let text: Vec<u8> = (0..u8::MAX).cycle().take(300_000).collect();
    let (here, folder) = (here(&text), tempfile::tempdir().unwrap());
    let file = folder.path().join("uploads");
    let run = || {
        let writer = Arc::new(Writer::new(|sentence| panic!("{sentence}")).unwrap());
        let begun = Begun::new(Some(Kept { file: file.clone(), writer: Arc::clone(&writer) }));
        (Context { begun, ..context() }, writer)
    };
    let breaks = [vec![Do::Say("150 go\r\n".into()), Do::TakeSome(100_000), Do::EndData], say("426 no\r\n")].concat();
    let first = [nothing(), vec![("STOR", breaks)]].concat();
    let again = [features(), ("SIZE", say("213 100000\r\n")), ("REST", say("350 go\r\n")), ("STOR", takes(300_000))];
    let server = Ftp::several(&[&first, &again, &again, &again, &again, &again, &again]);
    let wish = |agreed, goes_on| {
        let wish = wish(&server, &here, agreed, goes_on);
        let secret = wish.url.as_str().replace("ftp://", "ftp://joe:s3cret@");
        Request { url: Url::parse(&secret).unwrap(), ..wish }
    };
    let (one, writer) = run();
    assert!(fetch(&wish(Some(There::Nothing), false), &one).failure.is_some());
    assert!(writer.finish().is_empty());
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("joe@") && !kept.contains("s3cret"), "{kept}");
    // That of another copy that runs is its own, and one that has ended left it.
    let by = |run: &str| {
        let own = format!("\t{}\t", std::process::id());
        std::fs::write(&file, kept.replace(&own, &format!("\t{run}\t"))).unwrap();
    };
    let (other, part) = (There::Other(Some(100_000)), There::Part(100_000));
    by("1");
    assert_eq!(there(&fetch(&wish(None, false), &run().0)), other);
    by("4194305");
    assert_eq!(there(&fetch(&wish(None, false), &run().0)), part);
    std::fs::write(&file, &kept).unwrap();
    // No other file of that name is meant.
    let (two, writer) = run();
    assert_eq!(there(&fetch(&wish(None, false), &two)), part);
    assert_eq!(there(&fetch(&wish(None, false), &context())), other);
    let taken = server.taken().len();
    assert_eq!(fetch(&wish(Some(part), true), &two).failure, None);
    assert!(server.taken()[taken..] == text[100_000..]);
    assert!(writer.finish().is_empty());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# wayfarer uploads 1\n");
}

#[test]
fn a_short_file_that_a_server_says_it_has_got_is_gone_on_with() {
    let (here, context) = (here("a text that is sent\n"), context());
    let first = [nothing(), vec![("STOR", takes(5))]].concat();
    let server = Ftp::several(&[&first, &[features(), ("SIZE", say("213 5\r\n"))]]);
    let outcome = put(&server, &here, Some(There::Nothing), &context);
    assert!(outcome.words().contains("has recorded 5 octets") && outcome.words().contains(":put goes on with it."));
    assert_eq!(there(&put(&server, &here, None, &context)), There::Part(5));
    // A longer one is another one.
    let first = [nothing(), vec![("STOR", takes(50))]].concat();
    let server = Ftp::several(&[&first, &[features(), ("SIZE", say("213 50\r\n"))]]);
    let outcome = put(&server, &here, Some(There::Nothing), &context);
    assert!(outcome.words().contains("send it anew"), "{}", outcome.words());
    assert_eq!(there(&put(&server, &here, None, &context)), There::Other(Some(50)));
}

#[test]
fn a_part_is_gone_on_with_behind_it_where_a_server_cannot_begin_there() {
    let (here, context) = (here("a text that is sent\n"), context());
    let breaks = [vec![Do::Say("150 go\r\n".into()), Do::TakeSome(5), Do::EndData], say("426 no\r\n")].concat();
    let first = [nothing(), vec![("STOR", breaks)]].concat();
    let then = [("FEAT", say("211-x\r\n SIZE\r\n211 End\r\n")), ("SIZE", say("213 5\r\n")), ("APPE", takes(20))];
    let server = Ftp::several(&[&first, &then]);
    assert!(put(&server, &here, Some(There::Nothing), &context).failure.is_some());
    let outcome = fetch(&wish(&server, &here, Some(There::Part(5)), true), &context);
    assert_eq!((outcome.failure, server.taken().as_slice()), (None, &b"a text that is sent\n"[..]));
}

#[test]
fn what_arrives_otherwise_than_it_was_sent_is_told() {
    let server = Ftp::start(&[nothing(), vec![("STOR", takes(5))]].concat());
    let outcome = put(&server, &here("a text\n"), Some(There::Nothing), &context());
    assert!(outcome.words().contains("has recorded 5 octets of \"notes.txt\", and 7 were sent"), "{}", outcome.words());
    // The word comes after the octets.
    let full = [take()[..3].to_vec(), say("452 disk full\r\n")].concat();
    let server = Ftp::start(&[nothing(), vec![("STOR", full)]].concat());
    let outcome = put(&server, &here("a text\n"), Some(There::Nothing), &context());
    assert!(outcome.words().contains("not complete: 452 disk full"), "{}", outcome.words());
    for refusal in ["553 permission denied\r\n", "550 no\r\n", "502 what?\r\n"] {
        let server = Ftp::start(&[nothing(), vec![("STOR", say(refusal))]].concat());
        let outcome = put(&server, &here("a text\n"), Some(There::Nothing), &context());
        assert!(outcome.words().contains("does not take \"notes.txt\""), "{}", outcome.words());
    }
}

#[test]
fn a_directory_that_shows_nothing_takes_files_all_the_same() {
    let closed = [("NLST", say("550 no\r\n")), ("LIST", say("550 Permission denied\r\n"))];
    let answers = [vec![("FEAT", say("211 none\r\n"))], closed.to_vec(), vec![("STOR", take())]].concat();
    let server = Ftp::start(&answers);
    // Nobody can see what is there: that is no word that nothing is.
    let outcome = put(&server, &here("a text\n"), Some(There::Nothing), &context());
    assert_eq!(outcome.failure().found.clone().unwrap().there, There::Untold);
    let server = Ftp::start(&answers);
    let outcome = put(&server, &here("a text\n"), Some(There::Untold), &context());
    let nothing = outcome.head().nothing.clone().unwrap();
    assert!(nothing.starts_with("\"notes.txt\" is there, the server says"), "{nothing}");
    assert_eq!(server.taken(), b"a text\n");
}

#[test]
fn what_is_no_file_is_not_sent_and_no_server_is_asked() {
    // Nobody is called: there are no stages.
    let server = Ftp::start(&nothing());
    let here = here("a text\n");
    let folder = Here { path: here.path.parent().unwrap().to_owned(), _folder: tempfile::tempdir().unwrap() };
    let gone = Here { path: here.path.with_file_name("gone"), _folder: tempfile::tempdir().unwrap() };
    for here in [&folder, &gone] {
        let outcome = put(&server, here, Some(There::Nothing), &context());
        assert!(outcome.words().starts_with("Nothing was sent: ") && outcome.stages.is_empty(), "{}", outcome.words());
    }
    let line = Here { path: here.path.with_file_name("a\r\nDELE b"), _folder: tempfile::tempdir().unwrap() };
    std::fs::write(&line.path, "x").unwrap();
    let outcome = put(&server, &line, Some(There::Nothing), &context());
    assert_eq!((outcome.failure().kind, outcome.stages.len()), (Kind::Unsafe, 0));
}

#[test]
fn over_tls_it_goes_over_tls() {
    let mut context = context();
    context.ftp.tls = FtpTls::Always;
    let secured = vec![Do::Say("234 now\r\n".into()), Do::Secure];
    let answers = [nothing(), vec![("AUTH", secured), ("STOR", takes(7))]].concat();
    let server = Ftp::secure(&answers, certificate());
    let outcome = put(&server, &here("a text\n"), Some(There::Nothing), &context);
    assert_eq!((outcome.failure, server.taken().as_slice()), (None, &b"a text\n"[..]));
}

#[test]
fn the_old_file_that_a_server_has_until_the_new_one_is_whole_is_no_part_of_it() {
    let text: Vec<u8> = (0..u8::MAX).cycle().take(300_000).collect();
    let (here, context) = (here(&text), context());
    // What came goes into a file of another name, which is thrown away.
    let breaks = [vec![Do::Say("150 go\r\n".into()), Do::TakeSome(100_000), Do::EndData], say("426 no\r\n")].concat();
    let first = [features(), ("SIZE", say("213 12\r\n")), ("STOR", breaks)];
    let server = Ftp::several(&[&first, &[features(), ("SIZE", say("213 12\r\n"))]]);
    let agreed = There::Other(Some(12));
    assert!(put(&server, &here, Some(agreed), &context).failure.is_some());
    assert_eq!(there(&put(&server, &here, None, &context)), agreed);
}

//! SFTP by somebody who plays `ssh`.

use super::client::{Outcome, fetch, fetch_all};
use super::sftp_server::{Lie, Node, Server};
use std::time::Duration;
use wayfarer::proto::{Context, Kind, Request, Resume};
use wayfarer::url::Url;

const FILE: u32 = 0o100_644;

fn request(url: &str) -> Request {
    Request::new(Url::parse(url).unwrap())
}

fn context(server: &Server) -> Context {
    let mut context = Context { ssh: server.ssh.clone(), ..Context::default() };
    context.limits.silence = Duration::from_secs(30);
    context
}

fn long() -> Vec<u8> {
    (0..200_000_u32).flat_map(|number| number.to_be_bytes()).collect()
}

fn tree() -> Vec<(&'static str, Node)> {
    let entries = vec![
        (b".".to_vec(), 0o040_755, 0),
        (b"..".to_vec(), 0o040_755, 0),
        (b"b".to_vec(), 0o040_755, 0),
        (b"a b.txt".to_vec(), FILE, 6),
        (b"caf\xE9".to_vec(), FILE, 1),
        (b"link".to_vec(), 0o120_777, 1),
        (b"pipe".to_vec(), 0o010_644, 0),
        (b"two\nlines".to_vec(), FILE, 1),
        (b"../../etc".to_vec(), FILE, 1),
    ];
    vec![
        ("/home/joe", Node::Directory(entries)),
        ("/home/joe/link", Node::Link(b"a b.txt".to_vec())),
        ("/home/joe/a b.txt", Node::File(b"hello\n".to_vec())),
        ("/home/joe/long", Node::File(long())),
        ("/home/joe/nothing", Node::File(Vec::new())),
        ("/empty", Node::Directory(Vec::new())),
    ]
}

fn get(url: &str, lie: Lie) -> Outcome {
    fetch(&request(url), &context(&Server::start(&tree(), lie)))
}

#[test]
fn a_directory_is_the_listing_that_ftp_would_send() {
    let outcome = get("sftp://h/home/joe", Lie::None);
    let lines = "type=dir;modify=20010909014640;UNIX.mode=0755; b\r\n\
                 type=file;size=6;modify=20010909014640;UNIX.mode=0644; a b.txt\r\n\
                 type=file;size=1;modify=20010909014640;UNIX.mode=0644; caf\u{FFFD}\r\n\
                 type=OS.unix=slink:a b.txt;modify=20010909014640;UNIX.mode=0777; link\r\n\
                 type=OS.unix=special;modify=20010909014640;UNIX.mode=0644; pipe\r\n";
    assert_eq!(outcome.text(), lines);
    assert_eq!(outcome.head().url.as_str(), "sftp://h/home/joe/");
    assert_eq!(
        outcome.cut(),
        Some("2 names that no file can have here are left out (empty, or with a line break, a slash or a NUL)")
    );
    let outcome = get("sftp://h/empty/", Lie::None);
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("", None));
}

#[test]
fn the_readers_own_directory_has_an_address() {
    for url in ["sftp://h", "sftp://h/~", "sftp://h/~/"] {
        let outcome = get(url, Lie::None);
        assert_eq!(outcome.head().url.as_str(), "sftp://h/home/joe/", "{url}");
    }
}

#[test]
fn a_file_comes_whole_however_it_is_cut() {
    for lie in [Lie::None, Lie::Crossed] {
        let outcome = get("sftp://h/home/joe/long", lie);
        assert!(outcome.body == long() && outcome.cut().is_none(), "{lie:?}: {} octets", outcome.body.len());
        assert_eq!((outcome.head().length, outcome.head().filename.as_deref()), (Some(800_000), Some("long")));
    }
    assert_eq!(get("sftp://h/home/joe/a%20b.txt", Lie::Short).text(), "hello\n");
    assert_eq!(get("sftp://h/home/joe/nothing", Lie::None).text(), "");
}

#[test]
fn a_file_goes_on_where_it_was_left() {
    let server = Server::start(&tree(), Lie::None);
    let validator = fetch(&request("sftp://h/home/joe/long"), &context(&server)).head().validator.clone().unwrap();
    let resume = Some(Resume { from: 700_000, validator, as_listed: false });
    let rest = fetch(&Request { resume, ..request("sftp://h/home/joe/long") }, &context(&server));
    assert!(rest.head().start == 700_000 && rest.body == long()[700_000..]);
    let resume = Some(Resume { from: 700_000, validator: "size=1".into(), as_listed: false });
    let anew = fetch(&Request { resume, ..request("sftp://h/home/joe/long") }, &context(&server));
    assert!(anew.head().start == 0 && anew.body == long());
}

#[test]
fn one_run_of_ssh_serves_visit_after_visit_and_asks_nothing() {
    let server = Server::start(&tree(), Lie::None);
    let urls = ["sftp://h/empty/", "sftp://h/home/joe/", "sftp://h/none", "sftp://h/home/joe/long", "sftp://joe@h/"];
    let outcomes = fetch_all(&urls.map(request), &context(&server));
    assert!(outcomes[3].body == long());
    let runs = server.runs.lock().unwrap();
    let own = |run: &Vec<String>| run.iter().skip_while(|word| *word != "-l" && *word != "-s").cloned().collect();
    let own: Vec<Vec<String>> = runs.iter().map(own).collect();
    assert_eq!(own, [vec!["-s", "--", "h", "sftp"], vec!["-l", "joe", "-s", "--", "h", "sftp"]]);
    for word in ["BatchMode=yes", "PermitLocalCommand=no", "ClearAllForwardings=yes", "-a", "-x", "-T"] {
        assert!(runs.iter().all(|run| run.iter().any(|given| given == word)), "{word}: {runs:?}");
    }
}

#[test]
fn a_run_that_has_ended_meanwhile_is_begun_anew() {
    let server = Server::start(&tree(), Lie::EndsLater);
    let outcomes = fetch_all(&["sftp://h/empty/", "sftp://h/empty/"].map(request), &context(&server));
    assert!(outcomes.iter().all(|outcome| outcome.failure.is_none()), "{:?}", outcomes[1].failure);
    assert_eq!(server.runs.lock().unwrap().len(), 2);
}

#[test]
fn what_goes_wrong_is_told() {
    for (url, lie, kind, words) in [
        ("sftp://h/none", Lie::None, Kind::NotFound, "There is no /none."),
        ("sftp://h/secret", Lie::None, Kind::Denied, "You may not read /secret."),
        ("sftp://h/empty/", Lie::Words, Kind::Malformed, "something that is no SFTP (it begins with \"Welc\")"),
        ("sftp://h/empty/", Lie::Complains(""), Kind::Broken, "ended before anything came"),
        ("sftp://h/empty/", Lie::Complains("u@h: Permission denied (publickey).\n"), Kind::Denied, "by the keys"),
        ("sftp://h/empty/", Lie::Complains("Host key verification failed.\n"), Kind::Secure, "does not know the key"),
        ("sftp://h/empty/", Lie::Other, Kind::Malformed, "makes no sense"),
        ("sftp://u:secret@h/", Lie::None, Kind::Unsafe, "no password"),
    ] {
        let outcome = get(url, lie);
        let failure = outcome.failure();
        assert_eq!(failure.kind, kind, "{url} {lie:?}: {failure:?}");
        assert!(failure.detail.contains(words), "{url} {lie:?}: {failure:?}");
    }
    let server = Server::start(&tree(), Lie::Silent);
    let mut context = context(&server);
    context.limits.silence = Duration::from_millis(50);
    assert_eq!(fetch(&request("sftp://h/empty/"), &context).failure().kind, Kind::TimedOut);
    let outcome = get("sftp://h/empty/", Lie::Lists);
    assert!(outcome.words().contains("one nothing after another"), "{}", outcome.words());
    let outcome = get("sftp://h/home/joe/long", Lie::Ends);
    assert!(outcome.body == long()[..32 * 1024]);
    let cut = outcome.cut().unwrap();
    assert!(cut.starts_with("32768 of 800000 octets came: ssh lost the connection"), "{cut}");
}

#[test]
fn nobody_starts_ssh_where_no_programs_are_allowed() {
    let outcome = fetch(&request("sftp://h/"), &Context::default());
    assert_eq!(outcome.failure().kind, Kind::Unsafe);
    assert!(outcome.words().contains("--safe"), "{}", outcome.words());
}

//! What was read stays: servers that have gone, no network, reading later, searching.

use crate::server::{Server, whole};
use crate::terminal::Terminal;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

fn start(home: &Path, arguments: &[&str]) -> Terminal {
    std::fs::create_dir_all(home.join(".local/state/wayfarer")).unwrap();
    Terminal::start_with(arguments, 80, 24, &[("HOME", home.to_str().unwrap()), ("TZ", "UTC")])
}

fn space() -> Server {
    let mut menu =
        String::from("0A text\t/text\t127.0.0.1\t{port}\r\n0Unseen lighthouse\t/other\t127.0.0.1\t{port}\r\n");
    menu += "0A third\t/third\t127.0.0.1\t{port}\r\n.\r\n";
    // Longer than what is kept of a page in view.
    let other = format!("a beam of light\r\n{}", "and so on, all night\r\n".repeat(100_000));
    let answers = [("", menu), ("/text", "all of the text\r\n".into()), ("/other", other)];
    let answers = answers.into_iter().chain([("/third", "the third one\r\n".into())]);
    Server::start(answers.map(|(selector, text)| (selector, whole(text))).collect())
}

#[test]
fn what_was_read_is_read_again_when_its_server_has_gone() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let url = server.url("1");
    let mut terminal = start(home.path(), &["--no-session", &url]);
    terminal.see("A text").keys("1\r").see("all of the text").keys("q").end();
    drop(server);

    // The failure offers the copy, and the bar says what it is.
    let mut terminal = start(home.path(), &["--no-session", &url]);
    terminal
        .see("tried")
        .see("the copy that was kept")
        .see_no("A text")
        .keys("\t\r")
        .see("A text")
        .see("kept just now");
    terminal.keys("1\r").see("tried").see("the copy that was kept").keys(":kept\r").see("all of the text");
    terminal.see("kept just now").keys("q").end();

    // Nobody is asked at all.
    let mut terminal = start(home.path(), &["--no-session", "--offline", &url]);
    terminal.see("A text").see("offline").see("kept just now").keys("1\r").see("all of the text");
    terminal
        .keys("h2\r")
        .see("No copy of this page is kept")
        .see("While you are offline")
        .keys("h:offline\r")
        .see("online: ");
    terminal.keys("2\r").see("tried").see_no("the copy that was kept").keys("q").end();
}

#[test]
fn words_are_found_in_what_was_read_and_in_names_that_were_seen() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &["--no-session", &server.url("1")]);
    terminal
        .see("A text")
        .keys("1\r")
        .see("all of the text")
        .keys(":search text\r")
        .see("Pages")
        .see("all of the text");
    terminal.see("Items of menus").see("just now");
    terminal.keys(":search lighthouse\r").see("Unseen lighthouse").keys("\t\r").see("a beam of light");
    terminal.keys("g? light\r").see("Unseen lighthouse").see_no("Nothing that is kept");
    terminal.keys(":search lig\r").see("Nothing that is kept has these words").see("no beginning of longer words: lig");
    terminal.keys(":search nowhere\r").see("Nothing that is kept has these words").see_no("no beginning");
    terminal.keys("q").end();
}

#[test]
fn pages_are_put_by_and_read_in_order() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let url = server.url("1");
    let mut terminal = start(home.path(), &["--no-session", &url]);
    terminal.see("A text").keys("1\r").see("all of the text").keys("\x1ba").see("put by");
    terminal.keys("h").see("▸A text").keys("\t").focused("Unseen").keys("\x1bA").see("put by");
    // The menu has the same names.
    terminal.keys(":open about:later\r").see("about:later").see("To read later").see("Unseen lighthouse");
    // Its page comes meanwhile.
    let is_here = (0..200).any(|_| {
        terminal.keys("R").keys("=").see("─ Anatomy").keys("\x1b").see_no("─ Anatomy");
        let screen = terminal.see("To read later").see("Unseen lighthouse").screen();
        screen.contains("To read later") && !screen.contains("no copy yet")
    });
    assert!(is_here, "{}", terminal.screen());
    terminal.keys("q").end();
    drop(server);

    let mut terminal = start(home.path(), &["--no-session", "--offline", "about:later"]);
    terminal.see("Unseen lighthouse").keys("\x1bo").see("all of the text").keys("\x1bo").see("a beam of light");
    terminal.keys("\x1bo").see("Nothing is put by").keys("h").see("a beam of light").keys("\x1ba").see("put by");
    terminal.keys(":open about:later\r").see("/0/other").keys("q").end();
}

#[test]
fn what_a_page_links_to_on_its_host_is_kept_where_that_is_asked_for_and_nothing_else() {
    let other = Server::start(vec![("/far", whole("far away\r\n"))]);
    let mut menu = String::from("0Text\t/text\t127.0.0.1\t{port}\r\n0Again\t/text\t127.0.0.1\t{port}\r\n");
    menu += "1Folder\t/folder\t127.0.0.1\t{port}\r\n0Gone\t/gone\t127.0.0.1\t{port}\r\n";
    menu += "7Ask\t/ask\t127.0.0.1\t{port}\r\nhRun\tURL:about:new?check\t127.0.0.1\t{port}\r\n";
    menu += &format!("hFar\tURL:{}\t127.0.0.1\t{{port}}\r\n.\r\n", other.url("0/far"));
    let folder = "0Deep\t/deep\t127.0.0.1\t{port}\r\n.\r\n";
    let answers = [("", menu), ("/text", "all of the text\r\n".into()), ("/folder", folder.into())];
    let answers = answers.into_iter().chain([("/ask", String::new()), ("/deep", "deeper\r\n".into())]);
    let server = Server::start(answers.map(|(selector, text)| (selector, whole(text))).collect());
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &["--no-session", &server.url("1")]);
    terminal.see("Folder").keys(":later links\r").see("what it links to on its host is being fetched");
    terminal.see("kept for later: 2 pages; could not be had: gopher://127.0.0.1").keys(":open about:later\r");
    terminal.see("Could not be had").see("/0/gone").see("Nothing of this name here");
    let mut asked = server.asked();
    asked.sort_unstable();
    assert_eq!(asked, ["", "/folder", "/gone", "/text"]);
    assert_eq!(other.asked(), [""; 0]);
    terminal.keys("q").end();
    drop(server);

    let mut terminal = start(home.path(), &["--no-session", "--offline", "about:later"]);
    terminal.keys("\x1bo").see("Folder").keys("1\r").see("all of the text").keys("h3\r").see("Deep").keys("1\r");
    terminal.see("No copy of this page").keys("hh:later links\r").see("is fetched when you are online again");
    terminal.keys("q").end();
}

#[test]
fn what_was_put_by_offline_is_fetched_when_one_is_online_again_and_at_the_next_start() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let url = server.url("1");
    start(home.path(), &["--no-session", &url]).see("A text").keys("q").end();
    let mut terminal = start(home.path(), &["--no-session", "--offline", &url]);
    terminal.see("A text").keys("\t").focused("Unseen").keys("\x1bA").see("fetched when you are online again");
    terminal.keys("\t").focused("A third").keys("\x1bA").see("fetched when you are online again");
    assert_eq!(server.asked(), [""]);
    terminal.keys(":offline\r").see("kept for later: 2 pages").keys(":open about:later\r").see("Unseen");
    terminal.see_no("no copy yet");
    assert_eq!(server.asked(), ["", "/other", "/third"]);
    terminal.keys(":offline\r").see("offline: ");
    server.answer("/text", whole("all of the text\r\n"));
    terminal
        .keys(&format!("g{url}\r"))
        .see("kept just now")
        .focused("A text")
        .keys("\x1bA")
        .see("fetched when")
        .keys("q")
        .end();

    // What answers nobody is told once, and nothing asks while one is offline.
    let mut terminal = start(home.path(), &["--no-session", "--offline", "about:later"]);
    terminal.see("A text").see("no copy yet").keys("q").end();
    assert_eq!(server.asked(), ["", "/other", "/third"]);
    let mut terminal = start(home.path(), &["--no-session", "about:later"]);
    terminal.see("To read later").see("A text");
    until(&mut terminal, |screen| screen.contains("To read later") && !screen.contains("no copy yet"));
    terminal.keys("q").end();
    assert_eq!(server.asked(), ["", "/other", "/third", "/text"]);
}

#[test]
fn what_a_page_links_to_is_fetched_to_the_end_however_often_one_quits() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &["--no-session", &server.url("1")]);
    terminal.see("Unseen").keys(":later links\r").see("is being fetched").keys("Q").end();
    let mut terminal = start(home.path(), &["--no-session", "about:home"]);
    terminal.see("kept for later: ").keys("q").end();
    let mut asked = server.asked();
    asked.sort_unstable();
    asked.dedup();
    assert_eq!(asked, ["", "/other", "/text", "/third"]);
    drop(server);
    let mut terminal = start(home.path(), &["--no-session", "--offline", "about:later"]);
    terminal.see("127.0.0.1").see_no("yet to be fetched").keys("\x1bo").see("third").keys("3\r").see("the third one");
    terminal.keys("q").end();
}

/// A feed whose end was missing was fetched once a second, for ever.
#[test]
fn what_came_and_cannot_be_kept_is_asked_for_once_and_said_to_be_so() {
    let feed = "<rss version='2.0'><channel><title>A feed</title><item><title>One</title></item>";
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/rss+xml\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{feed}",
        feed.len()
    );
    let asked = Arc::new(Mutex::new(0));
    let port = counting(answer, &asked);
    let home = tempfile::tempdir().unwrap();
    put_by(home.path(), &[&format!("http://127.0.0.1:{port}/feed"), &format!("http://127.0.0.1:{port}/other")], "page");
    let mut terminal = start(home.path(), &["--no-session", "about:later"]);
    terminal.see("kept for later: 0 pages; could not be had: ").keys("R").see("To read later").keys("q").end();
    assert_eq!(*asked.lock().unwrap(), 2, "each once");
}

/// What was put by put out what was put by, and was fetched again, for ever.
#[test]
fn what_gives_way_to_others_is_not_fetched_again() {
    let noise: String = (0_u64..30_000).map(|n| format!("{:x}\n", n.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{noise}",
        noise.len()
    );
    let asked = Arc::new(Mutex::new(0));
    let port = counting(answer, &asked);
    let home = tempfile::tempdir().unwrap();
    let all: Vec<String> = (0..5).map(|n| format!("http://127.0.0.1:{port}/p{n}")).collect();
    put_by(home.path(), &all.iter().map(String::as_str).collect::<Vec<_>>(), "page");
    let mut terminal = start(home.path(), &["--no-session", "-o", "store.size=2MiB", "about:later"]);
    terminal.see("could not be had: ").see("(about:later says why)").keys("R").see("gave way to others");
    terminal.keys("q").end();
    assert_eq!(*asked.lock().unwrap(), 5, "each once");
}

/// Where nothing is kept a processor was at work for ever.
#[test]
fn where_nothing_is_kept_nothing_is_fetched_for_later() {
    let asked = Arc::new(Mutex::new(0));
    let port = counting("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".into(), &asked);
    let home = tempfile::tempdir().unwrap();
    put_by(home.path(), &[&format!("http://127.0.0.1:{port}/p")], "links");
    let mut terminal = start(home.path(), &["--no-session", "-o", "store.size=0", "about:later"]);
    terminal.see("To read later").keys(":offline\r").see("offline: ").keys(":offline\r").see("online: ");
    terminal.keys("R").see("To read later").keys("q").end();
    assert_eq!(*asked.lock().unwrap(), 0);
}

/// What stands on the list of what was put by.
fn put_by(home: &Path, urls: &[&str], wanted: &str) {
    let folder = home.join(".local/share/wayfarer");
    std::fs::create_dir_all(&folder).unwrap();
    let wanted = if wanted == "links" { "\tlinks" } else { "" };
    let rows: String = urls.iter().map(|url| format!("1700000000\t{url}\tA page{wanted}\n")).collect();
    std::fs::write(folder.join("later"), rows).unwrap();
}

/// A server of the web that always answers the same, and counts how often.
fn counting(answer: String, asked: &Arc<Mutex<usize>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, asked) = (listener.local_addr().unwrap().port(), Arc::clone(asked));
    std::thread::spawn(move || {
        while let Ok((visitor, _)) = listener.accept() {
            let head = BufReader::new(&visitor).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            if head.count() > 0 {
                *asked.lock().unwrap() += 1;
                let _ = (&visitor).write_all(answer.as_bytes());
            }
        }
    });
    port
}

#[test]
fn nothing_of_a_private_tab_or_of_a_safe_run_is_kept() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let url = server.url("1");
    let mut terminal = start(home.path(), &["--no-session", "about:home"]);
    terminal.see("Wayfarer").keys(&format!(":private {url}\r")).see("A text").keys("1\r").see("all of the text");
    terminal.keys("\x1ba").see("nothing of a private tab is kept").keys("Q").end();
    let mut terminal = start(home.path(), &["--no-session", "--safe", &url]);
    terminal.see("A text").keys("\x1ba").see("nothing is kept").keys("Q").end();
    let file = home.path().join(".local/share/wayfarer/pages.db");
    let kept = std::fs::read(&file).unwrap_or_default();
    assert!(!String::from_utf8_lossy(&kept).contains("/text"));
}

/// A page of somebody else's cannot ask for copies, and what it would change of what is put by is asked about.
#[test]
fn a_page_from_the_network_has_no_hand_in_what_is_kept() {
    let menu = "hTake it\tURL:about:later?drop=gopher://h/\th\t70\r\nhA copy\tURL:about:store?copy\th\t70\r\n.\r\n";
    let (server, home) = (Server::start(vec![("", whole(menu))]), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &["--no-session", &server.url("1")]);
    terminal.see("Take it").keys("1\r").see("Take gopher://h/ out of what you read later?").keys("n").see("Take it");
    terminal.keys("2\r").see("Kept pages").keys("q").end();
}

/// How long any file of a program may get: none is a disk without any room.
fn room(terminal: &Terminal, most: Option<u64>) {
    let id = Pid::from_raw(terminal.id().cast_signed()).unwrap();
    prlimit(Some(id), Resource::Fsize, Rlimit { current: most, maximum: None }).unwrap();
}

/// A line of the list fits yet, a page does not.
#[test]
fn on_a_nearly_full_disk_it_is_said_that_no_copy_is_kept() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &["--no-session", &server.url("0/text")]);
    terminal.see("all of the text").keys("\x1ba").see("put by, to be read later");
    room(&terminal, Some(1024));
    terminal.keys(&format!("g{}\r", server.url("0/third"))).see("the third one").see("are not kept");
    terminal.keys("\x1ba").see("Put by, but no copy of it is kept: ").see_no("to be read later");
    // A link is fetched, and then it is known.
    terminal.keys(&format!("g{}\r", server.url("1"))).see("▸A text").keys("\t").focused("Unseen").keys("\x1bA");
    terminal.see("Put by, but no copy of it is kept: ");
    room(&terminal, None);
    terminal.keys(&format!("g{}\r", server.url("0/third"))).see("the third one");
    // The page is read before its copy is on the disk.
    let is_put = (0..200).any(|_| {
        terminal.keys("\x1ba").see_that("what came of it", |screen| screen.contains("ut by, "));
        let put = terminal.screen().contains("put by, to be read later");
        terminal.keys("g").see("open:").keys("\x1b").see_no("open:");
        put
    });
    assert!(is_put);
    terminal.keys("Q").end();
}

#[test]
fn on_a_full_disk_nothing_is_said_to_be_put_by_that_is_not() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &["--no-session", &server.url("0/text")]);
    terminal.see("all of the text").keys("\x1ba").see("put by, to be read later");
    room(&terminal, Some(0));
    terminal.keys(&format!("g{}\r", server.url("0/other"))).see("a beam of light");
    terminal.keys("\x1ba").see("Not put by: ").see_no("put by, to be read later");
    room(&terminal, None);
    terminal.keys("\x1ba").see("put by, to be read later").keys("Q").end();
    let mut terminal = start(home.path(), &["--no-session", "--offline", "about:later"]);
    terminal.see("/0/text").see("/0/other").keys("\x1bo").see("all of the text").keys("q").end();
}

/// Loads the page again until it shows what others are still at work on.
fn until(terminal: &mut Terminal, holds: impl Fn(&str) -> bool) {
    let is_so = (0..200).any(|_| {
        terminal.keys("R").keys("=").see("─ Anatomy").keys("\x1b").see_no("─ Anatomy");
        holds(&terminal.screen())
    });
    assert!(is_so, "{}", terminal.screen());
}

/// Who left at once had all of it yet, and was not told.
#[test]
fn who_leaves_is_told_of_what_is_still_being_forgotten() {
    let (server, home) = (space(), tempfile::tempdir().unwrap());
    let mut terminal = start(home.path(), &["--no-session", &server.url("0/text")]);
    terminal.see("all of the text").keys("gabout:store\r").see("Kept pages");
    until(&mut terminal, |screen| screen.contains("1 page, "));
    // Another copy that writes is waited for.
    let other = rusqlite::Connection::open(home.path().join(".local/share/wayfarer/pages.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    terminal.keys(":forget all\r").see("y").keys("y").see("forgotten").keys("q");
    terminal.see("kept pages are still being forgotten; once more leaves all the same");
    other.execute_batch("COMMIT").unwrap();
    drop(other);
    terminal.keys("gabout:store\r").see("Nothing is kept.").keys("q").end();
}

/// A server of the web that answers all with what it was told last.
fn web(answer: &Arc<Mutex<String>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, answer) = (listener.local_addr().unwrap().port(), Arc::clone(answer));
    std::thread::spawn(move || {
        while let Ok((visitor, _)) = listener.accept() {
            let head = BufReader::new(&visitor).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            if head.count() > 0 {
                let _ = (&visitor).write_all(answer.lock().unwrap().as_bytes());
            }
        }
    });
    port
}

fn answer(status: &str, fields: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\n{fields}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

#[test]
fn what_a_server_of_the_web_has_no_more_leads_to_its_copy() {
    let says = Arc::new(Mutex::new(answer("200 OK", "", "all of the article")));
    let home = tempfile::tempdir().unwrap();
    let url = format!("http://127.0.0.1:{}/a", web(&says));
    let mut terminal = start(home.path(), &["--no-session", &url]);
    terminal.see("all of the article").see_no("copy kept");
    for status in ["404 Not Found", "410 Gone", "503 Service Unavailable"] {
        *says.lock().unwrap() = answer(status, "", "sorry about that");
        terminal.keys("R").see("sorry about that").see(&format!("{status}; M-K opens the copy")).see("copy kept");
        terminal.keys("\x1bK").see("all of the article").see("kept just now");
    }
    // What answers from elsewhere takes the place of nothing.
    let portal = Arc::new(Mutex::new(answer("200 OK", "", "pay for the network first")));
    let to = format!("Location: http://127.0.0.1:{}/login\r\n", web(&portal));
    *says.lock().unwrap() = answer("302 Found", &to, "");
    terminal.keys(&format!("g{url}\r")).see("pay for the network first").keys("q").end();
    let mut terminal = start(home.path(), &["--no-session", "--offline", &url]);
    terminal.see("all of the article").see("kept just now").keys("q").end();
}

/// Fetched once more, a page sent the program to another host, and what it found there was fetched as if the reader had asked for it.
#[test]
fn what_a_page_links_to_is_fetched_from_no_host_that_it_leads_to_afterwards() {
    let (says, there) = (Arc::new(Mutex::new(String::new())), Arc::new(Mutex::new(String::new())));
    let (here, elsewhere) = (web(&says), web(&there));
    *says.lock().unwrap() = answer("200 OK", "Cache-Control: no-store\r\n", "a page of this host");
    *there.lock().unwrap() = answer("200 OK", "", &format!("see http://127.0.0.1:{elsewhere}/delete"));
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &["--no-session", &format!("http://127.0.0.1:{here}/a")]);
    terminal.see("a page of this host");
    let to = format!("Location: http://127.0.0.1:{elsewhere}/list\r\n");
    *says.lock().unwrap() = answer("302 Found", &to, "");
    terminal.keys(":later links\r").see("left out: 1 more link").keys(":open about:store\r").see("Kept pages");
    terminal.see_no("/delete").keys("q").end();
    let mut terminal =
        start(home.path(), &["--no-session", "--offline", &format!("http://127.0.0.1:{elsewhere}/delete")]);
    terminal.see("No copy of this page is kept").keys("q").end();
}

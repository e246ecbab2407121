//! From the list of groups to what articles lead to, and back.

use super::content::id;
use super::servers::{Server, inn, inn_with_ways};
use crate::ftp::servers::vsftpd;
use crate::gopher::servers::gophernicus;
use crate::packages;
use crate::terminal::Terminal;
use crate::web::servers::nginx;
use crate::{follow, quit};

/// Goes to an article by its id.
fn go<'a>(screen: &'a mut Terminal, server: &Server, number: usize) -> &'a mut Terminal {
    let address = server.url(id(number).trim_matches(['<', '>']));
    screen.keys(&format!("g{address}\r"))
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn groups_threads_articles() {
    let packages = packages();
    let server = inn(&packages);
    let mut screen = Terminal::start(&["-o", "news.threads=unread", &server.url("*")]);
    screen.see("wf.test").see("Articles in every MIME dress.").see("Tests of reading news.").see_no("wf.private");
    screen.keys("&wf.m").see_no("wf.test").see("wf.mime").keys("\r").see("1 of 3 shown").keys("\r");
    screen.see("wf.mime · 671 articles").focused("Thread 1994").see("2025-01-14");
    follow(&mut screen, "Thread 1970");
    screen.see("This is article 1970.").see("Newsgroups: wf.mime").see("wf.1970@news.example.invalid");
    // A link after a bracket has no room for the mark.
    screen.keys("/wf.986@\r").see("/wf.986@news.example.invalid").keys("\r");
    screen.see("This is article 986.").keys("h").see("This is article 1970.").see("→ news://").see("/wf.986@");
    // An answer far below, and back to it.
    screen
        .keys("h")
        .focused("Thread 1970")
        .keys("/Thread 1706\r")
        .focused("Thread 1706")
        .see_no("Thread 1970")
        .keys("\r");
    screen.see("This is article 1706.").keys("h").focused("Thread 1706").see_no("Thread 1970");
    screen.keys("h").see("1 of 3 shown");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn parts() {
    let packages = packages();
    let server = inn(&packages);
    let mut screen = Terminal::start(&["about:blank"]);
    screen.see("empty page");
    // What refers to another part leads there, whatever host it seems to be on.
    go(&mut screen, &server, 4).see("multipart/related with").see("Café").see("doc/next.html");
    follow(&mut screen, "next");
    screen.see("The next part.");
    follow(&mut screen, "back");
    screen.see("Café");
    screen.keys("hh").focused("next");
    go(&mut screen, &server, 5).see("No header at all.").see("Inner body").see("very-long.bin");
    follow(&mut screen, "very-long.bin");
    screen
        .see("This is no page")
        .see("8 B")
        .keys("s")
        .see("save as: ~/Downloads/very-long.bin")
        .keys("\r")
        .see("saved ");
    assert_eq!(std::fs::read(screen.home().join("Downloads/very-long.bin")).unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn to_every_space_and_back() {
    let packages = packages();
    let (web, hole, archive) = (nginx(&packages), gophernicus(&packages), vsftpd(&packages));
    let ways = [web.url("plain.txt"), hole.url("0/text/about.txt"), archive.url("pub/README"), "news:wf.mime".into()];
    let server = inn_with_ways(&packages, &ways.iter().map(|way| format!("Go to {way} now.\n")).collect::<String>());
    let named = [("NNTPSERVER", &*server.address.to_string())];
    // A server that the environment names needs no place in addresses.
    let mut screen = Terminal::start_with(&["news:wf.links"], 80, 24, &named);
    screen.see("wf.links · ").see("Where to go from here");
    follow(&mut screen, "Where to go");
    for (way, words) in ways.iter().zip(["A plain text.", "burrow", "The pub folder.", "wf.mime · 671 articles"]) {
        screen.see("now.").keys(&format!("/{way}\r")).focused(way).keys("\r");
        screen.see(words).see_no("now.").keys("h").focused(way);
    }
    screen.keys("h").focused("Where to go from here");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_login_when_asked() {
    let packages = packages();
    let server = inn(&packages);
    let mut screen = Terminal::start(&[&server.url("wf.private")]);
    screen
        .see("Log in to 127.0.0.1 port")
        .see("User")
        .keys("wayfarer\rwrong")
        .see("*****")
        .see_no("wrong")
        .keys("\r\r");
    screen.see("does not accept the password").see("Log in to 127.0.0.1 port").see_no("*****");
    // The user stays; it is the password that was wrong.
    screen.see("User wayfarer").keys("secret").see("******").keys("\r\r");
    screen.see("wf.private · 1 article").see("Between us");
    // It holds for the session.
    follow(&mut screen, "Between us");
    screen.see("Nobody else reads this.");
    quit(&mut screen);
}

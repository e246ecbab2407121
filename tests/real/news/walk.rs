//! From the list of groups to what articles lead to, and back.

use super::content::id;
use super::servers::{Server, inn, inn_with_ways};
use crate::servers::packages;
use crate::terminal::Terminal;
use crate::{focus, follow, quit};

/// Goes to an article by its id.
fn go<'a>(screen: &'a mut Terminal, server: &Server, number: usize) -> &'a mut Terminal {
    let address = server.url(id(number).trim_matches(['<', '>']));
    screen.keys(&format!("g{address}\r"))
}

#[test]
fn groups_threads_articles() {
    let Some(packages) = packages("a walk through INN's groups") else { return };
    let server = inn(&packages);
    let mut screen = Terminal::start(&[&server.url("*")]);
    screen.see("wf.test").see("Articles in every MIME dress.").see("Tests of reading news.").see_no("wf.private");
    screen.keys("&wf.m").see_no("wf.test").see("wf.mime").keys("\r").see("1 of 3 shown").keys("\r");
    screen.see("wf.mime · 671 articles").see("▸Thread 1994").see("2025-01-14");
    follow(&mut screen, "Thread 1970");
    screen.see("This is article 1970.").see("Newsgroups: wf.mime").see("wf.1970@news.example.invalid");
    follow(&mut screen, "wf.986@");
    screen.see("This is article 986.").keys("h").see("This is article 1970.").see("▸wf.986@");
    // An answer far below, and back to it.
    screen.keys("h").see("▸Thread 1970").keys("/Thread 1706\r").see("▸Thread 1706").see_no("Thread 1970").keys("\r");
    screen.see("This is article 1706.").keys("h").see("▸Thread 1706").see_no("Thread 1970");
    screen.keys("h").see("1 of 3 shown");
    quit(&mut screen);
}

#[test]
fn parts() {
    let Some(packages) = packages("parts of INN's articles") else { return };
    let server = inn(&packages);
    let mut screen = Terminal::start(&["about:blank"]);
    // What refers to another part leads there, whatever host it seems to be on.
    go(&mut screen, &server, 4).see("multipart/related with").see("Café").see("part 2");
    eprintln!("{}", screen.screen());
    follow(&mut screen, "next");
    screen.see("The next part.");
    eprintln!("{}", screen.screen());
    follow(&mut screen, "back");
    screen.see("Café");
    eprintln!("{}", screen.screen());
    screen.keys("hh").see("▸next");
    go(&mut screen, &server, 5).see("No header at all.").see("Inner body").see("very-long.bin");
    eprintln!("{}", screen.screen());
    follow(&mut screen, "very-long.bin");
    screen.see("save");
    eprintln!("{}", screen.screen());
    quit(&mut screen);
}

//! Users and passwords: from the reader when the server asks, from the URL when it has them.

use super::listed;
use super::servers::{proftpd, pyftpdlib};
use crate::packages;
use crate::printed::{complaint, text};
use crate::quit;
use crate::terminal::Terminal;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn asked_for() {
    let packages = packages();
    let server = proftpd(&packages);
    let mut screen = Terminal::start(&[&server.url_of("wayfarer", "")]);
    screen.see("Log in to 127.0.0.1 port").see("User").see("wayfarer").see("Password");
    screen.keys("wrong").see("*****").see_no("wrong").keys("\r\r");
    // The wrong one is said to be wrong, and asked for again.
    screen.see("Login incorrect").see("Log in to 127.0.0.1 port").see_no("*****");
    screen.keys("secret").see("******").keys("\r\r");
    listed(&mut screen, " /  list").see("inside.txt").see("wayfarer@127.0.0.1");
    // It holds for the session.
    screen.keys("/inside.txt\r").focused("inside.txt").keys("\r").see("only for those who log in");
    quit(&mut screen);
    assert!(!String::from_utf8_lossy(&screen.raw()).contains("secret"), "the password is never shown");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn from_the_url() {
    let packages = packages();
    let server = proftpd(&packages);
    let odd = server.url_of("odd%40name:p%40ss%3A%2Fw%25rd", "inside.txt");
    let inside = "only for those who log in\n";
    assert_eq!(text(&["--dump", &odd]), inside);
    assert_eq!(text(&["--dump", &server.url_of("wayfarer:secret", "inside.txt")]), inside);
    let refused = complaint(&["--dump", &server.url_of("wayfarer:wrong", "inside.txt")]);
    assert!(refused.contains("Login incorrect") && !refused.contains("wrong@"), "{refused}");
    let mut screen = Terminal::start(&[&odd.replace("inside.txt", "")]);
    listed(&mut screen, " /  list").see("inside.txt").see("odd@name:***@127.0.0.1");
    quit(&mut screen);
    assert!(!String::from_utf8_lossy(&screen.raw()).contains("rd@"), "the password is never shown");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn nobody_else_is_let_in() {
    let packages = packages();
    let server = pyftpdlib(&packages);
    let refused = complaint(&["--dump", &server.url_of("stranger:guess", "")]);
    assert!(refused.contains("530 Authentication failed"), "{refused}");
}

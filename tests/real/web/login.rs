//! A page behind a password.

use super::servers::nginx;
use crate::packages;
use crate::quit;
use crate::terminal::Terminal;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn asked_for() {
    let packages = packages();
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.url("auth/secret.html")]);
    screen.see("Log in to http://127.0.0.1:").see("Wayfarer realm").see("clear text");
    screen.keys("wayfarer\rwrong").see("*****").see_no("wrong").keys("\r\r");
    screen.see("does not accept").see("Log in to http://127.0.0.1:").see_no("*****");
    screen.see("wayfarer").keys("secret").see("******").keys("\r\r").see("You are in.");
    // It holds for the session.
    screen.keys("/More\r").focused("More").keys("\r").see("Still in.");
    quit(&mut screen);
    assert!(!String::from_utf8_lossy(&screen.raw()).contains("secret\r"), "the password is never shown");
}

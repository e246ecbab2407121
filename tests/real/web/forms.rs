//! Forms: filled in, sent by GET and by POST.

use super::servers::nginx;
use crate::packages;
use crate::quit;
use crate::terminal::Terminal;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn by_get_and_post() {
    let packages = packages();
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.url("form.html")]);
    screen.see("Words:").see("[x] old ones too").see("[ Texts").see("[ Find ]").see("hello");
    // Enter begins to write, Enter sends.
    screen.keys("\rcafé au lait\r").see("You asked: q=caf%C3%A9+au+lait&old=yes&in=b");
    // What was written is still there.
    screen.keys("h").see("[x] old ones too").see("café au lait");
    screen.keys("\t\r").see("[ ] old ones too").keys("\t\t").see("Find · GET").keys("\r");
    screen.see("You asked: q=caf%C3%A9+au+lait&in=b").keys("h").see("[ ] old ones too");
    screen.keys("\t\t").see("Leave · POST").keys("\r").see("POST application/x-www-form-urlencoded 10");
    // Nothing is sent twice that nobody asked to be sent twice.
    screen.keys("R").see("the form is sent").see("n leave it");
    screen.keys("n").see_no("n leave it");
    quit(&mut screen);
}

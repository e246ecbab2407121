//! Forms: filled in, sent by GET and by POST.

use super::servers::nginx;
use crate::servers::packages;
use crate::terminal::Terminal;
use crate::{focus, quit};

#[test]
fn by_get_and_post() {
    let Some(packages) = packages("forms sent to nginx") else { return };
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.url("form.html")]);
    screen.see("Words:").see("old ones too").see("Texts").see("Find");
    eprintln!("{}", screen.screen());
    screen.keys("\r");
    eprintln!("{}", screen.screen());
    screen.keys("caf\u{e9} au lait\r");
    screen.see("You asked:");
    eprintln!("{}", screen.screen());
    let _ = focus;
    quit(&mut screen);
}

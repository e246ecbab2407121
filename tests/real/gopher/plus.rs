//! Gopher+ as pygopherd speaks it: attributes, and the form of an item.

use super::servers::pygopherd;
use crate::packages;
use crate::terminal::Terminal;
use crate::{arrived, focus, quit};

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn attributes_and_form() {
    let packages = packages();
    let server = pygopherd(&packages);
    let mut screen = Terminal::start(&[&server.url("1/plus")]);
    screen.see("paper").see("menu  /plus");
    arrived(&mut screen);
    focus(&mut screen, "paper");
    screen.keys("i").see("Who and when").see("Wayfarer Tests <tests@example.invalid>");
    screen.see("Views").see("text/plain").see("Abstract").see("What the paper says,").see("in two lines.");
    screen.keys("h").see("(TXT)▸paper");
    focus(&mut screen, "order");
    screen.keys("i").see("(FRM) Fill in the form").see("• Wrapped?");
    arrived(&mut screen);
    // The form is the last link of the page.
    screen.keys("\x1b[F").keys("\r").see("Esc cancel").see("Your name? Nobody").see("[x] Wrapped?").see("○ blue");
    screen.keys("\thush").see("A secret? ****");
    screen
        .keys("\x1b")
        .see("Close this without keeping what you typed?")
        .keys("y")
        .see("the form was not sent")
        .see_no("Esc cancel");
    screen.keys("h").see("(TXT)▸order").keys("\r").see("The order.");
    quit(&mut screen);
    assert!(
        !String::from_utf8_lossy(&screen.raw()).contains("secret?s"),
        "what is typed into a secret field is not shown"
    );
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn answers_in_gopher_plus_frames() {
    let packages = packages();
    let server = pygopherd(&packages);
    let mut screen = Terminal::start(&[&server.url("0/plus/paper.txt%09%09+")]);
    screen.see("The paper.").see_no("+-");
    let missing = server.url("0/text/none.txt%09%09+");
    screen.keys(&format!("g{missing}\r")).see("not available").see("does not").see("Wayfarer Tests");
    let directory = server.url("1/plus%09%09$");
    screen.keys(&format!("g{directory}\r")).see("order").see(" B");
    quit(&mut screen);
}

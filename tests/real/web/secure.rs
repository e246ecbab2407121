//! https: by the authorities of the machine, and no other way.

use super::servers::nginx;
use crate::packages;
use crate::printed::complaint;
use crate::quit;
use crate::terminal::Terminal;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn authorities() {
    let packages = packages();
    let server = nginx(&packages);
    let url = server.tls_url("");
    let refused = complaint(&["--dump", &url]);
    assert!(refused.contains("REFUSED") && refused.contains("SSL_CERT_FILE"), "{refused}");
    let mut screen = Terminal::start(&[&url]);
    screen.see("REFUSED").see("does not prove").see_no("A text");
    quit(&mut screen);

    let cert = server.cert().display().to_string();
    let mut screen = Terminal::start_with(&[&url], 80, 24, &[("SSL_CERT_FILE", &cert)]);
    screen.see("A text").see("https  ").keys("=").see("Anatomy").keys("\t").see("authority");
    screen.keys("\x1b").see_no("Anatomy");
    // From clear text to TLS is one step of the web; nobody asks.
    screen.keys(&format!("g{}\r", server.url("r/tls"))).see("Ferries").see("https  ");
    quit(&mut screen);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn a_self_signed_certificate_is_refused_and_then_trusted_until_the_end() {
    let packages = packages();
    let server = nginx(&packages);
    let mut screen = Terminal::start(&[&server.tls_url("")]);
    screen.see("REFUSED").see("does not prove").keys(":trust\r").see("Nobody vouches that this is").see("y trust it");
    // no is no
    screen.keys("n").see_no("y trust it").see("REFUSED").keys(":trust\r").see("y trust it").keys("y");
    screen
        .see("A text")
        .keys("=")
        .see("Anatomy")
        .keys("\t")
        .see("a key that you alone trust")
        .keys("\x1b")
        .see_no("Anatomy");
    screen.keys(&format!("g{}\r", server.url("r/tls"))).see("Ferries").see("https  ");
    quit(&mut screen);
    // The next run knows nothing of it.
    let mut screen = Terminal::start(&[&server.tls_url("")]);
    screen.see("REFUSED").see_no("A text");
    quit(&mut screen);
}

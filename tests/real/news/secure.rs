//! News over TLS: from the first octet, and by STARTTLS.

use super::servers::inn;
use crate::packages;
use crate::printed::{complaint, text};
use crate::quit;
use crate::terminal::Terminal;
use std::fs;

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn trust_on_first_use() {
    let packages = packages();
    let server = inn(&packages);
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let visit = |url: &str| Terminal::start_with(&[url], 80, 24, &environment);
    let url = server.tls_url("wf.test");
    let mut first = visit(&url);
    first.see("Thread 1992").see("nntps  ").keys("=").see("Anatomy").keys("\t").see("first visit");
    first.keys("\x1b").see_no("Anatomy");
    quit(&mut first);
    let pins = home.path().join(".local/share/wayfarer/pins");
    let written = fs::read_to_string(&pins).unwrap();
    let line = written.strip_prefix("# wayfarer pins 1\n").unwrap();
    assert!(line.starts_with(&format!("{} ", server.secure)) && line.lines().count() == 1, "{written}");

    let mut second = visit(&url);
    // It is kept, and stands before the server has shown its key.
    second
        .see("Thread 1992")
        .see_no("being asked for")
        .keys("=")
        .see("Anatomy")
        .keys("\t")
        .see("seen on earlier visits");
    second.keys("\x1b").see_no("Anatomy");
    quit(&mut second);

    server.change_key();
    let mut third = visit(&url);
    third.see("REFUSED").see("has changed").see(":trust").see_no("Thread 1992");
    third.keys(":trust\r").see("trust it").keys("y").see("Thread 1992");
    quit(&mut third);
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn starttls() {
    let packages = packages();
    let server = inn(&packages);
    let head = text(&["-o", "news.starttls=true", "--head", &server.url("wf.test/2-6")]);
    for line in ["> STARTTLS", "> OVER 2-6"] {
        assert!(head.lines().any(|l| l == line), "{line}: {head}");
    }
    assert!(head.contains("certificate: "), "{head}");
    // A password goes the same way, and a wrong one is as wrong.
    let private = server.url("wf.private").replace("//", "//wayfarer:wrong@");
    assert!(complaint(&["-o", "news.starttls=true", "--dump", &private]).contains("481"));
}

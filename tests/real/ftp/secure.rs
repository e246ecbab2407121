//! ftps: AUTH TLS on both connections, with the same pins as every other protocol.

use super::servers::{Server, proftpd, vsftpd};
use super::{content, listed};
use crate::packages;
use crate::printed::printed;
use crate::terminal::Terminal;
use crate::{follow, quit};
use std::fs;

fn trust_on_first_use(server: &Server) {
    let home = tempfile::tempdir().unwrap();
    let environment = [("HOME", home.path().to_str().unwrap())];
    let visit = |url: &str| Terminal::start_with(&[url], 80, 24, &environment);
    let url = server.tls_url("pub/");
    let mut first = visit(&url);
    listed(&mut first, "/pub/  list")
        .see("README")
        .see("ftps  ")
        .keys("=")
        .see("Anatomy")
        .keys("\t")
        .see("first visit");
    first.keys("\x1b").see_no("Anatomy");
    follow(&mut first, "README");
    first.see("The pub folder.").see("ftps  ");
    quit(&mut first);
    let pins = home.path().join(".local/share/wayfarer/pins");
    let written = fs::read_to_string(&pins).unwrap();
    let line = written.strip_prefix("# wayfarer pins 1\n").unwrap();
    assert!(line.starts_with(&format!("{} ", server.address)) && line.lines().count() == 1, "{written}");

    let mut second = visit(&url);
    listed(&mut second, "/pub/  list").see("README").keys("=").see("Anatomy").keys("\t").see("seen on earlier visits");
    second.keys("\x1b").see_no("Anatomy");
    quit(&mut second);

    server.change_key();
    let mut third = visit(&url);
    third.see("REFUSED").see("has changed").see(":trust").see_no("README");
    third.keys(":trust\r").see("trust it").keys("y").see("README");
    quit(&mut third);
    assert!(printed(&["--source", &server.tls_url("pub/bin/data.bin")]) == content::binary(), "byte for byte");
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn trust_on_first_use_of_vsftpd() {
    let packages = packages();
    trust_on_first_use(&vsftpd(&packages));
}

#[test]
#[ignore = "needs the servers of tests/real/run"]
fn trust_on_first_use_of_proftpd() {
    let packages = packages();
    trust_on_first_use(&proftpd(&packages));
}

//! A web server.

mod servers;

use crate::servers::{answers, packages};

#[test]
fn nginx_serves_the_site() {
    let Some(packages) = packages("the web from nginx") else { return };
    let server = servers::nginx(&packages);
    let get = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    answers(server.address, get, "Wayfarer test site");
    assert_ne!(server.secure, server.address);
}

//! A news server.

mod content;
mod servers;

use crate::servers::{answers, packages};

#[test]
fn inn_serves_the_articles_and_asks_for_logins() {
    let Some(packages) = packages("news from INN") else { return };
    let server = servers::inn(&packages);
    let says =
        "MODE READER\r\nGROUP wf.private\r\nAUTHINFO USER wayfarer\r\nAUTHINFO PASS secret\r\nGROUP wf.private\r\n";
    answers(server.address, says, "211 0 1 0 wf.private");
    let last = content::id(content::ARTICLES);
    answers(
        server.address,
        &format!("MODE READER\r\nARTICLE {last}\r\n"),
        &format!("This is article {}.", content::ARTICLES),
    );
    assert_ne!(server.secure, server.address);
}

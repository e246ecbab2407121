//! A group of INN's, where `WAYFARER_SERVERS` names its packages.

#[path = "../../tests/real/news/content.rs"]
mod content;
#[path = "../../tests/real/news/servers.rs"]
#[expect(dead_code, reason = "no journeys, no TLS")]
mod servers;

use crate::servers::packages;

/// Articles of the group.
pub const ARTICLES: usize = 2_000;
/// The programs that show a group by its `nntp://host:port/group`: the one URL that all of them take.
pub const PEERS: &[&str] = &["wayfarer", "lynx", "w3m", "elinks"];

/// The server.
pub fn serve() -> Option<servers::Server> {
    let packages = packages("a newsgroup of INN's")?;
    Some(servers::inn_of(&packages, &content::threads(&content::GROUPS[..1], 100..100 + ARTICLES)))
}

/// The group on it.
pub fn group(server: &servers::Server) -> String {
    format!("nntp://{}/{}", server.address, content::GROUPS[0])
}

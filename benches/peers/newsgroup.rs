//! A group of INN's, where `WAYFARER_SERVERS` names its packages.

#[path = "../../tests/real/news/content.rs"]
mod content;
#[path = "../../tests/real/news/servers.rs"]
#[expect(dead_code, reason = "no journeys, no TLS")]
mod servers;

use crate::programs::{News, Player};
use crate::servers::packages;
use crate::start;
use crate::terminal::Terminal;
use std::path::Path;

/// Articles of the group.
pub const ARTICLES: usize = 2_000;
/// What stands on the screen when its rows do.
pub const MARKER: &str = "Thread ";

/// Without these slrn wants to know who its reader is, and asks how many articles to read.
const SLRN: &str = "hostname \"localhost.localdomain\"\nusername \"reader\"\nset query_read_group_cutoff 0\n";
/// Without this tin greets a new reader.
const TIN: &str = "# tin configuration file V1.3.18\n";

/// The server.
pub fn serve() -> Option<servers::Server> {
    let packages = packages("a newsgroup of INN's")?;
    Some(servers::inn_of(&packages, &content::threads(&content::GROUPS[..1], 100..100 + ARTICLES)))
}

/// The group on it, by the one URL that all programs take.
pub fn group(server: &servers::Server) -> String {
    format!("nntp://{}/{}", server.address, content::GROUPS[0])
}

/// Has a program open it.
pub fn open(player: &Player, server: &servers::Server, home: &Path) -> Option<Terminal> {
    start::clean(home);
    match player.peer.news {
        News::Never => None,
        News::Url => Some(Terminal::start(&player.path, &[group(server)], home)),
        News::Words(words, key) => {
            let (name, newsrc) = (content::GROUPS[0], home.join(".newsrc"));
            std::fs::write(&newsrc, format!("{name}:\n")).ok()?;
            std::fs::write(home.join(".newsrc.slrn"), SLRN).ok()?;
            std::fs::create_dir_all(home.join(".tin")).ok()?;
            std::fs::write(home.join(".tin/tinrc"), TIN).ok()?;
            let fill = |word: &&str| {
                let word = word.replace("{host}", &server.address.ip().to_string());
                let word = word.replace("{port}", &server.address.port().to_string());
                word.replace("{group}", name).replace("{newsrc}", &newsrc.display().to_string())
            };
            let mut terminal = Terminal::start(&player.path, &words.iter().map(fill).collect::<Vec<_>>(), home);
            if !key.is_empty() {
                terminal.until(name)?;
                terminal.press(key)?;
            }
            Some(terminal)
        }
    }
}

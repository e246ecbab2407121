//! Journeys through FTP servers.

mod archives;
pub mod content;
mod keep;
mod login;
mod print;
mod put;
mod secure;
pub mod servers;
mod walk;

use crate::terminal::Terminal;

/// Waits until a page of a long path, whose bar has no room for counts, shows an entry.
fn shows<'a>(screen: &'a mut Terminal, place: &str, entry: &str) -> &'a mut Terminal {
    screen.see_that(&format!("{entry:?} in {place:?}"), |now| {
        let rows: Vec<&str> = now.lines().take(23).collect();
        rows.len() == 23 && rows[22].contains(place) && rows[..22].iter().any(|row| row.contains(entry))
    })
}

/// Waits until the bar says that a directory has come as a whole: its entries are counted then.
fn listed<'a>(screen: &'a mut Terminal, place: &str) -> &'a mut Terminal {
    screen.see_that(&format!("all of {place:?}"), |now| {
        // A message of two rows moves it up.
        let bar = now.lines().rev().find(|row| row.starts_with(" ftp")).unwrap_or_default();
        bar.contains(place) && (bar.contains(" entries, ") || bar.contains(" 1 entry, ")) && !bar.contains(", sorting")
    })
}

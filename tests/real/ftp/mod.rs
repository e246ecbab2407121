//! Journeys through FTP servers.

mod content;
mod login;
mod print;
mod secure;
mod servers;
mod walk;

use crate::terminal::Terminal;

/// Waits until a directory that was asked for has come as a whole: its entries are counted then.
fn listed(screen: &mut Terminal) -> &mut Terminal {
    screen.see_that("a whole directory", |now| now.contains(" entries, ") || now.contains("1 entry, "))
}

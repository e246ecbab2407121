//! The outside of the browser: command line, event loop, tasks, terminal, disk, clock, clipboard, child programs.
//!
//! Refuses: decisions about pages; it carries out what `app` asks for and reports what happens.

mod bookmarks;
mod browse;
mod catch_up;
mod check;
mod cli;
mod clock;
mod colour;
mod completions;
mod compose;
mod copies;
mod device;
mod downloads;
mod dump;
mod ear;
mod fetch;
mod ground;
mod heading;
mod keep;
mod keyboard;
mod later;
mod links;
mod manual;
mod marks;
mod memory;
mod named;
mod network;
mod newsrc;
mod once;
mod outside;
mod page_reader;
mod pages;
mod partial;
mod pipe;
mod place;
mod prepare;
mod rate;
pub mod record;
mod redraw;
mod relay;
mod remote;
mod replay;
mod sandbox;
mod save;
mod scores;
mod scratch;
mod session;
mod settings;
mod setup;
mod short;
mod ssh;
mod stdin;
mod store;
mod subscriptions;
mod sum;
mod sum_tree;
mod terminal;
mod tour;
mod unseen;
pub mod url_cmd;
mod visits;
mod watchdog;
mod worker;

pub use cli::main;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// A file that grows over the limit that the system sets (`ulimit -f`) would end the program; from now on writing it fails,
/// as on a full disk, and the reader is told.
///
/// # Errors
/// The system refuses.
fn survive_a_full_disk() -> std::io::Result<Signal> {
    signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))
}

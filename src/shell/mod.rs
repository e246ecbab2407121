//! The outside of the browser: command line, event loop, tasks, terminal, disk, clock, clipboard, child programs.
//!
//! Refuses: decisions about pages; it carries out what `app` asks for and reports what happens.

mod bookmarks;
mod browse;
mod cli;
mod colour;
mod compose;
mod downloads;
mod dump;
mod fetch;
mod frames;
mod keeper;
mod keyboard;
mod manual;
mod memory;
mod newsrc;
mod partial;
mod pipe;
mod place;
mod save;
mod session;
mod stdin;
mod terminal;
mod touring;
pub mod url_cmd;
mod visits;

pub use cli::main;
